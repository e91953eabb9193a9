//! The library from the caller's side: answers, errors, limits, events, and what it leaves alone.

use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Instant;

use report::answer::{Severity, Verdict, VerdictName};
use verdict::Code;

use super::*;

const LOOP: &str = "extern void reach_error(void);\nint main(void) {\n  unsigned i = 0;\n  while (i < 100000u) i++;\n  \
    if (i != 100000u) reach_error();\n}\n";
/// Nothing bounds the iterations of the loop, and no simple invariant excludes the error.
const HARD: &str = "extern void reach_error(void);\nextern unsigned long __VERIFIER_nondet_ulong(void);\nint main(void) {\n  \
    unsigned long n = __VERIFIER_nondet_ulong(), steps = 0;\n  \
    while (n != 1) { n = n & 1 ? 3 * n + 1 : n >> 1; steps++; }\n  if (steps == 123456789ul) reach_error();\n}\n";

fn check(text: &str) -> Check {
    Check::new().text("memory/program.c", text).timeout(Duration::from_secs(100))
}

#[test]
fn a_text_has_an_answer_that_names_it() {
    let answer = check(LOOP).threads(1).seed(3).seed(4).run().expect("it is a program");
    let Verdict::Safe { invariants, condition: None } = answer.verdict() else { panic!("{}", answer.line()) };
    assert!(invariants.iter().all(|one| one.at.place.as_deref() == Some("memory/program.c:4")), "{invariants:?}");
    assert_eq!(answer.settings, ["--seed=4", "--threads=1", "--timeout=100000ms"]);
    assert_eq!(answer.inputs[0].sha256.as_deref(), Some(report::sha256::hex(LOOP.as_bytes()).as_str()));
}

#[test]
fn a_text_is_not_mistaken_for_the_file_of_its_name() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let file = folder.path().join("a.c");
    std::fs::write(&file, "int main(void) { return 0; }\n").expect("the folder can be written");
    let text = "#define LIMIT 3\nextern void reach_error(void);\nint main(void) { int x = LIMIT;\n  if (x == 3) reach_error(); }\n";
    let answer = Check::new().text(&file, text).run().expect("it is a program");
    let Verdict::Unsafe(Some(run)) = answer.verdict() else { panic!("{}", answer.line()) };
    assert!(run.text.contains("if (x == 3)"), "{}", run.text);
}

#[test]
fn what_is_no_program_is_an_error() {
    let invalid = check("int main(void) { return x; }").run().expect_err("x is not declared");
    let Error::Invalid(found) = &invalid else { panic!("{invalid}") };
    assert_eq!((found[0].severity, found[0].line), (Severity::Error, 1));
    assert!(invalid.to_string().starts_with("memory/program.c:1:"), "{invalid}");
    assert!(matches!(Check::new().file("no/such/file.c").run(), Err(Error::CannotRead(_))));
    let usage = |check: Check| matches!(check.run(), Err(Error::Usage(_)));
    assert!(usage(Check::new()) && usage(check(LOOP).engine("magic")) && usage(check(LOOP).threads(0)));
    assert!(usage(check(LOOP).set("kind.unwind", "0")) && usage(Check::new().text("a.py", "")));
    assert!(usage(check(LOOP).property(Property::File("no-data-race".to_owned()))));
}

#[test]
fn a_program_that_is_not_supported_has_an_answer() {
    let text = "int main(void) { __asm__(\"nop\"); return 0; }";
    let answer = check(text).run().expect("it is a valid program");
    assert_eq!(answer.verdict, VerdictName::Unknown, "{}", answer.line());
}

#[test]
fn limits_and_the_flag_end_a_check() {
    let start = Instant::now();
    let answer = check(HARD).timeout(Duration::from_millis(300)).run().expect("a limit is no error");
    assert_eq!(answer.reasons[0].code, Code::OutOfTime, "{}", answer.line());
    let flag = Arc::new(AtomicBool::new(false));
    let setter = Arc::clone(&flag);
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        setter.store(true, Ordering::Relaxed);
    });
    let answer = check(HARD).cancel(Arc::clone(&flag)).run().expect("neither is the flag");
    assert_eq!(answer.reasons[0].code, Code::Interrupted, "{}", answer.line());
    other.join().expect("it only sleeps");
    let answer = check(HARD).memory(1 << 20).run().expect("nor memory");
    assert_eq!(answer.reasons[0].code, Code::OutOfMemory, "{}", answer.line());
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn events_come_while_engines_work() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let list = Arc::clone(&seen);
    let listener = move |event: &Event<'_>| {
        let line = match event {
            Event::Phase { engine, .. } => format!("phase of {engine}"),
            Event::Checked { engine } => format!("checked {engine}"),
            _ => return,
        };
        list.lock().expect("no listener panics").push(line);
    };
    let answer = check(LOOP).engine("kind").on_event(listener).run().expect("it is a program");
    assert_eq!(answer.engine.as_deref(), Some("kind"));
    let seen = seen.lock().expect("no listener panics");
    assert_eq!(
        (seen.first().map(String::as_str), seen.last().map(String::as_str)),
        (Some("phase of kind"), Some("checked kind"))
    );
}
