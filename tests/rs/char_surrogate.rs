// verdict: unsafe
// error: on a `None` value
// Surrogates are no characters.
use uforia::any;

fn main() {
    let x: u32 = any();
    if x < 0x11_0000 {
        let c = char::from_u32(x).unwrap();
        assert!(c as u32 == x);
    }
}
