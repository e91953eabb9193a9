//! Transition systems: written and read back, their witnesses, their diagnostics, and that widths do not matter.

use crate::support::{Folder, root, uforia};

fn word(line: &str) -> &str {
    line.split(':').next().unwrap_or_default()
}

#[test]
fn a_program_written_as_a_transition_system_gets_the_verdict_of_the_program() {
    let folder = Folder::new("systems");
    let written = folder.path().join("system.vmt");
    let written = written.to_str().expect("names in tests are plain");
    for (name, verdict) in [
        ("lock_protocol.c", "SAFE"),
        ("lock_forgotten.c", "UNSAFE"),
        ("state_machine.c", "SAFE"),
        ("byte_counter_wraps.c", "UNSAFE"),
        ("wide_gate.vmt", "SAFE"),
        ("modes_by_disjuncts.vmt", "UNSAFE"),
        ("bits_of_a_ring.btor2", "SAFE"),
        ("memory_of_words.btor2", "UNSAFE"),
    ] {
        let path = root().join("tests/verify").join(name);
        let path = path.to_str().expect("names in tests are plain");
        uforia(&["lower", "--emit", "vmt", "-o", written, path]).exits(0);
        let answer = uforia(&["check", "-q", "--timeout", "60s", written]);
        assert_eq!(word(answer.last()), verdict, "{name}: {answer:?}");
    }
}

#[test]
fn an_error_has_a_btor2_witness_and_a_proof_an_invariant() {
    let folder = Folder::new("system-witness");
    let to = folder.path().join("witness");
    let to = to.to_str().expect("names in tests are plain");
    let system = folder.file(
        "two.btor2",
        "1 sort bitvec 1\n2 sort bitvec 4\n3 sort bitvec 200\n4 state 2 s\n5 input 2 in\n6 state 3 wide\n7 xor 2 4 5\n\
         8 next 2 4 7\n9 ones 2\n10 eq 1 4 9\n11 slice 1 6 199 199\n12 slice 1 6 0 0\n13 and 1 11 12\n14 and 1 10 13\n\
         15 next 3 6 6\n16 constd 2 5\n17 neq 1 5 16\n18 constraint 17\n19 bad 14\n",
    );
    uforia(&["check", "-q", "--engine", "euf", "--witness", to, &system]).exits(1);
    let witness = std::fs::read_to_string(to).expect("it was written");
    let lines: Vec<&str> = witness.lines().collect();
    assert_eq!(lines[..3], ["sat", "b0", "#0"], "{witness}");
    assert_eq!(lines.last(), Some(&"."));
    let wide = lines.iter().find(|line| line.ends_with(" wide#0")).expect("the first value of the wide state");
    let bits = wide.split(' ').nth(1).expect("number, value, name");
    assert!(bits.len() == 200 && bits.starts_with('1') && bits.ends_with('1'), "{wide}");
    // Replay: the state is all ones when the witness ends, and no input is five.
    let value = |line: &str| u8::from_str_radix(line.split(' ').nth(1).unwrap_or("x"), 2).expect("a value in binary");
    let first = lines.iter().find(|line| line.ends_with(" s#0")).map_or(0, |line| value(line));
    let n_steps = lines.iter().filter(|line| line.starts_with('@')).count() - 1;
    let inputs: Vec<u8> = (0..n_steps)
        .map(|step| lines.iter().find(|line| line.ends_with(&format!(" in@{step}"))).map_or(0, |line| value(line)))
        .collect();
    assert!(inputs.iter().all(|&input| input != 5), "{witness}");
    assert_eq!(inputs.iter().fold(first, |state, input| state ^ input), 15, "{witness}");

    let safe = root().join("tests/verify/bits_of_a_ring.btor2");
    uforia(&["check", "-q", "--engine", "euf", "--witness", to, safe.to_str().expect("names in tests are plain")])
        .exits(0);
    let proof = std::fs::read_to_string(to).expect("it was written");
    assert!(proof.contains("(define-fun invariant () Bool"), "{proof}");
    uforia(&["smt", &folder.file("proof.smt2", format!("{proof}(assert (and a!bit b!bit invariant))(check-sat)"))])
        .exits(0)
        .answers("unsat");
}

#[test]
fn what_is_wrong_with_a_system_has_a_place() {
    let folder = Folder::new("system-places");
    let file = folder.file("wrong.btor2", "1 sort bitvec 8\n2 state 1\n3 add 1 2 7\n");
    uforia(&["check", &file]).exits(65).complains("wrong.btor2:3:11").complains("7 is no node");
    let file =
        folder.file("wrong.vmt", "(declare-fun x () Bool)\n(define-fun p () Bool (! (and x y) :invar-property 0))\n");
    uforia(&["check", &file]).exits(65).complains("wrong.vmt:2:33").complains("`y` is not declared");
    let file = folder.file("wide.btor2", "1 sort bitvec 1000000000\n2 state 1\n");
    uforia(&["check", &file]).exits(2).answers("UNKNOWN: unsupported");
    let file = folder.file(
        "numbers.vmt",
        "(declare-fun x () Int)\n(declare-fun x+ () Int)\n(define-fun s () Int (! x :next x+))\n\
        (define-fun i () Bool (! (= x 0) :init true))\n(define-fun t () Bool (! (= x+ (+ x 1)) :trans true))\n\
        (define-fun p () Bool (! (not (= x 2)) :invar-property 0))\n",
    );
    uforia(&["check", "--engine", "euf", "--timeout", "20s", &file]).exits(2).answers("UNKNOWN");
}

/// A request is passed on through three places; only equality of words decides.
fn relay(width: u32) -> String {
    let mut text = String::new();
    for name in ["a", "b", "c"] {
        text.push_str(&format!(
            "(declare-fun {name} () (_ BitVec {width}))\n(declare-fun {name}+ () (_ BitVec {width}))\n\
             (define-fun s{name} () (_ BitVec {width}) (! {name} :next {name}+))\n"
        ));
    }
    text.push_str(&format!(
        "(declare-fun in () (_ BitVec {width}))\n\
         (define-fun i () Bool (! (and (= a (_ bv0 {width})) (= b a) (= c a)) :init true))\n\
         (define-fun t () Bool (! (and (= a+ (ite (= in (_ bv3 {width})) a in)) (= b+ a) (= c+ b)) :trans true))\n\
         (define-fun p () Bool (! (not (= c (_ bv3 {width}))) :invar-property 0))\n"
    ));
    text
}

#[test]
fn a_system_of_equalities_needs_as_many_lemmas_at_every_width() {
    let folder = Folder::new("system-widths");
    let lemmas = |width: u32| {
        let file = folder.file(&format!("relay{width}.vmt"), relay(width));
        let said = uforia(&["check", "--engine", "euf", "--stats", "--timeout", "60s", &file]).exits(0);
        let line = said.err.lines().find(|line| line.starts_with("euf lemmas")).expect("the statistics count lemmas");
        line.split_whitespace().last().and_then(|number| number.parse::<u64>().ok()).expect("a number")
    };
    let expected = lemmas(8);
    assert!(expected > 0);
    assert_eq!((lemmas(16), lemmas(137)), (expected, expected));
}
