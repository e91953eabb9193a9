// verdict: unsafe
// error: assertion failed
// The position of a missing element may be the length.
use uforia::any;

fn main() {
    let x: u8 = any();
    let v = [1u8, 3, 5, 7];
    match v.binary_search(&x) {
        Ok(i) => assert!(v[i] == x),
        Err(i) => assert!(i < 4),
    }
}
