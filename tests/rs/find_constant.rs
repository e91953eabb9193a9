// verdict: safe
// A search in a constant array, no input.
fn main() {
    let a = [4u32, 8, 15, 16, 23, 42];
    let found = a.iter().find(|&&x| x > 20);
    assert!(found == Some(&23));
}
