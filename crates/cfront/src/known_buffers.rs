//! Which memory library functions read and write through their arguments, and how many bytes of it.
//!
//! The standard asks that an array argument is as large as the function is said to use it (C11 7.1.4p1), whatever
//! the input of the program is; so a buffer that is smaller than the count beside it is an error at the call.

use program::AccessKind;

/// How many bytes of memory a function uses behind an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// As many as this argument says.
    Count(usize),
    /// The product of these arguments.
    Product(usize, usize),
    /// This many.
    Bytes(u64),
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
    /// How many arguments the function has at least; a function with fewer is another one of the same name.
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

/// The buffers of library functions that have no model.
const BUFFERS: &[Buffer] = &[
    // <stdio.h>
    written("fgets", 3, 0, Extent::Count(1)),
    written("gets", 1, 0, Extent::Unlimited),
    written("fread", 4, 0, Extent::Product(1, 2)),
    read("fwrite", 4, 0, Extent::Product(1, 2)),
    read("puts", 1, 0, Extent::Text),
    read("fputs", 2, 0, Extent::Text),
    read("fopen", 2, 0, Extent::Text),
    read("remove", 1, 0, Extent::Text),
    read("rename", 2, 0, Extent::Text),
    read("rename", 2, 1, Extent::Text),
    // <stdlib.h>
    read("getenv", 1, 0, Extent::Text),
    // <string.h>
    written("strerror_r", 3, 1, Extent::Count(2)),
    // <time.h>, <sys/time.h>
    written("strftime", 4, 0, Extent::Count(1)),
    written_if_given("time", 1, 0, Extent::Target),
    written("localtime_r", 2, 1, Extent::Target),
    written("gmtime_r", 2, 1, Extent::Target),
    written("ctime_r", 2, 1, Extent::Bytes(26)),
    written("asctime_r", 2, 1, Extent::Bytes(26)),
    written("clock_gettime", 2, 1, Extent::Target),
    written("gettimeofday", 2, 0, Extent::Target),
    // <math.h>
    written("frexp", 2, 1, Extent::Target),
    written("modf", 2, 1, Extent::Target),
    // <unistd.h>, <sys/stat.h>, <sys/wait.h>
    written("read", 3, 1, Extent::Count(2)),
    written("pread", 4, 1, Extent::Count(2)),
    read("write", 3, 1, Extent::Count(2)),
    read("pwrite", 4, 1, Extent::Count(2)),
    written_if_given("getcwd", 2, 0, Extent::Count(1)),
    written("gethostname", 2, 0, Extent::Count(1)),
    written("readlink", 3, 1, Extent::Count(2)),
    written("pipe", 1, 0, Extent::Bytes(8)),
    written("stat", 2, 1, Extent::Target),
    written("lstat", 2, 1, Extent::Target),
    written("fstat", 2, 1, Extent::Target),
    written_if_given("wait", 1, 0, Extent::Target),
    written_if_given("waitpid", 3, 1, Extent::Target),
    // <sys/socket.h>, <sys/random.h>
    written("recv", 4, 1, Extent::Count(2)),
    written("recvfrom", 6, 1, Extent::Count(2)),
    read("send", 4, 1, Extent::Count(2)),
    read("sendto", 6, 1, Extent::Count(2)),
    written("getrandom", 3, 0, Extent::Count(1)),
    written("getentropy", 2, 0, Extent::Count(1)),
    // Verifiers.
    written("__VERIFIER_nondet_memory", 2, 0, Extent::Count(1)),
];

/// The buffers of this function, when it is called with this number of arguments.
pub(crate) fn buffers(name: &str, n_args: usize) -> impl Iterator<Item = &'static Buffer> {
    BUFFERS.iter().filter(move |buffer| buffer.function == name && buffer.n_args == n_args)
}
