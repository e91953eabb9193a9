//! `--assertions each` against one check for each assertion: what a verdict about all of them costs, compared with the hardest single one.
//!
//! `assertions`: the twenty generated programs of `testkit::assertions`, each checked once with `--assertions each` and once for each of its
//! assertions with `--assertion N`. Verdicts must be those that the generator knows. The table is in seconds of processor time.
//! `--engine NAME` takes one engine instead of the portfolio, `--limit S` is the time for one check, `--only TEXT` takes programs whose name
//! contains the text, `--words TEXT` adds options to `--assertions each`, `--binary FILE` is used instead of building one, and runs that are in `--rows FILE` are not made again.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use testkit::assertions::{Asserting, programs};
use testkit::compiler::TempFolder;

use crate::flags::Flags;
use crate::tool;

/// Makes the table.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let limit = flags.number("--limit", 60)?;
    let engine = flags.value("--engine")?;
    let only = flags.value("--only")?.unwrap_or_default();
    let more = flags.value("--words")?.unwrap_or_default();
    let rows = flags.value("--rows")?;
    let chosen = flags.value("--binary")?;
    flags.finish()?;
    let mut runner = Runner::new(tool::binary(chosen)?, limit, engine, rows)?;
    println!("| program | assertions | each | hardest | ratio | sum | decided |\n|---|---|---|---|---|---|---|");
    let (mut n, mut within) = (0, 0);
    for program in programs().into_iter().filter(|program| program.name.contains(&only)) {
        let folder = TempFolder::new();
        let path = folder.path().join(format!("{}.c", program.name));
        std::fs::write(&path, &program.text).map_err(|error| error.to_string())?;
        let all = runner.row(&program, &path, None, &more)?;
        let mut hardest: f64 = 0.0;
        let mut sum = 0.0;
        for number in 1..=program.holds.len() {
            let single = runner.row(&program, &path, Some(number), "")?;
            hardest = hardest.max(single.seconds);
            sum += single.seconds;
        }
        let ratio = all.seconds / hardest.max(0.001);
        n += 1;
        within += usize::from(ratio <= 1.3);
        let decided = format!("{} of {}", all.decided, program.holds.len());
        let Asserting { name, holds, .. } = &program;
        println!(
            "| {name} | {} | {:.2} | {hardest:.2} | {ratio:.2} | {sum:.2} | {decided} |",
            holds.len(),
            all.seconds
        );
    }
    println!("\nat most 1.3 times the hardest single assertion: {within} of {n}");
    Ok(())
}

/// What a run came to.
#[derive(Clone, Copy)]
struct Row {
    seconds: f64,
    decided: usize,
}

struct Runner {
    binary: PathBuf,
    limit: u64,
    engine: Option<String>,
    known: BTreeMap<String, Row>,
    file: Option<std::fs::File>,
}

impl Runner {
    fn new(binary: PathBuf, limit: u64, engine: Option<String>, rows: Option<String>) -> Result<Runner, String> {
        let mut runner = Runner { binary, limit, engine, known: BTreeMap::new(), file: None };
        let Some(name) = rows else { return Ok(runner) };
        for line in std::fs::read_to_string(&name).unwrap_or_default().lines() {
            let fields: Vec<&str> = line.rsplitn(3, ',').collect();
            if let [decided, seconds, key] = fields[..]
                && let (Ok(decided), Ok(seconds)) = (decided.parse(), seconds.parse())
            {
                runner.known.insert(key.to_owned(), Row { seconds, decided });
            }
        }
        let open = std::fs::OpenOptions::new().create(true).append(true).open(&name);
        runner.file = Some(open.map_err(|error| format!("{name}: {error}"))?);
        Ok(runner)
    }
    /// One check: of all assertions, or of one.
    fn row(&mut self, program: &Asserting, path: &Path, single: Option<usize>, more: &str) -> Result<Row, String> {
        let engine = self.engine.as_deref().unwrap_or("portfolio").to_owned();
        let which = single.map_or("--assertions=each".to_owned(), |number| format!("--assertion={number}"));
        let key = format!("{} {engine} {which} {more} {}", program.name, self.limit);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let (timeout, path) = (format!("--timeout={}s", self.limit), path.to_string_lossy());
        let mut words =
            vec!["check", "-q", "--json=-", "--property=unreach-call", "--engine", &engine, &timeout, &which];
        words.extend(more.split_whitespace());
        words.push(&path);
        let ran = tool::run(&self.binary, &words, Duration::from_secs(self.limit + 20))?;
        let line = ran.output.lines().find(|line| line.starts_with('{')).unwrap_or_default();
        let answer: serde_json::Value =
            serde_json::from_str(line).map_err(|error| format!("{key}: {error}: {}", ran.errors))?;
        if ran.crashed() {
            return Err(format!("{key}: {}", ran.errors));
        }
        let mut decided = 0;
        for (index, holds) in
            program.holds.iter().enumerate().filter(|(index, _)| single.is_none_or(|one| one == index + 1))
        {
            let said = answer["assertions"][index]["status"].as_str().unwrap_or_default();
            match (said, holds) {
                ("proved", true) | ("fails", false) => decided += 1,
                ("unknown" | "", _) => {}
                _ => return Err(format!("{key}: assertion {} is said to be {said}, which is wrong", index + 1)),
            }
        }
        let seconds = answer["cpu_seconds"].as_f64().unwrap_or(ran.seconds);
        if let Some(file) = &mut self.file {
            writeln!(file, "{key},{seconds:.3},{decided}").map_err(|error| error.to_string())?;
        }
        self.known.insert(key, Row { seconds, decided });
        Ok(Row { seconds, decided })
    }
}
