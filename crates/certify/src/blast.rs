//! From formulas to clauses and rows: each term in bits, as a row of a vocabulary of equality, or both.
//!
//! A truth value is a literal. A bit-vector is a word of literals, or a row of which the checker knows only
//! congruence and evaluation, or both; then the row carries the word, and the checker shares bits between
//! equal rows. All other terms are rows. A first walk finds out what is wanted of each term, from the
//! formulas down; a second one makes it, from the leaves up. Arrays are rows too; every axiom instance that
//! could matter is a clause from the start.
//!
//! Which operators are read in bits is a parameter. Reading fewer in bits makes the clauses weaker, never wrong:
//! a contradiction stays one.

use base::{Bits, Budget, FastMap, Id, OrderedMap, Stopped};
use proof::{Constant, Head, Lit, Meaning, Row};
use term::{Cost, Op, Sort, SortKind, Term, Terms};

use crate::circuits::{Output, Word};
use crate::demand::{self, Mask, WHOLE};
use crate::gates::{Gates, TRUE};
use crate::tuning::Tuning;

/// Clauses with the vocabulary that their literals belong to.
pub(crate) struct Problem {
    pub n_vars: u32,
    pub clauses: Vec<Vec<Lit>>,
    pub heads: Vec<Head>,
    /// By head: the operator, where rows with values as arguments have a value.
    pub ops: Vec<Option<Op>>,
    pub rows: Vec<Row>,
    /// The symbols that have words, for reading a model.
    pub words: Vec<(Term, Word)>,
    /// The symbols of sort Bool.
    pub truths: Vec<(Term, Lit)>,
}

/// Why there is no problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    Stopped(Stopped),
    TooLarge,
}

impl From<Stopped> for Trouble {
    fn from(stopped: Stopped) -> Self {
        Trouble::Stopped(stopped)
    }
}

/// How terms are read.
pub(crate) struct Reading<'a> {
    /// Whether this operator is read in bits.
    pub in_bits: &'a dyn Fn(Term) -> bool,
    /// Whether equality of bit-vectors is first of all equality of words.
    pub by_words: bool,
}

// format: bits of a mask.
const LIT: u8 = 1;
const WORD: u8 = 2;
const ROW: u8 = 4;

/// The conjunction of the formulas as a problem.
pub(crate) fn blast(
    terms: &Terms,
    formulas: &[Term],
    reading: &Reading<'_>,
    budget: &Budget,
) -> Result<Problem, Trouble> {
    let mut blaster = Blaster {
        terms,
        reading,
        gates: Gates::new(),
        needs: OrderedMap::default(),
        lits: FastMap::new(),
        words: FastMap::new(),
        row_of: FastMap::new(),
        heads: Vec::new(),
        ops: Vec::new(),
        head_of: FastMap::new(),
        rows: Vec::new(),
        known_rows: FastMap::new(),
        demand: FastMap::new(),
    };
    let leaf = blaster.head(None, false);
    let equality = blaster.head(None, true);
    assert!((leaf, equality) == (LEAF, EQUALITY), "the first heads are those of leaves and equality");
    blaster.heads[EQUALITY as usize].meaning = Meaning::Equality;
    blaster.collect(formulas, budget)?;
    blaster.build(budget)?;
    blaster.compare_arguments();
    blaster.read_arrays(budget)?;
    for formula in formulas {
        let lit = blaster.lits[formula];
        blaster.gates.clause(&[lit]);
    }
    Ok(blaster.finish())
}

// format: the operator code of leaves.
pub(crate) const LEAF: u32 = 0;
const EQUALITY: u32 = 1;

pub(crate) struct Blaster<'a> {
    pub terms: &'a Terms,
    reading: &'a Reading<'a>,
    pub gates: Gates,
    pub needs: OrderedMap<Term, u8>,
    lits: FastMap<Term, Lit>,
    words: FastMap<Term, Word>,
    pub row_of: FastMap<Term, u32>,
    heads: Vec<Head>,
    ops: Vec<Option<Op>>,
    head_of: FastMap<(Op, Sort), u32>,
    pub rows: Vec<Row>,
    /// Applications by head and arguments.
    known_rows: FastMap<(u32, Vec<u32>), u32>,
    /// The bits of each word that matter.
    demand: FastMap<Term, Mask>,
}

impl Blaster<'_> {
    // ---- what is wanted of each term

    fn collect(&mut self, formulas: &[Term], budget: &Budget) -> Result<(), Trouble> {
        let mut todo: Vec<(Term, u8)> = formulas.iter().map(|&formula| (formula, LIT)).collect();
        loop {
            while let Some((term, need)) = todo.pop() {
                budget.spend(1)?;
                let known = self.needs.entry(term).or_insert(0);
                let new = need & !*known;
                *known |= need;
                for want in [LIT, WORD, ROW] {
                    if new & want != 0 {
                        self.needs_of(term, want, &mut todo);
                    }
                }
            }
            // Where words are compared and one side has a row, the other gets one, so that what the rows say
            // is not found out value by value.
            for (&term, _) in &self.needs {
                if self.terms.op(term) != Op::Eq || !self.is_word_like(self.terms.arg(term, 0)) {
                    continue;
                }
                let (a, b) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
                let has_row = |side: Term| self.needs.get(&side).is_some_and(|need| need & ROW != 0);
                if has_row(a) != has_row(b) {
                    todo.extend([(a, ROW), (b, ROW)]);
                }
            }
            if todo.is_empty() {
                return Ok(());
            }
        }
    }
    fn is_word_like(&self, term: Term) -> bool {
        matches!(self.terms.sort_kind(self.terms.sort_of(term)), SortKind::BitVec(_))
    }
    fn in_bits(&self, term: Term) -> bool {
        is_bit_operator(self.terms.op(term)) && (self.reading.in_bits)(term)
    }
    /// What must be there before `term` can have what is wanted.
    fn needs_of(&self, term: Term, want: u8, todo: &mut Vec<(Term, u8)>) {
        let (op, args) = (self.terms.op(term), self.terms.args(term));
        let mut all = |args: &[Term], need: u8| todo.extend(args.iter().map(|&arg| (arg, need)));
        match (want, op) {
            (_, Op::True | Op::False | Op::Value | Op::Numeral) if want != LIT => {}
            (ROW, _) if self.terms.is_bool(term) => all(&[term], LIT),
            (LIT, Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Ite) => all(args, LIT),
            (LIT, Op::Eq | Op::Distinct) => {
                let need = match self.terms.sort_kind(self.terms.sort_of(args[0])) {
                    SortKind::Bool => LIT,
                    SortKind::BitVec(_) if self.reading.by_words => WORD,
                    _ => ROW,
                };
                all(args, need);
            }
            (_, Op::Ite) => {
                all(&args[..1], LIT);
                all(&args[1..], want);
            }
            _ if self.in_bits(term) => {
                // A row of something made of bits carries its word.
                if want == ROW {
                    all(&[term], WORD);
                } else {
                    all(args, WORD);
                }
            }
            // A word of something that is a row: bits that the row carries.
            (WORD, _) if !args.is_empty() => all(&[term], ROW),
            _ => {
                all(args, ROW);
                // A place of two bits is one of four; without its bits it would be one more.
                let is_narrow =
                    |arg: &Term| self.is_word_like(*arg) && self.terms.width(*arg) <= Tuning::DEFAULT.max_case_bits;
                if self.reading.by_words {
                    todo.extend(args.iter().filter(|arg| is_narrow(arg)).map(|&arg| (arg, WORD)));
                }
            }
        }
    }

    // ---- making it

    fn build(&mut self, budget: &Budget) -> Result<(), Trouble> {
        // Handles grow from arguments to the terms around them.
        let mut wanted: Vec<(Term, u8)> = self.needs.iter().map(|(&term, &need)| (term, need)).collect();
        wanted.sort_unstable_by_key(|&(term, _)| term);
        self.pass_demand_down(&wanted);
        for (term, need) in wanted {
            let before = self.gates.n_clauses();
            let is_bool = self.terms.is_bool(term);
            if is_bool {
                let lit = self.literal(term);
                self.lits.insert(term, lit);
            }
            if need & WORD != 0 && self.in_bits_or_choice(term) {
                let word = self.word(term)?;
                self.words.insert(term, word);
            }
            if need & ROW != 0 {
                let row = self.row(term);
                self.row_of.insert(term, row);
            }
            if need & WORD != 0 && !self.words.contains_key(&term) {
                let word = self.word(term)?;
                self.words.insert(term, word);
            }
            if let (Some(word), Some(&row)) = (self.words.get(&term), self.row_of.get(&term)) {
                // A value's bits are known; so are those of a row that another term shares.
                let row = &mut self.rows[row as usize];
                if row.constant.is_none() && row.word.is_empty() {
                    row.word.clone_from(word);
                } else if row.constant.is_none() && row.word != *word {
                    let old = row.word.clone();
                    for (old, new) in old.into_iter().zip(word.clone()) {
                        self.gates.clause(&[old, !new]);
                        self.gates.clause(&[!old, new]);
                    }
                }
            }
            budget.spend(1 + (self.gates.n_clauses() - before) as u64)?;
            if self.gates.n_clauses() > Tuning::DEFAULT.max_clauses {
                return Err(Trouble::TooLarge);
            }
        }
        Ok(())
    }
    /// Which bits of words matter, from the terms around them down.
    fn pass_demand_down(&mut self, wanted: &[(Term, u8)]) {
        for &(term, need) in wanted.iter().rev() {
            let (terms, demand) = (self.terms, &mut self.demand);
            let mut receive = |arg: Term, mask: Mask| {
                *demand.get_or_insert_with(arg, || 0) |= mask;
            };
            if terms.is_bool(term) || need & ROW != 0 {
                // Comparisons look at all bits, and a row carries a whole word.
                receive(term, WHOLE);
                terms.args(term).iter().for_each(|&arg| receive(arg, WHOLE));
                continue;
            }
            let mask = self.demand.get(&term).copied().unwrap_or(0);
            let demand = &mut self.demand;
            let mut receive = |arg: Term, mask: Mask| {
                *demand.get_or_insert_with(arg, || 0) |= mask;
            };
            if need & WORD != 0 && terms.op(term) == Op::Ite {
                terms.args(term)[1..].iter().for_each(|&arg| receive(arg, mask));
            } else if need & WORD != 0 && is_bit_operator(terms.op(term)) {
                demand::of_arguments(terms, term, mask, &mut receive);
            } else {
                terms.args(term).iter().for_each(|&arg| receive(arg, WHOLE));
            }
        }
    }
    fn in_bits_or_choice(&self, term: Term) -> bool {
        self.terms.op(term) == Op::Ite || self.in_bits(term)
    }
    fn lits_of(&self, term: Term) -> Vec<Lit> {
        self.terms.args(term).iter().map(|arg| self.lits[arg]).collect()
    }

    fn literal(&mut self, term: Term) -> Lit {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::True => TRUE,
            Op::False => !TRUE,
            Op::Not => !self.lits[&args[0]],
            Op::And => {
                let lits = self.lits_of(term);
                self.gates.all(&lits)
            }
            Op::Or => {
                let lits = self.lits_of(term);
                self.gates.any(&lits)
            }
            Op::Xor => {
                let lits = self.lits_of(term);
                self.gates.xor(lits[0], lits[1])
            }
            Op::Implies => {
                let lits = self.lits_of(term);
                self.gates.or(!lits[0], lits[1])
            }
            Op::Ite => {
                let lits = self.lits_of(term);
                self.gates.choose(lits[0], lits[1], lits[2])
            }
            Op::Eq => self.equal(args[0], args[1]),
            Op::Distinct => {
                let mut differ = Vec::new();
                for (i, &a) in args.iter().enumerate() {
                    for &b in &args[i + 1..] {
                        differ.push(!self.equal(a, b));
                    }
                }
                self.gates.all(&differ)
            }
            Op::Symbol(_) if args.is_empty() => self.gates.fresh(),
            op if self.in_bits(term) => {
                let words: Vec<Word> = args.iter().map(|arg| self.words[arg].clone()).collect();
                let words: Vec<&[Lit]> = words.iter().map(|word| &word[..]).collect();
                match self.gates.operator(op, &words) {
                    Some(Output::Truth(lit)) => lit,
                    _ => unreachable!("a predicate on bit-vectors has a truth value"),
                }
            }
            _ => self.predicate(term),
        }
    }
    /// A predicate of which only congruence is known. Orders are expressed by the strict order of their signedness.
    fn predicate(&mut self, term: Term) -> Lit {
        let (op, swapped, negated) = match self.terms.op(term) {
            Op::BvUgt => (Op::BvUlt, true, false),
            Op::BvUle => (Op::BvUlt, true, true),
            Op::BvUge => (Op::BvUlt, false, true),
            Op::BvSgt => (Op::BvSlt, true, false),
            Op::BvSle => (Op::BvSlt, true, true),
            Op::BvSge => (Op::BvSlt, false, true),
            op => (op, false, false),
        };
        let mut args: Vec<u32> = self.terms.args(term).iter().map(|arg| self.row_of[arg]).collect();
        if swapped {
            args.reverse();
        }
        let row = self.application(op, self.terms.sort_of(term), args);
        let lit = match self.rows[row as usize].truth {
            Some(lit) => lit,
            None => {
                let lit = self.gates.fresh();
                *self.rows[row as usize].truth.insert(lit)
            }
        };
        if negated { !lit } else { lit }
    }
    /// Equality of two terms by what both of them have.
    fn equal(&mut self, a: Term, b: Term) -> Lit {
        if let (Some(&x), Some(&y)) = (self.lits.get(&a), self.lits.get(&b)) {
            return self.gates.equal(x, y);
        }
        let words = match (self.words.get(&a), self.words.get(&b)) {
            (Some(x), Some(y)) => Some((x.clone(), y.clone())),
            _ => None,
        };
        let rows = match (self.row_of.get(&a), self.row_of.get(&b)) {
            (Some(&x), Some(&y)) => Some((x, y)),
            _ => None,
        };
        let by_rows = rows.map(|(x, y)| self.equal_rows(x, y));
        let by_words = words.map(|(x, y)| self.gates.equal_words(&x, &y));
        match (by_rows, by_words) {
            (Some(x), Some(y)) => {
                self.gates.clause(&[!x, y]);
                self.gates.clause(&[x, !y]);
                x
            }
            (Some(lit), None) | (None, Some(lit)) => lit,
            (None, None) => unreachable!("the sides of an equality have something in common"),
        }
    }

    fn word(&mut self, term: Term) -> Result<Word, Trouble> {
        let (op, args) = (self.terms.op(term), self.terms.args(term));
        let mask = self.demand.get(&term).copied().unwrap_or(WHOLE);
        Ok(match op {
            Op::Value => {
                let value = self.terms.value(term).expect("a literal has a value");
                (0..value.width()).map(|i| Gates::constant(value.bit(i))).collect()
            }
            Op::Ite => {
                let condition = self.lits[&args[0]];
                let (then, otherwise) = (self.words[&args[1]].clone(), self.words[&args[2]].clone());
                self.gates.choose_words_for(condition, &then, &otherwise, mask)
            }
            _ if self.in_bits(term) => {
                let words: Vec<Word> = args.iter().map(|arg| self.words[arg].clone()).collect();
                let words: Vec<&[Lit]> = words.iter().map(|word| &word[..]).collect();
                if gates_of(op, words[0].len()) > Tuning::DEFAULT.max_clauses as u64 / 8 {
                    return Err(Trouble::TooLarge);
                }
                match self.gates.operator_for(op, &words, mask) {
                    Some(Output::Word(word)) => word,
                    _ => unreachable!("an operator on bit-vectors has a word"),
                }
            }
            _ => {
                let shared = self.row_of.get(&term).map(|&row| &self.rows[row as usize].word);
                match shared {
                    Some(word) if !word.is_empty() => word.clone(),
                    _ => (0..self.terms.width(term)).map(|_| self.gates.fresh()).collect(),
                }
            }
        })
    }

    // ---- rows

    pub fn is_function(&self, head: u32) -> bool {
        head != LEAF && head != EQUALITY
    }
    pub fn commutes(&self, head: u32) -> bool {
        self.heads[head as usize].commutes
    }
    fn head(&mut self, op: Option<Op>, commutes: bool) -> u32 {
        self.heads.push(Head { meaning: Meaning::Function, commutes });
        self.ops.push(op);
        self.heads.len() as u32 - 1
    }
    pub fn push_row(&mut self, head: u32, args: Vec<u32>) -> u32 {
        self.rows.push(Row { head, args, constant: None, truth: None, word: Vec::new() });
        self.rows.len() as u32 - 1
    }
    pub fn application(&mut self, op: Op, sort: Sort, args: Vec<u32>) -> u32 {
        let head = match self.head_of.get(&(op, sort)) {
            Some(&head) => head,
            None => {
                let known = is_bit_operator(op).then_some(op);
                let head = self.head(known, op.row().commutes);
                self.head_of.insert((op, sort), head);
                head
            }
        };
        if let Some(&row) = self.known_rows.get(&(head, args.clone())) {
            return row;
        }
        let row = self.push_row(head, args.clone());
        self.known_rows.insert((head, args), row);
        row
    }
    pub fn equal_rows(&mut self, a: u32, b: u32) -> Lit {
        if a == b {
            return TRUE;
        }
        let (first, second) = (&self.rows[a as usize].constant, &self.rows[b as usize].constant);
        if first.is_some() && second.is_some() {
            return !TRUE; // Different rows of values are different values.
        }
        let args = vec![a.min(b), a.max(b)];
        if let Some(&row) = self.known_rows.get(&(EQUALITY, args.clone())) {
            return self.rows[row as usize].truth.expect("equalities have literals");
        }
        let row = self.push_row(EQUALITY, args.clone());
        self.known_rows.insert((EQUALITY, args), row);
        let lit = self.gates.fresh();
        self.rows[row as usize].truth = Some(lit);
        lit
    }
    fn row(&mut self, term: Term) -> u32 {
        let (op, args) = (self.terms.op(term), self.terms.args(term));
        let sort = self.terms.sort_of(term);
        let constant = match op {
            Op::True => Some(Constant::Bool(true)),
            Op::False => Some(Constant::Bool(false)),
            Op::Value => self.terms.value(term).map(Constant::Bits),
            // Numerals are normalised, so different terms are different numbers.
            Op::Numeral => Some(Constant::Token(sort.index() as u32, term.index() as u32)),
            _ => None,
        };
        if constant.is_some() {
            let row = self.push_row(LEAF, Vec::new());
            self.rows[row as usize].constant = constant;
            return row;
        }
        if self.terms.is_bool(term) {
            let row = self.push_row(LEAF, Vec::new());
            self.rows[row as usize].truth = Some(self.lits[&term]);
            return row;
        }
        match op {
            Op::Ite => {
                let row = self.push_row(LEAF, Vec::new());
                let condition = self.lits[&args[0]];
                let (then, otherwise) = (self.row_of[&args[1]], self.row_of[&args[2]]);
                let is_then = self.equal_rows(row, then);
                let is_otherwise = self.equal_rows(row, otherwise);
                self.gates.clause(&[!condition, is_then]);
                self.gates.clause(&[condition, is_otherwise]);
                row
            }
            _ if args.is_empty() || self.in_bits(term) => self.push_row(LEAF, Vec::new()),
            _ => {
                let rows = args.iter().map(|arg| self.row_of[arg]).collect();
                self.application(op, sort, rows)
            }
        }
    }

    fn finish(self) -> Problem {
        let (mut words, mut truths) = (Vec::new(), Vec::new());
        for &term in self.needs.keys() {
            if matches!(self.terms.op(term), Op::Symbol(_)) && self.terms.args(term).is_empty() {
                words.extend(self.words.get(&term).map(|word| (term, word.clone())));
                truths.extend(self.lits.get(&term).map(|&lit| (term, lit)));
            }
        }
        let of_rows = self.rows.iter().flat_map(|row| row.word.iter().chain(&row.truth).copied());
        Problem {
            n_vars: self.gates.n_vars,
            clauses: self.gates.cone(of_rows),
            heads: self.heads,
            ops: self.ops,
            rows: self.rows,
            words,
            truths,
        }
    }
}

impl Problem {
    /// The value of a row's head for values, where it has one.
    pub fn evaluate(op: Option<Op>, args: &[Constant]) -> Option<Constant> {
        let bits: Option<Vec<Bits>> = args
            .iter()
            .map(|arg| match arg {
                Constant::Bits(bits) => Some(bits.clone()),
                _ => None,
            })
            .collect();
        Some(match term::evaluate_operator(op?, &bits?)? {
            term::Scalar::Bool(value) => Constant::Bool(value),
            term::Scalar::Bits(bits) => Constant::Bits(bits),
        })
    }
}

/// Operators from bit-vectors to bit-vectors or truth values, equality aside.
pub(crate) fn is_bit_operator(op: Op) -> bool {
    op.row().cost != Cost::NoCircuit
}

/// Multiplication, division and remainder.
pub(crate) fn is_costly(op: Op) -> bool {
    op.row().cost >= Cost::Product
}

/// About how many gates the operator takes.
fn gates_of(op: Op, width: usize) -> u64 {
    let width = width as u64;
    match op.row().cost {
        Cost::Product | Cost::ProductOverflow | Cost::Division => width * width * 4,
        Cost::Shift => width * width.min(64),
        _ => width * 4,
    }
}
