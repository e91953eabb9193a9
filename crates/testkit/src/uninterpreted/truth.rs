//! What is true of a program, found without any engine: all its paths up to a bound, each decided by congruence closure
//! written down as plainly as possible.
//!
//! An error that is found is one. If no path was cut off, there is no other. Beyond the bound nothing is known, and
//! certificates must speak.

use super::{Cond, Fun, Program, Stmt};

/// What is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth {
    /// A path within the bound fails the assertion.
    pub error: bool,
    /// All paths were looked at.
    pub complete: bool,
}

/// Statements on one path, and steps of all paths together.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Statements on one path.
    pub length: usize,
    /// Statements of all paths.
    pub total: usize,
}

/// A path: what variables hold, what is equal, what differs.
#[derive(Clone)]
struct Path {
    held: Vec<usize>,
    /// By term: what it was made of.
    terms: Vec<Option<(Fun, Vec<usize>)>>,
    /// By term: the smallest term that it equals.
    class: Vec<usize>,
    apart: Vec<(usize, usize)>,
    length: usize,
}

/// What is still to be done on a path: lists of statements, the innermost last, each with the next one's number.
type Rest<'p> = Vec<(&'p [Stmt], usize)>;

/// Looks at the paths of the program, shorter prefixes first within a branch.
pub fn truth(program: &Program, bound: Bound) -> Truth {
    let n = program.vars.len();
    let start =
        Path { held: (0..n).collect(), terms: vec![None; n], class: (0..n).collect(), apart: Vec::new(), length: 0 };
    let mut found = Truth { error: false, complete: true };
    let mut total = 0;
    let mut todo: std::collections::VecDeque<(Path, Rest<'_>)> = [(start, vec![(&program.body[..], 0)])].into();
    while let Some((mut path, mut rest)) = todo.pop_front() {
        loop {
            let Some((block, next)) = rest.last_mut() else {
                let mut failing = path.clone();
                failing.assume(program.assertion.negated());
                found.error |= failing.is_consistent();
                break;
            };
            let Some(stmt) = block.get(*next) else {
                rest.pop();
                continue;
            };
            *next += 1;
            path.length += 1;
            total += 1;
            if path.length > bound.length || total > bound.total {
                found.complete = false;
                break;
            }
            match stmt {
                Stmt::Copy(x, y) => path.held[*x] = path.held[*y],
                Stmt::Apply(x, f, args) => {
                    let args = args.iter().map(|&arg| path.held[arg]).collect();
                    path.held[*x] = path.term(*f, args);
                }
                Stmt::Havoc(x) => {
                    path.terms.push(None);
                    path.class.push(path.terms.len() - 1);
                    path.held[*x] = path.terms.len() - 1;
                }
                Stmt::Assume(cond) => {
                    path.assume(*cond);
                    if !path.is_consistent() {
                        break;
                    }
                }
                Stmt::If(cond, then, otherwise) => {
                    let mut other = path.clone();
                    other.assume(cond.negated());
                    if other.is_consistent() {
                        let mut rest = rest.clone();
                        rest.push((otherwise, 0));
                        todo.push_back((other, rest));
                    }
                    path.assume(*cond);
                    if !path.is_consistent() {
                        break;
                    }
                    rest.push((then, 0));
                }
                Stmt::While(cond, body) => {
                    let mut again = path.clone();
                    again.assume(*cond);
                    if again.is_consistent() {
                        let mut rest = rest.clone();
                        rest.last_mut().expect("the loop stands in a block").1 -= 1;
                        rest.push((body, 0));
                        todo.push_back((again, rest));
                    }
                    path.assume(cond.negated());
                    if !path.is_consistent() {
                        break;
                    }
                }
            }
        }
        if found.error || total > bound.total {
            found.complete &= todo.is_empty();
            break;
        }
    }
    found
}

impl Path {
    /// The term, known by its function and the classes of its arguments.
    fn term(&mut self, f: Fun, args: Vec<usize>) -> usize {
        let same = |other: &[usize], class: &[usize]| other.iter().zip(&args).all(|(a, b)| class[*a] == class[*b]);
        let known =
            self.terms.iter().position(|one| matches!(one, Some((g, other)) if *g == f && same(other, &self.class)));
        known.unwrap_or_else(|| {
            self.terms.push(Some((f, args)));
            self.class.push(self.terms.len() - 1);
            self.terms.len() - 1
        })
    }
    fn assume(&mut self, cond: Cond) {
        let (a, b) = (self.held[cond.left], self.held[cond.right]);
        if !cond.equal {
            self.apart.push((a, b));
            return;
        }
        self.join(a, b);
        // Equal arguments give equal values, until nothing changes.
        loop {
            let mut pair = None;
            for (i, one) in self.terms.iter().enumerate() {
                let Some((f, xs)) = one else { continue };
                for (j, other) in self.terms[..i].iter().enumerate() {
                    let Some((g, ys)) = other else { continue };
                    let same = f == g && xs.iter().zip(ys).all(|(x, y)| self.class[*x] == self.class[*y]);
                    if same && self.class[i] != self.class[j] {
                        pair = Some((i, j));
                    }
                }
            }
            let Some((i, j)) = pair else { return };
            self.join(i, j);
        }
    }
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.class[a], self.class[b]);
        for class in &mut self.class {
            if *class == a.max(b) {
                *class = a.min(b);
            }
        }
    }
    fn is_consistent(&self) -> bool {
        self.apart.iter().all(|(a, b)| self.class[*a] != self.class[*b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(body: Vec<Stmt>, assertion: Cond) -> Program {
        let vars = ["x", "y", "z"].map(str::to_owned).to_vec();
        Program { vars, functions: vec![("f".to_owned(), 1)], body, assertion }
    }
    const SAME: Cond = Cond { left: 0, right: 1, equal: true };
    const BOUND: Bound = Bound { length: 30, total: 1000 };

    #[test]
    fn equal_arguments_give_equal_values() {
        let apply = |x| Stmt::Apply(x, 0, vec![x]);
        let body = vec![Stmt::Assume(SAME), apply(0), apply(1)];
        assert_eq!(truth(&program(body.clone(), SAME), BOUND), Truth { error: false, complete: true });
        assert!(truth(&program(body[1..].to_vec(), SAME), BOUND).error);
    }
    #[test]
    fn a_loop_is_cut_off_at_the_bound() {
        let body = vec![
            Stmt::Assume(SAME),
            Stmt::While(
                Cond { left: 0, right: 2, equal: false },
                vec![Stmt::Apply(0, 0, vec![0]), Stmt::Apply(1, 0, vec![1])],
            ),
        ];
        assert_eq!(truth(&program(body, SAME), BOUND), Truth { error: false, complete: false });
    }
}
