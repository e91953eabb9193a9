// verdict: unsafe
// error: assertion failed
// One element is left out.
use uforia::any;

fn main() {
    let n: u8 = any();
    let mut v: Vec<u8> = Vec::with_capacity(300);
    for i in 0..n {
        if i != 3 {
            v.push(i);
        }
    }
    assert!(v.len() == n as usize);
}
