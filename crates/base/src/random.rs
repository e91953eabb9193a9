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
