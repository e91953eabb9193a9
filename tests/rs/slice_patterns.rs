// verdict: safe
// Patterns of slices of any length.
use uforia::any;

fn ends(s: &[u8]) -> u16 {
    match s {
        [] => 0,
        [x] => *x as u16,
        [a, .., b] => *a as u16 + *b as u16,
    }
}

fn main() {
    let a: [u8; 4] = any();
    let n: usize = any();
    if n <= 4 {
        assert!(ends(&a[..n]) <= 510);
    }
}
