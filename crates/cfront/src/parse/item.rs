//! File scope: declarations, function definitions, and what else may stand there.

use super::{Failed, Parsed, Parser};
use crate::ast::*;
use crate::known_pragmas::{Pragma, pragma};
use crate::lex::{Tok, decode_string};

/// What a declaration turned out to be.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(FunctionDef),
}

impl Parser<'_> {
    /// All items to the end of the text.
    pub(super) fn translation_unit(&mut self) {
        while self.tok() != Tok::Eof {
            let before = self.at;
            self.deepest = 0;
            if self.item().is_err() {
                // What is still here could not be used; never look at it twice.
                if self.at == before {
                    self.advance();
                }
                self.skip_item();
            }
        }
    }

    fn item(&mut self) -> Parsed<()> {
        let start = self.start();
        match self.modern_tok() {
            Tok::Semi => self.advance(),
            Tok::PragmaOperator => self.pragma_operator(),
            Tok::Asm => {
                let asm = self.assembler()?;
                self.expect_semicolon("the assembler's text")?;
                self.ast.items.push(Item::Asm(asm.template, self.span_from(start)));
            }
            Tok::StaticAssert => {
                let assertion = self.static_assert()?;
                self.ast.items.push(Item::StaticAssert(assertion));
            }
            Tok::RBrace => {
                self.report(self.token().span(), "this `}` closes nothing", "");
                self.advance();
            }
            _ => {
                self.check_item_start()?;
                let item = match self.declaration()? {
                    Declared::Declaration(declaration) => Item::Declaration(declaration),
                    Declared::Function(function) => Item::Function(function),
                };
                self.ast.items.push(item);
            }
        }
        Ok(())
    }

    /// Reports what cannot begin a declaration. Without any specifier, an `int` is implied.
    fn check_item_start(&mut self) -> Parsed<()> {
        if self.starts_type() {
            return Ok(());
        }
        match (self.tok(), self.ahead(1)) {
            (Tok::Ident, Tok::Ident | Tok::Star) => self.unknown_type("a declaration"),
            (Tok::Ident, Tok::LParen | Tok::Semi | Tok::Comma | Tok::Assign | Tok::LBracket | Tok::Asm) => Ok(()),
            (Tok::LBracket, Tok::LBracket) => Ok(()),
            (Tok::LParen | Tok::Star, _) => Ok(()),
            (kind, _) if (Tok::If..=Tok::Return).contains(&kind) => self.expected_with_help(
                "a declaration",
                "statements stand inside functions: is there one `}` too many before this?".to_owned(),
            ),
            _ => self.expected("a declaration"),
        }
    }

    /// `_Pragma("…")`: what the preprocessor would have turned into a line. Only harmless ones are accepted,
    /// because the others act on the text from here on, which is split into tokens already.
    pub(super) fn pragma_operator(&mut self) {
        let start = self.start();
        self.advance();
        let text = if self.tok() == Tok::LParen && self.ahead(1) == Tok::String {
            let units = decode_string(std::iter::once(self.token_text(self.tokens[self.at + 1])));
            units.ok().and_then(|(units, _)| units.iter().map(|&unit| char::from_u32(unit)).collect())
        } else {
            None
        };
        self.skip_parentheses();
        let harmless = text.is_some_and(|text: String| pragma(&text) == Pragma::Harmless);
        if !harmless {
            self.unsupported(self.span_from(start), "`_Pragma`");
        }
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let start = self.start();
        self.advance();
        let open = self.start();
        self.expect(Tok::LParen, "`(` after `_Static_assert`")?;
        let condition = self.inner_assignment()?;
        let message = if self.eat(Tok::Comma) { Some(self.string_text("a message as a string")?) } else { None };
        self.expect_close(Tok::RParen, "`)` after the assertion", open)?;
        self.expect_semicolon("the assertion")?;
        Ok(StaticAssert { condition, message, span: self.span_from(start) })
    }

    /// A declaration with its `;`, or a function with its body.
    pub(super) fn declaration(&mut self) -> Parsed<Declared> {
        let start = self.start();
        let specifiers = self.specifiers()?;
        let mut declarators = Vec::new();
        while self.tok() != Tok::Semi {
            let mut attributes = Vec::new();
            self.attributes(&mut attributes)?;
            let mut declarator = self.declarator()?;
            if let Some(name) = declarator.name {
                self.scopes.declare(name, specifiers.storage.typedef);
            }
            let asm_name = self.asm_name()?;
            self.attributes(&mut attributes)?;
            if declarators.is_empty() && self.body_follows(&declarator) {
                declarator.attributes.append(&mut attributes);
                if asm_name.is_some() {
                    self.unsupported(declarator.span, "an assembler name on a function definition");
                }
                return self.function_definition(specifiers, declarator, start).map(Declared::Function);
            }
            let init = if self.eat(Tok::Assign) { Some(self.initializer()?) } else { None };
            // GNU C takes attributes even here.
            self.attributes(&mut attributes)?;
            declarators.push(InitDeclarator { declarator, attributes, asm_name, init });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_semicolon("the declaration")?;
        Ok(Declared::Declaration(Declaration { specifiers, declarators, span: self.span_from(start) }))
    }

    /// Whether a function's body, or the declarations of its old-style parameters, come next.
    fn body_follows(&self, declarator: &Declarator) -> bool {
        match declarator.parts.first() {
            Some(DeclaratorPart::Function { old_style, .. }) => {
                self.tok() == Tok::LBrace || (!old_style.is_empty() && self.starts_type())
            }
            _ => false,
        }
    }

    fn function_definition(
        &mut self,
        specifiers: Specifiers,
        declarator: Declarator,
        start: u32,
    ) -> Parsed<FunctionDef> {
        let scope = self.scopes.enter();
        if let Some(DeclaratorPart::Function { params, old_style, .. }) = declarator.parts.first() {
            let names = params.iter().filter_map(|param| param.declarator.name);
            for name in names.chain(old_style.iter().map(|&(name, _)| name)) {
                self.scopes.declare(name, false);
            }
        }
        let result = self.parameters_and_body();
        self.scopes.leave(scope);
        let (old_style, body) = result?;
        Ok(FunctionDef { specifiers, declarator, old_style, body, span: self.span_from(start) })
    }

    fn parameters_and_body(&mut self) -> Parsed<(Vec<Declaration>, StmtId)> {
        let mut old_style = Vec::new();
        while self.starts_type() {
            match self.declaration()? {
                Declared::Declaration(declaration) => old_style.push(declaration),
                Declared::Function(function) => {
                    self.report(function.declarator.span, "a parameter cannot have a body", "");
                    return Err(Failed);
                }
            }
        }
        if self.tok() != Tok::LBrace {
            return self.expected("`{` of the function's body");
        }
        let body = self.nested(Self::compound)?;
        Ok((old_style, body))
    }
}
