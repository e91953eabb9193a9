//! Counts that may only fall: `cargo xtask tidy --report` prints them, and tidy fails when one has grown.
//!
//! Each count is a list of places in product code (the crates without `testkit`, and without tests). What is counted:
//! functions that are long and do not say why, numbers that tune an algorithm but stand outside of its table of settings,
//! words that STYLE §0 replaces, blocks of code that stand in two places, and how many files change for a new setting,
//! operator or engine.

use std::collections::BTreeMap;

use super::{File, Finding};

/// Something that is counted.
pub struct Count {
    /// What it is.
    pub name: &'static str,
    /// How many there may be: the number at the time of the most recent change of this file. It is lowered, never raised.
    pub limit: usize,
    /// Where they are.
    pub places: Vec<Place>,
}

/// A place that counts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file.
    pub path: String,
    /// The line from one; zero for the whole file.
    pub line: usize,
    /// What stands there.
    pub what: String,
}

/// Functions with more lines say why they are long.
const MAX_FUNCTION_LINES: usize = 80;
/// The doc comment of a long function gives the reason in a sentence that begins with this word.
const REASON: &str = "Long: ";
/// Equal blocks of this many lines count as duplicated.
const DUPLICATED_LINES: usize = 12;

/// All counts of these files.
pub fn counts(files: &[File]) -> Vec<Count> {
    let product: Vec<Source> = files.iter().filter(|file| is_product(&file.path)).map(Source::new).collect();
    let every = |rule: fn(&Source, &mut Vec<Place>)| {
        let mut places = Vec::new();
        product.iter().for_each(|source| rule(source, &mut places));
        places
    };
    vec![
        Count { name: "long functions without a reason", limit: 0, places: every(long_functions) },
        Count { name: "tuning constants outside of settings tables", limit: 0, places: every(tuning_constants) },
        Count { name: "words that STYLE 0 replaces", limit: 0, places: words(files) },
        Count { name: "duplicated blocks", limit: 5, places: duplicates(&product) },
        Count { name: "files that an engine option touches", limit: 2, places: mentions(files, OPTION) },
        Count { name: "files that an SMT operator touches", limit: 2, places: mentions(files, OPERATOR) },
        Count { name: "files that an engine touches", limit: 3, places: mentions(files, ENGINE) },
    ]
}

/// Says which counts have grown.
pub fn check(files: &[File], found: &mut Vec<Finding>) {
    for count in counts(files) {
        let n = count.places.len();
        if n > count.limit {
            let message =
                format!("{}: {n}, at most {} (`cargo xtask tidy --report` lists them)", count.name, count.limit);
            found.push(Finding { path: "xtask/src/tidy/counts.rs".to_owned(), line: 0, message });
        }
    }
}

/// The counts as text, with all places.
pub fn report(files: &[File]) -> String {
    let counts = counts(files);
    let mut text = String::new();
    for Count { name, places, .. } in &counts {
        text.push_str(&format!("{name}:\n"));
        let lines = places.iter().map(|place| format!("  {}:{}: {}\n", place.path, place.line, place.what));
        text.extend(lines);
    }
    text.push('\n');
    text.extend(counts.iter().map(|Count { name, limit, places }| format!("{:6} of {limit:4} {name}\n", places.len())));
    text
}

fn is_product(path: &str) -> bool {
    let is_test = ["/tests/", "tests.rs", "/benches/", "/examples/"].iter().any(|part| path.contains(part));
    path.starts_with("crates/") && path.ends_with(".rs") && !path.starts_with("crates/testkit/") && !is_test
}

/// A file of product code without its tests, which are the end of a file by habit.
struct Source<'a> {
    path: &'a str,
    lines: Vec<&'a str>,
}

impl<'a> Source<'a> {
    fn new(file: &'a File) -> Self {
        let lines = file.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).collect();
        Source { path: &file.path, lines }
    }

    fn place(&self, index: usize, what: impl Into<String>) -> Place {
        Place { path: self.path.to_owned(), line: index + 1, what: what.into() }
    }

    /// The comments and constants above a line, up to a blank line: one mark is for all constants of a block.
    fn block(&self, index: usize) -> impl Iterator<Item = &str> {
        self.lines[..index].iter().rev().map(|line| line.trim_start()).take_while(|line| !line.is_empty())
    }

    /// The comment and attributes right above a line.
    fn above(&self, index: usize) -> impl Iterator<Item = &str> {
        let is_above = |line: &&&str| line.trim_start().starts_with("//") || line.trim_start().starts_with("#[");
        self.lines[..index].iter().rev().take_while(is_above).map(|line| line.trim_start())
    }
}

fn long_functions(source: &Source, places: &mut Vec<Place>) {
    for (start, line) in source.lines.iter().enumerate() {
        let code = line.trim_start();
        let Some(at) = code.find("fn ").filter(|&at| code[..at].split(' ').all(is_qualifier)) else { continue };
        let end = format!("{}}}", &line[..line.len() - code.len()]);
        let Some(length) = source.lines[start..].iter().position(|line| *line == end) else { continue };
        let has_reason = source.above(start).any(|line| line.contains(REASON));
        if length + 1 > MAX_FUNCTION_LINES && !code.ends_with([';', '}']) && !has_reason {
            let name: String = code[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            places.push(source.place(start, format!("{name}: {} lines", length + 1)));
        }
    }
}

fn is_qualifier(word: &str) -> bool {
    matches!(word, "" | "pub" | "const" | "async" | "extern") || word.starts_with("pub(")
}

/// Numbers are counted unless a comment above their block says that they are a `law:` or a `format:`, or their value is made of names
/// alone: other constants, codes of operators, the end of a type's range.
fn tuning_constants(source: &Source, places: &mut Vec<Place>) {
    for (index, line) in source.lines.iter().enumerate() {
        let code = line.trim_start();
        let Some(at) = code.find("const ").filter(|&at| code[..at].split(' ').all(is_qualifier)) else { continue };
        let Some((name, rest)) = code[at + 6..].split_once(": ") else { continue };
        let Some((kind, value)) = rest.split_once(" = ") else { continue };
        let is_name = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let is_marked = source.block(index).any(|line| line.contains("law: ") || line.contains("format: "));
        if is_name && is_number(kind) && has_number(value) && !is_marked {
            places.push(source.place(index, format!("{name}: {kind} = {value}")));
        }
    }
}

fn is_number(kind: &str) -> bool {
    let is_scalar = |word: &str| {
        let numbers = ["u8", "u16", "u32", "u64", "u128", "usize", "i32", "i64", "i128", "f32", "f64"];
        numbers.contains(&word) || word == "Duration"
    };
    kind.trim_matches(['(', ')']).split(", ").all(is_scalar)
}

fn has_number(value: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    value.split(|c| !part_of_name(c)).any(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// What STYLE §0 replaces; the words are put together here so that this file does not use them. Words in capitals are
/// names of constants and are compared as they are, all others without case.
const REPLACED: &[&str] = &[
    concat!("no", "body"),
    concat!("some", "body"),
    concat!("any", "body"),
    concat!("any", "one"),
    concat!("some", "one"),
    concat!("who", "ever"),
    concat!("to", "ld"),
    concat!("te", "ll"),
    concat!("te", "lls"),
    concat!("he", "ard"),
    concat!("he", "ar"),
    concat!("he", "ars"),
    concat!("ju", "dge"),
    concat!("ju", "dges"),
    concat!("ju", "dged"),
    concat!("ra", "cer"),
    concat!("ra", "cers"),
    concat!("wi", "sh"),
    concat!("wi", "shes"),
    concat!("so ma", "ny"),
    concat!("that is no", "ne"),
    concat!("is not re", "al"),
    concat!("binary of n", "ow"),
    concat!("beside mu", "ch"),
    concat!("what hel", "ps"),
    concat!("bug of ufo", "ria"),
    concat!("PATI", "ENCE"),
    concat!("SO", "ON"),
    concat!("MA", "NY"),
];

/// The files whose words are counted, by the end of their names: sources, tests, scripts and documents.
const WORDED: &[&str] = &[".rs", ".md", ".c", ".h", ".cfa", ".vmt", ".bpl", ".py", ".sh", ".json"];

fn words(files: &[File]) -> Vec<Place> {
    let mut places = Vec::new();
    for file in files.iter().filter(|file| WORDED.iter().any(|end| file.path.ends_with(end))) {
        for (index, line) in file.text.lines().enumerate() {
            for word in REPLACED.iter().filter(|word| has_word(line, word)) {
                places.push(Place { path: file.path.clone(), line: index + 1, what: (*word).to_owned() });
            }
        }
    }
    places
}

/// Whether a word occurs, alone or as a word of a name, but not as a part of another word.
fn has_word(line: &str, word: &str) -> bool {
    let is_constant = word.chars().all(|c| c.is_ascii_uppercase());
    let line = if is_constant { split_names(line) } else { split_names(line).to_lowercase() };
    line.match_indices(word).any(|(at, _)| {
        let part_of_word = |c: char| c.is_alphanumeric();
        !line[..at].ends_with(part_of_word) && !line[at + word.len()..].starts_with(part_of_word)
    })
}

/// The line with blanks between the words of names: at underscores, and where the case changes.
fn split_names(line: &str) -> String {
    let mut text = String::with_capacity(line.len() + 8);
    let mut before = ' ';
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let ends_capitals = before.is_uppercase() && rest.peek().is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit() || ends_capitals) {
            text.push(' ');
        }
        text.push(if c == '_' { ' ' } else { c });
        before = c;
    }
    text
}

/// Pairs of blocks that are equal line by line, as long as they can be. Blank lines, comments and imports do not count.
fn duplicates(product: &[Source]) -> Vec<Place> {
    let code: Vec<(usize, usize, &str)> = product
        .iter()
        .enumerate()
        .flat_map(|(file, source)| {
            let lines = source.lines.iter().enumerate().map(move |(line, text)| (file, line, text.trim()));
            lines.filter(|(_, _, text)| !text.is_empty() && !text.starts_with("//") && !text.starts_with("use "))
        })
        .collect();
    let is_block = |window: &[(usize, usize, &str)]| {
        let is_informative = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count() > 3;
        window[0].0 == window[window.len() - 1].0
            && window.iter().filter(|(_, _, text)| is_informative(text)).count() > DUPLICATED_LINES / 2
    };
    let mut starts: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for (at, window) in code.windows(DUPLICATED_LINES).enumerate().filter(|(_, window)| is_block(window)) {
        starts.entry(window.iter().map(|(_, _, text)| *text).collect()).or_default().push(at);
    }
    let mut places = Vec::new();
    for same in starts.values().filter(|same| same.len() > 1) {
        for (number, &first) in same.iter().enumerate() {
            for &second in &same[number + 1..] {
                // The pair is counted where it begins.
                let begins = first == 0
                    || code[first - 1].2 != code[second - 1].2
                    || code[first - 1].0 != code[first].0
                    || code[second - 1].0 != code[second].0;
                if begins {
                    let (file, line, _) = code[first];
                    let (other, other_line, _) = code[second];
                    let what = format!("also {}:{}", product[other].path, other_line + 1);
                    places.push(product[file].place(line, what));
                }
            }
        }
    }
    places.sort();
    places
}

/// What a new setting, operator or engine would be called, and the folder it lives in: as examples, ones that there are.
struct Example {
    names: &'static [&'static str],
    home: &'static str,
}

const OPTION: Example = Example { names: &["max_listed_states", "max-listed-states"], home: "" };
const OPERATOR: Example = Example { names: &["BvXnor", "bvxnor"], home: "" };
const ENGINE: Example = Example { names: &["engine_explicit", "engine-explicit"], home: "crates/engine-explicit/" };

/// The files of product code and manifests that mention an example, without tests and without its own folder, which counts once.
fn mentions(files: &[File], example: Example) -> Vec<Place> {
    let is_counted = |path: &str| is_product(path) || (path.ends_with("Cargo.toml") && !path.starts_with("xtask/"));
    let is_home = |path: &str| !example.home.is_empty() && path.starts_with(example.home);
    let mut places = Vec::new();
    for file in files.iter().filter(|file| is_counted(&file.path) && !is_home(&file.path)) {
        let lines = file.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        let mentioned = |(index, line): (usize, &str)| {
            let name = example.names.iter().find(|name| line.contains(**name))?;
            Some(Place { path: file.path.clone(), line: index + 1, what: (*name).to_owned() })
        };
        places.extend(lines.enumerate().find_map(mentioned));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(rule: fn(&Source, &mut Vec<Place>), text: &str) -> Vec<String> {
        let file = File { path: "crates/base/src/a.rs".to_owned(), text: text.to_owned() };
        let mut found = Vec::new();
        rule(&Source::new(&file), &mut found);
        found.into_iter().map(|place| format!("{}: {}", place.line, place.what)).collect()
    }

    #[test]
    fn a_long_function_needs_a_reason() {
        let long = format!("pub(crate) fn f() {{\n{}}}\n", "    g();\n".repeat(79));
        assert_eq!(places(long_functions, &long), ["1: f: 81 lines"]);
        assert_eq!(places(long_functions, &format!("/// Long: one arm for each operator.\n{long}")).len(), 0);
        assert_eq!(places(long_functions, &long.replacen("    g();\n", "", 1)).len(), 0);
    }

    #[test]
    fn a_number_is_a_law_a_format_or_counted() {
        assert_eq!(places(tuning_constants, "const MAX_ROUNDS: usize = 4;\n"), ["1: MAX_ROUNDS: usize = 4;"]);
        assert_eq!(places(tuning_constants, "    pub const PAIR: (u64, u32) = (4, 2);\n").len(), 1);
        assert_eq!(places(tuning_constants, "const WAIT: Duration = Duration::from_millis(4);\n").len(), 1);
        for neutral in [
            "// law: addresses have 64 bits.\n/// Bits.\nconst WIDTH: u32 = 64;\n",
            "/// The code. format: as written.\nconst TAG: u8 = 3;\n",
            "const NONE: u32 = u32::MAX;\n",
            "const SYMBOL: u8 = Code::Symbol as u8;\n",
            "const NAME: &str = \"1\";\n",
            "#[cfg(test)]\nconst RUNS: u64 = 4;\n",
        ] {
            assert_eq!(places(tuning_constants, neutral).len(), 0, "{neutral}");
        }
    }

    #[test]
    fn equal_blocks_are_counted_once_for_each_pair() {
        let block: String = (0..DUPLICATED_LINES + 3).map(|n| format!("    first_call({n});\n")).collect();
        let file = |path: &str, text: String| File { path: path.to_owned(), text };
        let files = [
            file("crates/base/src/a.rs", format!("fn a() {{\n{block}}}\n")),
            file("crates/base/src/b.rs", format!("fn b() {{\n\n{block}\n}}\n")),
            file("crates/base/src/c.rs", format!("fn c() {{\n{}}}\n", block.replace("first", "last"))),
        ];
        let sources: Vec<Source> = files.iter().map(Source::new).collect();
        let found = duplicates(&sources);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].line, found[0].what.as_str()), (2, "also crates/base/src/b.rs:3"));
    }

    #[test]
    fn words_are_whole_words_and_words_of_names() {
        let word = REPLACED[0];
        assert!(has_word(&format!("where {word} looks"), word) && !has_word(&format!("{word}s"), word));
        assert!(has_word(&format!("fn {word}_looks()"), word) && has_word(&word.to_uppercase(), word));
        assert!(!has_word("Code::NoBody, no_body, NO_BODY", word), "these are two words");
        assert!(has_word(concat!("fn so_ma", "ny()"), concat!("so ma", "ny")));
        assert!(!has_word("TellerId", concat!("te", "ll")) && has_word(concat!("Te", "llId"), concat!("te", "ll")));
        let name = REPLACED[REPLACED.len() - 1];
        assert!(has_word(&format!("const {name}_CASES: usize"), name) && !has_word(&name.to_lowercase(), name));
    }

    #[test]
    fn names_are_split_at_underscores_and_changes_of_case() {
        assert_eq!(split_names("HTTPServer v2Name snake_case NO_BODY"), "HTTP Server v2 Name snake case NO BODY");
    }
}
