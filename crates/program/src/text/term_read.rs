//! Reads terms and sorts from s-expressions, without recursion, so that nesting has no limit.
//!
//! A stack holds what is open: an operator that collects arguments, a `let` that collects bindings or
//! has arrived at its body. Each finished value goes to the top of the stack. Symbols are those that
//! the file has declared; what happens to be in the store besides is not visible.

use base::{Bits, FastMap};
use term::{FpOp, MAX_WIDTH, NumberOp, Op, Sort, SortKind, Symbol, Term, Terms};

use super::cursor::{Cursor, Reported};
use super::lex::{Token, TokenKind};
use super::operators::{Operators, ROUNDED};
use crate::tuning::Tuning;

/// What a file has declared so far.
pub(super) struct Scope {
    pub(super) operators: Operators,
    pub(super) symbols: FastMap<String, Symbol>,
    pub(super) sorts: FastMap<String, Sort>,
    /// Terms that an enclosing `let` has named, innermost last.
    named: FastMap<String, Vec<Term>>,
}

impl Scope {
    pub(super) fn new() -> Self {
        Scope { operators: Operators::new(), symbols: FastMap::new(), sorts: FastMap::new(), named: FastMap::new() }
    }
}

// format: what a node of the store can hold.
/// What a node of the store can hold.
const MOST_ARGUMENTS: usize = 1 << 23;

/// What waits for its arguments.
#[derive(Clone, Copy)]
enum Head {
    Op(Op),
    /// A float operator whose result has this sort.
    To(FpOp, Sort),
    /// `to_fp` without a rounding mode takes bits; with one, a float or a signed integer.
    ToFloat(Sort),
    ConstArray(Sort),
}

enum Open {
    Application {
        head: Head,
        token: Token,
        args: Vec<Term>,
    },
    /// Inside `(name …)` of a `let`; `done` are the bindings before.
    Binding {
        name: String,
        done: Vec<(String, Term)>,
    },
    /// Inside the body of a `let` with these names.
    Body {
        names: Vec<String>,
    },
}

/// Reads one term. If it cannot, everything wrong is reported and the cursor stands behind it.
pub(super) fn read_term(cursor: &mut Cursor<'_>, terms: &mut Terms, scope: &mut Scope) -> Result<Term, Reported> {
    let start = cursor.position();
    let result = Reader { cursor, terms, scope }.term();
    if result.is_err() {
        scope.named.clear();
        skip_expression(cursor, start);
    }
    result
}

/// Reads one sort.
pub(super) fn read_sort(cursor: &mut Cursor<'_>, terms: &mut Terms, scope: &mut Scope) -> Result<Sort, Reported> {
    let start = cursor.position();
    let result = Reader { cursor, terms, scope }.sort();
    if result.is_err() {
        skip_expression(cursor, start);
    }
    result
}

/// Goes behind the s-expression that starts at the position.
fn skip_expression(cursor: &mut Cursor<'_>, start: usize) {
    cursor.go_to(start);
    let mut depth = 0usize;
    loop {
        match cursor.peek().kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth <= 1 => {
                if depth == 1 {
                    cursor.next();
                }
                return;
            }
            TokenKind::Close => depth -= 1,
            TokenKind::End | TokenKind::OpenBrace | TokenKind::CloseBrace => return,
            TokenKind::Comma | TokenKind::Word | TokenKind::Quoted | TokenKind::String => {}
        }
        cursor.next();
        if depth == 0 {
            return;
        }
    }
}

struct Reader<'r, 's> {
    cursor: &'r mut Cursor<'s>,
    terms: &'r mut Terms,
    scope: &'r mut Scope,
}

impl Reader<'_, '_> {
    fn term(&mut self) -> Result<Term, Reported> {
        let mut stack: Vec<Open> = Vec::new();
        loop {
            let Some(value) = self.value_or_open(&mut stack)? else { continue };
            // Hand the value over; a `let` whose body it is hands it on.
            loop {
                if let Some(Open::Application { args, .. }) = stack.last_mut() {
                    args.push(value);
                    break;
                }
                match stack.pop() {
                    None | Some(Open::Application { .. }) => return Ok(value),
                    Some(Open::Binding { name, mut done }) => {
                        self.cursor.expect(TokenKind::Close, "`)` behind a binding")?;
                        done.push((name, value));
                        if self.cursor.take(TokenKind::Close) {
                            let names = done.iter().map(|(name, _)| name.clone()).collect();
                            for (name, value) in done {
                                self.scope.named.get_or_insert_with(name, Vec::new).push(value);
                            }
                            stack.push(Open::Body { names });
                        } else {
                            stack.push(self.binding(done)?);
                        }
                        break;
                    }
                    Some(Open::Body { names }) => {
                        self.cursor.expect(TokenKind::Close, "`)` behind the body of `let`")?;
                        for name in names {
                            self.scope.named.get_mut(&name).expect("a bound name is known").pop();
                        }
                    }
                }
            }
        }
    }

    /// Reads a leaf, or the closing bracket of an application; or opens something.
    fn value_or_open(&mut self, stack: &mut Vec<Open>) -> Result<Option<Term>, Reported> {
        let token = self.cursor.peek();
        match token.kind {
            TokenKind::Close => match stack.pop() {
                Some(Open::Application { head, token, args }) => {
                    self.cursor.next();
                    self.apply(head, token, &args).map(Some)
                }
                _ => Err(self.cursor.expected("a term")),
            },
            TokenKind::Open => {
                self.cursor.next();
                self.open(stack)
            }
            TokenKind::Word | TokenKind::Quoted => {
                self.cursor.next();
                self.leaf(token).map(Some)
            }
            _ => Err(self.cursor.expected("a term")),
        }
    }

    /// What comes behind an opening bracket.
    fn open(&mut self, stack: &mut Vec<Open>) -> Result<Option<Term>, Reported> {
        let token = self.cursor.peek();
        match self.cursor.peek_word() {
            "let" => {
                self.cursor.next();
                self.cursor.expect(TokenKind::Open, "`(` before the bindings of `let`")?;
                stack.push(self.binding(Vec::new())?);
                return Ok(None);
            }
            "_" => {
                self.cursor.next();
                return self.decimal_value().map(Some);
            }
            "as" => {
                self.cursor.next();
                return self.numeral().map(Some);
            }
            _ => {}
        }
        let head = match token.kind {
            TokenKind::Open => {
                self.cursor.next();
                self.indexed_head()?
            }
            TokenKind::Word | TokenKind::Quoted => {
                self.cursor.next();
                self.named_head(token)?
            }
            _ => return Err(self.cursor.expected("an operator")),
        };
        stack.push(Open::Application { head, token, args: Vec::new() });
        Ok(None)
    }

    fn binding(&mut self, done: Vec<(String, Term)>) -> Result<Open, Reported> {
        self.cursor.expect(TokenKind::Open, "`(` before a binding")?;
        let token = self.cursor.expect(TokenKind::Word, "a name to bind")?;
        Ok(Open::Binding { name: self.cursor.source.text(token).to_owned(), done })
    }

    fn leaf(&mut self, token: Token) -> Result<Term, Reported> {
        if token.kind == TokenKind::Word {
            let word = self.cursor.source.text(token);
            if let Some(&value) = self.scope.named.get(word).and_then(|values| values.last()) {
                return Ok(value);
            }
            match word {
                "true" | "false" => return Ok(self.terms.truth(word == "true")),
                _ if word.starts_with('#') => return self.literal(token, word),
                _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                    let sort = self.terms.sort(SortKind::Int);
                    return self.numeral_of(token, word, sort);
                }
                _ => {}
            }
        }
        let head = self.named_head(token)?;
        self.apply(head, token, &[])
    }

    fn literal(&mut self, token: Token, word: &str) -> Result<Term, Reported> {
        let bits = match word.split_at_checked(2) {
            Some(("#x", digits)) => Bits::parse_hex(digits),
            Some(("#b", digits)) => Bits::parse_binary(digits),
            _ => None,
        };
        match bits {
            Some(bits) if bits.width() <= MAX_WIDTH => Ok(self.terms.bits(bits)),
            _ => Err(self.cursor.report(token, "this is not a bit-vector literal such as `#x0f` or `#b01`")),
        }
    }

    /// Behind `(_`: the literal `bv5 32)`.
    fn decimal_value(&mut self) -> Result<Term, Reported> {
        let token = self.cursor.peek();
        let digits = self.cursor.peek_word().strip_prefix("bv");
        let Some(digits) =
            digits.filter(|digits| digits.len() <= Tuning::DEFAULT.max_digits && !digits.starts_with('-'))
        else {
            return Err(self.cursor.expected("a literal such as `(_ bv5 32)`"));
        };
        self.cursor.next();
        let width = self.width()?;
        self.cursor.expect(TokenKind::Close, "`)`")?;
        match Bits::parse_decimal(width, digits) {
            Some(bits) => Ok(self.terms.bits(bits)),
            None => Err(self.cursor.report(token, format!("this is no number of at most {width} bits"))),
        }
    }

    /// Behind `(as`: the numeral `|-5| Int)`.
    fn numeral(&mut self) -> Result<Term, Reported> {
        let (token, text) = self.cursor.name("a numeral")?;
        let sort = self.sort()?;
        self.cursor.expect(TokenKind::Close, "`)`")?;
        self.numeral_of(token, &text, sort)
    }
    fn numeral_of(&mut self, token: Token, text: &str, sort: Sort) -> Result<Term, Reported> {
        let known = if text.len() <= Tuning::DEFAULT.max_digits { self.terms.try_numeral(sort, text) } else { None };
        if let Some(term) = known {
            return Ok(term);
        }
        let sort = self.terms.sort_text(sort);
        Err(self.cursor.report(token, format!("this is not a number of sort {sort}")))
    }

    /// An operator or symbol that is one word.
    fn named_head(&mut self, token: Token) -> Result<Head, Reported> {
        let name = match token.kind {
            TokenKind::Word => self.cursor.source.text(token).to_owned(),
            _ => self.cursor.source.unquoted(token),
        };
        if token.kind == TokenKind::Word {
            if let Some(op) = self.scope.operators.named(&name) {
                return Ok(Head::Op(op));
            }
            if ROUNDED.iter().any(|&(known, _, _)| known == name) {
                let mode = self.cursor.peek_word();
                return match ROUNDED.iter().find(|&&(known, with, _)| known == name && with == mode) {
                    Some(&(_, _, op)) => {
                        self.cursor.next();
                        Ok(Head::Op(Op::Fp(op)))
                    }
                    None => Err(self.cursor.expected("a rounding mode that this operator is known with")),
                };
            }
        }
        match self.scope.symbols.get(&name) {
            Some(&symbol) => Ok(Head::Op(Op::Symbol(symbol))),
            None => Err(self.cursor.report(token, format!("`{name}` is not declared here"))),
        }
    }

    /// Behind `((`: `_ extract 7 0)`, `as const (Array …))` and their like.
    fn indexed_head(&mut self) -> Result<Head, Reported> {
        if self.cursor.take_word("as") {
            self.cursor.expect_word("const")?;
            let token = self.cursor.peek();
            let sort = self.sort()?;
            if !matches!(self.terms.sort_kind(sort), SortKind::Array(..)) {
                return Err(self.cursor.report(token, "a constant array has an array sort"));
            }
            self.cursor.expect(TokenKind::Close, "`)`")?;
            return Ok(Head::ConstArray(sort));
        }
        self.cursor.expect_word("_")?;
        let word = self.cursor.peek_word();
        let token = self.cursor.next();
        let head = match word {
            "extract" => {
                let high = self.cursor.number("the highest bit")?;
                Head::Op(Op::Extract { high, low: self.cursor.number("the lowest bit")? })
            }
            "zero_extend" => Head::Op(Op::ZeroExtend(self.cursor.number("a number of bits")?)),
            "sign_extend" => Head::Op(Op::SignExtend(self.cursor.number("a number of bits")?)),
            "rotate_left" => Head::Op(Op::RotateLeft(self.cursor.number("a number of bits")?)),
            "rotate_right" => Head::Op(Op::RotateRight(self.cursor.number("a number of bits")?)),
            "repeat" => Head::Op(Op::Repeat(self.cursor.number("how many times")?)),
            "to_fp" => Head::ToFloat(self.float_sort()?),
            "to_fp_unsigned" => Head::To(FpOp::FromUnsigned, self.float_sort()?),
            "fp.to_sbv" | "fp.to_ubv" => {
                let width = self.width()?;
                let op = if word == "fp.to_sbv" { FpOp::ToSigned } else { FpOp::ToUnsigned };
                Head::To(op, self.terms.bv_sort(width))
            }
            _ => return Err(self.cursor.report(token, "this is not an operator with indices")),
        };
        self.cursor.expect(TokenKind::Close, "`)`")?;
        Ok(match head {
            Head::ToFloat(sort) if self.cursor.take_word("RNE") => Head::To(FpOp::FromFloat, sort),
            Head::To(op, _) => {
                self.cursor.expect_word(if op == FpOp::FromUnsigned { "RNE" } else { "RTZ" })?;
                head
            }
            _ => head,
        })
    }

    fn apply(&mut self, head: Head, token: Token, args: &[Term]) -> Result<Term, Reported> {
        let op = match head {
            Head::Op(Op::Number(NumberOp::Sub)) if args.len() == 1 => Op::Number(NumberOp::Neg),
            Head::Op(op) => op,
            Head::To(op, sort) => return self.convert(op, token, sort, args),
            Head::ToFloat(sort) => return self.convert(FpOp::FromBits, token, sort, args),
            Head::ConstArray(sort) => return self.const_array(token, sort, args),
        };
        match self.terms.result_sort(op, args) {
            Ok(_) if args.len() < MOST_ARGUMENTS => Ok(self.terms.make(op, args)),
            Ok(_) => Err(self.cursor.report(token, "there are too many arguments")),
            Err(message) => Err(self.cursor.report(token, message)),
        }
    }

    /// Conversions between floats and bits, whose result does not follow from the arguments.
    fn convert(&mut self, op: FpOp, token: Token, sort: Sort, args: &[Term]) -> Result<Term, Reported> {
        let &[arg] = args else {
            return Err(self.cursor.report(token, format!("a conversion takes one argument, not {}", args.len())));
        };
        let from = self.terms.sort_kind(self.terms.sort_of(arg));
        let (op, fits) = match (op, from) {
            (FpOp::FromFloat, SortKind::BitVec(_)) => (FpOp::FromSigned, true),
            (FpOp::FromUnsigned, SortKind::BitVec(_)) => (op, true),
            (FpOp::FromFloat | FpOp::ToSigned | FpOp::ToUnsigned, SortKind::Float(..)) => (op, true),
            (FpOp::FromBits, SortKind::BitVec(width)) => {
                (op, matches!(self.terms.sort_kind(sort), SortKind::Float(e, s) if e + s == *width))
            }
            _ => (op, false),
        };
        if fits {
            return Ok(self.terms.fp(op, args, sort));
        }
        let (from, to) = (self.terms.sort_text(self.terms.sort_of(arg)), self.terms.sort_text(sort));
        Err(self.cursor.report(token, format!("there is no such conversion from {from} to {to}")))
    }

    fn const_array(&mut self, token: Token, sort: Sort, args: &[Term]) -> Result<Term, Reported> {
        match (self.terms.sort_kind(sort), args) {
            (&SortKind::Array(_, element), &[arg]) if self.terms.sort_of(arg) == element => {
                Ok(self.terms.const_array(sort, arg))
            }
            _ => Err(self.cursor.report(token, "a constant array takes one element of its element sort")),
        }
    }

    fn sort(&mut self) -> Result<Sort, Reported> {
        // An array sort waits for its index sort, then for its element sort.
        let mut stack: Vec<Option<Sort>> = Vec::new();
        loop {
            let token = self.cursor.peek();
            let mut sort = match token.kind {
                TokenKind::Open => {
                    self.cursor.next();
                    if self.cursor.take_word("Array") {
                        stack.push(None);
                        continue;
                    }
                    self.cursor.expect_word("_")?;
                    let sort = if self.cursor.take_word("BitVec") {
                        let width = self.width()?;
                        self.terms.bv_sort(width)
                    } else {
                        self.cursor.expect_word("FloatingPoint")?;
                        self.float_sort()?
                    };
                    self.cursor.expect(TokenKind::Close, "`)`")?;
                    sort
                }
                TokenKind::Word | TokenKind::Quoted => {
                    let (token, name) = self.cursor.name("a sort")?;
                    match (token.kind, name.as_str()) {
                        (TokenKind::Word, "Bool") => self.terms.bool_sort(),
                        (TokenKind::Word, "Int") => self.terms.sort(SortKind::Int),
                        (TokenKind::Word, "Real") => self.terms.sort(SortKind::Real),
                        _ => match self.scope.sorts.get(&name) {
                            Some(&sort) => sort,
                            None => {
                                return Err(self.cursor.report(token, format!("the sort `{name}` is not declared")));
                            }
                        },
                    }
                }
                _ => return Err(self.cursor.expected("a sort")),
            };
            loop {
                match stack.pop() {
                    None => return Ok(sort),
                    Some(None) => {
                        stack.push(Some(sort));
                        break;
                    }
                    Some(Some(index)) => {
                        self.cursor.expect(TokenKind::Close, "`)`")?;
                        sort = self.terms.sort(SortKind::Array(index, sort));
                    }
                }
            }
        }
    }

    fn width(&mut self) -> Result<u32, Reported> {
        let token = self.cursor.peek();
        match self.cursor.number("a width")? {
            width @ 1..=MAX_WIDTH => Ok(width),
            _ => Err(self.cursor.report(token, format!("a bit-vector has 1 to {MAX_WIDTH} bits"))),
        }
    }

    fn float_sort(&mut self) -> Result<Sort, Reported> {
        let token = self.cursor.peek();
        let exponent: u32 = self.cursor.number("the bits of the exponent")?;
        let significand: u32 = self.cursor.number("the bits of the significand")?;
        if !(2..=60).contains(&exponent) || !(2..=1000).contains(&significand) {
            return Err(self.cursor.report(token, "this is not a usable floating-point format"));
        }
        Ok(self.terms.sort(SortKind::Float(exponent, significand)))
    }
}
