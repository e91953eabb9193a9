// verdict: safe
// A generic function at one type.
use uforia::any;

fn clamp<T: PartialOrd>(x: T, low: T, high: T) -> T {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

fn main() {
    let x: i32 = any();
    let y = clamp(x, -10, 10);
    assert!((-10..=10).contains(&y));
}
