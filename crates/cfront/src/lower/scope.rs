//! Scopes: the objects of a block end where the block is left.
//!
//! Lifetime begins at the declaration and ends with the block, on every way out: at its end, by `break`, `continue` or
//! `goto`. A block that holds a label or a case can be entered past its declarations, where nothing would begin anew; its
//! objects live until the function returns, which is longer than C says and so only misses errors after the
//! block. Leaving the function ends all of its objects anyway.

use program::{Action, ObjectId, Var};

use crate::ast::Span;
use crate::hir::{Stmt, StmtKind};

use super::Lowering;

/// A block that is open.
#[derive(Default)]
pub(super) struct Scope {
    /// Whether leaving it ends its objects.
    ends: bool,
    /// The objects declared in it so far.
    objects: Vec<ObjectId>,
    /// The variables declared in it so far that can hold a pointer.
    pointers: Vec<Var>,
}

impl Lowering<'_> {
    /// A block with objects of its own.
    pub(super) fn block(&mut self, body: &[Stmt], span: Span) {
        self.open_scope(&[body]);
        self.statements(body);
        self.close_scope(span);
    }
    pub(super) fn open_scope(&mut self, bodies: &[&[Stmt]]) {
        let ends = !bodies.iter().any(|body| has_label(body));
        self.current.scopes.push(Scope { ends, ..Scope::default() });
    }
    /// Ends the objects of the innermost block.
    pub(super) fn close_scope(&mut self, span: Span) {
        self.end_scopes(self.current.scopes.len() - 1, span);
        self.current.scopes.pop();
    }
    /// Ends the objects of the blocks that a jump to a label leaves: those that hold none.
    pub(super) fn end_scopes_for_jump(&mut self, span: Span) {
        let stays = |scope: &Scope| !scope.ends;
        let kept: Vec<Vec<Var>> = self
            .current
            .scopes
            .iter_mut()
            .filter(|scope| stays(scope))
            .map(|scope| std::mem::take(&mut scope.pointers))
            .collect();
        self.end_scopes(0, span);
        for (scope, pointers) in self.current.scopes.iter_mut().filter(|scope| stays(scope)).zip(kept) {
            scope.pointers = pointers;
        }
    }
    /// Ends the objects of all blocks but the outermost `n_left`, on the way out of them.
    pub(super) fn end_scopes(&mut self, n_left: usize, span: Span) {
        if self.current.at.is_none() {
            return;
        }
        let inner = self.current.scopes[n_left..].iter().rev();
        let ended: Vec<ObjectId> = inner.flat_map(|scope| scope.objects.iter().rev().copied()).collect();
        for object in ended {
            self.emit(Action::End { object }, span);
        }
        let inner = self.current.scopes[n_left..].iter().rev();
        let pointers: Vec<Var> = inner.flat_map(|scope| scope.pointers.iter().copied()).collect();
        self.clear(&pointers, span);
    }
    /// The variable is declared here.
    pub(super) fn declare_pointer(&mut self, var: Var) {
        if self.may_hold_pointer(var)
            && let Some(scope) = self.current.scopes.last_mut()
            && !scope.pointers.contains(&var)
        {
            scope.pointers.push(var);
        }
    }
    /// The object is declared here; whether its block ends it.
    pub(super) fn declare_object(&mut self, object: ObjectId) -> bool {
        match self.current.scopes.last_mut().filter(|scope| scope.ends) {
            Some(scope) => {
                scope.objects.push(object);
                true
            }
            None => false,
        }
    }
}

/// Whether a label or a case stands in the statements or in blocks inside of them.
fn has_label(body: &[Stmt]) -> bool {
    let mut work: Vec<&[Stmt]> = vec![body];
    while let Some(body) = work.pop() {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Label(_) | StmtKind::Case(_) => return true,
                StmtKind::Block(inner)
                | StmtKind::While { body: inner, .. }
                | StmtKind::DoWhile { body: inner, .. }
                | StmtKind::Switch { body: inner, .. } => work.push(inner),
                StmtKind::For { init, body, .. } => work.extend([&init[..], &body[..]]),
                StmtKind::If { arms, otherwise } => {
                    work.extend(arms.iter().map(|arm| &arm.1[..]));
                    work.push(otherwise);
                }
                _ => {}
            }
        }
    }
    false
}
