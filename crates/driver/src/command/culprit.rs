//! The object of a memory error in words: which one, how large, where the access begins, where it was allocated and freed.

use program::interp::{Lifespan, Touched};
use program::{AccessKind, AssertionId, AssertionKind, Program};

use super::evidence::Replay;
use super::place_text;

/// A line about the object, or nothing if it is not known.
pub fn text(program: &Program, replay: &Replay, fails: AssertionId) -> String {
    let kind = program.assertions[fails].kind;
    let said = match kind {
        AssertionKind::Access(AccessKind::Track) => replay.touched.map(|object| lost(program, &object)),
        AssertionKind::Access(access) => Some(match &replay.touched {
            Some(object) => accessed(program, object, access),
            None if replay.run.probed == Some(0) => "the pointer is null".to_owned(),
            None => "the address belongs to no object".to_owned(),
        }),
        AssertionKind::Cleanup => Some(left(program, replay)),
        _ => None,
    };
    said.map_or(String::new(), |said| format!("  memory: {said}\n"))
}

fn accessed(program: &Program, touched: &Touched, access: AccessKind) -> String {
    let start = match access {
        AccessKind::Free if touched.offset == 0 => "the pointer is the start of".to_owned(),
        AccessKind::Free => format!("the pointer is {} of", position(touched.offset)),
        _ => format!("the access begins at {} of", position(touched.offset)),
    };
    let ended = match touched.state {
        Lifespan::Ended if touched.object.is_some() => ", which has ended",
        Lifespan::Ended | Lifespan::Freed | Lifespan::Live => "",
    };
    format!("{start} {}{ended}", object(program, touched))
}

fn position(offset: i64) -> String {
    if offset < 0 { format!("{} bytes before the start", offset.unsigned_abs()) } else { format!("byte {offset}") }
}

fn object(program: &Program, touched: &Touched) -> String {
    let bytes = if touched.size == 1 { "1 byte".to_owned() } else { format!("{} bytes", touched.size) };
    if let Some(named) = touched.object {
        let object = &program.objects[named];
        // A name of the front end's own says nothing to the reader.
        let name =
            if object.name.contains('!') { "an unnamed object".to_owned() } else { format!("`{}`", object.name) };
        return format!("{name} ({bytes})");
    }
    let event = |word: &str, place| place_text(program, place).map(|place| format!(", {word} at {place}"));
    let allocated = event("allocated", touched.allocated).unwrap_or_default();
    let freed = event("freed", touched.freed).unwrap_or_default();
    format!("an object of {bytes}{allocated}{freed}")
}

fn lost(program: &Program, touched: &Touched) -> String {
    format!("no pointer leads any more to {}", object(program, touched))
}

fn left(program: &Program, replay: &Replay) -> String {
    let mut places: Vec<String> = Vec::new();
    for place in replay.run.left.iter().filter_map(|&place| place_text(program, place)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    match places.as_slice() {
        [] => "memory is still allocated".to_owned(),
        places => format!("still allocated when the program ends: memory from {}", places.join(", ")),
    }
}
