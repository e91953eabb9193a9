//! The source with line numbers, marks of what was executed, and notes in the lines that they are about.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::stops::Stop;
use super::{attribute, text};
use crate::answer::{Answer, Assertion, Status, VerdictName};
use crate::tuning::Tuning;

/// The row of each stop, if its line is shown.
pub type Rows = Vec<Option<String>>;

/// What there is to say about the lines of a file.
#[derive(Default)]
struct Lines<'a> {
    /// By line: the numbers of the stops, from zero.
    stops: BTreeMap<u32, Vec<usize>>,
    assertions: BTreeMap<u32, Vec<&'a Assertion>>,
    precise: BTreeSet<u32>,
    passed: Vec<(u32, u32)>,
    not_passed: Vec<(u32, u32)>,
}

impl Lines<'_> {
    fn of_interest(&self) -> BTreeSet<u32> {
        // Assertions of a proof about every operation would be all lines.
        let is_few = self.assertions.len() <= Tuning::DEFAULT.max_page_assertion_lines;
        let assertions = self.assertions.keys().filter(|_| is_few || self.stops.is_empty());
        self.stops.keys().chain(assertions).chain(&self.precise).copied().collect()
    }
}

/// The listings of all files, and the row of each stop.
pub fn listing(answer: &Answer, stops: &[Stop], source: &mut dyn FnMut(&str) -> Option<String>) -> (String, Rows) {
    let mut out = String::from("<h2 id=\"source-title\">Source</h2>\n");
    let _ = writeln!(
        out,
        "<div class=\"controls\"><button type=\"button\" id=\"only\" hidden aria-pressed=\"false\" data-on=\"{}\">Only lines that matter</button></div>",
        answer.verdict == VerdictName::Unsafe
    );
    out.push_str(&legend(answer));
    let mut rows: Rows = vec![None; stops.len()];
    let mut left = Tuning::DEFAULT.max_page_lines;
    let mut n_files = 0;
    for (path, lines) in &by_file(answer, stops) {
        let Some(whole) = source(path) else { continue };
        let number = n_files;
        n_files += 1;
        let _ = writeln!(out, "<h3>{}</h3>", text(path));
        let listing = Listing { answer, stops, number, lines, of_interest: lines.of_interest() };
        listing.write(&whole, &mut left, &mut out, &mut rows);
    }
    if n_files == 0 {
        out.push_str("<p class=\"dim\">The source cannot be read again.</p>\n");
    }
    (out, rows)
}

/// The files with what there is to say about them: those that were checked first.
fn by_file<'a>(answer: &'a Answer, stops: &'a [Stop]) -> Vec<(&'a str, Lines<'a>)> {
    let mut files: Vec<(&str, Lines<'_>)> =
        answer.inputs.iter().map(|input| (input.path.as_str(), Lines::default())).collect();
    let at = |files: &mut Vec<(&'a str, Lines<'a>)>, path: &'a str| {
        files.iter().position(|(known, _)| *known == path).unwrap_or_else(|| {
            files.push((path, Lines::default()));
            files.len() - 1
        })
    };
    for (index, stop) in stops.iter().enumerate() {
        if let Some((path, line)) = stop.at.parts() {
            let file = at(&mut files, path);
            files[file].1.stops.entry(line).or_default().push(index);
        }
    }
    for assertion in &answer.assertions {
        if let Some((path, line)) = assertion.at.parts() {
            let file = at(&mut files, path);
            files[file].1.assertions.entry(line).or_default().push(assertion);
        }
    }
    for place in &answer.precise {
        if let Some((path, line)) = place.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse().ok()?))) {
            let file = at(&mut files, path);
            files[file].1.precise.insert(line);
        }
    }
    for covered in answer.coverage.iter().flat_map(|coverage| &coverage.files) {
        // Other files, such as headers, are of no interest by themselves.
        if let Some((_, lines)) = files.iter_mut().find(|(known, _)| *known == covered.path) {
            (lines.passed, lines.not_passed) = (covered.passed.clone(), covered.not_passed.clone());
        }
    }
    files
}

fn legend(answer: &Answer) -> String {
    let mut out = String::from("<p class=\"dim\">");
    if answer.counterexample.is_some() {
        out.push_str("<span class=\"g E\">E</span> executed in this run, as a step that matters &nbsp; ");
    }
    if let Some(coverage) = &answer.coverage {
        let _ = write!(
            out,
            "<span class=\"g S\">S</span> seen in {} concrete run{} &nbsp; <span class=\"g N\">&nbsp;</span> not seen in them",
            coverage.runs,
            if coverage.runs == 1 { "" } else { "s" }
        );
    }
    if answer.assertions.iter().any(|one| one.never_reached) {
        out.push_str(" &nbsp; <span class=\"g U\">U</span> proved unreachable");
    }
    if !answer.precise.is_empty() {
        out.push_str(" &nbsp; dotted underline: read bit by bit; for all other lines any operator would do");
    }
    out.push_str("</p>\n");
    out
}

struct Listing<'a> {
    answer: &'a Answer,
    stops: &'a [Stop],
    number: usize,
    lines: &'a Lines<'a>,
    of_interest: BTreeSet<u32>,
}

impl Listing<'_> {
    /// Writes the lines: all of them, or those around lines of interest if there are too many.
    fn write(&self, whole: &str, left: &mut usize, out: &mut String, rows: &mut Rows) {
        let n_lines = whole.lines().count();
        let is_whole = n_lines <= *left;
        let around = Tuning::DEFAULT.page_context_lines;
        let near = |line: u32, distance: u32| {
            self.of_interest.range(line.saturating_sub(distance)..=line.saturating_add(distance)).next().is_some()
        };
        let (mut skipped, mut written) = (0usize, 0usize);
        let mut open = false;
        for (index, code) in whole.lines().enumerate() {
            let line = index as u32 + 1;
            // A file without places shows its beginning.
            let is_near = near(line, around) || (self.of_interest.is_empty() && line <= 4 * around);
            if (!is_whole && !is_near) || *left == 0 {
                skipped += 1;
                continue;
            }
            if written % Tuning::DEFAULT.page_chunk_lines == 0 || skipped > 0 {
                close(&mut open, out);
                gap(skipped, out);
                skipped = 0;
                out.push_str("<div class=\"chunk\"><ol class=\"code\">\n");
                open = true;
            }
            let is_far = !near(line, 3) && !self.of_interest.is_empty();
            self.line(line, code, is_far, out, rows);
            written += 1;
            *left -= 1;
        }
        close(&mut open, out);
        gap(skipped, out);
    }

    fn line(&self, line: u32, code: &str, is_far: bool, out: &mut String, rows: &mut Rows) {
        let id = format!("f{}-{line}", self.number);
        let stops = self.lines.stops.get(&line).map_or(&[][..], Vec::as_slice);
        let assertions = self.lines.assertions.get(&line).map_or(&[][..], Vec::as_slice);
        for &stop in stops {
            rows[stop] = Some(id.clone());
        }
        let precise = if self.lines.precise.contains(&line) { " precise" } else { "" };
        let far = if is_far { " far" } else { "" };
        let (mark, class, title) = self.mark(line, !stops.is_empty(), assertions);
        let title = if title.is_empty() { String::new() } else { format!(" title=\"{title}\"") };
        let most = Tuning::DEFAULT.max_page_columns;
        let cut: String = code.chars().take(most).collect();
        let more = if cut.len() < code.len() { " <span class=\"dim\">…</span>" } else { "" };
        let _ = write!(
            out,
            "<li class=\"line{precise}{far}\" id=\"{id}\"><span class=\"n\">{line}</span><span class=\"g {class}\"{title}>{mark}</span><code>{}{more}</code>",
            text(&cut)
        );
        if !stops.is_empty() || !assertions.is_empty() {
            out.push_str("<ul class=\"notes\">");
            self.stop_notes(stops, out);
            self.assertion_notes(assertions, out);
            out.push_str("</ul>");
        }
        out.push_str("</li>\n");
    }

    /// The mark in the margin: a letter, its class, and what it means.
    fn mark(&self, line: u32, has_stop: bool, assertions: &[&Assertion]) -> (&'static str, &'static str, &'static str) {
        let is_in = |ranges: &[(u32, u32)]| ranges.iter().any(|&(from, to)| (from..=to).contains(&line));
        if has_stop && self.answer.counterexample.is_some() {
            ("E", "E", "executed in this run")
        } else if !assertions.is_empty() && assertions.iter().all(|one| one.never_reached) {
            ("U", "U", "proved unreachable")
        } else if is_in(&self.lines.passed) {
            ("S", "S", "seen in a concrete run")
        } else if is_in(&self.lines.not_passed) {
            (" ", "N", "not seen in a concrete run")
        } else {
            (" ", "", "")
        }
    }

    fn stop_notes(&self, stops: &[usize], out: &mut String) {
        let most = Tuning::DEFAULT.max_page_notes;
        let is_shown = |at: usize| stops.len() <= most || at < most / 2 || at >= stops.len() - most / 2;
        for (at, &index) in stops.iter().enumerate() {
            if is_shown(at) {
                let stop = &self.stops[index];
                let number = index + 1;
                let _ = write!(
                    out,
                    "<li><a class=\"note {}\" href=\"#step-{number}\" data-step=\"{number}\"><b>{number}</b>{}</a></li>",
                    stop.class,
                    text(&shortened(&stop.text))
                );
            } else if at == most / 2 {
                let _ = write!(out, "<li class=\"dim\">… {} more …</li>", stops.len() - 2 * (most / 2));
            }
        }
    }

    fn assertion_notes(&self, assertions: &[&Assertion], out: &mut String) {
        let most = Tuning::DEFAULT.max_page_notes;
        for one in assertions.iter().take(most) {
            let (class, mut said) = match one.status {
                Status::Proved => ("proved", "proved".to_owned()),
                Status::Fails => ("fails", "fails".to_owned()),
                Status::Unknown => ("unknown", "not decided".to_owned()),
            };
            if one.never_reached {
                said.push_str(", never reached");
            } else if one.seen_in_a_run && one.status != Status::Fails {
                said.push_str(", passed in a concrete run");
            }
            let _ = write!(
                out,
                "<li><span class=\"note {class}\" title=\"{}\">assertion {}: {said}</span></li>",
                attribute(&one.text),
                one.id
            );
        }
        if assertions.len() > most {
            let _ = write!(out, "<li class=\"dim\">… {} more assertions</li>", assertions.len() - most);
        }
    }
}

fn close(open: &mut bool, out: &mut String) {
    if std::mem::take(open) {
        out.push_str("</ol></div>\n");
    }
}

fn gap(skipped: usize, out: &mut String) {
    if skipped > 0 {
        let plural = if skipped == 1 { "" } else { "s" };
        let _ = writeln!(out, "<p class=\"gap\">… {skipped} line{plural} not shown …</p>");
    }
}

/// A note that is not too long for its line; the list of steps has all of it.
fn shortened(note: &str) -> String {
    let most = Tuning::DEFAULT.max_page_note_chars;
    if note.chars().count() <= most {
        return note.to_owned();
    }
    note.chars().take(most).chain(['…']).collect()
}
