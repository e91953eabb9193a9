//! The store of hash-consed terms.
//!
//! A node is sixteen bytes: a byte for the operator, three for the number of arguments, the sort,
//! and eight that hold either a small value or a parameter and the place of the arguments, which lie
//! in one pool shared by all nodes. The table that finds existing nodes holds only their handles and
//! compares through them, so no key is ever stored or built twice.
//!
//! Law: two terms with the same operator, arguments, sort and payload have the same handle.

use std::hash::Hasher;
use std::num::NonZeroU32;

use base::maps::OrderedSet;
use base::{Bits, FastMap, Id, IndexVec, define_id};
use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::code::{self, NUMERAL, SMALL_VALUE, WIDE_VALUE};
use crate::numeral;
use crate::op::{FpOp, Op};
use crate::sort::{Sort, SortKind};
use crate::tuning::Tuning;

/// A handle; equal handles, equal terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(NonZeroU32);

impl Term {
    /// Handles count from one; this one counts from zero, for those who keep a vector beside the store.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
    fn at(index: usize) -> Term {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Term(number.expect("a store has fewer than 2^32 terms"))
    }
}

/// The term true, the same in every store.
pub(crate) const TRUE: Term = Term(NonZeroU32::MIN);
/// The term false, the same in every store.
pub(crate) const FALSE: Term = Term(NonZeroU32::MIN.saturating_add(1));
/// The sort of truth values, the same in every store.
fn bool_sort() -> Sort {
    Sort::new(0)
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "t{}", self.0)
    }
}

define_id!(Symbol, "A declared variable, constant or function.");

/// One term, without its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    /// The operator's code below, the number of arguments in the upper 24 bits.
    head: u32,
    sort: Sort,
    /// The operator's parameter; the low half of a small value; the place of a wide value or numeral.
    parameter: u32,
    /// Where the arguments start in the pool; the high half of a small value.
    start: u32,
}

// format: bits of a node.
/// How many arguments a node can have.
pub(crate) const MAX_ARGS: usize = (1 << 24) - 1;

impl Node {
    fn code(&self) -> u8 {
        self.head as u8
    }
    fn len(&self) -> usize {
        (self.head >> 8) as usize
    }
    fn is_leaf_value(&self) -> bool {
        self.code() == SMALL_VALUE
    }
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
    nodes: Vec<Node>,
    pool: Vec<Term>,
    known: HashTable<Term>,
    /// Values of more than 64 bits.
    wide: OrderedSet<Bits>,
    /// Texts of numerals.
    texts: OrderedSet<String>,
    sorts: IndexVec<Sort, SortKind>,
    known_sorts: FastMap<SortKind, Sort>,
    /// The sorts of narrow bit-vectors at the place of their width, so that no hashing is needed.
    narrow_sorts: Vec<Option<Sort>>,
    symbols: IndexVec<Symbol, SymbolInfo>,
    known_symbols: FastMap<String, Symbol>,
    simplify: bool,
    fold: bool,
    /// Symbols whose values differ pairwise and are not zero, as their user promises.
    apart: FastMap<Term, ()>,
    /// How deep the simplifier has called itself; bounded so that no chain of terms exhausts the stack.
    pub(crate) depth: u32,
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
        let mut terms = Terms {
            nodes: Vec::new(),
            pool: Vec::new(),
            known: HashTable::new(),
            wide: OrderedSet::default(),
            texts: OrderedSet::default(),
            sorts: IndexVec::new(),
            known_sorts: FastMap::new(),
            narrow_sorts: vec![None; 129],
            symbols: IndexVec::new(),
            known_symbols: FastMap::new(),
            simplify: true,
            fold: false,
            apart: FastMap::new(),
            depth: 0,
        };
        let sort = terms.sort(SortKind::Bool);
        assert!(sort == bool_sort(), "the first sort is Bool");
        let (yes, no) = (terms.intern(Op::True, &[], sort), terms.intern(Op::False, &[], sort));
        assert!(yes == TRUE && no == FALSE, "the first terms are the truth values");
        terms
    }
    /// A store that builds terms exactly as given, for components that must not depend on the simplifier.
    pub fn without_simplification() -> Self {
        Terms { simplify: false, ..Terms::new() }
    }
    /// A store that computes what is constant and builds everything else exactly as given.
    pub fn folding() -> Self {
        Terms { fold: true, ..Terms::without_simplification() }
    }

    /// Promises that the value of the symbol is not zero, and differs from those of all other symbols of its sort that are declared apart:
    /// formulas are asked for such values only. The simplifier makes use of it.
    pub fn declare_apart(&mut self, symbol: Term) {
        self.apart.insert(symbol, ());
    }
    /// That the two differ, exactly as given: what holds of symbols that are declared apart. Terms that were built before the declaration
    /// need it stated.
    pub fn stated_apart(&mut self, a: Term, b: Term) -> Term {
        let sort = bool_sort();
        let equal = self.intern(Op::Eq, &[a.min(b), a.max(b)], sort);
        self.intern(Op::Not, &[equal], sort)
    }
    /// Whether the symbol was declared apart.
    pub(crate) fn is_apart(&self, symbol: Term) -> bool {
        self.apart.contains_key(&symbol)
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
        bool_sort()
    }
    /// Bit-vectors of this width.
    pub fn bv_sort(&mut self, width: u32) -> Sort {
        assert!(width > 0, "a bit-vector has at least one bit");
        match self.narrow_sorts.get(width as usize) {
            Some(Some(sort)) => *sort,
            Some(None) => {
                let sort = self.sort(SortKind::BitVec(width));
                self.narrow_sorts[width as usize] = Some(sort);
                sort
            }
            None => self.sort(SortKind::BitVec(width)),
        }
    }
    /// What the handle stands for.
    pub fn sort_kind(&self, sort: Sort) -> &SortKind {
        &self.sorts[sort]
    }

    /// How many sorts there are; handles count from zero.
    pub(crate) fn n_sorts(&self) -> usize {
        self.sorts.len()
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
    /// Whether the handle is one of this store.
    pub fn has_symbol(&self, symbol: Symbol) -> bool {
        symbol.index() < self.symbols.len()
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
    #[inline]
    pub fn op(&self, term: Term) -> Op {
        let node = &self.nodes[term.index()];
        code::decode(node.code(), node.parameter, || self.width(term))
    }
    /// The term's arguments.
    #[inline]
    pub fn args(&self, term: Term) -> &[Term] {
        self.args_of(&self.nodes[term.index()])
    }
    #[inline]
    fn args_of(&self, node: &Node) -> &[Term] {
        let start = if node.is_leaf_value() { 0 } else { node.start as usize };
        &self.pool[start..start + node.len()]
    }
    /// The argument of a term with one argument or more.
    #[inline]
    pub fn arg(&self, term: Term, index: usize) -> Term {
        self.args(term)[index]
    }
    /// The term's sort.
    #[inline]
    pub fn sort_of(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }
    /// The width of a bit-vector term.
    pub fn width(&self, term: Term) -> u32 {
        match self.sorts[self.sort_of(term)] {
            SortKind::BitVec(width) => width,
            _ => panic!("only a bit-vector has a width"),
        }
    }
    /// Whether the term is of sort Bool.
    #[inline]
    pub fn is_bool(&self, term: Term) -> bool {
        self.sort_of(term) == bool_sort()
    }
    /// The value of a bit-vector literal.
    pub fn value(&self, term: Term) -> Option<Bits> {
        let node = &self.nodes[term.index()];
        match node.code() {
            SMALL_VALUE => {
                Some(Bits::from_u64(self.width(term), u64::from(node.start) << 32 | u64::from(node.parameter)))
            }
            WIDE_VALUE => Some(self.wide[node.parameter as usize].clone()),
            _ => None,
        }
    }
    /// The value of a bit-vector literal of at most 64 bits.
    pub fn small_value(&self, term: Term) -> Option<u64> {
        let node = &self.nodes[term.index()];
        (node.code() == SMALL_VALUE).then(|| u64::from(node.start) << 32 | u64::from(node.parameter))
    }
    /// Whether the term is a bit-vector literal.
    pub fn is_value(&self, term: Term) -> bool {
        matches!(self.nodes[term.index()].code(), SMALL_VALUE | WIDE_VALUE)
    }
    /// The text of a numeral.
    pub fn numeral_text(&self, term: Term) -> Option<&str> {
        let node = &self.nodes[term.index()];
        (node.code() == NUMERAL).then(|| self.texts[node.parameter as usize].as_str())
    }
    /// How many terms there are; handles count from one in the order of making, so arguments come first.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there is no term yet; never, as the truth values are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// Whether this store simplifies while it builds.
    pub fn simplifies(&self) -> bool {
        self.simplify
    }
    /// How many bytes the terms occupy: nodes, arguments and the table that finds them. While they
    /// grow, the vectors hold up to twice as much.
    pub fn bytes(&self) -> usize {
        let args = self.pool.len() * size_of::<Term>();
        self.nodes.len() * size_of::<Node>() + args + self.known.allocation_size()
    }

    // ---- constructors
    /// A truth value.
    pub fn truth(&mut self, value: bool) -> Term {
        if value { TRUE } else { FALSE }
    }
    /// A bit-vector literal of at most 64 significant bits, modulo the width.
    pub fn bv(&mut self, width: u32, value: u64) -> Term {
        if width > 64 {
            return self.bits(Bits::from_u64(width, value));
        }
        let sort = self.bv_sort(width);
        let value = if width == 64 { value } else { value & ((1 << width) - 1) };
        let head = u32::from(SMALL_VALUE);
        self.intern_node(Node { head, sort, parameter: value as u32, start: (value >> 32) as u32 }, &[])
    }
    /// A bit-vector literal.
    pub fn bits(&mut self, bits: Bits) -> Term {
        if let (true, Some(value)) = (bits.width() <= 64, bits.to_u64()) {
            return self.bv(bits.width(), value);
        }
        let sort = self.bv_sort(bits.width());
        let (place, _) = self.wide.insert_full(bits);
        self.intern_node(Node { head: u32::from(WIDE_VALUE), sort, parameter: place as u32, start: 0 }, &[])
    }
    /// A literal of sort Int, Real or Float. Int and Real take decimal text (`-12`, `1.50`, `-3/2`), Float the
    /// hexadecimal digits of its IEEE encoding; the text is normalised, so equal numbers are equal terms.
    ///
    /// # Panics
    /// If the text is no number of this sort; readers ask [`Terms::try_numeral`].
    pub fn numeral(&mut self, sort: Sort, text: &str) -> Term {
        self.try_numeral(sort, text).expect("a numeral is a number of its sort")
    }
    /// As [`Terms::numeral`], or `None` if the text is no number of this sort.
    pub fn try_numeral(&mut self, sort: Sort, text: &str) -> Option<Term> {
        let text = numeral::normalise(&self.sorts[sort], text)?;
        let (place, _) = self.texts.insert_full(text);
        Some(self.intern_node(Node { head: u32::from(NUMERAL), sort, parameter: place as u32, start: 0 }, &[]))
    }
    /// The operator applied to arguments whose sorts fit, simplified. The sort of the result
    /// follows from operator and arguments.
    ///
    /// # Panics
    /// If the arguments do not fit; readers check first with [`Terms::result_sort`].
    pub fn make(&mut self, op: Op, args: &[Term]) -> Term {
        let sort = match self.result_sort(op, args) {
            Ok(sort) => sort,
            Err(message) => panic!("the arguments of a term fit its operator: {message}"),
        };
        match (op, args) {
            (Op::And, []) => return TRUE,
            (Op::Or, []) => return FALSE,
            (Op::And | Op::Or, [one]) => return *one,
            // More arguments than fit into one node become two levels.
            (Op::And | Op::Or, _) if args.len() > MAX_ARGS => {
                let parts: Vec<Term> = args.chunks(MAX_ARGS / 2).map(|part| self.make(op, part)).collect();
                return self.make(op, &parts);
            }
            _ => {}
        }
        if self.simplify && self.depth < Tuning::DEFAULT.max_simplification_depth {
            self.depth += 1;
            let simplified = self.simplify(op, args, sort);
            self.depth -= 1;
            if let Some(term) = simplified {
                debug_assert!(self.sort_of(term) == sort, "simplification keeps the sort");
                return term;
            }
        }
        if self.fold
            && let Some(term) = self.fold_constants(op, args)
        {
            return term;
        }
        self.intern(op, args, sort)
    }
    /// A floating-point operator with the sort of its result.
    pub fn fp(&mut self, op: FpOp, args: &[Term], sort: Sort) -> Term {
        self.intern(Op::Fp(op), args, sort)
    }
    /// The array of this sort that holds `element` everywhere.
    pub fn const_array(&mut self, sort: Sort, element: Term) -> Term {
        let fits = matches!(self.sorts[sort], SortKind::Array(_, sort) if sort == self.sort_of(element));
        assert!(fits, "a constant array holds elements of its sort");
        self.intern(Op::ConstArray, &[element], sort)
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

    // ---- hash-consing
    /// The node as it stands, without simplification.
    pub(crate) fn intern(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        assert!(args.len() <= MAX_ARGS, "a term has fewer than 2^24 arguments");
        let (code, parameter) = code::encode(op);
        let head = (args.len() as u32) << 8 | u32::from(code);
        let start = if args.is_empty() { 0 } else { self.pool.len() as u32 };
        self.intern_node(Node { head, sort, parameter, start }, args)
    }
    fn intern_node(&mut self, node: Node, args: &[Term]) -> Term {
        let hash = hash(&node, args);
        let known = self.known.find(hash, |&term| {
            let other = &self.nodes[term.index()];
            let same = node.head == other.head && node.sort == other.sort && node.parameter == other.parameter;
            same && if args.is_empty() { node.start == other.start } else { self.args_of(other) == args }
        });
        if let Some(&term) = known {
            return term;
        }
        let term = Term::at(self.nodes.len());
        self.nodes.push(node);
        self.pool.extend_from_slice(args);
        assert!(self.pool.len() <= u32::MAX as usize, "a store has fewer than 2^32 arguments");
        let (nodes, pool) = (&self.nodes, &self.pool);
        self.known.insert_unique(hash, term, |&term| {
            let node = &nodes[term.index()];
            let start = if node.is_leaf_value() { 0 } else { node.start as usize };
            self::hash(node, &pool[start..start + node.len()])
        });
        term
    }
}

/// The hash of a node; of `start` only where it is part of the value and no place.
fn hash(node: &Node, args: &[Term]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(node.head) << 32 | node.sort.index() as u64);
    hasher.write_u64(u64::from(if args.is_empty() { node.start } else { 0 }) << 32 | u64::from(node.parameter));
    for pair in args.chunks(2) {
        let high = pair.get(1).map_or(0, |term| u64::from(term.0.get()));
        hasher.write_u64(high << 32 | u64::from(pair[0].0.get()));
    }
    hasher.finish()
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}
