//! State by CTA or warp, found fast: whatever happens next mostly happens in one of a few.

use rustc_hash::FxHashMap;

/// Keys whose places are known without a look into the map.
const RECENT: usize = 256;
/// No key.
const NONE: (u64, usize) = (u64::MAX, usize::MAX);

/// A map from a number to a state.
pub(crate) struct States<T> {
    index: FxHashMap<u64, usize>,
    items: Vec<Option<Box<T>>>,
    free: Vec<usize>,
    /// The last keys, with their places: a seeded schedule goes to and fro between all warps of the CTAs that run.
    recent: Box<[(u64, usize); RECENT]>,
}

/// Where a key is among the recent ones. Numbers of CTAs are neighbours, and so are those of their warps.
#[inline(always)]
fn recent(key: u64) -> usize {
    (key ^ key >> 13) as usize % RECENT
}

impl<T> States<T> {
    pub fn new() -> Self {
        let recent = Box::new([NONE; RECENT]);
        States { index: FxHashMap::default(), items: Vec::new(), free: Vec::new(), recent }
    }

    /// The state of a key, made where there is none.
    #[inline]
    pub fn get_or(&mut self, key: u64, make: impl FnOnce() -> T) -> &mut T {
        let (known, slot) = self.recent[recent(key)];
        let slot = if known == key { slot } else { self.find(key) };
        self.items[slot].get_or_insert_with(|| Box::new(make()))
    }

    #[inline(never)]
    fn find(&mut self, key: u64) -> usize {
        let slot = *self.index.entry(key).or_insert_with(|| {
            self.free.pop().unwrap_or_else(|| {
                self.items.push(None);
                self.items.len() - 1
            })
        });
        self.recent[recent(key)] = (key, slot);
        slot
    }

    /// The state of a key, where there is one.
    #[inline]
    pub fn get(&self, key: u64) -> Option<&T> {
        let slot = self.slot(key)?;
        self.items.get(slot)?.as_deref()
    }

    /// The place of a key that has a state.
    #[inline]
    fn slot(&self, key: u64) -> Option<usize> {
        let (known, slot) = self.recent[recent(key)];
        if known == key { Some(slot) } else { self.index.get(&key).copied() }
    }

    /// As [`States::get`], to change it.
    #[inline]
    pub fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        let slot = self.slot(key)?;
        self.items.get_mut(slot)?.as_deref_mut()
    }

    /// Shows all of them.
    pub fn each(&mut self, f: impl FnMut(&mut T)) {
        self.items.iter_mut().flatten().map(|b| &mut **b).for_each(f);
    }

    /// Takes a state away.
    pub fn remove(&mut self, key: u64) -> Option<Box<T>> {
        let slot = self.index.remove(&key)?;
        self.free.push(slot);
        let recent = &mut self.recent[recent(key)];
        if recent.0 == key {
            *recent = NONE;
        }
        self.items[slot].take()
    }

    /// Puts back what was taken away.
    pub fn insert(&mut self, key: u64, state: Box<T>) {
        let slot = self.find(key);
        self.items[slot] = Some(state);
    }
}
