//! The e-graph in the search: shown literals become merges, merges become implied literals.
//!
//! A node of sort Bool has a literal. When the literal is assigned, the node joins the class of its
//! truth value (and the two sides of an equality that is true meet); when the class of a node gets a
//! truth value, the literal is implied.
//!
//! A bit-vector node may be *bound* to a word of literals. When all of them are assigned, the node joins
//! the class of that value; when its class gets a value, or meets another bound node, bits are implied.
//! Equal words meet at the value's node and different words clash there, so that no pair of terms needs a
//! clause of its own: the binding is linear in the number of bound terms, unlike the pairwise formula of
//! [HyvarinenEtAl-SAT'17]. Only pairs that keep meeting there get one (`interface.rs`).
//!
//! Every batch of literals is from one decision level, so batches are undone whole.

pub(crate) mod replay;

use base::Id;
use sat::{Consequences, Lit, SatVar};

use super::egraph::{EGraph, Facts, Node, Value, Why};
use super::interface::Meetings;
use base::Bits;

/// What a variable means to the e-graph.
#[derive(Clone, Copy, Debug)]
enum Role {
    /// The truth of a node; the literal that says so is the variable itself or its negation.
    Truth { node: Node, positive: bool },
    /// A bit of a bound node.
    Bit { bound: u32, index: u32 },
}

/// A node with its bits.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub node: Node,
    /// Lowest bit first.
    pub word: Vec<Lit>,
    /// Bits that are not assigned.
    open: u32,
    /// Bound nodes in the same class that were linked when their classes met.
    peers: Vec<u32>,
}

/// Why a literal was implied.
#[derive(Clone, Copy, Debug)]
enum Because {
    /// The node's class has a value.
    Value(Node),
    /// The two nodes are equal and this bit of the other is so.
    Peer(Node, Node, Lit),
}

/// What to undo when a batch goes.
#[derive(Clone, Copy, Debug)]
struct Batch {
    shown: usize,
    implied: usize,
    links: usize,
    graph: usize,
}

const NONE: u32 = u32::MAX;

/// The theory of equality over nodes, some of them bound to bits.
#[derive(Clone)]
pub(crate) struct Euf {
    pub graph: EGraph,
    yes: Node,
    no: Node,
    /// By node (where there is an entry): its literal.
    lit_of: Vec<Option<Lit>>,
    /// By node: its place in `bounds`.
    bound_of: Vec<u32>,
    pub bounds: Vec<Bound>,
    /// By variable: the first of its roles in the list `roles`.
    first_role: Vec<u32>,
    roles: Vec<(Role, u32)>,
    /// By variable: 1 true, -1 false, 0 open; as shown, or as implied by us.
    assigned: Vec<i8>,
    /// By variable: whether it was shown; what we implied is shown later.
    is_shown: Vec<bool>,
    /// By variable: why we implied it.
    because: Vec<Because>,
    shown: Vec<Lit>,
    implied: Vec<Lit>,
    links: Vec<(u32, u32)>,
    batches: Vec<Batch>,
    facts: Facts,
    /// Bound nodes that met by value.
    pub meetings: Meetings,
    /// What a node that is relabelled, entered into the table or evaluated costs, in ticks of the SAT solver.
    pub ticks_per_node: u64,
}

/// A clause all of whose literals are false.
pub(crate) type ConflictClause = Vec<Lit>;

impl Euf {
    pub fn new() -> Self {
        let mut graph = EGraph::new();
        let (yes, no) = (graph.value_node(Value::Bool(true)), graph.value_node(Value::Bool(false)));
        Euf {
            graph,
            yes,
            no,
            lit_of: Vec::new(),
            bound_of: Vec::new(),
            bounds: Vec::new(),
            first_role: Vec::new(),
            roles: Vec::new(),
            assigned: Vec::new(),
            is_shown: Vec::new(),
            because: Vec::new(),
            shown: Vec::new(),
            implied: Vec::new(),
            ticks_per_node: 0,
            links: Vec::new(),
            batches: Vec::new(),
            facts: Facts::default(),
            meetings: Meetings::new(),
        }
    }

    // ---- building, at level zero

    /// The literal says whether the node is true.
    pub fn attach(&mut self, node: Node, lit: Lit) {
        if self.lit_of.len() <= node.index() {
            self.lit_of.resize(node.index() + 1, None);
        }
        assert!(self.lit_of[node.index()].is_none(), "a node has one literal");
        self.lit_of[node.index()] = Some(lit);
        self.add_role(lit.var(), Role::Truth { node, positive: lit.is_positive() });
        self.graph.watch(node);
        // What was shown before the node had a literal counts too.
        match self.value(lit) {
            0 => {}
            1 => self.merge_truth(node, true, lit),
            _ => self.merge_truth(node, false, !lit),
        }
    }
    /// The literals are the node's bits.
    pub fn bind(&mut self, node: Node, word: Vec<Lit>) {
        if self.bound_of.len() <= node.index() {
            self.bound_of.resize(node.index() + 1, NONE);
        }
        assert!(self.bound_of[node.index()] == NONE, "a node is bound once");
        let bound = self.bounds.len() as u32;
        self.bound_of[node.index()] = bound;
        let mut open = 0;
        for (index, lit) in word.iter().enumerate() {
            self.add_role(lit.var(), Role::Bit { bound, index: index as u32 });
            open += u32::from(!self.is_shown[lit.var().index()]);
        }
        self.bounds.push(Bound { node, word, open, peers: Vec::new() });
        self.graph.carry(node);
        if open == 0 {
            self.merge_bits(bound);
        }
    }
    fn add_role(&mut self, var: SatVar, role: Role) {
        self.grow(var);
        let first = &mut self.first_role[var.index()];
        self.roles.push((role, *first));
        *first = self.roles.len() as u32 - 1;
    }
    fn grow(&mut self, var: SatVar) {
        if self.first_role.len() <= var.index() {
            let len = var.index() + 1;
            self.first_role.resize(len, NONE);
            self.assigned.resize(len, 0);
            self.is_shown.resize(len, false);
            self.because.resize(len, Because::Value(self.yes));
        }
    }
    /// What follows at level zero: literals with their reasons as clauses, or a clause that is false.
    pub fn settle(&mut self) -> Result<Vec<ConflictClause>, ConflictClause> {
        if let Err(clash) = self.graph.close() {
            return Err(self.clash_clause(clash));
        }
        let mut implied = Vec::new();
        self.notice(&mut implied)?;
        let explain = |lit: Lit| {
            let mut clause = vec![lit];
            sat::Theory::explain(self, lit, &mut clause);
            clause
        };
        Ok(implied.into_iter().map(explain).collect())
    }

    // ---- looking

    /// The node's literal.
    pub fn literal(&self, node: Node) -> Option<Lit> {
        self.lit_of.get(node.index()).copied().flatten()
    }
    /// The node's bits.
    pub fn word(&self, node: Node) -> Option<&[Lit]> {
        self.bound(node).map(|bound| &self.bounds[bound as usize].word[..])
    }
    fn bound(&self, node: Node) -> Option<u32> {
        self.bound_of.get(node.index()).copied().filter(|&bound| bound != NONE)
    }
    fn value(&self, lit: Lit) -> i8 {
        let value = self.assigned.get(lit.var().index()).copied().unwrap_or(0);
        if lit.is_positive() { value } else { -value }
    }
    /// Whether nothing has been said about any variable, so that the search can do without.
    pub fn is_idle(&self) -> bool {
        self.roles.is_empty()
    }

    // ---- merging

    fn merge_truth(&mut self, node: Node, value: bool, fact: Lit) {
        self.graph.merge_later(node, if value { self.yes } else { self.no }, Why::Fact(fact));
        if value && self.graph.is_equality(node) {
            let mut sides = self.graph.args(node);
            let (left, right) = (sides.next(), sides.next());
            drop(sides);
            if let (Some(left), Some(right)) = (left, right) {
                self.graph.merge_later(left, right, Why::Fact(fact));
            }
        }
    }
    fn merge_bits(&mut self, bound: u32) {
        let Bound { node, word, .. } = &self.bounds[bound as usize];
        let node = *node;
        let mut words = vec![0u64; word.len().div_ceil(64)];
        for (index, &lit) in word.iter().enumerate() {
            words[index / 64] |= u64::from(self.value(lit) > 0) << (index % 64);
        }
        let bits = Bits::from_words(word.len() as u32, &words);
        let value = self.graph.value_node(Value::Bits(bits));
        self.graph.merge_later(node, value, Why::Bits(node));
    }

    // ---- implying

    /// Turns what the e-graph noticed into implied literals.
    fn notice(&mut self, out: &mut Vec<Lit>) -> Result<(), ConflictClause> {
        for (one, other) in std::mem::take(&mut self.graph.met) {
            let (a, b) = (self.bound(one), self.bound(other));
            let (Some(a), Some(b)) = (a, b) else { unreachable!("only bound nodes carry bits") };
            self.bounds[a as usize].peers.push(b);
            self.bounds[b as usize].peers.push(a);
            self.links.push((a, b));
            for index in 0..self.bounds[a as usize].word.len() {
                self.imply_peer(a, b, index, out)?;
                self.imply_peer(b, a, index, out)?;
            }
        }
        let mut valued = std::mem::take(&mut self.graph.valued);
        for node in valued.drain(..) {
            let because = Because::Value(node);
            match self.graph.value(node) {
                Some(&Value::Bool(value)) => {
                    let lit = self.literal(node).expect("a watched node of sort Bool has a literal");
                    self.imply(if value { lit } else { !lit }, because, out)?;
                }
                Some(Value::Bits(bits)) => {
                    let Some(bound) = self.bound(node) else { continue };
                    let bits = bits.clone();
                    for index in 0..bits.width() {
                        let lit = self.bounds[bound as usize].word[index as usize];
                        self.imply(if bits.bit(index) { lit } else { !lit }, because, out)?;
                    }
                }
                _ => {}
            }
        }
        self.graph.valued = valued;
        Ok(())
    }
    /// If the bit of `from` is assigned, that of `to` is the same.
    fn imply_peer(&mut self, from: u32, to: u32, index: usize, out: &mut Vec<Lit>) -> Result<(), ConflictClause> {
        let (source, target) = (self.bounds[from as usize].word[index], self.bounds[to as usize].word[index]);
        let (a, b) = (self.bounds[from as usize].node, self.bounds[to as usize].node);
        match self.value(source) {
            0 => Ok(()),
            1 => self.imply(target, Because::Peer(a, b, source), out),
            _ => self.imply(!target, Because::Peer(a, b, !source), out),
        }
    }
    fn imply(&mut self, lit: Lit, because: Because, out: &mut Vec<Lit>) -> Result<(), ConflictClause> {
        match self.value(lit) {
            1 => Ok(()),
            0 => {
                self.assigned[lit.var().index()] = if lit.is_positive() { 1 } else { -1 };
                self.because[lit.var().index()] = because;
                self.implied.push(lit);
                out.push(lit);
                Ok(())
            }
            _ => {
                let mut clause = vec![lit];
                self.explain_because(because, &mut clause);
                Err(clause)
            }
        }
    }

    // ---- explaining

    fn explain_because(&mut self, because: Because, clause: &mut Vec<Lit>) {
        let mut facts = std::mem::take(&mut self.facts);
        match because {
            Because::Value(node) => {
                let value = self.graph.value_node_of(node).expect("a class that implied something has a value");
                self.graph.explain(node, value, &mut facts);
            }
            Because::Peer(a, b, source) => {
                facts.lits.push(source);
                self.graph.explain(a, b, &mut facts);
            }
        }
        self.drain_facts(facts, clause);
    }
    fn clash_clause(&mut self, clash: super::egraph::Clash) -> ConflictClause {
        let mut facts = std::mem::take(&mut self.facts);
        self.graph.explain_clash(clash, &mut facts);
        let mut clause = Vec::new();
        self.drain_facts(facts, &mut clause);
        clause
    }
    fn drain_facts(&mut self, mut facts: Facts, clause: &mut Vec<Lit>) {
        let start = clause.len();
        clause.extend(facts.lits.drain(..).map(|lit| !lit));
        self.meetings.explained(&facts.bits, |node| self.graph.root(node));
        if !facts.bits.is_empty() {
            self.meetings.evaluated(&facts.evaluated);
        }
        facts.evaluated.clear();
        for node in facts.bits.drain(..) {
            let bound = self.bound(node).expect("bits explain only bound nodes");
            for &lit in &self.bounds[bound as usize].word {
                debug_assert!(self.value(lit) != 0, "bits that explain are assigned");
                clause.push(if self.value(lit) > 0 { !lit } else { lit });
            }
        }
        clause[start..].sort_unstable();
        let mut kept = start;
        for at in start..clause.len() {
            if at == start || clause[at] != clause[at - 1] {
                clause[kept] = clause[at];
                kept += 1;
            }
        }
        clause.truncate(kept);
        self.facts = facts;
    }

    fn learn(&mut self, news: &[Lit]) -> Result<Vec<Lit>, ConflictClause> {
        self.batches.push(Batch {
            shown: self.shown.len(),
            implied: self.implied.len(),
            links: self.links.len(),
            graph: self.graph.mark(),
        });
        self.shown.extend(news);
        let mut any_bits = false;
        let mut full = Vec::new();
        for &lit in news {
            self.grow(lit.var());
            self.assigned[lit.var().index()] = if lit.is_positive() { 1 } else { -1 };
            self.is_shown[lit.var().index()] = true;
            let mut at = self.first_role[lit.var().index()];
            while at != NONE {
                let (role, next) = self.roles[at as usize];
                if let Role::Bit { bound, .. } = role {
                    any_bits = true;
                    let open = &mut self.bounds[bound as usize].open;
                    *open -= 1;
                    if *open == 0 {
                        full.push(bound);
                    }
                }
                at = next;
            }
        }
        // From here on an error leaves things half done; the conflict undoes the whole batch.
        let mut implied = Vec::new();
        for &lit in news {
            let mut at = self.first_role[lit.var().index()];
            while at != NONE {
                let (role, next) = self.roles[at as usize];
                if let Role::Truth { node, positive } = role {
                    self.merge_truth(node, lit.is_positive() == positive, lit);
                }
                at = next;
            }
            self.close()?;
        }
        for bound in full {
            self.merge_bits(bound);
            self.close()?;
        }
        self.notice(&mut implied)?;
        if any_bits {
            for &lit in news {
                self.imply_peers(lit.var(), &mut implied)?;
            }
        }
        Ok(implied)
    }
    fn close(&mut self) -> Result<(), ConflictClause> {
        match self.graph.close() {
            Ok(()) => Ok(()),
            Err(clash) => Err(self.clash_clause(clash)),
        }
    }
    fn imply_peers(&mut self, var: SatVar, out: &mut Vec<Lit>) -> Result<(), ConflictClause> {
        let mut at = self.first_role[var.index()];
        while at != NONE {
            let (role, next) = self.roles[at as usize];
            if let Role::Bit { bound, index } = role {
                for i in 0..self.bounds[bound as usize].peers.len() {
                    let peer = self.bounds[bound as usize].peers[i];
                    self.imply_peer(bound, peer, index as usize, out)?;
                }
            }
            at = next;
        }
        Ok(())
    }
}

impl sat::Theory for Euf {
    const ACTIVE: bool = true;

    fn propagate(&mut self, news: &[Lit], out: &mut Consequences) {
        match self.learn(news) {
            Ok(implied) => implied.into_iter().for_each(|lit| out.imply(lit)),
            Err(clause) => out.clause(&clause),
        }
    }
    fn complete(&mut self, _: &mut Consequences) {}
    fn pause_due(&self) -> bool {
        self.meetings.any_due()
    }
    fn take_ticks(&mut self) -> u64 {
        std::mem::take(&mut self.graph.work) * self.ticks_per_node
    }
    fn backtrack(&mut self, n: usize) {
        let mut undone = None;
        while self.batches.last().is_some_and(|batch| batch.shown >= n) {
            undone = self.batches.pop();
        }
        let Some(batch) = undone else { return };
        assert!(batch.shown == n, "batches are undone whole");
        self.graph.undo_to(batch.graph);
        for (a, b) in self.links.drain(batch.links..).rev() {
            self.bounds[a as usize].peers.pop();
            self.bounds[b as usize].peers.pop();
        }
        for lit in self.implied.drain(batch.implied..) {
            self.assigned[lit.var().index()] = 0;
        }
        for lit in self.shown.drain(n..) {
            self.assigned[lit.var().index()] = 0;
            self.is_shown[lit.var().index()] = false;
            let mut at = self.first_role[lit.var().index()];
            while at != NONE {
                let (role, next) = self.roles[at as usize];
                if let Role::Bit { bound, .. } = role {
                    self.bounds[bound as usize].open += 1;
                }
                at = next;
            }
        }
    }
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) {
        let because = self.because[lit.var().index()];
        self.explain_because(because, clause);
    }
}
