// verdict: safe
// Either the number or its successor is even.
use uforia::any;

fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

fn main() {
    let x: u32 = any();
    let y = half(x).or_else(|| half(x.wrapping_add(1))).unwrap();
    assert!(y <= x / 2 + 1);
}
