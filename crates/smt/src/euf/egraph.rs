//! The e-graph: congruence closure that can be undone and can explain itself.
//!
//! Nodes are applications of heads (operators, functions) to nodes; classes are equal nodes. The
//! signature table holds one node for each (head, classes of the arguments); two nodes with the same
//! signature are equal. The proof forest keeps one edge for each merge, so that the path between two
//! equal nodes explains why ([NieuwenhuisOliveras-IC'07]).
//!
//! Unlike the paper, some nodes are *values*: a class holds at most one, two in one class are a
//! conflict, and an application all of whose arguments have values is merged with what it evaluates to.
//! Truth values are values, equality is a head like any other: `(= a b)` becomes true when its
//! arguments meet, false when they have different values, and two congruent equalities agree.
//! A disequality needs no structure of its own.
//!
//! Laws, checked in debug builds by `check_laws`:
//! * every node's root is its class's; the ring of a class has as many nodes as its size says;
//! * every application is in the table or congruent to the one that is;
//! * a class's value is a member of the class.

mod explain;

use base::{Bits, FastMap, Id, define_id};
use hashbrown::HashTable;
use sat::Lit;
use term::Op;

pub(crate) use explain::Facts;

define_id!(Node, "A node of the e-graph.");
define_id!(Head, "What stands at the head of a node: operator, function or constant.");

const NONE: u32 = u32::MAX;

/// Why two nodes were merged; the edge leads from the node that carries it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// This literal is true and says so.
    Fact(Lit),
    /// Same head, arguments equal in order.
    Congruence,
    /// Same commutative head, arguments equal crosswise.
    Swapped,
    /// One of the two is an application whose arguments have values; the other is the result.
    Evaluation(Node),
    /// An equality whose arguments are equal is true.
    Reflexivity(Node),
    /// One of the two is bound to bits, all of which are assigned; the other is their value.
    Bits(Node),
}

/// What a head means.
#[derive(Clone, Debug)]
struct HeadInfo {
    op: Option<Op>,
    commutative: bool,
}

/// A value that a node can stand for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    Bool(bool),
    Bits(Bits),
    /// A distinct element of an uninterpreted kind: numerals, labels.
    Token(u32, u32),
}

#[derive(Clone, Copy)]
struct Application {
    head: Head,
    first: u32,
    len: u32,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    /// The last node was made, for a value.
    Made,
    Inserted(u32),
    Removed(u32),
    Merged {
        kept: u32,
        gone: u32,
        edge: (u32, u32),
        uses: u32,
        value: u32,
        carrier: u32,
    },
}

/// A contradiction: the two nodes were to be merged, but their classes have different values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash {
    pub left: Node,
    pub right: Node,
    pub why: Why,
}

/// Congruence closure with values.
#[derive(Clone, Default)]
pub(crate) struct EGraph {
    heads: Vec<HeadInfo>,
    nodes: Vec<Application>,
    args: Vec<u32>,
    root: Vec<u32>,
    next: Vec<u32>,
    size: Vec<u32>,
    /// By root: the value in the class.
    value: Vec<u32>,
    /// By root: applications with an argument in the class.
    uses: Vec<Vec<u32>>,
    /// The proof forest: by node, the other end and the reason.
    edge: Vec<u32>,
    why: Vec<Why>,
    table: HashTable<u32>,
    in_table: Vec<bool>,
    undo: Vec<Undo>,
    pending: Vec<(u32, u32, Why)>,
    values: FastMap<Value, Node>,
    value_head: Option<Head>,
    /// By node: what it stands for, if it is a value.
    value_of: Vec<Option<Value>>,
    /// By node: whether there is a notification when its class gets a value.
    watched: Vec<bool>,
    /// By root: a member that is bound to bits.
    carrier: Vec<u32>,
    /// Watched nodes whose class has a value since the last look.
    pub valued: Vec<Node>,
    /// Carriers whose classes met since the last look, neither having a value.
    pub met: Vec<(Node, Node)>,
    // Explanation: marks per node, and the clock that makes them fresh.
    path_mark: Vec<u32>,
    edge_mark: Vec<u32>,
    clock: u32,
    path_clock: u32,
    buffer: Vec<Bits>,
    /// Operators are functions of which nothing is known, not even their values for values.
    pub functions_only: bool,
    /// Nodes relabelled, entered into the table and evaluated so far.
    pub work: u64,
}

impl EGraph {
    pub fn new() -> Self {
        EGraph::default()
    }

    // ---- building

    pub fn head(&mut self, op: Option<Op>, commutative: bool) -> Head {
        self.heads.push(HeadInfo { op, commutative });
        Head::new(self.heads.len() - 1)
    }
    /// The node of a value; made when first asked for. What the search makes goes when it is undone, or a million
    /// queries would leave a million values behind.
    pub fn value_node(&mut self, value: Value) -> Node {
        if let Some(&node) = self.values.get(&value) {
            return node;
        }
        // Values are distinguished by their value, so one head serves all of them.
        let head = match self.value_head {
            Some(head) => head,
            None => {
                let head = self.head(None, false);
                *self.value_head.insert(head)
            }
        };
        let node = self.push(head, &[]);
        self.undo.push(Undo::Made);
        self.value[node.index()] = node.index() as u32;
        self.value_of[node.index()] = Some(value.clone());
        self.values.insert(value, node);
        node
    }
    /// A node for the application; equal applications may get several nodes, which are then congruent.
    /// Only while nothing is merged that could be undone.
    pub fn application(&mut self, head: Head, args: &[Node]) -> Node {
        let node = self.push(head, args);
        if args.is_empty() {
            return node;
        }
        for arg in args {
            let root = self.root[arg.index()] as usize;
            self.uses[root].push(node.index() as u32);
        }
        self.enter(node.index() as u32);
        self.try_evaluate(node.index() as u32);
        node
    }
    fn push(&mut self, head: Head, args: &[Node]) -> Node {
        let node = self.nodes.len() as u32;
        let first = self.args.len() as u32;
        self.args.extend(args.iter().map(|arg| arg.index() as u32));
        self.nodes.push(Application { head, first, len: args.len() as u32 });
        self.root.push(node);
        self.next.push(node);
        self.size.push(1);
        self.value.push(NONE);
        self.uses.push(Vec::new());
        self.edge.push(NONE);
        self.why.push(Why::Congruence);
        self.in_table.push(false);
        self.value_of.push(None);
        self.watched.push(false);
        self.carrier.push(NONE);
        self.path_mark.push(0);
        self.edge_mark.push(0);
        Node::new(node as usize)
    }

    // ---- looking

    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    pub fn root(&self, node: Node) -> Node {
        Node::new(self.root[node.index()] as usize)
    }
    pub fn are_equal(&self, a: Node, b: Node) -> bool {
        self.root[a.index()] == self.root[b.index()]
    }
    /// The value in the node's class.
    pub fn value(&self, node: Node) -> Option<&Value> {
        let value = self.value[self.root[node.index()] as usize];
        if value == NONE { None } else { self.value_of[value as usize].as_ref() }
    }
    /// The value node in the node's class.
    pub fn value_node_of(&self, node: Node) -> Option<Node> {
        let value = self.value[self.root[node.index()] as usize];
        (value != NONE).then(|| Node::new(value as usize))
    }
    pub fn args(&self, node: Node) -> impl ExactSizeIterator<Item = Node> + '_ {
        let Application { first, len, .. } = self.nodes[node.index()];
        self.args[first as usize..(first + len) as usize].iter().map(|&arg| Node::new(arg as usize))
    }
    /// The members of the node's class.
    #[cfg(test)]
    pub fn class(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let start = node.index() as u32;
        let mut at = Some(start);
        std::iter::from_fn(move || {
            let here = at?;
            let next = self.next[here as usize];
            at = (next != start).then_some(next);
            Some(Node::new(here as usize))
        })
    }

    // ---- watching

    /// From now on the node is put onto `valued` when its class gets a value; at once if it has one.
    pub fn watch(&mut self, node: Node) {
        self.watched[node.index()] = true;
        if self.value(node).is_some() {
            self.valued.push(node);
        }
    }
    /// The node is bound to bits from now on. Only while nothing is merged that could be undone.
    pub fn carry(&mut self, node: Node) {
        self.watch(node);
        let root = self.root[node.index()] as usize;
        match self.carrier[root] {
            NONE => self.carrier[root] = node.index() as u32,
            other if self.value[root] == NONE => self.met.push((Node::new(other as usize), node)),
            _ => {}
        }
    }
    /// Whether the node is an equality.
    pub fn is_equality(&self, node: Node) -> bool {
        self.heads[self.nodes[node.index()].head.index()].op == Some(Op::Eq)
    }
    /// The node's head.
    pub fn head_of(&self, node: Node) -> Head {
        self.nodes[node.index()].head
    }
    /// What the node stands for, if it is a value itself.
    pub fn own_value(&self, node: Node) -> Option<&Value> {
        self.value_of[node.index()].as_ref()
    }
    /// Operator and commutativity of a head.
    pub fn head_info(&self, head: Head) -> (Option<Op>, bool) {
        let info = &self.heads[head.index()];
        (info.op, info.commutative)
    }
    pub fn n_heads(&self) -> usize {
        self.heads.len()
    }
    /// Merges later, when the graph is closed.
    pub fn merge_later(&mut self, a: Node, b: Node, why: Why) {
        self.pending.push((a.index() as u32, b.index() as u32, why));
    }

    // ---- merging

    /// Merges two nodes and everything that follows; stops at the first clash.
    #[cfg(test)]
    pub fn merge(&mut self, a: Node, b: Node, why: Why) -> Result<(), Clash> {
        self.pending.push((a.index() as u32, b.index() as u32, why));
        self.close()
    }
    /// Works off what is pending (also from the making of applications).
    pub fn close(&mut self) -> Result<(), Clash> {
        while let Some((a, b, why)) = self.pending.pop() {
            if let Err(clash) = self.merge_one(a, b, why) {
                self.pending.clear();
                return Err(clash);
            }
        }
        Ok(())
    }

    fn merge_one(&mut self, a: u32, b: u32, why: Why) -> Result<(), Clash> {
        let (root_a, root_b) = (self.root[a as usize], self.root[b as usize]);
        if root_a == root_b {
            return Ok(());
        }
        let (value_a, value_b) = (self.value[root_a as usize], self.value[root_b as usize]);
        if value_a != NONE && value_b != NONE {
            return Err(Clash { left: Node::new(a as usize), right: Node::new(b as usize), why });
        }
        // The class with more work to do stays: members to relabel and uses to rehash both count.
        let weight = |root: u32| self.size[root as usize] as usize + self.uses[root as usize].len();
        let (kept, gone, from, to) =
            if weight(root_a) >= weight(root_b) { (root_a, root_b, b, a) } else { (root_b, root_a, a, b) };
        self.work += 1 + weight(gone) as u64;

        for i in 0..self.uses[gone as usize].len() {
            let user = self.uses[gone as usize][i];
            if self.in_table[user as usize] {
                self.remove(user);
                self.undo.push(Undo::Removed(user));
            }
        }

        self.turn_towards(from);
        self.edge[from as usize] = to;
        self.why[from as usize] = why;

        let (old_value, gone_value) = (self.value[kept as usize], self.value[gone as usize]);
        if old_value == NONE && gone_value != NONE {
            self.announce_value(kept);
        } else if old_value != NONE && gone_value == NONE {
            self.announce_value(gone);
        }
        let mut member = gone;
        loop {
            self.root[member as usize] = kept;
            member = self.next[member as usize];
            if member == gone {
                break;
            }
        }
        self.next.swap(kept as usize, gone as usize);
        self.size[kept as usize] += self.size[gone as usize];
        let kept_uses = self.uses[kept as usize].len() as u32;
        let carrier = self.carrier[kept as usize];
        self.undo.push(Undo::Merged { kept, gone, edge: (from, to), uses: kept_uses, value: old_value, carrier });
        if old_value == NONE {
            self.value[kept as usize] = gone_value;
        }
        match (carrier, self.carrier[gone as usize]) {
            (_, NONE) => {}
            (NONE, other) => self.carrier[kept as usize] = other,
            (one, other) if old_value == NONE && gone_value == NONE => {
                self.met.push((Node::new(one as usize), Node::new(other as usize)));
            }
            _ => {} // The value determines all bits.
        }

        let gone_uses = std::mem::take(&mut self.uses[gone as usize]);
        for &user in &gone_uses {
            self.enter(user);
        }
        if old_value != NONE {
            for &user in &gone_uses {
                self.try_evaluate(user);
            }
        } else if gone_value != NONE {
            self.work += u64::from(kept_uses);
            for i in 0..kept_uses as usize {
                let user = self.uses[kept as usize][i];
                self.try_evaluate(user);
            }
        }
        self.uses[kept as usize].extend(&gone_uses);
        self.uses[gone as usize] = gone_uses;
        Ok(())
    }

    /// The class is about to get a value: its watched members go onto the list.
    fn announce_value(&mut self, root: u32) {
        let mut member = root;
        loop {
            if self.watched[member as usize] {
                self.valued.push(Node::new(member as usize));
            }
            member = self.next[member as usize];
            if member == root {
                return;
            }
        }
    }

    /// Puts an application into the table, or finds the one it is congruent to.
    fn enter(&mut self, node: u32) {
        if self.in_table[node as usize] {
            return;
        }
        self.try_reflexivity(node);
        let hash = self.hash(node);
        let found = self.table.find(hash, |&other| self.same_signature(node, other)).copied();
        match found {
            Some(other) => {
                if self.root[other as usize] != self.root[node as usize] {
                    let why = self.congruence(node, other);
                    self.pending.push((node, other, why));
                }
            }
            None => {
                let EGraph { table, nodes, args, root, heads, .. } = self;
                table.insert_unique(hash, node, |&other| signature_hash(nodes, args, root, heads, other));
                self.in_table[node as usize] = true;
                self.undo.push(Undo::Inserted(node));
            }
        }
    }
    fn remove(&mut self, node: u32) {
        let hash = self.hash(node);
        match self.table.find_entry(hash, |&other| other == node) {
            Ok(entry) => {
                entry.remove();
            }
            Err(_) => unreachable!("what is in the table is found by its signature"),
        }
        self.in_table[node as usize] = false;
    }
    fn hash(&self, node: u32) -> u64 {
        signature_hash(&self.nodes, &self.args, &self.root, &self.heads, node)
    }
    fn same_signature(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.nodes[a as usize], self.nodes[b as usize]);
        if x.head != y.head || x.len != y.len {
            return false;
        }
        let root = |at: u32| self.root[self.args[at as usize] as usize];
        let in_order = (0..x.len).all(|i| root(x.first + i) == root(y.first + i));
        in_order
            || (self.heads[x.head.index()].commutative
                && x.len == 2
                && root(x.first) == root(y.first + 1)
                && root(x.first + 1) == root(y.first))
    }
    fn congruence(&self, a: u32, b: u32) -> Why {
        let (x, y) = (self.nodes[a as usize], self.nodes[b as usize]);
        let root = |at: u32| self.root[self.args[at as usize] as usize];
        if (0..x.len).all(|i| root(x.first + i) == root(y.first + i)) { Why::Congruence } else { Why::Swapped }
    }
    /// `(= a b)` with `a` and `b` in one class is true.
    fn try_reflexivity(&mut self, node: u32) {
        let Application { head, first, len } = self.nodes[node as usize];
        if len == 2
            && self.heads[head.index()].op == Some(Op::Eq)
            && self.root[self.args[first as usize] as usize] == self.root[self.args[first as usize + 1] as usize]
        {
            let truth = self.value_node(Value::Bool(true));
            self.pending.push((node, truth.index() as u32, Why::Reflexivity(Node::new(node as usize))));
        }
    }
    /// If all arguments have values, the application has one.
    fn try_evaluate(&mut self, node: u32) {
        let Application { head, first, len } = self.nodes[node as usize];
        let Some(op) = self.heads[head.index()].op else { return };
        if self.functions_only && op != Op::Eq {
            return;
        }
        if self.value[self.root[node as usize] as usize] != NONE && op != Op::Eq && len > 2 {
            return;
        }
        self.buffer.clear();
        let mut bools = [false; 2];
        for i in 0..len {
            let value = self.value[self.root[self.args[(first + i) as usize] as usize] as usize];
            if value == NONE {
                return;
            }
            match &self.value_of[value as usize] {
                Some(Value::Bits(bits)) => self.buffer.push(bits.clone()),
                Some(Value::Bool(truth)) if i < 2 => bools[i as usize] = *truth,
                _ if op == Op::Eq => {}
                _ => return,
            }
        }
        let result = if op == Op::Eq {
            let value = |i: u32| self.value[self.root[self.args[(first + i) as usize] as usize] as usize];
            Value::Bool(value(0) == value(1))
        } else if self.buffer.len() == len as usize {
            match term::evaluate_operator(op, &self.buffer) {
                Some(term::Scalar::Bool(truth)) => Value::Bool(truth),
                Some(term::Scalar::Bits(bits)) => Value::Bits(bits),
                None => return,
            }
        } else {
            return;
        };
        let result = self.value_node(result);
        self.pending.push((node, result.index() as u32, Why::Evaluation(Node::new(node as usize))));
    }

    /// Reverses the path from `node` to the root of its tree, so that `node` becomes the root.
    fn turn_towards(&mut self, node: u32) {
        let mut at = node;
        let mut behind = NONE;
        let mut reason = Why::Congruence;
        while at != NONE {
            let next = std::mem::replace(&mut self.edge[at as usize], behind);
            let next_reason = std::mem::replace(&mut self.why[at as usize], reason);
            behind = at;
            reason = next_reason;
            at = next;
        }
    }

    // ---- undoing

    /// A point to come back to.
    pub fn mark(&self) -> usize {
        debug_assert!(self.pending.is_empty(), "a mark is set between merges");
        self.undo.len()
    }
    /// Undoes everything since the mark.
    pub fn undo_to(&mut self, mark: usize) {
        self.pending.clear();
        self.valued.clear();
        self.met.clear();
        while self.undo.len() > mark {
            match self.undo.pop().expect("the trail is longer than the mark") {
                Undo::Made => self.unmake(),
                Undo::Inserted(node) => self.remove(node),
                Undo::Removed(node) => {
                    let hash = self.hash(node);
                    let EGraph { table, nodes, args, root, heads, .. } = self;
                    table.insert_unique(hash, node, |&other| signature_hash(nodes, args, root, heads, other));
                    self.in_table[node as usize] = true;
                }
                Undo::Merged { kept, gone, edge, uses, value, carrier } => {
                    self.uses[kept as usize].truncate(uses as usize);
                    self.carrier[kept as usize] = carrier;
                    self.value[kept as usize] = value;
                    self.size[kept as usize] -= self.size[gone as usize];
                    self.next.swap(kept as usize, gone as usize);
                    let mut member = gone;
                    loop {
                        self.root[member as usize] = gone;
                        member = self.next[member as usize];
                        if member == gone {
                            break;
                        }
                    }
                    // Later merges may have turned the edge round.
                    let (from, to) = edge;
                    let holder = if self.edge[from as usize] == to { from } else { to };
                    debug_assert!(
                        self.edge[holder as usize] == from ^ to ^ holder,
                        "the edge of a merge stands at one of its ends"
                    );
                    self.edge[holder as usize] = NONE;
                }
            }
        }
    }
}

impl EGraph {
    /// Removes the last node, a value that is alone in its class.
    fn unmake(&mut self) {
        let value = self.value_of.pop().flatten().expect("the node made last is a value");
        self.values.remove(&value);
        self.nodes.pop();
        self.root.pop();
        self.next.pop();
        self.size.pop();
        self.value.pop();
        self.uses.pop();
        self.edge.pop();
        self.why.pop();
        self.in_table.pop();
        self.watched.pop();
        self.carrier.pop();
        self.path_mark.pop();
        self.edge_mark.pop();
    }
}

fn signature_hash(nodes: &[Application], args: &[u32], root: &[u32], heads: &[HeadInfo], node: u32) -> u64 {
    // law: a factor of the hash function.
    const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;
    let Application { head, first, len } = nodes[node as usize];
    let arg = |i: u32| u64::from(root[args[(first + i) as usize] as usize]);
    let mut hash = (head.index() as u64 + 1).wrapping_mul(FACTOR);
    if heads[head.index()].commutative && len == 2 {
        let (a, b) = (arg(0).min(arg(1)), arg(0).max(arg(1)));
        hash = (hash.rotate_left(23) ^ a).wrapping_mul(FACTOR);
        hash = (hash.rotate_left(23) ^ b).wrapping_mul(FACTOR);
    } else {
        for i in 0..len {
            hash = (hash.rotate_left(23) ^ arg(i)).wrapping_mul(FACTOR);
        }
    }
    hash ^ hash >> 29
}

#[cfg(test)]
impl EGraph {
    /// The laws of the header.
    pub(crate) fn check_laws(&self) {
        for node in (0..self.nodes.len()).map(Node::new) {
            let root = self.root(node);
            let members: Vec<Node> = self.class(root).collect();
            assert!(members.contains(&node), "a node is in the ring of its root");
            assert_eq!(members.len(), self.size[root.index()] as usize, "the ring has as many nodes as the size says");
            assert!(members.iter().all(|&member| self.root(member) == root), "members of a ring share the root");
            let values = members.iter().filter(|member| self.value_of[member.index()].is_some()).count();
            assert!(values <= 1, "a class holds at most one value");
            assert_eq!(values == 1, self.value[root.index()] != NONE, "a class knows its value");
            if self.nodes[node.index()].len > 0 {
                let hash = self.hash(node.index() as u32);
                let found = self.table.find(hash, |&other| self.same_signature(node.index() as u32, other)).copied();
                let found = found.expect("every application's signature is in the table");
                assert_eq!(self.root[found as usize], root.index() as u32, "congruent applications are equal");
            }
        }
    }
}

#[cfg(test)]
mod tests;
