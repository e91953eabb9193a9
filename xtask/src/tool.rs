//! The release binary: building it, running it with a time limit, and what a run cost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::compiler::{TempFolder, wait};
use testkit::golden::workspace;

/// What a run of the binary came to.
pub struct Ran {
    /// The exit code; `None` when it was ended by a signal or by the time limit.
    pub code: Option<i32>,
    /// Whether the time limit ended it.
    pub timed_out: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Peak memory in MB, if the binary reports it (`--stats`).
    pub megabytes: u64,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

impl Ran {
    /// Whether something happened that never may: a signal, a panic, an exit code outside the contract.
    pub fn crashed(&self) -> bool {
        !self.timed_out && !matches!(self.code, Some(0 | 1 | 2 | 64 | 65 | 66)) || self.errors.contains("panicked at")
    }
}

/// The release binary, built now; `--binary` names another.
pub fn binary(chosen: Option<String>) -> Result<PathBuf, String> {
    if let Some(path) = chosen {
        return fs::canonicalize(&path).map_err(|error| format!("{path}: {error}"));
    }
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "uforia"])
        .current_dir(workspace())
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !status.success() {
        return Err("the release binary does not build".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    Ok(workspace().join(target).join("release").join("uforia"))
}

/// Runs the binary with these words.
pub fn run(binary: &Path, words: &[&str], limit: Duration) -> Result<Ran, String> {
    run_in(binary, words, limit, Path::new("."))
}

/// Runs the binary with these words in a folder: what it leaves there, such as a bundle about a bug, goes with the folder.
pub fn run_in(binary: &Path, words: &[&str], limit: Duration, place: &Path) -> Result<Ran, String> {
    let folder = TempFolder::new();
    let (out, err) = (folder.path().join("out"), folder.path().join("err"));
    let sink = |path: &Path| fs::File::create(path).map_err(|error| error.to_string());
    let start = Instant::now();
    let mut child = Command::new(binary)
        .args(words)
        .current_dir(place)
        .stdin(Stdio::null())
        .stdout(sink(&out)?)
        .stderr(sink(&err)?)
        .spawn()
        .map_err(|error| format!("{} cannot be started: {error}", binary.display()))?;
    let status = wait(&mut child, limit);
    let seconds = start.elapsed().as_secs_f64();
    let read = |path: &Path| fs::read(path).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
    let errors = read(&err);
    let megabytes = errors.lines().rev().find_map(|line| line.strip_prefix("peak memory")?.trim().strip_suffix(" MiB"));
    let megabytes = megabytes.and_then(|number| number.trim().parse().ok()).unwrap_or(0);
    let code = status.and_then(|s| s.code());
    Ok(Ran { code, timed_out: status.is_none(), seconds, megabytes, output: read(&out), errors })
}

/// Seconds of processor time of all processes that were started and have ended; `None` where the system does not report it.
pub fn children_cpu() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in brackets that may contain anything; times of children are the 16th and 17th, in hundredths of a second.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(13);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}
