//! Assembler: statements with operands, names of symbols, and whole texts at file scope.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::Tok;

/// Operands of an assembler statement: constraint and expression.
type Operands = Vec<(String, ExprId)>;

impl Parser<'_> {
    /// `asm volatile goto ("template" : outputs : inputs : clobbers : labels)` without the `;`.
    pub(super) fn assembler(&mut self) -> Parsed<Asm> {
        self.advance();
        while matches!(self.tok(), Tok::Volatile | Tok::Inline | Tok::Goto | Tok::Const) {
            self.advance();
        }
        let open = self.start();
        self.expect(Tok::LParen, "`(` after `asm`")?;
        let mut asm = Asm {
            template: self.string_text("the assembler's text as a string")?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        if self.eat(Tok::Colon) {
            asm.outputs = self.operands()?;
        }
        if self.eat(Tok::Colon) {
            asm.inputs = self.operands()?;
        }
        if self.eat(Tok::Colon) {
            while self.tok() == Tok::String {
                asm.clobbers.push(self.string_text("a clobbered register")?);
                self.eat(Tok::Comma);
            }
        }
        if self.eat(Tok::Colon) {
            while self.tok() == Tok::Ident {
                asm.labels.push(self.identifier("a label")?.0);
                self.eat(Tok::Comma);
            }
        }
        self.expect_close(Tok::RParen, "`:` or `)` in the assembler statement", open)?;
        Ok(asm)
    }

    fn operands(&mut self) -> Parsed<Operands> {
        let mut operands = Vec::new();
        while matches!(self.tok(), Tok::String | Tok::LBracket) {
            if self.eat(Tok::LBracket) {
                self.identifier("the name of an operand")?;
                self.expect(Tok::RBracket, "`]` after the operand's name")?;
            }
            let constraint = self.string_text("an operand's constraint")?;
            let open = self.start();
            self.expect(Tok::LParen, "`(` before the operand")?;
            let operand = self.inner_expression()?;
            self.expect_close(Tok::RParen, "`)` after the operand", open)?;
            operands.push((constraint, operand));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(operands)
    }

    /// `asm("symbol")` after a declarator, if there is one.
    pub(super) fn asm_name(&mut self) -> Parsed<Option<String>> {
        if !self.eat(Tok::Asm) {
            return Ok(None);
        }
        let open = self.start();
        self.expect(Tok::LParen, "`(` after `asm`")?;
        let name = self.string_text("the symbol's name as a string")?;
        self.expect_close(Tok::RParen, "`)` after the symbol's name", open)?;
        Ok(Some(name))
    }
}
