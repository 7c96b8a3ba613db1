//! Ways out of the code, with the lanes of each place in a list.

use super::*;

impl Emitter<'_> {
    pub(super) fn stop_id(&mut self, pc: Pc, barrier: bool) -> usize {
        let found = self.stops.iter().position(|s| s.pc == pc && s.barrier == barrier);
        found.unwrap_or_else(|| {
            self.stops.push(StopPlace { pc, barrier, entry: None, rows: None });
            self.stops.len() - 1
        })
    }

    /// Adds the bits in `rdx` to a list entry.
    pub(super) fn report(&mut self, stop: usize) {
        self.asm.load(true, RAX, at(R14, CX.stops));
        self.asm.alu_store(Alu::Or, false, at(RAX, 4 * stop as i32), RDX);
    }

    pub(super) fn report_pending(&mut self) {
        for b in 0..self.plan.blocks.len() {
            if self.pending[b] < 0 {
                continue;
            }
            for k in 0..self.width {
                self.asm.v_load(T1, at(RSP, self.pending[b] + 32 * k as i32));
                self.asm.v1(VMOVMSKPS, if k == 0 { RDX } else { RAX }, Rm::Reg(T1));
                if k > 0 {
                    self.asm.shift(4, false, RAX, 8 * k as u8);
                    self.asm.alu(Alu::Or, false, RDX, Rm::Reg(RAX));
                }
            }
            let id = self.stop_id(self.plan.blocks[b].start, false);
            self.report(id);
        }
    }

    pub(super) fn emit_cold(&mut self) {
        while let Some(cold) = self.cold.pop() {
            match cold {
                Cold::Help { pc, start, back } => {
                    self.asm.bind(start);
                    self.help(pc);
                    self.asm.jump(back);
                }
                Cold::Leave { pc, start } => {
                    self.asm.bind(start);
                    self.alive(pc).into_iter().for_each(|v| self.sync(v, false));
                    let b = self.plan.block_of[pc as usize];
                    self.lane_bits(b, None);
                    let id = self.stop_id(pc, false);
                    self.report(id);
                    self.report_pending();
                    let epilogue = self.epilogue;
                    self.asm.jump(epilogue);
                }
                Cold::LeaveLoop { b, start } => {
                    self.asm.bind(start);
                    for k in 0..self.width {
                        let next = at(RSP, self.pending[b + 1] + 32 * k as i32);
                        let current = self.current(b, k);
                        self.asm.v_load(T1, current);
                        self.asm.v(VPANDN, T1, T1, next);
                        self.asm.v_store(next, T1);
                    }
                    let pc = self.plan.blocks[b].start;
                    self.alive(pc).into_iter().for_each(|v| self.sync(v, false));
                    self.lane_bits(b, None);
                    let id = self.stop_id(pc, false);
                    self.report(id);
                    self.report_pending();
                    let epilogue = self.epilogue;
                    self.asm.jump(epilogue);
                }
                Cold::LeavePending { at: pc, start } => {
                    self.asm.bind(start);
                    self.alive(pc).into_iter().for_each(|v| self.sync(v, false));
                    self.report_pending();
                    let epilogue = self.epilogue;
                    self.asm.jump(epilogue);
                }
            }
        }
    }

    pub(super) fn leave_label(&mut self, pc: Pc) -> Label {
        let start = self.asm.label();
        self.cold.push(Cold::Leave { pc, start });
        start
    }
}
