//! Builds ten million shared nodes and says how fast and how large: `cargo bench -p uforia-term`.

use std::time::Instant;

use base::Random;
use term::{Op, Term, Terms};

const NODES: usize = 10_000_000;

fn main() {
    for (name, terms) in [("simplifying", Terms::new()), ("plain", Terms::without_simplification())] {
        build(name, terms);
    }
}

/// Random terms over recent ones; every term is asked for twice, the second time it must be found.
fn build(name: &str, mut terms: Terms) {
    let mut random = Random::new(1);
    let sort = terms.bv_sort(32);
    let mut recent: Vec<Term> = (0..1024).map(|i| terms.variable(&format!("x{i}"), sort)).collect();
    let operators = [Op::BvAdd, Op::BvMul, Op::BvAnd, Op::BvXor, Op::BvSub, Op::BvShl];
    let mut calls = 0u64;
    let start = Instant::now();
    while terms.len() < NODES {
        let bits = random.bits();
        let (a, b) = (recent[(bits & 1023) as usize], recent[(bits >> 10 & 1023) as usize]);
        let op = operators[(bits >> 20) as usize % operators.len()];
        let b = if bits >> 60 == 0 { terms.bv(32, bits >> 24) } else { b };
        let made = terms.make(op, &[a, b]);
        assert!(terms.make(op, &[a, b]) == made, "equal terms have equal handles");
        recent[(bits >> 50 & 1023) as usize] = made;
        calls += 2;
    }
    let seconds = start.elapsed().as_secs_f64();
    let nodes = terms.len() as f64;
    println!(
        "{name}: {nodes} nodes in {seconds:.2} s, {:.2} million nodes/s, {:.2} million calls/s, {:.1} bytes/node",
        nodes / seconds / 1e6,
        calls as f64 / seconds / 1e6,
        terms.bytes() as f64 / nodes
    );
}
