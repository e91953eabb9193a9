// verdict: safe
// Checked arithmetic agrees with a wider type.
use uforia::any;

fn combine(a: i32, b: i32) -> Option<i32> {
    a.checked_mul(3)?.checked_add(b)
}

fn main() {
    let (a, b): (i32, i32) = any();
    if let Some(y) = combine(a, b) {
        assert!(i64::from(y) == i64::from(a) * 3 + i64::from(b));
    }
}
