//! String literals that may share their storage.
//!
//! C leaves it open whether two literals with the same contents, or one that is the end of another, are the same
//! array. Only a program that compares pointers to characters, or turns them into numbers, can notice. For such a program the
//! address of a literal whose contents occur twice is a choice, made anew each time the literal is evaluated.

use std::collections::BTreeSet;

use base::{FastMap, Id};
use program::{Action, InputKind, Shown};
use term::Term;

use crate::hir::{Expr, ExprKind, PlaceKind, StringId, TypeId, TypeKind, Unit};

use super::Lowering;
use super::reach::Reach;
use super::types::{Class, class};
use super::walk::{Node, push_parts};

/// Literals that may lie inside another one: which, and how many bytes from its start.
#[derive(Default, Debug)]
pub(super) struct Shared(FastMap<StringId, Vec<(StringId, u64)>>);

impl Shared {
    pub fn from(unit: &Unit, reach: &Reach) -> Self {
        if unit.strings.len() < 2 || !compares_strings(unit, reach) {
            return Shared::default();
        }
        // Read backwards, the end of a text is its beginning, and what begins alike stands together.
        let names = names_of_choices(unit);
        let mut backwards: Vec<(Vec<u8>, StringId)> = unit
            .strings
            .iter_enumerated()
            .filter(|(id, _)| !names.contains(id))
            .map(|(id, literal)| (literal.bytes.iter().rev().copied().collect(), id))
            .collect();
        backwards.sort_by(|(left, one), (right, other)| left.cmp(right).then(one.index().cmp(&other.index())));
        let mut shared = Shared::default();
        for (first, (short, inner)) in backwards.iter().enumerate() {
            let longer = backwards[first + 1..].iter().take_while(|(long, _)| long.starts_with(short));
            let mut outers: Vec<(&[u8], StringId)> = Vec::new();
            for (long, outer) in longer.filter(|(_, outer)| is_like(unit, *inner, *outer)) {
                // Of literals with the same contents the last stands for all.
                match outers.last_mut() {
                    Some(last) if last.0 == long.as_slice() => last.1 = *outer,
                    _ => outers.push((long, *outer)),
                }
            }
            if !outers.is_empty() {
                let place = |(long, outer): (&[u8], StringId)| (outer, (long.len() - short.len()) as u64);
                shared.0.insert(*inner, outers.into_iter().map(place).collect());
            }
        }
        shared
    }
}

/// Literals of models: they name choices in messages, and no model gives their address to the program.
fn names_of_choices(unit: &Unit) -> BTreeSet<StringId> {
    let models = unit.functions.iter().filter(|function| is_model(&function.name));
    let mut stack: Vec<Node<'_>> = models.flat_map(|function| &function.body).flatten().map(Node::Stmt).collect();
    let mut names = BTreeSet::new();
    while let Some(node) = stack.pop() {
        if let Node::Place(place) = node
            && let PlaceKind::String(string) = place.kind
        {
            names.insert(string);
        }
        push_parts(node, &mut stack);
    }
    names
}

fn is_model(name: &str) -> bool {
    name.starts_with("__uforia_")
}

/// Whether the elements of two literals have the same width.
fn is_like(unit: &Unit, left: StringId, right: StringId) -> bool {
    let element = |string: StringId| match &unit.types.kinds[unit.strings[string].ty] {
        TypeKind::Array(element, _) => Some(class(&unit.types, *element)),
        _ => None,
    };
    element(left) == element(right)
}

/// Whether the program looks at the addresses of characters.
fn compares_strings(unit: &Unit, reach: &Reach) -> bool {
    let is_text = |ty: TypeId| match &unit.types.kinds[ty] {
        TypeKind::Pointer { target, .. } => {
            matches!(class(&unit.types, *target), Class::Int { .. } | Class::Void)
        }
        _ => false,
    };
    let is_null = |expr: &Expr| {
        let mut expr = expr;
        while let ExprKind::Cast(operand) = &expr.kind {
            expr = operand;
        }
        matches!(expr.kind, ExprKind::Integer(0))
    };
    let mut stack: Vec<Node<'_>> = Vec::new();
    for &function in &reach.functions {
        // Models do not show where their arguments lie.
        if !is_model(&unit.functions[function].name) {
            stack.extend(unit.functions[function].body.iter().flatten().map(Node::Stmt));
        }
    }
    while let Some(node) = stack.pop() {
        if let Node::Expr(expr) = node {
            let seen = match &expr.kind {
                ExprKind::Compare(_, left, right) => {
                    (is_text(left.ty) || is_text(right.ty)) && !is_null(left) && !is_null(right)
                }
                ExprKind::Cast(operand) => {
                    is_text(operand.ty) && matches!(class(&unit.types, expr.ty), Class::Int { .. })
                }
                _ => false,
            };
            if seen {
                return true;
            }
        }
        push_parts(node, &mut stack);
    }
    false
}

impl Lowering<'_> {
    /// The address of a string literal.
    pub(super) fn string_address(&mut self, string: StringId) -> Term {
        let object = self.string_object(string);
        let own = self.object_address(object);
        let shared = self.shared.get_or_insert_with(|| Shared::from(self.unit, &self.reach));
        let outers = shared.0.get(&string).cloned().unwrap_or_default();
        let mut address = own;
        for (outer, offset) in outers {
            let span = self.current.span;
            let kind = InputKind::Unspecified("whether equal string literals are one array".to_owned());
            let sort = self.terms.bool_sort();
            let var = self.new_temp("shared", sort, Shown::Plain);
            let input = self.new_input(kind, Shown::Plain, span);
            self.emit(Action::Havoc { var, input }, span);
            let outer = self.string_object(outer);
            let outer = self.object_address(outer);
            let inside = self.offset(outer, offset);
            let is_shared = self.term_of(var);
            address = self.terms.ite(is_shared, inside, address);
        }
        address
    }
}
