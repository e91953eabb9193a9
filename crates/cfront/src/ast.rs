//! The syntax tree: what the user wrote, before any type is known.
//!
//! Expressions, statements and declarations live in flat vectors and are named by ids, so that the
//! tree is compact and dropping it never recurses through expressions and statements. How deep it can be is
//! bounded: see `parse::MAX_DEPTH` and `parse::MAX_NESTING`.

use base::{IndexVec, define_id};

define_id!(Name, "An interned identifier.");
define_id!(ExprId, "An expression of the syntax tree.");
define_id!(StmtId, "A statement of the syntax tree.");
define_id!(RecordId, "One `struct` or `union` specifier as written.");
define_id!(EnumId, "One `enum` specifier as written.");

/// A range of bytes of the preprocessed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A whole translation unit.
#[derive(Debug, Default)]
pub struct Ast {
    /// Texts of the identifiers.
    pub names: IndexVec<Name, Box<str>>,
    /// All expressions.
    pub exprs: IndexVec<ExprId, Expr>,
    /// All statements.
    pub stmts: IndexVec<StmtId, Stmt>,
    /// All struct and union specifiers.
    pub records: IndexVec<RecordId, RecordSpec>,
    /// All enum specifiers.
    pub enums: IndexVec<EnumId, EnumSpec>,
    /// Declarations and definitions at file scope, in order.
    pub items: Vec<Item>,
    /// Symbols named by `#pragma weak`, wherever it stands.
    pub weak: Vec<(String, Span)>,
}

/// A declaration or definition at file scope.
#[derive(Debug)]
pub enum Item {
    /// A function with its body.
    Function(FunctionDef),
    /// A declaration.
    Declaration(Declaration),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// `asm("...")` at file scope: its text.
    Asm(String, Span),
}

/// `_Static_assert(condition, "message")`.
#[derive(Debug)]
pub struct StaticAssert {
    /// The constant condition.
    pub condition: ExprId,
    /// The message, if given.
    pub message: Option<String>,
    /// The whole of it.
    pub span: Span,
}

/// A function definition.
#[derive(Debug)]
pub struct FunctionDef {
    /// Storage, attributes, result type.
    pub specifiers: Specifiers,
    /// Name and parameters.
    pub declarator: Declarator,
    /// Declarations between `)` and `{` of an old-style definition.
    pub old_style: Vec<Declaration>,
    /// The body, a compound statement.
    pub body: StmtId,
    /// From the first specifier to the closing brace.
    pub span: Span,
}

/// A declaration: specifiers and any number of declarators.
#[derive(Debug)]
pub struct Declaration {
    /// Storage, attributes, base type.
    pub specifiers: Specifiers,
    /// What is declared.
    pub declarators: Vec<InitDeclarator>,
    /// The whole declaration.
    pub span: Span,
}

/// A declarator with its initialiser.
#[derive(Debug)]
pub struct InitDeclarator {
    /// Name and type.
    pub declarator: Declarator,
    /// Attributes after the declarator.
    pub attributes: Vec<Attribute>,
    /// `asm("symbol")` after the declarator.
    pub asm_name: Option<String>,
    /// The initialiser.
    pub init: Option<Init>,
}

/// Storage classes and function specifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Storage {
    pub typedef: bool,
    pub external: bool,
    pub statik: bool,
    pub auto: bool,
    pub register: bool,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub constexpr: bool,
}

/// Type qualifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Qualifiers {
    pub constant: bool,
    pub volatile: bool,
    pub restrict: bool,
    pub atomic: bool,
}

/// Everything in front of the declarators.
#[derive(Debug)]
pub struct Specifiers {
    /// Storage classes and function specifiers.
    pub storage: Storage,
    /// Type qualifiers.
    pub qualifiers: Qualifiers,
    /// The base type.
    pub base: BaseType,
    /// `_Alignas` with an expression or a type.
    pub align_as: Vec<SizeArg>,
    /// GNU attributes among the specifiers.
    pub attributes: Vec<Attribute>,
    /// From the first to the last specifier.
    pub span: Span,
}

/// The type named by the specifiers.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum BaseType {
    Void,
    Bool,
    /// Plain `char`: signed on our targets, but a type of its own.
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    /// `__float128`, `_Float128`.
    Float128,
    /// `_Complex` of the given real type.
    Complex(Box<BaseType>),
    /// No type specifier at all: C89's implicit `int`.
    ImplicitInt,
    Typedef(Name),
    Record(RecordId),
    Enum(EnumId),
    TypeofExpr(ExprId),
    TypeofType(Box<TypeName>),
    /// C23's `typeof_unqual`.
    TypeofUnqual(Box<SizeArg>),
    /// `__auto_type`: the type of the initialiser.
    AutoType,
    /// `__builtin_va_list`.
    VaList,
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
}

/// `__attribute__((name(args)))` or `[[gnu::name(args)]]`. Only attributes that semantic analysis reads are in the
/// tree: the parser passes over harmless ones and refuses the others (see `known_attributes`).
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The name without leading and trailing underscores.
    pub name: String,
    /// Arguments that are expressions (`aligned(8)`, `vector_size(16)`); a lone identifier is a `Name` expression.
    pub args: Vec<ExprId>,
    /// Where.
    pub span: Span,
}

/// `struct tag { … }` or `union tag { … }`.
#[derive(Debug)]
pub struct RecordSpec {
    /// `union` instead of `struct`.
    pub is_union: bool,
    /// The tag.
    pub tag: Option<Name>,
    /// The members, if this specifier defines them.
    pub members: Option<Vec<Member>>,
    /// `packed`, `aligned`, ….
    pub attributes: Vec<Attribute>,
    /// `#pragma pack(n)` is in force: no member is aligned to more than `n` bytes.
    pub pack: Option<u32>,
    /// Where.
    pub span: Span,
}

/// One line of a struct or union.
#[derive(Debug)]
pub enum Member {
    /// Fields of one base type. No declarator: an anonymous struct or union.
    Fields {
        /// The base type.
        specifiers: Specifiers,
        /// Names, types and widths.
        declarators: Vec<FieldDeclarator>,
    },
    /// `_Static_assert` inside.
    StaticAssert(StaticAssert),
}

/// A field with its optional width.
#[derive(Debug)]
pub struct FieldDeclarator {
    /// Name and type; an unnamed bit-field has no name.
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub width: Option<ExprId>,
    /// Attributes after it.
    pub attributes: Vec<Attribute>,
}

/// `enum tag { … }`.
#[derive(Debug)]
pub struct EnumSpec {
    /// The tag.
    pub tag: Option<Name>,
    /// The type behind `:` (C23).
    pub underlying: Option<Box<Specifiers>>,
    /// The enumerators with their values, if this specifier defines them.
    pub enumerators: Option<Vec<(Name, Option<ExprId>, Span)>>,
    /// `packed`, ….
    pub attributes: Vec<Attribute>,
    /// Where.
    pub span: Span,
}

/// A declarator. `parts` read from the name outwards: `*a[3]` is `[Array, Pointer]`, "array of pointers".
#[derive(Debug, Default)]
pub struct Declarator {
    /// The declared name; none in an abstract declarator.
    pub name: Option<Name>,
    /// What is around the name, from the name outwards.
    pub parts: Vec<DeclaratorPart>,
    /// Attributes inside.
    pub attributes: Vec<Attribute>,
    /// The name, or where it would stand.
    pub span: Span,
}

/// One step outwards from the name.
#[derive(Debug)]
pub enum DeclaratorPart {
    /// `*`.
    Pointer(Qualifiers),
    /// `[n]`.
    Array {
        /// The length, if there is one.
        length: ArrayLength,
        /// Qualifiers inside the brackets of a parameter.
        qualifiers: Qualifiers,
    },
    /// `(params)`.
    Function {
        /// Parameters with types.
        params: Vec<Param>,
        /// `...` at the end.
        variadic: bool,
        /// Names without types, as in an old-style definition. `f()` has neither params nor names.
        old_style: Vec<(Name, Span)>,
        /// `f()`: nothing between the parentheses, so nothing is known of the parameters.
        empty: bool,
    },
}

/// The length between brackets.
#[derive(Debug)]
pub enum ArrayLength {
    /// `[]`.
    None,
    /// `[*]`.
    Star,
    /// `[e]`, also `[static e]`.
    Expr(ExprId),
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// Storage and base type.
    pub specifiers: Specifiers,
    /// Name and type; abstract in a prototype.
    pub declarator: Declarator,
    /// Attributes after it.
    pub attributes: Vec<Attribute>,
}

/// A type written where an expression could stand.
#[derive(Debug)]
pub struct TypeName {
    /// Base type and qualifiers.
    pub specifiers: Specifiers,
    /// An abstract declarator.
    pub declarator: Declarator,
    /// The whole of it.
    pub span: Span,
}

/// An initialiser.
#[derive(Debug)]
pub enum Init {
    /// An expression.
    Expr(ExprId),
    /// `{ … }`.
    List(Vec<InitItem>, Span),
}

/// One element of a braced list.
#[derive(Debug)]
pub struct InitItem {
    /// `.field`, `[index]`, `[a ... b]`, and the old `field:`.
    pub designators: Vec<Designator>,
    /// What is put there.
    pub init: Init,
}

/// A step into an aggregate; also used by `__builtin_offsetof`.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Designator {
    Field(Name, Span),
    Index(ExprId),
    Range(ExprId, ExprId),
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// From its first to its last token.
    pub span: Span,
    /// The operator's token for operators, `?`, the opening parenthesis of a call; else the start of `span`.
    pub operator: u32,
}

/// What an expression is.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum ExprKind {
    Name(Name),
    Integer {
        value: u128,
        unsigned: bool,
        longs: u8,
        decimal: bool,
    },
    Float {
        value: f64,
        suffix: FloatSuffix,
        /// The encoding in the type of the suffix, if the value is not that of a `double`.
        wide: Option<u128>,
    },
    /// A character constant with its value as an `int` (or wide character).
    Char {
        value: i64,
        encoding: Encoding,
    },
    /// Adjacent literals joined; without the final zero. Units are bytes, UTF-16 units for `u`, or code points for `L` and `U`.
    String {
        units: Box<[u32]>,
        encoding: Encoding,
    },
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    /// `=` without operator, `+=` and so on with one (never a comparison, `&&`, `||` or the comma).
    Assign(Option<BinaryOp>, ExprId, ExprId),
    /// `c ? a : b`; the middle may be omitted.
    Conditional(ExprId, Option<ExprId>, ExprId),
    Call(ExprId, Vec<ExprId>),
    Member {
        base: ExprId,
        field: Name,
        arrow: bool,
    },
    Index(ExprId, ExprId),
    Cast(Box<TypeName>, ExprId),
    CompoundLiteral(Box<TypeName>, Box<Init>),
    Sizeof(SizeArg),
    Alignof(SizeArg),
    StmtExpr(StmtId),
    Generic {
        control: ExprId,
        arms: Vec<(Option<TypeName>, ExprId)>,
    },
    /// `&&label`.
    LabelAddress(Name),
    VaArg(ExprId, Box<TypeName>),
    Offsetof(Box<TypeName>, Vec<Designator>),
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    ChooseExpr(ExprId, ExprId, ExprId),
    /// Put in by error recovery; a diagnostic has been given.
    Error,
}

/// The operand of `sizeof`, `_Alignof`, `_Alignas`.
#[derive(Debug)]
pub enum SizeArg {
    /// An expression, not evaluated.
    Expr(ExprId),
    /// A type in parentheses.
    Type(Box<TypeName>),
}

/// Suffix of a floating constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FloatSuffix {
    None,
    F,
    L,
    /// `Q`, `f128`: a `__float128`.
    Q,
}

/// Prefix of a character or string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Encoding {
    Plain,
    /// `L`
    Wide,
    /// `u8`
    Utf8,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddressOf,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    Real,
    Imag,
    /// `__extension__`: nothing but a mark.
    Extension,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogicalAnd,
    LogicalOr,
    Comma,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// From its first to its last token (the keyword's start for keyword statements).
    pub span: Span,
}

/// What a statement is.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum StmtKind {
    /// `e;` or `;`.
    Expr(Option<ExprId>),
    Compound(Vec<StmtId>),
    Declaration(Box<Declaration>),
    /// A GNU nested function definition; refused later with its place.
    NestedFunction(Box<FunctionDef>),
    StaticAssert(Box<StaticAssert>),
    /// `if … else if … else …` as one flat list: machine-made code chains thousands. The span of each `if` keyword stands beside its arm.
    If {
        arms: Vec<(ExprId, StmtId, Span)>,
        otherwise: Option<StmtId>,
    },
    Switch(ExprId, StmtId),
    While(ExprId, StmtId),
    DoWhile(StmtId, ExprId),
    For {
        init: Option<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    Goto(Name, Span),
    GotoComputed(ExprId),
    Continue,
    Break,
    Return(Option<ExprId>),
    /// A label in front of a statement; at the end of a block or before a declaration it labels an empty statement.
    Label(Name, StmtId),
    /// `case a:` or `case a ... b:`.
    Case(ExprId, Option<ExprId>, StmtId),
    Default(StmtId),
    /// `__label__ a, b;`.
    LocalLabels(Vec<Name>),
    Asm(Box<Asm>),
    /// Put in by error recovery.
    Error,
}

/// An assembler statement.
#[derive(Debug)]
pub struct Asm {
    /// The template's text.
    pub template: String,
    /// Output operands: constraint and place.
    pub outputs: Vec<(String, ExprId)>,
    /// Input operands.
    pub inputs: Vec<(String, ExprId)>,
    /// Clobbers.
    pub clobbers: Vec<String>,
    /// `asm goto` has labels.
    pub labels: Vec<Name>,
}
