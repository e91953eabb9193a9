//! Procedures: bodies at the start of runs, and as functions that are called.

use base::FastMap;
use program::{FunId, InputKind, Loc, Var};

use super::expr::{Scope, Value};
use super::stmt::{BodyState, Targets};
use super::{Lowering, shown};
use crate::ast::{Block, Body, ExprId, ExprKind, Name, Procedure, SpecKind, Stmt, StmtKind, VarDecl};

impl<'a> Lowering<'a> {
    /// A body where runs start: any arguments that the contract allows.
    pub(super) fn root(&mut self, function: FunId, from: Loc, index: usize, body: &'a Procedure) {
        let mut scope = Scope::default();
        let mut at = from;
        let mut targets = FastMap::new();
        for param in &body.params {
            if let Some(var) = self.local(function, &mut scope, param, &body.type_params) {
                let kind = InputKind::Nondet(param.name.text.clone());
                at = self.havoc(function, at, var, kind, param.name.span);
            }
        }
        for param in &body.params {
            if let Some(restriction) = param.restriction {
                at = self.assumed(function, at, &scope, restriction, "a `where` clause");
            }
        }
        let contract = self.contract_scope(index, body, &scope);
        for spec in &self.procedures[index].decl.specs {
            if let SpecKind::Requires(condition) = spec.kind {
                at = self.assumed(function, at, &contract, condition, "a `requires` clause");
            }
        }
        let exit = self.builder.exit_of(function);
        self.body(function, at, exit, index, body, scope, &mut targets);
    }

    /// A procedure that is called, as a function of its own.
    pub(super) fn procedure(&mut self, index: usize) {
        let function = self.procedures[index].function.expect("only called procedures wait to be lowered");
        let bodies = self.procedures[index].bodies.clone();
        let mut at = self.builder.entry_of(function);
        let exit = self.builder.exit_of(function);
        let params = self.builder.program().functions[function].params.clone();
        for (number, &body) in bodies.iter().enumerate() {
            let mut from = at;
            if number + 1 < bodies.len() {
                let (taken, other) = self.choice(function, at, None);
                (from, at) = (taken, other);
            }
            let mut scope = Scope::default();
            for (param, &var) in body.params.iter().zip(&params) {
                if let Some(ty) = self.ty(&param.ty, &body.type_params) {
                    let value = Value { term: self.builder.term(var), ty };
                    scope.local.insert(param.name.text.clone(), value);
                }
            }
            // The arguments are given, so the `where` clauses of parameters say nothing here.
            let mut targets = FastMap::new();
            self.body(function, from, exit, index, body, scope, &mut targets);
        }
    }

    /// A body from `at` to `exit`, with what its contract promises checked at the end.
    #[allow(clippy::too_many_arguments)] // All of them are one activation.
    fn body(
        &mut self,
        function: FunId,
        from: Loc,
        exit: Loc,
        index: usize,
        decl: &'a Procedure,
        mut scope: Scope,
        targets: &mut Targets,
    ) {
        let Some(body) = &decl.body else { return };
        let mut at = from;
        let is_handed_over = self.procedures[index].function == Some(function);
        let mut results = Vec::new();
        for result in decl.results.iter().chain(&body.locals) {
            if let Some(var) = self.local(function, &mut scope, result, &decl.type_params) {
                targets.insert(result.name.text.clone(), (var, result.restriction));
                let kind = InputKind::Uninitialised(result.name.text.clone());
                at = self.havoc(function, at, var, kind, result.name.span);
                results.push(var);
            }
        }
        for local in decl.results.iter().chain(&body.locals) {
            if let Some(restriction) = local.restriction {
                at = self.assumed(function, at, &scope, restriction, "a `where` clause");
            }
        }
        let declared = self.procedures[index].decl;
        if !std::ptr::eq(declared, decl) {
            // An implementation has the `where` clauses of its procedure.
            let contract = self.contract_scope(index, decl, &scope);
            let params = if is_handed_over { &[][..] } else { &declared.params };
            for one in params.iter().chain(&declared.results) {
                if let Some(restriction) = one.restriction {
                    at = self.assumed(function, at, &contract, restriction, "a `where` clause");
                }
            }
        }
        at = self.save_old(function, at, index, body, &mut scope);
        let ret = self.location(function, Some(body.end));
        let modifies = self.procedures[index].modifies.clone();
        let mut state = BodyState::new(function, scope, std::mem::take(targets), modifies, ret);
        self.labels(&mut state, &body.block);
        let end = self.block(&mut state, at, &body.block);
        self.builder.step(self.terms, end, ret);
        let scope = self.contract_scope(index, decl, &state.scope);
        let mut at = ret;
        let contract = self.procedures[index].decl;
        for spec in &contract.specs {
            let SpecKind::Ensures(condition) = spec.kind else { continue };
            if !spec.free {
                at = self.asserted(function, at, &scope, condition, "a broken `ensures`");
            } else if is_handed_over {
                // Callers believe it, and here is what they call.
                at = self.assumed(function, at, &scope, condition, "an `ensures` clause");
            }
        }
        if is_handed_over {
            let handover = self.procedures[index].handover.clone();
            let pairs = handover.into_iter().zip(&results).map(|(to, &from)| (to, self.builder.term(from))).collect();
            at = self.assign(function, at, pairs, None);
        }
        self.builder.step(self.terms, at, exit);
    }

    /// A variable of the function; none if its type makes no sense or its name is taken.
    fn local(&mut self, function: FunId, scope: &mut Scope, decl: &VarDecl, types: &[Name]) -> Option<Var> {
        let ty = self.ty(&decl.ty, types)?;
        if scope.local.contains_key(decl.name.text.as_str()) {
            self.error(decl.name.span, format!("there is a variable `{}` already", decl.name.text));
            return None;
        }
        let sort = ty.sort(self.terms, self.maps);
        let place = self.place(decl.name.span);
        let var = self.builder.local(self.terms, function, &decl.name.text, sort, shown(&ty), place);
        scope.local.insert(decl.name.text.clone(), Value { term: self.builder.term(var), ty });
        Some(var)
    }

    /// The contract is written in the names of the declaration, which an implementation may change.
    fn contract_scope(&self, index: usize, body: &Procedure, scope: &Scope) -> Scope {
        let decl = self.procedures[index].decl;
        let mut contract = Scope { old: scope.old.clone(), ..Scope::default() };
        let named = decl.params.iter().zip(&body.params).chain(decl.results.iter().zip(&body.results));
        for (theirs, ours) in named {
            if let Some(value) = scope.local.get(ours.name.text.as_str()) {
                contract.local.insert(theirs.name.text.clone(), value.clone());
            }
        }
        contract
    }

    /// Keeps the values of globals that `old` will ask for.
    fn save_old(&mut self, function: FunId, from: Loc, index: usize, body: &Body, scope: &mut Scope) -> Loc {
        let mut conditions = Vec::new();
        for spec in &self.procedures[index].decl.specs {
            if let SpecKind::Ensures(condition) = spec.kind {
                conditions.push(condition);
            }
        }
        expressions(&body.block, &mut conditions);
        let file = self.file;
        let mentions_old = conditions.iter().any(|&root| {
            let first = file.exprs[root].first;
            file.exprs
                .iter_enumerated()
                .any(|(id, expr)| first <= id && id <= root && matches!(expr.kind, ExprKind::Old(_)))
        });
        if !mentions_old {
            return from;
        }
        let mut old = FastMap::new();
        let mut pairs = Vec::new();
        for name in self.global_names.clone() {
            let global = &self.globals[name.text.as_str()];
            if global.is_const {
                continue;
            }
            let (term, ty) = (global.value.term, global.value.ty.clone());
            let sort = ty.sort(self.terms, self.maps);
            let base_name = format!("old.{}", name.text);
            let var = self.builder.temp(self.terms, function, &base_name, sort, shown(&ty));
            pairs.push((var, term));
            old.insert(name.text.clone(), Value { term: self.builder.term(var), ty });
        }
        scope.old = Some(old);
        self.assign(function, from, pairs, None)
    }
}

/// The expressions of the block.
fn expressions(block: &Block, into: &mut Vec<ExprId>) {
    use crate::ast::Guard;
    for Stmt { kind, .. } in &block.stmts {
        match kind {
            StmtKind::Assert(expr) | StmtKind::Assume(expr) => into.push(*expr),
            StmtKind::Assign(pairs) => {
                for (target, value) in pairs {
                    into.push(*value);
                    into.extend(target.indices.iter().flatten());
                }
            }
            StmtKind::Call { args, .. } => into.extend(args),
            StmtKind::If(guard, then, otherwise) => {
                if let Guard::Expr(expr) = guard {
                    into.push(*expr);
                }
                expressions(then, into);
                otherwise.iter().for_each(|block| expressions(block, into));
            }
            StmtKind::While { guard, invariants, body } => {
                if let Guard::Expr(expr) = guard {
                    into.push(*expr);
                }
                into.extend(invariants.iter().map(|(_, expr)| expr));
                expressions(body, into);
            }
            _ => {}
        }
    }
}
