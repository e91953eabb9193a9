//! Effects: which objects an expression or a call may read and write.
//!
//! A *spot* is a named variable, the memory behind a parameter of the function at hand, or memory behind any other
//! pointer. Memory is divided by the kind of scalar accessed and by the member of a structure, as the rules about
//! effective types allow; an access as characters or through a union may be any memory.
//! Where a pointer variable points is found by its *origin* (`origin`).
//!
//! The effects of a function are those of its body and of all functions it calls, with the memory behind its parameters
//! replaced by what the caller passes. Effects on automatic variables stay inside the call.

use std::rc::Rc;

use base::FastMap;
use base::maps::OrderedSet;

use crate::hir::{
    BinaryOp, Builtin, Expr, ExprKind, FunctionId, Place, PlaceKind, RecordTypeId, Stmt, StmtKind, StorageKind, TypeId,
    TypeKind, Unit, VarId,
};

use super::origin::{Origin, Origins};
use super::reach::Reach;
use super::summary::Body;
use super::types::{Class, class, size_of};
use super::walk::{Node, push_parts};
use crate::tuning::Tuning;

/// How names of what witnesses weave in begin.
const WOVEN: &str = "__uforia_";

/// Part of the memory that a program can access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Spot {
    /// Bits of a variable (bit-fields share bytes); the end is `WHOLE` if only the variable is known.
    Variable { var: VarId, first: u64, end: u64 },
    /// Memory behind a parameter of the function at hand.
    Parameter(u32, Shape),
    /// Memory behind some pointer.
    Memory(Shape),
    /// Memory that the function at hand has allocated itself.
    Fresh(Shape),
    /// Every variable and all memory.
    Everything,
}

/// The end of a range of bits that is not known.
pub(super) const WHOLE: u64 = u64::MAX;

/// What kind of scalar is accessed, and as which member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    /// Kinds of scalars, one bit each.
    pub kinds: u16,
    /// The structure and the first bit of the member in it.
    pub member: Option<(RecordTypeId, u64)>,
}

pub(super) const ANY_KIND: u16 = u16::MAX;

/// One access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Access {
    pub spot: Spot,
    pub is_write: bool,
    /// Inside a called function: sequenced before or after everything else, not interleaved with it.
    pub is_called: bool,
}

/// All accesses, and how a run can end.
#[derive(Clone, Default, Debug)]
pub(super) struct Effects {
    pub accesses: OrderedSet<Access>,
    /// The run may end here without error.
    pub ends: bool,
    /// The run may fail here: an error call, an assertion, an access that may be invalid, a division.
    pub fails: bool,
}

impl Effects {
    pub fn writes(&self) -> bool {
        self.accesses.iter().any(|access| access.is_write)
    }
    pub(super) fn size(&self) -> (usize, bool, bool) {
        (self.accesses.len(), self.ends, self.fails)
    }
    pub(super) fn add(&mut self, spot: Spot, is_write: bool, is_called: bool) {
        if self.accesses.len() < Tuning::DEFAULT.max_accesses {
            self.accesses.insert(Access { spot, is_write, is_called });
        } else {
            self.accesses.insert(Access { spot: Spot::Everything, is_write: true, is_called: true });
        }
    }
}

/// The effects of all that a program can reach, computed when asked for.
pub(super) struct Analysis<'a, 'r> {
    pub(super) unit: &'a Unit,
    pub(super) reach: &'r Reach,
    pub(super) is_error: &'r dyn Fn(FunctionId) -> bool,
    /// Variables whose address is used for more than to access them; found when first asked for.
    escaped: Option<FastMap<VarId, ()>>,
    pub(super) bodies: FastMap<FunctionId, Rc<Body>>,
    pub(super) summaries: FastMap<FunctionId, Rc<Effects>>,
    kinds: FastMap<TypeId, u16>,
}

impl<'a, 'r> Analysis<'a, 'r> {
    pub fn new(unit: &'a Unit, reach: &'r Reach, is_error: &'r dyn Fn(FunctionId) -> bool) -> Self {
        Analysis {
            unit,
            reach,
            is_error,
            escaped: None,
            bodies: FastMap::new(),
            summaries: FastMap::new(),
            kinds: FastMap::new(),
        }
    }

    // ---- escaping

    fn is_escaped(&mut self, var: VarId) -> bool {
        if self.escaped.is_none() {
            self.escaped = Some(self.find_escaped());
        }
        self.escaped.as_ref().is_some_and(|escaped| escaped.contains_key(&var))
    }
    fn find_escaped(&self) -> FastMap<VarId, ()> {
        let unit = self.unit;
        let mut escaped = FastMap::new();
        let mut stack: Vec<Node<'a>> = Vec::new();
        for &function in &self.reach.functions {
            stack.extend(unit.functions[function].body.iter().flatten().map(Node::Stmt));
        }
        for &var in &self.reach.statics {
            stack.extend(unit.vars[var].init.as_ref().map(Node::Init));
        }
        while let Some(node) = stack.pop() {
            match node {
                // An access through `a[i]` or `(&a)->m`: the parts, without the address itself.
                Node::Place(Place { kind: PlaceKind::Deref(pointer), .. }) => {
                    if let Some(base) = named_array(unit, pointer, &mut stack) {
                        push_parts(Node::Place(base), &mut stack);
                        continue;
                    }
                }
                Node::Expr(Expr { kind: ExprKind::AddressOf(place), .. }) => self.escape(place, &mut escaped),
                Node::Expr(Expr { kind: ExprKind::Read(place), .. })
                    if class(&unit.types, place.ty) == Class::Array =>
                {
                    self.escape(place, &mut escaped);
                }
                _ => {}
            }
            push_parts(node, &mut stack);
        }
        escaped
    }
    fn escape(&self, place: &Place, escaped: &mut FastMap<VarId, ()>) {
        let mut place = place;
        loop {
            match &place.kind {
                PlaceKind::Var(var) | PlaceKind::CompoundLiteral { var, .. } => {
                    escaped.insert(self.unit.same_variable(*var), ());
                    return;
                }
                PlaceKind::Field { base, .. } => place = base,
                PlaceKind::Deref(pointer) => match named_array(self.unit, pointer, &mut Vec::new()) {
                    Some(base) => place = base,
                    None => return,
                },
                PlaceKind::String(_) | PlaceKind::Temporary(_) => return,
            }
        }
    }

    // ---- conflicts

    /// Whether two accesses may touch the same bytes and one of them writes.
    pub fn conflict(&mut self, left: &Access, right: &Access) -> bool {
        (left.is_write || right.is_write) && self.overlap(left.spot, right.spot)
    }
    /// Whether two accesses certainly touch the same bits and one of them writes.
    pub fn certain_conflict(&self, left: &Access, right: &Access) -> bool {
        let (Spot::Variable { var, first, end }, Spot::Variable { var: other, first: begin, end: stop }) =
            (left.spot, right.spot)
        else {
            return false;
        };
        let is_known = end != WHOLE && stop != WHOLE;
        (left.is_write || right.is_write) && is_known && var == other && first < stop && begin < end
    }
    fn overlap(&mut self, left: Spot, right: Spot) -> bool {
        match (left, right) {
            (Spot::Everything, _) | (_, Spot::Everything) => true,
            (Spot::Variable { var, first, end }, Spot::Variable { var: other, first: begin, end: stop }) => {
                var == other && first < stop && begin < end
            }
            // A parameter points to what existed before the call, not to a variable of this call.
            (Spot::Variable { var, .. }, Spot::Parameter(..)) | (Spot::Parameter(..), Spot::Variable { var, .. })
                if self.is_automatic(var) =>
            {
                false
            }
            // New memory is neither a variable nor older than the call.
            (Spot::Fresh(_), Spot::Variable { .. } | Spot::Parameter(..))
            | (Spot::Variable { .. } | Spot::Parameter(..), Spot::Fresh(_)) => false,
            (Spot::Variable { var, .. }, Spot::Parameter(_, shape) | Spot::Memory(shape))
            | (Spot::Parameter(_, shape) | Spot::Memory(shape), Spot::Variable { var, .. }) => {
                self.is_escaped(var) && self.kinds_of(self.unit.vars[var].ty) & shape.kinds != 0
            }
            (
                Spot::Parameter(_, left) | Spot::Memory(left) | Spot::Fresh(left),
                Spot::Parameter(_, right) | Spot::Memory(right) | Spot::Fresh(right),
            ) => {
                left.kinds & right.kinds != 0
                    && match (left.member, right.member) {
                        (Some(left), Some(right)) => left == right,
                        _ => true,
                    }
            }
        }
    }
    pub(super) fn is_automatic(&self, var: VarId) -> bool {
        matches!(self.unit.vars[var].storage, StorageKind::Automatic | StorageKind::Parameter)
    }

    // ---- spots

    /// Kinds of scalars that lie in an object of this type.
    fn kinds_of(&mut self, ty: TypeId) -> u16 {
        if let Some(&kinds) = self.kinds.get(&ty) {
            return kinds;
        }
        let unit = self.unit;
        let kinds = match &unit.types.kinds[ty] {
            TypeKind::Array(element, _) | TypeKind::Vla(element, _) => self.kinds_of(*element),
            TypeKind::Record(record) if !unit.types.records[*record].is_union => {
                let fields = unit.types.records[*record].fields.iter().flatten();
                fields.fold(0, |kinds, field| kinds | self.kinds_of(field.ty))
            }
            TypeKind::Pointer { .. } => 1,
            TypeKind::Bool => 2,
            TypeKind::Float(kind) => 4 << (*kind as u16),
            TypeKind::Int(_) => match class(&unit.types, ty) {
                Class::Int { width: 8, .. } => ANY_KIND,
                Class::Int { width, .. } => 64 << (width / 32),
                _ => ANY_KIND,
            },
            _ => ANY_KIND,
        };
        self.kinds.insert(ty, kinds);
        kinds
    }
    /// What an access of a place touches; `None` if no other expression can access it.
    fn spot(&mut self, place: &'a Place, origins: &Origins) -> Option<Spot> {
        let unit = self.unit;
        let (mut member, mut in_union) = (None, false);
        let (mut offset, mut exact) = (0, true);
        let mut field = None;
        let mut at = place;
        loop {
            match &at.kind {
                PlaceKind::Field { base, offset: inner, bits } => {
                    if let TypeKind::Record(record) = unit.types.kinds[base.ty] {
                        in_union |= unit.types.records[record].is_union;
                        let bit = inner * 8 + bits.map_or(0, |bits| u64::from(bits.first));
                        member = member.or(Some((record, bit)));
                    }
                    // Neighbouring bit-fields share bytes, and each is written without harm to the others.
                    field = field.or(*bits);
                    offset += inner;
                    at = base;
                }
                // What a witness weaves in speaks of the order that a run takes, and does not make it matter.
                PlaceKind::Var(var) if unit.vars[*var].name.starts_with(WOVEN) => return None,
                PlaceKind::Var(var) | PlaceKind::CompoundLiteral { var, .. } => {
                    let size = size_of(&unit.types, place.ty);
                    let (start, length) = field
                        .map_or((0, size.saturating_mul(8)), |bits| (u64::from(bits.first), u64::from(bits.width)));
                    let first = u64::saturating_mul(offset, 8).saturating_add(start);
                    let (first, end) =
                        if exact && size > 0 { (first, first.saturating_add(length)) } else { (0, WHOLE) };
                    return Some(Spot::Variable { var: unit.same_variable(*var), first, end });
                }
                PlaceKind::Deref(pointer) => {
                    if let Some(array) = named_array(unit, pointer, &mut Vec::new()) {
                        exact = false;
                        at = array;
                        continue;
                    }
                    let kinds = if in_union { ANY_KIND } else { self.kinds_of(place.ty) };
                    let shape = Shape { kinds, member: member.filter(|_| !in_union && kinds != ANY_KIND) };
                    return match self.origin(pointer, origins) {
                        Origin::Variable(var) => Some(Spot::Variable { var, first: 0, end: WHOLE }),
                        Origin::Parameter(index) => Some(Spot::Parameter(index, shape)),
                        Origin::Fresh => Some(Spot::Fresh(shape)),
                        Origin::Unknown => Some(Spot::Memory(shape)),
                    };
                }
                PlaceKind::String(_) | PlaceKind::Temporary(_) => return None,
            }
        }
    }
    // ---- accesses of nodes

    /// Adds what this node does itself, without its parts.
    pub fn node_effects(&mut self, node: Node<'a>, origins: &Origins, effects: &mut Effects) {
        let unit = self.unit;
        match node {
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Read(place)
                    if !place.is_volatile
                        && !matches!(class(&unit.types, place.ty), Class::Array | Class::Function) =>
                {
                    self.place_access(place, false, origins, effects);
                }
                ExprKind::Assign(place, _) => self.place_access(place, true, origins, effects),
                ExprKind::AssignOp { place, .. }
                | ExprKind::AssignPtrAdd { place, .. }
                | ExprKind::Increment { place, .. } => {
                    self.place_access(place, false, origins, effects);
                    self.place_access(place, true, origins, effects);
                }
                ExprKind::VaArg(place) | ExprKind::VaStart(place) => {
                    if let Some(spot) = self.spot(place, origins) {
                        effects.add(spot, true, true);
                    }
                }
                ExprKind::VaCopy(to, from) => {
                    self.place_access(to, true, origins, effects);
                    self.place_access(from, false, origins, effects);
                }
                ExprKind::Call { callee, args } => {
                    let site = self.site(callee, args, origins);
                    self.site_effects(&site, effects);
                }
                ExprKind::Builtin(Builtin::Trap | Builtin::Unreachable, _) => effects.ends = true,
                ExprKind::Builtin(Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow, args) => {
                    if let Some(pointer) = args.get(2) {
                        let shape = Shape { kinds: ANY_KIND, member: None };
                        self.pointer_access(self.origin(pointer, origins), shape, effects);
                    }
                }
                ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
                    effects.fails |= !matches!(divisor.kind, ExprKind::Integer(_));
                }
                _ => {}
            },
            Node::Place(Place { kind: PlaceKind::CompoundLiteral { var, .. }, .. }) => {
                effects.add(Spot::Variable { var: *var, first: 0, end: WHOLE }, true, false);
            }
            Node::Stmt(stmt) => {
                effects.ends |= never_ends(stmt);
                if let StmtKind::Asm { outputs, memory, inputs, writes_memory, .. } = &stmt.kind {
                    for output in outputs {
                        self.place_access(output, true, origins, effects);
                    }
                    let shape = Shape { kinds: ANY_KIND, member: None };
                    let reached = inputs.iter().filter(|_| *writes_memory);
                    for address in memory.iter().chain(reached).filter(|input| unit.types.is_pointer(input.ty)) {
                        self.pointer_access(self.origin(address, origins), shape, effects);
                    }
                }
            }
            Node::Place(_) | Node::Init(_) => {}
        }
    }
    fn place_access(&mut self, place: &'a Place, is_write: bool, origins: &Origins, effects: &mut Effects) {
        let mut root = place;
        while let PlaceKind::Field { base, .. } = &root.kind {
            root = base;
        }
        effects.fails |= matches!(root.kind, PlaceKind::Deref(_));
        if let Some(spot) = self.spot(place, origins) {
            effects.add(spot, is_write, false);
        }
    }
    pub(super) fn pointer_access(&self, origin: Origin, shape: Shape, effects: &mut Effects) {
        let spot = match origin {
            Origin::Variable(var) => Spot::Variable { var, first: 0, end: WHOLE },
            Origin::Parameter(index) => Spot::Parameter(index, shape),
            Origin::Fresh => Spot::Fresh(shape),
            Origin::Unknown => Spot::Memory(shape),
        };
        effects.add(spot, true, true);
    }
    /// Everything that a subtree does.
    pub fn tree_effects(&mut self, root: Node<'a>, origins: &Origins) -> Effects {
        let mut effects = Effects::default();
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            self.node_effects(node, origins, &mut effects);
            push_parts(node, &mut stack);
        }
        effects
    }
}

/// The named array or structure that a pointer expression such as `a`, `a + i` or `&s` points into, and the indices.
fn named_array<'e>(unit: &Unit, pointer: &'e Expr, indices: &mut Vec<Node<'e>>) -> Option<&'e Place> {
    let mut pointer = pointer;
    let before = indices.len();
    loop {
        match &pointer.kind {
            ExprKind::PtrAdd { pointer: inner, index, .. } => {
                indices.push(Node::Expr(index));
                pointer = inner;
            }
            ExprKind::Cast(inner) if matches!(class(&unit.types, inner.ty), Class::Pointer | Class::Array) => {
                pointer = inner;
            }
            ExprKind::AddressOf(place) => return Some(place),
            ExprKind::Read(place) if class(&unit.types, place.ty) == Class::Array => return Some(place),
            _ => {
                indices.truncate(before);
                return None;
            }
        }
    }
}

/// Whether the statement is a loop that is never left.
fn never_ends(stmt: &Stmt) -> bool {
    let body = match &stmt.kind {
        StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
            if !matches!(condition.kind, ExprKind::Integer(value) if value != 0) {
                return false;
            }
            body
        }
        StmtKind::For { condition, body, .. } => match condition {
            Some(Expr { kind: ExprKind::Integer(0), .. }) => return false,
            Some(Expr { kind: ExprKind::Integer(_), .. }) | None => body,
            Some(_) => return false,
        },
        _ => return false,
    };
    let mut stack: Vec<Node<'_>> = body.iter().map(Node::Stmt).collect();
    while let Some(node) = stack.pop() {
        if let Node::Stmt(stmt) = node
            && matches!(
                stmt.kind,
                StmtKind::Break | StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoComputed(_)
            )
        {
            return false;
        }
        push_parts(node, &mut stack);
    }
    true
}
