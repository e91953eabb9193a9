//! The typed tree: every type known, every conversion written out, every name resolved.
//!
//! What semantic analysis guarantees and lowering relies on:
//! * Operands of an arithmetic operator have the type of the operation; conversions are `Cast`s.
//! * An lvalue is a [`Place`]; reading it is an explicit `Read`. Arrays and functions have decayed
//!   to addresses, except under `sizeof` (already a constant) and `&`.
//! * `a[i]`, `p->f` and pointer arithmetic are `PtrAdd` with the element size, `Deref` and `Field`.
//! * Constant expressions that C demands to be constant are values. Enumerators are values.
//! * Initialisers are flat lists of scalar pieces with offsets; the rest of the object is zero.
//! * Every unit is complete: tentative definitions merged, array lengths known.
//! * A direct call has the result type its function turned out to have. Calls of functions without
//!   prototype pass promoted arguments, and their number and types may differ from the definition's.
//! * Size variables of arrays and the variables of compound literals have no `Declare`; size variables
//!   are assigned by the statement or comma in front of their first use.
//! * An expression that was wrong has a diagnostic; the tree is only for units without errors.

#[cfg(test)]
mod dump;

use base::{IndexVec, define_id};

use crate::ast::Span;

define_id!(TypeId, "An interned C type; equal handles, same type (qualifiers aside).");
define_id!(RecordTypeId, "A struct or union type.");
define_id!(VarId, "A variable: global, static local, local or parameter.");
define_id!(FunctionId, "A function, defined or only declared.");
define_id!(StringId, "A string literal.");
define_id!(LabelId, "A label, numbered within its function.");

/// A typed translation unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// All types.
    pub types: Types,
    /// All variables of the unit, also locals and parameters of every function.
    pub vars: IndexVec<VarId, Variable>,
    /// All functions, defined or declared.
    pub functions: IndexVec<FunctionId, Function>,
    /// String literals, element by element, final zero included.
    pub strings: IndexVec<StringId, StringLiteral>,
    /// Whether there is assembler at file scope, which may define symbols.
    pub file_assembler: bool,
}

impl Unit {
    /// The variable that stands for this symbol.
    pub fn same_variable(&self, var: VarId) -> VarId {
        self.vars[var].alias_of.unwrap_or(var)
    }
    /// The function that stands for this symbol.
    pub fn same_function(&self, function: FunctionId) -> FunctionId {
        self.functions[function].alias_of.unwrap_or(function)
    }
}

/// A string literal as an object.
#[derive(Debug, Clone)]
pub struct StringLiteral {
    /// Its bytes as they lie in memory (wide characters little-endian), final zero included.
    pub bytes: Vec<u8>,
    /// Its array type.
    pub ty: TypeId,
}

/// The interned types. (Filled and queried by `sema::types`.)
#[derive(Debug, Default)]
pub struct Types {
    /// What each handle stands for.
    pub kinds: IndexVec<TypeId, TypeKind>,
    /// All struct and union types.
    pub records: IndexVec<RecordTypeId, Record>,
    /// From what a handle stands for to the handle.
    pub known: base::FastMap<TypeKind, TypeId>,
    /// Sizes of the data model.
    pub model: DataModel,
}

/// Sizes of the basic types. All targets are little-endian with signed `char` and 32-bit `int`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DataModel {
    /// 32-bit `long` and pointers; `long long` and `double` are aligned to 4 in structs, as on i386.
    Ilp32,
    /// 64-bit `long` and pointers.
    #[default]
    Lp64,
}

/// Integer types. Enums have become their underlying type; `_Bool` is `TypeKind::Bool`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntKind {
    /// Plain `char`, signed, distinct from `signed char`.
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

/// Real floating types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float,
    Double,
    /// x87 extended: 12 bytes (ILP32) or 16 (LP64) in memory.
    LongDouble,
    /// `__float128`.
    Quad,
}

/// What a type is, qualifiers aside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// A pointer. `const_target`: to a `const` type, through which nothing is written.
    Pointer {
        /// What it points to.
        target: TypeId,
        /// Whether the target is qualified `const`.
        const_target: bool,
        /// Whether the target is qualified `volatile`.
        volatile_target: bool,
    },
    /// An array; `None` is an incomplete or flexible one.
    Array(TypeId, Option<u64>),
    /// An array of variable length; the variable holds how many elements it has that are no such arrays themselves (of type `size_t`). It is not the size in bytes, so that every
    /// address in it is visibly a multiple of the size of such an element.
    Vla(TypeId, VarId),
    /// A function.
    Function {
        /// The result.
        result: TypeId,
        /// Parameters after adjustment.
        params: Vec<TypeId>,
        /// Takes more than that.
        variadic: bool,
        /// `false` for `f()`: nothing is known of the parameters.
        prototype: bool,
    },
    /// A struct or union.
    Record(RecordTypeId),
    /// `va_list`: a pointer-sized cursor over the variadic arguments of the frame.
    VaList,
    /// `_Complex`, vectors, nested functions' types and the like: known, sized if possible, refused when used.
    Unsupported(&'static str),
}

/// A struct or union with its layout.
#[derive(Debug, Clone)]
pub struct Record {
    /// The tag, or a made-up name.
    pub name: String,
    /// A union.
    pub is_union: bool,
    /// Members in order, anonymous ones included as members without a name; `None` while incomplete.
    pub fields: Option<Vec<Field>>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
}

/// A member.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name; `None` for anonymous structs, unions and padding bit-fields.
    pub name: Option<String>,
    /// The type.
    pub ty: TypeId,
    /// Offset in bytes; for a bit-field, of its storage unit of the declared type.
    pub offset: u64,
    /// For a bit-field: first bit (from the lowest bit of the byte at `offset`) and width.
    pub bits: Option<BitRange>,
    /// Declared `const`.
    pub is_const: bool,
    /// Declared `volatile`.
    pub is_volatile: bool,
}

/// A bit-field inside memory, counted from the lowest bit of the byte at the place's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitRange {
    /// The first bit; may exceed seven.
    pub first: u32,
    /// The number of bits.
    pub width: u32,
}

/// A variable.
#[derive(Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// How long it lives.
    pub storage: StorageKind,
    /// Declared `const`.
    pub is_const: bool,
    /// Declared `volatile`: each read may give any value.
    pub is_volatile: bool,
    /// Its address is taken (also by array decay), so that it must live in memory. Records, unions and arrays always do.
    pub address_taken: bool,
    /// Alignment if stricter than the type's.
    pub align: Option<u32>,
    /// For statics: the constant initialiser; `None` is all zero. Automatic variables are initialised by `Stmt::Declare`.
    pub init: Option<Init>,
    /// For file-scope variables: `false` if only declared `extern` and never defined here.
    pub defined: bool,
    /// The variable that is the same symbol (`alias`, an assembler name): it lives where that one lives.
    pub alias_of: Option<VarId>,
    /// Only the assembler knows that it is the same: a compiler takes the addresses for different.
    pub hidden_alias: bool,
    /// Declared `weak`: without a definition its address may be null.
    pub weak: bool,
    /// Made weak by `#pragma weak`.
    pub weak_by_pragma: bool,
    /// The function it is local to (static locals too).
    pub function: Option<FunctionId>,
    /// Where it was declared.
    pub span: Span,
}

/// How long a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageKind {
    /// As long as the program.
    Static,
    /// One for each thread; like `Static` while there is one thread.
    Thread,
    /// As long as the block.
    Automatic,
    /// As long as the call.
    Parameter,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its function type.
    pub ty: TypeId,
    /// Parameters of the definition, in order.
    pub params: Vec<VarId>,
    /// The body, if defined.
    pub body: Option<Vec<Stmt>>,
    /// Names of the labels of the body.
    pub labels: IndexVec<LabelId, String>,
    /// Its address is taken: a candidate for calls through pointers.
    pub address_taken: bool,
    /// Declared `static`: other parts of the program, such as models of the library, do not see it.
    pub internal: bool,
    /// Declared `noreturn`.
    pub noreturn: bool,
    /// Declared `returns_twice`, as `setjmp` and `vfork` are.
    pub returns_twice: bool,
    /// The function that is the same symbol (`alias`, an assembler name): calls and addresses are that one's.
    pub alias_of: Option<FunctionId>,
    /// Only the assembler knows that it is the same: a compiler takes the addresses for different.
    pub hidden_alias: bool,
    /// Declared `weak`: without a definition its address may be null.
    pub weak: bool,
    /// Made weak by `#pragma weak`.
    pub weak_by_pragma: bool,
    /// `nonnull`: the parameters that the caller promises not to be null, counted from zero.
    pub nonnull: Vec<usize>,
    /// `const` or `pure`: the promise that it changes nothing, and where it was given.
    pub effectless: Option<Span>,
    /// Where it was declared or defined (the name).
    pub span: Span,
}

/// The flat initialiser of an object: zero everywhere, then the pieces in order (later ones win).
#[derive(Debug, Clone)]
pub struct Init {
    /// Scalar (or whole-record) pieces.
    pub pieces: Vec<InitPiece>,
}

/// One scalar put into an object, or a record copied into it.
#[derive(Debug, Clone)]
pub struct InitPiece {
    /// Offset in bytes.
    pub offset: u64,
    /// For bit-fields.
    pub bits: Option<BitRange>,
    /// The value, already converted to the member's type.
    pub value: Expr,
    /// How often it is repeated, `stride` bytes apart (`[0 ... 9] = x`, and long runs); usually 1.
    pub repeat: u64,
    /// Distance between repetitions.
    pub stride: u64,
}

/// An lvalue.
#[derive(Debug, Clone)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// Its type.
    pub ty: TypeId,
    /// Where in the source.
    pub span: Span,
    /// Accessed through a `volatile` type: each read may give any value.
    pub is_volatile: bool,
}

/// What an lvalue is.
#[derive(Debug, Clone)]
pub enum PlaceKind {
    /// A variable.
    Var(VarId),
    /// What a pointer points to.
    Deref(Box<Expr>),
    /// A member of a record place.
    Field {
        /// The record.
        base: Box<Place>,
        /// Offset in bytes from the record.
        offset: u64,
        /// For bit-fields.
        bits: Option<BitRange>,
    },
    /// A string literal.
    String(StringId),
    /// An unnamed object made by a compound literal: the variable is initialised, then denoted.
    CompoundLiteral {
        /// The unnamed variable (automatic inside functions).
        var: VarId,
        /// Its value.
        init: Init,
    },
    /// A record value that is no lvalue in C (`f().x`, `(c ? a : b).x`): materialised in a temporary.
    Temporary(Box<Expr>),
}

/// An expression with its type.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: TypeId,
    /// Where in the source; for operators the span of the whole expression.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum ExprKind {
    /// An integer, `_Bool` or pointer constant: its value (so an `unsigned int` of all ones is 4294967295);
    /// only values of `unsigned __int128` from 2^127 on appear as the negative number with the same bits.
    Integer(i128),
    Float(f64),
    /// A `long double` or `__float128` constant that is no `double`: its encoding, as terms have it.
    WideFloat(u128),
    /// The value of a place. Of record type: the record as a value.
    Read(Place),
    AddressOf(Place),
    AddressOfFunction(FunctionId),
    /// `-x`, `~x` on promoted operands; `-x` also on floats.
    Neg(Box<Expr>),
    BitNot(Box<Expr>),
    /// `!x`; the operand is any scalar, the result an `int`.
    Not(Box<Expr>),
    /// Arithmetic and bitwise operators; both operands have the type of the result, except for shifts,
    /// where the right one has its own promoted type.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Comparison; operands share a type (integers, floats or pointers); the result is an `int`.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// Pointer plus (or minus) an integer of `ptrdiff_t` width times the element size in bytes.
    PtrAdd {
        pointer: Box<Expr>,
        index: Box<Expr>,
        element_size: Size,
        negative: bool,
    },
    /// Difference of two pointers in elements.
    PtrDiff {
        left: Box<Expr>,
        right: Box<Expr>,
        element_size: Size,
    },
    /// Conversion to the expression's type: integers, floats, pointers, `_Bool`, `void`.
    Cast(Box<Expr>),
    /// The value assigned, of the place's type.
    Assign(Place, Box<Expr>),
    /// `place op= value`: the place is evaluated once; the computation happens in `compute` type, to which
    /// `value` is converted already (except shift amounts); the result is converted back to the place's type.
    AssignOp {
        op: BinaryOp,
        place: Place,
        value: Box<Expr>,
        compute: TypeId,
    },
    /// `p += n`, `p -= n` on pointers.
    AssignPtrAdd {
        place: Place,
        index: Box<Expr>,
        element_size: Size,
        negative: bool,
    },
    /// `++` and `--` on scalars: `step` is +1 or -1; for pointers times the element size.
    Increment {
        place: Place,
        step: i8,
        element_size: Option<Size>,
        result: IncrementResult,
    },
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// Both arms have the type of the result.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a ?: b`: the first, evaluated once, if it is not zero.
    Elvis(Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// Arguments are converted to the parameters' types; variadic ones are promoted.
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    /// `({ … })`; the value of `value` after the statements.
    StmtExpr(Vec<Stmt>, Option<Box<Expr>>),
    VaArg(Box<Place>),
    VaStart(Box<Place>),
    VaCopy(Box<Place>, Box<Place>),
    /// A builtin without a library function behind it.
    Builtin(Builtin, Vec<Expr>),
    /// `&&label`.
    LabelAddress(LabelId),
    /// Something we parse and type but cannot treat; lowering refuses it if it is reachable.
    Unsupported(String),
}

/// A size in bytes: known, or a multiple of what a variable holds (arrays of variable length).
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Size {
    Known(u64),
    /// The variable counts units of this many bytes.
    Variable(VarId, u64),
}

/// Which value `++`/`--` has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IncrementResult {
    /// The new one (prefix).
    New,
    /// The old one (postfix).
    Old,
}

/// Whom a call calls.
#[derive(Debug, Clone)]
pub enum Callee {
    /// A function by name.
    Direct(FunctionId),
    /// A pointer value; its type is pointer to function.
    Pointer(Box<Expr>),
}

/// Operators with two operands and a result of arithmetic type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CompareOp {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// Builtins that are operators rather than functions. `__builtin_expect` and friends are gone already;
/// `__builtin_memcpy` and friends are calls of `memcpy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__builtin_trap()`, `__builtin_abort()`.
    Trap,
    /// `__builtin_alloca(n)`.
    Alloca,
    /// `__builtin_{clz,ctz,popcount,parity,ffs,bswap}`: the argument's type gives the width.
    Clz,
    /// Trailing zeros.
    Ctz,
    /// Number of ones.
    Popcount,
    /// Number of ones modulo two.
    Parity,
    /// One plus the index of the lowest one, or zero.
    Ffs,
    /// Bytes reversed.
    Bswap,
    /// `__builtin_clrsb`: bits below the sign that equal it.
    Clrsb,
    /// `__builtin_{add,sub,mul}_overflow(a, b, p)`: stores the wrapped result, returns whether it did not fit. The operator; args are a, b, p with their own types. In the forms that only ask (`_p`), the third is an integer whose type counts and which receives nothing.
    AddOverflow,
    /// See `AddOverflow`.
    SubOverflow,
    /// See `AddOverflow`.
    MulOverflow,
    /// `__builtin_isnan` and friends on a float.
    IsNan,
    /// Infinite.
    IsInf,
    /// Finite.
    IsFinite,
    /// Normal.
    IsNormal,
    /// Sign bit.
    SignBit,
    /// `__builtin_frame_address`, `__builtin_return_address`: any pointer.
    AnyAddress,
    /// `__builtin_object_size`: what the compiler knows of an object's size.
    ObjectSize,
    /// `__builtin_constant_p` of what is no constant by the rules of C: what the compiler finds out.
    ConstantP,
}

/// A statement.
#[derive(Debug, Clone)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where; for loops and branches it starts at the keyword.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum StmtKind {
    Expr(Expr),
    /// The lifetime of an automatic variable begins; with an initialiser or with any value. For a variable
    /// of `Vla` type the size variable has been assigned before.
    Declare(VarId, Option<Init>),
    Block(Vec<Stmt>),
    /// Arms in order with the spans of their `if` keywords.
    If {
        arms: Vec<(Expr, Vec<Stmt>, Span)>,
        otherwise: Vec<Stmt>,
    },
    While {
        condition: Expr,
        body: Vec<Stmt>,
    },
    DoWhile {
        body: Vec<Stmt>,
        condition: Expr,
    },
    For {
        init: Vec<Stmt>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Vec<Stmt>,
    },
    /// `cases` are the case labels found anywhere inside the body, in order; `Case(n)` in the body marks the n-th.
    Switch {
        value: Expr,
        cases: Vec<SwitchCase>,
        body: Vec<Stmt>,
    },
    /// The place of the n-th case of the innermost switch.
    Case(usize),
    Label(LabelId),
    Goto(LabelId),
    GotoComputed(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    /// An assembler statement of which only the constraints are known: the outputs become anything.
    Asm {
        template: String,
        outputs: Vec<Place>,
        /// Addresses of outputs in memory.
        memory: Vec<Expr>,
        inputs: Vec<Expr>,
        /// It may write what its inputs point to.
        writes_memory: bool,
    },
}

/// One `case` or `default` of a switch, in the promoted type of the value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SwitchCase {
    Value(i128),
    Range(i128, i128),
    Default,
}
