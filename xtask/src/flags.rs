//! Flags of commands: `--name value`, `--name`, and words without dashes.

use cfront::DataModel;

/// The words after the command's name.
pub struct Flags {
    words: Vec<String>,
}

impl Flags {
    /// Takes the words as they stand.
    pub fn new(words: &[String]) -> Flags {
        Flags { words: words.to_vec() }
    }
    /// The value after this flag, which is used up.
    pub fn value(&mut self, name: &str) -> Result<Option<String>, String> {
        let Some(position) = self.words.iter().position(|word| word == name) else { return Ok(None) };
        if position + 1 >= self.words.len() {
            return Err(format!("{name} needs a value"));
        }
        let value = self.words.remove(position + 1);
        self.words.remove(position);
        Ok(Some(value))
    }
    /// The number after this flag.
    pub fn number(&mut self, name: &str, default: u64) -> Result<u64, String> {
        match self.value(name)? {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| format!("{name} needs a number, not `{text}`")),
        }
    }
    /// Whether this flag is there; it has no value.
    pub fn flag(&mut self, name: &str) -> bool {
        let position = self.words.iter().position(|word| word == name);
        position.map(|position| self.words.remove(position)).is_some()
    }
    /// The data models that `--model lp64|ilp32|both` (or `--data-model`) names.
    pub fn models(&mut self) -> Result<Vec<DataModel>, String> {
        let chosen = self.value("--model")?.or(self.value("--data-model")?);
        match chosen.as_deref() {
            None | Some("both") => Ok(vec![DataModel::Lp64, DataModel::Ilp32]),
            Some("lp64") => Ok(vec![DataModel::Lp64]),
            Some("ilp32") => Ok(vec![DataModel::Ilp32]),
            Some(other) => Err(format!("--model is lp64, ilp32 or both, not `{other}`")),
        }
    }
    /// The next word that is no flag.
    pub fn word(&mut self) -> Option<String> {
        let position = self.words.iter().position(|word| !word.starts_with("--"))?;
        Some(self.words.remove(position))
    }
    /// All remaining words, for another command.
    pub fn rest(self) -> Vec<String> {
        self.words
    }
    /// Reports words that no option consumed.
    pub fn finish(self) -> Result<(), String> {
        if self.words.is_empty() { Ok(()) } else { Err(format!("unknown argument `{}`", self.words.join(" "))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_found_in_any_order_and_the_rest_is_refused() {
        let words = ["run", "--count", "7", "odd"].map(String::from);
        let mut flags = Flags::new(&words);
        assert_eq!(flags.number("--count", 1), Ok(7));
        assert_eq!(flags.number("--seed", 3), Ok(3));
        assert_eq!(flags.word().as_deref(), Some("run"));
        assert!(flags.finish().is_err());
    }

    #[test]
    fn a_flag_without_its_value_is_an_error() {
        assert!(Flags::new(&["--count".to_string()]).number("--count", 1).is_err());
    }
}
