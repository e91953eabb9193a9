//! Terms from other stores in ours, with terms in place of their variables.
//!
//! Our store folds constants and does not simplify, so what comes out is what went in, node for node.

use base::FastMap;
use term::{Import, Op, Sort, Symbol, Term, Terms};

use crate::Refusal;

/// Copies from one store into one other. Functions keep their names; variables are asked for.
pub(crate) struct Translation<'a> {
    from: &'a Terms,
    sorts: Import,
}

impl<'a> Translation<'a> {
    pub fn new(from: &'a Terms) -> Self {
        Translation { from, sorts: Import::new() }
    }
    /// The sort in our store.
    pub fn sort(&mut self, own: &mut Terms, sort: Sort) -> Sort {
        self.sorts.sort(self.from, own, sort)
    }
    /// The name of a function in our store.
    pub fn name_of(from: &Terms, function: Symbol) -> String {
        format!("function {}", from.symbol_name(function))
    }
    /// The term in our store; `leaf` says what stands for a variable. Operators that are made are shown to `made`.
    pub fn term(
        &mut self,
        own: &mut Terms,
        term: Term,
        mut leaf: impl FnMut(&mut Terms, Term) -> Result<Term, Refusal>,
        mut made: impl FnMut(Term),
    ) -> Result<Term, Refusal> {
        let from = self.from;
        let mut done: FastMap<Term, Term> = FastMap::new();
        for old in from.subterms(&[term]) {
            let args: Vec<Term> = from.args(old).iter().map(|arg| done[arg]).collect();
            let sort = self.sorts.sort(from, own, from.sort_of(old));
            let new = match from.op(old) {
                Op::Symbol(_) if args.is_empty() => {
                    let new = leaf(own, old)?;
                    if own.sort_of(new) != sort {
                        return Err(Refusal::malformed(
                            "a symbol of the evidence has another sort than what it stands for",
                        ));
                    }
                    new
                }
                Op::Symbol(symbol) => {
                    let name = Translation::name_of(from, symbol);
                    let sorts: Vec<Sort> = args.iter().map(|&arg| own.sort_of(arg)).collect();
                    let symbol = own.declare(&name, &sorts, sort).ok_or_else(|| {
                        Refusal::malformed("a function of the evidence has another signature in the program")
                    })?;
                    own.apply(symbol, &args)
                }
                Op::Value => own.bits(from.value(old).expect("a literal has a value")),
                Op::Numeral => own.numeral(sort, from.numeral_text(old).expect("a numeral has a text")),
                Op::ConstArray => own.const_array(sort, args[0]),
                Op::Fp(op) => own.fp(op, &args, sort),
                op => own.make(op, &args),
            };
            made(new);
            done.insert(old, new);
        }
        Ok(done[&term])
    }
}
