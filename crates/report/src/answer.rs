//! The answer of a check as a value. It is made once; text, JSON, SARIF and the lines of a batch are views of it.
//!
//! `docs/schema/answer-1.json` describes its JSON form and is generated from these types. Fields are added freely; a field that is removed or
//! changes its meaning raises [`SCHEMA`].

use serde::{Deserialize, Serialize};
use verdict::Code;

use crate::json;

/// The version of the form.
// format: raised when a field is removed or changes its meaning.
pub const SCHEMA: u32 = 1;

/// What a check says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// The version of this form: 1.
    pub schema: u32,
    /// `uforia`.
    pub tool: String,
    /// The version of the tool.
    pub version: String,
    /// The program as the user named it.
    pub file: String,
    /// The verdict.
    pub verdict: VerdictName,
    /// What is reached (UNSAFE), or why nothing is known (UNKNOWN); empty for SAFE.
    pub reason: String,
    /// UNSAFE: the property of memory that is violated, by the competition's name: `valid-deref`, `valid-free`, `valid-memtrack`,
    /// `valid-memcleanup`.
    pub subproperty: Option<String>,
    /// The exit code of the process.
    pub exit_code: u8,
    /// Wall-clock time.
    pub seconds: f64,
    /// Processor time of all threads; null where the system does not report it.
    pub cpu_seconds: Option<f64>,
    /// The largest amount of memory that the process had, in bytes; null where the system does not report it.
    pub memory: Option<u64>,
    /// The files that were checked.
    pub inputs: Vec<Input>,
    /// The function where runs start; null when there is no program.
    pub entry: Option<String>,
    /// The property: a name, or a property file.
    pub property: String,
    /// The sizes of C types: `ilp32` or `lp64`.
    pub data_model: String,
    /// The options that were given, each as `--name=value`.
    pub settings: Vec<String>,
    /// UNKNOWN: what to try next.
    pub hint: Option<String>,
    /// UNKNOWN: why, first for the whole check; then why single engines have no answer, also beside an answer of another one.
    pub reasons: Vec<Reason>,
    /// The engine that found the answer.
    pub engine: Option<String>,
    /// How the answer was found and checked, in a sentence.
    pub method: Option<String>,
    /// SAFE: what it depends on beyond the property, as it stands in the last line.
    pub condition: Option<String>,
    /// The assertions of the program, in the order of `--list-assertions`.
    pub assertions: Vec<Assertion>,
    /// What was assumed about parts of the program that are missing.
    pub assumptions: Vec<Assumption>,
    /// What the answer rests on, as `--assumptions` lists it.
    pub rests_on: Vec<Basis>,
    /// SAFE: what holds at the loops.
    pub invariants: Vec<Invariant>,
    /// SAFE by `--engine refine`: the places (`file:line`) whose operators have to be bit-precise.
    pub precise: Vec<String>,
    /// UNSAFE: the run into the error.
    pub counterexample: Option<Counterexample>,
    /// What concrete runs have passed; null if none was made.
    #[serde(default)]
    pub coverage: Option<Coverage>,
    /// The engines that worked.
    pub portfolio: Option<Portfolio>,
    /// Loop invariants that the source states, and what became of them.
    pub annotations: Vec<Annotation>,
    /// With `--cache`: what earlier runs had left for this one; null without.
    pub cache: Option<Cache>,
    /// What the independent checker did; null without an answer.
    pub certificate: Option<Certificate>,
    /// What the front end says about the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// The verdict in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum VerdictName {
    /// No run reaches an error.
    Safe,
    /// A run reaches an error.
    Unsafe,
    /// Neither is shown.
    Unknown,
}

/// The verdict with its evidence, as [`Answer::verdict`] gives it for a `match`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict<'a> {
    /// No run reaches an error.
    Safe {
        /// What holds at the loops.
        invariants: &'a [Invariant],
        /// What it depends on beyond the property, such as accesses that were not proved valid.
        condition: Option<&'a str>,
    },
    /// A run reaches an error: this one. None if it was not recorded.
    Unsafe(Option<&'a Counterexample>),
    /// Neither is shown, for these reasons: first that of the whole check, then those of single engines.
    Unknown(&'a [Reason]),
}

/// A file that was read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Input {
    /// Its name.
    pub path: String,
    /// The hash of its contents; null if it cannot be read again, or if only text is printed.
    pub sha256: Option<String>,
}

/// Why there is no answer, or why one engine has none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reason {
    /// Which reason it is, such as `U0104`; `uforia explain` describes it.
    #[serde(with = "code")]
    #[cfg_attr(test, schemars(with = "String", regex(pattern = "^U[0-9]{4}$")))]
    pub code: Code,
    /// The engine that gives it; null for the whole check.
    pub engine: Option<String>,
    /// The reason in words, with its place.
    pub text: String,
    /// `file:line`, if a place is known.
    pub place: Option<String>,
}

/// A place in a file.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Place {
    /// `file:line`; null if it is not known.
    pub place: Option<String>,
    /// The column in characters, from one; null if it is not known.
    pub column: Option<u32>,
}

/// An assertion of the program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Assertion {
    /// Its number, from one.
    pub id: usize,
    /// What it says.
    pub text: String,
    /// Where it stands.
    #[serde(flatten)]
    pub at: Place,
    /// What kind of claim it is.
    pub kind: AssertionKind,
    /// What is known about it.
    pub status: Status,
    /// Whether a concrete run came there, and it held or failed.
    #[serde(default)]
    pub seen_in_a_run: bool,
    /// Whether it is proved that no run comes there; a proved assertion may then say nothing.
    #[serde(default)]
    pub never_reached: bool,
    /// With `--assertions each`: how its own verdict came about; null where it was not asked about.
    pub each: Option<Each>,
}

/// How the verdict about one assertion came about.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Each {
    /// The engine that found it; null without a verdict.
    pub engine: Option<String>,
    /// Wall-clock time from the start of the verification until the verdict had been checked; null without a verdict.
    pub seconds: Option<f64>,
    /// The statements that `refine` had to refine for questions about this assertion, beyond those that were refined before; null if it asked none.
    pub refined: Option<u64>,
    /// Why there is no verdict.
    pub reason: Option<String>,
    /// The run in which it fails.
    pub counterexample: Option<Counterexample>,
}

/// What kind of claim an assertion is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AssertionKind {
    /// A condition holds.
    Condition,
    /// A call, or a bad state, is not reached.
    Unreached,
    /// An operation does not overflow.
    Overflow,
    /// An operation does not divide by zero.
    Division,
    /// A shift is within range.
    Shift,
    /// A read is valid.
    Read,
    /// A write is valid.
    Write,
    /// A free is valid.
    Free,
    /// No allocated memory is lost.
    Track,
    /// All allocated memory is freed before the program ends.
    Cleanup,
    /// A call or jump goes to a function or label of its type.
    Target,
    /// An array has a valid length.
    Length,
    /// Every run ends.
    Ends,
    /// The order of evaluation does not matter.
    Order,
}

/// What is known about an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It holds in every run.
    Proved,
    /// It fails in the run of the counterexample.
    Fails,
    /// Nothing.
    Unknown,
}

/// What was assumed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Assumption {
    /// In a sentence.
    pub text: String,
    /// Where it was needed first.
    #[serde(flatten)]
    pub at: Place,
}

/// Something that the answer rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Basis {
    /// `property`, `data model`, `restriction`, `assumed`, `approximated` or `evidence`.
    pub kind: String,
    /// In a sentence.
    pub text: String,
}

/// What holds whenever a loop is reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Invariant {
    /// Where the loop stands.
    #[serde(flatten)]
    pub at: Place,
    /// The function around it.
    pub function: String,
    /// The conjuncts as C expressions; what concerns memory, or every cell of an array, is in words of C (`for all k, k < i: a[k] == 0`) or a formula.
    pub c: Vec<String>,
    /// The invariant as an SMT-LIB term, where C cannot express it and it is not too large.
    pub smtlib: Option<String>,
}

/// The run into the error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counterexample {
    /// The number of the assertion that fails, from one.
    pub assertion: usize,
    /// All values that came in, in the order of the run.
    pub inputs: Vec<InputValue>,
    /// The steps that matter, in the order of the run.
    pub steps: Vec<Step>,
    /// How many steps were left out in the middle of a long run.
    pub steps_left_out: usize,
    /// Command lines that repeat the run.
    #[serde(default)]
    pub replay: Vec<String>,
    /// The run for people to read.
    pub text: String,
}

/// A value that came in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputValue {
    /// As text: numbers of JSON readers are often floats.
    pub value: String,
    /// Where it came from: `__VERIFIER_nondet_int`, `uninitialised x`.
    pub source: String,
    /// `file:line`, if it is known.
    pub place: Option<String>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Step {
    /// Where.
    #[serde(flatten)]
    pub at: Place,
    /// How many calls are open.
    pub depth: usize,
    /// What happens there.
    pub text: String,
    /// The function; null for steps outside of all functions.
    #[serde(default)]
    pub function: Option<String>,
    /// What got another value.
    #[serde(default)]
    pub changes: Vec<Change>,
}

/// A variable or a part of memory that got a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change {
    /// Its name, as the source has it.
    pub name: String,
    /// The value before; null for the first one that is known.
    pub before: Option<String>,
    /// The value after.
    pub after: String,
}

/// What concrete runs have passed. These runs are made to see how much an answer is worth; they are a sample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Coverage {
    /// How many runs there were.
    pub runs: usize,
    /// The files of the program.
    pub files: Vec<FileCoverage>,
}

/// The lines of a file with something to execute, each range as its first and last line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileCoverage {
    /// The file.
    pub path: String,
    /// Lines that a run has passed.
    pub passed: Vec<(u32, u32)>,
    /// Lines that no run has passed.
    pub not_passed: Vec<(u32, u32)>,
}

/// The engines that worked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Portfolio {
    /// The kind of program that the engines were chosen for; null if the user chose.
    pub plan: Option<String>,
    /// The engines.
    pub arms: Vec<Arm>,
}

/// A loop invariant that the source states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Annotation {
    /// `file:line`.
    pub place: String,
    /// As it stands there.
    pub text: String,
    /// What became of it.
    pub fate: AnnotationFate,
    /// Why; null where there is no more to say.
    pub why: Option<String>,
}

/// What became of an annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnnotationFate {
    /// It holds, and the proof has it.
    Used,
    /// It holds, and the answer does not need it.
    NotNeeded,
    /// It is no invariant with the others.
    Refuted,
    /// Whether it holds was too hard.
    Undecided,
    /// It was not tried.
    NotTried,
    /// It is no condition that is read here.
    NotRead,
}

/// What earlier runs had left.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cache {
    /// The entries that were tried: the verdict that the evidence is for, and whether it is about this program or an earlier version.
    pub entries: Vec<String>,
    /// Whether the evidence of an entry is that of the answer.
    pub is_answer: bool,
    /// Candidates for invariants, if no entry was enough.
    pub candidates: usize,
    /// How many of them hold.
    pub held: usize,
}

/// An engine that worked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Arm {
    /// Its name.
    pub engine: String,
    /// Its processor time.
    pub seconds: f64,
    /// `won`, `stopped`, `out of memory`, `still working`, or why it has no answer.
    pub ended: String,
    /// How long it spent in each phase.
    pub phases: Vec<Phase>,
    /// When it was in which phase, the shortest ones merged with others.
    #[serde(default)]
    pub spans: Vec<Span>,
    /// How many facts of others it used.
    pub facts: Vec<Facts>,
}

/// A phase of an engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Phase {
    /// The engine, where one uses another.
    pub engine: String,
    /// What it did.
    pub phase: String,
    /// For how long.
    pub seconds: f64,
}

/// A stretch of time that an engine was in a phase, in seconds of the clock since the check began.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Span {
    /// What it did.
    pub phase: String,
    /// The beginning.
    pub from: f64,
    /// The end.
    pub to: f64,
}

/// Facts that an engine took over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Facts {
    /// Who proved them.
    pub source: String,
    /// How many.
    pub count: u64,
}

/// What the independent checker did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Certificate {
    /// SAFE: obligations that were proved again. UNSAFE: 0.
    pub obligations: usize,
    /// How many obligations were proved on each rung, the cheapest first.
    pub by_rung: Vec<Rung>,
    /// UNSAFE: steps of the run that was executed.
    pub steps: Option<u64>,
    /// Time of the check; null if it was not measured.
    pub seconds: Option<f64>,
}

/// Obligations that needed the same precision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rung {
    /// Which operators had to be read bit by bit.
    pub rung: String,
    /// How many obligations.
    pub count: usize,
}

/// What the front end says about the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file.
    pub file: String,
    /// The line, from one; zero for the whole file.
    pub line: u32,
    /// The column, from one; zero when it is not known.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The input is not a valid program.
    Error,
    /// The program is valid, but it uses what is not modelled.
    Unsupported,
    /// Worth knowing.
    Warning,
}

impl Answer {
    /// An answer about this file of which nothing is known yet.
    pub fn new(version: &str, file: &str) -> Answer {
        Answer {
            schema: SCHEMA,
            tool: "uforia".to_owned(),
            version: version.to_owned(),
            file: file.to_owned(),
            verdict: VerdictName::Unknown,
            reason: String::new(),
            subproperty: None,
            exit_code: 2,
            seconds: 0.0,
            cpu_seconds: None,
            memory: None,
            inputs: Vec::new(),
            entry: None,
            property: String::new(),
            data_model: String::new(),
            settings: Vec::new(),
            hint: None,
            reasons: Vec::new(),
            engine: None,
            method: None,
            condition: None,
            assertions: Vec::new(),
            assumptions: Vec::new(),
            rests_on: Vec::new(),
            invariants: Vec::new(),
            precise: Vec::new(),
            counterexample: None,
            coverage: None,
            portfolio: None,
            annotations: Vec::new(),
            cache: None,
            certificate: None,
            diagnostics: Vec::new(),
        }
    }
    /// An answer without a verdict, for a reason.
    pub fn unknown(version: &str, file: &str, reason: Reason) -> Answer {
        let text = reason.text.lines().next().unwrap_or_default().to_owned();
        Answer { reason: text, reasons: vec![reason], ..Answer::new(version, file) }
    }
    /// The verdict with its evidence.
    pub fn verdict(&self) -> Verdict<'_> {
        match self.verdict {
            VerdictName::Safe => Verdict::Safe { invariants: &self.invariants, condition: self.condition.as_deref() },
            VerdictName::Unsafe => Verdict::Unsafe(self.counterexample.as_ref()),
            VerdictName::Unknown => Verdict::Unknown(&self.reasons),
        }
    }
    /// The last line of standard output.
    pub fn line(&self) -> String {
        match self.verdict {
            VerdictName::Safe => format!("SAFE{}", self.condition.as_deref().unwrap_or_default()),
            _ => match self.subproperty.as_ref().filter(|_| self.property != "errors") {
                Some(violated) => format!("{} ({violated}): {}", self.verdict, self.reason),
                None => format!("{}: {}", self.verdict, self.reason),
            },
        }
    }
    /// One line of JSON, without the line end.
    pub fn json(&self) -> String {
        json::line(self)
    }
    /// Reads one line of JSON.
    pub fn read(line: &str) -> Result<Answer, String> {
        serde_json::from_str(line).map_err(|error| error.to_string())
    }
    /// The assertion that fails.
    pub fn failing(&self) -> Option<&Assertion> {
        let number = self.counterexample.as_ref()?.assertion;
        self.assertions.iter().find(|one| one.id == number)
    }
}

impl std::fmt::Display for VerdictName {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The width of tables counts.
        out.pad(match self {
            VerdictName::Safe => "SAFE",
            VerdictName::Unsafe => "UNSAFE",
            VerdictName::Unknown => "UNKNOWN",
        })
    }
}

impl Place {
    /// The file and the line.
    pub fn parts(&self) -> Option<(&str, u32)> {
        let (file, line) = self.place.as_deref()?.rsplit_once(':')?;
        Some((file, line.parse().ok()?))
    }
}

impl Reason {
    /// A reason of the whole check.
    pub fn new(code: Code, text: impl Into<String>) -> Reason {
        Reason { code, engine: None, text: text.into(), place: None }
    }
}

impl From<program::AssertionKind> for AssertionKind {
    fn from(kind: program::AssertionKind) -> AssertionKind {
        use program::{AccessKind, AssertionKind as Kind};
        match kind {
            Kind::Condition => AssertionKind::Condition,
            Kind::Unreached => AssertionKind::Unreached,
            Kind::Overflow => AssertionKind::Overflow,
            Kind::Division => AssertionKind::Division,
            Kind::Shift => AssertionKind::Shift,
            Kind::Access(AccessKind::Read) => AssertionKind::Read,
            Kind::Access(AccessKind::Write) => AssertionKind::Write,
            Kind::Access(AccessKind::Free) => AssertionKind::Free,
            Kind::Access(AccessKind::Track) => AssertionKind::Track,
            Kind::Cleanup => AssertionKind::Cleanup,
            Kind::Target => AssertionKind::Target,
            Kind::Length => AssertionKind::Length,
            Kind::Ends => AssertionKind::Ends,
            Kind::Order => AssertionKind::Order,
        }
    }
}

impl From<&base::Diagnostic> for Diagnostic {
    fn from(one: &base::Diagnostic) -> Diagnostic {
        Diagnostic {
            severity: match one.severity {
                base::Severity::Error => Severity::Error,
                base::Severity::Unsupported => Severity::Unsupported,
                base::Severity::Warning => Severity::Warning,
            },
            file: one.file.clone(),
            line: one.line,
            column: one.column,
            message: one.message.clone(),
            help: one.help.clone(),
        }
    }
}

/// Codes as their names.
mod code {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use verdict::Code;

    pub fn serialize<S: Serializer>(code: &Code, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(code)
    }
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Code, D::Error> {
        let name = String::deserialize(from)?;
        Code::by_name(&name).ok_or_else(|| D::Error::custom(format!("there is no code {name}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Answer {
        let reason = Reason::new(Code::Bounded, "no error within 3 iterations of the loops\u{202e}");
        let mut answer = Answer::unknown("1.0", "a.c", reason);
        answer.assertions.push(Assertion {
            id: 1,
            text: "x < 3".to_owned(),
            at: Place { place: Some("a.c:7".to_owned()), column: Some(3) },
            kind: AssertionKind::Condition,
            status: Status::Unknown,
            seen_in_a_run: false,
            never_reached: false,
            each: None,
        });
        answer
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let answer = one();
        let line = answer.json();
        assert!(
            line.starts_with("{\"schema\": 1, \"tool\": \"uforia\", \"version\": \"1.0\", \"file\": \"a.c\""),
            "{line}"
        );
        assert!(line.contains("\"code\": \"U0104\"") && line.contains("\"place\": \"a.c:7\", \"column\": 3"), "{line}");
        assert!(line.contains("\\u202e") && !line.contains('\u{202e}'), "{line}");
        assert_eq!(Answer::read(&line), Ok(answer));
        assert!(Answer::read(&line.replace("U0104", "U0000")).is_err_and(|said| said.contains("no code U0000")));
        assert!(Answer::read(&"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn a_line_of_an_earlier_version_is_read() {
        let new = [", \"seen_in_a_run\": false, \"never_reached\": false", ", \"coverage\": null"];
        let line = new.iter().fold(one().json(), |line, field| {
            assert!(line.contains(field), "{line}");
            line.replace(field, "")
        });
        assert_eq!(Answer::read(&line), Ok(one()));
    }

    #[test]
    fn the_last_line_names_the_verdict() {
        let mut answer = one();
        assert!(answer.line().starts_with("UNKNOWN: no error within 3"));
        answer.verdict = VerdictName::Safe;
        assert_eq!(answer.line(), "SAFE");
        answer.condition = Some(", as long as 1 access stays valid: a[i]".to_owned());
        assert_eq!(answer.line(), "SAFE, as long as 1 access stays valid: a[i]");
    }

    #[test]
    fn the_schema_is_the_committed_one() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/answer-1.json");
        let mut schema = schemars::schema_for!(Answer);
        schema.insert("title".to_owned(), "The answer of uforia check --json".into());
        let text = json::pretty(&schema);
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(std::path::Path::new(file).parent().expect("it lies in a folder"))
                .expect("our own folder");
            std::fs::write(file, &text).expect("the schema can be written");
        }
        assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), text, "BLESS=1 writes docs/schema/answer-1.json");
    }
}
