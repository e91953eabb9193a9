// verdict: unsafe
// error: capacity overflow
// A vector cannot have more bytes than an address counts.
use uforia::any;

fn main() {
    let n: usize = any();
    let v: Vec<u64> = Vec::with_capacity(n);
    assert!(v.is_empty());
}
