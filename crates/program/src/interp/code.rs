//! Register code: what a program is compiled to.
//!
//! There is one flat file of 64-bit registers. It holds the constants, the globals, and one fixed
//! frame for each function, so an operand is an absolute index and nothing is ever relative to a
//! frame pointer. Only a call inside a cycle of the call graph can meet a live activation of its
//! callee; such a call saves the callee's frame on a side stack and the return restores it.
//!
//! A value of up to 64 bits is one register with zeros above its width; a wider one is a run of
//! registers, low word first. A truth value is 0 or 1. A float is its IEEE encoding; the formats
//! wider than `double` are kept, and computed, as `double` (see `floats`).
//!
//! Narrow operators carry `shift`, 64 minus the width: masking is one shift of all ones, and a
//! signed comparison shifts both sides up by it.
//!
//! Edges are not counted one by one: each instruction that can leave a straight line carries how
//! many edges the line had.

use base::{Id, Place};
use term::Op;

pub(super) use super::float_code::{Encoding, ExtendedOp, FloatInstr, FloatOp, Primitive};
use crate::model::{
    AccessKind, AssertionId, EdgeId, FunId, Input, InputId, Loc, ObjectId, OrderStep, Shown, Undefined,
};

/// An absolute register index.
pub(super) type Reg = u32;
/// An index into the code.
pub(super) type Label = u32;

/// A narrow operator of two operands that is rare enough to be dispatched a second time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rare {
    Urem,
    Sdiv,
    Srem,
    Uaddo,
    Saddo,
    Umulo,
    Smulo,
    Ssubo,
}

/// The format a float register is computed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// C's `float`.
    Single,
    /// C's `double`, and stand-in for binary128.
    Double,
    /// The x87 format of 80 bits, as it lies in memory, in two registers.
    Extended,
}

/// One instruction; sixteen bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instr {
    Move {
        to: Reg,
        from: Reg,
    },
    /// Several registers at once, for wide values.
    MoveMany {
        to: Reg,
        from: Reg,
        count: u32,
    },
    /// `to = from` if `when` is not zero.
    MoveIf {
        to: Reg,
        when: Reg,
        from: Reg,
    },
    Not {
        shift: u8,
        to: Reg,
        from: Reg,
    },
    Neg {
        shift: u8,
        to: Reg,
        from: Reg,
    },
    Add {
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Sub {
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Mul {
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    And {
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Or {
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Xor {
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Udiv {
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Shl {
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Lshr {
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Ashr {
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Eq {
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Ult {
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Ule {
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Slt {
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    Sle {
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    /// Bits from `low` on, cut to 64 minus `shift` bits.
    Extract {
        shift: u8,
        low: u8,
        to: Reg,
        from: Reg,
    },
    /// From 64 minus `from_shift` bits to 64 minus `shift`.
    SignExtend {
        shift: u8,
        from_shift: u8,
        to: Reg,
        from: Reg,
    },
    /// `high` above the `low_width` bits of `low`.
    Concat {
        low_width: u8,
        to: Reg,
        high: Reg,
        low: Reg,
    },
    Rare {
        op: Rare,
        shift: u8,
        to: Reg,
        left: Reg,
        right: Reg,
    },
    /// Anything with a wide operand or result; an index into `wide`.
    Wide {
        index: u32,
    },
    /// A float operator; an index into `floats`.
    Float {
        index: u32,
    },
    /// An uninterpreted function, whose value the supplier knows; an index into `applications`.
    Apply {
        index: u32,
    },

    Jump {
        edges: u16,
        target: Label,
    },
    /// The jumps are taken when the comparison holds.
    JumpEq {
        edges: u16,
        left: Reg,
        right: Reg,
        target: Label,
    },
    JumpNe {
        edges: u16,
        left: Reg,
        right: Reg,
        target: Label,
    },
    JumpUlt {
        edges: u16,
        left: Reg,
        right: Reg,
        target: Label,
    },
    JumpUle {
        edges: u16,
        left: Reg,
        right: Reg,
        target: Label,
    },
    JumpSlt {
        shift: u8,
        edges: u16,
        left: Reg,
        right: Reg,
        target: Label,
    },
    JumpSle {
        shift: u8,
        edges: u16,
        left: Reg,
        right: Reg,
        target: Label,
    },
    JumpIf {
        edges: u16,
        when: Reg,
        target: Label,
    },
    JumpUnless {
        edges: u16,
        when: Reg,
        target: Label,
    },
    /// Goes where the table says for this value.
    Switch {
        edges: u16,
        on: Reg,
        table: u32,
    },
    /// Goes to any of the enabled targets of the table.
    Choose {
        edges: u16,
        table: u32,
    },

    Load {
        bytes: u8,
        to: Reg,
        address: Reg,
        site: u32,
    },
    Store {
        bytes: u8,
        from: Reg,
        address: Reg,
        site: u32,
    },
    /// An index into `arrays`.
    Array {
        index: u32,
    },
    /// An index into `blocks`: loads and stores of any other size.
    LoadBlock {
        index: u32,
    },
    StoreBlock {
        index: u32,
    },
    /// An index into `havocs`.
    Havoc {
        index: u32,
    },
    /// `size` is `NO_REG` for the whole object.
    Forget {
        address: Reg,
        size: Reg,
        input: u32,
    },
    /// An index into `allocs`.
    Alloc {
        index: u32,
    },
    Free {
        address: Reg,
    },
    /// The stack object at this address has ended and begins anew, elsewhere; nothing happens if it is live.
    Begin {
        address: Reg,
    },
    /// Ends the stack object at this address.
    End {
        address: Reg,
    },
    /// An index into `probes`.
    Probe {
        index: u32,
    },
    /// An index into `orders`; for the shadow run.
    Order {
        index: u32,
    },

    /// Calls the function at this index of `functions`.
    Call {
        edges: u16,
        function: u32,
    },
    /// As `Call`, after saving the frame of the callee.
    SaveFrame {
        function: u32,
    },
    CallSaved {
        edges: u16,
        function: u32,
    },
    Return {
        edges: u16,
        function: u32,
    },

    /// The first operation of this kind that was undefined is remembered.
    Undefined {
        what: Undefined,
    },
    /// A value is not what it would be in its own format.
    Approximate,
    /// Counts the edges of a long straight line.
    Count {
        edges: u16,
    },
    Error {
        edges: u16,
        assertion: AssertionId,
    },
    Blocked {
        edges: u16,
        at: Loc,
    },
    /// An index into `traps`: something we cannot execute.
    Trap {
        index: u32,
    },
    /// An index into `notes`; only in code compiled for tracing.
    Note {
        index: u32,
    },
}

/// No register.
pub(super) const NO_REG: Reg = u32::MAX;

/// An operator with a wide operand or result.
#[derive(Clone, Debug)]
pub(super) struct WideInstr {
    pub op: Op,
    pub to: Reg,
    pub width: u32,
    /// Registers and widths of the operands.
    pub args: Vec<(Reg, u32)>,
}

/// An uninterpreted function applied to arguments.
#[derive(Clone, Debug)]
pub(super) struct ApplyInstr {
    pub function: String,
    pub to: Reg,
    pub width: u32,
    /// Registers and widths of the arguments, each at most 128 bits wide.
    pub args: Vec<(Reg, u32)>,
}

/// An operator of arrays; registers that it does not need are `NO_REG`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayInstr {
    pub op: ArrayOp,
    pub to: Reg,
    pub array: Reg,
    pub index: Reg,
    pub element: Reg,
    /// The bits of an element.
    pub width: u32,
}

/// What is done with an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArrayOp {
    /// An element.
    Select,
    /// Another array with one element changed.
    Store,
    /// The array with this element everywhere.
    Constant,
    /// Whether the array and the one in the place of the element are the same.
    Same {
        /// The bits of an index.
        index_width: u32,
    },
}

/// A load or store that is not of 1, 2, 4 or 8 bytes, or of a truth value or wide float.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub reg: Reg,
    pub address: Reg,
    pub bytes: u32,
    pub site: u32,
    pub how: BlockKind,
}

/// How the bytes in memory and the register correspond.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    /// Little-endian words.
    Plain,
    /// One byte, true unless zero.
    Truth,
    /// A float in this encoding, a `double` in the register.
    Float(Encoding),
}

/// A havoc: where the value goes and what it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Havoc {
    pub to: Reg,
    pub width: u32,
    pub input: InputId,
    /// Whether it is an array, whose elements are drawn when they are read.
    pub is_array: bool,
}

/// An allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allocation {
    pub to: Reg,
    pub size: Reg,
    pub frame: bool,
    pub input: Option<InputId>,
    /// The object that moves here, or `NO_REG`.
    pub moved: Reg,
}

/// A question whether an access would be valid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub to: Reg,
    pub address: Reg,
    pub bytes: u64,
    pub access: AccessKind,
    pub site: u32,
}

/// A jump by value.
#[derive(Clone, Debug)]
pub(super) enum SwitchTable {
    /// Targets of `first`, `first + 1`, …; everything else goes to `default`.
    Dense { first: u64, targets: Vec<Label>, default: Label },
    /// Sorted by value.
    Sparse { values: Vec<u64>, targets: Vec<Label>, default: Label },
}

/// A choice between edges.
#[derive(Clone, Debug)]
pub(super) struct ChoiceTable {
    /// The register of the guard, or `NO_REG` when always enabled, and where the edge goes.
    pub ways: Vec<(Reg, Label)>,
    /// The location, for a run that ends here.
    pub at: Loc,
}

/// What the executor must know of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionCode {
    pub entry: Label,
    /// The frame: first register and how many.
    pub frame: (Reg, u32),
    /// The automatic objects of an activation.
    pub objects: Vec<AutomaticObject>,
    /// Where the result is at the exit, and its width; `NO_REG` if there is none.
    pub result: (Reg, u32),
    /// Where a recursive function leaves its result for the caller; `NO_REG` if it is not recursive.
    pub handover: Reg,
    /// Where parameters and local variables are that can hold a pointer, if the program asks for leaks.
    pub roots: Vec<Reg>,
    /// Those of local variables among them.
    pub local_roots: Vec<Reg>,
}

/// An object of each activation.
#[derive(Clone, Copy, Debug)]
pub(super) struct AutomaticObject {
    pub id: ObjectId,
    pub size: u64,
    pub align: u64,
    /// The register of its address.
    pub address: Reg,
}

/// A static object as the memory starts with it.
#[derive(Clone, Debug)]
pub(super) struct StaticObject {
    pub id: ObjectId,
    pub size: u64,
    pub align: u64,
    pub init: Vec<u8>,
    pub read_only: bool,
    /// It may lie where another such object lies.
    pub shared: bool,
    pub address: Reg,
}

/// What a note says about the edge.
#[derive(Clone, Copy, Debug)]
pub(super) enum Note {
    /// The edge was taken and its effect is in the registers.
    After(EdgeId),
    /// The value in one register is about to be written to the address in another.
    Store { edge: EdgeId, address: Reg, value: VariableAt },
    /// Memory at the address in the register is about to be read, freed or asked about.
    Address { address: Reg, bytes: u32 },
    /// The call is about to happen.
    Call(EdgeId),
    /// The function is about to return.
    Return(FunId),
}

/// Where a variable is stored, for printing its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct VariableAt {
    pub reg: Reg,
    pub width: u32,
    pub format: Option<Format>,
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub instrs: Vec<Instr>,
    /// The edge each instruction belongs to, as an index; `u32::MAX` for none.
    pub origin: Vec<u32>,
    /// The registers as they are at the start.
    pub registers: Vec<u64>,
    pub functions: Vec<FunctionCode>,
    /// The index of the entry function in `functions`.
    pub entry: u32,
    pub wide: Vec<WideInstr>,
    pub floats: Vec<FloatInstr>,
    pub applications: Vec<ApplyInstr>,
    pub arrays: Vec<ArrayInstr>,
    pub blocks: Vec<Block>,
    pub havocs: Vec<Havoc>,
    pub allocs: Vec<Allocation>,
    pub probes: Vec<Probe>,
    /// Steps of the order of evaluation, each with the register of its address, if it has one.
    pub orders: Vec<(OrderStep, Reg)>,
    /// Assertions about the order of evaluation.
    pub order_assertions: Vec<AssertionId>,
    pub switches: Vec<SwitchTable>,
    pub choices: Vec<ChoiceTable>,
    pub traps: Vec<String>,
    pub notes: Vec<Note>,
    pub statics: Vec<StaticObject>,
    /// Whether the program asks for leaks.
    pub asks_for_leaks: bool,
    /// The registers of globals are the first ones.
    pub n_global_registers: Reg,
    /// Where global variables are that can hold a pointer.
    pub global_roots: Vec<Reg>,
    /// The registers that hold addresses of functions.
    pub function_addresses: Vec<Reg>,
    /// The loads and stores, each with how its values read; each remembers the object it met last.
    pub sites: Vec<Shown>,
    /// Where each variable is; `None` if its sort has no registers.
    pub variables: Vec<Option<VariableAt>>,
    /// The program's inputs.
    pub inputs: Vec<Input>,
    pub pointer_width: u32,
    /// The source of each edge.
    pub places: Vec<Option<Place>>,
}

impl Code {
    /// The edge that the instruction belongs to.
    pub(super) fn edge_of(&self, at: usize) -> Option<EdgeId> {
        self.origin.get(at).filter(|&&edge| edge != u32::MAX).map(|&edge| EdgeId::new(edge as usize))
    }
    /// The source of the instruction.
    pub(super) fn place_of(&self, at: usize) -> Option<Place> {
        self.edge_of(at).and_then(|edge| self.places[edge.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_has_sixteen_bytes() {
        assert_eq!(size_of::<Instr>(), 16);
    }
}
