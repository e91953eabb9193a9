//! What `main` can reach: functions, static variables, and functions whose address is taken.
//!
//! A function is reached by a call or by its address; a static variable by its name in a reached
//! function or in the initialiser of a reached variable. A call of an undefined function reaches the
//! model of that function. Whatever is not reached is not lowered, and nothing in it is refused.

use base::maps::OrderedSet;

use crate::hir::{Callee, ExprKind, FunctionId, PlaceKind, StmtKind, StorageKind, TypeId, TypeKind, Unit, VarId};

use super::types::compatible_functions;
use super::vocabulary::is_intrinsic;
use super::walk::{Node, push_parts};
use crate::library::{model_name, modelled_name};

/// Everything that can be reached, in the order of discovery.
#[derive(Default, Debug)]
pub(super) struct Reach {
    /// Functions, defined or not.
    pub functions: OrderedSet<FunctionId>,
    /// Variables with static storage.
    pub statics: OrderedSet<VarId>,
    /// Functions whose address is taken somewhere in reached code.
    pub addresses: OrderedSet<FunctionId>,
    /// Functions whose address is converted to another type, and types of function pointers that are.
    converted: (OrderedSet<FunctionId>, OrderedSet<TypeId>),
    /// Undefined functions with the model that stands for them.
    models: base::FastMap<FunctionId, FunctionId>,
    /// For each function: calls in reached code, less those whose result is thrown away.
    used_results: base::FastMap<FunctionId, i64>,
}

impl Reach {
    /// Starts at this function.
    pub fn from(unit: &Unit, main: FunctionId) -> Self {
        let mut by_name = base::FastMap::new();
        for (id, function) in unit.functions.iter_enumerated() {
            let is_known = by_name.contains_key(function.name.as_str());
            if function.body.is_some() && function.alias_of.is_none() && !(function.internal && is_known) {
                by_name.insert(function.name.as_str(), id);
            }
        }
        let mut reach = Reach::default();
        reach.functions.insert(main);
        let mut stack = Vec::new();
        let (mut n_functions, mut n_statics) = (0, 0);
        loop {
            while let Some(node) = stack.pop() {
                reach.look_at(unit, node);
                push_parts(node, &mut stack);
            }
            if let Some(&function) = reach.functions.get_index(n_functions) {
                n_functions += 1;
                let declared = &unit.functions[function];
                match &declared.body {
                    Some(body) => stack.extend(body.iter().map(Node::Stmt)),
                    // A model calls `malloc`, and the program has its own.
                    None if let Some(&own) = by_name.get(modelled_name(&declared.name))
                        && !unit.functions[own].internal
                        && compatible_functions(&unit.types, declared.ty, unit.functions[own].ty) =>
                    {
                        reach.models.insert(function, own);
                        reach.functions.insert(own);
                    }
                    None if is_intrinsic(unit, function) => {}
                    None => {
                        let model = by_name.get(model_name(&declared.name).as_str());
                        if let Some(&model) = model
                            && compatible_functions(&unit.types, declared.ty, unit.functions[model].ty)
                        {
                            reach.models.insert(function, model);
                            reach.functions.insert(model);
                        }
                    }
                }
            } else if let Some(&var) = reach.statics.get_index(n_statics) {
                n_statics += 1;
                stack.extend(unit.vars[var].init.as_ref().map(Node::Init));
            } else {
                return reach;
            }
        }
    }

    /// The function whose body runs when this one is called: itself or its model; `None` if there is no body.
    pub fn body_of(&self, unit: &Unit, function: FunctionId) -> Option<FunctionId> {
        let function = unit.same_function(function);
        if unit.functions[function].body.is_some() {
            return Some(function);
        }
        self.models.get(&function).copied()
    }

    /// Whether the result of the function may be used.
    pub fn result_used(&self, function: FunctionId) -> bool {
        self.addresses.contains(&function) || self.used_results.get(&function).is_some_and(|&n| n > 0)
    }

    /// Whether a pointer to this function may be held in a pointer of another type.
    pub fn may_be_converted(&self, unit: &Unit, function: FunctionId) -> bool {
        let (functions, types) = &self.converted;
        functions.contains(&function) || types.contains(&unit.functions[function].ty)
    }

    fn look_at(&mut self, unit: &Unit, node: Node<'_>) {
        match node {
            Node::Expr(expr) => match &expr.kind {
                ExprKind::AddressOfFunction(function) => {
                    let function = unit.same_function(*function);
                    self.functions.insert(function);
                    self.addresses.insert(function);
                }
                ExprKind::Cast(inner) => match (&inner.kind, &unit.types.kinds[inner.ty]) {
                    (ExprKind::AddressOfFunction(function), _) => {
                        self.converted.0.insert(unit.same_function(*function));
                    }
                    (_, TypeKind::Pointer { target, .. })
                        if matches!(unit.types.kinds[*target], TypeKind::Function { .. }) =>
                    {
                        self.converted.1.insert(*target);
                    }
                    _ => {}
                },
                ExprKind::Call { callee: Callee::Direct(function), .. } => {
                    let function = &unit.same_function(*function);
                    self.functions.insert(*function);
                    *self.used_results.get_or_insert_with(*function, || 0) += 1;
                }
                _ => {}
            },
            Node::Place(place) => {
                if let PlaceKind::Var(var) | PlaceKind::CompoundLiteral { var, .. } = place.kind
                    && matches!(unit.vars[var].storage, StorageKind::Static | StorageKind::Thread)
                {
                    self.statics.insert(unit.same_variable(var));
                }
            }
            Node::Stmt(stmt) => {
                if let StmtKind::Expr(expr) = &stmt.kind {
                    let mut called = expr;
                    while let ExprKind::Cast(inner) = &called.kind {
                        called = inner;
                    }
                    if let ExprKind::Call { callee: Callee::Direct(function), .. } = &called.kind {
                        let function = &unit.same_function(*function);
                        *self.used_results.get_or_insert_with(*function, || 0) -= 1;
                    }
                }
            }
            Node::Init(_) => {}
        }
    }
}
