//! Memory: objects with bounds over lazily made pages.
//!
//! Three regions (static, heap, stack) each hand out ascending addresses, so the objects of a
//! region are a sorted vector, and a lookup is a glance at the object that this load or store met
//! last time and otherwise a binary search. Objects are kept apart by a gap, so running over an
//! end never lands in a neighbour. No address is handed out twice, on the stack neither: the objects of an activation
//! that has returned are gone, and so is every address inside them. Pages of ended activations are used again.
//!
//! Contents live in pages that exist once they are written. A byte carries a mark when its value
//! is known. What an unmarked byte holds is the object's affair: zero, or a value that is drawn at
//! the first read and then kept.
//!
//! Law: in an object that is `zeroed`, a byte without a mark is zero in its page.

use crate::model::{AccessKind, InputId, ObjectId};

use super::code::StaticObject;
use super::wide::Words;
use crate::tuning::Tuning;

// format: bytes of a page of the interpreter.
const PAGE: u64 = 4096;
/// Bytes between two objects.
pub(super) const GAP: u64 = 16;

/// A page of bytes with a mark for each byte whose value is known.
#[derive(Clone)]
struct Page {
    bytes: [u8; PAGE as usize],
    known: [u64; PAGE as usize / 64],
}

impl Page {
    fn new() -> Box<Page> {
        Box::new(Page { bytes: [0; PAGE as usize], known: [0; PAGE as usize / 64] })
    }
    /// Takes the marks off the bytes from `from` up to `to`.
    fn unmark(&mut self, from: usize, to: usize) {
        for word in from / 64..to.div_ceil(64) {
            let low = from.max(word * 64) - word * 64;
            let high = to.min(word * 64 + 64) - word * 64;
            self.known[word] &= !(u64::MAX >> (64 - (high - low)) << low);
        }
    }
    fn is_known(&self, at: usize) -> bool {
        self.known[at / 64] >> (at % 64) & 1 == 1
    }
}

// format: bytes of a page with its marks.
/// Pages cost a little more than their bytes: the marks and the table.
const PAGE_COST: u64 = PAGE + PAGE / 8 + 64;

/// A run of bytes.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    pub base: u64,
    pub size: u64,
    /// The alignment that the program can rely on.
    pub align: u64,
    pub live: bool,
    pub read_only: bool,
    /// It may lie where another such object lies: a string literal.
    pub shared: bool,
    /// Unmarked bytes are zero; otherwise they are drawn.
    zeroed: bool,
    /// Where unmarked bytes come from, if the program names it.
    pub input: Option<Asked>,
    /// Which object of the program it is, if it is one.
    pub object: Option<ObjectId>,
    /// The instructions that have allocated and freed it; `NOWHERE` for none.
    pub allocated: u32,
    pub freed: u32,
}

// format: no instruction.
/// The place of an event that has not happened.
pub(super) const NOWHERE: u32 = u32::MAX;

/// An input that a part of the memory is filled from, and how often it had been asked for before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Asked {
    pub input: InputId,
    pub occurrence: u64,
}

/// One of the three parts of the address space.
#[derive(Clone, Default)]
struct Region {
    start: u64,
    end: u64,
    next: u64,
    objects: Vec<Extent>,
    n_dead: usize,
    pages: Vec<Option<Box<Page>>>,
    /// Pages without contents, to be used again.
    spare: Vec<Box<Page>>,
}

/// Which part of the address space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Static,
    Heap,
    Stack,
}

/// Why a memory operation has no meaning in C.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BadAccess {
    /// A read that is not inside one live object.
    Read,
    /// A write that is not inside one live object.
    Write,
    /// A write to an object that must not be written.
    ReadOnly,
    /// A `free` of something that is not the start of a live heap object.
    Free,
}

/// Nothing more fits: the limit or the address space is exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Full;

/// What a read met.
pub(super) enum Fetched {
    /// All bytes are known.
    Value(u64),
    /// Some bytes must be drawn first.
    Unknown,
    /// Not inside a live object.
    Outside,
}

/// An object's part and position; good until the next allocation or free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle(Part, u32);

/// The memory of one run.
#[derive(Clone)]
pub(super) struct Memory {
    regions: [Region; 3],
    /// The index of the object met last at each load and store.
    last: Vec<u32>,
    used: u64,
    limit: u64,
}

// law: the layout of memory.
/// Where the machine puts allocated objects, whatever alignment the program can rely on.
const HEAP_PLACE: u64 = 16;
/// The first address of functions; they lie below all objects.
const FUNCTIONS: u64 = 0x1000;

/// The constant address of the function with this number.
pub(super) fn function_address(number: usize) -> u64 {
    FUNCTIONS + number as u64 * 16
}

impl Memory {
    /// The memory at the start: static objects with their contents. Also returns their addresses.
    pub(super) fn new(
        pointer_width: u32,
        statics: &[StaticObject],
        n_functions: usize,
        n_sites: u32,
    ) -> Result<(Memory, Vec<u64>), Full> {
        let top = if pointer_width >= 48 { 1 << 46 } else { 1u64 << pointer_width.max(8) };
        let bottom = function_address(n_functions).next_multiple_of(PAGE);
        let quarter = (top / 4) & !(PAGE - 1);
        if bottom >= quarter {
            return Err(Full);
        }
        let region = |start: u64, end: u64| Region { start, end, next: start + GAP, ..Region::default() };
        let mut memory = Memory {
            regions: [region(bottom, quarter), region(quarter, 3 * quarter), region(3 * quarter, 4 * quarter - PAGE)],
            last: vec![0; n_sites as usize],
            used: 0,
            limit: u64::MAX,
        };
        let mut addresses = Vec::with_capacity(statics.len());
        for object in statics {
            let base = memory.allocate(Part::Static, object.size, object.align, true, None, Some(object.id))?;
            let extent = memory.regions[0].objects.last_mut().expect("it was just allocated");
            (extent.read_only, extent.shared) = (object.read_only, object.shared);
            let length = object.init.len().min(usize::try_from(object.size).unwrap_or(usize::MAX));
            for (at, &byte) in object.init[..length].iter().enumerate() {
                // Zeros are there already.
                if byte != 0 {
                    memory.write_byte(Part::Static, base + at as u64, byte);
                }
            }
            addresses.push(base);
        }
        Ok((memory, addresses))
    }

    /// How many bytes may be in use from now on.
    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }
    /// Whether more is in use than allowed.
    pub(super) fn over_limit(&self) -> bool {
        self.used > self.limit
    }

    /// A new object.
    pub(super) fn allocate(
        &mut self,
        part: Part,
        size: u64,
        align: u64,
        zeroed: bool,
        input: Option<Asked>,
        object: Option<ObjectId>,
    ) -> Result<u64, Full> {
        let region = &mut self.regions[part as usize];
        // Large objects have their pages to themselves, so that these can be given back at once.
        let place = match part {
            _ if size >= PAGE => align.max(PAGE),
            Part::Heap => align.max(HEAP_PLACE),
            Part::Stack if object.is_none() => align.max(HEAP_PLACE),
            Part::Static | Part::Stack => align.max(1),
        };
        let base = region.next.checked_next_multiple_of(place).ok_or(Full)?;
        let end = base.checked_add(size).and_then(|end| end.checked_add(GAP)).filter(|&end| end <= region.end);
        let end = end.ok_or(Full)?;
        region.next = if size >= PAGE { end.next_multiple_of(PAGE) } else { end };
        region.objects.push(Extent {
            base,
            size,
            align,
            live: true,
            read_only: false,
            shared: false,
            zeroed,
            input,
            object,
            allocated: NOWHERE,
            freed: NOWHERE,
        });
        self.used += size_of::<Extent>() as u64;
        if self.used > self.limit { Err(Full) } else { Ok(base) }
    }

    /// The object that was allocated last comes from this instruction.
    pub(super) fn allocated_by(&mut self, part: Part, at: usize) {
        if let Some(object) = self.regions[part as usize].objects.last_mut() {
            object.allocated = at as u32;
        }
    }
    /// The live objects of a part.
    pub(super) fn live_objects(&self, part: Part) -> impl Iterator<Item = &Extent> {
        self.regions[part as usize].objects.iter().filter(|object| object.live)
    }
    /// Ends a heap object, by this instruction.
    pub(super) fn free(&mut self, address: u64, at: usize) -> Result<(), BadAccess> {
        let region = &mut self.regions[Part::Heap as usize];
        let index = region.find(address).ok_or(BadAccess::Free)?;
        let object = &mut region.objects[index];
        if !object.live || object.base != address {
            return Err(BadAccess::Free);
        }
        object.live = false;
        object.freed = at as u32;
        let (base, size) = (object.base, object.size);
        if size >= PAGE {
            self.used -= region.drop_pages(base, size);
        }
        region.n_dead += 1;
        if region.n_dead > 4096 && region.n_dead > region.objects.len() / 2 {
            self.used -= region.compact();
        }
        Ok(())
    }

    /// Ends the stack object that begins at this address.
    pub(super) fn end(&mut self, address: u64) {
        let region = &mut self.regions[Part::Stack as usize];
        if let Some(index) = region.find(address)
            && region.objects[index].base == address
        {
            region.objects[index].live = false;
        }
    }
    /// The stack object at this address begins anew if it has ended. It is another object, which old pointers do not lead to: its address.
    pub(super) fn begin_anew(&mut self, address: u64) -> Result<Option<u64>, Full> {
        let region = &self.regions[Part::Stack as usize];
        let found = region.find(address).map(|index| region.objects[index].clone());
        match found {
            Some(old) if old.base == address && !old.live => {
                self.allocate(Part::Stack, old.size, old.align, false, None, old.object).map(Some)
            }
            _ => Ok(None),
        }
    }
    /// Whether the access would be valid now.
    pub(super) fn is_valid(&mut self, access: AccessKind, site: u32, address: u64, bytes: u64) -> bool {
        match access {
            AccessKind::Read => self.containing(site, address, bytes).is_some(),
            AccessKind::Write => {
                self.containing(site, address, bytes).is_some_and(|handle| !self.extent(handle).read_only)
            }
            AccessKind::Free => {
                let region = &self.regions[Part::Heap as usize];
                let is_start = |index: usize| region.objects[index].live && region.objects[index].base == address;
                address == 0 || region.find(address).is_some_and(is_start)
            }
            AccessKind::Track => unreachable!("it asks about all of memory"),
        }
    }

    /// How many objects the stack has and where it goes on, to be given back to `pop_to`.
    pub(super) fn stack_mark(&self) -> (u32, u64) {
        let stack = &self.regions[Part::Stack as usize];
        (stack.objects.len() as u32, stack.next)
    }
    /// Ends all stack objects since the mark. Their addresses are not handed out again.
    pub(super) fn pop_to(&mut self, mark: (u32, u64)) {
        let stack = &mut self.regions[Part::Stack as usize];
        let gone = stack.objects.len() - mark.0 as usize;
        if gone > 0 {
            stack.objects.truncate(mark.0 as usize);
            self.used -= (gone * size_of::<Extent>()) as u64;
        }
        if stack.next / PAGE != mark.1 / PAGE {
            self.used -= stack.recycle(mark.1);
        }
    }
    /// The objects of the stack since the mark, which are about to end.
    pub(super) fn since(&self, mark: (u32, u64)) -> &[Extent] {
        &self.regions[Part::Stack as usize].objects[mark.0 as usize..]
    }
    /// The object that begins at this address, if it is still known.
    pub(super) fn object_at(&self, base: u64) -> Option<Handle> {
        let part = self.part_of(base);
        let region = &self.regions[part as usize];
        let index = region.find(base)?;
        (region.objects[index].base == base).then_some(Handle(part, index as u32))
    }
    /// Whether the object is one that can be freed.
    pub(super) fn is_heap(&self, handle: Handle) -> bool {
        handle.0 == Part::Heap
    }
    /// Whether the object exists as long as the program runs.
    pub(super) fn is_static(&self, handle: Handle) -> bool {
        handle.0 == Part::Static
    }
    /// The object that lies nearest below the address, live or ended, as far as it is known.
    pub(super) fn nearest(&self, address: u64) -> Option<Handle> {
        let part = self.part_of(address);
        self.regions[part as usize].find(address).map(|index| Handle(part, index as u32))
    }

    /// Reads 1, 2, 4 or 8 bytes.
    #[inline]
    pub(super) fn read(&mut self, site: u32, address: u64, bytes: u64) -> Fetched {
        let part = self.part_of(address);
        let Some(index) = self.locate(part, site, address, bytes) else { return Fetched::Outside };
        let region = &self.regions[part as usize];
        let zeroed = region.objects[index].zeroed;
        let offset = address - region.start;
        let at = (offset % PAGE) as usize;
        let page = match region.pages.get((offset / PAGE) as usize) {
            Some(Some(page)) => page,
            _ if zeroed && at as u64 + bytes <= PAGE => return Fetched::Value(0),
            _ => return self.read_slowly(Handle(part, index as u32), address, bytes),
        };
        let bits = bytes as usize;
        if at % 64 + bits > 64 {
            return self.read_slowly(Handle(part, index as u32), address, bytes);
        }
        let marks = page.known[at / 64] >> (at % 64);
        if !zeroed && !marks & ((1 << bits) - 1) != 0 {
            return Fetched::Unknown;
        }
        let group: &[u8] = &page.bytes[at..at + bits];
        Fetched::Value(match *group {
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => unreachable!("a read has 1, 2, 4 or 8 bytes"),
        })
    }

    fn read_slowly(&self, handle: Handle, address: u64, bytes: u64) -> Fetched {
        let mut value = 0;
        for i in 0..bytes {
            match self.peek(handle, address + i) {
                Some(byte) => value |= u64::from(byte) << (8 * i),
                None => return Fetched::Unknown,
            }
        }
        Fetched::Value(value)
    }

    /// The byte at an address inside the object, if known.
    pub(super) fn peek(&self, handle: Handle, address: u64) -> Option<u8> {
        let region = &self.regions[handle.0 as usize];
        let offset = address - region.start;
        let at = (offset % PAGE) as usize;
        let zeroed = region.objects[handle.1 as usize].zeroed;
        match region.pages.get((offset / PAGE) as usize) {
            Some(Some(page)) if page.is_known(at) || zeroed => Some(page.bytes[at]),
            Some(Some(_)) => None,
            _ => zeroed.then_some(0),
        }
    }

    /// Gives a byte inside an object its value.
    pub(super) fn poke(&mut self, handle: Handle, address: u64, byte: u8) {
        self.write_byte(handle.0, address, byte);
    }

    /// The live object that contains all these bytes.
    pub(super) fn containing(&mut self, site: u32, address: u64, bytes: u64) -> Option<Handle> {
        let part = self.part_of(address);
        self.locate(part, site, address, bytes).map(|index| Handle(part, index as u32))
    }
    /// The object behind a handle.
    pub(super) fn extent(&self, handle: Handle) -> &Extent {
        &self.regions[handle.0 as usize].objects[handle.1 as usize]
    }
    /// The live object that contains the address, one past its end included.
    pub(super) fn around(&self, address: u64) -> Option<Handle> {
        let part = self.part_of(address);
        let region = &self.regions[part as usize];
        let index = region.find(address)?;
        let object = &region.objects[index];
        (object.live && address - object.base <= object.size).then_some(Handle(part, index as u32))
    }

    /// Writes the low 1, 2, 4 or 8 bytes of the value.
    #[inline]
    pub(super) fn write(&mut self, site: u32, address: u64, bytes: u64, value: u64) -> Result<(), BadAccess> {
        let part = self.part_of(address);
        let Some(index) = self.locate(part, site, address, bytes) else { return Err(BadAccess::Write) };
        let region = &mut self.regions[part as usize];
        if region.objects[index].read_only {
            return Err(BadAccess::ReadOnly);
        }
        let offset = address - region.start;
        let at = (offset % PAGE) as usize;
        let bits = bytes as usize;
        if at % 64 + bits <= 64
            && let Some(Some(page)) = region.pages.get_mut((offset / PAGE) as usize)
        {
            page.known[at / 64] |= ((1 << bits) - 1) << (at % 64);
            match &mut page.bytes[at..at + bits] {
                [a] => *a = value as u8,
                group @ [_, _] => group.copy_from_slice(&(value as u16).to_le_bytes()),
                group @ [_, _, _, _] => group.copy_from_slice(&(value as u32).to_le_bytes()),
                group => group.copy_from_slice(&value.to_le_bytes()[..bits]),
            }
            return Ok(());
        }
        for i in 0..bytes {
            self.write_byte(part, address + i, (value >> (8 * i)) as u8);
        }
        Ok(())
    }

    fn write_byte(&mut self, part: Part, address: u64, byte: u8) {
        let region = &mut self.regions[part as usize];
        let offset = address - region.start;
        let number = (offset / PAGE) as usize;
        if region.pages.len() <= number {
            let more = number + 1 - region.pages.len();
            region.pages.resize_with(number + 1, || None);
            self.used += 8 * more as u64;
        }
        let spare = &mut region.spare;
        let page = region.pages[number].get_or_insert_with(|| {
            self.used += PAGE_COST;
            spare.pop().unwrap_or_else(Page::new)
        });
        let at = (offset % PAGE) as usize;
        page.bytes[at] = byte;
        page.known[at / 64] |= 1 << (at % 64);
    }

    /// The bytes become unspecified and come from this input when they are read. Of two inputs for
    /// one object the one that `prefer` says stays.
    pub(super) fn forget(
        &mut self,
        handle: Handle,
        address: u64,
        size: u64,
        input: Asked,
        prefer: impl Fn(InputId) -> bool,
    ) {
        let object = self.extent(handle).clone();
        let whole = address == object.base && size == object.size;
        if object.zeroed && !whole {
            // The rest keeps its zeros: mark them one by one.
            for at in object.base..object.base + object.size {
                if let Some(byte) = self.peek(handle, at) {
                    self.write_byte(handle.0, at, byte);
                }
                if self.over_limit() {
                    return;
                }
            }
        }
        let region = &mut self.regions[handle.0 as usize];
        let object = &mut region.objects[handle.1 as usize];
        object.zeroed = false;
        object.input = match object.input {
            Some(old) if !whole && prefer(old.input) => Some(old),
            _ => Some(input),
        };
        region.forget(address, size, false);
    }

    #[inline]
    fn part_of(&self, address: u64) -> Part {
        if address < self.regions[1].start {
            Part::Static
        } else if address < self.regions[2].start {
            Part::Heap
        } else {
            Part::Stack
        }
    }

    #[inline]
    fn locate(&mut self, part: Part, site: u32, address: u64, bytes: u64) -> Option<usize> {
        let region = &self.regions[part as usize];
        let last = self.last[site as usize] as usize;
        if let Some(object) = region.objects.get(last)
            && object.holds(address, bytes)
        {
            return Some(last);
        }
        let index = region.find(address)?;
        if !region.objects[index].holds(address, bytes) {
            return None;
        }
        self.last[site as usize] = index as u32;
        Some(index)
    }
}

impl Extent {
    #[inline]
    fn holds(&self, address: u64, bytes: u64) -> bool {
        // An address below the base wraps to a large offset.
        self.live && bytes <= self.size && address.wrapping_sub(self.base) <= self.size - bytes
    }
}

impl Region {
    /// The last object that does not start after the address.
    fn find(&self, address: u64) -> Option<usize> {
        self.objects.partition_point(|object| object.base <= address).checked_sub(1)
    }
    /// Takes the marks off, and the bytes too if they must be zero.
    fn forget(&mut self, base: u64, size: u64, zero: bool) {
        let mut offset = base - self.start;
        let end = offset + size;
        while offset < end {
            let number = (offset / PAGE) as usize;
            if number >= self.pages.len() {
                return;
            }
            let stop = end.min((number as u64 + 1) * PAGE);
            if let Some(page) = &mut self.pages[number] {
                let (from, to) = ((offset % PAGE) as usize, (stop - number as u64 * PAGE) as usize);
                if from == 0 && to == PAGE as usize {
                    page.known.fill(0);
                } else {
                    page.unmark(from, to);
                }
                if zero {
                    page.bytes[from..to].fill(0);
                }
            }
            offset = stop;
        }
    }
    /// Gives the pages of a large object back; how much that was.
    fn drop_pages(&mut self, base: u64, size: u64) -> u64 {
        let first = ((base - self.start) / PAGE) as usize;
        let last = ((base - self.start + size).div_ceil(PAGE) as usize).min(self.pages.len());
        let mut dropped = 0;
        for page in self.pages.iter_mut().take(last).skip(first) {
            dropped += u64::from(page.take().is_some()) * PAGE_COST;
        }
        dropped
    }
    /// Gives the pages back that lie wholly above the address and below the next object; how much that was.
    fn recycle(&mut self, from: u64) -> u64 {
        let first = (from - self.start).div_ceil(PAGE) as usize;
        let last = (((self.next - self.start) / PAGE) as usize).min(self.pages.len());
        let mut dropped = 0;
        for page in self.pages.iter_mut().take(last).skip(first) {
            let Some(mut page) = page.take() else { continue };
            dropped += PAGE_COST;
            if self.spare.len() < Tuning::DEFAULT.max_spare_pages {
                page.bytes.fill(0);
                page.known.fill(0);
                self.spare.push(page);
            }
        }
        dropped
    }
    /// Forgets dead objects, and pages that lie between live ones; how much that was.
    fn compact(&mut self) -> u64 {
        let before = self.objects.len();
        self.objects.retain(|object| object.live);
        self.n_dead = 0;
        let mut dropped = ((before - self.objects.len()) * size_of::<Extent>()) as u64;
        let mut needed = vec![false; self.pages.len()];
        for object in &self.objects {
            let first = ((object.base - self.start) / PAGE) as usize;
            let last = ((object.base - self.start + object.size) / PAGE) as usize;
            let last = (last + 1).min(needed.len());
            if first < last {
                needed[first..last].fill(true);
            }
        }
        // The next object may begin on the page where the last one ended; a dropped page reads as
        // unmarked, so this is safe for it too.
        for (page, needed) in self.pages.iter_mut().zip(needed) {
            if !needed && page.take().is_some() {
                dropped += PAGE_COST;
            }
        }
        dropped
    }
}

/// The words of a little-endian run of bytes.
pub(super) fn words_of(bytes: &[u8]) -> Words {
    bytes.chunks(8).map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))).collect()
}
