//! Collectives for which the lanes of a warp give several masks: each mask is a collective of its own, a *party*.
//!
//! A loop over the masks looks whether those who give one are all who live of it. Then a vote is one of all lanes, of which
//! each looks at its own party.

use super::predicates::RESULT;
use super::*;

impl Emitter<'_> {
    /// Is it an operation that can be done for all parties at once?
    pub(super) fn has_parties(&self, c: &Collective) -> bool {
        matches!(
            c.op,
            CollectiveOp::VoteAll { .. }
                | CollectiveOp::VoteAny { .. }
                | CollectiveOp::VoteBallot { .. }
                | CollectiveOp::MatchAny(_)
                | CollectiveOp::BarWarp
        )
    }

    /// Jumps where somebody is missing in a party; those who live are in `ecx`. Gives the place of the masks.
    pub(super) fn need_parties(&mut self, c: &Collective, b: usize, slow: Label) -> i32 {
        let masks = self.spill(self.plan.read(c.mask))[0];
        let (live, wanted) = (at(RSP, self.take_stack(4)), at(RSP, self.take_stack(4)));
        self.asm.store(false, live, RCX);
        // Those who are in no party yet.
        self.lane_bits(b, None);
        let again = self.asm.label();
        self.asm.bind(again);
        self.spread_first(masks);
        self.asm.load(false, RAX, Mem { base: RSP, index: Some(RCX), disp: masks });
        self.asm.alu(Alu::And, false, RAX, live);
        self.asm.store(false, wanted, RAX);
        for k in 0..self.width {
            self.equal_words(M1, T1, self.chunk_at(masks, k).into());
            self.asm.m_bits(if k == 0 { RAX } else { RCX }, M1);
            if k > 0 {
                self.asm.shift(4, false, RCX, (self.isa.lanes() * k) as u8);
                self.asm.alu(Alu::Or, false, RAX, Rm::Reg(RCX));
            }
        }
        self.asm.alu(Alu::And, false, RAX, Rm::Reg(RDX));
        self.asm.alu(Alu::Cmp, false, RAX, wanted);
        self.asm.jump_if(Cc::NotZero, slow);
        self.asm.alu(Alu::Xor, false, RDX, Rm::Reg(RAX));
        self.asm.test(RDX);
        self.asm.jump_if(Cc::NotZero, again);
        masks
    }

    /// Gives each lane those of its party that are in `edx`.
    pub(super) fn spread_to_parties(&mut self, result: Slot, b: usize, masks: i32) {
        if !self.plan.is_used(result) {
            return;
        }
        let d = self.plan.by_slot[&result];
        for k in 0..self.width {
            self.asm.broadcast(T3, RDX, false);
            self.asm.v(VPAND, T3, T3, self.chunk_at(masks, k));
            self.finish(d, k, b, None, T3);
        }
    }

    /// Gives each lane a predicate: is anybody of its party in `edx`? Or nobody, where not `any`.
    pub(super) fn test_parties(&mut self, result: Slot, b: usize, masks: i32, any: bool) {
        if !self.plan.is_used(result) {
            return;
        }
        let d = self.plan.by_slot[&result];
        for k in 0..self.width {
            self.asm.broadcast(T1, RDX, false);
            let own = self.chunk_at(masks, k);
            match self.isa {
                Isa::Avx512 => self.asm.test_words(RESULT, T1, own, any),
                Isa::Avx2 => {
                    let none = self.constant_row([0; 16]);
                    self.asm.v(VPAND, T1, T1, own);
                    self.asm.v(VPCMPEQD, RESULT, T1, none);
                    if any {
                        self.asm.m_not(RESULT, RESULT, at(R15, 128));
                    }
                }
            }
            self.finish_predicate(d, k, b, None, RESULT);
        }
    }
}
