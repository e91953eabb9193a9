//! S-expressions, flat in one vector: children come before their list, so a list and all below it
//! are one run of nodes. Nothing recurses, neither building nor dropping.

use super::lexer::{At, Kind, Lexer, ReadError, Token};

/// A node's place in the [`Sexprs`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Node(pub u32);

struct Entry<'a> {
    /// `Open` for a list.
    token: Token<'a>,
    /// Where the children of a list stand in `children`.
    from: u32,
    to: u32,
    /// The first node of the run that ends here.
    start: u32,
}

/// One top-level expression and everything below it.
pub(super) struct Sexprs<'a> {
    entries: Vec<Entry<'a>>,
    children: Vec<Node>,
}

impl<'a> Sexprs<'a> {
    /// Reads the next top-level expression; nothing at the end of the text.
    pub fn read(lexer: &mut Lexer<'a>) -> Result<Option<(Sexprs<'a>, Node)>, ReadError> {
        Sexprs::from_tokens(|| lexer.next())
    }
    /// The first expression that these tokens make up; nothing if there are none.
    pub fn from_tokens(
        mut next_token: impl FnMut() -> Result<Option<Token<'a>>, ReadError>,
    ) -> Result<Option<(Sexprs<'a>, Node)>, ReadError> {
        let mut sexprs = Sexprs { entries: Vec::new(), children: Vec::new() };
        // Lists that are open: their parenthesis, the first node below, the first waiting child.
        let mut open: Vec<(Token<'a>, u32, usize)> = Vec::new();
        let mut waiting: Vec<Node> = Vec::new();
        loop {
            let Some(token) = next_token()? else {
                return match open.last() {
                    Some((token, ..)) => token.at.error("this parenthesis is never closed"),
                    None => Ok(None),
                };
            };
            let next = sexprs.entries.len() as u32;
            let node = match token.kind {
                Kind::Open => {
                    open.push((token, next, waiting.len()));
                    continue;
                }
                Kind::Close => {
                    let Some((token, start, first)) = open.pop() else {
                        return token.at.error("this parenthesis closes nothing");
                    };
                    let from = sexprs.children.len() as u32;
                    sexprs.children.extend(waiting.drain(first..));
                    let to = sexprs.children.len() as u32;
                    Entry { token, from, to, start }
                }
                _ => Entry { token, from: 0, to: 0, start: next },
            };
            sexprs.entries.push(node);
            if open.is_empty() {
                return Ok(Some((sexprs, Node(next))));
            }
            waiting.push(Node(next));
        }
    }

    pub fn at(&self, node: Node) -> At {
        self.entries[node.0 as usize].token.at
    }
    pub fn is_list(&self, node: Node) -> bool {
        self.entries[node.0 as usize].token.kind == Kind::Open
    }
    /// The children of a list; none for an atom.
    pub fn list(&self, node: Node) -> &[Node] {
        let entry = &self.entries[node.0 as usize];
        &self.children[entry.from as usize..entry.to as usize]
    }
    /// The atom's token; nothing for a list.
    pub fn atom(&self, node: Node) -> Option<Token<'a>> {
        Some(self.entries[node.0 as usize].token).filter(|token| token.kind != Kind::Open)
    }
    /// The text of a symbol, quoted or not.
    pub fn symbol(&self, node: Node) -> Option<&'a str> {
        self.atom(node).filter(|token| matches!(token.kind, Kind::Symbol | Kind::Quoted)).map(|token| token.text)
    }
    /// The text of a symbol that is not quoted, and so can be a reserved word.
    pub fn word(&self, node: Node) -> Option<&'a str> {
        self.atom(node).filter(|token| token.kind == Kind::Symbol).map(|token| token.text)
    }
    /// Whether the atom is a symbol between bars.
    pub fn is_quoted(&self, node: Node) -> bool {
        self.atom(node).is_some_and(|token| token.kind == Kind::Quoted)
    }
    pub fn numeral(&self, node: Node) -> Option<u32> {
        self.atom(node).filter(|token| token.kind == Kind::Numeral).and_then(|token| token.text.parse().ok())
    }
    /// The name and indices of `(_ name index ...)` with numerals as indices.
    pub fn indexed(&self, node: Node) -> Option<(&'a str, Vec<u32>)> {
        match self.list(node) {
            [underscore, name, indices @ ..] if self.word(*underscore) == Some("_") && !indices.is_empty() => {
                let indices: Option<Vec<u32>> = indices.iter().map(|&index| self.numeral(index)).collect();
                Some((self.symbol(*name)?, indices?))
            }
            _ => None,
        }
    }
    /// The node and all below it, children first.
    pub fn below(&self, node: Node) -> impl Iterator<Item = Node> + use<> {
        (self.entries[node.0 as usize].start..=node.0).map(Node)
    }
    /// The expression as text with single blanks.
    pub fn text(&self, node: Node) -> String {
        enum Step {
            Node(Node),
            Text(&'static str),
        }
        let mut text = String::new();
        let mut steps = vec![Step::Node(node)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Text(part) => text.push_str(part),
                Step::Node(node) => match self.atom(node) {
                    Some(token) => match token.kind {
                        Kind::Hex => text.push_str(&format!("#x{}", token.text)),
                        Kind::Binary => text.push_str(&format!("#b{}", token.text)),
                        Kind::String => text.push_str(&format!("\"{}\"", token.text)),
                        Kind::Quoted => text.push_str(&format!("|{}|", token.text)),
                        _ => text.push_str(token.text),
                    },
                    None => {
                        text.push('(');
                        steps.push(Step::Text(")"));
                        for (i, &child) in self.list(node).iter().enumerate().rev() {
                            steps.push(Step::Node(child));
                            if i > 0 {
                                steps.push(Step::Text(" "));
                            }
                        }
                    }
                },
            }
        }
        text
    }
}
