//! The answer as one page for a browser: source with notes, steps, values, calls, engines, evidence.
//!
//! The page has everything in it and asks for nothing: styles and script are inline and named by their hashes in a strict content-security policy, so nothing
//! else can run, whatever the program under test contains. All that is text is written here and reads without a script. The script moves one
//! cursor, the number of a step, through all panes; its data is the answer itself as JSON, in which `<` is escaped so that no text ends the block.
//!
//! A text of the program, of a file name or of an engine reaches the page through `text` or `attribute` only.

mod panes;
mod source;
mod stops;

use std::fmt::Write;

use base::shown::is_unsafe_to_show;

use crate::answer::{Answer, VerdictName};
use crate::{json, sha256};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// A file that the page offers to save.
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// The page. `source` gives the text of a file of the program, if it can be read.
pub fn page(answer: &Answer, source: &mut dyn FnMut(&str) -> Option<String>, attachments: &[Attachment]) -> String {
    let stops = stops::stops(answer);
    let (listing, rows) = source::listing(answer, &stops, source);
    let mut body = String::new();
    body.push_str("<a class=\"skip\" href=\"#source\">Skip to the source</a>\n");
    body.push_str(&panes::head(answer));
    body.push_str("<main>\n<section class=\"source\" id=\"source\" aria-labelledby=\"source-title\">\n");
    body.push_str(&listing);
    body.push_str("</section>\n");
    body.push_str(&panes::side(answer, &stops, &rows));
    body.push_str("</main>\n");
    body.push_str(&panes::below(answer, attachments));
    // No text of the answer ends the block.
    let data = json::line(answer).replace('<', "\\u003c");
    let _ = writeln!(body, "<script type=\"application/json\" id=\"answer\">{data}</script>");
    let title = format!("{}: {}", answer.verdict, answer.file);
    document(&title, &body, Some(SCRIPT))
}

/// A page that lists the pages of several answers: what was checked, the verdict, the page of it.
pub fn index(version: &str, rows: &[(String, &Answer, String)]) -> String {
    let mut body = String::from("<header class=\"head\">\n<h1>");
    let of = |verdict| rows.iter().filter(|(_, answer, _)| answer.verdict == verdict).count();
    let (safe, found, unknown) = (of(VerdictName::Safe), of(VerdictName::Unsafe), of(VerdictName::Unknown));
    let _ = writeln!(body, "{} tasks</h1>", rows.len());
    let _ = writeln!(
        body,
        "<p><span class=\"verdict SAFE\">{safe} SAFE</span><span class=\"verdict UNSAFE\">{found} UNSAFE</span>\
         <span class=\"verdict UNKNOWN\">{unknown} UNKNOWN</span></p>\n<p class=\"dim\">uforia {}</p>\n</header>",
        text(version)
    );
    body.push_str(
        "<main class=\"below\"><section class=\"wide scroll\" tabindex=\"0\" aria-label=\"tasks\"><table>\n<thead><tr><th scope=\"col\">verdict</th>\
         <th scope=\"col\">task</th><th scope=\"col\">seconds</th><th scope=\"col\">engine</th>\
         <th scope=\"col\">assertions</th><th scope=\"col\">reason</th></tr></thead>\n<tbody>\n",
    );
    for (task, answer, link) in rows {
        let _ = writeln!(
            body,
            "<tr><td><span class=\"verdict {0}\">{0}</span></td><th scope=\"row\"><a href=\"{1}\">{2}</a></th><td>{3:.2}</td><td>{4}</td><td>{5}</td><td>{6}</td></tr>",
            answer.verdict,
            attribute(link),
            text(task),
            answer.seconds,
            text(answer.engine.as_deref().unwrap_or("-")),
            answer.assertions.len(),
            text(&answer.reason)
        );
    }
    body.push_str("</tbody></table></section></main>\n");
    document(&format!("{} tasks", rows.len()), &body, None)
}

/// A whole document with this body.
fn document(title: &str, body: &str, script: Option<&str>) -> String {
    let hash = |text: &str| format!("'sha256-{}'", base64(&sha256::digest(text.as_bytes())));
    let scripts = script.map_or("'none'".to_owned(), hash);
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {scripts}; base-uri 'none'; form-action 'none'",
        hash(STYLE)
    );
    let script = script.map_or(String::new(), |script| format!("<script>{script}</script>\n"));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}{script}</body>\n</html>\n",
        text(title)
    )
}

/// The text between tags. Characters that change how others are shown have their number instead.
fn text(raw: &str) -> String {
    escaped(raw, |out, c| {
        let _ = write!(out, "<span class=\"ctl\">U+{:04X}</span>", u32::from(c));
    })
}

/// The text of an attribute in double quotes.
fn attribute(raw: &str) -> String {
    escaped(raw, |out, c| {
        let _ = write!(out, "U+{:04X}", u32::from(c));
    })
}

fn escaped(raw: &str, unsafe_to_show: impl Fn(&mut String, char)) -> String {
    let mut out = String::with_capacity(raw.len() + raw.len() / 8);
    for c in raw.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if is_unsafe_to_show(c) => unsafe_to_show(&mut out, c),
            c => out.push(c),
        }
    }
    out
}

/// Base 64 with padding [RFC 4648].
fn base64(bytes: &[u8]) -> String {
    // format: the alphabet.
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let is_there = digit <= chunk.len();
            let index = (word >> (18 - 6 * digit)) as usize & 63;
            out.push(if is_there { char::from(DIGITS[index]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests;
