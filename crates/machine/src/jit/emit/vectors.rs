//! Loads and stores of vectors, and of 64-bit elements, that lie one behind the other.
//!
//! The words of sixteen lanes are loaded as they lie and dealt out to the results by permutations, bytes and half-words by
//! shifts; a store goes the other way. Only where all lanes are awake: other accesses are gathered.

use super::memory::Plain;
use super::*;

/// What an access moves for each lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// One element of 64 bits.
    Wide,
    /// Words; each is so many elements.
    Words { count: usize, elements: usize },
}

impl Emitter<'_> {
    /// How elements of a vector lie in words, where there is code for it.
    fn layout(&self, size: u32, count: usize) -> Option<Layout> {
        let words = size as usize * count / 4;
        match (size, count) {
            (8, 1) => Some(Layout::Wide),
            (1 | 2 | 4, 2 | 4) if words == 1 || words > 1 && self.isa == Isa::Avx512 => {
                Some(Layout::Words { count: words, elements: count / words })
            }
            _ => None,
        }
    }

    /// Is the access one of neighbours, in a block whose lanes are all awake?
    fn row_of_vectors(
        &self,
        a: &crate::program::Address,
        total: u32,
        b: usize,
        pc: Pc,
        guard: Option<Guard>,
    ) -> Option<Plain> {
        if guard.is_some() || self.is_masked(b) || total > 16 {
            return None;
        }
        self.plain(a, total, pc).filter(|p| p.step == i64::from(total))
    }

    /// `ld` of the same vector, or of elements of 64 bits, by all lanes.
    pub(super) fn load_same(&mut self, load: &Load, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let total = load.size * load.results.len() as u32;
        let Some(p) = self.plain(&load.address, total, pc) else { return false };
        let is_same = p.step == 0 && p.is_same;
        let results = self.elements(load);
        let fits = |&(_, d): &(i32, ValueId)| {
            let value = self.value(d);
            let is_wide = load.size == 8 && value.class == Class::R64 && !self.keeps_sleepers(d, b);
            let is_word = load.size <= 4 && self.is_vector(d) && value.class == Class::R32;
            value.alias == d && value.shape == Shape::Varying && (is_wide || is_word)
        };
        if !is_same || guard.is_some() || load.ordering != crate::program::Ordering::Weak || !results.iter().all(fits) {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        let m = self.address(p, 0, slow);
        for (more, d) in results {
            let from = Mem { disp: m.disp + more, ..m };
            if load.size == 8 {
                self.asm.v1(VPBROADCASTQ, T1, from);
                for (k, half) in (0..self.width).flat_map(|k| [(k, 0), (k, 1)]) {
                    let row = self.row64(d, k, half);
                    self.asm.v_store(row, T1);
                }
                continue;
            }
            self.load_one(load, from, T3);
            let chunks = if self.same[d] { 1 } else { self.width };
            (0..chunks).for_each(|k| self.finish(d, k, b, None, T3));
        }
        self.asm.bind(back);
        let kept = self.kept.clone();
        self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        true
    }

    /// `ld`
    pub(super) fn load_vectors(&mut self, load: &Load, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let count = load.results.len();
        let Some(p) = self.row_of_vectors(&load.address, load.size * count as u32, b, pc, guard) else { return false };
        let Some(layout) = self.layout(load.size, count) else { return false };
        let class = if layout == Layout::Wide { Class::R64 } else { Class::R32 };
        let results: Vec<Option<ValueId>> =
            load.results.iter().map(|&(_, slot)| slot.is_some().then(|| self.plan.by_slot[&slot])).collect();
        let is_own = |&d: &ValueId| {
            let value = self.value(d);
            let fits = value.alias == d && value.shape == Shape::Varying && value.class == class;
            fits && (layout == Layout::Wide || self.is_vector(d))
        };
        if load.ordering != crate::program::Ordering::Weak || !results.iter().flatten().all(is_own) {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        for k in 0..self.width {
            let m = self.address(p, k, slow);
            for (n, d) in results.iter().enumerate().filter_map(|(n, d)| Some((n, (*d)?))) {
                let Layout::Words { count, elements } = layout else {
                    self.copy_wide(d, k, m);
                    continue;
                };
                if count == 1 {
                    self.asm.v_load(T1, m);
                } else {
                    self.deal_out(n / elements, count, m);
                }
                self.take_out(n % elements, load);
                self.finish(d, k, b, None, T1);
            }
        }
        self.asm.bind(back);
        let kept = self.kept.clone();
        self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        true
    }

    fn copy_wide(&mut self, d: ValueId, k: usize, m: Mem) {
        for half in 0..2 {
            self.asm.v_load(T1, Mem { disp: m.disp + self.isa.vector_bytes() * half, ..m });
            let row = self.row64(d, k, half);
            self.asm.v_store(row, T1);
        }
    }

    /// Word `n` of each of sixteen vectors in memory, in [`T1`].
    fn deal_out(&mut self, n: usize, count: usize, m: Mem) {
        let part = |i: i32| Mem { disp: m.disp + 64 * i, ..m };
        // Of two rows of words, those that are the same one of a vector.
        let index = self.constant_row(std::array::from_fn(|i| ((count * i + n) % 32) as u32));
        self.asm.v_load(T4, index);
        self.asm.v_load(T1, part(0));
        self.asm.permute_two(T1, T4, part(1));
        if count == 4 {
            self.asm.v_load(T2, part(2));
            self.asm.permute_two(T2, T4, part(3));
            self.asm.join_halves(T1, T2);
        }
    }

    /// Element `n` of the words in [`T1`], extended.
    fn take_out(&mut self, n: usize, load: &Load) {
        let bits = 8 * load.size as u8;
        if bits < 32 {
            self.asm.v_shift(6, T1, T1, 32 - bits * (n as u8 + 1));
            self.asm.v_shift(if load.signed { 4 } else { 2 }, T1, T1, 32 - bits);
        }
    }

    /// `st`
    pub(super) fn store_vectors(&mut self, store: &Store, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let count = store.sources.len();
        let Some(p) = self.row_of_vectors(&store.address, store.size * count as u32, b, pc, guard) else {
            return false;
        };
        let Some(layout) = self.layout(store.size, count) else { return false };
        let class = if layout == Layout::Wide { Class::R64 } else { Class::R32 };
        if store.ordering != crate::program::Ordering::Weak
            || !store.sources.iter().all(|s| s.0 == class && s.1.is_some())
        {
            return false;
        }
        let sources: Vec<ValueId> = store.sources.iter().map(|&(_, slot)| self.plan.read(slot)).collect();
        let (slow, back) = (self.asm.label(), self.asm.label());
        for k in 0..self.width {
            let m = self.address(p, k, slow);
            let parts = if let Layout::Words { count, .. } = layout { count } else { 2 };
            for part in 0..parts {
                match layout {
                    Layout::Wide => self.half64(sources[0], k, part as i32, T1),
                    Layout::Words { count: 1, .. } => self.pack(&sources, k, store.size, T1),
                    Layout::Words { elements: 1, .. } => self.put_together(&sources, k, part),
                    Layout::Words { elements, .. } => {
                        let (low, high) = sources.split_at(elements);
                        self.pack(low, k, store.size, T1);
                        self.pack(high, k, store.size, T2);
                        let index = self.words_in_turn(16 / 2 * part);
                        self.asm.v_load(T4, index);
                        self.asm.permute_two(T1, T4, Rm::Reg(T2));
                    }
                }
                self.asm.v_store(Mem { disp: m.disp + self.isa.vector_bytes() * part as i32, ..m }, T1);
            }
        }
        self.asm.bind(back);
        let kept = self.kept.clone();
        self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        true
    }

    /// Bytes or half-words as one word a lane; uses [`T3`].
    fn pack(&mut self, sources: &[ValueId], k: usize, size: u32, to: u8) {
        let bits = 8 * size as u8;
        for (n, &s) in sources.iter().enumerate() {
            let temp = if n == 0 { to } else { T3 };
            let x = self.in_register(s, k, temp, false);
            // What is above the element goes.
            self.asm.v_shift(6, temp, x, 32 - bits);
            self.asm.v_shift(2, temp, temp, 32 - bits * (n as u8 + 1));
            if n > 0 {
                self.asm.v(VPOR, to, to, Rm::Reg(T3));
            }
        }
    }

    /// An index that takes words of two vectors in turn, from a place on.
    fn words_in_turn(&mut self, first: usize) -> Mem {
        self.constant_row(std::array::from_fn(|i| (16 * (i % 2) + (first + i / 2) % 16) as u32))
    }

    /// The words of one of the rows that the vectors of sixteen lanes are, in [`T1`].
    fn put_together(&mut self, sources: &[ValueId], k: usize, part: usize) {
        let first = 16 / sources.len() * part;
        // Lanes of the first two words of each vector, one after the other.
        let index = self.words_in_turn(first);
        self.pair(sources[0], sources[1], k, index, T1);
        if let &[_, _, third, fourth] = sources {
            self.pair(third, fourth, k, index, T2);
            // Of the two, pairs in turn.
            let turns = self.constant_row(std::array::from_fn(|i| (16 * (i / 2 % 2) + i / 4 * 2 + i % 2) as u32));
            self.asm.v_load(T4, turns);
            self.asm.permute_two(T1, T4, Rm::Reg(T2));
        }
    }

    /// Lanes of two values in the order of an index, in a register.
    fn pair(&mut self, a: ValueId, c: ValueId, k: usize, index: Mem, to: u8) {
        let a = self.in_register(a, k, to, false);
        if a != to {
            self.asm.v_load(to, Rm::Reg(a));
        }
        let c = self.in_register(c, k, T3, false);
        self.asm.v_load(T4, index);
        self.asm.permute_two(to, T4, Rm::Reg(c));
    }
}
