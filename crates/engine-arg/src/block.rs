//! Excluding states that lead to the error, and learning why they are not reached.
//!
//! [Bradley-VMCAI'11], on cutpoints: a state from which the error follows must not be reached within a given number of steps. If a step
//! can lead there from what is known one step earlier, the state before it has to be excluded first. If none can, the
//! literals that mattered are a clause, and literals are left out for as long as no step breaks it; a clause may be assumed
//! where its own loop begins. Where a variable is compared by order, a value becomes a bound if that holds too.
//!
//! Unlike the paper states are cubes of the program's own atoms (`implicant`), and there is a chain of frames for each
//! cutpoint.

use std::collections::BTreeMap;

use base::{Budget, Stopped};
use encode::Cut;
use term::{Op, Term};

use crate::edges::{EdgeRef, Taken};
use crate::frames::Frames;
use crate::implicant::{Cube, Implicant, fixes};
use crate::search::Search;

/// What became of the error.
pub(crate) enum Blocked {
    /// It is not reached within the steps asked for.
    Excluded,
    /// These steps seem to lead from the entry to the error.
    Reached(Vec<EdgeRef>),
    /// Undecided.
    Unknown,
}

/// States that must not be reached.
struct Obligation {
    cut: Cut,
    cube: Cube,
    /// The edge to take from there, and the obligation that it leads to, if not the error.
    next: (EdgeRef, Option<usize>),
}

/// What leads into a cube.
enum Before {
    /// Nothing; these literals are enough to see that.
    Nothing(Cube),
    State(EdgeRef, Cube),
    Unknown,
}

impl Frames {
    /// Excludes the error within one step more than before, and what that takes.
    pub fn block(&mut self, search: &mut Search<'_>, budget: &Budget) -> Result<Blocked, Stopped> {
        let blocks = search.blocks;
        let level = self.top + 1;
        for (cut, block) in blocks.blocks.iter_enumerated() {
            for (exit, way) in block.exits.iter().enumerate() {
                while search.is_error(way.to) {
                    let edge = EdgeRef { from: cut, exit };
                    let mut assumptions = vec![way.guard];
                    assumptions.extend(self.at(cut, level));
                    let implicant = match search.take(edge, &assumptions, None, &[way.guard], budget)? {
                        Taken::Never(_) => break,
                        Taken::May { implicant, .. } => implicant,
                        Taken::Unknown => return Ok(Blocked::Unknown),
                    };
                    if cut == blocks.entry() {
                        return Ok(Blocked::Reached(vec![edge]));
                    }
                    let cube = self.cube_of(search, cut, implicant);
                    let first = Obligation { cut, cube, next: (edge, None) };
                    match self.exclude(search, first, level, budget)? {
                        Blocked::Excluded => {}
                        other => return Ok(other),
                    }
                }
            }
        }
        self.top = level;
        Ok(Blocked::Excluded)
    }
    /// Excludes a cube within the given number of steps.
    fn exclude(
        &mut self,
        search: &mut Search<'_>,
        first: Obligation,
        level: usize,
        budget: &Budget,
    ) -> Result<Blocked, Stopped> {
        let mut all = vec![first];
        // Fewer steps first, and of those the newest.
        let mut open: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut serial = usize::MAX;
        open.insert((level, serial), 0);
        while let Some(((at, _), number)) = open.pop_first() {
            budget.spend(1)?;
            search.stats.obligations += 1;
            let (cut, cube) = (all[number].cut, all[number].cube.clone());
            if self.excludes(cut, at, &cube) {
                continue;
            }
            match self.before(search, cut, &cube, at, budget)? {
                Before::Unknown => return Ok(Blocked::Unknown),
                Before::State(edge, _) if edge.from == search.blocks.entry() => {
                    let mut path = vec![edge];
                    let mut next = Some(number);
                    while let Some(obligation) = next {
                        path.push(all[obligation].next.0);
                        next = all[obligation].next.1;
                    }
                    return Ok(Blocked::Reached(path));
                }
                Before::State(edge, before) => {
                    all.push(Obligation { cut: edge.from, cube: before, next: (edge, Some(number)) });
                    serial -= 2;
                    open.insert((at, serial + 1), number);
                    open.insert((at - 1, serial), all.len() - 1);
                }
                Before::Nothing(needed) => {
                    let cube = self.generalise(search, cut, needed, at, budget)?;
                    self.learn(search, cut, cube, at);
                    if at < level {
                        serial -= 1;
                        open.insert((at + 1, serial), number);
                    }
                }
            }
        }
        Ok(Blocked::Excluded)
    }
    fn cube_of(&mut self, search: &mut Search<'_>, cut: Cut, implicant: Implicant) -> Cube {
        let blocks = search.blocks;
        let state: Vec<Term> =
            blocks.cutpoints[cut].state.iter().map(|&var| search.task.program.vars[var].term).collect();
        let cube = implicant.cube(&mut search.terms, &state);
        // Equivalent equations must be the same term.
        let mut cube: Cube = cube.into_iter().map(|literal| self.order.apply(&mut search.terms, literal)).collect();
        cube.retain(|&literal| search.terms.op(literal) != Op::True);
        cube.sort_unstable();
        cube.dedup();
        cube
    }
    /// What can lead into the cube in the last of the given number of steps. The literals that are needed to see that nothing does are
    /// enough: a clause of fewer literals may be assumed where the loop begins, and it says more.
    fn before(
        &mut self,
        search: &mut Search<'_>,
        cut: Cut,
        cube: &Cube,
        level: usize,
        budget: &Budget,
    ) -> Result<Before, Stopped> {
        let all = search.terms.and(cube);
        let clause = search.terms.not(all);
        let mut is_needed = vec![false; cube.len()];
        for edge in self.entries[cut].clone() {
            if level == 1 && edge.from != search.blocks.entry() {
                continue; // Nothing else is reached in no step.
            }
            let guard = search.exit(edge).guard;
            let behind: Vec<Term> = cube.iter().map(|&literal| search.back(edge, literal)).collect();
            let mut assumptions = behind.clone();
            assumptions.push(guard);
            assumptions.extend(self.at(edge.from, level - 1));
            if edge.from == cut {
                assumptions.push(clause);
            }
            let mut goals = vec![guard];
            goals.extend(&behind);
            match search.take(edge, &assumptions, None, &goals, budget)? {
                Taken::Never(core) => {
                    for (needed, literal) in is_needed.iter_mut().zip(&behind) {
                        *needed |= core.contains(literal);
                    }
                }
                Taken::May { implicant, .. } => {
                    let before = self.cube_of(search, edge.from, implicant);
                    return Ok(Before::State(edge, before));
                }
                Taken::Unknown => return Ok(Before::Unknown),
            }
        }
        let needed = cube.iter().zip(is_needed).filter(|(_, needed)| *needed).map(|(&literal, _)| literal).collect();
        Ok(Before::Nothing(needed))
    }
    /// A larger cube that is not reached either.
    fn generalise(
        &mut self,
        search: &mut Search<'_>,
        cut: Cut,
        cube: Cube,
        level: usize,
        budget: &Budget,
    ) -> Result<Cube, Stopped> {
        let mut kept = cube;
        let mut order = kept.clone();
        // Values say most; they stay longest.
        order.sort_by_key(|&literal| (fixes(&search.terms, literal).is_some(), literal));
        for literal in order {
            let Ok(at) = kept.binary_search(&literal) else { continue };
            let mut fewer = kept.clone();
            fewer.remove(at);
            if let Before::Nothing(needed) = self.before(search, cut, &fewer, level, budget)? {
                kept = needed;
            }
        }
        for at in 0..kept.len() {
            for bound in self.bounds(search, kept[at]) {
                let mut wider = kept.clone();
                wider[at] = bound;
                wider.sort_unstable();
                if let Before::Nothing(_) = self.before(search, cut, &wider, level, budget)? {
                    kept = wider;
                    break;
                }
            }
        }
        Ok(kept)
    }
    /// Bounds that a literal with a value implies.
    fn bounds(&self, search: &mut Search<'_>, literal: Term) -> Vec<Term> {
        if search.terms.op(literal) != Op::Eq {
            return Vec::new();
        }
        let (left, right) = (search.terms.arg(literal, 0), search.terms.arg(literal, 1));
        let (form, value) = if search.terms.is_value(left) { (right, left) } else { (left, right) };
        let is_ordered = search.terms.subterms(&[form]).iter().any(|term| self.ordered.contains_key(term));
        if !search.terms.is_value(value) || !is_ordered {
            return Vec::new();
        }
        let terms = &mut search.terms;
        vec![terms.bv_sle(form, value), terms.bv_sle(value, form), terms.bv_ule(form, value), terms.bv_ule(value, form)]
    }
}
