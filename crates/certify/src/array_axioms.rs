//! Array axioms: every instance that the arrays of a problem can need, as clauses from the start.
//!
//! * `select(store(a, i, v), j) = v` if `i = j`, otherwise `select(a, j)`;
//! * `select(const(v), j) = v`;
//! * `a = b or select(a, k) != select(b, k)`, with a witness `k` of its own for each pair that is compared.
//!
//! Instances are made for all `j` at which any array of the sort is read or written, which is enough
//! ([BradleyMannaSipma-VMCAI'06]).

use base::{Budget, OrderedMap};
use proof::{Constant, Lit, Row};
use term::{Op, Sort, SortKind, Term};

use crate::blast::{Blaster, LEAF, Trouble};
use crate::gates::Gates;
use crate::tuning::Tuning;

impl Blaster<'_> {
    /// All instances of the axioms that the array terms can need: every array is read at every place that any
    /// array of its sort is read or written, and at a witness for each pair that is compared.
    pub fn read_arrays(&mut self, budget: &Budget) -> Result<(), Trouble> {
        let wanted: Vec<Term> = self.needs.keys().copied().collect();
        let mut by_sort: OrderedMap<Sort, (Vec<Term>, Vec<u32>)> = OrderedMap::default();
        let mut compared = Vec::new();
        for term in wanted {
            let sort = self.terms.sort_of(term);
            if matches!(self.terms.sort_kind(sort), SortKind::Array(..)) {
                by_sort.entry(sort).or_default().0.push(term);
            }
            let args = self.terms.args(term);
            match self.terms.op(term) {
                Op::Select | Op::Store => {
                    let index = self.row_of[&args[1]];
                    let places = &mut by_sort.entry(self.terms.sort_of(args[0])).or_default().1;
                    if !places.contains(&index) {
                        places.push(index);
                    }
                }
                Op::Eq | Op::Distinct => {
                    for (i, &a) in args.iter().enumerate() {
                        compared.extend(args[i + 1..].iter().map(|&b| (a, b)));
                    }
                }
                _ => {}
            }
        }
        for (a, b) in compared {
            let sort = self.terms.sort_of(a);
            let &SortKind::Array(_, element) = self.terms.sort_kind(sort) else { continue };
            // a = b, or they differ at the witness.
            let witness = self.push_row(LEAF, Vec::new());
            by_sort.entry(sort).or_default().1.push(witness);
            let (x, y) = (self.row_of[&a], self.row_of[&b]);
            let (at_x, at_y) = (self.read(element, x, witness), self.read(element, y, witness));
            let (same, alike) = (self.equal_rows(x, y), self.equal_elements(element, at_x, at_y));
            self.gates.clause(&[same, !alike]);
        }
        for (sort, (arrays, places)) in by_sort {
            let &SortKind::Array(_, element) = self.terms.sort_kind(sort) else { unreachable!("only arrays are here") };
            if arrays.len().saturating_mul(places.len()) > Tuning::DEFAULT.max_reads {
                return Err(Trouble::TooLarge);
            }
            for &array in &arrays {
                budget.spend(places.len() as u64)?;
                let row = self.row_of[&array];
                let args: Vec<u32> =
                    self.terms.args(array).iter().filter_map(|arg| self.row_of.get(arg).copied()).collect();
                for &place in &places {
                    let read = self.read(element, row, place);
                    match self.terms.op(array) {
                        // Written here, or as below.
                        Op::Store => {
                            let here = self.equal_rows(args[1], place);
                            let below = self.read(element, args[0], place);
                            let (written, kept) = (
                                self.equal_elements(element, read, args[2]),
                                self.equal_elements(element, read, below),
                            );
                            self.gates.clause(&[!here, written]);
                            self.gates.clause(&[here, kept]);
                        }
                        Op::ConstArray => {
                            let same = self.equal_elements(element, read, args[0]);
                            self.gates.clause(&[same]);
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }
    fn read(&mut self, element: Sort, array: u32, place: u32) -> u32 {
        let row = self.application(Op::Select, element, vec![array, place]);
        if matches!(self.terms.sort_kind(element), SortKind::Bool) && self.rows[row as usize].truth.is_none() {
            let lit = self.gates.fresh();
            self.rows[row as usize].truth = Some(lit);
        }
        row
    }
    fn equal_elements(&mut self, element: Sort, a: u32, b: u32) -> Lit {
        if !matches!(self.terms.sort_kind(element), SortKind::Bool) {
            return self.equal_rows(a, b);
        }
        let [x, y] = [a, b].map(|row| match &self.rows[row as usize] {
            Row { truth: Some(lit), .. } => *lit,
            Row { constant: Some(Constant::Bool(value)), .. } => Gates::constant(*value),
            _ => unreachable!("a row of sort Bool has a literal"),
        });
        self.gates.equal(x, y)
    }
}
