// verdict: unsafe
// error: assertion failed
// A largest element that starts from zero.
use uforia::any;

fn max(s: &[i32]) -> i32 {
    let mut m = 0;
    for &x in s {
        if x > m {
            m = x;
        }
    }
    m
}

fn main() {
    let a: [i32; 3] = any();
    let m = max(&a);
    assert!(a.contains(&m));
}
