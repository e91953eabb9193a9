//! Coherence [MathurEtAl-POPL'19]: when what variables hold is enough to decide every trace.
//!
//! *Memoizing*: a term that was computed before is computed again only while some variable still holds it. *Early
//! assumes*: when two values are assumed equal, every term computed from them is still held. Both are checked on the
//! product of the program and what is known, with one bit more for each function of held values: that it was
//! computed before. A row whose result no variable holds has the result `LOST`. The product is finite; a violation is a path.
//!
//! The definition speaks of all paths. For deciding, only paths that are not contradictory matter, and more programs are
//! coherent on those; both readings are offered. Unlike the published tool, bits are joined where values are,
//! functions may have several arguments, and terms are compared as terms.

use base::{Budget, FastMap, IndexVec, Stopped};
use program::{Loc, Program};

use crate::automaton::{Automaton, Part, Step, StepId};
use crate::graph::{Graph, LOST, NOTHING, Node};
use crate::state::{Keep, State, StateId, States};
use crate::tuning::Tuning;

/// Which paths count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paths {
    /// All of them.
    All,
    /// Those that are not contradictory.
    Consistent,
}

/// What is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Memoizing,
    EarlyAssumes,
}

/// A path whose last step is not coherent.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    pub kind: Kind,
    pub way: Vec<StepId>,
}

/// A location, what is known there, and where it was come from.
type Visit = (Loc, StateId, Option<(usize, StepId)>);

/// A violation, or none if the program is coherent. With `allowed`, only those steps count.
pub(crate) fn check(
    automaton: &Automaton,
    paths: Paths,
    allowed: Option<&IndexVec<StepId, bool>>,
    budget: &Budget,
) -> Result<Option<Violation>, Stopped> {
    let keep = Keep { depth: 0, only_live: false, lost: true };
    let mut states = States::default();
    let mut seen: FastMap<(Loc, StateId), ()> = FastMap::new();
    let mut reached: Vec<Visit> = Vec::new();
    let first = states.intern(State::of(&Graph::new(automaton), &[], keep));
    reached.push((automaton.entry, first, None));
    seen.insert((automaton.entry, first), ());
    let mut next = 0;
    while next < reached.len() {
        let (loc, state, _) = reached[next];
        for &id in &automaton.leaving[loc] {
            budget.spend(1)?;
            let step = &automaton.steps[id];
            if !automaton.matters[step.to] || allowed.is_some_and(|allowed| !allowed[id]) {
                continue;
            }
            let mut graph = states.get(state).graph(automaton);
            let kind = take(automaton, &mut graph, step, paths);
            if let Some(kind) = kind {
                let mut way = vec![id];
                let mut at = next;
                while let Some((before, step)) = reached[at].2 {
                    way.push(step);
                    at = before;
                }
                way.reverse();
                return Ok(Some(Violation { kind, way }));
            }
            if graph.contradictory {
                continue;
            }
            let after = states.intern(State::of(&graph, &[], keep));
            if seen.insert((step.to, after), ()).is_none() {
                reached.push((step.to, after, Some((next, id))));
            }
        }
        next += 1;
        if reached.len() > Tuning::DEFAULT.max_coherence_states {
            return Err(Stopped::OutOfTicks);
        }
    }
    Ok(None)
}

/// Takes the step and says what it violates.
fn take(automaton: &Automaton, graph: &mut Graph, step: &Step, paths: Paths) -> Option<Kind> {
    let env = graph.held.clone();
    let mut violated = None;
    for test in &step.guard {
        let left = value(automaton, graph, &env, &test.left, &mut violated);
        let right = value(automaton, graph, &env, &test.right, &mut violated);
        let (Some(left), Some(right)) = (left, right) else { continue };
        if !test.equal {
            if paths == Paths::Consistent {
                graph.separate(left, right);
            }
        } else if left != right {
            if loses_superterm(graph, left, right) {
                violated = violated.or(Some(Kind::EarlyAssumes));
            }
            graph.join(left, right);
        }
        if graph.contradictory && paths == Paths::Consistent {
            // The path ends here, whatever the assumption would have violated.
            return None;
        }
        if violated.is_some() {
            return violated;
        }
    }
    // All paths count: go on as if nothing contradicted.
    graph.contradictory &= paths == Paths::Consistent;
    let mut values = Vec::new();
    for (slot, code, _) in &step.assigns {
        values.push((*slot, value(automaton, graph, &env, code, &mut violated)));
    }
    for (slot, node) in values {
        graph.held[slot as usize] = node.unwrap_or(NOTHING);
    }
    for &(slot, _) in &step.frees {
        graph.held[slot as usize] = graph.node(automaton.slots[slot as usize].1);
    }
    violated
}

/// The value of a term; computing what was computed and lost is noted.
fn value(
    automaton: &Automaton,
    graph: &mut Graph,
    env: &[Node],
    code: &[Part],
    violated: &mut Option<Kind>,
) -> Option<Node> {
    let mut values: Vec<Node> = Vec::with_capacity(code.len());
    for part in code {
        values.push(match part {
            Part::Slot(slot) => match env[*slot as usize] {
                NOTHING => return None,
                node => graph.find(node),
            },
            Part::Apply(fun, args) => {
                let args: Vec<Node> = args.iter().map(|&arg| values[arg as usize]).collect();
                let lost = |row: &crate::graph::Row| row.fun == *fun && row.args == args && row.result == LOST;
                if graph.rows.iter().any(lost) {
                    *violated = violated.or(Some(Kind::Memoizing));
                }
                graph.apply(automaton, *fun, args)
            }
        });
    }
    values.pop()
}

/// Whether a term computed from one of the two is lost.
fn loses_superterm(graph: &Graph, left: Node, right: Node) -> bool {
    let mut above = vec![left, right];
    let mut next = 0;
    while next < above.len() {
        let node = above[next];
        next += 1;
        for row in &graph.rows {
            if row.args.contains(&node) {
                if row.result == LOST {
                    return true;
                }
                if !above.contains(&row.result) {
                    above.push(row.result);
                }
            }
        }
    }
    false
}

impl Violation {
    /// One sentence: what, and where.
    pub fn describe(&self, automaton: &Automaton, program: &Program) -> String {
        let last = *self.way.last().expect("a violation is on a path");
        let place = program.edges[automaton.steps[last].edge].place;
        let at = place.map_or_else(String::new, |place| format!(" at {}", program.show_place(place)));
        match self.kind {
            Kind::Memoizing => format!("a term is computed again{at} that no variable holds any more"),
            Kind::EarlyAssumes => format!("an equality is assumed{at} too late, a term computed from it is lost"),
        }
    }
}

/// A report for people: whether the program is coherent, the path if not, and how many parts are.
pub fn report(program: &Program, terms: &mut term::Terms, budget: &Budget) -> Result<String, String> {
    let automaton = Automaton::new(program, terms).map_err(|refused| format!("unsupported {}", refused.what))?;
    let mut text = String::new();
    let stopped = |_| "too many states".to_owned();
    for (paths, name) in [(Paths::All, "all paths"), (Paths::Consistent, "paths that are not contradictory")] {
        match check(&automaton, paths, None, budget).map_err(stopped)? {
            None => text.push_str(&format!("coherent on {name}\n")),
            Some(violation) => {
                text.push_str(&format!("not coherent on {name}: {}\n", violation.describe(&automaton, program)));
                for &step in &violation.way {
                    let step = &automaton.steps[step];
                    let edge = &program.edges[step.edge];
                    let place = edge.place.map_or_else(String::new, |place| program.show_place(place));
                    if step.guard.is_empty() && step.assigns.is_empty() {
                        continue;
                    }
                    text.push_str(&format!("  {place}: {}\n", show_step(&automaton, terms, program, step)));
                }
            }
        }
    }
    let (coherent, other) = counts(&automaton, budget).map_err(stopped)?;
    text.push_str(&format!("{coherent} parts are coherent, {other} are not\n"));
    Ok(text)
}

/// How many parts of the program are coherent, and how many are not.
pub(crate) fn counts(automaton: &Automaton, budget: &Budget) -> Result<(usize, usize), Stopped> {
    let (mut coherent, mut other) = (0, 0);
    for part in crate::partition::parts(automaton) {
        match check(automaton, Paths::Consistent, Some(&part), budget)? {
            None => coherent += 1,
            Some(_) => other += 1,
        }
    }
    Ok((coherent, other))
}

fn show_step(automaton: &Automaton, terms: &term::Terms, program: &Program, step: &Step) -> String {
    let show = program::Show::new(program, terms);
    let mut parts = Vec::new();
    for test in &step.guard {
        let sign = if test.equal { "==" } else { "!=" };
        parts.push(format!("assume {} {sign} {}", show.term(test.literal.left), show.term(test.literal.right)));
    }
    for (slot, _, value) in &step.assigns {
        let target = automaton.slots[*slot as usize].2;
        parts.push(format!("{} := {}", show.term(target), show.term(*value)));
    }
    parts.join("; ")
}
