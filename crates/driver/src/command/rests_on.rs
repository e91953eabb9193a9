//! `--assumptions`: what an answer rests on, in one list.
//!
//! An answer holds for a property, a data model and a reading of the program. What the front end assumed about parts of the program that it
//! does not have, what it read more coarsely than the source, and who checked the evidence stand together here, as text and as JSON.

use cfront::{DataModel, Property};
use report::answer::Basis;

use super::place_text;
use crate::context::Context;
use crate::frontend::{self, Loaded};

/// What the answer rests on.
pub fn basis(context: &Context, loaded: &Loaded, how: Option<&str>) -> Vec<Basis> {
    let settings = &context.settings;
    let program = &loaded.program;
    let mut basis = vec![("property", property(&settings.property))];
    if loaded.language.is_c() {
        let model = match settings.data_model {
            DataModel::Ilp32 => "ilp32: int, long and pointers have 32 bits",
            DataModel::Lp64 => "lp64: int has 32 bits, long and pointers have 64 bits",
        };
        basis.push(("data model", model.to_owned()));
    }
    if let Some(number) = settings.assertion {
        basis.push(("restriction", format!("only assertion {number} was checked")));
    }
    let line = |one: &program::Assumption| {
        let place = place_text(program, one.place).map_or(String::new(), |place| format!(" ({place})"));
        format!("{}{place}", one.text)
    };
    basis.extend(program.assumptions.iter().map(|one| ("assumed", line(one))));
    basis.extend(program.approximations.iter().map(|one| ("approximated", line(one))));
    if let Some(how) = how {
        basis.push(("evidence", how.to_owned()));
    }
    basis.into_iter().map(|(kind, text)| Basis { kind: kind.to_owned(), text }).collect()
}

/// The list for people to read.
pub fn list(items: &[Basis]) -> String {
    let line = |Basis { kind, text }: &Basis| format!("  {kind}: {text}\n");
    format!("the answer rests on:\n{}", items.iter().map(line).collect::<String>())
}

fn property(chosen: &str) -> String {
    match frontend::chosen_property(chosen) {
        Ok(Property::UnreachCallOf(name)) => format!("{chosen}: no call of {name} is reached; signed overflow wraps"),
        Ok(Property::NoOverflow) => format!("{chosen}: no signed overflow, division by zero or shift out of range"),
        Ok(Property::Termination) => {
            format!("{chosen}: every run ends, if only by an invalid memory access; signed overflow wraps, and a run without end has none")
        }
        Ok(Property::Errors) => {
            "no error call is reached, no assertion fails, no memory access is invalid, nothing is divided by zero; signed overflow wraps".to_owned()
        }
        Ok(Property::Memory(memory)) => {
            let says = [
                (memory.deref, "every access is inside of a live object"),
                (memory.free, "only the start of live heap objects is freed"),
                (memory.track, "no allocated memory is lost"),
                (memory.cleanup, "all allocated memory is freed before the program ends"),
            ];
            let says: Vec<&str> = says.into_iter().filter(|one| one.0).map(|one| one.1).collect();
            format!("{chosen}: {}, up to the first invalid memory access; signed overflow wraps", says.join(", "))
        }
        Ok(Property::UnreachCall) => {
            format!("{chosen}: no error call is reached and no assertion fails, up to the first invalid memory access; signed overflow wraps")
        }
        Err(_) => chosen.to_owned(),
    }
}
