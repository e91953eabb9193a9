//! Scopes: the objects of a block begin where it is entered and end where it is left.
//!
//! The declaration begins an object, and the object ends with its block, on every way out: at its end, by `break`, `continue` or
//! `goto`. A jump to a label or to a case inside a block enters it past its declarations. C says that the lifetime begins with the
//! entry (6.2.4p6), so the variables of the block begin on the way to the label, with any value (`blocks` knows which blocks that
//! are). The block of a statement expression is a block too.
//!
//! The lifetime of an array of variable length begins at its declaration and ends where the scope of the declaration is left
//! (6.2.4p7), so a jump back to a place before the declaration ends it as well.
//!
//! Leaving the function ends all of its objects anyway.

use program::{Action, InputKind, Lifetime, Loc, ObjectId, Shown, Var};

use crate::ast::Span;
use crate::hir::{LabelId, Stmt, StorageKind, VarId};

use super::blocks::{BlockId, Key};
use super::{Home, Lowering};

/// A block that is open.
#[derive(Default)]
pub(super) struct Scope {
    /// Whether leaving it ends its objects: every block but the outermost one of the function.
    ends: bool,
    /// Its number, if it holds a label or a case.
    block: Option<BlockId>,
    /// The objects declared in it so far. In a block with a label or a case: all, for what is declared behind a jump may have begun
    /// in an earlier round.
    objects: Vec<ObjectId>,
    /// The variables that can hold a pointer, likewise.
    pointers: Vec<Var>,
    /// The addresses of the arrays of variable length declared in it so far.
    arrays: Vec<Var>,
}

impl Lowering<'_> {
    /// The statements of a function's body.
    pub(super) fn function_body(&mut self, body: &[Stmt]) {
        let block = self.current.blocks.enter(body, None);
        self.current.scopes.push(Scope { block, ..Scope::default() });
        self.statements(body);
        self.current.scopes.pop();
    }
    /// A block with objects of its own.
    pub(super) fn block(&mut self, body: &[Stmt], span: Span) {
        self.open_scope(Key::body(body));
        self.statements(body);
        self.close_scope(span);
    }
    /// The block of a statement expression, which stays open.
    pub(super) fn open_expression_block(&mut self, body: &[Stmt]) {
        // On the way to its labels are all blocks that are open.
        let mut outer = None;
        for scope in &mut self.current.scopes {
            let block = scope.block.unwrap_or_else(|| self.current.blocks.add(outer));
            scope.block = Some(block);
            outer = Some(block);
        }
        self.current.blocks.enter(body, outer);
        self.open_scope(Key::body(body));
        self.statements(body);
    }
    pub(super) fn open_scope(&mut self, key: Key) {
        let block = self.current.blocks.block(key);
        let mut scope = Scope { ends: true, block, ..Scope::default() };
        for var in block.map(|block| self.current.blocks.declared(block).to_vec()).unwrap_or_default() {
            match self.automatic_home(var) {
                Some(Home::Object(object)) => scope.objects.push(object),
                Some(Home::Variable(var)) if self.may_hold_pointer(var) => scope.pointers.push(var),
                _ => {}
            }
        }
        self.current.scopes.push(scope);
    }
    /// Ends the objects of the innermost block.
    pub(super) fn close_scope(&mut self, span: Span) {
        self.end_scopes(self.current.scopes.len() - 1, span);
        self.current.scopes.pop();
    }
    /// Ends the objects of all blocks but the outermost `n_left`, on the way out of them.
    pub(super) fn end_scopes(&mut self, n_left: usize, span: Span) {
        if self.current.at.is_none() {
            return;
        }
        let inner = self.current.scopes[n_left..].iter().rev();
        let ended: Vec<ObjectId> = inner.flat_map(|scope| scope.objects.iter().rev().copied()).collect();
        for object in ended {
            self.emit(Action::End { object }, span);
        }
        let inner = self.current.scopes[n_left..].iter().rev();
        let arrays: Vec<Var> = inner.flat_map(|scope| scope.arrays.iter().rev().copied()).collect();
        self.end_arrays(&arrays, span);
        let inner = self.current.scopes[n_left..].iter().rev();
        let pointers: Vec<Var> = inner.flat_map(|scope| scope.pointers.iter().copied()).collect();
        self.clear(&pointers, span);
    }
    fn end_arrays(&mut self, arrays: &[Var], span: Span) {
        for &array in arrays {
            let address = self.term_of(array);
            self.emit(Action::Free { address, lifetime: Lifetime::Frame }, span);
        }
    }

    // ---- jumps to labels and cases

    /// A label stands here.
    pub(super) fn meet_label(&mut self, label: LabelId) {
        let n_arrays = self.current.scopes.iter().map(|scope| scope.arrays.len()).collect();
        self.current.arrays_at_label.insert(label, n_arrays);
    }
    /// Goes to the label: out of the blocks that do not hold it, into those that do.
    pub(super) fn jump_to_label(&mut self, label: LabelId, span: Span) {
        let to = self.label(label);
        let Some(path) = self.current.blocks.path_to_label(label) else {
            return self.unsupported(span, "jump into a statement expression");
        };
        let open = self.current.scopes.iter().map(|scope| scope.block);
        let n_common = open.zip(&path).take_while(|(open, block)| *open == Some(**block)).count();
        self.end_scopes(n_common, span);
        // Arrays of variable length in blocks that stay open end if the label stands before their declarations.
        let later = match self.current.arrays_at_label.get(&label) {
            Some(counts) => {
                let stay = self.current.scopes[..n_common].iter().zip(counts);
                stay.flat_map(|(scope, &n)| scope.arrays[n..].iter().rev().copied()).collect()
            }
            None => Vec::new(),
        };
        self.end_arrays(&later, span);
        self.enter_blocks(&path[n_common..], span);
        self.jump(to, span);
    }
    /// Where the switch with this body goes for the case: to the case itself if no variable begins on the way, else to a new
    /// location, from which the way leads through the blocks to the case.
    pub(super) fn way_to_case(&mut self, body: &[Stmt], case: usize, to: Loc, span: Span) -> Loc {
        let path = self.current.blocks.path_to_case(body, case);
        let entered = &path[self.current.scopes.len().min(path.len())..];
        if entered.iter().all(|&block| self.current.blocks.declared(block).is_empty()) {
            return to;
        }
        let way = self.new_loc();
        let from = self.current.at.take();
        self.start(way);
        self.enter_blocks(entered, span);
        self.jump(to, span);
        self.current.at = from;
        way
    }
    /// The variables of these blocks begin, with any value.
    fn enter_blocks(&mut self, blocks: &[BlockId], span: Span) {
        for &block in blocks {
            for var in self.current.blocks.declared(block).to_vec() {
                let Some(home) = self.automatic_home(var) else { continue };
                let variable = &self.unit.vars[self.unit.same_variable(var)];
                let kind = InputKind::Uninitialised(variable.name.clone());
                match home {
                    Home::Variable(home) => {
                        self.any_value(kind, variable.ty, Some(home), span);
                    }
                    Home::Object(object) => {
                        let address = self.object_address(object);
                        let input = self.new_input(kind, Shown::Plain, span);
                        self.emit(Action::Forget { address, size: None, input }, span);
                    }
                    // C forbids to jump past the declaration; the array behind the label has its own.
                    Home::Allocated(_) => {}
                }
            }
        }
    }
    /// Where a declared variable lives, unless it is static.
    fn automatic_home(&mut self, var: VarId) -> Option<Home> {
        let storage = &self.unit.vars[self.unit.same_variable(var)].storage;
        if matches!(storage, StorageKind::Static | StorageKind::Thread) {
            return None;
        }
        Some(self.home(var))
    }

    // ---- declarations

    /// The variable is declared here.
    pub(super) fn declare_pointer(&mut self, var: Var) {
        if self.may_hold_pointer(var)
            && let Some(scope) = self.current.scopes.last_mut()
            && !scope.pointers.contains(&var)
        {
            scope.pointers.push(var);
        }
    }
    /// The object is declared here; whether its block ends it.
    pub(super) fn declare_object(&mut self, object: ObjectId) -> bool {
        match self.current.scopes.last_mut().filter(|scope| scope.ends) {
            Some(scope) => {
                if scope.block.is_none() || !scope.objects.contains(&object) {
                    scope.objects.push(object);
                }
                true
            }
            None => false,
        }
    }
    /// The array of variable length is declared here; the variable holds its address.
    pub(super) fn declare_array(&mut self, address: Var) {
        if let Some(scope) = self.current.scopes.last_mut() {
            scope.arrays.push(address);
        }
    }
}
