//! Small Boogie programs with contracts whose meaning is known exactly.
//!
//! The tree here is not that of the front end, and `explore` was written from the language's definition [Leino-KRML'08] and not from
//! our lowering: every type is finite, so all runs of a program can be tried, havocs and calls by contract included. `generate` makes
//! random programs, `print` writes them down, `shrink` minimises those with a difference.

pub mod explore;
pub mod generate;
pub mod print;
pub mod shrink;

/// A type with few values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `bool`
    Bool,
    /// `bv1`, `bv2`
    Bits(u32),
    /// `[bv1]bool`; as a number, its two values side by side. Maps are not compared.
    Map,
    /// `type A;`, of which only a few sizes are tried.
    Elem,
}

/// A variable, parameter or constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// As it is written.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// `where e`
    pub restriction: Option<Expr>,
}

/// Operators with two arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Iff,
    Implies,
    Explies,
    And,
    Or,
    Eq,
    Ne,
    Concat,
}

/// What a name in an expression means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ref {
    /// A global variable by its number.
    Global(usize),
    /// A parameter, result or local variable of the procedure, counted in this order.
    Local(usize),
    /// A constant.
    Const(usize),
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A truth value.
    Truth(bool),
    /// A value and its width.
    Bits(u64, u32),
    /// A variable or constant.
    Ref(Ref),
    /// `old(e)`
    Old(Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// An operator with two arguments.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The bit of this number.
    Bit(Box<Expr>, u32),
    /// `add(a, b)` on two bits, which stands for the solver's `bvadd`.
    Add(Box<Expr>, Box<Expr>),
    /// `less(a, b)` on two bits, which stands for the solver's `bvult`.
    Less(Box<Expr>, Box<Expr>),
    /// `neither(a, b)`, a function with the body `!(a || b)`.
    Neither(Box<Expr>, Box<Expr>),
    /// `m[i]`
    Read(Box<Expr>, Box<Expr>),
    /// `m[i := v]`
    Write(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An uninterpreted function by its number.
    Apply(usize, Box<Expr>),
}

/// An uninterpreted function of one argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Of the argument.
    pub param: Type,
    /// Of the value.
    pub result: Type,
}

/// A condition of a contract, which may be free.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Whether it is assumed only.
    pub free: bool,
    /// What it says.
    pub holds: Expr,
    /// What a failure is known by.
    pub id: usize,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// `{:inline 1}`
    pub inline: bool,
    /// Parameters.
    pub params: Vec<Var>,
    /// Results.
    pub results: Vec<Var>,
    /// `requires`
    pub requires: Vec<Clause>,
    /// `ensures`
    pub ensures: Vec<Clause>,
    /// Numbers of globals.
    pub modifies: Vec<usize>,
    /// Its implementations.
    pub bodies: Vec<Body>,
}

/// An implementation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// Local variables.
    pub locals: Vec<Var>,
    /// Statements.
    pub block: Vec<Stmt>,
}

/// A statement with what its failure is known by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: Kind,
    /// What its failure is known by.
    pub id: usize,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `assert e;`
    Assert(Expr),
    /// `assume e;`
    Assume(Expr),
    /// `havoc x, y;`
    Havoc(Vec<Ref>),
    /// `x, y := e, f;`
    Assign(Vec<(Ref, Expr)>),
    /// `call x := P(e);`
    Call {
        /// Variables that receive the results.
        results: Vec<Ref>,
        /// The procedure's number.
        procedure: usize,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `if (c) { } else { }`; without a condition `*`.
    If(Option<Expr>, Vec<Stmt>, Vec<Stmt>),
    /// `while (c) invariant e; { }`
    While(Option<Expr>, Vec<Clause>, Vec<Stmt>),
    /// `break;`
    Break,
    /// `return;`
    Return,
    /// `name:`
    Label(String),
    /// `goto a, b;`
    Goto(Vec<String>),
}

/// A whole program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Program {
    /// Constants; those that are `unique` have a number below `n_unique`.
    pub consts: Vec<Var>,
    /// How many of the constants are `unique`; all of one type.
    pub n_unique: usize,
    /// Uninterpreted functions.
    pub functions: Vec<Function>,
    /// Axioms.
    pub axioms: Vec<Expr>,
    /// Global variables.
    pub globals: Vec<Var>,
    /// Procedures.
    pub procedures: Vec<Procedure>,
}

impl Procedure {
    /// Parameters and results, as references count them.
    pub fn interface(&self) -> impl Iterator<Item = &Var> {
        self.params.iter().chain(&self.results)
    }
}

impl Program {
    /// Whether all models are tried: then what `explore` says is exact, otherwise only the errors that it finds are.
    pub fn is_finite(&self) -> bool {
        let mut types: Vec<Type> = self.consts.iter().chain(&self.globals).map(|var| var.ty).collect();
        types.extend(self.functions.iter().flat_map(|function| [function.param, function.result]));
        for procedure in &self.procedures {
            types.extend(procedure.interface().map(|var| var.ty));
            types.extend(procedure.bodies.iter().flat_map(|body| body.locals.iter().map(|var| var.ty)));
        }
        !types.contains(&Type::Elem)
    }
}
