//! The engine: runs splits of warps.
//!
//! [`Engine::run_split`] is the interpreter's loop. What a split needs of its CTA and cluster is in a [`Group`]; who
//! runs next, and for how long, is decided by the scheduler (`crate::schedule`).

mod asynchronous;
mod atomic;
mod barrier;
mod call;
mod collective;
mod cta;
mod delay;
mod fast;
pub(crate) mod matrix;
mod mbarrier;
mod memory;
mod part;
mod printf;
mod special;
mod strand;
mod tensor_copy;
mod warp;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub use collective::shuffle_source;
pub use cta::{Arrival, BARRIERS, BlockBarrier, ClusterBarrier, Cta, SharedMemory};
pub(crate) use fast::{KnownLoad, Product};
pub use mbarrier::Object as MbarrierObject;
pub(crate) use special::{Pace, Time, changes_with_cta, of_cta, of_launch, param};
pub use warp::{AsyncState, Frame, Join, JoinId, NO_JOIN, PendingCopy, Reduction, Split, Wait, WaitFor, Warp, calls};

use crate::fault::{Fault, FaultKind};
use crate::launch::{Convergence, Dimensions};
use crate::memory::GlobalMemory;
use crate::observe::{Event, Observer, Who};
use crate::program::{Inst, Kind, NOWHERE, Pc, Preset, PresetValue, Program};
use crate::random::{Random, Temper};
use crate::slots::{Class, LaneMask, Registers};

/// What all CTAs of a launch share.
pub struct Context<'a> {
    /// The kernel.
    pub program: &'a Program,
    /// Global memory.
    pub global: &'a GlobalMemory,
    /// The kernel's parameters.
    pub params: &'a [u8],
    /// Grid, block, cluster.
    pub dimensions: Dimensions,
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    /// Where `vprintf` goes.
    pub output: &'a Mutex<Vec<u8>>,
    /// How lanes meet again.
    pub convergence: Convergence,
    /// Most warp instructions of a group of CTAs.
    pub max_steps: u64,
    /// Start of the launch, for `%globaltimer`.
    pub started: std::time::Instant,
    /// Set by somebody who wants the launch to end early.
    pub cancel: Option<&'a AtomicBool>,
}

impl Context<'_> {
    /// Does somebody want the launch to end?
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|c| c.load(Ordering::Relaxed))
    }
}

/// The CTAs that are run together: one, or those of a cluster.
pub struct Group {
    /// All their warps, CTA by CTA.
    pub warps: Vec<Warp>,
    /// The CTAs.
    pub ctas: Vec<Cta>,
    /// The cluster barrier.
    pub cluster: ClusterBarrier,
    /// Warp instructions so far.
    pub steps: u64,
}

/// Why a split stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It waits, has met others, or has exited: it is no longer a split of its own.
    Gone,
    /// Its time is up; it was put back.
    Time,
}

/// What an observer sees of a warp.
pub struct WarpView<'a> {
    /// Registers.
    pub regs: &'a Registers,
    /// Lanes whose thread has not exited.
    pub live: LaneMask,
    /// Lanes that hold a thread.
    pub exists: LaneMask,
    /// Stack pointers.
    pub stack: &'a [u32; 32],
    /// Local memory of the warp's threads, one after the other.
    pub local: &'a [u8],
    /// Bytes of it a thread.
    pub local_stride: u32,
    /// The CTA in the grid.
    pub cta: [u32; 3],
    /// The CTAs of the group: its own, or those of its cluster.
    pub ctas: &'a [Cta],
    /// Global memory.
    pub global: &'a GlobalMemory,
    /// Stores that are not in memory yet.
    delayed: &'a delay::Delays,
}

/// What a rare warp operation may use.
pub struct WarpContext<'a> {
    /// Registers of the warp.
    pub regs: &'a mut Registers,
    /// The CTAs of the group.
    pub ctas: &'a mut [Cta],
    /// The warp's CTA in the group.
    pub cta: usize,
    /// The warp in its CTA.
    pub warp: u32,
    /// Global memory.
    pub global: &'a GlobalMemory,
}

/// Runs splits. One a worker.
pub struct Engine<'a, O: Observer> {
    /// The launch.
    pub cx: &'a Context<'a>,
    /// Who looks on.
    pub observer: O,
    /// For each instruction, the allocation that it used last.
    hints: Vec<u32>,
    /// Source of decisions, where the schedule is seeded.
    pub random: Option<Random>,
    /// How a seeded schedule treats lanes.
    pub temper: Temper,
    /// How clocks go, and whether one has been read.
    pub(crate) time: Time,
    /// Counts what other lanes may wait for: bytes of memory that got another value, arrivals, exits.
    pub changes: u64,
    /// Stores that are not in memory yet.
    delayed: delay::Delays,
    /// May a barrier or collective have completed?
    settle: bool,
    /// Has a split done what a thread does that waits for another: an atomic, a strong load, a test of an mbarrier,
    /// `nanosleep`?
    may_spin: bool,
    /// Has a split looked at memory or at the time?
    has_looked: bool,
    /// May a turn end a little later than it should, where straight code ends?
    pub may_overrun: bool,
    /// The preset rows that differ between CTAs.
    cta_presets: Vec<Preset>,
    /// What the processor has.
    level: u8,
    /// Counts what [`Engine::run_split`] runs without a pause; see `lower::again`.
    stretch: u64,
    memos: [fast::Memo; crate::lower::again::ROWS],
    /// The same, for an observer.
    rows: [Option<Box<part::Row>>; crate::lower::again::ROWS],
    /// Of these, by bit: has it been told of all loads by the row in the strand that runs?
    told: u8,
    /// Empty lists, kept for their memory.
    live: Vec<LaneMask>,
    waits: Vec<Wait>,
}

impl<'a, O: Observer> Engine<'a, O> {
    /// An engine for a launch.
    pub fn new(cx: &'a Context<'a>, observer: O, random: Option<Random>) -> Self {
        let changes =
            |p: &&Preset| matches!(p.value, PresetValue::Special(register) if special::changes_with_cta(register));
        let cta_presets = cx.program.presets.iter().filter(changes).copied().collect();
        Engine {
            cx,
            observer,
            hints: vec![0; cx.program.code.len()],
            random,
            temper: Temper::CALM,
            time: Time::default(),
            changes: 0,
            delayed: delay::Delays::default(),
            settle: false,
            may_spin: false,
            has_looked: false,
            may_overrun: false,
            cta_presets,
            level: *crate::vector::LEVEL,
            stretch: 0,
            memos: [const { fast::Memo::new() }; crate::lower::again::ROWS],
            rows: [const { None }; crate::lower::again::ROWS],
            told: 0,
            live: Vec::new(),
            waits: Vec::new(),
        }
    }

    /// Completes every collective that waits only for lanes that have exited since.
    ///
    /// # Errors
    /// What goes wrong in one.
    pub fn settle_warps(&mut self, group: &mut Group) -> Result<(), Box<Fault>> {
        for w in 0..group.warps.len() {
            if !group.warps[w].waits.is_empty() {
                self.settle_collectives(group, w)?;
            }
        }
        Ok(())
    }

    /// May a split have waited for another thread since the last call?
    pub fn take_may_spin(&mut self) -> bool {
        std::mem::replace(&mut self.may_spin, false)
    }

    /// Has a split looked at anything that may be another next time since the last call?
    pub fn take_has_looked(&mut self) -> bool {
        std::mem::replace(&mut self.has_looked, false)
    }

    /// Takes note that barriers may have completed.
    pub fn take_settle(&mut self) -> bool {
        std::mem::replace(&mut self.settle, false)
    }

    /// Has barriers and collectives looked at before anything else runs: lanes may have exited.
    pub(crate) fn look_for_settled(&mut self) {
        self.settle = true;
    }

    /// Does one instruction that cannot make lanes wait, for lanes of a warp.
    ///
    /// # Errors
    /// The fault that ends the launch.
    pub(crate) fn run_one(&mut self, group: &mut Group, w: usize, pc: Pc, lanes: LaneMask) -> Result<(), Box<Fault>> {
        self.stretch += 1;
        self.turn(group, w);
        match &self.cx.program.code[pc as usize].kind {
            Kind::Row(op) => {
                let base = group.warps[w].regs.base();
                // SAFETY: `base` is the register block of this warp, laid out for this program.
                unsafe { op.run(base, lanes) };
                Ok(())
            }
            Kind::Load(load) => self.load(group, w, pc, load, lanes),
            Kind::Store(store) => self.store(group, w, pc, store, lanes),
            _ => {
                let split = Split { pc, mask: lanes, join: NO_JOIN, frames: None };
                self.other(group, w, split, lanes).map(|_| ())
            }
        }
    }

    fn who(group: &Group, warp: usize) -> Who {
        let w = &group.warps[warp];
        Who { cta: group.ctas[w.cta].index, warp: w.number }
    }

    /// What an observer sees of a warp.
    fn view<'v>(global: &'v GlobalMemory, delayed: &'v delay::Delays, group: &'v Group, w: usize) -> WarpView<'v> {
        let warp = &group.warps[w];
        WarpView {
            regs: &warp.regs,
            live: warp.live,
            exists: warp.exists,
            stack: &warp.stack,
            local: &warp.local,
            local_stride: warp.local_stride,
            cta: group.ctas[warp.cta].id,
            ctas: &group.ctas,
            global,
            delayed,
        }
    }

    /// Tells the observer whose turn it is.
    #[inline(always)]
    fn turn(&mut self, group: &Group, w: usize) {
        if O::ACTIVE {
            self.observer.turn(Self::who(group, w));
        }
    }

    /// Does nobody look at what a load, store or atomic accesses?
    #[inline(always)]
    fn is_unseen(&self, pc: Pc) -> bool {
        !O::ACTIVE || !self.observer.wants_access(pc)
    }

    /// Tells the observer of an event.
    fn tell(&mut self, group: &Group, w: usize, event: &Event<'_>) {
        let view = Self::view(self.cx.global, &self.delayed, group, w);
        self.observer.event(&view, Self::who(group, w), event);
    }

    fn fault(group: &Group, warp: usize, pc: Pc, lanes: LaneMask, kind: FaultKind) -> Box<Fault> {
        let w = &group.warps[warp];
        Box::new(Fault { kind, pc, cta: group.ctas[w.cta].id, warp: w.number, lanes })
    }

    /// Runs a split for at most `budget` instructions.
    ///
    /// # Errors
    /// The fault that ends the launch.
    pub fn run_split(
        &mut self,
        group: &mut Group,
        w: usize,
        mut split: Split,
        mut budget: u64,
    ) -> Result<Stop, Box<Fault>> {
        let program = self.cx.program;
        let code = &program.code[..];
        let strands = program.strands();
        let mut left = budget;
        let base = group.warps[w].regs.base();
        self.stretch += 1;
        self.turn(group, w);
        // Where the split is and who it is: in `split` only while something else looks at it.
        let (mut pc, mut mask) = (split.pc, split.mask);
        macro_rules! stop {
            ($why:expr) => {{
                group.steps += budget - left;
                return Ok($why);
            }};
        }
        loop {
            if left == 0 {
                split.pc = pc;
                split.mask = mask;
                group.warps[w].ready.push(split);
                stop!(Stop::Time);
            }
            // Turns end where they would without strands: what is observed and what is not run in the same order.
            if let Some(strand) = strands.at(pc)
                && (u64::from(strand.len) <= left || self.may_overrun)
                && !(O::ACTIVE && self.observer.wants_steps_among(pc, strand.len))
            {
                let len = u64::from(strand.len);
                budget += len.saturating_sub(left);
                left = left.max(len);
                self.run_strand(group, w, base, strand, mask)?;
                self.has_looked |= strand.looks;
                left -= u64::from(strand.len);
                pc += strand.len;
                if let Some(jump) = strand.jump {
                    let lanes = match jump.guard {
                        None => mask,
                        Some(g) => mask & g.of(group.warps[w].regs.pred(g.slot)),
                    };
                    if lanes == mask {
                        pc = jump.target;
                    } else if lanes != 0 {
                        split.mask = mask;
                        pc = self.part(group, w, &mut split, pc - 1, lanes, (jump.target, jump.reconverge));
                        mask = split.mask;
                    }
                }
                continue;
            }
            left -= 1;
            let inst = &code[pc as usize];
            let lanes = match inst.guard {
                None => mask,
                Some(g) => mask & g.of(group.warps[w].regs.pred(g.slot)),
            };
            if O::ACTIVE && self.observer.wants_step(pc) {
                self.step(group, w, pc, mask, lanes);
            }
            match &inst.kind {
                Kind::Row(op) => {
                    // SAFETY: `base` is the register block of this warp, laid out for this program.
                    unsafe { op.run(base, lanes) };
                    pc += 1;
                    // What follows without a branch, without a guard and without anybody who wants to see it.
                    while left != 0
                        && let Inst { guard: None, kind: Kind::Row(op) } = &code[pc as usize]
                        && !(O::ACTIVE && self.observer.wants_step(pc))
                    {
                        // SAFETY: as above.
                        unsafe { op.run(base, mask) };
                        pc += 1;
                        left -= 1;
                    }
                }
                Kind::Branch { target, reconverge } => {
                    if O::ACTIVE && self.observer.wants_branches() {
                        let event = Event::Branch { pc, lanes: mask, taken: lanes };
                        self.tell(group, w, &event);
                    }
                    if lanes == mask {
                        pc = *target;
                    } else if lanes == 0 {
                        pc += 1;
                    } else {
                        split.mask = mask;
                        pc = self.part(group, w, &mut split, pc, lanes, (*target, *reconverge));
                        mask = split.mask;
                    }
                }
                Kind::Load(load) => {
                    self.may_spin |= load.ordering != crate::program::Ordering::Weak;
                    self.has_looked = true;
                    if lanes != 0 {
                        self.load(group, w, pc, load, lanes)?;
                    }
                    pc += 1;
                }
                Kind::Store(store) => {
                    if lanes != 0 {
                        self.store(group, w, pc, store, lanes)?;
                    }
                    pc += 1;
                }
                Kind::Converge => {
                    (split.pc, split.mask) = (pc, mask);
                    if !self.converge(group, w, &mut split) {
                        stop!(Stop::Gone);
                    }
                    (pc, mask) = (split.pc, split.mask);
                }
                Kind::Collective(_) => {
                    self.release_before(group, w, pc, lanes);
                    (split.pc, split.mask) = (pc, mask);
                    let Some(rest) = self.collective(group, w, split)? else { stop!(Stop::Gone) };
                    split = rest;
                    (pc, mask) = (split.pc, split.mask);
                }
                Kind::Yield => {
                    (self.may_spin, self.has_looked) = (true, true);
                    (split.pc, split.mask) = (pc + 1, mask);
                    group.warps[w].ready.push(split);
                    stop!(Stop::Time);
                }
                Kind::Exit => {
                    if lanes != 0 {
                        self.release_before(group, w, pc, lanes);
                        mask &= !lanes;
                        self.exit(group, w, pc, split.join, lanes);
                    }
                    if mask == 0 {
                        stop!(Stop::Gone);
                    }
                    pc += 1;
                }
                _ => {
                    (split.pc, split.mask) = (pc, mask);
                    let Some(rest) = self.other(group, w, split, lanes)? else { stop!(Stop::Gone) };
                    split = rest;
                    (pc, mask) = (split.pc, split.mask);
                }
            }
        }
    }

    #[inline(never)]
    fn step(&mut self, group: &Group, w: usize, pc: Pc, mask: LaneMask, lanes: LaneMask) {
        let view = Self::view(self.cx.global, &self.delayed, group, w);
        self.observer.step(&view, Self::who(group, w), pc, &self.cx.program.code[pc as usize], mask, lanes);
    }

    /// The lanes of a branch part. Gives where the split goes on.
    #[inline(never)]
    fn part(
        &mut self,
        group: &mut Group,
        w: usize,
        split: &mut Split,
        pc: Pc,
        taken: LaneMask,
        (target, reconverge): (Pc, Pc),
    ) -> Pc {
        let warp = &mut group.warps[w];
        let meet = self.meeting(reconverge);
        // The end of an `if` or of a loop: who goes there waits there. Where somebody may wait for them, they have to
        // be a split, which gets its turn, and a seeded schedule may want them not to wait.
        let waits = if self.random.is_some() { self.temper.leave_one_in == 0 } else { !self.may_spin };
        if let Some(meet) = meet
            && waits
        {
            if meet == target {
                warp.park(split, taken, meet);
                return pc + 1;
            }
            if meet == pc + 1 {
                warp.park(split, split.mask & !taken, meet);
                return target;
            }
        }
        warp.part(split, taken, target, meet);
        pc + 1
    }

    /// Where a branch's lanes are to meet, under the convergence model.
    fn meeting(&self, reconverge: Pc) -> Option<Pc> {
        (reconverge != NOWHERE && self.cx.convergence != Convergence::None).then_some(reconverge)
    }

    /// Arrives at a convergence point; false where the split has to wait there.
    fn converge(&mut self, group: &mut Group, w: usize, split: &mut Split) -> bool {
        let warp = &mut group.warps[w];
        if !warp.meets_at(split, split.pc) {
            split.pc += 1;
            return true;
        }
        // A seeded schedule does not promise that lanes meet again.
        if let Some(random) = &mut self.random
            && self.cx.convergence == Convergence::Barriers
            && self.temper.leave_one_in != 0
            && random.one_in(self.temper.leave_one_in)
        {
            warp.leave(split);
            split.pc += 1;
            return true;
        }
        match warp.arrive(split) {
            Some(whole) => {
                *split = whole;
                true
            }
            None => false,
        }
    }

    /// Lanes exit: nobody waits for them any more.
    fn exit(&mut self, group: &mut Group, w: usize, pc: Pc, join: JoinId, lanes: LaneMask) {
        if O::ACTIVE {
            self.tell(group, w, &Event::Exit { pc, lanes });
        }
        self.changes += 1;
        let warp = &mut group.warps[w];
        warp.live &= !lanes;
        warp.forget(join, lanes);
        self.finish_copies(group, w, lanes);
        self.settle = true;
    }

    /// Every instruction that is not in the loop itself. Gives the split where it goes on.
    #[inline(never)]
    fn other(
        &mut self,
        group: &mut Group,
        w: usize,
        mut split: Split,
        lanes: LaneMask,
    ) -> Result<Option<Split>, Box<Fault>> {
        let pc = split.pc;
        let inst = &self.cx.program.code[pc as usize];
        self.may_spin |= matches!(inst.kind, Kind::Atomic(_) | Kind::Mbarrier(_));
        self.has_looked |= matches!(inst.kind, Kind::Atomic(_) | Kind::Mbarrier(_) | Kind::ReadSpecial { .. });
        self.release_before(group, w, pc, lanes);
        match &inst.kind {
            Kind::Barrier(b) => return self.barrier(group, w, split, b),
            Kind::Call(call) => return self.call(group, w, split, call),
            Kind::Return => return self.ret(group, w, split).map(Some),
            Kind::BranchIndexed { index, targets, reconverge } => {
                return self.branch_indexed(group, w, split, *index, targets, *reconverge).map(Some);
            }
            _ if lanes == 0 => {}
            Kind::Atomic(a) => self.atomic(group, w, pc, a, lanes)?,
            Kind::Trap => return Err(Self::fault(group, w, pc, lanes, FaultKind::Trap)),
            Kind::Breakpoint => return Err(Self::fault(group, w, pc, lanes, FaultKind::Breakpoint)),
            Kind::Fence(f) => {
                if O::ACTIVE {
                    let event = Event::Fence { pc, lanes, ordering: f.ordering, scope: f.scope };
                    self.tell(group, w, &event);
                }
            }
            Kind::ReadSpecial { result, class, register } => {
                self.read_special(group, w, *result, *class, *register, lanes);
            }
            Kind::ActiveMask { result } => {
                let lanes = lanes & !self.step_aside(&mut group.warps[w], &mut split);
                if O::ACTIVE {
                    self.tell(group, w, &Event::ActiveMask { pc, lanes });
                }
                let row = group.warps[w].regs.row32_mut(*result);
                crate::slots::lanes(lanes).for_each(|i| row[i] = lanes);
            }
            Kind::Address(op) => self.address_op(group, w, op, lanes),
            Kind::PmEvent(mask) => {
                let cta = group.warps[w].cta;
                for (n, counter) in group.ctas[cta].events.iter_mut().enumerate() {
                    *counter += u64::from(mask >> n & 1);
                }
            }
            Kind::Mbarrier(m) => self.mbarrier(group, w, pc, m, lanes)?,
            Kind::AsyncCopy(copy) => self.async_copy(group, w, pc, copy, lanes)?,
            Kind::TensorMapReplace(t) => self.tensor_map_replace(group, w, pc, t, lanes)?,
            Kind::RemoteStore(store) => self.remote_store(group, w, pc, store, lanes)?,
            Kind::AsyncGroup(what) => self.async_group(group, w, pc, *what, lanes),
            Kind::Stack(op) => self.stack_op(group, w, pc, op, lanes)?,
            Kind::Nothing => {}
            Kind::Row(_)
            | Kind::Branch { .. }
            | Kind::Load(_)
            | Kind::Store(_)
            | Kind::Converge
            | Kind::Collective(_)
            | Kind::Yield
            | Kind::Exit => unreachable!("handled in the loop"),
        }
        split.pc += 1;
        Ok(Some(split))
    }

    /// Under a seeded schedule, lanes that need not be together with the others at `activemask`: they come later.
    fn step_aside(&mut self, warp: &mut Warp, split: &mut Split) -> LaneMask {
        let Some(random) = &mut self.random else { return 0 };
        if self.temper.apart_one_in == 0 || !random.one_in(self.temper.apart_one_in) {
            return 0;
        }
        let aside = random.next_u64() as u32 & split.mask;
        if aside == 0 || aside == split.mask {
            return 0;
        }
        warp.part(split, aside, split.pc, None);
        aside
    }

    fn branch_indexed(
        &mut self,
        group: &mut Group,
        w: usize,
        mut split: Split,
        index: crate::slots::Slot,
        targets: &[Pc],
        reconverge: Pc,
    ) -> Result<Split, Box<Fault>> {
        let row = *group.warps[w].regs.row32(index);
        let meet = self.meeting(reconverge);
        loop {
            let first = split.mask.trailing_zeros() as usize;
            let Some(&target) = targets.get(row[first] as usize) else {
                let kind = FaultKind::BadIndex { index: row[first], len: targets.len() as u32 };
                return Err(Self::fault(group, w, split.pc, 1 << first, kind));
            };
            let same = crate::slots::lanes(split.mask).filter(|&i| targets.get(row[i] as usize) == Some(&target));
            let same = same.fold(0, |m, i| m | 1 << i);
            if same == split.mask {
                split.pc = target;
                return Ok(split);
            }
            group.warps[w].part(&mut split, same, target, meet);
        }
    }

    /// Fills the rows that hold the same for a whole launch or a whole warp.
    /// Where the warp is not `fresh`, only those that differ between CTAs: nothing writes over the others.
    pub fn preset(&self, warp: &mut Warp, cta: &Cta, fresh: bool) {
        if !fresh {
            for p in &self.cta_presets {
                if let PresetValue::Special(register) = p.value {
                    let bits = special::of_cta(register, self.cx, cta, warp.number);
                    warp.regs.fill(p.class, p.slot, bits);
                }
            }
            return;
        }
        for p in &self.cx.program.presets {
            match p.value {
                PresetValue::Constant(bits) => warp.regs.fill(p.class, p.slot, bits),
                PresetValue::Param { offset, len, signed } => {
                    let bits = special::param(self.cx.params, offset, len, signed);
                    warp.regs.fill(p.class, p.slot, bits);
                }
                PresetValue::Special(register) => {
                    let row = special::fixed(register, self.cx, cta, warp.number);
                    match p.class {
                        Class::R32 => *warp.regs.row32_mut(p.slot) = row.map(|x| x as u32),
                        Class::R64 => *warp.regs.row64_mut(p.slot) = row,
                        Class::Pred | Class::R128 => {
                            row.iter().enumerate().for_each(|(lane, bits)| warp.regs.set(p.class, p.slot, lane, *bits));
                        }
                    }
                }
            }
        }
    }
}
