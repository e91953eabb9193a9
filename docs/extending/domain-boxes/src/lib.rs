//! Boxes for the engine `ufo`: a bound below and above for each unsigned number, as an abstract domain of its graph.
//!
//! The post is the best one there is: bounds are found by bisection, each question answered by the solver of the edge; behind an
//! edge that cannot be taken they cross. Widening goes to the next constant of the program. Interpolants do the rest.

#![forbid(unsafe_code)]

pub mod reversed;

use base::{FastMap, Stopped};
use encode::Cut;
use engine_arg::{Domain, EdgeRef, Instance, Interpolation, Lazy, Search, Site, covered};
use term::{SortKind, Term};

/// The instance: boxes, interpolants where they end, and no help.
pub const BOXES: Instance = Instance {
    domain: |_| Box::new(Boxes::default()),
    refiner: |_| Box::new(Interpolation::default()),
    strategy: |_| Box::new(Lazy::default()),
    is_helped: false,
};

/// A variable with its least and its greatest value.
type Bounds = Vec<(Term, u64, u64)>;

/// The domain: which box a label is.
#[derive(Default)]
pub struct Boxes(FastMap<(Cut, Term), Bounds>);

impl Domain for Boxes {
    fn post(&mut self, search: &mut Search<'_>, site: &Site<'_>, before: Term, edge: EdgeRef) -> Result<Term, Stopped> {
        let mut bounds = Bounds::new();
        for (symbol, width) in words(search, site.cut) {
            let most = u64::MAX >> (64 - width);
            let mut is_within = |low: u64, high: u64| {
                let formula = between(search, symbol, low, high);
                search.holds(before, edge, formula)
            };
            let high = least(most, |bound| is_within(0, bound))?;
            let low = most - least(most, |gap| is_within(most - gap, high))?;
            bounds.push((symbol, low, high));
        }
        Ok(self.label(search, site.cut, bounds))
    }
    fn join(&mut self, search: &mut Search<'_>, site: &Site<'_>, posts: &[Term]) -> Result<Term, Stopped> {
        let boxes = posts.iter().filter_map(|&post| self.0.get(&(site.cut, post)).cloned());
        let (hull, never) = (boxes.reduce(hull), search.terms.truth(false));
        Ok(hull.map_or(never, |bounds| self.label(search, site.cut, bounds)))
    }
    fn widen(&mut self, search: &mut Search<'_>, site: &Site<'_>, posts: &[Term]) -> Result<Term, Stopped> {
        let joined = self.join(search, site, posts)?;
        let last = site.open.last().and_then(|&last| self.0.get(&(site.cut, site.arg.nodes[last].label)));
        let (Some(new), Some(old)) = (self.0.get(&(site.cut, joined)), last) else { return Ok(joined) };
        let mut bounds = hull(old.clone(), new.clone());
        let constants = constants(search);
        for ((symbol, low, high), &(_, old_low, old_high)) in bounds.iter_mut().zip(old) {
            let most = u64::MAX >> (64 - search.terms.width(*symbol));
            if *low < old_low {
                *low = constants.iter().copied().filter(|constant| constant <= low).max().unwrap_or(0);
            }
            if *high > old_high {
                *high = constants.iter().copied().filter(|constant| constant >= high).min().unwrap_or(most).min(most);
            }
        }
        Ok(self.label(search, site.cut, bounds))
    }
    fn covers(&mut self, search: &mut Search<'_>, site: &Site<'_>) -> Result<bool, Stopped> {
        covered(search, site)
    }
}

impl Boxes {
    /// The box as a formula.
    fn label(&mut self, search: &mut Search<'_>, cut: Cut, bounds: Bounds) -> Term {
        let conjuncts: Vec<Term> =
            bounds.iter().map(|&(symbol, low, high)| between(search, symbol, low, high)).collect();
        let label = search.terms.and(&conjuncts);
        self.0.insert((cut, label), bounds);
        label
    }
}

/// The variable lies between two numbers.
fn between(search: &mut Search<'_>, symbol: Term, low: u64, high: u64) -> Term {
    let width = search.terms.width(symbol);
    let (low, high) = (search.terms.bv(width, low), search.terms.bv(width, high));
    let (above, below) = (search.terms.bv_ule(low, symbol), search.terms.bv_ule(symbol, high));
    search.terms.and(&[above, below])
}

/// The smallest box that has both in it.
fn hull(one: Bounds, other: Bounds) -> Bounds {
    one.into_iter().zip(other).map(|((symbol, a, b), (_, c, d))| (symbol, a.min(c), b.max(d))).collect()
}

/// The least number for which the question is answered by yes; it is for all above, and for `most`.
fn least(most: u64, mut holds: impl FnMut(u64) -> Result<bool, Stopped>) -> Result<u64, Stopped> {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low) / 2;
        (low, high) = if holds(middle)? { (low, middle) } else { (middle + 1, high) };
    }
    Ok(low)
}

/// The variables of the cutpoint that are numbers of at most 64 bits, with their widths.
fn words(search: &Search<'_>, cut: Cut) -> Vec<(Term, u32)> {
    let symbols = search.blocks.cutpoints[cut].state.iter().map(|&var| search.task.program.vars[var].term);
    let is_word =
        |symbol: &Term| matches!(search.terms.sort_kind(search.terms.sort_of(*symbol)), SortKind::BitVec(1..=64));
    symbols.filter(is_word).map(|symbol| (symbol, search.terms.width(symbol))).collect()
}

/// The constants of the program.
fn constants(search: &Search<'_>) -> Vec<u64> {
    let guards: Vec<Term> =
        search.blocks.blocks.iter().flat_map(|block| block.exits.iter().map(|exit| exit.guard)).collect();
    search.terms.subterms(&guards).into_iter().filter_map(|term| search.terms.small_value(term)).collect()
}
