//! Options whose values need a parser of their own.

use std::ffi::OsStr;

use clap::Arg;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use smt::Backend;

use crate::options::value;

/// `--property`.
pub fn property() -> Arg {
    let help = "errors (default: assertions, error calls, memory errors, division by zero), unreach-call, no-overflow, valid-memsafety, valid-memcleanup, valid-deref, valid-free, valid-memtrack, termination, FILE.prp";
    value("property", "P", help).value_parser(PropertyParser).hide_possible_values(true)
}

/// Any text is taken; the named properties are for completions.
#[derive(Clone)]
struct PropertyParser;

impl TypedValueParser for PropertyParser {
    type Value = String;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&Arg>, text: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, text)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(crate::property::NAMES.iter().map(PossibleValue::new)))
    }
}

/// `--sat`.
pub fn sat() -> Arg {
    let cadical = PossibleValue::new("cadical").hide(!cfg!(feature = "cadical"));
    let parser =
        PossibleValuesParser::new([PossibleValue::new("builtin"), cadical]).try_map(|text| match text.as_str() {
            #[cfg(feature = "cadical")]
            "cadical" => Ok(Backend::CADICAL),
            #[cfg(not(feature = "cadical"))]
            "cadical" => Err("this build has no CaDiCaL: build with --features cadical"),
            _ => Ok::<_, &str>(Backend::BuiltIn),
        });
    value("sat", "SOLVER", "the SAT solver for hard queries over bit-vectors (default: builtin)").value_parser(parser)
}
