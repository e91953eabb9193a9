//! Evidence that no error is reached: invariants at points of the program as lowered.
//!
//! The points with an invariant, together with the entry, must cut every cycle of the program with its
//! calls inlined. A *step* is a run from one such point to the next.
//!
//! An invariant may speak of every cell of an array at once: it mentions a *bound* symbol, and holds for all its values.

use program::{EdgeId, Instance, Layout, Point};
use term::totals::Total;
use term::{Term, Terms};

use crate::contract::Contract;
use crate::ranking::Ranking;

/// Invariants, what they are made of, and how they prove the program safe.
#[derive(Clone)]
pub struct Proof {
    /// The store of all terms below.
    pub terms: Terms,
    /// What each symbol in them but the bound ones stands for, at the moment a run is at the point in question.
    pub symbols: Vec<(Term, Instance)>,
    /// Symbols without an instance that invariants may mention: such an invariant holds for every value of them.
    pub bound: Vec<Term>,
    /// A hint: terms over the state at a cutpoint, and over bound symbols. Where its invariant is assumed, it is assumed
    /// for these values of the bound symbols of their sorts, beside the one in question.
    pub places: Vec<(Point, Term)>,
    /// The cutpoints with their invariants.
    pub invariants: Vec<(Point, Term)>,
    /// How they prove the program safe. `certify` falls back to induction over one step, which needs no count.
    pub method: Method,
    /// A hint: the edges of the program as lowered whose operators had to be read in bits.
    pub precise: Vec<EdgeId>,
    /// A hint: facts about bit-vector operators, valid for all values of their free symbols, that the proof
    /// used. Their symbols need no instance; they are instantiated as they stand or by matching operators.
    pub lemmas: Vec<Term>,
    /// Which columns hold what memory, if the invariants were found for columns. It is checked like the rest.
    pub layout: Option<Layout>,
    /// For a proof by unrolling: the numbers of the questions about paths that have a complete answer, with all values that the word in question has there. None at all: the
    /// path is not taken.
    pub closed: Vec<(u32, Vec<u64>)>,
    /// Contracts of functions. If there are any, all points and instances above are those of the program that is made of them
    /// (`modular`), and what is proved safe is that program.
    pub contracts: Vec<Contract>,
    /// Why every run ends, if that is the question (`AssertionKind::Ends`). Then what is proved safe is the ranked program (`ranked`), or the one
    /// that is made of it and the contracts.
    pub rankings: Vec<Ranking>,
    /// What the functions in the terms above are that add up cells of arrays.
    pub totals: Vec<Total>,
}

/// How invariants prove a program safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By induction over `depth` steps, at least one: all runs of fewer than `depth` steps from the entry keep the
    /// invariants and meet no error; and whenever `depth` steps in a row start in states that satisfy
    /// their invariants, the last one ends in such a state and meets no error.
    Induction {
        /// The number of steps.
        depth: u32,
    },
    /// By exhaustion: the runs of up to `steps` steps meet no error, and none is longer, but for those that have come to a
    /// point from where no path leads to an error. The invariants hold at each point on the way; those at such
    /// points are inductive.
    Exhaustion {
        /// The number of steps.
        steps: u32,
    },
    /// By execution: the program asks nothing that decides its way, so it has one run, and that run ends without error.
    /// There are no invariants.
    Execution {
        /// Edges that the run took.
        edges: u64,
    },
    /// By enumeration: what decides the way of runs are few answers with few values each, and the runs on all of them end
    /// without error. There are no invariants.
    Enumeration {
        /// How many runs there are.
        runs: u64,
        /// Edges that they took together.
        edges: u64,
    },
    /// By unrolling: all runs are executed at once, with terms in place of what inputs decide (`program::symbolic`); they end, and no path into an error
    /// can be taken. There are no invariants; `closed` says which paths end.
    Unrolling {
        /// How many questions about paths were asked.
        questions: u32,
    },
}

impl Method {
    /// Whether the program is executed, and no invariant is needed.
    pub fn is_by_runs(self) -> bool {
        matches!(self, Method::Execution { .. } | Method::Enumeration { .. } | Method::Unrolling { .. })
    }
}

impl Proof {
    /// A proof that needs nothing but to be done again.
    pub fn by_runs(method: Method) -> Proof {
        assert!(method.is_by_runs(), "invariants are needed for {method:?}");
        Proof {
            terms: Terms::new(),
            symbols: Vec::new(),
            bound: Vec::new(),
            places: Vec::new(),
            invariants: Vec::new(),
            method,
            precise: Vec::new(),
            lemmas: Vec::new(),
            layout: None,
            closed: Vec::new(),
            contracts: Vec::new(),
            rankings: Vec::new(),
            totals: Vec::new(),
        }
    }
}
