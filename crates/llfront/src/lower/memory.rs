//! Memory: stack slots, loads, stores, copies.
//!
//! An access that is not plainly inside a named object is probed where invalid accesses are errors. Copies of a known size are loads, then
//! stores, so that overlap is right; others are a loop, in the direction that overlap needs.

use program::{AccessKind, Action, AssertionKind, InputKind, Lifetime, Mark, Shown, VarKind};
use term::{Op, SortKind, Term};

use crate::ir::{Local, Type, TypeId, Typed, Value};
use crate::tuning::Tuning;

use super::aggregate::constant;
use super::{Leaf, Lowered, Lowering};

impl<'s> Lowering<'_, 's, '_> {
    /// A stack slot; no address if it has become a variable.
    pub(super) fn alloca(
        &mut self,
        result: Option<Local>,
        ty: TypeId,
        count: Option<&Typed<'s>>,
        align: u64,
    ) -> Lowered<Option<Term>> {
        let Some(result) = result else { return Ok(None) };
        let slots = &self.frame.slots;
        if slots.vars.contains_key(&result) || slots.dropped.contains_key(&result) {
            return Ok(None);
        }
        let (size, own_align) = self.shapes.size_align(ty)?;
        let fixed = match count {
            None => Some(1),
            Some(count) => constant(count),
        };
        let is_entry = slots.current.is_some_and(|block| base::Id::index(block) == 0);
        if let (Some(fixed), true) = (fixed, is_entry) {
            let size = size.checked_mul(fixed).ok_or("stack slot of this size")?;
            let (name, ty) = self.name_of(result);
            let align = align.max(own_align).clamp(1, 1 << 16).next_power_of_two() as u32;
            let place = self.frame.place;
            let object = self.builder.automatic_object(self.terms, self.frame.id, &name, size, align, place);
            self.typed.object(object, ty);
            let var = self.builder.address_of(object);
            return Ok(Some(self.note_variable(var)));
        }
        let width = self.pointer_width();
        let mut bytes = self.terms.bv(width, size);
        if let Some(count) = count {
            let count = self.scalar(count)?;
            let count = self.resized(count, false, width);
            bytes = self.terms.bv_mul(bytes, count);
        }
        Ok(Some(self.allocate(bytes, Lifetime::Frame, false, None)))
    }
    /// The name of the variable in a stack slot, and the node of its type.
    fn name_of(&self, local: Local) -> (String, Option<u32>) {
        let Some(function) = &self.frame.function else { return ("slot".to_owned(), None) };
        let record = function.records.iter().find(|record| record.is_address && record.value == Some(local));
        let named = record.and_then(|record| self.debug.variable(record.variable)).map(|one| one.0);
        // An expression says that the variable is a part of the slot, or behind it.
        let whole = record.filter(|record| record.expression == "!DIExpression()");
        let ty = whole.and_then(|record| self.debug.type_of(record.variable));
        (named.unwrap_or_else(|| function.locals[local].to_owned()), ty)
    }
    /// An object of the function at hand, of this many values of the type.
    pub(super) fn automatic(&mut self, name: &str, ty: TypeId, count: u64) -> Lowered<Term> {
        let (size, align) = self.shapes.size_align(ty)?;
        let size = size.checked_mul(count).ok_or("object of this size")?;
        let place = self.frame.place;
        let object = self.builder.automatic_object(self.terms, self.frame.id, name, size, align as u32, place);
        let var = self.builder.address_of(object);
        Ok(self.note_variable(var))
    }
    /// A new object.
    pub(super) fn allocate(&mut self, size: Term, lifetime: Lifetime, zeroed: bool, moved: Option<Term>) -> Term {
        let sort = self.terms.sort_of(size);
        let var = self.temp("allocated", sort, Shown::Pointer);
        let input = if zeroed { None } else { Some(self.input(InputKind::Memory, Shown::Plain)) };
        self.emit(Action::Alloc { var, size, lifetime, input, moved });
        self.term_of(var)
    }

    // ---- loads and stores

    fn slot_of(&self, address: &Typed<'s>) -> Option<program::Var> {
        match address.value {
            Value::Local(local) => self.frame.slots.vars.get(&local).copied(),
            _ => None,
        }
    }
    pub(super) fn load(
        &mut self,
        _result: Option<Local>,
        ty: TypeId,
        address: &Typed<'s>,
        volatile: bool,
    ) -> Lowered<Vec<Leaf>> {
        if let Some(var) = self.slot_of(address) {
            return Ok(vec![Leaf::Term(self.term_of(var))]);
        }
        let address = self.address(address)?;
        if volatile && !self.is_automatic(address) {
            let mut leaves = Vec::new();
            for (_, leaf) in self.shapes.leaves(ty)? {
                let kind = InputKind::External("a volatile object".to_owned());
                leaves.push(Leaf::Term(self.any_scalar("volatile", leaf, kind)?));
            }
            return Ok(leaves);
        }
        self.load_from(address, ty)
    }
    /// Reads a value of the type.
    pub(super) fn load_from(&mut self, address: Term, ty: TypeId) -> Lowered<Vec<Leaf>> {
        self.refuse_packed_bits(ty)?;
        let mut leaves = Vec::new();
        for (offset, leaf) in self.shapes.leaves(ty)? {
            let at = self.offset(address, offset);
            leaves.push(Leaf::Term(self.load_scalar(at, leaf)?));
        }
        Ok(leaves)
    }
    fn load_scalar(&mut self, address: Term, ty: TypeId) -> Lowered<Term> {
        let (sort, shown) = (self.scalar_sort(ty)?, self.shown_of(ty));
        let width = self.bits_of(ty);
        let is_whole = width.is_multiple_of(8) || width == 1 || matches!(self.shapes.types.kind(ty), Type::Float(..));
        let in_memory = if is_whole { sort } else { self.terms.bv_sort(width.next_multiple_of(8)) };
        self.guard(address, self.bytes_of_sort(in_memory), AccessKind::Read);
        let var = self.temp("load", in_memory, shown);
        self.emit(Action::Load { var, address });
        let term = self.term_of(var);
        Ok(if is_whole { term } else { self.terms.extract(term, width - 1, 0) })
    }
    /// A vector of single bits is packed in memory.
    fn refuse_packed_bits(&mut self, ty: TypeId) -> Lowered<()> {
        let ty = self.shapes.resolve(ty)?;
        if let Type::Vector(_, element) = *self.shapes.types.kind(ty)
            && !self.bits_of(element).is_multiple_of(8)
        {
            return Err("vector of parts that are no whole bytes in memory".to_owned());
        }
        Ok(())
    }
    pub(super) fn store(&mut self, value: &Typed<'s>, address: &Typed<'s>) -> Lowered<()> {
        if let Value::Local(local) = address.value
            && self.frame.slots.dropped.contains_key(&local)
        {
            return Ok(());
        }
        if let Some(var) = self.slot_of(address) {
            let term = self.scalar(value)?;
            if term != self.term_of(var) {
                self.settle_before_write(var);
                // A value that was saved is another term now.
                let term = self.scalar(value)?;
                self.emit(Action::Assign(vec![(var, term)]));
            }
            return Ok(());
        }
        let leaves = self.operand(value)?;
        let address = self.address(address)?;
        self.store_to(address, &leaves, value.ty)
    }
    /// Writes a value of the type; parts that are undefined leave any bytes.
    pub(super) fn store_to(&mut self, address: Term, leaves: &[Leaf], ty: TypeId) -> Lowered<()> {
        self.refuse_packed_bits(ty)?;
        let types = self.shapes.leaves(ty)?;
        let terms = self.materialised(leaves, ty)?;
        for (term, (offset, leaf)) in terms.into_iter().zip(types) {
            let at = self.offset(address, offset);
            let width = self.bits_of(leaf);
            let is_whole =
                width.is_multiple_of(8) || width == 1 || matches!(self.shapes.types.kind(leaf), Type::Float(..));
            let value = if is_whole { term } else { self.terms.zero_extend_to(term, width.next_multiple_of(8)) };
            self.write(at, value);
        }
        Ok(())
    }
    fn write(&mut self, address: Term, value: Term) {
        let sort = self.terms.sort_of(value);
        self.guard(address, self.bytes_of_sort(sort), AccessKind::Write);
        self.emit(Action::Store { address, value });
    }
    pub(super) fn offset(&mut self, base: Term, by: u64) -> Term {
        let width = self.pointer_width();
        let by = self.terms.bv(width, by);
        self.terms.bv_add(base, by)
    }

    // ---- validity

    /// The access must be valid, where an invalid one is an error.
    pub(super) fn guard(&mut self, address: Term, bytes: u64, access: AccessKind) {
        if !self.checks_memory() || self.frame.at.is_none() || self.is_inside(address, bytes, access) {
            return;
        }
        let sort = self.terms.bool_sort();
        let var = self.temp("valid", sort, Shown::Plain);
        self.emit(Action::Probe { var, address, bytes, access });
        let valid = self.term_of(var);
        self.require(valid, AssertionKind::Access(access), "the memory access");
    }
    fn root(&self, address: Term) -> Option<(program::ObjectId, u64)> {
        let (base, offset) = match (self.terms.op(address), self.terms.args(address)) {
            (Op::BvAdd, &[base, offset]) => (base, self.terms.small_value(offset)?),
            _ => (address, 0),
        };
        let &var = self.variable_of.get(&base)?;
        match self.builder.program().vars[var].kind {
            VarKind::AddressOf(object) => Some((object, offset)),
            _ => None,
        }
    }
    fn is_automatic(&self, address: Term) -> bool {
        self.root(address).is_some_and(|(object, _)| self.builder.program().objects[object].owner.is_some())
    }
    /// Whether the address is written as an object's name plus a constant inside of it.
    fn is_inside(&self, address: Term, bytes: u64, access: AccessKind) -> bool {
        let Some((object, offset)) = self.root(address) else { return false };
        let object = &self.builder.program().objects[object];
        let may_be_done = match access {
            AccessKind::Read => true,
            AccessKind::Write => !object.read_only,
            AccessKind::Free | AccessKind::Track => false,
        };
        may_be_done && offset.checked_add(bytes).is_some_and(|end| end <= object.size)
    }
    fn bytes_of_sort(&self, sort: term::Sort) -> u64 {
        match *self.terms.sort_kind(sort) {
            SortKind::BitVec(width) => u64::from(width) / 8,
            SortKind::Float(15, 64) => {
                if self.pointer_width() == 32 {
                    12
                } else {
                    16
                }
            }
            SortKind::Float(exponent, significand) => u64::from(exponent + significand) / 8,
            _ => 1,
        }
    }

    // ---- copies

    /// Copies an object of the type.
    pub(super) fn copy_object(&mut self, to: Term, from: Term, ty: TypeId) -> Lowered<()> {
        let (size, align) = self.shapes.size_align(ty)?;
        let width = self.pointer_width();
        let size = self.terms.bv(width, size);
        self.copy(to, from, size, align)
    }
    /// `memcpy` and `memmove`.
    pub(super) fn copy(&mut self, to: Term, from: Term, size: Term, align: u64) -> Lowered<()> {
        let unit = align.clamp(1, 8).next_power_of_two();
        let unit = if unit > align.max(1) { unit / 2 } else { unit };
        if let Some(size) = self.terms.small_value(size).filter(|&size| size <= Tuning::DEFAULT.max_unrolled_copy) {
            let mut chunks = Vec::new();
            let mut at = 0;
            while at < size {
                let mut chunk = unit;
                while chunk > size - at {
                    chunk /= 2;
                }
                let source = self.offset(from, at);
                let sort = self.terms.bv_sort(chunk as u32 * 8);
                self.guard(source, chunk, AccessKind::Read);
                let var = self.temp("copied", sort, Shown::Unsigned);
                self.emit(Action::Load { var, address: source });
                chunks.push((at, self.term_of(var)));
                at += chunk;
            }
            for (at, term) in chunks {
                let target = self.offset(to, at);
                self.write(target, term);
            }
            return Ok(());
        }
        // Byte by byte; from the end if the target lies behind the source in the same object.
        let width = self.pointer_width();
        let distance = self.terms.bv_sub(to, from);
        let forward = self.terms.bv_ule(size, distance);
        let one = self.terms.bv(width, 1);
        self.repeat(size, |this, index| {
            let last = this.terms.bv_sub(size, one);
            let mirrored = this.terms.bv_sub(last, index);
            let at = this.terms.ite(forward, index, mirrored);
            let (source, target) = (this.terms.bv_add(from, at), this.terms.bv_add(to, at));
            let sort = this.terms.bv_sort(8);
            this.guard(source, 1, AccessKind::Read);
            let var = this.temp("copied", sort, Shown::Unsigned);
            this.emit(Action::Load { var, address: source });
            let term = this.term_of(var);
            this.write(target, term);
        });
        Ok(())
    }
    /// `memset`.
    pub(super) fn fill(&mut self, to: Term, byte: Term, size: Term, align: u64) -> Lowered<()> {
        let unit = if align >= 8 { 8 } else { align.max(1).next_power_of_two().min(8) };
        let unit = if unit > align.max(1) { 1 } else { unit };
        if let Some(size) = self.terms.small_value(size).filter(|&size| size <= Tuning::DEFAULT.max_unrolled_copy) {
            let mut at = 0;
            while at < size {
                let mut chunk = unit;
                while chunk > size - at {
                    chunk /= 2;
                }
                let value = self.terms.derive(term::Derived::Repeat(chunk as u32), &[byte]);
                let target = self.offset(to, at);
                self.write(target, value);
                at += chunk;
            }
            return Ok(());
        }
        self.repeat(size, |this, index| {
            let target = this.terms.bv_add(to, index);
            this.write(target, byte);
        });
        Ok(())
    }
    /// `memcmp`: minus one, zero or one, as the first bytes that differ say.
    pub(super) fn compare_bytes(&mut self, left: Term, right: Term, size: Term) -> Term {
        let [equal, below, above] =
            [base::Bits::zero(32), base::Bits::ones(32), base::Bits::one(32)].map(|bits| self.terms.bits(bits));
        if let Some(size) = self.terms.small_value(size).filter(|&size| size <= Tuning::DEFAULT.max_unrolled_copy) {
            let mut pairs = Vec::new();
            for at in 0..size {
                let (a, b) = (self.offset(left, at), self.offset(right, at));
                pairs.push((self.load_byte(a), self.load_byte(b)));
            }
            return pairs.into_iter().rev().fold(equal, |rest, (a, b)| {
                let (same, less) = (self.terms.eq(a, b), self.terms.bv_ult(a, b));
                let order = self.terms.ite(less, below, above);
                self.terms.ite(same, rest, order)
            });
        }
        let sort = self.terms.bv_sort(32);
        let order = self.temp("order", sort, Shown::Signed);
        self.emit(Action::Assign(vec![(order, equal)]));
        let known = self.term_of(order);
        self.repeat(size, |this, index| {
            let (a, b) = (this.terms.bv_add(left, index), this.terms.bv_add(right, index));
            let (a, b) = (this.load_byte(a), this.load_byte(b));
            let (same, less) = (this.terms.eq(a, b), this.terms.bv_ult(a, b));
            let unequal = this.terms.ite(less, below, above);
            let here = this.terms.ite(same, equal, unequal);
            let is_open = this.terms.eq(known, equal);
            let next = this.terms.ite(is_open, here, known);
            this.emit(Action::Assign(vec![(order, next)]));
        });
        known
    }
    fn load_byte(&mut self, address: Term) -> Term {
        let sort = self.terms.bv_sort(8);
        self.guard(address, 1, AccessKind::Read);
        let var = self.temp("byte", sort, Shown::Unsigned);
        self.emit(Action::Load { var, address });
        self.term_of(var)
    }
    /// A loop from zero below `count`.
    pub(super) fn repeat(&mut self, count: Term, body: impl FnOnce(&mut Self, Term)) {
        if self.frame.at.is_none() {
            return;
        }
        let width = self.pointer_width();
        let sort = self.terms.bv_sort(width);
        let index = self.temp("i", sort, Shown::Unsigned);
        let (zero, one) = (self.terms.bv(width, 0), self.terms.bv(width, 1));
        self.emit(Action::Assign(vec![(index, zero)]));
        let place = self.frame.place;
        let head = self.builder.marked_location(self.frame.id, Mark::LoopHead, place);
        let (inside, done) = (self.fresh_location(), self.fresh_location());
        self.jump(head);
        self.frame.at = Some(head);
        let index_term = self.term_of(index);
        let more = self.terms.bv_ult(index_term, count);
        self.branch(more, inside, done);
        self.frame.at = Some(inside);
        body(self, index_term);
        let next = self.terms.bv_add(index_term, one);
        self.emit_to(Action::Assign(vec![(index, next)]), head);
        self.frame.at = Some(done);
    }

    // ---- atomics, which are plain accesses here: there is one thread

    pub(super) fn atomic(&mut self, op: &str, address: &Typed<'s>, value: &Typed<'s>) -> Lowered<Vec<Leaf>> {
        let address = self.address(address)?;
        let old = self.load_from(address, value.ty)?;
        let [Leaf::Term(before)] = old[..] else { return Err("atomic access to this type".to_owned()) };
        let operand = self.scalar(value)?;
        if op != "xchg" && !self.is_integer(operand) {
            return Err("atomic arithmetic on this type".to_owned());
        }
        let new = match op {
            "xchg" => operand,
            "add" => self.terms.bv_add(before, operand),
            "sub" => self.terms.bv_sub(before, operand),
            "and" => self.terms.bv_and(before, operand),
            "or" => self.terms.bv_or(before, operand),
            "xor" => self.terms.bv_xor(before, operand),
            "nand" => {
                let both = self.terms.bv_and(before, operand);
                self.terms.bv_not(both)
            }
            "max" | "min" | "umax" | "umin" => {
                let less = if op.starts_with('u') {
                    self.terms.bv_ult(before, operand)
                } else {
                    self.terms.bv_slt(before, operand)
                };
                if op.ends_with("min") {
                    self.terms.ite(less, before, operand)
                } else {
                    self.terms.ite(less, operand, before)
                }
            }
            other => return Err(format!("atomic operation `{other}`")),
        };
        self.store_to(address, &[Leaf::Term(new)], value.ty)?;
        Ok(old)
    }
    pub(super) fn compare_exchange(
        &mut self,
        address: &Typed<'s>,
        expected: &Typed<'s>,
        new: &Typed<'s>,
    ) -> Lowered<Vec<Leaf>> {
        let address = self.address(address)?;
        let old = self.load_from(address, new.ty)?;
        let [Leaf::Term(before)] = old[..] else { return Err("atomic access to this type".to_owned()) };
        let (expected, value) = (self.scalar(expected)?, self.scalar(new)?);
        if self.terms.sort_of(expected) != self.terms.sort_of(before) {
            return Err("atomic access with operands of different types".to_owned());
        }
        let equal = self.terms.eq(before, expected);
        let after = self.terms.ite(equal, value, before);
        self.store_to(address, &[Leaf::Term(after)], new.ty)?;
        Ok(vec![old[0], Leaf::Term(equal)])
    }
}
