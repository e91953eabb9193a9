//! Evidence about tiny programs, and mutants of it, checked by enumerating every state.
//!
//! The programs have a handful of two-bit variables, a loop or two, and a function that is called from two
//! places, so that all states of all points can be listed. That decides whether invariants are inductive, to any
//! depth, without a formula in sight. Evidence starts from the states that are really reached; mutants
//! say a bit more or less, at another place, by another method. `certify` must accept exactly what the walk accepts.

use std::collections::{BTreeMap, BTreeSet};

use base::{Budget, Random};
use certify::{Certificate, Refusal, certify, second_opinion};
use program::{Action, Builder, Frame, FunId, InputKind, Instance, Loc, Point, Program, Shown, Storage, Var};
use term::{Term, Terms};
use verdict::{Method, Proof, Verdict};

/// A variable of the expanded program, by number: its values lie below four.
type Cell = usize;
type Values = Vec<u8>;

/// A condition over cells.
#[derive(Clone, Debug)]
enum Formula {
    True,
    Is(Cell, u8),
    Below(Cell, u8),
    Same(Cell, Cell),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Formula {
    fn holds(&self, values: &[u8]) -> bool {
        match self {
            Formula::True => true,
            Formula::Is(cell, value) => values[*cell] == *value,
            Formula::Below(cell, value) => values[*cell] < *value,
            Formula::Same(a, b) => values[*a] == values[*b],
            Formula::Not(inner) => !inner.holds(values),
            Formula::And(parts) => parts.iter().all(|part| part.holds(values)),
            Formula::Or(parts) => parts.iter().any(|part| part.holds(values)),
        }
    }
    fn term(&self, terms: &mut Terms, symbols: &[Term]) -> Term {
        match self {
            Formula::True => terms.truth(true),
            Formula::Is(cell, value) => {
                let value = terms.bv(2, u64::from(*value));
                terms.eq(symbols[*cell], value)
            }
            Formula::Below(cell, value) => {
                let value = terms.bv(2, u64::from(*value));
                terms.bv_ult(symbols[*cell], value)
            }
            Formula::Same(a, b) => terms.eq(symbols[*a], symbols[*b]),
            Formula::Not(inner) => {
                let inner = inner.term(terms, symbols);
                terms.not(inner)
            }
            Formula::And(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.term(terms, symbols)).collect();
                terms.and(&parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.term(terms, symbols)).collect();
                terms.or(&parts)
            }
        }
    }
    fn random(random: &mut Random, cells: &[Cell]) -> Formula {
        let cell = *random.pick(cells);
        let atom = match random.below(3) {
            0 => Formula::Is(cell, random.below(4) as u8),
            1 => Formula::Below(cell, 1 + random.below(3) as u8),
            _ => Formula::Same(cell, *random.pick(cells)),
        };
        if random.one_in(2) { atom } else { Formula::Not(Box::new(atom)) }
    }
}

/// What an edge does.
#[derive(Clone, Debug)]
enum Command {
    Assume(Formula),
    /// The cell becomes another one (or zero) plus a constant.
    Add(Cell, Option<Cell>, u8),
    Multiply(Cell, Cell),
    Havoc(Cell),
    Swap(Cell, Cell),
}

impl Command {
    fn random(random: &mut Random, cells: &[Cell]) -> Command {
        let (a, b) = (*random.pick(cells), *random.pick(cells));
        match random.below(8) {
            0 | 1 => Command::Assume(Formula::random(random, cells)),
            2 | 3 => Command::Add(a, Some(b), random.below(4) as u8),
            4 => Command::Add(a, None, random.below(4) as u8),
            5 => Command::Multiply(a, b),
            6 if a != b => Command::Swap(a, b),
            _ => Command::Havoc(a),
        }
    }
    /// The same for other cells.
    fn renamed(&self, cell: impl Fn(Cell) -> Cell + Copy) -> Command {
        fn formula(inner: &Formula, cell: impl Fn(Cell) -> Cell + Copy) -> Formula {
            match inner {
                Formula::Is(a, value) => Formula::Is(cell(*a), *value),
                Formula::Below(a, value) => Formula::Below(cell(*a), *value),
                Formula::Same(a, b) => Formula::Same(cell(*a), cell(*b)),
                Formula::Not(inner) => Formula::Not(Box::new(formula(inner, cell))),
                other => other.clone(),
            }
        }
        match self {
            Command::Assume(condition) => Command::Assume(formula(condition, cell)),
            Command::Add(a, b, n) => Command::Add(cell(*a), b.map(cell), *n),
            Command::Multiply(a, b) => Command::Multiply(cell(*a), cell(*b)),
            Command::Havoc(a) => Command::Havoc(cell(*a)),
            Command::Swap(a, b) => Command::Swap(cell(*a), cell(*b)),
        }
    }
    /// All that the values can become.
    fn results(&self, values: &Values) -> Vec<Values> {
        let mut new = values.clone();
        match self {
            Command::Assume(condition) if !condition.holds(values) => return Vec::new(),
            Command::Assume(_) => {}
            Command::Add(a, b, n) => new[*a] = (b.map_or(0, |b| values[b]) + n) % 4,
            Command::Multiply(a, b) => new[*a] = values[*a] * values[*b] % 4,
            Command::Swap(a, b) => new.swap(*a, *b),
            Command::Havoc(a) => {
                let with = |value| {
                    let mut new = values.clone();
                    new[*a] = value;
                    new
                };
                return (0..4).map(with).collect();
            }
        }
        vec![new]
    }
}

/// The cells of the two globals, and of the parameter in each of its two activations.
const N_CELLS: usize = 4;
/// A location in an activation: the entry function's, or one of the other's two.
type Spot = (usize, Loc);

/// A program, and what it means.
struct World {
    program: Program,
    terms: Terms,
    entry: Spot,
    frames: Vec<Frame>,
    spots: Vec<Spot>,
    moves: BTreeMap<Spot, Vec<(Command, Spot)>>,
    errors: BTreeSet<Loc>,
    instances: Vec<Instance>,
}

impl World {
    fn random(random: &mut Random) -> World {
        let mut terms = Terms::new();
        let mut b = Builder::new(32);
        let pair = terms.bv_sort(2);
        let vars = [
            b.global(&mut terms, "x", pair, Shown::Unsigned, None),
            b.global(&mut terms, "y", pair, Shown::Unsigned, None),
        ];
        let (main, f) = (b.function("main", None), b.function("f", None));
        let param = b.param(&mut terms, f, "p", pair, Shown::Unsigned, None);
        let roles = [vars[0], vars[1], param];
        let input = b.input(InputKind::Nondet("any".to_owned()), Shown::Unsigned, None);
        let assertion = b.assertion("bad", None);
        let mut graph = Sketch { random, b: &mut b, terms: &mut terms, roles, input, edges: Vec::new() };
        let n = 4 + graph.random.below(3) as usize;
        let (in_f, _) = graph.function(f, &[0, 1, 2], 2, false);
        let (in_main, places) = graph.function(main, &[0, 1], n, true);
        let error = graph.b.error_location(main, assertion);
        let from = *graph.random.pick(&in_main);
        let guard = Command::Assume(Formula::random(graph.random, &[0, 1]));
        graph.edge(from, error, guard);
        let mut errors = BTreeSet::from([error]);
        if graph.random.one_in(3) {
            let error = graph.b.error_location(f, assertion);
            let from = *graph.random.pick(&in_f);
            let guard = Command::Assume(Formula::random(graph.random, &[0, 2]));
            graph.edge(from, error, guard);
            errors.insert(error);
        }
        // Two calls, somewhere on the way.
        let mut calls = Vec::new();
        for _ in 0..2 {
            let (from, to) = (*graph.random.pick(&places), *graph.random.pick(&in_main));
            let (role, n) = (graph.random.below(2) as usize, graph.random.below(4) as u8);
            let source = graph.b.term(vars[role]);
            let constant = graph.terms.bv(2, u64::from(n));
            let arg = graph.terms.bv_add(source, constant);
            let action = Action::Call { function: f, args: vec![arg], result: None };
            let edge = graph.b.edge(from, to, action, None);
            calls.push((edge, from, to, Command::Add(2, Some(role), n)));
        }
        let edges = std::mem::take(&mut graph.edges);
        let program = b.finish(main);
        let mut frames = vec![Frame::default()];
        frames.extend(calls.iter().map(|(edge, ..)| Frame::default().callee(*edge)));
        let owner = |loc: Loc| program.locations[loc].function;
        let mut moves: BTreeMap<Spot, Vec<(Command, Spot)>> = BTreeMap::new();
        for (from, to, command) in &edges {
            let activations: &[usize] = if owner(*from) == main { &[0] } else { &[1, 2] };
            for &frame in activations {
                let command = command.renamed(|cell| if cell == 2 { 1 + frame } else { cell });
                moves.entry((frame, *from)).or_default().push((command, (frame, *to)));
            }
        }
        for (number, (_, from, to, command)) in calls.into_iter().enumerate() {
            let frame = number + 1;
            let enter = command.renamed(|cell| if cell == 2 { 1 + frame } else { cell });
            moves.entry((0, from)).or_default().push((enter, (frame, program.functions[f].entry)));
            let leave = Command::Assume(Formula::True);
            moves.entry((frame, program.functions[f].exit)).or_default().push((leave, (0, to)));
        }
        let spots = (0..3)
            .flat_map(|frame| program.locations.ids().map(move |loc| (frame, loc)))
            .filter(|&(frame, loc)| (frame == 0) == (owner(loc) == main) && !errors.contains(&loc))
            .collect();
        let instance = |frame: &Frame, var: Var| Instance { frame: frame.clone(), storage: Storage::Variable(var) };
        let instances = vec![
            instance(&frames[0], vars[0]),
            instance(&frames[0], vars[1]),
            instance(&frames[1], param),
            instance(&frames[2], param),
        ];
        let entry = (0, program.functions[main].entry);
        World { program, terms, entry, frames, spots, moves, errors, instances }
    }
    fn moves(&self, spot: Spot) -> &[(Command, Spot)] {
        self.moves.get(&spot).map_or(&[], |list| list)
    }
    fn point(&self, (frame, loc): Spot) -> Point {
        Point { frame: self.frames[frame].clone(), loc }
    }
    /// All states of all spots that runs come to.
    fn reached(&self) -> BTreeMap<Spot, BTreeSet<Values>> {
        let mut reached: BTreeMap<Spot, BTreeSet<Values>> = BTreeMap::new();
        let mut todo: Vec<(Spot, Values)> = all_values().map(|values| (self.entry, values)).collect();
        while let Some((spot, values)) = todo.pop() {
            if reached.entry(spot).or_default().insert(values.clone()) {
                for (command, to) in self.moves(spot) {
                    todo.extend(command.results(&values).into_iter().map(|values| (*to, values)));
                }
            }
        }
        reached
    }
    /// Spots from which moves lead to an error, not through what is dead.
    fn leads_to_error(&self, dead: &BTreeSet<Spot>) -> BTreeSet<Spot> {
        let mut leads: BTreeSet<Spot> = BTreeSet::new();
        loop {
            let before = leads.len();
            for (spot, moves) in &self.moves {
                let is_last = |to: &Spot| leads.contains(to) || self.errors.contains(&to.1);
                if !dead.contains(spot) && moves.iter().any(|(_, to)| is_last(to)) {
                    leads.insert(*spot);
                }
            }
            if leads.len() == before {
                return leads;
            }
        }
    }
    /// Spots to which a hop leads back, walking from the entry.
    fn heads(&self) -> BTreeSet<Spot> {
        let mut heads = BTreeSet::new();
        self.walk(&BTreeSet::new(), &BTreeSet::new(), &mut |spot| {
            heads.insert(spot);
        });
        heads
    }
    /// Walks in depth from the entry and from all cuts that are met, not beyond `dead`; reports spots that a hop
    /// leads back to without passing a cut. Returns the spots that were met.
    fn walk(&self, cuts: &BTreeSet<Spot>, dead: &BTreeSet<Spot>, back: &mut dyn FnMut(Spot)) -> BTreeSet<Spot> {
        let mut state: BTreeMap<Spot, u8> = BTreeMap::new();
        let mut roots = vec![self.entry];
        while let Some(root) = roots.pop() {
            let mut path = vec![(root, 0)];
            while let Some((spot, at)) = path.last_mut() {
                let spot = *spot;
                if *at == 0 {
                    if state.get(&spot) == Some(&2) {
                        path.pop();
                        continue;
                    }
                    state.insert(spot, 1);
                }
                let hops = if dead.contains(&spot) { &[] } else { self.moves(spot) };
                match hops.get(*at) {
                    Some(&(_, to)) => {
                        *at += 1;
                        match state.get(&to) {
                            _ if cuts.contains(&to) => roots.push(to),
                            None => path.push((to, 0)),
                            Some(1) => back(to),
                            _ => {}
                        }
                    }
                    None => {
                        state.insert(spot, 2);
                        path.pop();
                    }
                }
            }
        }
        state.into_keys().collect()
    }
}

fn all_values() -> impl Iterator<Item = Values> {
    (0..1u32 << (2 * N_CELLS)).map(|code| (0..N_CELLS).map(|cell| (code >> (2 * cell)) as u8 & 3).collect())
}

/// A program being drawn.
struct Sketch<'a> {
    random: &'a mut Random,
    b: &'a mut Builder,
    terms: &'a mut Terms,
    /// Globals and the parameter, by cell of the first activation.
    roles: [Var; 3],
    input: program::InputId,
    edges: Vec<(Loc, Loc, Command)>,
}

impl Sketch<'_> {
    /// Locations with random edges between them, mostly forward; also those from which calls may be made.
    fn function(&mut self, function: FunId, cells: &[Cell], n: usize, sets_globals: bool) -> (Vec<Loc>, Vec<Loc>) {
        let mut locs = vec![self.b.entry_of(function)];
        locs.extend((0..n).map(|_| self.b.location(function, None)));
        locs.push(self.b.exit_of(function));
        for i in 0..locs.len() - 1 {
            let command = if sets_globals && i < 2 {
                Command::Add(i, None, self.random.below(4) as u8)
            } else {
                Command::random(self.random, cells)
            };
            if let Command::Assume(condition) = &command {
                // The other way leads on as well, or the run would often end.
                let other = self.random.below(locs.len() as u64) as usize;
                let negated = Command::Assume(Formula::Not(Box::new(condition.clone())));
                self.edge(locs[i], locs[other.max(2).min(locs.len() - 1)], negated);
            }
            self.edge(locs[i], locs[i + 1], command);
            if i >= 2 && self.random.one_in(3) {
                let back = locs[2 + self.random.below(i as u64 - 1) as usize];
                let guard = Command::Assume(Formula::random(self.random, cells));
                self.edge(locs[i], back, guard);
            }
        }
        let inner: Vec<Loc> = locs[2..].to_vec();
        let before_exit = locs[1..locs.len() - 1].to_vec();
        (inner[..inner.len().max(2) - 1].to_vec(), before_exit)
    }
    fn edge(&mut self, from: Loc, to: Loc, command: Command) {
        let symbols: Vec<Term> = self.roles.iter().map(|&var| self.b.term(var)).collect();
        let terms = &mut *self.terms;
        let action = match &command {
            Command::Assume(condition) => Action::Assume(condition.term(terms, &symbols)),
            Command::Add(a, b, n) => {
                let n = terms.bv(2, u64::from(*n));
                let value = b.map_or(n, |b| terms.bv_add(symbols[b], n));
                Action::Assign(vec![(self.roles[*a], value)])
            }
            Command::Multiply(a, b) => {
                let value = terms.bv_mul(symbols[*a], symbols[*b]);
                Action::Assign(vec![(self.roles[*a], value)])
            }
            Command::Swap(a, b) => Action::Assign(vec![(self.roles[*a], symbols[*b]), (self.roles[*b], symbols[*a])]),
            Command::Havoc(a) => Action::Havoc { var: self.roles[*a], input: self.input },
        };
        self.b.edge(from, to, action, None);
        self.edges.push((from, to, command));
    }
}

/// Evidence: invariants and method.
#[derive(Clone, Debug)]
struct Claim {
    invariants: Vec<(Spot, Formula)>,
    method: Method,
}

/// `false`, as evidence writes it.
fn never() -> Formula {
    Formula::Or(Vec::new())
}

impl Claim {
    /// Something true of all states that are reached: all of them, or what simple conditions they share.
    fn about(world: &World, random: &mut Random) -> Claim {
        let reached = world.reached();
        let mut spots = world.heads();
        while random.one_in(2) {
            spots.insert(*random.pick(&world.spots));
        }
        let invariants = spots.into_iter().map(|spot| {
            let states = reached.get(&spot).cloned().unwrap_or_default();
            let formula = match states.len() {
                0 if random.one_in(2) => never(),
                1..=12 if random.one_in(2) => Formula::Or(
                    states
                        .iter()
                        .map(|values| {
                            let cell = |(cell, &value): (usize, &u8)| Formula::Is(cell, value);
                            Formula::And(values.iter().enumerate().map(cell).collect())
                        })
                        .collect(),
                ),
                _ => Formula::And(shared(&states)),
            };
            (spot, formula)
        });
        Claim { invariants: invariants.collect(), method: Method::Induction { depth: 1 } }
    }
    fn mutate(&mut self, world: &World, random: &mut Random) {
        let cells: Vec<Cell> = (0..N_CELLS).collect();
        let literal = Formula::random(random, &cells);
        let kind = random.below(12);
        if kind >= 10 {
            self.method = match random.below(2) {
                0 => Method::Induction { depth: 1 + random.below(3) as u32 },
                _ => Method::Exhaustion { steps: random.below(6) as u32 },
            };
            return;
        }
        if self.invariants.is_empty() {
            self.invariants.push((*random.pick(&world.spots), literal));
            return;
        }
        let n = self.invariants.len() as u64;
        let (i, j) = (random.below(n) as usize, random.below(n) as usize);
        match kind {
            0 | 1 => {
                let old = self.invariants[i].1.clone();
                self.invariants[i].1 = Formula::And(vec![old, literal]);
            }
            2 => {
                let old = self.invariants[i].1.clone();
                self.invariants[i].1 = Formula::Or(vec![old, literal]);
            }
            3 => {
                let spot = self.invariants[i].0;
                self.invariants[i].0 = self.invariants[j].0;
                self.invariants[j].0 = spot;
            }
            4 => self.invariants[i].0 = *random.pick(&world.spots),
            5 => {
                self.invariants.remove(i);
            }
            6 => self.invariants[i].1 = never(),
            7 => self.invariants.push((*random.pick(&world.spots), literal)),
            _ => self.invariants[i].1.twist(random),
        }
    }
    fn proof(&self, world: &World) -> Proof {
        let mut terms = world.terms.clone();
        let pair = terms.bv_sort(2);
        let symbols: Vec<Term> = (0..N_CELLS).map(|cell| terms.variable(&format!("cell{cell}"), pair)).collect();
        let invariants = self
            .invariants
            .iter()
            .map(|(spot, formula)| (world.point(*spot), formula.term(&mut terms, &symbols)))
            .collect();
        let symbols = symbols.into_iter().zip(world.instances.clone()).collect();
        Proof {
            terms,
            symbols,
            bound: Vec::new(),
            places: Vec::new(),
            invariants,
            method: self.method,
            precise: Vec::new(),
            lemmas: Vec::new(),
            layout: None,
            closed: Vec::new(),
            contracts: Vec::new(),
            rankings: Vec::new(),
            totals: Vec::new(),
        }
    }

    /// Whether the evidence proves the program safe by its method or by plain induction.
    fn is_right(&self, world: &World) -> bool {
        self.is_right_by(self.method, world) || self.is_right_by(Method::Induction { depth: 1 }, world)
    }
    /// The same for one method, by walking through all states.
    fn is_right_by(&self, method: Method, world: &World) -> bool {
        let mut dead: BTreeSet<Spot> = BTreeSet::new();
        let mut cuts: BTreeSet<Spot> = self.invariants.iter().map(|(spot, _)| *spot).collect();
        for (spot, formula) in &self.invariants {
            // What the store writes as `false`; a formula that only means it is explored like any other.
            let mut terms = world.terms.clone();
            let pair = terms.bv_sort(2);
            let symbols: Vec<Term> = (0..N_CELLS).map(|cell| terms.variable(&format!("cell{cell}"), pair)).collect();
            let no = terms.truth(false);
            if formula.term(&mut terms, &symbols) == no {
                dead.insert(*spot);
            }
        }
        let mut cut = true;
        if world.moves.values().flatten().any(|(_, to)| *to == world.entry) {
            cuts.insert(world.entry);
        }
        let met = world.walk(&cuts, &dead, &mut |_| cut = false);
        if !cut {
            return false;
        }
        let walk = Walk { world, claim: self, cuts: &cuts };
        match method {
            Method::Induction { depth } => {
                let from_start = walk.keeps(None, 1, depth, None);
                // Beyond what is dead nothing is claimed.
                let cuts = cuts.iter().filter(|spot| !dead.contains(spot) && met.contains(spot));
                from_start && cuts.into_iter().all(|&spot| walk.keeps(Some(spot), depth, depth, None))
            }
            Method::Execution { .. } | Method::Enumeration { .. } | Method::Unrolling { .. } => false,
            Method::Exhaustion { steps } => {
                let steps = steps + u32::from(cuts.contains(&world.entry));
                let leads = world.leads_to_error(&dead);
                let idle =
                    cuts.iter().filter(|spot| !leads.contains(spot) && !dead.contains(spot) && met.contains(spot));
                walk.keeps(None, 1, steps, Some(&leads))
                    && idle.into_iter().all(|&spot| walk.keeps(Some(spot), 1, 1, None))
            }
        }
    }
}

impl Formula {
    /// Changes a constant, drops a part, or turns a part round.
    fn twist(&mut self, random: &mut Random) {
        match self {
            Formula::Is(_, value) => *value = (*value + 1) % 4,
            Formula::Below(_, value) => *value = (*value + 1).min(3),
            Formula::Same(a, _) => *a = (*a + 1) % N_CELLS,
            Formula::Not(inner) => inner.twist(random),
            Formula::And(parts) | Formula::Or(parts) if !parts.is_empty() => {
                let place = random.below(parts.len() as u64) as usize;
                if random.one_in(3) {
                    parts.remove(place);
                } else {
                    parts[place].twist(random);
                }
            }
            Formula::True | Formula::And(_) | Formula::Or(_) => *self = Formula::Is(0, 1),
        }
    }
}

/// The simple conditions that hold in all these states.
fn shared(states: &BTreeSet<Values>) -> Vec<Formula> {
    let mut found = Vec::new();
    for cell in 0..N_CELLS {
        let conditions = (0..4)
            .map(|value| Formula::Not(Box::new(Formula::Is(cell, value))))
            .chain((0..cell).map(|other| Formula::Same(cell, other)));
        found.extend(conditions.filter(|condition| states.iter().all(|values| condition.holds(values))));
    }
    for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 2), (0, 3), (1, 3)] {
        for value in 0..16u8 {
            let pair = Formula::And(vec![Formula::Is(a, value & 3), Formula::Is(b, value >> 2)]);
            if !states.iter().any(|values| pair.holds(values)) {
                found.push(Formula::Not(Box::new(pair)));
            }
        }
    }
    found
}

/// The walk through all states.
struct Walk<'a> {
    world: &'a World,
    claim: &'a Claim,
    cuts: &'a BTreeSet<Spot>,
}

impl Walk<'_> {
    fn invariant(&self, spot: Spot, values: &Values) -> bool {
        self.claim.invariants.iter().all(|(at, formula)| *at != spot || formula.holds(values))
    }
    /// Whether runs of up to `last` steps from a cut (or the start) keep the invariants and meet no error from step
    /// `first` on; with `ends`, the spots that can lead to an error, also that none from there takes a step more.
    fn keeps(&self, from: Option<Spot>, first: u32, last: u32, ends: Option<&BTreeSet<Spot>>) -> bool {
        let goes_on = |spot: &Spot| ends.is_none_or(|leads| leads.contains(spot));
        let mut at: BTreeSet<(Option<Spot>, Values)> = all_values()
            .filter(|values| from.is_none_or(|spot| self.invariant(spot, values)))
            .map(|values| (from, values))
            .collect();
        for step in 1..=last {
            let (reached, error) = self.step(&at);
            let broken = reached.iter().any(|(spot, values)| !self.invariant(*spot, values));
            if step >= first && (error || broken) {
                return false;
            }
            at = reached
                .into_iter()
                .filter(|(spot, values)| goes_on(spot) && self.invariant(*spot, values))
                .map(|(spot, values)| (Some(spot), values))
                .collect();
        }
        if ends.is_some() {
            let (reached, error) = self.step(&at);
            return !error && reached.iter().all(|(spot, values)| !goes_on(spot) && self.invariant(*spot, values));
        }
        true
    }
    fn step(&self, from: &BTreeSet<(Option<Spot>, Values)>) -> (BTreeSet<(Spot, Values)>, bool) {
        let mut ends = BTreeSet::new();
        let mut error = false;
        let mut seen: BTreeSet<(Spot, Values)> = BTreeSet::new();
        let mut todo: Vec<(Spot, Values)> = Vec::new();
        let mut go = |to: Spot, values: Values, todo: &mut Vec<(Spot, Values)>| {
            if self.cuts.contains(&to) {
                ends.insert((to, values));
            } else {
                todo.push((to, values));
            }
        };
        for (spot, values) in from {
            match spot {
                None => go(self.world.entry, values.clone(), &mut todo),
                Some(spot) => {
                    for (command, to) in self.world.moves(*spot) {
                        command.results(values).into_iter().for_each(|values| go(*to, values, &mut todo));
                    }
                }
            }
        }
        while let Some((spot, values)) = todo.pop() {
            error |= self.world.errors.contains(&spot.1);
            if !seen.insert((spot, values.clone())) {
                continue;
            }
            for (command, to) in self.world.moves(spot) {
                command.results(&values).into_iter().for_each(|values| go(*to, values, &mut todo));
            }
        }
        (ends, error)
    }
}

/// How mutants fared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Right evidence that was accepted.
    pub accepted: u64,
    /// Wrong evidence that was refused.
    pub refused: u64,
}

/// Makes claims about random programs and mutants of them, `count` in all, and compares `certify` with the walk.
/// `objects` is shown the obligations of accepted claims as scripts, and may object. `Err` shows the first claim on which
/// they differ.
pub fn run(count: u64, seed: u64, objects: &mut dyn FnMut(&str) -> Result<(), String>) -> Result<Tally, String> {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    while tally.accepted + tally.refused < count {
        let world = World::random(&mut random);
        // Most random programs are wrong; all claims about those are.
        let is_unsafe = world.reached().keys().any(|(_, loc)| world.errors.contains(loc));
        if is_unsafe && !random.one_in(8) {
            continue;
        }
        let claim = Claim::about(&world, &mut random);
        for number in 0..16 {
            let mut mutant = claim.clone();
            for _ in 0..number.min(1 + random.below(2)) {
                mutant.mutate(&world, &mut random);
            }
            let is_right = mutant.is_right(&world);
            let proof = mutant.proof(&world);
            let verdict = Verdict::Safe(Box::new(proof.clone()));
            let answer = certify(&world.program, &world.terms, &verdict, &Budget::default());
            match (&answer, is_right) {
                (Ok(Certificate::Safe(safety)), true) => {
                    tally.accepted += 1;
                    let method = safety.method;
                    let questions = second_opinion(&world.program, &world.terms, &proof, method, &Budget::default());
                    for question in questions.map_err(|refusal| refusal.to_string())? {
                        objects(&question.script)?;
                    }
                }
                (Err(Refusal::Open { .. } | Refusal::Uncut { .. } | Refusal::Endless { .. }), false) => {
                    tally.refused += 1
                }
                _ => {
                    let text = program::text::print(&world.program, &world.terms);
                    let answer = answer.map(|_| "accepted").map_err(|refusal| refusal.to_string());
                    return Err(format!("{text}\n{mutant:?}\nright: {is_right}, certify: {answer:?}"));
                }
            }
        }
    }
    Ok(tally)
}
