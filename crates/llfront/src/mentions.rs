//! Which error functions a module mentions, whatever is reachable: a proof about a program that cannot even name an error says nothing.
//!
//! A compiler declares only what some body uses, so a declaration is a mention. For Rust the mention is a call of a function that panics, in a
//! body that is not the library's.

use std::collections::BTreeSet;

use crate::demangle;
use crate::lower::is_panic;
use crate::scan::{self, Module};

/// The name of the mention that is a panic of Rust; no function has it.
pub const PANIC: &str = "a panic";

/// Those of the names that occur as functions of the module, and [`PANIC`] if code of the user can panic.
pub fn mentions(text: &str, names: &[&str]) -> BTreeSet<String> {
    let Ok(module) = scan::scan(text) else { return BTreeSet::new() };
    let is_function = |name: &str| module.declared.contains_key(name) || module.defined.contains_key(name);
    let mut found: BTreeSet<String> =
        names.iter().filter(|name| is_function(name)).map(|name| (*name).to_owned()).collect();
    if panics(&module) {
        found.insert(PANIC.to_owned());
    }
    found
}

fn panics(module: &Module<'_>) -> bool {
    let is_foreign = |name: &str| {
        let libraries = ["core::", "alloc::", "std::", "uforia_harness::"];
        demangle::path(name).is_some_and(|path| {
            let path = path.trim_start_matches('<');
            libraries.iter().any(|library| path.starts_with(library))
        })
    };
    module.functions.iter().filter(|name| !is_foreign(name)).any(|name| {
        let &(start, end) = module.defined.get(name).expect("a listed function is defined");
        let body = &module.text[start as usize..end as usize];
        body.lines().filter(|line| line.contains("call ") || line.contains("invoke ")).any(|line| {
            let callee = line.split_once('@').map_or("", |(_, rest)| rest);
            let end = callee.find(['(', '"']).unwrap_or(callee.len());
            is_panic(module, &callee[..end])
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_error_functions_are_mentioned() {
        let text = "declare void @reach_error()\ndefine i32 @main() {\n  ret i32 0\n}\n";
        assert_eq!(mentions(text, &["reach_error", "__VERIFIER_error"]), BTreeSet::from(["reach_error".to_owned()]));
        assert!(mentions("define i32 @main() {\n  ret i32 0\n}\n", &["reach_error"]).is_empty());
    }

    #[test]
    fn a_panic_counts_in_code_of_the_user() {
        let module = |caller: &str| {
            format!(
                "declare void @_RNvNtCs1_4core9panicking5panic() noreturn\ndefine void @{caller}() {{\n  \
                 call void @_RNvNtCs1_4core9panicking5panic()\n  unreachable\n}}\n"
            )
        };
        assert!(mentions(&module("_RNvCs1_4main4main"), &[]).contains(PANIC));
        assert!(mentions(&module("_RNvCs1_3std4main"), &[]).is_empty());
    }
}
