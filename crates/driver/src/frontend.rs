//! From a file's name to a program: reading, preprocessing, compiling.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Diagnostic;
use bplfront::Runs;
use engine_bmc::{RefineSettings, Selection};
use program::Program;
use term::Terms;
use vmtfront::Chosen;

use crate::annotated::Annotated;
use crate::annotations;
use crate::colours::has_colours;
use crate::compiler;
use crate::context::Context;
use crate::failure::Failure;
use crate::input::{self, Language, about};
use crate::options::FrontEnd;
use crate::preprocess;
use crate::progress::lock;
use crate::property::{self, PropertyError};
use crate::vacuity::{self, Occurrences};

/// A program, ready to be worked on.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// The store of its terms.
    pub terms: Terms,
    /// What is worth knowing about the input.
    pub warnings: Vec<Diagnostic>,
    /// How long each step took, for `--stats`.
    pub phases: Vec<(&'static str, Duration)>,
    /// What the program's inputs are in the transition system that was read, if it was one.
    pub system: Option<System>,
    /// How many bytes of text the front end has read.
    pub bytes: usize,
    /// The language of the program.
    pub language: Language,
    /// What the source states about its loops, if it does.
    pub annotated: Option<Annotated>,
    /// For C and LLVM: how functions whose call may be an error occur in the text.
    pub occurrences: Option<Occurrences>,
}

/// A transition system, for code that uses its own symbols.
pub struct System {
    /// Its language.
    pub language: Language,
    /// The inputs of the program.
    pub inputs: Vec<vmtfront::SystemInput>,
    /// How runs of the program are steps of the system.
    pub rhythm: vmtfront::Rhythm,
    /// What engines work on, with the way back to the program.
    pub shaped: vmtfront::Shaped,
}

impl Loaded {
    /// Keeps only this assertion.
    pub fn select(&mut self, assertion: program::AssertionId) {
        self.program = program::pass::select::assertion(std::mem::take(&mut self.program), assertion);
        if let Some(system) = &mut self.system {
            system.shaped.change_program(|program| program::pass::select::assertion(program, assertion));
        }
    }
}

/// Loads the file that the settings name.
pub fn load(context: &Context) -> Result<Loaded, Failure> {
    load_for(context, chosen_property(&context.settings.property)?)
}

/// Loads the file that the settings name, with this property. Long: one arm for each language.
pub fn load_for(context: &Context, property: cfront::Property) -> Result<Loaded, Failure> {
    let settings = &context.settings;
    let file = settings.file.as_str();
    let language = input::language(file)?;
    if settings.entry.is_some() && language != Language::Boogie && !language.is_llvm() {
        let message = format!("--entry is for Boogie, Rust, C++ and LLVM programs, and {file} is none of these");
        return Err(Failure::Usage(message));
    }
    if settings.function.is_some() && (!language.is_c() || settings.front_end == FrontEnd::Clang) {
        let message = format!(
            "--function is for C programs and our own front end, and {file} is not read so; --entry is for others"
        );
        return Err(Failure::Usage(message));
    }
    if property == cfront::Property::Termination
        && !matches!(language, Language::C | Language::PreprocessedC | Language::Cfa)
    {
        return Err(only_for_c());
    }
    let asks_ends = property == cfront::Property::Termination;
    let mut phases = Vec::new();
    let mut clock = Instant::now();
    let mut phase = |name: &'static str| {
        phases.push((name, clock.elapsed()));
        context.log(&format!("{name}: {:.3} s", clock.elapsed().as_secs_f64()));
        clock = Instant::now();
    };
    let bytes = source(context)?;
    phase("read");
    let mut text = preprocessed(context, &bytes)?;
    let mut more: Vec<(&str, String)> = Vec::new();
    for file in &settings.more {
        let text = preprocessed_file(context, file, &input::read(file)?)?;
        more.push((file, annotations::in_calls(file, &text).1.unwrap_or(text)));
    }
    phase("preprocess");
    if !is_file(context) {
        lock(&context.progress).input = Some(text.clone());
    }
    // Flattening is there to compare with: it takes every operator as the source has it.
    let refine = settings.chosen.of(RefineSettings::TABLE.component);
    let is_flat = refine.get("selection") == Some(Selection::Flat.name());
    let mut terms = if is_flat { Terms::without_simplification() } else { Terms::new() };
    let name = if file == "-" { "<stdin>" } else { file };
    let (mut system, mut occurrences, mut annotated) = (None, None, None);
    let mut stated = annotations::Found::default();
    if language.is_c() {
        stated = annotations_of(context, name, &bytes, &mut text);
    }
    let is_clang = settings.front_end == FrontEnd::Clang && language.is_c();
    if is_clang {
        refuse_for_clang(context)?;
        occurrences = Some(vacuity::occurrences(std::iter::once(text.as_str()), &property));
        text = compiler::c(context, name, &text, &property)?;
        phase("clang");
    }
    let (program, mut warnings) = match if is_clang { Language::Llvm } else { language } {
        Language::C | Language::PreprocessedC => {
            let texts = || std::iter::once(text.as_str()).chain(more.iter().map(|(_, text)| text.as_str()));
            occurrences = Some(vacuity::occurrences(texts(), &property));
            let options = cfront::Options {
                malloc: settings.malloc,
                start: chosen_start(context, &property)?,
                ..cfront::Options::new(settings.data_model, property)
            };
            // Weaving is about programs of one file.
            if !stated.annotations.is_empty() && more.is_empty() {
                let found = std::mem::take(&mut stated.annotations);
                annotated = Some(Annotated {
                    name: name.to_owned(),
                    text: text.clone(),
                    options: options.clone(),
                    annotations: found,
                });
            }
            let names = std::iter::once(name).chain(more.iter().map(|&(name, _)| name));
            let files: Vec<(&str, &str)> = names.zip(texts()).collect();
            let compiled = cfront::compile_files(&files, &options, &mut terms).map_err(Failure::Invalid)?;
            (compiled.program, compiled.warnings)
        }
        Language::Vmt | Language::Btor2 => {
            let read = if language == Language::Vmt { vmtfront::read_vmt } else { vmtfront::read_btor2 };
            let chosen = settings.assertion.map_or(Chosen::All, |number| Chosen::Only(number.max(1) as usize - 1));
            let compiled = read(name, &text, chosen, &mut terms).map_err(Failure::Invalid)?;
            let vmtfront::Compiled { inputs, rhythm, shaped, .. } = compiled;
            system = Some(System { language, inputs, rhythm, shaped });
            (compiled.program, compiled.warnings)
        }
        Language::Llvm | Language::Bitcode | Language::Rust | Language::Cpp => {
            if settings.witness.is_some() || settings.harness.is_some() {
                let message = format!("{file}: witnesses and harnesses are written in C and speak of C programs");
                return Err(Failure::Usage(message));
            }
            occurrences = occurrences.or_else(|| Some(vacuity::llvm_occurrences(&text, &property)));
            let options = llfront::Options { property: llvm_property(property)?, entry: settings.entry.clone() };
            let compiled = llfront::compile(name, &text, &options, &mut terms).map_err(Failure::Invalid)?;
            (compiled.program, compiled.warnings)
        }
        Language::Boogie => {
            if settings.witness.is_some() || settings.harness.is_some() {
                let message = format!("{file}: witnesses and harnesses are written in C and speak of C programs");
                return Err(Failure::Usage(message));
            }
            if let Some(entry) = &settings.entry
                && !bplfront::has_body(name, &text, entry)
            {
                return Err(Failure::Usage(format!("--entry: {file} has no procedure `{entry}` with a body")));
            }
            let runs = settings.entry.as_deref().map_or(Runs::Modular, Runs::From);
            let compiled = bplfront::compile_runs(name, &text, runs, &mut terms).map_err(Failure::Invalid)?;
            (compiled.program, compiled.warnings)
        }
        Language::Cfa => (program::text::parse(name, &text, &mut terms).map_err(Failure::Invalid)?, Vec::new()),
    };
    phase("compile");
    // Without the question any proof would be an answer.
    if asks_ends && program.ends_asked().is_none() {
        assert!(language == Language::Cfa, "the program does not ask whether it ends");
        return Err(Failure::Usage(format!("{file} has no assertion of kind `ends`")));
    }
    let shaped = system.as_ref().map(|system| system.shaped.program());
    let lawful = program::validate(&program, &terms);
    if let Err(violations) = shaped.map_or(lawful.clone(), |shaped| lawful.and(program::validate(shaped, &terms))) {
        let said: Vec<String> = violations.iter().map(|one| one.to_string()).collect();
        if language != Language::Cfa {
            // The front end promised a program that keeps the laws.
            panic!("the lowered program breaks a law: {}", said.join("; "));
        }
        return Err(Failure::Invalid(said.iter().map(|message| about(name, 0, message)).collect()));
    }
    phase("validate");
    let bytes = more.iter().fold(text.len(), |sum, (_, text)| sum + text.len());
    warnings.extend(stated.warnings);
    Ok(Loaded { program, terms, warnings, phases, system, bytes, language, annotated, occurrences })
}

/// What the source states about its loops; calls that do so are taken out of the text.
fn annotations_of(context: &Context, name: &str, bytes: &[u8], text: &mut String) -> annotations::Found {
    // The preprocessor drops comments.
    let original = String::from_utf8_lossy(bytes);
    let mut found = annotations::in_comments(name, &original);
    let (calls, bare) = annotations::in_calls(name, text);
    found.annotations.extend(calls.annotations);
    if let Some(bare) = bare {
        *text = bare;
    }
    if !found.annotations.is_empty() {
        context.log(&format!("{} loop invariants in the source", found.annotations.len()));
    }
    found
}

/// Clang is for a second opinion about one file, with the defaults.
fn refuse_for_clang(context: &Context) -> Result<(), Failure> {
    let settings = &context.settings;
    let what = if !settings.more.is_empty() {
        "reads one file"
    } else if settings.malloc != cfront::Malloc::NeverFails {
        "takes allocation to succeed"
    } else {
        return Ok(());
    };
    Err(Failure::Usage(format!("--front-end clang {what}")))
}

/// The function that `--function` names, if what else is wanted can be had for it.
fn chosen_start(context: &Context, property: &cfront::Property) -> Result<Option<cfront::Start>, Failure> {
    let settings = &context.settings;
    let Some(function) = &settings.function else { return Ok(None) };
    let refused = |what: &str| Err(Failure::Usage(format!("--function: {what}")));
    if settings.witness.is_some() || settings.harness.is_some() {
        return refused("witnesses and harnesses speak of programs that start in `main`");
    }
    if matches!(property, cfront::Property::Memory(errors) if errors.track || errors.cleanup) {
        return refused("leaks are checked for programs that start in `main`");
    }
    Ok(Some(cfront::Start { function: function.clone(), globals: settings.globals }))
}

fn only_for_c() -> Failure {
    Failure::Usage("the property termination is checked for C programs".to_owned())
}

fn llvm_property(property: cfront::Property) -> Result<llfront::Property, Failure> {
    match property {
        cfront::Property::Errors => Ok(llfront::Property::Errors),
        cfront::Property::UnreachCall => Ok(llfront::Property::UnreachCall),
        cfront::Property::UnreachCallOf(name) => Ok(llfront::Property::UnreachCallOf(name)),
        cfront::Property::NoOverflow => Ok(llfront::Property::NoOverflow),
        cfront::Property::Termination => Err(only_for_c()),
        cfront::Property::Memory(_) => {
            let message =
                "the properties valid-… are checked for C programs; without --property memory errors are errors";
            Err(Failure::Usage(message.to_owned()))
        }
    }
}

/// The text of the file that the settings name, preprocessed or compiled to LLVM IR if need be.
pub fn preprocessed(context: &Context, bytes: &[u8]) -> Result<String, Failure> {
    preprocess_if_needed(context, &context.settings.file, bytes, is_file(context))
}

/// The text of another file of the program, preprocessed if need be.
pub fn preprocessed_file(context: &Context, file: &str, bytes: &[u8]) -> Result<String, Failure> {
    preprocess_if_needed(context, file, bytes, Path::new(file).is_file())
}

fn preprocess_if_needed(context: &Context, file: &str, bytes: &[u8], is_file: bool) -> Result<String, Failure> {
    match input::language(file)? {
        Language::Rust => return compiler::rust(context, file),
        Language::Cpp => return compiler::cpp(context, file),
        Language::Bitcode => return compiler::bitcode(context, file),
        _ => {}
    }
    let text = input::text(file, bytes.to_vec())?;
    let is_c = input::language(file)? == Language::C;
    let is_needed = is_c
        && (preprocess::needed(&text)
            || !context.settings.define.is_empty()
            || context.settings.compile_commands.is_some());
    if !is_needed {
        return Ok(text);
    }
    // A pipe can be read only once.
    preprocess::preprocess(context, file, if is_file { None } else { Some(bytes) })
}

/// The bytes of the program: the text of the caller, or the file.
fn source(context: &Context) -> Result<Vec<u8>, Failure> {
    match &context.text {
        Some(text) => Ok(text.as_bytes().to_vec()),
        None => input::read(&context.settings.file),
    }
}

/// Whether the program comes from a file that can be read again.
pub fn is_file(context: &Context) -> bool {
    let file = context.settings.file.as_str();
    context.text.is_none() && file != "-" && Path::new(file).is_file()
}

/// The bytes of the program, which was read before; none if it cannot be read again (a pipe).
pub fn source_again(context: &Context) -> Option<Vec<u8>> {
    (context.text.is_some() || is_file(context)).then(|| source(context).unwrap_or_default())
}

/// The property of this name or in this file.
pub fn chosen_property(chosen: &str) -> Result<cfront::Property, Failure> {
    let result = match property::by_name(chosen) {
        Some(result) => result,
        None if chosen.ends_with(".prp") => {
            let bytes = input::read(chosen)?;
            property::parse(&String::from_utf8_lossy(&bytes))
        }
        None => {
            let message =
                format!("--property: unknown property `{chosen}`: {}, or a file FILE.prp", property::NAMES.join(", "));
            return Err(Failure::Usage(message));
        }
    };
    result.map_err(|error| match error {
        PropertyError::NotBuilt(what) => Failure::Usage(format!("checking the property `{what}` is not built yet")),
        PropertyError::Malformed(message) => Failure::Invalid(vec![about(chosen, 0, &message)]),
    })
}

/// Prints the diagnostics to standard error.
pub fn report(context: &Context, found: &[Diagnostic]) {
    use std::io::IsTerminal;
    let colours = has_colours(context.settings.color, std::io::stderr().is_terminal());
    let mut lines = OriginalLines::default();
    let text = crate::render::render(found, colours, |file, line| lines.get(file, line));
    crate::output::styled_message(&text);
}

/// Lines of the user's files, each file read once.
#[derive(Default)]
pub struct OriginalLines(Vec<(String, Vec<String>)>);

impl OriginalLines {
    /// Lines of files, and of the text of the caller, if there is one.
    pub fn of(context: &Context) -> Self {
        let known = |text: &Arc<str>| (context.settings.file.clone(), text.lines().map(str::to_owned).collect());
        OriginalLines(context.text.iter().map(known).collect())
    }
    /// The line of the file, if both are there.
    pub fn get(&mut self, file: &str, line: u32) -> Option<String> {
        let known = self.0.iter().position(|(name, _)| name == file).unwrap_or_else(|| {
            self.0.push((file.to_owned(), lines_of(file)));
            self.0.len() - 1
        });
        self.0[known].1.get((line as usize).checked_sub(1)?).cloned()
    }
}

fn lines_of(file: &str) -> Vec<String> {
    text_of(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// The text of a file of the program, if it can be read.
pub fn text_of(file: &str) -> Option<String> {
    // Only plain files: a name from a line marker may be anything, a pipe included.
    let bytes = Path::new(file).is_file().then(|| input::read(file).ok()).flatten()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
