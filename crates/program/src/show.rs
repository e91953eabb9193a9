//! Terms and actions as a C programmer would write them, for drawings, reports and messages.
//!
//! Variables have the names the user gave them. What C leaves to the types is marked at the operator: `<s`, `/s`,
//! `%s`, `>>s` are signed and `<u`, `/u`, `%u`, `>>u` unsigned; floats have no mark. A term too large to
//! be read is cut with `…` at the greatest depth for which the rest stays small, so the shape of its
//! head survives. The text is for readers only; the form that can be read back is `text`.

use base::{Bits, FastMap};
use term::{FpOp, NumberOp, Op, Sort, SortKind, Term, Terms};

use crate::{Action, InputKind, Lifetime, Program, Shown, Undefined, Var};

/// Shows terms over the variables of a program.
pub struct Show<'p> {
    program: &'p Program,
    terms: &'p Terms,
    var_of: FastMap<Term, Var>,
    /// About how many variables, literals and operators are shown of one term.
    nodes: usize,
}

// law: the stack holds this many levels.
/// Nothing deeper is shown, so that showing may recurse.
const MAX_DEPTH: u32 = 100;

// format: how strongly operators bind.
// How strongly operators bind, as in C; implication and exclusive or of truth values find a place between.
const TERNARY: u8 = 1;
const IMPLIES: u8 = 2;
const OR: u8 = 3;
const AND: u8 = 4;
const BITWISE: u8 = 5;
const EQUALITY: u8 = 6;
const ORDER: u8 = 7;
const SHIFT: u8 = 8;
const SUM: u8 = 9;
const PRODUCT: u8 = 10;
const UNARY: u8 = 11;
const ATOM: u8 = 12;

/// A piece of text and how strongly its head binds.
struct Piece {
    text: String,
    binds: u8,
}

impl<'p> Show<'p> {
    /// Shows terms of up to about a thousand nodes in full.
    pub fn new(program: &'p Program, terms: &'p Terms) -> Self {
        let mut var_of = FastMap::new();
        for (id, var) in program.vars.iter_enumerated() {
            var_of.insert(var.term, id);
        }
        Show { program, terms, var_of, nodes: 1000 }
    }
    /// Cuts terms to about this many nodes.
    pub fn shortened(mut self, nodes: usize) -> Self {
        self.nodes = nodes.max(1);
        self
    }
    /// The term in infix notation.
    pub fn term(&self, term: Term) -> String {
        self.piece(term, self.depth_for(term), false).text
    }
    /// What happens on an edge, on one line; a step on which nothing happens is empty.
    pub fn action(&self, action: &Action) -> String {
        let term = |term: Term| self.term(term);
        let at = |address: Term| format!("*{}", self.operand(address, self.depth_for(address), UNARY, true));
        match action {
            Action::Assume(condition) if self.terms.op(*condition) == Op::True => String::new(),
            Action::Assume(condition) => format!("[{}]", term(*condition)),
            Action::Assign(pairs) => {
                let pairs = pairs.iter().map(|&(var, value)| {
                    let unsigned = self.is_unsigned(self.program.vars[var].term);
                    format!("{} := {}", self.name(var), self.piece(value, self.depth_for(value), unsigned).text)
                });
                pairs.collect::<Vec<_>>().join(", ")
            }
            Action::Havoc { var, input } => match &self.program.inputs[*input].kind {
                InputKind::Nondet(name) | InputKind::External(name) => format!("{} := {name}()", self.name(*var)),
                InputKind::Uninitialised(_)
                | InputKind::Memory
                | InputKind::Unspecified(_)
                | InputKind::Order { .. } => {
                    format!("{} := ?", self.name(*var))
                }
            },
            Action::Load { var, address } => format!("{} := {}", self.name(*var), at(*address)),
            Action::Store { address, value } => format!("{} := {}", at(*address), term(*value)),
            Action::Forget { address, size: None, .. } => format!("{} := ?", at(*address)),
            Action::Forget { address, size: Some(size), .. } => {
                format!("{} := ? for {} bytes", at(*address), term(*size))
            }
            Action::Call { function, args, result } => {
                let args: Vec<String> = args.iter().map(|&arg| term(arg)).collect();
                let call = format!("{}({})", self.program.functions[*function].name, args.join(", "));
                result.map_or_else(|| call.clone(), |result| format!("{} := {call}", self.name(result)))
            }
            Action::Alloc { var, size, lifetime, input, .. } => {
                let how = match (lifetime, input) {
                    (Lifetime::Heap, Some(_)) => "malloc",
                    (Lifetime::Heap, None) => "zeroed malloc",
                    (Lifetime::Frame, Some(_)) => "alloca",
                    (Lifetime::Frame, None) => "zeroed alloca",
                };
                format!("{} := {how}({})", self.name(*var), term(*size))
            }
            Action::Free { address, lifetime: Lifetime::Heap } => format!("free({})", term(*address)),
            Action::Free { address, lifetime: Lifetime::Frame } => format!("end of the array at {}", term(*address)),
            Action::End { object } => format!("end of {}", self.program.objects[*object].name),
            Action::Probe { var, address, bytes, access } => {
                format!(
                    "{} := whether {} of {bytes} bytes at {} is valid",
                    self.name(*var),
                    access.word(),
                    term(*address)
                )
            }
            Action::Check { what, holds } => format!("{} unless {}", undefined(*what), term(*holds)),
            Action::Order(_) => String::new(),
        }
    }
    /// The name that the user gave the variable.
    pub fn name(&self, var: Var) -> &'p str {
        &self.program.vars[var].name
    }

    /// The greatest depth at which no more nodes are shown than wanted.
    fn depth_for(&self, term: Term) -> u32 {
        let (mut fits, mut too_deep) = (1, MAX_DEPTH + 1);
        while too_deep - fits > 1 {
            let middle = fits.midpoint(too_deep);
            if self.is_small(term, middle) {
                fits = middle;
            } else {
                too_deep = middle;
            }
        }
        fits
    }
    fn is_small(&self, term: Term, depth: u32) -> bool {
        let mut stack = vec![(term, depth)];
        let mut seen = 0;
        while let Some((term, depth)) = stack.pop() {
            seen += 1;
            if seen > self.nodes {
                return false;
            }
            if depth > 1 {
                let args = self.terms.args(term);
                if args.len() > self.nodes {
                    return false;
                }
                stack.extend(args.iter().map(|&arg| (arg, depth - 1)));
            }
        }
        true
    }

    /// The term as part of another, between brackets if it binds less than needed.
    fn operand(&self, term: Term, depth: u32, needed: u8, unsigned: bool) -> String {
        let Piece { text, binds } = self.piece(term, depth, unsigned);
        if binds < needed { format!("({text})") } else { text }
    }

    /// The text of a term with the strength of its outermost operator. Long: one `match` over all operators.
    fn piece(&self, term: Term, depth: u32, unsigned: bool) -> Piece {
        let terms = self.terms;
        let op = terms.op(term);
        let args = terms.args(term);
        let atom = |text: String| Piece { text, binds: ATOM };
        match op {
            Op::True => return atom("true".to_owned()),
            Op::False => return atom("false".to_owned()),
            Op::Value => return literal(&terms.value(term).expect("a literal has a value"), unsigned),
            Op::Numeral => {
                return atom(numeral(
                    terms.sort_kind(terms.sort_of(term)),
                    terms.numeral_text(term).expect("a numeral has a text"),
                ));
            }
            Op::Symbol(symbol) if args.is_empty() => {
                let name = self.var_of.get(&term).map(|&var| self.name(var));
                return atom(name.unwrap_or_else(|| terms.symbol_name(symbol)).to_owned());
            }
            _ if depth <= 1 => return atom("…".to_owned()),
            _ => {}
        }
        let depth = depth - 1;
        let infix = |sign: &str, binds: u8, needed: u8, unsigned: bool| {
            let (first, rest) = args.split_first().expect("an infix operator has arguments");
            // Operators of one strength group to the left, so only the first may bind as weakly as this one.
            let mut text = self.operand(*first, depth, needed, unsigned);
            for &arg in rest {
                let needed = needed.max(binds + 1);
                text = format!("{text} {sign} {}", self.operand(arg, depth, needed, unsigned));
            }
            Piece { text, binds }
        };
        let prefix = |sign: &str| {
            // Two signs in a row would read as a decrement.
            let needed = if sign == "-" { ATOM } else { UNARY };
            Piece { text: format!("{sign}{}", self.operand(args[0], depth, needed, unsigned)), binds: UNARY }
        };
        let call = |name: &str| {
            let args: Vec<String> = args.iter().map(|&arg| self.piece(arg, depth, unsigned).text).collect();
            atom(format!("{name}({})", args.join(", ")))
        };
        let overflow = |kind: &str, sign: &str| {
            let text = match args {
                &[arg] => format!("-{}", self.operand(arg, depth, ATOM, false)),
                _ => infix(sign, SUM, UNARY, kind == "u").text,
            };
            atom(format!("overflow_{kind}({text})"))
        };
        let either = unsigned || args.iter().any(|&arg| self.is_unsigned(arg));
        match op {
            Op::True | Op::False | Op::Value | Op::Numeral => unreachable!("leaves have been shown"),
            Op::Symbol(symbol) => call(terms.symbol_name(symbol)),
            Op::Not => self.negation(args[0], depth),
            Op::And => infix("&&", AND, BITWISE, false),
            Op::Or => infix("||", OR, BITWISE, false),
            Op::Xor => infix("^^", OR, BITWISE, false),
            Op::Implies => infix("=>", IMPLIES, OR, false),
            Op::Eq if self.is_float(args[0]) => call("same"),
            Op::Eq => infix("==", EQUALITY, ORDER, either),
            Op::Ite => Piece {
                text: format!(
                    "{} ? {} : {}",
                    self.operand(args[0], depth, IMPLIES, false),
                    self.operand(args[1], depth, IMPLIES, either),
                    self.operand(args[2], depth, TERNARY, either)
                ),
                binds: TERNARY,
            },
            Op::BvNot => prefix("~"),
            Op::BvNeg => prefix("-"),
            Op::BvAnd => infix("&", BITWISE, UNARY, true),
            Op::BvOr => infix("|", BITWISE, UNARY, true),
            Op::BvXor => infix("^", BITWISE, UNARY, true),
            Op::BvAdd => infix("+", SUM, SUM, either),
            Op::BvSub => infix("-", SUM, SUM, either),
            Op::BvMul => infix("*", PRODUCT, PRODUCT, either),
            Op::BvUdiv => infix("/u", PRODUCT, PRODUCT, true),
            Op::BvUrem => infix("%u", PRODUCT, PRODUCT, true),
            Op::BvSdiv => infix("/s", PRODUCT, PRODUCT, false),
            Op::BvSrem => infix("%s", PRODUCT, PRODUCT, false),
            Op::BvShl => infix("<<", SHIFT, PRODUCT, true),
            Op::BvLshr => infix(">>u", SHIFT, PRODUCT, true),
            Op::BvAshr => infix(">>s", SHIFT, PRODUCT, false),
            Op::BvUlt => infix("<u", ORDER, SHIFT, true),
            Op::BvUle => infix("<=u", ORDER, SHIFT, true),
            Op::BvUgt => infix(">u", ORDER, SHIFT, true),
            Op::BvUge => infix(">=u", ORDER, SHIFT, true),
            Op::BvSlt => infix("<s", ORDER, SHIFT, false),
            Op::BvSle => infix("<=s", ORDER, SHIFT, false),
            Op::BvSgt => infix(">s", ORDER, SHIFT, false),
            Op::BvSge => infix(">=s", ORDER, SHIFT, false),
            Op::BvUaddo => overflow("u", "+"),
            Op::BvSaddo => overflow("s", "+"),
            Op::BvUmulo => overflow("u", "*"),
            Op::BvSmulo => overflow("s", "*"),
            Op::BvSsubo => overflow("s", "-"),
            Op::Extract { high, low } => atom(format!("{}[{high}:{low}]", self.operand(args[0], depth, ATOM, true))),
            Op::ZeroExtend(_) => prefix(&format!("(u{})", terms.width(term))),
            Op::SignExtend(_) => prefix(&format!("(s{})", terms.width(term))),
            Op::Select => atom(format!(
                "{}[{}]",
                self.operand(args[0], depth, ATOM, false),
                self.piece(args[1], depth, true).text
            )),
            Op::Store => atom(format!(
                "{}[{} := {}]",
                self.operand(args[0], depth, ATOM, false),
                self.piece(args[1], depth, true).text,
                self.piece(args[2], depth, false).text
            )),
            Op::ConstArray => call("all"),
            Op::Number(op) => match op {
                NumberOp::Add => infix("+", SUM, SUM, false),
                NumberOp::Sub => infix("-", SUM, SUM, false),
                NumberOp::Mul => infix("*", PRODUCT, PRODUCT, false),
                NumberOp::Div => infix("/", PRODUCT, PRODUCT, false),
                NumberOp::IntDiv => infix("div", PRODUCT, PRODUCT, false),
                NumberOp::Mod => infix("mod", PRODUCT, PRODUCT, false),
                NumberOp::Lt => infix("<", ORDER, SHIFT, false),
                NumberOp::Le => infix("<=", ORDER, SHIFT, false),
                NumberOp::Gt => infix(">", ORDER, SHIFT, false),
                NumberOp::Ge => infix(">=", ORDER, SHIFT, false),
                NumberOp::Neg => prefix("-"),
                NumberOp::Abs => call("abs"),
                NumberOp::ToReal => prefix("(real)"),
                NumberOp::ToInt => call("floor"),
                NumberOp::IsInt => call("is_int"),
            },
            Op::Fp(op) => match op {
                FpOp::Add => infix("+", SUM, SUM, false),
                FpOp::Sub => infix("-", SUM, SUM, false),
                FpOp::Mul => infix("*", PRODUCT, PRODUCT, false),
                FpOp::Div => infix("/", PRODUCT, PRODUCT, false),
                FpOp::Eq => infix("==", EQUALITY, ORDER, false),
                FpOp::Lt => infix("<", ORDER, SHIFT, false),
                FpOp::Le => infix("<=", ORDER, SHIFT, false),
                FpOp::Neg => prefix("-"),
                FpOp::Fmod => call("fmod"),
                FpOp::Rem => call("remainder"),
                FpOp::Abs => call("fabs"),
                FpOp::Sqrt => call("sqrt"),
                FpOp::Floor => call("floor"),
                FpOp::Ceil => call("ceil"),
                FpOp::Trunc => call("trunc"),
                FpOp::Round => call("round"),
                FpOp::RoundEven => call("rint"),
                FpOp::Min => call("fmin"),
                FpOp::Max => call("fmax"),
                FpOp::IsNan => call("isnan"),
                FpOp::IsInfinite => call("isinf"),
                FpOp::IsNormal => call("isnormal"),
                FpOp::IsSubnormal => call("issubnormal"),
                FpOp::IsZero => call("iszero"),
                FpOp::IsNegative => call("signbit"),
                FpOp::FromFloat | FpOp::FromSigned => {
                    prefix(&format!("({})", self.type_name(terms.sort_of(term), "s")))
                }
                FpOp::FromUnsigned => Piece {
                    text: format!(
                        "({})(unsigned){}",
                        self.type_name(terms.sort_of(term), "u"),
                        self.operand(args[0], depth, UNARY, true)
                    ),
                    binds: UNARY,
                },
                FpOp::ToSigned => prefix(&format!("({})", self.type_name(terms.sort_of(term), "s"))),
                FpOp::ToUnsigned => prefix(&format!("({})", self.type_name(terms.sort_of(term), "u"))),
                FpOp::FromBits => call(&format!("{}_of_bits", self.type_name(terms.sort_of(term), "u"))),
                FpOp::ToBits => call("bits_of"),
            },
            // Without a sign of its own: `distinct`, `concat`.
            _ => call(op.row().name),
        }
    }

    /// A negation, drawn into a comparison of bit-vectors where there is a sign for that.
    fn negation(&self, arg: Term, depth: u32) -> Piece {
        let terms = self.terms;
        let (sign, binds, unsigned) = match terms.op(arg) {
            Op::Eq if !self.is_float(terms.args(arg)[0]) => ("!=", EQUALITY, false),
            Op::BvUlt => (">=u", ORDER, true),
            Op::BvUle => (">u", ORDER, true),
            Op::BvUgt => ("<=u", ORDER, true),
            Op::BvUge => ("<u", ORDER, true),
            Op::BvSlt => (">=s", ORDER, false),
            Op::BvSle => (">s", ORDER, false),
            Op::BvSgt => ("<=s", ORDER, false),
            Op::BvSge => ("<s", ORDER, false),
            _ => return Piece { text: format!("!{}", self.operand(arg, depth, UNARY, false)), binds: UNARY },
        };
        if depth <= 1 {
            return Piece { text: "…".to_owned(), binds: ATOM };
        }
        let args = terms.args(arg);
        let unsigned = unsigned || binds == EQUALITY && args.iter().any(|&arg| self.is_unsigned(arg));
        let side = |arg: Term| self.operand(arg, depth - 1, binds + 1, unsigned);
        Piece { text: format!("{} {sign} {}", side(args[0]), side(args[1])), binds }
    }

    /// Whether it is a variable whose values are shown without a sign.
    fn is_unsigned(&self, term: Term) -> bool {
        let shown = self.var_of.get(&term).map(|&var| self.program.vars[var].shown);
        matches!(shown, Some(Shown::Unsigned | Shown::Pointer))
    }
    fn is_float(&self, term: Term) -> bool {
        matches!(self.terms.sort_kind(self.terms.sort_of(term)), SortKind::Float(..))
    }
    fn type_name(&self, sort: Sort, sign: &str) -> String {
        match self.terms.sort_kind(sort) {
            SortKind::Float(8, 24) => "float".to_owned(),
            SortKind::Float(11, 53) => "double".to_owned(),
            SortKind::Float(exponent, significand) => format!("float{}", exponent + significand),
            SortKind::BitVec(width) => format!("{sign}{width}"),
            _ => self.terms.sort_text(sort),
        }
    }
}

/// Small numbers in decimal, with a sign where that is the custom; others in hexadecimal.
fn literal(bits: &Bits, unsigned: bool) -> Piece {
    // format: larger numbers are written in hexadecimal.
    const SMALL: i64 = 100_000;
    let atom = |text: String| Piece { text, binds: ATOM };
    let negative = bits.to_i64().filter(|value| !unsigned && bits.width() > 1 && (-SMALL..0).contains(value));
    if let Some(value) = negative {
        return Piece { text: value.to_string(), binds: UNARY };
    }
    match bits.to_u64() {
        Some(value) if value <= SMALL as u64 => atom(value.to_string()),
        _ => atom(format!("0x{}", bits.to_hex().trim_start_matches('0'))),
    }
}

fn numeral(sort: &SortKind, text: &str) -> String {
    match sort {
        SortKind::Float(8, 24) => u32::from_str_radix(text, 16)
            .map_or_else(|_| text.to_owned(), |bits| format!("{:?}f", f32::from_bits(bits))),
        SortKind::Float(11, 53) => {
            u64::from_str_radix(text, 16).map_or_else(|_| text.to_owned(), |bits| format!("{:?}", f64::from_bits(bits)))
        }
        SortKind::Float(..) => format!("0x{text}"),
        _ if text.starts_with('-') || text.contains('/') => format!("({text})"),
        _ => text.to_owned(),
    }
}

/// What is undefined, in the words of a C programmer.
pub(crate) fn undefined(what: Undefined) -> &'static str {
    match what {
        Undefined::DivisionByZero => "division by zero",
        Undefined::ShiftOutOfRange => "shift out of range",
        Undefined::SignedOverflow => "signed overflow",
        Undefined::BadFunctionPointer => "call of no such function",
        Undefined::FloatToInteger => "float does not fit the integer",
        Undefined::MissingReturn => "missing return value",
        Undefined::Unreachable => "unreachable code",
        Undefined::BadLength => "array length not positive",
        Undefined::DivisionOverflow => "quotient too large",
        Undefined::BrokenPromise => "broken promise of an attribute",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    /// Reads the term, in which `i j` are signed, `u v` unsigned, `p` a pointer, `c` Bool, `b` a byte, `f` a float,
    /// and expects it to be shown so.
    #[track_caller]
    fn check(term: &str, expected: &str) {
        check_shortened(term, 1000, expected);
    }
    #[track_caller]
    fn check_shortened(term: &str, nodes: usize, expected: &str) {
        let declarations = "global i (_ BitVec 32) signed\nglobal j (_ BitVec 32) signed\n\
             global u (_ BitVec 32) unsigned\nglobal v (_ BitVec 32) unsigned\nglobal p (_ BitVec 32) pointer\n\
             global c Bool plain\nglobal b (_ BitVec 8) signed\nglobal f (_ FloatingPoint 8 24) float\n\
             global a (Array (_ BitVec 32) (_ BitVec 8)) plain\nglobal n Int plain\n";
        for (sort, wrap) in [
            ("Bool", ""),
            ("(_ BitVec 32)", "x"),
            ("(_ BitVec 8)", "y"),
            ("(_ FloatingPoint 8 24)", "z"),
            ("(Array (_ BitVec 32) (_ BitVec 8))", "w"),
            ("Int", "m"),
            ("(_ BitVec 64)", "l"),
            ("(_ FloatingPoint 11 53)", "d"),
        ] {
            let target = if wrap.is_empty() { "t" } else { wrap };
            let text = format!(
                "cfa 1\npointer 32\nentry main\n{declarations}global {target} {sort} plain\n\
                 function main () entry L0 exit L1 {{\nat L0\nassign {target} := {term} -> L1\nat L1\n}}\n"
            );
            let mut terms = Terms::without_simplification();
            let program = parse("t.cfa", &text, &mut terms).expect("the term is well formed");
            if crate::validate(&program, &terms).is_err() {
                continue; // The term has another sort.
            }
            let edge = program.edges.iter().next().expect("there is one edge");
            let Action::Assign(pairs) = &edge.action else { panic!("the edge assigns") };
            assert_eq!(Show::new(&program, &terms).shortened(nodes).term(pairs[0].1), expected);
            return;
        }
        panic!("no sort fits {term}");
    }

    #[test]
    fn comparisons_say_whether_they_are_signed() {
        check("(bvslt (bvadd i #x00000001) #x0000000a)", "i + 1 <s 10");
        check("(bvult u #xffffffff)", "u <u 0xffffffff");
        check("(bvslt i #xffffffff)", "i <s -1");
        check("(= u #xffffffff)", "u == 0xffffffff");
        check("(= i #xffffffff)", "i == -1");
        check("(not (bvsle i j))", "i >s j");
        check("(not (= i j))", "i != j");
        check("(not c)", "!c");
        check("(not (and c c))", "!(c && c)");
    }

    #[test]
    fn brackets_stand_only_where_they_are_needed() {
        check("(bvadd (bvadd i j) (bvadd i j))", "i + j + (i + j)");
        check("(bvsub i (bvsub i j))", "i - (i - j)");
        check("(bvadd (bvmul i j) i)", "i * j + i");
        check("(bvmul (bvadd i j) i)", "(i + j) * i");
        check("(bvand (bvor i j) #x000000ff)", "(i | j) & 255");
        check("(= (bvand i j) i)", "(i & j) == i");
        check("(or (and c c) (=> c c))", "(c && c) || (c => c)");
        check("(ite c (ite c i j) (ite c j i))", "c ? (c ? i : j) : c ? j : i");
        check("(bvneg (bvneg i))", "-(-i)");
        check("(bvshl (bvadd i j) #x00000002)", "(i + j) << 2");
        check("(bvsdiv (bvurem u v) (bvashr i j))", "u %u v /s (i >>s j)");
    }

    #[test]
    fn widths_slices_arrays_and_floats_read_as_in_c() {
        check("((_ zero_extend 24) b)", "(u32)b");
        check("((_ sign_extend 32) (bvadd i j))", "(s64)(i + j)");
        check("((_ extract 7 0) (bvadd i j))", "(i + j)[7:0]");
        check("(select (store a p b) u)", "a[p := b][u]");
        check("(fp.lt f (fp.add RNE f (fp #b0 #b01111111 #b10000000000000000000000)))", "f < f + 1.5f");
        check("(= f f)", "same(f, f)");
        check("(not (fp.eq f f))", "!(f == f)");
        check("((_ to_fp 11 53) RNE i)", "(double)i");
        check("((_ fp.to_sbv 32) RTZ f)", "(s32)f");
        check("(bvsaddo i j)", "overflow_s(i + j)");
        check("(< (- n) (- 5))", "-n < (-5)");
        check("(concat #b0000000 ((_ extract 24 0) i))", "concat(0, i[24:0])");
    }

    #[test]
    fn large_terms_keep_their_head_and_lose_their_depth() {
        let deep = format!("(bvslt {}i{} j)", "(bvadd j ".repeat(50_000), ")".repeat(50_000));
        check_shortened(&deep, 8, "j + (j + …) <s j");
        let wide = format!("(and {})", "(= i j) ".repeat(5000));
        check_shortened(&wide, 10, "…");
        let narrow = "(and (= i j) (= u v))";
        check_shortened(narrow, 3, "… && …");
        check_shortened(narrow, 7, "i == j && u == v");
    }
}
