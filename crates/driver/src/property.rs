//! Properties: which question is asked about the program.
//!
//! Either by name (`unreach-call`, `no-overflow`), or as a file in the language of the software
//! verification competition:
//!
//! ```text
//! CHECK( init(main()), LTL(G ! call(reach_error())) )
//! CHECK( init(main()), LTL(G ! overflow) )
//! ```
//!
//! White space is free; one property per file. Properties that are known but not checked yet are distinguished
//! from what we do not understand.

use cfront::Property;

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
        "valid-memsafety" | "valid-memcleanup" | "termination" | "no-data-race" => {
            Some(Err(PropertyError::NotBuilt(name.to_owned())))
        }
        _ => None,
    }
}

/// Reads the text of a property file.
pub fn parse(text: &str) -> Result<Property, PropertyError> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let first = lines.next().ok_or_else(|| malformed("the file holds no property"))?;
    if lines.next().is_some() {
        return Err(malformed("the file holds more than one property; give them one at a time"));
    }
    let compact: String = first.chars().filter(|c| !c.is_whitespace()).collect();
    let formula = compact
        .strip_prefix("CHECK(init(main()),LTL(")
        .and_then(|rest| rest.strip_suffix("))"))
        .ok_or_else(|| other_shape(&compact))?;
    if formula == "G!overflow" {
        return Ok(Property::NoOverflow);
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
    fn known_properties_that_are_not_built_are_distinguished_from_unknown_ones() {
        let not_built = |text: &str| matches!(parse(text), Err(PropertyError::NotBuilt(_)));
        assert!(not_built("CHECK( init(main()), LTL(G valid-free) )"));
        assert!(not_built("CHECK( init(main()), LTL(F end) )"));
        assert!(not_built("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"));
        let malformed = |text: &str| matches!(parse(text), Err(PropertyError::Malformed(_)));
        assert!(malformed(""));
        assert!(malformed("int main(void) { return 0; }"));
        assert!(malformed("CHECK( init(start()), LTL(G ! overflow) )"));
        assert!(malformed("CHECK( init(main()), LTL(G ! call(1+1)) )"));
        assert!(malformed("CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G ! overflow) )"));
    }
}
