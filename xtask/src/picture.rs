//! `cargo xtask picture`: the tool at work on a terminal, as a picture for the documentation.
//!
//! `picture OUT.svg [--seconds S] [--binary FILE] WORDS…`: runs `uforia WORDS` on a terminal (by the program `script`) and draws the screen as it is after
//! this number of seconds (3), or at the end if that comes first. `--shown TEXT` is the command that the picture shows.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use testkit::golden::workspace;

use crate::flags::Flags;
use crate::plot::terminal::Screen;
use crate::tool;

/// Runs and draws.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let seconds = flags.number("--seconds", 3)?;
    let shown = flags.value("--shown")?;
    let binary = tool::binary(flags.value("--binary")?)?;
    let to = flags.word().ok_or("say where the picture goes: picture OUT.svg WORDS…")?;
    let words = flags.rest();
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let line = format!("'{}' {}", binary.display(), quoted.join(" "));
    let mut child = Command::new("script")
        .args(["-qefc", &line, "/dev/null"])
        .current_dir(workspace())
        .env("TERM", "xterm-256color")
        .env("COLUMNS", "88")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("script cannot be started: {error}"))?;
    let mut pipe = child.stdout.take().ok_or("script has no output")?;
    let (sender, pieces) = channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(n @ 1..) = pipe.read(&mut bytes) {
            if sender.send(bytes[..n].to_vec()).is_err() {
                return;
            }
        }
    });
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let mut written = Vec::new();
    while let Ok(piece) = pieces.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        written.extend(piece);
    }
    let _ = child.kill();
    let _ = child.wait();
    let mut screen = Screen::default();
    screen.write(&String::from_utf8_lossy(&written));
    print!("{}", screen.text());
    let shown = shown.unwrap_or_else(|| format!("uforia {}", words.join(" ")));
    std::fs::write(&to, screen.picture(&shown)).map_err(|error| format!("{to}: {error}"))
}
