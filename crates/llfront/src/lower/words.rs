//! Functions that mean something by their name: to verifiers, in C, in C++ and in Rust.
//!
//! The user's definition wins, except for error functions and Rust's panics. In Rust a panic is the error: every function of the library that does not
//! return is one, except those that end the process.

use program::{AccessKind, Action, AssertionKind, InputKind, Lifetime, Shown};

use term::Term;

use crate::Property;
use crate::debug::SourcePlace;
use crate::demangle;
use crate::ir::{Call, Type, TypeId, Value};
use crate::parse::Definition;
use crate::scan::Module;

use super::call::Arg;
use super::{Leaf, Lowered, Lowering, streams};

/// What a known function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// The error.
    Error,
    /// A panic of Rust.
    Panic,
    /// The run ends.
    End,
    /// The run goes on only if the argument is true.
    Assume,
    /// Any value, chosen by the verifier.
    Nondet,
    /// Any bytes, chosen by the verifier.
    NondetMemory,
    Malloc,
    Calloc,
    Realloc,
    AlignedAlloc,
    Free,
    /// `__rust_alloc(size, align)`, `__rust_alloc_zeroed`.
    RustAlloc {
        zeroed: bool,
    },
    /// `__rust_realloc(old, old size, align, size)`.
    RustRealloc,
    /// No effect, any result.
    Harmless,
    /// No effect and no result that matters.
    Nothing,
    /// The library of C++ throws an exception, in a function without a body here. Where nothing catches any, the run ends.
    Throw,
    /// The destructor of a static object of C++ is noted.
    StaticDestructor,
    Copy,
    Fill,
    /// `memcmp`, `bcmp`.
    Compare,
    /// An error unless the argument is true.
    Assert,
    /// Any value that is not negative.
    Random,
    /// Any value, which C leaves to the implementation; the argument says what it is. For models only.
    Unspecified,
    /// Prints with the format at this position.
    Print(usize),
    /// Writes to the stream, which is the result.
    Stream,
    /// `__dynamic_cast`.
    DynamicCast,
    Refused(&'static str),
}

/// What a failing assertion in a header of libstdc++ calls.
const LIBRARY_ASSERTION: &str = "_ZSt21__glibcxx_assert_fail";

/// In front of the names of functions that model the C library.
pub(super) const MODEL: &str = "__uforia_";

/// Functions of C and C++ by their linkage name.
fn c_word(name: &str) -> Option<Word> {
    if name == "__uforia_unspecified" {
        return Some(Word::Unspecified);
    }
    // Models call `__uforia_malloc`.
    let name = name.strip_prefix(MODEL).unwrap_or(name);
    if streams::is_initialisation(name) {
        return Some(Word::Nothing);
    }
    if name == "__VERIFIER_nondet_memory" {
        return Some(Word::NondetMemory);
    }
    if name.starts_with("__VERIFIER_nondet_") {
        return Some(Word::Nondet);
    }
    if name.starts_with(LIBRARY_ASSERTION) {
        return Some(Word::Error);
    }
    if name.starts_with("_ZSt") && name.contains("__throw_") || matches!(name, "__cxa_bad_cast" | "__cxa_bad_typeid") {
        return Some(Word::Throw);
    }
    Some(match name {
        "__VERIFIER_assume" | "assume_abort_if_not" | "__CPROVER_assume" => Word::Assume,
        "__VERIFIER_assert" | "__CPROVER_assert" | "assert" => Word::Assert,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => Word::Nothing,
        "__assert_fail" | "__assert" | "__assert_rtn" => Word::Error,
        "abort"
        | "exit"
        | "_exit"
        | "_Exit"
        | "quick_exit"
        | "__stack_chk_fail"
        | "_ZSt9terminatev"
        | "__cxa_pure_virtual"
        | "__cxa_deleted_virtual" => Word::End,
        "malloc" | "_Znwm" | "_Znam" | "_Znwj" | "_Znaj" => Word::Malloc,
        "calloc" => Word::Calloc,
        "realloc" => Word::Realloc,
        "aligned_alloc" => Word::AlignedAlloc,
        "free" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" | "_ZdlPvj" | "_ZdaPvj" => Word::Free,
        "memcpy" | "memmove" => Word::Copy,
        "memset" => Word::Fill,
        "memcmp" | "bcmp" => Word::Compare,
        "printf" | "vprintf" | "printk" | "_printk" => Word::Print(0),
        "fprintf" | "vfprintf" | "dprintf" | "syslog" | "__printf_chk" => Word::Print(1),
        "__fprintf_chk" => Word::Print(2),
        "puts" | "putchar" | "fputs" | "fflush" | "perror" | "putc" | "fputc" | "fopen" | "fclose" | "getchar"
        | "getc" | "fgetc" | "feof" | "ferror" | "srand" | "srandom" | "clock" | "sleep" | "usleep" | "getpid"
        | "fwrite" => Word::Harmless,
        "rand" | "random" | "lrand48" => Word::Random,
        "__dynamic_cast" => Word::DynamicCast,
        "__cxa_atexit" => Word::StaticDestructor,
        "atexit" | "at_quick_exit" | "on_exit" => Word::Refused("exit handler"),
        "fesetround" | "fesetenv" | "feupdateenv" | "feholdexcept" | "feenableexcept" | "fesetmode" => {
            Word::Refused("change of the floating-point environment")
        }
        "signal" | "sigaction" | "raise" => Word::Refused("signal handler"),
        "fork" | "vfork" | "kill" => Word::Refused("process"),
        "makecontext" | "swapcontext" | "setcontext" | "getcontext" => Word::Refused("change of context"),
        "__cxa_allocate_exception" => Word::Malloc,
        "__cxa_free_exception" => Word::Free,
        "_ZSt18uncaught_exceptionv" | "_ZSt19uncaught_exceptionsv" => Word::Refused("state of exceptions"),
        "pthread_create" | "thrd_create" => Word::Refused("thread"),
        "setjmp" | "_setjmp" | "longjmp" | "sigsetjmp" | "siglongjmp" => Word::Refused("non-local jump"),
        _ => return None,
    })
}

/// Functions of Rust by their path.
fn rust_word(path: &str) -> Option<Word> {
    let last = path.rsplit("::").next().unwrap_or(path);
    match last {
        "__rust_alloc" => return Some(Word::RustAlloc { zeroed: false }),
        "__rust_alloc_zeroed" => return Some(Word::RustAlloc { zeroed: true }),
        "__rust_dealloc" => return Some(Word::Free),
        "__rust_realloc" => return Some(Word::RustRealloc),
        "__rust_no_alloc_shim_is_unstable" | "__rust_no_alloc_shim_is_unstable_v2" => return Some(Word::Nothing),
        _ => {}
    }
    let is_library = ["core::", "alloc::", "std::", "hashbrown::"].iter().any(|library| path.starts_with(library));
    if !is_library {
        return None;
    }
    let enders =
        ["std::process::exit", "std::process::abort", "core::intrinsics::abort", "alloc::alloc::handle_alloc_error"];
    if enders.contains(&path) || path.ends_with("::alloc_err") {
        return Some(Word::End);
    }
    // Allocation never fails, so the size is what is wrong.
    if path == "alloc::raw_vec::handle_error" || path.ends_with("::capacity_overflow") {
        return Some(Word::Panic);
    }
    let panics = [
        "core::panicking::",
        "std::panicking::",
        "core::option::unwrap_failed",
        "core::option::expect_failed",
        "core::result::unwrap_failed",
        "core::slice::index::slice_",
        "core::str::slice_error_fail",
        "core::cell::panic_",
    ];
    if panics.iter().any(|known| path.starts_with(known))
        && !path.contains("closure")
        && path != "std::panicking::panicking"
    {
        return Some(Word::Panic);
    }
    match path {
        // The keys of hashes are chosen by the system.
        "std::sys::random::hashmap_random_keys" | "std::sys::random::linux::hashmap_random_keys" => {
            Some(Word::Harmless)
        }
        "std::io::stdio::_print" | "std::io::stdio::_eprint" => Some(Word::Nothing),
        "std::thread::spawn" => Some(Word::Refused("thread")),
        _ => None,
    }
}

/// Whether the header of the function says that it does not return.
fn says_noreturn(module: &Module<'_>, name: &str) -> bool {
    let start = module.defined.get(name).map(|range| range.0).or_else(|| module.declared.get(name).copied());
    let header = start.and_then(|start| module.text[start as usize..].lines().next()).unwrap_or("");
    let says_so = |word: &str| word.strip_prefix('#').is_some_and(|group| module.group_has(group, "noreturn"));
    header.split_ascii_whitespace().any(|word| word == "noreturn" || says_so(word))
}

/// Whether the path of the function says what it does in Rust, so that its body does not matter.
pub(crate) fn is_known_by_path(name: &str) -> bool {
    demangle::path(name).as_deref().and_then(rust_word).is_some()
}

/// Whether a call of the function is a panic of Rust.
pub(crate) fn is_panic(module: &Module<'_>, name: &str) -> bool {
    let Some(path) = demangle::path(name) else { return false };
    let is_library = ["core::", "alloc::", "std::"].iter().any(|library| path.starts_with(library));
    let word = rust_word(&path).or_else(|| (is_library && !module.defined.contains_key(name)).then_some(Word::Panic));
    word == Some(Word::Panic) && says_noreturn(module, name)
}

impl<'s> Lowering<'_, 's, '_> {
    /// The name for users.
    pub(super) fn path_of(&self, name: &str) -> String {
        demangle::path(name).unwrap_or_else(|| name.to_owned())
    }
    /// Whether the function means something even if it has a body.
    pub(super) fn is_known(&self, name: &str) -> bool {
        if let Property::UnreachCallOf(wanted) = &self.options.property
            && name == wanted
        {
            return true;
        }
        matches!(name, "reach_error" | "__VERIFIER_error")
            || self.is_runtime(name)
            || streams::writes(name)
            || demangle::path(name).and_then(|path| rust_word(&path)).is_some_and(|word| self.is_credible(word, name))
    }
    /// Whether the function may be what its path says: one that panics or ends the process does not return.
    fn is_credible(&self, word: Word, name: &str) -> bool {
        !matches!(word, Word::Panic | Word::End) || says_noreturn(self.module, name)
    }
    /// What a call of the function means; `None` if nothing is known of it.
    pub(super) fn word(&mut self, name: &'s str, call: Option<&Call<'s>>) -> Option<Word> {
        if let Property::UnreachCallOf(wanted) = &self.options.property
            && name == wanted
        {
            return Some(Word::Error);
        }
        if matches!(name, "reach_error" | "__VERIFIER_error") {
            return Some(Word::Error);
        }
        let path = demangle::path(name);
        if let Some(word) = path.as_deref().and_then(rust_word).filter(|&word| self.is_credible(word, name)) {
            return Some(word);
        }
        if streams::writes(name) || call.is_some_and(|call| streams::manipulates(name, call)) {
            return Some(Word::Stream);
        }
        if self.module.defined.contains_key(name) {
            return None;
        }
        if let Some(path) = path {
            // The rest of the library that does not return panics.
            let is_library = ["core::", "alloc::", "std::"].iter().any(|library| path.starts_with(library));
            let panics = is_library && call.is_some_and(|call| self.is_noreturn(name, call));
            return panics.then_some(Word::Panic);
        }
        c_word(name)
    }
    pub(super) fn is_noreturn(&mut self, name: &'s str, call: &Call<'s>) -> bool {
        let module = self.module;
        let has = |attributes: &crate::ir::Attributes<'_>| {
            attributes.noreturn || attributes.groups.iter().any(|group| module.group_has(group, "noreturn"))
        };
        has(&call.attributes) || self.signature(name).is_some_and(|signature| has(&signature.attributes))
    }
    /// Whether a call of the function is the error or ends the run, so that its arguments do not matter.
    pub(super) fn ends_here(&mut self, name: &'s str, call: &Call<'s>) -> bool {
        matches!(self.word(name, Some(call)), Some(Word::Error | Word::Panic | Word::End))
    }

    /// Does what the word says. Long: one `match` over all words.
    pub(super) fn perform(
        &mut self,
        word: Word,
        name: &'s str,
        args: &[Arg],
        result: TypeId,
        call: Option<&Call<'s>>,
    ) -> Lowered<Vec<Leaf>> {
        let mut terms = Vec::new();
        for (ty, leaves) in args {
            terms.extend(self.materialised(leaves, *ty)?);
        }
        let width = self.pointer_width();
        let condition = terms.first().copied();
        if !matches!(word, Word::Harmless | Word::Print(_) | Word::Assert) {
            for term in &mut terms {
                *term = self.resized(*term, false, width);
            }
        }
        let memory = |this: &mut Self| this.builder.assumption("allocation never fails", None);
        let address = match (word, terms.as_slice()) {
            (Word::Error, _) => {
                self.error_call(name, call);
                return self.unused_result(result);
            }
            (Word::Panic, _) => {
                self.panic(name, call);
                return self.unused_result(result);
            }
            (Word::End, _) => {
                self.end_run();
                return self.unused_result(result);
            }
            (Word::Assume, &[_, ..]) => {
                let condition = condition.ok_or("assumption without a condition")?;
                let bits = self.bits_of_value(condition);
                let zero = self.terms.bits(base::Bits::zero(self.terms.width(bits)));
                let holds = self.terms.ne(bits, zero);
                self.assume(holds);
                return self.unused_result(result);
            }
            (Word::Nondet, _) => return self.nondet(name, result),
            (Word::NondetMemory, &[address, size]) => {
                let size = self.resized(size, false, width);
                let input = self.input(InputKind::Nondet(name.to_owned()), Shown::Plain);
                self.emit(Action::Forget { address, size: Some(size), input });
                return self.unused_result(result);
            }
            (Word::Throw, _) => {
                return Err(format!(
                    "exception of the library: call of `{}`, which a handler may catch",
                    self.path_of(name)
                ));
            }
            (Word::StaticDestructor, _) => {
                self.builder.assumption("destructors of static objects do not run", self.frame.place);
                return self.unused_result(result);
            }
            (Word::Nothing, _) => return self.unused_result(result),
            (Word::Stream, &[stream, ..]) => {
                self.write_to_stream(stream, call);
                stream
            }
            (Word::DynamicCast, &[object, ..]) => self.dynamic_cast(object, call)?,
            (Word::Assert, &[_, ..]) => {
                let condition = condition.ok_or("assertion without a condition")?;
                self.assertion(name, condition);
                return self.unused_result(result);
            }
            (Word::Random, _) => {
                let leaves = self.any_result(result, &InputKind::External(name.to_owned()))?;
                if let &[Leaf::Term(value)] = leaves.as_slice()
                    && !self.terms.is_bool(value)
                {
                    let zero = self.terms.bits(base::Bits::zero(self.terms.width(value)));
                    let holds = self.terms.bv_sle(zero, value);
                    self.assume(holds);
                }
                return Ok(leaves);
            }
            (Word::Unspecified, _) => {
                let text = call.and_then(|call| self.constant_text(&call.args.first()?.value.value, None));
                let what = text.unwrap_or_else(|| name.to_owned());
                return self.any_result(result, &InputKind::Unspecified(what));
            }
            (Word::Print(format), _) => {
                let format = call.and_then(|call| Some(call.args.get(format)?.value.value.clone()));
                let text = format.and_then(|format| self.constant_text(&format, None));
                if text.is_none_or(|text| writes_count(&text)) {
                    return Err(format!("call of `{name}` with a format that is not constant or writes to memory"));
                }
                return self.any_result(result, &InputKind::External(name.to_owned()));
            }
            (Word::Harmless, _) => return self.any_result(result, &InputKind::External(name.to_owned())),
            (Word::Free, &[address, ..]) => {
                self.guard(address, 0, AccessKind::Free);
                self.emit(Action::Free { address, lifetime: Lifetime::Heap });
                return self.unused_result(result);
            }
            (Word::Malloc, &[size, ..]) => {
                memory(self);
                let size = self.resized(size, false, width);
                self.allocate(size, Lifetime::Heap, false, None)
            }
            (Word::AlignedAlloc, &[_, size]) => {
                memory(self);
                self.allocate(size, Lifetime::Heap, false, None)
            }
            (Word::RustAlloc { zeroed }, &[size, ..]) => {
                memory(self);
                self.allocate(size, Lifetime::Heap, zeroed, None)
            }
            (Word::Calloc, &[count, size]) => {
                memory(self);
                let bytes = self.terms.bv_mul(count, size);
                self.allocate(bytes, Lifetime::Heap, true, None)
            }
            (Word::Realloc, &[old, size]) | (Word::RustRealloc, &[old, _, _, size]) => {
                memory(self);
                self.guard(old, 0, AccessKind::Free);
                self.allocate(size, Lifetime::Heap, false, Some(old))
            }
            (Word::Copy, &[to, from, size]) => {
                self.copy(to, from, size, 1)?;
                to
            }
            (Word::Fill, &[to, byte, size]) => {
                let byte = self.resized(byte, false, 8);
                self.fill(to, byte, size, 1)?;
                to
            }
            (Word::Compare, &[left, right, size]) => {
                let order = self.compare_bytes(left, right, size);
                let [(_, leaf)] = self.shapes.leaves(result)?[..] else {
                    return Err(format!("call of `{name}` with another result"));
                };
                let width = self.bits_of(leaf);
                return Ok(vec![Leaf::Term(self.resized(order, true, width))]);
            }
            (Word::Refused(what), _) => return Err(format!("{what}: call of `{}`", self.path_of(name))),
            _ => return Err(format!("call of `{}` with other arguments", self.path_of(name))),
        };
        match self.shapes.leaves(result)?.as_slice() {
            [] => Ok(Vec::new()),
            [(_, leaf)] if matches!(self.shapes.types.kind(*leaf), Type::Pointer) => Ok(vec![Leaf::Term(address)]),
            _ => Err(format!("call of `{name}` with another result")),
        }
    }
    /// A result that is never used.
    pub(super) fn unused_result(&mut self, result: TypeId) -> Lowered<Vec<Leaf>> {
        let mut leaves = Vec::new();
        for (_, leaf) in self.shapes.leaves(result)? {
            leaves.push(Leaf::Term(self.zero(leaf)?));
        }
        Ok(leaves)
    }
    fn nondet(&mut self, name: &'s str, result: TypeId) -> Lowered<Vec<Leaf>> {
        let kind = InputKind::Nondet(name.to_owned());
        let suffix = name.rsplit('_').next().unwrap_or("");
        let shown = match suffix {
            "bool" | "Bool" => Shown::Plain,
            "float" | "double" | "f32" | "f64" => Shown::Float,
            "pointer" => Shown::Pointer,
            "char" | "int" | "short" | "long" | "longlong" => Shown::Signed,
            _ if suffix.starts_with('i') => Shown::Signed,
            _ => Shown::Unsigned,
        };
        let mut leaves = Vec::new();
        for (_, leaf) in self.shapes.leaves(result)? {
            let is_number = matches!(self.shapes.types.kind(leaf), Type::Int(2..));
            if is_number && shown == Shown::Plain {
                // A truth value as a number is zero or one.
                let sort = self.terms.bool_sort();
                let truth = self.any("any", sort, kind.clone(), shown);
                let width = self.bits_of(leaf);
                let (one, zero) = (self.terms.bv(width, 1), self.terms.bv(width, 0));
                leaves.push(Leaf::Term(self.terms.ite(truth, one, zero)));
                continue;
            }
            let sort = self.scalar_sort(leaf)?;
            leaves.push(Leaf::Term(self.any("any", sort, kind.clone(), shown)));
        }
        Ok(leaves)
    }

    // ---- errors

    fn error_call(&mut self, name: &'s str, call: Option<&Call<'s>>) {
        let counts = match &self.options.property {
            Property::Errors | Property::UnreachCall => true,
            Property::UnreachCallOf(wanted) => name == wanted,
            Property::NoOverflow => false,
        };
        if !counts {
            return self.end_run();
        }
        let texts: Vec<Option<String>> =
            call.iter().flat_map(|call| &call.args).map(|arg| self.constant_text(&arg.value.value, None)).collect();
        let condition = match name {
            "__assert_fail" => texts.first(),
            "__assert_rtn" | "__assert" => texts.get(3),
            name if name.starts_with(LIBRARY_ASSERTION) => texts.get(3),
            _ => None,
        };
        match condition.cloned().flatten() {
            Some(condition) => self.fail(AssertionKind::Condition, condition),
            None => self.fail(AssertionKind::Unreached, format!("{name}()")),
        }
    }
    /// The condition must hold, if the property counts failing assertions.
    fn assertion(&mut self, name: &str, condition: Term) {
        let bits = self.bits_of_value(condition);
        let zero = self.terms.bits(base::Bits::zero(self.terms.width(bits)));
        let holds = self.terms.ne(bits, zero);
        match self.options.property {
            Property::Errors | Property::UnreachCall => self.require(holds, AssertionKind::Condition, name),
            Property::UnreachCallOf(_) | Property::NoOverflow => self.assume(holds),
        }
    }
    fn panic(&mut self, name: &'s str, call: Option<&Call<'s>>) {
        let path = self.path_of(name);
        let is_arithmetic = path.contains("panic_const_") || path.contains("panic_const::");
        let counts = match &self.options.property {
            Property::Errors | Property::UnreachCall => true,
            Property::UnreachCallOf(_) => false,
            Property::NoOverflow => is_arithmetic,
        };
        if !counts || self.doubles_capacity(&path) {
            return self.end_run();
        }
        if let Some(place) = call.and_then(|call| self.panic_place(call)) {
            self.frame.place = self.place_of(Some(place));
        }
        let given = call.filter(|_| !path.starts_with("core::str::slice_error_fail"));
        let text = given.and_then(|call| self.panic_text(call)).unwrap_or_else(|| panic_words(&path));
        self.fail(AssertionKind::Unreached, format!("panic `{text}`"));
    }
    /// Whether the panic says that twice the memory that a vector has is more than there is: memory is used up before.
    fn doubles_capacity(&self, path: &str) -> bool {
        let function = self.frame.function.as_ref().and_then(|function| demangle::path(function.signature.name));
        path == "alloc::raw_vec::handle_error" && function.is_some_and(|function| function.ends_with("::grow_one"))
    }
    /// The constant message among the arguments: a pointer to bytes, and their number.
    fn panic_text(&mut self, call: &Call<'s>) -> Option<String> {
        for pair in call.args.windows(2) {
            if let Some(length) = super::aggregate::constant(&pair[1].value)
                && matches!(self.shapes.types.kind(pair[1].value.ty), Type::Int(64 | 32))
                && let Some(text) = self.constant_text(&pair[0].value.value, Some(length as usize))
            {
                return Some(text.lines().next().unwrap_or("").to_owned());
            }
        }
        None
    }
    /// The bytes of a constant, up to a null byte or this many.
    fn constant_text(&mut self, value: &Value<'s>, length: Option<usize>) -> Option<String> {
        let Value::Global(name) = value else { return None };
        let Some(Definition::Variable(global)) = self.definition(name) else { return None };
        let bytes = match global.init {
            Some(Value::Bytes(bytes)) => bytes,
            Some(Value::Aggregate(parts)) => match parts.into_iter().next()?.value {
                Value::Bytes(bytes) => bytes,
                _ => return None,
            },
            _ => return None,
        };
        let end = length.unwrap_or_else(|| bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len()));
        String::from_utf8(bytes.get(..end)?.to_vec()).ok()
    }
    /// The place in the `Location` that a panic gets, if it is in a file of the user.
    fn panic_place(&mut self, call: &Call<'s>) -> Option<SourcePlace> {
        let Value::Global(name) = call.args.last()?.value.value else { return None };
        let Some(Definition::Variable(global)) = self.definition(name) else { return None };
        let Some(Value::Aggregate(parts)) = global.init else { return None };
        let [file, numbers] = parts.as_slice() else { return None };
        let Value::Bytes(numbers) = &numbers.value else { return None };
        let number =
            |at: usize| numbers.get(at..at + 4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        let (length, line, column) = (number(0)?, number(8)?, number(12)?);
        let file = self.constant_text(&file.value, Some(length as usize))?;
        let is_library = file.starts_with("/rustc/") || file.starts_with("library/");
        (!is_library && numbers.len() == 16).then_some(SourcePlace { file, line, column })
    }
}

/// Whether a format of `printf` writes how much was printed (`%n`, `%5$hhn`).
fn writes_count(format: &str) -> bool {
    let mut parts = format.split('%').skip(1);
    while let Some(part) = parts.next() {
        if part.is_empty() {
            // `%%` prints one sign; what follows is plain text.
            parts.next();
            continue;
        }
        let letter = part.trim_start_matches(|c: char| c.is_ascii_digit() || " #-+'.*$hlLqjzt".contains(c));
        if letter.is_empty() || letter.starts_with('n') {
            return true;
        }
    }
    false
}

/// The text of a panic that has none of its own.
fn panic_words(path: &str) -> String {
    let last = path.rsplit("::").next().unwrap_or(path);
    if let Some(operation) = last.strip_prefix("panic_const_") {
        let text = match operation {
            "div_by_zero" => "attempt to divide by zero",
            "rem_by_zero" => "attempt to calculate the remainder with a divisor of zero",
            "neg_overflow" => "attempt to negate with overflow",
            "shl_overflow" => "attempt to shift left with overflow",
            "shr_overflow" => "attempt to shift right with overflow",
            "add_overflow" => "attempt to add with overflow",
            "sub_overflow" => "attempt to subtract with overflow",
            "mul_overflow" => "attempt to multiply with overflow",
            "div_overflow" => "attempt to divide with overflow",
            "rem_overflow" => "attempt to calculate the remainder with overflow",
            other => other,
        };
        return text.to_owned();
    }
    match (last, path) {
        ("panic_bounds_check", _) => "index out of bounds".to_owned(),
        ("handle_error" | "capacity_overflow", _) => "capacity overflow".to_owned(),
        (_, "core::option::unwrap_failed") => "called `Option::unwrap()` on a `None` value".to_owned(),
        (_, "core::result::unwrap_failed") => "called `Result::unwrap()` on an `Err` value".to_owned(),
        ("panic_fmt", _) => "with a formatted message".to_owned(),
        ("assert_failed" | "assert_failed_inner", _) => "assertion failed".to_owned(),
        _ if path.starts_with("core::slice::index::") => "slice index out of range".to_owned(),
        _ if path.starts_with("core::str::slice_error_fail") => {
            "index of a string out of range or inside a character".to_owned()
        }
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_write_are_found() {
        for plain in ["", "x\n", "%d %5.2f %%n %s", "%-10ld|%#x", "100%%"] {
            assert!(!writes_count(plain), "{plain}");
        }
        for writing in ["%n", "%d%hhn", "%1$n", "%5", "%% %n"] {
            assert!(writes_count(writing), "{writing}");
        }
    }
}
