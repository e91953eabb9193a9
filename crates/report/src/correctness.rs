//! Correctness witnesses: the loop invariants of a proof as C expressions.
//!
//! A proof has invariants at points, a point being a location in an activation. Where a loop's function is activated
//! in several ways, the invariants of all of them are joined by `||`, and if one of them has none that C can say there,
//! neither has the loop. A conjunct that cannot be said is left out: the rest still holds.

use base::OrderedMap;
use program::{Action, FunId, Loc, Mark, Program, Shown, Storage, Var, VarKind};
use term::{Op, Term};
use verdict::Proof;

use crate::c_expression::{Leaf, truth};
use crate::quantified::{Words, disjuncts};
use crate::source::Source;
use crate::tuning::Tuning;
use crate::witness::{Location, Metadata, entry, quoted};

/// The witness for a proof.
pub fn correctness(program: &Program, proof: &Proof, text: &str, metadata: &Metadata<'_>) -> String {
    let writer = Writer::new(program, proof, text, metadata.file);
    let mut content = String::new();
    for (loc, expressions) in writer.invariants() {
        let Some(location) = writer.location(loc) else { continue };
        for expression in expressions {
            content.push_str(&invariant("loop_invariant", &location, &expression));
        }
    }
    if content.is_empty() {
        // The format wants at least one entry: say what is always true.
        content = match writer.some_statement() {
            Some((kind, location)) => invariant(kind, &location, "1"),
            None => "    []\n".to_owned(),
        };
    }
    entry("invariant_set", metadata, &content)
}

/// What C can say about the loops of the program, by where they stand: the keyword of the loop, and conjuncts of its invariant. What
/// concerns memory or holds for every cell of an array, which C cannot express, is printed in the words of C (`quantified`) or as a formula.
pub fn loop_invariants(program: &Program, proof: &Proof, text: &str, file: &str) -> Vec<(Location, Vec<String>)> {
    let writer = Writer::new(program, proof, text, file);
    let mut by_loop = writer.invariants();
    for (loc, formulas) in writer.about_memory() {
        by_loop.entry(loc).or_default().extend(formulas);
    }
    let said = by_loop.into_iter();
    let mut said: Vec<_> = said.filter_map(|(loc, said)| Some((writer.location(loc)?, said))).collect();
    said.sort();
    said
}

fn invariant(kind: &str, location: &Location, expression: &str) -> String {
    format!(
        "    - invariant:\n        type: {}\n{}        value: {}\n        format: \"c_expression\"\n",
        quoted(kind),
        location.yaml(8),
        quoted(expression)
    )
}

struct Writer<'a> {
    program: &'a Program,
    proof: &'a Proof,
    source: Source<'a>,
    file: &'a str,
    /// What is declared, by name.
    declared: OrderedMap<&'a str, Vec<Declaration>>,
}

/// The declaration of a variable or object.
struct Declaration {
    /// The byte at which its name stands.
    at: usize,
    /// Whether it may stand inside of round brackets.
    bracketed: bool,
    /// The function it belongs to, if any.
    owner: Option<FunId>,
    /// The variable; objects have no name in invariants.
    var: Option<Var>,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, proof: &'a Proof, text: &'a str, file: &'a str) -> Self {
        let mut writer = Writer { program, proof, source: Source::new(text), file, declared: OrderedMap::default() };
        for (var, info) in program.vars.iter_enumerated() {
            let (owner, bracketed) = match info.kind {
                VarKind::Global => (None, false),
                VarKind::Param(function) => (Some(function), true),
                VarKind::Local(function) => (Some(function), false),
                _ => continue,
            };
            writer.declare(info.place, Declaration { at: 0, bracketed, owner, var: Some(var) });
        }
        for object in &program.objects {
            writer.declare(object.place, Declaration { at: 0, bracketed: true, owner: object.owner, var: None });
        }
        writer
    }
    fn declare(&mut self, place: Option<base::Place>, declaration: Declaration) {
        let Some(at) = place.and_then(|place| self.offset(place)) else { return };
        let word = self.source.word(at);
        if !word.is_empty() {
            self.declared.entry(word).or_default().push(Declaration { at, ..declaration });
        }
    }

    /// The invariants, unless they are about a program that is made of contracts or rankings: its points are no points of this one.
    fn about_the_program(&self) -> &[(program::Point, Term)] {
        let is_plain = self.proof.contracts.is_empty() && self.proof.rankings.is_empty();
        if is_plain { &self.proof.invariants } else { &[] }
    }
    /// The loops with what can be said there.
    fn invariants(&self) -> OrderedMap<Loc, Vec<String>> {
        let mut by_loop: OrderedMap<Loc, Vec<Vec<String>>> = OrderedMap::default();
        let activations = self.activations();
        let symbols: OrderedMap<Term, &program::Instance> = self.proof.symbols.iter().map(|(s, i)| (*s, i)).collect();
        for (point, invariant) in self.about_the_program() {
            let location = &self.program.locations[point.loc];
            if location.mark != Mark::LoopHead {
                continue;
            }
            let names = self.names(point.loc, *invariant, &symbols);
            let leaf = |symbol: Term| {
                let instance = symbols.get(&symbol)?;
                let Storage::Variable(var) = instance.storage else { return None };
                let info = &self.program.vars[var];
                let here = matches!(info.kind, VarKind::Global) || instance.frame == point.frame;
                let is_number = matches!(info.shown, Shown::Signed | Shown::Unsigned | Shown::Plain);
                let name = names.get(&var).filter(|_| here && is_number)?;
                Some(Leaf { name: name.clone(), signed: info.shown == Shown::Signed })
            };
            let said = conjuncts(&self.proof.terms, *invariant)
                .into_iter()
                .filter_map(|conjunct| truth(&self.proof.terms, conjunct, &leaf))
                .collect();
            by_loop.entry(point.loc).or_default().push(said);
        }
        let mut joined = OrderedMap::default();
        for (loc, mut ways) in by_loop {
            let expected = activations.get(&self.program.locations[loc].function).copied().unwrap_or(0);
            if ways.len() as u64 != expected || ways.iter().any(Vec::is_empty) {
                continue;
            }
            let expressions = if ways.len() == 1 {
                ways.remove(0)
            } else {
                let mut ways: Vec<String> = ways.iter().map(|way| format!("({})", way.join(" && "))).collect();
                ways.sort();
                ways.dedup();
                vec![ways.join(" || ")]
            };
            joined.insert(loc, expressions);
        }
        joined
    }

    /// The loops with what their invariants say about memory, and about all cells and objects.
    fn about_memory(&self) -> OrderedMap<Loc, Vec<String>> {
        let terms = &self.proof.terms;
        let symbols: OrderedMap<Term, &program::Instance> = self.proof.symbols.iter().map(|(s, i)| (*s, i)).collect();
        let is_memory = |part: &Term| {
            self.proof.bound.contains(part)
                || symbols.get(part).is_some_and(|instance| !matches!(instance.storage, Storage::Variable(_)))
        };
        let mut by_loop: OrderedMap<Loc, Vec<String>> = OrderedMap::default();
        for (point, invariant) in self.about_the_program() {
            if self.program.locations[point.loc].mark != Mark::LoopHead {
                continue;
            }
            let names = self.names(point.loc, *invariant, &symbols);
            let instance = |symbol: Term| {
                let found = symbols.get(&symbol).copied()?;
                let owner = match found.storage {
                    Storage::Variable(var) => match self.program.vars[var].kind {
                        VarKind::Param(owner) | VarKind::Local(owner) => Some(owner),
                        VarKind::AddressOf(object) => self.program.objects[object].owner,
                        _ => None,
                    },
                    Storage::Bytes { object, .. } | Storage::Array { object, .. } => self.program.objects[object].owner,
                    _ => None,
                };
                // What belongs to another activation has no name here.
                (owner.is_none() || found.frame == point.frame).then_some(found)
            };
            let name = |var: Var| names.get(&var).cloned();
            let words = Words { program: self.program, proof: self.proof, instance: &instance, name: &name };
            for conjunct in strongest(terms, conjuncts(terms, *invariant)) {
                let parts = terms.subterms(&[conjunct]);
                if !parts.iter().any(is_memory) {
                    continue;
                }
                let said = by_loop.entry(point.loc).or_default();
                let formula = words.conjunct(conjunct).or_else(|| self.quantified(conjunct));
                said.extend(formula.filter(|formula| !said.contains(formula)));
            }
        }
        by_loop.retain(|_, said| !said.is_empty());
        by_loop
    }

    /// The conjunct as a formula in SMT-LIB, if it has bound symbols and is not long.
    fn quantified(&self, conjunct: Term) -> Option<String> {
        let terms = &self.proof.terms;
        let parts = terms.subterms(&[conjunct]);
        let bound = self.proof.bound.iter().filter(|bound| parts.contains(bound));
        let bound: Vec<String> = bound.map(|&bound| terms.to_smtlib(bound)).collect();
        let formula = format!("for all {}: {}", bound.join(", "), terms.to_smtlib(conjunct));
        (!bound.is_empty() && formula.len() <= Tuning::DEFAULT.max_formula_bytes).then_some(formula)
    }

    /// In how many ways each function is activated: the number of paths of calls that lead to it.
    fn activations(&self) -> OrderedMap<FunId, u64> {
        let mut counts: OrderedMap<FunId, u64> = OrderedMap::default();
        let Some(entry) = self.program.entry else { return counts };
        let mut calls: OrderedMap<FunId, Vec<FunId>> = OrderedMap::default();
        for edge in &self.program.edges {
            if let Action::Call { function, .. } = edge.action {
                calls.entry(self.program.locations[edge.from].function).or_default().push(function);
            }
        }
        // Level by level along the calls; a chain longer than there are functions is recursion.
        let mut level: OrderedMap<FunId, u64> = OrderedMap::default();
        level.insert(entry, 1);
        for _ in 0..=self.program.functions.len() {
            let mut next: OrderedMap<FunId, u64> = OrderedMap::default();
            for (function, count) in level {
                let total = counts.entry(function).or_default();
                *total = total.saturating_add(count);
                for &callee in calls.get(&function).into_iter().flatten() {
                    let callee = next.entry(callee).or_default();
                    *callee = callee.saturating_add(count);
                }
            }
            level = next;
            if level.is_empty() {
                return counts;
            }
        }
        OrderedMap::default()
    }

    /// The variables of the invariant that can be named at this loop.
    fn names(
        &self,
        loc: Loc,
        invariant: Term,
        symbols: &OrderedMap<Term, &program::Instance>,
    ) -> OrderedMap<Var, String> {
        let mut names = OrderedMap::default();
        let location = &self.program.locations[loc];
        let Some(head) = location.place.and_then(|place| self.offset(place)) else { return names };
        // What stands in the brackets of `for` can be named at the `for`.
        let brackets = (self.source.word(head) == "for").then(|| self.source.closing_bracket(head)).flatten();
        let in_brackets = |declared: usize| brackets.is_some_and(|close| head < declared && declared < close);
        let is_seen = |one: &&Declaration| {
            one.owner.is_none_or(|owner| owner == location.function)
                && (in_brackets(one.at) || self.source.visible(one.at, head, one.bracketed))
        };
        for part in self.proof.terms.subterms(&[invariant]) {
            let Some(Storage::Variable(var)) = symbols.get(&part).map(|instance| instance.storage) else { continue };
            let info = &self.program.vars[var];
            let Some(word) = info.place.and_then(|place| self.offset(place)).map(|at| self.source.word(at)) else {
                continue;
            };
            // The declaration nearest to the loop is the one that the name means.
            let seen = self.declared.get(word).into_iter().flatten().filter(is_seen);
            let nearest = seen.max_by_key(|one| one.at).and_then(|one| one.var);
            let is_name = info
                .name
                .strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
            if nearest == Some(var) && is_name {
                names.insert(var, word.to_owned());
            }
        }
        names
    }

    fn offset(&self, place: base::Place) -> Option<usize> {
        let here = self.program.files.get(place.file).is_some_and(|file| file == self.file);
        self.source.offset(place).filter(|_| here)
    }

    /// The keyword of the loop, if the text confirms it.
    fn location(&self, loc: Loc) -> Option<Location> {
        let location = &self.program.locations[loc];
        let at = self.offset(location.place?)?;
        ["while", "for", "do"].contains(&self.source.word(at)).then(|| self.at(at, location.function))
    }

    fn at(&self, offset: usize, function: FunId) -> Location {
        let (line, column) = self.source.position(offset);
        Location { file: self.file.to_owned(), line, column, function: self.program.functions[function].name.clone() }
    }

    /// A loop, or else a statement of a function.
    fn some_statement(&self) -> Option<(&'static str, Location)> {
        let program = self.program;
        let loops = program.locations.iter_enumerated().filter(|(_, one)| one.mark == Mark::LoopHead);
        if let Some(location) = loops.filter_map(|(loc, _)| self.location(loc)).next() {
            return Some(("loop_invariant", location));
        }
        let statement = program.locations.iter().find_map(|location| {
            let place = location.place.filter(|place| Some(*place) != program.functions[location.function].place)?;
            Some(self.at(self.source.statement(self.offset(place)?)?, location.function))
        });
        statement.map(|location| ("location_invariant", location))
    }
}

/// The conjuncts of a formula, nested conjunctions flattened.
fn conjuncts(terms: &term::Terms, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        match terms.op(term) {
            Op::And => open.extend(terms.args(term).iter().rev()),
            Op::True => {}
            _ => found.push(term),
        }
    }
    found
}

/// The clauses of which no other is a part.
fn strongest(terms: &term::Terms, clauses: Vec<Term>) -> Vec<Term> {
    let literals = |clause: Term| {
        let mut found = Vec::new();
        disjuncts(terms, clause, &mut found);
        found
    };
    let all: Vec<(Term, Vec<Term>)> = clauses.into_iter().map(|clause| (clause, literals(clause))).collect();
    let is_weaker = |clause: &[Term]| {
        all.iter().any(|(_, other)| other.len() < clause.len() && other.iter().all(|literal| clause.contains(literal)))
    };
    all.iter().filter(|(_, literals)| !is_weaker(literals)).map(|(clause, _)| *clause).collect()
}
