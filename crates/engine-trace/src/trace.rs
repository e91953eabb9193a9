//! One trace decided exactly: all its terms are kept, so congruence closure over the assumed literals says whether it is
//! feasible, and the closure of a feasible one is a model.
//!
//! Truth values are the one sort with a known size. A class of truth values that is neither true nor false is tried
//! both ways.

use base::{Budget, FastMap, Stopped};
use term::{Op, Sort, SortKind, Terms};
use verdict::{Counterexample, FunctionTable, InputValue};

use crate::automaton::{Automaton, Holds, Slot, Step, StepId};
use crate::graph::{Graph, NOTHING, Node};

/// What a trace is.
pub(crate) enum Exact {
    /// Feasible, if all functions may be chosen.
    Real,
    /// Contradictory.
    Spurious,
}

/// Decides the trace.
pub(crate) fn exact(automaton: &Automaton, way: &[StepId], budget: &Budget) -> Result<Exact, Stopped> {
    let mut graph = Graph::new(automaton);
    for &step in way {
        let step = &automaton.steps[step];
        budget.spend(1 + graph.rows.len() as u64 / 16)?;
        graph.guard(automaton, step);
        if graph.contradictory {
            return Ok(Exact::Spurious);
        }
        graph.effects(automaton, step);
    }
    Ok(Exact::Real)
}

/// Whether the literals of the guards that `wanted` picks, by their number on the way, contradict each other.
pub(crate) fn contradicts(automaton: &Automaton, way: &[StepId], wanted: &dyn Fn(usize) -> bool) -> bool {
    let mut graph = Graph::new(automaton);
    let mut number = 0;
    for &step in way {
        let step = &automaton.steps[step];
        let guard = step.guard.iter().filter(|_| {
            number += 1;
            wanted(number - 1)
        });
        let reduced = Step { guard: guard.cloned().collect(), ..step.clone() };
        graph.guard(automaton, &reduced);
        if graph.contradictory {
            return true;
        }
        graph.effects(automaton, &reduced);
    }
    false
}

/// The counterexample that a feasible trace describes; none if truth values cannot be chosen so that all holds.
pub(crate) fn model(
    automaton: &Automaton,
    terms: &Terms,
    way: &[StepId],
    budget: &Budget,
) -> Result<Option<Counterexample>, Stopped> {
    // The nodes of inputs, in the order of the run.
    let mut inputs: Vec<(program::InputId, u64, Node)> = Vec::new();
    let mut asked: FastMap<program::InputId, u64> = FastMap::new();
    let mut graph = Graph::new(automaton);
    for &step in way {
        let step = &automaton.steps[step];
        budget.spend(1)?;
        graph.guard(automaton, step);
        let nodes = graph.effects(automaton, step);
        for (&(_, input), node) in step.frees.iter().zip(nodes) {
            if let Some(input) = input {
                let count = asked.get_or_insert_with(input, || 0);
                inputs.push((input, *count, node));
                *count += 1;
            }
        }
    }
    let truths = Truths::new(automaton, terms);
    let Some(graph) = truths.complete(graph, budget)? else { return Ok(None) };
    let values = Values::new(automaton, terms, &graph, &truths);
    let last = way.last().expect("an error is not at the entry");
    let assertion = automaton.error[automaton.steps[*last].to].expect("the way leads to an error");
    let inputs = inputs
        .into_iter()
        .map(|(input, occurrence, node)| {
            let (width, value) = values.of(terms, &graph, graph.find(node));
            InputValue { input, occurrence, offset: None, value: base::Bits::from_u128(width, value) }
        })
        .collect();
    let mut functions: Vec<FunctionTable> = Vec::new();
    for row in &graph.rows {
        let Op::Symbol(symbol) = automaton.functions[row.fun as usize].op else { continue };
        let name = terms.symbol_name(symbol);
        let args = row.args.iter().map(|&arg| values.of(terms, &graph, arg).1).collect();
        let entry = (args, values.of(terms, &graph, row.result).1);
        match functions.iter_mut().find(|table| table.name == name) {
            Some(table) => table.rows.push(entry),
            None => functions.push(FunctionTable { name: name.to_owned(), rows: vec![entry], otherwise: 0 }),
        }
    }
    Ok(Some(Counterexample { assertion, inputs, functions }))
}

/// The slots of true and false.
struct Truths {
    sort: Option<Sort>,
    yes: Slot,
    no: Slot,
}

impl Truths {
    fn new(automaton: &Automaton, terms: &Terms) -> Self {
        let mut truths = Truths { sort: None, yes: 0, no: 0 };
        for (slot, (holds, sort, _)) in automaton.slots.iter().enumerate() {
            if let Holds::Literal(term) = holds {
                match terms.op(*term) {
                    Op::True => (truths.sort, truths.yes) = (Some(*sort), slot as Slot),
                    Op::False => truths.no = slot as Slot,
                    _ => {}
                }
            }
        }
        truths
    }
    /// The graph with every truth value decided.
    fn complete(&self, graph: Graph, budget: &Budget) -> Result<Option<Graph>, Stopped> {
        let mut todo = vec![graph];
        while let Some(graph) = todo.pop() {
            budget.spend(1)?;
            let open = (0..graph.sorts.len() as Node).find(|&node| {
                graph.find(node) == node
                    && Some(graph.sorts[node as usize]) == self.sort
                    && node != graph.held[self.yes as usize]
                    && node != graph.held[self.no as usize]
            });
            let Some(open) = open else { return Ok(Some(graph)) };
            for slot in [self.yes, self.no] {
                let mut decided = graph.clone();
                let truth = decided.held[slot as usize];
                decided.join(open, truth);
                if !decided.contradictory {
                    todo.push(decided);
                }
            }
        }
        Ok(None)
    }
}

/// A number for each class: classes of one sort have different numbers.
struct Values {
    yes: Node,
    rank: FastMap<Node, u128>,
}

impl Values {
    fn new(automaton: &Automaton, terms: &Terms, graph: &Graph, truths: &Truths) -> Self {
        let mut rank = FastMap::new();
        // Literals of other sorts mean themselves.
        for (slot, (holds, ..)) in automaton.slots.iter().enumerate() {
            if let (Holds::Literal(term), false) = (holds, graph.held[slot] == NOTHING)
                && let Some(value) = terms.value(*term).and_then(|bits| bits.to_u128())
            {
                rank.insert(graph.held[slot], value);
            }
        }
        let mut next: FastMap<Sort, u128> = FastMap::new();
        for node in 0..graph.sorts.len() as Node {
            if graph.find(node) == node && !rank.contains_key(&node) {
                let count = next.get_or_insert_with(graph.sorts[node as usize], || 0);
                rank.insert(node, *count);
                *count += 1;
            }
        }
        Values { yes: graph.held[truths.yes as usize], rank }
    }
    /// Width and value of a node.
    fn of(&self, terms: &Terms, graph: &Graph, node: Node) -> (u32, u128) {
        match terms.sort_kind(graph.sorts[node as usize]) {
            SortKind::Bool => (1, u128::from(node == self.yes)),
            SortKind::BitVec(width) => (*width, self.rank[&node]),
            _ => (program::interp::ELEMENT_WIDTH, self.rank[&node]),
        }
    }
}
