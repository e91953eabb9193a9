//! Semantic analysis: syntax tree to typed tree.
//!
//! One pass over the unit in source order. The techniques, one file each: `types` and `compatible`
//! (what types are and when they agree), `layout` (structs and unions to the bit), `scope` (names),
//! `specifier`, `declarator`, `attribute`, `declare` and `function` (from declarations to types, variables
//! and functions), `convert` (promotions, conversions, decay), `constant` (folding), `expr`, `literal`,
//! `size`, `operator`, `assign`, `conditional`, `call`, `builtin` and `atomic` (expressions), `init` and
//! `overwrite` (initialisers), `stmt` (statements), and `finish` (what can only be said at the end:
//! tentative definitions, whose address is taken). A program of several files is analysed file by file: `units` shares
//! their types, `link` makes one symbol of the declarations with external linkage.
//!
//! Mistakes become diagnostics, all in one go. An expression that had one gets the error type, which
//! silences everything that would follow from it. What C or GNU C allows and we do not treat becomes an
//! `Unsupported` expression that lowering refuses if it is reachable.

mod assembler;
mod assign;
mod atomic;
mod attribute;
mod builtin;
mod call;
mod compatible;
mod conditional;
mod constant;
mod convert;
mod declarator;
mod declare;
mod enumeration;
mod expr;
mod finish;
mod function;
mod init;
mod instructions;
mod layout;
mod link;
mod literal;
mod operator;
mod overwrite;
mod scope;
mod size;
mod specifier;
mod stmt;
mod symbols;
#[cfg(test)]
mod tests;
mod types;
mod units;
mod wide_field;

use base::{Diagnostic, FastMap, IndexVec, Severity};

pub(crate) use self::instructions::pieces as instructions_of;
use self::scope::{Scopes, Symbol};
use self::types::{Basic, ERROR, Ty};
use self::units::Shared;
use crate::ast::{Ast, Name, Span};
use crate::hir::{
    DataModel, Expr, ExprKind, FunctionId, RecordTypeId, StorageKind, TypeId, TypeKind, Unit, VarId, Variable,
};
use crate::source::Source;

/// Types a whole program, one tree for each of its files; the diagnostics are all that were found, and the result is
/// usable only without errors.
pub fn analyse(asts: &[Ast], source: &Source, model: DataModel) -> (Unit, Vec<Diagnostic>) {
    units::analyse(asts, source, model)
}

/// The state of the analysis.
struct Sema<'a> {
    ast: &'a Ast,
    source: &'a Source,
    unit: Unit,
    basic: Basic,
    diagnostics: Vec<Diagnostic>,
    scopes: Scopes,
    /// The declared type of each variable (the unit's may be larger: flexible array members).
    var_types: IndexVec<VarId, Ty>,
    /// Objects and functions with linkage; inner `extern` declarations find them here.
    linked: FastMap<Name, Linked>,
    /// What only analysis needs to know of each function.
    function_facts: IndexVec<FunctionId, FunctionFacts>,
    /// Unions that take arguments of their members' types.
    transparent: Vec<RecordTypeId>,
    /// Records whose members are being read.
    defining: Vec<RecordTypeId>,
    /// From texts to names, for names that the program may not mention itself.
    texts: FastMap<Box<str>, Name>,
    /// The function whose body is being read.
    body: Option<Box<Body>>,
    /// Assignments to size variables of arrays of variable length, waiting to be placed.
    vla_sizes: Vec<Expr>,
    /// Reading the parameters of a function definition, whose lengths may be variable.
    in_definition: bool,
    /// Inside how many parameter lists of mere declarations we are.
    in_prototype: u32,
    /// Undeclared names already reported, with the function they were used in.
    undeclared: FastMap<(Name, Option<FunctionId>), ()>,
    /// Library functions behind builtins whose plain name the program never mentions.
    unmentioned: FastMap<Box<str>, FunctionId>,
    /// Functions and variables declared as aliases: symbol, name of the target, place.
    aliases: Vec<(LinkedSymbol, String, Span)>,
    /// Values of `constexpr` variables, which are constants wherever C demands one.
    constexprs: FastMap<VarId, i128>,
    /// Names that the assembler sees instead of those of the program.
    labels: Vec<(LinkedSymbol, String, Span)>,
    /// The symbols that these names have replaced, with the name that the linker sees.
    relabelled: Vec<(LinkedSymbol, String)>,
    /// What the files before this one have declared.
    shared: Shared,
}

/// An object or function with linkage.
#[derive(Clone, Copy, Debug)]
struct Linked {
    symbol: LinkedSymbol,
    /// `static`.
    internal: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LinkedSymbol {
    Var(VarId),
    Function(FunctionId),
}

/// What only analysis needs to know of a function.
#[derive(Clone, Copy, Debug, Default)]
struct FunctionFacts {
    /// It was called before its declaration.
    implicit: bool,
    /// Its definition was `extern inline` in the GNU sense, so that another one may follow.
    replaceable: bool,
    /// A declaration without `inline`, or with `extern`: its definition is one for other files, too (C11 6.7.4p7).
    external: bool,
}

/// The function whose body is being read.
#[derive(Debug)]
struct Body {
    function: FunctionId,
    result: TypeId,
    labels: stmt::Labels,
    switches: Vec<stmt::OpenSwitch>,
    /// Open loops and switches, for `break`.
    breakable: u32,
    /// Open loops, for `continue`.
    continuable: u32,
    /// `__func__` once it was used.
    name_literal: Option<VarId>,
}

impl<'a> Sema<'a> {
    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(self.source.diagnostic(Severity::Error, span, message, help));
    }

    fn warn(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(self.source.diagnostic(Severity::Warning, span, message, help));
    }

    fn unsupported(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(self.source.diagnostic(Severity::Unsupported, span, message, ""));
    }

    /// Reports, and returns an expression that silences what would follow.
    fn error_expr(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) -> Expr {
        self.error(span, message, help);
        self.silent_error(span)
    }

    fn silent_error(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Unsupported(ERROR.to_owned()), ty: self.basic.error, span }
    }

    fn refuse(&self, what: impl Into<String>, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Unsupported(what.into()), ty, span }
    }

    fn is_error(&self, ty: TypeId) -> bool {
        ty == self.basic.error
    }

    /// A type we know and do not treat; the error type is one, too.
    fn is_unsupported(&self, ty: TypeId) -> bool {
        matches!(self.unit.types.kind(ty), TypeKind::Unsupported(_))
    }

    fn text(&self, name: Name) -> &'a str {
        let ast: &'a Ast = self.ast;
        &ast.names[name]
    }

    fn current_function(&self) -> Option<FunctionId> {
        self.body.as_ref().map(|body| body.function)
    }

    fn add_variable(&mut self, variable: Variable, ty: Ty) -> VarId {
        let var = self.unit.vars.push(variable);
        let same = self.var_types.push(ty);
        assert_eq!(var, same, "every variable has a declared type");
        var
    }

    /// A variable without a name in the source: a temporary, an array's size, a compound literal.
    fn made_up_variable(&mut self, name: &str, ty: TypeId, span: Span) -> VarId {
        let function = self.current_function();
        let variable = Variable {
            name: name.to_owned(),
            ty,
            storage: if function.is_some() { StorageKind::Automatic } else { StorageKind::Static },
            is_const: false,
            is_volatile: false,
            address_taken: false,
            align: None,
            init: None,
            defined: true,
            alias_of: None,
            hidden_alias: false,
            weak: false,
            weak_by_pragma: false,
            function,
            span,
        };
        self.add_variable(variable, Ty::plain(ty))
    }

    fn unnamed_variable(&mut self, ty: TypeId, span: Span) -> VarId {
        self.made_up_variable("<literal>", ty, span)
    }

    /// Declares something in the innermost scope that is neither function nor object with linkage.
    fn bind(&mut self, name: Name, symbol: Symbol, span: Span) {
        self.scopes.bind(name, symbol, span);
    }
}
