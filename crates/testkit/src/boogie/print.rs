//! Programs as Boogie text, one condition or statement a line, with as few parentheses as the grammar allows.

use super::{Body, Clause, Expr, Kind, Op, Procedure, Program, Ref, Stmt, Type, Var};

/// The text, and for each id the line on which it stands.
pub struct Printed {
    /// Boogie.
    pub text: String,
    /// Lines by id, counted from one.
    pub lines: Vec<(usize, u32)>,
}

/// Writes the program.
pub fn print(program: &Program) -> Printed {
    let mut printer = Printer { program, text: String::new(), lines: Vec::new(), locals: Vec::new() };
    printer.program();
    Printed { text: printer.text, lines: printer.lines }
}

struct Printer<'a> {
    program: &'a Program,
    text: String,
    lines: Vec<(usize, u32)>,
    /// Names of the parameters, results and locals of the procedure.
    locals: Vec<String>,
}

fn type_text(ty: Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Bits(width) => format!("bv{width}"),
        Type::Map => "[bv1]bool".to_owned(),
        Type::Elem => "A".to_owned(),
    }
}

/// `m := m[i := v]` as `m[i] := v`.
fn as_cell(pairs: &[(Ref, Expr)]) -> Option<(Ref, &Expr, &Expr)> {
    match pairs {
        [(var, Expr::Write(map, index, value))] if **map == Expr::Ref(*var) => Some((*var, index, value)),
        _ => None,
    }
}

/// How strongly an operator binds; `&&` and `||` do not mix.
fn strength(op: Op) -> u32 {
    match op {
        Op::Iff => 1,
        Op::Implies | Op::Explies => 2,
        Op::And | Op::Or => 3,
        Op::Eq | Op::Ne => 4,
        Op::Concat => 5,
    }
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }
    /// A line that `id` stands on.
    fn marked(&mut self, id: usize, text: &str) {
        let line = self.text.matches('\n').count() as u32 + 1;
        self.lines.push((id, line));
        self.line(text);
    }
    fn program(&mut self) {
        let program = self.program;
        self.line("type A;");
        self.line("function {:bvbuiltin \"bvadd\"} add(bv2, bv2) returns (bv2);");
        self.line("function {:bvbuiltin \"bvult\"} less(bv2, bv2) returns (bool);");
        self.line("function neither(a: bool, b: bool): bool { !(a || b) }");
        for function in &program.functions {
            let (param, result) = (type_text(function.param), type_text(function.result));
            self.line(&format!("function {}(x: {param}): {result};", function.name));
        }
        for (number, constant) in program.consts.iter().enumerate() {
            let unique = if number < program.n_unique { "unique " } else { "" };
            self.line(&format!("const {unique}{}: {};", constant.name, type_text(constant.ty)));
        }
        for axiom in &program.axioms {
            let axiom = self.expr(axiom);
            self.line(&format!("axiom {axiom};"));
        }
        for global in &program.globals {
            let decl = self.decl(global);
            self.line(&format!("var {decl};"));
        }
        for procedure in &program.procedures {
            self.procedure(procedure);
        }
    }
    fn decl(&self, var: &Var) -> String {
        let restriction = var.restriction.as_ref().map_or(String::new(), |e| format!(" where {}", self.expr(e)));
        format!("{}: {}{restriction}", var.name, type_text(var.ty))
    }
    fn interface(&self, procedure: &Procedure, with_where: bool) -> String {
        let one = |var: &Var| match with_where {
            true => self.decl(var),
            false => format!("{}: {}", var.name, type_text(var.ty)),
        };
        let list = |vars: &[Var]| vars.iter().map(one).collect::<Vec<_>>().join(", ");
        let results = match procedure.results.is_empty() {
            true => String::new(),
            false => format!(" returns ({})", list(&procedure.results)),
        };
        format!("{}({}){results}", procedure.name, list(&procedure.params))
    }
    fn procedure(&mut self, procedure: &Procedure) {
        self.locals = procedure.interface().map(|var| var.name.clone()).collect();
        let inline = if procedure.inline { "{:inline 1} " } else { "" };
        let head = self.interface(procedure, true);
        let is_together = procedure.bodies.len() == 1;
        self.line(&format!("procedure {inline}{head}{}", if is_together { "" } else { ";" }));
        for (word, clauses) in [("requires", &procedure.requires), ("ensures", &procedure.ensures)] {
            self.clauses(word, clauses);
        }
        if !procedure.modifies.is_empty() {
            let names: Vec<&str> =
                procedure.modifies.iter().map(|&global| self.program.globals[global].name.as_str()).collect();
            self.line(&format!("modifies {};", names.join(", ")));
        }
        for body in &procedure.bodies {
            if !is_together {
                let head = self.interface(procedure, false);
                self.line(&format!("implementation {inline}{head}"));
            }
            self.body(body);
        }
    }
    fn clauses(&mut self, word: &str, clauses: &[Clause]) {
        for clause in clauses {
            let free = if clause.free { "free " } else { "" };
            let holds = self.expr(&clause.holds);
            self.marked(clause.id, &format!("{free}{word} {holds};"));
        }
    }
    fn body(&mut self, body: &Body) {
        let n_interface = self.locals.len();
        self.locals.extend(body.locals.iter().map(|var| var.name.clone()));
        self.line("{");
        for local in &body.locals {
            let decl = self.decl(local);
            self.line(&format!("var {decl};"));
        }
        self.block(&body.block);
        self.line("}");
        self.locals.truncate(n_interface);
    }
    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.statement(stmt);
        }
    }
    fn statement(&mut self, Stmt { kind, id }: &Stmt) {
        let guard = |printer: &Self, e: &Option<Expr>| e.as_ref().map_or("*".to_owned(), |e| printer.expr(e));
        let text = match kind {
            Kind::Assert(e) => format!("assert {};", self.expr(e)),
            Kind::Assume(e) => format!("assume {};", self.expr(e)),
            Kind::Havoc(vars) => {
                let names: Vec<String> = vars.iter().map(|&var| self.name(var)).collect();
                format!("havoc {};", names.join(", "))
            }
            Kind::Assign(pairs) if as_cell(pairs).is_some() => {
                let (var, index, value) = as_cell(pairs).expect("it was just looked at");
                format!("{}[{}] := {};", self.name(var), self.expr(index), self.expr(value))
            }
            Kind::Assign(pairs) => {
                let names: Vec<String> = pairs.iter().map(|(var, _)| self.name(*var)).collect();
                let values: Vec<String> = pairs.iter().map(|(_, value)| self.expr(value)).collect();
                format!("{} := {};", names.join(", "), values.join(", "))
            }
            Kind::Call { results, procedure, args } => {
                let names: Vec<String> = results.iter().map(|&var| self.name(var)).collect();
                let receives = if names.is_empty() { String::new() } else { format!("{} := ", names.join(", ")) };
                let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                format!("call {receives}{}({});", self.program.procedures[*procedure].name, args.join(", "))
            }
            Kind::If(condition, then, otherwise) => {
                let guard = guard(self, condition);
                self.line(&format!("if ({guard}) {{"));
                self.block(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.block(otherwise);
                }
                "}".to_owned()
            }
            Kind::While(condition, invariants, body) => {
                let guard = guard(self, condition);
                self.line(&format!("while ({guard})"));
                self.clauses("invariant", invariants);
                self.line("{");
                self.block(body);
                "}".to_owned()
            }
            Kind::Break => "break;".to_owned(),
            Kind::Return => "return;".to_owned(),
            Kind::Label(name) => format!("{name}:"),
            Kind::Goto(names) => format!("goto {};", names.join(", ")),
        };
        self.marked(*id, &text);
    }
    fn name(&self, var: Ref) -> String {
        match var {
            Ref::Global(number) => self.program.globals[number].name.clone(),
            Ref::Local(number) => self.locals[number].clone(),
            Ref::Const(number) => self.program.consts[number].name.clone(),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        self.within(expr, 0)
    }
    /// The expression as an operand that must bind at least this strongly.
    fn within(&self, expr: &Expr, weakest: u32) -> String {
        let call = |name: &str, args: &[&Expr]| {
            let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
            format!("{name}({})", args.join(", "))
        };
        match expr {
            Expr::Truth(truth) => truth.to_string(),
            Expr::Bits(value, width) => format!("{value}bv{width}"),
            Expr::Ref(var) => self.name(*var),
            Expr::Old(e) => call("old", &[e]),
            Expr::Not(e) => format!("!{}", self.within(e, 9)),
            Expr::Add(a, b) => call("add", &[a, b]),
            Expr::Less(a, b) => call("less", &[a, b]),
            Expr::Neither(a, b) => call("neither", &[a, b]),
            Expr::Apply(function, arg) => call(&self.program.functions[*function].name, &[arg]),
            Expr::Read(map, index) => format!("{}[{}]", self.within(map, 10), self.expr(index)),
            Expr::Write(map, index, value) => {
                format!("{}[{} := {}]", self.within(map, 10), self.expr(index), self.expr(value))
            }
            Expr::Bit(e, at) => format!("{}[{}:{at}]", self.within(e, 10), at + 1),
            Expr::Ite(c, a, b) => {
                format!("(if {} then {} else {})", self.expr(c), self.expr(a), self.expr(b))
            }
            Expr::Binary(op, a, b) => {
                let own = strength(*op);
                // A chain of one operator needs no parentheses on the side to which it groups.
                let is_chain = |e: &Expr| matches!(e, Expr::Binary(other, ..) if other == op);
                let (left, right) = match op {
                    Op::And | Op::Or | Op::Iff | Op::Concat | Op::Explies if is_chain(a) => (own, own + 1),
                    Op::Implies if is_chain(b) => (own + 1, own),
                    _ => (own + 1, own + 1),
                };
                let sign = match op {
                    Op::Iff => "<==>",
                    Op::Implies => "==>",
                    Op::Explies => "<==",
                    Op::And => "&&",
                    Op::Or => "||",
                    Op::Eq => "==",
                    Op::Ne => "!=",
                    Op::Concat => "++",
                };
                let text = format!("{} {sign} {}", self.within(a, left), self.within(b, right));
                if own < weakest { format!("({text})") } else { text }
            }
        }
    }
}
