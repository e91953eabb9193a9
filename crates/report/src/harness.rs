//! A C file that, compiled together with the program, drives it into the error.
//!
//! It defines the `__VERIFIER_nondet_*` functions, which give the values of the run in the order in which the
//! run asked each of them. Everything in it is weak: what the program defines itself wins. Programs of the host's data model are linked with the C library, so
//! that whatever library function they call is there. For 32-bit code on a 64-bit machine there is mostly no such library; there the
//! harness brings its own entry and the library functions that such programs use.
//!
//! An error call that the program defines itself is noticed by the compiler's hook at the start of each function
//! (`-finstrument-functions`), an invalid access by the address sanitizer, and wrong arithmetic by traps. Uninitialised variables are zero by
//! `-ftrivial-auto-var-init=zero`; where the run needs other values, a copy of the program gets initialisers at the declarations.
//!
//! The command in the first comment is a shell command: every name in it is quoted, and none can end the comment.

use std::fmt::Write;

use base::OrderedMap;
use program::interp::{Consumed, Origin, Run};
use program::{Action, InputId, InputKind, Program, Shown};
use term::{SortKind, Terms};

use crate::source::Source;
use crate::tuning::Tuning;

// format: an exit code.
/// The exit code of a harness that reached the error.
pub const REACHED: u8 = 99;
/// The exit code of a harness that took another way.
pub const MISSED: u8 = 98;

// law: the x87 format.
/// The bits of a `long double` without its padding.
const LONG_DOUBLE: u32 = 80;

/// What the harness is made from, besides the run.
pub struct Sources<'a> {
    /// The program's file, as the user named it.
    pub file: &'a str,
    /// The other files of the program.
    pub more: &'a [String],
    /// The text of the first file.
    pub text: &'a str,
    /// The name under which the harness is stored.
    pub harness_file: &'a str,
    /// What the error is.
    pub error: &'a ErrorKind,
    /// The user's folders for `#include`.
    pub include: &'a [String],
    /// The user's macros, each `NAME` or `NAME=TEXT`.
    pub define: &'a [String],
}

/// How a compiled program shows the error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// One of these functions is called, or an assertion fails.
    Calls(Vec<String>),
    /// An operation overflows, divides by zero or shifts out of range: it traps.
    Arithmetic,
    /// An access to memory is invalid: the address sanitizer ends the program.
    Memory,
    /// Allocated memory is lost: the leak sanitizer finds it when the program ends.
    Lost,
    /// Allocated memory is not freed when the program ends: the harness counts allocations.
    Left,
}

impl ErrorKind {
    /// Whether the address sanitizer shows it.
    fn is_sanitized(&self) -> bool {
        matches!(self, ErrorKind::Memory | ErrorKind::Lost | ErrorKind::Left)
    }
}

/// A harness, and the copy of the program that it needs, if any.
pub struct Harness {
    /// The text of the harness.
    pub text: String,
    /// The command that compiles it with the program, in one line.
    pub command: String,
    /// The name and the text of a copy of the program with initialisers, if values of uninitialised variables matter.
    pub copy: Option<(String, String)>,
}

/// The harness for a run that reached the error.
pub fn harness(program: &Program, terms: &Terms, run: &Run, sources: &Sources<'_>) -> Harness {
    let mut queues = Queues::of(program, terms, &run.inputs);
    let copy = patched(program, sources, &mut queues).map(|text| (copy_name(sources.harness_file), text));
    let compiled = copy.as_ref().map_or(sources.file, |(name, _)| name.as_str());
    let mut text = String::from("/* Drives the program into its error. Compile and run it so:\n\n");
    let is_hosted = is_hosted(program, sources);
    let refusals = refused_allocations(program, &run.inputs);
    let command = command(program, sources, compiled);
    let wrapped = if refusals.is_empty() { "" } else { " \\\n       -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc" };
    let command = format!("{command}{wrapped}");
    let _ = writeln!(text, "     {command}\n     ./a.out\n");
    if is_hosted || matches!(sources.error, ErrorKind::Calls(_)) {
        let _ = writeln!(text, "   The exit code is {REACHED} when the error is reached, {MISSED} when it is not.");
    } else {
        text.push_str("   The program ends by a trap where the error happens.\n");
    }
    for note in &queues.notes {
        let _ = writeln!(text, "   {}", base::shown(&note.replace("*/", "* /")));
    }
    text.push_str("*/\n");
    // The user's macros are for the program, not for this file, which may define functions of the same names.
    for name in sources
        .define
        .iter()
        .filter_map(|definition| definition.split(['=', '(']).next())
        .filter(|name| is_identifier(name))
    {
        let _ = writeln!(text, "#undef {name}");
    }
    let _ = writeln!(text, "#define HARNESS_REACHED {REACHED}\n#define HARNESS_MISSED {MISSED}");
    if *sources.error == ErrorKind::Arithmetic {
        text.push_str("#define HARNESS_TRAPS\n");
    }
    match sources.error {
        ErrorKind::Lost => text.push_str("#define HARNESS_LOST\n"),
        ErrorKind::Left => text.push_str("#define HARNESS_LEFT\n"),
        _ => {}
    }
    text.push_str(include_str!("harness_common.c"));
    // The address sanitizer wants to see the calls of the program; otherwise our own functions do no harm beside a C library.
    if !sources.error.is_sanitized() {
        text.push_str(include_str!("harness_alone.c"));
    }
    if is_hosted {
        text.push_str(include_str!("harness_hosted.c"));
    }
    let no_calls = Vec::new();
    error_hooks(&mut text, if let ErrorKind::Calls(calls) = sources.error { calls } else { &no_calls });
    text.push_str("\n/* The values of the run. */\n");
    for (name, queue) in &queues.functions {
        text.push_str(&queue.function(name));
    }
    for (function, contents) in &queues.fills {
        text.push_str(&filling(function, contents));
    }
    if !refusals.is_empty() {
        let list: Vec<&str> = refusals.iter().map(|&fails| if fails { "1" } else { "0" }).collect();
        let _ = writeln!(text, "\n/* Which allocations fail, in their order. */");
        let _ = writeln!(text, "static const unsigned char harness_fails[] = {{{}}};", list.join(", "));
        text.push_str(include_str!("harness_malloc.c"));
    }
    let command = command.replace(" \\\n       ", " ");
    Harness { command, text, copy }
}

/// Of each allocation in the order of the run whether it fails; empty if none does.
fn refused_allocations(program: &Program, consumed: &[Consumed]) -> Vec<bool> {
    let asked = consumed.iter().filter(|answer| {
        let is_memory =
            matches!(answer.origin, Origin::Input(input) if program.inputs[input].kind == InputKind::Memory);
        is_memory && answer.width == 1 && answer.offset.is_none()
    });
    let fails: Vec<bool> = asked.take(Tuning::DEFAULT.max_harness_values).map(|answer| answer.value != 0).collect();
    if fails.contains(&true) { fails } else { Vec::new() }
}

/// A function that writes what the object holds when it is made for the nth time.
fn filling(function: &str, contents: &[Consumed]) -> String {
    let mut text = format!("QUIET void {function}(void *object)\n{{\n    static harness_size calls;\n");
    text.push_str("    static const struct { harness_size call, offset; unsigned char byte; } bytes[] = {");
    for answer in contents.iter().take(Tuning::DEFAULT.max_harness_values) {
        for byte in 0..answer.width.div_ceil(8) {
            let offset = answer.offset.unwrap_or(0).wrapping_add(u64::from(byte));
            let _ = write!(
                text,
                "\n        {{{}U, {offset}U, {}}},",
                answer.occurrence,
                (answer.value >> (8 * byte)) as u8
            );
        }
    }
    text.push_str(
        "\n    };\n    harness_size at;\n    for (at = 0; at < sizeof bytes / sizeof *bytes; at++)\n        \
         if (bytes[at].call == calls)\n            ((unsigned char *)object)[bytes[at].offset] = bytes[at].byte;\n    \
         calls++;\n}\n",
    );
    text
}

/// Whether the program is linked with the C library. The address sanitizer needs it in any case.
fn is_hosted(program: &Program, sources: &Sources<'_>) -> bool {
    program.pointer_width == 64 || sources.error.is_sanitized()
}

/// The command that builds the harness. Functions that the run does not call need not be there.
fn command(program: &Program, sources: &Sources<'_>, compiled: &str) -> String {
    // Floats are rounded as in proofs: the x87 unit keeps more bits.
    let model = if program.pointer_width == 32 { "-m32 -msse2 -mfpmath=sse" } else { "-m64" };
    let meaning = match sources.error {
        ErrorKind::Arithmetic => {
            "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero -fsanitize-undefined-trap-on-error"
        }
        ErrorKind::Memory | ErrorKind::Lost | ErrorKind::Left => "-g -fwrapv -fsanitize=address -fno-common",
        ErrorKind::Calls(_) => "-fwrapv -finstrument-functions",
    };
    let library = if is_hosted(program, sources) { "-Wl,-z,lazy" } else { "-static -nostdlib" };
    let mut words = Vec::new();
    if compiled != sources.file {
        // The copy lies elsewhere; what it includes lies beside the original.
        let folder = sources.file.rfind('/').map_or(".", |at| &sources.file[..at.max(1)]);
        words.push(format!("-iquote {}", shell_word(folder)));
    }
    words.extend(sources.include.iter().map(|folder| format!("-I {}", shell_word(folder))));
    words.extend(sources.define.iter().map(|definition| format!("-D {}", shell_word(definition))));
    if compiled == "-" {
        words.push("-x c".to_owned());
    }
    let more = sources.more.iter().map(String::as_str);
    for name in std::iter::once(compiled).chain(more).chain([sources.harness_file]) {
        // A name that looks like an option is none with a folder in front.
        let is_option = name.starts_with('-') && name != "-";
        words.push(shell_word(&if is_option { format!("./{name}") } else { name.to_owned() }));
    }
    format!(
        "cc {model} -w -O0 {library} -fno-pie -no-pie -fno-stack-protector -ftrivial-auto-var-init=zero \\\n       \
         -Wl,--unresolved-symbols=ignore-all {meaning} {}",
        words.join(" ")
    )
}

/// The text as one word of a shell command that may stand in a comment.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/+=,:@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) && !text.contains("*/") {
        return text.to_owned();
    }
    if text.contains(|c: char| base::shown::is_unsafe_to_show(c)) {
        // What must not be shown is spelled in octal.
        let bytes: String = text.bytes().map(|byte| format!("\\0{byte:03o}")).collect();
        return format!("\"$(printf '%b' '{bytes}')\"");
    }
    // Inside of quotes nothing has a meaning but the quote itself; two quotes in the middle keep the comment open.
    format!("'{}'", text.replace('\'', "'\\''").replace("*/", "*''/"))
}

/// The name of the copy of the program that a harness of this name may need.
pub fn copy_name(harness_file: &str) -> String {
    format!("{}.program.c", harness_file.strip_suffix(".c").unwrap_or(harness_file))
}

fn error_hooks(text: &mut String, calls: &[String]) {
    text.push_str("\n/* The error. */\n");
    let calls: Vec<&String> = calls.iter().filter(|call| *call != "__assert_fail").collect();
    for call in &calls {
        let _ = writeln!(text, "GIVES_WAY void {call}(void) {{ harness_reached(); }}");
    }
    text.push_str("QUIET void __cyg_profile_func_exit(void *function, void *caller) { }\n");
    text.push_str("QUIET void __cyg_profile_func_enter(void *function, void *caller)\n{\n");
    for call in &calls {
        let _ = writeln!(text, "    if (function == (void *){call})\n        harness_reached();");
    }
    text.push_str("}\n");
}

/// The type of the values that a function gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind {
    width: u32,
    shown: Shown,
}

impl Kind {
    fn c_type(self) -> &'static str {
        match (self.shown, self.width) {
            (Shown::Float, 32) => "float",
            (Shown::Float, 64) => "double",
            (Shown::Float, LONG_DOUBLE) => "long double",
            (Shown::Float, _) => "__float128",
            (Shown::Pointer, _) => "void *",
            (_, 1) => "_Bool",
            (Shown::Signed, 8) => "signed char",
            (_, 8) => "unsigned char",
            (Shown::Signed, 16) => "short",
            (_, 16) => "unsigned short",
            (Shown::Signed, 32) => "int",
            (_, 32) => "unsigned",
            (Shown::Signed, 64) => "long long",
            (_, 64) => "unsigned long long",
            (Shown::Signed, _) => "__int128",
            _ => "unsigned __int128",
        }
    }

    /// The value as the encoding of what the table holds.
    fn literal(self, value: u128) -> String {
        if (self.shown, self.width) == (Shown::Float, LONG_DOUBLE) {
            return format!("{{{:#x}ULL, {:#x}}}", value as u64, (value >> 64) as u16);
        }
        if self.width > 64 && self.shown != Shown::Float {
            return format!("(unsigned __int128){:#x}ULL << 64 | {:#x}ULL", (value >> 64) as u64, value as u64);
        }
        format!("{:#x}{}", value, if self.width > 32 { "ULL" } else { "U" })
    }
}

/// The values of one function in the order of the run.
struct Queue {
    kind: Kind,
    values: Vec<u128>,
}

impl Queue {
    fn function(&self, name: &str) -> String {
        let (kind, c_type) = (self.kind, self.kind.c_type());
        if self.values.is_empty() {
            return format!("GIVES_WAY {c_type} {name}(void) {{ return 0; }}\n");
        }
        // A `__float128` was asked for as a double.
        let stored = match (kind.shown, kind.width) {
            (Shown::Float, 32) => "unsigned",
            (Shown::Float, LONG_DOUBLE) => "struct x87",
            (Shown::Float, _) => "unsigned long long",
            (Shown::Pointer, _) => "__UINTPTR_TYPE__",
            (_, 65..) => "unsigned __int128",
            (_, 33..) => "unsigned long long",
            _ => "unsigned",
        };
        let mut text = format!("GIVES_WAY {c_type} {name}(void)\n{{\n");
        if stored == "struct x87" {
            text.push_str("    struct x87 { unsigned long long significand; unsigned short sign_and_exponent; };\n");
        }
        let _ = write!(text, "    static const {stored} values[] = {{");
        for (index, &value) in self.values.iter().take(Tuning::DEFAULT.max_harness_values).enumerate() {
            text.push_str(if index == 0 { "" } else { ", " });
            if index % 8 == 0 && self.values.len() > 8 {
                text.push_str("\n        ");
            }
            text.push_str(&kind.literal(value));
        }
        let result = match kind.shown {
            Shown::Float => {
                let float = match kind.width {
                    32 => "float",
                    LONG_DOUBLE => "long double",
                    _ => "double",
                };
                format!(
                    "    union {{ {stored} bits; {float} value; }} encoded;\n    encoded.bits = value;\n    return encoded.value;\n"
                )
            }
            _ => format!("    return ({c_type})value;\n"),
        };
        let zero = if stored == "struct x87" { "{0, 0}" } else { "0" };
        let _ = write!(
            text,
            "}};\n    static harness_size next;\n    {stored} value = {zero};\n    \
             if (next < sizeof values / sizeof *values)\n        value = values[next++];\n{result}}}\n"
        );
        text
    }
}

struct Queues {
    functions: OrderedMap<String, Queue>,
    /// Values of uninitialised variables that are not zero, with those before them.
    locals: OrderedMap<InputId, Queue>,
    /// Contents of uninitialised objects that are not all zero.
    objects: OrderedMap<InputId, Vec<Consumed>>,
    /// The functions that fill them.
    fills: Vec<(String, Vec<Consumed>)>,
    notes: Vec<String>,
}

impl Queues {
    fn of(program: &Program, terms: &Terms, consumed: &[Consumed]) -> Self {
        let mut functions: OrderedMap<String, Queue> = OrderedMap::default();
        for edge in &program.edges {
            let Action::Havoc { var, input } = edge.action else { continue };
            let (InputKind::Nondet(name) | InputKind::External(name)) = &program.inputs[input].kind else { continue };
            let width = match *terms.sort_kind(program.vars[var].sort) {
                SortKind::Bool => 1,
                SortKind::BitVec(width) => width,
                SortKind::Float(15, 64) => LONG_DOUBLE,
                SortKind::Float(exponent, significand) => exponent + significand,
                _ => continue,
            };
            let kind = Kind { width, shown: program.inputs[input].shown };
            if is_identifier(name) {
                functions.entry(name.clone()).or_insert(Queue { kind, values: Vec::new() });
            }
        }
        let mut locals: OrderedMap<InputId, Queue> = OrderedMap::default();
        let mut objects: OrderedMap<InputId, Vec<Consumed>> = OrderedMap::default();
        let mut notes = Vec::new();
        let mut unset = 0;
        for answer in consumed {
            let Origin::Input(input) = answer.origin else {
                unset += u32::from(answer.value != 0);
                continue;
            };
            let info = &program.inputs[input];
            if matches!(info.kind, InputKind::Uninitialised(_)) && answer.offset.is_some() {
                if answer.value != 0 {
                    objects.entry(input).or_default().push(*answer);
                }
                continue;
            }
            let queue = match &info.kind {
                InputKind::Nondet(name) | InputKind::External(name) => functions.get_mut(name.as_str()),
                InputKind::Uninitialised(_) => {
                    let kind = Kind { width: answer.width, shown: info.shown };
                    Some(locals.entry(input).or_insert_with(|| Queue { kind, values: Vec::new() }))
                }
                _ => None,
            };
            match queue {
                Some(queue) => queue.values.push(answer.value),
                None => unset += u32::from(answer.value != 0),
            }
        }
        locals.retain(|_, queue| queue.values.iter().any(|&value| value != 0));
        if unset > 0 {
            notes.push(format!("Not set: {unset} values of uninitialised objects, of fresh memory, or of choices."));
        }
        Queues { functions, locals, objects, fills: Vec::new(), notes }
    }
}

/// The program with initialisers where uninitialised variables must not be zero; none if all may be zero.
fn patched(program: &Program, sources: &Sources<'_>, queues: &mut Queues) -> Option<String> {
    let mut insertions: Vec<(usize, String)> = Vec::new();
    let mut declared_functions = String::new();
    for (number, (input, queue)) in std::mem::take(&mut queues.locals).into_iter().enumerate() {
        let info = &program.inputs[input];
        let InputKind::Uninitialised(name) = &info.kind else { continue };
        let function = format!("harness_local_{}", number + 1);
        let line = info.place.map_or(0, |place| place.line);
        let at = info.place.and_then(|place| {
            let here = program.files.get(place.file).is_some_and(|file| file == sources.file);
            after_declarator(sources.text, place.line, place.column, name).filter(|_| here)
        });
        match at {
            Some(at) => {
                let _ = write!(declared_functions, "{} {function}(void); ", queue.kind.c_type());
                insertions.push((at, format!(" = {function}()")));
                queues.notes.push(format!("{function} gives `{name}` of line {line} its values."));
                queues.functions.insert(function, queue);
            }
            None => queues
                .notes
                .push(format!("Not set: the uninitialised `{name}` of line {line}, which must not be zero.")),
        }
    }
    let source = Source::new(sources.text);
    for (number, (input, contents)) in std::mem::take(&mut queues.objects).into_iter().enumerate() {
        let info = &program.inputs[input];
        let InputKind::Uninitialised(name) = &info.kind else { continue };
        let function = format!("harness_object_{}", number + 1);
        let line = info.place.map_or(0, |place| place.line);
        let here = |place: &base::Place| program.files.get(place.file).is_some_and(|file| file == sources.file);
        let declared = info.place.filter(here).and_then(|place| source.offset(place));
        match declared.filter(|&at| source.word(at) == name).and_then(|at| source.end_of_declaration(at)) {
            Some(at) => {
                let _ = write!(declared_functions, "void {function}(void *); ");
                insertions.push((at, format!(" {function}((void *)&{name});")));
                queues.notes.push(format!("{function} fills `{name}` of line {line}."));
                queues.fills.push((function, contents));
            }
            None => queues
                .notes
                .push(format!("Not set: the uninitialised `{name}` of line {line}, which must not be zero.")),
        }
    }
    if insertions.is_empty() {
        return None;
    }
    insertions.sort();
    let mut text = format!("{declared_functions}\n#line 1\n");
    let mut from = 0;
    for (at, insertion) in insertions {
        text.push_str(&sources.text[from..at]);
        text.push_str(&insertion);
        from = at;
    }
    text.push_str(&sources.text[from..]);
    Some(text)
}

/// Where an initialiser fits: behind the name of a scalar that is declared at this place.
fn after_declarator(text: &str, line: u32, column: u32, name: &str) -> Option<usize> {
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
    let in_line = text.get(start..)?.lines().next()?;
    let column = in_line.char_indices().nth(column.checked_sub(1)? as usize)?.0;
    let at = start + column;
    let rest = text[at..].strip_prefix(name)?;
    rest.trim_start().starts_with([';', ',']).then_some(at + name.len())
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_the_shell_and_do_not_end_the_comment() {
        assert_eq!(shell_word("dir/a-b.c"), "dir/a-b.c");
        assert_eq!(shell_word("a b.c"), "'a b.c'");
        assert_eq!(shell_word("it's; rm -rf *"), "'it'\\''s; rm -rf *'");
        assert_eq!(shell_word("x*/ y"), "'x*''/ y'");
        assert_eq!(shell_word("$(x)`y`"), "'$(x)`y`'");
        assert_eq!(shell_word("\u{1b}a"), "\"$(printf '%b' '\\0033\\0141')\"");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn an_initialiser_stands_behind_the_declared_name() {
        let text = "int f(void) {\n  int x, y;\n  int é, z ;\n  int a[3];\n}\n";
        let put = |line, column, name: &str| {
            after_declarator(text, line, column, name).map(|at| format!("{}|", &text[at - name.len()..at]))
        };
        assert_eq!(put(2, 7, "x").as_deref(), Some("x|"));
        assert_eq!(put(2, 10, "y").as_deref(), Some("y|"));
        assert_eq!(put(3, 10, "z").as_deref(), Some("z|"));
        assert_eq!(put(4, 7, "a"), None, "an array takes no such initialiser");
        assert_eq!(put(2, 7, "y"), None, "another name stands there");
        assert_eq!(put(9, 1, "x"), None);
    }

    #[test]
    fn values_are_written_by_their_bits() {
        let queue = |width, shown, values: &[u128]| Queue { kind: Kind { width, shown }, values: values.to_vec() };
        let text = queue(32, Shown::Signed, &[0xffff_ffff, 2]).function("f");
        assert!(
            text.starts_with("GIVES_WAY int f(void)\n") && text.contains("values[] = {0xffffffffU, 0x2U};"),
            "{text}"
        );
        let text = queue(64, Shown::Float, &[0x3ff0_0000_0000_0000]).function("g");
        assert!(text.contains("double value; } encoded;") && text.contains("0x3ff0000000000000ULL"), "{text}");
        let text = queue(80, Shown::Float, &[0x4000_c000_0000_0000_0000]).function("l");
        assert!(text.contains("long double value; } encoded;"), "{text}");
        assert!(text.contains("{{0xc000000000000000ULL, 0x4000}}"), "{text}");
        assert_eq!(queue(8, Shown::Signed, &[]).function("h"), "GIVES_WAY signed char h(void) { return 0; }\n");
    }
}
