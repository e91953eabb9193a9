//! Ids that are types, and vectors that only the right id can index.
//!
//! `define_id!(Loc, "A location.")` makes a four-byte id; `IndexVec<Loc, Location>` is a plain
//! vector that a `Loc` indexes, so a location never reads an edge by mistake.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense, four-byte name for something kept in an [`IndexVec`].
pub trait Id: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {
    /// The id with this index.
    fn new(index: usize) -> Self;
    /// The index behind the id.
    fn index(self) -> usize;
}

/// Declares a four-byte id type.
#[macro_export]
macro_rules! define_id {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 of each kind of thing"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "{}"), self.0)
            }
        }
    };
}

/// A vector indexed by one kind of id.
#[derive(Clone, PartialEq, Eq)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> IndexVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        IndexVec { items: Vec::new(), id: PhantomData }
    }
    /// Appends and returns the new item's id.
    pub fn push(&mut self, item: T) -> I {
        let id = I::new(self.items.len());
        self.items.push(item);
        id
    }
    /// The id that the next `push` will return.
    pub fn next_id(&self) -> I {
        I::new(self.items.len())
    }
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether the vector is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }
    /// All items in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }
    /// All items in order, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
    /// Ids with their items, in order.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, item)| (I::new(i), item))
    }
    /// The item, if the id is in range.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }
    /// The items as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
    /// Grows to at least `len` items with copies of `item`.
    pub fn grow_to(&mut self, len: usize, item: T)
    where
        T: Clone,
    {
        if self.items.len() < len {
            self.items.resize(len, item);
        }
    }
}

impl<I: Id, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        IndexVec { items: iter.into_iter().collect(), id: PhantomData }
    }
}

impl<I: Id, T: std::fmt::Debug> std::fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter_enumerated()).finish()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I: Id, T> IntoIterator for IndexVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    define_id!(Apple, "An apple.");

    #[test]
    fn ids_name_items_in_the_order_of_pushing() {
        let mut apples: IndexVec<Apple, &str> = IndexVec::new();
        assert!(apples.is_empty());
        let next = apples.next_id();
        let (red, green) = (apples.push("red"), apples.push("green"));
        assert_eq!((next, apples.len()), (red, 2));
        apples[green] = "yellow";
        assert_eq!((apples[red], apples[green], apples.get(Apple::new(2))), ("red", "yellow", None));
        assert_eq!(apples.ids().collect::<Vec<_>>(), [red, green]);
        assert_eq!(apples.iter_enumerated().collect::<Vec<_>>(), [(red, &"red"), (green, &"yellow")]);
        assert_eq!(format!("{apples:?}"), "{Apple0: \"red\", Apple1: \"yellow\"}");
        apples.grow_to(1, "none");
        assert_eq!(apples.as_slice(), ["red", "yellow"]);
        apples.grow_to(3, "none");
        assert_eq!(apples.as_slice(), ["red", "yellow", "none"]);
        for apple in apples.iter_mut() {
            *apple = "eaten";
        }
        assert!((&apples).into_iter().all(|apple| *apple == "eaten"));
        let collected: IndexVec<Apple, &str> = ["eaten"; 3].into_iter().collect();
        assert!(collected == apples);
    }
    #[test]
    #[should_panic(expected = "fewer than 2^32")]
    fn more_things_than_ids_are_a_broken_law() {
        Apple::new(1 << 32);
    }
}
