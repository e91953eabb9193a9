//! Points-to: which objects a pointer may lead into, found without regard to the order of things.
//!
//! For each slot and for the contents of each object: the objects whose addresses may be in it. A term carries
//! what its symbols carry. A pointer made from one object never leads into another, so an access
//! concerns only the objects that its address carries. Free values carry nothing, except those of
//! functions without a body, which carry everything. The heap is one object. `flow` then looks at the slots that carry
//! several objects again, location by location.

use base::Id;
use program::{Action, EdgeId, InputId, InputKind, Program, VarKind};
use term::{Op, Term, Terms};

use crate::layout::Objects;
use crate::points::{FrameId, How, Node, Points};
use crate::slots::Slots;

/// A set of objects; the last bit is the heap.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Set(Vec<u64>);

impl Set {
    pub fn empty(n_objects: usize) -> Set {
        Set(vec![0; n_objects / 64 + 1])
    }
    pub fn full(n_objects: usize) -> Set {
        let mut set = Set::empty(n_objects);
        (0..=n_objects).for_each(|object| set.insert(object));
        set
    }
    pub fn insert(&mut self, object: usize) {
        self.0[object / 64] |= 1 << (object % 64);
    }
    pub fn contains(&self, object: usize) -> bool {
        self.0[object / 64] >> (object % 64) & 1 == 1
    }
    /// Whether something was new.
    pub fn add(&mut self, other: &Set) -> bool {
        let mut changed = false;
        for (word, &other) in self.0.iter_mut().zip(&other.0) {
            changed |= other & !*word != 0;
            *word |= other;
        }
        changed
    }
    /// Whether there are two objects in it.
    pub fn has_several(&self) -> bool {
        self.0.iter().map(|word| word.count_ones()).sum::<u32>() > 1
    }
}

/// What slots and objects carry.
pub(crate) struct PointsTo<'a> {
    pub program: &'a Program,
    pub terms: &'a Terms,
    pub slots: &'a Slots,
    pub n_objects: usize,
    /// By slot.
    pub carried: Vec<Set>,
    /// By object, the heap last.
    contents: Vec<Set>,
    changed: bool,
}

impl<'a> PointsTo<'a> {
    pub fn new(
        program: &'a Program,
        terms: &'a Terms,
        points: &Points<'_>,
        slots: &'a Slots,
        objects: &Objects,
    ) -> Self {
        let n_objects = objects.list.len();
        let mut carried = vec![Set::empty(n_objects); slots.vars.len()];
        for (slot, &(frame, var)) in slots.vars.iter().enumerate() {
            if let VarKind::AddressOf(object) = program.vars[var].kind
                && let Some(object) = objects.find(program, frame, object)
            {
                carried[slot].insert(object);
            }
        }
        let contents = vec![Set::empty(n_objects); n_objects + 1];
        let mut found = PointsTo { program, terms, slots, n_objects, carried, contents, changed: true };
        while std::mem::take(&mut found.changed) {
            for node in (0..points.hops.len()).map(Node::new) {
                for hop in &points.hops[node] {
                    found.follow(points.place(node).frame, points.place(hop.to).frame, hop.how);
                }
            }
        }
        found
    }
    /// What a term of the program carries in this activation.
    pub fn of_term(&self, frame: FrameId, term: Term) -> Set {
        let mut set = Set::empty(self.n_objects);
        for symbol in self.terms.subterms(&[term]) {
            if let (Op::Symbol(_), Some(var)) = (self.terms.op(symbol), self.slots.var(symbol)) {
                set.add(&self.carried[self.slots.slot(frame, var)]);
            }
        }
        set
    }
    /// The objects whose addresses something carries that is not the address itself.
    pub fn taken(&self) -> Set {
        let mut set = Set::empty(self.n_objects);
        for (slot, &(_, var)) in self.slots.vars.iter().enumerate() {
            if !matches!(self.program.vars[var].kind, VarKind::AddressOf(_)) {
                set.add(&self.carried[slot]);
            }
        }
        self.contents.iter().for_each(|contents| {
            set.add(contents);
        });
        set
    }

    /// What the contents of these objects carry.
    pub fn contents_of(&self, objects: &Set) -> Set {
        let mut set = Set::empty(self.n_objects);
        for object in (0..=self.n_objects).filter(|&object| objects.contains(object)) {
            set.add(&self.contents[object]);
        }
        set
    }
    /// Whether a function without a body makes this value.
    pub fn is_external(&self, input: InputId) -> bool {
        matches!(self.program.inputs[input].kind, InputKind::External(_))
    }

    fn carry(&mut self, slot: usize, set: &Set) {
        self.changed |= self.carried[slot].add(set);
    }
    fn follow(&mut self, frame: FrameId, to: FrameId, how: How) {
        let action = |edge: EdgeId| &self.program.edges[edge].action;
        match how {
            How::Begin => {}
            How::Step(edge) => self.act(frame, action(edge)),
            How::Enter(edge, callee) => {
                let Action::Call { function, args, .. } = action(edge) else { unreachable!("only calls enter") };
                for (&param, &arg) in self.program.functions[*function].params.iter().zip(args) {
                    let set = self.of_term(frame, arg);
                    self.carry(self.slots.slot(callee, param), &set);
                }
            }
            How::Leave(edge, callee) => {
                let Action::Call { function, result, .. } = action(edge) else { unreachable!("only calls are left") };
                if let (&Some(target), Some(result)) = (result, self.program.functions[*function].result) {
                    let set = self.carried[self.slots.slot(callee, result)].clone();
                    self.carry(self.slots.slot(to, target), &set);
                }
            }
        }
    }
    fn act(&mut self, frame: FrameId, action: &Action) {
        match action {
            Action::Assign(pairs) => {
                for &(var, value) in pairs {
                    let set = self.of_term(frame, value);
                    self.carry(self.slots.slot(frame, var), &set);
                }
            }
            Action::Havoc { var, input } if self.is_external(*input) => {
                let set = Set::full(self.n_objects);
                self.carry(self.slots.slot(frame, *var), &set);
            }
            Action::Alloc { var, .. } => {
                let mut set = Set::empty(self.n_objects);
                set.insert(self.n_objects);
                self.carry(self.slots.slot(frame, *var), &set);
            }
            Action::Load { var, address } => {
                let set = self.contents_of(&self.of_term(frame, *address));
                self.carry(self.slots.slot(frame, *var), &set);
            }
            Action::Store { address, value } => {
                let (places, set) = (self.of_term(frame, *address), self.of_term(frame, *value));
                self.put(&places, &set);
            }
            Action::Forget { address, input, .. } if self.is_external(*input) => {
                let places = self.of_term(frame, *address);
                self.put(&places, &Set::full(self.n_objects));
            }
            _ => {}
        }
    }
    fn put(&mut self, places: &Set, set: &Set) {
        for object in (0..=self.n_objects).filter(|&object| places.contains(object)) {
            self.changed |= self.contents[object].add(set);
        }
    }
}
