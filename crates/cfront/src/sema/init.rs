//! Initialisers: from nested braces, designators and elided braces to flat pieces with offsets.
//!
//! A braced list is read through a cursor. Each aggregate takes items for its elements in order; an
//! element that is itself an aggregate takes a braced list, a whole value, or (braces elided) goes on
//! reading from the same cursor. A designator moves the position of the innermost braced list, and
//! reading goes on behind the element it names. Nothing is built for elements without an initialiser, so
//! a large array with few items stays small, and a range is one piece with a count.

use super::Sema;
use super::convert::{Value, Why};
use super::layout::LARGEST_OBJECT;
use super::types::Ty;
use crate::ast::{self, Designator, Encoding, ExprId, Init as AstInit, InitItem, Span};
use crate::hir::{
    BitRange, Expr, ExprKind, Field, Init, InitPiece, PlaceKind, RecordTypeId, StorageKind, TypeId, TypeKind,
};

/// What an initialiser amounts to.
pub(super) struct Initialised {
    /// The declared type, with the length of the array if the initialiser decided it.
    pub ty: TypeId,
    /// The type of the object: larger if a flexible array member was initialised.
    pub object: TypeId,
    /// The pieces.
    pub init: Init,
}

/// Part of an object that is to be filled.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub ty: TypeId,
    pub offset: u64,
    pub bits: Option<BitRange>,
}

/// The items of a braced list and how far they are read.
struct Cursor<'a> {
    items: &'a [InitItem],
    next: usize,
    /// The value of the next item, if it had to be looked at before its place was known.
    analysed: Option<Expr>,
    /// The designators of the next item have been followed.
    path_done: bool,
    excess_reported: bool,
}

impl<'a> Cursor<'a> {
    fn new(items: &'a [InitItem]) -> Self {
        Cursor { items, next: 0, analysed: None, path_done: false, excess_reported: false }
    }
    fn peek(&self) -> Option<&'a InitItem> {
        self.items.get(self.next)
    }
    fn advance(&mut self) {
        self.next += 1;
        self.analysed = None;
        self.path_done = false;
    }
}

/// The pieces so far.
pub(super) struct Filling {
    pub pieces: Vec<InitPiece>,
    /// Nothing lies behind this offset.
    pub end: u64,
    pub is_static: bool,
    /// For each union (by offset and type) the member that was initialised last.
    pub union_members: Vec<(u64, RecordTypeId, usize)>,
    /// Elements of the flexible array member.
    pub flexible: u64,
}

/// Where a designator leads.
struct Step {
    position: u64,
    count: u64,
    /// The name belongs to a member of the anonymous member at `position`.
    deeper: bool,
}

impl<'a> Sema<'a> {
    /// Reads the initialiser of an object of this type.
    pub(super) fn initialiser(&mut self, ty: Ty, init: &'a AstInit, storage: StorageKind) -> Initialised {
        let is_static = matches!(storage, StorageKind::Static | StorageKind::Thread);
        let mut filling = Filling { pieces: Vec::new(), end: 0, is_static, union_members: Vec::new(), flexible: 0 };
        let target = Target { ty: ty.id, offset: 0, bits: None };
        let reached = match init {
            AstInit::List(items, span) => self.fill_braced(target, items, *span, &mut filling),
            AstInit::Expr(id) => self.fill_whole(target, *id, &mut filling),
        };
        let mut ty = ty.id;
        if let TypeKind::Array(element, None) = *self.unit.types.kind(ty) {
            ty = self.unit.types.intern(TypeKind::Array(element, Some(reached)));
        }
        let object = if filling.flexible > 0 { self.grown(ty, filling.flexible) } else { ty };
        if filling.flexible > 0 && !is_static {
            let span = self.init_span(init);
            self.error(span, "a flexible array member can only be initialised in a static object", "");
        }
        Initialised { ty, object, init: Init { pieces: filling.pieces } }
    }

    fn init_span(&self, init: &AstInit) -> Span {
        match init {
            AstInit::Expr(id) => self.ast.exprs[*id].span,
            AstInit::List(_, span) => *span,
        }
    }

    /// The record with its flexible array member as long as it was initialised.
    fn grown(&mut self, ty: TypeId, length: u64) -> TypeId {
        let Some((id, record)) = self.unit.types.record(ty) else { return ty };
        let mut record = record.clone();
        let Some(last) = record.fields.as_mut().and_then(|fields| fields.last_mut()) else { return ty };
        let Some(element) = self.unit.types.element(last.ty) else { return ty };
        let size = self.unit.types.size_of(element).unwrap_or(0);
        last.ty = self.unit.types.intern(TypeKind::Array(element, Some(length)));
        record.size = record.size.max(last.offset + size * length);
        let transparent = self.transparent.contains(&id);
        let grown = self.unit.types.records.push(record);
        if transparent {
            self.transparent.push(grown);
        }
        self.unit.types.intern(TypeKind::Record(grown))
    }

    /// An object initialised by one expression without braces. Returns the length of an array.
    fn fill_whole(&mut self, target: Target, id: ExprId, filling: &mut Filling) -> u64 {
        let span = self.ast.exprs[id].span;
        if self.unit.types.is_array(target.ty) {
            if let Some(reached) = self.fill_string(target, id, filling) {
                return reached;
            }
            if let Some(reached) = self.fill_from_literal(target, id, filling) {
                return reached;
            }
            let value = self.expr(id);
            if !self.is_error(value.ty) {
                self.error(span, "an array is initialised by a braced list or a string", "");
            }
            return 1;
        }
        let value = self.expr(id);
        self.put(target, value, filling);
        0
    }

    /// One value for a scalar or a whole record.
    fn put(&mut self, target: Target, value: Expr, filling: &mut Filling) {
        let mut value = self.convert(value, target.ty, Why::Initialisation);
        if self.is_error(value.ty) {
            return;
        }
        if filling.is_static {
            if let Some(pieces) = self.literal_pieces(&value) {
                for piece in pieces {
                    let value = self.demand_constant(piece.value);
                    self.push(InitPiece { value, offset: target.offset + piece.offset, ..piece }, filling);
                }
                return;
            }
            value = self.demand_constant(value);
        }
        let piece = InitPiece { offset: target.offset, bits: target.bits, value, repeat: 1, stride: 0 };
        self.push(piece, filling);
    }

    pub(super) fn push(&mut self, piece: InitPiece, filling: &mut Filling) {
        filling.end = filling.end.max(self.piece_end(&piece));
        filling.pieces.push(piece);
    }

    pub(super) fn piece_end(&self, piece: &InitPiece) -> u64 {
        let size = match piece.bits {
            Some(bits) => u64::from((bits.first + bits.width).div_ceil(8)),
            None => self.unit.types.size_of(piece.value.ty).unwrap_or(0),
        };
        piece.offset + (piece.repeat - 1) * piece.stride + size
    }

    /// The pieces of a compound literal whose value is copied.
    fn literal_pieces(&self, value: &Expr) -> Option<Vec<InitPiece>> {
        let ExprKind::Read(place) = &value.kind else { return None };
        match &place.kind {
            PlaceKind::CompoundLiteral { init, .. } => Some(init.pieces.clone()),
            PlaceKind::Var(var) if self.unit.vars[*var].name == "<literal>" => {
                Some(self.unit.vars[*var].init.as_ref()?.pieces.clone())
            }
            _ => None,
        }
    }

    /// GNU C: an array initialised by a compound literal.
    fn fill_from_literal(&mut self, target: Target, id: ExprId, filling: &mut Filling) -> Option<u64> {
        if !matches!(self.ast.exprs[id].kind, ast::ExprKind::CompoundLiteral(..)) {
            return None;
        }
        let Value::Place(lvalue) = self.value(id) else { return Some(1) };
        let ty = lvalue.place.ty;
        if !self.unit.types.is_array(ty) {
            return None; // It is the first element of an array without braces.
        }
        if !self.unit.types.compatible(&self.basic, ty, target.ty) {
            let span = self.ast.exprs[id].span;
            self.error(span, "the compound literal has another type than the array", "");
            return Some(1);
        }
        let span = lvalue.place.span;
        let read = Expr { kind: ExprKind::Read(lvalue.place), ty, span };
        for piece in self.literal_pieces(&read)? {
            let value = if filling.is_static { self.demand_constant(piece.value) } else { piece.value };
            self.push(InitPiece { value, offset: target.offset + piece.offset, ..piece }, filling);
        }
        match *self.unit.types.kind(ty) {
            TypeKind::Array(_, length) => length,
            _ => None,
        }
    }

    pub(super) fn string_of(&self, id: ExprId) -> Option<(&'a [u32], Encoding, Span)> {
        let ast = self.ast;
        match &ast.exprs[id].kind {
            ast::ExprKind::String { units, encoding } => Some((units, *encoding, ast.exprs[id].span)),
            ast::ExprKind::Unary(ast::UnaryOp::Extension, inner) => self.string_of(*inner),
            _ => None,
        }
    }

    /// A character array initialised by a string. Returns its length with the final zero.
    fn fill_string(&mut self, target: Target, id: ExprId, filling: &mut Filling) -> Option<u64> {
        let TypeKind::Array(element, length) = *self.unit.types.kind(target.ty) else { return None };
        let (units, encoding, span) = self.string_of(id)?;
        let types = &self.unit.types;
        let of_string = self.char_type(encoding);
        if !matches!(types.kind(element), TypeKind::Int(_)) || types.size_of(element) != types.size_of(of_string) {
            return None;
        }
        let mut units = Self::stored_units(units, encoding);
        if let Some(length) = length
            && units.len() as u64 > length
        {
            self.warn(span, "the string is longer than the array it initialises", "");
            units.truncate(length as usize);
        }
        let reached = units.len() as u64 + 1;
        self.clear(target, 1, 0, filling);
        for piece in self.string_pieces(units.into_iter(), element, target.offset, span) {
            self.push(piece, filling);
        }
        Some(reached)
    }

    /// A part of the object initialised by a braced list of its own. Returns the length of an array.
    fn fill_braced(&mut self, target: Target, items: &'a [InitItem], span: Span, filling: &mut Filling) -> u64 {
        match *self.unit.types.kind(target.ty) {
            TypeKind::Array(..) => {
                // `{ "text" }`.
                if let [InitItem { designators, init: AstInit::Expr(id) }] = items
                    && designators.is_empty()
                    && let Some(reached) = self.fill_string(target, *id, filling)
                {
                    return reached;
                }
            }
            TypeKind::Record(_) => {
                if !self.require_complete(target.ty, span, "the initialised object") {
                    return 0;
                }
            }
            TypeKind::Vla(..) => {
                if !items.is_empty() {
                    self.error(span, "an array of variable length cannot be initialised", "assign its elements");
                }
                return 0;
            }
            _ => {
                self.fill_braced_scalar(target, items, span, filling);
                return 0;
            }
        }
        let mut cursor = Cursor::new(items);
        self.fill(target, &mut cursor, &[], true, filling)
    }

    fn fill_braced_scalar(&mut self, target: Target, items: &'a [InitItem], span: Span, filling: &mut Filling) {
        let Some((first, excess)) = items.split_first() else {
            return; // `{}`: zero.
        };
        if !first.designators.is_empty() {
            self.error(span, "a scalar has no members or elements to designate", "");
        }
        match &first.init {
            AstInit::Expr(id) => {
                let value = self.expr(*id);
                self.put(target, value, filling);
            }
            AstInit::List(items, span) => self.fill_braced_scalar(target, items, *span, filling),
        }
        if !excess.is_empty() {
            self.warn(span, "more initialisers than a scalar takes", "");
            for item in excess {
                self.skip(&item.init);
            }
        }
    }

    /// Reads an initialiser that has no place, for the diagnostics in it.
    fn skip(&mut self, init: &'a AstInit) {
        match init {
            AstInit::Expr(id) => {
                self.expr(*id);
            }
            AstInit::List(items, _) => {
                for item in items {
                    self.skip(&item.init);
                }
            }
        }
    }

    /// Takes items for the elements of an aggregate, beginning where the designators lead.
    /// Returns how many elements of an array were reached.
    fn fill(
        &mut self,
        target: Target,
        cursor: &mut Cursor<'a>,
        designators: &'a [Designator],
        braced: bool,
        filling: &mut Filling,
    ) -> u64 {
        let mut designators = designators;
        let mut position = 0;
        let mut reached = 0;
        while let Some(item) = cursor.peek() {
            if designators.is_empty() && !item.designators.is_empty() && !cursor.path_done {
                if !braced {
                    break; // The designator starts from the braced list around us.
                }
                designators = &item.designators;
                cursor.path_done = true;
            }
            let (mut repeat, mut rest, mut designated): (u64, &'a [Designator], bool) = (1, &[], false);
            if let Some((first, tail)) = designators.split_first() {
                let Some(step) = self.follow_designator(target.ty, first) else {
                    self.skip(&item.init);
                    cursor.advance();
                    designators = &[];
                    continue;
                };
                (position, repeat, designated) = (step.position, step.count, true);
                rest = if step.deeper { designators } else { tail };
                designators = &[];
            }
            let Some((element, stride)) = self.element_at(target, position) else {
                if !braced {
                    break;
                }
                self.excess(cursor);
                continue;
            };
            self.enter_union_member(target, position, filling);
            // A whole element given in braces or as a string replaces what an earlier range or designator put there.
            let whole = match &item.init {
                AstInit::List(..) => !self.unit.types.is_scalar(element.ty),
                AstInit::Expr(id) => self.unit.types.is_array(element.ty) && self.string_of(*id).is_some(),
            };
            if rest.is_empty() && (designated || whole) {
                self.clear(element, repeat, stride, filling);
            }
            let (mark, before) = (filling.pieces.len(), cursor.next);
            if rest.is_empty() {
                self.fill_element(element, cursor, filling);
            } else {
                self.fill(element, cursor, rest, false, filling);
            }
            if repeat > 1 {
                self.repeat(mark, repeat, stride, filling);
            }
            position = position.saturating_add(repeat);
            reached = reached.max(position);
            if cursor.next == before && self.unit.types.is_array(target.ty) {
                self.excess(cursor); // Elements without members take nothing, however many there are.
            }
            if self.unit.types.record(target.ty).is_some_and(|(_, record)| record.is_union) {
                position = u64::MAX; // One member is all a union takes.
            }
        }
        if let TypeKind::Array(_, None) = self.unit.types.kind(target.ty)
            && target.offset > 0
        {
            filling.flexible = filling.flexible.max(reached);
        }
        reached
    }

    fn excess(&mut self, cursor: &mut Cursor<'a>) {
        let Some(item) = cursor.peek() else { return };
        if !cursor.excess_reported {
            let span = self.init_span(&item.init);
            self.warn(span, "more initialisers than the object has elements", "");
            cursor.excess_reported = true;
        }
        if cursor.analysed.is_none() {
            self.skip(&item.init);
        }
        cursor.advance();
    }

    /// One element takes the next item, or several if its braces are elided.
    fn fill_element(&mut self, element: Target, cursor: &mut Cursor<'a>, filling: &mut Filling) {
        let Some(item) = cursor.peek() else { return };
        let id = match &item.init {
            AstInit::List(items, span) => {
                let reached = self.fill_braced(element, items, *span, filling);
                if let TypeKind::Array(_, None) = self.unit.types.kind(element.ty) {
                    filling.flexible = filling.flexible.max(reached);
                }
                cursor.advance();
                return;
            }
            AstInit::Expr(id) => *id,
        };
        if self.unit.types.is_array(element.ty) {
            let mut reached = self.fill_string(element, id, filling);
            if reached.is_none() && cursor.analysed.is_none() {
                reached = self.fill_from_literal(element, id, filling);
            }
            if let Some(reached) = reached {
                if let TypeKind::Array(_, None) = self.unit.types.kind(element.ty) {
                    filling.flexible = filling.flexible.max(reached);
                }
                cursor.advance();
                return;
            }
            self.fill(element, cursor, &[], false, filling);
            return;
        }
        if self.unit.types.is_record(element.ty) && self.string_of(id).is_some() {
            // A string is never a whole record, and inside it may find an array.
            self.fill(element, cursor, &[], false, filling);
            return;
        }
        let value = match cursor.analysed.take() {
            Some(value) => value,
            None => self.expr(id),
        };
        if self.unit.types.is_record(element.ty) && !self.unit.types.compatible(&self.basic, element.ty, value.ty) {
            cursor.analysed = Some(value);
            self.fill(element, cursor, &[], false, filling);
            return;
        }
        cursor.advance();
        self.put(element, value, filling);
    }

    /// The element at this position, and the distance to the next one.
    fn element_at(&self, target: Target, position: u64) -> Option<(Target, u64)> {
        match *self.unit.types.kind(target.ty) {
            TypeKind::Array(element, length) => {
                if length.is_some_and(|length| position >= length) {
                    return None;
                }
                let size = self.unit.types.size_of(element).unwrap_or(0);
                let offset = position.checked_mul(size)?.checked_add(target.offset)?;
                (offset < LARGEST_OBJECT).then_some((Target { ty: element, offset, bits: None }, size))
            }
            TypeKind::Record(record) => {
                let field = self.members(record).nth(usize::try_from(position).ok()?)?;
                let element = Target { ty: field.ty, offset: target.offset + field.offset, bits: field.bits };
                Some((element, 0))
            }
            _ => None,
        }
    }

    /// Members that take initialisers: unnamed bit-fields do not.
    pub(super) fn members(&self, record: RecordTypeId) -> impl Iterator<Item = &Field> {
        let fields = self.unit.types.records[record].fields.as_deref().unwrap_or(&[]);
        fields.iter().filter(|field| field.name.is_some() || field.bits.is_none())
    }

    fn follow_designator(&mut self, ty: TypeId, designator: &'a Designator) -> Option<Step> {
        match designator {
            Designator::Field(name, span) => {
                let text = self.text(*name);
                let Some((record, _)) = self.unit.types.record(ty) else {
                    let shown = self.unit.types.display(ty);
                    self.error(*span, format!("`{shown}` has no members, so none is called `{text}`"), "");
                    return None;
                };
                let mut found = None;
                for (position, field) in self.members(record).enumerate() {
                    let deeper = field.name.is_none()
                        && self
                            .unit
                            .types
                            .record(field.ty)
                            .is_some_and(|(inner, _)| self.find_field(inner, text).is_some());
                    if deeper || field.name.as_deref() == Some(text) {
                        found = Some(Step { position: position as u64, count: 1, deeper });
                        break;
                    }
                }
                if found.is_none() {
                    let shown = self.unit.types.display(ty);
                    self.error(*span, format!("`{shown}` has no member `{text}`"), "");
                }
                found
            }
            Designator::Index(index) => {
                let (position, _) = self.designated_index(ty, *index)?;
                Some(Step { position, count: 1, deeper: false })
            }
            Designator::Range(first, last) => {
                let (first, span) = self.designated_index(ty, *first)?;
                let (last, _) = self.designated_index(ty, *last)?;
                if last < first {
                    self.error(span, "the range of this designator is empty", "");
                    return None;
                }
                Some(Step { position: first, count: last - first + 1, deeper: false })
            }
        }
    }

    fn designated_index(&mut self, ty: TypeId, index: ExprId) -> Option<(u64, Span)> {
        let index = self.expr(index);
        let span = index.span;
        let TypeKind::Array(element, length) = *self.unit.types.kind(ty) else {
            let shown = self.unit.types.display(ty);
            self.error(span, format!("`{shown}` is no array, so it has no elements to designate"), "");
            return None;
        };
        let value = self.demand_integer(&index, "the index of a designator")?;
        let size = self.unit.types.size_of(element).unwrap_or(1).max(1);
        let limit = length.unwrap_or(LARGEST_OBJECT / size);
        match u64::try_from(value) {
            Ok(position) if position < limit => Some((position, span)),
            _ => {
                self.error(span, format!("the index {value} lies outside the array"), "");
                None
            }
        }
    }
}
