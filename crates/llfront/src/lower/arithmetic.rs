//! Pure instructions on scalars: arithmetic, comparisons, conversions, addresses.
//!
//! Truth values are of sort Bool, and arithmetic on them is logic. Promises (`nuw`, `exact`, …) are checks in front of the total operator.

use program::{AssertionKind, Undefined};
use term::{FpOp, Op, Term};

use crate::Property;
use crate::ir::{Binary, Cast, Flags, Operation, Type, TypeId, Typed, Value};

use super::{Leaf, Lowered, Lowering};

impl<'s> Lowering<'_, 's, '_> {
    /// The value of an instruction without effects.
    pub(super) fn pure(&mut self, operation: &Operation<'s>) -> Lowered<Vec<Leaf>> {
        match operation {
            Operation::Binary { op, flags, left, right } => {
                let right = Typed { ty: left.ty, value: right.clone() };
                self.by_leaf(left, &right, |this, a, b, ty| this.binary(*op, *flags, a, b, ty))
            }
            Operation::Icmp { predicate, flags, left, right } => {
                let right = Typed { ty: left.ty, value: right.clone() };
                let samesign = flags.samesign;
                self.by_leaf(left, &right, |this, a, b, _| this.compare(predicate, samesign, a, b))
            }
            Operation::Fcmp { predicate, left, right } => {
                let right = Typed { ty: left.ty, value: right.clone() };
                self.by_leaf(left, &right, |this, a, b, _| this.float_compare(predicate, a, b))
            }
            Operation::Fneg(value) => {
                let terms = self.operand_terms(value)?;
                if !terms.iter().all(|&term| self.is_float(term)) {
                    return Err("arithmetic on a type that does not have it".to_owned());
                }
                Ok(terms
                    .into_iter()
                    .map(|term| {
                        let sort = self.terms.sort_of(term);
                        Leaf::Term(self.terms.fp(FpOp::Neg, &[term], sort))
                    })
                    .collect())
            }
            Operation::Cast { op, flags, from, to } => self.cast(*op, *flags, from, *to),
            Operation::Freeze(value) => Ok(self.operand_terms(value)?.into_iter().map(Leaf::Term).collect()),
            Operation::Select { condition, then, otherwise } => self.select(condition, then, otherwise),
            Operation::Gep { source, base, indices } => self.element_address(*source, base, indices),
            Operation::LandingPad { .. } => Err("landing pad that is reached".to_owned()),
            other => self.aggregate(other),
        }
    }
    /// Part by part.
    fn by_leaf(
        &mut self,
        left: &Typed<'s>,
        right: &Typed<'s>,
        mut op: impl FnMut(&mut Self, Term, Term, TypeId) -> Lowered<Term>,
    ) -> Lowered<Vec<Leaf>> {
        let types = self.shapes.leaves(left.ty)?;
        let (left, right) = (self.operand_terms(left)?, self.operand_terms(right)?);
        let mut result = Vec::new();
        for ((a, b), (_, ty)) in left.into_iter().zip(right).zip(types) {
            result.push(Leaf::Term(op(self, a, b, ty)?));
        }
        Ok(result)
    }

    // ---- arithmetic

    fn binary(&mut self, op: Binary, flags: Flags, a: Term, b: Term, ty: TypeId) -> Lowered<Term> {
        let is_float = matches!(op, Binary::Fadd | Binary::Fsub | Binary::Fmul | Binary::Fdiv | Binary::Frem);
        if is_float != self.is_float(a) {
            return Err("arithmetic on a type that does not have it".to_owned());
        }
        if is_float {
            let op = match op {
                Binary::Fadd => FpOp::Add,
                Binary::Fsub => FpOp::Sub,
                Binary::Fmul => FpOp::Mul,
                Binary::Fdiv => FpOp::Div,
                _ => FpOp::Fmod,
            };
            let sort = self.terms.sort_of(a);
            return Ok(self.terms.fp(op, &[a, b], sort));
        }
        if self.terms.is_bool(a) {
            return self.logic(op, a, b);
        }
        self.check_promises(op, flags, a, b, ty);
        let op = match op {
            Binary::Add => Op::BvAdd,
            Binary::Sub => Op::BvSub,
            Binary::Mul => Op::BvMul,
            Binary::Udiv => Op::BvUdiv,
            Binary::Sdiv => Op::BvSdiv,
            Binary::Urem => Op::BvUrem,
            Binary::Srem => Op::BvSrem,
            Binary::Shl => Op::BvShl,
            Binary::Lshr => Op::BvLshr,
            Binary::Ashr => Op::BvAshr,
            Binary::And => Op::BvAnd,
            Binary::Or => Op::BvOr,
            _ => Op::BvXor,
        };
        Ok(self.terms.make(op, &[a, b]))
    }
    fn logic(&mut self, op: Binary, a: Term, b: Term) -> Lowered<Term> {
        Ok(match op {
            Binary::And | Binary::Mul => self.terms.and(&[a, b]),
            Binary::Or => self.terms.or(&[a, b]),
            Binary::Xor | Binary::Add | Binary::Sub => self.terms.xor(a, b),
            _ => return Err("division or shift of single bits".to_owned()),
        })
    }
    fn check_promises(&mut self, op: Binary, flags: Flags, a: Term, b: Term, _ty: TypeId) {
        let width = self.terms.width(a);
        let zero = self.terms.bits(base::Bits::zero(width));
        let counts_overflow = self.options.property == Property::NoOverflow && !self.is_rust;
        match op {
            Binary::Udiv | Binary::Sdiv | Binary::Urem | Binary::Srem => {
                let not_zero = self.terms.ne(b, zero);
                if counts_overflow || self.options.property == Property::Errors && !self.is_rust {
                    self.require(not_zero, AssertionKind::Division, "the division");
                } else {
                    self.check(Undefined::DivisionByZero, not_zero);
                }
                if matches!(op, Binary::Sdiv | Binary::Srem) {
                    let overflows = self.terms.derive(term::Derived::BvSdivo, &[a, b]);
                    let fits = self.terms.not(overflows);
                    if counts_overflow {
                        self.require(fits, AssertionKind::Overflow, "the division");
                    } else {
                        self.check(Undefined::DivisionOverflow, fits);
                    }
                }
            }
            Binary::Shl | Binary::Lshr | Binary::Ashr => {
                let limit = self.terms.bits(base::Bits::from_u64(width, u64::from(width)));
                // Where the width is no number of this width, every amount is in range.
                if self.terms.small_value(limit) == Some(u64::from(width)) || width > 64 {
                    let in_range = self.terms.bv_ult(b, limit);
                    if counts_overflow {
                        self.require(in_range, AssertionKind::Shift, "the shift");
                    } else {
                        self.check(Undefined::ShiftOutOfRange, in_range);
                    }
                }
            }
            _ => {}
        }
        if flags.nsw && counts_overflow && matches!(op, Binary::Add | Binary::Sub | Binary::Mul) {
            let fits = self.fits(op, true, a, b);
            self.require(fits, AssertionKind::Overflow, "the operation");
        }
        if flags.nuw && matches!(op, Binary::Add | Binary::Sub | Binary::Mul) {
            let fits = self.fits(op, false, a, b);
            self.check(Undefined::BrokenPromise, fits);
        }
        if flags.nuw && op == Binary::Shl {
            let shifted = self.terms.bv_shl(a, b);
            let back = self.terms.bv_lshr(shifted, b);
            let fits = self.terms.eq(back, a);
            self.check(Undefined::BrokenPromise, fits);
        }
        if flags.exact {
            let rest = match op {
                Binary::Udiv => self.terms.bv_urem(a, b),
                Binary::Sdiv => self.terms.bv_srem(a, b),
                Binary::Lshr | Binary::Ashr => {
                    let shifted = self.terms.bv_lshr(a, b);
                    let back = self.terms.bv_shl(shifted, b);
                    self.terms.bv_xor(back, a)
                }
                _ => zero,
            };
            let is_exact = self.terms.eq(rest, zero);
            self.check(Undefined::BrokenPromise, is_exact);
        }
        if flags.disjoint {
            let both = self.terms.bv_and(a, b);
            let none = self.terms.eq(both, zero);
            self.check(Undefined::BrokenPromise, none);
        }
    }
    /// Whether the exact result fits: computed in a width where nothing is lost, or by a comparison.
    pub(super) fn fits(&mut self, op: Binary, signed: bool, a: Term, b: Term) -> Term {
        let width = self.terms.width(a);
        match (op, signed) {
            (Binary::Add, false) => {
                let sum = self.terms.bv_add(a, b);
                self.terms.bv_ule(a, sum)
            }
            (Binary::Sub, false) => self.terms.bv_ule(b, a),
            _ => {
                let wide = if op == Binary::Mul { 2 * width } else { width + 1 };
                let (x, y) = (self.resized(a, signed, wide), self.resized(b, signed, wide));
                let op = match op {
                    Binary::Add => Op::BvAdd,
                    Binary::Sub => Op::BvSub,
                    _ => Op::BvMul,
                };
                let exact = self.terms.make(op, &[x, y]);
                let low = self.terms.extract(exact, width - 1, 0);
                let back = self.resized(low, signed, wide);
                self.terms.eq(back, exact)
            }
        }
    }
    pub(super) fn compare(&mut self, predicate: &str, samesign: bool, a: Term, b: Term) -> Lowered<Term> {
        if self.terms.is_bool(a) && matches!(predicate, "eq" | "ne") {
            let equal = self.terms.eq(a, b);
            return Ok(if predicate == "eq" { equal } else { self.terms.not(equal) });
        }
        let (a, b) = (self.bits_of_value(a), self.bits_of_value(b));
        if samesign {
            let zero = self.terms.bits(base::Bits::zero(self.terms.width(a)));
            let (x, y) = (self.terms.bv_slt(a, zero), self.terms.bv_slt(b, zero));
            let same = self.terms.eq(x, y);
            self.check(Undefined::BrokenPromise, same);
        }
        Ok(match predicate {
            "eq" => self.terms.eq(a, b),
            "ne" => self.terms.ne(a, b),
            "ult" => self.terms.bv_ult(a, b),
            "ule" => self.terms.bv_ule(a, b),
            "ugt" => self.terms.bv_ult(b, a),
            "uge" => self.terms.bv_ule(b, a),
            "slt" => self.terms.bv_slt(a, b),
            "sle" => self.terms.bv_sle(a, b),
            "sgt" => self.terms.bv_slt(b, a),
            "sge" => self.terms.bv_sle(b, a),
            other => return Err(format!("comparison `{other}`")),
        })
    }
    fn float_compare(&mut self, predicate: &str, a: Term, b: Term) -> Lowered<Term> {
        let truth = self.terms.bool_sort();
        if !self.is_float(a) {
            return Err("comparison of a type that does not have it".to_owned());
        }
        if matches!(predicate, "true" | "false") {
            return Ok(self.terms.truth(predicate == "true"));
        }
        let (x, y) = (self.terms.fp(FpOp::IsNan, &[a], truth), self.terms.fp(FpOp::IsNan, &[b], truth));
        let unordered = self.terms.or(&[x, y]);
        let kind = predicate.get(1..).unwrap_or("");
        let holds = match kind {
            "eq" | "ne" => self.terms.fp(FpOp::Eq, &[a, b], truth),
            "lt" => self.terms.fp(FpOp::Lt, &[a, b], truth),
            "le" => self.terms.fp(FpOp::Le, &[a, b], truth),
            "gt" => self.terms.fp(FpOp::Lt, &[b, a], truth),
            "ge" => self.terms.fp(FpOp::Le, &[b, a], truth),
            _ if predicate == "ord" => return Ok(self.terms.not(unordered)),
            _ if predicate == "uno" => return Ok(unordered),
            _ => return Err(format!("comparison `{predicate}`")),
        };
        let holds = if kind == "ne" { self.terms.not(holds) } else { holds };
        Ok(if predicate.starts_with('u') {
            self.terms.or(&[unordered, holds])
        } else {
            let ordered = self.terms.not(unordered);
            self.terms.and(&[ordered, holds])
        })
    }

    // ---- conversions

    fn cast(&mut self, op: Cast, flags: Flags, from: &Typed<'s>, to: TypeId) -> Lowered<Vec<Leaf>> {
        if op == Cast::Bitcast {
            return self.bitcast(from, to);
        }
        let (terms, targets) = (self.operand_terms(from)?, self.shapes.leaves(to)?);
        if terms.len() != targets.len() {
            return Err("conversion between different numbers of parts".to_owned());
        }
        let mut result = Vec::new();
        for (term, (_, ty)) in terms.into_iter().zip(targets) {
            result.push(Leaf::Term(self.cast_scalar(op, flags, term, ty)?));
        }
        Ok(result)
    }
    fn cast_scalar(&mut self, op: Cast, flags: Flags, term: Term, to: TypeId) -> Lowered<Term> {
        let width = self.bits_of(to);
        let from_float = matches!(op, Cast::Fptrunc | Cast::Fpext | Cast::Fptoui | Cast::Fptosi);
        let to_float = matches!(op, Cast::Fptrunc | Cast::Fpext | Cast::Uitofp | Cast::Sitofp);
        if from_float != self.is_float(term) || to_float != matches!(self.shapes.types.kind(to), Type::Float(..)) {
            return Err("conversion between types that do not have it".to_owned());
        }
        let own = if from_float { width } else { self.to_bits_width(term) };
        if op == Cast::Trunc && own <= width || matches!(op, Cast::Zext | Cast::Sext) && own >= width {
            return Err("conversion in the wrong direction".to_owned());
        }
        Ok(match op {
            Cast::Trunc => {
                let low = self.resized(term, false, width);
                for (promised, signed) in [(flags.nuw, false), (flags.nsw, true)] {
                    if promised {
                        let back = self.resized(low, signed, self.terms.width(term));
                        let same = self.terms.eq(back, term);
                        self.check(Undefined::BrokenPromise, same);
                    }
                }
                self.value_of_bits(low, to)?
            }
            Cast::Zext | Cast::Ptrtoint | Cast::Inttoptr => {
                if flags.nneg {
                    let bits = self.bits_of_value(term);
                    let zero = self.terms.bits(base::Bits::zero(self.terms.width(bits)));
                    let fine = self.terms.bv_sle(zero, bits);
                    self.check(Undefined::BrokenPromise, fine);
                }
                self.widened(term, false, width)
            }
            Cast::Sext => self.widened(term, true, width),
            Cast::Fptrunc | Cast::Fpext => {
                let sort = self.scalar_sort(to)?;
                self.terms.fp(FpOp::FromFloat, &[term], sort)
            }
            Cast::Uitofp | Cast::Sitofp => {
                let bits = self.bits_of_value(term);
                let sort = self.scalar_sort(to)?;
                self.terms.fp(if op == Cast::Uitofp { FpOp::FromUnsigned } else { FpOp::FromSigned }, &[bits], sort)
            }
            Cast::Fptoui | Cast::Fptosi => {
                // The result is poison where the value does not fit.
                let signed = op == Cast::Fptosi;
                let fits = self.float_fits(term, width, signed)?;
                self.check(Undefined::FloatToInteger, fits);
                let bits = self.float_to_integer(term, width, signed);
                self.value_of_bits(bits, to)?
            }
            Cast::Bitcast => return Err("conversion".to_owned()),
        })
    }
    fn to_bits_width(&self, term: Term) -> u32 {
        if self.terms.is_bool(term) { 1 } else { self.terms.width(term) }
    }
    /// Extension of a truth value as a choice of two numbers.
    fn widened(&mut self, term: Term, signed: bool, width: u32) -> Term {
        if self.terms.is_bool(term) && width > 1 {
            let all = if signed { base::Bits::ones(width) } else { base::Bits::one(width) };
            let (one, zero) = (self.terms.bits(all), self.terms.bits(base::Bits::zero(width)));
            return self.terms.ite(term, one, zero);
        }
        self.resized(term, signed, width)
    }
    pub(super) fn float_to_integer(&mut self, term: Term, width: u32, signed: bool) -> Term {
        let sort = self.terms.bv_sort(width);
        self.terms.fp(if signed { FpOp::ToSigned } else { FpOp::ToUnsigned }, &[term], sort)
    }
    /// Whether the integral part of a float fits: the rounded value, converted back, is the same.
    pub(super) fn float_fits(&mut self, term: Term, width: u32, signed: bool) -> Lowered<Term> {
        let sort = self.terms.sort_of(term);
        let truth = self.terms.bool_sort();
        let whole = self.terms.fp(FpOp::Trunc, &[term], sort);
        // Two more bits hold every value that is in question; what does not fit those is out of range anyway.
        let (lowest, highest) = if signed {
            (base::Bits::min_signed(width), base::Bits::max_signed(width))
        } else {
            (base::Bits::zero(width), base::Bits::ones(width))
        };
        let (low, high) = (self.terms.bits(lowest), self.terms.bits(highest));
        let wide = width + 2;
        let (low, high) = (self.resized(low, signed, wide), self.resized(high, signed, wide));
        let one = self.terms.bits(base::Bits::one(wide));
        let above = self.terms.bv_add(high, one);
        let from = |this: &mut Self, bits: Term| this.terms.fp(FpOp::FromSigned, &[bits], sort);
        // `low` and one above `high` are powers of two or zero, so the float formats hold them exactly, or as an infinity.
        let (low, above) = (from(self, low), from(self, above));
        let (x, y) = (self.terms.fp(FpOp::Le, &[low, whole], truth), self.terms.fp(FpOp::Lt, &[whole, above], truth));
        let infinite = self.terms.fp(FpOp::IsInfinite, &[term], truth);
        let finite = self.terms.not(infinite);
        Ok(self.terms.and(&[x, y, finite]))
    }
    fn bitcast(&mut self, from: &Typed<'s>, to: TypeId) -> Lowered<Vec<Leaf>> {
        let (sources, targets) = (self.shapes.leaves(from.ty)?, self.shapes.leaves(to)?);
        let leaves = self.operand(from)?;
        if let ([(_, source)], [(_, target)]) = (sources.as_slice(), targets.as_slice())
            && self.scalar_sort(*source)? == self.scalar_sort(*target)?
        {
            return Ok(leaves);
        }
        let width = |this: &Self, types: &[(u64, TypeId)]| types.iter().map(|one| this.bits_of(one.1)).sum::<u32>();
        if width(self, &sources) != width(self, &targets) {
            return Err("`bitcast` between types of different sizes".to_owned());
        }
        let terms = self.materialised(&leaves, from.ty)?;
        let bits = self.joined(&terms)?;
        self.cut(bits, &targets)
    }
    fn select(&mut self, condition: &Typed<'s>, then: &Typed<'s>, otherwise: &Typed<'s>) -> Lowered<Vec<Leaf>> {
        let conditions = self.operand_terms(condition)?;
        let (yes, no) = (self.operand(then)?, self.operand(otherwise)?);
        let types = self.shapes.leaves(then.ty)?;
        let is_even = yes.len() == no.len() && (conditions.len() == 1 || conditions.len() == yes.len());
        if !is_even || conditions.iter().any(|&condition| !self.terms.is_bool(condition)) {
            return Err("`select` between different types".to_owned());
        }
        let mut result = Vec::new();
        for (index, (&a, &b)) in yes.iter().zip(&no).enumerate() {
            let condition = if conditions.len() == 1 { conditions[0] } else { conditions[index] };
            if a == b {
                result.push(a);
                continue;
            }
            let mut terms = Vec::new();
            for leaf in [a, b] {
                terms.push(match leaf {
                    Leaf::Term(term) => term,
                    // Only the branch that is taken counts.
                    _ => {
                        let kind = program::InputKind::Uninitialised("undef".to_owned());
                        self.any_scalar("undef", types[index].1, kind)?
                    }
                });
            }
            if self.terms.sort_of(terms[0]) != self.terms.sort_of(terms[1]) {
                return Err("`select` between different types".to_owned());
            }
            if a == Leaf::Poison || b == Leaf::Poison {
                let negated = self.terms.not(condition);
                let fine = if a == Leaf::Poison { negated } else { condition };
                self.check(Undefined::BrokenPromise, fine);
            }
            result.push(Leaf::Term(self.terms.ite(condition, terms[0], terms[1])));
        }
        Ok(result)
    }

    // ---- addresses

    fn element_address(&mut self, source: TypeId, base: &Typed<'s>, indices: &[Typed<'s>]) -> Lowered<Vec<Leaf>> {
        let base_terms = self.operand_terms(base)?;
        let [mut address] = base_terms[..] else { return Err("vector of addresses".to_owned()) };
        let width = self.pointer_width();
        if !self.is_integer(address) || self.terms.width(address) != width {
            return Err("address of another type".to_owned());
        }
        let mut constant = 0u64;
        let mut ty = source;
        for (position, index) in indices.iter().enumerate() {
            let value = self.operand_terms(index)?;
            let [value] = value[..] else { return Err("vector of indices".to_owned()) };
            if self.is_float(value) {
                return Err("index of another type".to_owned());
            }
            let known = self.terms.value(value).and_then(|bits| bits.to_i64());
            let is_struct = position > 0 && {
                let resolved = self.shapes.resolve(ty)?;
                matches!(self.shapes.types.kind(resolved), Type::Struct { .. })
            };
            if is_struct {
                let field = known.ok_or("index of a structure that is not constant")?;
                let (offset, field_type) = self.shapes.field(ty, field as u64)?;
                constant = constant.wrapping_add(offset);
                ty = field_type;
                continue;
            }
            let stride = if position == 0 {
                self.shapes.size_align(ty)?.0
            } else {
                let (_, element) = self.shapes.field(ty, 0)?;
                ty = element;
                self.shapes.size_align(element)?.0
            };
            match known {
                Some(index) => constant = constant.wrapping_add((index as u64).wrapping_mul(stride)),
                None => {
                    let index = self.resized(value, true, width);
                    let stride = self.terms.bv(width, stride);
                    let scaled = self.terms.bv_mul(index, stride);
                    address = self.terms.bv_add(address, scaled);
                }
            }
        }
        if constant != 0 {
            let constant = self.terms.bits(base::Bits::from_u128(width, u128::from(constant) & ((1 << width) - 1)));
            address = self.terms.bv_add(address, constant);
        }
        Ok(vec![Leaf::Term(address)])
    }
    /// The offset of constant indices.
    pub(super) fn constant_offset(&mut self, source: TypeId, indices: &[Typed<'s>]) -> Lowered<Option<u64>> {
        let mut offset = 0u64;
        let mut ty = source;
        for (position, index) in indices.iter().enumerate() {
            let index = match &index.value {
                Value::Int(bits) => match bits.to_u64() {
                    Some(value) if !bits.is_negative() => value,
                    _ => return Ok(None),
                },
                Value::Zero => 0,
                _ => return Ok(None),
            };
            let step = if position == 0 {
                self.shapes.size_align(ty)?.0.checked_mul(index)
            } else {
                let (at, part) = self.shapes.field(ty, index)?;
                ty = part;
                Some(at)
            };
            match step.and_then(|step| offset.checked_add(step)) {
                Some(sum) => offset = sum,
                None => return Ok(None),
            }
        }
        Ok(Some(offset))
    }
}
