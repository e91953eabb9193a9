//! What became of a task, and the file that keeps it.
//!
//! The file is JSON, one line a task, appended as answers come; its first line says which version made it. Each result has the key of what was
//! checked (`key`), and counts only for the same key. A process that is killed in the middle of a line leaves half a line, which the next one
//! removes. The file is locked while a campaign uses it, and a file that we did not write is never changed.

use std::io::{Read, Write};

use report::json::Json;

use crate::exit::Exit;

/// What became of a task.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The name of the task.
    pub task: String,
    /// What was checked: a hash of the preprocessed program, the property and the settings.
    pub key: Option<String>,
    /// `SAFE`, `UNSAFE` or `UNKNOWN`.
    pub verdict: String,
    /// What is reached, or why nothing is known.
    pub reason: String,
    /// What the task definition says.
    pub expected: Option<bool>,
    /// The exit code of the check.
    pub exit_code: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Seconds of processor time, if known.
    pub cpu_seconds: Option<f64>,
    /// Who found the answer.
    pub engine: Option<String>,
    /// What was assumed, one line each.
    pub assumptions: Vec<String>,
    /// Results and notifications for a SARIF file, if one was asked for.
    pub sarif: Option<Json>,
}

impl Record {
    /// Whether the verdict contradicts what the definition says.
    pub fn is_wrong(&self) -> bool {
        matches!((self.verdict.as_str(), self.expected), ("SAFE", Some(false)) | ("UNSAFE", Some(true)))
    }
    /// Whether the verdict is the one that the definition says.
    pub fn is_right(&self) -> bool {
        matches!((self.verdict.as_str(), self.expected), ("SAFE", Some(true)) | ("UNSAFE", Some(false)))
    }
    /// What the definition expects, in a word.
    pub fn expectation(&self) -> &'static str {
        match self.expected {
            Some(true) => "safe",
            Some(false) => "unsafe",
            None => "",
        }
    }

    /// One line of the file.
    pub fn to_json(&self) -> Json {
        let time = |seconds: f64| Json::Literal(format!("{seconds:.3}"));
        let mut members = vec![
            ("task", Json::text(&self.task)),
            ("key", self.key.as_ref().map_or(Json::Null, Json::text)),
            ("verdict", Json::text(&self.verdict)),
            ("reason", Json::text(&self.reason)),
            ("expected", if self.expected.is_some() { Json::text(self.expectation()) } else { Json::Null }),
            ("exit_code", Json::Number(self.exit_code)),
            ("seconds", time(self.seconds)),
            ("cpu_seconds", self.cpu_seconds.map_or(Json::Null, time)),
            ("engine", self.engine.as_ref().map_or(Json::Null, Json::text)),
            ("assumptions", Json::List(self.assumptions.iter().map(Json::text).collect())),
        ];
        if let Some(sarif) = &self.sarif {
            members.push(("sarif", sarif.clone()));
        }
        Json::object(members)
    }

    fn from_json(json: &Json) -> Option<Record> {
        let text = |name: &str| json.get(name).and_then(Json::as_text).map(str::to_owned);
        let number = |name: &str| json.get(name).and_then(Json::as_float);
        Some(Record {
            task: text("task")?,
            key: text("key"),
            verdict: text("verdict")?,
            reason: text("reason")?,
            expected: match text("expected").as_deref() {
                Some("safe") => Some(true),
                Some("unsafe") => Some(false),
                _ => None,
            },
            exit_code: number("exit_code")? as u64,
            seconds: number("seconds")?,
            cpu_seconds: number("cpu_seconds"),
            engine: text("engine"),
            assumptions: lines(json.get("assumptions")?),
            sarif: json.get("sarif").cloned(),
        })
    }
}

/// The exit code for all of them: a bug of ours first, then an error that was found, then what could not be read, then what is not known.
pub fn exit(records: &[Record]) -> Exit {
    let any = |code: Exit| records.iter().any(|record| record.exit_code == u64::from(code.code()));
    if records.iter().any(Record::is_wrong) {
        return Exit::Bug;
    }
    [Exit::Bug, Exit::CannotWrite, Exit::ErrorReached, Exit::BadInput, Exit::CannotRead, Exit::Usage, Exit::Unknown]
        .into_iter()
        .find(|&code| any(code))
        .unwrap_or(Exit::Done)
}

/// The texts of a list.
pub fn lines(list: &Json) -> Vec<String> {
    list.as_list().unwrap_or_default().iter().filter_map(Json::as_text).map(str::to_owned).collect()
}

// format: the version of the file.
/// The form of the file: results with keys.
const FORMAT: u64 = 2;

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
        let header =
            Json::object(vec![("uforia", Json::text(env!("CARGO_PKG_VERSION"))), ("format", Json::Number(FORMAT))])
                .to_string();
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text[..whole].lines();
        let Some(first) = lines.next() else {
            // A header that was cut off is ours; any other text is not.
            if !header.starts_with(&text) {
                return Err(not_ours(name));
            }
            file.set_len(0).and_then(|()| writeln!(file, "{header}")).map_err(cannot)?;
            return Ok((Kept { file, name: name.to_owned() }, Vec::new()));
        };
        accept(name, first, &header)?;
        let mut records = Vec::new();
        for (index, line) in lines.enumerate() {
            let record = Json::read(line).ok().and_then(|json| Record::from_json(&json));
            records.push(record.ok_or_else(|| format!("{name}:{}: not a result", index + 2))?);
        }
        if whole < text.len() {
            file.set_len(whole as u64).map_err(cannot)?;
        }
        Ok((Kept { file, name: name.to_owned() }, records))
    }

    /// Appends a line.
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        let line = format!("{}\n", record.to_json());
        self.file.write_all(line.as_bytes()).map_err(|error| format!("cannot write {}: {error}", self.name))
    }
}

fn not_ours(name: &str) -> String {
    format!("{name} is not a file of results that uforia wrote; take another name")
}

/// Refuses a first line that is not ours.
fn accept(name: &str, first: &str, header: &str) -> Result<(), String> {
    let found = Json::read(first).map_err(|_| not_ours(name))?;
    if found.get("uforia").and_then(Json::as_text).is_none() {
        return Err(not_ours(name));
    }
    if found.get("format") != Some(&Json::Number(FORMAT)) {
        return Err(format!(
            "{name} holds results without keys, which cannot be trusted; take another name or remove it"
        ));
    }
    if found.to_string() != header {
        return Err(format!("{name} was made by another version ({first}); take another name or remove it"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(verdict: &str, expected: Option<bool>, exit_code: u64) -> Record {
        Record {
            task: "a.c".to_owned(),
            key: Some("00".to_owned()),
            verdict: verdict.to_owned(),
            reason: "x \"y\"".to_owned(),
            expected,
            exit_code,
            seconds: 1.5,
            cpu_seconds: None,
            engine: Some("bmc".to_owned()),
            assumptions: vec!["x returns any value".to_owned()],
            sarif: None,
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let one = record("UNSAFE", Some(true), 1);
        assert!(one.is_wrong() && !one.is_right());
        let again = Json::read(&one.to_json().to_string()).ok().and_then(|json| Record::from_json(&json));
        assert_eq!(again, Some(one));
    }

    #[test]
    fn the_exit_code_is_that_of_the_worst() {
        let code = |records: &[Record]| exit(records).code();
        let (safe, found) = (record("SAFE", None, 0), record("UNSAFE", Some(false), 1));
        let (unknown, invalid) = (record("UNKNOWN", None, 2), record("UNKNOWN", None, 65));
        assert_eq!(code(std::slice::from_ref(&safe)), 0);
        assert_eq!(code(&[safe.clone(), unknown.clone()]), 2);
        assert_eq!(code(&[safe.clone(), unknown.clone(), invalid.clone()]), 65);
        assert_eq!(code(&[safe, unknown, invalid, found.clone()]), 1);
        assert_eq!(code(&[found, record("SAFE", Some(false), 0)]), 70);
    }

    #[test]
    fn half_a_line_is_removed_and_the_rest_is_kept() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let name = folder.path().join("results").to_string_lossy().into_owned();
        let (mut kept, known) = Kept::open(&name).expect("a new file is made");
        assert!(known.is_empty());
        kept.add(&record("SAFE", None, 0)).expect("it is written");
        assert!(Kept::open(&name).err().is_some_and(|said| said.contains("in use")), "the file is locked");
        drop(kept);
        let mut text = std::fs::read_to_string(&name).expect("the file is there");
        text.push_str("{\"task\": \"b.c\", \"verd");
        std::fs::write(&name, &text).expect("the file can be written");
        let (mut kept, known) = Kept::open(&name).expect("the file is read again");
        assert_eq!(known, [record("SAFE", None, 0)]);
        kept.add(&record("UNKNOWN", None, 2)).expect("it is written");
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
        ] {
            std::fs::write(&name, text).expect("the file can be written");
            let said = Kept::open(&name).err().unwrap_or_default();
            assert!(said.contains(expected), "{text}: {said}");
            assert_eq!(std::fs::read_to_string(&name).expect("the file is there"), text);
        }
    }
}
