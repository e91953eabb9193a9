//! The table: a row a set, a column an engine, what it solved and in how many seconds; and what no other engine solved.

use std::collections::BTreeMap;

use super::Measured;
use super::results::{Results, Row};
use crate::corpus::Task;

/// The table as Markdown.
pub fn table(measured: &Measured, tasks: &[Task], timeout: u64) -> String {
    let mut sets: BTreeMap<&str, Vec<&Task>> = BTreeMap::new();
    for task in tasks {
        sets.entry(&task.set).or_default().push(task);
    }
    let mut text = format!(
        "{} tasks of {} sets, {timeout} s of wall-clock time for each. A cell: how many are solved, and the seconds of processor time for these. ",
        tasks.len(),
        sets.len()
    );
    let n_wrong = measured.iter().flat_map(|(_, results)| results.values()).filter(|row| row.is_wrong()).count();
    let n_crashed =
        measured.iter().flat_map(|(_, results)| results.values()).filter(|row| row.verdict == "crash").count();
    text.push_str(&format!("Wrong answers: {n_wrong}; crashes: {n_crashed}.\n\n| set | tasks |"));
    measured.iter().for_each(|(name, _)| text.push_str(&format!(" {name} |")));
    text.push_str(&format!("\n|---|---|{}\n", "---|".repeat(measured.len())));
    for (set, tasks) in &sets {
        text.push_str(&row(set, tasks, measured));
    }
    text.push_str(&row("all", &tasks.iter().collect::<Vec<_>>(), measured));
    let cell = |count: fn(&Row) -> bool| {
        let n = |results: &Results| results.values().filter(|row| row.is_solved() && count(row)).count();
        measured.iter().map(|(_, results)| format!(" {} |", n(results))).collect::<String>()
    };
    let n_safe = tasks.iter().filter(|task| task.safe).count();
    text.push_str(&format!("| proved | {n_safe} |{}\n", cell(|row| row.expected == "safe")));
    text.push_str(&format!("| refuted | {} |{}\n", tasks.len() - n_safe, cell(|row| row.expected == "unsafe")));
    let unique = unique(measured);
    let any = |task: &&Task| measured.iter().any(|(_, results)| solves(results, &task.name));
    let cells: String = unique.iter().map(|(_, names)| format!(" {} |", names.len())).collect();
    text.push_str(&format!("| solved by no other | {} |{cells}\n", unique.iter().map(|(_, n)| n.len()).sum::<usize>()));
    let together = tasks.iter().filter(any).count();
    text.push_str(&format!("\nAll of them together: {together} of {}. Solved by one engine alone:\n\n", tasks.len()));
    for (name, tasks) in unique.iter().filter(|(_, tasks)| !tasks.is_empty()) {
        text.push_str(&format!("* `{name}`: {}\n", tasks.join(", ")));
    }
    text
}

fn solves(results: &Results, task: &str) -> bool {
    results.get(task).is_some_and(Row::is_solved)
}

fn row(name: &str, tasks: &[&Task], measured: &Measured) -> String {
    let mut text = format!("| {name} | {} |", tasks.len());
    for (_, results) in measured {
        let solved: Vec<&Row> =
            tasks.iter().filter_map(|task| results.get(&task.name)).filter(|row| row.is_solved()).collect();
        let seconds: f64 = solved.iter().map(|row| row.cpu).sum();
        let time = if solved.is_empty() { String::new() } else { format!(" ({seconds:.1})") };
        text.push_str(&format!(" {}{time} |", solved.len()));
    }
    text.push('\n');
    text
}

/// What one engine solves and no other; the default is made of engines and takes no part.
fn unique(measured: &Measured) -> Vec<(&str, Vec<&str>)> {
    let alone = |name: &str, task: &str| {
        let others = measured.iter().filter(|(other, _)| other != name && other != "default");
        name != "default" && others.into_iter().all(|(_, results)| !solves(results, task))
    };
    let of = |(name, results): &'_ (String, Results)| -> Vec<String> {
        let solved = results.values().filter(|row| row.is_solved() && alone(name, &row.path));
        solved.map(|row| row.path.clone()).collect()
    };
    measured
        .iter()
        .map(|engine| {
            let wanted = of(engine);
            let names = engine.1.keys().map(String::as_str).filter(|name| wanted.iter().any(|one| one == name));
            (engine.0.as_str(), names.collect())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn results(solved: &[&str]) -> Results {
        let row = |&path: &&str| {
            let row = Row {
                path: path.to_owned(),
                set: "s".to_owned(),
                expected: "safe".to_owned(),
                verdict: "safe".to_owned(),
                cpu: 0.5,
                wall: 0.5,
                megabytes: 1,
            };
            (path.to_owned(), row)
        };
        solved.iter().map(row).collect()
    }

    #[test]
    fn what_only_one_engine_solves_is_counted() {
        let task = |name: &str| Task {
            path: PathBuf::from(name),
            name: name.to_owned(),
            set: "s".to_owned(),
            language: "c".to_owned(),
            safe: true,
            model: "ilp32",
        };
        let tasks = [task("a"), task("b"), task("c")];
        let measured: Measured = vec![
            ("default".to_owned(), results(&["a", "b"])),
            ("bmc".to_owned(), results(&["a"])),
            ("kind".to_owned(), results(&["a", "b"])),
        ];
        let text = table(&measured, &tasks, 10);
        assert!(text.contains("| s | 3 | 2 (1.0) | 1 (0.5) | 2 (1.0) |\n"), "{text}");
        assert!(text.contains("| solved by no other | 1 | 0 | 0 | 1 |\n"), "{text}");
        assert!(text.contains("All of them together: 2 of 3.") && text.ends_with("* `kind`: b\n"), "{text}");
    }
}
