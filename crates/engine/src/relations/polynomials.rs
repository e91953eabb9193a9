//! Polynomial equations between variables at loop heads, modulo 2^w: `2*s = i*i + i`, `x = n*n*n`.
//!
//! Guess and check [SharmaGuptaHariharanAikenLiangNori-ESOP'13]: the program is run on random inputs from cutpoint to
//! cutpoint; each state at a head is a row with the values of all products of few variables, and what is orthogonal to
//! all rows is an equation that has held so far. Rows are numbers modulo a large prime: there every number but zero can be
//! divided by, and equations that hold only modulo a power of two do not get mixed up with the others. Equations that the
//! program asserts are guessed as well: often they are what it takes. A guess is kept if the equations at the start of each block, put
//! into its end, leave nothing: polynomials are multiplied out and divided by one another (see `term::sums`), because
//! circuits of products are too hard a question.

use base::{Budget, FastMap, IndexVec, Random, Stopped};
use encode::{Blocks, Cut, CutKind};
use program::Program;
use smt::{Answer, Query, Solver};
use term::sums::{Products, contradict, is_product, solve};
use term::{Evaluator, Op, SortKind, Substitution, Symbol, Term, Terms, Value};

use super::affine::number;
use crate::context::Context;
use crate::tuning::Tuning;

/// Equations by cutpoint, inductive together with what is known.
pub(crate) fn polynomials(
    cx: &mut Context<'_>,
    known: &IndexVec<Cut, Vec<Term>>,
) -> Result<IndexVec<Cut, Vec<Term>>, Stopped> {
    let (program, blocks, budget) = (cx.program(), cx.blocks, cx.run.budget);
    let terms = &mut *cx.terms;
    let mut candidates: IndexVec<Cut, Vec<Term>> = blocks.cutpoints.iter().map(|_| Vec::new()).collect();
    let states = states(program, terms, blocks, budget)?;
    let asserted = asserted(terms, blocks);
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated() {
        if cutpoint.kind == CutKind::Head {
            let symbols: Vec<Term> = cutpoint.state.iter().map(|&var| program.vars[var].term).collect();
            let is_about_it = |used: &[Term]| used.iter().all(|used| symbols.contains(used));
            let fitting = asserted.iter().filter(|(_, used)| is_about_it(used));
            candidates[cut] = fitting.map(|&(equation, _)| equation).collect();
            for equation in guess(program, terms, blocks, cut, &known[cut], &states[cut]) {
                if !candidates[cut].contains(&equation) {
                    candidates[cut].push(equation);
                }
            }
        }
    }
    keep_inductive(cx, known, &mut candidates)?;
    Ok(candidates)
}

/// The equations without those that the others can do without: these are still inductive, and enough. Every equation has to
/// be checked, and most are multiples of a few.
pub(crate) fn fewest(
    cx: &mut Context<'_>,
    known: &IndexVec<Cut, Vec<Term>>,
    mut equations: IndexVec<Cut, Vec<Term>>,
    is_enough: impl Fn(&mut Context<'_>, &IndexVec<Cut, Vec<Term>>) -> bool,
) -> Result<IndexVec<Cut, Vec<Term>>, Stopped> {
    let cuts: Vec<Cut> = equations.ids().collect();
    for cut in cuts {
        // The last ones have the highest degrees.
        for at in (0..equations[cut].len()).rev() {
            let mut fewer = equations.clone();
            fewer[cut].remove(at);
            if is_enough(cx, &fewer) {
                let mut kept = fewer.clone();
                keep_inductive(cx, known, &mut kept)?;
                if kept == fewer {
                    equations = fewer;
                }
            }
        }
    }
    Ok(equations)
}

/// Whether something is multiplied, in blocks that are not too large: otherwise linear equations say it all.
pub(crate) fn multiplies(terms: &Terms, blocks: &Blocks) -> bool {
    let parts = terms.subterms(&results(blocks));
    parts.len() <= Tuning::DEFAULT.polynomials_block_terms && parts.iter().any(|&part| is_product(terms, part))
}

/// Equations in the guards of errors, each with the symbols it is about.
fn asserted(terms: &Terms, blocks: &Blocks) -> Vec<(Term, Vec<Term>)> {
    let is_error = |to: Cut| matches!(blocks.cutpoints[to].kind, CutKind::Error(_));
    let exits = blocks.blocks.iter().flat_map(|block| &block.exits);
    let guards: Vec<Term> = exits.filter(|exit| is_error(exit.to)).map(|exit| exit.guard).collect();
    let is_equation = |&part: &Term| {
        terms.op(part) == Op::Eq
            && matches!(terms.sort_kind(terms.sort_of(terms.arg(part, 0))), SortKind::BitVec(16..=64))
    };
    let equations = terms.subterms(&guards).into_iter().filter(is_equation);
    let symbols = |equation: Term| {
        let parts = terms.subterms(&[equation]).into_iter();
        parts.filter(|&part| matches!(terms.op(part), Op::Symbol(_))).collect()
    };
    equations.map(|equation| (equation, symbols(equation))).take(Tuning::DEFAULT.polynomials_asserted).collect()
}

/// The words of one width at the head, narrower ones included that the program extends to it.
fn words(program: &Program, terms: &Terms, blocks: &Blocks, head: Cut) -> Vec<(u32, Vec<Term>)> {
    let mut all: Vec<(u32, Vec<Term>)> = Vec::new();
    let own: Vec<Term> = blocks.cutpoints[head].state.iter().map(|&var| program.vars[var].term).collect();
    let is_extended = |&part: &Term| {
        matches!(terms.op(part), Op::SignExtend(_) | Op::ZeroExtend(_)) && own.contains(&terms.arg(part, 0))
    };
    let extended: Vec<Term> = terms.subterms(&results(blocks)).into_iter().filter(is_extended).collect();
    for &word in own.iter().chain(&extended) {
        let SortKind::BitVec(width @ 16..=64) = *terms.sort_kind(terms.sort_of(word)) else { continue };
        match all.iter_mut().find(|(other, _)| *other == width) {
            Some((_, list)) => list.push(word),
            None => all.push((width, vec![word])),
        }
    }
    all
}

/// What blocks compute: values and guards.
pub(super) fn results(blocks: &Blocks) -> Vec<Term> {
    let exits = blocks.blocks.iter().flat_map(|block| &block.exits);
    exits.flat_map(|exit| exit.values.iter().map(|&(_, value)| value).chain([exit.guard])).collect()
}

type State = FastMap<Symbol, Value>;

/// States that runs come by, by cutpoint.
fn states(
    program: &Program,
    terms: &Terms,
    blocks: &Blocks,
    budget: &Budget,
) -> Result<IndexVec<Cut, Vec<State>>, Stopped> {
    let mut random = Random::new(7);
    let mut met: IndexVec<Cut, Vec<State>> = blocks.cutpoints.iter().map(|_| Vec::new()).collect();
    for run in 0..Tuning::DEFAULT.polynomials_runs {
        let mut any = |terms: &Terms, symbol: Term| match *terms.sort_kind(terms.sort_of(symbol)) {
            SortKind::Bool => Some(Value::Bool(random.one_in(2))),
            SortKind::BitVec(width @ 1..=64) => {
                let value = match run % 3 {
                    0 => random.below(12),
                    1 => random.below(60),
                    _ => random.bits() >> random.below(64),
                };
                Some(Value::Bits(base::Bits::from_u64(width, value & (u64::MAX >> (64 - width)))))
            }
            _ => None,
        };
        let mut state = State::new();
        for &var in &blocks.cutpoints[blocks.entry()].state {
            let term = program.vars[var].term;
            if let (Op::Symbol(symbol), Some(value)) = (terms.op(term), any(terms, term)) {
                state.insert(symbol, value);
            }
        }
        let mut at = blocks.entry();
        for _ in 0..Tuning::DEFAULT.polynomials_run_steps {
            budget.spend(Tuning::DEFAULT.polynomials_step_ticks)?;
            let block = &blocks.blocks[at];
            let mut inputs = State::new();
            for input in &block.inputs {
                if let (Op::Symbol(symbol), Some(value)) = (terms.op(input.symbol), any(terms, input.symbol)) {
                    inputs.insert(symbol, value);
                }
            }
            let mut evaluator = Evaluator::new(|symbol: Symbol, _: &[Value]| {
                state.get(&symbol).or_else(|| inputs.get(&symbol)).cloned()
            });
            let mut taken = None;
            for exit in &block.exits {
                if evaluator.eval(terms, exit.guard) == Ok(Value::Bool(true)) {
                    taken = Some(exit);
                    break;
                }
            }
            let Some(exit) = taken else { break };
            let mut changes = Vec::new();
            for &(var, value) in &exit.values {
                if let (Op::Symbol(symbol), Ok(value)) =
                    (terms.op(program.vars[var].term), evaluator.eval(terms, value))
                {
                    changes.push((symbol, value));
                }
            }
            drop(evaluator);
            for (symbol, value) in changes {
                state.insert(symbol, value);
            }
            at = exit.to;
            if blocks.cutpoints[at].kind == CutKind::Head {
                met[at].push(state.clone());
            }
        }
    }
    Ok(met)
}

/// Equations that hold in all these states.
fn guess(
    program: &Program,
    terms: &mut Terms,
    blocks: &Blocks,
    head: Cut,
    known: &[Term],
    states: &[State],
) -> Vec<Term> {
    let mut found = Vec::new();
    // What others determine would only make products many.
    let determined: Vec<Term> =
        solve(terms, known, Products::Whole).values.into_iter().map(|(symbol, _)| symbol).collect();
    for (width, mut words) in words(program, terms, blocks, head) {
        words.retain(|word| !determined.contains(word));
        let rows: Vec<Vec<u64>> = states
            .iter()
            .filter_map(|state| {
                let mut evaluator = Evaluator::new(|symbol: Symbol, _: &[Value]| state.get(&symbol).cloned());
                let mut value = |&word: &Term| residue(number(evaluator.eval(terms, word).ok()?), width);
                words.iter().map(&mut value).collect::<Option<Vec<u64>>>()
            })
            .collect();
        // Low degrees first: in higher ones the same equations come mixed with others.
        for degree in 2..=Tuning::DEFAULT.polynomials_degree {
            let products = products(&words, degree);
            if products.len() > Tuning::DEFAULT.polynomials_products || rows.len() <= products.len() {
                break; // Too many, or too few states to conclude anything.
            }
            let mut matrix = Vec::new();
            for values in &rows {
                let value = |product: &Vec<usize>| product.iter().fold(1, |all, &word| times(all, values[word]));
                matrix.push(products.iter().map(value).chain([1]).collect());
            }
            let whole: Vec<Term> = products
                .iter()
                .map(|product| product[1..].iter().fold(words[product[0]], |all, &word| terms.bv_mul(all, words[word])))
                .collect();
            for form in orthogonal(matrix) {
                let n_used = form.iter().filter(|&&entry| entry != 0).count();
                let is_linear = form.iter().zip(&products).all(|(&entry, product)| entry == 0 || product.len() == 1);
                if is_linear || n_used > Tuning::DEFAULT.polynomials_equation_terms {
                    continue;
                }
                if let Some(form) = with_small_coefficients(&form, width) {
                    let (left, right) = super::affine::sides(terms, width, &whole, &form);
                    let equation = terms.eq(left, right);
                    if !found.contains(&equation) {
                        found.push(equation);
                    }
                }
            }
        }
    }
    found
}

/// law: a prime, so that all numbers but zero can be divided by.
const PRIME: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

/// A word as a signed number modulo the prime, if it is near to zero.
fn residue(word: u64, width: u32) -> Option<u64> {
    let negated = word.wrapping_neg() & (u64::MAX >> (64 - width));
    match (word < Tuning::DEFAULT.polynomials_far_number, negated < Tuning::DEFAULT.polynomials_far_number) {
        (true, _) => Some(word),
        (_, true) => Some(PRIME - negated),
        _ => None,
    }
}

/// Generators of the forms that are zero on all rows, by elimination.
fn orthogonal(mut rows: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..columns {
        let at = pivots.len();
        let Some(found) = (at..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(at, found);
        let inverse = power(rows[at][column], PRIME - 2);
        rows[at].iter_mut().for_each(|entry| *entry = times(*entry, inverse));
        let pivot = rows[at].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if number != at && factor != 0 {
                for (entry, &own) in row.iter_mut().zip(&pivot) {
                    *entry = (*entry + PRIME - times(own, factor)) % PRIME;
                }
            }
        }
        pivots.push(column);
    }
    let free = (0..columns).filter(|column| !pivots.contains(column));
    free.map(|free| {
        let mut form = vec![0; columns];
        form[free] = 1;
        for (row, &column) in pivots.iter().enumerate() {
            form[column] = (PRIME - rows[row][free]) % PRIME;
        }
        form
    })
    .collect()
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// The form times a small number that makes its coefficients small integers, as words: elimination has divided them.
fn with_small_coefficients(form: &[u64], width: u32) -> Option<Vec<u64>> {
    let mask = u64::MAX >> (64 - width);
    let word = |entry: u64| match entry {
        small if small <= Tuning::DEFAULT.polynomials_coefficient => Some(small),
        negative if PRIME - negative <= Tuning::DEFAULT.polynomials_coefficient => {
            Some((PRIME - negative).wrapping_neg() & mask)
        }
        _ => None,
    };
    (1..=Tuning::DEFAULT.polynomials_divisor)
        .find_map(|factor| form.iter().map(|&entry| word(times(entry, factor))).collect())
}

/// All products of at most `degree` words, by their numbers.
fn products(words: &[Term], degree: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut last: Vec<Vec<usize>> = (0..words.len()).map(|word| vec![word]).collect();
    for _ in 0..degree {
        if all.len() + last.len() > 4 * Tuning::DEFAULT.polynomials_products {
            return (0..=Tuning::DEFAULT.polynomials_products).map(|_| Vec::new()).collect(); // Too many, and that is all that counts.
        }
        let next = last.iter().flat_map(|product| {
            let least = *product.last().expect("products have factors");
            (least..words.len()).map(move |word| [product.as_slice(), &[word]].concat())
        });
        let next: Vec<Vec<usize>> = next.collect();
        all.append(&mut last);
        last = next;
    }
    all
}

/// Drops what some block does not keep, until nothing is dropped any more.
fn keep_inductive(
    cx: &mut Context<'_>,
    known: &IndexVec<Cut, Vec<Term>>,
    candidates: &mut IndexVec<Cut, Vec<Term>>,
) -> Result<(), Stopped> {
    let (program, blocks, budget) = (cx.program(), cx.blocks, cx.run.budget);
    let terms = &mut *cx.terms;
    let mut exact: FastMap<(Cut, usize), Vec<Term>> = FastMap::new();
    loop {
        let mut dropped: Vec<(Cut, Term)> = Vec::new();
        for (from, block) in blocks.blocks.iter_enumerated() {
            for (at, exit) in block.exits.iter().enumerate() {
                if candidates[exit.to].is_empty() {
                    continue;
                }
                if !exact.contains_key(&(from, at)) {
                    let values: Vec<Term> = exit.values.iter().map(|&(_, value)| value).collect();
                    exact.insert((from, at), as_numbers(terms, &values, &known[from], exit.guard, budget)?);
                }
                let exact = &exact[&(from, at)];
                let pairs: Vec<(Term, Term)> =
                    exit.values.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
                let mut put_in = Substitution::new(terms, &pairs);
                for &candidate in &candidates[exit.to] {
                    if dropped.contains(&(exit.to, candidate)) {
                        continue;
                    }
                    let goal = put_in.apply(terms, candidate);
                    let mut formulas: Vec<Term> =
                        candidates[from].iter().chain(&known[from]).chain(exact).copied().collect();
                    formulas.extend([exit.guard, terms.not(goal)]);
                    if !exclude(terms, &formulas, budget)? {
                        dropped.push((exit.to, candidate));
                    }
                }
            }
        }
        if dropped.is_empty() {
            return Ok(());
        }
        for (cut, candidate) in dropped {
            candidates[cut].retain(|&other| other != candidate);
        }
    }
}

/// Equations that would hold for numbers and do so here (see `term::sums::exact`): in these values and the guard, if that
/// is true and the formulas hold.
pub(crate) fn as_numbers(
    terms: &mut Terms,
    values: &[Term],
    known: &[Term],
    guard: Term,
    budget: &Budget,
) -> Result<Vec<Term>, Stopped> {
    let roots: Vec<Term> = values.iter().copied().chain([guard]).collect();
    let candidates = term::sums::exact(terms, &roots);
    if candidates.is_empty() {
        return Ok(candidates);
    }
    let premises = terms.conjuncts(&[known, &[guard]].concat());
    let is_light = |&premise: &Term| !terms.subterms(&[premise]).iter().any(|&part| is_product(terms, part));
    let premises: Vec<Term> = premises.into_iter().filter(is_light).collect();
    let mut solver = Solver::new();
    let mut shown = Vec::new();
    for candidate in candidates {
        let mut assumptions = premises.clone();
        assumptions.push(terms.not(candidate));
        let part = budget.part(Tuning::DEFAULT.polynomials_exact_ticks);
        let answer = solver.check(terms, &Query::assuming(&assumptions), &part);
        match answer {
            Ok(Answer::Unsat(_)) => shown.push(candidate),
            Err(Stopped::Cancelled) => return Err(Stopped::Cancelled),
            Ok(_) | Err(Stopped::OutOfTicks) => {}
        }
    }
    Ok(shown)
}

/// Whether polynomials alone show that not all of these can hold.
pub(crate) fn exclude(terms: &mut Terms, formulas: &[Term], budget: &Budget) -> Result<bool, Stopped> {
    let mut cases = Tuning::DEFAULT.polynomials_cases;
    let is_excluded = contradict(terms, formulas, &mut cases);
    budget.spend((Tuning::DEFAULT.polynomials_cases - cases) as u64 * Tuning::DEFAULT.polynomials_case_ticks)?;
    Ok(is_excluded)
}
