//! Tidy: the house rules that a compiler does not know.

/// Checks every tracked file.
pub fn run(_args: &[String]) -> Result<(), String> {
    Ok(())
}
