//! Propositional queries as IC3 asks them, against `batsat`: the same clauses, a new cube of assumptions each time,
//! core wanted.
//!
//! Two relations: a circuit of words with guarded updates, as programs give it, and random ternary clauses. Lemmas
//! about the state belong to frames; a query assumes the activation literals of a frame and those above
//! it, then a cube over the state and one over the next state. With a domain, only the cone of the cube is
//! decided.

use base::{Budget, Random};
use batsat::{SolverInterface as _, lbool};
use sat::{Lit, NoTheory, Outcome, Query, SatVar, Solver};

use super::circuit::{Circuit, Word};
use super::{Bench, processor_seconds};

const WIDTH: usize = 8;
const FRAMES: usize = 6;

/// A transition relation, and the literals that cubes are made of.
pub(super) struct Relation {
    pub name: &'static str,
    /// Whether every model of a cone extends to all gates.
    pub is_circuit: bool,
    pub circuit: Circuit,
    /// How many of the clauses are the relation; the rest are lemmas.
    pub n_gate_clauses: usize,
    pub state: Vec<Lit>,
    pub next: Vec<Lit>,
    /// By frame: the literal that switches its lemmas on.
    pub frames: Vec<Lit>,
}

/// Words that are updated under guards.
pub(super) fn guarded_words(name: &'static str, n_words: usize, seed: u64) -> Relation {
    let mut random = Random::new(seed);
    let mut circuit = Circuit::default();
    let words: Vec<Word> = (0..n_words).map(|_| circuit.word(WIDTH)).collect();
    let inputs: Vec<Word> = (0..4).map(|_| circuit.word(WIDTH)).collect();
    let mut next = Vec::new();
    for word in &words {
        let mut value = word.clone();
        for _ in 0..3 {
            let (a, b, c) = (random.pick(&words).clone(), random.pick(&words).clone(), random.pick(&inputs).clone());
            let guard = circuit.less(&a, &c);
            let update: Word = match random.below(3) {
                0 => circuit.add(&a, &b),
                1 => a.iter().zip(&b).map(|(&x, &y)| circuit.xor(x, y)).collect(),
                _ => a.iter().zip(&c).map(|(&x, &y)| circuit.and(x, y)).collect(),
            };
            value = update.iter().zip(&value).map(|(&yes, &no)| circuit.mux(guard, yes, no)).collect();
        }
        next.extend(value);
    }
    with_lemmas(name, circuit, words.concat(), next, &mut random)
}

/// Random ternary clauses over the state, intermediate bits and the next state.
pub(super) fn random_clauses(seed: u64) -> Relation {
    let mut random = Random::new(seed);
    let mut circuit = Circuit::default();
    let bits = circuit.word(2000);
    for _ in 0..5600 {
        let clause = [(); 3].map(|()| either(&mut random, &bits));
        circuit.clause(&clause);
    }
    let n = 24 * WIDTH;
    with_lemmas("random clauses", circuit, bits[..n].to_vec(), bits[2000 - n..].to_vec(), &mut random)
}

fn either(random: &mut Random, lits: &[Lit]) -> Lit {
    let lit = *random.pick(lits);
    if random.one_in(2) { lit } else { !lit }
}

fn with_lemmas(
    name: &'static str,
    mut circuit: Circuit,
    state: Vec<Lit>,
    next: Vec<Lit>,
    random: &mut Random,
) -> Relation {
    let n_gate_clauses = circuit.clauses.len();
    let frames = circuit.word(FRAMES);
    for &frame in &frames {
        for _ in 0..state.len() / 3 {
            let mut lemma: Vec<Lit> = (0..2 + random.below(3)).map(|_| either(random, &state)).collect();
            lemma.push(!frame);
            circuit.clause(&lemma);
        }
    }
    Relation { name, is_circuit: name != "random clauses", circuit, n_gate_clauses, state, next, frames }
}

/// Frames, then cubes over the state and over the next state, each about a few words.
pub(super) fn cubes(relation: &Relation, count: u64, seed: u64) -> Vec<Vec<Lit>> {
    let mut random = Random::new(seed + 1);
    let mut some = |len: u64, from: &[Lit]| -> Vec<Lit> {
        let words = [(); 2].map(|()| random.below((from.len() / WIDTH) as u64) as usize * WIDTH);
        let mut cube: Vec<Lit> = (0..len)
            .map(|_| {
                let at = *random.pick(&words);
                either(&mut random, &from[at..at + WIDTH])
            })
            .collect();
        cube.sort_unstable();
        cube.dedup_by_key(|lit| lit.var());
        cube
    };
    (0..count)
        .map(|i| {
            // Obligations come from deep frames first, a few of each in a row.
            let mut cube = relation.frames[(i / 8 % FRAMES as u64) as usize..].to_vec();
            cube.reverse();
            cube.extend(some(8 + i % 9, &relation.state));
            cube.extend(some(8 + i % 8, &relation.next));
            cube
        })
        .collect()
}

/// What one solver made of all cubes.
#[derive(Default)]
struct Run {
    sat: u64,
    unsat: u64,
    core: u64,
    seconds: f64,
}

fn ours(relation: &Relation, cubes: &[Vec<Lit>], domains: Option<&[Vec<SatVar>]>) -> Run {
    let mut solver = Solver::new();
    solver.add_all(&relation.circuit.clauses);
    let budget = Budget::default();
    let mut run = Run::default();
    let start = processor_seconds();
    for (i, cube) in cubes.iter().enumerate() {
        let query = Query { assumptions: cube, clause: None, domain: domains.map(|domains| &domains[i][..]) };
        match solver.solve(&mut NoTheory, &query, &budget) {
            Ok(Outcome::Sat) => run.sat += 1,
            _ => {
                run.unsat += 1;
                run.core += solver.core().len() as u64;
            }
        }
    }
    run.seconds = processor_seconds() - start;
    run
}

fn batsat(relation: &Relation, cubes: &[Vec<Lit>]) -> Run {
    let mut solver = batsat::BasicSolver::default();
    for _ in 0..relation.circuit.n_vars {
        solver.new_var_default();
    }
    let theirs = |lits: &[Lit], solver: &mut batsat::BasicSolver| -> Vec<batsat::Lit> {
        lits.iter().map(|lit| batsat::Lit::new(solver.var_of_int(lit.var().0), lit.is_positive())).collect()
    };
    for clause in &relation.circuit.clauses {
        let mut clause = theirs(clause, &mut solver);
        solver.add_clause_reuse(&mut clause);
    }
    let cubes: Vec<Vec<batsat::Lit>> = cubes.iter().map(|cube| theirs(cube, &mut solver)).collect();
    let mut run = Run::default();
    let start = processor_seconds();
    for cube in &cubes {
        if solver.solve_limited(cube) == lbool::TRUE {
            run.sat += 1;
        } else {
            run.unsat += 1;
            run.core += solver.unsat_core().len() as u64;
        }
    }
    run.seconds = processor_seconds() - start;
    run
}

/// By cube: the variables in the cones of its literals. Every gate's clauses name its output last made.
fn cones(relation: &Relation, cubes: &[Vec<Lit>]) -> Vec<Vec<SatVar>> {
    let mut inputs: Vec<Vec<SatVar>> = vec![Vec::new(); relation.circuit.n_vars as usize];
    for clause in &relation.circuit.clauses[..relation.n_gate_clauses] {
        let output = clause.iter().map(|lit| lit.var()).max().expect("a gate's clause has literals");
        inputs[output.index()].extend(clause.iter().map(|lit| lit.var()).filter(|&var| var != output));
    }
    let cone = |cube: &Vec<Lit>| {
        // Lemmas speak of the state, so all of it belongs to every cone.
        let mut todo: Vec<SatVar> = cube.iter().chain(&relation.state).map(|lit| lit.var()).collect();
        let mut seen = vec![false; inputs.len()];
        let mut found = Vec::new();
        while let Some(var) = todo.pop() {
            if !std::mem::replace(&mut seen[var.index()], true) {
                found.push(var);
                todo.extend(&inputs[var.index()]);
            }
        }
        found
    };
    cubes.iter().map(cone).collect()
}

/// Ours, ours with a domain, and `batsat`.
pub(super) fn measure(bench: &Bench) -> Result<String, String> {
    let mut text = format!(
        "{} queries each, the same clauses, a new cube of 10 to 30 assumptions, core wanted; processor time. With a domain only the cone of \
         the cube is decided,\nwhich is right for circuits.\n\n\
         | relation | variables | clauses | sat | unsat | solver | µs a query | mean core | batsat's time in ours |\n\
         |---|---|---|---|---|---|---|---|---|\n",
        bench.queries
    );
    let relations = [
        guarded_words("6 guarded words", 6, bench.seed),
        guarded_words("24 guarded words", 24, bench.seed),
        random_clauses(bench.seed),
    ];
    for relation in relations {
        let cubes = cubes(&relation, bench.queries, bench.seed);
        let their = batsat(&relation, &cubes);
        let mut rows = vec![("Uforia", ours(&relation, &cubes, None))];
        if relation.is_circuit {
            rows.push(("Uforia, domain", ours(&relation, &cubes, Some(&cones(&relation, &cubes)))));
        }
        let seconds = their.seconds;
        rows.push(("batsat 0.6", their));
        for (solver, run) in &rows {
            if (run.sat, run.unsat) != (rows[0].1.sat, rows[0].1.unsat) {
                return Err(format!("{}: {solver} says {} sat and {} unsat", relation.name, run.sat, run.unsat));
            }
            text.push_str(&format!(
                "| {} | {} | {} | {} | {} | {solver} | {:.1} | {:.2} | {:.2} |\n",
                relation.name,
                relation.circuit.n_vars,
                relation.circuit.clauses.len(),
                run.sat,
                run.unsat,
                run.seconds * 1e6 / bench.queries as f64,
                run.core as f64 / run.unsat.max(1) as f64,
                seconds / run.seconds
            ));
        }
    }
    Ok(text)
}
