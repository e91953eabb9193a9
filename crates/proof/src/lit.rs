//! Propositional variables and literals, as solver and checker write them.

/// A propositional variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SatVar(pub u32);

/// A literal: twice the variable, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl SatVar {
    /// The variable's index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
    /// The literal that is true when the variable is.
    #[inline]
    pub const fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }
    /// The literal that is true when the variable is not.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }
    /// The literal that is true if the variable has this value.
    #[inline]
    pub fn lit(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

impl Lit {
    /// The variable.
    #[inline]
    pub fn var(self) -> SatVar {
        SatVar(self.0 >> 1)
    }
    /// Whether the literal is the variable itself.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
    /// A dense index, for tables with an entry per literal.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
    /// The code behind the literal.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }
    /// The literal with this code.
    #[inline]
    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }
    /// The number DIMACS writes: variables count from one, negation is a minus.
    pub fn to_dimacs(self) -> i64 {
        let number = i64::from(self.0 >> 1) + 1;
        if self.is_positive() { number } else { -number }
    }
    /// The literal DIMACS writes so; `None` for zero and what is out of range.
    pub fn from_dimacs(number: i64) -> Option<Lit> {
        let var = u32::try_from(number.unsigned_abs().checked_sub(1)?).ok().filter(|&v| v < 1 << 31)?;
        Some(SatVar(var).lit(number > 0))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}
