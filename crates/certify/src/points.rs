//! Points: the program as lowered, with its calls expanded on the fly.
//!
//! A node is a location in an activation. Calls become hops into and out of the callee, whose activation is named
//! by the call edges that lead to it, so that no two calls share locations. Node zero stands before the
//! entry: from it one hop leads to the entry with the memory as the program finds it.
//!
//! Nothing is explored beyond a point where the evidence says `false`: that no run gets there is an
//! obligation of its own. Recursion therefore ends where the evidence ends it, and is refused otherwise.

use base::{Budget, FastMap, Id, IndexVec, OrderedMap, define_id};
use program::{Action, EdgeId, Frame, FunId, Graph, Loc, Mark, Point, Program};
use verdict::Code;

use crate::Refusal;

define_id!(FrameId, "An activation, by its number.");
define_id!(Node, "A location in an activation.");

// format: the number of the point before the entry.
/// What stands before the entry.
pub(crate) const START: u32 = 0;
/// Deeper chains of calls are refused.
const MAX_DEPTH: u32 = 1000;

/// An activation.
pub(crate) struct Activation {
    pub function: FunId,
    /// The caller's activation and the call edge; `None` for the entry function.
    pub caller: Option<(FrameId, EdgeId)>,
    depth: u32,
}

/// A location in an activation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub frame: FrameId,
    pub loc: Loc,
}

/// How a run gets from one node to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// The run begins.
    Begin,
    /// It takes this edge, which is no call.
    Step(EdgeId),
    /// It takes this call, whose activation is the frame.
    Enter(EdgeId, FrameId),
    /// It returns from the frame, which this call activated.
    Leave(EdgeId, FrameId),
}

/// One step of the expanded program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hop {
    pub how: How,
    pub to: Node,
}

/// The expanded program.
pub(crate) struct Points<'p> {
    pub program: &'p Program,
    pub frames: IndexVec<FrameId, Activation>,
    callees: FastMap<(FrameId, EdgeId), FrameId>,
    places: IndexVec<Node, Place>,
    known: FastMap<(FrameId, Loc), Node>,
    pub hops: IndexVec<Node, Vec<Hop>>,
    /// By node: its place in an order in which hops lead forward, but for those into cutpoints.
    pub order: IndexVec<Node, u32>,
    pub is_cutpoint: IndexVec<Node, bool>,
}

impl<'p> Points<'p> {
    /// Nothing but the entry function's activation yet.
    pub fn new(program: &'p Program) -> Result<Self, Refusal> {
        let entry = program.entry.ok_or_else(|| Refusal::malformed("the program has no entry"))?;
        let mut frames = IndexVec::new();
        let root = frames.push(Activation { function: entry, caller: None, depth: 0 });
        let mut points = Points {
            program,
            frames,
            callees: FastMap::new(),
            places: IndexVec::new(),
            known: FastMap::new(),
            hops: IndexVec::new(),
            order: IndexVec::new(),
            is_cutpoint: IndexVec::new(),
        };
        // The start has a place for messages only; the entry is a node of its own.
        let loc = program.functions[entry].entry;
        points.places.push(Place { frame: root, loc });
        points.hops.push(Vec::new());
        let first = points.node(root, loc);
        points.hops[Node::new(START as usize)].push(Hop { how: How::Begin, to: first });
        Ok(points)
    }

    /// The number of an activation that evidence names.
    pub fn frame(&mut self, frame: &Frame) -> Result<FrameId, Refusal> {
        let mut at = FrameId::new(0);
        for &call in &frame.0 {
            let edge = self.program.edges.get(call);
            let is_here =
                edge.is_some_and(|edge| self.program.locations[edge.from].function == self.frames[at].function);
            match edge.map(|edge| &edge.action) {
                Some(&Action::Call { function, .. }) if is_here => at = self.callee(at, call, function)?,
                _ => return Err(Refusal::malformed("the evidence names an activation that no calls make")),
            }
        }
        Ok(at)
    }
    /// The activation that this call makes.
    fn callee(&mut self, caller: FrameId, call: EdgeId, function: FunId) -> Result<FrameId, Refusal> {
        if let Some(&known) = self.callees.get(&(caller, call)) {
            return Ok(known);
        }
        let depth = self.frames[caller].depth + 1;
        if depth > MAX_DEPTH {
            let what = format!("recursion of {} that the evidence does not end", self.program.functions[function].name);
            return Err(Refusal::unknown(Code::Recursion, what, self.program.edges[call].place));
        }
        let frame = self.frames.push(Activation { function, caller: Some((caller, call)), depth });
        self.callees.insert((caller, call), frame);
        Ok(frame)
    }
    /// The node of a location in an activation, made when first asked for.
    pub fn node(&mut self, frame: FrameId, loc: Loc) -> Node {
        if let Some(&node) = self.known.get(&(frame, loc)) {
            return node;
        }
        let node = self.places.push(Place { frame, loc });
        self.hops.push(Vec::new());
        self.known.insert((frame, loc), node);
        node
    }
    /// Where the node is.
    pub fn place(&self, node: Node) -> Place {
        self.places[node]
    }
    /// The assertion that fails at the node.
    pub fn error(&self, node: Node) -> Option<program::AssertionId> {
        match self.program.locations[self.places[node].loc].mark {
            Mark::Error(assertion) if node.index() as u32 != START => Some(assertion),
            _ => None,
        }
    }
    /// The point in the words of evidence.
    pub fn point(&self, node: Node) -> Point {
        let Place { frame, loc } = self.places[node];
        let mut calls = Vec::new();
        let mut at = frame;
        while let Some((caller, call)) = self.frames[at].caller {
            calls.push(call);
            at = caller;
        }
        calls.reverse();
        Point { frame: Frame(calls), loc }
    }

    /// Makes all nodes that a run can be at, not going beyond those in `dead`; then checks that
    /// the cutpoints cut every cycle. The start is a cutpoint, and so is an entry to which a hop leads back.
    pub fn explore(
        &mut self,
        cutpoints: &OrderedMap<Node, ()>,
        dead: &FastMap<Node, ()>,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        let graph = Graph::new(self.program);
        let entry = Node::new(START as usize + 1);
        let mut done = FastMap::new();
        let mut todo = vec![entry];
        let mut entry_is_target = false;
        while let Some(node) = todo.pop() {
            if dead.contains_key(&node) || done.insert(node, ()).is_some() {
                continue;
            }
            budget.spend(1)?;
            let hops = self.hops_from(&graph, node)?;
            todo.extend(hops.iter().map(|hop| hop.to));
            entry_is_target |= hops.iter().any(|hop| hop.to == entry);
            self.hops[node] = hops;
        }
        self.is_cutpoint.grow_to(self.places.len(), false);
        self.is_cutpoint[Node::new(START as usize)] = true;
        for &node in cutpoints.keys() {
            self.is_cutpoint[node] = true;
        }
        self.is_cutpoint[entry] |= entry_is_target;
        self.sort()
    }
    fn hops_from(&mut self, graph: &Graph, node: Node) -> Result<Vec<Hop>, Refusal> {
        let Place { frame, loc } = self.places[node];
        let mut hops = Vec::new();
        if self.error(node).is_some() {
            return Ok(hops);
        }
        for &edge in graph.outgoing(loc) {
            let info = &self.program.edges[edge];
            hops.push(match info.action {
                Action::Call { function, .. } => {
                    let callee = self.callee(frame, edge, function)?;
                    let to = self.node(callee, self.program.functions[function].entry);
                    Hop { how: How::Enter(edge, callee), to }
                }
                _ => Hop { how: How::Step(edge), to: self.node(frame, info.to) },
            });
        }
        let Activation { function, caller, .. } = self.frames[frame];
        if let (true, Some((caller, call))) = (loc == self.program.functions[function].exit, caller) {
            let to = self.node(caller, self.program.edges[call].to);
            hops.push(Hop { how: How::Leave(call, frame), to });
        }
        Ok(hops)
    }

    /// Orders the nodes so that hops lead forward, but for those into cutpoints.
    fn sort(&mut self) -> Result<(), Refusal> {
        let n = self.places.len();
        self.order.grow_to(n, 0);
        // 0: not seen, 1: on the path from a root, 2: done.
        let mut state = vec![0u8; n];
        let mut next = n as u32;
        for root in (0..n).map(Node::new) {
            let mut path = vec![(root, 0)];
            while let Some((node, at)) = path.last_mut() {
                let node = *node;
                if *at == 0 {
                    if state[node.index()] == 2 {
                        path.pop();
                        continue;
                    }
                    state[node.index()] = 1;
                }
                match self.hops[node].get(*at) {
                    Some(hop) => {
                        *at += 1;
                        if self.is_cutpoint[hop.to] {
                            continue;
                        }
                        match state[hop.to.index()] {
                            0 => path.push((hop.to, 0)),
                            1 => return Err(Refusal::Uncut { point: self.point(hop.to) }),
                            _ => {}
                        }
                    }
                    None => {
                        state[node.index()] = 2;
                        next -= 1;
                        self.order[node] = next;
                        path.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// By node: whether hops lead from it to an error.
    pub fn leads_to_error(&self) -> IndexVec<Node, bool> {
        let mut before: IndexVec<Node, Vec<Node>> = self.hops.iter().map(|_| Vec::new()).collect();
        for (node, hops) in self.hops.iter_enumerated() {
            for hop in hops {
                before[hop.to].push(node);
            }
        }
        let mut leads: IndexVec<Node, bool> = self.hops.iter().map(|_| false).collect();
        let mut todo: Vec<Node> = before.ids().filter(|&node| self.error(node).is_some()).collect();
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut leads[node], true) {
                todo.extend(&before[node]);
            }
        }
        leads
    }

    /// The nodes that runs from these cutpoints pass before the next cutpoint, in the order of runs; then the
    /// cutpoints they come to.
    pub fn between(&self, from: &[Node]) -> (Vec<Node>, Vec<Node>) {
        let mut seen = FastMap::new();
        let (mut inner, mut ends) = (Vec::new(), OrderedMap::default());
        let mut todo = from.to_vec();
        while let Some(node) = todo.pop() {
            if seen.insert(node, ()).is_some() {
                continue;
            }
            inner.push(node);
            for hop in &self.hops[node] {
                if self.is_cutpoint[hop.to] {
                    ends.insert(hop.to, ());
                } else {
                    todo.push(hop.to);
                }
            }
        }
        inner.sort_unstable_by_key(|&node| self.order[node]);
        let mut ends: Vec<Node> = ends.into_keys().collect();
        ends.sort_unstable();
        (inner, ends)
    }
}
