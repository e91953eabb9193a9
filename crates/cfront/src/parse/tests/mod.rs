//! Text in, compact tree out; what is wrong in, messages out; hostile text in, one message out.

mod declarations;
mod expressions;
mod hostile;
mod recovery;
mod statements;

use crate::dump::dump;
use crate::parse::parse;
use crate::source::Source;

/// Parses text that is right; the tree in compact form.
#[track_caller]
fn tree(text: &str) -> String {
    let (ast, diagnostics) = parse(&Source::new("t.c", text));
    assert!(diagnostics.is_empty(), "unexpected: {diagnostics:#?}");
    dump(&ast).trim_end().to_owned()
}

/// The messages about text that is wrong, one per line, as `line:column: message (help)`.
fn messages(text: &str) -> String {
    let (_, diagnostics) = parse(&Source::new("t.c", text));
    let lines = diagnostics.iter().map(|d| {
        let help = if d.help.is_empty() { String::new() } else { format!(" ({})", d.help) };
        format!("{}:{}: {}{help}", d.line, d.column, d.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A little of everything.
const SAMPLE: &str = "typedef struct s { int a : 3; enum { A, B = 1 } e; } T;\n#pragma pack(1)\n\
        static int f(T *p, int (*g)(int, ...)) __attribute__((aligned(8)));\n\
        int f(p, g) T *p; int (*g)(int, ...); { int x[] = { [1 ... 2] = 3, .b = \"\\x41\" 'c' };\n\
        for (int i = 0; i < sizeof(T); i++) switch (i) { case 1 ... 2: l: default: goto *&&l; }\n\
        asm goto (\"a\" : \"=r\"(x) : : \"b\" : l); do ; while (({ int y = (T){1}.a; y; }) ?: 0x1.8p3f);\n\
        return _Generic(x, int: 1, default: __builtin_offsetof(T, a.b[1])) ? u8\"é\" : L'\\u00e9'; }\n";
