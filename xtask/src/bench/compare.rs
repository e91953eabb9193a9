//! What was gained and what was lost between two runs.

use super::results::{Results, Row};

/// Tasks solved now and not before, tasks solved before and not now, and the times of what both solve.
pub fn compare(before: &Results, after: &Results) -> String {
    let both: Vec<(&Row, &Row)> =
        before.iter().filter_map(|(name, old)| after.get(name).map(|new| (old, new))).collect();
    let of = |old_solved: bool, new_solved: bool| {
        let is_such = move |pair: &&(&Row, &Row)| pair.0.is_solved() == old_solved && pair.1.is_solved() == new_solved;
        both.iter().filter(is_such).collect::<Vec<_>>()
    };
    let (gained, lost, kept) = (of(false, true), of(true, false), of(true, true));
    let sum = |pick: fn(&(&Row, &Row)) -> f64| kept.iter().map(|pair| pick(pair)).sum::<f64>();
    let (old, new) = (sum(|pair| pair.0.cpu), sum(|pair| pair.1.cpu));
    let mut text = format!(
        "{} tasks in both: {} gained, {} lost; the {} that both solve took {old:.1} s and take {new:.1} s\n",
        both.len(),
        gained.len(),
        lost.len(),
        kept.len()
    );
    for (sign, pairs) in [("+", gained), ("-", lost)] {
        for (old, new) in pairs {
            let (was, is) = (&old.verdict, &new.verdict);
            text.push_str(&format!("  {sign} {}: {was} ({:.1} s), now {is} ({:.1} s)\n", old.path, old.cpu, new.cpu));
        }
    }
    for (_, new) in both.iter().filter(|(_, new)| new.is_wrong()) {
        text.push_str(&format!("  WRONG {}: {}, not {}\n", new.path, new.verdict, new.expected));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(rows: &[(&str, &str)]) -> Results {
        let row = |&(path, verdict): &(&str, &str)| {
            let text = |text: &str| text.to_owned();
            let row = Row {
                path: text(path),
                set: text("s"),
                expected: text("safe"),
                verdict: text(verdict),
                cpu: 1.0,
                wall: 1.0,
                megabytes: 0,
            };
            (text(path), row)
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn gains_and_losses_are_listed() {
        let before = results(&[("a", "safe"), ("b", "timeout"), ("c", "safe"), ("d", "unknown"), ("only", "safe")]);
        let after = results(&[("a", "safe"), ("b", "safe"), ("c", "timeout"), ("d", "unsafe")]);
        let said = compare(&before, &after);
        let expected = "4 tasks in both: 1 gained, 1 lost; the 1 that both solve took 1.0 s and take 1.0 s\n  \
            + b: timeout (1.0 s), now safe (1.0 s)\n  - c: safe (1.0 s), now timeout (1.0 s)\n  \
            WRONG d: unsafe, not safe\n";
        assert_eq!(said, expected);
    }
}
