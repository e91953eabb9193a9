//! The cutpoint graph: where loops are cut, and what runs between the cuts.
//!
//! Cutpoints are the entry, the heads of the weak topological order (so irreducible loops are cut too),
//! and the error locations. A block starts at a cutpoint and runs, without loops, to the next ones
//! [GurfinkelChakiSapra-NFM'11].

use base::{FastMap, Id, IndexVec, Place, define_id};
use program::structure::{Digraph, WeakOrder};
use program::{Action, AssertionId, FunId, Graph, Loc, Mark, Program, Var, VarKind};
use term::{Term, Terms};

use crate::block::{Block, Plan};
use crate::tuning::Tuning;

define_id!(Cut, "A cutpoint.");

/// A location at which loops are cut.
#[derive(Clone, Debug)]
pub struct Cutpoint {
    /// The location.
    pub loc: Loc,
    /// Why it is one.
    pub kind: CutKind,
    /// The variables whose values matter there, ascending.
    pub state: Vec<Var>,
}

/// Why a location is a cutpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutKind {
    /// Runs start here.
    Entry,
    /// A loop runs through here.
    Head,
    /// The assertion fails here.
    Error(AssertionId),
}

/// How reads and writes through real pointers are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// A read may give any value: right for proofs, and an error found is replayed anyway.
    Anything,
    /// They are refused.
    Refused,
}

/// Something that cannot be encoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What, as a noun.
    pub what: String,
    /// Where in the source.
    pub place: Option<Place>,
}

/// The cutpoint graph of a program, with a block for each cutpoint.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The cutpoints, the entry first, loop heads in weak topological order.
    pub cutpoints: IndexVec<Cut, Cutpoint>,
    /// What starts at each; nothing at errors.
    pub blocks: IndexVec<Cut, Block>,
    /// What holds of the constants that terms mention: addresses are distinct and not null.
    pub axioms: Vec<Term>,
    /// The weak topological order of the cutpoints, by index.
    pub order: WeakOrder,
    /// A read through a pointer that was treated as any value, if there was one.
    pub unmodelled: Option<Option<Place>>,
}

impl Blocks {
    /// Cuts the loops of the program's entry function and executes what is between.
    pub fn new(program: &Program, terms: &mut Terms, memory: Memory) -> Result<Blocks, Unsupported> {
        Blocks::keeping(program, terms, memory, &[])
    }
    /// The same where only these assertions fail: what leads to the others leads nowhere.
    pub fn with_errors(&self, is_kept: impl Fn(AssertionId) -> bool) -> Blocks {
        let mut chosen = self.clone();
        let Blocks { cutpoints, blocks, .. } = &mut chosen;
        let leads_on = |to: Cut| match cutpoints[to].kind {
            CutKind::Error(assertion) => is_kept(assertion),
            CutKind::Entry | CutKind::Head => true,
        };
        for block in blocks.iter_mut() {
            block.exits.retain(|exit| leads_on(exit.to));
        }
        chosen
    }
    /// The same, where these variables are part of the state at every loop head, whether they matter there or not.
    pub fn keeping(program: &Program, terms: &mut Terms, memory: Memory, kept: &[Var]) -> Result<Blocks, Unsupported> {
        let entry =
            program.entry.ok_or_else(|| Unsupported { what: "program without an entry".to_owned(), place: None })?;
        check_supported(program, entry, memory)?;
        let ends = program.edges.iter().map(|edge| (edge.from.index(), edge.to.index()));
        let digraph = Digraph::new(program.locations.len(), ends);
        let start = program.functions[entry].entry;
        let order = WeakOrder::new(&digraph, start.index());
        let mut cutpoints: IndexVec<Cut, Cutpoint> = IndexVec::new();
        let mut cut_of: IndexVec<Loc, Option<Cut>> = IndexVec::new();
        cut_of.grow_to(program.locations.len(), None);
        let mut add = |loc: Loc, kind: CutKind| {
            if cut_of[loc].is_none() {
                cut_of[loc] = Some(cutpoints.push(Cutpoint { loc, kind, state: Vec::new() }));
            }
        };
        add(start, CutKind::Entry);
        for head in order.heads() {
            add(Loc::new(head), CutKind::Head);
        }
        for &node in &order.row {
            let loc = Loc::new(node);
            if let Mark::Error(assertion) = program.locations[loc].mark {
                add(loc, CutKind::Error(assertion));
            }
        }
        let mut position = vec![u32::MAX; program.locations.len()];
        for (at, &node) in order.row.iter().enumerate() {
            position[node] = at as u32;
        }
        let is_address =
            |var: &&program::Variable| matches!(var.kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_));
        let addresses: Vec<Term> = program.vars.iter().filter(is_address).map(|var| var.term).collect();
        // What the simplifier is to rely on must also be stated to solvers, pair by pair.
        if addresses.len() <= Tuning::DEFAULT.max_distinct_addresses {
            addresses.iter().for_each(|&address| terms.declare_apart(address));
        }
        let mut var_of = FastMap::new();
        for (var, variable) in program.vars.iter_enumerated() {
            var_of.insert(variable.term, var);
        }
        let plan = Plan { graph: Graph::new(program), cut_of, position, prefix: unused_prefix(program), var_of };
        let mut blocks = IndexVec::new();
        for cutpoint in cutpoints.iter() {
            blocks.push(Block::execute(program, terms, &plan, cutpoint.loc));
        }
        let exits = |(from, block): (Cut, &Block)| {
            block.exits.iter().map(|exit| (from.index(), exit.to.index())).collect::<Vec<_>>()
        };
        let edges: Vec<(usize, usize)> = blocks.iter_enumerated().flat_map(exits).collect();
        let order = WeakOrder::new(&Digraph::new(cutpoints.len(), edges.into_iter()), 0);
        let unmodelled =
            program.edges.iter().find(|edge| matches!(edge.action, Action::Load { .. } | Action::Probe { .. }));
        let mut result =
            Blocks { cutpoints, blocks, axioms: Vec::new(), order, unmodelled: unmodelled.map(|edge| edge.place) };
        result.find_state(program, terms, kept);
        result.axioms = address_axioms(program, terms, &result);
        Ok(result)
    }
    /// The cutpoint where runs start.
    pub fn entry(&self) -> Cut {
        Cut::new(0)
    }
    /// Whether a loop runs through the entry itself.
    pub fn entry_is_head(&self) -> bool {
        self.blocks.iter().any(|block| block.exits.iter().any(|exit| exit.to == self.entry()))
    }
}

fn check_supported(program: &Program, entry: FunId, memory: Memory) -> Result<(), Unsupported> {
    for edge in program.edges.iter() {
        if program.locations[edge.from].function != entry {
            continue;
        }
        let what = match &edge.action {
            Action::Call { function, .. } => {
                format!("call of `{}` that is not inlined", program.functions[*function].name)
            }
            Action::Load { .. } | Action::Probe { .. } if memory == Memory::Refused => {
                "read through a pointer".to_owned()
            }
            _ => continue,
        };
        return Err(Unsupported { what, place: edge.place });
    }
    Ok(())
}

/// Something that no variable's name begins with.
fn unused_prefix(program: &Program) -> String {
    let mut prefix = "in!".to_owned();
    while program.vars.iter().any(|variable| variable.name.starts_with(&prefix)) {
        prefix.push('!');
    }
    prefix
}

/// Addresses are not null and, as long as they are few, stated to be distinct.
fn address_axioms(program: &Program, terms: &mut Terms, blocks: &Blocks) -> Vec<Term> {
    let mut addresses: Vec<Term> = Vec::new();
    for cutpoint in blocks.cutpoints.iter() {
        for &var in &cutpoint.state {
            let variable = &program.vars[var];
            let is_address = matches!(variable.kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_));
            if is_address && !addresses.contains(&variable.term) {
                addresses.push(variable.term);
            }
        }
    }
    let mut axioms = Vec::new();
    for (i, &address) in addresses.iter().enumerate() {
        let null = terms.bv(program.pointer_width, 0);
        axioms.push(terms.stated_apart(address, null));
        for &other in addresses[..i].iter().take(Tuning::DEFAULT.max_distinct_addresses) {
            axioms.push(terms.stated_apart(address, other));
        }
    }
    axioms
}
