//! Horn clauses: what equalities between terms imply, over program variables.
//!
//! `t = k -> x = y` is what a loop keeps when the assumption `t = k` comes only behind it; equalities, disequalities and
//! rows alone cannot say it. A clause comes from a spurious trace: from a minimal contradiction (one disequality and
//! some equalities), carried backwards as a weakest precondition; its negation is a ground Horn clause
//! at each position. Interpolants of equality are such clauses too [FuchsEtAl-LMCS'12].
//!
//! A state knows a set of clauses. Which clauses hold after a step is decided by a Hoare triple each: assert the
//! clause's premises, deny its conclusion, close under congruence, and fire the clauses known before whenever their
//! premises hold. Ground Horn clauses with equality are complete under this saturation, so the answer is exact. Unlike the
//! generalisation of [HongEtAl-FM'21], no two states are merged without such a triple; loops close by
//! themselves exactly where clauses are inductive.

use term::{Substitution, Term, Terms};

use crate::automaton::{Automaton, Code, Part, StepId};
use crate::graph::{Graph, NOTHING, Node};
use crate::trace::contradicts;
use crate::tuning::Tuning;

/// A clause by its number in the pool.
pub(crate) type ClauseId = u32;

/// If all premises hold, so does the conclusion; without one, they cannot all hold.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub premises: Vec<(Term, Term)>,
    pub conclusion: Option<(Term, Term)>,
    codes: Vec<(Code, Code)>,
    then: Option<(Code, Code)>,
}

/// All clauses.
#[derive(Clone, Default, Debug)]
pub(crate) struct Pool {
    clauses: Vec<Clause>,
}

impl Pool {
    pub fn len(&self) -> usize {
        self.clauses.len()
    }
    pub fn get(&self, id: ClauseId) -> &Clause {
        &self.clauses[id as usize]
    }

    /// Fires the known clauses, over the values that slots had in `env`, until nothing new follows.
    pub fn saturate(&self, automaton: &Automaton, graph: &mut Graph, env: &[Node], known: &[ClauseId]) {
        let mut open: Vec<ClauseId> = known.to_vec();
        let mut changed = true;
        while changed && !graph.contradictory {
            changed = false;
            open.retain(|&id| {
                let clause = &self.clauses[id as usize];
                if graph.contradictory || !clause.premises_hold(automaton, graph, env) {
                    return true;
                }
                match &clause.then {
                    None => graph.contradictory = true,
                    Some((left, right)) => {
                        let sides = (graph.value(automaton, env, left), graph.value(automaton, env, right));
                        if let (Some(left), Some(right)) = sides {
                            graph.join(left, right);
                        }
                    }
                }
                changed = true;
                false
            });
        }
    }

    /// The clauses that hold in the graph for what slots hold now, given those known for what they held in `before`.
    pub fn known_after(
        &self,
        automaton: &Automaton,
        graph: &Graph,
        before: &[Node],
        known: &[ClauseId],
        live: &[bool],
    ) -> Box<[ClauseId]> {
        let now = graph.held.clone();
        let holds = |id: &ClauseId| {
            let clause = &self.clauses[*id as usize];
            if clause.slots().any(|slot| now[slot as usize] == NOTHING || !live[slot as usize]) {
                return false;
            }
            let mut graph = graph.clone();
            for (left, right) in &clause.codes {
                let sides = (graph.value(automaton, &now, left), graph.value(automaton, &now, right));
                let (Some(left), Some(right)) = sides else { return false };
                graph.join(left, right);
            }
            let then = clause
                .then
                .as_ref()
                .map(|(left, right)| (graph.value(automaton, &now, left), graph.value(automaton, &now, right)));
            self.saturate(automaton, &mut graph, before, known);
            graph.contradictory
                || matches!(then, Some((Some(left), Some(right))) if graph.find(left) == graph.find(right))
        };
        (0..self.clauses.len() as ClauseId).filter(holds).collect()
    }

    /// Adds the clauses of a spurious way; whether there is a new one.
    pub fn learn(&mut self, automaton: &mut Automaton, terms: &mut Terms, way: &[StepId]) -> bool {
        let core = core(automaton, way);
        let mut number: usize = way.iter().map(|&step| automaton.steps[step].guard.len()).sum();
        let mut premises: Vec<(Term, Term)> = Vec::new();
        let mut conclusion: Option<(Term, Term)> = None;
        let mut is_new = false;
        for &step in way.iter().rev() {
            let info = automaton.steps[step].clone();
            // Backwards through the effects, then the guard.
            if info.frees.iter().any(|(slot, _)| {
                let term = automaton.slots[*slot as usize].2;
                let all = premises.iter().chain(&conclusion).flat_map(|(a, b)| [*a, *b]);
                terms.subterms(&all.collect::<Vec<_>>()).contains(&term)
            }) {
                break; // What holds for every value of it has no clause over the variables before.
            }
            let pairs: Vec<(Term, Term)> =
                info.assigns.iter().map(|(slot, _, value)| (automaton.slots[*slot as usize].2, *value)).collect();
            if !pairs.is_empty() {
                let mut substitution = Substitution::new(terms, &pairs);
                for (a, b) in premises.iter_mut().chain(&mut conclusion) {
                    *a = substitution.apply(terms, *a);
                    *b = substitution.apply(terms, *b);
                }
            }
            for test in info.guard.iter().rev() {
                number -= 1;
                if !core[number] {
                    continue;
                }
                let pair = (test.literal.left, test.literal.right);
                if test.equal {
                    premises.push(pair);
                } else {
                    conclusion = Some(pair);
                }
            }
            premises.retain(|(a, b)| a != b);
            premises.dedup();
            match self.add(automaton, terms, &premises, conclusion) {
                Added::New => is_new = true,
                Added::Old => {}
                Added::Valid | Added::No => break,
            }
        }
        is_new
    }

    fn add(
        &mut self,
        automaton: &mut Automaton,
        terms: &Terms,
        premises: &[(Term, Term)],
        conclusion: Option<(Term, Term)>,
    ) -> Added {
        if premises.is_empty() && conclusion.is_none() {
            return Added::Old;
        }
        let all: Vec<Term> = premises.iter().chain(&conclusion).flat_map(|(a, b)| [*a, *b]).collect();
        if all.iter().any(|&term| terms.size(&[term]) > Tuning::DEFAULT.max_clause_term)
            || self.clauses.len() >= Tuning::DEFAULT.max_clauses
        {
            return Added::No;
        }
        let mut sorted: Vec<(Term, Term)> = premises.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let conclusion = conclusion.map(|(a, b)| (a.min(b), a.max(b)));
        if self.clauses.iter().any(|one| one.premises == sorted && one.conclusion == conclusion) {
            return Added::Old;
        }
        let mut code =
            |pair: &(Term, Term)| Some((automaton.later_code(terms, pair.0)?, automaton.later_code(terms, pair.1)?));
        let codes: Option<Vec<(Code, Code)>> = sorted.iter().map(&mut code).collect();
        let then = match &conclusion {
            None => Some(None),
            Some(pair) => code(pair).map(Some),
        };
        let (Some(codes), Some(then)) = (codes, then) else { return Added::No };
        let clause = Clause { premises: sorted, conclusion, codes, then };
        if clause.is_valid(automaton) {
            return Added::Valid;
        }
        self.clauses.push(clause);
        Added::New
    }
}

enum Added {
    New,
    Old,
    /// It holds everywhere; what comes before it does too.
    Valid,
    No,
}

impl Clause {
    fn premises_hold(&self, automaton: &Automaton, graph: &mut Graph, env: &[Node]) -> bool {
        self.codes.iter().all(|(left, right)| {
            let sides = (graph.value(automaton, env, left), graph.value(automaton, env, right));
            matches!(sides, (Some(left), Some(right)) if graph.find(left) == graph.find(right))
        })
    }
    fn is_valid(&self, automaton: &Automaton) -> bool {
        let mut graph = Graph::new(automaton);
        let env = graph.held.clone();
        for (left, right) in &self.codes {
            let left = graph.value(automaton, &env, left);
            let right = graph.value(automaton, &env, right);
            if let (Some(left), Some(right)) = (left, right) {
                graph.join(left, right);
            }
        }
        let same = self.then.as_ref().is_some_and(|(left, right)| {
            let left = graph.value(automaton, &env, left);
            let right = graph.value(automaton, &env, right);
            left.map(|node| graph.find(node)) == right.map(|node| graph.find(node))
        });
        graph.contradictory || same
    }
    /// The slots that it speaks of, literals left out.
    fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        let codes = self.codes.iter().chain(&self.then).flat_map(|(left, right)| left.iter().chain(right));
        codes.filter_map(|part| match part {
            Part::Slot(slot) => Some(*slot),
            Part::Apply(..) => None,
        })
    }
}

/// Which literals of the guards, by their number on the way, are needed for the contradiction.
fn core(automaton: &Automaton, way: &[StepId]) -> Vec<bool> {
    let n: usize = way.iter().map(|&step| automaton.steps[step].guard.len()).sum();
    let mut kept = vec![true; n];
    // The last ones first: what was assumed early is more often a fact worth keeping.
    for at in (0..n).rev() {
        kept[at] = false;
        if !contradicts(automaton, way, &|number| kept[number]) {
            kept[at] = true;
        }
    }
    kept
}
