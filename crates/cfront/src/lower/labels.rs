//! Addresses of labels, and `goto *address`.
//!
//! A label whose address is taken has an object of one byte: its address is a constant that is neither null nor
//! that of anything else, and nothing more is known of it. A computed `goto` compares its operand with the
//! addresses of the function's labels; any other value is undefined.

use program::{Action, AssertionKind, ObjectId, Undefined};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, ExprKind, FunctionId, LabelId};

use super::Lowering;
use super::walk::{Node, push_parts};

impl Lowering<'_> {
    /// The address of a label of the function at hand, or of the one that the static variable at hand is in.
    pub(super) fn label_address(&mut self, label: LabelId) -> Option<Term> {
        let function = self.current.hir.or(self.current.label_scope)?;
        let object = self.label_object(function, label);
        Some(self.object_address(object))
    }
    fn label_object(&mut self, function: FunctionId, label: LabelId) -> ObjectId {
        if let Some(&object) = self.label_objects.get(&(function, label)) {
            return object;
        }
        let hir = &self.unit.functions[function];
        let name = format!("{}!{}", hir.name, hir.labels[label]);
        let span = hir.span;
        let object = self.new_object(&name, 1, 1, false, span);
        self.program.objects[object].read_only = true;
        self.label_objects.insert((function, label), object);
        object
    }

    /// `goto *address`.
    pub(super) fn computed_goto(&mut self, address: &Expr, span: Span) {
        let address = self.value(address);
        let Some(function) = self.current.hir else {
            return self.unsupported(span, "computed goto outside a function");
        };
        self.settle_before_branch();
        for label in self.labels_with_address(function) {
            let object = self.label_object(function, label);
            let other = self.object_address(object);
            let equal = self.terms.eq(address, other);
            let (taken, next) = (self.new_loc(), self.new_loc());
            self.branch(equal, taken, next, span);
            self.start(taken);
            self.jump_to_label(label, span);
            self.start(next);
        }
        // Where it goes otherwise is not known, so nothing is proved with it.
        let never = self.terms.truth(false);
        self.emit(Action::Check { what: Undefined::BadFunctionPointer, holds: never }, span);
        let text = format!("`{}`", self.snippet(span).trim_end_matches(';'));
        self.fail(AssertionKind::Target, text, span);
    }
    /// The labels whose address the function or one of its static variables takes, in order.
    fn labels_with_address(&self, function: FunctionId) -> Vec<LabelId> {
        let unit = self.unit;
        let mut stack: Vec<Node<'_>> = unit.functions[function].body.iter().flatten().map(Node::Stmt).collect();
        let own = unit.vars.iter().filter(|variable| variable.function == Some(function));
        stack.extend(own.filter_map(|variable| variable.init.as_ref()).map(Node::Init));
        let mut taken = Vec::new();
        while let Some(node) = stack.pop() {
            if let Node::Expr(Expr { kind: ExprKind::LabelAddress(label), .. }) = node {
                taken.push(*label);
            }
            push_parts(node, &mut stack);
        }
        taken.sort_unstable();
        taken.dedup();
        taken
    }
}
