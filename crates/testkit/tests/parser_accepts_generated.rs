//! The parser accepts what the generator writes: a quick test that needs no other stage.

use cfront::DataModel;
use cfront::source::Source;
use testkit::cgen::{Config, generate};

#[test]
fn every_generated_program_parses() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for seed in 0..400 {
            let text = generate(seed, &Config::for_seed(seed, model));
            let source = Source::new("program.c", &text);
            let (_, found) = cfront::parse::parse(&source);
            let messages: Vec<String> =
                found.iter().map(|d| format!("{}:{}: {}", d.line, d.column, d.message)).collect();
            assert!(messages.is_empty(), "seed {seed}: {}", messages.join("\n"));
        }
    }
}
