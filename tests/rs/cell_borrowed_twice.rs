// verdict: unsafe
// error: already
// A cell that is borrowed while it is borrowed mutably.
use std::cell::RefCell;
use uforia::any;

fn main() {
    let b: bool = any();
    let a = RefCell::new(1u32);
    let g = a.borrow_mut();
    if b {
        let h = a.borrow();
        assert!(*h == 1);
    }
    drop(g);
}
