//! Leaps: many rounds of a loop done at once.
//!
//! A loop that counts to 2³¹ takes the same way through the code again and again, and from round to round its registers
//! change by constant steps. Where that is certain, the state after any number of rounds is known without executing
//! them: this is loop acceleration along one path, as in [BardinFinkelLerouxPetrucci-STTT'08], done on the concrete
//! state of a run instead of symbolically ([JeannetSchrammelSankaranarayanan-POPL'14] describes the abstract kind).
//!
//! From time to time a run is tried out ahead, on the side. If it comes back to the same instruction (the *anchor*)
//! twice, the registers of the two visits suggest a step for each register, and a third visit proves them: the round
//! between is walked once more with every value as a function of the round's number `k`, `(value + k·step) mod 2ʷ` (see
//! `rounds`). The walk collects up to which `k` all jumps go the same way. If every register ends the round as it
//! begins the next one, then by induction the suggestion is right for all those rounds.
//!
//! Of the rounds that are certain the last is left to plain execution. So a register that each round writes before
//! reading it (an intermediate value, say) may have any value after the leap: it is not read.
//!
//! Rounds with inputs, memory, floats, wide values or recursion are not leapt over. Nothing is guessed: a loop that
//! does not fit is executed as ever.

use base::FastMap;

use super::code::{Code, Note, Reg};
use super::narrow::mask;
use super::rounds::{Form, Walk};
use crate::tuning::Tuning;

/// When to try, and what is worth it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeapSettings {
    /// Edges between two tries, after a leap.
    pub gap: u64,
    /// Edges that a leap must save.
    pub gain: u64,
}

impl LeapSettings {
    /// So that tries are never noticed: a try costs as much as some ten thousand edges.
    pub(super) const DEFAULT: LeapSettings = LeapSettings { gap: 8192, gain: 1 << 18 };
    /// For runs that execute every edge.
    pub(super) const NEVER: LeapSettings = LeapSettings { gap: u64::MAX, gain: u64::MAX };
}

/// The tries of a run.
#[derive(Clone, Debug)]
pub(super) struct Tries {
    leap_settings: LeapSettings,
    gap: u64,
    next: u64,
}

/// A leap that was made.
pub(super) struct Leap {
    /// Where the run goes on.
    pub pc: usize,
    /// Edges that were leapt over.
    pub edges: u64,
    /// The notes up to the first round.
    pub notes_before: Vec<Note>,
    /// How many rounds were leapt over.
    pub rounds: u64,
    /// The notes of a round.
    pub notes: Vec<Note>,
}

impl Tries {
    pub(super) fn new(leap_settings: LeapSettings) -> Tries {
        Tries { leap_settings, gap: leap_settings.gap, next: leap_settings.gap }
    }
    /// Edges after which it may be time, at the earliest.
    pub(super) fn shortest_gap(&self) -> u64 {
        self.leap_settings.gap
    }
    /// Whether it is time to try, after the given number of edges.
    pub(super) fn due(&self, edges: u64) -> bool {
        edges >= self.next
    }
    /// Tries to leap from here.
    pub(super) fn leap(&mut self, code: &Code, regs: &mut [u64], pc: usize, edges: u64) -> Option<Leap> {
        let Tuning { leap_share, leap_least, leap_most, .. } = Tuning::DEFAULT;
        let ahead = (self.gap / leap_share).clamp(leap_least, leap_most);
        // Code with notes has more jumps for the same way, and must find the same loops.
        let ahead = if code.notes.is_empty() { ahead } else { 2 * ahead };
        let leap = leap(code, regs, pc, ahead, self.leap_settings.gain);
        self.gap =
            if leap.is_some() { self.leap_settings.gap } else { self.gap.saturating_mul(Tuning::DEFAULT.leap_growth) };
        self.next = edges.saturating_add(self.gap);
        leap
    }
}

/// Looks `ahead` instructions ahead for a loop that saves at least `gain` edges.
fn leap(code: &Code, regs: &mut [u64], pc: usize, ahead: u64, gain: u64) -> Option<Leap> {
    for anchor in anchors(code, regs, pc, ahead) {
        if let Some((leap, changes)) = leap_at(code, regs, pc, anchor, ahead, gain) {
            for (reg, value) in changes {
                regs[reg as usize] = value;
            }
            return Some(leap);
        }
    }
    None
}

/// Where loops may begin, the outermost first: what is jumped back to four times, the rarest first.
fn anchors(code: &Code, regs: &[u64], pc: usize, ahead: u64) -> Vec<usize> {
    let mut walk = Walk::new(code, regs, pc);
    let mut visits: FastMap<usize, u64> = FastMap::new();
    let mut seen = Vec::new();
    for _ in 0..ahead {
        let Some(is_back) = walk.step() else { break };
        if is_back {
            let n_visits = visits.get_or_insert_with(walk.pc, || 0);
            *n_visits += 1;
            if *n_visits == 4 {
                seen.push(walk.pc);
            }
        }
    }
    let mut anchors: Vec<(u64, usize)> = seen.into_iter().map(|pc| (visits[&pc], pc)).collect();
    anchors.sort_unstable();
    anchors.dedup_by_key(|anchor| anchor.0);
    anchors.truncate(Tuning::DEFAULT.max_leap_loops);
    anchors.into_iter().map(|(_, pc)| pc).collect()
}

/// Leaps at the anchor if that is certain; with the registers that change.
fn leap_at(
    code: &Code,
    regs: &[u64],
    pc: usize,
    anchor: usize,
    ahead: u64,
    gain: u64,
) -> Option<(Leap, Vec<(Reg, u64)>)> {
    let mut walk = Walk::new(code, regs, pc);
    walk.go_to(anchor, ahead)?;
    walk.go_to(anchor, ahead)?; // Now each register that the round writes has its width.
    let first = walk.forms.clone();
    walk.go_to(anchor, ahead)?;
    let (edges_before, notes_before) = (walk.edges, std::mem::take(&mut walk.notes));
    // What happened in one round suggests what happens in each.
    let begin = |reg: Reg| first.get(&reg).copied().flatten().map_or(regs[reg as usize], |form| form.value);
    let mut suggested: FastMap<Reg, Form> = FastMap::new();
    for &reg in &walk.changed {
        let form = walk.forms[&reg]?;
        let step = form.value.wrapping_sub(begin(reg)) & mask(form.shift);
        suggested.insert(reg, Form { step, ..form });
    }
    walk.begin_round();
    for reg in &walk.changed {
        walk.forms.insert(*reg, suggested.get(reg).copied());
    }
    walk.go_to(anchor, ahead)?;

    let mut changes = Vec::with_capacity(suggested.len());
    let rounds = walk.rounds - 1;
    for &reg in &walk.changed {
        let end = walk.forms[&reg];
        let start = suggested.get(&reg).copied().unwrap_or(Form::constant(regs[reg as usize]));
        let (is_read, is_written) = (walk.is_read_first(reg), walk.is_written(reg));
        let value = if is_written && end.is_some_and(|end| end.follows(start)) {
            start.at(rounds)
        } else if is_read && (is_written || start.step != 0) {
            return None;
        } else {
            // It is not touched, or written before it is read.
            start.value
        };
        changes.push((reg, value));
    }
    let edges = rounds.saturating_mul(walk.edges).saturating_add(edges_before);
    let leap = Leap { pc: anchor, edges, notes_before, rounds, notes: walk.notes };
    (edges >= gain).then_some((leap, changes))
}
