//! A second meaning of C's integer expressions, written from the text of the standard alone (ISO/IEC 9899:2011; clauses are named where
//! they are used), to be compared with what the front end makes of the same expressions.
//!
//! A program of a seed ([`program()`]) has variables of all integer types, bit-fields, and a few statements that compute with them. [`meaning`]
//! computes values and types directly on mathematical integers: it shares no code, no representation and no author's habit
//! with `cfront`, `term` or the interpreter. [`compare`] lowers the program and runs it on values at the borders of the types, and
//! compares every result, the type of every expression, every variable afterwards, and whether something undefined was met: under
//! `unreach-call` (where signed overflow wraps) and under `no-overflow`. Constant expressions are compared in initialisers and static assertions.
//!
//! What the standard leaves to the implementation is as in GCC: two's complement, narrowing modulo a power of two, arithmetic right shift of
//! negative numbers, signed plain `char` and plain `int` bit-fields.

pub mod meaning;
pub mod types;
mod writer;

use base::{Budget, Random};
use cfront::{DataModel, Options, Property};
use meaning::{Expr, State, Undefined};
use program::interp::{Limits, Machine, Outcome, Run, ScriptedInputs};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use term::Terms;
use types::Type;
use writer::Writer;

/// How many valuations of the variables are compared for each program.
const VALUATIONS: u64 = 24;

/// A program: what is declared, and what is computed.
#[derive(Clone, Debug)]
pub struct Body {
    /// The sizes of types.
    pub model: DataModel,
    /// Types of the variables `v0`, `v1`, ….
    pub variables: Vec<Type>,
    /// Declared types and widths of the bit-fields `s.f0`, `s.f1`, ….
    pub fields: Vec<(Type, u32)>,
    /// Expressions, each a full expression.
    pub statements: Vec<Expr>,
    /// Constant expressions with their values.
    pub constants: Vec<(Expr, i128)>,
}

/// The text of the program of a seed.
pub fn program(seed: u64, model: DataModel) -> String {
    text(&body(seed, model))
}

/// Compares the program of a seed; `Ok` has the number of values that agree, `Err` the first difference.
pub fn compare(seed: u64, model: DataModel) -> Result<u64, String> {
    let work = move || {
        let body = body(seed, model);
        let text = text(&body);
        let mut n_values = 0;
        for property in [Property::UnreachCall, Property::NoOverflow] {
            n_values += compare_under(&body, model, &text, seed, property).map_err(|why| format!("{why}\n{text}"))?;
        }
        Ok(n_values)
    };
    crate::ours::on_large_stack(work).unwrap_or_else(|panic| Err(format!("panic: {panic}")))
}

fn body(seed: u64, model: DataModel) -> Body {
    Writer::new(Random::new(seed ^ 0x7465_726d_7300_0000), model).body()
}

/// The text, compiled for this data model, against the meaning of the body.
fn compare_under(
    body: &Body,
    compiled_for: DataModel,
    text: &str,
    seed: u64,
    property: Property,
) -> Result<u64, String> {
    let strict = property == Property::NoOverflow;
    let mut terms = Terms::new();
    let options = Options::new(compiled_for, property);
    let compiled = cfront::compile("standard.c", text, &options, &mut terms).map_err(|found| {
        let first = found.first().map(|d| format!("{}:{}: {}", d.line, d.column, d.message)).unwrap_or_default();
        format!("refused: {first}")
    })?;
    let machine = Machine::new(&compiled.program, &terms);
    let mut machine = machine.map_err(|unsupported| unsupported.what)?;
    let mut random = Random::new(seed);
    let mut n_values = 0;
    for _ in 0..VALUATIONS {
        let inputs: Vec<u64> = (0..body.variables.len() + body.fields.len()).map(|_| border(&mut random)).collect();
        n_values += compare_values(body, &mut machine, &inputs, strict)?;
    }
    Ok(n_values)
}

/// Compares the results for one valuation.
fn compare_values(body: &Body, machine: &mut Machine, inputs: &[u64], strict: bool) -> Result<u64, String> {
    let mut state = State::new(body, inputs);
    let expected = results(body, &mut state);
    let undefined = match &expected {
        Err(what) => Some(*what),
        Ok(_) if strict => state.overflow.then_some(Undefined::Overflow),
        Ok(_) => None,
    };
    let first = run(machine, inputs, 0);
    let met = first.undefined.is_some() || matches!(first.outcome, Outcome::Error(_));
    if met != undefined.is_some() {
        return Err(format!("inputs {inputs:x?}, no-overflow {strict}: expected {undefined:?}, the run: {first:?}"));
    }
    let (Ok(expected), None) = (expected, undefined) else { return Ok(1) };
    for (position, &value) in expected.iter().enumerate() {
        let half = |machine: &mut Machine, part: u64| match run(machine, inputs, 2 * position as u64 + part).outcome {
            Outcome::Returned(Some(bits)) => Ok(bits as u64 & 0xffff_ffff),
            other => Err(format!("inputs {inputs:x?}: the run ends with {other:?}")),
        };
        let ours = half(machine, 0)? | half(machine, 1)? << 32;
        if ours != value {
            return Err(format!("inputs {inputs:x?}: out[{position}] is {ours:#x}, the standard says {value:#x}"));
        }
    }
    Ok(expected.len() as u64)
}

/// What the array `out` holds at the end.
fn results(body: &Body, state: &mut State<'_>) -> Result<Vec<u64>, Undefined> {
    let mut results = Vec::new();
    for expression in &body.statements {
        results.push(state.value(expression)?.number as u64);
        results.push(state.promoted_type(expression).code());
    }
    results.extend(state.variables.iter().chain(&state.fields).map(|&value| value as u64));
    results.extend(body.constants.iter().map(|(_, value)| *value as u64));
    Ok(results)
}

fn run(machine: &mut Machine, inputs: &[u64], which: u64) -> Run {
    let values = inputs.iter().copied().chain([which]).map(u128::from).collect();
    let mut inputs = ScriptedInputs::for_nondet(values);
    let limits = Limits { edges: 1_000_000, recorded_inputs: 0, ..Limits::default() };
    machine.run(&mut inputs, &limits, &Budget::unlimited(Arc::new(AtomicBool::new(false))))
}

/// A number that is likely to lie at the border of some type.
fn border(random: &mut Random) -> u64 {
    let shift = *random.pick(&[0_u32, 1, 3, 7, 8, 15, 16, 31, 32, 62, 63]);
    let power = 1_u64 << shift;
    match random.below(8) {
        0 => random.below(4),
        1 => random.below(4).wrapping_neg(),
        2 => power,
        3 => power.wrapping_sub(1),
        4 => power.wrapping_neg(),
        5 => power.wrapping_neg().wrapping_sub(1),
        6 => random.below(1 << 10),
        _ => random.bits(),
    }
}

/// The program as C.
fn text(body: &Body) -> String {
    let mut text = String::from(
        "extern unsigned long long __VERIFIER_nondet_ulonglong(void);\nextern int __VERIFIER_nondet_int(void);\n\
         enum names { MINUS = -3, FIVE = 5 };\n",
    );
    let n_results = 2 * body.statements.len() + body.variables.len() + body.fields.len() + body.constants.len();
    for (index, (constant, value)) in body.constants.iter().enumerate() {
        let shown = writer::shown(constant, body);
        let _ = writeln!(text, "unsigned long long k{index} = {shown};");
        let _ = writeln!(text, "_Static_assert((unsigned long long)({shown}) == {:#x}ULL, \"\");", *value as u64);
    }
    text.push_str("struct fields {\n");
    for (index, (declared, width)) in body.fields.iter().enumerate() {
        let _ = writeln!(text, "    {} f{index} : {width};", declared.name());
    }
    text.push_str("} s;\n");
    // Half of the variables live in memory, half of them may stay out of it.
    let is_global = |index: &usize| index.is_multiple_of(2);
    let declare = |index: usize| format!("{} v{index};\n", body.variables[index].name());
    (0..body.variables.len()).filter(is_global).for_each(|index| text.push_str(&declare(index)));
    text.push_str("int main(void)\n{\n");
    (0..body.variables.len()).filter(|index| !is_global(index)).for_each(|index| text.push_str(&declare(index)));
    let _ = writeln!(text, "    unsigned long long out[{n_results}];");
    (0..body.variables.len()).for_each(|i| text.push_str(&format!("    v{i} = __VERIFIER_nondet_ulonglong();\n")));
    (0..body.fields.len()).for_each(|i| text.push_str(&format!("    s.f{i} = __VERIFIER_nondet_ulonglong();\n")));
    let mut results = Vec::new();
    for expression in &body.statements {
        let shown = writer::shown(expression, body);
        results.push(shown.clone());
        results.push(format!("_Generic(+({shown}){})", Type::generic_cases()));
    }
    results.extend((0..body.variables.len()).map(|index| format!("v{index}")));
    results.extend((0..body.fields.len()).map(|index| format!("s.f{index}")));
    results.extend((0..body.constants.len()).map(|index| format!("k{index}")));
    for (position, result) in results.iter().enumerate() {
        let _ = writeln!(text, "    out[{position}] = {result};");
    }
    text.push_str("    unsigned which = (unsigned)__VERIFIER_nondet_int();\n");
    text.push_str("    unsigned long long all = out[which / 2u];\n");
    text.push_str("    return which % 2u ? (int)(unsigned)(all >> 32) : (int)(unsigned)all;\n}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_meaning_is_noticed() {
        let compare_models = |seed: u64, compiled_for: DataModel| {
            let body = Body { constants: Vec::new(), ..body(seed, DataModel::Lp64) };
            compare_under(&body, compiled_for, &text(&body), seed, Property::UnreachCall)
        };
        let differing = |model| (0..60).filter_map(|seed| compare_models(seed, model).err()).collect::<Vec<_>>();
        let n_noticed = differing(DataModel::Ilp32).iter().filter(|said| said.contains("the standard says")).count();
        assert!(n_noticed > 20, "only {n_noticed}");
        // Conflicts that the front end cannot rule out are refused.
        let same = differing(DataModel::Lp64);
        assert_eq!(same.iter().find(|said| !said.contains("order of evaluation")), None);
    }
}
