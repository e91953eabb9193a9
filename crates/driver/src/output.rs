//! Standard output and standard error, without surprises.
//!
//! Standard output belongs to the answer. A write that fails (a full disk, a reader that went
//! away) is remembered and becomes the exit code; it never panics. Once the last line is said,
//! later writes by a thread that has not noticed yet are dropped.
//!
//! Both are for people, and much of what is printed comes from the input. So [`Output::print`] and [`message`] pass every text through
//! `base::shown`; only what we style ourselves goes by [`Output::print_styled`] and [`styled_message`].

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base::shown;

/// Standard output, shared by the worker and the main thread, which may close it.
#[derive(Clone)]
pub struct Output(Arc<Mutex<State>>);

struct State {
    to: Box<dyn Write + Send>,
    is_standard: bool,
    closed: bool,
    failed: Option<io::Error>,
}

impl Output {
    /// The process's standard output.
    pub fn standard() -> Self {
        let output = Output::to(Box::new(io::stdout()));
        if let Ok(mut state) = output.0.lock() {
            state.is_standard = true;
        }
        output
    }
    /// An output that goes elsewhere.
    pub fn to(to: Box<dyn Write + Send>) -> Self {
        Output(Arc::new(Mutex::new(State { to, is_standard: false, closed: false, failed: None })))
    }
    /// Whether people read it as it comes: the process's own, on a terminal.
    pub fn is_terminal(&self) -> bool {
        use io::IsTerminal;
        self.0.lock().is_ok_and(|state| state.is_standard) && io::stdout().is_terminal()
    }
    /// Writes what people may see of the text, unless the last line is said already.
    pub fn print(&self, text: &str) {
        self.print_styled(&shown(text));
    }
    /// Writes a text whose escape sequences are our own.
    pub fn print_styled(&self, text: &str) {
        if let Ok(mut state) = self.0.lock() {
            state.write(text);
        }
    }
    /// Writes a text that a program reads: as it is, unless it goes to a terminal.
    pub fn print_exact(&self, text: &str) {
        if self.is_terminal() { self.print(text) } else { self.print_styled(text) }
    }
    /// Writes a last line, closes and flushes. The error is the first that any write met. If
    /// another thread hangs in a write, nothing is written and that is an error too.
    pub fn finish(&self, last: &str) -> Result<(), io::Error> {
        let mut state = self.lock_soon().ok_or_else(|| io::Error::other("another thread blocks in a write"))?;
        state.write(&shown(last));
        state.closed = true;
        match state.failed.take() {
            Some(error) => Err(error),
            None => state.to.flush(),
        }
    }

    fn lock_soon(&self) -> Option<MutexGuard<'_, State>> {
        let start = Instant::now();
        loop {
            if let Ok(state) = self.0.try_lock() {
                return Some(state);
            }
            if start.elapsed() > Duration::from_millis(500) {
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl State {
    fn write(&mut self, text: &str) {
        if self.closed || self.failed.is_some() || text.is_empty() {
            return;
        }
        if let Err(error) = self.to.write_all(text.as_bytes()).and_then(|()| self.to.flush()) {
            self.failed = Some(error);
        }
    }
}

/// Writes what people may see of the text to standard error. A failure there cannot be reported anywhere.
pub fn message(text: &str) {
    styled_message(&shown(text));
}

/// Writes a text whose escape sequences are our own to standard error.
pub fn styled_message(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[derive(Clone)]
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no test panics while writing").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_failed_write_is_remembered_until_the_end() {
        let output = Output::to(Box::new(Full));
        output.print("text\n");
        assert_eq!(output.finish("").map_err(|error| error.kind()), Err(io::ErrorKind::StorageFull));
    }

    #[test]
    fn text_of_the_input_cannot_control_the_terminal() {
        let seen = Shared(Arc::default());
        let output = Output::to(Box::new(seen.clone()));
        output.print("a\x1b[2J\u{202e}b\n");
        output.print_styled("\x1b[1mc\x1b[0m\n");
        output.finish("UNSAFE: \x1b]0;\n").expect("memory is never full");
        let text = String::from_utf8(seen.0.lock().expect("no test panics while writing").clone()).expect("it is text");
        assert_eq!(text, "a\u{fffd}[2J\u{fffd}b\n\x1b[1mc\x1b[0m\nUNSAFE: \u{fffd}]0;\n");
    }

    #[test]
    fn nothing_follows_the_last_line() {
        let seen = Shared(Arc::default());
        let output = Output::to(Box::new(seen.clone()));
        output.print("first\n");
        output.finish("last\n").expect("memory is never full");
        output.print("too late\n");
        assert_eq!(seen.0.lock().expect("no test panics while writing").as_slice(), b"first\nlast\n");
    }
}
