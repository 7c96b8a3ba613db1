//! State by CTA or warp, found fast: whatever happens next mostly happens in the same one.

use rustc_hash::FxHashMap;

/// A map from a number to a state.
pub(crate) struct States<T> {
    index: FxHashMap<u64, usize>,
    items: Vec<Option<Box<T>>>,
    free: Vec<usize>,
    last: (u64, usize),
}

impl<T> States<T> {
    pub fn new() -> Self {
        States { index: FxHashMap::default(), items: Vec::new(), free: Vec::new(), last: (u64::MAX, usize::MAX) }
    }

    /// The state of a key, made where there is none.
    #[inline]
    pub fn get_or(&mut self, key: u64, make: impl FnOnce() -> T) -> &mut T {
        if self.last.0 != key {
            self.find(key);
        }
        self.items[self.last.1].get_or_insert_with(|| Box::new(make()))
    }

    #[inline(never)]
    fn find(&mut self, key: u64) {
        let slot = *self.index.entry(key).or_insert_with(|| {
            self.free.pop().unwrap_or_else(|| {
                self.items.push(None);
                self.items.len() - 1
            })
        });
        self.last = (key, slot);
    }

    /// The state of a key, where there is one.
    pub fn get(&self, key: u64) -> Option<&T> {
        let slot = if self.last.0 == key { self.last.1 } else { *self.index.get(&key)? };
        self.items.get(slot)?.as_deref()
    }

    /// Shows all of them.
    pub fn each(&mut self, f: impl FnMut(&mut T)) {
        self.items.iter_mut().flatten().map(|b| &mut **b).for_each(f);
    }

    /// Takes a state away.
    pub fn remove(&mut self, key: u64) -> Option<Box<T>> {
        let slot = self.index.remove(&key)?;
        self.free.push(slot);
        self.last = (u64::MAX, usize::MAX);
        self.items[slot].take()
    }

    /// Puts back what was taken away.
    pub fn insert(&mut self, key: u64, state: Box<T>) {
        self.find(key);
        self.items[self.last.1] = Some(state);
    }
}
