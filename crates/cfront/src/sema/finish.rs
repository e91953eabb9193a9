//! What can only be said at the end of a file, and of the program.
//!
//! Tentative definitions become definitions, symbols with several names become one, every
//! call gets the type its function turned out to have, and one walk over all trees finds the variables
//! and functions whose address is taken. (A walk, because taking an address inside `sizeof` does not
//! count.)

use super::Sema;
use crate::hir::{
    Callee, Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind, StorageKind, TypeId, TypeKind, Types,
    Unit, Variable,
};

impl Sema<'_> {
    /// Completes the program, after its last file.
    pub(super) fn finish(&mut self) {
        let mut addresses = Addresses { results: self.function_results() };
        addresses.walk_unit(&mut self.unit);
        for var in self.unit.vars.ids() {
            if let Some(target) = self.unit.vars[var].alias_of {
                self.unit.vars[target].address_taken |= self.unit.vars[var].address_taken;
            }
        }
        for function in self.unit.functions.ids() {
            if let Some(target) = self.unit.functions[function].alias_of {
                self.unit.functions[target].address_taken |= self.unit.functions[function].address_taken;
            }
        }
    }

    /// Completes the variables of the file.
    pub(super) fn complete_variables(&mut self) {
        for var in self.unit.vars.ids().skip(self.shared.n_vars) {
            let variable = &self.unit.vars[var];
            let (ty, span) = (variable.ty, variable.span);
            if !variable.defined || variable.storage != StorageKind::Static || self.unit.types.size_of(ty).is_some() {
                continue;
            }
            match *self.unit.types.kind(ty) {
                TypeKind::Array(element, None) if self.unit.types.size_of(element).is_some() => {
                    let name = variable.name.clone();
                    self.warn(span, format!("the array `{name}` is taken to have one element"), "");
                    let ty = self.unit.types.intern(TypeKind::Array(element, Some(1)));
                    self.unit.vars[var].ty = ty;
                }
                _ if self.unit.vars[var].init.is_some() => {} // Reported at the initialiser.
                _ => {
                    self.require_complete(ty, span, "this variable");
                }
            }
        }
    }

    fn function_results(&self) -> Vec<TypeId> {
        let result = |ty: TypeId| match *self.unit.types.kind(ty) {
            TypeKind::Function { result, .. } => result,
            _ => self.basic.error,
        };
        self.unit.functions.iter().map(|function| result(function.ty)).collect()
    }
}

/// The walk that finds addresses and settles the types of calls.
struct Addresses {
    /// What each function returns.
    results: Vec<TypeId>,
}

/// The parts of the unit that the walk changes.
struct Marks<'u> {
    vars: &'u mut base::IndexVec<crate::hir::VarId, Variable>,
    functions_taken: Vec<FunctionId>,
    types: &'u Types,
}

impl Addresses {
    fn walk_unit(&mut self, unit: &mut Unit) {
        let mut inits: Vec<_> = unit.vars.iter_mut().map(|variable| variable.init.take()).collect();
        let mut bodies: Vec<_> = unit.functions.iter_mut().map(|function| function.body.take()).collect();
        let mut marks = Marks { vars: &mut unit.vars, functions_taken: Vec::new(), types: &unit.types };
        for init in inits.iter_mut().flatten() {
            self.init(init, &mut marks);
        }
        for body in bodies.iter_mut().flatten() {
            self.statements(body, &mut marks);
        }
        let taken = marks.functions_taken;
        for (variable, init) in unit.vars.iter_mut().zip(inits) {
            variable.init = init;
            variable.address_taken |= !unit.types.is_scalar(variable.ty);
        }
        for (function, body) in unit.functions.iter_mut().zip(bodies) {
            function.body = body;
        }
        for function in taken {
            unit.functions[function].address_taken = true;
        }
    }

    fn init(&mut self, init: &mut Init, marks: &mut Marks<'_>) {
        for piece in &mut init.pieces {
            self.expr(&mut piece.value, marks);
        }
    }

    fn statements(&mut self, statements: &mut [Stmt], marks: &mut Marks<'_>) {
        for statement in statements {
            self.statement(statement, marks);
        }
    }

    fn statement(&mut self, statement: &mut Stmt, marks: &mut Marks<'_>) {
        match &mut statement.kind {
            StmtKind::Expr(expr) => {
                self.expr(expr, marks);
                keep_call_alone(expr);
            }
            StmtKind::GotoComputed(expr) => self.expr(expr, marks),
            StmtKind::Declare(_, init) => {
                if let Some(init) = init {
                    self.init(init, marks);
                }
            }
            StmtKind::Block(body) => self.statements(body, marks),
            StmtKind::If { arms, otherwise } => {
                for (condition, body, _) in arms {
                    self.expr(condition, marks);
                    self.statements(body, marks);
                }
                self.statements(otherwise, marks);
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.expr(condition, marks);
                self.statements(body, marks);
            }
            StmtKind::For { init, condition, step, body } => {
                self.statements(init, marks);
                for expr in [condition, step].into_iter().flatten() {
                    self.expr(expr, marks);
                }
                self.statements(body, marks);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(value, marks);
                self.statements(body, marks);
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value, marks);
                }
            }
            StmtKind::Asm { outputs, memory, inputs, .. } => {
                for output in outputs {
                    self.place(output, marks);
                }
                for input in memory.iter_mut().chain(inputs) {
                    self.expr(input, marks);
                }
            }
            StmtKind::Case(_) | StmtKind::Label(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn place(&mut self, place: &mut Place, marks: &mut Marks<'_>) {
        match &mut place.kind {
            PlaceKind::Var(_) | PlaceKind::String(_) => {}
            PlaceKind::Deref(pointer) => self.expr(pointer, marks),
            PlaceKind::Field { base, .. } => self.place(base, marks),
            PlaceKind::CompoundLiteral { init, .. } => self.init(init, marks),
            PlaceKind::Temporary(value) => self.expr(value, marks),
        }
    }

    fn take_address(place: &Place, marks: &mut Marks<'_>) {
        let mut place = place;
        loop {
            match &place.kind {
                PlaceKind::Field { base, .. } => place = base,
                PlaceKind::Var(var) | PlaceKind::CompoundLiteral { var, .. } => {
                    marks.vars[*var].address_taken = true;
                    return;
                }
                _ => return,
            }
        }
    }

    fn expr(&mut self, expr: &mut Expr, marks: &mut Marks<'_>) {
        match &mut expr.kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::WideFloat(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Unsupported(_) => {}
            ExprKind::Read(place) => self.place(place, marks),
            ExprKind::VaArg(place) | ExprKind::VaStart(place) => self.place(place, marks),
            ExprKind::VaCopy(to, from) => {
                self.place(to, marks);
                self.place(from, marks);
            }
            ExprKind::AddressOf(place) => {
                Self::take_address(place, marks);
                self.place(place, marks);
            }
            ExprKind::AddressOfFunction(function) => marks.functions_taken.push(*function),
            ExprKind::Neg(inner) | ExprKind::BitNot(inner) | ExprKind::Not(inner) | ExprKind::Cast(inner) => {
                self.expr(inner, marks);
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Elvis(left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::PtrAdd { pointer: left, index: right, .. }
            | ExprKind::PtrDiff { left, right, .. } => {
                self.expr(left, marks);
                self.expr(right, marks);
            }
            ExprKind::Assign(place, value)
            | ExprKind::AssignOp { place, value, .. }
            | ExprKind::AssignPtrAdd { place, index: value, .. } => {
                self.place(place, marks);
                self.expr(value, marks);
            }
            ExprKind::Increment { place, .. } => self.place(place, marks),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.expr(condition, marks);
                self.expr(then, marks);
                self.expr(otherwise, marks);
            }
            ExprKind::StmtExpr(statements, value) => {
                self.statements(statements, marks);
                if let Some(value) = value {
                    self.expr(value, marks);
                }
            }
            ExprKind::Builtin(_, args) => {
                for arg in args {
                    self.expr(arg, marks);
                }
            }
            ExprKind::Call { .. } => self.call(expr, marks),
        }
    }

    /// A function called before its declaration may turn out to return something else than thought.
    fn call(&mut self, expr: &mut Expr, marks: &mut Marks<'_>) {
        let ExprKind::Call { callee, args } = &mut expr.kind else { return };
        for arg in args {
            self.expr(arg, marks);
        }
        let function = match callee {
            Callee::Pointer(pointer) => {
                self.expr(pointer, marks);
                return;
            }
            Callee::Direct(function) => *function,
        };
        let result = self.results[base::Id::index(function)];
        if result == expr.ty {
            return;
        }
        let span = expr.span;
        let thought = expr.ty;
        let call = Expr { kind: std::mem::replace(&mut expr.kind, ExprKind::Integer(0)), ty: result, span };
        let types = marks.types;
        let castable = types.is_void(thought) || types.is_scalar(thought) && types.is_scalar(result);
        expr.kind = if castable {
            ExprKind::Cast(Box::new(call))
        } else if types.is_void(result) {
            // Harmless as a statement; a use of the value is refused.
            let refused = Expr { kind: ExprKind::Unsupported(NO_RESULT.to_owned()), ty: thought, span };
            ExprKind::Comma(Box::new(call), Box::new(refused))
        } else {
            ExprKind::Unsupported("a call before the declaration with another result".to_owned())
        };
    }
}

const NO_RESULT: &str = "the value of a call that returns nothing";

/// As a statement, a call needs no result.
fn keep_call_alone(expr: &mut Expr) {
    let ExprKind::Comma(call, value) = &mut expr.kind else { return };
    if matches!(&value.kind, ExprKind::Unsupported(what) if what == NO_RESULT) {
        let call = std::mem::replace(&mut **call, Expr { kind: ExprKind::Integer(0), ty: value.ty, span: value.span });
        *expr = call;
    }
}
