//! The chores of the house, as commands: `cargo xtask check`.
fn main() {}
