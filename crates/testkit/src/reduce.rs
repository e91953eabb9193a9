//! Makes a failing program small: delta debugging over lines, braces and tokens ([ZellerHildebrandt-TSE'02]).
//!
//! A candidate is kept when the compiler accepts it without warnings that smell of undefined
//! behaviour, the compiled program gives the same checksum without and with optimisation and under
//! the sanitizers where they exist, and we still fail in the same way as on the whole program.

use crate::compiler;
use crate::differential::{self, Verdict};
use crate::ours::{self, Answer};
use cfront::DataModel;

/// Returns a small program that fails as the given one does. `progress` receives lengths.
pub fn reduce(text: &str, model: DataModel, progress: &dyn Fn(usize)) -> Result<String, String> {
    let oracle = FailureOracle::new(text, model)?;
    Ok(minimize(text, &|candidate| oracle.still_fails(candidate), progress))
}

/// Returns a small text for which `fails` holds, given one for which it holds.
pub fn minimize(text: &str, fails: Fails<'_>, progress: &dyn Fn(usize)) -> String {
    let mut best = text.to_string();
    loop {
        let before = best.len();
        best = by_lines(best, fails, progress);
        best = without_braced_parts(best, fails, progress);
        best = by_pieces(best, fails, tokens, " ", progress);
        best = with_simpler_tokens(best, fails, progress);
        if best.len() >= before {
            return best;
        }
    }
}

/// Returns a text for which `fails` holds and of which no line can be left out, given one for which it holds.
pub fn by_lines(text: String, fails: Fails<'_>, progress: &dyn Fn(usize)) -> String {
    by_pieces(text, fails, lines, "\n", progress)
}

/// Whether a candidate still shows what the whole program showed.
pub type Fails<'a> = &'a dyn Fn(&str) -> bool;

/// Decides whether a candidate still fails.
struct FailureOracle {
    model: DataModel,
    kind: &'static str,
    sanitize: bool,
}

impl FailureOracle {
    fn new(text: &str, model: DataModel) -> Result<FailureOracle, String> {
        let compiled = differential::checksum(text, model, &["-O0"]).map_err(|problem| problem.to_string())?;
        let verdict = differential::checked(text, model, compiled);
        if verdict == Verdict::Agrees {
            return Err("this program does not fail".into());
        }
        Ok(FailureOracle { model, kind: verdict.kind(), sanitize: compiler::sanitizers_work(model) })
    }

    fn still_fails(&self, text: &str) -> bool {
        // Ours first: it is the cheapest question, and most candidates are not even C.
        let ours = ours::interpret("program.c", text, self.model, &[], 50_000_000);
        let interesting = match self.kind {
            "refused" => matches!(ours.answer, Answer::Unsupported(_) | Answer::Invalid(_)),
            "no-answer" => matches!(ours.answer, Answer::NoAnswer(_) | Answer::Panicked(_) | Answer::Blocked),
            "undefined" => ours.undefined.is_some(),
            _ => matches!(ours.answer, Answer::Returned(_)),
        };
        if !interesting {
            return false;
        }
        const STRICT: &[&str] = &[
            "-O0",
            "-Werror=uninitialized",
            "-Werror=return-type",
            "-Werror=implicit-function-declaration",
            "-Werror=implicit-int",
            "-Werror=strict-prototypes",
            "-Werror=missing-parameter-type",
            "-Werror=int-conversion",
            "-Werror=incompatible-pointer-types",
            "-Werror=sequence-point",
            "-Werror=array-bounds",
            "-Werror=div-by-zero",
            "-Werror=shift-count-overflow",
            "-Werror=shift-count-negative",
        ];
        let Ok(plain) = differential::checksum(text, self.model, STRICT) else { return false };
        if differential::checked(text, self.model, plain).kind() != self.kind {
            return false;
        }
        let same = |flags: &[&str]| differential::checksum(text, self.model, flags).is_ok_and(|value| value == plain);
        let warned = ["-O2", "-Werror=maybe-uninitialized", "-Werror=uninitialized"];
        same(&warned) && (!self.sanitize || same(compiler::SANITIZE))
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_string).collect()
}

/// Words, numbers, literals and operators.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let first = characters[at];
        let start = at;
        at += 1;
        if first.is_whitespace() {
            continue;
        }
        if first.is_alphanumeric() || first == '_' || first == '.' {
            while at < characters.len() && (characters[at].is_alphanumeric() || "_.".contains(characters[at])) {
                at += 1;
            }
        } else if first == '"' || first == '\'' {
            while at < characters.len() && characters[at] != first {
                at += if characters[at] == '\\' { 2 } else { 1 };
            }
            at = (at + 1).min(characters.len());
        } else {
            while at < characters.len() && "=<>&|+-:?".contains(characters[at]) && "=<>&|+-".contains(first) {
                at += 1;
            }
        }
        tokens.push(characters[start..at].iter().collect());
    }
    tokens
}

/// Leaves out chunks of pieces, large chunks first.
fn by_pieces(
    text: String,
    fails: Fails<'_>,
    split: fn(&str) -> Vec<String>,
    glue: &str,
    progress: &dyn Fn(usize),
) -> String {
    let mut pieces = split(&text);
    if glue != "\n" && !fails(&pieces.join(glue)) {
        return text;
    }
    let mut size = pieces.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        let mut any = false;
        while at < pieces.len() {
            let mut candidate = pieces.clone();
            candidate.drain(at..(at + size).min(pieces.len()));
            if fails(&candidate.join(glue)) {
                pieces = candidate;
                any = true;
                progress(pieces.iter().map(|p| p.len() + 1).sum());
            } else {
                at += size;
            }
        }
        if size == 1 && !any {
            return pieces.join(glue);
        }
        if !any || size > 1 {
            size = (size / 2).max(1);
        }
    }
}

/// Leaves out what stands between matching brackets, with and without the brackets.
fn without_braced_parts(text: String, fails: Fails<'_>, progress: &dyn Fn(usize)) -> String {
    let mut pieces = tokens(&text);
    let mut at = 0;
    while at < pieces.len() {
        let closing = match pieces[at].as_str() {
            "{" => "}",
            "(" => ")",
            "[" => "]",
            _ => {
                at += 1;
                continue;
            }
        };
        let opening = pieces[at].clone();
        let mut open = 0;
        let end = pieces[at..].iter().position(|piece| {
            open += i32::from(*piece == opening) - i32::from(piece == closing);
            open == 0
        });
        let Some(end) = end.map(|offset| at + offset) else {
            at += 1;
            continue;
        };
        let mut candidates = Vec::new();
        let mut all = pieces.clone();
        all.drain(at..=end);
        candidates.push(all);
        let mut inside = pieces.clone();
        inside.drain(at + 1..end);
        candidates.push(inside);
        let mut brackets = pieces.clone();
        brackets.remove(end);
        brackets.remove(at);
        candidates.push(brackets);
        match candidates.into_iter().find(|c| c.len() < pieces.len() && fails(&c.join(" "))) {
            Some(smaller) => {
                pieces = smaller;
                progress(pieces.iter().map(|p| p.len() + 1).sum());
            }
            None => at += 1,
        }
    }
    let joined = pieces.join(" ");
    if fails(&joined) { joined } else { text }
}

/// Replaces tokens by `0` or `1`, and single operands.
fn with_simpler_tokens(text: String, fails: Fails<'_>, progress: &dyn Fn(usize)) -> String {
    let mut pieces = tokens(&text);
    if !fails(&pieces.join(" ")) {
        return text;
    }
    for at in 0..pieces.len() {
        for simpler in ["0", "1"] {
            if pieces[at].len() <= 1 {
                continue;
            }
            let saved = std::mem::replace(&mut pieces[at], simpler.to_string());
            if fails(&pieces.join(" ")) {
                progress(pieces.iter().map(|p| p.len() + 1).sum());
                break;
            }
            pieces[at] = saved;
        }
    }
    pieces.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_keep_literals_and_operators_together() {
        assert_eq!(tokens("a+=\"x y\" <<'\\''"), ["a", "+=", "\"x y\"", "<<", "'\\''"]);
        assert_eq!(tokens("0x1.8p3f->b"), ["0x1.8p3f", "->", "b"]);
    }
}
