//! Loads at addresses without a pattern, and of elements that are no single words; with AVX-512 stores, too.
//!
//! First the addresses of all lanes that are awake are compared with the allocation (or shared memory), then the words are
//! gathered or scattered. Nothing has happened yet where the comparison refuses: the interpreter does the whole instruction.
//! A scatter stores lane after lane, as the interpreter does: the last lane wins. Where addresses follow from lane numbers and
//! counters, as in a loop over the grid that lanes leave one by one, the code looks first whether those that are awake are
//! neighbours, which is one access.

use super::memory::is_shared;
use super::*;
use crate::schedule::local_bytes;

/// An access whose lanes are anywhere.
#[derive(Clone, Copy)]
struct Scattered {
    base: ValueId,
    offset: i32,
    /// Bytes of all elements.
    total: u32,
    memory: Memory,
    /// May they be neighbours, as far as can be seen?
    is_regular: bool,
    pc: Pc,
}

/// Where they lead, and what they are distances from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// The CTA's shared memory; `r11`.
    Shared,
    /// Each thread's own; `rcx` is that of the group's first lane.
    Local,
    /// What the access's cache line says; `rcx` is where address 0 would be.
    Found,
}

/// Part of a row: a chunk, and which half of its lanes, with the mask of those that are awake.
#[derive(Clone, Copy)]
struct Part {
    k: usize,
    half: i32,
}

const HALVES: [i32; 2] = [0, 1];

impl Emitter<'_> {
    fn scattered(&self, a: &crate::program::Address, size: u32, count: usize, pc: Pc) -> Option<Scattered> {
        let total = size * u32::try_from(count).ok()?;
        if !total.is_power_of_two() || size > 8 || total > 32 {
            return None;
        }
        let has_local = self.isa == Isa::Avx512 && !self.has_halves() && local_bytes(self.program) >= total.max(4);
        let memory = match a.space {
            AddressSpace::Local | AddressSpace::Frame if has_local => Memory::Local,
            space if is_shared(space)? => Memory::Shared,
            _ => Memory::Found,
        };
        let (base, offset) = self.plan.base(a)?;
        let offset = i32::try_from(offset).ok().filter(|o| o.checked_add(64).is_some())?;
        let is_regular =
            self.isa == Isa::Avx512 && memory != Memory::Local && (size, count) == (4, 1) && self.is_regular(base);
        Some(Scattered { base, offset, total, memory, is_regular, pc })
    }

    /// Does a value follow from lane numbers, constants and counters by what keeps neighbours neighbours?
    fn is_regular(&self, v: ValueId) -> bool {
        if self.value(v).shape != Shape::Varying {
            // They are known not to be.
            return false;
        }
        let (mut seen, mut todo) = (BTreeSet::new(), vec![v]);
        while let Some(v) = todo.pop() {
            if !seen.insert(v) {
                continue;
            }
            let value = self.value(v);
            let is_start = value.preset.is_some() || value.alias != v;
            for &pc in if is_start { &[][..] } else { &value.defs } {
                use LaneOp as L;
                let Kind::Row(op) = &self.program.code[pc as usize].kind else { return false };
                let sources = self.sources(op);
                match op.name {
                    Some(L::Copy | L::Add32 | L::Add64 | L::Sub32 | L::Sub64 | L::Mul32 | L::Mad32) => {}
                    Some(L::MulWideS | L::MulWideU | L::Shl32 | L::Shl64) => {}
                    Some(L::SignExtend | L::ZeroExtend | L::Low) => {}
                    // A number that is kept inside of an array.
                    Some(L::MinS32 | L::MaxS32 | L::MinU32 | L::MaxU32) => {}
                    Some(L::Select) => {
                        todo.extend(&sources[..2]);
                        continue;
                    }
                    _ => return false,
                }
                todo.extend(sources);
            }
        }
        true
    }

    /// `ld`
    pub(super) fn gather(&mut self, load: &Load, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let Some(p) = self.scattered(&load.address, load.size, load.results.len(), pc) else { return false };
        let fits = |&(class, slot): &(Class, Slot)| !slot.is_some() || is_element(class, load.size);
        let results = self.elements(load);
        let is_own = |v: ValueId| self.is_vector(v) || load.size == 8 && self.value(v).shape == Shape::Varying;
        let overwrites = load.results.len() > 1 && results.iter().any(|&(_, d)| d == p.base);
        if load.ordering != crate::program::Ordering::Weak
            || guard.is_some_and(|g| !self.plan.parts(g))
            || overwrites
            || !load.results.iter().all(fits)
            || !results.iter().all(|&(_, d)| self.value(d).alias == d && is_own(d))
        {
            return false;
        }
        self.access(p, b, guard, |e| {
            for k in 0..e.width {
                for &(more, d) in &results {
                    if load.size == 8 {
                        e.gather_wide(p, k, more, d, b, guard);
                    } else {
                        e.gather_words(p, k, more, b, guard);
                        e.narrow(load);
                        e.finish(d, k, b, guard, T3);
                    }
                }
            }
        });
        true
    }

    /// `st`
    pub(super) fn scatter(&mut self, store: &Store, b: usize, pc: Pc, guard: Option<Guard>) -> bool {
        let Some(p) = self.scattered(&store.address, store.size, store.sources.len(), pc) else { return false };
        let fits = |&(class, slot): &(Class, Slot)| slot.is_some() && is_element(class, store.size);
        // Elements are stored one after the other: those of one lane must not be at those of another.
        let apart = p.memory == Memory::Local || self.step(p.base).unsigned_abs() >= u64::from(p.total);
        if self.isa == Isa::Avx2
            || store.ordering != crate::program::Ordering::Weak
            || guard.is_some_and(|g| !self.plan.parts(g))
            || store.size < 4
            || store.sources.len() > 1 && !apart
            || !store.sources.iter().all(fits)
        {
            return false;
        }
        let sources: Vec<ValueId> = store.sources.iter().map(|&(_, slot)| self.plan.read(slot)).collect();
        self.access(p, b, guard, |e| {
            for k in 0..e.width {
                for (n, &s) in sources.iter().enumerate() {
                    let more = (n as u32 * store.size) as i32;
                    if store.size == 8 {
                        e.scatter_wide(p, k, more, s, b, guard);
                    } else {
                        e.scatter_words(p, k, more, s, b, guard);
                    }
                }
            }
        });
        true
    }

    /// The checks, what is done behind them, and the slow way.
    fn access(&mut self, p: Scattered, b: usize, guard: Option<Guard>, work: impl FnOnce(&mut Self)) {
        let (slow, back) = (self.asm.label(), self.asm.label());
        match (p.memory, self.isa) {
            (Memory::Shared, Isa::Avx2) => self.check_all_shared(p, b, guard, slow),
            (Memory::Shared, Isa::Avx512) => self.check_shared_lanes(p, b, guard, slow),
            (Memory::Local, _) => {
                self.check_local_lanes(p, b, guard, slow);
                self.asm.load(true, RCX, at(R9, GROUP.local));
            }
            (Memory::Found, isa) => {
                // Narrow elements are read as words.
                let span = &mut self.spans[p.pc as usize];
                *span = (*span).max(p.total.max(4));
                let lines = self.lines();
                match isa {
                    Isa::Avx2 => self.check_all_global(p, b, guard, lines, slow),
                    Isa::Avx512 => self.check_global_lanes(p, b, guard, lines, slow),
                }
                let line = 32 * p.pc as i32;
                self.asm.load(true, RCX, at(lines, line + 16));
                self.asm.alu(Alu::Sub, true, RCX, at(lines, line));
            }
        }
        work(self);
        self.asm.bind(back);
        let kept = self.kept.clone();
        self.cold.push(Cold::Help { first: p.pc, last: p.pc, start: slow, back, kept });
    }

    /// Jumps away unless the addresses of all lanes that are awake are in the allocation of the cache line.
    fn check_global_lanes(&mut self, p: Scattered, b: usize, guard: Option<Guard>, lines: Gpr, slow: Label) {
        let line = 32 * p.pc as i32;
        let limits = (Some(at(lines, line)), Rm::Each(at(lines, line + 8)), Test::NotLess);
        self.check_wide_lanes(p, b, guard, limits, slow);
    }

    /// The same for local memory: a word of it is read even where the element is narrower.
    fn check_local_lanes(&mut self, p: Scattered, b: usize, guard: Option<Guard>, slow: Label) {
        let last = self.wide(i64::from(local_bytes(self.program)) - i64::from(p.total.max(4)));
        self.check_wide_lanes(p, b, guard, (None, last.into(), Test::Greater), slow);
    }

    /// Jumps away unless the distances of all lanes that are awake from a start (or 0) pass, and are aligned.
    fn check_wide_lanes(
        &mut self,
        p: Scattered,
        b: usize,
        guard: Option<Guard>,
        (start, limit, too_far): (Option<Mem>, Rm, Test),
        slow: Label,
    ) {
        for k in 0..self.width {
            let awake = self.awake(b, guard, k);
            for half in HALVES {
                if let (1, Some(m)) = (half, awake) {
                    self.asm.m_upper(m, m);
                }
                self.half64(p.base, k, half, T1);
                if p.offset != 0 {
                    let offset = self.wide(i64::from(p.offset));
                    self.asm.v(VPADDQ, T1, T1, offset);
                }
                let distance = if let Some(start) = start {
                    self.asm.v(VPSUBQ, T2, T1, Rm::Each(start));
                    T2
                } else {
                    T1
                };
                let bad = if half == 0 { M3 } else { M2 };
                self.asm.compare_wide(bad, distance, limit, too_far, awake);
                if half == 1 {
                    self.asm.m_or(M3, M3, M2);
                }
                if p.total > 1 {
                    let low = self.wide(i64::from(p.total) - 1);
                    self.asm.test_wide(M2, T1, low, awake);
                    self.asm.m_or(M3, M3, M2);
                }
            }
            self.asm.m_any(M3, M3);
            self.asm.jump_if(Cc::NotZero, slow);
        }
    }

    /// The same for shared memory.
    fn check_shared_lanes(&mut self, p: Scattered, b: usize, guard: Option<Guard>, slow: Label) {
        let last = Rm::Each(at(R14, CX.shared_last_word));
        for k in 0..self.width {
            self.shared_distances(p, k);
            let awake = self.awake(b, guard, k);
            self.asm.compare_words_of(M3, T1, last, Test::Greater, awake);
            if p.total > 1 {
                let low = self.word(p.total - 1);
                self.asm.test_words_of(M2, T1, low, awake);
                self.asm.m_or(M3, M3, M2);
            }
            if p.total > 4 {
                // Where the first word is inside, this does not wrap.
                let more = self.word(p.total - 4);
                self.asm.v(VPADDD, T2, T1, more);
                self.asm.compare_words_of(M2, T2, last, Test::Greater, awake);
                self.asm.m_or(M3, M3, M2);
            }
            self.asm.m_any(M3, M3);
            self.asm.jump_if(Cc::NotZero, slow);
        }
    }

    /// The first of these checks with AVX2: a lane that sleeps has the address of the allocation's start.
    fn check_all_global(&mut self, p: Scattered, b: usize, guard: Option<Guard>, lines: Gpr, slow: Label) {
        let line = 32 * p.pc as i32;
        for (k, half) in (0..self.width).flat_map(|k| HALVES.map(|half| (k, half))) {
            let awake = self.wide_awake(b, guard, Part { k, half }, T4);
            self.half64(p.base, k, half, T1);
            if p.offset != 0 {
                let offset = self.wide(i64::from(p.offset));
                self.asm.v(VPADDQ, T1, T1, offset);
            }
            self.asm.v1(VPBROADCASTQ, T2, at(lines, line));
            if awake {
                self.asm.v_blend(T1, T2, Rm::Reg(T1), T4);
            }
            if p.total > 1 {
                let low = self.wide(i64::from(p.total) - 1);
                self.asm.v1(VPTEST, T1, low);
                self.asm.jump_if(Cc::NotZero, slow);
            }
            self.asm.v(VPSUBQ, T1, T1, Rm::Reg(T2));
            // Neither negative, nor too far: lengths are positive.
            self.asm.v1(VPBROADCASTQ, T2, at(lines, line + 8));
            self.asm.v(VPCMPGTQ, T2, T2, Rm::Reg(T1));
            self.asm.v(VPANDN, T2, T1, Rm::Reg(T2));
            self.asm.signs_wide(RAX, T2);
            self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RAX), 15);
            self.asm.jump_if(Cc::NotZero, slow);
        }
    }

    /// The second one: a lane that sleeps is at the start.
    fn check_all_shared(&mut self, p: Scattered, b: usize, guard: Option<Guard>, slow: Label) {
        for k in 0..self.width {
            let awake = self.lanes(b, guard, k);
            if let Some(r) = awake {
                self.asm.m_move(T3, r);
            }
            self.shared_distances(p, k);
            if awake.is_some() {
                self.asm.v(VPAND, T1, T1, Rm::Reg(T3));
            }
            if p.total > 1 {
                let low = self.word(p.total - 1);
                self.asm.v1(VPTEST, T1, low);
                self.asm.jump_if(Cc::NotZero, slow);
            }
            // Where the first word is inside, the last does not wrap.
            for more in [0, p.total.max(4) - 4] {
                if more > 0 {
                    let more = self.word(more);
                    self.asm.v(VPADDD, T1, T1, more);
                }
                self.asm.v1(VPBROADCASTD, T2, at(R14, CX.shared_last_word));
                self.asm.v(VPMAXUD, T4, T1, Rm::Reg(T2));
                self.asm.v(VPCMPEQD, M1, T4, Rm::Reg(T2));
                let not_all = self.asm.m_not_all(M1);
                self.asm.jump_if(not_all, slow);
                if p.total <= 4 {
                    break;
                }
            }
        }
    }

    /// The lanes that are awake in [`M1`], where that are not all.
    fn awake(&mut self, b: usize, guard: Option<Guard>, k: usize) -> Option<u8> {
        let r = self.lanes(b, guard, k)?;
        self.asm.m_move(M1, r);
        Some(M1)
    }

    /// A mask for a gather or scatter, which clears it.
    fn awake_of(&mut self, b: usize, guard: Option<Guard>, part: Part) -> u8 {
        if self.isa == Isa::Avx2 {
            // The register of T2.
            match self.lanes(b, guard, part.k) {
                Some(r) if part.half == 1 => self.asm.upper_half(M3, r),
                Some(r) => self.asm.m_move(M3, r),
                None => self.asm.m_ones(M3),
            }
            return M3;
        }
        match self.lanes(b, guard, part.k) {
            Some(r) if part.half == 1 => self.asm.m_upper(M2, r),
            Some(r) => self.asm.m_move(M2, r),
            None => self.asm.m_ones(M2),
        }
        M2
    }

    /// With AVX2: the lanes of a part that are awake as a mask of 64-bit lanes, where they are not all.
    fn wide_awake(&mut self, b: usize, guard: Option<Guard>, part: Part, to: u8) -> bool {
        let Some(r) = self.lanes(b, guard, part.k) else { return false };
        let half = if part.half == 1 {
            self.asm.upper_half(to, r);
            to
        } else {
            r
        };
        self.asm.v1(VPMOVSXDQ, to, Rm::Reg(half));
        true
    }

    /// Distances of a chunk's lanes in shared or local memory, in [`T1`], and the register that they are from.
    fn distances(&mut self, p: Scattered, k: usize) -> Gpr {
        if p.memory == Memory::Shared {
            self.shared_distances(p, k);
            return R11;
        }
        self.half64(p.base, k, 0, T1);
        self.half64(p.base, k, 1, T4);
        self.asm.low_words(T1, T1, T4);
        let (stride, lanes) = (local_bytes(self.program), self.isa.lanes());
        let starts: [u32; 16] =
            std::array::from_fn(|i| (p.offset as u32).wrapping_add(stride * (lanes * k + i) as u32));
        let starts = self.constant_row(starts);
        self.asm.v(VPADDD, T1, T1, starts);
        RCX
    }

    /// Distances of a chunk's lanes from the start of shared memory, in [`T1`].
    fn shared_distances(&mut self, p: Scattered, k: usize) {
        let x = self.in_register(p.base, k, T1, false);
        let shift = self.word(p.offset.wrapping_sub(SHARED_START as i32) as u32);
        self.asm.v(VPADDD, T1, x, shift);
    }

    /// A 64-bit number in all lanes.
    fn wide(&mut self, value: i64) -> Mem {
        self.constant_row(std::array::from_fn(|i| (value >> (32 * (i % 2))) as u32))
    }

    /// Jumps to `apart` unless the words of a chunk's lanes that are awake lie one behind the other. Gives where those of the
    /// first lane are.
    fn neighbours(&mut self, p: Scattered, k: usize, b: usize, guard: Option<Guard>, apart: Label) -> Mem {
        let awake = self.awake(b, guard, k);
        let place = if p.memory == Memory::Shared {
            let base = self.distances(p, k);
            self.asm.pair(RDX, T1, false);
            // A first lane that sleeps may be before the start.
            self.asm.sign_extend(RDX, Rm::Reg(RDX));
            self.asm.broadcast(T2, RDX, false);
            let steps = self.constant_row(std::array::from_fn(|i| 4 * i as u32));
            self.asm.v(VPADDD, T2, T2, steps);
            self.asm.compare_words_of(M2, T1, Rm::Reg(T2), Test::NotEqual, awake);
            Mem { base, index: Some(RDX), disp: 0 }
        } else {
            self.half64(p.base, k, 0, T1);
            self.asm.pair(RDX, T1, false);
            self.asm.broadcast(T2, RDX, true);
            let steps = self.constant_row(std::array::from_fn(|i| if i % 2 == 0 { 2 * i as u32 } else { 0 }));
            self.asm.v(VPADDQ, T2, T2, steps);
            self.asm.compare_wide(M2, T1, Rm::Reg(T2), Test::NotEqual, awake);
            self.half64(p.base, k, 1, T1);
            let half = self.wide(32);
            self.asm.v(VPADDQ, T2, T2, half);
            if let Some(m) = awake {
                self.asm.m_upper(M3, m);
            }
            self.asm.compare_wide(M3, T1, Rm::Reg(T2), Test::NotEqual, awake.map(|_| M3));
            self.asm.m_or(M2, M2, M3);
            Mem { base: RCX, index: Some(RDX), disp: p.offset }
        };
        self.asm.m_any(M2, M2);
        self.asm.jump_if(Cc::NotZero, apart);
        place
    }

    /// 32-bit elements of a chunk, in [`T3`].
    fn gather_words(&mut self, p: Scattered, k: usize, more: i32, b: usize, guard: Option<Guard>) {
        if !p.is_regular {
            return self.gather_apart(p, k, more, b, guard);
        }
        let (apart, done) = (self.asm.label(), self.asm.label());
        let m = self.neighbours(p, k, b, guard, apart);
        match self.awake(b, guard, k) {
            Some(mask) => self.asm.v_load_zeroed(T3, m, mask),
            None => self.asm.v_load(T3, m),
        }
        self.asm.jump(done);
        self.asm.bind(apart);
        self.gather_apart(p, k, more, b, guard);
        self.asm.bind(done);
    }

    fn gather_apart(&mut self, p: Scattered, k: usize, more: i32, b: usize, guard: Option<Guard>) {
        if p.memory != Memory::Found {
            let base = self.distances(p, k);
            let awake = self.awake_of(b, guard, Part { k, half: 0 });
            return self.asm.gather(T3, Mem { base, index: Some(T1), disp: more }, awake, Index::Words, false);
        }
        for (half, to) in HALVES.into_iter().zip([T3, T4]) {
            self.half64(p.base, k, half, T1);
            let awake = self.awake_of(b, guard, Part { k, half });
            let from = Mem { base: RCX, index: Some(T1), disp: p.offset + more };
            self.asm.gather(to, from, awake, Index::Wide, false);
        }
        self.asm.join_halves(T3, T4);
    }

    /// 64-bit elements of a chunk to their row.
    fn gather_wide(&mut self, p: Scattered, k: usize, more: i32, d: ValueId, b: usize, guard: Option<Guard>) {
        let blends = guard.is_some() || self.keeps_sleepers(d, b);
        for half in HALVES {
            let part = Part { k, half };
            let (from, index) = self.place(p, part, more);
            let row = self.row64(d, k, half);
            if self.isa == Isa::Avx2 {
                if !self.wide_awake(b, guard, part, M3) {
                    self.asm.m_ones(M3);
                }
                if blends {
                    // What is not gathered stays.
                    self.asm.v_load(T3, row);
                }
                self.asm.gather(T3, from, M3, index, true);
                self.asm.v_store(row, T3);
                continue;
            }
            let awake = self.awake_of(b, guard, part);
            if blends {
                // The gather clears its mask.
                self.asm.m_move(M1, awake);
            }
            self.asm.gather(T3, from, awake, index, true);
            if blends {
                self.asm.v_store_masked_wide(row, T3, M1);
            } else {
                self.asm.v_store(row, T3);
            }
        }
    }

    /// Where 64-bit elements of a part are.
    fn place(&mut self, p: Scattered, part: Part, more: i32) -> (Mem, Index) {
        if p.memory == Memory::Found {
            self.half64(p.base, part.k, part.half, T1);
            return (Mem { base: RCX, index: Some(T1), disp: p.offset + more }, Index::Wide);
        }
        let base = self.distances(p, part.k);
        if part.half == 1 {
            self.asm.upper_half(T1, T1);
        }
        (Mem { base, index: Some(T1), disp: more }, Index::Words)
    }

    fn scatter_words(&mut self, p: Scattered, k: usize, more: i32, s: ValueId, b: usize, guard: Option<Guard>) {
        if !p.is_regular {
            return self.scatter_apart(p, k, more, s, b, guard);
        }
        let (apart, done) = (self.asm.label(), self.asm.label());
        let m = self.neighbours(p, k, b, guard, apart);
        let r = self.in_register(s, k, T2, false);
        match self.awake(b, guard, k) {
            Some(mask) => self.asm.v_store_masked(m, r, mask),
            None => self.asm.v_store(m, r),
        }
        self.asm.jump(done);
        self.asm.bind(apart);
        self.scatter_apart(p, k, more, s, b, guard);
        self.asm.bind(done);
    }

    fn scatter_apart(&mut self, p: Scattered, k: usize, more: i32, s: ValueId, b: usize, guard: Option<Guard>) {
        let r = self.in_register(s, k, T2, false);
        if p.memory != Memory::Found {
            let base = self.distances(p, k);
            let awake = self.awake_of(b, guard, Part { k, half: 0 });
            return self.asm.scatter(Mem { base, index: Some(T1), disp: more }, r, awake, Index::Words, false);
        }
        for half in HALVES {
            self.half64(p.base, k, half, T1);
            let awake = self.awake_of(b, guard, Part { k, half });
            let from = if half == 0 { r } else { T3 };
            if half == 1 {
                self.asm.upper_half(T3, r);
            }
            let to = Mem { base: RCX, index: Some(T1), disp: p.offset + more };
            self.asm.scatter(to, from, awake, Index::Wide, false);
        }
    }

    fn scatter_wide(&mut self, p: Scattered, k: usize, more: i32, s: ValueId, b: usize, guard: Option<Guard>) {
        for half in HALVES {
            let part = Part { k, half };
            let (to, index) = self.place(p, part, more);
            self.half64(s, k, half, T2);
            let awake = self.awake_of(b, guard, part);
            self.asm.scatter(to, T2, awake, index, true);
        }
    }

    /// Bytes and half-words out of the words that begin with them, in [`T3`].
    fn narrow(&mut self, load: &Load) {
        if load.size >= 4 {
            return;
        }
        let bits = 32 - 8 * load.size as u8;
        self.asm.v_shift(6, T3, T3, bits);
        self.asm.v_shift(if load.signed { 4 } else { 2 }, T3, T3, bits);
    }
}

/// Is it an element of up to 32 bits in a register of 32, or one of 64 in one of 64?
fn is_element(class: Class, size: u32) -> bool {
    class == Class::R32 && size <= 4 || class == Class::R64 && size == 8
}
