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

    /// Stop 0 is the exit.
    pub(super) fn exit_id(&mut self) -> usize {
        0
    }

    /// Adds the bits in `rdx` to an entry of the group's list.
    pub(super) fn report(&mut self, stop: usize) {
        self.asm.load(true, RAX, at(R9, GROUP.stops));
        self.asm.alu_store(Alu::Or, false, at(RAX, 4 * stop as i32), RDX);
        self.asm.store_constant(false, at(R9, GROUP.place), MIXED as i32);
    }

    /// The lanes that are to run masked blocks; they are added to `rsi`.
    fn report_pending(&mut self) {
        for b in 0..self.plan.blocks.len() {
            if self.pending[b] < 0 {
                continue;
            }
            for k in 0..self.width {
                self.asm.m_load(M1, self.mask_at(self.pending[b], k));
                self.gather_bits(k, M1);
            }
            let id = self.stop_id(self.plan.blocks[b].start, false);
            self.report(id);
            self.asm.alu(Alu::Or, false, RSI, Rm::Reg(RDX));
        }
    }

    /// Adds the lanes of chunk `k` in a mask to the bits in `rdx`.
    pub(super) fn gather_bits(&mut self, k: usize, mask: u8) {
        self.asm.m_bits(if k == 0 { RDX } else { RAX }, mask);
        if k > 0 {
            self.asm.shift(4, false, RAX, (self.isa.lanes() * k) as u8);
            self.asm.alu(Alu::Or, false, RDX, Rm::Reg(RAX));
        }
    }

    pub(super) fn emit_cold(&mut self) {
        while let Some(cold) = self.cold.pop() {
            match cold {
                Cold::Help { first, last, start, back, kept } => {
                    self.asm.bind(start);
                    let is_idle =
                        |pc: &Pc| matches!(self.program.code[*pc as usize].kind, Kind::Converge | Kind::Nothing);
                    let list: Vec<Pc> = (first..=last).filter(|pc| !is_idle(pc)).collect();
                    list.into_iter().for_each(|pc| self.help(pc));
                    self.restore(&kept);
                    self.asm.jump(back);
                }
                Cold::PartialLoad { pc, b, start, slow, back } => {
                    self.asm.bind(start);
                    self.partial_load(pc, b, slow);
                    self.asm.jump(back);
                }
                Cold::PartialStore { pc, b, start, slow, back } => {
                    self.asm.bind(start);
                    self.partial_store(pc, b, slow);
                    self.asm.jump(back);
                }
                Cold::Leave { pc, start } => {
                    self.asm.bind(start);
                    self.leave(pc);
                }
                Cold::Refused { pc, start } => {
                    self.asm.bind(start);
                    self.refused(pc);
                }
                Cold::LeavePending { at: pc, start } => {
                    self.asm.bind(start);
                    self.sync_alive(pc);
                    self.asm.constant(RSI, 0);
                    self.report_pending();
                    self.report_waiting(self.plan.block_of[pc as usize]);
                    let next = self.next;
                    self.asm.jump(next);
                }
                Cold::AllOrCareful { all, start, taken, careful } => {
                    self.asm.bind(start);
                    self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RDX), all);
                    self.asm.jump_if(Cc::Zero, taken);
                    self.asm.jump(careful);
                }
            }
        }
    }

    /// The helper has not done a collective: a fault, or lanes have to wait.
    fn refused(&mut self, pc: Pc) {
        self.asm.alu_constant(Alu::Cmp, false, Rm::Reg(RAX), 1);
        let fault = self.fault;
        self.asm.jump_if(Cc::Zero, fault);
        self.bring_back(pc, |_| true);
        self.leave(pc);
    }

    /// The lanes of the block leave before an instruction, and those that are to run other blocks before these.
    fn leave(&mut self, pc: Pc) {
        self.sync_alive(pc);
        let b = self.plan.block_of[pc as usize];
        if self.is_lone_loop(b) && self.plan.blocks[b + 1].masked {
            // Those that are in the loop are not to run the next block yet.
            for k in 0..self.width {
                let next = self.mask_at(self.pending[b + 1], k);
                let current = self.current_mask(b, k, M1);
                self.asm.m_load(M2, next);
                self.asm.m_and_not(M2, current, M2);
                self.asm.m_store(next, M2);
            }
        }
        self.lane_bits(b, None);
        let id = self.stop_id(pc, false);
        self.report(id);
        self.asm.mov(false, RSI, RDX);
        self.report_pending();
        self.report_waiting(b);
        let next = self.next;
        self.asm.jump(next);
    }

    /// Lanes that are in no list wait where all lanes meet: behind the masked blocks. Those in `rsi` are in one.
    fn report_waiting(&mut self, b: usize) {
        let block = &self.plan.blocks[b];
        let Some(meet) = block.meet.filter(|&m| block.masked && !self.plan.blocks[m].masked) else { return };
        self.asm.load(true, RAX, at(R9, GROUP.stops));
        self.asm.alu(Alu::Or, false, RSI, at(RAX, 0));
        self.asm.not(false, RSI);
        self.asm.load(false, RDX, at(R9, GROUP.live));
        self.asm.alu(Alu::And, false, RDX, Rm::Reg(RSI));
        let id = self.stop_id(self.plan.blocks[meet].start, false);
        self.report(id);
    }

    pub(super) fn leave_label(&mut self, pc: Pc) -> Label {
        let start = self.asm.label();
        self.cold.push(Cold::Leave { pc, start });
        start
    }
}
