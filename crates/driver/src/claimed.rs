//! What verdicts are about: the program as it was read. For a transition system that is the file's own formulas, and an
//! engine, which worked on a program shaped for it, is believed only when its evidence, told in the words of the
//! file, is accepted there.

use base::{Budget, Stopped};
use certify::{Certificate, Refusal, certify};
use program::Program;
use term::{Term, Terms};
use verdict::{Method, Verdict, Why};
use vmtfront::{Shaped, Untold};

/// The program as it was read, and the way back to it.
pub struct Claimed {
    /// The program.
    pub program: Program,
    /// Its terms.
    pub terms: Terms,
    /// What engines worked on instead, if it is a transition system.
    pub shaped: Option<Shaped>,
}

/// What the checker says.
pub enum Checked {
    /// The evidence is accepted: the verdict in the words of the file.
    Accepted(Verdict, Certificate),
    /// There may be an answer, but not one that can be checked.
    Doubtful(Why),
    /// The evidence is wrong, which is our own bug.
    Refused(String),
    /// Somebody wants us to stop.
    Stopped,
}

impl Claimed {
    /// Checks the verdict of this engine.
    pub fn check(&self, engine: &str, verdict: Verdict, budget: &Budget, log: &dyn Fn(&str)) -> Checked {
        let ends = matches!(&verdict, Verdict::Safe(proof) if matches!(proof.method, Method::Exhaustion { .. }));
        let candidates = match self.told(verdict, budget) {
            Ok(candidates) => candidates,
            Err(Untold::Stopped(_)) => return Checked::Stopped,
            Err(Untold::NoWords(what)) => return Checked::Doubtful(no_words(engine, what)),
            Err(Untold::Wrong(what)) => return Checked::Refused(format!("it is none for the file: {what}")),
        };
        let mut last = Refusal::Malformed("there is no evidence".to_owned());
        for verdict in candidates {
            if let (Some(_), Verdict::Safe(proof)) = (&self.shaped, &verdict) {
                let roots: Vec<Term> = proof.invariants.iter().map(|&(_, invariant)| invariant).collect();
                let size = proof.terms.size(&roots);
                log(&format!("{engine}: an invariant of {size} subterms in the file's words, {:?}", proof.method));
            }
            match certify(&self.program, &self.terms, &verdict, budget) {
                Ok(certificate) => return Checked::Accepted(verdict, certificate),
                Err(Refusal::Stopped(Stopped::Cancelled)) => return Checked::Stopped,
                Err(refusal) => last = refusal,
            }
        }
        match last.why() {
            // That runs end is told in locations, which the file does not have.
            _ if ends && self.shaped.is_some() => Checked::Doubtful(no_words(engine, "runs that end")),
            Why::Rejected(said) => Checked::Refused(said),
            why => Checked::Doubtful(why),
        }
    }
    /// The verdict in the words of the file, in several ways, one of which should do.
    fn told(&self, verdict: Verdict, budget: &Budget) -> Result<Vec<Verdict>, Untold> {
        let Some(shaped) = &self.shaped else { return Ok(vec![verdict]) };
        Ok(match verdict {
            Verdict::Safe(proof) => {
                let proofs = shaped.proofs(&self.terms, &proof)?;
                proofs.into_iter().map(|proof| Verdict::Safe(Box::new(proof))).collect()
            }
            Verdict::Unsafe(found) => vec![Verdict::Unsafe(shaped.run(&self.terms, &found, budget)?)],
            Verdict::Unknown(why) => vec![Verdict::Unknown(why)],
        })
    }
}

fn no_words(engine: &str, what: &str) -> Why {
    Why::GaveUp(format!("{engine} has an answer that cannot be told in the words of the file: {what}"))
}
