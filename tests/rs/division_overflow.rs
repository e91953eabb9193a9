// verdict: unsafe
// error: attempt to divide with overflow
// The least number divided by minus one.
use uforia::any;

fn main() {
    let (a, b): (i32, i32) = any();
    if b != 0 {
        let q = a / b;
        assert!(q == 0 || a != 0);
    }
}
