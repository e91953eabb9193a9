//! From the syntax tree to a control-flow automaton.
//!
//! Runs start in every procedure with a body, or in the entry that was chosen (`roots`), in any state of
//! the globals that the axioms and `where` clauses allow. What the source leaves open is made visible:
//! uninitialised variables, `havoc`, `*` and `goto` with several labels are inputs, so that a run is
//! determined by them and by the meaning of the functions.

mod builtin;
mod call;
mod expr;
mod procedure;
mod quantifier;
mod roots;
mod stmt;
mod tables;
mod types;

use base::{Diagnostic, FastMap, FileId, Place, Severity};
use program::{Action, Assumption, Builder, FunId, InputKind, Loc, Program, Shown, Var};
use term::{Term, Terms};

use crate::Runs;
use crate::ast::{Declaration, ExprId, File, Function, Name, Procedure, SpecKind, VarDecl};
use crate::source::{Source, Span};
use expr::{NoTerm, Scope, Value};
use quantifier::Rule;
use tables::Maps;
use types::{Ty, TypeDecl};

/// A global variable or constant.
struct Global {
    var: Var,
    value: Value,
    is_const: bool,
    restriction: Option<ExprId>,
}

/// A function, and its types if they make sense.
struct FunctionInfo<'a> {
    decl: &'a Function,
    signature: Option<Signature>,
}

#[derive(Clone)]
struct Signature {
    type_params: Vec<String>,
    params: Vec<Ty>,
    result: Ty,
}

/// A procedure with its bodies.
struct ProcedureInfo<'a> {
    decl: &'a Procedure,
    /// The bodies: its own, and those of implementations, with the names they use.
    bodies: Vec<&'a Procedure>,
    /// The globals that its `modifies` clauses name, each once.
    modifies: Vec<String>,
    /// Whether it calls itself, however indirectly.
    is_recursive: bool,
    /// The function that it was lowered to, when it was first called.
    function: Option<FunId>,
    /// Where calls find its results.
    handover: Vec<Var>,
}

/// A translation in progress.
struct Lowering<'a> {
    source: &'a Source<'a>,
    file: &'a File,
    runs: Runs<'a>,
    maps: Maps,
    /// Whether the program asks whether two maps are equal, which their arrays would answer.
    compares_maps: bool,
    /// Functions over words, by their number, with the arrays that stand for them.
    tables: FastMap<usize, Term>,
    terms: &'a mut Terms,
    builder: Builder,
    file_id: FileId,
    found: Vec<Diagnostic>,
    types: Vec<TypeDecl>,
    type_index: FastMap<String, usize>,
    functions: Vec<FunctionInfo<'a>>,
    function_index: FastMap<String, usize>,
    globals: FastMap<String, Global>,
    global_names: Vec<Name>,
    unique: Vec<(Ty, Vec<Term>)>,
    axioms: Vec<ExprId>,
    /// Quantified axioms, for instances.
    rules: Vec<Rule>,
    procedures: Vec<ProcedureInfo<'a>>,
    procedure_index: FastMap<String, usize>,
    /// Definitions that are being put in place of calls.
    expanding: Vec<usize>,
    /// Procedures that wait to be lowered as functions.
    work: Vec<usize>,
}

/// The program, and all that was found; without errors among it the program keeps the laws.
pub(crate) fn lower(source: &Source<'_>, file: &File, runs: Runs<'_>, terms: &mut Terms) -> (Program, Vec<Diagnostic>) {
    let mut attempt = terms.clone();
    match lower_with(source, file, runs, Maps::Arrays, &mut attempt) {
        Some(lowered) => {
            *terms = attempt;
            lowered
        }
        None => lower_with(source, file, runs, Maps::Functions, terms).expect("functions can be compared"),
    }
}

/// None if maps are compared and were read as arrays.
fn lower_with(
    source: &Source<'_>,
    file: &File,
    runs: Runs<'_>,
    maps: Maps,
    terms: &mut Terms,
) -> Option<(Program, Vec<Diagnostic>)> {
    let mut builder = Builder::new(64);
    let file_id = builder.file(source.name);
    let mut lowering = Lowering {
        source,
        file,
        runs,
        maps,
        compares_maps: false,
        tables: FastMap::new(),
        terms,
        builder,
        file_id,
        found: Vec::new(),
        types: Vec::new(),
        type_index: FastMap::new(),
        functions: Vec::new(),
        function_index: FastMap::new(),
        globals: FastMap::new(),
        global_names: Vec::new(),
        unique: Vec::new(),
        axioms: Vec::new(),
        rules: Vec::new(),
        procedures: Vec::new(),
        procedure_index: FastMap::new(),
        expanding: Vec::new(),
        work: Vec::new(),
    };
    lowering.declarations();
    lowering.modifies();
    let tables = lowering.function_tables();
    let entry = lowering.builder.function("start", None);
    lowering.program(entry, &tables);
    let Lowering { builder, found, compares_maps, .. } = lowering;
    (!compares_maps || maps == Maps::Functions).then(|| (builder.finish(entry), found))
}

impl<'a> Lowering<'a> {
    // ---- messages
    fn error(&mut self, span: Span, message: impl Into<String>) {
        let found = self.source.diagnostic(Severity::Error, span, message.into(), String::new());
        self.report(found);
    }
    fn unsupported(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not supported");
        let found = self.source.diagnostic(Severity::Unsupported, span, message, String::new());
        self.report(found);
    }
    /// The same place is often looked at more than once.
    fn report(&mut self, found: Diagnostic) {
        if self.found.len() < 50 && !self.found.contains(&found) {
            self.found.push(found);
        }
    }
    fn place(&self, span: Span) -> Option<Place> {
        Some(self.source.place(self.file_id, span))
    }
    /// What is proved or found rests on this.
    fn assumption(&mut self, text: String, span: Span) {
        let place = self.place(span);
        let known = &mut self.builder.program_mut().assumptions;
        if known.iter().all(|one| one.text != text) {
            known.push(Assumption { text, place });
        }
    }
    /// The program allows more runs than the source from here on.
    fn approximate(&mut self, text: String, span: Span) {
        let place = self.place(span);
        let known = &mut self.builder.program_mut().approximations;
        if known.iter().all(|one| one.text != text) {
            known.push(Assumption { text, place });
        }
    }

    // ---- declarations
    /// Declares everything of the file. Long: one `match` over all declarations.
    fn declarations(&mut self) {
        let file = self.file;
        for declaration in &file.declarations {
            match declaration {
                Declaration::Type { name, params, synonym } => {
                    let known = self.type_index.insert(name.text.clone(), self.types.len());
                    self.types.push(TypeDecl { params: params.clone(), synonym: synonym.clone() });
                    self.once(known.is_none(), name, "type");
                }
                Declaration::Function(decl) => {
                    let known = self.function_index.insert(decl.name.text.clone(), self.functions.len());
                    self.functions.push(FunctionInfo { decl, signature: None });
                    self.once(known.is_none(), &decl.name, "function");
                }
                Declaration::Axiom(axiom) => self.axioms.push(*axiom),
                Declaration::Procedure(decl) => {
                    let known = self.procedure_index.insert(decl.name.text.clone(), self.procedures.len());
                    let bodies = if decl.body.is_some() { vec![decl] } else { Vec::new() };
                    self.procedures.push(ProcedureInfo {
                        decl,
                        bodies,
                        modifies: Vec::new(),
                        is_recursive: false,
                        function: None,
                        handover: Vec::new(),
                    });
                    self.once(known.is_none(), &decl.name, "procedure");
                }
                Declaration::Unsupported { what, span } => self.unsupported(*span, what),
                Declaration::Const { .. } | Declaration::Vars(_) | Declaration::Implementation(_) => {}
            }
        }
        for index in 0..self.functions.len() {
            let decl = self.functions[index].decl;
            let params: Option<Vec<Ty>> = decl.params.iter().map(|(_, ty)| self.ty(ty, &decl.type_params)).collect();
            let result = self.ty(&decl.result, &decl.type_params);
            if let (Some(params), Some(result)) = (params, result) {
                let type_params = decl.type_params.iter().map(|name| name.text.clone()).collect();
                self.functions[index].signature = Some(Signature { type_params, params, result });
            }
        }
        for declaration in &file.declarations {
            match declaration {
                Declaration::Const { names, ty, unique, order } => {
                    if let Some(span) = *order {
                        self.approximate("the order of constants is not known".to_owned(), span);
                    }
                    let Some(ty) = self.ty(ty, &[]) else { continue };
                    for name in names {
                        self.global(name, &ty, true, None);
                        if *unique && let Some(global) = self.globals.get(name.text.as_str()) {
                            let term = global.value.term;
                            match self.unique.iter_mut().find(|(known, _)| *known == ty) {
                                Some((_, all)) => all.push(term),
                                None => self.unique.push((ty.clone(), vec![term])),
                            }
                        }
                    }
                }
                Declaration::Vars(vars) => {
                    for VarDecl { name, ty, restriction } in vars {
                        if let Some(ty) = self.ty(ty, &[]) {
                            self.global(name, &ty, false, *restriction);
                        }
                    }
                }
                Declaration::Implementation(body) => match self.procedure_index.get(body.name.text.as_str()) {
                    None => self.error(body.name.span, format!("there is no procedure `{}`", body.name.text)),
                    Some(&index) => {
                        let decl = self.procedures[index].decl;
                        if self.is_same_signature(decl, body) {
                            self.procedures[index].bodies.push(body);
                        } else {
                            let message = format!("`{}` has other parameters in its declaration", body.name.text);
                            self.error(body.name.span, message);
                        }
                    }
                },
                _ => {}
            }
        }
    }
    /// Whether an implementation has the parameters and results of its procedure; they may have other names.
    fn is_same_signature(&mut self, decl: &Procedure, body: &Procedure) -> bool {
        let counts = |one: &Procedure| (one.type_params.len(), one.params.len(), one.results.len());
        if counts(decl) != counts(body) {
            return false;
        }
        let renamed =
            |(theirs, ours): (&Name, &Name)| (theirs.text.clone(), Some(Ty::Named(ours.text.clone(), Vec::new())));
        let binding: Vec<(String, Option<Ty>)> = decl.type_params.iter().zip(&body.type_params).map(renamed).collect();
        let pairs = decl.params.iter().zip(&body.params).chain(decl.results.iter().zip(&body.results));
        for (theirs, ours) in pairs {
            let (theirs, ours) = (self.ty(&theirs.ty, &decl.type_params), self.ty(&ours.ty, &body.type_params));
            if let (Some(theirs), Some(ours)) = (theirs, ours)
                && theirs.instance(&binding) != Some(ours)
            {
                return false;
            }
        }
        true
    }
    /// Finds the globals that procedures may change.
    fn modifies(&mut self) {
        for index in 0..self.procedures.len() {
            for spec in &self.procedures[index].decl.specs {
                let SpecKind::Modifies(names) = &spec.kind else { continue };
                for name in names {
                    if self.globals.get(name.text.as_str()).is_none_or(|global| global.is_const) {
                        self.error(name.span, format!("there is no global variable `{}`", name.text));
                    } else if !self.procedures[index].modifies.contains(&name.text) {
                        self.procedures[index].modifies.push(name.text.clone());
                    }
                }
            }
        }
    }
    fn once(&mut self, is_first: bool, name: &Name, what: &str) {
        if !is_first {
            self.error(name.span, format!("there is a {what} `{}` already", name.text));
        }
    }
    fn global(&mut self, name: &Name, ty: &Ty, is_const: bool, restriction: Option<ExprId>) {
        if self.globals.contains_key(name.text.as_str()) {
            self.once(false, name, "variable or constant");
            return;
        }
        let sort = ty.sort(self.terms, self.maps);
        let place = self.place(name.span);
        let var = self.builder.global(self.terms, &name.text, sort, shown(ty), place);
        let value = Value { term: self.builder.term(var), ty: ty.clone() };
        self.globals.insert(name.text.clone(), Global { var, value, is_const, restriction });
        self.global_names.push(name.clone());
    }

    // ---- the start
    /// Any values for the globals that the axioms allow, then the procedures where runs start.
    fn program(&mut self, entry: FunId, tables: &[(Var, Name)]) {
        let mut at = self.builder.entry_of(entry);
        for (var, name) in tables {
            at = self.havoc(entry, at, *var, InputKind::Uninitialised(name.text.clone()), name.span);
        }
        for name in self.global_names.clone() {
            let var = self.globals[name.text.as_str()].var;
            at = self.havoc(entry, at, var, InputKind::Uninitialised(name.text.clone()), name.span);
        }
        for (ty, terms) in self.unique.clone() {
            if terms.len() > 1 {
                self.compares_maps |= ty.table().is_some();
                let differ = self.terms.distinct(&terms);
                at = self.assume(entry, at, differ, None);
            }
        }
        for axiom in self.axioms.clone() {
            at = self.axiom(entry, at, axiom);
        }
        let scope = Scope::default();
        for name in self.global_names.clone() {
            if let Some(restriction) = self.globals[name.text.as_str()].restriction {
                at = self.assumed(entry, at, &scope, restriction, "a `where` clause");
            }
        }
        let roots = self.roots();
        for (number, &(index, body)) in roots.iter().enumerate() {
            let mut from = at;
            if number + 1 < roots.len() {
                let (taken, other) = self.choice(entry, at, None);
                (from, at) = (taken, other);
            }
            self.root(entry, from, index, body);
        }
        if roots.is_empty() {
            let exit = self.builder.exit_of(entry);
            self.builder.step(self.terms, at, exit);
        }
        while let Some(index) = self.work.pop() {
            self.procedure(index);
        }
    }

    // ---- small steps, each from a location to a new one
    fn location(&mut self, function: FunId, span: Option<Span>) -> Loc {
        let place = span.and_then(|span| self.place(span));
        self.builder.location(function, place)
    }
    fn assume(&mut self, function: FunId, from: Loc, condition: Term, span: Option<Span>) -> Loc {
        let from = self.with_instances(function, from, &[condition]);
        self.assume_alone(function, from, condition, span)
    }
    /// The same without instances of axioms.
    fn assume_alone(&mut self, function: FunId, from: Loc, condition: Term, span: Option<Span>) -> Loc {
        let to = self.location(function, None);
        let place = span.and_then(|span| self.place(span));
        self.builder.assume(from, to, condition, place);
        to
    }
    fn assign(&mut self, function: FunId, from: Loc, pairs: Vec<(Var, Term)>, span: Option<Span>) -> Loc {
        if pairs.is_empty() {
            return from;
        }
        let values: Vec<Term> = pairs.iter().map(|&(_, value)| value).collect();
        let from = self.with_instances(function, from, &values);
        let to = self.location(function, None);
        let place = span.and_then(|span| self.place(span));
        self.builder.edge(from, to, Action::Assign(pairs), place);
        to
    }
    fn havoc(&mut self, function: FunId, from: Loc, var: Var, kind: InputKind, span: Span) -> Loc {
        let place = self.place(span);
        let shown = self.builder.program().vars[var].shown;
        let input = self.builder.input(kind, shown, place);
        let to = self.location(function, None);
        self.builder.havoc(from, to, var, input, place);
        to
    }
    /// Two ways to go, left to chance.
    fn choice(&mut self, function: FunId, from: Loc, span: Option<Span>) -> (Loc, Loc) {
        let sort = self.terms.bool_sort();
        let var = self.builder.temp(self.terms, function, "choice", sort, Shown::Plain);
        let place = span.and_then(|span| self.place(span));
        let input = self.builder.input(InputKind::Nondet("*".to_owned()), Shown::Plain, place);
        let chosen = self.location(function, None);
        self.builder.havoc(from, chosen, var, input, place);
        let yes = self.builder.term(var);
        let no = self.terms.not(yes);
        (self.assume(function, chosen, yes, span), self.assume(function, chosen, no, span))
    }
    /// A condition that the run satisfies. If it has no term, nothing is assumed: that allows more runs.
    fn assumed(&mut self, function: FunId, from: Loc, scope: &Scope, expr: ExprId, what: &str) -> Loc {
        let span = self.file.exprs[expr].span;
        match self.condition(scope, expr) {
            Ok(condition) => self.assume(function, from, condition, Some(span)),
            Err(NoTerm::Wrong) => from,
            Err(NoTerm::Beyond(beyond, at)) => {
                self.approximate(format!("{what} with {beyond} is not assumed"), at);
                from
            }
        }
    }
    fn condition(&mut self, scope: &Scope, expr: ExprId) -> Result<Term, NoTerm> {
        let span = self.file.exprs[expr].span;
        let value = self.value(scope, expr)?;
        self.want(value, &Ty::Bool, span)
    }
}

/// How values of the type read.
fn shown(ty: &Ty) -> Shown {
    match ty {
        Ty::Bits(_) => Shown::Unsigned,
        _ => Shown::Plain,
    }
}
