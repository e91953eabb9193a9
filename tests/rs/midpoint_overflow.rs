// verdict: unsafe
// error: attempt to add with overflow
// The classic midpoint.
use uforia::any;

fn mid(low: u32, high: u32) -> u32 {
    (low + high) / 2
}

fn main() {
    let (low, high): (u32, u32) = any();
    if low <= high {
        let m = mid(low, high);
        assert!(low <= m && m <= high);
    }
}
