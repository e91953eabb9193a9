// verdict: safe
// Three digits with checked arithmetic.
use uforia::any;

fn parse(s: &[u8]) -> Option<u8> {
    let mut v: u8 = 0;
    for &c in s {
        if !c.is_ascii_digit() {
            return None;
        }
        v = v.checked_mul(10)?.checked_add(c - b'0')?;
    }
    Some(v)
}

fn main() {
    let s: [u8; 3] = any();
    if let Some(v) = parse(&s) {
        let digit = |i: usize| u32::from(s[i]) - 48;
        assert!(u32::from(v) == digit(0) * 100 + digit(1) * 10 + digit(2));
    }
}
