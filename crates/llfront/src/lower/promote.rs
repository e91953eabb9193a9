//! Stack slots as variables.
//!
//! A slot of the entry block that is only loaded and stored, always as a whole and as one sort, becomes a variable. A load of it is the variable
//! itself: no copy is made. A value that mentions the variable is saved in a temporary before the variable is written, if the value is used after
//! that, and at the end of the block, if it is used elsewhere. A slot that is only written disappears unless it has a name for the user.
//!
//! A variable receives any value where its slot begins to live only if a read may come before a write: a needless free value would hide
//! that a program has no inputs.

use base::{FastMap, Id, IndexVec};
use program::{Action, InputKind, Shown, Var};

use crate::ir::{Block, Function, Local, Operation, TypeId, Value};

use super::{Leaf, Lowered, Lowering};

/// What is known about the slots and values of the function at hand.
#[derive(Default)]
pub(super) struct Slots {
    /// The variables of promoted slots.
    pub vars: FastMap<Local, Var>,
    /// Slots that are only written, and addresses inside of them.
    pub dropped: FastMap<Local, ()>,
    /// The instruction at hand.
    pub index: usize,
    /// The block at hand.
    pub current: Option<Block>,
    /// The promoted variables that a value mentions.
    mentions: FastMap<Local, Vec<Var>>,
    /// Values of this block that mention promoted variables.
    floating: Vec<Local>,
    /// For each value: the block of its definition, the last use there, and whether it is used elsewhere.
    uses: FastMap<Local, Uses>,
    /// Promoted slots that may be read before they are written.
    read_first: Vec<Local>,
    /// Slots whose life begins in a loop or more than once.
    begins_again: FastMap<Local, ()>,
    /// Whether a promoted slot may be read at the start of a block before it is written.
    live_in: FastMap<(Local, Block), ()>,
}

#[derive(Clone, Copy, Default)]
struct Uses {
    last: usize,
    outside: bool,
}

/// The slot that an intrinsic says begins or stops to live.
pub(super) fn lifetime_of(operation: &Operation<'_>) -> Option<(bool, Local)> {
    let Operation::Call(call) = operation else { return None };
    let Value::Global(name) = call.callee else { return None };
    let starts = name.strip_prefix("llvm.lifetime.")?.starts_with("start");
    match call.args.last()?.value.value {
        Value::Local(local) => Some((starts, local)),
        _ => None,
    }
}

impl<'s> Lowering<'_, 's, '_> {
    /// Finds the slots that become variables, and where values are used. Long: one arm for each kind of instruction.
    pub(super) fn find_slots(&mut self, function: &Function<'s>, order: &[Block]) -> Lowered<()> {
        self.find_uses(function, order);
        let mut accesses: FastMap<Local, Option<TypeId>> = FastMap::new();
        let mut sizes: FastMap<Local, (u64, u64)> = FastMap::new();
        let mut candidates = Vec::new();
        for instruction in &function.blocks[Block::new(0)].instructions {
            if let (Operation::Alloca { ty, count: None, align }, Some(result)) =
                (&instruction.operation, instruction.result)
            {
                let size = self.shapes.size_align(*ty)?.0;
                sizes.insert(result, (size, *align));
                candidates.push(result);
            }
        }
        // What is done with each slot; a slot that escapes is no candidate.
        let mut escaped: FastMap<Local, ()> = FastMap::new();
        let mut loaded: FastMap<Local, ()> = FastMap::new();
        let mut derived: FastMap<Local, (Local, u64)> = FastMap::new();
        let mut written_inside: FastMap<Local, ()> = FastMap::new();
        let mut n_starts: FastMap<Local, u32> = FastMap::new();
        for &block in order {
            for instruction in &function.blocks[block].instructions {
                let operation = &instruction.operation;
                if let Some((starts, local)) = lifetime_of(operation)
                    && sizes.contains_key(&local)
                {
                    if starts {
                        *n_starts.get_or_insert_with(local, || 0) += 1;
                        if self.frame_in_cycle(function, block) || n_starts.get(&local) > Some(&1) {
                            self.frame.slots.begins_again.insert(local, ());
                        }
                    }
                    continue;
                }
                self.note_access(
                    operation,
                    instruction.result,
                    &sizes,
                    &mut accesses,
                    &mut escaped,
                    &mut loaded,
                    &mut derived,
                    &mut written_inside,
                )?;
            }
        }
        // A `phi` may use an address before its definition was met.
        for instruction in order.iter().flat_map(|&block| &function.blocks[block].instructions) {
            if let Some(result) = instruction.result
                && escaped.contains_key(&result)
                && let Some(&(base, _)) = derived.get(&result)
            {
                escaped.insert(base, ());
            }
        }
        for slot in candidates {
            if escaped.contains_key(&slot) {
                continue;
            }
            let name = self.slot_name(function, slot);
            let is_read = loaded.contains_key(&slot);
            if !is_read && (written_inside.contains_key(&slot) || name.is_none() || !accesses.contains_key(&slot)) {
                self.frame.slots.dropped.insert(slot, ());
                continue;
            }
            if written_inside.contains_key(&slot) {
                continue;
            }
            if let Some(Some(ty)) = accesses.get(&slot).copied() {
                let (shown_name, shown) = name.unwrap_or_else(|| (function.locals[slot].to_owned(), self.shown_of(ty)));
                let sort = self.scalar_sort(ty)?;
                let shown = match self.shown_of(ty) {
                    Shown::Float => Shown::Float,
                    Shown::Plain => Shown::Plain,
                    _ => shown,
                };
                let var = self.builder.local(self.terms, self.frame.id, &shown_name, sort, shown, None);
                self.note_variable(var);
                let record = self.record_of(function, slot);
                self.typed.var(var, record.and_then(|record| self.debug.type_of(record)));
                self.frame.slots.vars.insert(slot, var);
            }
        }
        // Addresses inside of dropped slots are dropped, too.
        for instruction in order.iter().flat_map(|&block| &function.blocks[block].instructions) {
            if let Some(result) = instruction.result
                && let Some((base, _)) = derived.get(&result)
                && self.frame.slots.dropped.contains_key(base)
            {
                self.frame.slots.dropped.insert(result, ());
            }
        }
        self.find_first_reads(function, order);
        Ok(())
    }
    /// Takes note of how an instruction uses slots. Long: one arm for each kind of use.
    #[allow(clippy::too_many_arguments)] // One for each set of slots.
    fn note_access(
        &mut self,
        operation: &Operation<'s>,
        result: Option<Local>,
        sizes: &FastMap<Local, (u64, u64)>,
        accesses: &mut FastMap<Local, Option<TypeId>>,
        escaped: &mut FastMap<Local, ()>,
        loaded: &mut FastMap<Local, ()>,
        derived: &mut FastMap<Local, (Local, u64)>,
        written_inside: &mut FastMap<Local, ()>,
    ) -> Lowered<()> {
        let mut note = |this: &mut Self, slot: Local, ty: TypeId| -> Lowered<()> {
            let leaves = this.shapes.leaves(ty)?;
            let fits = match (leaves.as_slice(), sizes.get(&slot)) {
                ([(_, only)], Some(&(size, _))) => {
                    let bits = this.bits_of(*only);
                    (bits.is_multiple_of(8) || bits == 1) && this.shapes.size_align(*only)?.0 == size
                }
                _ => false,
            };
            if !fits {
                written_inside.insert(slot, ());
                return Ok(());
            }
            let only = leaves[0].1;
            match accesses.get(&slot).copied() {
                None => {
                    accesses.insert(slot, Some(only));
                }
                Some(Some(known)) if this.scalar_sort(known)? == this.scalar_sort(only)? => {}
                Some(_) => {
                    written_inside.insert(slot, ());
                }
            }
            Ok(())
        };
        match operation {
            Operation::Load { ty, address, .. } => {
                if let Value::Local(slot) = address.value {
                    if sizes.contains_key(&slot) {
                        note(self, slot, *ty)?;
                        loaded.insert(slot, ());
                    } else if let Some(&(base, _)) = derived.get(&slot) {
                        loaded.insert(base, ());
                    }
                }
                Ok(())
            }
            Operation::Store { value, address, .. } => {
                if let Value::Local(slot) = address.value {
                    if sizes.contains_key(&slot) {
                        note(self, slot, value.ty)?;
                    } else if let Some(&(base, offset)) = derived.get(&slot) {
                        let end = offset + self.shapes.size_align(value.ty)?.0;
                        written_inside.insert(base, ());
                        if sizes.get(&base).is_none_or(|&(size, _)| end > size) {
                            escaped.insert(base, ());
                        }
                    }
                }
                if let Value::Local(slot) = value.value {
                    let base = derived.get(&slot).map_or(slot, |one| one.0);
                    escaped.insert(base, ());
                }
                Ok(())
            }
            Operation::Gep { source, base, indices } => {
                if let (Value::Local(slot), Some(result)) = (&base.value, result) {
                    let (root, start) = derived.get(slot).copied().unwrap_or((*slot, 0));
                    if sizes.contains_key(&root) {
                        match self.constant_offset(*source, indices)? {
                            Some(offset) => {
                                derived.insert(result, (root, start + offset));
                                written_inside.insert(root, ());
                            }
                            None => {
                                escaped.insert(root, ());
                            }
                        }
                    }
                }
                Ok(())
            }
            other => {
                other.for_each_operand(&mut |operand| {
                    operand.for_each_part(&mut |part| {
                        if let Value::Local(local) = part {
                            escaped.insert(derived.get(local).map_or(*local, |one| one.0), ());
                        }
                    });
                });
                Ok(())
            }
        }
    }
    /// The name and reading of a slot from debug information.
    fn slot_name(&self, function: &Function<'s>, slot: Local) -> Option<(String, Shown)> {
        self.debug.variable(self.record_of(function, slot)?)
    }
    /// The variable that fills a slot.
    fn record_of(&self, function: &Function<'s>, slot: Local) -> Option<u32> {
        let mut records = function.records.iter();
        let fits = |expression: &str| expression == "!DIExpression()";
        let found =
            records.find(|record| record.is_address && record.value == Some(slot) && fits(record.expression))?;
        Some(found.variable)
    }
    fn frame_in_cycle(&self, function: &Function<'s>, block: Block) -> bool {
        let mut seen: FastMap<Block, ()> = FastMap::new();
        let mut stack = vec![block];
        while let Some(one) = stack.pop() {
            let next = function.blocks[one].instructions.last().map_or(Vec::new(), |last| last.operation.successors());
            for successor in next {
                if successor == block {
                    return true;
                }
                if seen.insert(successor, ()).is_none() {
                    stack.push(successor);
                }
            }
        }
        false
    }

    // ---- uses of values

    fn find_uses(&mut self, function: &Function<'s>, order: &[Block]) {
        let mut home: FastMap<Local, Block> = FastMap::new();
        for &block in order {
            for instruction in &function.blocks[block].instructions {
                if let Some(result) = instruction.result {
                    home.insert(result, block);
                }
            }
        }
        let mut uses: FastMap<Local, Uses> = FastMap::new();
        let mut note = |local: Local, block: Block, index: usize| {
            let entry = uses.get_or_insert_with(local, Uses::default);
            if home.get(&local) == Some(&block) {
                entry.last = entry.last.max(index);
            } else {
                entry.outside = true;
            }
        };
        for &block in order {
            for (index, instruction) in function.blocks[block].instructions.iter().enumerate() {
                if let Operation::Phi { incoming, .. } = &instruction.operation {
                    for (value, from) in incoming {
                        let last = function.blocks[*from].instructions.len();
                        value.for_each_part(&mut |part| {
                            if let Value::Local(local) = part {
                                note(*local, *from, last);
                            }
                        });
                    }
                    continue;
                }
                instruction.operation.for_each_operand(&mut |operand| {
                    operand.for_each_part(&mut |part| {
                        if let Value::Local(local) = part {
                            note(*local, block, index);
                        }
                    });
                });
            }
        }
        self.frame.slots.uses = uses;
    }
    /// A new value; notes which promoted variables it mentions.
    pub(super) fn set_value(&mut self, result: Local, leaves: Vec<Leaf>, operation: &Operation<'s>) {
        let mut mentioned: Vec<Var> = Vec::new();
        match operation {
            Operation::Load { address, .. } => {
                if let Value::Local(slot) = address.value
                    && let Some(&var) = self.frame.slots.vars.get(&slot)
                {
                    mentioned.push(var);
                }
            }
            // Results of intrinsics are terms over their arguments, those of other calls are variables.
            Operation::Call(call) if !matches!(call.callee, Value::Global(name) if name.starts_with("llvm.")) => {}
            Operation::AtomicRmw { .. } | Operation::CmpXchg { .. } | Operation::Alloca { .. } => {}
            pure => self.mentions_of(pure, &mut mentioned),
        }
        if !mentioned.is_empty() {
            self.frame.slots.mentions.insert(result, mentioned);
            self.frame.slots.floating.push(result);
        }
        self.frame.values[result] = Some(leaves);
    }
    fn mentions_of(&self, operation: &Operation<'s>, mentioned: &mut Vec<Var>) {
        let slots = &self.frame.slots;
        operation.for_each_operand(&mut |operand| {
            operand.for_each_part(&mut |part| {
                if let Value::Local(local) = part
                    && let Some(vars) = slots.mentions.get(local)
                {
                    mentioned.extend(vars.iter().filter(|var| !mentioned.contains(var)).copied().collect::<Vec<_>>());
                }
            });
        });
    }
    /// A promoted variable is about to be written: saves values that mention it and are used later.
    pub(super) fn settle_before_write(&mut self, var: Var) {
        let index = self.frame.slots.index;
        self.settle(|slots, local| {
            let uses = slots.uses.get(&local).copied().unwrap_or_default();
            let is_used = uses.outside || uses.last > index;
            is_used && slots.mentions.get(&local).is_some_and(|vars| vars.contains(&var))
        });
    }
    /// The block is about to end: saves values that are used elsewhere.
    pub(super) fn settle_block(&mut self) {
        self.settle(|slots, local| slots.uses.get(&local).is_some_and(|uses| uses.outside));
    }
    fn settle(&mut self, is_due: impl Fn(&Slots, Local) -> bool) {
        let due: Vec<Local> =
            self.frame.slots.floating.iter().copied().filter(|&local| is_due(&self.frame.slots, local)).collect();
        for local in due {
            let name = self.frame.function.as_ref().map_or("", |function| function.locals[local]);
            let Some(leaves) = self.frame.values[local].clone() else { continue };
            let mut saved = Vec::new();
            let mut pairs = Vec::new();
            for leaf in leaves {
                if let Leaf::Term(term) = leaf
                    && !self.terms.is_value(term)
                {
                    let sort = self.terms.sort_of(term);
                    let var = self.temp(name, sort, Shown::Unsigned);
                    pairs.push((var, term));
                    saved.push(Leaf::Term(self.term_of(var)));
                } else {
                    saved.push(leaf);
                }
            }
            if !pairs.is_empty() {
                self.emit(Action::Assign(pairs));
            }
            self.frame.values[local] = Some(saved);
            self.frame.slots.mentions.remove(&local);
            self.frame.slots.floating.retain(|&one| one != local);
        }
    }
    /// A block begins: no value of another block mentions a promoted variable.
    pub(super) fn begin_block(&mut self, block: Block) {
        self.frame.slots.current = Some(block);
        self.frame.slots.floating.clear();
    }

    // ---- reads before writes

    /// Finds the promoted slots that some path reads first, and at which blocks they are live.
    fn find_first_reads(&mut self, function: &Function<'s>, order: &[Block]) {
        let slots: Vec<Local> =
            function.locals.ids().filter(|local| self.frame.slots.vars.contains_key(local)).collect();
        for group in slots.chunks(64) {
            let bit_of = |local: Local| group.iter().position(|&one| one == local);
            let mut reads: IndexVec<Block, u64> = IndexVec::new();
            let mut writes: IndexVec<Block, u64> = IndexVec::new();
            let mut live: IndexVec<Block, u64> = IndexVec::new();
            for table in [&mut reads, &mut writes, &mut live] {
                table.grow_to(function.blocks.len(), 0);
            }
            for &block in order {
                for instruction in &function.blocks[block].instructions {
                    let (local, is_read) = match &instruction.operation {
                        Operation::Load { address, .. } => (&address.value, true),
                        Operation::Store { address, .. } => (&address.value, false),
                        other => match lifetime_of(other) {
                            Some((true, local)) => {
                                if let Some(bit) = bit_of(local) {
                                    writes[block] |= 1 << bit;
                                }
                                continue;
                            }
                            _ => continue,
                        },
                    };
                    if let Value::Local(local) = local
                        && let Some(bit) = bit_of(*local)
                    {
                        if is_read && writes[block] >> bit & 1 == 0 {
                            reads[block] |= 1 << bit;
                        } else if !is_read {
                            writes[block] |= 1 << bit;
                        }
                    }
                }
            }
            loop {
                let mut changed = false;
                for &block in order.iter().rev() {
                    let next =
                        function.blocks[block].instructions.last().map_or(Vec::new(), |l| l.operation.successors());
                    let out = next.iter().fold(0, |all, &successor| all | live[successor]);
                    let new = reads[block] | out & !writes[block];
                    changed |= new != live[block];
                    live[block] = new;
                }
                if !changed {
                    break;
                }
            }
            for (bit, &local) in group.iter().enumerate() {
                for &block in order {
                    if live[block] >> bit & 1 == 1 {
                        self.frame.slots.live_in.insert((local, block), ());
                    }
                }
                if live[Block::new(0)] >> bit & 1 == 1 {
                    self.frame.slots.read_first.push(local);
                }
            }
        }
    }
    /// At the entry: slots that may be read first hold any value.
    pub(super) fn initial_values(&mut self) {
        for local in self.frame.slots.read_first.clone() {
            self.forget_slot(local);
        }
    }
    fn forget_slot(&mut self, local: Local) {
        let Some(&var) = self.frame.slots.vars.get(&local) else { return };
        let (name, shown) = {
            let variable = &self.builder.program().vars[var];
            (variable.name.clone(), variable.shown)
        };
        self.settle_before_write(var);
        let input = self.input(InputKind::Uninitialised(name), shown);
        self.emit(Action::Havoc { var, input });
    }
    /// The life of a slot begins.
    pub(super) fn begin_life(&mut self, local: Local) -> Lowered<()> {
        let slots = &self.frame.slots;
        if slots.dropped.contains_key(&local) {
            return Ok(());
        }
        if slots.vars.contains_key(&local) {
            if self.is_read_after(local) {
                self.forget_slot(local);
            }
            return Ok(());
        }
        if slots.begins_again.contains_key(&local)
            && let Some(leaves) = self.frame.values[local].clone()
            && let [Leaf::Term(address)] = leaves.as_slice()
        {
            let name = self.frame.function.as_ref().map_or("", |function| function.locals[local]).to_owned();
            let input = self.input(InputKind::Uninitialised(name), Shown::Plain);
            self.emit(Action::Forget { address: *address, size: None, input });
        }
        Ok(())
    }
    /// Whether a promoted slot may be read before it is written from behind the instruction at hand.
    fn is_read_after(&self, local: Local) -> bool {
        let Some(function) = &self.frame.function else { return true };
        let Some(block) = self.frame.slots.current else { return true };
        for instruction in &function.blocks[block].instructions[self.frame.slots.index + 1..] {
            match &instruction.operation {
                Operation::Load { address, .. } if matches!(address.value, Value::Local(one) if one == local) => {
                    return true;
                }
                Operation::Store { address, .. } if matches!(address.value, Value::Local(one) if one == local) => {
                    return false;
                }
                other => {
                    if lifetime_of(other) == Some((true, local)) {
                        return false;
                    }
                }
            }
        }
        let next = function.blocks[block].instructions.last().map_or(Vec::new(), |last| last.operation.successors());
        next.iter().any(|&successor| self.frame.slots.live_in.contains_key(&(local, successor)))
    }
}
