//! Terms and scripts as text.

use base::{FastMap, Id};

use super::literal;
use crate::op::{FpOp, NumberOp, Op};
use crate::sort::{Sort, SortKind, quoted};
use crate::store::{Symbol, Term, Terms};

/// How a term is written.
pub struct Style<'a> {
    /// Writes the name of a symbol or sort.
    pub write_name: &'a dyn Fn(&mut String, &str),
    /// Trees of up to this many nodes are written without `let`.
    pub largest_tree: u64,
    /// Whether no written name looks like one of those that `let` binds: `?1`, `?2`, and so on.
    pub lets_are_apart: bool,
}

impl Style<'static> {
    /// As the standard says, with every shared subterm bound.
    pub const STANDARD: Style<'static> =
        Style { write_name: &|text, name| text.push_str(&quoted(name)), largest_tree: 0, lets_are_apart: false };
}

impl Terms {
    /// The term as SMT-LIB text; subterms that occur more than once are bound by `let`.
    pub fn to_smtlib(&self, term: Term) -> String {
        let mut text = String::new();
        self.write_term(&mut text, term, &Style::STANDARD);
        text
    }
    /// Writes the term as SMT-LIB text in a style.
    pub fn write_term(&self, text: &mut String, term: Term, style: &Style<'_>) {
        let bound = self.to_be_bound(term, style.largest_tree);
        let mut names: FastMap<Term, String> = FastMap::new();
        let mut number = 0;
        for &shared in &bound {
            let name = loop {
                number += 1;
                let name = format!("?{number}");
                if style.lets_are_apart || self.lookup(&name).is_none() {
                    break name;
                }
            };
            text.push_str("(let ((");
            text.push_str(&name);
            text.push(' ');
            self.print_term(shared, &names, style, text);
            text.push_str(")) ");
            names.insert(shared, name);
        }
        self.print_term(term, &names, style, text);
        text.extend(std::iter::repeat_n(')', bound.len()));
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
    /// read as part of the number. In a small tree only the latter.
    fn to_be_bound(&self, term: Term, largest_tree: u64) -> Vec<Term> {
        let subterms = self.in_order_of_text(term);
        let is_small = largest_tree > 0 && self.tree_size(&subterms) <= largest_tree;
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
        let shared =
            |sub: &Term| !is_small && !self.args(*sub).is_empty() && uses.get(sub).is_some_and(|&count| count > 1);
        subterms.into_iter().filter(|sub| shared(sub) || ambiguous.contains_key(sub)).collect()
    }

    /// The subterms, arguments before their users and from left to right: the same for equal texts, whatever the handles.
    fn in_order_of_text(&self, term: Term) -> Vec<Term> {
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let mut order = Vec::new();
        let mut stack = vec![(term, false)];
        while let Some((term, are_arguments_done)) = stack.pop() {
            if are_arguments_done {
                order.push(term);
            } else if seen.insert(term, ()).is_none() {
                stack.push((term, true));
                stack.extend(self.args(term).iter().rev().map(|&arg| (arg, false)));
            }
        }
        order
    }
    /// How many nodes the last of these terms has when written as a tree; arguments stand before their users.
    fn tree_size(&self, subterms: &[Term]) -> u64 {
        let mut sizes: FastMap<Term, u64> = FastMap::new();
        let mut last = 0;
        for &sub in subterms {
            let args = self.args(sub).iter().map(|arg| sizes.get(arg).copied().unwrap_or(1));
            last = args.fold(1, u64::saturating_add);
            sizes.insert(sub, last);
        }
        last
    }

    /// Prints without `let`, with names where there are some.
    fn print_term(&self, term: Term, names: &FastMap<Term, String>, style: &Style<'_>, text: &mut String) {
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
                self.print_leaf(sub, style, text);
                continue;
            }
            text.push('(');
            self.print_head(sub, style, text);
            steps.push(Step::Close);
            steps.extend(args.iter().rev().map(|&arg| Step::Term(arg)));
        }
    }

    fn print_leaf(&self, term: Term, style: &Style<'_>, text: &mut String) {
        match self.op(term) {
            Op::True => text.push_str("true"),
            Op::False => text.push_str("false"),
            Op::Value => text.push_str(&literal::bits(&self.value(term).expect("a literal has a value"))),
            Op::Numeral => {
                let digits = self.numeral_text(term).expect("a numeral has a text");
                text.push_str(&literal::numeral(self, self.sort_of(term), digits));
            }
            Op::Symbol(symbol) => (style.write_name)(text, self.symbol_name(symbol)),
            op => unreachable!("{op:?} has arguments"),
        }
    }

    /// The operator, with a rounding mode behind it where it has one.
    fn print_head(&self, term: Term, style: &Style<'_>, text: &mut String) {
        let op = self.op(term);
        let row = op.row();
        let head = match op {
            Op::Symbol(symbol) => return (style.write_name)(text, self.symbol_name(symbol)),
            Op::ConstArray => {
                text.push_str("(as const ");
                self.write_sort(text, self.sort_of(term), style.write_name);
                return text.push(')');
            }
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
