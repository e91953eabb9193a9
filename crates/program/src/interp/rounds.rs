//! One round of a loop, for all its rounds at once: what a register holds as a function of the round's number.
//!
//! A [`Form`] says that in round `k` the value is `(value + k·step) mod 2ʷ`. Sums, differences, multiples and cuts to
//! fewer bits of such values are such values again. Whatever needs more, such as a comparison, holds for the first
//! rounds only: [`Walk::rounds`] is how many they are, and each rule below makes it smaller until what the rule says
//! is true of every round that is left. What no rule covers is unknown, and a jump on something unknown ends the walk.

use base::FastMap;

use super::code::{Code, Instr, NO_REG, Note, Rare, Reg};
use super::narrow::{mask, rare, signed};
use crate::tuning::Tuning;

/// The value `(value + k·step)` cut to 64 minus `shift` bits in round `k`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub value: u64,
    pub step: u64,
    pub shift: u8,
}

impl Form {
    pub(super) fn constant(value: u64) -> Form {
        Form { value, step: 0, shift: 0 }
    }
    /// The value in this round.
    pub(super) fn at(self, round: u64) -> u64 {
        self.value.wrapping_add(round.wrapping_mul(self.step)) & mask(self.shift)
    }
    /// Whether this is, in every round, the other in the next round.
    pub(super) fn follows(self, other: Form) -> bool {
        let is_same_kind = self.step == other.step && (self.step == 0 || self.shift == other.shift);
        is_same_kind && other.at(0) == other.value && self.value == other.at(1)
    }
    fn known(self) -> Option<u64> {
        (self.step == 0).then_some(self.value)
    }
}

/// A value without wrapping around, `base + k·step`.
#[derive(Clone, Copy)]
struct Line {
    base: i128,
    step: i128,
}

// law: beyond all values, their differences and products.
/// Beyond all values and their differences and products.
const FAR: i128 = i128::MAX / 2;
/// Limit of the number of rounds, so that counting them does not wrap around.
const MOST_ROUNDS: u64 = 1 << 62;

/// A run tried out on the side, from given registers.
pub(super) struct Walk<'a> {
    code: &'a Code,
    regs: &'a [u64],
    pub pc: usize,
    /// Registers that differ from the given ones; none for a value that is not known in all rounds.
    pub forms: FastMap<Reg, Option<Form>>,
    /// The registers that have a form.
    pub changed: Vec<Reg>,
    /// The forms are right in this many rounds.
    pub rounds: u64,
    /// Edges of the round.
    pub edges: u64,
    /// Notes of the round.
    pub notes: Vec<Note>,
    /// For each register used in the round, whether it was read before it was written, and whether it was written.
    used: FastMap<Reg, (bool, bool)>,
    calls: Vec<usize>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(code: &'a Code, regs: &'a [u64], pc: usize) -> Walk<'a> {
        let (forms, used) = (FastMap::new(), FastMap::new());
        let (changed, notes, calls) = (Vec::new(), Vec::new(), Vec::new());
        Walk { code, regs, pc, forms, changed, rounds: MOST_ROUNDS, edges: 0, notes, used, calls }
    }
    pub(super) fn begin_round(&mut self) {
        (self.rounds, self.edges) = (MOST_ROUNDS, 0);
        self.notes.clear();
        self.used.clear();
    }
    /// Continues until a jump back to the anchor; `None` if that is more than `ahead` instructions away.
    pub(super) fn go_to(&mut self, anchor: usize, ahead: u64) -> Option<()> {
        for _ in 0..ahead {
            if self.step()? && self.pc == anchor {
                return Some(());
            }
        }
        None
    }
    pub(super) fn is_read_first(&self, reg: Reg) -> bool {
        self.used.get(&reg).is_some_and(|used| used.0)
    }
    pub(super) fn is_written(&self, reg: Reg) -> bool {
        self.used.get(&reg).is_some_and(|used| used.1)
    }

    /// One instruction, with the notes before it. Returns whether it was a jump back in the function where the walk began.
    /// Long: one `match` over all instructions.
    pub(super) fn step(&mut self) -> Option<bool> {
        while let Instr::Note { index } = self.code.instrs[self.pc] {
            self.notes.push(self.code.notes[index as usize]);
            self.pc += 1;
        }
        let at = self.pc;
        self.pc += 1;
        let instr = self.code.instrs[at];
        match instr {
            Instr::Jump { edges, target } => self.jump(true, edges, target),
            Instr::JumpEq { edges, left, right, target } => {
                let holds = self.equal(left, right)?;
                self.jump(holds, edges, target);
            }
            Instr::JumpNe { edges, left, right, target } => {
                let holds = !self.equal(left, right)?;
                self.jump(holds, edges, target);
            }
            Instr::JumpUlt { edges, left, right, target } => {
                let holds = self.less(left, right, None)?;
                self.jump(holds, edges, target);
            }
            Instr::JumpUle { edges, left, right, target } => {
                let holds = !self.less(right, left, None)?;
                self.jump(holds, edges, target);
            }
            Instr::JumpSlt { shift, edges, left, right, target } => {
                let holds = self.less(left, right, Some(shift))?;
                self.jump(holds, edges, target);
            }
            Instr::JumpSle { shift, edges, left, right, target } => {
                let holds = !self.less(right, left, Some(shift))?;
                self.jump(holds, edges, target);
            }
            Instr::JumpIf { edges, when, target } => {
                let holds = self.read(when)?.known()? != 0;
                self.jump(holds, edges, target);
            }
            Instr::JumpUnless { edges, when, target } => {
                let holds = self.read(when)?.known()? == 0;
                self.jump(holds, edges, target);
            }
            Instr::Count { edges } => self.edges += u64::from(edges),
            Instr::Call { edges, function } => {
                let callee = &self.code.functions[function as usize];
                if !callee.objects.is_empty()
                    || callee.handover != NO_REG
                    || self.calls.len() >= Tuning::DEFAULT.max_round_calls
                {
                    return None;
                }
                self.calls.push(self.pc);
                self.jump(true, edges, callee.entry);
            }
            Instr::Return { edges, .. } => {
                let back = self.calls.pop()?;
                self.jump(true, edges, back as u32);
            }
            Instr::MoveIf { to, when, from } => {
                if self.read(when)?.known()? != 0 {
                    let form = self.read(from);
                    self.write(to, form);
                }
            }
            Instr::Eq { to, left, right } => {
                let holds = self.equal(left, right)?;
                self.write_truth(to, holds);
            }
            Instr::Ult { to, left, right } => {
                let holds = self.less(left, right, None)?;
                self.write_truth(to, holds);
            }
            Instr::Ule { to, left, right } => {
                let holds = !self.less(right, left, None)?;
                self.write_truth(to, holds);
            }
            Instr::Slt { shift, to, left, right } => {
                let holds = self.less(left, right, Some(shift))?;
                self.write_truth(to, holds);
            }
            Instr::Sle { shift, to, left, right } => {
                let holds = !self.less(right, left, Some(shift))?;
                self.write_truth(to, holds);
            }
            _ => {
                let (to, form) = self.computed(instr)?;
                self.write(to, form);
            }
        }
        Some(self.pc <= at && self.calls.is_empty())
    }

    fn jump(&mut self, taken: bool, edges: u16, target: u32) {
        self.edges += u64::from(edges);
        if taken {
            self.pc = target as usize;
        }
    }

    /// The register and the value that an instruction without jump computes; `None` for other instructions. Long: one
    /// `match` over all instructions.
    fn computed(&mut self, instr: Instr) -> Option<(Reg, Option<Form>)> {
        Some(match instr {
            Instr::Move { to, from } => (to, self.read(from)),
            Instr::Not { shift, to, from } => {
                // As a sum: -from - 1.
                let (zero, ones) = (Some(Form::constant(0)), Some(Form::constant(mask(shift))));
                let from = self.read(from);
                let negated = self.sum(shift, zero, from, u64::MAX);
                (to, self.sum(shift, ones, negated, 1))
            }
            Instr::Neg { shift, to, from } => {
                let from = self.read(from);
                (to, self.sum(shift, Some(Form::constant(0)), from, u64::MAX))
            }
            Instr::Add { shift, to, left, right } => {
                let (left, right) = (self.read(left), self.read(right));
                (to, self.sum(shift, left, right, 1))
            }
            Instr::Sub { shift, to, left, right } => {
                let (left, right) = (self.read(left), self.read(right));
                (to, self.sum(shift, left, right, u64::MAX))
            }
            Instr::Mul { shift, to, left, right } => {
                let (left, right) = (self.read(left), self.read(right));
                let zero = Some(Form::constant(0));
                match (left.and_then(Form::known), right.and_then(Form::known)) {
                    (_, Some(factor)) => (to, self.sum(shift, zero, left, factor)),
                    (Some(factor), None) => (to, self.sum(shift, zero, right, factor)),
                    (None, None) => (to, None),
                }
            }
            Instr::Shl { shift, to, left, right } => {
                let (left, right) = (self.read(left), self.read(right));
                let factor = right.and_then(Form::known).map(|by| if by < 64 { 1 << by } else { 0 });
                (to, factor.and_then(|factor| self.sum(shift, Some(Form::constant(0)), left, factor)))
            }
            Instr::Extract { shift, low: 0, to, from } => {
                let from = self.read(from);
                (to, from.map(|from| self.cut(from, shift)))
            }
            Instr::SignExtend { shift, from_shift, to, from } => {
                let line = self.read(from).and_then(|from| self.line(from, Some(from_shift)));
                (to, line.map(|line| line.cut(shift)))
            }
            Instr::Concat { low_width, to, high, low } => {
                let (high, low) = (self.read(high).and_then(Form::known), self.read(low));
                let low = low.and_then(|low| self.line(low, None));
                let place = |high: u64| i128::from(high << (low_width & 63));
                (to, high.zip(low).map(|(high, low)| Line { base: place(high) + low.base, ..low }.cut(0)))
            }
            Instr::And { to, left, right } => {
                let (left, right) = (self.read(left), self.read(right));
                let both = left.and_then(Form::known).zip(right.and_then(Form::known));
                let form = match (both, right.and_then(Form::known)) {
                    (Some((left, right)), _) => Some(Form::constant(left & right)),
                    (None, Some(ones)) if ones != 0 && ones & ones.wrapping_add(1) == 0 => {
                        left.map(|left| self.cut(left, ones.leading_zeros() as u8))
                    }
                    _ => None,
                };
                (to, form)
            }
            Instr::Or { to, left, right } => (to, self.plain(left, right, |a, b| a | b)),
            Instr::Xor { to, left, right } => (to, self.plain(left, right, |a, b| a ^ b)),
            Instr::Udiv { shift, to, left, right } => {
                (to, self.plain(left, right, |a, b| a.checked_div(b).unwrap_or(mask(shift))))
            }
            Instr::Lshr { shift, to, left, right } => {
                (to, self.plain(left, right, |a, by| if by < 64 - u64::from(shift) { a >> by } else { 0 }))
            }
            Instr::Ashr { shift, to, left, right } => {
                (to, self.plain(left, right, |a, by| (signed(a, shift) >> by.min(63)) as u64 & mask(shift)))
            }
            Instr::Extract { shift, low, to, from } => {
                (to, self.plain(from, from, |a, _| a >> (low & 63) & mask(shift)))
            }
            Instr::Rare { op: op @ (Rare::Saddo | Rare::Ssubo | Rare::Smulo), shift, to, left, right } => {
                (to, self.overflow(op, shift, left, right))
            }
            Instr::Rare { op, shift, to, left, right } => (to, self.plain(left, right, |a, b| rare(op, shift, a, b))),
            _ => return None,
        })
    }

    /// Any operator, of values that are the same in all rounds.
    fn plain(&mut self, left: Reg, right: Reg, operator: impl Fn(u64, u64) -> u64) -> Option<Form> {
        let (left, right) = (self.read(left), self.read(right));
        Some(Form::constant(operator(left?.known()?, right?.known()?)))
    }

    /// Whether a signed operation overflows; known only where it does not.
    fn overflow(&mut self, op: Rare, shift: u8, left: Reg, right: Reg) -> Option<Form> {
        let (left, right) = (self.read(left), self.read(right));
        let (left, right) = (left?, right?);
        if let Some((a, b)) = left.known().zip(right.known()) {
            return Some(Form::constant(rare(op, shift, a, b)));
        }
        let (a, b) = (self.line(left, Some(shift))?, self.line(right, Some(shift))?);
        let exact = match op {
            Rare::Saddo => Line { base: a.base + b.base, step: a.step + b.step },
            Rare::Ssubo => Line { base: a.base - b.base, step: a.step - b.step },
            _ if b.step == 0 => Line { base: a.base * b.base, step: a.step * b.base },
            _ if a.step == 0 => Line { base: b.base * a.base, step: b.step * a.base },
            _ => return None,
        };
        let half = 1i128 << (63 - shift);
        self.stays(exact, -half, half - 1)?;
        Some(Form::constant(0))
    }

    /// `left + factor·right`, cut to 64 minus `shift` bits.
    fn sum(&mut self, shift: u8, left: Option<Form>, right: Option<Form>, factor: u64) -> Option<Form> {
        let (left, right) = (self.cut(left?, shift), self.cut(right?, shift));
        let sum = |a: u64, b: u64| a.wrapping_add(b.wrapping_mul(factor)) & mask(shift);
        Some(Form { value: sum(left.value, right.value), step: sum(left.step, right.step), shift })
    }

    /// The low bits: 64 minus `shift`.
    fn cut(&mut self, form: Form, shift: u8) -> Form {
        if form.step == 0 || form.shift <= shift {
            return Form { value: form.value & mask(shift), step: form.step & mask(shift), shift };
        }
        // It wraps around at fewer bits; before it does, it makes no difference.
        self.unsigned_line(form).cut(shift)
    }

    /// The value as a number, signed at a width or not, for as long as it does not wrap around.
    fn line(&mut self, form: Form, signed_at: Option<u8>) -> Option<Line> {
        let Some(shift) = signed_at else { return Some(self.unsigned_line(form)) };
        let form = self.cut(form, shift);
        let half = 1i128 << (63 - shift);
        let line = Line { base: signed(form.value, shift).into(), step: signed(form.step, shift).into() };
        self.stays(line, -half, half - 1)?;
        Some(line)
    }

    fn unsigned_line(&mut self, form: Form) -> Line {
        let line = Line { base: form.value.into(), step: signed(form.step, form.shift).into() };
        self.stays(line, 0, mask(form.shift).into()).expect("a value has no bits above its width");
        line
    }

    /// Limits the number of rounds so that the line stays between the bounds; `None` if it is outside from the start.
    fn stays(&mut self, line: Line, low: i128, high: i128) -> Option<()> {
        if line.base < low || line.base > high {
            return None;
        }
        let last_round = match line.step {
            0 => return Some(()),
            1.. => (high - line.base) / line.step,
            _ => (line.base - low) / -line.step,
        };
        self.rounds = self.rounds.min(u64::try_from(last_round).unwrap_or(u64::MAX).saturating_add(1));
        Some(())
    }

    /// Whether one value is less than the other, signed at a width or not; limits the number of rounds so that the answer is the
    /// same in all.
    fn less(&mut self, left: Reg, right: Reg, signed_at: Option<u8>) -> Option<bool> {
        let (left, right) = (self.read(left), self.read(right));
        let (left, right) = (self.line(left?, signed_at)?, self.line(right?, signed_at)?);
        let apart = Line { base: left.base - right.base, step: left.step - right.step };
        let is_less = apart.base < 0;
        let (low, high) = if is_less { (-FAR, -1) } else { (0, FAR) };
        self.stays(apart, low, high)?;
        Some(is_less)
    }

    /// Whether two values are equal; limits the number of rounds so that the answer is the same in all.
    fn equal(&mut self, left: Reg, right: Reg) -> Option<bool> {
        let (left, right) = (self.read(left), self.read(right));
        let (left, right) = (left?, right?);
        if left.step == 0 && right.step == 0 {
            return Some(left.value == right.value);
        }
        // Where they wrap around: at the same width, or only one of them does.
        let shift = if left.step == 0 { right.shift } else { left.shift };
        let is_at = |form: Form| form.shift == shift || form.step == 0 && form.value <= mask(shift);
        if !is_at(left) || !is_at(right) {
            return None;
        }
        let apart = left.value.wrapping_sub(right.value) & mask(shift);
        let step = left.step.wrapping_sub(right.step) & mask(shift);
        match first_zero(apart, step, shift) {
            Some(0) if step != 0 => self.rounds = 1,
            Some(0) | None => {}
            Some(round) => self.rounds = self.rounds.min(round),
        }
        Some(apart == 0)
    }

    fn read(&mut self, reg: Reg) -> Option<Form> {
        self.used.get_or_insert_with(reg, || (true, false));
        self.forms.get(&reg).copied().unwrap_or_else(|| Some(Form::constant(self.regs[reg as usize])))
    }
    fn write(&mut self, reg: Reg, form: Option<Form>) {
        self.used.get_or_insert_with(reg, || (false, true)).1 = true;
        if self.forms.insert(reg, form).is_none() {
            self.changed.push(reg);
        }
    }
    fn write_truth(&mut self, reg: Reg, holds: bool) {
        self.write(reg, Some(Form::constant(u64::from(holds))));
    }
}

impl Line {
    fn cut(self, shift: u8) -> Form {
        Form { value: self.base as u64 & mask(shift), step: self.step as u64 & mask(shift), shift }
    }
}

/// The first `k` with `value + k·step = 0 (mod 2ʷ)`, `w` being 64 minus `shift`.
fn first_zero(value: u64, step: u64, shift: u8) -> Option<u64> {
    if value == 0 {
        return Some(0);
    }
    let twos = step.trailing_zeros();
    if step == 0 || value.trailing_zeros() < twos {
        return None;
    }
    // Divided by the power of two, the step is odd and has an inverse; Newton's iteration doubles its right bits.
    let odd = step >> twos;
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some(((value.wrapping_neg() & mask(shift)) >> twos).wrapping_mul(inverse) & (mask(shift) >> twos))
}
