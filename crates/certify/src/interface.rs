//! Words that are arguments of functions: where two applications of one function could be equal, their arguments are
//! compared by bits.
//!
//! A row that carries a word meets another such row only when every bit of both is assigned. If `c` and `d` are
//! made of bits and equal for all values, `f(c) = f(d)` would be found out value by value; with a literal for
//! `c = d` that is true exactly if the bits are equal, it is one step. The clauses say what equality is, so they are
//! right wherever they are added; they are added where functions ask for them, up to a limit.

use base::Bits;
use proof::{Constant, Lit};

use crate::blast::Blaster;
use crate::circuits::Word;
use crate::gates::Gates;
use crate::tuning::Tuning;

impl Blaster<'_> {
    /// Ties equalities of arguments to their bits.
    pub(crate) fn compare_arguments(&mut self) {
        let mut by_head: Vec<Vec<u32>> = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            if row.constant.is_none() && !row.args.is_empty() && self.is_function(row.head) {
                let head = row.head as usize;
                by_head.resize(by_head.len().max(head + 1), Vec::new());
                by_head[head].push(number as u32);
            }
        }
        let mut looked_at = 0;
        for group in by_head {
            for (i, &one) in group.iter().enumerate() {
                for &other in &group[..i] {
                    looked_at += 1;
                    if looked_at > Tuning::DEFAULT.max_pairs {
                        return;
                    }
                    self.compare(one, other);
                }
            }
        }
    }
    fn compare(&mut self, one: u32, other: u32) {
        let (ours, theirs) = (self.rows[one as usize].args.clone(), self.rows[other as usize].args.clone());
        let mut pairs: Vec<(u32, u32)> = ours.iter().copied().zip(theirs.iter().copied()).collect();
        if self.commutes(self.rows[one as usize].head) && ours.len() == 2 && theirs.len() == 2 {
            pairs.extend([(ours[0], theirs[1]), (ours[1], theirs[0])]);
        }
        for (a, b) in pairs {
            let has_word = |row: u32| !self.rows[row as usize].word.is_empty();
            if a == b || !(has_word(a) || has_word(b)) {
                continue;
            }
            let (Some(x), Some(y)) = (self.word_of_row(a), self.word_of_row(b)) else { continue };
            // A head is an operator with the sort of its result: the arguments of two comparisons, or the places of two reads,
            // may differ in width. Such words have no equality.
            if x.len() != y.len() {
                continue;
            }
            let by_rows = self.equal_rows(a, b);
            let by_words = self.gates.equal_words(&x, &y);
            self.gates.clause(&[!by_rows, by_words]);
            self.gates.clause(&[by_rows, !by_words]);
        }
    }
    fn word_of_row(&self, row: u32) -> Option<Word> {
        let row = &self.rows[row as usize];
        match &row.constant {
            Some(Constant::Bits(bits)) => Some(constant(bits)),
            Some(_) => None,
            None => (!row.word.is_empty()).then(|| row.word.clone()),
        }
    }
}

fn constant(bits: &Bits) -> Vec<Lit> {
    (0..bits.width()).map(|i| Gates::constant(bits.bit(i))).collect()
}
