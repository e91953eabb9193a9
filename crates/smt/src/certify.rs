//! What the checker of proofs must know: the vocabulary of the log, as plain tables.

use base::Id;
use proof::{Checker, Constant, Head, Lit, Meaning, Rejection, Row, Vocabulary};
use term::{Op, Term};

use crate::euf::egraph::{Head as GraphHead, Node, Value};
use crate::solver::Solver;

impl Solver {
    /// What the literals of the log stand for, for the checker of lemmas.
    pub fn vocabulary(&self) -> Vocabulary<impl Fn(u32, &[Constant]) -> Option<Constant> + use<>> {
        let (_, theory, _) = self.parts();
        let graph = &theory.graph;
        let ops: Vec<Option<Op>> = (0..graph.n_heads()).map(|i| graph.head_info(GraphHead::new(i)).0).collect();
        let heads = (0..graph.n_heads())
            .map(|i| {
                let (op, commutes) = graph.head_info(GraphHead::new(i));
                let meaning = match op {
                    Some(Op::Eq) => Meaning::Equality,
                    Some(Op::Select) => Meaning::Select,
                    Some(Op::Store) => Meaning::Store,
                    Some(Op::ConstArray) => Meaning::ConstArray,
                    _ => Meaning::Function,
                };
                Head { meaning, commutes }
            })
            .collect();
        let rows = (0..graph.len())
            .map(|i| {
                let node = Node::new(i);
                Row {
                    head: graph.head_of(node).index() as u32,
                    args: graph.args(node).map(|arg| arg.index() as u32).collect(),
                    constant: graph.own_value(node).map(constant),
                    truth: theory.literal(node),
                    word: theory.word(node).map_or_else(Vec::new, <[Lit]>::to_vec),
                }
            })
            .collect();
        Vocabulary::new(heads, rows, move |head, args: &[Constant]| {
            let bits: Option<Vec<_>> = args
                .iter()
                .map(|arg| match arg {
                    Constant::Bits(bits) => Some(bits.clone()),
                    _ => None,
                })
                .collect();
            Some(match term::evaluate_operator(ops[head as usize]?, &bits?)? {
                term::Scalar::Bool(value) => Constant::Bool(value),
                term::Scalar::Bits(bits) => Constant::Bits(bits),
            })
        })
    }

    /// The literal that stands for the term in the log, if it has one.
    pub fn logged_literal(&self, term: Term) -> Option<Lit> {
        let (_, _, encoder) = self.parts();
        encoder.lit(term)
    }

    /// After `Unsat`, with a log: whether the checker accepts that the last query's assumptions (and the open
    /// levels) contradict what was asserted. The clauses that encode terms are taken as given.
    pub fn check_proof(&self) -> Result<(), Rejection> {
        let goal = self.refuted();
        if goal.iter().any(|&lit| goal.contains(&!lit)) {
            return Ok(()); // The assumptions contradict each other as they stand.
        }
        let log = self.log().ok_or(Rejection::NotDerived)?;
        let mut vocabulary = self.vocabulary();
        Checker::new(|clause: &[Lit]| vocabulary.is_lemma(clause)).check(log, &goal)
    }
}

fn constant(value: &Value) -> Constant {
    match value {
        Value::Bool(value) => Constant::Bool(*value),
        Value::Bits(bits) => Constant::Bits(bits.clone()),
        Value::Token(kind, number) => Constant::Token(*kind, *number),
    }
}
