//! What became of a task, and the file that keeps it.
//!
//! The file is JSON, one line a task, appended as answers come; its first line says which version made it. A line is the answer with the name of the
//! task, what was expected, and the key of what was checked (`key`); it counts only for the same key. A process that is killed in the middle of
//! a line leaves half a line, which the next one removes. The file is locked while a campaign uses it, and a file that we did not write is never changed.

use std::io::{Read, Write};

use report::answer::{Answer, VerdictName};
use report::json;
use serde::{Deserialize, Serialize};

use crate::exit::Exit;

/// What became of a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The name of the task.
    pub task: String,
    /// What was checked: a hash of the preprocessed program, the property and the settings.
    pub key: Option<String>,
    /// What the task definition says.
    pub expected: Option<Expected>,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
}

/// What a task definition says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// The property holds.
    Safe,
    /// It does not.
    Unsafe,
}

impl Record {
    /// Whether the verdict contradicts what the definition says.
    pub fn is_wrong(&self) -> bool {
        self.contradicts().unwrap_or(false)
    }
    /// Whether the verdict is the one that the definition says.
    pub fn is_right(&self) -> bool {
        self.contradicts().is_some_and(|contradicts| !contradicts)
    }
    fn contradicts(&self) -> Option<bool> {
        match (self.answer.verdict, self.expected?) {
            (VerdictName::Unknown, _) => None,
            (verdict, expected) => Some((verdict == VerdictName::Safe) != (expected == Expected::Safe)),
        }
    }
    /// What the definition expects, in a word.
    pub fn expectation(&self) -> &'static str {
        match self.expected {
            Some(Expected::Safe) => "safe",
            Some(Expected::Unsafe) => "unsafe",
            None => "",
        }
    }
    /// One line of the file.
    pub fn line(&self) -> String {
        format!("{}\n", json::line(self))
    }
}

/// The exit code for all of them: a bug of ours first, then an error that was found, then what could not be read, then what is not known.
pub fn exit(records: &[Record]) -> Exit {
    let any = |code: Exit| records.iter().any(|record| record.answer.exit_code == code.code());
    if records.iter().any(Record::is_wrong) {
        return Exit::Bug;
    }
    [Exit::Bug, Exit::CannotWrite, Exit::ErrorReached, Exit::BadInput, Exit::CannotRead, Exit::Usage, Exit::Unknown]
        .into_iter()
        .find(|&code| any(code))
        .unwrap_or(Exit::Done)
}

// format: the version of the file.
/// The form of the file: answers with keys.
const FORMAT: u32 = 3;

/// The first line of the file.
#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    uforia: String,
    format: Option<u32>,
}

/// The file that keeps records.
pub struct Kept {
    file: std::fs::File,
    name: String,
}

impl Kept {
    /// Opens the file and reads what is there. `Err` is a message: the file cannot be used.
    pub fn open(name: &str) -> Result<(Kept, Vec<Record>), String> {
        let cannot = |error: std::io::Error| format!("cannot use {name}: {error}");
        let mut file = std::fs::OpenOptions::new().read(true).append(true).create(true).open(name).map_err(cannot)?;
        if rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(format!("{name} is in use by another campaign; take another name, or wait for it"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(cannot)?;
        let header = Header { uforia: env!("CARGO_PKG_VERSION").to_owned(), format: Some(FORMAT) };
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text[..whole].lines();
        let Some(first) = lines.next() else {
            // A header that was cut off is ours; any other text is not.
            let header = json::line(&header);
            if !header.starts_with(&text) {
                return Err(not_ours(name));
            }
            file.set_len(0).and_then(|()| writeln!(file, "{header}")).map_err(cannot)?;
            return Ok((Kept { file, name: name.to_owned() }, Vec::new()));
        };
        accept(name, first, &header)?;
        let mut records = Vec::new();
        for (index, line) in lines.enumerate() {
            let record = serde_json::from_str::<Record>(line);
            records.push(record.map_err(|error| format!("{name}:{}: not a result: {error}", index + 2))?);
        }
        if whole < text.len() {
            file.set_len(whole as u64).map_err(cannot)?;
        }
        Ok((Kept { file, name: name.to_owned() }, records))
    }

    /// Appends a line.
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        let line = record.line();
        self.file.write_all(line.as_bytes()).map_err(|error| format!("cannot write {}: {error}", self.name))
    }
}

fn not_ours(name: &str) -> String {
    format!("{name} is not a file of results that uforia wrote; take another name")
}

/// Refuses a first line that is not ours.
fn accept(name: &str, first: &str, header: &Header) -> Result<(), String> {
    let found: Header = serde_json::from_str(first).map_err(|_| not_ours(name))?;
    if found.format.is_none() {
        return Err(format!(
            "{name} holds results without keys, which cannot be trusted; take another name or remove it"
        ));
    }
    if found != *header {
        return Err(format!("{name} was made by another version ({first}); take another name or remove it"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::Reason;
    use verdict::Code;

    fn record(verdict: VerdictName, expected: Option<Expected>, exit_code: u8) -> Record {
        let answer = Answer::unknown("1", "a.c", Reason::new(Code::OutOfTime, "x \"y\""));
        Record {
            task: "a.c".to_owned(),
            key: Some("00".to_owned()),
            expected,
            answer: Answer { verdict, exit_code, seconds: 1.5, engine: Some("bmc".to_owned()), ..answer },
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let one = record(VerdictName::Unsafe, Some(Expected::Safe), 1);
        assert!(one.is_wrong() && !one.is_right());
        let line = one.line();
        assert!(
            line.starts_with("{\"task\": \"a.c\", \"key\": \"00\", \"expected\": \"safe\", \"schema\": 1, "),
            "{line}"
        );
        assert_eq!(serde_json::from_str::<Record>(&line).ok(), Some(one));
    }

    #[test]
    fn the_exit_code_is_that_of_the_worst() {
        let code = |records: &[Record]| exit(records).code();
        let safe = record(VerdictName::Safe, None, 0);
        let found = record(VerdictName::Unsafe, Some(Expected::Unsafe), 1);
        let (unknown, invalid) = (record(VerdictName::Unknown, None, 2), record(VerdictName::Unknown, None, 65));
        assert_eq!(code(std::slice::from_ref(&safe)), 0);
        assert_eq!(code(&[safe.clone(), unknown.clone()]), 2);
        assert_eq!(code(&[safe.clone(), unknown.clone(), invalid.clone()]), 65);
        assert_eq!(code(&[safe, unknown, invalid, found.clone()]), 1);
        assert_eq!(code(&[found, record(VerdictName::Safe, Some(Expected::Unsafe), 0)]), 70);
    }

    #[test]
    fn half_a_line_is_removed_and_the_rest_is_kept() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let name = folder.path().join("results").to_string_lossy().into_owned();
        let (mut kept, known) = Kept::open(&name).expect("a new file is made");
        assert!(known.is_empty());
        kept.add(&record(VerdictName::Safe, None, 0)).expect("it is written");
        assert!(Kept::open(&name).err().is_some_and(|said| said.contains("in use")), "the file is locked");
        drop(kept);
        let mut text = std::fs::read_to_string(&name).expect("the file is there");
        text.push_str("{\"task\": \"b.c\", \"verd");
        std::fs::write(&name, &text).expect("the file can be written");
        let (mut kept, known) = Kept::open(&name).expect("the file is read again");
        assert_eq!(known, [record(VerdictName::Safe, None, 0)]);
        kept.add(&record(VerdictName::Unknown, None, 2)).expect("it is written");
        drop(kept);
        assert_eq!(Kept::open(&name).expect("the file is read again").1.len(), 2);
    }

    #[test]
    fn a_file_that_is_not_ours_is_refused_and_not_changed() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let name = folder.path().join("results").to_string_lossy().into_owned();
        let old = "{\"uforia\": \"0.1.0\", \"options\": []}\n";
        for (text, expected) in [
            ("int main(void);\n", "not a file of results"),
            ("one line without an end", "not a file of results"),
            ("{\"tool\": \"other\"}\n", "not a file of results"),
            (old, "without keys"),
            ("{\"uforia\": \"0.1.0\", \"format\": 2}\n", "another version"),
        ] {
            std::fs::write(&name, text).expect("the file can be written");
            let said = Kept::open(&name).err().unwrap_or_default();
            assert!(said.contains(expected), "{text}: {said}");
            assert_eq!(std::fs::read_to_string(&name).expect("the file is there"), text);
        }
    }
}
