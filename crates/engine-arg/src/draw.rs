//! The graph as a picture, in the language of Graphviz.

use base::Id;

use crate::arg::{Arg, NodeId, Outcome};
use crate::search::Search;
use crate::tuning::Tuning;

/// The nodes that the last pass visited, with their labels; covered ones dashed, empty ones grey.
pub(crate) fn draw(search: &Search<'_>, arg: &Arg) -> String {
    let mut text = String::from("digraph arg {\n  node [shape=box, fontname=monospace];\n");
    let mut has_error = false;
    for &node in &arg.order {
        let one = &arg.nodes[node];
        let cut = one.cut.expect("the error is not visited");
        let loc = search.blocks.cutpoints[cut].loc;
        let style = match one.outcome {
            Outcome::Open => "solid",
            Outcome::Covered => "dashed",
            Outcome::Empty => "dotted",
        };
        let mut label: String =
            search.terms.to_smtlib(one.label).chars().take(Tuning::DEFAULT.max_label_chars + 1).collect();
        if label.chars().count() > Tuning::DEFAULT.max_label_chars {
            label.pop();
            label.push('…');
        }
        let label = label.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("  {} [style={style}, label=\"location {}\\n{label}\"];\n", name(node), loc.index()));
        for &(_, child) in &one.children {
            let is_error = child == arg.error();
            if is_error || arg.is_visited(child) {
                has_error |= is_error;
                text.push_str(&format!("  {} -> {};\n", name(node), name(child)));
            }
        }
    }
    if has_error {
        text.push_str(&format!("  {} [style=filled, fillcolor=mistyrose, label=\"error\"];\n", name(arg.error())));
    }
    text.push_str("}\n");
    text
}

fn name(node: NodeId) -> String {
    format!("n{}", node.index())
}
