//! Declarators: pointers, arrays and functions around a name, read from the name outwards.

use super::{MAX_NESTING, Parsed, Parser};
use crate::ast::*;
use crate::lex::Tok;

/// What may stand in the middle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Middle {
    /// A name.
    Name,
    /// Nothing: a type name.
    Nothing,
    /// Either: a parameter.
    Either,
}

impl Parser<'_> {
    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> Parsed<Declarator> {
        self.checked_declarator(Middle::Name)
    }

    /// A declarator without a name.
    pub(super) fn abstract_declarator(&mut self) -> Parsed<Declarator> {
        self.checked_declarator(Middle::Nothing)
    }

    fn checked_declarator(&mut self, middle: Middle) -> Parsed<Declarator> {
        let mut declarator = Declarator::default();
        self.declarator_into(middle, &mut declarator)?;
        self.check_parts(declarator.parts.len())?;
        Ok(declarator)
    }

    /// Types nest as deeply as declarators have parts.
    fn check_parts(&mut self, n_parts: usize) -> Parsed<()> {
        if n_parts > MAX_NESTING as usize { self.too_deep() } else { Ok(()) }
    }

    /// Appends what is found, inside first, to the parts.
    fn declarator_into(&mut self, middle: Middle, into: &mut Declarator) -> Parsed<()> {
        let pointers = self.pointers(&mut into.attributes)?;
        self.direct_declarator(middle, into)?;
        into.parts.extend(pointers.into_iter().rev().map(DeclaratorPart::Pointer));
        Ok(())
    }

    /// `*const *…` in the order of the text.
    fn pointers(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Vec<Qualifiers>> {
        let mut pointers: Vec<Qualifiers> = Vec::new();
        loop {
            match self.tok() {
                Tok::Star => {
                    self.advance();
                    pointers.push(Qualifiers::default());
                    self.check_parts(pointers.len())?;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => {
                    let Some(mut qualifiers) = pointers.last().copied() else { return self.expected("a declarator") };
                    self.qualifier(&mut qualifiers);
                    self.advance();
                    pointers.pop();
                    pointers.push(qualifiers);
                }
                Tok::Attribute => self.attributes(attributes)?,
                // In the syntax of C23 it belongs to the type of the pointer.
                Tok::LBracket if self.starts_standard_attribute() && !pointers.is_empty() => {
                    self.unread_attributes()?;
                }
                Tok::Extension => self.advance(),
                _ => return Ok(pointers),
            }
        }
    }

    fn direct_declarator(&mut self, middle: Middle, into: &mut Declarator) -> Parsed<()> {
        let token = self.token();
        match token.kind {
            Tok::Ident if middle != Middle::Nothing => {
                self.advance();
                into.name = Some(token.name);
                into.span = token.span();
                if self.starts_standard_attribute() {
                    self.attributes(&mut into.attributes)?;
                }
            }
            Tok::LParen if middle == Middle::Name || !self.parameters_follow() => {
                self.advance();
                self.nested(|parser| parser.declarator_into(middle, into))?;
                self.expect_close(Tok::RParen, "`)` in the declarator", token.start)?;
            }
            _ if middle == Middle::Name => return self.expected("a name to declare"),
            _ => into.span = Span { start: token.start, end: token.start },
        }
        loop {
            match self.tok() {
                // Behind the name's own part it belongs to the type of the array or function.
                Tok::LBracket if self.starts_standard_attribute() => {
                    self.unread_attributes()?;
                    continue;
                }
                Tok::LBracket => {
                    let array = self.nested(Self::array)?;
                    into.parts.push(array);
                }
                Tok::LParen => {
                    let function = self.nested(Self::function)?;
                    into.parts.push(function);
                }
                _ => return Ok(()),
            }
            self.check_parts(into.parts.len())?;
        }
    }

    /// Whether the `(` here opens parameters rather than a declarator in parentheses.
    fn parameters_follow(&self) -> bool {
        match self.ahead(1) {
            Tok::RParen | Tok::Ellipsis => true,
            Tok::Attribute => false,
            _ => self.starts_type_at(1),
        }
    }

    /// `[static const n]`, `[*]`, `[]`.
    fn array(&mut self) -> Parsed<DeclaratorPart> {
        let open = self.start();
        self.advance();
        let mut qualifiers = Qualifiers::default();
        loop {
            match self.tok() {
                Tok::Static => {}
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => self.qualifier(&mut qualifiers),
                _ => break,
            }
            self.advance();
        }
        let length = match self.tok() {
            Tok::RBracket => ArrayLength::None,
            Tok::Star if self.ahead(1) == Tok::RBracket => {
                self.advance();
                ArrayLength::Star
            }
            // GNU C takes a comma here, too.
            _ => ArrayLength::Expr(self.expression()?),
        };
        self.expect_close(Tok::RBracket, "`]` after the length", open)?;
        Ok(DeclaratorPart::Array { length, qualifiers })
    }

    /// `(parameters)`, `(names)` or `()`.
    fn function(&mut self) -> Parsed<DeclaratorPart> {
        let open = self.start();
        self.advance();
        let mut params = Vec::new();
        let mut old_style = Vec::new();
        let mut variadic = false;
        let empty = self.tok() == Tok::RParen;
        let names_only = self.tok() == Tok::Ident
            && !self.scopes.is_type(self.token().name)
            && matches!(self.ahead(1), Tok::Comma | Tok::RParen);
        if names_only {
            loop {
                old_style.push(self.identifier("the name of a parameter")?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        } else if !empty {
            // Names of parameters are seen by those after them.
            let scope = self.scopes.enter();
            let result = self.parameters(&mut params);
            self.scopes.leave(scope);
            variadic = result?;
        }
        self.expect_close(Tok::RParen, "`,` or `)` in the parameters", open)?;
        Ok(DeclaratorPart::Function { params, variadic, old_style, empty })
    }

    /// Returns whether the list ends with `...`.
    fn parameters(&mut self, params: &mut Vec<Param>) -> Parsed<bool> {
        loop {
            if self.eat(Tok::Ellipsis) {
                return Ok(true);
            }
            if !self.starts_type() && !self.starts_standard_attribute() {
                self.unknown_type("the type of a parameter")?;
            }
            let specifiers = self.specifiers()?;
            let declarator = self.checked_declarator(Middle::Either)?;
            if let Some(name) = declarator.name {
                self.scopes.declare(name, false);
            }
            let mut attributes = Vec::new();
            self.attributes(&mut attributes)?;
            params.push(Param { specifiers, declarator, attributes });
            // A `;` ends forward declarations of parameters in GNU C; we do not know them.
            if !self.eat(Tok::Comma) {
                return Ok(false);
            }
        }
    }

    /// A type is needed and there is none. If an identifier stands where one is plausible, it is
    /// taken for a type from now on, so that one missing `typedef` gives one message.
    pub(super) fn unknown_type(&mut self, what: &str) -> Parsed<()> {
        let token = self.token();
        let plausible = matches!(self.ahead(1), Tok::Ident | Tok::Star | Tok::Comma | Tok::RParen | Tok::LParen);
        if token.kind != Tok::Ident || !plausible {
            return self.expected(what);
        }
        let name = self.token_text(token);
        self.report(token.span(), format!("`{name}` does not name a type"), "is a `typedef` or a header missing?");
        self.scopes.declare_for_good(token.name);
        Ok(())
    }
}
