//! `cargo xtask meaning`: independent checks of the translation from source text to answers.
//!
//! Programs with one right answer come from Csmith (`--csmith`), from our own generator (`--generated`) and from a folder of compiler tests (`--torture
//! DIR`). Compilers say what the answer is; our interpreter (`run`) has to agree, and the checker (`check`) may not claim the opposite, with the right value as
//! assertion and with a wrong one. `--terms` compares C's expressions with a second meaning of them, written from the standard (`testkit::standard`).
//! `--mutants` looks for crashes: changed programs of `tests/` and generated programs under every engine. `--boogie` compares the checker with an interpreter of Boogie's
//! source (`meaning_boogie`). Without any of these all that need no folder.
//!
//! `--count N` (20) of each, from `--seed S` (1), `--model lp64|ilp32|both`, `--steps run,check`, `--seconds S` (10) for an answer of the
//! checker, `--minutes M` at most, `--out DIR` for findings with `--shrink S` (120) seconds to make each small, `--every K` of a folder, `--binary FILE`,
//! `--csmith-headers DIR`, `--engines a,b|all` (mutants: one after the other), `--options WORDS` for `check`.

mod case;
mod crashes;
mod csmith;
mod findings;
mod generated;
mod ours;
mod torture;

use crate::flags::Flags;
use crate::meaning_boogie;
use crate::tool;
use case::{Case, Compilers};
use cfront::DataModel;
use csmith::Csmith;
use findings::{Keeper, without_numbers};
use ours::{Mode, Outcome, Subject};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use testkit::differential::model_name;
use testkit::standard;

/// What the sources of programs share.
struct Setting {
    subject: Subject,
    keeper: Keeper,
    modes: Vec<Mode>,
    seed: u64,
    count: u64,
    deadline: Option<Instant>,
}

impl Setting {
    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }
}

/// Which sources are asked for.
struct Sources {
    csmith: bool,
    generated: bool,
    terms: bool,
    mutants: bool,
    boogie: bool,
    torture: Option<PathBuf>,
}

/// Does what the flags say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let mut sources = Sources {
        csmith: flags.flag("--csmith"),
        generated: flags.flag("--generated"),
        terms: flags.flag("--terms"),
        mutants: flags.flag("--mutants"),
        boogie: flags.flag("--boogie"),
        torture: flags.value("--torture")?.map(PathBuf::from),
    };
    let Sources { csmith, generated, terms, mutants, boogie, torture } = &sources;
    if !(*csmith || *generated || *terms || *mutants || *boogie || torture.is_some()) {
        sources = Sources { csmith: true, generated: true, terms: true, mutants: true, boogie: true, torture: None };
    }
    let models = flags.models()?;
    let every = flags.number("--every", 1)?.max(1) as usize;
    let headers = flags.value("--csmith-headers")?;
    let engines = flags.value("--engines")?;
    let setting = setting(&mut flags)?;
    flags.finish()?;
    let mut n_findings = 0;
    if sources.terms {
        n_findings += compare_terms(&setting, &models)?;
    }
    for &model in &models {
        let compilers = match Compilers::find(model) {
            Ok(compilers) => compilers,
            Err(why) => {
                println!("skipped: {}: {why}", model_name(model));
                continue;
            }
        };
        println!("{}: compilers {}", model_name(model), compilers.names());
        let seeds = setting.seed..setting.seed.saturating_add(setting.count);
        if sources.csmith {
            match Csmith::find(headers.clone()) {
                Ok(csmith) => {
                    n_findings += compare(&setting, "csmith", model, &compilers, seeds.clone(), &|seed| {
                        csmith.case(*seed, model, &compilers)
                    });
                }
                Err(why) => println!("skipped: {why}"),
            }
        }
        if sources.generated {
            let make = |seed: &u64| generated::case(*seed, model, &compilers);
            n_findings += compare(&setting, "generated", model, &compilers, seeds, &make);
        }
        if let Some(folder) = &sources.torture {
            let files = torture::files(folder)?.into_iter().step_by(every);
            let make = |file: &PathBuf| torture::case(file, model, &compilers);
            n_findings += compare(&setting, "torture", model, &compilers, files, &make);
        }
    }
    if sources.mutants {
        n_findings += crashes::hunt(&setting, engines)?;
    }
    if sources.boogie {
        n_findings += meaning_boogie::boogie(&meaning_boogie::Settings {
            binary: setting.subject.binary.clone(),
            count: setting.count,
            seed: setting.seed,
            seconds: setting.subject.seconds,
            out: setting.keeper.out.clone(),
            deadline: setting.deadline,
        })?;
    }
    if n_findings > 0 { Err(format!("{n_findings} findings")) } else { Ok(()) }
}

fn setting(flags: &mut Flags) -> Result<Setting, String> {
    let steps = flags.value("--steps")?.unwrap_or_else(|| "run,check".into());
    let mut modes = Vec::new();
    for step in steps.split(',') {
        match step {
            "run" => modes.extend([Mode::RunRight, Mode::RunWrong]),
            "check" => modes.extend([Mode::CheckRight, Mode::CheckWrong]),
            other => return Err(format!("--steps takes run and check, not `{other}`")),
        }
    }
    let seconds = flags.number("--seconds", 10)?;
    let minutes = flags.value("--minutes")?.map(|text| text.parse::<u64>()).transpose();
    let minutes = minutes.map_err(|_| "--minutes needs a number")?;
    let options = flags.value("--options")?.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let keeper = Keeper {
        out: flags.value("--out")?.map(PathBuf::from),
        shrink: Duration::from_secs(flags.number("--shrink", 120)?),
    };
    Ok(Setting {
        seed: flags.number("--seed", 1)?,
        count: flags.number("--count", 20)?,
        deadline: minutes.and_then(|minutes| Instant::now().checked_add(Duration::from_secs(minutes * 60))),
        subject: Subject { binary: tool::binary(flags.value("--binary")?)?, seconds, options },
        keeper,
        modes,
    })
}

/// How often something happened, by mode.
#[derive(Default)]
struct Tally {
    agrees: u64,
    open: u64,
    refused: u64,
    findings: u64,
}

/// Asks about all programs of a source and prints what came of it; returns the number of findings.
fn compare<T>(
    setting: &Setting,
    source: &str,
    model: DataModel,
    compilers: &Compilers,
    items: impl IntoIterator<Item = T>,
    make: &dyn Fn(&T) -> Result<Case, String>,
) -> u64 {
    let start = Instant::now();
    let mut tallies: BTreeMap<Mode, Tally> = BTreeMap::new();
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    let (mut n_asked, mut n_skipped, mut n_findings) = (0_u64, 0_u64, 0_u64);
    for item in items {
        if setting.is_over() {
            println!("out of time");
            break;
        }
        let case = match make(&item) {
            Ok(case) => case,
            Err(why) => {
                n_skipped += 1;
                *reasons.entry(format!("left out: {why}")).or_default() += 1;
                continue;
            }
        };
        n_asked += 1;
        for &mode in setting.modes.iter().filter(|mode| case.wrong.is_some() || mode.name().ends_with("right")) {
            let tally = tallies.entry(mode).or_default();
            match setting.subject.ask(&case, mode).unwrap_or_else(Outcome::Open) {
                Outcome::Agrees => tally.agrees += 1,
                Outcome::Open(why) => {
                    tally.open += 1;
                    *reasons.entry(format!("{} open: {}", mode.name(), without_numbers(&why))).or_default() += 1;
                }
                Outcome::Refused(why) => {
                    tally.refused += 1;
                    *reasons.entry(format!("{} refused: {}", mode.name(), without_numbers(&why))).or_default() += 1;
                }
                Outcome::Finding { kind, .. } if !findings::is_crash(kind) && !compilers.confirm(&case) => {
                    tally.open += 1;
                    let reason = format!("{} open: {kind}, but compilers or sanitizers disagree", mode.name());
                    *reasons.entry(reason).or_default() += 1;
                }
                outcome @ Outcome::Finding { .. } => {
                    tally.findings += 1;
                    n_findings += 1;
                    setting.keeper.keep(&setting.subject, compilers, &case, mode, &outcome);
                }
            }
        }
        if n_asked % 50 == 0 {
            let seconds = start.elapsed().as_secs();
            eprintln!("{source} {}: {n_asked} programs, {n_findings} findings, {seconds} s", model_name(model));
        }
    }
    for (reason, count) in &reasons {
        println!("{count:6}  {reason}");
    }
    println!(
        "{source} {}: {n_asked} programs, {n_skipped} left out, {:.0} s",
        model_name(model),
        start.elapsed().as_secs_f64()
    );
    for (mode, tally) in &tallies {
        let Tally { agrees, open, refused, findings } = tally;
        println!("  {:12} agrees {agrees}, open {open}, refused {refused}, findings {findings}", mode.name());
    }
    n_findings
}

/// Compares expressions with their second meaning; returns the number of findings.
fn compare_terms(setting: &Setting, models: &[DataModel]) -> Result<u64, String> {
    let mut n_findings = 0;
    for &model in models {
        let (mut n_compared, mut n_values) = (0_u64, 0_u64);
        for seed in setting.seed..setting.seed.saturating_add(setting.count) {
            if setting.is_over() {
                break;
            }
            n_compared += 1;
            match standard::compare(seed, model) {
                Ok(values) => n_values += values,
                Err(difference) => {
                    n_findings += 1;
                    println!("FINDING terms-{}-{seed}: {difference}", model_name(model));
                    setting.keeper.write(
                        &format!("terms-{}-{seed}.c", model_name(model)),
                        "",
                        &standard::program(seed, model),
                    );
                }
            }
        }
        println!("terms {}: {n_compared} programs, {n_values} values compared", model_name(model));
    }
    Ok(n_findings)
}
