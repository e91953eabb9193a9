//! Ways to objects: from a variable through members, indices and pointers to a scalar or a record.

use super::Generator;
use super::effects::{Effects, Expr, MEMORY, binding};
use super::scope::Variable;
use super::types::{Int, Type};

/// A designated object.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) text: String,
    pub(crate) binding: u8,
    pub(crate) ty: Type,
    /// The width, for a bit-field.
    pub(crate) bits: Option<u32>,
    /// What is read to find the object.
    pub(crate) finding: Effects,
    /// The bit of the object itself.
    pub(crate) object: u128,
    pub(crate) writable: bool,
    /// Whether `&` may be applied: no bit-field, nothing in a packed record, no register.
    pub(crate) addressable: bool,
    /// Whether it lies in a packed record, where it may not be aligned.
    pub(crate) packed: bool,
    /// The block the object lives in.
    pub(crate) depth: u32,
}

impl Access {
    pub(crate) fn at(&self, binding: u8) -> String {
        if self.binding < binding { format!("({})", self.text) } else { self.text.clone() }
    }
    pub(crate) fn reading(&self) -> Effects {
        self.finding.and(Effects::reading(self.object))
    }
    pub(crate) fn writing(&self) -> Effects {
        self.finding.and(Effects { reads: self.object, writes: self.object })
    }
}

/// What an access should end at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// An integer or enumeration.
    Integer,
    /// A float or double.
    Floating,
    /// Exactly this type.
    Exactly(Type),
    /// Any struct.
    Struct,
}

impl Goal {
    fn met_by(&self, ty: &Type) -> bool {
        match self {
            Goal::Integer => matches!(ty, Type::Int(_) | Type::Enum(_)),
            Goal::Floating => ty.is_floating(),
            Goal::Exactly(wanted) => wanted == ty,
            Goal::Struct => matches!(ty, Type::Struct(_)),
        }
    }
}

impl Generator {
    /// A way to an object of the wanted kind, if the tries find one.
    pub(crate) fn access(&mut self, goal: &Goal, to_write: bool) -> Option<Access> {
        let candidates: Vec<Variable> = {
            let visible = self.scope.visible();
            visible
                .into_iter()
                .filter(|v| !self.pure || v.depth > 0)
                .filter(|v| self.can_lead_to(&v.ty, goal, to_write && !v.writable))
                .cloned()
                .collect()
        };
        if candidates.is_empty() {
            return None;
        }
        for _ in 0..6 {
            // Recent variables are more interesting than old ones.
            let index = if self.chance(50) {
                candidates.len() - 1 - self.random.below(candidates.len().min(4) as u64) as usize
            } else {
                self.random.below(candidates.len() as u64) as usize
            };
            let found = self.walk(&candidates[index], goal);
            if let Some(found) = found
                && (found.writable || !to_write)
            {
                return Some(found);
            }
        }
        None
    }

    /// Whether something of the goal's type can be inside or behind this type.
    fn can_lead_to(&self, ty: &Type, goal: &Goal, only_behind_pointer: bool) -> bool {
        if goal.met_by(ty) && !only_behind_pointer {
            return true;
        }
        match ty {
            Type::Pointer(inner) => self.can_lead_to(inner, goal, false),
            Type::Array(inner, _) => self.can_lead_to(inner, goal, only_behind_pointer),
            Type::Struct(index) => {
                self.structs[*index].fields().iter().any(|f| self.can_lead_to(&f.ty, goal, only_behind_pointer))
            }
            Type::Union(index) => {
                self.unions[*index].fields().iter().any(|f| self.can_lead_to(&f.ty, goal, only_behind_pointer))
            }
            _ => false,
        }
    }

    pub(crate) fn variable_access(&self, variable: &Variable) -> Access {
        Access {
            text: variable.name.clone(),
            binding: binding::POSTFIX + 1,
            ty: variable.ty.clone(),
            bits: None,
            finding: Effects::NONE,
            object: variable.bit,
            writable: variable.writable,
            addressable: variable.addressable,
            packed: false,
            depth: variable.depth,
        }
    }

    fn walk(&mut self, variable: &Variable, goal: &Goal) -> Option<Access> {
        let mut here = self.variable_access(variable);
        let mut pointer_reach = variable.reach;
        for _ in 0..12 {
            if goal.met_by(&here.ty) && (!matches!(here.ty, Type::Pointer(_)) || self.chance(70)) {
                return Some(here);
            }
            here = match here.ty.clone() {
                Type::Struct(index) => self.member(here, index, false, goal)?,
                Type::Union(index) => self.member(here, index, true, goal)?,
                Type::Array(element, length) => self.element(here, *element, length),
                Type::Pointer(target) => {
                    let reach = std::mem::replace(&mut pointer_reach, 1);
                    self.behind(here, *target, reach)
                }
                _ => return None,
            };
        }
        None
    }

    fn member(&mut self, whole: Access, index: usize, union: bool, goal: &Goal) -> Option<Access> {
        let record = if union { self.unions[index].clone() } else { self.structs[index].clone() };
        let fields = record.fields();
        let leading: Vec<_> = fields.into_iter().filter(|f| self.can_lead_to(&f.ty, goal, false)).collect();
        if leading.is_empty() {
            return None;
        }
        let field = (*self.random.pick(&leading)).clone();
        // `(*p).f` and `p->f` are the same; so are `p[0].f` and `p->f`.
        let text = match whole.text.strip_prefix('*') {
            Some(pointer) if whole.binding == binding::UNARY && is_a_name(pointer) && self.chance(80) => {
                format!("{pointer}->{}", field.name)
            }
            _ => format!("{}.{}", whole.at(binding::POSTFIX), field.name),
        };
        Some(Access {
            text,
            binding: binding::POSTFIX,
            addressable: whole.addressable && field.bits.is_none() && !record.packed && !union,
            packed: whole.packed || record.packed,
            bits: field.bits,
            ty: field.ty,
            ..whole
        })
    }

    fn element(&mut self, array: Access, element: Type, length: u32) -> Access {
        let first = self.chance(15);
        let (index, effects) = if first { ("0".to_string(), Effects::NONE) } else { self.index_below(length) };
        let text = if !array.packed && self.chance(12) {
            format!("*({} + {index})", array.at(binding::SUM))
        } else if !array.packed && self.chance(4) && is_a_name(&array.text) {
            format!("({index})[{}]", array.text)
        } else {
            format!("{}[{index}]", array.at(binding::POSTFIX))
        };
        let binding = if text.starts_with('*') { binding::UNARY } else { binding::POSTFIX };
        Access { text, binding, ty: element, finding: array.finding.and(effects), ..array }
    }

    fn behind(&mut self, pointer: Access, target: Type, reach: u32) -> Access {
        let finding = pointer.reading();
        let (text, binding, finding) = if reach > 1 && self.chance(85) {
            let (index, effects) = self.index_below(reach);
            if self.chance(30) {
                (format!("*({} + {index})", pointer.at(binding::SUM)), binding::UNARY, finding.and(effects))
            } else {
                (format!("{}[{index}]", pointer.at(binding::POSTFIX)), binding::POSTFIX, finding.and(effects))
            }
        } else if self.chance(85) {
            (format!("*{}", pointer.at(binding::UNARY)), binding::UNARY, finding)
        } else {
            (format!("{}[0]", pointer.at(binding::POSTFIX)), binding::POSTFIX, finding)
        };
        Access {
            text,
            binding,
            ty: target,
            bits: None,
            finding,
            object: MEMORY,
            writable: true,
            addressable: true,
            packed: false,
            // A pointer never outlives what it points to, so the target lives at least as long.
            depth: pointer.depth,
        }
    }

    /// An index from zero to below the length, as text that can stand beside `+`, with its effects.
    pub(crate) fn index_below(&mut self, length: u32) -> (String, Effects) {
        let fitting: Vec<Variable> = {
            let visible = self.scope.visible();
            visible.into_iter().filter(|v| v.below.is_some_and(|below| below <= length)).cloned().collect()
        };
        if !fitting.is_empty() && self.chance(60) {
            let counter = self.random.pick(&fitting);
            return (counter.name.clone(), Effects::reading(counter.bit));
        }
        if self.crowded() || self.within > 3 || self.chance(40) {
            return (self.random.below(u64::from(length)).to_string(), Effects::NONE);
        }
        let index = self.pure_integer(1);
        if length.is_power_of_two() {
            (format!("({} & {})", index.at(binding::BIT_AND), length - 1), index.effects)
        } else if self.int_of(&index.ty).bits(self.model()) <= 32 {
            (format!("(unsigned){} % {length}", index.at(binding::UNARY)), index.effects)
        } else {
            (format!("(int)((unsigned){} % {length})", index.at(binding::UNARY)), index.effects)
        }
    }

    /// The object's value as an expression.
    pub(crate) fn read(&mut self, access: &Access) -> Expr {
        // Compilers disagree about the type of a bit-field wider than `int`; a cast makes it one.
        if let (Some(width), Type::Int(kind)) = (access.bits, &access.ty)
            && width >= 32
        {
            let text = format!("({}){}", kind.name(), access.at(binding::UNARY));
            return Expr::new(text, access.ty.clone(), binding::UNARY, access.reading());
        }
        let ty = match (access.bits, &access.ty) {
            // A bit-field narrower than `int` promotes to `int`, even an unsigned one.
            (Some(_), _) => Type::Int(Int::Int),
            (None, ty) => ty.clone(),
        };
        Expr::new(access.text.clone(), ty, access.binding, access.reading())
    }

    /// The integer type that holds values of this integer or enumeration type.
    pub(crate) fn int_of(&self, ty: &Type) -> Int {
        match ty {
            Type::Int(kind) => *kind,
            Type::Enum(index) => self.enums[*index].int(),
            other => panic!("{other:?} is no integer type"),
        }
    }
}

fn is_a_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
