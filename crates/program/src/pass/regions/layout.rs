//! From targets of accesses to columns.
//!
//! The bytes of a site are cut into *pieces* wherever an access begins or ends; a site that is accessed at residues modulo a power of
//! two is cut modulo the smallest of them. Accesses that may concern several sites cut all of them alike, and join the pieces that they
//! may concern: a column is a set of joined pieces.

use std::collections::{BTreeMap, BTreeSet};

use super::points_to::Place;
use crate::origin::{OUTSIDE, Targets};
use crate::tuning::Tuning;
use crate::{Class, Column, EdgeId, Form, Frame, Layout, Member, Part, Site};

/// An access of the program.
pub(super) struct Access {
    pub edge: EdgeId,
    pub key: (Frame, EdgeId),
    pub targets: Targets,
    pub bytes: u64,
}

/// Cuts and joins; the accesses that the layout covers have an entry.
pub(super) fn layout(places: &[Place], accesses: &[Access], excluded: &mut [bool], width: u32) -> Layout {
    loop {
        let is_routed = |access: &&Access| {
            !access.targets.is_empty()
                && access.targets.iter().all(|(site, _)| site != OUTSIDE && !excluded[site as usize])
        };
        let routed: Vec<&Access> = accesses.iter().filter(is_routed).collect();
        let mut cuts = Cuts::new(places.len(), &routed);
        match cuts.spread(&routed) {
            Ok(()) => return columns(places, &routed, &cuts, width),
            Err(sites) => sites.into_iter().for_each(|site| excluded[site as usize] = true),
        }
    }
}

/// Where the bytes of each site are cut.
struct Cuts {
    /// By site; zero for none.
    modulus: Vec<u64>,
    at: Vec<BTreeSet<u64>>,
}

impl Cuts {
    fn new(n_sites: usize, accesses: &[&Access]) -> Cuts {
        let mut modulus = vec![0u64; n_sites];
        for (site, class) in accesses.iter().flat_map(|access| access.targets.iter()) {
            let known = &mut modulus[site as usize];
            if class.stride != 0 && (*known == 0 || class.stride < *known) {
                *known = class.stride;
            }
        }
        let mut cuts = Cuts { modulus, at: vec![BTreeSet::new(); n_sites] };
        for access in accesses {
            for (site, class) in access.targets.iter() {
                for at in [0, access.bytes] {
                    let at = cuts.fold(site, class.first.wrapping_add(at));
                    cuts.at[site as usize].insert(at);
                }
            }
        }
        cuts
    }
    fn fold(&self, site: u32, offset: u64) -> u64 {
        match self.modulus[site as usize] {
            0 => offset,
            modulus => offset % modulus,
        }
    }
    /// Cuts all that one access may concern alike. Sites that cannot be cut are returned.
    fn spread(&mut self, accesses: &[&Access]) -> Result<(), Vec<u32>> {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for access in accesses {
                let mut inner: BTreeSet<u64> = BTreeSet::new();
                for (site, class) in access.targets.iter() {
                    let Some(parts) = self.parts(site, class.first, access.bytes) else {
                        return Err(access.targets.iter().map(|(site, _)| site).collect());
                    };
                    let mut at = 0;
                    for (_, bytes) in parts {
                        inner.insert(at);
                        at += bytes;
                    }
                }
                for (site, class) in access.targets.iter() {
                    for &at in &inner {
                        let at = self.fold(site, class.first.wrapping_add(at));
                        changed |= self.at[site as usize].insert(at);
                    }
                    if self.at[site as usize].len() > Tuning::DEFAULT.max_site_pieces {
                        return Err(vec![site]);
                    }
                }
            }
        }
        Ok(())
    }
    /// The pieces of an access: where each begins, and how many bytes it has.
    fn parts(&self, site: u32, first: u64, bytes: u64) -> Option<Vec<(u64, u64)>> {
        let (cuts, modulus) = (&self.at[site as usize], self.modulus[site as usize]);
        let mut parts = Vec::new();
        let (mut at, mut left) = (self.fold(site, first), bytes);
        while left > 0 {
            let next = cuts.range(at.saturating_add(1)..).next().copied();
            let end = match (next, modulus) {
                (Some(next), _) => next,
                (None, 0) => return None,
                (None, modulus) => modulus.checked_add(cuts.first().copied()?)?,
            };
            let size = (end - at).min(left);
            parts.push((at, size));
            left -= size;
            at = self.fold(site, at.wrapping_add(size));
            if parts.len() > Tuning::DEFAULT.max_access_parts {
                return None;
            }
        }
        Some(parts)
    }
}

/// Joined pieces become columns.
fn columns(places: &[Place], accesses: &[&Access], cuts: &Cuts, _: u32) -> Layout {
    let mut pieces: BTreeMap<(u32, u64), usize> = BTreeMap::new();
    let mut sizes: Vec<u64> = Vec::new();
    let mut up: Vec<usize> = Vec::new();
    let mut parts_of: Vec<Vec<usize>> = Vec::new();
    for access in accesses {
        let mut all: Vec<usize> = Vec::new();
        for (number, (site, class)) in access.targets.iter().enumerate() {
            let parts = cuts.parts(site, class.first, access.bytes).expect("it was cut before");
            for (place, (at, bytes)) in parts.into_iter().enumerate() {
                let piece = *pieces.entry((site, at)).or_insert_with(|| {
                    sizes.push(bytes);
                    up.push(up.len());
                    up.len() - 1
                });
                if number == 0 {
                    all.push(piece);
                } else {
                    let (one, other) = (root(&mut up, all[place]), root(&mut up, piece));
                    up[one.max(other)] = one.min(other);
                }
            }
        }
        parts_of.push(all);
    }
    let mut layout = Layout { sites: places.iter().map(|place| place.site.clone()).collect(), ..Layout::default() };
    let mut column_of: BTreeMap<usize, u32> = BTreeMap::new();
    for (&(site, first), &piece) in &pieces {
        let root = root(&mut up, piece);
        let column = *column_of.entry(root).or_insert_with(|| {
            layout.columns.push(Column { bytes: sizes[root], form: Form::Cell, members: Vec::new() });
            layout.columns.len() as u32 - 1
        });
        let class = Class { first, stride: cuts.modulus[site as usize] };
        layout.columns[column as usize].members.push(Member { site, class });
    }
    for column in &mut layout.columns {
        column.form = form(places, column);
    }
    for (access, parts) in accesses.iter().zip(parts_of) {
        let part = |piece: usize| Part { bytes: sizes[piece], column: column_of.get(&root(&mut up, piece)).copied() };
        let parts = parts.into_iter().map(part).collect();
        layout.access.push((access.key.0.clone(), access.key.1, parts));
    }
    layout
}

fn form(places: &[Place], column: &Column) -> Form {
    let site = column.members[0].site;
    let place = &places[site as usize];
    // An automatic object of an activation is the only one that is live.
    let is_one = place.once || matches!(place.site, Site::Automatic(..));
    match column.members[..] {
        [Member { class: Class { stride: 0, .. }, .. }] if is_one => Form::Scalar,
        _ if is_one && column.members.iter().all(|member| member.site == site) => Form::Offset,
        _ => Form::Cell,
    }
}

fn root(up: &mut [usize], piece: usize) -> usize {
    let mut at = piece;
    while up[at] != at {
        up[at] = up[up[at]];
        at = up[at];
    }
    at
}
