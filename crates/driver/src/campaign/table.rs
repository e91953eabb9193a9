//! The table at the end of a campaign, and the line under it.

use report::answer::VerdictName;

use super::record::Record;

/// One row a task.
pub fn table(records: &[Record]) -> String {
    let has_expectations = records.iter().any(|record| record.expected.is_some());
    let mut text = String::from("verdict  ");
    if has_expectations {
        text.push_str("expected  ");
    }
    text.push_str("  seconds  by        task\n");
    for record in records {
        text.push_str(&format!("{:<9}", record.answer.verdict));
        if has_expectations {
            // A wrong verdict must not be overlooked.
            let mark = if record.is_wrong() { " !" } else { "" };
            text.push_str(&format!("{:<10}", format!("{}{mark}", record.expectation())));
        }
        let engine = record.answer.engine.as_deref().unwrap_or("-");
        text.push_str(&format!("{:>9.2}  {engine:<8}  {}", record.answer.seconds, record.task));
        if record.answer.verdict == VerdictName::Unknown && !record.answer.reason.is_empty() {
            text.push_str(&format!(": {}", record.answer.reason));
        }
        text.push('\n');
    }
    text
}

/// What was assumed, each text once with the number of tasks.
pub fn assumptions(records: &[Record]) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for text in records.iter().flat_map(|record| &record.answer.assumptions).map(|one| one.text.as_str()) {
        match counted.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => counted.push((text, 1)),
        }
    }
    let line = |(text, count): &(&str, usize)| {
        format!("assumed: {text} ({count} task{})\n", if *count == 1 { "" } else { "s" })
    };
    counted.iter().map(line).collect()
}

/// The sum, in one line.
pub fn sum(records: &[Record], n_tasks: usize) -> String {
    let of = |verdict| records.iter().filter(|record| record.answer.verdict == verdict).count();
    let seconds: f64 = records.iter().map(|record| record.answer.seconds).sum();
    let (safe, found, unknown) = (of(VerdictName::Safe), of(VerdictName::Unsafe), of(VerdictName::Unknown));
    let mut text = format!("{n_tasks} tasks: {safe} SAFE, {found} UNSAFE, {unknown} UNKNOWN");
    if records.len() < n_tasks {
        text.push_str(&format!(", {} not done", n_tasks - records.len()));
    }
    if records.iter().any(|record| record.expected.is_some()) {
        let right = records.iter().filter(|record| record.is_right()).count();
        let wrong = records.iter().filter(|record| record.is_wrong()).count();
        text.push_str(&format!("; {right} as expected, {wrong} wrong"));
    }
    text.push_str(&format!("; {seconds:.1} s\n"));
    text
}

/// The answer for all of them together, in the words of an answer for one.
pub fn answer(records: &[Record], n_tasks: usize) -> String {
    let of = |verdict| records.iter().filter(|record| record.answer.verdict == verdict).count();
    match (of(VerdictName::Unsafe), of(VerdictName::Unknown)) {
        (0, 0) => format!("SAFE: all {n_tasks} tasks\n"),
        (0, unknown) => format!("UNKNOWN: {unknown} of {n_tasks} tasks\n"),
        (found, _) => format!("UNSAFE: {found} of {n_tasks} tasks\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::record::Expected;
    use report::answer::VerdictName::{Safe, Unknown, Unsafe};
    use report::answer::{Answer, Assumption, Place, Reason};
    use verdict::Code;

    fn record(task: &str, verdict: VerdictName, expected: Option<Expected>) -> Record {
        let answer = Answer::unknown("1", task, Reason::new(Code::OutOfTime, "out of time"));
        let assumption = Assumption { text: "f returns any value".to_owned(), at: Place::default() };
        let answer = Answer {
            verdict,
            seconds: 0.25,
            engine: (verdict != Unknown).then(|| "kind".to_owned()),
            assumptions: vec![assumption],
            ..answer
        };
        Record { task: task.to_owned(), key: None, expected, answer }
    }

    #[test]
    fn wrong_verdicts_are_marked_and_reasons_printed() {
        let records = [
            record("a.yml", Safe, Some(Expected::Safe)),
            record("b.yml", Safe, Some(Expected::Unsafe)),
            record("c.yml", Unknown, Some(Expected::Unsafe)),
        ];
        let expected = "verdict  expected    seconds  by        task\n\
            SAFE     safe           0.25  kind      a.yml\n\
            SAFE     unsafe !       0.25  kind      b.yml\n\
            UNKNOWN  unsafe         0.25  -         c.yml: out of time\n";
        assert_eq!(table(&records), expected);
        let said = sum(&records, 4);
        assert_eq!(said, "4 tasks: 2 SAFE, 0 UNSAFE, 1 UNKNOWN, 1 not done; 1 as expected, 1 wrong; 0.8 s\n");
    }

    #[test]
    fn the_last_line_is_an_answer() {
        let (safe, found) = (record("a.c", Safe, None), record("b.c", Unsafe, None));
        assert_eq!(answer(std::slice::from_ref(&safe), 1), "SAFE: all 1 tasks\n");
        assert_eq!(answer(&[safe.clone(), record("c.c", Unknown, None)], 2), "UNKNOWN: 1 of 2 tasks\n");
        assert_eq!(answer(&[safe, found, record("c.c", Unknown, None)], 3), "UNSAFE: 1 of 3 tasks\n");
        assert!(!table(&[record("a.c", Safe, None)]).contains("expected"));
    }

    #[test]
    fn each_assumption_is_printed_once_with_its_count() {
        let records = [record("a.c", Safe, None), record("b.c", Safe, None)];
        assert_eq!(assumptions(&records), "assumed: f returns any value (2 tasks)\n");
        assert_eq!(assumptions(&[]), "");
    }
}
