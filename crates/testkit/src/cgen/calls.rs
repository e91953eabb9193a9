//! Calls: by name, through tables and pointers, with structs by value and pointers to live objects.

use super::Generator;
use super::access::Goal;
use super::effects::{Effects, Expr, MEMORY, binding};
use super::functions::{Function, Parameter};
use super::types::Type;

impl Generator {
    /// A call that gives an integer, or a member of a struct that a call gave.
    pub(crate) fn call_for_integer(&mut self, depth: u32) -> Option<Expr> {
        let call = self.call(depth, |ty| matches!(ty, Type::Int(_) | Type::Struct(_)))?;
        let Type::Struct(index) = call.ty else { return Some(call) };
        let fields = self.structs[index].fields().into_iter().cloned().collect::<Vec<_>>();
        let fitting: Vec<_> = fields.iter().filter(|f| matches!(f.ty, Type::Int(_)) && f.bits.is_none()).collect();
        if fitting.is_empty() {
            return None;
        }
        let field = *self.random.pick(&fitting);
        let text = format!("{}.{}", call.at(binding::POSTFIX), field.name);
        Some(Expr::new(text, field.ty.clone(), binding::POSTFIX, call.effects))
    }

    /// A call of a function whose result is used; `None` if no function fits or it would take too long.
    pub(crate) fn call(&mut self, depth: u32, wanted: impl Fn(&Type) -> bool) -> Option<Expr> {
        let work = self.work_left();
        let pure_only = self.pure || !self.features.side_effects;
        let fitting: Vec<usize> = (0..self.functions.len())
            .filter(|&i| {
                let f = &self.functions[i];
                wanted(&f.result) && f.cost < work && (f.pure || !pure_only)
            })
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let index = *self.random.pick(&fitting);
        let function = self.functions[index].clone();
        let (arguments, effects) = self.arguments(&function, depth)?;
        let mut effects = effects;
        if !function.pure {
            effects = effects.and(Effects { reads: MEMORY, writes: MEMORY });
        }
        self.cost += function.cost * self.multiplier;
        let callee = self.callee(&function, index, &mut effects);
        let text = format!("{callee}({arguments})");
        Some(Expr::new(text, function.result.clone(), binding::POSTFIX, effects))
    }

    /// A call of this function with arguments found here.
    pub(crate) fn call_of(&mut self, index: usize) -> Option<String> {
        let function = self.functions[index].clone();
        let (arguments, _) = self.arguments(&function, 1)?;
        self.cost += function.cost * self.multiplier;
        Some(format!("{}({arguments})", function.name))
    }

    /// The function's name, or another way to say it.
    fn callee(&mut self, function: &Function, index: usize, effects: &mut Effects) -> String {
        let tables: Vec<(String, u32, usize)> =
            self.tables.iter().filter(|t| self.functions[t.2].same_signature(function)).cloned().collect();
        if !tables.is_empty() && !self.pure && self.features.side_effects && self.chance(50) {
            let (table, size, _) = self.random.pick(&tables).clone();
            let (position, reads) = self.index_below(size);
            *effects = effects.and(reads);
            // Another function of the table may run, and it may write.
            if !effects.interfere(reads) && self.functions.iter().all(|f| !f.same_signature(function) || f.pure) {
                return format!("{table}[{position}]");
            }
            let fixed = self.random.below(u64::from(size));
            *effects = effects.and(Effects { reads: MEMORY, writes: MEMORY });
            let slowest = self.functions.iter().filter(|f| f.same_signature(function)).map(|f| f.cost).max();
            self.cost += slowest.unwrap_or(0) * self.multiplier;
            return format!("{table}[{fixed}]");
        }
        let name = &self.functions[index].name;
        match self.random.below(20) {
            0 if self.features.function_pointers => format!("(*{name})"),
            1 if self.features.function_pointers => format!("(&{name})"),
            2 => format!("({name})"),
            _ => name.clone(),
        }
    }

    fn arguments(&mut self, function: &Function, depth: u32) -> Option<(String, Effects)> {
        let mut effects = Effects::NONE;
        let mut texts = Vec::new();
        for parameter in &function.parameters {
            let (text, more) = self.argument(parameter, function.old_style, effects, depth)?;
            effects = effects.and(more);
            texts.push(text);
        }
        Some((texts.join(", "), effects))
    }

    fn argument(
        &mut self,
        parameter: &Parameter,
        exact: bool,
        beside: Effects,
        depth: u32,
    ) -> Option<(String, Effects)> {
        if parameter.is_depth {
            return Some((self.random.below(6).to_string(), Effects::NONE));
        }
        let value = match &parameter.ty {
            Type::Int(kind) => {
                let value = self.beside(beside, depth.saturating_sub(1));
                if exact {
                    let text = format!("({}){}", kind.name(), value.at(binding::UNARY));
                    Expr::new(text, parameter.ty.clone(), binding::UNARY, value.effects)
                } else {
                    value
                }
            }
            Type::Float | Type::Double => self.floating(1),
            Type::Struct(index) => self.struct_value(*index, 1),
            Type::Pointer(target) => self.address_of(target, parameter.reach, u32::MAX)?,
            other => panic!("no parameter has the type {other:?}"),
        };
        if value.effects.interfere(beside) {
            return None;
        }
        Some((value.argument(), value.effects))
    }

    /// A pointer to live objects of this type: at least `reach` of them in a row, declared at most as deep as
    /// `depth`.
    pub(crate) fn address_of(&mut self, target: &Type, reach: u32, depth: u32) -> Option<Expr> {
        let ty = Type::pointer(target.clone());
        let pointers: Vec<_> = {
            let visible = self.scope.visible();
            visible
                .into_iter()
                .filter(|v| !self.pure || v.depth > 0)
                .filter(|v| v.depth <= depth && v.reach >= reach && v.ty == ty)
                .cloned()
                .collect()
        };
        if !pointers.is_empty() && self.chance(30) {
            let pointer = self.random.pick(&pointers);
            return Some(Expr::new(pointer.name.clone(), ty, binding::POSTFIX + 1, Effects::reading(pointer.bit)));
        }
        let goal = Goal::Exactly(if reach > 1 { Type::Array(Box::new(target.clone()), reach) } else { target.clone() });
        for _ in 0..5 {
            let Some(access) = self.access(&goal, true) else { continue };
            if !access.addressable || access.depth > depth {
                continue;
            }
            return Some(if reach > 1 {
                if self.chance(60) {
                    Expr::new(access.text.clone(), ty, access.binding, access.finding)
                } else {
                    let text = format!("&{}[0]", access.at(binding::POSTFIX));
                    Expr::new(text, ty, binding::UNARY, access.finding)
                }
            } else {
                Expr::new(format!("&{}", access.at(binding::UNARY)), ty, binding::UNARY, access.finding)
            });
        }
        None
    }

    /// A struct without side effects.
    pub(crate) fn struct_value(&mut self, index: usize, depth: u32) -> Expr {
        let ty = Type::Struct(index);
        if depth > 0 && self.chance(15) {
            let condition = self.pure_integer(1);
            let (yes, no) = (self.struct_value(index, 0), self.struct_value(index, 0));
            let text = format!("{} ? {} : {}", condition.at(binding::OR), yes.text, no.at(binding::CONDITIONAL));
            let effects = condition.effects.and(yes.effects).and(no.effects);
            return Expr::new(text, ty, binding::CONDITIONAL, effects);
        }
        if self.chance(80)
            && let Some(access) = self.access(&Goal::Exactly(ty.clone()), false)
        {
            return Expr::new(access.text.clone(), ty, access.binding, access.reading());
        }
        let (braces, effects) = self.initialiser(&ty, false);
        Expr::new(format!("({}){braces}", self.structs[index].name), ty, binding::POSTFIX, effects)
    }
}
