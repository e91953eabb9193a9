//! Crashes: variants of the programs in `tests/` and generated programs under every engine, each with little time.
//!
//! Nothing is known about the answer. A panic, a signal, exit code 70 (refused evidence) and a run that goes on after its time limit are findings.
//! Programs, engine, property and data model follow from the seed, so a finding is known by its number.

use super::Setting;
use super::findings::{quoted, without_numbers};
use super::ours::{Outcome, of_crash};
use super::{case::Case, generated};
use crate::tool;
use base::Random;
use cfront::DataModel;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use testkit::compiler::TempFolder;
use testkit::differential::model_name;
use testkit::golden::workspace;
use testkit::variants::variant;

/// Properties by turns; the empty one is the default.
const PROPERTIES: &[&str] = &["", "unreach-call", "no-overflow", "valid-memsafety"];
/// Seconds for one run: crashes come early, and there are many runs.
const SECONDS: u64 = 2;

/// A program and the words to check it with.
struct Attempt {
    text: String,
    extension: String,
    model: DataModel,
    words: Vec<String>,
}

/// Runs as many variants, and as many generated programs, as asked for; returns the number of findings.
pub fn hunt(setting: &Setting, engines: Option<String>) -> Result<u64, String> {
    let every_engine = engines.as_deref() == Some("all");
    let engines: Vec<String> = match engines.as_deref() {
        None | Some("all") => {
            let names = uforia::engines::ENGINES.iter().map(|info| info.name.to_owned());
            [uforia::engines::PORTFOLIO.to_owned()].into_iter().chain(names).collect()
        }
        Some(list) => list.split(',').map(str::to_owned).collect(),
    };
    let seeds = programs(&workspace().join("tests"));
    let mut causes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut n_runs, mut n_findings) = (0_u64, 0_u64);
    for seed in setting.seed..setting.seed.saturating_add(setting.count) {
        if setting.is_over() {
            println!("out of time");
            break;
        }
        for source in ["mutant", "generated"] {
            let chosen: &[String] =
                if every_engine { &engines } else { &engines[(seed % engines.len() as u64) as usize..][..1] };
            for engine in chosen {
                let attempt = attempt(source, seed, engine, &seeds)?;
                n_runs += 1;
                if let Some((kind, detail)) = crash(setting, &attempt)? {
                    n_findings += 1;
                    let name = format!("{source}-{seed}-{engine}");
                    let cause = format!("{kind}: {}", without_numbers(&detail));
                    let members = causes.entry(cause).or_default();
                    members.push(name.clone());
                    report(setting, &attempt, &name, kind, &detail, members.len() == 1);
                }
            }
        }
        if seed % 50 == 0 {
            eprintln!("mutants: seed {seed}, {n_runs} runs, {n_findings} findings");
        }
    }
    for (cause, members) in &causes {
        println!("{:6}  {cause}  ({})", members.len(), members.iter().take(5).cloned().collect::<Vec<_>>().join(" "));
    }
    println!("mutants: {n_runs} runs, {n_findings} findings, {} causes", causes.len());
    Ok(n_findings)
}

/// Every program below this folder: its text and its extension.
fn programs(folder: &Path) -> Vec<(String, String)> {
    let mut folders = vec![folder.to_owned()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let known = ["c", "bpl", "vmt", "btor", "btor2"];
    let program = |path: &PathBuf| {
        let extension = path.extension()?.to_str()?.to_owned();
        known.contains(&extension.as_str()).then_some(())?;
        Some((fs::read_to_string(path).ok()?, extension))
    };
    files.iter().filter_map(program).collect()
}

fn attempt(source: &str, seed: u64, engine: &str, seeds: &[(String, String)]) -> Result<Attempt, String> {
    let mut random = Random::new(seed ^ 0x6372_6173_6800_0000);
    let model = if random.one_in(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let (text, extension) = if source == "mutant" {
        if seeds.is_empty() {
            return Err("there are no programs in tests/".into());
        }
        let (text, extension) = random.pick(seeds).clone();
        (variant(&text, &mut random), extension)
    } else {
        let text = format!("#define EXPECTED_CHECKSUM {}u\n{}", random.below(1 << 32), generated::program(seed, model));
        (if random.one_in(2) { variant(&text, &mut random) } else { text }, "c".to_owned())
    };
    let mut words = ["check", "--engine", engine, "--data-model", model_name(model)].map(str::to_owned).to_vec();
    let property = *random.pick(PROPERTIES);
    if extension == "c" && !property.is_empty() {
        words.extend(["--property".to_owned(), property.to_owned()]);
    }
    words.extend(["--timeout".to_owned(), format!("{SECONDS}s")]);
    Ok(Attempt { text, extension, model, words })
}

/// What went wrong, if anything.
fn crash(setting: &Setting, attempt: &Attempt) -> Result<Option<(&'static str, String)>, String> {
    let folder = TempFolder::new();
    let file = folder.path().join(format!("program.{}", attempt.extension));
    fs::write(&file, &attempt.text).map_err(|error| error.to_string())?;
    let mut words: Vec<&str> = attempt.words.iter().map(String::as_str).collect();
    let path = file.to_string_lossy();
    words.push(&path);
    let ran = tool::run_in(&setting.subject.binary, &words, Duration::from_secs(SECONDS + 15), folder.path())?;
    Ok(match of_crash(&ran) {
        Some(Outcome::Finding { kind, detail }) => Some((kind, detail)),
        _ => None,
    })
}

/// Prints a finding; the first of its cause is also made small and kept.
fn report(setting: &Setting, attempt: &Attempt, name: &str, kind: &'static str, detail: &str, is_first: bool) {
    println!("FINDING {name}: {kind}: {detail}\n    uforia {} FILE", quoted(&attempt.words));
    if !is_first || setting.keeper.out.is_none() {
        return;
    }
    let header = format!("// {kind}: {}\n// uforia {} FILE\n", detail.replace('\n', " "), quoted(&attempt.words));
    let header = if attempt.extension == "c" { header } else { String::new() };
    setting.keeper.write(&format!("{name}.{}", attempt.extension), &header, &attempt.text);
    let fails = |text: &str| {
        let candidate = Attempt {
            text: text.to_owned(),
            words: attempt.words.clone(),
            extension: attempt.extension.clone(),
            ..*attempt
        };
        let now = crash(setting, &candidate).ok().flatten();
        now.is_some_and(|(k, d)| k == kind && without_numbers(&d) == without_numbers(detail))
    };
    if setting.keeper.shrink.is_zero() || !fails(&attempt.text) {
        return;
    }
    let (right, wrong, options) = (Vec::new(), None, Vec::new());
    let case = Case { name: name.to_owned(), text: attempt.text.clone(), model: attempt.model, options, right, wrong };
    let small = setting.keeper.small(&attempt.text, &case, &fails);
    setting.keeper.write(&format!("{name}-small.{}", attempt.extension), &header, &small);
}
