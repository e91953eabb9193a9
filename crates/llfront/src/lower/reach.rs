//! What the entry can get at: bodies of functions, and functions whose address is taken.

use std::rc::Rc;

use base::FastMap;

use crate::demangle;
use crate::ir::{Call, Operation, Signature, Value};
use crate::parse::{Definition, Parser};

use super::exceptions::THROW;
use super::type_info::thrown_by_library;
use super::words::{MODEL, is_panic};
use super::{Lowered, Lowering};

impl<'s> Lowering<'_, 's, '_> {
    /// The function where runs start, by its linkage name.
    pub(super) fn find_entry(&mut self) -> Lowered<&'s str> {
        if let Some(wanted) = &self.options.entry {
            return self.function_by_path(wanted);
        }
        if !self.module.defined.contains_key("main") {
            let proofs: Vec<&str> = self.module.functions.iter().copied().filter(|name| is_proof(name)).collect();
            return match proofs.as_slice() {
                [only] => Ok(only),
                [] => Err("there is no function `main`; --entry names the function to start with".to_owned()),
                several => {
                    let names: Vec<&str> = several.iter().map(|name| proof_path(name)).collect();
                    Err(format!("several proofs: name one of them by --entry: {}", names.join(", ")))
                }
            };
        }
        // Rust: `main` hands the user's `main` to the runtime.
        let main = self.body("main").ok_or("the function `main` cannot be read")?;
        for instruction in main.blocks.iter().flat_map(|block| &block.instructions) {
            if let Operation::Call(call) = &instruction.operation
                && let Value::Global(callee) = call.callee
                && demangle::path(callee).is_some_and(|path| path == "std::rt::lang_start")
                && let Some(Value::Global(start)) = call.args.first().map(|arg| &arg.value.value)
            {
                return Ok(start);
            }
        }
        Ok("main")
    }
    /// The defined function of this name or path; a unique end of the path is enough.
    fn function_by_path(&mut self, wanted: &str) -> Lowered<&'s str> {
        let mut fitting = Vec::new();
        for &name in &self.module.functions {
            if name == wanted || is_proof(name) && proof_path(name) == wanted {
                return Ok(name);
            }
            let path = if is_proof(name) { Some(proof_path(name).to_owned()) } else { demangle::path(name) };
            let path = path.unwrap_or_else(|| name.to_owned());
            if path == wanted || path.ends_with(&format!("::{wanted}")) {
                fitting.push((name, path));
            }
        }
        match fitting.as_slice() {
            [(name, _)] => Ok(name),
            [] => Err(format!("no function `{wanted}` with a body in this module")),
            several => {
                let paths: Vec<&str> = several.iter().map(|one| one.1.as_str()).collect();
                Err(format!("`{wanted}` is not unique: {}", paths.join(", ")))
            }
        }
    }
    /// The body of a function; what is wrong with it is noted.
    pub(super) fn body(&mut self, name: &'s str) -> Option<Rc<crate::ir::Function<'s>>> {
        if let Some(known) = self.bodies.get(name) {
            return Some(known.clone());
        }
        let &(start, end) = self.module.defined.get(name)?;
        match Parser::new(self.module, &mut self.shapes.types, start, Some(end)).function() {
            Ok(function) => {
                let function = Rc::new(function);
                self.bodies.insert(name, function.clone());
                self.signatures.insert(name, Rc::new(function.signature.clone()));
                Some(function)
            }
            Err(problem) => {
                if self.problems.iter().all(|(known, _)| *known != problem) {
                    self.problems.push((problem, None));
                }
                None
            }
        }
    }
    /// The signature of a function with or without a body.
    pub(super) fn signature(&mut self, name: &'s str) -> Option<Rc<Signature<'s>>> {
        if let Some(known) = self.signatures.get(name) {
            return Some(known.clone());
        }
        if self.module.defined.contains_key(name) {
            return self.body(name).map(|function| Rc::new(function.signature.clone()));
        }
        let &at = self.module.declared.get(name)?;
        let end = self.module.text[at as usize..].find('\n').map_or(self.module.text.len(), |n| at as usize + n);
        match Parser::new(self.module, &mut self.shapes.types, at, Some(end as u32)).declaration() {
            Ok(signature) => {
                let signature = Rc::new(signature);
                self.signatures.insert(name, signature.clone());
                Some(signature)
            }
            Err(problem) => {
                self.problems.push((problem, None));
                None
            }
        }
    }
    /// What a global name stands for.
    pub(super) fn definition(&mut self, name: &'s str) -> Option<Definition<'s>> {
        let &at = self.module.globals.get(name)?;
        match Parser::new(self.module, &mut self.shapes.types, at, None).global() {
            Ok(definition) => Some(definition),
            Err(problem) => {
                if self.problems.iter().all(|(known, _)| *known != problem) {
                    self.problems.push((problem, None));
                }
                None
            }
        }
    }
    /// Whether calls of the function have a body to run.
    pub(super) fn runs_body(&self, name: &str) -> bool {
        self.module.defined.contains_key(name) && !self.is_known(name)
    }
    /// Reads everything that can be reached.
    pub(super) fn reach(&mut self, entry: &'s str) {
        let mut seen: FastMap<&'s str, ()> = FastMap::new();
        let mut work = vec![entry];
        if self.module.globals.contains_key("llvm.global_ctors") {
            work.push("llvm.global_ctors");
        }
        while let Some(name) = work.pop() {
            if seen.insert(name, ()).is_some() {
                continue;
            }
            if self.module.globals.contains_key(name) {
                let value = match self.definition(name) {
                    Some(Definition::Variable(global)) => {
                        if global.init.is_none() && name.starts_with("_ZTV") {
                            self.missing.push(name);
                        }
                        global.init
                    }
                    Some(Definition::Alias(value)) => Some(value),
                    _ => None,
                };
                if let Some(value) = value {
                    value.for_each_part(&mut |part| {
                        if let Value::Global(other) = part {
                            self.note_address(other);
                            work.push(other);
                        }
                    });
                }
                continue;
            }
            if !self.runs_body(name) {
                self.note_missing(name, &mut work);
                continue;
            }
            let Some(function) = self.body(name) else { continue };
            self.note_handlers(&function);
            for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
                work.extend(self.note_throw(instruction));
                self.reach_from(&instruction.operation, &mut work);
            }
        }
    }
    /// A function without a body may have a model; otherwise it is missing unless its name says what it does.
    fn note_missing(&mut self, name: &'s str, work: &mut Vec<&'s str>) {
        if thrown_by_library(name).is_some() {
            self.exceptions.note_library_throw(name);
        }
        let is_known = name.starts_with("llvm.")
            || self.is_runtime(name)
            || is_panic(self.module, name)
            || self.word(name, None).is_some();
        if is_known || !self.module.declared.contains_key(name) {
            return;
        }
        match self.model(name) {
            Some(model) => work.push(model),
            None => self.missing.push(name),
        }
    }
    /// The model of a library function, if the module has it.
    pub(super) fn model(&self, name: &str) -> Option<&'s str> {
        let model = format!("{MODEL}{name}");
        self.module.function_name(&model).filter(|model| self.module.defined.contains_key(model))
    }
    fn reach_from(&mut self, operation: &Operation<'s>, work: &mut Vec<&'s str>) {
        let callee = match operation {
            Operation::Call(call) => Some(call),
            _ => None,
        };
        if callee.is_some_and(|call| self.is_ignored_call(call)) {
            return;
        }
        // The type and the destructor of an exception are no values.
        if let Some(call) = callee
            && call.callee.global() == Some(THROW)
        {
            return;
        }
        let mut is_callee = callee.is_some();
        operation.for_each_operand(&mut |operand| {
            let direct = std::mem::take(&mut is_callee);
            operand.for_each_part(&mut |part| {
                if let Value::Global(name) = part {
                    if !direct {
                        self.note_address(name);
                    }
                    work.push(name);
                }
            });
        });
    }
    /// Whether the arguments of a call do not matter: it is the error, or ends the run.
    fn is_ignored_call(&mut self, call: &Call<'s>) -> bool {
        matches!(call.callee, Value::Global(name) if self.ends_here(name, call))
    }
    fn note_address(&mut self, name: &'s str) {
        let is_function = self.module.defined.contains_key(name) || self.module.declared.contains_key(name);
        if is_function && !self.addresses.contains(&name) {
            self.addresses.push(name);
        }
    }
}

/// The linkage name of functions that the attribute `proof` marks begins like this.
pub(crate) const PROOF: &str = "uforia_proof::";

fn is_proof(name: &str) -> bool {
    name.starts_with(PROOF)
}
fn proof_path(name: &str) -> &str {
    name.strip_prefix(PROOF).unwrap_or(name)
}
