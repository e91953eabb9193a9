//! Expressions, by the strength of their operators:
//! `<==>` · `==>` `<==` · `&&` `||` · relations · `++` · `+` `-` · `*` `/` `div` `mod` · `**` · `!` `-` · `[ ]`.

use base::Id;

use super::{Parsed, Parser};
use crate::ast::{Binary, Binder, Expr, ExprId, ExprKind, Name};
use crate::lex::Kind;
use crate::source::Span;

/// How an operator groups.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    Left,
    Right,
    Never,
}

// format: how strongly operators bind.
const RELATION: u32 = 4;
const UNARY: u32 = 9;

impl Parser<'_> {
    /// An expression.
    pub fn expr(&mut self) -> Parsed<ExprId> {
        self.operators(1)
    }

    /// Operators at least this strong.
    fn operators(&mut self, weakest: u32) -> Parsed<ExprId> {
        self.deeper(|parser| {
            let mut left = parser.unary()?;
            // The strongest operator that may follow: relations do not chain.
            let mut strongest = u32::MAX;
            let mut connective: Option<Binary> = None;
            while let Some((op, strength, groups)) = parser.operator() {
                if strength < weakest || strength > strongest {
                    break;
                }
                let token = parser.peek();
                if matches!(op, Binary::And | Binary::Or) {
                    if connective.is_some_and(|before| before != op) {
                        return Err(parser.error(token.span, "`&&` and `||` are mixed without parentheses"));
                    }
                    connective = Some(op);
                } else {
                    connective = None;
                }
                parser.next();
                let right = parser.operators(if groups == Groups::Right { strength } else { strength + 1 })?;
                left = parser.made(left, ExprKind::Binary(op, left, right));
                strongest = if groups == Groups::Never { strength - 1 } else { strength };
            }
            if let Some((_, RELATION, _)) = parser.operator()
                && weakest <= RELATION
                && strongest < RELATION
                && strongest + 1 == RELATION
            {
                let span = parser.peek().span;
                return Err(parser.error(span, "relations do not chain; parentheses say what is meant"));
            }
            Ok(left)
        })
    }
    fn operator(&self) -> Option<(Binary, u32, Groups)> {
        let text = match self.peek().kind {
            Kind::Mark(mark) => mark,
            Kind::Name => self.peek_text(),
            _ => return None,
        };
        Some(match text {
            "<==>" => (Binary::Iff, 1, Groups::Left),
            "==>" => (Binary::Implies, 2, Groups::Right),
            "<==" => (Binary::Explies, 2, Groups::Left),
            "&&" => (Binary::And, 3, Groups::Left),
            "||" => (Binary::Or, 3, Groups::Left),
            "==" => (Binary::Eq, RELATION, Groups::Never),
            "!=" => (Binary::Ne, RELATION, Groups::Never),
            "<" => (Binary::Lt, RELATION, Groups::Never),
            "<=" => (Binary::Le, RELATION, Groups::Never),
            ">" => (Binary::Gt, RELATION, Groups::Never),
            ">=" => (Binary::Ge, RELATION, Groups::Never),
            "<:" => (Binary::Subtype, RELATION, Groups::Never),
            "++" => (Binary::Concat, 5, Groups::Left),
            "+" => (Binary::Add, 6, Groups::Left),
            "-" => (Binary::Sub, 6, Groups::Left),
            "*" => (Binary::Mul, 7, Groups::Left),
            "/" => (Binary::Divide, 7, Groups::Left),
            "div" => (Binary::Div, 7, Groups::Left),
            "mod" => (Binary::Mod, 7, Groups::Left),
            "**" => (Binary::Pow, 8, Groups::Right),
            _ => return None,
        })
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let token = self.peek();
        match token.kind {
            Kind::Mark("!") => {
                self.next();
                let arg = self.operators(UNARY)?;
                Ok(self.push(token.span, self.file.exprs[arg].first, ExprKind::Not(arg)))
            }
            Kind::Mark("-") => {
                self.next();
                let arg = self.operators(UNARY)?;
                Ok(self.push(token.span, self.file.exprs[arg].first, ExprKind::Neg(arg)))
            }
            _ => self.postfix(),
        }
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let mut expr = self.atom()?;
        loop {
            if self.is_mark("->") {
                let token = self.next();
                self.name("as a field")?;
                let what = "a field of a datatype".to_owned();
                let first = self.file.exprs[expr].first;
                expr = self.push(token.span, first, ExprKind::Unsupported(what, vec![expr]));
                continue;
            }
            if !self.is_mark("[") {
                return Ok(expr);
            }
            self.next();
            let mut index = Vec::new();
            let mut value = None;
            if !self.is_mark("]") && !self.is_mark(":=") {
                index.push(self.expr()?);
                while self.take_mark(",") {
                    index.push(self.expr()?);
                }
            }
            if self.is_mark(":") {
                expr = self.extract(expr, &index)?;
                continue;
            }
            if self.take_mark(":=") {
                value = Some(self.expr()?);
            }
            self.mark("]", "after an index")?;
            let kind = match value {
                Some(value) => ExprKind::Update(expr, index, value),
                None => ExprKind::Select(expr, index),
            };
            expr = self.made(expr, kind);
        }
    }
    /// `e[high:low]`.
    fn extract(&mut self, expr: ExprId, index: &[ExprId]) -> Parsed<ExprId> {
        let colon = self.next();
        let number = |parser: &Self, expr: ExprId| match &parser.file.exprs[expr].kind {
            ExprKind::Int(digits) => digits.parse::<u32>().ok(),
            _ => None,
        };
        let high = match index {
            [high] => number(self, *high),
            _ => None,
        };
        let low = self.expr()?;
        let low = number(self, low);
        self.mark("]", "after an extraction")?;
        let (Some(high), Some(low)) = (high, low) else {
            return Err(self.error(colon.span, "the bounds of an extraction are numbers"));
        };
        Ok(self.made(expr, ExprKind::Extract(expr, high, low)))
    }

    fn atom(&mut self) -> Parsed<ExprId> {
        let token = self.peek();
        let text = self.peek_text();
        let plain = |text: &str| text.replace('_', "");
        let leaf = |kind| Ok(kind);
        let kind: Parsed<ExprKind> = match token.kind {
            Kind::Number => leaf(ExprKind::Int(plain(text))),
            Kind::Decimal if text.starts_with("0x") => {
                leaf(ExprKind::Unsupported("a floating-point literal".to_owned(), Vec::new()))
            }
            Kind::Decimal => leaf(ExprKind::Real(plain(text))),
            Kind::BitVector => {
                let (digits, width) = text.split_once("bv").expect("the lexer has seen `bv`");
                match width.parse() {
                    Ok(width) => leaf(ExprKind::BitVec(plain(digits), width)),
                    Err(_) => Err(self.error(token.span, "the width of this literal is too large")),
                }
            }
            Kind::Name if text == "true" || text == "false" => leaf(ExprKind::Truth(text == "true")),
            Kind::Name if text == "if" => return self.if_then_else(),
            Kind::Name if matches!(text, "old" | "int" | "real") => return self.wrapped(),
            Kind::Mark("(") => {
                self.next();
                let bound = match self.peek().kind {
                    Kind::Mark(word @ ("forall" | "exists" | "lambda")) => Some(word),
                    Kind::Name => ["forall", "exists", "lambda", "var"].into_iter().find(|word| self.is_word(word)),
                    _ => None,
                };
                let inner = match bound {
                    Some(word) => self.binder(word)?,
                    None => self.expr()?,
                };
                self.mark(")", "after an expression")?;
                return Ok(inner);
            }
            Kind::Name | Kind::Escaped => {
                let name = self.name("in an expression")?;
                if self.is_mark("(") {
                    return self.application(name);
                }
                let first = self.next_id();
                return Ok(self.push(name.span, first, ExprKind::Name(name.text)));
            }
            _ => Err(self.expected("an expression", "here")),
        };
        let kind = kind?;
        self.next();
        let first = self.next_id();
        Ok(self.push(token.span, first, kind))
    }
    fn application(&mut self, name: Name) -> Parsed<ExprId> {
        self.next();
        let first = self.next_id();
        let mut args = Vec::new();
        if !self.is_mark(")") {
            args.push(self.expr()?);
            while self.take_mark(",") {
                args.push(self.expr()?);
            }
        }
        let end = self.mark(")", "after the arguments")?;
        let span = name.span.to(end.span);
        Ok(self.push(span, first, ExprKind::Apply(name, args)))
    }
    fn if_then_else(&mut self) -> Parsed<ExprId> {
        let start = self.next();
        let first = self.next_id();
        let condition = self.expr()?;
        if !self.take_word("then") {
            return Err(self.expected("`then`", "after the condition"));
        }
        let then = self.expr()?;
        if !self.take_word("else") {
            return Err(self.expected("`else`", "after the first value"));
        }
        let otherwise = self.expr()?;
        Ok(self.push(start.span, first, ExprKind::IfThenElse(condition, then, otherwise)))
    }
    /// `old(e)`, `int(e)`, `real(e)`.
    fn wrapped(&mut self) -> Parsed<ExprId> {
        let token = self.next();
        let word = self.source.at(token.span);
        let first = self.next_id();
        self.mark("(", &format!("after `{word}`"))?;
        let inner = self.expr()?;
        let end = self.mark(")", "after an expression")?;
        let kind = match word {
            "old" => ExprKind::Old(inner),
            _ => ExprKind::Convert(word == "int", inner),
        };
        Ok(self.push(token.span.to(end.span), first, kind))
    }
    /// A quantifier, lambda or local definition, behind its opening parenthesis.
    fn binder(&mut self, word: &'static str) -> Parsed<ExprId> {
        let start = self.next();
        let first = self.next_id();
        let (mut type_params, mut vars, mut triggers) = (Vec::new(), Vec::new(), Vec::new());
        if word == "var" {
            self.names("after `var`")?;
            self.mark(":=", "in a local definition")?;
            self.expr()?;
            while self.take_mark(",") {
                self.expr()?;
            }
            self.mark(";", "after a local definition")?;
        } else {
            type_params = self.type_params()?;
            if !self.is_mark("::") {
                vars = self.var_decls()?;
            }
            self.mark("::", "after the bound variables")?;
            loop {
                self.attributes()?;
                if !self.take_mark("{") {
                    break;
                }
                // A trigger: which instances a prover should look at.
                let mut patterns = vec![self.expr()?];
                while self.take_mark(",") {
                    patterns.push(self.expr()?);
                }
                triggers.push(patterns);
                self.mark("}", "after a trigger")?;
            }
        }
        let body = self.expr()?;
        let span = start.span;
        Ok(self.push(span, first, ExprKind::Bound(Box::new(Binder { word, type_params, vars, triggers, body }))))
    }

    // ---- the table
    fn next_id(&self) -> ExprId {
        ExprId::new(self.file.exprs.len())
    }
    fn push(&mut self, span: Span, first: ExprId, kind: ExprKind) -> ExprId {
        self.file.exprs.push(Expr { kind, first, span: span.to(self.last_span()) })
    }
    /// An expression that begins where another one does.
    fn made(&mut self, begins: ExprId, kind: ExprKind) -> ExprId {
        let Expr { span, first, .. } = self.file.exprs[begins];
        self.push(span, first, kind)
    }
}
