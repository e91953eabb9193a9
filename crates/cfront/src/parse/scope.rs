//! Which identifiers name types here: the one thing the grammar of C must know about declarations.
//!
//! One flag per name says what it is now; leaving a scope undoes what was changed in it.

use base::Id;

use crate::ast::Name;

/// The flags, and how to restore them.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    names_type: Vec<bool>,
    /// Whether the name was declared, in whatever scope, as whatever.
    declared: Vec<bool>,
    /// Names with the flag they had before.
    undo: Vec<(Name, bool)>,
}

/// How much there was to undo when a scope was entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScopeMark(usize);

impl Scopes {
    /// No name names a type.
    pub(super) fn new(n_names: usize) -> Self {
        Scopes { names_type: vec![false; n_names], declared: vec![false; n_names], undo: Vec::new() }
    }

    /// Whether the name names a type here.
    pub(super) fn is_type(&self, name: Name) -> bool {
        self.names_type[name.index()]
    }

    /// Whether the program has declared the name anywhere so far.
    pub(super) fn is_declared(&self, name: Name) -> bool {
        self.declared[name.index()]
    }

    /// Declares the name in the innermost scope.
    pub(super) fn declare(&mut self, name: Name, is_type: bool) {
        self.declared[name.index()] = true;
        let flag = &mut self.names_type[name.index()];
        if *flag != is_type {
            self.undo.push((name, *flag));
            *flag = is_type;
        }
    }

    /// Makes the name a type here and in every scope around.
    pub(super) fn declare_for_good(&mut self, name: Name) {
        self.names_type[name.index()] = true;
        for (other, was_type) in &mut self.undo {
            *was_type |= *other == name;
        }
    }

    pub(super) fn enter(&mut self) -> ScopeMark {
        ScopeMark(self.undo.len())
    }

    /// Leaves the scope with this mark, and all inside it that an error left open.
    pub(super) fn leave(&mut self, mark: ScopeMark) {
        for (name, was_type) in self.undo.drain(mark.0..).rev() {
            self.names_type[name.index()] = was_type;
        }
    }
}
