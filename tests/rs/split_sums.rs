// verdict: safe
// proof: not yet
// The sums of both halves are the whole.
use uforia::any;

fn sum(part: &[u8]) -> u32 {
    let mut total = 0;
    for &x in part {
        total += u32::from(x);
    }
    total
}

fn main() {
    let a: [u8; 6] = any();
    let k: usize = any();
    if k <= 6 {
        let (left, right) = a.split_at(k);
        assert!(sum(left) + sum(right) == sum(&a));
    }
}
