//! Statements. A statement that fails is reported, skipped, and stands in the tree as `Error`, so
//! those around it are parsed as if it were well.

use super::item::Declared;
use super::{Failed, Parsed, Parser};
use crate::ast::*;
use crate::lex::Tok;

/// `name:`, `case a ... b:` or `default:` in front of a statement.
enum Prefix {
    Label(Name),
    Case(ExprId, Option<ExprId>),
    Default,
}

impl Parser<'_> {
    /// `{ … }` with a scope of its own.
    pub(super) fn compound(&mut self) -> Parsed<StmtId> {
        let open = self.start();
        self.expect(Tok::LBrace, "`{`")?;
        let scope = self.scopes.enter();
        let (statements, depth) = self.measured(|parser| Ok(parser.block_items(open)))?;
        self.scopes.leave(scope);
        let span = self.span_from(open);
        self.note_depth(depth, span).ok_or(Failed)?;
        Ok(self.push_statement(StmtKind::Compound(statements), span))
    }

    fn push_statement(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.ast.stmts.push(Stmt { kind, span })
    }

    fn block_items(&mut self, open: u32) -> Vec<StmtId> {
        let mut statements = Vec::new();
        loop {
            let before = self.at;
            match self.tok() {
                Tok::RBrace => {
                    self.advance();
                    return statements;
                }
                Tok::Eof => {
                    self.never_closed(open);
                    return statements;
                }
                Tok::PragmaOperator => self.pragma_operator(),
                _ => statements.push(self.block_item()),
            }
            // Something that is neither used nor skipped would hold us here for ever.
            if self.at == before && !matches!(self.tok(), Tok::RBrace | Tok::Eof) {
                self.advance();
            }
        }
    }

    fn never_closed(&mut self, open: u32) {
        let help = match self.suspect {
            Some(span) => {
                let name = &self.text[span.start as usize..span.end as usize];
                let line = self.source.place(span.start).line;
                format!("`{name}` in line {line} looks like a new function: is the `}}` missing before it?")
            }
            None => String::new(),
        };
        self.report(Span { start: open, end: open + 1 }, "this `{` is never closed", help);
        self.stop();
    }

    /// A declaration or a statement.
    fn block_item(&mut self) -> StmtId {
        self.skip_statement_attributes();
        if self.tok() == Tok::Ident && self.ahead(1) == Tok::Colon {
            return self.statement();
        }
        if self.tok() == Tok::Ident && self.ahead(1) == Tok::Ident && !self.starts_type() {
            let declares = matches!(self.ahead(2), Tok::Semi | Tok::Comma | Tok::Assign | Tok::LBracket | Tok::LParen);
            if declares && !self.tokens[self.at + 1].first_on_line {
                // Cannot fail: an identifier after the type is plausible.
                let _ = self.unknown_type("a statement");
            }
        }
        let declares = self.starts_type() || self.starts_standard_attribute();
        if !declares && !matches!(self.modern_tok(), Tok::Label | Tok::StaticAssert) {
            return self.statement();
        }
        self.recovering(Self::local_declaration)
    }

    /// Runs `inside`; if it fails, the statement is skipped and an `Error` is put in its place.
    fn recovering(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<StmtId>) -> StmtId {
        let start = self.start();
        if let Ok((statement, depth)) = self.measured(inside)
            && self.note_depth(depth, self.span_from(start)).is_some()
        {
            return statement;
        }
        self.skip_statement();
        let span = self.span_from(start);
        self.push_statement(StmtKind::Error, span)
    }

    fn local_declaration(&mut self) -> Parsed<StmtId> {
        let start = self.start();
        let first_on_line = self.token().first_on_line;
        let kind = match self.modern_tok() {
            Tok::Label => self.local_labels()?,
            Tok::StaticAssert => StmtKind::StaticAssert(Box::new(self.static_assert()?)),
            _ => match self.declaration()? {
                Declared::Declaration(declaration) => StmtKind::Declaration(Box::new(declaration)),
                Declared::Function(function) => {
                    if self.suspect.is_none() && first_on_line && self.source.place(start).column == 1 {
                        self.suspect = Some(function.declarator.span);
                    }
                    StmtKind::NestedFunction(Box::new(function))
                }
            },
        };
        Ok(self.push_statement(kind, self.span_from(start)))
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let mut labels = Vec::new();
        loop {
            labels.push(self.identifier("a label")?.0);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_semicolon("the labels")?;
        Ok(StmtKind::LocalLabels(labels))
    }

    /// Attributes of a statement or label (`fallthrough`, `unused`), of which only harmless ones are accepted;
    /// those of a declaration stay for it.
    fn skip_statement_attributes(&mut self) {
        let before = self.at;
        loop {
            if self.eat(Tok::Attribute) {
                self.skip_parentheses();
            } else if self.starts_standard_attribute() {
                self.skip_brackets();
            } else {
                break;
            }
        }
        let belong_to_declaration = self.starts_type();
        let after = self.at;
        self.at = before;
        if !belong_to_declaration && self.unread_attributes().is_err() {
            self.at = after;
        }
    }

    /// Skips `[` and everything to its `]`.
    fn skip_brackets(&mut self) {
        let mut open = 0u32;
        loop {
            match self.tok() {
                Tok::LBracket => open += 1,
                Tok::RBracket => open -= 1,
                Tok::Eof => return,
                _ => {}
            }
            self.advance();
            if open == 0 {
                return;
            }
        }
    }

    /// One statement.
    pub(super) fn statement(&mut self) -> StmtId {
        self.recovering(|parser| parser.nested(Self::statement_inside))
    }

    fn statement_inside(&mut self) -> Parsed<StmtId> {
        let start = self.start();
        let kind = match self.tok() {
            Tok::LBrace => return self.compound(),
            Tok::Ident if self.ahead(1) == Tok::Colon => return self.labelled(),
            Tok::Case | Tok::Default => return self.labelled(),
            Tok::Semi => {
                self.advance();
                StmtKind::Expr(None)
            }
            Tok::If => return self.if_chain(),
            Tok::Switch => {
                self.advance();
                let value = self.condition("switch")?;
                StmtKind::Switch(value, self.statement())
            }
            Tok::While => {
                self.advance();
                let condition = self.condition("while")?;
                StmtKind::While(condition, self.statement())
            }
            Tok::Do => self.do_while()?,
            Tok::For => return self.for_loop(),
            Tok::Goto => self.goto()?,
            Tok::Continue => {
                self.advance();
                self.expect_semicolon("`continue`")?;
                StmtKind::Continue
            }
            Tok::Break => {
                self.advance();
                self.expect_semicolon("`break`")?;
                StmtKind::Break
            }
            Tok::Return => {
                self.advance();
                let value = if self.tok() == Tok::Semi { None } else { Some(self.expression()?) };
                self.expect_semicolon("`return`")?;
                StmtKind::Return(value)
            }
            Tok::Asm => {
                let asm = self.assembler()?;
                self.expect_semicolon("the assembler statement")?;
                StmtKind::Asm(Box::new(asm))
            }
            Tok::Attribute => {
                self.skip_statement_attributes();
                if self.tok() == Tok::Attribute {
                    // They belong to a declaration, and nothing was skipped.
                    let span = self.here();
                    return self.fail(span, "a declaration cannot stand alone here", "put it into braces");
                }
                return self.statement_inside();
            }
            Tok::RBrace | Tok::Eof => return self.expected("a statement"),
            Tok::Else => return self.expected("a statement"),
            _ if self.starts_type() => {
                let span = self.here();
                return self.fail(span, "a declaration cannot stand alone here", "put it into braces");
            }
            _ => {
                let value = self.expression()?;
                self.expect_semicolon("the expression")?;
                StmtKind::Expr(Some(value))
            }
        };
        Ok(self.push_statement(kind, self.span_from(start)))
    }

    /// `(expression)` after a keyword.
    fn condition(&mut self, keyword: &str) -> Parsed<ExprId> {
        let open = self.start();
        if self.tok() != Tok::LParen {
            return self.expected(&format!("`(` after `{keyword}`"));
        }
        self.advance();
        let condition = self.expression()?;
        self.expect_close(Tok::RParen, "`)` after the condition", open)?;
        Ok(condition)
    }

    /// `if … else if … else …` as one flat list.
    fn if_chain(&mut self) -> Parsed<StmtId> {
        let start = self.start();
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            let keyword = self.token().span();
            self.advance();
            let condition = self.condition("if")?;
            arms.push((condition, self.statement(), keyword));
            if !self.eat(Tok::Else) {
                break;
            }
            if self.tok() != Tok::If {
                otherwise = Some(self.statement());
                break;
            }
        }
        let span = self.span_from(start);
        Ok(self.push_statement(StmtKind::If { arms, otherwise }, span))
    }

    fn do_while(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let body = self.statement();
        self.expect(Tok::While, "`while` after the body of `do`")?;
        let condition = self.condition("while")?;
        self.expect_semicolon("the loop")?;
        Ok(StmtKind::DoWhile(body, condition))
    }

    fn for_loop(&mut self) -> Parsed<StmtId> {
        let start = self.start();
        self.advance();
        let scope = self.scopes.enter();
        let result = self.for_parts();
        self.scopes.leave(scope);
        let kind = result?;
        Ok(self.push_statement(kind, self.span_from(start)))
    }

    fn for_parts(&mut self) -> Parsed<StmtKind> {
        let open = self.start();
        self.expect(Tok::LParen, "`(` after `for`")?;
        let init = if self.eat(Tok::Semi) {
            None
        } else if self.starts_type() || self.starts_standard_attribute() {
            Some(self.local_declaration()?)
        } else {
            let first = self.start();
            let value = self.expression()?;
            self.expect(Tok::Semi, "`;` after the first part of `for`")?;
            Some(self.push_statement(StmtKind::Expr(Some(value)), self.span_from(first)))
        };
        let condition = if self.tok() == Tok::Semi { None } else { Some(self.expression()?) };
        self.expect(Tok::Semi, "`;` after the condition of `for`")?;
        let step = if self.tok() == Tok::RParen { None } else { Some(self.expression()?) };
        self.expect_close(Tok::RParen, "`)` after the parts of `for`", open)?;
        Ok(StmtKind::For { init, condition, step, body: self.statement() })
    }

    fn goto(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let kind = if self.eat(Tok::Star) {
            StmtKind::GotoComputed(self.expression()?)
        } else {
            let (label, span) = self.identifier("a label after `goto`")?;
            StmtKind::Goto(label, span)
        };
        self.expect_semicolon("`goto`")?;
        Ok(kind)
    }

    /// Labels and what they stand before, however many there are.
    fn labelled(&mut self) -> Parsed<StmtId> {
        let mut prefixes = Vec::new();
        loop {
            let start = self.start();
            let prefix = match self.tok() {
                Tok::Ident if self.ahead(1) == Tok::Colon => Prefix::Label(self.identifier("a label")?.0),
                Tok::Case => {
                    self.advance();
                    let first = self.assignment()?;
                    let last = if self.eat(Tok::Ellipsis) { Some(self.assignment()?) } else { None };
                    Prefix::Case(first, last)
                }
                Tok::Default => {
                    self.advance();
                    Prefix::Default
                }
                _ => break,
            };
            self.expect(Tok::Colon, "`:` after the label")?;
            prefixes.push((prefix, start));
            self.skip_statement_attributes();
        }
        // A label before a declaration or at the end of a block labels an empty statement.
        let end = self.last_end();
        let mut body = if self.tok() == Tok::RBrace || self.starts_type() || self.modern_tok() == Tok::StaticAssert {
            self.push_statement(StmtKind::Expr(None), Span { start: end, end })
        } else {
            self.statement()
        };
        for (prefix, start) in prefixes.into_iter().rev() {
            let kind = match prefix {
                Prefix::Label(name) => StmtKind::Label(name, body),
                Prefix::Case(first, last) => StmtKind::Case(first, last, body),
                Prefix::Default => StmtKind::Default(body),
            };
            let span = self.span_from(start);
            self.note_depth(self.deepest, span).ok_or(Failed)?;
            body = self.push_statement(kind, span);
        }
        Ok(body)
    }
}
