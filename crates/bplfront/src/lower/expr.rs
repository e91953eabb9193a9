//! Expressions: their types are found and checked, and terms made of them, from the leaves up.
//!
//! What cannot be expressed as a term is noted. The caller decides whether a free value may replace it.

use base::{FastMap, Id};
use term::{NumberOp, Op, Term};

use super::types::Ty;
use super::{Lowering, builtin};
use crate::ast::{Binary, Expr, ExprId, ExprKind, Name};
use crate::source::Span;

/// A term with its type.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub term: Term,
    pub ty: Ty,
}

/// What names mean: first these, then the globals.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub local: FastMap<String, Value>,
    /// What globals were at the entry of the procedure, for `old`; none where only one state is spoken of.
    pub old: Option<FastMap<String, Value>>,
    /// No state is spoken of: of the globals, only constants have a meaning.
    pub is_stateless: bool,
}

impl Scope {
    /// Where axioms and bodies of functions stand.
    pub fn stateless() -> Scope {
        Scope { is_stateless: true, ..Scope::default() }
    }
}

/// Why an expression has no term.
#[derive(Clone, Debug)]
pub(super) enum NoTerm {
    /// A mistake that was reported.
    Wrong,
    /// Something that terms cannot say: what, and where.
    Beyond(String, Span),
}

impl Lowering<'_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, scope: &Scope, root: ExprId) -> Result<Value, NoTerm> {
        let file = self.file;
        let first = file.exprs[root].first;
        // From the root down: what lies under `old`, and what is inside a binder and not looked at.
        let mut in_old = vec![false; root.index() - first.index() + 1];
        let mut skipped = in_old.clone();
        let (mut old_until, mut skip_until) = (usize::MAX, usize::MAX);
        for at in (first.index()..=root.index()).rev() {
            in_old[at - first.index()] = old_until != usize::MAX && at >= old_until;
            skipped[at - first.index()] = skip_until != usize::MAX && at >= skip_until;
            let expr = &file.exprs[ExprId::new(at)];
            match expr.kind {
                ExprKind::Old(_) if old_until == usize::MAX || at < old_until => old_until = expr.first.index(),
                ExprKind::Bound(..) if skip_until == usize::MAX || at < skip_until => {
                    skip_until = expr.first.index();
                }
                _ => {}
            }
        }
        let mut values: Vec<Option<Value>> = vec![None; in_old.len()];
        for at in first.index()..=root.index() {
            let place = at - first.index();
            if skipped[place] {
                continue;
            }
            let get = |id: ExprId| values[id.index() - first.index()].clone();
            let expr = &file.exprs[ExprId::new(at)];
            values[place] = Some(self.expression(scope, expr, in_old[place], &get)?);
        }
        Ok(values[root.index() - first.index()].clone().expect("the root was looked at"))
    }

    fn expression(
        &mut self,
        scope: &Scope,
        expr: &Expr,
        in_old: bool,
        get: &dyn Fn(ExprId) -> Option<Value>,
    ) -> Result<Value, NoTerm> {
        let of = |id: ExprId| get(id).ok_or(NoTerm::Wrong);
        let span = expr.span;
        match &expr.kind {
            &ExprKind::Truth(truth) => Ok(Value { term: self.terms.truth(truth), ty: Ty::Bool }),
            ExprKind::Int(digits) => self.numeral(Ty::Int, digits, span),
            ExprKind::Real(text) => self.numeral(Ty::Real, text, span),
            ExprKind::BitVec(digits, width) => self.bits(digits, *width, span),
            ExprKind::Name(name) => self.name(scope, name, in_old, span),
            ExprKind::Apply(name, args) => {
                let args: Result<Vec<Value>, NoTerm> = args.iter().map(|&arg| of(arg)).collect();
                self.apply(name, args?, span)
            }
            &ExprKind::Not(arg) => {
                let arg = self.want(of(arg)?, &Ty::Bool, span)?;
                Ok(Value { term: self.terms.not(arg), ty: Ty::Bool })
            }
            &ExprKind::Neg(arg) => {
                let arg = of(arg)?;
                if !matches!(arg.ty, Ty::Int | Ty::Real) {
                    return self.mistake(span, format!("`-` wants a number, and this is of type {}", arg.ty.text()));
                }
                Ok(Value { term: self.terms.make(Op::Number(NumberOp::Neg), &[arg.term]), ty: arg.ty })
            }
            &ExprKind::Binary(op, left, right) => self.binary(op, of(left)?, of(right)?, span),
            &ExprKind::IfThenElse(condition, then, otherwise) => {
                let condition = self.want(of(condition)?, &Ty::Bool, span)?;
                let then = of(then)?;
                let otherwise = self.want(of(otherwise)?, &then.ty, span)?;
                Ok(Value { term: self.terms.ite(condition, then.term, otherwise), ty: then.ty })
            }
            ExprKind::Select(map, index) => {
                let index: Result<Vec<Value>, NoTerm> = index.iter().map(|&one| of(one)).collect();
                self.select(of(*map)?, index?, span)
            }
            ExprKind::Update(map, index, value) => {
                let index: Result<Vec<Value>, NoTerm> = index.iter().map(|&one| of(one)).collect();
                self.update(of(*map)?, index?, of(*value)?, span)
            }
            &ExprKind::Extract(arg, high, low) => {
                let arg = of(arg)?;
                match arg.ty {
                    Ty::Bits(width) if low < high && high <= width => {
                        Ok(Value { term: self.terms.extract(arg.term, high - 1, low), ty: Ty::Bits(high - low) })
                    }
                    _ => self.mistake(span, "this extraction does not fit its bit-vector".to_owned()),
                }
            }
            ExprKind::Old(_) if scope.old.is_none() => {
                self.mistake(span, "`old` has no meaning where there is only one state".to_owned())
            }
            &ExprKind::Old(arg) => of(arg),
            &ExprKind::Convert(to_int, arg) => {
                let (from, to, op) = match to_int {
                    true => (Ty::Real, Ty::Int, NumberOp::ToInt),
                    false => (Ty::Int, Ty::Real, NumberOp::ToReal),
                };
                let arg = self.want(of(arg)?, &from, span)?;
                Ok(Value { term: self.terms.make(Op::Number(op), &[arg]), ty: to })
            }
            ExprKind::Bound(binder) => Err(NoTerm::Beyond(format!("`{}`", binder.word), span)),
            ExprKind::Unsupported(what, _) => Err(NoTerm::Beyond(what.clone(), span)),
        }
    }

    // ---- leaves
    fn numeral(&mut self, ty: Ty, text: &str, span: Span) -> Result<Value, NoTerm> {
        let sort = ty.sort(self.terms, self.maps);
        match self.terms.try_numeral(sort, text) {
            Some(term) => Ok(Value { term, ty }),
            None => Err(NoTerm::Beyond(format!("the literal {text}"), span)),
        }
    }
    fn bits(&mut self, digits: &str, width: u32, span: Span) -> Result<Value, NoTerm> {
        if width == 0 || width > term::MAX_WIDTH {
            return self.mistake(span, format!("a bit-vector of {width} bits"));
        }
        match base::Bits::parse_decimal(width, digits) {
            Some(bits) => Ok(Value { term: self.terms.bits(bits), ty: Ty::Bits(width) }),
            None => self.mistake(span, format!("this number does not fit into {width} bits")),
        }
    }
    fn name(&mut self, scope: &Scope, name: &str, in_old: bool, span: Span) -> Result<Value, NoTerm> {
        if let Some(value) = scope.local.get(name) {
            return Ok(value.clone());
        }
        if let Some(value) = scope.old.as_ref().filter(|_| in_old).and_then(|old| old.get(name)) {
            return Ok(value.clone());
        }
        match self.globals.get(name) {
            Some(global) if scope.is_stateless && !global.is_const => {
                self.mistake(span, format!("axioms and functions cannot speak of the global variable `{name}`"))
            }
            Some(global) => Ok(global.value.clone()),
            None => self.mistake(span, format!("there is no variable or constant `{name}`")),
        }
    }

    // ---- functions
    fn apply(&mut self, name: &Name, args: Vec<Value>, span: Span) -> Result<Value, NoTerm> {
        let Some(&index) = self.function_index.get(name.text.as_str()) else {
            return self.mistake(name.span, format!("there is no function `{}`", name.text));
        };
        let Some(signature) = self.functions[index].signature.clone() else { return Err(NoTerm::Wrong) };
        if signature.params.len() != args.len() {
            let message = format!("`{}` takes {} arguments, here {}", name.text, signature.params.len(), args.len());
            return self.mistake(span, message);
        }
        let mut binding: Vec<(String, Option<Ty>)> =
            signature.type_params.iter().map(|param| (param.clone(), None)).collect();
        for (param, arg) in signature.params.iter().zip(&args) {
            if !param.matches(&arg.ty, &mut binding) {
                let message = format!("`{}` wants {}, and this is of type {}", name.text, param.text(), arg.ty.text());
                return self.mistake(span, message);
            }
        }
        let Some(result) = signature.result.instance(&binding) else {
            return Err(NoTerm::Beyond(format!("the type of `{}` here", name.text), span));
        };
        let operands: Vec<Term> = args.iter().map(|arg| arg.term).collect();
        let decl = self.functions[index].decl;
        if let Some(builtin) = &decl.builtin {
            if let Some(function) = builtin::operator(builtin)
                && let Ok(term) = self.terms.try_apply(function, &operands)
                && self.terms.sort_of(term) == result.sort(self.terms, self.maps)
            {
                return Ok(Value { term, ty: result });
            }
            self.approximate(format!("`{}` is read as an unknown function", name.text), span);
        }
        if decl.body.is_some() {
            return self.definition(index, &args, result, span);
        }
        if let Some(&table) = self.tables.get(&index) {
            let term = self.read_table(table, &args, &result);
            return Ok(Value { term, ty: result });
        }
        let types: Vec<Ty> = args.into_iter().map(|arg| arg.ty).collect();
        Ok(self.uninterpreted(&name.text, &binding, &types, &operands, result))
    }
    /// An unknown function applied to arguments; polymorphic ones are one function for each instance.
    pub(super) fn uninterpreted(
        &mut self,
        name: &str,
        binding: &[(String, Option<Ty>)],
        params: &[Ty],
        operands: &[Term],
        result: Ty,
    ) -> Value {
        // Whether two applications are equal depends on whether their arguments are.
        self.compares_maps |= params.iter().any(|ty| ty.table().is_some()) || result.table().is_some();
        let mut base_name = name.to_owned();
        for (_, ty) in binding {
            base_name.push_str(&format!("<{}>", ty.as_ref().map_or_else(String::new, Ty::text)));
        }
        let sorts: Vec<term::Sort> = params.iter().map(|ty| ty.sort(self.terms, self.maps)).collect();
        let sort = result.sort(self.terms, self.maps);
        let mut candidate = base_name.clone();
        let symbol = loop {
            match self.terms.declare(&candidate, &sorts, sort) {
                Some(symbol) => break symbol,
                // A variable has the name already.
                None => candidate.push_str("()"),
            }
        };
        Value { term: self.terms.apply(symbol, operands), ty: result }
    }
    /// A function with a body: the body with the arguments put in.
    fn definition(&mut self, index: usize, args: &[Value], result: Ty, span: Span) -> Result<Value, NoTerm> {
        let decl = self.functions[index].decl;
        let body = decl.body.expect("only functions with a body are defined");
        if self.expanding.contains(&index) || self.expanding.len() >= 50 {
            // A definition by itself: any function may be meant.
            self.approximate(format!("the recursive `{}` is read as an unknown function", decl.name.text), span);
            let types: Vec<Ty> = args.iter().map(|arg| arg.ty.clone()).collect();
            let operands: Vec<Term> = args.iter().map(|arg| arg.term).collect();
            return Ok(self.uninterpreted(&decl.name.text, &[], &types, &operands, result));
        }
        let mut scope = Scope::stateless();
        for ((name, _), arg) in decl.params.iter().zip(args) {
            if let Some(name) = name {
                scope.local.insert(name.text.clone(), arg.clone());
            }
        }
        self.expanding.push(index);
        let value = self.value(&scope, body);
        self.expanding.pop();
        let value = value?;
        if value.ty != result {
            let message = format!("the body is of type {}, not {}", value.ty.text(), result.text());
            return self.mistake(self.file.exprs[body].span, message);
        }
        Ok(value)
    }

    // ---- maps
    pub(super) fn select(&mut self, map: Value, index: Vec<Value>, span: Span) -> Result<Value, NoTerm> {
        let result = self.map_result(&map, &index, span)?;
        if self.is_array(&map.ty) {
            let term = self.read_table(map.term, &index, &result);
            return Ok(Value { term, ty: result });
        }
        self.approximate("maps are read as unknown functions".to_owned(), span);
        let (types, operands) = map_arguments(&map, &index, None);
        let name = format!("select {}", map.ty.text());
        Ok(self.uninterpreted(&name, &[], &types, &operands, result))
    }
    pub(super) fn update(&mut self, map: Value, index: Vec<Value>, value: Value, span: Span) -> Result<Value, NoTerm> {
        let result = self.map_result(&map, &index, span)?;
        self.want(value.clone(), &result, span)?;
        if self.is_array(&map.ty) {
            let term = self.write_table(map.term, &index, &value);
            return Ok(Value { term, ty: map.ty });
        }
        self.approximate("maps are read as unknown functions".to_owned(), span);
        let (types, operands) = map_arguments(&map, &index, Some(&value));
        let name = format!("store {}", map.ty.text());
        Ok(self.uninterpreted(&name, &[], &types, &operands, map.ty))
    }
    fn map_result(&mut self, map: &Value, index: &[Value], span: Span) -> Result<Ty, NoTerm> {
        let Ty::Map(params, result) = &map.ty else {
            return self.mistake(span, format!("only a map has an index, and this is of type {}", map.ty.text()));
        };
        if params.len() != index.len() {
            return self.mistake(span, format!("this map takes {} indices, here {}", params.len(), index.len()));
        }
        for (param, one) in params.iter().zip(index) {
            self.want(one.clone(), param, span)?;
        }
        Ok((**result).clone())
    }

    // ---- operators
    fn binary(&mut self, op: Binary, left: Value, right: Value, span: Span) -> Result<Value, NoTerm> {
        let truth = |term: Term| Ok(Value { term, ty: Ty::Bool });
        match op {
            Binary::And | Binary::Or | Binary::Implies | Binary::Explies | Binary::Iff => {
                let a = self.want(left, &Ty::Bool, span)?;
                let b = self.want(right, &Ty::Bool, span)?;
                truth(match op {
                    Binary::And => self.terms.and(&[a, b]),
                    Binary::Or => self.terms.or(&[a, b]),
                    Binary::Implies => self.terms.make(Op::Implies, &[a, b]),
                    Binary::Explies => self.terms.make(Op::Implies, &[b, a]),
                    _ => self.terms.make(Op::Eq, &[a, b]),
                })
            }
            Binary::Eq | Binary::Ne => {
                self.compares_maps |= left.ty.table().is_some();
                let b = self.want(right, &left.ty, span)?;
                truth(match op {
                    Binary::Eq => self.terms.make(Op::Eq, &[left.term, b]),
                    _ => self.terms.ne(left.term, b),
                })
            }
            Binary::Subtype => {
                self.want(right.clone(), &left.ty, span)?;
                self.approximate("`<:` is read as an unknown relation".to_owned(), span);
                let name = format!("<: {}", left.ty.text());
                let types = [left.ty.clone(), left.ty.clone()];
                Ok(self.uninterpreted(&name, &[], &types, &[left.term, right.term], Ty::Bool))
            }
            Binary::Concat => match (&left.ty, &right.ty) {
                (Ty::Bits(a), Ty::Bits(b)) if a + b <= term::MAX_WIDTH => {
                    let ty = Ty::Bits(a + b);
                    Ok(Value { term: self.terms.make(Op::Concat, &[left.term, right.term]), ty })
                }
                _ => self.mistake(span, "`++` wants two bit-vectors".to_owned()),
            },
            _ => self.arithmetic(op, left, right, span),
        }
    }
    fn arithmetic(&mut self, op: Binary, left: Value, right: Value, span: Span) -> Result<Value, NoTerm> {
        if !matches!(left.ty, Ty::Int | Ty::Real) {
            return self.mistake(span, format!("this operator wants numbers, not {}", left.ty.text()));
        }
        let mut ty = left.ty.clone();
        let (mut a, mut b) = (left.term, right.term);
        if op == Binary::Divide {
            // `/` divides integers as reals.
            for (side, value) in [(&mut a, &left), (&mut b, &right)] {
                match value.ty {
                    Ty::Int => *side = self.terms.make(Op::Number(NumberOp::ToReal), &[value.term]),
                    Ty::Real => {}
                    _ => return self.mistake(span, "`/` wants two numbers".to_owned()),
                }
            }
            ty = Ty::Real;
        } else {
            self.want(right, &ty, span)?;
        }
        let number = match op {
            Binary::Add => NumberOp::Add,
            Binary::Sub => NumberOp::Sub,
            Binary::Mul => NumberOp::Mul,
            Binary::Divide => NumberOp::Div,
            Binary::Div | Binary::Mod if ty != Ty::Int => {
                return self.mistake(span, "`div` and `mod` want integers".to_owned());
            }
            Binary::Div => NumberOp::IntDiv,
            Binary::Mod => NumberOp::Mod,
            Binary::Lt => NumberOp::Lt,
            Binary::Le => NumberOp::Le,
            Binary::Gt => NumberOp::Gt,
            Binary::Ge => NumberOp::Ge,
            _ => {
                self.approximate("`**` is read as an unknown function".to_owned(), span);
                let name = format!("** {}", ty.text());
                return Ok(self.uninterpreted(&name, &[], &[ty.clone(), ty.clone()], &[a, b], ty));
            }
        };
        if matches!(op, Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge) {
            ty = Ty::Bool;
        }
        Ok(Value { term: self.terms.make(Op::Number(number), &[a, b]), ty })
    }

    // ---- messages
    /// The value's term if its type is the one wanted.
    pub(super) fn want(&mut self, value: Value, ty: &Ty, span: Span) -> Result<Term, NoTerm> {
        if value.ty == *ty {
            return Ok(value.term);
        }
        self.mistake(span, format!("expected type {}, found {}", ty.text(), value.ty.text()))
    }
    fn mistake<T>(&mut self, span: Span, message: String) -> Result<T, NoTerm> {
        self.error(span, message);
        Err(NoTerm::Wrong)
    }
}

fn map_arguments(map: &Value, index: &[Value], value: Option<&Value>) -> (Vec<Ty>, Vec<Term>) {
    let all: Vec<&Value> = std::iter::once(map).chain(index).chain(value).collect();
    (all.iter().map(|one| one.ty.clone()).collect(), all.iter().map(|one| one.term).collect())
}
