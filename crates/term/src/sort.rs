//! Sorts: what kind of value a term stands for.

use base::define_id;

use crate::store::Terms;

define_id!(Sort, "An interned sort; equal handles, equal sorts.");

/// What a [`Sort`] handle stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SortKind {
    /// Truth values.
    Bool,
    /// Bit-vectors of this many bits, at least one.
    BitVec(u32),
    /// Total maps from the first sort to the second.
    Array(Sort, Sort),
    /// A sort of which only equality is known.
    Uninterpreted(String),
    /// Mathematical integers; operators are only ever read as uninterpreted.
    Int,
    /// Real numbers; operators are only ever read as uninterpreted.
    Real,
    /// IEEE 754 with this many exponent and significand bits (the hidden bit counted), as SMT-LIB
    /// writes it: `(_ FloatingPoint 8 24)` is C's `float`. Only ever read as uninterpreted.
    Float(u32, u32),
}

impl Terms {
    /// The sort as SMT-LIB writes it.
    pub fn sort_text(&self, sort: Sort) -> String {
        let mut text = String::new();
        self.write_sort(&mut text, sort, &|text, name| text.push_str(&quoted(name)));
        text
    }
    /// The sort as SMT-LIB writes it, with names as `write_name` writes them.
    pub fn write_sort(&self, text: &mut String, sort: Sort, write_name: &dyn Fn(&mut String, &str)) {
        // Sorts nest as deep as the input says, so this walks with a list of its own.
        enum Step {
            Sort(Sort),
            Text(&'static str),
        }
        let mut steps = vec![Step::Sort(sort)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Text(part) => text.push_str(part),
                Step::Sort(sort) => match self.sort_kind(sort) {
                    SortKind::Bool => text.push_str("Bool"),
                    SortKind::Int => text.push_str("Int"),
                    SortKind::Real => text.push_str("Real"),
                    SortKind::BitVec(width) => text.push_str(&format!("(_ BitVec {width})")),
                    SortKind::Float(exponent, significand) => {
                        text.push_str(&format!("(_ FloatingPoint {exponent} {significand})"));
                    }
                    SortKind::Uninterpreted(name) => write_name(text, name),
                    &SortKind::Array(index, element) => {
                        text.push_str("(Array ");
                        steps.extend([Step::Text(")"), Step::Sort(element), Step::Text(" "), Step::Sort(index)]);
                    }
                },
            }
        }
    }
}

/// The name as an SMT-LIB symbol, between bars where it needs them.
pub(crate) fn quoted(name: &str) -> std::borrow::Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let simple = !name.is_empty()
        && name.chars().all(plain)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !RESERVED.contains(&name);
    if simple { name.into() } else { format!("|{name}|").into() }
}

/// Words that are no plain symbols.
const RESERVED: &[&str] = &[
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
];
