//! Calls: the callee, the arguments and their conversions.

use super::convert::{Value, Why};
use super::scope::Symbol;
use super::types::Ty;
use super::{FunctionFacts, Linked, LinkedSymbol, Sema};
use crate::ast::{self, ExprId, Name, Span};
use crate::hir::{Callee, Expr, ExprKind, Function, FunctionId, TypeId, TypeKind};

impl<'a> Sema<'a> {
    pub(super) fn call(&mut self, callee: ExprId, args: &'a [ExprId], span: Span) -> Value {
        if let Some(name) = self.called_name(callee)
            && self.scopes.lookup(name).is_none()
        {
            let text = self.text(name);
            if let Some(value) = self.builtin_call(text, args, span) {
                return value;
            }
            self.declare_implicitly(name, self.ast.exprs[callee].span);
        }
        let callee = self.value(callee);
        Value::Rvalue(self.call_value(callee, args, span))
    }

    fn called_name(&self, callee: ExprId) -> Option<Name> {
        match self.ast.exprs[callee].kind {
            ast::ExprKind::Name(name) => Some(name),
            _ => None,
        }
    }

    fn call_value(&mut self, callee: Value, args: &'a [ExprId], span: Span) -> Expr {
        let (callee, ty, name) = match callee {
            Value::Function(function, _) => {
                let function_type = self.unit.functions[function].ty;
                (Callee::Direct(function), function_type, self.unit.functions[function].name.clone())
            }
            value => {
                let pointer = self.rvalue(value);
                if self.is_unsupported(pointer.ty) || matches!(pointer.kind, ExprKind::Unsupported(_)) {
                    for &arg in args {
                        self.expr(arg); // For the diagnostics in it.
                    }
                    return self.follow(&pointer, span);
                }
                let target = self.unit.types.pointer_target(pointer.ty);
                match target.filter(|&target| self.unit.types.is_function(target)) {
                    Some(target) => match pointer.kind {
                        ExprKind::AddressOfFunction(function) => (Callee::Direct(function), target, String::new()),
                        _ => (Callee::Pointer(Box::new(pointer)), target, String::new()),
                    },
                    None => {
                        let shown = self.unit.types.display(pointer.ty);
                        return self.error_expr(
                            pointer.span,
                            format!("`{shown}` is no function and cannot be called"),
                            "",
                        );
                    }
                }
            }
        };
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.expr(arg));
        }
        self.finish_call(callee, ty, &name, values, span)
    }

    /// A call of a function of type `ty` with analysed arguments.
    pub(super) fn finish_call(&mut self, callee: Callee, ty: TypeId, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let TypeKind::Function { result, params, variadic, prototype } = self.unit.types.kind(ty).clone() else {
            return self.silent_error(span);
        };
        if prototype && (args.len() < params.len() || args.len() > params.len() && !variadic) {
            let what = if name.is_empty() { "the function called".to_owned() } else { format!("`{name}`") };
            let least = if variadic { "at least " } else { "" };
            let message = format!(
                "{what} takes {least}{} argument{}, not {}",
                params.len(),
                if params.len() == 1 { "" } else { "s" },
                args.len()
            );
            return self.error_expr(span, message, "");
        }
        let mut converted = Vec::with_capacity(args.len());
        let mut wrong = false;
        for (position, arg) in args.into_iter().enumerate() {
            let arg = match params.get(position) {
                Some(&param) if prototype => self.convert(arg, param, Why::Argument(position + 1, name)),
                _ => self.variadic_argument(arg),
            };
            wrong |= self.is_error(arg.ty);
            converted.push(arg);
        }
        if wrong {
            // The type of the result is known all the same.
            return self.refuse(super::types::ERROR, result, span);
        }
        if !self.unit.types.is_void(result) && !self.require_complete(result, span, "the result of the call") {
            return self.silent_error(span);
        }
        Expr { kind: ExprKind::Call { callee, args: converted }, ty: result, span }
    }

    fn variadic_argument(&mut self, arg: Expr) -> Expr {
        if self.unit.types.is_void(arg.ty) {
            return self.error_expr(arg.span, "a void value is used as an argument", "");
        }
        self.promote_argument(arg)
    }

    /// A call of an undeclared function declares it: as what the library has under this name, or as `int f()`.
    fn declare_implicitly(&mut self, name: Name, span: Span) {
        let text = self.text(name);
        let ty = match self.library_type(text) {
            Some(ty) => ty,
            None => {
                let result = self.basic.int;
                self.unit.types.intern(TypeKind::Function {
                    result,
                    params: Vec::new(),
                    variadic: false,
                    prototype: false,
                })
            }
        };
        let shown = self.unit.types.display(ty);
        self.warn(span, format!("`{text}` is called but not declared"), format!("it is taken to be `{shown}`"));
        let function = match self.linked.get(&name) {
            Some(Linked { symbol: LinkedSymbol::Function(function), .. }) => *function,
            Some(_) => {
                self.scopes.bind_at_file_scope(name, Symbol::Error, span);
                return;
            }
            None => {
                let function = self.add_function(text, ty, span);
                self.function_facts[function].implicit = true;
                self.linked.insert(name, Linked { symbol: LinkedSymbol::Function(function), internal: false });
                function
            }
        };
        self.scopes.bind_at_file_scope(name, Symbol::Function(function), span);
    }

    /// A function that is only declared so far.
    pub(super) fn add_function(&mut self, name: &str, ty: TypeId, span: Span) -> FunctionId {
        let function = self.unit.functions.push(Function {
            name: name.to_owned(),
            ty,
            params: Vec::new(),
            body: None,
            labels: base::IndexVec::new(),
            address_taken: false,
            noreturn: false,
            returns_twice: false,
            internal: false,
            alias_of: None,
            hidden_alias: false,
            weak: false,
            weak_by_pragma: false,
            nonnull: Vec::new(),
            effectless: None,
            span,
        });
        let same = self.function_facts.push(FunctionFacts::default());
        assert_eq!(function, same, "every function has its facts");
        function
    }

    /// The function of this name; declares it with this type if it is not declared.
    pub(super) fn named_function(&mut self, text: &str, ty: TypeId, span: Span) -> FunctionId {
        let name = self.texts.get(text).copied();
        if let Some(name) = name
            && let Some(Linked { symbol: LinkedSymbol::Function(function), .. }) = self.linked.get(&name)
        {
            return *function;
        }
        if let Some(&function) = self.unmentioned.get(text) {
            return function;
        }
        let function = self.add_function(text, ty, span);
        match name {
            // Linked but not in scope: the user's own declaration, if one follows, will find it.
            Some(name) => {
                self.function_facts[function].implicit = true;
                self.linked.insert(name, Linked { symbol: LinkedSymbol::Function(function), internal: false });
            }
            None => {
                self.unmentioned.insert(text.into(), function);
            }
        }
        function
    }

    /// A temporary variable with a value, and the statement that sets it.
    pub(super) fn temporary(&mut self, value: Expr, out: &mut Vec<crate::hir::Stmt>) -> Expr {
        let (ty, span) = (value.ty, value.span);
        let var = self.made_up_variable("<temporary>", ty, span);
        let piece = crate::hir::InitPiece { offset: 0, bits: None, value, repeat: 1, stride: 0 };
        let init = crate::hir::Init { pieces: vec![piece] };
        out.push(crate::hir::Stmt { kind: crate::hir::StmtKind::Declare(var, Some(init)), span });
        self.var_types[var] = Ty::plain(ty);
        let lvalue = self.variable(var, span);
        self.rvalue(Value::Place(lvalue))
    }
}
