// verdict: safe
// Errors of a conversion, by `?` and `map_err`.
use uforia::any;

#[derive(Debug)]
enum Error {
    Neg,
    Large(i64),
}
fn check(x: i64) -> Result<u32, Error> {
    if x < 0 {
        return Err(Error::Neg);
    }
    u32::try_from(x).map_err(|_| Error::Large(x))
}
fn add(x: i64, y: i64) -> Result<u64, Error> {
    Ok(check(x)? as u64 + check(y)? as u64)
}

fn main() {
    let (x, y): (i64, i64) = any();
    match add(x, y) {
        Ok(s) => assert!(s as i64 == x + y),
        Err(Error::Neg) => assert!(x < 0 || y < 0),
        Err(Error::Large(z)) => assert!(z > 4294967295),
    }
}
