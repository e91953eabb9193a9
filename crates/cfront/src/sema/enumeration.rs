//! Enums: their type and their enumerators.
//!
//! An enum is its underlying integer type. That is chosen as gcc does, or stands in the source (C23).

use super::Sema;
use super::scope::{Symbol, Tag};
use super::specifier::Stands;
use super::types::Ty;
use crate::ast::{self, Name, Span, Specifiers};
use crate::hir::{IntKind, TypeId};

impl<'a> Sema<'a> {
    pub(super) fn enum_type(&mut self, id: ast::EnumId, stands: Stands) -> TypeId {
        let ast = self.ast;
        let spec = &ast.enums[id];
        let fixed = spec.underlying.as_ref().map(|specifiers| self.underlying_type(specifiers));
        let Some(enumerators) = &spec.enumerators else {
            let Some(tag) = spec.tag else { return self.basic.uint };
            if let Some(fixed) = fixed {
                return self.declare_fixed_enum(tag, fixed, spec.span);
            }
            let known = if stands == Stands::Alone { self.scopes.tag_here(tag) } else { self.scopes.tag(tag) };
            return match known {
                Some(Tag::Enum(ty)) => ty.unwrap_or(self.basic.uint),
                Some(Tag::FixedEnum(ty)) => ty,
                Some(Tag::Record(_)) => {
                    let text = self.text(tag);
                    self.error(spec.span, format!("the tag `{text}` was declared as another kind of type"), "");
                    self.basic.error
                }
                None => {
                    // GNU C lets an enum be mentioned before it is defined.
                    self.scopes.bind_tag(tag, Tag::Enum(None));
                    self.basic.uint
                }
            };
        };
        if let Some(tag) = spec.tag
            && matches!(self.scopes.tag_here(tag), Some(Tag::Enum(Some(_)) | Tag::Record(_)))
        {
            let text = self.text(tag);
            self.error(spec.span, format!("the tag `{text}` is defined twice"), "");
        }
        if let (Some(tag), Some(fixed)) = (spec.tag, fixed) {
            self.declare_fixed_enum(tag, fixed, spec.span);
        }
        let attributes = self.attributes(&[&spec.attributes]);
        let ty = match fixed {
            Some(fixed) => self.fixed_enumerators(enumerators, fixed),
            None => self.enumerators(enumerators, attributes.packed),
        };
        let ty = self.apply_type_attributes(Ty::plain(ty), &attributes).id;
        if let Some(tag) = spec.tag {
            self.scopes.bind_tag(tag, Tag::Enum(Some(ty)));
        }
        ty
    }

    /// The type behind the `:` of an enum (C23).
    fn underlying_type(&mut self, specifiers: &'a Specifiers) -> TypeId {
        let ty = self.specifiers(specifiers, Stands::BeforeDeclarators).id;
        if self.unit.types.is_integer(ty) || self.is_error(ty) {
            return ty;
        }
        let text = self.unit.types.display(ty);
        self.error(specifiers.span, format!("an enum cannot have the type `{text}`"), "");
        self.basic.error
    }

    /// The tag of an enum with a fixed type, which may be declared any number of times.
    fn declare_fixed_enum(&mut self, tag: Name, fixed: TypeId, span: Span) -> TypeId {
        match self.scopes.tag_here(tag) {
            None => self.scopes.bind_tag(tag, Tag::FixedEnum(fixed)),
            Some(Tag::FixedEnum(before) | Tag::Enum(Some(before))) if before == fixed => {}
            Some(_) => {
                let text = self.text(tag);
                self.error(span, format!("the tag `{text}` was declared as another kind of type"), "");
            }
        }
        fixed
    }

    /// Binds the enumerators of an enum with a fixed type: they have this type.
    fn fixed_enumerators(&mut self, enumerators: &'a [(Name, Option<ast::ExprId>, Span)], fixed: TypeId) -> TypeId {
        let mut next: i128 = 0;
        for &(name, value, span) in enumerators {
            if let Some(value) = value {
                let value = self.expr(value);
                next = self.demand_integer(&value, "the value of an enumerator").unwrap_or(next);
            }
            let text = self.text(name);
            if self.scopes.lookup_here(name).is_some() {
                self.error(span, format!("`{text}` is declared twice"), "");
            }
            if !self.is_error(fixed) && self.convert_integer(next, fixed) != next {
                let ty = self.unit.types.display(fixed);
                self.error(span, format!("the value {next} of `{text}` does not fit into `{ty}`"), "");
            }
            self.bind(name, Symbol::Enumerator(next, fixed), span);
            next = next.wrapping_add(1);
        }
        fixed
    }

    /// Binds the enumerators; returns the type of the enum, chosen as gcc does.
    fn enumerators(&mut self, enumerators: &'a [(Name, Option<ast::ExprId>, Span)], packed: bool) -> TypeId {
        let mut next: i128 = 0;
        let (mut least, mut most) = (0, 0);
        let mut values = Vec::with_capacity(enumerators.len());
        for &(name, value, span) in enumerators {
            let mut own = None;
            if let Some(value) = value {
                let value = self.expr(value);
                if let Some(number) = self.demand_integer(&value, "the value of an enumerator") {
                    next = number;
                    own = Some(value.ty);
                }
            }
            if let Some((_, _)) = self.scopes.lookup_here(name) {
                let text = self.text(name);
                self.error(span, format!("`{text}` is declared twice"), "");
            }
            let fits = i32::try_from(next).is_ok();
            let ty = match own {
                _ if fits => self.basic.int,
                Some(ty) => ty,
                None => self.integer_type_for(next.min(0), next.max(0)),
            };
            self.bind(name, Symbol::Enumerator(next, ty), span);
            values.push((name, next, span, fits));
            (least, most) = (least.min(next), most.max(next));
            next = next.wrapping_add(1);
        }
        let ty = if packed { self.narrowest_type(least, most) } else { self.integer_type_for(least, most) };
        for (name, value, span, fits) in values {
            if !fits {
                self.bind(name, Symbol::Enumerator(value, ty), span);
            }
        }
        ty
    }

    /// `unsigned` or `int` if that is enough, else 64 bits.
    fn integer_type_for(&mut self, least: i128, most: i128) -> TypeId {
        let wide = self.unit.types.pointer_width() == 64;
        if least >= 0 {
            if most <= i128::from(u32::MAX) {
                self.basic.uint
            } else if wide {
                self.basic.ulong
            } else {
                self.basic.ulonglong
            }
        } else if least >= i128::from(i32::MIN) && most <= i128::from(i32::MAX) {
            self.basic.int
        } else if wide {
            self.basic.long
        } else {
            self.basic.longlong
        }
    }

    fn narrowest_type(&mut self, least: i128, most: i128) -> TypeId {
        let kinds = if least < 0 {
            [
                (IntKind::SChar, i128::from(i8::MIN), i128::from(i8::MAX)),
                (IntKind::Short, i128::from(i16::MIN), i128::from(i16::MAX)),
            ]
        } else {
            [(IntKind::UChar, 0, i128::from(u8::MAX)), (IntKind::UShort, 0, i128::from(u16::MAX))]
        };
        for (kind, low, high) in kinds {
            if least >= low && most <= high {
                return self.unit.types.int(kind);
            }
        }
        self.integer_type_for(least, most)
    }
}
