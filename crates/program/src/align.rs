//! Alignment: what of an older program is what of a newer one.
//!
//! Two versions of a program have functions, variables, objects and most edges in common, under other ids. Functions are paired by
//! name, variables and objects by name within their function, and the edges of two functions by the longest common subsequence of
//! their actions [Myers-Algorithmica'86], as a comparison of two texts pairs lines. Locations follow from the edges that leave and enter
//! them; heads of loops whose edges are all different are paired by their order.
//!
//! An alignment is a guess: nothing that is said in its words has to be true of the newer program.

use base::{FastMap, Id, IndexVec};
use std::hash::{DefaultHasher, Hash, Hasher};
use term::{Op, Term, Terms};

use crate::tuning::Tuning;
use crate::{
    Action, EdgeId, Frame, FunId, InputId, Instance, Layout, Loc, Mark, Member, ObjectId, OrderStep, Point, Program,
    Recorded, Site, Storage, Var, VarKind,
};

/// By id of the older program: the same thing in the newer one.
pub struct Alignment {
    functions: IndexVec<FunId, Option<FunId>>,
    vars: IndexVec<Var, Option<Var>>,
    objects: IndexVec<ObjectId, Option<ObjectId>>,
    locations: IndexVec<Loc, Option<Loc>>,
    edges: IndexVec<EdgeId, Option<EdgeId>>,
    inputs: IndexVec<InputId, Option<InputId>>,
}

/// A program with the store of its terms.
pub type Stored<'a> = (&'a Program, &'a Terms);

impl Alignment {
    /// Aligns the programs, the older one first.
    pub fn new(old: Stored<'_>, new: Stored<'_>) -> Alignment {
        let functions = paired(&old.0.functions, &new.0.functions, |function| function.name.clone());
        let mut alignment = Alignment {
            functions,
            vars: nothing(old.0.vars.len()),
            objects: nothing(old.0.objects.len()),
            locations: nothing(old.0.locations.len()),
            edges: nothing(old.0.edges.len()),
            inputs: nothing(old.0.inputs.len()),
        };
        alignment.pair_objects(old.0, new.0);
        alignment.pair_variables(old, new);
        alignment.pair_edges(old, new);
        alignment.pair_what_edges_name(old, new);
        alignment.pair_locations(old.0, new.0);
        alignment.pair_inputs(old.0, new.0);
        alignment
    }
    /// The same function.
    pub fn function(&self, function: FunId) -> Option<FunId> {
        *self.functions.get(function)?
    }
    /// The same variable.
    pub fn var(&self, var: Var) -> Option<Var> {
        *self.vars.get(var)?
    }
    /// The same location.
    pub fn location(&self, loc: Loc) -> Option<Loc> {
        *self.locations.get(loc)?
    }
    /// The same edge.
    pub fn edge(&self, edge: EdgeId) -> Option<EdgeId> {
        *self.edges.get(edge)?
    }
    /// The same input.
    pub fn input(&self, input: InputId) -> Option<InputId> {
        *self.inputs.get(input)?
    }
    /// The same activation.
    pub fn frame(&self, frame: &Frame) -> Option<Frame> {
        frame.0.iter().map(|&call| self.edge(call)).collect::<Option<Vec<EdgeId>>>().map(Frame)
    }
    /// The same point.
    pub fn point(&self, point: &Point) -> Option<Point> {
        Some(Point { frame: self.frame(&point.frame)?, loc: self.location(point.loc)? })
    }
    /// The same storage, of which columns keep their numbers.
    pub fn instance(&self, instance: &Instance) -> Option<Instance> {
        let object = |object: ObjectId| *self.objects.get(object)?;
        let storage = match instance.storage {
            Storage::Variable(var) => Storage::Variable(self.var(var)?),
            Storage::Bytes { object: of, offset, size } => Storage::Bytes { object: object(of)?, offset, size },
            Storage::Array { object: of, element } => Storage::Array { object: object(of)?, element },
            Storage::Live { object: of } => Storage::Live { object: object(of)? },
            Storage::Allocated { edge } => Storage::Allocated { edge: self.edge(edge)? },
            Storage::Heap { edge, part } => Storage::Heap { edge: self.edge(edge)?, part },
            Storage::Column { .. } | Storage::Used | Storage::Tags => instance.storage,
        };
        Some(Instance { frame: self.frame(&instance.frame)?, storage })
    }
    /// The same layout, if all its sites are there; accesses that are not are left out.
    pub fn layout(&self, layout: &Layout) -> Option<Layout> {
        let site = |site: &Site| {
            Some(match site {
                Site::Static(object) => Site::Static((*self.objects.get(*object)?)?),
                Site::Automatic(frame, object) => Site::Automatic(self.frame(frame)?, (*self.objects.get(*object)?)?),
                Site::Alloc(frame, edge) => Site::Alloc(self.frame(frame)?, self.edge(*edge)?),
            })
        };
        let access = layout
            .access
            .iter()
            .filter_map(|(frame, edge, parts)| Some((self.frame(frame)?, self.edge(*edge)?, parts.clone())));
        let valid = layout.valid.iter().map(|one| {
            Some(Recorded { frame: self.frame(&one.frame)?, edge: self.edge(one.edge)?, is_tagged: one.is_tagged })
        });
        Some(Layout {
            sites: layout.sites.iter().map(site).collect::<Option<Vec<Site>>>()?,
            columns: layout.columns.clone(),
            counted: layout.counted.clone(),
            access: access.collect(),
            valid: valid.collect::<Option<Vec<Recorded>>>()?,
        })
    }

    fn owner(&self, owner: Option<FunId>) -> Option<Option<FunId>> {
        match owner {
            None => Some(None),
            Some(function) => self.function(function).map(Some),
        }
    }
    fn pair_objects(&mut self, old: &Program, new: &Program) {
        let mut there: FastMap<(Option<FunId>, &str, usize), ObjectId> = FastMap::new();
        let mut seen: FastMap<(Option<FunId>, &str), usize> = FastMap::new();
        for (id, object) in new.objects.iter_enumerated() {
            let count = seen.get_or_insert_with((object.owner, object.name.as_str()), || 0);
            there.insert((object.owner, object.name.as_str(), *count), id);
            *count += 1;
        }
        let mut seen: FastMap<(Option<FunId>, &str), usize> = FastMap::new();
        for (id, object) in old.objects.iter_enumerated() {
            let count = seen.get_or_insert_with((object.owner, object.name.as_str()), || 0);
            if let Some(owner) = self.owner(object.owner) {
                self.objects[id] = there.get(&(owner, object.name.as_str(), *count)).copied();
            }
            *count += 1;
        }
    }
    /// Variables that are not made up have names; address variables are those of their objects.
    fn pair_variables(&mut self, (old, old_terms): Stored<'_>, (new, new_terms): Stored<'_>) {
        let mut there: FastMap<(VarKind, &str), Var> = FastMap::new();
        for (id, variable) in new.vars.iter_enumerated() {
            there.insert((variable.kind, variable.name.as_str()), id);
        }
        for (id, variable) in old.vars.iter_enumerated() {
            let kind = match variable.kind {
                VarKind::Temp(_) => None,
                VarKind::Global => Some(VarKind::Global),
                VarKind::Param(function) => self.function(function).map(VarKind::Param),
                VarKind::Local(function) => self.function(function).map(VarKind::Local),
                VarKind::AddressOf(object) => {
                    self.vars[id] = self.objects[object].map(|object| new.objects[object].address);
                    None
                }
                VarKind::AddressOfFunction(function) => {
                    self.vars[id] = self.function(function).and_then(|function| new.functions[function].address);
                    None
                }
            };
            let found = kind.and_then(|kind| there.get(&(kind, variable.name.as_str())).copied());
            let has_sort =
                |&other: &Var| new_terms.sort_text(new.vars[other].sort) == old_terms.sort_text(variable.sort);
            self.vars[id] = self.vars[id].or(found.filter(has_sort));
        }
    }
    fn pair_edges(&mut self, old: Stored<'_>, new: Stored<'_>) {
        let (ours, theirs) = (Labels::of(old).by_function(old.0), Labels::of(new).by_function(new.0));
        for function in old.0.functions.ids() {
            let Some(other) = self.functions[function] else { continue };
            let (here, there) = (&ours[function], &theirs[other]);
            let labels = |list: &[(EdgeId, u64)]| list.iter().map(|&(_, label)| label).collect::<Vec<u64>>();
            for (i, j) in common(&labels(here), &labels(there)) {
                self.edges[here[i].0] = Some(there[j].0);
            }
        }
    }
    /// Variables that the front end made up, and inputs, are those of the same edges.
    fn pair_what_edges_name(&mut self, (old, old_terms): Stored<'_>, (new, new_terms): Stored<'_>) {
        for (id, edge) in old.edges.iter_enumerated() {
            let Some(other) = self.edges[id] else { continue };
            let (here, there) = (&edge.action, &new.edges[other].action);
            for (var, same) in written(here).into_iter().zip(written(there)) {
                let fits = old_terms.sort_text(old.vars[var].sort) == new_terms.sort_text(new.vars[same].sort);
                if self.vars[var].is_none() && fits {
                    self.vars[var] = Some(same);
                }
            }
            if let (Some(input), Some(same)) = (asked(here), asked(there)) {
                self.inputs[input].get_or_insert(same);
            }
        }
    }
    fn pair_locations(&mut self, old: &Program, new: &Program) {
        let is_head = |program: &Program, loc: Loc| program.locations[loc].mark == Mark::LoopHead;
        let pair = |list: &mut IndexVec<Loc, Option<Loc>>, here: Loc, there: Loc| {
            if list[here].is_none() && is_head(old, here) == is_head(new, there) {
                list[here] = Some(there);
            }
        };
        for (id, function) in old.functions.iter_enumerated() {
            if let Some(other) = self.functions[id] {
                pair(&mut self.locations, function.entry, new.functions[other].entry);
                pair(&mut self.locations, function.exit, new.functions[other].exit);
            }
        }
        let both = |id: EdgeId| Some((&old.edges[id], &new.edges[self.edges[id]?]));
        for (here, there) in old.edges.ids().filter_map(both) {
            pair(&mut self.locations, here.from, there.from);
        }
        for (here, there) in old.edges.ids().filter_map(both) {
            pair(&mut self.locations, here.to, there.to);
        }
        // Heads that are left, by their order, where both functions have the same number of heads.
        let heads = |program: &Program| {
            let mut heads: IndexVec<FunId, Vec<Loc>> = program.functions.iter().map(|_| Vec::new()).collect();
            for (loc, location) in program.locations.iter_enumerated().filter(|(_, one)| one.mark == Mark::LoopHead) {
                heads[location.function].push(loc);
            }
            heads
        };
        let (ours, theirs) = (heads(old), heads(new));
        for (function, heads) in ours.iter_enumerated() {
            let Some(other) = self.functions[function] else { continue };
            if heads.len() == theirs[other].len() {
                for (&here, &there) in heads.iter().zip(&theirs[other]) {
                    self.locations[here].get_or_insert(there);
                }
            }
        }
    }
    /// Inputs that no edge has paired: the n-th of a kind is the n-th of that kind.
    fn pair_inputs(&mut self, old: &Program, new: &Program) {
        let numbered = |program: &Program| {
            let mut seen: FastMap<String, usize> = FastMap::new();
            let number = |input: InputId| {
                let kind = format!("{:?}", program.inputs[input].kind);
                let count = seen.get_or_insert_with(kind.clone(), || 0);
                *count += 1;
                (kind, *count)
            };
            program.inputs.ids().map(number).collect::<Vec<(String, usize)>>()
        };
        let mut there: FastMap<(String, usize), InputId> = FastMap::new();
        for (name, id) in numbered(new).into_iter().zip(new.inputs.ids()) {
            there.insert(name, id);
        }
        for (name, id) in numbered(old).into_iter().zip(old.inputs.ids()) {
            if self.inputs[id].is_none() {
                self.inputs[id] = there.get(&name).copied();
            }
        }
    }
}

/// The form of a column that does not depend on the order of sites: which cells it holds.
pub fn members(layout: &Layout, column: u32) -> Option<Vec<(Site, Member)>> {
    let column = layout.columns.get(column as usize)?;
    let member = |member: &Member| {
        let site = layout.sites.get(member.site as usize)?.clone();
        Some((site, Member { site: 0, ..*member }))
    };
    let mut found = column.members.iter().map(member).collect::<Option<Vec<_>>>()?;
    found.sort();
    Some(found)
}

fn nothing<I: Id, T>(n: usize) -> IndexVec<I, Option<T>> {
    (0..n).map(|_| None).collect()
}

/// Pairs things by name; of several with one name, the first.
fn paired<I: Id, T>(old: &IndexVec<I, T>, new: &IndexVec<I, T>, name: impl Fn(&T) -> String) -> IndexVec<I, Option<I>> {
    let mut there: FastMap<String, I> = FastMap::new();
    for (id, thing) in new.iter_enumerated() {
        there.get_or_insert_with(name(thing), || id);
    }
    old.iter().map(|thing| there.get(&name(thing)).copied()).collect()
}

/// The variables that the action writes.
fn written(action: &Action) -> Vec<Var> {
    match action {
        Action::Assign(pairs) => pairs.iter().map(|&(var, _)| var).collect(),
        Action::Havoc { var, .. }
        | Action::Load { var, .. }
        | Action::Alloc { var, .. }
        | Action::Probe { var, .. } => {
            vec![*var]
        }
        Action::Call { result, .. } => result.iter().copied().collect(),
        _ => Vec::new(),
    }
}

/// The input that the action asks for.
fn asked(action: &Action) -> Option<InputId> {
    match action {
        Action::Havoc { input, .. } | Action::Forget { input, .. } => Some(*input),
        Action::Alloc { input, .. } => *input,
        Action::Order(OrderStep::Open { input }) => Some(*input),
        _ => None,
    }
}

/// Hashes of actions in which things stand under their names; made-up variables have none.
struct Labels<'a> {
    program: &'a Program,
    terms: &'a Terms,
    known: FastMap<Term, u64>,
}

impl<'a> Labels<'a> {
    fn of((program, terms): Stored<'a>) -> Self {
        let mut known = FastMap::new();
        for (id, variable) in program.vars.iter_enumerated() {
            known.insert(variable.term, hashed(|hasher| var_label(program, id).hash(hasher)));
        }
        Labels { program, terms, known }
    }
    /// The edges of each function with their labels, in the order of the program.
    fn by_function(mut self, program: &Program) -> IndexVec<FunId, Vec<(EdgeId, u64)>> {
        let mut edges: IndexVec<FunId, Vec<(EdgeId, u64)>> = program.functions.iter().map(|_| Vec::new()).collect();
        for (id, edge) in program.edges.iter_enumerated() {
            let label = self.action(&edge.action);
            edges[program.locations[edge.from].function].push((id, label));
        }
        edges
    }
    fn action(&mut self, action: &Action) -> u64 {
        let mut roots = Vec::new();
        action.for_each_term(|term| roots.push(term));
        let roots: Vec<u64> = roots.into_iter().map(|root| self.term(root)).collect();
        let vars: Vec<(u8, &str)> = written(action).into_iter().map(|var| var_label(self.program, var)).collect();
        let callee = match action {
            Action::Call { function, .. } => Some(self.program.functions[*function].name.as_str()),
            Action::End { object } => Some(self.program.objects[*object].name.as_str()),
            _ => None,
        };
        let more = match action {
            Action::Probe { bytes, access, .. } => format!("{bytes} {access:?}"),
            Action::Check { what, .. } => format!("{what:?}"),
            Action::Order(step) => format!("{:?}", std::mem::discriminant(step)),
            _ => String::new(),
        };
        hashed(|hasher| (std::mem::discriminant(action), &roots, &vars, callee, &more).hash(hasher))
    }
    fn term(&mut self, root: Term) -> u64 {
        let Labels { terms, known, .. } = self;
        for part in terms.subterms_until(&[root], |part| known.contains_key(&part)) {
            if known.contains_key(&part) {
                continue;
            }
            let args: Vec<u64> = terms.args(part).iter().map(|arg| known[arg]).collect();
            let label = hashed(|hasher| {
                args.hash(hasher);
                match terms.op(part) {
                    Op::Symbol(symbol) => terms.symbol_name(symbol).hash(hasher),
                    Op::Value => format!("{:?}", terms.value(part)).hash(hasher),
                    Op::Numeral => terms.numeral_text(part).hash(hasher),
                    op => format!("{op:?}").hash(hasher),
                }
            });
            known.insert(part, label);
        }
        known[&root]
    }
}

fn hashed(write: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut hasher = DefaultHasher::new();
    write(&mut hasher);
    hasher.finish()
}

/// What a variable is called in the source; nothing for one that the front end made up.
fn var_label(program: &Program, var: Var) -> (u8, &str) {
    let variable = &program.vars[var];
    match variable.kind {
        VarKind::Temp(_) => (0, ""),
        VarKind::AddressOf(object) => (1, &program.objects[object].name),
        VarKind::AddressOfFunction(function) => (2, &program.functions[function].name),
        VarKind::Global => (3, &variable.name),
        VarKind::Param(_) | VarKind::Local(_) => (4, &variable.name),
    }
}

/// Positions of a longest common subsequence, or of a shorter one where the lists differ in many places.
fn common(one: &[u64], other: &[u64]) -> Vec<(usize, usize)> {
    let head = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one_rest, other_rest) = (&one[head..], &other[head..]);
    let tail = one_rest.iter().rev().zip(other_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (n, m) = (one_rest.len() - tail, other_rest.len() - tail);
    let middle = shortest_edit(&one_rest[..n], &other_rest[..m]);
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    pairs.extend(middle.into_iter().map(|(i, j)| (head + i, head + j)));
    pairs.extend((0..tail).map(|at| (head + n + at, head + m + at)));
    pairs
}

/// The common elements that a shortest edit script keeps; none if it is too long.
fn shortest_edit(one: &[u64], other: &[u64]) -> Vec<(usize, usize)> {
    let (n, m) = (one.len() as isize, other.len() as isize);
    if n == 0 || m == 0 {
        return Vec::new();
    }
    let most = (n + m).min(Tuning::DEFAULT.max_edit_length as isize);
    // By diagonal: the furthest position that this number of edits reaches.
    let at = |diagonal: isize| (diagonal + most + 1) as usize;
    let mut furthest = vec![0isize; 2 * most as usize + 3];
    let mut rounds: Vec<Vec<isize>> = Vec::new();
    for edits in 0..=most {
        rounds.push(furthest.clone());
        for diagonal in (-edits..=edits).step_by(2) {
            let down =
                diagonal == -edits || (diagonal != edits && furthest[at(diagonal - 1)] < furthest[at(diagonal + 1)]);
            let mut x = if down { furthest[at(diagonal + 1)] } else { furthest[at(diagonal - 1)] + 1 };
            while x < n && x - diagonal < m && one[x as usize] == other[(x - diagonal) as usize] {
                x += 1;
            }
            furthest[at(diagonal)] = x;
            if x >= n && x - diagonal >= m {
                return kept(&rounds, at, (n, m));
            }
        }
    }
    Vec::new()
}

/// Walks the rounds back from the end and collects what was not edited.
fn kept(rounds: &[Vec<isize>], at: impl Fn(isize) -> usize, (n, m): (isize, isize)) -> Vec<(usize, usize)> {
    let (mut x, mut y) = (n, m);
    let mut pairs = Vec::new();
    for (edits, furthest) in rounds.iter().enumerate().rev() {
        let (edits, diagonal) = (edits as isize, x - y);
        let down = diagonal == -edits || (diagonal != edits && furthest[at(diagonal - 1)] < furthest[at(diagonal + 1)]);
        let before = if down { diagonal + 1 } else { diagonal - 1 };
        let (from_x, from_y) = if edits == 0 { (0, 0) } else { (furthest[at(before)], furthest[at(before)] - before) };
        while x > from_x && y > from_y && (edits > 0 || x > 0) {
            x -= 1;
            y -= 1;
            pairs.push((x as usize, y as usize));
        }
        (x, y) = (from_x, from_y);
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_subsequences_are_increasing_and_as_long_as_by_the_table() {
        let mut seed = 7u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % n
        };
        for _ in 0..2_000 {
            let (n, m) = (random(12), random(12));
            let one: Vec<u64> = (0..n).map(|_| random(4)).collect();
            let other: Vec<u64> = (0..m).map(|_| random(4)).collect();
            let pairs = common(&one, &other);
            assert!(pairs.iter().all(|&(i, j)| one[i] == other[j]), "{one:?} {other:?} {pairs:?}");
            assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1), "{pairs:?}");
            let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
            for i in 0..one.len() {
                for j in 0..other.len() {
                    let same = if one[i] == other[j] { table[i][j] + 1 } else { 0 };
                    table[i + 1][j + 1] = same.max(table[i][j + 1]).max(table[i + 1][j]);
                }
            }
            assert_eq!(pairs.len(), table[one.len()][other.len()], "{one:?} {other:?} {pairs:?}");
        }
    }

    #[test]
    fn an_inserted_edge_moves_what_follows_it() {
        let text = |more: &str| {
            format!(
                "cfa 1\npointer 64\nentry main\nfunction main () entry L0 exit L9 {{\n  local main.x (_ BitVec 8) unsigned\n  \
                 at L0\n    assign main.x := #x00 -> L1\n{more}"
            )
        };
        let loop_from = |first: u32, head: u32, body: u32| {
            format!(
                "  at L{head} loop\n    assume (bvult main.x #x0a) -> L{body}\n    assume (not (bvult main.x #x0a)) -> L9\n  \
                 at L{body}\n    assign main.x := (bvadd main.x #x{first:02x}) -> L{head}\n  at L9\n}}\n"
            )
        };
        let parse = |text: String| {
            let mut terms = Terms::new();
            let program = crate::text::parse("test", &text, &mut terms).unwrap_or_else(|said| panic!("{text}{said:?}"));
            (program, terms)
        };
        // Locations are numbered without gaps.
        let (old, old_terms) = parse(text(&loop_from(1, 1, 2)).replace("L9", "L3"));
        let inserted = format!("  at L1\n    assign main.x := (bvadd main.x #x07) -> L2\n{}", loop_from(1, 2, 3));
        let (new, new_terms) = parse(text(&inserted).replace("L9", "L4"));
        let alignment = Alignment::new((&old, &old_terms), (&new, &new_terms));
        let to = |loc: usize| alignment.location(Loc::new(loc)).map(Id::index);
        assert_eq!([to(0), to(1), to(2), to(3)], [Some(0), Some(2), Some(3), Some(4)]);
        assert_eq!(alignment.var(Var::new(0)), Some(Var::new(0)));
        assert_eq!(alignment.edge(EdgeId::new(1)), Some(EdgeId::new(2)));
    }
}
