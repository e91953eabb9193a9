//! Functions: signatures, definitions, tables of pointers to them, and the function that runs it all.

use super::Generator;
use super::effects::MEMORY;
use super::scope::Variable;
use super::types::{Int, Type};

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// How many elements a pointer must reach.
    pub(crate) reach: u32,
    /// Counts down a recursion.
    pub(crate) is_depth: bool,
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) result: Type,
    /// Touches nothing but its parameters and locals.
    pub(crate) pure: bool,
    /// Defined without a prototype.
    pub(crate) old_style: bool,
    /// How many statements a call executes, at most.
    pub(crate) cost: u64,
}

impl Function {
    pub(crate) fn same_signature(&self, other: &Function) -> bool {
        let types = |f: &Function| -> Vec<(Type, u32, bool)> {
            f.parameters.iter().map(|p| (p.ty.clone(), p.reach, p.is_depth)).collect()
        };
        !self.old_style && !other.old_style && self.result == other.result && types(self) == types(other)
    }
}

impl Generator {
    pub(crate) fn define_function(&mut self, statements: u32) {
        let function = self.signature();
        self.write_head(&function);
        self.cost = 1;
        self.pure = function.pure;
        self.folding = !function.pure;
        self.scope.enter();
        self.open("{");
        for parameter in &function.parameters {
            let addressable = !parameter.is_depth && self.features.pointers && self.chance(30);
            let bit = if addressable { MEMORY } else { self.scope.private_bit() };
            self.scope.declare(Variable {
                name: parameter.name.clone(),
                ty: parameter.ty.clone(),
                writable: !parameter.is_depth,
                addressable,
                bit,
                depth: self.scope.depth(),
                reach: parameter.reach,
                below: None,
                ready: true,
            });
        }
        let recursive = function.parameters.iter().any(|p| p.is_depth);
        if recursive {
            let value = self.result_value(&function.result);
            self.line(format!("if ({} <= 0) return {value};", function.parameters[0].name));
        }
        self.statements(statements);
        if recursive {
            self.recurse(&function);
        }
        let value = self.result_value(&function.result);
        self.line(format!("return {value};"));
        self.close("}");
        self.scope.leave();
        self.pure = false;
        self.folding = true;
        // One call more for each level of a recursion.
        let cost = if recursive { self.cost * 7 } else { self.cost };
        self.functions.push(Function { cost, ..function });
    }

    fn signature(&mut self) -> Function {
        let pure = self.chance(40);
        let recursive = self.features.recursion && self.chance(25);
        let old_style = self.features.old_style && !recursive && self.chance(10);
        let mut parameters = Vec::new();
        if recursive {
            parameters.push(self.parameter(Type::Int(Int::Int), true));
        }
        // Few kinds of signatures, so that tables find several functions.
        if self.features.function_pointers && !recursive && !old_style && self.chance(50) {
            let kind = Type::Int(self.features.ints[0]);
            for _ in 0..2 {
                parameters.push(self.parameter(kind.clone(), false));
            }
            let name = self.global_name("f");
            return Function { name, parameters, result: kind, pure, old_style, cost: 0 };
        }
        for _ in 0..self.random.between(0, 5) {
            let ty = match self.random.below(10) {
                0 | 1 if !self.structs.is_empty() && !old_style => {
                    Type::Struct(self.random.below(self.structs.len() as u64) as usize)
                }
                2 | 3 if self.features.pointers && !pure && !old_style => {
                    let target = match self.random.below(3) {
                        0 if !self.structs.is_empty() => {
                            Type::Struct(self.random.below(self.structs.len() as u64) as usize)
                        }
                        _ => Type::Int(*self.random.pick(&self.features.ints)),
                    };
                    Type::pointer(target)
                }
                4 if self.features.floats && !old_style => Type::Double,
                5 if self.features.floats && !old_style => Type::Float,
                _ => Type::Int(*self.random.pick(&self.features.ints)),
            };
            let parameter = self.parameter(ty, false);
            parameters.push(parameter);
        }
        let result = match self.random.below(8) {
            0 | 1 if !self.structs.is_empty() => Type::Struct(self.random.below(self.structs.len() as u64) as usize),
            2 if self.features.floats => Type::Double,
            _ => Type::Int(*self.random.pick(&self.features.ints)),
        };
        let name = self.global_name("f");
        Function { name, parameters, result, pure, old_style, cost: 0 }
    }

    fn parameter(&mut self, ty: Type, is_depth: bool) -> Parameter {
        let reach = match &ty {
            Type::Pointer(_) if self.features.arrays && self.chance(40) => *self.random.pick(&[2, 3, 4, 8]),
            _ => 1,
        };
        Parameter { name: self.local_name("a"), ty, reach, is_depth }
    }

    fn write_head(&mut self, function: &Function) {
        let inline = if self.features.qualifiers && self.chance(15) { "inline " } else { "" };
        if function.old_style {
            let names: Vec<&str> = function.parameters.iter().map(|p| p.name.as_str()).collect();
            let head = format!("{}({})", function.name, names.join(", "));
            let head = self.declared(&function.result, &head);
            self.line(format!("static {head}"));
            for parameter in &function.parameters {
                let declared = self.declared(&parameter.ty, &parameter.name);
                self.line(format!("    {declared};"));
            }
            return;
        }
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let declared = match &parameter.ty {
                // An array parameter is a pointer.
                Type::Pointer(target) if parameter.reach > 1 && self.chance(50) => {
                    let length = match self.random.below(3) {
                        0 => String::new(),
                        1 => format!("static {}", parameter.reach),
                        _ => parameter.reach.to_string(),
                    };
                    self.declared(target, &format!("{}[{length}]", parameter.name))
                }
                ty => self.declared(ty, &parameter.name),
            };
            parameters.push(declared);
        }
        let list = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
        let head = self.declared(&function.result, &format!("{}({list})", function.name));
        if self.chance(20) {
            self.line(format!("static {head};"));
        }
        self.line(format!("static {inline}{head}"));
    }

    /// The text of something to return.
    fn result_value(&mut self, ty: &Type) -> String {
        self.written = 0;
        match ty {
            Type::Struct(index) => self.struct_value(*index, 1).text,
            Type::Float | Type::Double => self.floating(2).text,
            _ => self.integer(2).text,
        }
    }

    /// The one call of itself that a recursive function makes.
    fn recurse(&mut self, function: &Function) {
        let mut arguments = vec![format!("{} - 1", function.parameters[0].name)];
        for parameter in &function.parameters[1..] {
            arguments.push(match &parameter.ty {
                Type::Struct(index) => self.struct_value(*index, 0).argument(),
                Type::Float | Type::Double => self.floating(1).argument(),
                Type::Pointer(_) => parameter.name.clone(),
                _ => self.pure_integer(1).argument(),
            });
        }
        let call = format!("{}({})", function.name, arguments.join(", "));
        let name = self.local_name("x");
        let declared = self.declared(&function.result, &name);
        self.line(format!("{declared} = {call};"));
        let variable = Variable::private(&name, function.result.clone(), &mut self.scope);
        self.scope.declare(variable);
        if self.folding {
            self.fold(&name, &function.result);
        }
    }

    /// A table of pointers to all functions with the signature of one of them.
    pub(crate) fn declare_table(&mut self) {
        if self.functions.is_empty() {
            return;
        }
        let representative = self.random.below(self.functions.len() as u64) as usize;
        let model = self.functions[representative].clone();
        if model.old_style {
            return;
        }
        let members: Vec<String> =
            self.functions.iter().filter(|f| f.same_signature(&model)).map(|f| f.name.clone()).collect();
        let size = 1 + self.random.below(4) as u32;
        let mut entries = Vec::new();
        for _ in 0..size {
            let member = self.random.pick(&members).clone();
            entries.push(if self.chance(30) { format!("&{member}") } else { member });
        }
        let name = self.global_name("t");
        let mut types = Vec::new();
        for parameter in &model.parameters {
            types.push(self.declared(&parameter.ty, ""));
        }
        let list = if types.is_empty() { "void".to_string() } else { types.join(", ") };
        let declared = self.declared(&model.result, &format!("(*{name}[{size}])({list})"));
        self.line(format!("static {declared} = {{{}}};", entries.join(", ")));
        self.tables.push((name, size, representative));
    }

    /// `program` runs everything and returns the checksum; `main` returns what `program` does.
    pub(crate) fn define_program(&mut self, statements: u32) {
        let p = self.config.prefix.clone();
        self.cost = 1;
        self.line(format!("unsigned {p}program(void)"));
        self.open("{");
        self.scope.enter();
        self.statements(statements);
        for index in 0..self.functions.len() {
            self.call_and_fold(index);
        }
        for variable in self.scope.visible().into_iter().cloned().collect::<Vec<_>>() {
            if variable.depth > 0 {
                self.fold(&variable.name, &variable.ty);
            }
        }
        for variable in self.scope.globals() {
            // A local of the same name would be folded instead; the generator gives globals names of their own.
            self.fold(&variable.name, &variable.ty);
        }
        self.scope.leave();
        self.line(format!("return {p}checksum;"));
        self.close("}");
        self.line(format!("int {p}main(void) {{ return (int){p}program(); }}"));
    }

    /// Calls a function once more, if its arguments can be found and there is time.
    fn call_and_fold(&mut self, index: usize) {
        let function = self.functions[index].clone();
        if function.cost > self.work_left() {
            return;
        }
        self.written = 20;
        let Some(call) = self.call_of(index) else { return };
        let name = self.local_name("x");
        let declared = self.declared(&function.result, &name);
        self.line(format!("{declared} = {call};"));
        self.fold(&name, &function.result);
    }

    /// Whether a type can be the subject of a `switch`.
    pub(crate) fn switchable(kind: Int) -> bool {
        !matches!(kind, Int::Int128 | Int::UInt128 | Int::Bool)
    }
}
