//! A graph that an engine works on, as data: who shows it decides how.

/// A graph at some moment of a run.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// What has been done so far, in a few words.
    pub title: String,
    /// The nodes.
    pub nodes: Vec<PictureNode>,
    /// From one node to another, by their places in `nodes`.
    pub edges: Vec<(usize, usize)>,
    /// From a covered node to those that cover it together.
    pub covers: Vec<(usize, usize)>,
    /// What is known beside the labels: the place, and the formula.
    pub facts: Vec<(String, String)>,
}

/// A node.
#[derive(Clone, Debug)]
pub struct PictureNode {
    /// Its name, the same in all pictures of a run.
    pub name: String,
    /// Where in the program it is.
    pub place: String,
    /// The formula that holds there.
    pub label: String,
    /// Nodes of one layer are copies of one place; layers are in the order of the program.
    pub layer: usize,
    /// How it is drawn.
    pub look: Look,
}

/// How a node is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// What is behind it counts.
    Open,
    /// Others cover it.
    Covered,
    /// It has no states.
    Empty,
    /// The error.
    Error,
}

impl Look {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Look::Open => "open",
            Look::Covered => "covered",
            Look::Empty => "empty",
            Look::Error => "error",
        }
    }
}
