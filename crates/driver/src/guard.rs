//! A guard for runs in a small address space: a process that waits for the working process, and answers if that one is killed.
//!
//! Where the size of the address space is limited (`ulimit -v`), an allocation or a stack that does not fit aborts the process,
//! and safe Rust cannot catch that. So under such a limit the work is done by a second process of the same program, and the first
//! turns its end by a signal into `UNKNOWN: out of memory`. Signals are passed on, and the second process ends when the first does.
//! Without such a limit there is no guard: the memory watch of `supervise` is enough.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process};

use crate::context::Context;
use crate::exit::Exit;
use crate::memory::address_space_limit;
use crate::scratch::Scratch;
use crate::supervise::{Work, internal_error};
use crate::watch::OUT_OF_MEMORY;

/// Set for the process that works.
const GUARDED: &str = "UFORIA_GUARDED";

/// Does the work in a second process if the address space is limited. `None`: the caller does it.
pub fn guarded(context: &Context, work: &Work, words: &[String]) -> Option<Exit> {
    if std::env::var_os(GUARDED).is_some() {
        follow_the_guard();
        return None;
    }
    address_space_limit()?;
    // What the second process leaves behind when it is ended goes with this folder.
    let scratch = Scratch::create(context).ok()?;
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args(words).env(GUARDED, "1").env("TMPDIR", scratch.path()).process_group(0);
    let child = command.spawn().ok()?;
    let exit = outcome(context, work, child);
    drop(scratch);
    Some(exit)
}

fn outcome(context: &Context, work: &Work, mut child: Child) -> Exit {
    pass_signals_on(child.id());
    match child.wait() {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => Exit::of(code),
            (None, _) => work.answer(context, &OUT_OF_MEMORY.reason()),
        },
        Err(error) => work.answer(context, &internal_error(&error.to_string())),
    }
}

/// The second process ends when the first is gone.
fn follow_the_guard() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
}

fn pass_signals_on(child: u32) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let Some(child) = i32::try_from(child).ok().and_then(Pid::from_raw) else { return };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let signal = if signal == SIGINT { Signal::INT } else { Signal::TERM };
            let _ = kill_process(child, signal);
        }
    });
}
