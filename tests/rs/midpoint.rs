// verdict: safe
// The midpoint without overflow.
use uforia::any;

fn mid(low: u32, high: u32) -> u32 {
    low + (high - low) / 2
}

fn main() {
    let (low, high): (u32, u32) = any();
    if low <= high {
        let m = mid(low, high);
        assert!(low <= m && m <= high);
    }
}
