//! Values that a block does nothing with, and that its code therefore does not bring from their rows.
//!
//! Behind a barrier every warp finds its values in their rows. A value that a way from there to the next barrier does not
//! need stays *away*: it is in its row only. It is fetched on the edge to a block that needs it.

use super::*;

impl Emitter<'_> {
    /// Finds the values that are away, by block.
    pub(super) fn find_away(&mut self) {
        let plan = self.plan;
        let mut needs: Vec<BTreeSet<ValueId>> = (0..plan.blocks.len()).map(|b| self.uses(b)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for b in (0..plan.blocks.len()).rev() {
                let block = &plan.blocks[b];
                let before = needs[b].len();
                // A way out of a loop is taken once: what only that way needs can be fetched there.
                let often = block.successors.iter().filter(|&&s| plan.blocks[s].depth >= block.depth);
                let more: Vec<ValueId> = match block.term {
                    Term::Stop { .. } => Vec::new(),
                    _ => often.flat_map(|&s| needs[s].intersection(&plan.blocks[s].live_in)).copied().collect(),
                };
                needs[b].extend(more);
                changed |= needs[b].len() > before;
            }
        }
        self.away = (0..plan.blocks.len())
            .map(|b| {
                let is_away = |v: &ValueId| self.is_vector(*v) && !needs[b].contains(v) && !self.changed[b].contains(v);
                plan.blocks[b].live_in.iter().copied().filter(is_away).collect()
            })
            .collect();
    }

    /// What a block has to have in registers, at its end at the latest.
    fn uses(&self, b: usize) -> BTreeSet<ValueId> {
        let plan = self.plan;
        let block = &plan.blocks[b];
        let is_plain = |s: &usize| !plan.blocks[*s].masked;
        let goes_plainly = match block.term {
            Term::Exit { guard } => guard.is_none(),
            Term::Stop { barrier, .. } => barrier,
            _ => block.successors.iter().all(is_plain),
        };
        if block.masked || !goes_plainly {
            return block.live_in.clone();
        }
        let operands = |pc: Pc| self.program.meta[pc as usize].operands.iter().map(|&(.., slot)| plan.by_slot[&slot]);
        (block.start..block.end).flat_map(operands).flat_map(|v| [v, self.value(v).alias]).collect()
    }

    /// Brings what is away in a block and not in the one that follows.
    pub(super) fn bring(&mut self, b: usize, to: usize) {
        let list: Vec<ValueId> = self.away[b].difference(&self.away[to]).copied().collect();
        for v in list.into_iter().filter(|v| self.plan.blocks[to].live_in.contains(v)) {
            self.fetch(v);
        }
    }
}
