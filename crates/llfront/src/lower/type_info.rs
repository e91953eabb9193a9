//! Which handlers of C++ fit an exception, by the descriptions of types (`_ZTI…`).
//!
//! A handler fits an exception of the same type, of a class that has the handler's class as an unambiguous public base, and of a pointer that converts to
//! the handler's pointer type: by qualifiers, to `void *`, to a pointer to such a base. Bases are constants of the module; those of the standard
//! exceptions are defined in the library and known here. Virtual bases are refused, since where they lie depends on the object.
//!
//! The names are those of the Itanium C++ ABI, sections 2.9.5 and 5.1.

use crate::ir::{Type, Value};
use crate::parse::Definition;

use super::{Lowered, Lowering};

/// How a handler sees an exception.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct View {
    /// Where in the object the base class lies.
    pub offset: u64,
    /// Whether the exception is a pointer, which the handler gets instead of its address.
    pub is_pointer: bool,
}

/// A direct base of a class.
#[derive(Clone, Copy)]
pub(super) struct Base<'s> {
    pub description: &'s str,
    pub offset: u64,
    pub is_public: bool,
    pub is_virtual: bool,
}

/// In front of the name of a type, that of its description.
pub(super) const DESCRIPTION: &str = "_ZTI";
// law: classes nest only as deep as the module defines them; a cycle is malformed.
/// Deeper hierarchies of classes are refused.
pub(super) const MAX_CLASS_DEPTH: usize = 64;

/// Classes of the standard library with their base.
const STANDARD: &[(&str, &str)] = &[
    ("_ZTISt9exception", ""),
    ("_ZTISt9bad_alloc", "_ZTISt9exception"),
    ("_ZTISt20bad_array_new_length", "_ZTISt9bad_alloc"),
    ("_ZTISt8bad_cast", "_ZTISt9exception"),
    ("_ZTISt10bad_typeid", "_ZTISt9exception"),
    ("_ZTISt13bad_exception", "_ZTISt9exception"),
    ("_ZTISt12bad_weak_ptr", "_ZTISt9exception"),
    ("_ZTISt17bad_function_call", "_ZTISt9exception"),
    ("_ZTISt19bad_optional_access", "_ZTISt9exception"),
    ("_ZTISt18bad_variant_access", "_ZTISt9exception"),
    ("_ZTISt12bad_any_cast", "_ZTISt8bad_cast"),
    ("_ZTISt11logic_error", "_ZTISt9exception"),
    ("_ZTISt12domain_error", "_ZTISt11logic_error"),
    ("_ZTISt16invalid_argument", "_ZTISt11logic_error"),
    ("_ZTISt12length_error", "_ZTISt11logic_error"),
    ("_ZTISt12out_of_range", "_ZTISt11logic_error"),
    ("_ZTISt13runtime_error", "_ZTISt9exception"),
    ("_ZTISt11range_error", "_ZTISt13runtime_error"),
    ("_ZTISt14overflow_error", "_ZTISt13runtime_error"),
    ("_ZTISt15underflow_error", "_ZTISt13runtime_error"),
    ("_ZTISt12system_error", "_ZTISt13runtime_error"),
];

impl<'s> Lowering<'_, 's, '_> {
    /// How a handler of the type (`None`: of everything) sees an exception; nothing if it does not fit.
    pub(super) fn view(&mut self, thrown: &'s str, wanted: Option<&'s str>) -> Lowered<Option<View>> {
        let type_of = |description: &'s str| {
            description.strip_prefix(DESCRIPTION).ok_or(format!("exception with the type description `{description}`"))
        };
        let own = type_of(thrown)?;
        let Some(wanted) = wanted else { return Ok(Some(View::default())) };
        let other = type_of(wanted)?;
        if own == other {
            return Ok(Some(View { offset: 0, is_pointer: own.starts_with('P') || own == "Dn" }));
        }
        let pointer = View { offset: 0, is_pointer: true };
        if own == "Dn" {
            return Ok(other.starts_with('P').then_some(pointer));
        }
        let (Some(own), Some(other)) = (own.strip_prefix('P'), other.strip_prefix('P')) else {
            if own.starts_with('P') || other.starts_with('P') {
                return Ok(None);
            }
            let offset = self.base_offset(thrown, wanted)?;
            return Ok(offset.map(|offset| View { offset, is_pointer: false }));
        };
        let is_qualifier = |c: char| matches!(c, 'r' | 'V' | 'K');
        let (from, to) = (own.trim_start_matches(is_qualifier), other.trim_start_matches(is_qualifier));
        let (lost, gained) = (&own[..own.len() - from.len()], &other[..other.len() - to.len()]);
        if !lost.chars().all(|one| gained.contains(one)) {
            return Ok(None);
        }
        if from == to || to == "v" && !from.starts_with(['F', 'D']) {
            return Ok(Some(pointer));
        }
        let is_compound = |name: &str| name.starts_with(['P', 'M', 'A', 'F', 'D']);
        if is_compound(from) && is_compound(to) {
            return Err("exception that is a pointer to a pointer or function, caught as another type".to_owned());
        }
        let named = |name: &str| self.module.global_name(&format!("{DESCRIPTION}{name}"));
        let (Some(from), Some(to)) = (named(from), named(to)) else {
            let is_class =
                |name: &str| name.starts_with(['N', 'S', 'Z']) || name.starts_with(|c: char| c.is_ascii_digit());
            return match is_class(from) && is_class(to) {
                // The description of a pointer leads to the one of its class; without it the bases are not known.
                true => Err(format!("exception that is a pointer to `{from}`, whose bases the module does not say")),
                false => Ok(None),
            };
        };
        match self.base_offset(from, to)? {
            Some(0) => Ok(Some(pointer)),
            Some(_) => {
                Err("exception that is a pointer, caught as a pointer to a base class that is not the first".to_owned())
            }
            None => Ok(None),
        }
    }
    /// Where the base lies in an object of the class, if it is public and unambiguous.
    fn base_offset(&mut self, class: &'s str, base: &'s str) -> Lowered<Option<u64>> {
        let mut found: Vec<(u64, bool)> = Vec::new();
        let mut work = vec![(class, 0u64, true, false, 0usize)];
        while let Some((description, offset, is_public, is_virtual, depth)) = work.pop() {
            if depth > MAX_CLASS_DEPTH || found.len() > MAX_CLASS_DEPTH {
                return Err("exception of a class with too many bases".to_owned());
            }
            if description == base {
                if is_virtual {
                    return Err(format!("exception of the class `{}` with a virtual base", type_name(class)));
                }
                found.push((offset, is_public));
                continue;
            }
            for one in self.bases(description)? {
                let offset = offset.wrapping_add(one.offset);
                work.push((
                    one.description,
                    offset,
                    is_public && one.is_public,
                    is_virtual || one.is_virtual,
                    depth + 1,
                ));
            }
        }
        Ok(match found[..] {
            [(offset, true)] => Some(offset),
            _ => None,
        })
    }
    /// The direct bases of a class. Other types have none.
    pub(super) fn bases(&mut self, description: &'s str) -> Lowered<Vec<Base<'s>>> {
        if let Some(&(_, base)) = STANDARD.iter().find(|one| one.0 == description) {
            let base =
                (!base.is_empty()).then_some(Base { description: base, offset: 0, is_public: true, is_virtual: false });
            return Ok(base.into_iter().collect());
        }
        let name = description.strip_prefix(DESCRIPTION).unwrap_or(description);
        let is_builtin = name.len() == 1 || name.starts_with('D') && name.len() == 2;
        let init = match self.definition(description) {
            Some(Definition::Variable(global)) => global.init,
            _ => None,
        };
        let Some(Value::Aggregate(parts)) = init else {
            return match is_builtin || name.starts_with('P') {
                true => Ok(Vec::new()),
                false => {
                    Err(format!("exception of the class `{}`, which is defined elsewhere", type_name(description)))
                }
            };
        };
        let kind = parts.first().and_then(|part| part.value.global()).unwrap_or("");
        let base_at = |index: usize| parts.get(index).and_then(|part: &crate::ir::Typed<'s>| part.value.global());
        let number_at = |index: usize| parts.get(index).and_then(super::aggregate::constant);
        match kind {
            "_ZTVN10__cxxabiv117__class_type_infoE" | "_ZTVN10__cxxabiv116__enum_type_infoE" => Ok(Vec::new()),
            "_ZTVN10__cxxabiv120__si_class_type_infoE" => {
                let description = base_at(2).ok_or("description of a class without its base")?;
                Ok(vec![Base { description, offset: 0, is_public: true, is_virtual: false }])
            }
            "_ZTVN10__cxxabiv121__vmi_class_type_infoE" => {
                let count = number_at(3).ok_or("description of a class without its bases")?;
                let mut bases = Vec::new();
                for index in 0..count.min(1 << 16) as usize {
                    let description = base_at(4 + 2 * index).ok_or("description of a class without its base")?;
                    let flags = number_at(5 + 2 * index).ok_or("description of a base without flags")?;
                    let signed = i64::from_le_bytes(flags.to_le_bytes());
                    bases.push(Base {
                        description,
                        offset: (signed >> 8) as u64,
                        is_public: flags & 2 != 0,
                        is_virtual: flags & 1 != 0,
                    });
                }
                Ok(bases)
            }
            _ => Ok(Vec::new()),
        }
    }
    /// The type of addresses.
    pub(super) fn pointer_type(&mut self) -> crate::ir::TypeId {
        self.shapes.types.id(Type::Pointer)
    }
}

/// The type of what `std::__throw_…` throws, and a conversion of a reference or a `typeid` that fails.
pub(super) fn thrown_by_library(name: &str) -> Option<&'static str> {
    match name {
        "__cxa_bad_cast" => return Some("_ZTISt8bad_cast"),
        "__cxa_bad_typeid" => return Some("_ZTISt10bad_typeid"),
        _ => {}
    }
    let (_, class) = name.strip_prefix("_ZSt")?.split_once("__throw_")?;
    let fits = |description: &&str| {
        let own = description.trim_start_matches("_ZTISt").trim_start_matches(|c: char| c.is_ascii_digit());
        class.strip_prefix(own).is_some_and(|rest| rest == "v" || rest.starts_with("PKc") || rest.starts_with("_fmt"))
    };
    STANDARD.iter().map(|one| one.0).find(fits)
}

/// The type of a description, for users: exact for builtin types, pointers to them and names.
pub(super) fn type_name(description: &str) -> String {
    let name = description.strip_prefix(DESCRIPTION).unwrap_or(description);
    read_type(name).unwrap_or_else(|| name.to_owned())
}

fn read_type(name: &str) -> Option<String> {
    if let Some(pointee) = name.strip_prefix('P') {
        return Some(format!("{} *", read_type(pointee)?));
    }
    if let Some(rest) = name.strip_prefix('K') {
        return Some(format!("const {}", read_type(rest)?));
    }
    let builtin = match name {
        "v" => "void",
        "b" => "bool",
        "c" => "char",
        "a" => "signed char",
        "h" => "unsigned char",
        "s" => "short",
        "t" => "unsigned short",
        "i" => "int",
        "j" => "unsigned",
        "l" => "long",
        "m" => "unsigned long",
        "x" => "long long",
        "y" => "unsigned long long",
        "f" => "float",
        "d" => "double",
        "e" => "long double",
        "Dn" => "std::nullptr_t",
        _ => "",
    };
    if !builtin.is_empty() {
        return Some(builtin.to_owned());
    }
    let (prefix, mut rest) = match (name.strip_prefix("St"), name.strip_prefix('N')) {
        (Some(rest), _) => ("std::", rest),
        (None, Some(inner)) => {
            let inner = inner.strip_suffix('E')?;
            inner.strip_prefix("St").map_or(("", inner), |rest| ("std::", rest))
        }
        (None, None) => ("", name),
    };
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest.get(..digits)?.parse().ok()?;
        parts.push(rest.get(digits..digits.checked_add(length)?)?);
        rest = &rest[digits + length..];
    }
    (!parts.is_empty()).then(|| format!("{prefix}{}", parts.join("::")).replace("_GLOBAL__N_1", "(anonymous)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_are_read() {
        for (description, name) in [
            ("_ZTIi", "int"),
            ("_ZTIPKc", "const char *"),
            ("_ZTI3Own", "Own"),
            ("_ZTISt13runtime_error", "std::runtime_error"),
            ("_ZTIN1a2bcE", "a::bc"),
            ("_ZTINSt3abc1dE", "std::abc::d"),
            ("_ZTI99x", "99x"),
            ("_ZTI1AIiE", "1AIiE"),
        ] {
            assert_eq!(type_name(description), name);
        }
    }
}
