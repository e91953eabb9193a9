//! Order of evaluation: whether operands that C does not order access the same bits.
//!
//! Where the accesses of two operands may conflict, the front end marks the expression as a *region* and its operands by
//! [`OrderStep`]s. A run takes one order. Operands form a tree: one that contains another is evaluated after it, and two of which
//! neither contains the other are not ordered.
//!
//! Every access between the start and the end of a region belongs to the operand that is evaluated, calls included. A
//! *conflict* is two accesses to the same bits, at least one of them a write, of operands that are not ordered; or two writes of an operand
//! and of one inside of it, unless a call or another sequence point lies between them (C11 6.5p2, 6.5.2.2p10). In a run without
//! conflicts every order of evaluation gives the same run: accesses of different operands commute.
//!
//! A run that ends inside a region has not evaluated the other operands. It would have ended elsewhere in another order if one
//! of them can end the run.

use base::{FastMap, Id};

use crate::model::{InputId, InputKind, OrderStep};

use super::code::{Code, NO_REG};
use super::execute::Execution;
use super::mark::{Cause, Mark};
use super::shadow::Marks;
use super::{Outcome, Watch};

/// An expression that is being evaluated.
pub(super) struct Region {
    /// Activations when it began.
    depth: usize,
    input: InputId,
    /// Whether an operand may end the run.
    ends: bool,
    /// Whether all orders are tried, so that conflicts need not be reported.
    is_tried: bool,
    /// The expression itself, then its operands by number.
    operands: Vec<Operand>,
    /// The innermost operand that is being evaluated, zero for none; and those around it.
    current: u32,
    around: Vec<u32>,
    /// Whether loads and stores of this activation do not count.
    paused: bool,
    /// Accesses by the number of the eight bytes, and by the number of the variable.
    words: FastMap<u64, Vec<Access>>,
    variables: FastMap<usize, Vec<Access>>,
}

#[derive(Clone, Copy, Default)]
struct Operand {
    parent: u32,
    sequenced: bool,
}

#[derive(Clone, Copy)]
struct Access {
    operand: u32,
    is_write: bool,
    bits: u64,
}

impl Region {
    /// Whether the first operand contains the second.
    fn contains(&self, outer: u32, inner: u32) -> bool {
        let mut at = inner;
        // A program from a text may name operands that contain one another.
        for _ in 0..self.operands.len() {
            if at == 0 {
                return false;
            }
            at = self.operands[at as usize].parent;
            if at == outer {
                return true;
            }
        }
        false
    }
    /// Whether no sequence point lies between a side effect of the inner operand and one of the outer.
    fn is_unsequenced(&self, outer: u32, inner: u32) -> bool {
        let mut at = inner;
        while at != outer {
            if self.operands[at as usize].sequenced {
                return false;
            }
            at = self.operands[at as usize].parent;
        }
        outer != 0
    }
    fn conflict(&self, one: &Access, other: &Access) -> bool {
        let (left, right) = (one.operand, other.operand);
        if left == right || one.bits & other.bits == 0 || !(one.is_write || other.is_write) {
            return false;
        }
        let both_write = one.is_write && other.is_write;
        if self.contains(left, right) {
            both_write && self.is_unsequenced(left, right)
        } else if self.contains(right, left) {
            both_write && self.is_unsequenced(right, left)
        } else {
            true
        }
    }
    /// Notes an access; whether it conflicts with an earlier one.
    fn note(&self, known: &mut Vec<Access>, access: Access) -> bool {
        if known.iter().any(|earlier| self.conflict(earlier, &access)) {
            return true;
        }
        let same = |earlier: &&mut Access| (earlier.operand, earlier.is_write) == (access.operand, access.is_write);
        match known.iter_mut().find(same) {
            Some(earlier) => earlier.bits |= access.bits,
            None => known.push(access),
        }
        false
    }
    /// Notes an access to bits of memory, counted from an address.
    fn memory(&mut self, address: u64, first: u64, count: u64, is_write: bool) -> bool {
        let begin = u128::from(address) * 8 + u128::from(first);
        let end = begin + u128::from(count);
        let mut words = std::mem::replace(&mut self.words, FastMap::new());
        let mut conflict = false;
        let mut at = begin;
        while at < end {
            let stop = end.min((at / 64 + 1) * 64);
            let bits = (u64::MAX >> (64 - (stop - at))) << (at % 64);
            let access = Access { operand: self.current, is_write, bits };
            conflict |= self.note(words.get_or_insert_with((at / 64) as u64, Vec::new), access);
            at = stop;
        }
        self.words = words;
        conflict
    }
    fn variable(&mut self, variable: usize, is_write: bool) -> bool {
        let mut variables = std::mem::replace(&mut self.variables, FastMap::new());
        let access = Access { operand: self.current, is_write, bits: u64::MAX };
        let conflict = self.note(variables.get_or_insert_with(variable, Vec::new), access);
        self.variables = variables;
        conflict
    }
}

impl Marks {
    /// A region begins.
    fn open_region(&mut self, run: &Execution<'_>, input: InputId) {
        let depth = run.calls.len();
        // A jump may have left the same region in the middle.
        if let Some(stale) = self.regions.iter().position(|open| open.depth == depth && open.input == input) {
            self.regions.truncate(stale);
        }
        let InputKind::Order { ends, is_choice, .. } = run.code.inputs[input.index()].kind else { return };
        let is_tried = is_choice && matches!(self.watch, Watch::Everything { enumerated } if enumerated > 0);
        self.regions.push(Region {
            depth,
            input,
            ends,
            is_tried,
            operands: vec![Operand::default()],
            current: 0,
            around: Vec::new(),
            paused: false,
            words: FastMap::new(),
            variables: FastMap::new(),
        });
    }
    /// Regions of an activation end with it.
    pub(super) fn close_regions(&mut self, depth: usize) {
        while self.regions.last().is_some_and(|open| open.depth >= depth) {
            self.regions.pop();
        }
    }
    /// A step of the innermost region, if it is one of this activation.
    pub(super) fn order(&mut self, run: &Execution<'_>, regs: &[u64], at: usize, index: usize) -> Result<(), Outcome> {
        let depth = run.calls.len();
        let (step, address) = run.code.orders[index];
        if let OrderStep::Open { input } = step {
            self.open_region(run, input);
            return Ok(());
        }
        let Some(region) = self.regions.last_mut().filter(|open| open.depth == depth) else { return Ok(()) };
        match step {
            OrderStep::Open { .. } => unreachable!("handled above"),
            OrderStep::Enter { operand, parent, sequenced } => {
                let n_operands = region.operands.len().max(operand.max(parent) as usize + 1);
                region.operands.resize(n_operands, Operand::default());
                region.operands[operand as usize] = Operand { parent, sequenced };
                region.around.push(std::mem::replace(&mut region.current, operand));
            }
            OrderStep::Leave => region.current = region.around.pop().unwrap_or(0),
            OrderStep::Close => {
                self.regions.pop();
            }
            OrderStep::Variable { var, is_write } => {
                for index in 0..self.regions.len() {
                    let region = &mut self.regions[index];
                    if region.depth == depth && region.variable(var.index(), is_write) {
                        self.report_order(run, at, index)?;
                    }
                }
            }
            OrderStep::Bits { first, count, is_write, .. } => {
                debug_assert!(address != NO_REG, "bits have an address");
                let address = regs[address as usize];
                for index in 0..self.regions.len() {
                    if self.regions[index].memory(address, u64::from(first), count, is_write) {
                        self.report_order(run, at, index)?;
                    }
                    self.regions[index].paused |= self.regions[index].depth == depth;
                }
            }
            OrderStep::Resume => {
                for region in self.regions.iter_mut().filter(|open| open.depth == depth) {
                    region.paused = false;
                }
            }
        }
        Ok(())
    }
    /// A load, store or free of this number of bytes.
    #[inline]
    pub(super) fn order_access(
        &mut self,
        run: &Execution<'_>,
        at: usize,
        address: u64,
        bytes: u64,
        is_write: bool,
    ) -> Result<(), Outcome> {
        let depth = run.calls.len();
        for index in 0..self.regions.len() {
            let region = &mut self.regions[index];
            let counts = region.depth < depth || !region.paused;
            if counts && region.memory(address, 0, bytes.saturating_mul(8), is_write) {
                self.report_order(run, at, index)?;
            }
        }
        Ok(())
    }
    fn report_order(&mut self, run: &Execution<'_>, at: usize, region: usize) -> Result<(), Outcome> {
        if self.regions[region].is_tried {
            return Ok(());
        }
        let cause = Cause::input(self.regions[region].input.index());
        self.decide(run, at, Mark { free: cause, open: cause, ..Mark::default() })
    }
    /// The order that a run which ended here depends on: that of a region in which it ended, or one that led to the error.
    pub(super) fn order_at_end(&self, code: &Code, outcome: &Outcome) -> Option<InputId> {
        if let Outcome::Error(assertion) = outcome
            && code.order_assertions.contains(assertion)
        {
            return self.last_order;
        }
        let matters = |region: &&Region| match outcome {
            Outcome::Error(_) => region.ends,
            Outcome::Blocked(_) | Outcome::MemoryError(_) => true,
            _ => false,
        };
        self.regions.iter().filter(|region| !region.is_tried).find(matters).map(|region| region.input)
    }
}
