//! Places: where values are read from and written to.
//!
//! A scalar whose address is not taken is a variable; everything else is memory. A bit-field is read
//! by loading the bytes it covers and written by loading, inserting and storing them; no other byte
//! is touched.

use program::{AccessKind, Action, InputKind, ObjectId, Shown, Var, VarKind};
use term::Term;

use crate::ast::Span;
use crate::hir::{BitRange, Place, PlaceKind, StorageKind, StringId, TypeId, TypeKind, VarId};

use super::types::{Class, align_of};
use super::{Home, Lowering};

/// A place that has been evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// A variable of the program.
    Variable(Var),
    /// Memory at this address.
    Memory(Term),
    /// Some bits of memory, counted from this address.
    Bits(Term, BitRange),
}

impl Lowering<'_> {
    // ---- homes

    pub(super) fn lives_in_memory(&self, var: VarId) -> bool {
        let var = self.unit.same_variable(var);
        let variable = &self.unit.vars[var];
        let is_static = matches!(variable.storage, StorageKind::Static | StorageKind::Thread);
        variable.address_taken
            || !self.is_scalar(variable.ty)
            || (is_static && variable.is_volatile)
            || (is_static && self.orders.plans.watched.is_in_memory(var))
            || self.is_null_variable(var)
    }
    /// The object of a variable that lives in memory.
    pub(super) fn new_variable_object(&mut self, var: VarId, automatic: bool) -> ObjectId {
        let variable = &self.unit.vars[var];
        let align = align_of(&self.unit.types, variable.ty).max(variable.align.unwrap_or(1));
        let name = match variable.function {
            Some(function) if !automatic => format!("{}.{}", self.unit.functions[function].name, variable.name),
            _ => variable.name.clone(),
        };
        let object = self.new_object(&name, self.size_of(variable.ty), align, automatic, variable.span);
        self.program.objects[object].read_only = variable.is_const && !automatic;
        object
    }
    /// Whether the variable is defined elsewhere and its declaration does not say how large it is.
    pub(super) fn is_of_unknown_size(&self, var: VarId) -> bool {
        let variable = &self.unit.vars[var];
        let is_static = matches!(variable.storage, StorageKind::Static | StorageKind::Thread);
        let is_elsewhere = is_static && !variable.defined && variable.function.is_none();
        is_elsewhere && self.size_of(variable.ty) == 0 && !self.is_null_variable(var)
    }
    /// Where the variable lives, decided at its first use.
    pub(super) fn home(&mut self, var: VarId) -> Home {
        let var = self.unit.same_variable(var);
        if let Some(home) = self.homes[var] {
            return home;
        }
        let unit = self.unit;
        let variable = &unit.vars[var];
        let is_static = matches!(variable.storage, StorageKind::Static | StorageKind::Thread);
        if let Class::Unsupported(what) = self.class(variable.ty) {
            self.unsupported(variable.span, format!("variable `{}` of {what} type", variable.name));
        }
        let place = self.place(variable.span);
        let home = if let TypeKind::Vla(..) = self.kind(variable.ty) {
            let sort = self.pointer_sort();
            let name = format!("&{}", variable.name);
            let kind = VarKind::Local(self.current.id);
            Home::Allocated(self.new_variable(&name, sort, kind, Shown::Pointer, place))
        } else if self.is_of_unknown_size(var) {
            let sort = self.pointer_sort();
            let name = format!("&{}", variable.name);
            Home::Allocated(self.new_variable(&name, sort, VarKind::Global, Shown::Pointer, place))
        } else if self.lives_in_memory(var) {
            Home::Object(self.new_variable_object(var, !is_static))
        } else {
            let (sort, shown) = (self.sort(variable.ty), self.shown(variable.ty));
            let kind = if is_static { VarKind::Global } else { VarKind::Local(self.current.id) };
            let name = match variable.function {
                Some(function) if is_static => format!("{}.{}", unit.functions[function].name, variable.name),
                _ => variable.name.clone(),
            };
            Home::Variable(self.new_variable(&name, sort, kind, shown, place))
        };
        self.homes[var] = Some(home);
        home
    }
    /// The object of a string literal.
    pub(super) fn string_object(&mut self, string: StringId) -> ObjectId {
        if let Some(object) = self.strings[string] {
            return object;
        }
        let literal = &self.unit.strings[string];
        let name = format!("string!{}", base::Id::index(string) + 1);
        let align = align_of(&self.unit.types, literal.ty);
        let object = self.new_object(&name, literal.bytes.len() as u64, align, false, self.current.span);
        self.program.objects[object].init = literal.bytes.clone();
        self.program.objects[object].read_only = true;
        self.strings[string] = Some(object);
        object
    }

    // ---- from places to targets

    /// Evaluates a place.
    pub(super) fn target(&mut self, place: &Place) -> Target {
        self.deeper(place.span, None, |this| Some(this.target_here(place))).unwrap_or_else(|| {
            let width = self.pointer_width();
            Target::Memory(self.terms.bv(width, 0))
        })
    }
    fn target_here(&mut self, place: &Place) -> Target {
        match &place.kind {
            PlaceKind::Var(var) => self.variable_target(*var),
            PlaceKind::Deref(pointer) => Target::Memory(self.value(pointer)),
            PlaceKind::Field { base, offset, bits } => {
                let base = self.address(base);
                let address = self.offset(base, *offset);
                match bits {
                    Some(range) => Target::Bits(address, *range),
                    None => Target::Memory(address),
                }
            }
            PlaceKind::String(string) => Target::Memory(self.string_address(*string)),
            PlaceKind::CompoundLiteral { var, init } => {
                self.watching_literal(place, |this| this.declare(*var, Some(init), place.span));
                self.variable_target(*var)
            }
            PlaceKind::Temporary(record) => Target::Memory(self.temporary(record, place.span)),
        }
    }
    fn variable_target(&mut self, var: VarId) -> Target {
        if self.is_null_variable(var) {
            let unit = self.unit;
            let name = &unit.vars[unit.same_variable(var)].name;
            return Target::Memory(self.null_symbol(name, self.current.span));
        }
        match self.home(var) {
            Home::Variable(var) => Target::Variable(var),
            Home::Object(object) => Target::Memory(self.object_address(object)),
            Home::Allocated(var) => Target::Memory(self.term_of(var)),
        }
    }
    /// The address of a place that lives in memory.
    pub(super) fn address(&mut self, place: &Place) -> Term {
        match self.target(place) {
            Target::Memory(address) | Target::Bits(address, _) => address,
            Target::Variable(var) => panic!("the address of `{}` is taken", self.program.vars[var].name),
        }
    }
    /// The address that many bytes further.
    pub(super) fn offset(&mut self, address: Term, bytes: u64) -> Term {
        if bytes == 0 {
            return address;
        }
        let width = self.pointer_width();
        let bytes = self.terms.bv(width, bytes);
        self.terms.bv_add(address, bytes)
    }

    // ---- reading and writing

    /// Reads a place as the user wrote it. A value that comes from memory is put into `into` if given.
    pub(super) fn read_place(&mut self, place: &Place, into: Option<Var>) -> Term {
        let target = self.target(place);
        if self.reads_anything(place) {
            let name = format!("volatile {}", self.snippet(place.span));
            return self.any_value(InputKind::External(name), place.ty, into, place.span);
        }
        self.read(target, place.ty, into, place.span)
    }
    /// Whether each read of the place may give another value: it is volatile, and others can see it.
    pub(super) fn reads_anything(&self, place: &Place) -> bool {
        let mut root = place;
        while let PlaceKind::Field { base, .. } = &root.kind {
            root = base;
        }
        let is_automatic = match &root.kind {
            PlaceKind::Var(var) => {
                matches!(self.unit.vars[*var].storage, StorageKind::Automatic | StorageKind::Parameter)
            }
            _ => false,
        };
        place.is_volatile && !is_automatic && self.is_scalar(place.ty)
    }
    /// Reads a scalar.
    pub(super) fn read(&mut self, target: Target, ty: TypeId, into: Option<Var>, span: Span) -> Term {
        match target {
            Target::Variable(var) => {
                self.note_variable(var, false, span);
                self.term_of(var)
            }
            Target::Memory(address) => {
                let (sort, shown) = (self.sort(ty), self.shown(ty));
                self.load(address, sort, shown, into, span)
            }
            Target::Bits(address, range) => {
                self.note_bits(address, (range.first, u64::from(range.width)), false, span);
                let (address, low, bytes) = self.covering(address, range);
                let sort = self.terms.bv_sort(bytes * 8);
                let loaded = self.load(address, sort, Shown::Unsigned, None, span);
                self.resume_notes(span);
                let field = self.terms.extract(loaded, low + range.width - 1, low);
                self.field_value(field, ty)
            }
        }
    }
    /// Loads a value of this sort.
    pub(super) fn load(
        &mut self,
        address: Term,
        sort: term::Sort,
        shown: Shown,
        into: Option<Var>,
        span: Span,
    ) -> Term {
        let var = match into {
            Some(var) if self.program.vars[var].sort == sort => {
                self.settle_before_write(var);
                var
            }
            _ => self.new_temp("load", sort, shown),
        };
        self.guard(address, self.bytes_of_sort(sort), AccessKind::Read, span);
        self.emit(Action::Load { var, address }, span);
        self.term_of(var)
    }
    /// Writes a scalar and returns what is in the place afterwards.
    pub(super) fn write(&mut self, target: Target, ty: TypeId, value: Term, span: Span) -> Term {
        match target {
            Target::Variable(var) => {
                self.note_variable(var, true, span);
                self.write_variable(var, value, span);
                self.term_of(var)
            }
            Target::Memory(address) => {
                self.store_scalar(address, ty, value, span);
                value
            }
            Target::Bits(address, range) => {
                let value = self.as_bits(value);
                let field = self.terms.extract(value, range.width - 1, 0);
                self.note_bits(address, (range.first, u64::from(range.width)), true, span);
                self.store_field(address, range, field, span);
                self.resume_notes(span);
                self.field_value(field, ty)
            }
        }
    }
    /// Inserts the bits of a field into memory.
    fn store_field(&mut self, address: Term, range: BitRange, field: Term, span: Span) {
        let (address, low, bytes) = self.covering(address, range);
        let width = bytes * 8;
        let value = if low == 0 && range.width == width {
            field
        } else {
            let sort = self.terms.bv_sort(width);
            let (field, old) = self.keeping(field, |this| this.load(address, sort, Shown::Unsigned, None, span));
            let mut value = field;
            if low > 0 {
                let below = self.terms.extract(old, low - 1, 0);
                value = self.terms.concat(value, below);
            }
            if low + range.width < width {
                let above = self.terms.extract(old, width - 1, low + range.width);
                value = self.terms.concat(above, value);
            }
            value
        };
        self.store(address, value, span);
    }
    /// The first byte that a bit-field touches, the field's lowest bit therein, and how many bytes it touches.
    fn covering(&mut self, address: Term, range: BitRange) -> (Term, u32, u32) {
        let address = self.offset(address, u64::from(range.first / 8));
        let low = range.first % 8;
        (address, low, (low + range.width).div_ceil(8))
    }
    /// The value of a field's bits in its declared type.
    fn field_value(&mut self, field: Term, ty: TypeId) -> Term {
        let have = self.terms.width(field);
        match self.class(ty) {
            Class::Bool => {
                let zero = self.terms.bv(have, 0);
                self.terms.ne(field, zero)
            }
            Class::Int { width, .. } if width < have => self.terms.extract(field, width - 1, 0),
            Class::Int { width, signed: true } => self.terms.sign_extend_to(field, width),
            Class::Int { width, signed: false } => self.terms.zero_extend_to(field, width),
            other => panic!("a bit-field has an integer type, not {other:?}"),
        }
    }
    /// A truth value as one byte; other values as they are.
    fn as_bits(&mut self, value: Term) -> Term {
        if self.terms.is_bool(value) { self.number_of_truth(value, 8) } else { value }
    }
    /// Any value of the type: a variable that has just received it, `into` if that fits.
    pub(super) fn any_value(&mut self, kind: InputKind, ty: TypeId, into: Option<Var>, span: Span) -> Term {
        let (sort, shown) = (self.sort(ty), self.shown(ty));
        let var = match into {
            Some(var) if self.program.vars[var].sort == sort => {
                self.settle_before_write(var);
                var
            }
            _ => self.new_temp("any", sort, shown),
        };
        let input = self.new_input(kind, shown, span);
        self.emit(Action::Havoc { var, input }, span);
        self.term_of(var)
    }
    /// The text of the source, shortened.
    pub(super) fn snippet(&self, span: Span) -> String {
        let text = self.source.text.get(span.start as usize..span.end as usize).unwrap_or("");
        let mut short: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if short.chars().count() > 60 {
            short = short.chars().take(57).collect::<String>() + "...";
        }
        short
    }
}
