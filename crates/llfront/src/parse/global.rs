//! Global variables and aliases.

use crate::ir::{Global, Type, Value};
use crate::lex::Token;

use super::{Parsed, Parser};

/// What the name of a global stands for.
pub enum Definition<'s> {
    /// A variable.
    Variable(Global<'s>),
    /// Another name of this constant.
    Alias(Value<'s>),
    /// Something that is not treated.
    Refused(&'static str),
}

impl<'s> Parser<'_, 's> {
    /// `@name = … global|constant|alias …`.
    pub fn global(mut self) -> Parsed<Definition<'s>> {
        let at = self.at();
        self.advance();
        self.expect(b'=')?;
        let (mut is_external, mut refused) = (false, None);
        let is_constant = loop {
            match self.token {
                Token::Word(word @ ("global" | "constant")) => {
                    self.advance();
                    break word == "constant";
                }
                Token::Word("alias") => {
                    self.advance();
                    self.ty()?;
                    self.expect(b',')?;
                    return Ok(Definition::Alias(self.typed()?.value));
                }
                Token::Word("ifunc") => return Ok(Definition::Refused("indirect function")),
                Token::Word("addrspace") => {
                    self.advance();
                    self.address_space()?;
                }
                Token::Word(word) => {
                    is_external |= matches!(word, "external" | "extern_weak");
                    if word == "extern_weak" {
                        refused = Some("weak variable, which may be defined elsewhere");
                    }
                    self.advance();
                    if self.is_mark(b'(') {
                        self.skip_brackets()?;
                    }
                }
                _ => return self.unexpected("`global` or `constant`"),
            }
        };
        let ty = self.ty()?;
        let has_value = !is_external && !self.is_mark(b',');
        let init = if has_value { Some(self.value(ty)?) } else { None };
        let (mut align, mut debug) = (None, None);
        while self.accept(b',') {
            match self.token {
                Token::Word("align") => {
                    self.advance();
                    align = Some(self.number()?);
                }
                Token::Meta("dbg") => {
                    self.advance();
                    if let Token::Meta(text) = self.token {
                        debug = text.parse().ok();
                    }
                    self.advance();
                }
                Token::Word(_) => {
                    self.advance();
                    match self.token {
                        Token::Mark(b'(') => self.skip_brackets()?,
                        Token::Text(_) | Token::Number(_) => {
                            self.advance();
                        }
                        _ => {}
                    }
                }
                Token::Meta(_) => {
                    self.advance();
                    self.advance();
                }
                _ => {
                    self.advance();
                }
            }
        }
        if let Type::Refused(what) = self.types.kind(ty) {
            refused = Some(what);
        }
        Ok(Definition::Variable(Global { ty, init, is_constant, align, debug, refused, at }))
    }
}
