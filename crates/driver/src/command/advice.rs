//! What to do next when there is no answer: the hint of the reason's code, for new users.

use verdict::{Code, Group};

use crate::options::Settings;

/// The hint for this reason; none if the reason explains itself.
pub fn advice(code: Code, settings: &Settings) -> Option<String> {
    // An engine that gives up by itself was not the right one.
    if let (Group::GaveUp, Some(engine)) = (code.group(), &settings.engine) {
        return Some(format!("{engine} alone has no answer; without --engine several work together"));
    }
    let hint = code.reason().hint;
    (!hint.is_empty()).then(|| hint.replace("FILE", &settings.file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Command;

    #[test]
    fn reasons_come_with_a_way_out() {
        let mut settings = Settings::new(Command::Check);
        settings.file = "a.c".to_owned();
        let said = |code| advice(code, &settings).unwrap_or_default();
        assert!(said(Code::OutOfTime).contains("--timeout"));
        assert!(said(Code::Recursion).contains("uforia run --random 1000 a.c"));
        assert!(said(Code::NoBody).contains("nondet"));
        assert!(said(Code::Bounded).contains("--unwind"));
        assert_eq!(said(Code::InvalidProgram), "", "the diagnostics explain more");
        assert_eq!(said(Code::Interrupted), "");
    }

    #[test]
    fn an_engine_that_gives_up_is_not_the_only_one() {
        let mut settings = Settings::new(Command::Check);
        assert!(advice(Code::States, &settings).is_some_and(|text| text.contains("--random")));
        settings.engine = Some("explicit".to_owned());
        assert!(advice(Code::States, &settings).is_some_and(|text| text.contains("without --engine")));
    }
}
