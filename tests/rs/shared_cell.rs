// verdict: safe
// A cell with two owners.
use std::cell::RefCell;
use std::rc::Rc;
use uforia::any;

fn main() {
    let x: u32 = any();
    let a = Rc::new(RefCell::new(x));
    let b = Rc::clone(&a);
    *b.borrow_mut() = x.wrapping_add(1);
    assert!(*a.borrow() == x.wrapping_add(1));
    assert!(Rc::strong_count(&a) == 2);
}
