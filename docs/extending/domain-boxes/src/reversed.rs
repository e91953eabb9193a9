//! A second interpolator: the parts in reverse, and the result denied.
//!
//! If `J` separates the last parts from the first ones, `not J` separates the first from the last. A refutation read from behind gives
//! weak interpolants (what is needed later) where read from the front it gives strong ones (what is known so far).

use engine_arg::{Instance, Interpolation};
use smt::interpolate::Interpolator;
use term::Term;

use crate::BOXES;

/// The interpolator: equality of words, from behind.
pub const REVERSED: Interpolator = Interpolator {
    name: "reversed",
    help: "one refutation with operators as functions, read from behind",
    find: |terms, parts, largest, budget| {
        let from_behind: Vec<Vec<Term>> = parts.iter().rev().cloned().collect();
        let found = (Interpolator::EQUALITY.find)(terms, &from_behind, largest, budget)?;
        Ok(found.map(|found| found.into_iter().rev().map(|formula| terms.not(formula)).collect()))
    },
};

/// Interpolants from behind and nothing else, with boxes.
pub const WITH_REVERSED: Instance =
    Instance { refiner: |_| Box::new(Interpolation { interpolators: vec![REVERSED], is_hasty: false }), ..BOXES };
