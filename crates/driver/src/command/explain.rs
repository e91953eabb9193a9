//! `--explain`: which statements of the source a proof needs bit by bit.
//!
//! The evidence names them. What is not named was a function of which only congruence was known: that arithmetic could
//! be exchanged for any other, and the proof would still hold.

use std::collections::BTreeMap;

use program::Program;
use verdict::Proof;

use super::place_text;

/// What there is to say about a proof that this engine found.
pub fn needed(program: &Program, engine: &str, proof: &Proof) -> String {
    if engine != engine_bmc::REFINE.name {
        return format!("{engine} does not say which statements it needs bit by bit; --engine refine does\n");
    }
    let places = proof.precise.iter().filter_map(|&edge| program.edges[edge].place);
    let lines: BTreeMap<_, _> = places.map(|place| ((place.file, place.line), place)).collect();
    if lines.is_empty() {
        return "no statement has to be bit-precise: the proof holds whatever the operators mean\n".to_owned();
    }
    let mut text = match lines.len() {
        1 => "one line has to be bit-precise; elsewhere operators may mean anything:\n".to_owned(),
        n => format!("{n} lines have to be bit-precise; elsewhere operators may mean anything:\n"),
    };
    for &place in lines.values() {
        let at = place_text(program, Some(place)).unwrap_or_default();
        let source = program.files.get(place.file).and_then(|name| source_line(name, place.line));
        text.push_str(&format!("  {at}: {}\n", source.unwrap_or_default()));
    }
    text
}

fn source_line(name: &str, line: u32) -> Option<String> {
    let text = std::fs::read_to_string(name).ok()?;
    text.lines().nth(line as usize - 1).map(|line| line.trim().to_owned())
}
