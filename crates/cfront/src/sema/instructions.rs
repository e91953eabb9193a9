//! Common instructions of assembler statements, written as assignments.
//!
//! A template is a list of instructions in the syntax of AT&T. Those that move, add and exchange operands of one width, and those that
//! order memory or do nothing, mean the same as a few assignments between temporaries that stand for the operands; with one thread the
//! prefix `lock` changes nothing. A template with any other instruction, register or width is left to its constraints (`assembler`).
//!
//! Arithmetic is done without signs, since machines wrap. Of the flags only *zero* and *sign* of the last result are kept.

use super::Sema;
use super::assembler::{is_memory, tied};
use super::convert::Value;
use crate::ast::{self, Span};
use crate::hir::{BinaryOp, Builtin, CompareOp, Expr, ExprKind, IntKind, Place, PlaceKind, Stmt, StmtKind, TypeId};

/// The instructions of a template: no directives, sections of tables, labels or comments.
pub(crate) fn pieces(template: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_section = false;
    for piece in template.split(['\n', ';']) {
        let mut piece = piece.split('#').next().unwrap_or_default().trim();
        while let Some((label, rest)) = piece.split_once(':') {
            if label.is_empty() || !label.chars().all(|c| c.is_ascii_alphanumeric() || "._%=".contains(c)) {
                break;
            }
            piece = rest.trim();
        }
        if piece.starts_with(".pushsection") || piece.starts_with(".section") {
            in_section = true;
        } else if piece.starts_with(".popsection") || piece.starts_with(".previous") {
            in_section = false;
        } else if !in_section && !piece.is_empty() && !piece.starts_with('.') {
            found.push(piece.strip_prefix("lock ").unwrap_or(piece).trim().to_owned());
        }
    }
    found.retain(|piece| piece != "lock");
    found
}

/// The first word of an instruction.
pub(super) fn mnemonic(piece: &str) -> &str {
    piece.split_whitespace().next().unwrap_or_default()
}

/// Instructions that change nothing which a program with one thread can see.
const NOTHING: &[&str] = &["mfence", "lfence", "sfence", "nop", "pause", "cli", "sti", "cld"];

/// Whether an instruction changes nothing. `rep; nop` is another name of `pause`.
fn is_nothing(piece: &str) -> bool {
    let word = mnemonic(piece);
    NOTHING.contains(&word) || word.starts_with("prefetch") || matches!(piece, "rep" | "rep nop")
}

/// What an operand of an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operand {
    /// `%0`: an operand of the statement.
    Slot(usize),
    /// `$1`.
    Immediate(i128),
}

/// An operand of the statement while its instructions are performed.
struct Slot {
    /// Where it is held.
    place: Place,
    /// Whether it has a value.
    is_set: bool,
    /// Whether instructions may write it.
    is_output: bool,
    /// Whether it holds a number that instructions of any width take.
    is_constant: bool,
}

impl<'a> Sema<'a> {
    /// Writes the statement as assignments, if all its instructions are known; else nothing is done.
    pub(super) fn exact_asm(&mut self, asm: &'a ast::Asm, span: Span, out: &mut Vec<Stmt>) -> bool {
        let pieces = pieces(&asm.template);
        if pieces.iter().all(|piece| is_nothing(piece) || piece == "ud2") && asm.outputs.is_empty() {
            for (constraint, id) in &asm.inputs {
                // None of these instructions reads its operand: `prefetch` of no object is fine.
                let value = if is_memory(constraint) { self.place_address(*id) } else { self.expr(*id) };
                out.push(Stmt { kind: StmtKind::Expr(value), span });
            }
            if pieces.iter().any(|piece| piece == "ud2") {
                let kind = ExprKind::Builtin(Builtin::Trap, Vec::new());
                out.push(Stmt { kind: StmtKind::Expr(Expr { kind, ty: self.basic.void, span }), span });
            }
            self.place_sizes(out);
            return true;
        }
        let are_known = pieces.iter().all(|piece| is_nothing(piece) || split(mnemonic(piece)).is_some());
        // Operands in memory may overlap: then the order of accesses counts, which the temporaries do not show.
        let reads_memory = asm.inputs.iter().any(|(constraint, _)| constraint.contains(['m', 'g', 'o']));
        if !are_known || asm.template.contains("%%") || reads_memory && pieces.len() > 1 {
            return false;
        }
        let kept = out.len();
        let Some(mut machine) = self.asm_slots(asm, span, out) else {
            out.truncate(kept);
            return false;
        };
        for piece in pieces.iter().filter(|piece| !is_nothing(piece)) {
            if self.instruction(piece, &mut machine, span, out).is_none() {
                out.truncate(kept);
                return false;
            }
        }
        if machine.slots.iter().any(|slot| slot.is_output && !slot.is_set) {
            out.truncate(kept);
            return false;
        }
        for (place, slot) in std::mem::take(&mut machine.write_back) {
            let value = self.rvalue_of(&machine.slots[slot].place, span);
            let ty = place.ty;
            let kind = ExprKind::Assign(place, Box::new(value));
            out.push(Stmt { kind: StmtKind::Expr(Expr { kind, ty, span }), span });
        }
        self.place_sizes(out);
        true
    }

    /// Temporaries for the operands. `None` for an operand that is no integer or pointer, or a bit-field.
    fn asm_slots(&mut self, asm: &'a ast::Asm, span: Span, out: &mut Vec<Stmt>) -> Option<Machine> {
        let mut machine = Machine::default();
        let mut n_places = 0;
        let mut values = Vec::new();
        for (constraint, id) in &asm.inputs {
            let value = self.expr(*id);
            if !self.is_machine_word(value.ty) {
                return None;
            }
            let is_immediate = constraint.contains(['i', 'n', 'e', 'I', 'N']);
            let constant = is_immediate && matches!(value.kind, ExprKind::Integer(_));
            values.push((self.temporary(value, out), constant));
        }
        for (n, (constraint, id)) in asm.outputs.iter().enumerate() {
            let Value::Place(lvalue) = self.value(*id) else { return None };
            let mut target = lvalue.place;
            if !self.is_machine_word(target.ty) || matches!(target.kind, PlaceKind::Field { bits: Some(_), .. }) {
                return None;
            }
            if !matches!(target.kind, PlaceKind::Var(_)) {
                // Two of them may overlap.
                n_places += 1;
                if n_places > 1 {
                    return None;
                }
                // Its place is evaluated once.
                let pointer = self.unit.types.pointer_to(target.ty, false, target.is_volatile);
                let address = self.address(target.clone(), pointer);
                let address = self.temporary(address, out);
                target.kind = PlaceKind::Deref(Box::new(address));
            }
            // A memory operand of a volatile type holds what was written to it for as long as the instructions run.
            let start = match tied(asm, n) {
                Some(input) => Some(self.cast(values.get(input)?.0.clone(), target.ty, span)),
                None if constraint.contains('+') => Some(self.rvalue_of(&target, span)),
                None => None,
            };
            let is_set = start.is_some();
            let start = start.unwrap_or_else(|| self.integer(0, target.ty, span));
            let held = self.temporary(start, out);
            let ExprKind::Read(place) = held.kind else { return None };
            machine.write_back.push((target, machine.slots.len()));
            machine.slots.push(Slot { place, is_set, is_output: true, is_constant: false });
        }
        for ((constraint, _), (value, is_constant)) in asm.inputs.iter().zip(values) {
            let ExprKind::Read(place) = value.kind else { return None };
            // An input in memory is one that instructions may write, whatever the constraints say.
            machine.slots.push(Slot { place, is_set: true, is_output: false, is_constant });
            if is_memory(constraint) && asm.clobbers.iter().any(|clobber| clobber == "memory") {
                return None;
            }
        }
        Some(machine)
    }

    fn is_machine_word(&self, ty: TypeId) -> bool {
        (self.unit.types.is_integer(ty) || self.unit.types.is_pointer(ty))
            && matches!(self.unit.types.size_of(ty), Some(1 | 2 | 4 | 8))
    }

    /// Performs one instruction. `None` if it is not one of the known ones on these operands.
    fn instruction(&mut self, piece: &str, machine: &mut Machine, span: Span, out: &mut Vec<Stmt>) -> Option<()> {
        let word = mnemonic(piece);
        let operands: Option<Vec<Operand>> =
            piece[word.len()..].split(',').map(str::trim).filter(|text| !text.is_empty()).map(operand).collect();
        let operands = operands?;
        let (name, suffix) = split(word)?;
        if let Some(set) = name.strip_prefix("set") {
            let [Operand::Slot(slot)] = operands[..] else { return None };
            let flag = match set {
                "e" | "z" => machine.zero.clone()?,
                "ne" | "nz" => self.negation(machine.zero.clone()?),
                "s" => machine.sign.clone()?,
                "ns" => self.negation(machine.sign.clone()?),
                _ => return None,
            };
            if self.unit.types.size_of(machine.slots.get(slot)?.place.ty) != Some(1) {
                return None;
            }
            return self.assign_slot(machine, slot, flag, span, out);
        }
        let width = self.operation_width(machine, &operands, suffix)?;
        let wide = self.compute_type(width);
        match (name, &operands[..]) {
            ("mov", &[from, Operand::Slot(to)]) => {
                let value = self.operand_value(machine, from, wide, span)?;
                self.assign_slot(machine, to, value, span, out)
            }
            ("xchg", &[Operand::Slot(one), Operand::Slot(other)]) => {
                let first = self.operand_value(machine, Operand::Slot(one), wide, span)?;
                let first = self.temporary(first, out);
                let second = self.operand_value(machine, Operand::Slot(other), wide, span)?;
                let second = self.temporary(second, out);
                self.assign_slot(machine, one, second, span, out)?;
                self.assign_slot(machine, other, first, span, out)
            }
            ("xadd", &[Operand::Slot(one), Operand::Slot(other)]) => {
                let first = self.operand_value(machine, Operand::Slot(one), wide, span)?;
                let first = self.temporary(first, out);
                let second = self.operand_value(machine, Operand::Slot(other), wide, span)?;
                let second = self.temporary(second, out);
                let sum = self.machine_binary(BinaryOp::Add, first, second.clone(), wide, span);
                self.assign_slot(machine, one, second, span, out)?;
                self.result(machine, other, sum, width, span, out)
            }
            ("inc" | "dec" | "neg" | "not" | "bswap", &[Operand::Slot(slot)]) => {
                let old = self.operand_value(machine, Operand::Slot(slot), wide, span)?;
                let one = self.integer(1, wide, span);
                let new = match name {
                    "inc" => self.machine_binary(BinaryOp::Add, old, one, wide, span),
                    "dec" => self.machine_binary(BinaryOp::Sub, old, one, wide, span),
                    "neg" => {
                        let zero = self.integer(0, wide, span);
                        self.machine_binary(BinaryOp::Sub, zero, old, wide, span)
                    }
                    "not" => Expr { kind: ExprKind::BitNot(Box::new(old)), ty: wide, span },
                    _ if width >= 4 => Expr { kind: ExprKind::Builtin(Builtin::Bswap, vec![old]), ty: wide, span },
                    _ => return None,
                };
                if matches!(name, "not" | "bswap") {
                    return self.assign_slot(machine, slot, new, span, out);
                }
                self.result(machine, slot, new, width, span, out)
            }
            ("add" | "sub" | "and" | "or" | "xor", &[from, Operand::Slot(to)]) => {
                let op = match name {
                    "add" => BinaryOp::Add,
                    "sub" => BinaryOp::Sub,
                    "and" => BinaryOp::And,
                    "or" => BinaryOp::Or,
                    _ => BinaryOp::Xor,
                };
                let value = self.operand_value(machine, from, wide, span)?;
                let old = self.operand_value(machine, Operand::Slot(to), wide, span)?;
                let new = self.machine_binary(op, old, value, wide, span);
                self.result(machine, to, new, width, span, out)
            }
            _ => None,
        }
    }

    /// The width in bytes: that of the suffix, or of the operands, which must agree.
    fn operation_width(&self, machine: &Machine, operands: &[Operand], suffix: Option<u64>) -> Option<u64> {
        let mut width = suffix;
        for operand in operands {
            let Operand::Slot(slot) = operand else { continue };
            let slot = machine.slots.get(*slot)?;
            let size = self.unit.types.size_of(slot.place.ty)?;
            if slot.is_constant {
                continue;
            }
            match width {
                None => width = Some(size),
                Some(width) if width == size => {}
                Some(_) => return None,
            }
        }
        width
    }

    /// The type in which operations of this width are computed; narrow results are cut when they are stored.
    fn compute_type(&mut self, width: u64) -> TypeId {
        let kind = if width == 8 { IntKind::ULongLong } else { IntKind::UInt };
        self.unit.types.int(kind)
    }

    fn operand_value(&mut self, machine: &Machine, operand: Operand, wide: TypeId, span: Span) -> Option<Expr> {
        match operand {
            Operand::Immediate(value) => {
                let int = self.unit.types.int(IntKind::LongLong);
                let value = self.integer(value, int, span);
                Some(self.cast(value, wide, span))
            }
            Operand::Slot(slot) => {
                let slot = machine.slots.get(slot)?;
                if !slot.is_set {
                    return None;
                }
                let value = self.rvalue_of(&slot.place, span);
                Some(self.cast(value, wide, span))
            }
        }
    }

    fn machine_binary(&mut self, op: BinaryOp, left: Expr, right: Expr, wide: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty: wide, span }
    }

    fn negation(&self, flag: Expr) -> Expr {
        let span = flag.span;
        Expr { kind: ExprKind::Not(Box::new(flag)), ty: self.basic.int, span }
    }

    fn rvalue_of(&self, place: &Place, span: Span) -> Expr {
        Expr { kind: ExprKind::Read(place.clone()), ty: place.ty, span }
    }

    fn assign_slot(
        &mut self,
        machine: &mut Machine,
        slot: usize,
        value: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let place = machine.slots.get(slot).filter(|slot| slot.is_output)?.place.clone();
        machine.slots[slot].is_set = true;
        let ty = place.ty;
        let value = self.cast(value, ty, span);
        let kind = ExprKind::Assign(place, Box::new(value));
        out.push(Stmt { kind: StmtKind::Expr(Expr { kind, ty, span }), span });
        Some(())
    }

    /// Assigns a result that sets the flags.
    fn result(
        &mut self,
        machine: &mut Machine,
        slot: usize,
        value: Expr,
        width: u64,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        self.assign_slot(machine, slot, value, span, out)?;
        let kind = match width {
            1 => IntKind::SChar,
            2 => IntKind::Short,
            4 => IntKind::Int,
            _ => IntKind::LongLong,
        };
        let signed = self.unit.types.int(kind);
        let wide = self.unit.types.int(IntKind::LongLong);
        let held = self.rvalue_of(&machine.slots[slot].place.clone(), span);
        let held = self.cast(held, signed, span);
        let held = self.cast(held, wide, span);
        let zero = self.integer(0, wide, span);
        let int = self.basic.int;
        for (op, flag) in [(CompareOp::Eq, &mut machine.zero), (CompareOp::Lt, &mut machine.sign)] {
            let kind = ExprKind::Compare(op, Box::new(held.clone()), Box::new(zero.clone()));
            *flag = Some(self.temporary(Expr { kind, ty: int, span }, out));
        }
        Some(())
    }
}

/// The state of the instructions.
#[derive(Default)]
struct Machine {
    slots: Vec<Slot>,
    /// Outputs, with their slots.
    write_back: Vec<(Place, usize)>,
    /// Whether the last result was zero.
    zero: Option<Expr>,
    /// Whether the last result was negative.
    sign: Option<Expr>,
}

/// An instruction without its suffix, and the width in bytes that the suffix says.
fn split(word: &str) -> Option<(&str, Option<u64>)> {
    const NAMES: &[&str] =
        &["mov", "xchg", "xadd", "inc", "dec", "neg", "not", "bswap", "add", "sub", "and", "or", "xor"];
    const FLAGS: &[&str] = &["sete", "setz", "setne", "setnz", "sets", "setns"];
    if NAMES.contains(&word) || FLAGS.contains(&word) {
        return Some((word, None));
    }
    let (name, suffix) = word.split_at_checked(word.len().checked_sub(1)?)?;
    let width = match suffix {
        "b" => 1,
        "w" => 2,
        "l" => 4,
        "q" => 8,
        _ => return None,
    };
    NAMES.contains(&name).then_some((name, Some(width)))
}

/// `%0` or `$1`; a part of a register (`%b0`) is none of the known operands.
fn operand(text: &str) -> Option<Operand> {
    if let Some(number) = text.strip_prefix('$') {
        let value = match number.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        return Some(Operand::Immediate(value));
    }
    text.strip_prefix('%')?.parse().ok().map(Operand::Slot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_in_other_sections_are_no_instructions() {
        let text =
            ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; decl %0; sete %1";
        assert_eq!(pieces(text), ["decl %0", "sete %1"]);
        assert_eq!(pieces("1: lock addl %1,%0 # comment"), ["addl %1,%0"]);
    }
    #[test]
    fn suffixes_give_the_width() {
        assert_eq!(split("addl"), Some(("add", Some(4))));
        assert_eq!(split("sub"), Some(("sub", None)));
        assert_eq!(split("xaddq"), Some(("xadd", Some(8))));
        assert_eq!(split("sete"), Some(("sete", None)));
        assert_eq!(split("cpuid"), None);
        assert_eq!(split("é"), None);
    }
    #[test]
    fn operands_are_slots_or_numbers() {
        assert_eq!(operand("%0"), Some(Operand::Slot(0)));
        assert_eq!(operand("$0x10"), Some(Operand::Immediate(16)));
        assert_eq!(operand("%b0"), None);
        assert_eq!(operand("(%0)"), None);
    }
}
