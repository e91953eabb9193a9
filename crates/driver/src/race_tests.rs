//! Races of engines made for the purpose: one that panics, one that eats memory, one that never ends.

use std::sync::Mutex;

use engine::{Engine, Invariants};
use term::Terms;
use verdict::InputValue;

use super::*;
use crate::options::{Command, Settings as Options};
use crate::output::Output;

/// What an engine does, as a function.
struct Does(fn(&Task, &mut Run<'_>) -> Result<Verdict, Stopped>);

impl Engine for Does {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        (self.0)(task, run)
    }
}

static PANICS: EngineInfo = EngineInfo {
    name: "panics",
    help: "",
    settings: engine_bmc::BMC.settings,
    make: |_| Ok(Box::new(Does(|_, _| panic!("every law is broken")))),
};
static NEVER_ENDS: EngineInfo = EngineInfo {
    name: "never-ends",
    help: "",
    settings: engine_bmc::BMC.settings,
    make: |_| {
        Ok(Box::new(Does(|_, run| {
            loop {
                run.budget.spend(1000)?;
                std::thread::sleep(Duration::from_millis(1));
            }
        })))
    },
};
static EATS_MEMORY: EngineInfo = EngineInfo {
    name: "eats-memory",
    help: "",
    settings: engine_bmc::BMC.settings,
    make: |_| {
        Ok(Box::new(Does(|_, run| {
            let mut eaten: Vec<Vec<u8>> = Vec::new();
            loop {
                run.budget.spend(1000)?;
                if eaten.len() < 400 {
                    eaten.push(std::hint::black_box(vec![1; 1 << 20]));
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        })))
    },
};
/// Gives no answer before another engine was stopped for its memory.
static SLOW: EngineInfo = EngineInfo {
    name: "slow",
    help: "",
    settings: engine_bmc::BMC.settings,
    make: |_| {
        Ok(Box::new(Does(|task, run| {
            let start = Instant::now();
            while start.elapsed() < Duration::from_millis(1500) {
                run.budget.spend(1000)?;
                std::thread::sleep(Duration::from_millis(5));
            }
            engine_bmc::BMC.build(&Values::default()).run(task, run)
        })))
    },
};
static UNSOUND: EngineInfo = EngineInfo {
    name: "unsound",
    help: "",
    settings: engine_bmc::BMC.settings,
    make: |_| {
        Ok(Box::new(Does(|task, _| {
            let assertion = task.lowered.assertions.ids().next().expect("there is an assertion");
            let inputs: Vec<InputValue> = Vec::new();
            Ok(Verdict::Unsafe(Counterexample { assertion, inputs, functions: Vec::new() }))
        })))
    },
};
static GIVES_REASON: EngineInfo = EngineInfo {
    name: "gives-reason",
    help: "",
    settings: engine_bmc::BMC.settings,
    make: |_| Ok(Box::new(Does(|_, _| Ok(Verdict::Unknown(Why::new(Code::Construct, "magic")))))),
};

/// Publishes the invariants of the analysis, and continues.
static PUBLISHES: EngineInfo = EngineInfo {
    name: "publishes",
    help: "",
    settings: engine_bmc::BMC.settings,
    make: |_| {
        Ok(Box::new(Does(|task, run| {
            let (mut terms, blocks) = task.encoded(run).expect("there is no memory");
            let known = Invariants::new(&mut engine::Context::new(task, &mut terms, blocks, run))?;
            assert!(!known.all().is_empty(), "the analysis knows something of a counter");
            loop {
                run.budget.spend(1000)?;
                std::thread::sleep(Duration::from_millis(1));
            }
        })))
    },
};
/// Has no facts of its own, and waits until it imports one. Its reason is final.
static IMPORTS: EngineInfo = EngineInfo {
    name: "imports",
    help: "",
    settings: engine_bmc::BMC.settings,
    make: |_| {
        Ok(Box::new(Does(|task, run| {
            let (mut terms, blocks) = task.encoded(run).expect("there is no memory");
            let mut known = Invariants::none(blocks);
            let start = Instant::now();
            let wait = Duration::from_secs(if run.facts.is_shared() { 60 } else { 1 });
            while known.read(&mut engine::Context::new(task, &mut terms, blocks, run)).is_empty()
                && start.elapsed() < wait
            {
                run.budget.spend(1000)?;
                std::thread::sleep(Duration::from_millis(1));
            }
            let what = if known.all().is_empty() { "no facts" } else { "facts" };
            Ok(Verdict::Unknown(Why::new(Code::Construct, what)))
        })))
    },
};

const SAFE: &str = "extern void reach_error(void);\n\
    int main(void) { int i = 0; while (i < 3) i++; if (i != 3) reach_error(); return 0; }\n";

fn task() -> Arc<Task> {
    let mut terms = Terms::new();
    let options = cfront::Options::new(cfront::DataModel::Lp64, cfront::Property::UnreachCall);
    let program = cfront::compile("a.c", SAFE, &options, &mut terms).expect("it is C").program;
    let passes = program::pass::Options::default();
    let optimised = program::pass::optimise(program.clone(), &mut terms, &passes).expect("no recursion");
    Arc::new(Task::new(program, optimised.program, optimised.map, terms))
}

fn arms(infos: &[&'static EngineInfo]) -> Vec<Arm> {
    let arm = |&info: &&'static EngineInfo| Arm {
        name: info.name,
        info,
        settings: Values::default(),
        share: 1,
        opening: 0,
        has_last_word: [GIVES_REASON.name, IMPORTS.name].contains(&info.name),
    };
    infos.iter().map(arm).collect()
}

fn run(options: Options, infos: &[&'static EngineInfo], cores: usize) -> (Conclusion, Vec<ArmProgress>) {
    // Memory is the whole process's: one race at a time.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    crate::worker::note_panics();
    let context = Context::new(options, Output::to(Box::new(std::io::sink())));
    let outcome = race(&context, &task(), None, arms(infos), cores).expect("it is not stopped");
    let arms = lock(&context.progress).arms.clone();
    (outcome, arms)
}

fn ended<'a>(arms: &'a [ArmProgress], name: &str) -> Option<&'a str> {
    arms.iter().find(|arm| arm.name == name).and_then(|arm| arm.ended.as_deref())
}

#[test]
fn a_panic_of_one_engine_leaves_the_others_running() {
    for cores in [1, 3] {
        let (outcome, arms) = run(Options::new(Command::Check), &[&PANICS, &NEVER_ENDS, &SLOW], cores);
        assert!(matches!(outcome.verdict, Verdict::Safe(_)));
        assert_eq!((outcome.engine, ended(&arms, "panics")), (Some("slow"), Some("failed")));
        assert!(outcome.bugs[0].starts_with("engine panics failed: every law is broken at "), "{:?}", outcome.bugs);
    }
}

#[test]
fn an_engine_that_wants_too_much_memory_leaves_the_others_running() {
    let mut options = Options::new(Command::Check);
    options.memory = Some(resident().expect("this system reports memory") + (250 << 20));
    let (outcome, arms) = run(options, &[&EATS_MEMORY, &SLOW], 2);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)));
    assert_eq!((outcome.engine, ended(&arms, "eats-memory")), (Some("slow"), Some("out of memory")));
    assert!(outcome.bugs.is_empty());
}

#[test]
fn losers_stop_soon_after_the_answer() {
    let start = Instant::now();
    let (outcome, _) = run(Options::new(Command::Check), &[&NEVER_ENDS, &engine_bmc::BMC], 1);
    assert_eq!(outcome.engine, Some("bmc"));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn refused_evidence_is_a_bug_and_the_others_go_on() {
    let (outcome, arms) = run(Options::new(Command::Check), &[&UNSOUND, &engine_bmc::BMC], 1);
    assert_eq!((outcome.engine, ended(&arms, "unsound")), (Some("bmc"), Some("evidence refused")));
    assert!(outcome.bugs[0].starts_with("the evidence of unsound was refused"), "{:?}", outcome.bugs);
}

#[test]
fn the_last_word_ends_the_race() {
    let (outcome, _) = run(Options::new(Command::Check), &[&GIVES_REASON, &NEVER_ENDS], 2);
    assert!(matches!(outcome.verdict, Verdict::Unknown(why) if why.code == Code::Construct));
}

#[test]
fn engines_import_what_others_prove_unless_nothing_is_shared() {
    for (share, what) in [(true, "facts"), (false, "no facts")] {
        let mut options = Options::new(Command::Check);
        options.share = share;
        let (outcome, arms) = run(options, &[&PUBLISHES, &IMPORTS], 2);
        let Verdict::Unknown(Why { code: Code::Construct, what: said, .. }) = outcome.verdict else {
            panic!("no engine proves it")
        };
        assert_eq!(said, what);
        let sources: Vec<&str> = arms[1].imported.iter().map(|one| one.0).collect();
        assert_eq!(sources, if share { vec!["analysis"] } else { Vec::new() });
    }
}

#[test]
fn growth_is_attributed_to_working_arms() {
    let mut watch = MemoryWatch { limit: Some(1000), last: 100, grown: vec![0; 3], stopped: Vec::new(), next: 0 };
    watch.charge(300, &[true, false, true]);
    watch.charge(350, &[false, true, false]);
    watch.charge(200, &[false, true, false]);
    assert_eq!(watch.grown, [100, 50, 100]);
}
