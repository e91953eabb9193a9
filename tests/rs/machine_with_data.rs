// verdict: safe
// A machine whose states hold data; the loop has no end.
use uforia::any;

#[derive(Clone, Copy, PartialEq, Eq)]
enum S {
    Idle,
    Open(u8),
    Closed,
}

fn main() {
    let mut s = S::Idle;
    let mut opened = false;
    loop {
        s = match (s, any::<u8>()) {
            (S::Idle, 1) => {
                opened = true;
                S::Open(0)
            }
            (S::Open(n), 2) if n < 5 => S::Open(n + 1),
            (S::Open(_), 3) => S::Closed,
            (x, _) => x,
        };
        if let S::Open(n) = s {
            assert!(n <= 5);
        }
        if s == S::Closed {
            assert!(opened);
        }
    }
}
