//! Transition systems are checked as written: whatever happens to the program that engines work on, a verdict about another
//! system is refused.

use std::sync::atomic::AtomicBool;

use base::{Bits, Budget, Random};
use certify::certify;
use program::{Action, Mark};
use term::Term;
use verdict::{InputValue, Method, Proof};

use super::*;
use crate::input::Language;
use crate::options::{Command, Settings as Options};
use crate::output::Output;

/// A machine with modes in truth values, a bit, a memory of which one cell matters, a function, and an input.
fn system(limit: u32) -> String {
    let mut text = String::new();
    for (name, sort) in [
        ("p", "Bool"),
        ("q", "Bool"),
        ("b", "(_ BitVec 1)"),
        ("a", "(_ BitVec 4)"),
        ("x", "(_ BitVec 8)"),
        ("m", "(Array (_ BitVec 4) (_ BitVec 8))"),
    ] {
        text.push_str(&format!(
            "(declare-fun {name} () {sort})(declare-fun {name}+ () {sort})\n(define-fun s{name} () {sort} (! {name} :next {name}+))\n"
        ));
    }
    text.push_str(
        "(declare-fun f ((_ BitVec 8)) (_ BitVec 8))(declare-fun in () (_ BitVec 8))(declare-fun aux () Bool)\n",
    );
    text.push_str(&format!(
        "(define-fun i () Bool (! (and (not p) (not q) (= b #b0) (= x #x00) (= (select m a) #x05)) :init true))\n\
         (define-fun t () Bool (! (and (= aux (and p (not q))) (= p+ (not p)) (= q+ (and p q)) (= b+ (bvnot b)) (= a+ a)\n\
           (= m+ (ite (= ((_ extract 3 0) in) a) m (store m ((_ extract 3 0) in) in)))\n\
           (= x+ (ite aux (f (select m a)) x))) :trans true))\n\
         (define-fun g () Bool (! (=> (= (f #x05) #x03) (and (= (select m a) #x05) (bvult x #x{limit:02x}))) :invar-property 0))\n"
    ));
    text
}

/// A counter that goes on in every other step, and round after three.
fn counter(limit: u32) -> String {
    format!(
        "(declare-fun p () Bool)(declare-fun p+ () Bool)(declare-fun x () (_ BitVec 4))(declare-fun x+ () (_ BitVec 4))\n\
         (define-fun sp () Bool (! p :next p+))(define-fun sx () (_ BitVec 4) (! x :next x+))\n\
         (define-fun i () Bool (! (and (not p) (= x #x0)) :init true))\n\
         (define-fun t () Bool (! (and (= p+ (not p)) (= x+ (ite p (ite (= x #x3) #x0 (bvadd x #x1)) x))) :trans true))\n\
         (define-fun g () Bool (! (bvult x #x{limit:x}) :invar-property 0))\n"
    )
}

struct Case {
    program: Program,
    terms: Terms,
    system: System,
}

fn read(text: &str) -> Case {
    let mut terms = Terms::new();
    let compiled = vmtfront::read_vmt("test.vmt", text, vmtfront::Chosen::All, &mut terms).expect("it is well formed");
    let vmtfront::Compiled { program, inputs, rhythm, shaped, .. } = compiled;
    Case { program, terms, system: System { language: Language::Vmt, inputs, rhythm, shaped } }
}

fn conclude(case: &Case) -> Conclusion {
    let mut options = Options::new(Command::Check);
    options.engine = Some("euf".to_owned());
    options.quiet = true;
    let context = Context::new(options, Output::standard());
    verify(&context, &case.program, &case.terms, Some(&case.system)).expect("it is not stopped")
}

fn budget() -> Budget {
    Budget::unlimited(Arc::new(AtomicBool::new(false)))
}

fn accepts(case: &Case, verdict: Verdict) -> bool {
    certify(&case.program, &case.terms, &verdict, &budget()).is_ok()
}

#[test]
fn an_invariant_is_expressed_in_terms_of_the_file_and_a_wrong_one_is_refused() {
    let case = read(&system(4));
    let conclusion = conclude(&case);
    assert!(conclusion.bugs.is_empty(), "{:?}", conclusion.bugs);
    let Verdict::Safe(proof) = conclusion.verdict else { panic!("it is safe") };
    assert_eq!(proof.method, Method::Induction { depth: 1 });
    let names: Vec<String> = proof.symbols.iter().map(|(symbol, _)| proof.terms.to_smtlib(*symbol)).collect();
    assert_eq!(names, ["p", "q", "b", "a", "x", "m", "in", "aux"]);
    let (head, invariant) = proof.invariants[0].clone();
    let with = |change: &dyn Fn(&mut Terms) -> Term| {
        let mut wrong: Proof = (*proof).clone();
        let invariant = change(&mut wrong.terms);
        wrong.invariants = vec![(head.clone(), invariant)];
        accepts(&case, Verdict::Safe(Box::new(wrong)))
    };
    assert!(with(&|_| invariant));
    assert!(!with(&|terms| terms.truth(true)), "it does not imply the property");
    assert!(!with(&|terms| terms.truth(false)), "it does not hold at the start");
    assert!(!with(&|terms| terms.not(invariant)));
    // Something that holds at the start and not for ever.
    assert!(!with(&|terms| {
        let sort = terms.bool_sort();
        let p = terms.variable("p", sort);
        let not_p = terms.not(p);
        terms.and(&[invariant, not_p])
    }));
}

#[test]
fn a_run_is_expressed_in_terms_of_the_file_and_a_wrong_one_is_refused() {
    let case = read(&system(3));
    let conclusion = conclude(&case);
    assert!(conclusion.bugs.is_empty(), "{:?}", conclusion.bugs);
    let Verdict::Unsafe(found) = conclusion.verdict else { panic!("x becomes three") };
    assert!(accepts(&case, Verdict::Unsafe(found.clone())));
    let mut random = Random::new(5);
    let mut refused = 0;
    for place in 0..found.inputs.len() {
        let mut wrong = found.clone();
        let InputValue { value, .. } = &mut wrong.inputs[place];
        let flipped = random.below(u64::from(value.width())) as u32;
        *value = value.xor(&Bits::from_u64(value.width(), 1 << flipped));
        refused += usize::from(!accepts(&case, Verdict::Unsafe(wrong)));
    }
    // Inputs that are not read may have any value.
    assert!(2 * refused > found.inputs.len(), "{refused} of {}", found.inputs.len());
    let mut other = found.clone();
    other.functions.clear();
    assert!(!accepts(&case, Verdict::Unsafe(other)), "the run needs the function");
}

#[test]
fn what_holds_only_of_a_wrongly_shaped_program_is_never_said() {
    // The shaped program loses its errors, its steps, or a condition of them; the file keeps them.
    let changes: [fn(Program) -> Program; 3] = [
        |mut program| {
            program.locations.iter_mut().for_each(|location| {
                if matches!(location.mark, Mark::Error(_)) {
                    location.mark = Mark::None;
                }
            });
            program
        },
        |mut program| {
            let marks: Vec<Mark> = program.locations.iter().map(|location| location.mark.clone()).collect();
            let exit = program.functions[program.entry.expect("there is an entry")].exit;
            for edge in program.edges.iter_mut().filter(|edge| marks[base::Id::index(edge.to)] == Mark::LoopHead) {
                edge.to = exit;
            }
            program
        },
        |mut program| {
            let first = program.edges.iter_mut().find_map(|edge| match &mut edge.action {
                Action::Assign(pairs) if pairs.len() > 1 => Some(pairs),
                _ => None,
            });
            first.expect("there are assignments").pop();
            program
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        for (limit, is_safe) in [(4, true), (3, false)] {
            let mut case = read(&counter(limit));
            case.system.shaped.change_program(change);
            match conclude(&case).verdict {
                Verdict::Safe(_) => assert!(is_safe, "change {number}"),
                Verdict::Unsafe(_) => assert!(!is_safe, "change {number}"),
                Verdict::Endless(_) | Verdict::Unknown(_) => {}
            }
        }
    }
}
