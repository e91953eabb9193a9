//! Initialisers: positional, designated, with and without all the braces, strings, ranges.

use super::Generator;
use super::effects::Effects;
use super::types::{Int, Type};

impl Generator {
    /// An initialiser for the type and what it reads. A constant one suits static objects.
    pub(crate) fn initialiser(&mut self, ty: &Type, constant: bool) -> (String, Effects) {
        match ty {
            Type::Int(_) => self.scalar_initialiser(constant),
            Type::Enum(index) => {
                let constants = self.enums[*index].constants.clone();
                (self.random.pick(&constants).0.clone(), Effects::NONE)
            }
            Type::Float | Type::Double => {
                let value = if constant { self.float_literal() } else { self.floating(1) };
                (value.argument(), value.effects)
            }
            Type::Struct(index) => self.struct_initialiser(*index, constant),
            Type::Union(index) => {
                let fields: Vec<_> = self.unions[*index].fields().into_iter().cloned().collect();
                let first = self.chance(50);
                let field = if first { fields[0].clone() } else { self.random.pick(&fields).clone() };
                let (value, effects) = self.initialiser(&field.ty, constant);
                let text = if first { format!("{{{value}}}") } else { format!("{{.{} = {value}}}", field.name) };
                (text, effects)
            }
            Type::Array(element, length) => self.array_initialiser(element, *length, constant),
            Type::Pointer(_) => panic!("pointers are initialised where their targets are known"),
        }
    }

    fn scalar_initialiser(&mut self, constant: bool) -> (String, Effects) {
        let value = if constant { self.constant(2) } else { self.pure_integer(2) };
        let text = value.argument();
        if self.chance(3) { (format!("{{{text}}}"), value.effects) } else { (text, value.effects) }
    }

    fn struct_initialiser(&mut self, index: usize, constant: bool) -> (String, Effects) {
        let record = self.structs[index].clone();
        let fields = record.fields();
        let designated = record.has_anonymous_part() || self.chance(35);
        let mut effects = Effects::NONE;
        let mut parts = Vec::new();
        // The rest becomes zero. Without designators it is the tail that is left out.
        let shown = if self.chance(70) { fields.len() } else { 1 + self.random.below(fields.len() as u64) as usize };
        for field in &fields[..shown] {
            if designated && self.chance(20) {
                continue;
            }
            let (value, more) = self.initialiser(&field.ty, constant);
            effects = effects.and(more);
            if designated {
                // Once in a while the old spelling, `name: value`.
                let old = self.chance(5);
                parts.push(if old { format!("{}: {value}", field.name) } else { format!(".{} = {value}", field.name) });
            } else {
                parts.push(value);
            }
        }
        if designated && parts.len() > 1 && self.chance(40) {
            let last = parts.len() - 1;
            parts.swap(0, last);
        }
        if parts.is_empty() {
            let (value, more) = self.initialiser(&fields[0].ty, constant);
            effects = effects.and(more);
            parts.push(format!(".{} = {value}", fields[0].name));
        }
        (format!("{{{}}}", parts.join(", ")), effects)
    }

    fn array_initialiser(&mut self, element: &Type, length: u32, constant: bool) -> (String, Effects) {
        if matches!(element, Type::Int(Int::Char | Int::SChar | Int::UChar)) && self.features.strings && self.chance(50)
        {
            let (text, _) = self.string(length);
            return (if self.chance(20) { format!("{{{text}}}") } else { text }, Effects::NONE);
        }
        let mut effects = Effects::NONE;
        let mut parts = Vec::new();
        let shown = if self.chance(60) { length } else { 1 + self.random.below(u64::from(length)) as u32 };
        let mut position = 0;
        while position < shown {
            let (value, more) = self.initialiser(element, constant);
            effects = effects.and(more);
            // Braces around an inner array may be left out when everything inside is given.
            if let Type::Array(inner, inner_length) = element
                && matches!(**inner, Type::Int(_))
                && self.chance(20)
            {
                let mut flat = Vec::new();
                for _ in 0..*inner_length {
                    let scalar = if constant { self.constant(1) } else { self.pure_integer(1) };
                    effects = effects.and(scalar.effects);
                    flat.push(scalar.argument());
                }
                // Elided braces go with positions, not designators.
                parts.push(flat.join(", "));
                position += 1;
                continue;
            }
            match self.random.below(12) {
                0 => {
                    position = self.random.below(u64::from(length)) as u32;
                    parts.push(format!("[{position}] = {value}"));
                }
                1 if constant && position + 1 < length => {
                    let last = position + self.random.below(u64::from(length - position)) as u32;
                    parts.push(format!("[{position} ... {last}] = {value}"));
                    position = last;
                }
                _ => parts.push(value),
            }
            position += 1;
            if parts.len() > 40 {
                break;
            }
        }
        let comma = if self.chance(15) { "," } else { "" };
        (format!("{{{}{comma}}}", parts.join(", ")), effects)
    }
}
