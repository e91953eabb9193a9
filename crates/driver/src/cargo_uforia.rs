//! The binary `cargo-uforia`: `cargo uforia [options]` is `uforia check Cargo.toml` with cargo's own options handed on.

#![forbid(unsafe_code)]

use std::process::{Command, ExitCode};

/// Options of cargo that take a value.
const WITH_VALUE: &[&str] = &["-p", "--package", "-F", "--features"];
/// Options of cargo that take none.
const PLAIN: &[&str] =
    &["--workspace", "--all", "--all-features", "--no-default-features", "--offline", "--locked", "--frozen"];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).peekable();
    // cargo passes the name of the command on.
    words.next_if(|word| word == "uforia");
    let (mut ours, mut cargo, mut manifest) = (Vec::new(), Vec::new(), "Cargo.toml".to_owned());
    while let Some(word) = words.next() {
        if word == "--manifest-path" {
            manifest = words.next().unwrap_or(manifest);
        } else if WITH_VALUE.contains(&word.as_str()) {
            cargo.push(word);
            cargo.extend(words.next());
        } else if PLAIN.contains(&word.as_str()) || word.starts_with("--features=") {
            cargo.push(word);
        } else {
            ours.push(word);
        }
    }
    let own = std::env::current_exe().map(|path| path.with_file_name("uforia")).unwrap_or_else(|_| "uforia".into());
    let mut command = Command::new(own);
    command.arg("check").args(ours);
    if !cargo.is_empty() {
        command.arg(format!("--cargo-args={}", cargo.join(" ")));
    }
    let status = command.arg(manifest).status();
    let code = status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(66))
}
