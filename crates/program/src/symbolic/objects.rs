//! Objects: the memory of a path, as cells of terms by object and offset.
//!
//! An object has a *background* (zeros, first contents, or unspecified bytes, each a symbol of its own) and cells that were written over it. A cell is a
//! word of some bytes. A read that meets one cell exactly is that word; any other read puts bytes together. Objects
//! are shared between paths until one writes, so that paths that meet again differ in few of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::FastMap;
use term::{Op, Term};

use crate::model::{ObjectId, Program};

use super::words::{Key, Words};

/// What lies below the cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Background {
    Zeros,
    /// The first contents of a static object.
    First(ObjectId),
    /// Unspecified bytes; each number stands for other ones.
    Unspecified(u32),
}

/// How long an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Span {
    Static,
    /// Until the activation with this number returns.
    Activation(u32),
    Heap,
}

/// A word in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub bytes: u64,
    pub word: Term,
}

/// An object of a path.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Its size in bytes, as wide as a pointer.
    pub size: Term,
    /// The largest size that it can have.
    pub capacity: u64,
    pub span: Span,
    pub read_only: bool,
    /// It may lie where another such object lies: a string literal.
    pub shared: bool,
    /// Whether it is live, a truth value.
    pub live: Term,
    pub background: Background,
    pub cells: BTreeMap<u64, Cell>,
}

/// The objects of a path. An object that is not there has ended.
pub(super) type Objects = BTreeMap<Key, Rc<Object>>;

/// What reads and writes need beside the object.
pub(super) struct Store<'a> {
    pub program: &'a Program,
    pub words: Words,
    /// Symbols of unspecified bytes.
    bytes: FastMap<(u32, u64), Term>,
    n_unspecified: u32,
}

impl<'a> Store<'a> {
    pub fn new(program: &'a Program) -> Self {
        Store { program, words: Words::new(), bytes: FastMap::new(), n_unspecified: 0 }
    }
    /// Unspecified bytes that differ from all others.
    pub fn unspecified(&mut self) -> Background {
        self.n_unspecified += 1;
        Background::Unspecified(self.n_unspecified)
    }
    fn background_byte(&mut self, background: Background, offset: u64) -> Term {
        match background {
            Background::Zeros => self.words.number(8, 0),
            Background::First(object) => {
                let init = &self.program.objects[object].init;
                let byte = usize::try_from(offset).ok().and_then(|at| init.get(at)).copied().unwrap_or(0);
                self.words.number(8, u64::from(byte))
            }
            Background::Unspecified(number) => {
                if let Some(&known) = self.bytes.get(&(number, offset)) {
                    return known;
                }
                let symbol = self.words.symbol(&format!("byte!{number}!{offset}"), 8);
                self.bytes.insert((number, offset), symbol);
                symbol
            }
        }
    }
    fn byte(&mut self, object: &Object, offset: u64) -> Term {
        match object.cells.range(..=offset).next_back() {
            Some((&first, cell)) if offset - first < cell.bytes => {
                let low = 8 * (offset - first) as u32;
                self.words.extract(cell.word, low + 7, low)
            }
            _ => self.background_byte(object.background, offset),
        }
    }
    /// The word of this many bytes at the offset. The object has that many.
    pub fn read(&mut self, object: &Object, offset: u64, bytes: u64) -> Term {
        if let Some(cell) = object.cells.get(&offset)
            && cell.bytes == bytes
        {
            return cell.word;
        }
        let mut word = self.byte(object, offset);
        for at in offset + 1..offset + bytes {
            let upper = self.byte(object, at);
            word = self.words.concat(upper, word);
        }
        word
    }
    /// Writes the word at the offset.
    pub fn write(&mut self, object: &mut Object, offset: u64, bytes: u64, word: Term) {
        self.clear(object, offset, bytes);
        object.cells.insert(offset, Cell { bytes, word });
    }
    /// Takes the cells of these bytes away; what is left of cells that reach beyond stays.
    fn clear(&mut self, object: &mut Object, offset: u64, bytes: u64) {
        let end = offset + bytes;
        let from = match object.cells.range(..offset).next_back() {
            Some((&first, cell)) if first + cell.bytes > offset => first,
            _ => offset,
        };
        let touched: Vec<(u64, Cell)> = object.cells.range(from..end).map(|(&first, &cell)| (first, cell)).collect();
        for (first, cell) in touched {
            object.cells.remove(&first);
            for at in (first..first + cell.bytes).filter(|&at| at < offset || at >= end) {
                let low = 8 * (at - first) as u32;
                let word = self.words.extract(cell.word, low + 7, low);
                object.cells.insert(at, Cell { bytes: 1, word });
            }
        }
    }
    /// The bytes become unspecified.
    pub fn forget(&mut self, object: &mut Object, offset: u64, bytes: u64) {
        let fresh = self.unspecified();
        if offset == 0 && bytes >= object.capacity {
            object.cells.clear();
            object.background = fresh;
            return;
        }
        self.clear(object, offset, bytes);
        for at in offset..offset + bytes {
            let word = self.background_byte(fresh, at);
            object.cells.insert(at, Cell { bytes: 1, word });
        }
    }
    /// The object of two paths that meet: the first one's if the condition holds.
    pub fn merge(&mut self, when: Term, one: &Rc<Object>, other: &Rc<Object>) -> Option<Rc<Object>> {
        if Rc::ptr_eq(one, other) {
            return Some(Rc::clone(one));
        }
        let same = (one.capacity, one.span, one.size) == (other.capacity, other.span, other.size);
        let has_room = one.capacity <= crate::tuning::Tuning::DEFAULT.max_merged_bytes;
        if !same || one.background != other.background && !has_room {
            return None;
        }
        let mut merged = Object { cells: BTreeMap::new(), ..Object::clone(one) };
        merged.live = self.words.ite(when, one.live, other.live);
        let mut at = 0;
        let mut ends: Vec<u64> = one.cells.keys().chain(other.cells.keys()).copied().collect();
        if one.background != other.background {
            ends = (0..one.capacity).collect();
        }
        ends.sort_unstable();
        ends.dedup();
        for first in ends {
            if first < at {
                continue; // Part of a cell that was put together.
            }
            let (a, b) = (one.cells.get(&first).copied(), other.cells.get(&first).copied());
            match (a, b) {
                (Some(a), Some(b)) if a.bytes == b.bytes => {
                    let word = self.words.ite(when, a.word, b.word);
                    merged.cells.insert(first, Cell { bytes: a.bytes, word });
                    at = first + a.bytes;
                }
                _ => at = self.merge_apart(when, one, other, first, &mut merged),
            }
        }
        Some(Rc::new(merged))
    }
    /// Cells that do not match: up to the first offset that no cell of either path reaches over, as one word if one path has it so, otherwise byte by
    /// byte. Returns that offset.
    fn merge_apart(&mut self, when: Term, one: &Object, other: &Object, first: u64, merged: &mut Object) -> u64 {
        let mut end = first + 1;
        loop {
            let reach = |object: &Object| object.cells.range(first..end).map(|(&at, cell)| at + cell.bytes).max();
            let further = reach(one).max(reach(other)).unwrap_or(end).max(end);
            if further == end {
                break;
            }
            end = further;
        }
        let is_word = |object: &Object| object.cells.get(&first).is_some_and(|cell| first + cell.bytes == end);
        let step = if is_word(one) || is_word(other) { end - first } else { 1 };
        for at in (first..end).step_by(step as usize) {
            let (a, b) = (self.read(one, at, step), self.read(other, at, step));
            let word = self.words.ite(when, a, b);
            merged.cells.insert(at, Cell { bytes: step, word });
        }
        end
    }
    /// The term that `list` has for this offset, which is one of those in the list: a tree of choices by the bits of the offset.
    pub fn look_up(&mut self, offset: Term, list: &[(u64, Term)]) -> Term {
        let (first, rest) = list.split_first().expect("there is an offset");
        if rest.iter().all(|entry| entry.1 == first.1) {
            return first.1;
        }
        let differing = rest.iter().fold(0, |bits, entry| bits | (entry.0 ^ first.0));
        let bit = 63 - differing.leading_zeros();
        let (high, low): (Vec<_>, Vec<_>) = list.iter().partition(|entry| entry.0 >> bit & 1 == 1);
        let (high, low) = (self.look_up(offset, &high), self.look_up(offset, &low));
        if high == low {
            return high;
        }
        let one = self.words.number(1, 1);
        let value = self.words.extract(offset, bit, bit);
        let is_high = self.words.apply(Op::Eq, &[value, one]);
        self.words.ite(is_high, high, low)
    }
}
