//! Maps that keep runs reproducible.
//!
//! The order of a hash map is an accident, so [`FastMap`] does not offer one: it can be asked but
//! not walked. Where the order matters, [`OrderedMap`] walks in the order of insertion.

use std::hash::{BuildHasherDefault, Hash};

use rustc_hash::FxHasher;

/// A map and set that remember the order of insertion.
pub type OrderedMap<K, V> = indexmap::IndexMap<K, V, BuildHasherDefault<FxHasher>>;
/// A set that remembers the order of insertion.
pub type OrderedSet<K> = indexmap::IndexSet<K, BuildHasherDefault<FxHasher>>;

/// A fast hash map without iteration.
#[derive(Clone, Debug)]
pub struct FastMap<K, V>(hashbrown::HashMap<K, V, BuildHasherDefault<FxHasher>>);

impl<K, V> Default for FastMap<K, V> {
    fn default() -> Self {
        FastMap(hashbrown::HashMap::default())
    }
}

impl<K: Eq + Hash, V> FastMap<K, V> {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }
    /// The value for this key.
    pub fn get<Q: ?Sized + Hash + hashbrown::Equivalent<K>>(&self, key: &Q) -> Option<&V> {
        self.0.get(key)
    }
    /// The value for this key, to be changed.
    pub fn get_mut<Q: ?Sized + Hash + hashbrown::Equivalent<K>>(&mut self, key: &Q) -> Option<&mut V> {
        self.0.get_mut(key)
    }
    /// Whether the key is present.
    pub fn contains_key<Q: ?Sized + Hash + hashbrown::Equivalent<K>>(&self, key: &Q) -> bool {
        self.0.contains_key(key)
    }
    /// Inserts and returns what was there before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.0.insert(key, value)
    }
    /// Removes and returns what was there.
    pub fn remove<Q: ?Sized + Hash + hashbrown::Equivalent<K>>(&mut self, key: &Q) -> Option<V> {
        self.0.remove(key)
    }
    /// The value for this key, made now if it was absent.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        self.0.entry(key).or_insert_with(make)
    }
    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
