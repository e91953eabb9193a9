//! The invariants of a proof for people to read: each loop's line of the source, with what holds there.

use crate::answer::Invariant;
use crate::tuning::Tuning;

/// One line for each conjunct, the first beside the loop. `source` gives the text of a line.
pub fn invariants(loops: &[Invariant], source: &mut dyn FnMut(&str, u32) -> Option<String>) -> String {
    let Tuning { max_invariant_columns: columns, max_shown_conjuncts: shown, .. } = Tuning::DEFAULT;
    let mut text = String::new();
    let mut last = None;
    let expressible = loops.iter().filter(|one| !one.c.is_empty());
    for (one, (file, line)) in expressible.filter_map(|one| Some((one, one.at.parts()?))) {
        let conjuncts = &one.c;
        if last != Some(file) {
            text.push_str(&format!("invariants:\n  {file}\n"));
            last = Some(file);
        }
        let mut code = source(file, line).unwrap_or_default().trim().to_owned();
        if code.chars().count() > columns {
            code = code.chars().take(columns - 1).chain(['…']).collect();
        }
        let mut number = line.to_string();
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
pub fn bare(expression: &str) -> &str {
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
    use crate::answer::Place;

    fn at(line: u32, c: Vec<String>) -> Invariant {
        let at = Place { place: Some(format!("a.c:{line}")), column: Some(1) };
        Invariant { at, function: "main".to_owned(), c, smtlib: None }
    }

    #[test]
    fn each_loop_has_its_line() {
        let said =
            [at(3, vec!["x < 3".to_owned(), "y == 0".to_owned()]), at(5, Vec::new()), at(9, vec!["z".to_owned()])];
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
        let said = [at(3, vec!["x".to_owned(); Tuning::DEFAULT.max_shown_conjuncts + 5])];
        let text = invariants(&said, &mut |_, _| None);
        assert!(text.ends_with("// and 5 more; --witness FILE writes all\n"), "{text}");
        assert_eq!(invariants(&[], &mut |_, _| None), "");
    }
}
