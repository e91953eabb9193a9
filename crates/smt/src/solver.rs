//! The solver's outer face: assertions, levels, queries, answers.
//!
//! Assertions wait until a query needs them. A level that can be popped has a selector literal: its
//! assertions hold while the selector is assumed, and `pop` makes it false for good.
//!
//! A query is a loop around the SAT search: what the search accepts is a model of the formulas and of
//! equality; if it breaks an axiom of arrays, or needs more values than a sort of bit-vectors has, what is
//! missing is added and the search goes on.

use base::{Budget, FastMap, Stopped};
use proof::Log;
use sat::{Backend, Lit, NoTheory, Outcome, Query as SatQuery, SatVar};
use term::{Op, SortKind, Term, Terms};

use crate::arrays::Missing;
use crate::cone::Cone;
use crate::encode::{Context, Encoder, Trouble, Want};
use crate::euf::theory::Euf;
use crate::model::Model;
use crate::precision::{Evaluation, Precision, Reading, is_large};
use crate::valuation::Valuation;

base::stats! {
    /// What the solver did, beside what the SAT search counts.
    pub struct Stats {
        queries: "queries answered",
        rounds: "searches, some queries taking several",
        array_overwrites: "reads over writes at another index",
        array_constants: "reads of constant arrays",
        array_witnesses: "witnesses of arrays that differ",
        array_comparisons: "comparisons of arrays that functions distinguish",
        bindings: "nodes bound to bits because values ran out",
        interface_equalities: "equalities made for words that kept meeting by value",
        raised_sites: "operators read in bits because they were evaluated again and again",
        cones: "searches within the cone of the query",
        core_queries: "queries to make cores smaller",
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'a> {
    /// Terms taken to be true.
    pub assumptions: &'a [Term],
    /// A disjunction of terms for this query only.
    pub clause: Option<&'a [Term]>,
    /// If given, the search decides only what these terms, the assumptions and the clause consist of. Right
    /// where the rest of the assertions can always be satisfied, whatever the values of these.
    pub domain: Option<&'a [Term]>,
}

impl<'a> Query<'a> {
    /// A query with assumptions alone.
    pub fn assuming(assumptions: &'a [Term]) -> Self {
        Query { assumptions, clause: None, domain: None }
    }
}

/// The answer to a query; it borrows the solver until it is used up.
pub enum Answer<'s> {
    /// There is a model.
    Sat(Model<'s>),
    /// Unsatisfiable.
    Unsat(Refutation<'s>),
    /// Undecided, for this reason.
    Unknown(&'static str),
}

/// Why there is no model.
pub struct Refutation<'s> {
    solver: &'s mut Solver,
    query: OwnedQuery,
    core: Vec<Term>,
}

#[derive(Clone, Default)]
struct OwnedQuery {
    clause: Option<Vec<Term>>,
    domain: Option<Vec<Term>>,
}

/// An assertion with the level it belongs to.
#[derive(Clone, Debug)]
struct Level {
    /// `None` for the bottom level, and until something is asserted.
    selector: Option<Lit>,
    waiting: Vec<Term>,
    /// Assertions that were encoded; kept above the bottom only, where none is taken for a definition.
    facts: Vec<Term>,
}

/// An incremental solver for uninterpreted functions, bit-vectors and arrays.
///
/// It serves one store of terms.
#[derive(Clone)]
pub struct Solver {
    sat: sat::Solver,
    theory: Euf,
    encoder: Encoder,
    precision: Precision,
    /// Sites that were raised after they had been encoded.
    raised: Vec<Term>,
    levels: Vec<Level>,
    cone: Cone,
    /// Assertions at the bottom level that are not yet in the cone.
    unsorted: Vec<Term>,
    /// Cones are used even where they are large.
    eager_cone: bool,
    /// Whether the last query was about its cone only.
    within_cone: bool,
    /// Variables to decide in the last query, where it was so.
    decided: Vec<SatVar>,
    /// Assumptions of the last query, as literals, with selectors.
    assumed: Vec<Lit>,
    /// Whether the last query was answered `Sat` and nothing has changed since.
    has_model: bool,
    /// What was counted.
    pub stats: Stats,
}

impl Solver {
    /// A solver that reads every operator in bits.
    pub fn new() -> Self {
        Solver::with_reading(Reading::Bits)
    }
    /// A solver with this default reading of operators.
    pub fn with_reading(default: Reading) -> Self {
        Solver {
            sat: sat::Solver::new(),
            theory: Euf::new(),
            encoder: Encoder::new(),
            precision: Precision::new(default),
            raised: Vec::new(),
            levels: vec![Level { selector: None, waiting: Vec::new(), facts: Vec::new() }],
            cone: Cone::default(),
            unsorted: Vec::new(),
            eager_cone: false,
            within_cone: false,
            decided: Vec::new(),
            assumed: Vec::new(),
            has_model: false,
            stats: Stats::default(),
        }
    }
    /// From now on a query decides only what it is about, even where that is most of what was asserted; otherwise
    /// only where it is less than half.
    pub fn always_within_cone(&mut self) {
        self.eager_cone = true;
    }
    /// What is known of operators that are read as uninterpreted, when their arguments have values; from the start
    /// only, since what was once concluded stays.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.theory.graph.functions_only = evaluation == Evaluation::Never;
        self.theory.meetings.raises = matches!(evaluation, Evaluation::ThenBits | Evaluation::Sparingly);
        self.theory.meetings.spares = evaluation == Evaluation::Sparingly;
    }
    /// Gives each operator a circuit of its own from now on, also where another term has the same polynomial: plain
    /// flattening, to compare with.
    pub fn flatten_plainly(&mut self) {
        self.encoder.polynomials.off = true;
    }
    /// From now on every clause is logged; only possible before the first query.
    pub fn enable_log(&mut self) {
        self.sat.enable_log();
    }
    /// The log, if there is one.
    pub fn log(&self) -> Option<&Log> {
        self.sat.log()
    }
    /// Selects the solver for hard queries that consist of bits only; the others, and all with a log, use the built-in solver.
    pub fn set_backend(&mut self, backend: Backend) {
        self.sat.set_backend(backend);
    }
    /// What the SAT search counted.
    pub fn sat_stats(&self) -> &sat::Stats {
        &self.sat.stats
    }
    /// What the SAT search holds at present.
    pub fn sat_footprint(&self) -> sat::Footprint {
        self.sat.footprint()
    }
    /// How operator sites are read.
    pub fn precision(&self) -> &Precision {
        &self.precision
    }
    /// Reads this operator site in bits from now on. What was unsatisfiable stays so.
    pub fn raise(&mut self, terms: &Terms, site: Term) {
        if is_site(terms.op(site)) && self.precision.raise(site) && self.encoder.is_known(site) {
            self.raised.push(site);
        }
    }

    /// The formula holds until its level is popped.
    pub fn assert(&mut self, formula: Term) {
        let level = self.levels.last_mut().expect("the bottom level is never popped");
        level.waiting.push(formula);
        if self.levels.len() == 1 {
            self.unsorted.push(formula);
        }
    }
    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(Level { selector: None, waiting: Vec::new(), facts: Vec::new() });
    }
    /// Closes the last level and forgets its assertions; `false` if there is none.
    pub fn pop(&mut self) -> bool {
        if self.levels.len() == 1 {
            return false;
        }
        self.has_model = false;
        let level = self.levels.pop().expect("there is a level above the bottom");
        if let Some(selector) = level.selector {
            self.sat.add_clause_with(&mut self.theory, &[!selector]);
        }
        true
    }
    /// How many levels are open.
    pub fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// Answers a query.
    pub fn check<'s>(
        &'s mut self,
        terms: &'s Terms,
        query: &Query<'_>,
        budget: &Budget,
    ) -> Result<Answer<'s>, Stopped> {
        self.stats.queries += 1;
        match self.solve(terms, query, budget) {
            Err(Trouble::Stopped(stopped)) => Err(stopped),
            Err(Trouble::TooLarge) => Ok(Answer::Unknown("a circuit would be too large")),
            Ok(Verdict::Unknown(why)) => Ok(Answer::Unknown(why)),
            Ok(Verdict::Sat) => {
                self.has_model = true;
                Ok(Answer::Sat(self.make_model(terms)))
            }
            Ok(Verdict::Unsat) => {
                let core = self.core_of(query.assumptions);
                let query = OwnedQuery {
                    clause: query.clause.map(<[Term]>::to_vec),
                    domain: query.domain.map(<[Term]>::to_vec),
                };
                Ok(Answer::Unsat(Refutation { solver: self, query, core }))
            }
        }
    }

    /// The model of the last query again, if it was `Sat` and no level was closed since. For callers that cannot keep
    /// the answer because they make new terms in between.
    pub fn model<'s>(&'s self, terms: &'s Terms) -> Option<Model<'s>> {
        self.has_model.then(|| self.make_model(terms))
    }
    fn make_model<'s>(&'s self, terms: &'s Terms) -> Model<'s> {
        Model::new(terms, &self.encoder, &self.theory, &self.sat, &self.cone, self.within_cone)
    }

    fn solve(&mut self, terms: &Terms, query: &Query<'_>, budget: &Budget) -> Result<Verdict, Trouble> {
        self.has_model = false;
        self.encode_waiting(terms, budget)?;
        let mut assumed: Vec<Lit> = self.levels.iter().filter_map(|level| level.selector).collect();
        for &assumption in query.assumptions {
            assumed.push(self.literal(terms, assumption, budget)?);
        }
        let mut clause = None;
        if let Some(parts) = query.clause {
            let mut lits = Vec::with_capacity(parts.len());
            for &part in parts {
                lits.push(self.literal(terms, part, budget)?);
            }
            clause = Some(lits);
        }
        self.assumed = assumed;
        loop {
            self.stats.rounds += 1;
            self.settle();
            let has_domain = self.find_domain(terms, query);
            let domain = has_domain.then_some(&self.decided[..]);
            let sat_query = SatQuery { assumptions: &self.assumed, clause: clause.as_deref(), domain };
            let outcome = if self.theory.is_idle() {
                self.sat.solve(&mut NoTheory, &sat_query, budget)?
            } else {
                self.sat.solve(&mut self.theory, &sat_query, budget)?
            };
            match outcome {
                Outcome::Unsat => return Ok(Verdict::Unsat),
                Outcome::Paused => {
                    self.join_words(terms, budget)?;
                    continue;
                }
                Outcome::Sat => {}
            }
            match self.complete(terms, budget)? {
                Completion::Done => return Ok(Verdict::Sat),
                Completion::Unknown(why) => return Ok(Verdict::Unknown(why)),
                Completion::More => {}
            }
        }
    }

    // ---- encoding

    fn literal(&mut self, terms: &Terms, term: Term, budget: &Budget) -> Result<Lit, Trouble> {
        if let Some(lit) = self.encoder.lit(term) {
            return Ok(lit);
        }
        self.sat.backtrack_to_root(&mut self.theory);
        let Solver { sat, theory, encoder, precision, .. } = self;
        encoder.literal(&mut Context { terms, sat, theory, precision, budget }, term)
    }
    fn encode_waiting(&mut self, terms: &Terms, budget: &Budget) -> Result<(), Trouble> {
        if self.raised.is_empty() && self.levels.iter().all(|level| level.waiting.is_empty()) {
            return Ok(());
        }
        self.sat.backtrack_to_root(&mut self.theory);
        while let Some(&site) = self.raised.last() {
            let Solver { sat, theory, encoder, precision, .. } = self;
            encoder.encode(&mut Context { terms, sat, theory, precision, budget }, site, Want::Circuit)?;
            self.raised.pop();
        }
        for (name, formula) in self.cone.asserted(terms, &std::mem::take(&mut self.unsorted)) {
            let (_, value) = self.cone.definition(terms, name).expect("it was just found");
            self.encoder.name(terms, name, value, formula);
        }
        for level in 0..self.levels.len() {
            if level > 0 && !self.levels[level].waiting.is_empty() && self.levels[level].selector.is_none() {
                self.levels[level].selector = Some(self.sat.new_var().positive());
            }
            while let Some(formula) = self.levels[level].waiting.pop() {
                if let Err(trouble) = self.assert_now(terms, self.levels[level].selector, formula, budget) {
                    self.levels[level].waiting.push(formula);
                    return Err(trouble);
                }
                if level > 0 {
                    self.levels[level].facts.push(formula);
                }
            }
        }
        Ok(())
    }
    /// Conjunctions become several clauses, a disjunction becomes one.
    fn assert_now(
        &mut self,
        terms: &Terms,
        selector: Option<Lit>,
        formula: Term,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        let mut todo = vec![formula];
        // Conjunctions share conjunctions; each is taken apart once.
        let mut seen: FastMap<Term, ()> = FastMap::new();
        while let Some(part) = todo.pop() {
            budget.spend(1)?;
            if terms.op(part) == Op::And {
                if seen.insert(part, ()).is_some() {
                    continue;
                }
                todo.extend(terms.args(part));
                continue;
            }
            if self.encoder.is_defining(part) {
                continue;
            }
            let mut clause: Vec<Lit> = Vec::new();
            if terms.op(part) == Op::Or {
                for &arg in terms.args(part) {
                    clause.push(self.literal(terms, arg, budget)?);
                }
            } else {
                clause.push(self.literal(terms, part, budget)?);
            }
            clause.extend(selector.map(|selector| !selector));
            self.sat.add_clause_with(&mut self.theory, &clause);
        }
        Ok(())
    }
    /// Passes what the e-graph implies already to the search.
    fn settle(&mut self) {
        let lemmas = match self.theory.settle() {
            Ok(lemmas) => lemmas,
            Err(conflict) => vec![conflict],
        };
        for lemma in lemmas {
            self.sat.add_lemma_with(&mut self.theory, &lemma);
        }
    }
    /// Finds what to decide, if it is not everything: what the query says, or its cone if that is small.
    fn find_domain(&mut self, terms: &Terms, query: &Query<'_>) -> bool {
        self.within_cone = false;
        let asked = query.assumptions.iter().chain(query.clause.unwrap_or(&[])).copied();
        if let Some(domain) = query.domain {
            self.cone.collect_subterms(terms, asked.chain(domain.iter().copied()));
        } else if self.cone.is_useful() && self.encoder.arrays.nodes.is_empty() {
            let facts = self.levels.iter().flat_map(|level| &level.facts).copied();
            self.cone.collect(terms, asked.chain(facts));
        } else {
            return false;
        }
        self.decided.clear();
        self.encoder.variables_of(self.cone.members(), &mut self.decided);
        // Where most of it is needed, the search is freer without.
        let is_small = self.eager_cone || self.decided.len() * 2 < self.sat.n_vars();
        self.within_cone = query.domain.is_none() && is_small;
        self.stats.cones += u64::from(self.within_cone);
        query.domain.is_some() || is_small
    }
    /// Words that kept meeting by value get equalities that bits and classes share; operators that were evaluated
    /// again and again get their circuits.
    fn join_words(&mut self, terms: &Terms, budget: &Budget) -> Result<(), Trouble> {
        self.sat.backtrack_to_root(&mut self.theory);
        while let Some((a, b)) = self.theory.meetings.pairs.pop() {
            budget.spend(1)?;
            self.stats.interface_equalities += 1;
            let Solver { sat, theory, encoder, precision, .. } = self;
            encoder.interface_equality(&mut Context { terms, sat, theory, precision, budget }, a, b);
        }
        while let Some((node, may_be_large)) = self.theory.meetings.operators.pop() {
            let Solver { sat, theory, encoder, precision, .. } = self;
            let Some(site) = encoder.site(node) else { continue };
            if precision.reading(site) == Reading::Bits || (!may_be_large && is_large(terms, site)) {
                continue;
            }
            match encoder.encode(&mut Context { terms, sat, theory, precision, budget }, site, Want::Circuit) {
                Err(Trouble::TooLarge) => {} // Then value by value it is.
                Err(stopped) => return Err(stopped),
                Ok(()) => {
                    self.stats.raised_sites += 1;
                    precision.raise(site);
                }
            }
        }
        Ok(())
    }

    // ---- completing models

    fn complete(&mut self, terms: &Terms, budget: &Budget) -> Result<Completion, Trouble> {
        let crowded = self.crowded();
        if !crowded.is_empty() {
            self.sat.backtrack_to_root(&mut self.theory);
            let Solver { sat, theory, encoder, precision, .. } = self;
            let mut cx = Context { terms, sat, theory, precision, budget };
            for node in crowded {
                budget.spend(1)?;
                self.stats.bindings += 1;
                let SortKind::BitVec(width) = *terms.sort_kind(encoder.sort(node)) else { continue };
                let word: Vec<Lit> = (0..width).map(|_| cx.sat.new_var().positive()).collect();
                encoder.internal.extend(word.iter().map(|lit| lit.var()));
                encoder.bind(&mut cx, node, word);
            }
            return Ok(Completion::More);
        }
        if self.encoder.arrays.nodes.is_empty() {
            return Ok(Completion::Done);
        }
        let mut values = Valuation::new(terms, &self.encoder, &self.theory, &self.sat);
        let missing = match self.encoder.missing(terms, &mut values) {
            Ok(missing) => missing,
            Err(why) => return Ok(Completion::Unknown(why)),
        };
        if missing.is_empty() {
            return Ok(Completion::Done);
        }
        self.sat.backtrack_to_root(&mut self.theory);
        for missing in missing {
            budget.spend(1)?;
            match &missing {
                Missing::Constant { .. } => self.stats.array_constants += 1,
                Missing::Witness(..) => self.stats.array_witnesses += 1,
                Missing::Comparison(..) => self.stats.array_comparisons += 1,
                Missing::Overwrite { .. } | Missing::Elsewhere { .. } => self.stats.array_overwrites += 1,
            }
            let Solver { sat, theory, encoder, precision, .. } = self;
            encoder.add_missing(&mut Context { terms, sat, theory, precision, budget }, missing);
        }
        Ok(Completion::More)
    }
    /// Nodes without bits of widths that have fewer values than there are classes.
    fn crowded(&self) -> Vec<crate::euf::egraph::Node> {
        let mut crowded = Vec::new();
        for (&width, nodes) in &self.encoder.words_of_width {
            if width >= 32 || nodes.len() <= 1 << width {
                continue;
            }
            let mut roots: Vec<_> = nodes.iter().map(|&node| self.theory.graph.root(node)).collect();
            roots.sort_unstable();
            roots.dedup();
            if roots.len() > 1 << width {
                let open =
                    |node: &&_| self.theory.graph.own_value(**node).is_none() && self.theory.word(**node).is_none();
                crowded.extend(nodes.iter().filter(open).copied());
            }
        }
        crowded
    }

    // ---- cores

    fn core_of(&self, assumptions: &[Term]) -> Vec<Term> {
        let core = self.sat.core();
        let mut found: Vec<Term> = Vec::new();
        for &lit in core {
            // One term is enough for each literal.
            let term = assumptions.iter().find(|&&term| self.encoder.lit(term) == Some(lit));
            found.extend(term.filter(|term| !found.contains(term)));
        }
        found
    }
    /// The clause that the last refutation proves: not all assumptions (and selectors) at once.
    pub fn refuted(&self) -> Vec<Lit> {
        let mut goal: Vec<Lit> = self.assumed.iter().map(|&lit| !lit).collect();
        goal.extend(self.sat.switch().map(|lit| !lit));
        goal
    }
    pub(crate) fn parts(&self) -> (&sat::Solver, &Euf, &Encoder) {
        (&self.sat, &self.theory, &self.encoder)
    }
}

impl Refutation<'_> {
    /// Assumptions that suffice for the contradiction, in no particular order.
    pub fn core(&self) -> &[Term] {
        &self.core
    }
    /// Whether the checker accepts the proof, if there is a log; before the core is minimised.
    pub fn check_proof(&self) -> Result<(), proof::Rejection> {
        self.solver.check_proof()
    }
    /// The same, after trying to do without each of them; what the budget does not allow is left as it is.
    pub fn minimize(&mut self, terms: &Terms, budget: &Budget) -> &[Term] {
        let mut kept = self.core.clone();
        let mut at = 0;
        while at < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(at);
            self.solver.stats.core_queries += 1;
            let query = Query {
                assumptions: &fewer,
                clause: self.query.clause.as_deref(),
                domain: self.query.domain.as_deref(),
            };
            match self.solver.solve(terms, &query, budget) {
                Ok(Verdict::Unsat) => {
                    // What the smaller core leaves out of those already tried was not needed either.
                    let core = self.solver.core_of(&fewer);
                    let tried = fewer[..at].iter().filter(|term| core.contains(term)).count();
                    fewer.retain(|term| core.contains(term));
                    kept = fewer;
                    at = tried;
                }
                Ok(_) => at += 1,
                Err(_) => break,
            }
        }
        self.core = kept;
        &self.core
    }
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

enum Verdict {
    Sat,
    Unsat,
    Unknown(&'static str),
}

enum Completion {
    Done,
    More,
    Unknown(&'static str),
}

#[cfg(test)]
mod tests;

/// Operators whose reading can be chosen.
pub fn is_site(op: Op) -> bool {
    !matches!(
        op,
        Op::True
            | Op::False
            | Op::Value
            | Op::Numeral
            | Op::Symbol(_)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Implies
            | Op::Eq
            | Op::Distinct
            | Op::Ite
            | Op::Select
            | Op::Store
            | Op::ConstArray
            | Op::Number(_)
            | Op::Fp(_)
    )
}
