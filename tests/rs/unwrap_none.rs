// verdict: unsafe
// error: on a `None` value
// `unwrap` of nothing.
use uforia::any;

fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

fn main() {
    let x: u32 = any();
    let y = half(x).unwrap();
    assert!(y <= x);
}
