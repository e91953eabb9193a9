//! Operands as terms: names, constants, addresses; packing and unpacking of values with several parts.

use program::{InputKind, Undefined};
use term::{FpOp, Term};

use crate::ir::{Type, TypeId, Typed, Value};

use super::{Leaf, Lowered, Lowering};

impl<'s> Lowering<'_, 's, '_> {
    /// The scalar parts of an operand.
    pub(super) fn operand(&mut self, operand: &Typed<'s>) -> Lowered<Vec<Leaf>> {
        let leaves = self.parts(operand)?;
        let types = self.shapes.leaves(operand.ty)?;
        if types.len() != leaves.len() {
            return Err("operand whose parts do not fit its type".to_owned());
        }
        for (leaf, &(_, ty)) in leaves.iter().zip(&types) {
            if let Leaf::Term(term) = *leaf
                && self.terms.sort_of(term) != self.scalar_sort(ty)?
            {
                return Err("operand of another type than its definition".to_owned());
            }
        }
        Ok(leaves)
    }
    fn parts(&mut self, operand: &Typed<'s>) -> Lowered<Vec<Leaf>> {
        match &operand.value {
            Value::Local(local) => match self.frame.values.get(*local) {
                Some(Some(leaves)) => Ok(leaves.clone()),
                _ => Err("value that is used before it is defined".to_owned()),
            },
            Value::Global(name) => Ok(vec![Leaf::Term(self.global_address(name)?)]),
            Value::Expression(operation) => self.pure(operation),
            Value::Zero | Value::Undef | Value::Poison => {
                let leaves = self.shapes.leaves(operand.ty)?;
                let mut result = Vec::with_capacity(leaves.len());
                for (_, leaf) in leaves {
                    result.push(match operand.value {
                        Value::Undef => Leaf::Undef,
                        Value::Poison => Leaf::Poison,
                        _ => Leaf::Term(self.zero(leaf)?),
                    });
                }
                Ok(result)
            }
            Value::Int(bits) => Ok(vec![Leaf::Term(if bits.width() == 1 {
                self.terms.truth(!bits.is_zero())
            } else {
                self.terms.bits(bits.clone())
            })]),
            Value::Float(bits) => Ok(vec![Leaf::Term(self.float_constant(operand.ty, *bits)?)]),
            Value::Bytes(bytes) => {
                Ok(bytes.iter().map(|&byte| Leaf::Term(self.terms.bv(8, u64::from(byte)))).collect())
            }
            Value::Aggregate(elements) => {
                let mut leaves = Vec::new();
                for element in elements {
                    leaves.extend(self.operand(element)?);
                }
                Ok(leaves)
            }
            Value::Splat(element) => {
                let all = self.shapes.leaves(operand.ty)?.len();
                let one = self.operand(element)?;
                Ok(one.iter().copied().cycle().take(all).collect())
            }
            Value::BlockAddress(..) => Err("address of a block".to_owned()),
            Value::Assembler(..) => Err("inline assembler".to_owned()),
            Value::Metadata(_) => Err("metadata as a value".to_owned()),
            Value::Refused(what) => Err(format!("constant `{what}`")),
        }
    }
    /// The parts as terms: what is undefined becomes any value.
    pub(super) fn operand_terms(&mut self, operand: &Typed<'s>) -> Lowered<Vec<Term>> {
        let leaves = self.operand(operand)?;
        self.materialised(&leaves, operand.ty)
    }
    pub(super) fn materialised(&mut self, leaves: &[Leaf], ty: TypeId) -> Lowered<Vec<Term>> {
        let types = self.shapes.leaves(ty)?;
        if types.len() != leaves.len() {
            return Err("value whose parts do not fit its type".to_owned());
        }
        let mut terms = Vec::with_capacity(leaves.len());
        for (leaf, (_, ty)) in leaves.iter().zip(types) {
            terms.push(match *leaf {
                Leaf::Term(term) => term,
                Leaf::Undef => self.any_scalar("undef", ty, InputKind::Uninitialised("undef".to_owned()))?,
                Leaf::Poison => {
                    let never = self.terms.truth(false);
                    self.check(Undefined::BrokenPromise, never);
                    self.any_scalar("poison", ty, InputKind::Uninitialised("poison".to_owned()))?
                }
            });
        }
        Ok(terms)
    }
    /// An address.
    pub(super) fn address(&mut self, operand: &Typed<'s>) -> Lowered<Term> {
        let term = self.scalar(operand)?;
        let is_address = self.is_integer(term) && self.terms.width(term) == self.pointer_width();
        if is_address { Ok(term) } else { Err("address of another type".to_owned()) }
    }
    /// Whether the term is a bit-vector.
    pub(super) fn is_integer(&self, term: Term) -> bool {
        matches!(self.terms.sort_kind(self.terms.sort_of(term)), term::SortKind::BitVec(_))
    }
    pub(super) fn is_float(&self, term: Term) -> bool {
        matches!(self.terms.sort_kind(self.terms.sort_of(term)), term::SortKind::Float(..))
    }
    /// The one part of a scalar operand.
    pub(super) fn scalar(&mut self, operand: &Typed<'s>) -> Lowered<Term> {
        match self.operand_terms(operand)?.as_slice() {
            [only] => Ok(*only),
            _ => Err("operand with several parts".to_owned()),
        }
    }
    /// The zero of a scalar type.
    pub(super) fn zero(&mut self, ty: TypeId) -> Lowered<Term> {
        Ok(match *self.shapes.types.kind(ty) {
            Type::Int(1) => self.terms.truth(false),
            Type::Float(..) => self.float_constant(ty, 0)?,
            _ => {
                let width = self.bits_of(ty);
                self.terms.bits(base::Bits::zero(width))
            }
        })
    }
    /// The zero of the sort of a term.
    pub(super) fn zero_like(&mut self, term: Term) -> Term {
        let sort = self.terms.sort_of(term);
        match *self.terms.sort_kind(sort) {
            term::SortKind::BitVec(width) => self.terms.bits(base::Bits::zero(width)),
            term::SortKind::Float(..) => self.terms.numeral(sort, "0"),
            _ => self.terms.truth(false),
        }
    }
    fn float_constant(&mut self, ty: TypeId, bits: u128) -> Lowered<Term> {
        let Type::Float(exponent, significand) = *self.shapes.types.kind(ty) else {
            return Err("floating-point constant of another type".to_owned());
        };
        let sort = self.scalar_sort(ty)?;
        let fraction = bits & ((1u128 << (significand - 1)) - 1);
        let is_special = bits >> (significand - 1) & ((1 << exponent) - 1) == (1 << exponent) - 1;
        if is_special && fraction != 0 {
            // A numeral has no payload: all NaNs are one.
            let width = exponent + significand;
            let words = [bits as u64, (bits >> 64) as u64];
            let bits = self.terms.bits(base::Bits::from_words(width, &words[..width.div_ceil(64) as usize]));
            return Ok(self.terms.fp(FpOp::FromBits, &[bits], sort));
        }
        Ok(self.terms.numeral(sort, &format!("{bits:x}")))
    }

    // ---- bits

    /// How many bits a scalar type has.
    pub(super) fn bits_of(&self, ty: TypeId) -> u32 {
        match *self.shapes.types.kind(ty) {
            Type::Int(width) => width,
            Type::Pointer => self.pointer_width(),
            Type::Float(exponent, significand) => exponent + significand,
            _ => 0,
        }
    }
    /// The bits of a scalar.
    pub(super) fn bits_of_value(&mut self, term: Term) -> Term {
        if self.terms.is_bool(term) {
            let (one, zero) = (self.terms.bv(1, 1), self.terms.bv(1, 0));
            return self.terms.ite(term, one, zero);
        }
        let sort = self.terms.sort_of(term);
        match *self.terms.sort_kind(sort) {
            term::SortKind::Float(exponent, significand) => {
                let bits = self.terms.bv_sort(exponent + significand);
                self.terms.fp(FpOp::ToBits, &[term], bits)
            }
            _ => term,
        }
    }
    /// The scalar that these bits encode.
    pub(super) fn value_of_bits(&mut self, bits: Term, ty: TypeId) -> Lowered<Term> {
        Ok(match *self.shapes.types.kind(ty) {
            Type::Int(1) => {
                let one = self.terms.bv(1, 1);
                self.terms.eq(bits, one)
            }
            Type::Float(..) => {
                let sort = self.scalar_sort(ty)?;
                self.terms.fp(FpOp::FromBits, &[bits], sort)
            }
            _ => bits,
        })
    }
    /// All parts in one bit-vector, the first one lowest; a single part as it is.
    pub(super) fn packed(&mut self, leaves: &[Leaf], ty: TypeId) -> Lowered<Term> {
        let terms = self.materialised(leaves, ty)?;
        if let [only] = terms.as_slice() {
            return Ok(*only);
        }
        self.joined(&terms)
    }
    pub(super) fn joined(&mut self, terms: &[Term]) -> Lowered<Term> {
        let mut result = None;
        for &term in terms {
            let bits = self.bits_of_value(term);
            result = Some(match result {
                None => bits,
                Some(low) => self.terms.concat(bits, low),
            });
        }
        result.ok_or_else(|| "value without parts".to_owned())
    }
    /// The parts of what `packed` made.
    pub(super) fn unpacked(&mut self, term: Term, ty: TypeId) -> Lowered<Vec<Leaf>> {
        let types = self.shapes.leaves(ty)?;
        if types.len() == 1 {
            return Ok(vec![Leaf::Term(term)]);
        }
        self.cut(term, &types)
    }
    pub(super) fn cut(&mut self, term: Term, types: &[(u64, TypeId)]) -> Lowered<Vec<Leaf>> {
        let mut low = 0;
        let mut leaves = Vec::new();
        for &(_, ty) in types {
            let width = self.bits_of(ty);
            let bits = self.terms.extract(term, low + width - 1, low);
            leaves.push(Leaf::Term(self.value_of_bits(bits, ty)?));
            low += width;
        }
        Ok(leaves)
    }
    /// An integer or address in another width.
    pub(super) fn resized(&mut self, term: Term, signed: bool, width: u32) -> Term {
        let term = self.bits_of_value(term);
        let own = self.terms.width(term);
        if own > width {
            self.terms.extract(term, width - 1, 0)
        } else if signed {
            self.terms.sign_extend_to(term, width)
        } else {
            self.terms.zero_extend_to(term, width)
        }
    }
}
