//! A sample of `cargo xtask passes`: programs mean the same before and after each pass.

use cfront::DataModel;
use testkit::cgen::{self, Config};
use testkit::passes::{self, Seen};
use testkit::{golden, ours};

fn compare(name: &str, text: &str, model: DataModel, seed: Option<u64>) -> Option<Seen> {
    let compared = ours::lowered(name, text, model, move |program, terms| {
        let (mut program, mut terms) = (program.clone(), terms.clone());
        if let Some(seed) = seed {
            passes::enliven(&mut program, &mut terms, seed, None);
            let result = passes::result_of(&program, &terms, 50_000, seed);
            passes::enliven(&mut program, &mut terms, u64::MAX, result.map(|value| value ^ (seed & 1)));
        }
        passes::compare(&program, &mut terms, 4, 50_000, seed.unwrap_or(1))
    });
    match compared {
        Ok(Ok(seen)) => seen,
        Ok(Err(what)) => panic!("{name}: {what}"),
        // What the front end refuses is not for us.
        Err(ours::Answer::Panicked(what)) => panic!("{name}: {what}"),
        Err(_) => None,
    }
}

#[test]
fn random_programs_mean_the_same_after_each_pass() {
    let mut all = Seen::default();
    for seed in 0..40 {
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = cgen::generate(seed, &Config::for_seed(seed, model));
        if let Some(seen) = compare(&format!("seed {seed}"), &text, model, Some(seed)) {
            all.add(&seen);
        }
    }
    assert!(all.runs > 1000 && all.errors > 20, "{all:?}");
    assert!(all.accesses_after * 4 < all.accesses_before, "{all:?}");
}

#[test]
fn golden_programs_mean_the_same_after_each_pass() {
    let mut all = Seen::default();
    for path in golden::files("tests/c", "c") {
        let text = std::fs::read_to_string(&path).expect("the file was just listed");
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // The result counts here too, as in random programs.
        for model in golden::Expectation::read(&text).models() {
            for seed in [None, Some(2), Some(3)] {
                if let Some(seen) = compare(&name, &text, model, seed) {
                    all.add(&seen);
                }
            }
        }
    }
    assert!(all.runs > 5000, "{all:?}");
}
