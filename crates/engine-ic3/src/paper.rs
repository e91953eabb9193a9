//! The published algorithm, to compare with: `--euf paper` [BuenoSakallah-VMCAI'19].
//!
//! Operators stay uninterpreted for good. A cube is the *arrangement* of all terms that the step's cone has
//! (section 5.2): which of them are equal, which differ, and which predicates hold. Inputs are left out, so a
//! state of the cube need not take the step. A spurious path is executed forwards in bits;
//! what holds after each of its steps, and is needed to refute it, is carried along, and `before and step
//! imply after` is learnt for each step: a lemma about operators that makes the path impossible.
//!
//! Unlike the paper, which finds one lemma by an unsatisfiable subset and fixes values where inputs of earlier steps are
//! in the way, we take what the forward pass of `smt::interpolate` gives, for all steps at once.

use base::{FastMap, Stopped};
use encode::{BlockInput, Cut};
use smt::Solver;
use smt::interpolate::{Found, Method, Settings, sequence};
use term::{Op, SortKind, Substitution, Term, Terms};

use crate::block::AbstractPath;
use crate::cube::Cube;
use crate::preimage::{Justified, Preimage};
use crate::query::Search;
use crate::system::EdgeNo;

/// The lemmas, by the edge whose step they speak of.
#[derive(Default)]
pub(crate) struct PathLemmas {
    by_edge: FastMap<EdgeNo, Vec<Term>>,
}

impl PathLemmas {
    pub fn of(&self, edge: EdgeNo) -> &[Term] {
        self.by_edge.get(&edge).map_or(&[], Vec::as_slice)
    }
    fn add(&mut self, edge: EdgeNo, lemma: Term) -> bool {
        let list = self.by_edge.get_or_insert_with(edge, Vec::new);
        let is_new = !list.contains(&lemma);
        if is_new {
            list.push(lemma);
        }
        is_new
    }
}

/// The arrangement of the state's terms in what made the goals true.
pub(crate) fn arrange(
    terms: &mut Terms,
    solver: &Solver,
    at: Cut,
    justified: &Justified,
    inputs: &[BlockInput],
) -> Preimage {
    let needed = justified.literals(terms);
    let symbols: Vec<Term> = inputs.iter().map(|input| input.symbol).collect();
    let mut of_state: FastMap<Term, bool> = FastMap::new();
    let mut words: Vec<Term> = Vec::new();
    for term in terms.subterms(&needed) {
        let is_of_state = !symbols.contains(&term) && terms.args(term).iter().all(|arg| of_state[arg]);
        of_state.insert(term, is_of_state);
        if is_of_state && matches!(terms.sort_kind(terms.sort_of(term)), SortKind::BitVec(_)) {
            words.push(term);
        }
    }
    // Values first, so that they speak for their classes.
    words.sort_by_key(|&word| (!terms.is_value(word), word));
    let mut literals: Vec<Term> = needed.into_iter().filter(|literal| of_state[literal]).collect();
    let mut pairs: Vec<(Term, Term, bool)> = Vec::new();
    {
        let mut model = solver.model(terms).expect("the last query had a model");
        let mut speakers: Vec<(Term, term::Value)> = Vec::new();
        for word in words {
            let value = model.value(word);
            match speakers.iter().find(|speaker| speaker.1 == value) {
                Some(&(speaker, _)) => pairs.push((speaker, word, true)),
                None => {
                    let sort = terms.sort_of(word);
                    let others = speakers.iter().filter(|speaker| terms.sort_of(speaker.0) == sort);
                    pairs.extend(others.map(|speaker| (speaker.0, word, false)));
                    speakers.push((word, value));
                }
            }
        }
    }
    for (left, right, are_equal) in pairs {
        literals.push(if are_equal { terms.eq(left, right) } else { terms.ne(left, right) });
    }
    // What the simplifier made of a literal may be false in a model to which operators are functions.
    let mut model = solver.model(terms).expect("the last query had a model");
    literals.retain(|&literal| terms.op(literal) != Op::True && model.is_true(literal));
    drop(model);
    Preimage { cube: Cube::new(at, literals), is_rough: true }
}

impl Search<'_> {
    /// Learns lemmas that make the path impossible; false if there is no new one.
    pub fn learn_path_lemmas(&mut self, path: &AbstractPath) -> Result<bool, Stopped> {
        self.run.observer.phase("refinement");
        let (parts, back) = self.parts(path);
        let methods = vec![Method::Cores, Method::Equality, Method::Bits, Method::Models];
        let settings = Settings { methods, ..Settings::default() };
        let found = sequence(&mut self.terms, &parts, &settings, self.run.budget)?;
        self.run.observer.phase("frames");
        let mut after = match found {
            Found::Interpolants(interpolants, _) => interpolants,
            // A path of one step refutes itself.
            _ if path.edges.len() == 1 => Vec::new(),
            _ => return Ok(false),
        };
        for (step, formula) in after.iter_mut().enumerate() {
            *formula = Substitution::new(&self.terms, &back[step]).apply(&mut self.terms, *formula);
        }
        self.stats.refinements += 1;
        let mut is_new = false;
        for (step, &edge) in path.edges.iter().enumerate() {
            let mut clause = vec![self.terms.not(self.system.edges[edge].guard)];
            if step > 0 {
                clause.push(self.terms.not(after[step - 1]));
            }
            if let Some(&after) = after.get(step) {
                clause.push(self.system.back(&mut self.terms, edge, after));
            }
            let lemma = self.terms.or(&clause);
            if self.terms.op(lemma) == Op::True {
                continue;
            }
            let lemmas = self.path_lemmas.as_mut().expect("only with the paper's refinement");
            if lemmas.add(edge, lemma) {
                is_new = true;
                self.stats.path_lemmas += 1;
                self.solver.assert(lemma);
            }
        }
        Ok(is_new)
    }
}
