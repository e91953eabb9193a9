//! The system's C compiler as the reference: layouts, initial bytes, types and values of random texts.
//!
//! Layouts and initialisers: we compute the bytes of random static objects, and `cc -S` prints its own
//! in the data directives of the assembler text. Expressions: we compute type and value, and `cc`
//! confirms them in static assertions. Both for LP64 and, with `-m32`, for ILP32; a compiler that
//! cannot do one of them makes the test fail with that message, unless `UFORIA_NO_M32` is set.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use base::{Random, Severity};
use cfront::DataModel;
use cfront::hir::{ExprKind, Init, TypeId, TypeKind, Types, Unit};
use cfront::source::Source;

/// The models to test; says so if the compiler lacks one.
fn models() -> Vec<DataModel> {
    if std::env::var_os("UFORIA_NO_M32").is_some() {
        eprintln!("UFORIA_NO_M32 is set: ILP32 is not compared with the compiler");
        return vec![DataModel::Lp64];
    }
    vec![DataModel::Lp64, DataModel::Ilp32]
}

fn analyse(text: &str, model: DataModel) -> Unit {
    let source = Source::new("random.c", text);
    let (ast, diagnostics) = cfront::parse::parse(&source);
    assert!(diagnostics.is_empty(), "the parser refuses {diagnostics:?} in\n{text}");
    let (unit, diagnostics) = cfront::sema::analyse(std::slice::from_ref(&ast), &source, model);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity != Severity::Warning).collect();
    assert!(errors.is_empty(), "analysis refuses {errors:?} in\n{text}");
    unit
}

/// Runs `cc` on the text and returns the assembler text, or what it complained about.
fn compile(name: &str, text: &str, model: DataModel) -> Result<String, String> {
    let folder = std::env::temp_dir().join(format!("uforia-sema-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be made");
    let input: PathBuf = folder.join(format!("{name}-{model:?}.c"));
    let output = input.with_extension("s");
    std::fs::write(&input, text).expect("the temporary file can be written");
    let mut command = Command::new("cc");
    command.args(["-std=gnu11", "-w", "-O0", "-S", "-fno-common", "-fno-zero-initialized-in-bss"]);
    command.arg(if model == DataModel::Ilp32 { "-m32" } else { "-m64" });
    let result = command.arg(&input).arg("-o").arg(&output).output().expect("`cc` can be started");
    if !result.status.success() {
        return Err(String::from_utf8_lossy(&result.stderr).into_owned());
    }
    Ok(std::fs::read_to_string(&output).expect("`cc` wrote its output"))
}

/// The bytes of each object in the assembler text.
fn objects(assembler: &str) -> BTreeMap<String, Vec<u8>> {
    let mut objects = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in assembler.lines() {
        if let Some(label) = line.strip_suffix(':') {
            current = Some(label.to_owned());
            objects.insert(label.to_owned(), Vec::new());
            continue;
        }
        let Some(bytes) = current.as_ref().and_then(|name| objects.get_mut(name)) else { continue };
        let line = line.trim();
        let (directive, operand) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let operand = operand.trim();
        let number = || operand.parse::<i128>().unwrap_or_else(|_| panic!("no number in {line}"));
        match directive {
            ".byte" => bytes.extend_from_slice(&number().to_le_bytes()[..1]),
            ".value" => bytes.extend_from_slice(&number().to_le_bytes()[..2]),
            ".long" => bytes.extend_from_slice(&number().to_le_bytes()[..4]),
            ".quad" => bytes.extend_from_slice(&number().to_le_bytes()[..8]),
            ".zero" => bytes.resize(bytes.len() + operand.parse::<usize>().expect("a count of zeros"), 0),
            ".string" | ".ascii" => {
                bytes.extend(unescape(operand));
                if directive == ".string" {
                    bytes.push(0);
                }
            }
            _ => {}
        }
    }
    objects
}

fn unescape(quoted: &str) -> Vec<u8> {
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(quoted).as_bytes();
    let mut bytes = Vec::new();
    let mut i = 0;
    while i < inner.len() {
        if inner[i] != b'\\' {
            bytes.push(inner[i]);
            i += 1;
            continue;
        }
        let octal: Vec<u8> = inner[i + 1..].iter().take(3).copied().take_while(|c| (b'0'..=b'7').contains(c)).collect();
        if octal.is_empty() {
            bytes.push(match inner[i + 1] {
                b'n' => b'\n',
                b't' => b'\t',
                b'b' => 8,
                b'f' => 12,
                b'r' => b'\r',
                other => other,
            });
            i += 2;
        } else {
            bytes.push(octal.iter().fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0')) as u8);
            i += 1 + octal.len();
        }
    }
    bytes
}

/// The bytes of a static object by our own account.
fn our_bytes(types: &Types, ty: TypeId, init: Option<&Init>) -> Vec<u8> {
    let mut bytes = vec![0u8; types.size_of(ty).expect("a static object has a size") as usize];
    for piece in init.iter().flat_map(|init| &init.pieces) {
        let ExprKind::Integer(value) = piece.value.kind else { panic!("{:?} is no integer", piece.value) };
        for round in 0..piece.repeat {
            let start = (piece.offset + round * piece.stride) * 8;
            let (first, width) = match piece.bits {
                Some(bits) => (u64::from(bits.first), u64::from(bits.width)),
                None => (0, types.size_of(piece.value.ty).expect("a scalar has a size") * 8),
            };
            for bit in 0..width {
                let at = (start + first + bit) as usize;
                let mask = 1u8 << (at % 8);
                if value >> bit & 1 == 1 {
                    bytes[at / 8] |= mask;
                } else {
                    bytes[at / 8] &= !mask;
                }
            }
        }
    }
    bytes
}

const INTEGERS: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum e",
];

/// Writes random struct and union types and objects of them.
struct Writer {
    random: Random,
    text: String,
    records: usize,
    members: usize,
}

impl Writer {
    fn attribute(&mut self, on_bit_field: bool) -> String {
        match self.random.below(if on_bit_field { 24 } else { 14 }) {
            0 => " __attribute__((packed))".to_owned(),
            1 => format!(" __attribute__((aligned({})))", 1 << self.random.below(5)),
            2 => format!(" __attribute__((packed, aligned({})))", 1 << self.random.below(4)),
            _ => String::new(),
        }
    }

    fn member(&mut self, depth: u32) -> String {
        self.members += 1;
        let number = self.members;
        let integer = *self.random.pick(INTEGERS);
        match self.random.below(12) {
            0..=4 => {
                let most = match integer {
                    "_Bool" => 1,
                    "char" | "signed char" | "unsigned char" => 8,
                    "short" | "unsigned short" => 16,
                    "long long" | "unsigned long long" => 64,
                    _ => 32,
                };
                let width = self.random.between(0, most);
                if width == 0 || self.random.one_in(12) {
                    return format!("{integer} : {width};");
                }
                let attribute = self.attribute(true);
                format!("{integer} m{number} : {width}{attribute};")
            }
            5 => format!("{integer} m{number}[{}];", self.random.between(1, 3)),
            6 if depth < 2 => {
                let inner = self.record_body(depth + 1);
                format!("{inner};")
            }
            7 if depth < 2 => {
                let inner = self.record_body(depth + 1);
                format!("{inner} m{number};")
            }
            8 if self.records > 0 => {
                let other = self.random.below(self.records as u64);
                format!("T{other} m{number};")
            }
            9 => format!("{} m{number};", self.random.pick(&["double", "float", "long double", "void *", "aligned8"])),
            _ => {
                let attribute = self.attribute(false);
                format!("{integer} m{number}{attribute};")
            }
        }
    }

    fn record_body(&mut self, depth: u32) -> String {
        let keyword = if self.random.one_in(4) { "union" } else { "struct" };
        let mut members = String::new();
        let count = self.random.between(1, 7);
        for _ in 0..count {
            let member = self.member(depth);
            let _ = write!(members, " {member}");
        }
        let attribute = self.attribute(false);
        format!("{keyword} {{{members} }}{attribute}")
    }

    fn record(&mut self) {
        let body = self.record_body(0);
        let pack = *self.random.pick(&[0, 0, 0, 0, 0, 1, 2, 4]);
        if pack > 0 {
            let _ = writeln!(self.text, "#pragma pack(push, {pack})");
        }
        let _ = writeln!(self.text, "typedef {body} T{};", self.records);
        if pack > 0 {
            let _ = writeln!(self.text, "#pragma pack(pop)");
        }
        self.records += 1;
    }
}

/// Offsets of all members that have one, with their paths.
fn offsets(types: &Types, ty: TypeId, path: &str, start: u64, found: &mut Vec<(String, u64)>) {
    let Some((_, record)) = types.record(ty) else { return };
    for field in record.fields.iter().flatten() {
        let Some(name) = &field.name else {
            if field.bits.is_none() {
                offsets(types, field.ty, path, start + field.offset, found);
            }
            continue;
        };
        if field.bits.is_none() {
            let own = format!("{path}{name}");
            offsets(types, field.ty, &format!("{own}."), start + field.offset, found);
            found.push((own, start + field.offset));
        }
    }
}

/// Names of all bit-fields, with their paths.
fn bit_fields(types: &Types, ty: TypeId, path: &str, found: &mut Vec<String>) {
    let Some((_, record)) = types.record(ty) else { return };
    for field in record.fields.iter().flatten() {
        match &field.name {
            Some(name) if field.bits.is_some() => found.push(format!("{path}{name}")),
            Some(name) => bit_fields(types, field.ty, &format!("{path}{name}."), found),
            None => bit_fields(types, field.ty, path, found),
        }
    }
}

fn check_layouts(seed: u64, count: usize, model: DataModel) {
    let head = "enum e { E0, E1 };\ntypedef long long aligned8 __attribute__((aligned(8)));\n";
    let mut writer = Writer { random: Random::new(seed), text: head.to_owned(), records: 0, members: 0 };
    for _ in 0..count {
        writer.record();
    }
    let mut text = writer.text;
    for record in 0..count {
        let _ = writeln!(text, "T{record} o{record};");
    }
    let unit = analyse(&text, model);
    let mut asserts = String::new();
    let mut set = String::new();
    let mut sets = 0;
    for record in 0..count {
        let object = unit.vars.iter().find(|v| v.name == format!("o{record}")).expect("the object was declared");
        let (size, align) = (unit.types.size_of(object.ty).expect("it is complete"), unit.types.align_of(object.ty));
        let _ = writeln!(asserts, "_Static_assert(sizeof(T{record}) == {size}, \"size {size} of T{record}\");");
        let _ = writeln!(asserts, "_Static_assert(_Alignof(T{record}) == {align}, \"align {align} of T{record}\");");
        let mut found = Vec::new();
        offsets(&unit.types, object.ty, "", 0, &mut found);
        for (path, offset) in found {
            let _ = writeln!(
                asserts,
                "_Static_assert(__builtin_offsetof(T{record}, {path}) == {offset}, \"offset {offset} of {path} in T{record}\");"
            );
        }
        let mut fields = Vec::new();
        bit_fields(&unit.types, object.ty, "", &mut fields);
        for path in fields {
            let _ = writeln!(set, "T{record} s{sets} = {{ .{path} = -1 }};");
            sets += 1;
        }
    }
    let assembler = compile(&format!("layout{seed}"), &format!("{text}{asserts}{set}"), model)
        .unwrap_or_else(|complaint| panic!("{model:?}, seed {seed}: cc says\n{complaint}\nof\n{text}{asserts}"));
    compare_objects(&format!("{text}{set}"), &assembler, model, seed);
}

/// Every object of the text has the same bytes in our tree and in the assembler text.
fn compare_objects(text: &str, assembler: &str, model: DataModel, seed: u64) {
    let unit = analyse(text, model);
    let theirs = objects(assembler);
    for object in unit.vars.iter().filter(|v| v.init.is_some() && v.function.is_none()) {
        let Some(bytes) = theirs.get(&object.name) else { continue };
        let ours = our_bytes(&unit.types, object.ty, object.init.as_ref());
        let line = text.lines().find(|line| line.contains(&format!(" {}", object.name))).unwrap_or("");
        assert_eq!(&ours, bytes, "{model:?}, seed {seed}: bytes of {} (ours left)\n{line}", object.name);
    }
}

#[test]
fn random_structs_are_laid_out_as_by_the_compiler() {
    let rounds: u64 = std::env::var("UFORIA_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    for model in models() {
        for seed in 0..rounds {
            check_layouts(seed, 60, model);
        }
    }
}

/// Writes random initialisers for a fixed set of types.
struct InitWriter {
    random: Random,
}

const INIT_TYPES: &str = "typedef struct { int a; char b[4]; struct { short x, y; } p; unsigned f : 5, g : 11; union { int i; char c[2]; } u; } R;
typedef struct { R r[2]; int n[2][3]; struct { int q; struct { char w[3]; int v; }; }; } S;
typedef union { struct { char l, h; } h; int whole; char t[6]; } U;
";

impl InitWriter {
    fn scalar(&mut self) -> String {
        self.random.between(-100, 300).to_string()
    }

    /// A flat run of scalars that leaves braces to be guessed.
    fn elided(&mut self, most: i64) -> String {
        let count = self.random.between(1, most);
        (0..count).map(|_| self.scalar()).collect::<Vec<_>>().join(", ")
    }

    fn text(&mut self) -> String {
        ["\"\"", "\"a\"", "\"abc\"", "{ \"xyz\" }", "{ 'p', 'q' }"][self.random.below(5) as usize].to_owned()
    }

    fn r(&mut self) -> String {
        let mut items = Vec::new();
        for _ in 0..self.random.between(0, 5) {
            items.push(match self.random.below(14) {
                0 => format!(".a = {}", self.scalar()),
                1 => format!(".b = {}", self.text()),
                2 => format!(".b[{}] = {}", self.random.below(4), self.scalar()),
                3 => format!(".p = {{ {} }}", self.elided(2)),
                4 => format!(".p.y = {}", self.scalar()),
                5 => format!(".f = {}", self.random.below(32)),
                6 => format!(".g = {}", self.random.below(2048)),
                7 => format!(".u = {{ .c = {} }}", ["{ 1 }", "{ 1, 2 }", "\"z\""][self.random.below(3) as usize]),
                8 => format!(".u.i = {}", self.scalar()),
                9 => format!(".u.c[1] = {}", self.scalar()),
                10 => format!("a: {}", self.scalar()),
                11 => format!(".b[1 ... 2] = {}", self.scalar()),
                _ => self.scalar(),
            });
        }
        if items.is_empty() {
            return format!("{{ {} }}", self.elided(12));
        }
        format!("{{ {} }}", items.join(", "))
    }

    fn s(&mut self) -> String {
        let mut items = Vec::new();
        for _ in 0..self.random.between(1, 5) {
            items.push(match self.random.below(12) {
                0 => format!(".r = {{ {}, {} }}", self.r(), self.r()),
                1 => format!(".r[{}] = {}", self.random.below(2), self.r()),
                2 => format!(".r[1].p.x = {}", self.elided(6)),
                3 => format!(".n[{}][{}] = {}", self.random.below(2), self.random.below(3), self.elided(5)),
                4 => format!(".n = {{ [1] = {{ {} }} }}", self.elided(3)),
                5 => format!(".n[0 ... 1] = {{ {} }}", self.elided(3)),
                6 => format!(".n[0][0 ... 2] = {}", self.scalar()),
                7 => format!(".q = {}", self.elided(5)),
                8 => ".w = \"hi\"".to_owned(),
                9 => format!(".v = {}", self.scalar()),
                10 => format!(".r[0].p = {{ 1 }}, {}", self.elided(9)),
                _ => self.elided(30),
            });
        }
        format!("{{ {} }}", items.join(", "))
    }

    fn u(&mut self) -> String {
        [
            "{ { 1, 2 } }",
            "{ 1, 2 }",
            "{ .whole = 77 }",
            "{ .h.l = 1, .whole = 70000 }",
            "{ .whole = -1, .h.h = 2 }",
            "{ .t = \"hello\" }",
            "{ .t[2] = 5, 6, 7 }",
            "{ .h.l = 1, .h.h = 2 }",
        ][self.random.below(8) as usize]
            .to_owned()
    }

    fn object(&mut self, number: usize) -> String {
        match self.random.below(10) {
            0..=2 => format!("R o{number} = {};", self.r()),
            3..=4 => format!("S o{number} = {};", self.s()),
            5 => format!("U o{number} = {};", self.u()),
            6 => format!("int o{number}[] = {{ [{}] = {}, [1 ... 3] = 9 }};", self.random.below(6), self.elided(5)),
            7 => format!("R o{number}[] = {{ {}, [3] = {}, {} }};", self.elided(20), self.r(), self.elided(9)),
            8 => format!("R o{number}[4] = {{ [0 ... 2] = {}, [1] = {}, [2].p.y = 4 }};", self.r(), self.r()),
            _ => format!("U o{number}[3] = {{ {}, [2] = {}, }};", self.u(), self.u()),
        }
    }
}

#[test]
fn random_initialisers_give_the_bytes_of_the_compiler() {
    let rounds: u64 = std::env::var("UFORIA_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    for model in models() {
        for seed in 0..rounds {
            let mut writer = InitWriter { random: Random::new(seed) };
            let mut text = INIT_TYPES.to_owned();
            for number in 0..150 {
                text.push_str(&writer.object(number));
                text.push('\n');
            }
            let assembler = compile(&format!("init{seed}"), &text, model)
                .unwrap_or_else(|complaint| panic!("{model:?}, seed {seed}: cc says\n{complaint}\nof\n{text}"));
            compare_objects(&text, &assembler, model, seed);
        }
    }
}

/// Writes random constant expressions, and others whose type alone is asked for.
struct ExprWriter {
    random: Random,
    /// Variables and bit-fields may occur.
    with_variables: bool,
}

impl ExprWriter {
    fn leaf(&mut self) -> String {
        if self.with_variables && self.random.one_in(2) {
            let names = [
                "vb", "vc", "vsc", "vuc", "vs", "vus", "vi", "vu", "vl", "vul", "vll", "vull", "ve", "r.b3", "r.s5",
                "r.u31", "r.u32", "r.i32", "r.bb", "r.ll3", "vf", "vd", "vld",
            ];
            return (*self.random.pick(&names)).to_owned();
        }
        let suffix = *self.random.pick(&["", "", "u", "l", "ul", "ll", "ull"]);
        match self.random.below(8) {
            0 => format!("{}{suffix}", self.random.below(4)),
            1 => format!("{}{suffix}", self.random.below(300)),
            2 => format!("0x{:x}{suffix}", self.random.bits() >> self.random.below(64)),
            3 => format!("{}{suffix}", self.random.bits() >> (1 + self.random.below(63))),
            4 => format!("0{:o}", self.random.bits() >> self.random.below(64)),
            5 => (*self.random.pick(&[
                "'a'",
                "'\\377'",
                "L'x'",
                "EA",
                "EB",
                "EC",
                "2147483647",
                "2147483648",
                "4294967295",
            ]))
            .to_owned(),
            6 => format!("sizeof({})", self.random.pick(INTEGERS)),
            _ => (*self.random.pick(&["2147483647", "0x7fffffffffffffff", "65535", "127", "255", "1u"])).to_owned(),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(10) {
            0 => self.leaf(),
            1 | 2 => format!("(({}){})", self.random.pick(INTEGERS), self.expr(depth - 1)),
            3 => format!("({}{})", self.random.pick(&["-", "~", "!", "+"]), self.expr(depth - 1)),
            4 => format!("({} ? {} : {})", self.expr(depth - 1), self.expr(depth - 1), self.expr(depth - 1)),
            5 => {
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!=", "&&", "||"]);
                format!("({} {op} {})", self.expr(depth - 1), self.expr(depth - 1))
            }
            6 => {
                let op = *self.random.pick(&["<<", ">>"]);
                let amount = self.random.below(32);
                format!("({} {op} {amount})", self.expr(depth - 1))
            }
            _ => {
                let op = *self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]);
                format!("({} {op} {})", self.expr(depth - 1), self.expr(depth - 1))
            }
        }
    }
}

const EXPR_HEAD: &str = "enum e { EA, EB = -3, EC = 7 };
_Bool vb; char vc; signed char vsc; unsigned char vuc; short vs; unsigned short vus; int vi; unsigned vu; long vl;
unsigned long vul; long long vll; unsigned long long vull; enum e ve; float vf; double vd; long double vld;
struct { unsigned b3 : 3; signed s5 : 5; unsigned u31 : 31; unsigned u32 : 32; int i32 : 32; _Bool bb : 1; unsigned long long ll3 : 3; } r;
";

#[test]
fn random_expressions_have_the_types_and_values_of_the_compiler() {
    let rounds: u64 = std::env::var("UFORIA_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let (mut values, mut types) = (0, 0);
    for model in models() {
        for seed in 0..rounds {
            let mut writer = ExprWriter { random: Random::new(seed), with_variables: false };
            let mut exprs = Vec::new();
            for number in 0..400 {
                writer.with_variables = number % 2 == 1;
                let depth = 1 + writer.random.below(4) as u32;
                let expr = writer.expr(depth);
                // The type of a lone bit-field has no name in gcc.
                exprs.push(if expr.starts_with("r.") { format!("(+{expr})") } else { expr });
            }
            let mut text = EXPR_HEAD.to_owned();
            text.push_str("void f(void) {\n");
            for (number, expr) in exprs.iter().enumerate() {
                let _ = writeln!(text, "__typeof__({expr}) t{number} = {expr};");
            }
            text.push_str("}\n");
            let source = Source::new("random.c", &text);
            let (ast, _) = cfront::parse::parse(&source);
            let (unit, diagnostics) = cfront::sema::analyse(std::slice::from_ref(&ast), &source, model);
            // `%` and `~` on floats are mistakes; such texts are only fit for diagnostics.
            let broken: Vec<u32> =
                diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.line).collect();
            let mut asserts = EXPR_HEAD.to_owned();
            let first_line = 1 + EXPR_HEAD.lines().count() as u32 + 1;
            for (number, expr) in exprs.iter().enumerate() {
                if broken.contains(&(first_line + number as u32)) {
                    assert!(number % 2 == 1, "{expr} is a mistake, we say: {diagnostics:?}");
                    continue;
                }
                let variable = unit.vars.iter().find(|v| v.name == format!("t{number}")).expect("it was declared");
                let ty = unit.types.display(variable.ty);
                let _ =
                    writeln!(asserts, "_Static_assert(_Generic(({expr}), {ty}: 1, default: 0), \"{number}: {ty}\");");
                types += 1;
                if let Some(value) = constant_value(&unit, &format!("t{number}")) {
                    let bits = value as u64;
                    if number % 2 == 0 {
                        let _ =
                            writeln!(asserts, "_Static_assert(({expr}) == ({ty}){bits:#x}ull, \"{number}: {value}\");");
                        values += 1;
                    }
                }
            }
            if let Err(complaint) = compile(&format!("expr{seed}"), &asserts, model) {
                panic!("{model:?}, seed {seed}: cc says\n{complaint}");
            }
        }
    }
    assert!(
        values > 50 * rounds && types > 300 * rounds,
        "too few of them were defined: {values} values, {types} types"
    );
}

/// The initial value of a local variable, if we folded it.
fn constant_value(unit: &Unit, name: &str) -> Option<i128> {
    use cfront::hir::StmtKind;
    let body = unit.functions.iter().find_map(|function| function.body.as_ref())?;
    for statement in body {
        if let StmtKind::Declare(var, Some(init)) = &statement.kind
            && unit.vars[*var].name == name
        {
            let value = &init.pieces.first()?.value;
            return match value.kind {
                ExprKind::Integer(number) if matches!(unit.types.kind(value.ty), TypeKind::Int(_)) => Some(number),
                _ => None,
            };
        }
    }
    None
}
