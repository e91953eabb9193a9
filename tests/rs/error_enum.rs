// verdict: safe
// Errors with data through `?`.
use uforia::any;

enum Fault {
    Odd(u32),
    Big,
}
fn first(x: u32) -> Result<u32, Fault> {
    if x % 2 == 1 { Err(Fault::Odd(x)) } else { Ok(x / 2) }
}
fn second(x: u32) -> Result<u32, Fault> {
    let y = first(x)?;
    if y > 1000 {
        return Err(Fault::Big);
    }
    Ok(y + 1)
}

fn main() {
    let x: u32 = any();
    match second(x) {
        Ok(y) => assert!(y <= 1001 && y - 1 == x / 2),
        Err(Fault::Odd(z)) => assert!(z % 2 == 1),
        Err(Fault::Big) => assert!(x > 2001),
    }
}
