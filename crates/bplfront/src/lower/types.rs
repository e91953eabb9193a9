//! Types: what the names of types mean, and the sorts that stand for them.
//!
//! `bool` and `bv32` have sorts of the same meaning; `int` and `real` have sorts whose operators are only ever read as
//! uninterpreted. Maps from words to words are arrays. Everything else, other maps included, is an uninterpreted sort with the
//! type's text as its name.

use base::FastMap;
use term::{MAX_WIDTH, Sort, SortKind, Terms};

use super::Lowering;
use super::tables::Maps;
use crate::ast::{Name, Type, TypeKind};
use crate::tuning::Tuning;

/// A type, synonyms expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Bool,
    Int,
    Real,
    Bits(u32),
    Named(String, Vec<Ty>),
    Map(Vec<Ty>, Box<Ty>),
}

// law: counterexamples name cells by 64 bits.
/// Wider indices do not become arrays: counterexamples name cells by 64 bits.
const MAX_INDEX_WIDTH: u32 = 64;

/// The widths of the arguments side by side and of the value, if there are arguments and all consist of bits.
pub(super) fn table(args: &[Ty], result: &Ty) -> Option<(u32, u32)> {
    let mut index = 0u32;
    for arg in args {
        index = index.checked_add(arg.width()?)?;
    }
    (0 < index && index <= MAX_INDEX_WIDTH).then_some((index, result.width()?))
}

/// A declared type.
pub(super) struct TypeDecl {
    pub params: Vec<Name>,
    pub synonym: Option<Type>,
}

impl Ty {
    /// How the type reads.
    pub fn text(&self) -> String {
        match self {
            Ty::Bool => "bool".to_owned(),
            Ty::Int => "int".to_owned(),
            Ty::Real => "real".to_owned(),
            Ty::Bits(width) => format!("bv{width}"),
            Ty::Named(name, args) => {
                let mut text = name.clone();
                for arg in args {
                    let inner = arg.text();
                    let plain = !matches!(arg, Ty::Named(_, args) if !args.is_empty());
                    text.push_str(&if plain { format!(" {inner}") } else { format!(" ({inner})") });
                }
                text
            }
            Ty::Map(args, result) => {
                let args: Vec<String> = args.iter().map(Ty::text).collect();
                format!("[{}]{}", args.join(","), result.text())
            }
        }
    }
    /// How many bits a value has, if it consists of bits.
    pub fn width(&self) -> Option<u32> {
        match self {
            Ty::Bool => Some(1),
            Ty::Bits(width) => Some(*width),
            _ => None,
        }
    }
    /// For a map from words to words: the widths of the index, all arguments side by side, and of the value.
    pub fn table(&self) -> Option<(u32, u32)> {
        let Ty::Map(args, result) = self else { return None };
        table(args, result)
    }
    fn size(&self) -> usize {
        match self {
            Ty::Named(_, args) => 1 + args.iter().map(Ty::size).sum::<usize>(),
            Ty::Map(args, result) => 1 + args.iter().map(Ty::size).sum::<usize>() + result.size(),
            _ => 1,
        }
    }
    /// The sort that stands for the type.
    pub fn sort(&self, terms: &mut Terms, maps: Maps) -> Sort {
        if let (Some((index, element)), Maps::Arrays) = (self.table(), maps) {
            let (index, element) = (terms.bv_sort(index), terms.bv_sort(element));
            return terms.sort(SortKind::Array(index, element));
        }
        match self {
            Ty::Bool => terms.bool_sort(),
            Ty::Int => terms.sort(SortKind::Int),
            Ty::Real => terms.sort(SortKind::Real),
            Ty::Bits(width) => terms.bv_sort(*width),
            _ => terms.sort(SortKind::Uninterpreted(self.text())),
        }
    }
    /// Finds out what the parameters named in `binding` stand for; false if the types do not match.
    pub fn matches(&self, given: &Ty, binding: &mut [(String, Option<Ty>)]) -> bool {
        match (self, given) {
            (Ty::Named(name, args), _) if args.is_empty() && binding.iter().any(|(param, _)| param == name) => {
                let slot = binding.iter_mut().find(|(param, _)| param == name);
                let known = &mut slot.expect("it was just found").1;
                match known {
                    Some(known) => known == given,
                    None => {
                        *known = Some(given.clone());
                        true
                    }
                }
            }
            (Ty::Named(a, xs), Ty::Named(b, ys)) => {
                a == b && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| x.matches(y, binding))
            }
            (Ty::Map(xs, x), Ty::Map(ys, y)) => {
                xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| x.matches(y, binding)) && x.matches(y, binding)
            }
            _ => self == given,
        }
    }
    /// The type with what its parameters stand for; none if something is not known.
    pub fn instance(&self, binding: &[(String, Option<Ty>)]) -> Option<Ty> {
        let all = |types: &[Ty]| types.iter().map(|ty| ty.instance(binding)).collect::<Option<Vec<Ty>>>();
        match self {
            Ty::Named(name, args) => match binding.iter().find(|(param, _)| param == name) {
                Some((_, known)) if args.is_empty() => known.clone(),
                _ => Some(Ty::Named(name.clone(), all(args)?)),
            },
            Ty::Map(args, result) => Some(Ty::Map(all(args)?, Box::new(result.instance(binding)?))),
            _ => Some(self.clone()),
        }
    }
}

/// Whether the name is that of a built-in type that has no sort here: `float24e8`, `rmode`, `string`, `regex`.
fn is_solver_type(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_float = |rest: &str| rest.split_once('e').is_some_and(|(a, b)| is_number(a) && is_number(b));
    matches!(name, "rmode" | "string" | "regex") || name.strip_prefix("float").is_some_and(is_float)
}

impl Lowering<'_> {
    /// What the type means; type parameters in scope stand for themselves.
    pub(super) fn ty(&mut self, ty: &Type, params: &[Name]) -> Option<Ty> {
        let binding: FastMap<String, Ty> = {
            let mut map = FastMap::new();
            for param in params {
                map.insert(param.text.clone(), Ty::Named(param.text.clone(), Vec::new()));
            }
            map
        };
        let found = self.expand(ty, &binding, 0)?;
        if found.size() > Tuning::DEFAULT.max_type_size {
            self.unsupported(ty.span, "a type as large as this one");
            return None;
        }
        Some(found)
    }
    fn expand(&mut self, ty: &Type, binding: &FastMap<String, Ty>, depth: u32) -> Option<Ty> {
        if depth > 50 {
            self.error(ty.span, "this type is defined by itself");
            return None;
        }
        match &ty.kind {
            TypeKind::Map(true, ..) => {
                self.unsupported(ty.span, "a polymorphic map");
                None
            }
            TypeKind::Map(false, args, result) => {
                let args: Option<Vec<Ty>> = args.iter().map(|arg| self.expand(arg, binding, depth)).collect();
                Some(Ty::Map(args?, Box::new(self.expand(result, binding, depth)?)))
            }
            TypeKind::Named(name, args) => {
                let expanded: Option<Vec<Ty>> = args.iter().map(|arg| self.expand(arg, binding, depth)).collect();
                let args = expanded?;
                if let Some(known) = binding.get(name.as_str()).filter(|_| args.is_empty()) {
                    return Some(known.clone());
                }
                let built_in = match name.as_str() {
                    "bool" => Some(Ty::Bool),
                    "int" => Some(Ty::Int),
                    "real" => Some(Ty::Real),
                    other => match crate::parse::bits(other) {
                        Some(0) => {
                            self.unsupported(ty.span, "a bit-vector without bits");
                            return None;
                        }
                        Some(width) if width > MAX_WIDTH => {
                            self.unsupported(ty.span, "a bit-vector as wide as this one");
                            return None;
                        }
                        width => width.map(Ty::Bits),
                    },
                };
                if let Some(built_in) = built_in {
                    return Some(built_in);
                }
                let Some(index) = self.type_index.get(name.as_str()).copied() else {
                    if is_solver_type(name) {
                        self.unsupported(ty.span, &format!("the type `{name}`"));
                        return None;
                    }
                    self.error(ty.span, format!("there is no type `{name}`"));
                    return None;
                };
                let n_params = self.types[index].params.len();
                if n_params != args.len() {
                    self.error(ty.span, format!("`{name}` takes {n_params} types, here {}", args.len()));
                    return None;
                }
                let Some(synonym) = self.types[index].synonym.clone() else {
                    return Some(Ty::Named(name.clone(), args));
                };
                let mut inner = FastMap::new();
                for (param, arg) in self.types[index].params.iter().zip(args) {
                    inner.insert(param.text.clone(), arg);
                }
                let found = self.expand(&synonym, &inner, depth + 1)?;
                if found.size() > Tuning::DEFAULT.max_type_size {
                    self.unsupported(ty.span, "a type as large as this one");
                    return None;
                }
                Some(found)
            }
        }
    }
}
