// verdict: unsafe
// error: attempt to shift right with overflow
// A shift by the width.
use uforia::any;

fn main() {
    let (x, s): (u32, u32) = any();
    if s <= 32 {
        assert!(x >> s <= x);
    }
}
