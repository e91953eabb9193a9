//! `cargo xtask fuzz`: mutated programs against the front end for some minutes.
//!
//! A child process works through batches of inputs and says before each which one it is at, so a
//! panic, a stack overflow, a hang (more than five seconds for one input) or an explosion of memory
//! is pinned to its input; the input is kept, and the next child goes on after it. Inputs are made
//! from the golden files and from generated programs, and are known by a number: the same seed makes
//! the same inputs. Every input goes through the front end under both data models by turns, and what
//! is accepted must keep the laws and can be made ready to run.
//!
//! `--minutes M` (10), `--seed S`, `--jobs J`, `--keep DIR` (default: `fuzz/findings`).

use crate::flags::Flags;
use base::Random;
use cfront::DataModel;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use testkit::cgen::{self, Config};
use testkit::ours::{self, Answer};
use testkit::{fuzz, golden};

/// The wall-clock time that one input may take.
const MAX_INPUT_TIME: Duration = Duration::from_secs(5);
/// How much memory a child may use, in MB.
const MOST_MEMORY: u64 = 2000;
const BATCH: u64 = 2000;

/// Does what the flags say; `--child FIRST` is the part that may crash.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let seed = flags.number("--seed", 1)?;
    if let Some(first) = flags.value("--child")? {
        flags.finish()?;
        return child(seed, first.parse().map_err(|_| "--child needs a number".to_string())?);
    }
    let minutes = flags.number("--minutes", 10)?;
    let jobs = flags.number("--jobs", 1)?.max(1);
    let keep = flags.value("--keep")?.map_or_else(|| golden::workspace().join("fuzz/findings"), PathBuf::from);
    flags.finish()?;
    let end = Instant::now() + Duration::from_secs(minutes * 60);
    let (done, findings, next) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let outcome: Result<(), String> = std::thread::scope(|scope| {
        let watchers: Vec<_> = (0..jobs)
            .map(|_| {
                scope.spawn(|| {
                    while Instant::now() < end {
                        let first = next.fetch_add(BATCH, Ordering::Relaxed);
                        watch(seed, first, &keep, end, &done, &findings)?;
                    }
                    Ok(())
                })
            })
            .collect();
        watchers.into_iter().try_for_each(|w| w.join().expect("a watcher does not panic"))
    });
    outcome?;
    let (done, findings) = (done.into_inner(), findings.into_inner());
    println!("{done} inputs in {minutes} minutes, {findings} findings");
    if findings > 0 { Err(format!("{findings} inputs are kept in {}", keep.display())) } else { Ok(()) }
}

/// Runs children until a batch is through.
fn watch(
    seed: u64,
    first: u64,
    keep: &Path,
    end: Instant,
    done: &AtomicU64,
    findings: &AtomicU64,
) -> Result<(), String> {
    let mut at = first;
    while at < first + BATCH && Instant::now() < end {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut child = Command::new(program)
            .args(["fuzz", "--seed", &seed.to_string(), "--child", &at.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let lines = child.stdout.take().expect("the child's output is piped");
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(lines).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let mut current = at;
        let mut trouble = None;
        loop {
            match receive.recv_timeout(MAX_INPUT_TIME) {
                Ok(line) => {
                    if let Some(words) = line.strip_prefix("panic ") {
                        report(seed, current, words, keep, findings)?;
                    } else if let Ok(number) = line.parse::<u64>() {
                        current = number;
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                    if Instant::now() > end {
                        break;
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    trouble = Some("hang".to_string());
                    break;
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        let alive = matches!(child.try_wait(), Ok(None));
        let _ = child.kill();
        let status = child.wait().map_err(|error| error.to_string())?;
        let over = current + 1 >= first + BATCH || Instant::now() > end;
        if trouble.is_none() && !over && !alive && !status.success() {
            trouble = Some(format!("crash, {status}"));
        }
        if let Some(what) = trouble {
            report(seed, current, &what, keep, findings)?;
        }
        at = current + 1;
    }
    Ok(())
}

fn report(seed: u64, number: u64, what: &str, keep: &Path, findings: &AtomicU64) -> Result<(), String> {
    let count = findings.fetch_add(1, Ordering::Relaxed) + 1;
    fs::create_dir_all(keep).map_err(|error| error.to_string())?;
    let path = keep.join(format!("{seed}-{number}.c"));
    fs::write(&path, input(seed, number, &seeds())).map_err(|error| error.to_string())?;
    eprintln!("finding {count}: {} ({what})", path.display());
    Ok(())
}

/// The programs that mutations start from.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = golden::files("tests/c", "c").iter().filter_map(|path| fs::read(path).ok()).collect();
    for seed in 0..40 {
        let config = Config { model: DataModel::Lp64, lines: 30, prefix: String::new() };
        seeds.push(cgen::generate(seed, &config).into_bytes());
    }
    seeds
}

fn input(seed: u64, number: u64, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(number));
    fuzz::mutant(seeds, &mut random)
}

/// Works through a batch, announcing each input before it is tried.
fn child(seed: u64, first: u64) -> Result<(), String> {
    std::panic::set_hook(Box::new(|_| {}));
    let seeds = seeds();
    let mut out = std::io::stdout();
    let last = (first / BATCH + 1) * BATCH;
    for number in first..last {
        writeln!(out, "{number}").and_then(|()| out.flush()).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&input(seed, number, &seeds)).into_owned();
        let model = if number % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let result = ours::interpret("fuzz.c", &text, model, &[], 100_000);
        if let Answer::Panicked(words) = result.answer {
            let words = words.replace('\n', " ");
            writeln!(out, "panic {words}").map_err(|error| error.to_string())?;
        }
        if memory_in_megabytes().is_some_and(|used| used > MOST_MEMORY) {
            return Err("too much memory".into());
        }
    }
    Ok(())
}

/// The largest amount of memory this process ever used, where the system reports it.
fn memory_in_megabytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}
