// verdict: safe
// What `retain` leaves fits.
use uforia::any;

fn main() {
    let (a, b, c): (u8, u8, u8) = any();
    let mut v = vec![a, b, c];
    v.retain(|&x| x > 10);
    assert!(v.len() <= 3);
    for x in v {
        assert!(x > 10);
    }
}
