//! Making a program small: runs of lines are left out for as long as what makes it interesting stays.

/// The smallest program that was found by leaving out lines, long runs first.
pub fn shrink(text: &str, is_interesting: &mut dyn FnMut(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        let mut removed = false;
        while at + size <= lines.len() {
            let mut fewer = lines.clone();
            fewer.drain(at..at + size);
            if is_interesting(&joined(&fewer)) {
                lines = fewer;
                removed = true;
            } else {
                at += 1;
            }
        }
        // Single lines again for as long as that helps: one may have kept another.
        if !(size == 1 && removed) {
            size = if size > 4 { size / 2 } else { size - 1 };
        }
    }
    joined(&lines)
}

fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_interesting_stays() {
        let text: String = (0..40).map(|line| format!("{line}\n")).collect();
        let small = shrink(&text, &mut |text| text.contains("7\n") && text.contains("31\n"));
        assert_eq!(small, "7\n31\n");
    }
}
