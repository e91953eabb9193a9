// verdict: unsafe
// error: attempt to add with overflow
// A sum in too small a type.
use uforia::any;

fn main() {
    let a: [u8; 4] = any();
    let sum: u8 = a.iter().sum();
    assert!(sum > 0 || a[0] == 0);
}
