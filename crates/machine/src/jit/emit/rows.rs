//! Between the places of values in compiled code and their rows, and one instruction done by the interpreter.

use super::*;

impl Emitter<'_> {
    /// Writes a value of all chunks to its row, for the lanes of the current mask where `masked`.
    pub(super) fn sync(&mut self, v: ValueId, masked: bool) {
        let value = self.value(v);
        if value.preset.is_some() || value.alias != v {
            return;
        }
        let scalar = self.is_scalar(v);
        for k in 0..self.width {
            match value.class {
                Class::Pred => {
                    let r = self.predicate(v, k, T1);
                    self.asm.v1(VMOVMSKPS, RAX, Rm::Reg(r));
                    let row = self.row_pred(v, k);
                    if masked {
                        self.asm.v_load(T2, at(RSP, self.current + 32 * k as i32));
                        self.asm.v1(VMOVMSKPS, RCX, Rm::Reg(T2));
                        self.asm.alu(Alu::And, false, RAX, Rm::Reg(RCX));
                        self.asm.not(false, RCX);
                        self.asm.load_byte(RDX, row);
                        self.asm.alu(Alu::And, false, RCX, Rm::Reg(RDX));
                        self.asm.alu(Alu::Or, false, RAX, Rm::Reg(RCX));
                    }
                    self.asm.store_byte(row, RAX);
                }
                Class::R32 => {
                    if self.home[v].is_none() && !scalar && !self.raw[v] {
                        continue;
                    }
                    let r = self.in_register(v, k, T1, false);
                    let row = self.row32(v, k);
                    if masked {
                        self.asm.v_load(MASK, at(RSP, self.current + 32 * k as i32));
                        self.asm.v_load(T2, row);
                        self.asm.v_blend(T1, T2, Rm::Reg(r), MASK);
                        self.asm.v_store(row, T1);
                    } else {
                        self.asm.v_store(row, r);
                    }
                }
                _ if scalar => {
                    let from = self.scalar(v, k);
                    let step = self.step(v);
                    for half in 0..2 {
                        self.asm.v1(VPBROADCASTQ, T1, from);
                        if step != 0 {
                            let steps = self.constant_row(std::array::from_fn(|i| {
                                let x = step * (4 * half + i as i64 / 2);
                                if i % 2 == 0 { x as u32 } else { (x >> 32) as u32 }
                            }));
                            self.asm.v(VPADDQ, T1, T1, steps);
                        }
                        let mut row = self.row64(v, k);
                        row.disp += 32 * half as i32;
                        if masked {
                            self.asm.v_load(MASK, at(RSP, self.current + 32 * k as i32));
                            self.widen_mask(half as u8);
                            self.asm.v_load(T2, row);
                            self.asm.v_blend(T1, T2, Rm::Reg(T1), MASK);
                        }
                        self.asm.v_store(row, T1);
                    }
                }
                _ => {}
            }
        }
    }

    /// Half of the lanes of [`MASK`] as 64-bit elements.
    pub(super) fn widen_mask(&mut self, half: u8) {
        if half == 1 {
            // vextracti128 xmm, ymm, 1
            self.asm.v_imm(Vop(1, 3, 0, 0x39), MASK, 0, Rm::Reg(MASK), 1);
        }
        self.asm.v1(VPMOVSXDQ, MASK, Rm::Reg(MASK));
    }

    /// Reads a value that is live at an entry from its row.
    pub(super) fn fetch(&mut self, v: ValueId) {
        let value = self.value(v);
        if value.preset.is_some() || value.alias != v {
            return;
        }
        if self.is_scalar(v) {
            let count = if value.shape == UNIFORM { 1 } else { self.width };
            for k in 0..count {
                let to = self.scalar(v, k);
                match value.class {
                    Class::Pred => {
                        self.expand(v, 0, T1);
                        // vmovd dword, xmm
                        self.asm.v1(VMOVMSKPS, RAX, Rm::Reg(T1));
                        self.asm.alu_constant(Alu::And, false, Rm::Reg(RAX), 1);
                        self.negate();
                        self.asm.store(false, to, RAX);
                    }
                    Class::R32 => {
                        let from = self.row32(v, k);
                        self.asm.load(false, RAX, from);
                        self.asm.store(true, to, RAX);
                    }
                    _ => {
                        let from = self.row64(v, k);
                        self.asm.load(true, RAX, from);
                        self.asm.store(true, to, RAX);
                    }
                }
            }
            return;
        }
        for k in 0..self.width {
            match (value.class, self.home[v]) {
                (Class::Pred, Some(r)) => self.expand(v, k, r + k as u8),
                (Class::Pred, None) => {
                    self.expand(v, k, T1);
                    self.asm.v_store(at(RSP, self.stack[v] + 32 * k as i32), T1);
                }
                (Class::R32, Some(r)) => {
                    let from = self.row32(v, k);
                    self.asm.v_load(r + k as u8, from);
                }
                _ => {}
            }
        }
    }

    /// 1 in `rax` becomes -1.
    pub(super) fn negate(&mut self) {
        self.asm.not(false, RAX);
        self.asm.alu_constant(Alu::Add, false, Rm::Reg(RAX), 1);
    }

    pub(super) fn alive(&self, pc: Pc) -> Vec<ValueId> {
        (0..self.life.len()).filter(|&v| self.life[v].0 <= pc && pc <= self.life[v].1).collect()
    }

    /// The bits of the lanes of a block (and guard), from bit 0 of the group, in `rdx`.
    pub(super) fn lane_bits(&mut self, b: usize, guard: Option<Guard>) {
        if guard.is_none() && !self.plan.blocks[b].masked {
            let all = (1u64 << (8 * self.width)) - 1;
            self.asm.constant(RDX, all);
            return;
        }
        for k in 0..self.width {
            self.lanes(b, guard, k, true);
            self.asm.v1(VMOVMSKPS, if k == 0 { RDX } else { RAX }, Rm::Reg(MASK));
            if k > 0 {
                self.asm.shift(4, false, RAX, 8 * k as u8);
                self.asm.alu(Alu::Or, false, RDX, Rm::Reg(RAX));
            }
        }
    }

    /// Has the interpreter do one instruction for the lanes of the block.
    pub(super) fn help(&mut self, pc: Pc) {
        let b = self.plan.block_of[pc as usize];
        let guard = self.program.code[pc as usize].guard;
        let operands: Vec<(Role, ValueId)> = self.program.meta[pc as usize]
            .operands
            .iter()
            .map(|(role, _, slot)| (*role, self.plan.by_slot[slot]))
            .collect();
        let resident: Vec<ValueId> = self.alive(pc).into_iter().filter(|&v| self.home[v].is_some()).collect();
        for &(_, v) in &operands {
            self.sync(v, false);
        }
        for &v in &resident {
            for k in 0..self.width {
                let r = self.home[v].unwrap_or(0) + k as u8;
                let to = if self.value(v).class == Class::Pred {
                    at(RSP, self.stack[v] + 32 * k as i32)
                } else if operands.iter().any(|o| o.1 == v) {
                    continue;
                } else {
                    self.row32(v, k)
                };
                self.asm.v_store(to, r);
            }
        }
        let skip = self.asm.label();
        self.lane_bits(b, guard);
        if let Some(r) = self.mask_home[b] {
            for k in 0..self.width {
                self.asm.v_store(at(RSP, self.current + 32 * k as i32), r + k as u8);
            }
        }
        self.asm.test(RDX);
        self.asm.jump_if(Cc::Zero, skip);
        self.asm.load(false, RCX, at(R14, CX.first_lane));
        self.asm.shift_left_cl(RDX);
        self.asm.mov(true, RDI, R14);
        self.asm.constant(RSI, u64::from(pc));
        self.asm.v_zero_upper();
        self.asm.call(at(R14, CX.helper));
        self.asm.load(true, R11, at(R14, CX.shared));
        self.asm.test(RAX);
        let fault = self.fault;
        self.asm.jump_if(Cc::NotZero, fault);
        self.asm.bind(skip);
        for &v in &resident {
            // A source that ends here may have given its registers to the result.
            let is_result = operands.iter().any(|&(role, o)| role == Role::Write && o == v);
            if self.life[v].1 == pc && !is_result {
                continue;
            }
            for k in 0..self.width {
                let r = self.home[v].unwrap_or(0) + k as u8;
                let from = if self.value(v).class == Class::Pred {
                    at(RSP, self.stack[v] + 32 * k as i32)
                } else {
                    self.row32(v, k)
                };
                self.asm.v_load(r, from);
            }
        }
        if let Some(r) = self.mask_home[b] {
            for k in 0..self.width {
                self.asm.v_load(r + k as u8, at(RSP, self.current + 32 * k as i32));
            }
        }
        for (role, v) in operands {
            if role == Role::Write && self.value(v).class == Class::Pred {
                self.fetch(v);
            }
        }
    }
}
