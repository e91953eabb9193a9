//! Parsing: tokens to syntax tree, by recursive descent.
//!
//! The grammar is C11 with the GNU extensions of real preprocessed code. Each part of it is one
//! file: `item` (file scope), `specifier`, `record` (structs, unions, enums), `declarator`,
//! `initializer`, `statement`, `expression` (operators), `primary` (operands), `attribute`,
//! `assembler`. `scope` knows which names are types, `recover` what to do after an error.
//!
//! **Depth.** Whatever nests is counted: more than [`MAX_NESTING`] levels of parentheses, blocks,
//! declarators, initialisers, prefix operators or structs are refused. Chains that need no
//! recursion here (`a + b + …`, `x ? y : z ? …`, `a = b = …`, `case 1: case 2: …`) may be longer, but
//! they too make the tree deep, so the parser measures the tree and guarantees: **no path from a
//! statement or a file-scope expression down through statements, expressions and the types and
//! initialisers inside them passes more than [`MAX_DEPTH`] expressions and statements.** Stages that
//! recurse over the tree can rely on it, given a stack that holds that number of their frames.
//! `else if` chains and argument lists are flat and cost no depth.

mod assembler;
mod attribute;
mod c23;
mod declarator;
mod expression;
mod initializer;
mod item;
mod primary;
mod record;
mod recover;
mod scope;
mod specifier;
mod statement;

use base::{Diagnostic, Id, Severity};

use crate::ast::*;
use crate::lex::{Problem, Tok, Token, lex};
use crate::source::Source;
use scope::Scopes;

// law: the stack holds this many levels.
/// How many levels of brackets, blocks, operators and so on may stand inside each other.
pub const MAX_NESTING: u32 = 1000;
/// How many expressions and statements a path down the tree can pass; see the module's text.
pub const MAX_DEPTH: u32 = 20_000;

/// Parses a whole unit; the diagnostics are all that were found, and the tree is usable only without errors.
pub fn parse(source: &Source) -> (Ast, Vec<Diagnostic>) {
    let mut ast = Ast::default();
    let diagnostics = parse_more(&mut ast, source, 0);
    (ast, diagnostics)
}

/// Parses the text from byte `start` on as the continuation of what `ast` holds: identifiers keep
/// their names, and types named at file scope are known. `start` is what [`Source::append`] returned.
///
/// ```
/// use cfront::{parse, source::Source};
/// let mut source = Source::new("user.c", "typedef int number; number one(void) { return 1; }");
/// let (mut ast, diagnostics) = parse::parse(&source);
/// assert!(diagnostics.is_empty());
/// let start = source.append("model.c", "number two(void) { return 2; }");
/// assert!(parse::parse_more(&mut ast, &source, start).is_empty());
/// assert_eq!(ast.items.len(), 3);
/// ```
pub fn parse_more(ast: &mut Ast, source: &Source, start: u32) -> Vec<Diagnostic> {
    let start = start.min(source.text.len() as u32);
    let mut lexed = lex(&source.text, start, &mut ast.names);
    ast.weak.append(&mut lexed.weak);
    let mut scopes = Scopes::new(ast.names.len());
    for item in &ast.items {
        let Item::Declaration(declaration) = item else { continue };
        for init in &declaration.declarators {
            if let Some(name) = init.declarator.name {
                scopes.declare(name, declaration.specifiers.storage.typedef);
            }
        }
    }
    let modern = c23::modern_words(&ast.names);
    let mut parser = Parser {
        source,
        text: &source.text,
        tokens: lexed.tokens,
        at: 0,
        first_expr: ast.exprs.len(),
        ast,
        scopes,
        problems: lexed.problems,
        packs: lexed.packs,
        modern,
        nesting: 0,
        expr_depths: Vec::new(),
        deepest: 0,
        operators: Vec::new(),
        stopped: false,
        suspect: None,
    };
    parser.translation_unit();
    parser.diagnostics()
}

/// A diagnostic has been given; the handler of this error synchronises.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

/// Where the parser stands and what it knows.
struct Parser<'s> {
    source: &'s Source,
    text: &'s str,
    /// Law: the last token is `Eof`, and `at` is never beyond it.
    tokens: Vec<Token>,
    at: usize,
    /// Expressions below this id belong to text parsed earlier.
    first_expr: usize,
    ast: &'s mut Ast,
    scopes: Scopes,
    problems: Vec<Problem>,
    packs: Vec<(u32, u32)>,
    /// Words that C23 made keywords, as far as the text has them.
    modern: Vec<(Name, c23::Modern)>,
    nesting: u32,
    /// Depth of the tree below each expression of this run.
    expr_depths: Vec<u16>,
    /// The greatest depth of an expression or statement since the last call of `measured`.
    deepest: u32,
    /// Binary operators that wait for their right operand, of all expressions under way.
    operators: Vec<expression::Waiting>,
    /// No more diagnostics: one said that we stop.
    stopped: bool,
    /// A function that begins in the first column although a block is open: a brace is missing before it.
    suspect: Option<Span>,
}

impl<'s> Parser<'s> {
    fn tok(&self) -> Tok {
        self.tokens[self.at].kind
    }

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    /// The kind of the token `ahead` places after the current one.
    fn ahead(&self, n: usize) -> Tok {
        self.tokens.get(self.at + n).map_or(Tok::Eof, |token| token.kind)
    }

    fn start(&self) -> u32 {
        self.tokens[self.at].start
    }

    /// Where the token before this one ended.
    fn last_end(&self) -> u32 {
        if self.at == 0 { self.start() } else { self.tokens[self.at - 1].end }
    }

    fn span_from(&self, start: u32) -> Span {
        Span { start, end: self.last_end().max(start) }
    }

    fn token_text(&self, token: Token) -> &'s str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Takes the token if it is of this kind.
    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.tok() == kind;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, kind: Tok, what: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { self.expected(what) }
    }

    /// Takes the bracket that closes the one at `open`.
    fn expect_close(&mut self, kind: Tok, what: &str, open: u32) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let help = if self.source.same_line(open, self.start()) {
            String::new()
        } else {
            let opening = self.text[open as usize..].chars().next().unwrap_or(' ');
            format!("to close the `{opening}` of line {}", self.source.place(open).line)
        };
        self.expected_with_help(what, help)
    }

    fn identifier(&mut self, what: &str) -> Parsed<(Name, Span)> {
        let token = self.token();
        if token.kind != Tok::Ident {
            return self.expected(what);
        }
        self.advance();
        Ok((token.name, token.span()))
    }

    /// Whether this token can begin a declaration or a type name.
    fn starts_type(&self) -> bool {
        self.starts_type_at(0)
    }

    fn starts_type_at(&self, n: usize) -> bool {
        let following = self.tokens[self.at..].iter().skip(n);
        match following.copied().find(|token| token.kind != Tok::Extension) {
            Some(token) if token.kind == Tok::Ident => {
                self.scopes.is_type(token.name)
                    || match self.modern(token) {
                        Some(c23::Modern::Keyword(kind)) => kind.is_specifier(),
                        Some(c23::Modern::Constexpr | c23::Modern::TypeofUnqual) => true,
                        _ => false,
                    }
            }
            Some(token) => token.kind.is_specifier(),
            None => false,
        }
    }

    /// Parses something one level deeper, or says that this is too deep.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            return self.too_deep();
        }
        self.nesting += 1;
        let result = inside(self);
        self.nesting -= 1;
        result
    }

    #[cold]
    #[inline(never)]
    fn too_deep<T>(&mut self) -> Parsed<T> {
        let span = self.token().span();
        self.report(span, "nested too deeply", format!("at most {MAX_NESTING} levels are supported"));
        self.stop();
        Err(Failed)
    }

    /// Parses something and returns with it the depth of the deepest tree made on the way.
    fn measured<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<(T, u32)> {
        let before = std::mem::take(&mut self.deepest);
        let result = inside(self);
        let depth = self.deepest;
        self.deepest = before.max(depth);
        result.map(|value| (value, depth))
    }

    fn depth_of(&self, expr: ExprId) -> u32 {
        u32::from(self.expr_depths[expr.index() - self.first_expr])
    }

    /// Adds an expression; `below` is the depth of its deepest part.
    fn make(&mut self, kind: ExprKind, span: Span, operator: u32, below: u32) -> ExprId {
        let depth = self.note_depth(below, span);
        self.expr_depths.push(depth.unwrap_or(1) as u16);
        // What would be too deep is left out, so that the promise holds even for a tree with errors.
        let kind = if depth.is_some() { kind } else { ExprKind::Error };
        self.ast.exprs.push(Expr { kind, span, operator })
    }

    /// The depth of a node above parts of depth `below`, unless that is too much.
    fn note_depth(&mut self, below: u32, span: Span) -> Option<u32> {
        let depth = below + 1;
        if depth > MAX_DEPTH {
            self.chain_too_long(span);
            return None;
        }
        self.deepest = self.deepest.max(depth);
        Some(depth)
    }

    #[cold]
    #[inline(never)]
    fn chain_too_long(&mut self, span: Span) {
        let help = format!("at most {MAX_DEPTH} operators or labels in a chain are supported");
        self.report(Span { start: span.start, end: span.start + 1 }, "nested too deeply", help);
        self.stop();
    }

    fn report(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report_as(Severity::Error, span, message.into(), help.into());
    }

    fn unsupported(&mut self, span: Span, message: impl Into<String>) {
        self.report_as(Severity::Unsupported, span, message.into(), String::new());
    }
}

#[cfg(test)]
mod tests;
