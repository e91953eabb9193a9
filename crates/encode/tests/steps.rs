//! Unrolling and transition system agree with the execution of the program.

use base::{Bits, FastMap};
use encode::{Blocks, Memory, Transition, Unrolling};
use term::{Term, Terms, Value, eval};

/// Counts to five, by two where the input says so; overshooting is the error.
const PROGRAM: &str = "cfa 1
pointer 32
entry start
file \"count.c\"

assertion 1 \"reach_error()\" @0:9:1
input i0 nondet \"__VERIFIER_nondet_bool\" plain @0:3:1

function start () entry L0 exit L1 @0:1:1 {
  local n (_ BitVec 8) unsigned @0:1:1
  temp fast Bool plain
  at L0 @0:1:1
    assign n := #x00 -> L2 @0:1:1
  at L1
  at L2 loop @0:2:1
    assume (bvult n #x05) -> L3 @0:2:1
    assume (not (bvult n #x05)) -> L6 @0:2:1
  at L3 @0:3:1
    havoc fast from i0 -> L4 @0:3:1
  at L4 @0:4:1
    assume fast -> L5 @0:4:1
    assume (not fast) -> L7 @0:4:1
  at L5 @0:5:1
    assign n := (bvadd n #x02) -> L2 @0:5:1
  at L7 @0:6:1
    assign n := (bvadd n #x01) -> L2 @0:6:1
  at L6 @0:8:1
    assume (= n #x06) -> L8 @0:8:1
    assume (not (= n #x06)) -> L1 @0:8:1
  at L8 error 1 @0:9:1
}
";

fn program(terms: &mut Terms) -> program::Program {
    let program = program::text::parse("count.cfa", PROGRAM, terms).unwrap_or_else(|found| panic!("{found:#?}"));
    program::validate(&program, terms).unwrap_or_else(|broken| panic!("{broken:?}"));
    program
}

/// Whether the choices (bit i for step i) overshoot, and after how many rounds of the loop.
fn run(choices: u32) -> (bool, usize) {
    let (mut n, mut rounds) = (0, 0);
    while n < 5 {
        n += 1 + (choices >> rounds & 1);
        rounds += 1;
    }
    (n == 6, rounds as usize)
}

fn is_true(terms: &Terms, term: Term, inputs: &[(Term, bool)]) -> bool {
    let value = |symbol, _: &[Value]| {
        let found = inputs.iter().find(|(term, _)| terms.op(*term) == term::Op::Symbol(symbol));
        Some(Value::Bool(found.is_some_and(|(_, truth)| *truth)))
    };
    eval(terms, term, value) == Ok(Value::Bool(true))
}

#[test]
fn an_unrolling_has_the_errors_of_the_runs() {
    let mut terms = Terms::new();
    let program = program(&mut terms);
    let blocks = Blocks::new(&program, &mut terms, Memory::Refused).expect("no memory and no calls");
    let mut unrolling = Unrolling::from_entry(&program, &mut terms, &blocks, "test");
    // To the loop, five rounds at most, and out of it.
    for _ in 0..7 {
        unrolling.advance(&program, &mut terms, &blocks);
    }
    for choices in 0..32u32 {
        let inputs: Vec<(Term, bool)> = unrolling
            .inputs
            .iter()
            // The first step leads to the loop, the second is its first round.
            .map(|input| (input.symbol, input.step >= 2 && choices >> (input.step - 2) & 1 == 1))
            .collect();
        let (fails, rounds) = run(choices);
        let at: Vec<usize> = unrolling
            .errors
            .iter()
            .filter(|error| is_true(&terms, error.guard, &inputs))
            .map(|error| error.step)
            .collect();
        assert_eq!(at, if fails { vec![rounds + 2] } else { vec![] }, "choices {choices:b}");
    }
}

#[test]
fn the_transition_system_steps_as_the_program_runs() {
    let mut terms = Terms::new();
    let program = program(&mut terms);
    let blocks = Blocks::new(&program, &mut terms, Memory::Refused).expect("no memory and no calls");
    let system = Transition::new(&program, &mut terms, &blocks);
    assert_eq!((system.variables.len(), system.inputs.len()), (1, 1));
    for choices in 0..32u32 {
        let location = |value: Term| Value::Bits(terms.value(value).expect("locations are values"));
        let mut state: FastMap<Term, Value> = FastMap::new();
        state.insert(system.location, location(system.locations[0]));
        state.insert(system.variables[0].now, Value::Bits(Bits::from_u64(8, 77)));
        let (fails, rounds) = run(choices);
        for step in 0..rounds + 2 {
            let fast = step > 0 && choices >> (step - 1) & 1 == 1;
            state.insert(system.inputs[0].symbol, Value::Bool(fast));
            let now = |term: Term| {
                let value = |symbol, _: &[Value]| {
                    let variable = [system.location, system.variables[0].now, system.inputs[0].symbol];
                    let term = variable.into_iter().find(|term| terms.op(*term) == term::Op::Symbol(symbol))?;
                    state.get(&term).cloned()
                };
                eval(&terms, term, value).expect("all symbols have values")
            };
            assert_eq!(now(system.error), Value::Bool(false), "not before the last step");
            let next = (now(system.next_location), now(system.variables[0].next));
            state.insert(system.location, next.0);
            state.insert(system.variables[0].now, next.1);
        }
        let at = system.locations.iter().position(|&value| state[&system.location] == location(value));
        let is_error = at.and_then(|at| system.cutpoint(system.locations[at])).is_some();
        assert_eq!(is_error, fails, "choices {choices:b}");
    }
}
