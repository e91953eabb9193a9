//! Programs of several files: one analysis for each file, with types in common.
//!
//! The files share the arenas of types, variables and functions. Names, tags and typedefs start anew in each file. Two
//! declarations of a struct in different files are one type if their tags and members agree (C11 6.2.7p1). We make
//! them one handle: a tag at file scope that an earlier file has declared stands for the earlier record, and a definition
//! is laid out by itself and then compared with the earlier one. If it differs, the tag means something else in this
//! file; then the analysis starts again with a type of its own for it. Structs without a tag are compared by their members. Two of them in one
//! file can have the same members (`ldiv_t` and `imaxdiv_t`), and each agrees with that of another file: in a program of several files all are one type.
//!
//! What the linker does with names of external linkage is in `link`.

use base::{Diagnostic, FastMap, Id, IndexVec};

use super::scope::Scopes;
use super::types::Basic;
use super::{Linked, LinkedSymbol, Sema};
use crate::ast::{Ast, Item, RecordSpec};
use crate::hir::{DataModel, Field, Record, RecordTypeId, Types, Unit};
use crate::source::Source;

/// What the files before the one at hand have declared.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The number of files before this one.
    n_files: usize,
    /// Whether the program has several files.
    is_several: bool,
    /// How many variables they have.
    pub n_vars: usize,
    /// How many records they have.
    n_records: usize,
    /// Records with a tag at file scope; `true` for unions.
    tags: FastMap<(String, bool), RecordTypeId>,
    /// Records without a tag, by what they look like.
    untagged: FastMap<Shape, RecordTypeId>,
    /// Tags that mean another type in this file than in earlier ones: file, tag, union.
    apart: Vec<(usize, String, bool)>,
    /// Tags of this file that were taken for an earlier type and are not.
    conflicts: Vec<(usize, String, bool)>,
    /// Earlier records that this file has defined again.
    repeated: Vec<RecordTypeId>,
    /// Names with external linkage, in the order of the files.
    pub externals: Vec<(String, LinkedSymbol)>,
}

/// All that two records without a tag must have in common.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Shape {
    is_union: bool,
    size: u64,
    align: u32,
    fields: Vec<Field>,
}

impl Shape {
    fn of(record: &Record) -> Option<Self> {
        let Record { is_union, size, align, .. } = *record;
        record.fields.clone().map(|fields| Shape { is_union, size, align, fields })
    }
}

/// Analyses the files in order and links them.
pub(super) fn analyse(asts: &[Ast], source: &Source, model: DataModel) -> (Unit, Vec<Diagnostic>) {
    let mut apart = Vec::new();
    loop {
        let sema = analyse_files(asts, source, model, apart.clone());
        if sema.shared.conflicts.is_empty() {
            return (sema.unit, sema.diagnostics);
        }
        // Each round adds a tag of a file, of which there are finitely many.
        apart.extend(sema.shared.conflicts);
    }
}

fn analyse_files<'a>(
    asts: &'a [Ast],
    source: &'a Source,
    model: DataModel,
    apart: Vec<(usize, String, bool)>,
) -> Sema<'a> {
    let mut types = Types::new(model);
    let basic = Basic::new(&mut types);
    let (first, later) = asts.split_first().expect("a program has at least one file");
    let unit = Unit { types, ..Unit::default() };
    let shared = Shared { apart, is_several: !later.is_empty(), ..Shared::default() };
    let mut sema = Sema::of_file(first, source, unit, basic, shared);
    sema.file();
    for ast in later {
        sema = sema.next_file(ast);
        sema.file();
    }
    if asts.len() > 1 && sema.shared.conflicts.is_empty() {
        sema.link_files();
    }
    sema.finish();
    sema
}

impl<'a> Sema<'a> {
    fn of_file(ast: &'a Ast, source: &'a Source, unit: Unit, basic: Basic, shared: Shared) -> Self {
        let mut texts = FastMap::new();
        for (name, text) in ast.names.iter_enumerated() {
            texts.insert(text.clone(), name);
        }
        Sema {
            ast,
            source,
            unit,
            basic,
            diagnostics: Vec::new(),
            scopes: Scopes::new(ast),
            var_types: IndexVec::new(),
            linked: FastMap::new(),
            function_facts: IndexVec::new(),
            transparent: Vec::new(),
            defining: Vec::new(),
            texts,
            body: None,
            vla_sizes: Vec::new(),
            in_definition: false,
            in_prototype: 0,
            undeclared: FastMap::new(),
            unmentioned: FastMap::new(),
            aliases: Vec::new(),
            labels: Vec::new(),
            relabelled: Vec::new(),
            constexprs: FastMap::new(),
            shared,
        }
    }

    /// Analyses the file at hand.
    fn file(&mut self) {
        for item in &self.ast.items {
            match item {
                Item::Function(function) => self.function_definition(function),
                Item::Declaration(declaration) => self.file_declaration(declaration),
                Item::StaticAssert(assertion) => self.static_assert(assertion),
                Item::Asm(text, span) => self.file_assembler(text, *span),
            }
        }
        self.complete_variables();
        self.link_symbols();
        self.note_externals();
    }

    /// The state for the next file: what belongs to the program is kept, what belongs to a file starts anew.
    fn next_file(mut self, ast: &'a Ast) -> Self {
        self.share_types();
        let Sema { source, unit, basic, diagnostics, var_types, function_facts, transparent, shared, .. } = self;
        let fresh = Sema::of_file(ast, source, unit, basic, shared);
        Sema { diagnostics, var_types, function_facts, transparent, ..fresh }
    }

    fn share_types(&mut self) {
        for (name, text) in self.ast.names.iter_enumerated() {
            let Some(record) = self.scopes.record_at_file_scope(name) else { continue };
            let key = (text.to_string(), self.unit.types.records[record].is_union);
            self.shared.tags.get_or_insert_with(key, || record);
        }
        self.shared.n_files += 1;
        self.shared.n_vars = self.unit.vars.len();
        self.shared.n_records = self.unit.types.records.len();
        self.shared.repeated.clear();
    }

    fn note_externals(&mut self) {
        let mut externals: Vec<(String, LinkedSymbol)> = Vec::new();
        for name in self.ast.names.ids() {
            if let Some(&Linked { symbol, internal: false }) = self.linked.get(&name) {
                let label = self.relabelled.iter().find(|(known, _)| *known == symbol);
                let text = label.map_or_else(|| self.symbol_name(symbol), |(_, label)| label.clone());
                externals.push((text, symbol));
            }
        }
        // In the order of the functions, since maps have none.
        for function in self.unit.functions.ids() {
            let name = &self.unit.functions[function].name;
            if self.unmentioned.get(name.as_str()) == Some(&function) {
                externals.push((name.clone(), LinkedSymbol::Function(function)));
            }
        }
        self.shared.externals.extend(externals);
    }

    // ---- records of earlier files

    /// The record that this tag at file scope stands for in earlier files.
    pub(super) fn earlier_record(&self, spec: &RecordSpec) -> Option<RecordTypeId> {
        if self.shared.n_files == 0 || self.scopes.depth() > 0 {
            return None;
        }
        let tag = self.text(spec.tag?);
        let is_apart = |(file, name, is_union): &(usize, String, bool)| {
            *file == self.shared.n_files && name == tag && *is_union == spec.is_union
        };
        if self.shared.apart.iter().any(is_apart) {
            return None;
        }
        self.shared.tags.get(&(tag.to_owned(), spec.is_union)).copied()
    }

    /// Whether a definition in this file repeats the one of an earlier file.
    pub(super) fn is_to_be_repeated(&self, record: RecordTypeId) -> bool {
        Id::index(record) < self.shared.n_records
            && self.unit.types.records[record].fields.is_some()
            && !self.shared.repeated.contains(&record)
    }

    /// The record that a complete definition stands for: itself, or the one of an earlier file that it repeats.
    pub(super) fn settle_record(&mut self, record: RecordTypeId, spec: &RecordSpec) -> RecordTypeId {
        if !self.shared.is_several {
            return record;
        }
        let Some(shape) = Shape::of(&self.unit.types.records[record]) else { return record };
        if spec.tag.is_none() {
            return *self.shared.untagged.get_or_insert_with(shape, || record);
        }
        let Some(earlier) = self.earlier_record(spec).filter(|&earlier| earlier != record) else { return record };
        if !self.is_to_be_repeated(earlier) {
            return record;
        }
        self.shared.repeated.push(earlier);
        if Shape::of(&self.unit.types.records[earlier]).as_ref() != Some(&shape) {
            let tag = self.unit.types.records[record].name.clone();
            self.shared.conflicts.push((self.shared.n_files, tag, spec.is_union));
        }
        earlier
    }
}

/// How the made-up names of records without a tag begin.
pub(super) const UNNAMED: &str = "<unnamed ";
