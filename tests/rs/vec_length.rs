// verdict: safe
// As many elements as were pushed.
use uforia::any;

fn main() {
    let n: u8 = any();
    let mut v: Vec<u8> = Vec::new();
    for i in 0..n {
        v.push(i);
    }
    assert!(v.len() == n as usize);
}
