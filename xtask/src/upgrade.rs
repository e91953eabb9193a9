//! What `--cache` is worth: programs, edits of them, and the processor time with and without evidence of the version before.
//!
//! `upgrade`: each program is checked once without a cache (cold) and once with an empty one, which keeps its evidence. Then each edit of it is checked cold and with that
//! cache (warm): no edit, an edit that the proof does not need, and one that may change the verdict. With `--poison` the entries are
//! changed before they are used: another program's evidence under the key, other constants and symbols with a checksum that fits, broken files. The two verdicts must agree
//! where both are there. `--count N` programs (40), `--poison N` poisoned runs (0), `--timeout S` (20), `--seed S` (1), `--least MS` (200): faster cold runs are not in the
//! table, `--binary FILE`; other words are folders of C programs (default: `tests/verify`, `tests/relations`, `tests/memory`).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Random;
use report::sha256;
use testkit::compiler::TempFolder;
use testkit::golden::workspace;
use testkit::variants::variant;

use crate::flags::Flags;
use crate::tool;

/// An edit of a program.
struct Edit {
    name: &'static str,
    apply: fn(&str, &mut Random) -> Option<String>,
}

const EDITS: &[Edit] = &[
    Edit { name: "no edit", apply: |text, _| Some(text.to_owned()) },
    Edit { name: "comments and blank lines", apply: |text, _| Some(format!("/* a comment */\n\n\n{text}")) },
    Edit { name: "an edit that the proof does not need", apply: |text, _| unneeded(text) },
    Edit { name: "an edit that may change the verdict", apply: |text, random| Some(variant(text, random)) },
];

/// A program with a function more, which `main` calls first.
fn unneeded(text: &str) -> Option<String> {
    let main = text.find("int main(")?;
    let body = main + text[main..].find('{')?;
    let helper = "static int unneeded_edit(int k) { int sum = k; if (k > 3) sum = 3; return sum; }\n";
    let call = " int unneeded_value = unneeded_edit(5); (void)unneeded_value; ";
    Some(format!("{}{helper}{}{{{call}{}", &text[..main], &text[main..body], &text[body + 1..]))
}

/// What a check came to.
struct Checked {
    verdict: String,
    seconds: f64,
}

struct Bench {
    binary: PathBuf,
    folder: TempFolder,
    timeout: u64,
}

impl Bench {
    fn check(&self, text: &str, cache: Option<&Path>) -> Result<Checked, String> {
        let file = self.folder.path().join("program.c");
        fs::write(&file, text).map_err(|error| error.to_string())?;
        let (file, time) = (file.to_string_lossy().into_owned(), format!("{}s", self.timeout));
        let cache = cache.map(|path| path.to_string_lossy().into_owned());
        let mut words = vec!["check", "--no-config", "-q", "--bug-bundle", "never", "--timeout", &time, "--json", "-"];
        if let Some(cache) = &cache {
            words.extend(["--cache", cache.as_str()]);
        }
        words.push(&file);
        let ran = tool::run(&self.binary, &words, Duration::from_secs(self.timeout + 10))?;
        if ran.crashed() || ran.code == Some(70) {
            return Err(format!("exit {:?}: {}\n{text}", ran.code, ran.errors));
        }
        let line = ran.output.lines().find(|line| line.starts_with('{')).unwrap_or_default();
        let field = |name: &str| {
            let rest = line.split_once(&format!("\"{name}\":"))?.1;
            Some(rest.split([',', '}']).next()?.trim().trim_matches('"').to_owned())
        };
        let seconds = field("cpu_seconds").and_then(|text| text.parse().ok()).unwrap_or(ran.seconds);
        Ok(Checked { verdict: field("verdict").unwrap_or_else(|| "nothing".to_owned()), seconds })
    }
    fn empty_cache(&self) -> Result<PathBuf, String> {
        let cache = self.folder.path().join("cache");
        let _ = fs::remove_dir_all(&cache);
        fs::create_dir_all(&cache).map_err(|error| error.to_string())?;
        Ok(cache)
    }
}

/// Prints the table; an error if two verdicts contradict one another.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let count = flags.number("--count", 40)? as usize;
    let n_poisoned = flags.number("--poison", 0)? as usize;
    let timeout = flags.number("--timeout", 20)?;
    let seed = flags.number("--seed", 1)?;
    let least = flags.number("--least", 200)? as f64 / 1000.0;
    let binary = tool::binary(flags.value("--binary")?)?;
    let mut folders: Vec<PathBuf> = flags.rest().iter().map(PathBuf::from).collect();
    if folders.is_empty() {
        folders = ["tests/verify", "tests/relations", "tests/memory"].map(|name| workspace().join(name)).to_vec();
    }
    let mut random = Random::new(seed);
    let programs = programs(&folders, count, &mut random)?;
    let bench = Bench { binary, folder: TempFolder::new(), timeout };
    let mut wrong = Vec::new();
    table(&bench, &programs, least, &mut random, &mut wrong)?;
    poisoned(&bench, &programs, n_poisoned, &mut random, &mut wrong)?;
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{} verdicts differ:\n{}", wrong.len(), wrong.join("\n"))),
    }
}

/// Texts of C programs, a different choice for each seed.
fn programs(folders: &[PathBuf], count: usize, random: &mut Random) -> Result<Vec<(String, String)>, String> {
    let mut all = Vec::new();
    for folder in folders {
        let files = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for file in files.flatten().map(|file| file.path()) {
            if file.extension().is_some_and(|extension| extension == "c" || extension == "i") {
                all.push(file);
            }
        }
    }
    all.sort();
    let mut chosen = Vec::new();
    while chosen.len() < count && !all.is_empty() {
        let file = all.swap_remove(random.below(all.len() as u64) as usize);
        let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
        chosen.push((file.display().to_string(), text));
    }
    Ok(chosen)
}

/// Whether both are there and they differ.
fn contradict(one: &str, other: &str) -> bool {
    one != other && [one, other].iter().all(|verdict| ["SAFE", "UNSAFE"].contains(verdict))
}

fn table(
    bench: &Bench,
    programs: &[(String, String)],
    least: f64,
    random: &mut Random,
    wrong: &mut Vec<String>,
) -> Result<(), String> {
    println!("| edit | programs | warm / cold, median | worst | lost | gained |\n|---|---|---|---|---|---|");
    for edit in EDITS {
        let mut ratios = Vec::new();
        let (mut lost, mut gained) = (0, 0);
        for (name, text) in programs {
            let Some(edited) = (edit.apply)(text, random) else { continue };
            let cold = bench.check(&edited, None)?;
            let cache = bench.empty_cache()?;
            bench.check(text, Some(&cache))?;
            let warm = bench.check(&edited, Some(&cache))?;
            if contradict(&cold.verdict, &warm.verdict) {
                wrong.push(format!("{name}, {}: {} cold, {} warm", edit.name, cold.verdict, warm.verdict));
            }
            match (cold.verdict.as_str(), warm.verdict.as_str()) {
                ("SAFE" | "UNSAFE", "UNKNOWN") => lost += 1,
                ("UNKNOWN", "SAFE" | "UNSAFE") => gained += 1,
                ("SAFE" | "UNSAFE", _) if cold.seconds >= least => ratios.push((warm.seconds / cold.seconds, name)),
                _ => {}
            }
        }
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (n, percent) = (ratios.len(), |at: usize| ratios.get(at).map_or(0.0, |one| 100.0 * one.0));
        println!(
            "| {} | {n} | {:.0} % | {:.0} % | {lost} | {gained} |",
            edit.name,
            percent(n / 2),
            percent(n.saturating_sub(1))
        );
        if let Some((_, slowest)) = ratios.last() {
            eprintln!("{}: the worst is {slowest}", edit.name);
        }
    }
    Ok(())
}

/// Checks programs with caches that were changed.
fn poisoned(
    bench: &Bench,
    programs: &[(String, String)],
    count: usize,
    random: &mut Random,
    wrong: &mut Vec<String>,
) -> Result<(), String> {
    for number in 0..count {
        let (name, text) = &programs[number % programs.len()];
        let other = &programs[random.below(programs.len() as u64) as usize].1;
        // The verdict must be that of a run without a cache, also where the program was edited.
        let text = if random.below(2) == 0 { variant(text, random) } else { text.clone() };
        let cold = bench.check(&text, None)?;
        let cache = bench.empty_cache()?;
        bench.check(&text, Some(&cache))?;
        let entries = |cache: &Path| -> Vec<PathBuf> {
            let files = fs::read_dir(cache.join("v1")).into_iter().flatten().flatten();
            files.map(|file| file.path()).collect()
        };
        let own = entries(&cache);
        bench.check(other, Some(&cache))?;
        let theirs: Vec<String> = entries(&cache).iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
        for path in &own {
            let kept = fs::read_to_string(path).unwrap_or_default();
            let foreign = theirs.get(random.below(theirs.len().max(1) as u64) as usize).cloned().unwrap_or_default();
            let poison = match random.below(6) {
                0 => foreign,
                1 => kept.chars().take(random.below(kept.len().max(1) as u64) as usize).collect(),
                2 => with_bytes_changed(&kept, random),
                3 => mixed(&kept, &foreign),
                _ => with_words_changed(&kept, random),
            };
            let other_kind = if path.extension().is_some_and(|kind| kind == "safe") { "unsafe" } else { "safe" };
            for path in [path.clone(), path.with_extension(other_kind)] {
                fs::write(path, &poison).map_err(|error| error.to_string())?;
            }
        }
        let warm = bench.check(&text, Some(&cache))?;
        if contradict(&cold.verdict, &warm.verdict) {
            wrong.push(format!("{name} with a poisoned cache: {} cold, {} warm\n{text}", cold.verdict, warm.verdict));
        }
    }
    println!("{count} poisoned caches, {} verdicts differ in all", wrong.len());
    Ok(())
}

/// The body with a header and a checksum that fit.
fn sealed(body: &str) -> String {
    format!("uforia-evidence 1\n{}\n{body}", sha256::hex(body.as_bytes()))
}

fn body(entry: &str) -> &str {
    entry.splitn(3, '\n').nth(2).unwrap_or_default()
}

/// Evidence of one entry with the program of another.
fn mixed(one: &str, other: &str) -> String {
    let evidence = body(one).split("\nprogram\n").next().unwrap_or_default();
    let program = body(other).split("\nprogram\n").nth(1).unwrap_or_default();
    sealed(&format!("{evidence}\nprogram\n{program}"))
}

fn with_bytes_changed(entry: &str, random: &mut Random) -> String {
    let mut bytes = body(entry).as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        if !bytes.is_empty() {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] = b" 0123456789()#xb\tabcz"[random.below(20) as usize];
        }
    }
    sealed(&String::from_utf8_lossy(&bytes))
}

/// Numbers and operators of the evidence changed.
fn with_words_changed(entry: &str, random: &mut Random) -> String {
    let (evidence, program) = body(entry).split_once("\nprogram\n").unwrap_or_default();
    let mut changed = String::new();
    for line in evidence.lines() {
        if random.below(8) == 0 {
            continue;
        }
        let words: Vec<String> = line.split(' ').map(|word| changed_word(word, random)).collect();
        changed.push_str(&words.join(" "));
        changed.push('\n');
    }
    sealed(&format!("{}\nprogram\n{program}", changed.trim_end_matches('\n')))
}

fn changed_word(word: &str, random: &mut Random) -> String {
    if random.below(6) != 0 {
        return word.to_owned();
    }
    let swaps = [("bvult", "bvule"), ("bvslt", "bvsle"), ("(and", "(or"), ("(=", "(distinct"), ("bvadd", "bvsub")];
    for (one, other) in swaps {
        if word.contains(one) {
            return word.replace(one, other);
        }
        if word.contains(other) {
            return word.replace(other, one);
        }
    }
    if let Ok(number) = word.parse::<u64>() {
        return (number + random.below(3)).saturating_sub(1).to_string();
    }
    word.replace('0', "1").replace('7', "3")
}
