// verdict: safe
// A match on ranges chooses a word.
use uforia::any;

fn main() {
    let x: u8 = any();
    let words = ["small", "medium", "large"];
    let index = match x {
        0..=9 => 0,
        10..=99 => 1,
        _ => 2,
    };
    assert!(words[index].len() >= 5);
}
