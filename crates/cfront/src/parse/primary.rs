//! Operands: names, constants, strings, parentheses, builtins; and what follows an operand,
//! `[i]`, `(args)`, `.f`, `->f`, `++`, `--`.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::{BadNumber, Number, Tok, decode_char, decode_number, decode_string};

impl Parser<'_> {
    /// An operand with all that follows it.
    pub(super) fn postfix(&mut self) -> Parsed<ExprId> {
        let primary = self.primary()?;
        self.postfix_of(primary)
    }

    /// What follows this operand.
    pub(super) fn postfix_of(&mut self, mut base: ExprId) -> Parsed<ExprId> {
        loop {
            let at = self.start();
            let below = self.depth_of(base);
            let (kind, below) = match self.tok() {
                Tok::LBracket => {
                    self.advance();
                    let index = self.inner_expression()?;
                    self.expect_close(Tok::RBracket, "`]` after the index", at)?;
                    (ExprKind::Index(base, index), below.max(self.depth_of(index)))
                }
                Tok::LParen => {
                    let (args, args_depth) = self.arguments()?;
                    (ExprKind::Call(base, args), below.max(args_depth))
                }
                Tok::Dot | Tok::Arrow => {
                    let arrow = self.tok() == Tok::Arrow;
                    self.advance();
                    let (field, _) = self.identifier("the name of a member")?;
                    (ExprKind::Member { base, field, arrow }, below)
                }
                Tok::PlusPlus => {
                    self.advance();
                    (ExprKind::Unary(UnaryOp::PostIncrement, base), below)
                }
                Tok::MinusMinus => {
                    self.advance();
                    (ExprKind::Unary(UnaryOp::PostDecrement, base), below)
                }
                _ => return Ok(base),
            };
            let span = self.span_from(self.ast.exprs[base].span.start);
            base = self.make(kind, span, at, below);
        }
    }

    /// `(a, b, …)` with the depth of the deepest argument.
    fn arguments(&mut self) -> Parsed<(Vec<ExprId>, u32)> {
        let open = self.start();
        self.advance();
        let mut args = Vec::new();
        let mut depth = 0;
        if !self.eat(Tok::RParen) {
            loop {
                let arg = self.inner_assignment()?;
                depth = depth.max(self.depth_of(arg));
                args.push(arg);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect_close(Tok::RParen, "`,` or `)` in the arguments", open)?;
        }
        Ok((args, depth))
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let token = self.token();
        let span = token.span();
        match token.kind {
            Tok::Ident => {
                self.advance();
                if let Some(modern) = self.modern(token)
                    && let Some(constant) = self.modern_constant(modern, span)
                {
                    return Ok(constant);
                }
                Ok(self.make(ExprKind::Name(token.name), span, span.start, 0))
            }
            Tok::Number => Ok(self.number()),
            Tok::Char => {
                self.advance();
                match decode_char(self.token_text(token)) {
                    Ok((value, encoding)) => Ok(self.make(ExprKind::Char { value, encoding }, span, span.start, 0)),
                    Err(message) => {
                        self.report(span, message, "");
                        Ok(self.error_expression(span))
                    }
                }
            }
            Tok::String => Ok(self.string()),
            Tok::LParen => self.nested(Self::parenthesized),
            Tok::Generic => self.nested(Self::generic),
            Tok::VaArg | Tok::Offsetof | Tok::TypesCompatible | Tok::ChooseExpr => self.nested(Self::builtin),
            Tok::UnsupportedBuiltin => {
                let name = self.token_text(token).to_owned();
                self.unsupported(span, format!("`{name}`"));
                self.advance();
                self.skip_parentheses();
                Ok(self.error_expression(span))
            }
            _ => self.expected("an expression"),
        }
    }

    fn number(&mut self) -> ExprId {
        let token = self.token();
        let span = token.span();
        self.advance();
        let kind = match decode_number(self.token_text(token)) {
            Ok(Number::Integer { value, unsigned, longs, decimal }) => {
                ExprKind::Integer { value, unsigned, longs, decimal }
            }
            Ok(Number::Float { value, suffix, wide }) => ExprKind::Float { value, suffix, wide },
            Err(BadNumber::Invalid(message)) => {
                let help = if self.token_text(token).contains("...") { "put a space before `...`" } else { "" };
                self.report(span, message, help);
                ExprKind::Error
            }
            Err(BadNumber::Unsupported(what)) => {
                self.unsupported(span, what);
                ExprKind::Error
            }
        };
        self.make(kind, span, span.start, 0)
    }

    /// One or more adjacent strings.
    fn string(&mut self) -> ExprId {
        let first = self.at;
        let start = self.start();
        while self.tok() == Tok::String {
            self.advance();
        }
        let span = self.span_from(start);
        let tokens = &self.tokens[first..self.at];
        let text = self.text;
        let decoded = decode_string(tokens.iter().map(|token| &text[token.start as usize..token.end as usize]));
        match decoded {
            Ok((units, encoding)) => self.make(ExprKind::String { units, encoding }, span, start, 0),
            Err(message) => {
                self.report(span, message, "");
                self.error_expression(span)
            }
        }
    }

    /// Adjacent strings as text, where only a plain string makes sense (`asm`, `_Static_assert`).
    pub(super) fn string_text(&mut self, what: &str) -> Parsed<String> {
        if self.tok() != Tok::String {
            return self.expected(what);
        }
        let string = self.string();
        let ExprKind::String { units, .. } = &self.ast.exprs[string].kind else { return Ok(String::new()) };
        let bytes: Vec<u8> = units.iter().map(|&unit| u8::try_from(unit).unwrap_or(b'?')).collect();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// `(e)` or `({ … })`.
    fn parenthesized(&mut self) -> Parsed<ExprId> {
        let open = self.start();
        self.advance();
        if self.tok() == Tok::LBrace {
            let (body, depth) = self.measured(Self::compound)?;
            self.expect_close(Tok::RParen, "`)` after the statement expression", open)?;
            return Ok(self.make(ExprKind::StmtExpr(body), self.span_from(open), open, depth));
        }
        let inside = self.expression()?;
        self.expect_close(Tok::RParen, "`)`", open)?;
        // Parentheses leave no node, but what is underlined includes them.
        self.ast.exprs[inside].span = self.span_from(open);
        Ok(inside)
    }

    /// `_Generic(control, type: e, default: e)`.
    fn generic(&mut self) -> Parsed<ExprId> {
        let at = self.start();
        self.advance();
        let open = self.start();
        self.expect(Tok::LParen, "`(` after `_Generic`")?;
        let control = self.assignment()?;
        let mut depth = self.depth_of(control);
        let mut arms = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) {
                None
            } else {
                let (ty, type_depth) = self.measured(Self::type_name)?;
                depth = depth.max(type_depth);
                Some(ty)
            };
            self.expect(Tok::Colon, "`:` after the type")?;
            let value = self.assignment()?;
            depth = depth.max(self.depth_of(value));
            arms.push((ty, value));
        }
        self.expect_close(Tok::RParen, "`,` or `)` in the selection", open)?;
        Ok(self.make(ExprKind::Generic { control, arms }, self.span_from(at), at, depth))
    }

    /// The builtins whose arguments are types.
    fn builtin(&mut self) -> Parsed<ExprId> {
        let (at, kind) = (self.start(), self.tok());
        self.advance();
        let open = self.start();
        self.expect(Tok::LParen, "`(` after the builtin")?;
        let (kind, depth) = self.measured(|parser| parser.builtin_arguments(kind))?;
        self.expect_close(Tok::RParen, "`)` after the arguments", open)?;
        Ok(self.make(kind, self.span_from(at), at, depth))
    }

    fn builtin_arguments(&mut self, kind: Tok) -> Parsed<ExprKind> {
        Ok(match kind {
            Tok::VaArg => {
                let list = self.assignment()?;
                self.comma()?;
                ExprKind::VaArg(list, Box::new(self.type_name()?))
            }
            Tok::Offsetof => {
                let ty = Box::new(self.type_name()?);
                self.comma()?;
                ExprKind::Offsetof(ty, self.member_path()?)
            }
            Tok::TypesCompatible => {
                let one = Box::new(self.type_name()?);
                self.comma()?;
                ExprKind::TypesCompatible(one, Box::new(self.type_name()?))
            }
            _ => {
                let condition = self.assignment()?;
                self.comma()?;
                let one = self.assignment()?;
                self.comma()?;
                ExprKind::ChooseExpr(condition, one, self.assignment()?)
            }
        })
    }

    fn comma(&mut self) -> Parsed<()> {
        self.expect(Tok::Comma, "`,` between the arguments")
    }

    /// `a.b[3].c` of `__builtin_offsetof`.
    fn member_path(&mut self) -> Parsed<Vec<Designator>> {
        let (name, span) = self.identifier("the name of a member")?;
        let mut path = vec![Designator::Field(name, span)];
        loop {
            let open = self.start();
            if self.eat(Tok::Dot) {
                let (name, span) = self.identifier("the name of a member")?;
                path.push(Designator::Field(name, span));
            } else if self.eat(Tok::LBracket) {
                path.push(Designator::Index(self.inner_expression()?));
                self.expect_close(Tok::RBracket, "`]` after the index", open)?;
            } else {
                return Ok(path);
            }
        }
    }
}
