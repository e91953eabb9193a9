//! Statements: blocks, branches, loops, jumps.

use program::{Action, InputKind, Loc, Mark};

use crate::ast::Span;
use crate::hir::{Expr, ExprKind, LabelId, Stmt, StmtKind, SwitchCase};

use super::Lowering;
use super::blocks::Key;
use super::types::Class;

impl Lowering<'_> {
    pub(super) fn statements(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.statement(stmt);
        }
    }
    fn statement(&mut self, stmt: &Stmt) {
        self.deeper(stmt.span, (), |this| this.statement_here(stmt));
    }
    /// Lowers one statement. Long: one `match` over all statements.
    fn statement_here(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        self.current.span = span;
        match &stmt.kind {
            StmtKind::Block(body) => return self.block(body, span),
            StmtKind::Case(_) | StmtKind::Label(_) => {}
            _ => self.begin_statement(span),
        }
        match &stmt.kind {
            StmtKind::Expr(expr) => {
                self.effect(expr);
                self.end_temporaries(span);
            }
            StmtKind::Declare(var, init) => {
                self.declare(*var, init.as_ref(), span);
                self.end_temporaries(span);
            }
            StmtKind::Block(_) => {}
            StmtKind::If { arms, otherwise } => self.if_statement(arms, otherwise, span),
            StmtKind::While { condition, body } => {
                let (head, inside, end) = (self.loop_head(span), self.new_loc(), self.new_loc());
                self.full_condition(condition, inside, end);
                self.loop_body(body, inside, head, end);
                self.jump(head, span);
                self.start(end);
            }
            StmtKind::DoWhile { body, condition } => {
                let head = self.loop_head(span);
                let (test, end) = (self.new_loc(), self.new_loc());
                self.loop_body(body, head, test, end);
                self.jump(test, span);
                self.start(test);
                self.begin_statement(condition.span);
                self.full_condition(condition, head, end);
                self.start(end);
            }
            StmtKind::For { init, condition, step, body } => {
                self.open_scope(Key::clause(body));
                self.statements(init);
                let (head, inside, next, end) = (self.loop_head(span), self.new_loc(), self.new_loc(), self.new_loc());
                match condition {
                    Some(condition) => self.full_condition(condition, inside, end),
                    None => self.jump(inside, span),
                }
                self.loop_body(body, inside, next, end);
                self.jump(next, span);
                self.start(next);
                if let Some(step) = step {
                    self.begin_statement(step.span);
                    self.effect(step);
                    self.end_temporaries(step.span);
                }
                self.jump(head, span);
                self.start(end);
                self.close_scope(span);
            }
            StmtKind::Switch { value, cases, body } => self.switch(value, cases, body, span),
            StmtKind::Case(n) => {
                let case =
                    *self.current.cases.last().and_then(|cases| cases.get(*n)).expect("a case is inside a switch");
                self.jump(case, span);
                self.start(case);
            }
            StmtKind::Label(label) => {
                let loc = self.label(*label);
                let name = self.label_name(*label);
                self.meet_label(*label);
                self.mark(loc, Mark::Label(name), span);
                self.jump(loc, span);
                self.start(loc);
            }
            StmtKind::Goto(label) => self.jump_to_label(*label, span),
            StmtKind::GotoComputed(address) => self.computed_goto(address, span),
            StmtKind::Break => {
                let (to, open) = *self.current.breaks.last().expect("a break is inside a loop or switch");
                self.end_scopes(open, span);
                self.jump(to, span);
            }
            StmtKind::Continue => {
                let (to, open) = *self.current.continues.last().expect("a continue is inside a loop");
                self.end_scopes(open, span);
                self.jump(to, span);
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            StmtKind::Asm { template, outputs, memory, inputs, writes_memory } => {
                let pointers = writes_memory.then_some(&inputs[..]);
                self.assembler(template, outputs, memory, pointers, span);
            }
        }
    }

    fn if_statement(&mut self, arms: &[(Expr, Vec<Stmt>, Span)], otherwise: &[Stmt], span: Span) {
        let join = self.new_loc();
        for (condition, body, _) in arms {
            let (yes, no) = (self.new_loc(), self.new_loc());
            self.begin_statement(condition.span);
            self.full_condition(condition, yes, no);
            self.start(yes);
            self.block(body, span);
            self.jump(join, span);
            self.start(no);
        }
        self.block(otherwise, span);
        self.jump(join, span);
        self.start(join);
    }
    /// Goes to a new location where each round of a loop begins.
    fn loop_head(&mut self, span: Span) -> Loc {
        let head = self.new_loc();
        self.mark(head, Mark::LoopHead, span);
        self.jump(head, span);
        self.start(head);
        head
    }
    fn loop_body(&mut self, body: &[Stmt], start: Loc, again: Loc, end: Loc) {
        self.start(start);
        let open = self.current.scopes.len();
        self.current.breaks.push((end, open));
        self.current.continues.push((again, open));
        self.block(body, self.current.span);
        self.current.breaks.pop();
        self.current.continues.pop();
    }
    /// The cases stay equalities; the default is taken if none of them holds.
    fn switch(&mut self, value: &Expr, cases: &[SwitchCase], body: &[Stmt], span: Span) {
        let signed = matches!(self.class(value.ty), Class::Int { signed: true, .. });
        let ty = value.ty;
        let term = self.value(value);
        self.end_temporaries(span);
        let end = self.new_loc();
        let locs: Vec<Loc> = cases.iter().map(|_| self.new_loc()).collect();
        let ways: Vec<Loc> =
            locs.iter().enumerate().map(|(case, &loc)| self.way_to_case(body, case, loc, span)).collect();
        let mut default = end;
        let mut negated = Vec::new();
        let from = self.current.at.take();
        let place = self.place(span);
        let never = self.terms.truth(false);
        for (case, &loc) in cases.iter().zip(&ways) {
            let guard = match case {
                SwitchCase::Default => {
                    default = loc;
                    continue;
                }
                SwitchCase::Value(value) => {
                    let value = self.constant(ty, *value);
                    self.terms.eq(term, value)
                }
                SwitchCase::Range(low, high) => {
                    let (low, high) = (self.constant(ty, *low), self.constant(ty, *high));
                    let (above, below) = if signed {
                        (self.terms.bv_sle(low, term), self.terms.bv_sle(term, high))
                    } else {
                        (self.terms.bv_ule(low, term), self.terms.bv_ule(term, high))
                    };
                    self.terms.and(&[above, below])
                }
            };
            negated.push(self.terms.not(guard));
            if let Some(from) = from
                && guard != never
            {
                self.push_edge(from, loc, Action::Assume(guard), place);
            }
        }
        let guard = self.terms.and(&negated);
        if let Some(from) = from
            && guard != never
        {
            self.push_edge(from, default, Action::Assume(guard), place);
        }
        self.current.cases.push(locs);
        self.current.breaks.push((end, self.current.scopes.len()));
        self.block(body, span);
        self.current.breaks.pop();
        self.current.cases.pop();
        self.jump(end, span);
        self.start(end);
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        self.check_no_return(span);
        match (value, self.current.result, self.current.result_address) {
            (Some(value), _, Some(to)) => self.record_into(value, to, span),
            (Some(value), Some(result), _) => {
                let term = self.value_into(value, Some(result));
                let returned = self.current.result_type.filter(|_| self.class(value.ty) != Class::Void);
                let term = match returned {
                    Some(ty) => self.convert(term, value.ty, ty, span),
                    None => term,
                };
                self.write_variable(result, term, span);
            }
            (Some(value), None, None) => self.effect(value),
            (None, Some(result), _) => {
                let name = format!("result of {}", self.program.functions[self.current.id].name);
                let shown = self.program.vars[result].shown;
                let input = self.new_input(InputKind::Uninitialised(name), shown, span);
                self.emit(Action::Havoc { var: result, input }, span);
            }
            (None, None, _) => {}
        }
        self.jump(self.current.exit, span);
    }

    pub(super) fn label(&mut self, label: LabelId) -> Loc {
        if let Some(&loc) = self.current.labels.get(&label) {
            return loc;
        }
        let loc = self.new_loc();
        self.current.labels.insert(label, loc);
        loc
    }
    fn label_name(&self, label: LabelId) -> String {
        self.current
            .hir
            .and_then(|function| self.unit.functions[function].labels.get(label).cloned())
            .unwrap_or_else(|| "label".to_owned())
    }
    /// The text of a string literal, if the expression is one.
    pub(super) fn string_text(&self, expr: &Expr) -> Option<String> {
        let mut expr = expr;
        loop {
            match &expr.kind {
                ExprKind::Cast(operand) => expr = operand,
                ExprKind::AddressOf(place) | ExprKind::Read(place) => {
                    let crate::hir::PlaceKind::String(string) = place.kind else { return None };
                    let bytes = &self.unit.strings[string].bytes;
                    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
                    return Some(String::from_utf8_lossy(text).into_owned());
                }
                _ => return None,
            }
        }
    }
}
