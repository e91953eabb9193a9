// verdict: safe
// A match on arrays of enums with data.
use uforia::any;

#[derive(Clone, Copy, PartialEq)]
enum Tok {
    Num(u8),
    Plus,
    Minus,
    End,
}
fn eval(t: [Tok; 4]) -> Option<i32> {
    match t {
        [Tok::Num(a), Tok::Plus, Tok::Num(b), Tok::End] => Some(a as i32 + b as i32),
        [Tok::Num(a), Tok::Minus, Tok::Num(b), _] => Some(a as i32 - b as i32),
        _ => None,
    }
}
fn tok() -> Tok {
    match any::<u8>() % 4 {
        0 => Tok::Num(any()),
        1 => Tok::Plus,
        2 => Tok::Minus,
        _ => Tok::End,
    }
}

fn main() {
    let t = [tok(), tok(), tok(), tok()];
    if let Some(v) = eval(t) {
        assert!(v >= -255 && v <= 510);
    }
}
