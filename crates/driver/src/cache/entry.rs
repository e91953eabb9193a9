//! The text of an entry: evidence, and the program that it is about.
//!
//! `docs/adr/2026-11-18-evidence-between-runs.md` describes the form: a version, a hash of the rest, lines of fields between tabs, and
//! the program in the form of `.cfa` files. What is read from it is well-formed, and not known to be true.

use std::time::Duration;

use base::IndexVec;
use program::Program;
use report::sha256;
use term::Terms;
use verdict::{Counterexample, Proof};

use super::fields::{Lines, Write};
use super::{proof_lines, run_lines};

// format: another number for another form; entries of other versions are not read.
const HEADER: &str = "uforia-evidence 1";

/// What an earlier run has found out.
pub struct Entry {
    /// The program that the evidence is about, with the store of its terms; none if it is the program of this run.
    pub older: Option<(Program, Terms)>,
    /// The evidence.
    pub evidence: Evidence,
    /// What it took, as the entry says.
    pub effort: Effort,
}

/// Evidence that is kept.
pub enum Evidence {
    /// For SAFE.
    Proof(Box<Proof>),
    /// For UNSAFE.
    Run(Counterexample),
}

/// Processor time.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Of everything but the check of the evidence.
    pub search: Duration,
    /// Of the check.
    pub check: Duration,
}

/// The text of the program without what an edit elsewhere in its file changes: places.
pub fn canonical(program: &Program, terms: &Terms) -> String {
    let mut bare = program.clone();
    bare.files = IndexVec::new();
    bare.vars.iter_mut().for_each(|one| one.place = None);
    bare.objects.iter_mut().for_each(|one| one.place = None);
    bare.functions.iter_mut().for_each(|one| one.place = None);
    bare.locations.iter_mut().for_each(|one| one.place = None);
    bare.edges.iter_mut().for_each(|one| one.place = None);
    bare.inputs.iter_mut().for_each(|one| one.place = None);
    bare.assertions.iter_mut().for_each(|one| one.place = None);
    bare.assumptions.iter_mut().chain(&mut bare.approximations).for_each(|one| one.place = None);
    program::text::print(&bare, terms)
}

/// The text of an entry; nothing if the evidence has no such form.
pub fn write(evidence: &Evidence, program: &str, effort: Effort) -> Option<String> {
    let mut body = String::new();
    let milliseconds = |time: Duration| time.as_millis().to_string();
    body.line(&["effort", &milliseconds(effort.search), &milliseconds(effort.check)]);
    match evidence {
        Evidence::Proof(proof) => proof_lines::write(&mut body, proof)?,
        Evidence::Run(run) => run_lines::write(&mut body, run)?,
    }
    body.line(&["program"]);
    body.push_str(program);
    Some(format!("{HEADER}\n{}\n{body}", sha256::hex(body.as_bytes())))
}

/// Reads the text of an entry in a run that is about the program with this text; what is wrong, in a few words.
pub fn read(text: &str, current: &str) -> Result<Entry, String> {
    let rest = text.strip_prefix(HEADER).and_then(|rest| rest.strip_prefix('\n')).ok_or("it has another version")?;
    let (sum, body) = rest.split_once('\n').ok_or("it ends early")?;
    if sum != sha256::hex(body.as_bytes()) {
        return Err("its contents do not fit its checksum".to_owned());
    }
    let (lines, program) = body.split_once("\nprogram\n").ok_or("there is no program in it")?;
    let older = if program == current { None } else { Some(older(program)?) };
    let mut lines = Lines::of(lines);
    let mut effort = lines.expect("effort")?;
    let effort =
        Effort { search: Duration::from_millis(effort.number()?), check: Duration::from_millis(effort.number()?) };
    let evidence = match lines.peek() {
        "method" => Evidence::Proof(Box::new(proof_lines::read(&mut lines)?)),
        _ => Evidence::Run(run_lines::read(&mut lines)?),
    };
    Ok(Entry { older, evidence, effort })
}

fn older(text: &str) -> Result<(Program, Terms), String> {
    let mut terms = Terms::new();
    let program = program::text::parse("entry", text, &mut terms)
        .map_err(|said| said.first().map_or("its program cannot be read".to_owned(), |one| one.message.clone()))?;
    program::validate(&program, &terms).map_err(|_| "its program is not well-formed".to_owned())?;
    Ok((program, terms))
}
