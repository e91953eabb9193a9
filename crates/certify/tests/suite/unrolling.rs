//! Proofs by unrolling: wrong answers about paths are refused, and the conditions of errors are those of runs.

use base::{Bits, Budget, Random, Stopped};
use certify::Refusal;
use program::interp::{Inputs, Limits, Machine, Outcome, Request};
use program::symbolic::{Explored, Oracle, explore};
use program::{InputKind, Program};
use term::{SortKind, Symbol, Term, Terms, Value, eval};
use verdict::{Method, Proof};

use crate::case::Case;

/// Knows nothing: every path is followed.
struct Nothing;

impl Oracle for Nothing {
    fn closed(
        &mut self,
        _: &mut Terms,
        _: u32,
        _: Term,
        _: Option<Term>,
        _: &Budget,
    ) -> Result<Option<Vec<u64>>, Stopped> {
        Ok(None)
    }
}

fn unrolled(closed: Vec<(u32, Vec<u64>)>) -> Proof {
    let mut proof = Proof::by_runs(Method::Unrolling { questions: 0 });
    proof.closed = closed;
    proof
}

/// Three free bytes are written by computed indices, read back, and compared.
fn round_trip(condition: &str) -> Case {
    Case::c(&format!(
        "unsigned char table[4] = {{ 2, 0, 3, 1 }}, back[4];
         int main(void) {{
           unsigned char in[4], out[4]; int i;
           for (i = 0; i < 4; i++) {{ in[i] = __VERIFIER_nondet_uint() & 3; back[table[i]] = i; }}
           for (i = 0; i < 4; i++) out[i] = table[in[i]];
           for (i = 0; i < 4; i++) if ({condition}) reach_error();
           return 0; }}"
    ))
}

#[test]
fn a_table_and_its_inverse_are_the_identity() {
    let case = round_trip("back[out[i]] != in[i]");
    case.check(unrolled(Vec::new())).expect("no input breaks it");
}
#[test]
fn a_planted_error_is_refused() {
    for condition in ["out[i] == 3 && i == 2", "back[out[i]] == 3 && i == 3"] {
        let case = round_trip(condition);
        assert!(matches!(case.check(unrolled(Vec::new())), Err(Refusal::Malformed(_))), "{condition}");
    }
}
/// A loop whose end depends on an input of at most three.
fn copied(wrong: bool) -> Case {
    let bound = if wrong { 4 } else { 3 };
    Case::c(&format!(
        "int main(void) {{
           char from[4], to[4]; unsigned n = __VERIFIER_nondet_uint(), i; __VERIFIER_assume(n <= {bound});
           for (i = 0; i < n; i++) {{ from[i] = i; to[i] = from[i] + 1; }}
           if (i > 3) reach_error();
           return 0; }}"
    ))
}
#[test]
fn answers_that_paths_end_are_needed_and_checked() {
    // Which question is the last one of the loop shows when answers are tried: too early ones are wrong, none at all has no end.
    let accepted = |case: &Case| {
        (0..6).filter(|&number| case.check(unrolled(vec![(number, Vec::new())])).is_ok()).collect::<Vec<u32>>()
    };
    assert!(!accepted(&copied(false)).is_empty());
    assert_eq!(accepted(&copied(true)), Vec::<u32>::new());
    for number in 0..2 {
        let early = copied(false).check(unrolled(vec![(number, Vec::new())]));
        assert!(matches!(early, Err(Refusal::Malformed(_))), "question {number}");
    }
}
#[test]
fn a_list_of_sizes_must_have_all_of_them() {
    let case = Case::c(
        "extern void *malloc(unsigned);
         int main(void) {
           unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n >= 2 && n <= 5);
           char *p = malloc(n); if (!p) return 0;
           p[n - 1] = 7; if (p[n - 1] != 7) reach_error();
           return 0; }",
    );
    case.check(unrolled(vec![(0, vec![2, 3, 4, 5])])).expect("these are the sizes");
    for values in [vec![2, 3, 4], vec![3, 4, 5], vec![]] {
        let answer = case.check(unrolled(vec![(0, values.clone())]));
        assert!(matches!(answer, Err(Refusal::Malformed(_))), "{values:?}");
    }
    assert!(matches!(case.check(unrolled(Vec::new())), Err(Refusal::Unknown(_))), "a size without an answer");
}
#[test]
fn an_answer_that_fits_no_question_is_refused() {
    let case = copied(false);
    assert!(matches!(case.check(unrolled(vec![(0, vec![1])])), Err(Refusal::Malformed(_))), "values without a word");
    assert!(matches!(case.check(unrolled(vec![(0, vec![]), (0, vec![])])), Err(Refusal::Malformed(_))), "twice");
}
#[test]
fn addresses_of_different_objects_are_compared_by_the_laws_alone() {
    let safe = Case::c("int a, b; int main(void) { int *p = &a; if (p == &b || p == 0) reach_error(); return 0; }");
    safe.check(unrolled(Vec::new())).expect("live objects are apart");
    // One past the end of one object may be the first byte of another; the order of objects is open.
    for condition in ["&a + 1 == &b", "&a < &b", "&b < &a"] {
        let case = Case::c(&format!("int a, b; int main(void) {{ if ({condition}) reach_error(); return 0; }}"));
        assert!(case.check(unrolled(Vec::new())).is_err(), "{condition}");
    }
}
#[test]
fn a_path_into_the_middle_of_a_loop_is_followed() {
    // A switch into a loop, and a goto into the inner one of two loops, whose heads no path comes to from before.
    let duff = |n: u32, expected: u32| {
        format!(
            "int sum, left = {n}; int main(void) {{
               switch ({n} & 1) {{ case 0: do {{ sum += 1; case 1: sum += 10; }} while (--left > 0); }}
               if (sum != {expected}) reach_error();
               return 0; }}"
        )
    };
    let nested = |expected: u32| {
        format!(
            "int sum, i, j; int main(void) {{
               goto inside;
               for (i = 0; i < 2; i++) {{ for (j = 0; j < 2; j++) {{ sum += 1; inside: sum += 10; }} }}
               if (sum != {expected}) reach_error();
               return 0; }}"
        )
    };
    for text in [duff(2, 22), duff(3, 32), nested(43)] {
        Case::c(&text).check(unrolled(Vec::new())).expect("the sum is right");
    }
    for text in [duff(2, 0), duff(2, 21), duff(3, 31), nested(0), nested(44)] {
        assert!(matches!(Case::c(&text).check(unrolled(Vec::new())), Err(Refusal::Malformed(_))), "{text}");
    }
}

// ---- conditions of errors against runs

/// Inputs by the order of their requests; everything else is zero.
struct Given<'a> {
    values: &'a [u64],
    next: usize,
}

impl Inputs for Given<'_> {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        if !matches!(request.info.map(|info| &info.kind), Some(InputKind::Nondet(_))) {
            return 0;
        }
        self.next += 1;
        self.values.get(self.next - 1).copied().map_or(0, u128::from)
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// Whether the run on these inputs reaches an error.
fn run(program: &Program, terms: &Terms, values: &[u64]) -> bool {
    let mut machine = Machine::new(program, terms).expect("it can be executed");
    let mut inputs = Given { values, next: 0 };
    matches!(machine.run(&mut inputs, &Limits::default(), &Budget::default()).outcome, Outcome::Error(_))
}

/// Random programs over two arrays, a pointer into one of them and two inputs, which are read at the start.
fn random_program(random: &mut Random) -> String {
    let mut text = String::from(
        "struct s { unsigned char c; unsigned short h; unsigned w; } s[2], t;
         unsigned char a[4] = { 1, 2, 3, 4 }, b[4]; unsigned x, y, i, j; unsigned char *p; unsigned short *q;
         unsigned f(unsigned char *r, unsigned k) { if (k & 1) { *r = k; return *r + 1; } return r[0]; }
         int main(void) { x = __VERIFIER_nondet_uint() & 7; y = __VERIFIER_nondet_uint() & 7; p = a; q = &s[0].h;\n",
    );
    for _ in 0..3 + random.below(8) {
        let statement = statement(random, 2);
        text.push_str(&statement);
    }
    text.push_str(&format!("if ({}) reach_error(); return 0; }}", condition(random)));
    text
}
fn word(random: &mut Random) -> String {
    let all = [
        "x",
        "y",
        "i",
        "a[x & 3]",
        "b[y & 3]",
        "*p",
        "p[1]",
        "a[b[1] & 3]",
        "s[x & 1].w",
        "s[1].h",
        "t.c",
        "*q",
        "(x << 2)",
        "(a[0] ^ y)",
        "(p == a)",
        "(x + y)",
        "(unsigned)(x * 3)",
        "(y >> 1)",
        "7u",
        "f(&b[x & 3], y)",
        "sizeof a",
    ];
    (*random.pick(&all)).to_owned()
}
fn condition(random: &mut Random) -> String {
    let (a, b) = (word(random), word(random));
    let all = [
        format!("{a} == {b}"),
        format!("{a} < {b}"),
        format!("{a} != 2 && {b} > 3"),
        format!("p == b || {a} == 1"),
        "p == a + 1".to_owned(),
    ];
    random.pick(&all).clone()
}
fn statement(random: &mut Random, depth: u32) -> String {
    let (value, other) = (word(random), condition(random));
    let all = [
        format!("a[{value} & 3] = x;"),
        format!("b[y & 3] = {value};"),
        format!("*p = {value};"),
        format!("s[y & 1].h = {value};"),
        format!("s[1].w = {value} * 5;"),
        "t = s[x & 1];".to_owned(),
        "s[0] = t;".to_owned(),
        format!("p = ({other}) ? a + 1 : b;"),
        "p = a + (x & 1);".to_owned(),
        "q = &s[y & 1].h; *q = x;".to_owned(),
        format!("x = {value};"),
        format!("y = f(p, {value}) & 15;"),
        format!(
            "switch ({value}) {{ case 1: x = 2; break; case 2: y = 3; case 3: b[1] = 9; break; default: a[3] = y; }}"
        ),
        format!("*(unsigned short *)(void *)&b[2] = {value};"),
    ];
    let one = random.pick(&all).clone();
    if depth == 0 {
        return one;
    }
    let inner = statement(random, depth - 1);
    match random.below(4) {
        0 => format!("if ({other}) {{ {inner} }} else {{ {one} }}\n"),
        1 => format!("for (i = 0; i < {}; i++) {{ {inner} {one} }}\n", 1 + random.below(3)),
        2 => format!("for (j = 0; j < (x & 3); j++) {{ {one} if ({other}) break; {inner} x++; if (j > 4) break; }}\n"),
        _ => format!("{one}\n"),
    }
}

#[test]
fn the_condition_of_an_error_is_that_of_the_runs_that_reach_it() {
    let mut random = Random::new(17);
    let (mut explored_programs, mut failing) = (0, 0);
    for number in 0..400 {
        let text = random_program(&mut random);
        let case = Case::c(&text);
        let budget = Budget::ticks(200_000, std::sync::Arc::default());
        let Ok(Explored { mut terms, errors, .. }) = explore(&case.program, &case.terms, &mut Nothing, &budget) else {
            continue; // Loops that only a solver ends, or addresses that it refuses.
        };
        explored_programs += 1;
        let conditions: Vec<Term> = errors.iter().map(|&(_, condition)| condition).collect();
        let any = terms.or(&conditions);
        // Inputs are met in their order: the first two values that are made after those of globals.
        let first = case.program.vars.iter().filter(|var| var.kind == program::VarKind::Global).count() as u64;
        for x in 0..8u64 {
            for y in 0..8u64 {
                let expected = run(&case.program, &case.terms, &[x, y]);
                let model = |symbol: Symbol, _: &[Value]| {
                    let value = match terms.symbol_name(symbol).strip_prefix("any!").map(str::parse::<u64>) {
                        Some(Ok(n)) if n == first + 1 => x,
                        Some(Ok(n)) if n == first + 2 => y,
                        _ => 0,
                    };
                    Some(match *terms.sort_kind(terms.symbol_result(symbol)) {
                        SortKind::BitVec(width) => Value::Bits(Bits::from_u64(width, value)),
                        _ => Value::Bool(value != 0),
                    })
                };
                let found = eval(&terms, any, model).expect("it has a value");
                assert_eq!(found, Value::Bool(expected), "program {number} on {x}, {y}:\n{text}");
                failing += u32::from(expected);
            }
        }
    }
    assert!(explored_programs > 150 && failing > 500, "{explored_programs} programs, {failing} failing runs");
}
