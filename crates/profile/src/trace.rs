//! What one warp did, in order.
//!
//! A step is one PTX instruction issued. Steps that follow each other in the text with the same lanes are one run, and
//! equal runs are kept once: a trace of a loop is short.

use std::collections::HashMap;

use warpvm_machine::slots::LaneMask;

/// Instructions that follow each other in a block, run by the same lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Run {
    /// The first instruction (an index into [`crate::Map::instructions`]).
    pub first: u32,
    /// How many.
    pub len: u32,
    /// The lanes.
    pub lanes: LaneMask,
}

/// What happens between instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarkKind {
    /// Lanes complete a collective.
    Collective,
    /// Lanes pass a block barrier or the cluster barrier.
    Barrier,
    /// Lanes that had parted meet at a convergence point.
    Meet,
    /// Lanes exit.
    Exit,
}

/// Something that happened to lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark {
    /// What.
    pub kind: MarkKind,
    /// The instruction.
    pub instruction: u32,
    /// The lanes.
    pub lanes: LaneMask,
    /// Of a collective: the mask that they gave.
    pub mask: LaneMask,
}

/// What one warp did.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Index of the CTA in the grid.
    pub cta: u32,
    /// Coordinates of the CTA.
    pub cta_id: [u32; 3],
    /// The warp in it.
    pub warp: u32,
    /// Lanes that hold a thread.
    pub exists: LaneMask,
    /// Lanes that had not exited at the end.
    pub left: LaneMask,
    /// Steps recorded.
    pub steps: u64,
    /// Were there more steps than were recorded?
    pub is_cut: bool,
    /// The distinct runs.
    pub runs: Vec<Run>,
    /// The runs in order, as indices.
    pub sequence: Vec<u32>,
    /// The distinct marks.
    pub marks: Vec<Mark>,
    /// Marks in order: the step after which each happened, and its index.
    pub mark_sequence: Vec<(u64, u32)>,
}

impl Trace {
    /// The runs in order, each with the step it starts at.
    pub fn steps(&self) -> impl Iterator<Item = (u64, Run)> + '_ {
        let mut at = 0;
        self.sequence.iter().map(move |&i| {
            let run = self.runs[i as usize];
            let start = at;
            at += u64::from(run.len);
            (start, run)
        })
    }
}

/// Makes a [`Trace`].
#[derive(Default)]
pub(crate) struct Recorder {
    pub trace: Trace,
    open: Option<Run>,
    run_index: HashMap<Run, u32>,
    mark_index: HashMap<Mark, u32>,
    /// Lanes that have come to the convergence point before an instruction, and in how many splits.
    parked: HashMap<u32, (LaneMask, u32)>,
}

impl Recorder {
    /// An instruction; `leads` where it begins a block.
    pub fn step(&mut self, instruction: u32, lanes: LaneMask, leads: bool, limit: u64) {
        if self.trace.steps >= limit {
            self.trace.is_cut = true;
            return;
        }
        self.trace.steps += 1;
        if let Some(open) = &mut self.open
            && !leads
            && open.lanes == lanes
            && open.first + open.len == instruction
        {
            open.len += 1;
            return;
        }
        self.close();
        self.open = Some(Run { first: instruction, len: 1, lanes });
        if let Some((_, splits)) = self.parked.remove(&instruction)
            && splits > 1
        {
            // Before this step, which is counted already.
            self.mark_at(self.trace.steps - 1, Mark { kind: MarkKind::Meet, instruction, lanes, mask: 0 });
        }
    }

    /// Lanes come to the convergence point before an instruction.
    pub fn park(&mut self, instruction: u32, lanes: LaneMask) {
        let parked = self.parked.entry(instruction).or_default();
        parked.0 |= lanes;
        parked.1 += 1;
    }

    /// Something happened.
    pub fn mark(&mut self, mark: Mark) {
        self.mark_at(self.trace.steps, mark);
    }

    fn mark_at(&mut self, step: u64, mark: Mark) {
        if self.trace.is_cut {
            return;
        }
        let next = self.trace.marks.len() as u32;
        let index = *self.mark_index.entry(mark).or_insert_with(|| {
            self.trace.marks.push(mark);
            next
        });
        self.trace.mark_sequence.push((step, index));
    }

    fn close(&mut self) {
        let Some(run) = self.open.take() else { return };
        let next = self.trace.runs.len() as u32;
        let index = *self.run_index.entry(run).or_insert_with(|| {
            self.trace.runs.push(run);
            next
        });
        self.trace.sequence.push(index);
    }

    /// The trace, whole.
    pub fn finish(mut self) -> Trace {
        self.close();
        self.trace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_kept_once() {
        let mut recorder = Recorder::default();
        for _ in 0..1000 {
            recorder.step(3, !0, true, u64::MAX);
            recorder.step(4, !0, false, u64::MAX);
        }
        let trace = recorder.finish();
        assert_eq!((trace.steps, trace.runs.len(), trace.sequence.len()), (2000, 1, 1000));
        assert_eq!(trace.steps().nth(2), Some((4, Run { first: 3, len: 2, lanes: !0 })));
    }

    #[test]
    fn the_limit_cuts() {
        let mut recorder = Recorder::default();
        (0..10).for_each(|i| recorder.step(i, 1, false, 4));
        let trace = recorder.finish();
        assert!(trace.is_cut);
        assert_eq!((trace.steps, trace.runs[0].len), (4, 4));
    }

    #[test]
    fn lanes_that_parted_meet() {
        let mut recorder = Recorder::default();
        recorder.step(0, 0xf, true, 99);
        recorder.step(1, 0x3, true, 99);
        recorder.park(2, 0x3);
        recorder.park(2, 0xc);
        recorder.step(2, 0xf, true, 99);
        let trace = recorder.finish();
        assert_eq!(trace.mark_sequence, [(2, 0)]);
        assert_eq!(trace.marks[0], Mark { kind: MarkKind::Meet, instruction: 2, lanes: 0xf, mask: 0 });
    }
}
