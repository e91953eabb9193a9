//! The e-graph against closure by repetition: classes, explanations, undoing.

use super::*;
use base::Random;
use sat::SatVar;

/// Congruence closure by repeating until nothing changes; `None` when two values meet.
fn naive(graph: &EGraph, equalities: &[(Node, Node)]) -> Option<Vec<usize>> {
    let n = graph.len();
    let mut class: Vec<usize> = (0..n).collect();
    let unite = |class: &mut Vec<usize>, a: usize, b: usize| {
        let (x, y) = (class[a], class[b]);
        let changed = x != y;
        class.iter_mut().filter(|c| **c == y).for_each(|c| *c = x);
        changed
    };
    for &(a, b) in equalities {
        unite(&mut class, a.index(), b.index());
    }
    loop {
        let mut changed = false;
        for a in 0..n {
            for b in 0..a {
                let (x, y) = (graph.nodes[a], graph.nodes[b]);
                if x.len == 0 || x.head != y.head || class[a] == class[b] {
                    continue;
                }
                let arg = |app: Application, i: u32| class[graph.args[(app.first + i) as usize] as usize];
                let straight = (0..x.len).all(|i| arg(x, i) == arg(y, i));
                let crossed =
                    graph.heads[x.head.index()].commutative && arg(x, 0) == arg(y, 1) && arg(x, 1) == arg(y, 0);
                if straight || crossed {
                    changed |= unite(&mut class, a, b);
                }
            }
            let value = |class: &[usize], c: usize| {
                (0..n).find(|&m| class[m] == c && graph.value_of[m].is_some()).map(|m| graph.value_of[m].clone())
            };
            let app = graph.nodes[a];
            if app.len == 2 {
                let arg = |i: u32| class[graph.args[(app.first + i) as usize] as usize];
                let op = graph.heads[app.head.index()].op;
                let values = (value(&class, arg(0)).flatten(), value(&class, arg(1)).flatten());
                let result = match (op, values) {
                    (Some(Op::Eq), _) if arg(0) == arg(1) => Some(Value::Bool(true)),
                    (Some(Op::Eq), (Some(x), Some(y))) => Some(Value::Bool(x == y)),
                    (Some(Op::BvAdd), (Some(Value::Bits(x)), Some(Value::Bits(y)))) => Some(Value::Bits(x.add(&y))),
                    _ => None,
                };
                if let Some(result) = result {
                    let node = graph.values.get(&result).expect("the test makes all values");
                    changed |= unite(&mut class, a, node.index());
                }
            }
        }
        let mut seen: Vec<(usize, usize)> = Vec::new();
        for m in (0..n).filter(|&m| graph.value_of[m].is_some()) {
            if seen.iter().any(|&(c, _)| c == class[m]) {
                return None;
            }
            seen.push((class[m], m));
        }
        if !changed {
            return Some(class);
        }
    }
}

fn random_graph(random: &mut Random) -> EGraph {
    let mut graph = EGraph::new();
    for value in 0..4 {
        graph.value_node(Value::Bits(Bits::from_u64(2, value)));
    }
    graph.value_node(Value::Bool(true));
    graph.value_node(Value::Bool(false));
    let mut words: Vec<Node> = (0..4).map(Node::new).collect();
    let leaf = graph.head(None, false);
    let (f, g) = (graph.head(None, false), graph.head(None, true));
    let (add, eq) = (graph.head(Some(Op::BvAdd), true), graph.head(Some(Op::Eq), true));
    let _ = leaf;
    for _ in 0..3 + random.below(5) {
        let constant = graph.head(None, false);
        words.push(graph.application(constant, &[]));
    }
    for _ in 0..random.below(14) {
        let (a, b) = (*random.pick(&words), *random.pick(&words));
        let node = match random.below(5) {
            0 => graph.application(f, &[a]),
            1 => graph.application(g, &[a, b]),
            2 | 3 => graph.application(add, &[a, b]),
            _ => {
                graph.application(eq, &[a, b]);
                continue;
            }
        };
        words.push(node);
    }
    graph
}

#[test]
fn closure_explanations_and_undo_agree_with_the_naive_way() {
    let mut clashes = 0;
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let mut graph = random_graph(&mut random);
        if graph.close().is_err() {
            continue; // A contradiction without any assumption cannot arise from distinct values.
        }
        let n = graph.len() as u64;
        let bottom = graph.mark();
        let before: Vec<Node> = (0..graph.len()).map(|i| graph.root(Node::new(i))).collect();
        for _ in 0..2 {
            let mut facts: Vec<(Node, Node)> = Vec::new();
            loop {
                // Words with words, truths with truths.
                let (a, b) = (Node::new(random.below(n) as usize), Node::new(random.below(n) as usize));
                let is_truth = |node: Node| {
                    matches!(graph.value_of[node.index()], Some(Value::Bool(_)))
                        || graph.heads[graph.nodes[node.index()].head.index()].op == Some(Op::Eq)
                };
                if is_truth(a) != is_truth(b) {
                    continue;
                }
                let lit = SatVar(facts.len() as u32).positive();
                facts.push((a, b));
                let outcome = graph.merge(a, b, Why::Fact(lit));
                let expected = naive(&graph, &facts);
                assert_eq!(outcome.is_ok(), expected.is_some(), "seed {seed}");
                let mut why = Facts::default();
                let chosen = |why: &Facts| -> Vec<(Node, Node)> {
                    why.lits.iter().map(|lit| facts[lit.var().index()]).collect()
                };
                match (outcome, expected) {
                    (Err(clash), _) => {
                        clashes += 1;
                        graph.explain_clash(clash, &mut why);
                        let used = chosen(&why);
                        assert!(naive(&graph, &used).is_none(), "seed {seed}: the explanation suffices");
                        break;
                    }
                    (Ok(()), Some(class)) => {
                        graph.check_laws();
                        for (i, j) in (0..class.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                            let (x, y) = (Node::new(i), Node::new(j));
                            assert_eq!(graph.are_equal(x, y), class[i] == class[j], "seed {seed}");
                        }
                        let (x, y) = (Node::new(random.below(n) as usize), Node::new(random.below(n) as usize));
                        if graph.are_equal(x, y) {
                            graph.explain(x, y, &mut why);
                            let class = naive(&graph, &chosen(&why)).expect("a part of what holds holds");
                            assert_eq!(class[x.index()], class[y.index()], "seed {seed}: the explanation suffices");
                        }
                    }
                    (Ok(()), None) => unreachable!("compared above"),
                }
                if facts.len() > 12 {
                    break;
                }
            }
            graph.undo_to(bottom);
            graph.check_laws();
            let after: Vec<Node> = (0..before.len()).map(|i| graph.root(Node::new(i))).collect();
            assert_eq!(after, before, "seed {seed}: undoing restores every class");
        }
    }
    assert!(clashes > 1000, "contradictions are tried too");
}
