//! Structs, unions and enums.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::Tok;

impl Parser<'_> {
    /// `struct tag { … }`, `struct tag`, the same for `union`.
    pub(super) fn record(&mut self) -> Parsed<RecordId> {
        let start = self.start();
        let is_union = self.tok() == Tok::Union;
        self.advance();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        if tag.is_some() {
            self.attributes(&mut attributes)?;
        }
        let (mut members, mut pack) = (None, None);
        if self.tok() == Tok::LBrace {
            pack = self.pragma_pack(start);
            members = Some(self.members()?);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.expected("a tag or `{`");
        }
        let span = self.span_from(start);
        Ok(self.ast.records.push(RecordSpec { is_union, tag, members, attributes, pack, span }))
    }

    fn tag(&mut self) -> Option<Name> {
        let token = self.token();
        if token.kind != Tok::Ident {
            return None;
        }
        self.advance();
        Some(token.name)
    }

    /// The limit that `#pragma pack` sets for a record that starts here. It is not `packed`: the limit also
    /// holds for members with an alignment of their own.
    fn pragma_pack(&self, start: u32) -> Option<u32> {
        let n_before = self.packs.partition_point(|&(at, _)| at <= start);
        let (_, limit) = *self.packs.get(n_before.checked_sub(1)?)?;
        matches!(limit, 1 | 2 | 4 | 8 | 16).then_some(limit)
    }

    /// `{ members }`.
    fn members(&mut self) -> Parsed<Vec<Member>> {
        let open = self.start();
        self.advance();
        let mut members = Vec::new();
        loop {
            match self.tok() {
                Tok::RBrace => break self.advance(),
                Tok::Semi => self.advance(),
                Tok::Eof => {
                    let span = Span { start: open, end: open + 1 };
                    return self.fail(span, "this `{` is never closed", "");
                }
                _ => match self.member() {
                    Ok(member) => members.push(member),
                    Err(_) => self.skip_statement(),
                },
            }
        }
        Ok(members)
    }

    fn member(&mut self) -> Parsed<Member> {
        if self.modern_tok() == Tok::StaticAssert {
            return Ok(Member::StaticAssert(self.static_assert()?));
        }
        if !self.starts_type() && !self.starts_standard_attribute() {
            self.unknown_type("the type of a member or `}`")?;
        }
        let specifiers = self.specifiers()?;
        let mut declarators = Vec::new();
        while !matches!(self.tok(), Tok::Semi | Tok::RBrace) {
            declarators.push(self.field()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        // GNU C lets the last `;` be missing.
        if self.tok() != Tok::RBrace {
            self.expect_semicolon("the member")?;
        }
        Ok(Member::Fields { specifiers, declarators })
    }

    fn field(&mut self) -> Parsed<FieldDeclarator> {
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let declarator = if self.tok() == Tok::Colon {
            let start = self.start();
            Declarator { span: Span { start, end: start + 1 }, ..Declarator::default() }
        } else {
            self.declarator()?
        };
        let width = if self.eat(Tok::Colon) { Some(self.inner_assignment()?) } else { None };
        self.attributes(&mut attributes)?;
        Ok(FieldDeclarator { declarator, width, attributes })
    }

    /// `enum tag { … }` or `enum tag`.
    pub(super) fn enumeration(&mut self) -> Parsed<EnumId> {
        let start = self.start();
        self.advance();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let mut underlying = None;
        // `enum e : 3` is a bit-field.
        if self.tok() == Tok::Colon && self.starts_type_at(1) {
            self.advance();
            underlying = Some(Box::new(self.nested(Self::specifiers)?));
        }
        let mut enumerators = None;
        if self.tok() == Tok::LBrace {
            enumerators = Some(self.enumerators()?);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.expected("a tag or `{`");
        }
        let span = self.span_from(start);
        Ok(self.ast.enums.push(EnumSpec { tag, underlying, enumerators, attributes, span }))
    }

    fn enumerators(&mut self) -> Parsed<Vec<(Name, Option<ExprId>, Span)>> {
        let open = self.start();
        self.advance();
        let mut enumerators = Vec::new();
        while self.tok() != Tok::RBrace {
            let (name, span) = self.identifier("the name of an enumerator")?;
            self.unread_attributes()?;
            let value = if self.eat(Tok::Assign) { Some(self.inner_assignment()?) } else { None };
            self.scopes.declare(name, false);
            enumerators.push((name, value, span));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_close(Tok::RBrace, "`,` or `}` in the enumeration", open)?;
        Ok(enumerators)
    }
}
