//! Loads of a vector of words that is the same one for all lanes: each word is spread over a result.

use super::memory::Plain;
use super::*;

impl Emitter<'_> {
    /// `ld.v2` and `ld.v4` of words in a block whose lanes are all awake.
    pub(super) fn spread(&mut self, load: &Load, b: usize, pc: Pc) -> bool {
        let Some(p) = self.same_vector(load, b, pc) else { return false };
        let (slow, back) = (self.asm.label(), self.asm.label());
        let m = self.address(p, 0, slow);
        for (n, &(_, slot)) in load.results.iter().enumerate().filter(|(_, r)| r.1.is_some()) {
            let d = self.plan.by_slot[&slot];
            let to = self.target(d, 0, false);
            self.asm.v1(VPBROADCASTD, to, Mem { disp: m.disp + 4 * n as i32, ..m });
            for k in 0..if self.same[d] { 1 } else { self.width } {
                self.finish(d, k, b, None, to);
            }
        }
        self.asm.bind(back);
        let kept = self.kept.clone();
        self.cold.push(Cold::Help { first: pc, last: pc, start: slow, back, kept });
        true
    }

    fn same_vector(&self, load: &Load, b: usize, pc: Pc) -> Option<Plain> {
        let is_own = |&(class, slot): &(Class, Slot)| {
            class == Class::R32 && (!slot.is_some() || self.is_vector(self.plan.by_slot[&slot]))
        };
        let total = 4 * u32::try_from(load.results.len()).ok()?;
        if load.size != 4
            || load.ordering != crate::program::Ordering::Weak
            || self.program.code[pc as usize].guard.is_some()
            || self.is_masked(b)
            || !matches!(total, 8 | 16)
            || !load.results.iter().all(is_own)
        {
            return None;
        }
        self.plain(&load.address, total, pc).filter(|p| p.step == 0 && self.plan.steps(p.base).1 == Some(0))
    }
}
