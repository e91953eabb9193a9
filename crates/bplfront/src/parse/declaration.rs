//! Declarations: types, constants, functions, axioms, variables, procedures.

use super::attribute::checking;
use super::{Parsed, Parser, Reported};
use crate::ast::{Body, Checking, Declaration, Function, Name, Procedure, Spec, SpecKind, Type, VarDecl};
use crate::lex::Kind;

/// Words that begin a declaration.
const BEGINNINGS: &[&str] = &["type", "const", "function", "axiom", "var", "procedure", "implementation"];
/// Words of newer Boogie that begin declarations with a meaning of their own.
const STRANGE: &[&str] =
    &["datatype", "pure", "async", "atomic", "left", "right", "both", "yield", "action", "invariant", "link"];

impl Parser<'_> {
    /// All declarations to the end of the file.
    pub fn declarations(&mut self) {
        while !self.at_end() && !self.has_enough() {
            let before = self.peek().span.start;
            match self.declaration() {
                Ok(declarations) => self.file.declarations.extend(declarations),
                Err(Reported) => self.recover(before),
            }
        }
    }
    /// Goes on with the next word that begins a declaration.
    fn recover(&mut self, before: u32) {
        if self.peek().span.start == before {
            self.next();
        }
        let begins = |parser: &Self| parser.peek().kind == Kind::Name && BEGINNINGS.contains(&parser.peek_text());
        while !self.at_end() && !begins(self) {
            self.next();
        }
    }

    fn declaration(&mut self) -> Parsed<Vec<Declaration>> {
        let start = self.peek().span;
        let word = if self.peek().kind == Kind::Name { self.peek_text() } else { "" };
        if STRANGE.contains(&word) {
            self.unsupported(start, &format!("the declaration `{word}`"));
            return Err(Reported);
        }
        if !BEGINNINGS.contains(&word) {
            return Err(self.expected("a declaration", "at the top of the file"));
        }
        self.next();
        let attributes = self.attributes()?;
        let has = |name: &str| attributes.iter().any(|found| found.name == name);
        let checking = checking(&attributes);
        match word {
            "type" => {
                if has("builtin") || has("bvbuiltin") {
                    self.unsupported(start, "a type of the solver");
                }
                self.types(has("datatype"))
            }
            "const" => {
                if has("builtin") || has("bvbuiltin") {
                    self.unsupported(start, "a constant of the solver");
                }
                self.consts()
            }
            "function" => {
                let named = |name: &str| attributes.iter().find(|found| found.name == name);
                let builtin = named("bvbuiltin").or(named("builtin")).and_then(|found| found.text.clone());
                let is_constructor = has("constructor");
                let function = self.function(builtin)?;
                if is_constructor {
                    let what = "a constructor of a datatype".to_owned();
                    return Ok(vec![Declaration::Unsupported { what, span: function.name.span }]);
                }
                Ok(vec![Declaration::Function(function)])
            }
            "axiom" => {
                if has("ignore") {
                    self.unsupported(start, "an axiom that `{:ignore}` may take away");
                }
                let expr = self.expr()?;
                self.mark(";", "after an axiom")?;
                Ok(vec![Declaration::Axiom(expr)])
            }
            "var" => {
                let vars = self.var_decls()?;
                self.mark(";", "after a declaration")?;
                Ok(vec![Declaration::Vars(vars)])
            }
            "procedure" => Ok(vec![Declaration::Procedure(self.procedure(checking, true)?)]),
            _ => Ok(vec![Declaration::Implementation(self.procedure(checking, false)?)]),
        }
    }

    fn types(&mut self, is_datatype: bool) -> Parsed<Vec<Declaration>> {
        // Whatever holds of every set holds of finite ones.
        self.take_word("finite");
        let mut all = Vec::new();
        loop {
            let name = self.name("in a type declaration")?;
            let mut params = Vec::new();
            while !(self.is_mark("=") || self.is_mark(",") || self.is_mark(";")) {
                params.push(self.name("as a parameter of the type")?);
            }
            let synonym = if self.take_mark("=") { Some(self.ty()?) } else { None };
            all.push(if is_datatype {
                Declaration::Unsupported { what: "a datatype".to_owned(), span: name.span }
            } else {
                Declaration::Type { name, params, synonym }
            });
            if !self.take_mark(",") {
                break;
            }
        }
        self.mark(";", "after a type declaration")?;
        Ok(all)
    }

    fn consts(&mut self) -> Parsed<Vec<Declaration>> {
        let unique = self.take_word("unique");
        let names = self.names("as a constant")?;
        self.mark(":", "before the type of a constant")?;
        let ty = self.ty()?;
        let mut order = None;
        if self.is_word("extends") || self.is_word("complete") || self.is_mark("<:") {
            let start = self.peek().span;
            while !self.is_mark(";") && !self.at_end() {
                self.next();
            }
            order = Some(start.to(self.last_span()));
        }
        let mut all = vec![Declaration::Const { names, ty, unique, order }];
        if self.is_word("uses") {
            all.extend(self.uses()?);
        } else {
            self.mark(";", "after a constant")?;
        }
        Ok(all)
    }

    /// `uses { axiom ...; }`: the axioms count wherever they stand.
    fn uses(&mut self) -> Parsed<Vec<Declaration>> {
        self.next();
        self.mark("{", "after `uses`")?;
        let mut all = Vec::new();
        while !self.take_mark("}") {
            if !self.is_word("axiom") && !self.is_word("function") {
                return Err(self.expected("an axiom or a function", "in `uses`"));
            }
            all.extend(self.deeper(Self::declaration)?);
        }
        Ok(all)
    }

    fn function(&mut self, builtin: Option<String>) -> Parsed<Function> {
        let name = self.name("as the name of a function")?;
        let type_params = self.type_params()?;
        self.mark("(", "before the parameters")?;
        let mut params = Vec::new();
        if !self.is_mark(")") {
            params = self.function_params()?;
        }
        self.mark(")", "after the parameters")?;
        let result = if self.take_word("returns") {
            self.mark("(", "before the type of the result")?;
            self.attributes()?;
            let mut results = self.function_params()?;
            self.mark(")", "after the type of the result")?;
            if results.len() != 1 {
                return Err(self.error(name.span, "a function has exactly one result"));
            }
            results.remove(0).1
        } else {
            self.mark(":", "before the type of the result")?;
            self.ty()?
        };
        let mut body = None;
        if self.take_mark("{") {
            body = Some(self.expr()?);
            self.mark("}", "after the body of a function")?;
            self.take_mark(";");
        } else if self.is_word("uses") {
            let more = self.uses()?;
            self.file.declarations.extend(more);
        } else {
            self.mark(";", "after the declaration of a function")?;
        }
        Ok(Function { name, builtin, type_params, params, result, body })
    }
    /// `x: T, y: U` or `T, U`.
    fn function_params(&mut self) -> Parsed<Vec<(Option<Name>, Type)>> {
        let mut params = Vec::new();
        // Names that share the type that follows: `x, y: T`.
        let mut waiting: Vec<Type> = Vec::new();
        loop {
            self.attributes()?;
            let ty = self.ty()?;
            if self.take_mark(":") {
                let real = self.ty()?;
                waiting.push(ty);
                for one in waiting.drain(..) {
                    let crate::ast::TypeKind::Named(text, args) = one.kind else {
                        return Err(self.error(one.span, "expected the name of a parameter"));
                    };
                    if !args.is_empty() {
                        return Err(self.error(one.span, "expected the name of a parameter"));
                    }
                    params.push((Some(Name { text, span: one.span }), real.clone()));
                }
            } else {
                waiting.push(ty);
            }
            if !self.take_mark(",") {
                break;
            }
        }
        params.extend(waiting.into_iter().map(|ty| (None, ty)));
        Ok(params)
    }

    /// `x, y: T where e, z: U`.
    pub fn var_decls(&mut self) -> Parsed<Vec<VarDecl>> {
        let mut all = Vec::new();
        loop {
            self.attributes()?;
            let names = self.names("as a variable")?;
            self.mark(":", "before the type of a variable")?;
            let ty = self.ty()?;
            let restriction = if self.take_word("where") { Some(self.expr()?) } else { None };
            all.extend(names.into_iter().map(|name| VarDecl { name, ty: ty.clone(), restriction }));
            if !self.take_mark(",") {
                return Ok(all);
            }
        }
    }

    fn procedure(&mut self, checking: Checking, is_procedure: bool) -> Parsed<Procedure> {
        let name = self.name("as the name of a procedure")?;
        let type_params = self.type_params()?;
        let params = self.parameter_list()?;
        let results = if self.take_word("returns") { self.parameter_list()? } else { Vec::new() };
        let ends = is_procedure && self.take_mark(";");
        let specs = if is_procedure { self.contract()? } else { Vec::new() };
        let body = if ends { None } else { Some(self.body()?) };
        Ok(Procedure { name, checking, type_params, params, results, specs, body })
    }
    /// `requires`, `ensures`, `modifies`.
    fn contract(&mut self) -> Parsed<Vec<Spec>> {
        let mut specs = Vec::new();
        loop {
            let free = self.take_word("free");
            let word = self.peek_text();
            if free && word == "modifies" {
                let span = self.peek().span;
                self.unsupported(span, "a free `modifies`");
            }
            if !matches!(word, "requires" | "ensures" | "modifies") {
                if free {
                    return Err(self.expected("`requires`, `ensures` or `modifies`", "after `free`"));
                }
                return Ok(specs);
            }
            self.next();
            self.attributes()?;
            let kind = match word {
                "requires" => SpecKind::Requires(self.expr()?),
                "ensures" => SpecKind::Ensures(self.expr()?),
                _ if self.is_mark(";") => SpecKind::Modifies(Vec::new()),
                _ => SpecKind::Modifies(self.names("after `modifies`")?),
            };
            self.mark(";", "after a part of a contract")?;
            specs.push(Spec { free, kind });
        }
    }
    fn parameter_list(&mut self) -> Parsed<Vec<VarDecl>> {
        self.mark("(", "before the parameters")?;
        let params = if self.is_mark(")") { Vec::new() } else { self.var_decls()? };
        self.mark(")", "after the parameters")?;
        Ok(params)
    }
    fn body(&mut self) -> Parsed<Body> {
        self.mark("{", "before the body of a procedure")?;
        let mut locals = Vec::new();
        while self.take_word("var") {
            self.attributes()?;
            locals.extend(self.var_decls()?);
            self.mark(";", "after a declaration")?;
        }
        let block = self.statements();
        let end = self.peek().span;
        self.mark("}", "at the end of the body")?;
        Ok(Body { locals, block, end })
    }
}
