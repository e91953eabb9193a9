//! The marks of bytes in memory.
//!
//! Few marks exist in a run, so they are numbered, and a byte holds a number together with which byte of a pointer it is.
//! Pages exist where a byte has a mark other than that of a plain number.

use base::FastMap;

use super::mark::{Form, Mark, World};

// format: bytes of a page of the interpreter.
const PAGE: u64 = 4096;
/// The place of a byte that is not part of a pointer.
const NO_PLACE: u32 = 15;

/// A byte's mark: its number and which byte of a pointer it is.
type Code = u32;

/// All marks of bytes.
pub(super) struct ByteMarks {
    marks: Vec<Mark>,
    numbers: FastMap<Mark, u32>,
    pages: FastMap<u64, Box<[Code; PAGE as usize]>>,
}

impl ByteMarks {
    pub fn new() -> Self {
        ByteMarks { marks: vec![Mark::default()], numbers: FastMap::new(), pages: FastMap::new() }
    }
    /// Roughly how many bytes they take.
    pub fn used(&self) -> u64 {
        self.pages.len() as u64 * PAGE * 4 + self.marks.len() as u64 * 80
    }

    fn code(&mut self, mark: Mark, place: u32) -> Code {
        if mark.is_plain() {
            return 0;
        }
        let marks = &mut self.marks;
        let number = *self.numbers.get_or_insert_with(mark, || {
            marks.push(mark);
            marks.len() as u32 - 1
        });
        assert!(number < 1 << 28, "marks are numbered in 28 bits");
        number << 4 | place
    }

    fn at(&self, address: u64) -> Code {
        self.pages.get(&(address / PAGE)).map_or(0, |page| page[(address % PAGE) as usize])
    }
    fn set(&mut self, address: u64, code: Code) {
        match self.pages.get_mut(&(address / PAGE)) {
            Some(page) => page[(address % PAGE) as usize] = code,
            None if code == 0 => {}
            None => {
                let mut page = Box::new([0; PAGE as usize]);
                page[(address % PAGE) as usize] = code;
                self.pages.insert(address / PAGE, page);
            }
        }
    }

    /// The bytes are plain numbers from now on.
    pub fn clear(&mut self, address: u64, size: u64) {
        if self.pages.is_empty() {
            return;
        }
        let mut at = address;
        let end = address + size;
        while at < end {
            let stop = end.min((at / PAGE + 1) * PAGE);
            if let Some(page) = self.pages.get_mut(&(at / PAGE)) {
                page[(at % PAGE) as usize..][..(stop - at) as usize].fill(0);
            }
            at = stop;
        }
    }
    /// Nothing lives any more in the pages wholly between these addresses.
    pub fn drop_pages(&mut self, from: u64, to: u64) {
        if self.pages.is_empty() {
            return;
        }
        for number in from.div_ceil(PAGE)..to / PAGE {
            self.pages.remove(&number);
        }
    }
    /// The bytes at one address, at another where nothing was.
    pub fn copy(&mut self, from: u64, to: u64, size: u64) {
        if self.pages.is_empty() {
            return;
        }
        for i in 0..size {
            let code = self.at(from + i);
            self.set(to + i, code);
        }
    }
    /// One byte that is a number.
    pub fn set_number(&mut self, address: u64, mark: Mark) {
        let code = self.code(mark, NO_PLACE);
        self.set(address, code);
    }

    /// A word of the given number of bytes, at most eight, was written.
    pub fn store(&mut self, world: &World<'_>, address: u64, bytes: u32, value: u64, mark: Mark) {
        let (whole, first, count) = match mark.form {
            _ if mark.is_plain() => return self.clear(address, u64::from(bytes)),
            Form::Pointer if !mark.layout && bytes * 8 >= world.pointer_width => {
                let offset = world.offset(value, mark.base) as u64;
                (Mark { offset, ..mark }, 0, (world.pointer_width / 8) as u8)
            }
            Form::Part { first, count } => (Mark { form: Form::Pointer, ..mark }, first, count),
            Form::Number => (mark, 0, 0),
            _ => (mark.weak(), 0, 0),
        };
        for i in 0..bytes {
            let code = if i < u32::from(count) {
                self.code(whole, u32::from(first) + i)
            } else if count > 0 {
                // Zeros above an address; they depend on whatever the number does.
                self.code(Mark::default().also(&mark), NO_PLACE)
            } else {
                self.code(whole, NO_PLACE)
            };
            self.set(address + u64::from(i), code);
        }
    }

    /// The mark of a word of the given number of bytes, at most eight, that is read; `above` is the value of the bytes from a place on.
    pub fn load(&self, world: &World<'_>, address: u64, bytes: u32, value: u64) -> Mark {
        if self.pages.is_empty() {
            return Mark::default();
        }
        let codes: [Code; 8] =
            std::array::from_fn(|i| if (i as u32) < bytes { self.at(address + i as u64) } else { 0 });
        let codes = &codes[..bytes as usize];
        if codes.iter().all(|&code| code == 0) {
            return Mark::default();
        }
        if let Some(mark) = self.as_part(world, codes, value) {
            return mark;
        }
        let of = |code: Code| self.marks[(code >> 4) as usize];
        let all = codes.iter().fold(Mark::default(), |all, &code| all.number_of(&of(code)));
        let bases = codes.iter().map(|&code| of(code).base);
        let base = of(codes[0]).base;
        match (base, bases.clone().all(|other| other == base)) {
            (0, true) => all,
            (_, true) => Mark { base, form: Form::Pointer, layout: true, ..all },
            _ => Mark { layout: all.layout || bases.into_iter().any(|base| base != 0), ..all },
        }
    }
    /// The marks of the bytes that are no plain numbers.
    pub fn marks_in(&self, address: u64, size: u64) -> Vec<Mark> {
        let mut found = Vec::new();
        let mut last = 0;
        self.for_each(address, size, |_, code| {
            let number = code >> 4;
            if number != last {
                found.push(self.marks[number as usize]);
                last = number;
            }
        });
        found
    }
    /// The whole pointers of this many bytes that the program alone determines.
    pub fn pointers_in(&self, address: u64, size: u64, bytes: u32) -> Vec<Mark> {
        let mut found = Vec::new();
        self.for_each(address, size, |at, code| {
            let mark = self.marks[(code >> 4) as usize];
            let is_whole = || (1..bytes).all(|i| self.at(at + u64::from(i)) == code + i);
            let fits = at + u64::from(bytes) <= address + size;
            if code & 15 == 0 && mark.form == Form::Pointer && mark.is_determined() && fits && is_whole() {
                found.push(mark);
            }
        });
        found
    }
    /// Calls `visit` with the address and the code of each byte that is no plain number.
    fn for_each(&self, address: u64, size: u64, mut visit: impl FnMut(u64, Code)) {
        let end = address + size;
        let mut at = address;
        while at < end {
            let stop = end.min((at / PAGE + 1) * PAGE);
            if let Some(page) = self.pages.get(&(at / PAGE)) {
                for place in at..stop {
                    let code = page[(place % PAGE) as usize];
                    if code != 0 {
                        visit(place, code);
                    }
                }
            }
            at = stop;
        }
    }
    /// Bytes of one pointer in their order, with nothing but zeros above.
    fn as_part(&self, world: &World<'_>, codes: &[Code], value: u64) -> Option<Mark> {
        let first = codes[0] & 15;
        let mark = self.marks[(codes[0] >> 4) as usize];
        if codes[0] == 0 || first == NO_PLACE || mark.form != Form::Pointer {
            return None;
        }
        let follows = |&(i, &code): &(usize, &Code)| code == codes[0] + i as u32 && code & 15 != NO_PLACE;
        let count = codes.iter().enumerate().take_while(follows).count();
        let rest_is_zero = codes[count..].iter().all(|&code| code == 0)
            && (count == codes.len() || value.checked_shr(8 * count as u32).unwrap_or(0) == 0);
        rest_is_zero.then(|| world.part(mark, first as u8, count as u8))
    }
}
