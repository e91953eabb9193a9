//! Functions: parameters, blocks in reverse postorder, branches, `phi`, results.
//!
//! Parameters have one variable for each scalar part. A result with several parts is packed into one bit-vector, since a function of a
//! program has one result. A block with one predecessor that ends in a plain branch continues at the same location.

use std::rc::Rc;

use base::{FastMap, Id, IndexVec, Place};
use program::{Action, FunId, InputKind, Loc, Mark, Undefined, Var};
use term::Term;

use crate::demangle;
use crate::ir::{Block, Function, Instruction, Local, Operation, TypeId, Typed, Value};

use super::promote::Slots;
use super::{Leaf, Lowered, Lowering};

/// The function at hand.
pub(super) struct Frame<'s> {
    pub id: FunId,
    /// Where we are; `None` where nothing can be reached.
    pub at: Option<Loc>,
    pub place: Option<Place>,
    pub function: Option<Rc<Function<'s>>>,
    pub values: IndexVec<Local, Option<Vec<Leaf>>>,
    pub slots: Slots,
    pub blocks: IndexVec<Block, Option<Loc>>,
    pub n_predecessors: IndexVec<Block, u32>,
    pub is_head: IndexVec<Block, bool>,
    /// Variables of the `phi`s of a block.
    pub phis: FastMap<Local, Vec<Var>>,
    /// The address of the arguments behind the named ones.
    pub variadic: Option<Term>,
    /// Where the instruction at hand stands in the text.
    pub text_at: u32,
    /// The landing pad of the call at hand.
    pub unwind: Option<Block>,
    /// What the newest landing pad received.
    pub landed: Option<super::exceptions::Landed>,
}

impl Default for Frame<'_> {
    fn default() -> Self {
        Frame {
            id: FunId::new(0),
            at: None,
            place: None,
            function: None,
            values: IndexVec::new(),
            slots: Slots::default(),
            blocks: IndexVec::new(),
            n_predecessors: IndexVec::new(),
            is_head: IndexVec::new(),
            phis: FastMap::new(),
            variadic: None,
            text_at: 0,
            unwind: None,
            landed: None,
        }
    }
}

impl<'s> Lowering<'_, 's, '_> {
    /// The function of the program, declared now if this is its first use.
    pub(super) fn declare(&mut self, name: &'s str) -> FunId {
        if let Some(&id) = self.functions.get(name) {
            return id;
        }
        let signature = self.signature(name);
        let subprogram = signature.as_ref().and_then(|signature| signature.subprogram);
        let place = subprogram.and_then(|node| self.debug.declared(node));
        let place = self.place_of(place);
        let id = self.builder.function("", place);
        let shown = self.shown_name(name, subprogram);
        self.builder.program_mut().functions[id].name = shown;
        self.functions.insert(name, id);
        self.work.push_back(name);
        let Some(signature) = signature else {
            self.refuse(0, format!("call of `{name}`, which the module does not declare"));
            return id;
        };
        if let Err(what) = self.declare_parameters(id, name, &signature) {
            self.refuse(signature.at, what);
        }
        id
    }
    /// A name for users that no other function has.
    fn shown_name(&mut self, name: &str, subprogram: Option<u32>) -> String {
        let proof = name.strip_prefix(super::reach::PROOF).map(str::to_owned);
        let path = if self.is_rust { demangle::path(name) } else { None };
        let path = proof.or(path).or_else(|| subprogram.and_then(|node| self.debug.path(node)));
        let wanted = path.unwrap_or_else(|| name.to_owned());
        let mut candidate = wanted.clone();
        let mut number = 1;
        while self.builder.program().function_named(&candidate).is_some() {
            number += 1;
            candidate = format!("{wanted}#{number}");
        }
        candidate
    }
    fn declare_parameters(&mut self, id: FunId, name: &'s str, signature: &crate::ir::Signature<'s>) -> Lowered<()> {
        let names: Vec<String> = match self.body(name).filter(|_| self.runs_body(name)) {
            Some(body) => body.params.iter().map(|param| body.locals[param.local].to_owned()).collect(),
            None => Vec::new(),
        };
        for (index, &ty) in signature.params.iter().enumerate() {
            let leaves = self.shapes.leaves(ty)?;
            for (part, &(_, leaf)) in leaves.iter().enumerate() {
                let mut param = names.get(index).filter(|name| !name.is_empty()).cloned();
                if let (Some(name), true) = (&mut param, leaves.len() > 1) {
                    name.push_str(&format!(".{part}"));
                }
                let param = param.unwrap_or_else(|| format!("p{index}.{part}"));
                let (sort, shown) = (self.scalar_sort(leaf)?, self.shown_of(leaf));
                let var = self.builder.param(self.terms, id, &param, sort, shown, None);
                self.note_variable(var);
            }
        }
        if signature.variadic {
            let sort = self.terms.bv_sort(self.shapes.layout.pointer_width);
            let var = self.builder.param(self.terms, id, "variadic", sort, program::Shown::Pointer, None);
            self.note_variable(var);
        }
        let results = self.shapes.leaves(signature.result)?;
        let (sort, shown) = match results.as_slice() {
            [] => return Ok(()),
            [(_, only)] => (self.scalar_sort(*only)?, self.shown_of(*only)),
            several => {
                let mut width = 0;
                for &(_, leaf) in several {
                    width += self.bits_of(leaf);
                }
                (self.terms.bv_sort(width), program::Shown::Unsigned)
            }
        };
        let var = self.builder.temp(self.terms, id, "result", sort, shown);
        self.note_variable(var);
        self.builder.set_result(id, var);
        Ok(())
    }

    /// Lowers the body of a declared function; for one without a body, what a call of it means.
    pub(super) fn function(&mut self, name: &'s str) {
        let id = *self.functions.get(name).expect("a function is declared before it is lowered");
        let entry = self.builder.entry_of(id);
        self.frame = Frame { id, at: Some(entry), ..Frame::default() };
        self.frame.place = self.builder.program().functions[id].place;
        if !self.runs_body(name) {
            if let Err(what) = self.stub(name) {
                let at = self.signature(name).map_or(0, |signature| signature.at);
                self.refuse(at, what);
            }
            return;
        }
        let Some(function) = self.body(name) else { return };
        let at = std::cell::Cell::new(function.signature.at);
        if let Err(what) = self.body_of(&function, &at) {
            self.refuse(at.get(), what);
        }
    }
    /// A function without a body whose address is taken: calls of it do what a call by name does.
    fn stub(&mut self, name: &'s str) -> Lowered<()> {
        let Some(signature) = self.signature(name) else { return Ok(()) };
        let params: Vec<Term> = self.params_of(self.frame.id);
        let mut values = Vec::new();
        let mut at = 0;
        for &ty in &signature.params {
            let count = self.shapes.leaves(ty)?.len();
            values.push((ty, params[at..at + count].iter().map(|&term| Leaf::Term(term)).collect()));
            at += count;
        }
        let result = self.call_named(name, &values, signature.result, None)?;
        self.return_value(&result, signature.result)
    }
    fn params_of(&self, id: FunId) -> Vec<Term> {
        self.builder.program().functions[id].params.iter().map(|&var| self.term_of(var)).collect()
    }

    fn body_of(&mut self, function: &Rc<Function<'s>>, at: &std::cell::Cell<u32>) -> Lowered<()> {
        let function = &self.without_idle_pads(function).map_or_else(|| function.clone(), Rc::new);
        self.check_landing_order(function)?;
        self.frame.function = Some(function.clone());
        self.frame.values.grow_to(function.locals.len(), None);
        self.frame.blocks.grow_to(function.blocks.len(), None);
        self.frame.n_predecessors.grow_to(function.blocks.len(), 0);
        self.frame.is_head.grow_to(function.blocks.len(), false);
        self.expect_whole_blocks(function, at)?;
        let order = self.order(function);
        self.receive_parameters(function)?;
        self.find_slots(function, &order)?;
        for &block in &order {
            self.declare_phis(function, block)?;
        }
        self.frame.blocks[Block::new(0)] = self.frame.at;
        if self.frame.is_head[Block::new(0)] {
            return Err("loop to the entry block".to_owned());
        }
        self.initial_values();
        self.frame.blocks[Block::new(0)] = self.frame.at;
        // A branch on a constant may leave a block to be reached only by a later one, so the order may be gone through again.
        let mut is_lowered: IndexVec<Block, bool> = IndexVec::new();
        is_lowered.grow_to(function.blocks.len(), false);
        loop {
            let mut is_done = true;
            for &block in &order {
                if is_lowered[block] || self.frame.blocks[block].is_none() {
                    continue;
                }
                is_lowered[block] = true;
                is_done = false;
                self.block(function, block, at)?;
            }
            if is_done {
                return Ok(());
            }
        }
    }
    fn block(&mut self, function: &Rc<Function<'s>>, block: Block, at: &std::cell::Cell<u32>) -> Lowered<()> {
        self.frame.at = self.frame.blocks[block];
        self.begin_block(block);
        for (index, instruction) in function.blocks[block].instructions.iter().enumerate() {
            at.set(instruction.at);
            if self.frame.at.is_none() {
                break;
            }
            self.begin_instruction(index, instruction);
            self.instruction(function, block, instruction)?;
        }
        Ok(())
    }
    fn begin_instruction(&mut self, index: usize, instruction: &Instruction<'s>) {
        if let Some(place) = instruction.place.and_then(|node| self.debug.place(node)) {
            self.frame.place = self.place_of(Some(place));
        }
        self.frame.slots.index = index;
        self.frame.text_at = instruction.at;
        self.frame.unwind = match &instruction.operation {
            Operation::Call(call) => call.unwind,
            _ => None,
        };
    }
    /// Successors are those of the last instruction: none before it may leave the block.
    fn expect_whole_blocks(&self, function: &Function<'s>, at: &std::cell::Cell<u32>) -> Lowered<()> {
        for body in &function.blocks {
            let before = body.instructions.split_last().map_or(&[][..], |(_, before)| before);
            if let Some(early) = before.iter().find(|one| self.is_terminator(&one.operation)) {
                at.set(early.at);
                return Err("instructions behind the end of their block".to_owned());
            }
        }
        Ok(())
    }
    /// Blocks that can be reached, in reverse postorder; also counts edges and finds the heads of loops.
    fn order(&mut self, function: &Function<'s>) -> Vec<Block> {
        let n_blocks = function.blocks.len();
        let mut state: IndexVec<Block, u8> = IndexVec::new();
        state.grow_to(n_blocks, 0);
        let next = |block: Block| -> Vec<Block> {
            function.blocks[block].instructions.last().map_or(Vec::new(), |last| last.operation.successors())
        };
        let mut order = Vec::new();
        let entry = Block::new(0);
        let mut stack = vec![(entry, next(entry), 0)];
        state[entry] = 1;
        while let Some((block, successors, position)) = stack.last_mut() {
            if let Some(&successor) = successors.get(*position) {
                *position += 1;
                self.frame.n_predecessors[successor] += 1;
                match state[successor] {
                    0 => {
                        state[successor] = 1;
                        stack.push((successor, next(successor), 0));
                    }
                    1 => self.frame.is_head[successor] = true,
                    _ => {}
                }
            } else {
                state[*block] = 2;
                order.push(*block);
                stack.pop();
            }
        }
        order.reverse();
        order
    }
    fn receive_parameters(&mut self, function: &Function<'s>) -> Lowered<()> {
        let mut params = self.params_of(self.frame.id).into_iter();
        for param in &function.params {
            let count = self.shapes.leaves(param.ty)?.len();
            let mut leaves: Vec<Leaf> = params.by_ref().take(count).map(Leaf::Term).collect();
            if let (Some(ty), [Leaf::Term(address)]) = (param.byval, leaves.as_slice()) {
                // The callee owns a copy.
                let name = function.locals[param.local];
                let copy = self.automatic(name, ty, 1)?;
                self.copy_object(copy, *address, ty)?;
                leaves = vec![Leaf::Term(copy)];
            }
            self.frame.values[param.local] = Some(leaves);
        }
        self.frame.variadic = params.next();
        Ok(())
    }

    // ---- blocks

    fn location_of(&mut self, block: Block) -> Loc {
        if let Some(loc) = self.frame.blocks[block] {
            return loc;
        }
        let mark = if self.frame.is_head[block] { Mark::LoopHead } else { Mark::None };
        let place = self.block_place(block).or(self.frame.place);
        let loc = self.builder.marked_location(self.frame.id, mark, place);
        self.frame.blocks[block] = Some(loc);
        loc
    }
    /// The place of a loop: its keyword if the loop says so, else the first instruction of the block.
    fn block_place(&mut self, block: Block) -> Option<Place> {
        let function = self.frame.function.clone()?;
        if self.frame.is_head[block] {
            let latches = function.blocks.iter().filter_map(|body| body.instructions.last());
            for latch in latches.filter(|latch| latch.operation.successors().contains(&block)) {
                let node = latch.loop_node.and_then(|node| self.module.node(node));
                let parts = node.map(|node| node.split(|c: char| !c.is_ascii_digit() && c != '!'));
                let places: Vec<u32> = parts.into_iter().flatten().filter_map(crate::debug::number).collect();
                for place in places {
                    if self.debug.is_location(place) {
                        let place = self.debug.place(place);
                        return self.place_of(place);
                    }
                }
            }
        }
        let first = function.blocks[block].instructions.iter().find_map(|one| one.place)?;
        let place = self.debug.place(first);
        self.place_of(place)
    }
    fn declare_phis(&mut self, function: &Function<'s>, block: Block) -> Lowered<()> {
        for instruction in &function.blocks[block].instructions {
            let (Operation::Phi { ty, .. }, Some(result)) = (&instruction.operation, instruction.result) else { break };
            let mut vars = Vec::new();
            for (_, leaf) in self.shapes.leaves(*ty)? {
                let (sort, shown) = (self.scalar_sort(leaf)?, self.shown_of(leaf));
                vars.push(self.temp(function.locals[result], sort, shown));
            }
            let leaves = vars.iter().map(|&var| Leaf::Term(self.term_of(var))).collect();
            self.frame.values[result] = Some(leaves);
            self.frame.phis.insert(result, vars);
        }
        Ok(())
    }
    /// Goes from the block to its successor, which receives its `phi`s.
    pub(super) fn go(&mut self, function: &Function<'s>, from: Block, to: Block) -> Lowered<()> {
        let mut pairs = Vec::new();
        for instruction in &function.blocks[to].instructions {
            let (Operation::Phi { ty, incoming }, Some(result)) = (&instruction.operation, instruction.result) else {
                break;
            };
            let value = incoming.iter().find(|one| one.1 == from).map(|one| &one.0);
            let value = value.ok_or("`phi` without a value for a predecessor")?.clone();
            let terms = self.operand_terms(&Typed { ty: *ty, value })?;
            let vars = self.frame.phis.get(&result).ok_or("`phi` in a block that is not entered")?.clone();
            pairs.extend(vars.into_iter().zip(terms).filter(|&(var, term)| self.term_of(var) != term));
        }
        if pairs.is_empty() && self.frame.n_predecessors[to] == 1 && self.frame.blocks[to].is_none() {
            self.frame.blocks[to] = self.frame.at.take();
            return Ok(());
        }
        let loc = self.location_of(to);
        if pairs.is_empty() {
            self.jump(loc);
        } else {
            self.emit_to(Action::Assign(pairs), loc);
        }
        Ok(())
    }
    /// Goes to the successor where the condition holds; continues where it does not if there is more.
    fn go_if(&mut self, function: &Function<'s>, from: Block, to: Block, condition: Term) -> Lowered<()> {
        let Some(here) = self.frame.at else { return Ok(()) };
        if condition == self.terms.truth(false) {
            return Ok(());
        }
        if condition == self.terms.truth(true) {
            self.go(function, from, to)?;
            self.frame.at = Some(here);
            return Ok(());
        }
        let has_phi = matches!(
            function.blocks[to].instructions.first().map(|first| &first.operation),
            Some(Operation::Phi { .. })
        );
        let target = if has_phi { self.fresh_location() } else { self.location_of(to) };
        self.builder.edge(here, target, Action::Assume(condition), self.frame.place);
        if has_phi {
            self.frame.at = Some(target);
            self.go(function, from, to)?;
        }
        self.frame.at = Some(here);
        Ok(())
    }

    // ---- instructions

    fn instruction(&mut self, function: &Rc<Function<'s>>, block: Block, one: &Instruction<'s>) -> Lowered<()> {
        let operation = &one.operation;
        if one.result.is_some_and(|result| self.frame.slots.dropped.contains_key(&result)) {
            return Ok(());
        }
        if self.is_terminator(operation) {
            self.settle_block();
            return self.terminator(function, block, one);
        }
        let leaves = match operation {
            Operation::Phi { .. } => return Ok(()),
            Operation::Alloca { ty, count, align } => match self.alloca(one.result, *ty, count.as_ref(), *align)? {
                Some(address) => vec![Leaf::Term(address)],
                None => return Ok(()),
            },
            Operation::Load { ty, address, volatile } => self.load(one.result, *ty, address, *volatile)?,
            Operation::Store { value, address, .. } => {
                self.store(value, address)?;
                return Ok(());
            }
            Operation::Call(call) => {
                let leaves = self.call(one.result, call)?;
                self.after_call(&call.callee)?;
                leaves
            }
            Operation::LandingPad { clauses, cleanup, .. } => self.landing_pad(clauses, *cleanup)?,
            Operation::AtomicRmw { op, address, value } => self.atomic(op, address, value)?,
            Operation::CmpXchg { address, expected, new } => self.compare_exchange(address, expected, new)?,
            Operation::Fence => return Ok(()),
            Operation::Refused(word) => return Err(format!("instruction `{word}`")),
            pure => self.pure(pure)?,
        };
        if let Some(result) = one.result {
            self.set_value(result, leaves, operation);
        }
        Ok(())
    }
    fn is_terminator(&self, operation: &Operation<'s>) -> bool {
        match operation {
            Operation::Ret(_)
            | Operation::Br(_)
            | Operation::CondBr { .. }
            | Operation::Switch { .. }
            | Operation::IndirectBr { .. }
            | Operation::Resume
            | Operation::Unreachable => true,
            Operation::Call(call) => call.normal.is_some(),
            _ => false,
        }
    }
    fn terminator(&mut self, function: &Rc<Function<'s>>, block: Block, one: &Instruction<'s>) -> Lowered<()> {
        match &one.operation {
            Operation::Ret(value) => {
                let (leaves, ty) = match value {
                    Some(value) => (self.operand(value)?, value.ty),
                    None => (Vec::new(), function.signature.result),
                };
                self.return_value(&leaves, ty)?;
            }
            Operation::Br(to) => self.go(function, block, *to)?,
            Operation::CondBr { condition, then, otherwise } => {
                if then == otherwise {
                    return self.go(function, block, *then);
                }
                let condition = self.truth(condition)?;
                let negated = self.terms.not(condition);
                self.go_if(function, block, *then, condition)?;
                self.go_if(function, block, *otherwise, negated)?;
            }
            Operation::Switch { value, default, cases } => {
                let value_term = self.scalar(value)?;
                let mut targets: Vec<(Block, Vec<Term>)> = Vec::new();
                let mut all = Vec::new();
                for (case, to) in cases {
                    let case = self.scalar(&Typed { ty: value.ty, value: case.clone() })?;
                    let equal = self.terms.eq(value_term, case);
                    all.push(equal);
                    match targets.iter_mut().find(|one| one.0 == *to) {
                        Some(known) => known.1.push(equal),
                        None => targets.push((*to, vec![equal])),
                    }
                }
                for (to, conditions) in targets.iter().filter(|one| one.0 != *default) {
                    let condition = self.terms.or(conditions);
                    self.go_if(function, block, *to, condition)?;
                }
                let mut elsewhere: Vec<Term> = Vec::new();
                for (_, conditions) in targets.iter().filter(|one| one.0 != *default) {
                    elsewhere.extend(conditions);
                }
                let any = self.terms.or(&elsewhere);
                let none = self.terms.not(any);
                self.go_if(function, block, *default, none)?;
            }
            Operation::Call(call) => {
                let leaves = self.call(one.result, call)?;
                self.after_call(&call.callee)?;
                if let Some(result) = one.result {
                    self.set_value(result, leaves, &one.operation);
                }
                if let (Some(normal), true) = (call.normal, self.frame.at.is_some()) {
                    self.go(function, block, normal)?;
                }
            }
            Operation::Unreachable => {
                let never = self.terms.truth(false);
                self.check(Undefined::Unreachable, never);
            }
            Operation::Resume => self.resume()?,
            Operation::IndirectBr { .. } => return Err("branch to the address of a block".to_owned()),
            _ => return Err("terminator of this kind".to_owned()),
        }
        self.frame.at = None;
        Ok(())
    }
    /// Assigns the result and leaves the function.
    fn return_value(&mut self, leaves: &[Leaf], ty: TypeId) -> Lowered<()> {
        let id = self.frame.id;
        if let Some(result) = self.builder.program().functions[id].result {
            let value = self.packed(leaves, ty)?;
            if self.terms.sort_of(value) != self.builder.program().vars[result].sort {
                return Err("result of another type".to_owned());
            }
            self.emit(Action::Assign(vec![(result, value)]));
        }
        let exit = self.builder.exit_of(id);
        self.jump(exit);
        Ok(())
    }
    /// A truth value.
    fn truth(&mut self, value: &Value<'s>) -> Lowered<Term> {
        let ty = self.shapes.types.id(crate::ir::Type::Int(1));
        self.scalar(&Typed { ty, value: value.clone() })
    }
    /// Any value of a scalar type.
    pub(super) fn any_scalar(&mut self, name: &str, ty: TypeId, kind: InputKind) -> Lowered<Term> {
        let (sort, shown) = (self.scalar_sort(ty)?, self.shown_of(ty));
        Ok(self.any(name, sort, kind, shown))
    }
}
