// verdict: safe
// A ring buffer keeps its length.
use uforia::any;

struct Ring {
    data: [u32; 8],
    head: usize,
    len: usize,
}
impl Ring {
    fn push(&mut self, x: u32) -> bool {
        if self.len == 8 {
            return false;
        }
        self.data[(self.head + self.len) % 8] = x;
        self.len += 1;
        true
    }
    fn pop(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let x = self.data[self.head];
        self.head = (self.head + 1) % 8;
        self.len -= 1;
        Some(x)
    }
}

fn main() {
    let mut ring = Ring { data: [0; 8], head: 0, len: 0 };
    while any::<bool>() {
        if any::<bool>() {
            ring.push(any());
        } else {
            let before = ring.len;
            match ring.pop() {
                Some(_) => assert!(ring.len + 1 == before),
                None => assert!(before == 0),
            }
        }
        assert!(ring.len <= 8);
    }
}
