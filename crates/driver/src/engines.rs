//! The table of engines: one line each.

use base::Table;
use engine::EngineInfo;
pub(crate) use engine_arg::UFO;
pub(crate) use engine_bmc::{BMC, KIND, REFINE, SYMBOLIC};
pub(crate) use engine_explicit::EXPLICIT;
pub(crate) use engine_ic3::EUF;
pub(crate) use engine_trace::TRACE;

/// All engines, in the order of the help.
pub const ENGINES: &[&EngineInfo] = &[&BMC, &KIND, &REFINE, &EUF, &UFO, &EXPLICIT, &TRACE];

/// What tunes the engines, beside the settings of each.
pub(crate) const TUNING: &[&Table] = &[
    engine::Tuning::TABLE,
    engine_bmc::Tuning::TABLE,
    engine_ic3::Tuning::TABLE,
    engine_arg::Tuning::TABLE,
    engine_explicit::Tuning::TABLE,
    engine_trace::Tuning::TABLE,
];

/// The name of several engines together (see `portfolio`); the default.
pub const PORTFOLIO: &str = "portfolio";

/// The engine that decides what it is made for: where it says why there is no answer, others need not try.
pub const DECIDES: &EngineInfo = &TRACE;

/// The engine of this name.
pub fn by_name(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().copied().find(|info| info.name == name)
}

/// All names, for messages.
pub fn names() -> String {
    let names = [PORTFOLIO].into_iter().chain(ENGINES.iter().map(|info| info.name));
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
#[path = "sharing_tests.rs"]
mod sharing;
