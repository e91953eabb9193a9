//! The table of contents of a module, found line by line without tokens.
//!
//! Functions and metadata nodes are ranges of the text; they are parsed when something asks for them. Most of a module is metadata, and most
//! functions of a module with a standard library in it are never called, so this pass is what reading costs.

use base::FastMap;

use crate::source::{Problem, error};

/// What a module contains, by name.
#[derive(Default)]
pub struct Module<'s> {
    /// The whole text.
    pub text: &'s str,
    /// Functions with a body: where they begin and end.
    pub defined: FastMap<&'s str, (u32, u32)>,
    /// Names of functions with a body, in order.
    pub functions: Vec<&'s str>,
    /// Functions without a body: where the declaration begins.
    pub declared: FastMap<&'s str, u32>,
    /// Global variables and aliases: where they begin.
    pub globals: FastMap<&'s str, u32>,
    /// Names of global variables and aliases, in order.
    pub global_names: Vec<&'s str>,
    /// Named types: where they begin.
    pub types: FastMap<&'s str, u32>,
    /// Groups of attributes: their text.
    pub attributes: FastMap<&'s str, &'s str>,
    /// Numbered metadata: where the line begins, or zero.
    pub nodes: Vec<u32>,
    /// Named metadata: its text.
    pub named: FastMap<&'s str, &'s str>,
    /// The data layout.
    pub layout: &'s str,
    /// Assembler outside of functions: where the line begins.
    pub assembler: Option<u32>,
}

/// Finds what the module contains.
pub fn scan(text: &str) -> Result<Module<'_>, Problem> {
    let mut module = Module { text, ..Module::default() };
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = line_end(bytes, at);
        let line = &text[at..end];
        at = match bytes[at] {
            b'd' if line.starts_with("define") => module.function(at, end)?,
            b'd' if line.starts_with("declare") => {
                let name = name_after(line, b'@').ok_or_else(|| nameless(at))?;
                module.declared.insert(name, at as u32);
                end
            }
            b'@' => {
                let name = name_after(line, b'@').ok_or_else(|| nameless(at))?;
                module.globals.insert(name, at as u32);
                module.global_names.push(name);
                end
            }
            b'%' => {
                let name = name_after(line, b'%').ok_or_else(|| nameless(at))?;
                module.types.insert(name, at as u32);
                end
            }
            b'!' => {
                module.metadata(at, line);
                end
            }
            b'a' if line.starts_with("attributes #") => {
                let name = line["attributes #".len()..].split([' ', '=']).next().unwrap_or("");
                module.attributes.insert(name, line);
                end
            }
            b't' if line.starts_with("target datalayout") => {
                module.layout = line.split('"').nth(1).unwrap_or("");
                end
            }
            b'm' if line.starts_with("module asm") => {
                module.assembler.get_or_insert(at as u32);
                end
            }
            _ if is_passed(line) => end,
            _ => return error(at as u32, "this line begins no part of an LLVM module"),
        };
        at += 1;
    }
    Ok(module)
}

/// Lines that say nothing that matters here, and lines that continue the one before.
fn is_passed(line: &str) -> bool {
    let known = ["target", "source_filename", "uselistorder", "attributes", "^", "$", ";", "}", "]", ")"];
    line.trim().is_empty() || line.starts_with([' ', '\t', '\r']) || known.iter().any(|word| line.starts_with(word))
}

fn nameless(at: usize) -> Problem {
    Problem { severity: base::Severity::Error, at: at as u32, message: "there is no name on this line".to_owned() }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| from + length)
}

/// The first name with this sigil. A quoted one of digits keeps a quote, as in `lex`.
fn name_after(line: &str, sigil: u8) -> Option<&str> {
    let start = line.bytes().position(|byte| byte == sigil)? + 1;
    let rest = &line[start..];
    if let Some(quoted) = rest.strip_prefix('"') {
        let name = quoted.split('"').next()?;
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        return Some(if is_number { &rest[..name.len() + 1] } else { name });
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-' | 0x80..);
    let end = rest.bytes().position(|byte| !is_part(byte)).unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

impl<'s> Module<'s> {
    /// Notes a function; returns the end of its last line.
    fn function(&mut self, start: usize, first_end: usize) -> Result<usize, Problem> {
        let bytes = self.text.as_bytes();
        let name = name_after(&self.text[start..first_end], b'@').ok_or_else(|| nameless(start))?;
        let mut end = first_end;
        // The header: up to a line that opens the body.
        loop {
            let line = self.text[start..end].trim_end();
            if line.ends_with('{') {
                break;
            }
            if line.ends_with('}') && line.contains('{') {
                self.note_function(name, start, end);
                return Ok(end);
            }
            if end >= bytes.len() {
                return error(start as u32, format!("the function `{name}` has no body"));
            }
            end = line_end(bytes, end + 1);
        }
        while end < bytes.len() {
            let line = end + 1;
            end = line_end(bytes, line);
            if bytes.get(line) == Some(&b'}') {
                self.note_function(name, start, end);
                return Ok(end);
            }
        }
        error(start as u32, format!("the body of the function `{name}` does not end"))
    }
    fn note_function(&mut self, name: &'s str, start: usize, end: usize) {
        self.defined.insert(name, (start as u32, end as u32));
        self.functions.push(name);
    }
    fn metadata(&mut self, at: usize, line: &'s str) {
        let digits = line[1..].bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            // Numbers are dense in files of LLVM; a larger one than there are bytes is no number of a node.
            if let Ok(number) = line[1..=digits].parse::<usize>()
                && number <= self.text.len()
            {
                if self.nodes.len() <= number {
                    self.nodes.resize(number + 1, u32::MAX);
                }
                self.nodes[number] = at as u32;
            }
        } else if let Some((name, rest)) = line[1..].split_once(" = ") {
            self.named.insert(name, rest);
        }
    }
    /// Whether a group of attributes contains this word.
    pub fn group_has(&self, group: &str, word: &str) -> bool {
        self.attributes.get(group).is_some_and(|line| {
            let inside = line.split_once('{').map_or("", |(_, inside)| inside);
            inside.split_ascii_whitespace().any(|one| one == word)
        })
    }
    /// The function of this name with the lifetime of the text, with or without a body.
    pub fn function_name(&self, name: &str) -> Option<&'s str> {
        let start = self.defined.get(name).map(|range| range.0).or_else(|| self.declared.get(name).copied());
        start.and_then(|start| self.name_at(start, b'@'))
    }
    /// The global variable of this name with the lifetime of the text.
    pub fn global_name(&self, name: &str) -> Option<&'s str> {
        self.globals.get(name).and_then(|&start| self.name_at(start, b'@'))
    }
    /// The type of this name with the lifetime of the text.
    pub fn type_name(&self, name: &str) -> Option<&'s str> {
        self.types.get(name).and_then(|&start| self.name_at(start, b'%'))
    }
    fn name_at(&self, start: u32, sigil: u8) -> Option<&'s str> {
        let end = line_end(self.text.as_bytes(), start as usize);
        name_after(&self.text[start as usize..end], sigil)
    }
    /// The line of a metadata node behind the equals sign.
    pub fn node(&self, number: u32) -> Option<&'s str> {
        let start = *self.nodes.get(number as usize)? as usize;
        if start >= self.text.len() {
            return None;
        }
        let end = line_end(self.text.as_bytes(), start);
        self.text[start..end].split_once(" = ").map(|(_, node)| node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_module_are_found() {
        let text = "target datalayout = \"e-p:64:64\"\n%\"a b\" = type { i32 }\n@g = global i32 0\n\
            declare i32 @h(i32)\ndefine void @f() #0 {\n  ret void\n}\nattributes #0 = { noreturn \"x\"=\"y\" }\n\
            !llvm.dbg.cu = !{!0}\n!0 = !{}\n";
        let module = scan(text).expect("it is a module");
        assert_eq!(module.layout, "e-p:64:64");
        assert!(module.types.contains_key("a b") && module.globals.contains_key("g"));
        assert_eq!(module.functions, ["f"]);
        assert!(module.declared.contains_key("h") && module.group_has("0", "noreturn"));
        assert_eq!((module.node(0), module.node(1)), (Some("!{}"), None));
        assert_eq!(module.named.get("llvm.dbg.cu").copied(), Some("!{!0}"));
    }

    #[test]
    fn a_body_on_one_line_and_one_that_does_not_end() {
        assert_eq!(scan("define void @f() { ret void }\n").map(|module| module.functions.len()), Ok(1));
        assert!(scan("define void @f() {\n ret void\n").is_err());
        assert!(scan("define\n").is_err());
        assert!(scan("hello\n").is_err());
    }
}
