//! BTOR2 files mean what the format's definition says: each operator against a table of its own, and small systems
//! whose runs are all tried.
//!
//! The evaluator here knows numbers only. It was written from the description of the format [NiemetzPreinerWolfBiere-CAV'18]
//! and of SMT-LIB's bit-vectors, which it refers to, and shares no code with the reader.

mod explore;

use base::{Bits, Random};
use explore::reached_errors;
use program::{Action, Mark, Program};
use term::{Term, Terms, Value, eval};
use vmtfront::{Chosen, read_btor2};

fn mask(width: u32) -> u64 {
    (1 << width) - 1
}
/// The value as a signed number.
fn signed(width: u32, value: u64) -> i64 {
    if value >> (width - 1) == 1 { value as i64 - (1 << width) } else { value as i64 }
}

/// The value of a unary operator.
fn unary(name: &str, width: u32, a: u64) -> u64 {
    match name {
        "not" => !a & mask(width),
        "inc" => (a + 1) & mask(width),
        "dec" => a.wrapping_sub(1) & mask(width),
        "neg" => a.wrapping_neg() & mask(width),
        "redand" => u64::from(a == mask(width)),
        "redor" => u64::from(a != 0),
        "redxor" => u64::from(a.count_ones() % 2),
        _ => panic!("{name}"),
    }
}

/// Operators of two words of one width that yield such a word.
const WORDS: &[&str] = &[
    "and", "nand", "nor", "or", "xnor", "xor", "sll", "sra", "srl", "rol", "ror", "add", "sub", "mul", "udiv", "urem",
    "sdiv", "srem", "smod",
];
/// Operators of two words of one width that yield a bit.
const BITS: &[&str] = &[
    "eq", "neq", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte", "saddo", "uaddo", "ssubo", "usubo",
    "smulo", "umulo", "sdivo",
];

/// The value of a binary operator on words of one width.
fn binary(name: &str, width: u32, a: u64, b: u64) -> u64 {
    let (x, y) = (signed(width, a), signed(width, b));
    let does_not_fit = |value: i64| u64::from(value < -(1 << (width - 1)) || value >= 1 << (width - 1));
    let word = |value: i64| value as u64 & mask(width);
    match name {
        "and" => a & b,
        "nand" => !(a & b) & mask(width),
        "nor" => !(a | b) & mask(width),
        "or" => a | b,
        "xnor" => !(a ^ b) & mask(width),
        "xor" => a ^ b,
        "sll" => {
            if b >= u64::from(width) {
                0
            } else {
                a << b & mask(width)
            }
        }
        "srl" => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        "sra" => word(x >> b.min(62)),
        "rol" => (0..b).fold(a, |value, _| (value << 1 | value >> (width - 1)) & mask(width)),
        "ror" => (0..b).fold(a, |value, _| value >> 1 | (value & 1) << (width - 1)),
        "add" => (a + b) & mask(width),
        "sub" => a.wrapping_sub(b) & mask(width),
        "mul" => (a * b) & mask(width),
        "udiv" => a.checked_div(b).unwrap_or(mask(width)),
        "urem" => a.checked_rem(b).unwrap_or(a),
        // Division by zero yields minus one or one, by the sign of the dividend.
        "sdiv" => word(x.checked_div(y).unwrap_or(if x < 0 { 1 } else { -1 })),
        // The remainder has the sign of the dividend, the modulus that of the divisor.
        "srem" => word(x.checked_rem(y).unwrap_or(x)),
        "smod" => {
            let rest = x.checked_rem(y).unwrap_or(x);
            word(if rest != 0 && y != 0 && (rest < 0) != (y < 0) { rest + y } else { rest })
        }
        "eq" => u64::from(a == b),
        "neq" => u64::from(a != b),
        "sgt" => u64::from(x > y),
        "ugt" => u64::from(a > b),
        "sgte" => u64::from(x >= y),
        "ugte" => u64::from(a >= b),
        "slt" => u64::from(x < y),
        "ult" => u64::from(a < b),
        "slte" => u64::from(x <= y),
        "ulte" => u64::from(a <= b),
        "saddo" => does_not_fit(x + y),
        "uaddo" => u64::from(a + b > mask(width)),
        "ssubo" => does_not_fit(x - y),
        "usubo" => u64::from(a < b),
        "smulo" => does_not_fit(x * y),
        "umulo" => u64::from(a * b > mask(width)),
        "sdivo" => u64::from(y == -1 && x == -(1 << (width - 1))),
        _ => panic!("{name}"),
    }
}

/// The condition under which the only `bad` is reached, and its store.
fn bad(text: &str) -> (Term, Terms, Program) {
    let mut terms = Terms::new();
    let compiled =
        read_btor2("op.btor2", text, Chosen::All, &mut terms).unwrap_or_else(|found| panic!("{found:?}\n{text}"));
    let program = compiled.program;
    let is_error = |loc: program::Loc| matches!(program.locations[loc].mark, Mark::Error(_));
    let mut conditions = program.edges.iter().filter(|edge| is_error(edge.to));
    let Some(Action::Assume(condition)) = conditions.next().map(|edge| edge.action.clone()) else { panic!("{text}") };
    assert!(conditions.next().is_none());
    (condition, terms, program)
}

fn holds(terms: &Terms, condition: Term, of: &[(&str, u32, u64)]) -> bool {
    let value = eval(terms, condition, |symbol, _| {
        let name = terms.symbol_name(symbol);
        let &(_, width, value) = of.iter().find(|(known, ..)| *known == name).expect("it is an input");
        Some(Value::Bits(Bits::from_u64(width, value)))
    });
    value == Ok(Value::Bool(true))
}

/// A line of an operator on inputs `a` and `b`, and again on constants, has the expected value for all of them.
fn agrees(line: &str, widths: [u32; 3], expected: impl Fn(u64, u64) -> u64) {
    let [wa, wb, wr] = widths;
    let sorts = format!("1 sort bitvec 1\n2 sort bitvec {wa}\n3 sort bitvec {wb}\n4 sort bitvec {wr}\n");
    let rest = format!("9 {line}\n10 neq 1 9 7\n11 bad 10\n");
    let text = format!("{sorts}5 input 2 a\n6 input 3 b\n7 input 4 r\n{rest}");
    let (condition, terms, _) = bad(&text);
    for a in 0..1 << wa {
        for b in 0..1 << wb {
            let right = expected(a, b);
            for r in 0..1 << wr {
                let differs = holds(&terms, condition, &[("a", wa, a), ("b", wb, b), ("r", wr, r)]);
                assert_eq!(differs, r != right, "{line} of {a} and {b} is {right}, not {r}, in {widths:?} bits");
            }
        }
    }
    // On constants the store computes the value itself.
    let (a, b) = (mask(wa) / 3 * 2 + 1, mask(wb) / 2 + 1);
    for (a, b) in [(a & mask(wa), 0), (a & mask(wa), b & mask(wb)), (0, 0), (1 << (wa - 1), mask(wb))] {
        let text = format!("{sorts}5 constd 2 {a}\n6 constd 3 {b}\n7 constd 4 {}\n{rest}", expected(a, b));
        let (condition, terms, _) = bad(&text);
        assert!(!holds(&terms, condition, &[]), "{line} of the constants {a} and {b} in {widths:?} bits");
    }
}

#[test]
fn operators_have_the_values_of_the_definition() {
    for width in 1..=5 {
        for name in WORDS {
            agrees(&format!("{name} 2 5 6"), [width; 3], |a, b| binary(name, width, a, b));
        }
        for name in BITS {
            agrees(&format!("{name} 1 5 6"), [width, width, 1], |a, b| binary(name, width, a, b));
        }
        for name in ["not", "inc", "dec", "neg"] {
            agrees(&format!("{name} 2 5"), [width, 1, width], |a, _| unary(name, width, a));
        }
        for name in ["redand", "redor", "redxor"] {
            agrees(&format!("{name} 1 5"), [width, 1, 1], |a, _| unary(name, width, a));
        }
        agrees("add 2 -5 -6", [width; 3], |a, b| ((!a & mask(width)) + (!b & mask(width))) & mask(width));
        agrees("concat 4 5 6", [width, 2, width + 2], |a, b| a << 2 | b);
        agrees("uext 4 5 2", [width, 1, width + 2], |a, _| a);
        agrees("sext 4 5 2", [width, 1, width + 2], |a, _| signed(width, a) as u64 & mask(width + 2));
        agrees("ite 2 6 5 -5", [width, 1, width], |a, b| if b == 1 { a } else { !a & mask(width) });
    }
    agrees("slice 4 5 3 1", [5, 1, 3], |a, _| a >> 1 & 7);
    agrees("implies 1 5 6", [1, 1, 1], |a, b| u64::from(a <= b));
    agrees("iff 1 5 6", [1, 1, 1], |a, b| u64::from(a == b));
}

#[test]
fn constants_are_written_in_three_bases() {
    for (line, value) in [("const 2 1010", 10), ("constd 2 -6", 10), ("constd 2 10", 10), ("consth 2 a", 10)] {
        agrees(&line.replace("2 ", "4 "), [1, 1, 4], |_, _| value);
    }
    for (line, value) in [("zero 4", 0), ("one 4", 1), ("ones 4", 15), ("constd 4 -8", 8)] {
        agrees(line, [1, 1, 4], |_, _| value);
    }
    for line in
        ["constd 1 16", "constd 1 -9", "const 1 101", "const 1 01010", "consth 1 1a", "constd 1 a", "consth 1 -1"]
    {
        let text = format!("1 sort bitvec 4\n2 {line}\n");
        let found = read_btor2("op.btor2", &text, Chosen::All, &mut Terms::new()).expect_err(line);
        assert!(found[0].message.contains("no constant of 4 bits"), "{found:?}");
    }
}

#[test]
fn a_memory_reads_what_was_written_last() {
    let text = "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 2 2\n4 zero 2\n5 state 3 m\n6 init 3 5 4\n\
        7 input 2 a\n8 input 2 b\n9 input 2 v\n10 write 3 5 7 9\n11 read 2 10 8\n12 read 2 5 8\n13 eq 1 7 8\n\
        14 ite 2 13 9 12\n15 neq 1 11 14\n16 bad 15\n";
    let (condition, mut terms, program) = bad(text);
    let memory = program.vars.iter().find(|var| var.name == "m").expect("it is a state").term;
    let filled = terms.bv(2, 0);
    let sort = terms.sort_of(memory);
    let filled = terms.const_array(sort, filled);
    let condition = term::Substitution::new(&terms, &[(memory, filled)]).apply(&mut terms, condition);
    for n in 0..64 {
        let of = [("a", 2, n & 3), ("b", 2, n >> 2 & 3), ("v", 2, n >> 4)];
        assert!(!holds(&terms, condition, &of), "{of:?}");
    }
}

// ---- systems

/// A system over two states and an input of two bits each, in numbers.
struct System {
    init: [Option<u64>; 2],
    /// Operator and operands: 0 and 1 are the states, 2 the input, 3 the constant one.
    next: [Option<Operation>; 2],
    constraint: Option<Operation>,
    bads: Vec<Operation>,
}
type Operation = (&'static str, usize, usize);

impl System {
    fn random(random: &mut Random) -> System {
        let operation = |random: &mut Random, names: &[&'static str]| {
            (*random.pick(names), random.below(4) as usize, random.below(4) as usize)
        };
        let next = [0, 1].map(|_| random.below(4).ne(&0).then(|| operation(random, WORDS)));
        let constraint = random.one_in(3).then(|| operation(random, BITS));
        let bads = (0..1 + random.below(3)).map(|_| operation(random, BITS)).collect();
        let init = [0, 1].map(|_| random.below(4).ne(&0).then(|| random.below(4)));
        System { init, next, constraint, bads }
    }
    fn text(&self) -> String {
        let mut lines = vec!["1 sort bitvec 1".to_owned(), "2 sort bitvec 2".to_owned()];
        let mut id = 6;
        lines.extend(["3 state 2 s", "4 state 2 t", "5 input 2 i", "6 one 2"].map(str::to_owned));
        let mut line = |text: String| {
            id += 1;
            lines.push(format!("{id} {text}"));
            id
        };
        let node = |(name, a, b): Operation, sort: u32| format!("{name} {sort} {} {}", a + 3, b + 3);
        for state in 0..2 {
            if let Some(value) = self.init[state] {
                let value = line(format!("constd 2 {value}"));
                line(format!("init 2 {} {value}", state + 3));
            }
            if let Some(next) = self.next[state] {
                let next = line(node(next, 2));
                line(format!("next 2 {} {next}", state + 3));
            }
        }
        if let Some(constraint) = self.constraint {
            let holds = line(node(constraint, 1));
            line(format!("constraint {holds}"));
        }
        for &bad in &self.bads {
            let bad = line(node(bad, 1));
            line(format!("bad {bad}"));
        }
        lines.join("\n")
    }
    /// Which of the `bad` nodes some run reaches: every state with every input that the constraint allows.
    fn reached(&self) -> Vec<usize> {
        let value = |(name, a, b): Operation, of: [u64; 4]| binary(name, 2, of[a], of[b]);
        let mut open = Vec::new();
        let every = |fixed: Option<u64>| fixed.map_or((0..4).collect::<Vec<u64>>(), |value| vec![value]);
        for s in every(self.init[0]) {
            open.extend(every(self.init[1]).into_iter().map(|t| (s, t)));
        }
        let (mut seen, mut reached) = (Vec::new(), Vec::new());
        while let Some((s, t)) = open.pop() {
            if seen.contains(&(s, t)) {
                continue;
            }
            seen.push((s, t));
            for i in 0..4 {
                let of = [s, t, i, 1];
                if self.constraint.is_some_and(|constraint| value(constraint, of) == 0) {
                    continue;
                }
                reached.extend((0..self.bads.len()).filter(|&number| value(self.bads[number], of) == 1));
                let [first, second] = self.next.map(|next| every(next.map(|next| value(next, of))));
                for s in first {
                    open.extend(second.iter().map(|&t| (s, t)));
                }
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }
}

#[test]
fn a_bad_node_is_reached_whatever_the_others_do() {
    let mut random = Random::new(5);
    let (mut shadowed, mut unreached) = (0, 0);
    for _ in 0..150 {
        let system = System::random(&mut random);
        let (text, expected) = (system.text(), system.reached());
        let errors = |chosen: Chosen| {
            let mut terms = Terms::new();
            let compiled =
                read_btor2("s.btor2", &text, chosen, &mut terms).unwrap_or_else(|found| panic!("{found:?}\n{text}"));
            let found = |program| reached_errors(program, &terms, &|name| ["s", "t", "i"].contains(&name));
            (found(&compiled.program), found(compiled.shaped.program()))
        };
        let (plain, shaped) = errors(Chosen::All);
        assert_eq!((plain.is_empty(), shaped.is_empty()), (expected.is_empty(), expected.is_empty()), "{text}");
        shadowed += usize::from(plain.len() < expected.len());
        for number in 0..system.bads.len() {
            let alone: Vec<usize> = expected.iter().copied().filter(|&one| one == number).collect();
            unreached += usize::from(alone.is_empty());
            assert_eq!(errors(Chosen::Only(number)), (alone.clone(), alone), "bad {number} of\n{text}");
        }
    }
    assert!(shadowed > 10 && unreached > 20, "{shadowed} {unreached}");
}

#[test]
fn properties_of_infinite_runs_are_refused_unless_a_bad_node_is_chosen() {
    let text = "1 sort bitvec 1\n2 input 1 i\n3 zero 1\n4 bad 3\n5 justice 1 2\n";
    let found = read_btor2("s.btor2", text, Chosen::All, &mut Terms::new()).expect_err("`justice` is a property too");
    assert_eq!((found[0].severity, found[0].line), (base::Severity::Unsupported, 5));
    let read = read_btor2("s.btor2", text, Chosen::Only(0), &mut Terms::new()).expect("one `bad` is chosen");
    assert_eq!(read.warnings.len(), 1);
    let text = text.replace("justice 1 2", "fair 2");
    let read = read_btor2("s.btor2", &text, Chosen::All, &mut Terms::new()).expect("`fair` restricts infinite runs");
    assert_eq!(read.warnings.len(), 1);
}
