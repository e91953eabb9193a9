//! Which way to go: guards become jumps.
//!
//! A conjunction or disjunction in a guard is cut short, comparisons are fused with the jump, two
//! complementary guards become one branch, and guards that compare one term with different
//! constants become a table. Everything else is evaluated guard by guard, and the supplier of
//! inputs chooses among those that hold.

use base::FastMap;
use term::{Op, Term, Terms};

use crate::model::{Action, EdgeId, Loc};

use super::code::{ChoiceTable, Instr, Label, NO_REG, SwitchTable};
use super::compile::{Compiler, Refusal, Shape};
use crate::tuning::Tuning;

enum Step {
    /// Jump to the label if the term has this value, else fall through.
    Jump(Term, bool, Label),
    /// Both ways meet here; forget what was computed on one of them.
    Meet(Label, usize),
}

impl Compiler<'_> {
    /// Jumps to the label when the condition has the value, and falls through otherwise.
    pub(super) fn jump_when(&mut self, condition: Term, value: bool, target: Label) -> Result<(), Refusal> {
        let terms = self.terms;
        let mut n_steps = 0;
        let mut steps = vec![Step::Jump(condition, value, target)];
        while let Some(step) = steps.pop() {
            n_steps += 1;
            let (term, when, target) = match step {
                Step::Jump(term, when, target) => (term, when, target),
                Step::Meet(label, length) => {
                    self.bind(label);
                    self.forget_since(length);
                    continue;
                }
            };
            let args = terms.args(term);
            match terms.op(term) {
                Op::True | Op::False => {
                    if (terms.op(term) == Op::True) == when {
                        let edges = self.take_pending();
                        self.emit(Instr::Jump { edges, target });
                    }
                }
                Op::Not => steps.push(Step::Jump(args[0], !when, target)),
                Op::And | Op::Or if n_steps < Tuning::DEFAULT.max_guard_steps && !args.is_empty() => {
                    // The value of one argument that decides the whole.
                    let deciding = terms.op(term) == Op::Or;
                    if deciding == when {
                        steps.extend(args.iter().rev().map(|&arg| Step::Jump(arg, deciding, target)));
                    } else {
                        // The jump at the end counts nothing, so count before the ways part.
                        let meet = self.new_label();
                        steps.push(Step::Meet(meet, self.known_log.len()));
                        let (&last, others) = args.split_last().expect("a conjunction has arguments");
                        steps.push(Step::Jump(last, when, target));
                        steps.extend(others.iter().rev().map(|&arg| Step::Jump(arg, deciding, meet)));
                    }
                }
                Op::Implies if n_steps < Tuning::DEFAULT.max_guard_steps => {
                    if when {
                        steps.push(Step::Jump(args[1], true, target));
                        steps.push(Step::Jump(args[0], false, target));
                    } else {
                        let meet = self.new_label();
                        steps.push(Step::Meet(meet, self.known_log.len()));
                        steps.push(Step::Jump(args[1], false, target));
                        steps.push(Step::Jump(args[0], false, meet));
                    }
                }
                _ => self.jump_on_atom(term, when, target)?,
            }
        }
        Ok(())
    }

    fn jump_on_atom(&mut self, term: Term, when: bool, target: Label) -> Result<(), Refusal> {
        let args = self.terms.args(term);
        let op = self.terms.op(term);
        let width = match args.first().map(|&arg| self.shape(self.terms.sort_of(arg))).transpose()? {
            Some(Shape::Truth) => 1,
            Some(Shape::Bits(width)) => width,
            _ => u32::MAX,
        };
        if !is_comparison(op) || width > 64 || args.len() != 2 {
            let reg = self.value(term, None)?;
            let edges = self.take_pending();
            let instr = if when {
                Instr::JumpIf { edges, when: reg, target }
            } else {
                Instr::JumpUnless { edges, when: reg, target }
            };
            self.emit(instr);
            return Ok(());
        }
        let (first, second) = (args[0], args[1]);
        let a = self.value(first, None)?;
        let b = self.value(second, None)?;
        let edges = self.take_pending();
        let shift = (64 - width) as u8;
        let ult = |left, right| Instr::JumpUlt { edges, left, right, target };
        let ule = |left, right| Instr::JumpUle { edges, left, right, target };
        let slt = |left, right| Instr::JumpSlt { shift, edges, left, right, target };
        let sle = |left, right| Instr::JumpSle { shift, edges, left, right, target };
        let instr = match (op, when) {
            (Op::Eq, true) => Instr::JumpEq { edges, left: a, right: b, target },
            (Op::Eq, false) => Instr::JumpNe { edges, left: a, right: b, target },
            (Op::BvUlt, true) | (Op::BvUge, false) => ult(a, b),
            (Op::BvUgt, true) | (Op::BvUle, false) => ult(b, a),
            (Op::BvUle, true) | (Op::BvUgt, false) => ule(a, b),
            (Op::BvUge, true) | (Op::BvUlt, false) => ule(b, a),
            (Op::BvSlt, true) | (Op::BvSge, false) => slt(a, b),
            (Op::BvSgt, true) | (Op::BvSle, false) => slt(b, a),
            (Op::BvSle, true) | (Op::BvSgt, false) => sle(a, b),
            (Op::BvSge, true) | (Op::BvSlt, false) => sle(b, a),
            _ => unreachable!("all comparisons are covered"),
        };
        self.emit(instr);
        Ok(())
    }

    /// Several edges leave the location. Says which of them the line falls through to, if any.
    pub(super) fn choice(&mut self, at: Loc, edges: &[EdgeId]) -> Result<Option<EdgeId>, Refusal> {
        let program = self.program;
        let guards: Vec<Option<Term>> = edges
            .iter()
            .map(|&edge| match program.edges[edge].action {
                Action::Assume(condition) => Some(condition),
                _ => None,
            })
            .collect();
        if let ([Some(left), Some(right)], &[first, second]) = (&guards[..], edges)
            && are_complementary(self.terms, *left, *right)
        {
            // Fall through to code that does not exist yet, so that the line goes on.
            let swap = self.is_emitted(program.edges[first].to) && !self.is_emitted(program.edges[second].to);
            let (through, condition, aside) = if swap { (second, *right, first) } else { (first, *left, second) };
            let target = self.label_of_edge(aside);
            self.jump_when(condition, false, target)?;
            return Ok(Some(through));
        }
        if self.switch(at, edges, &guards)? {
            return Ok(None);
        }
        let mut ways = Vec::with_capacity(edges.len());
        for (&edge, guard) in edges.iter().zip(guards) {
            let reg = match guard {
                Some(guard) if self.terms.op(guard) == Op::False => continue,
                Some(guard) if self.terms.op(guard) == Op::True => NO_REG,
                Some(guard) => self.value(guard, None)?,
                None => NO_REG,
            };
            ways.push((reg, edge));
        }
        let ways = ways.into_iter().map(|(reg, edge)| (reg, self.label_of_edge(edge))).collect();
        let edges = self.take_pending();
        let table = self.code.choices.len() as u32;
        self.code.choices.push(ChoiceTable { ways, at });
        self.emit(Instr::Choose { edges, table });
        Ok(None)
    }

    /// Two complementary guards that compare two simple values: the condition and both edges.
    pub(super) fn simple_branch(&self, edges: &[EdgeId]) -> Option<(Term, EdgeId, EdgeId)> {
        let &[yes, no] = edges else { return None };
        let (Action::Assume(condition), Action::Assume(other)) =
            (&self.program.edges[yes].action, &self.program.edges[no].action)
        else {
            return None;
        };
        let mut atom = *condition;
        while self.terms.op(atom) == Op::Not {
            atom = self.terms.args(atom)[0];
        }
        let is_leaf =
            |&arg: &Term| matches!(self.terms.op(arg), Op::Value | Op::Symbol(_)) && self.terms.args(arg).is_empty();
        let is_simple =
            is_leaf(&atom) || is_comparison(self.terms.op(atom)) && self.terms.args(atom).iter().all(is_leaf);
        (is_simple && are_complementary(self.terms, *condition, *other)).then_some((*condition, yes, no))
    }

    /// Tries a table; whether that was possible.
    fn switch(&mut self, at: Loc, edges: &[EdgeId], guards: &[Option<Term>]) -> Result<bool, Refusal> {
        let terms = self.terms;
        let mut subject = None;
        let mut target_of = FastMap::new();
        let mut cases = Vec::new();
        let mut default = None;
        for (&edge, guard) in edges.iter().zip(guards) {
            let Some(set) = guard.and_then(|guard| compared_values(terms, guard)) else { return Ok(false) };
            if *subject.get_or_insert(set.subject) != set.subject {
                return Ok(false);
            }
            if set.complement {
                if default.replace((edge, set.values)).is_some() {
                    return Ok(false);
                }
            } else {
                for value in set.values {
                    // A value in two guards is a choice.
                    if target_of.insert(value, edge).is_some_and(|other| other != edge) {
                        return Ok(false);
                    }
                    cases.push((value, edge));
                }
            }
        }
        let Some(subject) = subject else { return Ok(false) };
        cases.sort_by_key(|case| case.0);
        cases.dedup_by_key(|case| case.0);
        if let Some((_, values)) = &mut default {
            values.sort_unstable();
            values.dedup();
            if !values.iter().eq(cases.iter().map(|(value, _)| value)) {
                return Ok(false);
            }
        }
        let on = self.value(subject, None)?;
        let default = match default {
            Some((edge, _)) => self.label_of_edge(edge),
            None => self.blocked_label(at),
        };
        let mut label_of = FastMap::new();
        let cases: Vec<(u64, Label)> = cases
            .into_iter()
            .map(|(value, edge)| (value, *label_of.get_or_insert_with(edge, || self.label_of_edge(edge))))
            .collect();
        let edges = self.take_pending();
        let table = self.code.switches.len() as u32;
        self.code.switches.push(table_of(cases, default));
        self.emit(Instr::Switch { edges, on, table });
        Ok(true)
    }
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge)
}

fn table_of(cases: Vec<(u64, Label)>, default: Label) -> SwitchTable {
    let first = cases.first().map_or(0, |case| case.0);
    let span = cases.last().map_or(0, |case| case.0 - first);
    if span < 16 + 4 * cases.len() as u64 {
        let mut targets = vec![default; span as usize + 1];
        for (value, target) in &cases {
            targets[(value - first) as usize] = *target;
        }
        SwitchTable::Dense { first, targets, default }
    } else {
        let (values, targets) = cases.into_iter().unzip();
        SwitchTable::Sparse { values, targets, default }
    }
}

/// A guard that says: the subject is (or with `complement`, is not) one of the values.
struct Comparison {
    subject: Term,
    values: Vec<u64>,
    complement: bool,
}

fn compared_values(terms: &Terms, guard: Term) -> Option<Comparison> {
    let args = terms.args(guard);
    match terms.op(guard) {
        Op::Eq => {
            let (subject, value) = match (terms.small_value(args[0]), terms.small_value(args[1])) {
                (None, Some(value)) => (args[0], value),
                (Some(value), None) => (args[1], value),
                _ => return None,
            };
            Some(Comparison { subject, values: vec![value], complement: false })
        }
        Op::Not => {
            let inner = negation_free(terms, args[0])?;
            Some(Comparison { complement: !inner.complement, ..inner })
        }
        Op::Or | Op::And => negation_free(terms, guard).or_else(|| {
            // A conjunction of differences.
            if terms.op(guard) != Op::And {
                return None;
            }
            let negated = |&arg: &Term| (terms.op(arg) == Op::Not).then(|| terms.args(arg)[0]);
            let positive: Option<Vec<Term>> = args.iter().map(negated).collect();
            Some(Comparison { complement: true, ..union(terms, &positive?)? })
        }),
        _ => None,
    }
}

/// An equality or a disjunction of equalities.
fn negation_free(terms: &Terms, guard: Term) -> Option<Comparison> {
    match terms.op(guard) {
        Op::Eq => compared_values(terms, guard),
        Op::Or => union(terms, terms.args(guard)),
        _ => None,
    }
}

fn union(terms: &Terms, args: &[Term]) -> Option<Comparison> {
    let mut subject = None;
    let mut values = Vec::new();
    for &arg in args {
        let one = (terms.op(arg) == Op::Eq).then(|| compared_values(terms, arg)).flatten()?;
        if *subject.get_or_insert(one.subject) != one.subject {
            return None;
        }
        values.extend(one.values);
    }
    Some(Comparison { subject: subject?, values, complement: false })
}

/// Whether exactly one of two guards holds in every state, as far as their form shows it.
fn are_complementary(terms: &Terms, left: Term, right: Term) -> bool {
    let (a, b) = (normal_form(terms, left), normal_form(terms, right));
    a.0 == b.0 && a.1 != b.1
}

/// An atom in one of few forms, and whether it is negated.
fn normal_form(terms: &Terms, guard: Term) -> ((Op, Vec<Term>), bool) {
    let mut negated = false;
    let mut atom = guard;
    while terms.op(atom) == Op::Not {
        negated = !negated;
        atom = terms.args(atom)[0];
    }
    let args = terms.args(atom).to_vec();
    let swapped = || args.iter().rev().copied().collect();
    let (form, flip) = match terms.op(atom) {
        Op::False => ((Op::True, args), true),
        Op::BvUgt => ((Op::BvUlt, swapped()), false),
        Op::BvUge => ((Op::BvUlt, args), true),
        Op::BvUle => ((Op::BvUlt, swapped()), true),
        Op::BvSgt => ((Op::BvSlt, swapped()), false),
        Op::BvSge => ((Op::BvSlt, args), true),
        Op::BvSle => ((Op::BvSlt, swapped()), true),
        Op::Distinct if args.len() == 2 => ((Op::Eq, args), true),
        // Any other atom is itself.
        _ => ((Op::Not, vec![atom]), false),
    };
    match form {
        (Op::Eq, mut args) => {
            args.sort_unstable();
            ((Op::Eq, args), negated != flip)
        }
        (Op::Not, atom) if terms.op(atom[0]) == Op::Eq => {
            let mut args = terms.args(atom[0]).to_vec();
            args.sort_unstable();
            ((Op::Eq, args), negated)
        }
        (Op::Not, atom) if matches!(terms.op(atom[0]), Op::BvUlt | Op::BvSlt | Op::True) => {
            ((terms.op(atom[0]), terms.args(atom[0]).to_vec()), negated)
        }
        form => (form, negated != flip),
    }
}
