//! Sorts from text. A list comes after its children in the flat expression, so one pass upwards
//! reads nested array sorts without recursing.

use base::FastMap;

use super::command::Reader;
use super::lexer::ReadError;
use super::sexpr::{Node, Sexprs};
use crate::sort::{Sort, SortKind};
use crate::store::Terms;
use crate::typing::MAX_WIDTH;

/// A sort with parameters, which are sorts made up for the purpose.
#[derive(Clone)]
pub(super) struct SortDefinition {
    pub params: Vec<Sort>,
    pub body: Sort,
}

impl Reader<'_> {
    pub(super) fn sort(&self, terms: &mut Terms, sexprs: &Sexprs<'_>, root: Node) -> Result<Sort, ReadError> {
        let mut read: FastMap<Node, Sort> = FastMap::new();
        for node in sexprs.below(root) {
            let sort = match sexprs.symbol(node) {
                Some(name) => self.named_sort(terms, name, sexprs.is_quoted(node)),
                None => self.compound_sort(terms, sexprs, node, &read),
            };
            match sort {
                Ok(sort) => {
                    read.insert(node, sort);
                }
                // Atoms inside, such as the head, need not be sorts themselves.
                Err(message) if node == root => return sexprs.at(node).error(message),
                Err(_) => {}
            }
        }
        Ok(read[&root])
    }

    fn named_sort(&self, terms: &mut Terms, name: &str, is_quoted: bool) -> Result<Sort, String> {
        let may_be_declared = is_quoted || !self.is_word(name);
        if let Some(definition) = self.sorts.get(name).filter(|_| may_be_declared) {
            return match definition.params.is_empty() {
                true => Ok(definition.body),
                false => Err(format!("sort `{name}` takes {} parameters", definition.params.len())),
            };
        }
        if self.apart.is_some() && is_quoted {
            return Err(format!("sort `{name}` is not declared"));
        }
        Ok(terms.sort(match name {
            "Bool" => SortKind::Bool,
            "Int" => SortKind::Int,
            "Real" => SortKind::Real,
            "Float16" => SortKind::Float(5, 11),
            "Float32" => SortKind::Float(8, 24),
            "Float64" => SortKind::Float(11, 53),
            "Float128" => SortKind::Float(15, 113),
            _ => return Err(format!("sort `{name}` is not declared")),
        }))
    }

    fn compound_sort(
        &self,
        terms: &mut Terms,
        sexprs: &Sexprs<'_>,
        node: Node,
        read: &FastMap<Node, Sort>,
    ) -> Result<Sort, String> {
        if let Some((name, indices)) = sexprs.indexed(node) {
            return match (name, &indices[..]) {
                ("BitVec", &[width]) if (1..=MAX_WIDTH).contains(&width) => Ok(terms.bv_sort(width)),
                ("BitVec", _) => Err(format!("a bit-vector has between 1 and {MAX_WIDTH} bits")),
                ("FloatingPoint", &[exponent, significand]) => float_sort(terms, exponent, significand),
                _ => Err(format!("`{name}` is no sort with indices")),
            };
        }
        let [head, args @ ..] = sexprs.list(node) else { return Err("a sort is expected".to_owned()) };
        if sexprs.word(*head) == Some("_") {
            return Err("these indices are not supported".to_owned());
        }
        let name = sexprs.symbol(*head).ok_or("a sort is expected")?;
        let args: Vec<Sort> = args
            .iter()
            .map(|arg| read.get(arg).copied().ok_or_else(|| format!("`{}` is no sort", sexprs.text(*arg))))
            .collect::<Result<_, _>>()?;
        if let Some(definition) = self.sorts.get(name).filter(|_| !self.is_word(name)) {
            if definition.params.len() != args.len() || args.is_empty() {
                return Err(format!("sort `{name}` takes {} parameters", definition.params.len()));
            }
            return Ok(instance(terms, definition, &args));
        }
        match (name, &args[..]) {
            ("Array", &[index, element]) => Ok(terms.sort(SortKind::Array(index, element))),
            ("Array", _) => Err("an array has a sort of indices and one of elements".to_owned()),
            _ => Err(format!("sort `{name}` with parameters is not known")),
        }
    }
}

/// The float sort, if the sizes make sense.
pub(super) fn float_sort(terms: &mut Terms, exponent: u32, significand: u32) -> Result<Sort, String> {
    if exponent < 2 || significand < 2 || u64::from(exponent) + u64::from(significand) > u64::from(MAX_WIDTH) {
        return Err("a float has at least two bits of exponent and two of significand".to_owned());
    }
    Ok(terms.sort(SortKind::Float(exponent, significand)))
}

/// The definition's body with sorts in place of its parameters.
fn instance(terms: &mut Terms, definition: &SortDefinition, args: &[Sort]) -> Sort {
    let mut done: FastMap<Sort, Sort> = FastMap::new();
    for (&param, &arg) in definition.params.iter().zip(args) {
        done.insert(param, arg);
    }
    let mut stack = vec![definition.body];
    while let Some(&top) = stack.last() {
        if done.contains_key(&top) {
            stack.pop();
            continue;
        }
        let new = match *terms.sort_kind(top) {
            SortKind::Array(index, element) => match (done.get(&index), done.get(&element)) {
                (Some(&index), Some(&element)) => terms.sort(SortKind::Array(index, element)),
                _ => {
                    stack.extend([index, element]);
                    continue;
                }
            },
            _ => top,
        };
        done.insert(top, new);
    }
    done[&definition.body]
}
