// verdict: safe
// Lower case and upper case are 32 apart.
use uforia::any;

fn main() {
    let c: char = any();
    if c.is_ascii_lowercase() {
        let u = c.to_ascii_uppercase();
        assert!(u.is_ascii_uppercase());
        assert!(u as u32 + 32 == c as u32);
    }
}
