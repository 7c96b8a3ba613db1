//! What accesses of a warp cost: sectors of global memory, bank conflicts of shared memory.

use warpvm_machine::slots::{LaneMask, lanes};

/// Bytes of a sector.
const SECTOR: u64 = 32;
/// Banks of shared memory, each 4 bytes wide.
const BANKS: usize = 32;

/// Costs of accesses to one memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryCounts {
    /// Requests: instructions of a warp.
    pub requests: u64,
    /// Global memory: sectors. Shared memory: wavefronts.
    pub cost: u64,
    /// The least that the same bytes could have cost.
    pub ideal: u64,
}

impl MemoryCounts {
    /// Adds others.
    pub fn add(&mut self, other: &MemoryCounts) {
        self.requests += other.requests;
        self.cost += other.cost;
        self.ideal += other.ideal;
    }

    /// Sectors (or wavefronts) per request; 0 where there were none.
    pub fn per_request(&self) -> f64 {
        if self.requests == 0 { 0.0 } else { self.cost as f64 / self.requests as f64 }
    }
}

/// Sectors of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sectors {
    /// Distinct sectors touched.
    pub touched: u32,
    /// How many the distinct bytes would fill.
    pub ideal: u32,
}

/// Counts the sectors that lanes touch with `size` bytes each.
pub fn sectors(addresses: &[u64; 32], mask: LaneMask, size: u32) -> Sectors {
    let mut starts = [0; 32];
    let mut n = 0;
    for lane in lanes(mask) {
        starts[n] = addresses[lane];
        n += 1;
    }
    let starts = &mut starts[..n];
    starts.sort_unstable();
    let (mut touched, mut distinct) = (0, 0);
    let (mut next, mut previous) = (0, None);
    for &start in &*starts {
        if previous == Some(start) {
            continue;
        }
        previous = Some(start);
        distinct += 1;
        let first = (start / SECTOR).max(next);
        let end = start.saturating_add(u64::from(size.max(1)) - 1) / SECTOR + 1;
        touched += end.saturating_sub(first) as u32;
        next = next.max(end);
    }
    Sectors { touched, ideal: (distinct * size).div_ceil(SECTOR as u32) }
}

/// Wavefronts of a request to shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflicts {
    /// Passes that the request takes.
    pub wavefronts: u32,
    /// Passes without conflicts.
    pub ideal: u32,
}

/// Counts the wavefronts of lanes that touch `size` bytes each: for each part of the warp that is served at once,
/// the most distinct words that any bank has to give.
pub fn bank_conflicts(addresses: &[u64; 32], mask: LaneMask, size: u32) -> Conflicts {
    let width = match size {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    };
    let mut out = Conflicts { wavefronts: 0, ideal: 0 };
    for first in (0..32).step_by(width) {
        let part = mask & (u32::MAX >> (32 - width) << first);
        if part != 0 {
            out.wavefronts += busiest_bank(addresses, part, size);
            out.ideal += 1;
        }
    }
    out
}

fn busiest_bank(addresses: &[u64; 32], mask: LaneMask, size: u32) -> u32 {
    let mut words = [0; 32 * 5];
    let mut n = 0;
    for lane in lanes(mask) {
        let first = addresses[lane] / 4;
        let last = (addresses[lane] + u64::from(size.clamp(1, 16)) - 1) / 4;
        for word in first..=last {
            words[n] = word;
            n += 1;
        }
    }
    let words = &mut words[..n];
    words.sort_unstable();
    let mut load = [0; BANKS];
    let mut previous = None;
    for &word in &*words {
        if previous != Some(word) {
            load[word as usize % BANKS] += 1;
            previous = Some(word);
        }
    }
    load.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(stride: u64) -> [u64; 32] {
        std::array::from_fn(|i| 0x1000 + i as u64 * stride)
    }

    #[test]
    fn sectors_of_strides() {
        let of = |stride, size| sectors(&strided(stride), !0, size).touched;
        assert_eq!(of(4, 4), 4);
        assert_eq!(of(8, 4), 8);
        assert_eq!(of(32, 4), 32);
        assert_eq!(of(128, 4), 32);
        assert_eq!(of(16, 16), 16);
        assert_eq!(of(0, 4), 1);
        assert_eq!(of(1, 1), 1);
    }

    #[test]
    fn an_unaligned_row_costs_one_sector_more() {
        let shifted: [u64; 32] = std::array::from_fn(|i| 0x1004 + i as u64 * 4);
        assert_eq!(sectors(&shifted, !0, 4), Sectors { touched: 5, ideal: 4 });
    }

    #[test]
    fn lanes_that_are_off_touch_nothing() {
        assert_eq!(sectors(&strided(32), 0b101, 4), Sectors { touched: 2, ideal: 1 });
        assert_eq!(sectors(&strided(32), 0, 4), Sectors { touched: 0, ideal: 0 });
    }

    #[test]
    fn bank_conflicts_of_strides() {
        let of = |words: u64| bank_conflicts(&strided(words * 4), !0, 4).wavefronts;
        assert_eq!(of(1), 1);
        assert_eq!(of(2), 2);
        assert_eq!(of(3), 1);
        assert_eq!(of(8), 8);
        assert_eq!(of(32), 32);
        assert_eq!(of(33), 1);
        assert_eq!(of(0), 1);
    }

    #[test]
    fn wide_accesses_come_in_parts() {
        assert_eq!(bank_conflicts(&strided(8), !0, 8), Conflicts { wavefronts: 2, ideal: 2 });
        assert_eq!(bank_conflicts(&strided(16), !0, 16), Conflicts { wavefronts: 4, ideal: 4 });
        assert_eq!(bank_conflicts(&strided(16), 0xff, 16), Conflicts { wavefronts: 1, ideal: 1 });
    }
}
