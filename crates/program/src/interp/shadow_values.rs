//! The marks of what instructions compute, by the table of `mark`.

use base::Id;
use term::Op;

use crate::model::{InputId, InputKind, Shown};

use super::classes::{Comparison, Test};
use super::code::{ArrayInstr, FloatInstr, FloatOp, Instr, NO_REG, Rare, Reg};
use super::execute::Execution;
use super::mark::{Arith, Cause, Exact, Mark, Relation};
use super::shadow::Marks;
use super::wide::words_for;
use super::{Outcome, Watch, floats};

impl Marks {
    /// The mark of the result of an instruction that computes a value. Long: one `match` over these instructions.
    pub(super) fn value(&mut self, run: &mut Execution<'_>, regs: &[u64], instr: &Instr) {
        match *instr {
            Instr::Move { to, from } => self.regs[to as usize] = self.regs[from as usize],
            Instr::MoveMany { to, from, count } => {
                self.regs.copy_within(from as usize..(from + count) as usize, to as usize);
            }
            Instr::MoveIf { to, when, from } => {
                let taken = if regs[when as usize] != 0 { from } else { to };
                self.regs[to as usize] = self.regs[taken as usize].also(&self.regs[when as usize]);
            }
            Instr::Not { to, from, .. } | Instr::Neg { to, from, .. } => {
                self.regs[to as usize] = self.regs[from as usize].negated();
            }
            Instr::Add { shift, to, left, right } => self.set_arith(run, regs, Arith::Add, shift, [to, left, right]),
            Instr::Sub { shift, to, left, right } => self.set_arith(run, regs, Arith::Sub, shift, [to, left, right]),
            Instr::Mul { shift, to, left, right } => self.set_arith(run, regs, Arith::Mul, shift, [to, left, right]),
            Instr::And { to, left, right } => self.set_and(run, regs, [to, left, right]),
            Instr::Or { to, left, right } | Instr::Xor { to, left, right } => {
                self.set_arith(run, regs, Arith::Or, 64 - self.pointer_width as u8, [to, left, right]);
            }
            Instr::Udiv { shift, to, left, right } => {
                self.set_arith(run, regs, Arith::Other, shift, [to, left, right]);
            }
            Instr::Shl { shift, to, left, right }
            | Instr::Lshr { shift, to, left, right }
            | Instr::Ashr { shift, to, left, right } => {
                self.set_arith(run, regs, Arith::Shift, shift, [to, left, right]);
            }
            Instr::Eq { to, left, right } => self.set_compared(run, regs, Test::Equal, [to, left, right]),
            Instr::Ult { to, left, right } => {
                self.set_compared(run, regs, Test::Less { or_equal: false }, [to, left, right]);
            }
            Instr::Ule { to, left, right } => {
                self.set_compared(run, regs, Test::Less { or_equal: true }, [to, left, right]);
            }
            Instr::Slt { shift, to, left, right } => {
                let width = 64 - u32::from(shift);
                self.set_compared(run, regs, Test::SignedLess { or_equal: false, width }, [to, left, right]);
            }
            Instr::Sle { shift, to, left, right } => {
                let width = 64 - u32::from(shift);
                self.set_compared(run, regs, Test::SignedLess { or_equal: true, width }, [to, left, right]);
            }
            Instr::Extract { shift, low, to, from } => {
                let mark = self.regs[from as usize];
                self.regs[to as usize] = if mark.is_plain() {
                    mark
                } else {
                    let value = regs[from as usize];
                    self.world(run).extract(value, mark, u32::from(low), 64 - u32::from(shift))
                };
            }
            Instr::SignExtend { to, from, .. } => self.regs[to as usize] = self.regs[from as usize].weak(),
            Instr::Concat { low_width, to, high, low } => {
                let (a, b) = (self.regs[high as usize], self.regs[low as usize]);
                self.regs[to as usize] = if a.is_plain() && b.is_plain() {
                    a
                } else {
                    let (x, y) = (regs[high as usize], regs[low as usize]);
                    self.world(run).concat((x, a), (y, b), u32::from(low_width))
                };
            }
            Instr::Rare { op: Rare::Urem, shift, to, left, right } => {
                self.set_arith(run, regs, Arith::Remainder, shift, [to, left, right]);
            }
            Instr::Rare { to, left, right, .. } => self.regs[to as usize] = self.numbers([left, right]),
            Instr::Wide { index } => {
                self.wide(run, index);
                let result = &run.code.wide[index as usize];
                let words = result.to as usize..result.to as usize + words_for(result.width);
                self.regs[words].iter_mut().for_each(|mark| mark.exact = None);
            }
            Instr::Float { index } => {
                let FloatInstr { to, left, right, op, format, .. } = run.code.floats[index as usize];
                let inputs = floats::words_in(op);
                let result = floats::apply(op, format, &regs[left as usize..][..inputs], regs[right as usize]);
                let mark = self.numbers((left..left + inputs as u32).chain([right]));
                // What a float operator makes of a NaN does not depend on the bits of it.
                let shows_bits = matches!(op, FloatOp::IsNegative | FloatOp::ToEncoding(_));
                let nan = floats::is_nan(op, format, result[0]) || shows_bits && mark.nan;
                self.set_words(to, floats::words_out(op), Mark { nan, ..mark });
            }
            Instr::Apply { index } => {
                let instr = &run.code.applications[index as usize];
                let args = instr.args.iter().flat_map(|&(reg, width)| reg..reg + words_for(width) as u32);
                let mark = self.numbers(args).number_of(&Mark { free: Cause::FUNCTION, ..Mark::default() });
                self.set_words(instr.to, words_for(instr.width), mark);
            }
            Instr::Array { index } => {
                let ArrayInstr { to, array, index, element, .. } = run.code.arrays[index as usize];
                self.regs[to as usize] = self.numbers([array, index, element]);
            }
            Instr::Havoc { index } => {
                let havoc = run.code.havocs[index as usize];
                if matches!(run.code.inputs[havoc.input.index()].kind, InputKind::Order { .. }) {
                    // The shadow run itself shows that the value does not matter, or reports a conflict.
                    self.last_order = Some(havoc.input);
                    self.set_words(havoc.to, words_for(havoc.width), Mark::default());
                    return;
                }
                let width = if havoc.is_array { u32::MAX } else { havoc.width };
                let mut mark = self.drawn(run, Some(havoc.input), width);
                mark.exact = self.exact(run, havoc.input, width).filter(|_| !mark.is_plain());
                self.set_words(havoc.to, words_for(havoc.width), mark);
            }
            _ => unreachable!("{instr:?} computes no value"),
        }
        if let Some(to) = computed(instr) {
            self.regs[to as usize].exact = None;
        }
    }
    /// The value that is about to be drawn, if its values are enumerated by classes.
    fn exact(&self, run: &Execution<'_>, input: InputId, width: u32) -> Option<Exact> {
        let enumerates = matches!(self.watch, Watch::Everything { enumerated } if enumerated > 0);
        let is_number = width <= 64 && run.code.inputs[input.index()].shown != Shown::Float;
        let occurrence = u32::try_from(run.asked[input.index()]).ok()?;
        (enumerates && is_number).then_some(Exact { input: input.index() as u32, occurrence })
    }
    /// Whether the supplier tries other answers of this comparison, too, so that nothing depends on it.
    fn narrows(&self, run: &mut Execution<'_>, regs: &[u64], test: Test, left: Reg, right: Reg) -> bool {
        let (a, b) = (self.regs[left as usize], self.regs[right as usize]);
        let (of, with, is_left) = match (a.exact, b.exact) {
            (Some(of), _) if b.is_plain() => (of, regs[right as usize], true),
            (_, Some(of)) if a.is_plain() => (of, regs[left as usize], false),
            _ => return false,
        };
        run.inputs.narrow(&Comparison { of, test, with, is_left })
    }

    #[inline]
    pub(super) fn set_arith(
        &mut self,
        run: &Execution<'_>,
        regs: &[u64],
        op: Arith,
        shift: u8,
        [to, left, right]: [Reg; 3],
    ) {
        let (a, b) = (self.regs[left as usize], self.regs[right as usize]);
        self.regs[to as usize] = if a.is_plain() && b.is_plain() {
            Mark::default()
        } else {
            let (x, y) = (regs[left as usize], regs[right as usize]);
            self.world(run).arith(op, 64 - u32::from(shift), (x, a), (y, b))
        };
    }
    #[inline]
    pub(super) fn compared(&self, run: &mut Execution<'_>, regs: &[u64], test: Test, left: Reg, right: Reg) -> Mark {
        let (a, b) = (self.regs[left as usize], self.regs[right as usize]);
        if a.is_plain() && b.is_plain() || self.narrows(run, regs, test, left, right) {
            return Mark::default();
        }
        let relation = match test {
            Test::Equal => Relation::Equal,
            Test::Less { .. } => Relation::Less,
            Test::SignedLess { .. } => Relation::SignedLess,
        };
        self.world(run).compare(relation, (regs[left as usize], a), (regs[right as usize], b))
    }
    pub(super) fn set_compared(
        &mut self,
        run: &mut Execution<'_>,
        regs: &[u64],
        test: Test,
        [to, left, right]: [Reg; 3],
    ) {
        self.regs[to as usize] = self.compared(run, regs, test, left, right);
    }
    pub(super) fn jump(
        &mut self,
        run: &mut Execution<'_>,
        regs: &[u64],
        at: usize,
        test: Test,
        left: Reg,
        right: Reg,
    ) -> Result<(), Outcome> {
        let mark = self.compared(run, regs, test, left, right);
        self.decide(run, at, mark)
    }
    /// A conjunction with zero is zero, whatever the other side depends on.
    pub(super) fn set_and(&mut self, run: &Execution<'_>, regs: &[u64], [to, left, right]: [Reg; 3]) {
        let is_zero = |reg: Reg| regs[reg as usize] == 0 && self.regs[reg as usize].is_plain();
        if is_zero(left) || is_zero(right) {
            self.regs[to as usize] = Mark::default();
        } else {
            self.set_arith(run, regs, Arith::And, 64 - self.pointer_width as u8, [to, left, right]);
        }
    }
    /// A number that depends on all these registers.
    pub(super) fn numbers(&self, regs: impl IntoIterator<Item = Reg>) -> Mark {
        let in_use = regs.into_iter().filter(|&reg| reg != NO_REG);
        in_use.fold(Mark::default(), |all, reg| all.number_of(&self.regs[reg as usize].as_number()))
    }
    pub(super) fn set_words(&mut self, to: Reg, words: usize, mark: Mark) {
        self.regs[to as usize..][..words].fill(mark);
    }

    /// Values of bit-vectors wider than a register: whole words keep their marks.
    pub(super) fn wide(&mut self, run: &Execution<'_>, index: u32) {
        let instr = &run.code.wide[index as usize];
        let words = words_for(instr.width);
        let first = instr.args[0];
        let copied: Option<Vec<Mark>> = match instr.op {
            Op::Extract { low, .. } if low % 64 == 0 && instr.width.is_multiple_of(64) => {
                Some(self.regs[(first.0 + low / 64) as usize..][..words].to_vec())
            }
            Op::Concat if instr.args.len() == 2 && instr.args[1].1.is_multiple_of(64) => {
                let of = |(reg, width): (Reg, u32)| self.regs[reg as usize..][..words_for(width)].iter().copied();
                Some(of(instr.args[1]).chain(of(first)).collect())
            }
            Op::ZeroExtend(_) => {
                let low = self.regs[first.0 as usize..][..words_for(first.1)].iter().copied();
                Some(low.chain(std::iter::repeat(Mark::default())).take(words).collect())
            }
            _ => None,
        };
        if let Some(marks) = copied {
            self.regs[instr.to as usize..][..words].copy_from_slice(&marks);
            return;
        }
        let all = self.numbers(instr.args.iter().flat_map(|&(reg, width)| reg..reg + words_for(width) as u32));
        self.set_words(instr.to, words, all);
    }

    /// The mark of a value of this width that the supplier gives.
    pub(super) fn drawn(&self, run: &Execution<'_>, input: Option<InputId>, width: u32) -> Mark {
        if matches!(self.watch, Watch::Everything { enumerated } if width <= enumerated) {
            return Mark::default(); // All its values are tried.
        }
        let Some(input) = input else { return Mark { free: Cause::CONTENTS, ..Mark::default() } };
        let cause = Cause::input(input.index());
        let is_open = run.code.inputs[input.index()].kind.is_uncontrolled();
        Mark { free: cause, open: if is_open { cause } else { Cause::NONE }, ..Mark::default() }
    }
}

/// The register of a narrow result that is no copy.
fn computed(instr: &Instr) -> Option<Reg> {
    match *instr {
        Instr::MoveIf { to, .. }
        | Instr::Not { to, .. }
        | Instr::Neg { to, .. }
        | Instr::Add { to, .. }
        | Instr::Sub { to, .. }
        | Instr::Mul { to, .. }
        | Instr::And { to, .. }
        | Instr::Or { to, .. }
        | Instr::Xor { to, .. }
        | Instr::Udiv { to, .. }
        | Instr::Shl { to, .. }
        | Instr::Lshr { to, .. }
        | Instr::Ashr { to, .. }
        | Instr::Eq { to, .. }
        | Instr::Ult { to, .. }
        | Instr::Ule { to, .. }
        | Instr::Slt { to, .. }
        | Instr::Sle { to, .. }
        | Instr::Extract { to, .. }
        | Instr::SignExtend { to, .. }
        | Instr::Concat { to, .. }
        | Instr::Rare { to, .. } => Some(to),
        _ => None,
    }
}
