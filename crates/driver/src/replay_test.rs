//! A counterexample as a test: `#[test]` behind the harness, with the inputs of the run into the error.
//!
//! The test calls the harness with `uforia::replay`, which hands out the inputs in their order, and fails with the panic that the verifier found.
//! It stands in the same module as the harness, which may be private.

use std::path::Path;

use report::answer::Counterexample;

/// The inputs that the harness asks for, as `UFORIA_INPUTS` and `uforia::replay` take them.
pub fn inputs(run: &Counterexample) -> String {
    let asked = run.inputs.iter().filter(|input| input.source.starts_with("__VERIFIER_nondet_"));
    let values: Vec<&str> = asked.map(|input| input.value.as_str()).collect();
    values.join(",")
}

/// The test for the harness of this path.
pub fn text(harness: &str, inputs: &str) -> String {
    let name = harness.rsplit("::").next().unwrap_or(harness);
    format!("#[cfg(test)]\n#[test]\nfn replays_{name}() {{\n    uforia::replay(\"{inputs}\", {name});\n}}\n")
}

/// Writes the test behind the function of this name that begins at this line or shortly after it. An old test of the harness is replaced.
pub fn insert(file: &Path, line: usize, harness: &str, inputs: &str) -> Result<(), String> {
    let shown = file.display();
    let source = std::fs::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
    let changed = inserted(&source, line, harness, inputs)
        .ok_or_else(|| format!("{shown}: the end of the harness `{harness}` was not found"))?;
    std::fs::write(file, changed).map_err(|error| format!("{shown}: {error}"))
}

fn inserted(source: &str, line: usize, harness: &str, inputs: &str) -> Option<String> {
    let name = harness.rsplit("::").next().unwrap_or(harness);
    let from: usize = source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let head = format!("fn {name}(");
    let start = source.get(from..)?.find(&head).map(|at| from + at).or_else(|| source.find(&head))?;
    let end = block_end(source, start)?;
    let indent: String = {
        let first = source[..start].rfind('\n').map_or(0, |at| at + 1);
        source[first..].chars().take_while(|c| *c == ' ' || *c == '\t').collect()
    };
    let test: String = text(harness, inputs).lines().map(|line| format!("{indent}{line}\n")).collect();
    let behind = &source[end..];
    // An old one begins in the same way.
    let old = format!("{indent}#[cfg(test)]\n{indent}#[test]\n{indent}fn replays_{name}() {{");
    let behind = match behind.trim_start_matches('\n').strip_prefix(old.as_str()) {
        Some(rest) => {
            rest.split_once('}').map_or(rest, |(_, rest)| rest).trim_start_matches(')').trim_start_matches('\n')
        }
        None => behind.trim_start_matches('\n'),
    };
    let gap = if behind.is_empty() || behind.trim_start().starts_with('}') { "" } else { "\n" };
    Some(format!("{}\n\n{test}{gap}{behind}", &source[..end]))
}

/// Where the block that opens behind this position ends. Braces in strings, characters and comments do not count.
fn block_end(source: &str, from: usize) -> Option<usize> {
    let bytes = source.as_bytes();
    let (mut at, mut depth) = (from, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => at += source[at..].find('\n')?,
            b'/' if bytes[at..].starts_with(b"/*") => at += source[at..].find("*/")? + 1,
            b'"' => {
                at += 1;
                while *bytes.get(at)? != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'\'' if bytes.get(at + 1) == Some(&b'\\') => at += source[at + 2..].find('\'')? + 2,
            // A character; otherwise it is a lifetime.
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 2,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "mod proofs {\n    #[uforia::proof]\n    fn small() {\n        let c = '{';\n        let s = \"}\"; // }\n    }\n}\n";

    #[test]
    fn a_test_stands_behind_its_harness() {
        let once = inserted(SOURCE, 2, "p::proofs::small", "1,2").expect("the harness is there");
        let expected = "    }\n\n    #[cfg(test)]\n    #[test]\n    fn replays_small() {\n        \
            uforia::replay(\"1,2\", small);\n    }\n}\n";
        assert!(once.ends_with(expected), "{once}");
        let again = inserted(&once, 2, "p::proofs::small", "3").expect("the harness is there");
        assert_eq!(again, once.replace("1,2", "3"));
    }

    #[test]
    fn a_harness_that_is_not_there_is_said() {
        assert_eq!(inserted(SOURCE, 1, "other", "1"), None);
    }
}
