//! The binary `uforia`: words in, exit code out. Everything else is in the library beside it.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    // Words that are not UTF-8 can only be file names; messages show them with the bad bytes replaced.
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    ExitCode::from(uforia::main(&words).code())
}
