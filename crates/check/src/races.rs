//! Races by happens-before.
//!
//! Two accesses to the same bytes, one of them a write, race where nothing orders them and they are not morally strong
//! towards each other (PTX ISA, chapter 8). Order comes from:
//! - the program order of a lane;
//! - block barriers, from everybody who arrived to everybody who waits; exited threads count as arrived;
//! - `bar.warp.sync`, among the lanes that meet in it; other collectives order no memory;
//! - the cluster barrier, unless `.relaxed`;
//! - release and acquire through strong accesses, by their own semantics or by fences, within their scopes. Three forms
//!   that are common and work on every chip are taken as order although the manual does not promise it: the fence of a
//!   reader may be a block barrier where the read was an atomic one; what each thread has fenced before a barrier is
//!   released by the strong write of a leader after it; and what a leader has read before a barrier each thread may
//!   acquire by a fence after it;
//!
//!   A plain store is further ordered behind what its lane has seen done by a strong read alone (see `turns`);
//! - mbarriers: an arrival releases, a test that passes acquires;
//! - asynchronous copies are made by agents of their own (`clock::Agent`), whose accesses are known to the lane that
//!   waits for the group, or to everybody who sees the mbarrier's phase complete.
//!
//! A strong read sees the last strong write before it, since schedules delay plain stores only; so what it observes is
//! what stands in the word. `fence.sc` orders as `fence.acq_rel` does: the order of two such fences is an accident of the run.
//!
//! Design: `clock` has the layered vector clocks, `shadow` the records of a word and `events` what they name; accesses
//! come to it as `runs`, and `lines` and `rows` are its quick ways, which `reference` compares with a plain shadow.
//! `threads` has the clocks of a CTA, `lifetime` when its shared
//! memory is there for others, `sync` the words and objects that lanes synchronise through, `turns` who came to a
//! word when, `spare` loads whose value is thrown away, `polls` tells flags
//! from data, `report` makes findings.

mod access;
mod clock;
mod cluster;
mod copies;
mod events;
mod fate;
mod lifetime;
mod lines;
mod mbarriers;
mod polls;
#[cfg(test)]
mod reference;
mod report;
mod rows;
mod runs;
mod said;
mod shadow;
mod spare;
mod strong;
mod sync;
mod threads;
mod turns;
mod visit;

use std::collections::HashMap;

use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::{GLOBAL_BASE, SHARED_START, Space};
use warpvm_machine::observe::{Access, Event};
use warpvm_machine::program::{
    Address, AddressSpace, BarrierOp, CollectiveOp, Inst, Kind, Load, Ordering, Pc, Program,
};
use warpvm_machine::slots::LaneMask;

use self::clock::{Agent, Know};
use self::events::{Events, Flags};
use self::report::Reported;
use self::shadow::Shadow;
use self::spare::Spare;
use self::sync::{Mbarrier, Release, Words};
use self::threads::Threads;
use self::turns::Turns;
use crate::states::States;
use crate::wants::{self, Target};
use crate::{Context, Part, Rule, Scene};

/// The rules that are found here.
pub(crate) const RULES: &[Rule] = &[
    Rule::RaceWarp,
    Rule::RaceBlock,
    Rule::RaceGlobal,
    Rule::RaceScope,
    Rule::RaceSameValue,
    Rule::AsyncWait,
    Rule::MbarrierInit,
    Rule::MbarrierCount,
    Rule::MbarrierPhase,
];

/// See the module.
pub(crate) struct Races {
    threads: u32,
    /// Is the whole grid one CTA?
    is_single: bool,
    /// Does nothing order the warps of a CTA but barriers of all of it?
    only_phases: bool,
    /// How each instruction accesses memory.
    flags: Vec<Flags>,
    events: Events,
    global: Shadow,
    words: Words,
    mbarriers: HashMap<(u32, u64), Mbarrier>,
    /// CTAs that run.
    ctas: States<Cta>,
    /// What was released at each phase of a cluster's barrier, by first CTA and phase.
    clusters: HashMap<(u32, u32), Know>,
    /// Releases that did not reach a CTA because of their scope.
    narrow: Vec<(u32, Release)>,
    /// How often an instruction's words were last looked at in vain: see [`Races::is_said`].
    unsaid: Vec<u8>,
    turns: Turns,
    spare: Spare,
    reported: Reported,
    /// mbarriers whose initialisation is at fault, by CTA and address, with both places of the finding.
    accused: HashMap<(u32, u64), (Pc, Pc)>,
}

/// What is kept of a CTA while it runs.
struct Cta {
    threads: Threads,
    shadow: Shadow,
    /// Where in it further reads of the phase say nothing new.
    said: said::Said,
    /// Phases of the cluster barrier that each lane has arrived at, by warp.
    phases: Vec<[u32; 32]>,
    /// Lanes of other CTAs that were in its shared memory.
    visits: lifetime::Visits,
}

impl Cta {
    fn new(index: u32, threads: u32) -> Self {
        let threads = Threads::new(index, threads);
        let phases = vec![[0; 32]; threads.warps as usize];
        let shadow = Shadow::new(u64::from(SHARED_START), 48);
        Cta { threads, shadow, said: said::Said::default(), phases, visits: lifetime::Visits::default() }
    }
}

/// How an instruction's lanes access memory themselves; nothing for those that do not, or that cannot race.
fn flags(program: &Program, pc: usize, polls: &std::collections::HashSet<u32>) -> Flags {
    let (kind, ordering, scope) = match &program.code[pc].kind {
        Kind::Load(Load { address: Address { space: AddressSpace::Const, .. }, .. }) => return Flags::default(),
        Kind::Load(l) => (AccessKind::Read, l.ordering, l.scope),
        Kind::Store(s) => (AccessKind::Write, s.ordering, s.scope),
        Kind::Atomic(a) => (AccessKind::Atomic, a.ordering, a.scope),
        Kind::Collective(c) => match &c.op {
            CollectiveOp::Matrix(m) if m.is_store => return Flags::WRITE,
            CollectiveOp::Fragment(m) if m.is_store => return Flags::WRITE,
            // `wgmma`: see `copies`.
            CollectiveOp::Other(_) => return Flags::default(),
            _ => return Flags::READ,
        },
        _ => return Flags::default(),
    };
    let mut flags = match kind {
        AccessKind::Read => Flags::READ,
        AccessKind::Write => Flags::WRITE,
        AccessKind::Atomic => Flags::READ.with(Flags::WRITE),
    };
    if kind == AccessKind::Atomic || ordering != Ordering::Weak {
        flags = flags.with(Flags::STRONG).scoped(scope);
    }
    if ordering == Ordering::Volatile {
        flags = flags.with(Flags::VOLATILE);
    }
    if polls.contains(&(pc as u32)) { flags.with(Flags::POLL) } else { flags }
}

/// May an instruction order some warps of a CTA and not all?
fn orders_some(kind: &Kind) -> bool {
    let is_strong = |o: Ordering| !matches!(o, Ordering::Weak | Ordering::Volatile | Ordering::Relaxed);
    match kind {
        Kind::Load(l) => is_strong(l.ordering),
        Kind::Store(s) => is_strong(s.ordering),
        Kind::Atomic(a) => is_strong(a.ordering),
        Kind::Barrier(b) => {
            let is_of_block =
                matches!(b.op, BarrierOp::Sync | BarrierOp::RedPopc | BarrierOp::RedAnd | BarrierOp::RedOr);
            b.count.is_some() || !is_of_block
        }
        Kind::Collective(c) => matches!(c.op, CollectiveOp::Other(_)),
        Kind::Fence(_) | Kind::Mbarrier(_) | Kind::AsyncCopy(_) | Kind::AsyncGroup(_) | Kind::RemoteStore(_) => true,
        _ => false,
    }
}

impl Races {
    pub fn new(cx: &Context) -> Self {
        let ctas = cx.grid.iter().map(|&n| u64::from(n)).product::<u64>();
        let polls = polls::polls(&cx.program);
        let flags: Vec<Flags> = (0..cx.program.code.len()).map(|pc| flags(&cx.program, pc, &polls)).collect();
        Races {
            threads: cx.threads,
            is_single: ctas == 1,
            only_phases: cx.program.code.iter().all(|inst| !orders_some(&inst.kind)),
            turns: Turns::new(&cx.program, &flags),
            spare: Spare::new(&cx.program),
            unsaid: vec![0; flags.len()],
            flags,
            events: Events::new(),
            global: Shadow::new(GLOBAL_BASE, 3),
            words: Words::default(),
            mbarriers: HashMap::new(),
            ctas: States::new(),
            clusters: HashMap::new(),
            narrow: Vec::new(),
            reported: Reported::default(),
            accused: HashMap::new(),
        }
    }

    /// What an instruction is wanted for.
    pub fn wants(&self, pc: usize, inst: &Inst) -> u8 {
        match Target::of(inst) {
            Target::Nothing if self.spare.ends_at(pc as Pc) => wants::STEP,
            Target::Nothing => 0,
            Target::One(AddressSpace::Local | AddressSpace::Frame | AddressSpace::Param) => 0,
            Target::One(_) if self.flags[pc] == Flags::default() => 0,
            _ => wants::ACCESS,
        }
    }

    fn cta(&mut self, index: u32) -> &mut Cta {
        let threads = self.threads;
        self.ctas.get_or(u64::from(index), || Cta::new(index, threads))
    }

    /// Phases that have completed of the mbarrier at an offset of a CTA's shared memory.
    pub fn phases(&self, place: (u32, u64)) -> u32 {
        self.mbarriers.get(&place).map_or(0, |b| b.phases)
    }

    fn threads(&mut self, s: &Scene<'_>) -> &mut Threads {
        &mut self.cta(s.who.cta).threads
    }

    fn exit(&mut self, s: &mut Scene<'_>, pc: Pc, mask: LaneMask) {
        let own = self.cta(s.who.cta);
        own.threads.exit(s.who.warp, mask);
        if own.threads.left != 0 {
            return;
        }
        if s.warp.ctas.len() > 1 {
            self.close(s, pc);
        } else {
            self.ctas.remove(u64::from(s.who.cta));
            self.mbarriers.retain(|(home, _), _| *home != s.who.cta);
        }
    }
}

impl Races {
    /// Loads by one row: see [`warpvm_machine::observe::Observer::access_row`].
    pub fn access_row(&mut self, s: &mut Scene<'_>, row: &Access<'_>, accesses: &[(Pc, i32)]) -> bool {
        if matches!(row.space, Space::Local | Space::Param) {
            return true;
        }
        let is_plain = |&(pc, _): &(Pc, i32)| self.flags[pc as usize] == Flags::READ && !self.spare.is_load(pc);
        if !self.words.is_empty() || !accesses.iter().all(is_plain) {
            return false;
        }
        for &(pc, by) in accesses {
            let by = i64::from(by) as u64;
            let (addresses, spread) = (row.addresses.moved(by), &row.spread.moved(by));
            let access = Access { pc, addresses, spread, ..*row };
            if !self.is_said(s, &access) {
                self.record(s, &access, Agent::Thread, Flags::READ);
            }
        }
        true
    }
}

impl Part for Races {
    #[inline]
    fn step(&mut self, s: &mut Scene<'_>, pc: Pc, _inst: &Inst, _split: LaneMask, here: LaneMask) {
        if self.spare.is_any_held() {
            self.count_loads(s, pc, here);
        }
    }

    fn access(&mut self, s: &mut Scene<'_>, access: &Access<'_>) {
        if matches!(access.space, Space::Local | Space::Param) {
            return;
        }
        let flags = self.flags[access.pc as usize];
        if flags != Flags::default() {
            if self.spare.holds(s, access) || flags == Flags::READ && self.is_said(s, access) {
                return;
            }
            self.record(s, access, Agent::Thread, flags);
            if flags.has(Flags::STRONG) || !self.words.is_empty() {
                self.take_turn(s, access);
                self.synchronise(s, access);
            }
            return;
        }
        let cx = s.cx;
        match &cx.program.code[access.pc as usize].kind {
            Kind::AsyncCopy(copy) => self.copy_access(s, access, copy),
            Kind::RemoteStore(store) => self.remote_access(s, access, store),
            Kind::Collective(_) => self.matrix_access(s, access),
            Kind::TensorMapReplace(_) => self.record(s, access, Agent::Thread, Flags::WRITE),
            _ => {}
        }
    }

    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        let warp = s.who.warp;
        match *event {
            Event::Collective { pcs, mask, lanes } => {
                let is_barrier = pcs.first().is_some_and(|(pc, _)| {
                    matches!(&s.cx.program.code[*pc as usize].kind,
                        Kind::Collective(c) if matches!(c.op, CollectiveOp::BarWarp))
                });
                if is_barrier {
                    self.threads(s).warp_barrier(warp, lanes, mask);
                }
            }
            Event::BarrierArrive { pc, lanes, id, .. } => {
                self.acquire_atomics(s, lanes);
                let threads = self.threads(s);
                if matches!(&s.cx.program.code[pc as usize].kind, Kind::Barrier(b) if b.op == BarrierOp::Arrive) {
                    threads.arrive(id, warp, lanes);
                }
            }
            Event::BarrierComplete { id, arrivals } => {
                let waiting: Vec<(u32, LaneMask)> =
                    arrivals.iter().filter(|a| a.3).map(|&(warp, lanes, ..)| (warp, lanes)).collect();
                self.threads(s).barrier(id, &waiting);
            }
            Event::ClusterArrive { pc, lanes } => self.cluster_arrive(s, pc, lanes),
            Event::ClusterWait { pc, lanes } => self.cluster_wait(s, pc, lanes),
            Event::Fence { lanes, ordering, scope, .. } => self.fence(s, lanes, ordering, scope),
            Event::Mbarrier { pc, lane, shared_cta, address, what } => {
                self.mbarrier(s, pc, lane, shared_cta, address, what);
            }
            Event::AsyncGroup { lanes, what, .. } => self.async_group(s, lanes, what),
            Event::CopyComplete { pc, lane } => self.count_copy(s, pc, lane as usize),
            Event::Exit { pc, lanes } => self.exit(s, pc, lanes),
            _ => {}
        }
    }
}
