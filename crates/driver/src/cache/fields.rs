//! Lines of fields between tabs, and the words of which fields are made: numbers, points, instances, sorts.

use base::Id;
use program::{Class, EdgeId, Frame, HeapPart, Instance, Loc, ObjectId, Point, Storage, Var};
use term::smtlib::{Piece, TermReader};
use term::{Sort, Terms};

/// What can be wrong with a line.
pub type Wrong = String;

/// Text to which lines are added.
pub trait Write {
    /// Adds a line of these fields.
    fn line(&mut self, fields: &[&str]);
}

impl Write for String {
    fn line(&mut self, fields: &[&str]) {
        self.push_str(&fields.join("\t"));
        self.push('\n');
    }
}

/// Whether the text can be a field, and a name in a term.
pub fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|c| c.is_control() || c == '|' || c == '\\')
}

/// Lines that are read one by one.
pub struct Lines<'t> {
    rest: std::iter::Peekable<std::str::Lines<'t>>,
}

impl<'t> Lines<'t> {
    /// All lines of the text.
    pub fn of(text: &'t str) -> Self {
        Lines { rest: text.lines().peekable() }
    }
    /// The first word of the next line; empty at the end.
    pub fn peek(&mut self) -> &'t str {
        self.rest.peek().map_or("", |line| line.split('\t').next().unwrap_or_default())
    }
    /// The next line, if it begins with this word: the fields behind it.
    pub fn take(&mut self, word: &str) -> Option<Fields<'t>> {
        if self.peek() != word {
            return None;
        }
        let mut fields = self.rest.next()?.split('\t');
        fields.next();
        Some(Fields { rest: fields.flat_map(words).collect::<Vec<&str>>().into_iter() })
    }
    /// The next line, which begins with this word.
    pub fn expect(&mut self, word: &str) -> Result<Fields<'t>, Wrong> {
        self.take(word).ok_or_else(|| format!("a line `{word}` is missing"))
    }
    /// The next line, if it begins with this word: the last of `n_fields` fields behind it may contain blanks.
    pub fn take_text(&mut self, word: &str, n_fields: usize) -> Option<Result<(Fields<'t>, &'t str), Wrong>> {
        if self.peek() != word {
            return None;
        }
        let line = self.rest.next()?;
        let mut fields: Vec<&str> = line.splitn(n_fields + 1, '\t').skip(1).collect();
        let Some(text) = fields.pop().filter(|_| fields.len() + 1 == n_fields) else {
            return Some(Err(format!("a line `{word}` is too short")));
        };
        let rest = fields.into_iter().flat_map(words).collect::<Vec<&str>>().into_iter();
        Some(Ok((Fields { rest }, text)))
    }
    /// Whether all lines were read.
    pub fn end(&mut self) -> Result<(), Wrong> {
        match self.peek() {
            "" => Ok(()),
            _ => Err("there is a line that has no place".to_owned()),
        }
    }
}

fn words(field: &str) -> std::str::Split<'_, char> {
    field.split(' ')
}

/// Words that are read one by one.
pub struct Fields<'t> {
    rest: std::vec::IntoIter<&'t str>,
}

impl<'t> Fields<'t> {
    /// The next word.
    pub fn word(&mut self) -> Result<&'t str, Wrong> {
        self.rest.next().ok_or_else(|| "a line is too short".to_owned())
    }
    /// The next word as a number.
    pub fn number<T: std::str::FromStr>(&mut self) -> Result<T, Wrong> {
        self.word()?.parse().map_err(|_| "a number is wrong".to_owned())
    }
    /// The next word as a number, or `-` for none.
    pub fn option<T: std::str::FromStr>(&mut self) -> Result<Option<T>, Wrong> {
        match self.word()? {
            "-" => Ok(None),
            word => word.parse().map(Some).map_err(|_| "a number is wrong".to_owned()),
        }
    }
    /// The next word as an id.
    pub fn id<I: Id>(&mut self) -> Result<I, Wrong> {
        Ok(I::new(self.number::<u32>()? as usize))
    }
    /// All other words as numbers.
    pub fn numbers<T: std::str::FromStr>(&mut self) -> Result<Vec<T>, Wrong> {
        let mut all = Vec::new();
        while self.rest.len() > 0 {
            all.push(self.number()?);
        }
        Ok(all)
    }
    /// How many words are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }
    /// An activation: the number of calls, and the calls.
    pub fn frame(&mut self) -> Result<Frame, Wrong> {
        let n: usize = self.number()?;
        if n > self.rest.len() {
            return Err("a line is too short".to_owned());
        }
        (0..n).map(|_| self.id::<EdgeId>()).collect::<Result<Vec<EdgeId>, Wrong>>().map(Frame)
    }
    /// A point.
    pub fn point(&mut self) -> Result<Point, Wrong> {
        Ok(Point { frame: self.frame()?, loc: self.id::<Loc>()? })
    }
    /// A class of offsets.
    pub fn class(&mut self) -> Result<Class, Wrong> {
        Ok(Class { first: self.number()?, stride: self.number()? })
    }
    /// An instance.
    pub fn instance(&mut self) -> Result<Instance, Wrong> {
        let frame = self.frame()?;
        let storage = match self.word()? {
            "variable" => Storage::Variable(self.id::<Var>()?),
            "bytes" => Storage::Bytes { object: self.id()?, offset: self.number()?, size: self.number()? },
            "array" => Storage::Array { object: self.id()?, element: self.number()? },
            "live" => Storage::Live { object: self.id::<ObjectId>()? },
            "column" => Storage::Column { column: self.number()? },
            "used" => Storage::Used,
            "allocated" => Storage::Allocated { edge: self.id()? },
            "base" => Storage::Heap { edge: self.id()?, part: HeapPart::Base },
            "size" => Storage::Heap { edge: self.id()?, part: HeapPart::Size },
            "lives" => Storage::Heap { edge: self.id()?, part: HeapPart::Live },
            "tags" => Storage::Tags,
            _ => return Err("a storage is wrong".to_owned()),
        };
        Ok(Instance { frame, storage })
    }
}

/// The words of an activation.
pub fn frame(frame: &Frame) -> String {
    let mut text = frame.0.len().to_string();
    frame.0.iter().for_each(|call| text.push_str(&format!(" {}", call.index())));
    text
}

/// The words of a point.
pub fn point(point: &Point) -> String {
    format!("{} {}", frame(&point.frame), point.loc.index())
}

/// The words of an instance.
pub fn instance(instance: &Instance) -> String {
    let storage = match instance.storage {
        Storage::Variable(var) => format!("variable {}", var.index()),
        Storage::Bytes { object, offset, size } => format!("bytes {} {offset} {size}", object.index()),
        Storage::Array { object, element } => format!("array {} {element}", object.index()),
        Storage::Live { object } => format!("live {}", object.index()),
        Storage::Column { column } => format!("column {column}"),
        Storage::Used => "used".to_owned(),
        Storage::Allocated { edge } => format!("allocated {}", edge.index()),
        Storage::Heap { edge, part: HeapPart::Base } => format!("base {}", edge.index()),
        Storage::Heap { edge, part: HeapPart::Size } => format!("size {}", edge.index()),
        Storage::Heap { edge, part: HeapPart::Live } => format!("lives {}", edge.index()),
        Storage::Tags => "tags".to_owned(),
    };
    format!("{} {storage}", frame(&instance.frame))
}

/// A list of numbers.
pub fn numbers<T: ToString>(list: impl IntoIterator<Item = T>) -> String {
    list.into_iter().map(|one| one.to_string()).collect::<Vec<String>>().join(" ")
}

/// Reads a sort as SMT-LIB writes it.
pub fn sort(terms: &mut Terms, text: &str) -> Result<Sort, Wrong> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let pieces: Vec<Piece<'_>> = spaced
        .split_whitespace()
        .map(|word| match word {
            "(" => Piece::Open,
            ")" => Piece::Close,
            word => Piece::Word(word),
        })
        .collect();
    TermReader::new().sort(terms, &pieces).map_err(|(_, what)| what)
}
