//! Families of safe programs with a size: each larger program has more of the same.

use std::fmt::Write;

/// A family.
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// The smallest size.
    pub first: u64,
    /// The size whose instructions are counted.
    pub counted: u64,
    /// The program of a size.
    pub program: fn(u64) -> String,
}

/// All families.
pub const FAMILIES: &[Family] = &[
    Family { name: "locks", first: 8, counted: 64, program: locks },
    Family { name: "states", first: 8, counted: 32, program: states },
    Family { name: "statements", first: 256, counted: 2048, program: statements },
    Family { name: "functions", first: 32, counted: 256, program: functions },
    Family { name: "loops", first: 2, counted: 16, program: loops },
    Family { name: "branches", first: 32, counted: 256, program: branches },
    Family { name: "cells", first: 8, counted: 32, program: cells },
    Family { name: "calls", first: 32, counted: 256, program: calls },
    Family { name: "globals", first: 8, counted: 128, program: globals },
];

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

/// The program with a line for each number below `n`.
fn each(out: &mut String, n: u64, line: impl Fn(u64) -> String) {
    (0..n).for_each(|i| writeln!(out, "{}", line(i)).expect("a string takes everything"));
}

/// Locks that are taken and released in each round under their own condition.
fn locks(n: u64) -> String {
    let mut out = format!("{HEAD}int main(void) {{\n");
    each(&mut out, n, |i| format!("int wanted{i} = __VERIFIER_nondet_int(), held{i};"));
    out.push_str("while (__VERIFIER_nondet_int()) {\n");
    each(&mut out, n, |i| format!("held{i} = 0;\nif (wanted{i})\nheld{i} = 1;"));
    each(&mut out, n, |i| format!("if (wanted{i} && !held{i})\nreach_error();"));
    out + "}\nreturn 0;\n}\n"
}
/// A state machine: a ring of states, and a bit that is the parity of the state.
fn states(n: u64) -> String {
    let mut out = format!(
        "{HEAD}int main(void) {{\nint state = 0, odd = 0;\nwhile (1) {{\nint in = __VERIFIER_nondet_int();\nswitch (state) {{\n"
    );
    each(&mut out, n, |i| {
        let (next, far) = ((i + 1) % n, (i * 5 + 2) % n);
        format!(
            "case {i}:\nif (in == {i}) {{ state = {next}; odd = {}; }}\nelse if (in < 0) {{ state = {far}; odd = {}; }}\nbreak;",
            next % 2,
            far % 2
        )
    });
    out + "default:\nreach_error();\n}\nif (odd != state % 2)\nreach_error();\n}\n}\n"
}
/// Statements in sequence that keep a number even.
fn statements(n: u64) -> String {
    let mut out = format!("{HEAD}int main(void) {{\nunsigned x = __VERIFIER_nondet_int(), y = x & 1, even = 0;\n");
    each(&mut out, n, |i| {
        ["even = even + 2;", "y = y ^ x;", "even = even + (x & 6);", "x = x + y + 1;"][(i % 4) as usize].to_owned()
    });
    out + "if (even & 1)\nreach_error();\nreturn 0;\n}\n"
}
/// Functions that are called one after the other.
fn functions(n: u64) -> String {
    let mut out = format!("{HEAD}unsigned even;\n");
    each(&mut out, n, |i| format!("static void f{i}(int a)\n{{\nif (a)\neven += 2;\nelse\neven += 4;\n}}"));
    out.push_str("int main(void)\n{\n");
    each(&mut out, n, |i| format!("f{i}(__VERIFIER_nondet_int());"));
    out + "if (even & 1)\nreach_error();\nreturn 0;\n}\n"
}
/// Loops in sequence, each with its own counter.
fn loops(n: u64) -> String {
    let mut out = format!("{HEAD}int main(void) {{\n");
    each(&mut out, n, |i| {
        format!(
            "unsigned n{i} = __VERIFIER_nondet_int(), i{i} = 0;\nwhile (i{i} < n{i})\ni{i}++;\nif (i{i} != n{i})\nreach_error();"
        )
    });
    out + "return 0;\n}\n"
}
/// Branches in sequence.
fn branches(n: u64) -> String {
    let mut out = format!("{HEAD}int main(void) {{\nunsigned even = 0;\n");
    each(&mut out, n, |_| "if (__VERIFIER_nondet_int())\neven += 2;\nelse\neven += 4;".to_owned());
    out + "if (even & 1)\nreach_error();\nreturn 0;\n}\n"
}
/// An array of this many cells that a loop fills.
fn cells(n: u64) -> String {
    format!(
        "{HEAD}int a[{n}];\nint main(void)\n{{\nfor (int i = 0; i < {n}; i++)\na[i] = i;\nint k = __VERIFIER_nondet_int();\n\
         if (k >= 0 && k < {n} && a[k] != k)\nreach_error();\nreturn 0;\n}}\n"
    )
}
/// A tree of calls with this many leaves.
fn calls(n: u64) -> String {
    let mut out = format!("{HEAD}unsigned even;\nstatic void f0(unsigned a)\n{{\neven += a ? 2 : 4;\n}}\n");
    let depth = u64::from(n.max(2).ilog2());
    each(&mut out, depth, |i| format!("static void f{}(unsigned a)\n{{\nf{i}(a & {i});\nf{i}(a + {i});\n}}", i + 1));
    out + &format!(
        "int main(void)\n{{\nf{depth}(__VERIFIER_nondet_int());\nif (even & 1)\nreach_error();\nreturn 0;\n}}\n"
    )
}
/// Global variables that a loop changes.
fn globals(n: u64) -> String {
    let mut out = HEAD.to_owned();
    each(&mut out, n, |i| format!("unsigned even{i};"));
    out.push_str("int main(void)\n{\nwhile (__VERIFIER_nondet_int()) {\n");
    each(&mut out, n, |i| format!("even{i} += 2;"));
    out.push_str("}\n");
    each(&mut out, n, |i| format!("if (even{i} & 1)\nreach_error();"));
    out + "return 0;\n}\n"
}
