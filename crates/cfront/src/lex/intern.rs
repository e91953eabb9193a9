//! Identifiers become small numbers, and keywords are recognised, with one lookup in one table.

use base::{FastMap, IndexVec};

use super::token::{KEYWORDS, Tok};
use crate::ast::Name;

/// What a word of the text is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    Keyword(Tok),
    Identifier(Name),
}

/// From spellings to words.
#[derive(Debug)]
pub(crate) struct Interner {
    words: FastMap<Box<str>, Word>,
}

impl Interner {
    /// Knows the keywords and the names given so far.
    pub(crate) fn new(names: &IndexVec<Name, Box<str>>) -> Self {
        let mut words = FastMap::new();
        for &(spelling, kind) in KEYWORDS {
            words.insert(Box::from(spelling), Word::Keyword(kind));
        }
        for (name, spelling) in names.iter_enumerated() {
            words.insert(spelling.clone(), Word::Identifier(name));
        }
        Interner { words }
    }

    /// The word of this spelling; a new identifier is added to `names`.
    pub(crate) fn word(&mut self, names: &mut IndexVec<Name, Box<str>>, spelling: &str) -> Word {
        if let Some(&word) = self.words.get(spelling) {
            return word;
        }
        let word = Word::Identifier(names.push(Box::from(spelling)));
        self.words.insert(Box::from(spelling), word);
        word
    }
}
