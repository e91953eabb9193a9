//! Accesses rewritten to columns.

use base::{FastMap, OrderedMap};
use term::{Op, Sort, SortKind, Term, Terms};

use super::layout::Access;
use super::points_to::{Found, Trace, address_of};
use crate::origin::{OUTSIDE, Targets};
use crate::pass::arrays::array_sort;
use crate::pass::names::{Names, symbol_name};
use crate::pass::pieces::{from_bits, to_bits, value_of_bytes};
use crate::pass::shape::empty;
use crate::pass::{BackMap, Source};
use crate::tuning::Tuning;
use crate::{
    Action, Class, Edge, EdgeId, Form, Frame, FunId, Input, InputId, InputKind, Instance, Layout, Member, Object,
    ObjectId, Part, Program, Shown, Site, Storage, Var, VarKind, Variable,
};

/// The variable of an automatic object that an `Alloc` of the inlined program makes.
pub(super) fn made_by_alloc(program: &Program, back: &BackMap, site: &Site) -> Option<Var> {
    let Site::Automatic(home, object) = site else { return None };
    program.edges.iter().find_map(|edge| {
        let Action::Alloc { var, .. } = edge.action else { return None };
        let Instance { frame, storage: Storage::Variable(address) } = &back.instances[var] else { return None };
        let is_it = frame == home && program.vars.get(*address)?.kind == VarKind::AddressOf(*object);
        is_it.then_some(var)
    })
}

/// Whether objects of the site begin at addresses that are not in use: there are many, and others may be in the same column.
fn is_counted(found: &Found, layout: &Layout, site: u32) -> bool {
    let has_cell =
        |column: &crate::Column| column.form == Form::Cell && column.members.iter().any(|member| member.site == site);
    !found.places[site as usize].once && layout.columns.iter().any(has_cell)
}

/// Replaces all accesses that the layout covers.
pub(super) fn rewrite(
    program: Program,
    map: BackMap,
    (back, trace): (&BackMap, &Trace),
    terms: &mut Terms,
    found: &Found,
    accesses: &[Access],
    mut layout: Layout,
) -> (Program, BackMap) {
    // Sites without a column are none of the layout's.
    let keep = vec![true; layout.columns.len()];
    let numbers: Vec<u32> = (0..found.places.len() as u32).collect();
    let used: Vec<bool> = numbers
        .iter()
        .map(|&site| layout.columns.iter().any(|column| column.members.iter().any(|member| member.site == site)))
        .collect();
    layout.counted =
        numbers.into_iter().filter(|&site| used[site as usize] && is_counted(found, &layout, site)).collect();
    let by_found = layout.clone();
    layout.keep(&keep, true, |_| false);
    let entry = program.entry.expect("a program has an entry function");
    let names = Names::of(&program, terms);
    let mut by_key = FastMap::new();
    for (frame, edge, parts) in &by_found.access {
        by_key.insert((frame.clone(), *edge), parts.clone());
    }
    let mut parts = FastMap::new();
    for access in accesses {
        if let Some(list) = by_key.get(&access.key) {
            parts.insert(access.edge, list.clone());
        }
    }
    let mut rewriting = Rewriting {
        program,
        map,
        back,
        trace,
        found,
        names,
        entry,
        layout: by_found,
        parts,
        columns: Vec::new(),
        used: None,
        bases: FastMap::new(),
        requests: FastMap::new(),
        spare: FastMap::new(),
    };
    rewriting.variables(terms, &used);
    rewriting.edges(terms);
    rewriting.start(terms);
    rewriting.map.layout = Some(layout);
    (rewriting.program, rewriting.map)
}

struct Rewriting<'a> {
    program: Program,
    map: BackMap,
    back: &'a BackMap,
    trace: &'a Trace,
    found: &'a Found,
    names: Names,
    entry: FunId,
    /// With the numbers of sites of `found`.
    layout: Layout,
    parts: FastMap<EdgeId, Vec<Part>>,
    /// The variable of each column.
    columns: Vec<Var>,
    used: Option<Var>,
    /// The address of the object of a site, where it is one term.
    bases: FastMap<u32, Term>,
    /// For each input that makes contents: the requests for parts of it, by offset and sort.
    requests: FastMap<InputId, OrderedMap<(u64, Sort), InputId>>,
    /// Variables for values that are needed on the next edge at most.
    spare: FastMap<(u64, Sort), Var>,
}

impl Rewriting<'_> {
    fn pointer(&self, terms: &mut Terms, value: u64) -> Term {
        terms.bv(self.program.pointer_width, value)
    }
    fn variable(&mut self, terms: &mut Terms, name: &str, sort: Sort, instance: Instance) -> Var {
        let term = self.names.fresh(terms, name, sort);
        let name = symbol_name(terms, term).to_owned();
        self.map.instances.push(instance);
        let kind = VarKind::Local(self.entry);
        self.program.vars.push(Variable { name, term, sort, kind, shown: Shown::Plain, place: None })
    }
    fn spare(&mut self, terms: &mut Terms, number: u64, sort: Sort) -> Var {
        if let Some(&var) = self.spare.get(&(number, sort)) {
            return var;
        }
        let next = self.program.vars.next_id();
        let instance = Instance { frame: Frame::default(), storage: Storage::Variable(next) };
        let var = self.variable(terms, "any", sort, instance);
        self.program.vars[var].kind = VarKind::Temp(self.entry);
        self.spare.insert((number, sort), var);
        var
    }
    fn term(&self, var: Var) -> Term {
        self.program.vars[var].term
    }
    fn element(&self, terms: &mut Terms, column: u32) -> Sort {
        terms.bv_sort(8 * self.layout.columns[column as usize].bytes as u32)
    }

    /// Makes the variables of columns, of addresses that are constants, and of the set of addresses in use.
    fn variables(&mut self, terms: &mut Terms, is_used: &[bool]) {
        let root = Frame::default;
        for place in 0..self.layout.columns.len() {
            let column = place as u32;
            let element = self.element(terms, column);
            let sort = match self.layout.columns[place].form {
                Form::Scalar => element,
                Form::Offset | Form::Cell => array_sort(terms, self.program.pointer_width, element),
            };
            let Member { site, class } = self.layout.columns[place].members[0];
            let name = format!("{}.{}", self.name_of(site), class.first);
            let instance = Instance { frame: root(), storage: Storage::Column { column } };
            let var = self.variable(terms, &name, sort, instance);
            self.columns.push(var);
        }
        for site in (0..self.found.places.len() as u32).filter(|&site| is_used[site as usize]) {
            let place = self.found.places[site as usize].clone();
            match (&place.site, place.once) {
                (Site::Static(_) | Site::Automatic(..), true) => {
                    let object = self.object_of(&place.site).expect("every object of the program is a site");
                    self.bases.insert(site, self.term(self.program.objects[object].address));
                }
                (Site::Automatic(..), false) => {
                    let made = made_by_alloc(&self.program, self.back, &place.site);
                    let object = self.object_of(&place.site).expect("every object of the program is a site");
                    let address = made.unwrap_or(self.program.objects[object].address);
                    self.bases.insert(site, self.term(address));
                }
                (Site::Alloc(frame, edge), true) => {
                    let instance = Instance { frame: frame.clone(), storage: Storage::Allocated { edge: *edge } };
                    let base = self.constant(terms, site, instance, place.size.unwrap_or(0));
                    self.bases.insert(site, base);
                }
                (Site::Static(_) | Site::Alloc(..), false) => {}
            }
        }
        if !self.layout.counted.is_empty() {
            let bit = terms.bv_sort(1);
            let sort = array_sort(terms, self.program.pointer_width, bit);
            let instance = Instance { frame: root(), storage: Storage::Used };
            self.used = Some(self.variable(terms, "used", sort, instance));
        }
    }
    /// An object whose address stands for that of what an `Alloc` makes.
    fn constant(&mut self, terms: &mut Terms, site: u32, instance: Instance, size: u64) -> Term {
        let name = self.name_of(site);
        let sort = terms.bv_sort(self.program.pointer_width);
        let var = self.variable(terms, &format!("&{name}"), sort, instance);
        let object = self.program.objects.next_id();
        self.program.vars[var].kind = VarKind::AddressOf(object);
        self.program.vars[var].shown = Shown::Pointer;
        self.program.objects.push(Object {
            name,
            address: var,
            size,
            align: 1,
            owner: Some(self.entry),
            init: Vec::new(),
            read_only: false,
            place: None,
            live: None,
            exposed: true,
        });
        self.map.objects.push((Frame::default(), object));
        self.program.functions[self.entry].objects.push(object);
        self.term(var)
    }
    fn name_of(&self, site: u32) -> String {
        match &self.found.places[site as usize].site {
            site @ (Site::Static(_) | Site::Automatic(..)) => match self.object_of(site) {
                Some(object) => self.program.objects[object].name.clone(),
                None => "object".to_owned(),
            },
            Site::Alloc(_, edge) => format!("heap{}", base::Id::index(*edge)),
        }
    }
    fn object_of(&self, site: &Site) -> Option<ObjectId> {
        let (frame, object) = match site {
            Site::Static(object) => (&Frame::default(), object),
            Site::Automatic(frame, object) => (frame, object),
            Site::Alloc(..) => return None,
        };
        self.back.objects.iter_enumerated().find(|(_, (home, old))| home == frame && old == object).map(|(id, _)| id)
    }
    fn site_of_alloc(&self, edge: EdgeId) -> Option<u32> {
        let site = self.found.alloc(self.trace, edge)?;
        let is_member = |column: &crate::Column| column.members.iter().any(|member| member.site == site);
        self.layout.columns.iter().any(is_member).then_some(site)
    }

    // ---- edges

    fn edges(&mut self, terms: &mut Terms) {
        let edges: Vec<EdgeId> = self.program.edges.ids().collect();
        for &edge in &edges {
            if let Action::Alloc { input: Some(input), .. } = self.program.edges[edge].action
                && let Some(site) = self.site_of_alloc(edge)
            {
                self.request(terms, input, site);
            }
        }
        for edge in edges {
            let action = self.program.edges[edge].action.clone();
            let mut actions = match action {
                Action::Load { var, address } => match self.parts.get(&edge).cloned() {
                    Some(parts) => vec![self.load(terms, &parts, var, address)],
                    None => continue,
                },
                Action::Store { address, value } => match self.parts.get(&edge).cloned() {
                    Some(parts) => vec![self.store(terms, &parts, address, value)],
                    None => self.store_anywhere(terms, edge),
                },
                Action::Forget { size, .. } => self.forget(terms, edge, size),
                Action::Alloc { var, size, input, moved, .. } => match self.site_of_alloc(edge) {
                    Some(site) => self.alloc(terms, site, var, size, input, moved.is_some()),
                    None => vec![self.program.edges[edge].action.clone()],
                },
                Action::Havoc { .. } => vec![self.program.edges[edge].action.clone()],
                _ => continue,
            };
            if let Action::Havoc { input, .. }
            | Action::Forget { input, .. }
            | Action::Alloc { input: Some(input), .. } = self.program.edges[edge].action
            {
                self.ask_all(terms, input, &mut actions);
            }
            self.chain(terms, edge, actions);
        }
    }
    /// Where the cells of a column for this address are.
    fn index(&self, terms: &mut Terms, column: u32, address: Term) -> Term {
        let column = &self.layout.columns[column as usize];
        if column.form != Form::Offset {
            let shift = terms.bv(self.program.pointer_width, column.shift());
            return terms.bv_sub(address, shift);
        }
        let base = self.bases[&column.members[0].site];
        distance(terms, address, base)
    }
    fn load(&mut self, terms: &mut Terms, parts: &[Part], var: Var, address: Term) -> Action {
        let mut all: Option<Term> = None;
        let mut at = 0;
        for part in parts {
            let column = part.column.expect("the pass leaves no part out");
            let place = if at == 0 {
                address
            } else {
                let at = self.pointer(terms, at);
                terms.bv_add(address, at)
            };
            let contents = self.term(self.columns[column as usize]);
            let value = match self.layout.columns[column as usize].form {
                Form::Scalar => contents,
                _ => {
                    let index = self.index(terms, column, place);
                    terms.select(contents, index)
                }
            };
            all = Some(all.map_or(value, |below| terms.concat(value, below)));
            at += part.bytes;
        }
        let bits = all.expect("an access has bytes");
        let value = from_bits(terms, bits, self.program.vars[var].sort);
        Action::Assign(vec![(var, value)])
    }
    fn store(&mut self, terms: &mut Terms, parts: &[Part], address: Term, value: Term) -> Action {
        let bits = to_bits(terms, value);
        let mut new: OrderedMap<Var, Term> = OrderedMap::default();
        let mut at = 0;
        let n_parts = parts.len();
        for part in parts {
            let column = part.column.expect("the pass leaves no part out");
            let var = self.columns[column as usize];
            let low = at as u32 * 8;
            let piece = if n_parts == 1 { bits } else { terms.extract(bits, low + part.bytes as u32 * 8 - 1, low) };
            let place = if at == 0 {
                address
            } else {
                let at = self.pointer(terms, at);
                terms.bv_add(address, at)
            };
            let old = new.get(&var).copied().unwrap_or(self.term(var));
            let written = match self.layout.columns[column as usize].form {
                Form::Scalar => piece,
                _ => {
                    let index = self.index(terms, column, place);
                    terms.store(old, index, piece)
                }
            };
            new.insert(var, written);
            at += part.bytes;
        }
        Action::Assign(new.into_iter().collect())
    }
    /// The columns that something at these targets may touch.
    fn touched(&self, targets: Option<&Targets>, bytes: Option<u64>) -> Vec<u32> {
        let width = self.program.pointer_width;
        let touches = |column: &crate::Column| match targets {
            None => true,
            Some(targets) => targets.iter().any(|(site, class)| {
                let class = if bytes.is_none() { Class::ANY } else { class };
                let overlaps = |member: &Member| {
                    member.site == site && class.may_overlap(bytes.unwrap_or(1), member.class, column.bytes, width)
                };
                site == OUTSIDE || column.members.iter().any(overlaps)
            }),
        };
        (0..self.layout.columns.len() as u32).filter(|&column| touches(&self.layout.columns[column as usize])).collect()
    }
    fn any(&mut self, var: Var) -> Action {
        let kind = InputKind::Memory;
        self.map.inputs.push(Source { input: None, offset: None });
        let input = self.program.inputs.push(Input { kind, shown: Shown::Plain, place: None });
        Action::Havoc { var, input }
    }
    fn store_anywhere(&mut self, terms: &mut Terms, edge: EdgeId) -> Vec<Action> {
        let action = self.program.edges[edge].action.clone();
        let Action::Store { value, .. } = action else { unreachable!("only stores store") };
        let bytes = match *terms.sort_kind(terms.sort_of(value)) {
            SortKind::BitVec(width) => Some(u64::from(width.div_ceil(8))),
            _ => None,
        };
        let targets = self.found.of(self.trace, edge).map(|(_, targets)| targets);
        let touched = self.touched(targets, bytes);
        let mut actions = vec![action];
        for column in touched {
            actions.push(self.any(self.columns[column as usize]));
        }
        actions
    }
    /// Contents become any value: single cells where that is plain, otherwise whole columns.
    fn forget(&mut self, terms: &mut Terms, edge: EdgeId, size: Option<Term>) -> Vec<Action> {
        let action = self.program.edges[edge].action.clone();
        let address = address_of(&action).expect("a forget has an address");
        let bytes = size.and_then(|size| terms.small_value(size));
        let targets = self.found.of(self.trace, edge).map(|(_, targets)| targets.clone());
        let touched = if bytes == Some(0) { Vec::new() } else { self.touched(targets.as_ref(), bytes) };
        let only = targets.as_ref().filter(|targets| targets.len() == 1).and_then(|targets| targets.iter().next());
        let mut actions = vec![action];
        for column in touched {
            let var = self.columns[column as usize];
            let cells = match (self.layout.columns[column as usize].form, only, bytes) {
                (Form::Cell, Some((site, Class { first, stride: 0 })), Some(bytes)) => {
                    self.cells(column, site, first, bytes)
                }
                _ => None,
            };
            let Some(cells) = cells else {
                actions.push(self.any(var));
                continue;
            };
            let mut new = self.term(var);
            for (number, offset) in cells.into_iter().enumerate() {
                let element = self.element(terms, column);
                let spare = self.spare(terms, number as u64, element);
                actions.push(self.any(spare));
                let value = self.term(spare);
                let at = self.pointer(terms, offset);
                let place = terms.bv_add(address, at);
                let place = self.index(terms, column, place);
                new = terms.store(new, place, value);
            }
            actions.push(Action::Assign(vec![(var, new)]));
        }
        actions
    }
    /// The cells of a column in this part of a site, as distances from its begin, if they are few.
    fn cells(&self, column: u32, site: u32, from: u64, bytes: u64) -> Option<Vec<u64>> {
        let info = &self.layout.columns[column as usize];
        let mut cells = Vec::new();
        for member in info.members.iter().filter(|member| member.site == site) {
            let Class { first, stride } = member.class;
            let mut at = first;
            while stride != 0 && at + info.bytes <= from {
                at = at.checked_add(stride)?;
            }
            while at < from.checked_add(bytes)? {
                if at + info.bytes > from {
                    cells.push(at.wrapping_sub(from));
                }
                if stride == 0 {
                    break;
                }
                at = at.checked_add(stride)?;
                if cells.len() as u64 > Tuning::DEFAULT.max_begun_cells {
                    return None;
                }
            }
        }
        Some(cells)
    }

    // ---- allocation

    fn request(&mut self, terms: &mut Terms, input: InputId, site: u32) {
        for (_, column, offset) in self.begun(site) {
            let sort = match self.layout.columns[column as usize].form {
                Form::Offset => self.program.vars[self.columns[column as usize]].sort,
                _ => self.element(terms, column),
            };
            if self.requests.get(&input).is_some_and(|known| known.contains_key(&(offset, sort))) {
                continue;
            }
            let kind = self.program.inputs[input].kind.clone();
            let place = self.program.inputs[input].place;
            self.map.inputs.push(Source { input: Some(input), offset: Some(offset) });
            let new = self.program.inputs.push(Input { kind, shown: Shown::Plain, place });
            self.requests.get_or_insert_with(input, OrderedMap::default).insert((offset, sort), new);
        }
    }
    /// The cells of a new object of the site that have a value of their own: form, column, offset.
    fn begun(&self, site: u32) -> Vec<(Form, u32, u64)> {
        let mut begun = Vec::new();
        for (number, column) in self.layout.columns.iter().enumerate() {
            for member in column.members.iter().filter(|member| member.site == site) {
                match column.form {
                    Form::Offset => {
                        begun.push((Form::Offset, number as u32, 0));
                        break;
                    }
                    Form::Cell if member.class.stride != 0 => {}
                    form => begun.push((form, number as u32, member.class.first)),
                }
            }
        }
        begun
    }
    fn ask_all(&mut self, terms: &mut Terms, input: InputId, actions: &mut Vec<Action>) {
        let Some(requests) = self.requests.get(&input) else { return };
        let all: Vec<(Sort, InputId)> = requests.iter().map(|(&(_, sort), &from)| (sort, from)).collect();
        for (sort, from) in all {
            let asked = |action: &Action| matches!(action, Action::Havoc { input, .. } if *input == from);
            if !actions.iter().any(asked) {
                let var = self.spare(terms, u64::MAX, sort);
                actions.push(Action::Havoc { var, input: from });
            }
        }
    }
    /// What an allocation becomes. Long: the parts of one rewrite.
    fn alloc(
        &mut self,
        terms: &mut Terms,
        site: u32,
        var: Var,
        size: Term,
        input: Option<InputId>,
        is_moved: bool,
    ) -> Vec<Action> {
        let place = self.found.places[site as usize].clone();
        let mut actions = Vec::new();
        if place.once {
            actions.push(Action::Assign(vec![(var, self.bases[&site])]));
        } else {
            actions.push(self.any(var));
            if let Some(Action::Havoc { input, .. }) = actions.last().filter(|_| self.layout.counted.contains(&site)) {
                self.program.inputs[*input].shown = Shown::Pointer;
            }
            let new = self.term(var);
            let null = self.pointer(terms, 0);
            let mut known = vec![terms.ne(new, null)];
            for other in self.neighbours(site) {
                known.push(terms.ne(new, other));
            }
            if let Some(used) = self.used.filter(|_| self.layout.counted.contains(&site)) {
                let (yes, no, all) = (terms.bv(1, 1), terms.bv(1, 0), self.term(used));
                let is_used = terms.select(all, new);
                known.push(terms.eq(is_used, no));
                let known = terms.and(&known);
                actions.push(Action::Assume(known));
                let more = terms.store(all, new, yes);
                actions.push(Action::Assign(vec![(used, more)]));
            } else {
                let known = terms.and(&known);
                actions.push(Action::Assume(known));
            }
        }
        let begun = self.begun(site);
        let mut written: OrderedMap<Var, Term> = OrderedMap::default();
        let base = self.term(var);
        for (number, (form, column, offset)) in begun.into_iter().enumerate() {
            let target = self.columns[column as usize];
            let sort = self.program.vars[target].sort;
            let element = self.element(terms, column);
            let from = input.map(|input| {
                let part = if form == Form::Offset { sort } else { element };
                self.requests[&input][&(offset, part)]
            });
            match (form, from) {
                (Form::Cell, None)
                    if is_moved || !fits(terms, size, offset, self.layout.columns[column as usize].bytes) => {}
                (Form::Cell, _) => {
                    let value = match from {
                        Some(input) => {
                            let spare = self.spare(terms, number as u64, element);
                            actions.push(Action::Havoc { var: spare, input });
                            self.term(spare)
                        }
                        None => terms.bits(base::Bits::zero(terms_width(terms, element))),
                    };
                    let at = self.pointer(terms, offset);
                    let place = terms.bv_add(base, at);
                    let place = self.index(terms, column, place);
                    let old = written.get(&target).copied().unwrap_or(self.term(target));
                    let new = terms.store(old, place, value);
                    written.insert(target, new);
                }
                (_, Some(input)) => actions.push(Action::Havoc { var: target, input }),
                (_, None) if is_moved => actions.push(self.any(target)),
                (_, None) => {
                    let zero = terms.bits(base::Bits::zero(terms_width(terms, element)));
                    let value = if form == Form::Offset { terms.const_array(sort, zero) } else { zero };
                    actions.push(Action::Assign(vec![(target, value)]));
                }
            }
        }
        if input.is_none() && !is_moved {
            self.zero_cells(terms, site, base, size, &mut written);
        }
        if !written.is_empty() {
            actions.push(Action::Assign(written.into_iter().collect()));
        }
        actions
    }
    /// Zeros in the cells at many offsets of a new object, if its size is a small constant.
    fn zero_cells(
        &mut self,
        terms: &mut Terms,
        site: u32,
        base: Term,
        size: Term,
        written: &mut OrderedMap<Var, Term>,
    ) {
        let Some(size) = terms.small_value(size) else { return };
        for column in 0..self.layout.columns.len() as u32 {
            let info = &self.layout.columns[column as usize];
            let is_many = |member: &&Member| member.site == site && member.class.stride != 0;
            if info.form != Form::Cell || !info.members.iter().any(|member| is_many(&member)) {
                continue;
            }
            let Some(mut cells) = self.cells(column, site, 0, size) else { continue };
            cells.retain(|at| at + self.layout.columns[column as usize].bytes <= size);
            let (target, element) = (self.columns[column as usize], self.element(terms, column));
            let zero = terms.bits(base::Bits::zero(terms_width(terms, element)));
            let mut new = written.get(&target).copied().unwrap_or(self.term(target));
            for at in cells {
                let at = self.pointer(terms, at);
                let place = terms.bv_add(base, at);
                let place = self.index(terms, column, place);
                new = terms.store(new, place, zero);
            }
            written.insert(target, new);
        }
    }
    /// Constant addresses of objects that share a column with those of the site.
    fn neighbours(&self, site: u32) -> Vec<Term> {
        let mut sites: Vec<u32> = Vec::new();
        for column in self.layout.columns.iter().filter(|column| column.form == Form::Cell) {
            if column.members.iter().any(|member| member.site == site) {
                sites.extend(column.members.iter().map(|member| member.site).filter(|&other| other != site));
            }
        }
        sites.sort_unstable();
        sites.dedup();
        sites.retain(|&site| self.found.places[site as usize].once);
        sites.into_iter().map(|site| self.bases[&site]).collect()
    }

    // ---- graph

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
    /// First contents of all columns, before the program starts.
    fn start(&mut self, terms: &mut Terms) {
        let mut actions = Vec::new();
        let mut pairs = Vec::new();
        for column in 0..self.layout.columns.len() {
            let var = self.columns[column];
            match self.first(terms, column) {
                Some(value) => pairs.push((var, value)),
                None => actions.push(self.any(var)),
            }
            let mut new = self.term(var);
            if self.layout.columns[column].form == Form::Cell {
                new = self.first_cells(terms, column, new);
                if new != self.term(var) {
                    actions.push(Action::Assign(vec![(var, new)]));
                }
            }
        }
        if let Some(used) = self.used {
            let no = terms.bv(1, 0);
            let all = terms.const_array(self.program.vars[used].sort, no);
            pairs.push((used, all));
        }
        actions.push(Action::Assign(pairs));
        let old = self.program.functions[self.entry].entry;
        let new = self.map.location_like(&mut self.program, old);
        self.program.functions[self.entry].entry = new;
        let place = self.program.locations[old].place;
        let first = Edge { from: new, to: old, action: empty(terms), place };
        let edge = self.map.edge_like(&mut self.program, first, None);
        self.chain(terms, edge, actions);
    }
    /// What a column that belongs to one static object holds at first.
    fn first(&mut self, terms: &mut Terms, column: usize) -> Option<Term> {
        let info = &self.layout.columns[column];
        let site = info.members[0].site;
        let Site::Static(_) = self.found.places[site as usize].site else { return None };
        let object = self.object_of(&self.found.places[site as usize].site)?;
        let object = &self.program.objects[object];
        let sort = self.program.vars[self.columns[column]].sort;
        let byte = |at: u64| usize::try_from(at).ok().and_then(|at| object.init.get(at)).copied().unwrap_or(0);
        let bytes = |at: u64| -> Vec<u8> { (at..at + info.bytes).map(byte).collect() };
        match info.form {
            Form::Cell => None,
            Form::Scalar => Some(value_of_bytes(terms, sort, &bytes(info.members[0].class.first))),
            Form::Offset => {
                let element = terms.bv_sort(8 * info.bytes as u32);
                let zero = value_of_bytes(terms, element, &vec![0; info.bytes as usize]);
                let mut array = terms.const_array(sort, zero);
                let mut n_stores = 0;
                for at in offsets(&info.members, site, object.init.len() as u64) {
                    let value = bytes(at);
                    if value.iter().all(|&byte| byte == 0) {
                        continue;
                    }
                    n_stores += 1;
                    if n_stores > Tuning::DEFAULT.max_initial_stores {
                        return None;
                    }
                    let (index, value) =
                        (terms.bv(self.program.pointer_width, at), value_of_bytes(terms, element, &value));
                    array = terms.store(array, index, value);
                }
                Some(array)
            }
        }
    }
    /// The column with the first contents of the static objects in it.
    fn first_cells(&mut self, terms: &mut Terms, column: usize, mut array: Term) -> Term {
        let info = &self.layout.columns[column];
        let mut sites: Vec<u32> = info.members.iter().map(|member| member.site).collect();
        sites.dedup();
        for site in sites {
            let Site::Static(_) = self.found.places[site as usize].site else { continue };
            let Some(object) = self.object_of(&self.found.places[site as usize].site) else { continue };
            let object = &self.program.objects[object];
            let cells: Vec<u64> = offsets(&info.members, site, object.size)
                .take(Tuning::DEFAULT.max_begun_cells as usize + 1)
                .filter(|at| at + info.bytes <= object.size)
                .collect();
            if cells.len() as u64 > Tuning::DEFAULT.max_begun_cells {
                continue;
            }
            for at in cells {
                let byte = |at: u64| object.init.get(at as usize).copied().unwrap_or(0);
                let bytes: Vec<u8> = (at..at + info.bytes).map(byte).collect();
                let element = terms.bv_sort(8 * info.bytes as u32);
                let value = value_of_bytes(terms, element, &bytes);
                let at = terms.bv(self.program.pointer_width, at);
                let place = terms.bv_add(self.bases[&site], at);
                let place = self.index(terms, column as u32, place);
                array = terms.store(array, place, value);
            }
        }
        array
    }
}

/// The offsets of the members of a site below a limit.
fn offsets(members: &[Member], site: u32, limit: u64) -> impl Iterator<Item = u64> {
    let members: Vec<Class> = members.iter().filter(|member| member.site == site).map(|member| member.class).collect();
    members.into_iter().flat_map(move |class| {
        let step = if class.stride == 0 { u64::MAX } else { class.stride };
        std::iter::successors(Some(class.first), move |at| at.checked_add(step)).take_while(move |&at| at < limit)
    })
}

/// Whether these bytes are inside an object of this size, if that is known.
fn fits(terms: &Terms, size: Term, offset: u64, bytes: u64) -> bool {
    let end = offset.checked_add(bytes);
    terms.small_value(size).is_some_and(|size| end.is_some_and(|end| end <= size))
}

fn terms_width(terms: &Terms, sort: Sort) -> u32 {
    match *terms.sort_kind(sort) {
        SortKind::BitVec(width) => width,
        _ => panic!("cells hold words"),
    }
}

/// What is added to the base.
fn distance(terms: &mut Terms, address: Term, base: Term) -> Term {
    let mut rest = Vec::new();
    let mut work = vec![address];
    let mut n_bases = 0;
    while let Some(term) = work.pop() {
        if terms.op(term) == Op::BvAdd {
            work.extend_from_slice(terms.args(term));
        } else if term == base && n_bases == 0 {
            n_bases = 1;
        } else {
            rest.push(term);
        }
    }
    if n_bases == 0 {
        return terms.bv_sub(address, base);
    }
    let zero = terms.bv(terms.width(base), 0);
    rest.into_iter().fold(zero, |sum, term| terms.bv_add(sum, term))
}
