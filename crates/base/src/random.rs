//! Random numbers from a seed, the same on every machine: xoshiro256** seeded by SplitMix64
//! ([BlackmanVigna-TOMS'21]).

/// A reproducible source of random numbers.
#[derive(Clone, Debug)]
pub struct Random([u64; 4]);

impl Random {
    /// The sequence that belongs to this seed.
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut split_mix = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Random([split_mix(), split_mix(), split_mix(), split_mix()])
    }
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }
    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below zero");
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }
    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        assert!(low <= high, "an empty range has no member");
        let size = (high as u64).wrapping_sub(low as u64).wrapping_add(1);
        let offset = if size == 0 { self.bits() } else { self.below(size) };
        low.wrapping_add(offset as i64)
    }
    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_numbers_and_different_seeds_different_ones() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            [(); 8].map(|()| random.bits())
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        // The first output for the state that SplitMix64 makes of seed zero, from the reference code.
        assert_eq!(Random::new(0).bits(), 0x99ec_5f36_cb75_f2b4);
    }
    #[test]
    fn numbers_stay_in_their_range_and_reach_its_ends() {
        let mut random = Random::new(1);
        let mut seen = [false; 5];
        for _ in 0..500 {
            seen[random.below(5) as usize] = true;
            let number = random.between(-2, 2);
            assert!((-2..=2).contains(&number));
            random.between(i64::MIN, i64::MAX);
        }
        assert_eq!(seen, [true; 5]);
        let hits = (0..4000).filter(|_| random.one_in(4)).count();
        assert!((800..1200).contains(&hits), "{hits} of 4000");
        let items = [1, 2, 3];
        assert!((0..100).map(|_| *random.pick(&items)).any(|item| item == 3));
    }
}
