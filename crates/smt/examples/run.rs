//! scratch
use base::Budget;
use smt::{Answer, Query, Reading, Solver};
use term::smtlib::Command;
use term::{Term, Terms};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let abs = args.get(2).is_some_and(|a| a.contains('a'));
    let simp = args.get(2).is_some_and(|a| a.contains('s'));
    let mut terms = if simp { Terms::new() } else { Terms::without_simplification() };
    let commands = term::smtlib::read_script(&mut terms, &text).unwrap();
    let mut solver = Solver::with_reading(if abs { Reading::Uninterpreted } else { Reading::Bits });
    if args.get(2).is_some_and(|a| a.contains('l')) {
        solver.enable_log();
    }
    if args.get(2).is_some_and(|a| a.contains('c')) {
        solver.always_within_cone();
    }
    let mut levels: Vec<Vec<Term>> = vec![vec![]];
    for command in commands {
        match command {
            Command::Assert { formula, .. } => {
                solver.assert(formula);
                levels.last_mut().unwrap().push(formula);
            }
            Command::Push(n) => {
                for _ in 0..n {
                    solver.push();
                    levels.push(vec![]);
                }
            }
            Command::Pop(n) => {
                for _ in 0..n {
                    solver.pop();
                    levels.pop();
                }
            }
            Command::CheckSat => {
                let start = std::time::Instant::now();
                let active: Vec<Term> = levels.iter().flatten().copied().collect();
                let mut sites = terms.subterms(&active);
                let budget = Budget::default().at_most(2_000_000_000);
                let answer = loop {
                    match solver.check(&terms, &Query::default(), &budget) {
                        Ok(Answer::Sat(_)) => {
                            if abs && !sites.is_empty() {
                                let keep = if sites.len() > 4 { sites.len() / 2 } else { 0 };
                                for s in sites.drain(keep..) {
                                    solver.raise(&terms, s);
                                }
                                continue;
                            }
                            break "sat";
                        }
                        Ok(Answer::Unsat(_)) => break "unsat",
                        Ok(Answer::Unknown(w)) => {
                            println!("{w}");
                            break "unknown";
                        }
                        Err(_) => break "stopped",
                    }
                };
                println!("{answer} {:.3}s {:?} {:?}", start.elapsed().as_secs_f64(), solver.stats, solver.sat_stats());
            }
            _ => {}
        }
    }
}
