//! What to do next when there is no answer: one sentence for each kind of reason, for people who meet it for the first time. Reasons that explain
//! themselves (a diagnostic, an interruption) have none; every other reason has one.

use crate::options::Settings;

/// Beginnings or parts of reasons, and what helps. The first that fits is said.
const ADVICE: &[(&str, &str)] = &[
    ("interrupted", ""),
    (
        "nothing to verify",
        "state what must hold: assert(…), a call of reach_error() where it must not come, or another --property (`--list-assertions` shows what is found)",
    ),
    ("evidence rejected", "other engines may have an answer (--engine bmc, kind, euf, …); please report this one"),
    ("internal error", "please report it with the input file; another --engine may have an answer"),
    (
        "out of time",
        "give it more time (--timeout), or ask about one assertion at a time (--list-assertions, --assertion N)",
    ),
    ("out of memory", "give it more memory (--memory), or try one engine alone (--engine bmc, kind, …)"),
    (
        "unsupported recursion",
        "rewrite the recursion as a loop; `uforia run --random 1000 FILE` looks for failing runs all the same",
    ),
    ("unsupported", "`uforia run --random 1000 FILE` looks for failing runs all the same"),
    (
        "only through undefined behaviour",
        "the error may be real, but the operation named before it already has no meaning in C: mend that first (`--property no-overflow` \
         checks overflow, division and shifts)",
    ),
    (
        "which has no body",
        "give the function a body, or use __VERIFIER_nondet_int() and its sisters for values that may be anything",
    ),
    (
        "floating-point",
        "floats are only compared for equality so far; `uforia run --random 1000 FILE` executes them exactly",
    ),
    (
        "memory that is not modelled",
        "memory behind real pointers is any value so far; arrays and variables that are accessed by name are exact",
    ),
    ("iterations of the loops", "raise --unwind, or leave --engine out: other engines prove loops without a bound"),
    ("not a valid program", ""),
    ("cannot read", ""),
];

/// For a reason that no line of the table fits.
const OTHERWISE: &str =
    "`-v` says what each engine did; `uforia run --random 1000 FILE` looks for failing runs all the same";

/// What helps against this reason, if something does.
pub fn advice(reason: &str, settings: &Settings) -> Option<String> {
    let found = ADVICE.iter().find(|(part, _)| reason.contains(part));
    match (found, &settings.engine) {
        (Some((_, "")), _) => None,
        (Some((_, what)), _) => Some(what.replace("FILE", &settings.file)),
        // An engine that gives up by itself was not the right one.
        (None, Some(engine)) => Some(format!("{engine} alone has no answer; without --engine several work together")),
        (None, None) => Some(OTHERWISE.replace("FILE", &settings.file)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Command;

    #[test]
    fn reasons_come_with_a_way_out() {
        let mut settings = Settings::new(Command::Check);
        settings.file = "a.c".to_owned();
        let said = |reason: &str| advice(reason, &settings).unwrap_or_default();
        assert!(said("out of time, no error within 3 steps").contains("--timeout"));
        assert!(said("unsupported recursion of f at a.c:2").contains("uforia run --random 1000 a.c"));
        assert!(said("an error that depends on a value from `f`, which has no body at a.c:3").contains("nondet"));
        assert!(said("no error within 3 iterations of the loops").contains("--unwind"));
        assert_eq!(said("not a valid program: x at a.c:1"), "", "the diagnostics tell more");
        assert_eq!(said("interrupted"), "");
    }

    #[test]
    fn an_engine_that_gives_up_is_not_the_only_one() {
        let mut settings = Settings::new(Command::Check);
        assert!(advice("too many states", &settings).is_some_and(|text| text.contains("--random")));
        settings.engine = Some("explicit".to_owned());
        assert!(advice("too many states", &settings).is_some_and(|text| text.contains("without --engine")));
    }
}
