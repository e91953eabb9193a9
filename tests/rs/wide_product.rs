// verdict: unsafe
// error: assertion failed
// A product of two words does not fit a word.
use uforia::any;

fn main() {
    let (a, b): (u64, u64) = any();
    let p = a as u128 * b as u128;
    assert!(p >> 64 == 0);
}
