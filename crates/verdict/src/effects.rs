//! What a call of a function may change, and what it may read in memory.
//!
//! The closure over all calls: global variables that are written, static objects that are written or read. A function
//! of the closure must access memory by name only, at an address variable plus a constant: such an access stays in the object, or
//! ends the run. Automatic objects then belong to one activation and are of no concern to the caller. What else is done
//! with memory, and allocation, is not covered.

use base::FastMap;
use program::{Action, FunId, Graph, ObjectId, Program, Var, VarKind};
use term::{Op, Term, Terms};

use crate::modular::NoContract;

/// The effects of a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Global variables that may be written.
    pub globals: Vec<Var>,
    /// Static objects that may be written.
    pub written: Vec<ObjectId>,
    /// Static objects that may be read or written, without those that are read-only.
    pub touched: Vec<ObjectId>,
    /// The functions that are called, directly or not, with the function itself.
    pub functions: Vec<FunId>,
}

impl Effects {
    /// The effects of a call of this function.
    pub fn of(program: &Program, terms: &Terms, function: FunId) -> Result<Effects, NoContract> {
        let graph = Graph::new(program);
        let mut address_of: FastMap<Term, ObjectId> = FastMap::new();
        for variable in &program.vars {
            if let VarKind::AddressOf(object) = variable.kind {
                address_of.insert(variable.term, object);
            }
        }
        let named = |address: Term| match (terms.op(address), terms.args(address)) {
            (Op::Symbol(_), []) => address_of.get(&address).copied(),
            (Op::BvAdd, &[left, right]) if terms.is_value(right) => address_of.get(&left).copied(),
            (Op::BvAdd, &[left, right]) if terms.is_value(left) => address_of.get(&right).copied(),
            _ => None,
        };
        let mut effects = Effects { functions: vec![function], ..Effects::default() };
        let mut next = 0;
        while let Some(&function) = effects.functions.get(next) {
            next += 1;
            for &id in graph.edges(function) {
                let edge = &program.edges[id];
                let unsupported = |what| Err(NoContract::Unsupported(what, edge.place));
                let mut access = |address: Term, is_write: bool| match named(address) {
                    Some(object) => {
                        let info = &program.objects[object];
                        if info.owner.is_none() && !info.read_only {
                            add(&mut effects.touched, object);
                            if is_write {
                                add(&mut effects.written, object);
                            }
                        }
                        Ok(())
                    }
                    None => Err(()),
                };
                let is_named = match &edge.action {
                    Action::Load { address, .. } | Action::Probe { address, .. } => access(*address, false),
                    Action::Store { address, .. } | Action::Forget { address, .. } => access(*address, true),
                    Action::Alloc { .. } | Action::Free { .. } => return unsupported("a contract for allocation"),
                    Action::Call { function, .. } => {
                        add(&mut effects.functions, *function);
                        Ok(())
                    }
                    Action::Assume(_)
                    | Action::Assign(_)
                    | Action::Havoc { .. }
                    | Action::End { .. }
                    | Action::Check { .. }
                    | Action::Order(_) => Ok(()),
                };
                if is_named.is_err() {
                    return unsupported("a contract for an access through a pointer");
                }
                edge.action.for_each_target(|var| {
                    if program.vars[var].kind == VarKind::Global {
                        add(&mut effects.globals, var);
                    }
                });
            }
        }
        effects.globals.sort_unstable();
        effects.written.sort_unstable();
        effects.touched.sort_unstable();
        Ok(effects)
    }
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
