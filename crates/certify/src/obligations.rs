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

use base::{Budget, Id, IndexVec};
use term::{Op, Term};
use verdict::Method;

use crate::Refusal;
use crate::block::{Encoder, Reached};
use crate::evidence::{Evidence, Values};
use crate::points::{Node, START};

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

/// Formulas that must contradict each other.
pub(crate) struct Obligation {
    /// Where the runs start.
    pub from: Node,
    /// How many steps they take.
    pub steps: u32,
    /// What they must not do in the last one.
    pub bad: Bad,
    pub formulas: Vec<Term>,
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
        Method::Execution { .. } | Method::Enumeration { .. } => {
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
        let mut at = vec![Reached { node: self.from, guard: self.encoder.own.truth(true), state }];
        if !is_start {
            assumed.push(self.assumption(&at[0])?);
        }
        for step in 1..=last {
            let (reached, errors) = self.encoder.step(at, budget)?;
            let mut next = Vec::new();
            for mut reached in reached {
                if step >= first {
                    self.emit_broken(step, &reached, &assumed)?;
                }
                if goes_on(reached.node) && !self.evidence.dead.contains_key(&reached.node) {
                    let invariant = self.assumption(&reached)?;
                    reached.guard = self.encoder.own.and(&[reached.guard, invariant]);
                    next.push(reached);
                }
            }
            if step >= first {
                for error in errors {
                    self.emit(step, Bad::Error(error.node), &assumed, &[error.guard])?;
                }
            }
            at = next;
            if at.is_empty() {
                return Ok(());
            }
        }
        if ends.is_some() {
            let (reached, errors) = self.encoder.step(at, budget)?;
            let step = last.saturating_add(1);
            for reached in reached {
                if goes_on(reached.node) {
                    self.emit(step, Bad::TooLong(reached.node), &assumed, &[reached.guard])?;
                } else {
                    self.emit_broken(step, &reached, &assumed)?;
                }
            }
            for error in errors {
                self.emit(step, Bad::Error(error.node), &assumed, &[error.guard])?;
            }
        }
        Ok(())
    }
    fn assumption(&mut self, reached: &Reached) -> Result<Term, Refusal> {
        self.evidence.assumption(&mut self.encoder, reached.node, &reached.state, &self.any)
    }
    fn emit_broken(&mut self, steps: u32, reached: &Reached, assumed: &[Term]) -> Result<(), Refusal> {
        let claim = self.evidence.claim(&mut self.encoder, reached.node, &reached.state, &self.any)?;
        let broken = self.encoder.own.not(claim);
        self.emit(steps, Bad::Broken(reached.node), assumed, &[reached.guard, broken])
    }
    fn emit(&mut self, steps: u32, bad: Bad, assumed: &[Term], formulas: &[Term]) -> Result<(), Refusal> {
        let formulas: Vec<Term> = assumed.iter().chain(formulas).copied().collect();
        if formulas.iter().any(|&formula| self.encoder.own.op(formula) == Op::False) {
            return Ok(()); // They contradict each other as they stand.
        }
        (self.receive)(&mut self.encoder, Obligation { from: self.from, steps, bad, formulas })
    }
}
