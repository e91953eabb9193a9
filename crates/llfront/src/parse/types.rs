//! Types.

use crate::ir::{Type, TypeId};
use crate::lex::Token;
use crate::source::error;

use super::{Parsed, Parser};

// law: wider integers do not occur in LLVM.
/// The widest integer.
const MAX_WIDTH: u32 = 1 << 16;

/// Whether this word begins a type.
pub(super) fn begins_type(word: &str) -> bool {
    integer(word).is_some()
        || matches!(
            word,
            "void"
                | "ptr"
                | "float"
                | "double"
                | "half"
                | "bfloat"
                | "x86_fp80"
                | "fp128"
                | "ppc_fp128"
                | "x86_mmx"
                | "x86_amx"
                | "label"
                | "metadata"
                | "token"
                | "opaque"
                | "target"
        )
}

fn integer(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('i')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

impl<'s> Parser<'_, 's> {
    /// Whether a type begins here.
    pub(super) fn is_type(&self) -> bool {
        match self.token {
            Token::Word(word) => begins_type(word),
            Token::Local(_) | Token::Mark(b'[' | b'{' | b'<') => true,
            _ => false,
        }
    }
    /// A type, with `*` and parameter lists behind it.
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        self.deeper(|this| {
            let mut ty = this.plain_type()?;
            loop {
                match this.token {
                    Token::Mark(b'*') => {
                        this.advance();
                        ty = this.types.id(Type::Pointer);
                    }
                    // `i32 addrspace(1)*` and `ptr addrspace(1)`.
                    Token::Word("addrspace") => {
                        this.advance();
                        this.address_space()?;
                    }
                    Token::Mark(b'(') => ty = this.function_type(ty)?,
                    _ => return Ok(ty),
                }
            }
        })
    }
    fn plain_type(&mut self) -> Parsed<TypeId> {
        let at = self.at();
        let kind = match self.token {
            Token::Local(name) => {
                self.advance();
                Type::Named(name)
            }
            Token::Word(word) => {
                self.advance();
                match word {
                    "void" => Type::Void,
                    "ptr" => Type::Pointer,
                    "half" => Type::Float(5, 11),
                    "bfloat" => Type::Float(8, 8),
                    "float" => Type::Float(8, 24),
                    "double" => Type::Float(11, 53),
                    "x86_fp80" => Type::Float(15, 64),
                    "fp128" => Type::Float(15, 113),
                    "label" => Type::Label,
                    "metadata" => Type::Metadata,
                    "target" => {
                        self.skip_brackets()?;
                        Type::Refused("target type")
                    }
                    "ppc_fp128" | "x86_mmx" | "x86_amx" | "token" | "opaque" => Type::Refused(word),
                    _ => match integer(word) {
                        Some(width @ 1..=MAX_WIDTH) => Type::Int(width),
                        Some(_) => return error(at, format!("integers have between 1 and {MAX_WIDTH} bits")),
                        None => return error(at, format!("expected a type, found `{word}`")),
                    },
                }
            }
            Token::Mark(b'[') => {
                self.advance();
                let length = self.number()?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(b']')?;
                Type::Array(length, element)
            }
            Token::Mark(b'{') => {
                self.advance();
                Type::Struct { fields: self.fields()?, packed: false }
            }
            Token::Mark(b'<') => {
                self.advance();
                if self.accept(b'{') {
                    let fields = self.fields()?;
                    self.expect(b'>')?;
                    Type::Struct { fields, packed: true }
                } else if self.accept_word("vscale") {
                    self.expect_word("x")?;
                    self.number()?;
                    self.expect_word("x")?;
                    self.ty()?;
                    self.expect(b'>')?;
                    Type::Refused("scalable vector")
                } else {
                    let length = self.number()?;
                    self.expect_word("x")?;
                    let element = self.ty()?;
                    self.expect(b'>')?;
                    Type::Vector(length, element)
                }
            }
            _ => return self.unexpected("a type"),
        };
        Ok(self.types.id(kind))
    }
    fn fields(&mut self) -> Parsed<Vec<TypeId>> {
        let mut fields = Vec::new();
        while !self.accept(b'}') {
            if !fields.is_empty() {
                self.expect(b',')?;
            }
            fields.push(self.ty()?);
        }
        Ok(fields)
    }
    fn function_type(&mut self, result: TypeId) -> Parsed<TypeId> {
        self.expect(b'(')?;
        let (mut params, mut variadic) = (Vec::new(), false);
        while !self.accept(b')') {
            if !params.is_empty() || variadic {
                self.expect(b',')?;
            }
            if self.token == Token::Ellipsis {
                self.advance();
                variadic = true;
            } else {
                params.push(self.ty()?);
            }
        }
        Ok(self.types.id(Type::Function(result, params, variadic)))
    }
    /// The definition of a named type: `%name = type …`.
    pub fn named_type(mut self) -> Parsed<TypeId> {
        self.advance();
        self.expect(b'=')?;
        self.expect_word("type")?;
        self.ty()
    }
}
