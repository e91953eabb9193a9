//! Calls: what the contract says, or the body itself in a run of the whole program.
//!
//! By contract, `call r := P(e)` is, as Boogie defines it:
//! ```text
//! in := e                    the arguments are evaluated and copied first
//! assert requires            in terms of the copies; free ones are neither checked nor assumed
//! old := globals             those that P modifies
//! havoc modifies, out        with their `where` clauses
//! assume ensures             free ones too; `old(g)` is the value before the call
//! r := out
//! ```

use base::FastMap;
use program::{Action, InputKind, Loc, Var};
use term::Term;

use super::expr::{NoTerm, Scope, Value};
use super::stmt::{BodyState, NOT_MODIFIED};
use super::types::Ty;
use super::{Lowering, shown};
use crate::ast::{ExprId, Name, SpecKind};
use crate::source::Span;

impl Lowering<'_> {
    pub(super) fn call(
        &mut self,
        state: &BodyState,
        at: Loc,
        results: &[Name],
        procedure: &Name,
        args: &[ExprId],
        span: Span,
    ) -> Loc {
        let Some(&index) = self.procedure_index.get(procedure.text.as_str()) else {
            self.error(procedure.span, format!("there is no procedure `{}`", procedure.text));
            return at;
        };
        let decl = self.procedures[index].decl;
        if !decl.type_params.is_empty() {
            self.unsupported(span, "a call of a polymorphic procedure");
            return at;
        }
        if decl.params.len() != args.len() || decl.results.len() != results.len() {
            let (wants, gives) = (decl.params.len(), decl.results.len());
            let message = format!("`{}` takes {wants} arguments and has {gives} results", procedure.text);
            self.error(span, message);
            return at;
        }
        let Some(arguments) = self.arguments(state, index, args) else { return at };
        let mut targets = Vec::new();
        for name in results {
            let Some((var, _)) = self.target(state, name) else { return at };
            targets.push(var);
        }
        for global in self.procedures[index].modifies.clone() {
            if !state.modifies.contains(&global) {
                let message = format!("`{}` modifies `{global}`, which {}", procedure.text, NOT_MODIFIED);
                self.error(span, message);
            }
        }
        let by_contract = self.is_by_contract(index);
        self.note_contract(index, span);
        let mut scope = Scope::default();
        let mut at = at;
        let arguments = match by_contract {
            true => self.copies(state, &mut at, index, arguments, span),
            false => arguments,
        };
        for (param, value) in decl.params.iter().zip(&arguments) {
            scope.local.insert(param.name.text.clone(), value.clone());
        }
        at = self.before(state, at, index, &scope, by_contract, span);
        let returned = if by_contract {
            self.contract(state, &mut at, index, &mut scope, span)
        } else {
            self.activation(state, &mut at, index, &arguments, &mut scope, span)
        };
        let Some(returned) = returned else { return at };
        if by_contract {
            for spec in &decl.specs {
                if let SpecKind::Ensures(condition) = spec.kind {
                    at = self.assumed(state.function, at, &scope, condition, "an `ensures` clause");
                }
            }
        }
        let mut pairs = Vec::new();
        for ((to, from), result) in targets.into_iter().zip(returned).zip(&decl.results) {
            let value = Value { term: from, ty: self.ty(&result.ty, &[]).unwrap_or(Ty::Bool) };
            let wanted = self.builder.program().vars[to].sort;
            if self.terms.sort_of(from) != wanted {
                self.error(span, format!("a result is of type {}", value.ty.text()));
                return at;
            }
            if pairs.iter().any(|(other, _)| *other == to) {
                self.error(span, "two results go to one variable");
                return at;
            }
            pairs.push((to, from));
        }
        self.assign(state.function, at, pairs, Some(span))
    }

    /// Says what a call by contract rests on.
    fn note_contract(&mut self, index: usize, span: Span) {
        let info = &self.procedures[index];
        let name = &info.decl.name;
        if info.bodies.is_empty() {
            let promises = info.decl.specs.iter().any(|spec| matches!(spec.kind, SpecKind::Ensures(_)));
            if promises {
                let text = format!("the contract of `{}`, which has no body", name.text);
                self.assumption(text, name.span);
            }
        } else if info.is_recursive && self.executes_body(index) {
            let text = format!("the recursive `{}` is known by its contract only", name.text);
            self.approximate(text, span);
        }
    }
    /// Copies of the arguments: what the contract says of parameters is about the values before the call.
    fn copies(&mut self, state: &BodyState, at: &mut Loc, index: usize, values: Vec<Value>, span: Span) -> Vec<Value> {
        let decl = self.procedures[index].decl;
        let mut pairs = Vec::new();
        let mut copies = Vec::new();
        for (param, Value { term, ty }) in decl.params.iter().zip(values) {
            let sort = ty.sort(self.terms, self.maps);
            let var = self.builder.temp(self.terms, state.function, &param.name.text, sort, shown(&ty));
            pairs.push((var, term));
            copies.push(Value { term: self.builder.term(var), ty });
        }
        *at = self.assign(state.function, *at, pairs, Some(span));
        copies
    }
    fn arguments(&mut self, state: &BodyState, index: usize, args: &[ExprId]) -> Option<Vec<Value>> {
        let decl = self.procedures[index].decl;
        let mut values = Vec::new();
        for (param, &arg) in decl.params.iter().zip(args) {
            let ty = self.ty(&param.ty, &[])?;
            let arg_span = self.file.exprs[arg].span;
            match self.value(&state.scope, arg) {
                Ok(value) => {
                    self.want(value.clone(), &ty, arg_span).ok()?;
                    values.push(value);
                }
                Err(NoTerm::Wrong) => return None,
                Err(NoTerm::Beyond(what, at)) => {
                    self.unsupported(at, &format!("an argument with {what}"));
                    return None;
                }
            }
        }
        Some(values)
    }
    /// What the contract wants before the call.
    fn before(
        &mut self,
        state: &BodyState,
        at: Loc,
        index: usize,
        scope: &Scope,
        by_contract: bool,
        span: Span,
    ) -> Loc {
        let mut at = at;
        for spec in &self.procedures[index].decl.specs {
            let SpecKind::Requires(condition) = spec.kind else { continue };
            if spec.free {
                // It is assumed where the body begins, which is here if the body is executed.
                if !by_contract {
                    at = self.assumed(state.function, at, scope, condition, "a `requires` clause");
                }
                continue;
            }
            match self.condition(scope, condition) {
                Ok(holds) => at = self.must_hold(state.function, at, holds, span, "a broken `requires` of"),
                Err(NoTerm::Wrong) => {}
                Err(NoTerm::Beyond(what, place)) => self.unsupported(place, &format!("a `requires` with {what}")),
            }
        }
        at
    }
    /// Any results and any change of what may be modified; what is promised is assumed by the caller.
    fn contract(
        &mut self,
        state: &BodyState,
        at: &mut Loc,
        index: usize,
        scope: &mut Scope,
        span: Span,
    ) -> Option<Vec<Term>> {
        let decl = self.procedures[index].decl;
        let function = state.function;
        let modifies = self.procedures[index].modifies.clone();
        let changed: Vec<(String, Var)> =
            modifies.into_iter().map(|name| (name.clone(), self.globals[name.as_str()].var)).collect();
        // What the globals were before, for `old`.
        let mut old = FastMap::new();
        let mut pairs = Vec::new();
        for (name, _) in &changed {
            let (term, ty) = {
                let value = &self.globals[name.as_str()].value;
                (value.term, value.ty.clone())
            };
            let sort = ty.sort(self.terms, self.maps);
            let var = self.builder.temp(self.terms, function, &format!("old.{name}"), sort, shown(&ty));
            pairs.push((var, term));
            old.insert(name.clone(), Value { term: self.builder.term(var), ty });
        }
        *at = self.assign(function, *at, pairs, Some(span));
        scope.old = Some(old);
        let kind = || InputKind::Nondet(decl.name.text.clone());
        for (_, var) in &changed {
            *at = self.havoc(function, *at, *var, kind(), span);
        }
        let mut returned = Vec::new();
        for result in &decl.results {
            let ty = self.ty(&result.ty, &[])?;
            let sort = ty.sort(self.terms, self.maps);
            let var = self.builder.temp(self.terms, function, &result.name.text, sort, shown(&ty));
            *at = self.havoc(function, *at, var, kind(), span);
            let term = self.builder.term(var);
            scope.local.insert(result.name.text.clone(), Value { term, ty });
            returned.push(term);
        }
        for result in &decl.results {
            if let Some(restriction) = result.restriction {
                *at = self.assumed(function, *at, scope, restriction, "a `where` clause");
            }
        }
        for (name, _) in &changed {
            if let Some(restriction) = self.globals[name.as_str()].restriction {
                *at = self.assumed(function, *at, &Scope::default(), restriction, "a `where` clause");
            }
        }
        Some(returned)
    }
    /// A call of the body, which hands its results over in globals.
    fn activation(
        &mut self,
        state: &BodyState,
        at: &mut Loc,
        index: usize,
        arguments: &[Value],
        scope: &mut Scope,
        span: Span,
    ) -> Option<Vec<Term>> {
        let decl = self.procedures[index].decl;
        let function = match self.procedures[index].function {
            Some(function) => function,
            None => self.declare(index)?,
        };
        let place = self.place(span);
        let to = self.location(state.function, None);
        let args = arguments.iter().map(|value| value.term).collect();
        self.builder.edge(*at, to, Action::Call { function, args, result: None }, place);
        *at = to;
        let returned: Vec<Term> = self.procedures[index].handover.iter().map(|&var| self.builder.term(var)).collect();
        for (result, &term) in decl.results.iter().zip(&returned) {
            let ty = self.ty(&result.ty, &[])?;
            scope.local.insert(result.name.text.clone(), Value { term, ty });
        }
        Some(returned)
    }
    /// Makes the function of a procedure; its body follows later.
    fn declare(&mut self, index: usize) -> Option<program::FunId> {
        let decl = self.procedures[index].decl;
        let types: Option<Vec<Ty>> = decl.params.iter().chain(&decl.results).map(|one| self.ty(&one.ty, &[])).collect();
        let types = types?;
        let place = self.place(decl.name.span);
        // The entry function has a name that procedures may have too.
        let name = if decl.name.text == "start" { "start()" } else { decl.name.text.as_str() };
        let function = self.builder.function(name, place);
        let (params, results) = types.split_at(decl.params.len());
        for (param, ty) in decl.params.iter().zip(params) {
            let (sort, place) = (ty.sort(self.terms, self.maps), self.place(param.name.span));
            self.builder.param(self.terms, function, &param.name.text, sort, shown(ty), place);
        }
        for (result, ty) in decl.results.iter().zip(results) {
            let sort = ty.sort(self.terms, self.maps);
            let name = format!("{}.{}", decl.name.text, result.name.text);
            let var = self.builder.global(self.terms, &name, sort, shown(ty), None);
            self.procedures[index].handover.push(var);
        }
        self.procedures[index].function = Some(function);
        self.work.push(index);
        Some(function)
    }
}
