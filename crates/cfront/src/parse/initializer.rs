//! Initialisers: an expression, or a list in braces with designators.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::Tok;

impl Parser<'_> {
    /// What stands after `=`, or the braces of a compound literal.
    pub(super) fn initializer(&mut self) -> Parsed<Init> {
        if self.tok() == Tok::LBrace {
            return self.nested(Self::initializer_list);
        }
        Ok(Init::Expr(self.assignment()?))
    }

    fn initializer_list(&mut self) -> Parsed<Init> {
        let open = self.start();
        self.advance();
        let mut items = Vec::new();
        while self.tok() != Tok::RBrace {
            let designators = self.designators()?;
            items.push(InitItem { designators, init: self.initializer()? });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_close(Tok::RBrace, "`,` or `}` in the initialiser", open)?;
        Ok(Init::List(items, self.span_from(open)))
    }

    /// `.f[3].g =`, GNU's `[a ... b] =`, and the old `f:`.
    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = Vec::new();
        if self.tok() == Tok::Ident && self.ahead(1) == Tok::Colon {
            let (name, span) = self.identifier("a member")?;
            self.advance();
            designators.push(Designator::Field(name, span));
            return Ok(designators);
        }
        loop {
            let open = self.start();
            if self.eat(Tok::Dot) {
                let (name, span) = self.identifier("the name of a member after `.`")?;
                designators.push(Designator::Field(name, span));
            } else if self.eat(Tok::LBracket) {
                let first = self.inner_assignment()?;
                if self.eat(Tok::Ellipsis) {
                    designators.push(Designator::Range(first, self.inner_assignment()?));
                } else {
                    designators.push(Designator::Index(first));
                }
                self.expect_close(Tok::RBracket, "`]` after the index", open)?;
            } else {
                break;
            }
        }
        // An old form of GNU C leaves out the `=` after a lone index.
        let old_index = matches!(designators[..], [Designator::Index(_) | Designator::Range(..)]);
        if !designators.is_empty() && !self.eat(Tok::Assign) && !old_index {
            return self.expected("`=` after the designator");
        }
        Ok(designators)
    }
}
