//! The program as wires: each bit of a state is a variable of the SAT solver, each edge says which literal it becomes.
//!
//! All circuits are built once; from then on a step backwards is a look into a table. Where the program is not made of bits alone
//! (large arrays, numbers, addresses), there are no wires.

use base::{Bits, Budget, FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use engine::Task;
use program::AssertionId;
use sat::{Lit, SatVar, Solver};
use smt::{Circuit, NoCircuit};
use term::{Op, SortKind, Term, Terms, Value};

use super::cells::Cells;
use crate::system::EdgeNo;
use crate::tuning::Tuning;

/// An edge between cutpoints.
pub(super) struct Edge {
    pub from: Cut,
    pub to: Cut,
    pub guard: Lit,
    /// By bit of the state: what it becomes.
    next: Vec<Lit>,
    /// What the guard depends on.
    pub guard_cone: Vec<SatVar>,
    /// By word of the state: what its bits depend on.
    cones: Vec<Vec<SatVar>>,
}

/// A variable or cell of the state.
struct Word {
    /// The term that other engines use for it.
    term: Term,
    bits: Vec<SatVar>,
}

/// A bit of the state.
#[derive(Clone, Copy)]
struct Bit {
    word: u32,
    /// Among all bits.
    number: u32,
}

/// All of it.
pub(super) struct Wires {
    pub edges: IndexVec<EdgeNo, Edge>,
    /// By cutpoint: the edges that lead there.
    pub incoming: IndexVec<Cut, Vec<EdgeNo>>,
    /// The edges into an error.
    pub errors: Vec<(EdgeNo, AssertionId)>,
    pub entry: Cut,
    /// By cutpoint: the bits of its state.
    pub state: IndexVec<Cut, Vec<SatVar>>,
    /// By cutpoint: its block's inputs, as they are in the program, each with the literals of its cells.
    pub inputs: IndexVec<Cut, Vec<Input>>,
    words: Vec<Word>,
    /// By variable of the SAT solver.
    bit_of: Vec<Option<Bit>>,
    /// The circuits.
    pub solver: Solver,
    cells: Cells,
}

/// An input as it is in the program, with the literals of its cells.
type Input = (Term, Vec<Vec<Lit>>);

/// The wires, with the literals of facts at cutpoints.
type WithFacts = (Wires, Vec<(Cut, Lit)>);

/// What is being built.
struct Builder<'a> {
    task: &'a Task,
    blocks: &'a Blocks,
    budget: &'a Budget,
    circuit: Circuit,
    cells: Cells,
    words: Vec<Word>,
    /// By variable of the program: its words.
    words_of: FastMap<Term, Vec<u32>>,
}

impl Wires {
    /// The program as wires, with the literal of each of these facts. None if it is not made of bits alone.
    pub fn new(
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        facts: &[(Cut, Term)],
        budget: &Budget,
    ) -> Result<Option<WithFacts>, Stopped> {
        let circuit = Circuit::new();
        let (cells, words, words_of) = (Cells::default(), Vec::new(), FastMap::new());
        let mut builder = Builder { task, blocks, budget, circuit, cells, words, words_of };
        let n_cutpoints = blocks.cutpoints.len();
        let fits = |n_wires: usize| {
            n_wires < Tuning::DEFAULT.max_wires
                && n_wires.saturating_mul(n_cutpoints) < Tuning::DEFAULT.max_copied_wires
        };
        match builder.build(terms, facts) {
            Ok(wires) => Ok(Some(wires).filter(|(wires, _)| fits(wires.solver.n_vars()))),
            Err(NoCircuit::NotBits) => Ok(None),
            Err(NoCircuit::Stopped(stopped)) => Err(stopped),
        }
    }
    /// What the literal of the state behind the edge is before it.
    pub fn back(&self, edge: &Edge, lit: Lit) -> Lit {
        let bit = self.bit_of[lit.var().index()].expect("cubes speak of bits of the state");
        let before = edge.next[bit.number as usize];
        if lit.is_positive() { before } else { !before }
    }
    /// What has to be decided to know what these literals are before the edge; some come twice.
    pub fn cone(&self, edge: &Edge, cube: &[Lit]) -> Vec<SatVar> {
        let mut vars = self.state[edge.from].clone();
        vars.extend(&edge.guard_cone);
        let mut last = None;
        for lit in cube {
            let bit = self.bit_of[lit.var().index()].expect("cubes speak of bits of the state");
            if last != Some(bit.word) {
                vars.extend(&edge.cones[bit.word as usize]);
                last = Some(bit.word);
            }
        }
        vars
    }
    /// The clause that denies the cube, in the words of the program: runs of bits become slices.
    pub fn denial(&self, terms: &mut Terms, cube: &[Lit]) -> Term {
        let mut parts = Vec::new();
        for word in &self.words {
            let known: Vec<Option<bool>> = (word.bits.iter())
                .map(|var| cube.iter().find(|lit| lit.var() == *var).map(|lit| lit.is_positive()))
                .collect();
            if terms.is_bool(word.term) {
                parts.extend(known[0].map(|value| if value { terms.not(word.term) } else { word.term }));
                continue;
            }
            let mut low = 0;
            while low < known.len() {
                let run: Vec<bool> = known[low..].iter().map_while(|bit| *bit).collect();
                if run.is_empty() {
                    low += 1;
                    continue;
                }
                let slice = terms.extract(word.term, (low + run.len() - 1) as u32, low as u32);
                let value = terms.bits(number(&run));
                parts.push(terms.ne(slice, value));
                low += run.len();
            }
        }
        terms.or(&parts)
    }
    /// The value of a variable of the program, from the values of its bits.
    pub fn value(&mut self, terms: &mut Terms, variable: Term, words: &[Vec<bool>]) -> Value {
        let of_word = |is_bool: bool, word: &[bool]| {
            if is_bool { Value::Bool(word[0]) } else { Value::Bits(number(word)) }
        };
        match *terms.sort_kind(terms.sort_of(variable)) {
            SortKind::Array(index, element) => {
                let is_bool = *terms.sort_kind(element) == SortKind::Bool;
                let Value::Array(mut array) = Value::any(terms, terms.sort_of(variable)) else {
                    unreachable!("any value of an array is one")
                };
                let SortKind::BitVec(width) = *terms.sort_kind(index) else { unreachable!("cells are numbered") };
                for (place, word) in words.iter().enumerate() {
                    array.write(Value::Bits(Bits::from_u64(width, place as u64)), of_word(is_bool, word));
                }
                Value::Array(array)
            }
            SortKind::Bool => of_word(true, &words[0]),
            _ => of_word(false, &words[0]),
        }
    }
    /// The bits of a variable of the state, cell by cell.
    pub fn bits_of(&mut self, terms: &mut Terms, variable: Term) -> Vec<Vec<SatVar>> {
        let pairs = self.cells.of_variable(terms, variable).expect("all of the state has wires");
        let word = |term| self.words.iter().find(|word| word.term == term).map(|word| word.bits.clone());
        pairs.into_iter().map(|(_, term)| word(term).expect("all of the state has wires")).collect()
    }
}

fn number(bits: &[bool]) -> Bits {
    let mut words = vec![0u64; bits.len().div_ceil(64)];
    for (at, &bit) in bits.iter().enumerate() {
        words[at / 64] |= u64::from(bit) << (at % 64);
    }
    Bits::from_words(bits.len() as u32, &words)
}

impl Builder<'_> {
    fn build(&mut self, terms: &mut Terms, facts: &[(Cut, Term)]) -> Result<WithFacts, NoCircuit> {
        if !self.blocks.axioms.is_empty() {
            return Err(NoCircuit::NotBits);
        }
        let mut state = IndexVec::new();
        for cutpoint in self.blocks.cutpoints.iter() {
            let mut bits = Vec::new();
            for &var in &cutpoint.state {
                for word in self.words_of(terms, self.task.program.vars[var].term)? {
                    bits.extend(&self.words[word as usize].bits);
                }
            }
            state.push(bits);
        }
        let mut bit_of: Vec<Option<Bit>> = Vec::new();
        let mut n_bits = 0;
        for (word, of_word) in self.words.iter().enumerate() {
            for var in &of_word.bits {
                if bit_of.len() <= var.index() {
                    bit_of.resize(var.index() + 1, None);
                }
                bit_of[var.index()] = Some(Bit { word: word as u32, number: n_bits });
                n_bits += 1;
            }
        }
        let mut inputs = IndexVec::new();
        for block in self.blocks.blocks.iter() {
            let mut of_block = Vec::new();
            for input in &block.inputs {
                let mut cells = Vec::new();
                for (cell, _) in self.cells.of_variable(terms, input.symbol).ok_or(NoCircuit::NotBits)? {
                    cells.push(self.circuit.bits(terms, cell, self.budget)?);
                }
                of_block.push((input.symbol, cells));
            }
            inputs.push(of_block);
        }
        let mut edges = IndexVec::new();
        let mut incoming = IndexVec::new();
        incoming.grow_to(self.blocks.cutpoints.len(), Vec::new());
        let mut errors = Vec::new();
        for (from, block) in self.blocks.blocks.iter_enumerated() {
            for exit in &block.exits {
                let edge = self.edge(terms, from, exit)?;
                let edge = edges.push(edge);
                match self.blocks.cutpoints[exit.to].kind {
                    CutKind::Error(assertion) => errors.push((edge, assertion)),
                    _ => incoming[exit.to].push(edge),
                }
            }
        }
        let mut known = Vec::new();
        for &(cut, fact) in facts {
            match self.plain(terms, fact).and_then(|plain| self.circuit.bits(terms, plain[0], self.budget)) {
                Ok(lits) => known.push((cut, lits[0])),
                Err(NoCircuit::NotBits) => {}
                Err(stopped) => return Err(stopped),
            }
        }
        self.only_bits(terms)?;
        let solver = std::mem::take(&mut self.circuit).into_solver();
        let (words, cells) = (std::mem::take(&mut self.words), std::mem::take(&mut self.cells));
        bit_of.resize(solver.n_vars(), None);
        let entry = self.blocks.entry();
        Ok((Wires { edges, incoming, errors, entry, state, inputs, words, bit_of, solver, cells }, known))
    }
    fn edge(&mut self, terms: &mut Terms, from: Cut, exit: &encode::Exit) -> Result<Edge, NoCircuit> {
        let guard = self.plain(terms, exit.guard)?[0];
        let guard_lit = self.circuit.bits(terms, guard, self.budget)?[0];
        let guard_cone = self.circuit.variables(terms, &[guard]);
        // What is not assigned stays as it is.
        let mut next: Vec<Lit> =
            self.words.iter().flat_map(|word| word.bits.iter().map(|var| var.positive())).collect();
        let mut cones: Vec<Vec<SatVar>> = self.words.iter().map(|word| word.bits.clone()).collect();
        let first: Vec<usize> = (self.words.iter())
            .scan(0, |sum, word| {
                let first = *sum;
                *sum += word.bits.len();
                Some(first)
            })
            .collect();
        for &(var, value) in &exit.values {
            let variable = self.task.program.vars[var].term;
            // What does not matter behind the edge has no words.
            let Some(words) = self.words_of.get(&variable).cloned() else { continue };
            let values = self.plain(terms, value)?;
            for (word, value) in words.into_iter().zip(values) {
                let bits = self.circuit.bits(terms, value, self.budget)?;
                cones[word as usize] = self.circuit.variables(terms, &[value]);
                let first = first[word as usize];
                next[first..first + bits.len()].copy_from_slice(&bits);
            }
        }
        Ok(Edge { from, to: exit.to, guard: guard_lit, next, guard_cone, cones })
    }
    fn plain(&mut self, terms: &mut Terms, term: Term) -> Result<Vec<Term>, NoCircuit> {
        self.budget.spend(10).map_err(NoCircuit::Stopped)?;
        self.cells.of_term(terms, term).ok_or(NoCircuit::NotBits)
    }
    fn words_of(&mut self, terms: &mut Terms, variable: Term) -> Result<Vec<u32>, NoCircuit> {
        if let Some(words) = self.words_of.get(&variable) {
            return Ok(words.clone());
        }
        let mut words = Vec::new();
        for (cell, term) in self.cells.of_variable(terms, variable).ok_or(NoCircuit::NotBits)? {
            let bits = self.circuit.bits(terms, cell, self.budget)?;
            words.push(self.words.len() as u32);
            self.words.push(Word { term, bits: bits.into_iter().map(Lit::var).collect() });
        }
        self.words_of.insert(variable, words.clone());
        Ok(words)
    }
    /// Every symbol is a variable of the state or an input: a constant that is not chosen by the run, such as an address, would be neither.
    fn only_bits(&self, terms: &Terms) -> Result<(), NoCircuit> {
        let mut known: FastMap<Term, ()> = FastMap::new();
        for variable in self.task.program.vars.iter() {
            known.insert(variable.term, ());
        }
        let mut roots = Vec::new();
        for block in self.blocks.blocks.iter() {
            for input in &block.inputs {
                known.insert(input.symbol, ());
            }
            roots.extend(block.exits.iter().flat_map(|exit| exit.values.iter().map(|&(_, value)| value)));
            roots.extend(block.exits.iter().map(|exit| exit.guard));
        }
        let is_foreign = |&term: &Term| matches!(terms.op(term), Op::Symbol(_)) && !known.contains_key(&term);
        if terms.subterms(&roots).iter().any(is_foreign) { Err(NoCircuit::NotBits) } else { Ok(()) }
    }
}
