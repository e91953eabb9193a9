// verdict: unsafe
// error: attempt to subtract with overflow
// The upper end falls below zero.
use uforia::any;

fn find(a: &[i32; 16], x: i32) -> Option<usize> {
    let (mut low, mut high) = (0, a.len() - 1);
    while low <= high {
        let mid = (low + high) / 2;
        if a[mid] == x {
            return Some(mid);
        }
        if a[mid] < x {
            low = mid + 1;
        } else {
            high = mid - 1;
        }
    }
    None
}

fn main() {
    let a: [i32; 16] = any();
    let x: i32 = any();
    if let Some(i) = find(&a, x) {
        assert!(a[i] == x);
    }
}
