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
    let both = format!("{proof}(assert (and (= a #b1) (= b #b1) invariant))(check-sat)");
    uforia(&["smt", &folder.file("proof.smt2", both)]).exits(0).answers("unsat");
}

/// Systems with their state variables; `I`, `T` and `P` are the formulas.
/// The system's name, its state variables with their sorts, and its text.
type SafeSystem = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const SAFE_SYSTEMS: [SafeSystem; 3] = [
    // Two truth values are the location; a step between two heads, where nothing is cut, needs an invariant too.
    (
        "modes",
        &[("p", "Bool"), ("q", "Bool"), ("x", "(_ BitVec 8)"), ("y", "(_ BitVec 8)")],
        "(declare-fun in () (_ BitVec 8))\n\
         (define-fun I () Bool (! (and (not p) (not q) (= x #x00) (= y x)) :init true))\n\
         (define-fun T () Bool (! (or (and (not p) (not q) p+ (not q+) (= x+ in) (= y+ in))\n\
           (and p (not q) p+ q+ (= x+ (bvadd x #x01)) (= y+ y))\n\
           (and p q (not p+) (not q+) (= x+ (bvadd x #xff)) (= y+ y))) :trans true))\n\
         (define-fun P () Bool (! (or p (= x y)) :invar-property 0))\n",
    ),
    // One bit, an array of which a cell matters, an input that an equation defines.
    (
        "memory",
        &[("b", "(_ BitVec 1)"), ("a", "(_ BitVec 4)"), ("m", "(Array (_ BitVec 4) (_ BitVec 8))")],
        "(declare-fun i () (_ BitVec 4))(declare-fun v () (_ BitVec 8))(declare-fun hit () Bool)\n\
         (define-fun I () Bool (! (and (= b #b0) (= (select m a) #x07)) :init true))\n\
         (define-fun T () Bool (! (and (= hit (= i a)) (= b+ (bvnot b)) (= a+ a)\n\
           (= m+ (ite hit m (store m i v)))) :trans true))\n\
         (define-fun P () Bool (! (or (= b #b1) (= (select m a) #x07)) :invar-property 0))\n",
    ),
    // A function; the first state depends on an input.
    (
        "function",
        &[("x", "(_ BitVec 8)"), ("y", "(_ BitVec 8)")],
        "(declare-fun f ((_ BitVec 8)) (_ BitVec 8))(declare-fun in () (_ BitVec 8))\n\
         (define-fun I () Bool (! (and (= x in) (= y x)) :init true))\n\
         (define-fun T () Bool (! (and (= x+ (f x)) (= y+ (f y))) :trans true))\n\
         (define-fun P () Bool (! (= x y) :invar-property 0))\n",
    ),
];

#[test]
fn the_invariant_of_a_system_is_inductive_for_the_file_as_it_stands() {
    let folder = Folder::new("system-invariants");
    let to = folder.path().join("invariant.smt2");
    let to = to.to_str().expect("names in tests are plain");
    for (name, states, formulas) in SAFE_SYSTEMS {
        let mut system = String::new();
        for (state, sort) in states {
            system.push_str(&format!(
                "(declare-fun {state} () {sort})(declare-fun {state}+ () {sort})\n\
                 (define-fun s{state} () {sort} (! {state} :next {state}+))\n"
            ));
        }
        system.push_str(formulas);
        let file = folder.file(&format!("{name}.vmt"), &system);
        for engine in ["euf", "kind"] {
            uforia(&["check", "-q", "--engine", engine, "--timeout", "60s", "--witness", to, &file]).exits(0);
            let written = std::fs::read_to_string(to).expect("it was written");
            if !written.contains("by induction over single steps") {
                assert_eq!(engine, "kind", "{name}: {written}");
                continue;
            }
            let declared = |line: &&str| !line.starts_with("(declare-") && !line.starts_with(';');
            let body: String = written.lines().filter(declared).collect::<Vec<_>>().join("\n");
            let parameters: String = states.iter().map(|(state, sort)| format!("({state} {sort})")).collect();
            let body = body.replace("(define-fun invariant () Bool", &format!("(define-fun inv ({parameters}) Bool"));
            let at = |mark: &str| -> String {
                let all: Vec<String> = states.iter().map(|(state, _)| format!("{state}{mark}")).collect();
                format!("(inv {})", all.join(" "))
            };
            let (now, next) = (at(""), at("+"));
            let script = format!(
                "(set-logic ALL)\n{system}{body}\n(push 1)(assert I)(assert (not {now}))(check-sat)(pop 1)\n\
                 (push 1)(assert {now})(assert T)(assert (not {next}))(check-sat)(pop 1)\n\
                 (push 1)(assert {now})(assert (not P))(check-sat)(pop 1)\n"
            );
            let answers = uforia(&["smt", &folder.file("check.smt2", &script)]).exits(0);
            assert_eq!(answers.out.trim(), "unsat\nunsat\nunsat", "{name} by {engine}: {script}");
        }
    }
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
    let answer = uforia(&["check", "--engine", "euf", "--timeout", "20s", &file]).exits(2);
    let answer = answer.answers("UNKNOWN: unsupported sort Int");
    assert!(answer.last().ends_with("numbers.vmt:1"), "{answer:?}");
    // Without arithmetic on the way, numbers are values like any other.
    let file = folder.file(
        "copies.vmt",
        "(declare-fun x () Int)\n(declare-fun x+ () Int)\n(define-fun s () Int (! x :next x+))\n\
        (declare-fun y () Int)\n(declare-fun y+ () Int)\n(define-fun r () Int (! y :next y+))\n\
        (define-fun i () Bool (! (= x y) :init true))\n\
        (define-fun t () Bool (! (and (= x+ (+ x 1)) (= y+ (+ y 1))) :trans true))\n\
        (define-fun p () Bool (! (= x y) :invar-property 0))\n",
    );
    uforia(&["check", "--engine", "euf", "--timeout", "20s", &file]).exits(0).answers("SAFE");
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

/// Four places of a small memory; what is written is even, and the error is that the mask finds something at a place.
fn small_memory(mask: u32, place: &str) -> String {
    format!(
        "1 sort bitvec 1\n2 sort bitvec 2\n3 sort bitvec 8\n4 sort array 2 3\n5 zero 3\n6 state 4 memory\n7 init 4 6 5\n\
         8 input 2 place\n9 input 3 value\n10 constd 3 1\n11 sll 3 9 10\n12 write 4 6 8 11\n13 next 4 6 12\n14 {place}\n\
         15 read 3 6 14\n16 constd 3 {mask}\n17 and 3 15 16\n18 redor 1 17\n19 bad 18\n"
    )
}

#[test]
fn single_bits_decide_systems_that_turn_and_mask() {
    let folder = Folder::new("system-bits");
    // One bit goes round in sixteen places.
    let ring = |bad: &str| {
        format!(
            "1 sort bitvec 1\n2 sort bitvec 16\n3 one 2\n4 state 2 s\n5 init 2 4 3\n6 constd 2 1\n7 constd 2 15\n8 sll 2 4 6\n\
             9 srl 2 4 7\n10 or 2 8 9\n11 input 1 go\n12 ite 2 11 10 4\n13 next 2 4 12\n14 slice 1 4 3 3\n15 slice 1 4 9 9\n\
             16 and 1 14 15\n17 bad {bad}\n"
        )
    };
    for (name, text, exits) in [
        ("ring.btor2", ring("16"), 0),
        ("turned.btor2", ring("15"), 1),
        ("even.btor2", small_memory(1, "constd 2 2"), 0),
        ("odd.btor2", small_memory(2, "constd 2 2"), 1),
        ("anywhere.btor2", small_memory(1, "input 2 at"), 0),
        ("somewhere.btor2", small_memory(2, "input 2 at"), 1),
    ] {
        let file = folder.file(name, text);
        for level in ["single", "turns"] {
            uforia(&["check", "-q", "--engine", "euf", "--euf", level, "--timeout", "60s", &file]).exits(exits);
        }
    }
    let file = folder.file("ring.btor2", ring("16"));
    let said = uforia(&["check", "--engine", "euf", "--euf", "single", "--stats", "--timeout", "60s", &file]).exits(0);
    said.complains("euf bit_lemmas");
}

#[test]
fn a_chosen_property_concerns_that_one_alone() {
    let folder = Folder::new("chosen-property");
    // The second state of affairs comes about later than the first, the third one never.
    let counter = "1 sort bitvec 1\n2 sort bitvec 3\n3 zero 2\n4 state 2 c\n5 init 2 4 3\n6 one 2\n7 add 2 4 6\n\
        8 constd 2 6\n9 eq 1 4 8\n10 ite 2 9 3 7\n11 next 2 4 10\n12 constd 2 4\n13 constd 2 7\n14 eq 1 4 6\n15 bad 14\n\
        16 eq 1 4 12\n17 bad 16 later\n18 eq 1 4 13\n19 bad 18\n";
    let btor2 = folder.file("three.btor2", counter);
    let system = "(declare-fun x () (_ BitVec 3)) (declare-fun x.n () (_ BitVec 3))
        (define-fun sx () (_ BitVec 3) (! x :next x.n))
        (define-fun i () Bool (! (= x #b000) :init true))
        (define-fun t () Bool (! (= x.n (ite (= x #b110) #b000 (bvadd x #b001))) :trans true))
        (define-fun p () Bool (! (not (= x #b001)) :invar-property 10))
        (define-fun q () Bool (! (not (= x #b100)) :invar-property 11))
        (define-fun r () Bool (! (not (= x #b111)) :invar-property 12))";
    let vmt = folder.file("three.vmt", system);
    for (file, second) in [(&btor2, "UNSAFE: bad 1 later"), (&vmt, "UNSAFE: property 11")] {
        uforia(&["check", file]).exits(1);
        uforia(&["check", file, "--assertion", "1"]).exits(1);
        let answer = uforia(&["check", file, "--assertion", "2"]).exits(1);
        assert!(answer.last().starts_with(second), "{answer:?}");
        uforia(&["check", file, "--assertion", "3"]).exits(0);
        uforia(&["check", file, "--assertion", "4"]).exits(64).complains("shows the 3 there are");
        let list = uforia(&["check", file, "--list-assertions"]).exits(0);
        assert_eq!(list.out.lines().count(), 3, "{list:?}");
    }
    // What is not known may restrict the runs.
    let file = folder.file("unknown.vmt", system.replace(":invar-property 12", ":assumed true"));
    uforia(&["check", &file]).exits(2).complains("the annotation `:assumed` is not supported");
    let file = folder.file("justice.btor2", format!("{counter}20 justice 1 14\n"));
    uforia(&["check", &file]).exits(2).complains("`justice` is not supported");
    uforia(&["check", &file, "--assertion", "3"]).exits(0);
}
