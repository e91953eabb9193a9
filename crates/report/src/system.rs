//! Evidence about transition systems, in the words of their languages.
//!
//! A run into the error is a BTOR2 witness: first values of states, then inputs step by step. A proof is an invariant
//! as SMT-LIB, over the state variables by their names.

use std::collections::BTreeMap;

use base::{Bits, FastMap};
use program::interp::{Consumed, Origin};
use program::{AssertionId, InputId};
use term::Term;
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

/// The witness of a run into the error, after this many steps.
pub fn btor2_witness(inputs: &[SystemInput], consumed: &[Consumed], fails: AssertionId, n_steps: u64) -> String {
    let mut of: FastMap<InputId, &SystemInput> = FastMap::new();
    for input in inputs {
        of.insert(input.input, input);
    }
    // By step, states first, then by number and index.
    let mut lines: BTreeMap<LineKey, (Bits, &SystemInput)> = BTreeMap::new();
    for answer in consumed {
        let Origin::Input(id) = answer.origin else { continue };
        let Some(input) = of.get(&id) else { continue };
        let step = input.first_step + answer.occurrence;
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

/// The invariant of a proof about the system as written: over its own state variables, and over its inputs if `init`
/// speaks of them.
pub fn smtlib_invariant(proof: &Proof) -> String {
    let mut terms = proof.terms.clone();
    let parts: Vec<Term> = proof.invariants.iter().map(|&(_, invariant)| invariant).collect();
    let whole = terms.and(&parts);
    let how = match proof.method {
        Method::Induction { depth: 1 } => "by induction over single steps, and implies the property".to_owned(),
        Method::Induction { depth } => format!("by induction over {depth} steps"),
        Method::Exhaustion { steps } => format!("in all runs, which end within {steps} steps"),
        Method::Execution { edges } => format!("in the only run, which ends after {edges} steps"),
        Method::Enumeration { runs, edges } => format!("in all {runs} runs, which end after {edges} steps together"),
        Method::Unrolling { .. } => "in all runs, which end".to_owned(),
    };
    format!(
        "; Holds in every state of every run of the system, {how}.\n\
         {}(define-fun invariant () Bool\n  {})\n",
        terms.declarations(&[whole]),
        terms.to_smtlib(whole)
    )
}
