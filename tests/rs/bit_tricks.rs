// verdict: safe
// Saturation, overflow, rotation, counting.
use uforia::any;

fn main() {
    let x: u8 = any();
    assert!(x.saturating_add(200) >= 200);
    let (y, wrapped) = x.overflowing_add(100);
    assert!(wrapped == (y < 100));
    assert!(x.rotate_left(3).rotate_right(3) == x);
    assert!(x.count_ones() + x.count_zeros() == 8);
    assert!(x == 0 || x.leading_zeros() < 8);
}
