//! Rules for all text files: no absolute paths of a developer's machine, no unresolved merges, and every paper
//! that is cited is listed.

use super::{File, Finding};

/// Where the papers are listed.
const PAPERS: &str = "docs/papers.md";

/// Beginnings of paths that exist on one machine only. Put together here so that this file has none.
const MACHINE_PATHS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

/// What git leaves behind where a merge was not resolved; put together here so that this file has none.
const MERGE_MARKS: &[&str] = &[concat!("<<<", "<<<< "), concat!(">>>", ">>>> ")];

/// All rules about text files.
pub fn check(files: &[File], found: &mut Vec<Finding>) {
    let listed = files.iter().find(|file| file.path == PAPERS).map_or("", |file| file.text.as_str());
    for file in files {
        for (index, line) in file.text.lines().enumerate() {
            let mut say = |message: String| found.push(Finding { path: file.path.clone(), line: index + 1, message });
            for path in MACHINE_PATHS {
                if starts_path(line, path) {
                    say(format!("`{path}` is a path of one machine"));
                }
            }
            if MERGE_MARKS.iter().any(|mark| line.starts_with(mark)) {
                say("an unresolved merge".to_owned());
            }
            for key in paper_keys(line) {
                if !listed.contains(key) {
                    say(format!("{key} is not listed in {PAPERS}"));
                }
            }
        }
    }
}

/// Whether the path occurs where a path can start, not in the middle of a longer one.
fn starts_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || ".-_".contains(c)))
}

/// Keys such as `[AuthorAuthor-VENUE'YY]`, with digits for the year.
fn paper_keys(line: &str) -> Vec<&str> {
    let is_key = |inside: &str| {
        let Some((authors, rest)) = inside.split_once('-') else { return false };
        let Some((venue, year)) = rest.rsplit_once('\'') else { return false };
        let word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric());
        word(authors)
            && venue.split(['-', '+']).all(word)
            && year.len() == 2
            && year.bytes().all(|c| c.is_ascii_digit())
    };
    let mut keys = Vec::new();
    for (start, _) in line.match_indices('[') {
        if let Some(length) = line[start..].find(']')
            && is_key(&line[start + 1..start + length])
        {
            keys.push(&line[start..=start + length]);
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::super::tests::check as check_files;
    use super::*;

    #[test]
    fn a_cited_paper_that_is_not_listed_is_found() {
        // Put together, so that this test cites no paper itself.
        let key = ["[BuenoSakallah-", "VMCAI'19]"].concat();
        let code = format!("//! As in {key}.\n");
        assert_eq!(check_files(check, &[("a.rs", &code), (PAPERS, "")]).len(), 1);
        assert_eq!(check_files(check, &[("a.rs", &code), (PAPERS, &format!("* {key} title\n"))]).len(), 0);
        assert_eq!(paper_keys("let x = a[i-1]; [AuthorAuthor-VENUE'YY] b['c'-1]"), Vec::<&str>::new());
    }

    #[test]
    fn an_unresolved_merge_is_found() {
        let text = format!("a\n{}HEAD\nb\n=======\nc\n{}other\n", MERGE_MARKS[0], MERGE_MARKS[1]);
        assert_eq!(check_files(check, &[("a.md", &text)]).len(), 2);
    }

    #[test]
    fn a_path_of_one_machine_is_found() {
        let path = MACHINE_PATHS[0];
        assert_eq!(check_files(check, &[("a.md", &format!("see {path}main\n"))]).len(), 1);
        assert_eq!(check_files(check, &[("a.md", &format!("see net{path}main\n"))]).len(), 0);
    }
}
