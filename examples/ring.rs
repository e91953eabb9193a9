// A ring buffer with room for four numbers. `push` wraps around one step late.
use uforia::any;

struct Ring {
    data: [u32; 4],
    tail: usize,
}

impl Ring {
    fn push(&mut self, x: u32) {
        if self.tail > 4 {
            self.tail = 0;
        }
        self.data[self.tail] = x;
        self.tail += 1;
    }
}

fn main() {
    let mut ring = Ring { data: [0; 4], tail: 0 };
    while any::<bool>() {
        ring.push(any());
    }
}
