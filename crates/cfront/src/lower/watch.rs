//! Watched regions: expressions evaluated in one order, with marks that let a run show whether the order matters.
//!
//! Where operands may conflict in too many orders (`order`), the region begins with the `Havoc` of an input of kind `Order`. Runs
//! take zero. For engines it is free, and one leads to an error, so that no proof covers a region that can be reached; a
//! shadow run watches the accesses between the marks (`program::interp::shadow_order`) and decides such programs by execution.
//!
//! Loads and stores are seen by the machine. What it cannot see is marked: accesses to variables that do not live in memory, single bits,
//! and records whose value is taken now and copied later.

use base::FastMap;
use program::{Action, AssertionKind, InputId, InputKind, OrderStep, Shown, Var};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, Init, Place, VarId};

use super::Lowering;

/// A region that is watched.
#[derive(Clone, Copy, Debug)]
pub(super) struct WatchedRegion {
    /// The whole expression.
    pub span: Span,
    /// Whether an operand may end the run.
    pub ends: bool,
}

/// An operand of a watched region.
#[derive(Clone, Copy, Debug)]
pub(super) struct WatchedOperand {
    /// Its number in the region, from one.
    pub number: u32,
    /// The operand that contains it, or zero.
    pub parent: u32,
    /// Whether it is sequenced as a whole.
    pub sequenced: bool,
}

/// All watched regions and their operands.
#[derive(Default, Debug)]
pub(super) struct Watched {
    pub by_expr: FastMap<*const Expr, WatchedRegion>,
    pub by_init: FastMap<*const Init, WatchedRegion>,
    pub operands: FastMap<*const Expr, WatchedOperand>,
    /// Operands that are pieces of an initialiser, each as a whole.
    pub pieces: FastMap<*const Expr, WatchedOperand>,
    /// Compound literals that are operands.
    pub literals: FastMap<*const Place, WatchedOperand>,
    /// Places of compound assignments whose old value is an operand.
    pub old_values: FastMap<*const Place, WatchedOperand>,
    /// Static variables that live in memory, where accesses inside of calls are seen.
    pub in_memory: FastMap<VarId, ()>,
    /// All static variables do.
    pub all_in_memory: bool,
    /// Regions around the place at hand.
    n_open: usize,
}

impl Watched {
    pub fn is_in_memory(&self, var: VarId) -> bool {
        self.all_in_memory || self.in_memory.contains_key(&var)
    }
}

impl Lowering<'_> {
    /// Whether a region or an operand begins with this expression.
    pub(super) fn is_watched(&self, expr: &Expr) -> bool {
        let key: *const Expr = expr;
        let watched = &self.orders.plans.watched;
        watched.by_expr.contains_key(&key) || watched.operands.contains_key(&key) || watched.pieces.contains_key(&key)
    }
    /// Evaluates an expression between the marks that it has.
    pub(super) fn watching<T>(&mut self, expr: &Expr, body: impl FnOnce(&mut Self) -> T) -> T {
        if !self.is_watched(expr) {
            return body(self);
        }
        // Taken away, so that lowering the expression does not find them again.
        let key: *const Expr = expr;
        let watched = &mut self.orders.plans.watched;
        let (piece, region) = (watched.pieces.remove(&key), watched.by_expr.remove(&key));
        let operand = watched.operands.remove(&key);
        self.enter(piece, expr.span);
        self.open_region(region);
        self.enter(operand, expr.span);
        let result = body(self);
        self.leave(operand.is_some(), expr.span);
        self.close_region(region);
        self.leave(piece.is_some(), expr.span);
        let watched = &mut self.orders.plans.watched;
        piece.map(|piece| watched.pieces.insert(key, piece));
        region.map(|region| watched.by_expr.insert(key, region));
        operand.map(|operand| watched.operands.insert(key, operand));
        result
    }
    /// Evaluates the expressions of an initialiser between the marks that it has.
    pub(super) fn watching_pieces(&mut self, init: &Init, body: impl FnOnce(&mut Self)) {
        let region = self.orders.plans.watched.by_init.get(&(init as *const Init)).copied();
        self.open_region(region);
        body(self);
        self.close_region(region);
    }
    pub(super) fn watching_literal(&mut self, place: &Place, body: impl FnOnce(&mut Self)) {
        let operand = self.orders.plans.watched.literals.get(&(place as *const Place)).copied();
        self.enter(operand, place.span);
        body(self);
        self.leave(operand.is_some(), place.span);
    }
    pub(super) fn watching_old<T>(&mut self, place: &Place, body: impl FnOnce(&mut Self) -> T) -> T {
        let operand = self.orders.plans.watched.old_values.get(&(place as *const Place)).copied();
        self.enter(operand, place.span);
        let result = body(self);
        self.leave(operand.is_some(), place.span);
        result
    }

    // ---- marks

    fn open_region(&mut self, region: Option<WatchedRegion>) {
        let Some(WatchedRegion { span, ends }) = region else { return };
        if self.current.at.is_none() {
            self.orders.plans.watched.n_open += 1;
            return;
        }
        let what = format!("the order of evaluation in `{}`", self.snippet(span));
        let sort = self.terms.bool_sort();
        let var = self.new_temp("order", sort, Shown::Plain);
        let text = what.clone();
        let input = self.new_input(InputKind::Order { what, ends, is_choice: false }, Shown::Plain, span);
        self.emit(Action::Havoc { var, input }, span);
        let error = self.error_location(AssertionKind::Order, text, span);
        let fine = self.new_loc();
        let matters = self.term_of(var);
        self.branch(matters, error, fine, span);
        self.start(fine);
        self.watch_from(input, span);
    }
    /// A region begins whose conflicts make runs depend on this input.
    pub(super) fn watch_from(&mut self, input: InputId, span: Span) {
        self.emit(Action::Order(OrderStep::Open { input }), span);
        self.orders.plans.watched.n_open += 1;
    }
    fn close_region(&mut self, region: Option<WatchedRegion>) {
        if let Some(WatchedRegion { span, .. }) = region {
            self.watch_until_here(span);
        }
    }
    /// The region that began last ends.
    pub(super) fn watch_until_here(&mut self, span: Span) {
        self.emit(Action::Order(OrderStep::Close), span);
        self.orders.plans.watched.n_open -= 1;
    }
    pub(super) fn enter(&mut self, operand: Option<WatchedOperand>, span: Span) {
        if let Some(WatchedOperand { number, parent, sequenced }) = operand {
            self.emit(Action::Order(OrderStep::Enter { operand: number, parent, sequenced }), span);
        }
    }
    pub(super) fn leave(&mut self, operand: bool, span: Span) {
        if operand {
            self.emit(Action::Order(OrderStep::Leave), span);
        }
    }

    // ---- accesses that the machine does not see

    pub(super) fn note_variable(&mut self, var: Var, is_write: bool, span: Span) {
        if self.orders.plans.watched.n_open > 0 {
            self.emit(Action::Order(OrderStep::Variable { var, is_write }), span);
        }
    }
    pub(super) fn note_bits(&mut self, address: Term, (first, count): (u32, u64), is_write: bool, span: Span) {
        if self.orders.plans.watched.n_open > 0 {
            self.emit(Action::Order(OrderStep::Bits { address, first, count, is_write }), span);
        }
    }
    /// What follows is seen by the machine again.
    pub(super) fn resume_notes(&mut self, span: Span) {
        if self.orders.plans.watched.n_open > 0 {
            self.emit(Action::Order(OrderStep::Resume), span);
        }
    }
}
