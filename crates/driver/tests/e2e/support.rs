//! What the end-to-end tests share: a folder for each test, and the binary run with a time limit.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// What the binary said.
#[derive(Debug)]
pub struct Said {
    /// The exit code; 128 and more for a signal.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Said {
    /// The last line of standard output.
    pub fn last(&self) -> &str {
        self.out.lines().last().unwrap_or("")
    }
    /// Fails unless the exit code is this one.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }
    /// Fails unless standard error contains this.
    #[track_caller]
    pub fn complains(self, text: &str) -> Self {
        assert!(self.err.contains(text), "expected {text:?}: {self:?}");
        self
    }
    /// Fails unless the last line of standard output starts with this.
    #[track_caller]
    pub fn answers(self, text: &str) -> Self {
        assert!(self.last().starts_with(text), "expected {text:?}: {self:?}");
        self
    }
}

/// A folder of its own for a test; it goes when the value goes.
pub struct Folder(PathBuf);

impl Folder {
    /// A fresh folder, also if another test gives the same name.
    pub fn new(name: &str) -> Self {
        static FOLDERS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = FOLDERS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("uforia-test-{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the temporary folder can be written");
        Folder(path)
    }
    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("the temporary folder can be written");
        path.to_str().expect("names in tests are plain").to_owned()
    }
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The root of the repository, where documented commands are run.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent).expect("the crate lies in crates/driver")
}

/// The binary with these arguments, in the root of the repository, not yet started.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uforia"));
    command.args(args).current_dir(root()).env_remove("CC").env_remove("CARGO_TARGET_DIR").env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the binary to its end.
#[track_caller]
pub fn uforia(args: &[&str]) -> Said {
    let said = listen(command(args).spawn().expect("the binary starts"), "");
    let file = args.iter().position(|&arg| arg == "--json").and_then(|at| args.get(at + 1));
    if let Some(file) = file.filter(|file| Path::new(file).is_file()) {
        lawful(&std::fs::read_to_string(file).expect("the file can be read"));
    }
    said
}

/// Fails unless each answer among these lines is as the schema describes it.
#[track_caller]
pub fn lawful(text: &str) {
    static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
        let text = std::fs::read_to_string(root().join("docs/schema/answer-1.json")).expect("the schema is there");
        jsonschema::validator_for(&serde_json::from_str(&text).expect("it is JSON")).expect("it is a schema")
    });
    for line in text.lines().filter(|line| line.starts_with("{\"schema\"") || line.starts_with("{\"task\"")) {
        let answer: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
        let errors: Vec<String> =
            SCHEMA.iter_errors(&answer).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:?}: {line}");
    }
}

/// Runs the binary with this text on standard input.
#[track_caller]
pub fn uforia_reading(args: &[&str], input: &str) -> Said {
    listen(command(args).stdin(Stdio::piped()).spawn().expect("the binary starts"), input)
}

/// Feeds the process and collects what it says; no test waits longer than two minutes.
#[track_caller]
pub fn listen(mut child: Child, input: &str) -> Said {
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    }
    let collect = |from: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut from) = from {
                from.read_to_end(&mut bytes).expect("a pipe can be read");
            }
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = collect(child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
    let err = collect(child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            break status;
        }
        if start.elapsed() > Duration::from_secs(120) {
            let _ = child.kill();
            panic!("the binary did not end within two minutes");
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    use std::os::unix::process::ExitStatusExt;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    let collected = "the collecting thread does not panic";
    let said = Said { code, out: out.join().expect(collected), err: err.join().expect(collected) };
    lawful(&said.out);
    said
}
