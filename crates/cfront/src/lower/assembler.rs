//! Assembler of which only the constraints are known.
//!
//! An output is any value, an output in memory any contents of its object; a statement that says `memory`, or calls a function, may write the
//! objects that its operands point to, and variables that it names. That it does nothing else is an assumption, as for functions without a body, and is reported.
//! The values count as values from outside: an error that needs one of them is not confirmed by replay alone.

use program::{Action, InputKind, Shown};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, Place, TypeKind};

use super::types::Class;
use super::{Home, Lowering};

impl Lowering<'_> {
    /// The operands have been evaluated: addresses are variables. There are pointers if it may write what they point to.
    pub(super) fn assembler(
        &mut self,
        template: &str,
        outputs: &[Place],
        memory: &[Expr],
        pointers: Option<&[Expr]>,
        span: Span,
    ) {
        let instructions = crate::sema::instructions_of(template);
        let text: String = instructions.join("; ").chars().take(40).collect();
        let name = if text.is_empty() { "assembler".to_owned() } else { format!("assembler `{text}`") };
        if !instructions.is_empty() {
            let text = format!(
                "{name} is taken to do what its operands and clobbers say: to set its outputs to any values, to write at most the objects \
                 that its operands point to, and to do nothing else"
            );
            self.assume_about(&name, text, span);
        }
        for address in memory.iter().chain(pointers.into_iter().flatten()) {
            let TypeKind::Pointer { target, .. } = *self.kind(address.ty) else { continue };
            if self.class(target) == Class::Function {
                continue;
            }
            let address = self.value(address);
            self.forget_object(&name, address, span);
        }
        self.named_symbols(&name, &instructions, pointers.is_some(), span);
        for output in outputs {
            let target = self.target(output);
            let kind = if instructions.is_empty() {
                InputKind::Unspecified("a register that assembler leaves as it is".to_owned())
            } else {
                InputKind::External(name.clone())
            };
            let value = self.any_value(kind, output.ty, None, span);
            self.write(target, output.ty, value, span);
        }
    }

    /// Symbols of the program that the instructions name.
    fn named_symbols(&mut self, name: &str, instructions: &[String], writes: bool, span: Span) {
        let unit = self.unit;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words =
            instructions.iter().flat_map(|text| text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).skip(1));
        let words: Vec<&str> = words.collect();
        if words.is_empty() {
            return;
        }
        let is_named = |symbol: &str| words.contains(&symbol);
        if let Some(function) = unit.functions.iter().find(|f| f.body.is_some() && is_named(&f.name)) {
            self.unsupported(span, format!("assembler that uses the function `{}`", function.name));
        }
        let statics: Vec<_> = self.reach.statics.iter().copied().collect();
        for var in statics.into_iter().filter(|_| writes) {
            let variable = &unit.vars[var];
            if variable.function.is_some() || !is_named(&variable.name) {
                continue;
            }
            match self.home(var) {
                Home::Variable(home) => {
                    self.any_value(InputKind::External(name.to_owned()), variable.ty, Some(home), span);
                }
                Home::Object(object) => {
                    let address = self.object_address(object);
                    self.forget_object(name, address, span);
                }
                Home::Allocated(_) => {}
            }
        }
    }

    fn forget_object(&mut self, name: &str, address: Term, span: Span) {
        let width = self.pointer_width();
        if address == self.terms.bv(width, 0) {
            return;
        }
        let input = self.new_input(InputKind::External(name.to_owned()), Shown::Plain, span);
        self.emit(Action::Forget { address, size: None, input }, span);
    }
}
