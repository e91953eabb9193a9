//! Calls: by name, and through pointers.
//!
//! A pointer is compared with the address of every function of a fitting type whose address is
//! taken; if it is equal to none of them, the call is undefined and returns any value.

use program::{Action, AssertionKind, FunId, InputKind, Shown, Undefined, Var, VarKind};
use term::Term;

use crate::ast::Span;
use crate::hir::{Callee, Expr, FunctionId, TypeId, TypeKind};

use crate::known_functions::is_replaced;

use super::Lowering;
use super::types::{Class, alike};

impl Lowering<'_> {
    /// A call; the value if there is one, for records the address of a temporary.
    pub(super) fn call(&mut self, expr: &Expr, callee: &Callee, args: &[Expr], into: Option<Var>) -> Option<Term> {
        match callee {
            Callee::Direct(function) => {
                let terms = self.arguments(args);
                let types: Vec<TypeId> = args.iter().map(|arg| arg.ty).collect();
                let value = self.perform(*function, &terms, &types, Some(args), into, expr.span)?;
                Some(self.open_call(expr, *function, value))
            }
            Callee::Pointer(pointer) => {
                let address = self.value(pointer);
                let (address, terms) = self.keeping(address, |this| this.arguments(args));
                let types: Vec<TypeId> = args.iter().map(|arg| arg.ty).collect();
                self.call_pointer(address, pointer.ty, &terms, &types, expr, into)
            }
        }
    }

    /// Arguments from left to right; records as addresses.
    fn arguments(&mut self, args: &[Expr]) -> Vec<Term> {
        for (index, arg) in args.iter().enumerate() {
            let value = match self.class(arg.ty) {
                Class::Record => {
                    let address = self.record(arg);
                    // The callee copies the record, unless a later argument may change it before.
                    if args[index + 1..].iter().all(|later| self.is_pure(later, 64)) {
                        address
                    } else {
                        let copy = self.temporary_object("argument", arg.ty, arg.span);
                        self.copy(copy, address, arg.ty, arg.span);
                        copy
                    }
                }
                Class::Void => {
                    self.effect(arg);
                    self.nothing()
                }
                _ => self.value(arg),
            };
            self.keep(value);
        }
        let first = self.current.pending.len() - args.len();
        self.current.pending.split_off(first)
    }

    /// What happens when this function is called with these values.
    pub(super) fn perform(
        &mut self,
        function: FunctionId,
        args: &[Term],
        types: &[TypeId],
        exprs: Option<&[Expr]>,
        into: Option<Var>,
        span: Span,
    ) -> Option<Term> {
        if self.is_error_function(function) {
            let (kind, text) = self.error_text(function, exprs);
            self.fail(kind, text, span);
            return self.any_result(function, span);
        }
        let function = self.unit.same_function(function);
        if self.is_error_function(function) {
            let (kind, text) = self.error_text(function, exprs);
            self.fail(kind, text, span);
            return self.any_result(function, span);
        }
        self.check_promises(function, args, span);
        let own = &self.unit.functions[function];
        if own.body.is_some() && !own.internal && is_replaced(&self.unit.types, &own.name, own.ty) {
            let what = format!("call of the program's own `{}`, which compilers replace by the library's", own.name);
            self.unsupported(span, what);
        }
        if let Some(runs) = self.reach.body_of(self.unit, function) {
            if self.unit.functions[function].body.is_none() {
                self.check_buffers(function, args, types, exprs, span);
            }
            return self.call_defined(function, runs, args, types, into, span);
        }
        self.check_buffers(function, args, types, exprs, span);
        match self.intrinsic(function, args, types, exprs, into, span) {
            Some(result) => result,
            None if self.is_null_function(function) => self.call_null(function, span),
            None => self.external(function, args, types, into, span),
        }
    }
    /// What attributes promise about the arguments of a function of this program. (What a function without a body
    /// does with null is not known anyway.)
    fn check_promises(&mut self, function: FunctionId, args: &[Term], span: Span) {
        let unit = self.unit;
        if unit.functions[function].body.is_none() {
            return;
        }
        for &position in &unit.functions[function].nonnull {
            if let Some(&arg) = args.get(position) {
                let sort = self.terms.sort_of(arg);
                let null = self.zero_of(sort);
                let holds = self.terms.ne(arg, null);
                self.check(Undefined::BrokenPromise, holds, span);
            }
        }
    }
    /// A result that is never used, because the run has ended.
    pub(super) fn any_result(&mut self, function: FunctionId, _span: Span) -> Option<Term> {
        let result = self.result_type(function);
        match self.class(result) {
            Class::Void => None,
            _ => {
                let sort = self.sort(result);
                Some(self.zero_of(sort))
            }
        }
    }
    pub(super) fn result_type(&self, function: FunctionId) -> TypeId {
        match self.kind(self.unit.functions[function].ty) {
            TypeKind::Function { result, .. } => *result,
            _ => panic!("a function has a function type"),
        }
    }

    fn call_defined(
        &mut self,
        function: FunctionId,
        runs: FunctionId,
        args: &[Term],
        types: &[TypeId],
        into: Option<Var>,
        span: Span,
    ) -> Option<Term> {
        let unit = self.unit;
        let id: FunId = self.declare_function(function);
        let TypeKind::Function { result, variadic, .. } = &unit.types.kinds[unit.functions[runs].ty] else {
            panic!("a function has a function type");
        };
        let params: Vec<TypeId> = unit.functions[runs].params.iter().map(|&p| unit.vars[p].ty).collect();
        let mut passed = Vec::with_capacity(args.len() + 2);
        let returns_record = self.class(*result) == Class::Record;
        let mut record_result = None;
        if returns_record {
            let address = self.temporary_object("result", *result, span);
            passed.push(address);
            record_result = Some(address);
        }
        for (index, &param) in params.iter().enumerate() {
            let term = match args.get(index) {
                Some(&term) => self.adapt(term, types[index], param, span),
                None => {
                    // Undefined in C; gcc passes whatever lies there.
                    let kind = InputKind::Uninitialised(format!("missing argument of {}", unit.functions[runs].name));
                    self.any_value(kind, param, None, span)
                }
            };
            passed.push(term);
        }
        if *variadic {
            let rest = params.len().min(args.len());
            let area = self.pass_variadic(&args[rest..], &types[rest..], span);
            passed.push(area);
        }
        self.settle_before_call();
        let var = match self.program.functions[id].result {
            None => None,
            Some(result) => {
                let sort = self.program.vars[result].sort;
                let shown = self.program.vars[result].shown;
                match into {
                    Some(var) if self.program.vars[var].sort == sort => {
                        self.settle_before_write(var);
                        Some(var)
                    }
                    _ => Some(self.new_temp("call", sort, shown)),
                }
            }
        };
        self.emit(Action::Call { function: id, args: passed, result: var }, span);
        record_result.or(var.map(|var| self.term_of(var)))
    }
    /// An argument as the parameter wants it; calls without prototype may not fit.
    fn adapt(&mut self, term: Term, from: TypeId, to: TypeId, span: Span) -> Term {
        let sort = self.sort(to);
        if self.terms.sort_of(term) == sort { term } else { self.convert(term, from, to, span) }
    }

    // ---- through pointers

    /// The constant address of a function.
    pub(super) fn function_address(&mut self, function: FunctionId) -> Term {
        let hir = &self.unit.functions[self.unit.same_function(function)];
        let span = self.current.span;
        if self.is_null_function(function) {
            return self.null_symbol(&hir.name, span);
        }
        if self.is_undefined_weak(function) {
            let what = format!("address of the weak function `{}`, which may be defined elsewhere", hir.name);
            self.unsupported(span, what);
        }
        let id = self.declare_function(function);
        if let Some(var) = self.program.functions[id].address {
            return self.term_of(var);
        }
        let sort = self.pointer_sort();
        let name = format!("&{}", self.program.functions[id].name);
        let place = self.program.functions[id].place;
        let var = self.new_variable(&name, sort, VarKind::AddressOfFunction(id), Shown::Pointer, place);
        self.program.functions[id].address = Some(var);
        self.term_of(var)
    }
    fn call_pointer(
        &mut self,
        address: Term,
        pointer: TypeId,
        args: &[Term],
        types: &[TypeId],
        expr: &Expr,
        into: Option<Var>,
    ) -> Option<Term> {
        let span = expr.span;
        let called = match self.kind(pointer) {
            TypeKind::Pointer { target, .. } => *target,
            _ => pointer,
        };
        let (candidates, unfit): (Vec<FunctionId>, Vec<FunctionId>) =
            (self.reach.addresses.iter().filter(|&&candidate| !self.is_null_function(candidate)))
                .partition(|&&candidate| self.fits_call(candidate, called, types, expr.ty));
        let candidates = self.without_other_structures(candidates, called, span);
        let result = match self.class(expr.ty) {
            Class::Void => None,
            Class::Record => {
                let sort = self.pointer_sort();
                Some(self.new_temp("called", sort, Shown::Pointer))
            }
            _ => {
                let (sort, shown) = (self.sort(expr.ty), self.shown(expr.ty));
                match into {
                    Some(var) if self.program.vars[var].sort == sort => Some(var),
                    _ => Some(self.new_temp("called", sort, shown)),
                }
            }
        };
        self.settle_before_branch();
        // The address and the arguments are used on several paths; nothing on the way to a path's call changes them.
        let join = self.new_loc();
        for candidate in candidates {
            let other = self.function_address(candidate);
            let equal = self.terms.eq(address, other);
            let (here, next) = (self.new_loc(), self.new_loc());
            self.branch(equal, here, next, span);
            self.start(here);
            let value = self.perform(candidate, args, types, None, result, span);
            if let (Some(result), Some(value)) = (result, value) {
                let value = self.open_call(expr, candidate, value);
                let value = self.adapt(value, self.result_type(candidate), expr.ty, span);
                self.write_variable(result, value, span);
            }
            self.jump(join, span);
            self.start(next);
        }
        self.call_unfit(address, &unfit, span);
        self.call_unknown(address, span);
        if let Some(result) = result {
            let kind = InputKind::External(format!("unknown function called as {}", self.snippet(span)));
            if self.class(expr.ty) == Class::Record {
                let object = self.temporary_object("result", expr.ty, span);
                let input = self.new_input(kind, Shown::Plain, span);
                self.emit(Action::Forget { address: object, size: None, input }, span);
                self.write_variable(result, object, span);
            } else {
                self.any_value(kind, expr.ty, Some(result), span);
            }
        }
        self.jump(join, span);
        self.start(join);
        result.map(|result| self.term_of(result))
    }
    /// The pointer may hold a function of another type, because pointers to it were converted. What such a call
    /// does is undefined, and it may well do what the function does: the path ends in an error that no replay
    /// confirms, so that nothing is proved with it.
    fn call_unfit(&mut self, address: Term, unfit: &[FunctionId], span: Span) {
        let unit = self.unit;
        let mut equal = Vec::new();
        for &function in unfit {
            if self.reach.may_be_converted(unit, function) {
                let other = self.function_address(function);
                equal.push(self.terms.eq(address, other));
            }
        }
        if equal.is_empty() || self.current.at.is_none() {
            return;
        }
        let is_unfit = self.terms.or(&equal);
        let (bad, next) = (self.new_loc(), self.new_loc());
        self.branch(is_unfit, bad, next, span);
        self.start(bad);
        let never = self.terms.truth(false);
        self.emit(Action::Check { what: Undefined::BadFunctionPointer, holds: never }, span);
        let text = format!("`{}`", self.snippet(span));
        self.fail(AssertionKind::Target, text, span);
        self.start(next);
    }
    /// The pointer holds no function of this program. Null is an error where memory errors are; what another
    /// address does is not known, so that nothing is proved with such a call where memory is checked.
    fn call_unknown(&mut self, address: Term, span: Span) {
        let never = self.terms.truth(false);
        if !self.checks_memory() || self.current.at.is_none() {
            return self.check(Undefined::BadFunctionPointer, never, span);
        }
        let sort = self.terms.sort_of(address);
        let null = self.zero_of(sort);
        let not_null = self.terms.ne(address, null);
        self.check(Undefined::BadFunctionPointer, not_null, span);
        self.emit(Action::Check { what: Undefined::BadFunctionPointer, holds: never }, span);
        let text = format!("`{}`", self.snippet(span));
        self.fail(AssertionKind::Target, text, span);
    }
    /// Whether a function can be the one that is called through a pointer of this type.
    fn fits_call(&self, candidate: FunctionId, called: TypeId, args: &[TypeId], result: TypeId) -> bool {
        let types = &self.unit.types;
        let TypeKind::Function { result: returned, params, variadic, prototype } =
            &types.kinds[self.unit.functions[candidate].ty]
        else {
            return false;
        };
        if self.class(result) != Class::Void && !alike(types, result, *returned) {
            return false;
        }
        // A definition in the old style knows its parameters, although its type does not say so.
        let defined: Vec<TypeId>;
        let params = if *prototype || self.unit.functions[candidate].body.is_none() {
            params
        } else {
            defined = self.unit.functions[candidate].params.iter().map(|&p| self.unit.vars[p].ty).collect();
            &defined
        };
        match &types.kinds[called] {
            TypeKind::Function { params: wanted, variadic: wants_more, prototype: true, .. } if *prototype => {
                variadic == wants_more
                    && params.len() == wanted.len()
                    && params.iter().zip(wanted).all(|(&a, &b)| alike(types, a, b))
            }
            // Without a prototype only the number of arguments and their promoted kinds are known.
            _ => {
                (params.len() == args.len() || (*variadic && params.len() <= args.len()))
                    && params.iter().zip(args).all(|(&param, &arg)| {
                        let (param, arg) = (self.class(param), self.class(arg));
                        matches!(param, Class::Float(_)) == matches!(arg, Class::Float(_))
                            && (param == Class::Record) == (arg == Class::Record)
                    })
            }
        }
    }
}
