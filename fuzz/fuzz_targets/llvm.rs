//! Any bytes through the reader of LLVM IR: diagnostics or a program that keeps the laws, never a panic.
//!
//! Run it with a nightly compiler: `cargo +nightly fuzz run llvm` from this folder, with modules that clang or rustc wrote as a corpus.

#![no_main]

use libfuzzer_sys::fuzz_target;
use llfront::{Options, Property};
use term::Terms;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut terms = Terms::new();
    let options = Options { property: Property::Errors, entry: None };
    let _ = llfront::read_all("fuzz.ll", &text);
    match llfront::compile("fuzz.ll", &text, &options, &mut terms) {
        Ok(compiled) => {
            let laws = program::validate(&compiled.program, &terms);
            assert!(laws.is_ok(), "the lowered program breaks a law: {laws:?}");
        }
        Err(found) => assert!(!found.is_empty(), "a refusal has a reason"),
    }
});
