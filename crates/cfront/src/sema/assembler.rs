//! Assembler statements: what their constraints say of them.
//!
//! Three treatments, the first that fits: without instructions, outputs keep their own value or that of the input they are tied
//! to; common instructions are written as assignments (`instructions`); of all others only the constraints are known
//! (`StmtKind::Asm`): an output is any value, an output in memory any contents of its object, and a statement that says
//! `memory`, or calls a function, writes the objects that its operands point to. `asm goto` goes to any of its labels, or on.
//!
//! What leaves the function, the process or the stack by itself is refused: a system call can end the run or map memory.

use super::Sema;
use super::convert::Value;
use super::instructions::{mnemonic, pieces};
use crate::ast::{self, Span};
use crate::hir::{CompareOp, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// What the constraints of a statement say, evaluated.
#[derive(Default)]
struct Operands {
    /// Places that receive a register.
    registers: Vec<Place>,
    /// Addresses of outputs in memory.
    memory: Vec<Expr>,
    /// Values of inputs; addresses of those in memory.
    inputs: Vec<Expr>,
}

impl<'a> Sema<'a> {
    pub(super) fn asm(&mut self, asm: &'a ast::Asm, span: Span, out: &mut Vec<Stmt>) {
        let is_empty = asm.template.trim().is_empty() && asm.labels.is_empty();
        if is_empty && self.tied_asm(asm, span, out) {
            return;
        }
        if asm.labels.is_empty() && !is_empty && self.exact_asm(asm, span, out) {
            return;
        }
        let mut operands = Operands::default();
        for (constraint, id) in &asm.outputs {
            self.asm_output(constraint, *id, &mut operands);
        }
        for (constraint, id) in &asm.inputs {
            let value = if is_memory(constraint) { self.place_address(*id) } else { self.expr(*id) };
            if self.unit.types.is_scalar(value.ty) || self.is_unsupported(value.ty) {
                operands.inputs.push(value);
            } else {
                let refused = self.refuse("an operand of assembler that is no scalar", self.basic.void, span);
                out.push(Stmt { kind: StmtKind::Expr(refused), span });
            }
        }
        self.place_sizes(out);
        if let Some(what) = leaves(&asm.template) {
            let refused = self.refuse(format!("assembler that {what}"), self.basic.void, span);
            out.push(Stmt { kind: StmtKind::Expr(refused), span });
            return;
        }
        let calls = pieces(&asm.template).iter().any(|piece| mnemonic(piece).starts_with("call"));
        let writes_memory = !is_empty && (calls || asm.clobbers.iter().any(|clobber| clobber == "memory"));
        // The operands are evaluated before anything is written.
        let memory = operands.memory.into_iter().map(|address| self.temporary(address, out)).collect();
        let inputs = operands.inputs.into_iter().map(|input| self.temporary(input, out)).collect();
        let mut outputs = operands.registers;
        let jumps = self.asm_jumps(asm, span, &mut outputs, out);
        let template = asm.template.clone();
        out.push(Stmt { kind: StmtKind::Asm { template, outputs, memory, inputs, writes_memory }, span });
        out.extend(jumps);
    }

    fn asm_output(&mut self, constraint: &str, id: ast::ExprId, operands: &mut Operands) {
        if is_memory(constraint) {
            let address = self.place_address(id);
            operands.memory.push(address);
            return;
        }
        match self.value(id) {
            Value::Place(lvalue) => {
                if self.unit.types.is_scalar(lvalue.place.ty) {
                    operands.registers.push(lvalue.place);
                } else {
                    let pointer = self.unit.types.pointer_to(lvalue.place.ty, false, lvalue.place.is_volatile);
                    let address = self.address(lvalue.place, pointer);
                    operands.memory.push(address);
                }
            }
            other => {
                let expr = self.rvalue(other);
                if !self.is_unsupported(expr.ty) {
                    self.error(expr.span, "an output of an assembler statement must be an object", "");
                }
            }
        }
    }

    /// The address of an operand in memory.
    pub(super) fn place_address(&mut self, id: ast::ExprId) -> Expr {
        let span = self.ast.exprs[id].span;
        match self.value(id) {
            Value::Place(lvalue) if !matches!(lvalue.place.kind, PlaceKind::Field { bits: Some(_), .. }) => {
                let pointer = self.unit.types.pointer_to(lvalue.place.ty, lvalue.constant, lvalue.place.is_volatile);
                self.address(lvalue.place, pointer)
            }
            Value::Place(_) => self.error_expr(span, "a bit-field has no address", ""),
            other => self.rvalue(other),
        }
    }

    /// `asm goto`: a variable for each label, which the statement sets to any value, and jumps that look at them.
    fn asm_jumps(&mut self, asm: &'a ast::Asm, span: Span, outputs: &mut Vec<Place>, out: &mut Vec<Stmt>) -> Vec<Stmt> {
        let int = self.basic.int;
        let mut jumps = Vec::new();
        for &name in &asm.labels {
            let label = self.use_label(name, span);
            let zero = self.integer(0, int, span);
            let chosen = self.temporary(zero.clone(), out);
            let ExprKind::Read(place) = &chosen.kind else { continue };
            outputs.push(place.clone());
            let kind = ExprKind::Compare(CompareOp::Ne, Box::new(chosen), Box::new(zero));
            let condition = Expr { kind, ty: int, span };
            let goto = Stmt { kind: StmtKind::Goto(label), span };
            let kind = StmtKind::If { arms: vec![(condition, vec![goto], span)], otherwise: Vec::new() };
            jumps.push(Stmt { kind, span });
        }
        jumps
    }

    /// Assembler without instructions whose outputs keep their own value (`+r`) or take that of an input (`0`):
    /// exact assignments. `false` if an output is neither, and nothing is done.
    fn tied_asm(&mut self, asm: &'a ast::Asm, span: Span, out: &mut Vec<Stmt>) -> bool {
        let all_tied = asm.outputs.iter().enumerate().all(|(n, (c, _))| c.contains('+') || tied(asm, n).is_some());
        if !all_tied || asm.outputs.is_empty() {
            return false;
        }
        let mut values = Vec::new();
        for (_, id) in &asm.inputs {
            let value = self.expr(*id);
            if !self.unit.types.is_scalar(value.ty) {
                let refused = self.refuse("inline assembler", self.basic.void, span);
                out.push(Stmt { kind: StmtKind::Expr(refused), span });
                return true;
            }
            values.push(self.temporary(value, out));
        }
        for (n, (_, id)) in asm.outputs.iter().enumerate() {
            let kind = match self.value(*id) {
                Value::Place(lvalue) => match tied(asm, n) {
                    Some(input) => {
                        let value = self.cast(values[input].clone(), lvalue.place.ty, span);
                        let ty = lvalue.place.ty;
                        Expr { kind: ExprKind::Assign(lvalue.place, Box::new(value)), ty, span }
                    }
                    // It is read and written as it is.
                    None => self.rvalue(Value::Place(lvalue)),
                },
                other => self.rvalue(other),
            };
            out.push(Stmt { kind: StmtKind::Expr(kind), span });
        }
        self.place_sizes(out);
        true
    }
}

/// The input that starts in the register of the n-th output.
pub(super) fn tied(asm: &ast::Asm, n: usize) -> Option<usize> {
    asm.inputs.iter().position(|(constraint, _)| constraint.trim().parse::<usize>() == Ok(n))
}

/// Whether a constraint allows nothing but memory.
pub(super) fn is_memory(constraint: &str) -> bool {
    let letters: String = constraint.chars().filter(|letter| !"=+&%, ".contains(*letter)).collect();
    !letters.is_empty() && letters.chars().all(|letter| "moV<>".contains(letter))
}

/// What a template does that no constraint can say.
fn leaves(template: &str) -> Option<&'static str> {
    for piece in pieces(template) {
        let word = mnemonic(&piece);
        let rest = piece[word.len()..].trim();
        if matches!(word, "int" | "int3" | "into" | "syscall" | "sysenter" | "sysexit" | "sysret" | "svc" | "vmcall") {
            return Some("calls the system");
        }
        if word.starts_with("ret") || word.starts_with("iret") || word.starts_with("lret") || word == "leave" {
            return Some("leaves the function");
        }
        let is_jump = word.starts_with('j') || word.starts_with("loop");
        let is_local = rest.contains("%l") || rest.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == 'L');
        if is_jump && !is_local {
            return Some("jumps out of the statement");
        }
        let moves_stack = ["%%esp", "%%rsp", "%%ebp", "%%rbp", "%%sp"].iter().any(|register| rest.ends_with(register));
        if moves_stack && !word.starts_with("push") && !word.starts_with("cmp") && !word.starts_with("test") {
            return Some("changes the stack pointer");
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_of_memory_are_known() {
        for memory in ["=m", "+m", "m", "=&m", "o", "=m,m"] {
            assert!(is_memory(memory), "{memory}");
        }
        for other in ["=r", "=rm", "g", "0", "=a", "i", "p", "", "X"] {
            assert!(!is_memory(other), "{other}");
        }
    }
    #[test]
    fn what_leaves_the_statement_is_found() {
        assert!(leaves("int $0x80").is_some());
        assert!(leaves("nop\n\tjmp *%0").is_some());
        assert!(leaves("lock; addl $0,0(%%rsp)").is_none());
        assert!(leaves("movl %0, %%esp").is_some());
        assert!(leaves("1: decl %0\n\tjnz 1b").is_none());
        assert!(leaves("jmp %l[out]").is_none());
    }
}
