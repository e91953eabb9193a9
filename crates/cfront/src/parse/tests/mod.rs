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
