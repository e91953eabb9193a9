//! Random settings of an engine, from its table: the same for the same seed.
//!
//! Each setting is drawn within its range, or left as it is. No setting may change which answer is right, so verdicts
//! under random settings are compared like others.

use base::Random;
use uforia::engines;

/// The options that set random values for an engine; none for what is not an engine.
pub fn random(engine: &str, seed: u64) -> Vec<String> {
    let Some(at) = engines::ENGINES.iter().position(|info| info.name == engine) else { return Vec::new() };
    let table = engines::ENGINES[at].settings;
    let mut random = Random::new(seed.wrapping_mul(engines::ENGINES.len() as u64).wrapping_add(at as u64));
    let mut words = Vec::new();
    for row in table.rows.iter().filter(|_| !table.fixed) {
        if random.one_in(2) {
            words.push(format!("--set={}.{}={}", table.component, row.name, row.kind.random(&mut random)));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_settings_are_accepted_and_the_same_for_the_same_seed() {
        let mut n_words = 0;
        for info in engines::ENGINES {
            for seed in 0..50 {
                let words = random(info.name, seed);
                assert_eq!(words, random(info.name, seed));
                for word in &words {
                    let assignment = word.trim_start_matches("--set=");
                    assert!(uforia::settings::assignment(assignment).is_ok(), "{word}");
                }
                n_words += words.len();
            }
        }
        assert!(n_words > 100 && random("runs", 1).is_empty());
    }
}
