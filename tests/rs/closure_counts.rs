// verdict: safe
// A closure changes what it captures, in a loop without a fixed number of rounds.
use uforia::any;

fn apply<F: FnMut(u32)>(mut f: F, n: u32) {
    for i in 0..n {
        f(i);
    }
}

fn main() {
    let n: u32 = any();
    uforia::assume(n <= 100);
    let mut c = 0u32;
    apply(|_| c += 1, n);
    assert!(c == n);
}
