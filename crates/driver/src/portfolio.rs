//! The portfolio: from features of the program to a plan, which engines work on it with which shares.
//!
//! No engine is best everywhere. [`PLANS`] is a table to be read and changed: the first plan whose condition the program
//! meets is taken. Its arms open one after the other on one core, each for as long as the plan says, since most programs
//! need no more; then all of them work side by side on the cores there are, each for its share (see `relay`), and exchange
//! facts (`engine::Facts`). The first answer that passes its check ends the race (see `race`).
//!
//! The shares come from measurements: docs/engines/portfolio.md says which.

use base::Id;
use engine::EngineInfo;
use engine_ic3::Precision;
use program::structure::{Digraph, WeakOrder};
use program::{Action, Program};
use term::{Cost, Op, SortKind, Term, Terms};

use crate::engines::{BMC, EUF, EXPLICIT, KIND, REFINE, SYMBOLIC, TRACE, UFO};

/// An engine with a level and a share.
#[derive(Clone, Copy)]
pub struct PlannedArm {
    /// How the arm is called in the display and in the answer.
    pub name: &'static str,
    /// The engine.
    pub engine: &'static EngineInfo,
    /// Settings of the engine that are not the default, by name.
    pub settings: &'static [(&'static str, &'static str)],
    /// How much of the cores it gets, compared with the others.
    pub share: u64,
    /// For how many milliseconds it works alone at the beginning; zero: not at all.
    pub opening: u64,
}

/// The engines that work on a program.
pub struct Plan {
    /// What kind of program it is for.
    pub name: &'static str,
    /// Whether the program is of that kind.
    pub when: fn(&Features) -> bool,
    /// The arms, in the order in which they open.
    pub arms: &'static [PlannedArm],
}

/// What a plan may look at. All of it is about the program as engines see it: inlined and simplified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Loop heads.
    pub loops: usize,
    /// Edges of the control-flow graph.
    pub edges: usize,
    /// Different terms on the edges.
    pub terms: usize,
    /// Variables that are read or written.
    pub variables: usize,
    /// Products of two variables, quotients and remainders.
    pub products: usize,
    /// Comparisons of a variable with a constant.
    pub tests: usize,
    /// Assignments of a constant.
    pub settings: usize,
    /// Assignments of something else.
    pub computations: usize,
    /// Edges that read something unknown.
    pub inputs: usize,
    /// Whether there are arrays.
    pub arrays: bool,
    /// Whether memory is read or written through real pointers.
    pub memory: bool,
    /// Whether there are values of which only equality is known.
    pub uninterpreted: bool,
}

const fn arm(engine: &'static EngineInfo, share: u64, opening: u64) -> PlannedArm {
    PlannedArm { name: engine.name, engine, settings: &[], share, opening }
}

/// The engine `euf` with all operators bit-precise.
const fn euf_bits(share: u64, opening: u64) -> PlannedArm {
    const SETTINGS: &[(&str, &str)] = &[("precision", Precision::Bits.name())];
    PlannedArm { name: "euf bits", engine: &EUF, settings: SETTINGS, share, opening }
}

/// All plans; the last one is for every program.
pub const PLANS: &[Plan] = &[
    Plan {
        name: "uninterpreted functions",
        when: |program| program.uninterpreted,
        arms: &[arm(&TRACE, 4, 10_000), arm(&EUF, 2, 0), arm(&KIND, 1, 0), arm(&BMC, 1, 0)],
    },
    Plan {
        name: "no loops",
        when: |program| program.loops == 0,
        arms: &[arm(&BMC, 2, 300), arm(&SYMBOLIC, 2, 300), arm(&REFINE, 2, 300), arm(&EUF, 1, 0), arm(&KIND, 1, 0)],
    },
    Plan {
        name: "state machine",
        when: Features::is_state_machine,
        // `kind` after the engines that need no relations: a state machine has many, and each importer checks all of them.
        arms: &[
            arm(&BMC, 2, 150),
            arm(&SYMBOLIC, 2, 150),
            arm(&EUF, 4, 300),
            arm(&EXPLICIT, 3, 300),
            arm(&KIND, 2, 150),
            arm(&UFO, 2, 0),
        ],
    },
    Plan {
        // Whatever happens, happens in the one run there is: `bmc` follows it.
        name: "no inputs",
        when: |program| program.inputs == 0,
        arms: &[
            arm(&BMC, 6, 300),
            arm(&SYMBOLIC, 3, 300),
            arm(&KIND, 3, 300),
            euf_bits(1, 150),
            arm(&EUF, 1, 100),
            arm(&UFO, 1, 100),
        ],
    },
    Plan {
        name: "products",
        when: |program| program.products > 0,
        arms: &[
            arm(&BMC, 2, 150),
            arm(&SYMBOLIC, 3, 500),
            arm(&KIND, 3, 300),
            arm(&REFINE, 2, 150),
            arm(&EUF, 2, 0),
            arm(&UFO, 2, 0),
            arm(&EXPLICIT, 1, 0),
        ],
    },
    Plan {
        name: "any program",
        when: |_| true,
        arms: &[
            arm(&BMC, 2, 150),
            arm(&SYMBOLIC, 3, 500),
            arm(&KIND, 3, 300),
            euf_bits(2, 150),
            arm(&EUF, 2, 100),
            arm(&UFO, 2, 100),
            arm(&EXPLICIT, 1, 100),
        ],
    },
];

/// The plan for a program with these features.
pub fn plan(features: &Features) -> &'static Plan {
    PLANS.iter().find(|plan| (plan.when)(features)).expect("the last plan is for every program")
}

impl Features {
    /// Looks at a program without calls.
    pub fn of(program: &Program, terms: &Terms) -> Self {
        let mut features = Features { edges: program.edges.len(), ..Features::default() };
        let mut roots: Vec<Term> = Vec::new();
        for edge in program.edges.iter() {
            match &edge.action {
                Action::Assume(condition) => roots.push(*condition),
                Action::Assign(pairs) => {
                    for &(_, value) in pairs {
                        *(if terms.is_value(value) { &mut features.settings } else { &mut features.computations }) += 1;
                        roots.push(value);
                    }
                }
                Action::Havoc { .. } => features.inputs += 1,
                Action::Load { .. } | Action::Store { .. } | Action::Forget { .. } => features.memory = true,
                _ => {}
            }
        }
        let sites = terms.subterms(&roots);
        features.terms = sites.len();
        for site in sites {
            let args = terms.args(site);
            let has_constant = args.iter().any(|&arg| terms.is_value(arg));
            match terms.op(site) {
                Op::Symbol(_) => features.variables += 1,
                Op::Eq if has_constant => features.tests += 1,
                Op::Select | Op::Store => features.arrays = true,
                op => match op.row().cost {
                    Cost::Product if !has_constant => features.products += 1,
                    Cost::Division => features.products += 1,
                    _ => {}
                },
            }
        }
        if let Some(entry) = program.entry {
            let ends = program.edges.iter().map(|edge| (edge.from.index(), edge.to.index()));
            let graph = Digraph::new(program.locations.len(), ends);
            features.loops = WeakOrder::new(&graph, program.functions[entry].entry.index()).heads().count();
        }
        let is_uninterpreted = |sort| matches!(terms.sort_kind(sort), SortKind::Uninterpreted(_));
        features.uninterpreted = program.vars.iter().any(|var| is_uninterpreted(var.sort));
        features
    }
    /// Whether it is mostly about which of a few values variables have.
    pub fn is_state_machine(&self) -> bool {
        self.tests >= 12 && self.settings >= 2 * self.computations
    }
}

#[cfg(test)]
mod tests {
    use base::Values;

    use super::*;

    #[test]
    fn every_arm_of_every_plan_is_an_engine_with_that_level() {
        for plan in PLANS {
            for arm in plan.arms {
                assert!(arm.share > 0);
                let mut values = Values::default();
                arm.settings.iter().for_each(|(name, value)| values.set(name, value));
                assert!((arm.engine.make)(&values).is_ok(), "{}", arm.name);
            }
            let names: Vec<&str> = plan.arms.iter().map(|arm| arm.name).collect();
            assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)), "{names:?}");
        }
    }

    #[test]
    fn features_choose_the_plan() {
        let plain = Features { loops: 1, edges: 9, inputs: 1, ..Features::default() };
        assert_eq!(plan(&plain).name, "any program");
        assert_eq!(plan(&Features { products: 1, ..plain.clone() }).name, "products");
        assert_eq!(plan(&Features { tests: 20, settings: 30, ..plain.clone() }).name, "state machine");
        assert_eq!(plan(&Features { loops: 0, ..plain.clone() }).name, "no loops");
        assert_eq!(plan(&Features { inputs: 0, ..plain.clone() }).name, "no inputs");
        assert_eq!(plan(&Features { uninterpreted: true, ..plain }).name, "uninterpreted functions");
    }

    #[test]
    fn features_are_read_off_the_program() {
        let mut terms = Terms::new();
        let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
            int main(void) { int s = 0, x = __VERIFIER_nondet_int();\n\
            while (s != 3) { if (s == 0) s = 1; else x = x * x; if (x == 7) s = 3; } if (x < 0) reach_error(); return 0; }\n";
        let options = cfront::Options::new(cfront::DataModel::Lp64, cfront::Property::UnreachCall);
        let compiled = cfront::compile("a.c", text, &options, &mut terms).expect("it is C");
        let passes = program::pass::Options::default();
        let program = program::pass::optimise(compiled.program, &mut terms, &passes).expect("no recursion").program;
        let features = Features::of(&program, &terms);
        assert!(
            features.loops >= 1 && features.products == 1 && features.tests >= 2 && features.inputs == 1,
            "{features:?}"
        );
        assert!(features.settings >= 2 && !features.arrays && !features.memory, "{features:?}");
    }
}
