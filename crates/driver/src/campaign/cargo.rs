//! Harnesses of a cargo package: `uforia check Cargo.toml`, a folder with one, and `cargo uforia`.
//!
//! `cargo rustc` compiles each library or program of the chosen packages that contains a harness to LLVM IR, with the flags that a single file
//! gets; dependencies are compiled without optimisation passes, too. Each function with the attribute `proof` is a task of its own. Bodies that
//! only compiled dependencies have come from a second run with link-time optimisation, in which nothing is linked.
//!
//! Everything is written below `target/uforia` of the workspace, so that the user's own build stays as it is.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{Task, gather::Gathered};
use crate::compiler;
use crate::failure::Failure;
use crate::options::Settings;

/// Options of cargo that take a value.
const WITH_VALUE: &[&str] = &["-p", "--package", "-F", "--features", "--profile", "--exclude"];

/// What the user said to cargo.
#[derive(Debug, Default, PartialEq, Eq)]
struct Chosen {
    packages: Vec<String>,
    is_workspace: bool,
    /// Words for `cargo rustc`: features, `--offline` and so on.
    rest: Vec<String>,
}

/// The manifest that a word of the command line means, if it means one.
pub fn manifest(word: &str) -> Option<PathBuf> {
    let path = Path::new(word);
    if path.file_name().is_some_and(|name| name == "Cargo.toml") {
        return Some(path.to_owned());
    }
    let inside = path.join("Cargo.toml");
    (path.is_dir() && inside.is_file()).then_some(inside)
}

/// Compiles the harnesses of the package or workspace, and makes a task of each.
pub fn gather(settings: &Settings, manifest: &Path, gathered: &mut Gathered) -> Result<(), Failure> {
    let chosen = chosen(settings.cargo_args.as_deref().unwrap_or(""));
    let metadata = metadata(manifest)?;
    let target = PathBuf::from(text(&metadata["target_directory"])).join("uforia");
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let wanted: Vec<&Value> = packages.iter().filter(|package| is_wanted(package, &chosen, manifest)).collect();
    // A manifest without a package of its own is that of a workspace.
    let wanted = if wanted.is_empty() && chosen.packages.is_empty() { packages.iter().collect() } else { wanted };
    if wanted.is_empty() {
        let message = format!("{}: there is no package {}", manifest.display(), chosen.packages.join(", "));
        return Err(Failure::Usage(message));
    }
    let before = gathered.tasks.len();
    for package in wanted {
        let folder = Path::new(text(&package["manifest_path"])).parent().unwrap_or(Path::new(".")).to_owned();
        let sources = sources(&folder);
        if !sources.contains("proof]") && !sources.contains("proof(") {
            gathered.notes.push(format!("{}: no function has the attribute `proof`", text(&package["name"])));
            continue;
        }
        for unit in package["targets"].as_array().into_iter().flatten() {
            let is_kind = |kind: &str| unit["kind"].as_array().into_iter().flatten().any(|one| text(one) == kind);
            let has_harness =
                || std::fs::read_to_string(text(&unit["src_path"])).is_ok_and(|text| text.contains("proof]"));
            let what = match () {
                () if is_kind("lib") || is_kind("rlib") || is_kind("cdylib") => vec!["--lib".to_owned()],
                () if is_kind("bin") && has_harness() => vec!["--bin".to_owned(), text(&unit["name"]).to_owned()],
                () => continue,
            };
            let build = Build { package, what, target: &target, rest: &chosen.rest, sources: &sources };
            gathered.tasks.extend(build.tasks()?);
        }
    }
    if gathered.tasks.len() == before {
        let message = format!(
            "{}: no harness found; mark a function with #[uforia::proof] or #[kani::proof]",
            manifest.display()
        );
        return Err(Failure::CannotRead(message));
    }
    Ok(())
}

/// A library or program of a package.
struct Build<'a> {
    package: &'a Value,
    what: Vec<String>,
    target: &'a Path,
    rest: &'a [String],
    sources: &'a str,
}

impl Build<'_> {
    fn tasks(&self) -> Result<Vec<Task>, Failure> {
        let name = text(&self.package["name"]);
        let stem = format!("{name}{}", self.what.join("-"));
        let file = self.target.join(format!("{stem}.ll"));
        let mut module = self.compile(&file, false)?;
        let harnesses = llfront::proofs(&module);
        let mut missing: Vec<String> =
            harnesses.iter().flat_map(|entry| llfront::missing(&module, Some(entry))).collect();
        missing.sort();
        missing.dedup();
        if !missing.is_empty() {
            let library = self.compile(&self.target.join(format!("{stem}-linked.ll")), true)?;
            module = llfront::supplement(&module, &library, &missing, true).unwrap_or(module);
        }
        let whole = self.target.join(format!("{stem}-whole.ll"));
        std::fs::write(&whole, &module)
            .map_err(|error| Failure::CannotRead(format!("cannot write {}: {error}", whole.display())))?;
        let task = |entry: &String| {
            let mut task = Task::of(&whole.to_string_lossy());
            task.name =
                if entry.starts_with(&name.replace('-', "_")) { entry.clone() } else { format!("{name}: {entry}") };
            task.entry = Some(entry.clone());
            task
        };
        Ok(harnesses.iter().map(task).collect())
    }
    fn compile(&self, file: &Path, is_linked: bool) -> Result<String, Failure> {
        let is_library = self.what[0] == "--lib";
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["rustc", "--quiet", "--release", "--manifest-path", text(&self.package["manifest_path"])]);
        command.arg("--target-dir").arg(self.target).args(&self.what).args(self.rest);
        if is_library {
            command.args(["--crate-type", if is_linked { "cdylib" } else { "lib" }]);
        }
        command.arg("--").arg(format!("--emit=llvm-ir={}", file.display())).args(["-Clinker=true", "-Awarnings"]);
        self.name_harness_crates(&mut command)?;
        let mut flags =
            vec!["--cfg=uforia", "-Cno-prepopulate-passes", "-Csymbol-mangling-version=v0", "-Zub-checks=no"];
        flags.push("-Clink-dead-code=yes");
        if self.sources.contains("kani::") {
            flags.push("--cfg=kani");
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")).env("RUSTC_BOOTSTRAP", "1");
        for (key, value) in [
            ("OPT_LEVEL", "3"),
            ("DEBUG", "2"),
            ("PANIC", "abort"),
            ("CODEGEN_UNITS", "1"),
            ("OVERFLOW_CHECKS", "true"),
            ("DEBUG_ASSERTIONS", "true"),
            ("STRIP", "none"),
            ("INCREMENTAL", "false"),
            ("LTO", if is_linked { "fat" } else { "off" }),
        ] {
            command.env(format!("CARGO_PROFILE_RELEASE_{key}"), value);
        }
        let output = command.output().map_err(|error| Failure::CannotRead(format!("cannot start cargo: {error}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Failure::CannotRead(format!("cargo cannot compile {}:\n{said}", text(&self.package["name"]))));
        }
        std::fs::read_to_string(file).map_err(|error| Failure::CannotRead(format!("{}: {error}", file.display())))
    }
    /// The crates `uforia` and `kani`, if the package uses them and does not depend on them itself.
    fn name_harness_crates(&self, command: &mut Command) -> Result<(), Failure> {
        let depends = |wanted: &str| {
            let named = |one: &Value| [&one["rename"], &one["name"]].iter().any(|name| text(name) == wanted);
            self.package["dependencies"].as_array().into_iter().flatten().any(named)
        };
        let absent = |name: &&str| self.sources.contains(&format!("{name}::")) && !depends(name);
        let absent: Vec<&str> = ["uforia", "kani"].into_iter().filter(absent).collect();
        if absent.is_empty() {
            return Ok(());
        }
        let folder = self.target.join("harness");
        let library = compiler::harness_in(&folder)?;
        for name in absent {
            command.arg("--extern").arg(format!("{name}={}", library.display()));
        }
        command.arg("-L").arg(&folder);
        Ok(())
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

fn is_wanted(package: &Value, chosen: &Chosen, manifest: &Path) -> bool {
    if !chosen.packages.is_empty() {
        return chosen.packages.iter().any(|name| name == text(&package["name"]));
    }
    let same = || std::fs::canonicalize(manifest).is_ok_and(|path| path == Path::new(text(&package["manifest_path"])));
    chosen.is_workspace || same()
}

/// Sorts words for cargo: those that choose packages, and the others.
fn chosen(words: &str) -> Chosen {
    let mut chosen = Chosen::default();
    let mut words = words.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "-p" | "--package" => chosen.packages.extend(words.next().map(str::to_owned)),
            "--workspace" | "--all" => chosen.is_workspace = true,
            word => {
                chosen.rest.push(word.to_owned());
                if WITH_VALUE.contains(&word) {
                    chosen.rest.extend(words.next().map(str::to_owned));
                }
            }
        }
    }
    chosen
}

fn metadata(manifest: &Path) -> Result<Value, Failure> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["metadata", "--format-version", "1", "--no-deps", "--manifest-path"]).arg(manifest);
    let output = command.output().map_err(|error| {
        Failure::CannotRead(format!("cannot start cargo: {error}; install Rust from https://rustup.rs"))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Failure::CannotRead(format!("cargo cannot read {}: {said}", manifest.display())));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| Failure::CannotRead(format!("cargo metadata: {error}")))
}

/// The texts of all Rust files of a package.
fn sources(folder: &Path) -> String {
    let mut found = String::new();
    let mut work = vec![folder.join("src")];
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                work.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_cargo_are_sorted() {
        let found = chosen("-p a --features x,y --package b --offline");
        assert_eq!(found.packages, ["a", "b"]);
        assert_eq!(found.rest, ["--features", "x,y", "--offline"]);
        assert!(!found.is_workspace && chosen("--workspace").is_workspace);
    }
}
