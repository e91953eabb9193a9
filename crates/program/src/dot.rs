//! Drawings of programs for Graphviz: one box per function, one node per location, one arrow per edge.
//!
//! Error locations are red, loop heads have a double line, entry and exit are bold. Labels are written
//! as `show` writes them, cut to what fits a drawing.

use base::Id;
use term::Terms;

use crate::tuning::Tuning;
use crate::{Graph, Loc, Mark, Program, Show};

/// The program as a directed graph in the DOT language.
pub fn dot(program: &Program, terms: &Terms) -> String {
    let show = Show::new(program, terms).shortened(Tuning::DEFAULT.max_label_nodes);
    let graph = Graph::new(program);
    let mut out = String::from(
        "digraph program {\n  node [shape=ellipse, fontname=\"monospace\", fontsize=10];\n  \
         edge [fontname=\"monospace\", fontsize=10];\n",
    );
    for (id, function) in program.functions.iter_enumerated() {
        let params: Vec<&str> = function.params.iter().map(|&param| show.name(param)).collect();
        let title = format!("{}({})", function.name, params.join(", "));
        out.push_str(&format!("  subgraph cluster_{} {{\n    label={};\n", id.index(), quoted(&title)));
        for &loc in graph.locations(id) {
            out.push_str(&node(program, loc));
        }
        for &edge in graph.edges(id) {
            let edge = &program.edges[edge];
            let label = quoted(&show.action(&edge.action));
            out.push_str(&format!("    L{} -> L{} [label={label}];\n", edge.from.index(), edge.to.index()));
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn node(program: &Program, loc: Loc) -> String {
    let location = &program.locations[loc];
    let function = &program.functions[location.function];
    let mut label = format!("L{}", loc.index());
    let mut style = String::new();
    match &location.mark {
        Mark::None => {}
        Mark::LoopHead => {
            label.push_str(" loop");
            style.push_str(", peripheries=2");
        }
        Mark::Label(name) => label.push_str(&format!(" {name}:")),
        Mark::Error(assertion) => {
            label.push_str(&format!(" error {}", assertion.index() + 1));
            style.push_str(", style=filled, color=red, fillcolor=\"#ffcccc\"");
        }
    }
    if loc == function.entry {
        label.push_str(" entry");
        style.push_str(", penwidth=2");
    }
    if loc == function.exit {
        label.push_str(" exit");
        style.push_str(", penwidth=2");
    }
    if let Some(place) = location.place {
        label.push_str(&format!("\n{}", program.show_place(place)));
    }
    format!("    L{} [label={}{style}];\n", loc.index(), quoted(&label))
}

/// A string of the DOT language that is shown as it stands: backslashes are doubled, as labels give
/// them a meaning of their own, and characters that cannot be shown become a box.
fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            c => result.push(base::shown::shown_char(c)),
        }
    }
    result.push('"');
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_program::random_program;
    use crate::text::parse;

    /// Checks the part of the DOT grammar that we use: statements that end with a semicolon, lists of
    /// `name=value`, closed strings and braces.
    fn check_syntax(text: &str) -> Result<(), String> {
        let mut words: Vec<String> = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                c if c.is_whitespace() => {}
                '"' => loop {
                    match chars.next() {
                        Some('\\') => drop(chars.next().ok_or("a string ends with a backslash")?),
                        Some('"') => {
                            words.push("id".to_owned());
                            break;
                        }
                        Some('\n') | None => return Err("a string is not closed".to_owned()),
                        Some(_) => {}
                    }
                },
                '-' if chars.next_if_eq(&'>').is_some() => words.push("->".to_owned()),
                '{' | '}' | '[' | ']' | ';' | ',' | '=' => words.push(c.to_string()),
                c if c.is_ascii_alphanumeric() || c == '_' => {
                    let mut word = c.to_string();
                    while let Some(c) = chars.next_if(|&c| c.is_ascii_alphanumeric() || c == '_') {
                        word.push(c);
                    }
                    let keyword = matches!(word.as_str(), "digraph" | "subgraph");
                    words.push(if keyword { word } else { "id".to_owned() });
                }
                other => return Err(format!("{other:?} stands alone")),
            }
        }
        let flat = words.join(" ");
        // Reduce inner structures until one graph is left.
        let mut text = flat.replace("id = id", "pair");
        while text.contains("pair , pair") {
            text = text.replace("pair , pair", "pair");
        }
        text = text.replace("id -> id [ pair ] ;", "statement").replace("id [ pair ] ;", "statement");
        text = text.replace("pair ;", "statement");
        let collapse = |mut text: String| {
            while text.contains("statement statement") {
                text = text.replace("statement statement", "statement");
            }
            text
        };
        text = collapse(text).replace("subgraph id { statement }", "statement");
        text = collapse(text);
        if text == "digraph id { statement }" { Ok(()) } else { Err(text) }
    }

    #[test]
    fn the_drawing_of_any_program_is_valid_dot() {
        for seed in 0..200 {
            let mut terms = Terms::new();
            let program = random_program(seed, &mut terms);
            let drawing = dot(&program, &terms);
            assert_eq!(check_syntax(&drawing), Ok(()), "seed {seed}\n{drawing}");
        }
        assert!(check_syntax("digraph p { a [label=\"x]; }").is_err());
        assert!(check_syntax("digraph p { a -> b [label=x] }").is_err());
    }

    #[test]
    fn graphviz_reads_the_drawings_where_it_is_installed() {
        use std::io::Write;
        use std::process::{Command, Stdio};
        let mut terms = Terms::new();
        let drawing = dot(&random_program(3, &mut terms), &terms);
        let child = Command::new("dot").arg("-Tcanon").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let Ok(mut child) = child else {
            eprintln!("Graphviz is not installed here: only our own check of the syntax was made");
            return;
        };
        child.stdin.take().expect("the input is piped").write_all(drawing.as_bytes()).expect("dot reads its input");
        assert!(child.wait().expect("dot ends").success(), "{drawing}");
    }

    #[test]
    fn errors_loops_and_edges_are_drawn_as_promised() {
        let text = "cfa 1\npointer 32\nentry main\nfile \"a\\\"b.c\"\nassertion 1 \"x\"\nglobal x (_ BitVec 32) signed\n\
             function main () entry L0 exit L1 {\nat L0 loop @0:3:5\nassign x := (bvadd x #x00000001) -> L0\n\
             assume (bvslt x #x0000000a) -> L2\nassume true -> L1\nat L1\nat L2 error 1\n}\n";
        let mut terms = Terms::without_simplification();
        let program = parse("t.cfa", text, &mut terms).expect("the text is well formed");
        let drawing = dot(&program, &terms);
        for line in [
            "label=\"main()\";",
            "L0 [label=\"L0 loop entry\\na\\\"b.c:3:5\", peripheries=2, penwidth=2];",
            "L1 [label=\"L1 exit\", penwidth=2];",
            "L2 [label=\"L2 error 1\", style=filled, color=red, fillcolor=\"#ffcccc\"];",
            "L0 -> L0 [label=\"x := x + 1\"];",
            "L0 -> L2 [label=\"[x <s 10]\"];",
            "L0 -> L1 [label=\"\"];",
        ] {
            assert!(drawing.contains(line), "{line}\n{drawing}");
        }
    }
}
