//! BTOR2: one node a line, each with a number, a sort, and operands by their numbers.
//!
//! An operand with a minus sign is the node's complement. States may have a first value and a next value; without
//! a next value they are free in every step. `bad` is a state of affairs that must not come about, and
//! `constraint` one that holds in every step of every run that counts [NiemetzPreinerWolfBiere-CAV'18].
//! `fair` restricts infinite runs only, so it does not matter for `bad`; `justice` is a property of infinite runs and is
//! refused, unless one `bad` was chosen.

mod line;
mod operator;

use base::{Bits, Diagnostic, FastMap, FileId, Id, Place, Severity};
use program::AssertionKind;
use term::{MAX_WIDTH, Sort, SortKind, Term, Terms};

use crate::complain::Complain;
use crate::lower::Control;
use crate::system::{Property, State, Symbol, System};
use crate::{Chosen, Compiled, finish};
use line::{Line, Word};

/// Reads a BTOR2 file. `Err` carries everything that was found wrong.
pub fn read_btor2(file: &str, text: &str, chosen: Chosen, terms: &mut Terms) -> Result<Compiled, Vec<Diagnostic>> {
    let mut model = Model {
        complain: Complain::new(file, text),
        chosen,
        terms,
        sorts: FastMap::new(),
        nodes: FastMap::new(),
        state_of: FastMap::new(),
        has_init: FastMap::new(),
        has_next: FastMap::new(),
        system: System::default(),
    };
    for (number, line) in text.lines().enumerate() {
        let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let Some(line) = Line::split(line, number) else { continue };
        if let Err((column, severity, message)) = model.line(&line) {
            model.complain.say(severity, number, column, message);
            // What follows would only be about what is missing now.
            if model.complain.is_enough() || severity == Severity::Unsupported {
                break;
            }
        }
    }
    if model.system.properties.is_empty() && !model.complain.is_hopeless() {
        model.complain.error(0, 0, "there is no `bad` node, so there is nothing to check".to_owned());
    }
    if model.complain.is_hopeless() {
        return Err(model.complain.found);
    }
    let Model { mut system, complain, terms, .. } = model;
    system.choose(terms, chosen);
    let compiled = finish(terms, system, file, Control::Data, |_| None);
    Ok(Compiled { warnings: complain.found, ..compiled })
}

/// What is wrong with a line: the column, how bad, and a sentence.
type Wrong = (u32, Severity, String);

struct Model<'a> {
    complain: Complain<'a>,
    chosen: Chosen,
    terms: &'a mut Terms,
    sorts: FastMap<u64, Sort>,
    nodes: FastMap<u64, Term>,
    /// For each state its place in the system.
    state_of: FastMap<Term, usize>,
    has_init: FastMap<usize, ()>,
    has_next: FastMap<usize, ()>,
    system: System,
}

impl Model<'_> {
    /// Reads one line. Long: one `match` over all tags of the format.
    fn line(&mut self, line: &Line<'_>) -> Result<(), Wrong> {
        let id = line.number(0)?;
        if self.sorts.contains_key(&id) || self.nodes.contains_key(&id) {
            return line.words[0].wrong(format!("node {id} exists already"));
        }
        let place = Place { file: FileId::new(0), line: line.line, column: line.words[0].column };
        match line.text(1)? {
            "sort" => {
                let sort = self.sort(line)?;
                self.sorts.insert(id, sort);
            }
            kind @ ("input" | "state") => {
                let sort = self.sort_at(line, 2)?;
                let fallback = format!("{kind}{id}");
                let name = line.words.get(3).map_or(fallback.as_str(), |word| word.text);
                let term = self.fresh(name, sort);
                let now = Symbol { name: name.to_owned(), term, place: Some(place) };
                if kind == "input" {
                    self.system.inputs.push(now);
                } else {
                    let next = self.fresh(&format!("{name}.next"), sort);
                    self.state_of.insert(term, self.system.states.len());
                    self.system.states.push(State { now, next });
                }
                self.nodes.insert(id, term);
            }
            kind @ ("init" | "next") => {
                let (state, value) = self.transfer(line)?;
                let known = if kind == "init" { &mut self.has_init } else { &mut self.has_next };
                if known.insert(state, ()).is_some() {
                    return line.words[1].wrong(format!("this state has an `{kind}` already"));
                }
                let State { now, next } = &self.system.states[state];
                if kind == "init" {
                    let equal = self.terms.eq(now.term, value);
                    self.system.init.push(equal);
                } else {
                    let equal = self.terms.eq(*next, value);
                    self.system.trans.push(equal);
                }
            }
            "constraint" => {
                let holds = self.condition(line)?;
                self.system.constraints.push(holds);
            }
            "bad" => {
                let bad = self.condition(line)?;
                let holds = self.terms.not(bad);
                let number = self.system.properties.len();
                let text = match line.words.get(3) {
                    Some(name) => format!("bad {number} {}", name.text),
                    None => format!("bad {number}"),
                };
                self.system.properties.push(Property {
                    text,
                    kind: AssertionKind::Unreached,
                    holds,
                    place: Some(place),
                });
            }
            "output" => {
                self.operand(line, 2)?;
            }
            kind @ ("fair" | "justice") => {
                let is_refused = kind == "justice" && self.chosen == Chosen::All;
                let message = match is_refused {
                    true => {
                        "`justice` is not supported: only `bad` is checked, which `--assertion N` chooses".to_owned()
                    }
                    false => format!("`{kind}` is about infinite runs and ignored: only `bad` is checked"),
                };
                let severity = if is_refused { Severity::Unsupported } else { Severity::Warning };
                return Err((line.words[1].column, severity, message));
            }
            kind => {
                let sort = self.sort_at(line, 2)?;
                let term = match kind {
                    "const" | "constd" | "consth" | "zero" | "one" | "ones" => self.constant(line, kind, sort)?,
                    _ => operator::operator(self, line, kind)?,
                };
                if self.terms.sort_of(term) != sort {
                    let found = self.terms.sort_text(self.terms.sort_of(term));
                    return line.words[2].wrong(format!("the node has sort {found}"));
                }
                self.nodes.insert(id, term);
            }
        }
        Ok(())
    }

    /// A symbol of this name, or of a similar one.
    fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        // Bars cannot be quoted in SMT-LIB.
        let name: String = name.chars().map(|c| if c == '|' || c == '\\' { '!' } else { c }).collect();
        let mut base_name = name.clone();
        let mut number = 2;
        while self.terms.lookup(&base_name).is_some() {
            base_name = format!("{name}!{number}");
            number += 1;
        }
        self.terms.variable(&base_name, sort)
    }
    fn sort(&mut self, line: &Line<'_>) -> Result<Sort, Wrong> {
        match line.text(2)? {
            "bitvec" => match line.number(3)? {
                0 => line.words[3].wrong("a bit-vector has at least one bit".to_owned()),
                width if width <= u64::from(MAX_WIDTH) => Ok(self.terms.bv_sort(width as u32)),
                width => {
                    let message = format!("bit-vectors of {width} bits are not supported, only up to {MAX_WIDTH}");
                    Err((line.words[3].column, Severity::Unsupported, message))
                }
            },
            "array" => {
                let (index, element) = (self.sort_at(line, 3)?, self.sort_at(line, 4)?);
                for (at, sort) in [(3, index), (4, element)] {
                    if !matches!(self.terms.sort_kind(sort), SortKind::BitVec(_)) {
                        let message = "arrays over other sorts than bit-vectors are not supported".to_owned();
                        return Err((line.words[at].column, Severity::Unsupported, message));
                    }
                }
                Ok(self.terms.sort(SortKind::Array(index, element)))
            }
            other => line.words[2].wrong(format!("`{other}` is no kind of sort")),
        }
    }
    fn sort_at(&self, line: &Line<'_>, at: usize) -> Result<Sort, Wrong> {
        let id = line.number(at)?;
        match self.sorts.get(&id) {
            Some(&sort) => Ok(sort),
            None => line.words[at].wrong(format!("{id} is no sort")),
        }
    }
    /// The operand at this word, complemented if it has a minus sign.
    fn operand(&mut self, line: &Line<'_>, at: usize) -> Result<Term, Wrong> {
        let (word, is_negative, id) = line.signed(at)?;
        let Some(&term) = self.nodes.get(&id) else { return word.wrong(format!("{id} is no node")) };
        if !is_negative {
            return Ok(term);
        }
        match self.terms.sort_kind(self.terms.sort_of(term)) {
            SortKind::BitVec(_) => Ok(self.terms.bv_not(term)),
            _ => word.wrong("only a bit-vector has a complement".to_owned()),
        }
    }
    /// A truth value: a node of one bit.
    fn condition(&mut self, line: &Line<'_>) -> Result<Term, Wrong> {
        let term = self.operand(line, 2)?;
        match self.terms.sort_kind(self.terms.sort_of(term)) {
            SortKind::BitVec(1) => {
                let one = self.terms.bv(1, 1);
                Ok(self.terms.eq(term, one))
            }
            _ => line.words[2].wrong("a node of one bit is expected".to_owned()),
        }
    }
    /// A state and the value that it gets.
    fn transfer(&mut self, line: &Line<'_>) -> Result<(usize, Term), Wrong> {
        let sort = self.sort_at(line, 2)?;
        let state = self.operand(line, 3)?;
        let Some(&number) = self.state_of.get(&state) else {
            return line.words[3].wrong("a state is expected".to_owned());
        };
        let mut value = self.operand(line, 4)?;
        // A word in place of an array fills it.
        if let SortKind::Array(_, element) = *self.terms.sort_kind(sort)
            && line.text(1)? == "init"
            && self.terms.sort_of(value) == element
        {
            value = self.terms.const_array(sort, value);
        }
        if self.terms.sort_of(state) != sort || self.terms.sort_of(value) != sort {
            return line.words[2].wrong("state, value and sort do not fit".to_owned());
        }
        Ok((number, value))
    }
    fn constant(&mut self, line: &Line<'_>, kind: &str, sort: Sort) -> Result<Term, Wrong> {
        let SortKind::BitVec(width) = *self.terms.sort_kind(sort) else {
            return line.words[2].wrong("a constant is a bit-vector".to_owned());
        };
        let bits = match kind {
            "zero" => Some(Bits::zero(width)),
            "one" => Some(Bits::from_u64(width, 1)),
            "ones" => Some(Bits::ones(width)),
            _ => {
                let digits = line.text(3)?;
                parse(kind, width, digits)
            }
        };
        match bits {
            Some(bits) => Ok(self.terms.bits(bits)),
            None => line.words[3].wrong(format!("this is no constant of {width} bits")),
        }
    }
}

/// The digits as a value of this width, if they fit.
fn parse(kind: &str, width: u32, digits: &str) -> Option<Bits> {
    let (is_negative, digits) = match digits.strip_prefix('-') {
        Some(rest) if kind == "constd" => (true, rest),
        _ => (false, digits),
    };
    if digits.is_empty() || digits.len() > 1 << 20 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    match kind {
        "const" => Bits::parse_binary(digits).filter(|bits| bits.width() == width),
        "consth" => {
            let bits = Bits::parse_hex(digits)?;
            let short = bits.resize_unsigned(width);
            (short.resize_unsigned(bits.width().max(width)) == bits.resize_unsigned(bits.width().max(width)))
                .then_some(short)
        }
        _ => {
            // Reading decimal numbers takes quadratic time.
            let fits = digits.len() <= 10_000 && digits.bytes().all(|byte| byte.is_ascii_digit());
            let sign = if is_negative { "-" } else { "" };
            fits.then(|| Bits::parse_decimal(width, &format!("{sign}{digits}"))).flatten()
        }
    }
}

impl Word<'_> {
    fn wrong<T>(&self, message: String) -> Result<T, Wrong> {
        Err((self.column, Severity::Error, message))
    }
}
