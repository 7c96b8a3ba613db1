//! What the observers of a launch saw, together.

use std::sync::Arc;

use crate::conditional::{Conditional, conditionals};
use crate::map::Map;
use crate::memory::MemoryCounts;
use crate::profiler::{Counts, Profiler, WarpCounts, add_wide};
use crate::trace::Trace;

/// Sums over the launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// All instructions together.
    pub counts: Counts,
    /// Branches, conditional or not.
    pub branches: u64,
    /// Warps that ran.
    pub warps: u64,
    /// Times that lanes waited at a collective or barrier.
    pub waits: u64,
    /// Global memory: loads, stores, atomics, reductions (atomics whose old value nobody reads).
    pub global: [MemoryCounts; 4],
    /// Shared memory: the same.
    pub shared: [MemoryCounts; 4],
}

/// One warp's counts, instruction by instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detail {
    /// Index of the CTA in the grid.
    pub cta: u32,
    /// The warp in it.
    pub warp: u32,
    /// Instruction, issues, active lanes summed over issues; only those that were issued.
    pub issues: Vec<(u32, u64, u64)>,
}

/// What waves of 64 lanes would cost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wide {
    /// Issues by instruction.
    pub issued: Vec<u64>,
    /// Issues of all instructions.
    pub total: u64,
    /// Lanes that are there, summed over issues: the same as with 32.
    pub active: u64,
}

impl Wide {
    /// Mean lanes of 64 per issue.
    pub fn mean_lanes(&self) -> f64 {
        if self.total == 0 { 0.0 } else { self.active as f64 / self.total as f64 }
    }
}

/// The profile of a launch.
pub struct Profile {
    /// The instructions.
    pub map: Arc<Map>,
    /// What happened at each.
    pub counts: Vec<Counts>,
    /// Sums.
    pub totals: Totals,
    /// Every warp, by CTA and number.
    pub warps: Vec<WarpCounts>,
    /// The first warps, instruction by instruction.
    pub details: Vec<Detail>,
    /// What the traced warps did.
    pub traces: Vec<Trace>,
    /// What waves of 64 lanes would cost.
    pub wide: Wide,
}

impl Profile {
    /// Puts together what the observers of all host threads saw.
    pub fn new(map: Arc<Map>, profilers: Vec<Profiler>) -> Self {
        let n = map.instructions.len();
        let mut profile = Profile {
            counts: vec![Counts::default(); n],
            totals: Totals::default(),
            warps: Vec::new(),
            details: Vec::new(),
            traces: Vec::new(),
            wide: Wide { issued: vec![0; n], ..Wide::default() },
            map,
        };
        for profiler in profilers {
            profile.take(profiler);
        }
        profile.warps.sort_by_key(|w| (w.cta, w.warp));
        profile.details.sort_by_key(|w| (w.cta, w.warp));
        profile.traces.sort_by_key(|t| (t.cta, t.warp));
        profile.sum();
        profile
    }

    fn take(&mut self, mut profiler: Profiler) {
        profiler.flush();
        self.counts.iter_mut().zip(&profiler.counts).for_each(|(sum, c)| sum.add(c));
        for kind in 0..4 {
            self.totals.global[kind].add(&profiler.memory[0][kind]);
            self.totals.shared[kind].add(&profiler.memory[1][kind]);
        }
        // Warps that a fault stopped, and waves of which one half has not ended.
        for warp in profiler.warps.iter().filter(|w| !w.has_exited) {
            let other = profiler.pairs.remove(&(warp.counts.cta, warp.counts.warp / 2));
            add_wide(&mut profiler.wide, &warp.issues, &other.unwrap_or_default());
        }
        profiler.pairs.values().for_each(|half| add_wide(&mut profiler.wide, half, &[]));
        self.wide.issued.iter_mut().zip(&profiler.wide).for_each(|(sum, x)| *sum += x);
        for warp in profiler.warps {
            let (cta, number) = (warp.counts.cta, warp.counts.warp);
            if warp.is_detailed {
                let all = warp.issues.iter().enumerate().filter(|(_, x)| x.0 > 0);
                let issues = all.map(|(i, x)| (i as u32, x.0, x.1)).collect();
                self.details.push(Detail { cta, warp: number, issues });
            }
            self.traces.extend(warp.recorder.map(crate::trace::Recorder::finish));
            self.warps.push(warp.counts);
        }
    }

    fn sum(&mut self) {
        let mut all = Counts::default();
        self.counts.iter().for_each(|c| all.add(c));
        self.totals.counts = all;
        self.totals.warps = self.warps.len() as u64;
        self.totals.branches = self.warps.iter().map(|w| w.branches).sum();
        self.totals.waits = self.warps.iter().map(|w| w.waits).sum();
        self.wide.total = self.wide.issued.iter().sum();
        self.wide.active = all.active;
    }

    /// The conditionals of the program, in order.
    pub fn conditionals(&self) -> Vec<Conditional> {
        conditionals(&self.map)
    }
}
