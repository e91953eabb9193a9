//! Blocks whose products may be anything.
//!
//! Circuits of products make every question about a block hard, and most relations do not depend on them. A product of two
//! unknowns, or a quotient by one, becomes a symbol of its own, the same wherever it occurs: what is inductive then is
//! inductive.

use encode::{Block, Blocks, Exit};
use term::sums::is_product;
use term::{Op, Substitution, Term, Terms};

use super::polynomials::results;

/// The blocks with symbols for products; none if there are no products.
pub(crate) fn freed(terms: &mut Terms, blocks: &Blocks) -> Option<Blocks> {
    let is_hard = |part: Term| match terms.op(part) {
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => !terms.is_value(terms.arg(part, 1)),
        _ => is_product(terms, part),
    };
    let products: Vec<Term> = terms.subterms(&results(blocks)).into_iter().filter(|&part| is_hard(part)).collect();
    if products.is_empty() {
        return None;
    }
    let mut pairs = Vec::new();
    for (number, &product) in products.iter().enumerate() {
        let symbol = terms.variable(&format!("product{number}!{}", terms.width(product)), terms.sort_of(product));
        pairs.push((product, symbol));
    }
    let mut put_in = Substitution::new(terms, &pairs);
    let mut freed = blocks.clone();
    for (from, block) in blocks.blocks.iter_enumerated() {
        let mut exits = Vec::new();
        for exit in &block.exits {
            let values = exit.values.iter().map(|&(var, value)| (var, put_in.apply(terms, value))).collect();
            exits.push(Exit { to: exit.to, guard: put_in.apply(terms, exit.guard), values });
        }
        freed.blocks[from] = Block { exits, ..block.clone() };
    }
    Some(freed)
}
