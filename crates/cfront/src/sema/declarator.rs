//! Declarators: pointers, arrays and functions around a name.
//!
//! The parts of a declarator are listed from the name outwards, so the type is built from the last part
//! to the first. An array whose length is no constant gets a variable that holds its size in bytes; the
//! assignment to that variable waits in `vla_sizes` until the declaration or expression places it. In
//! parameter lists of mere declarations such a length is forgotten, since nothing depends on it there.

use super::Sema;
use super::layout::LARGEST_OBJECT;
use super::scope::Symbol;
use super::specifier::Stands;
use super::types::Ty;
use crate::ast::{ArrayLength, BaseType, Declarator, DeclaratorPart, Param, Qualifiers, Span, Storage};
use crate::hir::{
    BinaryOp, DataModel, Expr, ExprKind, PlaceKind, Size, StorageKind, TypeId, TypeKind, VarId, Variable,
};

// law: the stack holds this many levels.
/// Deeper declarators are refused rather than followed.
const DEEPEST: usize = 2000;

/// Which parameters get variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Params {
    /// None: a mere declaration.
    Declared,
    /// Those of the part next to the name: a definition. The scope stays open.
    Defined,
}

impl<'a> Sema<'a> {
    /// The type of what the declarator declares.
    pub(super) fn declared_type(&mut self, base: Ty, declarator: &'a Declarator) -> Ty {
        self.build(base, declarator, Params::Declared, false).0
    }

    /// Type and parameter variables of a function definition; their scope is opened and stays open.
    pub(super) fn defined_function_type(&mut self, base: Ty, declarator: &'a Declarator) -> (Ty, Vec<VarId>) {
        self.build(base, declarator, Params::Defined, false)
    }

    fn build(&mut self, base: Ty, declarator: &'a Declarator, params: Params, is_param: bool) -> (Ty, Vec<VarId>) {
        let mut ty = base;
        let mut vars = Vec::new();
        if declarator.parts.len() > DEEPEST {
            self.error(declarator.span, "this declarator is nested too deeply", "");
            return (Ty::plain(self.basic.error), vars);
        }
        let mut opened = false;
        for (distance, part) in declarator.parts.iter().enumerate().rev() {
            match part {
                DeclaratorPart::Pointer(qualifiers) => {
                    let id = self.pointer_to(ty);
                    ty = Ty { constant: qualifiers.constant, volatile: qualifiers.volatile, ..Ty::plain(id) };
                }
                DeclaratorPart::Array { length, qualifiers } => {
                    let outermost_of_param = is_param && distance == 0;
                    ty = self.array_of(ty, length, declarator.span, outermost_of_param);
                    if outermost_of_param && !self.is_error(ty.id) {
                        ty = self.adjusted(ty, *qualifiers);
                    }
                }
                DeclaratorPart::Function { params: list, variadic, old_style, empty } => {
                    let defines = params == Params::Defined && distance == 0;
                    self.scopes.push();
                    opened = defines;
                    let (types, own_vars) = self.params(list, defines);
                    if defines {
                        vars = own_vars;
                    } else {
                        self.scopes.pop();
                    }
                    let prototype = !*empty && old_style.is_empty();
                    ty = self.function_returning(ty, types, *variadic, prototype, declarator.span);
                }
            }
        }
        if params == Params::Defined && !opened {
            self.scopes.push();
        }
        (ty, vars)
    }

    /// The pointer to this type. A pointer to an erroneous type is erroneous.
    pub(super) fn pointer_to(&mut self, ty: Ty) -> TypeId {
        if self.is_error(ty.id) {
            return self.basic.error;
        }
        self.unit.types.pointer_to(ty.id, ty.constant, ty.volatile)
    }

    fn function_returning(
        &mut self,
        result: Ty,
        params: Vec<TypeId>,
        variadic: bool,
        prototype: bool,
        span: Span,
    ) -> Ty {
        let types = &self.unit.types;
        if types.is_array(result.id) || types.is_function(result.id) {
            let shown = types.display(result.id);
            self.error(span, format!("a function cannot return `{shown}`"), "it can return a pointer to it");
            return Ty::plain(self.basic.error);
        }
        if self.is_error(result.id) {
            return Ty::plain(self.basic.error);
        }
        let kind = TypeKind::Function { result: result.id, params, variadic, prototype };
        Ty::plain(self.unit.types.intern(kind))
    }

    fn params(&mut self, list: &'a [Param], defines: bool) -> (Vec<TypeId>, Vec<VarId>) {
        if !defines {
            self.in_prototype += 1;
        }
        let mut types = Vec::with_capacity(list.len());
        let mut vars = Vec::new();
        let only_void = |param: &Param| {
            matches!(param.specifiers.base, BaseType::Void | BaseType::Typedef(_))
                && param.declarator.parts.is_empty()
                && param.declarator.name.is_none()
        };
        for param in list {
            let base = self.specifiers(&param.specifiers, Stands::BeforeDeclarators);
            if list.len() == 1 && only_void(param) && self.unit.types.is_void(base.id) {
                break;
            }
            if (Storage { register: false, ..param.specifiers.storage }) != Storage::default() {
                self.error(param.specifiers.span, "the only storage class of a parameter is `register`", "");
            }
            let (ty, _) = self.build(base, &param.declarator, Params::Declared, true);
            let attributes =
                self.attributes(&[&param.specifiers.attributes, &param.declarator.attributes, &param.attributes]);
            let ty = if param.specifiers.attributes.iter().any(|a| a.name == "mode" || a.name == "vector_size") {
                ty
            } else {
                self.apply_type_attributes(ty, &attributes)
            };
            let mut ty = self.adjusted(ty, Qualifiers::default());
            let span = param.declarator.span;
            if self.unit.types.is_void(ty.id) {
                self.error(span, "a parameter cannot have type `void`", "");
                ty = Ty::plain(self.basic.error);
            }
            types.push(self.without_sizes(ty.id));
            if defines {
                vars.push(self.parameter(param.declarator.name, ty, span));
            } else if let Some(name) = param.declarator.name {
                self.bind(name, Symbol::Prototype(ty), span);
            }
        }
        if !defines {
            self.in_prototype -= 1;
        }
        (types, vars)
    }

    /// Declares a parameter variable in the innermost scope.
    pub(super) fn parameter(&mut self, name: Option<crate::ast::Name>, ty: Ty, span: Span) -> VarId {
        let text = name.map_or("", |name| self.text(name));
        let variable = Variable {
            name: if text.is_empty() { "<unnamed>".to_owned() } else { text.to_owned() },
            ty: ty.id,
            storage: StorageKind::Parameter,
            is_const: ty.constant,
            is_volatile: ty.volatile,
            address_taken: false,
            align: ty.align,
            init: None,
            defined: true,
            alias_of: None,
            hidden_alias: false,
            weak: false,
            weak_by_pragma: false,
            function: self.current_function(),
            span,
        };
        let var = self.add_variable(variable, ty);
        if let Some(name) = name {
            if self.scopes.lookup_here(name).is_some() {
                self.error(span, format!("two parameters are called `{text}`"), "");
            }
            self.bind(name, Symbol::Var(var), span);
        }
        var
    }

    /// On x86-64 a `va_list` is an array of one: a function that gets one moves its caller's.
    pub(super) fn is_list_array(&self, ty: TypeId) -> bool {
        ty == self.basic.va_list && self.unit.types.model == DataModel::Lp64
    }

    /// Parameters of array and function type are pointers.
    pub(super) fn adjusted(&mut self, ty: Ty, qualifiers: Qualifiers) -> Ty {
        let id = if let Some(element) = self.unit.types.element(ty.id) {
            self.unit.types.pointer_to(element, ty.constant, ty.volatile)
        } else if self.unit.types.is_function(ty.id) || self.is_list_array(ty.id) {
            self.unit.types.pointer_to(ty.id, false, false)
        } else {
            return ty;
        };
        Ty { constant: qualifiers.constant, volatile: qualifiers.volatile, ..Ty::plain(id) }
    }

    /// The type with arrays of variable length replaced by arrays of unknown length: what a function's type says.
    fn without_sizes(&mut self, ty: TypeId) -> TypeId {
        match *self.unit.types.kind(ty) {
            TypeKind::Vla(element, _) => {
                let element = self.without_sizes(element);
                self.unit.types.intern(TypeKind::Array(element, None))
            }
            TypeKind::Array(element, length) if self.unit.types.is_variably_modified(element) => {
                let element = self.without_sizes(element);
                self.unit.types.intern(TypeKind::Array(element, length))
            }
            TypeKind::Pointer { target, const_target, volatile_target }
                if self.unit.types.is_variably_modified(target) =>
            {
                let target = self.without_sizes(target);
                self.unit.types.pointer_to(target, const_target, volatile_target)
            }
            _ => ty,
        }
    }

    fn array_of(&mut self, element: Ty, length: &'a ArrayLength, span: Span, ignore_length: bool) -> Ty {
        if self.is_error(element.id) {
            return element;
        }
        let types = &self.unit.types;
        let unfit = types.is_void(element.id) || types.is_function(element.id);
        let incomplete = types.is_record(element.id) && types.size_of(element.id).is_none();
        let unsized_array = matches!(types.kind(element.id), TypeKind::Array(_, None)) && self.in_prototype == 0;
        if unfit || incomplete && !ignore_length || unsized_array {
            let shown = types.display(element.id);
            self.error(span, format!("an array cannot have elements of type `{shown}`"), "");
            return Ty::plain(self.basic.error);
        }
        let kind = match length {
            ArrayLength::None => TypeKind::Array(element.id, None),
            ArrayLength::Star => {
                if self.in_prototype == 0 && !ignore_length {
                    self.error(span, "`[*]` is only for the parameters of declarations", "");
                }
                TypeKind::Array(element.id, None)
            }
            ArrayLength::Expr(id) => {
                let waiting = self.vla_sizes.len();
                let length = self.expr(*id);
                if ignore_length {
                    if self.in_prototype > 0 || self.integer_value(&length).is_some() || is_plain_read(&length) {
                        self.vla_sizes.truncate(waiting);
                    } else {
                        // Evaluated on entry, although the parameter is a pointer.
                        self.vla_sizes.push(length);
                    }
                    TypeKind::Array(element.id, None)
                } else {
                    match self.array_with(element.id, length) {
                        Some(kind) => kind,
                        None => return Ty::plain(self.basic.error),
                    }
                }
            }
        };
        Ty { id: self.unit.types.intern(kind), ..element }
    }

    fn array_with(&mut self, element: TypeId, length: Expr) -> Option<TypeKind> {
        let span = length.span;
        if self.is_error(length.ty) {
            return None;
        }
        if !self.unit.types.is_integer(length.ty) {
            let shown = self.unit.types.display(length.ty);
            self.error(span, format!("the length of an array must be an integer, not `{shown}`"), "");
            return None;
        }
        let constant = self.integer_value(&length);
        if let Some(value) = constant {
            if value < 0 {
                self.error(span, format!("the length of an array cannot be {value}"), "");
                return None;
            }
            if !matches!(self.unit.types.kind(element), TypeKind::Vla(..)) {
                let size = self.unit.types.size_of(element).unwrap_or(1);
                let count = u64::try_from(value).ok();
                let total = count.and_then(|count| count.checked_mul(size));
                if !self.is_size_of_object(total, span) {
                    return None;
                }
                return Some(TypeKind::Array(element, count));
            }
        }
        if self.in_prototype > 0 {
            return Some(TypeKind::Array(element, None));
        }
        if self.body.is_none() && !self.in_definition {
            self.error(span, "the length of an array outside a function must be a constant", "");
            return None;
        }
        Some(TypeKind::Vla(element, self.size_variable(element, length)?))
    }

    /// Whether an array may have this many bytes. Compilers accept up to half of the address space, we less.
    fn is_size_of_object(&mut self, bytes: Option<u64>, span: Span) -> bool {
        let half = 1_u64 << (self.unit.types.pointer_width() - 1);
        match bytes {
            Some(bytes) if bytes < half.min(LARGEST_OBJECT) => true,
            Some(bytes) if bytes < half => {
                self.unsupported(span, format!("an array of {bytes} bytes"));
                false
            }
            _ => {
                self.error(span, "this array is too large", "");
                false
            }
        }
    }

    /// A variable for the number of elements of an array of variable length; its assignment waits in `vla_sizes`.
    fn size_variable(&mut self, element: TypeId, length: Expr) -> Option<VarId> {
        let span = length.span;
        let ty = self.basic.size;
        let in_element = match self.size_in_arithmetic(element)? {
            Size::Known(_) => None,
            Size::Variable(var, _) => Some(self.count_in(var, span)),
        };
        let length = self.cast_in_place(length, ty);
        let count = match in_element {
            None => length,
            Some(in_element) => self.arithmetic(BinaryOp::Mul, length, in_element, span),
        };
        let var = self.made_up_variable("<array length>", ty, span);
        let place = self.variable(var, span).place;
        self.vla_sizes.push(Expr { kind: ExprKind::Assign(place, Box::new(count)), ty, span });
        Some(var)
    }
}

/// Whether evaluating this has no effect and cannot fail: the value of a variable.
fn is_plain_read(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Read(place) => matches!(place.kind, PlaceKind::Var(_)) && !place.is_volatile,
        _ => false,
    }
}
