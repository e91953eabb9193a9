//! Declaration specifiers: base types, structs, unions and enums.

use base::FastMap;

use super::Sema;
use super::layout::Unplaced;
use super::scope::{Symbol, Tag};
use super::types::Ty;
use super::units::UNNAMED;
use crate::ast::{self, BaseType, FieldDeclarator, Member, Name, RecordSpec, Span, Specifiers, StaticAssert, TypeName};
use crate::hir::{FloatKind, IntKind, Record, RecordTypeId, TypeId, TypeKind};

/// Whether a specifier stands alone (`struct s;`), which declares the tag in this very scope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    Alone,
    BeforeDeclarators,
}

impl<'a> Sema<'a> {
    /// The type that the specifiers name, `mode` and `vector_size` among them applied.
    pub(super) fn specifiers(&mut self, specifiers: &'a Specifiers, stands: Stands) -> Ty {
        let mut ty = self.base_type(&specifiers.base, specifiers.span, stands);
        ty.constant |= specifiers.qualifiers.constant;
        ty.volatile |= specifiers.qualifiers.volatile;
        if specifiers.qualifiers.atomic {
            ty = self.atomic(ty);
        }
        if specifiers.attributes.iter().any(|a| matches!(a.name.as_str(), "mode" | "vector_size")) {
            let attributes = self.attributes(&[&specifiers.attributes]);
            ty = self.apply_type_attributes(ty, &attributes);
        }
        ty
    }

    fn base_type(&mut self, base: &'a BaseType, span: Span, stands: Stands) -> Ty {
        let int = |kind| TypeKind::Int(kind);
        let kind = match base {
            BaseType::Void => TypeKind::Void,
            BaseType::Bool => TypeKind::Bool,
            BaseType::Char => int(IntKind::Char),
            BaseType::SignedChar => int(IntKind::SChar),
            BaseType::UnsignedChar => int(IntKind::UChar),
            BaseType::Short => int(IntKind::Short),
            BaseType::UnsignedShort => int(IntKind::UShort),
            BaseType::Int => int(IntKind::Int),
            BaseType::UnsignedInt => int(IntKind::UInt),
            BaseType::Long => int(IntKind::Long),
            BaseType::UnsignedLong => int(IntKind::ULong),
            BaseType::LongLong => int(IntKind::LongLong),
            BaseType::UnsignedLongLong => int(IntKind::ULongLong),
            BaseType::Int128 => int(IntKind::Int128),
            BaseType::UnsignedInt128 => int(IntKind::UInt128),
            BaseType::Float => TypeKind::Float(FloatKind::Float),
            BaseType::Double => TypeKind::Float(FloatKind::Double),
            BaseType::LongDouble => TypeKind::Float(FloatKind::LongDouble),
            BaseType::Float128 => TypeKind::Float(FloatKind::Quad),
            BaseType::Complex(real) => TypeKind::Unsupported(match **real {
                BaseType::Float => "_Complex float",
                BaseType::Double => "_Complex double",
                BaseType::LongDouble => "_Complex long double",
                BaseType::Float128 => "_Complex __float128",
                _ => "_Complex integer",
            }),
            BaseType::ImplicitInt => {
                self.warn(span, "no type is given, so it is `int`", "");
                int(IntKind::Int)
            }
            BaseType::VaList => TypeKind::VaList,
            BaseType::Typedef(name) => return self.typedef(*name, span),
            BaseType::Record(id) => {
                let ty = Ty::plain(self.record_type(*id, stands));
                let spec = &self.ast.records[*id];
                if spec.members.is_none() && !spec.attributes.is_empty() {
                    // After a mere mention the attributes belong to what is declared.
                    let attributes = self.attributes(&[&spec.attributes]);
                    if attributes.transparent {
                        self.make_transparent(ty.id);
                    }
                    return Ty { align: attributes.align, ..ty };
                }
                return ty;
            }
            BaseType::Enum(id) => return Ty::plain(self.enum_type(*id, stands)),
            BaseType::TypeofExpr(id) => return self.type_of(*id),
            BaseType::TypeofType(name) => return self.type_name(name),
            BaseType::TypeofUnqual(arg) => {
                let ty = match &**arg {
                    ast::SizeArg::Expr(id) => self.type_of(*id),
                    ast::SizeArg::Type(name) => self.type_name(name),
                };
                return Ty { constant: false, volatile: false, ..ty };
            }
            BaseType::Atomic(name) => {
                let ty = self.type_name(name);
                return self.atomic(ty);
            }
            BaseType::AutoType => {
                self.error(span, "`__auto_type` needs one variable with an initialiser", "");
                return Ty::plain(self.basic.error);
            }
        };
        Ty::plain(self.unit.types.intern(kind))
    }

    /// With one thread an atomic scalar is a scalar; only its alignment may be stricter.
    fn atomic(&mut self, ty: Ty) -> Ty {
        match self.unit.types.size_of(ty.id) {
            Some(size) if self.unit.types.is_scalar(ty.id) => {
                let align = self.unit.types.align_of(ty.id);
                let own = if size == 8 { 8 } else { align };
                if own > self.unit.types.field_align(ty) { Ty { align: Some(own), ..ty } } else { ty }
            }
            _ => Ty { id: self.unit.types.intern(TypeKind::Unsupported("an atomic aggregate")), ..ty },
        }
    }

    fn typedef(&mut self, name: Name, span: Span) -> Ty {
        match self.scopes.lookup(name) {
            Some(Symbol::Typedef(ty)) => *ty,
            Some(Symbol::Error) => Ty::plain(self.basic.error),
            Some(_) => {
                let text = self.text(name);
                self.error(span, format!("`{text}` is not a type here"), "");
                Ty::plain(self.basic.error)
            }
            None => {
                let text = self.text(name);
                if text == "__builtin_va_list" || text == "__gnuc_va_list" {
                    return Ty::plain(self.basic.va_list);
                }
                self.report_undeclared(name, span);
                Ty::plain(self.basic.error)
            }
        }
    }

    /// A type written where an expression could stand.
    pub(super) fn type_name(&mut self, name: &'a TypeName) -> Ty {
        if name.specifiers.storage != ast::Storage::default() {
            self.error(name.span, "only a declaration or a compound literal has a storage class", "");
        }
        self.stored_type_name(name)
    }

    /// The type of a compound literal, in front of which a storage class may stand (C23).
    pub(super) fn stored_type_name(&mut self, name: &'a TypeName) -> Ty {
        let storage = &name.specifiers.storage;
        if storage.typedef || storage.external || storage.auto || storage.inline || storage.noreturn {
            self.error(name.span, "a compound literal cannot have this storage class", "");
        }
        let base = self.specifiers(&name.specifiers, Stands::BeforeDeclarators);
        let ty = self.declared_type(base, &name.declarator);
        let attributes = self.attributes(&[&name.specifiers.attributes, &name.declarator.attributes]);
        match attributes.align {
            Some(align) => Ty { align: Some(align), ..ty },
            None => ty,
        }
    }

    fn record_type(&mut self, id: ast::RecordId, stands: Stands) -> TypeId {
        let ast = self.ast;
        let spec = &ast.records[id];
        let record = match &spec.members {
            None => match self.known_record(spec, stands) {
                Some(record) => record,
                None => return self.basic.error,
            },
            Some(members) => {
                let record = self.record_to_define(spec);
                self.define_record(record, spec, members);
                self.settle_record(record, spec)
            }
        };
        self.unit.types.intern(TypeKind::Record(record))
    }

    fn new_record(&mut self, spec: &RecordSpec) -> RecordTypeId {
        let name = match spec.tag {
            Some(tag) => self.text(tag).to_owned(),
            None => format!("{UNNAMED}{}>", self.unit.types.records.len()),
        };
        let record = Record { name, is_union: spec.is_union, fields: None, size: 0, align: 1 };
        self.unit.types.records.push(record)
    }

    /// The record that a specifier without members speaks of.
    fn known_record(&mut self, spec: &RecordSpec, stands: Stands) -> Option<RecordTypeId> {
        let Some(tag) = spec.tag else {
            return Some(self.new_record(spec));
        };
        let known = if stands == Stands::Alone { self.scopes.tag_here(tag) } else { self.scopes.tag(tag) };
        match known {
            Some(Tag::Record(record)) if self.unit.types.records[record].is_union == spec.is_union => Some(record),
            Some(_) => {
                let text = self.text(tag);
                self.error(spec.span, format!("the tag `{text}` was declared as another kind of type"), "");
                None
            }
            None => {
                let record = self.earlier_record(spec).unwrap_or_else(|| self.new_record(spec));
                self.scopes.bind_tag(tag, Tag::Record(record));
                Some(record)
            }
        }
    }

    /// The record that a specifier with members defines.
    fn record_to_define(&mut self, spec: &RecordSpec) -> RecordTypeId {
        let Some(tag) = spec.tag else {
            return self.new_record(spec);
        };
        if self.scopes.tag_here(tag).is_none()
            && let Some(record) = self.earlier_record(spec)
        {
            self.scopes.bind_tag(tag, Tag::Record(record));
        }
        match self.scopes.tag_here(tag) {
            // Defined in an earlier file: the definition here must say the same, and is compared when it is complete.
            Some(Tag::Record(record)) if self.is_to_be_repeated(record) => return self.new_record(spec),
            Some(Tag::Record(record))
                if self.unit.types.records[record].is_union == spec.is_union
                    && self.unit.types.records[record].fields.is_none()
                    && !self.defining.contains(&record) =>
            {
                return record;
            }
            Some(_) => {
                let text = self.text(tag);
                self.error(spec.span, format!("the tag `{text}` is defined twice"), "");
            }
            None => {}
        }
        let record = self.new_record(spec);
        self.scopes.bind_tag(tag, Tag::Record(record));
        record
    }

    fn define_record(&mut self, record: RecordTypeId, spec: &'a RecordSpec, members: &'a [Member]) {
        let attributes = self.attributes(&[&spec.attributes]);
        self.defining.push(record);
        let mut unplaced = Vec::new();
        let mut names = FastMap::new();
        for member in members {
            match member {
                Member::StaticAssert(assertion) => self.static_assert(assertion),
                Member::Fields { specifiers, declarators } => {
                    let stands = if declarators.is_empty() { Stands::Alone } else { Stands::BeforeDeclarators };
                    let base = self.specifiers(specifiers, stands);
                    if specifiers.storage != ast::Storage::default() {
                        self.error(specifiers.span, "a member has no storage class", "");
                    }
                    if declarators.is_empty() {
                        self.anonymous_member(base, specifiers, attributes.packed, &mut unplaced, &mut names);
                    }
                    for declarator in declarators {
                        if let Some(field) = self.field(base, specifiers, declarator, attributes.packed) {
                            let field = self.checked_field(field, declarator, spec);
                            if let Some(name) = declarator.declarator.name {
                                self.unique_member(name, declarator.declarator.span, &mut names);
                            }
                            unplaced.push(field);
                        }
                    }
                }
            }
        }
        self.defining.pop();
        for member in &mut unplaced {
            member.most_align = spec.pack;
        }
        match self.unit.types.lay_out(unplaced, spec.is_union, attributes.align.unwrap_or(1)) {
            Some(layout) => {
                let defined = &mut self.unit.types.records[record];
                (defined.size, defined.align, defined.fields) = (layout.size, layout.align, Some(layout.fields));
            }
            None => self.error(spec.span, "this type is too large", ""),
        }
        if attributes.transparent {
            self.transparent.push(record);
        }
    }

    fn unique_member(&mut self, name: Name, span: Span, names: &mut FastMap<String, ()>) {
        let text = self.text(name);
        if names.insert(text.to_owned(), ()).is_some() {
            self.error(span, format!("there are two members called `{text}`"), "");
        }
    }

    fn anonymous_member(
        &mut self,
        base: Ty,
        specifiers: &'a Specifiers,
        packed: bool,
        unplaced: &mut Vec<Unplaced>,
        names: &mut FastMap<String, ()>,
    ) {
        let BaseType::Record(id) = specifiers.base else {
            if !matches!(specifiers.base, BaseType::Enum(_)) {
                self.warn(specifiers.span, "this declares no member", "");
            }
            return;
        };
        let spec = &self.ast.records[id];
        if spec.tag.is_some() {
            return; // Only a tag is declared.
        }
        let Some((record, _)) = self.unit.types.record(base.id) else { return };
        for inner in self.visible_names(record) {
            if names.insert(inner.clone(), ()).is_some() {
                self.error(spec.span, format!("there are two members called `{inner}`"), "");
            }
        }
        let attributes = self.attributes(&[&specifiers.attributes]);
        unplaced.push(Unplaced {
            name: None,
            ty: base,
            width: None,
            align: attributes.align,
            packed: packed || attributes.packed,
            most_align: None,
        });
    }

    fn visible_names(&self, record: RecordTypeId) -> Vec<String> {
        let mut names = Vec::new();
        for field in self.unit.types.records[record].fields.iter().flatten() {
            match &field.name {
                Some(name) => names.push(name.clone()),
                None => {
                    if let Some((inner, _)) = self.unit.types.record(field.ty) {
                        names.extend(self.visible_names(inner));
                    }
                }
            }
        }
        names
    }

    fn field(
        &mut self,
        base: Ty,
        specifiers: &'a Specifiers,
        field: &'a FieldDeclarator,
        packed: bool,
    ) -> Option<Unplaced> {
        let declarator = &field.declarator;
        let span = declarator.span;
        let mut ty = self.declared_type(base, declarator);
        let attributes = self.attributes(&[&specifiers.attributes, &declarator.attributes, &field.attributes]);
        if !specifiers.attributes.iter().any(|a| matches!(a.name.as_str(), "mode" | "vector_size")) {
            ty = self.apply_type_attributes(ty, &attributes);
        }
        let as_specified = self.align_as(&specifiers.align_as, specifiers.span);
        let name = declarator.name.map(|name| self.text(name).to_owned());
        let shown = name.clone().unwrap_or_else(|| "an unnamed member".to_owned());
        let width = match field.width {
            _ if self.is_error(ty.id) => None,
            Some(width) => Some(self.bit_field_declared_width(ty, width, name.is_some())?),
            None => None,
        };
        // A member that is wrong stays with the error type, so that its uses are not reported again.
        if self.unit.types.is_function(ty.id) {
            self.error(span, format!("the member `{shown}` is a function"), "a pointer to a function can be a member");
            ty = Ty::plain(self.basic.error);
        }
        if self.unit.types.is_variably_modified(ty.id) {
            self.unsupported(span, format!("the member `{shown}` has variable length"));
            ty = Ty::plain(self.basic.error);
        }
        Some(Unplaced {
            name,
            ty,
            width,
            align: attributes.align.max(as_specified),
            packed: packed || attributes.packed,
            most_align: None,
        })
    }

    /// The member, if its type is complete or it is a flexible array; otherwise with the error type.
    fn checked_field(&mut self, field: Unplaced, declarator: &FieldDeclarator, spec: &RecordSpec) -> Unplaced {
        let types = &self.unit.types;
        if field.width.is_some() || types.size_of(field.ty.id).is_some() || self.is_unsupported(field.ty.id) {
            return field;
        }
        let flexible = match *types.kind(field.ty.id) {
            TypeKind::Array(element, None) => types.size_of(element).is_some(),
            _ => false,
        };
        if flexible {
            return field;
        }
        let shown = types.display(field.ty.id);
        let name = field.name.clone().unwrap_or_default();
        let help = match types.record(field.ty.id) {
            Some((record, _)) if self.defining.contains(&record) => "a record cannot contain itself; a pointer can",
            _ => "define the type before this",
        };
        let span = if declarator.declarator.span == Span::default() { spec.span } else { declarator.declarator.span };
        self.error(span, format!("the member `{name}` has the incomplete type `{shown}`"), help);
        Unplaced { ty: Ty::plain(self.basic.error), ..field }
    }

    fn bit_field_declared_width(&mut self, ty: Ty, width: ast::ExprId, named: bool) -> Option<u32> {
        let width = self.expr(width);
        let span = width.span;
        if !self.unit.types.is_integer(ty.id) {
            let shown = self.unit.types.display(ty.id);
            self.error(span, format!("a bit-field cannot have type `{shown}`"), "");
            return None;
        }
        let value = self.demand_integer(&width, "the width of a bit-field")?;
        let most = if ty.id == self.basic.bool { 1 } else { self.unit.types.int_width(ty.id).unwrap_or(0) };
        match u32::try_from(value) {
            Ok(0) if named => {
                self.error(span, "a bit-field with a name has at least one bit", "");
                None
            }
            Ok(width) if width <= most => Some(width),
            _ => {
                let shown = self.unit.types.display(ty.id);
                self.error(span, format!("a bit-field of type `{shown}` has at most {most} bits, not {value}"), "");
                None
            }
        }
    }

    /// `_Static_assert`.
    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) {
        let condition = self.expr(assertion.condition);
        if let Some(0) = self.demand_integer(&condition, "the condition of a static assertion") {
            let message = match &assertion.message {
                Some(text) => format!("the static assertion fails: {text}"),
                None => "the static assertion fails".to_owned(),
            };
            self.error(assertion.span, message, "");
        }
    }
}
