//! The program means what the file says: random small systems, all of whose runs are tried both ways.

mod explore;

use base::{Bits, FastMap, Random};
use explore::reached_errors;
use term::smtlib::{Command, Reader};
use term::{Op, Term, Terms, Value, eval};
use vmtfront::{Chosen, read_vmt};

/// Two truth values and a word of two bits as state, one of each as input.
const STATES: [(&str, &str); 3] = [("p", "Bool"), ("q", "Bool"), ("w", "(_ BitVec 2)")];
const INPUTS: [(&str, &str); 2] = [("i", "Bool"), ("v", "(_ BitVec 2)")];

fn word(random: &mut Random, next: bool, depth: u32) -> String {
    match random.below(if depth == 0 { 3 } else { 5 }) {
        0 => if next && random.one_in(2) { "w+" } else { "w" }.to_owned(),
        1 => "v".to_owned(),
        2 => format!("#b{}{}", random.below(2), random.below(2)),
        3 => format!("(bvadd {} {})", word(random, next, depth - 1), word(random, next, depth - 1)),
        _ => format!(
            "(ite {} {} {})",
            formula(random, next, depth - 1),
            word(random, next, depth - 1),
            word(random, next, depth - 1)
        ),
    }
}

fn formula(random: &mut Random, next: bool, depth: u32) -> String {
    let prime = if next && random.one_in(2) { "+" } else { "" };
    match random.below(if depth == 0 { 3 } else { 9 }) {
        0 => format!("p{prime}"),
        1 => format!("q{prime}"),
        2 => "i".to_owned(),
        3 | 4 => format!("(and {} {})", formula(random, next, depth - 1), formula(random, next, depth - 1)),
        5 => format!(
            "(or {} {} {})",
            formula(random, next, depth - 1),
            formula(random, next, depth - 1),
            formula(random, next, depth - 1)
        ),
        6 => format!("(= {} {})", word(random, next, depth - 1), word(random, next, depth - 1)),
        7 => format!("(= {} {})", formula(random, next, depth - 1), formula(random, next, depth - 1)),
        _ => format!("(not {})", formula(random, next, depth - 1)),
    }
}

/// A step in one of the styles that tools write: equations, transitions, rules, or anything.
fn step(random: &mut Random) -> String {
    let literal = |random: &mut Random, name: &str| match random.below(3) {
        0 => name.to_owned(),
        1 => format!("(not {name})"),
        _ => "true".to_owned(),
    };
    match random.below(4) {
        0 => format!(
            "(and (= p+ {}) (= q+ {}) (= w+ {}))",
            formula(random, false, 2),
            formula(random, false, 2),
            word(random, false, 2)
        ),
        1 => {
            let mut parts = String::new();
            for _ in 0..4 {
                parts.push_str(&format!(
                    "(and {} {} {} {} {} (= w+ {})) ",
                    literal(random, "p"),
                    literal(random, "q"),
                    literal(random, "p+"),
                    literal(random, "q+"),
                    formula(random, false, 1),
                    word(random, false, 1)
                ));
            }
            format!("(or {parts})")
        }
        2 => format!(
            "(and (=> i (and (= w+ {}) {})) (=> (not i) (= w+ w)) (= p+ {}) (or (not q) {}) (= q+ {}))",
            word(random, false, 1),
            formula(random, true, 1),
            formula(random, false, 1),
            formula(random, true, 1),
            formula(random, false, 2)
        ),
        _ => format!("(and {} {} {})", formula(random, true, 3), formula(random, true, 2), formula(random, true, 2)),
    }
}

struct Written {
    text: String,
    /// Of init, step and property.
    formulas: [String; 3],
}

fn system(random: &mut Random) -> Written {
    let mut text = String::new();
    for (name, sort) in STATES {
        text.push_str(&format!("(declare-fun {name} () {sort})\n(declare-fun {name}+ () {sort})\n"));
        text.push_str(&format!("(define-fun .{name} () {sort} (! {name} :next {name}+))\n"));
    }
    for (name, sort) in INPUTS {
        text.push_str(&format!("(declare-fun {name} () {sort})\n"));
    }
    let init = match random.below(3) {
        0 => "(and (not p) (not q) (= w #b00))".to_owned(),
        1 => format!("(and p (= w #b01) {})", formula(random, false, 1)),
        _ => formula(random, false, 2),
    };
    let step = step(random);
    let property = format!("(or (not (and p q)) {})", formula(random, false, 1));
    for (role, formula) in [(":init", &init), (":trans", &step), (":invar-property", &property)] {
        text.push_str(&format!("(define-fun .{} () Bool (! {formula} {role} 0))\n", &role[1..]));
    }
    Written { text, formulas: [init, step, property] }
}

/// Whether some run violates the property, by the formulas as written.
fn fails_as_written(written: &Written) -> bool {
    let mut declarations = String::new();
    for (name, sort) in STATES {
        declarations.push_str(&format!("(declare-fun {name} () {sort})(declare-fun {name}+ () {sort})"));
    }
    for (name, sort) in INPUTS {
        declarations.push_str(&format!("(declare-fun {name} () {sort})"));
    }
    let asserts: String = written.formulas.iter().map(|formula| format!("(assert {formula})")).collect();
    let script = format!("{declarations}{asserts}");
    let mut terms = Terms::new();
    let mut reader = Reader::new(&script);
    let mut formulas = Vec::new();
    while let Some(command) = reader.next(&mut terms).expect("the script is well formed") {
        if let Command::Assert { formula, .. } = command {
            formulas.push(formula);
        }
    }
    // p, q, w as four bits; i, v as three.
    let holds = |formula: Term, state: u64, next: u64, input: u64| {
        let value = eval(&terms, formula, |symbol, _| {
            let name = terms.symbol_name(symbol);
            let (from, base) = match name.strip_suffix('+') {
                Some(base) => (next, base),
                None => (state, name),
            };
            Some(match base {
                "p" => Value::Bool(from & 1 == 1),
                "q" => Value::Bool(from & 2 == 2),
                "w" => Value::Bits(Bits::from_u64(2, from >> 2)),
                "i" => Value::Bool(input & 1 == 1),
                _ => Value::Bits(Bits::from_u64(2, input >> 1)),
            })
        });
        value == Ok(Value::Bool(true))
    };
    // A state together with the inputs of its step: those that init speaks of are shared with it.
    let mut open: Vec<(u64, u64)> =
        (0..16).flat_map(|s| (0..8).map(move |i| (s, i))).filter(|&(s, i)| holds(formulas[0], s, 0, i)).collect();
    let mut seen: FastMap<(u64, u64), ()> = FastMap::new();
    while let Some((state, input)) = open.pop() {
        if seen.insert((state, input), ()).is_some() {
            continue;
        }
        if !holds(formulas[2], state, 0, input) {
            return true;
        }
        for next in 0..16 {
            if holds(formulas[1], state, next, input) {
                open.extend((0..8).map(|input| (next, input)));
            }
        }
    }
    false
}

/// Whether some run of the program reaches an error.
fn fails(program: &program::Program, terms: &Terms) -> bool {
    let is_kept = |name: &str| STATES.iter().chain(&INPUTS).any(|(known, _)| *known == name);
    !reached_errors(program, terms, &is_kept).is_empty()
}

#[test]
fn a_program_fails_if_and_only_if_the_system_does() {
    let mut random = Random::new(11);
    let (mut failing, mut tried) = (0, 0);
    for _ in 0..400 {
        let written = system(&mut random);
        let mut terms = Terms::new();
        let Ok(compiled) = read_vmt("random.vmt", &written.text, Chosen::All, &mut terms) else {
            panic!("it is well formed: {}", written.text)
        };
        let expected = fails_as_written(&written);
        let (plain, shaped) = (&compiled.program, compiled.shaped.program());
        for program in [plain, shaped] {
            program::validate(program, &terms).expect("a program that is made keeps the laws");
        }
        assert_eq!(fails(plain, &terms), expected, "plain: {}", written.text);
        let drawn = shaped.vars.iter().filter(|variable| matches!(terms.op(variable.term), Op::Symbol(_))).count();
        if drawn > 16 {
            continue; // Too many choices to try all.
        }
        tried += 1;
        failing += usize::from(expected);
        assert_eq!(fails(shaped, &terms), expected, "shaped: {}", written.text);
    }
    assert!(tried > 150 && failing > 20 && failing < tried - 20, "{failing} of {tried} fail");
}
