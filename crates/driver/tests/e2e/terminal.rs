//! The display on a real terminal: a pseudo-terminal of a given width, and an emulator of the few sequences that are used.

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::{Folder, command};

/// A prime as the product of two numbers: not decided in the time of the test.
const HARD: &str = "extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned n = 0;
    while (__VERIFIER_nondet_uint()) n++;
    if (n > 40 && a > 1 && b > 1 && a * b == 9223372036854775783u) reach_error();
    return 0;
}
";

/// Standard error of a run on a terminal with this many columns, as it was sent.
fn on_terminal(columns: u16, file: &str) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are pseudo-terminals");
    grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("it is ours");
    tcsetwinsize(&terminal, Winsize { ws_row: 30, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })
        .expect("it has a size");
    let other_end = ioctl_tiocgptpeer(&terminal, OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("it has two ends");
    let mut run = command(&["check", "--timeout", "3s", file]);
    run.env("TERM", "xterm").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::from(other_end));
    let mut child = run.spawn().expect("the binary starts");
    // The child alone holds the other end now.
    drop(run);
    let mut bytes = Vec::new();
    // When the other end closes, Linux answers with an error instead of an end of file.
    let _ = File::from(terminal).read_to_end(&mut bytes);
    child.wait().expect("it ends");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The lines on the screen after the text, and how many lines of it were ever used. A character behind the last column goes to the next line.
fn screen(text: &str, columns: usize) -> (Vec<String>, usize) {
    let (mut lines, mut row, mut column, mut n_used) = (vec![Vec::new()], 0usize, 0usize, 0);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' => column = 0,
            '\n' => (row, column) = (row + 1, 0),
            '\x1b' => {
                assert_eq!(rest.next(), Some('['), "only control sequences are used");
                let mut number = String::new();
                let end = loop {
                    match rest.next() {
                        Some(digit) if digit.is_ascii_digit() || digit == ';' => number.push(digit),
                        end => break end,
                    }
                };
                let count = number.parse().unwrap_or(1);
                match end {
                    Some('A') => row = row.checked_sub(count).expect("it does not leave the screen"),
                    Some('B') => row += count,
                    Some('K') if number == "2" => lines[row].clear(),
                    Some('K') => lines[row].truncate(column),
                    Some('J') => {
                        lines[row].truncate(column);
                        lines.truncate(row + 1);
                    }
                    Some('m') => {}
                    other => panic!("an unknown sequence ends with {other:?}"),
                }
            }
            c => {
                if column == columns {
                    (row, column) = (row + 1, 0);
                    lines.resize(lines.len().max(row + 1), Vec::new());
                }
                if lines[row].len() <= column {
                    lines[row].resize(column + 1, ' ');
                }
                lines[row][column] = c;
                column += 1;
            }
        }
        while lines.len() <= row {
            lines.push(Vec::new());
        }
        n_used = n_used.max(lines.len());
    }
    (lines.iter().map(|line| line.iter().collect()).collect(), n_used)
}

#[test]
fn the_display_fits_the_terminal_and_leaves_nothing() {
    let folder = Folder::new("terminal");
    let file = folder.file("hard.c", HARD);
    for columns in [40, 80, 200] {
        let sent = on_terminal(columns, &file);
        let message = sent.rfind("uforia:").expect("a hint comes at the end");
        let (_, n_used) = screen(&sent[..message], columns.into());
        // A line for the portfolio and one for each engine; a line that wraps would need more.
        assert!((3..=8).contains(&n_used), "{columns} columns, {n_used} lines: {sent:?}");
        let (left, _) = screen(&sent, columns.into());
        let left: String = left.iter().map(|line| line.trim()).collect();
        assert!(left.starts_with("uforia:") && !left.contains("portfolio"), "{columns} columns: {left:?}");
    }
}
