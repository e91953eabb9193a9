//! Random formulas over tiny domains, and the slow but certain way to answer them.

pub mod sequences;
pub mod shapes;

use base::{Bits, FastMap, Random};
use term::{ArrayValue, Evaluator, Op, Sort, SortKind, Symbol, Term, Terms, Value};

/// Which symbols and operators a formula has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// Bit-vectors.
    Bv,
    /// Uninterpreted sorts and functions.
    Uf,
    /// Bit-vectors and uninterpreted functions.
    UfBv,
    /// Bit-vectors, uninterpreted functions and arrays.
    AUfBv,
}

/// A store with symbols, and terms to build from.
pub struct World {
    /// The store.
    pub terms: Terms,
    /// What formulas have.
    pub logic: Logic,
    /// The symbols to give values to.
    pub symbols: Vec<Symbol>,
    /// Terms made so far, by sort.
    pool: Vec<(Sort, Vec<Term>)>,
    functions: Vec<Symbol>,
    atoms: Vec<Term>,
    /// Names with what they stand for; later ones may use earlier ones.
    names: Vec<(Symbol, Term)>,
    /// Terms grow no wider than this.
    widest: u32,
}

impl World {
    /// Tiny domains, for brute force.
    pub fn new(logic: Logic, random: &mut Random) -> World {
        World::with_widths(logic, random, false)
    }
    /// Widths up to 64, or tiny ones.
    pub fn with_widths(logic: Logic, random: &mut Random, wide: bool) -> World {
        let mut width =
            |tiny: u32| if wide { *random.pick(&[1, 2, 3, 4, 7, 8, 13, 16, 32, 64, 65, 100]) } else { tiny };
        let [one, two] = [width(1), width(2)];
        // Half of the time the store must not simplify, so that the solver sees odd shapes.
        let terms = if random.one_in(2) { Terms::new() } else { Terms::without_simplification() };
        let mut world = World {
            terms,
            logic,
            symbols: Vec::new(),
            pool: Vec::new(),
            functions: Vec::new(),
            atoms: Vec::new(),
            names: Vec::new(),
            widest: if wide { 100 } else { 3 },
        };
        let truth = world.terms.bool_sort();
        for name in ["p", "q"] {
            world.declare(name, &[], truth);
        }
        match logic {
            Logic::Bv => {
                let (w, v) = (1 + random.below(3) as u32, 1 + random.below(3) as u32);
                let (w, v) = if wide { (one, two) } else { (w, v) };
                let (w, v) = (world.terms.bv_sort(w), world.terms.bv_sort(v));
                for name in ["x", "y", "z"] {
                    world.declare(name, &[], w);
                }
                world.declare("s", &[], v);
            }
            Logic::Uf => {
                let u = world.terms.sort(SortKind::Uninterpreted("U".into()));
                for name in ["a", "b", "c"] {
                    world.declare(name, &[], u);
                }
                world.declare("f", &[u], u);
                world.declare("r", &[u, truth], truth);
            }
            Logic::UfBv => {
                let w = 1 + random.below(2) as u32;
                // The function's table has four bits either way.
                let (w, v) = if wide { (one, two) } else { (w, 3 - w) };
                let (w, v) = (world.terms.bv_sort(w), world.terms.bv_sort(v));
                for name in ["x", "y"] {
                    world.declare(name, &[], w);
                }
                world.declare("s", &[], v);
                world.declare("f", &[w], v);
                world.declare("r", &[v], truth);
            }
            Logic::AUfBv => {
                let (one, two) = (world.terms.bv_sort(one), world.terms.bv_sort(two));
                let (index, element) = *random.pick(&[(one, two), (two, one), (one, one), (truth, one), (one, truth)]);
                let array = world.terms.sort(SortKind::Array(index, element));
                for name in ["i", "j"] {
                    world.declare(name, &[], index);
                }
                world.declare("v", &[], element);
                for name in ["a", "b"] {
                    world.declare(name, &[], array);
                }
                // A table over more than four arrays is too large for brute force.
                if wide || (index != two && element != two) {
                    world.declare("g", &[array], truth);
                }
            }
        }
        world
    }
    fn declare(&mut self, name: &str, args: &[Sort], result: Sort) {
        let symbol = self.terms.declare(name, args, result).expect("names are fresh");
        self.symbols.push(symbol);
        if args.is_empty() {
            let term = self.terms.apply(symbol, &[]);
            self.add(term);
        } else {
            self.functions.push(symbol);
        }
    }
    /// A name for a random term, and the equality that makes it one. Brute force takes it for granted.
    pub fn define(&mut self, random: &mut Random) -> Term {
        for _ in 0..3 {
            self.grow(random);
        }
        let sort = self.any_sort(random);
        let value = self.any_of(random, sort).expect("every sort has a variable");
        let symbol = self.terms.declare(&format!("name{}", self.names.len()), &[], sort).expect("names are fresh");
        let name = self.terms.apply(symbol, &[]);
        self.symbols.push(symbol);
        self.names.push((symbol, value));
        self.add(name);
        if random.one_in(2) { self.terms.eq(name, value) } else { self.terms.eq(value, name) }
    }
    fn add(&mut self, term: Term) {
        let sort = self.terms.sort_of(term);
        match self.pool.iter_mut().find(|(s, _)| *s == sort) {
            Some((_, list)) => list.push(term),
            None => self.pool.push((sort, vec![term])),
        }
    }
    fn any_of(&self, random: &mut Random, sort: Sort) -> Option<Term> {
        let (_, list) = self.pool.iter().find(|(s, _)| *s == sort)?;
        // Later terms are larger and more interesting.
        let at = random.below(list.len() as u64).max(random.below(list.len() as u64));
        Some(list[at as usize])
    }
    fn any_sort(&self, random: &mut Random) -> Sort {
        self.pool[random.below(self.pool.len() as u64) as usize].0
    }
    /// Makes one more term out of those there are.
    pub fn grow(&mut self, random: &mut Random) {
        let truth = self.terms.bool_sort();
        let sort = self.any_sort(random);
        let term = match random.below(10) {
            0 if !self.functions.is_empty() => {
                let function = *random.pick(&self.functions);
                let sorts = self.terms.symbol_args(function).to_vec();
                let args: Option<Vec<Term>> = sorts.into_iter().map(|sort| self.any_of(random, sort)).collect();
                args.map(|args| self.terms.apply(function, &args))
            }
            1 | 2 => {
                let (a, b) = (self.any_of(random, sort), self.any_of(random, sort));
                a.zip(b).map(|(a, b)| match random.below(4) {
                    0 => {
                        let c = self.any_of(random, sort).unwrap_or(a);
                        self.terms.distinct(&[a, b, c])
                    }
                    _ => self.terms.eq(a, b),
                })
            }
            3 => {
                let (c, a, b) = (self.any_of(random, truth), self.any_of(random, sort), self.any_of(random, sort));
                c.zip(a.zip(b)).map(|(c, (a, b))| self.terms.ite(c, a, b))
            }
            4 | 5 => {
                let (a, b) = (self.any_of(random, truth), self.any_of(random, truth));
                a.zip(b).map(|(a, b)| match random.below(5) {
                    0 => self.terms.and(&[a, b]),
                    1 => self.terms.or(&[a, b]),
                    2 => self.terms.xor(a, b),
                    3 => self.terms.implies(a, b),
                    _ => self.terms.not(a),
                })
            }
            _ => match self.terms.sort_kind(sort).clone() {
                SortKind::BitVec(width) => self.word_term(random, sort, width),
                SortKind::Array(index, element) => self.array_term(random, sort, index, element),
                _ => None,
            },
        };
        if let Some(term) = term {
            self.add(term);
        }
    }
    fn word_term(&mut self, random: &mut Random, sort: Sort, width: u32) -> Option<Term> {
        let (a, b) = (self.any_of(random, sort)?, self.any_of(random, sort)?);
        const BINARY: &[Op] = &[
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::BvUlt,
            Op::BvUle,
            Op::BvUgt,
            Op::BvUge,
            Op::BvSlt,
            Op::BvSle,
            Op::BvSgt,
            Op::BvSge,
            Op::BvUaddo,
            Op::BvSaddo,
            Op::BvUmulo,
            Op::BvSmulo,
            Op::BvSsubo,
        ];
        Some(match random.below(8) {
            0 => self.terms.bv(width, random.bits()),
            1 => {
                let op = *random.pick(&[Op::BvNot, Op::BvNeg]);
                self.terms.make(op, &[a])
            }
            2 if width * 2 <= self.widest + 1 => {
                let op = *random.pick(&[Op::ZeroExtend(1), Op::SignExtend(1)]);
                self.terms.make(op, &[a])
            }
            3 if width > 1 => {
                let low = random.below(u64::from(width)) as u32;
                let high = low + random.below(u64::from(width - low)) as u32;
                self.terms.extract(a, high, low)
            }
            4 if width * 2 <= self.widest + 1 => self.terms.concat(a, b),
            _ => self.terms.make(*random.pick(BINARY), &[a, b]),
        })
    }
    fn array_term(&mut self, random: &mut Random, sort: Sort, index: Sort, element: Sort) -> Option<Term> {
        let array = self.any_of(random, sort)?;
        let (i, v) = (self.any_of(random, index)?, self.any_of(random, element)?);
        Some(match random.below(6) {
            0..=2 => self.terms.store(array, i, v),
            3 if random.one_in(2) => self.terms.const_array(sort, v),
            _ => self.terms.select(array, i),
        })
    }
    /// A random formula: most often a clause of few literals that say something about the theory.
    pub fn formula(&mut self, random: &mut Random) -> Term {
        let truth = self.terms.bool_sort();
        if random.one_in(24) {
            for _ in 0..2 + random.below(5) {
                self.grow(random);
            }
            let formula = self.any_of(random, truth).expect("there are truth values");
            return if random.one_in(3) { self.terms.not(formula) } else { formula };
        }
        let literals: Vec<Term> = (0..if random.one_in(10) { 1 } else { 2 + random.below(2) })
            .map(|_| {
                let atom = self.atom(random);
                if random.one_in(2) { self.terms.not(atom) } else { atom }
            })
            .collect();
        self.terms.or(&literals)
    }
    /// A statement about the theory; the same ones come again and again, so that they can contradict.
    fn atom(&mut self, random: &mut Random) -> Term {
        if self.atoms.len() >= 14 || (!self.atoms.is_empty() && random.one_in(3)) {
            return *random.pick(&self.atoms);
        }
        let truth = self.terms.bool_sort();
        let sort = loop {
            let sort = self.any_sort(random);
            if sort != truth {
                break sort;
            }
        };
        for _ in 0..random.below(4) {
            self.grow(random);
        }
        let (a, b) = (self.any_of(random, sort), self.any_of(random, sort));
        let (Some(a), Some(b)) = (a, b) else { unreachable!("every sort has a variable") };
        let b = if a == b { self.any_of(random, sort).unwrap_or(b) } else { b };
        let atom = match random.below(4) {
            0 if !self.functions.is_empty() => {
                let function = *random.pick(&self.functions);
                let sorts = self.terms.symbol_args(function).to_vec();
                let args: Vec<Term> =
                    sorts.into_iter().map(|sort| self.any_of(random, sort).expect("a term of each sort")).collect();
                let application = self.terms.apply(function, &args);
                self.add(application);
                if self.terms.is_bool(application) {
                    application
                } else {
                    let sort = self.terms.sort_of(application);
                    let other = self.any_of(random, sort).expect("a term of each sort");
                    self.terms.eq(application, other)
                }
            }
            1 if matches!(self.terms.sort_kind(sort), SortKind::BitVec(_)) => {
                let op = *random.pick(&[Op::BvUlt, Op::BvSle, Op::BvUaddo]);
                self.terms.make(op, &[a, b])
            }
            _ => self.terms.eq(a, b),
        };
        self.atoms.push(atom);
        atom
    }
    /// All operator sites in these terms.
    pub fn sites(&self, roots: &[Term]) -> Vec<Term> {
        self.terms.subterms(roots)
    }

    /// Whether some interpretation makes all of these true.
    pub fn has_model(&self, formulas: &[Term]) -> bool {
        let has_relation =
            self.terms.lookup("r").is_some_and(|r| self.terms.symbols_of(&self.with_names(formulas)).contains(&r));
        let sizes: &[u32] = match self.logic {
            Logic::Uf if has_relation => &[1, 2],
            Logic::Uf => &[1, 2, 3],
            _ => &[1],
        };
        sizes.iter().any(|&size| self.has_model_of_size(formulas, size))
    }
    fn with_names(&self, formulas: &[Term]) -> Vec<Term> {
        formulas.iter().copied().chain(self.names.iter().map(|&(_, value)| value)).collect()
    }
    fn has_model_of_size(&self, formulas: &[Term], size: u32) -> bool {
        let used = self.terms.symbols_of(&self.with_names(formulas));
        let is_name = |symbol: &Symbol| self.names.iter().any(|(name, _)| name == symbol);
        // One digit for each place of each symbol.
        let mut layout: Vec<(Symbol, Vec<Vec<Value>>, Vec<Value>)> = Vec::new();
        for &symbol in self.symbols.iter().filter(|symbol| used.contains(symbol) && !is_name(symbol)) {
            let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
            for &sort in self.terms.symbol_args(symbol) {
                let values = all_values(&self.terms, sort, size);
                rows = rows
                    .into_iter()
                    .flat_map(|row| {
                        values.iter().map(move |value| {
                            let mut row = row.clone();
                            row.push(value.clone());
                            row
                        })
                    })
                    .collect();
            }
            layout.push((symbol, rows, all_values(&self.terms, self.terms.symbol_result(symbol), size)));
        }
        let mut digits: Vec<Vec<usize>> = layout.iter().map(|(_, rows, _)| vec![0; rows.len()]).collect();
        let mut places: FastMap<(Symbol, Vec<Value>), (usize, usize)> = FastMap::new();
        for (at, (symbol, rows, _)) in layout.iter().enumerate() {
            for (row, args) in rows.iter().enumerate() {
                places.insert((*symbol, normal(&self.terms, args)), (at, row));
            }
        }
        loop {
            let mut named: Vec<(Symbol, Value)> = Vec::new();
            let meaning = |named: &[(Symbol, Value)], symbol: Symbol, args: &[Value]| {
                if let Some((_, value)) = named.iter().find(|(name, _)| *name == symbol) {
                    return Some(value.clone());
                }
                let &(at, row) = places.get(&(symbol, normal(&self.terms, args)))?;
                Some(layout[at].2[digits[at][row]].clone())
            };
            for &(name, value) in &self.names {
                let value =
                    Evaluator::new(|symbol, args: &[Value]| meaning(&named, symbol, args)).eval(&self.terms, value);
                named.push((name, value.expect("everything has a meaning")));
            }
            let mut evaluator = Evaluator::new(|symbol, args: &[Value]| meaning(&named, symbol, args));
            let mut holds = |&formula: &Term| evaluator.eval(&self.terms, formula) == Ok(Value::Bool(true));
            if formulas.iter().all(&mut holds) {
                return true;
            }
            let mut carried = true;
            'counting: for ((_, _, values), digits) in layout.iter().zip(&mut digits) {
                for digit in digits {
                    *digit += 1;
                    if *digit < values.len() {
                        carried = false;
                        break 'counting;
                    }
                    *digit = 0;
                }
            }
            if carried {
                return false;
            }
        }
    }
}

/// Arrays with few indices can be written in several ways; this picks one of them.
pub fn normal(_: &Terms, args: &[Value]) -> Vec<Value> {
    let tidy = |value: &Value| match value {
        Value::Array(array) => {
            let mut indices: Vec<Value> = Vec::new();
            let sample = array.entries().keys().next().cloned();
            match sample {
                Some(Value::Bool(_)) => indices.extend([Value::Bool(false), Value::Bool(true)]),
                Some(Value::Bits(bits)) => {
                    let width = bits.width();
                    indices.extend((0..1u64 << width).map(|n| Value::Bits(Bits::from_u64(width, n))));
                }
                _ => return value.clone(),
            }
            let least = indices.iter().map(|index| array.read(index).clone()).min().expect("there are indices");
            let mut tidy = ArrayValue::constant(least);
            for index in indices {
                let element = array.read(&index).clone();
                tidy.write(index, element);
            }
            Value::Array(Box::new(tidy))
        }
        other => other.clone(),
    };
    args.iter().map(tidy).collect()
}

fn all_values(terms: &Terms, sort: Sort, size: u32) -> Vec<Value> {
    match *terms.sort_kind(sort) {
        SortKind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        SortKind::BitVec(width) => (0..1u64 << width).map(|n| Value::Bits(Bits::from_u64(width, n))).collect(),
        SortKind::Uninterpreted(_) => (0..size).map(|n| Value::Element(sort, n)).collect(),
        SortKind::Array(index, element) => {
            let (indices, elements) = (all_values(terms, index, size), all_values(terms, element, size));
            let mut arrays = vec![ArrayValue::constant(elements[0].clone())];
            for index in indices {
                arrays = arrays
                    .into_iter()
                    .flat_map(|array| {
                        let index = &index;
                        elements.iter().map(move |element| {
                            let mut array = array.clone();
                            array.write(index.clone(), element.clone());
                            array
                        })
                    })
                    .collect();
            }
            arrays.into_iter().map(|array| Value::Array(Box::new(array))).collect()
        }
        _ => unreachable!("tiny domains have no numbers"),
    }
}
