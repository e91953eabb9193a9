//! Bodies from another module: functions that a module calls and does not define, taken from a library as text.
//!
//! Three libraries are used in this way: the standard library of Rust, which link-time optimisation writes into one module, and models of the C
//! and C++ libraries, compiled by the same clang. Only functions that are wanted, and what they need in turn, are taken. A definition of the program wins.
//!
//! The text of a function mentions things by names and numbers of its module. Attribute groups get other numbers, constants and types get other
//! names, and metadata is left out (places in the library are not shown). Variables keep their names, since the program may mean the same one.

use base::FastMap;

use crate::lower::is_known_by_path;
use crate::scan::{self, Module};

/// The named metadata that says how many functions came from an optimised library.
pub const MARK: &str = "uforia.optimised";
/// Attribute groups of the library have this in front of their number.
const GROUP: &str = "9999";

/// The text with these functions, and what they need, from the library. `None` if there is nothing to add or the modules do not fit.
pub fn supplement(text: &str, library: &str, wanted: &[String], is_optimised: bool) -> Option<String> {
    let (program, library) = (scan::scan(text).ok()?, scan::scan(library).ok()?);
    let mut adding =
        Adding { program: &program, library: &library, seen: FastMap::new(), work: Vec::new(), out: String::new() };
    let mut n_bodies = 0;
    for name in wanted {
        if let Some(name) = library.function_name(name)
            && library.defined.contains_key(name)
            && !program.defined.contains_key(name)
        {
            adding.want(Kind::Global, name);
        } else if let Some(name) = library.global_name(name)
            && program.globals.contains_key(name)
        {
            adding.want(Kind::Global, name);
        }
    }
    while let Some((kind, name)) = adding.work.pop() {
        n_bodies += usize::from(adding.add(kind, name)?);
    }
    if n_bodies == 0 {
        return None;
    }
    let mut out = text.to_owned();
    if !out.ends_with('\n') {
        out.push('\n');
    }
    // What is defined now is not declared as well.
    out.push_str(&adding.out);
    for line in library.text.lines() {
        if let Some(group) = line.strip_prefix("attributes #") {
            out.push_str(&format!("attributes #{GROUP}{group}\n"));
        }
    }
    if is_optimised {
        out.push_str(&format!("!{MARK} = !{{!\"{n_bodies}\"}}\n"));
    }
    Some(out)
}

/// Types and globals may have the same name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Type,
    Global,
}

struct Adding<'m, 's> {
    program: &'m Module<'s>,
    library: &'m Module<'s>,
    seen: FastMap<(Kind, &'s str), ()>,
    work: Vec<(Kind, &'s str)>,
    out: String,
}

impl<'s> Adding<'_, 's> {
    fn want(&mut self, kind: Kind, name: &'s str) {
        if self.seen.insert((kind, name), ()).is_none() {
            self.work.push((kind, name));
        }
    }
    /// Adds one thing of the library; says whether it is a body.
    fn add(&mut self, kind: Kind, name: &'s str) -> Option<bool> {
        let (program, library) = (self.program, self.library);
        if kind == Kind::Type {
            let &start = library.types.get(name)?;
            let line = library.text[start as usize..].lines().next()?;
            self.take(line)?;
        } else if let Some(&(start, end)) = library.defined.get(name) {
            if program.defined.contains_key(name) {
                return Some(false);
            }
            let text = &library.text[start as usize..end as usize];
            if is_known_by_path(name) {
                if !program.declared.contains_key(name) {
                    let header = text.split_once('{').map_or(text, |(header, _)| header);
                    let header = header.strip_prefix("define")?.split(" personality ").next()?;
                    self.take(&format!("declare{}", without_linkage(header)))?;
                }
                return Some(false);
            }
            self.take(text)?;
            return Some(true);
        }
        if let Some(&start) = library.declared.get(name) {
            if !program.defined.contains_key(name) && !program.declared.contains_key(name) {
                let line = library.text[start as usize..].lines().next()?;
                self.take(line)?;
            }
        } else if let Some(&start) = library.globals.get(name) {
            let line = library.text[start as usize..].lines().next()?;
            if self.is_kept(name) {
                let own = program.globals.get(name).map(|&at| program.text[at as usize..].lines().next().unwrap_or(""));
                if own.is_some_and(|own| !own.contains(" external ")) {
                    return Some(false);
                }
            }
            self.take(line)?;
        }
        Some(false)
    }
    /// Whether the name of a global of the library stays: it is a variable, which the program may know as well.
    fn is_kept(&self, name: &str) -> bool {
        let Some(&start) = self.library.globals.get(name) else { return true };
        let line = self.library.text[start as usize..].lines().next().unwrap_or("");
        let head = line.split(['{', '[', '<', '(']).next().unwrap_or(line);
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        !is_number && !head.split_ascii_whitespace().any(|word| word == "constant")
    }
    /// Writes the text with other names and numbers, and wants what it mentions.
    fn take(&mut self, text: &str) -> Option<()> {
        for line in text.lines() {
            if is_only_metadata(line) {
                continue;
            }
            let line = without_attachments(line);
            let mut rest = line.as_str();
            while let Some(at) = rest.find(['@', '%', '#', '"']) {
                let sigil = rest.as_bytes()[at];
                self.out.push_str(&rest[..at]);
                rest = &rest[at..];
                let length = match sigil {
                    // A string, such as the bytes of a constant; there are no escaped quotes.
                    b'"' => rest[1..].find('"')? + 2,
                    _ => token_length(rest),
                };
                let (token, behind) = rest.split_at(length);
                self.token(sigil, token);
                rest = behind;
            }
            self.out.push_str(rest);
            self.out.push('\n');
        }
        Some(())
    }
    fn token(&mut self, sigil: u8, token: &str) {
        let name = token[1..].trim_matches('"');
        let known = match sigil {
            b'@' => self.known(name),
            b'%' => self.library.type_name(name),
            b'#' if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.out.push_str(&format!("#{GROUP}{name}"));
                return;
            }
            _ => None,
        };
        if let Some(known) = known {
            self.want(if sigil == b'%' { Kind::Type } else { Kind::Global }, known);
            if sigil == b'%' || !self.is_kept(known) {
                self.out.push_str(&format!("{}\"library {name}\"", char::from(sigil)));
                return;
            }
        }
        self.out.push_str(token);
    }
    fn known(&self, name: &str) -> Option<&'s str> {
        self.library.function_name(name).or_else(|| self.library.global_name(name))
    }
}

/// How long the name at the start is, with its sigil and quotes.
fn token_length(text: &str) -> usize {
    if let Some(quoted) = text[1..].strip_prefix('"') {
        return quoted.find('"').map_or(text.len(), |end| end + 3);
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-' | 0x80..);
    text[1..].bytes().position(|byte| !is_part(byte)).map_or(text.len(), |end| end + 1)
}

/// Whether the line says something about the source only, or about aliases.
fn is_only_metadata(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#dbg_")
        || line.contains("@llvm.dbg.") && line.contains("call ")
        || line.contains("@llvm.experimental.noalias.scope.decl")
}

/// The line without metadata that is attached: `, !dbg !7` of an instruction, ` !dbg !7 {` of a function.
fn without_attachments(line: &str) -> String {
    let start = line.rfind('"').map_or(0, |quote| quote + 1);
    let is_attachment = |at: usize| {
        let rest = &line[at + 1..];
        let length =
            rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')).count();
        length > 0 && !rest.starts_with(|c: char| c.is_ascii_digit()) && rest[length..].starts_with(" !")
    };
    let found = line[start..].match_indices('!').map(|(at, _)| start + at).find(|&at| is_attachment(at));
    let Some(at) = found else { return line.to_owned() };
    let head = line[..at].trim_end();
    let head = head.strip_suffix(',').unwrap_or(head);
    if line.ends_with('{') { format!("{head} {{") } else { head.to_owned() }
}

/// The header of a function without the words that only a definition has.
fn without_linkage(header: &str) -> String {
    let linkage = ["internal", "private", "linkonce_odr", "weak_odr", "linkonce", "weak", "comdat"];
    header.split(' ').filter(|word| !linkage.contains(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "@c = private constant [1 x i8] c\"a\"\n@v = external global i32\ndeclare i32 @f(i32)\n\
        define i32 @main() #0 {\n  %x = call i32 @f(i32 1)\n  ret i32 %x\n}\nattributes #0 = { nounwind }\n";
    const LIBRARY: &str = "%t = type { i32 }\n@c = private constant [3 x i8] c\"!a#\"\n@v = global i32 7\n\
        define i32 @f(i32 %a) #0 !dbg !3 {\n    #dbg_value(i32 %a, !4, !DIExpression(), !5)\n  \
        %p = getelementptr %t, ptr @v, i32 0, i32 0\n  %v = load i32, ptr %p, align 4, !dbg !6, !noundef !2\n  \
        %b = load i8, ptr @c\n  call void @g()\n  ret i32 %v\n}\ndefine void @g() {\n  ret void\n}\n\
        define void @unused() {\n  ret void\n}\nattributes #0 = { noreturn }\n!2 = !{}\n";

    #[test]
    fn wanted_functions_come_with_what_they_need() {
        let text = supplement(PROGRAM, LIBRARY, &["f".to_owned()], true).expect("the modules fit");
        let module = scan::scan(&text).expect("it is a module");
        assert!(module.defined.contains_key("f") && module.defined.contains_key("g"));
        assert!(!module.defined.contains_key("unused") && module.types.contains_key("library t"));
        assert!(
            text.contains("@v = global i32 7\n")
                && text.contains("@\"library c\" = private constant [3 x i8] c\"!a#\"\n")
        );
        assert!(text.contains("load i8, ptr @\"library c\"\n") && text.contains("load i32, ptr %p, align 4\n"));
        assert!(
            text.contains("define i32 @f(i32 %a) #99990 {\n") && text.contains("attributes #99990 = { noreturn }\n")
        );
        assert_eq!(module.named.get(MARK).copied(), Some("!{!\"2\"}"));
        assert!(crate::read_all("t.ll", &text).is_ok());
    }

    #[test]
    fn a_definition_of_the_program_wins_and_types_of_the_same_name_differ() {
        assert_eq!(supplement(LIBRARY, LIBRARY, &["f".to_owned()], false), None);
        assert_eq!(supplement(PROGRAM, LIBRARY, &["h".to_owned()], false), None);
        let text = supplement(&format!("%t = type {{ i64 }}\n{PROGRAM}"), LIBRARY, &["f".to_owned()], false);
        let text = text.expect("the modules fit");
        assert!(text.contains("%t = type { i64 }\n") && text.contains("%\"library t\" = type { i32 }\n"));
        assert!(text.contains("getelementptr %\"library t\", ptr @v"));
    }
}
