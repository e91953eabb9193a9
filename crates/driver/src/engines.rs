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

/// Those that work side by side when the user names none.
pub const DEFAULT: &[&str] = &["euf", "bmc", "kind", "explicit"];

/// Those that are asked first about programs over uninterpreted functions: they decide such programs, and fast.
pub const UNINTERPRETED: &[&str] = &["trace"];

/// The engine of this name.
pub fn by_name(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().copied().find(|info| info.name == name)
}

/// All names, for messages.
pub fn names() -> String {
    ENGINES.iter().map(|info| info.name).collect::<Vec<_>>().join(", ")
}
