//! Passes against the interpreter: a program means the same before and after.
//!
//! Both programs run on the same inputs: a value is a function of the seed, the input of the program as
//! lowered, how often it was asked for before, and for memory the byte, so it does not matter in which order the
//! programs ask, or what they no longer ask for. Random programs have no inputs, so some of their constants
//! are made inputs, and their result is made an error, so that nothing is dead.
//!
//! Two more laws are checked on the way: a fact of a pass never fails on a run of the program before it
//! (it is put into the program as an assertion), and the heads of the new program's loops, together with the
//! cuts, cut all cycles of the old one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::{Budget, Id, IndexVec, Place, Random};
use program::interp::{
    Dictionary, Event, Inputs, Limits, Machine, Origin, Outcome, Request, Step, Unclear, UndefinedAt, trace,
};
use program::pass::all::{LAST, Promise, ROUND};
use program::pass::shape::Shape;
use program::pass::{BackMap, InlineOptions, Source, inline};
use program::structure::{Digraph, WeakOrder};
use program::{
    Action, Assertion, AssertionId, AssertionKind, Edge, Graph, Input, InputId, InputKind, Location, Mark, Object,
    Program, Shown, VarKind, Variable, validate,
};
use term::{Op, Terms};

/// What was seen.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Runs of two programs that were compared.
    pub runs: u64,
    /// Runs that met a limit, or something that cannot be executed.
    pub unknown: u64,
    /// Runs that differ, but the lowered program left an object or depends on where objects lie.
    pub wild: u64,
    /// Runs that reached an error.
    pub errors: u64,
    /// Edges of the lowered programs.
    pub edges_before: u64,
    /// Edges after all passes.
    pub edges_after: u64,
    /// Loads and stores after inlining.
    pub accesses_before: u64,
    /// Loads and stores after all passes.
    pub accesses_after: u64,
}

impl Seen {
    /// Adds the counts of another report.
    pub fn add(&mut self, other: &Seen) {
        self.runs += other.runs;
        self.unknown += other.unknown;
        self.wild += other.wild;
        self.errors += other.errors;
        self.edges_before += other.edges_before;
        self.edges_after += other.edges_after;
        self.accesses_before += other.accesses_before;
        self.accesses_after += other.accesses_after;
    }
}

/// Runs every pass over the program and compares; `Err` says what went wrong, `Ok(None)` that inlining is refused.
pub fn compare(program: &Program, terms: &mut Terms, runs: u64, edges: u64, seed: u64) -> Result<Option<Seen>, String> {
    let mut seen = Seen { edges_before: program.edges.len() as u64, ..Seen::default() };
    let options = InlineOptions { max_edges: 300_000, ..InlineOptions::default() };
    let bounded = InlineOptions { recursion: Some(3), ..options };
    let inlined = inline(program.clone(), terms, &options).or_else(|_| inline(program.clone(), terms, &bounded));
    let Ok(inlined) = inlined else { return Ok(None) };
    let dictionary = Dictionary::of(program, terms);
    let feed = Feed { dictionary: &dictionary, runs, edges, seed };
    let identity = BackMap::identity(program);
    let mut before = feed.outcomes(program, terms, &identity.inputs)?;
    let moved = feed.outcomes(&elsewhere(program, terms), terms, &identity.inputs)?;
    for (ended, moved) in before.iter_mut().zip(&moved) {
        ended.wild |= ended.outcome != moved.outcome;
    }
    let lowered: Vec<bool> = before.iter().map(|ended| ended.wild).collect();
    let mark = |ended: &mut Vec<Ended>| ended.iter_mut().zip(&lowered).for_each(|(one, wild)| one.wild |= wild);
    lawful(&inlined.program, terms, "inline")?;
    let mut last = feed.outcomes(&inlined.program, terms, &inlined.map.inputs)?;
    mark(&mut last);
    let cut: Vec<_> = inlined.cut_calls.iter().map(|(point, _)| point).collect();
    for ended in &mut last {
        // A call beyond the bound leads nowhere, so nothing is known about the run.
        if matches!(ended.outcome, Outcome::Blocked(loc) if cut.contains(&&inlined.map.points[loc])) {
            ended.outcome = Outcome::Cancelled;
        }
    }
    agree("inline", Promise::SameRuns, &before, &last, &mut seen).map_err(|(run, what)| {
        let programs = [(program, &identity.inputs), (&inlined.program, &inlined.map.inputs)];
        format!("{what}: {}", feed.parting(run, terms, programs))
    })?;
    seen.accesses_before = accesses(&inlined.program);
    let (mut program, mut map) = (inlined.program, inlined.map);
    for round in 0..3 {
        for &(name, promise, pass) in if round < 2 { ROUND } else { LAST } {
            let (next, back) = pass(program.clone(), terms);
            lawful(&next, terms, name)?;
            cuts_cycles(&program, &next, &back).map_err(|loc| format!("{name}: a cycle through {loc} is not cut"))?;
            let facts = with_facts(&program, terms, &back);
            if let Some(facts) = facts {
                let first = AssertionId::new(program.assertions.len());
                for (run, ended) in feed.outcomes(&facts, terms, &map.inputs)?.into_iter().enumerate() {
                    if let Outcome::Error(id) = ended.outcome
                        && id >= first
                    {
                        let text = &facts.assertions[id].text;
                        return Err(format!("{name}: the fact {text} fails in run {run}"));
                    }
                }
            }
            map = map.then(back);
            program = next;
            let mut after = feed.outcomes(&program, terms, &map.inputs)?;
            mark(&mut after);
            agree(name, promise, &last, &after, &mut seen).map_err(|(_, what)| what)?;
            last = after;
        }
    }
    seen.errors = before.iter().filter(|ended| matches!(ended.outcome, Outcome::Error(_))).count() as u64;
    seen.edges_after = program.edges.len() as u64;
    seen.accesses_after = accesses(&program);
    Ok(Some(seen))
}

fn accesses(program: &Program) -> u64 {
    let access = |edge: &&Edge| matches!(edge.action, Action::Load { .. } | Action::Store { .. });
    program.edges.iter().filter(access).count() as u64
}

fn lawful(program: &Program, terms: &Terms, pass: &str) -> Result<(), String> {
    validate(program, terms).map_err(|broken| format!("{pass} breaks a law: {}", broken[0]))
}

/// Whether outcomes fit what the pass promises.
fn agree(
    pass: &str,
    promise: Promise,
    before: &[Ended],
    after: &[Ended],
    seen: &mut Seen,
) -> Result<(), (u64, String)> {
    for (run, (before, after)) in before.iter().zip(after).enumerate() {
        let wild = before.wild || after.wild;
        let (before, after) = (&before.outcome, &after.outcome);
        let unknown =
            |outcome: &Outcome| matches!(outcome, Outcome::Limit(_) | Outcome::Unsupported { .. } | Outcome::Cancelled);
        if unknown(before) || unknown(after) {
            seen.unknown += 1;
            continue;
        }
        seen.runs += 1;
        let error = |outcome: &Outcome| match outcome {
            Outcome::Error(assertion) => Some(*assertion),
            _ => None,
        };
        let fine = match promise {
            Promise::SameRuns => match (before, after) {
                (Outcome::Blocked(_), Outcome::Blocked(_)) => true,
                _ => before == after,
            },
            Promise::SameErrors => error(before) == error(after),
            Promise::MoreErrors => error(before).is_none() || error(before) == error(after),
        };
        if !fine && wild {
            seen.wild += 1;
        } else if !fine {
            return Err((run as u64, format!("{pass}: run {run} gave {before:?} and now gives {after:?}")));
        }
    }
    Ok(())
}

/// How a run ended, and whether it could see where objects lie.
struct Ended {
    outcome: Outcome,
    wild: bool,
}

/// How programs are run.
struct Feed<'a> {
    dictionary: &'a Dictionary,
    runs: u64,
    edges: u64,
    seed: u64,
}

impl Feed<'_> {
    fn outcomes(
        &self,
        program: &Program,
        terms: &Terms,
        sources: &IndexVec<InputId, Source>,
    ) -> Result<Vec<Ended>, String> {
        let mut machine = Machine::new(program, terms).map_err(|unsupported| unsupported.what)?;
        let limits = Limits { edges: self.edges, recorded_inputs: 0, memory: 1 << 26, ..Limits::default() };
        let budget = Budget::unlimited(Arc::new(AtomicBool::new(false)));
        let run = |number: u64| {
            let mut inputs = Keyed { seed: self.seed * 1000 + number, sources, dictionary: self.dictionary, chosen: 0 };
            let run = machine.run(&mut inputs, &limits, &budget);
            let wild = matches!(run.undefined, Some(UndefinedAt { what: Unclear::Memory(_), .. }));
            Ended { outcome: run.outcome, wild }
        };
        Ok((0..self.runs).map(run).collect())
    }
}

impl Feed<'_> {
    /// Where two programs part: the first step whose place or value differs.
    fn parting(&self, run: u64, terms: &Terms, programs: [(&Program, &IndexVec<InputId, Source>); 2]) -> String {
        let limits = Limits { edges: self.edges, recorded_inputs: 0, memory: 1 << 26, ..Limits::default() };
        let budget = Budget::unlimited(Arc::new(AtomicBool::new(false)));
        let [before, after] = programs.map(|(program, sources)| {
            let mut inputs = Keyed { seed: self.seed * 1000 + run, sources, dictionary: self.dictionary, chosen: 0 };
            let trace = trace(program, terms, &mut inputs, &limits, &budget, 100_000);
            let steps = trace.map(|(_, trace)| trace.first).unwrap_or_default();
            let shown = |step: Step| match step.event {
                Event::Stored { value, .. } => Some(format!("{} stores {value}", line(&step.place))),
                Event::Branched { .. } => Some(format!("{} branches", line(&step.place))),
                _ => None,
            };
            steps.into_iter().filter_map(shown).collect::<Vec<String>>()
        });
        match before.iter().zip(&after).find(|(before, after)| before != after) {
            Some((before, after)) => format!("{before}, and now {after}"),
            None => "no step differs".to_owned(),
        }
    }
}

fn line(place: &Option<Place>) -> String {
    place.map_or_else(|| "somewhere".to_owned(), |place| format!("{}:{}", place.line, place.column))
}

/// A supplier whose answers depend on the question alone.
struct Keyed<'a> {
    seed: u64,
    sources: &'a IndexVec<InputId, Source>,
    dictionary: &'a Dictionary,
    chosen: u64,
}

impl Keyed<'_> {
    fn random(&self, input: InputId, occurrence: u64, place: u64) -> Random {
        let mut key = self.seed;
        for part in [input.index() as u64, occurrence, place] {
            key = (key ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        }
        Random::new(key)
    }
    /// Bytes of memory, one by one: mostly such that numbers are small.
    fn byte(&self, input: InputId, occurrence: u64, offset: u64) -> u8 {
        let mut random = self.random(input, occurrence, offset);
        match self.seed % 4 {
            0 => 0,
            1 | 2 if !offset.is_multiple_of(4) => 0,
            3 => random.bits() as u8,
            _ => random.below(5) as u8,
        }
    }
}

impl Inputs for Keyed<'_> {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        let Origin::Input(input) = request.origin else { return 0 };
        let source = self.sources[input];
        let Some(input) = source.input else { return 0 };
        if source.offset.is_none() && request.offset.is_none() {
            let mut random = self.random(input, request.occurrence, u64::from(request.piece) << 32);
            let known = self.dictionary.of_input(input);
            return match (self.seed + random.below(3)) % 8 {
                0 => 0,
                1 | 2 => u128::from(random.below(4)),
                3 if !known.is_empty() => *random.pick(known),
                4 => u128::from(random.bits()) << 64 | u128::from(random.bits()),
                5 => (random.between(-3, 100) as i128) as u128,
                6 if !known.is_empty() => random.pick(known).wrapping_add(1),
                _ => u128::from(random.below(2)),
            };
        }
        // The offset of the request counts the pieces already, unless it is for a whole variable.
        let within = request.offset.unwrap_or(u64::from(request.piece) * 16);
        let first = source.offset.unwrap_or(0) + within;
        (0..u64::from(request.width.div_ceil(8)))
            .fold(0, |value, i| value | u128::from(self.byte(input, request.occurrence, first + i)) << (8 * i))
    }
    /// Programs of the front end leave no choice; slicing leaves only choices that do not matter, but some of
    /// them never end if they are always the same.
    fn choose(&mut self, n: usize) -> usize {
        self.chosen += 1;
        Random::new(self.seed ^ self.chosen << 32).below(n as u64) as usize
    }
}

/// Makes some constants inputs and, after main has returned `wanted` (if it has a result), an error.
pub fn enliven(program: &mut Program, terms: &mut Terms, seed: u64, wanted: Option<u64>) {
    let mut random = Random::new(seed ^ 0x5eed);
    let rate = if seed == u64::MAX { u64::MAX } else { *random.pick(&[3, 10, 40, u64::MAX]) };
    for edge in program.edges.ids() {
        let Action::Assign(pairs) = &program.edges[edge].action else { continue };
        let &[(var, value)] = pairs.as_slice() else { continue };
        if terms.op(value) == Op::Value && terms.width(value) <= 64 && random.one_in(rate) {
            let shown = program.vars[var].shown;
            let input = program.inputs.push(Input { kind: InputKind::Nondet("n".to_owned()), shown, place: None });
            program.edges[edge].action = Action::Havoc { var, input };
        }
    }
    let entry = program.entry.expect("a program has an entry function");
    let exit = program.functions[entry].exit;
    let (Some(result), Some(wanted)) = (program.functions[entry].result, wanted) else { return };
    let (result, sort) = (program.vars[result].term, program.vars[result].sort);
    if !matches!(terms.sort_kind(sort), term::SortKind::BitVec(_)) {
        return;
    }
    let expected = terms.bv(terms.width(result), wanted);
    let same = terms.eq(result, expected);
    let differs = terms.not(same);
    let assertion = program.assertions.push(Assertion {
        text: "the result".to_owned(),
        place: None,
        kind: AssertionKind::Condition,
    });
    let location = |mark| Location { function: entry, place: None, mark };
    let middle = program.locations.push(location(Mark::None));
    let error = program.locations.push(location(Mark::Error(assertion)));
    for edge in program.edges.iter_mut() {
        if edge.to == exit {
            edge.to = middle;
        }
    }
    program.edges.push(Edge { from: middle, to: error, action: Action::Assume(same), place: None });
    program.edges.push(Edge { from: middle, to: exit, action: Action::Assume(differs), place: None });
}

/// The value that the program returns on the first run of `compare`, if it returns one.
pub fn result_of(program: &Program, terms: &Terms, edges: u64, seed: u64) -> Option<u64> {
    let dictionary = Dictionary::of(program, terms);
    let feed = Feed { dictionary: &dictionary, runs: 1, edges, seed };
    let identity = BackMap::identity(program);
    match &feed.outcomes(program, terms, &identity.inputs).ok()?.first()?.outcome {
        Outcome::Returned(value) => (*value).map(|value| value as u64),
        _ => None,
    }
}

/// The same program with all objects at other addresses: a program that notices depends on the layout of objects.
fn elsewhere(program: &Program, terms: &mut Terms) -> Program {
    let mut moved = program.clone();
    let sort = terms.bv_sort(program.pointer_width);
    for object in moved.objects.iter_mut() {
        object.align = object.align.max(64);
    }
    for function in moved.functions.ids() {
        let object = moved.objects.next_id();
        let term = terms.variable(&format!("moved {}", object.index()), sort);
        let kind = VarKind::AddressOf(object);
        let name = "moved".to_owned();
        let address = moved.vars.push(Variable { name, term, sort, kind, shown: Shown::Pointer, place: None });
        let name = "moved".to_owned();
        let owner = Some(function);
        let shape = Object {
            name,
            address,
            size: 24,
            align: 1,
            owner,
            init: Vec::new(),
            read_only: false,
            place: None,
            live: None,
            exposed: false,
        };
        moved.objects.push(shape);
        moved.functions[function].objects.insert(0, object);
    }
    for edge in moved.edges.iter_mut() {
        if let Action::Alloc { size, .. } = &mut edge.action {
            // A little more of everything moves what comes later.
            let more = terms.bv(program.pointer_width, 40);
            *size = terms.bv_add(*size, more);
        }
    }
    moved
}

/// The program with the facts of a pass over it as assertions.
fn with_facts(program: &Program, terms: &mut Terms, map: &BackMap) -> Option<Program> {
    if map.facts.is_empty() {
        return None;
    }
    let mut program = program.clone();
    for (point, fact) in &map.facts {
        // A fact may speak of variables that the pass has made.
        let known = |term: &term::Term| program.vars.iter().any(|var| var.term == *term);
        let symbols = terms.subterms(&[*fact]);
        if !symbols.iter().filter(|&&term| matches!(terms.op(term), Op::Symbol(_))).all(known) {
            continue;
        }
        let text = terms.to_smtlib(*fact);
        let assertion = program.assertions.push(Assertion {
            text: format!("{text} at {:?}", point.loc),
            place: None,
            kind: AssertionKind::Condition,
        });
        let function = program.locations[point.loc].function;
        let location = |mark| Location { function, place: None, mark };
        let behind = program.locations.push(location(Mark::None));
        let error = program.locations.push(location(Mark::Error(assertion)));
        for edge in program.edges.iter_mut() {
            if edge.from == point.loc {
                edge.from = behind;
            }
        }
        let fails = terms.not(*fact);
        program.edges.push(Edge { from: point.loc, to: behind, action: Action::Assume(*fact), place: None });
        program.edges.push(Edge { from: point.loc, to: error, action: Action::Assume(fails), place: None });
    }
    Some(program)
}

/// Whether the heads of the new program and the cuts cut all cycles of the old one; otherwise a location on one.
fn cuts_cycles(old: &Program, new: &Program, map: &BackMap) -> Result<(), String> {
    let heads = Shape::new(new, &Graph::new(new), |_| false);
    let mut cut = vec![false; old.locations.len()];
    for loc in new.locations.ids().filter(|&loc| heads.head[loc]) {
        cut[map.points[loc].loc.index()] = true;
    }
    for point in &map.cuts {
        cut[point.loc.index()] = true;
    }
    let graph = Graph::new(old);
    let all = Shape::new(old, &graph, |_| false);
    // A root that leads everywhere the entry leads, so that cut locations hide nothing.
    let root = old.locations.len();
    let edges: Vec<(usize, usize)> = old
        .edges
        .iter()
        .filter(|edge| !cut[edge.from.index()] && !cut[edge.to.index()])
        .map(|edge| (edge.from.index(), edge.to.index()))
        .chain(old.locations.ids().filter(|&loc| all.reached(loc)).map(|loc| (root, loc.index())))
        .collect();
    let digraph = Digraph::new(root + 1, edges.iter().copied());
    match WeakOrder::new(&digraph, root).heads().next() {
        None => Ok(()),
        Some(node) => Err(format!("L{node}")),
    }
}
