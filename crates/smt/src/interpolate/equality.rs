//! Interpolants of lemmas of equality, from coloured congruence graphs ([FuchsEtAl-LMCS'12]).
//!
//! A lemma says that some facts contradict each other. Replayed, they connect two different values by a path of equalities:
//! facts, congruences (which rest on paths between the arguments), evaluations. At a cut, every edge of
//! the path belongs to the left or to the right; facts that are known on the right belong there. A congruence between
//! an application known only on the left and one known only on the right is split by an application to arguments that
//! both know, which the paths between the arguments must pass.
//!
//! A maximal stretch `s … t` of the left then says `s = t` under *premises*: the stretches of the right that its
//! congruences rest on. The interpolant is the conjunction of these clauses, for the path itself and for the premises
//! in turn. It is word-level, since facts and applications are.
//!
//! *Unlike* the paper we have values, and no disequalities: `a != b` is the fact that the node of `a = b` is false, so
//! every contradiction is a path between two values. A bit of a word is a function of it.

use std::rc::Rc;

use base::{Budget, FastMap, Stopped};
use sat::Lit;
use term::{Term, Terms};

use super::encode::Coloured;
use super::lift;
use super::linear::Certificate;
use super::span::Span;
use crate::euf::egraph::{Head, Node, Why};
use crate::euf::theory::Euf;
use crate::euf::theory::replay::Contradiction;

// law: the stack holds this many levels.
/// Lemmas whose reasons nest deeper than this are refused.
const DEEPEST: usize = 400;

/// Reads lemmas.
pub(super) struct Lemmas {
    /// Knows the nodes, and nothing about them.
    theory: Euf,
    rest: usize,
    /// Lemmas of linear arithmetic, which are not replayed.
    pub linear: Vec<(Vec<Lit>, Certificate)>,
}

impl Lemmas {
    /// From a theory without assertions.
    pub fn new(mut theory: Euf) -> Option<Self> {
        let rest = theory.rest()?;
        Some(Lemmas { theory, rest, linear: Vec::new() })
    }
    /// The interpolant of a lemma at a cut: what the negated literals known only on the left say to the others.
    pub fn interpolant(
        &mut self,
        terms: &mut Terms,
        coloured: &mut Coloured,
        clause: &[Lit],
        cut: usize,
        budget: &Budget,
    ) -> Result<Option<Term>, Stopped> {
        let is_right = |lit: &Lit| coloured.span_of(lit.var()).is_right(cut);
        if clause.iter().all(is_right) {
            return Ok(Some(terms.truth(true)));
        }
        if !clause.iter().any(is_right) {
            return Ok(Some(terms.truth(false)));
        }
        if let Some((_, certificate)) = self.linear.iter().find(|(lits, _)| lits == clause) {
            return Ok(certificate.interpolant(terms, coloured, cut));
        }
        let facts: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
        budget.spend(10 + clause.len() as u64)?;
        let found = self.theory.replay(&facts);
        let mut walk = Walk {
            terms,
            coloured,
            theory: &mut self.theory,
            facts: &facts,
            cut,
            budget,
            paths: FastMap::new(),
            depth: 0,
        };
        let result = match found {
            Some(contradiction) => walk.contradiction(contradiction),
            None => Err(Refused::NotRead), // An axiom of arrays, perhaps.
        };
        self.theory.undo_replay(self.rest);
        match result {
            Ok(formula) => Ok(Some(formula)),
            Err(Refused::NotRead) => Ok(None),
            Err(Refused::Stopped(stopped)) => Err(stopped),
        }
    }
}

/// Why there is no interpolant.
enum Refused {
    NotRead,
    Stopped(Stopped),
}

impl From<Stopped> for Refused {
    fn from(stopped: Stopped) -> Self {
        Refused::Stopped(stopped)
    }
}

/// A term on the path.
#[derive(Clone, Copy)]
struct Point {
    term: Term,
    span: Span,
}

/// An equality on the path.
#[derive(Clone)]
struct Edge {
    from: Point,
    to: Point,
    is_left: bool,
    /// For an edge of the left: facts of the right that it rests on.
    premises: Vec<Term>,
    /// Equalities that it rests on.
    parents: Vec<Rc<Vec<Edge>>>,
}

/// A path that an edge rests on, and where it starts.
struct Parent {
    start: Point,
    path: Rc<Vec<Edge>>,
}

/// A stretch of the right that the left rests on: its ends are equal, because of these.
struct Premise {
    equality: Term,
    parents: Vec<Rc<Vec<Edge>>>,
}

/// Paths that were looked at; they live as long as the walk.
type Seen = FastMap<*const Vec<Edge>, ()>;

/// What is applied where an edge is split.
#[derive(Clone, Copy)]
enum Applied {
    Head(Head),
    Bit(u32),
}

struct Walk<'a> {
    terms: &'a mut Terms,
    coloured: &'a mut Coloured,
    theory: &'a mut Euf,
    facts: &'a [Lit],
    cut: usize,
    budget: &'a Budget,
    paths: FastMap<(Node, Node), Rc<Vec<Edge>>>,
    depth: usize,
}

impl Walk<'_> {
    fn contradiction(&mut self, contradiction: Contradiction) -> Result<Term, Refused> {
        let mut path: Vec<Edge> = Vec::new();
        match contradiction {
            Contradiction::Values(clash) => {
                let left = self.theory.graph.value_node_of(clash.left).ok_or(Refused::NotRead)?;
                let right = self.theory.graph.value_node_of(clash.right).ok_or(Refused::NotRead)?;
                path.extend(self.path(left, clash.left)?.iter().cloned());
                self.edge(clash.left, clash.right, clash.why, &mut path)?;
                path.extend(self.path(clash.right, right)?.iter().cloned());
            }
            Contradiction::Bit { node, index, lit } => {
                let value = self.theory.graph.value_node_of(node).ok_or(Refused::NotRead)?;
                let (here, there) = (self.bit(node, index)?, self.bit(value, index)?);
                let said = self.said(node, index, lit)?;
                self.fact(said, here, &[lit], &mut path)?;
                let parents = vec![self.parent(node, value)?];
                self.derived(here, there, parents, None, &mut path)?;
            }
            Contradiction::Peers { nodes, index, lits } => {
                let [one, other] = [self.bit(nodes[0], index)?, self.bit(nodes[1], index)?];
                let said = [self.said(nodes[0], index, lits[0])?, self.said(nodes[1], index, lits[1])?];
                self.fact(said[0], one, &lits[..1], &mut path)?;
                let parents = vec![self.parent(nodes[0], nodes[1])?];
                self.derived(one, other, parents, Some(Applied::Bit(index)), &mut path)?;
                self.fact(other, said[1], &lits[1..], &mut path)?;
            }
        }
        let mut clauses = Vec::new();
        let mut seen = Seen::new();
        self.clauses(&path, &mut clauses, &mut seen)?;
        Ok(self.terms.and(&clauses))
    }

    // ---- points

    fn point(&mut self, node: Node) -> Result<Point, Refused> {
        let value = self.theory.graph.own_value(node).cloned();
        let term = self.coloured.term_of(self.terms, node, value.as_ref()).ok_or(Refused::NotRead)?;
        let span = match value {
            Some(_) => Span::everywhere(self.coloured.spans.n_parts()),
            None => self.coloured.spans.of(self.terms, term),
        };
        Ok(Point { term, span })
    }
    fn bit(&mut self, node: Node, index: u32) -> Result<Point, Refused> {
        let Point { term, span } = self.point(node)?;
        Ok(Point { term: self.terms.extract(term, index, index), span })
    }
    /// What the literal says the bit is.
    fn said(&mut self, node: Node, index: u32, lit: Lit) -> Result<Point, Refused> {
        let word = self.theory.word(node).ok_or(Refused::NotRead)?;
        let value = u64::from(word[index as usize] == lit);
        Ok(Point { term: self.terms.bv(1, value), span: Span::everywhere(self.coloured.spans.n_parts()) })
    }
    fn is_left(&self, point: Point) -> bool {
        point.span.is_left(self.cut)
    }
    fn is_right(&self, point: Point) -> bool {
        point.span.is_right(self.cut)
    }

    // ---- coloured paths

    fn path(&mut self, a: Node, b: Node) -> Result<Rc<Vec<Edge>>, Refused> {
        if let Some(path) = self.paths.get(&(a, b)) {
            return Ok(Rc::clone(path));
        }
        if self.depth > DEEPEST {
            return Err(Refused::NotRead);
        }
        self.depth += 1;
        let mut edges = Vec::new();
        for (from, to, why) in self.theory.graph.path(a, b) {
            self.budget.spend(1)?;
            self.edge(from, to, why, &mut edges)?;
        }
        self.depth -= 1;
        let path = Rc::new(edges);
        self.paths.insert((a, b), Rc::clone(&path));
        Ok(path)
    }
    fn parent(&mut self, a: Node, b: Node) -> Result<Parent, Refused> {
        Ok(Parent { start: self.point(a)?, path: self.path(a, b)? })
    }
    fn edge(&mut self, from: Node, to: Node, why: Why, out: &mut Vec<Edge>) -> Result<(), Refused> {
        let ends = (self.point(from)?, self.point(to)?);
        let args = |walk: &Self, node: Node| walk.theory.graph.args(node).collect::<Vec<Node>>();
        match why {
            Why::Fact(lit) => self.fact(ends.0, ends.1, &[lit], out),
            Why::Bits(node) => {
                let word = self.theory.word(node).ok_or(Refused::NotRead)?;
                let facts: Vec<Lit> =
                    word.iter().map(|&lit| if self.facts.contains(&lit) { lit } else { !lit }).collect();
                self.fact(ends.0, ends.1, &facts, out)
            }
            Why::Congruence | Why::Swapped => {
                let (left, mut right) = (args(self, from), args(self, to));
                if why == Why::Swapped {
                    right.reverse();
                }
                let mut parents = Vec::with_capacity(left.len());
                for (&a, &b) in left.iter().zip(&right) {
                    parents.push(self.parent(a, b)?);
                }
                let head = self.theory.graph.head_of(from);
                self.derived(ends.0, ends.1, parents, Some(Applied::Head(head)), out)
            }
            Why::Reflexivity(node) => {
                let sides = args(self, node);
                let parents = vec![self.parent(sides[0], sides[1])?];
                self.derived(ends.0, ends.1, parents, None, out)
            }
            Why::Evaluation(node) => {
                let mut parents = Vec::new();
                for arg in args(self, node) {
                    let value = self.theory.graph.value_node_of(arg).ok_or(Refused::NotRead)?;
                    parents.push(self.parent(arg, value)?);
                }
                self.derived(ends.0, ends.1, parents, None, out)
            }
        }
    }
    /// An edge that facts make. It is one of the right if facts and ends are known there.
    fn fact(&mut self, from: Point, to: Point, facts: &[Lit], out: &mut Vec<Edge>) -> Result<(), Refused> {
        let spans: Vec<Span> = facts.iter().map(|lit| self.coloured.span_of(lit.var())).collect();
        let all_right = spans.iter().all(|span| span.is_right(self.cut));
        if all_right && self.is_right(from) && self.is_right(to) {
            out.push(Edge { from, to, is_left: false, premises: Vec::new(), parents: Vec::new() });
            return Ok(());
        }
        if !self.is_left(from) || !self.is_left(to) || !spans.iter().all(|span| span.is_left(self.cut)) {
            return Err(Refused::NotRead);
        }
        let mut premises = Vec::new();
        for (&lit, span) in facts.iter().zip(&spans) {
            if span.is_right(self.cut) {
                premises.push(lift::literal(self.terms, self.coloured, lit));
            }
        }
        out.push(Edge { from, to, is_left: true, premises, parents: Vec::new() });
        Ok(())
    }
    /// An edge that rests on others.
    fn derived(
        &mut self,
        from: Point,
        to: Point,
        parents: Vec<Parent>,
        applied: Option<Applied>,
        out: &mut Vec<Edge>,
    ) -> Result<(), Refused> {
        let is_right = self.is_right(from) && self.is_right(to);
        if is_right || (self.is_left(from) && self.is_left(to)) {
            let parents = parents.into_iter().map(|parent| parent.path).collect();
            out.push(Edge { from, to, is_left: !is_right, premises: Vec::new(), parents });
            return Ok(());
        }
        // One end is known only on the left, the other only on the right.
        let applied = applied.ok_or(Refused::NotRead)?;
        let left_first = self.is_left(from);
        let (mut args, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for Parent { start, path } in &parents {
            let points: Vec<Point> = std::iter::once(*start).chain(path.iter().map(|edge| edge.to)).collect();
            let shared = |point: &Point| point.span.is_shared(self.cut);
            // The first that the other side knows, seen from the left.
            let at = if left_first { points.iter().position(shared) } else { points.iter().rposition(shared) };
            let at = at.ok_or(Refused::NotRead)?;
            args.push(points[at].term);
            before.push(Rc::new(path[..at].to_vec()));
            after.push(Rc::new(path[at..].to_vec()));
        }
        let term = match applied {
            Applied::Bit(index) => self.terms.extract(args[0], index, index),
            Applied::Head(head) => self.coloured.applied(self.terms, head, &args).ok_or(Refused::NotRead)?,
        };
        let span = self.coloured.spans.of(self.terms, term);
        if !span.is_shared(self.cut) {
            return Err(Refused::NotRead);
        }
        let point = Point { term, span };
        out.push(Edge { from, to: point, is_left: left_first, premises: Vec::new(), parents: before });
        out.push(Edge { from: point, to, is_left: !left_first, premises: Vec::new(), parents: after });
        Ok(())
    }

    // ---- formulas

    /// Adds the clauses of a path whose ends the right knows.
    fn clauses(&mut self, path: &[Edge], out: &mut Vec<Term>, seen: &mut Seen) -> Result<(), Refused> {
        self.budget.spend(path.len() as u64)?;
        for stretch in path.chunk_by(|a, b| a.is_left == b.is_left) {
            if !stretch[0].is_left {
                for parent in stretch.iter().flat_map(|edge| &edge.parents) {
                    self.clauses_once(parent, out, seen)?;
                }
                continue;
            }
            let mut premises: Vec<Premise> = Vec::new();
            self.premises(stretch, &mut premises, &mut Seen::new())?;
            let mut clause = vec![self.equality(stretch)];
            for premise in &premises {
                clause.push(self.terms.not(premise.equality));
            }
            out.push(self.terms.or(&clause));
            for parent in premises.iter().flat_map(|premise| &premise.parents) {
                self.clauses_once(parent, out, seen)?;
            }
        }
        Ok(())
    }
    fn clauses_once(&mut self, path: &Rc<Vec<Edge>>, out: &mut Vec<Term>, seen: &mut Seen) -> Result<(), Refused> {
        if seen.insert(Rc::as_ptr(path), ()).is_some() {
            return Ok(());
        }
        self.clauses(path, out, seen)
    }
    /// What a stretch of the left takes from the right.
    fn premises(&mut self, stretch: &[Edge], out: &mut Vec<Premise>, seen: &mut Seen) -> Result<(), Refused> {
        self.budget.spend(stretch.len() as u64)?;
        for edge in stretch {
            for &fact in &edge.premises {
                out.push(Premise { equality: fact, parents: Vec::new() });
            }
            for parent in &edge.parents {
                if seen.insert(Rc::as_ptr(parent), ()).is_some() {
                    continue;
                }
                for part in parent.chunk_by(|a, b| a.is_left == b.is_left) {
                    if part[0].is_left {
                        self.premises(part, out, seen)?;
                    } else {
                        let parents = part.iter().flat_map(|edge| edge.parents.iter().cloned()).collect();
                        out.push(Premise { equality: self.equality(part), parents });
                    }
                }
            }
        }
        Ok(())
    }
    fn equality(&mut self, stretch: &[Edge]) -> Term {
        self.terms.eq(stretch[0].from.term, stretch[stretch.len() - 1].to.term)
    }
}
