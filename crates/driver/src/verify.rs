//! From a program to a verdict that was checked: passes, a plan, the race.

use std::sync::Arc;
use std::time::Instant;

use base::Stopped;
use base::Values;
use certify::Certificate;
use engine::contracts::recursive;
use engine::{EngineInfo, Task};
use program::{Program, pass};
use term::Terms;
use verdict::{Code, Verdict, Why};

use crate::by_contracts::{Stage, by_contracts};
use crate::by_rankings::by_rankings;
use crate::claim::WayBack;
use crate::context::Context;
use crate::engines;
use crate::frontend::System;
use crate::offers;
use crate::portfolio::{self, Features, PlannedArm};
use crate::progress::lock;
use crate::race::{Arm, race};
use crate::tuning::Tuning;

/// What is known in the end, of one engine or of all, and how it came about.
pub struct Conclusion {
    /// What is said; `Safe` and `Unsafe` were checked.
    pub verdict: Verdict,
    /// The engine that found it.
    pub engine: Option<&'static str>,
    /// What the checker counted.
    pub certificate: Option<Certificate>,
    /// Evidence that was refused, or an engine that panicked: our own bugs.
    pub bugs: Vec<String>,
}

impl Conclusion {
    /// No answer, for this reason.
    pub fn unknown(why: Why) -> Conclusion {
        Conclusion { verdict: Verdict::Unknown(why), engine: None, certificate: None, bugs: Vec::new() }
    }
}

/// Verifies the program; an error if the run is to stop. If it is a transition system, engines work on the program that was
/// shaped for them.
pub fn verify(
    context: &Context,
    program: &Program,
    terms: &Terms,
    system: Option<&System>,
) -> Result<Conclusion, Stopped> {
    if program.ends_asked().is_some() {
        return by_rankings(context, program, terms);
    }
    let way_back = system.map(|system| {
        Arc::new(WayBack { program: program.clone(), terms: terms.clone(), shaped: system.shaped.clone() })
    });
    let program = system.map_or(program, |system| system.shaped.program());
    // Passes over a large program take longer than one run, which decides a program without inputs.
    if is_free(context) && program.edges.len() > Tuning::DEFAULT.first_run_edges {
        let conclusion = by_runs(context, program, terms, way_back.clone(), &engine_bmc::FIRST_RUN)?;
        if !matches!(conclusion.verdict, Verdict::Unknown(_)) {
            return Ok(conclusion);
        }
    }
    if is_free(context) && way_back.is_none() && !recursive(program).is_empty() {
        let conclusion = by_runs(context, program, terms, None, &engine_bmc::RUNS)?;
        if !matches!(conclusion.verdict, Verdict::Unknown(_)) {
            return Ok(conclusion);
        }
        if let Some(found) = by_contracts(context, program, terms, Stage::First)? {
            return Ok(found);
        }
    }
    let clock = Instant::now();
    let mut own = terms.clone();
    let options = pass::Options::default();
    let mut task = match pass::optimise(program.clone(), &mut own, &options) {
        Ok(optimised) => Task::new(program.clone(), optimised.program, optimised.map, own),
        Err(refused) => {
            return by_runs_alone(context, program, terms, way_back, refused.into());
        }
    };
    lock(&context.progress).times.push(("passes".to_owned(), clock.elapsed()));
    context.log(&format!("passes: {:.3} s", clock.elapsed().as_secs_f64()));
    if context.stopping() {
        return Err(Stopped::Cancelled);
    }
    if way_back.is_none() {
        offers::publish(context, &mut task)?;
    }
    let arms = arms(context, &task);
    race(context, &Arc::new(task), way_back, arms, cores(context))
}

/// Whether the user names no engine.
fn is_free(context: &Context) -> bool {
    context.settings.engine.as_deref().is_none_or(|engine| engine == engines::PORTFOLIO)
}

/// Verifies a program that the passes refuse: it can still be executed, and a run into an error is an answer, or the only run.
/// If it is recursive, symbolic execution or contracts may prove it.
fn by_runs_alone(
    context: &Context,
    program: &Program,
    terms: &Terms,
    way_back: Option<Arc<WayBack>>,
    why: Why,
) -> Result<Conclusion, Stopped> {
    // A recursive program was executed before.
    let was_run = is_free(context) && way_back.is_none() && !recursive(program).is_empty();
    let conclusion = match was_run {
        true => Conclusion::unknown(why.clone()),
        false => by_runs(context, program, terms, way_back.clone(), &engine_bmc::RUNS)?,
    };
    if !matches!(conclusion.verdict, Verdict::Unknown(_)) {
        return Ok(conclusion);
    }
    let mut bugs = conclusion.bugs;
    if why.code == Code::Recursion && is_free(context) {
        // Contracts say nothing about memory; recursion over what a few inputs have built is executed for all of them.
        if way_back.is_none() && engine_bmc::has_memory(program) {
            let conclusion = by_runs(context, program, terms, None, &engine_bmc::SYMBOLIC)?;
            if !matches!(conclusion.verdict, Verdict::Unknown(_)) {
                return Ok(conclusion);
            }
            bugs.extend(conclusion.bugs);
        }
        if let Some(found) = by_contracts(context, program, terms, Stage::Last)? {
            return Ok(found);
        }
    }
    Ok(Conclusion { bugs, ..Conclusion::unknown(why) })
}

/// Verifies a program by an engine that executes it as it is.
fn by_runs(
    context: &Context,
    program: &Program,
    terms: &Terms,
    way_back: Option<Arc<WayBack>>,
    info: &'static EngineInfo,
) -> Result<Conclusion, Stopped> {
    let as_it_is = Task::new(program.clone(), program.clone(), pass::BackMap::identity(program), terms.clone());
    let runs = arm(context, &alone(info));
    race(context, &Arc::new(as_it_is), way_back, vec![runs], 1)
}

/// The engine that the user named, or the arms of the plan for this program.
pub(crate) fn arms(context: &Context, task: &Task) -> Vec<Arm> {
    let chosen = context.settings.engine.as_deref().unwrap_or(engines::PORTFOLIO);
    if let Some(info) = engines::by_name(chosen) {
        return vec![arm(context, &alone(info))];
    }
    let features = Features::of(&task.program, &task.terms);
    let plan = portfolio::plan(&features);
    context.log(&format!("portfolio for {}: {features:?}", plan.name));
    lock(&context.progress).plan = Some(plan.name);
    // Without loops the first arm is most likely the last, and one arm needs less memory than all of them. In other programs a
    // long opening would keep the right arm waiting.
    let size = (features.edges.max(task.lowered.edges.len()) + features.terms) as u64;
    let factor = if features.loops == 0 { (size / Tuning::DEFAULT.opening_terms).max(1) } else { 1 };
    let by_loops = (features.loops as u64 / Tuning::DEFAULT.opening_loops).max(1);
    let in_step = |planned: &PlannedArm| {
        let factor = if planned.engine.name == engines::KIND.name { factor.max(by_loops) } else { factor };
        PlannedArm { opening: planned.opening * factor, ..*planned }
    };
    let mut arms: Vec<Arm> = plan.arms.iter().map(|planned| arm(context, &in_step(planned))).collect();
    // Programs without memory do not notice the arm for it.
    let has_memory = engine_bmc::has_memory(&task.lowered);
    arms.retain(|arm| has_memory || arm.info.name != engines::SYMBOLIC.name);
    // If settings of the user make two arms equal, one is enough.
    let mut seen: Vec<(&str, Values)> = Vec::new();
    arms.retain(|arm| {
        let kind = (arm.info.name, arm.settings.clone());
        let is_new = !seen.contains(&kind);
        seen.push(kind);
        is_new
    });
    arms
}

/// An engine that works alone, with its usual settings.
fn alone(engine: &'static EngineInfo) -> PlannedArm {
    PlannedArm { name: engine.name, engine, settings: &[], share: 1, opening: 0 }
}

fn arm(context: &Context, planned: &PlannedArm) -> Arm {
    // The command line has precedence over the plan.
    let mut settings = Values::default();
    planned.settings.iter().for_each(|(name, value)| settings.set(name, value));
    settings.set_all(&context.settings.chosen.of(planned.engine.settings.component));
    Arm {
        name: planned.name,
        info: planned.engine,
        settings,
        share: planned.share,
        opening: planned.opening,
        has_last_word: planned.engine.name == engines::DECIDES.name,
    }
}

/// How many arms may work at a time.
pub(crate) fn cores(context: &Context) -> usize {
    let there_are = || std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    context.settings.threads.map_or_else(there_are, |threads| threads as usize)
}

#[cfg(test)]
mod tests;
