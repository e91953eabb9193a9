//! Lowering of operands whose order C leaves open.
//!
//! A plan (`order`) names units that may be evaluated in any order, some of them only after others. Each unit's value goes
//! to a variable of its own; where the expression around is lowered afterwards, the variables stand for the units. With
//! `n` units there are `n` rounds, and in each an unspecified input selects one of the units that are left and ready.
//! The first one that is left is the default, so that the zero choice is the order from left to right.

use std::rc::Rc;

use base::FastMap;
use program::{Action, InputId, InputKind, Shown, Var};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, Init, Place};

use super::Lowering;
use super::order::{Plan, Plans, UnitKind};
use super::types::Class;

/// Plans that wait, and units that have been evaluated.
#[derive(Default)]
pub(super) struct Orders<'a> {
    pub(super) plans: Plans<'a>,
    values: FastMap<*const Expr, Term>,
    old_values: FastMap<*const Place, Term>,
}

impl<'a> Orders<'a> {
    pub fn new(plans: Plans<'a>) -> Self {
        Orders { plans, ..Orders::default() }
    }
    /// The value of an expression that has been evaluated before its turn.
    pub fn value(&self, expr: &Expr) -> Option<Term> {
        if self.values.is_empty() { None } else { self.values.get(&(expr as *const Expr)).copied() }
    }
    /// The old value of a place that has been read before its turn.
    pub fn old_value(&self, place: &Place) -> Option<Term> {
        if self.old_values.is_empty() { None } else { self.old_values.get(&(place as *const Place)).copied() }
    }
    /// Takes the plan of an expression away, so that lowering the expression does not find it again.
    pub fn take(&mut self, expr: &Expr) -> Option<Rc<Plan<'a>>> {
        if self.plans.by_expr.is_empty() { None } else { self.plans.by_expr.remove(&(expr as *const Expr)) }
    }
    pub fn give_back(&mut self, expr: &Expr, plan: Rc<Plan<'a>>) {
        self.plans.by_expr.insert(expr, plan);
    }
    pub fn of_initialiser(&self, init: &Init) -> Option<Rc<Plan<'a>>> {
        self.plans.by_init.get(&(init as *const Init)).cloned()
    }
}

impl<'a> Lowering<'a> {
    /// Evaluates the units of the expression's plan, if it has one, and then the rest.
    pub(super) fn in_order<T>(&mut self, expr: &Expr, body: impl FnOnce(&mut Self) -> T) -> T {
        let Some(plan) = self.orders.take(expr) else { return self.watching(expr, body) };
        self.schedule(&plan);
        let result = body(self);
        self.forget_units(&plan);
        self.orders.give_back(expr, plan);
        result
    }
    /// The same for the expressions of an initialiser.
    pub(super) fn pieces_in_order(&mut self, init: &Init, body: impl FnOnce(&mut Self)) {
        let plan = self.orders.of_initialiser(init);
        if let Some(plan) = &plan {
            self.schedule(plan);
        }
        self.watching_pieces(init, body);
        if let Some(plan) = &plan {
            self.forget_units(plan);
        }
    }

    fn forget_units(&mut self, plan: &Plan<'a>) {
        for unit in &plan.units {
            match unit.kind {
                UnitKind::Value(expr) => self.orders.values.remove(&(expr as *const Expr)),
                UnitKind::Old(_, place) => self.orders.old_values.remove(&(place as *const Place)),
            };
        }
    }

    fn schedule(&mut self, plan: &Plan<'a>) {
        if self.current.at.is_none() {
            return;
        }
        let span = plan.span;
        self.settle_before_branch();
        let results: Vec<Option<Var>> = plan.units.iter().map(|unit| self.unit_variable(unit.kind)).collect();
        for (unit, &result) in plan.units.iter().zip(&results) {
            self.remember_unit(unit.kind, result);
        }
        let what = self.choice_text(plan);
        let kind = match plan.is_visible {
            true => InputKind::Order { what, ends: plan.ends, is_choice: true },
            false => InputKind::Unspecified(what),
        };
        let input = self.new_input(kind, Shown::Plain, span);
        if plan.is_visible {
            self.watch_from(input, span);
        }
        self.units_in_some_order(plan, &results, input);
        if plan.is_visible {
            self.watch_until_here(span);
        }
    }
    fn units_in_some_order(&mut self, plan: &Plan<'a>, results: &[Option<Var>], input: InputId) {
        let (span, n_units) = (plan.span, plan.units.len());
        if n_units == 2 {
            return self.either_first(plan, results, input);
        }
        let truth = self.terms.bool_sort();
        let done: Vec<Var> = (0..n_units).map(|_| self.new_temp("done", truth, Shown::Plain)).collect();
        let never = self.terms.truth(false);
        let mut start: Vec<(Var, Term)> = done.iter().map(|&var| (var, never)).collect();
        // Each operand is written before it is used, but only the flags say so; a first value keeps the laws of programs.
        for &var in results.iter().flatten() {
            let zero = self.zero_of(self.program.vars[var].sort);
            start.push((var, zero));
        }
        self.emit(Action::Assign(start), span);
        let n_after: Vec<usize> =
            (0..n_units).map(|k| plan.units.iter().filter(|unit| unit.before.contains(&k)).count()).collect();
        for round in 0..n_units {
            // In this round a unit can come whose predecessors fit before it and whose successors fit after it.
            let possible: Vec<usize> =
                (0..n_units).filter(|&k| plan.units[k].before.len() <= round && n_after[k] < n_units - round).collect();
            let is_last = round + 1 == n_units;
            self.one_of(plan, &possible, results, &done, if is_last { None } else { Some(input) });
        }
    }
    /// Two units, one path for each order.
    fn either_first(&mut self, plan: &Plan<'a>, results: &[Option<Var>], input: InputId) {
        let span = plan.span;
        let swapped = self.order_input(input, span);
        let (forward, backward, join) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.branch(swapped, backward, forward, span);
        for (loc, order) in [(forward, [0, 1]), (backward, [1, 0])] {
            self.start(loc);
            for k in order {
                self.evaluate_unit(plan, k, results[k]);
            }
            self.jump(join, span);
        }
        self.start(join);
    }
    /// An unspecified truth value.
    fn order_input(&mut self, input: InputId, span: Span) -> Term {
        let sort = self.terms.bool_sort();
        let var = self.new_temp("order", sort, Shown::Plain);
        self.emit(Action::Havoc { var, input }, span);
        self.term_of(var)
    }
    /// One round: selects a unit that is ready, by values of this input, and evaluates it. In the last round one is left.
    fn one_of(
        &mut self,
        plan: &Plan<'a>,
        possible: &[usize],
        results: &[Option<Var>],
        done: &[Var],
        input: Option<InputId>,
    ) {
        let span = plan.span;
        let here: Vec<program::Loc> = possible.iter().map(|_| self.new_loc()).collect();
        let ready: Vec<Term> = possible
            .iter()
            .map(|&k| {
                let done_itself = self.term_of(done[k]);
                let mut conditions = vec![self.terms.not(done_itself)];
                conditions.extend(plan.units[k].before.iter().map(|&other| self.term_of(done[other])));
                self.terms.and(&conditions)
            })
            .collect();
        if let Some(input) = input {
            for (position, _) in possible.iter().enumerate().skip(1) {
                let chosen = self.order_input(input, span);
                let take = self.terms.and(&[chosen, ready[position]]);
                let next = self.new_loc();
                self.branch(take, here[position], next, span);
                self.start(next);
            }
        }
        for (position, &ready) in ready.iter().enumerate() {
            if position + 1 == possible.len() {
                self.jump(here[position], span);
            } else {
                let next = self.new_loc();
                self.branch(ready, here[position], next, span);
                self.start(next);
            }
        }
        let join = self.new_loc();
        for (&k, loc) in possible.iter().zip(here) {
            self.start(loc);
            self.evaluate_unit(plan, k, results[k]);
            let always = self.terms.truth(true);
            self.emit(Action::Assign(vec![(done[k], always)]), span);
            self.jump(join, span);
        }
        self.start(join);
    }
    fn evaluate_unit(&mut self, plan: &Plan<'a>, unit: usize, result: Option<Var>) {
        let operand = plan.is_visible.then(|| plan.operand(unit));
        self.enter(operand, plan.span);
        self.value_of_unit(plan.units[unit].kind, result);
        self.leave(operand.is_some(), plan.span);
    }
    fn value_of_unit(&mut self, kind: UnitKind<'a>, result: Option<Var>) {
        match kind {
            UnitKind::Value(expr) => {
                let saved = self.orders.values.remove(&(expr as *const Expr));
                match (self.class(expr.ty), result) {
                    (Class::Record, Some(result)) => {
                        let copy = self.temporary_object("ordered", expr.ty, expr.span);
                        self.record_into(expr, copy, expr.span);
                        self.write_variable(result, copy, expr.span);
                    }
                    (_, Some(result)) => {
                        let value = self.value(expr);
                        self.write_variable(result, value, expr.span);
                    }
                    (_, None) => self.effect(expr),
                }
                if let Some(saved) = saved {
                    self.orders.values.insert(expr, saved);
                }
            }
            UnitKind::Old(_, place) => {
                let target = self.target(place);
                let old = self.read_target(target, place);
                if let Some(result) = result {
                    self.write_variable(result, old, place.span);
                }
            }
        }
    }
    fn unit_variable(&mut self, kind: UnitKind<'a>) -> Option<Var> {
        let ty = match kind {
            UnitKind::Value(expr) => expr.ty,
            UnitKind::Old(_, place) => place.ty,
        };
        if matches!(self.class(ty), Class::Void | Class::Unsupported(_)) {
            return None;
        }
        let (sort, shown) = (self.sort(ty), self.shown(ty));
        Some(self.new_temp("operand", sort, shown))
    }
    fn remember_unit(&mut self, kind: UnitKind<'a>, result: Option<Var>) {
        let term = match result {
            Some(var) => self.term_of(var),
            None => self.nothing(),
        };
        match kind {
            UnitKind::Value(expr) => self.orders.values.insert(expr, term),
            UnitKind::Old(_, place) => self.orders.old_values.insert(place, term),
        };
    }
    /// What is chosen, as a noun.
    fn choice_text(&self, plan: &Plan<'a>) -> String {
        let names: Vec<String> = plan
            .units
            .iter()
            .map(|unit| match unit.kind {
                UnitKind::Value(expr) => format!("`{}`", self.snippet(expr.span)),
                UnitKind::Old(_, place) => format!("`{}`", self.snippet(place.span)),
            })
            .collect();
        match names.as_slice() {
            [rest @ .., last] if !rest.is_empty() => {
                format!("the order of evaluation of {} and {last}", rest.join(", "))
            }
            _ => "the order of evaluation".to_owned(),
        }
    }
}
