//! Repetition counted instead of repeated.
//!
//! A list in which the same shapes follow one another three times or more is folded: the first and the last round
//! stay, the rounds between them become a number. Short rounds are folded first, so inner loops have become one item
//! before their outer loops are looked at; the shape of a folded item does not say how often it was repeated.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::tuning::Tuning;

/// An item of the list.
#[derive(Clone, Debug)]
pub enum Folded<T> {
    /// One item.
    One(T),
    /// A round that was repeated.
    Rounds {
        /// The first round.
        first: Vec<Folded<T>>,
        /// How many rounds are left out.
        left_out: u64,
        /// The last round.
        last: Vec<Folded<T>>,
        /// The items of the rounds that are left out.
        hidden: Vec<Folded<T>>,
    },
}

/// Folds the list; items with equal `shape` are alike.
pub fn fold<T>(items: Vec<T>, shape: impl Fn(&T) -> u64) -> Vec<Folded<T>> {
    let mut list: Vec<(u64, Folded<T>)> = items.into_iter().map(|item| (shape(&item), Folded::One(item))).collect();
    let mut length = 1;
    while length <= Tuning::DEFAULT.max_round_items && 3 * length <= list.len() {
        // What is folded now may be part of a short round of its own.
        match fold_rounds(list, length) {
            (shorter, true) => (list, length) = (shorter, 1),
            (same, false) => (list, length) = (same, length + 1),
        }
    }
    list.into_iter().map(|(_, item)| item).collect()
}

/// Folds the rounds of this length; returns whether there were any.
fn fold_rounds<T>(list: Vec<(u64, Folded<T>)>, length: usize) -> (Vec<(u64, Folded<T>)>, bool) {
    // How far each item repeats the one a round before it.
    let mut same = vec![0usize; list.len()];
    for at in (0..list.len().saturating_sub(length)).rev() {
        same[at] = if list[at].0 == list[at + length].0 { 1 + same.get(at + 1).copied().unwrap_or(0) } else { 0 };
    }
    let mut result = Vec::with_capacity(list.len());
    let mut rest = list.into_iter();
    let (mut at, mut found) = (0, false);
    while at < same.len() {
        let rounds = same[at] / length + 1;
        if rounds < 3 {
            result.extend(rest.next());
            at += 1;
            continue;
        }
        found = true;
        at += rounds * length;
        let first: Vec<_> = rest.by_ref().take(length).collect();
        let mut hasher = DefaultHasher::new();
        first.iter().for_each(|(shape, _)| shape.hash(&mut hasher));
        let hidden: Vec<_> = rest.by_ref().take((rounds - 2) * length).collect();
        let last: Vec<_> = rest.by_ref().take(length).collect();
        let plain = |round: Vec<(u64, Folded<T>)>| round.into_iter().map(|(_, item)| item).collect();
        let left_out = rounds as u64 - 2;
        let item = Folded::Rounds { first: plain(first), left_out, last: plain(last), hidden: plain(hidden) };
        result.push((hasher.finish(), item));
    }
    (result, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(list: &[Folded<char>]) -> String {
        let one = |item: &Folded<char>| match item {
            Folded::One(c) => c.to_string(),
            Folded::Rounds { first, left_out, last, .. } => {
                format!("[{} +{left_out} {}]", text_of(first), text_of(last))
            }
        };
        list.iter().map(one).collect()
    }
    #[track_caller]
    fn check(text: &str, expected: &str) {
        // Letters are alike in both cases, so that first and last rounds can be distinguished.
        assert_eq!(text_of(&fold(text.chars().collect(), |c| u64::from(c.to_ascii_lowercase()))), expected);
    }

    #[test]
    fn rounds_are_counted_and_the_first_and_last_stay() {
        check("xabababABy", "x[ab +2 AB]y");
        check("abab", "abab");
        check("aaaaa", "[a +3 a]");
        check("", "");
    }

    #[test]
    fn inner_rounds_are_folded_before_outer_ones() {
        check("oaaapoaaaaapoaaaapz", "[o[a +1 a]p +1 o[a +2 a]p]z");
    }
}
