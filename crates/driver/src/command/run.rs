//! `uforia run`: executes the lowered program on given values.

use crate::exit::Exit;
use crate::frontend;
use crate::supervise::{Context, Outcome};

use super::{refuse, tell_about};

/// Compiles the program and runs it.
pub fn run(context: &Context) -> Outcome {
    let loaded = match frontend::load(context) {
        Ok(loaded) => loaded,
        Err(failure) => return refuse(context, &failure, true),
    };
    tell_about(context, &loaded);
    Outcome::Answered(Exit::Done)
}
