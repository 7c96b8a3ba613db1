//! Address checks that serve several accesses of a block to shared memory.
//!
//! What a check gives is a *distance*: where the lowest lane of the first of the accesses is, from the start of shared
//! memory. Where the base is computed before the loop that the block is in, it is checked there, and kept with the group's
//! scalars; a distance that is not good is negative.

use super::*;

/// The accesses of a block through one base.
#[derive(Clone, Copy)]
pub(super) struct Checked {
    /// The lowest and the highest offset.
    pub low: i64,
    pub last: i64,
    /// Where the distances are.
    pub place: Mem,
    pub is_hoisted: bool,
    /// Has the code gone by the check?
    pub done: bool,
}

impl Emitter<'_> {
    /// The bases of accesses that one check of a block serves: shared, unguarded, all lanes awake, one base.
    fn bases(&self, b: usize) -> Vec<(ValueId, i64, i64)> {
        let block = &self.plan.blocks[b];
        let mut list: Vec<(ValueId, i64, i64)> = Vec::new();
        for (v, offset) in (block.start..block.end).filter_map(|pc| self.shared_access(pc)) {
            match list.iter_mut().find(|c| c.0 == v) {
                Some(c) => (c.1, c.2) = (c.1.min(offset), c.2.max(offset)),
                None => list.push((v, offset, offset)),
            }
        }
        list.retain(|&(v, ..)| self.is_fixed(v, b));
        list
    }

    /// Is the value not computed in the block?
    fn is_fixed(&self, v: ValueId, b: usize) -> bool {
        self.value(v).defs.iter().all(|&d| self.plan.block_of[d as usize] != b)
    }

    /// Makes room for the distances that are computed with their bases.
    pub(super) fn find_hoisted(&mut self) {
        self.hoisted.clear();
        for (b, block) in self.plan.blocks.iter().enumerate().filter(|(_, block)| !block.masked) {
            for (v, low, last) in self.bases(b) {
                let &[pc] = &self.value(v).defs[..] else { continue };
                if self.plan.blocks[self.plan.block_of[pc as usize]].depth < block.depth {
                    let place = at(RBP, self.scalar_frame);
                    self.scalar_frame += 8 * self.scalar_count(v) as i32;
                    self.hoisted.insert((v, b), Checked { low, last, place, is_hoisted: true, done: false });
                }
            }
        }
    }

    /// The checks of a block.
    pub(super) fn find_checks(&mut self, b: usize) {
        self.checked.clear();
        if self.is_masked(b) {
            return;
        }
        for (v, low, last) in self.bases(b) {
            let checked = if let Some(&hoisted) = self.hoisted.get(&(v, b)) {
                hoisted
            } else {
                let place = at(RSP, self.take_stack(8 * self.scalar_count(v) as i32));
                Checked { low, last, place, is_hoisted: false, done: false }
            };
            self.checked.insert(v, checked);
        }
    }

    /// A shared access of words with a scalar base: base, and offset.
    pub(super) fn shared_access(&self, pc: Pc) -> Option<(ValueId, i64)> {
        let inst = &self.program.code[pc as usize];
        let (a, size, one) = match &inst.kind {
            Kind::Load(l) => (&l.address, l.size, l.results.len() == 1),
            Kind::Store(s) => (&s.address, s.size, s.sources.len() == 1),
            _ => return None,
        };
        if a.space != AddressSpace::Shared || !a.base.is_some() || a.class != Class::R32 || !one || inst.guard.is_some()
        {
            return None;
        }
        let v = self.plan.read(a.base);
        let Shape::Scalar { step, .. } = self.value(v).shape else { return None };
        let fits = size == 4 && (step == 0 || step == 4) && a.offset % 4 == 0 && (0..1 << 20).contains(&a.offset);
        fits.then_some((v, a.offset))
    }

    /// The base of an access that a check of the block covers, with all lanes awake in every form of the block.
    pub(super) fn checkable(&self, pc: Pc, b: usize) -> Option<ValueId> {
        let (v, _) = self.shared_access(pc)?;
        (self.is_fixed(v, b) && !self.plan.blocks[b].masked).then_some(v)
    }

    /// A scalar has been computed, in `rax`: checks the distances that are to be kept.
    pub(super) fn check_hoisted(&mut self, v: ValueId, k: usize) {
        let list: Vec<Checked> = self.hoisted.iter().filter(|((u, _), _)| *u == v).map(|(_, &c)| c).collect();
        for c in list {
            let (good, bad) = (self.asm.label(), self.asm.label());
            self.asm.mov(false, RDX, RAX);
            self.check_distance(v, c, bad);
            self.asm.jump(good);
            self.asm.bind(bad);
            self.asm.constant(RDX, u64::from(FULL));
            self.asm.bind(good);
            let to = self.distance_at(c, k);
            self.asm.store(true, to, RDX);
        }
    }

    /// The place of the distance of chunk `k`.
    pub(super) fn distance_at(&self, c: Checked, k: usize) -> Mem {
        let (warp, k) = self.warp_of(k);
        let base = if warp == 1 { R13 } else { c.place.base };
        at(base, c.place.disp + 8 * k as i32)
    }

    /// Makes the distance of the scalar in `rdx`, or jumps.
    fn check_distance(&mut self, v: ValueId, c: Checked, bad: Label) {
        let (low, high) = self.extent(v, self.scalar_count(v) == 1);
        let span = (c.last - c.low + high - low + 4) as i32;
        self.asm.test_byte(RDX, 3);
        self.asm.jump_if(Cc::NotZero, bad);
        self.asm.alu_constant(Alu::Add, false, Rm::Reg(RDX), (c.low + low) as i32 - SHARED_START as i32);
        self.asm.lea(true, RCX, at(RDX, span));
        self.asm.alu(Alu::Cmp, true, RCX, at(R14, CX.shared_len));
        self.asm.jump_if(Cc::Above, bad);
    }

    /// Checks all accesses of the block through this base, or looks whether that was done.
    pub(super) fn check_shared(&mut self, v: ValueId, pc: Pc) {
        let Some(c) = self.checked.get(&v).copied() else { return };
        let out = self.leave_label(pc);
        for k in 0..self.scalar_count(v) {
            if c.is_hoisted {
                let r = self.checked_address(v, k);
                self.asm.test(r);
                self.asm.jump_if(Cc::Negative, out);
            } else {
                self.get(RDX, v, k, false);
                self.check_distance(v, c, out);
                let to = self.distance_at(c, k);
                self.asm.store(true, to, RDX);
            }
        }
        if let Some(c) = self.checked.get_mut(&v) {
            c.done = true;
        }
    }

    /// A register that holds a checked distance.
    pub(super) fn checked_address(&mut self, v: ValueId, k: usize) -> Gpr {
        let k = self.number_of(v, k);
        let what = What::Distance(v, k);
        if let Some(r) = self.kept(what) {
            return r;
        }
        let from = self.distance_at(self.checked[&v], k);
        let r = self.keep(what, from);
        self.asm.load(true, r, from);
        r
    }
}
