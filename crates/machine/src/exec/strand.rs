//! Strands: straight code that runs as a whole. See `lower::strand`.

use super::fast::{Done, load_two};
use super::{Engine, Group};
use crate::fault::Fault;
use crate::lower::strand::{Op, Strand};
use crate::observe::Observer;
use crate::program::{Kind, Pc};
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
        for op in &strand.ops {
            match op {
                Op::Rows(rows) => {
                    for op in rows {
                        // SAFETY: as above.
                        unsafe { op.run(base, mask) };
                    }
                }
                Op::Two { pc, loads, op, product } => {
                    let done = if self.delayed.is_empty() && self.is_unseen(*pc) && self.is_unseen(*pc + 1) {
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
                Op::Access(pc) => self.access(group, w, *pc, mask)?,
                Op::Guarded(guard, op) => {
                    let lanes = mask & guard.of(group.warps[w].regs.pred(guard.slot));
                    // SAFETY: as above.
                    unsafe { op.run(base, lanes) };
                }
            }
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
