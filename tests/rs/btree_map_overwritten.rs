// verdict: unsafe
// error: assertion failed
// Two keys of a map may be the same.
use std::collections::BTreeMap;
use uforia::any;

fn main() {
    let (a, b): (u8, u8) = any();
    let mut m = BTreeMap::new();
    m.insert(a, 1u32);
    m.insert(b, 2);
    assert!(m[&a] == 1);
}
