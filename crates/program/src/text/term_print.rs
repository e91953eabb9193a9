//! Terms as SMT-LIB s-expressions, printed without recursion.
//!
//! A term is a graph, and written as a tree it can be exponentially longer. Small terms are written
//! as trees because that reads best; in large ones every subterm that is used twice gets a name by
//! `let`, so the text is linear in the graph. Names are `?0`, `?1`, and so on; a user's symbol that looks like
//! one is quoted, and a quoted word is always the user's.

use std::fmt::Write;

use base::FastMap;
use term::{FpOp, Op, Sort, SortKind, Term, Terms};

use super::lex::quoted;
use super::operators::{Operators, ROUNDED};
use crate::tuning::Tuning;

pub(super) struct TermPrinter<'t> {
    terms: &'t Terms,
    operators: Operators,
}

enum Step {
    Term(Term),
    Text(&'static str),
}

impl<'t> TermPrinter<'t> {
    pub(super) fn new(terms: &'t Terms) -> Self {
        TermPrinter { terms, operators: Operators::new() }
    }

    /// Writes the term.
    pub(super) fn term(&self, out: &mut String, term: Term) {
        let mut named: FastMap<Term, usize> = FastMap::new();
        let shared = self.shared(term);
        for (index, &subterm) in shared.iter().enumerate() {
            write!(out, "(let ((?{index} ").expect("a string takes everything");
            self.tree(out, subterm, &named);
            out.push_str(")) ");
            named.insert(subterm, index);
        }
        self.tree(out, term, &named);
        out.extend(std::iter::repeat_n(')', shared.len()));
    }

    /// Writes the term as a tree whose leaves may be names of earlier terms.
    fn tree(&self, out: &mut String, term: Term, named: &FastMap<Term, usize>) {
        let mut stack = vec![Step::Term(term)];
        while let Some(step) = stack.pop() {
            let term = match step {
                Step::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Step::Term(term) => term,
            };
            if let Some(index) = named.get(&term) {
                write!(out, "?{index}").expect("a string takes everything");
                continue;
            }
            let args = self.terms.args(term);
            if args.is_empty() {
                self.head(out, term);
                continue;
            }
            out.push('(');
            self.head(out, term);
            stack.push(Step::Text(")"));
            for &arg in args.iter().rev() {
                stack.push(Step::Term(arg));
                stack.push(Step::Text(" "));
            }
        }
    }

    /// The subterms to be named, each after those it uses.
    fn shared(&self, term: Term) -> Vec<Term> {
        // Number of uses and size as a tree, for each subterm with arguments.
        let mut known: FastMap<Term, (u32, u64)> = FastMap::new();
        let mut order = Vec::new();
        let mut stack = vec![(term, false)];
        while let Some((term, arguments_done)) = stack.pop() {
            let args = self.terms.args(term);
            if args.is_empty() {
                continue;
            }
            if arguments_done {
                let size = args.iter().map(|arg| known.get(arg).map_or(1, |&(_, size)| size));
                let size = size.fold(1, u64::saturating_add);
                known.get_mut(&term).expect("a subterm is entered before it is left").1 = size;
                order.push(term);
                continue;
            }
            if let Some((uses, _)) = known.get_mut(&term) {
                *uses += 1;
                continue;
            }
            known.insert(term, (1, 0));
            stack.push((term, true));
            stack.extend(args.iter().rev().map(|&arg| (arg, false)));
        }
        if known.get(&term).is_none_or(|&(_, size)| size <= Tuning::DEFAULT.max_plain_nodes) {
            return Vec::new();
        }
        order.retain(|subterm| known.get(subterm).is_some_and(|&(uses, _)| uses > 1));
        order
    }

    /// Writes what stands before the arguments, or all of a term without any.
    fn head(&self, out: &mut String, term: Term) {
        let terms = self.terms;
        let op = terms.op(term);
        if let Some(name) = self.operators.name(op) {
            out.push_str(name);
            return;
        }
        let sort = terms.sort_of(term);
        match op {
            Op::Symbol(symbol) => self.name(out, terms.symbol_name(symbol)),
            Op::Value => write_value(out, terms, term),
            Op::Numeral => {
                let text = terms.numeral_text(term).expect("a numeral has a text");
                if *terms.sort_kind(sort) == SortKind::Int && text.bytes().all(|byte| byte.is_ascii_digit()) {
                    out.push_str(text);
                } else {
                    out.push_str("(as ");
                    out.push_str(&quoted(text, '|'));
                    out.push(' ');
                    self.sort(out, sort);
                    out.push(')');
                }
            }
            Op::Extract { high, low } => out.push_str(&format!("(_ extract {high} {low})")),
            Op::ZeroExtend(by) => out.push_str(&format!("(_ zero_extend {by})")),
            Op::SignExtend(by) => out.push_str(&format!("(_ sign_extend {by})")),
            Op::RotateLeft(by) => out.push_str(&format!("(_ rotate_left {by})")),
            Op::RotateRight(by) => out.push_str(&format!("(_ rotate_right {by})")),
            Op::Repeat(times) => out.push_str(&format!("(_ repeat {times})")),
            Op::ConstArray => {
                out.push_str("(as const ");
                self.sort(out, sort);
                out.push(')');
            }
            Op::Fp(op) => self.float_head(out, op, sort),
            other => unreachable!("{other:?} is in the table of operators"),
        }
    }

    fn float_head(&self, out: &mut String, op: FpOp, sort: Sort) {
        if let Some((name, mode, _)) = ROUNDED.iter().find(|&&(_, _, known)| known == op) {
            out.push_str(&format!("{name} {mode}"));
            return;
        }
        let (exponent, significand, width) = match *self.terms.sort_kind(sort) {
            SortKind::Float(exponent, significand) => (exponent, significand, 0),
            SortKind::BitVec(width) => (0, 0, width),
            _ => (0, 0, 0),
        };
        out.push_str(&match op {
            FpOp::FromFloat | FpOp::FromSigned => format!("(_ to_fp {exponent} {significand}) RNE"),
            FpOp::FromUnsigned => format!("(_ to_fp_unsigned {exponent} {significand}) RNE"),
            FpOp::FromBits => format!("(_ to_fp {exponent} {significand})"),
            FpOp::ToSigned => format!("(_ fp.to_sbv {width}) RTZ"),
            FpOp::ToUnsigned => format!("(_ fp.to_ubv {width}) RTZ"),
            other => unreachable!("{other:?} is in one of the tables of operators"),
        });
    }

    /// Writes the sort.
    pub(super) fn sort(&self, out: &mut String, sort: Sort) {
        enum SortStep {
            Sort(Sort),
            Text(&'static str),
        }
        let mut stack = vec![SortStep::Sort(sort)];
        while let Some(step) = stack.pop() {
            match step {
                SortStep::Text(text) => out.push_str(text),
                SortStep::Sort(sort) => match self.terms.sort_kind(sort) {
                    SortKind::Bool => out.push_str("Bool"),
                    SortKind::Int => out.push_str("Int"),
                    SortKind::Real => out.push_str("Real"),
                    SortKind::BitVec(width) => out.push_str(&format!("(_ BitVec {width})")),
                    SortKind::Float(e, s) => out.push_str(&format!("(_ FloatingPoint {e} {s})")),
                    SortKind::Uninterpreted(name) => self.name(out, name),
                    SortKind::Array(index, element) => {
                        out.push_str("(Array ");
                        stack.push(SortStep::Text(")"));
                        stack.push(SortStep::Sort(*element));
                        stack.push(SortStep::Text(" "));
                        stack.push(SortStep::Sort(*index));
                    }
                },
            }
        }
    }

    /// Writes a name of the user's, between bars if it would be read as something else.
    pub(super) fn name(&self, out: &mut String, name: &str) {
        let simple = |byte: u8| byte.is_ascii_alphanumeric() || b"~!$%^&*_-+=<>.?/".contains(&byte);
        let first = name.bytes().next();
        let is_let_name = name.strip_prefix('?').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        if first.is_some_and(|byte| !byte.is_ascii_digit())
            && name.bytes().all(simple)
            && !is_let_name
            && !self.operators.is_reserved(name)
        {
            out.push_str(name);
        } else {
            out.push_str(&quoted(name, '|'));
        }
    }
}

fn write_value(out: &mut String, terms: &Terms, term: Term) {
    let bits = terms.value(term).expect("a literal has a value");
    out.push_str(&match bits.width() {
        width if width % 4 == 0 => format!("#x{}", bits.to_hex()),
        1..8 => format!("#b{}", bits.to_binary()),
        width @ ..=10_000 => format!("(_ bv{} {width})", bits.to_decimal()),
        _ => format!("#b{}", bits.to_binary()),
    });
}
