// verdict: safe
// Below n there are n / 2 odd numbers.
use uforia::any;

fn main() {
    let n: u32 = any();
    let (mut i, mut odd) = (0u32, 0u32);
    while i < n {
        if i % 2 == 1 {
            odd += 1;
        }
        i += 1;
    }
    assert!(odd == n / 2);
}
