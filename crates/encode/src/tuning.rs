//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// From programs to formulas.
    pub fixed struct Tuning for "encode" {
        /// An address is stated to be distinct from at most this many others.
        max_distinct_addresses: usize = 40, 0..=1 << 20, Terms;
    }
}
