//! DIMACS text: how SAT solvers exchange formulas.

use crate::{Lit, Solver};

/// What is wrong with a DIMACS text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DimacsError {
    /// The line, from one.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads clauses. The header is optional; comments start with `c`.
pub fn read_dimacs(text: &str) -> Result<Vec<Vec<Lit>>, DimacsError> {
    let mut clauses = Vec::new();
    let mut clause = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        if line.starts_with(['c', 'p', '%']) {
            continue;
        }
        for word in line.split_ascii_whitespace() {
            let error = |message: String| DimacsError { line: line_number, message };
            let number: i64 = word.parse().map_err(|_| error(format!("'{word}' is not a number")))?;
            if number == 0 {
                clauses.push(std::mem::take(&mut clause));
                continue;
            }
            clause.push(Lit::from_dimacs(number).ok_or_else(|| error(format!("{number} is out of range")))?);
        }
    }
    if !clause.is_empty() {
        clauses.push(clause);
    }
    Ok(clauses)
}

/// Writes clauses with a header.
pub fn write_dimacs(clauses: &[Vec<Lit>]) -> String {
    use std::fmt::Write as _;
    let n_vars = clauses.iter().flatten().map(|lit| lit.var().0 + 1).max().unwrap_or(0);
    let mut text = format!("p cnf {} {}\n", n_vars, clauses.len());
    for clause in clauses {
        for lit in clause {
            let _ = write!(text, "{} ", lit.to_dimacs());
        }
        text.push_str("0\n");
    }
    text
}

impl Solver {
    /// Adds all clauses, making variables as needed.
    pub fn add_all(&mut self, clauses: &[Vec<Lit>]) {
        for clause in clauses {
            for lit in clause {
                while self.n_vars() <= lit.var().index() {
                    self.new_var();
                }
            }
            self.add_clause(clause);
        }
    }
}
