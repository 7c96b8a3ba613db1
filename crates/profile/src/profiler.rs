//! The observer.

use std::collections::HashMap;
use std::sync::Arc;

use warpvm_machine::exec::WarpView;
use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::{Access, Event, Observer, Who};
use warpvm_machine::program::{AddressSpace, Inst, Kind, Pc};
use warpvm_machine::slots::{FULL, LaneMask, lanes};

use crate::map::Map;
use crate::memory::{MemoryCounts, bank_conflicts, sectors};
use crate::trace::{Mark, MarkKind, Recorder};

/// What to keep besides the sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Warps to trace, by number in the launch.
    pub traced_warps: u32,
    /// Most steps of a trace.
    pub traced_steps: u64,
    /// Warps whose counts are kept instruction by instruction.
    pub detailed_warps: u32,
}

impl Config {
    /// Sums only.
    pub const SUMS: Config = Config { traced_warps: 0, traced_steps: 0, detailed_warps: 0 };
    /// What a picture needs.
    pub const PICTURE: Config = Config { traced_warps: 16, traced_steps: 1 << 20, detailed_warps: 256 };
}

/// What happened at one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Times it was issued, by any split of any warp.
    pub issued: u64,
    /// Lanes that were there, summed over issues.
    pub active: u64,
    /// Lanes whose guard was true, summed over issues.
    pub on: u64,
    /// Lanes that a guard kept from an instruction that is no branch, summed over issues.
    pub off: u64,
    /// Of a branch: issues where all lanes took it.
    pub all_taken: u64,
    /// Of a branch: issues where no lane took it.
    pub none_taken: u64,
    /// Of a branch: issues where some lanes took it and some did not.
    pub parted: u64,
    /// Of a collective: how often lanes completed it together.
    pub collectives: u64,
    /// Of a collective: how often lanes had to wait for others.
    pub collective_waits: u64,
    /// Of a barrier: how often lanes of a warp arrived.
    pub barriers: u64,
    /// Lanes that arrived at the convergence point before the instruction, in splits.
    pub parked: u64,
    /// Requests to global memory.
    pub global: MemoryCounts,
    /// Requests to shared memory.
    pub shared: MemoryCounts,
}

impl Counts {
    /// Adds others.
    pub fn add(&mut self, other: &Counts) {
        self.issued += other.issued;
        self.active += other.active;
        self.on += other.on;
        self.off += other.off;
        self.all_taken += other.all_taken;
        self.none_taken += other.none_taken;
        self.parted += other.parted;
        self.collectives += other.collectives;
        self.collective_waits += other.collective_waits;
        self.barriers += other.barriers;
        self.parked += other.parked;
        self.global.add(&other.global);
        self.shared.add(&other.shared);
    }

    /// Mean lanes there per issue; 0 where it was never issued.
    pub fn mean_lanes(&self) -> f64 {
        if self.issued == 0 { 0.0 } else { self.active as f64 / self.issued as f64 }
    }
}

/// What one warp did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WarpCounts {
    /// Index of the CTA in the grid.
    pub cta: u32,
    /// The warp in it.
    pub warp: u32,
    /// Instructions issued.
    pub issued: u64,
    /// Lanes that were there, summed over issues.
    pub active: u64,
    /// Lanes whose guard was true, summed over issues.
    pub on: u64,
    /// Branches.
    pub branches: u64,
    /// Branches that parted lanes.
    pub parted: u64,
    /// Times that lanes waited at a collective or barrier.
    pub waits: u64,
}

/// A warp while it runs.
pub(crate) struct WarpState {
    pub counts: WarpCounts,
    /// Issues and active lanes by instruction.
    pub issues: Vec<(u64, u64)>,
    pub recorder: Option<Recorder>,
    pub is_detailed: bool,
    pub has_exited: bool,
}

/// Two warps as a wave of 64: what the one that has exited did, until the other has.
pub(crate) type Pairs = HashMap<(u32, u32), Vec<(u64, u64)>>;

/// An asynchronous copy whose lanes are told one by one.
struct Gathered {
    who: Who,
    instruction: usize,
    space: Space,
    kind: AccessKind,
    lanes: LaneMask,
    addresses: [u64; 32],
    size: u32,
}

/// Counts what happens on one host thread.
pub struct Profiler {
    pub(crate) map: Arc<Map>,
    config: Config,
    warps_per_cta: u32,
    leads: Arc<[bool]>,
    pub(crate) counts: Vec<Counts>,
    /// By memory (global, shared) and kind (read, write, atomic, reduction).
    pub(crate) memory: [[MemoryCounts; 4]; 2],
    pub(crate) warps: Vec<WarpState>,
    index: HashMap<(u32, u32), usize>,
    last: (u32, u32, usize),
    pub(crate) pairs: Pairs,
    /// Issues of waves of 64 lanes, by instruction.
    pub(crate) wide: Vec<u64>,
    gathered: Option<Gathered>,
}

impl Profiler {
    /// An observer for one host thread of a launch with CTAs of `warps_per_cta` warps.
    pub fn new(map: Arc<Map>, config: Config, warps_per_cta: u32) -> Self {
        let n = map.instructions.len();
        let mut leads = vec![false; n];
        map.blocks.iter().for_each(|b| leads[b.first as usize] = true);
        Profiler {
            counts: vec![Counts::default(); n],
            wide: vec![0; n],
            leads: leads.into(),
            map,
            config,
            warps_per_cta,
            memory: Default::default(),
            warps: Vec::new(),
            index: HashMap::new(),
            last: (u32::MAX, u32::MAX, 0),
            pairs: HashMap::new(),
            gathered: None,
        }
    }

    fn warp(&mut self, view: &WarpView<'_>, who: Who) -> &mut WarpState {
        if (self.last.0, self.last.1) != (who.cta, who.warp) {
            let known = self.index.get(&(who.cta, who.warp)).copied();
            let at = known.unwrap_or_else(|| self.new_warp(view, who));
            self.last = (who.cta, who.warp, at);
        }
        &mut self.warps[self.last.2]
    }

    fn new_warp(&mut self, view: &WarpView<'_>, who: Who) -> usize {
        let number = u64::from(who.cta) * u64::from(self.warps_per_cta) + u64::from(who.warp);
        let recorder = (number < u64::from(self.config.traced_warps)).then(|| {
            let mut recorder = Recorder::default();
            recorder.trace.cta = who.cta;
            recorder.trace.cta_id = view.cta;
            recorder.trace.warp = who.warp;
            recorder.trace.exists = view.exists;
            recorder.trace.left = view.live;
            recorder
        });
        self.warps.push(WarpState {
            counts: WarpCounts { cta: who.cta, warp: who.warp, ..WarpCounts::default() },
            issues: vec![(0, 0); self.counts.len()],
            recorder,
            is_detailed: number < u64::from(self.config.detailed_warps),
            has_exited: false,
        });
        self.index.insert((who.cta, who.warp), self.warps.len() - 1);
        self.warps.len() - 1
    }

    /// A branch, with the lanes that take it.
    fn branch(&mut self, view: &WarpView<'_>, who: Who, instruction: usize, outcome: Branching) {
        let counts = &mut self.counts[instruction];
        match outcome {
            Branching::All => counts.all_taken += 1,
            Branching::None => counts.none_taken += 1,
            Branching::Parted => counts.parted += 1,
        }
        let warp = &mut self.warp(view, who).counts;
        warp.branches += 1;
        warp.parted += u64::from(outcome == Branching::Parted);
    }

    fn mark(&mut self, view: &WarpView<'_>, who: Who, mark: Mark) {
        if let Some(recorder) = &mut self.warp(view, who).recorder {
            recorder.mark(mark);
        }
    }

    /// Adds the costs of one request.
    fn request(&mut self, instruction: usize, space: Space, kind: AccessKind, at: &[u64; 32], mask: u32, size: u32) {
        let (index, cost, ideal) = match space {
            Space::Global => {
                let s = sectors(at, mask, size);
                (0, s.touched, s.ideal)
            }
            Space::Shared => {
                let c = bank_conflicts(at, mask, size);
                (1, c.wavefronts, c.ideal)
            }
            Space::Local | Space::Param => return,
        };
        let added = MemoryCounts { requests: 1, cost: u64::from(cost), ideal: u64::from(ideal) };
        let kind = match kind {
            AccessKind::Read => 0,
            AccessKind::Write => 1,
            AccessKind::Atomic if self.map.instructions[instruction].is_reduction => 3,
            AccessKind::Atomic => 2,
        };
        self.memory[index][kind].add(&added);
        let counts = &mut self.counts[instruction];
        if index == 0 { counts.global.add(&added) } else { counts.shared.add(&added) }
    }

    /// Puts the lanes of an asynchronous copy together: they are told one by one.
    fn gather(&mut self, who: Who, instruction: usize, access: &Access<'_>) {
        if let Some(g) = &mut self.gathered
            && (g.who, g.instruction, g.space, g.size) == (who, instruction, access.space, access.size)
            && g.lanes & access.lanes == 0
        {
            lanes(access.lanes).for_each(|lane| g.addresses[lane] = access.addresses.at(lane));
            g.lanes |= access.lanes;
            return;
        }
        self.flush();
        self.gathered = Some(Gathered {
            who,
            instruction,
            space: access.space,
            kind: access.kind,
            lanes: access.lanes,
            addresses: access.addresses.all(),
            size: access.size,
        });
    }

    pub(crate) fn flush(&mut self) {
        if let Some(g) = self.gathered.take() {
            self.request(g.instruction, g.space, g.kind, &g.addresses, g.lanes, g.size);
        }
    }

    /// The last lanes of a warp have exited: its counts go into the wave that it is half of.
    fn finish_warp(&mut self, at: usize) {
        let warp = &mut self.warps[at];
        warp.has_exited = true;
        let (cta, number) = (warp.counts.cta, warp.counts.warp);
        let issues = if warp.is_detailed { warp.issues.clone() } else { std::mem::take(&mut warp.issues) };
        let has_partner = (number ^ 1) < self.warps_per_cta;
        if !has_partner {
            add_wide(&mut self.wide, &issues, &[]);
        } else if let Some(other) = self.pairs.remove(&(cta, number / 2)) {
            add_wide(&mut self.wide, &issues, &other);
        } else {
            self.pairs.insert((cta, number / 2), issues);
        }
    }
}

/// A wave issues an instruction as often as the one of its halves that issued it more often.
pub(crate) fn add_wide(wide: &mut [u64], a: &[(u64, u64)], b: &[(u64, u64)]) {
    for (i, sum) in wide.iter_mut().enumerate() {
        let of = |half: &[(u64, u64)]| half.get(i).map_or(0, |x| x.0);
        *sum += of(a).max(of(b));
    }
}

/// What lanes do at a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Branching {
    All,
    None,
    Parted,
}

impl Observer for Profiler {
    const ACTIVE: bool = true;

    fn step(&mut self, view: &WarpView<'_>, who: Who, pc: Pc, inst: &Inst, split: LaneMask, on: LaneMask) {
        if self.gathered.is_some() {
            self.flush();
        }
        let i = self.map.instruction(pc);
        if matches!(inst.kind, Kind::Converge) {
            self.counts[i].parked += u64::from(split.count_ones());
            if let Some(recorder) = &mut self.warp(view, who).recorder {
                recorder.park(i as u32, split);
            }
            return;
        }
        let instruction = &self.map.instructions[i];
        if instruction.pc != pc {
            return;
        }
        let on = if instruction.is_wrapped { split & !on } else { on };
        let active = u64::from(split.count_ones());
        let counts = &mut self.counts[i];
        counts.issued += 1;
        counts.active += active;
        counts.on += u64::from(on.count_ones());
        if !matches!(inst.kind, Kind::Branch { .. }) || instruction.is_wrapped {
            counts.off += u64::from((split & !on).count_ones());
        }
        let (leads, limit) = (self.leads[i], self.config.traced_steps);
        let warp = self.warp(view, who);
        warp.counts.issued += 1;
        warp.counts.active += active;
        warp.counts.on += u64::from(on.count_ones());
        if let Some((issues, lanes)) = warp.issues.get_mut(i) {
            *issues += 1;
            *lanes += active;
        }
        if let Some(recorder) = &mut warp.recorder {
            recorder.step(i as u32, split, leads, limit);
        }
        if let Kind::BranchIndexed { index, .. } = &inst.kind {
            let row = view.regs.row32(*index);
            let first = row[split.trailing_zeros() as usize % 32];
            let same = lanes(split).all(|lane| row[lane] == first);
            self.branch(view, who, i, if same { Branching::All } else { Branching::Parted });
        }
    }

    fn access(&mut self, _view: &WarpView<'_>, who: Who, access: &Access<'_>) {
        let i = self.map.instruction(access.pc);
        let is_const = match &self.map.program.code[access.pc as usize].kind {
            Kind::Load(load) => load.address.space == AddressSpace::Const,
            _ => false,
        };
        if is_const {
            return;
        }
        if !access.asynchronous {
            self.request(i, access.space, access.kind, &access.addresses.all(), access.lanes, access.size);
        } else if access.size <= 16 && access.space == Space::Global {
            self.gather(who, i, access);
        }
    }

    fn event(&mut self, view: &WarpView<'_>, who: Who, event: &Event<'_>) {
        match *event {
            Event::Branch { pc, lanes, taken } => {
                let i = self.map.instruction(pc);
                if !self.map.instructions[i].is_wrapped {
                    let outcome = match taken {
                        0 => Branching::None,
                        _ if taken == lanes => Branching::All,
                        _ => Branching::Parted,
                    };
                    self.branch(view, who, i, outcome);
                }
            }
            Event::CollectiveArrive { pc, lanes, mask, .. } if mask & view.live & !lanes != 0 => {
                self.counts[self.map.instruction(pc)].collective_waits += 1;
                self.warp(view, who).counts.waits += 1;
            }
            Event::Collective { pcs, mask, lanes } => {
                let instruction = self.map.instruction(pcs.first().map_or(0, |p| p.0));
                self.counts[instruction].collectives += 1;
                let instruction = instruction as u32;
                self.mark(view, who, Mark { kind: MarkKind::Collective, instruction, lanes, mask });
            }
            Event::BarrierArrive { pc, .. } | Event::ClusterArrive { pc, .. } => {
                self.counts[self.map.instruction(pc)].barriers += 1;
                self.warp(view, who).counts.waits += 1;
            }
            Event::BarrierComplete { arrivals, .. } => {
                for &(warp, lanes, pc, _) in arrivals.iter().filter(|a| a.3) {
                    let instruction = self.map.instruction(pc) as u32;
                    let mark = Mark { kind: MarkKind::Barrier, instruction, lanes, mask: FULL };
                    self.mark(view, Who { warp, ..who }, mark);
                }
            }
            Event::ClusterWait { pc, lanes } => {
                let instruction = self.map.instruction(pc) as u32;
                self.mark(view, who, Mark { kind: MarkKind::Barrier, instruction, lanes, mask: FULL });
            }
            Event::Exit { pc, lanes } => {
                let instruction = self.map.instruction(pc) as u32;
                self.mark(view, who, Mark { kind: MarkKind::Exit, instruction, lanes, mask: 0 });
                let left = view.live & !lanes;
                let warp = self.warp(view, who);
                if let Some(recorder) = &mut warp.recorder {
                    recorder.trace.left = left;
                }
                if left == 0 {
                    self.finish_warp(self.last.2);
                }
            }
            _ => {}
        }
    }
}
