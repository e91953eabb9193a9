//! The control-flow automaton and its parts.
//!
//! A program is a set of functions; each is a graph of locations and edges, and each edge carries
//! one [`Action`]. Expressions are pure terms over the program's variables; every effect is an
//! action around them.
//!
//! **Variables.** Every variable has a term, the symbol that stands for its value in the current
//! frame. Globals live as long as the program; parameters and locals belong to one function and
//! exist once per activation. The value of a local on entry is unspecified, and no path reads it
//! before writing it. An *address* variable is a constant: the address of an object or function.
//!
//! **Memory.** Byte-addressed, little-endian. An [`Object`] is a run of bytes with an address:
//! static objects exist from the start, automatic ones from the call of their function to its
//! return, heap objects from `Alloc` to `Free`. Addresses of live objects are distinct, disjoint,
//! aligned and not null; nothing else is known about them. An automatic object ends earlier where its block is left (`End`).
//! **Strict runs**: an access that is not valid (outside the object that the address was derived from, of an object that has
//! ended, a write to a read-only one, a free of what is not a live heap object) ends the run without error. Where such an
//! access is an error, a `Probe` and a branch to an error location stand in front of it.
//!
//! **Choice.** Where several edges leave a location, the run takes any one whose action is enabled
//! (only `Assume` can be disabled); where none is, the run ends there without error.

use base::{FileId, IndexVec, Place, define_id};
use term::{Sort, Term};

use crate::source_types::SourceTypes;

define_id!(Var, "A variable of the program.");
define_id!(FunId, "A function of the program.");
define_id!(Loc, "A location of the control-flow automaton.");
define_id!(EdgeId, "An edge of the control-flow automaton.");
define_id!(ObjectId, "A static or automatic memory object.");
define_id!(InputId, "A place where the program receives a free value.");
define_id!(AssertionId, "An assertion; shown to the user counting from one.");

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// File names that places refer to.
    pub files: IndexVec<FileId, String>,
    /// Bits of a pointer: 32 or 64.
    pub pointer_width: u32,
    /// All variables of all functions.
    pub vars: IndexVec<Var, Variable>,
    /// All static and automatic objects.
    pub objects: IndexVec<ObjectId, Object>,
    /// All functions that can be reached from `entry`.
    pub functions: IndexVec<FunId, Function>,
    /// Where the run starts: a function without parameters that sets the globals up and calls `main`.
    pub entry: Option<FunId>,
    /// All locations of all functions.
    pub locations: IndexVec<Loc, Location>,
    /// All edges of all functions.
    pub edges: IndexVec<EdgeId, Edge>,
    /// All places where free values come in.
    pub inputs: IndexVec<InputId, Input>,
    /// All assertions; an error location names the one that fails there.
    pub assertions: IndexVec<AssertionId, Assertion>,
    /// Types of the source, for reports.
    pub source_types: SourceTypes,
    /// What the front end assumed about code it cannot see, for the report.
    pub assumptions: Vec<Assumption>,
    /// Where the program allows more runs than the source: that it is safe holds for the source too, an error
    /// may not exist there.
    pub approximations: Vec<Assumption>,
}

/// A typed variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name in the source, or one made up; unique together with the function, as is the term's symbol in the store.
    pub name: String,
    /// The symbol that stands for the variable's value in terms.
    pub term: Term,
    /// Its sort.
    pub sort: Sort,
    /// Where it lives.
    pub kind: VarKind,
    /// How its values read in the source language.
    pub shown: Shown,
    /// Where it was declared.
    pub place: Option<Place>,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    /// One for the whole program.
    Global,
    /// A parameter of this function, assigned by the call.
    Param(FunId),
    /// A local variable of this function that the user declared.
    Local(FunId),
    /// A local variable that the front end made up for an intermediate value.
    Temp(FunId),
    /// The constant address of an object. For an automatic object: of the one in this activation.
    AddressOf(ObjectId),
    /// The constant address of a function.
    AddressOfFunction(FunId),
}

/// How values of a variable or input read in the source language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A truth value or something without numbers.
    Plain,
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A pointer.
    Pointer,
    /// A floating-point number.
    Float,
}

/// A run of bytes with an address.
#[derive(Clone, Debug)]
pub struct Object {
    /// The name in the source, or one made up.
    pub name: String,
    /// The address variable whose kind is `AddressOf` this object.
    pub address: Var,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment, a power of two.
    pub align: u32,
    /// `None`: static. `Some(f)`: one for each activation of `f`, with unspecified contents.
    pub owner: Option<FunId>,
    /// The first contents of a static object; shorter than `size` means zeros follow.
    pub init: Vec<u8>,
    /// Whether writing to it is undefined (string literals, `const` objects).
    pub read_only: bool,
    /// Where it was declared.
    pub place: Option<Place>,
    /// The variable that says whether it is live, once a pass has made one for an object that a block ends.
    pub live: Option<Var>,
    /// Whether its address gets about in the program as lowered, so that a pointer from outside may lead into it; said by passes.
    pub exposed: bool,
}

/// A function: entry, exit, parameters.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Parameters in order; the call assigns them.
    pub params: Vec<Var>,
    /// The local variable that holds the result at the exit, if there is a result.
    pub result: Option<Var>,
    /// Where it starts.
    pub entry: Loc,
    /// Where it returns from; no edge leaves it.
    pub exit: Loc,
    /// The automatic objects of one activation.
    pub objects: Vec<ObjectId>,
    /// Its address variable, if the address is taken.
    pub address: Option<Var>,
    /// Where it was declared.
    pub place: Option<Place>,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// The function it belongs to.
    pub function: FunId,
    /// Where in the source the statement begins that starts here.
    pub place: Option<Place>,
    /// What this location is, for reports and the checker.
    pub mark: Mark,
}

/// What a location is in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Nothing in particular.
    None,
    /// The head of a loop statement; `place` is that of its keyword (`while`, `for`, `do`).
    LoopHead,
    /// A label of the user.
    Label(String),
    /// The assertion fails here; no edge leaves.
    Error(AssertionId),
}

/// An edge with its action.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: Loc,
    /// Where it ends.
    pub to: Loc,
    /// What happens on the way.
    pub action: Action,
    /// The source of the action.
    pub place: Option<Place>,
}

/// What happens on an edge.
#[derive(Clone, Debug)]
pub enum Action {
    /// Passes if the condition (of sort Bool) holds. `true` is the empty step.
    Assume(Term),
    /// Simultaneous assignment; the variables are distinct.
    Assign(Vec<(Var, Term)>),
    /// The variable receives a free value.
    Havoc {
        /// The variable.
        var: Var,
        /// Where the value comes from.
        input: InputId,
    },
    /// Reads as many bytes as the variable has (Bool: one byte, true unless zero); a float is read by its encoding.
    Load {
        /// Receives the value.
        var: Var,
        /// The address of the first byte.
        address: Term,
    },
    /// Writes the value's bytes; its width is a multiple of eight, or it is a float or Bool.
    Store {
        /// The address of the first byte.
        address: Term,
        /// The value.
        value: Term,
    },
    /// The bytes become unspecified: an object's lifetime begins anew, or unknown code wrote there.
    Forget {
        /// The address of the first byte.
        address: Term,
        /// How many bytes; `None` for all of the object that contains the address (none if it is null).
        size: Option<Term>,
        /// Where the bytes come from.
        input: InputId,
    },
    /// Calls a function: parameters are assigned, it runs, its result is assigned.
    Call {
        /// Which.
        function: FunId,
        /// One term for each parameter.
        args: Vec<Term>,
        /// Receives the result.
        result: Option<Var>,
    },
    /// A new object.
    Alloc {
        /// Receives the address.
        var: Var,
        /// The size in bytes.
        size: Term,
        /// How long it lives.
        lifetime: Lifetime,
        /// Where the first contents come from; `None`: the object is zeroed.
        input: Option<InputId>,
        /// The first byte of a live heap object, or null: its bytes, as far as both reach, are copied, and it ends.
        /// Anything else is a memory error, as for `Free`.
        moved: Option<Term>,
    },
    /// The end of an allocated object; nothing happens for null.
    Free {
        /// The address of its first byte.
        address: Term,
        /// `Heap`: the object must be a live one on the heap, anything else is a memory error. `Frame`: the block of an array of
        /// variable length is left; nothing happens if no such object begins there.
        lifetime: Lifetime,
    },
    /// The end of an automatic object of this activation before the return: its block is left. The object begins anew
    /// with the next `Forget` of all its bytes by its address variable.
    End {
        /// Which.
        object: ObjectId,
    },
    /// The variable, of sort Bool, receives whether this access would be valid now (see the record `strict-runs`), or whether
    /// all memory is tracked (`memory-safety`).
    Probe {
        /// Receives the answer.
        var: Var,
        /// The address of the first byte.
        address: Term,
        /// How many bytes would be read or written; none for `free`.
        bytes: u64,
        /// What would be done.
        access: AccessKind,
    },
    /// The operation that follows is undefined unless the condition holds. It restricts nothing:
    /// the run goes on with the total meaning of the operators.
    Check {
        /// What would be undefined.
        what: Undefined,
        /// Holds when all is well.
        holds: Term,
    },
    /// A mark for the shadow run, which watches whether the order of evaluation matters. No effect.
    Order(OrderStep),
}

/// A step through an expression whose operands C does not order and whose accesses may conflict, a *region*. Its operands are
/// evaluated in some order; the shadow run (`interp::shadow_order`) reports a conflict between accesses of operands that C does not order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderStep {
    /// A region begins.
    Open {
        /// The input, of kind [`InputKind::Order`], that a conflict makes the run depend on.
        input: InputId,
    },
    /// An operand of the region begins, or goes on.
    Enter {
        /// Its number in the region, from one.
        operand: u32,
        /// The operand that contains it, and is evaluated after it; zero for none.
        parent: u32,
        /// Whether the operand is sequenced as a whole: a call, or an expression with sequence points inside.
        sequenced: bool,
    },
    /// The operand that began last ends.
    Leave,
    /// The region that was opened last ends.
    Close,
    /// The operand accesses a variable of this activation.
    Variable {
        /// Which.
        var: Var,
        /// Whether it writes.
        is_write: bool,
    },
    /// The operand accesses bits of memory. Loads and stores of the operand itself do not count between this and `Resume`.
    Bits {
        /// The address of the first byte.
        address: Term,
        /// The first bit, counted from that byte.
        first: u32,
        /// How many bits.
        count: u64,
        /// Whether it writes.
        is_write: bool,
    },
    /// Loads and stores count again.
    Resume,
}

/// What is done with memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessKind {
    /// Valid inside a live object.
    Read,
    /// Valid inside a live object that is not read-only.
    Write,
    /// Valid for null, and for the first byte of a live heap object.
    Free,
    /// No access: asks whether pointers lead to every live heap object, from static objects, globals, and the variables
    /// and objects of activations. The address is null.
    Track,
}

/// How long an allocated object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// Until it is freed.
    Heap,
    /// Until the function returns (`alloca`), or until its block is left (arrays of variable length: see `Free`).
    Frame,
}

/// Operations without a defined meaning in C.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Undefined {
    /// Division or remainder by zero.
    DivisionByZero,
    /// A shift by a negative amount or by the width or more.
    ShiftOutOfRange,
    /// A signed result that does not fit.
    SignedOverflow,
    /// The most negative number divided by -1, quotient or remainder: the machine traps.
    DivisionOverflow,
    /// A call through a pointer that names no function of that type.
    BadFunctionPointer,
    /// A float whose integral part does not fit the integer type.
    FloatToInteger,
    /// Falling off the end of a function whose result is used.
    MissingReturn,
    /// `__builtin_unreachable` was reached.
    Unreachable,
    /// An array whose length is not positive.
    BadLength,
    /// A promise of an attribute is broken: null for a `nonnull` parameter, a `noreturn` function that returns.
    BrokenPromise,
}

/// A place where a free value comes in.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where the value comes from.
    pub kind: InputKind,
    /// How its values read.
    pub shown: Shown,
    /// Where in the source.
    pub place: Option<Place>,
}

/// Where a free value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// A call of `__VERIFIER_nondet_*`; the name of the function called.
    Nondet(String),
    /// A variable or object without an initial value; its name.
    Uninitialised(String),
    /// A function without a body returned it or wrote it; the function's name. An error that needs
    /// such a value is not confirmed by replay alone.
    External(String),
    /// Fresh memory, as `malloc` returns it, or an address chosen by the machine. Shown as a pointer, it is the address of a new object
    /// that a pass has made visible: each value differs from all others, and from the addresses of named objects.
    Memory,
    /// A choice that the C standard leaves to the implementation; what is chosen, as a noun: "the value of
    /// `isdigit`". An error that needs one choice is not confirmed by replay alone.
    Unspecified(String),
    /// The order of evaluation in a region (see [`OrderStep`]). The shadow run shows whether it matters.
    Order {
        /// What is chosen, as a noun.
        what: String,
        /// Whether an operand may end the run, so that others are not evaluated.
        ends: bool,
        /// Whether the values are the orders. Otherwise there is one order, runs take zero, and one leads to an error: no proof but by
        /// execution covers the region.
        is_choice: bool,
    },
}

impl InputKind {
    /// Whether a user of the program cannot control the value: an error that depends on it is not confirmed.
    pub fn is_uncontrolled(&self) -> bool {
        matches!(self, InputKind::External(_) | InputKind::Unspecified(_) | InputKind::Order { .. })
    }
}

/// An assertion of the user.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What it is about, as text: the condition, the call, or the operation in quotes; `claim` says the rest.
    pub text: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// What it says of that.
    pub kind: AssertionKind,
}

/// What an assertion says.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AssertionKind {
    /// The condition holds.
    #[default]
    Condition,
    /// The call, or the bad state, is not reached.
    Unreached,
    /// The operation does not overflow.
    Overflow,
    /// The operation does not divide by zero.
    Division,
    /// The operation shifts within range.
    Shift,
    /// The access is valid; for [`AccessKind::Track`]: no allocated memory is lost.
    Access(AccessKind),
    /// All allocated memory was freed before the program ends.
    Cleanup,
    /// The call or jump goes to a function or label of its type.
    Target,
    /// The array has a length that is not negative.
    Length,
    /// Every run ends. No error location names it: see the record `termination`.
    Ends,
    /// The order of evaluation does not matter. It counts whatever the property is, since a proof for one order is no proof for
    /// another; an error that only it shows is not confirmed.
    Order,
}

/// Something the front end assumed.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// One sentence for the user.
    pub text: String,
    /// Where it was needed first.
    pub place: Option<Place>,
}
