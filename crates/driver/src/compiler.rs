//! Compilers that write LLVM IR for us: rustc, clang++, and llvm-dis for bitcode.
//!
//! No optimisation pass of LLVM runs: it would remove errors that stand near undefined behaviour. rustc gets `-C opt-level=3 -C
//! no-prepopulate-passes`, which instantiates generic functions here and leaves LLVM out; clang++ gets `-O1 -disable-llvm-passes`, which marks
//! where the life of a variable begins. The children have limits, as the preprocessor has.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use base::{Diagnostic, Severity};

use crate::child::{ENDS_WITH_INPUT, Leashed, Limits, leashed};
use crate::context::Context;
use crate::failure::Failure;
use crate::input::{self, about};
use crate::preprocess::{Attempt, converse, installed};
use crate::scratch::Scratch;
use crate::tuning::Tuning;

/// The text of the crate `uforia-harness`, and of its attributes.
const HARNESS: &str = include_str!("../rust/uforia_harness.rs");
const MACROS: &str = include_str!("../rust/uforia_harness_macros.rs");

fn scratch(context: &Context) -> Result<Scratch, Failure> {
    Scratch::create(context).map_err(|error| Failure::CannotRead(format!("cannot make a temporary folder: {error}")))
}

fn run(context: &Context, words: &[String]) -> Result<Attempt, Failure> {
    context.log(&words.join(" "));
    let limits =
        Limits { seconds: Tuning::DEFAULT.max_compiler_seconds, kilobytes: Tuning::DEFAULT.max_compiler_kibibytes };
    let mut command = leashed(words, Some(limits));
    command
        .env("LC_ALL", "C")
        .env_remove(ENDS_WITH_INPUT)
        .env("SOURCE_DATE_EPOCH", std::env::var("SOURCE_DATE_EPOCH").unwrap_or_else(|_| "0".to_owned()))
        // The checks of the library's unsafe functions are switched off by an option that is not stable.
        .env("RUSTC_BOOTSTRAP", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut started = Leashed::start(command)
        .map_err(|error| Failure::CannotRead(format!("cannot start `{}`: {error}", words[0])))?;
    converse(context, &mut started)
}

/// Runs the compiler; what it says about the program becomes diagnostics.
fn compiled(context: &Context, words: &[String], file: &str, result: &Path) -> Result<String, Failure> {
    let attempt = run(context, words)?;
    let found = messages(&attempt.messages, file);
    if !attempt.status.success() {
        let errors: Vec<Diagnostic> = found.into_iter().filter(|one| one.severity == Severity::Error).collect();
        if errors.is_empty() {
            let said = attempt.messages.lines().next().unwrap_or("it says nothing").trim();
            return Err(Failure::CannotRead(format!("cannot use `{}`: {said}", words[0])));
        }
        return Err(Failure::Invalid(errors));
    }
    let bytes = std::fs::read(result)
        .map_err(|error| Failure::CannotRead(format!("cannot read what `{}` wrote: {error}", words[0])))?;
    Ok(input::decoded(bytes))
}

/// Messages of the form `file:line:column: error: text` (clang, and rustc with `--error-format=short`).
fn messages(text: &str, file: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for line in text.lines() {
        let Some((place, message)) =
            line.split_once(": error").or_else(|| line.split_once(": fatal error")).filter(|one| !one.0.is_empty())
        else {
            continue;
        };
        let mut numbers = place.rsplitn(3, ':');
        let column = numbers.next().and_then(|number| number.parse().ok());
        let row = numbers.next().and_then(|number| number.parse().ok());
        let (name, row, column) = match (numbers.next(), row, column) {
            (Some(name), Some(row), Some(column)) => (name, row, column),
            _ => (file, 0, 0),
        };
        let message = message.split_once(": ").map_or(message, |(_, text)| text);
        let mut one = about(name, row, message);
        one.column = column;
        found.push(one);
    }
    found
}

/// The IR of a Rust file.
pub fn rust(context: &Context, file: &str) -> Result<String, Failure> {
    if !installed("rustc") {
        let message = "no Rust compiler (rustc) found; uforia needs one to read .rs files. Install it from https://rustup.rs, \
            or compile elsewhere with --emit=llvm-ir and give the .ll file";
        return Err(Failure::CannotRead(message.to_owned()));
    }
    let folder = scratch(context)?;
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let cannot = |error: std::io::Error| Failure::CannotRead(format!("cannot write to a temporary folder: {error}"));
    std::fs::write(at("uforia_harness.rs"), HARNESS).map_err(cannot)?;
    std::fs::write(at("uforia_harness_macros.rs"), MACROS).map_err(cannot)?;
    let words = |parts: &[&str]| -> Vec<String> { parts.iter().map(|part| (*part).to_owned()).collect() };
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let macros = at("libuforia_harness_macros.so");
    let library = at("libuforia_harness.rlib");
    let edition = "--edition=2021";
    for step in [
        words(&[
            "rustc",
            "--edition=2024",
            "--crate-type=proc-macro",
            "--crate-name=uforia_harness_macros",
            "--extern",
        ])
        .into_iter()
        .chain(words(&["proc_macro", "-o", &macros, &at("uforia_harness_macros.rs")]))
        .collect::<Vec<_>>(),
        words(&["rustc", "--edition=2024", "--crate-type=rlib", "--crate-name=uforia_harness", "--cfg=uforia"])
            .into_iter()
            .chain(words(&["-Copt-level=3", "-Cpanic=abort", "--extern"]))
            .chain([format!("uforia_harness_macros={macros}"), "-o".to_owned(), library.clone()])
            .chain([at("uforia_harness.rs")])
            .collect(),
    ] {
        let attempt = run(context, &step)?;
        if !attempt.status.success() {
            let said = attempt.messages.lines().next().unwrap_or("it says nothing");
            return Err(Failure::CannotRead(format!("rustc cannot compile the crate `uforia-harness`: {said}")));
        }
    }
    let result = at("program.ll");
    let mut command = words(&["rustc", edition, "--error-format=short", "--cfg=uforia", "--check-cfg=cfg(uforia)"]);
    for name in ["uforia", "uforia_harness", "kani"] {
        command.extend(["--extern".to_owned(), format!("{name}={library}")]);
    }
    command.extend(["-L".to_owned(), folder.path().to_string_lossy().into_owned()]);
    command.extend(words(&["--check-cfg=cfg(kani)", "-Awarnings"]));
    if text.contains("kani") {
        command.push("--cfg=kani".to_owned());
    }
    command.extend(words(&["-Copt-level=3", "-Cno-prepopulate-passes", "-g", "-Coverflow-checks=on"]));
    command.extend(words(&["-Cdebug-assertions=on", "-Cpanic=abort", "-Ccodegen-units=1", "-Clink-dead-code=yes"]));
    command.extend(words(&["-Csymbol-mangling-version=v0", "-Zub-checks=no", "-Cmetadata=uforia", file]));
    let is_program = text.contains("fn main(") && !text.contains("[kani::proof]") && !text.contains("[uforia::proof]");
    let kind = if is_program { "--crate-type=bin" } else { "--crate-type=lib" };
    let first = [command.clone(), words(&[kind, "--emit=llvm-ir", "-o", &result])].concat();
    let module = compiled(context, &first, file, Path::new(&result))?;
    let missing = llfront::missing(&module, context.settings.entry.as_deref());
    if missing.is_empty() {
        return Ok(module);
    }
    // Functions that the compiled library has already are not compiled again. Link-time optimisation brings all of them into one module; nothing
    // is linked.
    context.log(&format!("functions without a body: {}", missing.join(", ")));
    let linked = at("linked.ll");
    let kind = if is_program { "--crate-type=bin" } else { "--crate-type=cdylib" };
    let emit = format!("--emit=llvm-ir={linked},link={}", at("linked"));
    // What the compiler writes on the way stays in our folder, also if it is stopped.
    let own = folder.path().to_string_lossy().into_owned();
    // The library is bitcode that is optimised already: no machine code of it is wanted, and the fastest way to write it is the best.
    let fast = words(&[kind, "-Copt-level=0", "-Cdebuginfo=0", "-Clto=fat", "-Clinker=true"]);
    let second = [command, fast, words(&[&emit, "--out-dir", &own])].concat();
    let attempt = run(context, &second)?;
    let library = std::fs::read(&linked).ok().filter(|_| attempt.status.success()).map(input::decoded);
    let whole = library.and_then(|library| llfront::supplement(&module, &library, &missing, true));
    Ok(whole.unwrap_or(module))
}

/// The newest of these tools: `NAME`, `NAME-14` and so on.
fn newest(name: &str) -> Option<String> {
    let numbered = (14..=30).rev().map(|version| format!("{name}-{version}"));
    numbered.chain([name.to_owned()]).find(|tool| installed(tool))
}

/// The IR of a C++ file.
pub fn cpp(context: &Context, file: &str) -> Result<String, Failure> {
    let chosen = std::env::var("CXX").ok().filter(|name| name.contains("clang") && installed(name));
    let Some(compiler) = chosen.or_else(|| newest("clang++")) else {
        let message = "no clang++ found; uforia needs one to read C++ files (g++ cannot write LLVM IR). Debian, Ubuntu: apt \
            install clang; or compile elsewhere with -S -emit-llvm and give the .ll file";
        return Err(Failure::CannotRead(message.to_owned()));
    };
    let folder = scratch(context)?;
    let mut flags = Vec::from(["-x", "c++", "-g", "-fno-threadsafe-statics", "-D__UFORIA__=1"].map(str::to_owned));
    // The standard that today's compilers take by default; older ones take C++14.
    flags.push("-std=gnu++17".to_owned());
    // Preconditions of containers are assertions; and bodies of `std::string` and its relatives are compiled here instead of being left to the
    // shared library.
    flags.push("-D_GLIBCXX_ASSERTIONS".to_owned());
    flags.extend(context.settings.include.iter().map(|folder| format!("-I{folder}")));
    flags.extend(context.settings.define.iter().map(|definition| format!("-D{definition}")));
    let module = clang(context, &compiler, &flags, &folder, file, file)?;
    // Our compiler has no optimisation pass, though it says that it may have some.
    let module = module.replace("isOptimized: true", "isOptimized: false");
    with_models(context, &module, &folder, |source| {
        let compiler = newest("clang").unwrap_or_else(|| compiler.clone());
        let flags = ["-x", "c", "-std=gnu17", "-fno-builtin", "-fexceptions"].map(str::to_owned);
        clang(context, &compiler, &flags, &folder, source, "models.c")
    })
}

/// The module with models of library functions that it needs, compiled as given.
fn with_models(
    context: &Context,
    module: &str,
    folder: &Scratch,
    compile: impl FnOnce(&str) -> Result<String, Failure>,
) -> Result<String, Failure> {
    let missing = llfront::missing(module, context.settings.entry.as_deref());
    let is_cpp = |name: &str| name.starts_with("_Z") || name.starts_with("__cxa_");
    let wanted: Vec<String> =
        missing.iter().map(|name| if is_cpp(name) { name.clone() } else { cfront::model_name(name) }).collect();
    let sources = || cfront::model_sources().chain([llfront::CXX_LIBRARY]);
    let is_modelled = |name: &String| sources().any(|text| text.contains(name.as_str()));
    let is_class = |name: &String| name.starts_with("_ZNSt") || name.starts_with("_ZTVSt");
    if !wanted.iter().any(|name| is_modelled(name) || is_class(name)) {
        return Ok(module.to_owned());
    }
    let source = folder.path().join("models.c");
    let cannot = |error: std::io::Error| Failure::CannotRead(format!("cannot write to a temporary folder: {error}"));
    std::fs::write(&source, sources().collect::<String>()).map_err(cannot)?;
    let library = compile(&source.to_string_lossy())?;
    Ok(llfront::supplement(module, &library, &wanted, false).unwrap_or_else(|| module.to_owned()))
}

/// The IR that clang writes of this file; messages speak of `name`.
fn clang(
    context: &Context,
    compiler: &str,
    flags: &[String],
    folder: &Scratch,
    file: &str,
    name: &str,
) -> Result<String, Failure> {
    let result = folder.path().join("program.ll");
    let mut command = vec![compiler.to_owned()];
    let common = ["-O1", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-ffp-contract=off"];
    command.extend(common.map(str::to_owned));
    command.extend(["-fbracket-depth=100000", "-fno-color-diagnostics", "-w", "-S", "-emit-llvm"].map(str::to_owned));
    command.extend_from_slice(flags);
    command.extend(["-o".to_owned(), result.to_string_lossy().into_owned()]);
    command.push(if file.starts_with('-') { format!("./{file}") } else { file.to_owned() });
    compiled(context, &command, name, &result)
}

/// The IR of a C file that was preprocessed, with models of library functions that it needs.
pub fn c(context: &Context, name: &str, text: &str, property: &cfront::Property) -> Result<String, Failure> {
    let chosen = std::env::var("CLANG").ok().filter(|name| installed(name));
    let Some(compiler) = chosen.or_else(|| newest("clang")) else {
        let message = "no clang found; --front-end clang needs one. Debian, Ubuntu: apt install clang";
        return Err(Failure::CannotRead(message.to_owned()));
    };
    let folder = scratch(context)?;
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let cannot = |error: std::io::Error| Failure::CannotRead(format!("cannot write to a temporary folder: {error}"));
    let mut flags = Vec::from(["-x", "cpp-output", "-std=gnu17", "-fno-builtin"].map(str::to_owned));
    for pardoned in ["implicit-function-declaration", "implicit-int", "int-conversion", "return-type"] {
        flags.push(format!("-Wno-error={pardoned}"));
    }
    for pardoned in ["incompatible-function-pointer-types", "incompatible-pointer-types"] {
        flags.push(format!("-Wno-error={pardoned}"));
    }
    flags.push(if context.settings.data_model == cfront::DataModel::Ilp32 { "-m32" } else { "-m64" }.to_owned());
    if *property != cfront::Property::NoOverflow {
        flags.push("-fwrapv".to_owned());
    }
    let source = at("program.i");
    let shown = name.replace('\\', "\\\\").replace('"', "\\\"");
    std::fs::write(&source, format!("# 1 \"{shown}\"\n{text}")).map_err(cannot)?;
    let with_places = [&flags[..], &["-g".to_owned()]].concat();
    let module = clang(context, &compiler, &with_places, &folder, &source, name)?;
    let module = module.replace("isOptimized: true", "isOptimized: false");
    flags[1] = "c".to_owned();
    with_models(context, &module, &folder, |source| clang(context, &compiler, &flags, &folder, source, "models.c"))
}

/// The text of bitcode.
pub fn bitcode(context: &Context, file: &str) -> Result<String, Failure> {
    let Some(tool) = newest("llvm-dis") else {
        let message = "no llvm-dis found; uforia needs one to read bitcode. Debian, Ubuntu: apt install llvm; rustup: \
            rustup component add llvm-tools; or recompile with --emit=llvm-ir (rustc) or -S -emit-llvm (clang)";
        return Err(Failure::CannotRead(message.to_owned()));
    };
    let folder = scratch(context)?;
    let result = folder.path().join("program.ll");
    let command = [tool.clone(), "-o".to_owned(), result.to_string_lossy().into_owned(), file.to_owned()];
    let attempt = run(context, &command)?;
    if !attempt.status.success() {
        let said = attempt.messages.lines().next().unwrap_or("it says nothing").trim();
        let message =
            format!("`{tool}` cannot read {file}: {said}; a tool as new as the compiler that wrote it is needed");
        return Err(Failure::CannotRead(message));
    }
    let bytes = std::fs::read(&result)
        .map_err(|error| Failure::CannotRead(format!("cannot read what `{tool}` wrote: {error}")))?;
    Ok(input::decoded(bytes))
}

/// The crate `uforia-harness`, compiled into this folder for a package that does not depend on it.
pub fn harness_in(folder: &Path) -> Result<PathBuf, Failure> {
    let cannot = |error: std::io::Error| Failure::CannotRead(format!("cannot write to {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(cannot)?;
    std::fs::write(folder.join("uforia_harness.rs"), HARNESS).map_err(cannot)?;
    std::fs::write(folder.join("uforia_harness_macros.rs"), MACROS).map_err(cannot)?;
    let macros = ["--crate-type=proc-macro", "--crate-name=uforia_harness_macros", "--extern=proc_macro"];
    let library =
        ["--crate-type=rlib", "--crate-name=uforia_harness", "--cfg=uforia", "-Copt-level=3", "-Cpanic=abort"];
    let steps: [(&[&str], &str); 2] = [(&macros, "uforia_harness_macros.rs"), (&library, "uforia_harness.rs")];
    for (flags, file) in steps {
        let mut command = std::process::Command::new("rustc");
        command.arg("--edition=2024").args(flags).args(["-L.", file]).current_dir(folder);
        if file == "uforia_harness.rs" {
            command.arg("--extern=uforia_harness_macros");
        }
        let output = command.output().map_err(|error| Failure::CannotRead(format!("cannot start rustc: {error}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("it says nothing").to_owned();
            return Err(Failure::CannotRead(format!("rustc cannot compile the crate `uforia-harness`: {said}")));
        }
    }
    Ok(folder.join("libuforia_harness.rlib"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copies_are_those_of_the_crates() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (name, copy) in [("harness", HARNESS), ("harness-macros", MACROS)] {
            let original = std::fs::read_to_string(crates.join(name).join("src/lib.rs")).expect("the crate is there");
            assert!(original == copy, "crates/driver/rust differs from crates/{name}/src/lib.rs: copy the file again");
        }
    }

    #[test]
    fn messages_of_compilers_become_diagnostics() {
        let found = messages("a.rs:3:5: error[E0425]: cannot find value\nb.cpp:1:2: error: nope\nnote\n", "a.rs");
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].line, found[0].column, found[0].message.as_str()), (3, 5, "cannot find value"));
        assert_eq!((found[1].file.as_str(), found[1].message.as_str()), ("b.cpp", "nope"));
    }
}
