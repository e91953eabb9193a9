//! Finding places: from a line and a column in a file to the statement, call or branching that stands there.
//!
//! A column that names nothing suitable is forgiven if only one suitable thing stands on the line: macros move columns. A column that
//! is missing means the leftmost suitable thing.

use base::{FastMap, OrderedMap};

use crate::ast::{Ast, ExprId, ExprKind, Span, StmtId, StmtKind};
use crate::source::Source;

use super::Anchor;

/// A place as named in a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The file; only its last part counts.
    pub file: String,
    /// From one.
    pub line: u32,
    /// From one.
    pub column: Option<u32>,
}

/// What stands at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Found {
    /// A statement.
    Statement(StmtId),
    /// An arm of an `if`.
    Arm(StmtId, usize),
    /// A call, or another expression.
    Call(ExprId),
}

impl Found {
    pub(super) fn span(self, ast: &Ast) -> Span {
        match self {
            Found::Statement(id) | Found::Arm(id, _) => ast.stmts[id].span,
            Found::Call(id) => ast.exprs[id].span,
        }
    }
}

impl Found {
    /// The bytes that belong to the statement itself and not to the statements inside of it.
    pub(super) fn own_span(self, ast: &Ast) -> Span {
        let whole = self.span(ast);
        let Found::Statement(id) = self else { return whole };
        let until = |expr: Option<ExprId>| expr.map_or(whole.start + 1, |expr| ast.exprs[expr].span.end);
        let end = match &ast.stmts[id].kind {
            StmtKind::Compound(_) => whole.start + 1,
            StmtKind::If { arms, .. } => until(arms.first().map(|arm| arm.0)),
            StmtKind::While(condition, _) | StmtKind::Switch(condition, _) => until(Some(*condition)),
            StmtKind::For { init, condition, step, .. } => {
                let first = init.map_or(0, |init| ast.stmts[init].span.end);
                first.max(until(*condition)).max(until(*step))
            }
            StmtKind::DoWhile(_, condition) => return ast.exprs[*condition].span,
            _ => whole.end,
        };
        Span { start: whole.start, end }
    }
}

/// What stands where in the user's text, sorted by offset.
pub(super) struct Index {
    loops: Vec<(u32, Found)>,
    statements: Vec<(u32, Found)>,
    branches: Vec<(u32, Found)>,
    switches: Vec<(u32, Found)>,
    calls: Vec<(u32, Found)>,
    targets: Vec<(u32, Found)>,
    in_lists: FastMap<StmtId, ()>,
    /// By the last part of the file's name and line: the bytes of each piece of the line, without markers.
    lines: OrderedMap<(String, u32), Vec<(u32, u32)>>,
    /// Whether the text has line markers, so that names of files matter.
    marked: FastMap<String, ()>,
    /// The bytes of each line as it stands in the text.
    plain: Vec<(u32, u32)>,
}

impl Index {
    pub(super) fn new(ast: &Ast, source: &Source) -> Index {
        let mut index = Index {
            loops: Vec::new(),
            statements: Vec::new(),
            branches: Vec::new(),
            switches: Vec::new(),
            calls: Vec::new(),
            targets: Vec::new(),
            in_lists: FastMap::new(),
            lines: OrderedMap::default(),
            marked: FastMap::new(),
            plain: Vec::new(),
        };
        index.lines(source);
        let mut first_parts: FastMap<StmtId, ()> = FastMap::new();
        for (id, stmt) in ast.stmts.iter_enumerated() {
            let (start, this) = (stmt.span.start, Found::Statement(id));
            match &stmt.kind {
                StmtKind::Compound(list) => {
                    for &id in list {
                        index.in_lists.insert(id, ());
                    }
                }
                StmtKind::While(..) | StmtKind::DoWhile(..) => {
                    index.loops.push((start, this));
                    index.branches.push((start, this));
                }
                StmtKind::For { init, condition, .. } => {
                    index.loops.push((start, this));
                    if let Some(init) = init {
                        first_parts.insert(*init, ());
                    }
                    if condition.is_some() {
                        index.branches.push((start, this));
                    }
                }
                StmtKind::Switch(..) => index.switches.push((start, this)),
                StmtKind::If { arms, .. } => {
                    let arms = arms.iter().enumerate();
                    index.branches.extend(arms.map(|(arm, (_, _, keyword))| (keyword.start, Found::Arm(id, arm))));
                }
                _ => {}
            }
        }
        for (id, stmt) in ast.stmts.iter_enumerated() {
            let is_statement = !matches!(stmt.kind, StmtKind::Error | StmtKind::NestedFunction(_));
            if is_statement && !first_parts.contains_key(&id) {
                index.statements.push((stmt.span.start, Found::Statement(id)));
            }
        }
        for (id, expr) in ast.exprs.iter_enumerated() {
            match expr.kind {
                ExprKind::Call(..) => {
                    index.calls.push((expr.span.end.saturating_sub(1), Found::Call(id)));
                    index.targets.push((expr.span.start, Found::Call(id)));
                }
                ExprKind::Conditional(..) => index.branches.push((expr.operator, Found::Call(id))),
                ExprKind::Name(_) | ExprKind::Integer { .. } => {}
                _ => index.targets.push((expr.span.start, Found::Call(id))),
            }
        }
        for list in [
            &mut index.loops,
            &mut index.statements,
            &mut index.branches,
            &mut index.switches,
            &mut index.calls,
            &mut index.targets,
        ] {
            // Stable: of what begins at one place, the statement around comes first if it was made first.
            list.sort_by_key(|(offset, _)| *offset);
        }
        index
    }

    fn lines(&mut self, source: &Source) {
        let mut start = 0;
        for line in source.text.split_inclusive('\n') {
            let end = start + line.len();
            let place = source.place(start as u32);
            let file = last_part(&source.files[place.file]);
            let is_marker = line.trim_start().starts_with('#');
            if is_marker {
                // What follows a marker is counted from it.
                let next = source.place(end as u32);
                self.marked.insert(last_part(&source.files[next.file]), ());
            } else {
                self.lines.entry((file, place.line)).or_default().push((start as u32, end as u32));
            }
            self.plain.push((start as u32, end as u32));
            start = end;
        }
    }

    pub(super) fn stands_in_list(&self, id: StmtId) -> bool {
        self.in_lists.contains_key(&id)
    }

    /// What stands at the spot, or why there is nothing.
    pub(super) fn find(&self, ast: &Ast, source: &Source, spot: &Spot, anchor: Anchor) -> Result<Found, String> {
        let name = last_part(&spot.file);
        let line = match self.lines.get(&(name.clone(), spot.line)) {
            // A line with macros of system headers is cut into pieces by markers.
            Some(pieces) => pieces.clone(),
            // Not a file of the markers: lines count as they stand in the text.
            None if !self.marked.contains_key(&name) => {
                let line = (spot.line as usize).checked_sub(1).and_then(|line| self.plain.get(line));
                vec![*line.ok_or_else(|| format!("there is no line {} in {}", spot.line, spot.file))?]
            }
            None => return Err(format!("nothing stands in line {} of {}", spot.line, spot.file)),
        };
        let n_columns = |&(start, end): &(u32, u32)| source.text[start as usize..end as usize].chars().count();
        let most = line.iter().map(n_columns).max().unwrap_or(0);
        if let Some(column) = spot.column.filter(|&column| column == 0 || column as usize > most) {
            return Err(format!("line {} has no column {column}", spot.line));
        }
        let column_of = |&(offset, _): &(u32, Found)| source.place(offset).column;
        let (lists, what): (&[&Vec<(u32, Found)>], &str) = match anchor {
            Anchor::Loop => (&[&self.loops], "loop"),
            Anchor::Statement => (&[&self.statements], "statement"),
            Anchor::Branch(_) => (&[&self.branches], "branching"),
            Anchor::Switch | Anchor::SwitchDefault => (&[&self.switches], "switch"),
            Anchor::Enter | Anchor::Return => (&[&self.calls], "end of a call"),
            Anchor::Target => (&[&self.statements, &self.targets], "statement"),
        };
        for list in lists {
            let mut here: Vec<(u32, Found)> = Vec::new();
            for &(start, end) in &line {
                let from = list.partition_point(|(offset, _)| *offset < start);
                let to = list.partition_point(|(offset, _)| *offset < end);
                here.extend(&list[from..to]);
            }
            let chosen = match spot.column {
                None => here.first(),
                Some(column) => here.iter().find(|one| column_of(one) == column).or(match &here[..] {
                    [only] => Some(only),
                    // The error may stand inside of a macro, whose own columns are not those of the file.
                    _ if anchor == Anchor::Target && line.len() > 1 => {
                        here.iter().filter(|one| column_of(one) < column).max_by_key(|one| column_of(one))
                    }
                    _ => None,
                }),
            };
            if let Some((_, found)) = chosen {
                return Ok(innermost(ast, *found));
            }
        }
        let at = spot.column.map_or(String::new(), |column| format!(", column {column}"));
        Err(format!("there is no {what} in line {}{at} of {}", spot.line, spot.file))
    }
}

/// A label's statement is what counts, not the label.
fn innermost(ast: &Ast, found: Found) -> Found {
    let Found::Statement(mut id) = found else { return found };
    while let StmtKind::Label(_, inner) | StmtKind::Case(_, _, inner) | StmtKind::Default(inner) = ast.stmts[id].kind {
        id = inner;
    }
    Found::Statement(id)
}

fn last_part(file: &str) -> String {
    file.rsplit('/').next().unwrap_or(file).to_owned()
}
