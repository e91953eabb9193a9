//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

crate::settings! {
    /// Shared parts.
    pub fixed struct Tuning for "base" {
        /// An attempt gets two to the power of this times more effort than the one before.
        attempt_growth_log2: u32 = 3, 1..=16, Factor;
    }
}
