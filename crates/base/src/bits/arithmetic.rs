//! Sums, products, quotients, and whether they overflow.

use super::{Bits, Repr, wide};

impl Bits {
    /// The sum, wrapping.
    pub fn add(&self, other: &Bits) -> Bits {
        self.fits(other);
        match (&self.repr, &other.repr) {
            (Repr::Word(a), Repr::Word(b)) => Bits::from_u64(self.width, a.wrapping_add(*b)),
            _ => Bits::from_vec(self.width, wide::add(self.words(), other.words())),
        }
    }
    /// The difference, wrapping.
    pub fn sub(&self, other: &Bits) -> Bits {
        self.fits(other);
        match (&self.repr, &other.repr) {
            (Repr::Word(a), Repr::Word(b)) => Bits::from_u64(self.width, a.wrapping_sub(*b)),
            _ => Bits::from_vec(self.width, wide::sub(self.words(), other.words())),
        }
    }
    /// The product, wrapping.
    pub fn mul(&self, other: &Bits) -> Bits {
        self.fits(other);
        match (&self.repr, &other.repr) {
            (Repr::Word(a), Repr::Word(b)) => Bits::from_u64(self.width, a.wrapping_mul(*b)),
            _ => Bits::from_vec(self.width, wide::mul(self.words(), other.words())),
        }
    }
    /// Two's complement negation.
    pub fn neg(&self) -> Bits {
        Bits::zero(self.width).sub(self)
    }
    /// Unsigned quotient and remainder.
    pub fn udiv_rem(&self, other: &Bits) -> (Bits, Bits) {
        self.fits(other);
        if other.is_zero() {
            return (Bits::ones(self.width), self.clone());
        }
        match (&self.repr, &other.repr) {
            (Repr::Word(a), Repr::Word(b)) => (Bits::from_u64(self.width, a / b), Bits::from_u64(self.width, a % b)),
            _ => {
                let (quotient, remainder) = wide::div_rem(self.words(), other.words());
                (Bits::from_vec(self.width, quotient), Bits::from_vec(self.width, remainder))
            }
        }
    }
    /// Unsigned quotient; all ones for division by zero.
    pub fn udiv(&self, other: &Bits) -> Bits {
        self.udiv_rem(other).0
    }
    /// Unsigned remainder; the dividend for division by zero.
    pub fn urem(&self, other: &Bits) -> Bits {
        self.udiv_rem(other).1
    }
    /// The absolute value as an unsigned number.
    fn magnitude(&self) -> Bits {
        if self.is_negative() { self.neg() } else { self.clone() }
    }
    fn negated_if(self, condition: bool) -> Bits {
        if condition { self.neg() } else { self }
    }
    /// Signed quotient, rounding toward zero.
    pub fn sdiv(&self, other: &Bits) -> Bits {
        self.magnitude().udiv(&other.magnitude()).negated_if(self.is_negative() != other.is_negative())
    }
    /// Signed remainder with the sign of the dividend.
    pub fn srem(&self, other: &Bits) -> Bits {
        self.magnitude().urem(&other.magnitude()).negated_if(self.is_negative())
    }
    /// Signed remainder with the sign of the divisor.
    pub fn smod(&self, other: &Bits) -> Bits {
        let rest = self.magnitude().urem(&other.magnitude());
        match (self.is_negative(), other.is_negative()) {
            _ if rest.is_zero() => rest,
            (false, false) => rest,
            (true, false) => other.sub(&rest),
            (false, true) => rest.add(other),
            (true, true) => rest.neg(),
        }
    }

    /// Whether negation overflows.
    pub fn nego(&self) -> bool {
        self.is_min_signed()
    }
    /// Whether unsigned addition overflows.
    pub fn uaddo(&self, other: &Bits) -> bool {
        self.add(other).ult(self)
    }
    /// Whether signed addition overflows.
    pub fn saddo(&self, other: &Bits) -> bool {
        let sum = self.add(other);
        self.is_negative() == other.is_negative() && sum.is_negative() != self.is_negative()
    }
    /// Whether unsigned subtraction overflows.
    pub fn usubo(&self, other: &Bits) -> bool {
        self.ult(other)
    }
    /// Whether signed subtraction overflows.
    pub fn ssubo(&self, other: &Bits) -> bool {
        let difference = self.sub(other);
        self.is_negative() != other.is_negative() && difference.is_negative() != self.is_negative()
    }
    /// Whether unsigned multiplication overflows.
    pub fn umulo(&self, other: &Bits) -> bool {
        let product = self.zero_extend(self.width).mul(&other.zero_extend(self.width));
        product.leading_zeros() < self.width
    }
    /// Whether signed multiplication overflows.
    pub fn smulo(&self, other: &Bits) -> bool {
        let product = self.sign_extend(self.width).mul(&other.sign_extend(self.width));
        product.extract(self.width - 1, 0).sign_extend(self.width) != product
    }
    /// Whether signed division overflows.
    pub fn sdivo(&self, other: &Bits) -> bool {
        self.is_min_signed() && other.is_ones()
    }
}
