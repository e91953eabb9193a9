//! Terms and sorts of the text form, read by the SMT-LIB reader of `term` from our tokens.
//!
//! The tokens of one s-expression are cut out and handed over; what is wrong comes back with the number of the token.
//! Symbols are those that the file has declared; what happens to be in the store besides is not visible.

use term::smtlib::{Piece, PieceError, TermReader};
use term::{Sort, Term, Terms};

use super::cursor::{Cursor, Reported};
use super::lex::{Token, TokenKind};

/// Reads one term. If it cannot, what is wrong is reported and the cursor stands behind it.
pub(super) fn read_term(cursor: &mut Cursor<'_>, terms: &mut Terms, scope: &mut TermReader) -> Result<Term, Reported> {
    read(cursor, "a term", |pieces| scope.term(terms, pieces))
}

/// Reads one sort.
pub(super) fn read_sort(cursor: &mut Cursor<'_>, terms: &mut Terms, scope: &mut TermReader) -> Result<Sort, Reported> {
    read(cursor, "a sort", |pieces| scope.sort(terms, pieces))
}

fn read<T>(
    cursor: &mut Cursor<'_>,
    what: &str,
    parse: impl FnOnce(&[Piece<'_>]) -> Result<T, PieceError>,
) -> Result<T, Reported> {
    if !matches!(cursor.peek().kind, TokenKind::Open | TokenKind::Word | TokenKind::Quoted) {
        return Err(cursor.expected(what));
    }
    let tokens = expression(cursor);
    // Names without their escapes, which the pieces borrow.
    let names: Vec<String> = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Quoted)
        .map(|&token| cursor.source.unquoted(token))
        .collect();
    let mut names = names.iter();
    let mut pieces = Vec::with_capacity(tokens.len());
    for &token in &tokens {
        pieces.push(match token.kind {
            TokenKind::Open => Piece::Open,
            TokenKind::Close => Piece::Close,
            TokenKind::Quoted => Piece::Quoted(names.next().expect("each quoted token has a name")),
            TokenKind::Word => Piece::Word(cursor.source.text(token)),
            _ => return Err(cursor.report(token, "this cannot stand in a term")),
        });
    }
    parse(&pieces).map_err(|(number, message)| cursor.report(tokens[number.min(tokens.len() - 1)], message))
}

/// Takes the tokens of the next s-expression; fewer if it is not closed.
fn expression(cursor: &mut Cursor<'_>) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut depth = 0usize;
    loop {
        let token = cursor.peek();
        match token.kind {
            TokenKind::End | TokenKind::OpenBrace | TokenKind::CloseBrace => return tokens,
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            TokenKind::Comma | TokenKind::Word | TokenKind::Quoted | TokenKind::String => {}
        }
        tokens.push(token);
        cursor.next();
        if depth == 0 {
            return tokens;
        }
    }
}
