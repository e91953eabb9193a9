//! Terms inside another text form, which cuts its text into tokens itself.
//!
//! There a name between bars is always a declared one, with whatever escapes the form has for bars, and a bare word of
//! SMT-LIB is never a declared name; so a program may call a variable `select`.

use super::command::Reader;
use super::lexer::{At, Kind, Lexer, ReadError, Token};
use super::names::Words;
use super::sexpr::{Node, Sexprs};
use super::sort::SortDefinition;
use crate::sort::Sort;
use crate::store::{Symbol, Term, Terms};

/// A token of the surrounding text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece<'t> {
    /// An opening parenthesis.
    Open,
    /// A closing parenthesis.
    Close,
    /// A bare word: a literal, an operator or a name.
    Word(&'t str),
    /// A name that stood between bars.
    Quoted(&'t str),
}

/// What is wrong: the number of the piece, from zero, and a sentence.
pub type PieceError = (usize, String);

/// Reads terms and sorts over what was declared to it.
pub struct TermReader {
    reader: Reader<'static>,
}

impl TermReader {
    /// Nothing is declared yet.
    pub fn new() -> TermReader {
        let mut reader = Reader::new("");
        reader.apart = Some(Words::new());
        TermReader { reader }
    }
    /// Makes the symbol known; false if the name is known already.
    pub fn declare(&mut self, name: &str, symbol: Symbol) -> bool {
        self.reader.symbols.insert(name.to_owned(), symbol).is_none()
    }
    /// Makes the sort known; false if the name is known already.
    pub fn declare_sort(&mut self, name: &str, sort: Sort) -> bool {
        let definition = SortDefinition { params: Vec::new(), body: sort };
        self.reader.sorts.insert(name.to_owned(), definition).is_none()
    }
    /// The symbol of this name.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.reader.symbols.get(name).copied()
    }
    /// Whether the bare word is not free for names.
    pub fn is_reserved(&self, word: &str) -> bool {
        self.reader.is_word(word)
    }
    /// The term that these pieces make up.
    pub fn term(&mut self, terms: &mut Terms, pieces: &[Piece<'_>]) -> Result<Term, PieceError> {
        let (sexprs, node) = expression(pieces, "a term is expected")?;
        self.reader.term(terms, &sexprs, node).map_err(place)
    }
    /// The sort that these pieces make up.
    pub fn sort(&mut self, terms: &mut Terms, pieces: &[Piece<'_>]) -> Result<Sort, PieceError> {
        let (sexprs, node) = expression(pieces, "a sort is expected")?;
        self.reader.sort(terms, &sexprs, node).map_err(place)
    }
}

impl Default for TermReader {
    fn default() -> TermReader {
        TermReader::new()
    }
}

/// The column of an error is the number of the piece.
fn place(error: ReadError) -> PieceError {
    (error.column as usize, error.message)
}

fn expression<'t>(pieces: &[Piece<'t>], nothing: &str) -> Result<(Sexprs<'t>, Node), PieceError> {
    let mut rest = pieces.iter().enumerate();
    let read = Sexprs::from_tokens(|| {
        let Some((number, &piece)) = rest.next() else { return Ok(None) };
        let at = At { line: 0, column: number as u32 };
        let token = match piece {
            Piece::Open => Token { kind: Kind::Open, text: "(", at },
            Piece::Close => Token { kind: Kind::Close, text: ")", at },
            Piece::Quoted(text) => Token { kind: Kind::Quoted, text, at },
            Piece::Word(text) => {
                // The word is one token of SMT-LIB's, or none.
                let mut lexer = Lexer::new(text);
                match (lexer.next(), lexer.next()) {
                    (Ok(Some(token)), Ok(None)) => Token { at, ..token },
                    (Err(error), _) => return at.error(error.message),
                    _ => return at.error(format!("`{text}` is neither a literal nor a name")),
                }
            }
        };
        Ok(Some(token))
    });
    match read {
        Ok(Some(expression)) => Ok(expression),
        Ok(None) => Err((0, nothing.to_owned())),
        Err(error) => Err(place(error)),
    }
}
