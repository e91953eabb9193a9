//! `__attribute__((…))`, and C23's `[[…]]`, which is skipped.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::Tok;

impl Parser<'_> {
    /// Any number of attributes.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            if self.tok() == Tok::Attribute {
                self.nested(|parser| parser.attribute_list(into))?;
            } else if self.starts_standard_attribute() {
                self.skip_standard_attribute()?;
            } else {
                return Ok(());
            }
        }
    }

    fn attribute_list(&mut self, into: &mut Vec<Attribute>) -> Parsed<()> {
        self.advance();
        let open = self.start();
        self.expect(Tok::LParen, "`((` after `__attribute__`")?;
        self.expect(Tok::LParen, "`((` after `__attribute__`")?;
        while self.tok() != Tok::RParen {
            if self.eat(Tok::Comma) {
                continue;
            }
            let token = self.token();
            let text = self.token_text(token);
            // Keywords such as `const` are names of attributes, too.
            if !text.starts_with(|first: char| first.is_alphabetic() || first == '_') || token.kind == Tok::String {
                return self.expected("the name of an attribute");
            }
            self.advance();
            let args = if self.tok() == Tok::LParen { self.attribute_arguments()? } else { Vec::new() };
            let name = text.trim_matches('_').to_owned();
            into.push(Attribute { name, args, span: self.span_from(token.start) });
        }
        self.advance();
        self.expect_close(Tok::RParen, "`))` after the attributes", open)
    }

    /// The arguments that are expressions; types among them are read and forgotten.
    fn attribute_arguments(&mut self) -> Parsed<Vec<ExprId>> {
        let open = self.start();
        self.advance();
        let mut args = Vec::new();
        while self.tok() != Tok::RParen {
            let token = self.token();
            let alone = matches!(self.ahead(1), Tok::Comma | Tok::RParen);
            if token.kind == Tok::Ident && alone {
                self.advance();
                args.push(self.make(ExprKind::Name(token.name), token.span(), token.start, 0));
            } else if self.starts_type() {
                self.type_name()?;
            } else {
                args.push(self.assignment()?);
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_close(Tok::RParen, "`,` or `)` in the attribute", open)?;
        Ok(args)
    }

    /// Whether `[[` stands here.
    pub(super) fn starts_standard_attribute(&self) -> bool {
        self.tok() == Tok::LBracket && self.ahead(1) == Tok::LBracket
    }

    fn skip_standard_attribute(&mut self) -> Parsed<()> {
        let open = self.start();
        let mut brackets = 0u32;
        loop {
            match self.tok() {
                Tok::LBracket => brackets += 1,
                Tok::RBracket => brackets -= 1,
                Tok::Eof => return self.expect_close(Tok::RBracket, "`]]` after the attributes", open),
                _ => {}
            }
            self.advance();
            if brackets == 0 {
                return Ok(());
            }
        }
    }
}
