//! Types of the source, from debug information, for reports: `ring.tail` instead of `bytes 16–23 of ring`.
//!
//! A node of a type becomes a row of [`SourceTypes`]. Members of base classes are members without a name, so that a path skips them; tuple
//! fields of Rust (`__0`) are numbers; variants of enumerations have no path, since their layout depends on a value.

use base::{FastMap, Id};
use program::{ObjectId, Program, Shown, SourceField, SourceKind, SourceType, SourceTypes, TypeNumber, Var};

use crate::debug::{Debug, field, number, text};

// law: compilers nest arrays in this many dimensions at most.
const MAX_DIMENSIONS: usize = 16;

/// Objects and variables with the nodes of their types.
#[derive(Default, Debug)]
pub struct Typed {
    objects: Vec<(ObjectId, u32)>,
    vars: Vec<(Var, u32)>,
}

impl Typed {
    /// The object is the variable of this node.
    pub fn object(&mut self, object: ObjectId, ty: Option<u32>) {
        self.objects.extend(ty.map(|ty| (object, ty)));
    }
    /// The program's variable is the variable of this node.
    pub fn var(&mut self, var: Var, ty: Option<u32>) {
        self.vars.extend(ty.map(|ty| (var, ty)));
    }
    /// Fills the table of types of the program.
    pub fn describe(self, debug: &Debug<'_, '_>, is_rust: bool, program: &mut Program) {
        let mut table = Table { debug, is_rust, types: SourceTypes::default(), known: FastMap::new() };
        table.types.objects = vec![None; program.objects.len()];
        table.types.vars = vec![None; program.vars.len()];
        for (object, ty) in self.objects {
            // A wrong size would name wrong members.
            let ty = table.number(ty);
            let fits = table.types.get(ty).size == program.objects[object].size;
            table.types.objects[object.index()] = fits.then_some(ty);
        }
        for (var, ty) in self.vars {
            table.types.vars[var.index()] = Some(table.number(ty));
        }
        program.source_types = table.types;
    }
}

struct Table<'d, 'm, 's> {
    debug: &'d Debug<'m, 's>,
    is_rust: bool,
    types: SourceTypes,
    known: FastMap<u32, TypeNumber>,
}

impl<'s> Table<'_, '_, 's> {
    fn push(&mut self, size: u64, kind: SourceKind) -> TypeNumber {
        self.types.types.push(SourceType { size, kind });
        (self.types.types.len() - 1) as TypeNumber
    }
    /// The row of a type, made now if it is new.
    fn number(&mut self, node: u32) -> TypeNumber {
        let node = self.debug.unqualified(node);
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        // A structure may contain pointers to itself.
        let row = self.push(0, SourceKind::Other);
        self.known.insert(node, row);
        if let Some(text) = self.debug.node(node) {
            let bits = field(text, "size").and_then(|size| size.parse::<u64>().ok()).unwrap_or(0);
            let (size, kind) = self.kind(node, text, bits / 8);
            self.types.types[row as usize] = SourceType { size, kind };
        }
        row
    }
    fn kind(&mut self, id: u32, node: &'s str, size: u64) -> (u64, SourceKind) {
        let base = field(node, "baseType").and_then(number);
        let tag = field(node, "tag").unwrap_or("");
        let kind = match tag {
            "DW_TAG_pointer_type" | "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type" => {
                SourceKind::Pointer(base.map(|base| self.number(base)))
            }
            "DW_TAG_array_type" => match base {
                Some(base) => return self.array(node, base, size),
                None => SourceKind::Other,
            },
            "DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type" => {
                let name = field(node, "name").and_then(text).unwrap_or_default();
                SourceKind::Record(name, self.members(node))
            }
            "DW_TAG_enumeration_type" => {
                let shown = base.map_or(Shown::Unsigned, |base| self.debug.shown(base));
                SourceKind::Scalar { shown, is_char: false }
            }
            _ if node.contains("DIBasicType") => {
                let is_char = matches!(field(node, "encoding"), Some("DW_ATE_signed_char" | "DW_ATE_unsigned_char"))
                    && !self.is_rust;
                SourceKind::Scalar { shown: self.debug.shown(id), is_char }
            }
            _ => SourceKind::Other,
        };
        (size, kind)
    }
    /// An array of one or several dimensions. The whole size follows from the elements.
    fn array(&mut self, node: &'s str, base: u32, size: u64) -> (u64, SourceKind) {
        let mut element = self.number(base);
        let counts: Vec<u64> = self
            .elements(node)
            .into_iter()
            .filter_map(|one| field(self.debug.node(one)?, "count")?.parse().ok())
            .take(MAX_DIMENSIONS)
            .collect();
        for &count in counts.iter().skip(1).rev() {
            let row = self.types.get(element).size.saturating_mul(count);
            element = self.push(row, SourceKind::Array(element));
        }
        let count = counts.first().copied().unwrap_or(0);
        let whole = self.types.get(element).size.saturating_mul(count);
        (if size == 0 { whole } else { size }, SourceKind::Array(element))
    }
    fn members(&mut self, node: &'s str) -> Vec<SourceField> {
        let mut fields = Vec::new();
        for member in self.elements(node) {
            let Some(member) = self.debug.node(member) else { continue };
            let tag = field(member, "tag").unwrap_or("");
            let flags = field(member, "flags").unwrap_or("");
            if !matches!(tag, "DW_TAG_member" | "DW_TAG_inheritance") || flags.contains("StaticMember") {
                continue;
            }
            let Some(base) = field(member, "baseType").and_then(number) else { continue };
            let bits: u64 = field(member, "offset").and_then(|offset| offset.parse().ok()).unwrap_or(0);
            let name = field(member, "name").and_then(text).unwrap_or_default();
            let ty = self.number(base);
            fields.push(SourceField {
                name: self.field_name(name),
                offset: bits / 8,
                ty,
                is_bits: flags.contains("BitField"),
            });
        }
        fields
    }
    /// Fields of Rust's tuples have numbers.
    fn field_name(&self, name: String) -> String {
        match name.strip_prefix("__") {
            Some(digits) if self.is_rust && digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.to_owned(),
            _ => name,
        }
    }
    /// The nodes of a list of elements.
    fn elements(&self, node: &'s str) -> Vec<u32> {
        let list = field(node, "elements").and_then(number).and_then(|list| self.debug.node(list)).unwrap_or("");
        let inner = list.find('{').map_or("", |open| &list[open + 1..]);
        inner.trim_end_matches('}').split(',').filter_map(|one| number(one.trim())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path to `bytes` bytes at `offset` in the type of node `!0`.
    #[track_caller]
    fn check(text: &str, is_rust: bool, offset: u64, bytes: u64, expected: Option<&str>) {
        let module = crate::scan::scan(text).expect("it is a module");
        let debug = Debug::new(&module);
        let mut table = Table { debug: &debug, is_rust, types: SourceTypes::default(), known: FastMap::new() };
        let ty = table.number(0);
        assert_eq!(table.types.scalar_at(ty, offset, bytes).map(|one| one.0).as_deref(), expected);
    }

    const RING: &str = "!0 = !DICompositeType(tag: DW_TAG_structure_type, name: \"Ring\", size: 192, elements: !1)\n\
        !1 = !{!2, !3}\n\
        !2 = !DIDerivedType(tag: DW_TAG_member, name: \"data\", baseType: !5, size: 128)\n\
        !3 = !DIDerivedType(tag: DW_TAG_member, name: \"__1\", baseType: !6, size: 64, offset: 128)\n\
        !4 = !DIBasicType(name: \"u32\", size: 32, encoding: DW_ATE_unsigned)\n\
        !5 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 128, elements: !7)\n\
        !6 = !DIBasicType(name: \"usize\", size: 64, encoding: DW_ATE_unsigned)\n\
        !7 = !{!8, !9}\n!8 = !DISubrange(count: 2)\n!9 = !DISubrange(count: 2)\n";

    #[test]
    fn members_and_elements_have_paths() {
        check(RING, true, 4, 4, Some(".data[0][1]"));
        check(RING, true, 12, 4, Some(".data[1][1]"));
        check(RING, true, 16, 8, Some(".1"));
        check(RING, false, 16, 8, Some(".__1"));
        check(RING, true, 14, 4, None);
    }

    #[test]
    fn members_of_base_classes_are_members_and_static_ones_are_not() {
        let text = "!0 = distinct !DICompositeType(tag: DW_TAG_class_type, name: \"D\", size: 64, elements: !1)\n\
            !1 = !{!2, !3, !4}\n\
            !2 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !0, baseType: !5)\n\
            !3 = !DIDerivedType(tag: DW_TAG_member, name: \"count\", baseType: !7, flags: DIFlagStaticMember)\n\
            !4 = !DIDerivedType(tag: DW_TAG_member, name: \"next\", baseType: !8, size: 32, offset: 32)\n\
            !5 = !DICompositeType(tag: DW_TAG_structure_type, name: \"B\", size: 32, elements: !6)\n\
            !6 = !{!9}\n!7 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n\
            !8 = !DIDerivedType(tag: DW_TAG_typedef, name: \"number\", baseType: !7)\n\
            !9 = !DIDerivedType(tag: DW_TAG_member, name: \"id\", baseType: !7, size: 32)\n";
        check(text, false, 0, 4, Some(".id"));
        check(text, false, 4, 4, Some(".next"));
    }
}
