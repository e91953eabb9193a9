//! Linking: declarations with external linkage in several files are one object or one function.
//!
//! For each name the definition is found as a linker finds it: a strong one, of which there may be one only; else a
//! tentative one (`int x;`), which all files share; else a weak one. The other declarations become further names of it,
//! as those of the attribute `alias`. `inline` definitions without `extern` are for their own file and give way to a
//! definition in another one (C11 6.7.4p7). Names that no file defines become one undefined symbol.
//!
//! The types must agree. Where they differ only in what pointers point to, or in the sign of integers, the program runs
//! on every machine we model and a warning names both places; otherwise we refuse.

use base::FastMap;

use super::{LinkedSymbol, Sema};
use crate::ast::Span;
use crate::hir::{FunctionId, StorageKind, TypeId, TypeKind, VarId};
use crate::known_functions::is_stream;

/// How a file defines a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    Undefined,
    /// An `inline` definition, for its own file.
    Inline,
    Weak,
    /// Without initialiser.
    Tentative,
    Strong,
}

impl Sema<'_> {
    /// Makes one symbol of the declarations of each name with external linkage.
    pub(super) fn link_files(&mut self) {
        let mut groups: Vec<Vec<LinkedSymbol>> = Vec::new();
        let mut by_name: FastMap<String, usize> = FastMap::new();
        for (name, symbol) in std::mem::take(&mut self.shared.externals) {
            let group = *by_name.get_or_insert_with(name, || {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(symbol);
        }
        for group in groups.iter().filter(|group| group.len() > 1) {
            self.link_group(group);
        }
    }

    fn link_group(&mut self, group: &[LinkedSymbol]) {
        let first_best = |best: LinkedSymbol, next: LinkedSymbol, this: &Self| {
            if this.rank(next) > this.rank(best) { next } else { best }
        };
        let target = group[1..].iter().fold(group[0], |best, &next| first_best(best, next, self));
        let strength = self.strength(target);
        for &symbol in group.iter().filter(|&&symbol| symbol != target) {
            let is_function = |symbol| matches!(symbol, LinkedSymbol::Function(_));
            let (span, place) = (self.symbol_span(symbol), self.shown_place(target));
            let name = self.symbol_name(symbol);
            if is_function(symbol) != is_function(target) {
                let message = format!("`{name}` is a function in one file and a variable in another");
                self.error(span, message, format!("the other declaration is at {place}"));
                continue;
            }
            match self.strength(symbol) {
                Strength::Strong => {
                    self.error(span, format!("`{name}` is defined twice"), format!("it is also defined at {place}"));
                    continue;
                }
                // Each file has its own, and a file without one has none.
                _ if strength == Strength::Inline => continue,
                Strength::Tentative if strength == Strength::Tentative => {
                    let message = format!("`{name}` is defined in several files");
                    self.warn(span, message, format!("it is taken to be the object of {place}, as cc -fcommon does"));
                }
                _ => {}
            }
            self.link_symbol(symbol, target);
        }
    }

    /// Which definition wins; among declarations without one, those with a complete type.
    fn rank(&self, symbol: LinkedSymbol) -> (Strength, bool) {
        let ty = self.symbol_type(symbol);
        (self.strength(symbol), self.unit.types.size_of(ty).is_some())
    }

    fn strength(&self, symbol: LinkedSymbol) -> Strength {
        if !self.is_defined(symbol) {
            return Strength::Undefined;
        }
        match symbol {
            LinkedSymbol::Function(id) => {
                let (function, facts) = (&self.unit.functions[id], &self.function_facts[id]);
                match () {
                    () if function.weak => Strength::Weak,
                    () if facts.replaceable || !facts.external => Strength::Inline,
                    () => Strength::Strong,
                }
            }
            LinkedSymbol::Var(id) => {
                let variable = &self.unit.vars[id];
                match () {
                    () if variable.weak => Strength::Weak,
                    () if variable.init.is_none() && variable.alias_of.is_none() => Strength::Tentative,
                    () => Strength::Strong,
                }
            }
        }
    }

    fn symbol_type(&self, symbol: LinkedSymbol) -> TypeId {
        match symbol {
            LinkedSymbol::Function(function) => self.unit.functions[function].ty,
            LinkedSymbol::Var(var) => self.var_types[var].id,
        }
    }

    fn symbol_span(&self, symbol: LinkedSymbol) -> Span {
        match symbol {
            LinkedSymbol::Function(function) => self.unit.functions[function].span,
            LinkedSymbol::Var(var) => self.unit.vars[var].span,
        }
    }

    fn shown_place(&self, symbol: LinkedSymbol) -> String {
        let place = self.source.place(self.symbol_span(symbol).start);
        format!("{}:{}", self.source.files[place.file], place.line)
    }

    /// Makes the symbol another name of the target, if their types allow it.
    fn link_symbol(&mut self, symbol: LinkedSymbol, target: LinkedSymbol) {
        let (one, other) = (self.symbol_type(symbol), self.symbol_type(target));
        if !self.alike(one, other, Differ::InStreams) {
            let (span, place, name) = (self.symbol_span(symbol), self.shown_place(target), self.symbol_name(symbol));
            let (here, there) = (self.unit.types.display(one), self.unit.types.display(other));
            let message = format!("`{name}` has another type in another file");
            if !self.alike(one, other, Differ::InSignsAndTargets) {
                self.unsupported(span, format!("{message}: `{here}` here and `{there}` at {place}"));
                return;
            }
            self.warn(span, message, format!("it is `{here}` here and `{there}` at {place}"));
        }
        match (symbol, target) {
            (LinkedSymbol::Function(symbol), LinkedSymbol::Function(target)) => self.link_function(symbol, target),
            (LinkedSymbol::Var(symbol), LinkedSymbol::Var(target)) => self.link_variable(symbol, target),
            _ => {}
        }
    }

    fn link_function(&mut self, symbol: FunctionId, target: FunctionId) {
        let target = self.unit.same_function(target);
        if symbol == target {
            return;
        }
        let is_defined = self.unit.functions[symbol].body.is_some();
        for function in self.unit.functions.ids() {
            // Names of a definition that gives way still mean that definition.
            if function == symbol || !is_defined && self.unit.functions[function].alias_of == Some(symbol) {
                self.unit.functions[function].alias_of = Some(target);
            }
        }
        let nonnull = self.unit.functions[symbol].nonnull.clone();
        let effectless = self.unit.functions[symbol].effectless;
        let noreturn = self.unit.functions[symbol].noreturn;
        let returns_twice = self.unit.functions[symbol].returns_twice;
        let joined = &mut self.unit.functions[target];
        joined.returns_twice |= returns_twice;
        joined.nonnull.extend(nonnull);
        joined.effectless = joined.effectless.or(effectless);
        joined.noreturn |= noreturn && joined.body.is_none();
    }

    fn link_variable(&mut self, symbol: VarId, target: VarId) {
        let target = self.unit.same_variable(target);
        if symbol == target {
            return;
        }
        let is_thread = |var: VarId| self.unit.vars[var].storage == StorageKind::Thread;
        if is_thread(symbol) != is_thread(target) {
            let (span, name) = (self.unit.vars[symbol].span, self.unit.vars[symbol].name.clone());
            self.unsupported(span, format!("`{name}` is local to threads in one file only"));
            return;
        }
        let is_defined = self.unit.vars[symbol].defined;
        for var in self.unit.vars.ids() {
            if var == symbol || !is_defined && self.unit.vars[var].alias_of == Some(symbol) {
                self.unit.vars[var].alias_of = Some(target);
            }
        }
        let (is_volatile, align) = (self.unit.vars[symbol].is_volatile, self.unit.vars[symbol].align);
        self.unit.vars[target].is_volatile |= is_volatile;
        self.unit.vars[target].align = self.unit.vars[target].align.max(align);
    }

    /// Whether the types are compatible, but for this.
    fn alike(&self, left: TypeId, right: TypeId, differ: Differ) -> bool {
        let types = &self.unit.types;
        let again = |left, right| self.alike(left, right, differ);
        match (types.kind(left), types.kind(right)) {
            (TypeKind::Pointer { target: l, .. }, TypeKind::Pointer { target: r, .. }) => {
                differ == Differ::InSignsAndTargets
                    || types.compatible(&self.basic, left, right)
                    || self.is_stream(*l) && self.is_stream(*r)
            }
            (TypeKind::Int(_), TypeKind::Int(_)) if differ == Differ::InSignsAndTargets => {
                types.size_of(left) == types.size_of(right)
            }
            (TypeKind::Array(l, m), TypeKind::Array(r, n)) => (m.is_none() || n.is_none() || m == n) && again(*l, *r),
            (
                TypeKind::Function { result: lr, params: lp, variadic: lv, prototype: lt },
                TypeKind::Function { result: rr, params: rp, variadic: rv, prototype: rt },
            ) => {
                let fits = |(&l, &r): (&TypeId, &TypeId)| again(l, r);
                again(*lr, *rr)
                    && (!(*lt && *rt) || lv == rv && lp.len() == rp.len() && lp.iter().zip(rp).all(fits))
                    && (*lt && *rt || types.compatible(&self.basic, left, right))
            }
            _ => types.compatible(&self.basic, left, right),
        }
    }

    fn is_stream(&self, ty: TypeId) -> bool {
        let types = &self.unit.types;
        matches!(types.kind(ty), TypeKind::Record(record) if is_stream(&types.records[*record]))
    }
}

/// In what types of one name may differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Differ {
    /// What `FILE` stands for: one file has our headers, another one those of the system.
    InStreams,
    /// What pointers point to, and the signs of integers: values are passed and stored in the same way on all machines that we model.
    InSignsAndTargets,
}
