//! Signals and limits: the answer comes promptly and says why.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{Folder, command, listen, uforia};

const ENDLESS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    int main(void) { unsigned x = __VERIFIER_nondet_int(); while (1) { x = x * 3u + 1u; } }\n";

/// Starts an endless run, sends a signal after a moment, and expects the answer soon after.
fn interrupted_by(signal: &str, args: &[&str]) {
    let child = command(args).spawn().expect("it starts");
    let id = child.id().to_string();
    let sent = std::thread::spawn({
        let signal = signal.to_owned();
        move || {
            std::thread::sleep(Duration::from_millis(700));
            let status = Command::new("sh").args(["-c", &format!("kill -{signal} {id}")]).status();
            assert!(status.expect("a shell starts").success());
            Instant::now()
        }
    });
    let said = listen(child, "");
    let waited = sent.join().expect("the signal was sent").elapsed();
    let said = said.exits(2).answers("UNKNOWN: interrupted");
    assert!(waited < Duration::from_secs(5), "{waited:?}: {said:?}");
}

#[test]
fn control_c_ends_an_endless_run() {
    let folder = Folder::new("sigint");
    let file = folder.file("endless.c", ENDLESS);
    interrupted_by("INT", &["run", "--zero", &file]);
    interrupted_by("INT", &["run", "--random", "1000000000", "--max-edges", "100000000000", &file]);
    interrupted_by("INT", &["run", "--zero", "--trace", &file]);
}

#[test]
fn sigterm_ends_an_endless_run() {
    let folder = Folder::new("sigterm");
    let file = folder.file("endless.c", ENDLESS);
    interrupted_by("TERM", &["run", "--zero", &file]);
}

#[test]
fn an_interruption_while_preprocessing_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("slow-cc");
    let compiler = folder.file("slow-cc", "#!/bin/sh\nsleep 1000 &\nwait\n");
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("our own file");
    let file = folder.file("a.c", "#define X 1\nint main(void) { return X; }\n");
    let before = std::fs::read_dir(folder.path()).expect("the folder is there").count();
    let child = command(&["check", "--timeout", "500ms", "--json", "-", &file])
        .env("CC", &compiler)
        .env("TMPDIR", folder.path())
        .spawn()
        .expect("it starts");
    let said = listen(child, "").exits(2).answers("UNKNOWN: out of time");
    assert!(said.out.contains("\"reason\": \"out of time\""), "{said:?}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder is there").count(), before);
}

#[test]
fn the_clock_ends_an_endless_run() {
    let folder = Folder::new("timeout");
    let file = folder.file("endless.c", ENDLESS);
    let start = Instant::now();
    uforia(&["run", "--zero", "--timeout", "300ms", &file]).exits(2).answers("UNKNOWN: out of time");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_memory_limit_ends_a_run() {
    let folder = Folder::new("memory");
    let file = folder.file("endless.c", ENDLESS);
    uforia(&["run", "--zero", "--memory", "1MiB", &file]).exits(2).answers("UNKNOWN: out of memory");
}

#[test]
fn the_step_limit_ends_a_run() {
    let folder = Folder::new("steps");
    let file = folder.file("endless.c", ENDLESS);
    uforia(&["run", "--zero", "--max-edges", "1000", &file]).exits(2).answers("UNKNOWN: step limit reached");
    uforia(&["run", "--random", "5", "--max-edges", "1000", &file])
        .exits(0)
        .answers("no error in 5 runs; 5 of them were cut short after 1000 steps");
}
