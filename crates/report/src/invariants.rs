//! The invariants of a proof for people to read: each loop's line of the source, with what holds there.

use crate::tuning::Tuning;
use crate::witness::Location;

/// One line for each conjunct, the first beside the loop. `source` gives the text of a line.
pub fn invariants(loops: &[(Location, Vec<String>)], source: &mut dyn FnMut(&str, u32) -> Option<String>) -> String {
    let Tuning { max_invariant_columns: columns, max_shown_conjuncts: shown, .. } = Tuning::DEFAULT;
    let mut text = String::new();
    let mut file = None;
    for (location, conjuncts) in loops {
        if file != Some(&location.file) {
            text.push_str(&format!("invariants:\n  {}\n", location.file));
            file = Some(&location.file);
        }
        let mut code = source(&location.file, location.line).unwrap_or_default().trim().to_owned();
        if code.chars().count() > columns {
            code = code.chars().take(columns - 1).chain(['…']).collect();
        }
        let mut number = location.line.to_string();
        for conjunct in conjuncts.iter().take(shown).map(|conjunct| bare(conjunct)) {
            text.push_str(&format!("  {number:>5} | {code:<columns$} // {conjunct}\n"));
            (number, code) = (String::new(), String::new());
        }
        if conjuncts.len() > shown {
            let more = conjuncts.len() - shown;
            text.push_str(&format!("        | {:<columns$} // and {more} more; --witness FILE writes all\n", ""));
        }
    }
    text
}

/// The expression without brackets around all of it.
fn bare(expression: &str) -> &str {
    let Some(inner) = expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return expression };
    let mut depth = 0i64;
    for byte in inner.bytes() {
        depth += i64::from(byte == b'(') - i64::from(byte == b')');
        if depth < 0 {
            return expression;
        }
    }
    bare(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> Location {
        Location { file: "a.c".to_owned(), line, column: 1, function: "main".to_owned() }
    }

    #[test]
    fn each_loop_has_its_line() {
        let said = vec![(at(3), vec!["x < 3".to_owned(), "y == 0".to_owned()]), (at(9), vec!["z".to_owned()])];
        let text = invariants(&said, &mut |_, line| Some(format!("  while (w{line}) {{")));
        let expected = "invariants:\n  a.c\n      \
            3 | while (w3) {                             // x < 3\n        \
            |                                          // y == 0\n      \
            9 | while (w9) {                             // z\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn brackets_around_all_of_it_say_nothing() {
        assert_eq!(bare("((x < 3))"), "x < 3");
        assert_eq!(bare("(a) || (b)"), "(a) || (b)");
    }

    #[test]
    fn long_invariants_are_cut() {
        let said = vec![(at(3), vec!["x".to_owned(); Tuning::DEFAULT.max_shown_conjuncts + 5])];
        let text = invariants(&said, &mut |_, _| None);
        assert!(text.ends_with("// and 5 more; --witness FILE writes all\n"), "{text}");
        assert_eq!(invariants(&[], &mut |_, _| None), "");
    }
}
