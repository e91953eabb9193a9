//! Evidence about transition systems, in the words of their languages.
//!
//! A run into the error is a BTOR2 witness: first values of states, then inputs step by step. A proof is an invariant
//! as SMT-LIB, over the state variables by their names.

use std::collections::BTreeMap;

use base::{Bits, FastMap};
use program::interp::{Consumed, Origin};
use program::{AssertionId, InputId, Loc, Program, Storage};
use term::{Substitution, Term};
use verdict::{Method, Proof};

/// What an input of the program is in the system.
#[derive(Clone, Debug)]
pub struct SystemInput {
    /// The program's.
    pub input: InputId,
    /// Whether it is a state variable, and not an input.
    pub is_state: bool,
    /// Which one, counting states and inputs apart.
    pub number: usize,
    /// As the author calls it.
    pub name: String,
    /// The step of the value that is drawn first.
    pub first_step: u64,
    /// Whether values are drawn in several pieces.
    pub is_wide: bool,
    /// The bits of an index, for an array.
    pub index_width: Option<u32>,
}

/// Where a line stands: its step, whether it is an input rather than a state, its number, and the index in an array.
type LineKey = (u64, bool, usize, Option<u64>);

/// The witness of a run into the error, after this many steps; if that is not known, after the last that drew a value.
pub fn btor2_witness(
    inputs: &[SystemInput],
    consumed: &[Consumed],
    fails: AssertionId,
    n_steps: Option<u64>,
) -> String {
    let mut of: FastMap<InputId, &SystemInput> = FastMap::new();
    for input in inputs {
        of.insert(input.input, input);
    }
    // By step, states first, then by number and index.
    let mut lines: BTreeMap<LineKey, (Bits, &SystemInput)> = BTreeMap::new();
    // Where steps draw different inputs, they do so in the same order, and a new step begins when the order starts again.
    let mut rounds = 0;
    let mut last: Option<InputId> = None;
    for answer in consumed {
        let Origin::Input(id) = answer.origin else { continue };
        let is_again = last.is_some_and(|last| id < last || id == last && answer.offset.is_none());
        let is_piece = last == Some(id) && of.get(&id).is_some_and(|input| input.is_wide);
        rounds += u64::from(is_again && !is_piece);
        last = Some(id);
        let Some(input) = of.get(&id) else { continue };
        let step = input.first_step + if n_steps.is_some() { answer.occurrence } else { rounds };
        let value = Bits::from_u128(answer.width, answer.value);
        let key = (step, !input.is_state, input.number, answer.offset.filter(|_| input.index_width.is_some()));
        // Wide values come in pieces, the low one first.
        match lines.get_mut(&key) {
            Some((low, _)) => *low = value.concat(low),
            None => {
                lines.insert(key, (value, input));
            }
        }
    }
    let n_steps = n_steps.unwrap_or_else(|| lines.last_key_value().map_or(0, |(key, _)| key.0));
    let mut text = format!("sat\nb{}\n", base::Id::index(fails));
    for step in 0..=n_steps {
        for is_input in [false, true] {
            let mark = if is_input { '@' } else { '#' };
            let part: Vec<_> = lines
                .range((step, is_input, 0, None)..)
                .take_while(|(key, _)| key.0 == step && key.1 == is_input)
                .collect();
            if is_input || step == 0 || !part.is_empty() {
                text.push_str(&format!("{mark}{step}\n"));
            }
            for (&(_, _, number, index), (value, input)) in part {
                let index = match (index, input.index_width) {
                    (Some(index), Some(width)) => format!("[{}] ", Bits::from_u64(width, index).to_binary()),
                    (None, Some(_)) => "[*] ".to_owned(),
                    _ => String::new(),
                };
                text.push_str(&format!("{number} {index}{} {}{mark}{step}\n", value.to_binary(), input.name));
            }
        }
    }
    text.push_str(".\n");
    text
}

/// The invariant of a proof. `heads` are the heads of loops with the values of variables that became part of
/// the location, by name.
pub fn smtlib_invariant(program: &Program, proof: &Proof, heads: &[(Loc, Vec<(String, bool)>)]) -> String {
    let mut terms = proof.terms.clone();
    let mut pairs: Vec<(Term, Term)> = Vec::new();
    for (symbol, instance) in &proof.symbols {
        if let Storage::Variable(var) = instance.storage {
            let (name, sort) = (&program.vars[var].name, terms.sort_of(*symbol));
            if let Some(named) = terms.declare(name, &[], sort) {
                pairs.push((*symbol, terms.apply(named, &[])));
            }
        }
    }
    let mut put_in = Substitution::new(&terms, &pairs);
    let mut parts = Vec::new();
    for (point, invariant) in &proof.invariants {
        let invariant = put_in.apply(&mut terms, *invariant);
        let values =
            heads.iter().find(|(loc, _)| *loc == point.loc).map(|(_, values)| values.as_slice()).unwrap_or(&[]);
        let mut here = Vec::new();
        for (name, value) in values {
            let sort = terms.bool_sort();
            let Some(symbol) = terms.declare(name, &[], sort) else { continue };
            let variable = terms.apply(symbol, &[]);
            here.push(if *value { variable } else { terms.not(variable) });
        }
        let here = terms.and(&here);
        parts.push(terms.implies(here, invariant));
    }
    let whole = terms.and(&parts);
    let how = match proof.method {
        Method::Induction { depth: 1 } => "by induction".to_owned(),
        Method::Induction { depth } => format!("by induction over {depth} steps"),
        Method::Exhaustion { steps } => format!("in all runs, which end within {steps} steps"),
    };
    format!(
        "; Holds whenever a run is at a loop head of the program that the system was read as, {how}.\n\
         ; Inputs stand for the values drawn last.\n{}(define-fun invariant () Bool\n  {})\n",
        terms.declarations(&[whole]),
        terms.to_smtlib(whole)
    )
}
