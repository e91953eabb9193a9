//! Whether runs end: right rankings and closed programs are accepted, wrong ones are refused. A thousand rankings of small programs, right and
//! wrong, are compared with the values of all states.

use base::{Bits, Budget, Id, Random};
use certify::{Certificate, Refusal, certify};
use program::{InputId, Loc, Point};
use term::Terms;
use term::smtlib::read_term;
use verdict::{Endless, Method, Proof, Ranked, Ranking, Verdict};

use crate::case::Case;

fn ends(text: &str) -> Case {
    Case::with(text, cfront::Property::Termination)
}

/// A ranking at a place, over the variables of the program by their symbols.
fn ranking(case: &Case, at: Ranked, terms: &mut Terms, words: &[&str]) -> Ranking {
    let tuple: Vec<_> = words.iter().map(|word| read_term(terms, word).expect("the word reads")).collect();
    let mentioned = terms.subterms(&tuple);
    let slots = case.program.vars.iter_enumerated().map(|(var, info)| (info.term, var));
    Ranking { at, slots: slots.filter(|(symbol, _)| mentioned.contains(symbol)).collect(), tuple }
}

/// A proof of the ranked program that needs nothing but cutpoints at these heads.
fn proof(case: &Case, invariants: &[(Point, &str)], rankings: &[(Ranked, &[&str])]) -> Proof {
    let mut proof = case.proof(invariants);
    proof.rankings = rankings.iter().map(|&(at, words)| ranking(case, at, &mut proof.terms, words)).collect();
    proof
}

const DOWN: &str = "int main(void) { int x = __VERIFIER_nondet_int(); while (x > 0) x--; return 0; }";

#[test]
fn a_ranking_that_gets_smaller_is_accepted_and_no_other() {
    let case = ends(DOWN);
    let head = case.head("main", 0);
    let at = case.at("main", 0);
    let with = |words: &[&str]| case.check(proof(&case, &[(at.clone(), "true")], &[(Ranked::Head(head), words)]));
    assert!(with(&["main.x"]).is_ok());
    assert!(with(&["(bvadd main.x #x00000001)", "main.x"]).is_ok());
    let open = |words: &[&str]| matches!(with(words), Err(Refusal::Open { .. }));
    assert!(open(&["(bvneg main.x)"]), "it rises");
    assert!(open(&["#x00000001"]), "it stays");
    assert!(open(&[]), "nothing gets smaller");
    assert!(open(&["((_ extract 7 0) main.x)"]), "it wraps around");
    assert!(open(&["(bvneg main.x)", "main.x"]), "the first word counts");
}

#[test]
fn evidence_that_does_not_belong_to_the_program_is_malformed() {
    let case = ends(DOWN);
    let (head, at) = (case.head("main", 0), case.at("main", 0));
    let right = proof(&case, &[(at, "true")], &[(Ranked::Head(head), &["main.x"])]);
    let refused = |proof: Proof| matches!(case.check(proof), Err(Refusal::Malformed(_)));
    assert!(refused(Proof { rankings: Vec::new(), ..right.clone() }), "a loop without a ranking");
    let twice = [right.rankings.clone(), right.rankings.clone()].concat();
    assert!(refused(Proof { rankings: twice, ..right.clone() }));
    let changed = |change: &dyn Fn(&mut Ranking)| {
        let mut proof = right.clone();
        change(&mut proof.rankings[0]);
        refused(proof)
    };
    assert!(changed(&|one| one.slots.clear()), "a symbol stands for nothing");
    assert!(changed(&|one| one.at = Ranked::Head(Loc::new(9999))));
    assert!(changed(&|one| one.at = Ranked::Entry(program::FunId::new(0))), "the loop has none");
    let exit = case.program.functions[case.function("main")].exit;
    assert!(changed(&|one| one.at = Ranked::Head(exit)), "the exit is on no cycle");
    assert!(changed(&|one| one.slots[0].1 = program::Var::new(9999)));
    let mut no_word = right.clone();
    no_word.rankings[0].tuple = vec![no_word.terms.truth(true)];
    assert!(refused(no_word));
    // A program that is not asked whether it ends has no rankings.
    let other = Case::c(DOWN);
    let proof = proof(&other, &[(other.at("main", 0), "true")], &[(Ranked::Head(head), &["main.x"])]);
    assert!(matches!(other.check(proof), Err(Refusal::Malformed(_))));
}

#[test]
fn invariants_alone_are_no_proof_that_a_run_ends() {
    let case = ends("int main(void) { for (;;); }");
    let proof = case.proof(&[(case.at("main", 0), "true")]);
    assert!(case.check(proof).is_err());
    for method in [Method::Execution { edges: 3 }, Method::Enumeration { runs: 1, edges: 3 }] {
        let budget = Budget::ticks(10_000, Default::default());
        let claim = Verdict::Safe(Box::new(Proof::by_runs(method)));
        assert!(certify(&case.program, &case.terms, &claim, &budget).is_err());
    }
    let straight = ends("int main(void) { int x = __VERIFIER_nondet_int(); return x / 2; }");
    assert!(straight.check(straight.proof_of_nothing()).is_ok(), "without a cycle nothing is to be ranked");
}

#[test]
fn nested_loops_have_one_order() {
    let case = ends(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), m = 0; while (n > 0) { n--; m = __VERIFIER_nondet_uint(); while (m > 0) m--; } return 0; }",
    );
    let (outer, inner) = (case.head("main", 0), case.head("main", 1));
    let points = [(case.at("main", 0), "true"), (case.at("main", 1), "true")];
    let with = |one: &[&str], other: &[&str]| {
        case.check(proof(&case, &points, &[(Ranked::Head(outer), one), (Ranked::Head(inner), other)]))
    };
    assert!(with(&["main.n", "#b1", "main.m"], &["main.n", "#b0", "main.m"]).is_err(), "the way back rises");
    assert!(with(&["main.n", "#b0", "main.m"], &["main.n", "#b0", "main.m"]).is_err());
    assert!(with(&["main.m", "main.n"], &["main.m", "main.n"]).is_err(), "the inner loop may begin anew");
    // Back at the outer head the inner loop is done, and n is smaller only on the next round.
    let accepted = with(&["main.n", "#b0", "#x00000000"], &["(bvadd main.n #x00000000)", "#b1", "main.m"]);
    assert!(accepted.is_ok(), "{accepted:?}");
    let other_words = with(&["main.n", "#b0"], &["main.n", "#b1", "main.m"]);
    assert!(matches!(other_words, Err(Refusal::Malformed(_))));
}

#[test]
fn calls_that_lead_back_are_ranked_at_entries() {
    let case = ends(
        "int f(int n) { if (n <= 0) return 0; return n + f(n - 1); } int main(void) { return f(__VERIFIER_nondet_int()); }",
    );
    let function = case.function("f");
    let with = |words: &[&str]| {
        let mut proof = case.proof_of_nothing();
        proof.rankings = vec![ranking(&case, Ranked::Entry(function), &mut proof.terms, words)];
        // A contract that promises nothing keeps the body apart.
        let contract = verdict::Contract { function, slots: Vec::new(), requires: Vec::new(), ensures: Vec::new() };
        proof.contracts = vec![contract];
        case.check(proof)
    };
    assert!(with(&["f.n"]).is_ok());
    assert!(matches!(with(&["(bvneg f.n)"]), Err(Refusal::Open { .. })));
    assert!(matches!(with(&[]), Err(Refusal::Open { .. })));
    let none = Proof { rankings: Vec::new(), ..case.proof_of_nothing() };
    assert!(matches!(case.check(none), Err(Refusal::Malformed(_))));
}

// ---- runs without end

fn endless(case: &Case, answers: &[(usize, u32, u64)], proof: Proof) -> Result<(), Refusal> {
    let answers = answers.iter().map(|&(input, width, value)| (InputId::new(input), Bits::from_u64(width, value)));
    let claim = Verdict::Endless(Box::new(Endless { answers: answers.collect(), proof }));
    match certify(&case.program, &case.terms, &claim, &Budget::default())? {
        Certificate::Endless(_) => Ok(()),
        other => panic!("an endless run is checked as one, not as {other:?}"),
    }
}

#[test]
fn a_closed_program_without_an_end_is_accepted_and_no_other() {
    let case = ends("int main(void) { unsigned i = __VERIFIER_nondet_uint(); while (i != 0) i -= 2; return 0; }");
    let at = case.at("main", 0);
    let with = |answers: &[(usize, u32, u64)], invariant: &str| {
        endless(&case, answers, case.proof(&[(at.clone(), invariant)]))
    };
    let odd = "(= ((_ extract 0 0) main.i) #b1)";
    assert!(with(&[(0, 32, 7)], odd).is_ok());
    let is_open = |found: Result<(), Refusal>| matches!(found, Err(Refusal::Open { .. }));
    assert!(is_open(with(&[(0, 32, 6)], odd)), "the stem does not lead there");
    assert!(is_open(with(&[(0, 32, 7)], "true")), "not closed");
    assert!(is_open(with(&[(0, 32, 6)], "(= ((_ extract 0 0) main.i) #b0)")), "it ends");
    assert!(is_open(with(&[], odd)), "other inputs end");
    let is_malformed = |found: Result<(), Refusal>| matches!(found, Err(Refusal::Malformed(_)));
    assert!(is_malformed(with(&[(0, 16, 7)], odd)));
    assert!(is_malformed(with(&[(0, 32, 7), (0, 32, 7)], odd)));
    assert!(is_malformed(with(&[(77, 32, 7)], odd)));
    let other = Case::c("int main(void) { for (;;); }");
    assert!(
        is_malformed(endless(&other, &[], other.proof(&[(other.at("main", 0), "true")]))),
        "the program does not ask"
    );
}

#[test]
fn every_way_to_end_counts() {
    let is_endless = |text: &str| {
        let case = ends(text);
        endless(&case, &[], case.proof(&[(case.at("main", 0), "true")])).is_ok()
    };
    let with = |body: &str| {
        format!(
            "extern void abort(void); extern int f(void); int g; int main(void) {{ int x = 0; for (;;) {{ {body} }} }}"
        )
    };
    assert!(is_endless(&with("x = 1;")));
    for ending in [
        "if (f() == 3) abort();",
        "if (f() == 3) return 0;",
        "__VERIFIER_assume(f() != 3);",
        "x = x + 1;",
        "g = 7 / f();",
        "g = 1 << f();",
        "int *p = f() ? &g : (int *)0; *p = 1;",
        "if (f() == 3) break;",
    ] {
        assert!(!is_endless(&with(ending)), "{ending}");
    }
    let case = ends("extern int f(void); int main(void) { while (f() > 0); return 0; }");
    let input = case.program.inputs.ids().next().expect("f returns something").index();
    let found = endless(&case, &[(input, 32, 1)], case.proof(&[(case.at("main", 0), "true")]));
    assert!(matches!(found, Err(Refusal::Malformed(_))), "a function without a body is not controlled");
}

// ---- a thousand rankings

/// A loop over two words of three bits, by a condition and two assignments.
struct Small {
    condition: Node,
    next: [Node; 2],
}

/// A small term over `x` and `y`.
#[derive(Clone)]
enum Node {
    Var(usize),
    Constant(u8),
    Add(Box<Node>, Box<Node>),
    Sub(Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Not(Box<Node>),
    /// Seven if the first is below the second, otherwise zero.
    Below(Box<Node>, Box<Node>),
}

impl Node {
    fn random(random: &mut Random, depth: u32) -> Node {
        if depth == 0 || random.below(4) == 0 {
            return if random.below(3) == 0 {
                Node::Constant(random.below(8) as u8)
            } else {
                Node::Var(random.below(2) as usize)
            };
        }
        let mut part = || Box::new(Node::random(random, depth - 1));
        let (a, b) = (part(), part());
        match random.below(6) {
            0 | 1 => Node::Add(a, b),
            2 => Node::Sub(a, b),
            3 => Node::And(a, b),
            4 => Node::Not(a),
            _ => Node::Below(a, b),
        }
    }
    fn value(&self, state: [u8; 2]) -> u8 {
        let value = match self {
            Node::Var(var) => state[*var],
            Node::Constant(value) => *value,
            Node::Add(a, b) => a.value(state).wrapping_add(b.value(state)),
            Node::Sub(a, b) => a.value(state).wrapping_sub(b.value(state)),
            Node::And(a, b) => a.value(state) & b.value(state),
            Node::Not(a) => !a.value(state),
            Node::Below(a, b) => {
                if a.value(state) < b.value(state) {
                    7
                } else {
                    0
                }
            }
        };
        value & 7
    }
    fn text(&self) -> String {
        match self {
            Node::Var(var) => ["x", "y"][*var].to_owned(),
            Node::Constant(value) => format!("#b{value:03b}"),
            Node::Add(a, b) => format!("(bvadd {} {})", a.text(), b.text()),
            Node::Sub(a, b) => format!("(bvsub {} {})", a.text(), b.text()),
            Node::And(a, b) => format!("(bvand {} {})", a.text(), b.text()),
            Node::Not(a) => format!("(bvnot {})", a.text()),
            Node::Below(a, b) => format!("(ite (bvult {} {}) #b111 #b000)", a.text(), b.text()),
        }
    }
}

impl Small {
    fn random(random: &mut Random) -> Small {
        let step = |random: &mut Random, var: usize| match random.below(3) {
            0 => Node::Sub(Box::new(Node::Var(var)), Box::new(Node::Constant(1 + random.below(2) as u8))),
            1 => Node::Var(var),
            _ => Node::random(random, 2),
        };
        let condition = match random.below(2) {
            0 => Node::Below(Box::new(Node::Constant(0)), Box::new(Node::Var(0))),
            _ => Node::random(random, 2),
        };
        Small { condition, next: [step(random, 0), step(random, 1)] }
    }
    fn case(&self) -> Case {
        let guard = format!("(= {} #b000)", self.condition.text());
        Case::cfa(&format!(
            "cfa 1 pointer 32 entry main\nassertion 1 ends \"the program\"\n\
             input i0 nondet \"a\" unsigned input i1 nondet \"b\" unsigned\n\
             global x (_ BitVec 3) unsigned global y (_ BitVec 3) unsigned\n\
             function main () entry L0 exit L4 {{\n at L0 havoc x from i0 -> L1\n at L1 havoc y from i1 -> L2\n\
             at L2 loop assume (not {guard}) -> L3 assume {guard} -> L4\n\
             at L3 assign x := {}, y := {} -> L2\n at L4 }}",
            self.next[0].text(),
            self.next[1].text()
        ))
    }
    /// Whether the tuple gets smaller on every round there is.
    fn is_ranked_by(&self, tuple: &[Node]) -> bool {
        let states = (0..64u8).map(|number| [number & 7, number >> 3]);
        states.filter(|&state| self.condition.value(state) != 0).all(|state| {
            let next = [self.next[0].value(state), self.next[1].value(state)];
            let values = |state| tuple.iter().map(|word| word.value(state)).collect::<Vec<u8>>();
            values(next) < values(state)
        })
    }
}

#[test]
fn a_thousand_rankings_are_accepted_exactly_if_all_states_say_so() {
    let mut random = Random::new(24);
    let (mut n_right, mut n_wrong) = (0, 0);
    while n_right + n_wrong < 2400 || n_wrong < 1000 {
        let small = Small::random(&mut random);
        let case = small.case();
        let (head, at) = (case.head("main", 0), case.at("main", 0));
        for _ in 0..12 {
            let n_words = 1 + random.below(2);
            let mut tuple: Vec<Node> = (0..n_words).map(|_| Node::random(&mut random, 1)).collect();
            if random.below(2) == 0 {
                tuple[0] = Node::Var(random.below(2) as usize);
            }
            let texts: Vec<String> = tuple.iter().map(Node::text).collect();
            let words: Vec<&str> = texts.iter().map(String::as_str).collect();
            let found = case.check(proof(&case, &[(at.clone(), "true")], &[(Ranked::Head(head), &words)]));
            let is_right = small.is_ranked_by(&tuple);
            assert_eq!(found.is_ok(), is_right, "{words:?} for {}: {found:?}", case.program.edges.len());
            n_right += u32::from(is_right);
            n_wrong += u32::from(!is_right);
        }
    }
    assert!(n_right >= 100, "{n_right} of {} are right", n_right + n_wrong);
}
