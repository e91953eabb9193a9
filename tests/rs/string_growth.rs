// verdict: unsafe
// error: panic
// A string reaches a length.
use uforia::any;

fn main() {
    let mut s = String::new();
    while any::<bool>() {
        s.push('x');
        if s.len() == 9 {
            panic!("nine");
        }
    }
}
