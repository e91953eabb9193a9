//! The blocks of a function that hold a label or a case, and the way from the outermost block to each.
//!
//! A `goto` can come before its label, and a `switch` comes before its cases, so that the blocks are numbered before their
//! statements are translated. A block is recognised by the address of its first statement. Statement expressions are numbered when they are
//! reached: no jump leads into one.

use base::FastMap;

use crate::hir::{LabelId, Stmt, StmtKind, VarId};

/// A block that holds a label or a case, or is on the way to one.
pub(super) type BlockId = usize;

/// What a block is recognised by: the first statement, and whether the block is that of a `for` with its first clause
/// (which begins at the same statement as the body).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key(*const Stmt, bool);

impl Key {
    /// The block with these statements.
    pub(super) fn body(body: &[Stmt]) -> Key {
        Key(body.as_ptr(), false)
    }
    /// The block of a `for` with this body: its first clause declares in it.
    pub(super) fn clause(body: &[Stmt]) -> Key {
        Key(body.as_ptr(), true)
    }
}

/// The blocks of the function at hand.
#[derive(Default)]
pub(super) struct Blocks {
    /// The block around, and the variables declared directly in it.
    list: Vec<(Option<BlockId>, Vec<VarId>)>,
    /// Only those with a label or a case in them: their bodies are not empty, so that their addresses differ.
    by_key: FastMap<Key, BlockId>,
    labels: FastMap<LabelId, BlockId>,
    /// By the body of the switch and the number of the case.
    cases: FastMap<(*const Stmt, usize), BlockId>,
}

impl Blocks {
    /// Numbers the blocks inside of a body that stands in `outer`; the number of the body itself, if it holds a label or a case.
    pub(super) fn enter(&mut self, body: &[Stmt], outer: Option<BlockId>) -> Option<BlockId> {
        let first = self.list.len();
        let mut keys = Vec::new();
        // Each with the body of the switch around.
        let mut work = vec![(body, Key::body(body), outer, std::ptr::null())];
        let mut holds = Vec::new();
        while let Some((body, key, parent, switch)) = work.pop() {
            let block = self.list.len();
            self.list.push((parent, Vec::new()));
            keys.push(key);
            holds.push(outer.is_none() && parent.is_none());
            for stmt in body {
                match &stmt.kind {
                    StmtKind::Declare(var, _) => self.list[block].1.push(*var),
                    StmtKind::Label(label) => {
                        self.labels.insert(*label, block);
                        holds[block - first] = true;
                    }
                    StmtKind::Case(n) => {
                        self.cases.insert((switch, *n), block);
                        holds[block - first] = true;
                    }
                    StmtKind::Block(inner)
                    | StmtKind::While { body: inner, .. }
                    | StmtKind::DoWhile { body: inner, .. } => {
                        work.push((inner, Key::body(inner), Some(block), switch));
                    }
                    StmtKind::Switch { body: inner, .. } => {
                        work.push((inner, Key::body(inner), Some(block), inner.as_ptr()));
                    }
                    StmtKind::For { init, body: inner, .. } => {
                        let clause = self.list.len();
                        self.list.push((Some(block), declared(init)));
                        keys.push(Key::clause(inner));
                        holds.push(false);
                        work.push((inner, Key::body(inner), Some(clause), switch));
                    }
                    StmtKind::If { arms, otherwise } => {
                        let bodies = arms.iter().map(|arm| &arm.1[..]).chain([&otherwise[..]]);
                        work.extend(bodies.map(|inner| (inner, Key::body(inner), Some(block), switch)));
                    }
                    _ => {}
                }
            }
        }
        // A block is numbered after the one around it.
        for block in (first..self.list.len()).rev() {
            if holds[block - first] {
                self.by_key.insert(keys[block - first], block);
                if let Some(parent) = self.list[block].0.filter(|&parent| parent >= first) {
                    holds[parent - first] = true;
                }
            }
        }
        holds[0].then_some(first)
    }
    /// A block without declarations that jumps could pass.
    pub(super) fn add(&mut self, outer: Option<BlockId>) -> BlockId {
        self.list.push((outer, Vec::new()));
        self.list.len() - 1
    }
    /// The number of a block, if it holds a label or a case.
    pub(super) fn block(&self, key: Key) -> Option<BlockId> {
        self.by_key.get(&key).copied()
    }
    /// The variables that are declared directly in the block.
    pub(super) fn declared(&self, block: BlockId) -> &[VarId] {
        &self.list[block].1
    }
    /// The blocks around a label, the outermost first.
    pub(super) fn path_to_label(&self, label: LabelId) -> Option<Vec<BlockId>> {
        self.labels.get(&label).map(|&block| self.path(block))
    }
    /// The blocks around a case of the switch with this body, the outermost first.
    pub(super) fn path_to_case(&self, body: &[Stmt], case: usize) -> Vec<BlockId> {
        self.cases.get(&(body.as_ptr(), case)).map(|&block| self.path(block)).unwrap_or_default()
    }
    fn path(&self, block: BlockId) -> Vec<BlockId> {
        let mut path = vec![block];
        while let Some(parent) = self.list[path[path.len() - 1]].0 {
            path.push(parent);
        }
        path.reverse();
        path
    }
}

fn declared(body: &[Stmt]) -> Vec<VarId> {
    let declares = |stmt: &Stmt| match stmt.kind {
        StmtKind::Declare(var, _) => Some(var),
        _ => None,
    };
    body.iter().filter_map(declares).collect()
}
