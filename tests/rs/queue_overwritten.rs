// verdict: unsafe
// error: assertion failed
// A queue without a limit overwrites its first element.

struct Q {
    d: [u8; 4],
    h: usize,
    t: usize,
}
impl Q {
    fn push(&mut self, x: u8) {
        self.d[self.t % 4] = x;
        self.t += 1;
    }
    fn pop(&mut self) -> Option<u8> {
        if self.h == self.t {
            return None;
        }
        let x = self.d[self.h % 4];
        self.h += 1;
        Some(x)
    }
}

fn main() {
    let mut q = Q { d: [0; 4], h: 0, t: 0 };
    for i in 0..5 {
        q.push(i + 1);
    }
    assert!(q.pop() == Some(1));
}
