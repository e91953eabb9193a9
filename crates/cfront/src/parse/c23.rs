//! Words that are keywords only in C23: `bool`, `true`, `nullptr`, `constexpr` and others.
//!
//! Older programs use them as names of their own. So such a word counts as a keyword until the program declares
//! it, and where a declaration could name it, it is a name.

use base::IndexVec;

use super::Parser;
use crate::ast::*;
use crate::lex::{Tok, Token};

/// What a word means in C23.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Modern {
    /// The keyword that older C spells otherwise.
    Keyword(Tok),
    Constexpr,
    TypeofUnqual,
    True,
    False,
    Nullptr,
}

const WORDS: &[(&str, Modern)] = &[
    ("alignas", Modern::Keyword(Tok::Alignas)),
    ("alignof", Modern::Keyword(Tok::Alignof)),
    ("bool", Modern::Keyword(Tok::Bool)),
    ("constexpr", Modern::Constexpr),
    ("false", Modern::False),
    ("nullptr", Modern::Nullptr),
    ("static_assert", Modern::Keyword(Tok::StaticAssert)),
    ("thread_local", Modern::Keyword(Tok::ThreadLocal)),
    ("true", Modern::True),
    ("typeof_unqual", Modern::TypeofUnqual),
    ("__typeof_unqual__", Modern::TypeofUnqual),
    ("__typeof_unqual", Modern::TypeofUnqual),
];

/// Those of the words that the text mentions.
pub(super) fn modern_words(names: &IndexVec<Name, Box<str>>) -> Vec<(Name, Modern)> {
    let meaning = |text: &str| WORDS.iter().find(|(word, _)| *word == text).map(|&(_, modern)| modern);
    names.iter_enumerated().filter_map(|(name, text)| meaning(text).map(|modern| (name, modern))).collect()
}

impl Parser<'_> {
    /// What the token means in C23, if the program has not declared it as something of its own.
    pub(super) fn modern(&self, token: Token) -> Option<Modern> {
        if token.kind != Tok::Ident || self.modern.is_empty() || self.scopes.is_declared(token.name) {
            return None;
        }
        self.modern.iter().find(|(name, _)| *name == token.name).map(|&(_, modern)| modern)
    }

    /// The kind of the token here, where a name cannot be declared.
    pub(super) fn modern_tok(&self) -> Tok {
        match self.modern(self.token()) {
            Some(Modern::Keyword(kind)) => kind,
            _ => self.tok(),
        }
    }

    /// `true`, `false` and `nullptr` as casts of integers.
    pub(super) fn modern_constant(&mut self, modern: Modern, span: Span) -> Option<ExprId> {
        let (value, base, pointer) = match modern {
            Modern::True => (1, BaseType::Bool, false),
            Modern::False => (0, BaseType::Bool, false),
            Modern::Nullptr => (0, BaseType::Void, true),
            _ => return None,
        };
        let integer = ExprKind::Integer { value, unsigned: false, longs: 0, decimal: true };
        let integer = self.make(integer, span, span.start, 0);
        let specifiers = Specifiers {
            storage: Storage::default(),
            qualifiers: Qualifiers::default(),
            base,
            align_as: Vec::new(),
            attributes: Vec::new(),
            span,
        };
        let parts = if pointer { vec![DeclaratorPart::Pointer(Qualifiers::default())] } else { Vec::new() };
        let declarator = Declarator { name: None, parts, attributes: Vec::new(), span };
        let name = TypeName { specifiers, declarator, span };
        Some(self.make(ExprKind::Cast(Box::new(name), integer), span, span.start, 1))
    }
}
