//! Which variables are in scope, which statements may write them, and their lifetimes.

use super::effects::MEMORY;
use super::types::Type;

/// A variable of the generated program.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Loop counters and `const` objects are not.
    pub(crate) writable: bool,
    /// Whether a pointer may be made to it; then its effects are those of memory.
    pub(crate) addressable: bool,
    /// Its bit in [`super::effects::Effects`].
    pub(crate) bit: u128,
    /// The block it was declared in; zero for what lives as long as the program.
    pub(crate) depth: u32,
    /// For a pointer: how many elements can be reached from it.
    pub(crate) reach: u32,
    /// For a loop counter: all its values are below this.
    pub(crate) below: Option<u32>,
    /// False while its own initialiser is written.
    pub(crate) ready: bool,
}

/// The variables of the file and of the function now written.
#[derive(Default)]
pub(crate) struct Scope {
    variables: Vec<Variable>,
    /// How many variables there were when each open block began.
    blocks: Vec<usize>,
    bits_used: u32,
}

impl Scope {
    pub(crate) fn depth(&self) -> u32 {
        self.blocks.len() as u32
    }
    pub(crate) fn enter(&mut self) {
        self.blocks.push(self.variables.len());
    }
    pub(crate) fn leave(&mut self) {
        let length = self.blocks.pop().expect("every block that is left was entered");
        self.variables.truncate(length);
        if self.blocks.is_empty() {
            self.bits_used = 0;
        }
    }
    /// A bit for a variable whose address is never taken.
    pub(crate) fn private_bit(&mut self) -> u128 {
        if self.bits_used >= 120 {
            return MEMORY;
        }
        self.bits_used += 1;
        1 << (self.bits_used - 1)
    }
    pub(crate) fn declare(&mut self, variable: Variable) -> usize {
        self.variables.push(variable);
        self.variables.len() - 1
    }
    pub(crate) fn ready(&mut self, index: usize) {
        self.variables[index].ready = true;
    }
    /// Variables that can be named: initialised, and not hidden by a later one of the same name.
    pub(crate) fn visible(&self) -> Vec<&Variable> {
        let mut seen: Vec<&str> = Vec::new();
        let mut visible = Vec::new();
        for variable in self.variables.iter().rev() {
            if seen.contains(&variable.name.as_str()) {
                continue;
            }
            seen.push(&variable.name);
            if variable.ready {
                visible.push(variable);
            }
        }
        visible.reverse();
        visible
    }
    /// Names of locals declared in outer blocks, which an inner block may use again.
    pub(crate) fn names_to_hide(&self) -> Vec<String> {
        let innermost = self.blocks.last().copied().unwrap_or(0);
        let inner: Vec<&str> = self.variables[innermost..].iter().map(|v| v.name.as_str()).collect();
        let outer = self.variables[..innermost].iter().filter(|v| v.depth > 0 && !inner.contains(&v.name.as_str()));
        outer.map(|v| v.name.clone()).collect()
    }
    /// The variables declared outside of functions.
    pub(crate) fn globals(&self) -> Vec<Variable> {
        self.variables[..self.blocks.first().copied().unwrap_or(self.variables.len())].to_vec()
    }
}

impl Variable {
    /// An initialised, writable local in the scope's current block that no pointer can reach.
    pub(crate) fn private(name: &str, ty: Type, scope: &mut Scope) -> Variable {
        let bit = scope.private_bit();
        Variable {
            name: name.to_string(),
            ty,
            writable: true,
            addressable: false,
            bit,
            depth: scope.depth(),
            reach: 1,
            below: None,
            ready: true,
        }
    }
}
