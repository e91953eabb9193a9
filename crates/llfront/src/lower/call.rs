//! Calls: by name, through pointers, of functions without a body.

use program::{Action, AssertionKind, InputKind, Shown, Undefined, Var};
use term::Term;

use crate::ir::{Call, Cast, Local, Operation, Type, TypeId, Value};
use crate::parse::Definition;

use super::{Leaf, Lowered, Lowering};

/// An argument: its type and parts.
pub(super) type Arg = (TypeId, Vec<Leaf>);

impl<'s> Lowering<'_, 's, '_> {
    pub(super) fn call(&mut self, _result: Option<Local>, call: &Call<'s>) -> Lowered<Vec<Leaf>> {
        let callee = self.resolved_callee(&call.callee);
        if let Value::Global(name) = callee
            && name.starts_with("llvm.")
        {
            return self.intrinsic(name, call);
        }
        if let Value::Global(name) = callee
            && self.is_runtime(name)
        {
            return self.call_runtime(name, call);
        }
        if let Value::Global(name) = callee
            && self.ends_here(name, call)
        {
            return self.call_named(name, &[], call.result, Some(call));
        }
        if let Value::Global(name) = callee
            && !self.module.defined.contains_key(name)
            && let Some(operator) = float_operator(name)
        {
            let args: Vec<&crate::ir::Typed<'s>> = call.args.iter().map(|arg| &arg.value).collect();
            return self.computed(operator, &args, call.result);
        }
        if let Value::Assembler(template, constraints) = callee {
            return self.assembler(template, constraints, call);
        }
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            args.push((arg.value.ty, self.operand(&arg.value)?));
        }
        match callee {
            Value::Global(name) => self.call_named(name, &args, call.result, Some(call)),
            other => {
                let ty = self.shapes.types.id(Type::Pointer);
                let address = self.address(&crate::ir::Typed { ty, value: other })?;
                self.call_pointer(address, &args, call.result)
            }
        }
    }
    /// The function behind aliases and conversions of its address.
    pub(super) fn resolved_callee(&mut self, callee: &Value<'s>) -> Value<'s> {
        let mut callee = callee.clone();
        for _ in 0..8 {
            callee = match &callee {
                Value::Expression(operation) => match &**operation {
                    Operation::Cast { op: Cast::Bitcast, from, .. } => from.value.clone(),
                    _ => return callee,
                },
                Value::Global(name) if self.module.globals.contains_key(name) => match self.definition(name) {
                    Some(Definition::Alias(target)) => target,
                    _ => return callee,
                },
                _ => return callee,
            };
        }
        callee
    }
    fn assembler(&mut self, template: &str, constraints: &str, call: &Call<'s>) -> Lowered<Vec<Leaf>> {
        let is_void = self.shapes.leaves(call.result)?.is_empty();
        let only_clobbers = constraints.split(',').all(|one| one.is_empty() || one.starts_with("~{"));
        if template.is_empty() && is_void && (only_clobbers || call.args.len() <= 1) {
            // A barrier: the compiler may not reorder, nothing happens. (`black_box` passes an address.)
            return Ok(Vec::new());
        }
        Err(format!("inline assembler \"{template}\""))
    }

    /// What a call of this function means.
    pub(super) fn call_named(
        &mut self,
        name: &'s str,
        args: &[Arg],
        result: TypeId,
        call: Option<&Call<'s>>,
    ) -> Lowered<Vec<Leaf>> {
        if self.is_uncaught_in_library(name)? {
            return self.unused_result(result);
        }
        if let Some(word) = self.word(name, call) {
            return self.perform(word, name, args, result, call);
        }
        if self.module.defined.contains_key(name) {
            return self.call_defined(name, args, result);
        }
        if self.is_weak_and_missing(name) {
            let null = self.terms.bv(self.pointer_width(), 0);
            self.call_unknown(null, &[]);
            return self.any_result(result, &InputKind::External(name.to_owned()));
        }
        if let Some(model) = self.model(name)
            && self.fits_call(model, args, result)?
        {
            return self.call_defined(model, args, result);
        }
        self.external(name, args, result, call)
    }
    fn call_defined(&mut self, name: &'s str, args: &[Arg], result: TypeId) -> Lowered<Vec<Leaf>> {
        let function = self.declare(name);
        let signature = self.signature(name).ok_or("call of a function that cannot be read")?;
        let mut terms = Vec::new();
        for (index, &ty) in signature.params.iter().enumerate() {
            let Some((own, leaves)) = args.get(index) else {
                return Err(format!("call of `{name}` with too few arguments"));
            };
            if !self.same_sorts(ty, *own)? {
                return Err(format!("call of `{name}` with an argument of another type"));
            }
            terms.extend(self.materialised(leaves, *own)?);
        }
        if signature.variadic {
            let area = self.variadic_area(args.get(signature.params.len()..).unwrap_or_default())?;
            terms.push(area);
        } else if args.len() > signature.params.len() {
            return Err(format!("call of `{name}` with too many arguments"));
        }
        let var = self.result_variable(function);
        self.emit(Action::Call { function, args: terms, result: var });
        let wanted = self.shapes.leaves(result)?.len();
        match var {
            Some(var) if wanted > 0 => {
                if !self.same_sorts(result, signature.result)? {
                    return Err(format!("call of `{name}` with a result of another type"));
                }
                self.unpacked(self.term_of(var), result)
            }
            None if wanted > 0 => Err(format!("call of `{name}` for a result that it does not have")),
            _ => Ok(Vec::new()),
        }
    }
    fn result_variable(&mut self, function: program::FunId) -> Option<Var> {
        let result = self.builder.program().functions[function].result?;
        let variable = &self.builder.program().vars[result];
        let (sort, shown) = (variable.sort, variable.shown);
        Some(self.temp("call", sort, shown))
    }
    fn same_sorts(&mut self, a: TypeId, b: TypeId) -> Lowered<bool> {
        if a == b {
            return Ok(true);
        }
        let (a, b) = (self.shapes.leaves(a)?, self.shapes.leaves(b)?);
        if a.len() != b.len() {
            return Ok(false);
        }
        for (x, y) in a.iter().zip(&b) {
            if self.scalar_sort(x.1)? != self.scalar_sort(y.1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// Arguments behind the named ones, in slots of the size of a word.
    fn variadic_area(&mut self, args: &[Arg]) -> Lowered<Term> {
        let word = u64::from(self.pointer_width() / 8);
        let mut slots = Vec::new();
        let mut offset = 0u64;
        for (ty, leaves) in args {
            slots.push((offset, *ty, leaves.clone()));
            offset += self.shapes.size_align(*ty)?.0.next_multiple_of(word);
        }
        let byte = self.shapes.types.id(Type::Int(8));
        let area = self.automatic("variadic", byte, offset.max(word))?;
        for (offset, ty, leaves) in slots {
            let at = self.offset(area, offset);
            self.store_to(at, &leaves, ty)?;
        }
        Ok(area)
    }
    /// Any value of the result type.
    pub(super) fn any_result(&mut self, result: TypeId, kind: &InputKind) -> Lowered<Vec<Leaf>> {
        let mut leaves = Vec::new();
        for (_, leaf) in self.shapes.leaves(result)? {
            leaves.push(Leaf::Term(self.any_scalar("any", leaf, kind.clone())?));
        }
        Ok(leaves)
    }
    /// A function without a body. It is refused if it gets a pointer: it could write there, and what the pointer may lead to is not known.
    fn external(&mut self, name: &'s str, args: &[Arg], result: TypeId, call: Option<&Call<'s>>) -> Lowered<Vec<Leaf>> {
        let shown = self.path_of(name);
        for (ty, _) in args {
            let leaves = self.shapes.leaves(*ty)?;
            if leaves.iter().any(|leaf| matches!(self.shapes.types.kind(leaf.1), Type::Pointer)) {
                return Err(format!("call of `{shown}`, which has no body here and gets a pointer"));
            }
        }
        let text = format!("`{shown}` has no body: it is taken to return any value of its type and to do nothing else");
        self.builder.assumption(text, self.frame.place);
        let leaves = self.any_result(result, &InputKind::External(shown))?;
        if call.is_some_and(|call| self.is_noreturn(name, call)) {
            self.end_run();
        }
        Ok(leaves)
    }

    // ---- through pointers

    fn call_pointer(&mut self, address: Term, args: &[Arg], result: TypeId) -> Lowered<Vec<Leaf>> {
        let mut arguments = Vec::new();
        for (ty, leaves) in args {
            let terms = self.materialised(leaves, *ty)?;
            arguments.push((*ty, terms.into_iter().map(Leaf::Term).collect::<Vec<_>>()));
        }
        let leaves = self.shapes.leaves(result)?;
        let joined = match leaves.as_slice() {
            [] => None,
            [(_, only)] => {
                let (sort, shown) = (self.scalar_sort(*only)?, self.shown_of(*only));
                Some(self.temp("called", sort, shown))
            }
            several => {
                let width = several.iter().map(|leaf| self.bits_of(leaf.1)).sum();
                let sort = self.terms.bv_sort(width);
                Some(self.temp("called", sort, Shown::Unsigned))
            }
        };
        let join = self.fresh_location();
        let mut unfit = Vec::new();
        for candidate in self.addresses.clone() {
            let other = self.global_address(candidate)?;
            if !self.fits_call(candidate, &arguments, result)? {
                unfit.push(other);
                continue;
            }
            let equal = self.terms.eq(address, other);
            if equal == self.terms.truth(false) {
                continue;
            }
            let (here, next) = (self.fresh_location(), self.fresh_location());
            self.branch(equal, here, next);
            self.frame.at = Some(here);
            let value = self.call_named(candidate, &arguments, result, None)?;
            if let (Some(joined), true) = (joined, self.frame.at.is_some()) {
                let value = self.packed(&value, result)?;
                self.emit(Action::Assign(vec![(joined, value)]));
            }
            self.jump(join);
            self.frame.at = Some(next);
        }
        self.call_unknown(address, &unfit);
        if let Some(joined) = joined {
            let input = self.input(InputKind::External("an unknown function".to_owned()), Shown::Unsigned);
            self.emit(Action::Havoc { var: joined, input });
        }
        self.jump(join);
        self.frame.at = Some(join);
        match joined {
            Some(joined) => self.unpacked(self.term_of(joined), result),
            None => Ok(Vec::new()),
        }
    }
    fn fits_call(&mut self, candidate: &'s str, args: &[Arg], result: TypeId) -> Lowered<bool> {
        let Some(signature) = self.signature(candidate) else { return Ok(false) };
        let n_params = signature.params.len();
        if n_params > args.len() || n_params < args.len() && !signature.variadic {
            return Ok(false);
        }
        for (&param, (own, _)) in signature.params.iter().zip(args) {
            if !self.same_sorts(param, *own)? {
                return Ok(false);
            }
        }
        Ok(self.shapes.leaves(result)?.is_empty() || self.same_sorts(result, signature.result)?)
    }
    /// The pointer holds no function that fits. Nothing is proved with such a call: the path ends in an error that no replay confirms,
    /// unless the pointer is null where that is an error.
    fn call_unknown(&mut self, address: Term, unfit: &[Term]) {
        let never = self.terms.truth(false);
        if !self.checks_memory() {
            let mut equal = Vec::new();
            for &other in unfit {
                equal.push(self.terms.eq(address, other));
            }
            let is_unfit = self.terms.or(&equal);
            if is_unfit != never && self.frame.at.is_some() {
                let (bad, next) = (self.fresh_location(), self.fresh_location());
                self.branch(is_unfit, bad, next);
                self.frame.at = Some(bad);
                self.check(Undefined::BadFunctionPointer, never);
                self.fail(AssertionKind::Target, "the call".to_owned());
                self.frame.at = Some(next);
            }
            return self.check(Undefined::BadFunctionPointer, never);
        }
        let null = self.terms.bv(self.pointer_width(), 0);
        let not_null = self.terms.ne(address, null);
        self.require(not_null, AssertionKind::Target, "the call");
        self.check(Undefined::BadFunctionPointer, never);
        self.fail(AssertionKind::Target, "the call".to_owned());
    }
}

/// The intrinsic that a function of `<math.h>` is.
fn float_operator(name: &str) -> Option<&'static str> {
    let operators = ["fabs", "sqrt", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "roundeven"];
    let is_it = |operator: &&&str| name.strip_prefix(**operator).is_some_and(|suffix| matches!(suffix, "" | "f" | "l"));
    operators.iter().find(is_it).copied()
}
