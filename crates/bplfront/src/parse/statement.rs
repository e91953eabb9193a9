//! Statements and blocks.

use super::{Parsed, Parser, Reported};
use crate::ast::{Block, Guard, Stmt, StmtKind, Target};
use crate::lex::Kind;
use crate::source::Span;

impl Parser<'_> {
    /// Statements up to the closing brace, which stays. A mistake costs the statement it is in.
    pub fn statements(&mut self) -> Block {
        let mut block = Block::default();
        while !self.is_mark("}") && !self.at_end() && !self.has_enough() {
            let start = self.peek().span;
            match self.statement() {
                Ok(kind) => block.stmts.push(Stmt { kind, span: start.to(self.last_span()) }),
                Err(Reported) => self.skip_statement(start),
            }
        }
        block
    }
    /// Goes on behind the next semicolon of this block.
    fn skip_statement(&mut self, start: Span) {
        let mut open = 0;
        if self.peek().span == start && !self.is_mark("}") {
            self.next();
        }
        while !self.at_end() {
            match self.peek().kind {
                Kind::Mark("{") => open += 1,
                Kind::Mark("}") if open == 0 => return,
                Kind::Mark("}") => open -= 1,
                Kind::Mark(";") if open == 0 => {
                    self.next();
                    return;
                }
                _ => {}
            }
            self.next();
        }
    }
    fn block(&mut self, context: &str) -> Parsed<Block> {
        self.mark("{", context)?;
        let block = self.deeper(|parser| Ok(parser.statements()))?;
        self.mark("}", "at the end of a block")?;
        Ok(block)
    }

    fn statement(&mut self) -> Parsed<StmtKind> {
        let token = self.peek();
        let word = if token.kind == Kind::Name { self.peek_text() } else { "" };
        let kind = match word {
            "assert" | "assume" => {
                self.next();
                self.attributes()?;
                let condition = self.expr()?;
                if word == "assert" { StmtKind::Assert(condition) } else { StmtKind::Assume(condition) }
            }
            "havoc" => {
                self.next();
                StmtKind::Havoc(self.names("after `havoc`")?)
            }
            "if" => return self.if_statement(),
            "while" => return self.while_statement(),
            "break" => {
                self.next();
                StmtKind::Break(if self.is_mark(";") { None } else { Some(self.name("after `break`")?) })
            }
            "return" => {
                self.next();
                StmtKind::Return
            }
            "goto" => {
                self.next();
                StmtKind::Goto(self.names("after `goto`")?)
            }
            "call" => {
                self.next();
                self.call()?
            }
            "yield" | "par" | "async" | "free" | "hide" | "reveal"
                if !matches!(self.ahead(1).kind, Kind::Mark(":=" | ":" | "," | "[")) =>
            {
                while !self.is_mark(";") && !self.at_end() {
                    self.next();
                }
                StmtKind::Unsupported(format!("`{word}`"))
            }
            "var" => return Err(self.error(token.span, "variables are declared at the beginning of a body")),
            _ => {
                if matches!(self.ahead(1).kind, Kind::Mark(":")) {
                    let name = self.name("as a label")?;
                    self.next();
                    return Ok(StmtKind::Label(name));
                }
                self.assignment()?
            }
        };
        self.mark(";", "after a statement")?;
        Ok(kind)
    }

    fn assignment(&mut self) -> Parsed<StmtKind> {
        let mut targets = Vec::new();
        loop {
            let name = self.name("at the beginning of a statement")?;
            let mut indices = Vec::new();
            while self.take_mark("[") {
                let mut index = Vec::new();
                if !self.is_mark("]") {
                    index = self.exprs()?;
                }
                self.mark("]", "after an index")?;
                indices.push(index);
            }
            targets.push(Target { name, indices });
            if !self.take_mark(",") {
                break;
            }
        }
        let mark = self.mark(":=", "in an assignment")?;
        self.attributes()?;
        let values = self.exprs()?;
        if values.len() != targets.len() {
            let message = format!("{} targets and {} values", targets.len(), values.len());
            return Err(self.error(mark.span, message));
        }
        Ok(StmtKind::Assign(targets.into_iter().zip(values).collect()))
    }

    fn call(&mut self) -> Parsed<StmtKind> {
        self.attributes()?;
        if self.is_word("forall") {
            while !self.is_mark(";") && !self.at_end() {
                self.next();
            }
            return Ok(StmtKind::Unsupported("`call forall`".to_owned()));
        }
        let mut names = self.names("after `call`")?;
        let results = if self.take_mark(":=") {
            self.attributes()?;
            std::mem::replace(&mut names, vec![self.name("as the procedure that is called")?])
        } else {
            Vec::new()
        };
        let procedure = names.remove(0);
        if let Some(extra) = names.first() {
            return Err(self.error(extra.span, "expected `:=` and a call behind the names"));
        }
        self.mark("(", "before the arguments")?;
        if self.is_mark("*") {
            let span = self.peek().span;
            self.unsupported(span, "`*` as an argument");
            return Err(Reported);
        }
        let args = if self.is_mark(")") { Vec::new() } else { self.exprs()? };
        self.mark(")", "after the arguments")?;
        Ok(StmtKind::Call { results, procedure, args })
    }

    fn guard(&mut self) -> Parsed<Guard> {
        self.mark("(", "before a condition")?;
        let guard = if self.is_mark("*") && matches!(self.ahead(1).kind, Kind::Mark(")")) {
            self.next();
            Guard::Any
        } else {
            Guard::Expr(self.expr()?)
        };
        self.mark(")", "after a condition")?;
        Ok(guard)
    }
    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        let guard = self.guard()?;
        let then = self.block("after a condition")?;
        let mut otherwise = None;
        if self.take_word("else") {
            otherwise = Some(if self.is_word("if") {
                let start = self.peek().span;
                let kind = self.deeper(Self::if_statement)?;
                Block { stmts: vec![Stmt { kind, span: start.to(self.last_span()) }] }
            } else {
                self.block("after `else`")?
            });
        }
        Ok(StmtKind::If(guard, then, otherwise))
    }
    fn while_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        let guard = self.guard()?;
        let mut invariants = Vec::new();
        loop {
            let free = self.take_word("free");
            if !self.take_word("invariant") {
                if free {
                    return Err(self.expected("`invariant`", "after `free`"));
                }
                break;
            }
            self.attributes()?;
            invariants.push((free, self.expr()?));
            self.mark(";", "after an invariant")?;
        }
        let body = self.block("as the body of a loop")?;
        Ok(StmtKind::While { guard, invariants, body })
    }

    fn exprs(&mut self) -> Parsed<Vec<crate::ast::ExprId>> {
        let mut all = vec![self.expr()?];
        while self.take_mark(",") {
            all.push(self.expr()?);
        }
        Ok(all)
    }
}
