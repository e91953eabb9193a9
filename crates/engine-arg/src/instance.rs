//! Instances of the algorithm: the table of their names, and the tables of the parts they are made of.
//!
//! An [`Instance`] is a domain, a refiner, a strategy, and whether it gets help from analysis, relations and Houdini. The five
//! of [AlbarghouthiEtAl-TACAS'12] mean what the paper says: labels are interpolants from one query about all paths, and
//! nothing else helps. `strong` is ours. A new one is a row; settings, help, completions and error texts are made from the tables.
//! A crate outside this one needs no row: [`crate::with_instance`] takes an instance as it is (`tests/sixth.rs`,
//! `docs/extending.md`).

use smt::interpolate::Interpolator;

use crate::clauses::Clauses;
use crate::domain::Domain;
use crate::post::{Boolean, Cartesian, True};
use crate::refine::{Interpolation, Refiner};
use crate::settings::Settings;
use crate::strategy::{Eager, Lazy, Strategy};
use crate::table::{Named, names_of};

/// Makes a part of an instance.
pub type Make<T> = fn(&Settings) -> Box<T>;

/// A way to run the algorithm.
#[derive(Clone, Copy)]
pub struct Instance {
    /// How labels are computed forwards.
    pub domain: Make<dyn Domain>,
    /// How labels come from the absence of errors.
    pub refiner: Make<dyn Refiner>,
    /// What happens to those.
    pub strategy: Make<dyn Strategy>,
    /// Whether invariants are known beforehand and found beside the graph: analysis, relations, Houdini.
    pub is_helped: bool,
}

const CARTESIAN: Make<dyn Domain> = |_| Box::new(Cartesian::default());
const BOOLEAN: Make<dyn Domain> = |settings| Box::new(Boolean { cubes: settings.boolean_cubes });
const INTERPOLANTS: Make<dyn Refiner> =
    |settings| Box::new(Interpolation { interpolators: settings.interpolator.part().to_vec(), is_hasty: false });
const BOTH: Make<dyn Refiner> = |_| Box::new(Clauses::with_interpolants());
const LAZY: Make<dyn Strategy> = |_| Box::new(Lazy::default());
const EAGER: Make<dyn Strategy> = |_| Box::new(Eager::default());

/// One of the five of the paper.
const fn published(domain: Make<dyn Domain>, strategy: Make<dyn Strategy>) -> Instance {
    Instance { domain, refiner: INTERPOLANTS, strategy, is_helped: false }
}

/// The instances; the first is the default.
pub const INSTANCES: &[Named<Instance>] = &[
    Named {
        name: "strong",
        help: "Clauses and interpolants, Cartesian predicate abstraction, analysis: not in the paper.",
        part: Instance { domain: CARTESIAN, refiner: BOTH, strategy: LAZY, is_helped: true },
    },
    Named {
        name: "uufo",
        help: "The paper's: interpolants alone.",
        part: published(|_| Box::new(True::default()), LAZY),
    },
    Named {
        name: "cpufo",
        help: "The paper's: interpolants, and Cartesian predicate abstraction where they end.",
        part: published(CARTESIAN, LAZY),
    },
    Named {
        name: "bpufo",
        help: "The paper's: interpolants, and Boolean predicate abstraction where they end.",
        part: published(BOOLEAN, LAZY),
    },
    Named {
        name: "cp",
        help: "The paper's: Cartesian predicate abstraction; interpolants give predicates only.",
        part: published(CARTESIAN, EAGER),
    },
    Named {
        name: "bp",
        help: "The paper's: Boolean predicate abstraction; interpolants give predicates only.",
        part: published(BOOLEAN, EAGER),
    },
];

/// The refiners; the first leaves that of the instance.
pub const REFINERS: &[Named<Option<Make<dyn Refiner>>>] = &[
    Named { name: "instance", help: "That of the instance.", part: None },
    Named {
        name: "interpolants",
        help: "Interpolants from one query about all paths of the graph.",
        part: Some(INTERPOLANTS),
    },
    Named {
        name: "clauses",
        help: "Clauses that exclude states before the error, as in IC3.",
        part: Some(|_| Box::new(Clauses::alone())),
    },
    Named { name: "both", help: "Clauses, and interpolants where those take too long.", part: Some(BOTH) },
];

/// The strategies; the first leaves that of the instance.
pub const STRATEGIES: &[Named<Option<Make<dyn Strategy>>>] = &[
    Named { name: "instance", help: "That of the instance.", part: None },
    Named { name: "lazy", help: "Labels of the refiner are used as they are.", part: Some(LAZY) },
    Named { name: "eager", help: "Labels give predicates only; all labels are computed anew.", part: Some(EAGER) },
];

/// Ways to interpolants; the first is all of them, in their order.
pub const INTERPOLATORS: &[Named<&[Interpolator]>] = &{
    let mut rows = [Named { name: "all", help: "All ways, one after the other.", part: Interpolator::ALL }; N_WAYS + 1];
    let mut at = 0;
    while at < N_WAYS {
        let row = &Interpolator::ALL[at];
        rows[at + 1] = Named { name: row.name, help: row.help, part: std::slice::from_ref(row) };
        at += 1;
    }
    rows
};
const N_WAYS: usize = Interpolator::ALL.len();

/// Whether there is help; the first leaves it to the instance.
pub const HELP: &[Named<Option<bool>>] = &[
    Named { name: "instance", help: "As the instance says.", part: None },
    Named { name: "on", help: "Analysis, relations and Houdini beside the graph.", part: Some(true) },
    Named { name: "off", help: "The graph alone.", part: Some(false) },
];

names_of! {
    /// An instance by name.
    InstanceName, Instance, INSTANCES
}
names_of! {
    /// A refiner by name.
    RefinerName, Option<Make<dyn Refiner>>, REFINERS
}
names_of! {
    /// A strategy by name.
    StrategyName, Option<Make<dyn Strategy>>, STRATEGIES
}
names_of! {
    /// Ways to interpolants by name.
    InterpolatorName, &'static [Interpolator], INTERPOLATORS
}
names_of! {
    /// Whether there is help, by name.
    HelpName, Option<bool>, HELP
}

impl Settings {
    /// The instance with the parts that were chosen otherwise.
    pub fn instance(&self) -> Instance {
        let mut instance = self.instance.part();
        if let Some(refiner) = self.refiner.part() {
            instance.refiner = refiner;
        }
        if let Some(strategy) = self.strategy.part() {
            instance.strategy = strategy;
        }
        if let Some(is_helped) = self.help.part() {
            instance.is_helped = is_helped;
        }
        instance
    }
}
