// verdict: safe
// An iterator of the program counts as far as it is asked to.
use uforia::any;

struct Count {
    n: u32,
    end: u32,
}
impl Iterator for Count {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        if self.n < self.end {
            self.n += 1;
            Some(self.n - 1)
        } else {
            None
        }
    }
}

fn main() {
    let end: u32 = any();
    let mut last = 0;
    let mut k = 0u32;
    for x in (Count { n: 0, end }) {
        last = x;
        k += 1;
    }
    assert!(k == end);
    assert!(end == 0 || last == end - 1);
}
