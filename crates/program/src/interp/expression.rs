//! From terms to instructions.
//!
//! A term is a graph with sharing, so each node is computed once per edge. The walk keeps its own
//! stack: terms can be deep. Operators are total and have no effects, so both branches of an
//! if-then-else are simply computed; only guards are cut short (see `choice`).

use term::{FpOp, Op, Symbol, Term};

use super::code::{
    ApplyInstr, ArrayInstr, ArrayOp, Encoding, ExtendedOp, FloatInstr, FloatOp, Format, Instr, NO_REG, Primitive, Rare,
    Reg, WideInstr,
};
use super::compile::{Compiler, Refusal, Shape};
use super::{extended, floats};

impl Compiler<'_> {
    /// Emits what computes the term and says where the value is. If it takes an instruction, the
    /// result goes to `wanted`.
    pub(super) fn value(&mut self, term: Term, wanted: Option<Reg>) -> Result<Reg, Refusal> {
        let mut stack = vec![(term, false)];
        while let Some((node, ready)) = stack.pop() {
            if self.lookup(node)?.is_some() {
                continue;
            }
            if ready {
                let wanted = wanted.filter(|_| node == term);
                let reg = self.operator(node, wanted)?;
                self.remember(node, reg);
            } else {
                stack.push((node, true));
                stack.extend(self.terms.args(node).iter().map(|&arg| (arg, false)));
            }
        }
        Ok(self.lookup(term)?.expect("the root was just computed"))
    }

    /// The register of a leaf, or of a term computed on this edge.
    fn lookup(&mut self, term: Term) -> Result<Option<Reg>, Refusal> {
        let terms = self.terms;
        match terms.op(term) {
            Op::True => Ok(Some(self.constant(&[1]))),
            Op::False => Ok(Some(self.constant(&[0]))),
            Op::Value => {
                let bits = terms.value(term).expect("a value has bits");
                Ok(Some(self.constant(bits.words())))
            }
            Op::Numeral => {
                let Shape::Float(format, encoding) = self.shape(terms.sort_of(term))? else {
                    unreachable!("only floats among numerals have registers")
                };
                let text = terms.numeral_text(term).expect("a numeral has text");
                let digits = text.trim_start_matches("#x").trim_start_matches("0x");
                let bits = u128::from_str_radix(digits, 16).map_err(|_| format!("the float literal {text}"))?;
                // A literal is in SMT-LIB's encoding, which has no integer bit.
                if format == Format::Extended {
                    let bits = extended::from_79_bits(bits);
                    return Ok(Some(self.constant(&[bits as u64, (bits >> 64) as u64])));
                }
                let word = match encoding {
                    Some(encoding) => {
                        let nearest = floats::decode(encoding, bits);
                        if floats::encode(encoding, nearest) != bits {
                            self.emit(Instr::Approximate);
                        }
                        nearest.to_bits()
                    }
                    None => bits as u64,
                };
                Ok(Some(self.constant(&[word])))
            }
            Op::Symbol(symbol) if terms.args(term).is_empty() => match self.variables.get(&term) {
                Some(&reg) => Ok(Some(reg)),
                None => Err(self.unknown_symbol(symbol, term)),
            },
            _ => Ok(self.known.get(&term).filter(|(round, _)| *round == self.round).map(|&(_, reg)| reg)),
        }
    }

    fn unknown_symbol(&self, symbol: Symbol, term: Term) -> Refusal {
        match self.shape(self.terms.sort_of(term)) {
            Err(reason) => reason,
            Ok(_) => format!("the uninterpreted function {}", self.terms.symbol_name(symbol)),
        }
    }

    fn remember(&mut self, term: Term, reg: Reg) {
        self.known.insert(term, (self.round, reg));
        self.known_log.push(term);
    }
    /// Forgets what was computed since the log had this length: it lies on a path not always taken.
    pub(super) fn forget_since(&mut self, length: usize) {
        for term in self.known_log.drain(length..) {
            self.known.remove(&term);
        }
    }

    fn arg(&mut self, term: Term, number: usize) -> Result<(Reg, Shape), Refusal> {
        let Some(&arg) = self.terms.args(term).get(number) else {
            return Err("an operator with too few arguments".to_owned());
        };
        let reg = self.lookup(arg)?.expect("arguments are computed first");
        Ok((reg, self.shape(self.terms.sort_of(arg))?))
    }

    /// One operator whose arguments have registers.
    fn operator(&mut self, term: Term, wanted: Option<Reg>) -> Result<Reg, Refusal> {
        let op = self.terms.op(term);
        let n_args = self.terms.args(term).len();
        let shape = self.shape(self.terms.sort_of(term))?;
        let (first, first_shape) = self.arg(term, 0)?;
        match op {
            Op::Select | Op::Store | Op::ConstArray => return self.array(op, term, shape, wanted),
            Op::Number(_) => return Err("arithmetic over Int and Real".to_owned()),
            Op::Fp(fp) => return self.float(fp, term, shape, wanted),
            Op::Ite => return self.if_then_else(term, shape, wanted),
            Op::Distinct => return self.distinct(term, wanted),
            Op::Symbol(symbol) => return self.application(symbol, term, shape, wanted),
            Op::Eq => {
                let (second, _) = self.arg(term, 1)?;
                let to = wanted.unwrap_or_else(|| self.fresh(1));
                self.equal(to, first, second, first_shape);
                return Ok(to);
            }
            Op::ZeroExtend(_) if shape.width() <= 64 => return Ok(first),
            _ => {}
        }
        let all_narrow = shape.width() <= 64 && (0..n_args).all(|i| self.arg(term, i).is_ok_and(|a| a.1.width() <= 64));
        if n_args <= 1 {
            let to = wanted.unwrap_or_else(|| self.fresh(shape.words()));
            if all_narrow {
                self.narrow_unary(op, to, first, shape.width(), first_shape.width())?;
            } else {
                self.wide(op, to, shape.width(), vec![(first, first_shape.width())]);
            }
            return Ok(to);
        }
        let folds = matches!(op, Op::And | Op::Or | Op::Xor | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul);
        if n_args > 2 && !folds {
            return Err("an operator with too many arguments".to_owned());
        }
        let mut left = first;
        for i in 1..n_args {
            let (right, right_shape) = self.arg(term, i)?;
            // Only the last step may write where an argument could still be needed.
            let to = match wanted {
                Some(wanted) if i + 1 == n_args => wanted,
                _ => self.fresh(shape.words()),
            };
            if all_narrow {
                self.narrow_binary(op, to, left, right, first_shape.width(), right_shape.width())?;
            } else {
                let args = vec![(left, first_shape.width()), (right, right_shape.width())];
                self.wide(op, to, shape.width(), args);
            }
            left = to;
        }
        Ok(left)
    }

    fn application(&mut self, symbol: Symbol, term: Term, shape: Shape, wanted: Option<Reg>) -> Result<Reg, Refusal> {
        let name = self.terms.symbol_name(symbol);
        let mut args = Vec::new();
        for number in 0..self.terms.args(term).len() {
            let (reg, arg) = self.arg(term, number)?;
            args.push((reg, self.passed(name, arg)?));
        }
        let width = self.passed(name, shape)?;
        let to = wanted.unwrap_or_else(|| self.fresh(shape.words()));
        let index = self.code.applications.len() as u32;
        self.code.applications.push(ApplyInstr { function: name.to_owned(), to, width, args });
        self.emit(Instr::Apply { index });
        Ok(to)
    }
    /// The width of an argument or result of an uninterpreted function.
    fn passed(&self, name: &str, shape: Shape) -> Result<u32, Refusal> {
        match shape {
            Shape::Truth | Shape::Bits(1..=128) => Ok(shape.width()),
            _ => Err(format!("the uninterpreted function {name} over this sort")),
        }
    }

    fn wide(&mut self, op: Op, to: Reg, width: u32, args: Vec<(Reg, u32)>) {
        let index = self.code.wide.len() as u32;
        self.code.wide.push(WideInstr { op, to, width, args });
        self.emit(Instr::Wide { index });
    }

    fn narrow_unary(&mut self, op: Op, to: Reg, from: Reg, width: u32, from_width: u32) -> Result<(), Refusal> {
        let shift = (64 - width) as u8;
        let from_shift = (64 - from_width) as u8;
        let instr = match op {
            Op::Not => Instr::Xor { to, left: from, right: self.constant(&[1]) },
            Op::BvNot => Instr::Not { shift, to, from },
            Op::BvNeg => Instr::Neg { shift, to, from },
            Op::Extract { low, .. } => Instr::Extract { shift, low: low as u8, to, from },
            Op::SignExtend(_) => Instr::SignExtend { shift, from_shift, to, from },
            _ => return Err(format!("the operator {op:?} with one argument")),
        };
        self.emit(instr);
        Ok(())
    }

    /// `width` is that of the operands.
    fn narrow_binary(
        &mut self,
        op: Op,
        to: Reg,
        left: Reg,
        right: Reg,
        width: u32,
        right_width: u32,
    ) -> Result<(), Refusal> {
        let shift = (64 - width) as u8;
        let rare = |op: Rare| Instr::Rare { op, shift, to, left, right };
        let instr = match op {
            Op::And | Op::BvAnd => Instr::And { to, left, right },
            Op::Or | Op::BvOr => Instr::Or { to, left, right },
            Op::Xor | Op::BvXor => Instr::Xor { to, left, right },
            Op::Implies => {
                let negated = self.fresh(1);
                let one = self.constant(&[1]);
                self.emit(Instr::Xor { to: negated, left, right: one });
                Instr::Or { to, left: negated, right }
            }
            Op::BvAdd => Instr::Add { shift, to, left, right },
            Op::BvSub => Instr::Sub { shift, to, left, right },
            Op::BvMul => Instr::Mul { shift, to, left, right },
            Op::BvUdiv => Instr::Udiv { shift, to, left, right },
            Op::BvShl => Instr::Shl { shift, to, left, right },
            Op::BvLshr => Instr::Lshr { shift, to, left, right },
            Op::BvAshr => Instr::Ashr { shift, to, left, right },
            Op::BvUlt => Instr::Ult { to, left, right },
            Op::BvUle => Instr::Ule { to, left, right },
            Op::BvUgt => Instr::Ult { to, left: right, right: left },
            Op::BvUge => Instr::Ule { to, left: right, right: left },
            Op::BvSlt => Instr::Slt { shift, to, left, right },
            Op::BvSle => Instr::Sle { shift, to, left, right },
            Op::BvSgt => Instr::Slt { shift, to, left: right, right: left },
            Op::BvSge => Instr::Sle { shift, to, left: right, right: left },
            Op::Concat => Instr::Concat { low_width: right_width as u8, to, high: left, low: right },
            Op::BvUrem => rare(Rare::Urem),
            Op::BvSdiv => rare(Rare::Sdiv),
            Op::BvSrem => rare(Rare::Srem),
            Op::BvUaddo => rare(Rare::Uaddo),
            Op::BvSaddo => rare(Rare::Saddo),
            Op::BvUmulo => rare(Rare::Umulo),
            Op::BvSmulo => rare(Rare::Smulo),
            Op::BvSsubo => rare(Rare::Ssubo),
            _ => return Err(format!("the operator {op:?} with two arguments")),
        };
        self.emit(instr);
        Ok(())
    }

    /// SMT-LIB's `=`.
    fn equal(&mut self, to: Reg, left: Reg, right: Reg, shape: Shape) {
        match shape {
            Shape::Float(format, _) => self.primitive(Primitive::Same, to, left, right, format, false),
            Shape::Array { index, element } => {
                let instr = self.code.arrays.len() as u32;
                let op = ArrayOp::Same { index_width: index };
                self.code.arrays.push(ArrayInstr {
                    op,
                    to,
                    array: left,
                    index: NO_REG,
                    element: right,
                    width: element,
                });
                self.emit(Instr::Array { index: instr });
            }
            Shape::Bits(width) if width > 64 => self.wide(Op::Eq, to, 1, vec![(left, width), (right, width)]),
            _ => self.emit(Instr::Eq { to, left, right }),
        }
    }

    fn distinct(&mut self, term: Term, wanted: Option<Reg>) -> Result<Reg, Refusal> {
        let n_args = self.terms.args(term).len();
        let mut args = Vec::with_capacity(n_args);
        for i in 0..n_args {
            args.push(self.arg(term, i)?);
        }
        // Whether some pair is equal.
        let any = self.fresh(1);
        let zero = self.constant(&[0]);
        self.copy(any, zero, 1);
        for (i, &(left, shape)) in args.iter().enumerate() {
            for &(right, _) in &args[..i] {
                let same = self.fresh(1);
                self.equal(same, left, right, shape);
                self.emit(Instr::Or { to: any, left: any, right: same });
            }
        }
        let to = wanted.unwrap_or_else(|| self.fresh(1));
        let one = self.constant(&[1]);
        self.emit(Instr::Xor { to, left: any, right: one });
        Ok(to)
    }

    fn if_then_else(&mut self, term: Term, shape: Shape, wanted: Option<Reg>) -> Result<Reg, Refusal> {
        let (when, _) = self.arg(term, 0)?;
        let (then, _) = self.arg(term, 1)?;
        let (otherwise, _) = self.arg(term, 2)?;
        let words = shape.words();
        // The target is written before the condition and the first branch are read.
        let to = wanted.filter(|&to| to != when && to != then).unwrap_or_else(|| self.fresh(words));
        self.copy(to, otherwise, words);
        for word in 0..words {
            self.emit(Instr::MoveIf { to: to + word, when, from: then + word });
        }
        Ok(to)
    }

    fn array(&mut self, op: Op, term: Term, shape: Shape, wanted: Option<Reg>) -> Result<Reg, Refusal> {
        let first = self.arg(term, 0)?;
        let index = if op == Op::ConstArray { NO_REG } else { self.arg(term, 1)?.0 };
        let element = if op == Op::Store { self.arg(term, 2)?.0 } else { first.0 };
        let (op, width) = match (op, first.1, shape) {
            (Op::Select, Shape::Array { element, .. }, _) => (ArrayOp::Select, element),
            (Op::Store, _, Shape::Array { element, .. }) => (ArrayOp::Store, element),
            (_, _, Shape::Array { element, .. }) => (ArrayOp::Constant, element),
            _ => return Err("arrays of this sort".to_owned()),
        };
        let to = wanted.unwrap_or_else(|| self.fresh(1));
        let instr = self.code.arrays.len() as u32;
        self.code.arrays.push(ArrayInstr { op, to, array: first.0, index, element, width });
        self.emit(Instr::Array { index: instr });
        Ok(to)
    }

    fn float_instr(&mut self, instr: FloatInstr) {
        let index = self.code.floats.len() as u32;
        self.code.floats.push(instr);
        self.emit(Instr::Float { index });
    }

    /// Code for a floating-point operator. Long: one `match` over all of them.
    fn float(&mut self, fp: FpOp, term: Term, shape: Shape, wanted: Option<Reg>) -> Result<Reg, Refusal> {
        let n_args = self.terms.args(term).len();
        let (left, left_shape) = self.arg(term, 0)?;
        let right = if n_args > 1 { self.arg(term, 1)?.0 } else { left };
        let (arg_format, arg_encoding) = match left_shape {
            Shape::Float(format, encoding) => (format, encoding),
            _ => (Format::Double, None),
        };
        let (format, encoding) = match shape {
            Shape::Float(format, encoding) => (format, encoding),
            _ => (arg_format, None),
        };
        // Numbers of binary128 are computed as `double`.
        let is_wide = encoding.is_some() || arg_encoding.is_some();
        if n_args != if primitive(fp).is_some_and(Primitive::is_binary) { 2 } else { 1 } {
            return Err("a float operator with another number of arguments".to_owned());
        }
        if let Some(op) = primitive(fp) {
            let to = wanted.unwrap_or_else(|| self.fresh(shape.words()));
            let approximate = is_wide
                && matches!(
                    op,
                    Primitive::Add
                        | Primitive::Sub
                        | Primitive::Mul
                        | Primitive::Div
                        | Primitive::Fmod
                        | Primitive::Rem
                        | Primitive::Sqrt
                        | Primitive::IsNormal
                        | Primitive::IsSubnormal
                );
            self.primitive(op, to, left, right, arg_format, approximate);
            return Ok(to);
        }
        let integer = |shape: Shape| match shape {
            Shape::Bits(width) if width <= 128 => Ok(width),
            _ => Err("a conversion between a float and this sort".to_owned()),
        };
        let from_extended = arg_format == Format::Extended;
        let to_extended = matches!(shape, Shape::Float(Format::Extended, _));
        let mut approximate = false;
        let op = match fp {
            FpOp::IsNegative if from_extended => return Ok(self.extended_is_negative(left, wanted)),
            FpOp::IsNegative => FloatOp::IsNegative,
            FpOp::FromFloat => match (from_extended, to_extended) {
                (true, true) => return Ok(left),
                (true, false) => {
                    approximate = encoding.is_some();
                    FloatOp::Extended(ExtendedOp::ToFloat)
                }
                (false, true) => FloatOp::Extended(ExtendedOp::FromFloat { from: arg_format }),
                (false, false) => FloatOp::FromFloat { from: arg_format },
            },
            FpOp::FromSigned => {
                let width = integer(left_shape)?;
                approximate = is_wide && width > 53;
                match to_extended {
                    true => FloatOp::Extended(ExtendedOp::FromSigned { width }),
                    false => FloatOp::FromSigned { width },
                }
            }
            FpOp::FromUnsigned => {
                let width = integer(left_shape)?;
                approximate = is_wide && width > 53;
                match to_extended {
                    true => FloatOp::Extended(ExtendedOp::FromUnsigned { width }),
                    false => FloatOp::FromUnsigned { width },
                }
            }
            FpOp::ToSigned => match (integer(shape)?, from_extended) {
                (width, true) => FloatOp::Extended(ExtendedOp::ToSigned { width }),
                (width, false) => FloatOp::ToSigned { width },
            },
            FpOp::ToUnsigned => match (integer(shape)?, from_extended) {
                (width, true) => FloatOp::Extended(ExtendedOp::ToUnsigned { width }),
                (width, false) => FloatOp::ToUnsigned { width },
            },
            FpOp::FromBits => match encoded((format, encoding), integer(left_shape)?)? {
                Some(encoding) => {
                    approximate = is_wide;
                    FloatOp::FromEncoding(encoding)
                }
                None if left_shape.width() == shape.width() => return Ok(left),
                None => return Err("a float from bits of another width".to_owned()),
            },
            FpOp::ToBits => match encoded((arg_format, arg_encoding), integer(shape)?)? {
                Some(encoding) => FloatOp::ToEncoding(encoding),
                None if left_shape.width() == shape.width() => return Ok(left),
                None => return Err("the bits of a float in another width".to_owned()),
            },
            _ => unreachable!("a primitive operator"),
        };
        // A conversion to an integer reads the format of its argument.
        let format =
            if matches!(op, FloatOp::ToSigned { .. } | FloatOp::ToUnsigned { .. }) { arg_format } else { format };
        let to = wanted.unwrap_or_else(|| self.fresh(shape.words()));
        self.float_instr(FloatInstr { op, to, left, right, format, approximate });
        Ok(to)
    }

    /// An operator on numbers of this format.
    fn primitive(&mut self, op: Primitive, to: Reg, left: Reg, right: Reg, format: Format, approximate: bool) {
        if format != Format::Extended {
            let op = FloatOp::Primitive(op);
            return self.float_instr(FloatInstr { op, to, left, right, format, approximate });
        }
        let left = if op.is_binary() {
            let both = self.fresh(4);
            self.copy(both, left, 2);
            self.copy(both + 2, right, 2);
            both
        } else {
            left
        };
        let op = FloatOp::Extended(ExtendedOp::Primitive(op));
        self.float_instr(FloatInstr { op, to, left, right: left, format, approximate });
    }
    /// Whether a number in the x87 format is below zero or the negative zero; NaN is not.
    fn extended_is_negative(&mut self, number: Reg, wanted: Option<Reg>) -> Reg {
        let (is_nan, sign) = (self.fresh(1), self.fresh(1));
        self.primitive(Primitive::IsNan, is_nan, number, number, Format::Extended, false);
        self.emit(Instr::Extract { shift: 63, low: 15, to: sign, from: number + 1 });
        let one = self.constant(&[1]);
        self.emit(Instr::Xor { to: is_nan, left: is_nan, right: one });
        let to = wanted.unwrap_or_else(|| self.fresh(1));
        self.emit(Instr::And { to, left: sign, right: is_nan });
        to
    }
}

/// The operator as one on numbers of one format; `None` for conversions and the sign.
fn primitive(fp: FpOp) -> Option<Primitive> {
    Some(match fp {
        FpOp::Add => Primitive::Add,
        FpOp::Sub => Primitive::Sub,
        FpOp::Mul => Primitive::Mul,
        FpOp::Div => Primitive::Div,
        FpOp::Fmod => Primitive::Fmod,
        FpOp::Rem => Primitive::Rem,
        FpOp::Neg => Primitive::Neg,
        FpOp::Abs => Primitive::Abs,
        FpOp::Sqrt => Primitive::Sqrt,
        FpOp::Floor => Primitive::Floor,
        FpOp::Ceil => Primitive::Ceil,
        FpOp::Trunc => Primitive::Trunc,
        FpOp::Round => Primitive::Round,
        FpOp::RoundEven => Primitive::RoundEven,
        FpOp::Min => Primitive::Min,
        FpOp::Max => Primitive::Max,
        FpOp::Eq => Primitive::Eq,
        FpOp::Lt => Primitive::Lt,
        FpOp::Le => Primitive::Le,
        FpOp::IsNan => Primitive::IsNan,
        FpOp::IsInfinite => Primitive::IsInfinite,
        FpOp::IsNormal => Primitive::IsNormal,
        FpOp::IsSubnormal => Primitive::IsSubnormal,
        FpOp::IsZero => Primitive::IsZero,
        FpOp::IsNegative
        | FpOp::FromFloat
        | FpOp::FromSigned
        | FpOp::FromUnsigned
        | FpOp::ToSigned
        | FpOp::ToUnsigned
        | FpOp::FromBits
        | FpOp::ToBits => return None,
    })
}

/// The encoding that this many bits are in, if it is not that of the registers.
fn encoded((format, encoding): (Format, Option<Encoding>), width: u32) -> Result<Option<Encoding>, Refusal> {
    match (format, encoding, width) {
        (Format::Extended, _, 80) => Ok(None),
        (Format::Extended, _, 79) => Ok(Some(Encoding::Extended79)),
        (_, None, _) => Ok(None),
        (_, Some(Encoding::Quad), 128) => Ok(Some(Encoding::Quad)),
        _ => Err(format!("a wide float as {width} bits")),
    }
}
