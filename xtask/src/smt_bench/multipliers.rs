//! Hard one-shot formulas at growing widths: are two multipliers the same, and what are the factors of a number?
//! Against CaDiCaL on the same clauses, and with CaDiCaL behind our solver. Needs `--features cadical`.

use base::Budget;
use cadical_sys::{CaDiCal, Status};
use sat::{Backend, Lit, NoTheory, Outcome, Query, Solver};

use super::circuit::{Circuit, Word};
use super::{Bench, processor_seconds};

/// A formula in clauses, with its answer, known by construction.
struct Problem {
    circuit: Circuit,
    is_sat: bool,
}

/// The columns of partial products, by weight.
fn products(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Vec<Lit>> {
    let mut columns = vec![Vec::new(); a.len() + b.len()];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            columns[i + j].push(circuit.and(x, y));
        }
    }
    columns
}

/// Row after row: each partial product is added to the sum so far.
fn array_multiplier(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Word {
    let mut sum: Vec<Option<Lit>> = vec![None; a.len() + b.len()];
    for (j, &y) in b.iter().enumerate() {
        let mut carry = None;
        for (i, &x) in a.iter().enumerate() {
            let product = circuit.and(x, y);
            (sum[i + j], carry) = add_some(circuit, [Some(product), sum[i + j], carry]);
        }
        sum[j + a.len()] = carry;
    }
    close(circuit, sum)
}

/// All columns at once: three bits of one weight become one of it and one of the next, until two are left.
fn tree_multiplier(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Word {
    let mut columns = products(circuit, a, b);
    let mut out = Vec::new();
    for at in 0..columns.len() {
        let mut column = std::collections::VecDeque::from(std::mem::take(&mut columns[at]));
        while column.len() > 1 {
            let mut take = || column.pop_front();
            let (sum, carry) = add_some(circuit, [take(), take(), take()]);
            column.extend(sum);
            if let (Some(carry), true) = (carry, at + 1 < columns.len()) {
                columns[at + 1].push(carry);
            }
        }
        out.push(column.pop_front());
    }
    close(circuit, out)
}

/// The sum and the carry of those bits that are there.
fn add_some(circuit: &mut Circuit, bits: [Option<Lit>; 3]) -> (Option<Lit>, Option<Lit>) {
    let bits: Vec<Lit> = bits.into_iter().flatten().collect();
    let (sum, carry) = match bits[..] {
        [a, b, c] => circuit.full_adder(a, b, c),
        [a, b] => circuit.half_adder(a, b),
        [a] => return (Some(a), None),
        _ => return (None, None),
    };
    (Some(sum), Some(carry))
}

/// Bits that are not there are zero.
fn close(circuit: &mut Circuit, bits: Vec<Option<Lit>>) -> Word {
    let zero = circuit.bit();
    circuit.clause(&[!zero]);
    bits.into_iter().map(|bit| bit.unwrap_or(zero)).collect()
}

/// No inputs make the two multipliers differ.
fn equivalence(width: usize) -> Problem {
    let mut circuit = Circuit::default();
    let (a, b) = (circuit.word(width), circuit.word(width));
    let rows = array_multiplier(&mut circuit, &a, &b);
    let tree = tree_multiplier(&mut circuit, &a, &b);
    let differ: Vec<Lit> = rows.iter().zip(&tree).map(|(&x, &y)| circuit.xor(x, y)).collect();
    circuit.clause(&differ);
    Problem { circuit, is_sat: false }
}

/// The number has no factors, or exactly two primes of this many bits.
fn factors(width: usize, number: u64, is_sat: bool) -> Problem {
    let mut circuit = Circuit::default();
    let (a, b) = (circuit.word(width), circuit.word(width));
    let product = array_multiplier(&mut circuit, &a, &b);
    for (i, &bit) in product.iter().enumerate() {
        circuit.clause(&[if number >> i & 1 == 1 { bit } else { !bit }]);
    }
    // Neither factor is one, and the smaller one comes first.
    for word in [&a, &b] {
        circuit.clause(&word[1..]);
    }
    let swapped = circuit.less(&b, &a);
    circuit.clause(&[!swapped]);
    Problem { circuit, is_sat }
}

/// By width: pairs of primes.
const PRIMES: [(usize, [(u64, u64); 4]); 3] = [
    (16, [(36_061, 52_433), (39_323, 58_991), (45_887, 47_189), (34_123, 63_577)]),
    (18, [(144_203, 209_717), (157_291, 235_951), (183_503, 188_753), (136_319, 254_279)]),
    (20, [(576_721, 838_889), (629_171, 943_729), (734_003, 754_979), (545_267, 1_017_119)]),
];

/// Growing until the largest take some seconds; by row of the table. With a model luck plays its part, so such a row has
/// several formulas.
fn rows() -> Vec<(String, Vec<Problem>)> {
    let mut rows: Vec<(String, Vec<Problem>)> = Vec::new();
    for width in 5..=8 {
        rows.push((format!("array and tree multiplier, {width} bits"), vec![equivalence(width)]));
    }
    for (width, prime) in [(12, 5_872_033), (14, 93_952_427), (16, 1_503_238_603)] {
        rows.push((format!("factors of a prime, {width} bits"), vec![factors(width, prime, false)]));
    }
    for (width, pairs) in PRIMES {
        let problems = pairs.map(|(p, q)| factors(width, p * q, true)).into();
        rows.push((format!("factors of 4 products of primes, {width} bits"), problems));
    }
    rows
}

/// Ours, CaDiCaL, and ours that hands over to CaDiCaL.
pub(super) fn measure(_: &Bench) -> Result<String, String> {
    let mut text = String::from(
        "Seconds of processor time on the same clauses, with reading them into the solver. The third solver is ours with the\n\
         feature `cadical`: it hands over after 1,000 conflicts.\n\n\
         | formula | answer | Uforia | conflicts | CaDiCaL | conflicts | ratio | handing over | ratio |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    let mut sums = [0.0; 3];
    for (name, problems) in rows() {
        let (mut times, mut conflicts) = ([0.0; 3], [0; 3]);
        for problem in &problems {
            let runs = [ours(problem, Backend::BuiltIn), cadical(problem), ours(problem, Backend::CADICAL)];
            for (i, (is_sat, seconds, count)) in runs.into_iter().enumerate() {
                if is_sat != problem.is_sat {
                    return Err(format!("{name}: a wrong answer"));
                }
                times[i] += seconds;
                conflicts[i] += count;
            }
        }
        (0..3).for_each(|i| sums[i] += times[i]);
        text.push_str(&format!(
            "| {} | {} | {:.3} | {} | {:.3} | {} | {:.2} | {:.3} | {:.2} |\n",
            name,
            if problems[0].is_sat { "sat" } else { "unsat" },
            times[0],
            conflicts[0],
            times[1],
            conflicts[1],
            times[0] / times[1],
            times[2],
            times[2] / times[1]
        ));
    }
    text.push_str(&format!(
        "| all | | {:.3} | | {:.3} | | {:.2} | {:.3} | {:.2} |\n",
        sums[0],
        sums[1],
        sums[0] / sums[1],
        sums[2],
        sums[2] / sums[1]
    ));
    Ok(text)
}

/// Whether there is a model, seconds, conflicts.
fn ours(problem: &Problem, backend: Backend) -> (bool, f64, u64) {
    let start = processor_seconds();
    let mut solver = Solver::new();
    solver.set_backend(backend);
    solver.add_all(&problem.circuit.clauses);
    let outcome = solver.solve(&mut NoTheory, &Query::default(), &Budget::default());
    (outcome == Ok(Outcome::Sat), processor_seconds() - start, solver.stats.conflicts)
}

/// The same of CaDiCaL alone.
fn cadical(problem: &Problem) -> (bool, f64, u64) {
    let start = processor_seconds();
    let mut solver = CaDiCal::new();
    solver.declare_more_variables(problem.circuit.n_vars as i32);
    for clause in &problem.circuit.clauses {
        clause.iter().for_each(|lit| solver.add(lit.to_dimacs() as i32));
        solver.add(0);
    }
    let is_sat = solver.solve() == Status::SATISFIABLE;
    (is_sat, processor_seconds() - start, solver.get_statistic_value("conflicts").unsigned_abs())
}
