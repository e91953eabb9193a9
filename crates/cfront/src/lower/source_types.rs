//! The types of the source, for reports: of objects, variables and allocations.

use base::{FastMap, Id};
use program::{SourceField, SourceKind, SourceType, TypeNumber};

use crate::hir::{IntKind, TypeId, TypeKind};

use super::types::Class;
use super::{Home, Lowering};

impl Lowering<'_> {
    /// Fills the table of types.
    pub(super) fn describe_types(&mut self) {
        let mut known = FastMap::new();
        self.program.source_types.objects = vec![None; self.program.objects.len()];
        self.program.source_types.vars = vec![None; self.program.vars.len()];
        for (var, variable) in self.unit.vars.iter_enumerated() {
            match self.homes[var] {
                Some(Home::Variable(home)) => {
                    let ty = self.describe(variable.ty, &mut known);
                    self.program.source_types.vars[home.index()] = Some(ty);
                }
                Some(Home::Object(object)) => {
                    let ty = self.describe(variable.ty, &mut known);
                    self.program.source_types.objects[object.index()] = Some(ty);
                }
                _ => {}
            }
        }
        for (string, literal) in self.unit.strings.iter_enumerated() {
            if let Some(object) = self.strings[string] {
                let ty = self.describe(literal.ty, &mut known);
                self.program.source_types.objects[object.index()] = Some(ty);
            }
        }
        for (place, ty) in std::mem::take(&mut self.allocations) {
            let ty = self.describe(ty, &mut known);
            self.program.source_types.allocated.push((place, ty));
        }
    }

    /// The number of a type, made now if it is new.
    fn describe(&mut self, ty: TypeId, known: &mut FastMap<TypeId, TypeNumber>) -> TypeNumber {
        if let Some(&number) = known.get(&ty) {
            return number;
        }
        let number = self.program.source_types.types.len() as TypeNumber;
        known.insert(ty, number);
        // A structure may contain pointers to itself.
        self.program.source_types.types.push(SourceType { size: 0, kind: SourceKind::Other });
        let unit = self.unit;
        let is_sized = !matches!(self.kind(ty), TypeKind::Void | TypeKind::Function { .. } | TypeKind::Vla(..));
        let kind = match *self.kind(ty) {
            TypeKind::Pointer { target, .. } => {
                let is_known = !matches!(self.kind(target), TypeKind::Void);
                SourceKind::Pointer(is_known.then(|| self.describe(target, known)))
            }
            TypeKind::Array(element, _) => SourceKind::Array(self.describe(element, known)),
            TypeKind::Record(record) => {
                let record = &unit.types.records[record];
                let mut fields = Vec::new();
                for field in record.fields.iter().flatten() {
                    let name = field.name.clone().unwrap_or_default();
                    let ty = self.describe(field.ty, known);
                    fields.push(SourceField { name, offset: field.offset, ty, is_bits: field.bits.is_some() });
                }
                SourceKind::Record(record.name.clone(), fields)
            }
            _ => match self.class(ty) {
                Class::Int { .. } | Class::Bool | Class::Float(_) => {
                    let is_char =
                        matches!(self.kind(ty), TypeKind::Int(IntKind::Char | IntKind::SChar | IntKind::UChar));
                    SourceKind::Scalar { shown: self.shown(ty), is_char }
                }
                _ => SourceKind::Other,
            },
        };
        let size = match *self.kind(ty) {
            TypeKind::Record(record) => unit.types.records[record].size,
            TypeKind::Array(_, None) => 0,
            _ if is_sized && kind != SourceKind::Other => self.size_of(ty),
            _ => 0,
        };
        self.program.source_types.types[number as usize] = SourceType { size, kind };
        number
    }

    /// The value of an expression of this type is computed; what is allocated for it holds elements of the target.
    pub(super) fn expect_allocation(&mut self, ty: TypeId) -> Option<TypeId> {
        let target = match *self.kind(ty) {
            TypeKind::Pointer { target, .. } if !matches!(self.kind(target), TypeKind::Void) => Some(target),
            _ => return self.allocated_as,
        };
        std::mem::replace(&mut self.allocated_as, target)
    }
    /// An object is allocated here.
    pub(super) fn note_allocation(&mut self, span: crate::ast::Span) {
        if let (Some(ty), Some(place)) = (self.allocated_as, self.place(span)) {
            self.allocations.push((place, ty));
        }
    }
}
