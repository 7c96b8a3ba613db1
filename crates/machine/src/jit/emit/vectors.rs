//! Loads and stores of vectors of two or four words, and of 64-bit elements, that lie one behind the other.
//!
//! The words of sixteen lanes are loaded as they lie and dealt out to the results by permutations; a store goes the other
//! way. Only where all lanes are awake: other accesses are gathered.

use super::memory::Plain;
use super::*;

impl Emitter<'_> {
    /// Is the access one of neighbours, in a block whose lanes are all awake?
    fn row_of_vectors(&self, a: &crate::program::Address, total: u32, b: usize, pc: Pc) -> Option<Plain> {
        let inst = &self.program.code[pc as usize];
        if inst.guard.is_some() || self.is_masked(b) || total > 16 {
            return None;
        }
        self.plain(a, total, pc).filter(|p| p.step == i64::from(total))
    }

    /// `ld`
    pub(super) fn load_vectors(&mut self, load: &Load, b: usize, pc: Pc) -> bool {
        let count = load.results.len();
        let Some(p) = self.row_of_vectors(&load.address, load.size * count as u32, b, pc) else { return false };
        let is_wide = load.size == 8 && count == 1;
        let class = if is_wide { Class::R64 } else { Class::R32 };
        let results: Vec<Option<ValueId>> =
            load.results.iter().map(|&(_, slot)| slot.is_some().then(|| self.plan.by_slot[&slot])).collect();
        let is_own = |&d: &ValueId| {
            let value = self.value(d);
            value.alias == d && value.shape == Shape::Varying && value.class == class && (is_wide || self.is_vector(d))
        };
        let is_words = self.isa == Isa::Avx512 && load.size == 4 && count > 1;
        if load.ordering != crate::program::Ordering::Weak
            || !(is_wide || is_words)
            || !results.iter().flatten().all(is_own)
        {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        for k in 0..self.width {
            let m = self.address(p, k, slow);
            for (n, d) in results.iter().enumerate().filter_map(|(n, d)| Some((n, (*d)?))) {
                if is_wide {
                    self.copy_wide(d, k, m);
                } else {
                    self.deal_out(n, count, m);
                    self.finish(d, k, b, None, T1);
                }
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

    /// `st`
    pub(super) fn store_vectors(&mut self, store: &Store, b: usize, pc: Pc) -> bool {
        let count = store.sources.len();
        let Some(p) = self.row_of_vectors(&store.address, store.size * count as u32, b, pc) else { return false };
        let is_wide = store.size == 8 && count == 1;
        let class = if is_wide { Class::R64 } else { Class::R32 };
        let is_words = self.isa == Isa::Avx512 && store.size == 4 && count > 1;
        if store.ordering != crate::program::Ordering::Weak
            || !(is_wide || is_words)
            || !store.sources.iter().all(|s| s.0 == class && s.1.is_some())
        {
            return false;
        }
        let sources: Vec<ValueId> = store.sources.iter().map(|&(_, slot)| self.plan.read(slot)).collect();
        let (slow, back) = (self.asm.label(), self.asm.label());
        for k in 0..self.width {
            let m = self.address(p, k, slow);
            for part in 0..if is_wide { 2 } else { count } {
                if is_wide {
                    self.half64(sources[0], k, part as i32, T1);
                } else {
                    self.put_together(&sources, k, part);
                }
                self.asm.v_store(Mem { disp: m.disp + self.isa.vector_bytes() * part as i32, ..m }, T1);
            }
        }
        self.asm.bind(back);
        let kept = self.kept.clone();
        self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        true
    }

    /// The words of one of the rows that the vectors of sixteen lanes are, in [`T1`].
    fn put_together(&mut self, sources: &[ValueId], k: usize, part: usize) {
        let first = 16 / sources.len() * part;
        // Lanes of the first two words of each vector, one after the other.
        let index = self.constant_row(std::array::from_fn(|i| (16 * (i % 2) + (first + i / 2) % 16) as u32));
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
