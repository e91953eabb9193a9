//! The panes around the source: the head, the cursor with its lists, engines, evidence, files.

use std::fmt::Write;

use super::source::Rows;
use super::stops::{self, Stop};
use super::{Attachment, attribute, base64, text};
use crate::answer::{Answer, Arm, VerdictName};
use crate::tuning::Tuning;
use crate::worth;

/// What was found, about what, and how far it goes.
pub fn head(answer: &Answer) -> String {
    let line = answer.line();
    let rest = line.strip_prefix(&answer.verdict.to_string()).unwrap_or(&line);
    let mut out = format!(
        "<header class=\"head\">\n<h1><span class=\"verdict {0}\">{0}</span>{1}</h1>\n",
        answer.verdict,
        text(rest.trim_start_matches([':', ',', ' ']))
    );
    if let Some(method) = &answer.method {
        let _ = writeln!(out, "<p>{}</p>", text(method));
    }
    if answer.verdict == VerdictName::Safe && !answer.assertions.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", text(worth(answer).trim_end()));
    }
    if let Some(hint) = &answer.hint {
        let _ = writeln!(out, "<p>hint: {}</p>", text(hint));
    }
    out.push_str("<dl>\n");
    let mut entry = |name: &str, value: String| {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{value}</dd>");
    };
    let property = match &answer.subproperty {
        Some(violated) => format!("{} (violated: {})", text(&answer.property), text(violated)),
        None => text(&answer.property),
    };
    entry("property", format!("{property}, data model {}", text(&answer.data_model)));
    if let Some(start) = &answer.entry {
        entry("entry", format!("<span class=\"mono\">{}</span>", text(start)));
    }
    let file = |input: &crate::answer::Input| {
        let hash = input.sha256.as_deref().unwrap_or("not known");
        format!("{} <span class=\"hash mono\">SHA-256 {}</span>", text(&input.path), text(hash))
    };
    entry("files", answer.inputs.iter().map(file).collect::<Vec<_>>().join("<br>"));
    let cpu = answer.cpu_seconds.map_or(String::new(), |cpu| format!(", {cpu:.2} s of processor time"));
    let memory = answer.memory.map_or(String::new(), |bytes| format!(", {} MiB", bytes >> 20));
    let engine = answer.engine.as_deref().map_or("none".to_owned(), text);
    entry("engine", format!("{engine}; {:.2} s{cpu}{memory}; uforia {}", answer.seconds, text(&answer.version)));
    if let Some(certificate) = &answer.certificate {
        entry("checked by certify", text(&checked(certificate)));
    }
    let assumed = answer.assumptions.iter().take(Tuning::DEFAULT.max_page_rows).map(|one| {
        let place = one.at.place.as_deref().map_or(String::new(), |place| format!(" ({place})"));
        text(&format!("{}{place}", one.text))
    });
    let assumed: Vec<String> = assumed.collect();
    if !assumed.is_empty() {
        entry("assumed", assumed.join("<br>"));
    }
    if !answer.settings.is_empty() {
        entry("options", format!("<span class=\"mono\">{}</span>", text(&answer.settings.join(" "))));
    }
    out.push_str("</dl>\n</header>\n");
    out
}

fn checked(certificate: &crate::answer::Certificate) -> String {
    let seconds = certificate.seconds.map_or(String::new(), |seconds| format!(", {seconds:.2} s"));
    match certificate.steps {
        Some(steps) => format!("the run was executed, {steps} steps{seconds}"),
        None => {
            let n = certificate.obligations;
            let rungs: Vec<String> =
                certificate.by_rung.iter().map(|one| format!("{} {}", one.count, one.rung)).collect();
            let by = if rungs.is_empty() { String::new() } else { format!(" ({})", rungs.join(", ")) };
            format!("{n} obligation{}{by}{seconds}", if n == 1 { "" } else { "s" })
        }
    }
}

/// The cursor: the list of stops, the values and the calls there.
pub fn side(answer: &Answer, stops: &[Stop], rows: &Rows) -> String {
    let kind = stops::kind(answer);
    let title = match kind {
        "step" => "Steps",
        "loop" => "Invariants",
        _ => "Remarks",
    };
    let mut out = String::from("<aside aria-label=\"position in the run or in the proof\">\n");
    let _ = writeln!(out, "<section aria-labelledby=\"kind\"><h2 id=\"kind\" data-kind=\"{kind}\">{title}</h2>");
    out.push_str(
        "<div class=\"controls\" id=\"controls\" hidden><button type=\"button\" id=\"first\">First</button>\
         <button type=\"button\" id=\"back\">Back</button><button type=\"button\" id=\"next\">Next</button>\
         <button type=\"button\" id=\"last\">Last</button></div>\n<p id=\"position\" class=\"dim\" aria-live=\"polite\"></p>\n",
    );
    if stops.is_empty() {
        out.push_str("<p class=\"dim\">There are none.</p>\n");
    } else {
        out.push_str("<ol class=\"steps\">\n");
        for (index, (stop, row)) in stops.iter().zip(rows).enumerate() {
            step(answer, index + 1, stop, row.as_deref(), &mut out);
        }
        out.push_str("</ol>\n");
    }
    if let Some(run) = answer.counterexample.as_ref().filter(|run| run.steps_left_out > 0) {
        let _ = writeln!(out, "<p class=\"dim\">{} steps in the middle are left out.</p>", run.steps_left_out);
    }
    out.push_str("</section>\n");
    if let Some(run) = &answer.counterexample {
        out.push_str(
            "<section aria-labelledby=\"values-title\"><h2 id=\"values-title\">Values</h2><table><thead><tr><th scope=\"col\">name</th>\
             <th scope=\"col\">before</th><th scope=\"col\">now</th><th scope=\"col\"><span class=\"dim\">run</span></th></tr></thead>\n<tbody id=\"values\">",
        );
        // Without the script: the values at the end.
        for change in crate::net(run.steps.iter().flat_map(|step| step.changes.iter().cloned())) {
            let _ = write!(
                out,
                "<tr><th scope=\"row\" class=\"mono\">{}</th><td class=\"mono\"></td><td class=\"mono\">{}</td><td></td></tr>",
                text(&change.name),
                text(&change.after)
            );
        }
        out.push_str("</tbody></table></section>\n<section aria-labelledby=\"calls-title\"><h2 id=\"calls-title\">Calls</h2><ol id=\"calls\" class=\"mono\">");
        let last = run.steps.last().and_then(|step| step.function.as_deref());
        let _ = writeln!(out, "<li>{}</li></ol></section>", text(last.unwrap_or("no call is open")));
    }
    out.push_str("</aside>\n");
    out
}

fn step(answer: &Answer, number: usize, stop: &Stop, row: Option<&str>, out: &mut String) {
    let place = stop.at.place.as_deref().unwrap_or("");
    let shown = match stop.at.parts() {
        Some((file, line)) if file == answer.file => format!("line {line}"),
        _ => place.to_owned(),
    };
    let href = row.map_or(format!("#step-{number}"), |row| format!("#{row}"));
    let row = row.map_or(String::new(), |row| format!(" data-row=\"{row}\""));
    let _ = writeln!(
        out,
        "<li id=\"step-{number}\" class=\"d{}\"><a href=\"{href}\" data-step=\"{number}\"{row} data-at=\"{}\"><span class=\"number\">{number}</span>\
         <span class=\"what\"><span class=\"text\">{}</span> <span class=\"where\">{}</span></span></a></li>",
        stop.depth.min(6),
        attribute(place),
        text(&stop.text),
        text(&shown)
    );
}

/// Replay, engines, facts, evidence, files.
pub fn below(answer: &Answer, attachments: &[Attachment]) -> String {
    let mut out = String::from("<div class=\"below\">\n");
    replay(answer, attachments, &mut out);
    invariants(answer, &mut out);
    engines(answer, &mut out);
    facts(answer, &mut out);
    evidence(answer, &mut out);
    remarks(answer, &mut out);
    out.push_str("<section class=\"save\" aria-labelledby=\"save-title\"><h2 id=\"save-title\">Save</h2><div class=\"controls\">");
    out.push_str("<button type=\"button\" id=\"save-json\" hidden>Answer (JSON)</button>");
    for one in attachments.iter().filter(|one| one.text.len() <= Tuning::DEFAULT.max_page_attachment_bytes) {
        let _ = write!(
            out,
            "<a class=\"attachment\" download=\"{0}\" href=\"data:application/octet-stream;base64,{1}\">{2}</a>",
            attribute(&one.name),
            base64(one.text.as_bytes()),
            text(&one.name)
        );
    }
    out.push_str("</div></section>\n</div>\n");
    out
}

fn section(id: &str, title: &str, is_wide: bool, out: &mut String) {
    let class = if is_wide { " class=\"wide\"" } else { "" };
    let _ = writeln!(out, "<section{class} aria-labelledby=\"{id}-title\"><h2 id=\"{id}-title\">{title}</h2>");
}

fn replay(answer: &Answer, attachments: &[Attachment], out: &mut String) {
    let Some(run) = &answer.counterexample else { return };
    if !run.replay.is_empty() {
        section("replay", "Replay", true, out);
        let has_harness = attachments.iter().any(|one| one.name == "harness.c");
        let note = if has_harness {
            " The harness can also be saved below; its exit code 99 says that the error was reached."
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "<p>These commands repeat the run.{note}</p>\n<div><pre>{}</pre><button type=\"button\" class=\"copy\" hidden>Copy</button></div>\n</section>",
            text(&run.replay.join("\n"))
        );
    }
    if !run.inputs.is_empty() {
        section("inputs", "Inputs", false, out);
        out.push_str("<table><thead><tr><th scope=\"col\">value</th><th scope=\"col\">source</th><th scope=\"col\">place</th></tr></thead><tbody>\n");
        for one in run.inputs.iter().take(Tuning::DEFAULT.max_page_rows) {
            let _ = writeln!(
                out,
                "<tr><td class=\"mono\">{}</td><td>{}</td><td>{}</td></tr>",
                text(&one.value),
                text(&one.source),
                text(one.place.as_deref().unwrap_or(""))
            );
        }
        out.push_str("</tbody></table>\n");
        more(run.inputs.len(), "inputs", out);
        out.push_str("</section>\n");
    }
}

/// The formulas that C cannot express; the others stand in the source.
fn invariants(answer: &Answer, out: &mut String) {
    let formulas: Vec<_> = answer.invariants.iter().filter_map(|one| Some((one, one.smtlib.as_ref()?))).collect();
    if formulas.is_empty() {
        return;
    }
    section("formulas", "Invariants that C cannot express", false, out);
    for (one, formula) in formulas.iter().take(Tuning::DEFAULT.max_page_rows) {
        let place = one.at.place.as_deref().unwrap_or("no place");
        let _ = writeln!(
            out,
            "<details><summary>{} ({})</summary><pre>{}</pre></details>",
            text(place),
            text(&one.function),
            text(formula)
        );
    }
    out.push_str("</section>\n");
}

fn engines(answer: &Answer, out: &mut String) {
    let Some(portfolio) = answer.portfolio.as_ref().filter(|portfolio| !portfolio.arms.is_empty()) else { return };
    section("engines", "Engines", true, out);
    if let Some(plan) = &portfolio.plan {
        let _ = writeln!(out, "<p>Chosen for {}.</p>", text(plan));
    }
    timeline(&portfolio.arms, out);
    out.push_str("<table><thead><tr><th scope=\"col\">engine</th><th scope=\"col\">seconds</th><th scope=\"col\">ended</th><th scope=\"col\">phases</th></tr></thead><tbody>\n");
    for arm in &portfolio.arms {
        let phases: Vec<String> = arm.phases.iter().map(|one| format!("{} {:.2} s", one.phase, one.seconds)).collect();
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{:.2}</td><td>{}</td><td>{}</td></tr>",
            text(&arm.engine),
            arm.seconds,
            text(&arm.ended),
            text(&phases.join(", "))
        );
    }
    out.push_str("</tbody></table>\n</section>\n");
}

/// When each engine was in which phase: a row for each, a colour for each phase.
fn timeline(arms: &[Arm], out: &mut String) {
    let end = arms.iter().flat_map(|arm| &arm.spans).map(|span| span.to).fold(0.0, f64::max);
    if end <= 0.0 {
        return;
    }
    let mut phases: Vec<&str> = Vec::new();
    for span in arms.iter().flat_map(|arm| &arm.spans) {
        if !phases.contains(&span.phase.as_str()) {
            phases.push(&span.phase);
        }
    }
    let colour = |phase: &str| phases.iter().position(|known| *known == phase).unwrap_or(0) % 8;
    let rows: Vec<&Arm> = arms.iter().filter(|arm| !arm.spans.is_empty()).collect();
    let height = rows.len() * 18 + 24;
    let _ = writeln!(
        out,
        "<svg class=\"time\" viewBox=\"0 0 800 {height}\" role=\"img\" aria-label=\"when each engine was in which phase; the table below has the sums\">"
    );
    for (row, arm) in rows.iter().enumerate() {
        let y = row * 18;
        let _ = writeln!(out, "<text x=\"0\" y=\"{}\">{}</text>", y + 12, text(&arm.engine));
        for span in &arm.spans {
            let x = 90.0 + 600.0 * span.from / end;
            let width = (600.0 * (span.to - span.from) / end).max(0.5);
            let _ = writeln!(
                out,
                "<rect class=\"p{}\" x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"12\"><title>{}: {:.3} s to {:.3} s</title></rect>",
                colour(&span.phase),
                y + 3,
                text(&span.phase),
                span.from,
                span.to
            );
        }
        let ended: String = arm.ended.chars().take(16).collect();
        let _ = writeln!(out, "<text x=\"696\" y=\"{}\">{}</text>", y + 12, text(&ended));
    }
    let y = rows.len() * 18 + 4;
    let _ = writeln!(
        out,
        "<line class=\"axis\" x1=\"90\" x2=\"690\" y1=\"{y}\" y2=\"{y}\"/><text x=\"90\" y=\"{0}\">0 s</text><text x=\"660\" y=\"{0}\">{end:.2} s</text>",
        y + 14
    );
    out.push_str("</svg>\n<ul class=\"legend\" aria-label=\"colours of the phases\">");
    for phase in &phases {
        let _ = write!(
            out,
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"p{}\" width=\"10\" height=\"10\"/></svg>{}</li>",
            colour(phase),
            text(phase)
        );
    }
    out.push_str("</ul>\n");
}

fn facts(answer: &Answer, out: &mut String) {
    let arms = answer.portfolio.iter().flat_map(|portfolio| &portfolio.arms);
    let rows: Vec<_> = arms.flat_map(|arm| arm.facts.iter().map(move |facts| (arm, facts))).collect();
    if rows.is_empty() {
        return;
    }
    section("facts", "Facts that engines took over", false, out);
    out.push_str("<table><thead><tr><th scope=\"col\">engine</th><th scope=\"col\">from</th><th scope=\"col\">facts</th></tr></thead><tbody>\n");
    for (arm, facts) in rows {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            text(&arm.engine),
            text(&facts.source),
            facts.count
        );
    }
    out.push_str("</tbody></table>\n</section>\n");
}

fn evidence(answer: &Answer, out: &mut String) {
    if let Some(certificate) = answer.certificate.as_ref().filter(|one| !one.by_rung.is_empty()) {
        section("certificate", "Obligations that were proved again", false, out);
        out.push_str("<table><caption>A rung says which operators had to be read bit by bit, the cheapest first.</caption><thead><tr><th scope=\"col\">rung</th><th scope=\"col\">obligations</th></tr></thead><tbody>\n");
        for rung in &certificate.by_rung {
            let _ = writeln!(out, "<tr><td>{}</td><td>{}</td></tr>", text(&rung.rung), rung.count);
        }
        out.push_str("</tbody></table>\n</section>\n");
    }
    if !answer.rests_on.is_empty() {
        section("basis", "What the answer rests on", false, out);
        out.push_str("<dl>\n");
        for one in answer.rests_on.iter().take(Tuning::DEFAULT.max_page_rows) {
            let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", text(&one.kind), text(&one.text));
        }
        out.push_str("</dl>\n");
        more(answer.rests_on.len(), "entries", out);
        out.push_str("</section>\n");
    }
}

/// Reasons and diagnostics, where the cursor is about something else.
fn remarks(answer: &Answer, out: &mut String) {
    let most = Tuning::DEFAULT.max_page_rows;
    let is_listed = answer.verdict == VerdictName::Unknown;
    if !answer.reasons.is_empty() && !is_listed {
        section("reasons", "Why engines have no answer", false, out);
        out.push_str("<ul>\n");
        for one in answer.reasons.iter().take(most) {
            let engine = one.engine.as_deref().map_or(String::new(), |engine| format!("{engine}: "));
            let _ = writeln!(out, "<li>{}</li>", text(&format!("{engine}{} ({})", one.text, one.code)));
        }
        out.push_str("</ul>\n</section>\n");
    }
    if !answer.diagnostics.is_empty() && !is_listed {
        section("diagnostics", "Diagnostics", false, out);
        out.push_str("<ul>\n");
        for one in answer.diagnostics.iter().take(most) {
            let _ = writeln!(out, "<li>{}</li>", text(&format!("{}:{}: {}", one.file, one.line, one.message)));
        }
        out.push_str("</ul>\n");
        more(answer.diagnostics.len(), "diagnostics", out);
        out.push_str("</section>\n");
    }
}

fn more(n: usize, what: &str, out: &mut String) {
    let most = Tuning::DEFAULT.max_page_rows;
    if n > most {
        let _ = writeln!(out, "<p class=\"dim\">{} more {what} stand in the JSON.</p>", n - most);
    }
}
