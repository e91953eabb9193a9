//! Names and the scopes they live in.
//!
//! Each identifier has a stack of what it means, innermost last, and each scope remembers which stacks
//! to pop when it ends. Tags have stacks of their own. Labels belong to functions, see `stmt`.

use base::IndexVec;

use super::types::Ty;
use crate::ast::{Ast, Name, Span};
use crate::hir::{FunctionId, RecordTypeId, TypeId, VarId};
use crate::tuning::Tuning;

/// What an identifier means.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Var(VarId),
    Function(FunctionId),
    Typedef(Ty),
    Enumerator(i128, TypeId),
    /// A parameter of a mere declaration: it has a type and no value.
    Prototype(Ty),
    /// Something whose uses we refuse, with the reason.
    Unsupported(&'static str),
    /// Wrongly declared; a diagnostic has been given.
    Error,
}

/// What a tag means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Record(RecordTypeId),
    /// With its type once the enumerators are known.
    Enum(Option<TypeId>),
    /// Declared with its type (C23), before its enumerators.
    FixedEnum(TypeId),
}

#[derive(Clone, Debug)]
struct Binding<T> {
    depth: u32,
    meaning: T,
    span: Span,
}

/// All scopes that are open, and what is visible in them.
#[derive(Debug)]
pub(super) struct Scopes {
    symbols: IndexVec<Name, Vec<Binding<Symbol>>>,
    tags: IndexVec<Name, Vec<Binding<Tag>>>,
    /// For each open scope but the file's: the names bound in it, `true` for tags.
    open: Vec<Vec<(Name, bool)>>,
}

impl Scopes {
    /// The file scope, empty.
    pub fn new(ast: &Ast) -> Self {
        let mut symbols = IndexVec::new();
        symbols.grow_to(ast.names.len(), Vec::new());
        let mut tags = IndexVec::new();
        tags.grow_to(ast.names.len(), Vec::new());
        Scopes { symbols, tags, open: Vec::new() }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.open.push(Vec::new());
    }

    /// Closes the innermost scope.
    pub fn pop(&mut self) {
        for (name, is_tag) in self.open.pop().expect("every closed scope was opened") {
            if is_tag {
                self.tags[name].pop();
            } else {
                self.symbols[name].pop();
            }
        }
    }

    /// How many scopes are open inside the file's.
    pub fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    /// What the name means here.
    pub fn lookup(&self, name: Name) -> Option<&Symbol> {
        self.symbols[name].last().map(|binding| &binding.meaning)
    }

    /// What the name means in the innermost scope itself, and where it was declared.
    pub fn lookup_here(&self, name: Name) -> Option<(&Symbol, Span)> {
        let binding = self.symbols[name].last()?;
        (binding.depth == self.depth()).then_some((&binding.meaning, binding.span))
    }

    /// Gives the name a meaning in the innermost scope, replacing one it already has there.
    pub fn bind(&mut self, name: Name, meaning: Symbol, span: Span) {
        let depth = self.depth();
        let stack = &mut self.symbols[name];
        match stack.last_mut() {
            Some(binding) if binding.depth == depth => *binding = Binding { depth, meaning, span },
            _ => {
                stack.push(Binding { depth, meaning, span });
                if let Some(open) = self.open.last_mut() {
                    open.push((name, false));
                }
            }
        }
    }

    /// Gives the name a meaning at file scope, seen wherever nothing inner hides it.
    pub fn bind_at_file_scope(&mut self, name: Name, meaning: Symbol, span: Span) {
        let stack = &mut self.symbols[name];
        match stack.first_mut() {
            Some(binding) if binding.depth == 0 => binding.meaning = meaning,
            _ => stack.insert(0, Binding { depth: 0, meaning, span }),
        }
    }

    /// What the tag means here.
    pub fn tag(&self, name: Name) -> Option<Tag> {
        self.tags[name].last().map(|binding| binding.meaning)
    }

    /// What the tag means in the innermost scope itself.
    pub fn tag_here(&self, name: Name) -> Option<Tag> {
        let binding = self.tags[name].last()?;
        (binding.depth == self.depth()).then_some(binding.meaning)
    }

    /// The struct or union that the tag stands for at file scope.
    pub fn record_at_file_scope(&self, name: Name) -> Option<RecordTypeId> {
        match self.tags[name].first() {
            Some(&Binding { depth: 0, meaning: Tag::Record(record), .. }) => Some(record),
            _ => None,
        }
    }

    /// Gives the tag a meaning in the innermost scope, replacing one it already has there.
    pub fn bind_tag(&mut self, name: Name, meaning: Tag) {
        let depth = self.depth();
        let stack = &mut self.tags[name];
        match stack.last_mut() {
            Some(binding) if binding.depth == depth => binding.meaning = meaning,
            _ => {
                stack.push(Binding { depth, meaning, span: Span::default() });
                if let Some(open) = self.open.last_mut() {
                    open.push((name, true));
                }
            }
        }
    }

    /// The visible name that is spelled most like this one, if any is close. Very long names have none: the comparison is
    /// quadratic in the length.
    pub fn closest(&self, ast: &Ast, wanted: &str) -> Option<String> {
        if wanted.len() > Tuning::DEFAULT.max_compared_name {
            return None;
        }
        let allowed = if wanted.chars().count() < 4 { 1 } else { 2 };
        let mut best: Option<(usize, &str)> = None;
        for (name, text) in ast.names.iter_enumerated() {
            if self.symbols[name].is_empty() || text.len().abs_diff(wanted.len()) > allowed {
                continue;
            }
            let distance = edit_distance(text, wanted);
            if distance <= allowed && distance < wanted.len() && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, text));
            }
        }
        best.map(|(_, text)| text.to_owned())
    }
}

/// How many letters must be inserted, deleted, replaced or swapped with their neighbour.
fn edit_distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (i, &l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &r) in right.iter().enumerate() {
            let mut cost = (above[j] + usize::from(l != r)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && l == right[j - 1] && left[i - 1] == r {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[right.len()]
}
