//! The system's C compiler, as an oracle: whether it is there, what it makes of a program, and what
//! the compiled program prints within a time limit.

use cfront::DataModel;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The compiler's command. `CC` in the environment overrides it, as in make.
pub fn command() -> String {
    std::env::var("CC").ok().filter(|cc| !cc.is_empty()).unwrap_or_else(|| "cc".into())
}

/// Flags that make `cc` compile for this data model with the arithmetic we promise.
pub fn flags(model: DataModel) -> Vec<&'static str> {
    let mut flags = vec!["-std=gnu11", "-fwrapv"];
    match model {
        DataModel::Lp64 => flags.push("-m64"),
        // Without SSE, floats would be computed with more bits than they have.
        DataModel::Ilp32 => flags.extend(["-m32", "-msse2", "-mfpmath=sse"]),
    }
    flags
}

/// Says in plain words why programs of this data model cannot be compiled and run here, if so.
pub fn missing(model: DataModel) -> Option<String> {
    let folder = TempFolder::new();
    let probe = folder.path().join("probe.c");
    let text =
        "extern int printf(const char *, ...); int main(void) { return printf(\"%d\", (int)sizeof(long)) != 1; }\n";
    if fs::write(&probe, text).is_err() {
        return Some("cannot write into the folder for temporary files".into());
    }
    let cc = command();
    match compile(&[probe], &folder.path().join("probe"), model, &[]) {
        Err(Problem::NotThere) => {
            Some(format!("there is no C compiler: `{cc}` cannot be started (set CC to name another)"))
        }
        Err(problem) => Some(match model {
            DataModel::Lp64 => format!("`{cc} -m64` does not work here: {problem}"),
            DataModel::Ilp32 => format!(
                "`{cc} -m32` does not work here, so ILP32 cannot be compared with compiled code; \
                 install the compiler's 32-bit support (Debian, Ubuntu: gcc-multilib). It said: {problem}"
            ),
        }),
        Ok(()) => match run(&folder.path().join("probe"), Duration::from_secs(20)) {
            Ok(_) => None,
            Err(problem) => Some(format!("a program compiled by `{cc}` does not run here: {problem}")),
        },
    }
}

/// Whether `-fsanitize=undefined,address` works for this data model.
pub fn sanitizers_work(model: DataModel) -> bool {
    let folder = TempFolder::new();
    let probe = folder.path().join("probe.c");
    let executable = folder.path().join("probe");
    fs::write(&probe, "int main(void) { return 0; }\n").is_ok()
        && compile(&[probe], &executable, model, SANITIZE).is_ok()
        && run(&executable, Duration::from_secs(20)).is_ok()
}

/// Flags that make a compiled program stop at undefined behaviour.
pub const SANITIZE: &[&str] = &["-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"];

/// What can go wrong around the compiler.
#[derive(Clone, Debug)]
pub enum Problem {
    /// The compiler cannot be started.
    NotThere,
    /// It rejected the program; its first words.
    Rejected(String),
    /// The compiled program ended badly, or not in time.
    BadRun(String),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::NotThere => write!(f, "the compiler cannot be started"),
            Problem::Rejected(text) | Problem::BadRun(text) => write!(f, "{text}"),
        }
    }
}

/// Compiles files into an executable.
pub fn compile(files: &[PathBuf], executable: &Path, model: DataModel, more: &[&str]) -> Result<(), Problem> {
    let errors = executable.with_extension("messages");
    let sink = File::create(&errors).map_err(|e| Problem::Rejected(e.to_string()))?;
    // `-w` silences even warnings that were asked to be errors.
    let quiet: &[&str] = if more.iter().any(|flag| flag.starts_with("-Werror")) { &[] } else { &["-w"] };
    let child = Command::new(command())
        .args(flags(model))
        .args(quiet)
        .args(more)
        .args(files)
        .arg("-o")
        .arg(executable)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(sink)
        .spawn();
    let mut child = child.map_err(|_| Problem::NotThere)?;
    match wait(&mut child, Duration::from_secs(300)) {
        Some(status) if status.success() => Ok(()),
        Some(_) => Err(Problem::Rejected(first_words(&errors))),
        None => Err(Problem::Rejected("the compiler took more than five minutes".into())),
    }
}

/// Runs an executable and gives what it printed.
pub fn run(executable: &Path, limit: Duration) -> Result<String, Problem> {
    let (output, errors) = (executable.with_extension("output"), executable.with_extension("errors"));
    let open = |path: &Path| File::create(path).map_err(|e| Problem::BadRun(e.to_string()));
    let child = Command::new(executable).stdin(Stdio::null()).stdout(open(&output)?).stderr(open(&errors)?).spawn();
    let mut child = child.map_err(|e| Problem::BadRun(e.to_string()))?;
    match wait(&mut child, limit) {
        Some(status) if status.success() => fs::read_to_string(&output).map_err(|e| Problem::BadRun(e.to_string())),
        Some(status) => Err(Problem::BadRun(format!("{status}: {}", first_words(&errors)))),
        None => Err(Problem::BadRun(format!("still running after {} s", limit.as_secs()))),
    }
}

/// Waits for a child, but not longer than this; then it is ended.
pub fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn first_words(file: &Path) -> String {
    let text = fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let is_error = |line: &&str| line.contains("error") || line.contains("ERROR");
    let line = text.lines().find(is_error).or_else(|| text.lines().next()).unwrap_or("(no output)");
    line.chars().take(300).collect()
}

/// A folder that disappears with its owner.
#[derive(Debug)]
pub struct TempFolder(PathBuf);

impl TempFolder {
    /// A new, empty folder.
    pub fn new() -> TempFolder {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("uforia-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return TempFolder(path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => panic!("cannot make a folder for temporary files: {error}"),
            }
        }
    }
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Default for TempFolder {
    fn default() -> Self {
        TempFolder::new()
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
