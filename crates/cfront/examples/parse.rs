//! Parses preprocessed C files and prints what is wrong with them: `cargo run --example parse FILE…`.
//! With `--dump` first, prints the trees; with `--time` first, how fast it went.

use std::time::Instant;

use cfront::{dump, parse, source::Source};

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mode = if files.first().is_some_and(|first| first.starts_with("--")) { files.remove(0) } else { String::new() };
    let worker = move || {
        let mut n_bad = 0;
        for file in &files {
            let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("cannot read {file}: {error}"));
            let text = String::from_utf8_lossy(&bytes);
            let start = Instant::now();
            let source = Source::new(file, &text);
            let lines = start.elapsed();
            let (ast, diagnostics) = parse::parse(&source);
            let all = start.elapsed();
            for d in &diagnostics {
                println!(
                    "{}:{}:{}: {:?}: {} ({})\n  {}",
                    d.file, d.line, d.column, d.severity, d.message, d.help, d.source_line
                );
            }
            n_bad += usize::from(!diagnostics.is_empty());
            match &*mode {
                "--dump" => print!("{}", dump::dump(&ast)),
                "--time" => {
                    let speed = text.len() as f64 / 1e6 / all.as_secs_f64();
                    println!("{file}: {} bytes, lines {lines:?}, all {all:?}, {speed:.1} MB/s", text.len());
                }
                _ => {}
            }
        }
        println!("{} files, {n_bad} with diagnostics", files.len());
    };
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(worker).expect("a thread can be started");
    thread.join().expect("the parser does not panic");
}
