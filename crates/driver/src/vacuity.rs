//! Nothing to verify is not SAFE.
//!
//! A program in which the error cannot even be named is safe in the same sense as an empty file: most likely the property speaks of another function, or the
//! user forgot the assertion. Such an answer misleads readers of the last line, so it is `UNKNOWN: nothing to verify`. A program that
//! names the error but never reaches a call of it is safe, and a line says that there were no assertions: this is the case of competition tasks
//! whose error call stands in code that is never executed.

use std::collections::BTreeMap;

use cfront::Property;
use program::AssertionKind;

use crate::frontend::Loaded;
use crate::input::Language;
use crate::options::Settings;

/// How a function occurs in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Occurs {
    /// Declared, defined, or its address taken at file scope.
    Named,
    /// Followed by a parenthesis inside of a body.
    Called,
}

/// The functions whose call is an error, if the property names no other.
const USUAL: &[&str] = &["reach_error", "__VERIFIER_error"];
/// What `assert` calls.
const ASSERTIONS: &[&str] = &["__assert_fail", "__assert", "assert"];

/// How the functions of interest occur in the text of a C program.
pub type Occurrences = BTreeMap<String, Occurs>;

/// What to say about a program without assertions.
#[derive(PartialEq, Eq, Debug)]
pub enum Vacuous {
    /// The reason after `UNKNOWN: `.
    Nothing(String),
    /// A line to stand before `SAFE`.
    Unreached(String),
}

/// What to say about a program without assertions, if it is one.
pub fn vacuous(settings: &Settings, property: &Property, loaded: &Loaded) -> Option<Vacuous> {
    if loaded.program.assertions.iter().any(|assertion| assertion.kind != AssertionKind::Order) {
        return None;
    }
    if loaded.occurrences.is_none() && loaded.system.is_none() {
        // Procedures without anything to check are verified; that is what Boogie says of them.
        return None;
    }
    if loaded.occurrences.is_none() {
        return Some(Vacuous::Nothing("nothing to verify: the file states no property".to_owned()));
    }
    let found = loaded.occurrences.as_ref()?;
    match property {
        Property::UnreachCallOf(name) => Some(named(settings, found, &[name])),
        Property::UnreachCall => {
            let names: Vec<&str> = USUAL.iter().chain(ASSERTIONS).copied().chain([llfront::PANIC]).collect();
            Some(named(settings, found, &names))
        }
        Property::Errors => Some(unnamed(found, loaded.language)),
        // No operation that could go wrong is an answer.
        Property::NoOverflow | Property::Memory(_) | Property::Termination => None,
    }
}

/// The user has named the property: a declaration says that the program speaks of it.
fn named(settings: &Settings, found: &Occurrences, names: &[&str]) -> Vacuous {
    // `-D abort=reach_error` speaks of it, too.
    let is_defined = |name: &str| settings.define.iter().any(|definition| definition.contains(name));
    if names.iter().any(|name| found.contains_key(*name) || is_defined(name)) {
        return Vacuous::Unreached(unreached(names[0]));
    }
    let others: Vec<&str> = USUAL.iter().copied().filter(|other| found.contains_key(*other)).collect();
    let hint = match others.first() {
        Some(other) => format!("; it calls {other}: `--property unreach-call` takes both names"),
        None => String::new(),
    };
    Vacuous::Nothing(format!("nothing to verify: the program never mentions {}{hint}", names[0]))
}

/// The default property: an error function must be declared, or something asserted. A header declares what `assert` calls.
fn unnamed(found: &Occurrences, language: Language) -> Vacuous {
    let declared = USUAL.iter().chain([&llfront::PANIC]).find(|name| found.contains_key(**name));
    let asserted = || ASSERTIONS.iter().find(|name| found.get(**name) == Some(&Occurs::Called));
    match declared.or_else(asserted) {
        Some(name) => Vacuous::Unreached(unreached(name)),
        None if language == Language::Rust => Vacuous::Nothing(
            "nothing to verify: no operation of the program can panic or access memory that is not valid".to_owned(),
        ),
        None => Vacuous::Nothing(
            "nothing to verify: the program mentions neither reach_error nor __VERIFIER_error, and asserts nothing"
                .to_owned(),
        ),
    }
}

fn unreached(name: &str) -> String {
    let what = match name {
        llfront::PANIC => "panic".to_owned(),
        name if ASSERTIONS.contains(&name) => "failing assertion".to_owned(),
        name => format!("call of {name}"),
    };
    format!("no {what} can be reached: 0 assertions\n")
}

/// The identifiers of C texts that are functions of interest: the usual names, and the one of the property.
pub fn occurrences<'t>(texts: impl Iterator<Item = &'t str>, property: &Property) -> Occurrences {
    let mut found = Occurrences::new();
    for text in texts {
        note_occurrences(text, property, &mut found);
    }
    found
}

/// The functions of interest that a module of LLVM mentions. Compilers declare only what is used.
pub fn llvm_occurrences(text: &str, property: &Property) -> Occurrences {
    let asked = if let Property::UnreachCallOf(name) = property { Some(name.as_str()) } else { None };
    let names: Vec<&str> = USUAL.iter().chain(ASSERTIONS).copied().chain(asked).collect();
    llfront::mentions(text, &names).into_iter().map(|name| (name, Occurs::Called)).collect()
}

fn note_occurrences(text: &str, property: &Property, found: &mut Occurrences) {
    let asked = if let Property::UnreachCallOf(name) = property { Some(name.as_str()) } else { None };
    let is_of_interest = |word: &str| USUAL.contains(&word) || ASSERTIONS.contains(&word) || asked == Some(word);
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = behind_literal(bytes, at),
            b'/' if bytes[at..].starts_with(b"//") => at = behind(bytes, at, b"\n"),
            b'/' if bytes[at..].starts_with(b"/*") => at = behind(bytes, at + 2, b"*/"),
            // A line marker may hold the name of a file such as reach_error.c.
            b'#' => at = behind(bytes, at, b"\n"),
            b'{' | b'}' => {
                depth = if byte == b'{' { depth + 1 } else { depth.saturating_sub(1) };
                at += 1;
            }
            _ if is_word(byte) => {
                let length = bytes[at..].iter().position(|&byte| !is_word(byte)).unwrap_or(bytes.len() - at);
                let word = &text[at..at + length];
                at += length;
                if is_of_interest(word) {
                    let next = bytes[at..].iter().find(|byte| !byte.is_ascii_whitespace());
                    let how = if depth > 0 && next == Some(&b'(') { Occurs::Called } else { Occurs::Named };
                    let known = found.entry(word.to_owned()).or_insert(how);
                    *known = (*known).max(how);
                }
            }
            _ => at += 1,
        }
    }
}

/// Letters beyond ASCII are parts of words.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn behind(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.windows(end.len()).position(|window| window == end).map_or(bytes.len(), |at| from + at + end.len())
}

fn behind_literal(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if byte == bytes[from] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Command;

    fn found(text: &str) -> Vec<(String, Occurs)> {
        occurrences(std::iter::once(text), &Property::UnreachCallOf("fail".to_owned())).into_iter().collect()
    }

    #[test]
    fn calls_declarations_and_other_occurrences_are_distinguished() {
        let one = |name: &str, how| vec![(name.to_owned(), how)];
        assert_eq!(found("void reach_error(void);"), one("reach_error", Occurs::Named));
        assert_eq!(found("int f(void) { fail (); }"), one("fail", Occurs::Called));
        assert_eq!(found("int f(void) { g(fail); } void fail(void);"), one("fail", Occurs::Named));
        assert_eq!(
            found("# 1 \"fail.c\"\nchar *s = \"fail()\\\" fail\"; /* fail() */ // fail\nint failed, xfail;"),
            vec![]
        );
        assert_eq!(found("\"unfinished"), vec![]);
        assert_eq!(found("/* unfinished { fail()"), vec![]);
    }

    #[test]
    fn a_named_property_must_be_mentioned() {
        let settings = Settings::new(Command::Check);
        let said = |text: &str| {
            named(&settings, &occurrences(std::iter::once(text), &Property::UnreachCall), &["reach_error"])
        };
        assert!(matches!(said("void reach_error(void);"), Vacuous::Unreached(_)));
        assert!(matches!(said("int x;"), Vacuous::Nothing(why) if !why.contains("__VERIFIER_error")));
        assert!(
            matches!(said("int f() { __VERIFIER_error(); }"), Vacuous::Nothing(why) if why.contains("__VERIFIER_error"))
        );
    }
}
