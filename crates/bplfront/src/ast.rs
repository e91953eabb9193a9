//! The syntax tree of a Boogie file.
//!
//! Expressions live in one table, arguments before the terms around them, so that a traversal needs no
//! recursion: the subexpressions of `e` are those from [`Expr::first`] to `e`.

use base::{IndexVec, define_id};

use crate::source::Span;

define_id!(ExprId, "An expression.");

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// All expressions.
    pub exprs: IndexVec<ExprId, Expr>,
    /// The declarations in order.
    pub declarations: Vec<Declaration>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `type C a b;` or `type C a = T;`
    Type {
        /// Its name.
        name: Name,
        /// Its parameters.
        params: Vec<Name>,
        /// What it abbreviates.
        synonym: Option<Type>,
    },
    /// `const unique a, b: T;`
    Const {
        /// The names.
        names: Vec<Name>,
        /// Their type.
        ty: Type,
        /// Whether they differ from all other unique constants of the type.
        unique: bool,
        /// `extends` and the like: an order between constants.
        order: Option<Span>,
    },
    /// A function.
    Function(Function),
    /// An axiom.
    Axiom(ExprId),
    /// Global variables.
    Vars(Vec<VarDecl>),
    /// A procedure, with or without a body.
    Procedure(Procedure),
    /// `implementation P(...) { ... }`
    Implementation(Procedure),
    /// Something that is read over: what it is, and where.
    Unsupported {
        /// What, as a noun.
        what: String,
        /// Where.
        span: Span,
    },
}

/// A variable, parameter or bound variable.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// What is assumed of it wherever it gets a free value.
    pub restriction: Option<ExprId>,
}

/// An expression with variables of its own.
#[derive(Clone, Debug)]
pub struct Binder {
    /// `forall`, `exists`, `lambda`, `var`.
    pub word: &'static str,
    /// The types that it speaks of.
    pub type_params: Vec<Name>,
    /// Its variables; of a local definition, none are kept.
    pub vars: Vec<VarDecl>,
    /// What an instance is made for: for terms that match all patterns of one of these lists.
    pub triggers: Vec<Vec<ExprId>>,
    /// What is said of the variables.
    pub body: ExprId,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// `{:bvbuiltin "bvadd"}` or `{:builtin "..."}`: the operator that it stands for.
    pub builtin: Option<String>,
    /// Type parameters.
    pub type_params: Vec<Name>,
    /// Parameters; the name may be missing.
    pub params: Vec<(Option<Name>, Type)>,
    /// The type of its result.
    pub result: Type,
    /// Its definition.
    pub body: Option<ExprId>,
}

/// A procedure or implementation.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// What its attributes say about how it is checked.
    pub checking: Checking,
    /// Type parameters.
    pub type_params: Vec<Name>,
    /// Parameters.
    pub params: Vec<VarDecl>,
    /// Results.
    pub results: Vec<VarDecl>,
    /// The contract.
    pub specs: Vec<Spec>,
    /// The body.
    pub body: Option<Body>,
}

/// What the attributes of a procedure or implementation say about how it is checked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checking {
    /// `{:entrypoint}`: where runs of the whole program start.
    pub is_entry: bool,
    /// `{:inline n}`: calls execute the body; it is not checked by itself.
    pub is_inline: bool,
    /// `{:verify false}`: the body is not checked.
    pub is_skipped: bool,
}

/// A part of a contract.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Whether it is assumed without being checked.
    pub free: bool,
    /// What it says.
    pub kind: SpecKind,
}

/// What a part of a contract says.
#[derive(Clone, Debug)]
pub enum SpecKind {
    /// Holds before.
    Requires(ExprId),
    /// Holds after.
    Ensures(ExprId),
    /// Only these globals change; never free.
    Modifies(Vec<Name>),
}

/// The body of a procedure.
#[derive(Clone, Debug)]
pub struct Body {
    /// Local variables.
    pub locals: Vec<VarDecl>,
    /// Statements.
    pub block: Block,
    /// Its closing brace.
    pub end: Span,
}

/// Statements between braces.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
}

/// A statement and where it stands.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// A condition that may be left to chance.
#[derive(Clone, Copy, Debug)]
pub enum Guard {
    /// `*`
    Any,
    /// An expression.
    Expr(ExprId),
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `name:`
    Label(Name),
    /// `assert e;`
    Assert(ExprId),
    /// `assume e;`
    Assume(ExprId),
    /// `havoc x, y;`
    Havoc(Vec<Name>),
    /// `x, m[i] := e, f;`
    Assign(Vec<(Target, ExprId)>),
    /// `call x := P(e);`
    Call {
        /// Variables that receive the results.
        results: Vec<Name>,
        /// The procedure.
        procedure: Name,
        /// The arguments.
        args: Vec<ExprId>,
    },
    /// `if (c) { } else { }`
    If(Guard, Block, Option<Block>),
    /// `while (c) invariant e; { }`
    While {
        /// When it goes on.
        guard: Guard,
        /// Invariants with whether they are free.
        invariants: Vec<(bool, ExprId)>,
        /// The body.
        body: Block,
    },
    /// `break;` or `break l;`
    Break(Option<Name>),
    /// `return;`
    Return,
    /// `goto a, b;`
    Goto(Vec<Name>),
    /// Something that is read over.
    Unsupported(String),
}

/// The left side of an assignment: `x` or `x[i][j]`.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub name: Name,
    /// The indices, outermost map first.
    pub indices: Vec<Vec<ExprId>>,
}

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `C T U`, with `bool`, `int`, `real`, `bv32` among the names.
    Named(String, Vec<Type>),
    /// `<a>[T, U]V`; whether there are type parameters.
    Map(bool, Vec<Type>, Box<Type>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The first of its subexpressions in the table.
    pub first: ExprId,
    /// Where.
    pub span: Span,
}

/// Operators with two arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    Iff,
    Implies,
    Explies,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Subtype,
    Concat,
    Add,
    Sub,
    Mul,
    Divide,
    Div,
    Mod,
    Pow,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `true` or `false`.
    Truth(bool),
    /// Digits.
    Int(String),
    /// A real number.
    Real(String),
    /// Digits and width.
    BitVec(String, u32),
    /// A variable or constant.
    Name(String),
    /// A function applied to arguments.
    Apply(Name, Vec<ExprId>),
    /// `!e`
    Not(ExprId),
    /// `-e`
    Neg(ExprId),
    /// An operator with two arguments.
    Binary(Binary, ExprId, ExprId),
    /// `if c then a else b`
    IfThenElse(ExprId, ExprId, ExprId),
    /// `m[i, j]`
    Select(ExprId, Vec<ExprId>),
    /// `m[i, j := v]`
    Update(ExprId, Vec<ExprId>, ExprId),
    /// `e[high:low]`: from this bit (not included) down to that one.
    Extract(ExprId, u32, u32),
    /// `old(e)`
    Old(ExprId),
    /// `int(e)` or `real(e)`.
    Convert(bool, ExprId),
    /// `forall`, `exists`, `lambda`, a local definition.
    Bound(Box<Binder>),
    /// Something that is read over: what it is.
    Unsupported(String, Vec<ExprId>),
}
