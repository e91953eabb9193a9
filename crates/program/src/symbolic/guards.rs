//! Guards: truth functions of atomic conditions, as reduced ordered decision diagrams.
//!
//! Each atomic condition of the program is a variable of the diagram, in the order in which runs meet them. Equal functions have
//! equal handles, so a branch whose condition the guard of a path decides is seen as such, and where all paths
//! of a branch meet again the guard is the one from before the branch. [Bryant-TC'86]; *restrict* is from [CoudertMadre-ICCAD'90].

use base::FastMap;

/// A truth function of atomic conditions; equal handles mean equal functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Guard(u32);

/// Holds never.
pub(super) const NEVER: Guard = Guard(0);
/// Holds always.
pub(super) const ALWAYS: Guard = Guard(1);

/// Below all variables.
const LEAF: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    /// The atomic condition that is looked at.
    atom: u32,
    /// The function if it does not hold, and if it holds.
    low: Guard,
    high: Guard,
}

/// All guards of an exploration.
pub(super) struct Guards {
    nodes: Vec<Node>,
    known: FastMap<Node, Guard>,
    choices: FastMap<(Guard, Guard, Guard), Guard>,
    restricted: FastMap<(Guard, Guard), Guard>,
    limit: usize,
}

impl Guards {
    /// No guards but the constant ones, and room for this number of nodes.
    pub fn new(limit: usize) -> Self {
        let leaf = |guard| Node { atom: LEAF, low: guard, high: guard };
        Guards {
            nodes: vec![leaf(NEVER), leaf(ALWAYS)],
            known: FastMap::new(),
            choices: FastMap::new(),
            restricted: FastMap::new(),
            limit,
        }
    }
    /// Whether there is no room left. Guards that were made since are of no use.
    pub fn is_full(&self) -> bool {
        self.nodes.len() > self.limit
    }
    /// The function that is this atomic condition.
    pub fn atom(&mut self, atom: u32) -> Guard {
        self.node(atom, NEVER, ALWAYS)
    }
    /// The atomic condition that the guard looks at first, and what it is if that does not hold, and if it holds.
    pub fn parts(&self, guard: Guard) -> Option<(u32, Guard, Guard)> {
        let Node { atom, low, high } = self.nodes[guard.0 as usize];
        (atom != LEAF).then_some((atom, low, high))
    }
    /// Negation.
    pub fn not(&mut self, guard: Guard) -> Guard {
        self.choice(guard, NEVER, ALWAYS)
    }
    /// Conjunction.
    pub fn and(&mut self, a: Guard, b: Guard) -> Guard {
        self.choice(a.min(b), a.max(b), NEVER)
    }
    /// Disjunction.
    pub fn or(&mut self, a: Guard, b: Guard) -> Guard {
        self.choice(a.min(b), ALWAYS, a.max(b))
    }
    /// If-then-else.
    pub fn choice(&mut self, when: Guard, then: Guard, otherwise: Guard) -> Guard {
        match (when, then, otherwise) {
            (ALWAYS, _, _) => return then,
            (NEVER, _, _) => return otherwise,
            _ if then == otherwise => return then,
            (_, ALWAYS, NEVER) => return when,
            _ if self.is_full() => return NEVER,
            _ => {}
        }
        if let Some(&known) = self.choices.get(&(when, then, otherwise)) {
            return known;
        }
        let atom = self.first(when).min(self.first(then)).min(self.first(otherwise));
        let [(w0, w1), (t0, t1), (o0, o1)] = [when, then, otherwise].map(|guard| self.split(guard, atom));
        let (low, high) = (self.choice(w0, t0, o0), self.choice(w1, t1, o1));
        let made = self.node(atom, low, high);
        self.choices.insert((when, then, otherwise), made);
        made
    }
    /// A function that agrees with `guard` wherever `care` holds, and is often smaller.
    pub fn restrict(&mut self, guard: Guard, care: Guard) -> Guard {
        if care == ALWAYS || care == NEVER || guard == ALWAYS || guard == NEVER || self.is_full() {
            return guard;
        }
        if let Some(&known) = self.restricted.get(&(guard, care)) {
            return known;
        }
        let atom = self.first(guard).min(self.first(care));
        let ((g0, g1), (c0, c1)) = (self.split(guard, atom), self.split(care, atom));
        let made = if self.first(guard) > atom {
            let either = self.or(c0, c1);
            self.restrict(guard, either)
        } else if c0 == NEVER {
            self.restrict(g1, c1)
        } else if c1 == NEVER {
            self.restrict(g0, c0)
        } else {
            let (low, high) = (self.restrict(g0, c0), self.restrict(g1, c1));
            self.node(atom, low, high)
        };
        self.restricted.insert((guard, care), made);
        made
    }
    fn first(&self, guard: Guard) -> u32 {
        self.nodes[guard.0 as usize].atom
    }
    /// The function if the atom does not hold, and if it holds; the atom is not below the first one.
    fn split(&self, guard: Guard, atom: u32) -> (Guard, Guard) {
        let node = self.nodes[guard.0 as usize];
        if node.atom == atom { (node.low, node.high) } else { (guard, guard) }
    }
    fn node(&mut self, atom: u32, low: Guard, high: Guard) -> Guard {
        if low == high {
            return low;
        }
        let node = Node { atom, low, high };
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let guard = Guard(self.nodes.len() as u32);
        self.nodes.push(node);
        self.known.insert(node, guard);
        guard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// Random functions of four atoms, each with its truth table.
    fn functions(guards: &mut Guards, random: &mut Random) -> Vec<(Guard, u16)> {
        const TABLES: [u16; 4] = [0xAAAA, 0xCCCC, 0xF0F0, 0xFF00];
        let mut all: Vec<(Guard, u16)> = vec![(NEVER, 0), (ALWAYS, 0xFFFF)];
        all.extend(TABLES.iter().enumerate().map(|(atom, &table)| (guards.atom(atom as u32), table)));
        for _ in 0..200 {
            let [(a, x), (b, y), (c, z)] = [0; 3].map(|_| all[random.below(all.len() as u64) as usize]);
            all.push(match random.below(4) {
                0 => (guards.not(a), !x),
                1 => (guards.and(a, b), x & y),
                2 => (guards.or(a, b), x | y),
                _ => (guards.choice(a, b, c), x & y | !x & z),
            });
        }
        all
    }

    #[test]
    fn equal_functions_have_equal_handles() {
        let mut guards = Guards::new(1 << 20);
        let all = functions(&mut guards, &mut Random::new(1));
        for &(a, x) in &all {
            for &(b, y) in &all {
                assert_eq!(a == b, x == y, "{x:x} and {y:x}");
            }
        }
    }
    #[test]
    fn a_restricted_function_agrees_where_it_matters() {
        let mut guards = Guards::new(1 << 20);
        let all = functions(&mut guards, &mut Random::new(2));
        for &(a, x) in &all {
            for &(care, z) in &all {
                let restricted = guards.restrict(a, care);
                let (both, wanted) = (guards.and(restricted, care), guards.and(a, care));
                assert!(both == wanted, "{x:x} under {z:x}");
            }
        }
    }
    #[test]
    fn a_branch_whose_ways_meet_leaves_the_guard_as_it_was() {
        let mut guards = Guards::new(1 << 20);
        let (before, taken) = (guards.atom(0), guards.atom(1));
        let not_taken = guards.not(taken);
        let (one, other) = (guards.and(before, taken), guards.and(before, not_taken));
        assert!(guards.or(one, other) == before);
        assert!(guards.restrict(one, before) == taken);
    }
}
