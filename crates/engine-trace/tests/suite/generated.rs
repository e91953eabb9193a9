//! A sample of generated programs; `cargo xtask uninterpreted` takes thousands.

use base::Random;
use testkit::uninterpreted::families::{Family, rewritten};
use testkit::uninterpreted::truth::{Bound, truth};

use crate::verify::{Answer, boogie};

const BOUND: Bound = Bound { length: 90, total: 4000 };

#[test]
fn generated_programs_agree_with_what_their_paths_say() {
    let mut unknown = 0;
    let mut answers = [0, 0];
    for (family, name) in Family::ALL {
        for seed in 0..30 {
            let program = family.program(seed);
            let text = program.to_boogie();
            let (answer, known) = (boogie(&text, "search"), truth(&program, BOUND));
            match answer {
                Answer::Safe => {
                    assert!(!known.error, "{name} {seed}: safe, and a path fails\n{text}");
                    answers[0] += 1;
                }
                Answer::Unsafe => {
                    assert!(known.error || !known.complete, "{name} {seed}: unsafe, and no path fails\n{text}");
                    answers[1] += 1;
                }
                Answer::Unknown(_) => unknown += 1,
            }
            if family == Family::Metamorphic {
                let other = rewritten(&program, &mut Random::new(seed));
                let both = (boogie(&text, "search"), boogie(&other.to_boogie(), "search"));
                let disagree = matches!(both, (Answer::Safe, Answer::Unsafe) | (Answer::Unsafe, Answer::Safe));
                assert!(!disagree, "{name} {seed}: {both:?}\n{text}\n{}", other.to_boogie());
            }
        }
    }
    assert!(answers.iter().all(|&n| n > 20), "both answers occur: {answers:?}");
    assert!(unknown <= 7, "{unknown} are unknown");
}
