//! Evaluation: the value of a term under a model that gives values to symbols.
//!
//! The walk is iterative and remembers the value of every shared subterm, so its cost is linear in
//! the number of different subterms. Int, Real and floating-point operators have no evaluation here
//! (solvers read them as uninterpreted); asking for one is an error, not a guess.

use std::collections::BTreeMap;

use base::{Bits, FastMap};

use crate::op::Op;
use crate::semantics::{self, Scalar};
use crate::sort::{Sort, SortKind};
use crate::store::{Symbol, Term, Terms};

/// The value of a term.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bits(Bits),
    /// An array.
    Array(Box<ArrayValue>),
    /// An element of an uninterpreted sort, identified by its number.
    Element(Sort, u32),
    /// A number of sort Int, Real or Float, as the normalised text of its numeral.
    Number(Sort, String),
}

/// An array: one element everywhere but for finitely many places.
///
/// Law: no entry holds the default; then equal arrays are equal values, given an index sort with
/// more places than entries.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    default: Value,
    entries: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// The same element everywhere.
    pub fn constant(default: Value) -> Self {
        ArrayValue { default, entries: BTreeMap::new() }
    }
    /// The element at this index.
    pub fn read(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }
    /// Changes the element at this index.
    pub fn write(&mut self, index: Value, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }
    /// The element at all indices without an entry.
    pub fn default(&self) -> &Value {
        &self.default
    }
    /// Indices with their elements where these differ from the default, in order.
    pub fn entries(&self) -> &BTreeMap<Value, Value> {
        &self.entries
    }
}

/// Why a term has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// The operator of this term has no evaluation.
    NoEvaluation(Term, Op),
    /// The model gives no value to this symbol.
    NoValue(Symbol),
    /// The model gave this symbol a value of another sort.
    WrongSort(Symbol),
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EvalError::NoEvaluation(_, op) => write!(f, "{op:?} has no evaluation"),
            EvalError::NoValue(symbol) => write!(f, "the model gives no value to {symbol:?}"),
            EvalError::WrongSort(symbol) => write!(f, "the model gives {symbol:?} a value of another sort"),
        }
    }
}

impl std::error::Error for EvalError {}

/// The value of the term; `model` gives the value of a symbol applied to values.
pub fn eval(
    terms: &Terms,
    term: Term,
    model: impl FnMut(Symbol, &[Value]) -> Option<Value>,
) -> Result<Value, EvalError> {
    Evaluator::new(model).eval(terms, term)
}

/// Evaluates several terms under one model and remembers shared parts.
pub struct Evaluator<M> {
    model: M,
    known: FastMap<Term, Value>,
}

impl<M: FnMut(Symbol, &[Value]) -> Option<Value>> Evaluator<M> {
    /// Knows nothing yet.
    pub fn new(model: M) -> Self {
        Evaluator { model, known: FastMap::new() }
    }

    /// The value of the term.
    pub fn eval(&mut self, terms: &Terms, term: Term) -> Result<Value, EvalError> {
        let mut stack = vec![term];
        let mut args = Vec::new();
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            // Only the arm that counts is evaluated, so the other one may lack an evaluation.
            let needed = match (terms.op(top), terms.args(top)) {
                (Op::Ite, &[condition, then, otherwise]) => match self.known.get(&condition) {
                    Some(Value::Bool(true)) => vec![then],
                    Some(_) => vec![otherwise],
                    None => vec![condition],
                },
                (_, args) => args.to_vec(),
            };
            stack.extend(needed.iter().rev().copied().filter(|arg| !self.known.contains_key(arg)));
            if stack.len() > before {
                continue;
            }
            args.clear();
            args.extend(needed.iter().map(|arg| self.known.get(arg).expect("arguments come first").clone()));
            let value = match terms.op(top) {
                Op::Ite => args[0].clone(),
                _ => self.apply(terms, top, &args)?,
            };
            self.known.insert(top, value);
            stack.pop();
        }
        Ok(self.known.get(&term).expect("the walk ends with the term").clone())
    }

    fn apply(&mut self, terms: &Terms, term: Term, args: &[Value]) -> Result<Value, EvalError> {
        let Op::Symbol(symbol) = terms.op(term) else { return operate(terms, term, args) };
        let value = (self.model)(symbol, args).ok_or(EvalError::NoValue(symbol))?;
        if !value.has_sort(terms, terms.sort_of(term)) {
            return Err(EvalError::WrongSort(symbol));
        }
        Ok(value)
    }
}

/// The value of a term whose head is no symbol, from the values of its arguments.
pub fn operate(terms: &Terms, term: Term, args: &[Value]) -> Result<Value, EvalError> {
    let op = terms.op(term);
    let no_evaluation = EvalError::NoEvaluation(term, op);
    let truth = |value: &Value| *value == Value::Bool(true);
    Ok(match (op, args) {
        (Op::True, _) => Value::Bool(true),
        (Op::False, _) => Value::Bool(false),
        (Op::Value, _) => Value::Bits(terms.value(term).expect("a literal has a value")),
        (Op::Numeral, _) => {
            let text = terms.numeral_text(term).expect("a numeral has a text");
            Value::Number(terms.sort_of(term), text.to_owned())
        }
        (Op::Symbol(symbol), _) => return Err(EvalError::NoValue(symbol)),
        (Op::Ite, [condition, then, otherwise]) => match truth(condition) {
            true => then.clone(),
            false => otherwise.clone(),
        },
        (Op::Not, [a]) => Value::Bool(!truth(a)),
        (Op::And, _) => Value::Bool(args.iter().all(truth)),
        (Op::Or, _) => Value::Bool(args.iter().any(truth)),
        (Op::Xor, [a, b]) => Value::Bool(a != b),
        (Op::Implies, [a, b]) => Value::Bool(!truth(a) || truth(b)),
        (Op::Eq, [a, b]) => Value::Bool(equal(terms, terms.sort_of(terms.args(term)[0]), a, b)),
        (Op::Distinct, _) => {
            let sort = terms.sort_of(terms.args(term)[0]);
            let later = |i: usize| args[i + 1..].iter();
            Value::Bool(args.iter().enumerate().all(|(i, a)| later(i).all(|b| !equal(terms, sort, a, b))))
        }
        (Op::Select, [Value::Array(array), index]) => array.read(index).clone(),
        (Op::Store, [Value::Array(array), index, element]) => {
            let mut array = array.clone();
            array.write(index.clone(), element.clone());
            Value::Array(array)
        }
        (Op::ConstArray, [element]) => Value::Array(Box::new(ArrayValue::constant(element.clone()))),
        (Op::Number(_) | Op::Fp(_), _) => return Err(no_evaluation),
        (_, _) => {
            let bits: Vec<Bits> = args.iter().filter_map(Value::as_bits).cloned().collect();
            match semantics::apply(op, &bits).ok_or(no_evaluation)? {
                Scalar::Bool(value) => Value::Bool(value),
                Scalar::Bits(bits) => Value::Bits(bits),
            }
        }
    })
}

/// Equality of values of one sort. Arrays over few indices can be equal although their defaults
/// differ: when every index has an entry, the default is nowhere.
pub fn equal(terms: &Terms, sort: Sort, a: &Value, b: &Value) -> bool {
    let (Value::Array(x), Value::Array(y), &SortKind::Array(index, element)) = (a, b, terms.sort_kind(sort)) else {
        return a == b;
    };
    let mut places: Vec<&Value> = x.entries.keys().chain(y.entries.keys()).collect();
    places.sort_unstable();
    places.dedup();
    if !places.iter().all(|place| equal(terms, element, x.read(place), y.read(place))) {
        return false;
    }
    let size = match *terms.sort_kind(index) {
        SortKind::Bool => Some(2),
        SortKind::BitVec(width) => 1u64.checked_shl(width),
        _ => None,
    };
    size == Some(places.len() as u64) || equal(terms, element, &x.default, &y.default)
}

impl Value {
    /// The bit-vector, if it is one.
    pub fn as_bits(&self) -> Option<&Bits> {
        match self {
            Value::Bits(bits) => Some(bits),
            _ => None,
        }
    }
    /// Whether the value is of this sort. Of an array the default stands for all elements.
    pub fn has_sort(&self, terms: &Terms, sort: Sort) -> bool {
        let (mut value, mut sort) = (self, sort);
        loop {
            return match (value, terms.sort_kind(sort)) {
                (Value::Bool(_), SortKind::Bool) => true,
                (Value::Bits(bits), &SortKind::BitVec(width)) => bits.width() == width,
                (Value::Array(array), &SortKind::Array(_, element)) => {
                    (value, sort) = (&array.default, element);
                    continue;
                }
                (Value::Element(of, _), SortKind::Uninterpreted(_)) => *of == sort,
                (Value::Number(of, _), SortKind::Int | SortKind::Real | SortKind::Float(..)) => *of == sort,
                _ => false,
            };
        }
    }
    /// Some value of the sort: false, zero, or the array that holds such a value everywhere.
    pub fn any(terms: &Terms, sort: Sort) -> Value {
        let (mut sort, mut depth) = (sort, 0);
        while let &SortKind::Array(_, element) = terms.sort_kind(sort) {
            (sort, depth) = (element, depth + 1);
        }
        let mut value = match *terms.sort_kind(sort) {
            SortKind::Bool => Value::Bool(false),
            SortKind::BitVec(width) => Value::Bits(Bits::zero(width)),
            SortKind::Uninterpreted(_) => Value::Element(sort, 0),
            ref number => {
                let zero = crate::numeral::normalise(number, "0").expect("zero is a number of every sort");
                Value::Number(sort, zero)
            }
        };
        for _ in 0..depth {
            value = Value::Array(Box::new(ArrayValue::constant(value)));
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_model(_: Symbol, _: &[Value]) -> Option<Value> {
        None
    }

    #[test]
    fn a_shared_chain_of_a_million_terms_is_evaluated_in_linear_time() {
        let mut terms = Terms::without_simplification();
        let mut sum = terms.bv(64, 1);
        for _ in 0..1_000_000 {
            sum = terms.bv_add(sum, sum);
        }
        assert_eq!(eval(&terms, sum, no_model), Ok(Value::Bits(Bits::zero(64))));
    }
    #[test]
    fn functions_see_the_values_of_their_arguments() {
        let mut terms = Terms::new();
        let byte = terms.bv_sort(8);
        let f = terms.declare("f", &[byte], byte).unwrap();
        let three = terms.bv(8, 3);
        let inner = terms.apply(f, &[three]);
        let outer = terms.apply(f, &[inner]);
        let double = |_: Symbol, args: &[Value]| args[0].as_bits().map(|bits| Value::Bits(bits.add(bits)));
        assert_eq!(eval(&terms, outer, double), Ok(Value::Bits(Bits::from_u64(8, 12))));
    }
    #[test]
    fn arrays_remember_what_was_written_and_compare_by_content() {
        let mut terms = Terms::without_simplification();
        let (bit, byte) = (terms.bv_sort(1), terms.bv_sort(8));
        let sort = terms.sort(SortKind::Array(bit, byte));
        let (zero, seven, low, high) = (terms.bv(8, 0), terms.bv(8, 7), terms.bv(1, 0), terms.bv(1, 1));
        let (zeros, sevens) = (terms.const_array(sort, zero), terms.const_array(sort, seven));
        let one = terms.store(zeros, low, seven);
        let both = terms.store(one, high, seven);
        let read = terms.select(one, high);
        assert_eq!(eval(&terms, read, no_model), Ok(Value::Bits(Bits::zero(8))));
        let (half, full) = (terms.eq(one, sevens), terms.eq(both, sevens));
        assert_eq!(eval(&terms, half, no_model), Ok(Value::Bool(false)));
        assert_eq!(eval(&terms, full, no_model), Ok(Value::Bool(true)));
    }
    #[test]
    fn operators_on_numbers_are_refused_but_numerals_compare() {
        let mut terms = Terms::without_simplification();
        let real = terms.sort(SortKind::Real);
        let (a, b, c) = (terms.numeral(real, "1.50"), terms.numeral(real, "3/2"), terms.numeral(real, "2"));
        let (same, other) = (terms.eq(a, b), terms.distinct(&[a, c]));
        assert_eq!(eval(&terms, same, no_model), Ok(Value::Bool(true)));
        assert_eq!(eval(&terms, other, no_model), Ok(Value::Bool(true)));
        let sum = terms.make(Op::Number(crate::NumberOp::Add), &[a, c]);
        assert!(matches!(eval(&terms, sum, no_model), Err(EvalError::NoEvaluation(..))));
    }
    #[test]
    fn the_arm_not_taken_needs_no_value() {
        let mut terms = Terms::without_simplification();
        let byte = terms.bv_sort(8);
        let (x, yes, five) = (terms.variable("x", byte), terms.truth(true), terms.bv(8, 5));
        let choice = terms.ite(yes, five, x);
        assert_eq!(eval(&terms, choice, no_model), Ok(Value::Bits(Bits::from_u64(8, 5))));
        assert!(matches!(eval(&terms, x, no_model), Err(EvalError::NoValue(_))));
        assert!(matches!(eval(&terms, x, |_, _| Some(Value::Bool(true))), Err(EvalError::WrongSort(_))));
    }
    #[test]
    fn some_value_of_a_sort_is_of_that_sort() {
        let mut terms = Terms::new();
        let (bit, float) = (terms.bv_sort(1), terms.sort(SortKind::Float(8, 24)));
        let inner = terms.sort(SortKind::Array(bit, float));
        let outer = terms.sort(SortKind::Array(bit, inner));
        let named = terms.sort(SortKind::Uninterpreted("U".into()));
        for sort in [bit, float, inner, outer, named] {
            assert!(Value::any(&terms, sort).has_sort(&terms, sort));
            assert_eq!(Value::any(&terms, sort).has_sort(&terms, bit), sort == bit);
        }
    }
}
