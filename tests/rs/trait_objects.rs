// verdict: safe
// One of two implementations.
use uforia::any;

trait Shape {
    fn area(&self) -> u64;
}
struct Square(u32);
struct Oblong {
    w: u32,
    h: u32,
}
impl Shape for Square {
    fn area(&self) -> u64 {
        u64::from(self.0) * u64::from(self.0)
    }
}
impl Shape for Oblong {
    fn area(&self) -> u64 {
        u64::from(self.w) * u64::from(self.h)
    }
}

fn main() {
    let (square, oblong) = (Square(any()), Oblong { w: any(), h: any() });
    let shape: &dyn Shape = if any() { &square } else { &oblong };
    assert!(shape.area() <= 0xffff_fffe_0000_0001);
}
