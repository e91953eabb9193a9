//! Statements: each leads from a location to the one where the next statement begins.

use base::FastMap;
use program::{FunId, InputKind, Loc, Mark, Var};
use term::Term;

use super::Lowering;
use super::expr::{NoTerm, Scope};
use crate::ast::{Block, ExprId, Guard, Name, Stmt, StmtKind, Target};
use crate::source::Span;

/// Variables by name, with what is assumed of them wherever they get a free value.
pub(super) type Targets = FastMap<String, (Var, Option<ExprId>)>;

/// What is wrong with a global that the contract does not allow to change.
pub(super) const NOT_MODIFIED: &str = "the `modifies` clauses of this procedure do not name";

/// A body that is being lowered.
pub(super) struct BodyState {
    pub function: FunId,
    pub scope: Scope,
    /// The globals that the procedure may change.
    pub modifies: Vec<String>,
    /// The locals that may be assigned, with what is assumed of them wherever they get a free value.
    pub targets: Targets,
    /// Where `return` leads.
    ret: Loc,
    labels: FastMap<String, Loc>,
    /// Enclosing loops and labelled statements: the label, whether it is a loop, where `break` leads.
    enclosing: Vec<(Option<String>, bool, Loc)>,
}

impl BodyState {
    pub fn new(function: FunId, scope: Scope, targets: Targets, modifies: Vec<String>, ret: Loc) -> Self {
        BodyState { function, scope, modifies, targets, ret, labels: FastMap::new(), enclosing: Vec::new() }
    }
}

impl Lowering<'_> {
    /// Makes locations for all labels of the block.
    pub(super) fn labels(&mut self, state: &mut BodyState, block: &Block) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Label(name) => {
                    let place = self.place(name.span);
                    let mark = Mark::Label(name.text.clone());
                    let loc = self.builder.marked_location(state.function, mark, place);
                    if state.labels.insert(name.text.clone(), loc).is_some() {
                        self.error(name.span, format!("there is a label `{}` already", name.text));
                    }
                }
                StmtKind::If(_, then, otherwise) => {
                    self.labels(state, then);
                    if let Some(otherwise) = otherwise {
                        self.labels(state, otherwise);
                    }
                }
                StmtKind::While { body, .. } => self.labels(state, body),
                _ => {}
            }
        }
    }

    /// The statements of a block, and where they end.
    pub(super) fn block(&mut self, state: &mut BodyState, from: Loc, block: &Block) -> Loc {
        let mut at = from;
        let mut label: Option<&Name> = None;
        for stmt in &block.stmts {
            if let StmtKind::Label(name) = &stmt.kind {
                let to = state.labels[name.text.as_str()];
                self.builder.step(self.terms, at, to);
                (at, label) = (to, Some(name));
                continue;
            }
            at = self.statement(state, at, stmt, label.take());
        }
        at
    }

    /// Lowers one statement; returns the location after it. Long: one `match` over all statements.
    fn statement(&mut self, state: &mut BodyState, at: Loc, stmt: &Stmt, label: Option<&Name>) -> Loc {
        let (function, span) = (state.function, stmt.span);
        match &stmt.kind {
            StmtKind::Label(_) => unreachable!("labels belong to blocks"),
            StmtKind::Assert(condition) => {
                let scope = state.scope.clone();
                self.asserted(function, at, &scope, *condition, "a failing assertion")
            }
            StmtKind::Assume(condition) => {
                let scope = state.scope.clone();
                self.assumed(function, at, &scope, *condition, "an `assume`")
            }
            StmtKind::Havoc(names) => {
                let mut at = at;
                let mut restrictions = Vec::new();
                for name in names {
                    let Some((var, restriction)) = self.target(state, name) else { continue };
                    at = self.havoc(function, at, var, InputKind::Nondet("havoc".to_owned()), name.span);
                    restrictions.extend(restriction);
                }
                for restriction in restrictions {
                    let scope = state.scope.clone();
                    at = self.assumed(function, at, &scope, restriction, "a `where` clause");
                }
                at
            }
            StmtKind::Assign(pairs) => self.assignment(state, at, pairs, span),
            StmtKind::Call { results, procedure, args } => self.call(state, at, results, procedure, args, span),
            StmtKind::If(guard, then, otherwise) => {
                let (yes, no) = self.branch(state, at, guard, span);
                let end = self.location(function, None);
                if let Some(label) = label {
                    state.enclosing.push((Some(label.text.clone()), false, end));
                }
                let after = self.block(state, yes, then);
                self.builder.step(self.terms, after, end);
                let after = match otherwise {
                    Some(otherwise) => self.block(state, no, otherwise),
                    None => no,
                };
                self.builder.step(self.terms, after, end);
                if label.is_some() {
                    state.enclosing.pop();
                }
                end
            }
            StmtKind::While { guard, invariants, body } => {
                let place = self.place(span);
                let head = self.builder.marked_location(function, Mark::LoopHead, place);
                self.builder.step(self.terms, at, head);
                let mut at = head;
                let scope = state.scope.clone();
                for &(free, invariant) in invariants {
                    at = match free {
                        true => self.assumed(function, at, &scope, invariant, "a free invariant"),
                        false => self.asserted(function, at, &scope, invariant, "a broken invariant"),
                    };
                }
                let (yes, no) = self.branch(state, at, guard, span);
                let end = self.location(function, None);
                self.builder.step(self.terms, no, end);
                state.enclosing.push((label.map(|name| name.text.clone()), true, end));
                let after = self.block(state, yes, body);
                state.enclosing.pop();
                self.builder.step(self.terms, after, head);
                end
            }
            StmtKind::Break(label) => {
                let found = state.enclosing.iter().rev().find(|(name, is_loop, _)| match label {
                    Some(label) => name.as_deref() == Some(label.text.as_str()),
                    None => *is_loop,
                });
                match found {
                    Some(&(_, _, to)) => {
                        self.builder.step(self.terms, at, to);
                    }
                    None => self.error(span, "there is nothing here to break out of"),
                }
                self.location(function, None)
            }
            StmtKind::Return => {
                self.builder.step(self.terms, at, state.ret);
                self.location(function, None)
            }
            StmtKind::Goto(names) => {
                let mut at = at;
                for (number, name) in names.iter().enumerate() {
                    let Some(&to) = state.labels.get(name.text.as_str()) else {
                        self.error(name.span, format!("there is no label `{}`", name.text));
                        continue;
                    };
                    if number + 1 == names.len() {
                        self.builder.step(self.terms, at, to);
                    } else {
                        let (taken, other) = self.choice(function, at, Some(span));
                        self.builder.step(self.terms, taken, to);
                        at = other;
                    }
                }
                self.location(function, None)
            }
            StmtKind::Unsupported(what) => {
                self.unsupported(span, what);
                at
            }
        }
    }

    /// Where a run goes if the condition holds, and if not.
    fn branch(&mut self, state: &BodyState, at: Loc, guard: &Guard, span: Span) -> (Loc, Loc) {
        let function = state.function;
        let Guard::Expr(condition) = *guard else { return self.choice(function, at, Some(span)) };
        match self.condition(&state.scope, condition) {
            Ok(yes) => {
                let no = self.terms.not(yes);
                let span = self.file.exprs[condition].span;
                (self.assume(function, at, yes, Some(span)), self.assume(function, at, no, Some(span)))
            }
            Err(why) => {
                if let NoTerm::Beyond(beyond, at) = why {
                    self.approximate(format!("a condition with {beyond} is left to chance"), at);
                }
                self.choice(function, at, Some(span))
            }
        }
    }

    /// A condition that must hold; it does afterwards.
    pub(super) fn asserted(&mut self, function: FunId, at: Loc, scope: &Scope, expr: ExprId, what: &str) -> Loc {
        if let Some(after) = self.asserted_for_all(function, at, scope, expr, what) {
            return after;
        }
        let span = self.file.exprs[expr].span;
        match self.condition(scope, expr) {
            Ok(condition) => self.must_hold(function, at, condition, span, what),
            Err(NoTerm::Wrong) => at,
            Err(NoTerm::Beyond(beyond, place)) => {
                self.unsupported(place, &format!("an assertion with {beyond}"));
                at
            }
        }
    }
    pub(super) fn must_hold(&mut self, function: FunId, at: Loc, condition: Term, span: Span, what: &str) -> Loc {
        let text = format!("{what} `{}`", self.short(span));
        let place = self.place(span);
        let assertion = self.builder.assertion(text, place);
        let error = self.builder.error_location(function, assertion);
        let fails = self.terms.not(condition);
        let at = self.with_instances(function, at, &[condition]);
        self.builder.assume(at, error, fails, place);
        self.assume_alone(function, at, condition, Some(span))
    }

    /// The variable that may be assigned under this name, with what is known of it wherever it is free.
    pub(super) fn target(&mut self, state: &BodyState, name: &Name) -> Option<(Var, Option<ExprId>)> {
        if let Some(&target) = state.targets.get(name.text.as_str()) {
            return Some(target);
        }
        if state.scope.local.contains_key(name.text.as_str()) {
            self.error(name.span, format!("the parameter `{}` cannot be assigned", name.text));
            return None;
        }
        match self.globals.get(name.text.as_str()) {
            Some(global) if !global.is_const => {
                let target = (global.var, global.restriction);
                if !state.modifies.contains(&name.text) {
                    self.error(name.span, format!("this changes the global `{}`, which {NOT_MODIFIED}", name.text));
                }
                Some(target)
            }
            Some(_) => {
                self.error(name.span, format!("the constant `{}` cannot be assigned", name.text));
                None
            }
            None => {
                self.error(name.span, format!("there is no variable `{}`", name.text));
                None
            }
        }
    }

    fn assignment(&mut self, state: &BodyState, at: Loc, pairs: &[(Target, ExprId)], span: Span) -> Loc {
        let mut assigned: Vec<(Var, Term)> = Vec::new();
        let mut free: Vec<(Var, Span)> = Vec::new();
        for (target, value) in pairs {
            let Some((var, _)) = self.target(state, &target.name) else { continue };
            if assigned.iter().any(|(other, _)| *other == var) || free.iter().any(|(other, _)| *other == var) {
                self.error(target.name.span, format!("`{}` is assigned twice", target.name.text));
                continue;
            }
            match self.assigned_value(state, target, *value) {
                Ok(term) => assigned.push((var, term)),
                Err(NoTerm::Wrong) => {}
                Err(NoTerm::Beyond(beyond, place)) => {
                    self.approximate(format!("a value with {beyond} is any value"), place);
                    free.push((var, place));
                }
            }
        }
        let mut at = self.assign(state.function, at, assigned, Some(span));
        for (var, place) in free {
            at = self.havoc(state.function, at, var, InputKind::External("an expression".to_owned()), place);
        }
        at
    }
    /// The new value of the target's variable: `m[i][j] := e` is `m := m[i := m[i][j := e]]`.
    fn assigned_value(&mut self, state: &BodyState, target: &Target, value: ExprId) -> Result<Term, NoTerm> {
        let span = self.file.exprs[value].span;
        let new = self.value(&state.scope, value)?;
        let variable = match state.scope.local.get(target.name.text.as_str()) {
            Some(value) => value.clone(),
            None => self.globals[target.name.text.as_str()].value.clone(),
        };
        let mut maps = vec![variable.clone()];
        let mut indices = Vec::new();
        for index in &target.indices {
            let index: Result<Vec<_>, NoTerm> = index.iter().map(|&one| self.value(&state.scope, one)).collect();
            let index = index?;
            let map = maps.last().expect("there is always the variable").clone();
            maps.push(self.select(map, index.clone(), target.name.span)?);
            indices.push(index);
        }
        let mut new = new;
        let last = maps.pop().expect("there is always the variable");
        self.want(new.clone(), &last.ty, span)?;
        while let (Some(map), Some(index)) = (maps.pop(), indices.pop()) {
            new = self.update(map, index, new, target.name.span)?;
        }
        Ok(new.term)
    }
}
