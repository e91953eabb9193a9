//! Results of runs, one row a task, in the columns that other benchmark scripts also write:
//! `path,set,expected,verdict,status,cpu,wall,mem_mb`.
//!
//! Rows are appended as they come, and what is there is not run again; half a row at the end, left by a process that was killed, is dropped.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The first line.
pub const HEADER: &str = "path,set,expected,verdict,status,cpu,wall,mem_mb";

/// What a run came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The task.
    pub path: String,
    /// Its set.
    pub set: String,
    /// `safe` or `unsafe`.
    pub expected: String,
    /// `safe`, `unsafe`, `unknown`, `timeout` or `crash`.
    pub verdict: String,
    /// Seconds of processor time.
    pub cpu: f64,
    /// Wall-clock seconds.
    pub wall: f64,
    /// Peak memory in megabytes; zero when it is not known.
    pub megabytes: u64,
}

impl Row {
    /// Whether the answer is the right one.
    pub fn is_solved(&self) -> bool {
        self.verdict == self.expected
    }
    /// Whether it is the wrong one.
    pub fn is_wrong(&self) -> bool {
        matches!(self.verdict.as_str(), "safe" | "unsafe") && !self.is_solved()
    }
    fn status(&self) -> &str {
        match self.verdict.as_str() {
            _ if self.is_solved() => "correct",
            _ if self.is_wrong() => "wrong",
            other => other,
        }
    }
    fn line(&self) -> String {
        format!(
            "{},{},{},{},{},{:.3},{:.3},{}\n",
            self.path,
            self.set,
            self.expected,
            self.verdict,
            self.status(),
            self.cpu,
            self.wall,
            self.megabytes
        )
    }
    fn read(line: &str) -> Option<Row> {
        let columns: Vec<&str> = line.split(',').collect();
        let [path, set, expected, verdict, _status, cpu, wall, megabytes] = columns[..] else { return None };
        Some(Row {
            path: path.to_owned(),
            set: set.to_owned(),
            expected: expected.to_owned(),
            verdict: verdict.to_owned(),
            cpu: cpu.parse().ok()?,
            wall: wall.parse().ok()?,
            megabytes: megabytes.parse().unwrap_or(0),
        })
    }
}

/// All rows of a file, by task.
pub type Results = BTreeMap<String, Row>;

/// Reads a file; a last line without an end is not there.
pub fn read(file: &Path) -> Result<Results, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
    let mut lines = whole.lines();
    match lines.next() {
        None => return Ok(Results::new()),
        Some(first) if first.trim_end() == HEADER => {}
        Some(_) => return Err(format!("{}: the first line is not {HEADER}", file.display())),
    }
    lines
        .enumerate()
        .map(|(index, line)| {
            let row = Row::read(line.trim_end()).ok_or(format!("{}:{}: not a row", file.display(), index + 2))?;
            Ok((row.path.clone(), row))
        })
        .collect()
}

/// A file that grows row by row.
pub struct Growing {
    file: fs::File,
    name: PathBuf,
}

impl Growing {
    /// Opens the file, gives what is there, and makes it end with a whole line.
    pub fn open(name: &Path) -> Result<(Growing, Results), String> {
        let cannot = |error: std::io::Error| format!("{}: {error}", name.display());
        if let Some(folder) = name.parent() {
            fs::create_dir_all(folder).map_err(cannot)?;
        }
        let text = fs::read_to_string(name).unwrap_or_default();
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let known = if whole > 0 { read(name)? } else { Results::new() };
        let start = if whole > 0 { text[..whole].to_owned() } else { format!("{HEADER}\n") };
        fs::write(name, start).map_err(cannot)?;
        let file = fs::OpenOptions::new().append(true).open(name).map_err(cannot)?;
        Ok((Growing { file, name: name.to_owned() }, known))
    }
    /// Appends a row.
    pub fn add(&mut self, row: &Row) -> Result<(), String> {
        self.file.write_all(row.line().as_bytes()).map_err(|error| format!("{}: {error}", self.name.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::compiler::TempFolder;

    fn row(path: &str, verdict: &str) -> Row {
        let expected = "safe".to_owned();
        let (set, verdict) = ("locks".to_owned(), verdict.to_owned());
        Row { path: path.to_owned(), set, expected, verdict, cpu: 0.25, wall: 0.5, megabytes: 7 }
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        let one = row("locks/a.c", "unsafe");
        assert_eq!(one.line(), "locks/a.c,locks,safe,unsafe,wrong,0.250,0.500,7\n");
        assert_eq!(Row::read(one.line().trim_end()), Some(one));
        assert_eq!(Row::read("a,b"), None);
    }

    #[test]
    fn a_file_goes_on_after_half_a_row() {
        let folder = TempFolder::new();
        let name = folder.path().join("new/kind.csv");
        let (mut file, known) = Growing::open(&name).expect("the file is made");
        assert!(known.is_empty());
        file.add(&row("a.c", "safe")).expect("it is written");
        fs::write(&name, fs::read_to_string(&name).expect("it is there") + "b.c,lo").expect("it is written");
        let (mut file, known) = Growing::open(&name).expect("the file is read");
        assert_eq!(known.len(), 1);
        file.add(&row("b.c", "timeout")).expect("it is written");
        let all = read(&name).expect("it is in order");
        assert!(all["a.c"].is_solved() && !all["b.c"].is_solved() && !all["b.c"].is_wrong());
    }
}
