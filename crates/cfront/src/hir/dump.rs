//! The typed tree as compact text, for tests.
//!
//! The text reads like C with everything made explicit: `(long)x` is a conversion, `p +[4] i` adds `i`
//! elements of four bytes, `*(p)` is a place reached through a pointer, `s.@8` a member at offset 8 and
//! `s.@0:3+5` five bits from bit 3. Names that occur more than once carry the number of the variable.

use std::fmt::Write;

use super::{
    BinaryOp, Callee, CompareOp, Expr, ExprKind, IncrementResult, Init, Place, PlaceKind, Size, Stmt, StmtKind,
    StorageKind, SwitchCase, TypeKind, Unit, VarId,
};

impl Unit {
    /// Static variables and functions with everything in them.
    pub fn dump(&self) -> String {
        let mut dump = Dump { unit: self, text: String::new(), depth: 0 };
        for (var, variable) in self.vars.iter_enumerated() {
            if matches!(variable.storage, StorageKind::Static | StorageKind::Thread) {
                if let Some(target) = variable.alias_of {
                    dump.line(&format!("{} is {}", dump.variable(var), dump.variable(target)));
                    continue;
                }
                let external = if variable.defined { "" } else { "extern " };
                let ty = self.types.display(variable.ty);
                let mut line = format!("{external}{}: {ty}", dump.variable(var));
                if let Some(init) = &variable.init {
                    let _ = write!(line, " = {}", dump.init(init));
                }
                dump.line(&line);
            }
        }
        for function in self.functions.iter() {
            if let Some(target) = function.alias_of {
                dump.line(&format!("{} is {}", function.name, self.functions[target].name));
            }
            let Some(body) = &function.body else { continue };
            let params: Vec<String> = function.params.iter().map(|&param| dump.declared(param)).collect();
            let result = match self.types.kind(function.ty) {
                TypeKind::Function { result, .. } => self.types.display(*result),
                _ => "?".to_owned(),
            };
            dump.line(&format!("{}({}) {result} {{", function.name, params.join(", ")));
            dump.statements(body);
            dump.line("}");
        }
        dump.text
    }
}

struct Dump<'u> {
    unit: &'u Unit,
    text: String,
    depth: usize,
}

impl Dump<'_> {
    fn line(&mut self, line: &str) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn variable(&self, var: VarId) -> String {
        let name = &self.unit.vars[var].name;
        let alone = self.unit.vars.iter().filter(|other| other.name == *name).count() == 1;
        if alone { name.clone() } else { format!("{name}#{}", base::Id::index(var)) }
    }

    fn declared(&self, var: VarId) -> String {
        let mark = if self.unit.vars[var].address_taken { "&" } else { "" };
        format!("{mark}{}: {}", self.variable(var), self.unit.types.display(self.unit.vars[var].ty))
    }

    fn init(&self, init: &Init) -> String {
        let mut pieces = Vec::new();
        for piece in &init.pieces {
            let mut text = format!("@{}", piece.offset);
            if let Some(bits) = piece.bits {
                let _ = write!(text, ":{}+{}", bits.first, bits.width);
            }
            if piece.repeat > 1 {
                let _ = write!(text, " x{}/{}", piece.repeat, piece.stride);
            }
            pieces.push(format!("{text} {}", self.expr(&piece.value)));
        }
        format!("{{{}}}", pieces.join(", "))
    }

    fn statements(&mut self, statements: &[Stmt]) {
        self.depth += 1;
        for statement in statements {
            self.statement(statement);
        }
        self.depth -= 1;
    }

    fn nested(&mut self, head: &str, body: &[Stmt]) {
        self.line(&format!("{head} {{"));
        self.statements(body);
        self.line("}");
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) => {
                let text = self.expr(expr);
                self.line(&text);
            }
            StmtKind::Declare(var, init) => {
                let mut text = format!("var {}", self.declared(*var));
                if let Some(init) = init {
                    let _ = write!(text, " = {}", self.init(init));
                }
                self.line(&text);
            }
            StmtKind::Block(body) => self.nested("block", body),
            StmtKind::If { arms, otherwise } => {
                for (number, (condition, body, _)) in arms.iter().enumerate() {
                    let word = if number == 0 { "if" } else { "else if" };
                    let head = format!("{word} {}", self.expr(condition));
                    self.nested(&head, body);
                }
                if !otherwise.is_empty() {
                    self.nested("else", otherwise);
                }
            }
            StmtKind::While { condition, body } => {
                let head = format!("while {}", self.expr(condition));
                self.nested(&head, body);
            }
            StmtKind::DoWhile { body, condition } => {
                let head = format!("do-while {}", self.expr(condition));
                self.nested(&head, body);
            }
            StmtKind::For { init, condition, step, body } => {
                self.line("for");
                self.statements(init);
                let condition = condition.as_ref().map_or(String::new(), |e| self.expr(e));
                let step = step.as_ref().map_or(String::new(), |e| self.expr(e));
                self.nested(&format!("; {condition}; {step}"), body);
            }
            StmtKind::Switch { value, cases, body } => {
                let head = format!("switch {}", self.expr(value));
                let cases: Vec<String> = cases
                    .iter()
                    .map(|case| match case {
                        SwitchCase::Value(value) => value.to_string(),
                        SwitchCase::Range(low, high) => format!("{low}...{high}"),
                        SwitchCase::Default => "default".to_owned(),
                    })
                    .collect();
                self.nested(&format!("{head} [{}]", cases.join(", ")), body);
            }
            StmtKind::Case(number) => self.line(&format!("case #{number}:")),
            StmtKind::Label(label) => self.line(&format!("label {label:?}:")),
            StmtKind::Goto(label) => self.line(&format!("goto {label:?}")),
            StmtKind::GotoComputed(target) => {
                let text = format!("goto *{}", self.expr(target));
                self.line(&text);
            }
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Return(None) => self.line("return"),
            StmtKind::Return(Some(value)) => {
                let text = format!("return {}", self.expr(value));
                self.line(&text);
            }
            StmtKind::Asm { template, outputs, memory, inputs, writes_memory } => {
                let mut outputs: Vec<String> = outputs.iter().map(|place| self.place(place)).collect();
                outputs.extend(memory.iter().map(|address| format!("*{}", self.expr(address))));
                let inputs: Vec<String> = inputs.iter().map(|input| self.expr(input)).collect();
                let memory = if *writes_memory { " memory" } else { "" };
                let text = format!("asm {template:?} -> {} <- {}{memory}", outputs.join(", "), inputs.join(", "));
                self.line(&text);
            }
        }
    }

    fn place(&self, place: &Place) -> String {
        let text = match &place.kind {
            PlaceKind::Var(var) => self.variable(*var),
            PlaceKind::Deref(pointer) => format!("*({})", self.expr(pointer)),
            PlaceKind::Field { base, offset, bits: None } => format!("{}.@{offset}", self.place(base)),
            PlaceKind::Field { base, offset, bits: Some(bits) } => {
                format!("{}.@{offset}:{}+{}", self.place(base), bits.first, bits.width)
            }
            PlaceKind::String(string) => {
                format!("{:?}", String::from_utf8_lossy(&self.unit.strings[*string].bytes))
            }
            PlaceKind::CompoundLiteral { init, .. } => {
                format!("({}){}", self.unit.types.display(place.ty), self.init(init))
            }
            PlaceKind::Temporary(value) => format!("temporary({})", self.expr(value)),
        };
        if place.is_volatile { format!("volatile {text}") } else { text }
    }

    fn size(&self, size: &Size) -> String {
        match size {
            Size::Known(size) => size.to_string(),
            Size::Variable(var, 1) => self.variable(*var),
            Size::Variable(var, unit) => format!("{unit} * {}", self.variable(*var)),
        }
    }

    fn list(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    /// Long: one `match` over all expressions.
    fn expr(&self, expr: &Expr) -> String {
        let ty = || self.unit.types.display(expr.ty);
        match &expr.kind {
            ExprKind::Integer(value) => format!("{value}{}", self.suffix(expr)),
            ExprKind::Float(value) => format!("{value:?}{}", self.suffix(expr)),
            ExprKind::WideFloat(bits) => format!("{bits:#x}{}", self.suffix(expr)),
            ExprKind::Read(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::AddressOfFunction(function) => format!("&{}", self.unit.functions[*function].name),
            ExprKind::Neg(inner) => format!("-{}", self.expr(inner)),
            ExprKind::BitNot(inner) => format!("~{}", self.expr(inner)),
            ExprKind::Not(inner) => format!("!{}", self.expr(inner)),
            ExprKind::Binary(op, left, right) => {
                format!("({} {} {})", self.expr(left), operator(*op), self.expr(right))
            }
            ExprKind::Compare(op, left, right) => {
                let op = match op {
                    CompareOp::Lt => "<",
                    CompareOp::Le => "<=",
                    CompareOp::Gt => ">",
                    CompareOp::Ge => ">=",
                    CompareOp::Eq => "==",
                    CompareOp::Ne => "!=",
                };
                format!("({} {op} {})", self.expr(left), self.expr(right))
            }
            ExprKind::PtrAdd { pointer, index, element_size, negative } => {
                let sign = if *negative { '-' } else { '+' };
                format!("({} {sign}[{}] {})", self.expr(pointer), self.size(element_size), self.expr(index))
            }
            ExprKind::PtrDiff { left, right, element_size } => {
                format!("({} -[{}] {})", self.expr(left), self.size(element_size), self.expr(right))
            }
            ExprKind::Cast(inner) => format!("({}){}", ty(), self.expr(inner)),
            ExprKind::Assign(place, value) => format!("({} = {})", self.place(place), self.expr(value)),
            ExprKind::AssignOp { op, place, value, compute } => {
                let compute = self.unit.types.display(*compute);
                format!("({} {}=<{compute}> {})", self.place(place), operator(*op), self.expr(value))
            }
            ExprKind::AssignPtrAdd { place, index, element_size, negative } => {
                let sign = if *negative { '-' } else { '+' };
                format!("({} {sign}=[{}] {})", self.place(place), self.size(element_size), self.expr(index))
            }
            ExprKind::Increment { place, step, element_size, result } => {
                let op = if *step > 0 { "++" } else { "--" };
                let size = element_size.as_ref().map_or(String::new(), |size| format!("[{}]", self.size(size)));
                match result {
                    IncrementResult::New => format!("{op}{size}{}", self.place(place)),
                    IncrementResult::Old => format!("{}{op}{size}", self.place(place)),
                }
            }
            ExprKind::And(left, right) => format!("({} && {})", self.expr(left), self.expr(right)),
            ExprKind::Or(left, right) => format!("({} || {})", self.expr(left), self.expr(right)),
            ExprKind::Conditional(condition, then, otherwise) => {
                format!("({} ? {} : {})", self.expr(condition), self.expr(then), self.expr(otherwise))
            }
            ExprKind::Elvis(first, otherwise) => format!("({} ?: {})", self.expr(first), self.expr(otherwise)),
            ExprKind::Comma(left, right) => format!("({}, {})", self.expr(left), self.expr(right)),
            ExprKind::Call { callee, args } => match callee {
                Callee::Direct(function) => {
                    format!("{}({})", self.unit.functions[*function].name, self.list(args))
                }
                Callee::Pointer(pointer) => format!("(*{})({})", self.expr(pointer), self.list(args)),
            },
            ExprKind::StmtExpr(statements, value) => {
                let mut inner = Dump { unit: self.unit, text: String::new(), depth: 0 };
                for statement in statements {
                    inner.statement(statement);
                }
                let text = inner.text.trim_end().replace('\n', "; ");
                let value = value.as_ref().map_or(String::new(), |value| self.expr(value));
                format!("({{ {text}; {value} }})")
            }
            ExprKind::VaArg(place) => format!("va_arg({}, {})", self.place(place), ty()),
            ExprKind::VaStart(place) => format!("va_start({})", self.place(place)),
            ExprKind::VaCopy(to, from) => format!("va_copy({}, {})", self.place(to), self.place(from)),
            ExprKind::Builtin(builtin, args) => format!("{builtin:?}({})", self.list(args)),
            ExprKind::LabelAddress(label) => format!("&&{label:?}"),
            ExprKind::Unsupported(what) => format!("unsupported({what})"),
        }
    }

    /// Nothing for `int` and `double`, else the type.
    fn suffix(&self, expr: &Expr) -> String {
        let ty = self.unit.types.display(expr.ty);
        if ty == "int" || ty == "double" { String::new() } else { format!(":{ty}") }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
    }
}
