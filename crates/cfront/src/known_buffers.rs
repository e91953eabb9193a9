//! Which memory library functions read and write through their arguments, and how many bytes of it.
//!
//! The standard asks that an array argument is as large as the function is said to use it (C11 7.1.4p1), whatever
//! the input of the program is; so a buffer that is smaller than the count beside it is an error at the call.
//! Where a function uses at most so much (`strftime`), a smaller buffer is an error that the function decides.
//!
//! Functions written in C in the folder `library` access memory themselves; they have rows only for what they may
//! leave out, such as the rest of an array behind the first difference (`memcmp`).

use program::AccessKind;

/// How many bytes of memory a function uses behind an argument. A count is one of elements: bytes, or wide characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// As many as this argument says.
    Count(usize),
    /// At most as many as this argument says.
    AtMost(usize),
    /// The product of these arguments.
    Product(usize, usize),
    /// This many.
    Bytes(u64),
    /// At most this many bytes.
    AtMostBytes(u64),
    /// At most one wide character more than the text at this argument has bytes, and at most as many as this argument says.
    WideCopy { text: usize, count: usize },
    /// As many as the text at this argument has, with its zero.
    CopyOf(usize),
    /// One object of the type that the parameter points to.
    Target,
    /// A text with its final zero.
    Text,
    /// As many as the input of the program has.
    Unlimited,
}

/// Memory that a function uses.
pub(crate) struct Buffer {
    pub function: &'static str,
    /// How many arguments the function has; a function with others is another one of the same name.
    pub n_args: usize,
    /// The position of the pointer.
    pub position: usize,
    pub extent: Extent,
    pub access: AccessKind,
    /// Whether the pointer may be null; then nothing is used.
    pub optional: bool,
}

const fn written(function: &'static str, n_args: usize, position: usize, extent: Extent) -> Buffer {
    Buffer { function, n_args, position, extent, access: AccessKind::Write, optional: false }
}
const fn written_if_given(function: &'static str, n_args: usize, position: usize, extent: Extent) -> Buffer {
    Buffer { function, n_args, position, extent, access: AccessKind::Write, optional: true }
}
const fn read(function: &'static str, n_args: usize, position: usize, extent: Extent) -> Buffer {
    Buffer { function, n_args, position, extent, access: AccessKind::Read, optional: false }
}
const fn read_if_given(function: &'static str, n_args: usize, position: usize, extent: Extent) -> Buffer {
    Buffer { function, n_args, position, extent, access: AccessKind::Read, optional: true }
}

/// The buffers of library functions. What the printf and scanf families use depends on their formats (`lower/printed`,
/// `lower/scanned`).
const BUFFERS: &[Buffer] = &[
    // <stdio.h>
    written("fgets", 3, 0, Extent::Count(1)),
    written("fgets_unlocked", 3, 0, Extent::Count(1)),
    written("gets", 1, 0, Extent::Unlimited),
    written("fread", 4, 0, Extent::Product(1, 2)),
    written("fread_unlocked", 4, 0, Extent::Product(1, 2)),
    read("fwrite", 4, 0, Extent::Product(1, 2)),
    read("fwrite_unlocked", 4, 0, Extent::Product(1, 2)),
    read("puts", 1, 0, Extent::Text),
    read("puts_unlocked", 1, 0, Extent::Text),
    read("fputs", 2, 0, Extent::Text),
    read("fputs_unlocked", 2, 0, Extent::Text),
    read_if_given("perror", 1, 0, Extent::Text),
    read("fopen", 2, 0, Extent::Text),
    read("fopen", 2, 1, Extent::Text),
    read("fdopen", 2, 1, Extent::Text),
    read_if_given("freopen", 3, 0, Extent::Text),
    read("freopen", 3, 1, Extent::Text),
    read("popen", 2, 0, Extent::Text),
    read("popen", 2, 1, Extent::Text),
    read("remove", 1, 0, Extent::Text),
    read("rename", 2, 0, Extent::Text),
    read("rename", 2, 1, Extent::Text),
    written_if_given("tmpnam", 1, 0, Extent::AtMostBytes(20)),
    written("fgetpos", 2, 1, Extent::Target),
    read("fsetpos", 2, 1, Extent::Target),
    // <stdlib.h>
    read("getenv", 1, 0, Extent::Text),
    read("secure_getenv", 1, 0, Extent::Text),
    read("setenv", 3, 0, Extent::Text),
    read("setenv", 3, 1, Extent::Text),
    read("unsetenv", 1, 0, Extent::Text),
    read_if_given("system", 1, 0, Extent::Text),
    read("atof", 1, 0, Extent::Text),
    read("strtod", 2, 0, Extent::Text),
    written_if_given("strtod", 2, 1, Extent::Target),
    read("strtof", 2, 0, Extent::Text),
    written_if_given("strtof", 2, 1, Extent::Target),
    read("strtold", 2, 0, Extent::Text),
    written_if_given("strtold", 2, 1, Extent::Target),
    read("realpath", 2, 0, Extent::Text),
    written_if_given("realpath", 2, 1, Extent::AtMostBytes(4096)),
    read("mkstemp", 1, 0, Extent::Text),
    read("mkdtemp", 1, 0, Extent::Text),
    read("mbstowcs", 3, 1, Extent::Text),
    written_if_given("mbstowcs", 3, 0, Extent::WideCopy { text: 1, count: 2 }),
    read("wcstombs", 3, 1, Extent::Text),
    written_if_given("wcstombs", 3, 0, Extent::AtMost(2)),
    written_if_given("mbtowc", 3, 0, Extent::Target),
    written_if_given("wctomb", 2, 0, Extent::AtMostBytes(16)),
    written("qsort", 4, 0, Extent::Product(1, 2)),
    read("bsearch", 5, 1, Extent::Product(2, 3)),
    written_if_given("random_r", 2, 1, Extent::Target),
    written("rand_r", 1, 0, Extent::Target),
    // <string.h>
    read("memcmp", 3, 0, Extent::Count(2)),
    read("memcmp", 3, 1, Extent::Count(2)),
    read("bcmp", 3, 0, Extent::Count(2)),
    read("bcmp", 3, 1, Extent::Count(2)),
    read("memrchr", 3, 0, Extent::Count(2)),
    read("memmem", 4, 0, Extent::Count(1)),
    read("memmem", 4, 2, Extent::Count(3)),
    written("explicit_bzero", 2, 0, Extent::Count(1)),
    read("strcasestr", 2, 0, Extent::Text),
    read("strcasestr", 2, 1, Extent::Text),
    read("strverscmp", 2, 0, Extent::Text),
    read("strverscmp", 2, 1, Extent::Text),
    written("strerror_r", 3, 1, Extent::AtMost(2)),
    read("strxfrm", 3, 1, Extent::Text),
    written("strxfrm", 3, 0, Extent::AtMost(2)),
    read("strlcpy", 3, 1, Extent::Text),
    written("strlcpy", 3, 0, Extent::AtMost(2)),
    read("strlcat", 3, 1, Extent::Text),
    written("strlcat", 3, 0, Extent::AtMost(2)),
    // <wchar.h>
    read("wcslen", 1, 0, Extent::Text),
    read("wcscpy", 2, 1, Extent::Text),
    written("wcscpy", 2, 0, Extent::CopyOf(1)),
    written("wcsncpy", 3, 0, Extent::Count(2)),
    read("wcscat", 2, 0, Extent::Text),
    read("wcscat", 2, 1, Extent::Text),
    written("wcscat", 2, 0, Extent::Unlimited),
    read("wcsncat", 3, 0, Extent::Text),
    written("wcsncat", 3, 0, Extent::Unlimited),
    read("wcscmp", 2, 0, Extent::Text),
    read("wcscmp", 2, 1, Extent::Text),
    read("wcschr", 2, 0, Extent::Text),
    read("wcsrchr", 2, 0, Extent::Text),
    read("wcsstr", 2, 0, Extent::Text),
    read("wcsstr", 2, 1, Extent::Text),
    written("wmemcpy", 3, 0, Extent::Count(2)),
    read("wmemcpy", 3, 1, Extent::Count(2)),
    written("wmemmove", 3, 0, Extent::Count(2)),
    read("wmemmove", 3, 1, Extent::Count(2)),
    written("wmemset", 3, 0, Extent::Count(2)),
    read("wmemcmp", 3, 0, Extent::Count(2)),
    read("wmemcmp", 3, 1, Extent::Count(2)),
    read("wcsdup", 1, 0, Extent::Text),
    read("wcstol", 3, 0, Extent::Text),
    read("wcstoul", 3, 0, Extent::Text),
    read("wcstod", 2, 0, Extent::Text),
    written("swprintf", 3, 0, Extent::AtMost(1)),
    written("vswprintf", 4, 0, Extent::AtMost(1)),
    read("fputws", 2, 0, Extent::Text),
    written("fgetws", 3, 0, Extent::Count(1)),
    // <locale.h>
    read_if_given("setlocale", 2, 1, Extent::Text),
    // <time.h>, <sys/time.h>
    written("strftime", 4, 0, Extent::AtMost(1)),
    read("strftime", 4, 2, Extent::Text),
    read("strftime", 4, 3, Extent::Target),
    written_if_given("time", 1, 0, Extent::Target),
    written("mktime", 1, 0, Extent::Target),
    written("timegm", 1, 0, Extent::Target),
    read("asctime", 1, 0, Extent::Target),
    read("ctime", 1, 0, Extent::Target),
    read("localtime", 1, 0, Extent::Target),
    read("gmtime", 1, 0, Extent::Target),
    read("localtime_r", 2, 0, Extent::Target),
    written("localtime_r", 2, 1, Extent::Target),
    read("gmtime_r", 2, 0, Extent::Target),
    written("gmtime_r", 2, 1, Extent::Target),
    read("ctime_r", 2, 0, Extent::Target),
    written("ctime_r", 2, 1, Extent::Bytes(26)),
    read("asctime_r", 2, 0, Extent::Target),
    written("asctime_r", 2, 1, Extent::Bytes(26)),
    read("strptime", 3, 0, Extent::Text),
    read("strptime", 3, 1, Extent::Text),
    written("strptime", 3, 2, Extent::Target),
    written("clock_gettime", 2, 1, Extent::Target),
    written("timespec_get", 2, 0, Extent::Target),
    read("nanosleep", 2, 0, Extent::Target),
    written_if_given("nanosleep", 2, 1, Extent::Target),
    written("gettimeofday", 2, 0, Extent::Target),
    // <math.h>
    written("frexp", 2, 1, Extent::Target),
    written("frexpf", 2, 1, Extent::Target),
    written("frexpl", 2, 1, Extent::Target),
    written("modf", 2, 1, Extent::Target),
    written("modff", 2, 1, Extent::Target),
    written("modfl", 2, 1, Extent::Target),
    written("remquo", 3, 2, Extent::Target),
    written("remquof", 3, 2, Extent::Target),
    written("remquol", 3, 2, Extent::Target),
    written("sincos", 3, 1, Extent::Target),
    written("sincos", 3, 2, Extent::Target),
    written("lgamma_r", 2, 1, Extent::Target),
    // <unistd.h>, <fcntl.h>, <sys/stat.h>, <sys/wait.h>, <dirent.h>
    written("read", 3, 1, Extent::Count(2)),
    written("pread", 4, 1, Extent::Count(2)),
    read("write", 3, 1, Extent::Count(2)),
    read("pwrite", 4, 1, Extent::Count(2)),
    written_if_given("getcwd", 2, 0, Extent::Count(1)),
    written("gethostname", 2, 0, Extent::Count(1)),
    written("getlogin_r", 2, 0, Extent::Count(1)),
    written("ttyname_r", 3, 1, Extent::Count(2)),
    read("readlink", 3, 0, Extent::Text),
    written("readlink", 3, 1, Extent::Count(2)),
    written("pipe", 1, 0, Extent::Bytes(8)),
    read("open", 2, 0, Extent::Text),
    read("open", 3, 0, Extent::Text),
    read("creat", 2, 0, Extent::Text),
    read("access", 2, 0, Extent::Text),
    read("chdir", 1, 0, Extent::Text),
    read("mkdir", 2, 0, Extent::Text),
    read("rmdir", 1, 0, Extent::Text),
    read("unlink", 1, 0, Extent::Text),
    read("link", 2, 0, Extent::Text),
    read("link", 2, 1, Extent::Text),
    read("symlink", 2, 0, Extent::Text),
    read("symlink", 2, 1, Extent::Text),
    read("chmod", 2, 0, Extent::Text),
    read("chown", 3, 0, Extent::Text),
    read("truncate", 2, 0, Extent::Text),
    read("opendir", 1, 0, Extent::Text),
    read("stat", 2, 0, Extent::Text),
    written("stat", 2, 1, Extent::Target),
    read("lstat", 2, 0, Extent::Text),
    written("lstat", 2, 1, Extent::Target),
    written("fstat", 2, 1, Extent::Target),
    written_if_given("wait", 1, 0, Extent::Target),
    written_if_given("waitpid", 3, 1, Extent::Target),
    written("uname", 1, 0, Extent::Target),
    written("getrusage", 2, 1, Extent::Target),
    written("getrlimit", 2, 1, Extent::Target),
    read("setrlimit", 2, 1, Extent::Target),
    written("tcgetattr", 2, 1, Extent::Target),
    read("tcsetattr", 3, 2, Extent::Target),
    read("dlsym", 2, 1, Extent::Text),
    read_if_given("dlopen", 2, 0, Extent::Text),
    // <signal.h>
    written("sigemptyset", 1, 0, Extent::Target),
    written("sigfillset", 1, 0, Extent::Target),
    written("sigaddset", 2, 0, Extent::Target),
    written("sigdelset", 2, 0, Extent::Target),
    read("sigismember", 2, 0, Extent::Target),
    // <sys/socket.h>, <arpa/inet.h>, <sys/random.h>
    written("recv", 4, 1, Extent::Count(2)),
    written("recvfrom", 6, 1, Extent::Count(2)),
    read("send", 4, 1, Extent::Count(2)),
    read("sendto", 6, 1, Extent::Count(2)),
    read("bind", 3, 1, Extent::Count(2)),
    read("connect", 3, 1, Extent::Count(2)),
    read("setsockopt", 5, 3, Extent::Count(4)),
    read("inet_addr", 1, 0, Extent::Text),
    read("inet_aton", 2, 0, Extent::Text),
    written("inet_aton", 2, 1, Extent::Target),
    read("inet_pton", 3, 1, Extent::Text),
    written("getrandom", 3, 0, Extent::Count(1)),
    written("getentropy", 2, 0, Extent::Count(1)),
    // <syslog.h>
    read("openlog", 3, 0, Extent::Text),
    // Verifiers.
    written("__VERIFIER_nondet_memory", 2, 0, Extent::Count(1)),
];

/// The buffers of this function, when it is called with this number of arguments.
pub(crate) fn buffers(name: &str, n_args: usize) -> impl Iterator<Item = &'static Buffer> {
    let is_variadic = name == "swprintf";
    BUFFERS.iter().filter(move |buffer| {
        buffer.function == name && (buffer.n_args == n_args || is_variadic && buffer.n_args < n_args)
    })
}

/// Whether the counts of this function are numbers of wide characters, or its texts consist of them.
pub(crate) fn is_wide(name: &str) -> bool {
    name.starts_with("wcs")
        || name.starts_with("wmem")
        || matches!(name, "swprintf" | "vswprintf" | "fputws" | "fgetws" | "mbstowcs")
}

/// Whether the function returns a text that ends, and never null.
pub(crate) fn returns_text(name: &str) -> bool {
    matches!(name, "strerror" | "strsignal" | "gai_strerror" | "hstrerror")
}
