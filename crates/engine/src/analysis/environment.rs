//! What is known at a location: of each variable its number, and which variables are equal.
//!
//! Equalities are kept as a partition: variables of one class have the same value, and the class is named after its first
//! variable, so that equal partitions look equal. Numbers are kept in pages that environments share until one of them
//! changes: an edge changes one page, and a join looks only at pages that differ.

use std::rc::Rc;

use base::{FastMap, Id};
use program::{Program, Var};
use term::{Op, SortKind, Term, Terms};

use super::number::Number;
use super::transfer::operate;

/// What is known at a location that can be reached.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    /// By variable, page after page.
    pages: Vec<Rc<Vec<Number>>>,
    /// By variable: the first variable of its class; variables of the same class are equal.
    classes: Rc<Vec<u32>>,
    var_of: Rc<FastMap<Term, Var>>,
}

/// Variables of a page. format: how the environment is stored.
const PAGE: usize = 32;

/// The width under which a sort is known; 0 for what is not a number.
pub(crate) fn width_of(terms: &Terms, sort: term::Sort) -> u32 {
    match terms.sort_kind(sort) {
        SortKind::Bool => 1,
        SortKind::BitVec(width) if *width <= 64 => *width,
        _ => 0,
    }
}

impl Environment {
    /// Nothing is known.
    pub fn new(program: &Program, terms: &Terms) -> Self {
        let mut var_of = FastMap::new();
        for (var, variable) in program.vars.iter_enumerated() {
            var_of.insert(variable.term, var);
        }
        let numbers = program.vars.iter().map(|variable| Number::any(width_of(terms, variable.sort)));
        let numbers: Vec<Number> = numbers.collect();
        let classes = (0..program.vars.len() as u32).collect();
        let pages = numbers.chunks(PAGE).map(|page| Rc::new(page.to_vec())).collect();
        Environment { pages, classes: Rc::new(classes), var_of: Rc::new(var_of) }
    }
    pub fn number(&self, var: Var) -> &Number {
        &self.pages[var.index() / PAGE][var.index() % PAGE]
    }
    fn set(&mut self, index: usize, number: Number) {
        if self.pages[index / PAGE][index % PAGE] != number {
            Rc::make_mut(&mut self.pages[index / PAGE])[index % PAGE] = number;
        }
    }
    pub fn class(&self, var: Var) -> u32 {
        self.classes[var.index()]
    }
    /// The variable that the term is.
    pub fn variable(&self, term: Term) -> Option<Var> {
        self.var_of.get(&term).copied()
    }
    /// What is known of a term.
    pub fn value(&self, terms: &Terms, term: Term) -> Number {
        if let Some(known) = self.leaf(terms, term) {
            return known;
        }
        let mut done: FastMap<Term, Number> = FastMap::new();
        for sub in terms.subterms(&[term]) {
            let number = match self.leaf(terms, sub) {
                Some(known) => known,
                None => {
                    let args: Vec<&Number> = terms.args(sub).iter().map(|arg| &done[arg]).collect();
                    let width = width_of(terms, terms.sort_of(sub));
                    match (terms.op(sub), terms.args(sub)) {
                        // Equal variables are equal whatever their numbers.
                        (Op::Eq, &[a, b]) if self.are_equal(a, b) => Number::exactly(1, 1),
                        (Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Concat, [_, _, _, ..]) => {
                            fold(terms.op(sub), &args, width)
                        }
                        (op, _) => operate(op, &args, width),
                    }
                }
            };
            done.insert(sub, number);
        }
        done.remove(&term).expect("a term is among its subterms")
    }
    fn leaf(&self, terms: &Terms, term: Term) -> Option<Number> {
        match terms.op(term) {
            Op::True => Some(Number::exactly(1, 1)),
            Op::False => Some(Number::exactly(1, 0)),
            Op::Value => Some(terms.value(term).map_or_else(|| Number::any(0), |bits| Number::of_bits(&bits))),
            Op::Symbol(_) => Some(match self.variable(term) {
                Some(var) => self.number(var).clone(),
                None => Number::any(width_of(terms, terms.sort_of(term))),
            }),
            _ => None,
        }
    }
    fn are_equal(&self, a: Term, b: Term) -> bool {
        match (self.variable(a), self.variable(b)) {
            (Some(a), Some(b)) => self.class(a) == self.class(b),
            _ => false,
        }
    }
    /// The variable has a new value: that of the term, if there is one, as seen before all assignments of the edge.
    pub fn assign(&mut self, terms: &Terms, pairs: &[(Var, Option<Term>)]) {
        let news: Vec<(Var, Number, Option<u32>)> = pairs
            .iter()
            .map(|&(var, term)| match term {
                Some(term) => (var, self.value(terms, term), self.variable(term).map(|source| self.class(source))),
                None => (var, Number::any(self.number(var).width), None),
            })
            .collect();
        // Of each class that is a source: a variable that keeps its value, if there is one.
        let is_assigned = |index: usize| pairs.iter().any(|(var, _)| var.index() == index);
        let keeper = |class: u32| {
            let mut members = (class as usize..self.classes.len()).filter(|&index| self.classes[index] == class);
            members.find(|&index| !is_assigned(index))
        };
        let mut keepers: Vec<(u32, usize)> = Vec::new();
        for class in news.iter().filter_map(|new| new.2) {
            keepers.extend(keeper(class).map(|index| (class, index)));
        }
        for (var, number, _) in &news {
            // What has no number keeps having none: sorts do not change.
            let number = if self.number(*var).width == 0 { Number::any(0) } else { number.clone() };
            self.set(var.index(), number);
            self.leave(var.index());
        }
        for (var, _, class) in news {
            let Some(class) = class else { continue };
            match keepers.iter().find(|(known, _)| *known == class) {
                Some(&(_, index)) => self.unite(var.index() as u32, self.classes[index]),
                // From now on this one keeps it.
                None => keepers.push((class, var.index())),
            }
        }
    }
    /// The variable gets a class of its own.
    fn leave(&mut self, index: usize) {
        let class = self.classes[index];
        let is_alone = class as usize == index && !self.classes[index + 1..].contains(&class);
        if is_alone {
            return;
        }
        let classes = Rc::make_mut(&mut self.classes);
        classes[index] = index as u32;
        if class as usize == index {
            // The next one names the remaining ones.
            let mut first = None;
            for (other, known) in classes.iter_mut().enumerate().skip(index + 1).filter(|(_, known)| **known == class) {
                *known = *first.get_or_insert(other as u32);
            }
        }
    }
    /// Two classes become one, named after the first variable of both.
    fn unite(&mut self, a: u32, b: u32) {
        let (first, other) = (a.min(b), a.max(b));
        if first != other {
            for class in Rc::make_mut(&mut self.classes).iter_mut().filter(|class| **class == other) {
                *class = first;
            }
        }
    }
    /// The variable, and all that are equal to it, have one of these values too.
    pub fn restrict(&mut self, var: Var, number: Number) {
        if *self.number(var) == number {
            return;
        }
        let class = self.class(var);
        for index in class as usize..self.classes.len() {
            if self.classes[index] == class {
                self.set(index, number.clone());
            }
        }
    }
    /// Two terms are equal; only variables are remembered.
    pub fn equate(mut self, _: &Terms, left: Term, right: Term) -> Environment {
        if let (Some(a), Some(b)) = (self.variable(left), self.variable(right)) {
            let (a, b) = (self.class(a), self.class(b));
            self.unite(a, b);
        }
        self
    }
    /// What holds in both.
    pub fn join(&self, other: &Environment) -> Environment {
        self.combine(other, Number::join)
    }
    /// At least the join; repeated, it comes to an end.
    pub fn widen(&self, next: &Environment, thresholds: &[u64]) -> Environment {
        self.combine(next, |a, b| a.widen(b, thresholds))
    }
    fn combine(&self, other: &Environment, each: impl Fn(&Number, &Number) -> Number) -> Environment {
        let page = |(a, b): (&Rc<Vec<Number>>, &Rc<Vec<Number>>)| {
            if Rc::ptr_eq(a, b) || a == b {
                return Rc::clone(a);
            }
            let both = a.iter().zip(b.iter());
            Rc::new(both.map(|(a, b)| if a == b { a.clone() } else { each(a, b) }).collect())
        };
        let pages = self.pages.iter().zip(&other.pages).map(page).collect();
        let classes = if Rc::ptr_eq(&self.classes, &other.classes) || self.classes == other.classes {
            Rc::clone(&self.classes)
        } else {
            let mut new: FastMap<(u32, u32), u32> = FastMap::new();
            let both = self.classes.iter().zip(other.classes.iter()).enumerate();
            // Where both have the same first variable, it is the first of the new class too.
            let class = |(index, (&a, &b)): (usize, (&u32, &u32))| {
                if a == b { a } else { *new.get_or_insert_with((a, b), || index as u32) }
            };
            Rc::new(both.map(class).collect())
        };
        Environment { pages, classes, var_of: Rc::clone(&self.var_of) }
    }
    /// What both say, given that both are right.
    pub fn sharpen(&self, new: &Environment) -> Environment {
        let mut result = self.combine(new, |old, new| old.meet(new).unwrap_or_else(|| old.clone()));
        // Both partitions are right; the new one is as good as any.
        result.classes = Rc::clone(&new.classes);
        result
    }
    /// Whether both know the same.
    pub fn same(&self, other: &Environment) -> bool {
        let mut pages = self.pages.iter().zip(&other.pages);
        pages.all(|(a, b)| Rc::ptr_eq(a, b) || a == b) && self.classes == other.classes
    }
}

fn fold(op: Op, args: &[&Number], width: u32) -> Number {
    if op == Op::Concat || width == 0 {
        return Number::any(width);
    }
    let mut result = args[0].clone();
    for arg in &args[1..] {
        result = operate(op, &[&result, arg], width);
    }
    result
}
