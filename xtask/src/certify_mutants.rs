//! `cargo xtask certify-mutants`: evidence about random tiny programs and mutants of it; the checker of evidence must
//! accept exactly what a walk through all states accepts.
//!
//! `--count N` (20000), `--seed S` (1), `--solver "z3 -in"`: also give the obligations of every accepted claim to
//! this solver, which must answer `unsat` to each.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::flags::Flags;

/// Does what the flags say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let count = flags.number("--count", 20_000)?;
    let seed = flags.number("--seed", 1)?;
    let solver = flags.value("--solver")?;
    flags.finish()?;
    let start = Instant::now();
    let mut asked = 0u64;
    let tally = testkit::mutants::run(count, seed, &mut |script| {
        let Some(solver) = &solver else { return Ok(()) };
        asked += 1;
        match ask(solver, script)?.trim() {
            "unsat" => Ok(()),
            other => Err(format!("`{solver}` says `{other}` to\n{script}")),
        }
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let (accepted, refused) = (tally.accepted, tally.refused);
    println!("{accepted} right claims accepted, {refused} wrong ones refused, none otherwise, in {seconds:.1} s");
    if solver.is_some() {
        println!("{asked} obligations had a second opinion");
    }
    Ok(())
}

fn ask(solver: &str, script: &str) -> Result<String, String> {
    let mut words = solver.split_whitespace();
    let name = words.next().ok_or("--solver needs a command")?;
    let mut child = Command::new(name)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start `{solver}`: {error}"))?;
    let mut input = child.stdin.take().ok_or("the solver takes no input")?;
    input.write_all(script.as_bytes()).map_err(|error| error.to_string())?;
    drop(input);
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
