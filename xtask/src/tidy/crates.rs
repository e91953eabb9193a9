//! Dependencies between crates: a crate uses crates above it in the table, and only those that its row names.
//!
//! Independence that matters: `sat` does not use `term`, `term` and `program` use no solver, engines do not use one
//! another, and `certify` and `report` use no engine. A new dependency between crates needs a decision record and an
//! entry here. A crate `engine-*` may use what any engine may, a crate `domain-*` (a source of invariants for engines) too; so a new one needs no
//! entry.

use super::{File, Finding};

/// Each crate by the name of its library, from the lowest layer up, with the crates it may use.
const CRATES: &[(&str, &[&str])] = &[
    ("harness-macros", &[]),
    ("harness", &["harness-macros"]),
    ("base", &[]),
    ("term", &["base"]),
    ("proof", &["base", "term"]),
    ("sat", &["base", "proof"]),
    ("smt", &["base", "term", "proof", "sat"]),
    ("program", &["base", "term"]),
    ("verdict", &["base", "term", "program"]),
    ("cfront", &["base", "term", "program"]),
    ("bplfront", &["base", "term", "program"]),
    ("llfront", &["base", "term", "program"]),
    ("vmtfront", &["base", "term", "smt", "program", "verdict"]),
    ("encode", &["base", "term", "program"]),
    ("certify", &["base", "term", "program", "verdict", "proof", "smt"]),
    ("report", &["base", "term", "program", "verdict"]),
    ("engine", &["base", "term", "smt", "program", "encode", "verdict"]),
    (
        "uforia",
        &[
            "base", "term", "proof", "sat", "smt", "program", "cfront", "bplfront", "llfront", "vmtfront", "encode",
            "verdict", "certify", "report", "engine",
        ],
    ),
    (
        "testkit",
        &["base", "term", "proof", "sat", "smt", "program", "cfront", "encode", "verdict", "certify", "engine"],
    ),
    (
        "xtask",
        &[
            "base", "term", "sat", "smt", "program", "cfront", "bplfront", "llfront", "encode", "verdict", "certify",
            "report", "engine", "uforia", "testkit",
        ],
    ),
];

/// What crates `engine-*` and `domain-*` may use. Engines may also use domains, and only `uforia` uses engines.
const ENGINE: &[&str] = &["base", "term", "proof", "sat", "smt", "program", "encode", "verdict", "engine"];

/// Compares each `Cargo.toml` with the table.
pub fn check(files: &[File], found: &mut Vec<Finding>) {
    for file in files {
        let Some(folder) = file.path.strip_suffix("/Cargo.toml") else { continue };
        let name = match folder.strip_prefix("crates/").unwrap_or(folder) {
            "driver" => "uforia",
            name => name,
        };
        if name.contains('/') || name == "fuzz" {
            continue;
        }
        let Some(allowed) = allowed(name) else {
            let message = format!("`{name}` is not in tidy's table of crates: add it, with a decision record");
            found.push(Finding { path: file.path.clone(), line: 0, message });
            continue;
        };
        for (line, dependency) in dependencies(&file.text) {
            let is_for_it = match kind(dependency) {
                Kind::Engine => name == "uforia",
                Kind::Domain => kind(name) == Kind::Engine,
                Kind::Other => allowed.contains(&dependency),
            };
            if self::allowed(dependency).is_some() && !is_for_it {
                let message = format!("`{name}` may not use `{dependency}`: see the table in xtask/src/tidy/crates.rs");
                found.push(Finding { path: file.path.clone(), line, message });
            }
        }
    }
}

#[derive(PartialEq, Eq)]
enum Kind {
    Engine,
    Domain,
    Other,
}

fn kind(name: &str) -> Kind {
    match name.split_once('-') {
        Some(("engine", _)) => Kind::Engine,
        Some(("domain", _)) => Kind::Domain,
        _ => Kind::Other,
    }
}

/// The crates of the table that a crate of ours may use.
fn allowed(name: &str) -> Option<&'static [&'static str]> {
    match kind(name) {
        Kind::Engine | Kind::Domain => Some(ENGINE),
        Kind::Other => CRATES.iter().find(|(known, _)| *known == name).map(|(_, allowed)| *allowed),
    }
}

/// The names in the table of dependencies, with their lines. What only tests use is not looked at.
fn dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    let mut inside = false;
    for (index, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if let Some(section) = line.strip_prefix('[') {
            inside = section.starts_with("dependencies]");
            // [dependencies.name]
            if let Some(name) = section.strip_prefix("dependencies.") {
                names.push((index + 1, name.trim_end_matches(']')));
            }
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            let end = line.find(['.', '=', ' ']).unwrap_or(line.len());
            names.push((index + 1, &line[..end]));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::tests::check as check_files;
    use super::*;

    #[test]
    fn a_crate_uses_crates_above_it_in_the_list() {
        for (index, (name, allowed)) in CRATES.iter().enumerate() {
            for used in *allowed {
                assert!(
                    CRATES[..index].iter().any(|(above, _)| above == used),
                    "{name} uses {used}, which is not above"
                );
            }
        }
    }

    #[test]
    fn an_arrow_that_the_table_does_not_have_is_found() {
        let manifest =
            "[package]\nname = \"program\"\n\n[dependencies]\nbase.workspace = true\nsmt = { workspace = true }\n";
        let found = check_files(check, &[("crates/program/Cargo.toml", manifest)]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("crates/program/Cargo.toml:6: `program` may not use `smt`"));
    }

    #[test]
    fn engines_use_domains_and_not_one_another() {
        let manifest =
            "[dependencies]\nengine.workspace = true\nengine-bmc.workspace = true\ndomain-x.workspace = true\n";
        let found = check_files(check, &[("crates/engine-new/Cargo.toml", manifest)]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("crates/engine-new/Cargo.toml:3: "), "{found:?}");
        assert_eq!(check_files(check, &[("crates/domain-new/Cargo.toml", manifest)]).len(), 2);
    }

    #[test]
    fn tests_may_use_what_they_like() {
        let manifest = "[dependencies]\nbase.workspace = true\n[dev-dependencies]\ntestkit.workspace = true\n";
        assert_eq!(check_files(check, &[("crates/term/Cargo.toml", manifest)]), Vec::<String>::new());
    }

    #[test]
    fn an_unknown_crate_is_found() {
        assert_eq!(check_files(check, &[("crates/attic/Cargo.toml", "")]).len(), 1);
    }
}
