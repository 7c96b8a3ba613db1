//! A CTA's shared memory and barriers, and the cluster that it belongs to.

use crate::memory::SHARED_START;
use crate::program::{BarrierOp, Pc};
use crate::slots::{LaneMask, Line};

/// Block barriers of a CTA.
pub const BARRIERS: usize = 16;

/// One arrival at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Warp in the CTA.
    pub warp: u32,
    /// Lanes.
    pub lanes: LaneMask,
    /// The instruction.
    pub pc: Pc,
    /// `sync` and `red` wait, `arrive` does not.
    pub waits: bool,
}

/// A block barrier between two completions.
#[derive(Clone, Debug, Default)]
pub struct BlockBarrier {
    /// Who has arrived.
    pub arrivals: Vec<Arrival>,
    /// Threads that it waits for; 0 for all. That of the first arrival.
    pub count: u32,
    /// What the first arrival did.
    pub op: Option<BarrierOp>,
    /// Lanes whose predicate was true, counted.
    pub popc: u32,
    /// Lanes that gave a predicate.
    pub voters: u32,
    /// Lanes that have arrived, each as often as it has.
    pub lanes: u32,
}

impl BlockBarrier {
    /// Threads that have arrived. A warp counts whole when all its live lanes are there, as on the chip, which counts
    /// warps.
    pub fn threads(&self, live: &[LaneMask]) -> u32 {
        let mut total = 0;
        for (warp, &alive) in live.iter().enumerate() {
            let mut once = 0;
            for a in self.arrivals.iter().filter(|a| a.warp as usize == warp) {
                if once & a.lanes != 0 {
                    total += if once & alive == alive { 32 } else { once.count_ones() };
                    once = 0;
                }
                once |= a.lanes;
            }
            if once != 0 {
                total += if once & alive == alive { 32 } else { once.count_ones() };
            }
        }
        total
    }

    /// Is it complete?
    pub fn is_complete(&self, live: &[LaneMask]) -> bool {
        if self.arrivals.is_empty() {
            return false;
        }
        if self.count != 0 {
            return self.threads(live) >= self.count;
        }
        // In order, and every warp whole: the common case.
        let in_order =
            |(n, a): (usize, &Arrival)| a.warp as usize == n && live.get(n).is_some_and(|l| l & !a.lanes == 0);
        if self.arrivals.len() == live.len() && self.arrivals.iter().enumerate().all(in_order) {
            return true;
        }
        live.iter().enumerate().all(|(warp, alive)| {
            let here = self.arrivals.iter().filter(|a| a.warp as usize == warp).fold(0, |m, a| m | a.lanes);
            alive & !here == 0
        })
    }
}

/// Bytes that begin where a cache line does, so that rows of a tile do not straddle two.
#[derive(Default)]
pub struct SharedMemory {
    lines: Vec<Line>,
    len: usize,
}

impl SharedMemory {
    fn new(len: usize) -> Self {
        SharedMemory { lines: vec![Line([0; 64]); len.div_ceil(64)], len }
    }
}

impl std::ops::Deref for SharedMemory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the lines are at least `len` plain bytes.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl std::ops::DerefMut for SharedMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

/// A CTA without its warps.
pub struct Cta {
    /// Index in the grid.
    pub index: u32,
    /// Coordinates in the grid.
    pub id: [u32; 3],
    /// Rank in its cluster.
    pub rank: u32,
    /// Shared memory, from the start of the window on.
    pub shared: SharedMemory,
    /// Its barriers.
    pub barriers: Vec<BlockBarrier>,
    /// First warp in the group's list, and how many.
    pub warps: std::ops::Range<usize>,
    /// Counters of `pmevent`.
    pub events: [u64; 16],
}

impl Cta {
    /// A CTA with `shared` bytes after the reserved ones.
    pub fn new(shared: u32, warps: std::ops::Range<usize>) -> Self {
        Cta {
            index: 0,
            id: [0; 3],
            rank: 0,
            shared: SharedMemory::new((SHARED_START + shared) as usize),
            barriers: vec![BlockBarrier::default(); BARRIERS],
            warps,
            events: [0; 16],
        }
    }

    /// Back to the state before a launch.
    pub fn reset(&mut self, index: u32, id: [u32; 3], rank: u32) {
        self.index = index;
        self.id = id;
        self.rank = rank;
        // Nobody can write to the reserved start.
        if self.shared.len() > SHARED_START as usize {
            self.shared[SHARED_START as usize..].fill(0);
        }
        for b in &mut self.barriers {
            b.arrivals.clear();
            b.op = None;
        }
        self.events = [0; 16];
    }

    /// CTA `n` of a grid that starts in compiled code: its place and its shared memory. All else is reset when the
    /// interpreter is needed.
    pub fn start(&mut self, n: u64, grid: [u32; 3]) {
        let [x, y, _] = grid.map(u64::from);
        self.index = n as u32;
        self.id = if n < x { [n as u32, 0, 0] } else { [(n % x) as u32, (n / x % y) as u32, (n / x / y) as u32] };
        if self.shared.len() > SHARED_START as usize {
            self.shared[SHARED_START as usize..].fill(0);
        }
        self.events = [0; 16];
    }

    /// Does an access lie in the shared memory that the launch has?
    #[inline(always)]
    pub fn covers(&self, offset: u64, size: u64) -> bool {
        offset >= u64::from(SHARED_START) && offset.saturating_add(size) <= self.shared.len() as u64
    }
}

/// The cluster barrier.
#[derive(Clone, Debug, Default)]
pub struct ClusterBarrier {
    /// Lanes that have arrived, by warp of the group.
    pub arrived: Vec<LaneMask>,
    /// Phases that have ended.
    pub phase: u32,
}
