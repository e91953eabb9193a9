// verdict: unsafe
// error: inside a character
// A part of a string that ends inside a character.
use uforia::any;

fn main() {
    let k: usize = any();
    let s = "aé";
    if k <= s.len() {
        let t = &s[..k];
        assert!(t.len() == k);
    }
}
