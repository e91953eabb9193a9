//! `cargo xtask differential`: random programs, compiled and interpreted, must agree.
//!
//! `--count N` programs for `--model lp64|ilp32|both` from `--seed S` on `--jobs J` threads; failing
//! ones go to `--keep DIR`. `--split`: each program as two files, to be linked. `--show SEED` prints a program (with `--split` its files) instead; `--shrink FILE` makes a failing
//! program small.

use crate::flags::Flags;
use cfront::DataModel;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;
use testkit::cgen::{self, Config};
use testkit::compiler;
use testkit::differential::{self, Failure, Settings, model_name};
use testkit::reduce;

/// Does what the flags say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let models = flags.models()?;
    if let Some(file) = flags.value("--shrink")? {
        let model = models[models.len() - 1];
        flags.finish()?;
        return shrink(&file, model);
    }
    let split = flags.flag("--split");
    if let Some(seed) = flags.value("--show")? {
        flags.finish()?;
        let seed = seed.parse().map_err(|_| "--show needs a seed".to_string())?;
        let text = cgen::generate(seed, &Config::for_seed(seed, models[0]));
        match testkit::split::split(&text, seed).filter(|_| split) {
            Some([first, second]) => print!("// a.c\n{first}\n// b.c\n{second}"),
            None => print!("{text}"),
        }
        return Ok(());
    }
    let count = flags.number("--count", 1000)?;
    let seed = flags.number("--seed", 1)?;
    let jobs = flags.number("--jobs", 2)? as usize;
    let batch = flags.number("--batch", 50)?.max(1);
    let keep = flags.value("--keep")?.map(PathBuf::from);
    flags.finish()?;
    let mut bad = 0;
    for model in models {
        if let Some(why) = compiler::missing(model) {
            return Err(why);
        }
        let settings = Settings { seed, count, model, jobs, batch, keep: keep.clone(), split };
        bad += compare(&settings);
    }
    if bad > 0 { Err(format!("{bad} programs did not agree")) } else { Ok(()) }
}

fn compare(settings: &Settings) -> usize {
    let start = Instant::now();
    let name = model_name(settings.model);
    let progress = |done: u64, failed: u64| {
        if done % 500 < settings.batch || done == settings.count {
            let seconds = start.elapsed().as_secs();
            eprintln!("{name}: {done} of {} programs, {failed} failures, {seconds} s", settings.count);
        }
    };
    let failures = differential::compare(settings, &progress);
    let mut kinds: BTreeMap<String, Vec<&Failure>> = BTreeMap::new();
    for failure in &failures {
        kinds.entry(cause(failure)).or_default().push(failure);
    }
    for (kind, members) in &kinds {
        let seeds: Vec<String> = members.iter().take(5).map(|f| f.seed.to_string()).collect();
        println!("{:6}  {kind}  (seeds {})", members.len(), seeds.join(" "));
    }
    println!(
        "{name}: {} programs, {} agree, {} do not, {:.0} s",
        settings.count,
        settings.count - failures.len() as u64,
        failures.len(),
        start.elapsed().as_secs_f64()
    );
    failures.len()
}

/// What failures have in common: the message without its numbers.
fn cause(failure: &Failure) -> String {
    use testkit::differential::Verdict;
    let detail = match &failure.what {
        Verdict::Differs { .. } | Verdict::Agrees => "",
        Verdict::GeneratorFault(text) | Verdict::Refused(text) | Verdict::Undefined(text) | Verdict::NoAnswer(text) => {
            text
        }
    };
    let mut shown = String::new();
    for c in detail.chars().take(160) {
        let c = if c.is_ascii_digit() { '#' } else { c };
        if !(c == '#' && shown.ends_with('#')) {
            shown.push(c);
        }
    }
    format!("{}: {shown}", failure.what.kind())
}

fn shrink(file: &str, default: DataModel) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
    let model = if text.contains("// data-model: ilp32") {
        DataModel::Ilp32
    } else if text.contains("// data-model: lp64") {
        DataModel::Lp64
    } else {
        default
    };
    let small = reduce::reduce(&text, model, &|length| eprintln!("{length} bytes"))?;
    println!("{small}");
    Ok(())
}
