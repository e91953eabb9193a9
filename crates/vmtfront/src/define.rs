//! From a relation to functions: which unknowns the formulas define, and what remains to be demanded.
//!
//! The unknowns are the next values and the inputs. A conjunct `v = e` defines `v` if `e` does not depend on `v`,
//! also not through other definitions: `a = ite(c, a, b)` is an equation but no definition. Guarded equations
//! of one unknown are put together as a tree of `ite`s on the literals of their guards; where no guard
//! holds, the unknown keeps its free value. What is not used as a definition stays a demand.
//!
//! Together, definitions and demands mean what the formulas mean: nothing is lost and nothing is added. A functional
//! encoding keeps the cubes of IC3 small; what stays relational must be justified as a whole in every step.

use base::FastMap;
use term::{Op, Substitution, Term, Terms};

use crate::flatten::{Flatten, Guarded, Rank};
use crate::tuning::Tuning;
use crate::ways::conjuncts;

/// Formulas, solved for unknowns.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    /// The value of each unknown over known symbols and unknowns that are still free. An unknown that is
    /// free is its own value.
    pub values: FastMap<Term, Term>,
    /// What must hold besides, over the same symbols.
    pub demands: Vec<Term>,
    /// Unknowns and choices that occur in demands and in values of rank `Next`, in a fixed order.
    pub free: Vec<Term>,
}

/// Solves the formulas for the unknowns; the further demands are not looked at for definitions. `prefix` begins
/// the names of choices.
pub(crate) fn solve(
    terms: &mut Terms,
    formulas: &[Term],
    further: &[Term],
    unknowns: &[(Term, Rank)],
    prefix: &str,
) -> Solved {
    let mut ranks = FastMap::new();
    for &(unknown, rank) in unknowns {
        ranks.insert(unknown, rank);
    }
    let given = formulas.iter().map(|&body| Guarded { guard: Vec::new(), body }).collect();
    let mut flatten = Flatten::new(terms, &ranks, prefix);
    let (mut always, mut sometimes, mut named) = (Vec::new(), Vec::new(), Vec::new());
    for conjunct in flatten.conjuncts(given) {
        match flatten.named_equations(conjunct.body) {
            Some(pair) => named.push((conjunct, pair)),
            None if conjunct.guard.is_empty() => always.push(conjunct),
            None => sometimes.push(conjunct),
        }
    }
    let mut choices = std::mem::take(&mut flatten.choices);
    let mut define = Define::new(terms, ranks);
    for &choice in &choices {
        define.ranks.insert(choice, Rank::Nothing);
    }
    let mut demands = define.choose(always);
    demands.extend(further.iter().map(|&body| Guarded { guard: Vec::new(), body }));
    // A name for equations is worth splitting if they define what nothing else does.
    let Define { terms, ranks, total, definitions, guards, uses, .. } = define;
    let mut flatten = Flatten::new(terms, &ranks, prefix);
    flatten.choices = choices;
    for (conjunct, (name, formula)) in named {
        if flatten.equated(formula).iter().all(|unknown| total.contains_key(unknown)) {
            sometimes.push(conjunct);
            continue;
        }
        let (holds, fails) = flatten.cases(&conjunct, name, formula);
        sometimes.extend(flatten.conjuncts(vec![holds]));
        demands.push(fails);
    }
    choices = std::mem::take(&mut flatten.choices);
    // What terms mention is asked afresh: choices that came later were not yet known as unknowns.
    let mut define = Define { total, definitions, guards, uses, ..Define::new(terms, ranks) };
    for &choice in &choices {
        define.ranks.insert(choice, Rank::Nothing);
    }
    let (always, sometimes): (Vec<Guarded>, Vec<Guarded>) =
        sometimes.into_iter().partition(|conjunct| conjunct.guard.is_empty());
    demands.extend(define.choose(always));
    demands.extend(define.choose(sometimes));
    let mut all: Vec<Term> = unknowns.iter().map(|&(unknown, _)| unknown).collect();
    all.extend(&choices);
    define.finish(&all, &demands)
}

/// Puts into the terms what the demands say about free symbols outright: a truth value that must hold, an
/// equation. What has been put in is no longer demanded; a run would have to draw exactly that.
pub(crate) fn settle(terms: &mut Terms, free: &FastMap<Term, ()>, demands: &mut Vec<Term>, values: &mut [Term]) {
    for _ in 0..Tuning::DEFAULT.max_definition_rounds {
        // Only what stands alone, or alone on a side of an equation, can be put in.
        let found = conjuncts(terms, demands);
        let mut ranks = FastMap::new();
        let mut all = Vec::new();
        for &conjunct in &found {
            let atom = if terms.op(conjunct) == Op::Not { terms.arg(conjunct, 0) } else { conjunct };
            let sides = if terms.op(atom) == Op::Eq { terms.args(atom) } else { &[atom] };
            for &side in sides.iter().filter(|side| free.contains_key(*side)) {
                if ranks.insert(side, Rank::Input).is_none() {
                    all.push(side);
                }
            }
        }
        if all.is_empty() {
            return;
        }
        let conjuncts = found.into_iter().map(|body| Guarded { guard: Vec::new(), body }).collect();
        let mut define = Define::new(terms, ranks);
        let left = define.choose(conjuncts);
        let is_done = all.iter().all(|symbol| !define.total.contains_key(symbol));
        if is_done {
            return;
        }
        let solved = define.finish(&all, &left);
        *demands = solved.demands;
        let pairs: Vec<(Term, Term)> = all.iter().map(|symbol| (*symbol, solved.values[symbol])).collect();
        let mut put_in = Substitution::new(terms, &pairs);
        for value in values.iter_mut() {
            *value = put_in.apply(terms, *value);
        }
    }
}

/// Drops demands that a symbol of their own can always meet: `u ≠ t ∨ …` holds for some `u`, and if `u` is free and
/// occurs nowhere else, the demand restricts nothing. `others` are the terms besides the demands.
pub(crate) fn prune(terms: &Terms, free: &FastMap<Term, ()>, demands: &mut Vec<Term>, others: &[Term]) {
    // By symbol: how many of the demands mention it, the other terms counting as one.
    let mut mentions: FastMap<Term, usize> = FastMap::new();
    let symbols = |roots: &[Term]| -> Vec<Term> {
        terms.subterms(roots).into_iter().filter(|sub| free.contains_key(sub)).collect()
    };
    let mut lists: Vec<Vec<Term>> = demands.iter().map(|&demand| symbols(&[demand])).collect();
    let elsewhere = symbols(others);
    for symbol in lists.iter().flatten().chain(&elsewhere) {
        *mentions.get_or_insert_with(*symbol, || 0) += 1;
    }
    loop {
        let can_be_met = |demand: Term| {
            // Which way a part must come out does not matter: its symbol can make it come out either way.
            let parts: Vec<Term> = match terms.op(demand) {
                Op::Or => terms.args(demand).to_vec(),
                Op::Not if terms.op(terms.arg(demand, 0)) == Op::And => terms.args(terms.arg(demand, 0)).to_vec(),
                _ => vec![demand],
            };
            parts.into_iter().any(|part| {
                let atom = if terms.op(part) == Op::Not { terms.arg(part, 0) } else { part };
                let own = |term: Term| free.contains_key(&term) && mentions.get(&term) == Some(&1);
                if own(atom) {
                    return true;
                }
                // Every sort has two values; the other side must not move along.
                terms.op(atom) == Op::Eq && {
                    let (a, b) = (terms.arg(atom, 0), terms.arg(atom, 1));
                    [(a, b), (b, a)].into_iter().any(|(u, t)| own(u) && !terms.subterms(&[t]).contains(&u))
                }
            })
        };
        let Some(at) = demands.iter().position(|&demand| can_be_met(demand)) else { return };
        demands.remove(at);
        for symbol in lists.remove(at) {
            *mentions.get_mut(&symbol).expect("it was counted") -= 1;
        }
    }
}

/// The guarded equations that together define an unknown.
type Equations = Vec<(Vec<Term>, Term)>;

struct Define<'a> {
    terms: &'a mut Terms,
    /// Unknowns, and choices with rank `Nothing`.
    ranks: FastMap<Term, Rank>,
    definitions: FastMap<Term, Equations>,
    /// The guards of the same equations, each sorted.
    guards: FastMap<Term, Vec<Vec<Term>>>,
    /// By unknown: the unknowns that its equations mention.
    uses: FastMap<Term, Vec<Term>>,
    /// By term: the unknowns in it.
    mentions: FastMap<Term, Vec<Term>>,
    /// Unknowns that one equation without a guard defines.
    total: FastMap<Term, ()>,
}

impl<'a> Define<'a> {
    fn new(terms: &'a mut Terms, ranks: FastMap<Term, Rank>) -> Self {
        Define {
            terms,
            ranks,
            definitions: FastMap::new(),
            guards: FastMap::new(),
            uses: FastMap::new(),
            mentions: FastMap::new(),
            total: FastMap::new(),
        }
    }
    /// Decides which conjuncts are definitions; the others are returned.
    fn choose(&mut self, conjuncts: Vec<Guarded>) -> Vec<Guarded> {
        let mut demands = Vec::new();
        for conjunct in conjuncts {
            let mut ways = self.ways(conjunct.body);
            // A defined input is worth less than a defined next value: the input stays free, that is all.
            ways.sort_by_key(|&(unknown, _)| std::cmp::Reverse(self.ranks[&unknown]));
            let way = ways.into_iter().find(|&(unknown, value)| {
                !self.total.contains_key(&unknown) && !self.reaches(value, &conjunct.guard, unknown)
            });
            match way {
                Some((unknown, value)) => {
                    if conjunct.guard.is_empty() {
                        self.total.insert(unknown, ());
                    }
                    self.depends(unknown, value, &conjunct.guard);
                    let mut opposites: Vec<Term> =
                        conjunct.guard.iter().map(|&literal| self.terms.not(literal)).collect();
                    opposites.sort_unstable();
                    let mut sorted = conjunct.guard.clone();
                    sorted.sort_unstable();
                    let guards = self.guards.get_or_insert_with(unknown, Vec::new);
                    let clash = guards.iter().any(|guard| !share(guard, &opposites));
                    guards.push(sorted);
                    self.definitions.get_or_insert_with(unknown, Vec::new).push((conjunct.guard.clone(), value));
                    if clash {
                        demands.push(conjunct);
                    }
                }
                None => demands.push(conjunct),
            }
        }
        demands
    }
    /// The unknowns that the conjunct could define, with their values.
    fn ways(&mut self, body: Term) -> Vec<(Term, Term)> {
        let is_unknown = |this: &Self, term: Term| this.ranks.get(&term).is_some_and(|&rank| rank > Rank::Nothing);
        let mut ways = Vec::new();
        let negative = self.terms.op(body) == Op::Not;
        let atom = if negative { self.terms.arg(body, 0) } else { body };
        if is_unknown(self, atom) {
            ways.push((atom, self.terms.truth(!negative)));
        } else if self.terms.op(atom) == Op::Eq {
            let (a, b) = (self.terms.arg(atom, 0), self.terms.arg(atom, 1));
            for (unknown, value) in [(a, b), (b, a)] {
                if !is_unknown(self, unknown) {
                    continue;
                }
                if !negative {
                    ways.push((unknown, value));
                } else if self.terms.is_bool(value) {
                    ways.push((unknown, self.terms.not(value)));
                }
            }
        }
        ways
    }
    /// The unknowns in a term.
    fn mentioned(&mut self, term: Term) -> Vec<Term> {
        if let Some(known) = self.mentions.get(&term) {
            return known.clone();
        }
        let found: Vec<Term> =
            self.terms.subterms(&[term]).into_iter().filter(|sub| self.ranks.contains_key(sub)).collect();
        self.mentions.insert(term, found.clone());
        found
    }
    /// Whether the value or the guard depends on the unknown, through definitions if need be.
    fn reaches(&mut self, value: Term, guard: &[Term], unknown: Term) -> bool {
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let mut open = self.mentioned(value);
        for &literal in guard {
            open.extend(self.mentioned(literal));
        }
        while let Some(term) = open.pop() {
            if term == unknown {
                return true;
            }
            if seen.insert(term, ()).is_none() {
                open.extend_from_slice(self.used_by(term));
            }
        }
        false
    }
    /// The unknowns that the definition of this one mentions.
    fn used_by(&self, unknown: Term) -> &[Term] {
        self.uses.get(&unknown).map_or(&[], Vec::as_slice)
    }
    /// Notes what the definition of an unknown mentions.
    fn depends(&mut self, unknown: Term, value: Term, guard: &[Term]) {
        let mut found = self.mentioned(value);
        for &literal in guard {
            found.extend(self.mentioned(literal));
        }
        let uses = self.uses.get_or_insert_with(unknown, Vec::new);
        uses.extend(found);
        uses.sort_unstable();
        uses.dedup();
    }

    /// Puts definitions into one another and into the demands.
    fn finish(mut self, all: &[Term], demands: &[Guarded]) -> Solved {
        let mut values: FastMap<Term, Term> = FastMap::new();
        // Definitions do not run in circles, so everything that one needs can come first.
        for &root in all {
            let mut stack = vec![(root, false)];
            while let Some((unknown, ready)) = stack.pop() {
                if values.contains_key(&unknown) {
                    continue;
                }
                if !ready {
                    stack.push((unknown, true));
                    stack.extend(
                        self.used_by(unknown).iter().filter(|&&used| used != unknown).map(|&used| (used, false)),
                    );
                    continue;
                }
                let raw = match self.definitions.get(&unknown).cloned() {
                    Some(equations) => self.tree(&equations, unknown),
                    None => unknown,
                };
                let pairs: Vec<(Term, Term)> = self
                    .mentioned(raw)
                    .into_iter()
                    .filter(|&used| used != unknown)
                    .map(|used| (used, values[&used]))
                    .collect();
                let value = Substitution::new(self.terms, &pairs).apply(self.terms, raw);
                values.insert(unknown, value);
            }
        }
        let pairs: Vec<(Term, Term)> = all.iter().map(|unknown| (*unknown, values[unknown])).collect();
        let mut put_in = Substitution::new(self.terms, &pairs);
        let mut formulas = Vec::new();
        for demand in demands {
            let mut parts: Vec<Term> = demand.guard.iter().map(|&literal| self.terms.not(literal)).collect();
            parts.push(demand.body);
            let formula = self.terms.or(&parts);
            let formula = put_in.apply(self.terms, formula);
            if formula != self.terms.truth(true) && !formulas.contains(&formula) {
                formulas.push(formula);
            }
        }
        let is_next = |unknown: &&Term| self.ranks.get(*unknown) == Some(&Rank::Next);
        let mut roots: Vec<Term> = all.iter().filter(is_next).map(|unknown| values[unknown]).collect();
        roots.extend(&formulas);
        let used = self.terms.subterms(&roots);
        let free = all.iter().copied().filter(|unknown| used.binary_search(unknown).is_ok()).collect();
        Solved { values, demands: formulas, free }
    }
    /// The value that the equations give, or what was free from the start where none applies.
    fn tree(&mut self, equations: &Equations, unknown: Term) -> Term {
        // Guards that share their literals make small trees; for others a chain does.
        let mut left = 8 * equations.len() + 16;
        match self.grow(equations, unknown, &mut left, 0) {
            Some(tree) => tree,
            None => {
                let mut value = unknown;
                for (guard, term) in equations.iter().rev() {
                    let condition = self.terms.and(guard);
                    value = self.terms.ite(condition, *term, value);
                }
                value
            }
        }
    }
    fn grow(&mut self, equations: &Equations, unknown: Term, left: &mut usize, depth: u32) -> Option<Term> {
        // law: the stack holds this many levels.
        const DEEPEST: u32 = 200;
        if depth > DEEPEST || *left == 0 {
            return None;
        }
        *left -= 1;
        let Some((guard, value)) = equations.first() else { return Some(unknown) };
        let Some(&literal) = guard.first() else { return Some(*value) };
        let opposite = self.terms.not(literal);
        let side = |holds: Term, fails: Term| -> Equations {
            let still = equations.iter().filter(|(guard, _)| !guard.contains(&fails));
            still.map(|(guard, value)| (guard.iter().copied().filter(|&one| one != holds).collect(), *value)).collect()
        };
        let (yes, no) = (side(literal, opposite), side(opposite, literal));
        let yes = self.grow(&yes, unknown, left, depth + 1)?;
        let no = self.grow(&no, unknown, left, depth + 1)?;
        Some(self.terms.ite(literal, yes, no))
    }
}

/// Whether two sorted lists have an element in common.
fn share(one: &[Term], other: &[Term]) -> bool {
    let (mut a, mut b) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests;
