//! A program with one right answer, and the compilers that say what it is.
//!
//! The text is the same for compilers and for us. A program with a checksum prints it and calls the error function when it
//! is not `EXPECTED_CHECKSUM`; a test of GCC calls `abort` when something is wrong and `exit` or `main`'s return when all is well.
//! Two compilers and two levels of optimisation that disagree show that the program has no right answer: it is left out. Compiling costs most, so the
//! second compiler is asked about some programs, and about each program with a finding.

use cfront::DataModel;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use testkit::compiler::{self, TempFolder, wait};
use testkit::differential::model_name;

/// The exit status of compiled code that calls the error function.
const REACHED: i32 = 71;
/// A compiled program that runs longer is left out: ours would take minutes.
const COMPILED_RUN: Duration = Duration::from_secs(3);
const COMPILE: Duration = Duration::from_secs(60);

/// A program with one right answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// Source, data model and seed or file, as a file name.
    pub name: String,
    /// The program.
    pub text: String,
    /// Sizes of types.
    pub model: DataModel,
    /// Options of ours, beside the data model and the definitions.
    pub options: Vec<String>,
    /// Definitions under which the error is not reached.
    pub right: Vec<String>,
    /// Definitions under which the error is reached, where there are such.
    pub wrong: Option<Vec<String>>,
}

impl Case {
    /// A case about the checksum that this program prints; `Err` says why the program has no use. Every fourth number is for both compilers.
    pub fn about_checksum(
        name: String,
        number: u64,
        text: String,
        model: DataModel,
        compilers: &Compilers,
    ) -> Result<Case, String> {
        let value = compilers.checksum(&text, model, number % 4 == 3)?;
        let [right, wrong] = [value, value ^ 1].map(|value| vec![format!("-DEXPECTED_CHECKSUM={value:#x}u")]);
        Ok(Case { name, text, model, options: Vec::new(), right, wrong: Some(wrong) })
    }

    /// A case about a program that calls `abort` when something is wrong.
    pub fn about_abort(name: String, text: String, model: DataModel, compilers: &Compilers) -> Result<Case, String> {
        // A volatile object has any value for us.
        let [right, wrong] = ["-Dabort=reach_error", "-Dexit(x)=reach_error()"]
            .map(|end| vec!["-Dvolatile=".to_owned(), "-D__volatile__=".to_owned(), end.to_owned()]);
        for (compiler, level) in compilers.all() {
            let seen = observe(compiler, &text, model, &right, &[level])?;
            if seen.code != 0 {
                return Err(format!("`{compiler} {level}`: the compiled program ends with {}", seen.code));
            }
        }
        let reached = |seen: Result<Seen, String>| seen.is_ok_and(|seen| seen.code == REACHED);
        let ends = compilers.all().all(|(compiler, level)| reached(observe(compiler, &text, model, &wrong, &[level])));
        let options = ["--property", "unreach-call"].map(str::to_owned).to_vec();
        Ok(Case { name, text, model, options, right, wrong: ends.then_some(wrong) })
    }

    /// The words after the command: data model, options, definitions.
    pub fn words(&self, definitions: &[String]) -> Vec<String> {
        let mut words = vec!["--data-model".to_owned(), model_name(self.model).to_owned()];
        words.extend(self.options.iter().chain(definitions).cloned());
        words
    }
}

/// The compilers of this machine that work.
#[derive(Clone, Debug)]
pub struct Compilers {
    first: String,
    second: Option<String>,
}

impl Compilers {
    /// The system's compiler, and clang where it is installed; `Err` when there is no compiler for this data model.
    pub fn find(model: DataModel) -> Result<Compilers, String> {
        if let Some(why) = compiler::missing(model) {
            return Err(why);
        }
        let probe = "int main(void) { return 0; }\n";
        let works = observe("clang", probe, model, &[], &["-O0"]).is_ok_and(|seen| seen.code == 0);
        Ok(Compilers { first: compiler::command(), second: works.then(|| "clang".to_owned()) })
    }

    /// Their names, for people.
    pub fn names(&self) -> String {
        let second =
            self.second.as_deref().map_or(" (clang is not installed)".to_owned(), |name| format!(" and {name}"));
        format!("`{}`{second}", self.first)
    }

    /// Compilers, each with a level of optimisation.
    fn all(&self) -> impl Iterator<Item = (&str, &'static str)> {
        [(self.first.as_str(), "-O0")].into_iter().chain(self.second.as_deref().map(|name| (name, "-O1")))
    }

    /// What the first compiler, or all of them, say that this program prints.
    pub fn checksum(&self, text: &str, model: DataModel, ask_all: bool) -> Result<u32, String> {
        let mut value = None;
        for (compiler, level) in self.all().take(if ask_all { usize::MAX } else { 1 }) {
            let seen = observe(compiler, text, model, &["-DEXPECTED_CHECKSUM=0u".to_owned()], &[level])?;
            let printed = seen.checksum().ok_or("the compiled program prints no checksum")?;
            if *value.get_or_insert(printed) != printed {
                return Err("compilers disagree".into());
            }
        }
        value.ok_or_else(|| "there is no compiler".into())
    }

    /// Whether the compilers still agree under sanitizers and other levels of optimisation, where they can be asked about it.
    pub fn confirm(&self, case: &Case) -> bool {
        !case.options.is_empty() || self.strict_checksum(&case.text, case.model).is_ok()
    }

    /// The same under the sanitizers, for programs that a shrinker made: they may have become undefined.
    pub fn strict_checksum(&self, text: &str, model: DataModel) -> Result<u32, String> {
        let value = self.checksum(text, model, true)?;
        let definition = ["-DEXPECTED_CHECKSUM=0u".to_owned()];
        let sanitize: Vec<&str> =
            compiler::SANITIZE.iter().copied().chain(["-fsanitize=float-cast-overflow"]).collect();
        let ways = [vec!["-O2", "-Werror=uninitialized", "-Werror=return-type"], sanitize];
        for flags in &ways {
            let seen = observe(&self.first, text, model, &definition, flags)?;
            if seen.checksum() != Some(value) {
                return Err("undefined behaviour".into());
            }
        }
        Ok(value)
    }
}

/// What a compiled program did.
struct Seen {
    code: i32,
    output: String,
}

impl Seen {
    fn checksum(&self) -> Option<u32> {
        let digits = self.output.lines().find_map(|line| line.strip_prefix("checksum = "))?;
        u32::from_str_radix(digits.trim(), 16).ok()
    }
}

/// Compiles and runs.
fn observe(cc: &str, text: &str, model: DataModel, definitions: &[String], more: &[&str]) -> Result<Seen, String> {
    let folder = TempFolder::new();
    let path = |name: &str| folder.path().join(name);
    let error = format!("#undef exit\nextern void exit(int);\nvoid reach_error(void) {{ exit({REACHED}); }}\n");
    for (name, text) in [("program.c", text), ("error.c", error.as_str())] {
        fs::write(path(name), text).map_err(|error| error.to_string())?;
    }
    let mut flags: Vec<&str> = compiler::flags(model);
    if !more.iter().any(|flag| flag.starts_with("-Werror")) {
        flags.push("-w");
    }
    flags.push("-fno-strict-aliasing");
    flags.extend(more);
    let mut words: Vec<String> = flags.into_iter().map(str::to_owned).collect();
    words.extend(definitions.iter().cloned());
    words.extend(["program.c", "error.c", "-lm", "-o", "program"].map(str::to_owned));
    let (code, _) = ended(Path::new(cc), &words, folder.path(), COMPILE)?;
    if code != 0 {
        return Err("the compiler rejects the program".into());
    }
    let (code, output) = ended(&path("program"), &[], folder.path(), COMPILED_RUN)?;
    Ok(Seen { code, output })
}

/// Starts a command in a folder and waits for it: exit status and standard output.
fn ended(command: &Path, words: &[String], folder: &Path, limit: Duration) -> Result<(i32, String), String> {
    let output: PathBuf = folder.join("output");
    let sink = File::create(&output).map_err(|error| error.to_string())?;
    let mut child = Command::new(command)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(sink)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{} cannot be started: {error}", command.display()))?;
    let status = wait(&mut child, limit).ok_or("the compiled program runs too long")?;
    let code = status.code().ok_or("the compiled program ends by a signal")?;
    Ok((code, fs::read(&output).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_what_the_compiled_program_prints() {
        let Ok(compilers) = Compilers::find(DataModel::Lp64) else {
            eprintln!("SKIPPED: no C compiler");
            return;
        };
        let text = "extern int printf(const char *, ...); extern void reach_error(void);\n\
                    int main(void) { printf(\"checksum = %X\\n\", 0xabcu); if (0xabc != EXPECTED_CHECKSUM) reach_error(); return 0; }\n";
        let case = Case::about_checksum("x".into(), 3, text.into(), DataModel::Lp64, &compilers).expect("it compiles");
        assert_eq!(case.right, ["-DEXPECTED_CHECKSUM=0xabcu"]);
        assert_eq!(case.wrong, Some(vec!["-DEXPECTED_CHECKSUM=0xabdu".to_owned()]));
        assert!(Case::about_checksum("x".into(), 0, "int main(void) { }".into(), DataModel::Lp64, &compilers).is_err());
    }

    #[test]
    fn a_test_that_aborts_has_no_use() {
        let Ok(compilers) = Compilers::find(DataModel::Lp64) else {
            eprintln!("SKIPPED: no C compiler");
            return;
        };
        let make = |text: &str| Case::about_abort("x".into(), text.into(), DataModel::Lp64, &compilers);
        let good = make("extern void exit(int); int main(void) { exit(0); }").expect("it ends well");
        assert!(good.wrong.is_some());
        let silent = make("int main(void) { return 0; }").expect("it ends well");
        assert!(silent.wrong.is_none());
        assert!(make("extern void abort(void); int main(void) { abort(); }").is_err());
    }
}
