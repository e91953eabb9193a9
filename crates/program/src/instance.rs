//! How to speak of a run of the program as the front end lowered it, calls and memory included.
//!
//! Engines work on a program whose calls are inlined and whose local structs have become variables;
//! evidence speaks of the program as lowered. The words in between are here: a [`Frame`] is one
//! activation of a function, named by the call edges that lead to it from the entry function; a
//! [`Point`] is a location in a frame; an [`Instance`] is a variable, or some bytes of an object,
//! in a frame.

use crate::{EdgeId, Loc, ObjectId, Var};

/// An activation: the call edges from the entry function down to it; empty for the entry function,
/// and by convention for whatever lives as long as the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Frame(pub Vec<EdgeId>);

impl Frame {
    /// The frame of the function that this call, made in this frame, activates.
    pub fn callee(&self, call: EdgeId) -> Frame {
        let mut calls = self.0.clone();
        calls.push(call);
        Frame(calls)
    }
}

/// A location in a frame.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The activation.
    pub frame: Frame,
    /// The location, of the function that the frame activates.
    pub loc: Loc,
}

/// What can hold a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Storage {
    /// A variable; an address variable too.
    Variable(Var),
    /// Some bytes of an object, read as one little-endian word.
    Bytes {
        /// The object.
        object: ObjectId,
        /// The first byte.
        offset: u64,
        /// How many bytes.
        size: u64,
    },
    /// The contents of an object as an array from byte offsets (as wide as a pointer) to elements; only
    /// offsets that are multiples of the element's size, and inside the object, mean anything.
    Array {
        /// The object.
        object: ObjectId,
        /// Bytes of an element.
        element: u64,
    },
    /// Whether an automatic object that a block ends is live.
    Live {
        /// The object.
        object: ObjectId,
    },
    /// A column of the layout that comes with the evidence: a word, or an array of them. Named in the entry function's frame.
    Column {
        /// Its place in the layout.
        column: u32,
    },
    /// An array from addresses to one bit: whether an object of a site that makes many begins there, or did.
    Used,
    /// The address of the object that an `Alloc` edge makes in this frame, if runs take it at most once.
    Allocated {
        /// The edge.
        edge: EdgeId,
    },
    /// What is recorded of the object that an `Alloc` edge made last in this frame.
    Heap {
        /// The edge.
        edge: EdgeId,
        /// What of it.
        part: HeapPart,
    },
    /// An array from addresses to tags: which site's object begins there and is live, zero for none.
    Tags,
}

/// What is recorded of an allocated object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HeapPart {
    /// Its address.
    Base,
    /// Its size.
    Size,
    /// Whether it is live: a truth value.
    Live,
}

impl Storage {
    /// Whether it is named in words of the program as lowered, whichever pass made it.
    pub(crate) fn is_of_lowered(self) -> bool {
        matches!(
            self,
            Storage::Column { .. } | Storage::Used | Storage::Allocated { .. } | Storage::Heap { .. } | Storage::Tags
        )
    }
}

/// Storage in a frame: that of the owner for what belongs to a function, otherwise empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance {
    /// The activation.
    pub frame: Frame,
    /// What holds the value there.
    pub storage: Storage,
}
