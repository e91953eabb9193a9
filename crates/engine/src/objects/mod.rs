//! Invariants about every object: `for every o: live(o) implies next(o) = 0 or live(next(o))`.
//!
//! A list or a tree that a loop builds is described by what holds of any of its nodes. Candidates are made from templates over one or
//! two bound symbols, the columns of memory that are indexed by objects, and the pointers of the state (`templates`). As for cells of arrays
//! [FlanaganQadeer-POPL'02], a candidate is proved for symbols of which nothing is known and assumed for them and for a few terms
//! (`places`): the pointers of the state and what their fields lead to. `houdini` leaves out what is not kept. The templates are
//! those that shape analyses find again and again: fields lead to null or to live objects, no two fields lead to one object, no field leads to
//! a root, the neighbour of the neighbour is the object itself, data of all nodes is alike.
//!
//! Which objects there are is said by the tags of allocated objects where accesses are checked, otherwise by the set of addresses in use.

mod places;
mod templates;

use base::{FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind, Memory};
use program::{Form, Program, Storage, Var};
use term::{Op, SortKind, Term, Terms};
use verdict::{Method, Proof};

use crate::cells::{Instances, excludes_errors, unused};
use crate::context::Context;
use crate::evidence;
use crate::houdini::Houdini;
use crate::invariants::Invariants;
use crate::needed::needed_with;
use crate::task::Task;
use crate::tuning::Tuning;

/// Whether the program has columns that are indexed by objects, and a record of which objects there are.
pub(crate) fn has_objects(task: &Task) -> bool {
    let storage = |is: fn(&Storage) -> bool| task.map.instances.iter().any(|instance| is(&instance.storage));
    let is_any_cell =
        task.map.layout.as_ref().is_some_and(|layout| layout.columns.iter().any(|column| column.form == Form::Cell));
    is_any_cell && storage(|storage| matches!(storage, Storage::Tags | Storage::Used))
}

/// A proof by invariants about every object, together with these; none if none is found.
pub(crate) fn by_objects(cx: &mut Context<'_>, invariants: &Invariants) -> Result<Option<Proof>, Stopped> {
    cx.run.observer.phase("objects");
    let part = cx.run.budget.part(Tuning::DEFAULT.objects_ticks);
    // Which objects there are matters to invariants where it does not matter to the program any more.
    let is_kept = |storage: &Storage| matches!(storage, Storage::Tags | Storage::Used | Storage::Column { .. });
    let kept: Vec<Var> = cx.program().vars.ids().filter(|&var| is_kept(&cx.task.map.instances[var].storage)).collect();
    let Ok(blocks) = Blocks::keeping(cx.program(), cx.terms, Memory::Anything, &kept) else { return Ok(None) };
    let mut cx = cx.with_blocks(&blocks);
    let Some(objects) = Objects::new(&mut cx) else { return Ok(None) };
    match objects.prove(&mut cx.within(&part), &invariants.at) {
        Err(Stopped::OutOfTicks) => Ok(None),
        found => found,
    }
}

/// A column with one cell in each object.
#[derive(Clone, Copy)]
struct Field {
    /// The array, from objects to words.
    column: Term,
    /// Whether its words may be addresses.
    is_pointer: bool,
}

/// What the search for candidates looks at.
struct Objects<'a> {
    program: &'a Program,
    blocks: &'a Blocks,
    /// Two symbols that stand for any objects.
    bound: [Term; 2],
    /// The record of live objects, and the values in it that say so; zero stands for none.
    record: Term,
    kinds: Vec<u64>,
    fields: Vec<Field>,
    /// Words of the state that are addresses of objects.
    pointers: Vec<Term>,
    /// By cutpoint: the terms that are put in for bound symbols there.
    places: IndexVec<Cut, Vec<Term>>,
}

impl<'a> Objects<'a> {
    fn new(cx: &mut Context<'a>) -> Option<Self> {
        let (program, blocks, task) = (cx.program(), cx.blocks, cx.task);
        let terms = &mut *cx.terms;
        let layout = task.map.layout.as_ref()?;
        let variable = |is: &dyn Fn(&Storage) -> bool| {
            let mut vars = program.vars.ids();
            vars.find(|&var| is(&task.map.instances[var].storage)).map(|var| program.vars[var].term)
        };
        let in_state = |term: Term| {
            blocks.cutpoints.iter().any(|point| point.state.iter().any(|&var| program.vars[var].term == term))
        };
        let tags = variable(&|storage| *storage == Storage::Tags).filter(|&tags| in_state(tags));
        let (record, kinds) = match tags {
            Some(tags) => {
                let tagged = layout.valid.iter().enumerate().filter(|(_, site)| site.is_tagged);
                (tags, tagged.map(|(place, _)| place as u64 + 1).collect())
            }
            None => (variable(&|storage| *storage == Storage::Used).filter(|&used| in_state(used))?, vec![1]),
        };
        let mut fields = Vec::new();
        for (number, column) in layout.columns.iter().enumerate().filter(|(_, column)| column.form == Form::Cell) {
            let is_one = column.members.iter().all(|member| member.class.stride == 0)
                && column.members.iter().all(|member| member.class.first == column.shift());
            let found = variable(&|storage| *storage == Storage::Column { column: number as u32 });
            if let Some(found) = found.filter(|&found| is_one && in_state(found)) {
                let is_pointer = 8 * column.bytes == u64::from(program.pointer_width);
                fields.push(Field { column: found, is_pointer });
            }
        }
        if fields.is_empty() || fields.len() > Tuning::DEFAULT.objects_fields {
            return None;
        }
        let bound = ["object", "other"].map(|word| unused(terms, program, word, program.pointer_width));
        let mut objects =
            Objects { program, blocks, bound, record, kinds, fields, pointers: Vec::new(), places: IndexVec::new() };
        objects.find_pointers(terms);
        objects.find_places(terms);
        Some(objects)
    }
    fn prove(self, cx: &mut Context<'_>, known: &IndexVec<Cut, Vec<Term>>) -> Result<Option<Proof>, Stopped> {
        let (blocks, budget) = (cx.blocks, cx.run.budget);
        let terms = &mut *cx.terms;
        let mut houdini = Houdini::new(blocks);
        let mut chains: FastMap<Cut, Vec<Vec<Term>>> = FastMap::new();
        for (cut, cutpoint) in blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            let candidates = self.candidates(terms, cut);
            budget.spend(candidates.len() as u64)?;
            for chain in &candidates {
                houdini.add_chain(cut, chain);
            }
            chains.insert(cut, candidates);
        }
        let mut instances = Instances::new();
        for cut in blocks.cutpoints.ids() {
            for &candidate in chains.get(&cut).into_iter().flatten().flatten() {
                let instance = self.instance(terms, cut, candidate);
                if terms.op(instance) != Op::True {
                    instances.insert((cut, candidate), instance);
                }
            }
        }
        houdini.instances = instances.clone();
        let survivors = houdini.run(cx, known, Tuning::DEFAULT.objects_query_ticks)?;
        let mut all: Vec<(Cut, Term)> = Vec::new();
        for (cut, found) in survivors.invariants.iter_enumerated() {
            all.extend(known[cut].iter().chain(found).map(|&term| (cut, term)));
        }
        if !excludes_errors(cx, &all, &instances, false)? {
            return Ok(None);
        }
        let all = needed_with(cx, all, &instances)?;
        let proof = evidence::proof(cx.task, cx.terms, blocks, &all, Method::Induction { depth: 1 }, &[]);
        let mut places = Vec::new();
        for (cut, cutpoint) in blocks.cutpoints.iter_enumerated().filter(|(_, point)| point.kind == CutKind::Head) {
            places.extend(self.places[cut].iter().map(|&place| (cutpoint.loc, place)));
        }
        Ok(Some(evidence::for_every(cx.task, cx.terms, proof, &self.bound, &places)))
    }
    /// What the candidate says of the places of the block.
    fn instance(&self, terms: &mut Terms, cut: Cut, candidate: Term) -> Term {
        let mentioned = terms.subterms(&[candidate]);
        let mut parts = Vec::new();
        for &bound in self.bound.iter().filter(|bound| mentioned.contains(bound)) {
            for &place in self.places[cut].iter().filter(|&&place| place != bound) {
                parts.push(terms.substitute(candidate, &[(bound, place)]));
            }
        }
        terms.and(&parts)
    }

    // ---- what the parts share

    fn state(&self, cut: Cut) -> Vec<Term> {
        self.blocks.cutpoints[cut].state.iter().map(|&var| self.program.vars[var].term).collect()
    }
    /// The pointers of the state at the cutpoint.
    fn roots(&self, cut: Cut) -> Vec<Term> {
        let state = self.state(cut);
        let mut roots: Vec<Term> = self.pointers.iter().copied().filter(|pointer| state.contains(pointer)).collect();
        roots.truncate(Tuning::DEFAULT.objects_pointers);
        roots
    }
    /// The fields that the state has at the cutpoint.
    fn fields_at(&self, cut: Cut) -> Vec<Field> {
        let state = self.state(cut);
        self.fields.iter().copied().filter(|field| state.contains(&field.column)).collect()
    }
    fn null(&self, terms: &mut Terms) -> Term {
        terms.bv(self.program.pointer_width, 0)
    }
    /// The variables that hold addresses of objects: those that columns are read or written at, and those that get their values
    /// from such a variable or from a field.
    fn find_pointers(&mut self, terms: &Terms) {
        let exits = || self.blocks.blocks.iter().flat_map(|block| &block.exits);
        let is_word = |var: Var| matches!(*terms.sort_kind(self.program.vars[var].sort), SortKind::BitVec(width) if width == self.program.pointer_width);
        let mut symbols: FastMap<Term, ()> = FastMap::new();
        for exit in exits() {
            let roots: Vec<Term> = exit.values.iter().map(|&(_, value)| value).chain([exit.guard]).collect();
            for part in terms.subterms(&roots) {
                if matches!(terms.op(part), Op::Select | Op::Store) {
                    self.leaves(terms, terms.arg(part, 1)).into_iter().for_each(|leaf| {
                        symbols.insert(leaf, ());
                    });
                }
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for exit in exits() {
                for &(var, value) in exit.values.iter().filter(|(var, _)| is_word(*var)) {
                    let leaves = self.leaves(terms, value);
                    let is_field = |&leaf: &Term| {
                        terms.op(leaf) == Op::Select
                            && self
                                .fields
                                .iter()
                                .any(|field| field.is_pointer && is_of(terms, terms.arg(leaf, 0), field))
                    };
                    let target = self.program.vars[var].term;
                    let carries = leaves.iter().any(|leaf| symbols.contains_key(leaf) || is_field(leaf));
                    if carries {
                        changed |= symbols.insert(target, ()).is_none();
                    }
                    if symbols.contains_key(&target) {
                        for leaf in leaves.into_iter().filter(|&leaf| terms.op(leaf) != Op::Select) {
                            changed |= symbols.insert(leaf, ()).is_none();
                        }
                    }
                }
            }
        }
        let words = self.program.vars.ids().filter(|&var| is_word(var)).map(|var| self.program.vars[var].term);
        self.pointers = words.filter(|word| symbols.contains_key(word)).collect();
    }
    /// The variables, inputs and reads that a value is one of.
    fn leaves(&self, terms: &Terms, value: Term) -> Vec<Term> {
        let mut leaves = Vec::new();
        let mut todo = vec![value];
        while let Some(term) = todo.pop() {
            match terms.op(term) {
                Op::Ite => todo.extend([terms.arg(term, 1), terms.arg(term, 2)]),
                Op::Symbol(_) | Op::Select => leaves.push(term),
                _ => {}
            }
        }
        leaves
    }
}

/// Whether the array is the column, perhaps with something stored in it.
fn is_of(terms: &Terms, array: Term, field: &Field) -> bool {
    let mut todo = vec![array];
    while let Some(term) = todo.pop() {
        match terms.op(term) {
            Op::Store => todo.push(terms.arg(term, 0)),
            Op::Ite => todo.extend([terms.arg(term, 1), terms.arg(term, 2)]),
            _ if term == field.column => return true,
            _ => {}
        }
    }
    false
}
