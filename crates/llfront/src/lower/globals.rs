//! Global variables and the start of the program: static storage, constructors, the call of the entry.
//!
//! Contents that are known become bytes of the object; addresses are stored on edges of `__start`, and such an object is not read-only for the
//! program, since the start writes it.

use program::{Action, FunId, InputKind, Shown};
use term::Term;

use crate::ir::{Global, Operation, Type, TypeId, Typed, Value};
use crate::parse::Definition;

use super::function::Frame;
use super::{Leaf, Lowered, Lowering};

// law: initial contents are kept in memory.
/// Objects with more initial contents are refused.
const MAX_INITIAL_BYTES: u64 = 64 << 20;

/// What the C library of Linux says about threads, which are refused.
const SINGLE_THREADED: &str = "__libc_single_threaded";

/// The first contents of a global that are not bytes: addresses, or anything (`None`).
pub(super) struct Prepared<'s> {
    name: &'s str,
    address: Term,
    place: Option<base::Place>,
    stores: Option<Vec<(u64, Term)>>,
}

/// What a global name stands for.
#[derive(Clone, Copy)]
pub(super) struct Home {
    pub address: Term,
}

impl<'s> Lowering<'_, 's, '_> {
    /// Whether the function is declared as weak, so that its address is null where nothing defines it.
    pub(super) fn is_weak_and_missing(&self, name: &str) -> bool {
        let (module, start) = (self.module, self.module.declared.get(name));
        let header = start.and_then(|&start| module.text[start as usize..].lines().next()).unwrap_or("");
        !module.defined.contains_key(name) && header.split_ascii_whitespace().any(|word| word == "extern_weak")
    }
    /// The address that a global name stands for.
    pub(super) fn global_address(&mut self, name: &'s str) -> Lowered<Term> {
        if let Some(home) = self.globals.get(name) {
            return Ok(home.address);
        }
        if self.is_weak_and_missing(name) {
            // As the linker does where nothing defines it.
            return Ok(self.terms.bv(self.pointer_width(), 0));
        }
        if self.module.defined.contains_key(name) || self.module.declared.contains_key(name) {
            let id = self.declare(name);
            let var = self.builder.address_of_function(self.terms, id);
            return Ok(self.note_variable(var));
        }
        let address = match self.definition(name) {
            Some(Definition::Variable(global)) => {
                if let Some(what) = global.refused {
                    return Err(what.to_owned());
                }
                let (size, align) = self.shapes.size_align(global.ty)?;
                let node = global.debug.and_then(|node| self.debug.global(node));
                let shown = node.and_then(|node| self.debug.variable(node)).map(|one| one.0);
                let place = node.and_then(|node| self.debug.declared(node));
                let place = self.place_of(place);
                let align = global.align.unwrap_or(align).clamp(1, 1 << 16).next_power_of_two() as u32;
                let shown = shown.unwrap_or_else(|| name.to_owned());
                let object = self.builder.static_object(self.terms, &shown, size, align, Vec::new(), place);
                self.typed.object(object, node.and_then(|node| self.debug.type_of(node)));
                self.builder.program_mut().objects[object].read_only = global.is_constant && global.init.is_some();
                self.uninitialised.push_back(name);
                let var = self.builder.address_of(object);
                self.note_variable(var)
            }
            Some(Definition::Alias(value)) => {
                let ty = self.shapes.types.id(Type::Pointer);
                self.address(&Typed { ty, value })?
            }
            Some(Definition::Refused(what)) => return Err(what.to_owned()),
            None => return Err(format!("`@{name}`, which the module does not define")),
        };
        self.globals.insert(name, Home { address });
        Ok(address)
    }

    /// Functions of `@llvm.global_ctors` in the order of their priorities.
    pub(super) fn constructors(&mut self) -> Vec<&'s str> {
        let Some(Definition::Variable(Global { init: Some(Value::Aggregate(entries)), .. })) =
            self.definition("llvm.global_ctors")
        else {
            return Vec::new();
        };
        let mut found: Vec<(u64, &'s str)> = Vec::new();
        for entry in &entries {
            if let Value::Aggregate(parts) = &entry.value
                && let Some(Value::Global(name)) = parts.get(1).map(|part| &part.value)
            {
                let priority = parts.first().and_then(super::aggregate::constant).unwrap_or(u64::MAX);
                found.push((priority, name));
            }
        }
        found.sort_by_key(|one| one.0);
        found.into_iter().map(|one| one.1).collect()
    }

    /// The entry function of the program.
    pub(super) fn start(&mut self, id: FunId, entry: &'s str, constructors: &[&'s str]) {
        self.frame = Frame { id, at: Some(self.builder.entry_of(id)), ..Frame::default() };
        for Prepared { name, address, place, stores } in std::mem::take(&mut self.prepared) {
            self.frame.place = place;
            let Some(stores) = stores else {
                let input = self.input(InputKind::External(name.to_owned()), Shown::Plain);
                self.emit(Action::Forget { address, size: None, input });
                continue;
            };
            for (offset, value) in stores {
                let at = self.offset(address, offset);
                self.emit(Action::Store { address: at, value });
            }
        }
        self.start_exceptions();
        for &constructor in constructors {
            if self.signature(constructor).is_none_or(|signature| !signature.params.is_empty()) {
                self.refuse(0, format!("constructor `{constructor}` with parameters"));
                continue;
            }
            let function = self.declare(constructor);
            self.emit(Action::Call { function, args: Vec::new(), result: None });
            self.after_entry(constructor);
        }
        let Some(signature) = self.signature(entry) else { return };
        let mut args = Vec::new();
        for (index, &ty) in signature.params.iter().enumerate() {
            if let Err(what) = self.entry_argument(entry, index, ty, &mut args) {
                self.refuse(signature.at, what);
                return;
            }
        }
        let function = self.declare(entry);
        let result = self.builder.program().functions[function].result;
        let result = result.map(|var| {
            let (sort, shown) = {
                let variable = &self.builder.program().vars[var];
                (variable.sort, variable.shown)
            };
            self.temp("exit", sort, shown)
        });
        self.frame.place = self.builder.program().functions[function].place;
        self.emit(Action::Call { function, args, result });
        self.after_entry(entry);
        self.builder.program_mut().functions[id].result = result;
        let exit = self.builder.exit_of(id);
        self.jump(exit);
    }
    /// An argument of the entry: a free value. Of `main` in C, what the system passes.
    fn entry_argument(&mut self, entry: &str, index: usize, ty: TypeId, args: &mut Vec<Term>) -> Lowered<()> {
        for (_, leaf) in self.shapes.leaves(ty)? {
            if entry == "main" {
                let kind = InputKind::External("the caller of main".to_owned());
                let mut value = self.any_scalar("argument", leaf, kind)?;
                if let (0, Type::Int(width)) = (index, self.shapes.types.kind(leaf)) {
                    let most = self.terms.bits(base::Bits::max_signed(*width));
                    value = self.terms.bv_and(value, most);
                }
                args.push(value);
                continue;
            }
            if matches!(self.shapes.types.kind(leaf), Type::Pointer) {
                return Err("entry with a pointer as parameter".to_owned());
            }
            let kind = InputKind::Nondet(format!("parameter {} of {entry}", index + 1));
            args.push(self.any_scalar("argument", leaf, kind)?);
        }
        Ok(())
    }

    // ---- contents

    /// Computes the first contents of the globals met so far; that may ask for further globals and functions.
    pub(super) fn prepare_globals(&mut self) {
        self.frame = Frame::default();
        while let Some(name) = self.uninitialised.pop_front() {
            if let Some(Definition::Variable(global)) = self.definition(name)
                && let Err(what) = self.contents(name, &global)
            {
                self.refuse(global.at, what);
            }
        }
    }
    fn contents(&mut self, name: &'s str, global: &Global<'s>) -> Lowered<()> {
        let address = self.global_address(name)?;
        let Some((object, 0)) = self.object_at(address) else { return Err("global without an object".to_owned()) };
        let place = self.builder.program().objects[object].place;
        self.frame.place = place;
        let known = (name == SINGLE_THREADED).then(|| Value::Int(base::Bits::one(8)));
        let Some(init) = global.init.as_ref().or(known.as_ref()) else {
            let text = format!("`{name}` is defined elsewhere: it is taken to hold any value at the start");
            self.builder.assumption(text, place);
            self.prepared.push(Prepared { name, address, place, stores: None });
            return Ok(());
        };
        let mut bytes = Vec::new();
        let mut stores = Vec::new();
        self.lay(global.ty, init, 0, &mut bytes, &mut stores)?;
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        self.builder.program_mut().objects[object].init = bytes;
        if !stores.is_empty() {
            self.builder.program_mut().objects[object].read_only = false;
        }
        self.prepared.push(Prepared { name, address, place, stores: Some(stores) });
        Ok(())
    }
    fn object_at(&self, address: Term) -> Option<(program::ObjectId, u64)> {
        let &var = self.variable_of.get(&address)?;
        match self.builder.program().vars[var].kind {
            program::VarKind::AddressOf(object) => Some((object, 0)),
            _ => None,
        }
    }
    /// Lays a constant into bytes; addresses are stored later. What is undefined is zero: no defined run reads it.
    fn lay(
        &mut self,
        ty: TypeId,
        value: &Value<'s>,
        at: u64,
        bytes: &mut Vec<u8>,
        stores: &mut Vec<(u64, Term)>,
    ) -> Lowered<()> {
        let size = self.shapes.size_align(ty)?.0;
        let put = |bytes: &mut Vec<u8>, new: &[u8]| -> Lowered<()> {
            let end = at + new.len() as u64;
            if end > MAX_INITIAL_BYTES {
                return Err("static object with initial values beyond 64 MiB".to_owned());
            }
            if (bytes.len() as u64) < end {
                bytes.resize(end as usize, 0);
            }
            bytes[at as usize..end as usize].copy_from_slice(new);
            Ok(())
        };
        match value {
            Value::Zero | Value::Undef | Value::Poison => Ok(()),
            Value::Bytes(text) => put(bytes, text),
            Value::Int(bits) => {
                let mut raw: Vec<u8> = bits.words().iter().flat_map(|word| word.to_le_bytes()).collect();
                raw.truncate(bits.width().div_ceil(8) as usize);
                put(bytes, &raw)
            }
            Value::Float(bits) => {
                let Type::Float(exponent, significand) = *self.shapes.types.kind(ty) else {
                    return Err("floating-point constant of another type".to_owned());
                };
                if (exponent, significand) == (15, 64) {
                    return Err("initial value of type x86_fp80".to_owned());
                }
                put(bytes, &bits.to_le_bytes()[..(exponent + significand) as usize / 8])
            }
            Value::Aggregate(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    let (offset, part) = self.shapes.field(ty, index as u64)?;
                    self.lay(part, &element.value, at + offset, bytes, stores)?;
                }
                Ok(())
            }
            Value::Splat(element) => {
                let length = size / self.shapes.size_align(element.ty)?.0.max(1);
                for index in 0..length {
                    let (offset, part) = self.shapes.field(ty, index)?;
                    self.lay(part, &element.value, at + offset, bytes, stores)?;
                }
                Ok(())
            }
            _ => {
                // `inttoptr` of a number is a number.
                if let Value::Expression(operation) = value
                    && let Operation::Cast { from, .. } = &**operation
                    && matches!(from.value, Value::Int(_) | Value::Zero)
                {
                    return self.lay(from.ty, &from.value, at, bytes, stores);
                }
                let leaves = self.operand(&Typed { ty, value: value.clone() })?;
                for (leaf, (offset, _)) in leaves.into_iter().zip(self.shapes.leaves(ty)?) {
                    let Leaf::Term(term) = leaf else { return Err("constant of this kind".to_owned()) };
                    stores.push((at + offset, term));
                }
                Ok(())
            }
        }
    }
}
