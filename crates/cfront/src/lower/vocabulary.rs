//! What certain names mean: the words of verification, and library functions that are not written
//! in C but known here. A definition by the user wins, except for the error functions.

use program::{AccessKind, Action, AssertionKind, InputKind, Lifetime, Shown, Var};
use term::{FpOp, Term};

use crate::ast::Span;
use crate::hir::{Expr, FunctionId, TypeId, Unit};
use crate::known_functions::{KEEPS, Word, fits, float_word, known};
use crate::library::modelled_name;
use crate::{Malloc, Property};

use super::Lowering;
use super::buffers::Call;
use super::types::Class;

/// What a call of this function means if it is not defined; `None` if nothing is known of it. A declaration whose
/// type does not fit the library's function is another function of the same name.
pub(super) fn word(unit: &Unit, function: FunctionId) -> Option<Word> {
    // Models call `__uforia_malloc`.
    let declared = &unit.functions[function];
    let name = modelled_name(&declared.name);
    if name.starts_with("__VERIFIER_nondet_") {
        return Some(Word::Nondet);
    }
    if declared.name == "__uforia_unspecified" {
        return Some(Word::Unspecified);
    }
    match known(name) {
        Some(known) if known.word == Word::Model => None,
        Some(known) => fits(&unit.types, declared.ty, known.signature).then_some(known.word),
        None => float_word(name),
    }
}

/// Whether an undefined function is known here, so that no model is looked for.
pub(super) fn is_intrinsic(unit: &Unit, function: FunctionId) -> bool {
    word(unit, function).is_some()
}

/// Whether an undefined function is an operator on floats.
pub(super) fn is_float_function(unit: &Unit, function: FunctionId) -> bool {
    float_word(modelled_name(&unit.functions[function].name)).is_some()
}

/// What an undefined function of a known name does to memory and to the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordEffect {
    /// Nothing that the program can notice.
    Nothing,
    /// Makes a new object.
    Allocates,
    /// May end the run.
    Ends,
    /// May end the run with an error.
    Asserts,
    /// Writes or frees what the first argument points to.
    WritesFirst,
    /// Writes what any of its arguments points to.
    WritesAll,
}

/// The effect of an undefined function; `None` if nothing is known of it.
pub(super) fn word_effect(unit: &Unit, function: FunctionId) -> Option<WordEffect> {
    let name = modelled_name(&unit.functions[function].name);
    Some(match word(unit, function)? {
        Word::End | Word::Assume => WordEffect::Ends,
        Word::Assert | Word::AssertionFailed => WordEffect::Asserts,
        Word::Malloc | Word::Calloc | Word::Alloca | Word::AlignedAlloc => WordEffect::Allocates,
        Word::Realloc | Word::Free | Word::WritesFirst => WordEffect::WritesFirst,
        Word::Nondet if name == "__VERIFIER_nondet_memory" => WordEffect::WritesFirst,
        Word::Print(_) | Word::PrintInto(_) => WordEffect::WritesAll,
        Word::Model => return None,
        Word::Nothing
        | Word::Nondet
        | Word::Harmless
        | Word::Random
        | Word::Unspecified
        | Word::Float(_)
        | Word::FloatIs(_)
        | Word::IsFinite
        | Word::SignBit
        | Word::CopySign
        | Word::Classify
        | Word::KeepsSecond
        | Word::Refused(_) => WordEffect::Nothing,
    })
}

impl Lowering<'_> {
    /// Whether a call of this function is the error.
    pub(super) fn is_error_function(&self, function: FunctionId) -> bool {
        let failed = word(self.unit, function) == Some(Word::AssertionFailed);
        let function = &self.unit.functions[function];
        if function.name.starts_with(crate::weave::OBJECTION) {
            return function.body.is_none();
        }
        match &self.options.property {
            Property::Errors | Property::UnreachCall => {
                matches!(function.name.as_str(), "reach_error" | "__VERIFIER_error")
                    || (function.body.is_none() && failed)
            }
            Property::UnreachCallOf(name) => function.name == *name,
            Property::NoOverflow | Property::Memory(_) | Property::Termination => false,
        }
    }
    /// What the failing assertion says.
    pub(super) fn error_text(&self, function: FunctionId, args: Option<&[Expr]>) -> (AssertionKind, String) {
        let name = &self.unit.functions[function].name;
        let strings: Vec<Option<String>> = args.unwrap_or_default().iter().map(|arg| self.string_text(arg)).collect();
        // BSD's variants name the function and the file first, and the condition last.
        let condition = match name.as_str() {
            "__assert_rtn" => strings.get(3),
            "__assert" if strings.len() == 4 => strings.get(3),
            _ if word(self.unit, function) == Some(Word::AssertionFailed) => strings.first(),
            _ => None,
        };
        match condition.cloned().flatten() {
            Some(condition) => (AssertionKind::Condition, condition),
            None => (AssertionKind::Unreached, format!("{name}()")),
        }
    }

    /// What an undefined function of a known name does; `None` if the name is not known. Long: one `match` over all known
    /// functions.
    pub(super) fn intrinsic(
        &mut self,
        function: FunctionId,
        args: &[Term],
        types: &[TypeId],
        exprs: Option<&[Expr]>,
        into: Option<Var>,
        span: Span,
    ) -> Option<Option<Term>> {
        let name = modelled_name(&self.unit.functions[function].name).to_owned();
        let word = match word(self.unit, function)? {
            Word::KeepsSecond => self.keeps(args),
            word => word,
        };
        let pointer_result = self.class(self.result_type(function)) == Class::Pointer;
        Some(match word {
            Word::End | Word::AssertionFailed => {
                self.check_leaks(&format!("`{}`", self.snippet(span)), span);
                self.end_run(span);
                self.any_result(function, span)
            }
            Word::Assume | Word::Assert => {
                let holds = self.truth_of(*args.first()?, types[0]);
                let is_error =
                    word == Word::Assert && matches!(self.options.property, Property::Errors | Property::UnreachCall);
                if is_error && self.current.at.is_some() {
                    let (kind, text) = match exprs.and_then(|exprs| exprs.first()) {
                        Some(condition) => (AssertionKind::Condition, self.snippet(condition.span)),
                        None => (AssertionKind::Unreached, format!("{name}()")),
                    };
                    self.require(holds, kind, text, span);
                } else if word == Word::Assert {
                    self.assert_or_end(holds, span);
                } else {
                    self.assume_by_user(holds, span);
                }
                self.any_result(function, span)
            }
            Word::Nothing => self.any_result(function, span),
            Word::Nondet => return self.nondet(function, &name, args, types, into, span),
            Word::Malloc | Word::Calloc | Word::Realloc | Word::AlignedAlloc | Word::Alloca => {
                if !pointer_result {
                    return None;
                }
                return self.heap(word, &name, args, types, into, span).map(Some);
            }
            Word::Free => {
                let [address] = args else { return None };
                if self.class(types[0]) != Class::Pointer {
                    return None;
                }
                self.guard(*address, 0, AccessKind::Free, span);
                self.count_free(*address, span);
                self.emit(Action::Free { address: *address, lifetime: Lifetime::Heap }, span);
                self.any_result(function, span)
            }
            Word::Model => return None,
            Word::Harmless => {
                self.assume_result(function, &name, span);
                self.external_result(function, into, span)
            }
            Word::Unspecified => {
                let what = exprs.and_then(|exprs| self.string_text(exprs.first()?));
                let kind = InputKind::Unspecified(what.unwrap_or_else(|| name.clone()));
                self.free_result(function, kind, into, span)
            }
            Word::Print(format) => {
                self.check_printed(&Call { name: &name, args, types, exprs, span }, format, false);
                self.write_counts(&name, format, args, types, exprs, span);
                self.assume_result(function, &name, span);
                self.external_result(function, into, span)
            }
            Word::PrintInto(format) => {
                let wanted = self.reach.result_used(function);
                let exact = self.print_into(&Call { name: &name, args, types, exprs, span }, format, wanted);
                if let (Some(length), Class::Int { width, .. }) = (exact, self.class(self.result_type(function))) {
                    return Some(Some(self.resize(length, false, width)));
                }
                self.assume_result(function, &name, span);
                self.external_result(function, into, span)
            }
            Word::Random => {
                self.assume_result(function, &name, span);
                let result = self.external_result(function, into, span)?;
                if let Class::Int { width, signed: true } = self.class(self.result_type(function)) {
                    let zero = self.terms.bv(width, 0);
                    let fine = self.terms.bv_sle(zero, result);
                    self.assume(fine, span);
                }
                Some(result)
            }
            Word::WritesFirst => {
                if let "fgets" | "fgets_unlocked" = name.as_str()
                    && let Some(result) = self.read_line(function, &Call { name: &name, args, types, exprs, span })
                {
                    return Some(result);
                }
                if let (Some(&arg), Some(&ty)) = (args.first(), types.first()) {
                    self.written_by(&name, arg, ty, span);
                }
                let text =
                    format!("`{name}` is taken to return any value and to write anything through its first argument");
                self.assume_about(&name, text, span);
                self.external_result(function, into, span)
            }
            Word::KeepsSecond => unreachable!("it was decided above"),
            Word::Refused(what) => {
                self.unsupported(span, format!("{what}: call of `{name}`"));
                self.any_result(function, span)
            }
            Word::Float(_) | Word::FloatIs(_) | Word::IsFinite | Word::SignBit | Word::CopySign | Word::Classify => {
                let value = self.float_call(word, function, args, types)?;
                Some(value)
            }
        })
    }

    /// A buffer that is null is one of the library's own.
    fn keeps(&self, args: &[Term]) -> Word {
        let is_null = args.get(1).is_some_and(|&buffer| self.terms.small_value(buffer) == Some(0));
        if is_null { Word::Harmless } else { KEEPS }
    }

    /// Says that the function returns any value, if the program looks at it.
    fn assume_result(&mut self, function: FunctionId, name: &str, span: Span) {
        if self.reach.result_used(function) {
            let text =
                format!("`{name}` is taken to return any value of its type and to change no object of the program");
            self.assume_about(name, text, span);
        }
    }

    fn nondet(
        &mut self,
        function: FunctionId,
        name: &str,
        args: &[Term],
        types: &[TypeId],
        into: Option<Var>,
        span: Span,
    ) -> Option<Option<Term>> {
        let kind = InputKind::Nondet(name.to_owned());
        let result = self.result_type(function);
        if name == "__VERIFIER_nondet_memory"
            && let [address, size] = *args
            && self.class(types[0]) == Class::Pointer
        {
            let signed = matches!(self.class(types[1]), Class::Int { signed: true, .. });
            let width = self.pointer_width();
            let size = self.resize(size, signed, width);
            let input = self.new_input(kind, Shown::Plain, span);
            self.emit(Action::Forget { address, size: Some(size), input }, span);
            return Some(self.any_result(function, span));
        }
        // A truth value declared as a number is zero or one.
        if (name == "__VERIFIER_nondet_bool" || name == "__VERIFIER_nondet__Bool")
            && let Class::Int { width, .. } = self.class(result)
        {
            let sort = self.terms.bool_sort();
            let var = self.new_temp("any", sort, Shown::Plain);
            let input = self.new_input(kind, Shown::Plain, span);
            self.emit(Action::Havoc { var, input }, span);
            let truth = self.term_of(var);
            return Some(Some(self.number_of_truth(truth, width)));
        }
        Some(self.free_result(function, kind, into, span))
    }

    fn heap(
        &mut self,
        word: Word,
        name: &str,
        args: &[Term],
        types: &[TypeId],
        into: Option<Var>,
        span: Span,
    ) -> Option<Term> {
        let width = self.pointer_width();
        let mut sizes = Vec::with_capacity(args.len());
        for (&arg, &ty) in args.iter().zip(types) {
            sizes.push(match self.class(ty) {
                Class::Int { signed, .. } => self.resize(arg, signed, width),
                Class::Pointer => arg,
                _ => return None,
            });
        }
        if word != Word::Alloca && self.options.malloc == Malloc::MayFail {
            return self.unless_full(span, |this| this.heap_object(word, &sizes, None, span));
        }
        if word != Word::Alloca {
            let text = format!("`{name}` never returns null");
            self.assume_about(name, text, span);
        }
        self.heap_object(word, &sizes, into, span)
    }
    fn heap_object(&mut self, word: Word, sizes: &[Term], into: Option<Var>, span: Span) -> Option<Term> {
        let memory = Some(InputKind::Memory);
        Some(match (word, sizes) {
            (Word::Malloc, [size]) => self.allocate(*size, Lifetime::Heap, memory, into, span),
            (Word::Alloca, [size]) => self.allocate(*size, Lifetime::Frame, memory, into, span),
            (Word::AlignedAlloc, [_, size]) => self.allocate(*size, Lifetime::Heap, memory, into, span),
            (Word::Calloc, &[count, size]) => {
                // No object is as large as a product that does not fit: then the result is null.
                let fits = self.product_fits(count, size);
                let lost = self.terms.not(fits);
                let into = into.filter(|_| lost == self.terms.truth(false));
                self.null_if(lost, span, |this| {
                    let bytes = this.terms.bv_mul(count, size);
                    Some(this.allocate(bytes, Lifetime::Heap, None, into, span))
                })?
            }
            (Word::Realloc, [old, size]) => self.reallocate(*old, *size, into, span),
            _ => return None,
        })
    }

    fn float_call(&mut self, word: Word, function: FunctionId, args: &[Term], types: &[TypeId]) -> Option<Term> {
        let first = *args.first()?;
        let Class::Float(kind) = self.class(types[0]) else { return None };
        let result = self.result_type(function);
        if let Word::Float(op) = word {
            let n_args = if matches!(op, FpOp::Fmod | FpOp::Rem | FpOp::Min | FpOp::Max) { 2 } else { 1 };
            let fits = args.len() == n_args
                && self.class(result) == Class::Float(kind)
                && types.iter().all(|&ty| self.class(ty) == Class::Float(kind));
            return fits.then(|| self.float_operator(op, args));
        }
        if word == Word::CopySign {
            let (&[magnitude, sign], true) = (args, self.class(result) == Class::Float(kind)) else { return None };
            let negative = self.float_sign_bit(sign);
            let plus = self.float_operator(FpOp::Abs, &[magnitude]);
            let minus = self.float_negate(plus, kind);
            return Some(self.terms.ite(negative, minus, plus));
        }
        let Class::Int { width, .. } = self.class(result) else { return None };
        let truth = match word {
            Word::FloatIs(op) => self.float_is(op, first),
            Word::SignBit => self.float_sign_bit(first),
            Word::IsFinite => {
                let (nan, infinite) = (self.float_is(FpOp::IsNan, first), self.float_is(FpOp::IsInfinite, first));
                let either = self.terms.or(&[nan, infinite]);
                self.terms.not(either)
            }
            // FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4.
            _ => {
                let mut class = self.terms.bv(width, 4);
                for (number, op) in [(3, FpOp::IsSubnormal), (2, FpOp::IsZero), (1, FpOp::IsInfinite), (0, FpOp::IsNan)]
                {
                    let is = self.float_is(op, first);
                    let number = self.terms.bv(width, number);
                    class = self.terms.ite(is, number, class);
                }
                return Some(class);
            }
        };
        Some(self.number_of_truth(truth, width))
    }
}
