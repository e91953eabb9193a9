//! The invariants of a proof for people to read: each loop's line of the source, with what holds there.

use crate::witness::Location;

/// Of one loop at most so many conjuncts are told; a witness has all of them.
const SHOWN: usize = 12;
/// Source lines longer than this are cut, and what holds stands behind them.
const COLUMNS: usize = 40;

/// One line for each conjunct, the first beside the loop. `source` gives the text of a line.
pub fn invariants(loops: &[(Location, Vec<String>)], source: &mut dyn FnMut(&str, u32) -> Option<String>) -> String {
    let mut text = String::new();
    let mut file = None;
    for (location, conjuncts) in loops {
        if file != Some(&location.file) {
            text.push_str(&format!("invariants:\n  {}\n", location.file));
            file = Some(&location.file);
        }
        let mut code = source(&location.file, location.line).unwrap_or_default().trim().to_owned();
        if code.chars().count() > COLUMNS {
            code = code.chars().take(COLUMNS - 1).chain(['…']).collect();
        }
        let mut number = location.line.to_string();
        for conjunct in conjuncts.iter().take(SHOWN) {
            text.push_str(&format!("  {number:>5} | {code:<COLUMNS$} // {conjunct}\n"));
            (number, code) = (String::new(), String::new());
        }
        if conjuncts.len() > SHOWN {
            let more = conjuncts.len() - SHOWN;
            text.push_str(&format!("        | {:<COLUMNS$} // and {more} more; --witness FILE writes all\n", ""));
        }
    }
    text
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
    fn long_invariants_are_cut() {
        let said = vec![(at(3), vec!["x".to_owned(); SHOWN + 5])];
        let text = invariants(&said, &mut |_, _| None);
        assert!(text.ends_with("// and 5 more; --witness FILE writes all\n"), "{text}");
        assert_eq!(invariants(&[], &mut |_, _| None), "");
    }
}
