//! Witnesses in the exchange format of software verifiers, version 2.0: one YAML file with one entry.
//!
//! What each kind of entry says is in `violation` and `correctness`; here are the metadata and the YAML. The same
//! answer gives the same bytes: the `uuid` comes from the content, the time from the caller.

use std::fmt::Write;

use base::shown::is_unsafe_to_show;

use crate::sha256;

/// The loop that a run without end stays in.
pub struct Cycle {
    /// Its head.
    pub head: Option<base::Place>,
    /// Inputs that are read in it, always with the same value.
    pub inputs: Vec<program::InputId>,
}

/// What the metadata say, besides the content.
pub struct Metadata<'a> {
    /// The program's file, as the user named it.
    pub file: &'a str,
    /// The bytes of that file.
    pub bytes: &'a [u8],
    /// The other files of the program, with their hashes.
    pub more: &'a [(String, String)],
    /// The property, as property files write it.
    pub specification: &'a str,
    /// `ILP32` or `LP64`.
    pub data_model: &'a str,
    /// The version of this tool.
    pub version: &'a str,
    /// When the witness was made, as ISO 8601 with zone.
    pub creation_time: &'a str,
}

/// A place as witnesses name it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, from one.
    pub line: u32,
    /// The column, from one; zero when it is not known.
    pub column: u32,
    /// The function around it.
    pub function: String,
}

impl Location {
    /// The lines of YAML, each with this many blanks in front.
    pub(crate) fn yaml(&self, indent: usize) -> String {
        let blanks = " ".repeat(indent);
        let mut text = format!("{blanks}location:\n{blanks}  file_name: {}\n", quoted(&self.file));
        let _ = writeln!(text, "{blanks}  line: {}", self.line);
        if self.column > 0 {
            let _ = writeln!(text, "{blanks}  column: {}", self.column);
        }
        let _ = writeln!(text, "{blanks}  function: {}", quoted(&self.function));
        text
    }
}

/// The whole file around the content, which is YAML that is indented by four.
pub(crate) fn entry(kind: &str, metadata: &Metadata<'_>, content: &str) -> String {
    let hash = sha256::hex(metadata.bytes);
    let named = format!("{kind}\n{hash}\n{}\n{}\n{content}", metadata.specification, metadata.data_model);
    let mut text = format!("- entry_type: {}\n  metadata:\n    format_version: \"2.0\"\n", quoted(kind));
    let _ = writeln!(text, "    uuid: {}", quoted(&uuid(named.as_bytes())));
    let _ = writeln!(text, "    creation_time: {}", quoted(metadata.creation_time));
    let _ = writeln!(text, "    producer:\n      name: \"Uforia\"\n      version: {}", quoted(metadata.version));
    let _ = writeln!(text, "    task:\n      input_files:\n        - {}", quoted(metadata.file));
    for (file, _) in metadata.more {
        let _ = writeln!(text, "        - {}", quoted(file));
    }
    let _ = writeln!(text, "      input_file_hashes:\n        {}: {}", quoted(metadata.file), quoted(&hash));
    for (file, hash) in metadata.more {
        let _ = writeln!(text, "        {}: {}", quoted(file), quoted(hash));
    }
    let _ = writeln!(text, "      specification: {}", quoted(metadata.specification));
    let _ = writeln!(text, "      data_model: {}\n      language: \"C\"\n  content:", quoted(metadata.data_model));
    text.push_str(content);
    text
}

/// A name-based identifier of RFC 4122 (version 5 in shape).
fn uuid(bytes: &[u8]) -> String {
    let mut id = sha256::digest(bytes);
    id[6] = id[6] & 0x0f | 0x50;
    id[8] = id[8] & 0x3f | 0x80;
    let hex: Vec<String> = id[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..4], &hex[4..6], &hex[6..8], &hex[8..10], &hex[10..]].map(|part| part.concat()).join("-")
}

/// A YAML string in double quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // YAML allows no control characters and no non-characters, and breaks lines at U+2028 and U+2029.
            c if is_unsafe_to_show(c) => {
                let code = u32::from(c);
                let _ = if code > 0xffff { write!(quoted, "\\U{code:08x}") } else { write!(quoted, "\\u{code:04x}") };
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_of_a_string_is_read_again() {
        let strange = "\u{2028}\u{2029}\u{85}\u{ffff}\u{fffe}\u{feff}\u{1fffe}\u{202e}\x1b\x7f\r\n\t\"\\ 漢";
        let written = quoted(strange);
        assert!(!written.contains(is_unsafe_to_show), "{written:?}");
        let read = crate::yaml::read(&format!("a: {written}\n")).expect("it is YAML");
        assert_eq!(read.get("a").and_then(crate::yaml::Yaml::text), Some(strange));
    }

    #[test]
    fn the_identifier_depends_on_the_content_alone() {
        let metadata = |creation_time| Metadata {
            more: &[],
            file: "a \"b\".c",
            bytes: b"int main;",
            specification: "CHECK( init(main()), LTL(G ! overflow) )",
            data_model: "LP64",
            version: "1",
            creation_time,
        };
        let one = entry("invariant_set", &metadata("2026-01-01T00:00:00Z"), "    - x\n");
        let later = entry("invariant_set", &metadata("2027-01-01T00:00:00Z"), "    - x\n");
        let other = entry("invariant_set", &metadata("2026-01-01T00:00:00Z"), "    - y\n");
        let id = |text: &str| text.lines().find(|line| line.contains("uuid")).map(str::to_owned);
        assert_eq!(id(&one), id(&later));
        assert_ne!(id(&one), id(&other));
        assert!(one.contains("file") && one.contains("- \"a \\\"b\\\".c\""), "{one}");
    }
}
