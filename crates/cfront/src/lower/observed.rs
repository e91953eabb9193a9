//! Which results of library functions are looked at for more than their sign.
//!
//! C says of `isdigit` that the result is zero or not, and of `strcmp` that it is negative, zero or positive. The models
//! return 0, 1 and -1. That is exact as long as the program only asks for the sign; otherwise the value is a choice.
//! A value is followed through variables, parameters and results of functions, without regard to the order of statements.

use base::FastMap;
use base::maps::OrderedSet;
use program::InputKind;
use term::Term;

use crate::ast::Span;
use crate::hir::{Builtin, Callee, Expr, ExprKind, FunctionId, Init, Place, PlaceKind, StmtKind, TypeId, Unit, VarId};

use super::Lowering;
use super::reach::Reach;
use super::types::{Class, class};
use super::vocabulary::{WordEffect, word_effect};
use super::walk::{Node, push_parts};

/// What C says about a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpenResult {
    /// Zero, or anything else.
    NotZero,
    /// Zero, or any number of this sign.
    Sign,
}

/// What C says about the result of a library function of this name, if it leaves the value open.
pub(super) fn open_result(name: &str) -> Option<OpenResult> {
    match name {
        "isalnum" | "isalpha" | "isascii" | "isblank" | "iscntrl" | "isdigit" | "isgraph" | "islower" | "isprint"
        | "ispunct" | "isspace" | "isupper" | "isxdigit" | "bcmp" => Some(OpenResult::NotZero),
        "memcmp" | "strcmp" | "strncmp" | "strcoll" | "strcasecmp" | "strncasecmp" => Some(OpenResult::Sign),
        // As functions these are 0 or 1 in no library alike.
        "isnan" | "isinf" | "isnormal" | "isfinite" | "finite" | "signbit" | "__isnan" | "__isinf" | "__isnanf"
        | "__isinff" | "__finite" | "__finitef" | "__signbit" | "__signbitf" => Some(OpenResult::NotZero),
        _ => None,
    }
}
/// The same for builtins.
pub(super) fn open_builtin(builtin: Builtin) -> Option<(OpenResult, &'static str)> {
    match builtin {
        Builtin::IsNan => Some((OpenResult::NotZero, "isnan")),
        Builtin::IsInf => Some((OpenResult::NotZero, "isinf")),
        Builtin::IsFinite => Some((OpenResult::NotZero, "isfinite")),
        Builtin::IsNormal => Some((OpenResult::NotZero, "isnormal")),
        Builtin::SignBit => Some((OpenResult::NotZero, "signbit")),
        _ => None,
    }
}

/// Where a value can stay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Slot {
    Variable(VarId),
    Result(FunctionId),
    /// The result of any function that is called through a pointer.
    Called,
}

/// What happens to the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// At most its sign is looked at.
    Sign,
    /// It is kept.
    Kept(Slot),
    /// Anything else.
    Full,
}

/// The calls whose result is looked at for more than its sign.
#[derive(Default, Debug)]
pub(super) struct Observed {
    calls: FastMap<*const Expr, Use>,
    full: OrderedSet<Slot>,
}

impl Observed {
    /// Looks at everything that is reached, if a function with an open result is.
    pub fn from(unit: &Unit, reach: &Reach) -> Self {
        let mut walk = Walk { unit, observed: Observed::default(), flows: Vec::new() };
        for &function in &reach.functions {
            let declared = &unit.functions[function];
            let Some(body) = &declared.body else { continue };
            let mut stack: Vec<(Node<'_>, Use)> = body.iter().map(|stmt| (Node::Stmt(stmt), Use::Sign)).collect();
            while let Some((node, used)) = stack.pop() {
                walk.node(function, node, used, &mut stack);
            }
        }
        for &function in &reach.addresses {
            walk.flows.push((Slot::Result(function), Slot::Called));
        }
        walk.close()
    }
    pub fn is_full(&self, call: &Expr) -> bool {
        match self.calls.get(&(call as *const Expr)) {
            Some(Use::Sign) => false,
            Some(Use::Kept(slot)) => self.full.contains(slot),
            Some(Use::Full) | None => true,
        }
    }
}

struct Walk<'a> {
    unit: &'a Unit,
    observed: Observed,
    /// From where to where values are copied.
    flows: Vec<(Slot, Slot)>,
}

impl<'a> Walk<'a> {
    /// A slot whose values are copied to a slot that is looked at is looked at itself.
    fn close(mut self) -> Observed {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(from, to) in &self.flows {
                changed |= self.observed.full.contains(&to) && self.observed.full.insert(from);
            }
        }
        self.observed
    }
    fn slot_used(&mut self, slot: Slot, used: Use) {
        let slot = match slot {
            Slot::Variable(var) => Slot::Variable(self.unit.same_variable(var)),
            slot => slot,
        };
        match used {
            Use::Sign => {}
            Use::Kept(to) => self.flows.push((slot, to)),
            Use::Full => {
                self.observed.full.insert(slot);
            }
        }
    }
    fn node(&mut self, function: FunctionId, node: Node<'a>, used: Use, stack: &mut Vec<(Node<'a>, Use)>) {
        match node {
            Node::Expr(expr) => self.expr(expr, used, stack),
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::Return(Some(value)) => {
                    let is_main = self.unit.functions[function].name == "main";
                    let used = if is_main { Use::Sign } else { Use::Kept(Slot::Result(function)) };
                    stack.push((Node::Expr(value), used));
                }
                StmtKind::Declare(var, Some(init)) => self.initialised(*var, init, stack),
                StmtKind::Switch { value, body, .. } => {
                    stack.push((Node::Expr(value), Use::Full));
                    stack.extend(body.iter().map(|stmt| (Node::Stmt(stmt), Use::Sign)));
                }
                // Conditions ask for the sign; values of expression statements are thrown away.
                _ => self.parts(node, Use::Sign, stack),
            },
            Node::Place(_) | Node::Init(_) => self.parts(node, Use::Full, stack),
        }
    }
    fn parts(&self, node: Node<'a>, used: Use, stack: &mut Vec<(Node<'a>, Use)>) {
        let mut nodes = Vec::new();
        push_parts(node, &mut nodes);
        stack.extend(nodes.into_iter().map(|node| (node, used)));
    }
    fn initialised(&self, var: VarId, init: &'a Init, stack: &mut Vec<(Node<'a>, Use)>) {
        let kept = Use::Kept(Slot::Variable(self.unit.same_variable(var)));
        let used = if self.keeps(var) { kept } else { Use::Full };
        stack.extend(init.pieces.iter().map(|piece| (Node::Expr(&piece.value), used)));
    }
    /// Whether all accesses of the variable are seen, and it keeps the sign of what it receives.
    fn keeps(&self, var: VarId) -> bool {
        let variable = &self.unit.vars[var];
        !variable.address_taken && !variable.is_volatile && is_wide(self.unit, variable.ty)
    }
    fn expr(&mut self, expr: &'a Expr, used: Use, stack: &mut Vec<(Node<'a>, Use)>) {
        match &expr.kind {
            ExprKind::Not(operand) => stack.push((Node::Expr(operand), Use::Sign)),
            ExprKind::Compare(_, left, right) => {
                let of_sign = |other: &Expr| if is_zero(other) { Use::Sign } else { Use::Full };
                stack.push((Node::Expr(left), of_sign(right)));
                stack.push((Node::Expr(right), of_sign(left)));
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                stack.extend([(Node::Expr(left), Use::Sign), (Node::Expr(right), Use::Sign)]);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                stack.push((Node::Expr(condition), Use::Sign));
                stack.extend([(Node::Expr(then), used), (Node::Expr(otherwise), used)]);
            }
            ExprKind::Elvis(first, otherwise) => {
                stack.extend([(Node::Expr(first), used), (Node::Expr(otherwise), used)]);
            }
            ExprKind::Comma(first, second) => {
                stack.extend([(Node::Expr(first), Use::Sign), (Node::Expr(second), used)]);
            }
            ExprKind::Cast(operand) => {
                let keeps_sign = match class(&self.unit.types, expr.ty) {
                    Class::Void | Class::Bool => Some(Use::Sign),
                    _ if is_wide(self.unit, expr.ty) => Some(used),
                    _ => None,
                };
                stack.push((Node::Expr(operand), keeps_sign.unwrap_or(Use::Full)));
            }
            ExprKind::StmtExpr(body, value) => {
                stack.extend(body.iter().map(|stmt| (Node::Stmt(stmt), Use::Sign)));
                stack.extend(value.iter().map(|value| (Node::Expr(value), used)));
            }
            ExprKind::Assign(Place { kind: PlaceKind::Var(var), .. }, value) if self.keeps(*var) => {
                let slot = Slot::Variable(self.unit.same_variable(*var));
                self.slot_used(slot, used);
                stack.push((Node::Expr(value), Use::Kept(slot)));
            }
            ExprKind::Read(Place { kind: PlaceKind::Var(var), .. }) => self.slot_used(Slot::Variable(*var), used),
            ExprKind::AssignOp { place, .. } | ExprKind::Increment { place, .. } => {
                if let PlaceKind::Var(var) = place.kind {
                    self.slot_used(Slot::Variable(var), Use::Full);
                }
                self.parts(Node::Expr(expr), Use::Full, stack);
            }
            ExprKind::Call { callee, args } => self.call(expr, callee, args, used, stack),
            ExprKind::Builtin(builtin, _) => {
                if open_builtin(*builtin).is_some() {
                    self.observed.calls.insert(expr, used);
                }
                self.parts(Node::Expr(expr), Use::Full, stack);
            }
            _ => self.parts(Node::Expr(expr), Use::Full, stack),
        }
    }
    fn call(
        &mut self,
        expr: &'a Expr,
        callee: &'a Callee,
        args: &'a [Expr],
        used: Use,
        stack: &mut Vec<(Node<'a>, Use)>,
    ) {
        match callee {
            Callee::Direct(function) => {
                let function = &self.unit.same_function(*function);
                let called = &self.unit.functions[*function];
                if called.body.is_some() {
                    self.slot_used(Slot::Result(*function), used);
                } else if open_result(&called.name).is_some() {
                    self.observed.calls.insert(expr, used);
                }
                for (index, arg) in args.iter().enumerate() {
                    let word = word_effect(self.unit, *function);
                    let used = match called.params.get(index) {
                        _ if called.body.is_none() && matches!(word, Some(WordEffect::Ends | WordEffect::Asserts)) => {
                            Use::Sign
                        }
                        Some(&param) if called.body.is_some() && self.keeps(param) => Use::Kept(Slot::Variable(param)),
                        _ => Use::Full,
                    };
                    stack.push((Node::Expr(arg), used));
                }
            }
            Callee::Pointer(pointer) => {
                self.observed.calls.insert(expr, used);
                self.slot_used(Slot::Called, used);
                stack.push((Node::Expr(pointer), Use::Full));
                stack.extend(args.iter().map(|arg| (Node::Expr(arg), Use::Full)));
            }
        }
    }
}

/// A signed number with at least the bits of `int`.
fn is_wide(unit: &Unit, ty: TypeId) -> bool {
    matches!(class(&unit.types, ty), Class::Int { width, signed: true } if width >= 32)
}
fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(value) => *value == 0,
        ExprKind::Cast(operand) => is_zero(operand),
        _ => false,
    }
}

impl Lowering<'_> {
    /// The result of a call of a library function; a choice if C leaves it open and the program looks at it.
    pub(super) fn open_call(&mut self, call: &Expr, function: FunctionId, value: Term) -> Term {
        let function = self.unit.same_function(function);
        let called = &self.unit.functions[function];
        match open_result(&called.name) {
            Some(open) if called.body.is_none() && self.is_observed(call) => {
                let ty = self.result_type(function);
                self.opened(value, open, &called.name, ty, call.span)
            }
            _ => value,
        }
    }
    /// Whether the program looks at more than the sign of the expression's value.
    pub(super) fn is_observed(&mut self, expr: &Expr) -> bool {
        let observed = self.observed.get_or_insert_with(|| Observed::from(self.unit, &self.reach));
        observed.is_full(expr)
    }
    /// A result as C leaves it, made from one that has the right sign.
    pub(super) fn opened(&mut self, canonical: Term, open: OpenResult, name: &str, ty: TypeId, span: Span) -> Term {
        let Class::Int { width, signed } = self.class(ty) else { return canonical };
        let kind = InputKind::Unspecified(format!("the value of `{name}`"));
        let (canonical, any) = self.keeping(canonical, |this| this.any_value(kind, ty, None, span));
        let zero = self.terms.bv(width, 0);
        let one = self.terms.bv(width, 1);
        let is_zero = self.terms.eq(canonical, zero);
        let any_zero = self.terms.eq(any, zero);
        let nonzero = self.terms.ite(any_zero, one, any);
        let value = if open == OpenResult::Sign && signed {
            let top = self.terms.bv(width, 1);
            let shift = self.terms.bv(width, u64::from(width - 1));
            let top = self.terms.bv_shl(top, shift);
            let rest = self.terms.bv_not(top);
            let negative = self.terms.bv_or(any, top);
            let magnitude = self.terms.bv_and(any, rest);
            let no_magnitude = self.terms.eq(magnitude, zero);
            let positive = self.terms.ite(no_magnitude, one, magnitude);
            let is_negative = self.terms.bv_slt(canonical, zero);
            self.terms.ite(is_negative, negative, positive)
        } else {
            nonzero
        };
        self.terms.ite(is_zero, zero, value)
    }
}
