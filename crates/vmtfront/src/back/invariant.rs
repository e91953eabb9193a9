//! Invariants at the heads of the shaped program become one invariant of the system.
//!
//! The state is at some location, and at each location its invariant holds: `∨ l` and `l → I` for each location `l`. An
//! engine gives an invariant only where it cuts loops. At any other location we say what must hold there so that
//! the next step keeps the invariants where it leads and meets no error: the weakest precondition, which is a
//! formula as long as the step draws nothing. At the first location, if nobody returns to it, `init` holds. Then
//! the whole is inductive over single steps of the file's own `trans`.
//!
//! Where a step draws something at such a location, or the proof counts steps, the location has no invariant of its own, and
//! the proof counts as many steps more as there can be between two locations that have one.

use base::FastMap;
use program::{Frame, Instance, Point, Storage};
use term::{Import, Op, Substitution, Term, Terms};
use verdict::{Method, Proof};

use super::{Shaped, Untold};
use crate::lower::Lowered;
use crate::plan::Branch;
use crate::ways::conjuncts;

/// Ways from a location to the next ones with an invariant; more make preconditions too large.
const MANY_WAYS: u64 = 200;

impl Shaped {
    /// The proof about the plain program that a proof about the shaped one amounts to. `terms` is the store in which the
    /// system was read.
    pub fn proof(&self, terms: &Terms, proof: &Proof) -> Result<Proof, Untold> {
        let mut terms = terms.clone();
        let said = self.said(&mut terms, proof)?;
        let after = self.targets(&mut terms);
        let chain = Self::longest_chain(&after, &said)?;
        let is_plain = proof.method == Method::Induction { depth: 1 } || said.iter().all(Option::is_none);
        let (filled, n_missing) = if is_plain { self.filled(&mut terms, &after, &said) } else { (said.clone(), 1) };
        let method = match proof.method {
            _ if is_plain && n_missing == 0 => Method::Induction { depth: 1 },
            Method::Induction { depth } => Method::Induction { depth: depth.saturating_mul(chain) },
            Method::Exhaustion { steps } => Method::Exhaustion { steps: steps.saturating_add(1).saturating_mul(chain) },
        };
        let invariant = self.whole(&mut terms, &after, &filled);
        let mut own = Terms::new();
        let mut import = Import::new();
        let name_taken = |_| Untold::NoWords("two symbols have one name");
        let invariant = import.term(&terms, &mut own, invariant).map_err(name_taken)?;
        let mut lemma_import = Import::new();
        let mut lemmas = Vec::new();
        for &lemma in &proof.lemmas {
            lemmas.push(lemma_import.term(&proof.terms, &mut own, lemma).map_err(name_taken)?);
        }
        let mut symbols = Vec::new();
        let states = self.system.states.iter().map(|state| state.now.term).zip(&self.plain.states);
        let inputs = self.system.inputs.iter().map(|input| input.term).zip(&self.plain.inputs);
        for (symbol, &(var, _, _)) in states.chain(inputs) {
            let instance = Instance { frame: Frame::default(), storage: Storage::Variable(var) };
            let symbol = import.term(&terms, &mut own, symbol).map_err(name_taken)?;
            symbols.push((symbol, instance));
        }
        let head = Point { frame: Frame::default(), loc: self.plain.head };
        Ok(Proof { terms: own, symbols, invariants: vec![(head, invariant)], method, precise: Vec::new(), lemmas })
    }

    /// What the proof says at each location of the plan, as a formula over the shaped program's variables.
    fn said(&self, terms: &mut Terms, proof: &Proof) -> Result<Vec<Option<Term>>, Untold> {
        let mut import = Import::new();
        let mut pairs = Vec::new();
        for (symbol, instance) in &proof.symbols {
            let Storage::Variable(var) = instance.storage else {
                return Err(Untold::Wrong("a transition system has no memory".to_owned()));
            };
            let here = import.term(&proof.terms, terms, *symbol).map_err(|taken| Untold::Wrong(taken.to_string()))?;
            pairs.extend(self.lowered.program.vars.get(var).map(|variable| (here, variable.term)));
        }
        pairs.retain(|(here, there)| here != there);
        let mut put_in = Substitution::new(terms, &pairs);
        let mut said: Vec<Option<Term>> = vec![None; self.lowered.heads.len()];
        for (point, invariant) in &proof.invariants {
            let Some(number) = self.lowered.heads.iter().position(|&head| head == point.loc) else {
                return Err(Untold::NoWords("a loop is cut between two states"));
            };
            let invariant =
                import.term(&proof.terms, terms, *invariant).map_err(|taken| Untold::Wrong(taken.to_string()))?;
            let invariant = put_in.apply(terms, invariant);
            // What a step draws is drawn afresh before anyone reads it; what is said of its last value is said in vain.
            let mut kept: Vec<Term> = conjuncts(terms, &[invariant]);
            kept.retain(|&conjunct| self.has_words(terms, conjunct));
            kept.extend(said[number]);
            said[number] = Some(terms.and(&kept));
        }
        Ok(said)
    }
    /// Whether the formula can be told in the words of the file.
    fn has_words(&self, terms: &mut Terms, formula: Term) -> bool {
        let told = self.told(terms, formula);
        let symbols = terms.subterms(&[told]);
        symbols.into_iter().all(|term| !matches!(terms.op(term), Op::Symbol(_)) || self.is_of_file(terms, term))
    }
    /// The formula in the words of the file.
    fn told(&self, terms: &mut Terms, formula: Term) -> Term {
        let pairs = self.words(terms);
        let told = Substitution::new(terms, &pairs).apply(terms, formula);
        self.without_tables(terms, told)
    }
    /// The most steps from one location with an invariant to the next.
    fn longest_chain(after: &[Vec<usize>], said: &[Option<Term>]) -> Result<u32, Untold> {
        let mut length: Vec<Option<u32>> = vec![None; after.len()];
        let mut is_open = vec![false; after.len()];
        for root in 0..after.len() {
            let mut stack = vec![root];
            while let Some(&top) = stack.last() {
                if length[top].is_some() {
                    stack.pop();
                    continue;
                }
                let below: Vec<usize> = after[top].iter().copied().filter(|&to| said[to].is_none()).collect();
                let missing: Vec<usize> = below.iter().copied().filter(|&target| length[target].is_none()).collect();
                if missing.is_empty() {
                    length[top] = Some(1 + below.iter().filter_map(|&target| length[target]).max().unwrap_or(0));
                } else if std::mem::replace(&mut is_open[top], true) {
                    return Err(Untold::NoWords("a loop without an invariant"));
                } else {
                    stack.extend(missing);
                }
            }
        }
        Ok(length.into_iter().flatten().max().unwrap_or(1))
    }
    /// What is said, with preconditions where nothing is said; also how many locations still have nothing. The first location
    /// has nothing if `init` speaks for it.
    fn filled(&self, terms: &mut Terms, after: &[Vec<usize>], said: &[Option<Term>]) -> (Vec<Option<Term>>, usize) {
        let mut filled = said.to_vec();
        let mut ways: Vec<u64> = vec![1; after.len()];
        let mut n_missing = 0;
        for root in 0..after.len() {
            let mut stack = vec![(root, false)];
            let mut is_open: FastMap<usize, ()> = FastMap::new();
            while let Some((top, ready)) = stack.pop() {
                if filled[top].is_some() || is_only_initial(after, top) {
                    continue;
                }
                if ready {
                    filled[top] = self.precondition(terms, top, &filled, &mut ways);
                } else if is_open.insert(top, ()).is_none() {
                    stack.push((top, true));
                    stack.extend(after[top].iter().map(|&target| (target, false)));
                }
            }
            n_missing += usize::from(filled[root].is_none() && !is_only_initial(after, root));
        }
        (filled, n_missing)
    }
    /// By location: where steps from it lead. None do where the property fails, whatever the state.
    fn targets(&self, terms: &mut Terms) -> Vec<Vec<usize>> {
        let no = terms.truth(false);
        let mut all = Vec::new();
        for (number, node) in self.lowered.plan.nodes.iter().enumerate() {
            let (before, after) = self.checks(terms, number);
            let ends = before.contains(&no) || after.contains(&no);
            all.push(if ends { Vec::new() } else { targets(&node.ways) });
        }
        all
    }
    /// The constraints and the properties at the location.
    fn checks(&self, terms: &mut Terms, node: usize) -> (Vec<Term>, Vec<Term>) {
        let Lowered { plan, system, .. } = &self.lowered;
        let values = plan.variables.iter().zip(&plan.nodes[node].values);
        let pairs: Vec<(Term, Term)> = values.map(|(&symbol, &value)| (symbol, terms.truth(value))).collect();
        let mut put_in = Substitution::new(terms, &pairs);
        let constraints = system.constraints.iter().map(|&term| put_in.apply(terms, term)).collect();
        let properties = system.properties.iter().map(|property| put_in.apply(terms, property.holds)).collect();
        (constraints, properties)
    }
    /// What must hold at the location for the next step to go well; none if the step draws something.
    fn precondition(
        &self,
        terms: &mut Terms,
        node: usize,
        filled: &[Option<Term>],
        n_ways: &mut [u64],
    ) -> Option<Term> {
        let lowered = &self.lowered;
        let here = &lowered.plan.nodes[node];
        let states: Vec<Term> = lowered.system.states.iter().map(|state| state.now.term).collect();
        let (before, mut after) = self.checks(terms, node);
        if before.contains(&terms.truth(false)) || after.contains(&terms.truth(false)) {
            let (before, after) = (terms.and(&before), terms.and(&after));
            return Some(terms.implies(before, after));
        }
        let mut total = 0;
        for way in &here.ways {
            after.push(goes_well(terms, way, &states, filled, n_ways, &mut total)?);
        }
        n_ways[node] = total;
        let (before, after) = (terms.and(&before), terms.and(&after));
        let whole = terms.implies(before, after);
        let is_state = |term: Term| !matches!(terms.op(term), Op::Symbol(_)) || states.contains(&term);
        let draws = !terms.subterms(&[whole]).into_iter().all(|term| is_state(term) || !terms.args(term).is_empty());
        (!draws && total <= MANY_WAYS).then_some(whole)
    }
    /// The invariant of the system.
    fn whole(&self, terms: &mut Terms, after: &[Vec<usize>], filled: &[Option<Term>]) -> Term {
        let plan = &self.lowered.plan;
        let mut somewhere = Vec::new();
        let mut parts = Vec::new();
        for (number, node) in plan.nodes.iter().enumerate() {
            let mut literals = Vec::new();
            for (&symbol, &value) in plan.variables.iter().zip(&node.values) {
                literals.push(if value { symbol } else { terms.not(symbol) });
            }
            let here = terms.and(&literals);
            let here = self.told(terms, here);
            somewhere.push(here);
            let holds = match filled[number] {
                Some(holds) => self.told(terms, holds),
                None if is_only_initial(after, number) => terms.and(&self.system.init),
                None => continue,
            };
            parts.push(terms.implies(here, holds));
        }
        parts.push(terms.or(&somewhere));
        terms.and(&parts)
    }
}

/// Whether runs are at the location only at their start.
fn is_only_initial(after: &[Vec<usize>], node: usize) -> bool {
    node == 0 && after.iter().all(|targets| !targets.contains(&0))
}

/// Where the ways of a step lead.
fn targets(ways: &[Branch]) -> Vec<usize> {
    let mut open: Vec<&Branch> = ways.iter().collect();
    let mut found = Vec::new();
    while let Some(branch) = open.pop() {
        match branch {
            Branch::Dead => {}
            Branch::Split { yes, no, .. } => open.extend([&**yes, &**no]),
            Branch::Leaf { target, .. } => found.push(*target),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What must hold for this branch to lead to states that satisfy their invariants; none if one of these is not known.
fn goes_well(
    terms: &mut Terms,
    branch: &Branch,
    states: &[Term],
    filled: &[Option<Term>],
    n_ways: &[u64],
    total: &mut u64,
) -> Option<Term> {
    match branch {
        Branch::Dead => Some(terms.truth(true)),
        Branch::Split { condition, yes, no } => {
            let yes = goes_well(terms, yes, states, filled, n_ways, total)?;
            let no = goes_well(terms, no, states, filled, n_ways, total)?;
            Some(terms.ite(*condition, yes, no))
        }
        Branch::Leaf { target, demands, next } => {
            *total = total.saturating_add(n_ways[*target]);
            if *total > MANY_WAYS {
                return None;
            }
            let holds = filled[*target]?;
            let pairs: Vec<(Term, Term)> = states.iter().copied().zip(next.iter().copied()).collect();
            let after = Substitution::new(terms, &pairs).apply(terms, holds);
            let possible = terms.and(demands);
            Some(terms.implies(possible, after))
        }
    }
}
