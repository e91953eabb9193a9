//! A transition system as VMT text, for other tools and for reading it back.
//!
//! Each state variable has a next value of its own name, each is given by one equation, and what the program
//! receives from outside has no next value: so it is an input.

use term::smtlib::symbol_text;
use term::{Op, Term, Terms};

use crate::transition::Transition;

/// The text. `axioms` hold of constants, and so in the first state.
pub fn vmt(terms: &mut Terms, transition: &Transition, axioms: &[Term]) -> String {
    let mut pairs = vec![(transition.location, transition.next_location)];
    pairs.extend(transition.variables.iter().map(|variable| (variable.now, variable.next)));
    let mut start = vec![transition.start];
    start.extend_from_slice(axioms);
    let start = terms.and(&start);
    let mut roots: Vec<Term> = pairs.iter().flat_map(|&(now, value)| [now, value]).collect();
    roots.extend([start, transition.error]);
    let mut text = String::from("; one step runs from one cutpoint of the program to the next\n");
    text.push_str(&terms.declarations(&roots));
    let mut steps = Vec::new();
    for (number, &(now, value)) in pairs.iter().enumerate() {
        let Op::Symbol(symbol) = terms.op(now) else { unreachable!("state variables are symbols") };
        let mut name = format!("{}.next", terms.symbol_name(symbol));
        while terms.lookup(&name).is_some() {
            name.push('!');
        }
        let sort = terms.sort_of(now);
        let next = terms.variable(&name, sort);
        let Op::Symbol(primed) = terms.op(next) else { unreachable!("it was just declared") };
        let (sort, name) = (terms.sort_text(sort), symbol_text(&name));
        text.push_str(&format!(
            "{}\n(define-fun .sv{number} () {sort} (! {} :next {name}))\n",
            terms.declaration(primed),
            terms.to_smtlib(now)
        ));
        text.push_str(&format!("(define-fun .step{number} () Bool (= {name} {}))\n", terms.to_smtlib(value)));
        steps.push(format!(".step{number}"));
    }
    let good = terms.not(transition.error);
    text.push_str(&format!("(define-fun .init () Bool (! {} :init true))\n", terms.to_smtlib(start)));
    text.push_str(&format!("(define-fun .trans () Bool (! (and {} true) :trans true))\n", steps.join(" ")));
    text.push_str(&format!("(define-fun .good () Bool (! {} :invar-property 0))\n", terms.to_smtlib(good)));
    text
}
