//! What certain names mean: the words of verification, and library functions that are not written
//! in C but known here. A definition by the user wins, except for the error functions.

use program::{AccessKind, Action, InputKind, Lifetime, Shown, Var};
use term::{FpOp, Term};

use crate::Property;
use crate::ast::Span;
use crate::hir::{Expr, FunctionId, TypeId};
use crate::library::modelled_name;

use super::Lowering;
use super::types::Class;

/// What an undefined function of a known name does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    /// The run ends.
    End,
    /// The run ends unless the argument is true.
    Assume,
    /// An error unless the argument is true.
    Assert,
    /// An assertion has failed.
    AssertionFailed,
    /// Any value, chosen by the verifier.
    Nondet,
    /// Nothing.
    Nothing,
    Malloc,
    Calloc,
    Realloc,
    Free,
    Alloca,
    /// `aligned_alloc(alignment, size)`.
    AlignedAlloc,
    /// Any value, and no effect we could see.
    Harmless,
    /// Any value that is not negative.
    Random,
    /// Any value; writes through the first argument only.
    WritesFirst,
    /// A floating-point operator.
    Float(FpOp),
    /// A floating-point predicate with an `int` result.
    FloatIs(FpOp),
    IsFinite,
    SignBit,
    CopySign,
    Classify,
    /// Not treated: what it is.
    Refused(&'static str),
}

fn word(name: &str) -> Option<Word> {
    use Word::*;
    // Models call `__uforia_malloc`.
    let name = modelled_name(name);
    Some(match name {
        "abort" | "exit" | "_Exit" | "_exit" | "quick_exit" | "__assert_perror_fail" | "__stack_chk_fail" => End,
        "__VERIFIER_assume" | "assume_abort_if_not" | "__CPROVER_assume" => Assume,
        "assert" | "__VERIFIER_assert" | "__CPROVER_assert" => Assert,
        "__assert_fail" | "__assert" | "__assert_rtn" | "_assert" => AssertionFailed,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => Nothing,
        "malloc" | "valloc" => Malloc,
        "calloc" => Calloc,
        "realloc" => Realloc,
        "free" | "cfree" => Free,
        "alloca" => Alloca,
        "aligned_alloc" | "memalign" => AlignedAlloc,
        "rand" | "random" | "lrand48" => Random,
        "printf" | "vprintf" | "fprintf" | "vfprintf" | "dprintf" | "vdprintf" | "puts" | "fputs" | "putchar"
        | "putc" | "fputc" | "putchar_unlocked" | "putc_unlocked" | "puts_unlocked" | "perror" | "fflush" | "fopen"
        | "fdopen" | "freopen" | "fclose" | "getchar" | "getc" | "fgetc" | "ungetc" | "_IO_getc" | "_IO_putc"
        | "feof" | "ferror" | "clearerr" | "fseek" | "ftell" | "rewind" | "fileno" | "remove" | "rename" | "system"
        | "getenv" | "clock" | "srand" | "srandom" | "sleep" | "usleep" | "write" | "fwrite" | "open" | "close"
        | "lseek" | "getpid" | "strerror" | "__printf_chk" | "__fprintf_chk" | "syslog" | "openlog" | "closelog"
        | "printk" | "_printk" | "assert_perror" | "mkdir" | "rmdir" | "unlink" | "isatty" | "difftime"
        | "__errno_location" => Harmless,
        "sprintf" | "vsprintf" | "snprintf" | "vsnprintf" | "__sprintf_chk" | "__snprintf_chk" | "fgets" | "gets"
        | "fread" | "time" => WritesFirst,
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp" => {
            Refused("non-local jump")
        }
        "pthread_create" | "thrd_create" => Refused("thread"),
        "fork" | "vfork" | "clone" => Refused("process"),
        "atexit" | "on_exit" | "at_quick_exit" => Refused("exit handler"),
        "signal" | "sigaction" | "bsd_signal" | "sysv_signal" => Refused("signal handler"),
        "makecontext" | "swapcontext" | "setcontext" | "getcontext" => Refused("change of context"),
        _ if name.starts_with("__VERIFIER_nondet_") => Nondet,
        _ => return float_word(name),
    })
}

fn float_word(name: &str) -> Option<Word> {
    use Word::*;
    let base = name.strip_prefix("__").unwrap_or(name);
    let stem = match base.strip_suffix(['f', 'l']) {
        // `ceil` and `isinf` end in these letters by themselves.
        Some(stem) if !matches!(base, "ceil" | "isinf") => stem,
        _ => base,
    };
    Some(match stem {
        "isnan" => FloatIs(FpOp::IsNan),
        "isinf" => FloatIs(FpOp::IsInfinite),
        "isnormal" => FloatIs(FpOp::IsNormal),
        "finite" | "isfinite" => IsFinite,
        "signbit" => SignBit,
        "fpclassify" => Classify,
        _ if base != name => return None,
        "fabs" => Float(FpOp::Abs),
        "sqrt" => Float(FpOp::Sqrt),
        "floor" => Float(FpOp::Floor),
        "ceil" => Float(FpOp::Ceil),
        "trunc" => Float(FpOp::Trunc),
        "round" => Float(FpOp::Round),
        "rint" | "nearbyint" | "roundeven" => Float(FpOp::RoundEven),
        "fmod" => Float(FpOp::Fmod),
        "remainder" | "drem" => Float(FpOp::Rem),
        "fmin" => Float(FpOp::Min),
        "fmax" => Float(FpOp::Max),
        "copysign" => CopySign,
        _ => return None,
    })
}

/// Whether an undefined function of this name is known here, so that no model is looked for.
pub(super) fn is_intrinsic(name: &str) -> bool {
    word(name).is_some()
}

impl Lowering<'_> {
    /// Whether a call of this function is the error.
    pub(super) fn is_error_function(&self, function: FunctionId) -> bool {
        let function = &self.unit.functions[function];
        if function.name.starts_with(crate::weave::OBJECTION) {
            return function.body.is_none();
        }
        match &self.options.property {
            Property::Errors | Property::UnreachCall => {
                matches!(function.name.as_str(), "reach_error" | "__VERIFIER_error")
                    || (function.body.is_none() && word(&function.name) == Some(Word::AssertionFailed))
            }
            Property::UnreachCallOf(name) => function.name == *name,
            Property::NoOverflow => false,
        }
    }
    /// What the failing assertion says.
    pub(super) fn error_text(&self, function: FunctionId, args: Option<&[Expr]>) -> String {
        let name = &self.unit.functions[function].name;
        let strings: Vec<Option<String>> = args.unwrap_or_default().iter().map(|arg| self.string_text(arg)).collect();
        // BSD's variants name the function and the file first, and the condition last.
        let condition = match name.as_str() {
            "__assert_rtn" => strings.get(3),
            "__assert" if strings.len() == 4 => strings.get(3),
            _ if word(name) == Some(Word::AssertionFailed) => strings.first(),
            _ => None,
        };
        condition.cloned().flatten().unwrap_or_else(|| format!("{name}()"))
    }

    /// What an undefined function of a known name does; `None` if the name is not known.
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
        let word = word(&name)?;
        let pointer_result = self.class(self.result_type(function)) == Class::Pointer;
        Some(match word {
            Word::End | Word::AssertionFailed => {
                self.end_run(span);
                self.any_result(function, span)
            }
            Word::Assume | Word::Assert => {
                let holds = self.truth_of(*args.first()?, types[0]);
                let is_error =
                    word == Word::Assert && matches!(self.options.property, Property::Errors | Property::UnreachCall);
                if is_error && self.current.at.is_some() {
                    let text = match exprs.and_then(|exprs| exprs.first()) {
                        Some(condition) => self.snippet(condition.span),
                        None => format!("{name}()"),
                    };
                    let (fine, error) = (self.new_loc(), self.error_location(text, span));
                    self.branch(holds, fine, error, span);
                    self.start(fine);
                } else {
                    self.assume(holds, span);
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
                self.emit(Action::Free { address: *address }, span);
                self.any_result(function, span)
            }
            Word::Harmless => self.external_result(function, into, span),
            Word::Random => {
                let result = self.external_result(function, into, span)?;
                if let Class::Int { width, signed: true } = self.class(self.result_type(function)) {
                    let zero = self.terms.bv(width, 0);
                    let fine = self.terms.bv_sle(zero, result);
                    self.assume(fine, span);
                }
                Some(result)
            }
            Word::WritesFirst => {
                if let (Some(&arg), Some(&ty)) = (args.first(), types.first()) {
                    self.written_by(&name, arg, ty, span);
                }
                self.external_result(function, into, span)
            }
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
        if word != Word::Alloca {
            let text = format!("`{name}` never returns null");
            self.assume_about(name, text, span);
        }
        let memory = Some(InputKind::Memory);
        Some(match (word, sizes.as_slice()) {
            (Word::Malloc, [size]) => self.allocate(*size, Lifetime::Heap, memory, into, span),
            (Word::Alloca, [size]) => self.allocate(*size, Lifetime::Frame, memory, into, span),
            (Word::AlignedAlloc, [_, size]) => self.allocate(*size, Lifetime::Heap, memory, into, span),
            (Word::Calloc, [count, size]) => {
                let bytes = self.terms.bv_mul(*count, *size);
                self.allocate(bytes, Lifetime::Heap, None, into, span)
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
