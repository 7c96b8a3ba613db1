//! Shuffles: permutations of the chunks of a vector. Lanes that sleep are read as those that are awake, and keep what they have.
//!
//! Where the distance is a constant, so are the places that lanes read; otherwise they are computed as
//! [`shuffle_source`] does it.

use super::predicates::RESULT;
use super::*;
use crate::exec::shuffle_source;

/// What a shuffle works on.
#[derive(Clone, Copy)]
struct Shuffle {
    /// Source and result.
    a: ValueId,
    d: ValueId,
    b: usize,
    /// A place on the stack for the result, where that has the source's registers.
    buffer: Option<i32>,
}

impl Emitter<'_> {
    pub(super) fn shuffle(&mut self, mode: ShflMode, c: &Collective, b: usize) {
        let by = self.plan.read(c.sources[1]);
        let range = self.plan.read(c.sources[2]);
        let fixed = self.plan.constant(by).zip(self.plan.constant(range)).map(|(by, range)| -> [(u32, bool); 32] {
            std::array::from_fn(|lane| shuffle_source(mode, lane as u32, by as u32, range as u32))
        });
        if let Some(from) = &fixed {
            let bits = (0..32).fold(0, |bits, lane| bits | u32::from(from[lane].1) << lane);
            self.set_bits(c.predicate, b, bits);
        }
        let a = self.plan.read(c.sources[0]);
        let Some(&d) = self.plan.by_slot.get(&c.result).filter(|_| self.plan.is_used(c.result)) else {
            for k in (0..self.width).filter(|_| fixed.is_none()) {
                let in_range = self.places(mode, range, by, k);
                self.set_in_range(c.predicate, in_range, k, b);
            }
            return;
        };
        let has_home = |v: ValueId| self.is_vector(v) && self.home[v].is_some();
        let in_place = d == a || has_home(d) && self.home[d] == self.home[a];
        let buffer = in_place.then(|| self.take_stack(128));
        let s = Shuffle { a, d, b, buffer };
        // A result that is the same in all lanes is that of the first chunk.
        let count = if self.is_scalar(d) { 1 } else { self.width };
        for k in 0..count {
            if let Some(from) = &fixed {
                let lanes = self.isa.lanes();
                let own: Vec<u32> = from[lanes * k..][..lanes].iter().map(|f| f.0).collect();
                self.permute(s, k, &own);
            } else {
                let in_range = self.places(mode, range, by, k);
                self.permute_by_places(s, k);
                self.set_in_range(c.predicate, in_range, k, b);
            }
        }
        for k in (count..self.width).filter(|_| fixed.is_none()) {
            self.set_in_range(c.predicate, None, k, b);
        }
        if let Some(buffer) = buffer {
            for k in 0..self.width {
                self.asm.v_load(T3, at(RSP, buffer + self.isa.vector_bytes() * k as i32));
                self.finish(d, k, b, None, T3);
            }
        }
    }

    /// A register for the result of a chunk.
    fn shuffled_to(&self, s: Shuffle, k: usize) -> u8 {
        let blends = s.buffer.is_some() || self.keeps_sleepers(s.d, s.b);
        if self.is_scalar(s.d) { T3 } else { self.target(s.d, k, blends) }
    }

    fn place_shuffled(&mut self, s: Shuffle, k: usize, from: u8) {
        if self.is_scalar(s.d) {
            return self.set_scalar_from(s.d, from);
        }
        match s.buffer {
            Some(buffer) => self.asm.v_store(at(RSP, buffer + self.isa.vector_bytes() * k as i32), from),
            None => self.finish(s.d, k, s.b, None, from),
        }
    }

    /// Chunk `k` of the result: the lanes of the source that a list names.
    fn permute(&mut self, s: Shuffle, k: usize, own: &[u32]) {
        let lanes = self.isa.lanes() as u32;
        let mut chunks: Vec<usize> = own.iter().map(|from| (from / lanes) as usize).collect();
        chunks.sort_unstable();
        chunks.dedup();
        if let [chunk] = chunks[..]
            && own.iter().enumerate().all(|(i, from)| from % lanes == i as u32)
        {
            let r = self.in_register(s.a, chunk, T3, false);
            return self.place_shuffled(s, k, r);
        }
        let to = self.shuffled_to(s, k);
        if let (Isa::Avx512, [_, _]) = (self.isa, &chunks[..]) {
            let order = self.constant_row(std::array::from_fn(|i| own[i]));
            let x = self.in_register(s.a, 0, T1, false);
            let y = self.vector(s.a, 1, T2, false);
            self.asm.v_load(to, order);
            self.asm.permute_both(to, x, y);
            return self.place_shuffled(s, k, to);
        }
        let order = self.constant_row(std::array::from_fn(|i| own[i % own.len()] % lanes));
        for (n, &chunk) in chunks.iter().enumerate() {
            let x = self.vector(s.a, chunk, T1, false);
            if n == 0 {
                self.asm.v_load(to, order);
                self.asm.v(VPERMD, to, to, x);
                continue;
            }
            let here = (0..own.len()).filter(|&i| (own[i] / lanes) as usize == chunk);
            let bits = here.fold(0u8, |bits, i| bits | 1 << i);
            self.asm.v_load(T2, order);
            self.asm.v(VPERMD, T2, T2, x);
            self.asm.v_blend_constant(to, to, T2, bits);
        }
        self.place_shuffled(s, k, to);
    }

    /// The lanes that those of chunk `k` read, in [`T2`]. Gives the place of a mask that says which of them are in range;
    /// none where all are. `range` is the operand with clamp and segment.
    fn places(&mut self, mode: ShflMode, range: ValueId, by: ValueId, k: usize) -> Option<Mem> {
        let constant = self.plan.constant(range).map(|c| c as u32);
        let first = (self.isa.lanes() * k) as u32;
        let row = |f: &dyn Fn(u32) -> u32| -> [u32; 16] { std::array::from_fn(|i| f((first + i as u32) & 31)) };
        let lane = self.constant_row(row(&|lane| lane));
        // The first lane of each one's segment, and the limit that its place is compared with.
        let (low, limit) = if let Some(c) = constant {
            let (segment, clamp) = (c >> 8 & 31, c & 31);
            let low = self.constant_row(row(&|lane| lane & segment));
            (low, self.constant_row(row(&|lane| lane & segment | clamp & !segment)))
        } else {
            self.limits(range, lane, k)
        };
        let x = self.in_register(by, k, T1, false);
        let bits = self.word(31);
        self.asm.v(VPAND, T2, x, bits);
        match mode {
            ShflMode::Up => {
                self.asm.v_load(T1, lane);
                self.asm.v(VPSUBD, T2, T1, Rm::Reg(T2));
            }
            ShflMode::Down => self.asm.v(VPADDD, T2, T2, lane),
            ShflMode::Bfly => self.asm.v(VPXOR, T2, T2, lane),
            ShflMode::Idx => {
                self.outside_segment(range, k);
                self.asm.v(VPOR, T2, T2, low);
            }
        }
        let is_in_range = |n: u32| constant.is_some_and(|c| shuffle_source(mode, n / 32, n % 32, c).1);
        if (0..32 * 32).all(is_in_range) {
            return None;
        }
        let in_range = at(RSP, self.take_stack(self.isa.mask_bytes()));
        match self.isa {
            Isa::Avx512 => {
                let test = if mode == ShflMode::Up { Test::NotLess } else { Test::NotGreater };
                self.asm.compare_words(M1, T2, limit, test, true);
                self.asm.v_load(T1, lane);
                self.asm.v_blend(T2, T1, Rm::Reg(T2), M1);
            }
            Isa::Avx2 => {
                // Those that are out of range.
                if mode == ShflMode::Up {
                    self.asm.v_load(T1, limit);
                    self.asm.v(VPCMPGTD, M1, T1, Rm::Reg(T2));
                } else {
                    self.asm.v(VPCMPGTD, M1, T2, limit);
                }
                self.asm.v_blend(T2, T2, lane, M1);
                self.asm.m_not(M1, M1, at(R15, 128));
            }
        }
        self.asm.m_store(in_range, M1);
        Some(in_range)
    }

    /// On the stack, where the operand is no constant: the first lane of each one's segment, and the last that it may read
    /// (for `up` the first).
    fn limits(&mut self, range: ValueId, lane: Mem, k: usize) -> (Mem, Mem) {
        let low = at(RSP, self.take_stack(64));
        let limit = at(RSP, self.take_stack(64));
        let c = self.in_register(range, k, T1, false);
        let bits = self.word(31);
        self.asm.v_shift(2, T2, c, 8);
        self.asm.v(VPAND, T2, T2, bits);
        self.asm.v(VPAND, T3, T2, lane);
        self.asm.v_store(low, T3);
        // What is in the clamp and not in the segment.
        self.asm.v(VPAND, T1, c, bits);
        self.asm.v(VPANDN, T1, T2, Rm::Reg(T1));
        self.asm.v(VPOR, T1, T1, Rm::Reg(T3));
        self.asm.v_store(limit, T1);
        (low, limit)
    }

    /// Takes the bits of the segment out of [`T2`].
    fn outside_segment(&mut self, range: ValueId, k: usize) {
        if let Some(c) = self.plan.constant(range) {
            let bits = self.word(31 & !(c as u32 >> 8));
            return self.asm.v(VPAND, T2, T2, bits);
        }
        let c = self.in_register(range, k, T1, false);
        let bits = self.word(31);
        self.asm.v_shift(2, T1, c, 8);
        self.asm.v(VPAND, T1, T1, bits);
        self.asm.v(VPANDN, T2, T1, Rm::Reg(T2));
    }

    /// Gives the lanes of chunk `k` the predicate that says whether they read in range.
    fn set_in_range(&mut self, predicate: Slot, in_range: Option<Mem>, k: usize, b: usize) {
        if !self.plan.is_used(predicate) {
            return;
        }
        match in_range {
            Some(mask) => self.asm.m_load(RESULT, mask),
            None => self.asm.m_ones(RESULT),
        }
        self.finish_predicate(self.plan.by_slot[&predicate], k, b, None, RESULT);
    }

    /// Chunk `k` of the result: the lanes of the source that [`T2`] names.
    fn permute_by_places(&mut self, s: Shuffle, k: usize) {
        if self.isa == Isa::Avx512 {
            let x = self.in_register(s.a, 0, T1, false);
            let y = self.vector(s.a, 1, T3, false);
            self.asm.permute_both(T2, x, y);
            return self.place_shuffled(s, k, T2);
        }
        for chunk in 0..self.width {
            let x = self.vector(s.a, chunk, T1, false);
            if chunk == 0 {
                self.asm.v(VPERMD, T3, T2, x);
                continue;
            }
            self.asm.v(VPERMD, T1, T2, x);
            let high = self.word(0x18);
            let own = self.word(8 * chunk as u32);
            self.asm.v(VPAND, M1, T2, high);
            self.asm.v(VPCMPEQD, M1, M1, own);
            self.asm.v_blend(T3, T3, Rm::Reg(T1), M1);
        }
        self.place_shuffled(s, k, T3);
    }
}
