//! What became of a task, and the file that keeps it.
//!
//! The file is JSON, one line a task, written as answers come; its first line says which version and options made it. A process that is
//! killed in the middle of a line leaves half a line, which the next one removes.

use std::io::{Read, Seek, SeekFrom, Write};

use report::json::Json;

use crate::exit::Exit;

/// What became of a task.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The name of the task.
    pub task: String,
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
            ("verdict", Json::text(&self.verdict)),
            ("reason", Json::text(&self.reason)),
            ("expected", if self.expected.is_some() { Json::text(self.expectation()) } else { Json::Null }),
            ("exit_code", Json::Number(self.exit_code)),
            ("seconds", time(self.seconds)),
            ("cpu_seconds", self.cpu_seconds.map_or(Json::Null, time)),
            ("engine", self.engine.as_ref().map_or(Json::Null, Json::text)),
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

/// The file that keeps records.
pub struct Kept {
    file: std::fs::File,
    name: String,
}

impl Kept {
    /// Opens the file and reads what is there. `Err` is a message: the file cannot be used, or other options made it.
    pub fn open(name: &str, options: &[String]) -> Result<(Kept, Vec<Record>), String> {
        let cannot = |error: std::io::Error| format!("cannot use {name}: {error}");
        let mut file = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(name)
            .map_err(cannot)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(cannot)?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut records = Vec::new();
        let mut lines = text[..whole].lines();
        let header = Json::object(vec![
            ("uforia", Json::text(env!("CARGO_PKG_VERSION"))),
            ("options", Json::List(options.iter().map(Json::text).collect())),
        ]);
        match lines.next() {
            None => {
                file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).map_err(cannot)?;
                writeln!(file, "{header}").map_err(cannot)?;
            }
            Some(first) => {
                let not_ours = || format!("{name} is not a file of results that uforia wrote; take another name");
                let found = Json::read(first).map_err(|_| not_ours())?;
                if found.get("uforia").is_none() {
                    return Err(not_ours());
                }
                if found != header {
                    return Err(format!(
                        "{name} was made with other options or another version ({first}); take another name or remove it"
                    ));
                }
                for (index, line) in lines.enumerate() {
                    let record = Json::read(line).ok().and_then(|json| Record::from_json(&json));
                    records.push(record.ok_or_else(|| format!("{name}:{}: not a result", index + 2))?);
                }
                file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(cannot)?;
            }
        }
        Ok((Kept { file, name: name.to_owned() }, records))
    }

    /// Appends a line.
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        let line = format!("{}\n", record.to_json());
        self.file.write_all(line.as_bytes()).map_err(|error| format!("cannot write {}: {error}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(verdict: &str, expected: Option<bool>, exit_code: u64) -> Record {
        Record {
            task: "a.c".to_owned(),
            verdict: verdict.to_owned(),
            reason: "x \"y\"".to_owned(),
            expected,
            exit_code,
            seconds: 1.5,
            cpu_seconds: None,
            engine: Some("bmc".to_owned()),
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
        assert_eq!(code(&[safe.clone()]), 0);
        assert_eq!(code(&[safe.clone(), unknown.clone()]), 2);
        assert_eq!(code(&[safe.clone(), unknown.clone(), invalid.clone()]), 65);
        assert_eq!(code(&[safe, unknown, invalid, found.clone()]), 1);
        assert_eq!(code(&[found, record("SAFE", Some(false), 0)]), 70);
    }

    #[test]
    fn half_a_line_is_removed_and_other_options_are_refused() {
        let name = std::env::temp_dir().join(format!("uforia-record-{}", std::process::id()));
        let name = name.to_str().expect("names in tests are plain");
        let _ = std::fs::remove_file(name);
        let options = ["--seed=3".to_owned()];
        let (mut kept, known) = Kept::open(name, &options).expect("a new file is made");
        assert!(known.is_empty());
        kept.add(&record("SAFE", None, 0)).expect("it is written");
        drop(kept);
        let mut text = std::fs::read_to_string(name).expect("the file is there");
        text.push_str("{\"task\": \"b.c\", \"verd");
        std::fs::write(name, &text).expect("the file can be written");
        let (mut kept, known) = Kept::open(name, &options).expect("the file is read again");
        assert_eq!(known, [record("SAFE", None, 0)]);
        kept.add(&record("UNKNOWN", None, 2)).expect("it is written");
        drop(kept);
        assert_eq!(Kept::open(name, &options).expect("the file is read again").1.len(), 2);
        assert!(Kept::open(name, &[]).err().is_some_and(|said| said.contains("other options")));
        std::fs::write(name, "int main(void);\n").expect("the file can be written");
        assert!(Kept::open(name, &[]).err().is_some_and(|said| said.contains("not a file of results")));
        std::fs::remove_file(name).expect("the file is there");
    }
}
