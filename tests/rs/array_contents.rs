// verdict: safe
// A table with a law.
use uforia::any;

fn main() {
    let table = [1u32, 2, 3, 4];
    let i: usize = any();
    if i < 4 {
        assert!(table[i] == i as u32 + 1);
    }
}
