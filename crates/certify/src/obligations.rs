//! Obligations: what must be impossible for the evidence to prove the program safe.
//!
//! For induction over one step: no run from the start or from a cutpoint whose invariant holds comes, without
//! meeting another cutpoint, to a cutpoint whose invariant does not hold, or to an error. Deeper
//! inductions run through as many steps and assume the invariants on the way; from the start every
//! step counts, from elsewhere the last. Exhaustion runs from the start until nothing is left that can lead to an error; loops from
//! which no error can be reached may go on, and what the evidence says of them must be inductive by itself.
//!
//! Where invariants speak of every value of something, one constant for each run stands for any value: they must hold for it,
//! and are assumed for it and for what else the evidence names (`evidence`).
//!
//! Each obligation is a list of formulas that must contradict each other.

use std::collections::HashSet;

use base::{Budget, Id, IndexVec};
use term::{Op, Term};
use verdict::Method;

use crate::Refusal;
use crate::block::{Encoder, Reached, Ways};
use crate::evidence::{Evidence, Values};
use crate::guards::{ALWAYS, Guard};
use crate::points::{Node, START};
use crate::tuning::Tuning;

/// What must not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bad {
    /// A run comes to the cutpoint and its invariant does not hold.
    Broken(Node),
    /// A run meets the error.
    Error(Node),
    /// A run comes to the cutpoint although all runs should have ended.
    TooLong(Node),
}

/// Formulas that must contradict each other: the premises, and the claim denied.
pub(crate) struct Obligation {
    /// Where the runs start.
    pub from: Node,
    /// How many steps they take.
    pub steps: u32,
    /// What they must not do in the last one.
    pub bad: Bad,
    /// What holds in all of them.
    pub assumed: Vec<Term>,
    /// The ways they take.
    pub ways: Vec<Guard>,
    /// What should follow: `false` if there must be no such run.
    pub claim: Term,
}

impl Obligation {
    /// All of it as one list of formulas.
    pub fn formulas(&self, encoder: &mut Encoder<'_>) -> Vec<Term> {
        let mut formulas = self.premises(encoder, &self.ways);
        formulas.push(encoder.own.not(self.claim));
        formulas
    }
    /// What holds in the runs that take one of these ways.
    pub fn premises(&self, encoder: &mut Encoder<'_>, ways: &[Guard]) -> Vec<Term> {
        let (guard, _) = encoder.any_way(ways);
        self.assumed.iter().copied().chain(encoder.guards.conditions(guard)).collect()
    }
}

/// Callback that receives the obligations one by one, with the encoder that owns their store.
pub(crate) type Receiver<'r> = dyn FnMut(&mut Encoder<'_>, Obligation) -> Result<(), Refusal> + 'r;

/// All obligations of the method, in order. `encoder` makes a fresh encoder for each place where runs start.
pub(crate) fn obligations<'a>(
    evidence: &Evidence<'_>,
    method: Method,
    mut encoder: impl FnMut() -> Encoder<'a>,
    budget: &Budget,
    receive: &mut Receiver<'_>,
) -> Result<(), Refusal> {
    let start = Node::new(START as usize);
    match method {
        Method::Execution { .. } | Method::Enumeration { .. } | Method::Unrolling { .. } => {
            Err(Refusal::malformed("a proof by execution has no obligations"))
        }
        Method::Induction { depth: 0 } => Err(Refusal::malformed("induction takes at least one step")),
        Method::Induction { depth } => {
            let points = encoder().points;
            let from_cutpoints = points.is_cutpoint.iter_enumerated().filter(|&(_, &is)| is).map(|(node, _)| node);
            for node in from_cutpoints.filter(|node| !evidence.dead.contains_key(node)) {
                let first = if node == start { 1 } else { depth };
                Runs::new(evidence, encoder(), node, receive).check(first, depth, None, budget)?;
            }
            Ok(())
        }
        Method::Exhaustion { steps } => {
            let mut fresh = encoder;
            let encoder = fresh();
            // The way from the start to an entry that is a cutpoint is no step of a run.
            let entry_is_cutpoint = encoder.points.is_cutpoint[Node::new(START as usize + 1)];
            let steps = steps.saturating_add(u32::from(entry_is_cutpoint));
            let points = encoder.points;
            let leads = points.leads_to_error();
            Runs::new(evidence, encoder, start, receive).check(1, steps, Some(&leads), budget)?;
            for (node, &is_cutpoint) in points.is_cutpoint.iter_enumerated() {
                if is_cutpoint && !leads[node] && node != start && !evidence.dead.contains_key(&node) {
                    Runs::new(evidence, fresh(), node, receive).check(1, 1, None, budget)?;
                }
            }
            Ok(())
        }
    }
}

/// Runs from one cutpoint.
struct Runs<'e, 'a, 'r> {
    evidence: &'e Evidence<'e>,
    encoder: Encoder<'a>,
    from: Node,
    /// What stands for any value of the bound symbols.
    any: Values,
    receive: &'r mut Receiver<'r>,
}

impl<'e, 'a, 'r> Runs<'e, 'a, 'r> {
    fn new(evidence: &'e Evidence<'e>, mut encoder: Encoder<'a>, from: Node, receive: &'r mut Receiver<'r>) -> Self {
        let any = evidence.any_values(&mut encoder);
        Runs { evidence, encoder, from, any, receive }
    }
    /// Obligations for the steps from `first` to `last`; with `ends`, which says what can lead to an error, also that
    /// no run that can takes a step more.
    fn check(
        mut self,
        first: u32,
        last: u32,
        ends: Option<&IndexVec<Node, bool>>,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        let goes_on = |node: Node| ends.is_none_or(|leads| leads[node]);
        let is_start = self.from.index() as u32 == START;
        let mut state = if is_start { self.encoder.first_state() } else { self.encoder.any_state() };
        self.encoder.assume_live(self.from, &mut state);
        let frame = self.encoder.points.place(self.from).frame;
        let mut assumed = vec![self.encoder.apart(frame, &state)];
        let mut at = vec![Reached { node: self.from, guard: ALWAYS, state }];
        if !is_start {
            assumed.push(self.assumption(&at[0])?);
        }
        for step in 1..=last {
            let (reached, errors) = self.encoder.step(at, last == 1 && ends.is_none(), budget)?;
            let mut next = Vec::new();
            for ways in reached {
                let node = ways.node;
                if step >= first {
                    self.emit_broken(step, &ways, &assumed)?;
                }
                if goes_on(node) && !self.evidence.dead.contains_key(&node) {
                    let (guard, state) = self.encoder.join(ways.arrivals);
                    let mut reached = Reached { node, guard, state };
                    let invariant = self.assumption(&reached)?;
                    let Encoder { guards, own, .. } = &mut self.encoder;
                    reached.guard = guards.and(own, reached.guard, invariant);
                    next.push(reached);
                }
            }
            if step >= first {
                for ways in errors {
                    self.emit_impossible(step, Bad::Error(ways.node), &assumed, &ways)?;
                }
            }
            at = next;
            if at.is_empty() {
                return Ok(());
            }
        }
        if ends.is_some() {
            let (reached, errors) = self.encoder.step(at, false, budget)?;
            let step = last.saturating_add(1);
            for ways in reached {
                if goes_on(ways.node) {
                    self.emit_impossible(step, Bad::TooLong(ways.node), &assumed, &ways)?;
                } else {
                    self.emit_broken(step, &ways, &assumed)?;
                }
            }
            for ways in errors {
                self.emit_impossible(step, Bad::Error(ways.node), &assumed, &ways)?;
            }
        }
        Ok(())
    }
    fn assumption(&mut self, reached: &Reached) -> Result<Term, Refusal> {
        self.evidence.assumption(&mut self.encoder, reached.node, &reached.state, &self.any)
    }
    /// The invariant must hold whichever way runs come.
    fn emit_broken(&mut self, steps: u32, ways: &Ways, assumed: &[Term]) -> Result<(), Refusal> {
        let node = ways.node;
        if ways.arrivals.len() < Tuning::DEFAULT.min_ways_apart {
            let (guard, state) = self.encoder.join(ways.arrivals.clone());
            let claim = self.evidence.claim(&mut self.encoder, node, &state, &self.any)?;
            return self.emit(steps, Bad::Broken(node), assumed, vec![guard], claim);
        }
        // By many ways runs come with constants, or with what the invariant was assumed for.
        let known: HashSet<Term> = self.encoder.own.conjuncts(assumed).into_iter().collect();
        for (guard, state) in &ways.arrivals {
            let claim = self.evidence.claim(&mut self.encoder, node, state, &self.any)?;
            let own = &mut self.encoder.own;
            let mut open = own.conjuncts(&[claim]);
            open.retain(|term| own.op(*term) != Op::True && !known.contains(term));
            let claim = own.and(&open);
            self.emit(steps, Bad::Broken(node), assumed, vec![*guard], claim)?;
        }
        Ok(())
    }
    /// No run may come by any of these ways.
    fn emit_impossible(&mut self, steps: u32, bad: Bad, assumed: &[Term], ways: &Ways) -> Result<(), Refusal> {
        let guards = ways.arrivals.iter().map(|(guard, _)| *guard).collect();
        let never = self.encoder.own.truth(false);
        self.emit(steps, bad, assumed, guards, never)
    }
    fn emit(
        &mut self,
        steps: u32,
        bad: Bad,
        assumed: &[Term],
        mut ways: Vec<Guard>,
        claim: Term,
    ) -> Result<(), Refusal> {
        let Encoder { guards, own, .. } = &self.encoder;
        let is_false = |term: &Term| own.op(*term) == Op::False;
        ways.retain(|&way| !guards.upwards(way).any(|guard| is_false(&guards.condition(guard))));
        if ways.is_empty() || own.op(claim) == Op::True || assumed.iter().any(is_false) {
            return Ok(()); // There is nothing to show.
        }
        let assumed = assumed.to_vec();
        (self.receive)(&mut self.encoder, Obligation { from: self.from, steps, bad, assumed, ways, claim })
    }
}
