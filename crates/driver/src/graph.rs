//! The graph of an engine for eyes: for Graphviz, and as a page that a browser shows.
//!
//! The page has no other files: the pictures are JSON in it, and a script of its own (`graph.html`) draws one of them, layer by layer,
//! with a slider for the moment.

use std::fmt::Write;

use engine::{Look, Picture};
use serde_json::{Value, json};

use crate::tuning::Tuning;

/// The picture in the language of Graphviz: covered nodes dashed, those without states dotted.
pub fn dot(picture: &Picture) -> String {
    let mut text = String::from("digraph arg {\n  node [shape=box, fontname=monospace];\n");
    for node in &picture.nodes {
        let style = match node.look {
            Look::Open => "style=solid",
            Look::Covered => "style=dashed",
            Look::Empty => "style=dotted",
            Look::Error => "style=filled, fillcolor=mistyrose",
        };
        let mut label: String = node.label.chars().take(Tuning::DEFAULT.max_drawn_label_chars).collect();
        if label.len() < node.label.len() {
            label.push('…');
        }
        let label = match node.look {
            Look::Error => "error".to_owned(),
            _ => format!("{}\\n{}", node.place, label.replace('\\', "\\\\").replace('"', "\\\"")),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {} [{style}, label=\"{label}\"];", node.name);
    }
    let name = |at: usize| &picture.nodes[at].name;
    for &(from, to) in &picture.edges {
        let _ = writeln!(text, "  {} -> {};", name(from), name(to));
    }
    for &(from, to) in &picture.covers {
        let _ = writeln!(text, "  {} -> {} [style=dashed, constraint=false];", name(from), name(to));
    }
    text.push_str("}\n");
    text
}

/// A page that shows the pictures one after the other.
pub fn page(pictures: &[Picture]) -> String {
    let all: Vec<Value> = pictures.iter().map(data).collect();
    // A label cannot end the script that it stands in.
    let text = Value::from(all).to_string().replace('<', "\\u003c");
    include_str!("graph.html").replace("PICTURES", &text)
}

fn data(picture: &Picture) -> Value {
    let nodes: Vec<Value> = picture
        .nodes
        .iter()
        .map(|node| {
            json!({"name": node.name, "place": node.place, "label": node.label, "layer": node.layer,
                "look": node.look.name()})
        })
        .collect();
    json!({"title": picture.title, "nodes": nodes, "edges": picture.edges, "covers": picture.covers,
        "facts": picture.facts})
}

#[cfg(test)]
mod tests {
    use engine::PictureNode;

    use super::*;

    fn picture() -> Picture {
        let node = |name: &str, label: &str, look| PictureNode {
            name: name.to_owned(),
            place: "location 1".to_owned(),
            label: label.to_owned(),
            layer: 0,
            look,
        };
        Picture {
            title: "pass 1".to_owned(),
            nodes: vec![
                node("n1", "true", Look::Open),
                node("n2", "(= s \"</script>\")", Look::Covered),
                node("n0", "false", Look::Error),
            ],
            edges: vec![(0, 1), (1, 2)],
            covers: vec![(1, 0)],
            facts: vec![("location 1".to_owned(), "(bvult x y)".to_owned())],
        }
    }

    #[test]
    fn covered_nodes_are_dashed_and_point_to_what_covers_them() {
        let text = dot(&picture());
        assert!(text.contains("n2 [style=dashed") && text.contains("n2 -> n1 [style=dashed"), "{text}");
        assert!(text.contains("n2 -> n0;") && text.contains("label=\"error\""), "{text}");
        assert!(text.contains("\\\"</script>\\\""), "quotes are escaped: {text}");
    }

    #[test]
    fn the_page_has_all_pictures_and_no_label_ends_its_script() {
        let text = page(&[picture(), picture()]);
        assert_eq!(text.matches("pass 1").count(), 2);
        assert_eq!(text.matches("</script>").count(), 1, "only the page's own");
        assert!(text.contains("(bvult x y)"));
    }
}
