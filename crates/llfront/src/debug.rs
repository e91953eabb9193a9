//! Debug information: metadata nodes read where something asks for them.
//!
//! A place is the innermost one in a file of the user: compilers inline library code, and the chain `inlinedAt` leads back to the
//! user's line.

use base::FastMap;
use program::Shown;

use crate::scan::Module;

// law: chains of debug information are this long at most.
/// How many steps of a chain of scopes or types are followed.
const MAX_CHAIN: usize = 200;

/// The value of a field of a node: `key: value`.
pub fn field<'s>(node: &'s str, key: &str) -> Option<&'s str> {
    let open = node.find('(')?;
    let bytes = node.as_bytes();
    let (mut depth, mut is_text, mut start) = (0i32, false, open + 1);
    for at in open..bytes.len() {
        match bytes[at] {
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        let is_end = depth == 0;
        if is_end || bytes[at] == b',' && depth == 1 && !is_text {
            let part = node[start..at].trim();
            if let Some(value) = part.strip_prefix(key).and_then(|rest| rest.strip_prefix(':')) {
                return Some(value.trim());
            }
            start = at + 1;
        }
        if is_end {
            return None;
        }
    }
    None
}

/// The number behind `!`.
pub fn number(text: &str) -> Option<u32> {
    text.strip_prefix('!')?.parse().ok()
}

/// The text between quotes.
pub fn text(value: &str) -> Option<String> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    Some(String::from_utf8_lossy(&crate::lex::unescape(inner)).into_owned())
}

/// A file and a position in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlace {
    /// The file as the compiler was given it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column; zero if it is not known.
    pub column: u32,
}

/// Whether a file is part of a library that comes with the compiler.
fn is_library(file: &str) -> bool {
    file.starts_with("/rustc/")
        || file.starts_with("library/")
        || file.contains("/rustlib/src/rust/")
        || file.starts_with("/usr/")
        || file.ends_with("uforia_harness.rs")
}

/// A reader of the nodes of one module.
pub struct Debug<'m, 's> {
    module: &'m Module<'s>,
    places: FastMap<u32, Option<SourcePlace>>,
    files: FastMap<u32, Option<String>>,
}

impl<'m, 's> Debug<'m, 's> {
    /// A reader of this module.
    pub fn new(module: &'m Module<'s>) -> Self {
        Debug { module, places: FastMap::new(), files: FastMap::new() }
    }
    fn follow(&self, node: &'s str, key: &str) -> Option<&'s str> {
        self.module.node(number(field(node, key)?)?)
    }
    /// The name of a `DIFile`.
    fn file(&mut self, id: u32) -> Option<String> {
        if let Some(known) = self.files.get(&id) {
            return known.clone();
        }
        let name = self.module.node(id).and_then(|node| text(field(node, "filename")?));
        // rustc names the copy of a crate in the folder of the compiler in two parts: `./lib.rs/@/hash`.
        let name = name.map(|name| name.split("/@/").next().unwrap_or("").to_owned());
        self.files.insert(id, name.clone());
        name
    }
    /// The file of a scope.
    fn scope_file(&mut self, scope: u32) -> Option<String> {
        let mut id = scope;
        for _ in 0..MAX_CHAIN {
            let node = self.module.node(id)?;
            if let Some(file) = field(node, "file").and_then(number) {
                return self.file(file);
            }
            id = number(field(node, "scope")?)?;
        }
        None
    }
    /// The place that a `DILocation` stands for.
    pub fn place(&mut self, location: u32) -> Option<SourcePlace> {
        if let Some(known) = self.places.get(&location) {
            return known.clone();
        }
        let mut first = None;
        let mut found = None;
        let mut id = Some(location);
        for _ in 0..MAX_CHAIN {
            let Some(node) = id.and_then(|id| self.module.node(id)) else { break };
            let line = field(node, "line").and_then(|line| line.parse().ok()).unwrap_or(0);
            let column = field(node, "column").and_then(|column| column.parse().ok()).unwrap_or(0);
            let file = field(node, "scope").and_then(number).and_then(|scope| self.scope_file(scope));
            if let (Some(file), true) = (file, line > 0) {
                let is_user = !is_library(&file);
                let place = SourcePlace { file, line, column };
                if is_user {
                    found = Some(place);
                    break;
                }
                first.get_or_insert(place);
            }
            id = field(node, "inlinedAt").and_then(number);
        }
        let place = found.or(first);
        self.places.insert(location, place.clone());
        place
    }
    /// Whether the node is a `DILocation`.
    pub fn is_location(&self, id: u32) -> bool {
        self.module.node(id).is_some_and(|node| node.contains("!DILocation("))
    }
    /// Where a subprogram or variable is declared.
    pub fn declared(&mut self, id: u32) -> Option<SourcePlace> {
        let node = self.module.node(id)?;
        let line = field(node, "line")?.parse().ok()?;
        let file = self.file(number(field(node, "file")?)?)?;
        Some(SourcePlace { file, line, column: 0 })
    }
    /// The name of a subprogram with its scopes: `Ring::push`.
    pub fn path(&self, id: u32) -> Option<String> {
        let mut node = self.module.node(id)?;
        let mut parts = vec![text(field(node, "name")?)?];
        for _ in 0..MAX_CHAIN {
            let Some(scope) = self.follow(node, "scope") else { break };
            if let Some(name) = field(scope, "name").and_then(text)
                && !scope.contains("DICompileUnit")
                && !scope.contains("DIFile")
            {
                parts.push(name);
            }
            node = scope;
        }
        parts.reverse();
        Some(parts.join("::"))
    }
    /// The text of a node.
    pub fn node(&self, id: u32) -> Option<&'s str> {
        self.module.node(id)
    }
    /// The type of a variable.
    pub fn type_of(&self, variable: u32) -> Option<u32> {
        number(field(self.module.node(variable)?, "type")?)
    }
    /// The type behind names and qualifiers.
    pub fn unqualified(&self, ty: u32) -> u32 {
        let mut id = ty;
        for _ in 0..MAX_CHAIN {
            let node = self.module.node(id).unwrap_or("");
            let tag = field(node, "tag").unwrap_or("");
            let is_name =
                matches!(tag, "DW_TAG_typedef" | "DW_TAG_const_type" | "DW_TAG_volatile_type" | "DW_TAG_restrict_type");
            match field(node, "baseType").and_then(number) {
                Some(next) if is_name => id = next,
                _ => break,
            }
        }
        id
    }
    /// Name and reading of a variable.
    pub fn variable(&self, id: u32) -> Option<(String, Shown)> {
        let node = self.module.node(id)?;
        let name = text(field(node, "name")?)?;
        Some((name, field(node, "type").and_then(number).map_or(Shown::Unsigned, |ty| self.shown(ty))))
    }
    /// The node of a global variable behind its `DIGlobalVariableExpression`.
    pub fn global(&self, id: u32) -> Option<u32> {
        number(field(self.module.node(id)?, "var")?)
    }
    /// How values of a type read.
    pub fn shown(&self, ty: u32) -> Shown {
        let mut id = ty;
        for _ in 0..MAX_CHAIN {
            let Some(node) = self.module.node(id) else { return Shown::Unsigned };
            if node.contains("DIBasicType") {
                return match field(node, "encoding") {
                    Some("DW_ATE_signed" | "DW_ATE_signed_char") => Shown::Signed,
                    Some("DW_ATE_float") => Shown::Float,
                    Some("DW_ATE_boolean") => Shown::Plain,
                    _ => Shown::Unsigned,
                };
            }
            if node.contains("DW_TAG_pointer_type") || node.contains("DW_TAG_reference_type") {
                return Shown::Pointer;
            }
            match field(node, "baseType").and_then(number) {
                Some(next) => id = next,
                None => return Shown::Unsigned,
            }
        }
        Shown::Unsigned
    }
    /// The compiler that wrote the module: whether it is rustc.
    pub fn is_rust(&self) -> bool {
        let named = |name: &str| self.module.named.get(name).copied().unwrap_or("");
        let ids = [named("llvm.ident"), named("llvm.dbg.cu")].concat();
        ids.split(|c: char| !c.is_ascii_digit() && c != '!').filter_map(number).any(|id| {
            self.module.node(id).is_some_and(|node| node.contains("rustc version") || node.contains("DW_LANG_Rust"))
        })
    }
    /// Whether a compile unit was optimised by LLVM's passes (rustc says so for its own optimisations, too).
    pub fn is_optimised(&self) -> bool {
        let units = self.module.named.get("llvm.dbg.cu").copied().unwrap_or("");
        units
            .split(|c: char| !c.is_ascii_digit() && c != '!')
            .filter_map(number)
            .any(|id| self.module.node(id).is_some_and(|node| field(node, "isOptimized") == Some("true")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_outside_of_nested_nodes() {
        let node = "distinct !DISubprogram(name: \"a, b: c\", x: !DIExpression(name: 3), line: 7)";
        assert_eq!(field(node, "name"), Some("\"a, b: c\""));
        assert_eq!(field(node, "line"), Some("7"));
        assert_eq!(field(node, "scope"), None);
        assert_eq!(field("!{}", "scope"), None);
    }

    #[test]
    fn a_place_is_the_innermost_one_of_the_user() {
        let text = "!0 = !DILocation(line: 9, column: 1, scope: !2, inlinedAt: !1)\n\
            !1 = !DILocation(line: 4, column: 5, scope: !3)\n\
            !2 = distinct !DISubprogram(name: \"add\", file: !4)\n!3 = distinct !DISubprogram(name: \"main\", file: !5)\n\
            !4 = !DIFile(filename: \"/rustc/x/library/core/src/a.rs\", directory: \"\")\n\
            !5 = !DIFile(filename: \"p.rs\", directory: \"/tmp\")\n";
        let module = crate::scan::scan(text).expect("it is a module");
        let mut debug = Debug::new(&module);
        let expected = SourcePlace { file: "p.rs".to_owned(), line: 4, column: 5 };
        assert_eq!(debug.place(0), Some(expected));
        assert_eq!(debug.path(3).as_deref(), Some("main"));
    }
}
