//! Expressions mean what the standard says: the front end against a second meaning of them (`testkit::standard`).

use cfront::DataModel;
use testkit::differential::model_name;
use testkit::standard;

fn check(model: DataModel) {
    let mut n_values = 0;
    for seed in 0..150 {
        match standard::compare(seed, model) {
            Ok(values) => n_values += values,
            Err(difference) => panic!("{} seed {seed}: {difference}", model_name(model)),
        }
    }
    assert!(n_values > 20_000, "only {n_values} values were compared");
}

#[test]
fn expressions_mean_what_the_standard_says_with_64_bit_long() {
    check(DataModel::Lp64);
}

#[test]
fn expressions_mean_what_the_standard_says_with_32_bit_long() {
    check(DataModel::Ilp32);
}
