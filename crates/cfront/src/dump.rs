//! The syntax tree as compact text, one line per item, for tests.
//!
//! `int *a[3] = {1};` is `(decl int (a array[3] ptr) = {1})`. Parts of a declarator read from the
//! name outwards, as they stand in the tree. Printing recurses as deeply as the tree is.

use std::fmt::Write;

use crate::ast::*;

/// All items, one line each.
pub fn dump(ast: &Ast) -> String {
    let mut printer = Printer { ast, out: String::new() };
    for item in &ast.items {
        match item {
            Item::Function(function) => printer.function(function),
            Item::Declaration(declaration) => printer.declaration(declaration),
            Item::StaticAssert(assertion) => printer.static_assert(assertion),
            Item::Asm(..) => printer.put("(asm)"),
        }
        printer.put("\n");
    }
    printer.out
}

struct Printer<'a> {
    ast: &'a Ast,
    out: String,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, name: Name) {
        let text = &self.ast.names[name];
        self.out.push_str(text);
    }

    fn tag(&mut self, tag: Option<Name>) {
        match tag {
            Some(tag) => self.name(tag),
            None => self.put("_"),
        }
    }

    fn function(&mut self, function: &FunctionDef) {
        self.put("(fn ");
        self.specifiers(&function.specifiers);
        self.put(" ");
        self.declarator(&function.declarator);
        for declaration in &function.old_style {
            self.put(" ");
            self.declaration(declaration);
        }
        self.put(" ");
        self.statement(function.body);
        self.put(")");
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.put("(decl ");
        self.specifiers(&declaration.specifiers);
        for init in &declaration.declarators {
            self.put(" ");
            self.declarator(&init.declarator);
            if let Some(asm_name) = &init.asm_name {
                let _ = write!(self.out, " asm {asm_name}");
            }
            self.attributes(&init.attributes);
            if let Some(init) = &init.init {
                self.put(" = ");
                self.init(init);
            }
        }
        self.put(")");
    }

    fn static_assert(&mut self, assertion: &StaticAssert) {
        self.put("(assert ");
        self.expr(assertion.condition);
        if let Some(message) = &assertion.message {
            let _ = write!(self.out, " {message:?}");
        }
        self.put(")");
    }

    fn specifiers(&mut self, specifiers: &Specifiers) {
        let storage = specifiers.storage;
        for (set, word) in [
            (storage.typedef, "typedef "),
            (storage.external, "extern "),
            (storage.statik, "static "),
            (storage.auto, "auto "),
            (storage.register, "register "),
            (storage.thread_local, "thread "),
            (storage.inline, "inline "),
            (storage.noreturn, "noreturn "),
        ] {
            if set {
                self.put(word);
            }
        }
        self.qualifiers(specifiers.qualifiers);
        for align in &specifiers.align_as {
            self.put("align(");
            self.size_arg(align);
            self.put(") ");
        }
        self.base(&specifiers.base);
        self.attributes(&specifiers.attributes);
    }

    fn qualifiers(&mut self, qualifiers: Qualifiers) {
        for (set, word) in [
            (qualifiers.constant, "const "),
            (qualifiers.volatile, "volatile "),
            (qualifiers.restrict, "restrict "),
            (qualifiers.atomic, "atomic "),
        ] {
            if set {
                self.put(word);
            }
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            let _ = write!(self.out, " @{}", attribute.name);
            if !attribute.args.is_empty() {
                self.exprs("(", &attribute.args, ")");
            }
        }
    }

    fn base(&mut self, base: &BaseType) {
        match base {
            BaseType::Void => self.put("void"),
            BaseType::Bool => self.put("_Bool"),
            BaseType::Char => self.put("char"),
            BaseType::SignedChar => self.put("schar"),
            BaseType::UnsignedChar => self.put("uchar"),
            BaseType::Short => self.put("short"),
            BaseType::UnsignedShort => self.put("ushort"),
            BaseType::Int => self.put("int"),
            BaseType::UnsignedInt => self.put("uint"),
            BaseType::Long => self.put("long"),
            BaseType::UnsignedLong => self.put("ulong"),
            BaseType::LongLong => self.put("llong"),
            BaseType::UnsignedLongLong => self.put("ullong"),
            BaseType::Int128 => self.put("int128"),
            BaseType::UnsignedInt128 => self.put("uint128"),
            BaseType::Float => self.put("float"),
            BaseType::Double => self.put("double"),
            BaseType::LongDouble => self.put("ldouble"),
            BaseType::Float128 => self.put("float128"),
            BaseType::Complex(of) => {
                self.put("complex ");
                self.base(of);
            }
            BaseType::ImplicitInt => self.put("implicit"),
            BaseType::Typedef(name) => self.name(*name),
            BaseType::Record(record) => self.record(*record),
            BaseType::Enum(enumeration) => self.enumeration(*enumeration),
            BaseType::TypeofExpr(expr) => {
                self.put("typeof(");
                self.expr(*expr);
                self.put(")");
            }
            BaseType::TypeofUnqual(_) => self.put("typeof_unqual"),
            BaseType::TypeofType(ty) => {
                self.put("typeof(");
                self.type_name(ty);
                self.put(")");
            }
            BaseType::AutoType => self.put("auto_type"),
            BaseType::VaList => self.put("va_list"),
            BaseType::Atomic(ty) => {
                self.put("atomic(");
                self.type_name(ty);
                self.put(")");
            }
        }
    }

    fn record(&mut self, record: RecordId) {
        let record = &self.ast.records[record];
        self.put(if record.is_union { "(union " } else { "(struct " });
        self.tag(record.tag);
        self.attributes(&record.attributes);
        if let Some(pack) = record.pack {
            let _ = write!(self.out, " pack {pack}");
        }
        if let Some(members) = &record.members {
            self.put(" {");
            for (i, member) in members.iter().enumerate() {
                self.put(if i == 0 { "" } else { "; " });
                match member {
                    Member::StaticAssert(assertion) => self.static_assert(assertion),
                    Member::Fields { specifiers, declarators } => {
                        self.specifiers(specifiers);
                        for field in declarators {
                            self.put(" ");
                            self.declarator(&field.declarator);
                            if let Some(width) = field.width {
                                self.put(":");
                                self.expr(width);
                            }
                            self.attributes(&field.attributes);
                        }
                    }
                }
            }
            self.put("}");
        }
        self.put(")");
    }

    fn enumeration(&mut self, enumeration: EnumId) {
        let enumeration = &self.ast.enums[enumeration];
        self.put("(enum ");
        self.tag(enumeration.tag);
        if let Some(underlying) = &enumeration.underlying {
            self.put(" : ");
            self.specifiers(underlying);
        }
        self.attributes(&enumeration.attributes);
        if let Some(enumerators) = &enumeration.enumerators {
            self.put(" {");
            for (i, &(name, value, _)) in enumerators.iter().enumerate() {
                self.put(if i == 0 { "" } else { " " });
                self.name(name);
                if let Some(value) = value {
                    self.put("=");
                    self.expr(value);
                }
            }
            self.put("}");
        }
        self.put(")");
    }

    fn declarator(&mut self, declarator: &Declarator) {
        if declarator.parts.is_empty() && declarator.attributes.is_empty() {
            return self.tag(declarator.name);
        }
        self.put("(");
        self.tag(declarator.name);
        for part in &declarator.parts {
            self.put(" ");
            match part {
                DeclaratorPart::Pointer(qualifiers) => {
                    self.qualifiers(*qualifiers);
                    self.put("ptr");
                }
                DeclaratorPart::Array { length, qualifiers } => {
                    self.qualifiers(*qualifiers);
                    self.put("array[");
                    match length {
                        ArrayLength::None => {}
                        ArrayLength::Star => self.put("*"),
                        ArrayLength::Expr(expr) => self.expr(*expr),
                    }
                    self.put("]");
                }
                DeclaratorPart::Function { params, variadic, old_style, empty } => {
                    self.put("func(");
                    for (i, param) in params.iter().enumerate() {
                        self.put(if i == 0 { "" } else { ", " });
                        self.specifiers(&param.specifiers);
                        self.put(" ");
                        self.declarator(&param.declarator);
                        self.attributes(&param.attributes);
                    }
                    for (i, &(name, _)) in old_style.iter().enumerate() {
                        self.put(if i == 0 { "old " } else { " " });
                        self.name(name);
                    }
                    self.put(if *variadic { " ..." } else { "" });
                    self.put(if *empty { "?" } else { "" });
                    self.put(")");
                }
            }
        }
        self.attributes(&declarator.attributes);
        self.put(")");
    }

    fn type_name(&mut self, ty: &TypeName) {
        self.specifiers(&ty.specifiers);
        if !ty.declarator.parts.is_empty() {
            self.put(" ");
            self.declarator(&ty.declarator);
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(expr) => self.expr(*expr),
            Init::List(items, _) => {
                self.put("{");
                for (i, item) in items.iter().enumerate() {
                    self.put(if i == 0 { "" } else { ", " });
                    self.designators(&item.designators);
                    self.put(if item.designators.is_empty() { "" } else { "=" });
                    self.init(&item.init);
                }
                self.put("}");
            }
        }
    }

    fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Field(name, _) => {
                    self.put(".");
                    self.name(*name);
                }
                Designator::Index(index) => self.exprs("[", &[*index], "]"),
                Designator::Range(first, last) => {
                    self.exprs("[", &[*first], " ... ");
                    self.exprs("", &[*last], "]");
                }
            }
        }
    }

    fn exprs(&mut self, open: &str, exprs: &[ExprId], close: &str) {
        self.put(open);
        for (i, &expr) in exprs.iter().enumerate() {
            self.put(if i == 0 { "" } else { " " });
            self.expr(expr);
        }
        self.put(close);
    }

    fn size_arg(&mut self, arg: &SizeArg) {
        match arg {
            SizeArg::Expr(expr) => self.expr(*expr),
            SizeArg::Type(ty) => {
                self.put("type ");
                self.type_name(ty);
            }
        }
    }

    /// Long: one `match` over all expressions.
    fn expr(&mut self, expr: ExprId) {
        match &self.ast.exprs[expr].kind {
            ExprKind::Name(name) => self.name(*name),
            ExprKind::Integer { value, unsigned, longs, .. } => {
                let suffix = ["", "l", "ll"][usize::from(*longs)];
                let _ = write!(self.out, "{value}{}{suffix}", if *unsigned { "u" } else { "" });
            }
            ExprKind::Float { value, suffix, .. } => {
                let suffix = match suffix {
                    FloatSuffix::None => "",
                    FloatSuffix::F => "f",
                    FloatSuffix::L => "L",
                    FloatSuffix::Q => "Q",
                };
                let _ = write!(self.out, "{value:?}{suffix}");
            }
            ExprKind::Char { value, encoding } => {
                let _ = write!(self.out, "{}'{value}'", prefix(*encoding));
            }
            ExprKind::String { units, encoding } => {
                let text: String = units.iter().map(|&unit| char::from_u32(unit).unwrap_or('\u{fffd}')).collect();
                let _ = write!(self.out, "{}{text:?}", prefix(*encoding));
            }
            ExprKind::Unary(op, operand) => {
                let _ = write!(self.out, "({op:?} ");
                self.exprs("", &[*operand], ")");
            }
            ExprKind::Binary(op, left, right) => {
                let _ = write!(self.out, "({op:?} ");
                self.exprs("", &[*left, *right], ")");
            }
            ExprKind::Assign(None, left, right) => self.exprs("(Set ", &[*left, *right], ")"),
            ExprKind::Assign(Some(op), left, right) => {
                let _ = write!(self.out, "(Set{op:?} ");
                self.exprs("", &[*left, *right], ")");
            }
            ExprKind::Conditional(condition, Some(middle), last) => {
                self.exprs("(Cond ", &[*condition, *middle, *last], ")");
            }
            ExprKind::Conditional(condition, None, last) => self.exprs("(Elvis ", &[*condition, *last], ")"),
            ExprKind::Call(callee, args) => {
                self.put("(Call ");
                self.expr(*callee);
                for &arg in args {
                    self.put(" ");
                    self.expr(arg);
                }
                self.put(")");
            }
            ExprKind::Member { base, field, arrow } => {
                self.put("(");
                self.expr(*base);
                self.put(if *arrow { "->" } else { "." });
                self.name(*field);
                self.put(")");
            }
            ExprKind::Index(base, index) => self.exprs("(Index ", &[*base, *index], ")"),
            ExprKind::Cast(ty, operand) => {
                self.put("(Cast ");
                self.type_name(ty);
                self.exprs(" ", &[*operand], ")");
            }
            ExprKind::CompoundLiteral(ty, init) => {
                self.put("(Literal ");
                self.type_name(ty);
                self.put(" ");
                self.init(init);
                self.put(")");
            }
            ExprKind::Sizeof(arg) => {
                self.put("(Sizeof ");
                self.size_arg(arg);
                self.put(")");
            }
            ExprKind::Alignof(arg) => {
                self.put("(Alignof ");
                self.size_arg(arg);
                self.put(")");
            }
            ExprKind::StmtExpr(body) => {
                self.put("(StmtExpr ");
                self.statement(*body);
                self.put(")");
            }
            ExprKind::Generic { control, arms } => {
                self.exprs("(Generic ", &[*control], "");
                for (ty, value) in arms {
                    self.put(" [");
                    match ty {
                        Some(ty) => self.type_name(ty),
                        None => self.put("default"),
                    }
                    self.exprs(": ", &[*value], "]");
                }
                self.put(")");
            }
            ExprKind::LabelAddress(label) => {
                self.put("&&");
                self.name(*label);
            }
            ExprKind::VaArg(list, ty) => {
                self.exprs("(VaArg ", &[*list], " ");
                self.type_name(ty);
                self.put(")");
            }
            ExprKind::Offsetof(ty, path) => {
                self.put("(Offsetof ");
                self.type_name(ty);
                self.put(" ");
                self.designators(path);
                self.put(")");
            }
            ExprKind::TypesCompatible(one, other) => {
                self.put("(Compatible ");
                self.type_name(one);
                self.put(", ");
                self.type_name(other);
                self.put(")");
            }
            ExprKind::ChooseExpr(condition, one, other) => {
                self.exprs("(Choose ", &[*condition, *one, *other], ")");
            }
            ExprKind::Error => self.put("<error>"),
        }
    }

    /// Long: one `match` over all statements.
    fn statement(&mut self, statement: StmtId) {
        match &self.ast.stmts[statement].kind {
            StmtKind::Expr(None) => self.put(";"),
            StmtKind::Expr(Some(expr)) => self.expr(*expr),
            StmtKind::Compound(statements) => {
                self.put("{");
                for (i, &statement) in statements.iter().enumerate() {
                    self.put(if i == 0 { "" } else { " " });
                    self.statement(statement);
                }
                self.put("}");
            }
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::NestedFunction(function) => {
                self.put("nested ");
                self.function(function);
            }
            StmtKind::StaticAssert(assertion) => self.static_assert(assertion),
            StmtKind::If { arms, otherwise } => {
                self.put("(if");
                for &(condition, body, _) in arms {
                    self.exprs(" ", &[condition], " ");
                    self.statement(body);
                }
                if let Some(otherwise) = otherwise {
                    self.put(" else ");
                    self.statement(*otherwise);
                }
                self.put(")");
            }
            StmtKind::Switch(value, body) => {
                self.exprs("(switch ", &[*value], " ");
                self.statement(*body);
                self.put(")");
            }
            StmtKind::While(condition, body) => {
                self.exprs("(while ", &[*condition], " ");
                self.statement(*body);
                self.put(")");
            }
            StmtKind::DoWhile(body, condition) => {
                self.put("(do ");
                self.statement(*body);
                self.exprs(" ", &[*condition], ")");
            }
            StmtKind::For { init, condition, step, body } => {
                self.put("(for ");
                match init {
                    Some(init) => self.statement(*init),
                    None => self.put("_"),
                }
                for part in [condition, step] {
                    self.put(" ");
                    match part {
                        Some(part) => self.expr(*part),
                        None => self.put("_"),
                    }
                }
                self.put(" ");
                self.statement(*body);
                self.put(")");
            }
            StmtKind::Goto(label, _) => {
                self.put("(goto ");
                self.name(*label);
                self.put(")");
            }
            StmtKind::GotoComputed(target) => self.exprs("(goto* ", &[*target], ")"),
            StmtKind::Continue => self.put("continue"),
            StmtKind::Break => self.put("break"),
            StmtKind::Return(None) => self.put("(return)"),
            StmtKind::Return(Some(value)) => self.exprs("(return ", &[*value], ")"),
            StmtKind::Label(label, body) => {
                self.name(*label);
                self.put(": ");
                self.statement(*body);
            }
            StmtKind::Case(first, last, body) => {
                self.exprs("case ", &[*first], "");
                if let Some(last) = last {
                    self.exprs(" ... ", &[*last], "");
                }
                self.put(": ");
                self.statement(*body);
            }
            StmtKind::Default(body) => {
                self.put("default: ");
                self.statement(*body);
            }
            StmtKind::LocalLabels(labels) => {
                self.put("(labels");
                for &label in labels {
                    self.put(" ");
                    self.name(label);
                }
                self.put(")");
            }
            StmtKind::Asm(asm) => self.assembler(asm),
            StmtKind::Error => self.put("<error>"),
        }
    }

    fn assembler(&mut self, asm: &Asm) {
        let _ = write!(self.out, "(asm {:?}", asm.template);
        for (word, operands) in [("out", &asm.outputs), ("in", &asm.inputs)] {
            for (constraint, operand) in operands {
                let _ = write!(self.out, " {word} {constraint:?} ");
                self.expr(*operand);
            }
        }
        for clobber in &asm.clobbers {
            let _ = write!(self.out, " clobber {clobber:?}");
        }
        for &label in &asm.labels {
            self.put(" label ");
            self.name(label);
        }
        self.put(")");
    }
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Wide => "L",
        Encoding::Utf8 => "u8",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
    }
}
