//! The graph as a picture: the nodes of the last pass with their labels, layer by layer in the weak topological order.

use base::{FastMap, Id};
use encode::Cut;
use engine::{Look, Picture, PictureNode};

use crate::arg::{Arg, NodeId, Outcome};
use crate::search::Search;
use crate::tuning::Tuning;

/// The nodes that the last pass visited and what is known beside their labels.
pub(crate) fn draw(search: &Search<'_>, arg: &Arg) -> Picture {
    let stats = &search.stats;
    let title = format!("pass {}, {} refinements, {} nodes", stats.passes, stats.refinements, arg.order.len());
    let mut picture = Picture { title, ..Picture::default() };
    let mut place: FastMap<NodeId, usize> = FastMap::new();
    for &node in &arg.order {
        let one = &arg.nodes[node];
        let cut = one.cut.expect("the error is not visited");
        place.insert(node, picture.nodes.len());
        picture.nodes.push(PictureNode {
            name: format!("n{}", node.index()),
            place: place_of(search, cut),
            label: shortened(search.terms.to_smtlib(one.label)),
            layer: search.blocks.order.row.iter().position(|&at| Cut::new(at) == cut).unwrap_or(0),
            look: match one.outcome {
                Outcome::Open => Look::Open,
                Outcome::Covered => Look::Covered,
                Outcome::Empty => Look::Empty,
            },
        });
    }
    let error = picture.nodes.len();
    place.insert(arg.error(), error);
    let mut has_error = false;
    for (at, &node) in arg.order.iter().enumerate() {
        let one = &arg.nodes[node];
        for (_, child) in &one.children {
            if let Some(&to) = place.get(child) {
                has_error |= to == error;
                picture.edges.push((at, to));
            }
        }
        if one.outcome == Outcome::Covered {
            let covers =
                |other: &&NodeId| arg.nodes[**other].cut == one.cut && arg.nodes[**other].outcome == Outcome::Open;
            picture.covers.extend(arg.order[..at].iter().filter(covers).map(|other| (at, place[other])));
        }
    }
    if has_error {
        let layer = search.blocks.order.row.len();
        let (name, label) = (format!("n{}", arg.error().index()), String::from("false"));
        picture.nodes.push(PictureNode { name, place: "error".to_owned(), label, layer, look: Look::Error });
    }
    for (cut, facts) in search.background.at.iter_enumerated() {
        let at = place_of(search, cut);
        picture.facts.extend(facts.iter().map(|&fact| (at.clone(), shortened(search.terms.to_smtlib(fact)))));
    }
    picture
}

/// The location, with a line of the source if there is one.
fn place_of(search: &Search<'_>, cut: Cut) -> String {
    let loc = search.blocks.cutpoints[cut].loc;
    let mut from = search.task.program.edges.iter().filter(|edge| edge.from == loc);
    match from.find_map(|edge| edge.place) {
        Some(place) => format!("location {}, line {}", loc.index(), place.line),
        None => format!("location {}", loc.index()),
    }
}

fn shortened(text: String) -> String {
    if text.chars().count() <= Tuning::DEFAULT.max_label_chars {
        return text;
    }
    text.chars().take(Tuning::DEFAULT.max_label_chars).chain(['…']).collect()
}
