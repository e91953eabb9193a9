//! IC3 over single bits: cubes are sets of bits of the state, and the SAT solver is asked directly.
//!
//! Cubes over words are few and strong where a program is about control; where it shifts, masks and counts they do not
//! end. There the classical form of IC3 is better [Bradley-VMCAI'11]: a cube is a set of bits, a predecessor found by
//! the solver is lifted to what the step needs [EenMishchenkoBrayton-FMCAD'11], and where leaving out a literal fails because of a
//! predecessor that is unreachable itself, that one is blocked first [HassanBradleySomenzi-FMCAD'13]. No terms are made
//! between questions.
//!
//! It takes turns with the search over words and has frames of its own: what ends it there fills frames here. `wires` has the circuits,
//! `cells` takes arrays apart, `frames` and `step` ask, `generalize` and `obligations` are IC3's, `run` makes an execution of what it found.

mod cells;
mod frames;
mod generalize;
mod obligations;
mod run;
mod step;
mod wires;

use base::{Budget, IndexVec, Stopped};
use encode::Cut;
use engine::{Context, Invariants, evidence};
use sat::{Lit, SatVar, Solver};
use term::{Term, Terms};
use verdict::Verdict;

use crate::precision;
use crate::tuning::Tuning;
use frames::Frame;
use obligations::Found;
use wires::Wires;

base::stats! {
    /// What the search did.
    pub(crate) struct Stats {
        bit_queries: "questions over single bits",
        bit_lemmas: "cubes of single bits blocked",
        ctgs: "counterexamples to generalization that were blocked",
    }
}

/// The search.
pub(crate) struct SingleBits {
    terms: Terms,
    wires: Wires,
    background: Invariants,
    /// By cutpoint.
    frames: IndexVec<Cut, Frame>,
    /// Holds the circuits and nothing else.
    lifter: Solver,
    /// The level that is being cleared of errors.
    top: u32,
    /// By literal: how many lemmas have it.
    activity: Vec<u32>,
    /// By literal: whether it was in the last core; all false between questions.
    in_core: Vec<bool>,
    /// Nothing is to be expected any more.
    is_over: bool,
    stats: Stats,
}

impl SingleBits {
    /// None if the program is not made of bits alone.
    pub fn new(cx: &Context<'_>) -> Result<Option<Self>, Stopped> {
        let (task, blocks, run) = (cx.task, cx.blocks, cx.run);
        let mut terms = cx.terms.clone();
        let mut own = Context::new(task, &mut terms, blocks, &run);
        let mut background = Invariants::new(&mut own)?;
        // Where relations are hard to find, they are not waited for.
        match background.relate(&mut own.within(&run.budget.part(Tuning::DEFAULT.bit_relations_ticks))) {
            Err(Stopped::OutOfTicks) | Ok(_) => {}
            Err(stopped) => return Err(stopped),
        }
        let is_light = |terms: &Terms, fact: Term| !precision::has_heavy(terms, &[fact]);
        let facts: Vec<(Cut, Term)> =
            background.all().into_iter().filter(|&(_, fact)| is_light(&terms, fact)).collect();
        let Some((wires, known)) = Wires::new(task, &mut terms, blocks, &facts, run.budget)? else { return Ok(None) };
        let mut frames = IndexVec::new();
        for cut in blocks.cutpoints.ids() {
            let facts = known.iter().filter(|&&(at, _)| at == cut).map(|&(_, lit)| lit).collect();
            frames.push(Frame::new(&wires.solver, facts));
        }
        let n_lits = 2 * wires.solver.n_vars();
        let lifter = wires.solver.clone();
        Ok(Some(SingleBits {
            terms,
            wires,
            background,
            frames,
            lifter,
            top: 1,
            activity: vec![0; n_lits],
            in_core: vec![false; n_lits],
            is_over: false,
            stats: Stats::default(),
        }))
    }
    /// Whether it makes sense to go on.
    pub fn is_over(&self) -> bool {
        self.is_over
    }
    /// Goes on until there is an answer or the budget is spent, whichever is first.
    pub fn go_on(&mut self, cx: &Context<'_>, budget: &Budget) -> Result<Option<Verdict>, Stopped> {
        let answer = self.search(cx, budget);
        for (name, _, value) in self.stats.entries() {
            cx.run.observer.count(name, value);
        }
        cx.run.observer.count("levels over single bits", u64::from(self.top));
        answer
    }
    fn search(&mut self, cx: &Context<'_>, budget: &Budget) -> Result<Option<Verdict>, Stopped> {
        loop {
            if let Some(found) = self.strengthen(budget)? {
                return Ok(self.executed(cx, &found).map(Verdict::Unsafe));
            }
            self.top += 1;
            cx.run.observer.progress(format!("no error within {} steps", self.top - 1));
            if let Some(level) = self.propagate(budget)? {
                let invariants = self.invariants(level);
                let mut own = Context::new(cx.task, &mut self.terms, cx.blocks, &cx.run);
                let proof = evidence::inductive(&mut own, invariants, &self.background)?;
                return Ok(Some(Verdict::Safe(Box::new(proof))));
            }
        }
    }
    /// Blocks everything that leads into an error in one step from the top frame, or finds a run into it.
    fn strengthen(&mut self, budget: &Budget) -> Result<Option<Found>, Stopped> {
        for number in 0..self.wires.errors.len() {
            let (edge, assertion) = self.wires.errors[number];
            while let step::Step::Possible(before) = self.step(edge, None, self.top, budget)? {
                if let Some(found) = self.block(edge, assertion, before, budget)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }
    fn invariants(&mut self, level: u32) -> Vec<(Cut, Term)> {
        let mut all = Vec::new();
        for cut in self.frames.ids() {
            for lemma in self.frames[cut].lemmas.from(level) {
                all.push((cut, self.wires.denial(&mut self.terms, &lemma.cube.literals)));
            }
        }
        all
    }
}

/// A set of states at a cutpoint: those with these bits.
type Cube = crate::cube::Cube<Lit>;

/// The literal of this variable that is true in the last model, if it has a value.
fn in_model(solver: &Solver, var: SatVar) -> Option<Lit> {
    solver.value(var.positive()).map(|value| if value { var.positive() } else { !var.positive() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Facts, Run, Silent, Task};
    use verdict::Counterexample;

    /// A byte that turns by one place where the input says so; the error is at these values of it.
    fn ring(error: &str) -> Task {
        let text = format!(
            "cfa 1\npointer 64\nentry main\nfile \"ring\"\n\nassertion 1 \"error\" @0:1:1\n\
             input i0 nondet \"go\" unsigned @0:1:1\n\nfunction main () entry L0 exit L1 @0:1:1 {{\n  \
             local s (_ BitVec 8) unsigned @0:1:1\n  local go Bool plain @0:1:1\n  \
             at L0 @0:1:1\n    assign s := #x01 -> L2 @0:1:1\n  at L1\n  \
             at L2 loop @0:1:1\n    havoc go from i0 -> L3 @0:1:1\n  \
             at L3 @0:1:1\n    assign s := (ite go ((_ rotate_left 1) s) s) -> L4 @0:1:1\n  \
             at L4 @0:1:1\n    assume {error} -> L5 @0:1:1\n    assume (not {error}) -> L2 @0:1:1\n  \
             at L5 error 1 @0:1:1\n}}\n"
        );
        let mut terms = Terms::new();
        let program = program::text::parse("ring", &text, &mut terms).expect("it is well-formed");
        let passes = program::pass::Options::default();
        let optimised = program::pass::optimise(program.clone(), &mut terms, &passes).expect("no recursion");
        Task::new(program, optimised.program, optimised.map, terms)
    }

    fn verify(task: &Task, replay: &dyn Fn(&Counterexample) -> Result<(), verdict::Why>) -> (Verdict, u32) {
        let (budget, facts) = (Budget::default(), Facts::unshared());
        let run = Run { budget: &budget, seed: 0, facts: &facts, observer: &Silent, replay, each: None };
        let (mut terms, blocks) = task.encoded(&run).expect("it has no memory");
        let cx = Context::new(task, &mut terms, blocks, &run);
        let mut search = SingleBits::new(&cx).expect("no limit").expect("bits alone");
        // In small turns, so that every part is interrupted now and then.
        loop {
            match search.go_on(&cx, &budget.part(700)) {
                Ok(verdict) => return (verdict.expect("it goes on until it knows"), search.top),
                Err(stopped) => assert_eq!(stopped, Stopped::OutOfTicks),
            }
        }
    }

    #[test]
    fn of_a_bit_that_goes_round_two_places_never_hold() {
        let (verdict, top) = verify(&ring("(= (bvand s #x22) #x22)"), &|_| Ok(()));
        assert!(matches!(verdict, Verdict::Safe(_)));
        assert!(top < 12, "{top}");
    }

    #[test]
    fn the_way_into_an_error_has_an_input_for_each_step() {
        let check = |found: &Counterexample| {
            let steps = found.inputs.len();
            let turns = found.inputs.iter().filter(|input| !input.value.is_zero()).count();
            if (steps, turns) == (6, 6) {
                Ok(())
            } else {
                Err(verdict::Why::new(verdict::Code::GaveUp, format!("{found:?}")))
            }
        };
        let (verdict, _) = verify(&ring("(= s #x40)"), &check);
        assert!(matches!(verdict, Verdict::Unsafe(_)));
    }
}
