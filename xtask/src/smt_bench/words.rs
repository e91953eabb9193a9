//! One-shot bit-vector queries, against Bitwuzla and Z3.
//!
//! Each solver has the same time for each script. A solver that needs more counts with that time, and the row shows it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use base::Budget;
use smt::{Answer, Query, Solver};
use term::{Term, Terms};

use super::Bench;
use crate::smt_fuzz::execute;

/// Bit-vector problems by name.
fn problems() -> Vec<(String, Terms, Term)> {
    let mut list = Vec::new();
    let mut add = |name: String, make: &dyn Fn(&mut Terms) -> Term| {
        let mut terms = Terms::without_simplification();
        let formula = make(&mut terms);
        list.push((name, terms, formula));
    };
    for width in [4, 6, 8, 16, 32] {
        add(format!("a-distribute-{width}"), &|terms| {
            let sort = terms.bv_sort(width);
            let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, sort));
            let sum = terms.bv_add(y, z);
            let (left, p, q) = (terms.bv_mul(x, sum), terms.bv_mul(x, y), terms.bv_mul(x, z));
            let right = terms.bv_add(p, q);
            terms.ne(left, right)
        });
    }
    for (width, product) in [(12u32, 1_018_081u64), (16, 16_777_213), (16, 1_073_676_289)] {
        add(format!("b-factor-{product}"), &move |terms| {
            let sort = terms.bv_sort(width);
            let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
            let wide = [x, y].map(|part| terms.zero_extend_to(part, 2 * width));
            let (goal, one) = (terms.bv(2 * width, product), terms.bv(width, 1));
            let multiplied = terms.bv_mul(wide[0], wide[1]);
            let parts = [terms.eq(multiplied, goal), terms.bv_ult(one, x), terms.bv_ule(x, y)];
            terms.and(&parts)
        });
    }
    for width in [8, 10, 12] {
        add(format!("c-divide-{width}"), &|terms| {
            let sort = terms.bv_sort(width);
            let (x, y, zero) = (terms.variable("x", sort), terms.variable("y", sort), terms.bv(width, 0));
            let (quotient, rest) = (terms.bv_udiv(x, y), terms.bv_urem(x, y));
            let small = terms.bv_ult(rest, y);
            let parts = [terms.ne(y, zero), terms.not(small)];
            let _ = quotient;
            terms.and(&parts)
        });
    }
    for (name, rounds) in [("d-mix-16", 16), ("d-mix-40", 40)] {
        add(name.to_owned(), &move |terms| {
            // A loop of additions, shifts and choices, as unrolled programs have them.
            let sort = terms.bv_sort(32);
            let (mut x, y) = (terms.variable("x", sort), terms.variable("y", sort));
            let start = x;
            for i in 0..rounds {
                let (one, three, amount) = (terms.bv(32, 1), terms.bv(32, 3 + i), terms.bv(32, i % 5));
                let (sum, shifted) = (terms.bv_add(x, three), terms.bv_lshr(x, amount));
                let masked = terms.bv_and(shifted, y);
                let mixed = terms.bv_xor(sum, masked);
                let guard = terms.bv_ult(x, y);
                let other = terms.bv_sub(x, one);
                x = terms.ite(guard, mixed, other);
            }
            let (low, goal) = (terms.extract(x, 19, 0), terms.bv(20, 0x5_4321));
            let bound = terms.bv(32, 1 << 20);
            let parts = [terms.eq(low, goal), terms.bv_ult(start, bound), terms.bv_ult(y, bound)];
            terms.and(&parts)
        });
    }
    list
}

/// The built-in problems.
pub(super) fn measure(bench: &Bench) -> Result<String, String> {
    let script = |(name, terms, formula): (String, Terms, Term)| {
        let text = term::smtlib::script(&terms, &[formula]);
        (name, if text.contains("(check-sat)") { text } else { text + "(check-sat)\n" })
    };
    compare(bench, problems().into_iter().map(script).collect())
}

/// The scripts of a folder, each up to its first query.
pub(super) fn measure_folder(bench: &Bench, folder: &Path) -> Result<String, String> {
    let mut scripts = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".smt2")) else { continue };
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let Some((before, _)) = text.split_once("(check-sat)") else { continue };
        scripts.push((name.replace(char::is_whitespace, "_"), format!("{before}(check-sat)\n")));
    }
    if scripts.is_empty() {
        return Err(format!("{}: no scripts that ask something", folder.display()));
    }
    compare(bench, scripts)
}

/// Times of all solvers on these scripts, by name.
fn compare(bench: &Bench, list: Vec<(String, String)>) -> Result<String, String> {
    let folder = &bench.folder;
    let python = bench.python()?;
    let scripts = folder.join("scripts");
    std::fs::create_dir_all(&scripts).map_err(|error| error.to_string())?;
    let mut ours: BTreeMap<String, (&'static str, f64)> = BTreeMap::new();
    for (name, text) in list {
        std::fs::write(scripts.join(format!("{name}.smt2")), &text).map_err(|error| error.to_string())?;
        let start = Instant::now();
        let answer = within(bench.limit, |budget| our_answer(&text, budget)).map_err(|why| format!("{name}: {why}"))?;
        let seconds = start.elapsed().as_secs_f64();
        ours.insert(name, (answer, seconds));
    }
    let program = folder.join("bitwuzla_time.py");
    std::fs::write(&program, include_str!("bitwuzla_time.py")).map_err(|error| error.to_string())?;
    let answers = execute(Command::new(python).arg(&program).arg(&scripts).arg(bench.limit.as_millis().to_string()))?;
    let mut theirs: BTreeMap<(String, String), (String, f64)> = BTreeMap::new();
    for line in answers.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, solver, answer, seconds] = words[..] else { return Err(format!("cannot read `{line}`")) };
        let name = name.trim_end_matches(".smt2").to_owned();
        let seconds = seconds.parse().map_err(|_| format!("cannot read `{line}`"))?;
        theirs.insert((name, solver.to_owned()), (answer.to_owned(), seconds));
    }
    let limit = bench.limit.as_secs_f64();
    let mut text = format!(
        "Seconds, reading included, at most {limit} for each script and solver (a line means: not within that time, which is \
         then what counts).\n\n| problem | answer | Uforia | Bitwuzla | Z3 |\n|---|---|---|---|---|\n"
    );
    let mut sums = [0.0; 3];
    let mut late = [0; 3];
    for (name, (our, seconds)) in &ours {
        let answers =
            |solver: &str| theirs.get(&(name.clone(), solver.to_owned())).map(|(their, time)| (&**their, *time));
        let row = [Some((*our, *seconds)), answers("bitwuzla"), answers("z3")];
        let mut answer = "unknown";
        let mut cells = String::new();
        for (at, entry) in row.into_iter().enumerate() {
            let (said, seconds) = entry.unwrap_or(("unknown", limit));
            if !["sat", "unsat"].contains(&said) {
                sums[at] += limit;
                late[at] += 1;
                cells.push_str(" – |");
                continue;
            }
            if answer != "unknown" && said != answer {
                return Err(format!("{name}: one says {answer}, another {said}"));
            }
            answer = said;
            sums[at] += seconds.min(limit);
            cells.push_str(&format!(" {seconds:.3} |"));
        }
        text.push_str(&format!("| {name} | {answer} |{cells}\n"));
    }
    text.push_str(&format!(
        "| all | | {:.3} | {:.3} | {:.3} |\n| not in time | | {} | {} | {} |\n\n\
         Ours in all: {:.2} times Bitwuzla, {:.2} times Z3.\n\n",
        sums[0],
        sums[1],
        sums[2],
        late[0],
        late[1],
        late[2],
        sums[0] / sums[1],
        sums[0] / sums[2]
    ));
    Ok(text)
}

/// Our answer to the first query of a script; the time includes parsing, as for the other solvers.
fn our_answer(text: &str, budget: &Budget) -> Result<&'static str, String> {
    let mut own = Terms::new();
    let commands = term::smtlib::read_script(&mut own, text).map_err(|error| error.to_string())?;
    let mut solver = Solver::new();
    for command in commands {
        if let term::smtlib::Command::Assert { formula, .. } = command {
            solver.assert(formula);
        }
    }
    Ok(match solver.check(&own, &Query::default(), budget) {
        Ok(Answer::Sat(_)) => "sat",
        Ok(Answer::Unsat(_)) => "unsat",
        _ => "unknown",
    })
}

/// Does the work under a budget whose flag is pulled when the time is over.
fn within<T>(limit: Duration, work: impl FnOnce(&Budget) -> T) -> T {
    let budget = Budget::default();
    let flag = budget.flag();
    let (done, waiting) = mpsc::channel::<()>();
    let clock = std::thread::spawn(move || {
        if waiting.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    let result = work(&budget);
    drop(done);
    let _ = clock.join();
    result
}
