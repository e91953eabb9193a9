//! Processes of other programs, which end when we do.
//!
//! A child runs under a small shell that leads a process group. The shell's standard input is a pipe whose other end only we hold: when that
//! end is closed, because we let the child go or because we were killed, a watcher in the group ends all of it. So neither a crash nor
//! `kill -9` leaves a compiler or a solver behind, and no `unsafe` code is needed.

use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};

/// Set for a process that shall end when its standard input ends: the input is a pipe from the process that started it.
pub const ENDS_WITH_INPUT: &str = "UFORIA_ENDS_WITH_INPUT";

/// Limits on what a child may use; the shell sets them.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Processor time in seconds.
    pub seconds: u32,
    /// Address space in kilobytes.
    pub kilobytes: u32,
}

/// Ends the group when standard input ends; otherwise runs the command and passes its exit code on.
const LEASH: &str = "exec 3<&0 </dev/null
{ read -r _ <&3; kill -s KILL 0; } >/dev/null 2>&1 &
watcher=$!
\"$@\" 3<&-
code=$?
kill -s KILL $watcher 2>/dev/null
wait $watcher 2>/dev/null
exit $code";

/// A command that ends with us. Standard input of the command is empty; standard output and error are the caller's to set.
pub fn leashed(words: &[String], limits: Option<Limits>) -> Command {
    let limits = limits.map_or_else(String::new, |Limits { seconds, kilobytes }| {
        format!("ulimit -t {seconds} 2>/dev/null; ulimit -v {kilobytes} 2>/dev/null\n")
    });
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limits}{LEASH}"), "uforia-child"]).args(words);
    command.stdin(Stdio::piped()).process_group(0);
    command
}

/// A started child; it and all that it started end when this value goes.
pub struct Leashed {
    /// The shell that leads the group.
    pub child: Child,
    leash: Option<ChildStdin>,
}

impl Leashed {
    /// Starts what [`leashed`] made.
    pub fn start(mut command: Command) -> std::io::Result<Leashed> {
        let mut child = command.spawn()?;
        let leash = child.stdin.take();
        Ok(Leashed { child, leash })
    }
    /// Ends the child and everything that it started, if it is still there.
    pub fn end(&mut self) {
        self.leash = None;
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            // The watcher does the same; this is for a group that has stopped it.
            let group = format!("kill -s KILL -- -{}", self.child.id());
            let _ = Command::new("sh").args(["-c", &group]).stderr(Stdio::null()).status();
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Drop for Leashed {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::time::{Duration, Instant};

    fn start(script: &str) -> Leashed {
        let words = ["sh", "-c", script].map(str::to_owned);
        let mut command = leashed(&words, Some(Limits { seconds: 10, kilobytes: 1 << 20 }));
        command.stdout(Stdio::piped());
        Leashed::start(command).expect("a shell starts")
    }

    #[test]
    fn the_exit_code_and_the_output_arrive() {
        let mut one = start("echo hello; exit 3");
        let mut text = String::new();
        one.child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("a pipe can be read");
        assert_eq!(one.child.wait().expect("it can be waited for").code(), Some(3));
        assert_eq!(text, "hello\n");
    }

    #[test]
    fn children_of_a_child_end_with_it() {
        let mut one = start("sleep 100 & echo $!; wait");
        let mut digits = [0; 16];
        let n = one.child.stdout.take().expect("a pipe").read(&mut digits).expect("a pipe can be read");
        let id = String::from_utf8_lossy(&digits[..n]).trim().to_owned();
        // As when this process is killed: only the pipe is closed.
        one.leash = None;
        let gone = || std::fs::read_to_string(format!("/proc/{id}/stat")).map_or(true, |stat| stat.contains(") Z "));
        let start = Instant::now();
        while !gone() && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(gone(), "process {id} is still there");
    }
}
