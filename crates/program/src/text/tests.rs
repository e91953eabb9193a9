//! Round trips and diagnostics of the text form.

use base::{Diagnostic, Random};
use term::Terms;

use super::{parse, print};
use crate::random_program::random_program;
use crate::{Builder, Program, Shown, validate};

fn read(text: &str, terms: &mut Terms) -> Program {
    match parse("test.cfa", text, terms) {
        Ok(program) => program,
        Err(found) => panic!("{found:#?}\n{text}"),
    }
}

#[test]
fn what_was_printed_is_read_back_and_prints_the_same() {
    for seed in 0..1000 {
        let mut terms = Terms::without_simplification();
        let program = random_program(seed, &mut terms);
        let text = print(&program, &terms);
        let mut fresh = Terms::without_simplification();
        let again = read(&text, &mut fresh);
        assert_eq!(validate(&again, &fresh), Ok(()), "seed {seed}\n{text}");
        assert_eq!(print(&again, &fresh), text, "seed {seed}");
    }
}

#[test]
fn everything_in_the_model_survives() {
    // Reading into the same store gives the same terms, so the models can be compared as a whole.
    for seed in 0..200 {
        let mut terms = Terms::without_simplification();
        let program = random_program(seed, &mut terms);
        let text = print(&program, &terms);
        let again = read(&text, &mut terms);
        assert_eq!(format!("{again:?}"), format!("{program:?}"), "seed {seed}\n{text}");
    }
}

#[test]
fn a_simplifying_store_gives_a_lawful_program_too() {
    for seed in 0..200 {
        let mut terms = Terms::without_simplification();
        let program = random_program(seed, &mut terms);
        let mut simplifying = Terms::new();
        let again = read(&print(&program, &terms), &mut simplifying);
        assert_eq!(validate(&again, &simplifying), Ok(()), "seed {seed}");
    }
}

#[test]
fn damaged_text_gets_diagnostics_and_never_a_panic() {
    let mut random = Random::new(7);
    let mut refused = 0;
    for seed in 0..300 {
        let mut terms = Terms::without_simplification();
        let program = random_program(seed, &mut terms);
        let mut text = print(&program, &terms).into_bytes();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len() as u64) as usize;
            match random.below(4) {
                0 => text.truncate(at.max(1)),
                1 => text[at] = *random.pick(b"(){}\"|;#@,->1 \n\\L"),
                2 => {
                    text.remove(at);
                }
                _ => {
                    let end = (at + random.below(200) as usize).min(text.len());
                    let piece = text[at..end].to_vec();
                    let to = random.below(text.len() as u64) as usize;
                    text.splice(to..to, piece);
                }
            }
            if text.is_empty() {
                text.push(b'c');
            }
        }
        let text = String::from_utf8_lossy(&text);
        let mut fresh = Terms::without_simplification();
        match parse("damaged.cfa", &text, &mut fresh) {
            // Whatever is accepted has ids in range, so that it can be validated.
            Ok(program) => drop(validate(&program, &fresh)),
            Err(found) => {
                assert!(found.iter().all(|d| d.column > 0 && d.line > 0 && !d.message.is_empty()));
                assert!(!found.is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > 200, "only {refused} of 300 damaged texts were refused");
}

#[test]
fn deep_terms_and_sorts_are_read_without_recursion() {
    let n = 200_000;
    let text = format!(
        "cfa 1\npointer 32\nentry main\n\nglobal x Bool plain\nglobal a {}Bool{} plain\nfunction main () entry L0 exit L1 {{\n\
         at L0\nassume {}x{} -> L1\nat L1\n}}\n",
        "(Array Bool ".repeat(1000),
        ")".repeat(1000),
        "(not ".repeat(n),
        ")".repeat(n)
    );
    let mut terms = Terms::without_simplification();
    let program = read(&text, &mut terms);
    assert_eq!(validate(&program, &terms), Ok(()));
    let printed = print(&program, &terms);
    assert!(printed.contains(&"(not ".repeat(n)));

    let open = format!("cfa 1\npointer 32\nglobal x {}", "(Array ".repeat(n));
    assert!(parse("open.cfa", &open, &mut Terms::new()).is_err());
    let open = text.replace(')', "");
    assert!(parse("open.cfa", &open, &mut Terms::new()).is_err());
}

#[test]
fn a_shared_term_is_printed_in_linear_space() {
    let mut terms = Terms::without_simplification();
    let word = terms.bv_sort(32);
    let mut b = Builder::new(32);
    let f = b.function("main", None);
    let x = b.global(&mut terms, "x", word, Shown::Signed, None);
    let mut sum = b.term(x);
    for _ in 0..200 {
        sum = terms.bv_add(sum, sum);
    }
    b.assign(b.entry_of(f), b.exit_of(f), x, sum, None);
    let program = b.finish(f);
    let text = print(&program, &terms);
    assert!(text.len() < 10_000, "{} bytes", text.len());
    let mut fresh = Terms::without_simplification();
    let again = read(&text, &mut fresh);
    assert_eq!(print(&again, &fresh), text);
}

#[test]
fn many_mistakes_are_reported_in_one_go() {
    let text = "\
cfa 1
pointer 32
entry main
file \"a.c\"
input i0 nondet \"f\" signed @0:1
global x (_ BitVec 32) signed
global y (_ BitVec 8) wrong
global and Bool plain
function main () entry L0 exit L1 {
  at L0
    assume (bvult x zz) -> L1
    assign x := (bvadd x #x01) -> L1
    jump x -> L1
    assume true -> L9
    havoc x from i7 -> L1
    call other () -> L1
  at L1
}
";
    let found = parse("bad.cfa", text, &mut Terms::new()).expect_err("the text is wrong");
    let shown: Vec<String> = found.iter().map(|d| format!("{}:{}: {}", d.line, d.column, d.message)).collect();
    assert_eq!(
        shown,
        [
            "5:28: a place is written `@file:line:column` in numbers",
            "7:23: expected how values are shown: `plain`, `signed`, `unsigned`, `pointer`, `float`, found `wrong`",
            "8:8: `and` means something else; write it as `|and|`",
            "11:21: `zz` is not declared",
            "12:17: the second argument has sort (_ BitVec 8), but (_ BitVec 32) is expected",
            "13:5: this is not an action; actions are assume, assign, havoc, load, store, forget, call, alloc, free, end, probe, check and order",
            "14:20: this is mentioned here, but the file does not have it",
            "15:18: this is mentioned here, but the file does not have it",
            "16:10: there is no function `other`",
        ]
    );
    assert_eq!(found[3].source_line, "    assume (bvult x zz) -> L1");
    assert_eq!(found[3].length, 2);
}

#[track_caller]
fn check_refusal(text: &str, line: u32, message: &str) {
    let found = parse("bad.cfa", text, &mut Terms::new()).expect_err("the text is wrong");
    let first: &Diagnostic = &found[0];
    assert_eq!((first.line, first.message.as_str()), (line, message));
}

#[test]
fn missing_and_repeated_parts_are_named() {
    check_refusal("", 1, "expected `cfa 1` at the start, found the end of the file");
    check_refusal("cfa 1\n", 2, "expected a line `pointer 32` or `pointer 64` somewhere, found the end of the file");
    check_refusal("cfa 1\npointer 16", 2, "a pointer has 32 or 64 bits");
    check_refusal("cfa 1\npointer 32\nobject o0 \"a\" size 1 align 1\n", 4, "object o0 `a` has no address");
    check_refusal("cfa 1\npointer 32\ninput i1 memory plain\n", 4, "input i0 is missing");
    check_refusal("cfa 1\npointer 32\ninput i0 memory plain\ninput i0 memory plain\n", 4, "there is input i0 already");
    check_refusal(
        "cfa 1\npointer 32\nfunction f () entry L0 exit L0 {\nat L0\nfunction g () entry L1 exit L1 {\nat L1\n}\n",
        5,
        "expected `}` at the end of the function, found `function`",
    );
    check_refusal(
        "cfa 1\npointer 32\nglobal #4000000000 x Bool plain\n",
        3,
        "this number is too large: numbers are given out without gaps",
    );
}

/// The example of the manual.
const MANUAL: &str = include_str!("../../../../docs/cfa.md");

#[test]
fn the_example_in_the_manual_is_what_we_read_and_print() {
    let example = MANUAL.split("```cfa\n").nth(1).and_then(|rest| rest.split("```").next());
    let example = example.expect("the manual has an example");
    let mut terms = Terms::without_simplification();
    let program = read(example, &mut terms);
    assert_eq!(validate(&program, &terms), Ok(()));
    assert_eq!(print(&program, &terms), example);
}

#[test]
fn the_manual_names_every_word_of_the_language() {
    use super::words::Worded;
    let grammar = MANUAL.split("## Grammar").nth(1).expect("the manual has a grammar");
    let shown = Shown::ALL.iter().map(|shown| shown.word());
    let lifetimes = crate::Lifetime::ALL.iter().map(|lifetime| lifetime.word());
    let undefined = crate::Undefined::ALL.iter().map(|what| what.word());
    for word in shown.chain(lifetimes).chain(undefined) {
        assert!(grammar.contains(&format!("\"{word}\"")), "{word}");
    }
}
