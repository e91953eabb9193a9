//! `cargo xtask speed`: how fast the front end and the interpreter are on this machine.
//!
//! The largest file of the corpus (if there is one) and a generated file of five megabytes go
//! through `uforia lower`; a counting loop goes through `uforia run`. Takes `--corpus DIR`,
//! `--binary FILE`, `--megabytes N`.

use crate::corpus;
use crate::flags::Flags;
use crate::tool;
use cfront::DataModel;
use std::fs;
use std::path::Path;
use std::time::Duration;
use testkit::cgen::{self, Config};
use testkit::compiler::TempFolder;

const LIMIT: Duration = Duration::from_secs(600);

/// Measures and prints.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let chosen = flags.value("--corpus")?;
    let binary = flags.value("--binary")?;
    let megabytes = flags.number("--megabytes", 5)?;
    flags.finish()?;
    let binary = tool::binary(binary)?;
    let mut slow = Vec::new();
    match corpus::largest(chosen) {
        Ok(path) => {
            let (seconds, memory) = lower(&binary, &path, "ilp32")?;
            if seconds > 1.0 || memory > 500 {
                slow.push("the largest corpus file takes more than 1 s or 500 MB");
            }
        }
        Err(why) => println!("largest corpus file: not measured, {why}"),
    }
    let folder = TempFolder::new();
    let large = folder.path().join("generated.c");
    fs::write(&large, large_program(megabytes as usize * 1_000_000)).map_err(|error| error.to_string())?;
    let (seconds, _) = lower(&binary, &large, "lp64")?;
    if seconds > 10.0 {
        slow.push("the generated file takes more than 10 s");
    }
    let counting = folder.path().join("counting.c");
    let text = "int main(void)\n{\n    unsigned i = 0;\n    while (i < 200000000u)\n        i++;\n    return i != 200000000u;\n}\n";
    fs::write(&counting, text).map_err(|error| error.to_string())?;
    let ran = tool::run(&binary, &["run", "--zero", &counting.to_string_lossy()], LIMIT)?;
    let steps = ran.output.lines().find_map(|line| line.split("after ").nth(1)?.split(' ').next()?.parse::<f64>().ok());
    let steps = steps.ok_or_else(|| format!("the counting loop did not run: {}{}", ran.output, ran.errors))?;
    let rate = steps / ran.seconds / 1e6;
    println!("interpreter: {steps} edges in {:.2} s, {rate:.0} million a second", ran.seconds);
    if rate < 50.0 {
        slow.push("the interpreter takes fewer than 50 million edges a second");
    }
    if slow.is_empty() { Ok(()) } else { Err(slow.join("; ")) }
}

fn lower(binary: &Path, file: &Path, model: &str) -> Result<(f64, u64), String> {
    let name = file.to_string_lossy();
    let size = fs::metadata(file).map_or(0, |m| m.len()) as f64 / 1e6;
    let ran = tool::run(binary, &["lower", "--stats", "--data-model", model, &name], LIMIT)?;
    let shown = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    if ran.code != Some(0) {
        let first = ran.errors.lines().next().unwrap_or_default();
        return Err(format!("{shown} did not lower: {:?} {first}", ran.code));
    }
    println!("lower {shown} ({size:.2} MB): {:.2} s, {} MB", ran.seconds, ran.megabytes);
    Ok((ran.seconds, ran.megabytes))
}

/// Many generated programs in one file, all called from one `main`.
fn large_program(bytes: usize) -> String {
    let mut text = String::new();
    let mut calls = String::new();
    let mut number = 0;
    while text.len() < bytes {
        let config = Config { model: DataModel::Lp64, lines: 300, prefix: format!("p{number}_") };
        text.push_str(&cgen::generate(number, &config));
        calls.push_str(&format!("    total += p{number}_program();\n"));
        number += 1;
    }
    text.push_str(&format!("int main(void)\n{{\n    unsigned total = 0;\n{calls}    return (int)total;\n}}\n"));
    text
}
