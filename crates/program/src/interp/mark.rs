//! Marks: what a word is made of, beside its value.
//!
//! The memory of a program is made of objects, and an address belongs to the object it was *derived from*, its origin: that
//! object decides whether an access is valid, not what happens to lie at the address. A mark carries the origin through
//! the operators, by the table below. It also says on what the value depends that the program does not determine:
//! the places that a machine gives to objects (`layout`), inputs (`free`), inputs that a user of the program does
//! not control (`open`).
//!
//! A word of form [`Form::Pointer`] is exactly *base of its object + a number*, and only the number is looked at: sums,
//! differences and comparisons of such words do not depend on the layout where the laws of memory decide them. These
//! laws are: live objects are apart, aligned, above the first page, and do not wrap around.
//!
//! | term | origin |
//! |---|---|
//! | sum, bitwise operators | that of the operand that has one; of both: the left one, and the layout decides |
//! | difference | none if the right side has one (a difference is a number), else that of the left |
//! | product, quotient, shift, narrowing | weak: in a sum a strong origin beats a weak one |
//! | bytes of a pointer side by side | that of the pointer |
//! | others | none |

use super::memory::Memory;

/// The first input that a value depends on, or something else that was not determined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Cause(u32);

impl Cause {
    pub const NONE: Cause = Cause(0);
    pub const CONTENTS: Cause = Cause(1);
    pub const CHOICE: Cause = Cause(2);
    pub const FUNCTION: Cause = Cause(3);
    // format: numbers below are reserved.
    const FIRST_INPUT: u32 = 8;

    pub fn input(index: usize) -> Cause {
        Cause(Cause::FIRST_INPUT + index as u32)
    }
    /// The number of the input, if it is one.
    pub fn as_input(self) -> Option<usize> {
        self.0.checked_sub(Cause::FIRST_INPUT).map(|index| index as usize)
    }
    /// Whether no supplier is asked by name for it.
    pub fn is_unnamed(self) -> bool {
        self == Cause::CONTENTS || self == Cause::CHOICE
    }
    /// The first of the two; what has no name comes before inputs.
    fn or(self, other: Cause) -> Cause {
        if self == Cause::NONE || other.is_unnamed() && !self.is_unnamed() { other } else { self }
    }
}

/// How a word is made of the address of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) enum Form {
    /// Not at all.
    #[default]
    Number,
    /// The base and a number.
    Pointer,
    /// A number less the base.
    Negative,
    /// Bytes of a pointer, from `first` on.
    Part { first: u8, count: u8 },
    /// In some other way.
    Weak,
}

/// What is known of a word beside its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Mark {
    /// The base of the object that the word was derived from; zero for a number.
    pub base: u64,
    /// For a part of a pointer: the number in the whole.
    pub offset: u64,
    pub form: Form,
    /// Whether the number in it depends on where objects lie.
    pub layout: bool,
    /// Whether its bits are those of a NaN that an operation made: sign and payload are the machine's choice.
    pub nan: bool,
    /// An input that the number depends on.
    pub free: Cause,
    /// An uncontrolled input that the number depends on.
    pub open: Cause,
    /// The number is exactly the value of this input, whose values are enumerated by classes; see `classes`.
    pub exact: Option<Exact>,
}

/// A value of an input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Exact {
    pub input: u32,
    pub occurrence: u32,
}

// law: no object lies there.
/// The first addresses, and as many of the last, in which no object lies.
const FIRST_PAGE: u64 = 4096;

/// An operator of two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arith {
    Add,
    Sub,
    Mul,
    And,
    /// Also exclusive.
    Or,
    Remainder,
    Shift,
    Other,
}

/// A comparison of two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Equal,
    Less,
    SignedLess,
}

/// An object, as far as comparisons must know it.
#[derive(Clone, Copy, Debug)]
struct Span {
    size: u64,
    align: u64,
    live: bool,
    /// It exists as long as the program runs.
    lasts: bool,
    /// It may share its place with another of this kind.
    shared: bool,
}

/// What laws can be asked about.
pub(super) struct World<'a> {
    pub memory: &'a Memory,
    pub pointer_width: u32,
    /// Addresses below are those of functions.
    pub functions_end: u64,
}

impl Mark {
    pub fn pointer(base: u64) -> Mark {
        Mark { base, form: Form::Pointer, ..Mark::default() }
    }
    /// A plain number that everything in the program determines.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.form == Form::Number && self.is_determined()
    }
    /// Whether the program alone determines the number in it.
    #[inline]
    pub fn is_determined(&self) -> bool {
        !self.layout && !self.nan && self.free == Cause::NONE && self.open == Cause::NONE
    }
    /// The mark of a number that depends on both.
    pub fn number_of(&self, other: &Mark) -> Mark {
        Mark {
            layout: self.layout || other.layout,
            nan: self.nan || other.nan,
            free: self.free.or(other.free),
            open: self.open.or(other.open),
            ..Mark::default()
        }
    }
    /// As this, and the number also depends on what the other depends on.
    pub fn also(&self, other: &Mark) -> Mark {
        Mark { base: self.base, offset: self.offset, form: self.form, ..self.number_of(other) }
    }
    /// As a number, whatever it was.
    pub fn as_number(&self) -> Mark {
        let layout = self.layout || self.form != Form::Number;
        Mark { layout, nan: self.nan, free: self.free, open: self.open, ..Mark::default() }
    }
    /// As a word that is made of the address in some other way.
    pub fn weak(&self) -> Mark {
        match self.form {
            Form::Number => *self,
            _ => Mark { form: Form::Weak, layout: true, offset: 0, ..*self },
        }
    }
    fn with(self, form: Form, base: u64) -> Mark {
        Mark { form, base, ..self }
    }
    fn by_layout(self) -> Mark {
        Mark { layout: true, ..self }
    }
    pub fn negated(&self) -> Mark {
        match self.form {
            Form::Number => *self,
            Form::Pointer => Mark { form: Form::Negative, ..*self },
            Form::Negative => Mark { form: Form::Pointer, ..*self },
            Form::Part { .. } | Form::Weak => self.weak(),
        }
    }
}

impl World<'_> {
    fn span(&self, base: u64) -> Option<Span> {
        if base < self.functions_end {
            return Some(Span { size: 1, align: 1, live: true, lasts: true, shared: false });
        }
        let handle = self.memory.object_at(base)?;
        let extent = self.memory.extent(handle);
        let (size, align, live, shared) = (extent.size, extent.align, extent.live, extent.shared);
        Some(Span { size, align, live, lasts: self.memory.is_static(handle), shared })
    }
    /// The low bits of a base that the alignment makes zero.
    fn known_zeros(&self, base: u64) -> u64 {
        self.span(base).map_or(0, |span| span.align.max(1) - 1)
    }
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.pointer_width)
    }
    /// The number in a pointer.
    pub fn offset(&self, value: u64, base: u64) -> i64 {
        let shift = 64 - self.pointer_width;
        ((value.wrapping_sub(base) << shift) as i64) >> shift
    }
    /// A pointer whose word is wider than an address is only base and number if the sum cannot wrap around.
    fn widened(&self, value: u64, mark: Mark, width: u32) -> Mark {
        if width <= self.pointer_width || mark.form != Form::Pointer {
            return mark;
        }
        let offset = self.offset(value, mark.base);
        let is_safe = self.span(mark.base).is_some_and(|span| is_near(offset, span.size));
        if is_safe && value <= self.mask() { mark } else { mark.by_layout() }
    }

    /// The mark of the result of an operator on two words of this width.
    pub fn arith(&self, op: Arith, width: u32, left: (u64, Mark), right: (u64, Mark)) -> Mark {
        let ((x, a), (y, b)) = (left, right);
        let numbers = a.number_of(&b);
        if a.form == Form::Number && b.form == Form::Number {
            return numbers;
        }
        if let Some(known) = self.low_part(op, left, right).or_else(|| self.low_part(op, right, left)) {
            return known;
        }
        let whole = |value: u64, mark: Mark| match mark.form {
            Form::Part { .. } => mark.weak(),
            _ => self.widened(value, mark, width),
        };
        let (a, b) = (whole(x, a), whole(y, b));
        let all = a.number_of(&b);
        match op {
            Arith::Add => sum(a, b, all),
            Arith::Sub if b.form == Form::Weak => all.by_layout(),
            Arith::Sub => match sum(a, b.negated(), all) {
                // A difference is a number.
                mark if a.form != Form::Number && b.form != Form::Number => mark.as_number(),
                mark => mark,
            },
            Arith::Mul => self.product(width, (x, a), (y, b), all),
            Arith::And | Arith::Or => self.bitwise(op, width, (x, a), (y, b), all),
            Arith::Remainder if y.is_power_of_two() && b.form == Form::Number => self.low_bits(a, y - 1, all),
            Arith::Shift if y == 0 && b.is_plain() => a,
            Arith::Remainder | Arith::Shift | Arith::Other => weak_of(a, b, all),
        }
    }
    fn product(&self, width: u32, (x, a): (u64, Mark), (y, b): (u64, Mark), all: Mark) -> Mark {
        let ones = u64::MAX >> (64 - width);
        for ((factor, number), (_, other)) in [((x, a), (y, b)), ((y, b), (x, a))] {
            if number.is_plain() {
                match factor {
                    0 => return Mark::default(),
                    1 => return other,
                    _ if factor == ones => return other.negated(),
                    _ => {}
                }
            }
        }
        weak_of(a, b, all)
    }
    /// The law of alignment: the low bits of a base are zero.
    fn bitwise(&self, op: Arith, width: u32, left: (u64, Mark), right: (u64, Mark), all: Mark) -> Mark {
        let ((_, pointer), (mask, number)) = if left.1.form == Form::Number { (right, left) } else { (left, right) };
        if number.form == Form::Number && pointer.form == Form::Pointer && !pointer.layout && !number.layout {
            let low = self.known_zeros(pointer.base);
            let high = u64::MAX >> (64 - width) & !low;
            let kept = all.with(Form::Pointer, pointer.base);
            match op {
                Arith::And if mask & high == 0 => return all,
                Arith::And if mask & high == high => return kept,
                Arith::Or if mask & high == 0 => return kept,
                _ => {}
            }
        }
        let form = if pointer.form == Form::Pointer { Form::Pointer } else { Form::Weak };
        all.with(form, pointer.base).by_layout()
    }
    fn low_bits(&self, pointer: Mark, mask: u64, all: Mark) -> Mark {
        let low = self.known_zeros(pointer.base);
        if pointer.form == Form::Pointer && !pointer.layout && mask & !low == 0 {
            all
        } else {
            pointer.weak().also(&all)
        }
    }

    /// The low bytes of a pointer, of which a conjunction or remainder keeps bits that the alignment determines.
    fn low_part(&self, op: Arith, (_, part): (u64, Mark), (mask, number): (u64, Mark)) -> Option<Mark> {
        let kept = match op {
            Arith::And => mask,
            Arith::Remainder if mask.is_power_of_two() => mask - 1,
            _ => return None,
        };
        let low = self.known_zeros(part.base);
        let is_low = matches!(part.form, Form::Part { first: 0, .. }) && !part.layout;
        (is_low && number.form == Form::Number && kept & !low == 0).then(|| part.number_of(&number))
    }

    /// The mark of the `width` bits from `low` on.
    pub fn extract(&self, value: u64, mark: Mark, low: u32, width: u32) -> Mark {
        let is_bytes = low.is_multiple_of(8) && width.is_multiple_of(8);
        match mark.form {
            Form::Number => mark,
            Form::Pointer if mark.layout => mark.weak(),
            Form::Pointer if low == 0 && width >= self.pointer_width => mark,
            Form::Pointer if low == 0 && width < 64 && ((1 << width) - 1) & !self.known_zeros(mark.base) == 0 => {
                Mark::default().also(&mark)
            }
            Form::Pointer if is_bytes && low + width <= self.pointer_width => Mark {
                form: Form::Part { first: (low / 8) as u8, count: (width / 8) as u8 },
                offset: self.offset(value, mark.base) as u64,
                ..mark
            },
            Form::Part { first, count } if is_bytes && (low + width) / 8 <= u32::from(count) => {
                Mark { form: Form::Part { first: first + (low / 8) as u8, count: (width / 8) as u8 }, ..mark }
            }
            _ => mark.weak(),
        }
    }
    /// The mark of one word above the bits of another.
    pub fn concat(&self, (high_value, high): (u64, Mark), (low_value, low): (u64, Mark), low_width: u32) -> Mark {
        if high.is_plain() && high_value == 0 {
            return self.widened(low_value, low, low_width + 1);
        }
        match (high.form, low.form) {
            (Form::Number, Form::Number) => high.number_of(&low),
            (Form::Part { first, count }, Form::Part { first: low_first, count: low_count })
                if high.base == low.base
                    && high.offset == low.offset
                    && first == low_first + low_count
                    && u32::from(low_count) * 8 == low_width =>
            {
                self.part(high.also(&low), low_first, low_count + count)
            }
            _ => weak_of(high, low, high.number_of(&low)),
        }
    }
    /// Bytes of a pointer; all of them are the pointer.
    pub fn part(&self, mark: Mark, first: u8, count: u8) -> Mark {
        if first == 0 && u32::from(count) * 8 == self.pointer_width {
            return Mark { form: Form::Pointer, offset: 0, ..mark };
        }
        Mark { form: Form::Part { first, count }, ..mark }
    }

    /// The mark of the answer of a comparison.
    pub fn compare(&self, relation: Relation, left: (u64, Mark), right: (u64, Mark)) -> Mark {
        let all = left.1.number_of(&right.1);
        let is_decided =
            left.1.form == Form::Number && right.1.form == Form::Number || self.decides(relation, left, right);
        if is_decided { all } else { all.by_layout() }
    }
    fn decides(&self, relation: Relation, (x, a): (u64, Mark), (y, b): (u64, Mark)) -> bool {
        if a.layout || b.layout {
            return false;
        }
        let offset = |value: u64, mark: Mark| self.offset(value, mark.base);
        match (a.form, b.form) {
            _ if relation == Relation::SignedLess => false,
            (Form::Part { .. }, Form::Part { .. }) => relation == Relation::Equal && a == b,
            (Form::Negative, Form::Negative) => relation == Relation::Equal && a.base == b.base,
            (Form::Pointer, Form::Number) => self.differs_from_number(relation, offset(x, a), a.base, y),
            (Form::Number, Form::Pointer) => self.differs_from_number(relation, offset(y, b), b.base, x),
            (Form::Pointer, Form::Pointer) if a.base == b.base => {
                let is_inside = |k: i64| self.span(a.base).is_some_and(|span| is_near(k, span.size));
                relation == Relation::Equal || is_inside(offset(x, a)) && is_inside(offset(y, b))
            }
            (Form::Pointer, Form::Pointer) => {
                relation == Relation::Equal && self.are_apart((a.base, offset(x, a)), (b.base, offset(y, b)))
            }
            _ => false,
        }
    }
    /// Whether an address cannot be this number: null or in the first page, or the very last address.
    fn differs_from_number(&self, relation: Relation, offset: i64, base: u64, number: u64) -> bool {
        let Some(span) = self.span(base) else { return false };
        let Ok(offset) = u64::try_from(offset) else { return false };
        let is_small = number < FIRST_PAGE && offset <= span.size;
        let is_last = relation == Relation::Equal && number == self.mask() && offset < span.size;
        is_small || is_last
    }
    /// Whether addresses of two objects are different wherever these lie.
    fn are_apart(&self, (base, offset): (u64, i64), (other_base, other_offset): (u64, i64)) -> bool {
        let (Some(span), Some(other)) = (self.span(base), self.span(other_base)) else { return false };
        // What lasts was there when the other existed.
        let exist_together = span.live && other.live || span.lasts || other.lasts;
        let (Ok(offset), Ok(other_offset)) = (u64::try_from(offset), u64::try_from(other_offset)) else { return false };
        let is_within = offset <= span.size && other_offset <= other.size;
        // One past the end of one may be the start of the other.
        let may_touch = offset == span.size && other_offset == 0 || other_offset == other.size && offset == 0;
        let is_empty = span.size == 0 || other.size == 0;
        exist_together && is_within && !may_touch && !is_empty && !(span.shared && other.shared)
    }
}

/// Whether base and number cannot wrap around.
fn is_near(offset: i64, size: u64) -> bool {
    offset >= -(FIRST_PAGE as i64) && (offset < 0 || (offset as u64) < size.saturating_add(FIRST_PAGE))
}

fn sum(a: Mark, b: Mark, all: Mark) -> Mark {
    match (a.form, b.form) {
        (Form::Number, form) => all.with(form, b.base),
        (form, Form::Number) => all.with(form, a.base),
        (Form::Pointer, Form::Negative) | (Form::Negative, Form::Pointer) if a.base == b.base => all,
        (Form::Pointer, _) => all.with(Form::Pointer, a.base).by_layout(),
        (_, Form::Pointer) => all.with(Form::Pointer, b.base).by_layout(),
        _ => all.with(Form::Weak, a.base).by_layout(),
    }
}

fn weak_of(a: Mark, b: Mark, all: Mark) -> Mark {
    let base = if a.form == Form::Number { b.base } else { a.base };
    all.with(Form::Weak, base).by_layout()
}
