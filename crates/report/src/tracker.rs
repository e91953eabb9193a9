//! The values of variables and of parts of memory along a run, to say what a step has changed.
//!
//! A local variable has a value for each open activation of its function; a new activation begins without.

use base::OrderedMap;
use program::interp::Event;
use program::{ObjectId, Program, Var, VarKind};

use crate::answer::Change;

/// The last values, each by what it belongs to.
#[derive(Default)]
pub struct Tracker {
    vars: OrderedMap<(usize, Var), String>,
    memory: OrderedMap<(Option<ObjectId>, String), String>,
}

impl Tracker {
    /// Takes note of what happened while this many calls were open, and says what has another value now.
    pub fn change(&mut self, program: &Program, event: &Event, depth: usize) -> Option<Change> {
        let level = |var: Var| if program.vars[var].kind == VarKind::Global { 0 } else { depth };
        match event {
            Event::Assigned { var, value } => {
                let before = self.vars.insert((level(*var), *var), value.clone());
                Some(Change { name: program.vars[*var].name.clone(), before, after: value.clone() })
            }
            Event::Stored { object, to, value, .. } => {
                let before = self.memory.insert((*object, to.clone()), value.clone());
                Some(Change { name: to.clone(), before, after: value.clone() })
            }
            Event::Called { function, args } => {
                let called = &program.functions[*function];
                let inner = depth + 1;
                self.vars.retain(|&(level, _), _| level != inner);
                self.memory.retain(|(object, _), _| object.is_none_or(|object| !called.objects.contains(&object)));
                for (&param, value) in called.params.iter().zip(args) {
                    self.vars.insert((inner, param), value.clone());
                }
                None
            }
            _ => None,
        }
    }
}
