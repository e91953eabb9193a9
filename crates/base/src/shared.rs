//! Maps from numbers that share their parts: a copy costs nothing, and a change copies the path to it alone.
//!
//! A map is a tree over the digits of its keys, as in [Bagwell-2001]. Keys are small numbers, so there is no hash. Two maps that were
//! made from a common one share what neither has changed; comparing and joining them visits the rest only.

use std::rc::Rc;

// law: a digit of a key has this number of bits.
const DIGIT_BITS: u32 = 4;
const N_CHILDREN: usize = 1 << DIGIT_BITS;

/// A map from numbers to values.
#[derive(Clone, Debug)]
pub struct SharedMap<V> {
    root: Option<Rc<Node<V>>>,
    /// How many digits the root stands above the values.
    height: u32,
}

#[derive(Clone, Debug)]
enum Node<V> {
    Inner([Option<Rc<Node<V>>>; N_CHILDREN]),
    Leaf([Option<V>; N_CHILDREN]),
}

impl<V> Default for SharedMap<V> {
    fn default() -> Self {
        SharedMap { root: None, height: 0 }
    }
}

/// The digit of a key at a height.
fn digit(key: usize, height: u32) -> usize {
    key >> (height * DIGIT_BITS) & (N_CHILDREN - 1)
}

impl<V: Clone + PartialEq> SharedMap<V> {
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }
    /// The value of a key.
    pub fn get(&self, key: usize) -> Option<&V> {
        if !self.reaches(key) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut height = self.height;
        loop {
            match node {
                Node::Leaf(values) => return values[digit(key, 0)].as_ref(),
                Node::Inner(children) => node = children[digit(key, height)].as_deref()?,
            }
            height -= 1;
        }
    }
    /// Gives a key a value.
    pub fn insert(&mut self, key: usize, value: V) {
        while !self.reaches(key) {
            self.rise();
        }
        insert(self.root.get_or_insert_with(|| empty(self.height)), self.height, key, value);
    }
    /// Takes a key out; whether it was there.
    pub fn remove(&mut self, key: usize) -> bool {
        if self.get(key).is_none() {
            return false;
        }
        let root = self.root.as_mut().expect("the key was found below the root");
        if remove(root, self.height, key) {
            self.root = None;
        }
        true
    }
    /// Calls with each key and its value, keys ascending.
    pub fn for_each(&self, mut visit: impl FnMut(usize, &V)) {
        if let Some(root) = &self.root {
            for_each(root, self.height, 0, &mut visit);
        }
    }
    /// Calls with each key that has not the same value in both, and with both values, keys ascending.
    pub fn for_each_difference(&self, other: &Self, mut visit: impl FnMut(usize, Option<&V>, Option<&V>)) {
        let (mut one, mut two) = (self.clone(), other.clone());
        while one.height < two.height {
            one.rise();
        }
        while two.height < one.height {
            two.rise();
        }
        differences(one.root.as_ref(), two.root.as_ref(), one.height, 0, &mut visit);
    }
    fn reaches(&self, key: usize) -> bool {
        let bits = (self.height + 1) * DIGIT_BITS;
        bits >= usize::BITS || key >> bits == 0
    }
    fn rise(&mut self) {
        self.height += 1;
        if let Some(root) = self.root.take() {
            let mut children = [const { None }; N_CHILDREN];
            children[0] = Some(root);
            self.root = Some(Rc::new(Node::Inner(children)));
        }
    }
}

impl<V: Clone + PartialEq> PartialEq for SharedMap<V> {
    fn eq(&self, other: &Self) -> bool {
        let mut is_same = true;
        self.for_each_difference(other, |_, _, _| is_same = false);
        is_same
    }
}

impl<V: Clone + PartialEq> Eq for SharedMap<V> {}

fn empty<V>(height: u32) -> Rc<Node<V>> {
    Rc::new(match height {
        0 => Node::Leaf([const { None }; N_CHILDREN]),
        _ => Node::Inner([const { None }; N_CHILDREN]),
    })
}

fn insert<V: Clone>(node: &mut Rc<Node<V>>, height: u32, key: usize, value: V) {
    match Rc::make_mut(node) {
        Node::Leaf(values) => values[digit(key, 0)] = Some(value),
        Node::Inner(children) => {
            let child = children[digit(key, height)].get_or_insert_with(|| empty(height - 1));
            insert(child, height - 1, key, value);
        }
    }
}

/// Whether nothing is left below the node.
fn remove<V: Clone>(node: &mut Rc<Node<V>>, height: u32, key: usize) -> bool {
    match Rc::make_mut(node) {
        Node::Leaf(values) => {
            values[digit(key, 0)] = None;
            values.iter().all(Option::is_none)
        }
        Node::Inner(children) => {
            let child = &mut children[digit(key, height)];
            if child.as_mut().is_some_and(|child| remove(child, height - 1, key)) {
                *child = None;
            }
            children.iter().all(Option::is_none)
        }
    }
}

fn for_each<V>(node: &Node<V>, height: u32, prefix: usize, visit: &mut impl FnMut(usize, &V)) {
    let key = |at: usize| prefix | at << (height * DIGIT_BITS);
    match node {
        Node::Leaf(values) => {
            for (at, value) in values.iter().enumerate() {
                if let Some(value) = value {
                    visit(key(at), value);
                }
            }
        }
        Node::Inner(children) => {
            for (at, child) in children.iter().enumerate() {
                if let Some(child) = child {
                    for_each(child, height - 1, key(at), visit);
                }
            }
        }
    }
}

fn differences<V: PartialEq>(
    one: Option<&Rc<Node<V>>>,
    two: Option<&Rc<Node<V>>>,
    height: u32,
    prefix: usize,
    visit: &mut impl FnMut(usize, Option<&V>, Option<&V>),
) {
    match (one, two) {
        (None, None) => {}
        (Some(one), Some(two)) if Rc::ptr_eq(one, two) => {}
        (Some(one), None) => for_each(one, height, prefix, &mut |key, value| visit(key, Some(value), None)),
        (None, Some(two)) => for_each(two, height, prefix, &mut |key, value| visit(key, None, Some(value))),
        (Some(one), Some(two)) => match (&**one, &**two) {
            (Node::Leaf(ones), Node::Leaf(twos)) => {
                for (at, (one, two)) in ones.iter().zip(twos).enumerate() {
                    if one != two {
                        visit(prefix | at, one.as_ref(), two.as_ref());
                    }
                }
            }
            (Node::Inner(ones), Node::Inner(twos)) => {
                for (at, (one, two)) in ones.iter().zip(twos).enumerate() {
                    let prefix = prefix | at << (height * DIGIT_BITS);
                    differences(one.as_ref(), two.as_ref(), height - 1, prefix, visit);
                }
            }
            _ => unreachable!("both trees have the same height"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use std::collections::BTreeMap;

    #[test]
    fn it_agrees_with_an_ordered_map() {
        let mut random = Random::new(5);
        let mut all: Vec<(SharedMap<u64>, BTreeMap<usize, u64>)> = vec![Default::default(); 4];
        for _ in 0..4000 {
            let (at, from) = (random.below(4) as usize, random.below(4) as usize);
            let bits = 1 + random.below(14);
            let key = random.below(1 << bits) as usize;
            match random.below(8) {
                0 => all[at] = all[from].clone(),
                1..=4 => {
                    let value = random.below(3);
                    all[at].0.insert(key, value);
                    all[at].1.insert(key, value);
                }
                _ => assert_eq!(all[at].0.remove(key), all[at].1.remove(&key).is_some()),
            }
            let (one, two) = (&all[at], &all[from]);
            assert_eq!(one.0.get(key), one.1.get(&key));
            assert_eq!(one.0.is_empty(), one.1.is_empty());
            assert_eq!(one.0 == two.0, one.1 == two.1);
            let mut listed = Vec::new();
            one.0.for_each(|key, &value| listed.push((key, value)));
            assert!(listed.into_iter().eq(one.1.iter().map(|(&key, &value)| (key, value))));
            let mut found = BTreeMap::new();
            one.0.for_each_difference(&two.0, |key, a, b| {
                assert!(a == one.1.get(&key) && b == two.1.get(&key) && a != b);
                found.insert(key, ());
            });
            let keys = one.1.keys().chain(two.1.keys());
            assert!(keys.filter(|key| one.1.get(key) != two.1.get(key)).all(|key| found.contains_key(key)));
        }
    }
    #[test]
    fn copies_share_what_neither_has_changed() {
        let mut map = SharedMap::default();
        (0..1000).for_each(|key| map.insert(key, key));
        let before = map.clone();
        map.insert(500, 0);
        map.remove(7);
        let mut n = 0;
        map.for_each_difference(&before, |key, _, _| {
            assert!(key == 500 || key == 7);
            n += 1;
        });
        assert_eq!(n, 2);
        assert!(before.get(500) == Some(&500) && before.get(1 << 40).is_none());
    }
}
