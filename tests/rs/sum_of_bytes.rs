// verdict: safe
// A sum with a known bound.
use uforia::any;

fn main() {
    let a: [u8; 8] = any();
    let sum: u32 = a.iter().map(|&x| u32::from(x)).sum();
    assert!(sum <= 8 * 255);
}
