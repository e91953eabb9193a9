//! Terms from text, with a list of tasks instead of recursion.

use base::Bits;

use super::command::{Annotation, Definition, Reader};
use super::lexer::{Kind, ReadError, Token};
use super::literal;
use super::names::rounding_mode;
use super::operator::{self, Arg, Head};
use super::sexpr::{Node, Sexprs};
use crate::sort::SortKind;
use crate::store::{Term, Terms};
use crate::tuning::Tuning;
use crate::typing::MAX_WIDTH;
use crate::walk::Substitution;

/// What is still to be done; results wait on a stack of their own.
enum Task<'a> {
    /// Read this expression and push its value.
    Read(Node),
    /// Take `count` results and push the application.
    Apply { node: Node, head: Head<'a>, rounding: Option<&'static str>, count: usize },
    /// Take the results as values of the bindings and read the body.
    Bind(Node),
    /// Forget the bindings.
    Unbind(Node),
    /// The value on top has these annotations.
    Annotate(Node),
    /// The value on top must have this sort.
    Qualify(Node),
}

impl Reader<'_> {
    /// The term that this expression stands for.
    pub(super) fn term<'a>(&mut self, terms: &mut Terms, sexprs: &Sexprs<'a>, root: Node) -> Result<Term, ReadError> {
        let mut tasks = vec![Task::Read(root)];
        let mut results: Vec<Arg> = Vec::new();
        let outcome = loop {
            let Some(task) = tasks.pop() else { break Ok(()) };
            if let Err(error) = self.step(terms, sexprs, task, &mut tasks, &mut results) {
                break Err(error);
            }
        };
        if outcome.is_err() {
            self.bindings.clear();
        }
        outcome.map(|()| results.pop().expect("one expression, one value").term)
    }

    fn step<'a>(
        &mut self,
        terms: &mut Terms,
        sexprs: &Sexprs<'a>,
        task: Task<'a>,
        tasks: &mut Vec<Task<'a>>,
        results: &mut Vec<Arg>,
    ) -> Result<(), ReadError> {
        match task {
            Task::Read(node) => match sexprs.atom(node) {
                Some(token) => results.push(self.atom(terms, token)?),
                None => self.open_list(terms, sexprs, node, tasks, results)?,
            },
            Task::Apply { node, head, rounding, count } => {
                let args = results.split_off(results.len() - count);
                let result = self.apply(terms, &head, rounding, &args);
                match result {
                    Ok(arg) => results.push(arg),
                    Err(message) => return sexprs.at(node).error(message),
                }
            }
            Task::Bind(node) => {
                let bindings = sexprs.list(sexprs.list(node)[1]);
                let values = results.split_off(results.len() - bindings.len());
                for (&binding, value) in bindings.iter().zip(values) {
                    let name = sexprs.symbol(sexprs.list(binding)[0]).expect("checked when the list was opened");
                    self.bindings.get_or_insert_with(name.to_owned(), Vec::new).push(value.term);
                }
                tasks.extend([Task::Unbind(node), Task::Read(sexprs.list(node)[2])]);
            }
            Task::Unbind(node) => {
                for &binding in sexprs.list(sexprs.list(node)[1]) {
                    let name = sexprs.symbol(sexprs.list(binding)[0]).expect("checked when the list was opened");
                    self.bindings.get_mut(name).expect("it was bound").pop();
                }
            }
            Task::Annotate(node) => self.annotate(terms, sexprs, node, results)?,
            Task::Qualify(node) => {
                let sort = self.sort(terms, sexprs, node)?;
                let term = results[results.len() - 1].term;
                if terms.sort_of(term) != sort {
                    return sexprs
                        .at(node)
                        .error(format!("the term has sort {}", terms.sort_text(terms.sort_of(term))));
                }
            }
        }
        Ok(())
    }

    fn open_list<'a>(
        &mut self,
        terms: &mut Terms,
        sexprs: &Sexprs<'a>,
        node: Node,
        tasks: &mut Vec<Task<'a>>,
        results: &mut Vec<Arg>,
    ) -> Result<(), ReadError> {
        let at = sexprs.at(node);
        let [first, rest @ ..] = sexprs.list(node) else { return at.error("a term is expected, not `()`") };
        match (sexprs.word(*first), rest) {
            (Some("let"), &[bindings, body]) => {
                let mut names = base::FastMap::new();
                for &binding in sexprs.list(bindings) {
                    let &[name, value] = sexprs.list(binding) else {
                        return sexprs.at(binding).error("a binding is a name and a term");
                    };
                    let Some(name) = sexprs.symbol(name) else { return sexprs.at(name).error("a name is expected") };
                    if names.insert(name, ()).is_some() {
                        return sexprs.at(binding).error(format!("`{name}` is bound twice in one `let`"));
                    }
                    let _ = value;
                }
                if sexprs.list(bindings).is_empty() {
                    return sexprs.at(bindings).error("`let` binds at least one name");
                }
                let _ = body;
                tasks.push(Task::Bind(node));
                tasks.extend(sexprs.list(bindings).iter().rev().map(|&binding| Task::Read(sexprs.list(binding)[1])));
            }
            (Some("let"), _) => return at.error("`let` takes bindings and a term"),
            (Some("!"), &[term, _, ..]) => tasks.extend([Task::Annotate(node), Task::Read(term)]),
            (Some("!"), _) => return at.error("`!` takes a term and attributes"),
            (Some("as"), &[term, sort]) => tasks.extend([Task::Qualify(sort), Task::Read(term)]),
            (Some("_"), _) => results.push(self.indexed_literal(terms, sexprs, node)?),
            (Some(word @ ("forall" | "exists" | "match")), _) => return at.error(format!("`{word}` is not supported")),
            _ => {
                let head = self.head(terms, sexprs, *first)?;
                let mut args = rest;
                let mut rounding = None;
                if let (Some(&mode), true) = (args.first(), takes_rounding(&head)) {
                    rounding = sexprs.word(mode).and_then(rounding_mode);
                    args = if rounding.is_some() { &args[1..] } else { args };
                }
                if args.is_empty() {
                    return at.error("an application has at least one argument");
                }
                tasks.push(Task::Apply { node, head, rounding, count: args.len() });
                tasks.extend(args.iter().rev().map(|&arg| Task::Read(arg)));
            }
        }
        Ok(())
    }

    fn head<'a>(&mut self, terms: &mut Terms, sexprs: &Sexprs<'a>, node: Node) -> Result<Head<'a>, ReadError> {
        if let Some(name) = sexprs.symbol(node) {
            let declared = self.apart.is_some() && sexprs.is_quoted(node);
            return Ok(if declared { Head::Declared(name) } else { Head::Name(name) });
        }
        if let Some((name, indices)) = sexprs.indexed(node) {
            return Ok(Head::Indexed(name, indices));
        }
        if let &[word, name, sort] = sexprs.list(node)
            && sexprs.word(word) == Some("as")
        {
            return match sexprs.symbol(name) {
                Some("const") => Ok(Head::ConstArray(self.sort(terms, sexprs, sort)?)),
                Some(name) => Ok(Head::Name(name)),
                None => sexprs.at(name).error("a name is expected"),
            };
        }
        sexprs.at(node).error("a function's name is expected")
    }

    fn atom(&mut self, terms: &mut Terms, token: Token<'_>) -> Result<Arg, ReadError> {
        let at = token.at;
        let number = |terms: &mut Terms, kind: SortKind| {
            let sort = terms.sort(kind);
            match token.text.len() <= Tuning::DEFAULT.max_digits {
                true => Ok(Arg { term: terms.numeral(sort, token.text), number: true }),
                false => {
                    at.error(format!("numbers of more than {} digits are not supported", Tuning::DEFAULT.max_digits))
                }
            }
        };
        let literal = |terms: &mut Terms, bits: Option<Bits>| match bits {
            Some(bits) if bits.width() <= MAX_WIDTH => Ok(Arg::from(terms.bits(bits))),
            _ => at.error(format!("a bit-vector has between 1 and {MAX_WIDTH} bits")),
        };
        match token.kind {
            Kind::Numeral if self.numerals_are_real => number(terms, SortKind::Real),
            Kind::Numeral => number(terms, SortKind::Int),
            Kind::Decimal => number(terms, SortKind::Real),
            Kind::Hex => literal(terms, Bits::parse_hex(token.text)),
            Kind::Binary => literal(terms, Bits::parse_binary(token.text)),
            Kind::Quoted if self.apart.is_some() => match self.apply_declared(terms, token.text, &[]) {
                Ok(term) => Ok(term.into()),
                Err(message) => at.error(message),
            },
            Kind::Symbol | Kind::Quoted => match self.constant(terms, token.text) {
                Ok(term) => Ok(term.into()),
                Err(message) => at.error(message),
            },
            _ => at.error(format!("a term is expected, not `{}`", token.text)),
        }
    }

    /// A name without arguments.
    fn constant(&mut self, terms: &mut Terms, name: &str) -> Result<Term, String> {
        if let Some(&term) = self.bindings.get(name).and_then(|values| values.last()) {
            return Ok(term);
        }
        let named = if self.is_word(name) { None } else { self.named(terms, name, &[]) };
        named.unwrap_or_else(|| match name {
            "true" => Ok(terms.truth(true)),
            "false" => Ok(terms.truth(false)),
            _ => Err(format!("`{name}` is not declared")),
        })
    }
    /// Whether the bare word can be no declared name.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.apart.as_ref().is_some_and(|words| words.is_reserved(word))
    }
    /// A name that must be declared, applied.
    fn apply_declared(&mut self, terms: &mut Terms, name: &str, args: &[Term]) -> Result<Term, String> {
        self.named(terms, name, args).unwrap_or_else(|| Err(format!("`{name}` is not declared")))
    }

    /// What the user declared or defined under this name, applied.
    fn named(&mut self, terms: &mut Terms, name: &str, args: &[Term]) -> Option<Result<Term, String>> {
        if let Some(Definition { params, body }) = self.definitions.get(name) {
            if params.len() != args.len() {
                return Some(Err(format!("`{name}` takes {} arguments, not {}", params.len(), args.len())));
            }
            let pairs: Vec<(Term, Term)> = params.iter().copied().zip(args.iter().copied()).collect();
            if let Some(&(param, arg)) = pairs.iter().find(|(param, arg)| terms.sort_of(*param) != terms.sort_of(*arg))
            {
                let (expected, found) = (terms.sort_text(terms.sort_of(param)), terms.sort_text(terms.sort_of(arg)));
                return Some(Err(format!("`{name}` takes an argument of sort {expected}, not {found}")));
            }
            let body = *body;
            return Some(Ok(if pairs.is_empty() { body } else { Substitution::new(terms, &pairs).apply(terms, body) }));
        }
        let symbol = self.symbols.get(name).copied().or_else(|| terms.lookup(name).filter(|_| self.knows_the_store))?;
        let op = crate::op::Op::Symbol(symbol);
        Some(terms.result_sort(op, args).map(|_| terms.apply(symbol, args)))
    }

    fn apply(
        &mut self,
        terms: &mut Terms,
        head: &Head<'_>,
        rounding: Option<&'static str>,
        args: &[Arg],
    ) -> Result<Arg, String> {
        let list: Vec<Term> = args.iter().map(|arg| arg.term).collect();
        let name = match head {
            Head::Name(name) => name,
            Head::Declared(name) => return self.apply_declared(terms, name, &list).map(Arg::from),
            _ => return operator::apply(terms, None, head, rounding, args),
        };
        if !self.is_word(name)
            && let Some(result) = self.named(terms, name, &list)
        {
            return result.map(Arg::from);
        }
        let known = self.operators.get(*name).copied();
        operator::apply(terms, known, head, rounding, args)
    }

    /// `(_ bv5 8)` and the special floats.
    fn indexed_literal(&mut self, terms: &mut Terms, sexprs: &Sexprs<'_>, node: Node) -> Result<Arg, ReadError> {
        let at = sexprs.at(node);
        match sexprs.indexed(node) {
            Some((name, indices)) => match (name.strip_prefix("bv"), &indices[..]) {
                (Some(digits), &[width])
                    if (1..=MAX_WIDTH).contains(&width) && digits.len() <= Tuning::DEFAULT.max_digits =>
                {
                    match Bits::parse_decimal(width, digits) {
                        Some(bits) if !digits.starts_with('-') => Ok(terms.bits(bits).into()),
                        _ => at.error(format!("`{name}` is no number of {width} bits")),
                    }
                }
                (None, &[exponent, significand]) => {
                    let sort = super::sort::float_sort(terms, exponent, significand);
                    if let Err(message) = sort {
                        return at.error(message);
                    }
                    match literal::special_float(terms, name, exponent, significand) {
                        Some(term) => Ok(term.into()),
                        None => at.error(format!("`{name}` is not known")),
                    }
                }
                _ => at.error(format!("`{name}` with these indices is not known")),
            },
            None => at.error("an identifier with indices is expected"),
        }
    }

    fn annotate(
        &mut self,
        terms: &mut Terms,
        sexprs: &Sexprs<'_>,
        node: Node,
        results: &[Arg],
    ) -> Result<(), ReadError> {
        let term = results[results.len() - 1].term;
        let mut attributes = sexprs.list(node)[2..].iter().copied().peekable();
        while let Some(keyword) = attributes.next() {
            let Some(token) = sexprs.atom(keyword).filter(|token| token.kind == Kind::Keyword) else {
                return sexprs.at(keyword).error("an attribute's keyword is expected");
            };
            let is_value = |next: &Node| sexprs.atom(*next).is_none_or(|token| token.kind != Kind::Keyword);
            let value = attributes.next_if(is_value);
            if token.text == ":named" {
                let Some(name) = value.and_then(|value| sexprs.symbol(value)) else {
                    return token.at.error("`:named` takes a name");
                };
                self.define(name, Definition { params: Vec::new(), body: term })
                    .or_else(|message| token.at.error(message))?;
                self.names.push((name.to_owned(), term));
            } else {
                let value = value.map(|value| match sexprs.symbol(value) {
                    Some(name) => name.to_owned(),
                    None => sexprs.text(value),
                });
                let keyword = token.text.to_owned();
                if let (":next", Some(name)) = (token.text, &value) {
                    self.declare_next(terms, name, term);
                }
                self.annotations.push(Annotation {
                    keyword,
                    value,
                    term,
                    line: token.at.line,
                    column: token.at.column,
                });
            }
        }
        Ok(())
    }
}

fn takes_rounding(head: &Head<'_>) -> bool {
    match head {
        Head::Name(name) | Head::Indexed(name, _) => name.starts_with("fp.") || name.starts_with("to_fp"),
        Head::Declared(_) | Head::ConstArray(_) => false,
    }
}
