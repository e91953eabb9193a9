//! The table at the end of a campaign, and the line under it.

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
        text.push_str(&format!("{:<9}", record.verdict));
        if has_expectations {
            // A wrong verdict must not be overlooked.
            let mark = if record.is_wrong() { " !" } else { "" };
            text.push_str(&format!("{:<10}", format!("{}{mark}", record.expectation())));
        }
        let engine = record.engine.as_deref().unwrap_or("-");
        text.push_str(&format!("{:>9.2}  {engine:<8}  {}", record.seconds, record.task));
        if record.verdict == "UNKNOWN" && !record.reason.is_empty() {
            text.push_str(&format!(": {}", record.reason));
        }
        text.push('\n');
    }
    text
}

/// What was assumed, each text once with the number of tasks.
pub fn assumptions(records: &[Record]) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for text in records.iter().flat_map(|record| &record.assumptions) {
        match counted.iter_mut().find(|(known, _)| known == text) {
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
    let of = |verdict: &str| records.iter().filter(|record| record.verdict == verdict).count();
    let seconds: f64 = records.iter().map(|record| record.seconds).sum();
    let mut text = format!("{n_tasks} tasks: {} SAFE, {} UNSAFE, {} UNKNOWN", of("SAFE"), of("UNSAFE"), of("UNKNOWN"));
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
    let of = |verdict: &str| records.iter().filter(|record| record.verdict == verdict).count();
    match (of("UNSAFE"), of("UNKNOWN")) {
        (0, 0) => format!("SAFE: all {n_tasks} tasks\n"),
        (0, unknown) => format!("UNKNOWN: {unknown} of {n_tasks} tasks\n"),
        (found, _) => format!("UNSAFE: {found} of {n_tasks} tasks\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(task: &str, verdict: &str, expected: Option<bool>) -> Record {
        Record {
            task: task.to_owned(),
            key: None,
            verdict: verdict.to_owned(),
            reason: if verdict == "UNKNOWN" { "out of time".to_owned() } else { String::new() },
            expected,
            exit_code: 0,
            seconds: 0.25,
            cpu_seconds: None,
            engine: (verdict != "UNKNOWN").then(|| "kind".to_owned()),
            assumptions: vec!["f returns any value".to_owned()],
            sarif: None,
        }
    }

    #[test]
    fn wrong_verdicts_are_marked_and_reasons_told() {
        let records = [
            record("a.yml", "SAFE", Some(true)),
            record("b.yml", "SAFE", Some(false)),
            record("c.yml", "UNKNOWN", Some(false)),
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
        let (safe, found) = (record("a.c", "SAFE", None), record("b.c", "UNSAFE", None));
        assert_eq!(answer(std::slice::from_ref(&safe), 1), "SAFE: all 1 tasks\n");
        assert_eq!(answer(&[safe.clone(), record("c.c", "UNKNOWN", None)], 2), "UNKNOWN: 1 of 2 tasks\n");
        assert_eq!(answer(&[safe, found, record("c.c", "UNKNOWN", None)], 3), "UNSAFE: 1 of 3 tasks\n");
        assert!(!table(&[record("a.c", "SAFE", None)]).contains("expected"));
    }

    #[test]
    fn each_assumption_is_printed_once_with_its_count() {
        let records = [record("a.c", "SAFE", None), record("b.c", "SAFE", None)];
        assert_eq!(assumptions(&records), "assumed: f returns any value (2 tasks)\n");
        assert_eq!(assumptions(&[]), "");
    }
}
