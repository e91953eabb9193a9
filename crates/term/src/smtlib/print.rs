//! Terms and scripts as text.

use base::{FastMap, Id};

use super::literal;
use crate::op::{FpOp, NumberOp, Op};
use crate::sort::{Sort, SortKind, quoted};
use crate::store::{Symbol, Term, Terms};

impl Terms {
    /// The term as SMT-LIB text; subterms that occur more than once are bound by `let`.
    pub fn to_smtlib(&self, term: Term) -> String {
        let bound = self.to_be_bound(term);
        let mut names: FastMap<Term, String> = FastMap::new();
        let mut text = String::new();
        let mut number = 0;
        for &shared in &bound {
            let name = loop {
                number += 1;
                let name = format!("?{number}");
                if self.lookup(&name).is_none() {
                    break name;
                }
            };
            text.push_str("(let ((");
            text.push_str(&name);
            text.push(' ');
            self.print_term(shared, &names, &mut text);
            text.push_str(")) ");
            names.insert(shared, name);
        }
        self.print_term(term, &names, &mut text);
        text.extend(std::iter::repeat_n(')', bound.len()));
        text
    }
    /// The declaration of a symbol, on one line.
    pub fn declaration(&self, symbol: Symbol) -> String {
        let args: Vec<String> = self.symbol_args(symbol).iter().map(|&sort| self.sort_text(sort)).collect();
        let result = self.sort_text(self.symbol_result(symbol));
        format!("(declare-fun {} ({}) {result})", quoted(self.symbol_name(symbol)), args.join(" "))
    }
    /// Declarations of all sorts and symbols that occur in these terms, a line for each.
    pub fn declarations(&self, roots: &[Term]) -> String {
        let symbols = self.symbols_of(roots);
        let subterms = self.subterms(roots);
        let of_symbols = symbols.iter().flat_map(|&symbol| {
            self.symbol_args(symbol).iter().copied().chain(std::iter::once(self.symbol_result(symbol)))
        });
        let mut seen = FastMap::new();
        let mut sorts: Vec<Sort> = subterms.iter().map(|&term| self.sort_of(term)).chain(of_symbols).collect();
        let mut found = Vec::new();
        while let Some(sort) = sorts.pop() {
            if seen.insert(sort, ()).is_some() {
                continue;
            }
            match self.sort_kind(sort) {
                SortKind::Uninterpreted(_) => found.push(sort),
                &SortKind::Array(index, element) => sorts.extend([index, element]),
                _ => {}
            }
        }
        found.sort_unstable();
        let mut text = String::new();
        for sort in found {
            text.push_str(&format!("(declare-sort {} 0)\n", self.sort_text(sort)));
        }
        for symbol in symbols {
            text.push_str(&self.declaration(symbol));
            text.push('\n');
        }
        text
    }
    /// All uninterpreted sorts of the store.
    pub(super) fn uninterpreted_sorts(&self) -> Vec<Sort> {
        let all = (0..self.n_sorts()).map(Sort::new);
        all.filter(|&sort| matches!(self.sort_kind(sort), SortKind::Uninterpreted(_))).collect()
    }

    /// Compound subterms that occur more than once, and numbers under operators that would otherwise
    /// read as part of the number.
    fn to_be_bound(&self, term: Term) -> Vec<Term> {
        let subterms = self.subterms(&[term]);
        let mut uses: FastMap<Term, u32> = FastMap::new();
        let mut ambiguous: FastMap<Term, ()> = FastMap::new();
        for &user in &subterms {
            for &arg in self.args(user) {
                *uses.get_or_insert_with(arg, || 0) += 1;
                let number = self.op(arg) == Op::Numeral;
                if number && matches!(self.op(user), Op::Number(NumberOp::Neg | NumberOp::Div)) {
                    ambiguous.insert(arg, ());
                }
            }
        }
        let shared = |sub: &Term| !self.args(*sub).is_empty() && uses.get(sub).is_some_and(|&count| count > 1);
        subterms.into_iter().filter(|sub| shared(sub) || ambiguous.contains_key(sub)).collect()
    }

    /// Prints without `let`, with names where there are some.
    fn print_term(&self, term: Term, names: &FastMap<Term, String>, text: &mut String) {
        enum Step {
            Term(Term),
            Close,
        }
        let mut steps = vec![Step::Term(term)];
        let mut first = true;
        while let Some(step) = steps.pop() {
            let sub = match step {
                Step::Close => {
                    text.push(')');
                    continue;
                }
                Step::Term(sub) => sub,
            };
            if !first {
                text.push(' ');
            }
            first = false;
            if let Some(name) = names.get(&sub) {
                text.push_str(name);
                continue;
            }
            let args = self.args(sub);
            if args.is_empty() {
                self.print_leaf(sub, text);
                continue;
            }
            text.push('(');
            self.print_head(sub, text);
            steps.push(Step::Close);
            steps.extend(args.iter().rev().map(|&arg| Step::Term(arg)));
        }
    }

    fn print_leaf(&self, term: Term, text: &mut String) {
        match self.op(term) {
            Op::True => text.push_str("true"),
            Op::False => text.push_str("false"),
            Op::Value => text.push_str(&literal::bits(&self.value(term).expect("a literal has a value"))),
            Op::Numeral => {
                let digits = self.numeral_text(term).expect("a numeral has a text");
                text.push_str(&literal::numeral(self, self.sort_of(term), digits));
            }
            Op::Symbol(symbol) => text.push_str(&quoted(self.symbol_name(symbol))),
            op => unreachable!("{op:?} has arguments"),
        }
    }

    /// The operator, with a rounding mode behind it where it has one.
    fn print_head(&self, term: Term, text: &mut String) {
        let op = self.op(term);
        let row = op.row();
        let head = match op {
            Op::Symbol(symbol) => quoted(self.symbol_name(symbol)).into_owned(),
            Op::ConstArray => format!("(as const {})", self.sort_text(self.sort_of(term))),
            Op::Fp(op) if row.name.is_empty() => self.conversion_head(op, self.sort_of(term)),
            _ => match (row.mode, op.indices()) {
                (Some(mode), _) => format!("{} {mode}", row.name),
                (None, [Some(first), Some(second)]) => format!("(_ {} {first} {second})", row.name),
                (None, [Some(index), None]) => format!("(_ {} {index})", row.name),
                _ => row.name.to_owned(),
            },
        };
        text.push_str(&head);
    }
    fn conversion_head(&self, op: FpOp, sort: Sort) -> String {
        match (op, self.sort_kind(sort)) {
            (FpOp::FromBits, SortKind::Float(e, s)) => format!("(_ to_fp {e} {s})"),
            (FpOp::FromUnsigned, SortKind::Float(e, s)) => format!("(_ to_fp_unsigned {e} {s}) RNE"),
            (_, SortKind::Float(e, s)) => format!("(_ to_fp {e} {s}) RNE"),
            (FpOp::ToSigned, SortKind::BitVec(width)) => format!("(_ fp.to_sbv {width}) RTZ"),
            (_, SortKind::BitVec(width)) => format!("(_ fp.to_ubv {width}) RTZ"),
            _ => unreachable!("conversions have a float or a bit-vector as result"),
        }
    }
}

/// A whole script: declarations, assertions, `(check-sat)`.
pub fn script(terms: &Terms, assertions: &[Term]) -> String {
    let mut text = String::from("(set-logic ALL)\n");
    text.push_str(&terms.declarations(assertions));
    for &assertion in assertions {
        text.push_str(&format!("(assert {})\n", terms.to_smtlib(assertion)));
    }
    text.push_str("(check-sat)\n");
    text
}
