//! Words of a command line that are written in a file: `@FILE` and the `command` of `compile_commands.json`.
//!
//! The quoting is that of gcc's `@FILE` (`buildargv` of libiberty), which for these files is also that of a shell: white space separates words,
//! both kinds of quotes keep it, and a backslash keeps the next character (in single quotes it is a character).

use std::path::Path;

// law: a file that includes itself must end.
/// How deep files of words may contain files of words.
const MAX_DEPTH: u32 = 10;

/// The words of a text.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', None | Some('"')) => {
                let next = characters.next().ok_or("a backslash at the end")?;
                word.get_or_insert_default().push(next);
            }
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (_, Some(open)) if character == open => quote = None,
            (_, None) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

/// The words with each `@FILE` replaced by those of the file; after `--` words stand for themselves.
pub fn expand(words: &[String]) -> Result<Vec<String>, String> {
    let mut expanded = Vec::new();
    let mut is_literal = false;
    expand_into(words, 0, &mut is_literal, &mut expanded)?;
    Ok(expanded)
}

fn expand_into(words: &[String], depth: u32, is_literal: &mut bool, into: &mut Vec<String>) -> Result<(), String> {
    for word in words {
        let file = word.strip_prefix('@').filter(|file| !file.is_empty() && !*is_literal);
        let Some(file) = file else {
            *is_literal |= word == "--";
            into.push(word.clone());
            continue;
        };
        if depth == MAX_DEPTH {
            return Err(format!("@{file}: files of arguments contain one another more than {MAX_DEPTH} times"));
        }
        let text = std::fs::read_to_string(Path::new(file)).map_err(|error| format!("cannot read {file}: {error}"))?;
        let more = split(&text).map_err(|why| format!("{file}: {why}"))?;
        expand_into(&more, depth + 1, is_literal, into)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_gcc_does() {
        let words = |text| split(text).expect("it is well formed");
        assert_eq!(words("a  b\n'c d' \"e \\\" f\" g\\ h i'j'k ''"), ["a", "b", "c d", "e \" f", "g h", "ijk", ""]);
        assert_eq!(words("'a\\b' \"c\\\\d\""), ["a\\b", "c\\d"]);
        assert_eq!(words(" \n"), Vec::<String>::new());
        assert!(split("'a").is_err() && split("a\\").is_err());
    }

    #[test]
    fn words_after_two_dashes_are_files() {
        let words = ["check", "--", "@a"].map(str::to_owned);
        assert_eq!(expand(&words), Ok(words.to_vec()));
        assert!(expand(&["@no/such/file".to_owned()]).is_err());
    }
}
