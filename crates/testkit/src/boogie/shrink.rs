//! Smaller programs on which the same thing happens: parts are left out one by one for as long as it does.

use super::{Kind, Program, Stmt};

/// The smallest program found for which `is_still` holds; it holds for `program`.
pub fn shrink(program: &Program, mut is_still: impl FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    'again: loop {
        for candidate in candidates(&smallest) {
            if is_still(&candidate) {
                smallest = candidate;
                continue 'again;
            }
        }
        return smallest;
    }
}

/// Programs with one part less.
fn candidates(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    let mut with = |change: &mut dyn FnMut(&mut Program)| {
        let mut smaller = program.clone();
        change(&mut smaller);
        all.push(smaller);
    };
    for axiom in 0..program.axioms.len() {
        with(&mut |smaller| drop(smaller.axioms.remove(axiom)));
    }
    for global in 0..program.globals.len() {
        if program.globals[global].restriction.is_some() {
            with(&mut |smaller| smaller.globals[global].restriction = None);
        }
    }
    for (number, procedure) in program.procedures.iter().enumerate() {
        for body in 0..procedure.bodies.len() {
            with(&mut |smaller| drop(smaller.procedures[number].bodies.remove(body)));
            let size = count(&procedure.bodies[body].block);
            for at in 0..size {
                with(&mut |smaller| {
                    let mut at = at;
                    remove(&mut smaller.procedures[number].bodies[body].block, &mut at, false);
                });
                with(&mut |smaller| {
                    let mut at = at;
                    remove(&mut smaller.procedures[number].bodies[body].block, &mut at, true);
                });
            }
            for local in 0..procedure.bodies[body].locals.len() {
                if procedure.bodies[body].locals[local].restriction.is_some() {
                    with(&mut |smaller| smaller.procedures[number].bodies[body].locals[local].restriction = None);
                }
            }
        }
        for at in 0..procedure.requires.len() {
            with(&mut |smaller| drop(smaller.procedures[number].requires.remove(at)));
        }
        for at in 0..procedure.ensures.len() {
            with(&mut |smaller| drop(smaller.procedures[number].ensures.remove(at)));
        }
        if procedure.interface().any(|var| var.restriction.is_some()) {
            with(&mut |smaller| {
                let procedure = &mut smaller.procedures[number];
                let vars = procedure.params.iter_mut().chain(&mut procedure.results);
                vars.for_each(|var| var.restriction = None);
            });
        }
    }
    all
}

fn count(block: &[Stmt]) -> usize {
    let inside = |stmt: &Stmt| match &stmt.kind {
        Kind::If(_, then, otherwise) => count(then) + count(otherwise),
        Kind::While(_, invariants, body) => invariants.len() + count(body),
        _ => 0,
    };
    block.iter().map(|stmt| 1 + inside(stmt)).sum()
}

/// Removes the statement or invariant of this number, in the order of the text. A structured statement leaves what is inside it
/// if `keeps_inside` says so.
fn remove(block: &mut Vec<Stmt>, at: &mut usize, keeps_inside: bool) -> bool {
    for index in 0..block.len() {
        if *at == 0 {
            let removed = block.remove(index);
            // A label that is jumped to stays, and so does what a `break` inside would leave.
            let inside = match removed.kind {
                Kind::If(_, then, _) if keeps_inside => then,
                Kind::Label(_) | Kind::Goto(_) => {
                    block.retain(|stmt| !matches!(stmt.kind, Kind::Label(_) | Kind::Goto(_)));
                    return true;
                }
                _ => Vec::new(),
            };
            block.splice(index..index, inside);
            return true;
        }
        *at -= 1;
        let is_done = match &mut block[index].kind {
            Kind::If(_, then, otherwise) => remove(then, at, keeps_inside) || remove(otherwise, at, keeps_inside),
            Kind::While(_, invariants, body) => {
                if *at < invariants.len() {
                    invariants.remove(*at);
                    return true;
                }
                *at -= invariants.len();
                remove(body, at, keeps_inside)
            }
            _ => false,
        };
        if is_done {
            return true;
        }
    }
    false
}
