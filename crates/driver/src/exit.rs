//! Exit codes: the part of the answer that scripts read.
//!
//! 0, 1 and 2 answer the question; the others are those of `sysexits.h`.

use verdict::Code;

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// `check`: the program is safe. Other commands: done.
    Done = 0,
    /// `check`: the program is unsafe. `run`: the run reached the error.
    ErrorReached = 1,
    /// Not known, and the last line says why: an unsupported construct, a limit, an interruption.
    Unknown = 2,
    /// The command line is wrong, or asks for something that is not built yet.
    Usage = 64,
    /// The input is not a valid program.
    BadInput = 65,
    /// A file cannot be read, or a tool that we need is missing.
    CannotRead = 66,
    /// Our own bug.
    Bug = 70,
    /// The output cannot be written.
    CannotWrite = 74,
}

impl Exit {
    /// The way to end that has this number; any other is our own bug.
    pub fn of(code: i32) -> Exit {
        let all = [
            Exit::Done,
            Exit::ErrorReached,
            Exit::Unknown,
            Exit::Usage,
            Exit::BadInput,
            Exit::CannotRead,
            Exit::CannotWrite,
        ];
        all.into_iter().find(|exit| i32::from(exit.code()) == code).unwrap_or(Exit::Bug)
    }
    /// The same, but `UNKNOWN` is no failure where the user accepts it.
    pub fn unless_accepted(self, fails_on_unknown: bool) -> Exit {
        if self == Exit::Unknown && !fails_on_unknown { Exit::Done } else { self }
    }
    /// The exit code of a check without an answer.
    pub fn without_answer(code: Code) -> Exit {
        match code {
            Code::InvalidProgram => Exit::BadInput,
            Code::CannotRead => Exit::CannotRead,
            Code::CannotWrite => Exit::CannotWrite,
            Code::Usage => Exit::Usage,
            code if code.is_bug() => Exit::Bug,
            _ => Exit::Unknown,
        }
    }
    /// The number that the operating system gets.
    pub fn code(self) -> u8 {
        self as u8
    }
}
