//! The start of the program: static storage gets its first values, then `main` is called.
//!
//! Values known now become bytes of the object; addresses, which the machine chooses, are stored on
//! edges of the function `__start`. Variables in no memory are assigned all at once.

use program::{Action, InputKind, Shown, Var};
use term::{SortKind, Term};

use crate::ast::Span;
use crate::wide::x87_bits;

use crate::hir::{BitRange, FunctionId, Init, InitPiece, TypeId, TypeKind, VarId};

use super::place::Target;
use super::types::Class;
use super::{Home, Lowering};
use crate::tuning::Tuning;

impl Lowering<'_> {
    /// Makes the entry function.
    pub(super) fn start_function(&mut self, main: FunctionId) {
        let unit = self.unit;
        let span = unit.functions[main].span;
        let mut name = "__start".to_owned();
        while unit.functions.iter().any(|function| function.name == name) {
            name.push('!');
        }
        let id = self.blank_function(&name, span);
        self.program.entry = Some(id);
        self.open(id, span);
        self.static_storage();
        self.start_counting(span);
        let TypeKind::Function { params, .. } = &unit.types.kinds[unit.functions[main].ty] else {
            panic!("a function has a function type");
        };
        let params: Vec<_> = if params.is_empty() {
            unit.functions[main].params.iter().map(|&p| unit.vars[p].ty).collect()
        } else {
            params.clone()
        };
        let args = match &self.options.start {
            Some(start) => {
                let globals = start.globals;
                self.any_globals(globals, span);
                self.any_arguments(main, &params, span)
            }
            None => self.arguments_of_main(&params, span),
        };
        let result = self.perform(main, &args, &params, None, None, span);
        let result = result.and_then(|result| self.variable_of.get(&result).copied());
        self.program.functions[id].result = result.filter(|_| self.class(self.result_type(main)) != Class::Record);
        self.check_leaks(&format!("the end of `{}`", unit.functions[main].name), span);
        self.jump(self.current.exit, span);
        self.close();
    }
    fn arguments_of_main(&mut self, params: &[TypeId], span: Span) -> Vec<Term> {
        let mut args = Vec::new();
        for (index, &ty) in params.iter().enumerate() {
            let mut value = self.any_value(InputKind::External("the caller of main".to_owned()), ty, None, span);
            if let (0, Class::Int { width, signed: true }) = (index, self.class(ty)) {
                // Without its sign it is any number not below zero. An assumption would be a decision that depends on it.
                let most = self.terms.bits(base::Bits::max_signed(width));
                value = self.terms.bv_and(value, most);
            }
            args.push(value);
        }
        args
    }

    fn static_storage(&mut self) {
        let unit = self.unit;
        let statics: Vec<VarId> = self.reach.statics.iter().copied().collect();
        let mut assigned: Vec<(Var, Term)> = Vec::new();
        self.addresses_from_elsewhere(&statics);
        for &var in &statics {
            let variable = &unit.vars[var];
            self.current.span = variable.span;
            self.current.label_scope = variable.function;
            if let Class::Unsupported(_) = self.class(variable.ty) {
                self.home(var); // Refuses it.
                continue;
            }
            if self.is_null_variable(var) {
                continue;
            }
            let unknown = !variable.defined && variable.function.is_none();
            if self.is_undefined_weak_variable(var) {
                let what = format!("the weak variable `{}`, which may be defined elsewhere", variable.name);
                self.unsupported(variable.span, what);
            }
            match self.home(var) {
                Home::Variable(home) if unknown => {
                    self.undefined_variable(&variable.name, variable.span);
                    let kind = InputKind::External(variable.name.clone());
                    self.any_value(kind, variable.ty, Some(home), variable.span);
                }
                Home::Variable(home) => {
                    let value = match variable.init.as_ref().and_then(|init| init.pieces.last()) {
                        Some(piece) => self.value(&piece.value),
                        None => {
                            let sort = self.program.vars[home].sort;
                            self.zero_of(sort)
                        }
                    };
                    assigned.push((home, value));
                }
                Home::Object(object) if unknown => {
                    self.undefined_variable(&variable.name, variable.span);
                    self.program.objects[object].read_only = false;
                    let address = self.object_address(object);
                    let kind = InputKind::External(variable.name.clone());
                    let input = self.new_input(kind, Shown::Plain, variable.span);
                    self.emit(Action::Forget { address, size: None, input }, variable.span);
                }
                Home::Object(object) => {
                    if let Some(init) = &variable.init {
                        self.static_object(object, init, variable.span);
                    }
                }
                Home::Allocated(_) if self.is_of_unknown_size(var) => {}
                Home::Allocated(_) => self.unsupported(variable.span, "static array of variable length"),
            }
        }
        if !assigned.is_empty() {
            self.emit(Action::Assign(assigned), self.current.span);
        }
    }
    /// Of a variable that is defined elsewhere, with a size that is not known here, only its address is known: a pointer from outside.
    fn addresses_from_elsewhere(&mut self, statics: &[VarId]) {
        for &var in statics {
            let variable = &self.unit.vars[var];
            if self.is_null_variable(var) || !self.is_of_unknown_size(var) {
                continue;
            }
            if let Home::Allocated(home) = self.home(var) {
                let text = format!(
                    "`{}` is defined elsewhere with a size that is not known: its address is taken to be any pointer",
                    variable.name
                );
                self.assume_about(&variable.name, text, variable.span);
                let input = self.new_input(InputKind::External(variable.name.clone()), Shown::Pointer, variable.span);
                self.emit(Action::Havoc { var: home, input }, variable.span);
            }
        }
    }
    fn undefined_variable(&mut self, name: &str, span: Span) {
        let text = format!("`{name}` is defined elsewhere: it is taken to hold any value at the start");
        self.assume_about(name, text, span);
    }

    fn static_object(&mut self, object: program::ObjectId, init: &Init, span: Span) {
        // Later pieces win. Stores happen after the first bytes are laid, so a piece that may overlap an
        // earlier store is stored as well.
        let mut stored_up_to = 0;
        for piece in &init.pieces {
            let end = self.piece_end(piece);
            if end > self.program.objects[object].size {
                self.unsupported(piece.value.span, "initial value outside its object");
                return;
            }
            if self.class(piece.value.ty) == Class::Record {
                self.program.objects[object].read_only = false;
                let from = self.record(&piece.value);
                for n in 0..piece.repeat {
                    let address = self.object_address(object);
                    let to = self.offset(address, piece.offset + n * piece.stride);
                    self.copy(to, from, piece.value.ty, span);
                }
                stored_up_to = stored_up_to.max(end);
                continue;
            }
            let value = self.value(&piece.value);
            let bytes = self.constant_bytes(value).filter(|_| piece.offset >= stored_up_to);
            match (bytes, piece.bits) {
                (Some(bytes), None) => self.static_bytes(object, piece, &bytes),
                (Some(bytes), Some(bits)) if bytes.len() <= 8 => self.static_field(object, piece, bits, &bytes),
                _ => {
                    self.static_store(object, piece, value, span);
                    stored_up_to = stored_up_to.max(end);
                }
            }
        }
    }
    fn static_store(&mut self, object: program::ObjectId, piece: &InitPiece, value: Term, span: Span) {
        // The start of the program writes it, so writing it is not undefined.
        self.program.objects[object].read_only = false;
        let address = self.object_address(object);
        for n in 0..piece.repeat {
            let at = self.offset(address, piece.offset + n * piece.stride);
            match piece.bits {
                Some(bits) => {
                    self.write(Target::Bits(at, bits), piece.value.ty, value, span);
                }
                None => self.store(at, value, span),
            }
        }
    }
    fn static_bytes(&mut self, object: program::ObjectId, piece: &InitPiece, bytes: &[u8]) {
        if bytes.iter().all(|&byte| byte == 0) && self.program.objects[object].init.len() as u64 <= piece.offset {
            return; // Zero already.
        }
        let last = self.piece_end(piece);
        if last > Tuning::DEFAULT.max_initial_bytes {
            let what = "static object with initial values beyond 64 MiB";
            return self.unsupported(piece.value.span, what);
        }
        let init = &mut self.program.objects[object].init;
        if (init.len() as u64) < last {
            init.resize(last as usize, 0);
        }
        for n in 0..piece.repeat {
            let at = (piece.offset + n * piece.stride) as usize;
            init[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }
    fn static_field(&mut self, object: program::ObjectId, piece: &InitPiece, bits: BitRange, bytes: &[u8]) {
        for n in 0..piece.repeat {
            for bit in 0..bits.width {
                let position = u64::from(bits.first + bit);
                let at = (piece.offset + n * piece.stride + position / 8) as usize;
                let init = &mut self.program.objects[object].init;
                if init.len() <= at {
                    init.resize(at + 1, 0);
                }
                let mask = 1u8 << (position % 8);
                let is_set = bytes.get(bit as usize / 8).is_some_and(|byte| (byte >> (bit % 8)) & 1 == 1);
                init[at] = if is_set { init[at] | mask } else { init[at] & !mask };
            }
        }
    }
    /// The bytes of a constant as they lie in memory.
    fn constant_bytes(&self, value: Term) -> Option<Vec<u8>> {
        match self.terms.op(value) {
            term::Op::True => return Some(vec![1]),
            term::Op::False => return Some(vec![0]),
            _ => {}
        }
        if let Some(text) = self.terms.numeral_text(value) {
            let SortKind::Float(exponent, significand) = *self.terms.sort_kind(self.terms.sort_of(value)) else {
                return None;
            };
            let bits = u128::from_str_radix(text, 16).ok()?;
            let (bits, width) = match (exponent, significand) {
                (15, 64) => (x87_bits(bits), 80),
                _ => (bits, exponent + significand),
            };
            if width % 8 != 0 {
                return None;
            }
            return Some(bits.to_le_bytes()[..width as usize / 8].to_vec());
        }
        let bits = self.terms.value(value)?;
        let mut bytes: Vec<u8> = bits.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(bits.width() as usize / 8);
        Some(bytes)
    }
}
