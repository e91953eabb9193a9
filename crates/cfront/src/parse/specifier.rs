//! Declaration specifiers: storage, qualifiers, and the words that together name a base type.

use super::c23::Modern;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::Tok;

/// The type words seen so far; `unsigned long int long` means the same in any order.
#[derive(Default)]
struct Words {
    signed: bool,
    unsigned: bool,
    short: bool,
    longs: u8,
    complex: bool,
    base: Option<BaseType>,
    /// Words that do not go together.
    clash: bool,
}

impl Words {
    fn any(&self) -> bool {
        self.base.is_some() || self.signed || self.unsigned || self.short || self.longs > 0 || self.complex
    }

    fn set(&mut self, base: BaseType) {
        self.clash |= self.base.is_some();
        self.base = Some(base);
    }

    fn flag(flag: &mut bool, clash: &mut bool) {
        *clash |= *flag;
        *flag = true;
    }

    /// The type that the words name, or `None` if they contradict each other.
    fn base_type(self) -> Option<BaseType> {
        let sized = self.short || self.longs > 0;
        let signs = self.signed || self.unsigned;
        if self.clash || (self.signed && self.unsigned) || (self.short && self.longs > 0) || self.longs > 2 {
            return None;
        }
        let unsigned = self.unsigned;
        let pick = |signed_type, unsigned_type| if unsigned { unsigned_type } else { signed_type };
        let base = match self.base {
            None if self.complex && !sized && !signs => BaseType::Double,
            None if !sized && !signs => BaseType::ImplicitInt,
            None | Some(BaseType::Int) => match (self.short, self.longs) {
                (true, _) => pick(BaseType::Short, BaseType::UnsignedShort),
                (_, 0) => pick(BaseType::Int, BaseType::UnsignedInt),
                (_, 1) => pick(BaseType::Long, BaseType::UnsignedLong),
                _ => pick(BaseType::LongLong, BaseType::UnsignedLongLong),
            },
            Some(BaseType::Double) if self.longs == 1 && !signs => BaseType::LongDouble,
            _ if sized => return None,
            Some(BaseType::Char) if signs => pick(BaseType::SignedChar, BaseType::UnsignedChar),
            Some(BaseType::Int128) => pick(BaseType::Int128, BaseType::UnsignedInt128),
            _ if signs => return None,
            Some(base) => base,
        };
        if !self.complex {
            return Some(base);
        }
        let arithmetic = !matches!(
            base,
            BaseType::Void | BaseType::Bool | BaseType::Typedef(_) | BaseType::Record(_) | BaseType::Enum(_)
        );
        arithmetic.then(|| BaseType::Complex(Box::new(base)))
    }
}

impl Parser<'_> {
    /// Specifiers in any order; an empty list (implicit `int`) if there is none. Long: one `match` over all tokens that can
    /// start a specifier.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let start = self.start();
        let mut storage = Storage::default();
        let mut qualifiers = Qualifiers::default();
        let mut attributes = Vec::new();
        let mut align_as = Vec::new();
        let mut words = Words::default();
        loop {
            let modern = if words.any() { None } else { self.modern(self.token()) };
            match (self.tok(), modern) {
                (_, Some(Modern::Constexpr)) => {
                    storage.constexpr = true;
                    qualifiers.constant = true;
                    self.advance();
                    continue;
                }
                (_, Some(Modern::TypeofUnqual)) => {
                    self.advance();
                    let base = BaseType::TypeofUnqual(Box::new(self.nested(Self::size_argument)?));
                    words.set(base);
                    continue;
                }
                _ => {}
            }
            let kind = match modern {
                Some(Modern::Keyword(kind)) => kind,
                _ => self.tok(),
            };
            match kind {
                Tok::Typedef => storage.typedef = true,
                Tok::Extern => storage.external = true,
                Tok::Static => storage.statik = true,
                Tok::Auto => storage.auto = true,
                Tok::Register => storage.register = true,
                Tok::ThreadLocal => storage.thread_local = true,
                Tok::Inline => storage.inline = true,
                Tok::Noreturn => storage.noreturn = true,
                Tok::Extension => {}
                Tok::Attribute => {
                    self.attributes(&mut attributes)?;
                    continue;
                }
                // In front of everything it belongs to what is declared, later to the type.
                Tok::LBracket if self.starts_standard_attribute() => {
                    if self.start() == start {
                        self.attributes(&mut attributes)?;
                    } else {
                        self.unread_attributes()?;
                    }
                    continue;
                }
                Tok::Alignas => {
                    self.advance();
                    align_as.push(self.nested(Self::size_argument)?);
                    continue;
                }
                Tok::Atomic if self.ahead(1) == Tok::LParen => {
                    self.advance();
                    let (ty, _) = self.nested(Self::type_in_parentheses)?;
                    words.set(BaseType::Atomic(Box::new(ty)));
                    continue;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => self.qualifier(&mut qualifiers),
                Tok::Ident => {
                    let token = self.token();
                    if words.any() || !self.scopes.is_type(token.name) {
                        break;
                    }
                    words.set(BaseType::Typedef(token.name));
                }
                Tok::Struct | Tok::Union => {
                    let record = self.nested(Self::record)?;
                    words.set(BaseType::Record(record));
                    continue;
                }
                Tok::Enum => {
                    let enumeration = self.nested(Self::enumeration)?;
                    words.set(BaseType::Enum(enumeration));
                    continue;
                }
                Tok::Typeof => {
                    self.advance();
                    let base = match self.nested(Self::size_argument)? {
                        SizeArg::Expr(expr) => BaseType::TypeofExpr(expr),
                        SizeArg::Type(ty) => BaseType::TypeofType(ty),
                    };
                    words.set(base);
                    continue;
                }
                kind => {
                    if !self.type_word(kind, &mut words) {
                        break;
                    }
                }
            }
            self.advance();
        }
        let span = self.span_from(start);
        let base = match words.base_type() {
            Some(base) => base,
            None => return self.fail(span, "these type specifiers do not go together", ""),
        };
        Ok(Specifiers { storage, qualifiers, base, align_as, attributes, span })
    }

    /// Notes one word of a base type; `false` if it is not one.
    fn type_word(&mut self, kind: Tok, words: &mut Words) -> bool {
        match kind {
            Tok::Void => words.set(BaseType::Void),
            Tok::Bool => words.set(BaseType::Bool),
            Tok::CharType => words.set(BaseType::Char),
            Tok::Int => words.set(BaseType::Int),
            Tok::Float => words.set(BaseType::Float),
            Tok::Double => words.set(BaseType::Double),
            Tok::Int128 => words.set(BaseType::Int128),
            Tok::AutoType => words.set(BaseType::AutoType),
            Tok::VaList => words.set(BaseType::VaList),
            Tok::Short => Words::flag(&mut words.short, &mut words.clash),
            Tok::Signed => Words::flag(&mut words.signed, &mut words.clash),
            Tok::Unsigned => Words::flag(&mut words.unsigned, &mut words.clash),
            Tok::Complex => Words::flag(&mut words.complex, &mut words.clash),
            Tok::Long => words.longs = words.longs.saturating_add(1),
            Tok::BuiltinType => {
                let base = self.builtin_type();
                words.set(base);
            }
            _ => return false,
        }
        true
    }

    /// A type of the compiler that is one word. Where the data models differ we take the type that
    /// has the right size in both.
    fn builtin_type(&mut self) -> BaseType {
        let token = self.token();
        match self.token_text(token) {
            "__int128_t" => BaseType::Int128,
            "__uint128_t" => BaseType::UnsignedInt128,
            "__float80" | "_Float64x" => BaseType::LongDouble,
            "__float128" | "_Float128" => BaseType::Float128,
            "_Float32" => BaseType::Float,
            "_Float64" | "_Float32x" => BaseType::Double,
            "__SIZE_TYPE__" | "__UINTPTR_TYPE__" => BaseType::UnsignedLong,
            "__PTRDIFF_TYPE__" | "__INTPTR_TYPE__" => BaseType::Long,
            "__WCHAR_TYPE__" | "__INT32_TYPE__" => BaseType::Int,
            "__WINT_TYPE__" | "__UINT32_TYPE__" | "__CHAR32_TYPE__" => BaseType::UnsignedInt,
            "__INT8_TYPE__" => BaseType::SignedChar,
            "__UINT8_TYPE__" => BaseType::UnsignedChar,
            "__INT16_TYPE__" => BaseType::Short,
            "__UINT16_TYPE__" | "__CHAR16_TYPE__" => BaseType::UnsignedShort,
            "__INT64_TYPE__" | "__INTMAX_TYPE__" => BaseType::LongLong,
            "__UINT64_TYPE__" | "__UINTMAX_TYPE__" => BaseType::UnsignedLongLong,
            other => {
                let message = format!("the type `{other}`");
                self.unsupported(token.span(), message);
                // `_BitInt(n)`
                if self.ahead(1) == Tok::LParen && other == "_BitInt" {
                    self.advance();
                    self.skip_parentheses();
                    self.at -= 1;
                    return BaseType::Int;
                }
                BaseType::Double
            }
        }
    }

    pub(super) fn qualifier(&mut self, qualifiers: &mut Qualifiers) {
        match self.tok() {
            Tok::Const => qualifiers.constant = true,
            Tok::Volatile => qualifiers.volatile = true,
            Tok::Restrict => qualifiers.restrict = true,
            _ => qualifiers.atomic = true,
        }
    }

    /// `(type)` or `(expression)`.
    fn size_argument(&mut self) -> Parsed<SizeArg> {
        let open = self.start();
        self.expect(Tok::LParen, "`(`")?;
        let arg = if self.starts_type() {
            SizeArg::Type(Box::new(self.type_name()?))
        } else {
            SizeArg::Expr(self.expression()?)
        };
        self.expect_close(Tok::RParen, "`)`", open)?;
        Ok(arg)
    }

    /// A type as it stands in casts and `sizeof`.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.start();
        if !self.starts_type() {
            return self.expected("a type");
        }
        let specifiers = self.specifiers()?;
        let declarator = self.abstract_declarator()?;
        Ok(TypeName { specifiers, declarator, span: self.span_from(start) })
    }
}
