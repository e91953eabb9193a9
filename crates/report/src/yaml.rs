//! Reading YAML, as far as witnesses of any tool use it: maps, lists, plain and quoted scalars over several lines, block scalars,
//! comments, and all of it in the brackets of JSON. Anchors, aliases, tags that change meaning and complex keys are refused.
//!
//! An own reader: the part of YAML that witnesses use is small, and every library that reads all of YAML brings more than ten packages. Text from
//! strangers comes in here, so nesting is bounded, nothing is copied more than once, and all that is wrong ends in a message with its line.

use crate::tuning::Tuning;

mod scalar;

/// A value with the line where it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Yaml {
    /// What it is.
    pub node: Node,
    /// From one.
    pub line: usize,
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// Nothing was written.
    Null,
    /// Any scalar, as text.
    Text(String),
    /// A list.
    List(Vec<Yaml>),
    /// A map, in the order of the text.
    Map(Vec<(String, Yaml)>),
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The line, from one.
    pub line: usize,
    /// What.
    pub what: String,
}

impl Yaml {
    /// The value of this key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        match &self.node {
            Node::Map(map) => map.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.node {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }
    /// The elements of a list.
    pub fn list(&self) -> Option<&[Yaml]> {
        match &self.node {
            Node::List(list) => Some(list),
            _ => None,
        }
    }
}

// law: the stack holds this many levels.
/// No witness nests deeper.
const MAX_DEPTH: usize = 50;

/// Reads the first document of the text.
pub fn read(text: &str) -> Result<Yaml, Wrong> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { text: text.as_bytes(), at: 0, line: 1, line_start: 0, depth: 0 };
    reader.skip_blank()?;
    while reader.column() == 0 && (reader.peek() == b'%' || reader.at_mark(b"---")) {
        if reader.peek() == b'%' {
            reader.skip_line();
        } else {
            reader.advance(3);
        }
        reader.skip_blank()?;
    }
    let value = reader.block(0)?;
    reader.skip_blank()?;
    if reader.is_at_end() || reader.at_mark(b"---") || reader.at_mark(b"...") {
        return Ok(value);
    }
    Err(reader.wrong("this does not belong to what comes before"))
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
    line_start: usize,
    depth: usize,
}

impl Reader<'_> {
    fn wrong(&self, what: &str) -> Wrong {
        Wrong { line: self.line, what: what.to_owned() }
    }
    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }
    /// The next byte; zero at the end.
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }
    fn ahead(&self, n: usize) -> u8 {
        self.text.get(self.at + n).copied().unwrap_or(0)
    }
    fn column(&self) -> usize {
        self.at - self.line_start
    }
    fn advance(&mut self, n: usize) {
        for _ in 0..n {
            if self.peek() == b'\n' {
                self.line += 1;
                self.line_start = self.at + 1;
            }
            self.at = (self.at + 1).min(self.text.len());
        }
    }
    fn skip_line(&mut self) {
        while !self.is_at_end() && self.peek() != b'\n' {
            self.at += 1;
        }
    }
    /// `---` or `...` alone at the start of a line.
    fn at_mark(&self, mark: &[u8]) -> bool {
        self.column() == 0 && self.text[self.at..].starts_with(mark) && is_blank_or_end(self.ahead(3))
    }
    fn skip_spaces(&mut self) {
        while matches!(self.peek(), b' ' | b'\t') && !self.is_at_end() {
            self.at += 1;
        }
    }
    /// Goes to the next thing that is neither blank nor comment.
    fn skip_blank(&mut self) -> Result<(), Wrong> {
        loop {
            match self.peek() {
                _ if self.is_at_end() => return Ok(()),
                b'\t' if self.text[self.line_start..self.at].iter().all(|byte| *byte == b' ') => {
                    // A tab in front of nothing is nothing.
                    self.skip_spaces();
                    if !matches!(self.peek(), b'\n' | b'\r' | b'#') && !self.is_at_end() && self.depth == 0 {
                        return Err(self.wrong("a tab cannot indent"));
                    }
                }
                b' ' | b'\t' | b'\r' | b'\n' => self.advance(1),
                b'#' if self.at == self.line_start || matches!(self.text[self.at - 1], b' ' | b'\t') => {
                    self.skip_line();
                }
                _ => return Ok(()),
            }
        }
    }
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T, Wrong>) -> Result<T, Wrong> {
        if self.depth >= MAX_DEPTH {
            return Err(self.wrong("nested too deeply"));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }
    fn is_dash(&self) -> bool {
        self.peek() == b'-' && is_blank_or_end(self.ahead(1))
    }

    /// A value in block form that is indented by at least so much; null if what comes next is not.
    fn block(&mut self, indent: usize) -> Result<Yaml, Wrong> {
        self.skip_blank()?;
        let line = self.line;
        let here = |node| Ok(Yaml { node, line });
        if self.is_at_end() || self.column() < indent || self.at_mark(b"---") || self.at_mark(b"...") {
            return here(Node::Null);
        }
        if self.is_dash() {
            let list = self.deeper(Self::block_list)?;
            return here(Node::List(list));
        }
        if let b'|' | b'>' = self.peek() {
            return here(Node::Text(self.block_scalar(indent)?));
        }
        if self.begins_key() {
            let map = self.deeper(Self::block_map)?;
            return here(Node::Map(map));
        }
        self.inline(indent)
    }
    fn block_list(&mut self) -> Result<Vec<Yaml>, Wrong> {
        let column = self.column();
        let mut list = Vec::new();
        loop {
            self.advance(1);
            list.push(self.block(column + 1)?);
            self.skip_blank()?;
            if self.is_at_end() || self.column() < column || !self.is_dash() {
                return Ok(list);
            }
            if self.column() > column {
                return Err(self.wrong("this element is indented more than the one before"));
            }
        }
    }
    fn block_map(&mut self) -> Result<Vec<(String, Yaml)>, Wrong> {
        let column = self.column();
        let mut map: Vec<(String, Yaml)> = Vec::new();
        loop {
            let key = match self.peek() {
                b'"' | b'\'' => self.quoted()?,
                _ => self.plain_key(),
            };
            self.skip_spaces();
            if self.peek() != b':' {
                return Err(self.wrong("`:` is missing behind a key"));
            }
            if map.len() >= Tuning::DEFAULT.max_keys {
                return Err(self.wrong("too many keys in one map"));
            }
            if map.iter().any(|(known, _)| *known == key) {
                return Err(self.wrong(&format!("the key `{key}` appears twice")));
            }
            self.advance(1);
            let value = self.map_value(column)?;
            map.push((key, value));
            self.skip_blank()?;
            if self.is_at_end() || self.column() < column || self.at_mark(b"---") || self.at_mark(b"...") {
                return Ok(map);
            }
            if self.column() > column || !self.begins_key() {
                return Err(self.wrong("a key at the place of the one before is expected"));
            }
        }
    }
    /// What stands behind `key:`.
    fn map_value(&mut self, column: usize) -> Result<Yaml, Wrong> {
        let line = self.line;
        self.skip_spaces();
        if matches!(self.peek(), b'|' | b'>') {
            return Ok(Yaml { node: Node::Text(self.block_scalar(column + 1)?), line });
        }
        self.skip_blank()?;
        if self.line == line && !self.is_at_end() {
            return self.inline(column + 1);
        }
        // A list may stand as far left as its key.
        if !self.is_at_end() && self.column() == column && self.is_dash() {
            let line = self.line;
            let list = self.deeper(Self::block_list)?;
            return Ok(Yaml { node: Node::List(list), line });
        }
        self.block(column + 1)
    }
    /// Whether a key and `:` stand here.
    fn begins_key(&self) -> bool {
        let rest = &self.text[self.at..];
        let behind = match rest.first() {
            Some(quote @ (b'"' | b'\'')) => {
                let mut end = 1;
                while rest.get(end).is_some_and(|byte| byte != quote && *byte != b'\n') {
                    end += if rest[end] == b'\\' && *quote == b'"' { 2 } else { 1 };
                }
                let blanks = rest.get(end + 1..).unwrap_or_default().iter().take_while(|byte| **byte == b' ').count();
                end + 1 + blanks
            }
            Some(b'{' | b'[' | b'#' | b'&' | b'*' | b'!' | b'?' | b'@' | b'`' | b'%') => return false,
            _ => {
                let ends = |at: usize| {
                    rest[at] == b'\n' || (rest[at] == b':' && is_blank_or_end(rest.get(at + 1).copied().unwrap_or(0)))
                };
                (0..rest.len()).find(|&at| ends(at)).unwrap_or(rest.len())
            }
        };
        rest.get(behind) == Some(&b':') && is_blank_or_end(rest.get(behind + 1).copied().unwrap_or(0))
    }
    fn plain_key(&mut self) -> String {
        let start = self.at;
        while !(self.peek() == b':' && is_blank_or_end(self.ahead(1))) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.text[start..self.at]).trim_end().to_owned()
    }

    /// A flow value, a quoted or a plain scalar; continuation lines are indented by at least so much.
    fn inline(&mut self, indent: usize) -> Result<Yaml, Wrong> {
        let line = self.line;
        let node = match self.peek() {
            b'{' | b'[' => return self.flow(),
            b'"' | b'\'' => Node::Text(self.quoted()?),
            b'!' => {
                // A tag says what the value is; here all scalars are text.
                while !is_blank_or_end(self.peek()) {
                    self.at += 1;
                }
                return self.map_value(indent.saturating_sub(1));
            }
            b'&' | b'*' => return Err(self.wrong("anchors and aliases are not supported")),
            b'?' if is_blank_or_end(self.ahead(1)) => return Err(self.wrong("complex keys are not supported")),
            b'@' | b'`' | b'%' => return Err(self.wrong("a value cannot begin so")),
            _ => Node::Text(self.plain(Some(indent))?),
        };
        let value = Yaml { node, line };
        self.skip_spaces();
        let fits = matches!(self.peek(), b'\n' | b'\r' | b'#') || self.is_at_end();
        if fits { Ok(value) } else { Err(self.wrong("something stands behind the value")) }
    }
    /// A plain scalar; none: in brackets.
    fn plain(&mut self, indent: Option<usize>) -> Result<String, Wrong> {
        let mut text = String::new();
        loop {
            let start = self.at;
            while !self.is_at_end() && self.peek() != b'\n' {
                let byte = self.peek();
                let next = self.ahead(1);
                let ends = match byte {
                    b':' => is_blank_or_end(next) || (indent.is_none() && b",[]{}".contains(&next)),
                    b'#' => self.at > start && matches!(self.text[self.at - 1], b' ' | b'\t'),
                    b',' | b'[' | b']' | b'{' | b'}' => indent.is_none(),
                    _ => false,
                };
                if ends {
                    break;
                }
                self.at += 1;
            }
            let piece = String::from_utf8_lossy(&self.text[start..self.at]);
            let piece = piece.trim();
            if !text.is_empty() && !piece.is_empty() {
                text.push(' ');
            }
            text.push_str(piece);
            if let (b':', Some(_)) = (self.peek(), indent) {
                return Err(self.wrong("a map cannot begin inside of a line that is a value"));
            }
            if self.peek() != b'\n' || self.is_at_end() {
                return Ok(text);
            }
            let Some(indent) = indent else {
                return Ok(text);
            };
            let before = (self.at, self.line, self.line_start);
            self.skip_blank()?;
            let goes_on = !self.is_at_end()
                && self.column() >= indent
                && indent > 0
                && !self.at_mark(b"---")
                && !self.begins_key()
                && !self.is_dash();
            if !goes_on {
                (self.at, self.line, self.line_start) = before;
                return Ok(text);
            }
        }
    }
    /// `{…}`, `[…]`, or a scalar inside.
    fn flow(&mut self) -> Result<Yaml, Wrong> {
        self.skip_blank()?;
        let line = self.line;
        let node = match self.peek() {
            b'[' => Node::List(self.deeper(Self::flow_list)?),
            b'{' => Node::Map(self.deeper(Self::flow_map)?),
            b'"' | b'\'' => Node::Text(self.quoted()?),
            b'&' | b'*' => return Err(self.wrong("anchors and aliases are not supported")),
            _ => {
                let text = self.plain(None)?;
                if text.is_empty() { Node::Null } else { Node::Text(text) }
            }
        };
        Ok(Yaml { node, line })
    }
    fn flow_list(&mut self) -> Result<Vec<Yaml>, Wrong> {
        self.advance(1);
        let mut list = Vec::new();
        loop {
            self.skip_blank()?;
            if self.peek() == b']' {
                self.advance(1);
                return Ok(list);
            }
            list.push(self.flow()?);
            self.comma(b']')?;
        }
    }
    fn flow_map(&mut self) -> Result<Vec<(String, Yaml)>, Wrong> {
        self.advance(1);
        let mut map = Vec::new();
        loop {
            self.skip_blank()?;
            if self.peek() == b'}' {
                self.advance(1);
                return Ok(map);
            }
            let Node::Text(key) = self.flow()?.node else { return Err(self.wrong("a key is expected")) };
            self.skip_blank()?;
            let mut value = Yaml { node: Node::Null, line: self.line };
            if self.peek() == b':' {
                self.advance(1);
                value = self.flow()?;
            }
            map.push((key, value));
            self.comma(b'}')?;
        }
    }
    /// A comma, unless the bracket closes.
    fn comma(&mut self, close: u8) -> Result<(), Wrong> {
        self.skip_blank()?;
        match self.peek() {
            b',' => {
                self.advance(1);
                Ok(())
            }
            byte if byte == close => Ok(()),
            _ if self.is_at_end() => Err(self.wrong("a bracket is never closed")),
            _ => Err(self.wrong(&format!("`,` or `{}` is expected", char::from(close)))),
        }
    }
}

fn is_blank_or_end(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0)
}

#[cfg(test)]
mod tests;
