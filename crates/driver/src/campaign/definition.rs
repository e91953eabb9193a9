//! Task definitions: the `.yml` files with which benchmark collections say what is to be checked and what is expected.
//!
//! ```yaml
//! format_version: '2.0'
//! input_files: 'gate.c'
//! properties:
//!   - property_file: ../properties/unreach-call.prp
//!     expected_verdict: true
//! options:
//!   language: C
//!   data_model: ILP32
//! ```
//!
//! The format of BenchExec, versions 1.0 to 2.1. Names of files are relative to the folder of the definition.

use std::path::Path;

use cfront::{DataModel, Property};
use report::yaml::{self, Yaml};

use super::Task;
use super::record::Expected;
use crate::property;

/// What a definition asks for.
#[derive(Debug, Default)]
pub struct Definition {
    /// One task for each property that we check.
    pub tasks: Vec<Task>,
    /// How many properties we do not check.
    pub n_left_out: usize,
}

/// Whether the text looks like a task definition, not like another kind of YAML file.
pub fn is_one(text: &str) -> bool {
    let begins = |word: &str| text.lines().any(|line| line.starts_with(word));
    begins("input_files:") && begins("format_version:")
}

/// The tasks of a definition. `read` gives the text of a property file; `wanted` is the property that the user asked for.
pub fn tasks(
    name: &str,
    text: &str,
    wanted: Option<&Property>,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<Definition, String> {
    let wrong = |what: &str| format!("{name}: not a task definition: {what}");
    let document = yaml::read(text).map_err(|error| wrong(&format!("line {}: {}", error.line, error.what)))?;
    let version = document.get("format_version").and_then(Yaml::text).ok_or_else(|| wrong("no format_version"))?;
    if !matches!(version, "1.0" | "2.0" | "2.1") {
        return Err(wrong(&format!("format_version is {version}, not 1.0, 2.0 or 2.1")));
    }
    let inputs = document.get("input_files").ok_or_else(|| wrong("no input_files"))?;
    let inputs: Vec<&str> = match (inputs.text(), inputs.list()) {
        (Some(one), _) => vec![one],
        (None, Some(list)) => list.iter().filter_map(Yaml::text).collect(),
        (None, None) => Vec::new(),
    };
    let Some((&input, more)) = inputs.split_first() else { return Err(wrong("no input_files")) };
    let more: Vec<String> = more.iter().map(|input| beside(name, input)).collect();
    let options = document.get("options");
    let option = |key: &str| options.and_then(|options| options.get(key)).and_then(Yaml::text);
    let data_model = match option("data_model") {
        None => None,
        Some("ILP32") => Some(DataModel::Ilp32),
        Some("LP64") => Some(DataModel::Lp64),
        Some(other) => return Err(wrong(&format!("data_model is {other}, not ILP32 or LP64"))),
    };
    let mut definition = Definition::default();
    let file = beside(name, input);
    for entry in document.get("properties").and_then(Yaml::list).unwrap_or_default() {
        let named = entry.get("property_file").and_then(Yaml::text).ok_or_else(|| wrong("no property_file"))?;
        let property_file = beside(name, named);
        let short = Path::new(named).file_stem().and_then(|stem| stem.to_str()).unwrap_or(named).to_owned();
        // A collection that was taken apart may have lost its property files; the names are the same everywhere.
        let (property, said) = match read(&property_file) {
            Some(text) => (property::parse(&text).ok(), property_file),
            None => (property::by_name(&short).and_then(Result::ok), short.clone()),
        };
        let Some(property) = property.filter(|found| wanted.is_none_or(|wanted| same(found, wanted))) else {
            definition.n_left_out += 1;
            continue;
        };
        let expected = match entry.get("expected_verdict").and_then(Yaml::text) {
            Some("true") => Some(Expected::Safe),
            Some("false") => Some(Expected::Unsafe),
            _ => None,
        };
        // Definitions of the first version are from the years in which the error call changed its name: either is meant.
        let said = if version == "1.0"
            && !matches!(property, Property::NoOverflow | Property::Memory(_) | Property::Termination)
        {
            "unreach-call".to_owned()
        } else {
            said
        };
        let is_c =
            !matches!(Path::new(input).extension().and_then(|e| e.to_str()), Some("vmt" | "btor" | "btor2" | "bpl"));
        let label = if matches!(property, Property::NoOverflow | Property::Memory(_) | Property::Termination) {
            format!("{name} ({short})")
        } else {
            name.to_owned()
        };
        let property = is_c.then_some(said);
        let (file, more) = (file.clone(), more.clone());
        definition.tasks.push(Task { name: label, more, property, data_model, expected, ..Task::of(&file) });
    }
    Ok(definition)
}

/// Whether the user means this property: `unreach-call` is any error call.
fn same(found: &Property, wanted: &Property) -> bool {
    match (found, wanted) {
        (Property::NoOverflow, Property::NoOverflow) => true,
        (Property::NoOverflow, _) | (_, Property::NoOverflow) => false,
        (Property::Termination, Property::Termination) => true,
        (Property::Termination, _) | (_, Property::Termination) => false,
        (Property::UnreachCallOf(a), Property::UnreachCallOf(b)) => a == b,
        _ => true,
    }
}

/// A name as seen from the folder of the definition.
fn beside(definition: &str, name: &str) -> String {
    match Path::new(definition).parent() {
        Some(folder) if folder != Path::new("") => folder.join(name).to_string_lossy().into_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GATE: &str = "format_version: '2.0'\n# a comment\ninput_files: 'gate.c'\nproperties:\n  \
        - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n  \
        - property_file: ../properties/no-data-race.prp\n    expected_verdict: true\n  \
        - property_file: no-overflow.prp\noptions:\n  language: C\n  data_model: ILP32\n";

    fn properties(name: &str) -> Option<String> {
        let text = match name {
            "a/../properties/unreach-call.prp" => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            "a/../properties/no-data-race.prp" => "CHECK( init(main()), LTL(G ! data-race) )",
            _ => return None,
        };
        Some(text.to_owned())
    }

    fn check(text: &str, wanted: Option<&Property>) -> Result<Definition, String> {
        tasks("a/gate.yml", text, wanted, &properties)
    }

    #[test]
    fn each_property_that_we_check_is_a_task() {
        assert!(is_one(GATE) && !is_one("- entry_type: invariant_set\n"));
        let found = check(GATE, None).expect("it is a definition");
        assert_eq!(found.n_left_out, 1);
        let [error, overflow] = &found.tasks[..] else { panic!("{found:?}") };
        assert_eq!(
            (error.name.as_str(), error.file.as_str(), error.expected),
            ("a/gate.yml", "a/gate.c", Some(Expected::Unsafe))
        );
        assert_eq!(error.property.as_deref(), Some("a/../properties/unreach-call.prp"));
        assert_eq!(error.data_model, Some(DataModel::Ilp32));
        assert_eq!(overflow.name, "a/gate.yml (no-overflow)");
        assert_eq!((overflow.property.as_deref(), overflow.expected), (Some("no-overflow"), None));
    }

    #[test]
    fn old_definitions_mean_either_error_call() {
        let found = check(&GATE.replace("'2.0'", "'1.0'"), None).expect("it is a definition");
        assert_eq!(found.tasks[0].property.as_deref(), Some("unreach-call"));
    }

    #[test]
    fn the_user_s_property_chooses() {
        let found = check(GATE, Some(&Property::UnreachCall)).expect("it is a definition");
        assert_eq!((found.tasks.len(), found.n_left_out), (1, 2));
        let found = check(GATE, Some(&Property::UnreachCallOf("fail".to_owned()))).expect("it is a definition");
        assert_eq!((found.tasks.len(), found.n_left_out), (0, 3));
    }

    #[test]
    fn what_is_no_definition_is_refused_with_the_reason() {
        let said = |text: &str| check(text, None).expect_err("it is none");
        assert!(said("format_version: '3.0'\ninput_files: a.c\n").contains("format_version is 3.0"));
        assert!(said("format_version: '2.0'\ninput_files: []\n").contains("no input_files"));
        assert!(said("format_version: '2.0'\n").contains("no input_files"));
        assert!(said("- a\n").contains("no format_version"));
        assert!(said("a: [\n").contains("line "));
    }
}
