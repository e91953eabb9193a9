// verdict: unsafe
// error: attempt to multiply with overflow
// A power that does not fit.
use uforia::any;

fn main() {
    let x: u8 = any();
    let y = (x as u32).pow(5);
    assert!(y >= x as u32);
}
