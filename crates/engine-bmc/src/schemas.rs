//! Lemma schemas: what is true of products, quotients and remainders without their circuits.
//!
//! A schema speaks of `x`, `y` and `r`, where `r` stands for the result. An instance that the model breaks rules the
//! model out, and many others with it, for a handful of clauses; the list is a small part of the one that
//! [NiemetzPreinerZohar-CAV'24] found useful. Only what is cheap to prove is in it, because evidence
//! names the schemas that were used and the checker proves each of them bit by bit.

use base::FastMap;
use term::{Op, Substitution, Term, Terms, Value};

/// Schemas by operator and width, made when first needed.
#[derive(Default)]
pub(crate) struct Schemas {
    known: FastMap<(Op, u32), Vec<Schema>>,
    /// The lemmas that were used, in general form.
    pub used: Vec<Term>,
}

#[derive(Clone, Copy)]
struct Schema {
    symbols: [Term; 3],
    /// Over all three.
    formula: Term,
    /// The same with the operator for the third.
    lemma: Term,
}

impl Schemas {
    /// An instance for this operator that its values break, if there is one: the values of both arguments and the
    /// result.
    pub fn broken(&mut self, terms: &mut Terms, site: Term, values: &[Value; 3]) -> Option<Term> {
        let &[left, right] = terms.args(site) else { return None };
        let key = (terms.op(site), terms.width(site));
        if !self.known.contains_key(&key) {
            let made = schemas(terms, key.0, key.1);
            self.known.insert(key, made);
        }
        for schema in self.known.get(&key)?.clone() {
            let mut value = |symbol: term::Symbol, _: &[Value]| {
                let place = schema.symbols.iter().position(|&term| terms.op(term) == Op::Symbol(symbol))?;
                Some(values[place].clone())
            };
            if term::eval::eval(terms, schema.formula, &mut value) != Ok(Value::Bool(false)) {
                continue;
            }
            let [x, y, r] = schema.symbols;
            let instance = Substitution::new(terms, &[(x, left), (y, right), (r, site)]).apply(terms, schema.formula);
            if !self.used.contains(&schema.lemma) {
                self.used.push(schema.lemma);
            }
            return Some(instance);
        }
        None
    }
}

fn schemas(terms: &mut Terms, op: Op, width: u32) -> Vec<Schema> {
    let sort = terms.bv_sort(width);
    let symbols = ["x", "y", "r"].map(|name| terms.variable(&format!("lemma!{name}{width}"), sort));
    let [x, y, r] = symbols;
    let (zero, one) = (terms.bv(width, 0), terms.bv(width, 1));
    let mut formulas = Vec::new();
    // premise => conclusion, all of them equalities or orders between x, y, r and constants.
    match op {
        Op::BvMul => {
            for (a, b) in [(x, y), (y, x)] {
                let (is_zero, is_one) = (terms.eq(a, zero), terms.eq(a, one));
                let (gives_zero, gives_other) = (terms.eq(r, zero), terms.eq(r, b));
                formulas.push(terms.implies(is_zero, gives_zero));
                formulas.push(terms.implies(is_one, gives_other));
            }
        }
        Op::BvUdiv => {
            let (is_one, is_x) = (terms.eq(y, one), terms.eq(r, x));
            formulas.push(terms.implies(is_one, is_x));
            let (divides, is_small) = (terms.ne(y, zero), terms.bv_ule(r, x));
            formulas.push(terms.implies(divides, is_small));
            let (smaller, is_zero) = (terms.bv_ult(x, y), terms.eq(r, zero));
            formulas.push(terms.implies(smaller, is_zero));
        }
        Op::BvSdiv => {
            let (is_one, is_x) = (terms.eq(y, one), terms.eq(r, x));
            formulas.push(terms.implies(is_one, is_x));
        }
        Op::BvUrem => {
            let (is_one, is_zero) = (terms.eq(y, one), terms.eq(r, zero));
            formulas.push(terms.implies(is_one, is_zero));
            let (smaller, is_x) = (terms.bv_ult(x, y), terms.eq(r, x));
            formulas.push(terms.implies(smaller, is_x));
            let (divides, is_below) = (terms.ne(y, zero), terms.bv_ult(r, y));
            formulas.push(terms.implies(divides, is_below));
            formulas.push(terms.bv_ule(r, x));
        }
        Op::BvSrem => {
            let (is_positive, is_below) = (terms.bv_slt(zero, y), terms.bv_slt(r, y));
            formulas.push(terms.implies(is_positive, is_below));
            let (from_zero, is_not_negative) = (terms.bv_sle(zero, x), terms.bv_sle(zero, r));
            formulas.push(terms.implies(from_zero, is_not_negative));
        }
        Op::BvShl | Op::BvLshr | Op::BvAshr => {
            if op == Op::BvLshr {
                formulas.push(terms.bv_ule(r, x));
            }
            let (by_zero, is_x) = (terms.eq(y, zero), terms.eq(r, x));
            formulas.push(terms.implies(by_zero, is_x));
            let (is_zero, gives_zero) = (terms.eq(x, zero), terms.eq(r, zero));
            formulas.push(terms.implies(is_zero, gives_zero));
        }
        _ => {}
    }
    let result = match op {
        Op::BvMul => terms.bv_mul(x, y),
        Op::BvUdiv => terms.bv_udiv(x, y),
        Op::BvSdiv => terms.bv_sdiv(x, y),
        Op::BvUrem => terms.bv_urem(x, y),
        Op::BvSrem => terms.bv_srem(x, y),
        Op::BvShl => terms.bv_shl(x, y),
        Op::BvLshr => terms.bv_lshr(x, y),
        Op::BvAshr => terms.bv_ashr(x, y),
        _ => return Vec::new(),
    };
    let general = |formula: Term| {
        let lemma = Substitution::new(terms, &[(r, result)]).apply(terms, formula);
        Schema { symbols, formula, lemma }
    };
    formulas.into_iter().map(general).collect()
}

#[cfg(test)]
mod tests {
    use base::Bits;

    use super::*;

    const OPS: [Op; 8] = [Op::BvMul, Op::BvUdiv, Op::BvSdiv, Op::BvUrem, Op::BvSrem, Op::BvShl, Op::BvLshr, Op::BvAshr];

    #[test]
    fn every_schema_is_valid_for_all_values_of_four_bits() {
        for op in OPS {
            let mut terms = Terms::new();
            let made = schemas(&mut terms, op, 4);
            assert!(!made.is_empty(), "{op:?} has schemas");
            for schema in made {
                for number in 0..256u64 {
                    let mut value = |symbol: term::Symbol, _: &[Value]| {
                        let place = schema.symbols.iter().position(|&term| terms.op(term) == Op::Symbol(symbol))?;
                        Some(Value::Bits(Bits::from_u64(4, number >> (4 * place))))
                    };
                    let holds = term::eval::eval(&terms, schema.lemma, &mut value);
                    assert_eq!(holds, Ok(Value::Bool(true)), "{}", terms.to_smtlib(schema.lemma));
                }
            }
        }
    }
    #[test]
    fn a_wrong_result_breaks_an_instance_and_a_right_one_breaks_none() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let (a, b) = (terms.variable("a", sort), terms.variable("b", sort));
        let product = terms.bv_mul(a, b);
        let mut schemas = Schemas::default();
        let [zero, nine, five] = [0, 9, 5].map(|number| Value::Bits(Bits::from_u64(8, number)));
        let wrong = schemas.broken(&mut terms, product, &[zero.clone(), nine.clone(), five.clone()]);
        assert!(wrong.is_some() && schemas.used.len() == 1);
        assert!(schemas.broken(&mut terms, product, &[zero.clone(), nine.clone(), zero]).is_none());
        assert!(schemas.broken(&mut terms, product, &[nine.clone(), nine, five]).is_none());
    }
}
