//! `uforia lower`: the program as the engines see it.

use crate::exit::Exit;
use crate::frontend;
use crate::options::Emit;
use crate::output::message;
use crate::supervise::{Context, Outcome};

use super::{refuse, tell_about};

/// Compiles the program and prints the automaton.
pub fn lower(context: &Context) -> Outcome {
    let loaded = match frontend::load(context) {
        Ok(loaded) => loaded,
        Err(failure) => return refuse(context, &failure, false),
    };
    let text = match context.settings.emit {
        Emit::Cfa => program::text::print(&loaded.program, &loaded.terms),
        Emit::Dot => program::dot(&loaded.program, &loaded.terms),
    };
    tell_about(context, &loaded);
    match &context.settings.output {
        None => context.output.print(&text),
        Some(to) if to == "-" => context.output.print(&text),
        Some(to) => {
            if let Err(error) = std::fs::write(to, text) {
                message(&format!("uforia: cannot write {to}: {error}\n"));
                return Outcome::Answered(Exit::CannotWrite);
            }
        }
    }
    Outcome::Answered(Exit::Done)
}
