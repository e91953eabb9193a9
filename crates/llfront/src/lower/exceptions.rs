//! Exceptions of C++: thrown, caught, thrown again, and destructors on the way.
//!
//! Each `throw` of the program has a number, its *kind*, which says the type and the destructor. Two variables of the program hold the exception in
//! flight: its kind (zero: none) and its address. A function that is left by an exception goes to its exit with the kind set; behind each call that may
//! throw, the kind decides between the next instruction and the landing pad or the exit. A landing pad clears the kind; its selector is a choice
//! by kind, since which clause fits which `throw` is known (`type_info`). Exceptions that are being handled are a stack of a few levels, each with the
//! counter of the Itanium C++ ABI, section 2.5.3: negative while the exception is thrown again.
//!
//! The stack is unwound before the end of a run that nothing catches is known, as the language allows; where no handler of the program fits, the
//! `throw` itself is the end. Code that an optimiser has rearranged, so that two landing pads meet before the handler, is refused.

use base::FastMap;
use program::{Action, AssertionKind, Lifetime, Shown, Undefined, Var};
use term::Term;

use crate::Property;
use crate::ir::{Block, Call, Clause, Function, Instruction, Operation, Type, TypeId, Value};
use crate::tuning::Tuning;

use super::type_info::{View, thrown_by_library, type_name};
use super::{Leaf, Lowered, Lowering};

/// A `throw` of the program.
#[derive(Clone, Copy)]
struct Throw<'s> {
    at: u32,
    description: &'s str,
    destructor: Option<&'s str>,
    /// The number of its `DILocation`.
    node: Option<u32>,
}

/// What is known about exceptions.
#[derive(Default)]
pub(super) struct Exceptions<'s> {
    /// Functions that can be reached, in the order in which they were read.
    functions: Vec<&'s str>,
    throws: Vec<Throw<'s>>,
    /// Clauses of landing pads other than those that end the program.
    handlers: Vec<Option<&'s str>>,
    /// Whether some landing pad ends the program, as those of functions do that must not throw.
    ends_program: bool,
    /// Whether a handler throws its exception again.
    rethrows: bool,
    /// Functions that an exception may leave.
    throwing: FastMap<&'s str, ()>,
    throws_by_pointer: bool,
    /// Functions of the library that can be reached, only throw, and have no body here.
    library_throws: Vec<&'s str>,
    /// Types that handlers ask for; the position is the selector, from one.
    selectors: Vec<Option<&'s str>>,
    flight: Option<Flight>,
}

impl<'s> Exceptions<'s> {
    /// A function of the library that only throws can be reached.
    pub(super) fn note_library_throw(&mut self, name: &'s str) {
        if !self.library_throws.contains(&name) {
            self.library_throws.push(name);
        }
    }
}

/// The exception in flight, and those that are being handled, the newest first.
struct Flight {
    kind: Var,
    object: Var,
    handled: Vec<Handled>,
}

#[derive(Clone, Copy)]
struct Handled {
    kind: Var,
    object: Var,
    count: Var,
}

/// What the newest landing pad of the function received.
#[derive(Clone, Copy)]
pub(super) struct Landed {
    kind: Var,
    object: Var,
    /// What the handler gets.
    seen: Var,
}

/// A landing pad gives the address of a header in front of the exception, of this size; it is only a number here.
// format: the distance of header and exception.
const HEADER: u64 = 32;

pub(super) const THROW: &str = "__cxa_throw";
const RETHROW: &str = "__cxa_rethrow";
const BEGIN: &str = "__cxa_begin_catch";
const END: &str = "__cxa_end_catch";
const LEAVES_NOEXCEPT: &str = "__clang_call_terminate";

fn callee<'a, 's>(operation: &'a Operation<'s>) -> Option<(&'s str, &'a Call<'s>)> {
    match operation {
        Operation::Call(call) => call.callee.global().map(|name| (name, &**call)),
        _ => None,
    }
}

/// Whether the block ends the program: a function that must not throw is left by an exception.
fn ends_program(function: &Function<'_>, block: Block) -> bool {
    function.blocks[block]
        .instructions
        .iter()
        .any(|one| callee(&one.operation).is_some_and(|one| one.0 == LEAVES_NOEXCEPT))
}

impl<'s> Lowering<'_, 's, '_> {
    /// Whether the name is one of the runtime for exceptions, and the module does not define it.
    pub(super) fn is_runtime(&self, name: &str) -> bool {
        let known = [THROW, RETHROW, BEGIN, END, "__cxa_get_exception_ptr"];
        known.contains(&name) && !self.module.defined.contains_key(name) || name == LEAVES_NOEXCEPT
    }

    // ---- before lowering

    /// Takes note of a `throw`; gives its destructor, which runs although nothing calls it.
    pub(super) fn note_throw(&mut self, instruction: &Instruction<'s>) -> Option<&'s str> {
        let (name, call) = callee(&instruction.operation)?;
        if !self.is_runtime(name) {
            return None;
        }
        self.exceptions.rethrows |= name == RETHROW;
        if name != THROW {
            return None;
        }
        let description = call.args.get(1).and_then(|arg| arg.value.value.global()).unwrap_or("");
        let destructor = call.args.get(2).and_then(|arg| arg.value.value.global());
        let throw = Throw { at: instruction.at, description, destructor, node: instruction.place };
        self.exceptions.throws.push(throw);
        destructor
    }
    pub(super) fn note_handlers(&mut self, function: &Function<'s>) {
        self.exceptions.functions.push(function.signature.name);
        for (block, body) in function.blocks.iter_enumerated() {
            for instruction in &body.instructions {
                let Operation::LandingPad { clauses, .. } = &instruction.operation else { continue };
                if ends_program(function, block) {
                    self.exceptions.ends_program = true;
                    continue;
                }
                self.exceptions.handlers.extend(clauses.iter().map(|clause| match clause {
                    Clause::Catch(description) => *description,
                    Clause::Filter => None,
                }));
            }
        }
    }
    /// Which functions may be left by an exception; the variables. Everything reachable was read.
    pub(super) fn prepare_exceptions(&mut self) {
        if self.exceptions.throws.is_empty() && !self.exceptions.rethrows {
            return;
        }
        let mut callees: Vec<(&'s str, Vec<Value<'s>>)> = Vec::new();
        for name in self.exceptions.functions.clone() {
            let Some(body) = self.body(name) else { continue };
            let operations = body.blocks.iter().flat_map(|block| &block.instructions).map(|one| &one.operation);
            let calls = operations
                .filter_map(|one| if let Operation::Call(call) = one { Some(call.callee.clone()) } else { None });
            callees.push((name, calls.collect()));
        }
        loop {
            let mut is_done = true;
            for (name, values) in &callees {
                if !self.exceptions.throwing.contains_key(name) && values.iter().any(|value| self.may_throw(value)) {
                    self.exceptions.throwing.insert(name, ());
                    is_done = false;
                }
            }
            let by_pointer = self.addresses.iter().any(|name| self.exceptions.throwing.contains_key(name));
            if is_done && by_pointer == self.exceptions.throws_by_pointer {
                break;
            }
            self.exceptions.throws_by_pointer = by_pointer;
        }
        let (number, pointer, count) =
            (self.terms.bv_sort(32), self.terms.bv_sort(self.pointer_width()), self.terms.bv_sort(8));
        let global = |this: &mut Self, name: String, sort, shown| {
            let var = this.builder.global(this.terms, &name, sort, shown, None);
            this.note_variable(var);
            var
        };
        let kind = global(self, "exception".to_owned(), number, Shown::Unsigned);
        let object = global(self, "exception.object".to_owned(), pointer, Shown::Pointer);
        let mut handled = Vec::new();
        for level in 0..Tuning::DEFAULT.max_handled_exceptions {
            handled.push(Handled {
                kind: global(self, format!("handled.{level}"), number, Shown::Unsigned),
                object: global(self, format!("handled.{level}.object"), pointer, Shown::Pointer),
                count: global(self, format!("handled.{level}.count"), count, Shown::Signed),
            });
        }
        self.exceptions.flight = Some(Flight { kind, object, handled });
    }
    /// Whether a call of this may end in an exception.
    pub(super) fn may_throw(&mut self, called: &Value<'s>) -> bool {
        match self.resolved_callee(called) {
            Value::Global(name) if self.is_runtime(name) => match name {
                THROW | RETHROW => true,
                END => {
                    let destructors = self.exceptions.throws.iter().filter_map(|throw| throw.destructor);
                    destructors.into_iter().any(|name| self.exceptions.throwing.contains_key(name))
                }
                _ => false,
            },
            Value::Global(name) => self.exceptions.throwing.contains_key(name),
            Value::Assembler(..) => false,
            _ => self.exceptions.throws_by_pointer,
        }
    }
    /// The function without edges to landing pads that no exception reaches.
    pub(super) fn without_idle_pads(&mut self, function: &Function<'s>) -> Option<Function<'s>> {
        let mut changed: Option<Function<'s>> = None;
        for (block, body) in function.blocks.iter_enumerated() {
            for (index, instruction) in body.instructions.iter().enumerate() {
                if let Operation::Call(call) = &instruction.operation
                    && call.unwind.is_some()
                    && !self.may_throw(&call.callee)
                {
                    let copy = changed.get_or_insert_with(|| function.clone());
                    if let Operation::Call(call) = &mut copy.blocks[block].instructions[index].operation {
                        call.unwind = None;
                    }
                }
            }
        }
        changed
    }
    /// At the start of the program nothing is thrown and nothing is handled.
    pub(super) fn start_exceptions(&mut self) {
        let Some(flight) = &self.exceptions.flight else { return };
        let mut all = vec![flight.kind, flight.object];
        all.extend(flight.handled.iter().flat_map(|one| [one.kind, one.object, one.count]));
        let mut pairs = Vec::new();
        for var in all {
            let zero = self.zero_like(self.term_of(var));
            pairs.push((var, zero));
        }
        self.emit(Action::Assign(pairs));
    }

    // ---- in flight

    /// Behind a call that may throw: goes on if nothing was thrown.
    pub(super) fn after_call(&mut self, called: &Value<'s>) -> Lowered<()> {
        if self.frame.at.is_none() || !self.may_throw(called) {
            return Ok(());
        }
        let Some(flight) = &self.exceptions.flight else { return Ok(()) };
        let kind = self.term_of(flight.kind);
        let (none, stays, leaves) = (self.kind_of(kind, 0), self.fresh_location(), self.fresh_location());
        self.branch(none, stays, leaves);
        self.frame.at = Some(leaves);
        self.leave()?;
        self.frame.at = Some(stays);
        Ok(())
    }
    /// Goes to the landing pad of the call at hand, or leaves the function.
    fn leave(&mut self) -> Lowered<()> {
        if let (Some(to), Some(function), Some(block)) =
            (self.frame.unwind, self.frame.function.clone(), self.frame.slots.current)
        {
            return self.go(&function, block, to);
        }
        // Every path to the exit writes the result; nothing reads it here.
        if let Some(result) = self.builder.program().functions[self.frame.id].result {
            let zero = self.zero_like(self.term_of(result));
            self.emit(Action::Assign(vec![(result, zero)]));
        }
        if let Some(function) = self.frame.function.clone() {
            let groups = &function.signature.attributes.groups;
            if groups.iter().any(|group| self.module.group_has(group, "nounwind")) {
                let never = self.terms.truth(false);
                self.check(Undefined::BrokenPromise, never);
            }
        }
        let exit = self.builder.exit_of(self.frame.id);
        self.jump(exit);
        Ok(())
    }
    fn kind_of(&mut self, kind: Term, number: usize) -> Term {
        let number = self.terms.bv(32, number as u64);
        self.terms.eq(kind, number)
    }
    fn any_kind_of(&mut self, kind: Term, numbers: &[usize]) -> Term {
        let mut equal = Vec::new();
        for &number in numbers {
            equal.push(self.kind_of(kind, number));
        }
        self.terms.or(&equal)
    }
    fn variables(&self) -> Lowered<(Var, Var, Vec<Handled>)> {
        let flight = self.exceptions.flight.as_ref().ok_or("handler of exceptions where nothing throws any")?;
        Ok((flight.kind, flight.object, flight.handled.clone()))
    }
    /// The exception that the newest landing pad of the function received.
    fn landed(&mut self) -> Landed {
        if let Some(landed) = self.frame.landed {
            return landed;
        }
        let (number, pointer) = (self.terms.bv_sort(32), self.terms.bv_sort(self.pointer_width()));
        let landed = Landed {
            kind: self.temp("landed", number, Shown::Unsigned),
            object: self.temp("landed.object", pointer, Shown::Pointer),
            seen: self.temp("landed.seen", pointer, Shown::Pointer),
        };
        self.frame.landed = Some(landed);
        landed
    }
    /// The run ends: nothing catches the exception of this kind. It is an error where any failing assertion is one.
    fn uncaught(&mut self, kind: Term) {
        if self.options.property != Property::Errors {
            return self.end_run();
        }
        let own = self.frame.place;
        for (index, throw) in self.exceptions.throws.iter().copied().enumerate().collect::<Vec<_>>() {
            let is_it = self.kind_of(kind, index + 1);
            if is_it == self.terms.truth(false) || self.frame.at.is_none() {
                continue;
            }
            let (here, next) = (self.fresh_location(), self.fresh_location());
            self.branch(is_it, here, next);
            self.frame.at = Some(here);
            if let Some(place) = throw.node.and_then(|node| self.debug.place(node)) {
                self.frame.place = self.place_of(Some(place));
            }
            self.fail(
                AssertionKind::Unreached,
                format!("uncaught exception of type `{}`", type_name(throw.description)),
            );
            self.frame.place = own;
            self.frame.at = Some(next);
        }
        self.end_run();
    }
    /// Behind the call of a function that the program starts with.
    pub(super) fn after_entry(&mut self, name: &'s str) {
        let Some(flight) = &self.exceptions.flight else { return };
        if !self.exceptions.throwing.contains_key(name) || self.frame.at.is_none() {
            return;
        }
        let kind = self.term_of(flight.kind);
        let (none, stays, leaves) = (self.kind_of(kind, 0), self.fresh_location(), self.fresh_location());
        self.branch(none, stays, leaves);
        self.frame.at = Some(leaves);
        self.uncaught(kind);
        self.frame.at = Some(stays);
    }

    // ---- calls of the runtime

    /// A call of a function of the runtime.
    pub(super) fn call_runtime(&mut self, name: &'s str, call: &Call<'s>) -> Lowered<Vec<Leaf>> {
        match name {
            THROW => self.throw(call)?,
            RETHROW => self.rethrow()?,
            LEAVES_NOEXCEPT => {
                let landed = self.landed();
                let kind = self.term_of(landed.kind);
                self.uncaught(kind);
            }
            END => self.end_catch()?,
            _ => {
                let landed = self.landed();
                if name == BEGIN {
                    self.begin_catch(landed)?;
                }
                return Ok(vec![Leaf::Term(self.term_of(landed.seen))]);
            }
        }
        self.unused_result(call.result)
    }
    fn throw(&mut self, call: &Call<'s>) -> Lowered<()> {
        let at = self.frame.text_at;
        let found = self
            .exceptions
            .throws
            .iter()
            .position(|throw| throw.at == at)
            .ok_or("`throw` in code that is not reached")?;
        let throw = self.exceptions.throws[found];
        if throw.description.is_empty() {
            return Err("exception whose type is not a constant".to_owned());
        }
        let object = self.address(&call.args.first().ok_or("`throw` without an exception")?.value)?;
        let (kind, in_flight, _) = self.variables()?;
        let number = self.terms.bv(32, found as u64 + 1);
        if !self.is_caught(throw.description)? {
            self.uncaught(number);
            return Ok(());
        }
        self.emit(Action::Assign(vec![(kind, number), (in_flight, object)]));
        self.leave()
    }
    /// Whether an exception of the type has an effect: some handler of the program fits, or destructors run before the end.
    fn is_caught(&mut self, description: &'s str) -> Lowered<bool> {
        let mut is_caught = self.exceptions.ends_program && self.options.property != Property::Errors;
        for handler in self.exceptions.handlers.clone() {
            is_caught = is_caught || self.view(description, handler)?.is_some();
        }
        Ok(is_caught)
    }
    /// Functions of the library whose exceptions some handler may catch: they need a body. Others end the run.
    pub(super) fn wanted_library_throws(&mut self) -> Vec<&'s str> {
        let mut wanted = std::mem::take(&mut self.exceptions.library_throws);
        // A type that cannot be compared is refused where the program is lowered.
        wanted.retain(|name| {
            let description = thrown_by_library(name);
            description.is_some_and(|description| self.is_caught(description).unwrap_or(false))
        });
        wanted
    }
    /// A function of the library that throws, where nothing catches what it throws: the run ends at the call.
    pub(super) fn is_uncaught_in_library(&mut self, name: &str) -> Lowered<bool> {
        let Some(description) = thrown_by_library(name) else { return Ok(false) };
        if self.is_caught(description)? {
            return Ok(false);
        }
        if self.options.property == Property::Errors {
            self.fail(AssertionKind::Unreached, format!("uncaught exception of type `{}`", type_name(description)));
        }
        self.end_run();
        Ok(true)
    }
    fn rethrow(&mut self) -> Lowered<()> {
        let (kind, object, handled) = self.variables()?;
        let newest = handled[0];
        let own = self.term_of(newest.kind);
        let (none, missing, there) = (self.kind_of(own, 0), self.fresh_location(), self.fresh_location());
        self.branch(none, missing, there);
        self.frame.at = Some(missing);
        if self.options.property == Property::Errors {
            self.fail(AssertionKind::Unreached, "`throw` outside of a handler".to_owned());
        }
        self.frame.at = Some(there);
        let count = self.term_of(newest.count);
        let negated = self.terms.bv_neg(count);
        let thrown = self.term_of(newest.object);
        self.emit(Action::Assign(vec![(kind, own), (object, thrown), (newest.count, negated)]));
        self.leave()
    }
    /// The handler begins: the exception is the newest that is handled.
    fn begin_catch(&mut self, landed: Landed) -> Lowered<()> {
        let (_, _, handled) = self.variables()?;
        let (kind, object) = (self.term_of(landed.kind), self.term_of(landed.object));
        let newest = handled[0];
        let one = self.terms.bv(8, 1);
        let join = self.fresh_location();
        if self.exceptions.rethrows {
            // One that is handled already, and was thrown again.
            let (newest_kind, newest_object, count) =
                (self.term_of(newest.kind), self.term_of(newest.object), self.term_of(newest.count));
            let (empty, same) = (self.kind_of(newest_kind, 0), self.terms.eq(newest_object, object));
            let is_there = self.terms.not(empty);
            let again = self.terms.and(&[is_there, same]);
            let (old, new) = (self.fresh_location(), self.fresh_location());
            self.branch(again, old, new);
            self.frame.at = Some(old);
            let zero = self.terms.bv(8, 0);
            let negative = self.terms.bv_slt(count, zero);
            let (up, back) = (self.terms.bv_add(count, one), self.terms.bv_sub(one, count));
            let next = self.terms.ite(negative, back, up);
            self.emit(Action::Assign(vec![(newest.count, next)]));
            self.jump(join);
            self.frame.at = Some(new);
        }
        let last = self.term_of(handled.last().unwrap_or(&newest).kind);
        let (free, pushes, full) = (self.kind_of(last, 0), self.fresh_location(), self.fresh_location());
        self.branch(free, pushes, full);
        self.frame.at = Some(full);
        // Nothing is proved where this is reached: the error is behind undefined behaviour, so that no replay confirms it.
        let never = self.terms.truth(false);
        self.check(Undefined::BrokenPromise, never);
        self.fail(AssertionKind::Unreached, "more exceptions are handled at a time than the model holds".to_owned());
        self.frame.at = Some(pushes);
        let mut pairs = vec![(newest.kind, kind), (newest.object, object), (newest.count, one)];
        for pair in handled.windows(2) {
            let values = [pair[0].kind, pair[0].object, pair[0].count].map(|var| self.term_of(var));
            pairs.extend([pair[1].kind, pair[1].object, pair[1].count].into_iter().zip(values));
        }
        self.emit(Action::Assign(pairs));
        self.jump(join);
        self.frame.at = Some(join);
        Ok(())
    }
    /// The handler ends: the exception is destroyed, unless it was thrown again.
    fn end_catch(&mut self) -> Lowered<()> {
        let (_, _, handled) = self.variables()?;
        let newest = handled[0];
        let join = self.fresh_location();
        if self.exceptions.rethrows {
            let count = self.term_of(newest.count);
            let (zero, one) = (self.terms.bv(8, 0), self.terms.bv(8, 1));
            let (thrown, open) = (self.fresh_location(), self.fresh_location());
            let negative = self.terms.bv_slt(count, zero);
            self.branch(negative, thrown, open);
            for (from, next) in [(thrown, self.terms.bv_add(count, one)), (open, self.terms.bv_sub(count, one))] {
                self.frame.at = Some(from);
                self.emit(Action::Assign(vec![(newest.count, next)]));
                let after = self.term_of(newest.count);
                let is_last = self.terms.eq(after, zero);
                let last = self.fresh_location();
                self.branch(is_last, last, join);
                self.frame.at = Some(last);
                if from == thrown {
                    self.pop(&handled);
                } else {
                    self.destroy(&handled)?;
                }
                self.jump(join);
            }
        } else {
            self.destroy(&handled)?;
            self.jump(join);
        }
        self.frame.at = Some(join);
        Ok(())
    }
    fn pop(&mut self, handled: &[Handled]) {
        let mut pairs = Vec::new();
        for pair in handled.windows(2) {
            let values = [pair[1].kind, pair[1].object, pair[1].count].map(|var| self.term_of(var));
            pairs.extend([pair[0].kind, pair[0].object, pair[0].count].into_iter().zip(values));
        }
        if let Some(last) = handled.last() {
            for var in [last.kind, last.object, last.count] {
                let zero = self.zero_like(self.term_of(var));
                pairs.push((var, zero));
            }
        }
        self.emit(Action::Assign(pairs));
    }
    /// Runs the destructor of the newest exception, and frees it.
    fn destroy(&mut self, handled: &[Handled]) -> Lowered<()> {
        let newest = handled[0];
        let (kind, object) = (self.term_of(newest.kind), self.term_of(newest.object));
        let (number, pointer) = (self.terms.sort_of(kind), self.terms.sort_of(object));
        let (old_kind, old_object) =
            (self.temp("destroyed", number, Shown::Unsigned), self.temp("destroyed.object", pointer, Shown::Pointer));
        self.emit(Action::Assign(vec![(old_kind, kind), (old_object, object)]));
        self.pop(handled);
        let (kind, object) = (self.term_of(old_kind), self.term_of(old_object));
        let mut destructors: Vec<(&'s str, Vec<usize>)> = Vec::new();
        for (index, throw) in self.exceptions.throws.iter().enumerate() {
            let Some(name) = throw.destructor else { continue };
            match destructors.iter_mut().find(|one| one.0 == name) {
                Some(known) => known.1.push(index + 1),
                None => destructors.push((name, vec![index + 1])),
            }
        }
        let (address, nothing): (TypeId, TypeId) = (self.pointer_type(), self.shapes.types.id(Type::Void));
        let join = self.fresh_location();
        for (name, numbers) in destructors {
            let (here, next) = (self.fresh_location(), self.fresh_location());
            let is_it = self.any_kind_of(kind, &numbers);
            self.branch(is_it, here, next);
            self.frame.at = Some(here);
            self.call_named(name, &[(address, vec![Leaf::Term(object)])], nothing, None)?;
            self.jump(join);
            self.frame.at = Some(next);
        }
        self.jump(join);
        self.frame.at = Some(join);
        self.emit(Action::Free { address: object, lifetime: Lifetime::Heap });
        Ok(())
    }

    // ---- landing pads

    /// An exception arrives: kinds that no clause fits go on, unless there is something to clean up.
    pub(super) fn landing_pad(&mut self, clauses: &[Clause<'s>], cleanup: bool) -> Lowered<Vec<Leaf>> {
        let (in_flight, object, _) = self.variables()?;
        if clauses.contains(&Clause::Filter) {
            return Err("exception specification".to_owned());
        }
        let (kind, address) = (self.term_of(in_flight), self.term_of(object));
        let (mut passing, mut pointers) = (Vec::new(), Vec::new());
        let mut selector = self.terms.bv(32, 0);
        let mut seen = address;
        for (index, throw) in self.exceptions.throws.iter().copied().enumerate().collect::<Vec<_>>() {
            let number = index + 1;
            match self.first_fitting(throw.description, clauses)? {
                None if cleanup => {}
                None => passing.push(number),
                Some((chosen, View { offset, is_pointer })) => {
                    let is_it = self.kind_of(kind, number);
                    let chosen = self.terms.bv(32, chosen as u64);
                    selector = self.terms.ite(is_it, chosen, selector);
                    if is_pointer {
                        pointers.push(number);
                    } else if offset != 0 {
                        let base = self.offset(address, offset);
                        seen = self.terms.ite(is_it, base, seen);
                    }
                }
            }
        }
        let passes = self.any_kind_of(kind, &passing);
        if passes != self.terms.truth(false) {
            let (out, stays) = (self.fresh_location(), self.fresh_location());
            self.branch(passes, out, stays);
            self.frame.at = Some(out);
            self.frame.unwind = None;
            self.leave()?;
            self.frame.at = Some(stays);
        }
        let landed = self.landed();
        let (number, pointer) = (self.terms.sort_of(kind), self.terms.sort_of(address));
        let (chosen, header) =
            (self.temp("selector", number, Shown::Unsigned), self.temp("exception.header", pointer, Shown::Pointer));
        let none = self.terms.bv(32, 0);
        let before = self.offset(address, HEADER.wrapping_neg());
        let pairs = vec![
            (landed.kind, kind),
            (landed.object, address),
            (landed.seen, seen),
            (chosen, selector),
            (header, before),
            (in_flight, none),
        ];
        self.emit(Action::Assign(pairs));
        let received = self.term_of(landed.kind);
        let holds_pointer = self.any_kind_of(received, &pointers);
        if holds_pointer != self.terms.truth(false) {
            let (here, join) = (self.fresh_location(), self.fresh_location());
            self.branch(holds_pointer, here, join);
            self.frame.at = Some(here);
            let address = self.term_of(landed.object);
            self.emit(Action::Load { var: landed.seen, address });
            self.jump(join);
            self.frame.at = Some(join);
        }
        Ok(vec![Leaf::Term(self.term_of(header)), Leaf::Term(self.term_of(chosen))])
    }
    fn first_fitting(&mut self, thrown: &'s str, clauses: &[Clause<'s>]) -> Lowered<Option<(usize, View)>> {
        for clause in clauses {
            let Clause::Catch(wanted) = *clause else { continue };
            if let Some(view) = self.view(thrown, wanted)? {
                return Ok(Some((self.selector(wanted), view)));
            }
        }
        Ok(None)
    }
    /// The number of a type in selectors.
    pub(super) fn selector(&mut self, wanted: Option<&'s str>) -> usize {
        let selectors = &mut self.exceptions.selectors;
        let found = selectors.iter().position(|known| *known == wanted);
        found.unwrap_or_else(|| {
            selectors.push(wanted);
            selectors.len() - 1
        }) + 1
    }
    /// The exception that landed goes on.
    pub(super) fn resume(&mut self) -> Lowered<()> {
        let (kind, object, _) = self.variables()?;
        let landed = self.landed();
        let pairs = vec![(kind, self.term_of(landed.kind)), (object, self.term_of(landed.object))];
        self.emit(Action::Assign(pairs));
        self.frame.unwind = None;
        self.leave()
    }
    /// What landed last must be what handlers and `resume` speak of: between a landing pad and them there is no other one.
    pub(super) fn check_landing_order(&self, function: &Function<'s>) -> Lowered<()> {
        for (block, body) in function.blocks.iter_enumerated() {
            let lands = |one: &Instruction<'s>| matches!(one.operation, Operation::LandingPad { .. });
            let Some(start) = body.instructions.iter().position(lands) else { continue };
            if ends_program(function, block) {
                continue;
            }
            let mut seen: FastMap<(Block, bool), ()> = FastMap::new();
            let mut work = vec![(block, start + 1, false)];
            while let Some((block, from, mut handled)) = work.pop() {
                let mut goes_on = true;
                for one in &function.blocks[block].instructions[from..] {
                    let is_handler = callee(&one.operation).is_some_and(|one| one.0 == BEGIN);
                    let is_resume = matches!(one.operation, Operation::Resume);
                    if lands(one) && !handled && !ends_program(function, block) || handled && (is_handler || is_resume)
                    {
                        return Err("handlers of exceptions as an optimiser leaves them".to_owned());
                    }
                    handled |= is_handler;
                    goes_on &= !lands(one);
                }
                let last = function.blocks[block].instructions.last();
                for next in last.map_or(Vec::new(), |last| last.operation.successors()) {
                    if goes_on && seen.insert((next, handled), ()).is_none() {
                        work.push((next, 0, handled));
                    }
                }
            }
        }
        Ok(())
    }
}
