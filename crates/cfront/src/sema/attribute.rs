//! Attributes that change what a declaration means. The parser has passed over harmless ones and refused unknown
//! ones; see `known_attributes`.

use super::Sema;
use super::convert::unsigned_of;
use super::types::{Ty, vector_name};
use crate::ast::{self, Attribute, SizeArg, Span};
use crate::hir::{DataModel, FloatKind, IntKind, TypeId, TypeKind};

/// What the attributes of a declaration say.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    /// `aligned(n)` and `_Alignas`; the strictest.
    pub align: Option<u32>,
    pub packed: bool,
    /// `mode(DI)` and the like, without underscores.
    pub mode: Option<(String, Span)>,
    /// Bytes of a vector.
    pub vector: Option<i128>,
    pub transparent: bool,
    pub noreturn: bool,
    pub returns_twice: bool,
    pub gnu_inline: bool,
    /// The function or variable that this one is another name of.
    pub alias: Option<(String, Span)>,
    /// `weak`: may be replaced by a definition elsewhere; without any definition the address may be null.
    pub weak: bool,
    /// `nonnull` with its positions, counted from one; none means all.
    pub nonnull: Option<Vec<i128>>,
    /// `const` or `pure`: a function without effects.
    pub effectless: Option<Span>,
    /// `cleanup(f)`, which runs code at the end of the block.
    pub cleanup: Option<Span>,
    /// `constructor` or `destructor`: code that runs outside `main`.
    pub outside_main: Option<Span>,
}

impl<'a> Sema<'a> {
    /// Reads several lists of attributes together.
    pub(super) fn attributes(&mut self, lists: &[&'a [Attribute]]) -> Attributes {
        let mut result = Attributes::default();
        for attribute in lists.iter().copied().flatten() {
            match attribute.name.as_str() {
                "aligned" => {
                    let align = match attribute.args.first() {
                        // The largest alignment any type needs.
                        None => Some(16),
                        Some(&arg) => {
                            let value = self.expr(arg);
                            let value = self.demand_integer(&value, "an alignment");
                            value.and_then(|value| self.valid_align(value, attribute.span))
                        }
                    };
                    result.align = result.align.max(align);
                }
                "packed" => result.packed = true,
                "mode" => {
                    if let Some(text) = attribute.args.first().and_then(|&arg| self.lone_name(arg)) {
                        result.mode = Some((text.trim_matches('_').to_owned(), attribute.span));
                    }
                }
                "vector_size" => {
                    if let Some(&arg) = attribute.args.first() {
                        let value = self.expr(arg);
                        result.vector = self.demand_integer(&value, "the size of a vector");
                    }
                }
                "transparent_union" => result.transparent = true,
                "noreturn" | "_Noreturn" => result.noreturn = true,
                "returns_twice" => result.returns_twice = true,
                "gnu_inline" => result.gnu_inline = true,
                "alias" | "weakref" => match attribute.args.first().and_then(|&arg| self.lone_string(arg)) {
                    Some(target) => result.alias = Some((target, attribute.span)),
                    None => self.unsupported(attribute.span, format!("attribute `{}` without a name", attribute.name)),
                },
                "weak" => result.weak = true,
                "const" | "pure" => result.effectless = Some(attribute.span),
                "nonnull" => {
                    let mut positions = result.nonnull.take().unwrap_or_default();
                    for &arg in &attribute.args {
                        let value = self.expr(arg);
                        positions.extend(self.demand_integer(&value, "the position of a parameter"));
                    }
                    result.nonnull = Some(positions);
                }
                "cleanup" => result.cleanup = Some(attribute.span),
                "constructor" | "destructor" => result.outside_main = Some(attribute.span),
                other => self.unsupported(attribute.span, format!("attribute `{other}`")),
            }
        }
        result
    }

    fn lone_name(&self, arg: ast::ExprId) -> Option<&'a str> {
        match self.ast.exprs[arg].kind {
            ast::ExprKind::Name(name) => Some(self.text(name)),
            _ => None,
        }
    }

    pub(super) fn lone_string(&self, arg: ast::ExprId) -> Option<String> {
        match &self.ast.exprs[arg].kind {
            ast::ExprKind::String { units, .. } => units.iter().map(|&unit| char::from_u32(unit)).collect(),
            _ => None,
        }
    }

    fn valid_align(&mut self, value: i128, span: Span) -> Option<u32> {
        match u32::try_from(value) {
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Some(align),
            Ok(0) => None,
            _ => {
                self.error(span, format!("an alignment must be a power of two, and {value} is not"), "");
                None
            }
        }
    }

    /// `_Alignas` specifiers; the strictest one counts.
    pub(super) fn align_as(&mut self, specifiers: &'a [SizeArg], span: Span) -> Option<u32> {
        let mut strictest = None;
        for specifier in specifiers {
            let align = match specifier {
                SizeArg::Type(name) => {
                    let ty = self.type_name(name);
                    (!self.is_error(ty.id)).then(|| ty.align.unwrap_or(self.unit.types.align_of(ty.id)))
                }
                SizeArg::Expr(id) => {
                    let value = self.expr(*id);
                    self.demand_integer(&value, "an alignment").and_then(|value| self.valid_align(value, span))
                }
            };
            strictest = strictest.max(align);
        }
        strictest
    }

    /// The type after `mode` and `vector_size`.
    pub(super) fn apply_type_attributes(&mut self, ty: Ty, attributes: &Attributes) -> Ty {
        let mut ty = ty;
        if let Some((mode, span)) = &attributes.mode {
            match self.mode_type(ty.id, mode) {
                Some(id) => ty.id = id,
                None => {
                    let shown = self.unit.types.display(ty.id);
                    self.error(*span, format!("`{shown}` has no machine mode `{mode}`"), "");
                }
            }
        }
        if let Some(bytes) = attributes.vector {
            ty.id = self.unit.types.intern(TypeKind::Unsupported(vector_name(bytes)));
        }
        ty
    }

    fn mode_type(&mut self, ty: TypeId, mode: &str) -> Option<TypeId> {
        let wide = self.unit.types.model == DataModel::Lp64;
        match *self.unit.types.kind(ty) {
            TypeKind::Int(_) => {
                let kind = match mode {
                    "QI" | "byte" => IntKind::SChar,
                    "HI" => IntKind::Short,
                    "SI" => IntKind::Int,
                    // On x86-64 both `long` and `long long` have this mode; gcc takes `long`.
                    "DI" if wide => IntKind::Long,
                    "DI" => IntKind::LongLong,
                    "TI" if wide => IntKind::Int128,
                    "word" | "pointer" | "unwind_word" => {
                        if wide {
                            IntKind::Long
                        } else {
                            IntKind::Int
                        }
                    }
                    _ => return None,
                };
                let kind = if self.unit.types.is_signed(ty) { kind } else { unsigned_of(kind) };
                Some(self.unit.types.int(kind))
            }
            TypeKind::Float(_) => {
                let kind = match mode {
                    "SF" => FloatKind::Float,
                    "DF" => FloatKind::Double,
                    "XF" => FloatKind::LongDouble,
                    "TF" => FloatKind::Quad,
                    _ => return None,
                };
                Some(self.unit.types.intern(TypeKind::Float(kind)))
            }
            _ => None,
        }
    }
}
