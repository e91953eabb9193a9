//! Functions: signatures, and the frame in which a body is lowered.
//!
//! A record parameter arrives as an address and is copied into an object of the callee. A record
//! result goes to the address in a hidden first parameter. A variadic function has a hidden last
//! parameter, the address of the caller's variadic arguments.

use base::{FastMap, Id, IndexVec};
use program::{Action, Edge, FunId, Loc, Location, ObjectId, Shown, Undefined, Var, VarKind};
use term::Term;

use crate::ast::Span;
use crate::hir::{Callee, Expr, ExprKind, FunctionId, PlaceKind, Stmt, StorageKind, TypeId, TypeKind};

use super::blocks::Blocks;
use super::scope::Scope;
use super::types::Class;
use super::vocabulary::is_float_function;
use super::walk::{Node, push_parts};
use super::{Home, Lowering};

/// The function at hand.
pub(super) struct Current {
    pub id: FunId,
    /// The C function, if this is one.
    pub hir: Option<FunctionId>,
    /// While static storage is initialised: the function whose labels the initial value can name.
    pub label_scope: Option<FunctionId>,
    pub locations: IndexVec<Loc, Location>,
    pub edges: Vec<Edge>,
    /// Where we are; `None` where nothing can be reached.
    pub at: Option<Loc>,
    pub entry: Loc,
    pub exit: Loc,
    /// Where runs end that neither return nor fail, if any do.
    pub ended: Option<Loc>,
    /// Locations of the labels met so far.
    pub labels: FastMap<crate::hir::LabelId, Loc>,
    /// Where `break` and `continue` go, innermost last.
    /// Where `break` leads, and how many scopes are open there.
    pub breaks: Vec<(Loc, usize)>,
    /// Where `continue` leads, and how many scopes are open there.
    pub continues: Vec<(Loc, usize)>,
    /// The blocks around the statement at hand.
    pub scopes: Vec<Scope>,
    /// The blocks that hold labels and cases.
    pub blocks: Blocks,
    /// How many arrays of variable length each open block had where a label stands.
    pub arrays_at_label: FastMap<crate::hir::LabelId, Vec<usize>>,
    /// Objects that end with the full expression at hand.
    pub temporaries: Vec<ObjectId>,
    /// Whether the temporary whose address is computed must be an object of its own.
    pub keeps_temporary: bool,
    /// Locations of the cases of the switches around, innermost last.
    pub cases: Vec<Vec<Loc>>,
    /// Values that wait; see `pending`.
    pub pending: Vec<Term>,
    /// The statement or expression at hand, for edges that have no place of their own.
    pub span: Span,
    pub result: Option<Var>,
    pub result_type: Option<TypeId>,
    /// Where a record result goes.
    pub result_address: Option<Term>,
    /// Where the variadic arguments are.
    pub variadic_address: Option<Term>,
    pub n_temps: u32,
    pub depth: u32,
}

impl Default for Current {
    fn default() -> Self {
        Current {
            id: FunId::new(0),
            hir: None,
            label_scope: None,
            locations: IndexVec::new(),
            edges: Vec::new(),
            at: None,
            entry: Loc::new(0),
            exit: Loc::new(0),
            ended: None,
            labels: FastMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            scopes: Vec::new(),
            blocks: Blocks::default(),
            arrays_at_label: FastMap::new(),
            temporaries: Vec::new(),
            keeps_temporary: false,
            cases: Vec::new(),
            pending: Vec::new(),
            span: Span::default(),
            result: None,
            result_type: None,
            result_address: None,
            variadic_address: None,
            n_temps: 0,
            depth: 0,
        }
    }
}

impl Lowering<'_> {
    /// Opens a function: a frame with an entry and an exit.
    pub(super) fn open(&mut self, id: FunId, span: Span) {
        self.current = Current { id, span, ..Current::default() };
        self.current.entry = self.new_loc_at(span);
        self.current.exit = self.new_loc();
        self.start(self.current.entry);
    }

    /// The program's function for a C function, declared now if this is its first use.
    pub(super) fn declare_function(&mut self, function: FunctionId) -> FunId {
        let function = self.unit.same_function(function);
        let runs = self.reach.body_of(self.unit, function).unwrap_or(function);
        if let Some(&id) = self.functions.get(&runs) {
            return id;
        }
        // A model has the name of the function that it models.
        let span = self.unit.functions[runs].span;
        let unit = self.unit;
        let name = self.unique_name(&unit.functions[function].name, span);
        let id = self.blank_function(&name, span);
        self.functions.insert(runs, id);
        self.work.push_back(runs);
        self.declare_parameters(runs, id);
        id
    }

    /// The name of a function; with its file in front if another file has a `static` function of the same name.
    fn unique_name(&mut self, name: &str, span: Span) -> String {
        let mut unique = name.to_owned();
        let mut number = 1;
        while self.function_names.insert(unique.clone(), ()).is_some() {
            let file = &self.source.files[self.source.place(span.start).file];
            unique = if number == 1 { format!("{file}:{name}") } else { format!("{file}:{name}:{number}") };
            number += 1;
        }
        unique
    }

    fn declare_parameters(&mut self, function: FunctionId, id: FunId) {
        let unit = self.unit;
        let hir = &unit.functions[function];
        let place = self.place(hir.span);
        let TypeKind::Function { result, params, variadic, .. } = &unit.types.kinds[hir.ty] else {
            panic!("a function has a function type");
        };
        let pointer = self.pointer_sort();
        let mut vars = Vec::new();
        if self.class(*result) == Class::Record {
            vars.push(self.new_variable("result!address", pointer, VarKind::Param(id), Shown::Pointer, place));
        }
        let typed: Vec<(String, TypeId, bool, Span)> = if hir.body.is_some() {
            hir.params
                .iter()
                .map(|&p| {
                    let var = &unit.vars[p];
                    (var.name.clone(), var.ty, self.lives_in_memory(p), var.span)
                })
                .collect()
        } else {
            params.iter().enumerate().map(|(i, &ty)| (format!("p{i}"), ty, false, hir.span)).collect()
        };
        for (name, ty, in_memory, span) in typed {
            let name = match self.class(ty) {
                Class::Record => format!("{name}!address"),
                _ if in_memory => format!("{name}!value"),
                _ => name,
            };
            let (sort, shown) = (self.sort(ty), self.shown(ty));
            let place = self.place(span);
            vars.push(self.new_variable(&name, sort, VarKind::Param(id), shown, place));
        }
        if *variadic {
            vars.push(self.new_variable("variadic!address", pointer, VarKind::Param(id), Shown::Pointer, place));
        }
        let result = match self.class(*result) {
            Class::Void | Class::Record => None,
            _ => {
                let (sort, shown) = (self.sort(*result), self.shown(*result));
                Some(self.new_variable("result!", sort, VarKind::Temp(id), shown, place))
            }
        };
        let declared = &mut self.program.functions[id];
        declared.params = vars;
        declared.result = result;
    }

    /// Lowers the body of a declared function; for one without a body, what a call of it means.
    pub(super) fn function(&mut self, function: FunctionId) {
        let unit = self.unit;
        let hir = &unit.functions[function];
        let id = *self.functions.get(&function).expect("a function is declared before it is lowered");
        self.open(id, hir.span);
        self.current.hir = Some(function);
        let TypeKind::Function { result, params, variadic, .. } = &unit.types.kinds[hir.ty] else {
            panic!("a function has a function type");
        };
        let mut terms: Vec<Term> = self.program.functions[id].params.iter().map(|&v| self.term_of(v)).collect();
        self.current.result = self.program.functions[id].result;
        self.current.result_type = Some(*result);
        if self.class(*result) == Class::Record {
            self.current.result_address = Some(terms.remove(0));
        }
        if *variadic {
            self.current.variadic_address = terms.pop();
        }
        match &hir.body {
            Some(body) => {
                for (&param, value) in hir.params.iter().zip(terms) {
                    self.receive(param, value);
                }
                self.check_effectless(function, body);
                self.function_body(body);
                self.check_no_return(hir.span);
                self.fall_off_the_end(function, hir.span);
            }
            None => {
                let value = self.perform(function, &terms, params, None, self.current.result, hir.span);
                if let (Some(result), Some(value)) = (self.current.result, value) {
                    self.write_variable(result, value, hir.span);
                } else if let (Some(to), Some(from)) = (self.current.result_address, value) {
                    self.copy(to, from, self.current.result_type.unwrap_or(*result), hir.span);
                }
            }
        }
        self.jump(self.current.exit, hir.span);
        self.close();
    }

    /// A function that was declared not to return is about to.
    pub(super) fn check_no_return(&mut self, span: Span) {
        if self.current.hir.is_some_and(|function| self.unit.functions[function].noreturn) {
            let never = self.terms.truth(false);
            self.check(Undefined::BrokenPromise, never, span);
        }
    }

    /// A compiler may leave out calls of a `const` or `pure` function, so one that writes anything but its own
    /// variables is refused.
    fn check_effectless(&mut self, function: FunctionId, body: &[Stmt]) {
        let unit = self.unit;
        if unit.functions[function].effectless.is_none() {
            return;
        }
        let mut stack: Vec<Node<'_>> = body.iter().map(Node::Stmt).collect();
        while let Some(node) = stack.pop() {
            if let Node::Expr(expr) = node
                && self.may_change_state(expr)
            {
                let name = &unit.functions[function].name;
                self.unsupported(expr.span, format!("effect in `{name}`, which is declared to have none"));
                return;
            }
            push_parts(node, &mut stack);
        }
    }
    fn may_change_state(&self, expr: &Expr) -> bool {
        let place = match &expr.kind {
            ExprKind::Assign(place, _)
            | ExprKind::AssignOp { place, .. }
            | ExprKind::AssignPtrAdd { place, .. }
            | ExprKind::Increment { place, .. } => place,
            ExprKind::Call { callee: Callee::Direct(called), .. } => {
                let called = self.unit.same_function(*called);
                let hir = &self.unit.functions[called];
                return self.reach.body_of(self.unit, called).is_none()
                    && hir.effectless.is_none()
                    && !is_float_function(self.unit, called);
            }
            ExprKind::Call { .. } => return true,
            _ => return false,
        };
        let mut root = place;
        while let PlaceKind::Field { base, .. } = &root.kind {
            root = base;
        }
        match root.kind {
            PlaceKind::Var(var) => {
                matches!(self.unit.vars[var].storage, StorageKind::Static | StorageKind::Thread)
            }
            PlaceKind::Deref(_) => true,
            _ => false,
        }
    }

    /// Gives a parameter its home.
    fn receive(&mut self, param: crate::hir::VarId, value: Term) {
        let unit = self.unit;
        let var = &unit.vars[param];
        if let Class::Unsupported(what) = self.class(var.ty) {
            self.unsupported(var.span, format!("parameter of {what} type"));
            return;
        }
        if !self.lives_in_memory(param) {
            let home = *self.variable_of.get(&value).expect("a parameter is a variable");
            self.homes[param] = Some(Home::Variable(home));
            return;
        }
        let object = self.new_variable_object(param, true);
        self.homes[param] = Some(Home::Object(object));
        let address = self.object_address(object);
        if self.class(var.ty) == Class::Record {
            self.copy(address, value, var.ty, var.span);
        } else {
            self.store(address, value, var.span);
        }
    }

    /// What happens where the closing brace is reached.
    fn fall_off_the_end(&mut self, function: FunctionId, span: Span) {
        let Some(result) = self.current.result else { return };
        if self.current.at.is_none() {
            return;
        }
        if self.unit.functions[function].name == "main" {
            let sort = self.program.vars[result].sort;
            let zero = self.zero_of(sort);
            self.write_variable(result, zero, span);
        } else {
            if self.reach.result_used(function) {
                let never = self.terms.truth(false);
                self.emit(Action::Check { what: Undefined::MissingReturn, holds: never }, span);
            }
            let name = self.program.functions[self.current.id].name.clone();
            let shown = self.program.vars[result].shown;
            let input = self.new_input(program::InputKind::Uninitialised(format!("result of {name}")), shown, span);
            self.emit(Action::Havoc { var: result, input }, span);
        }
    }
}
