//! `uforia lower`: the program as the engines see it.

use std::time::Instant;

use base::Stopped;
use program::pass;

use crate::context::Context;
use crate::exit::Exit;
use crate::frontend::{self, Loaded};
use crate::options::Emit;
use crate::output::message;
use crate::outputs;

use super::{place_text, refuse, report_loaded};

/// Compiles the program and prints the automaton.
pub fn lower(context: &Context) -> Result<Exit, Stopped> {
    let mut loaded = match frontend::load(context) {
        Ok(loaded) => loaded,
        Err(failure) => return refuse(context, &failure, false),
    };
    if let Some(system) = &loaded.system {
        loaded.program = system.shaped.program().clone();
    }
    // Transition systems have no calls.
    if (context.settings.optimise || context.settings.emit == Emit::Vmt)
        && let Err(exit) = optimise(context, &mut loaded)
    {
        return Ok(exit);
    }
    let text = match context.settings.emit {
        Emit::Cfa => program::text::print(&loaded.program, &loaded.terms),
        Emit::Dot => program::dot(&loaded.program, &loaded.terms),
        Emit::Vmt => match vmt(&mut loaded) {
            Ok(text) => text,
            Err(exit) => return Ok(exit),
        },
        Emit::Coherence => {
            let budget = base::Budget::unlimited(std::sync::Arc::clone(&context.cancel));
            match engine_trace::coherence_report(&loaded.program, &mut loaded.terms, &budget) {
                Ok(text) => text,
                Err(why) => {
                    message(&format!("uforia: coherence: {why}\n"));
                    return Ok(Exit::Unknown);
                }
            }
        }
    };
    report_loaded(context, &loaded);
    match &context.settings.output {
        None => context.output.print(&text),
        Some(to) if to == "-" => context.output.print(&text),
        Some(to) => {
            if let Err(exit) = outputs::write(to, text) {
                return Ok(exit);
            }
        }
    }
    Ok(Exit::Done)
}

/// The optimised program as a transition system.
fn vmt(loaded: &mut Loaded) -> Result<String, Exit> {
    let refused = |what: &str| {
        message(&format!("uforia: unsupported {what}\n"));
        Err(Exit::Unknown)
    };
    let blocks = match encode::Blocks::new(&loaded.program, &mut loaded.terms, encode::Memory::Refused) {
        Ok(blocks) => blocks,
        Err(unsupported) => {
            let at = place_text(&loaded.program, unsupported.place).map_or_else(String::new, |at| format!(" at {at}"));
            return refused(&format!("{}{at}", unsupported.what));
        }
    };
    let transition = encode::Transition::new(&loaded.program, &mut loaded.terms, &blocks);
    Ok(encode::vmt(&mut loaded.terms, &transition, &blocks.axioms))
}

/// Runs all passes over the program.
fn optimise(context: &Context, loaded: &mut Loaded) -> Result<(), Exit> {
    let program = loaded.program.clone();
    let start = Instant::now();
    let optimised = pass::optimise(program, &mut loaded.terms, &pass::Options::default()).map_err(|unsupported| {
        let place = place_text(&loaded.program, unsupported.place).map_or_else(String::new, |at| format!(" at {at}"));
        message(&format!("uforia: unsupported {}{place}\n", unsupported.what));
        Exit::Unknown
    })?;
    loaded.phases.push(("optimise", start.elapsed()));
    if let Err(violations) = program::validate(&optimised.program, &loaded.terms) {
        let said: Vec<String> = violations.iter().map(|one| one.to_string()).collect();
        panic!("the optimised program breaks a law: {}", said.join("; "));
    }
    if context.settings.stats {
        let mut text = format!("{:<16}{:>12}{:>12}{:>12}\n", "after", "locations", "edges", "accesses");
        for stats in &optimised.stats {
            text.push_str(&format!(
                "{:<16}{:>12}{:>12}{:>12}\n",
                stats.pass, stats.locations, stats.edges, stats.accesses
            ));
        }
        message(&text);
    }
    loaded.program = optimised.program;
    Ok(())
}
