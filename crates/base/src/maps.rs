//! Maps that keep runs reproducible.
//!
//! The iteration order of a hash map is unspecified, so [`FastMap`] offers lookup but no iteration. Where the
//! order matters, [`OrderedMap`] iterates in the order of insertion.

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
    /// Whether the map is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<K: Eq + Hash, V, Q: ?Sized + Hash + hashbrown::Equivalent<K>> std::ops::Index<&Q> for FastMap<K, V> {
    type Output = V;
    fn index(&self, key: &Q) -> &V {
        self.0.get(key).expect("the key is in the map")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_map_remembers_the_last_value_of_each_key() {
        let mut map: FastMap<String, u32> = FastMap::new();
        assert!(map.is_empty());
        assert_eq!(map.insert("one".to_owned(), 1), None);
        assert_eq!(map.insert("one".to_owned(), 2), Some(1));
        *map.get_or_insert_with("two".to_owned(), || 5) += 1;
        *map.get_or_insert_with("two".to_owned(), || 9) += 1;
        assert_eq!((map["one"], map["two"], map.len()), (2, 7, 2));
        assert_eq!(map.remove("one"), Some(2));
        assert!(!map.contains_key("one") && map.get("two") == Some(&7));
        *map.get_mut("two").unwrap() = 0;
        assert_eq!(map.get("two"), Some(&0));
        map.clear();
        assert_eq!(map.len(), 0);
    }
    #[test]
    fn an_ordered_map_walks_in_the_order_of_insertion() {
        let mut map: OrderedMap<u32, ()> = OrderedMap::default();
        for key in [5, 3, 9, 3, 1] {
            map.insert(key, ());
        }
        assert_eq!(map.keys().copied().collect::<Vec<_>>(), [5, 3, 9, 1]);
    }
}
