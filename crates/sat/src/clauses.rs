//! The clause arena: all clauses of three or more literals, and binary ones for their reasons, in
//! one flat vector of words.
//!
//! A clause is `length, flags and glue, proof number, literals…`; a [`ClauseRef`] is the offset of
//! its first word. Deleted clauses stay until `collect` compacts the arena.

use crate::Lit;

/// The offset of a clause in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct ClauseRef(pub u32);

// format: the layout of a clause in the arena.
const HEADER: usize = 3;
const LEARNT: u32 = 1;
const DELETED: u32 = 2;
const VIVIFIED: u32 = 4;
const USED_SHIFT: u32 = 3;
const USED_MASK: u32 = 31;
const GLUE_SHIFT: u32 = 8;
/// The largest number of reductions that a clause can be remembered for without being used.
pub(crate) const LONGEST_MEMORY: u32 = USED_MASK;

#[derive(Clone, Default)]
pub(crate) struct Clauses {
    words: Vec<u32>,
    /// Words that belong to deleted clauses.
    pub wasted: usize,
}

impl Clauses {
    pub fn add(&mut self, lits: &[Lit], learnt: Option<u32>, number: u32) -> ClauseRef {
        let at = u32::try_from(self.words.len()).expect("the clause arena holds fewer than 2^32 words");
        let flags = learnt.map_or(0, |glue| LEARNT | glue.min(0xff_ffff) << GLUE_SHIFT);
        self.words.extend([lits.len() as u32, flags, number]);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        ClauseRef(at)
    }
    pub fn len(&self, clause: ClauseRef) -> usize {
        self.words[clause.0 as usize] as usize
    }
    /// The literals' codes.
    pub fn codes(&self, clause: ClauseRef) -> &[u32] {
        let at = clause.0 as usize;
        &self.words[at + HEADER..at + HEADER + self.words[at] as usize]
    }
    pub fn codes_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let at = clause.0 as usize;
        let len = self.words[at] as usize;
        &mut self.words[at + HEADER..at + HEADER + len]
    }
    pub fn lits(&self, clause: ClauseRef) -> impl DoubleEndedIterator<Item = Lit> + ExactSizeIterator + '_ {
        self.codes(clause).iter().map(|&code| Lit::from_code(code))
    }
    /// The proof number, zero when nothing is logged.
    pub fn number(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 2]
    }
    pub fn is_learnt(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize + 1] & LEARNT != 0
    }
    pub fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize + 1] & DELETED != 0
    }
    pub fn delete(&mut self, clause: ClauseRef) {
        debug_assert!(!self.is_deleted(clause), "a clause is deleted once");
        self.wasted += HEADER + self.len(clause);
        self.words[clause.0 as usize + 1] |= DELETED;
    }
    /// For how many reductions the clause is safe because it took part in a conflict; counted down by each.
    pub fn used(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1] >> USED_SHIFT & USED_MASK
    }
    pub fn set_used(&mut self, clause: ClauseRef, used: u32) {
        let flags = &mut self.words[clause.0 as usize + 1];
        *flags = *flags & !(USED_MASK << USED_SHIFT) | used << USED_SHIFT;
    }
    pub fn is_vivified(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize + 1] & VIVIFIED != 0
    }
    pub fn set_vivified(&mut self, clause: ClauseRef) {
        self.words[clause.0 as usize + 1] |= VIVIFIED;
    }
    /// The number of decision levels among the literals when the clause was learnt or last improved.
    pub fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1] >> GLUE_SHIFT
    }
    pub fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        let flags = &mut self.words[clause.0 as usize + 1];
        *flags = *flags & ((1 << GLUE_SHIFT) - 1) | glue.min(0xff_ffff) << GLUE_SHIFT;
    }
    pub fn words(&self) -> usize {
        self.words.len()
    }
    /// Moves a live clause to the end of `target` and leaves its new offset behind.
    pub fn move_to(&mut self, clause: ClauseRef, target: &mut Clauses) -> ClauseRef {
        let at = clause.0 as usize;
        let end = at + HEADER + self.words[at] as usize;
        let new = ClauseRef(target.words.len() as u32);
        target.words.extend_from_slice(&self.words[at..end]);
        self.words[at + 2] = new.0; // The number has been copied; the word now forwards.
        new
    }
    /// Where `move_to` put the clause.
    pub fn forwarded(&self, clause: ClauseRef) -> ClauseRef {
        ClauseRef(self.words[clause.0 as usize + 2])
    }
}
