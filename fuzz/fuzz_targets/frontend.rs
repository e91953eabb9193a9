//! Any bytes through the front end: diagnostics or a program that keeps the laws, never a panic.
//!
//! The first byte chooses the data model. Run it with a nightly compiler:
//! `cargo +nightly fuzz run frontend ../tests/c` from this folder.

#![no_main]

use cfront::{DataModel, Options, Property};
use libfuzzer_sys::fuzz_target;
use term::Terms;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let data_model = if first % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
    let text = String::from_utf8_lossy(rest);
    let mut terms = Terms::new();
    let options = Options::new(data_model, Property::UnreachCall);
    match cfront::compile("fuzz.c", &text, &options, &mut terms) {
        Ok(compiled) => {
            let laws = program::validate(&compiled.program, &terms);
            assert!(laws.is_ok(), "the lowered program breaks a law: {laws:?}");
        }
        Err(found) => assert!(!found.is_empty(), "a refusal has a reason"),
    }
});
