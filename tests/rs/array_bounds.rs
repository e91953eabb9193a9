// verdict: unsafe
// error: index out of bounds
// One index too many.
use uforia::any;

fn main() {
    let table = [3u32, 5, 8, 13];
    let i: usize = any();
    if i <= 4 {
        let x = table[i];
        assert!(x < 100);
    }
}
