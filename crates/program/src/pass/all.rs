//! All passes in a good order.

use term::Terms;

use super::{
    BackMap, InlineOptions, Unsupported, contract, copies, dead, floats, inline, merge, probes, regions, scalars,
    slice, tail,
};
use crate::tuning::Tuning;
use crate::{Action, EdgeId, Point, Program, Site, Storage};

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
        let access = |edge: &&crate::Edge| matches!(edge.action, Action::Load { .. } | Action::Store { .. });
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
    ("floats", Promise::SameErrors, floats::floats),
];

/// Inlines, then makes the program simpler while that helps.
pub fn optimise(program: Program, terms: &mut Terms, options: &Options) -> Result<Optimised, Unsupported> {
    let mut program = program;
    tail::tail(&mut program, terms, &[]);
    scalars::note_exposed(&mut program, terms);
    let is_alloc: Vec<bool> = program.edges.iter().map(|edge| matches!(edge.action, Action::Alloc { .. })).collect();
    let inlined = inline(program, terms, &options.inline)?;
    // For each edge, those of the inlined program.
    let mut trace: regions::Trace = inlined.program.edges.ids().map(|edge| vec![edge]).collect();
    let mut stats = vec![PassStats::of("inline", &inlined.program)];
    let (mut program, mut map) = (inlined.program, inlined.map);
    let mut found = asks_about_heap(&program).then(|| regions::Found::new(&program, &map, terms, &is_alloc));
    let before = (found.is_none() && has_loads(&program)).then(|| (program.clone(), map.clone()));
    if let Some(found) = &found {
        let (next, back) = regions::validity(std::mem::take(&mut program), &map, terms, found);
        (program, trace) = (next, traced(&trace, &back));
        map = std::mem::take(&mut map).then(back);
        stats.push(PassStats::of("validity", &program));
    }
    let run = |program: &mut Program,
               terms: &mut Terms,
               map: &mut BackMap,
               trace: &mut regions::Trace,
               stats: &mut Vec<PassStats>,
               name,
               pass: Pass| {
        let pass = if options.separate_statements && name == "contract" { contract::skip_empty_steps } else { pass };
        let (next, back) = pass(std::mem::take(program), terms);
        *program = next;
        *trace = traced(trace, &back);
        *map = std::mem::take(map).then(back);
        stats.push(PassStats::of(name, program));
    };
    for _ in 0..Tuning::DEFAULT.max_pass_rounds {
        let before = PassStats::of("", &program);
        for &(name, _, pass) in ROUND {
            run(&mut program, terms, &mut map, &mut trace, &mut stats, name, pass);
        }
        if PassStats::of("", &program) == before {
            break;
        }
    }
    if let Some((inlined, to_lowered)) = before.filter(|_| has_loads(&program)) {
        found = Some(regions::Found::new(&inlined, &to_lowered, terms, &is_alloc));
    }
    if let Some(found) = found.filter(|_| has_loads(&program)) {
        let (next, back) = regions::regions(std::mem::take(&mut program), &map, &trace, terms, &found);
        (program, trace) = (next, traced(&trace, &back));
        map = std::mem::take(&mut map).then(back);
        stats.push(PassStats::of("regions", &program));
    }
    let mut in_use = None;
    for &(name, _, pass) in LAST {
        run(&mut program, terms, &mut map, &mut trace, &mut stats, name, pass);
        // Later passes rely on what is left here, and may leave no trace of it.
        if name == "slice" {
            in_use = in_use.or_else(|| columns_in_use(&program, &map));
        }
    }
    if let Some((columns, used)) = in_use {
        keep_columns(&mut map, &columns, used);
    }
    Ok(Optimised { program, map, cut_calls: inlined.cut_calls, stats })
}

/// The edges of the inlined program behind those of the new one.
fn traced(trace: &regions::Trace, back: &BackMap) -> regions::Trace {
    let old = |edges: &Vec<EdgeId>| edges.iter().flat_map(|&edge| trace[edge].iter().copied()).collect();
    back.edges.iter().map(old).collect()
}

/// Whether validity of accesses may depend on what was allocated.
fn asks_about_heap(program: &Program) -> bool {
    let is_any = |is: fn(&Action) -> bool| program.edges.iter().any(|edge| is(&edge.action));
    is_any(|action| matches!(action, Action::Probe { .. })) && is_any(|action| matches!(action, Action::Alloc { .. }))
}

fn has_loads(program: &Program) -> bool {
    program.edges.iter().any(|edge| matches!(edge.action, Action::Load { .. }))
}

/// The columns that an edge assigns, and whether one assigns the set of addresses in use.
fn columns_in_use(program: &Program, map: &BackMap) -> Option<(Vec<bool>, bool)> {
    let layout = map.layout.as_ref()?;
    let (mut keep, mut keep_used) = (vec![false; layout.columns.len()], false);
    for edge in &program.edges {
        edge.action.for_each_target(|var| match map.instances[var].storage {
            Storage::Column { column } => keep[column as usize] = true,
            Storage::Used => keep_used = true,
            _ => {}
        });
    }
    Some((keep, keep_used))
}

/// Leaves out the other columns of the layout.
fn keep_columns(map: &mut BackMap, keep: &[bool], keep_used: bool) {
    let Some(layout) = &mut map.layout else { return };
    // Where columns are gone, the addresses of their objects may be left.
    let named = map.instances.iter().filter_map(|instance| match instance.storage {
        Storage::Allocated { edge } => Some(Site::Alloc(instance.frame.clone(), edge)),
        _ => None,
    });
    let named: Vec<Site> = named.collect();
    let places = layout.keep(keep, keep_used, |site| named.contains(site));
    for instance in map.instances.iter_mut() {
        if let Storage::Column { column } = &mut instance.storage {
            // A column without a place is mentioned nowhere.
            *column = places[*column as usize].unwrap_or(u32::MAX);
        }
    }
}
