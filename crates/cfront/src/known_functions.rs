//! The list of library functions: what a function that the program does not define is known to do.
//!
//! One table, grouped by header: name, type, meaning. A row holds only for a declaration of a fitting type (see
//! [`fits`]): a program's own `int open(struct door *)` is not the library's. Functions of the folder `library`,
//! which are written in C, have their types in this table, too, as far as programs call them undeclared or as
//! builtins. A function that is in neither place is a function without a body.

use term::FpOp;

use crate::hir::{FloatKind, Record, TypeId, TypeKind, Types};

/// What an undefined function of a known name does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// It is written in C in the folder `library`, or nothing but its type is known.
    Model,
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
    /// Any value, and no effect on objects of the program.
    Harmless,
    /// Any value that is not negative.
    Random,
    /// Any value; writes through the first argument only.
    WritesFirst,
    /// Any value, which C leaves to the implementation; the argument says what it is. For models only.
    Unspecified,
    /// Prints with the format at this position. Any value; writes what `%n` asks for.
    Print(usize),
    /// Prints with the format at this position into the first argument.
    PrintInto(usize),
    /// A floating-point operator.
    Float(FpOp),
    /// A floating-point predicate with an `int` result.
    FloatIs(FpOp),
    IsFinite,
    SignBit,
    CopySign,
    Classify,
    /// Keeps the memory that its second argument points to, which is not treated; as [`Word::Harmless`] where that is null.
    KeepsSecond,
    /// Not treated: what it is.
    Refused(&'static str),
}

/// A library function.
pub(crate) struct Known {
    pub name: &'static str,
    /// Its type, result first: `v` void, `i` int, `u` unsigned, `l` long, `L` unsigned long, `x` long long,
    /// `z` size_t, `Z` ssize_t, `f` float, `d` double, `D` long double, `p` void *, `P` const void *, `s` char *,
    /// `S` const char *, `F` FILE *, `a` va_list, `.` more arguments. Empty: any type.
    pub signature: &'static str,
    pub word: Word,
}

const fn row(name: &'static str, signature: &'static str, word: Word) -> Known {
    Known { name, signature, word }
}

const JUMP: Word = Word::Refused("non-local jump");
const HANDLER: Word = Word::Refused("exit handler");
const SIGNAL: Word = Word::Refused("signal handler");
const CONTEXT: Word = Word::Refused("change of context");
const ROUNDING: Word = Word::Refused("change of the floating-point environment");
pub(crate) const KEEPS: Word = Word::Refused("memory that the library keeps");
const CALLBACK: Word = Word::Refused("library function that calls a function of the program");
const THREAD: Word = Word::Refused("thread");
const LATER: Word = Word::Refused("library function that writes memory of the program later");
const DEEP: Word = Word::Refused("library function that writes through pointers that lie in memory");
const SYSCALL: Word = Word::Refused("system call by number");
const PROCESS: Word = Word::Refused("process");

/// All library functions with a meaning or a type of their own.
pub(crate) const FUNCTIONS: &[Known] = &[
    // Verifiers and <assert.h>.
    row("__VERIFIER_assume", "", Word::Assume),
    row("assume_abort_if_not", "", Word::Assume),
    row("__CPROVER_assume", "", Word::Assume),
    row("assert", "", Word::Assert),
    row("__VERIFIER_assert", "", Word::Assert),
    row("__CPROVER_assert", "", Word::Assert),
    row("__assert_fail", "", Word::AssertionFailed),
    row("__assert", "", Word::AssertionFailed),
    row("__assert_rtn", "", Word::AssertionFailed),
    row("_assert", "", Word::AssertionFailed),
    row("__assert_perror_fail", "", Word::End),
    row("__VERIFIER_atomic_begin", "", Word::Nothing),
    row("__VERIFIER_atomic_end", "", Word::Nothing),
    row("__stack_chk_fail", "", Word::End),
    // <ctype.h>
    row("isalnum", "ii", Word::Model),
    row("isalpha", "ii", Word::Model),
    row("isdigit", "ii", Word::Model),
    row("isprint", "ii", Word::Model),
    row("isspace", "ii", Word::Model),
    row("isupper", "ii", Word::Model),
    row("islower", "ii", Word::Model),
    row("tolower", "ii", Word::Model),
    row("toupper", "ii", Word::Model),
    // <errno.h>
    row("__errno_location", "p", Word::Harmless),
    // <fenv.h> and its relatives
    row("fesetround", "", ROUNDING),
    row("fesetenv", "", ROUNDING),
    row("feupdateenv", "", ROUNDING),
    row("feholdexcept", "", ROUNDING),
    row("feenableexcept", "", ROUNDING),
    row("fedisableexcept", "", ROUNDING),
    row("fesetmode", "", ROUNDING),
    row("fpsetround", "", ROUNDING),
    row("fpsetmask", "", ROUNDING),
    row("_control87", "", ROUNDING),
    row("_controlfp", "", ROUNDING),
    row("_controlfp_s", "", ROUNDING),
    row("__setfpucw", "", ROUNDING),
    // <math.h>; see also `float_word`
    row("ceil", "dd", Word::Float(FpOp::Ceil)),
    row("ceilf", "ff", Word::Float(FpOp::Ceil)),
    row("copysign", "ddd", Word::CopySign),
    row("copysignf", "fff", Word::CopySign),
    row("copysignl", "DDD", Word::CopySign),
    row("cos", "dd", Word::Model),
    row("exp", "dd", Word::Model),
    row("fabs", "dd", Word::Float(FpOp::Abs)),
    row("fabsf", "ff", Word::Float(FpOp::Abs)),
    row("fabsl", "DD", Word::Float(FpOp::Abs)),
    row("floor", "dd", Word::Float(FpOp::Floor)),
    row("floorf", "ff", Word::Float(FpOp::Floor)),
    row("fmax", "ddd", Word::Float(FpOp::Max)),
    row("fmin", "ddd", Word::Float(FpOp::Min)),
    row("fmod", "ddd", Word::Float(FpOp::Fmod)),
    row("log", "dd", Word::Model),
    row("pow", "ddd", Word::Model),
    row("round", "dd", Word::Float(FpOp::Round)),
    row("sin", "dd", Word::Model),
    row("sqrt", "dd", Word::Float(FpOp::Sqrt)),
    row("sqrtf", "ff", Word::Float(FpOp::Sqrt)),
    row("trunc", "dd", Word::Float(FpOp::Trunc)),
    // <pthread.h>, <threads.h>
    row("pthread_create", "", THREAD),
    row("thrd_create", "", THREAD),
    row("pthread_once", "", CALLBACK),
    row("call_once", "", CALLBACK),
    row("pthread_atfork", "", CALLBACK),
    row("pthread_key_create", "", CALLBACK),
    row("tss_create", "", CALLBACK),
    row("pthread_cleanup_push", "", CALLBACK),
    row("pthread_exit", "vp", Word::End),
    row("thrd_exit", "vi", Word::End),
    // <setjmp.h>, <ucontext.h>
    row("setjmp", "", JUMP),
    row("_setjmp", "", JUMP),
    row("__sigsetjmp", "", JUMP),
    row("sigsetjmp", "", JUMP),
    row("longjmp", "", JUMP),
    row("_longjmp", "", JUMP),
    row("siglongjmp", "", JUMP),
    row("makecontext", "", CONTEXT),
    row("swapcontext", "", CONTEXT),
    row("setcontext", "", CONTEXT),
    row("getcontext", "", CONTEXT),
    // <signal.h>
    row("signal", "", SIGNAL),
    row("sigaction", "", SIGNAL),
    row("bsd_signal", "", SIGNAL),
    row("sysv_signal", "", SIGNAL),
    row("sigset", "", SIGNAL),
    row("raise", "", SIGNAL),
    // <stdio.h>
    row("printf", "iS.", Word::Print(0)),
    row("vprintf", "iSa", Word::Print(0)),
    row("fprintf", "iFS.", Word::Print(1)),
    row("vfprintf", "iFSa", Word::Print(1)),
    row("dprintf", "iiS.", Word::Print(1)),
    row("vdprintf", "iiSa", Word::Print(1)),
    row("sprintf", "isS.", Word::PrintInto(1)),
    row("vsprintf", "isSa", Word::PrintInto(1)),
    row("snprintf", "iszS.", Word::PrintInto(2)),
    row("vsnprintf", "iszSa", Word::PrintInto(2)),
    row("__printf_chk", "iiS.", Word::Print(1)),
    row("__vprintf_chk", "iiSa", Word::Print(1)),
    row("__fprintf_chk", "iFiS.", Word::Print(2)),
    row("__vfprintf_chk", "iFiSa", Word::Print(2)),
    row("__sprintf_chk", "isizS.", Word::PrintInto(3)),
    row("__vsprintf_chk", "isizSa", Word::PrintInto(3)),
    row("__snprintf_chk", "iszizS.", Word::PrintInto(4)),
    row("__vsnprintf_chk", "iszizSa", Word::PrintInto(4)),
    row("scanf", "iS.", Word::Model),
    row("sscanf", "iSS.", Word::Model),
    row("puts", "iS", Word::Harmless),
    row("fputs", "iSF", Word::Harmless),
    row("putchar", "ii", Word::Harmless),
    row("putc", "iiF", Word::Harmless),
    row("fputc", "iiF", Word::Harmless),
    row("putchar_unlocked", "ii", Word::Harmless),
    row("putc_unlocked", "iiF", Word::Harmless),
    row("puts_unlocked", "iS", Word::Harmless),
    row("fputs_unlocked", "iSF", Word::Harmless),
    row("fputc_unlocked", "iiF", Word::Harmless),
    row("perror", "vS", Word::Harmless),
    row("fflush", "iF", Word::Harmless),
    row("fopen", "FSS", Word::Harmless),
    row("fdopen", "FiS", Word::Harmless),
    row("freopen", "FSSF", Word::Harmless),
    row("fclose", "iF", Word::Harmless),
    row("getchar", "i", Word::Harmless),
    row("getc", "iF", Word::Harmless),
    row("fgetc", "iF", Word::Harmless),
    row("ungetc", "iiF", Word::Harmless),
    row("_IO_getc", "iF", Word::Harmless),
    row("_IO_putc", "iiF", Word::Harmless),
    row("feof", "iF", Word::Harmless),
    row("ferror", "iF", Word::Harmless),
    row("clearerr", "vF", Word::Harmless),
    row("fseek", "iFli", Word::Harmless),
    row("ftell", "lF", Word::Harmless),
    row("rewind", "vF", Word::Harmless),
    row("fileno", "iF", Word::Harmless),
    row("remove", "iS", Word::Harmless),
    row("rename", "iSS", Word::Harmless),
    row("fwrite", "zPzzF", Word::Harmless),
    row("fread", "zpzzF", Word::WritesFirst),
    row("fgets", "ssiF", Word::WritesFirst),
    row("gets", "ss", Word::WritesFirst),
    row("setvbuf", "", Word::KeepsSecond),
    row("setbuf", "", Word::KeepsSecond),
    row("setbuffer", "", Word::KeepsSecond),
    row("fmemopen", "", KEEPS),
    row("open_memstream", "", KEEPS),
    // <stdlib.h>, <malloc.h>, <alloca.h>
    row("abort", "v", Word::End),
    row("exit", "vi", Word::End),
    row("_exit", "vi", Word::End),
    row("_Exit", "vi", Word::End),
    row("quick_exit", "vi", Word::End),
    row("abs", "ii", Word::Model),
    row("labs", "ll", Word::Model),
    row("llabs", "xx", Word::Model),
    row("atoi", "iS", Word::Model),
    row("atol", "lS", Word::Model),
    row("malloc", "pz", Word::Malloc),
    row("valloc", "pz", Word::Malloc),
    row("calloc", "pzz", Word::Calloc),
    row("realloc", "ppz", Word::Realloc),
    row("free", "vp", Word::Free),
    row("cfree", "vp", Word::Free),
    row("alloca", "pz", Word::Alloca),
    row("aligned_alloc", "pzz", Word::AlignedAlloc),
    row("memalign", "pzz", Word::AlignedAlloc),
    row("rand", "i", Word::Random),
    row("random", "l", Word::Random),
    row("lrand48", "l", Word::Random),
    row("srand", "vu", Word::Harmless),
    row("srandom", "vu", Word::Harmless),
    row("system", "iS", Word::Harmless),
    row("getenv", "sS", Word::Harmless),
    row("putenv", "", KEEPS),
    row("atexit", "", HANDLER),
    row("on_exit", "", HANDLER),
    row("at_quick_exit", "", HANDLER),
    row("qsort_r", "", CALLBACK),
    // <search.h>, <ftw.h>, <dirent.h>, <glob.h>, <link.h>
    row("lfind", "", CALLBACK),
    row("lsearch", "", CALLBACK),
    row("tsearch", "", CALLBACK),
    row("tfind", "", CALLBACK),
    row("tdelete", "", CALLBACK),
    row("twalk", "", CALLBACK),
    row("ftw", "", CALLBACK),
    row("nftw", "", CALLBACK),
    row("scandir", "", CALLBACK),
    row("glob", "", CALLBACK),
    row("dl_iterate_phdr", "", CALLBACK),
    row("ftw64", "", CALLBACK),
    row("nftw64", "", CALLBACK),
    row("scandir64", "", CALLBACK),
    row("scandirat", "", CALLBACK),
    row("scandirat64", "", CALLBACK),
    row("glob64", "", CALLBACK),
    row("twalk_r", "", CALLBACK),
    row("tdestroy", "", CALLBACK),
    row("fts_open", "", CALLBACK),
    row("fts64_open", "", CALLBACK),
    row("argp_parse", "", CALLBACK),
    row("argp_help", "", CALLBACK),
    row("fopencookie", "", CALLBACK),
    row("funopen", "", CALLBACK),
    row("register_printf_function", "", CALLBACK),
    row("register_printf_specifier", "", CALLBACK),
    row("register_printf_type", "", CALLBACK),
    row("mcheck", "", CALLBACK),
    row("mcheck_pedantic", "", CALLBACK),
    row("_obstack_begin", "", CALLBACK),
    row("_obstack_begin_1", "", CALLBACK),
    row("_obstack_newchunk", "", CALLBACK),
    row("obstack_free", "", CALLBACK),
    // <aio.h>, <mqueue.h>, <netdb.h>, <time.h>: work that goes on after the call.
    row("aio_read", "", LATER),
    row("aio_read64", "", LATER),
    row("lio_listio", "", LATER),
    row("lio_listio64", "", LATER),
    row("getaddrinfo_a", "", LATER),
    row("mq_notify", "", SIGNAL),
    row("timer_create", "", SIGNAL),
    // <sys/uio.h>, <sys/socket.h>, <iconv.h>, <sys/syscall.h>
    row("readv", "", DEEP),
    row("preadv", "", DEEP),
    row("preadv2", "", DEEP),
    row("preadv64", "", DEEP),
    row("preadv64v2", "", DEEP),
    row("process_vm_readv", "", DEEP),
    row("process_vm_writev", "", DEEP),
    row("recvmsg", "", DEEP),
    row("recvmmsg", "", DEEP),
    row("iconv", "", DEEP),
    row("mbsrtowcs", "", DEEP),
    row("getline", "", DEEP),
    row("getdelim", "", DEEP),
    row("__getdelim", "", DEEP),
    row("getwline", "", DEEP),
    row("getsubopt", "", DEEP),
    row("obstack_printf", "", DEEP),
    row("obstack_vprintf", "", DEEP),
    row("syscall", "", SYSCALL),
    row("ptrace", "", PROCESS),
    row("daemon", "", PROCESS),
    row("forkpty", "", PROCESS),
    row("_Fork", "", PROCESS),
    row("sigaltstack", "", SIGNAL),
    row("sigvec", "", SIGNAL),
    row("sigstack", "", SIGNAL),
    row("__sysv_signal", "", SIGNAL),
    row("ssignal", "", SIGNAL),
    row("gsignal", "", SIGNAL),
    // <string.h>, <strings.h>
    row("bcmp", "iPPz", Word::Model),
    row("bcopy", "vPpz", Word::Model),
    row("bzero", "vpz", Word::Model),
    row("ffs", "ii", Word::Model),
    row("ffsl", "il", Word::Model),
    row("ffsll", "ix", Word::Model),
    row("index", "sSi", Word::Model),
    row("memchr", "pPiz", Word::Model),
    row("memcmp", "iPPz", Word::Model),
    row("memcpy", "ppPz", Word::Model),
    row("memmove", "ppPz", Word::Model),
    row("mempcpy", "ppPz", Word::Model),
    row("memset", "ppiz", Word::Model),
    row("rindex", "sSi", Word::Model),
    row("stpcpy", "ssS", Word::Model),
    row("stpncpy", "ssSz", Word::Model),
    row("strcat", "ssS", Word::Model),
    row("strchr", "sSi", Word::Model),
    row("strcmp", "iSS", Word::Model),
    row("strcpy", "ssS", Word::Model),
    row("strcspn", "zSS", Word::Model),
    row("strdup", "sS", Word::Model),
    row("strlen", "zS", Word::Model),
    row("strncat", "ssSz", Word::Model),
    row("strncmp", "iSSz", Word::Model),
    row("strncpy", "ssSz", Word::Model),
    row("strndup", "sSz", Word::Model),
    row("strpbrk", "sSS", Word::Model),
    row("strrchr", "sSi", Word::Model),
    row("strspn", "zSS", Word::Model),
    row("strstr", "sSS", Word::Model),
    row("strerror", "si", Word::Harmless),
    // <syslog.h>, and the kernel's own
    row("syslog", "viS.", Word::Print(1)),
    row("openlog", "vSii", Word::Harmless),
    row("closelog", "v", Word::Harmless),
    row("printk", "iS.", Word::Print(0)),
    row("_printk", "iS.", Word::Print(0)),
    row("assert_perror", "vi", Word::Harmless),
    // <time.h>
    row("clock", "l", Word::Harmless),
    row("time", "lp", Word::WritesFirst),
    row("difftime", "dll", Word::Harmless),
    // <unistd.h>, <fcntl.h>, <sys/stat.h>
    row("sleep", "uu", Word::Harmless),
    row("usleep", "iu", Word::Harmless),
    row("write", "ZiPz", Word::Harmless),
    row("open", "iSi.", Word::Harmless),
    row("close", "ii", Word::Harmless),
    row("lseek", "lili", Word::Harmless),
    row("getpid", "i", Word::Harmless),
    row("mkdir", "iSu", Word::Harmless),
    row("rmdir", "iS", Word::Harmless),
    row("unlink", "iS", Word::Harmless),
    row("isatty", "ii", Word::Harmless),
    row("fork", "", PROCESS),
    row("vfork", "", PROCESS),
    row("clone", "", PROCESS),
];

/// Functions that compilers replace by instructions even if the program defines them (C reserves their names).
const REPLACED: &[&str] =
    &["abs", "labs", "llabs", "imaxabs", "ffs", "ffsl", "ffsll", "fabs", "fabsf", "fabsl", "copysign", "copysignf"];

/// Whether a call of the program's own function of this name and type may run the compiler's code instead.
pub(crate) fn is_replaced(types: &Types, name: &str, ty: TypeId) -> bool {
    let signature = match name {
        "imaxabs" => "xx",
        _ => known(name).map_or("", |known| known.signature),
    };
    REPLACED.contains(&name) && fits(types, ty, signature)
}

/// What is known of an undefined function of this name.
pub(crate) fn known(name: &str) -> Option<&'static Known> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Functions on floats whose names follow a pattern: `isnan`, `__isnanf`, `floorl`.
pub(crate) fn float_word(name: &str) -> Option<Word> {
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

/// Whether a declaration of this type can be meant for the library's function. Integers may differ in size: then
/// the values are converted as the program's prototype says. A missing prototype fits, and so does a result that
/// the program declares away.
pub(crate) fn fits(types: &Types, declared: TypeId, signature: &str) -> bool {
    let TypeKind::Function { result, params, prototype, .. } = &types.kinds[declared] else { return false };
    let Some(first) = signature.chars().next() else { return true };
    let void = |ty: TypeId| matches!(types.kinds[ty], TypeKind::Void);
    if !(void(*result) || first == 'v' || fits_letter(types, *result, first)) {
        return false;
    }
    if !prototype {
        return true;
    }
    let letters: Vec<char> = signature.chars().skip(1).collect();
    let variadic = letters.last() == Some(&'.');
    let fixed = &letters[..letters.len() - usize::from(variadic)];
    (params.len() == fixed.len() || variadic && params.len() >= fixed.len())
        && params.iter().zip(fixed).all(|(&param, &letter)| fits_letter(types, param, letter))
}

/// Whether this is what the name `FILE` stands for in the headers of some C library.
pub(crate) fn is_stream(record: &Record) -> bool {
    matches!(record.name.as_str(), "__uforia_file" | "_IO_FILE" | "__sFILE" | "_iobuf" | "FILE")
}

fn fits_letter(types: &Types, ty: TypeId, letter: char) -> bool {
    match (&types.kinds[ty], letter) {
        (TypeKind::Float(FloatKind::Float), 'f')
        | (TypeKind::Float(FloatKind::Double), 'd')
        | (TypeKind::Float(FloatKind::LongDouble), 'D')
        | (TypeKind::VaList | TypeKind::Pointer { .. }, 'a')
        | (TypeKind::Pointer { .. }, 'p' | 'P') => true,
        (TypeKind::Pointer { target, .. }, 's' | 'S') => {
            matches!(types.kinds[*target], TypeKind::Void) || types.size_of(*target) == Some(1)
        }
        // A stream is opaque, whatever the headers call it.
        (TypeKind::Pointer { target, .. }, 'F') => match types.kinds[*target] {
            TypeKind::Void => true,
            TypeKind::Record(record) => types.records[record].fields.is_none() || is_stream(&types.records[record]),
            _ => false,
        },
        (TypeKind::Int(_) | TypeKind::Bool, 'i' | 'u' | 'l' | 'L' | 'x' | 'z' | 'Z') => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_row() {
        let mut names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
        names.sort_unstable();
        let n_names = names.len();
        names.dedup();
        assert_eq!(names.len(), n_names);
    }
    #[test]
    fn signatures_are_made_of_known_letters() {
        for function in FUNCTIONS {
            let fine = |letter| "viulLxzZfdDpPsSFa.".contains(letter);
            assert!(function.signature.chars().all(fine), "{}", function.name);
        }
    }
    #[test]
    fn formats_are_texts_of_the_signature() {
        for function in FUNCTIONS {
            if let Word::Print(position) | Word::PrintInto(position) = function.word {
                assert_eq!(function.signature.chars().nth(position + 1), Some('S'), "{}", function.name);
            }
        }
    }
}
