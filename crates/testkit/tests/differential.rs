//! A sample of the differential test: random programs, compiled and interpreted, must agree. The long
//! run is `cargo xtask differential`.

use cfront::DataModel;
use testkit::cgen::{Config, generate};
use testkit::compiler;
use testkit::differential::{Settings, Verdict, checked, checksum, compare, model_name};

const SAMPLE: u64 = 100;

#[test]
fn compiled_and_interpreted_programs_agree_under_lp64() {
    sample(DataModel::Lp64);
}

#[test]
fn compiled_and_interpreted_programs_agree_under_ilp32() {
    sample(DataModel::Ilp32);
}

fn sample(model: DataModel) {
    if let Some(why) = compiler::missing(model) {
        shout(&format!("THE DIFFERENTIAL TEST FOR {} DID NOT RUN: {why}", model_name(model)));
        return;
    }
    let settings = Settings { seed: 1, count: SAMPLE, model, jobs: 1, batch: 40, keep: None, split: false };
    let failures = compare(&settings, &|_, _| {});
    let reported: Vec<String> = failures.iter().map(|f| format!("seed {}: {:?}", f.seed, f.what)).collect();
    assert!(
        reported.is_empty(),
        "{} of {SAMPLE} programs disagree under {} (`cargo xtask differential --show SEED` prints one):\n{}",
        reported.len(),
        model_name(model),
        reported.join("\n")
    );
}

#[test]
fn programs_of_two_files_agree_with_the_linker() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        if let Some(why) = compiler::missing(model) {
            shout(&format!("THE TEST OF LINKING FOR {} DID NOT RUN: {why}", model_name(model)));
            continue;
        }
        let settings = Settings { seed: 70_000, count: 12, model, jobs: 1, batch: 6, keep: None, split: true };
        let failures = compare(&settings, &|_, _| {});
        let reported: Vec<String> = failures.iter().map(|f| format!("seed {}: {:?}", f.seed, f.what)).collect();
        assert!(reported.is_empty(), "{}", reported.join("\n"));
        let is_split = |&seed: &u64| {
            let text = generate(seed, &Config::for_seed(seed, model));
            testkit::split::split(&text, seed)
                .is_some_and(|files| testkit::differential::split_checksum(&files, model, &["-O0"]).is_ok())
        };
        let n_split = (70_000..70_012).filter(is_split).count();
        assert!(n_split >= 6, "only {n_split} of 12 programs could be split and compiled");
    }
}

/// A message that no test harness swallows.
fn shout(message: &str) {
    use std::io::Write;
    // The harness captures `eprintln!`, but not a direct write.
    let _ = writeln!(std::io::stderr(), "\n*** {message} ***\n");
}

/// The generator promises programs without undefined behaviour; the compiler's sanitizers check that.
#[test]
fn generated_programs_have_no_undefined_behaviour() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        if !compiler::sanitizers_work(model) {
            shout(&format!(
                "GENERATED PROGRAMS WERE NOT CHECKED BY SANITIZERS FOR {}: `{} -fsanitize=undefined,address` does not work here",
                model_name(model),
                compiler::command()
            ));
            continue;
        }
        for seed in 10_000..10_012 {
            let text = generate(seed, &Config::for_seed(seed, model));
            let plain = checksum(&text, model, &["-O2"]).unwrap_or_else(|problem| panic!("seed {seed}: {problem}"));
            let checked = checksum(&text, model, compiler::SANITIZE);
            let checked = checked.unwrap_or_else(|problem| panic!("seed {seed} ({model:?}): {problem}"));
            assert_eq!(plain, checked, "seed {seed} depends on optimisation");
        }
    }
}

/// The comparison can fail: a wrong checksum is seen, and so is something undefined.
#[test]
fn a_disagreement_is_noticed() {
    let text = "int main(void) { return 7; }";
    assert_eq!(checked(text, DataModel::Lp64, 7), Verdict::Agrees);
    assert_eq!(checked(text, DataModel::Lp64, 8), Verdict::Differs { compiled: 8, ours: 7 });
    let text = "int main(void) { int zero = 0; return 7 / zero & 0; }";
    assert!(matches!(checked(text, DataModel::Lp64, 0), Verdict::Undefined(_)));
    assert!(matches!(checked("int main(void) { return", DataModel::Lp64, 0), Verdict::Refused(_)));
}

#[test]
fn a_machine_without_a_compiler_is_reported() {
    if compiler::missing(DataModel::Lp64).is_some() {
        return; // Here the other tests say it.
    }
    let rejected = checksum("this is not C", DataModel::Lp64, &[]);
    assert!(matches!(rejected, Err(compiler::Problem::Rejected(_))), "{rejected:?}");
}
