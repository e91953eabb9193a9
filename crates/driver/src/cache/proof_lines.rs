//! The lines of a proof.

use base::{FastMap, Id};
use program::{Column, EdgeId, Form, FunId, Layout, Member, Part, Recorded, Site};
use term::smtlib::read_term;
use term::{Op, SortKind, Term, Terms};
use verdict::{Contract, Method, Proof, Ranked, Ranking, Slot};

use super::fields::{self, Fields, Lines, Write, Wrong, is_plain, numbers};

/// Adds the lines; nothing if a name or a sort of the proof cannot be written.
pub fn write(out: &mut String, proof: &Proof) -> Option<()> {
    if !proof.totals.is_empty() {
        return None; // They are found again as quickly as they are read.
    }
    out.line(&["method", &method_words(proof.method)]);
    symbols(out, proof)?;
    let text = |term: Term| proof.terms.to_smtlib(term);
    for (point, invariant) in &proof.invariants {
        out.line(&["invariant", &fields::point(point), &text(*invariant)]);
    }
    for (point, place) in &proof.places {
        out.line(&["place", &fields::point(point), &text(*place)]);
    }
    for &lemma in &proof.lemmas {
        out.line(&["lemma", &text(lemma)]);
    }
    if !proof.precise.is_empty() {
        out.line(&["precise", &numbers(proof.precise.iter().map(|edge| edge.index()))]);
    }
    for (question, values) in &proof.closed {
        out.line(&["closed", &numbers(std::iter::once(u64::from(*question)).chain(values.iter().copied()))]);
    }
    for contract in &proof.contracts {
        out.line(&["contract", &contract.function.index().to_string()]);
        for &(symbol, slot) in &contract.slots {
            out.line(&["slot", &slot_words(slot), &text(symbol)]);
        }
        contract.requires.iter().for_each(|&part| out.line(&["requires", &text(part)]));
        contract.ensures.iter().for_each(|&part| out.line(&["ensures", &text(part)]));
    }
    for ranking in &proof.rankings {
        let at = match ranking.at {
            Ranked::Head(loc) => format!("head {}", loc.index()),
            Ranked::Entry(function) => format!("entry {}", function.index()),
        };
        out.line(&["ranking", &at]);
        for &(symbol, var) in &ranking.slots {
            out.line(&["holds", &var.index().to_string(), &text(symbol)]);
        }
        ranking.tuple.iter().for_each(|&word| out.line(&["word", &text(word)]));
    }
    if let Some(layout) = &proof.layout {
        write_layout(out, layout);
    }
    Some(())
}

/// The symbols of all terms, with their sorts and what they stand for.
fn symbols(out: &mut String, proof: &Proof) -> Option<()> {
    let terms = &proof.terms;
    let mut roots: Vec<Term> = proof.invariants.iter().chain(&proof.places).map(|&(_, term)| term).collect();
    roots.extend(&proof.lemmas);
    for contract in &proof.contracts {
        roots.extend(contract.requires.iter().chain(&contract.ensures));
        roots.extend(contract.slots.iter().map(|(symbol, _)| symbol));
    }
    for ranking in &proof.rankings {
        roots.extend(&ranking.tuple);
        roots.extend(ranking.slots.iter().map(|(symbol, _)| symbol));
    }
    let mut known = FastMap::new();
    for (symbol, instance) in &proof.symbols {
        known.insert(*symbol, instance);
    }
    for term in terms.subterms(&roots) {
        // A sort of the program's own has no declaration here.
        if matches!(terms.sort_kind(terms.sort_of(term)), SortKind::Uninterpreted(_)) {
            return None;
        }
        let Op::Symbol(symbol) = terms.op(term) else { continue };
        let (name, sort) = (terms.symbol_name(symbol), terms.sort_text(terms.sort_of(term)));
        if !terms.args(term).is_empty() || !is_plain(name) {
            return None;
        }
        match known.get(&term) {
            Some(instance) => out.line(&["symbol", &fields::instance(instance), &sort, name]),
            None if proof.bound.contains(&term) => out.line(&["bound", &sort, name]),
            None => out.line(&["free", &sort, name]),
        }
    }
    Some(())
}

fn method_words(method: Method) -> String {
    match method {
        Method::Induction { depth } => format!("induction {depth}"),
        Method::Exhaustion { steps } => format!("exhaustion {steps}"),
        Method::Execution { edges } => format!("execution {edges}"),
        Method::Enumeration { runs, edges } => format!("enumeration {runs} {edges}"),
        Method::Unrolling { questions } => format!("unrolling {questions}"),
    }
}

fn slot_words(slot: Slot) -> String {
    match slot {
        Slot::Argument(position) => format!("argument {position}"),
        Slot::Before(var) => format!("before {}", var.index()),
        Slot::After(var) => format!("after {}", var.index()),
        Slot::Result => "result".to_owned(),
    }
}

fn write_layout(out: &mut String, layout: &Layout) {
    out.line(&["layout", &numbers(&layout.counted)]);
    for site in &layout.sites {
        let words = match site {
            Site::Static(object) => format!("static {}", object.index()),
            Site::Automatic(frame, object) => format!("automatic {} {}", fields::frame(frame), object.index()),
            Site::Alloc(frame, edge) => format!("alloc {} {}", fields::frame(frame), edge.index()),
        };
        out.line(&["site", &words]);
    }
    for column in &layout.columns {
        let form = match column.form {
            Form::Scalar => "scalar",
            Form::Offset => "offset",
            Form::Cell => "cell",
        };
        let member = |one: &Member| format!("{} {} {}", one.site, one.class.first, one.class.stride);
        out.line(&["column", &format!("{} {form}", column.bytes), &numbers(column.members.iter().map(member))]);
    }
    for (frame, edge, parts) in &layout.access {
        let part =
            |part: &Part| format!("{} {}", part.bytes, part.column.map_or("-".to_owned(), |column| column.to_string()));
        out.line(&["access", &fields::frame(frame), &edge.index().to_string(), &numbers(parts.iter().map(part))]);
    }
    for one in &layout.valid {
        let tagged = if one.is_tagged { "tagged" } else { "untagged" };
        out.line(&["valid", &fields::frame(&one.frame), &one.edge.index().to_string(), tagged]);
    }
}

/// Reads the lines.
pub fn read(lines: &mut Lines<'_>) -> Result<Proof, Wrong> {
    let method = method(&mut lines.expect("method")?)?;
    let mut proof = Proof { method, ..Proof::by_runs(Method::Execution { edges: 0 }) };
    read_symbols(lines, &mut proof)?;
    while let Some(line) = lines.take_text("invariant", 2) {
        let (mut at, text) = line?;
        let (point, invariant) = (at.point()?, formula(&mut proof.terms, text)?);
        proof.invariants.push((point, invariant));
    }
    while let Some(line) = lines.take_text("place", 2) {
        let (mut at, text) = line?;
        let (point, place) = (at.point()?, term(&mut proof.terms, text)?);
        proof.places.push((point, place));
    }
    while let Some(line) = lines.take_text("lemma", 1) {
        let lemma = formula(&mut proof.terms, line?.1)?;
        proof.lemmas.push(lemma);
    }
    if let Some(mut edges) = lines.take("precise") {
        while edges.left() > 0 {
            proof.precise.push(edges.id::<EdgeId>()?);
        }
    }
    while let Some(mut question) = lines.take("closed") {
        proof.closed.push((question.number()?, question.numbers()?));
    }
    while let Some(mut at) = lines.take("contract") {
        let contract = contract(lines, &mut proof.terms, at.id()?)?;
        proof.contracts.push(contract);
    }
    while let Some(mut at) = lines.take("ranking") {
        let ranking = ranking(lines, &mut proof.terms, &mut at)?;
        proof.rankings.push(ranking);
    }
    if let Some(mut counted) = lines.take("layout") {
        // An empty list is one empty word.
        let counted = counted.numbers().unwrap_or_default();
        proof.layout = Some(read_layout(lines, counted)?);
    }
    lines.end()?;
    Ok(proof)
}

fn method(words: &mut Fields<'_>) -> Result<Method, Wrong> {
    Ok(match words.word()? {
        "induction" => Method::Induction { depth: words.number::<u32>()?.max(1) },
        "exhaustion" => Method::Exhaustion { steps: words.number()? },
        "execution" => Method::Execution { edges: words.number()? },
        "enumeration" => Method::Enumeration { runs: words.number()?, edges: words.number()? },
        "unrolling" => Method::Unrolling { questions: words.number()? },
        _ => return Err("a method is wrong".to_owned()),
    })
}

fn read_symbols(lines: &mut Lines<'_>, proof: &mut Proof) -> Result<(), Wrong> {
    loop {
        let word = lines.peek();
        let n_fields = if word == "symbol" { 3 } else { 2 };
        if !matches!(word, "symbol" | "bound" | "free") {
            return Ok(());
        }
        let Some(line) = lines.take_text(word, n_fields) else { return Ok(()) };
        let (mut words, name) = line?;
        let instance = if word == "symbol" { Some(words.instance()?) } else { None };
        let mut sort = String::new();
        while words.left() > 0 {
            sort.push_str(words.word()?);
            sort.push(' ');
        }
        let sort = fields::sort(&mut proof.terms, &sort)?;
        if !is_plain(name) {
            return Err("a name is wrong".to_owned());
        }
        let symbol = proof.terms.declare(name, &[], sort).ok_or("a name is declared twice")?;
        let term = proof.terms.apply(symbol, &[]);
        proof.symbols.extend(instance.map(|instance| (term, instance)));
        if word == "bound" {
            proof.bound.push(term);
        }
    }
}

fn term(terms: &mut Terms, text: &str) -> Result<Term, Wrong> {
    read_term(terms, text).map_err(|error| error.message)
}

fn formula(terms: &mut Terms, text: &str) -> Result<Term, Wrong> {
    let found = term(terms, text)?;
    if terms.is_bool(found) { Ok(found) } else { Err("an invariant is no formula".to_owned()) }
}

fn contract(lines: &mut Lines<'_>, terms: &mut Terms, function: FunId) -> Result<Contract, Wrong> {
    let mut contract = Contract { function, slots: Vec::new(), requires: Vec::new(), ensures: Vec::new() };
    while let Some(line) = lines.take_text("slot", 2) {
        let (mut words, text) = line?;
        let slot = match words.word()? {
            "argument" => Slot::Argument(words.number()?),
            "before" => Slot::Before(words.id()?),
            "after" => Slot::After(words.id()?),
            "result" => Slot::Result,
            _ => return Err("a slot is wrong".to_owned()),
        };
        contract.slots.push((term(terms, text)?, slot));
    }
    while let Some(line) = lines.take_text("requires", 1) {
        contract.requires.push(formula(terms, line?.1)?);
    }
    while let Some(line) = lines.take_text("ensures", 1) {
        contract.ensures.push(formula(terms, line?.1)?);
    }
    Ok(contract)
}

fn ranking(lines: &mut Lines<'_>, terms: &mut Terms, at: &mut Fields<'_>) -> Result<Ranking, Wrong> {
    let at = match at.word()? {
        "head" => Ranked::Head(at.id()?),
        "entry" => Ranked::Entry(at.id()?),
        _ => return Err("a ranking is wrong".to_owned()),
    };
    let mut ranking = Ranking { at, slots: Vec::new(), tuple: Vec::new() };
    while let Some(line) = lines.take_text("holds", 2) {
        let (mut words, text) = line?;
        let var = words.id()?;
        ranking.slots.push((term(terms, text)?, var));
    }
    while let Some(line) = lines.take_text("word", 1) {
        ranking.tuple.push(term(terms, line?.1)?);
    }
    Ok(ranking)
}

fn read_layout(lines: &mut Lines<'_>, counted: Vec<u32>) -> Result<Layout, Wrong> {
    let mut layout = Layout { counted, ..Layout::default() };
    while let Some(mut words) = lines.take("site") {
        layout.sites.push(match words.word()? {
            "static" => Site::Static(words.id()?),
            "automatic" => Site::Automatic(words.frame()?, words.id()?),
            "alloc" => Site::Alloc(words.frame()?, words.id()?),
            _ => return Err("a site is wrong".to_owned()),
        });
    }
    while let Some(mut words) = lines.take("column") {
        let bytes = words.number()?;
        let form = match words.word()? {
            "scalar" => Form::Scalar,
            "offset" => Form::Offset,
            "cell" => Form::Cell,
            _ => return Err("a column is wrong".to_owned()),
        };
        let mut members = Vec::new();
        while words.left() > 2 {
            members.push(Member { site: words.number()?, class: words.class()? });
        }
        layout.columns.push(Column { bytes, form, members });
    }
    while let Some(mut words) = lines.take("access") {
        let (frame, edge) = (words.frame()?, words.id()?);
        let mut parts = Vec::new();
        while words.left() > 1 {
            parts.push(Part { bytes: words.number()?, column: words.option()? });
        }
        layout.access.push((frame, edge, parts));
    }
    while let Some(mut words) = lines.take("valid") {
        let (frame, edge) = (words.frame()?, words.id()?);
        layout.valid.push(Recorded { frame, edge, is_tagged: words.word()? == "tagged" });
    }
    // Columns and sites are looked up by their numbers.
    let n_sites = layout.sites.len() as u32;
    let n_columns = layout.columns.len() as u32;
    let members = layout.columns.iter().flat_map(|column| &column.members);
    let parts = layout.access.iter().flat_map(|(_, _, parts)| parts);
    if members.into_iter().any(|member| member.site >= n_sites)
        || layout.counted.iter().any(|&site| site >= n_sites)
        || parts.into_iter().any(|part| part.column.is_some_and(|column| column >= n_columns))
    {
        return Err("a layout names what it does not have".to_owned());
    }
    Ok(layout)
}
