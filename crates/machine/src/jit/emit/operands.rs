//! Operands of instructions as vectors, scalars and masks, and where results go.

use super::*;

impl Emitter<'_> {
    pub(super) fn row32(&self, v: ValueId, k: usize) -> Mem {
        at(RBX, self.value(v).slot.0 as i32 + 32 * k as i32)
    }

    pub(super) fn row64(&self, v: ValueId, k: usize) -> Mem {
        at(R12, self.value(v).slot.0 as i32 + 64 * k as i32)
    }

    pub(super) fn row_pred(&self, v: ValueId, k: usize) -> Mem {
        at(R13, self.value(v).slot.0 as i32 + k as i32)
    }

    /// Where a scalar of chunk `k` is; of a preset, the first lane of its row.
    pub(super) fn scalar(&self, v: ValueId, k: usize) -> Mem {
        let value = self.value(v);
        if value.preset.is_some() {
            return if value.class == Class::R64 { self.row64(v, k) } else { self.row32(v, k) };
        }
        at(RBP, self.stack[v] + if value.shape == UNIFORM { 0 } else { 8 * k as i32 })
    }

    pub(super) fn step(&self, v: ValueId) -> i64 {
        match self.value(v).shape {
            Shape::Scalar { step, .. } => step,
            _ => 0,
        }
    }

    /// A 32-bit value of chunk `k` as a vector operand; `temp` is used where it has to be made.
    pub(super) fn vector(&mut self, v: ValueId, k: usize, temp: u8, tolerant: bool) -> Rm {
        if self.value(v).preset.is_some() {
            return self.row32(v, k).into();
        }
        if self.is_scalar(v) {
            let from = self.scalar(v, k);
            self.asm.v1(VPBROADCASTD, temp, from);
            let step = self.step(v);
            if step != 0 {
                let steps = self.constant_row(std::array::from_fn(|i| (step * i as i64) as u32));
                self.asm.v(VPADDD, temp, temp, steps);
            }
            return Rm::Reg(temp);
        }
        let place = match self.home[v] {
            Some(r) => Rm::Reg(r + k as u8),
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

    /// Puts `from` with the chip's NaN into `to`; `to` may be any register but the mask.
    pub(super) fn canonical(&mut self, to: u8, from: Rm) {
        let r = match from {
            Rm::Reg(r) => r,
            m => {
                self.asm.v_load(to, m);
                to
            }
        };
        self.asm.v_imm(VCMPPS, MASK, r, Rm::Reg(r), 3);
        self.asm.v_blend(to, r, at(R15, 32), MASK);
    }

    /// A predicate of chunk `k` as 0 or -1 in each lane.
    pub(super) fn predicate(&mut self, v: ValueId, k: usize, temp: u8) -> u8 {
        if self.value(v).preset.is_some() || self.value(v).alias != v {
            self.expand(v, k, temp);
            return temp;
        }
        if self.is_scalar(v) {
            let from = self.scalar(v, 0);
            self.asm.v1(VPBROADCASTD, temp, from);
            return temp;
        }
        if let Some(r) = self.home[v] {
            r + k as u8
        } else {
            self.asm.v_load(temp, at(RSP, self.stack[v] + 32 * k as i32));
            temp
        }
    }

    /// A predicate's row to a mask.
    pub(super) fn expand(&mut self, v: ValueId, k: usize, to: u8) {
        let from = self.row_pred(v, k);
        self.asm.v1(VPBROADCASTB, to, from);
        self.asm.v(VPAND, to, to, at(R15, 0));
        self.asm.v(VPCMPEQD, to, to, at(R15, 0));
    }

    /// The lanes that an instruction of a block works on, in [`MASK`]; nothing where it is all of them.
    pub(super) fn lanes(&mut self, b: usize, guard: Option<Guard>, k: usize, masked: bool) -> bool {
        let current = if self.plan.blocks[b].masked { self.current(b, k) } else { Rm::Reg(MASK) };
        match guard {
            Some(g) => {
                let p = self.plan.read(g.slot);
                let r = self.predicate(p, k, MASK);
                if g.negated {
                    self.asm.v(VPXOR, MASK, r, at(R15, 64));
                } else if r != MASK {
                    self.asm.v_load(MASK, Rm::Reg(r));
                }
                if self.plan.blocks[b].masked {
                    self.asm.v(VPAND, MASK, MASK, current);
                }
                true
            }
            None if masked && self.plan.blocks[b].masked => {
                self.asm.v_load(MASK, current);
                true
            }
            None => false,
        }
    }

    /// A register to compute a result of chunk `k` into.
    pub(super) fn target(&self, v: ValueId, k: usize, blends: bool) -> u8 {
        match self.home[v] {
            Some(r) if !blends => r + k as u8,
            _ => T3,
        }
    }

    /// Brings a computed result to its place.
    pub(super) fn finish(&mut self, v: ValueId, k: usize, b: usize, guard: Option<Guard>, from: u8) {
        let blends = guard.is_some() || self.plan.keeps_sleepers(v, b);
        let is_pred = self.value(v).class == Class::Pred;
        let memory = if is_pred { at(RSP, self.stack[v] + 32 * k as i32) } else { self.row32(v, k) };
        if !blends {
            match self.home[v] {
                Some(r) if r + k as u8 == from => {}
                Some(r) => self.asm.v_load(r + k as u8, Rm::Reg(from)),
                None => self.asm.v_store(memory, from),
            }
            return;
        }
        self.lanes(b, guard, k, true);
        if let Some(r) = self.home[v] {
            self.asm.v_blend(r + k as u8, r + k as u8, Rm::Reg(from), MASK);
        } else {
            self.asm.v_load(T1, memory);
            self.asm.v_blend(T1, T1, Rm::Reg(from), MASK);
            self.asm.v_store(memory, T1);
        }
    }
}
