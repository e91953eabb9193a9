//! Scalar replacement: objects that are only accessed by name become variables.
//!
//! An object *stays private* if its address stands nowhere but as the base of a load, store or forget
//! (`&x`, `&x + 4`, `&x + 4*i`), or in a condition, which gives no access. No other code can then access its
//! bytes: if all offsets are constant, each piece (see `pieces`) becomes a variable; otherwise, if all accesses have one
//! size, the object becomes an array (see `arrays`). What is left as load or store goes through real pointers.
//!
//! This is the meaning of memory by objects: an address derived from one object never touches another, and a run ends where
//! it would (see the record `strict-runs`). Here it goes on: a read outside is any value, a write outside
//! is left out, which allows more runs and needs no edge to end them.
//!
//! Inputs: a forget of an object becomes a request for each of its variables, with an input of its own that
//! names the byte. To keep the count of requests (law 6), every other place that asks for the same input
//! asks too, for a value that is not read; and a place whose forget is gone still asks for the input itself as
//! long as others do.

use base::{FastMap, Id, IndexVec, OrderedMap};
use term::{Op, Sort, SortKind, Term, Terms};

use super::names::{Names, symbol_name};
use super::pieces::{self, Range, bytes_of, from_bits, has_bits, to_bits, value_of_bytes};
use super::reads::Reads;
use super::shape::{empty, expect_inlined};
use super::{BackMap, Source, arrays};
use crate::tuning::Tuning;
use crate::{
    Action, Edge, EdgeId, Frame, FunId, Input, InputId, InputKind, Instance, ObjectId, Program, Shown, Storage, Var,
    VarKind, Variable,
};

/// Makes variables of private objects.
pub fn scalars(program: Program, terms: &mut Terms) -> (Program, BackMap) {
    expect_inlined(&program);
    let found = Found::new(&program, terms);
    let map = BackMap::identity(&program);
    let entry = program.entry.expect("a program has an entry function");
    let names = Names::of(&program, terms);
    let mut replacement = Replacement {
        program,
        map,
        names,
        entry,
        plans: FastMap::new(),
        requests: FastMap::new(),
        unused: FastMap::new(),
    };
    for object in replacement.program.objects.ids() {
        if let Some(accesses) = &found.accesses[object] {
            replacement.plan(terms, object, accesses);
        }
    }
    if !replacement.plans.is_empty() {
        replacement.rewrite(terms, &found);
        replacement.start(terms);
    }
    (replacement.program, replacement.map)
}

/// An access to an object by name.
#[derive(Clone, Copy, Debug)]
struct Access {
    edge: EdgeId,
    offset: Offset,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Offset {
    Constant(u64),
    Any(Term),
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Reads or writes a value of this sort.
    Value(Sort),
    /// Forgets this many bytes, or all.
    Forget(Option<u64>),
    /// Asks whether an access would be valid.
    Probe,
}

/// What was found out about the objects.
struct Found {
    /// The accesses to each private object; none if its address gets about.
    accesses: IndexVec<ObjectId, Option<Vec<Access>>>,
    /// The object that an edge accesses, private or not.
    by_edge: FastMap<EdgeId, (ObjectId, Access)>,
}

impl Found {
    fn new(program: &Program, terms: &mut Terms) -> Found {
        let mut accesses: IndexVec<ObjectId, Option<Vec<Access>>> =
            program.objects.iter().map(|_| Some(Vec::new())).collect();
        let mut by_edge = FastMap::new();
        let mut reads = Reads::new(program);
        let object_of = |var: Var| match program.vars[var].kind {
            VarKind::AddressOf(object) => Some(object),
            _ => None,
        };
        for (edge, info) in program.edges.iter_enumerated() {
            let mut gets_about: Vec<Term> = Vec::new();
            let (address, kind) = match &info.action {
                Action::Assume(_) | Action::Check { .. } | Action::Order(_) => continue,
                Action::Load { var, address } => (*address, Kind::Value(program.vars[*var].sort)),
                Action::Probe { address, .. } => (*address, Kind::Probe),
                Action::Store { address, value } => {
                    gets_about.push(*value);
                    (*address, Kind::Value(terms.sort_of(*value)))
                }
                Action::Forget { address, size, .. } => {
                    gets_about.extend(size);
                    match size.map(|size| terms.small_value(size)) {
                        None => (*address, Kind::Forget(None)),
                        Some(Some(size)) => (*address, Kind::Forget(Some(size))),
                        Some(None) => {
                            gets_about.push(*address);
                            (*address, Kind::Forget(None))
                        }
                    }
                }
                action => {
                    action.for_each_term(|term| gets_about.push(term));
                    for term in gets_about {
                        for object in reads.of(terms, term).iter().filter_map(|&var| object_of(var)) {
                            accesses[object] = None;
                        }
                    }
                    continue;
                }
            };
            match split(program, terms, &reads, address) {
                Some((object, rest)) => {
                    let offset = match rest {
                        None => Offset::Constant(0),
                        Some(offset) => {
                            gets_about.push(offset);
                            terms.small_value(offset).map_or(Offset::Any(offset), Offset::Constant)
                        }
                    };
                    let access = Access { edge, offset, kind };
                    by_edge.insert(edge, (object, access));
                    if let Some(list) = &mut accesses[object] {
                        list.push(access);
                    }
                }
                None => gets_about.push(address),
            }
            for term in gets_about {
                for object in reads.of(terms, term).iter().filter_map(|&var| object_of(var)) {
                    accesses[object] = None;
                }
            }
        }
        if writes_from_outside(program, terms, &mut reads) {
            for (object, _) in program.objects.iter_enumerated().filter(|(_, info)| info.exposed) {
                accesses[object] = None;
            }
        }
        Found { accesses, by_edge }
    }
}

/// Notes which objects have an address that gets about: a pointer from outside may lead into these, also when passes have
/// removed the places where it did.
pub(super) fn note_exposed(program: &mut Program, terms: &mut Terms) {
    let found = Found::new(program, terms);
    for (object, accesses) in found.accesses.iter_enumerated() {
        program.objects[object].exposed |= accesses.is_none();
    }
}

/// Whether something is written through a pointer that may come from outside: from a function without a body or a
/// volatile object, by way of variables and of memory as one whole.
fn writes_from_outside(program: &Program, terms: &Terms, reads: &mut Reads) -> bool {
    let is_open = |input: InputId| program.inputs[input].kind.is_uncontrolled();
    let mut outside: IndexVec<Var, bool> = program.vars.iter().map(|_| false).collect();
    let (mut memory, mut changed) = (false, true);
    while std::mem::take(&mut changed) {
        for edge in &program.edges {
            let mut taints = |var: Var, is_tainted: bool, outside: &mut IndexVec<Var, bool>| {
                changed |= is_tainted && !outside[var];
                outside[var] |= is_tainted;
            };
            match &edge.action {
                Action::Havoc { var, input } => taints(*var, is_open(*input), &mut outside),
                Action::Load { var, .. } => taints(*var, memory, &mut outside),
                Action::Assign(pairs) => {
                    for &(var, value) in pairs {
                        let is_tainted = reads.of(terms, value).iter().any(|&from| outside[from]);
                        taints(var, is_tainted, &mut outside);
                    }
                }
                Action::Store { value, .. } if !memory => {
                    memory = reads.of(terms, *value).iter().any(|&from| outside[from]);
                    changed |= memory;
                }
                Action::Forget { input, .. } if !memory => {
                    memory = is_open(*input);
                    changed |= memory;
                }
                _ => {}
            }
        }
    }
    program.edges.iter().any(|edge| match &edge.action {
        Action::Store { address, .. } | Action::Forget { address, .. } => {
            reads.of(terms, *address).iter().any(|&from| outside[from])
        }
        _ => false,
    })
}

/// An address as an object and the rest of the sum, none if it is zero.
pub(super) fn split(
    program: &Program,
    terms: &mut Terms,
    reads: &Reads,
    address: Term,
) -> Option<(ObjectId, Option<Term>)> {
    let mut object = None;
    let mut rest: Vec<Term> = Vec::new();
    let mut work = vec![address];
    while let Some(term) = work.pop() {
        if terms.op(term) == Op::BvAdd {
            work.extend_from_slice(terms.args(term));
            continue;
        }
        let base = reads.variable(term).and_then(|var| match program.vars[var].kind {
            VarKind::AddressOf(object) => Some(object),
            _ => None,
        });
        match base {
            Some(base) if object.is_none() => object = Some(base),
            Some(_) => return None,
            None => rest.push(term),
        }
    }
    let object = object?;
    let sum = rest.into_iter().reduce(|sum, term| terms.bv_add(sum, term));
    Some((object, sum))
}

/// What an object becomes.
#[derive(Clone)]
enum Plan {
    /// A variable for each piece.
    Pieces(Vec<(Range, Var)>),
    /// One array with elements of this size and sort.
    Array { var: Var, size: u64, element: Sort },
}

/// Which part of a forgotten object a request is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Part {
    Piece(Range),
    Array(Sort),
}

impl std::hash::Hash for Range {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.start, self.end).hash(state);
    }
}

struct Replacement {
    program: Program,
    map: BackMap,
    names: Names,
    entry: FunId,
    plans: FastMap<ObjectId, Plan>,
    /// For each input that forgets private objects: the requests for their parts.
    requests: FastMap<InputId, OrderedMap<Part, InputId>>,
    /// A variable for values that are not read, by sort.
    unused: FastMap<Sort, Var>,
}

impl Replacement {
    /// Decides what becomes of an object and makes its variables.
    fn plan(&mut self, terms: &mut Terms, object: ObjectId, accesses: &[Access]) {
        let info = self.program.objects[object].clone();
        let values = || accesses.iter().filter(|access| matches!(access.kind, Kind::Value(_)));
        let sorts = |access: &Access| match access.kind {
            Kind::Value(sort) => Some(sort),
            Kind::Forget(_) | Kind::Probe => None,
        };
        if accesses.is_empty() || accesses.iter().filter_map(sorts).any(|sort| !has_bits(terms, sort)) {
            return;
        }
        let constant = accesses.iter().all(|access| matches!(access.offset, Offset::Constant(_)));
        if constant {
            let ranges: Vec<Range> = values().filter_map(|access| self.range(terms, object, access)).collect();
            let pieces = pieces::pieces(&ranges);
            if pieces.len() <= Tuning::DEFAULT.max_scalar_pieces
                && pieces.iter().all(|piece| piece.size() <= Tuning::DEFAULT.max_scalar_bytes)
            {
                let mut plan = Vec::new();
                let whole = pieces.len() == 1 && pieces[0].size() == info.size;
                for piece in pieces {
                    let touching = values()
                        .filter(|access| self.range(terms, object, access).is_some_and(|range| range.overlaps(piece)));
                    let mut sort = None;
                    let mut uniform = true;
                    let mut shown = Shown::Plain;
                    for access in touching {
                        uniform &= self.range(terms, object, access) == Some(piece);
                        uniform &= sort.is_none() || sort == sorts(access);
                        sort = sorts(access);
                        if let Action::Load { var, .. } = self.program.edges[access.edge].action {
                            shown = self.program.vars[var].shown;
                        }
                    }
                    let bits = terms.bv_sort(8 * piece.size() as u32);
                    let sort = sort.filter(|_| uniform).unwrap_or(bits);
                    let suffix = if whole { String::new() } else { format!(".{}", piece.start) };
                    let storage = Storage::Bytes { object, offset: piece.start, size: piece.size() };
                    let var = self.variable(terms, &format!("{}{suffix}", info.name), sort, shown, storage);
                    plan.push((piece, var));
                }
                self.plans.insert(object, Plan::Pieces(plan));
                return;
            }
        }
        let Some(element) = self.element(terms, object, accesses) else { return };
        let size = bytes_of(terms, element);
        let sort = arrays::array_sort(terms, self.program.pointer_width, element);
        if info.owner.is_none() && arrays::first_contents(terms, &info, sort, size).is_none() {
            return;
        }
        let storage = Storage::Array { object, element: size };
        let var = self.variable(terms, &info.name, sort, Shown::Plain, storage);
        self.plans.insert(object, Plan::Array { var, size, element });
    }

    /// The sort of the elements if the object can be an array.
    fn element(&self, terms: &mut Terms, object: ObjectId, accesses: &[Access]) -> Option<Sort> {
        let info = &self.program.objects[object];
        let mut element: Option<Sort> = None;
        for access in accesses {
            if let Kind::Value(sort) = access.kind {
                // The checker's arrays hold bytes, so ours do.
                let sort = match *terms.sort_kind(sort) {
                    SortKind::Bool => terms.bv_sort(8),
                    SortKind::Float(exponent, significand) => terms.bv_sort(exponent + significand),
                    _ => sort,
                };
                if element.is_some_and(|known| known != sort) {
                    return None;
                }
                element = Some(sort);
            }
        }
        let element = element?;
        let size = bytes_of(terms, element);
        if !size.is_power_of_two() || size > 8 {
            return None;
        }
        let bits = size.trailing_zeros();
        let fits = |access: &Access| match (access.offset, access.kind) {
            (Offset::Constant(offset), Kind::Value(_)) => offset % size == 0,
            (Offset::Any(offset), Kind::Value(_)) => arrays::is_multiple(terms, offset, bits),
            (Offset::Constant(offset), Kind::Forget(length)) => {
                offset == 0 && length.is_none_or(|length| length == info.size)
                    || offset < info.size && length.is_none()
                    || length == Some(0)
            }
            (Offset::Any(_), Kind::Forget(_)) => false,
            (_, Kind::Probe) => true,
        };
        accesses.iter().all(fits).then_some(element)
    }

    /// The bytes of an access with a constant offset; none outside the object.
    fn range(&self, terms: &Terms, object: ObjectId, access: &Access) -> Option<Range> {
        let Offset::Constant(start) = access.offset else { panic!("only constant offsets have a range") };
        let all = self.program.objects[object].size;
        let size = match access.kind {
            Kind::Value(sort) => bytes_of(terms, sort),
            Kind::Forget(Some(size)) => size,
            Kind::Forget(None) if start < all => return Some(Range { start: 0, end: all }),
            Kind::Forget(None) | Kind::Probe => return None,
        };
        let end = start.checked_add(size).filter(|&end| end <= all)?;
        Some(Range { start, end })
    }

    fn variable(&mut self, terms: &mut Terms, name: &str, sort: Sort, shown: Shown, storage: Storage) -> Var {
        let term = self.names.fresh(terms, name, sort);
        let name = symbol_name(terms, term).to_owned();
        self.map.instances.push(Instance { frame: Frame::default(), storage });
        let kind = VarKind::Local(self.entry);
        self.program.vars.push(Variable { name, term, sort, kind, shown, place: None })
    }
    /// A variable for a value that is needed on one edge at most.
    fn unused(&mut self, terms: &mut Terms, sort: Sort) -> Var {
        if let Some(&var) = self.unused.get(&sort) {
            return var;
        }
        let term = self.names.fresh(terms, "any", sort);
        let name = symbol_name(terms, term).to_owned();
        // It stands for nothing in the old program, and lives nowhere but between two edges.
        let var = self.program.vars.next_id();
        self.map.instances.push(Instance { frame: Frame::default(), storage: Storage::Variable(var) });
        let kind = VarKind::Temp(self.entry);
        let var = self.program.vars.push(Variable { name, term, sort, kind, shown: Shown::Plain, place: None });
        self.unused.insert(sort, var);
        var
    }
    fn input(&mut self, kind: InputKind, like: Option<InputId>, source: Source) -> InputId {
        let place = like.and_then(|like| self.program.inputs[like].place);
        self.map.inputs.push(source);
        self.program.inputs.push(Input { kind, shown: Shown::Plain, place })
    }

    /// Replaces all accesses.
    fn rewrite(&mut self, terms: &mut Terms, found: &Found) {
        let edges: Vec<EdgeId> = self.program.edges.ids().collect();
        // First the requests, so that every place that asks for an input knows all of them.
        for &edge in &edges {
            if let Action::Forget { input, .. } = self.program.edges[edge].action
                && let Some((object, access)) = found.by_edge.get(&edge)
                && let Some(plan) = self.plans.get(object).cloned()
            {
                self.request(terms, *object, access, input, &plan);
            }
        }
        for edge in edges {
            let access = found.by_edge.get(&edge).copied();
            let plan = access.and_then(|(object, _)| self.plans.get(&object).cloned());
            let actions = match (self.program.edges[edge].action.clone(), access, plan) {
                (Action::Load { var, .. }, Some((object, access)), Some(plan)) => {
                    self.load(terms, object, &access, &plan, var)
                }
                (Action::Store { value, .. }, Some((object, access)), Some(plan)) => {
                    self.store(terms, object, &access, &plan, value)
                }
                (Action::Forget { input, .. }, Some((object, access)), Some(plan)) => {
                    self.forget(terms, object, &access, &plan, input)
                }
                (action @ (Action::Forget { input, .. } | Action::Havoc { input, .. }), _, _) => {
                    // Another request for the same input.
                    let mut actions = vec![action];
                    self.ask_all(terms, input, &[], &mut actions);
                    actions
                }
                _ => continue,
            };
            self.chain(terms, edge, actions);
        }
    }

    /// Puts the actions in the place of the edge's own.
    fn chain(&mut self, terms: &mut Terms, edge: EdgeId, actions: Vec<Action>) {
        let mut actions = actions.into_iter();
        let first = actions.next().unwrap_or_else(|| empty(terms));
        self.program.edges[edge].action = first;
        let mut last = edge;
        for action in actions {
            let Edge { to, place, .. } = self.program.edges[last];
            let middle = self.map.location_like(&mut self.program, to);
            self.program.edges[last].to = middle;
            let next = Edge { from: middle, to, action, place };
            last = self.map.edge_like(&mut self.program, next, Some(edge));
        }
    }

    fn load(&mut self, terms: &mut Terms, object: ObjectId, access: &Access, plan: &Plan, var: Var) -> Vec<Action> {
        let sort = self.program.vars[var].sort;
        match plan {
            Plan::Pieces(pieces) => {
                let Some(range) = self.range(terms, object, access) else { return vec![self.any(terms, var)] };
                let met: Vec<(Range, Var)> =
                    pieces.iter().copied().filter(|(piece, _)| piece.overlaps(range)).collect();
                let value = match met[..] {
                    [(piece, from)] if piece == range && self.program.vars[from].sort == sort => {
                        self.program.vars[from].term
                    }
                    _ => {
                        let parts: Vec<(Range, Term)> = met
                            .iter()
                            .map(|&(piece, from)| (piece, to_bits(terms, self.program.vars[from].term)))
                            .collect();
                        let bits = pieces::gather(terms, &parts, range);
                        from_bits(terms, bits, sort)
                    }
                };
                vec![Action::Assign(vec![(var, value)])]
            }
            Plan::Array { var: array, size, element } => {
                let offset = self.offset(terms, access);
                let inside = arrays::inside(terms, offset, *size, self.program.objects[object].size);
                let read = terms.select(self.program.vars[*array].term, offset);
                let value = if *element == sort { read } else { from_bits(terms, read, sort) };
                match terms.op(inside) {
                    Op::True => vec![Action::Assign(vec![(var, value)])],
                    Op::False => vec![self.any(terms, var)],
                    _ => {
                        let outside = self.unused(terms, sort);
                        let havoc = self.any(terms, outside);
                        let value = terms.ite(inside, value, self.program.vars[outside].term);
                        vec![havoc, Action::Assign(vec![(var, value)])]
                    }
                }
            }
        }
    }

    fn store(&mut self, terms: &mut Terms, object: ObjectId, access: &Access, plan: &Plan, value: Term) -> Vec<Action> {
        if self.program.objects[object].read_only {
            return Vec::new();
        }
        match plan {
            Plan::Pieces(pieces) => {
                let Some(range) = self.range(terms, object, access) else { return Vec::new() };
                let mut pairs = Vec::new();
                for &(piece, var) in pieces.iter().filter(|(piece, _)| piece.overlaps(range)) {
                    let (sort, old) = (self.program.vars[var].sort, self.program.vars[var].term);
                    if piece == range && sort == terms.sort_of(value) {
                        pairs.push((var, value));
                        continue;
                    }
                    let (old, bits) = (to_bits(terms, old), to_bits(terms, value));
                    let new = pieces::splice(terms, old, piece, bits, range);
                    pairs.push((var, from_bits(terms, new, sort)));
                }
                vec![Action::Assign(pairs)]
            }
            Plan::Array { var, size, element } => {
                let offset = self.offset(terms, access);
                let inside = arrays::inside(terms, offset, *size, self.program.objects[object].size);
                let array = self.program.vars[*var].term;
                let value = if *element == terms.sort_of(value) { value } else { to_bits(terms, value) };
                let written = terms.store(array, offset, value);
                let new = terms.ite(inside, written, array);
                vec![Action::Assign(vec![(*var, new)])]
            }
        }
    }

    /// The variable receives any value.
    fn any(&mut self, _: &mut Terms, var: Var) -> Action {
        let input = self.input(InputKind::Memory, None, Source { input: None, offset: None });
        Action::Havoc { var, input }
    }
    fn offset(&self, terms: &mut Terms, access: &Access) -> Term {
        match access.offset {
            Offset::Any(offset) => offset,
            Offset::Constant(offset) => terms.bv(self.program.pointer_width, offset),
        }
    }

    /// Notes the parts of an object that a forget asks for.
    fn request(&mut self, terms: &mut Terms, object: ObjectId, access: &Access, input: InputId, plan: &Plan) {
        let parts: Vec<(Part, u64)> = match plan {
            Plan::Pieces(pieces) => {
                let Some(range) = self.range(terms, object, access) else { return };
                let met = pieces.iter().filter(|(piece, _)| piece.overlaps(range));
                met.map(|&(piece, _)| (Part::Piece(piece), piece.start)).collect()
            }
            Plan::Array { var, .. } => vec![(Part::Array(self.program.vars[*var].sort), 0)],
        };
        for (part, offset) in parts {
            if self.requests.get(&input).is_some_and(|known| known.contains_key(&part)) {
                continue;
            }
            let kind = self.program.inputs[input].kind.clone();
            let new = self.input(kind, Some(input), Source { input: Some(input), offset: Some(offset) });
            self.requests.get_or_insert_with(input, OrderedMap::default).insert(part, new);
        }
    }

    fn forget(
        &mut self,
        terms: &mut Terms,
        object: ObjectId,
        access: &Access,
        plan: &Plan,
        input: InputId,
    ) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut asked: Vec<Part> = Vec::new();
        let writable = !self.program.objects[object].read_only;
        match plan {
            Plan::Pieces(pieces) => {
                if let Some(range) = self.range(terms, object, access).filter(|_| writable) {
                    for &(piece, var) in pieces.iter().filter(|(piece, _)| piece.overlaps(range)) {
                        let from = self.requests[&input][&Part::Piece(piece)];
                        asked.push(Part::Piece(piece));
                        let sort = self.program.vars[var].sort;
                        let is_bits = matches!(terms.sort_kind(sort), SortKind::BitVec(_));
                        if range.contains(piece) && is_bits {
                            actions.push(Action::Havoc { var, input: from });
                            continue;
                        }
                        // A request is always for the bytes, so that it means the same in both programs.
                        let bits = terms.bv_sort(8 * piece.size() as u32);
                        let drawn = self.unused(terms, bits);
                        actions.push(Action::Havoc { var: drawn, input: from });
                        let drawn = self.program.vars[drawn].term;
                        let new = if range.contains(piece) {
                            drawn
                        } else {
                            let old = to_bits(terms, self.program.vars[var].term);
                            let part = Range { start: piece.start.max(range.start), end: piece.end.min(range.end) };
                            let value = pieces::extract(terms, drawn, piece, part);
                            pieces::splice(terms, old, piece, value, part)
                        };
                        let new = from_bits(terms, new, sort);
                        actions.push(Action::Assign(vec![(var, new)]));
                    }
                }
            }
            Plan::Array { var, .. } => {
                let length = match access.kind {
                    Kind::Forget(length) => length,
                    Kind::Value(_) | Kind::Probe => panic!("a forget forgets"),
                };
                if writable && length != Some(0) {
                    let part = Part::Array(self.program.vars[*var].sort);
                    actions.push(Action::Havoc { var: *var, input: self.requests[&input][&part] });
                    asked.push(part);
                }
            }
        }
        let byte = terms.bv_sort(8);
        let unused = self.unused(terms, byte);
        actions.push(Action::Havoc { var: unused, input });
        self.ask_all(terms, input, &asked, &mut actions);
        actions
    }

    /// Requests for the parts that are not asked for here, so that their values are counted.
    fn ask_all(&mut self, terms: &mut Terms, input: InputId, asked: &[Part], actions: &mut Vec<Action>) {
        let Some(requests) = self.requests.get(&input) else { return };
        let missing: Vec<(Part, InputId)> =
            requests.iter().map(|(&part, &from)| (part, from)).filter(|(part, _)| !asked.contains(part)).collect();
        for (part, from) in missing {
            let sort = match part {
                Part::Piece(range) => terms.bv_sort(8 * range.size() as u32),
                Part::Array(sort) => sort,
            };
            let var = self.unused(terms, sort);
            actions.push(Action::Havoc { var, input: from });
        }
    }

    /// Gives the variables their first values before the program starts.
    fn start(&mut self, terms: &mut Terms) {
        let mut pairs = Vec::new();
        let mut free = Vec::new();
        let objects: Vec<ObjectId> = self.program.objects.ids().collect();
        for object in objects {
            let Some(plan) = self.plans.get(&object).cloned() else { continue };
            let info = self.program.objects[object].clone();
            let vars: Vec<Var> = match &plan {
                Plan::Pieces(pieces) => pieces.iter().map(|&(_, var)| var).collect(),
                Plan::Array { var, .. } => vec![*var],
            };
            if info.owner.is_some() {
                for var in vars {
                    let kind = InputKind::Uninitialised(info.name.clone());
                    let input = self.input(kind, None, Source { input: None, offset: None });
                    free.push(Action::Havoc { var, input });
                }
                continue;
            }
            match plan {
                Plan::Pieces(pieces) => {
                    for (piece, var) in pieces {
                        let byte = |at: u64| info.init.get(at as usize).copied().unwrap_or(0);
                        let bytes: Vec<u8> = (piece.start..piece.end).map(byte).collect();
                        pairs.push((var, value_of_bytes(terms, self.program.vars[var].sort, &bytes)));
                    }
                }
                Plan::Array { var, size, .. } => {
                    let sort = self.program.vars[var].sort;
                    let contents = arrays::first_contents(terms, &info, sort, size);
                    pairs.push((var, contents.expect("it was asked for before")));
                }
            }
        }
        let old = self.program.functions[self.entry].entry;
        let new = self.map.location_like(&mut self.program, old);
        self.program.functions[self.entry].entry = new;
        let place = self.program.locations[old].place;
        let first = Edge { from: new, to: old, action: Action::Assign(pairs), place };
        let edge = self.map.edge_like(&mut self.program, first, None);
        let mut actions = vec![self.program.edges[edge].action.clone()];
        actions.extend(free);
        self.chain(terms, edge, actions);
        debug_assert!(self.program.edges[edge].to.index() < self.program.locations.len());
    }
}
