//! Invariants of the shaped program become one invariant of the system.
//!
//! The state is at some location, and at each location its invariant holds: `∨ l` and `l → I` for each location `l`. An
//! engine gives invariants where it cuts loops, which need not be at every location, or at locations at all. At a
//! location without one we say what must hold there so that all goes well until the run comes to the next
//! invariant: the weakest precondition, which is a formula as long as nothing that is drawn on the way matters.
//! At the first location, if no run returns to it, `init` holds. Then the whole is inductive over single steps of
//! the file's own `trans`.
//!
//! What is drawn on the way is quantified over, roughly: atoms that mention it may come out either way.
//!
//! Where such a precondition is no formula or too strong, or the proof counts steps, the location has no invariant of its own, and the
//! proof counts as many steps more as there can be between two locations that have one.

use base::FastMap;
use program::{Action, Frame, Graph, Instance, Loc, Mark, Point, Storage};
use term::{Import, Op, Substitution, Term, Terms};
use verdict::{Method, Proof};

use super::lemmas::lemmas;
use super::{BackError, Shaped};
use crate::tuning::Tuning;
use crate::ways::conjuncts;

/// What is known to hold at locations of the shaped program, over its variables.
type Invariants = FastMap<Loc, Term>;

impl Shaped {
    /// The proofs about the plain program that a proof about the shaped one may amount to, the better ones first: one of them
    /// is to be accepted. `terms` is the store in which the system was read.
    pub fn proofs(&self, terms: &Terms, proof: &Proof) -> Result<Vec<Proof>, BackError> {
        if proof.method.is_by_runs() {
            return Err(BackError::NoWords("the only run of the program made for engines"));
        }
        let mut terms = terms.clone();
        let invariants = self.invariants(&mut terms, proof)?;
        let at_heads: Vec<Option<Term>> = self.lowered.heads.iter().map(|head| invariants.get(head).copied()).collect();
        let steps = self.steps();
        let counts = matches!(proof.method, Method::Induction { depth } if depth > 1);
        let filled = if counts { at_heads.clone() } else { self.filled(&mut terms, &steps, &invariants) };
        let is_filled = (0..filled.len()).all(|node| filled[node].is_some() || is_only_initial(&steps, node));
        let mut candidates = Vec::new();
        if is_filled && !counts {
            // Runs that end need not be counted if every location has an invariant.
            let whole = self.whole(&mut terms, &steps, &filled);
            candidates.push(self.about_plain(&terms, proof, whole, Method::Induction { depth: 1 })?);
        }
        // Preconditions may have been taken too strong, and then nothing is left but to count.
        if at_heads.contains(&None) || proof.method != (Method::Induction { depth: 1 }) {
            let chain = longest_chain(&steps, &at_heads);
            let method = chain.map(|chain| match proof.method {
                Method::Induction { depth } => Method::Induction { depth: depth.saturating_mul(chain) },
                Method::Exhaustion { steps } => {
                    Method::Exhaustion { steps: steps.saturating_add(1).saturating_mul(chain) }
                }
                Method::Execution { .. } | Method::Enumeration { .. } | Method::Unrolling { .. } => {
                    unreachable!("there are no words for it")
                }
            });
            match method {
                Ok(method) => {
                    let whole = self.whole(&mut terms, &steps, &at_heads);
                    candidates.push(self.about_plain(&terms, proof, whole, method)?);
                }
                Err(untold) if candidates.is_empty() => return Err(untold),
                Err(_) => {}
            }
        }
        Ok(candidates)
    }
    /// A proof about the plain program, with this invariant.
    fn about_plain(&self, terms: &Terms, proof: &Proof, whole: Term, method: Method) -> Result<Proof, BackError> {
        let mut own = Terms::without_simplification();
        let mut import = Import::new();
        let name_taken = |_| BackError::NoWords("two symbols have one name");
        let invariant = import.term(terms, &mut own, whole).map_err(name_taken)?;
        let mut lemma_import = Import::new();
        let mut formulas = self.system.formulas();
        formulas.push(whole);
        let mut lemmas = lemmas(terms, &formulas, &mut own);
        for &lemma in &proof.lemmas {
            lemmas.push(lemma_import.term(&proof.terms, &mut own, lemma).map_err(name_taken)?);
        }
        let mut symbols = Vec::new();
        let states = self.system.states.iter().map(|state| state.now.term).zip(&self.plain.states);
        let inputs = self.system.inputs.iter().map(|input| input.term).zip(&self.plain.inputs);
        for (symbol, &(var, _, _)) in states.chain(inputs) {
            let instance = Instance { frame: Frame::default(), storage: Storage::Variable(var) };
            let symbol = import.term(terms, &mut own, symbol).map_err(name_taken)?;
            symbols.push((symbol, instance));
        }
        let head = Point { frame: Frame::default(), loc: self.plain.head };
        Ok(Proof {
            terms: own,
            symbols,
            bound: Vec::new(),
            places: Vec::new(),
            invariants: vec![(head, invariant)],
            method,
            precise: Vec::new(),
            lemmas,
            layout: None,
            closed: Vec::new(),
            contracts: Vec::new(),
            rankings: Vec::new(),
            totals: Vec::new(),
        })
    }

    /// The invariants of the proof, as formulas over the shaped program's variables; at heads over those that have a
    /// counterpart in the file.
    fn invariants(&self, terms: &mut Terms, proof: &Proof) -> Result<Invariants, BackError> {
        if !proof.bound.is_empty() {
            return Err(BackError::NoWords("an invariant about every cell of an array"));
        }
        let mut import = Import::new();
        let mut pairs = Vec::new();
        for (symbol, instance) in &proof.symbols {
            let Storage::Variable(var) = instance.storage else {
                return Err(BackError::Wrong("a transition system has no memory".to_owned()));
            };
            let here =
                import.term(&proof.terms, terms, *symbol).map_err(|taken| BackError::Wrong(taken.to_string()))?;
            pairs.extend(self.lowered.program.vars.get(var).map(|variable| (here, variable.term)));
        }
        pairs.retain(|(here, there)| here != there);
        let mut put_in = Substitution::new(terms, &pairs);
        let mut invariants = FastMap::new();
        for (point, invariant) in &proof.invariants {
            let invariant =
                import.term(&proof.terms, terms, *invariant).map_err(|taken| BackError::Wrong(taken.to_string()))?;
            let mut invariant = put_in.apply(terms, invariant);
            if self.lowered.heads.contains(&point.loc) {
                invariant = self.of_state(terms, invariant);
            }
            let before = invariants.get(&point.loc).copied();
            let parts: Vec<Term> = before.into_iter().chain([invariant]).collect();
            invariants.insert(point.loc, terms.and(&parts));
        }
        // No run gets to what only runs from an error would come to.
        let program = &self.lowered.program;
        let graph = Graph::new(program);
        let mut open = vec![program.functions[program.entry.expect("there is an entry")].entry];
        let mut seen: FastMap<Loc, ()> = FastMap::new();
        while let Some(loc) = open.pop() {
            if seen.insert(loc, ()).is_none() {
                open.extend(graph.outgoing(loc).iter().map(|&edge| program.edges[edge].to));
            }
        }
        for &head in self.lowered.heads.iter().filter(|head| !seen.contains_key(*head)) {
            invariants.insert(head, terms.truth(false));
        }
        Ok(invariants)
    }
    /// What the formula says of the state. An input of a step gets a new value before it is read, so only that there is such a
    /// value matters: it is the one that an equation gives, and other constraints on it are dropped.
    fn of_state(&self, terms: &mut Terms, formula: Term) -> Term {
        let mut parts = conjuncts(terms, &[formula]);
        loop {
            let has_no_words = |terms: &Terms, term: Term| {
                matches!(terms.op(term), Op::Symbol(_)) && terms.args(term).is_empty() && !self.has_words(terms, term)
            };
            let defines = |terms: &mut Terms, part: Term| {
                let negative = terms.op(part) == Op::Not;
                let atom = if negative { terms.arg(part, 0) } else { part };
                if has_no_words(terms, atom) {
                    return Some((atom, terms.truth(!negative)));
                }
                if negative || terms.op(atom) != Op::Eq {
                    return None;
                }
                let (a, b) = (terms.arg(atom, 0), terms.arg(atom, 1));
                [(a, b), (b, a)]
                    .into_iter()
                    .find(|&(symbol, value)| has_no_words(terms, symbol) && !terms.subterms(&[value]).contains(&symbol))
            };
            let found = (0..parts.len()).find_map(|at| Some((at, defines(terms, parts[at])?)));
            let Some((at, pair)) = found else { break };
            parts.remove(at);
            let mut put_in = Substitution::new(terms, &[pair]);
            let whole: Vec<Term> = parts.iter().map(|&part| put_in.apply(terms, part)).collect();
            parts = conjuncts(terms, &whole);
        }
        parts.retain(|&part| self.has_words(terms, part));
        terms.and(&parts)
    }
    /// Whether the formula can be expressed over the symbols of the file.
    fn has_words(&self, terms: &Terms, formula: Term) -> bool {
        let lowered = &self.lowered;
        // An array of which only cells are left is not among the states; its old variable is not what the file has.
        let is_known = |symbol: Term| {
            lowered.system.states.iter().any(|state| state.now.term == symbol) || lowered.kept.contains(&symbol)
        };
        terms.subterms(&[formula]).into_iter().all(|term| {
            let is_table = |arg: &Term| self.tables.iter().any(|(_, table)| table == arg);
            match terms.op(term) {
                Op::Symbol(_) if terms.args(term).is_empty() => is_known(term),
                Op::Select => true,
                _ => !terms.args(term).iter().any(is_table),
            }
        })
    }
    /// The formula over the symbols of the file.
    fn in_file_symbols(&self, terms: &mut Terms, formula: Term) -> Term {
        let pairs = self.words(terms);
        let translated = Substitution::new(terms, &pairs).apply(terms, formula);
        self.without_tables(terms, translated)
    }

    /// By location of the plan: where the edges of the program lead from its head.
    fn steps(&self) -> Vec<Vec<usize>> {
        let program = &self.lowered.program;
        let graph = Graph::new(program);
        let mut number: FastMap<Loc, usize> = FastMap::new();
        for (node, &head) in self.lowered.heads.iter().enumerate() {
            number.insert(head, node);
        }
        let mut all = Vec::new();
        for &head in &self.lowered.heads {
            let mut found = Vec::new();
            let mut seen: FastMap<Loc, ()> = FastMap::new();
            let mut open = vec![head];
            while let Some(loc) = open.pop() {
                for &edge in graph.outgoing(loc) {
                    let to = program.edges[edge].to;
                    match number.get(&to) {
                        Some(&node) => found.push(node),
                        None if seen.insert(to, ()).is_none() => open.push(to),
                        None => {}
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            all.push(found);
        }
        all
    }
    /// By location of the plan: the invariant there, or else what must hold for all to go well. Nothing where that is no formula, and
    /// at a first location of which `init` says all.
    fn filled(&self, terms: &mut Terms, steps: &[Vec<usize>], invariants: &Invariants) -> Vec<Option<Term>> {
        let mut backwards =
            Backwards { shaped: self, graph: Graph::new(self.program()), invariants, known: FastMap::new() };
        let mut filled = Vec::new();
        for (node, &head) in self.lowered.heads.iter().enumerate() {
            let holds = match invariants.get(&head) {
                Some(&holds) => Some(holds),
                None if is_only_initial(steps, node) => None,
                None => backwards.precondition(terms, head),
            };
            filled.push(holds.filter(|&holds| self.has_words(terms, holds)));
        }
        filled
    }
    /// The invariant of the system.
    fn whole(&self, terms: &mut Terms, steps: &[Vec<usize>], filled: &[Option<Term>]) -> Term {
        let plan = &self.lowered.plan;
        let mut somewhere = Vec::new();
        let mut parts = Vec::new();
        for (number, node) in plan.nodes.iter().enumerate() {
            let mut literals = Vec::new();
            for (&symbol, &value) in plan.variables.iter().zip(&node.values) {
                literals.push(if value { symbol } else { terms.not(symbol) });
            }
            let here = terms.and(&literals);
            let here = self.in_file_symbols(terms, here);
            somewhere.push(here);
            let holds = match filled[number] {
                Some(holds) => self.in_file_symbols(terms, holds),
                None if is_only_initial(steps, number) => terms.and(&self.system.init),
                None => continue,
            };
            parts.push(terms.implies(here, holds));
        }
        parts.push(terms.or(&somewhere));
        terms.and(&parts)
    }
}

/// Weakest preconditions, from invariants backwards.
struct Backwards<'a> {
    shaped: &'a Shaped,
    graph: Graph,
    invariants: &'a Invariants,
    /// By location: the precondition, if it is a formula.
    known: FastMap<Loc, Option<Term>>,
}

impl Backwards<'_> {
    fn precondition(&mut self, terms: &mut Terms, root: Loc) -> Option<Term> {
        let mut open: FastMap<Loc, ()> = FastMap::new();
        let mut stack = vec![(root, false)];
        while let Some((loc, ready)) = stack.pop() {
            if self.known.contains_key(&loc) {
                continue;
            }
            if ready {
                let formula =
                    self.at(terms, loc).filter(|&formula| terms.size(&[formula]) <= Tuning::DEFAULT.max_precondition);
                self.known.insert(loc, formula);
            } else if open.insert(loc, ()).is_none() {
                stack.push((loc, true));
                let edges = self.graph.outgoing(loc);
                stack.extend(edges.iter().map(|&edge| (self.shaped.program().edges[edge].to, false)));
            }
        }
        self.known[&root]
    }
    /// From what holds behind the edges; none if that is not known, as in a loop that nothing cuts.
    fn at(&self, terms: &mut Terms, loc: Loc) -> Option<Term> {
        let program = self.shaped.program();
        if let Some(&invariant) = self.invariants.get(&loc) {
            return Some(invariant);
        }
        if matches!(program.locations[loc].mark, Mark::Error(_)) {
            return Some(terms.truth(false));
        }
        let mut parts = Vec::new();
        for &edge in self.graph.outgoing(loc) {
            let edge = &program.edges[edge];
            let behind = (*self.known.get(&edge.to)?)?;
            parts.push(match &edge.action {
                Action::Assume(condition) => terms.implies(*condition, behind),
                Action::Assign(pairs) => {
                    let pairs: Vec<(Term, Term)> =
                        pairs.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
                    Substitution::new(terms, &pairs).apply(terms, behind)
                }
                Action::Havoc { var, .. } => {
                    let symbol = program.vars[*var].term;
                    for_all(terms, behind, symbol)?
                }
                _ => return None,
            });
        }
        Some(terms.and(&parts))
    }
}

/// What holds only if the formula holds for all values of the symbol; equivalent where possible. The atoms that mention the symbol
/// may come out either way, as if nothing connected them. None if there are too many.
fn for_all(terms: &mut Terms, formula: Term, symbol: Term) -> Option<Term> {
    let mut mentions: FastMap<Term, ()> = FastMap::new();
    let mut atoms = Vec::new();
    for term in terms.subterms(&[formula]) {
        let is_here = term == symbol || terms.args(term).iter().any(|arg| mentions.contains_key(arg));
        if !is_here {
            continue;
        }
        mentions.insert(term, ());
        let is_connective =
            terms.args(term).iter().any(|&arg| mentions.contains_key(&arg) && terms.is_bool(arg)) && term != symbol;
        if terms.is_bool(term) && !is_connective {
            atoms.push(term);
        }
    }
    if atoms.len() > Tuning::DEFAULT.max_quantified_atoms {
        return None;
    }
    let mut whole = formula;
    for atom in atoms {
        let both = [true, false].map(|value| {
            let value = terms.truth(value);
            terms.substitute(whole, &[(atom, value)])
        });
        whole = terms.and(&both);
    }
    (!terms.subterms(&[whole]).contains(&symbol) && terms.size(&[whole]) <= Tuning::DEFAULT.max_precondition)
        .then_some(whole)
}

/// Whether runs are at the location only at their start.
fn is_only_initial(steps: &[Vec<usize>], node: usize) -> bool {
    node == 0 && steps.iter().all(|targets| !targets.contains(&0))
}

/// The most steps from one location with an invariant to the next.
fn longest_chain(steps: &[Vec<usize>], invariants: &[Option<Term>]) -> Result<u32, BackError> {
    let mut length: Vec<Option<u32>> = vec![None; steps.len()];
    let mut is_open = vec![false; steps.len()];
    for root in 0..steps.len() {
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if length[top].is_some() {
                stack.pop();
                continue;
            }
            let below: Vec<usize> = steps[top].iter().copied().filter(|&to| invariants[to].is_none()).collect();
            let missing: Vec<usize> = below.iter().copied().filter(|&to| length[to].is_none()).collect();
            if missing.is_empty() {
                length[top] = Some(1 + below.iter().filter_map(|&to| length[to]).max().unwrap_or(0));
            } else if std::mem::replace(&mut is_open[top], true) {
                return Err(BackError::NoWords("a loop without an invariant of the state"));
            } else {
                stack.extend(missing);
            }
        }
    }
    Ok(length.into_iter().flatten().max().unwrap_or(1))
}
