//! What happens during a check, for those who want to show it.

/// Something that happened. An event is passed on as it happens, on the thread of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// An engine begins a phase.
    Phase {
        /// The engine.
        engine: &'a str,
        /// What it does now.
        phase: &'a str,
    },
    /// How far an engine has come, in terms of the program.
    Progress {
        /// The engine.
        engine: &'a str,
        /// Such as `no error within 12 iterations of the loops`.
        text: &'a str,
    },
    /// An engine uses a fact of another one.
    Fact {
        /// The engine that uses it.
        engine: &'a str,
        /// Where it was proved.
        source: &'a str,
    },
    /// The independent checker has accepted the answer of an engine.
    Checked {
        /// The engine.
        engine: &'a str,
    },
    /// A step of the work, for a log.
    Log {
        /// In a line.
        text: &'a str,
    },
    /// Something is not as it should be, although the check goes on: an engine that failed, a thread that could not start.
    Warning {
        /// In a line.
        text: &'a str,
    },
}
