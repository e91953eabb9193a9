//! Order of evaluation: where C leaves it open and the effects conflict.
//!
//! An expression is cut into *regions* at the sequence points of `&&`, `||`, `?:`, `,` and statement expressions. Inside
//! a region, C orders an operator after its operands and a call after its arguments, and nothing else. The reads,
//! calls and side effects of a region are its *items*; two items conflict if neither contains the other and one
//! may write what the other accesses.
//!
//! * Two accesses outside of calls that certainly conflict are unsequenced: undefined behaviour, refused with its place.
//! * Any other conflict is a choice: the items involved become *units* of a plan, and lowering lets an unspecified input choose the
//!   order of the units (`schedule`). The rest of the region is evaluated in our fixed order, which nothing can notice.
//! * Where the orders are too many, or items may be interleaved, the region is *watched*: it is lowered in our fixed order, and the
//!   shadow run of the interpreter shows whether the accesses of two items really conflict (`watch`).
//!
//! A compound assignment reads the old value as an item of its own, because the value of `x` in `x += f()` may be read
//! before the call. The expressions of an initialiser list are sequenced in any order, each as a whole.

use std::rc::Rc;

use base::FastMap;

use crate::ast::Span;
use crate::hir::{Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind, Unit, VarId};

use super::effects::{Access, Analysis, Effects, Spot};
use super::origin::Origins;
use super::reach::Reach;
use super::types::{Class, class};
use super::walk::{Node, push_parts};
use super::watch::{Watched, WatchedOperand, WatchedRegion};
use crate::tuning::Tuning;

/// Something that is evaluated at a time of its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum UnitKind<'a> {
    /// The expression as a whole, except for the units inside.
    Value(&'a Expr),
    /// The old value of the place of a compound assignment.
    Old(&'a Expr, &'a Place),
}

/// One unit, and the units that must come before it.
#[derive(Debug)]
pub(super) struct PlanUnit<'a> {
    pub kind: UnitKind<'a>,
    pub before: Vec<usize>,
}

/// Units of one region that may be evaluated in any order that respects `before`.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    pub units: Vec<PlanUnit<'a>>,
    /// The whole region.
    pub span: Span,
    /// Whether a shadow run sees all accesses that may conflict.
    pub is_visible: bool,
    /// Whether an operand may end the run.
    pub ends: bool,
}

/// The plans of a program, by the expression or initialiser at the top of the region.
#[derive(Default, Debug)]
pub(super) struct Plans<'a> {
    pub by_expr: FastMap<*const Expr, Rc<Plan<'a>>>,
    pub by_init: FastMap<*const Init, Rc<Plan<'a>>>,
    /// What is refused: the place and the reason.
    pub refused: Vec<(Span, String)>,
    /// Regions that are watched.
    pub watched: Watched,
}

/// Finds the regions with conflicts in all functions that are reached.
pub(super) fn plan<'a>(unit: &'a Unit, reach: &Reach, is_error: &dyn Fn(FunctionId) -> bool) -> Plans<'a> {
    let mut planner = Planner { analysis: Analysis::new(unit, reach, is_error), plans: Plans::default() };
    for &function in &reach.functions {
        if let Some(body) = &unit.functions[function].body {
            planner.function(function, body);
        }
    }
    planner.plans
}

/// A read, a call, a side effect, or an operand with sequence points inside.
struct Item<'a> {
    what: What<'a>,
    effects: Effects,
    /// The nearest item that contains this one and comes after it.
    parent: Option<usize>,
    /// Whether it can have an effect at all, by its syntax.
    is_effectful: bool,
}

#[derive(Clone, Copy)]
enum What<'a> {
    Unit(UnitKind<'a>),
    /// The initialiser of a compound literal.
    Literal(&'a Place),
}

impl<'a> What<'a> {
    fn expr(self) -> Option<&'a Expr> {
        match self {
            What::Unit(UnitKind::Value(expr)) => Some(expr),
            What::Unit(UnitKind::Old(..)) | What::Literal(_) => None,
        }
    }
    fn is_call(self) -> bool {
        self.expr().is_some_and(|expr| matches!(expr.kind, ExprKind::Call { .. }))
    }
    fn is_sequenced(self) -> bool {
        self.is_call() || self.has_sequence_points()
    }
    fn has_sequence_points(self) -> bool {
        matches!(self, What::Literal(_)) || self.expr().is_some_and(has_sequence_points)
    }
    fn span(self) -> Span {
        match self {
            What::Unit(UnitKind::Value(expr)) => expr.span,
            What::Unit(UnitKind::Old(_, place)) | What::Literal(place) => place.span,
        }
    }
    fn node(self) -> Node<'a> {
        match self {
            What::Unit(UnitKind::Value(expr) | UnitKind::Old(expr, _)) => Node::Expr(expr),
            What::Literal(place) => Node::Place(place),
        }
    }
}

/// Parts of the program still to be looked at.
enum Part<'a> {
    Stmt(&'a Stmt),
    Init(&'a Init),
    Region(&'a Expr),
}

struct Planner<'a, 'r> {
    analysis: Analysis<'a, 'r>,
    plans: Plans<'a>,
}

impl<'a> Planner<'a, '_> {
    fn function(&mut self, function: FunctionId, body: &'a [Stmt]) {
        let mut parts: Vec<Part<'a>> = body.iter().map(Part::Stmt).collect();
        let mut nodes = Vec::new();
        while let Some(part) = parts.pop() {
            match part {
                Part::Stmt(stmt) => {
                    push_parts(Node::Stmt(stmt), &mut nodes);
                    for node in nodes.drain(..) {
                        match node {
                            Node::Stmt(stmt) => parts.push(Part::Stmt(stmt)),
                            Node::Expr(expr) => parts.push(Part::Region(expr)),
                            Node::Init(init) => parts.push(Part::Init(init)),
                            Node::Place(_) => {}
                        }
                    }
                }
                Part::Init(init) => {
                    parts.extend(init.pieces.iter().map(|piece| Part::Region(&piece.value)));
                    self.initialiser(function, init);
                }
                Part::Region(expr) => self.region(function, expr, &mut parts),
            }
        }
    }

    // ---- regions

    fn region(&mut self, function: FunctionId, root: &'a Expr, parts: &mut Vec<Part<'a>>) {
        let mut items: Vec<Item<'a>> = Vec::new();
        let mut stack = vec![(Node::Expr(root), None)];
        let mut nodes = Vec::new();
        while let Some((node, parent)) = stack.pop() {
            let mut inner = parent;
            if let Some(what) = item_of(node) {
                let is_effectful = is_effectful(what, node);
                inner = Some(items.len());
                items.push(Item { what, effects: Effects::default(), parent, is_effectful });
                if let Node::Expr(Expr {
                    kind: ExprKind::AssignOp { place, .. } | ExprKind::AssignPtrAdd { place, .. },
                    ..
                }) = node
                    && let Some(expr) = what.expr()
                {
                    let what = What::Unit(UnitKind::Old(expr, place));
                    items.push(Item { what, effects: Effects::default(), parent: inner, is_effectful: false });
                }
                if what.has_sequence_points() {
                    inner_regions(what, parts, &mut nodes);
                    continue;
                }
            }
            push_parts(node, &mut nodes);
            stack.extend(nodes.drain(..).map(|node| (node, inner)));
        }
        let n_effectful = items.iter().filter(|item| item.is_effectful).count();
        let is_unordered = |effect: usize| {
            (0..items.len())
                .any(|other| other != effect && !contains(&items, effect, other) && !contains(&items, other, effect))
        };
        if n_effectful > 1 || (0..items.len()).any(|index| items[index].is_effectful && is_unordered(index)) {
            self.effects_of(function, &mut items);
            self.conflicts(root, function, &items);
        }
    }
    fn effects_of(&mut self, function: FunctionId, items: &mut [Item<'a>]) {
        let origins = self.analysis.origins(function);
        for item in items {
            item.effects = match item.what {
                What::Unit(UnitKind::Value(expr)) if has_sequence_points(expr) => {
                    self.analysis.tree_effects(Node::Expr(expr), &origins)
                }
                What::Literal(place) => self.analysis.tree_effects(Node::Place(place), &origins),
                What::Unit(UnitKind::Old(..)) => {
                    let mut effects = Effects::default();
                    self.analysis.node_effects(item.what.node(), &origins, &mut effects);
                    effects.accesses.retain(|access| !access.is_write);
                    effects
                }
                What::Unit(UnitKind::Value(_)) => {
                    let mut effects = Effects::default();
                    self.analysis.node_effects(item.what.node(), &origins, &mut effects);
                    effects
                }
            };
        }
    }

    fn conflicts(&mut self, root: &'a Expr, function: FunctionId, items: &[Item<'a>]) {
        let mut is_unit = vec![false; items.len()];
        let (mut interleaved, mut is_visible) = (false, true);
        for (index, item) in items.iter().enumerate() {
            if !(item.effects.writes() || item.effects.ends) {
                continue;
            }
            for (other_index, other) in items.iter().enumerate() {
                let both_effectful = other.effects.writes() || other.effects.ends;
                if other_index == index || (both_effectful && other_index < index) {
                    continue;
                }
                if contains(items, index, other_index) || contains(items, other_index, index) {
                    self.nested_writes(items, index, other_index);
                    continue;
                }
                match self.relation(&item.effects, &other.effects) {
                    Relation::Independent => {}
                    Relation::Undefined => {
                        return self.refuse(root.span, "unsequenced effects on the same object (undefined behaviour)");
                    }
                    Relation::Choice => {
                        interleaved = interleaved
                            || self.is_interleaved(function, item, other)
                            || self.is_interleaved(function, other, item);
                        is_visible = is_visible && self.is_visible(&item.effects, &other.effects);
                        is_unit[index] = true;
                        is_unit[other_index] = true;
                    }
                }
            }
        }
        if !is_unit.contains(&true) {
            return;
        }
        match self.plan_of(root, items, &is_unit).filter(|_| !interleaved) {
            Some(plan) => {
                let ends = items.iter().any(|item| item.effects.ends);
                self.plans.by_expr.insert(root, Rc::new(Plan { is_visible, ends, ..plan }));
            }
            None => self.watch(root, items),
        }
    }
    /// A side effect inside the operands of an assignment to the same object is not sequenced before the assignment.
    fn nested_writes(&mut self, items: &[Item<'a>], left: usize, right: usize) {
        let (outer, inner) = if contains(items, left, right) { (left, right) } else { (right, left) };
        let stores = |item: &Item<'a>| {
            item.what.expr().is_some_and(|expr| {
                matches!(
                    expr.kind,
                    ExprKind::Assign(..)
                        | ExprKind::AssignOp { .. }
                        | ExprKind::AssignPtrAdd { .. }
                        | ExprKind::Increment { .. }
                )
            })
        };
        if !stores(&items[outer]) || !stores(&items[inner]) {
            return;
        }
        // A call in between is a sequence point.
        let mut at = items[inner].parent;
        while let Some(parent) = at {
            if parent == outer {
                break;
            }
            if items[parent].what.is_call() {
                return;
            }
            at = items[parent].parent;
        }
        let writes = |item: &Item<'a>| -> Vec<Access> {
            item.effects.accesses.iter().copied().filter(|access| access.is_write).collect()
        };
        let same = writes(&items[outer])
            .iter()
            .any(|outer| writes(&items[inner]).iter().any(|inner| self.analysis.certain_conflict(outer, inner)));
        if same {
            self.refuse(items[outer].what.span(), "unsequenced effects on the same object (undefined behaviour)");
        }
    }
    fn relation(&mut self, left: &Effects, right: &Effects) -> Relation {
        let mut relation = Relation::Independent;
        if (left.ends && right.fails) || (left.fails && right.ends) {
            relation = Relation::Choice;
        }
        for one in &left.accesses {
            for other in &right.accesses {
                if !self.analysis.conflict(one, other) {
                    continue;
                }
                let is_direct = !one.is_called && !other.is_called;
                if is_direct && self.analysis.certain_conflict(one, other) {
                    return Relation::Undefined;
                }
                relation = Relation::Choice;
            }
        }
        relation
    }
    /// Whether a shadow run sees every two accesses of these that conflict: memory is seen, and accesses by name that are not inside a call.
    fn is_visible(&mut self, left: &Effects, right: &Effects) -> bool {
        let unit = self.analysis.unit;
        let is_seen = |access: &Access| match access.spot {
            Spot::Variable { var, .. } if !access.is_called => {
                !is_register(unit, var) || self.analysis.is_automatic(var)
            }
            Spot::Variable { var, .. } => !is_register(unit, var),
            Spot::Everything => false,
            Spot::Parameter(..) | Spot::Memory(_) | Spot::Fresh(_) => true,
        };
        let seen: [Vec<bool>; 2] = [left, right].map(|effects| effects.accesses.iter().map(is_seen).collect());
        for (one, &one_seen) in left.accesses.iter().zip(&seen[0]) {
            for (other, &other_seen) in right.accesses.iter().zip(&seen[1]) {
                if !(one_seen && other_seen) && self.analysis.conflict(one, other) {
                    return false;
                }
            }
        }
        true
    }
    /// Whether the other item may run between two conflicting parts of this one.
    fn is_interleaved(&mut self, function: FunctionId, item: &Item<'a>, other: &Item<'a>) -> bool {
        match item.what {
            What::Unit(UnitKind::Value(expr)) if has_sequence_points(expr) => {
                let origins = self.analysis.origins(function);
                self.weight(Node::Expr(expr), &origins, &other.effects) > 1
            }
            What::Literal(_) => true,
            What::Unit(_) => false,
        }
    }
    /// How many parts on one way through a subtree conflict with these effects.
    fn weight(&mut self, root: Node<'a>, origins: &Origins, other: &Effects) -> usize {
        let mut stack = vec![root];
        let mut weight = 0;
        let mut parts = Vec::new();
        while let Some(node) = stack.pop() {
            let mut own = Effects::default();
            self.analysis.node_effects(node, origins, &mut own);
            // Statements may be repeated.
            weight += usize::from(matches!(node, Node::Stmt(_)));
            weight += usize::from(!matches!(self.relation(&own, other), Relation::Independent));
            if let Node::Expr(Expr { kind: ExprKind::Conditional(condition, then, otherwise), .. }) = node {
                let arms = [then, otherwise].map(|arm| self.weight(Node::Expr(arm), origins, other));
                weight += arms[0].max(arms[1]);
                stack.push(Node::Expr(condition));
                continue;
            }
            push_parts(node, &mut parts);
            stack.append(&mut parts);
        }
        weight
    }

    // ---- initialisers

    /// The expressions of an initialiser list, each as a whole.
    fn initialiser(&mut self, function: FunctionId, init: &'a Init) {
        let pieces: Vec<&'a Expr> = init.pieces.iter().map(|piece| &piece.value).collect();
        let effectful = |expr: &&&Expr| may_have_effects(Node::Expr(expr));
        if pieces.len() < 2 || pieces.iter().filter(effectful).count() == 0 {
            return;
        }
        let origins = self.analysis.origins(function);
        let effects: Vec<Effects> =
            pieces.iter().map(|piece| self.analysis.tree_effects(Node::Expr(piece), &origins)).collect();
        let mut is_unit = vec![false; pieces.len()];
        let mut is_visible = true;
        for left in 0..pieces.len() {
            if !(effects[left].writes() || effects[left].ends) {
                continue;
            }
            for right in 0..pieces.len() {
                if left != right && !matches!(self.relation(&effects[left], &effects[right]), Relation::Independent) {
                    is_visible = is_visible && self.is_visible(&effects[left], &effects[right]);
                    is_unit[left] = true;
                    is_unit[right] = true;
                }
            }
        }
        let units: Vec<PlanUnit<'a>> = (0..pieces.len())
            .filter(|&index| is_unit[index])
            .map(|index| PlanUnit { kind: UnitKind::Value(pieces[index]), before: Vec::new() })
            .collect();
        if units.is_empty() {
            return;
        }
        let span = Span { start: pieces[0].span.start, end: pieces[pieces.len() - 1].span.end };
        let ends = effects.iter().any(|effects| effects.ends);
        match checked(Plan { units, span, is_visible, ends }) {
            Some(plan) => {
                self.plans.by_init.insert(init, Rc::new(plan));
            }
            None => {
                let region = self.watched_region(span, &effects);
                self.plans.watched.by_init.insert(init, region);
                for (index, &piece) in pieces.iter().enumerate() {
                    let operand = WatchedOperand { number: index as u32 + 1, parent: 0, sequenced: true };
                    self.plans.watched.pieces.insert(piece, operand);
                }
            }
        }
    }

    // ---- plans

    /// The plan of these units, unless they cannot be lowered in any order.
    fn plan_of(&self, root: &'a Expr, items: &[Item<'a>], is_unit: &[bool]) -> Option<Plan<'a>> {
        let mut members: Vec<usize> = (0..items.len()).filter(|&index| is_unit[index]).collect();
        // The first order is that of compilers, which read the old value of a compound assignment last.
        members.sort_by_key(|&index| matches!(items[index].what, What::Unit(UnitKind::Old(..))));
        let mut units = Vec::new();
        for &index in &members {
            let What::Unit(kind) = items[index].what else { return None };
            if let UnitKind::Old(_, place) = kind
                && may_have_effects(Node::Place(place))
            {
                return None;
            }
            // An old value is read behind the operands of its place.
            let in_place = match kind {
                UnitKind::Old(_, place) => expressions_in(place),
                UnitKind::Value(_) => FastMap::new(),
            };
            let is_before = |other: usize| {
                contains(items, index, other)
                    || items[other].what.expr().is_some_and(|expr| in_place.contains_key(&(expr as *const Expr)))
            };
            let before = members.iter().enumerate().filter(|&(_, &other)| is_before(other));
            units.push(PlanUnit { kind, before: before.map(|(position, _)| position).collect() });
        }
        checked(Plan { units, span: root.span, is_visible: false, ends: false })
    }
    /// The region is lowered in our order, and runs show whether the order matters.
    fn watch(&mut self, root: &'a Expr, items: &[Item<'a>]) {
        let effects: Vec<Effects> = items.iter().map(|item| item.effects.clone()).collect();
        let region = self.watched_region(root.span, &effects);
        let watched = &mut self.plans.watched;
        watched.by_expr.insert(root, region);
        for (index, item) in items.iter().enumerate() {
            let number = |index: usize| index as u32 + 1;
            let operand = WatchedOperand {
                number: number(index),
                parent: item.parent.map_or(0, number),
                sequenced: item.what.is_sequenced(),
            };
            match item.what {
                What::Unit(UnitKind::Value(expr)) => {
                    watched.operands.insert(expr, operand);
                }
                What::Unit(UnitKind::Old(_, place)) => {
                    watched.old_values.insert(place, operand);
                }
                What::Literal(place) => {
                    watched.literals.insert(place, operand);
                }
            }
        }
    }
    /// A watched region; static variables that its operands write live in memory, where accesses inside of calls are seen.
    fn watched_region(&mut self, span: Span, effects: &[Effects]) -> WatchedRegion {
        for access in effects.iter().flat_map(|effects| &effects.accesses).filter(|access| access.is_write) {
            match access.spot {
                Spot::Variable { var, .. } if !self.analysis.is_automatic(var) => {
                    self.plans.watched.in_memory.insert(var, ());
                }
                Spot::Everything => self.plans.watched.all_in_memory = true,
                _ => {}
            }
        }
        WatchedRegion { span, ends: effects.iter().any(|effects| effects.ends) }
    }
    fn refuse(&mut self, span: Span, what: &str) {
        self.plans.refused.push((span, what.to_owned()));
    }
}

impl Plan<'_> {
    /// The unit as an operand that is watched.
    pub fn operand(&self, unit: usize) -> WatchedOperand {
        // The nearest unit that contains this one has the fewest units inside.
        let around = (0..self.units.len()).filter(|&other| self.units[other].before.contains(&unit));
        let parent = around.min_by_key(|&other| self.units[other].before.len());
        WatchedOperand {
            number: unit as u32 + 1,
            parent: parent.map_or(0, |parent| parent as u32 + 1),
            sequenced: What::Unit(self.units[unit].kind).is_sequenced(),
        }
    }
}

impl<'a> UnitKind<'a> {
    fn node(self) -> Node<'a> {
        match self {
            UnitKind::Value(expr) => Node::Expr(expr),
            UnitKind::Old(_, place) => Node::Place(place),
        }
    }
}

/// Whether the variable is one of the program, not memory.
fn is_register(unit: &Unit, var: VarId) -> bool {
    !unit.vars[var].address_taken && !matches!(class(&unit.types, unit.vars[var].ty), Class::Record | Class::Array)
}

/// The plan, if the units can be lowered several times and are not too many.
fn checked(plan: Plan<'_>) -> Option<Plan<'_>> {
    if plan.units.len() > Tuning::DEFAULT.max_ordered_operands {
        return None;
    }
    let mut stack: Vec<Node<'_>> = plan.units.iter().map(|unit| unit.kind.node()).collect();
    while let Some(node) = stack.pop() {
        if let Node::Stmt(Stmt { kind: StmtKind::Label(_) | StmtKind::Case(_), .. }) = node {
            return None;
        }
        push_parts(node, &mut stack);
    }
    Some(plan)
}

/// How the effects of two items that C does not order relate.
enum Relation {
    /// No order can be noticed.
    Independent,
    /// The order matters.
    Choice,
    /// Unsequenced accesses that certainly conflict.
    Undefined,
}

/// Whether the second item is inside the first.
fn contains(items: &[Item<'_>], outer: usize, inner: usize) -> bool {
    let mut at = items[inner].parent;
    while let Some(parent) = at {
        if parent == outer {
            return true;
        }
        at = items[parent].parent;
    }
    false
}

/// The item that a node is, if it is one.
fn item_of(node: Node<'_>) -> Option<What<'_>> {
    match node {
        Node::Expr(expr) => match &expr.kind {
            ExprKind::Read(_)
            | ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtrAdd { .. }
            | ExprKind::Increment { .. }
            | ExprKind::Call { .. }
            | ExprKind::VaArg(_)
            | ExprKind::VaStart(_)
            | ExprKind::VaCopy(..)
            | ExprKind::Builtin(..) => Some(What::Unit(UnitKind::Value(expr))),
            _ if has_sequence_points(expr) => Some(What::Unit(UnitKind::Value(expr))),
            _ => None,
        },
        Node::Place(place) => match place.kind {
            PlaceKind::CompoundLiteral { .. } => Some(What::Literal(place)),
            _ => None,
        },
        Node::Stmt(_) | Node::Init(_) => None,
    }
}
fn has_sequence_points(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Conditional(..)
            | ExprKind::Elvis(..)
            | ExprKind::Comma(..)
            | ExprKind::StmtExpr(..)
    )
}
fn is_effectful(what: What<'_>, node: Node<'_>) -> bool {
    if what.has_sequence_points() { may_have_effects(node) } else { has_effect(node) }
}
/// Whether the node itself can write, call or end the run.
fn has_effect(node: Node<'_>) -> bool {
    match node {
        Node::Expr(expr) => matches!(
            expr.kind,
            ExprKind::Call { .. }
                | ExprKind::Assign(..)
                | ExprKind::AssignOp { .. }
                | ExprKind::AssignPtrAdd { .. }
                | ExprKind::Increment { .. }
                | ExprKind::VaArg(_)
                | ExprKind::VaStart(_)
                | ExprKind::VaCopy(..)
                | ExprKind::Builtin(..)
        ),
        Node::Stmt(_) => true,
        Node::Place(_) | Node::Init(_) => false,
    }
}
/// All expressions that a place is made of.
fn expressions_in(place: &Place) -> FastMap<*const Expr, ()> {
    let mut found = FastMap::new();
    let mut stack = vec![Node::Place(place)];
    while let Some(node) = stack.pop() {
        if let Node::Expr(expr) = node {
            found.insert(expr as *const Expr, ());
        }
        push_parts(node, &mut stack);
    }
    found
}
fn may_have_effects(root: Node<'_>) -> bool {
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if has_effect(node) {
            return true;
        }
        push_parts(node, &mut stack);
    }
    false
}
/// The regions between the sequence points of an item.
fn inner_regions<'a>(what: What<'a>, parts: &mut Vec<Part<'a>>, nodes: &mut Vec<Node<'a>>) {
    push_parts(what.node(), nodes);
    for node in nodes.drain(..) {
        match node {
            Node::Expr(expr) => parts.push(Part::Region(expr)),
            Node::Stmt(stmt) => parts.push(Part::Stmt(stmt)),
            Node::Init(init) => parts.push(Part::Init(init)),
            Node::Place(_) => {}
        }
    }
}
