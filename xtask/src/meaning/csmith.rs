//! Programs of Csmith ([YangEtAl-PLDI'11]), where it is installed (Debian, Ubuntu: packages `csmith` and `libcsmith-dev`).
//!
//! A program includes Csmith's headers; they are put into the text, so that what is kept and shrunk is one file. `volatile` is left
//! out, because a volatile object has any value for us; `main` takes no arguments for the same reason. The function that
//! prints the checksum also compares it.

use super::case::{Case, Compilers};
use cfront::DataModel;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::differential::model_name;

/// Groups of options, by turns: each reaches other corners, and small programs can be decided.
const OPTIONS: &[&[&str]] = &[
    &[],
    &["--bitfields", "--packed-struct"],
    &["--max-funcs", "4", "--max-block-depth", "3"],
    &["--float"],
    &["--max-funcs", "2", "--max-block-depth", "2", "--max-expr-complexity", "5"],
    &["--inline-function", "--max-funcs", "6"],
    &["--max-pointer-depth", "4", "--max-array-dim", "2"],
    &["--max-funcs", "3", "--max-struct-fields", "5", "--max-union-fields", "3"],
];

/// Headers within headers.
const DEEPEST_INCLUDE: u32 = 8;

/// Csmith as installed here.
pub struct Csmith {
    headers: PathBuf,
}

impl Csmith {
    /// Looks for the command and its headers; `Err` says what is missing.
    pub fn find(headers: Option<String>) -> Result<Csmith, String> {
        let there = Command::new("csmith").arg("--version").output().is_ok_and(|output| output.status.success());
        if !there {
            return Err("csmith is not installed (Debian, Ubuntu: packages csmith and libcsmith-dev)".into());
        }
        let places = headers.map(PathBuf::from).into_iter();
        let places = places.chain(["/usr/include/csmith", "/usr/local/include/csmith"].map(PathBuf::from));
        let headers = places.into_iter().find(|folder| folder.join("csmith.h").is_file());
        let headers =
            headers.ok_or("the headers of csmith are missing (package libcsmith-dev; --csmith-headers DIR)")?;
        Ok(Csmith { headers })
    }

    /// The case of a seed; `Err` gives the reason why there is no case.
    pub fn case(&self, seed: u64, model: DataModel, compilers: &Compilers) -> Result<Case, String> {
        let options = OPTIONS[(seed % OPTIONS.len() as u64) as usize];
        let mut command = Command::new("csmith");
        let output = output_of(command.args(["--seed", &seed.to_string(), "--no-argc", "--concise"]).args(options))?;
        let name = format!("csmith-{}-{seed}", model_name(model));
        let text = format!("#define volatile\n{}", with_check(&self.inlined(&output, 0)));
        Case::about_checksum(name, seed, text, model, compilers)
    }

    /// The text with the contents of each header of Csmith in place of `#include "…"`; a header may be needed again, because the first
    /// place can be under a condition that does not hold.
    fn inlined(&self, text: &str, depth: u32) -> String {
        let mut result = String::new();
        for line in text.lines() {
            let header = quoted_include(line).map(|name| self.headers.join(name)).filter(|path| path.is_file());
            match header {
                Some(path) if depth < DEEPEST_INCLUDE => result.push_str(&self.inlined(&read(&path), depth + 1)),
                _ => {
                    result.push_str(line);
                    result.push('\n');
                }
            }
        }
        result
    }
}

fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err("csmith fails".into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn read(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The name in `#include "name"`.
fn quoted_include(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    rest.trim().strip_prefix('"')?.strip_suffix('"')
}

/// Renames the function that prints the checksum, and puts one before `main` that prints and compares.
fn with_check(text: &str) -> String {
    let check = "extern void reach_error(void);\n\
                 static void checked_end(unsigned crc)\n{\n\
                 printf(\"checksum = %X\\n\", crc);\n\
                 if (crc != EXPECTED_CHECKSUM) reach_error();\n}\n";
    let (before, after) = text.rsplit_once("\nint main").map_or((text, String::new()), |(before, after)| {
        let after = after
            .replace("platform_main_end(", "checked_end(")
            .replace(", print_hash_value);\n    return", ");\n    return");
        (before, format!("\n{check}int main{after}"))
    });
    format!("{before}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_in_quotes_are_recognised() {
        assert_eq!(quoted_include("#include \"csmith.h\""), Some("csmith.h"));
        assert_eq!(quoted_include("  # include \"a.h\" "), Some("a.h"));
        assert_eq!(quoted_include("#include <stdio.h>"), None);
        assert_eq!(quoted_include("int x;"), None);
    }

    #[test]
    fn the_end_of_main_compares_the_checksum() {
        let text = "static int g;\nint main (void)\n{\n    platform_main_end(crc32_context ^ 1UL, print_hash_value);\n    return 0;\n}\n";
        let checked = with_check(text);
        assert!(checked.contains("    checked_end(crc32_context ^ 1UL);\n    return 0;"), "{checked}");
        assert!(checked.contains("if (crc != EXPECTED_CHECKSUM) reach_error();\n}\nint main (void)"), "{checked}");
    }
}
