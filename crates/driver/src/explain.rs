//! `uforia explain`: what the code of an `UNKNOWN` means, from the table of reasons.

use verdict::Code;
use verdict::reasons::{REASONS, list};

/// The page of a code, or the list of all codes. `Err` is a message for the user (exit code 64).
pub fn page(code: Option<&String>) -> Result<String, String> {
    let Some(name) = code else { return Ok(list()) };
    match Code::by_name(name) {
        Some(code) => Ok(code.reason().page()),
        None => Err(format!("there is no code `{name}`{}; `uforia explain` lists all codes", near(name))),
    }
}

/// The codes that a typing error, or a word of the title, would explain.
fn near(name: &str) -> String {
    let word = name.to_lowercase();
    let is_near = |known: &str, title: &str| {
        strsim::levenshtein(&word, &known.to_lowercase()) <= 1 || (word.len() >= 4 && title.contains(&word))
    };
    let found: Vec<String> = REASONS
        .iter()
        .filter(|reason| is_near(reason.name, reason.title))
        .map(|reason| format!("{} ({})", reason.name, reason.title))
        .collect();
    if found.is_empty() { String::new() } else { format!(": did you mean {}?", found.join(" or ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(code: &str) -> Result<String, String> {
        page(Some(&code.to_owned()))
    }

    #[test]
    fn a_code_has_a_page_and_a_wrong_one_its_neighbours() {
        assert!(said("u0104").is_ok_and(|text| text.starts_with("U0104: no error within the bound\n")));
        assert!(page(None).is_ok_and(|text| text.lines().count() == REASONS.len()));
        assert!(said("U0208").is_err_and(|text| text.contains("U0201 (") && text.contains("U0203 (")));
        assert!(said("recursion").is_err_and(|text| text.contains("did you mean U0202")));
        assert!(said("X").is_err_and(|text| !text.contains("did you mean")));
    }

    #[test]
    fn the_reasons_are_documented() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reasons.md");
        let text = verdict::reasons::document();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(file, &text).expect("the document can be written");
        }
        assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), text, "BLESS=1 writes docs/reasons.md");
    }
}
