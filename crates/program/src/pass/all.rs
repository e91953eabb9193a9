//! All passes in a good order.

use term::Terms;

use super::{BackMap, InlineOptions, Unsupported, contract, copies, dead, inline, merge, probes, scalars, slice};
use crate::tuning::Tuning;
use crate::{EdgeId, Point, Program};

/// What the passes may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How far calls are inlined.
    pub inline: InlineOptions,
    /// Each assignment keeps an edge of its own, as the source has it.
    pub separate_statements: bool,
}

/// A program ready for an engine.
#[derive(Clone, Debug)]
pub struct Optimised {
    /// The program: one function without calls.
    pub program: Program,
    /// The way back to the program as lowered.
    pub map: BackMap,
    /// Calls beyond the bound on recursion; if there are any, safety is shown only up to them.
    pub cut_calls: Vec<(Point, EdgeId)>,
    /// What each pass left, in order.
    pub stats: Vec<PassStats>,
}

/// The size of a program after a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassStats {
    /// The pass.
    pub pass: &'static str,
    /// Locations.
    pub locations: usize,
    /// Edges.
    pub edges: usize,
    /// Loads and stores.
    pub accesses: usize,
}

impl PassStats {
    fn of(pass: &'static str, program: &Program) -> PassStats {
        let access =
            |edge: &&crate::Edge| matches!(edge.action, crate::Action::Load { .. } | crate::Action::Store { .. });
        let accesses = program.edges.iter().filter(access).count();
        PassStats { pass, locations: program.locations.len(), edges: program.edges.len(), accesses }
    }
}

/// A pass over an inlined program.
pub type Pass = fn(Program, &mut Terms) -> (Program, BackMap);

/// What a pass promises about runs on the same inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    /// They end in the same way.
    SameRuns,
    /// They reach the same errors.
    SameErrors,
    /// They reach the same errors, and perhaps more.
    MoreErrors,
}

/// The passes of one round.
pub const ROUND: &[(&str, Promise, Pass)] = &[
    ("copies", Promise::SameRuns, copies::copies),
    ("dead", Promise::SameErrors, dead::dead),
    ("probes", Promise::SameRuns, probes::probes),
    ("scalars", Promise::SameRuns, scalars::scalars),
    ("contract", Promise::SameRuns, contract::contract),
];

/// The passes that come once, when nothing else helps.
pub const LAST: &[(&str, Promise, Pass)] = &[
    ("slice", Promise::MoreErrors, slice::slice),
    ("dead", Promise::SameErrors, dead::dead),
    ("contract", Promise::SameRuns, contract::contract),
    ("merge", Promise::SameRuns, merge::merge),
    ("copies", Promise::SameRuns, copies::copies),
    ("dead", Promise::SameErrors, dead::dead),
    ("contract", Promise::SameRuns, contract::contract),
];

/// Inlines, then makes the program simpler while that helps.
pub fn optimise(program: Program, terms: &mut Terms, options: &Options) -> Result<Optimised, Unsupported> {
    let mut program = program;
    scalars::note_exposed(&mut program, terms);
    let inlined = inline(program, terms, &options.inline)?;
    let mut stats = vec![PassStats::of("inline", &inlined.program)];
    let (mut program, mut map) = (inlined.program, inlined.map);
    let mut run = |program: &mut Program, terms: &mut Terms, name, pass: Pass| {
        let pass = if options.separate_statements && name == "contract" { contract::skip_empty_steps } else { pass };
        let (next, back) = pass(std::mem::take(program), terms);
        *program = next;
        map = std::mem::take(&mut map).then(back);
        stats.push(PassStats::of(name, program));
    };
    for _ in 0..Tuning::DEFAULT.max_pass_rounds {
        let before = PassStats::of("", &program);
        for &(name, _, pass) in ROUND {
            run(&mut program, terms, name, pass);
        }
        if PassStats::of("", &program) == before {
            break;
        }
    }
    for &(name, _, pass) in LAST {
        run(&mut program, terms, name, pass);
    }
    Ok(Optimised { program, map, cut_calls: inlined.cut_calls, stats })
}
