//! State by CTA, found fast: whatever happens next mostly happens in the same CTA.

use std::collections::HashMap;

/// A map from the index of a CTA in the grid.
pub(crate) struct CtaMap<T> {
    index: HashMap<u32, usize>,
    items: Vec<Option<Box<T>>>,
    free: Vec<usize>,
    last: (u32, usize),
}

impl<T> CtaMap<T> {
    pub fn new() -> Self {
        CtaMap { index: HashMap::new(), items: Vec::new(), free: Vec::new(), last: (u32::MAX, usize::MAX) }
    }

    /// The state of a CTA, made where there is none.
    #[inline]
    pub fn get_or(&mut self, cta: u32, make: impl FnOnce() -> T) -> &mut T {
        if self.last.0 != cta || self.items.get(self.last.1).is_none_or(Option::is_none) {
            self.find(cta);
        }
        self.items[self.last.1].get_or_insert_with(|| Box::new(make()))
    }

    #[inline(never)]
    fn find(&mut self, cta: u32) {
        let slot = *self.index.entry(cta).or_insert_with(|| {
            self.free.pop().unwrap_or_else(|| {
                self.items.push(None);
                self.items.len() - 1
            })
        });
        self.last = (cta, slot);
    }

    /// The state of a CTA, where there is one.
    pub fn get(&self, cta: u32) -> Option<&T> {
        self.items.get(*self.index.get(&cta)?)?.as_deref()
    }

    /// Shows all of them.
    pub fn each(&mut self, f: impl FnMut(&mut T)) {
        self.items.iter_mut().flatten().map(|b| &mut **b).for_each(f);
    }

    /// Takes the state of a CTA away.
    pub fn remove(&mut self, cta: u32) -> Option<Box<T>> {
        let slot = self.index.remove(&cta)?;
        self.free.push(slot);
        self.last = (u32::MAX, usize::MAX);
        self.items[slot].take()
    }

    /// Puts back what was taken away.
    pub fn insert(&mut self, cta: u32, state: Box<T>) {
        self.find(cta);
        self.items[self.last.1] = Some(state);
    }
}
