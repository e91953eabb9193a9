//! The structure of pages: what is escaped, what is shown for each kind of answer, what is cut.

use super::*;
use crate::Reason;
use crate::Tuning;
use crate::answer::{
    Assertion, AssertionKind, Change, Counterexample, Diagnostic, Input, Invariant, Place, Severity, Status, Step,
};
use verdict::Code;

const HOSTILE: &str = "</script><img src=x onerror=alert(1)>]]><!-- \u{202e}\u{1b}\"'&";

fn at(line: u32) -> Place {
    Place { place: Some(format!("a.c:{line}")), column: Some(1) }
}

fn refuted() -> Answer {
    let mut answer = Answer::new("1.0", "a.c");
    answer.verdict = VerdictName::Unsafe;
    answer.reason = HOSTILE.to_owned();
    answer.inputs.push(Input { path: "a.c".to_owned(), sha256: Some("ab".to_owned()) });
    answer.assertions.push(Assertion {
        id: 1,
        text: HOSTILE.to_owned(),
        at: at(3),
        kind: AssertionKind::Condition,
        status: Status::Fails,
        seen_in_a_run: true,
        never_reached: false,
        each: None,
    });
    let step = |line: u32, before: Option<&str>, after: &str| Step {
        at: at(line),
        depth: 0,
        text: format!("x = {after}"),
        function: Some("main".to_owned()),
        changes: vec![Change { name: "x".to_owned(), before: before.map(str::to_owned), after: after.to_owned() }],
    };
    answer.counterexample = Some(Counterexample {
        assertion: 1,
        inputs: Vec::new(),
        steps: vec![step(1, None, "1"), step(2, Some("1"), "2")],
        steps_left_out: 0,
        replay: vec![format!("uforia run {HOSTILE}")],
        text: HOSTILE.to_owned(),
    });
    answer
}

fn source(name: &str) -> Option<String> {
    (name == "a.c").then(|| format!("int x = 1; // {HOSTILE}\nx++;\nassert(x < 2);\n"))
}

/// Whether all of it is escaped: no tag and no script but our own, and no character that changes how others are shown.
#[track_caller]
fn is_clean(page: &str) {
    let body = page.split("<body>").nth(1).expect("there is a body").split("<script>").next().unwrap_or_default();
    assert!(!body.contains("<img") && !body.contains("<!--"), "{body}");
    assert!(!page.chars().any(|c| c != '\n' && c != '\t' && is_unsafe_to_show(c)), "{body}");
    let scripts = page.matches("<script").count();
    assert_eq!(page.matches("</script>").count(), scripts, "{body}");
    let named = page.replace("http://www.w3.org/2000/svg", "");
    assert!(scripts <= 2 && !named.contains("http:") && !named.contains("https:"), "{body}");
}

#[test]
fn a_refutation_shows_values_before_and_after_in_the_source() {
    let page = page(&refuted(), &mut |name| source(name), &[]);
    is_clean(&page);
    assert!(page.contains("<span class=\"verdict UNSAFE\">UNSAFE</span>"), "{page}");
    assert!(page.contains("id=\"f0-2\"") && page.contains("<b>2</b>x: 1 → 2</a>"), "{page}");
    assert!(page.contains("U+202E"), "{page}");
    assert!(page.contains("assertion 1: fails"), "{page}");
    let data = page.split("id=\"answer\">").nth(1).and_then(|rest| rest.split("</script>").next());
    assert_eq!(Answer::read(data.expect("the data is there")), Ok(refuted()));
}

#[test]
fn the_policy_names_the_script_and_the_style_of_the_page() {
    let page = page(&refuted(), &mut |name| source(name), &[]);
    for (tag, end) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let text = page.split(tag).nth(1).and_then(|rest| rest.split(end).next()).expect("it is inline");
        let hash = format!("'sha256-{}'", base64(&sha256::digest(text.as_bytes())));
        assert!(page.contains(&hash), "{tag}");
    }
    assert!(page.contains("default-src 'none'") && !page.contains("unsafe-inline"));
    assert!(!page.contains(" style=\"") && !page.contains(" onclick"), "nothing inline needs a weaker policy");
    assert!(SCRIPT.len() < 60_000, "{}", SCRIPT.len());
}

#[test]
fn a_proof_shows_its_invariants_at_the_loops() {
    let mut answer = Answer { counterexample: None, verdict: VerdictName::Safe, ..refuted() };
    answer.assertions[0].status = Status::Proved;
    answer.assertions[0].never_reached = true;
    answer.invariants = vec![Invariant {
        at: at(2),
        function: "main".to_owned(),
        c: vec!["x < 3".to_owned(), "y == 0".to_owned()],
        smtlib: None,
    }];
    let page =
        page(&answer, &mut |name| source(name), &[Attachment { name: "w.yml".to_owned(), text: "a".to_owned() }]);
    is_clean(&page);
    assert!(page.contains("<b>1</b>x &lt; 3 &amp;&amp; y == 0</a>"), "{page}");
    assert!(page.contains("assertion 1: proved, never reached"), "{page}");
    assert!(page.contains("download=\"w.yml\" href=\"data:application/octet-stream;base64,YQ==\""), "{page}");
}

#[test]
fn without_an_answer_reasons_and_diagnostics_are_shown() {
    let reason = Reason { place: Some("a.c:2".to_owned()), ..Reason::new(Code::OutOfTime, HOSTILE) };
    let unknown = Answer::unknown("1.0", "a.c", reason);
    let said = page(&unknown, &mut |name| source(name), &[]);
    is_clean(&said);
    assert!(said.contains("<h2 id=\"kind\" data-kind=\"remark\">Remarks</h2>"), "{said}");
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        file: "a.c".to_owned(),
        line: 2,
        column: 1,
        message: format!("unknown name {HOSTILE}"),
        help: String::new(),
    };
    let invalid = Answer { exit_code: 65, diagnostics: vec![diagnostic], ..unknown };
    let said = page(&invalid, &mut |name| source(name), &[]);
    is_clean(&said);
    assert!(said.contains("unknown name ") && said.contains("data-row=\"f0-2\""), "{said}");
    // A file that is gone is no reason not to write the page.
    let said = page(&invalid, &mut |_| None, &[]);
    assert!(said.contains("The source cannot be read again."), "{said}");
}

#[test]
fn of_a_large_program_the_lines_around_places_are_shown() {
    let most = Tuning::DEFAULT.max_page_lines;
    let whole: String = (0..2 * most).map(|line| format!("x = {line};\n")).collect();
    let said = page(&refuted(), &mut |_| Some(whole.clone()), &[]);
    assert!(said.contains("id=\"f0-3\"") && !said.contains("id=\"f0-500\""));
    assert!(said.contains("lines not shown") && said.len() < 100_000, "{}", said.len());
    let said = page(&refuted(), &mut |_| Some("x\n".repeat(most / 2)), &[]);
    assert!(said.contains(&format!("id=\"f0-{}\"", most / 2)));
}

#[test]
fn many_notes_in_one_line_are_counted() {
    let mut answer = refuted();
    let run = answer.counterexample.as_mut().expect("it is there");
    run.steps = vec![run.steps[1].clone(); 300];
    let said = page(&answer, &mut |name| source(name), &[]);
    assert!(said.contains("… 296 more …"), "{said}");
    assert_eq!(said.matches("data-row=\"f0-2\"").count(), 300);
    assert!(said.len() < 300_000, "{}", said.len());
}

#[test]
fn the_index_links_a_page_for_each_task() {
    let answer = refuted();
    let said = index("1.0", &[("a\"<b>.c".to_owned(), &answer, "p/001-a%22.html".to_owned())]);
    is_clean(&said);
    assert!(said.contains("<a href=\"p/001-a%22.html\">a&quot;&lt;b&gt;.c</a>"), "{said}");
    assert!(said.contains("script-src 'none'"));
}

#[test]
fn base64_is_that_of_the_standard() {
    for (bytes, expected) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
        assert_eq!(base64(bytes.as_bytes()), expected);
    }
}
