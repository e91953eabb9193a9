//! Random small programs, their loops reducible and irreducible, against exploration state by state: verdict and evidence
//! are right under all instances, with and without help from analysis and candidates.

use std::collections::{BTreeMap, BTreeSet};

use std::sync::Mutex;

use base::{Budget, Choice, Random};
use engine::{Facts, Observer, Run, Task};
use program::pass;
use term::Terms;
use verdict::{Counterexample, Verdict, Why};

use engine_arg::{INSTANCES, Instance, InstanceName, REFINERS, STRATEGIES};

const VARS: [&str; 3] = ["main.x", "main.y", "main.z"];

#[derive(Clone, Copy)]
enum Value {
    Is(u64),
    Copy(usize),
    Next(usize),
    Sum(usize, usize),
}

#[derive(Clone, Copy)]
enum Test {
    Is(usize, u64),
    Less(usize, usize),
    Equal(usize, usize),
}

#[derive(Clone, Copy)]
enum Place {
    Set(usize, Value, usize),
    Any(usize, usize),
    Branch(Test, usize, usize),
}

/// The first places are the program; the last but one is its end, the last its error.
struct Graph {
    places: Vec<Place>,
}

type State = [u64; 3];

impl Graph {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let len = 6 + random.below(9) as usize;
        let mut places = Vec::new();
        for at in 0..len {
            // Mostly forwards, sometimes back, seldom to the end or the error.
            let near = (at + 1 + random.below(3) as usize).min(len);
            let far = random.below(len as u64) as usize;
            let one = if random.one_in(3) { far } else { near };
            let two = match random.below(6) {
                0 => len + 1,
                1 => len,
                2 => near,
                _ => far,
            };
            let (a, b) = (random.below(3) as usize, random.below(3) as usize);
            let number = random.below(4);
            places.push(match random.below(9) {
                0 => Place::Set(a, Value::Is(number), one),
                1 => Place::Set(a, Value::Copy(b), one),
                2 => Place::Set(a, Value::Next(b), one),
                3 => Place::Set(a, Value::Sum(a, b), one),
                4 => Place::Any(a, one),
                5 => Place::Branch(Test::Less(a, b), one, two),
                6 => Place::Branch(Test::Equal(a, b), one, two),
                _ => Place::Branch(Test::Is(a, number), one, two),
            });
        }
        Graph { places }
    }
    fn text(&self) -> String {
        let (end, error) = (self.places.len() + 1, self.places.len() + 2);
        let mut text = format!(
            "cfa 1\npointer 32\nentry main\nfile \"random.c\"\n\nassertion 1 \"never\" @0:1:1\n\
             input i0 nondet \"any\" unsigned @0:1:1\n\nfunction main () entry L0 exit L{end} @0:1:1 {{\n"
        );
        for name in VARS {
            text.push_str(&format!("  local {name} (_ BitVec 2) unsigned @0:1:1\n"));
        }
        text.push_str("  at L0\n    assign main.x := #b00, main.y := #b00, main.z := #b00 -> L1\n");
        for (at, place) in self.places.iter().enumerate() {
            text.push_str(&format!("  at L{}\n", at + 1));
            match *place {
                Place::Set(var, value, to) => {
                    let value = match value {
                        Value::Is(number) => format!("#b{number:02b}"),
                        Value::Copy(from) => VARS[from].to_owned(),
                        Value::Next(from) => format!("(bvadd {} #b01)", VARS[from]),
                        Value::Sum(one, two) => format!("(bvadd {} {})", VARS[one], VARS[two]),
                    };
                    text.push_str(&format!("    assign {} := {value} -> L{}\n", VARS[var], to + 1));
                }
                Place::Any(var, to) => text.push_str(&format!("    havoc {} from i0 -> L{}\n", VARS[var], to + 1)),
                Place::Branch(test, yes, no) => {
                    let test = match test {
                        Test::Is(var, number) => format!("(= {} #b{number:02b})", VARS[var]),
                        Test::Less(one, two) => format!("(bvult {} {})", VARS[one], VARS[two]),
                        Test::Equal(one, two) => format!("(= {} {})", VARS[one], VARS[two]),
                    };
                    text.push_str(&format!("    assume {test} -> L{}\n", yes + 1));
                    text.push_str(&format!("    assume (not {test}) -> L{}\n", no + 1));
                }
            }
        }
        text.push_str(&format!("  at L{end}\n  at L{error} error 1 @0:1:1\n}}\n"));
        text
    }
    fn next(&self, at: usize) -> Vec<usize> {
        match self.places.get(at) {
            None => Vec::new(),
            Some(&(Place::Set(_, _, to) | Place::Any(_, to))) => vec![to],
            Some(&Place::Branch(_, yes, no)) => vec![yes, no],
        }
    }
    /// Whether each loop is entered at one place only: places with one predecessor left join it, and so all become one.
    fn is_reducible(&self) -> bool {
        let mut reached = BTreeSet::from([0]);
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            open.extend(self.next(at).into_iter().filter(|&to| reached.insert(to)));
        }
        let mut edges: BTreeSet<(usize, usize)> =
            reached.iter().flat_map(|&at| self.next(at).into_iter().map(move |to| (at, to))).collect();
        loop {
            edges.retain(|(from, to)| from != to);
            reached.retain(|&at| at == 0 || edges.iter().any(|edge| edge.1 == at));
            let only_one = |&at: &usize| at != 0 && edges.iter().filter(|edge| edge.1 == at).count() == 1;
            let Some(joins) = reached.iter().copied().find(only_one) else { return reached.len() == 1 };
            let into = edges.iter().find(|edge| edge.1 == joins).expect("there is one").0;
            let put = |at: usize| if at == joins { into } else { at };
            edges = edges.into_iter().map(|(from, to)| (put(from), put(to))).collect();
            reached.remove(&joins);
        }
    }
    /// Whether the error is reached, found state by state.
    fn fails(&self) -> bool {
        let mut seen: BTreeSet<(usize, State)> = BTreeSet::from([(0, [0; 3])]);
        let mut open = vec![(0, [0; 3])];
        while let Some((at, state)) = open.pop() {
            let Some(&place) = self.places.get(at) else {
                if at == self.places.len() + 1 {
                    return true;
                }
                continue;
            };
            let mut next: Vec<(usize, State)> = Vec::new();
            match place {
                Place::Set(var, value, to) => {
                    let mut after = state;
                    after[var] = match value {
                        Value::Is(number) => number,
                        Value::Copy(from) => state[from],
                        Value::Next(from) => (state[from] + 1) % 4,
                        Value::Sum(one, two) => (state[one] + state[two]) % 4,
                    };
                    next.push((to, after));
                }
                Place::Any(var, to) => {
                    for number in 0..4 {
                        let mut after = state;
                        after[var] = number;
                        next.push((to, after));
                    }
                }
                Place::Branch(test, yes, no) => {
                    let holds = match test {
                        Test::Is(var, number) => state[var] == number,
                        Test::Less(one, two) => state[one] < state[two],
                        Test::Equal(one, two) => state[one] == state[two],
                    };
                    next.push((if holds { yes } else { no }, state));
                }
            }
            open.extend(next.into_iter().filter(|&one| seen.insert(one)));
        }
        false
    }
}

/// How many programs are tried; `UFO_PROGRAMS` in the environment asks for more, `UFO_FIRST` begins with another seed.
const PROGRAMS: u64 = 500;

fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Counters of a run, by name.
type Counts = BTreeMap<&'static str, u64>;

/// Keeps the counters.
#[derive(Default)]
struct Listener {
    counts: Mutex<Counts>,
}

impl Observer for Listener {
    fn phase(&self, _: &'static str) {}
    fn progress(&self, _: String) {}
    fn count(&self, name: &'static str, value: u64) {
        self.counts.lock().expect("no thread panicked").insert(name, value);
    }
    fn imported(&self, _: &'static str) {}
    fn picture(&self, _: engine::Picture) {}
}

/// The verdict, its evidence checked, and the counters.
fn verify(text: &str, instance: Instance) -> (Verdict, Counts) {
    let mut terms = Terms::new();
    let program =
        program::text::parse("random.cfa", text, &mut terms).unwrap_or_else(|found| panic!("{found:?}\n{text}"));
    program::validate(&program, &terms).unwrap_or_else(|found| panic!("{found:?}\n{text}"));
    let optimised = pass::optimise(program.clone(), &mut terms, &pass::Options::default()).expect("there are no calls");
    let task = Task::new(program, optimised.program, optimised.map, terms);
    // Enough for any of these; a run that does not end is a failure.
    let budget = Budget::ticks(50_000_000, std::sync::Arc::default());
    let replay = |found: &Counterexample| -> Result<(), Why> {
        let claim = Verdict::Unsafe(found.clone());
        certify::certify(&task.lowered, &task.terms, &claim, &budget).map(|_| ()).map_err(|refusal| refusal.why())
    };
    let facts = Facts::new();
    let listener = Listener::default();
    let mut run = Run { budget: &budget, seed: 0, facts: &facts, observer: &listener, replay: &replay, each: None };
    let mut engine = engine_arg::with_instance(instance);
    let verdict = engine.run(&task, &mut run).unwrap_or_else(|_| panic!("no end\n{text}"));
    if let Err(refusal) = certify::certify(&task.lowered, &task.terms, &verdict, &Budget::default()) {
        panic!("evidence refused: {refusal:?}\n{text}");
    }
    (verdict, listener.counts.into_inner().expect("no thread panicked"))
}

/// The function `foo` of [AlbarghouthiEtAl-TACAS'12] Fig. 1, in our own words.
const LAST_TURN_SEEN: &str = "cfa 1
pointer 32
entry main
file \"turns.c\"

assertion 1 \"seen >= 0\" @0:9:1
input i0 nondet \"turns\" signed @0:1:1

function main () entry L0 exit L8 @0:1:1 {
  local main.turns (_ BitVec 32) signed @0:1:1
  local main.turn (_ BitVec 32) signed @0:1:1
  local main.seen (_ BitVec 32) signed @0:1:1
  at L0
    havoc main.turns from i0 -> L1
  at L1
    assign main.turn := #x00000000, main.seen := #x00000000 -> L2
  at L2 loop
    assume (bvslt main.turn main.turns) -> L3
    assume (not (bvslt main.turn main.turns)) -> L7
  at L3
    assume (bvsle main.turn #x00000002) -> L4
    assume (not (bvsle main.turn #x00000002)) -> L5
  at L4
    assign main.seen := #x00000000 -> L6
  at L5
    assign main.seen := main.turn -> L6
  at L6
    assign main.turn := (bvadd main.turn #x00000001) -> L2
  at L7
    assume (bvslt main.seen #x00000000) -> L9
    assume (not (bvslt main.seen #x00000000)) -> L8
  at L8
  at L9 error 1 @0:9:1
}
";

/// The instance of this name.
fn named(name: &str) -> Instance {
    InstanceName::from_name(name).expect("it is in the table").part()
}

#[test]
fn the_function_of_the_paper_takes_one_refinement_by_interpolants() {
    for name in ["uufo", "cpufo", "bpufo"] {
        let (verdict, counts) = verify(LAST_TURN_SEEN, named(name));
        assert!(matches!(verdict, Verdict::Safe(_)), "{name}");
        assert_eq!(counts["refinements"], 1, "{name}");
        // One query gave all labels: those of the refutation, and those of another copy that fit as they are.
        assert!(counts["labels_cleaned"] >= 1, "{name}: {counts:?}");
        assert_eq!((counts["labels_repaired"], counts["labels_excluding"]), (0, 0), "{name}");
        assert_eq!((counts["invariants"], counts["lemmas"]), (0, 0), "{name}");
    }
}

#[test]
fn the_five_of_the_paper_have_no_help_and_no_clauses() {
    for row in INSTANCES.iter().filter(|row| row.name != "strong") {
        assert!(!row.part.is_helped, "{}", row.name);
        let (_, counts) = verify(LAST_TURN_SEEN, row.part);
        assert_eq!(counts["labels_excluding"], 0, "{}", row.name);
    }
    let (_, counts) = verify(LAST_TURN_SEEN, Instance { is_helped: false, ..named("strong") });
    assert!(counts["labels_excluding"] > 0);
}

#[test]
fn a_loop_that_is_entered_at_two_places_is_not_reducible() {
    let branch = |yes, no| Place::Branch(Test::Is(0, 0), yes, no);
    let one_entry = Graph { places: vec![branch(1, 4), branch(2, 4), branch(1, 3), Place::Any(0, 1)] };
    assert!(one_entry.is_reducible());
    let two_entries = Graph { places: vec![branch(1, 2), branch(2, 4), branch(1, 3), Place::Any(0, 1)] };
    assert!(!two_entries.is_reducible());
}

#[test]
fn an_error_that_follows_from_the_entry_is_found_under_all_instantiations() {
    let at_once = LAST_TURN_SEEN.replace("-> L1\n", "-> L9\n");
    for row in INSTANCES {
        let (verdict, _) = verify(&at_once, row.part);
        assert!(matches!(verdict, Verdict::Unsafe(_)), "{}", row.name);
    }
}

/// All instances with and without help, and the strong one with each refiner and strategy.
fn combinations() -> Vec<(String, Instance)> {
    let mut all = Vec::new();
    for row in INSTANCES {
        for is_helped in [true, false] {
            all.push((format!("{} help {is_helped}", row.name), Instance { is_helped, ..row.part }));
        }
    }
    for refiner in REFINERS {
        for strategy in STRATEGIES {
            if let (Some(refine), Some(take)) = (refiner.part, strategy.part) {
                let instance = Instance { refiner: refine, strategy: take, is_helped: false, ..named("strong") };
                all.push((format!("strong {} {}", refiner.name, strategy.name), instance));
            }
        }
    }
    all
}

#[test]
fn random_programs_get_the_verdict_of_exploration_under_all_instantiations() {
    let (mut safe, mut failing, mut reducible) = (0, 0, 0);
    let programs = asked("UFO_PROGRAMS", PROGRAMS);
    let first = asked("UFO_FIRST", 0);
    for seed in first..first + programs {
        let graph = Graph::random(seed);
        let fails = graph.fails();
        *(if fails { &mut failing } else { &mut safe }) += 1;
        reducible += u64::from(graph.is_reducible());
        let text = graph.text();
        for (name, instance) in combinations() {
            match verify(&text, instance).0 {
                Verdict::Safe(_) if !fails => {}
                Verdict::Unsafe(_) if fails => {}
                Verdict::Unknown(why) => panic!("seed {seed}, {name}: {why}\n{text}"),
                _ => panic!("seed {seed}, {name}: wrong\n{text}"),
            }
        }
    }
    println!("{programs} programs: {safe} safe, {failing} not; {reducible} reducible, {} not", programs - reducible);
    let all_kinds = [safe, failing, reducible, programs - reducible];
    assert!(all_kinds.into_iter().all(|number| number > programs / 50), "all kinds are there: {all_kinds:?}");
}
