//! Lowers preprocessed C files and tells for each what became of it: a quick look at many files.
//!
//! `cargo run --release -p cfront --example lower -- [--lp64] [--cfa] FILE...`

use std::time::Instant;

use cfront::{DataModel, Options, Property, compile};
use term::Terms;

fn main() {
    let mut data_model = DataModel::Ilp32;
    let mut print = false;
    let mut files = Vec::new();
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--lp64" => data_model = DataModel::Lp64,
            "--cfa" => print = true,
            _ => files.push(arg),
        }
    }
    let work = move || {
        let (mut n_accepted, mut n_valid) = (0, 0);
        let options = Options { data_model, property: Property::UnreachCall };
        for file in &files {
            let text = match std::fs::read(file) {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(error) => {
                    println!("{file}: {error}");
                    continue;
                }
            };
            let start = Instant::now();
            let mut terms = Terms::new();
            match compile(file, &text, &options, &mut terms) {
                Ok(compiled) => {
                    let time = start.elapsed();
                    n_accepted += 1;
                    let program = compiled.program;
                    let verdict = match program::validate(&program, &terms) {
                        Ok(()) => {
                            n_valid += 1;
                            "valid".to_owned()
                        }
                        Err(violations) => format!("INVALID: {}", violations[0]),
                    };
                    println!(
                        "{file}: {verdict}, {} functions, {} locations, {} edges, {} variables, {:.3} s",
                        program.functions.len(),
                        program.locations.len(),
                        program.edges.len(),
                        program.vars.len(),
                        time.as_secs_f64()
                    );
                    if print {
                        println!("{}", program::text::print(&program, &terms));
                    }
                }
                Err(found) => {
                    for d in found {
                        println!("{file}: {:?} {}:{}:{}: {}", d.severity, d.file, d.line, d.column, d.message);
                    }
                }
            }
        }
        println!("{} files, {n_accepted} accepted, {n_valid} valid", files.len());
    };
    let worker = std::thread::Builder::new().stack_size(1 << 30).spawn(work).expect("a thread starts");
    worker.join().expect("no panic");
}
