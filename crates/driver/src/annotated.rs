//! Loop invariants of the source as candidates for the engines.
//!
//! A second program is made of the same text, with each annotation woven in as an assertion at its loop (`cfront::weave`), so that names mean
//! what they mean there. In its optimised form the condition of an assertion is the path condition from the loop head to its error. That is a formula over the state at the head; an
//! alignment with the program itself puts it into words of that (`program::align`). Nothing is believed: candidates pass Houdini (`engine::offered`).

use base::{FastMap, Place};
use cfront::weave::{Anchor, Insertion, OBJECTION, Unwoven};
use encode::{Blocks, CutKind, Memory};
use engine::Fate;
use program::align::Alignment;
use program::{Point, Program, pass};
use report::answer::{Annotation as Said, AnnotationFate};
use term::walk::Import;
use term::{Op, Substitution, Term, Terms};
use verdict::{Candidates, Proof, Verdict};

use crate::annotations::Annotation;
use crate::command::place_text;
use crate::context::Context;
use crate::frontend::Loaded;
use crate::offers::Offer;
use crate::progress::lock;
use crate::tuning::Tuning;
use crate::verify::Conclusion;

/// The source of facts that come from annotations.
pub const SOURCE: &str = "the source";

/// Annotations, and the text that they are about.
pub struct Annotated {
    /// The name of the file.
    pub name: String,
    /// The text as the front end reads it.
    pub text: String,
    /// The options of the front end.
    pub options: cfront::Options,
    /// What the source states.
    pub annotations: Vec<Annotation>,
}

/// The candidates, and which annotation each is about.
pub struct Stated {
    /// Their conjuncts.
    candidates: Candidates,
    /// By candidate: the annotation.
    owners: Vec<usize>,
    /// By annotation: why it is no candidate.
    refused: Vec<Option<String>>,
}

impl Annotated {
    /// The annotations as candidates about the program.
    pub fn stated(&self, loaded: &Loaded) -> Stated {
        let mut refused: Vec<Option<String>> =
            self.annotations.iter().map(|one| one.condition.as_ref().err().cloned()).collect();
        let mut stated = Stated { candidates: nothing(), owners: Vec::new(), refused: Vec::new() };
        if let Some((program, terms)) = self.woven(&mut refused) {
            let (found, owners) = extracted(&program, &terms);
            let alignment = Alignment::new((&program, &terms), (&loaded.program, &loaded.terms));
            let known = found.transferred_each(&alignment);
            stated.owners =
                owners.iter().zip(&known).filter(|(_, is_known)| **is_known).map(|(owner, _)| *owner).collect();
            stated.candidates = found.transferred(&alignment);
        }
        stated.refused = refused;
        stated
    }
    /// The program with the annotations that are not refused; none if there are none left. Each round leaves out one that is wrong.
    fn woven(&self, refused: &mut [Option<String>]) -> Option<(Program, Terms)> {
        loop {
            let kept: Vec<usize> = (0..refused.len()).filter(|&number| refused[number].is_none()).collect();
            if kept.is_empty() {
                return None;
            }
            let prelude: String =
                kept.iter().map(|number| format!("extern void {OBJECTION}{number}(void);\n")).collect();
            let insertion = |&number: &usize| Insertion {
                name: format!("annotation {number}"),
                at: self.annotations[number].at.clone(),
                anchor: Anchor::Loop,
                guard: None,
                condition: self.annotations[number].condition.clone().ok(),
                negated: true,
                action: format!("{OBJECTION}{number}();"),
            };
            let insertions: Vec<Insertion> = kept.iter().map(insertion).collect();
            let mut terms = Terms::new();
            let text = &self.text;
            match cfront::compile_woven(&self.name, text, &self.options, &prelude, &insertions, &mut terms) {
                Ok((compiled, _)) => return Some((compiled.program, terms)),
                Err(Unwoven::Insertion(number, why)) => refused[kept[number]] = Some(why),
                Err(Unwoven::Program(found)) => {
                    let about = found.iter().find_map(|one| {
                        let number = one.file.strip_prefix("annotation ")?.parse::<usize>().ok()?;
                        Some((number, one.message.clone()))
                    });
                    match about {
                        Some((number, why)) if refused.get(number).is_some_and(Option::is_none) => {
                            refused[number] = Some(why);
                        }
                        _ => {
                            kept.iter().for_each(|&number| refused[number] = Some("the program has errors".to_owned()));
                            return None;
                        }
                    }
                }
            }
        }
    }
}

impl Stated {
    /// The candidates for the engines, if there are any.
    pub fn offer(&self) -> Option<Offer> {
        let candidates = self.candidates.clone();
        let ticks = Tuning::DEFAULT.offer_ticks;
        (!candidates.list.is_empty()).then_some(Offer { source: SOURCE, candidates, ticks })
    }
    /// What became of each annotation.
    pub fn outcomes(&self, context: &Context, loaded: &Loaded, annotated: &Annotated, found: &Conclusion) -> Vec<Said> {
        let fates =
            lock(&context.progress).fates.iter().find(|(source, _)| *source == SOURCE).map(|(_, all)| all.clone());
        let say = |(number, annotation): (usize, &Annotation)| {
            let own = |&at: &usize| self.owners[at] == number;
            let own: Vec<usize> = (0..self.owners.len()).filter(own).collect();
            let (fate, why) = match (&self.refused[number], &fates) {
                (Some(why), _) => (AnnotationFate::NotRead, Some(why.clone())),
                (None, None) if own.is_empty() => (AnnotationFate::NotTried, Some(NO_WORDS.to_owned())),
                (None, None) => (AnnotationFate::NotTried, Some("no engine needed candidates".to_owned())),
                (None, Some(fates)) => self.fate(&own, fates, loaded, found),
            };
            Said {
                place: format!("{}:{}", annotation.at.file, annotation.line),
                text: annotation.text.clone(),
                fate,
                why,
            }
        };
        annotated.annotations.iter().enumerate().map(say).collect()
    }
    /// What became of an annotation of these candidates.
    fn fate(
        &self,
        own: &[usize],
        fates: &[Fate],
        loaded: &Loaded,
        found: &Conclusion,
    ) -> (AnnotationFate, Option<String>) {
        let at = |point: &Point| {
            let place: Option<Place> = loaded.program.locations.get(point.loc).and_then(|location| location.place);
            place_text(&loaded.program, place).map_or("the start".to_owned(), |place| format!("the loop at {place}"))
        };
        for fate in own.iter().filter_map(|&at| fates.get(at)) {
            match fate {
                Fate::Refuted { from }
                    if loaded.program.entry.is_some_and(|entry| loaded.program.functions[entry].entry == from.loc) =>
                {
                    return (
                        AnnotationFate::Refuted,
                        Some("it need not hold when the loop is reached first".to_owned()),
                    );
                }
                Fate::Refuted { from } => {
                    return (AnnotationFate::Refuted, Some(format!("a step from {} need not keep it", at(from))));
                }
                Fate::Undecided { from } => {
                    return (
                        AnnotationFate::Undecided,
                        Some(format!("whether a step from {} keeps it is too hard", at(from))),
                    );
                }
                Fate::NoWords => return (AnnotationFate::NotTried, Some(NO_WORDS.to_owned())),
                Fate::Holds => {}
            }
        }
        if own.is_empty() {
            // The passes have found that no run comes to its error, or what it speaks of is gone.
            return (AnnotationFate::NotTried, Some(NO_WORDS.to_owned()));
        }
        let is_used = |proof: &Proof| own.iter().any(|&at| self.is_used(at, proof));
        match &found.verdict {
            Verdict::Safe(proof) if is_used(proof) => (AnnotationFate::Used, None),
            _ => (AnnotationFate::NotNeeded, None),
        }
    }
    /// Whether the candidate is among what the proof says there.
    fn is_used(&self, at: usize, proof: &Proof) -> bool {
        let (point, candidate) = &self.candidates.list[at];
        let mut terms = proof.terms.clone();
        let mut import = Import::new();
        let Ok(term) = import.term(&self.candidates.terms, &mut terms, *candidate) else { return false };
        let mut pairs = Vec::new();
        for (symbol, instance) in &self.candidates.symbols {
            let theirs = proof.symbols.iter().find(|(_, other)| other == instance);
            if let (Ok(symbol), Some((theirs, _))) = (import.term(&self.candidates.terms, &mut terms, *symbol), theirs)
                && terms.sort_of(symbol) == terms.sort_of(*theirs)
            {
                pairs.push((symbol, *theirs));
            }
        }
        let term = Substitution::new(&terms, &pairs).apply(&mut terms, term);
        let here = proof.invariants.iter().filter(|(other, _)| other == point);
        here.flat_map(|(_, invariant)| terms.conjuncts(&[*invariant])).any(|part| part == term)
    }
}

const NO_WORDS: &str = "the optimised program has no such loop, or no variables for what it speaks of";

fn nothing() -> Candidates {
    Candidates { terms: Terms::new(), symbols: Vec::new(), list: Vec::new(), layout: None }
}

/// The conditions of the annotations at the loop heads of the program into which they are woven, conjunct by conjunct, with the number of the annotation.
fn extracted(program: &Program, terms: &Terms) -> (Candidates, Vec<usize>) {
    let mut own = terms.clone();
    let Ok(optimised) = pass::optimise(program.clone(), &mut own, &pass::Options::default()) else {
        return (nothing(), Vec::new());
    };
    let (made, map) = (&optimised.program, &optimised.map);
    let Ok(blocks) = Blocks::new(made, &mut own, Memory::Anything) else { return (nothing(), Vec::new()) };
    let mut state: FastMap<Term, program::Var> = FastMap::new();
    for (var, variable) in made.vars.iter_enumerated() {
        state.insert(variable.term, var);
    }
    let (mut list, mut owners, mut symbols) = (Vec::new(), Vec::new(), Vec::new());
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated().filter(|(_, one)| one.kind == CutKind::Head) {
        for exit in &blocks.blocks[cut].exits {
            let CutKind::Error(assertion) = blocks.cutpoints[exit.to].kind else { continue };
            let text = &made.assertions[assertion].text;
            let number =
                text.strip_prefix(OBJECTION).and_then(|rest| rest.trim_end_matches("()").parse::<usize>().ok());
            let Some(number) = number else { continue };
            let condition = own.not(exit.guard);
            for part in own.conjuncts(&[condition]) {
                let mentioned: Vec<Term> = own
                    .subterms(&[part])
                    .into_iter()
                    .filter(|&term| matches!(own.op(term), Op::Symbol(_)) && own.args(term).is_empty())
                    .collect();
                // What is read on the way from the head to the error is not part of the state.
                if !mentioned.iter().all(|symbol| state.contains_key(symbol)) {
                    continue;
                }
                symbols.extend(mentioned.iter().map(|symbol| (*symbol, map.instances[state[symbol]].clone())));
                list.push((map.points[cutpoint.loc].clone(), part));
                owners.push(number);
            }
        }
    }
    symbols.sort_by_key(|(symbol, _)| symbol.index());
    symbols.dedup_by_key(|(symbol, _)| *symbol);
    (Candidates { terms: own, symbols, list, layout: map.layout.clone() }, owners)
}
