//! What is known about runs of few steps, as clauses: the *frames* of [Bradley-VMCAI'11], one for each number of steps.
//!
//! A lemma at a cutpoint is a clause with a level: it holds there after at most `level` steps from cutpoint to
//! cutpoint. Lemmas are pushed to higher levels for as long as a step keeps them. When no lemma stays behind at
//! some level, those above it are inductive together.

use base::{Budget, FastMap, IndexVec, Stopped};
use encode::Cut;
use engine::{Context, Houdini};
use term::sums::Order;
use term::{Op, Term};

use crate::edges::{EdgeRef, Taken};
use crate::implicant::Cube;
use crate::search::Search;
use crate::tuning::Tuning;

/// A clause that holds for some steps.
pub(crate) struct Lemma {
    /// What it excludes.
    pub cube: Cube,
    /// The clause.
    pub clause: Term,
    /// It holds after at most this number of steps.
    pub level: usize,
}

/// What is known about runs of few steps.
#[derive(Default)]
pub(crate) struct Frames {
    /// By cutpoint.
    pub lemmas: IndexVec<Cut, Vec<Lemma>>,
    /// There is no error within this number of steps.
    pub top: usize,
    /// By cutpoint: the edges that lead there.
    pub entries: IndexVec<Cut, Vec<EdgeRef>>,
    /// Variables that the program compares by order: bounds on them are worth trying.
    pub ordered: FastMap<Term, ()>,
    /// Brings sums in one order.
    pub order: Order,
}

impl Frames {
    /// Gets to know the program, the first time.
    pub fn prepare(&mut self, search: &Search<'_>) {
        let blocks = search.blocks;
        if !self.entries.is_empty() {
            return;
        }
        self.lemmas = blocks.cutpoints.ids().map(|_| Vec::new()).collect();
        self.entries = blocks.cutpoints.ids().map(|_| Vec::new()).collect();
        for (from, block) in blocks.blocks.iter_enumerated() {
            for (exit, way) in block.exits.iter().enumerate() {
                self.entries[way.to].push(EdgeRef { from, exit });
                let roots: Vec<Term> = way.values.iter().map(|&(_, value)| value).chain([way.guard]).collect();
                for term in search.terms.subterms(&roots) {
                    if is_order(search.terms.op(term)) {
                        let below = search.terms.subterms(&[term]);
                        let is_variable = |term: &Term| matches!(search.terms.op(*term), Op::Symbol(_));
                        below.into_iter().filter(is_variable).for_each(|symbol| {
                            self.ordered.insert(symbol, ());
                        });
                    }
                }
            }
        }
    }
    /// What holds at the cutpoint after at most `level` steps.
    pub fn at(&self, cut: Cut, level: usize) -> impl Iterator<Item = Term> + '_ {
        self.lemmas[cut].iter().filter(move |lemma| lemma.level >= level).map(|lemma| lemma.clause)
    }
    /// Whether the cube is excluded already.
    pub fn excludes(&self, cut: Cut, level: usize, cube: &Cube) -> bool {
        let excludes = |lemma: &Lemma| {
            lemma.level >= level && lemma.cube.iter().all(|literal| cube.binary_search(literal).is_ok())
        };
        self.lemmas[cut].iter().any(excludes)
    }
    /// One more lemma; those that it makes useless go.
    pub fn learn(&mut self, search: &mut Search<'_>, cut: Cut, cube: Cube, level: usize) {
        let all = search.terms.and(&cube);
        let clause = search.terms.not(all);
        let implied = |lemma: &Lemma| {
            lemma.level <= level && cube.iter().all(|literal| lemma.cube.binary_search(literal).is_ok())
        };
        self.lemmas[cut].retain(|lemma| !implied(lemma));
        self.lemmas[cut].push(Lemma { cube, clause, level });
        search.stats.lemmas += 1;
    }
    /// Pushes lemmas to higher levels; whether those above some level are inductive.
    pub fn push(&mut self, search: &mut Search<'_>, budget: &Budget) -> Result<bool, Stopped> {
        for level in 1..self.top {
            let mut stays_behind = false;
            for cut in search.blocks.cutpoints.ids() {
                let waiting: Vec<Term> =
                    self.lemmas[cut].iter().filter(|lemma| lemma.level == level).map(|lemma| lemma.clause).collect();
                let kept = self.kept(search, cut, level, waiting.clone(), budget)?;
                stays_behind |= kept.len() < waiting.len();
                for lemma in self.lemmas[cut].iter_mut().filter(|lemma| lemma.level == level) {
                    lemma.level += usize::from(kept.contains(&lemma.clause));
                }
            }
            if !stays_behind {
                return self.settle(search, level);
            }
        }
        Ok(false)
    }
    /// Those of the clauses that hold one step further.
    fn kept(
        &self,
        search: &mut Search<'_>,
        cut: Cut,
        level: usize,
        clauses: Vec<Term>,
        budget: &Budget,
    ) -> Result<Vec<Term>, Stopped> {
        let mut kept = clauses;
        for &edge in &self.entries[cut] {
            while !kept.is_empty() {
                let mut assumptions: Vec<Term> = vec![search.exit(edge).guard];
                assumptions.extend(self.at(edge.from, level));
                let behind: Vec<Term> = kept.iter().map(|&clause| search.back(edge, clause)).collect();
                let broken: Vec<Term> = behind.iter().map(|&clause| search.terms.not(clause)).collect();
                match search.take(edge, &assumptions, Some(&broken), &behind, budget)? {
                    Taken::Never(_) => break,
                    Taken::May { truths, .. } => {
                        let mut truths = truths.into_iter();
                        kept.retain(|_| truths.next().unwrap_or(false));
                    }
                    Taken::Unknown => kept.clear(),
                }
            }
        }
        Ok(kept)
    }
    /// The lemmas above the level are invariant: Houdini checks them once more, then they are facts. Whether all are.
    fn settle(&mut self, search: &mut Search<'_>, level: usize) -> Result<bool, Stopped> {
        let mut candidates = Houdini::new(search.blocks);
        let mut claimed = 0;
        for (cut, lemmas) in self.lemmas.iter_enumerated() {
            for lemma in lemmas.iter().filter(|lemma| lemma.level > level) {
                candidates.add(cut, lemma.clause);
                claimed += 1;
            }
        }
        let cx = &mut Context::new(search.task, &mut search.terms, search.blocks, search.run);
        let survivors = candidates.run(cx, &search.background.at, Tuning::DEFAULT.settled_query_ticks)?;
        let found: usize = survivors.invariants.iter().map(Vec::len).sum();
        search.stats.invariants += found as u64;
        search.background.learn(cx, &survivors.invariants, "ufo");
        for cut in search.blocks.cutpoints.ids() {
            self.lemmas[cut].retain(|lemma| !survivors.invariants[cut].contains(&lemma.clause));
        }
        Ok(found == claimed)
    }
}

fn is_order(op: Op) -> bool {
    matches!(op, Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge)
}
