// verdict: unsafe
// error: overflow
// The same without checks.
use uforia::any;

fn parse(s: &[u8]) -> u8 {
    let mut v: u8 = 0;
    for &c in s {
        if !c.is_ascii_digit() {
            return 0;
        }
        v = v * 10 + (c - b'0');
    }
    v
}

fn main() {
    let s: [u8; 3] = any();
    let v = parse(&s);
    assert!(v < 255);
}
