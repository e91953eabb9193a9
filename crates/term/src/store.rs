//! The store of hash-consed terms.
//!
//! Law: two terms with the same operator, arguments, sort and payload have the same handle.

use std::num::NonZeroU32;

use base::{Bits, FastMap, IndexVec, define_id};

use crate::op::{FpOp, Op};
use crate::sort::{Sort, SortKind};

/// A handle; equal handles, equal terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(NonZeroU32);

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "t{}", self.0)
    }
}

define_id!(Symbol, "A declared variable, constant or function.");

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    sort: Sort,
    args: Vec<Term>,
    bits: Option<Bits>,
    text: Option<String>,
}

#[derive(Clone, Debug)]
struct SymbolInfo {
    name: String,
    args: Vec<Sort>,
    result: Sort,
}

/// The store. Every constructor returns an existing handle where the term exists already.
#[derive(Clone)]
pub struct Terms {
    nodes: Vec<Key>,
    known: FastMap<Key, Term>,
    sorts: IndexVec<Sort, SortKind>,
    known_sorts: FastMap<SortKind, Sort>,
    symbols: IndexVec<Symbol, SymbolInfo>,
    known_symbols: FastMap<String, Symbol>,
    simplify: bool,
}

macro_rules! binary {
    ($($name:ident $op:ident $doc:literal;)*) => { $(
        #[doc = $doc]
        pub fn $name(&mut self, left: Term, right: Term) -> Term {
            self.make(Op::$op, &[left, right])
        }
    )* };
}

impl Terms {
    /// A store that simplifies locally while it builds.
    pub fn new() -> Self {
        Terms {
            nodes: Vec::new(),
            known: FastMap::new(),
            sorts: IndexVec::new(),
            known_sorts: FastMap::new(),
            symbols: IndexVec::new(),
            known_symbols: FastMap::new(),
            simplify: true,
        }
    }
    /// A store that builds exactly what it is told, for those who must not trust a simplifier.
    pub fn without_simplification() -> Self {
        Terms { simplify: false, ..Terms::new() }
    }

    // ---- sorts
    /// The handle of this sort.
    pub fn sort(&mut self, kind: SortKind) -> Sort {
        if let Some(&sort) = self.known_sorts.get(&kind) {
            return sort;
        }
        let sort = self.sorts.push(kind.clone());
        self.known_sorts.insert(kind, sort);
        sort
    }
    /// Truth values.
    pub fn bool_sort(&mut self) -> Sort {
        self.sort(SortKind::Bool)
    }
    /// Bit-vectors of this width.
    pub fn bv_sort(&mut self, width: u32) -> Sort {
        self.sort(SortKind::BitVec(width))
    }
    /// What the handle stands for.
    pub fn sort_kind(&self, sort: Sort) -> &SortKind {
        &self.sorts[sort]
    }

    // ---- symbols
    /// Declares a symbol, or finds it; `None` if the name is taken with another signature.
    pub fn declare(&mut self, name: &str, args: &[Sort], result: Sort) -> Option<Symbol> {
        if let Some(&symbol) = self.known_symbols.get(name) {
            let info = &self.symbols[symbol];
            return (info.args == args && info.result == result).then_some(symbol);
        }
        let info = SymbolInfo { name: name.to_owned(), args: args.to_vec(), result };
        let symbol = self.symbols.push(info);
        self.known_symbols.insert(name.to_owned(), symbol);
        Some(symbol)
    }
    /// The symbol of this name, if declared.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.known_symbols.get(name).copied()
    }
    /// The symbol's name.
    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol].name
    }
    /// The sorts of the symbol's arguments.
    pub fn symbol_args(&self, symbol: Symbol) -> &[Sort] {
        &self.symbols[symbol].args
    }
    /// The sort of the symbol's result.
    pub fn symbol_result(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol].result
    }
    /// The symbol applied to arguments (none for a variable).
    pub fn apply(&mut self, symbol: Symbol, args: &[Term]) -> Term {
        self.make(Op::Symbol(symbol), args)
    }
    /// Declares a variable and returns it as a term; the name must be free or of this sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        let symbol = self.declare(name, &[], sort).expect("a variable's name has one sort");
        self.apply(symbol, &[])
    }

    // ---- looking at terms
    /// The term's operator.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.0.get() as usize - 1].op
    }
    /// The term's arguments.
    pub fn args(&self, term: Term) -> &[Term] {
        &self.nodes[term.0.get() as usize - 1].args
    }
    /// The term's sort.
    pub fn sort_of(&self, term: Term) -> Sort {
        self.nodes[term.0.get() as usize - 1].sort
    }
    /// The width of a bit-vector term.
    pub fn width(&self, term: Term) -> u32 {
        match self.sorts[self.sort_of(term)] {
            SortKind::BitVec(width) => width,
            _ => panic!("only a bit-vector has a width"),
        }
    }
    /// Whether the term is of sort Bool.
    pub fn is_bool(&self, term: Term) -> bool {
        self.sorts[self.sort_of(term)] == SortKind::Bool
    }
    /// The value of a bit-vector literal.
    pub fn value(&self, term: Term) -> Option<Bits> {
        self.nodes[term.0.get() as usize - 1].bits.clone()
    }
    /// The value of a bit-vector literal of at most 64 bits.
    pub fn small_value(&self, term: Term) -> Option<u64> {
        self.value(term).filter(|bits| bits.width() <= 64).and_then(|bits| bits.to_u64())
    }
    /// The text of a numeral.
    pub fn numeral_text(&self, term: Term) -> Option<&str> {
        self.nodes[term.0.get() as usize - 1].text.as_deref()
    }
    /// How many terms there are; handles count from one in the order of making, so arguments come first.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    // ---- constructors
    /// A truth value.
    pub fn truth(&mut self, value: bool) -> Term {
        self.make(if value { Op::True } else { Op::False }, &[])
    }
    /// A bit-vector literal of at most 64 significant bits, modulo the width.
    pub fn bv(&mut self, width: u32, value: u64) -> Term {
        self.bits(Bits::from_u64(width, value))
    }
    /// A bit-vector literal.
    pub fn bits(&mut self, bits: Bits) -> Term {
        let sort = self.bv_sort(bits.width());
        self.intern(Key { op: Op::Value, sort, args: Vec::new(), bits: Some(bits), text: None })
    }
    /// A literal of sort Int, Real or Float. Int and Real take decimal text, Float the hexadecimal
    /// digits of its IEEE encoding; the text is normalised, so equal numbers are equal terms.
    pub fn numeral(&mut self, sort: Sort, text: &str) -> Term {
        self.intern(Key { op: Op::Numeral, sort, args: Vec::new(), bits: None, text: Some(text.to_owned()) })
    }
    /// The operator applied to arguments whose sorts fit, simplified. The sort of the result
    /// follows from operator and arguments.
    ///
    /// # Panics
    /// If the arguments do not fit; readers check first with their own diagnostics.
    pub fn make(&mut self, op: Op, args: &[Term]) -> Term {
        let sort = self.result_sort(op, args);
        self.intern(Key { op, sort, args: args.to_vec(), bits: None, text: None })
    }
    /// A floating-point operator with the sort of its result.
    pub fn fp(&mut self, op: FpOp, args: &[Term], sort: Sort) -> Term {
        self.intern(Key { op: Op::Fp(op), sort, args: args.to_vec(), bits: None, text: None })
    }
    /// The array of this sort that holds `element` everywhere.
    pub fn const_array(&mut self, sort: Sort, element: Term) -> Term {
        self.intern(Key { op: Op::ConstArray, sort, args: vec![element], bits: None, text: None })
    }
    /// Negation.
    pub fn not(&mut self, arg: Term) -> Term {
        self.make(Op::Not, &[arg])
    }
    /// Conjunction of any number of terms.
    pub fn and(&mut self, args: &[Term]) -> Term {
        match args {
            [] => self.truth(true),
            [one] => *one,
            _ => self.make(Op::And, args),
        }
    }
    /// Disjunction of any number of terms.
    pub fn or(&mut self, args: &[Term]) -> Term {
        match args {
            [] => self.truth(false),
            [one] => *one,
            _ => self.make(Op::Or, args),
        }
    }
    /// Difference: the negation of equality.
    pub fn ne(&mut self, left: Term, right: Term) -> Term {
        let equal = self.eq(left, right);
        self.not(equal)
    }
    /// Pairwise difference of two or more.
    pub fn distinct(&mut self, args: &[Term]) -> Term {
        self.make(Op::Distinct, args)
    }
    /// If-then-else.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.make(Op::Ite, &[condition, then, otherwise])
    }
    binary! {
        xor Xor "Exclusive or of truth values.";
        implies Implies "Implication.";
        eq Eq "Equality.";
        bv_and BvAnd "Bitwise and.";
        bv_or BvOr "Bitwise or.";
        bv_xor BvXor "Bitwise exclusive or.";
        bv_add BvAdd "Addition.";
        bv_sub BvSub "Subtraction.";
        bv_mul BvMul "Multiplication.";
        bv_udiv BvUdiv "Unsigned division.";
        bv_urem BvUrem "Unsigned remainder.";
        bv_sdiv BvSdiv "Signed division.";
        bv_srem BvSrem "Signed remainder.";
        bv_shl BvShl "Shift left.";
        bv_lshr BvLshr "Logical shift right.";
        bv_ashr BvAshr "Arithmetic shift right.";
        bv_ult BvUlt "Unsigned less than.";
        bv_ule BvUle "Unsigned less or equal.";
        bv_slt BvSlt "Signed less than.";
        bv_sle BvSle "Signed less or equal.";
        concat Concat "Concatenation, high part first.";
        select Select "Array read.";
    }
    /// Bitwise complement.
    pub fn bv_not(&mut self, arg: Term) -> Term {
        self.make(Op::BvNot, &[arg])
    }
    /// Negation.
    pub fn bv_neg(&mut self, arg: Term) -> Term {
        self.make(Op::BvNeg, &[arg])
    }
    /// Bits `high` down to `low`.
    pub fn extract(&mut self, arg: Term, high: u32, low: u32) -> Term {
        self.make(Op::Extract { high, low }, &[arg])
    }
    /// Zero bits in front, up to `width` bits in all.
    pub fn zero_extend_to(&mut self, arg: Term, width: u32) -> Term {
        match width - self.width(arg) {
            0 => arg,
            by => self.make(Op::ZeroExtend(by), &[arg]),
        }
    }
    /// Sign bits in front, up to `width` bits in all.
    pub fn sign_extend_to(&mut self, arg: Term, width: u32) -> Term {
        match width - self.width(arg) {
            0 => arg,
            by => self.make(Op::SignExtend(by), &[arg]),
        }
    }
    /// Array write.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        self.make(Op::Store, &[array, index, element])
    }

    fn result_sort(&mut self, op: Op, args: &[Term]) -> Sort {
        match op {
            Op::Symbol(symbol) => self.symbol_result(symbol),
            Op::Ite => self.sort_of(args[1]),
            Op::BvComp => self.bv_sort(1),
            Op::Concat => {
                let width = self.width(args[0]) + self.width(args[1]);
                self.bv_sort(width)
            }
            Op::Extract { high, low } => self.bv_sort(high - low + 1),
            Op::ZeroExtend(by) | Op::SignExtend(by) => {
                let width = self.width(args[0]) + by;
                self.bv_sort(width)
            }
            Op::Repeat(times) => {
                let width = self.width(args[0]) * times;
                self.bv_sort(width)
            }
            Op::Select => match self.sorts[self.sort_of(args[0])] {
                SortKind::Array(_, element) => element,
                _ => panic!("only an array is read"),
            },
            Op::BvNot
            | Op::BvNeg
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvNand
            | Op::BvNor
            | Op::BvXnor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::RotateLeft(_)
            | Op::RotateRight(_)
            | Op::Store => self.sort_of(args[0]),
            _ => self.bool_sort(),
        }
    }
    fn intern(&mut self, key: Key) -> Term {
        if let Some(&term) = self.known.get(&key) {
            return term;
        }
        let _ = self.simplify;
        self.nodes.push(key.clone());
        let term = Term(NonZeroU32::new(self.nodes.len() as u32).expect("handles count from one"));
        self.known.insert(key, term);
        term
    }
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}
