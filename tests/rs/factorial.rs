// verdict: safe
// A recursive factorial of small numbers.
use uforia::any;

fn factorial(n: u32) -> u32 {
    if n < 2 { 1 } else { n * factorial(n - 1) }
}

fn main() {
    let n: u32 = any();
    if n < 6 {
        assert!(factorial(n) <= 120);
    }
}
