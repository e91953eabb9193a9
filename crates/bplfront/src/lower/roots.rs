//! Where runs begin, and which calls execute a body.
//!
//! By default every procedure with a body is checked by itself: runs begin in each of them, with any arguments and globals that
//! its contract allows, and calls are what the contract of the callee says. From an entry, runs begin there alone and calls
//! execute bodies; procedures that call themselves are known by their contracts then, and checked by themselves.

use base::FastMap;

use super::Lowering;
use crate::Runs;
use crate::ast::{Block, Procedure, SpecKind, Stmt, StmtKind};
use crate::source::Span;

impl<'a> Lowering<'a> {
    /// Whether calls execute the body, recursion left aside.
    pub(super) fn executes_body(&self, index: usize) -> bool {
        let info = &self.procedures[index];
        match self.runs {
            Runs::Modular => info.decl.checking.is_inline || info.bodies.iter().any(|body| body.checking.is_inline),
            Runs::From(_) => true,
        }
    }
    /// Whether calls are what the contract says.
    pub(super) fn is_by_contract(&self, index: usize) -> bool {
        let info = &self.procedures[index];
        info.bodies.is_empty() || info.is_recursive || !self.executes_body(index)
    }

    /// The bodies where runs begin. What is not checked from any of them is named.
    pub(super) fn roots(&mut self) -> Vec<(usize, &'a Procedure)> {
        let calls = self.call_graph();
        for index in 0..self.procedures.len() {
            self.procedures[index].is_recursive = reachable(&calls, &calls[index])[index];
        }
        let all: Vec<usize> = (0..self.procedures.len()).collect();
        let mut roots: Vec<(usize, &'a Procedure)> = Vec::new();
        for &index in &all {
            let info = &self.procedures[index];
            let is_root = match self.runs {
                Runs::Modular => self.is_by_contract(index),
                Runs::From(entry) => info.decl.name.text == entry,
            };
            let is_checked = |body: &&&Procedure| {
                !matches!(self.runs, Runs::Modular) || !(info.decl.checking.is_skipped || body.checking.is_skipped)
            };
            if is_root {
                roots.extend(info.bodies.iter().filter(is_checked).map(|&body| (index, body)));
            }
        }
        let called = reachable(&calls, &roots.iter().map(|&(index, _)| index).collect::<Vec<_>>());
        if let Runs::From(_) = self.runs {
            for &index in &all {
                if called[index] && self.procedures[index].is_recursive && roots.iter().all(|root| root.0 != index) {
                    roots.extend(self.procedures[index].bodies.iter().map(|&body| (index, body)));
                }
            }
        }
        self.name_unchecked(&roots, &called);
        roots
    }
    /// Says which bodies are not looked at, and which conditions are believed.
    fn name_unchecked(&mut self, roots: &[(usize, &'a Procedure)], called: &[bool]) {
        for (index, &is_called) in called.iter().enumerate() {
            for body in self.procedures[index].bodies.clone() {
                let is_root = roots.iter().any(|&(_, root)| std::ptr::eq(root, body));
                if is_root || (is_called && !self.is_by_contract(index)) {
                    continue;
                }
                let name = &body.name;
                let why = match self.runs {
                    Runs::From(entry) => format!("`{entry}` does not call it"),
                    Runs::Modular if self.is_by_contract(index) => "it is marked `{:verify false}`".to_owned(),
                    Runs::Modular => "it is marked `{:inline}`, and no procedure that is checked calls it".to_owned(),
                };
                self.assumption(format!("the body of `{}` is right; it is not checked: {why}", name.text), name.span);
            }
            let decl = self.procedures[index].decl;
            if decl.checking.is_entry && matches!(self.runs, Runs::Modular) {
                let message = "`{:entrypoint}` has no effect: each procedure is checked by itself".to_owned();
                let help = format!("`--entry {}` checks runs of the whole program from here", decl.name.text);
                let found = self.source.diagnostic(base::Severity::Warning, decl.name.span, message, help);
                self.report(found);
            }
            for spec in decl.specs.iter().filter(|spec| spec.free) {
                let (SpecKind::Requires(condition) | SpecKind::Ensures(condition)) = spec.kind else { continue };
                let span = self.file.exprs[condition].span;
                let text = self.short(span);
                let what = if matches!(spec.kind, SpecKind::Requires(_)) { "requires" } else { "ensures" };
                self.assumption(format!("`free {what} {text}` of `{}`", decl.name.text), span);
            }
        }
    }
    /// The text of the span on one line, cut if it is long.
    pub(super) fn short(&self, span: Span) -> String {
        let text: String = self.source.at(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = text.chars().take(60).collect();
        if short == text { text } else { format!("{short}…") }
    }

    /// For each procedure those that its bodies call.
    fn call_graph(&self) -> Vec<Vec<usize>> {
        let mut calls: Vec<Vec<usize>> = vec![Vec::new(); self.procedures.len()];
        for (index, info) in self.procedures.iter().enumerate() {
            for body in &info.bodies {
                if let Some(body) = &body.body {
                    callees(&body.block, &self.procedure_index, &mut calls[index]);
                }
            }
        }
        calls
    }
}

/// Which procedures can be reached from these, which count themselves.
fn reachable(calls: &[Vec<usize>], from: &[usize]) -> Vec<bool> {
    let mut seen = vec![false; calls.len()];
    let mut todo = from.to_vec();
    while let Some(next) = todo.pop() {
        if !std::mem::replace(&mut seen[next], true) {
            todo.extend(&calls[next]);
        }
    }
    seen
}

/// The procedures that the block calls.
fn callees(block: &Block, index: &FastMap<String, usize>, into: &mut Vec<usize>) {
    for Stmt { kind, .. } in &block.stmts {
        match kind {
            StmtKind::Call { procedure, .. } => into.extend(index.get(procedure.text.as_str())),
            StmtKind::If(_, then, otherwise) => {
                callees(then, index, into);
                otherwise.iter().for_each(|block| callees(block, index, into));
            }
            StmtKind::While { body, .. } => callees(body, index, into),
            _ => {}
        }
    }
}
