//! Preprocessing: the system's C compiler with `-E`, our own header files, and limits.
//!
//! Header files of the system are written for the host's data model and full of things that no
//! verifier needs, so we bring our own (`headers`) and let the compiler see no others
//! (`-nostdinc`). A program that includes a header which is not among them is preprocessed again with
//! the headers of the system: all of them, since types of one set do not agree with those of another; only a
//! few (`headers::OVERLAY`) stay ours. For ILP32 it gets `-m32`, which needs no 32-bit libraries for
//! preprocessing; where it does not know that option we define the macros ourselves.
//!
//! Macros and `#include` can run away. The child has limits on its own processor time and memory
//! (set by the shell that starts it), and we limit its output and the time we wait. It ends when we do (`child`).

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use base::{Diagnostic, Severity};
use cfront::DataModel;

use crate::child::{ENDS_WITH_INPUT, Leashed, Limits, leashed};
use crate::compile_commands;
use crate::context::Context;
use crate::failure::Failure;
use crate::headers::{HeaderFolder, LAST_RESORT, Origin};
use crate::input::{self, about};
use crate::tuning::Tuning;

/// Whether this text needs the preprocessor: it has a directive other than the line markers that a
/// preprocessor leaves behind, or it uses something only a preprocessor knows.
pub fn needed(text: &str) -> bool {
    let directive = |line: &str| {
        let line = line.trim_start();
        let Some(rest) = line.strip_prefix('#').or_else(|| line.strip_prefix("%:")) else { return false };
        let rest = rest.trim_start();
        let marker = rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("pragma") || rest.is_empty();
        !(marker || rest.starts_with("line") || rest.starts_with("ident"))
    };
    text.lines().any(directive) || text.contains("??=") || predefined_macro(text)
}

/// Whether a word such as `__LINE__` or `__INT_MAX__` occurs. Functions of the verification
/// vocabulary (`__VERIFIER_assume`) end in small letters and stay out of it.
fn predefined_macro(text: &str) -> bool {
    let mut from = 0;
    while let Some(at) = text[from..].find("__") {
        let start = from + at;
        let word = text[start..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("__");
        let inner = word.trim_matches('_');
        let shouted = inner.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let whole = !text[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if whole && word.len() > 4 && word.ends_with("__") && !inner.is_empty() && shouted {
            return true;
        }
        from = start + word.len().max(2);
    }
    text.contains("_Pragma")
}

/// The text of a C file after preprocessing, with line markers. `source` is the text for a file
/// that cannot be opened a second time (standard input, a pipe); otherwise the compiler reads `file`.
pub fn preprocess(context: &Context, file: &str, source: Option<&[u8]>) -> Result<String, Failure> {
    let compiler = compiler()?;
    let mut headers = HeaderFolder::create(context, Origin::Own)?;
    let mut target = Target::Option;
    let mut attempt = run(context, &compiler, target, &headers, file, source)?;
    if !attempt.status.success() && attempt.refuses_target() {
        context.log("the compiler does not know -m32; defining its macros instead");
        target = Target::Macros;
        attempt = run(context, &compiler, target, &headers, file, source)?;
    }
    if !attempt.status.success() && attempt.misses_header() {
        context.log("a header is not among those of uforia; taking the headers of the system");
        headers = HeaderFolder::create(context, Origin::System)?;
        attempt = run(context, &compiler, target, &headers, file, source)?;
    }
    let folder = headers.path().to_string_lossy().into_owned();
    let found = attempt.diagnostics(&folder);
    if !attempt.status.success() {
        return Err(Failure::Invalid(if found.iter().any(|one| one.severity != Severity::Warning) {
            found
        } else {
            vec![attempt.runaway(file).ok_or_else(|| unusable(&compiler, &attempt))?]
        }));
    }
    for warning in found {
        context.log(&format!("preprocessor: {}:{}: {}", warning.file, warning.line, warning.message));
    }
    let text = input::decoded(attempt.output);
    Ok(hide_folder(&text, &folder))
}

/// A compiler that fails without a word about the program does not understand us: that is no fault of the program.
fn unusable(compiler: &[String], attempt: &Attempt) -> Failure {
    let said = attempt.messages.lines().next().unwrap_or("it says nothing").trim();
    Failure::CannotRead(format!("cannot use the C compiler `{}`: {said}", compiler.join(" ")))
}

/// The C compiler: `$CC`, else the first of cc, gcc, clang that is there.
fn compiler() -> Result<Vec<String>, Failure> {
    if let Ok(chosen) = std::env::var("CC") {
        let words: Vec<String> = chosen.split_whitespace().map(str::to_owned).collect();
        if let Some(program) = words.first() {
            return if installed(program) {
                Ok(words)
            } else {
                Err(Failure::CannotRead(format!(
                    "the C compiler `{program}` that $CC names is not there; uforia needs one to preprocess C files"
                )))
            };
        }
    }
    let found = ["cc", "gcc", "clang"].into_iter().find(|name| installed(name));
    found.map(|name| vec![name.to_owned()]).ok_or_else(|| {
        Failure::CannotRead(
            "no C compiler (cc, gcc or clang) found; uforia needs one to preprocess C files with # directives.\n\
             Install one (Debian, Ubuntu: apt install gcc; Fedora: dnf install gcc; macOS: xcode-select --install),\n\
             or name one in the variable CC, or preprocess the file elsewhere and give it as .i"
                .to_owned(),
        )
    })
}

pub(crate) fn installed(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The compiler's flags for the data model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Option,
    Macros,
}

pub(crate) struct Attempt {
    output: Vec<u8>,
    pub(crate) messages: String,
    pub(crate) status: ExitStatus,
    too_much: bool,
    too_long: bool,
}

fn arguments(
    context: &Context,
    target: Target,
    folder_of_headers: &HeaderFolder,
    file: &str,
    source: Option<&[u8]>,
) -> Result<Vec<String>, Failure> {
    let settings = &context.settings;
    let headers = folder_of_headers.path();
    let mut args: Vec<String> = ["-E", "-std=gnu11", "-fsigned-char", "-D__UFORIA__=1"].map(str::to_owned).into();
    match folder_of_headers.origin() {
        Origin::Own => args.push("-nostdinc".to_owned()),
        // Functions, not macros over tables of the library; and no checked twins of functions.
        Origin::System => args.extend(["-D__NO_CTYPE=1", "-U_FORTIFY_SOURCE"].map(str::to_owned)),
    }
    args.extend(["-fmax-errors=100", "-fdiagnostics-color=never"].map(str::to_owned));
    match (settings.data_model, target) {
        (DataModel::Ilp32, Target::Option) => args.push("-m32".to_owned()),
        (DataModel::Ilp32, Target::Macros) => args.extend(ilp32_macros()),
        (DataModel::Lp64, Target::Option) if cfg!(target_pointer_width = "32") => args.push("-m64".to_owned()),
        (DataModel::Lp64, _) => {}
    }
    for folder in &settings.include {
        args.push(format!("-I{folder}"));
    }
    if let Some(database) = &settings.compile_commands {
        match compile_commands::preprocessor_words(database, file, settings.data_model)? {
            Some(words) => args.extend(words),
            None => context.warn(&format!("{file} is not in the compilation database {database}")),
        }
    }
    for definition in &settings.define {
        args.push(format!("-D{definition}"));
    }
    args.extend(["-isystem".to_owned(), headers.to_string_lossy().into_owned()]);
    let folder = Path::new(file).parent().map(Path::to_path_buf).filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| PathBuf::from("."));
    args.extend(["-idirafter".to_owned(), folder.to_string_lossy().into_owned()]);
    args.extend(["-idirafter".to_owned(), headers.join(LAST_RESORT).to_string_lossy().into_owned()]);
    args.extend(["-x", "c"].map(str::to_owned));
    match source {
        Some(bytes) => {
            // Standard input of the child is taken, and its name is not ours: a marker gives the name that the user knows.
            let copy = headers.join("standard-input.c");
            let (name, quoted) = match &context.text {
                Some(_) => (file.replace('\\', "\\\\").replace('"', "\\\""), folder.to_string_lossy().into_owned()),
                None => ("<stdin>".to_owned(), ".".to_owned()),
            };
            let marker = format!("# 1 \"{name}\"\n");
            let bytes = bytes.strip_prefix(input::BYTE_ORDER_MARK).unwrap_or(bytes);
            let text = [marker.as_bytes(), bytes].concat();
            std::fs::write(&copy, text)
                .map_err(|error| Failure::CannotRead(format!("cannot write a copy of the program: {error}")))?;
            args.extend(["-iquote".to_owned(), quoted, copy.to_string_lossy().into_owned()]);
        }
        None if file.starts_with('-') => args.push(format!("./{file}")),
        None => args.push(file.to_owned()),
    }
    Ok(args)
}

/// The predefined macros in which a 32-bit target differs.
fn ilp32_macros() -> Vec<String> {
    let gone =
        ["__LP64__", "_LP64", "__x86_64__", "__x86_64", "__amd64__", "__amd64", "__SIZEOF_INT128__", "__aarch64__"];
    let set = [
        ("_ILP32", "1"),
        ("__ILP32__", "1"),
        ("__SIZEOF_LONG__", "4"),
        ("__SIZEOF_POINTER__", "4"),
        ("__SIZEOF_SIZE_T__", "4"),
        ("__SIZEOF_PTRDIFF_T__", "4"),
        ("__LONG_MAX__", "0x7fffffffL"),
        ("__LONG_WIDTH__", "32"),
        ("__SIZE_TYPE__", "unsigned int"),
        ("__SIZE_MAX__", "0xffffffffU"),
        ("__SIZE_WIDTH__", "32"),
        ("__PTRDIFF_TYPE__", "int"),
        ("__PTRDIFF_MAX__", "0x7fffffff"),
        ("__INTPTR_TYPE__", "int"),
        ("__INTPTR_MAX__", "0x7fffffff"),
        ("__UINTPTR_TYPE__", "unsigned int"),
        ("__UINTPTR_MAX__", "0xffffffffU"),
        ("__WCHAR_TYPE__", "int"),
        ("__INT64_TYPE__", "long long int"),
        ("__INT64_MAX__", "0x7fffffffffffffffLL"),
        ("__UINT64_TYPE__", "long long unsigned int"),
        ("__UINT64_MAX__", "0xffffffffffffffffULL"),
        ("__INTMAX_TYPE__", "long long int"),
        ("__INTMAX_MAX__", "0x7fffffffffffffffLL"),
        ("__UINTMAX_TYPE__", "long long unsigned int"),
        ("__UINTMAX_MAX__", "0xffffffffffffffffULL"),
    ];
    let gone = gone.iter().map(|name| format!("-U{name}"));
    gone.chain(set.iter().flat_map(|(name, text)| [format!("-U{name}"), format!("-D{name}={text}")])).collect()
}

fn run(
    context: &Context,
    compiler: &[String],
    target: Target,
    headers: &HeaderFolder,
    file: &str,
    source: Option<&[u8]>,
) -> Result<Attempt, Failure> {
    let args = arguments(context, target, headers, file, source)?;
    context.log(&format!("{} {}", compiler.join(" "), args.join(" ")));
    let words: Vec<String> = compiler.iter().cloned().chain(args).collect();
    let mut command = leashed(
        &words,
        Some(Limits {
            seconds: Tuning::DEFAULT.max_preprocessor_seconds,
            kilobytes: Tuning::DEFAULT.max_preprocessor_kibibytes,
        }),
    );
    command
        .env("LC_ALL", "C")
        // Nothing but the command line says where headers are, and `__DATE__` is the same every day.
        .env_remove("CPATH")
        .env_remove("C_INCLUDE_PATH")
        .env_remove("DEPENDENCIES_OUTPUT")
        .env_remove("SUNPRO_DEPENDENCIES")
        .env_remove(ENDS_WITH_INPUT)
        .env("SOURCE_DATE_EPOCH", std::env::var("SOURCE_DATE_EPOCH").unwrap_or_else(|_| "0".to_owned()))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut started = Leashed::start(command)
        .map_err(|error| Failure::CannotRead(format!("cannot start the C preprocessor: {error}")))?;
    converse(context, &mut started)
}

/// Collects what the child says, until it ends or a limit is met.
pub(crate) fn converse(context: &Context, started: &mut Leashed) -> Result<Attempt, Failure> {
    let cannot = |error: std::io::Error| Failure::CannotRead(format!("the C preprocessor: {error}"));
    let output = started.child.stdout.take().expect("standard output is a pipe");
    let messages = started.child.stderr.take().expect("standard error is a pipe");
    let (sender, collected) = channel();
    let readers: [(Box<dyn Read + Send>, u64); 2] = [
        (Box::new(output), Tuning::DEFAULT.max_preprocessed_bytes),
        (Box::new(messages), Tuning::DEFAULT.max_preprocessor_message_bytes),
    ];
    for (which, (from, limit)) in readers.into_iter().enumerate() {
        let sender = sender.clone();
        let collect = move || {
            let mut bytes = Vec::new();
            let _ = from.take(limit + 1).read_to_end(&mut bytes);
            let _ = sender.send((which, bytes));
        };
        thread::Builder::new().spawn(collect).map_err(cannot)?;
    }
    drop(sender);
    let end = Instant::now() + Duration::from_millis(Tuning::DEFAULT.max_preprocessor_wait_milliseconds);
    let mut texts = [None, None];
    let (mut too_much, mut too_long) = (false, false);
    while texts.iter().any(Option::is_none) && !too_much && !too_long {
        match collected.recv_timeout(Duration::from_millis(10)) {
            Ok((which, bytes)) => {
                too_much |= bytes.len() as u64
                    > if which == 0 {
                        Tuning::DEFAULT.max_preprocessed_bytes
                    } else {
                        Tuning::DEFAULT.max_preprocessor_message_bytes
                    };
                texts[which] = Some(bytes);
            }
            Err(RecvTimeoutError::Timeout) if context.stopping() => return Err(Failure::Stopped),
            Err(RecvTimeoutError::Timeout) => too_long = Instant::now() > end,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if too_much || too_long {
        started.end();
    }
    let status = started.child.wait().map_err(cannot)?;
    let [output, messages] = texts.map(Option::unwrap_or_default);
    let messages = String::from_utf8_lossy(&messages).into_owned();
    Ok(Attempt { output, messages, status, too_much, too_long })
}

impl Attempt {
    /// Whether the compiler did not understand the option for the data model.
    fn refuses_target(&self) -> bool {
        self.messages.lines().any(|line| line.contains("m32") && !line.contains("#include"))
    }
    /// Whether a header was not found.
    fn misses_header(&self) -> bool {
        self.messages.lines().any(says_missing)
    }
    /// Each `file:line:column: error: text` among the messages. A header file that we do not bring
    /// is our gap and not the program's error.
    fn diagnostics(&self, folder: &str) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for one in self.messages.lines().filter_map(|line| diagnostic(&hide_folder_in_line(line, folder))) {
            // A file that includes itself says the same again and again.
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
    }
    /// The message when the preprocessor met a limit.
    fn runaway(&self, file: &str) -> Option<Diagnostic> {
        use std::os::unix::process::ExitStatusExt;
        let message = if self.too_much {
            format!("preprocessing gives more than {} MiB of text", Tuning::DEFAULT.max_preprocessed_bytes >> 20)
        } else if self.too_long
            || self.status.signal().is_some()
            || self.status.code().is_some_and(|code| code > 128)
            || self.messages.contains("Killed")
        {
            format!(
                "the preprocessor did not finish within {} s of processor time",
                Tuning::DEFAULT.max_preprocessor_seconds
            )
        } else if self.messages.contains("out of memory") || self.messages.contains("memory exhausted") {
            "the preprocessor ran out of memory".to_owned()
        } else {
            return None;
        };
        let mut found = about(file, 0, &message);
        found.help = "a macro or #include that uses itself again and again?".to_owned();
        Some(found)
    }
}

/// File, line and column of a message. A message about the end of a condition has no column.
fn place_of(place: &str) -> Option<(&str, u32, u32)> {
    let (rest, last) = place.rsplit_once(':')?;
    let last = last.parse().ok()?;
    match rest.rsplit_once(':').map(|(file, line)| (file, line.parse())) {
        Some((file, Ok(line))) => Some((file, line, last)),
        _ => Some((rest, last, 0)),
    }
}

fn diagnostic(line: &str) -> Option<Diagnostic> {
    let kinds = [": fatal error: ", ": error: ", ": warning: "];
    let (place, kind, message) =
        kinds.iter().find_map(|kind| line.split_once(kind).map(|(place, message)| (place, *kind, message)))?;
    let (file, line_number, column) = place_of(place)?;
    let mut found = about(file, line_number, message);
    found.column = column;
    found.source_line = source_line(file, line_number);
    if kind == ": warning: " {
        found.severity = Severity::Warning;
    } else if let Some(header) = missing_header(&found) {
        found.severity = Severity::Unsupported;
        found.message = format!("header <{header}>");
        found.help = "this header is neither among those of uforia nor among those of the system; \
            -I DIR names a folder with yours"
            .to_owned();
        found.column = 0;
    } else if says_missing(&found.message) {
        found.help = "-I DIR names a folder with header files".to_owned();
    }
    Some(found)
}

/// The header's name if the message says that `#include <header>` found nothing.
fn missing_header(found: &Diagnostic) -> Option<String> {
    let says_so = says_missing(&found.message);
    let inside = found.source_line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    let name = inside.trim_start().strip_prefix('<')?.split('>').next()?;
    says_so.then(|| name.to_owned())
}

/// Whether a message of the compiler says that a file to include was not found.
fn says_missing(message: &str) -> bool {
    ["No such file", "file not found", "no include path"].iter().any(|text| message.contains(text))
}

fn source_line(file: &str, line: u32) -> String {
    let bytes = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default().to_owned()
}

/// The header folder has a new name in each run; answers must not. So its name becomes `<uforia>`.
fn hide_folder(text: &str, folder: &str) -> String {
    let mut hidden = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with('#') && line.contains(folder) {
            hidden.push_str(&hide_folder_in_line(line, folder));
        } else {
            hidden.push_str(line);
        }
    }
    hidden
}

fn hide_folder_in_line(line: &str, folder: &str) -> String {
    line.replace(folder, "<uforia>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_with_directives_or_predefined_macros_needs_the_preprocessor() {
        assert!(needed("#include <assert.h>\n"));
        assert!(needed("  #  define A 1\n"));
        assert!(needed("int line(void) { return __LINE__; }"));
        assert!(needed("long x = __LONG_MAX__;"));
        assert!(needed("??=define A 1"));
        assert!(!needed("# 1 \"a.c\"\nint x;\n#pragma pack\n#line 3\n"));
        assert!(!needed("void __VERIFIER_error(void); int __x__; __attribute__((noreturn)) int f(void);"));
        assert!(!needed("int a__B__;"));
    }

    #[test]
    fn messages_of_the_compiler_become_diagnostics() {
        let found = diagnostic("dir/a.c:3:2: error: #error nope").expect("it has a place");
        assert_eq!((found.file.as_str(), found.line, found.column), ("dir/a.c", 3, 2));
        assert_eq!((found.message.as_str(), found.severity), ("#error nope", Severity::Error));
        assert!(diagnostic("compilation terminated.").is_none());
        assert!(diagnostic("In file included from a.c:1:").is_none());
    }

    #[test]
    fn the_name_of_the_header_folder_is_hidden() {
        let text = "# 1 \"/tmp/u-1/assert.h\" 1\nchar *s = \"/tmp/u-1\";\n";
        assert_eq!(hide_folder(text, "/tmp/u-1"), "# 1 \"<uforia>/assert.h\" 1\nchar *s = \"/tmp/u-1\";\n");
    }
}
