//! Compile, validate, run, compare.

use base::{Budget, Diagnostic, Severity};
use cfront::{DataModel, Options, Property, compile};
use program::interp::{Limits, Machine, Outcome, Run, ScriptedInputs, ZeroInputs};
use program::{Action, InputKind, Program};
use term::Terms;

pub const BOTH: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

/// The verification vocabulary, so that examples stay short.
const PRELUDE: &str = "extern void reach_error(void); extern void abort(void);\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n";

pub fn lower_with(text: &str, model: DataModel, property: Property) -> Result<(Program, Terms), Vec<Diagnostic>> {
    let mut terms = Terms::new();
    let options = Options::new(model, property);
    let compiled = compile("test.c", &format!("{PRELUDE}{text}"), &options, &mut terms)?;
    if let Err(violations) = program::validate(&compiled.program, &terms) {
        panic!("{violations:#?}\nin\n{text}");
    }
    Ok((compiled.program, terms))
}
pub fn lower(text: &str, model: DataModel) -> (Program, Terms) {
    lower_with(text, model, Property::UnreachCall).unwrap_or_else(|found| panic!("{found:#?}\nin\n{text}"))
}
pub fn run(program: &Program, terms: &Terms, nondet: &[u128]) -> Run {
    let mut machine = Machine::new(program, terms).expect("the program can be run");
    let limits = Limits { edges: 10_000_000, ..Limits::default() };
    if nondet.is_empty() {
        machine.run(&mut ZeroInputs, &limits, &Budget::default())
    } else {
        machine.run(&mut ScriptedInputs::for_nondet(nondet.to_vec()), &limits, &Budget::default())
    }
}
/// The result of `main`, as an `int`, and nothing undefined on the way.
pub fn result(text: &str, model: DataModel, nondet: &[u128]) -> i32 {
    let (program, terms) = lower(text, model);
    let run = run(&program, &terms, nondet);
    assert_eq!(run.undefined, None, "{text}");
    match run.outcome {
        Outcome::Returned(Some(value)) => value as u32 as i32,
        other => panic!("{other:?} instead of a result of\n{text}"),
    }
}
/// `main` returns this under both data models.
pub fn returns(text: &str, expected: i32) {
    for model in BOTH {
        assert_eq!(result(text, model, &[]), expected, "{model:?}\n{text}");
    }
}
/// The expression has this value under both data models.
pub fn evaluates(expression: &str, expected: i32) {
    returns(&format!("int main(void) {{ return {expression}; }}"), expected);
}
/// `main` returns this when the nondeterministic values are these.
pub fn returns_for(text: &str, nondet: &[u128], expected: i32) {
    for model in BOTH {
        assert_eq!(result(text, model, nondet), expected, "{model:?}\n{text}");
    }
}
/// How the run ends.
pub fn outcome(text: &str, nondet: &[u128]) -> Outcome {
    let (program, terms) = lower(text, DataModel::Ilp32);
    run(&program, &terms, nondet).outcome
}
/// Everything that is refused, one message each.
pub fn refused(text: &str) -> Vec<String> {
    match lower_with(text, DataModel::Lp64, Property::UnreachCall) {
        Ok(_) => Vec::new(),
        Err(found) => {
            for diagnostic in &found {
                assert_eq!(diagnostic.severity, Severity::Unsupported, "{diagnostic:?}");
            }
            found.into_iter().map(|diagnostic| format!("{}: {}", diagnostic.line, diagnostic.message)).collect()
        }
    }
}
/// How many edges have an action like that.
pub fn count(program: &Program, like: impl Fn(&Action) -> bool) -> usize {
    program.edges.iter().filter(|edge| like(&edge.action)).count()
}
pub fn inputs(program: &Program) -> Vec<InputKind> {
    program.inputs.iter().map(|input| input.kind.clone()).collect()
}
