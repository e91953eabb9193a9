//! Words and single bits take turns, each longer than the one before.
//!
//! Which kind of cube ends a search is hard to predict, so neither of the two waits for the other to give up. Turns
//! are measured in ticks, so the same run is the same again; they double, so at most half of what the winner needed is lost to
//! interruptions.

use base::Stopped;
use engine::Context;
use verdict::{Code, Verdict, Why};

use crate::ahead::Ahead;
use crate::query::Search;
use crate::single_bits::SingleBits;
use crate::tuning::Tuning;

/// Whose turn it is, and for how long.
pub(crate) struct Turns {
    length: u64,
    bits: Bits,
}

/// The search over single bits.
enum Bits {
    /// It has not begun.
    Untried,
    /// It is under way.
    Under(Box<SingleBits>),
    /// The program is not made of bits, or the search gave up.
    Over,
}

impl Turns {
    pub fn new() -> Self {
        Turns { length: Tuning::DEFAULT.first_turn_ticks, bits: Bits::Untried }
    }
    /// Both until one of them knows.
    pub fn take(
        &mut self,
        words: &mut Search<'_>,
        ahead: &mut Ahead,
        cx: &mut Context<'_>,
    ) -> Result<Verdict, Stopped> {
        let mut given_up: Option<Why> = None;
        loop {
            if given_up.is_none() {
                let budget = words.run.budget;
                match words.verdict(ahead) {
                    Err(Stopped::OutOfTicks) if budget.left() > Tuning::DEFAULT.turn_rest_ticks => {
                        given_up = Some(Why::new(Code::Solver, "a circuit would be too large"));
                    }
                    Err(Stopped::OutOfTicks) => {}
                    Ok(Verdict::Unknown(why)) => given_up = Some(why),
                    answer => return answer,
                }
            }
            if let Some(verdict) = self.bits_turn(cx)? {
                return Ok(verdict);
            }
            match (given_up.take(), &self.bits) {
                (Some(why), Bits::Over) => {
                    if let Some(found) = ahead.look_alone(cx)? {
                        return Ok(Verdict::Unsafe(found));
                    }
                    let proof = ahead.exhausted(cx);
                    return Ok(proof.map_or(Verdict::Unknown(why), |proof| Verdict::Safe(Box::new(proof))));
                }
                (why, _) => given_up = why,
            }
            self.length *= 2;
            // There is no other search to share the budget with.
            let length = if matches!(self.bits, Bits::Over) { u64::MAX } else { self.length };
            words.run.budget.grant(length);
            if let Some(found) = ahead.look(&words.cx())? {
                return Ok(Verdict::Unsafe(found));
            }
            if self.length > Tuning::DEFAULT.exhaustion_after_turn_ticks
                && let Some(proof) = ahead.exhausted(cx)
            {
                return Ok(Verdict::Safe(Box::new(proof)));
            }
        }
    }
    /// Bits alone, if the program is made of them.
    pub fn bits_alone(&mut self, cx: &mut Context<'_>, ahead: &mut Ahead) -> Result<Option<Verdict>, Stopped> {
        while !matches!(self.bits, Bits::Over) {
            if let Some(verdict) = self.bits_turn(cx)? {
                return Ok(Some(verdict));
            }
            if let Some(found) = ahead.look(cx)? {
                return Ok(Some(Verdict::Unsafe(found)));
            }
            if self.length > Tuning::DEFAULT.exhaustion_after_turn_ticks
                && let Some(proof) = ahead.exhausted(cx)
            {
                return Ok(Some(Verdict::Safe(Box::new(proof))));
            }
            self.length *= 2;
        }
        Ok(None)
    }
    fn bits_turn(&mut self, cx: &mut Context<'_>) -> Result<Option<Verdict>, Stopped> {
        cx.run.observer.phase("single bits");
        if matches!(self.bits, Bits::Untried) {
            self.bits = match SingleBits::new(cx)? {
                Some(bits) => Bits::Under(Box::new(bits)),
                None => Bits::Over,
            };
        }
        let Bits::Under(bits) = &mut self.bits else { return Ok(None) };
        let part = cx.run.budget.part(self.length);
        let answer = bits.go_on(cx, &part);
        let is_out = matches!(answer, Err(Stopped::OutOfTicks));
        let is_over = bits.is_over() || (is_out && part.left() > Tuning::DEFAULT.turn_rest_ticks);
        cx.run.observer.phase("frames");
        if is_over {
            self.bits = Bits::Over;
        }
        match answer {
            Err(Stopped::OutOfTicks) => Ok(None),
            answer => answer,
        }
    }
}
