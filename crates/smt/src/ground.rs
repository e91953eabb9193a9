//! Clauses with a vocabulary in, a log out: the search for callers with their own encoding.
//!
//! The caller has made clauses over numbered variables and rows that say what some of the variables stand for, in
//! the words of `proof`. What comes back is a refutation in the same words, which the caller replays
//! with a checker of his own, or a model of clauses and equality.

use base::{Budget, Stopped};
use proof::{Constant, Head, Lit, Log, Meaning, Row};
use sat::{NoTheory, Outcome, Query};
use term::Op;

use crate::euf::egraph::{Head as GraphHead, Node, Value};
use crate::euf::theory::Euf;
use crate::tuning::Tuning;

/// What is to be refuted.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Variables count from zero to below this.
    pub n_vars: u32,
    /// The clauses.
    pub clauses: &'a [Vec<Lit>],
    /// Heads by index. Arrays have no meaning here beyond congruence.
    pub heads: &'a [Head],
    /// By head: the operator, where values as arguments give a value.
    pub ops: &'a [Option<Op>],
    /// Rows by index; arguments come before the rows around them.
    pub rows: &'a [Row],
}

/// What was found.
#[derive(Clone, Debug)]
pub enum Found {
    /// The clauses contradict each other; the log derives the empty clause.
    Refutation(Log),
    /// By variable: the value in a model of the clauses and of equality.
    Model(Vec<bool>),
}

/// The search for a refutation, which can be interrupted.
pub struct Search {
    n_vars: u32,
    sat: sat::Solver,
    theory: Euf,
}

impl Search {
    /// Takes note of what is to be refuted.
    pub fn new(ground: &Ground<'_>, budget: &Budget) -> Result<Search, Stopped> {
        let mut sat = sat::Solver::new();
        sat.enable_log();
        for _ in 0..ground.n_vars {
            sat.new_var();
        }
        let mut theory = build(ground);
        theory.ticks_per_node = Tuning::DEFAULT.ticks_per_node;
        for clause in ground.clauses {
            budget.spend(1)?;
            sat.add_clause_with(&mut theory, clause);
        }
        let lemmas = match theory.settle() {
            Ok(lemmas) => lemmas,
            Err(conflict) => vec![conflict],
        };
        for lemma in lemmas {
            sat.add_lemma_with(&mut theory, &lemma);
        }
        Ok(Search { n_vars: ground.n_vars, sat, theory })
    }
    /// Looks for a refutation. After it was stopped, another call goes on with what has been learnt.
    pub fn go_on(&mut self, budget: &Budget) -> Result<Found, Stopped> {
        let Search { n_vars, sat, theory } = self;
        let outcome = loop {
            let outcome = if theory.is_idle() {
                sat.solve(&mut NoTheory, &Query::default(), budget)?
            } else {
                sat.solve(theory, &Query::default(), budget)?
            };
            if outcome != Outcome::Paused {
                break outcome;
            }
            // The theory would like new equalities between words; here the clauses are what they are.
            theory.meetings.pairs.clear();
            theory.meetings.operators.clear();
        };
        Ok(match outcome {
            Outcome::Paused => unreachable!("the loop goes on after a pause"),
            Outcome::Unsat => Found::Refutation(sat.log().expect("the log is on").clone()),
            Outcome::Sat => {
                let value = |var| sat.value(proof::SatVar(var).positive()).unwrap_or(false);
                Found::Model((0..*n_vars).map(value).collect())
            }
        })
    }
}

fn build(ground: &Ground<'_>) -> Euf {
    let mut theory = Euf::new();
    let mut nodes: Vec<Node> = Vec::with_capacity(ground.rows.len());
    let heads: Vec<GraphHead> = ground
        .heads
        .iter()
        .zip(ground.ops)
        .map(|(head, &op)| {
            let op = if head.meaning == Meaning::Equality { Some(Op::Eq) } else { op };
            theory.graph.head(op, head.commutes)
        })
        .collect();
    for row in ground.rows {
        let node = match &row.constant {
            Some(Constant::Bool(value)) => theory.graph.value_node(Value::Bool(*value)),
            Some(Constant::Bits(bits)) => theory.graph.value_node(Value::Bits(bits.clone())),
            Some(Constant::Token(kind, number)) => theory.graph.value_node(Value::Token(*kind, *number)),
            None => {
                let args: Vec<Node> = row.args.iter().map(|&arg| nodes[arg as usize]).collect();
                theory.graph.application(heads[row.head as usize], &args)
            }
        };
        nodes.push(node);
        if let (Some(lit), None) = (row.truth, theory.literal(node)) {
            theory.attach(node, lit);
        }
        if row.constant.is_none() && !row.word.is_empty() && theory.word(node).is_none() {
            theory.bind(node, row.word.clone());
        }
    }
    theory
}
