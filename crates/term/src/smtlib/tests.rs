//! Reading, printing, and one after the other.

use base::{Bits, Random};

use super::{Command, Reader, read_script, read_term, script};
use crate::op::{FpOp, Op};
use crate::sort::{Sort, SortKind};
use crate::store::{Term, Terms};

/// A store with a few symbols of each sort.
fn store(mut terms: Terms) -> (Terms, Vec<Term>) {
    let (bool, byte, wide) = (terms.bool_sort(), terms.bv_sort(8), terms.bv_sort(70));
    let (int, real) = (terms.sort(SortKind::Int), terms.sort(SortKind::Real));
    let (float, double) = (terms.sort(SortKind::Float(8, 24)), terms.sort(SortKind::Float(11, 53)));
    let named = terms.sort(SortKind::Uninterpreted("my sort".into()));
    let array = terms.sort(SortKind::Array(byte, byte));
    let nested = terms.sort(SortKind::Array(named, array));
    let sorts = [bool, byte, wide, int, real, float, double, named, array, nested];
    let mut leaves = Vec::new();
    for (i, &sort) in sorts.iter().enumerate() {
        for name in [format!("x{i}"), format!("a strange name {i}"), format!("?{}", i + 1)] {
            leaves.push(terms.variable(&name, sort));
        }
    }
    leaves.extend([terms.truth(true), terms.bv(8, 200), terms.bits(Bits::ones(70)), terms.bv(1, 1)]);
    for text in ["0", "7", "-12"] {
        leaves.push(terms.numeral(int, text));
    }
    for text in ["0", "1.5", "-1/3", "-4"] {
        leaves.push(terms.numeral(real, text));
    }
    for text in ["7fc00000", "3f800000", "80000000", "ff800000", "00000001"] {
        leaves.push(terms.numeral(float, text));
    }
    (terms, leaves)
}

/// Every operator, those with indices or a sort of their own included.
fn operators() -> Vec<Op> {
    let plain = Op::named().map(|(_, op)| op);
    let floats = super::names::rounded().map(|(.., op)| Op::Fp(op));
    let indexed = [Op::Extract { high: 6, low: 2 }, Op::ZeroExtend(3), Op::SignExtend(62)];
    plain.chain(floats).chain(indexed).collect()
}

/// Conversions, which need the sort of their result.
fn convert(terms: &mut Terms, arg: Term, random: &mut Random) -> Option<Term> {
    let (float, double) = (terms.sort(SortKind::Float(8, 24)), terms.sort(SortKind::Float(11, 53)));
    let to: Sort = if random.one_in(2) { float } else { double };
    match *terms.sort_kind(terms.sort_of(arg)) {
        SortKind::Float(..) if random.one_in(2) => Some(terms.fp(FpOp::FromFloat, &[arg], to)),
        SortKind::Float(..) => {
            let sort = terms.bv_sort(8);
            Some(terms.fp(if random.one_in(2) { FpOp::ToSigned } else { FpOp::ToUnsigned }, &[arg], sort))
        }
        SortKind::BitVec(32) => Some(terms.fp(FpOp::FromBits, &[arg], float)),
        SortKind::BitVec(8) if random.one_in(3) => {
            let (byte, word) = (terms.bv_sort(8), terms.sign_extend_to(arg, 32));
            let sort = terms.sort(SortKind::Array(byte, byte));
            if random.one_in(2) { Some(terms.const_array(sort, arg)) } else { Some(word) }
        }
        SortKind::BitVec(_) => {
            Some(terms.fp(if random.one_in(2) { FpOp::FromSigned } else { FpOp::FromUnsigned }, &[arg], to))
        }
        _ => None,
    }
}

fn what_is_printed_reads_back(terms: Terms, seed: u64) {
    let (mut terms, mut pool) = store(terms);
    let (byte, named) = (terms.bv_sort(8), terms.sort(SortKind::Uninterpreted("my sort".into())));
    let f = terms.declare("a function", &[byte, named], byte).unwrap();
    let mut random = Random::new(seed);
    let operators = operators();
    let leaves = pool.len();
    let mut used = std::collections::BTreeSet::new();
    let mut tries = 0;
    for &leaf in &pool {
        let text = terms.to_smtlib(leaf);
        assert_eq!(read_term(&mut terms, &text), Ok(leaf), "{text}");
    }
    while used.len() < operators.len() || tries < 8_000 {
        tries += 1;
        assert!(tries < 300_000, "some operator never finds arguments: {used:?}");
        let op = operators[random.below(operators.len() as u64) as usize];
        let count = 1 + random.below(3) as usize;
        // A sort first, then terms of it, so that rare sorts get their turn.
        let of_sort = |random: &mut Random, sort: Sort| {
            let terms: Vec<Term> = pool.iter().copied().filter(|&term| terms.sort_of(term) == sort).collect();
            *random.pick(&terms)
        };
        let some_sort = |random: &mut Random| terms.sort_of(pool[random.below(leaves as u64) as usize]);
        let (sort, mixed) = (some_sort(&mut random), random.one_in(3));
        let mut args: Vec<Term> = (0..count)
            .map(|_| {
                let sort = if mixed { some_sort(&mut random) } else { sort };
                of_sort(&mut random, sort)
            })
            .collect();
        if matches!(op, Op::Select | Op::Store) {
            // An array of bytes by bytes is among the leaves; its index and element are bytes.
            let byte = |term: &Term| terms.sort_of(*term) == byte;
            let bytes: Vec<Term> = pool.iter().copied().filter(byte).collect();
            args = vec![pool[8 * 3], *random.pick(&bytes), *random.pick(&bytes)];
            args.truncate(if op == Op::Select { 2 } else { 3 });
        }
        let term = match (random.below(30), terms.result_sort(op, &args)) {
            (0, _) => convert(&mut terms, args[0], &mut random),
            (1, _) if terms.result_sort(Op::Symbol(f), &args).is_ok() => Some(terms.apply(f, &args)),
            (_, Ok(_))
                if !matches!(op, Op::True | Op::False) && (args.len() > 1 || !matches!(op, Op::And | Op::Or)) =>
            {
                used.insert(format!("{op:?}"));
                Some(terms.make(op, &args))
            }
            (_, Ok(_)) => {
                used.insert(format!("{op:?}"));
                None
            }
            _ => {
                if matches!(op, Op::True | Op::False) {
                    used.insert(format!("{op:?}"));
                }
                None
            }
        };
        let Some(term) = term else { continue };
        let text = terms.to_smtlib(term);
        if text.len() < 4_000 {
            assert_eq!(read_term(&mut terms, &text), Ok(term), "{text}");
            if pool.len() < 600 {
                pool.push(term);
            } else {
                let place = leaves + random.below((600 - leaves) as u64) as usize;
                pool[place] = term;
            }
        }
    }
}

#[test]
fn what_is_printed_reads_back_as_the_same_term() {
    what_is_printed_reads_back(Terms::without_simplification(), 1);
    what_is_printed_reads_back(Terms::new(), 2);
}

#[test]
fn a_script_reads_back_in_a_fresh_store_and_prints_the_same() {
    let (mut terms, leaves) = store(Terms::without_simplification());
    let mut equations = Vec::new();
    for pair in leaves.windows(2) {
        if terms.sort_of(pair[0]) == terms.sort_of(pair[1]) {
            equations.push(terms.eq(pair[0], pair[1]));
        }
    }
    assert!(equations.len() > 5);
    let text = script(&terms, &equations);
    let mut other = Terms::without_simplification();
    let commands = read_script(&mut other, &text).unwrap();
    let again: Vec<Term> = commands
        .iter()
        .filter_map(|command| match command {
            Command::Assert { formula, .. } => Some(*formula),
            _ => None,
        })
        .collect();
    assert_eq!(again.len(), equations.len());
    assert_eq!(script(&other, &again), text);
    assert_eq!(commands.last(), Some(&Command::CheckSat));
}

#[test]
fn shared_terms_are_printed_once() {
    let mut terms = Terms::without_simplification();
    let byte = terms.bv_sort(8);
    let mut term = terms.variable("x", byte);
    for _ in 0..200 {
        term = terms.bv_add(term, term);
    }
    let text = terms.to_smtlib(term);
    assert!(text.len() < 200 * 40);
    assert_eq!(read_term(&mut terms, &text), Ok(term));
}

#[test]
fn a_million_parentheses_are_read_and_printed() {
    let deep = 1_000_000;
    let mut terms = Terms::without_simplification();
    let bool = terms.bool_sort();
    terms.variable("p", bool);
    let text = format!("{}p{}", "(not ".repeat(deep), ")".repeat(deep));
    let term = read_term(&mut terms, &text).unwrap();
    assert_eq!(terms.to_smtlib(term), text);
    for (open, close) in [("(", ")"), ("(let ((p p)) ", ")"), ("(! ", " :a b)"), ("(not ", "")] {
        let text = format!("{}p{}", open.repeat(deep), close.repeat(deep));
        let read = read_term(&mut terms, &text);
        assert_eq!(read.is_ok(), open.starts_with("(l") || open.starts_with("(!"), "{open}");
    }
    let sort = format!("(declare-const x {}Bool{})", "(Array Bool ".repeat(deep), ")".repeat(deep));
    assert!(read_script(&mut terms, &sort).is_ok());
    assert!(read_script(&mut terms, &"(".repeat(deep)).is_err());
    let value = format!("(set-info :x {}{})", "(".repeat(deep), ")".repeat(deep));
    assert!(read_script(&mut terms, &value).is_ok());
}

#[test]
fn all_commands_are_read() {
    let text = r#"
        ; a comment
        (set-logic QF_AUFBV) (set-option :produce-models true) (set-info :status sat) (set-info :flag)
        (declare-sort U 0) (define-sort Word () (_ BitVec 32)) (define-sort Map (V) (Array Word V))
        (declare-fun f (U Word) Bool) (declare-const x Word) (declare-const |a b| U) (declare-const m (Map Word))
        (define-fun twice ((y Word)) Word (bvadd y y))
        (define-const four Word #x00000004)
        (push 1) (declare-const local Bool) (assert (! (and (! (f |a b| x) :named inner) local) :named outer)) (pop 1)
        (declare-const local Word)
        (assert (= (twice (twice x)) (select m four)))
        (check-sat) (check-sat-assuming (true (not true)))
        (get-value (x (twice x))) (get-model) (get-unsat-core) (get-unsat-assumptions) (get-assignment)
        (get-assertions) (get-proof) (get-info :name) (get-option :produce-models) (echo "say ""hi""")
        (get-interpolants A (and B C) D) (reset-assertions) (reset) (exit)
    "#;
    let mut terms = Terms::new();
    let mut reader = Reader::new(text);
    let mut commands = Vec::new();
    while let Some(command) = reader.next(&mut terms).unwrap() {
        commands.push(command);
    }
    assert_eq!(commands.len(), 35);
    let (x, m) = (terms.lookup("x").unwrap(), terms.lookup("m").unwrap());
    let (x, m) = (terms.apply(x, &[]), terms.apply(m, &[]));
    let (two, four) = (terms.bv_add(x, x), terms.bv(32, 4));
    let (twice, read) = (terms.bv_add(two, two), terms.select(m, four));
    let formula = terms.eq(twice, read);
    assert!(commands.contains(&Command::Assert { formula, name: None }));
    assert!(
        commands.iter().any(|command| matches!(command, Command::Assert { name: Some(name), .. } if name == "outer"))
    );
    assert!(commands.contains(&Command::Echo("say \"hi\"".into())));
    assert!(commands.contains(&Command::SetInfo(":status".into(), "sat".into())));
    let parts = [&["A"][..], &["B", "C"], &["D"]].map(|part| part.iter().map(|&name| name.to_owned()).collect());
    assert!(commands.contains(&Command::GetInterpolants(parts.to_vec())));
    assert!(commands.contains(&Command::GetValue(vec![(x, "x".into()), (two, "(twice x)".into())])));
}

#[test]
fn operators_chain_and_associate_as_the_standard_says() {
    let (mut terms, _) = store(Terms::without_simplification());
    let mut same = |a: &str, b: &str| {
        let (a, b) = (read_term(&mut terms, a), read_term(&mut terms, b));
        assert!(a.is_ok(), "{a:?}");
        assert_eq!(a, b);
    };
    same("(= x1 #x01 #x02)", "(and (= x1 #x01) (= #x01 #x02))");
    same("(bvadd x1 #x01 x1)", "(bvadd (bvadd x1 #x01) x1)");
    same("(=> x0 true x0)", "(=> x0 (=> true x0))");
    same("(xor x0 true x0)", "(xor (xor x0 true) x0)");
    same("(- x3 1 2)", "(- (- x3 1) 2)");
    same("(< x3 1 2)", "(and (< x3 1) (< 1 2))");
    same("(+ x4 1)", "(+ x4 1.0)");
    same("(_ bv5 8)", "#x05");
    same("(bvredor x1)", "(ite (= x1 #x00) #b0 #b1)");
    same("#b00000101", "#x05");
    same("(let ((x1 #x05) (y x1)) (bvadd x1 y))", "(bvadd #x05 x1)");
    same("(fp #b0 #x7f #b00000000000000000000000)", "(fp #b0 #b01111111 #b00000000000000000000000)");
    same("(fp.gt x5 (_ +zero 8 24))", "(fp.lt (fp #b0 #x00 #b00000000000000000000000) x5)");
    same("(_ NaN 8 24)", "(fp #b1 #xff #b00000000000000000000001)");
    same("(/ 1.0 3.0)", "(/ 2 6.0)");
    same("(as x1 (_ BitVec 8))", "x1");
    same("((as const (Array (_ BitVec 8) (_ BitVec 8))) x1)", "((as const (Array (_ BitVec 8) (_ BitVec 8))) x1)");
}

#[test]
fn errors_name_line_column_and_reason() {
    let check = |text: &str, expected: &str| {
        let mut terms = Terms::new();
        let error = read_script(&mut terms, text).expect_err(text);
        assert!(error.to_string().starts_with(expected), "{text}: {error}");
    };
    check("(check-sat", "1:1: this parenthesis is never closed");
    check("\n (check-sat))", "2:13: this parenthesis closes nothing");
    check("(assert x)", "1:9: `x` is not declared");
    check("(declare-const x Bool)\n(assert (bvadd x x))", "2:9: a bit-vector is expected, not Bool");
    check("(assert #b2)", "1:9: `#b2` is no literal");
    check("(assert #x0f)", "1:9: a formula is expected, not (_ BitVec 8)");
    check("(assert (= #x0f #b1))", "1:9: every argument has sort (_ BitVec 1), but (_ BitVec 8)");
    check("(assert (= ((_ extract 9 0) #x0f) #x00))", "1:12: bits 9 down to 0 do not lie within a width of 8");
    check("(assert ((_ repeat 0) #x0f))", "1:9: a vector is repeated");
    check("(declare-const x (_ BitVec 0))", "1:18: a bit-vector has between 1 and");
    check("(declare-const x (_ BitVec 99999999999))", "1:18: these indices are not supported");
    check("(declare-const x Foo)", "1:18: sort `Foo` is not declared");
    check("(declare-const x Bool)(declare-const x Bool)", "1:38: `x` has a meaning already");
    check("(assert (forall ((x Bool)) x))", "1:9: `forall` is not supported");
    check("(pop 1)", "1:1: only 0 scopes are open");
    check("(frobnicate)", "1:1: command `frobnicate` is not supported");
    check("(check-sat 1)", "1:1: `check-sat` does not take these arguments");
    check("(assert (_ bv256 8))", "1:9: `bv256` is no number of 8 bits");
    check("(assert |abc)", "1:9: this quoted symbol has no end");
    check("(echo \"abc)", "1:7: this string has no end");
    check("(assert (let ((x true) (x false)) x))", "1:24: `x` is bound twice");
    check("(assert ())", "1:9: a term is expected");
    check("(push 99999999)", "1:1: more than a million scopes");
    check("(assert 1.x)", "1:9: `1.x` is no number");
    check("(define-fun f ((x Bool)) Bool x)(assert (f #b1))", "1:41: `f` takes an argument of sort Bool");
    check(
        "(declare-fun f (Bool) Bool)(assert (f #b1))",
        "1:36: `f` takes arguments of sorts (Bool), not ((_ BitVec 1))",
    );
    check("(assert é)", "1:9: `é` is not declared");
    check("(assert \u{0})", "1:9: ");
}

#[test]
fn after_an_error_the_reader_goes_on() {
    let mut terms = Terms::new();
    let mut reader = Reader::new("(assert (let ((x true)) y)) (assert x) (check-sat)");
    assert!(reader.next(&mut terms).is_err());
    assert!(reader.next(&mut terms).is_err(), "the binding of the broken command is forgotten");
    assert_eq!(reader.next(&mut terms), Ok(Some(Command::CheckSat)));
    assert_eq!(reader.next(&mut terms), Ok(None));
}

#[test]
fn random_text_never_panics() {
    let mut random = Random::new(3);
    let parts = [
        "(",
        ")",
        "(",
        ")",
        " ",
        "assert",
        "let",
        "!",
        ":named",
        "x",
        "_",
        "bv1",
        "8",
        "#b1",
        "#x",
        "as",
        "const",
        "Array",
        "declare-const",
        "define-fun",
        "Bool",
        "(_ BitVec 4)",
        "not",
        "and",
        "=",
        "-",
        "/",
        "1.0",
        "0",
        "|q|",
        "\"s\"",
        "fp",
        "RNE",
        "fp.add",
        "to_fp",
        "push",
        "pop",
        "get-value",
        "Int",
        ";",
        "\n",
        "é",
        "check-sat-assuming",
    ];
    for _ in 0..30_000 {
        let text: Vec<&str> = (0..random.below(25)).map(|_| *random.pick(&parts)).collect();
        let _ = read_script(&mut Terms::new(), &format!("(declare-const x Bool)(assert {}", text.join(" ")));
        let _ = read_script(&mut Terms::new(), &text.join(" "));
    }
}
