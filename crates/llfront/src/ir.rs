//! The tree of a module: types, constants, instructions, functions.
//!
//! Pointers have no pointee: since the type of what is accessed stands at each access, the typed pointers of LLVM 14 and the
//! opaque ones of later versions are the same here. Names of values inside a function are numbers; names of globals are slices of the text.

use base::{Bits, FastMap, define_id};

define_id!(TypeId, "A type of the module.");
define_id!(Local, "A value or parameter of a function.");
define_id!(Block, "A basic block of a function.");

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type<'s> {
    /// No value.
    Void,
    /// An integer of this many bits.
    Int(u32),
    /// A binary float: bits of the exponent, and of the significand with the hidden one.
    Float(u32, u32),
    /// A pointer into address space 0.
    Pointer,
    /// An array.
    Array(u64, TypeId),
    /// A vector of fixed length.
    Vector(u64, TypeId),
    /// A structure.
    Struct {
        /// Its fields.
        fields: Vec<TypeId>,
        /// Whether it has no padding.
        packed: bool,
    },
    /// A structure with a name, which the module may define later.
    Named(&'s str),
    /// A function: result, parameters, whether more arguments may follow.
    Function(TypeId, Vec<TypeId>, bool),
    /// A type that only intrinsics and debug information have.
    Metadata,
    /// The type of blocks.
    Label,
    /// A type that is not treated, by its name.
    Refused(&'s str),
}

/// All types, each once.
#[derive(Default)]
pub struct Types<'s> {
    kinds: base::IndexVec<TypeId, Type<'s>>,
    ids: FastMap<Type<'s>, TypeId>,
}

impl<'s> Types<'s> {
    /// The id of the type.
    pub fn id(&mut self, kind: Type<'s>) -> TypeId {
        if let Some(&id) = self.ids.get(&kind) {
            return id;
        }
        let id = self.kinds.push(kind.clone());
        self.ids.insert(kind, id);
        id
    }
    /// The type.
    pub fn kind(&self, id: TypeId) -> &Type<'s> {
        &self.kinds[id]
    }
}

/// An operand.
#[derive(Clone, Debug)]
pub enum Value<'s> {
    /// A value of the function.
    Local(Local),
    /// The address of a global variable or function.
    Global(&'s str),
    /// An integer.
    Int(Bits),
    /// A float by its IEEE encoding.
    Float(u128),
    /// `null`, `zeroinitializer`, `none`, `false` and zeros of all kinds.
    Zero,
    /// `undef`.
    Undef,
    /// `poison`.
    Poison,
    /// The bytes of `c"…"`.
    Bytes(Vec<u8>),
    /// Elements of an array, vector or structure.
    Aggregate(Vec<Typed<'s>>),
    /// All elements are this.
    Splat(Box<Typed<'s>>),
    /// An instruction on constants.
    Expression(Box<Operation<'s>>),
    /// The address of a block: function and label.
    BlockAddress(&'s str, &'s str),
    /// Inline assembler: template and constraints.
    Assembler(&'s str, &'s str),
    /// Metadata as the operand of an intrinsic: the text.
    Metadata(&'s str),
    /// Something that is not treated, by its name.
    Refused(&'s str),
}

/// An operand with its type.
#[derive(Clone, Debug)]
pub struct Typed<'s> {
    /// The type.
    pub ty: TypeId,
    /// The operand.
    pub value: Value<'s>,
}

/// Arithmetic on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The names are LLVM's.
pub enum Binary {
    Add,
    Sub,
    Mul,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    Shl,
    Lshr,
    Ashr,
    And,
    Or,
    Xor,
    Fadd,
    Fsub,
    Fmul,
    Fdiv,
    Frem,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The names are LLVM's.
pub enum Cast {
    Trunc,
    Zext,
    Sext,
    Fptrunc,
    Fpext,
    Fptoui,
    Fptosi,
    Uitofp,
    Sitofp,
    Ptrtoint,
    Inttoptr,
    Bitcast,
}

/// Promises of an instruction; where one is broken the result is poison.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[allow(missing_docs)] // The names are LLVM's.
pub struct Flags {
    pub nsw: bool,
    pub nuw: bool,
    pub exact: bool,
    pub disjoint: bool,
    pub nneg: bool,
    pub samesign: bool,
}

/// What an instruction computes or does; also of constant expressions.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // The names are LLVM's.
pub enum Operation<'s> {
    Binary {
        op: Binary,
        flags: Flags,
        left: Typed<'s>,
        right: Value<'s>,
    },
    Fneg(Typed<'s>),
    Cast {
        op: Cast,
        flags: Flags,
        from: Typed<'s>,
        to: TypeId,
    },
    Icmp {
        predicate: &'s str,
        flags: Flags,
        left: Typed<'s>,
        right: Value<'s>,
    },
    Fcmp {
        predicate: &'s str,
        left: Typed<'s>,
        right: Value<'s>,
    },
    Phi {
        ty: TypeId,
        incoming: Vec<(Value<'s>, Block)>,
    },
    Select {
        condition: Typed<'s>,
        then: Typed<'s>,
        otherwise: Typed<'s>,
    },
    Freeze(Typed<'s>),
    Alloca {
        ty: TypeId,
        count: Option<Typed<'s>>,
        align: u64,
    },
    Load {
        ty: TypeId,
        address: Typed<'s>,
        volatile: bool,
    },
    Store {
        value: Typed<'s>,
        address: Typed<'s>,
        volatile: bool,
    },
    Gep {
        source: TypeId,
        base: Typed<'s>,
        indices: Vec<Typed<'s>>,
    },
    ExtractValue {
        from: Typed<'s>,
        indices: Vec<u64>,
    },
    InsertValue {
        into: Typed<'s>,
        value: Typed<'s>,
        indices: Vec<u64>,
    },
    ExtractElement {
        from: Typed<'s>,
        index: Typed<'s>,
    },
    InsertElement {
        into: Typed<'s>,
        value: Typed<'s>,
        index: Typed<'s>,
    },
    Shuffle {
        first: Typed<'s>,
        second: Typed<'s>,
        mask: Typed<'s>,
    },
    Call(Box<Call<'s>>),
    AtomicRmw {
        op: &'s str,
        address: Typed<'s>,
        value: Typed<'s>,
    },
    CmpXchg {
        address: Typed<'s>,
        expected: Typed<'s>,
        new: Typed<'s>,
    },
    Fence,
    LandingPad {
        ty: TypeId,
        clauses: Vec<Clause<'s>>,
        cleanup: bool,
    },
    Ret(Option<Typed<'s>>),
    Br(Block),
    CondBr {
        condition: Value<'s>,
        then: Block,
        otherwise: Block,
    },
    Switch {
        value: Typed<'s>,
        default: Block,
        cases: Vec<(Value<'s>, Block)>,
    },
    IndirectBr {
        address: Typed<'s>,
        targets: Vec<Block>,
    },
    Resume,
    Unreachable,
    /// An instruction that is not treated, by its name.
    Refused(&'s str),
}

/// A call or an invoke.
#[derive(Clone, Debug)]
pub struct Call<'s> {
    /// The type of the result.
    pub result: TypeId,
    /// What is called.
    pub callee: Value<'s>,
    /// The arguments.
    pub args: Vec<Argument<'s>>,
    /// Whether the call is marked as one that does not return, and the groups of attributes.
    pub attributes: Attributes<'s>,
    /// Where an invoke goes if nothing is thrown.
    pub normal: Option<Block>,
    /// The landing pad of an invoke.
    pub unwind: Option<Block>,
}

/// What a landing pad catches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clause<'s> {
    /// Exceptions of the type with this description, or all of them.
    Catch(Option<&'s str>),
    /// What an exception specification does not allow, or something that is not treated.
    Filter,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Argument<'s> {
    /// The value.
    pub value: Typed<'s>,
    /// The callee gets a copy of an object of this type.
    pub byval: Option<TypeId>,
    /// The alignment of a pointer, or zero.
    pub align: u64,
}

/// Attributes that matter here.
#[derive(Clone, Default, Debug)]
pub struct Attributes<'s> {
    /// `noreturn` was written directly.
    pub noreturn: bool,
    /// Groups `#n`.
    pub groups: Vec<&'s str>,
    /// `align n`, or zero.
    pub align: u64,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction<'s> {
    /// The name of the result.
    pub result: Option<Local>,
    /// What it does.
    pub operation: Operation<'s>,
    /// The number of its `DILocation`.
    pub place: Option<u32>,
    /// The loop that a branch closes: `!llvm.loop`.
    pub loop_node: Option<u32>,
    /// Where it stands in the text.
    pub at: u32,
}

/// What a debug record says: this variable lives here.
#[derive(Clone, Debug)]
pub struct DebugRecord<'s> {
    /// The value: the address for a declaration.
    pub value: Option<Local>,
    /// Whether the value is the variable's address.
    pub is_address: bool,
    /// The node of the variable.
    pub variable: u32,
    /// The expression between value and variable.
    pub expression: &'s str,
    /// The node of the place.
    pub place: Option<u32>,
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub struct BlockBody<'s> {
    /// The instructions; the last one is the terminator.
    pub instructions: Vec<Instruction<'s>>,
    /// Whether the block occurs in the text.
    pub is_defined: bool,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its value.
    pub local: Local,
    /// Its type.
    pub ty: TypeId,
    /// The caller passes the address of an object of this type, and the callee owns a copy.
    pub byval: Option<TypeId>,
}

/// The first line of a function.
#[derive(Clone, Debug)]
pub struct Signature<'s> {
    /// The linkage name.
    pub name: &'s str,
    /// The type of the result.
    pub result: TypeId,
    /// Types of the parameters.
    pub params: Vec<TypeId>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Attributes.
    pub attributes: Attributes<'s>,
    /// The number of its `DISubprogram`.
    pub subprogram: Option<u32>,
    /// Where it stands in the text.
    pub at: u32,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function<'s> {
    /// Its first line.
    pub signature: Signature<'s>,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// The names of its values.
    pub locals: base::IndexVec<Local, &'s str>,
    /// The blocks; the first one is the entry.
    pub blocks: base::IndexVec<Block, BlockBody<'s>>,
    /// The labels of the blocks.
    pub labels: Vec<&'s str>,
    /// Debug records.
    pub records: Vec<DebugRecord<'s>>,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global<'s> {
    /// Its type.
    pub ty: TypeId,
    /// Its first value; none if it is defined elsewhere.
    pub init: Option<Value<'s>>,
    /// Whether it is never written.
    pub is_constant: bool,
    /// Its alignment, if it is given.
    pub align: Option<u64>,
    /// The number of its `DIGlobalVariableExpression`.
    pub debug: Option<u32>,
    /// What is not treated about it.
    pub refused: Option<&'s str>,
    /// Where it stands in the text.
    pub at: u32,
}

impl<'s> Operation<'s> {
    /// Calls `visit` with each operand, parts of constants left out. Long: one `match` over all operations.
    pub fn for_each_operand<'a>(&'a self, visit: &mut dyn FnMut(&'a Value<'s>)) {
        match self {
            Operation::Binary { left, right, .. }
            | Operation::Icmp { left, right, .. }
            | Operation::Fcmp { left, right, .. } => {
                visit(&left.value);
                visit(right);
            }
            Operation::Fneg(one) | Operation::Freeze(one) | Operation::Cast { from: one, .. } => visit(&one.value),
            Operation::Phi { incoming, .. } => incoming.iter().for_each(|(value, _)| visit(value)),
            Operation::Select { condition: a, then: b, otherwise: c }
            | Operation::InsertElement { into: a, value: b, index: c }
            | Operation::Shuffle { first: a, second: b, mask: c }
            | Operation::CmpXchg { address: a, expected: b, new: c } => {
                [a, b, c].into_iter().for_each(|one| visit(&one.value));
            }
            Operation::Alloca { count, .. } => count.iter().for_each(|one| visit(&one.value)),
            Operation::Load { address, .. } => visit(&address.value),
            Operation::Store { value: a, address: b, .. }
            | Operation::InsertValue { into: a, value: b, .. }
            | Operation::ExtractElement { from: a, index: b }
            | Operation::AtomicRmw { address: a, value: b, .. } => {
                visit(&a.value);
                visit(&b.value);
            }
            Operation::Gep { base, indices, .. } => {
                visit(&base.value);
                indices.iter().for_each(|one| visit(&one.value));
            }
            Operation::ExtractValue { from, .. } => visit(&from.value),
            Operation::Call(call) => {
                visit(&call.callee);
                call.args.iter().for_each(|arg| visit(&arg.value.value));
            }
            Operation::Ret(value) => value.iter().for_each(|one| visit(&one.value)),
            Operation::CondBr { condition, .. } => visit(condition),
            Operation::Switch { value, cases, .. } => {
                visit(&value.value);
                cases.iter().for_each(|(case, _)| visit(case));
            }
            Operation::IndirectBr { address, .. } => visit(&address.value),
            Operation::Fence
            | Operation::LandingPad { .. }
            | Operation::Br(_)
            | Operation::Resume
            | Operation::Unreachable
            | Operation::Refused(_) => {}
        }
    }
    /// The blocks that may come next.
    pub fn successors(&self) -> Vec<Block> {
        match self {
            Operation::Br(to) => vec![*to],
            Operation::CondBr { then, otherwise, .. } => vec![*then, *otherwise],
            Operation::Switch { default, cases, .. } => {
                std::iter::once(*default).chain(cases.iter().map(|case| case.1)).collect()
            }
            Operation::IndirectBr { targets, .. } => targets.clone(),
            Operation::Call(call) => call.normal.into_iter().chain(call.unwind).collect(),
            _ => Vec::new(),
        }
    }
}

impl<'s> Value<'s> {
    /// The global whose address this is, behind conversions.
    pub fn global(&self) -> Option<&'s str> {
        let mut value = self;
        loop {
            match value {
                Value::Global(name) => return Some(name),
                Value::Expression(operation) => match &**operation {
                    Operation::Cast { from, .. } => value = &from.value,
                    Operation::Gep { base, .. } => value = &base.value,
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
    /// Calls `visit` with this value and all parts of it; constants nest only as deep as the reader lets them.
    pub fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Value<'s>)) {
        let mut stack = vec![self];
        while let Some(value) = stack.pop() {
            visit(value);
            match value {
                Value::Aggregate(elements) => stack.extend(elements.iter().map(|element| &element.value)),
                Value::Splat(element) => stack.push(&element.value),
                Value::Expression(operation) => operation.for_each_operand(&mut |operand| stack.push(operand)),
                _ => {}
            }
        }
    }
}
