//! Linear algebra modulo a power of two: the vectors that a set of rows spans, and the forms that vanish on them.
//!
//! The integers modulo 2^w are no field, but every number is a unit times a power of two; so elimination works
//! if the pivot is always an entry with the fewest trailing zeros, because it divides all others
//! [MüllerOlmSeidl-ESOP'05]. A matrix brought to diagonal form by rows and columns shows its orthogonal: a
//! column without a pivot is free, and a pivot 2^e lets its column take multiples of 2^(w-e).

use term::sums::inverse;

/// Rows of numbers modulo 2^width.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub width: u32,
    pub columns: usize,
    rows: Vec<Vec<u64>>,
}

impl Span {
    /// Nothing but zero.
    pub fn new(width: u32, columns: usize) -> Self {
        assert!((1..=64).contains(&width), "words of at most 64 bits");
        Span { width, columns, rows: Vec::new() }
    }
    /// One more row.
    pub fn add(&mut self, row: Vec<u64>) {
        assert_eq!(row.len(), self.columns, "rows have one length");
        self.rows.push(row);
    }
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    /// Generators of all forms (vectors of coefficients) whose product with every row is zero, in echelon form.
    pub fn orthogonal(&self) -> Vec<Vec<u64>> {
        let (mut rows, n) = (self.rows.clone(), self.columns);
        // Follows the operations on columns: `basis[c]` says what column `c` stands for.
        let mut basis: Vec<Vec<u64>> = (0..n).map(|c| (0..n).map(|d| u64::from(c == d)).collect()).collect();
        let mut pivots = Vec::new();
        while let Some((r, c, zeros)) = self.pivot(&rows, pivots.len(), pivots.len()..n) {
            let at = pivots.len();
            rows.swap(at, r);
            rows.iter_mut().for_each(|row| row.swap(at, c));
            basis.swap(at, c);
            let unit = inverse(rows[at][at] >> zeros);
            rows[at].iter_mut().for_each(|entry| *entry = self.cut(entry.wrapping_mul(unit)));
            let pivot = rows[at].clone();
            for row in &mut rows[at + 1..] {
                let times = row[at] >> zeros;
                self.subtract(row, &pivot, times);
            }
            let own = basis[at].clone();
            for c in at + 1..n {
                self.subtract(&mut basis[c], &own, pivot[c] >> zeros);
            }
            pivots.push(zeros);
        }
        let mut forms: Vec<Vec<u64>> = basis.split_off(pivots.len());
        for (zeros, form) in pivots.into_iter().zip(basis).filter(|(zeros, _)| *zeros > 0) {
            forms.push(form.into_iter().map(|entry| self.cut(entry << (self.width - zeros))).collect());
        }
        self.echelon(forms)
    }
    /// The same forms with as many zeros as elimination gives; the last column, if it is a constant, is no pivot before
    /// all others are.
    fn echelon(&self, mut forms: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        let mut done = 0;
        while let Some((r, c, zeros)) =
            self.pivot(&forms, done, 0..self.columns - 1).or_else(|| self.pivot(&forms, done, 0..self.columns))
        {
            forms.swap(done, r);
            let unit = inverse(forms[done][c] >> zeros);
            forms[done].iter_mut().for_each(|entry| *entry = self.cut(entry.wrapping_mul(unit)));
            let own = forms[done].clone();
            for (other, form) in forms.iter_mut().enumerate() {
                if other != done {
                    let times = form[c] >> zeros;
                    self.subtract(form, &own, times);
                }
            }
            done += 1;
        }
        forms.truncate(done);
        forms
    }
    /// The entry that divides all others: its row, column, and trailing zeros.
    fn pivot(
        &self,
        rows: &[Vec<u64>],
        from_row: usize,
        columns: std::ops::Range<usize>,
    ) -> Option<(usize, usize, u32)> {
        let mut best: Option<(usize, usize, u32)> = None;
        for (r, row) in rows.iter().enumerate().skip(from_row) {
            for c in columns.clone().rev() {
                let zeros = row[c].trailing_zeros();
                if row[c] != 0 && best.is_none_or(|(_, _, least)| zeros < least) {
                    best = Some((r, c, zeros));
                }
            }
        }
        best
    }
    fn subtract(&self, row: &mut [u64], other: &[u64], times: u64) {
        for (entry, &other) in row.iter_mut().zip(other) {
            *entry = self.cut(entry.wrapping_sub(other.wrapping_mul(times)));
        }
    }
    fn cut(&self, number: u64) -> u64 {
        if self.width == 64 { number } else { number & ((1 << self.width) - 1) }
    }
}

#[cfg(test)]
mod tests {
    use base::Random;

    use super::*;

    #[test]
    fn points_on_a_line_give_its_equations() {
        let mut span = Span::new(32, 3);
        // y = 3x + 5, with the constant last.
        for x in [1u64, 7, 20] {
            span.add(vec![x, 3 * x + 5, 1]);
        }
        // x differs by 6 and 13, so nothing else is known of it.
        assert_eq!(span.orthogonal(), vec![vec![(-3i32) as u32 as u64, 1, (-5i32) as u32 as u64]]);
    }

    #[test]
    fn even_steps_show_in_the_low_bits() {
        let mut span = Span::new(8, 2);
        for x in [1, 5, 9] {
            span.add(vec![x, 1]);
        }
        // 64 * (x - 1) = 0: x is 1 modulo 4.
        assert_eq!(span.orthogonal(), vec![vec![64, 192]]);
    }

    #[test]
    fn small_rings_agree_with_counting() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let (width, n) = (2, 3);
            let mut span = Span::new(width, n);
            for _ in 0..random.below(4) {
                span.add((0..n).map(|_| random.below(4)).collect());
            }
            let forms = span.orthogonal();
            let product = |row: &[u64], form: &[u64]| row.iter().zip(form).map(|(a, b)| a * b).sum::<u64>() % 4;
            for code in 0..64u64 {
                let vector: Vec<u64> = (0..n).map(|i| code >> (2 * i) & 3).collect();
                let is_orthogonal = span.rows.iter().all(|row| product(row, &vector) == 0);
                // All combinations of the generators.
                let mut combinations = vec![vec![0u64; n]];
                for form in &forms {
                    let mut more = Vec::new();
                    for old in &combinations {
                        more.extend(
                            (0..4)
                                .map(|k| -> Vec<u64> { old.iter().zip(form).map(|(a, b)| (a + k * b) % 4).collect() }),
                        );
                    }
                    combinations = more;
                }
                assert_eq!(is_orthogonal, combinations.contains(&vector), "{span:?} {vector:?}");
            }
        }
    }
}
