//! Why a launch ended before its threads did.

use crate::memory::Space;
use crate::program::{BarrierOp, Pc};
use crate::slots::LaneMask;

/// A fault with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The instruction.
    pub pc: Pc,
    /// The CTA, by index in the grid.
    pub cta: [u32; 3],
    /// The warp in the CTA.
    pub warp: u32,
    /// Lanes that it happened to.
    pub lanes: LaneMask,
}

/// What happened.
#[derive(Clone, PartialEq, Debug)]
pub enum FaultKind {
    /// An access that no memory backs.
    Address {
        /// Which memory.
        space: Space,
        /// The address, or offset in its memory.
        address: u64,
        /// Bytes of the access.
        size: u32,
        /// Was it a read?
        access: AccessKind,
        /// The lane shown.
        lane: u32,
    },
    /// An access at an address that is not a multiple of its size.
    Misaligned {
        /// Which memory.
        space: Space,
        /// The address, or offset in its memory.
        address: u64,
        /// What it must be a multiple of.
        align: u32,
        /// The lane shown.
        lane: u32,
    },
    /// A lane called a collective with a mask that lacks its own bit.
    OwnLane {
        /// The mask.
        mask: LaneMask,
    },
    /// Nothing can run and lanes remain.
    Deadlock(Vec<Waiting>),
    /// Lanes go round for ever: every lane that can run comes back to a state that it was in before, and no memory
    /// has changed between.
    Livelock(Vec<Waiting>),
    /// The step limit was reached.
    StepLimit {
        /// The limit.
        limit: u64,
        /// Instructions that lanes were running.
        spinning: Vec<Waiting>,
    },
    /// `trap`
    Trap,
    /// `brkpt`
    Breakpoint,
    /// `assert` in a kernel failed.
    Assert {
        /// The expression.
        message: String,
        /// The file of the `assert`.
        file: String,
        /// Its line.
        line: u32,
        /// Its function.
        function: String,
    },
    /// A barrier was used in a way that the hardware refuses.
    Barrier(BarrierFault),
    /// An mbarrier was used in a way that is not defined.
    Mbarrier(String),
    /// A call through a pointer that is not a function.
    BadCallee(u64),
    /// A call with other arguments than the function has.
    BadCall(String),
    /// `brx.idx` past its list.
    BadIndex {
        /// The index.
        index: u32,
        /// Length of the list.
        len: u32,
    },
    /// `free` of something that `malloc` did not give.
    BadFree(u64),
    /// A thread's stack is used up.
    StackOverflow,
    /// An argument of an instruction is out of range.
    BadOperand(String),
}

/// What the hardware refuses at a block or cluster barrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BarrierFault {
    /// A CTA has 16 barriers.
    Number(u32),
    /// A count of threads that is 0 or not a multiple of the warp's size.
    Count(u32),
    /// Another count than that of the threads that have arrived; 0 stands for all.
    Counts {
        /// The barrier.
        id: u32,
        /// The count in force.
        first: u32,
        /// The count given here.
        now: u32,
        /// Who has arrived.
        arrived: Vec<Arrived>,
    },
    /// A reduction meets something else.
    Mixed {
        /// The barrier.
        id: u32,
        /// What those who have arrived do.
        first: BarrierOp,
        /// What is done here.
        now: BarrierOp,
        /// Who has arrived.
        arrived: Vec<Arrived>,
    },
    /// `barrier.cluster.arrive` twice without a `wait` between.
    ClusterTwice,
}

/// Lanes of a warp of the same CTA that have arrived at a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrived {
    /// The warp in the CTA.
    pub warp: u32,
    /// Which lanes.
    pub lanes: LaneMask,
    /// Where.
    pub pc: Pc,
}

/// A read or a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// `ld`
    Read,
    /// `st`
    Write,
    /// `atom`, `red`
    Atomic,
}

/// Lanes of a warp that cannot go on, or that go round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The CTA.
    pub cta: [u32; 3],
    /// The warp in the CTA.
    pub warp: u32,
    /// Which lanes.
    pub lanes: LaneMask,
    /// Where they are. Of lanes that go round, the instruction that they look at memory with.
    pub pc: Pc,
    /// The calls that led there, innermost first.
    pub callers: Vec<Pc>,
    /// What for.
    pub reason: WaitReason,
}

/// What lanes wait for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaitReason {
    /// The other lanes of a collective's mask.
    Collective {
        /// The mask that they gave.
        mask: LaneMask,
        /// Lanes of it that have not arrived and have not exited.
        missing: LaneMask,
    },
    /// A block barrier.
    Barrier {
        /// Which of the 16.
        id: u32,
        /// Threads that it needs.
        needed: u32,
        /// Threads that have arrived.
        arrived: u32,
    },
    /// The cluster barrier.
    ClusterBarrier,
    /// Other lanes of the same branch, at the place where they meet (stack model only).
    Reconvergence,
    /// Nothing: they run.
    Running,
    /// Nothing: they go round, waiting for memory to change.
    Spinning {
        /// The mbarrier that they test, if it is one.
        mbarrier: Option<MbarrierState>,
    },
}

/// An mbarrier object as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MbarrierState {
    /// Index of the CTA in whose shared memory it lies, and the offset there.
    pub place: (u32, u64),
    /// Has it been initialised?
    pub is_valid: bool,
    /// Arrivals that are still expected in this phase.
    pub pending: u32,
    /// Arrivals of a phase.
    pub expected: u32,
    /// Parity of the phase.
    pub parity: bool,
    /// Bytes that are still expected.
    pub transactions: i32,
}
