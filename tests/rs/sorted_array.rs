// verdict: safe
// Sorting by the standard library.
use uforia::any;

fn main() {
    let mut a: [u8; 3] = any();
    a.sort();
    assert!(a[0] <= a[1] && a[1] <= a[2]);
}
