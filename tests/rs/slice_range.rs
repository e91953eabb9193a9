// verdict: unsafe
// error: slice index
// The end may lie before the start.
use uforia::any;

fn main() {
    let a = [1u8; 16];
    let (i, j): (usize, usize) = any();
    if j <= 16 {
        let part = &a[i..j];
        assert!(part.len() <= 16);
    }
}
