//! `uforia smt`: an SMT-LIB script, answered command by command.
//!
//! What is wrong gets an `(error "…")` and the script goes on, as the standard's *continued execution* says.
//! With `:produce-unsat-cores`, named assertions are assumptions, so that a core can name them.

use base::{Budget, Stopped};
use smt::{Answer, Backend, Model, Query, Solver, interpolate};
use term::smtlib::{Command, Reader};
use term::{Op, Sort, SortKind, Symbol, Term, Terms, Value};

use crate::context::Context;
use crate::exit::Exit;
use crate::input;

use super::refuse;
use crate::tuning::Tuning;

/// Reads the script and answers it.
pub fn smt(context: &Context) -> Result<Exit, Stopped> {
    let text = match input::read(&context.settings.file) {
        Ok(bytes) => input::decoded(bytes),
        Err(failure) => return refuse(context, &failure, false),
    };
    let budget = Budget::unlimited(context.cancel.clone());
    match answer_script(&text, context.settings.sat, &budget, &mut |answer| context.output.print_exact(answer)) {
        Ok(()) => Ok(Exit::Done),
        Err(stopped) => Err(stopped),
    }
}

/// Answers all commands of the script; each answer goes to `print` with its end of line.
pub fn answer_script(text: &str, sat: Backend, budget: &Budget, print: &mut dyn FnMut(&str)) -> Result<(), Stopped> {
    let mut session = Session::new(sat);
    let mut reader = Reader::new(text);
    loop {
        budget.spend(1)?;
        let answer = match reader.next(&mut session.terms) {
            Ok(None) | Ok(Some(Command::Exit)) => return Ok(()),
            Ok(Some(command)) => session.execute(command, &reader, budget)?,
            Err(error) => Err(error.to_string()),
        };
        match answer {
            Ok(Some(answer)) => print(&format!("{answer}\n")),
            Ok(None) if session.print_success => print("success\n"),
            Ok(None) => {}
            Err(message) => print(&format!("(error {})\n", quoted(&message))),
        }
    }
}

/// What the last query left behind.
enum Last {
    Nothing,
    Sat,
    Unsat { core: Vec<Term>, assumptions: Vec<Term> },
    Unknown(&'static str),
}

struct Level {
    declared: Vec<Symbol>,
    assertions: Vec<Term>,
    named: Vec<(String, Term)>,
    /// Whether an assertion has operators that are only read as uninterpreted.
    inexact: bool,
}

struct Session {
    terms: Terms,
    sat: Backend,
    solver: Solver,
    levels: Vec<Level>,
    last: Last,
    print_success: bool,
    cores: bool,
}

fn solver(sat: Backend) -> Solver {
    let mut solver = Solver::new();
    solver.set_backend(sat);
    solver
}

type Reply = Result<Option<String>, String>;

impl Session {
    fn new(sat: Backend) -> Self {
        Session {
            terms: Terms::new(),
            sat,
            solver: solver(sat),
            levels: vec![Level::new()],
            last: Last::Nothing,
            print_success: false,
            cores: false,
        }
    }
    fn top(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the bottom level stays")
    }

    /// Long: one `match` over all commands.
    fn execute(&mut self, command: Command, reader: &Reader<'_>, budget: &Budget) -> Result<Reply, Stopped> {
        Ok(Ok(match command {
            Command::SetLogic(_) | Command::SetInfo(..) | Command::DeclareSort(_) | Command::DefineSort(_) => None,
            Command::DefineFun { .. } => None,
            Command::SetOption(key, value) => {
                match key.as_str() {
                    ":print-success" => self.print_success = value == "true",
                    ":produce-unsat-cores" => self.cores = value == "true",
                    _ => {}
                }
                None
            }
            Command::DeclareFun(symbol) => {
                self.top().declared.push(symbol);
                None
            }
            Command::Assert { formula, name } => {
                self.last = Last::Nothing;
                let inexact = self.is_inexact(&[formula]);
                let cores = self.cores;
                let level = self.top();
                level.inexact |= inexact;
                level.assertions.push(formula);
                match name {
                    Some(name) if cores => level.named.push((name, formula)),
                    _ => self.solver.assert(formula),
                }
                None
            }
            Command::Push(count) => {
                self.last = Last::Nothing;
                for _ in 0..count {
                    self.solver.push();
                    self.levels.push(Level::new());
                }
                None
            }
            Command::Pop(count) => {
                self.last = Last::Nothing;
                for _ in 0..count {
                    if !self.solver.pop() {
                        return Ok(Err("there is no level to pop".to_owned()));
                    }
                    self.levels.pop();
                }
                None
            }
            Command::CheckSat => Some(self.check(&[], budget)?),
            Command::CheckSatAssuming(assumptions) => Some(self.check(&assumptions, budget)?),
            Command::GetValue(terms) => return Ok(self.values(&terms)),
            Command::GetModel => return Ok(self.model()),
            Command::GetAssignment => return Ok(self.assignment(reader)),
            Command::GetUnsatCore => return Ok(self.unsat_core()),
            Command::GetUnsatAssumptions => return Ok(self.unsat_assumptions()),
            Command::GetAssertions => {
                let all = self.levels.iter().flat_map(|level| &level.assertions);
                let texts: Vec<String> = all.map(|&formula| self.terms.to_smtlib(formula)).collect();
                Some(format!("({})", texts.join("\n ")))
            }
            Command::GetInfo(key) => match key.as_str() {
                ":name" => Some("(:name \"Uforia\")".to_owned()),
                ":version" => Some(format!("(:version \"{}\")", env!("CARGO_PKG_VERSION"))),
                ":authors" => Some("(:authors \"the authors of Uforia\")".to_owned()),
                ":error-behavior" => Some("(:error-behavior continued-execution)".to_owned()),
                ":reason-unknown" => match self.last {
                    Last::Unknown(why) => Some(format!("(:reason-unknown {})", quoted(why))),
                    _ => return Ok(Err("the last answer was not unknown".to_owned())),
                },
                ":assertion-stack-levels" => Some(format!("(:assertion-stack-levels {})", self.levels.len() - 1)),
                _ => Some("unsupported".to_owned()),
            },
            Command::GetOption(key) => match key.as_str() {
                ":print-success" => Some(self.print_success.to_string()),
                ":produce-unsat-cores" => Some(self.cores.to_string()),
                _ => Some("unsupported".to_owned()),
            },
            Command::GetProof => return Ok(Err("proofs are not printed".to_owned())),
            Command::GetInterpolants(parts) => return self.interpolants(&parts, reader, budget),
            Command::Echo(text) => Some(quoted(&text)),
            Command::Reset => {
                *self = Session::new(self.sat);
                None
            }
            Command::ResetAssertions => {
                self.solver = solver(self.sat);
                self.levels = vec![Level::new()];
                self.last = Last::Nothing;
                None
            }
            Command::Exit => None,
        }))
    }

    /// Whether a model of these may be none, because some operators are only read as uninterpreted.
    fn is_inexact(&self, formulas: &[Term]) -> bool {
        self.terms.subterms(formulas).into_iter().any(|term| {
            matches!(self.terms.op(term), Op::Number(_) | Op::Fp(_))
                || matches!(self.terms.sort_kind(self.terms.sort_of(term)), SortKind::Float(..))
        })
    }

    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Result<String, Stopped> {
        let inexact = self.levels.iter().any(|level| level.inexact) || self.is_inexact(assumptions);
        let mut assumed: Vec<Term> =
            self.levels.iter().flat_map(|level| level.named.iter().map(|&(_, term)| term)).collect();
        assumed.extend(assumptions);
        let wants_core = self.cores || !assumptions.is_empty();
        self.last = match self.solver.check(&self.terms, &Query::assuming(&assumed), budget)? {
            Answer::Sat(_) if inexact => Last::Unknown("integers, reals and floats are uninterpreted"),
            Answer::Sat(_) => Last::Sat,
            Answer::Unknown(why) => Last::Unknown(why),
            Answer::Unsat(mut refutation) => {
                if wants_core {
                    refutation.minimize(&self.terms, &budget.part(Tuning::DEFAULT.core_ticks));
                }
                Last::Unsat { core: refutation.core().to_vec(), assumptions: assumptions.to_vec() }
            }
        };
        let answer = match self.last {
            Last::Sat => "sat",
            Last::Unsat { .. } => "unsat",
            Last::Unknown(_) | Last::Nothing => "unknown",
        };
        Ok(answer.to_owned())
    }

    /// A sequence of interpolants for assertions by name.
    fn interpolants(&mut self, names: &[Vec<String>], reader: &Reader<'_>, budget: &Budget) -> Result<Reply, Stopped> {
        let mut parts: Vec<Vec<Term>> = Vec::with_capacity(names.len());
        for part in names {
            let mut formulas = Vec::with_capacity(part.len());
            for name in part {
                let named = reader.named_terms().iter().find(|(known, _)| known == name).map(|&(_, term)| term);
                let asserted = |term: &Term| self.levels.iter().any(|level| level.assertions.contains(term));
                match named.filter(asserted) {
                    Some(term) => formulas.push(term),
                    None => return Ok(Err(format!("no assertion is named `{name}`"))),
                }
            }
            parts.push(formulas);
        }
        let settings = interpolate::Settings::default();
        Ok(match interpolate::sequence(&mut self.terms, &parts, &settings, budget)? {
            interpolate::Found::Interpolants(found, _) => {
                let texts: Vec<String> = found.iter().map(|&formula| self.terms.to_smtlib(formula)).collect();
                Ok(Some(format!("({})", texts.join("\n "))))
            }
            interpolate::Found::Satisfiable => Err("the parts do not contradict each other".to_owned()),
            interpolate::Found::Nothing(why) => Err(why.to_owned()),
        })
    }

    // ---- after `sat`

    fn found(&self) -> Result<Model<'_>, String> {
        match self.last {
            Last::Sat => self.solver.model(&self.terms).ok_or_else(|| "there is no model".to_owned()),
            _ => Err("there is no model: the last answer was not sat, or the assertions have changed".to_owned()),
        }
    }
    fn values(&self, wanted: &[(Term, String)]) -> Reply {
        let mut model = self.found()?;
        let pairs: Vec<String> = wanted
            .iter()
            .map(|(term, text)| {
                let value = model.value(*term);
                format!("({text} {})", value_text(&self.terms, self.terms.sort_of(*term), &value))
            })
            .collect();
        Ok(Some(format!("({})", pairs.join("\n "))))
    }
    fn assignment(&self, reader: &Reader<'_>) -> Reply {
        let mut model = self.found()?;
        let names = reader.named_terms().iter().filter(|(_, term)| self.terms.is_bool(*term));
        let pairs: Vec<String> =
            names.map(|(name, term)| format!("({} {})", name_text(name), model.is_true(*term))).collect();
        Ok(Some(format!("({})", pairs.join(" "))))
    }
    fn model(&self) -> Reply {
        let mut model = self.found()?;
        let terms = &self.terms;
        let mut text = String::from("(");
        for &symbol in self.levels.iter().flat_map(|level| &level.declared) {
            let (args, result) = (terms.symbol_args(symbol), terms.symbol_result(symbol));
            let name = name_text(terms.symbol_name(symbol));
            let params: Vec<String> =
                args.iter().enumerate().map(|(i, &sort)| format!("(x!{i} {})", terms.sort_text(sort))).collect();
            let body = match args {
                [] => value_text(terms, result, &model.apply(symbol, &[])),
                _ => table_text(terms, args, result, &model.rows(symbol)),
            };
            text.push_str(&format!(
                "\n  (define-fun {name} ({}) {} {body})",
                params.join(" "),
                terms.sort_text(result)
            ));
        }
        text.push_str("\n)");
        Ok(Some(text))
    }

    // ---- after `unsat`

    fn refuted(&self) -> Result<(&[Term], &[Term]), String> {
        match &self.last {
            Last::Unsat { core, assumptions } => Ok((core, assumptions)),
            _ => Err("there is no core: the last answer was not unsat, or the assertions have changed".to_owned()),
        }
    }
    fn unsat_core(&self) -> Reply {
        if !self.cores {
            return Err("cores need (set-option :produce-unsat-cores true) before the assertions".to_owned());
        }
        let (core, _) = self.refuted()?;
        let named = self.levels.iter().flat_map(|level| &level.named);
        let mut rest = core.to_vec();
        let names: Vec<String> = named
            .filter_map(|(name, term)| {
                // Of several names for one formula the first is enough.
                let at = rest.iter().position(|other| other == term)?;
                rest.swap_remove(at);
                Some(name_text(name))
            })
            .collect();
        Ok(Some(format!("({})", names.join(" "))))
    }
    fn unsat_assumptions(&self) -> Reply {
        let (core, assumptions) = self.refuted()?;
        let mut seen: Vec<Term> = Vec::new();
        for &term in assumptions.iter().filter(|term| core.contains(term)) {
            if !seen.contains(&term) {
                seen.push(term);
            }
        }
        let texts: Vec<String> = seen.into_iter().map(|term| self.terms.to_smtlib(term)).collect();
        Ok(Some(format!("({})", texts.join(" "))))
    }
}

impl Level {
    fn new() -> Self {
        Level { declared: Vec::new(), assertions: Vec::new(), named: Vec::new(), inexact: false }
    }
}

/// A function as nested choices over its known rows.
fn table_text(terms: &Terms, args: &[Sort], result: Sort, rows: &[(Vec<Value>, Value)]) -> String {
    let mut text = String::new();
    for (row, value) in rows {
        let tests: Vec<String> = row
            .iter()
            .zip(args)
            .enumerate()
            .map(|(i, (value, &sort))| format!("(= x!{i} {})", value_text(terms, sort, value)))
            .collect();
        let test = if tests.len() == 1 { tests.concat() } else { format!("(and {})", tests.join(" ")) };
        text.push_str(&format!("(ite {test} {} ", value_text(terms, result, value)));
    }
    text.push_str(&value_text(terms, result, &Value::any(terms, result)));
    text.extend(std::iter::repeat_n(')', rows.len()));
    text
}

/// A value as SMT-LIB writes it.
fn value_text(terms: &Terms, sort: Sort, value: &Value) -> String {
    match (value, terms.sort_kind(sort)) {
        (Value::Bool(value), _) => value.to_string(),
        (Value::Bits(bits), _) if bits.width() % 4 == 0 => format!("#x{}", bits.to_hex()),
        (Value::Bits(bits), _) => format!("#b{}", bits.to_binary()),
        (Value::Element(_, number), _) => format!("(as @{number} {})", terms.sort_text(sort)),
        (Value::Number(of, text), _) => terms.numeral_to_smtlib(*of, text),
        (Value::Array(array), &SortKind::Array(index, element)) => {
            let default = value_text(terms, element, array.default());
            let mut text = "(store ".repeat(array.entries().len());
            text.push_str(&format!("((as const {}) {default})", terms.sort_text(sort)));
            for (place, value) in array.entries() {
                text.push_str(&format!(" {} {})", value_text(terms, index, place), value_text(terms, element, value)));
            }
            text
        }
        (Value::Array(_), _) => unreachable!("an array value has an array sort"),
    }
}

/// A string literal.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A symbol, between bars where it needs them.
fn name_text(name: &str) -> String {
    term::smtlib::symbol_text(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expected: &str) {
        let mut answers = String::new();
        let done = answer_script(script, Backend::BuiltIn, &Budget::default(), &mut |answer| answers.push_str(answer));
        assert_eq!(done, Ok(()));
        assert_eq!(answers.trim_end(), expected.trim());
    }

    #[test]
    fn an_incremental_script_is_answered_line_by_line() {
        check(
            "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (bvult x #x02))(check-sat)(push 1)
             (assert (= x #x05))(check-sat)(pop 1)(check-sat)(assert (distinct x #x00))(check-sat)
             (get-value (x (bvadd x #x01)))(echo \"done\")(exit)(check-sat)",
            "sat\nunsat\nsat\nsat\n((x #x01)\n ((bvadd x #x01) #x02))\n\"done\"",
        );
    }
    #[test]
    fn cores_name_assertions_and_assumptions() {
        check(
            "(set-option :produce-unsat-cores true)(declare-const p Bool)(declare-const q Bool)
             (assert (! p :named first))(assert (! q :named second))(assert (! (not p) :named third))
             (check-sat)(get-unsat-core)",
            "unsat\n(first third)",
        );
        check(
            "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-fun f (U) U)
             (assert (distinct (f a) (f b)))(declare-const p Bool)
             (check-sat-assuming (p (= a b)))(get-unsat-assumptions)(check-sat-assuming (p))",
            "unsat\n((= a b))\nsat",
        );
    }
    #[test]
    fn interpolants_stand_between_parts_that_are_named() {
        check(
            "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const z (_ BitVec 8))
             (assert (! (= x #x01) :named start))(assert (! (= y (bvadd x #x01)) :named step))
             (assert (! (bvult y z) :named guard))(assert (! (= z #x02) :named end))(check-sat)
             (get-interpolants start step (and guard end))(get-interpolants start step)(get-interpolants start last)",
            "unsat\n((= x #x01)\n (= y #x02))\n(error \"the parts do not contradict each other\")\n\
             (error \"no assertion is named `last`\")",
        );
    }
    #[test]
    fn interpolants_of_deep_terms_are_found_or_refused() {
        let depth = 50_000;
        let deep = |name: &str| format!("{}{name}{}", "(f ".repeat(depth), ")".repeat(depth));
        let script = format!(
            "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(declare-const b U)(declare-const c U)
             (assert (! (and (= a c) (= c {})) :named one))(assert (! (and (= c b) (distinct c {})) :named two))
             (get-interpolants one two)",
            deep("a"),
            deep("b")
        );
        let mut answers = String::new();
        let done = answer_script(&script, Backend::BuiltIn, &Budget::default(), &mut |answer| answers.push_str(answer));
        assert_eq!(done, Ok(()));
        let start: String = answers.chars().take(80).collect();
        assert!(start.contains("(f (f ") || start.starts_with("(error "), "{start}");
    }
    #[test]
    fn a_model_defines_what_was_declared() {
        check(
            "(declare-const x (_ BitVec 3))(declare-fun f ((_ BitVec 3)) Bool)
             (declare-const a (Array (_ BitVec 1) (_ BitVec 4)))
             (assert (= x #b101))(assert (f x))(assert (= (select a #b1) #xe))(check-sat)(get-model)",
            "sat
(
  (define-fun x () (_ BitVec 3) #b101)
  (define-fun f ((x!0 (_ BitVec 3))) Bool (ite (= x!0 #b101) true false))
  (define-fun a () (Array (_ BitVec 1) (_ BitVec 4)) (store ((as const (Array (_ BitVec 1) (_ BitVec 4))) #x0) #b1 #xe))
)",
        );
    }
    #[test]
    fn what_is_wrong_gets_an_error_and_the_script_goes_on() {
        check(
            "(frobnicate)(declare-const x (_ BitVec 8))(assert (bvadd x x))(assert (= x #x0))
             (declare-const y (_ BitVec 1000000000))(get-model)(pop 1)(check-sat)",
            "(error \"1:1: command `frobnicate` is not supported\")
(error \"1:51: a formula is expected, not (_ BitVec 8)\")
(error \"1:71: every argument has sort (_ BitVec 4), but (_ BitVec 8) is expected\")
(error \"2:31: a bit-vector has between 1 and 16777216 bits\")
(error \"there is no model: the last answer was not sat, or the assertions have changed\")
(error \"2:64: only 0 scopes are open\")
sat",
        );
    }
    #[test]
    fn numbers_are_unknown_unless_contradictory() {
        check(
            "(declare-const n Int)(assert (< n 3))(check-sat)(get-info :reason-unknown)
             (assert (not (< n 3)))(check-sat)",
            "unknown\n(:reason-unknown \"integers, reals and floats are uninterpreted\")\nunsat",
        );
    }
    #[test]
    fn deep_nesting_is_answered() {
        let depth = 200_000;
        let script = format!(
            "(declare-const p Bool)(assert {}p{})(check-sat)(get-value (p))",
            "(not ".repeat(depth),
            ")".repeat(depth)
        );
        check(&script, "sat\n((p true))");
        let script = format!(
            "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(assert (= a {}a{}))(check-sat)",
            "(f ".repeat(depth),
            ")".repeat(depth)
        );
        check(&script, "sat");
        check(&"(".repeat(depth), "(error \"1:200000: this parenthesis is never closed\")");
    }
}
