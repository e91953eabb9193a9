//! The tables of settings of all components, and what the user has set.
//!
//! A table is declared by its component (`base::settings!`). Options of the command line for its rows (in `arguments`), `--set`, the list of
//! `uforia settings` and `docs/settings.md` are made from the tables here, so that a new setting is one line in one file.

use std::collections::BTreeMap;

use base::settings::{Kind, Row};
use base::{Table, Values};

use crate::engines::{self, ENGINES};
use crate::tuning::Tuning;

/// The tables of all components, in the order of the list.
pub fn tables() -> Vec<&'static Table> {
    let engines = ENGINES.iter().map(|info| info.settings);
    let others = [
        Tuning::TABLE,
        cfront::Tuning::TABLE,
        bplfront::Tuning::TABLE,
        llfront::Tuning::TABLE,
        vmtfront::Tuning::TABLE,
        program::Tuning::TABLE,
        term::Tuning::TABLE,
        encode::Tuning::TABLE,
        smt::Tuning::TABLE,
        smt::SatSettings::TABLE,
        certify::Tuning::TABLE,
        report::Tuning::TABLE,
        base::Tuning::TABLE,
    ];
    engines.chain(engines::TUNING.iter().copied()).chain(others).collect()
}

/// What the user has set, by component.
#[derive(Clone, Debug, Default)]
pub struct Chosen(BTreeMap<&'static str, Values>);

impl Chosen {
    /// Sets one value that was checked.
    pub fn set(&mut self, component: &'static str, name: &str, value: &str) {
        self.0.entry(component).or_default().set(name, value);
    }
    /// Sets what a word `COMPONENT.NAME=VALUE` says.
    pub fn assign(&mut self, word: &str) -> Result<(), String> {
        let (component, name, value) = assignment(word)?;
        self.set(component, name, value);
        Ok(())
    }
    /// What was set for a component.
    pub fn of(&self, component: &str) -> Values {
        self.0.get(component).cloned().unwrap_or_default()
    }
}

/// Checks a word `COMPONENT.NAME=VALUE`, and splits it.
pub fn assignment(word: &str) -> Result<(&'static str, &'static str, &str), String> {
    let (path, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is not of the form NAME=VALUE"))?;
    let (table, row) = find(path).ok_or_else(|| unknown(path))?;
    if table.fixed {
        return Err(format!("`{path}` cannot be set in this version"));
    }
    row.kind.check(value).map_err(|why| format!("{path}: {why}"))?;
    Ok((table.component, row.name, value))
}

/// The setting of this name, `COMPONENT.NAME`.
fn find(path: &str) -> Option<(&'static Table, &'static Row)> {
    let (component, name) = path.split_once('.')?;
    let of_component = tables().into_iter().filter(|table| table.component == component);
    of_component.filter_map(|table| Some((table, table.row(name)?))).next()
}

/// The message about a name that no table has, with the nearest names.
fn unknown(path: &str) -> String {
    let paths = tables().into_iter().flat_map(|table| table.rows.iter().map(move |row| full_name(table, row)));
    let mut ranked: Vec<(usize, String)> = paths.map(|known| (distance(path, &known), known)).collect();
    ranked.sort();
    let nearest: Vec<String> =
        ranked.into_iter().take(Tuning::DEFAULT.suggested_settings).map(|(_, known)| known).collect();
    format!("there is no setting `{path}`: the nearest are {} (`uforia settings` lists all)", nearest.join(", "))
}

/// A name without its component is near to the same name with it.
fn distance(path: &str, known: &str) -> usize {
    let bare = known.split_once('.').map_or(known, |(_, name)| name);
    strsim::levenshtein(path, known).min(strsim::levenshtein(path, bare))
}

fn full_name(table: &Table, row: &Row) -> String {
    format!("{}.{}", table.component, row.name)
}

/// The values a row takes, in words.
fn values(row: &Row) -> String {
    match row.kind {
        Kind::Number(span) => format!("{} to {} {}", span.least, span.most, span.unit.name()),
        Kind::Limit(span) => format!("none, or {} to {} {}", span.least, span.most, span.unit.name()),
        Kind::Numbers(span) => format!("{} to {} {}, separated by commas", span.least, span.most, span.unit.name()),
        Kind::Choice(names) => names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
        Kind::Flag => "true, false".to_owned(),
    }
}

/// The list that `uforia settings` prints.
pub fn list() -> String {
    let mut text = String::new();
    for table in tables() {
        let note = if table.fixed { " (cannot be set in this version)" } else { "" };
        text.push_str(&format!("{}: {}{note}\n", table.component, table.about));
        for row in table.rows {
            let option = row.option.map_or(String::new(), |long| format!("; also --{}", long.name));
            let default = (row.default)();
            text.push_str(&format!("  {}={default}  [{}{option}]\n", full_name(table, row), values(row)));
            text.push_str(&format!("      {}\n", row.help));
            if let Kind::Choice(names) = row.kind {
                names.iter().for_each(|(name, help)| text.push_str(&format!("      {name}: {help}\n")));
            }
        }
        text.push('\n');
    }
    text
}

/// The page `docs/settings.md`.
pub fn page() -> String {
    let mut text = String::from(PAGE);
    for table in tables() {
        text.push_str(&format!("\n## {}\n\n{}\n", table.component, table.about));
        if table.fixed {
            text.push_str("These values cannot be set in this version.\n");
        }
        text.push_str("\n| name | default | values | meaning |\n|---|---|---|---|\n");
        for row in table.rows {
            let option = row.option.map_or(String::new(), |long| format!(" (`--{}`)", long.name));
            let mut meaning = row.help.to_owned();
            if let Kind::Choice(names) = row.kind {
                names.iter().for_each(|(name, help)| meaning.push_str(&format!(" `{name}`: {help}")));
            }
            let default = (row.default)();
            text.push_str(&format!("| `{}`{option} | {default} | {} | {meaning} |\n", row.name, values(row)));
        }
    }
    text
}

const PAGE: &str = "# Settings\n\n\
    This page is generated from the tables in the sources; `BLESS=1 cargo test -p uforia settings` writes it.\n\n\
    A setting is set by `--set COMPONENT.NAME=VALUE`, such as `--set kind.unwind=5`; some have an option of their own, which is\n\
    given in brackets. `uforia settings` prints the same list. No setting changes whether an answer is right: all answers\n\
    are checked. Settings decide how long something is tried and what is shown.\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_its_range_and_every_name_is_unique() {
        let mut seen = Vec::new();
        for table in tables() {
            for row in table.rows {
                let (path, default) = (full_name(table, row), (row.default)());
                assert_eq!(row.kind.check(&default), Ok(()), "{path}");
                assert!(!seen.contains(&path), "{path} is there twice");
                seen.push(path);
            }
        }
    }

    #[test]
    fn the_page_of_settings_is_up_to_date() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(file, page()).expect("the page can be written");
        }
        assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), page(), "BLESS=1 writes it");
    }

    #[test]
    fn a_setting_that_does_not_exist_is_answered_with_the_nearest() {
        let said = assignment("bmc.unwnd=3").expect_err("no such name");
        assert!(said.starts_with("there is no setting `bmc.unwnd`: the nearest are bmc.unwind, "), "{said}");
        assert!(assignment("unwind=3").expect_err("no component").contains("bmc.unwind"));
        assert_eq!(assignment("bmc.unwind=0"), Err("bmc.unwind: `0`: from 1 to 4294967295".to_owned()));
        assert_eq!(assignment("euf"), Err("`euf` is not of the form NAME=VALUE".to_owned()));
        assert_eq!(assignment("trace.mode=coherent"), Ok(("trace", "mode", "coherent")));
    }
}
