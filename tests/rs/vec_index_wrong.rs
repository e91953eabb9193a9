// verdict: unsafe
// error: index out of bounds
// An index that is not compared with the length.
use uforia::any;

fn main() {
    let n: usize = any();
    uforia::assume(n < 10);
    let mut v = Vec::new();
    for i in 0..n {
        v.push(i as u32);
    }
    let k: usize = any();
    uforia::assume(k < 10);
    let y = v[k];
    assert!(y < 10);
}
