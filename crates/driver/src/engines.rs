//! The table of engines: one line each.

use engine::EngineInfo;

/// All engines, in the order of the help.
pub const ENGINES: &[&EngineInfo] = &[
    &engine_bmc::BMC,
    &engine_bmc::KIND,
    &engine_bmc::REFINE,
    &engine_ic3::EUF,
    &engine_arg::UFO,
    &engine_explicit::EXPLICIT,
    &engine_trace::TRACE,
];

/// The name of several engines together (see `portfolio`); the default.
pub const PORTFOLIO: &str = "portfolio";

/// The engine that decides what it is made for: where it says why there is no answer, others need not try.
pub const DECIDES: &EngineInfo = &engine_trace::TRACE;

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
