//! Functions and maps over words as arrays.
//!
//! A function over bit-vectors and truth values is a table, so `f(x, y)` reads an array at `x` and `y` side by side. The
//! array is a global that the program never changes. Nothing after the front end has to know of functions then: a run that
//! needs a table names its cells like other inputs. Maps from words to words are arrays as well, unless the program asks
//! whether two maps are equal: Boogie's maps need not be equal where they agree everywhere [Leino-KRML'08], and arrays
//! are. In such a program maps are unknown functions.

use program::{Shown, Var};
use term::Term;

use super::Lowering;
use super::expr::Value;
use super::types::{Ty, table};
use crate::ast::{ExprKind, Name};

/// How maps from words to words are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Maps {
    Arrays,
    Functions,
}

impl Lowering<'_> {
    /// Makes the tables of functions over words that the program applies; they get their values where the program starts.
    pub(super) fn function_tables(&mut self) -> Vec<(Var, Name)> {
        let file = self.file;
        let mut made = Vec::new();
        for expr in &file.exprs {
            let ExprKind::Apply(name, _) = &expr.kind else { continue };
            let Some(&index) = self.function_index.get(name.text.as_str()) else { continue };
            let info = &self.functions[index];
            let is_open = info.decl.body.is_none() && info.decl.builtin.is_none() && info.decl.type_params.is_empty();
            let Some(signature) = info.signature.as_ref().filter(|_| is_open) else { continue };
            let Some((index_width, width)) = table(&signature.params, &signature.result) else { continue };
            if self.tables.contains_key(&index) {
                continue;
            }
            let name = info.decl.name.clone();
            let (from, to) = (self.terms.bv_sort(index_width), self.terms.bv_sort(width));
            let sort = self.terms.sort(term::SortKind::Array(from, to));
            let place = self.place(name.span);
            let var = self.builder.global(self.terms, &name.text, sort, Shown::Plain, place);
            self.tables.insert(index, self.builder.term(var));
            made.push((var, name));
        }
        made
    }
    /// Whether values of the type are arrays.
    pub(super) fn is_array(&self, ty: &Ty) -> bool {
        self.maps == Maps::Arrays && ty.table().is_some()
    }
    pub(super) fn read_table(&mut self, table: Term, args: &[Value], result: &Ty) -> Term {
        let index = self.index(args);
        let element = self.terms.select(table, index);
        match result {
            Ty::Bool => {
                let one = self.terms.bv(1, 1);
                self.terms.eq(element, one)
            }
            _ => element,
        }
    }
    pub(super) fn write_table(&mut self, table: Term, args: &[Value], value: &Value) -> Term {
        let index = self.index(args);
        let element = self.word(value);
        self.terms.store(table, index, element)
    }
    /// The arguments side by side; the first one has the highest bits.
    fn index(&mut self, args: &[Value]) -> Term {
        let mut index: Option<Term> = None;
        for arg in args {
            let word = self.word(arg);
            index = Some(match index {
                None => word,
                Some(before) => self.terms.concat(before, word),
            });
        }
        index.expect("a table has an index")
    }
    fn word(&mut self, value: &Value) -> Term {
        match value.ty {
            Ty::Bool => {
                let (one, zero) = (self.terms.bv(1, 1), self.terms.bv(1, 0));
                self.terms.ite(value.term, one, zero)
            }
            _ => value.term,
        }
    }
}
