//! Models of library functions that programs call without defining them, written in C.
//!
//! The files of the folder `library` define `__uforia_NAME` for each NAME they model, so that they
//! never clash with what the user declares; lowering calls the model where NAME has no definition
//! and the declared type fits. A file is parsed behind the user's text only if the user mentions a
//! name that it models, and only functions that are called become part of the program.

use base::FastMap;

use crate::ast::{Ast, Item};

/// The name under which the library defines a model of this function.
pub fn model_name(name: &str) -> String {
    format!("{PREFIX}{name}")
}
/// The name of the function that is modelled under this name; other names stay as they are.
pub(crate) fn modelled_name(name: &str) -> &str {
    name.strip_prefix(PREFIX).unwrap_or(name)
}

const PREFIX: &str = "__uforia_";

/// A file of the library.
pub(crate) struct File {
    /// The name that places show.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

pub(crate) const FILES: [File; 3] = [
    File { name: "<library>/string.c", text: include_str!("../library/string.c") },
    File { name: "<library>/ctype.c", text: include_str!("../library/ctype.c") },
    File { name: "<library>/stdlib.c", text: include_str!("../library/stdlib.c") },
];

/// The files that model something a file of the program mentions and does not define, and what these need in turn.
pub(crate) fn needed(asts: &[Ast]) -> Vec<&'static File> {
    let mut wanted: FastMap<&str, ()> = FastMap::new();
    for ast in asts {
        let mut defined = FastMap::new();
        for item in &ast.items {
            if let Item::Function(function) = item
                && let Some(name) = function.declarator.name
            {
                defined.insert(&*ast.names[name], ());
            }
        }
        for name in &ast.names {
            // `__builtin_memcpy` and `__builtin___memcpy_chk` stand for `memcpy`.
            let name = name.strip_prefix("__builtin_").unwrap_or(name);
            let name = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk")).unwrap_or(name);
            if !defined.contains_key(name) {
                wanted.insert(name, ());
            }
        }
    }
    let mut needed = [false; FILES.len()];
    let mut stack: Vec<usize> = (0..FILES.len())
        .filter(|&file| mentioned(&FILES[file], Mention::Defined).any(|name| wanted.contains_key(name)))
        .collect();
    while let Some(file) = stack.pop() {
        if std::mem::replace(&mut needed[file], true) {
            continue;
        }
        let used: Vec<&str> = mentioned(&FILES[file], Mention::Any).collect();
        stack.extend((0..FILES.len()).filter(|&other| {
            !needed[other] && mentioned(&FILES[other], Mention::Defined).any(|name| used.contains(&name))
        }));
    }
    FILES.iter().enumerate().filter(|(file, _)| needed[*file]).map(|(_, file)| file).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mention {
    /// Anywhere.
    Any,
    /// At the head of a definition.
    Defined,
}

/// The names modelled or used by a file. A line that starts in the first column and does not end in a
/// semicolon is the head of a definition, as the files are laid out.
fn mentioned(file: &'static File, which: Mention) -> impl Iterator<Item = &'static str> {
    file.text
        .lines()
        .filter(move |line| {
            let declares = line.ends_with(';') && !line.contains('{');
            which == Mention::Any || !(line.starts_with([' ', '/', '}', '{']) || declares)
        })
        .flat_map(move |line| {
            let limit = if which == Mention::Defined { line.find('(').unwrap_or(0) } else { line.len() };
            line[..limit].match_indices(PREFIX).map(move |(at, _)| {
                let name = &line[at + PREFIX.len()..];
                let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(name.len());
                &name[..end]
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use crate::source::Source;

    fn needed_by(text: &str) -> Vec<&'static str> {
        let (ast, diagnostics) = parse(&Source::new("t.c", text));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        needed(&[ast]).into_iter().map(|file| file.name).collect()
    }

    #[test]
    fn nothing_is_added_for_a_program_that_needs_nothing() {
        assert!(needed_by("int main(void) { return 0; }").is_empty());
    }
    #[test]
    fn a_file_brings_the_files_it_uses() {
        assert_eq!(needed_by("int main(void) { return strlen(\"a\"); }"), ["<library>/string.c", "<library>/ctype.c"]);
    }
    #[test]
    fn a_definition_of_the_user_needs_no_model() {
        assert!(needed_by("int abs(int x) { return x; } int main(void) { return abs(1); }").is_empty());
    }
    #[test]
    fn heads_of_definitions_are_found() {
        let names: Vec<&str> = mentioned(&FILES[0], Mention::Defined).collect();
        assert!(names.contains(&"memcpy") && names.contains(&"strtok_r"));
        assert!(!names.contains(&"malloc") && !names.contains(&"tolower"));
    }
}
