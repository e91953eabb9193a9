//! Programs with many assertions, for verdicts about each of them (`--assertions each`).
//!
//! Five families in four sizes each. What an assertion says, and whether it holds, is known from how it was made. The families differ in what
//! is hard about them: relations in a loop, the states of a machine, calls of one function, arithmetic without loops, and loops one after another.

use std::fmt::Write as _;

/// A program with assertions.
pub struct Asserting {
    /// The family and the number of assertions.
    pub name: String,
    /// C.
    pub text: String,
    /// Whether each assertion holds, in the order of the text.
    pub holds: Vec<bool>,
}

/// How many assertions the programs of a family have.
pub const SIZES: [usize; 4] = [5, 10, 20, 50];

/// All twenty programs.
pub fn programs() -> Vec<Asserting> {
    let families: [fn(usize) -> Asserting; 5] = [relations, machine, calls, words, chain];
    families.iter().flat_map(|family| SIZES.map(family)).collect()
}

const HEAD: &str = "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n";

/// The name, the text and what holds.
fn made(family: &str, body: &str, holds: Vec<bool>) -> Asserting {
    Asserting { name: format!("{family}_{}", holds.len()), text: format!("{HEAD}{body}"), holds }
}

/// A loop that keeps a relation for each assertion; every fifth one fails when the loop has gone far enough.
fn relations(n: usize) -> Asserting {
    let (mut declared, mut steps, mut asserted) = (String::new(), String::new(), String::new());
    let mut holds = Vec::new();
    for k in 1..=n {
        let _ = write!(declared, ", a{k} = 0");
        let _ = writeln!(steps, "    a{k} += {k};");
        let fails = k % 5 == 0;
        let claim = if fails { format!("a{k} != {}", 2 * k) } else { format!("a{k} == {k} * x") };
        // A run may pass by those that fail, so that no run must end there.
        let guard = if fails { "if (__VERIFIER_nondet_uint()) " } else { "" };
        let _ = writeln!(asserted, "    {guard}assert({claim});");
        holds.push(!fails);
    }
    let body = format!(
        "int main(void) {{\n  unsigned x = 0{declared};\n  while (__VERIFIER_nondet_uint()) {{\n    x++;\n{steps}{asserted}  }}\n  return 0;\n}}\n"
    );
    made("relations", &body, holds)
}

/// A machine that goes through its states in a ring and counts what it has been paid; in state `k` at least `k` coins are there.
fn machine(n: usize) -> Asserting {
    let (mut cases, mut asserted) = (String::new(), String::new());
    let mut holds = Vec::new();
    for k in 0..n {
        let next = (k + 1) % n;
        let pay = if next == 0 { "paid = 0" } else { "paid++" };
        let _ = writeln!(cases, "    case {k}: if (__VERIFIER_nondet_uint()) {{ state = {next}; {pay}; }} break;");
        let fails = k % 5 == 4 && k < 5;
        let claim = if fails { format!("paid < {k}") } else { format!("paid == {k}") };
        let _ = writeln!(asserted, "    if (state == {k}) assert({claim});");
        holds.push(!fails);
    }
    let body = format!(
        "int main(void) {{\n  unsigned state = 0, paid = 0;\n  while (1) {{\n{asserted}    switch (state) {{\n{cases}    }}\n  }}\n}}\n"
    );
    made("machine", &body, holds)
}

/// A function that is called again and again with arguments that are equal, or whose result is bounded.
fn calls(n: usize) -> Asserting {
    let mut text = String::from(
        "static unsigned mix(unsigned x, unsigned key) {\n  unsigned h = x * 2654435761u + key;\n  h ^= h >> 15;\n  h *= 2246822519u;\n  \
         h ^= h >> 13;\n  return h % 1000;\n}\nint main(void) {\n  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();\n",
    );
    let mut holds = Vec::new();
    for k in 0..n {
        let fails = k == 3;
        let _ = match k % 2 {
            0 => writeln!(text, "  assert(mix(x + y, {k}) == mix(y + x, {k}));"),
            _ if fails => writeln!(text, "  assert(mix(x ^ {k}, y) < 900);"),
            _ => writeln!(text, "  assert(mix(x ^ {k}, y) < 1000);"),
        };
        holds.push(!fails);
    }
    text.push_str("  return 0;\n}\n");
    made("calls", &text, holds)
}

/// Laws of arithmetic on words that grow from one another.
fn words(n: usize) -> Asserting {
    let mut text = String::from(
        "int main(void) {\n  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint() | 1, z = __VERIFIER_nondet_uint();\n",
    );
    let mut holds = Vec::new();
    for k in 0..n {
        let claim = match k % 5 {
            0 => "x % y < y".to_owned(),
            1 => "(x & z) + (x | z) == x + z".to_owned(),
            2 => format!("((x * {}u) & 1) == (x & 1)", 2 * k + 1),
            3 => "(x ^ z) == (x | z) - (x & z)".to_owned(),
            _ if k == 4 => "x + z >= x".to_owned(),
            _ => "x / y <= x".to_owned(),
        };
        let _ = writeln!(text, "  assert({claim});\n  x = x * 5 + z + {k}; z = z + {k};");
        holds.push(k != 4);
    }
    text.push_str("  return 0;\n}\n");
    made("words", &text, holds)
}

/// Loops one after another, each with an assertion behind it that needs what the loops before have left.
fn chain(n: usize) -> Asserting {
    let mut text = String::from("int main(void) {\n  unsigned n = __VERIFIER_nondet_uint() % 1000, s = 0, i;\n");
    let mut holds = Vec::new();
    for k in 1..=n {
        let fails = k == n;
        let claim = if fails { format!("s != {k} * 7") } else { format!("s == {k} * n") };
        let _ = writeln!(text, "  for (i = 0; i < n; i++) s++;\n  assert({claim});");
        holds.push(!fails);
    }
    text.push_str("  return 0;\n}\n");
    made("chain", &text, holds)
}
