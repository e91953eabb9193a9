//! Types: `bool`, `int`, `real`, `bv32`, names applied to types, maps.

use super::{Parsed, Parser};
use crate::ast::{Type, TypeKind};
use crate::lex::Kind;
use crate::source::Span;

impl Parser<'_> {
    /// A type.
    pub fn ty(&mut self) -> Parsed<Type> {
        self.deeper(Self::ty_inside)
    }
    fn ty_inside(&mut self) -> Parsed<Type> {
        let start = self.peek().span;
        if self.is_mark("[") || self.is_mark("<") {
            return self.map_type();
        }
        if let Some(atom) = self.type_atom()? {
            return Ok(atom);
        }
        let name = self.name("as a type")?;
        let mut args = Vec::new();
        while let Some(arg) = self.type_argument()? {
            args.push(arg);
        }
        let span = start.to(self.last_span());
        Ok(Type { kind: TypeKind::Named(name.text, args), span })
    }
    /// A type that takes no arguments, if one stands here.
    fn type_atom(&mut self) -> Parsed<Option<Type>> {
        let start = self.peek().span;
        if self.take_mark("(") {
            let inner = self.ty()?;
            self.mark(")", "after a type")?;
            return Ok(Some(inner));
        }
        let text = self.peek_text();
        let is_built_in = matches!(text, "bool" | "int" | "real") || bits(text).is_some();
        if self.peek().kind == Kind::Name && is_built_in {
            self.next();
            return Ok(Some(named(text, start)));
        }
        Ok(None)
    }
    fn type_argument(&mut self) -> Parsed<Option<Type>> {
        if let Some(atom) = self.type_atom()? {
            return Ok(Some(atom));
        }
        if self.is_mark("[") || self.is_mark("<") {
            return self.deeper(Self::map_type).map(Some);
        }
        let is_keyword = super::KEYWORDS.contains(&self.peek_text());
        if matches!(self.peek().kind, Kind::Escaped) || (self.peek().kind == Kind::Name && !is_keyword) {
            let name = self.name("as a type")?;
            return Ok(Some(named(&name.text, name.span)));
        }
        Ok(None)
    }
    fn map_type(&mut self) -> Parsed<Type> {
        let start = self.peek().span;
        let params = self.type_params()?;
        self.mark("[", "in a map type")?;
        let mut args = Vec::new();
        if !self.is_mark("]") {
            args.push(self.ty()?);
            while self.take_mark(",") {
                args.push(self.ty()?);
            }
        }
        self.mark("]", "in a map type")?;
        let result = self.ty()?;
        let span = start.to(result.span);
        Ok(Type { kind: TypeKind::Map(!params.is_empty(), args, Box::new(result)), span })
    }
    /// `<a, b>`, or nothing.
    pub fn type_params(&mut self) -> Parsed<Vec<crate::ast::Name>> {
        if !self.take_mark("<") {
            return Ok(Vec::new());
        }
        let names = self.names("as a type parameter")?;
        self.mark(">", "after type parameters")?;
        Ok(names)
    }
}

fn named(name: &str, span: Span) -> Type {
    Type { kind: TypeKind::Named(name.to_owned(), Vec::new()), span }
}

/// The width of `bv32`.
pub(crate) fn bits(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("bv")?;
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}
