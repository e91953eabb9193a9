//! `__attribute__((…))` and C23's `[[…]]`, checked against the list of known attributes.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::known_attributes::{Position, Treatment, gnu, harmless_argument, standard};
use crate::lex::Tok;

impl<'s> Parser<'s> {
    /// Any number of attributes of what is declared.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attribute>) -> Parsed<()> {
        self.attributes_at(Position::Declaration, into)
    }

    /// Any number of attributes that nothing reads; see [`Position::Unread`].
    pub(super) fn unread_attributes(&mut self) -> Parsed<()> {
        self.attributes_at(Position::Unread, &mut Vec::new())
    }

    fn attributes_at(&mut self, position: Position, into: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            if self.tok() == Tok::Attribute {
                self.nested(|parser| parser.attribute_list(position, into))?;
            } else if self.starts_standard_attribute() {
                self.nested(|parser| parser.standard_attribute_list(position, into))?;
            } else {
                return Ok(());
            }
        }
    }

    fn attribute_list(&mut self, position: Position, into: &mut Vec<Attribute>) -> Parsed<()> {
        self.advance();
        let open = self.start();
        self.expect(Tok::LParen, "`((` after `__attribute__`")?;
        self.expect(Tok::LParen, "`((` after `__attribute__`")?;
        while self.tok() != Tok::RParen {
            if self.eat(Tok::Comma) {
                continue;
            }
            let start = self.start();
            let name = self.attribute_word()?.trim_matches('_').to_owned();
            let attribute = self.attribute_rest(name, start)?;
            self.accept(attribute, gnu, position, into);
        }
        self.advance();
        self.expect_close(Tok::RParen, "`))` after the attributes", open)
    }

    /// `[[name, prefix::name(arguments)]]`. Only the prefix `gnu` is known.
    fn standard_attribute_list(&mut self, position: Position, into: &mut Vec<Attribute>) -> Parsed<()> {
        let open = self.start();
        self.advance();
        self.advance();
        while self.tok() != Tok::RBracket {
            if self.eat(Tok::Comma) {
                continue;
            }
            let start = self.start();
            let first = self.attribute_word()?;
            if self.tok() == Tok::Colon && self.ahead(1) == Tok::Colon {
                self.advance();
                self.advance();
                let second = self.attribute_word()?;
                let vendor = first.trim_matches('_');
                let plain = second.trim_matches('_');
                let name = if vendor == "gnu" { plain.to_owned() } else { format!("{vendor}::{plain}") };
                let attribute = self.attribute_rest(name, start)?;
                self.accept(attribute, gnu, position, into);
            } else {
                let attribute = self.attribute_rest(first.to_owned(), start)?;
                self.accept(attribute, standard, position, into);
            }
        }
        self.advance();
        self.expect_close(Tok::RBracket, "`]]` after the attributes", open)
    }

    /// The name of an attribute; keywords such as `const` are names of attributes, too.
    fn attribute_word(&mut self) -> Parsed<&'s str> {
        let token = self.token();
        let text = self.token_text(token);
        if !text.starts_with(|first: char| first.is_alphabetic() || first == '_') || token.kind == Tok::String {
            return self.expected("the name of an attribute");
        }
        self.advance();
        Ok(text)
    }

    fn attribute_rest(&mut self, name: String, start: u32) -> Parsed<Attribute> {
        let args = if self.tok() == Tok::LParen { self.attribute_arguments()? } else { Vec::new() };
        Ok(Attribute { name, args, span: self.span_from(start) })
    }

    /// Keeps a modelled attribute, passes over a harmless one, and refuses the others.
    fn accept(
        &mut self,
        attribute: Attribute,
        table: fn(&str) -> Treatment,
        position: Position,
        into: &mut Vec<Attribute>,
    ) {
        match table(&attribute.name) {
            Treatment::Harmless => {}
            Treatment::Modelled if position == Position::Declaration => into.push(attribute),
            Treatment::ByArgument if self.harmless_arguments(&attribute) => {}
            _ => {
                let message = format!("attribute `{}`", attribute.name);
                self.unsupported(attribute.span, message);
            }
        }
    }

    /// Whether all arguments are texts (or numbers, which are levels of optimisation) that change nothing.
    fn harmless_arguments(&self, attribute: &Attribute) -> bool {
        !attribute.args.is_empty()
            && attribute.args.iter().all(|&arg| match &self.ast.exprs[arg].kind {
                ExprKind::String { units, .. } => {
                    let text: Option<String> = units.iter().map(|&unit| char::from_u32(unit)).collect();
                    text.is_some_and(|text| harmless_argument(&attribute.name, &text))
                }
                ExprKind::Integer { .. } => attribute.name == "optimize",
                _ => false,
            })
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
}
