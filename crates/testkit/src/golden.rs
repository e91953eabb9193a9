//! Golden files: programs that carry their own answers.
//!
//! A file's answers stand in its leading `//` comments, `// key: value`, one each:
//!
//! | key | meaning |
//! |---|---|
//! | `returns: 42` | `main` returns this (as an `int`) |
//! | `outcome: error` | the error is reached; `error line 7` also says where; or `blocked`, `returned`, `no answer` |
//! | `undefined: text` | an undefined operation is met whose description contains the text; without this key, none is |
//! | `refused: text` | the front end refuses the file with a message (`line:column: words`) that contains the text |
//! | `data-model: lp64` | only for this model; `both` is the default |
//! | `inputs: 1 -2 3` | the values of the calls of `__VERIFIER_nondet_*`, then zeros |
//! | `compiled: no` | the compiled program is not expected to agree (it is undefined, or needs inputs) |
//!
//! With `BLESS=1` in the environment, answers are rewritten to what we say now.

use crate::differential::model_name;
use crate::ours::{self, Answer, Result as Ours};
use cfront::DataModel;
use std::path::{Path, PathBuf};

/// The answers a file carries.
#[derive(Clone, Default, Debug)]
pub struct Expectation {
    keys: Vec<(String, String)>,
}

impl Expectation {
    /// Reads the leading comments.
    pub fn read(text: &str) -> Expectation {
        let mut keys = Vec::new();
        for line in text.lines() {
            let Some(comment) = line.strip_prefix("//") else { break };
            if let Some((key, value)) = comment.split_once(':')
                && KEYS.contains(&key.trim())
            {
                keys.push((key.trim().to_string(), value.trim().to_string()));
            }
        }
        Expectation { keys }
    }
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.keys.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
    /// The data models the file is for.
    pub fn models(&self) -> Vec<DataModel> {
        match self.get("data-model") {
            Some("ilp32") => vec![DataModel::Ilp32],
            Some("lp64") => vec![DataModel::Lp64],
            _ => vec![DataModel::Lp64, DataModel::Ilp32],
        }
    }
    /// The values of the file's inputs.
    pub fn inputs(&self) -> Result<Vec<u128>, String> {
        let words = self.get("inputs").unwrap_or_default().split_whitespace();
        words
            .map(|word| {
                let value = word.parse::<i128>().map(|v| v as u128).or_else(|_| word.parse::<u128>());
                value.map_err(|_| format!("`{word}` is no input value"))
            })
            .collect()
    }
}

const KEYS: &[&str] = &["returns", "outcome", "undefined", "refused", "data-model", "inputs", "compiled"];
const ANSWER_KEYS: &[&str] = &["returns", "outcome", "undefined", "refused"];
const MOST_EDGES: u64 = 50_000_000;

/// The top folder of the project.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).expect("the crate lies two folders below the top").to_path_buf()
}

/// All files with this extension in a folder of the project, sorted.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = workspace().join(folder);
    let mut found: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()))
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    found.sort();
    found
}

/// Checks one file under all its data models; the complaints.
pub fn check(path: &Path) -> Vec<String> {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let expectation = Expectation::read(&text);
    let inputs = match expectation.inputs() {
        Ok(inputs) => inputs,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let results: Vec<(DataModel, Ours)> = expectation
        .models()
        .into_iter()
        .map(|model| (model, ours::interpret(&name, &text, model, &inputs, MOST_EDGES)))
        .collect();
    let mut complaints = Vec::new();
    for (model, result) in &results {
        for complaint in complaints_about(&expectation, result) {
            complaints.push(format!("{name} ({}): {complaint}", model_name(*model)));
        }
    }
    if !complaints.is_empty() && std::env::var_os("BLESS").is_some_and(|value| !value.is_empty()) {
        let blessed = blessed(&text, &results[0].1);
        if let Err(error) = std::fs::write(path, blessed) {
            return vec![format!("{name}: cannot bless: {error}")];
        }
        eprintln!("blessed {name}");
        return Vec::new();
    }
    complaints
}

fn complaints_about(expectation: &Expectation, result: &Ours) -> Vec<String> {
    let mut complaints = Vec::new();
    let answer = &result.answer;
    let mut expect = |holds: bool, wanted: String| {
        if !holds {
            complaints.push(format!("expected {wanted}, but got {answer:?}, undefined: {:?}", result.undefined));
        }
    };
    if let Some(text) = expectation.get("refused") {
        let holds = matches!(answer, Answer::Unsupported(said) | Answer::Invalid(said) if said.contains(text));
        expect(holds, format!("a refusal that says `{text}`"));
        return complaints;
    }
    if let Some(value) = expectation.get("returns") {
        expect(returned(answer).is_some_and(|v| v.to_string() == value), format!("main to return {value}"));
    }
    match expectation.get("outcome") {
        Some("blocked") => expect(*answer == Answer::Blocked, "the run to end early".into()),
        Some("returned") => expect(returned(answer).is_some(), "main to return".into()),
        Some("no answer") => expect(matches!(answer, Answer::NoAnswer(_)), "no answer".into()),
        Some(outcome) => {
            let line = outcome.strip_prefix("error").map(|rest| rest.trim().trim_start_matches("line").trim());
            let Some(line) = line else { return vec![format!("`outcome: {outcome}` means nothing")] };
            let holds = matches!(answer, Answer::Error { line: l, .. } if line.is_empty() || l.to_string() == line);
            expect(holds, format!("the error {}", outcome.trim_start_matches("error").trim()));
        }
        None if expectation.get("returns").is_none() => {
            return vec!["the file carries no answer (returns, outcome or refused)".into()];
        }
        None => {}
    }
    match (expectation.get("undefined"), &result.undefined) {
        (None, None) => {}
        (Some(wanted), Some(met)) if met.contains(wanted) => {}
        (wanted, met) => complaints.push(format!("expected undefined: {wanted:?}, met: {met:?}")),
    }
    complaints
}

fn returned(answer: &Answer) -> Option<i32> {
    match answer {
        Answer::Returned(Some(value)) => Some(*value as u32 as i32),
        _ => None,
    }
}

/// The text with the answers we give now.
fn blessed(text: &str, result: &Ours) -> String {
    let mut answers = Vec::new();
    match &result.answer {
        Answer::Returned(_) => answers.push(format!("// returns: {}", returned(&result.answer).unwrap_or(0))),
        Answer::Error { line, .. } => answers.push(format!("// outcome: error line {line}")),
        Answer::Blocked => answers.push("// outcome: blocked".into()),
        Answer::NoAnswer(_) | Answer::Panicked(_) => answers.push("// outcome: no answer".into()),
        Answer::Unsupported(said) | Answer::Invalid(said) => answers.push(format!("// refused: {said}")),
    }
    if let Some(met) = &result.undefined {
        answers.push(format!("// undefined: {met}"));
    }
    let is_answer = |line: &str| {
        line.strip_prefix("//")
            .and_then(|c| c.split_once(':'))
            .is_some_and(|(key, _)| ANSWER_KEYS.contains(&key.trim()))
    };
    let comments = text.lines().take_while(|line| line.starts_with("//")).count();
    let mut lines: Vec<String> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if index == comments {
            lines.append(&mut answers);
        }
        if index >= comments || !is_answer(line) {
            lines.push(line.to_string());
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn returning(value: u128) -> Ours {
        Ours { answer: Answer::Returned(Some(value)), undefined: None, edges: 0 }
    }

    #[test]
    fn answers_are_read_from_the_leading_comments_only() {
        let read = Expectation::read("// Why.\n// returns: 3\n// inputs: 1 -2\nint x; // returns: 4\n");
        assert_eq!(read.get("returns"), Some("3"));
        assert_eq!(read.inputs(), Ok(vec![1, (-2_i128) as u128]));
        assert_eq!(read.models().len(), 2);
    }

    #[test]
    fn a_wrong_value_and_a_missing_answer_are_complained_about() {
        let expectation = Expectation::read("// returns: -1\n");
        assert!(complaints_about(&expectation, &returning(0xffff_ffff)).is_empty());
        assert_eq!(complaints_about(&expectation, &returning(1)).len(), 1);
        assert_eq!(complaints_about(&Expectation::read("int x;"), &returning(1)).len(), 1);
    }

    #[test]
    fn an_undefined_operation_must_be_announced() {
        let met = Ours { undefined: Some("DivisionByZero at line 3".into()), ..returning(0) };
        assert_eq!(complaints_about(&Expectation::read("// returns: 0\n"), &met).len(), 1);
        assert!(complaints_about(&Expectation::read("// returns: 0\n// undefined: line 3\n"), &met).is_empty());
    }

    #[test]
    fn blessing_replaces_the_answer_and_keeps_the_rest() {
        let text = "// Why.\n// returns: 3\n// inputs: 1\nint main(void);\n";
        assert_eq!(blessed(text, &returning(7)), "// Why.\n// inputs: 1\n// returns: 7\nint main(void);\n");
    }
}
