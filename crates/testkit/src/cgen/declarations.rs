//! Variables: globals, locals, static locals, pointers with their targets.

use super::Generator;
use super::effects::MEMORY;
use super::scope::Variable;
use super::types::{Int, Type};

impl Generator {
    pub(crate) fn declare_globals(&mut self) {
        for _ in 0..self.random.between(1, 2 + i64::from(self.config.lines / 20)) {
            self.declare_static(false);
        }
        if self.features.pointers {
            for _ in 0..self.random.between(0, 3) {
                self.declare_pointer(true);
            }
        }
    }

    /// Any type a variable can have, except pointers.
    pub(crate) fn object_type(&mut self) -> Type {
        match self.random.below(10) {
            0 | 1 if !self.structs.is_empty() => Type::Struct(self.random.below(self.structs.len() as u64) as usize),
            2 if !self.unions.is_empty() => Type::Union(self.random.below(self.unions.len() as u64) as usize),
            3 | 4 if self.features.arrays => self.array_type(),
            _ => self.scalar_type(),
        }
    }

    /// A global, or a static local.
    pub(crate) fn declare_static(&mut self, local: bool) {
        self.written = 0;
        let ty = self.object_type();
        let name = if local { self.local_name("l") } else { self.global_name("g") };
        let constant = self.features.qualifiers && self.chance(10);
        let mut declared = self.declared(&ty, &name);
        if constant {
            declared = format!("const {declared}");
        }
        // No static object is volatile: reading one may give any value, for a verifier.
        if self.features.qualifiers && self.chance(5) {
            declared = format!("{declared} __attribute__((aligned({})))", self.random.pick(&[16, 32]));
        }
        if !local && self.chance(10) {
            // A tentative definition first.
            let plain = declared.clone();
            self.line(format!("static {plain};"));
        }
        if self.chance(80) || constant {
            let (value, _) = self.initialiser(&ty, true);
            self.line(format!("static {declared} = {value};"));
        } else {
            self.line(format!("static {declared};"));
        }
        self.scope.declare(Variable {
            name,
            ty,
            writable: !constant,
            addressable: !constant,
            bit: MEMORY,
            depth: 0,
            reach: 1,
            below: None,
            ready: true,
        });
    }

    /// A local variable with an initialiser.
    pub(crate) fn declare_local(&mut self) {
        if self.features.pointers && !self.pure && self.chance(20) && self.declare_pointer(false) {
            return;
        }
        if self.features.static_locals && !self.pure && self.chance(8) {
            self.declare_static(true);
            return;
        }
        let ty = self.object_type();
        let hidden = self.scope.names_to_hide();
        let name = if self.features.shadowing && !hidden.is_empty() && self.chance(15) {
            self.random.pick(&hidden).clone()
        } else {
            self.local_name("x")
        };
        let addressable = self.features.pointers && self.chance(40);
        let bit = if addressable { MEMORY } else { self.scope.private_bit() };
        let qualified = self.features.qualifiers && self.chance(15);
        let qualifier = if qualified { *self.random.pick(&["const ", "register ", "volatile ", "auto "]) } else { "" };
        let qualifier = match qualifier {
            "register " if addressable || !matches!(ty, Type::Int(_)) => "",
            "volatile " if !matches!(ty, Type::Int(_)) || addressable => "",
            other => other,
        };
        // The name is visible in its own initialiser, where it must not be used.
        let index = self.scope.declare(Variable {
            name: name.clone(),
            ty: ty.clone(),
            writable: qualifier != "const ",
            addressable: addressable && qualifier != "const ",
            bit,
            depth: self.scope.depth(),
            reach: 1,
            below: None,
            ready: false,
        });
        let declared = self.declared(&ty, &name);
        let value = match &ty {
            Type::Struct(record) if self.chance(40) => self.struct_value(*record, 1).argument(),
            Type::Int(_) => {
                let depth = 1 + self.random.below(3) as u32;
                self.integer(depth).argument()
            }
            other => self.initialiser(other, false).0,
        };
        self.line(format!("{qualifier}{declared} = {value};"));
        self.scope.ready(index);
    }

    /// A pointer with a target; false if there was no target to be found.
    pub(crate) fn declare_pointer(&mut self, global: bool) -> bool {
        let reach =
            if self.features.arrays && self.chance(40) { *self.random.pick(&[2, 3, 4, 5, 7, 8, 16]) } else { 1 };
        let target = match self.random.below(6) {
            0 | 1 if !self.structs.is_empty() => Type::Struct(self.random.below(self.structs.len() as u64) as usize),
            2 if reach == 1 && self.random.one_in(2) => {
                Type::pointer(Type::Int(*self.random.pick(&self.features.ints)))
            }
            _ => self.scalar_type(),
        };
        let depth = if global { 0 } else { self.scope.depth() };
        let value = if global { self.static_address(&target, reach) } else { self.address(&target, reach, depth) };
        let Some(value) = value else { return false };
        let name = if global { self.global_name("p") } else { self.local_name("p") };
        let ty = Type::pointer(target);
        let declared = self.declared(&ty, &name);
        let storage = if global { "static " } else { "" };
        self.line(format!("{storage}{declared} = {value};"));
        let addressable = self.chance(50);
        let bit = if global || addressable { MEMORY } else { self.scope.private_bit() };
        self.scope.declare(Variable {
            name,
            ty,
            writable: true,
            addressable: addressable || global,
            bit,
            depth,
            reach,
            below: None,
            ready: true,
        });
        true
    }

    /// The text of a pointer to something that lives long enough.
    pub(crate) fn address(&mut self, target: &Type, reach: u32, depth: u32) -> Option<String> {
        let value = self.address_of(target, reach, depth)?;
        let text = value.argument();
        if self.features.casts && self.chance(8) {
            // There and back again.
            let spelled = self.declared(&Type::pointer(target.clone()), "");
            let integer = if self.size_type() == Int::ULong { "unsigned long" } else { "unsigned" };
            let through = *self.random.pick(&["void *", "char *", integer, "const void *"]);
            return Some(format!("({spelled})({through})({text})"));
        }
        Some(text)
    }

    /// An address constant.
    fn static_address(&mut self, target: &Type, reach: u32) -> Option<String> {
        let fitting: Vec<Variable> = {
            let visible = self.scope.visible();
            let whole = |v: &Variable| match &v.ty {
                Type::Array(element, length) => **element == *target && *length >= reach,
                ty => ty == target && reach == 1 && v.addressable,
            };
            visible.into_iter().filter(|v| v.addressable && whole(v)).cloned().collect()
        };
        if fitting.is_empty() {
            return None;
        }
        let chosen = self.random.pick(&fitting).clone();
        Some(match &chosen.ty {
            Type::Array(_, length) => {
                let first = self.random.below(u64::from(length - reach) + 1);
                match first {
                    0 if self.chance(50) => chosen.name,
                    n if self.chance(50) => format!("&{}[{n}]", chosen.name),
                    n => format!("{} + {n}", chosen.name),
                }
            }
            _ => format!("&{}", chosen.name),
        })
    }

    /// Points a pointer variable elsewhere.
    pub(crate) fn redirect(&mut self) -> Option<String> {
        let pointers: Vec<Variable> = {
            let visible = self.scope.visible();
            visible
                .into_iter()
                .filter(|v| matches!(v.ty, Type::Pointer(_)) && v.writable && (!self.pure || v.depth > 0))
                .cloned()
                .collect()
        };
        if pointers.is_empty() {
            return None;
        }
        let pointer = self.random.pick(&pointers).clone();
        let Type::Pointer(target) = &pointer.ty else { panic!("only pointers were chosen") };
        let value = self.address(target, pointer.reach, pointer.depth)?;
        Some(format!("{} = {value};", pointer.name))
    }
}
