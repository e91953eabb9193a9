//! Function definitions, old-style ones included.

use super::attribute::Attributes;
use super::convert::{Value, Why};
use super::declare::Declared;
use super::scope::Symbol;
use super::specifier::Stands;
use super::types::Ty;
use super::{Body, Linked, LinkedSymbol, Sema};
use crate::ast::{self, Declaration, Declarator, DeclaratorPart, FunctionDef, Name, Span, Storage};
use crate::hir::{Expr, ExprKind, FunctionId, Init, InitPiece, Stmt, StmtKind, StorageKind, TypeId, TypeKind, VarId};

impl<'a> Sema<'a> {
    /// A function definition.
    pub(super) fn function_definition(&mut self, definition: &'a FunctionDef) {
        let declarator = &definition.declarator;
        let specifiers = &definition.specifiers;
        let span = declarator.span;
        let base = self.specifiers(specifiers, Stands::BeforeDeclarators);
        let first_var = self.unit.vars.len();
        self.in_definition = true;
        let (ty, params) = self.defined_function_type(base, declarator);
        self.in_definition = false;
        let sizes = std::mem::take(&mut self.vla_sizes);
        let attributes = self.attributes(&[&specifiers.attributes, &declarator.attributes]);
        let known = declarator.name.filter(|_| self.unit.types.is_function(ty.id));
        let Some(name) = known else {
            if !self.is_error(ty.id) {
                self.error(span, "this has a body but is not declared as a function", "");
            }
            self.scopes.pop();
            if let Some(name) = declarator.name {
                self.bind(name, Symbol::Error, span);
            }
            return;
        };
        // The function belongs to the scope around its parameters.
        let declared = Declared { name, ty, storage: specifiers.storage, attributes, label: None, span };
        let function = self.declare_outside(&declared);
        self.mark_definition(function, &declared);
        let result = match *self.unit.types.kind(ty.id) {
            TypeKind::Function { result, .. } => result,
            _ => self.basic.error,
        };
        if !self.unit.types.is_void(result) {
            self.require_complete(result, span, "the result of this function");
        }
        for index in first_var..self.unit.vars.len() {
            let var: VarId = base::Id::new(index);
            self.unit.vars[var].function = Some(function);
            if self.unit.vars[var].storage == StorageKind::Static {
                self.unit.vars[var].storage = StorageKind::Automatic; // Sizes of arrays.
            }
        }
        self.body = Some(Box::new(Body::new(function, result)));
        let mut statements: Vec<Stmt> =
            sizes.into_iter().map(|size| Stmt { span: size.span, kind: StmtKind::Expr(size) }).collect();
        let mut params = params;
        self.old_style_params(declarator, &definition.old_style, &mut params, &mut statements);
        for &param in &params {
            let ty = self.unit.vars[param].ty;
            let at = self.unit.vars[param].span;
            self.require_complete(ty, at, "this parameter");
        }
        self.function_body(definition.body, &mut statements);
        self.scopes.pop();
        let body = self.body.take().expect("the body that was opened is still open");
        self.finish_labels(&body);
        let target = &mut self.unit.functions[function];
        target.params = params;
        target.labels = body.labels.names;
        target.body = Some(statements);
        target.span = span;
    }

    /// Declares the function at file scope although the scope of its parameters is open.
    pub(super) fn declare_outside(&mut self, declared: &Declared<'a>) -> FunctionId {
        let text = self.text(declared.name);
        let function = match self.linked.get(&declared.name).copied() {
            Some(Linked { symbol: LinkedSymbol::Function(function), .. }) => {
                self.merge_function(function, declared);
                function
            }
            other => {
                if other.is_some() {
                    self.error(declared.span, format!("`{text}` was declared as a variable"), "");
                }
                let function = self.add_function(text, declared.ty.id, declared.span);
                let linked = Linked { symbol: LinkedSymbol::Function(function), internal: declared.storage.statik };
                self.linked.insert(declared.name, linked);
                function
            }
        };
        self.note_function_attributes(function, declared);
        self.scopes.bind_at_file_scope(declared.name, Symbol::Function(function), declared.span);
        function
    }

    pub(super) fn mark_definition(&mut self, function: FunctionId, declared: &Declared<'a>) {
        let gnu_inline = declared.attributes.gnu_inline && declared.storage.external && declared.storage.inline;
        let replaceable = gnu_inline || self.unit.functions[function].weak;
        if self.unit.functions[function].body.is_some() {
            if !self.function_facts[function].replaceable {
                let text = self.text(declared.name);
                let line = self.source.place(self.unit.functions[function].span.start).line;
                self.error(
                    declared.span,
                    format!("`{text}` is defined twice"),
                    format!("it was defined before on line {line}"),
                );
            }
            self.unit.functions[function].labels = base::IndexVec::new();
        }
        self.function_facts[function].replaceable = replaceable;
    }

    /// Parameters of an old-style definition: `int f(a, b) int a; char b; { … }`. A parameter that is
    /// passed wider than it is declared arrives in a variable of its own and is narrowed on entry.
    pub(super) fn old_style_params(
        &mut self,
        declarator: &'a Declarator,
        declarations: &'a [Declaration],
        params: &mut Vec<VarId>,
        out: &mut Vec<Stmt>,
    ) {
        let Some(DeclaratorPart::Function { old_style, .. }) = declarator.parts.first() else { return };
        let mut types: Vec<(Name, Ty, Span)> = Vec::new();
        for declaration in declarations {
            let base = self.specifiers(&declaration.specifiers, Stands::BeforeDeclarators);
            for init_declarator in &declaration.declarators {
                let ty = self.declared_type(base, &init_declarator.declarator);
                let ty = self.adjusted(ty, ast::Qualifiers::default());
                let span = init_declarator.declarator.span;
                let Some(name) = init_declarator.declarator.name else { continue };
                if !old_style.iter().any(|(known, _)| *known == name) {
                    let text = self.text(name);
                    self.error(span, format!("`{text}` is not one of the parameters"), "");
                }
                types.push((name, ty, span));
            }
        }
        for &(name, span) in old_style {
            let (ty, span) = match types.iter().find(|(known, _, _)| *known == name) {
                Some(&(_, ty, span)) => (ty, span),
                None => (Ty::plain(self.basic.int), span),
            };
            params.push(self.old_style_param(name, ty, span, out));
        }
        self.place_sizes(out);
    }

    pub(super) fn old_style_param(&mut self, name: Name, ty: Ty, span: Span, out: &mut Vec<Stmt>) -> VarId {
        let probe = Expr { kind: ExprKind::Unsupported(String::new()), ty: ty.id, span };
        let passed = if ty.id == self.basic.float { self.basic.double } else { self.promoted_type(&probe) };
        if passed == ty.id {
            return self.parameter(Some(name), ty, span);
        }
        let arrives = self.parameter(None, Ty::plain(passed), span);
        self.unit.vars[arrives].name = self.text(name).to_owned();
        let declared =
            Declared { name, ty, storage: Storage::default(), attributes: Attributes::default(), label: None, span };
        let own = self.new_variable(&declared, StorageKind::Automatic, true);
        self.bind(name, Symbol::Var(own), span);
        let value = self.variable(arrives, span);
        let value = self.rvalue(Value::Place(value));
        let value = self.convert(value, ty.id, Why::Initialisation);
        let piece = InitPiece { offset: 0, bits: None, value, repeat: 1, stride: 0 };
        out.push(Stmt { kind: StmtKind::Declare(own, Some(Init { pieces: vec![piece] })), span });
        arrives
    }

    /// A nested function is refused, and so are its callers.
    pub(super) fn nested_function(&mut self, definition: &'a FunctionDef, out: &mut Vec<Stmt>) {
        let span = definition.span;
        if let Some(name) = definition.declarator.name {
            self.bind(name, Symbol::Unsupported("a nested function"), definition.declarator.span);
        }
        let refused = self.refuse("a nested function", self.basic.void, span);
        out.push(Stmt { kind: StmtKind::Expr(refused), span });
    }

    /// What the function being read returns.
    pub(super) fn result_type(&self) -> TypeId {
        self.body.as_ref().map_or(self.basic.void, |body| body.result)
    }
}
