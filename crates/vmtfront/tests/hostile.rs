//! Input never makes us panic, exhaust the stack or hang: what is no system is refused, with a place.

use base::{Diagnostic, Random, Severity};
use term::Terms;
use vmtfront::{Chosen, Compiled, read_btor2, read_vmt};

type Reader = fn(&str, &str, Chosen, &mut Terms) -> Result<Compiled, Vec<Diagnostic>>;

const VMT: &str = "
(declare-fun x () (_ BitVec 8))
(declare-fun x+ () (_ BitVec 8))
(declare-fun on () Bool)
(declare-fun on+ () Bool)
(declare-fun m () (Array (_ BitVec 4) (_ BitVec 8)))
(declare-fun m+ () (Array (_ BitVec 4) (_ BitVec 8)))
(declare-fun in () (_ BitVec 8))
(declare-fun go () Bool)
(declare-fun f ((_ BitVec 8)) Bool)
(define-fun s0 () (_ BitVec 8) (! x :next x+))
(define-fun s1 () Bool (! on :next on+))
(define-fun s2 () (Array (_ BitVec 4) (_ BitVec 8)) (! m :next m+))
(define-fun i () Bool (! (and (= x #x00) (not on)) :init true))
(define-fun t () Bool (! (and (=> go (= x+ (bvadd x in))) (or go (= x+ x)) (= on+ (and go (f x)))
  (= m+ (store m ((_ extract 3 0) x) in))) :trans true))
(define-fun p () Bool (! (or (not on) (bvult x #xf0)) :invar-property 0))
";

const BTOR2: &str = "
1 sort bitvec 1
2 sort bitvec 8
3 sort bitvec 3
4 sort array 3 2
5 input 2 in
6 state 2 s
7 state 4 mem
8 zero 2
9 init 2 6 8
10 init 4 7 8
11 add 2 5 6
12 next 2 6 11
13 slice 3 6 2 0
14 write 4 7 13 -5
15 next 4 7 14
16 read 2 7 13
17 ugt 1 16 -6
18 redxor 1 16
19 and 1 17 -18
20 constraint 17
21 bad 19
";

fn check(read: Reader, text: &str) -> Result<(), Vec<Diagnostic>> {
    let mut terms = Terms::new();
    let compiled = read("file", text, Chosen::All, &mut terms)?;
    for program in [&compiled.program, compiled.shaped.program()] {
        program::validate(program, &terms).expect("a program that is made keeps the laws");
    }
    Ok(())
}

fn refused(read: Reader, text: &str, word: &str) {
    let found = check(read, text).expect_err("this is no system");
    assert!(found.iter().any(|one| one.message.contains(word)), "{found:?} says {word}");
}

#[test]
fn the_systems_themselves_are_fine() {
    check(read_vmt, VMT).expect("it is fine");
    check(read_btor2, BTOR2).expect("it is fine");
}

#[test]
fn a_file_that_ends_anywhere_is_read_or_refused() {
    for (read, text) in [(read_vmt as Reader, VMT), (read_btor2, BTOR2)] {
        for end in 0..text.len() {
            let _ = check(read, &text[..end]);
        }
    }
    refused(read_vmt, &VMT[..VMT.len() - 20], "never closed");
    refused(read_btor2, "1 sort bitvec 8\n2 state", "ends too early");
}

#[test]
fn changed_files_are_read_or_refused() {
    let pieces = [
        "(",
        ")",
        " ",
        "-1",
        "0",
        "99999999999999999999",
        "x",
        "x+",
        "bad",
        "next",
        "(! ",
        ":next",
        "|",
        "\"",
        "\u{7f}é",
    ];
    let mut random = Random::new(3);
    for (read, text) in [(read_vmt as Reader, VMT), (read_btor2, BTOR2)] {
        for _ in 0..1500 {
            let mut text: Vec<char> = text.chars().collect();
            for _ in 0..1 + random.below(3) {
                let at = random.below(text.len() as u64) as usize;
                let length = random.below(6) as usize;
                let end = (at + length).min(text.len());
                let piece: Vec<char> = random.pick(&pieces).chars().collect();
                match random.below(3) {
                    0 => drop(text.splice(at..end, piece)),
                    1 => drop(text.splice(at..at, piece)),
                    _ => {
                        let other = random.below(text.len() as u64) as usize;
                        let copy: Vec<char> = text[other..(other + 12).min(text.len())].to_vec();
                        drop(text.splice(at..end, copy));
                    }
                }
            }
            let _ = check(read, &text.into_iter().collect::<String>());
        }
    }
}

#[test]
fn deep_nesting_is_only_a_matter_of_memory() {
    let depth = 100_000;
    let nested = format!("{}p{}", "(not (and q ".repeat(depth), "))".repeat(depth));
    let text = format!(
        "(declare-fun p () Bool)(declare-fun p+ () Bool)(declare-fun q () Bool)
         (define-fun s () Bool (! p :next p+))
         (define-fun t () Bool (! (= p+ {nested}) :trans true))
         (define-fun g () Bool (! p :invar-property 0))"
    );
    check(read_vmt, &text).expect("it is only deep");
    let mut lines = String::from("1 sort bitvec 8\n2 sort bitvec 1\n3 state 1\n4 input 1\n");
    let mut last = 3;
    for number in 5..50_000u32 {
        lines.push_str(&format!("{number} sub 1 {last} 4\n"));
        last = number;
    }
    lines.push_str(&format!("60000 next 1 3 {last}\n60001 eq 2 3 4\n60002 bad 60001\n"));
    check(read_btor2, &lines).expect("it is only deep");
}

#[test]
fn what_is_too_wide_is_refused_and_what_makes_no_sense_has_a_place() {
    refused(read_btor2, "1 sort bitvec 1000000000\n2 state 1\n3 bad 2\n", "not supported");
    refused(read_btor2, "1 sort bitvec 0\n", "at least one bit");
    refused(read_btor2, "1 sort bitvec 8\n2 constd 1 256\n", "no constant of 8 bits");
    refused(read_btor2, "1 sort bitvec 8\n2 add 1 3 4\n", "3 is no node");
    refused(read_btor2, "1 sort bitvec 8\n2 state 1\n2 state 1\n", "exists already");
    refused(read_btor2, "1 sort bitvec 8\n2 state 1\n3 bad 2\n", "one bit");
    refused(read_btor2, "1 sort bitvec 8\n2 frobnicate 1 1 1\n", "not known");
    refused(read_btor2, "1 sort bitvec 8\n2 state 1\n", "nothing to check");
    refused(read_vmt, "(declare-fun x () (_ BitVec 1000000000))", "bits");
    refused(read_vmt, "(declare-fun x () Bool)", "nothing to check");
    refused(read_vmt, "(define-fun p () Bool (! (= #x0 #x00) :invar-property 0))", "");
    refused(
        read_vmt,
        "(declare-fun x () Bool)(define-fun s () Bool (! x :next x))(define-fun p () Bool (! x :invar-property 0))",
        "next value",
    );
    let found = check(read_btor2, "1 sort bitvec 8\n2 state 1\n3 add 1  2 7\n").expect_err("7 is missing");
    assert_eq!((found[0].line, found[0].column, found[0].severity), (3, 12, Severity::Error));
    assert_eq!(found[0].source_line, "3 add 1  2 7");
}
