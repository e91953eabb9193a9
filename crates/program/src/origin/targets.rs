//! Targets: the sites, with classes of offsets, that an address may be derived from.
//!
//! Of each site there are a few single offsets, or one class. A pointer that runs through an array would have an offset for each
//! round; beyond a few they become a class, so that sets stay small and a fixpoint is reached.

use crate::layout::Class;
use crate::tuning::Tuning;

/// Stands for every object: where values come from that the program does not make.
pub const OUTSIDE: u32 = u32::MAX;

/// A set of (site, class).
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Targets(Vec<(u32, Class)>);

impl Targets {
    /// What values carry that come from outside.
    pub fn outside() -> Targets {
        Targets(vec![(OUTSIDE, Class::ANY)])
    }
    /// The first byte of the objects of a site.
    pub fn base(site: u32) -> Targets {
        Targets(vec![(site, Class::exactly(0))])
    }
    /// All of them, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Class)> + '_ {
        self.0.iter().copied()
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Whether some come from outside.
    pub fn has_outside(&self) -> bool {
        self.0.last().is_some_and(|&(site, _)| site == OUTSIDE)
    }
    /// Adds one; whether it was new.
    pub fn insert(&mut self, site: u32, class: Class) -> bool {
        let start = self.0.partition_point(|&(other, _)| other < site);
        let end = self.0.partition_point(|&(other, _)| other <= site);
        if self.0[start..end].iter().any(|&(_, known)| known.covers(class)) {
            return false;
        }
        let has_class = class.stride != 0 || self.0[start..end].iter().any(|(_, known)| known.stride != 0);
        if !has_class && end - start < Tuning::DEFAULT.max_exact_offsets {
            let at = self.0.partition_point(|&known| known < (site, class));
            self.0.insert(at, (site, class));
            return true;
        }
        let all = self.0[start..end].iter().fold(class, |all, &(_, known)| all.join(known));
        self.0.splice(start..end, [(site, all)]);
        true
    }
    /// Adds all of them; whether something was new.
    pub fn add(&mut self, other: &Targets) -> bool {
        let mut changed = false;
        for &(site, class) in &other.0 {
            changed |= self.insert(site, class);
        }
        changed
    }
    /// These, with the offsets changed by a number of the class.
    #[must_use]
    pub fn shifted(&self, by: Class, width: u32) -> Targets {
        let mut all = Targets::default();
        for &(site, class) in &self.0 {
            all.insert(site, if site == OUTSIDE { Class::ANY } else { class.plus(by, width) });
        }
        all
    }
    /// The same sites at any offset.
    #[must_use]
    pub fn anywhere(&self) -> Targets {
        let mut all = Targets::default();
        for &(site, _) in &self.0 {
            all.insert(site, Class::ANY);
        }
        all
    }
}
