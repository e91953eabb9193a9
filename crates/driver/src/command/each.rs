//! The answer of `--assertions each`: the verdict about each assertion, and what follows for the program.

use std::sync::Arc;

use base::Id;
use program::AssertionId;
use program::interp::Outcome;
use report::answer::{Answer, Assertion, Counterexample, Each, Rung, Status, VerdictName};
use verdict::{Code, Proof, Verdict, Why};

use super::answer::{self, rounded};
use super::evidence::Replay;
use super::{explain, reason_of};
use crate::board::{Board, Entry, Found};
use crate::context::Context;
use crate::examine::Examined;
use crate::frontend::Loaded;
use crate::verify::Conclusion;

/// Options that speak of one verdict and its evidence.
const FOR_ONE_VERDICT: &[&str] =
    &["assertion", "witness", "harness", "insert-test", "second-opinion", "list-assertions"];

/// Why the options do not go together, if they do not.
pub fn refusal(context: &Context) -> Option<String> {
    let settings = &context.settings;
    if let Some(option) = settings.given().find(|option| FOR_ONE_VERDICT.contains(option)) {
        return Some(format!(
            "--{option} is for one verdict, and --assertions each gives several: `--assertion N` chooses one"
        ));
    }
    let is_termination = settings.property == "termination";
    is_termination.then(|| "--assertions each: that runs end is one question about the whole program".to_owned())
}

/// The answer: UNSAFE if an assertion fails, SAFE if all hold, UNKNOWN otherwise.
pub fn examined(context: &Context, loaded: Loaded, board: &Board) -> Examined {
    let entries = board.entries();
    let of = |wanted: fn(&Verdict) -> bool| {
        let is_it = move |entry: &Entry| entry.found.as_ref().is_some_and(|found| wanted(&found.verdict));
        entries.iter().enumerate().filter(move |(_, entry)| is_it(entry)).map(|(index, entry)| (index, entry.clone()))
    };
    let failing: Vec<(usize, Entry)> = of(|verdict| matches!(verdict, Verdict::Unsafe(_))).collect();
    let n_asked = entries.iter().filter(|entry| entry.is_there).count();
    let open: Vec<&Entry> = entries.iter().filter(|entry| entry.is_there && entry.found.is_none()).collect();
    let proofs = distinct(&entries);
    let (found, reason) = match (failing.first(), open.is_empty()) {
        (Some((_, first)), _) => {
            let reason = (n_asked > 1).then(|| format!("{} of {n_asked} assertions fail", failing.len()));
            (conclusion(first.found.as_ref()), reason)
        }
        (None, false) => {
            let why = open.iter().find_map(|entry| entry.why.clone());
            let why = why.unwrap_or_else(|| Why::new(Code::GaveUp, "no engine has an answer"));
            let reason = (n_asked > 1).then(|| format!("{} of {n_asked} assertions are open", open.len()));
            (Conclusion::unknown(why), reason)
        }
        (None, true) => (conclusion(proofs.last()), None),
    };
    let found = Conclusion { bugs: board.bugs(), ..found };
    let mut runs: Vec<(usize, Replay)> = Vec::new();
    for (index, entry) in &failing {
        let Some(Verdict::Unsafe(counterexample)) = entry.found.as_ref().map(|found| &*found.verdict) else { continue };
        let replay = Replay::of(context, &loaded, counterexample);
        // The run of a system goes on where other properties fail, and this one is asked about all of them.
        runs.extend(replay.filter(|replay| is_at(replay, *index)).map(|replay| (*index, replay)));
    }
    let first = failing.first().and_then(|(index, _)| runs.iter().position(|(other, _)| other == index));
    let mut answer = answer::of(context, &loaded, &found, first.map(|at| &runs[at].1));
    if let Some(reason) = reason {
        answer.reason = format!("{}; {reason}", answer.reason);
    }
    if answer.verdict == VerdictName::Safe {
        of_all(context, &loaded, &mut answer, &proofs);
    }
    let whys: Vec<Option<String>> =
        entries.iter().map(|entry| entry.why.as_ref().map(|why| reason_of(&loaded.program, why).text)).collect();
    for (index, (one, entry)) in answer.assertions.iter_mut().zip(&entries).enumerate() {
        let replay = runs.iter().find(|(other, _)| *other == index);
        let counterexample =
            replay.map(|(_, replay)| answer::run(context, &loaded, AssertionId::new(index), replay, &[]));
        single(one, entry, whys[index].clone(), counterexample);
    }
    let replay = first.map(|at| runs.swap_remove(at).1);
    Examined { loaded, found, replay, answer }
}

fn is_at(replay: &Replay, index: usize) -> bool {
    matches!(&replay.run.outcome, Outcome::Error(assertion) if assertion.index() == index)
}

fn conclusion(found: Option<&Found>) -> Conclusion {
    match found {
        Some(found) => Conclusion {
            verdict: Verdict::clone(&found.verdict),
            engine: Some(found.engine),
            certificate: Some((*found.certificate).clone()),
            bugs: Vec::new(),
        },
        None => Conclusion::unknown(Why::new(Code::NothingToVerify, "there is no assertion to verify")),
    }
}

/// The different proofs, in the order in which they were found.
fn distinct(entries: &[Entry]) -> Vec<Found> {
    let mut proofs: Vec<Found> = Vec::new();
    for found in entries.iter().filter_map(|entry| entry.found.as_ref()) {
        let is_known = proofs.iter().any(|other| Arc::ptr_eq(&other.verdict, &found.verdict));
        if matches!(*found.verdict, Verdict::Safe(_)) && !is_known {
            proofs.push(found.clone());
        }
    }
    proofs.sort_by_key(|found| found.after);
    proofs
}

/// What the proofs say together.
fn of_all(context: &Context, loaded: &Loaded, answer: &mut Answer, proofs: &[Found]) {
    if proofs.len() < 2 {
        return;
    }
    let mut engines: Vec<&str> = proofs.iter().map(|found| found.engine).collect();
    engines.sort_unstable();
    engines.dedup();
    answer.method =
        Some(format!("proved by {}: {} proofs, each of which was checked", engines.join(", "), proofs.len()));
    let each: Vec<&Proof> = proofs
        .iter()
        .filter_map(|found| match &*found.verdict {
            Verdict::Safe(proof) => Some(&**proof),
            _ => None,
        })
        .collect();
    answer.invariants.clear();
    answer.precise.clear();
    for proof in each {
        for invariant in answer::invariants(context, loaded, proof) {
            match answer.invariants.iter_mut().find(|known| known.at == invariant.at) {
                Some(known) => {
                    let news: Vec<String> = invariant.c.into_iter().filter(|one| !known.c.contains(one)).collect();
                    known.c.extend(news);
                }
                None => answer.invariants.push(invariant),
            }
        }
        for place in explain::precise(&loaded.program, proof) {
            if !answer.precise.contains(&place) {
                answer.precise.push(place);
            }
        }
    }
    for found in &proofs[..proofs.len() - 1] {
        let (Some(total), Some(more)) =
            (&mut answer.certificate, answer::certificate(context, Some(found.engine), &found.certificate))
        else {
            continue;
        };
        total.obligations += more.obligations;
        total.seconds = None;
        for Rung { rung, count } in more.by_rung {
            match total.by_rung.iter_mut().find(|known| known.rung == rung) {
                Some(known) => known.count += count,
                None => total.by_rung.push(Rung { rung, count }),
            }
        }
    }
}

fn single(one: &mut Assertion, entry: &Entry, reason: Option<String>, counterexample: Option<Counterexample>) {
    one.status = match entry.found.as_ref().map(|found| &*found.verdict) {
        Some(Verdict::Safe(_)) => Status::Proved,
        Some(Verdict::Unsafe(_)) => Status::Fails,
        _ => Status::Unknown,
    };
    if entry.is_there {
        let found = entry.found.as_ref();
        one.each = Some(Each {
            engine: found.map(|found| found.engine.to_owned()),
            seconds: found.map(|found| rounded(found.after)),
            refined: entry.refined,
            reason: reason.filter(|_| found.is_none()),
            counterexample,
        });
    }
}

/// The table for people to read, and the runs of the failing assertions but the first.
pub fn text(answer: &Answer, is_quiet: bool) -> String {
    let asked: Vec<(&Assertion, &Each)> =
        answer.assertions.iter().filter_map(|one| Some((one, one.each.as_ref()?))).collect();
    if asked.is_empty() {
        return String::new();
    }
    let place = |one: &Assertion| one.at.place.clone().unwrap_or_else(|| "no place".to_owned());
    let width = asked.iter().map(|(one, _)| place(one).chars().count()).max().unwrap_or(0).max("line".len());
    let has_refined = asked.iter().any(|(_, each)| each.refined.is_some());
    let refined = |text: &str| if has_refined { format!("  {text:>7}") } else { String::new() };
    let mut text =
        format!("   N  {:<width$}  {:<7}  {:>10}{}  assertion\n", "line", "verdict", "time", refined("refined"));
    for (one, each) in &asked {
        let verdict = match one.status {
            Status::Proved => "SAFE",
            Status::Fails => "UNSAFE",
            Status::Unknown => "UNKNOWN",
        };
        let time = each.seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.3} s"));
        let count = each.refined.map_or("-".to_owned(), |count| count.to_string());
        let reason = each.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        text.push_str(&format!(
            "{:>4}  {:<width$}  {verdict:<7}  {time:>10}{}  {}{reason}\n",
            one.id,
            place(one),
            refined(&count),
            one.text
        ));
    }
    let first = answer.counterexample.as_ref().map(|run| run.assertion);
    for (one, each) in asked.iter().filter(|(one, _)| !is_quiet && Some(one.id) != first) {
        if let Some(run) = &each.counterexample {
            text.push_str(&format!("assertion {}:\n{}", one.id, run.text));
        }
    }
    text
}
