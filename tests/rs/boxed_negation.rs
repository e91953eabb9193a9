// verdict: unsafe
// error: attempt to negate with overflow
// A boxed operation negates the least number.
use uforia::any;

trait Op {
    fn apply(&self, x: i32) -> i32;
}
struct Negate;
struct Double;
impl Op for Negate {
    fn apply(&self, x: i32) -> i32 {
        -x
    }
}
impl Op for Double {
    fn apply(&self, x: i32) -> i32 {
        x.wrapping_mul(2) | 1
    }
}

fn main() {
    let x: i32 = any();
    let op: Box<dyn Op> = if any() { Box::new(Negate) } else { Box::new(Double) };
    if x < 1000 {
        let y = op.apply(x);
        assert!(y > i32::MIN);
    }
}
