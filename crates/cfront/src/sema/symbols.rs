//! Symbols: what the linker sees.
//!
//! `alias("g")` makes a second name for `g`, and an assembler name (`asm("g")` behind a declarator) replaces the
//! name of a symbol. Two declarations of one symbol are one function or one object, whatever their names in C
//! are. Where the types do not agree, or the target is not in this program, we refuse. Names that the C
//! library's headers give to versions of its functions (`__isoc99_scanf` for `scanf`) change nothing.

use base::FastMap;

use super::{Linked, LinkedSymbol, Sema};
use crate::ast::Span;
use crate::hir::StorageKind;

/// The name without what the headers of C libraries put around it to choose a version.
fn without_version(label: &str) -> &str {
    let mut plain = label;
    for prefix in ["__isoc99_", "__isoc23_", "__xpg_", "__posix_"] {
        plain = plain.strip_prefix(prefix).unwrap_or(plain);
    }
    // Times of 64 bits in 32-bit programs: `__stat64_time64`, `__clock_gettime64`.
    if let Some(timed) = plain.strip_suffix("_time64").or_else(|| plain.strip_suffix("64"))
        && let Some(timed) = timed.strip_prefix("__")
    {
        plain = timed;
    }
    plain.strip_suffix("64").unwrap_or(plain)
}

/// Whether assembler at file scope leaves the symbols of the program and what runs around `main` alone. Code and
/// data in it are reached through declarations without definitions only, of which nothing is known.
fn only_adds(text: &str) -> bool {
    let changes = ["=", ".set", ".equ", ".weak", ".symver", ".init", ".fini", ".preinit", ".ctors", ".dtors", ".comm"];
    !changes.iter().any(|word| text.contains(word))
}

impl Sema<'_> {
    /// `asm("…")` at file scope.
    pub(super) fn file_assembler(&mut self, text: &str, span: Span) {
        self.unit.file_assembler = true;
        if only_adds(text) {
            self.warn(span, "assembler at file scope is passed over", "");
        } else {
            self.unsupported(span, "assembler at file scope that changes symbols or runs outside `main`");
        }
    }

    /// Makes one symbol of those that are the same.
    pub(super) fn link_symbols(&mut self) {
        self.mark_weak();
        self.make_aliases();
        self.apply_labels();
        self.refuse_section_bounds();
    }

    fn linked_by_text(&self, text: &str) -> Option<LinkedSymbol> {
        let name = self.texts.get(text).copied()?;
        self.linked.get(&name).map(|linked| linked.symbol)
    }

    /// `#pragma weak f` is `weak` on the declaration of `f`.
    fn mark_weak(&mut self) {
        let ast = self.ast;
        for (text, span) in &ast.weak {
            match self.linked_by_text(text) {
                Some(LinkedSymbol::Function(function)) => {
                    self.unit.functions[function].weak = true;
                    self.unit.functions[function].weak_by_pragma = true;
                }
                Some(LinkedSymbol::Var(var)) => {
                    self.unit.vars[var].weak = true;
                    self.unit.vars[var].weak_by_pragma = true;
                }
                None => self.warn(*span, format!("`{text}` is not declared"), ""),
            }
        }
    }

    fn make_aliases(&mut self) {
        for (alias, text, span) in std::mem::take(&mut self.aliases) {
            let target = self.linked_by_text(&text);
            match target {
                Some(target) if self.is_defined(target) => {
                    if !self.unite_part(alias, target) {
                        self.unite(alias, target, span);
                    }
                }
                _ => {
                    let shown = self.symbol_name(alias);
                    self.unsupported(span, format!("`{shown}` is an alias of `{text}`, which is not in this program"));
                }
            }
        }
    }

    pub(super) fn is_defined(&self, symbol: LinkedSymbol) -> bool {
        match symbol {
            LinkedSymbol::Function(function) => {
                let function = &self.unit.functions[function];
                function.body.is_some() || function.alias_of.is_some()
            }
            LinkedSymbol::Var(var) => self.unit.vars[var].defined,
        }
    }

    pub(super) fn symbol_name(&self, symbol: LinkedSymbol) -> String {
        match symbol {
            LinkedSymbol::Function(function) => self.unit.functions[function].name.clone(),
            LinkedSymbol::Var(var) => self.unit.vars[var].name.clone(),
        }
    }

    /// Makes a variable a name for the first bytes of another one, of another type, as modules give to their tables of devices. `false` if
    /// it is not of that kind.
    fn unite_part(&mut self, alias: LinkedSymbol, target: LinkedSymbol) -> bool {
        let (LinkedSymbol::Var(alias), LinkedSymbol::Var(mut target)) = (alias, target) else { return false };
        while let Some(next) = self.unit.vars[target].alias_of {
            target = next;
        }
        let (one, other) = (self.var_types[alias].id, self.var_types[target].id);
        let types = &self.unit.types;
        let is_part = matches!((types.size_of(one), types.size_of(other)), (Some(part), Some(all)) if part <= all);
        let fits = alias != target
            && is_part
            && !types.compatible(&self.basic, one, other)
            && self.unit.vars[alias].init.is_none()
            && [alias, target].iter().all(|&var| self.unit.vars[var].storage == StorageKind::Static);
        if fits {
            self.unit.vars[target].address_taken = true;
            self.unit.vars[alias].alias_of = Some(target);
        }
        fits
    }

    /// Makes one symbol another name of the target; refuses if they do not agree.
    fn unite(&mut self, alias: LinkedSymbol, target: LinkedSymbol, span: Span) {
        let agree = match (alias, target) {
            (LinkedSymbol::Function(alias), LinkedSymbol::Function(target)) => {
                let mut target = target;
                while let Some(next) = self.unit.functions[target].alias_of {
                    target = next;
                }
                let (one, other) = (self.unit.functions[alias].ty, self.unit.functions[target].ty);
                let fits = alias != target
                    && self.unit.functions[alias].body.is_none()
                    && self.unit.types.compatible(&self.basic, one, other);
                if fits {
                    self.unit.functions[alias].alias_of = Some(target);
                }
                fits
            }
            (LinkedSymbol::Var(alias), LinkedSymbol::Var(target)) => {
                let mut target = target;
                while let Some(next) = self.unit.vars[target].alias_of {
                    target = next;
                }
                let (one, other) = (self.var_types[alias].id, self.var_types[target].id);
                let fits = alias != target
                    && self.unit.vars[alias].init.is_none()
                    && self.unit.vars[target].storage == StorageKind::Static
                    && self.unit.vars[alias].storage == StorageKind::Static
                    && self.unit.types.compatible(&self.basic, one, other);
                if fits {
                    self.unit.vars[alias].alias_of = Some(target);
                }
                fits
            }
            _ => false,
        };
        if !agree {
            let (one, other) = (self.symbol_name(alias), self.symbol_name(target));
            self.unsupported(span, format!("`{one}` and `{other}` are one symbol and do not agree"));
        }
    }

    /// Gives symbols their names in the assembler and unites those with the same name.
    fn apply_labels(&mut self) {
        let labels = std::mem::take(&mut self.labels);
        if labels.is_empty() {
            return;
        }
        let mut renamed: Vec<(LinkedSymbol, String, Span)> = Vec::new();
        for (symbol, label, span) in labels {
            let before = renamed.iter().find(|(known, _, _)| *known == symbol);
            if without_version(&label) == self.symbol_name(symbol) {
                continue;
            }
            match before {
                Some((_, known, _)) if *known == label => {}
                Some(_) => self.unsupported(span, "two assembler names for one symbol"),
                None => renamed.push((symbol, label, span)),
            }
        }
        // A renamed symbol no longer answers to its name in C.
        let mut by_name: FastMap<String, LinkedSymbol> = FastMap::new();
        let linked: Vec<Linked> = self.texts_of_linked();
        for Linked { symbol, .. } in linked {
            if !renamed.iter().any(|(known, _, _)| *known == symbol) {
                by_name.insert(self.symbol_name(symbol), symbol);
            }
        }
        self.relabelled = renamed.iter().map(|(symbol, label, _)| (*symbol, label.clone())).collect();
        for (symbol, label, span) in renamed {
            if let LinkedSymbol::Function(function) = symbol {
                self.unit.functions[function].name.clone_from(&label);
            }
            match by_name.get(&label).copied() {
                None => {
                    by_name.insert(label, symbol);
                }
                Some(other) if self.is_defined(symbol) && !self.is_defined(other) => {
                    self.unite(other, symbol, span);
                    self.hide(other);
                    by_name.insert(label, symbol);
                }
                Some(other) => {
                    self.unite_undefined(symbol, other, span);
                    self.hide(symbol);
                }
            }
        }
    }

    fn hide(&mut self, alias: LinkedSymbol) {
        match alias {
            LinkedSymbol::Function(function) => self.unit.functions[function].hidden_alias = true,
            LinkedSymbol::Var(var) => self.unit.vars[var].hidden_alias = true,
        }
    }

    /// `symbol` becomes another name of `other`, unless both are defined.
    fn unite_undefined(&mut self, symbol: LinkedSymbol, other: LinkedSymbol, span: Span) {
        if self.is_defined(symbol) && self.is_defined(other) {
            let (one, two) = (self.symbol_name(symbol), self.symbol_name(other));
            self.unsupported(span, format!("`{one}` and `{two}` are one symbol with two definitions"));
        } else {
            self.unite(symbol, other, span);
        }
    }

    /// All objects and functions with linkage, in the order of their names' first appearance.
    fn texts_of_linked(&self) -> Vec<Linked> {
        self.ast.names.ids().filter_map(|name| self.linked.get(&name).copied()).collect()
    }

    /// The linker defines `__start_x` and `__stop_x` inside the section `x`: they overlap other objects.
    fn refuse_section_bounds(&mut self) {
        for var in self.unit.vars.ids().skip(self.shared.n_vars) {
            let variable = &self.unit.vars[var];
            let bound = variable.name.starts_with("__start_") || variable.name.starts_with("__stop_");
            if bound && !variable.defined && variable.function.is_none() {
                let (name, span) = (variable.name.clone(), variable.span);
                self.unsupported(span, format!("`{name}` is the bound of a section"));
            }
        }
    }
}
