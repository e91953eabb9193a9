//! Declarations: variables, functions and typedefs, with their linkage and storage.

use super::attribute::Attributes;
use super::scope::Symbol;
use super::specifier::Stands;
use super::types::Ty;
use super::{Linked, LinkedSymbol, Sema};
use crate::ast::{BaseType, Declaration, Init as AstInit, InitDeclarator, Name, Span, Storage};
use crate::hir::{FunctionId, Init, InitPiece, Stmt, StmtKind, StorageKind, TypeKind, VarId, Variable};

/// What is being declared.
pub(super) struct Declared<'a> {
    pub name: Name,
    pub ty: Ty,
    pub storage: Storage,
    pub attributes: Attributes,
    /// The symbol's name in the assembler, if the declaration gives one.
    pub label: Option<&'a str>,
    pub span: Span,
}

impl<'a> Sema<'a> {
    /// A declaration at file scope.
    pub(super) fn file_declaration(&mut self, declaration: &'a Declaration) {
        let mut statements = Vec::new();
        self.declaration(declaration, &mut statements);
    }

    /// A declaration in any scope; `out` receives what happens at run time.
    pub(super) fn declaration(&mut self, declaration: &'a Declaration, out: &mut Vec<Stmt>) {
        let specifiers = &declaration.specifiers;
        if matches!(specifiers.base, BaseType::AutoType) {
            self.auto_type_declaration(declaration, out);
            return;
        }
        if specifiers.storage.auto && matches!(specifiers.base, BaseType::ImplicitInt) {
            self.inferred_declaration(declaration, out);
            return;
        }
        let alone = declaration.declarators.is_empty();
        let base = self.specifiers(specifiers, if alone { Stands::Alone } else { Stands::BeforeDeclarators });
        let align_as = self.align_as(&specifiers.align_as, specifiers.span);
        for init_declarator in &declaration.declarators {
            let ty = self.declared_type(base, &init_declarator.declarator);
            self.declare(declaration, init_declarator, ty, align_as, out);
        }
        self.place_sizes(out);
    }

    /// `auto x = e;` is an `int` before C23 and has the type of `e` since; we accept it where both are the same, and where only C23 has a
    /// meaning for it: no `int` is initialised by a pointer or a structure.
    fn inferred_declaration(&mut self, declaration: &'a Declaration, out: &mut Vec<Stmt>) {
        let mut is_inferred = false;
        for init_declarator in &declaration.declarators {
            let ty = match &init_declarator.init {
                Some(AstInit::Expr(init)) if init_declarator.declarator.parts.is_empty() => self.expr(*init).ty,
                _ => self.basic.int,
            };
            is_inferred |= ty != self.basic.int && !self.is_error(ty);
            let types = &self.unit.types;
            if ty != self.basic.int && !self.is_error(ty) && !types.is_pointer(ty) && !types.is_record(ty) {
                let span = init_declarator.declarator.span;
                self.unsupported(span, "`auto` without a type, which is `int` in C17 and something else in C23");
            }
        }
        if is_inferred {
            self.auto_type_declaration(declaration, out);
            return;
        }
        let base = self.specifiers(&declaration.specifiers, Stands::BeforeDeclarators);
        for init_declarator in &declaration.declarators {
            let ty = self.declared_type(base, &init_declarator.declarator);
            self.declare(declaration, init_declarator, ty, None, out);
        }
        self.place_sizes(out);
    }

    /// `__auto_type x = e;`.
    fn auto_type_declaration(&mut self, declaration: &'a Declaration, out: &mut Vec<Stmt>) {
        for init_declarator in &declaration.declarators {
            let span = init_declarator.declarator.span;
            let (Some(AstInit::Expr(init)), true) =
                (&init_declarator.init, init_declarator.declarator.parts.is_empty())
            else {
                self.error(span, "`__auto_type` needs a plain name and an initialiser", "");
                if let Some(name) = init_declarator.declarator.name {
                    self.bind(name, Symbol::Error, span);
                }
                continue;
            };
            let value = self.expr(*init);
            let qualifiers = declaration.specifiers.qualifiers;
            let ty = Ty { constant: qualifiers.constant, volatile: qualifiers.volatile, ..Ty::plain(value.ty) };
            let Some(declared) = self.declared(declaration, init_declarator, ty, None) else { continue };
            if self.is_error(ty.id) || self.body.is_none() || declared.storage.statik {
                if !self.is_error(ty.id) {
                    self.unsupported(span, "`__auto_type` for a static object");
                }
                self.bind(declared.name, Symbol::Error, span);
                continue;
            }
            let var = self.new_variable(&declared, StorageKind::Automatic, true);
            self.bind(declared.name, Symbol::Var(var), span);
            let piece = InitPiece { offset: 0, bits: None, value, repeat: 1, stride: 0 };
            self.place_sizes(out);
            out.push(Stmt { kind: StmtKind::Declare(var, Some(Init { pieces: vec![piece] })), span });
        }
    }

    /// Puts the waiting assignments of array sizes here.
    pub(super) fn place_sizes(&mut self, out: &mut Vec<Stmt>) {
        for size in std::mem::take(&mut self.vla_sizes) {
            let span = size.span;
            out.push(Stmt { kind: StmtKind::Expr(size), span });
        }
    }

    fn declared(
        &mut self,
        declaration: &'a Declaration,
        init_declarator: &'a InitDeclarator,
        ty: Ty,
        align_as: Option<u32>,
    ) -> Option<Declared<'a>> {
        let declarator = &init_declarator.declarator;
        let specifiers = &declaration.specifiers;
        let name = declarator.name?;
        let mut attributes =
            self.attributes(&[&specifiers.attributes, &declarator.attributes, &init_declarator.attributes]);
        let mut ty = ty;
        if !specifiers.attributes.iter().any(|a| matches!(a.name.as_str(), "mode" | "vector_size")) {
            ty = self.apply_type_attributes(ty, &attributes);
        }
        attributes.align = attributes.align.max(align_as);
        let label = init_declarator.asm_name.as_deref();
        let mut storage = specifiers.storage;
        storage.statik |= storage.constexpr && self.body.is_none();
        Some(Declared { name, ty, storage, attributes, label, span: declarator.span })
    }

    fn declare(
        &mut self,
        declaration: &'a Declaration,
        init_declarator: &'a InitDeclarator,
        ty: Ty,
        align_as: Option<u32>,
        out: &mut Vec<Stmt>,
    ) {
        let Some(declared) = self.declared(declaration, init_declarator, ty, align_as) else { return };
        let init = init_declarator.init.as_ref();
        if declared.storage.typedef {
            self.declare_typedef(&declared);
            self.place_sizes(out);
            return;
        }
        if self.is_error(declared.ty.id) {
            self.bind(declared.name, Symbol::Error, declared.span);
            return;
        }
        if self.unit.types.is_function(declared.ty.id) {
            if init.is_some() {
                self.error(declared.span, "a function cannot be initialised like a variable", "");
            }
            self.declare_function(&declared);
            return;
        }
        if self.unit.types.is_void(declared.ty.id) {
            let text = self.text(declared.name);
            if declared.storage.external {
                // Headers use such symbols for their addresses alone.
                let opaque = self.basic.char;
                let declared = Declared { ty: Ty { id: opaque, ..declared.ty }, ..declared };
                self.declare_linked(&declared, None);
            } else {
                self.error(declared.span, format!("the variable `{text}` cannot have type `void`"), "");
                self.bind(declared.name, Symbol::Error, declared.span);
            }
            return;
        }
        if self.body.is_none() && declared.storage.register && declared.label.is_some() {
            // A register of the machine: each read may give any value, as with `volatile`.
            let ty = Ty { volatile: true, ..declared.ty };
            let register = Declared { ty, label: None, ..declared };
            self.declare_linked(&register, init);
        } else if self.body.is_none() || declared.storage.external {
            self.declare_linked(&declared, init);
        } else {
            self.declare_local(&declared, init, out);
        }
    }

    fn declare_typedef(&mut self, declared: &Declared<'a>) {
        let mut ty = declared.ty;
        if let Some(align) = declared.attributes.align {
            ty.align = Some(align);
        }
        if declared.attributes.transparent {
            self.make_transparent(ty.id);
        }
        let symbol = if self.is_error(ty.id) { Symbol::Error } else { Symbol::Typedef(ty) };
        match self.scopes.lookup_here(declared.name) {
            Some((Symbol::Typedef(known), _)) => {
                let known = *known;
                if !self.unit.types.compatible(&self.basic, known.id, ty.id) {
                    let text = self.text(declared.name);
                    let before = self.unit.types.display(known.id);
                    self.error(declared.span, format!("`{text}` was already another type, `{before}`"), "");
                    return;
                }
            }
            Some((Symbol::Error, _)) | None => {}
            Some(_) => {
                self.declared_twice(declared);
                return;
            }
        }
        self.bind(declared.name, symbol, declared.span);
    }

    fn declared_twice(&mut self, declared: &Declared<'a>) {
        let text = self.text(declared.name);
        let help = match self.scopes.lookup_here(declared.name) {
            Some((_, span)) => format!("it was declared before on line {}", self.source.place(span.start).line),
            None => String::new(),
        };
        self.error(declared.span, format!("`{text}` is declared twice"), help);
    }

    /// Whether the innermost scope has the name for something that has no linkage.
    fn taken_here(&self, name: Name) -> bool {
        match self.scopes.lookup_here(name) {
            Some((Symbol::Typedef(_) | Symbol::Enumerator(..) | Symbol::Unsupported(_), _)) => true,
            Some((Symbol::Var(var), _)) => !self.has_linkage(*var),
            _ => false,
        }
    }

    fn has_linkage(&self, var: VarId) -> bool {
        self.unit.vars[var].function.is_none() && self.unit.vars[var].storage != StorageKind::Parameter
    }

    /// Declares a function, or learns more about a known one.
    fn declare_function(&mut self, declared: &Declared<'a>) -> Option<FunctionId> {
        if self.taken_here(declared.name) {
            self.declared_twice(declared);
            return None;
        }
        let text = self.text(declared.name);
        let function = match self.linked.get(&declared.name).copied() {
            Some(Linked { symbol: LinkedSymbol::Var(_), .. }) => {
                self.error(declared.span, format!("`{text}` was declared as a variable"), "");
                self.bind(declared.name, Symbol::Error, declared.span);
                return None;
            }
            Some(Linked { symbol: LinkedSymbol::Function(function), .. }) => {
                self.merge_function(function, declared);
                function
            }
            None => {
                let function = self.add_function(text, declared.ty.id, declared.span);
                let linked = Linked { symbol: LinkedSymbol::Function(function), internal: declared.storage.statik };
                self.linked.insert(declared.name, linked);
                function
            }
        };
        self.note_function_attributes(function, declared);
        self.bind(declared.name, Symbol::Function(function), declared.span);
        Some(function)
    }

    /// What a declaration of a function says beside its type.
    pub(super) fn note_function_attributes(&mut self, function: FunctionId, declared: &Declared<'a>) {
        let attributes = &declared.attributes;
        self.function_facts[function].external |= declared.storage.external || !declared.storage.inline;
        let noted = &mut self.unit.functions[function];
        noted.internal |= declared.storage.statik;
        noted.noreturn |= declared.storage.noreturn || attributes.noreturn;
        noted.returns_twice |= attributes.returns_twice;
        noted.weak |= attributes.weak;
        noted.effectless = noted.effectless.or(attributes.effectless);
        if let Some(positions) = &attributes.nonnull {
            let TypeKind::Function { params, .. } = &self.unit.types.kinds[declared.ty.id] else { return };
            let named = |n: usize| positions.is_empty() || positions.contains(&(n as i128 + 1));
            let pointers = (0..params.len()).filter(|&n| self.unit.types.is_pointer(params[n]) && named(n));
            noted.nonnull.extend(pointers);
        }
        if let Some(span) = attributes.outside_main {
            let text = self.text(declared.name);
            self.unsupported(span, format!("`{text}` runs before or after `main`"));
        }
        if let Some((target, span)) = &attributes.alias {
            self.aliases.push((LinkedSymbol::Function(function), target.clone(), *span));
        }
        if let Some(label) = declared.label {
            self.labels.push((LinkedSymbol::Function(function), label.to_owned(), declared.span));
        }
    }

    /// What a declaration of a variable with static storage says beside its type.
    fn note_variable_attributes(&mut self, var: VarId, declared: &Declared<'a>) {
        self.unit.vars[var].weak |= declared.attributes.weak;
        if let Some((target, span)) = &declared.attributes.alias {
            self.aliases.push((LinkedSymbol::Var(var), target.clone(), *span));
            // It is defined by what it is an alias of.
            self.unit.vars[var].defined = true;
        }
        if let Some(label) = declared.label {
            self.labels.push((LinkedSymbol::Var(var), label.to_owned(), declared.span));
        }
    }

    pub(super) fn merge_function(&mut self, function: FunctionId, declared: &Declared<'a>) {
        let known = self.unit.functions[function].ty;
        let text = self.text(declared.name);
        if self.unit.types.compatible(&self.basic, known, declared.ty.id) {
            let ty = self.unit.types.composite(&self.basic, known, declared.ty.id);
            self.unit.functions[function].ty = ty;
        } else if self.function_facts[function].implicit {
            // The declaration replaces the type that an earlier call implied.
            self.unit.functions[function].ty = declared.ty.id;
        } else {
            let (before, now) = (self.unit.types.display(known), self.unit.types.display(declared.ty.id));
            self.error(
                declared.span,
                format!("`{text}` has conflicting types"),
                format!("it is `{now}` here and was `{before}` before"),
            );
        }
        if self.function_facts[function].implicit {
            self.function_facts[function].implicit = false;
            self.unit.functions[function].span = declared.span;
        }
    }

    /// An object with linkage: at file scope, or `extern` in a block.
    fn declare_linked(&mut self, declared: &Declared<'a>, init: Option<&'a AstInit>) {
        if self.taken_here(declared.name) {
            self.declared_twice(declared);
            return;
        }
        let text = self.text(declared.name);
        let inner = self.body.is_some();
        let defines = !declared.storage.external || init.is_some();
        let var = match self.linked.get(&declared.name).copied() {
            Some(Linked { symbol: LinkedSymbol::Function(_), .. }) => {
                self.error(declared.span, format!("`{text}` was declared as a function"), "");
                self.bind(declared.name, Symbol::Error, declared.span);
                return;
            }
            Some(Linked { symbol: LinkedSymbol::Var(var), internal }) => {
                if declared.storage.statik && !internal {
                    self.warn(declared.span, format!("`{text}` was declared without `static` before"), "");
                }
                self.merge_variable(var, declared);
                var
            }
            None => {
                let storage = if declared.storage.thread_local { StorageKind::Thread } else { StorageKind::Static };
                let var = self.new_variable(declared, storage, false);
                self.unit.vars[var].function = None;
                let linked = Linked { symbol: LinkedSymbol::Var(var), internal: declared.storage.statik };
                self.linked.insert(declared.name, linked);
                var
            }
        };
        self.note_variable_attributes(var, declared);
        if inner && init.is_some() {
            self.error(declared.span, "an `extern` variable in a block cannot be initialised", "");
            return;
        }
        self.bind(declared.name, Symbol::Var(var), declared.span);
        if defines {
            if !self.unit.vars[var].defined {
                self.unit.vars[var].span = declared.span;
            }
            self.unit.vars[var].defined = true;
        }
        if let Some(init) = init {
            if self.unit.vars[var].init.is_some() {
                self.error(declared.span, format!("`{text}` is initialised twice"), "");
                return;
            }
            self.initialise_static(var, init);
            if declared.storage.constexpr
                && let Some(init) = self.unit.vars[var].init.clone()
            {
                self.note_constexpr(var, &init);
            }
        } else if declared.storage.constexpr {
            self.error(declared.span, "a `constexpr` variable needs an initialiser", "");
        }
    }

    fn merge_variable(&mut self, var: VarId, declared: &Declared<'a>) {
        let known = self.var_types[var].id;
        if self.unit.types.compatible(&self.basic, known, declared.ty.id) {
            let ty = self.unit.types.composite(&self.basic, known, declared.ty.id);
            self.var_types[var].id = ty;
            if self.unit.vars[var].init.is_none() {
                self.unit.vars[var].ty = ty;
            }
            if let Some(align) = declared.attributes.align {
                self.unit.vars[var].align = self.unit.vars[var].align.max(Some(align));
            }
        } else {
            let text = self.text(declared.name);
            let (before, now) = (self.unit.types.display(known), self.unit.types.display(declared.ty.id));
            self.error(
                declared.span,
                format!("`{text}` has conflicting types"),
                format!("it is `{now}` here and was `{before}` before"),
            );
        }
    }

    /// Remembers the value of a `constexpr` integer.
    fn note_constexpr(&mut self, var: VarId, init: &Init) {
        let ty = self.unit.vars[var].ty;
        if let [InitPiece { offset: 0, bits: None, value, .. }] = init.pieces.as_slice()
            && self.unit.types.is_integer(ty)
            && let Some(value) = self.integer_value(value)
        {
            self.constexprs.insert(var, value);
        }
    }

    fn initialise_static(&mut self, var: VarId, init: &'a AstInit) {
        let ty = self.var_types[var];
        let initialised = self.initialiser(ty, init, StorageKind::Static);
        self.var_types[var].id = initialised.ty;
        self.unit.vars[var].ty = initialised.object;
        self.unit.vars[var].init = Some(initialised.init);
        let span = self.unit.vars[var].span;
        self.require_complete(initialised.ty, span, "this variable");
    }

    pub(super) fn new_variable(&mut self, declared: &Declared<'a>, storage: StorageKind, defined: bool) -> VarId {
        let ty = declared.ty;
        let natural = self.unit.types.align_of(ty.id);
        let align = declared.attributes.align.max(ty.align).filter(|&align| align > natural);
        let variable = Variable {
            name: self.text(declared.name).to_owned(),
            ty: ty.id,
            storage,
            is_const: ty.constant,
            is_volatile: ty.volatile,
            address_taken: false,
            align,
            init: None,
            defined,
            alias_of: None,
            hidden_alias: false,
            weak: false,
            weak_by_pragma: false,
            function: self.current_function(),
            span: declared.span,
        };
        self.add_variable(variable, ty)
    }

    /// A variable of a block.
    fn declare_local(&mut self, declared: &Declared<'a>, init: Option<&'a AstInit>, out: &mut Vec<Stmt>) {
        if self.scopes.lookup_here(declared.name).is_some_and(|(symbol, _)| !matches!(symbol, Symbol::Error)) {
            self.declared_twice(declared);
        }
        let span = declared.span;
        let is_static = declared.storage.statik || declared.storage.thread_local;
        self.place_sizes(out);
        if is_static {
            if self.unit.types.is_variably_modified(declared.ty.id) {
                self.error(span, "a static variable cannot have variable length", "");
            }
            let storage = if declared.storage.thread_local { StorageKind::Thread } else { StorageKind::Static };
            let var = self.new_variable(declared, storage, true);
            self.note_variable_attributes(var, declared);
            self.bind(declared.name, Symbol::Var(var), span);
            match init {
                Some(init) => self.initialise_static(var, init),
                None => {
                    self.require_complete(declared.ty.id, span, "this variable");
                }
            }
            return;
        }
        if declared.storage.register && declared.label.is_some() {
            // Its value can change with every call and every assembler statement.
            self.bind(declared.name, Symbol::Unsupported("a variable in a named register"), span);
            return;
        }
        let var = self.new_variable(declared, StorageKind::Automatic, true);
        // The name is known in its own initialiser.
        self.bind(declared.name, Symbol::Var(var), span);
        let init = init.map(|init| {
            let initialised = self.initialiser(declared.ty, init, StorageKind::Automatic);
            self.var_types[var].id = initialised.ty;
            self.unit.vars[var].ty = initialised.ty;
            initialised.init
        });
        self.require_complete(self.unit.vars[var].ty, span, "this variable");
        if let (true, Some(init)) = (declared.storage.constexpr, &init) {
            self.note_constexpr(var, init);
        }
        out.push(Stmt { kind: StmtKind::Declare(var, init), span });
        if let Some(at) = declared.attributes.cleanup {
            let refused = self.refuse("code that runs at the end of a block (`cleanup`)", self.basic.void, at);
            out.push(Stmt { kind: StmtKind::Expr(refused), span: at });
        }
    }
}
