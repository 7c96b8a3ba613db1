//! A warp: its registers, its lanes' program counters, and where lanes meet again.
//!
//! Lanes are kept as *splits*: a program counter, the lanes that share it, their calls, and the innermost *join* that
//! they have to meet at. A split runs until it parts, waits, arrives at its join or exits. A join is a convergence
//! barrier: made where lanes part, it names a place and the lanes it expects. Lanes that exit, or that the scheduler
//! lets go on alone, are no longer expected.

use std::sync::Arc;

use crate::program::{AtomicOp, AtomicType, Pc};
use crate::slots::{LaneMask, Registers};

/// Index of a join in its warp; `NO_JOIN` for none.
pub type JoinId = u32;
/// No join.
pub const NO_JOIN: JoinId = u32::MAX;

/// An activation of a function.
#[derive(Debug)]
pub struct Frame {
    /// Where to go on after the return.
    pub return_to: Pc,
    /// The call.
    pub call: Pc,
    /// The function that runs.
    pub function: u32,
    /// The activation below.
    pub parent: Option<Arc<Frame>>,
    /// Registers of the function to put back, where it may be active already.
    pub saved: Option<Vec<u8>>,
    /// Bytes that the call moved the lanes' stacks by.
    pub stack: u32,
    /// How many are below.
    pub depth: u32,
}

/// Are these the same activation?
pub fn same_frame(a: &Option<Arc<Frame>>, b: &Option<Arc<Frame>>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

/// The calls of an activation and of those below it, innermost first.
pub fn calls(frames: &Option<Arc<Frame>>) -> impl Iterator<Item = Pc> + '_ {
    std::iter::successors(frames.as_deref(), |f| f.parent.as_deref()).map(|f| f.call)
}

/// Lanes that run together.
#[derive(Clone, Debug)]
pub struct Split {
    /// Their program counter.
    pub pc: Pc,
    /// Who.
    pub mask: LaneMask,
    /// The innermost join that expects them.
    pub join: JoinId,
    /// Their calls.
    pub frames: Option<Arc<Frame>>,
}

/// A convergence barrier.
#[derive(Clone, Debug)]
pub struct Join {
    /// The place, a `Converge`.
    pub pc: Pc,
    /// Lanes that are to come.
    pub expected: LaneMask,
    /// Lanes that have.
    pub arrived: LaneMask,
    /// Lanes that went on from here without the others.
    pub passed: LaneMask,
    /// The join around it.
    pub parent: JoinId,
    /// The activation it belongs to.
    pub frames: Option<Arc<Frame>>,
}

/// Lanes that wait.
#[derive(Clone, Debug)]
pub struct Wait {
    /// The lanes; the program counter is that of the instruction that they wait in.
    pub split: Split,
    /// What for.
    pub what: WaitFor,
}

/// What lanes wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// The other lanes of a mask at the same operation.
    Collective {
        /// The operation.
        key: u32,
        /// The mask that they gave.
        mask: LaneMask,
    },
    /// Block barrier `id`.
    Barrier {
        /// Which.
        id: u32,
    },
    /// The cluster barrier, phase `phase`.
    Cluster {
        /// Which phase must end.
        phase: u32,
    },
}

/// A group of asynchronous copies that a lane committed, or that is still open.
#[derive(Clone, Debug, Default)]
pub struct AsyncState {
    /// Copies since the last commit.
    pub open: Vec<PendingCopy>,
    /// Committed groups, oldest first.
    pub groups: Vec<Vec<PendingCopy>>,
}

/// An asynchronous copy whose bytes are not written yet.
#[derive(Clone, Debug)]
pub struct PendingCopy {
    /// Offset in the shared window, or a global address where `to_global`.
    pub destination: u64,
    /// Is the destination global memory?
    pub to_global: bool,
    /// What will be written.
    pub bytes: Vec<u8>,
    /// What is done with the destination, where it is not only written.
    pub reduce: Option<Reduction>,
    /// The instruction.
    pub pc: Pc,
}

/// How an asynchronous reduction joins elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// What.
    pub op: AtomicOp,
    /// How the bytes are taken.
    pub ty: AtomicType,
    /// Bytes of an element: 2, 4 or 8.
    pub size: u32,
    /// Are subnormals flushed?
    pub is_flushed: bool,
}

/// One warp.
pub struct Warp {
    /// Index of its CTA in its group.
    pub cta: usize,
    /// Number in the CTA.
    pub number: u32,
    /// Its registers.
    pub regs: Registers,
    /// Lanes that hold a thread.
    pub exists: LaneMask,
    /// Lanes whose thread has not exited.
    pub live: LaneMask,
    /// Splits that can run; the last one runs next.
    pub ready: Vec<Split>,
    /// Lanes that a seeded schedule holds back.
    pub held: LaneMask,
    /// Convergence barriers; free ones expect nobody.
    pub joins: Vec<Join>,
    /// Lanes that wait.
    pub waits: Vec<Wait>,
    /// Local memory of the 32 threads, one after the other.
    pub local: Vec<u8>,
    /// Bytes of it a thread.
    pub local_stride: u32,
    /// Stack pointer of each thread, in its local memory.
    pub stack: [u32; 32],
    /// `cp.async` state of each lane; empty until first used.
    pub copies: Vec<AsyncState>,
    /// Bulk copies of each lane.
    pub bulk: Vec<AsyncState>,
    /// `cp.async.mbarrier.arrive` of lanes whose copies are pending: lane, CTA in the group, address, counts.
    pub steps: u64,
}

impl Warp {
    /// All lanes at the start of the program.
    pub fn reset(&mut self, exists: LaneMask) {
        self.exists = exists;
        self.live = exists;
        self.held = 0;
        self.ready.clear();
        self.joins.clear();
        self.waits.clear();
        self.copies.clear();
        self.bulk.clear();
        self.stack = [0; 32];
        self.steps = 0;
        if exists != 0 {
            self.ready.push(Split { pc: 0, mask: exists, join: NO_JOIN, frames: None });
        }
    }

    /// Has every thread exited?
    pub fn is_done(&self) -> bool {
        self.live == 0
    }

    /// Parts a split: lanes of `mask` leave for `pc`, the rest stays. Where the program names a place to meet, a join
    /// is made there.
    pub fn part(&mut self, split: &mut Split, mask: LaneMask, pc: Pc, reconverge: Option<Pc>) {
        if let Some(meet) = reconverge {
            self.join_at(split, meet);
        }
        split.mask &= !mask;
        self.ready.push(Split { pc, mask, join: split.join, frames: split.frames.clone() });
    }

    /// Parts a split at a branch to the place where its lanes meet: lanes of `mask` are there already.
    pub fn park(&mut self, split: &mut Split, mask: LaneMask, meet: Pc) {
        self.join_at(split, meet);
        split.mask &= !mask;
        self.joins[split.join as usize].arrived |= mask;
    }

    /// Makes the join of a split stand at `meet`.
    fn join_at(&mut self, split: &mut Split, meet: Pc) {
        if self.meets_at(split, meet) {
            return;
        }
        split.join = self.new_join(Join {
            pc: meet,
            expected: split.mask,
            arrived: 0,
            passed: 0,
            parent: split.join,
            frames: split.frames.clone(),
        });
    }

    fn new_join(&mut self, join: Join) -> JoinId {
        if let Some(free) = self.joins.iter().position(|j| j.expected == 0) {
            self.joins[free] = join;
            free as JoinId
        } else {
            self.joins.push(join);
            self.joins.len() as JoinId - 1
        }
    }

    /// Does the split's join stand at this place?
    pub fn meets_at(&self, split: &Split, pc: Pc) -> bool {
        split.join != NO_JOIN && {
            let j = &self.joins[split.join as usize];
            j.pc == pc && same_frame(&j.frames, &split.frames)
        }
    }

    /// The split arrives at its join. Gives the whole group where it was the last.
    pub fn arrive(&mut self, split: &Split) -> Option<Split> {
        let j = &mut self.joins[split.join as usize];
        j.arrived |= split.mask;
        (j.arrived == j.expected).then(|| self.complete(split.join))
    }

    /// Everybody is there.
    fn complete(&mut self, id: JoinId) -> Split {
        let j = &mut self.joins[id as usize];
        let split = Split { pc: j.pc + 1, mask: j.arrived, join: j.parent, frames: j.frames.take() };
        j.expected = 0;
        j.arrived = 0;
        split
    }

    /// Lanes that this join and those around it need not wait for any more, because they exited.
    pub fn forget(&mut self, join: JoinId, mask: LaneMask) {
        let mut id = join;
        while id != NO_JOIN {
            let j = &mut self.joins[id as usize];
            let parent = j.parent;
            j.expected &= !mask;
            if j.expected != 0 && j.arrived == j.expected {
                let split = self.complete(id);
                self.ready.push(split);
            }
            id = parent;
        }
    }

    /// The split goes on without its join.
    pub fn leave(&mut self, split: &mut Split) {
        let j = &mut self.joins[split.join as usize];
        let id = split.join;
        split.join = j.parent;
        j.passed |= split.mask;
        j.expected &= !split.mask;
        j.arrived &= !split.mask;
        if j.expected != 0 && j.arrived == j.expected {
            let whole = self.complete(id);
            self.ready.push(whole);
        }
    }

    /// Lets the lanes that wait at joins go on. Gives true where there were any.
    pub fn release_joins(&mut self) -> bool {
        let mut any = false;
        for id in 0..self.joins.len() {
            let j = &mut self.joins[id];
            if j.expected == 0 || j.arrived == 0 {
                continue;
            }
            any = true;
            let split = Split { pc: j.pc + 1, mask: j.arrived, join: j.parent, frames: j.frames.clone() };
            j.passed |= j.arrived;
            j.expected &= !j.arrived;
            j.arrived = 0;
            // They run last: those that are to come get a chance to run first.
            self.ready.insert(0, split);
        }
        any
    }

    /// Lanes that wait at joins.
    pub fn parked(&self) -> impl Iterator<Item = &Join> + '_ {
        self.joins.iter().filter(|j| j.expected != 0 && j.arrived != 0)
    }

    /// The joins that expect a split, innermost first.
    pub fn joins_of(&self, split: &Split) -> impl Iterator<Item = &Join> + '_ {
        let at = |id: JoinId| self.joins.get(id as usize);
        std::iter::successors(at(split.join), move |j| at(j.parent))
    }
}
