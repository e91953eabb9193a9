//! The check of a verdict before it is reported, and its translation to the terms of the file.
//!
//! Engines verify the program as lowered. For a transition system that program was shaped for them. That it is equivalent to
//! the system is not assumed: evidence is translated to the terms of the file and checked on the system as written.

use base::{Budget, Stopped};
use certify::{Refusal, certify_watched};
use program::Program;
use term::{SortKind, Term, Terms};
use verdict::{Code, Group, Method, Verdict, Why};
use vmtfront::{BackError, Shaped};

use crate::context::Context;
use crate::progress::lock;
use crate::tuning::Tuning;
use crate::verify::Conclusion;

/// A transition system as written, and the way back to it.
pub struct WayBack {
    /// The system word for word.
    pub program: Program,
    /// The store of its terms.
    pub terms: Terms,
    /// What engines work on.
    pub shaped: Shaped,
}

/// Checks the verdict of the engine of this name and gives it in the words of the user's file; an error if the run is to stop.
pub fn check(
    context: &Context,
    (program, terms): (&Program, &Terms),
    way_back: Option<&WayBack>,
    name: &'static str,
    verdict: Verdict,
    budget: &Budget,
    watch: &dyn Fn(usize),
) -> Result<Conclusion, Stopped> {
    let accepted = |verdict, certificate| Conclusion {
        verdict,
        engine: Some(name),
        certificate: Some(certificate),
        bugs: Vec::new(),
    };
    let Some(way_back) = way_back else {
        return match certify_watched(program, terms, &verdict, budget, watch) {
            Ok(certificate) => Ok(accepted(verdict, certificate)),
            Err(refusal) => refused(context, name, refusal, &verdict),
        };
    };
    // That runs end is expressed by locations, which the file does not have.
    let ends = matches!(&verdict, Verdict::Safe(proof) if matches!(proof.method, Method::Exhaustion { .. }));
    let no_words = |what: &str| {
        let text = format!("{name} has an answer that cannot be expressed in terms of the file: {what}");
        Ok(Conclusion::unknown(Why::new(Code::NoWords, text)))
    };
    let candidates = match way_back.translated(verdict, budget) {
        Ok(candidates) => candidates,
        Err(BackError::Stopped(_)) => return Err(Stopped::Cancelled),
        Err(BackError::NoWords(what)) => return no_words(what),
        Err(BackError::Wrong(what)) => return Ok(wrong(context, name, format!("it is none for the file: {what}"), "")),
    };
    let mut last = None;
    for verdict in candidates {
        if let Verdict::Safe(proof) = &verdict {
            let roots: Vec<Term> = proof.invariants.iter().map(|&(_, invariant)| invariant).collect();
            let (size, method) = (proof.terms.size(&roots), proof.method);
            context.log(&format!("{name}: an invariant of {size} subterms in the words of the file, {method:?}"));
        }
        match certify_watched(&way_back.program, &way_back.terms, &verdict, budget, watch) {
            Ok(certificate) => return Ok(accepted(verdict, certificate)),
            Err(Refusal::Stopped(Stopped::Cancelled)) => return Err(Stopped::Cancelled),
            Err(refusal) => last = Some((refusal, verdict)),
        }
    }
    match last {
        Some(_) if ends => no_words("runs that end"),
        Some((refusal, verdict)) => refused(context, name, refusal, &verdict),
        None => Ok(wrong(context, name, "there is none for the file".to_owned(), "")),
    }
}

fn refused(context: &Context, name: &'static str, refusal: Refusal, verdict: &Verdict) -> Result<Conclusion, Stopped> {
    match refusal {
        Refusal::Stopped(Stopped::Cancelled) => Err(Stopped::Cancelled),
        refusal => Ok(match refusal.why() {
            why if why.code == Code::Rejected => wrong(context, name, why.what, &text(verdict)),
            why => Conclusion::unknown(why),
        }),
    }
}

/// Evidence that is wrong is our own bug; it is kept as text.
fn wrong(context: &Context, name: &'static str, said: String, evidence: &str) -> Conclusion {
    lock(&context.progress).evidence.push(format!("{name}: {said}\n{evidence}"));
    let bugs = vec![format!("the evidence of {name} was refused: {said}")];
    Conclusion { bugs, ..Conclusion::unknown(Why::new(Code::Rejected, said)) }
}

/// The evidence for a developer to read: what the engine claims, in SMT-LIB or as input values.
fn text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(proof) => {
            let mut text = format!("safe, {:?}\n", proof.method);
            for (point, invariant) in &proof.invariants {
                let size = proof.terms.size(&[*invariant]);
                let written = if size > Tuning::DEFAULT.max_written_subterms {
                    format!("(an invariant of {size} subterms)")
                } else {
                    proof.terms.to_smtlib(*invariant)
                };
                text.push_str(&format!("{point:?}: {written}\n"));
            }
            text
        }
        Verdict::Unsafe(counterexample) => format!("unsafe, {counterexample:?}\n"),
        Verdict::Endless(_) => "a run without end\n".to_owned(),
        Verdict::Unknown(why) => format!("unknown, {why}\n"),
    }
}

impl WayBack {
    /// Why an error cannot be confirmed, in the words of the file: numbers have a sort, and a variable of it a place.
    pub fn why(&self, why: Why) -> Why {
        if why.code.group() != Group::Unsupported {
            return why;
        }
        let numbers = self.program.vars.iter().find_map(|variable| match self.terms.sort_kind(variable.sort) {
            SortKind::Int => Some(("sort Int (mathematical integers)", variable.place)),
            SortKind::Real => Some(("sort Real (real numbers)", variable.place)),
            _ => None,
        });
        match numbers {
            Some((what, at)) => Why::at(Code::Numbers, what, at),
            None => why,
        }
    }
    /// The verdict in terms of the file, in several forms, one of which should pass the check.
    fn translated(&self, verdict: Verdict, budget: &Budget) -> Result<Vec<Verdict>, BackError> {
        Ok(match verdict {
            Verdict::Safe(proof) => {
                let proofs = self.shaped.proofs(&self.terms, &proof)?;
                proofs.into_iter().map(|proof| Verdict::Safe(Box::new(proof))).collect()
            }
            Verdict::Unsafe(found) => vec![Verdict::Unsafe(self.shaped.run(&self.terms, &found, budget)?)],
            // Systems are not asked whether they end.
            other @ (Verdict::Endless(_) | Verdict::Unknown(_)) => vec![other],
        })
    }
}
