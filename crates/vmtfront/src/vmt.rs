//! VMT: SMT-LIB definitions whose terms are annotated with their role in a transition system.
//!
//! `(! x :next x')` makes `x` a state variable, `:init`, `:trans` and `:invar-property` mark formulas. Declared symbols
//! without a next value are inputs, declared functions are the same in every step. Files often come from
//! lenient tools, so an undeclared next value is declared here, and roles may be given
//! several times: initial and transition formulas are then meant together, and every property counts.

use base::{Diagnostic, FastMap, FileId, Id, Place, Severity};
use program::AssertionKind;
use term::smtlib::{Annotation, Command, ReadError, Reader};
use term::{Op, Term, Terms};

use crate::complain::Complain;
use crate::lower::Control;
use crate::system::{Property, State, Symbol, System};
use crate::{Chosen, Compiled, finish};

/// Reads a VMT file. `Err` carries everything that was found wrong.
pub fn read_vmt(file: &str, text: &str, chosen: Chosen, terms: &mut Terms) -> Result<Compiled, Vec<Diagnostic>> {
    let mut vmt = Vmt {
        complain: Complain::new(file, text),
        declared: Vec::new(),
        next: Vec::new(),
        is_next: FastMap::new(),
        system: System::default(),
    };
    vmt.read(text, terms);
    vmt.roles(terms);
    if vmt.complain.is_hopeless() {
        return Err(vmt.complain.found);
    }
    vmt.system.choose(terms, chosen);
    let places: FastMap<term::Symbol, Place> = {
        let mut places = FastMap::new();
        for &(symbol, place) in &vmt.declared {
            places.insert(symbol, place);
        }
        places
    };
    let compiled = finish(terms, vmt.system, file, Control::Locations, |symbol| places.get(&symbol).copied());
    Ok(Compiled { warnings: vmt.complain.found, ..compiled })
}

struct Vmt<'a> {
    complain: Complain<'a>,
    declared: Vec<(term::Symbol, Place)>,
    /// Variables with their next values, in order.
    next: Vec<(Term, Term)>,
    /// For each next value the variable.
    is_next: FastMap<Term, Term>,
    system: System,
}

impl Vmt<'_> {
    fn read(&mut self, text: &str, terms: &mut Terms) {
        let mut reader = Reader::new(text);
        reader.declare_next_values();
        loop {
            let command = match reader.next(terms) {
                Ok(Some(command)) => command,
                Ok(None) => break,
                Err(ReadError { line, column, message }) => {
                    let before = self.complain.found.len();
                    self.complain.error(line, column, message);
                    if self.complain.is_enough() || self.complain.found.len() == before {
                        break;
                    }
                    continue;
                }
            };
            let (line, column) = reader.place();
            let place = Place { file: FileId::new(0), line, column };
            for annotation in reader.take_annotations() {
                self.annotation(terms, &reader, annotation);
            }
            match command {
                Command::DeclareFun(symbol) => self.declared.push((symbol, place)),
                Command::Assert { formula, .. } if formula != terms.truth(true) => {
                    let message = "an assertion has no meaning in a transition system";
                    self.complain.say(Severity::Unsupported, line, column, message.to_owned());
                }
                Command::Push(_) | Command::Pop(_) | Command::Reset | Command::ResetAssertions => {
                    self.complain.error(line, column, "a transition system has no scopes".to_owned());
                }
                Command::Exit => break,
                _ => {}
            }
        }
    }
    fn annotation(&mut self, terms: &mut Terms, reader: &Reader<'_>, annotation: Annotation) {
        let Annotation { keyword, value, term, line, column } = annotation;
        let place = Place { file: FileId::new(0), line, column };
        match keyword.as_str() {
            ":next" => {
                let next = value.as_deref().and_then(|name| reader.declared(name));
                let Some(next) = next else {
                    let name = value.unwrap_or_default();
                    self.complain.error(
                        line,
                        column,
                        format!("`:next` names a declared symbol, and `{name}` is not declared"),
                    );
                    return;
                };
                if !is_symbol(terms, term) {
                    self.complain.error(line, column, "only a declared symbol has a next value".to_owned());
                    return;
                }
                if !terms.symbol_args(next).is_empty() || terms.symbol_result(next) != terms.sort_of(term) {
                    self.complain.error(line, column, "the next value has another sort than the variable".to_owned());
                    return;
                }
                let next = terms.apply(next, &[]);
                if self.next.contains(&(term, next)) {
                    return;
                }
                let is_new = self.next.iter().all(|pair| pair.0 != term && pair.1 != next && pair.1 != term)
                    && !self.next.iter().any(|pair| pair.0 == next)
                    && term != next;
                if !is_new {
                    self.complain.error(line, column, "a variable has one next value, of its own".to_owned());
                    return;
                }
                self.next.push((term, next));
                self.is_next.insert(next, term);
            }
            ":init" | ":trans" | ":invar-property" | ":invar" => {
                if !terms.is_bool(term) {
                    self.complain.error(line, column, format!("`{keyword}` marks a formula"));
                    return;
                }
                if keyword != ":invar-property" && value.as_deref() == Some("false") {
                    let what = format!("`{keyword} false` is not supported");
                    self.complain.say(Severity::Unsupported, line, column, what);
                    return;
                }
                match keyword.as_str() {
                    ":init" => self.system.init.push(term),
                    ":trans" => self.system.trans.push(term),
                    ":invar" => self.system.constraints.push(term),
                    _ => {
                        let number = value.unwrap_or_default();
                        let text = format!("property {number}").trim_end().to_owned();
                        self.system.properties.push(Property {
                            text,
                            kind: AssertionKind::Condition,
                            holds: term,
                            place: Some(place),
                        });
                    }
                }
            }
            ":live-property" | ":ltl-property" => {
                let what = format!("`{keyword}`: only invariant properties are checked");
                self.complain.say(Severity::Unsupported, line, column, what);
            }
            // Hints for a prover, and names.
            ":predicate" | ":comment" | ":source" | ":pattern" | ":weight" | ":qid" | ":skolemid" => {}
            _ => {
                // It may restrict the runs, or be one more property.
                let what = format!("the annotation `{keyword}` is not supported");
                self.complain.say(Severity::Unsupported, line, column, what);
            }
        }
    }
    /// Sorts declared symbols into state, next values and inputs, and checks which formulas may mention which symbols.
    fn roles(&mut self, terms: &mut Terms) {
        let mut place_of: FastMap<Term, Place> = FastMap::new();
        for &(symbol, place) in &self.declared {
            if terms.symbol_args(symbol).is_empty() {
                let term = terms.apply(symbol, &[]);
                place_of.insert(term, place);
                let is_state = self.next.iter().any(|pair| pair.0 == term);
                if !is_state && !self.is_next.contains_key(&term) {
                    let name = terms.symbol_name(symbol).to_owned();
                    self.system.inputs.push(Symbol { name, term, place: Some(place) });
                }
            }
        }
        for &(now, next) in &self.next {
            let name = symbol_name(terms, now);
            let now = Symbol { name, term: now, place: place_of.get(&now).copied() };
            self.system.states.push(State { now, next });
        }
        if self.system.properties.is_empty() && !self.complain.is_hopeless() {
            self.complain.error(
                0,
                0,
                "no formula is marked `:invar-property`, so there is nothing to check".to_owned(),
            );
        }
        let mut elsewhere = self.system.init.clone();
        elsewhere.extend(&self.system.constraints);
        elsewhere.extend(self.system.properties.iter().map(|property| property.holds));
        if let Some(next) = terms.subterms(&elsewhere).into_iter().find(|term| self.is_next.contains_key(term)) {
            let name = symbol_name(terms, next);
            let message = format!("only `:trans` speaks of next values, and `{name}` is one");
            self.complain.error(0, 0, message);
        }
    }
}

fn is_symbol(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Symbol(_)) && terms.args(term).is_empty()
}

fn symbol_name(terms: &Terms, term: Term) -> String {
    match terms.op(term) {
        Op::Symbol(symbol) => terms.symbol_name(symbol).to_owned(),
        _ => unreachable!("variables are symbols"),
    }
}
