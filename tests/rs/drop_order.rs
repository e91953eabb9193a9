// verdict: safe
// Values are dropped in reverse order.
use std::cell::Cell;

struct D<'a>(&'a Cell<u32>, u32);
impl Drop for D<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() * 10 + self.1);
    }
}

fn main() {
    let c = Cell::new(0);
    {
        let _a = D(&c, 1);
        let _b = D(&c, 2);
    }
    assert!(c.get() == 21);
}
