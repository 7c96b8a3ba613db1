//! What an observer sees of a launch.
//!
//! A run without an observer pays nothing: the calls are behind a constant of the type.

use crate::exec::WarpView;
use crate::fault::AccessKind;
use crate::memory::Space;
use crate::program::{Inst, Ordering, Pc, Scope};
use crate::slots::LaneMask;
pub use crate::spread::{Spread, Steps};

/// Who does something: a warp of a CTA.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Who {
    /// Index of the CTA in the grid, x first.
    pub cta: u32,
    /// Warp in the CTA.
    pub warp: u32,
}

/// The addresses of a warp's lanes: those of a row, all so many bytes further on.
#[derive(Clone, Copy, Debug)]
pub struct Addresses<'a> {
    row: &'a [u64; 32],
    by: u64,
}

impl<'a> Addresses<'a> {
    /// Those of a row.
    #[must_use]
    pub fn new(row: &'a [u64; 32]) -> Self {
        Addresses { row, by: 0 }
    }

    /// The same, all `by` bytes (modulo 2^64) further on.
    #[inline]
    #[must_use]
    pub fn moved(self, by: u64) -> Self {
        Addresses { by: self.by.wrapping_add(by), ..self }
    }

    /// That of a lane. Lanes that do not take part may have any.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, lane: usize) -> u64 {
        self.row[lane].wrapping_add(self.by)
    }

    /// All of them.
    #[inline]
    #[must_use]
    pub fn all(&self) -> [u64; 32] {
        self.row.map(|at| at.wrapping_add(self.by))
    }
}

/// One access of lanes to memory, before it takes place.
pub struct Access<'a> {
    /// The instruction.
    pub pc: Pc,
    /// Lanes.
    pub lanes: LaneMask,
    /// The memory that each lane's address leads to, where all lead to the same.
    pub space: Space,
    /// Address of each lane: global, or an offset in its memory. Shared offsets carry the CTA's rank in the cluster
    /// in `shared_cta`.
    pub addresses: Addresses<'a>,
    /// How these lie.
    pub spread: &'a Spread,
    /// For shared memory: the CTA (index in the grid) whose memory it is.
    pub shared_cta: u32,
    /// Bytes that each lane touches, from its address on.
    pub size: u32,
    /// Read, write or both.
    pub kind: AccessKind,
    /// Memory order.
    pub ordering: Ordering,
    /// Its scope.
    pub scope: Scope,
    /// Is it made by the asynchronous proxy (`cp.async`, bulk copies) rather than by the lane itself?
    pub asynchronous: bool,
}

/// What happens at barriers, collectives and the like.
pub enum Event<'a> {
    /// Lanes of a warp complete a collective together. All arrived lanes of the mask are given; with `.sync` each
    /// gave this mask.
    Collective {
        /// Where each lane is.
        pcs: &'a [(Pc, LaneMask)],
        /// The mask.
        mask: LaneMask,
        /// Lanes that take part.
        lanes: LaneMask,
    },
    /// Lanes reach a collective and may have to wait.
    CollectiveArrive {
        /// Where.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
        /// The mask that these lanes gave.
        mask: LaneMask,
        /// Lanes of the warp that have exited.
        exited: LaneMask,
    },
    /// Lanes reach a block barrier.
    BarrierArrive {
        /// Where.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
        /// Which of the 16.
        id: u32,
        /// Threads that it waits for; 0 for all.
        count: u32,
        /// Lanes of the warp that have not exited.
        live: LaneMask,
    },
    /// A block barrier is about to complete although lanes that wait at it stand in a branch from whose end others of
    /// their warp went on without them.
    BarrierPassed {
        /// Where lanes wait.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
        /// Which of the 16.
        id: u32,
        /// The end of the branch.
        end: Pc,
        /// Lanes that went on from there; some may have exited since.
        passed: LaneMask,
    },
    /// A block barrier completes: everybody who arrived, by warp; `waits` is false for those that only arrived.
    BarrierComplete {
        /// Which of the 16.
        id: u32,
        /// Warp, lanes, place, does it wait?
        arrivals: &'a [(u32, LaneMask, Pc, bool)],
    },
    /// The cluster barrier: arrival of lanes.
    ClusterArrive {
        /// Where.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
    },
    /// The cluster barrier: lanes pass.
    ClusterWait {
        /// Where.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
    },
    /// A fence.
    Fence {
        /// Where.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
        /// Its strength.
        ordering: Ordering,
        /// Its scope.
        scope: Scope,
    },
    /// An mbarrier operation of one lane.
    Mbarrier {
        /// Where.
        pc: Pc,
        /// Lane.
        lane: u32,
        /// CTA (index in the grid) whose shared memory it lies in.
        shared_cta: u32,
        /// Offset in the window of shared memory.
        address: u64,
        /// What, as it came out.
        what: MbarrierEvent,
    },
    /// An asynchronous copy or store of a lane has been told to its mbarrier: all its accesses were shown before.
    CopyComplete {
        /// Where.
        pc: Pc,
        /// Whose.
        lane: u32,
    },
    /// `cp.async` groups of lanes.
    AsyncGroup {
        /// Where.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
        /// What.
        what: crate::program::AsyncGroup,
    },
    /// Lanes exit.
    Exit {
        /// Where.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
    },
    /// A branch, with the lanes that took it.
    Branch {
        /// Where.
        pc: Pc,
        /// Lanes that ran it.
        lanes: LaneMask,
        /// Lanes that took it.
        taken: LaneMask,
    },
    /// Lanes are called into a function: arguments were copied.
    Call {
        /// Where.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
        /// Index of the function.
        function: u32,
    },
    /// Lanes return: results were copied.
    Return {
        /// Where.
        pc: Pc,
        /// Who.
        lanes: LaneMask,
    },
    /// A kernel's `malloc` of a lane.
    Malloc {
        /// Lane.
        lane: u32,
        /// What it got.
        address: u64,
        /// Bytes.
        len: u64,
    },
    /// A kernel's `free` of a lane.
    Free {
        /// Where.
        pc: Pc,
        /// Lane.
        lane: u32,
        /// What it gave back.
        address: u64,
    },
    /// `activemask` was read.
    ActiveMask {
        /// Where.
        pc: Pc,
        /// Who, and what they read.
        lanes: LaneMask,
    },
}

/// What an mbarrier operation did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MbarrierEvent {
    /// Initialised with this count.
    Init(u32),
    /// Invalidated.
    Inval,
    /// Arrived; did the phase complete?
    Arrive {
        /** Did the phase complete? */
        completed: bool,
    },
    /// A transaction count changed; did the phase complete?
    Transactions {
        /** Did the phase complete? */
        completed: bool,
    },
    /// Tested; had the phase completed?
    Test {
        /** Had it? */
        passed: bool,
    },
    /// Used without having been initialised.
    NotInitialised,
    /// Arrived more often than expected in the phase.
    Overflow,
}

/// Somebody who looks on while a launch runs.
pub trait Observer: Send {
    /// Does it look at all? Where it is false every call is compiled away.
    const ACTIVE: bool;

    /// A warp is about to run: what [`Observer::wants_step`] and [`Observer::wants_access`] say may depend on it.
    #[inline(always)]
    fn turn(&mut self, _who: Who) {}

    /// Does it want to be told of this step of the warp that runs? Asked before each: where it does not, nothing is got ready.
    #[inline(always)]
    fn wants_step(&self, _pc: Pc) -> bool {
        true
    }

    /// Does it want to be told of a step or a branch among so many instructions from one on?
    #[inline(always)]
    fn wants_steps_among(&self, _pc: Pc, _len: u32) -> bool {
        true
    }

    /// Does it want to be told of what a load, store or atomic of the warp that runs accesses?
    #[inline(always)]
    fn wants_access(&self, _pc: Pc) -> bool {
        true
    }

    /// Does it want to be told of branches?
    #[inline(always)]
    fn wants_branches(&self) -> bool {
        true
    }

    /// All 32 lanes are about to complete a collective of all of them together. Is this all that it wants to know? Otherwise events
    /// say more.
    #[inline(always)]
    fn whole_collective(&mut self, _who: Who, _pc: Pc) -> bool {
        false
    }

    /// An instruction is about to run for `lanes` (those whose guard is true) of the split `split`.
    fn step(&mut self, _warp: &WarpView<'_>, _who: Who, _pc: Pc, _inst: &Inst, _split: LaneMask, _lanes: LaneMask) {}

    /// Memory is about to be accessed.
    fn access(&mut self, _warp: &WarpView<'_>, _who: Who, _access: &Access<'_>) {}

    /// Lanes are about to make some accesses, with nothing but lane-wise operations between them: each is as `row` but for its
    /// instruction, and so many bytes further on. All are inside of one memory and aligned. Has it taken note of all of them? Otherwise it is told of each.
    fn access_row(&mut self, _warp: &WarpView<'_>, _who: Who, _row: &Access<'_>, _accesses: &[(Pc, i32)]) -> bool {
        false
    }

    /// Something else happens.
    fn event(&mut self, _warp: &WarpView<'_>, _who: Who, _event: &Event<'_>) {}
}

/// Nobody.
pub struct Nobody;

impl Observer for Nobody {
    const ACTIVE: bool = false;
}
