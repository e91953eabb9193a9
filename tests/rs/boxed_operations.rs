// verdict: safe
// A vector of boxed trait objects, applied in order.
use uforia::any;

trait Op {
    fn run(&self, x: u8) -> u8;
}
struct Add(u8);
struct Not;
impl Op for Add {
    fn run(&self, x: u8) -> u8 {
        x.wrapping_add(self.0)
    }
}
impl Op for Not {
    fn run(&self, x: u8) -> u8 {
        !x
    }
}

fn main() {
    let x: u8 = any();
    let ops: Vec<Box<dyn Op>> = vec![Box::new(Add(1)), Box::new(Not), Box::new(Add(1)), Box::new(Not)];
    let mut y = x;
    for o in &ops {
        y = o.run(y);
    }
    assert!(y == x);
}
