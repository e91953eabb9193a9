//! `--explain`: which statements of the source a proof needs bit by bit.
//!
//! The evidence names them. What is not named was a function of which only congruence was known: that arithmetic could
//! be exchanged for any other, and the proof would still hold.

use std::collections::BTreeMap;

use program::Program;
use report::Answer;
use report::answer::AnnotationFate;
use verdict::Proof;

use super::place_text;

/// The places that a proof needs bit by bit, in the order of the source.
pub fn precise(program: &Program, proof: &Proof) -> Vec<String> {
    let places = proof.precise.iter().filter_map(|&edge| program.edges.get(edge)?.place);
    let lines: BTreeMap<_, _> = places.map(|place| ((place.file, place.line), place)).collect();
    lines.values().filter_map(|&place| place_text(program, Some(place))).collect()
}

/// What became of the loop invariants that the source states.
pub fn annotations(answer: &Answer) -> String {
    let mut text = String::new();
    for one in &answer.annotations {
        let fate = match one.fate {
            AnnotationFate::Used => "it holds, and the proof has it",
            AnnotationFate::NotNeeded => "it holds, and the answer does not need it",
            AnnotationFate::Refuted => "it is no invariant with the others",
            AnnotationFate::Undecided => "it was not decided",
            AnnotationFate::NotTried => "it was not tried",
            AnnotationFate::NotRead => "it could not be read",
        };
        let why = one.why.as_ref().map_or(String::new(), |why| format!(": {why}"));
        text.push_str(&format!("stated at {}: {}: {fate}{why}\n", one.place, one.text));
    }
    text
}

/// What there is to say about a proof.
pub fn needed(answer: &Answer) -> String {
    let engine = answer.engine.as_deref().unwrap_or("no engine");
    if engine != engine_bmc::REFINE.name {
        return format!("{engine} does not say which statements it needs bit by bit; --engine refine does\n");
    }
    let lines = &answer.precise;
    if lines.is_empty() {
        return "no statement has to be bit-precise: the proof holds whatever the operators mean\n".to_owned();
    }
    let mut text = match lines.len() {
        1 => "one line has to be bit-precise; elsewhere operators may mean anything:\n".to_owned(),
        n => format!("{n} lines have to be bit-precise; elsewhere operators may mean anything:\n"),
    };
    for at in lines {
        let source = at.rsplit_once(':').and_then(|(file, line)| source_line(file, line.parse().ok()?));
        text.push_str(&format!("  {at}: {}\n", source.unwrap_or_default()));
    }
    text
}

fn source_line(name: &str, line: usize) -> Option<String> {
    let text = std::fs::read_to_string(name).ok()?;
    text.lines().nth(line.checked_sub(1)?).map(|line| line.trim().to_owned())
}
