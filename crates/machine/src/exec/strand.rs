//! Strands: straight code that runs as a whole. See `lower::strand`.

use super::fast::{Done, KnownLoad, load_two};
use super::{Engine, Group};
use crate::fault::Fault;
use crate::lower::strand::{Op, Strand};
use crate::observe::Observer;
use crate::program::{Again, Kind, Pc};
use crate::slots::LaneMask;

impl<O: Observer> Engine<'_, O> {
    /// Runs a strand for lanes of a warp whose register block is at `base`.
    ///
    /// # Errors
    /// The fault that ends the launch.
    #[inline(always)]
    pub(super) fn run_strand(
        &mut self,
        group: &mut Group,
        w: usize,
        base: *mut u8,
        strand: &Strand,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        for op in &strand.rows {
            // SAFETY: `base` is the register block of this warp, laid out for this program.
            unsafe { op.run(base, mask) };
        }
        if O::ACTIVE {
            for reads in strand.reads.iter().filter(|r| r.first.is_none()) {
                self.tell_row(group, w, reads, mask);
            }
        }
        for op in &strand.ops {
            match op {
                Op::Rows(rows) => {
                    for op in rows {
                        // SAFETY: as above.
                        unsafe { op.run(base, mask) };
                    }
                }
                Op::Two { pc, loads, op, product } => {
                    let is_unseen = |n: usize| {
                        let KnownLoad { id, by, .. } = loads[n];
                        self.is_unseen(*pc + n as Pc) || self.is_told(Again::Same { id, by })
                    };
                    let done = if !self.may_hold_back(group, w) && is_unseen(0) && is_unseen(1) {
                        // SAFETY: as above.
                        unsafe { load_two(self.level, base, loads, *product, mask, self.stretch, &self.memos) }
                    } else {
                        Done::Nothing
                    };
                    if done == Done::All {
                        continue;
                    }
                    if done == Done::Nothing {
                        self.access(group, w, *pc, mask)?;
                        self.access(group, w, *pc + 1, mask)?;
                    }
                    // SAFETY: as above.
                    unsafe { op.run(base, mask) };
                }
                Op::Access(pc) => {
                    self.access(group, w, *pc, mask)?;
                    if O::ACTIVE
                        && let Some(reads) = strand.reads.iter().find(|r| r.first == Some(*pc))
                    {
                        self.tell_row(group, w, reads, mask);
                    }
                }
                Op::Guarded(guard, op) => {
                    let lanes = mask & guard.of(group.warps[w].regs.pred(guard.slot));
                    // SAFETY: as above.
                    unsafe { op.run(base, lanes) };
                }
            }
        }
        if O::ACTIVE {
            self.told = 0;
        }
        Ok(())
    }

    /// A load or store in a strand.
    #[inline(never)]
    fn access(&mut self, group: &mut Group, w: usize, pc: Pc, mask: LaneMask) -> Result<(), Box<Fault>> {
        match &self.cx.program.code[pc as usize].kind {
            Kind::Load(load) => self.load(group, w, pc, load, mask),
            Kind::Store(store) => self.store(group, w, pc, store, mask),
            _ => Ok(()),
        }
    }
}
