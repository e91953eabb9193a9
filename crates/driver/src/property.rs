//! Properties: which question is asked about the program.
//!
//! Either by name ([`NAMES`]), or as a file in the language of the software
//! verification competition:
//!
//! ```text
//! CHECK( init(main()), LTL(G ! call(reach_error())) )
//! CHECK( init(main()), LTL(G ! overflow) )
//! CHECK( init(main()), LTL(F end) )
//! ```
//!
//! White space is free. A file holds one property; only those of memory (`G valid-free`, `G valid-deref`, `G valid-memtrack`,
//! `G valid-memcleanup`) stand together, one a line. Properties that are known but not checked yet are distinguished
//! from what we do not understand.

use cfront::{MemoryErrors, Property};

/// The properties that have a name; the first one is the default.
pub const NAMES: &[&str] = &[
    "errors",
    "unreach-call",
    "no-overflow",
    "valid-memsafety",
    "valid-memcleanup",
    "valid-deref",
    "valid-free",
    "valid-memtrack",
    "termination",
];

/// Why a property cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyError {
    /// A property that this tool does not check yet.
    NotBuilt(String),
    /// Not the text of a property.
    Malformed(String),
}

/// The property with this name, if it is the name of one.
pub fn by_name(name: &str) -> Option<Result<Property, PropertyError>> {
    match name {
        "errors" => Some(Ok(Property::Errors)),
        "unreach-call" => Some(Ok(Property::UnreachCall)),
        "no-overflow" => Some(Ok(Property::NoOverflow)),
        "valid-memsafety" => Some(Ok(Property::Memory(MemoryErrors::SAFETY))),
        "termination" => Some(Ok(Property::Termination)),
        "no-data-race" => Some(Err(PropertyError::NotBuilt(name.to_owned()))),
        _ => memory(name).map(|memory| Ok(Property::Memory(memory))),
    }
}

/// The errors in the use of memory that this property names.
fn memory(name: &str) -> Option<MemoryErrors> {
    match name {
        "valid-deref" => Some(MemoryErrors { deref: true, ..MemoryErrors::NONE }),
        "valid-free" => Some(MemoryErrors { free: true, ..MemoryErrors::NONE }),
        "valid-memtrack" => Some(MemoryErrors { track: true, ..MemoryErrors::NONE }),
        "valid-memcleanup" => Some(MemoryErrors { cleanup: true, ..MemoryErrors::NONE }),
        _ => None,
    }
}

/// Reads the text of a property file.
pub fn parse(text: &str) -> Result<Property, PropertyError> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let mut whole: Option<Property> = None;
    for line in lines {
        whole = Some(match (whole, parse_line(line)?) {
            (None, property) => property,
            (Some(Property::Memory(one)), Property::Memory(other)) => Property::Memory(one.and(other)),
            _ => return Err(malformed("the file holds more than one property; give them one at a time")),
        });
    }
    whole.ok_or_else(|| malformed("the file holds no property"))
}

fn parse_line(line: &str) -> Result<Property, PropertyError> {
    let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let formula = compact
        .strip_prefix("CHECK(init(main()),LTL(")
        .and_then(|rest| rest.strip_suffix("))"))
        .ok_or_else(|| other_shape(&compact))?;
    if formula == "Fend" {
        return Ok(Property::Termination);
    }
    if formula == "G!overflow" {
        return Ok(Property::NoOverflow);
    }
    if let Some(names) = formula.strip_prefix('G').filter(|names| names.starts_with("valid-")) {
        // Witnesses of correctness join them by `&&`.
        let parts: Option<Vec<MemoryErrors>> = names.split("&&G").map(memory).collect();
        if let Some(parts) = parts {
            return Ok(Property::Memory(parts.into_iter().fold(MemoryErrors::NONE, MemoryErrors::and)));
        }
    }
    if let Some(call) = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix(')')) {
        let name = call.strip_suffix("()").unwrap_or(call);
        return if is_identifier(name) {
            Ok(Property::UnreachCallOf(name.to_owned()))
        } else {
            Err(malformed(&format!("`{name}` is not the name of a function")))
        };
    }
    Err(PropertyError::NotBuilt(formula.to_owned()))
}

fn other_shape(compact: &str) -> PropertyError {
    if compact.starts_with("COVER(") {
        PropertyError::NotBuilt(compact.to_owned())
    } else if compact.starts_with("CHECK(init(") && !compact.starts_with("CHECK(init(main())") {
        malformed("the program must start at main: init(main())")
    } else {
        malformed(
            "expected CHECK( init(main()), LTL(G ! call(reach_error())) ) or CHECK( init(main()), LTL(G ! overflow) )",
        )
    }
}

fn malformed(message: &str) -> PropertyError {
    PropertyError::Malformed(message.to_owned())
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_call_is_named_by_the_file() {
        let text = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(parse(text), Ok(Property::UnreachCallOf("reach_error".into())));
        let spaced = "\n CHECK(init( main( ) ),LTL( G!call( my_error( ) ) ))  \n\n";
        assert_eq!(parse(spaced), Ok(Property::UnreachCallOf("my_error".into())));
    }

    #[test]
    fn overflow_is_a_property_of_its_own() {
        assert_eq!(parse("CHECK( init(main()), LTL(G ! overflow) )"), Ok(Property::NoOverflow));
    }

    #[test]
    fn lines_about_memory_stand_together() {
        let line = |name: &str| format!("CHECK( init(main()), LTL(G {name}) )\n");
        let one = |name: &str| by_name(name).expect("it is a name");
        for name in ["valid-free", "valid-deref", "valid-memtrack", "valid-memcleanup"] {
            assert_eq!(parse(&line(name)), one(name));
        }
        let three = format!("{}{}\n{}", line("valid-free"), line("valid-deref"), line("valid-memtrack"));
        assert_eq!(parse(&three), one("valid-memsafety"));
        assert!(parse(&format!("{}{}", line("valid-free"), line("! overflow"))).is_err());
        assert!(NAMES.iter().all(|name| by_name(name).is_some()));
    }

    #[test]
    fn known_properties_that_are_not_built_are_distinguished_from_unknown_ones() {
        let not_built = |text: &str| matches!(parse(text), Err(PropertyError::NotBuilt(_)));
        assert_eq!(parse("CHECK( init(main()), LTL(F end) )"), Ok(Property::Termination));
        assert!(not_built("CHECK( init(main()), LTL(G ! data-race) )"));
        assert!(not_built("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"));
        let malformed = |text: &str| matches!(parse(text), Err(PropertyError::Malformed(_)));
        assert!(malformed(""));
        assert!(malformed("int main(void) { return 0; }"));
        assert!(malformed("CHECK( init(start()), LTL(G ! overflow) )"));
        assert!(malformed("CHECK( init(main()), LTL(G ! call(1+1)) )"));
        assert!(malformed("CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G ! overflow) )"));
    }
}
