//! The program as a labelled automaton: each step has equalities and disequalities as its guard and terms as its effects.
//!
//! Variables and constants have *slots*. Every operator is a function symbol, so this is the uninterpreted
//! view of whatever program it is; what cannot be said (memory, too many cases) allows anything, so that a proof holds
//! for the program.

use base::{FastMap, Id, IndexVec, define_id};
use program::{Action, AssertionId, EdgeId, InputId, Loc, Mark, Program, Var};
use term::{Op, Sort, SortKind, Term, Terms};

use crate::cases::{Case, Literal, cases};

define_id!(StepId, "A step of the automaton.");

/// The number of a slot.
pub(crate) type Slot = u32;
/// The number of a function symbol.
pub(crate) type Fun = u32;

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    /// A variable.
    Variable(Var),
    /// A literal; literals of one sort differ from one another.
    Literal(Term),
}

/// A function symbol: an operator with the sort of its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    pub op: Op,
    pub result: Sort,
}

/// One part of a term: a slot, or a function of earlier parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Slot(Slot),
    Apply(Fun, Box<[u32]>),
}

/// A term as a list of parts, the last of which is the term.
pub(crate) type Code = Box<[Part]>;

/// A literal of a guard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Test {
    pub left: Code,
    pub right: Code,
    pub equal: bool,
    /// The same in terms.
    pub literal: Literal,
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub from: Loc,
    pub to: Loc,
    pub edge: EdgeId,
    pub guard: Vec<Test>,
    /// Simultaneous assignment.
    pub assigns: Vec<(Slot, Code, Term)>,
    /// Slots that get a free value; the input if a run asks for it.
    pub frees: Vec<(Slot, Option<InputId>)>,
    /// Whether the step allows more than the edge.
    pub loose: bool,
}

/// The automaton.
pub(crate) struct Automaton {
    pub entry: Loc,
    pub steps: IndexVec<StepId, Step>,
    pub leaving: IndexVec<Loc, Vec<StepId>>,
    pub error: IndexVec<Loc, Option<AssertionId>>,
    pub slots: Vec<(Holds, Sort, Term)>,
    pub functions: Vec<Function>,
    slot_of: FastMap<Term, Slot>,
    function_of: FastMap<(Op, Sort), Fun>,
    /// By location: the slots that may be read before they are written.
    pub live: IndexVec<Loc, Vec<bool>>,
    /// Locations from which an error can be reached.
    pub matters: IndexVec<Loc, bool>,
    /// Targets of edges that lead back: they cut every cycle.
    pub heads: Vec<Loc>,
}

/// What stands in the way.
pub(crate) struct Refused {
    pub what: String,
    pub place: Option<base::Place>,
}

impl Automaton {
    /// The automaton of a program whose calls are inlined.
    pub fn new(program: &Program, terms: &mut Terms) -> Result<Self, Refused> {
        let entry = program.entry.expect("a program has an entry function");
        let mut automaton = Automaton {
            entry: program.functions[entry].entry,
            steps: IndexVec::new(),
            leaving: program.locations.iter().map(|_| Vec::new()).collect(),
            error: program.locations.iter().map(|_| None).collect(),
            slots: Vec::new(),
            functions: Vec::new(),
            slot_of: FastMap::new(),
            function_of: FastMap::new(),
            live: IndexVec::new(),
            matters: program.locations.iter().map(|_| false).collect(),
            heads: Vec::new(),
        };
        for (var, variable) in program.vars.iter_enumerated() {
            automaton.slot(Holds::Variable(var), variable.sort, variable.term);
        }
        for truth in [false, true] {
            let (term, sort) = (terms.truth(truth), terms.bool_sort());
            automaton.slot(Holds::Literal(term), sort, term);
        }
        for (loc, location) in program.locations.iter_enumerated() {
            if let (Mark::Error(assertion), true) = (&location.mark, location.function == entry) {
                automaton.error[loc] = Some(*assertion);
            }
        }
        for (id, edge) in program.edges.iter_enumerated() {
            if program.locations[edge.from].function == entry {
                automaton.edge(program, terms, id)?;
            }
        }
        automaton.find_what_matters();
        automaton.find_live();
        automaton.find_heads();
        Ok(automaton)
    }

    fn slot(&mut self, holds: Holds, sort: Sort, term: Term) -> Slot {
        let slot = self.slots.len() as Slot;
        self.slots.push((holds, sort, term));
        self.slot_of.insert(term, slot);
        slot
    }
    /// The parts of a term that was made after the automaton; none if it has a literal that no step has.
    pub fn later_code(&mut self, terms: &Terms, term: Term) -> Option<Code> {
        let is_new = |&one: &Term| terms.args(one).is_empty() && self.slot_of.get(&one).is_none();
        if terms.subterms(&[term]).iter().any(is_new) { None } else { Some(self.code(terms, term)) }
    }
    /// The parts of a term; literals get slots when they are first met.
    fn code(&mut self, terms: &Terms, term: Term) -> Code {
        let all = terms.subterms(&[term]);
        let mut at: FastMap<Term, u32> = FastMap::new();
        let mut parts = Vec::with_capacity(all.len());
        for (number, &one) in all.iter().enumerate() {
            let (op, args) = (terms.op(one), terms.args(one));
            parts.push(match self.slot_of.get(&one) {
                Some(&slot) => Part::Slot(slot),
                None if args.is_empty() => {
                    let sort = terms.sort_of(one);
                    Part::Slot(self.slot(Holds::Literal(one), sort, one))
                }
                None => {
                    let result = terms.sort_of(one);
                    let next = self.functions.len() as Fun;
                    let functions = &mut self.functions;
                    let fun = *self.function_of.get_or_insert_with((op, result), || {
                        functions.push(Function { op, result });
                        next
                    });
                    Part::Apply(fun, args.iter().map(|arg| at[arg]).collect())
                }
            });
            at.insert(one, number as u32);
        }
        parts.into()
    }
    /// A literal with its parts.
    fn test(&mut self, terms: &Terms, literal: Literal) -> Test {
        let (left, right) = (self.code(terms, literal.left), self.code(terms, literal.right));
        Test { left, right, equal: literal.equal, literal }
    }

    fn edge(&mut self, program: &Program, terms: &mut Terms, id: EdgeId) -> Result<(), Refused> {
        let edge = &program.edges[id];
        let yes = terms.truth(true);
        let mut frees = Vec::new();
        let (condition, targets): (Term, Vec<(Var, Term)>) = match &edge.action {
            Action::Assume(condition) => (*condition, Vec::new()),
            Action::Assign(pairs) => (yes, pairs.clone()),
            Action::Havoc { var, input } => {
                frees.push((var.index() as Slot, Some(*input)));
                (yes, Vec::new())
            }
            Action::Load { var, .. } | Action::Alloc { var, .. } | Action::Probe { var, .. } => {
                frees.push((var.index() as Slot, None));
                (yes, Vec::new())
            }
            Action::Store { .. }
            | Action::Forget { .. }
            | Action::Free { .. }
            | Action::End { .. }
            | Action::Order(_)
            | Action::Check { .. } => (yes, Vec::new()),
            Action::Call { function, .. } => {
                let what = format!("a call of {} that was not inlined", program.functions[*function].name);
                return Err(Refused { what, place: edge.place });
            }
        };
        let is_memory = frees.iter().any(|(_, input)| input.is_none());
        let values: Vec<Term> = targets.iter().map(|(_, value)| *value).collect();
        let (found, loose) = match cases(terms, condition, &values) {
            Some(found) => (found, is_memory),
            None => {
                // Too many cases: any values, whatever the condition.
                frees.extend(targets.iter().map(|(var, _)| (var.index() as Slot, None)));
                (vec![Case { literals: Vec::new(), values: Vec::new() }], true)
            }
        };
        for case in found {
            let guard = case.literals.iter().map(|&literal| self.test(terms, literal)).collect();
            let assigns = targets
                .iter()
                .zip(&case.values)
                .map(|((var, _), &value)| (var.index() as Slot, self.code(terms, value), value))
                .collect();
            let (from, to) = (edge.from, edge.to);
            let step = Step { from, to, edge: id, guard, assigns, frees: frees.clone(), loose };
            let step = self.steps.push(step);
            self.leaving[from].push(step);
        }
        Ok(())
    }

    fn find_what_matters(&mut self) {
        let mut entering: IndexVec<Loc, Vec<Loc>> = self.leaving.iter().map(|_| Vec::new()).collect();
        for step in &self.steps {
            entering[step.to].push(step.from);
        }
        let mut todo: Vec<Loc> = self.error.iter_enumerated().filter(|(_, e)| e.is_some()).map(|(l, _)| l).collect();
        while let Some(loc) = todo.pop() {
            if !std::mem::replace(&mut self.matters[loc], true) {
                todo.extend(&entering[loc]);
            }
        }
    }
    /// Slots read before they are written, on some way to an error; literals always.
    fn find_live(&mut self) {
        let literals: Vec<bool> = self.slots.iter().map(|(holds, ..)| matches!(holds, Holds::Literal(_))).collect();
        self.live = self.leaving.iter().map(|_| literals.clone()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for step in self.steps.iter().rev() {
                if !self.matters[step.to] {
                    continue;
                }
                let mut live = self.live[step.to].clone();
                for (slot, ..) in &step.assigns {
                    live[*slot as usize] = false;
                }
                for (slot, _) in &step.frees {
                    live[*slot as usize] = false;
                }
                let mut read = |code: &Code| {
                    for part in code {
                        if let Part::Slot(slot) = part {
                            live[*slot as usize] = true;
                        }
                    }
                };
                for (slot, code, _) in &step.assigns {
                    if self.live[step.to][*slot as usize] {
                        read(code);
                    }
                }
                for test in &step.guard {
                    read(&test.left);
                    read(&test.right);
                }
                for (known, new) in self.live[step.from].iter_mut().zip(live) {
                    changed |= new && !*known;
                    *known |= new;
                }
            }
        }
    }
    /// Targets of edges that lead back in a walk depth first.
    fn find_heads(&mut self) {
        let mut state: IndexVec<Loc, u8> = self.leaving.iter().map(|_| 0).collect();
        let mut is_head: IndexVec<Loc, bool> = self.leaving.iter().map(|_| false).collect();
        let mut path = vec![(self.entry, 0)];
        state[self.entry] = 1;
        while let Some((loc, next)) = path.last_mut() {
            let Some(&step) = self.leaving[*loc].get(*next) else {
                state[*loc] = 2;
                path.pop();
                continue;
            };
            *next += 1;
            let to = self.steps[step].to;
            match state[to] {
                0 => {
                    state[to] = 1;
                    path.push((to, 0));
                }
                1 => is_head[to] = true,
                _ => {}
            }
        }
        self.heads = is_head.iter_enumerated().filter(|(_, is)| **is).map(|(loc, _)| loc).collect();
    }

    /// Whether every function is uninterpreted and every sort has only equality, or is Bool: then a
    /// consistent trace is a run.
    pub fn is_free(&self, terms: &Terms) -> bool {
        let is_free_sort = |sort: Sort| matches!(terms.sort_kind(sort), SortKind::Bool | SortKind::Uninterpreted(_));
        self.functions.iter().all(|one| matches!(one.op, Op::Symbol(_)) && is_free_sort(one.result))
            && self.slots.iter().all(|(holds, sort, _)| {
                is_free_sort(*sort) || matches!(holds, Holds::Variable(_)) && !self.is_used(*sort)
            })
            && self.steps.iter().all(|step| !step.loose)
    }
    /// Whether a slot of this sort is ever read or written.
    fn is_used(&self, sort: Sort) -> bool {
        let of_sort = |slot: Slot| self.slots[slot as usize].1 == sort;
        let mentions = |code: &Code| code.iter().any(|part| matches!(part, Part::Slot(slot) if of_sort(*slot)));
        self.steps.iter().any(|step| {
            step.guard.iter().any(|test| mentions(&test.left) || mentions(&test.right))
                || step.assigns.iter().any(|(slot, code, _)| of_sort(*slot) || mentions(code))
                || step.frees.iter().any(|(slot, _)| of_sort(*slot))
        })
    }
}
