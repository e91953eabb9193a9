// verdict: safe
// The squares of three numbers, collected; no input.
fn main() {
    let squares: Vec<u32> = [1u32, 2, 3].iter().map(|&x| x * x).collect();
    assert!(squares == vec![1, 4, 9]);
}
