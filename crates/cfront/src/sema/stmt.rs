//! Statements: labels and jumps resolved, switch cases collected, declarations in their place.

use base::{FastMap, IndexVec};

use super::convert::Why;
use super::{Body, Sema};
use crate::ast::{self, Name, Span, StmtId};
use crate::hir::{Expr, ExprKind, FunctionId, LabelId, Stmt, StmtKind, SwitchCase, TypeId};

/// The labels of a function.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// Their texts.
    pub names: IndexVec<LabelId, String>,
    known: FastMap<Name, LabelId>,
    /// Labels of blocks that are open (`__label__`), innermost last.
    local: Vec<(Name, LabelId)>,
    facts: IndexVec<LabelId, LabelFacts>,
}

#[derive(Debug, Default)]
struct LabelFacts {
    defined: bool,
    first_use: Option<Span>,
}

/// A switch whose body is being read.
#[derive(Debug)]
pub(super) struct OpenSwitch {
    ty: TypeId,
    cases: Vec<SwitchCase>,
    spans: Vec<Span>,
    has_default: bool,
}

impl Body {
    /// Nothing read yet.
    pub(super) fn new(function: FunctionId, result: TypeId) -> Self {
        Body {
            function,
            result,
            labels: Labels::default(),
            switches: Vec::new(),
            breakable: 0,
            continuable: 0,
            name_literal: None,
        }
    }
}

impl Labels {
    fn find(&mut self, name: Name, text: &str) -> LabelId {
        if let Some(&(_, label)) = self.local.iter().rev().find(|(known, _)| *known == name) {
            return label;
        }
        if let Some(&label) = self.known.get(&name) {
            return label;
        }
        let label = self.add(text);
        self.known.insert(name, label);
        label
    }

    fn add(&mut self, text: &str) -> LabelId {
        self.facts.push(LabelFacts::default());
        self.names.push(text.to_owned())
    }
}

impl<'a> Sema<'a> {
    /// The statements of a function's body, which share the scope of the parameters.
    pub(super) fn function_body(&mut self, body: StmtId, out: &mut Vec<Stmt>) {
        let ast = self.ast;
        match &ast.stmts[body].kind {
            ast::StmtKind::Compound(statements) => {
                for &statement in statements {
                    self.statement(statement, out);
                }
            }
            _ => self.statement(body, out),
        }
    }

    /// Labels that were used and never defined.
    pub(super) fn finish_labels(&mut self, body: &Body) {
        for (label, facts) in body.labels.facts.iter_enumerated() {
            if let (false, Some(span)) = (facts.defined, facts.first_use) {
                let text = body.labels.names[label].clone();
                self.error(span, format!("there is no label `{text}` in this function"), "");
            }
        }
    }

    fn labels(&mut self) -> &mut Labels {
        &mut self.body.as_mut().expect("statements stand in functions").labels
    }

    pub(super) fn use_label(&mut self, name: Name, span: Span) -> LabelId {
        let text = self.text(name);
        let labels = self.labels();
        let label = labels.find(name, text);
        labels.facts[label].first_use.get_or_insert(span);
        label
    }

    /// `&&label`.
    pub(super) fn label_address(&mut self, name: Name, span: Span) -> Expr {
        if self.body.is_none() {
            return self.error_expr(span, "there are no labels outside functions", "");
        }
        let label = self.use_label(name, span);
        Expr { kind: ExprKind::LabelAddress(label), ty: self.basic.void_pointer, span }
    }

    /// Adds what the statement does to `out`.
    pub(super) fn statement(&mut self, id: StmtId, out: &mut Vec<Stmt>) {
        let ast = self.ast;
        let mut id = id;
        // Labels in front of a statement can be many (`case 1: case 2: …`), so they are a loop.
        loop {
            let statement = &ast.stmts[id];
            let span = statement.span;
            match &statement.kind {
                ast::StmtKind::Label(name, inner) => {
                    self.define_label(*name, span, out);
                    id = *inner;
                }
                ast::StmtKind::Case(low, high, inner) => {
                    self.case(*low, *high, span, out);
                    id = *inner;
                }
                ast::StmtKind::Default(inner) => {
                    self.default_case(span, out);
                    id = *inner;
                }
                kind => {
                    self.plain_statement(kind, span, out);
                    return;
                }
            }
        }
    }

    fn plain_statement(&mut self, kind: &'a ast::StmtKind, span: Span, out: &mut Vec<Stmt>) {
        match kind {
            ast::StmtKind::Expr(None) | ast::StmtKind::Error => {}
            ast::StmtKind::Expr(Some(expr)) => {
                let expr = self.expr(*expr);
                self.place_sizes(out);
                out.push(Stmt { kind: StmtKind::Expr(expr), span });
            }
            ast::StmtKind::Compound(statements) => {
                let body = self.block(statements);
                out.push(Stmt { kind: StmtKind::Block(body), span });
            }
            ast::StmtKind::Declaration(declaration) => self.declaration(declaration, out),
            ast::StmtKind::NestedFunction(definition) => self.nested_function(definition, out),
            ast::StmtKind::StaticAssert(assertion) => self.static_assert(assertion),
            ast::StmtKind::If { arms, otherwise } => self.if_statement(arms, *otherwise, span, out),
            ast::StmtKind::Switch(value, body) => self.switch(*value, *body, span, out),
            ast::StmtKind::While(condition, body) => {
                let condition = self.controlling(*condition);
                let body = self.loop_body(*body);
                out.push(Stmt { kind: StmtKind::While { condition, body }, span });
            }
            ast::StmtKind::DoWhile(body, condition) => {
                let body = self.loop_body(*body);
                let condition = self.controlling(*condition);
                out.push(Stmt { kind: StmtKind::DoWhile { body, condition }, span });
            }
            ast::StmtKind::For { init, condition, step, body } => {
                self.for_statement(*init, *condition, *step, *body, span, out);
            }
            ast::StmtKind::Goto(name, at) => {
                let label = self.use_label(*name, *at);
                out.push(Stmt { kind: StmtKind::Goto(label), span });
            }
            ast::StmtKind::GotoComputed(target) => {
                let target = self.expr(*target);
                out.push(Stmt { kind: StmtKind::GotoComputed(target), span });
            }
            ast::StmtKind::Continue => {
                if self.body.as_ref().is_none_or(|body| body.continuable == 0) {
                    self.error(span, "`continue` stands outside any loop", "");
                } else {
                    out.push(Stmt { kind: StmtKind::Continue, span });
                }
            }
            ast::StmtKind::Break => {
                if self.body.as_ref().is_none_or(|body| body.breakable == 0) {
                    self.error(span, "`break` stands outside any loop or switch", "");
                } else {
                    out.push(Stmt { kind: StmtKind::Break, span });
                }
            }
            ast::StmtKind::Return(value) => self.return_statement(*value, span, out),
            ast::StmtKind::LocalLabels(names) => {
                for &name in names {
                    let text = self.text(name);
                    let labels = self.labels();
                    let label = labels.add(text);
                    labels.local.push((name, label));
                }
            }
            ast::StmtKind::Asm(asm) => self.asm(asm, span, out),
            ast::StmtKind::Label(..) | ast::StmtKind::Case(..) | ast::StmtKind::Default(_) => {
                unreachable!("labels are taken off before")
            }
        }
    }

    /// A block with a scope of its own.
    fn block(&mut self, statements: &'a [StmtId]) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(statements.len());
        self.scopes.push();
        let local = self.labels().local.len();
        for &statement in statements {
            self.statement(statement, &mut out);
        }
        self.labels().local.truncate(local);
        self.scopes.pop();
        out
    }

    /// A statement that may but need not be a block.
    fn substatement(&mut self, id: StmtId) -> Vec<Stmt> {
        let ast = self.ast;
        if let ast::StmtKind::Compound(statements) = &ast.stmts[id].kind {
            return self.block(statements);
        }
        let mut out = Vec::new();
        self.scopes.push();
        self.statement(id, &mut out);
        self.scopes.pop();
        out
    }

    fn controlling(&mut self, id: ast::ExprId) -> Expr {
        let condition = self.expr(id);
        let sizes = std::mem::take(&mut self.vla_sizes);
        let mut condition = self.condition(condition);
        for size in sizes.into_iter().rev() {
            let (ty, span) = (condition.ty, condition.span);
            condition = Expr { kind: ExprKind::Comma(Box::new(size), Box::new(condition)), ty, span };
        }
        condition
    }

    fn loop_body(&mut self, body: StmtId) -> Vec<Stmt> {
        if let Some(open) = &mut self.body {
            open.breakable += 1;
            open.continuable += 1;
        }
        let statements = self.substatement(body);
        if let Some(open) = &mut self.body {
            open.breakable -= 1;
            open.continuable -= 1;
        }
        statements
    }

    fn if_statement(
        &mut self,
        arms: &'a [(ast::ExprId, StmtId, Span)],
        otherwise: Option<StmtId>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let mut typed = Vec::with_capacity(arms.len());
        for &(condition, body, at) in arms {
            let condition = self.controlling(condition);
            let body = self.substatement(body);
            typed.push((condition, body, at));
        }
        let otherwise = otherwise.map_or(Vec::new(), |body| self.substatement(body));
        out.push(Stmt { kind: StmtKind::If { arms: typed, otherwise }, span });
    }

    fn for_statement(
        &mut self,
        init: Option<StmtId>,
        condition: Option<ast::ExprId>,
        step: Option<ast::ExprId>,
        body: StmtId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        self.scopes.push();
        let mut first = Vec::new();
        if let Some(init) = init {
            self.statement(init, &mut first);
        }
        let condition = condition.map(|condition| self.controlling(condition));
        let step = step.map(|step| {
            let step = self.expr(step);
            self.after_sizes(0, step)
        });
        let body = self.loop_body(body);
        self.scopes.pop();
        out.push(Stmt { kind: StmtKind::For { init: first, condition, step, body }, span });
    }

    fn define_label(&mut self, name: Name, span: Span, out: &mut Vec<Stmt>) {
        let text = self.text(name);
        let labels = self.labels();
        let label = labels.find(name, text);
        let twice = std::mem::replace(&mut labels.facts[label].defined, true);
        if twice {
            self.error(span, format!("the label `{text}` is defined twice"), "");
        }
        out.push(Stmt { kind: StmtKind::Label(label), span });
    }

    fn switch(&mut self, value: ast::ExprId, body: StmtId, span: Span, out: &mut Vec<Stmt>) {
        let value = self.expr(value);
        let value = self.after_sizes(0, value);
        let value = if self.unit.types.is_integer(value.ty) {
            self.promote(value)
        } else if self.is_unsupported(value.ty) {
            value
        } else {
            let shown = self.unit.types.display(value.ty);
            self.error_expr(value.span, format!("`switch` needs an integer, not `{shown}`"), "")
        };
        let open = OpenSwitch { ty: value.ty, cases: Vec::new(), spans: Vec::new(), has_default: false };
        if let Some(function) = &mut self.body {
            function.switches.push(open);
            function.breakable += 1;
        }
        let body = self.substatement(body);
        let mut cases = Vec::new();
        if let Some(function) = &mut self.body {
            function.breakable -= 1;
            if let Some(closed) = function.switches.pop() {
                self.check_cases(&closed);
                cases = closed.cases;
            }
        }
        out.push(Stmt { kind: StmtKind::Switch { value, cases, body }, span });
    }

    /// No value may be named by two cases.
    fn check_cases(&mut self, switch: &OpenSwitch) {
        let mut ranges: Vec<(i128, i128, Span)> = Vec::with_capacity(switch.cases.len());
        for (case, &span) in switch.cases.iter().zip(&switch.spans) {
            match *case {
                SwitchCase::Value(value) => ranges.push((value, value, span)),
                SwitchCase::Range(low, high) if low <= high => ranges.push((low, high, span)),
                SwitchCase::Range(..) | SwitchCase::Default => {}
            }
        }
        ranges.sort_by_key(|&(low, high, span)| (low, high, span.start));
        for pair in ranges.windows(2) {
            if pair[1].0 <= pair[0].1 {
                let later = if pair[0].2.start > pair[1].2.start { pair[0].2 } else { pair[1].2 };
                self.error(later, format!("the case {} appears twice in this switch", pair[1].0), "");
            }
        }
    }

    fn add_case(&mut self, case: SwitchCase, span: Span, out: &mut Vec<Stmt>) {
        if let Some(switch) = self.body.as_mut().and_then(|body| body.switches.last_mut()) {
            let number = switch.cases.len();
            switch.cases.push(case);
            switch.spans.push(span);
            out.push(Stmt { kind: StmtKind::Case(number), span });
        }
    }

    fn case(&mut self, low: ast::ExprId, high: Option<ast::ExprId>, span: Span, out: &mut Vec<Stmt>) {
        let Some(ty) = self.body.as_ref().and_then(|body| body.switches.last()).map(|switch| switch.ty) else {
            self.error(span, "`case` stands outside any switch", "");
            return;
        };
        let Some(low) = self.case_value(low, ty) else { return };
        let case = match high {
            None => SwitchCase::Value(low),
            Some(high) => {
                let Some(high) = self.case_value(high, ty) else { return };
                if high < low {
                    self.warn(span, "this range of cases is empty", "");
                }
                SwitchCase::Range(low, high)
            }
        };
        self.add_case(case, span, out);
    }

    fn case_value(&mut self, id: ast::ExprId, ty: TypeId) -> Option<i128> {
        let value = self.expr(id);
        let span = value.span;
        let number = self.demand_integer(&value, "the value of a case")?;
        if self.is_unsupported(ty) {
            return None;
        }
        let converted = self.convert_integer(number, ty);
        if converted != number && self.convert_integer(converted, value.ty) != number {
            let shown = self.unit.types.display(ty);
            self.warn(span, format!("the case {number} does not fit `{shown}` and becomes {converted}"), "");
        }
        Some(converted)
    }

    fn default_case(&mut self, span: Span, out: &mut Vec<Stmt>) {
        let Some(switch) = self.body.as_mut().and_then(|body| body.switches.last_mut()) else {
            self.error(span, "`default` stands outside any switch", "");
            return;
        };
        if std::mem::replace(&mut switch.has_default, true) {
            self.error(span, "this switch has two `default` labels", "");
            return;
        }
        self.add_case(SwitchCase::Default, span, out);
    }

    fn return_statement(&mut self, value: Option<ast::ExprId>, span: Span, out: &mut Vec<Stmt>) {
        let result = self.result_type();
        let value = match value {
            None => {
                if !self.unit.types.is_void(result) && !self.is_error(result) {
                    self.warn(span, "this function returns a value, but not here", "");
                }
                None
            }
            Some(value) => {
                let value = self.expr(value);
                let value = self.after_sizes(0, value);
                if self.unit.types.is_void(result) {
                    if !self.unit.types.is_void(value.ty) && !self.is_error(value.ty) {
                        self.warn(span, "a value is returned from a function without a result", "");
                    }
                    out.push(Stmt { kind: StmtKind::Expr(value), span });
                    None
                } else {
                    Some(self.convert(value, result, Why::Return))
                }
            }
        };
        out.push(Stmt { kind: StmtKind::Return(value), span });
    }

    /// `({ … })`: its value is that of the last statement, if that is an expression.
    pub(super) fn statement_expr(&mut self, body: StmtId, span: Span) -> Expr {
        let ast = self.ast;
        let ast::StmtKind::Compound(statements) = &ast.stmts[body].kind else {
            return self.silent_error(span);
        };
        if self.body.is_none() {
            return self.error_expr(span, "a statement expression stands outside any function", "");
        }
        // Sizes that wait outside belong outside.
        let waiting = std::mem::take(&mut self.vla_sizes);
        let mut out = Vec::with_capacity(statements.len());
        let mut value = None;
        self.scopes.push();
        let local = self.labels().local.len();
        if let Some((&last, before)) = statements.split_last() {
            for &statement in before {
                self.statement(statement, &mut out);
            }
            value = self.last_value(last, &mut out);
        }
        self.labels().local.truncate(local);
        self.scopes.pop();
        self.vla_sizes = waiting;
        let ty = value.as_ref().map_or(self.basic.void, |value| value.ty);
        if self.is_error(ty) {
            return self.silent_error(span);
        }
        Expr { kind: ExprKind::StmtExpr(out, value.map(Box::new)), ty, span }
    }

    fn last_value(&mut self, last: StmtId, out: &mut Vec<Stmt>) -> Option<Expr> {
        let ast = self.ast;
        let mut last = last;
        while let ast::StmtKind::Label(name, inner) = &ast.stmts[last].kind {
            self.define_label(*name, ast.stmts[last].span, out);
            last = *inner;
        }
        let ast::StmtKind::Expr(Some(id)) = ast.stmts[last].kind else {
            self.statement(last, out);
            return None;
        };
        let value = self.expr(id);
        self.place_sizes(out);
        if self.unit.types.is_void(value.ty) {
            out.push(Stmt { kind: StmtKind::Expr(value), span: ast.stmts[last].span });
            return None;
        }
        Some(value)
    }
}
