//! Arrays as values: old versions stay readable, and the newest is as fast as a plain table.
//!
//! [Baker-SIGPLAN'91]: all versions of an array share one table. The version read or written last owns it; any other says
//! how it differs from its neighbour, and when it is read, the table is turned around along that path. So
//! a program that only goes forward pays a table access for each read and write.
//!
//! An array of unspecified contents draws an element when it is first read; the table remembers it for all
//! versions that have not written it.

use base::FastMap;

use super::memory::Asked;

/// What elements are that the table does not hold.
#[derive(Clone, Copy, Debug)]
enum Rest {
    Value(u64),
    Drawn(Asked),
}

/// One version of an array.
#[derive(Debug)]
enum Version {
    /// Owns the table.
    Newest(FastMap<u64, u64>),
    /// As the neighbour, but for this element; none: as the rest.
    Differs { index: u64, element: Option<u64>, from: u32 },
}

/// All arrays of a run. A handle is a number; zero is the array that holds zero everywhere.
#[derive(Debug)]
pub(super) struct Arrays {
    versions: Vec<Version>,
    rests: Vec<Rest>,
    /// By version: the table that it shares.
    families: Vec<u32>,
    /// By table: the indices that were ever written or learnt, perhaps more than once.
    touched: Vec<Vec<u64>>,
}

impl Arrays {
    pub(super) fn new() -> Self {
        let mut arrays = Arrays { versions: Vec::new(), rests: Vec::new(), families: Vec::new(), touched: Vec::new() };
        arrays.constant(0);
        arrays
    }
    /// Roughly how many bytes they take.
    pub(super) fn used(&self) -> u64 {
        self.versions.len() as u64 * 80
    }
    /// The array with this element everywhere.
    pub(super) fn constant(&mut self, element: u64) -> u64 {
        self.fresh(Rest::Value(element))
    }
    /// An array of unspecified contents.
    pub(super) fn drawn(&mut self, asked: Asked) -> u64 {
        self.fresh(Rest::Drawn(asked))
    }
    fn fresh(&mut self, rest: Rest) -> u64 {
        self.versions.push(Version::Newest(FastMap::new()));
        self.rests.push(rest);
        self.families.push(self.touched.len() as u32);
        self.touched.push(Vec::new());
        self.versions.len() as u64 - 1
    }
    /// The indices at which the array may hold something else than everywhere.
    pub(super) fn touched(&self, array: u64) -> &[u64] {
        &self.touched[self.families[array as usize] as usize]
    }
    /// The source of elements that are not known.
    pub(super) fn asked(&self, array: u64) -> Option<Asked> {
        match self.rests[array as usize] {
            Rest::Value(_) => None,
            Rest::Drawn(asked) => Some(asked),
        }
    }
    /// The element that stands wherever nothing was written.
    pub(super) fn constant_rest(&self, array: u64) -> u64 {
        match self.rests[array as usize] {
            Rest::Value(value) => value,
            Rest::Drawn(_) => unreachable!("an array of unspecified contents has no such element"),
        }
    }

    /// The element; or its source, whose answer the caller passes to `learn`.
    pub(super) fn select(&mut self, array: u64, index: u64) -> Result<u64, Asked> {
        match self.table(array).get(&index) {
            Some(&element) => Ok(element),
            None => match self.rests[array as usize] {
                Rest::Value(value) => Ok(value),
                Rest::Drawn(asked) => Err(asked),
            },
        }
    }
    /// An element of unspecified contents is known now.
    pub(super) fn learn(&mut self, array: u64, index: u64, element: u64) {
        self.touched[self.families[array as usize] as usize].push(index);
        self.table(array).insert(index, element);
    }
    /// The array with one element changed.
    pub(super) fn store(&mut self, array: u64, index: u64, element: u64) -> u64 {
        let new = self.versions.len() as u64;
        let mut table = std::mem::take(self.table(array));
        let before = table.insert(index, element);
        self.versions[array as usize] = Version::Differs { index, element: before, from: new as u32 };
        self.versions.push(Version::Newest(table));
        self.rests.push(self.rests[array as usize]);
        let family = self.families[array as usize];
        self.families.push(family);
        self.touched[family as usize].push(index);
        new
    }

    /// The table, turned so that it belongs to this version.
    fn table(&mut self, array: u64) -> &mut FastMap<u64, u64> {
        let mut path = vec![array as u32];
        while let Version::Differs { from, .. } = self.versions[path[path.len() - 1] as usize] {
            path.push(from);
        }
        for pair in path.windows(2).rev() {
            let (older, newest) = (pair[0], pair[1]);
            let Version::Differs { index, element, .. } = self.versions[older as usize] else {
                unreachable!("the path leads along differences");
            };
            let Version::Newest(table) = &mut self.versions[newest as usize] else {
                unreachable!("the path ends at the newest version");
            };
            let mut table = std::mem::take(table);
            let before = match element {
                Some(element) => table.insert(index, element),
                None => table.remove(&index),
            };
            self.versions[newest as usize] = Version::Differs { index, element: before, from: older };
            self.versions[older as usize] = Version::Newest(table);
        }
        match &mut self.versions[array as usize] {
            Version::Newest(table) => table,
            Version::Differs { .. } => unreachable!("the table was turned to this version"),
        }
    }
}

#[cfg(test)]
mod tests {
    use base::{Id, Random};

    use super::*;
    use crate::InputId;

    #[test]
    fn every_version_keeps_its_elements() {
        let mut random = Random::new(5);
        let mut arrays = Arrays::new();
        // Each handle with the plain table that it must agree with.
        let mut models = vec![(0, [0u64; 8])];
        for step in 0..2000 {
            let (array, model) = *random.pick(&models);
            let index = random.below(8);
            if random.one_in(2) {
                let mut changed = model;
                changed[index as usize] = step;
                models.push((arrays.store(array, index, step), changed));
            }
            assert_eq!(arrays.select(array, index), Ok(model[index as usize]));
        }
    }

    #[test]
    fn an_element_is_drawn_once_for_all_versions_that_have_not_written_it() {
        let mut arrays = Arrays::new();
        let asked = Asked { input: InputId::new(3), occurrence: 1 };
        let first = arrays.drawn(asked);
        let second = arrays.store(first, 4, 44);
        assert_eq!(arrays.select(first, 4), Err(asked));
        arrays.learn(first, 4, 7);
        assert_eq!((arrays.select(second, 4), arrays.select(first, 4)), (Ok(44), Ok(7)));
        assert_eq!(arrays.select(second, 5), Err(asked));
        arrays.learn(second, 5, 9);
        assert_eq!((arrays.select(first, 5), arrays.select(second, 5)), (Ok(9), Ok(9)));
    }
}
