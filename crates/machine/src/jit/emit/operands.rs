//! Operands of instructions as vectors and masks, and where results go.

use super::*;

impl Emitter<'_> {
    pub(super) fn row32(&self, v: ValueId, k: usize) -> Mem {
        let (warp, k) = self.warp_of(k);
        at(if warp == 1 { R12 } else { RBX }, self.value(v).slot.0 as i32 + self.isa.vector_bytes() * k as i32)
    }

    pub(super) fn row64(&self, v: ValueId, k: usize, half: i32) -> Mem {
        let bytes = self.isa.vector_bytes();
        at(if self.has_halves() { R12 } else { RBX }, self.value(v).slot.0 as i32 + 2 * bytes * k as i32 + bytes * half)
    }

    pub(super) fn row_pred(&self, v: ValueId, k: usize) -> Mem {
        at(if self.has_halves() { R13 } else { RBX }, self.value(v).slot.0 as i32 + (self.isa.lanes() / 8 * k) as i32)
    }

    /// Words in memory that every lane has, as an operand.
    fn each(&mut self, m: Mem, temp: u8) -> Rm {
        match self.isa {
            Isa::Avx512 => Rm::Each(m),
            Isa::Avx2 => {
                self.asm.v1(VPBROADCASTD, temp, m);
                Rm::Reg(temp)
            }
        }
    }

    /// A 32-bit value of chunk `k` as a vector operand; `temp` is used where it has to be made.
    pub(super) fn vector(&mut self, v: ValueId, k: usize, temp: u8, tolerant: bool) -> Rm {
        let value = self.value(v);
        if let Some(c) = self.plan.constant(v) {
            return self.word(c as u32);
        }
        if let Some(n) = value.uniform {
            return self.each(at(R8, 8 * n as i32), temp);
        }
        if value.preset.is_some() {
            return self.row32(v, k).into();
        }
        if value.alias != v {
            return self.vector(value.alias, k, temp, tolerant);
        }
        if self.is_scalar(v) {
            let from = self.scalar(v, k);
            if value.shape == UNIFORM {
                return self.each(from, temp);
            }
            self.asm.v1(VPBROADCASTD, temp, from);
            let (step, far) = (self.step(v), self.far_of(v, k));
            if step != 0 || far != 0 {
                let steps = self.constant_row(std::array::from_fn(|i| (far + step * i as i64) as u32));
                self.asm.v(VPADDD, temp, temp, steps);
            }
            return Rm::Reg(temp);
        }
        let place = match self.home[v] {
            Some(r) => Rm::Reg(r + if self.same[v] { 0 } else { k as u8 }),
            None => self.row32(v, k).into(),
        };
        if self.raw[v] && !tolerant {
            self.canonical(temp, place);
            return Rm::Reg(temp);
        }
        place
    }

    pub(super) fn in_register(&mut self, v: ValueId, k: usize, temp: u8, tolerant: bool) -> u8 {
        match self.vector(v, k, temp, tolerant) {
            Rm::Reg(r) => r,
            m => {
                self.asm.v_load(temp, m);
                temp
            }
        }
    }

    /// Puts `from` with the chip's NaN into `to`; `to` may be any register but that of [`M1`].
    pub(super) fn canonical(&mut self, to: u8, from: Rm) {
        let r = match from {
            Rm::Reg(r) => r,
            m => {
                self.asm.v_load(to, m);
                to
            }
        };
        self.asm.compare_floats(M1, r, Rm::Reg(r), 3);
        let nan = self.word(NAN);
        self.asm.v_blend(to, r, nan, M1);
    }

    /// A register to compute a result of chunk `k` into.
    pub(super) fn target(&self, v: ValueId, k: usize, blends: bool) -> u8 {
        match self.home[v] {
            Some(r) if !blends => r + k as u8,
            _ => T3,
        }
    }

    /// Brings a computed vector to its place.
    pub(super) fn finish(&mut self, v: ValueId, k: usize, b: usize, guard: Option<Guard>, from: u8) {
        let blends = guard.is_some() || self.keeps_sleepers(v, b);
        if !blends {
            match self.home[v] {
                Some(r) if r + k as u8 == from => {}
                Some(r) => self.asm.v_load(r + k as u8, Rm::Reg(from)),
                None => self.asm.v_store(self.row32(v, k), from),
            }
            return;
        }
        let mask = self.lanes(b, guard, k).unwrap_or(M1);
        if let Some(r) = self.home[v] {
            self.asm.v_blend(r + k as u8, r + k as u8, Rm::Reg(from), mask);
        } else if self.isa == Isa::Avx512 {
            self.asm.v_store_masked(self.row32(v, k), from, mask);
        } else {
            let memory = self.row32(v, k);
            self.asm.v_load(T1, memory);
            self.asm.v_blend(T1, T1, Rm::Reg(from), mask);
            self.asm.v_store(memory, T1);
        }
    }
}
