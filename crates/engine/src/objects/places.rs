//! The terms at which invariants about every object are used: pointers of the state, what their fields lead to, and what the fields of the
//! bound objects lead to.

use encode::CutKind;
use term::Terms;

use super::Objects;
use crate::tuning::Tuning;

impl Objects<'_> {
    /// Finds the places of every cutpoint.
    pub(super) fn find_places(&mut self, terms: &mut Terms) {
        self.places.grow_to(self.blocks.cutpoints.len(), Vec::new());
        for cut in self.blocks.cutpoints.ids() {
            if self.blocks.cutpoints[cut].kind != CutKind::Head {
                continue;
            }
            let mut found = self.roots(cut);
            found.extend(self.bound);
            let pointers: Vec<_> = self.fields_at(cut).into_iter().filter(|field| field.is_pointer).collect();
            let roots = self.roots(cut);
            for &root in roots.iter().chain(&self.bound) {
                found.extend(pointers.iter().map(|field| terms.select(field.column, root)));
            }
            found.truncate(Tuning::DEFAULT.objects_places);
            self.places[cut] = found;
        }
    }
}
