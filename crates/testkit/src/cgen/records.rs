//! Enumerations, structs and unions, and the functions that fold them into the checksum.
//!
//! Members of one union have equal sizes and no padding, so that any member may be read after any
//! other was written.

use super::Generator;
use super::types::{Enumeration, Field, Int, Item, Record, Type};
use cfront::DataModel;

impl Generator {
    pub(crate) fn declare_enums(&mut self) {
        if !self.features.enums {
            return;
        }
        for _ in 0..self.random.between(1, 2) {
            let tag = self.global_name("e");
            let mut constants = Vec::new();
            let mut texts = Vec::new();
            let mut next: i64 = 0;
            for _ in 0..self.random.between(1, 5) {
                let name = self.global_name("E");
                if self.chance(40) {
                    next = match self.random.below(4) {
                        0 => self.random.between(-20, 20),
                        1 => self.random.between(-40_000, 40_000),
                        2 => *self.random.pick(&[i64::from(i32::MAX) - 10, i64::from(i32::MIN), 255, 256, -1]),
                        _ => next + 1,
                    };
                    texts.push(format!("{name} = {next}"));
                } else {
                    texts.push(name.clone());
                }
                constants.push((name, next));
                next += 1;
            }
            self.line(format!("enum {tag} {{ {} }};", texts.join(", ")));
            self.enums.push(Enumeration { name: format!("enum {tag}"), constants });
        }
    }

    pub(crate) fn declare_records(&mut self) {
        if self.features.structs {
            for _ in 0..self.random.between(1, 4) {
                self.declare_struct();
            }
        }
        if self.features.unions {
            for _ in 0..self.random.between(1, 2) {
                self.declare_union();
            }
            if self.features.structs && self.chance(50) {
                self.declare_struct();
            }
        }
    }

    fn declare_struct(&mut self) {
        let mut items = Vec::new();
        for _ in 0..self.random.between(1, 7) {
            let item = match self.random.below(20) {
                0..6 if self.features.bit_fields => self.bit_field(),
                6 if self.features.bit_fields => {
                    let kind = *self.random.pick(&[Int::Int, Int::UInt, Int::UChar, Int::ULLong]);
                    let bits = if self.chance(50) { 0 } else { self.random.below(8) as u32 };
                    Item::Unnamed(kind, bits)
                }
                7 => {
                    let n = self.random.between(1, 3);
                    Item::Anonymous((0..n).map(|_| self.scalar_field()).collect())
                }
                _ => Item::Field(self.field()),
            };
            items.push(item);
        }
        // A struct without named members is not C.
        if items.iter().all(|item| matches!(item, Item::Unnamed(..))) {
            items.push(Item::Field(self.scalar_field()));
        }
        let packed = self.features.packed && self.chance(25);
        let record = self.write_record("struct", items, packed);
        self.structs.push(record);
        self.define_fold(self.structs.len() - 1);
    }

    fn bit_field(&mut self) -> Item {
        let mut kinds = self.features.ints.clone();
        kinds.retain(|k| !matches!(k, Int::Int128 | Int::UInt128));
        kinds.extend([Int::Int, Int::UInt]);
        let kind = *self.random.pick(&kinds);
        let most = if kind == Int::Bool { 1 } else { kind.bits(self.model()) };
        let bits = 1 + self.random.below(u64::from(most)) as u32;
        let name = self.local_name("b");
        Item::Field(Field { name, ty: Type::Int(kind), bits: Some(bits) })
    }

    fn scalar_field(&mut self) -> Field {
        let ty = self.scalar_type();
        Field { name: self.local_name("m"), ty, bits: None }
    }

    fn field(&mut self) -> Field {
        let ty = match self.random.below(12) {
            0 | 1 if !self.structs.is_empty() => Type::Struct(self.random.below(self.structs.len() as u64) as usize),
            2 if !self.unions.is_empty() => Type::Union(self.random.below(self.unions.len() as u64) as usize),
            3 | 4 if self.features.arrays => self.array_type(),
            _ => self.scalar_type(),
        };
        Field { name: self.local_name("m"), ty, bits: None }
    }

    /// An integer, floating or enumeration type.
    pub(crate) fn scalar_type(&mut self) -> Type {
        if self.features.floats && self.chance(15) {
            return if self.chance(50) { Type::Float } else { Type::Double };
        }
        if !self.enums.is_empty() && self.chance(10) {
            return Type::Enum(self.random.below(self.enums.len() as u64) as usize);
        }
        Type::Int(*self.random.pick(&self.features.ints))
    }

    pub(crate) fn array_type(&mut self) -> Type {
        let element = match self.random.below(8) {
            0 if !self.structs.is_empty() => Type::Struct(self.random.below(self.structs.len() as u64) as usize),
            1 => Type::Array(Box::new(self.scalar_type()), 1 + self.random.below(4) as u32),
            _ => self.scalar_type(),
        };
        let length = *self.random.pick(&[1, 2, 3, 4, 4, 5, 7, 8, 8, 16]);
        Type::Array(Box::new(element), length)
    }

    fn declare_union(&mut self) {
        let bytes = *self.random.pick(&[1u32, 2, 4, 8]);
        let model = self.model();
        let mut items = Vec::new();
        for _ in 0..self.random.between(2, 4) {
            let parts = *self.random.pick(&[1, 1, 2, 4]);
            let parts = if bytes.is_multiple_of(parts) { parts } else { 1 };
            let wanted = bytes / parts * 8;
            let kinds: Vec<Int> = Int::ALL.into_iter().filter(|k| *k != Int::Bool && k.bits(model) == wanted).collect();
            let element = Type::Int(*self.random.pick(&kinds));
            let ty = if parts == 1 { element } else { Type::Array(Box::new(element), parts) };
            items.push(Item::Field(Field { name: self.local_name("m"), ty, bits: None }));
        }
        let record = self.write_record("union", items, false);
        self.unions.push(record);
    }

    fn write_record(&mut self, keyword: &str, items: Vec<Item>, packed: bool) -> Record {
        let tag = self.global_name(if keyword == "union" { "u" } else { "s" });
        let attribute = if packed { " __attribute__((packed))" } else { "" };
        // Four spellings of the same: the attribute before or after, a name by tag or by typedef.
        let by_typedef = self.chance(30);
        let (first, last) = if packed && self.chance(50) { (attribute, "") } else { ("", attribute) };
        let opening = if by_typedef { format!("typedef {keyword}") } else { keyword.to_owned() };
        let shown_tag = if by_typedef && self.chance(60) { String::new() } else { format!(" {tag}") };
        self.open(format!("{opening}{first}{shown_tag} {{"));
        for item in &items {
            match item {
                Item::Field(field) => self.write_field(field),
                Item::Unnamed(kind, bits) => self.line(format!("{} : {bits};", kind.name())),
                Item::Anonymous(fields) => {
                    self.open("struct {");
                    for field in fields {
                        self.write_field(field);
                    }
                    self.close("};");
                }
            }
        }
        let name = if by_typedef {
            let alias = format!("{tag}_t");
            self.close(format!("}}{last} {alias};"));
            alias
        } else {
            self.close(format!("}}{last};"));
            format!("{keyword} {tag}")
        };
        Record { name, items, packed }
    }

    fn write_field(&mut self, field: &Field) {
        let declared = self.declared(&field.ty, &field.name);
        match field.bits {
            Some(bits) => self.line(format!("{declared} : {bits};")),
            None => self.line(format!("{declared};")),
        }
    }

    /// How this type is written around a name.
    pub(crate) fn declared(&mut self, ty: &Type, name: &str) -> String {
        match ty {
            Type::Int(kind) => format!("{} {name}", kind.spelled(self.random.bits())),
            Type::Float => format!("float {name}"),
            Type::Double => format!("double {name}"),
            Type::Enum(index) => format!("{} {name}", self.enums[*index].name),
            Type::Struct(index) => format!("{} {name}", self.structs[*index].name),
            Type::Union(index) => format!("{} {name}", self.unions[*index].name),
            Type::Pointer(inner) if matches!(**inner, Type::Array(..)) => self.declared(inner, &format!("(*{name})")),
            Type::Pointer(inner) => self.declared(inner, &format!("*{name}")),
            Type::Array(inner, length) => self.declared(inner, &format!("{name}[{length}]")),
        }
    }

    fn define_fold(&mut self, index: usize) {
        let record = self.structs[index].clone();
        let name = self.fold_name(index);
        self.line(format!("static void {name}({} s)", record.name));
        self.open("{");
        for field in record.fields() {
            self.fold(&format!("s.{}", field.name), &field.ty);
        }
        self.close("}");
    }

    fn fold_name(&self, index: usize) -> String {
        format!("{}fold_{index}", self.config.prefix)
    }

    /// Writes statements that fold the value of an object into the checksum.
    pub(crate) fn fold(&mut self, text: &str, ty: &Type) {
        let p = self.config.prefix.clone();
        match ty {
            Type::Int(Int::Int128 | Int::UInt128) => {
                self.line(format!("{p}mix({text}); {p}mix({text} >> 64);"));
            }
            Type::Int(_) | Type::Enum(_) => self.line(format!("{p}mix({text});")),
            Type::Float | Type::Double => {
                let name = self.local_name("d");
                // Where it is a number its bits count; a NaN is just that, and so is zero: the compiler
                // takes `(a ^ a) - (float)a` for `-(float)a`, which differs in the sign of zero.
                self.line(format!("{{ union {{ double d; unsigned long long u; }} {name}; {name}.d = {text};"));
                self.line(format!("  {p}mix({name}.d != {name}.d ? 77 : {name}.d ? {name}.u : 0); }}"));
            }
            Type::Struct(index) => {
                let name = self.fold_name(*index);
                self.line(format!("{name}({text});"));
            }
            Type::Union(index) => {
                let field = self.unions[*index].fields()[0].clone();
                self.fold(&format!("{text}.{}", field.name), &field.ty);
            }
            Type::Array(element, length) => {
                let name = self.local_name("i");
                self.open(format!("for (int {name} = 0; {name} < {length}; {name}++) {{"));
                self.fold(&format!("{text}[{name}]"), element);
                self.close("}");
            }
            Type::Pointer(target) => self.fold(&format!("(*{text})"), target),
        }
    }

    /// Bytes of a scalar, for copies of memory.
    pub(crate) fn scalar_bytes(&self, ty: &Type) -> u32 {
        match ty {
            Type::Float => 4,
            Type::Double => 8,
            Type::Pointer(_) => match self.model() {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 8,
            },
            other => self.int_of(other).bits(self.model()) / 8,
        }
    }
}
