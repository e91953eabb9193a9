//! Invariants about every cell and every object in the words of C: `for all k, k < n: level[k] == 17`.
//!
//! A conjunct with bound symbols is a clause. Its negated literals are printed as the range of the bound symbols, the others behind the colon. A cell
//! of an array is named by its index: where the clause says that a bound offset is a multiple of the element's size, the index is bound instead
//! of the offset. Columns of memory are members of objects, `o->next`; that an object is allocated is `allocated(o)`.
//! What has no such words gives nothing, and the formula is printed in SMT-LIB.

use program::{Action, Form, HeapPart, Instance, Program, Shown, Site, SourceKind, Storage, TypeNumber, Var, VarKind};
use term::{Op, Term, Terms};
use verdict::Proof;

use crate::c_expression::order;
use crate::tuning::Tuning;

/// What printing needs to know of a loop.
pub(crate) struct Words<'a> {
    pub program: &'a Program,
    pub proof: &'a Proof,
    /// What a symbol stands for, if it can be named at the loop.
    pub instance: &'a dyn Fn(Term) -> Option<&'a Instance>,
    /// The name of a variable that is visible at the loop.
    pub name: &'a dyn Fn(Var) -> Option<String>,
}

/// An expression with how its value reads.
struct Word {
    text: String,
    shown: Shown,
    /// Whether it can stand beside any operator without brackets.
    is_simple: bool,
}

/// A bound symbol with its name in the text.
struct Bound {
    symbol: Term,
    name: String,
    /// Where the symbol is `factor` times another term, the name is that of this term.
    counter: Option<(Term, u64)>,
}

/// A printer of one clause.
struct Clause<'w, 'a> {
    words: &'w Words<'a>,
    terms: &'w Terms,
    bound: Vec<Bound>,
}

impl Words<'_> {
    /// The conjunct in words, if there are any.
    pub fn conjunct(&self, conjunct: Term) -> Option<String> {
        let terms = &self.proof.terms;
        let parts = terms.subterms(&[conjunct]);
        let symbols: Vec<Term> = self.proof.bound.iter().copied().filter(|one| parts.contains(one)).collect();
        let mut literals = Vec::new();
        disjuncts(terms, conjunct, &mut literals);
        let is_tagged = |symbol: Term| {
            let is_read = |part: &Term| terms.op(*part) == Op::Select && terms.args(*part)[1] == symbol;
            let arrays = parts.iter().filter(|part| is_read(part)).map(|&part| terms.args(part)[0]);
            arrays.filter_map(|array| (self.instance)(array)).any(|instance| is_record(instance.storage))
        };
        let mut bound: Vec<Bound> = Vec::new();
        for &symbol in &symbols {
            let letters = if is_tagged(symbol) { ["o", "p", "q"] } else { ["k", "l", "m"] };
            let is_free = |name: &str| self.is_free(name) && bound.iter().all(|one| one.name != name);
            let name = letters.into_iter().find(|name| is_free(name))?.to_owned();
            bound.push(Bound { symbol, name, counter: None });
        }
        let mut clause = Clause { words: self, terms, bound };
        literals.retain(|&literal| !clause.binds_counter(literal));
        let is_negated = |literal: &Term| terms.op(*literal) == Op::Not;
        let (mut range, mut claims): (Vec<Term>, Vec<Term>) = literals.into_iter().partition(is_negated);
        if claims.is_empty() {
            claims.extend(range.pop());
        }
        let mut premises = Vec::new();
        for &premise in &range {
            premises.push(clause.truth(terms.args(premise)[0], Tuning::DEFAULT.max_expression_depth)?);
        }
        let mut said = Vec::new();
        for &claim in &claims {
            said.push(clause.truth(claim, Tuning::DEFAULT.max_expression_depth)?);
        }
        let names: Vec<&str> = clause.bound.iter().map(|one| one.name.as_str()).collect();
        let claim = said.join(" || ");
        let text = match (names.is_empty(), premises.is_empty()) {
            (true, true) => claim,
            (true, false) => format!("!({}) || {claim}", premises.join(" && ")),
            (false, true) => format!("for all {}: {claim}", names.join(", ")),
            (false, false) => format!("for all {}, {}: {claim}", names.join(", "), premises.join(" && ")),
        };
        (text.len() <= Tuning::DEFAULT.max_formula_bytes).then_some(text)
    }

    /// Whether no variable of the program has this name.
    fn is_free(&self, name: &str) -> bool {
        let is_named = |var: &program::Variable| var.name == name || var.name.ends_with(&format!(".{name}"));
        !self.program.vars.iter().any(is_named) && !self.program.objects.iter().any(|object| object.name == name)
    }

    /// The line of an `Alloc` edge.
    fn allocated_at(&self, edge: program::EdgeId) -> Option<u32> {
        self.program.edges.get(edge)?.place.map(|place| place.line)
    }
    /// The type of what an `Alloc` edge makes.
    fn allocated_type(&self, edge: program::EdgeId) -> Option<TypeNumber> {
        let edge = self.program.edges.get(edge)?;
        matches!(edge.action, Action::Alloc { .. }).then_some(())?;
        self.program.source_types.of_allocation(edge.place?)
    }
}

impl Clause<'_, '_> {
    /// Whether the literal says no more than that a bound offset is a multiple of a term that is found from it. The term is bound from now on.
    fn binds_counter(&mut self, literal: Term) -> bool {
        let terms = self.terms;
        if terms.op(literal) != Op::Not || terms.op(terms.args(literal)[0]) != Op::Eq {
            return false;
        }
        let sides = terms.args(terms.args(literal)[0]);
        for (symbol, product) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let Some(bound) = self.bound.iter_mut().find(|one| one.symbol == symbol && one.counter.is_none()) else {
                continue;
            };
            if let Some(found) = counter(terms, product, symbol) {
                bound.counter = Some(found);
                return true;
            }
        }
        false
    }

    fn truth(&self, term: Term, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let terms = self.terms;
        let args = terms.args(term);
        let all = |join: &str| -> Option<String> {
            let parts: Option<Vec<String>> = args.iter().map(|&arg| self.truth(arg, depth)).collect();
            Some(format!("({})", parts?.join(join)))
        };
        match terms.op(term) {
            Op::True => Some("1".to_owned()),
            Op::False => Some("0".to_owned()),
            Op::And => all(" && "),
            Op::Or => all(" || "),
            Op::Implies => Some(format!("(!({}) || {})", self.truth(args[0], depth)?, self.truth(args[1], depth)?)),
            Op::Symbol(_) if args.is_empty() => match (self.words.instance)(term)?.storage {
                Storage::Heap { edge, part: HeapPart::Live } => Some(format!("allocated({})", self.heap_name(edge)?)),
                _ => self.symbol(term).map(|word| word.text),
            },
            Op::Not => self.negation(args[0], depth),
            Op::Eq if terms.is_bool(args[0]) => {
                Some(format!("(({}) == ({}))", self.truth(args[0], depth)?, self.truth(args[1], depth)?))
            }
            Op::Eq => match self.is_allocated(args[0], args[1]).or_else(|| self.is_allocated(args[1], args[0])) {
                Some((object, true)) => Some(format!("allocated({})", self.object(object, depth)?)),
                Some((object, false)) => Some(format!("!allocated({})", self.object(object, depth)?)),
                None => self.compared("==", None, args[0], args[1], depth),
            },
            op => {
                let (sign, signed) = order(op)?;
                self.compared(sign, Some(signed), args[0], args[1], depth)
            }
        }
    }

    fn negation(&self, term: Term, depth: usize) -> Option<String> {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Eq if !self.terms.is_bool(args[0]) => {
                match self.is_allocated(args[0], args[1]).or_else(|| self.is_allocated(args[1], args[0])) {
                    Some((object, true)) => Some(format!("!allocated({})", self.object(object, depth)?)),
                    Some((object, false)) => Some(format!("allocated({})", self.object(object, depth)?)),
                    None => self.compared("!=", None, args[0], args[1], depth),
                }
            }
            op => match order(op) {
                Some((sign, signed)) => {
                    let opposite = [("<", ">="), ("<=", ">"), (">", "<="), (">=", "<")];
                    let sign = opposite.into_iter().find(|pair| pair.0 == sign)?.1;
                    self.compared(sign, Some(signed), args[0], args[1], depth)
                }
                None => Some(format!("!({})", self.truth(term, depth)?)),
            },
        }
    }

    /// If the record of allocated objects is compared with a constant: the address, and whether equality means that an object begins there. A record with
    /// several kinds of objects has no words.
    fn is_allocated(&self, read: Term, value: Term) -> Option<(Term, bool)> {
        let terms = self.terms;
        let value = terms.small_value(value)?;
        if terms.op(read) != Op::Select {
            return None;
        }
        let [array, object] = *terms.args(read) else { return None };
        let storage = (self.words.instance)(array)?.storage;
        let n_kinds = self.words.proof.layout.as_ref()?.valid.iter().filter(|site| site.is_tagged).count();
        (is_record(storage) && (storage == Storage::Used || n_kinds == 1)).then_some((object, value != 0))
    }

    /// The address of an object, without what it points to.
    fn object(&self, term: Term, depth: usize) -> Option<String> {
        self.word(term, depth).map(|word| word.text)
    }

    fn compared(&self, sign: &str, signed: Option<bool>, a: Term, b: Term, depth: usize) -> Option<String> {
        let shown = |term: Term| match self.terms.value(term) {
            Some(_) => None,
            None => self.word(term, depth).map(|word| word.shown),
        };
        // Constants read as what they are compared with.
        let reading = match signed {
            Some(true) => Shown::Signed,
            Some(false) => Shown::Unsigned,
            None => shown(a).or(shown(b)).unwrap_or(Shown::Signed),
        };
        let side = |term: Term| -> Option<String> {
            if let Some(bits) = self.terms.value(term) {
                let value = bits.to_u64()?;
                let width = bits.width();
                let is_negative = width <= 64 && value >> (width - 1) & 1 == 1;
                return Some(match reading {
                    Shown::Signed if is_negative => (((value << (64 - width)) as i64) >> (64 - width)).to_string(),
                    _ => value.to_string(),
                });
            }
            let word = self.word(term, depth)?;
            let cast = match (signed, word.shown) {
                (Some(true), Shown::Unsigned) => "(signed)",
                (Some(false), Shown::Signed) => "(unsigned)",
                _ => "",
            };
            let bare = word.is_simple || cast.is_empty();
            Some(if bare { format!("{cast}{}", word.text) } else { format!("{cast}({})", word.text) })
        };
        Some(format!("{} {sign} {}", side(a)?, side(b)?))
    }

    fn word(&self, term: Term, depth: usize) -> Option<Word> {
        let depth = depth.checked_sub(1)?;
        let terms = self.terms;
        for bound in &self.bound {
            match bound.counter {
                Some((counter, _)) if counter == term => return Some(simple(bound.name.clone(), Shown::Plain)),
                Some((_, factor)) if bound.symbol == term => {
                    return Some(Word {
                        text: format!("{factor} * {}", bound.name),
                        shown: Shown::Plain,
                        is_simple: false,
                    });
                }
                None if bound.symbol == term => return Some(simple(bound.name.clone(), Shown::Plain)),
                _ => {}
            }
        }
        let args = terms.args(term);
        match terms.op(term) {
            Op::Value => Some(simple(terms.value(term)?.to_u64()?.to_string(), Shown::Plain)),
            Op::Symbol(_) if args.is_empty() => self.symbol(term),
            Op::Select => self.cell(args[0], args[1], 1, depth),
            Op::Concat => self.joined(term, depth),
            Op::ZeroExtend(_) | Op::SignExtend(_) => self.word(args[0], depth),
            op => {
                let sign = match op {
                    Op::BvAdd => "+",
                    Op::BvSub => "-",
                    Op::BvMul => "*",
                    Op::BvUdiv | Op::BvSdiv => "/",
                    Op::BvUrem | Op::BvSrem => "%",
                    Op::BvAnd => "&",
                    Op::BvOr => "|",
                    Op::BvXor => "^",
                    Op::BvShl => "<<",
                    Op::BvLshr | Op::BvAshr => ">>",
                    _ => return None,
                };
                let mut texts = Vec::new();
                let mut shown = Shown::Plain;
                for &arg in args {
                    let word = self.word(arg, depth)?;
                    if terms.value(arg).is_none() {
                        shown = word.shown;
                    }
                    texts.push(if word.is_simple { word.text } else { format!("({})", word.text) });
                }
                Some(Word { text: texts.join(&format!(" {sign} ")), shown, is_simple: false })
            }
        }
    }

    fn symbol(&self, symbol: Term) -> Option<Word> {
        let program = self.words.program;
        match (self.words.instance)(symbol)?.storage {
            Storage::Variable(var) => match program.vars[var].kind {
                VarKind::AddressOf(object) => {
                    let name = self.words.object_name(object)?;
                    let is_array = program
                        .source_types
                        .of_object(object)
                        .is_some_and(|ty| matches!(program.source_types.get(ty).kind, SourceKind::Array(_)));
                    Some(simple(if is_array { name } else { format!("&{name}") }, Shown::Pointer))
                }
                _ => Some(simple((self.words.name)(var)?, program.vars[var].shown)),
            },
            Storage::Bytes { object, offset, size } => {
                let ty = program.source_types.of_object(object)?;
                let (path, ty) = program.source_types.scalar_at(ty, offset, size)?;
                Some(simple(format!("{}{path}", self.words.object_name(object)?), self.shown(ty)))
            }
            Storage::Allocated { edge } | Storage::Heap { edge, part: HeapPart::Base } => {
                Some(simple(self.heap_name(edge)?, Shown::Pointer))
            }
            Storage::Heap { edge, part: HeapPart::Size } => {
                Some(simple(format!("size({})", self.heap_name(edge)?), Shown::Unsigned))
            }
            Storage::Column { column } => {
                let column = self.words.proof.layout.as_ref()?.columns.get(column as usize)?;
                let member = column.members.first().filter(|_| column.form == Form::Scalar)?;
                let (name, ty) = self.site(member.site)?;
                let (path, ty) = program.source_types.scalar_at(ty, member.class.first, column.bytes)?;
                let name = if name.1 { format!("{}{}", name.0, arrow(&path)) } else { format!("{}{path}", name.0) };
                Some(simple(name, self.shown(ty)))
            }
            _ => None,
        }
    }

    /// Cells in a row, put together as one word.
    fn joined(&self, term: Term, depth: usize) -> Option<Word> {
        let terms = self.terms;
        let mut cells = Vec::new();
        let mut open = vec![term];
        while let Some(part) = open.pop() {
            let args = terms.args(part);
            match terms.op(part) {
                // The lowest bytes stand last.
                Op::Concat => open.extend(args),
                Op::Select => cells.push((args[0], args[1], self.linear(args[1])?)),
                _ => return None,
            }
        }
        let bytes = u64::from(terms.width(term)) / 8 / cells.len() as u64;
        let (array, index, first) = &cells[0];
        let is_row = cells.iter().enumerate().all(|(place, (one, _, sum))| {
            let offset = first.constant.checked_add(bytes * place as u64);
            one == array && sum.terms == first.terms && Some(sum.constant) == offset
        });
        if is_row { self.cell(*array, *index, cells.len() as u64, depth) } else { None }
    }

    /// Cells of an array from byte offsets or of a column.
    fn cell(&self, array: Term, index: Term, n_cells: u64, depth: usize) -> Option<Word> {
        let program = self.words.program;
        let types = &program.source_types;
        match (self.words.instance)(array)?.storage {
            Storage::Array { object, element } => {
                let name = self.words.object_name(object)?;
                let (path, ty) = self.path(types.of_object(object)?, self.linear(index)?, n_cells * element, depth)?;
                Some(simple(format!("{name}{path}"), self.shown(ty)))
            }
            Storage::Column { column } => {
                let column = self.words.proof.layout.as_ref()?.columns.get(column as usize)?;
                let member = column.members.first()?;
                if column.form == Form::Offset {
                    let (name, ty) = self.site(member.site)?;
                    let mut sum = self.linear(index)?;
                    if name.1 {
                        // What is allocated is an array of this type.
                        let size = types.get(ty).size;
                        let (index, rest) = self.split(&mut sum, size, depth)?;
                        let (path, ty) = self.path(ty, rest, n_cells * column.bytes, depth)?;
                        return Some(simple(format!("{}[{index}]{path}", name.0), self.shown(ty)));
                    }
                    let (path, ty) = self.path(ty, sum, n_cells * column.bytes, depth)?;
                    return Some(simple(format!("{}{path}", name.0), self.shown(ty)));
                }
                let is_one =
                    column.members.iter().all(|one| one.class.stride == 0 && one.class.first == column.shift());
                let Site::Alloc(_, edge) = self.words.proof.layout.as_ref()?.sites.get(member.site as usize)? else {
                    return None;
                };
                let ty = self.words.allocated_type(*edge).filter(|_| is_one && n_cells == 1)?;
                let (path, found) = types.scalar_at(ty, member.class.first, column.bytes)?;
                let object = self.word(index, depth)?;
                let text = if object.is_simple { object.text } else { format!("({})", object.text) };
                Some(simple(format!("{text}{}", arrow(&path)), self.shown(found)))
            }
            _ => None,
        }
    }

    /// The path into an object of the type to the cell at a sum of multiples of terms.
    fn path(&self, ty: TypeNumber, mut sum: Sum, bytes: u64, depth: usize) -> Option<(String, TypeNumber)> {
        let depth = depth.checked_sub(1)?;
        let types = &self.words.program.source_types;
        if sum.terms.is_empty() {
            return types.scalar_at(ty, sum.constant, bytes);
        }
        match &types.get(ty).kind {
            SourceKind::Array(element) => {
                let (index, rest) = self.split(&mut sum, types.get(*element).size, depth)?;
                let (path, found) = self.path(*element, rest, bytes, depth)?;
                Some((format!("[{index}]{path}"), found))
            }
            SourceKind::Record(_, fields) => fields.iter().find_map(|field| {
                let inside = sum.constant.checked_sub(field.offset)?;
                if inside >= types.get(field.ty).size || field.is_bits {
                    return None;
                }
                let rest = Sum { terms: sum.terms.clone(), constant: inside };
                let (path, found) = self.path(field.ty, rest, bytes, depth)?;
                let dot = if field.name.is_empty() { "" } else { "." };
                Some((format!("{dot}{}{path}", field.name), found))
            }),
            _ => None,
        }
    }

    /// Takes the multiples of `size` out of the sum: their text as an index, and the rest.
    fn split(&self, sum: &mut Sum, size: u64, depth: usize) -> Option<(String, Sum)> {
        if size == 0 {
            return None;
        }
        let mut texts = Vec::new();
        let mut rest = Sum { terms: Vec::new(), constant: sum.constant % size };
        let shared = sum.terms.len() > 1 || sum.constant >= size;
        for (factor, term) in std::mem::take(&mut sum.terms) {
            if factor % size != 0 {
                rest.terms.push((factor, term));
                continue;
            }
            let word = self.word(term, depth)?;
            texts.push(match factor / size {
                1 if word.is_simple || !shared => word.text,
                1 => format!("({})", word.text),
                times if word.is_simple => format!("{times} * {}", word.text),
                times => format!("{times} * ({})", word.text),
            });
        }
        if sum.constant / size > 0 || texts.is_empty() {
            texts.push((sum.constant / size).to_string());
        }
        Some((texts.join(" + "), rest))
    }

    /// The index as a sum of multiples of terms and a constant.
    fn linear(&self, index: Term) -> Option<Sum> {
        let terms = self.terms;
        let mut sum = Sum::default();
        let mut open = vec![(1u64, index)];
        while let Some((factor, term)) = open.pop() {
            if let Some((counter, times)) = self.bound.iter().find(|one| one.symbol == term).and_then(|one| one.counter)
            {
                sum.terms.push((factor.checked_mul(times)?, counter));
                continue;
            }
            let args = terms.args(term);
            let value = |place: usize| terms.small_value(args[place]);
            match terms.op(term) {
                Op::Value => sum.constant = sum.constant.checked_add(factor.checked_mul(terms.small_value(term)?)?)?,
                Op::BvAdd => open.extend(args.iter().rev().map(|&arg| (factor, arg))),
                Op::BvMul if args.len() == 2 && value(0).is_some() => {
                    open.push((factor.checked_mul(value(0)?)?, args[1]))
                }
                Op::BvMul if args.len() == 2 && value(1).is_some() => {
                    open.push((factor.checked_mul(value(1)?)?, args[0]))
                }
                Op::BvShl if value(1).is_some_and(|by| by < 32) => {
                    open.push((factor.checked_mul(1 << value(1)?)?, args[0]));
                }
                _ => sum.terms.push((factor, term)),
            }
        }
        Some(sum)
    }

    /// What a site is called, whether that is a pointer to it, and its type; of an allocation, the type of an element.
    fn site(&self, site: u32) -> Option<((String, bool), TypeNumber)> {
        let types = &self.words.program.source_types;
        match self.words.proof.layout.as_ref()?.sites.get(site as usize)? {
            Site::Static(object) | Site::Automatic(_, object) => {
                Some(((self.words.object_name(*object)?, false), types.of_object(*object)?))
            }
            Site::Alloc(_, edge) => Some(((self.heap_name(*edge)?, true), self.words.allocated_type(*edge)?)),
        }
    }

    /// What an `Alloc` edge makes, by its line: memory has no name in C.
    fn heap_name(&self, edge: program::EdgeId) -> Option<String> {
        self.words.allocated_at(edge).map(|line| format!("malloc@{line}"))
    }

    fn shown(&self, ty: TypeNumber) -> Shown {
        match self.words.program.source_types.get(ty).kind {
            SourceKind::Scalar { shown, .. } => shown,
            SourceKind::Pointer(_) => Shown::Pointer,
            _ => Shown::Plain,
        }
    }
}

impl Words<'_> {
    fn object_name(&self, object: program::ObjectId) -> Option<String> {
        let name = &self.program.objects[object].name;
        let name = name.rsplit('.').next().unwrap_or(name);
        let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (is_word && !name.is_empty()).then(|| name.to_owned())
    }
}

/// A sum of multiples of terms and a constant.
#[derive(Clone, PartialEq, Default)]
struct Sum {
    terms: Vec<(u64, Term)>,
    constant: u64,
}

fn simple(text: String, shown: Shown) -> Word {
    Word { text, shown, is_simple: true }
}

/// The path from a pointer to a member: `.next` becomes `->next`, the empty one `[0]`.
fn arrow(path: &str) -> String {
    match path.strip_prefix('.') {
        Some(member) => format!("->{member}"),
        None if path.is_empty() => "[0]".to_owned(),
        None => format!("[0]{path}"),
    }
}

/// Whether this is a record of which objects there are.
fn is_record(storage: Storage) -> bool {
    matches!(storage, Storage::Tags | Storage::Used)
}

/// If the term is a multiple of a part of the symbol's bits: this part, and the factor.
fn counter(terms: &Terms, product: Term, symbol: Term) -> Option<(Term, u64)> {
    let (mut term, mut factor) = (product, 1u64);
    loop {
        let args = terms.args(term);
        let value = |place: usize| terms.small_value(args[place]);
        match terms.op(term) {
            Op::BvMul if args.len() == 2 && value(0).is_some() => {
                (term, factor) = (args[1], factor.checked_mul(value(0)?)?)
            }
            Op::BvMul if args.len() == 2 && value(1).is_some() => {
                (term, factor) = (args[0], factor.checked_mul(value(1)?)?)
            }
            Op::BvShl if value(1).is_some_and(|by| by < 32) => (term, factor) = (args[0], factor << value(1)?),
            Op::ZeroExtend(_) | Op::SignExtend(_) => term = args[0],
            _ => break,
        }
    }
    let mut inner = term;
    while matches!(terms.op(inner), Op::Extract { low: 0, .. } | Op::BvLshr | Op::BvAshr) {
        inner = terms.args(inner)[0];
    }
    (inner == symbol && term != symbol).then_some((term, factor))
}

/// The literals of a clause.
pub(crate) fn disjuncts(terms: &Terms, formula: Term, found: &mut Vec<Term>) {
    match terms.op(formula) {
        Op::Or => terms.args(formula).iter().for_each(|&arg| disjuncts(terms, arg, found)),
        _ => found.push(formula),
    }
}
