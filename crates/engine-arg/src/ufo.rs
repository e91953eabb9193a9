//! The engine's main loop: expand, look at the error edges, refine, and again.

use base::{Id, Stopped};
use encode::Cut;
use engine::{Context, Engine, Invariants, Run, Task, evidence};
use term::{Term, Terms};
use verdict::{Code, Proof, Verdict, Why};

use crate::arg::Arg;
use crate::candidates::Candidates;
use crate::clean::conjuncts;
use crate::condition::Slice;
use crate::draw::draw;
use crate::edges::EdgeRef;
use crate::expand::expand;
use crate::instance::Instance;
use crate::refine::Refined;
use crate::search::Search;
use crate::settings::Settings;
use crate::tuning::Tuning;

/// The engine.
pub(crate) struct Ufo {
    pub instance: Instance,
    pub settings: Settings,
}

impl Ufo {
    pub fn new(settings: &Settings) -> Self {
        Ufo { instance: settings.instance(), settings: settings.clone() }
    }
}

impl Engine for Ufo {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        let (mut terms, blocks) = match task.encoded(run) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        let background = if self.instance.is_helped {
            Invariants::new(&mut Context::new(task, &mut terms, blocks, run))?
        } else {
            Invariants::none(blocks)
        };
        let mut search = Search::new(task, blocks, run, terms, background);
        let truth = search.terms.truth(true);
        let mut arg = Arg::new(blocks.entry(), truth);
        let verdict = self.verdict(&mut search, &mut arg);
        self.report(&mut search, &arg);
        verdict
    }
}

impl Ufo {
    /// Counters, and the graph as it is; also while working, so that they are there whatever ends the run.
    fn report(&self, search: &mut Search<'_>, arg: &Arg) {
        search.stats.nodes = arg.nodes.len() as u64;
        for (name, _, value) in search.stats.entries() {
            search.run.observer.count(name, value);
        }
        if self.settings.draw_graph {
            search.run.observer.picture(draw(search, arg));
        }
    }
    fn verdict(&self, search: &mut Search<'_>, arg: &mut Arg) -> Result<Verdict, Stopped> {
        let mut domain = (self.instance.domain)(&self.settings);
        let mut refiner = (self.instance.refiner)(&self.settings);
        let mut strategy = (self.instance.strategy)(&self.settings);
        let mut candidates = Candidates::default();
        let most_variables = search.blocks.cutpoints.iter().map(|cutpoint| cutpoint.state.len()).max().unwrap_or(0);
        let exits = search.blocks.blocks.iter().flat_map(|block| &block.exits);
        let computed: Vec<Term> =
            exits.flat_map(|exit| exit.values.iter().map(|&(_, value)| value).chain([exit.guard])).collect();
        let is_small = most_variables <= Tuning::DEFAULT.few_variables
            && search.terms.size(&computed) <= Tuning::DEFAULT.small_block_terms;
        let unrelated = if is_small {
            Tuning::DEFAULT.relations_after_refinements_small
        } else {
            Tuning::DEFAULT.relations_after_refinements
        };
        search.is_small = is_small;
        search.is_related = !self.instance.is_helped;
        let mut asked_at = 0;
        loop {
            search.import_facts()?;
            search.run.observer.phase("expansion");
            expand(search, arg, domain.as_mut())?;
            self.report(search, arg);
            if !error_is_feasible(search, arg)? {
                return proof(search, arg);
            }
            let slice = Slice::new(arg);
            if search.stats.refinements >= asked_at + unrelated {
                asked_at = search.stats.refinements;
                if relate(search)? {
                    continue;
                }
            }
            search.run.observer.phase("refinement");
            let labels = match refiner.refine(search, arg, &slice)? {
                Refined::Real(found) => return Ok(Verdict::Unsafe(found)),
                Refined::Doubtful(why) => return Ok(Verdict::Unknown(why)),
                Refined::Nothing(why) => return Ok(Verdict::Unknown(Why::new(Code::NoProgress, why))),
                Refined::Labels(labels) => labels,
                Refined::Stuck => {
                    asked_at = search.stats.refinements;
                    relate(search)?;
                    continue;
                }
            };
            search.run.observer.progress(format!("no error on any path of a graph of {} nodes", arg.order.len()));
            let mut new_predicates = 0;
            for &(node, label) in &labels {
                let cut = arg.nodes[node].cut.expect("the error is not in the slice");
                new_predicates += search.harvest(cut, label);
                candidates.note(search, cut, label);
            }
            search.run.observer.phase("candidates");
            if self.instance.is_helped {
                candidates.settle(search)?;
            }
            strategy.take(search, arg, labels, new_predicates);
        }
    }
}

/// Asks the next producer of relations between variables; whether there are some.
fn relate(search: &mut Search<'_>) -> Result<bool, Stopped> {
    if search.is_related {
        return Ok(false);
    }
    let cx = &mut Context::new(search.task, &mut search.terms, search.blocks, search.run);
    let found = search.background.relate(cx)?;
    // Where blocks are large, all producers together would take longer than they are worth.
    search.is_related = found.is_empty() || !search.is_small;
    Ok(!found.is_empty())
}

/// Whether an error may follow directly from some open node.
fn error_is_feasible(search: &mut Search<'_>, arg: &Arg) -> Result<bool, Stopped> {
    for node in arg.open() {
        let from = arg.nodes[node].cut.expect("the error is not visited");
        for &(exit, child) in &arg.nodes[node].children {
            if child == arg.error() && search.is_feasible(arg.nodes[node].label, EdgeRef { from, exit })? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The graph is safe, complete and well-labelled: its labels are invariants.
fn proof(search: &mut Search<'_>, arg: &Arg) -> Result<Verdict, Stopped> {
    let mut invariants: Vec<(Cut, Term)> = Vec::new();
    for cut in search.blocks.cutpoints.ids() {
        let labels: Vec<Term> =
            arg.open().filter(|&node| arg.nodes[node].cut == Some(cut)).map(|node| arg.nodes[node].label).collect();
        let labels = weakest(&search.terms, labels);
        invariants.push((cut, search.terms.or(&labels)));
    }
    if let Some(from) = broken_edge(search, &invariants)? {
        debug_assert!(false, "the labels of a complete graph are inductive, but not from {from:?}");
        let why = "the labels of the graph are not inductive";
        return Ok(Verdict::Unknown(Why::new(Code::GaveUp, why)));
    }
    let cx = &mut Context::new(search.task, &mut search.terms, search.blocks, search.run);
    let proof: Proof = evidence::inductive(cx, invariants, &search.background)?;
    Ok(Verdict::Safe(Box::new(proof)))
}

/// The labels without those that say all that another one says, and more: their states are among those of the other.
fn weakest(terms: &Terms, labels: Vec<Term>) -> Vec<Term> {
    let mut kept: Vec<(Term, Vec<Term>)> = Vec::new();
    for label in labels {
        let mut said = conjuncts(terms, label);
        said.sort_unstable();
        let says_all = |one: &[Term], other: &[Term]| other.iter().all(|part| one.binary_search(part).is_ok());
        if kept.iter().any(|(_, other)| says_all(&said, other)) {
            continue;
        }
        kept.retain(|(_, other)| !says_all(other, &said));
        kept.push((label, said));
    }
    kept.into_iter().map(|(label, _)| label).collect()
}

/// The law that a proof rests on, asked once more: a cutpoint from where a step leads out of the invariants.
fn broken_edge(search: &mut Search<'_>, invariants: &[(Cut, Term)]) -> Result<Option<Cut>, Stopped> {
    for &(from, before) in invariants {
        for exit in 0..search.blocks.blocks[from].exits.len() {
            let to = search.blocks.blocks[from].exits[exit].to;
            let after = if search.is_error(to) { search.terms.truth(false) } else { invariants[to.index()].1 };
            if !search.holds(before, EdgeRef { from, exit }, after)? {
                return Ok(Some(from));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_labels_that_say_more_and_less_the_one_that_says_less_is_left() {
        let mut terms = Terms::new();
        let sort = terms.bool_sort();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, sort));
        let (both, all) = (terms.and(&[a, b]), terms.and(&[a, b, c]));
        assert_eq!(weakest(&terms, vec![all, both, c]), [both, c]);
        assert_eq!(weakest(&terms, vec![both, all, a]), [a]);
        let truth = terms.truth(true);
        assert_eq!(weakest(&terms, vec![both, truth, a]), [truth]);
    }
}
