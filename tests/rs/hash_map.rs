// verdict: safe
// proof: not yet
// Two insertions leave at least one entry.
use std::collections::HashMap;

use uforia::any;

fn main() {
    let (a, b): (u8, u8) = any();
    let mut map = HashMap::new();
    map.insert(a, 1u32);
    map.insert(b, 2);
    assert!(!map.is_empty());
}
