// verdict: safe
// A greatest common divisor is not zero.
use uforia::any;

fn main() {
    let (mut a, mut b): (u32, u32) = any();
    if a != 0 || b != 0 {
        while b != 0 {
            let r = a % b;
            a = b;
            b = r;
        }
        assert!(a != 0);
    }
}
