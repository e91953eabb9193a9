//! Command lines that repeat the run into an error: by the interpreter, and by the compiled program.

use program::interp::Origin;
use program::{AssertionId, InputKind, Program, Shown};
use report::harness::shell_word;

use super::evidence::{self, Replay};
use crate::context::Context;
use crate::frontend::Loaded;
use crate::options::FrontEnd;
use crate::tuning::Tuning;
use crate::values;

// format: commands of the answer and files of the page name it so.
/// The name of a harness that is not written to a file.
pub const HARNESS: &str = "harness.c";

/// Options of `check` that `run` needs to read the same program.
const OF_THE_PROGRAM: &[&str] = &[
    "property",
    "data-model",
    "malloc",
    "front-end",
    "include",
    "define",
    "compile-commands",
    "function",
    "globals",
    "entry",
];

/// The command lines, the one with the fewest steps first. Empty for a program from standard input.
pub fn commands(context: &Context, loaded: &Loaded, replay: &Replay, fails: AssertionId) -> Vec<String> {
    let settings = &context.settings;
    if settings.file == "-" || context.text.is_some() {
        return Vec::new();
    }
    let is_needed = |word: &&String| {
        let name = word.trim_start_matches('-').split('=').next().unwrap_or_default();
        OF_THE_PROGRAM.contains(&name)
    };
    let mut words: Vec<String> = settings.words.iter().filter(is_needed).map(|word| shell_word(word)).collect();
    let files = std::iter::once(&settings.file).chain(&settings.more);
    words.extend(
        files.map(|file| if file.starts_with('-') { shell_word(&format!("./{file}")) } else { shell_word(file) }),
    );
    let program = words.join(" ");
    let mut commands = Vec::new();
    if replay.run.inputs.is_empty() {
        commands.push(format!("uforia run --zero {program}"));
    } else if replay.run.n_inputs <= Tuning::DEFAULT.max_replay_inputs as u64 {
        let values: Vec<String> = replay.run.inputs.iter().map(|one| value(&loaded.program, one)).collect();
        commands.push(format!("echo {} | uforia run --inputs - {program}", values.join(" ")));
    }
    let is_own = loaded.language.is_c() && settings.front_end == FrontEnd::Own && settings.function.is_none();
    if is_own && loaded.system.is_none() {
        commands.push(format!("uforia check --harness {HARNESS} {program}"));
        commands.push(evidence::harness_for(context, loaded, replay, fails, HARNESS).command);
        commands.push("./a.out".to_owned());
    }
    commands
}

/// A value as `run --inputs` reads it.
fn value(program: &Program, one: &program::interp::Consumed) -> String {
    let info = match one.origin {
        Origin::Input(input) => program.inputs.get(input),
        _ => None,
    };
    let is_nondet = info.is_some_and(|input| matches!(input.kind, InputKind::Nondet(_)));
    let shown = info.map_or(Shown::Unsigned, |input| input.shown);
    shell_word(&values::show(one.origin, is_nondet, shown, one.width, one.value))
}
