//! Starting at a function that is not `main`: arguments and global variables from any caller, as far as that can be said.
//!
//! A number is any number. A pointer is null, or leads to a new object of the type it points to (one element; eight bytes, the last of them zero, for
//! characters and `void`), or to the object of an earlier pointer of the same type. The object has any contents, and pointers in it are
//! of the same kind, down to a depth; below that they are null or lead back to the object that holds them. A pointer to a function is null
//! or any function of that type whose address is taken. Global variables that some part of the program writes hold any value (`Globals::Any`), others
//! what their definition says.
//!
//! Objects are static, so that engines see them, unless the function can free memory: then they come from the heap. What callers do
//! beyond this (longer arrays, pointers into the middle, cycles) is not covered, and is listed as assumed. The model is that of CBMC's
//! `--function`; unlike there pointers may be equal.

use program::{Action, InputKind, Lifetime, Shown};
use term::Term;

use crate::Globals;
use crate::ast::Span;
use crate::hir::{Expr, ExprKind, FunctionId, Place, PlaceKind, StmtKind, TypeId, TypeKind, Unit, VarId};
use crate::known_functions::{Word, known};
use crate::tuning::Tuning;

use super::types::{Class, align_of, compatible_functions};
use super::walk::{Node, push_parts};
use super::{Home, Lowering};

/// An object that a pointer from the caller leads to.
type Made = (TypeId, Term);

impl Lowering<'_> {
    /// The arguments of a call by any caller.
    pub(super) fn any_arguments(&mut self, function: FunctionId, types: &[TypeId], span: Span) -> Vec<Term> {
        let unit = self.unit;
        let mut made = Vec::new();
        let mut args = Vec::new();
        for (index, &ty) in types.iter().enumerate() {
            let name = match unit.functions[function].params.get(index) {
                Some(&param) => unit.vars[param].name.clone(),
                None => format!("{}", index + 1),
            };
            self.assume_pointer(&name, ty, span);
            args.push(self.any_from_caller(
                ty,
                &format!("argument {name}"),
                Tuning::DEFAULT.max_pointer_depth,
                None,
                &mut made,
                span,
            ));
        }
        args
    }

    /// Global variables hold any values, as far as something writes them.
    pub(super) fn any_globals(&mut self, globals: Globals, span: Span) {
        let unit = self.unit;
        if globals == Globals::Initial {
            let text = "global variables are taken to hold their initial values where the run starts";
            return self.assume_about("global variables", text.to_owned(), span);
        }
        let written = written_variables(unit);
        let statics: Vec<VarId> = self.reach.statics.iter().copied().collect();
        let mut made = Vec::new();
        for var in statics {
            let variable = &unit.vars[var];
            let is_fixed = variable.is_const || !variable.defined && variable.function.is_none();
            if is_fixed || !written.contains(&var) || self.is_null_variable(var) {
                continue;
            }
            let what = format!("global {}", variable.name);
            match self.home(var) {
                Home::Variable(home) => {
                    let value = self.any_from_caller(variable.ty, &what, 1, None, &mut made, span);
                    self.write_variable(home, value, span);
                }
                Home::Object(object) => {
                    let address = self.object_address(object);
                    self.any_contents(address, variable.ty, &what, 1, &mut made, span);
                }
                Home::Allocated(_) => {}
            }
        }
        let text = "global variables that the program writes are taken to hold any values where the run starts, and their pointers to be null \
             or to lead to one object each";
        self.assume_about("global variables", text.to_owned(), span);
    }

    fn assume_pointer(&mut self, name: &str, ty: TypeId, span: Span) {
        let TypeKind::Pointer { target, .. } = *self.kind(ty) else { return };
        let what = match self.class(target) {
            Class::Function => "a function of the program of its type".to_owned(),
            Class::Void => format!("{} bytes", Tuning::DEFAULT.n_text_bytes),
            _ if self.size_of(target) == 1 => {
                format!("{} bytes that end with zero", Tuning::DEFAULT.n_text_bytes)
            }
            _ if self.size_of(target) == 0 => return,
            _ => format!("one `{}`", self.unit.types.display(target)),
        };
        let text = format!("the argument `{name}` is taken to be null or to point to {what}");
        self.assume_about(&format!("argument {name}"), text, span);
    }

    /// Any value that a caller passes, or leaves in memory. `holder`: the object that contains the value.
    fn any_from_caller(
        &mut self,
        ty: TypeId,
        what: &str,
        depth: u64,
        holder: Option<Made>,
        made: &mut Vec<Made>,
        span: Span,
    ) -> Term {
        match *self.kind(ty) {
            TypeKind::Pointer { target, .. } => self.any_pointer(target, what, depth, holder, made, span),
            _ if self.class(ty) == Class::Record => {
                let address = self.any_object(ty, self.size_of(ty), what, span);
                self.any_contents(address, ty, what, depth, made, span);
                address
            }
            _ => self.any_value(InputKind::Nondet(what.to_owned()), ty, None, span),
        }
    }

    fn any_pointer(
        &mut self,
        target: TypeId,
        what: &str,
        depth: u64,
        holder: Option<Made>,
        made: &mut Vec<Made>,
        span: Span,
    ) -> Term {
        let unit = self.unit;
        let width = self.pointer_width();
        let mut choices = vec![self.terms.bv(width, 0)];
        let size = self.size_of(target);
        if self.class(target) == Class::Function {
            let fits = |&&f: &&FunctionId| compatible_functions(&unit.types, target, unit.functions[f].ty);
            let candidates: Vec<FunctionId> = self.reach.addresses.iter().filter(fits).copied().collect();
            choices.extend(candidates.into_iter().map(|candidate| self.function_address(candidate)));
        } else if size == 0 && self.class(target) != Class::Void {
            let text = format!("{what} points to a type that is not known: it is taken to be any pointer");
            self.assume_about(what, text, span);
            let sort = self.pointer_sort();
            let var = self.new_temp("any", sort, Shown::Pointer);
            let input = self.new_input(InputKind::External(what.to_owned()), Shown::Pointer, span);
            self.emit(Action::Havoc { var, input }, span);
            return self.term_of(var);
        } else if depth == 0 {
            choices.extend(holder.filter(|(ty, _)| *ty == target).map(|(_, address)| address));
        } else {
            let is_text = size <= 1;
            let n_bytes = if is_text { Tuning::DEFAULT.n_text_bytes } else { size };
            let address = self.any_object(target, n_bytes, what, span);
            choices.push(address);
            choices.extend(made.iter().filter(|(ty, _)| *ty == target).map(|&(_, address)| address));
            made.push((target, address));
            if is_text {
                self.forget_as(address, what, span);
                if self.class(target) != Class::Void {
                    let last = self.offset(address, n_bytes - 1);
                    let zero = self.terms.bv(8, 0);
                    self.store(last, zero, span);
                }
            } else {
                self.any_contents(address, target, what, depth - 1, made, span);
            }
        }
        self.any_of(&choices, what, span)
    }

    /// One of these addresses.
    fn any_of(&mut self, choices: &[Term], what: &str, span: Span) -> Term {
        let (&first, rest) = choices.split_first().expect("a pointer may be null");
        if rest.is_empty() {
            return first;
        }
        let sort = self.terms.bv_sort(8);
        let var = self.new_temp("which", sort, Shown::Unsigned);
        let input = self.new_input(InputKind::Nondet(format!("which object: {what}")), Shown::Unsigned, span);
        self.emit(Action::Havoc { var, input }, span);
        let which = self.term_of(var);
        let mut value = first;
        for (number, &choice) in rest.iter().enumerate().take(255) {
            let number = self.terms.bv(8, number as u64 + 1);
            let is_this = self.terms.eq(which, number);
            value = self.terms.ite(is_this, choice, value);
        }
        value
    }

    /// A new object for a value of the caller.
    fn any_object(&mut self, ty: TypeId, size: u64, what: &str, span: Span) -> Term {
        if self.may_free() {
            let sort = self.pointer_sort();
            let var = self.new_temp("object", sort, Shown::Pointer);
            let width = self.pointer_width();
            let size = self.terms.bv(width, size);
            let input = Some(self.new_input(InputKind::Nondet(what.to_owned()), Shown::Plain, span));
            self.emit(Action::Alloc { var, size, lifetime: Lifetime::Heap, input, moved: None }, span);
            return self.term_of(var);
        }
        let name = format!("*({what})!{}", self.program.objects.len());
        let align = align_of(&self.unit.types, ty);
        let object = self.new_object(&name, size, align, false, span);
        self.object_address(object)
    }

    fn may_free(&self) -> bool {
        let frees = |&f: &FunctionId| {
            let function = &self.unit.functions[f];
            let word = known(&function.name).map(|known| known.word);
            function.body.is_none() && matches!(word, Some(Word::Free | Word::Realloc))
        };
        self.reach.functions.iter().any(frees)
    }

    fn forget_as(&mut self, address: Term, what: &str, span: Span) {
        let input = self.new_input(InputKind::Nondet(what.to_owned()), Shown::Plain, span);
        self.emit(Action::Forget { address, size: None, input }, span);
    }

    /// Any contents of an object, with pointers that lead somewhere.
    fn any_contents(&mut self, address: Term, ty: TypeId, what: &str, depth: u64, made: &mut Vec<Made>, span: Span) {
        self.forget_as(address, what, span);
        let mut slots = Vec::new();
        self.pointers_in(ty, 0, &mut slots);
        for (offset, pointer) in slots {
            let value = self.any_from_caller(pointer, what, depth, Some((ty, address)), made, span);
            let at = self.offset(address, offset);
            self.store(at, value, span);
        }
    }

    /// Offsets and types of the pointers in an object, up to a number; unions are left as bytes.
    fn pointers_in(&self, ty: TypeId, offset: u64, slots: &mut Vec<(u64, TypeId)>) {
        if slots.len() as u64 >= Tuning::DEFAULT.max_entry_pointers {
            return;
        }
        match self.kind(ty) {
            TypeKind::Pointer { .. } => slots.push((offset, ty)),
            TypeKind::Record(record) if !self.unit.types.records[*record].is_union => {
                for field in self.unit.types.records[*record].fields.iter().flatten() {
                    self.pointers_in(field.ty, offset + field.offset, slots);
                }
            }
            TypeKind::Array(element, Some(length)) => {
                let size = self.size_of(*element);
                for index in 0..(*length).min(Tuning::DEFAULT.max_entry_pointers) {
                    self.pointers_in(*element, offset + index * size, slots);
                }
            }
            _ => {}
        }
    }
}

/// The variables that some function of the program writes, or may write through their address.
fn written_variables(unit: &Unit) -> base::maps::OrderedSet<VarId> {
    let mut written = base::maps::OrderedSet::default();
    let mut stack: Vec<Node<'_>> = Vec::new();
    for function in unit.functions.iter() {
        stack.extend(function.body.iter().flatten().map(Node::Stmt));
    }
    for var in unit.vars.iter() {
        stack.extend(var.init.as_ref().map(Node::Init));
    }
    let mut write = |place: &Place| {
        if let Some(var) = root(place) {
            written.insert(unit.same_variable(var));
        }
    };
    while let Some(node) = stack.pop() {
        match node {
            // Reading an element takes the address of the array, and does not write it.
            Node::Expr(Expr { kind: ExprKind::Read(place), .. }) => {
                push_read(place, &mut stack);
                continue;
            }
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Assign(place, _)
                | ExprKind::AssignOp { place, .. }
                | ExprKind::AssignPtrAdd { place, .. }
                | ExprKind::Increment { place, .. }
                | ExprKind::AddressOf(place) => write(place),
                ExprKind::VaArg(place) | ExprKind::VaStart(place) => write(place),
                ExprKind::VaCopy(to, from) => {
                    write(to);
                    write(from);
                }
                _ => {}
            },
            Node::Stmt(stmt) => {
                if let StmtKind::Asm { outputs, .. } = &stmt.kind {
                    outputs.iter().for_each(&mut write);
                }
            }
            Node::Place(_) | Node::Init(_) => {}
        }
        push_parts(node, &mut stack);
    }
    written
}

/// The variable that a place is part of.
fn root(place: &Place) -> Option<VarId> {
    match &place.kind {
        PlaceKind::Var(var) | PlaceKind::CompoundLiteral { var, .. } => Some(*var),
        PlaceKind::Field { base, .. } => root(base),
        _ => None,
    }
}

/// The parts of a place that is read, without the addresses of arrays on the way to an element.
fn push_read<'a>(place: &'a Place, stack: &mut Vec<Node<'a>>) {
    let mut place = place;
    loop {
        match &place.kind {
            PlaceKind::Field { base, .. } => place = base,
            PlaceKind::Deref(pointer) => {
                let mut pointer: &'a Expr = pointer;
                loop {
                    match &pointer.kind {
                        ExprKind::PtrAdd { pointer: inner, index, .. } => {
                            stack.push(Node::Expr(index));
                            pointer = inner;
                        }
                        ExprKind::Cast(inner) => pointer = inner,
                        _ => break,
                    }
                }
                match &pointer.kind {
                    ExprKind::AddressOf(inner) => place = inner,
                    _ => return stack.push(Node::Expr(pointer)),
                }
            }
            _ => return push_parts(Node::Place(place), stack),
        }
    }
}
