// verdict: unsafe
// error: attempt to add with overflow
// A boxed closure that was returned.
use uforia::any;

fn adder(k: i32) -> Box<dyn Fn(i32) -> i32> {
    Box::new(move |x| x + k)
}

fn main() {
    let (k, x): (i32, i32) = any();
    let f = adder(k);
    if k > 0 {
        assert!(f(x) > x);
    }
}
