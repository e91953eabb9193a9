//! Sizes, alignments and scalar parts of types, from the data layout of the module.

use base::FastMap;

use crate::ir::{Type, TypeId, Types};
use crate::parse::Parser;
use crate::scan::Module;
use crate::source::Problem;
use crate::tuning::Tuning;

// law: the stack holds this many levels.
/// How deeply named types may contain one another.
const MAX_DEPTH: u32 = 256;

/// A type that has no layout here, in words.
pub type Layouted<T> = Result<T, String>;

/// The data layout.
pub struct Layout {
    /// Bits of a pointer.
    pub pointer_width: u32,
    is_big_endian: bool,
    /// Alignments of integers and floats by width, in bits and bytes, sorted.
    integers: Vec<(u32, u64)>,
    floats: Vec<(u32, u64)>,
    vectors: Vec<(u32, u64)>,
    pointer_align: u64,
    leaves: FastMap<TypeId, Vec<(u64, TypeId)>>,
}

impl Layout {
    /// Reads the data layout of the module.
    pub fn new(text: &str) -> Layout {
        let mut layout = Layout {
            pointer_width: 64,
            is_big_endian: false,
            integers: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
            pointer_align: 8,
            leaves: FastMap::new(),
        };
        for part in text.split('-') {
            let mut numbers = part.split(':');
            let head = numbers.next().unwrap_or("");
            let first = numbers.next().and_then(|number| number.parse::<u32>().ok());
            let second = numbers.next().and_then(|number| number.parse::<u32>().ok());
            let width = head.get(1..).and_then(|digits| digits.parse::<u32>().ok());
            let table = match head.chars().next() {
                Some('E') if head.len() == 1 => {
                    layout.is_big_endian = true;
                    continue;
                }
                Some('p') if head == "p" || head == "p0" => {
                    if let Some(width @ (32 | 64)) = first {
                        layout.pointer_width = width;
                        layout.pointer_align = u64::from(second.unwrap_or(width).max(8) / 8);
                    }
                    continue;
                }
                Some('i') => &mut layout.integers,
                Some('f') => &mut layout.floats,
                Some('v') => &mut layout.vectors,
                _ => continue,
            };
            if let (Some(width), Some(align)) = (width, first) {
                table.retain(|one| one.0 != width);
                table.push((width, u64::from(align.max(8) / 8).next_power_of_two()));
                table.sort_unstable();
            }
        }
        layout
    }
    /// Why programs with this layout are not treated.
    pub fn refusal(&self) -> Option<&'static str> {
        self.is_big_endian.then_some("big-endian target")
    }
}

/// Types with their module and layout.
pub struct Shapes<'m, 's> {
    /// The module.
    pub module: &'m Module<'s>,
    /// All types.
    pub types: Types<'s>,
    /// The data layout.
    pub layout: Layout,
    named: FastMap<&'s str, TypeId>,
}

fn align_up(size: u64, align: u64) -> Layouted<u64> {
    size.checked_next_multiple_of(align).ok_or_else(|| "type of this size".to_owned())
}

impl<'m, 's> Shapes<'m, 's> {
    /// No types yet.
    pub fn new(module: &'m Module<'s>) -> Self {
        let layout = Layout::new(module.layout);
        Shapes { module, types: Types::default(), layout, named: FastMap::new() }
    }
    /// The type that a named one stands for.
    pub fn resolve(&mut self, ty: TypeId) -> Layouted<TypeId> {
        let mut ty = ty;
        for _ in 0..MAX_DEPTH {
            let Type::Named(name) = *self.types.kind(ty) else { return Ok(ty) };
            if let Some(&known) = self.named.get(name) {
                ty = known;
                continue;
            }
            let Some(&at) = self.module.types.get(name) else { return Err(format!("type `%{name}` without a body")) };
            let parsed = Parser::new(self.module, &mut self.types, at, None).named_type();
            let body = parsed.map_err(|problem: Problem| problem.message)?;
            self.named.insert(name, body);
            ty = body;
        }
        Err("type that is defined by itself".to_owned())
    }
    /// Size and alignment in memory.
    pub fn size_align(&mut self, ty: TypeId) -> Layouted<(u64, u64)> {
        self.size_align_at(ty, 0)
    }
    fn size_align_at(&mut self, ty: TypeId, depth: u32) -> Layouted<(u64, u64)> {
        if depth > MAX_DEPTH {
            return Err("types that contain one another too deeply".to_owned());
        }
        let ty = self.resolve(ty)?;
        let larger = |table: &[(u32, u64)], width: u32| {
            let found = table.iter().find(|one| one.0 >= width).or(table.last());
            found.map_or(1, |one| one.1)
        };
        let too_large = || "type of this size".to_owned();
        Ok(match self.types.kind(ty).clone() {
            Type::Int(width) => {
                let align = larger(&self.layout.integers, width);
                (align_up(u64::from(width).div_ceil(8), align)?, align)
            }
            Type::Float(15, 64) => {
                let align = self.layout.floats.iter().find(|one| one.0 == 80).map_or(16, |one| one.1);
                (align_up(10, align)?, align)
            }
            Type::Float(exponent, significand) => {
                let width = exponent + significand;
                (u64::from(width / 8), larger(&self.layout.floats, width))
            }
            Type::Pointer => (u64::from(self.layout.pointer_width / 8), self.layout.pointer_align),
            Type::Array(length, element) => {
                let (size, align) = self.size_align_at(element, depth + 1)?;
                (size.checked_mul(length).ok_or_else(too_large)?, align)
            }
            Type::Vector(length, element) => {
                let bits = match *self.types.kind(element) {
                    Type::Int(width) => u64::from(width),
                    _ => self.size_align_at(element, depth + 1)?.0 * 8,
                };
                let size = bits.checked_mul(length).ok_or_else(too_large)?.div_ceil(8);
                let exact = self.layout.vectors.iter().find(|one| u64::from(one.0) == size * 8).map(|one| one.1);
                let align = exact.unwrap_or(size.max(1).next_power_of_two());
                (align_up(size, align)?, align)
            }
            Type::Struct { fields, packed } => {
                let (mut size, mut align) = (0u64, 1);
                for field in fields {
                    let (field_size, field_align) = self.size_align_at(field, depth + 1)?;
                    let field_align = if packed { 1 } else { field_align };
                    size = align_up(size, field_align)?.checked_add(field_size).ok_or_else(too_large)?;
                    align = align.max(field_align);
                }
                (align_up(size, align)?, align)
            }
            Type::Void => (0, 1),
            Type::Refused(what) => return Err(format!("type {what}")),
            Type::Named(_) | Type::Function(..) | Type::Metadata | Type::Label => {
                return Err("type without a size".to_owned());
            }
        })
    }
    /// Where a field of a structure begins, and its type; for an array or vector, that of the element of this index.
    pub fn field(&mut self, ty: TypeId, index: u64) -> Layouted<(u64, TypeId)> {
        let ty = self.resolve(ty)?;
        match self.types.kind(ty).clone() {
            Type::Struct { fields, packed } => {
                let mut offset = 0;
                for (position, &field) in fields.iter().enumerate() {
                    let (size, align) = self.size_align(field)?;
                    offset = align_up(offset, if packed { 1 } else { align })?;
                    if position as u64 == index {
                        return Ok((offset, field));
                    }
                    offset += size;
                }
                Err("field that the structure does not have".to_owned())
            }
            Type::Array(_, element) | Type::Vector(_, element) => {
                let size = self.size_align(element)?.0;
                Ok((size.checked_mul(index).ok_or("index of this size")?, element))
            }
            _ => Err("field of a type that has none".to_owned()),
        }
    }
    /// The scalar parts of a type in order, with their offsets.
    pub fn leaves(&mut self, ty: TypeId) -> Layouted<Vec<(u64, TypeId)>> {
        if let Some(known) = self.layout.leaves.get(&ty) {
            return Ok(known.clone());
        }
        let mut leaves = Vec::new();
        let mut stack = vec![(0, ty)];
        while let Some((offset, part)) = stack.pop() {
            let part = self.resolve(part)?;
            let children = match self.types.kind(part).clone() {
                Type::Void => 0,
                Type::Struct { fields, .. } => fields.len() as u64,
                Type::Array(length, _) | Type::Vector(length, _) => length,
                Type::Int(_) | Type::Float(..) | Type::Pointer => {
                    leaves.push((offset, part));
                    0
                }
                Type::Refused(what) => return Err(format!("value of type {what}")),
                _ => return Err("value of this type".to_owned()),
            };
            if children + leaves.len() as u64 + stack.len() as u64 > Tuning::DEFAULT.max_leaves as u64 {
                return Err("value with too many parts".to_owned());
            }
            for index in (0..children).rev() {
                let (at, child) = self.field(part, index)?;
                stack.push((offset + at, child));
            }
        }
        self.layout.leaves.insert(ty, leaves.clone());
        Ok(leaves)
    }
}
