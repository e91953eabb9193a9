//! Places in memory in words: what a pointer leads to, and what is written.
//!
//! A trace keeps, beside each value, the object that it would point into at that moment ([`Spot`]). The types of the source then say how both read:
//! `&t[1]`, `t[1].size`, `node2.next`, `"ab"`. Objects of the heap have no name; they are numbered in the order in which the run
//! mentions them.

use base::FastMap;

use crate::model::{ObjectId, Program, Shown};
use crate::source_types::{SourceKind, TypeNumber};

use super::code::Code;
use super::memory::Memory;

/// A place inside an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    /// The static or automatic object, if it is one.
    object: Option<ObjectId>,
    /// Its number, if it was allocated.
    number: u32,
    /// The type of the object, or of its elements.
    ty: Option<TypeNumber>,
    offset: u64,
    size: u64,
    live: bool,
    /// The string that begins there, if it is one.
    text: Option<String>,
}

/// The numbers of heap objects that the run has mentioned.
#[derive(Default)]
pub(super) struct Numbers(FastMap<u64, u32>, u32);

impl Spot {
    /// The object around the address, one past its end included.
    pub(super) fn of(
        code: &Code,
        program: &Program,
        memory: &Memory,
        numbers: &mut Numbers,
        address: u64,
    ) -> Option<Spot> {
        let handle = memory.nearest(address)?;
        let extent = memory.extent(handle);
        let offset = address - extent.base;
        if offset > extent.size {
            return None;
        }
        let types = &program.source_types;
        let (number, ty) = match extent.object {
            Some(object) => (0, types.of_object(object)),
            None => {
                let Numbers(known, last) = numbers;
                let number = *known.get_or_insert_with(extent.base, || {
                    *last += 1;
                    *last
                });
                let place = code.place_of(extent.allocated as usize);
                (number, place.and_then(|place| types.of_allocation(place)))
            }
        };
        let text = extent.read_only.then(|| string(memory, handle, address)).flatten();
        Some(Spot { object: extent.object, number, ty, offset, size: extent.size, live: extent.live, text })
    }

    /// The name of the object.
    fn base(&self, program: &Program) -> String {
        if let Some(object) = self.object {
            let name = &program.objects[object].name;
            return name.split('!').next().unwrap_or(name).to_owned();
        }
        let tag = self.ty.map(|ty| &program.source_types.get(ty).kind);
        match tag {
            Some(SourceKind::Record(tag, _))
                if tag.chars().all(|c| c.is_alphanumeric() || c == '_') && !tag.is_empty() =>
            {
                format!("{tag}{}", self.number)
            }
            _ => format!("heap{}", self.number),
        }
    }
    /// The path to a scalar of this many bytes, with its type.
    fn path(&self, program: &Program, bytes: u64) -> Option<(String, TypeNumber)> {
        let types = &program.source_types;
        let ty = self.ty?;
        if self.object.is_some() {
            return types.scalar_at(ty, self.offset, bytes);
        }
        // An allocation is an array, mostly of one element.
        let element = types.get(ty).size;
        let (path, found) = types.scalar_at(ty, self.offset % element.max(1), bytes)?;
        let index = self.offset.checked_div(element)?;
        let is_single = self.size == element && index == 0;
        Some((if is_single { path } else { format!("[{index}]{path}") }, found))
    }
    /// How the place reads where a value of this many bytes is written, and the type of the value.
    pub(super) fn name(&self, program: &Program, bytes: u64) -> (String, Option<TypeNumber>) {
        let base = self.base(program);
        match self.path(program, bytes) {
            // A scalar on the heap is what its pointer leads to.
            Some((path, ty)) if path.is_empty() && self.object.is_none() => (format!("*{base}"), Some(ty)),
            Some((path, ty)) => (format!("{base}{path}"), Some(ty)),
            None if self.offset == 0 && bytes == self.size => (base, None),
            None if bytes <= 1 => (format!("byte {} of {base}", self.offset), None),
            None => (format!("bytes {}–{} of {base}", self.offset, self.offset + bytes - 1), None),
        }
    }
    /// The same place, of an object that was just freed.
    pub(super) fn freed(mut self) -> Spot {
        self.live = true;
        self
    }
    /// How a pointer to the place reads, if it points to this type.
    pub(super) fn pointer(&self, program: &Program, target: Option<TypeNumber>) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        let (types, base) = (&program.source_types, self.base(program));
        let ended = if self.live { "" } else { " (ended)" };
        let is_heap = self.object.is_none();
        if self.offset == self.size && self.size > 0 {
            return format!("the end of {base}{ended}");
        }
        let known = self.ty.zip(target).and_then(|(ty, target)| match is_heap {
            false => types.place_at(ty, self.offset, target),
            true => {
                let element = types.get(ty).size;
                let inside = types.place_at(ty, self.offset % element.max(1), target)?;
                let index = self.offset.checked_div(element)?;
                Some(if self.size == element { inside } else { format!("[{index}]{inside}") })
            }
        });
        // Without a target: the element of an array.
        let known = known.or_else(|| match (self.ty, target) {
            (Some(ty), None) => {
                let (element, is_array) = match types.get(ty).kind {
                    SourceKind::Array(element) if !is_heap => (types.get(element).size, true),
                    _ => (types.get(ty).size, is_heap && self.size > types.get(ty).size),
                };
                let fits = is_array && element > 0 && self.offset.is_multiple_of(element) && self.offset > 0;
                fits.then(|| format!("[{}]", self.offset / element))
            }
            _ => None,
        });
        match known {
            // The start of an allocation needs no index.
            Some(path) if is_heap && path == "[0]" => format!("&{base}{ended}"),
            Some(path) => format!("&{base}{path}{ended}"),
            None if self.offset == 0 => format!("&{base}{ended}"),
            None => format!("&{base} + {} bytes{ended}", self.offset),
        }
    }
}

/// The string at the address, if it is short and ends.
fn string(memory: &Memory, handle: super::memory::Handle, address: u64) -> Option<String> {
    // law: longer strings are cut.
    const MAX_SHOWN: u64 = 24;
    let extent = memory.extent(handle);
    let mut text = String::from("\"");
    for at in 0..=MAX_SHOWN {
        if address + at >= extent.base + extent.size {
            return None;
        }
        match memory.peek(handle, address + at)? {
            0 => return Some(format!("{text}\"")),
            _ if at == MAX_SHOWN => return Some(format!("{text}…\"")),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            byte @ (b'"' | b'\\') => text.extend(['\\', byte as char]),
            byte if byte.is_ascii_graphic() || byte == b' ' => text.push(byte as char),
            byte => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    None
}

/// How values of this type read, and what they point to if they are pointers.
pub(super) fn reading(program: &Program, ty: Option<TypeNumber>) -> Option<(Shown, Option<TypeNumber>)> {
    match program.source_types.get(ty?).kind {
        SourceKind::Scalar { shown, .. } => Some((shown, None)),
        SourceKind::Pointer(target) => Some((Shown::Pointer, target)),
        _ => None,
    }
}
