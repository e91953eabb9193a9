//! Actions: what an edge does to the state of a path.

use std::rc::Rc;

use term::{Op, Term};

use crate::model::{Action, EdgeId, InputId, Lifetime, ObjectId, Var, VarKind};
use crate::tuning::Tuning;

use super::Trouble;
use super::access::Target;
use super::explore::{Activation, Explorer, Home};
use super::objects::{Background, Object, Span};
use super::state::State;

impl Explorer<'_> {
    /// Executes the edge, whose condition is part of the guard; none if the run ends here. Long: a case for each action.
    pub(super) fn execute(
        &mut self,
        activation: &Activation,
        edge: EdgeId,
        mut state: State,
    ) -> Result<Option<State>, Trouble> {
        let program = self.program;
        let goes_on = match &program.edges[edge].action {
            // What is undefined keeps its total meaning; the order of evaluation is looked at by its own assertions.
            Action::Assume(_) | Action::Check { .. } | Action::Order(_) => true,
            Action::Assign(pairs) => {
                let values = pairs.iter().map(|&(var, value)| Ok((var, self.eval(&state, value)?)));
                for (var, value) in values.collect::<Result<Vec<(Var, Term)>, Trouble>>()? {
                    self.set(&mut state, var, value)?;
                }
                true
            }
            Action::Havoc { var, .. } => {
                let value = self.fresh(program.vars[*var].sort)?;
                self.set(&mut state, *var, value)?;
                true
            }
            Action::Load { var, address } => {
                let address = self.eval(&state, *address)?;
                let Some(width) = self.width_of(program.vars[*var].sort) else {
                    return Err(self.unsupported("a value in memory that is not a word"));
                };
                match self.load(&state, address, u64::from(width.max(8) / 8))? {
                    None => false,
                    Some(word) => {
                        let value = if width == 0 { self.is_not_zero(word) } else { word };
                        self.set(&mut state, *var, value)?;
                        true
                    }
                }
            }
            Action::Store { address, value } => {
                if self.width_of(self.source.sort_of(*value)).is_none() {
                    return Err(self.unsupported("a value in memory that is not a word"));
                }
                let (address, value) = (self.eval(&state, *address)?, self.eval(&state, *value)?);
                let word = self.as_bytes(value);
                let bytes = u64::from(self.store.words.terms.width(word)) / 8;
                self.store(&mut state, address, bytes, word)?
            }
            Action::Forget { address, size, .. } => self.forget(activation, &mut state, *address, *size)?,
            Action::Call { function, args, result } => {
                let args = args.iter().map(|&arg| self.eval(&state, arg)).collect::<Result<Vec<Term>, Trouble>>()?;
                let locals = std::mem::take(&mut state.locals);
                let Some((mut state, value)) = self.call(*function, state, &args)? else { return Ok(None) };
                state.locals = locals;
                if let Some(var) = result {
                    let value = match value {
                        Some(value) => value,
                        None => self.fresh(program.vars[*var].sort)?,
                    };
                    self.set(&mut state, *var, value)?;
                }
                return Ok(Some(state));
            }
            Action::Alloc { var, size, lifetime, input, moved } => {
                let span = match lifetime {
                    Lifetime::Heap => Span::Heap,
                    Lifetime::Frame => Span::Activation(activation.number),
                };
                self.allocate(&mut state, *var, *size, span, *input, *moved)?
            }
            Action::Free { address, lifetime } => {
                let address = self.eval(&state, *address)?;
                match lifetime {
                    Lifetime::Heap => self.free(&mut state, address)?,
                    Lifetime::Frame => {
                        self.end_frame_object(&mut state, address)?;
                        true
                    }
                }
            }
            Action::End { object } => {
                self.end(&mut state, *object)?;
                true
            }
            Action::Probe { var, address, bytes, access } => {
                let address = self.eval(&state, *address)?;
                let valid = self.validity(&state, address, *bytes, *access)?;
                self.set(&mut state, *var, valid)?;
                true
            }
        };
        Ok(goes_on.then_some(state))
    }
    pub(super) fn set(&mut self, state: &mut State, var: Var, value: Term) -> Result<(), Trouble> {
        match self.homes[var] {
            Home::Global(place) => Rc::make_mut(&mut state.globals)[place] = value,
            Home::Local(place) => state.locals[place] = Some(value),
            Home::Constant(_) | Home::Other => return Err(self.unsupported("a variable that is not a word")),
        }
        Ok(())
    }
    fn is_not_zero(&mut self, byte: Term) -> Term {
        let zero = self.store.words.number(8, 0);
        let is_zero = self.store.words.apply(Op::Eq, &[byte, zero]);
        self.store.words.terms.not(is_zero)
    }
    /// A truth value as the byte that holds it; words stay as they are.
    fn as_bytes(&mut self, value: Term) -> Term {
        if !self.store.words.terms.is_bool(value) {
            return value;
        }
        let (one, zero) = (self.store.words.number(8, 1), self.store.words.number(8, 0));
        self.store.words.ite(value, one, zero)
    }

    // ---- objects

    /// An automatic object begins, with unspecified contents.
    pub(super) fn begin(&mut self, state: &mut State, object: ObjectId, activation: u32) -> Result<(), Trouble> {
        let info = &self.program.objects[object];
        let (key, base) = self.new_key();
        let made = Object {
            size: self.store.words.number(self.program.pointer_width, info.size),
            capacity: info.size,
            span: Span::Activation(activation),
            read_only: info.read_only,
            shared: false,
            live: self.truth(true),
            background: self.store.unspecified(),
            cells: Default::default(),
        };
        state.objects.insert(key, Rc::new(made));
        self.set(state, info.address, base)
    }
    /// The objects that the address variable of an automatic object may name now.
    fn own(&mut self, state: &State, object: ObjectId) -> Result<Vec<Target>, Trouble> {
        let address = self.program.vars[self.program.objects[object].address].term;
        let address = self.eval(state, address)?;
        self.targets(state.guard, address)
    }
    /// An automatic object ends before its activation does.
    fn end(&mut self, state: &mut State, object: ObjectId) -> Result<(), Trouble> {
        for Target { when, key, .. } in self.own(state, object)? {
            let no = self.truth(false);
            if let Some(object) = state.objects.get_mut(&key) {
                let object = Rc::make_mut(object);
                object.live = self.store.words.ite(when, no, object.live);
            }
        }
        Ok(())
    }
    /// Bytes become unspecified; whether the run goes on. An automatic object that has ended and is forgotten as a whole by its name
    /// begins anew, as another object.
    fn forget(
        &mut self,
        activation: &Activation,
        state: &mut State,
        address: Term,
        size: Option<Term>,
    ) -> Result<bool, Trouble> {
        if let Some(&var) = self.var_of.get(&address)
            && let VarKind::AddressOf(object) = self.program.vars[var].kind
            && self.program.objects[object].owner.is_some()
            && size.is_none_or(|size| self.source.small_value(size) == Some(self.program.objects[object].size))
        {
            // Whether it has ended makes no difference but for old pointers, which must not lead to the new one; where it has, on some
            // path, it is another one on all of them, and pointers to the old one that is still live there would be lost.
            let mut n_ended = 0;
            let own = self.own(state, object)?;
            for target in &own {
                let live = state.objects.get(&target.key).map(|object| self.store.words.terms.op(object.live));
                match live {
                    Some(Op::True) => {}
                    None | Some(Op::False) => n_ended += 1,
                    Some(_) => return Err(self.unsupported("an object that may have ended")),
                }
            }
            if n_ended > 0 && n_ended == own.len() {
                self.begin(state, object, activation.number)?;
                return Ok(true);
            }
            if n_ended > 0 {
                return Err(self.unsupported("an object that may have ended"));
            }
        }
        let address = self.eval(state, address)?;
        let size = size.map(|size| self.eval(state, size)).transpose()?;
        self.forget_bytes(state, address, size)
    }
    fn forget_bytes(&mut self, state: &mut State, address: Term, size: Option<Term>) -> Result<bool, Trouble> {
        let length = match size.map(|size| self.store.words.constant(size)) {
            Some(None) => return Err(self.unsupported("an unknown number of bytes that are written from outside")),
            Some(Some(0)) => return Ok(true),
            Some(Some(length)) => Some(length),
            None => None,
        };
        let targets = self.targets(state.guard, address)?;
        // Without a size a function without a body may have written there, or may not.
        let mut goes_on = length.is_none();
        for Target { when, key, offset } in targets {
            let Some(object) = state.objects.get(&key) else { continue };
            let (capacity, read_only) = (object.capacity, object.read_only);
            let is_certain = self.store.words.terms.op(when) == Op::True;
            let Some(offset) = self.store.words.constant(offset).filter(|_| is_certain) else {
                return Err(self.unsupported("bytes that are written from outside at an unknown place"));
            };
            let (from, bytes) = match length {
                Some(length) => (offset, length),
                None if offset >= capacity => continue,
                None => (0, capacity),
            };
            if read_only || offset > capacity || bytes > capacity - from {
                continue;
            }
            goes_on = true;
            let mut object = Rc::clone(object);
            self.spend(bytes.min(1 << 16))?;
            self.store.forget(Rc::make_mut(&mut object), from, bytes);
            state.objects.insert(key, object);
        }
        Ok(goes_on)
    }
    /// A new object; whether the run goes on.
    fn allocate(
        &mut self,
        state: &mut State,
        var: Var,
        size: Term,
        span: Span,
        input: Option<InputId>,
        moved: Option<Term>,
    ) -> Result<bool, Trouble> {
        let size = self.eval(state, size)?;
        let moved = moved.map(|moved| self.eval(state, moved)).transpose()?;
        let capacity = match self.store.words.constant(size) {
            Some(size) => size,
            None => {
                let values = match self.store.words.values(size) {
                    Some(values) => Some(values.to_vec()),
                    None => self.ask(state.guard, Some(size))?,
                };
                let Some(values) = values else {
                    return Err(self.limit("an object of unknown size"));
                };
                values.into_iter().max().unwrap_or(0)
            }
        };
        if self.store.words.constant(size).is_none() && capacity > Tuning::DEFAULT.max_merged_bytes {
            return Err(self.limit("an object of unknown size"));
        }
        let (key, base) = self.new_key();
        let mut made = Object {
            size,
            capacity,
            span,
            read_only: false,
            shared: false,
            live: self.truth(true),
            background: if input.is_none() { Background::Zeros } else { self.store.unspecified() },
            cells: Default::default(),
        };
        if let Some(moved) = moved
            && !self.move_into(state, &mut made, moved)?
        {
            return Ok(false);
        }
        state.objects.insert(key, Rc::new(made));
        self.set(state, var, base)?;
        Ok(true)
    }
    /// Copies the contents of the object that begins at the address, as far as both reach, and ends it; whether the run goes on.
    fn move_into(&mut self, state: &mut State, made: &mut Object, moved: Term) -> Result<bool, Trouble> {
        let width = self.program.pointer_width;
        for Target { when, key, .. } in self.targets(state.guard, moved)? {
            let Some(old) = state.objects.get(&key).map(Rc::clone) else { continue };
            let length = old.capacity.min(made.capacity);
            if length > Tuning::DEFAULT.max_merged_bytes {
                return Err(self.limit("a large object that is moved"));
            }
            self.spend(length)?;
            let certain = self.store.words.info(old.size).least;
            let mut at = 0;
            while at < length {
                // Whole cells stay whole; of bytes that the old object may not have, each is by itself.
                let bytes = match old.cells.get(&at) {
                    Some(cell) if at + cell.bytes <= length.min(certain) => cell.bytes,
                    _ => 1,
                };
                let (word, other) = (self.store.read(&old, at, bytes), self.store.read(made, at, bytes));
                let mut is_there = when;
                if at >= certain {
                    let place = self.store.words.number(width, at);
                    let is_inside = self.store.words.apply(Op::BvUlt, &[place, old.size]);
                    is_there = self.store.words.terms.and(&[when, is_inside]);
                }
                let word = self.store.words.ite(is_there, word, other);
                self.store.write(made, at, bytes, word);
                at += bytes;
            }
        }
        self.free(state, moved)
    }
}
