//! Stale pointers: addresses of an object that has ended, while another of the same name lives.
//!
//! The block of a loop has new objects on every round, and an activation has new objects on every call. All of them have
//! one address variable here, so that a pointer from an earlier round would look valid. This analysis follows, from each end of an object (its `End`, or the
//! return of its activation), which variables may still hold what they held there. A probe through such a variable learns nothing from the object. Memory
//! keeps what it holds: what is loaded after an end may be stale.

use base::{FastMap, Id};
use program::{Action, EdgeId, Program};
use term::{Op, SortKind, Term, Terms};

use crate::layout::Memory;
use crate::points::{FrameId, How, Node, Points};
use crate::slots::Slots;
use crate::tuning::Tuning;

/// Probes, each with an object that it may be stale for.
pub(crate) type Stale = FastMap<(FrameId, EdgeId, usize), ()>;

/// Finds the probes through pointers that may be stale, for each object that they may lead into.
pub(crate) fn stale(program: &Program, terms: &Terms, points: &Points<'_>, slots: &Slots, memory: &Memory) -> Stale {
    let mut found = Stale::new();
    // By object: the probes that may lead into it.
    let mut probes: Vec<Vec<(Node, FrameId, EdgeId, Term)>> = vec![Vec::new(); memory.objects.list.len()];
    for node in (0..points.hops.len()).map(Node::new) {
        for hop in &points.hops[node] {
            let How::Step(edge) = hop.how else { continue };
            let Action::Probe { address, .. } = program.edges[edge].action else { continue };
            let frame = points.place(node).frame;
            for &object in memory.targets.get(&(frame, edge)).into_iter().flatten() {
                probes[object].push((node, frame, edge, address));
            }
        }
    }
    let is_too_large = points.hops.len().saturating_mul(slots.vars.len()) > Tuning::DEFAULT.max_stale_facts;
    for (object, probes) in probes.iter().enumerate().filter(|(_, probes)| !probes.is_empty()) {
        let is_static = program.objects[memory.objects.list[object].1].owner.is_none();
        if is_static {
            continue; // It never ends.
        }
        if is_too_large {
            probes.iter().for_each(|&(_, frame, edge, _)| {
                found.insert((frame, edge, object), ());
            });
            continue;
        }
        let held = Held { program, terms, points, slots, object: memory.objects.list[object] }.everywhere();
        for &(node, frame, edge, address) in probes {
            if let Some(held) = &held[node.index()]
                && held.mentions(terms, slots, frame, address)
            {
                found.insert((frame, edge, object), ());
            }
        }
    }
    found
}

/// What may hold an old address of one object.
struct Held<'a> {
    program: &'a Program,
    terms: &'a Terms,
    points: &'a Points<'a>,
    slots: &'a Slots,
    object: (FrameId, program::ObjectId),
}

/// The variables that may hold an old address, at a node that some end of the object leads to.
#[derive(Clone, PartialEq, Eq)]
struct Old {
    slots: Vec<bool>,
}

impl Old {
    fn mentions(&self, terms: &Terms, slots: &Slots, frame: FrameId, term: Term) -> bool {
        terms.subterms(&[term]).into_iter().any(|part| {
            matches!(terms.op(part), Op::Symbol(_))
                && slots.var(part).is_some_and(|var| self.slots[slots.slot(frame, var)])
        })
    }
}

impl Held<'_> {
    /// By node; none where no end of the object leads to.
    fn everywhere(&self) -> Vec<Option<Old>> {
        let n_nodes = self.points.hops.len();
        let mut held: Vec<Option<Old>> = vec![None; n_nodes];
        let mut work: Vec<Node> = Vec::new();
        for node in (0..n_nodes).map(Node::new) {
            for hop in self.points.hops[node].iter().filter(|hop| self.ends(node, hop.how)) {
                held[hop.to.index()] = Some(self.all());
                work.push(hop.to);
            }
        }
        while let Some(node) = work.pop() {
            let Some(now) = held[node.index()].clone() else { continue };
            for hop in &self.points.hops[node] {
                let after = self.after(node, hop.how, hop.to, &now);
                let known = &mut held[hop.to.index()];
                let is_new = match known {
                    None => true,
                    Some(known) => after.slots.iter().zip(&known.slots).any(|(after, known)| *after && !known),
                };
                if is_new {
                    match known {
                        None => *known = Some(after),
                        Some(known) => {
                            known.slots.iter_mut().zip(after.slots).for_each(|(known, after)| *known |= after)
                        }
                    }
                    work.push(hop.to);
                }
            }
        }
        held
    }
    /// Whether the object ends on this hop.
    fn ends(&self, node: Node, how: How) -> bool {
        let (owner, object) = self.object;
        match how {
            How::Step(edge) => {
                matches!(self.program.edges[edge].action, Action::End { object: ended } if ended == object)
                    && self.points.place(node).frame == owner
            }
            How::Leave(_, frame) => frame == owner && self.program.objects[object].owner.is_some(),
            _ => false,
        }
    }
    /// Every variable that can hold an address.
    fn all(&self) -> Old {
        let can_hold = |slot: usize| {
            let (_, var) = self.slots.vars[slot];
            let variable = &self.program.vars[var];
            !matches!(variable.kind, program::VarKind::AddressOf(_) | program::VarKind::AddressOfFunction(_))
                && !matches!(*self.terms.sort_kind(variable.sort), SortKind::Bool)
        };
        Old { slots: (0..self.slots.vars.len()).map(can_hold).collect() }
    }
    fn after(&self, node: Node, how: How, to: Node, now: &Old) -> Old {
        let mut after = now.clone();
        let frame = self.points.place(node).frame;
        match how {
            How::Begin => {}
            How::Step(edge) => match &self.program.edges[edge].action {
                Action::Assign(pairs) => {
                    for &(var, value) in pairs {
                        let is_old = now.mentions(self.terms, self.slots, frame, value);
                        after.slots[self.slots.slot(frame, var)] = is_old;
                    }
                }
                // Memory may hold old addresses.
                Action::Load { var, .. } => after.slots[self.slots.slot(frame, *var)] = true,
                action => action.for_each_target(|var| after.slots[self.slots.slot(frame, var)] = false),
            },
            How::Enter(edge, callee) => {
                if let Action::Call { function, args, .. } = &self.program.edges[edge].action {
                    for (&param, &arg) in self.program.functions[*function].params.iter().zip(args) {
                        let is_old = now.mentions(self.terms, self.slots, frame, arg);
                        after.slots[self.slots.slot(callee, param)] = is_old;
                    }
                }
            }
            How::Leave(edge, callee) => {
                if let Action::Call { function, result: Some(result), .. } = &self.program.edges[edge].action
                    && let Some(from) = self.program.functions[*function].result
                {
                    let caller = self.points.place(to).frame;
                    after.slots[self.slots.slot(caller, *result)] = now.slots[self.slots.slot(callee, from)];
                }
            }
        }
        after
    }
}
