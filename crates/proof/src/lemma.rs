//! Theory lemmas: is a clause valid whatever was given?
//!
//! The solver hands over a [`Vocabulary`]: a table of nodes (head, arguments), which literal stands for
//! the truth of which node, and which literals are the bits of which node. A lemma of equality is checked by
//! assuming all its literals false and closing the equalities under congruence, evaluation and bits, round after
//! round over all nodes, until two values meet. A lemma of arrays must be an instance of one of the axioms,
//! word for word.

use std::collections::HashMap;

use base::{Bits, FastMap};

use crate::lit::Lit;

/// A value that a node can be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bits(Bits),
    /// Something that equals only itself.
    Token(u32, u32),
}

/// How the checker interprets a head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Nothing but congruence.
    Function,
    /// Equality of its two arguments.
    Equality,
    /// Array read.
    Select,
    /// Array write.
    Store,
    /// The array that holds its argument everywhere.
    ConstArray,
}

/// A head: function or operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// What is known of it.
    pub meaning: Meaning,
    /// Whether its two arguments can be exchanged.
    pub commutes: bool,
}

/// A node: a head applied to earlier nodes, or a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Index of the head.
    pub head: u32,
    /// Indices of the arguments.
    pub args: Vec<u32>,
    /// The value, if it is one.
    pub constant: Option<Constant>,
    /// The literal that is equivalent to the node.
    pub truth: Option<Lit>,
    /// The node's bits, lowest first; empty if it has none.
    pub word: Vec<Lit>,
}

/// What the literals of a proof stand for.
pub struct Vocabulary<E> {
    /// Heads by index.
    pub heads: Vec<Head>,
    /// Nodes by index; arguments come before the nodes around them.
    pub rows: Vec<Row>,
    /// The value of a head for values, where it has one.
    pub evaluate: E,
    by_var: HashMap<u32, Vec<u32>>,
    /// By witness: the pair of arrays it distinguishes. A witness serves one pair.
    witnesses: HashMap<u32, (u32, u32)>,
}

impl<E: Fn(u32, &[Constant]) -> Option<Constant>> Vocabulary<E> {
    /// A vocabulary with these tables.
    pub fn new(heads: Vec<Head>, rows: Vec<Row>, evaluate: E) -> Self {
        let mut by_var: HashMap<u32, Vec<u32>> = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            for lit in row.truth.iter().chain(&row.word) {
                let list = by_var.entry(lit.var().0).or_default();
                if list.last() != Some(&(index as u32)) {
                    list.push(index as u32);
                }
            }
        }
        Vocabulary { heads, rows, evaluate, by_var, witnesses: HashMap::new() }
    }
    /// Whether the clause holds in every interpretation of the theory.
    pub fn is_lemma(&mut self, clause: &[Lit]) -> bool {
        self.is_lemma_of_equality(clause) || self.is_lemma_of_arrays(clause)
    }

    // ---- equality

    /// Assumes the literals false and looks for a contradiction.
    pub fn is_lemma_of_equality(&self, clause: &[Lit]) -> bool {
        let mut closure = Closure::new(self, clause);
        closure.run()
    }

    // ---- arrays

    fn is_lemma_of_arrays(&mut self, clause: &[Lit]) -> bool {
        match *clause {
            [lit] => self.sides(lit).into_iter().any(|(a, b)| self.is_read(a, b) || self.is_read(b, a)),
            [x, y] => {
                self.is_overwrite(x, y) || self.is_overwrite(y, x) || self.is_witness(x, y) || self.is_witness(y, x)
            }
            _ => false,
        }
    }
    /// The sides of the equalities that the literal stands for.
    fn sides(&self, lit: Lit) -> Vec<(u32, u32)> {
        let rows = self.by_var.get(&lit.var().0).map_or(&[][..], |list| list);
        let sides = |&index: &u32| {
            let row = &self.rows[index as usize];
            let is_equality = self.heads[row.head as usize].meaning == Meaning::Equality;
            (row.truth == Some(lit) && is_equality).then(|| (row.args[0], row.args[1]))
        };
        rows.iter().filter_map(sides).collect()
    }
    fn as_application(&self, node: u32, meaning: Meaning) -> Option<&[u32]> {
        let row = &self.rows[node as usize];
        (self.heads[row.head as usize].meaning == meaning && !row.args.is_empty()).then_some(&row.args[..])
    }
    /// `select(store(a, i, v), i) = v` or `select(const(v), i) = v`.
    fn is_read(&self, read: u32, value: u32) -> bool {
        let Some(&[array, index]) = self.as_application(read, Meaning::Select) else { return false };
        match (self.as_application(array, Meaning::Store), self.as_application(array, Meaning::ConstArray)) {
            (Some(&[_, at, written]), _) => at == index && written == value,
            (_, Some(&[element])) => element == value,
            _ => false,
        }
    }
    /// `i = j or select(store(a, i, v), j) = select(a, j)`.
    fn is_overwrite(&self, same_index: Lit, same_element: Lit) -> bool {
        let indices = self.sides(same_index);
        self.sides(same_element).into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).any(|(over, under)| {
            let (Some(&[store, j]), Some(&[base, k])) =
                (self.as_application(over, Meaning::Select), self.as_application(under, Meaning::Select))
            else {
                return false;
            };
            let Some(&[a, i, _]) = self.as_application(store, Meaning::Store) else { return false };
            a == base && j == k && indices.iter().any(|&(x, y)| (x, y) == (i, j) || (x, y) == (j, i))
        })
    }
    /// `a = b or select(a, k) != select(b, k)`, `k` a leaf that serves this pair alone.
    fn is_witness(&mut self, same_array: Lit, same_element: Lit) -> bool {
        for (a, b) in self.sides(same_array) {
            for (x, y) in self.sides(!same_element) {
                let (Some(&[c, k]), Some(&[d, l])) =
                    (self.as_application(x, Meaning::Select), self.as_application(y, Meaning::Select))
                else {
                    continue;
                };
                let pair = (a.min(b), a.max(b));
                let leaf = &self.rows[k as usize];
                if (c.min(d), c.max(d)) != pair || k != l || !leaf.args.is_empty() || leaf.constant.is_some() {
                    continue;
                }
                return *self.witnesses.entry(k).or_insert(pair) == pair;
            }
        }
        false
    }
}

/// Equality closed in a plain way over the nodes that a clause is about.
struct Closure<'a, E> {
    vocabulary: &'a Vocabulary<E>,
    /// Nodes, arguments first.
    nodes: Vec<u32>,
    /// Places of the arguments in `nodes`, node after node, and where those of each node begin.
    args: Vec<usize>,
    first_arg: Vec<usize>,
    /// By place in `nodes`: the class.
    class: Vec<usize>,
    /// By class: the places in it.
    members: Vec<Vec<usize>>,
    /// By class: its value.
    value: Vec<Option<Constant>>,
    /// A place whose class has this value.
    by_value: FastMap<Constant, usize>,
    truth: FastMap<u32, bool>,
    contradiction: bool,
    changed: bool,
}

impl<'a, E: Fn(u32, &[Constant]) -> Option<Constant>> Closure<'a, E> {
    fn new(vocabulary: &'a Vocabulary<E>, clause: &[Lit]) -> Self {
        let mut todo: Vec<u32> = Vec::new();
        for lit in clause {
            todo.extend(vocabulary.by_var.get(&lit.var().0).into_iter().flatten());
        }
        let mut nodes: Vec<u32> = Vec::new();
        let mut place: FastMap<u32, usize> = FastMap::new();
        while let Some(node) = todo.pop() {
            if place.insert(node, 0).is_none() {
                nodes.push(node);
                todo.extend(&vocabulary.rows[node as usize].args);
            }
        }
        nodes.sort_unstable();
        let mut closure = Closure {
            vocabulary,
            args: Vec::new(),
            first_arg: vec![0],
            class: (0..nodes.len()).collect(),
            members: (0..nodes.len()).map(|place| vec![place]).collect(),
            value: vec![None; nodes.len()],
            by_value: FastMap::new(),
            truth: FastMap::new(),
            contradiction: false,
            changed: false,
            nodes,
        };
        for (at, &node) in closure.nodes.iter().enumerate() {
            place.insert(node, at);
        }
        for &node in &closure.nodes {
            closure.args.extend(vocabulary.rows[node as usize].args.iter().map(|arg| *place.get(arg).expect("a node")));
            closure.first_arg.push(closure.args.len());
        }
        for at in 0..closure.nodes.len() {
            if let Some(value) = &vocabulary.rows[closure.nodes[at] as usize].constant {
                closure.give(at, value.clone());
            }
        }
        for &lit in clause {
            closure.assume(!lit);
        }
        closure
    }
    fn assume(&mut self, lit: Lit) {
        match self.truth.insert(lit.var().0, lit.is_positive()) {
            Some(old) if old != lit.is_positive() => self.contradiction = true,
            Some(_) => {}
            None => self.changed = true,
        }
    }
    fn truth_of(&self, lit: Lit) -> Option<bool> {
        self.truth.get(&lit.var().0).map(|&value| value == lit.is_positive())
    }
    fn unite(&mut self, a: usize, b: usize) {
        let (mut keep, mut gone) = (self.class[a], self.class[b]);
        if keep == gone {
            return;
        }
        self.changed = true;
        if self.members[keep].len() < self.members[gone].len() {
            std::mem::swap(&mut keep, &mut gone);
        }
        for place in std::mem::take(&mut self.members[gone]) {
            self.class[place] = keep;
            self.members[keep].push(place);
        }
        if let Some(value) = self.value[gone].take() {
            self.give(a, value);
        }
    }
    /// The node has this value; so have all of its class, and classes with one value are one.
    fn give(&mut self, a: usize, value: Constant) {
        let class = self.class[a];
        match &self.value[class] {
            Some(old) if *old == value => {}
            Some(_) => self.contradiction = true,
            None => {
                self.changed = true;
                self.value[class] = Some(value.clone());
                let other = *self.by_value.get_or_insert_with(value, || a);
                self.unite(a, other);
            }
        }
    }
    /// Whether a contradiction follows.
    fn run(&mut self) -> bool {
        loop {
            self.changed = false;
            // What was seen in this round: the first node with this head and arguments of these classes, and the first
            // one of a class that has bits. Whatever changes makes another round.
            let mut applied: FastMap<(u32, Vec<usize>), usize> = FastMap::new();
            let mut in_bits: FastMap<usize, usize> = FastMap::new();
            for a in 0..self.nodes.len() {
                self.look_at(a);
                if !self.args_of(a).is_empty() {
                    let b = *applied.get_or_insert_with(self.signature(a), || a);
                    if self.class[a] != self.class[b] && self.signature(a) == self.signature(b) {
                        self.unite(a, b);
                    }
                }
                if !self.vocabulary.rows[self.nodes[a] as usize].word.is_empty() {
                    let b = *in_bits.get_or_insert_with(self.class[a], || a);
                    self.share_bits(a, b);
                }
                if self.contradiction {
                    return true;
                }
            }
            if !self.changed {
                return self.contradiction;
            }
        }
    }
    fn args_of(&self, a: usize) -> &[usize] {
        &self.args[self.first_arg[a]..self.first_arg[a + 1]]
    }
    fn arg(&self, a: usize, index: usize) -> usize {
        self.args_of(a)[index]
    }
    /// The head and the classes of the arguments, in one order if they can be exchanged: nodes for which these are the
    /// same are congruent.
    fn signature(&self, a: usize) -> (u32, Vec<usize>) {
        let head = self.vocabulary.rows[self.nodes[a] as usize].head;
        let mut classes: Vec<usize> = self.args_of(a).iter().map(|&arg| self.class[arg]).collect();
        if self.vocabulary.heads[head as usize].commutes && classes.len() == 2 {
            classes.sort_unstable();
        }
        (head, classes)
    }
    /// Truth, bits and value of one node.
    fn look_at(&mut self, a: usize) {
        let vocabulary = self.vocabulary;
        let row = &vocabulary.rows[self.nodes[a] as usize];
        let meaning = vocabulary.heads[row.head as usize].meaning;
        if let Some(lit) = row.truth {
            if let Some(value) = self.truth_of(lit) {
                self.give(a, Constant::Bool(value));
            }
            if let Some(Constant::Bool(value)) = self.value[self.class[a]] {
                self.assume(if value { lit } else { !lit });
            }
        }
        if !row.word.is_empty() {
            let bits: Option<Vec<bool>> = row.word.iter().map(|&lit| self.truth_of(lit)).collect();
            if let Some(bits) = bits {
                self.give(a, Constant::Bits(from_bits(&bits)));
            }
            if let Some(Constant::Bits(bits)) = self.value[self.class[a]].clone() {
                for (index, &lit) in row.word.iter().enumerate() {
                    self.assume(if bits.bit(index as u32) { lit } else { !lit });
                }
            }
        }
        if meaning == Meaning::Equality && row.args.len() == 2 {
            let (x, y) = (self.arg(a, 0), self.arg(a, 1));
            if self.class[x] == self.class[y] {
                self.give(a, Constant::Bool(true));
            } else if let (Some(_), Some(_)) = (&self.value[self.class[x]], &self.value[self.class[y]]) {
                // Different classes with values have different values.
                self.give(a, Constant::Bool(false));
            }
            if self.value[self.class[a]] == Some(Constant::Bool(true)) {
                self.unite(x, y);
            }
        } else if !row.args.is_empty() {
            let values: Option<Vec<Constant>> =
                self.args_of(a).iter().map(|&arg| self.value[self.class[arg]].clone()).collect();
            if let Some(value) = values.and_then(|values| (vocabulary.evaluate)(row.head, &values)) {
                self.give(a, value);
            }
        }
    }
    /// Bits of equal nodes are equal.
    fn share_bits(&mut self, a: usize, b: usize) {
        if self.class[a] != self.class[b] {
            return;
        }
        let rows = &self.vocabulary.rows;
        let (x, y) = (&rows[self.nodes[a] as usize].word, &rows[self.nodes[b] as usize].word);
        for (&p, &q) in x.iter().zip(y) {
            for (p, q) in [(p, q), (q, p)] {
                if let Some(value) = self.truth_of(p) {
                    self.assume(if value { q } else { !q });
                }
            }
        }
    }
}

fn from_bits(bits: &[bool]) -> Bits {
    let mut words = vec![0u64; bits.len().div_ceil(64)];
    for (i, &bit) in bits.iter().enumerate() {
        words[i / 64] |= u64::from(bit) << (i % 64);
    }
    Bits::from_words(bits.len() as u32, &words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::SatVar;

    const LEAF: u32 = 0;
    const EQUALITY: u32 = 1;
    const F: u32 = 2;
    const SELECT: u32 = 3;
    const STORE: u32 = 4;
    const CONST: u32 = 5;

    struct Table(Vec<Row>);

    impl Table {
        fn row(&mut self, head: u32, args: &[u32]) -> u32 {
            self.0.push(Row { head, args: args.to_vec(), constant: None, truth: None, word: Vec::new() });
            self.0.len() as u32 - 1
        }
        fn equal(&mut self, a: u32, b: u32) -> Lit {
            let row = self.row(EQUALITY, &[a, b]);
            let lit = SatVar(row).positive();
            self.0[row as usize].truth = Some(lit);
            lit
        }
        fn accepts(&self, clause: &[Lit]) -> bool {
            let head = |meaning, commutes| Head { meaning, commutes };
            let heads = vec![
                head(Meaning::Function, false),
                head(Meaning::Equality, true),
                head(Meaning::Function, false),
                head(Meaning::Select, false),
                head(Meaning::Store, false),
                head(Meaning::ConstArray, false),
            ];
            Vocabulary::new(heads, self.0.clone(), |_, _: &[Constant]| None).is_lemma(clause)
        }
    }

    #[test]
    fn transitivity_and_congruence_are_lemmas_and_their_parts_are_not() {
        let mut table = Table(Vec::new());
        let [a, b, c] = [(); 3].map(|()| table.row(LEAF, &[]));
        let (fa, fc) = (table.row(F, &[a]), table.row(F, &[c]));
        let (ab, bc, f) = (table.equal(a, b), table.equal(c, b), table.equal(fa, fc));
        assert!(table.accepts(&[!ab, !bc, f]));
        assert!(!table.accepts(&[!ab, f]));
        assert!(!table.accepts(&[!ab, !bc]));
        assert!(!table.accepts(&[!ab, bc, f]));
    }
    #[test]
    fn bits_and_values_meet() {
        let mut table = Table(Vec::new());
        let (x, y) = (table.row(LEAF, &[]), table.row(LEAF, &[]));
        let bit = |n: u32| SatVar(100 + n).positive();
        table.0[x as usize].word = vec![bit(0), bit(1)];
        table.0[y as usize].word = vec![bit(2), bit(3)];
        let same = table.equal(x, y);
        assert!(table.accepts(&[!same, !bit(0), bit(2)]));
        assert!(!table.accepts(&[!same, !bit(0), bit(3)]));
        // All bits equal: the words are equal.
        assert!(table.accepts(&[same, !bit(0), bit(1), !bit(2), bit(3)]));
        assert!(!table.accepts(&[same, !bit(0), bit(1), !bit(2)]));
    }
    #[test]
    fn array_axioms_are_lemmas_word_for_word() {
        let mut table = Table(Vec::new());
        let [a, i, j, v] = [(); 4].map(|()| table.row(LEAF, &[]));
        let (stored, constant) = (table.row(STORE, &[a, i, v]), table.row(CONST, &[v]));
        let [at_i, at_j, below] = [[stored, i], [stored, j], [a, j]].map(|args| table.row(SELECT, &args));
        let read = table.row(SELECT, &[constant, j]);
        let (first, wrong) = (table.equal(at_i, v), table.equal(at_j, v));
        assert!(table.accepts(&[first]) && !table.accepts(&[wrong]) && !table.accepts(&[!first]));
        let (here, same) = (table.equal(j, i), table.equal(below, at_j));
        assert!(table.accepts(&[here, same]) && !table.accepts(&[!here, same]) && !table.accepts(&[same]));
        let of_constant = table.equal(read, v);
        assert!(table.accepts(&[of_constant]));
    }
    #[test]
    fn a_witness_serves_one_pair_and_is_a_leaf() {
        let mut table = Table(Vec::new());
        let [a, b, c, k] = [(); 4].map(|()| table.row(LEAF, &[]));
        let [x, y, z] = [a, b, c].map(|array| table.row(SELECT, &[array, k]));
        let (ab, ac, xy, xz) = (table.equal(a, b), table.equal(a, c), table.equal(x, y), table.equal(x, z));
        assert!(table.accepts(&[ab, !xy]) && !table.accepts(&[ab, xy]) && !table.accepts(&[ab, !xz]));
        let heads = vec![Head { meaning: Meaning::Function, commutes: false }; 6];
        let mut heads = heads;
        heads[EQUALITY as usize] = Head { meaning: Meaning::Equality, commutes: true };
        heads[SELECT as usize].meaning = Meaning::Select;
        let mut vocabulary = Vocabulary::new(heads, table.0.clone(), |_, _: &[Constant]| None);
        assert!(vocabulary.is_lemma(&[ab, !xy]));
        assert!(!vocabulary.is_lemma(&[ac, !xz]), "the witness is taken");
    }
}
