//! The contract of engines: what every engine keeps, whatever its algorithm. One line for each engine, in its own crate:
//! `testkit::engine_contract!(kind: crate::KIND);`.
//!
//! Verdicts are those of the programs, with evidence that the checker accepts; a run ends when it is cancelled or out of ticks; the
//! same run is the same again, tick by tick; and values of settings are checked before an engine is built.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::settings::Kind;
use base::{Budget, Stopped, Values};
use cfront::{DataModel, Options, Property};
use engine::{EngineInfo, Facts, Run, Silent, Task};
use program::pass;
use term::Terms;
use verdict::{Counterexample, Verdict};

/// Bodies of `main`, and whether they are safe. Each engine decides some of them.
const PROGRAMS: &[(&str, bool)] = &[
    ("unsigned a = __VERIFIER_nondet_uint(), b = a; if (a != b) reach_error();", true),
    ("unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); if (a == b) reach_error();", false),
    ("unsigned x = 0; while (__VERIFIER_nondet_uint()) { x = x == 0 ? 5 : 0; } if (x == 7) reach_error();", true),
    ("unsigned x = 0; while (__VERIFIER_nondet_uint()) { x = x + 2; } if (x == 6) reach_error();", false),
    ("unsigned i = 0, s = 0; while (i < 5) { i = i + 1; s = s + i; } if (s != 15) reach_error();", true),
];

/// Some engines do not end on some of them.
const TICKS: u64 = 1_000_000;

/// Declares the tests of one engine.
#[macro_export]
macro_rules! engine_contract {
    ($name:ident: $info:expr) => {
        mod $name {
            #[test]
            fn verdicts_are_those_of_the_programs() {
                $crate::contract::verdicts_hold(&$info);
            }
            #[test]
            fn a_run_that_is_cancelled_ends() {
                $crate::contract::cancelled(&$info);
            }
            #[test]
            fn a_run_ends_with_its_ticks() {
                $crate::contract::out_of_ticks(&$info);
            }
            #[test]
            fn the_same_run_is_the_same_again() {
                $crate::contract::repeated(&$info);
            }
            #[test]
            fn settings_are_checked() {
                $crate::contract::settings_checked(&$info);
            }
        }
    };
}

/// No verdict is wrong, all evidence passes the checker, and some programs are decided.
pub fn verdicts_hold(info: &EngineInfo) {
    let mut n_decided = 0;
    for &(body, is_safe) in PROGRAMS {
        let task = task(body);
        let verdict = match verdict_of(info, &task, &Budget::ticks(TICKS, Arc::default())) {
            Err(stopped) => {
                assert_eq!(stopped, Stopped::OutOfTicks, "{}: {body}", info.name);
                continue;
            }
            Ok(verdict) => verdict,
        };
        certify::certify(&task.lowered, &task.terms, &verdict, &Budget::default())
            .unwrap_or_else(|refusal| panic!("{}: {body}: {:?}", info.name, refusal.why()));
        match verdict {
            Verdict::Safe(_) => assert!(is_safe, "{}: {body}", info.name),
            Verdict::Unsafe(_) => assert!(!is_safe, "{}: {body}", info.name),
            Verdict::Endless(_) | Verdict::Unknown(_) => continue,
        }
        n_decided += 1;
    }
    assert!(n_decided > 0, "{} decides none of the programs", info.name);
}

/// With the flag set a run ends, also where there is no end of work; what it says at once may be a verdict.
pub fn cancelled(info: &EngineInfo) {
    for &(body, is_safe) in PROGRAMS {
        let budget = Budget::unlimited(Arc::new(AtomicBool::new(true)));
        let is_right = match verdict_of(info, &task(body), &budget) {
            Err(stopped) => stopped == Stopped::Cancelled,
            Ok(Verdict::Safe(_)) => is_safe,
            Ok(Verdict::Unsafe(_)) => !is_safe,
            Ok(Verdict::Endless(_)) => false,
            Ok(Verdict::Unknown(_)) => true,
        };
        assert!(is_right, "{}: {body}", info.name);
    }
}

/// Whatever the ticks, a run ends with a verdict or because they are used up.
pub fn out_of_ticks(info: &EngineInfo) {
    for (body, is_safe) in PROGRAMS {
        for ticks in [0, 1, 10, 100, 1_000, 10_000] {
            let budget = Budget::ticks(ticks, Arc::default());
            match verdict_of(info, &task(body), &budget) {
                Err(stopped) => assert_eq!(stopped, Stopped::OutOfTicks, "{}: {body}", info.name),
                Ok(Verdict::Safe(_)) => assert!(is_safe, "{}: {body}", info.name),
                Ok(Verdict::Unsafe(_)) => assert!(!is_safe, "{}: {body}", info.name),
                Ok(Verdict::Endless(_)) => panic!("{}: {body}", info.name),
                Ok(Verdict::Unknown(_)) => {}
            }
        }
    }
}

/// The same verdict with the same ticks.
pub fn repeated(info: &EngineInfo) {
    for (body, _) in PROGRAMS {
        let once = || {
            let budget = Budget::ticks(TICKS, Arc::default());
            (shown(&verdict_of(info, &task(body), &budget)), budget.spent())
        };
        assert_eq!(once(), once(), "{}: {body}", info.name);
    }
}

/// Defaults are values of their rows, and what is not a value is refused.
pub fn settings_checked(info: &EngineInfo) {
    for row in info.settings.rows {
        let with = |value: &str| {
            let mut values = Values::default();
            values.set(row.name, value);
            (info.make)(&values).is_ok()
        };
        let default = (row.default)();
        assert!(row.kind.check(&default).is_ok() && with(&default), "{}.{}={default}", info.name, row.name);
        assert!(!with("no such value"), "{}.{}", info.name, row.name);
        if let Kind::Number(span) | Kind::Limit(span) = row.kind
            && let Some(beyond) = span.most.checked_add(1)
        {
            assert!(!with(&beyond.to_string()), "{}.{}={beyond}", info.name, row.name);
        }
    }
}

/// The verdict of the engine with its usual settings; nothing is shared, and counterexamples are replayed.
pub fn verdict_of(info: &EngineInfo, task: &Task, budget: &Budget) -> Result<Verdict, Stopped> {
    let replay = |found: &Counterexample| {
        let claim = Verdict::Unsafe(found.clone());
        let checked = certify::certify(&task.lowered, &task.terms, &claim, &Budget::default());
        checked.map(|_| ()).map_err(|refusal| refusal.why())
    };
    let facts = Facts::unshared();
    let mut run = Run { budget, seed: 0, facts: &facts, observer: &Silent, replay: &replay, each: None };
    info.build(&Values::default()).run(task, &mut run)
}

fn shown(outcome: &Result<Verdict, Stopped>) -> String {
    match outcome {
        Ok(Verdict::Safe(_)) => "safe".to_owned(),
        Ok(Verdict::Unsafe(found)) => format!("unsafe: {found:?}"),
        Ok(Verdict::Endless(_)) => "endless".to_owned(),
        Ok(Verdict::Unknown(why)) => format!("unknown: {why:?}"),
        Err(stopped) => format!("{stopped:?}"),
    }
}

/// A task for this body of `main`, optimised as for every engine. It may call `__VERIFIER_nondet_uint` and `reach_error`.
pub fn task(body: &str) -> Task {
    let text = format!(
        "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\nint main(void) {{ {body} return 0; }}\n"
    );
    let mut terms = Terms::new();
    let options = Options::new(DataModel::Lp64, Property::UnreachCall);
    let program = cfront::compile("contract.c", &text, &options, &mut terms).expect("it is C").program;
    let optimised = pass::optimise(program.clone(), &mut terms, &pass::Options::default()).expect("no recursion");
    Task::new(program, optimised.program, optimised.map, terms)
}
