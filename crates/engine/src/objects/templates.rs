//! Candidates about every object, from templates.
//!
//! `x`, `y` are pointers of the state, `o`, `q` any objects, `f`, `g` fields that hold addresses, `d` fields that hold data:
//!
//! | | template |
//! |---|---|
//! | roots | `live(x)`, or `x = 0 or live(x)`; `x = y`; `x = 0` iff `y = 0`; `x = 0 or f(x) = 0`; `x = 0 or f(x) = y` |
//! | null | null is no object |
//! | closed | `live(o)` implies `live(f(o))`, or `f(o) = 0 or live(f(o))` |
//! | data | `live(o)` implies a comparison of `d(o)` that the program makes or stores |
//! | back | `live(o)` and `f(o) != 0` imply `g(f(o)) = o` |
//! | unshared | `live(o)`, `live(q)`, `o != q`, `f(o) != 0` imply `f(o) != f(q)` |
//! | first | `live(o)` and `f(o) != 0` imply `f(o) != x`, `f(o) != o` |
//! | last | `live(o)` and `f(o) = 0` imply `o = x` |
//!
//! Each of those about `o` also with the exception `o = x`, for objects that are being made.

use encode::Cut;
use term::{Op, Term, Terms};

use super::{Field, Objects, is_of};
use crate::tuning::Tuning;

impl Objects<'_> {
    /// Chains of candidates at a head; each implies the next one of its chain.
    pub(super) fn candidates(&self, terms: &mut Terms, cut: Cut) -> Vec<Vec<Term>> {
        let (roots, fields) = (self.roots(cut), self.fields_at(cut));
        if !self.state(cut).contains(&self.record) {
            return Vec::new();
        }
        let pointers: Vec<Field> = fields.iter().copied().filter(|field| field.is_pointer).collect();
        let mut chains = Vec::new();
        self.about_roots(terms, &roots, &pointers, &mut chains);
        self.about_links(terms, &roots, &pointers, &mut chains);
        self.about_data(terms, &roots, &fields, &mut chains);
        chains.truncate(Tuning::DEFAULT.objects_candidates);
        chains
    }
    /// Whether an object of the kind is at the address.
    fn live(&self, terms: &mut Terms, kind: u64, at: Term) -> Term {
        let here = terms.select(self.record, at);
        let kind = terms.bv(terms.width(here), kind);
        terms.eq(here, kind)
    }
    fn is_null(&self, terms: &mut Terms, term: Term) -> Term {
        let null = self.null(terms);
        terms.eq(term, null)
    }

    fn about_roots(&self, terms: &mut Terms, roots: &[Term], pointers: &[Field], chains: &mut Vec<Vec<Term>>) {
        let null = self.null(terms);
        let here = terms.select(self.record, null);
        let nothing = terms.bv(terms.width(here), 0);
        chains.push(vec![terms.eq(here, nothing)]);
        for (number, &root) in roots.iter().enumerate() {
            let is_null = self.is_null(terms, root);
            for &kind in &self.kinds {
                let live = self.live(terms, kind, root);
                chains.push(vec![live, terms.or(&[is_null, live])]);
            }
            for &other in &roots[..number] {
                let is_same = terms.eq(root, other);
                let others_null = self.is_null(terms, other);
                let both = terms.eq(is_null, others_null);
                let differ = terms.not(is_same);
                chains.push(vec![is_same, both]);
                chains.push(vec![terms.or(&[differ, is_null])]);
            }
            for field in pointers {
                let next = terms.select(field.column, root);
                let ends = self.is_null(terms, next);
                chains.push(vec![terms.or(&[is_null, ends])]);
                for &other in roots.iter().filter(|&&other| other != root) {
                    let leads = terms.eq(next, other);
                    chains.push(vec![terms.or(&[is_null, leads])]);
                }
            }
        }
    }

    fn about_links(&self, terms: &mut Terms, roots: &[Term], pointers: &[Field], chains: &mut Vec<Vec<Term>>) {
        let [object, other] = self.bound;
        for &kind in &self.kinds {
            let live = self.live(terms, kind, object);
            let dead = terms.not(live);
            for field in pointers {
                let next = terms.select(field.column, object);
                let ends = self.is_null(terms, next);
                for &target in &self.kinds {
                    let lives = self.live(terms, target, next);
                    chains.push(vec![terms.or(&[dead, lives]), terms.or(&[dead, ends, lives])]);
                    for &root in roots {
                        let is_root = terms.eq(object, root);
                        chains.push(vec![terms.or(&[dead, is_root, ends, lives])]);
                    }
                }
                let is_self = terms.eq(next, object);
                let differs = terms.not(is_self);
                chains.push(vec![terms.or(&[dead, differs])]);
                for &root in roots {
                    let leads = terms.eq(next, root);
                    let passes = terms.not(leads);
                    chains.push(vec![terms.or(&[dead, ends, passes])]);
                    let is_root = terms.eq(object, root);
                    let goes_on = terms.not(ends);
                    chains.push(vec![terms.or(&[dead, goes_on, is_root])]);
                }
                for back in pointers.iter().filter(|back| back.column != field.column) {
                    let returned = terms.select(back.column, next);
                    let is_back = terms.eq(returned, object);
                    chains.push(vec![terms.or(&[dead, ends, is_back])]);
                }
                for &peer in &self.kinds {
                    let lives = self.live(terms, peer, other);
                    let others = terms.select(field.column, other);
                    let (gone, is_same, meet) = (terms.not(lives), terms.eq(object, other), terms.eq(next, others));
                    let apart = terms.not(meet);
                    chains.push(vec![terms.or(&[dead, gone, is_same, ends, apart])]);
                }
            }
        }
    }

    fn about_data(&self, terms: &mut Terms, roots: &[Term], fields: &[Field], chains: &mut Vec<Vec<Term>>) {
        let object = self.bound[0];
        for field in fields {
            let word = terms.select(field.column, object);
            let facts = self.facts(terms, field, word);
            for &kind in &self.kinds {
                let live = self.live(terms, kind, object);
                let dead = terms.not(live);
                for &fact in &facts {
                    let mut chain = vec![terms.or(&[dead, fact])];
                    for &root in roots {
                        let is_root = terms.eq(object, root);
                        chain.truncate(1);
                        chain.push(terms.or(&[dead, is_root, fact]));
                        chains.push(chain.clone());
                    }
                    if roots.is_empty() {
                        chains.push(chain);
                    }
                }
            }
        }
    }
    /// What the program stores in the field or compares it with, about this word.
    fn facts(&self, terms: &mut Terms, field: &Field, word: Term) -> Vec<Term> {
        let mut facts = Vec::new();
        let exits = self.blocks.blocks.iter().flat_map(|block| &block.exits);
        let roots: Vec<Term> =
            exits.flat_map(|exit| exit.values.iter().map(|&(_, value)| value).chain([exit.guard])).collect();
        let is_read =
            |terms: &Terms, part: Term| terms.op(part) == Op::Select && is_of(terms, terms.arg(part, 0), field);
        let mut add = |fact: Term| {
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        };
        for part in terms.subterms(&roots) {
            match terms.op(part) {
                Op::Store if is_of(terms, terms.arg(part, 0), field) && terms.is_value(terms.arg(part, 2)) => {
                    add(terms.eq(word, terms.arg(part, 2)));
                }
                Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
                    let (left, right) = (terms.arg(part, 0), terms.arg(part, 1));
                    let pairs = if is_read(terms, left) && terms.is_value(right) {
                        [(left, word)]
                    } else if is_read(terms, right) && terms.is_value(left) {
                        [(right, word)]
                    } else {
                        continue;
                    };
                    let fact = terms.substitute(part, &pairs);
                    let opposite = terms.not(fact);
                    add(fact);
                    add(opposite);
                }
                _ => {}
            }
        }
        facts.truncate(Tuning::DEFAULT.objects_facts);
        facts
    }
}
