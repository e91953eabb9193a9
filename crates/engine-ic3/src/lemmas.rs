//! The lemmas of one cutpoint: cubes that are not reached within some number of steps.
//!
//! A lemma at level i holds at all levels up to i. Lemmas over words and over single bits are kept by the same rules; how the
//! solver knows them differs (see `frames` and `single_bits::frames`).

use term::Term;

use crate::cube::{Cube, Literal};

/// The level of invariants.
pub(crate) const FOREVER: u32 = u32::MAX;

/// A cube that is not reached within `level` steps.
#[derive(Clone, Debug)]
pub(crate) struct Lemma<L = Term> {
    pub cube: Cube<L>,
    pub level: u32,
}

/// All lemmas of a cutpoint, none of which follows from another.
#[derive(Clone)]
pub(crate) struct Lemmas<L = Term> {
    list: Vec<Lemma<L>>,
}

impl<L: Literal> Lemmas<L> {
    pub fn new() -> Self {
        Lemmas { list: Vec::new() }
    }
    /// Whether some lemma implies that the cube is not reached within `level` steps.
    pub fn cover(&self, cube: &Cube<L>, level: u32) -> bool {
        self.from(level).any(|lemma| lemma.cube.subsumes(cube))
    }
    /// Learns a lemma; those it makes needless go.
    pub fn add(&mut self, cube: Cube<L>, level: u32) {
        self.list.retain(|lemma| !(lemma.level <= level && cube.subsumes(&lemma.cube)));
        self.list.push(Lemma { cube, level });
    }
    /// Those of this level and above it, in the order in which they came.
    pub fn from(&self, level: u32) -> impl Iterator<Item = &Lemma<L>> {
        self.list.iter().filter(move |lemma| lemma.level >= level)
    }
    /// The cubes of this level alone.
    pub fn cubes_at(&self, level: u32) -> Vec<Cube<L>> {
        self.list.iter().filter(|lemma| lemma.level == level).map(|lemma| lemma.cube.clone()).collect()
    }
    /// Whether this very cube is still a lemma of the level.
    pub fn has(&self, cube: &Cube<L>, level: u32) -> bool {
        self.list.iter().any(|lemma| lemma.level == level && lemma.cube == *cube)
    }
    /// Whether no lemma stayed behind at the level.
    pub fn is_empty_at(&self, level: u32) -> bool {
        self.list.iter().all(|lemma| lemma.level != level)
    }
    pub fn iter(&self) -> impl Iterator<Item = &Lemma<L>> {
        self.list.iter()
    }
    pub fn len(&self) -> usize {
        self.list.len()
    }
}

#[cfg(test)]
mod tests {
    use base::Id;
    use encode::Cut;
    use sat::{Lit, SatVar};

    use super::*;

    #[test]
    fn a_lemma_that_says_more_takes_the_place_of_others_up_to_its_level() {
        let [a, b] = [0, 1].map(|number| SatVar(number).positive());
        let cube = |literals: &[Lit]| Cube::new(Cut::new(0), literals.to_vec());
        let mut lemmas = Lemmas::new();
        lemmas.add(cube(&[a, b]), 3);
        lemmas.add(cube(&[a]), 2);
        assert!(lemmas.len() == 2 && lemmas.cover(&cube(&[a, b]), 3) && !lemmas.cover(&cube(&[a]), 3));
        lemmas.add(cube(&[a]), 3);
        assert!(lemmas.len() == 1 && lemmas.has(&cube(&[a]), 3));
        assert!(lemmas.is_empty_at(2) && lemmas.cubes_at(3) == [cube(&[a])]);
    }
}
