//! Solves a DIMACS file: `cargo run --release -p uforia-sat --example dimacs -- FILE.cnf`.

use sat::{NoTheory, Outcome, Query, Solver, read_dimacs};

fn main() {
    let path = std::env::args().nth(1).expect("the name of a DIMACS file");
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let clauses = read_dimacs(&text).expect("DIMACS text");
    let mut solver = Solver::new();
    solver.add_all(&clauses);
    match solver.solve(&mut NoTheory, &Query::default(), &base::Budget::default()) {
        Ok(Outcome::Sat) => println!("s SATISFIABLE"),
        Ok(Outcome::Unsat) => println!("s UNSATISFIABLE"),
        Ok(Outcome::Paused) => unreachable!("only a theory requests a pause"),
        Err(stopped) => println!("c {stopped:?}"),
    }
    for (name, help, value) in solver.stats.entries() {
        println!("c {name}: {value} ({help})");
    }
}
