//! The clocks of a CTA's threads, and what barriers, fences and copies do to them.

use std::collections::HashMap;
use std::sync::Arc;

use warpvm_machine::program::Scope;
use warpvm_machine::slots::{LaneMask, lanes};

use super::clock::{AGENTS, Agent, Clock, Know, Known};
use super::mbarriers::EarlyWait;
use super::sync::{Awaited, Pending, Release};

/// What a lane knew and its time when it passed a fence, by scope: CTA, cluster, device and wider.
type Fences = [Option<(Arc<Know>, Clock)>; 3];

/// State that few warps have: of lanes that used fences, flags or asynchronous copies.
struct Extra {
    fences: [Fences; 32],
    pending: [Vec<Awaited>; 32],
    /// Time of each lane's agents: that of the group or copy that is open.
    agents: [[Clock; AGENTS as usize]; 32],
    /// Waits at mbarriers that passed at once.
    early: [Option<EarlyWait>; 32],
}

impl Default for Extra {
    fn default() -> Self {
        Extra {
            fences: Default::default(),
            pending: Default::default(),
            agents: [[1; AGENTS as usize]; 32],
            early: [None; 32],
        }
    }
}

/// A warp's lanes.
pub(super) struct Lanes {
    /// Time of each.
    pub now: [Clock; 32],
    /// Have all that live the same?
    is_level: bool,
    /// What they know: one for all, or one each.
    know: Vec<Arc<Know>>,
    live: LaneMask,
    extra: Option<Box<Extra>>,
}

impl Lanes {
    /// Do all lanes know the same?
    pub fn is_uniform(&self) -> bool {
        self.know.len() == 1
    }

    /// Have all lanes the same time?
    #[inline]
    pub fn is_level(&self) -> bool {
        self.is_level
    }

    /// Lanes have this time now.
    fn set_time(&mut self, mask: LaneMask, clock: Clock) {
        if mask == !0 {
            self.now.fill(clock);
        } else {
            lanes(mask).for_each(|l| self.now[l] = clock);
        }
        self.is_level = self.live & !mask == 0;
    }

    /// Lanes go on in time.
    fn tick(&mut self, mask: LaneMask) {
        lanes(mask).for_each(|l| self.now[l] += 1);
        self.is_level &= self.live & !mask == 0;
    }

    /// What a lane knows.
    #[inline]
    pub fn know(&self, lane: usize) -> &Arc<Know> {
        self.know.get(lane).unwrap_or(&self.know[0])
    }

    /// The time up to which all of these lanes know everything that their CTA did.
    pub fn floor(&self, mask: LaneMask) -> Clock {
        match &self.know[..] {
            [one] => one.own.floor,
            all => lanes(mask).map(|l| all[l].own.floor).min().unwrap_or(0),
        }
    }

    /// Lanes that know the same, each group with one of them.
    fn groups(&self, mask: LaneMask) -> Vec<(Arc<Know>, LaneMask)> {
        if self.know.len() == 1 {
            return vec![(self.know[0].clone(), mask)];
        }
        let mut list: Vec<(Arc<Know>, LaneMask)> = Vec::new();
        for lane in lanes(mask) {
            match list.iter_mut().find(|(k, _)| Arc::ptr_eq(k, &self.know[lane])) {
                Some((_, m)) => *m |= 1 << lane,
                None => list.push((self.know[lane].clone(), 1 << lane)),
            }
        }
        list
    }

    fn set(&mut self, mask: LaneMask, know: &Arc<Know>) {
        if self.live & !mask == 0 {
            self.know.clear();
            self.know.push(know.clone());
            return;
        }
        self.spread();
        lanes(mask).for_each(|l| self.know[l] = know.clone());
    }

    fn spread(&mut self) {
        if self.know.len() == 1 {
            self.know.resize(32, self.know[0].clone());
        }
    }

    /// What a lane knows, to change.
    fn know_mut(&mut self, lane: usize) -> &mut Know {
        self.spread();
        Arc::make_mut(&mut self.know[lane])
    }
}

/// A CTA's threads.
pub(super) struct Threads {
    /// Its index.
    pub cta: u32,
    /// Number of warps.
    pub warps: u32,
    /// Its warps.
    pub lanes: Vec<Lanes>,
    /// What every thread of it knows.
    pub dead: Known,
    /// What those that only arrived at a block barrier knew, by barrier.
    arrived: HashMap<u32, Know>,
    /// What those knew that have exited.
    exited: Know,
    /// Threads that have not exited.
    pub left: u32,
}

impl Threads {
    /// A CTA at its start.
    pub fn new(cta: u32, threads: u32) -> Self {
        let warps = threads.div_ceil(32);
        let start = Arc::new(Know::default());
        let warp = |w: u32| {
            let count = (threads - w * 32).min(32);
            let live = if count == 32 { !0 } else { (1 << count) - 1 };
            Lanes { now: [1; 32], is_level: true, know: vec![start.clone()], live, extra: None }
        };
        Threads {
            cta,
            warps,
            lanes: (0..warps).map(warp).collect(),
            dead: Known::default(),
            arrived: HashMap::new(),
            exited: Know::default(),
            left: threads,
        }
    }

    fn extra(&mut self, warp: u32) -> &mut Extra {
        self.lanes[warp as usize].extra.get_or_insert_default()
    }

    /// Adds what lanes know and have done to `sum`.
    fn gather(&self, sum: &mut Know, warp: u32, mask: LaneMask) {
        let w = &self.lanes[warp as usize];
        for (know, group) in w.groups(mask) {
            sum.join(self.cta, &know, self.cta);
            sum.own.raise_all(warp as u16, group, &w.now);
        }
    }

    /// Lanes arrive at a block barrier without waiting.
    pub fn arrive(&mut self, id: u32, warp: u32, mask: LaneMask) {
        let mut sum = self.arrived.remove(&id).unwrap_or_default();
        self.gather(&mut sum, warp, mask);
        self.arrived.insert(id, sum);
        self.tick(warp, mask);
    }

    /// A block barrier completes for those that wait.
    pub fn barrier(&mut self, id: u32, waiting: &[(u32, LaneMask)]) {
        let mut sum = self.arrived.remove(&id).unwrap_or_default();
        sum.join(self.cta, &self.exited, self.cta);
        let mut here = vec![0; self.warps as usize];
        waiting.iter().for_each(|(w, mask)| here[*w as usize] |= mask);
        let is_full = self.lanes.iter().zip(&here).all(|(w, mask)| w.live & !mask == 0);
        let mut latest = 0;
        let mut last: Option<&Arc<Know>> = None;
        for (warp, mask) in here.iter().enumerate().filter(|(_, m)| **m != 0) {
            let w = &self.lanes[warp];
            if !is_full {
                self.gather(&mut sum, warp as u32, *mask);
            } else if let [know] = &w.know[..] {
                // Mostly all know the same, from the barrier before.
                if last.is_none_or(|l| !Arc::ptr_eq(l, know)) {
                    sum.join(self.cta, know, self.cta);
                    last = Some(know);
                }
            } else {
                w.groups(*mask).iter().for_each(|(know, _)| sum.join(self.cta, know, self.cta));
            }
            latest = lanes(*mask).fold(latest, |t, l| t.max(w.now[l]));
        }
        if is_full {
            // Exited threads are in: their last times are below those that live on.
            let exited = self.lanes.iter().flat_map(|w| lanes(!w.live).map(|l| w.now[l])).max().unwrap_or(0);
            latest = latest.max(exited);
            sum.own.level(self.warps, latest);
            self.dead = sum.own.clone();
        }
        self.carry_fences(waiting);
        self.carry_pending(waiting);
        let know = Arc::new(sum);
        for (warp, mask) in here.iter().enumerate().filter(|(_, m)| **m != 0) {
            let w = &mut self.lanes[warp];
            w.set(*mask, &know);
            w.set_time(*mask, latest + 1);
        }
    }

    /// What lanes have fenced is fenced for those that meet them in a barrier as well: a leader may release for all.
    fn carry_fences(&mut self, met: &[(u32, LaneMask)]) {
        if met.iter().all(|(w, _)| self.lanes[*w as usize].extra.is_none()) {
            return;
        }
        // What the next wider scope is made of (what each lane knew, by address, and when), and the sum of it.
        let mut wider: (Vec<(usize, Clock)>, Option<Arc<Know>>) = Default::default();
        for scope in (0..3).rev() {
            let mut sum: Option<Know> = None;
            let mut parts = Vec::new();
            let mut last: Option<Arc<Know>> = None;
            for &(warp, mask) in met {
                let Some(extra) = &self.lanes[warp as usize].extra else { continue };
                for lane in lanes(mask) {
                    let Some((know, clock)) = &extra.fences[lane][scope] else { continue };
                    let sum = sum.get_or_insert_default();
                    if last.as_ref().is_none_or(|l| !Arc::ptr_eq(l, know)) {
                        sum.join(self.cta, know, self.cta);
                        last = Some(know.clone());
                    }
                    sum.own.raise(warp as u16, lane, *clock);
                    parts.push((Arc::as_ptr(know) as usize, *clock));
                }
            }
            // A fence of a wide scope is one of the narrower ones as well: it stays one.
            let sum = if parts == wider.0 { wider.1 } else { sum.map(Arc::new) };
            wider = (parts, sum.clone());
            let Some(sum) = sum else { continue };
            for &(warp, mask) in met {
                let fences = &mut self.extra(warp).fences;
                lanes(mask).for_each(|l| fences[l][scope] = Some((sum.clone(), 0)));
            }
        }
    }

    /// What lanes have read but not acquired, all that meet them in a barrier may acquire by a fence of their own: one may
    /// wait for a flag for all.
    fn carry_pending(&mut self, met: &[(u32, LaneMask)]) {
        let mut sum: Vec<Awaited> = Vec::new();
        for &(warp, mask) in met {
            let Some(extra) = &self.lanes[warp as usize].extra else { continue };
            for a in lanes(mask).flat_map(|lane| &extra.pending[lane]) {
                a.add_to(&mut sum);
            }
        }
        if sum.is_empty() {
            return;
        }
        for &(warp, mask) in met {
            let pending = &mut self.extra(warp).pending;
            lanes(mask).for_each(|l| pending[l].clone_from(&sum));
        }
    }

    /// `bar.warp.sync`
    pub fn warp_barrier(&mut self, warp: u32, mask: LaneMask, named: LaneMask) {
        let mut sum = Know::default();
        self.gather(&mut sum, warp, mask);
        self.carry_fences(&[(warp, mask)]);
        self.carry_pending(&[(warp, mask)]);
        let w = &self.lanes[warp as usize];
        if named & !mask & !w.live != 0 {
            sum.join(self.cta, &self.exited, self.cta);
        }
        let latest = lanes(mask).map(|l| w.now[l]).max().unwrap_or(0);
        let w = &mut self.lanes[warp as usize];
        w.set(mask, &Arc::new(sum));
        w.set_time(mask, latest + 1);
    }

    /// What lanes do from now on is not known to those who know what they did.
    pub fn tick(&mut self, warp: u32, mask: LaneMask) {
        self.lanes[warp as usize].tick(mask);
    }

    /// Lanes exit.
    pub fn exit(&mut self, warp: u32, mask: LaneMask) {
        let mut sum = std::mem::take(&mut self.exited);
        self.gather(&mut sum, warp, mask);
        self.exited = sum;
        self.lanes[warp as usize].live &= !mask;
        self.left = self.left.saturating_sub(mask.count_ones());
    }

    /// Did those who have exited know what a lane of any CTA did at a time?
    pub fn exited_know(&self, cta: u32, row: u16, lane: usize, clock: Clock) -> bool {
        self.exited.of(self.cta, cta).is_some_and(|k| k.covers(self.warps, row, 1 << lane, clock))
    }

    /// A lane passes a fence that releases: what it did up to now goes out with its next strong writes.
    pub fn fence(&mut self, warp: u32, mask: LaneMask, scope: Scope) {
        for lane in lanes(mask) {
            let w = &self.lanes[warp as usize];
            let snapshot = (w.know(lane).clone(), w.now[lane]);
            let widest = scope.min(Scope::Gpu) as usize;
            let fences = &mut self.extra(warp).fences[lane];
            fences[..=widest].fill(Some(snapshot));
        }
        self.tick(warp, mask);
    }

    /// What a strong write of a lane lets out by the fences before it: scope, knowledge, time.
    pub fn released(&self, warp: u32, lane: usize) -> Vec<(Scope, Arc<Know>, Clock)> {
        let Some(extra) = &self.lanes[warp as usize].extra else { return Vec::new() };
        let scopes = [Scope::Cta, Scope::Cluster, Scope::Gpu];
        let mut list: Vec<(Scope, Arc<Know>, Clock)> = Vec::new();
        for (scope, fence) in scopes.into_iter().zip(&extra.fences[lane]).rev() {
            let Some((know, clock)) = fence else { continue };
            // A wide fence is a narrow one as well: say it once.
            if list.last().is_none_or(|(_, k, c)| !Arc::ptr_eq(k, know) || c != clock) {
                list.push((scope, know.clone(), *clock));
            }
        }
        list
    }

    /// Is there a lane with fences behind it?
    pub fn has_fences(&self, warp: u32) -> bool {
        self.lanes[warp as usize].extra.is_some()
    }

    /// A lane read what was released, but has not acquired it.
    pub fn await_fence(&mut self, warp: u32, lane: usize, key: u64, pending: Pending) {
        let list = &mut self.extra(warp).pending[lane];
        match list.iter_mut().find(|a| a.is_alike(key, &pending)) {
            Some(known) => known.add(&pending),
            None => list.push(Awaited::new(key, pending)),
        }
    }

    /// What a lane has read but not acquired.
    pub fn pending(&self, warp: u32, lane: usize) -> impl Iterator<Item = &Pending> {
        let extra = self.lanes[warp as usize].extra.as_deref();
        extra.into_iter().flat_map(move |e| &e.pending[lane]).map(|a| &a.pending)
    }

    /// Lanes acquire what they have read and `wanted` says; gives the rest that it refused, by lane.
    pub fn acquire_pending(
        &mut self,
        warp: u32,
        mask: LaneMask,
        mut wanted: impl FnMut(&Pending) -> bool,
    ) -> Vec<Release> {
        let Some(extra) = &mut self.lanes[warp as usize].extra else { return Vec::new() };
        let (mut taken, mut refused) = (Vec::new(), Vec::new());
        for lane in lanes(mask) {
            extra.pending[lane].retain(|a| {
                let is_wanted = wanted(&a.pending);
                let release = a.pending.release.clone();
                if is_wanted {
                    taken.push((lane, release));
                } else {
                    refused.push(release);
                }
                !is_wanted
            });
        }
        for (lane, release) in taken {
            self.acquire(warp, lane, &release);
        }
        refused
    }

    /// A lane learns what was released.
    pub fn acquire(&mut self, warp: u32, lane: usize, release: &Release) {
        let cta = self.cta;
        self.lanes[warp as usize].know_mut(lane).join(cta, &release.know, release.cta);
    }

    /// The last wait of a lane at an mbarrier, where it passed at once.
    pub fn early_wait(&self, row: u16, lane: usize) -> Option<EarlyWait> {
        self.lanes.get(usize::from(row))?.extra.as_ref()?.early[lane]
    }

    /// A lane has waited at an mbarrier.
    pub fn set_early_wait(&mut self, warp: u32, lane: usize, wait: Option<EarlyWait>) {
        if wait.is_some() || self.lanes[warp as usize].extra.is_some() {
            self.extra(warp).early[lane] = wait;
        }
    }

    /// The time of a lane's agent.
    pub fn agent_time(&mut self, warp: u32, lane: usize, agent: Agent) -> Clock {
        self.extra(warp).agents[lane][agent as usize]
    }

    /// The agent's present group or copy is closed; gives its time.
    pub fn agent_tick(&mut self, warp: u32, lane: usize, agent: Agent) -> Clock {
        let time = &mut self.extra(warp).agents[lane][agent as usize];
        *time += 1;
        *time - 1
    }

    /// Lanes learn that the agent of one lane of their warp has done everything up to a time.
    pub fn learn_of_agent(&mut self, warp: u32, mask: LaneMask, agent: Agent, of: usize, time: Clock) {
        let row = agent.row(self.warps, warp);
        let w = &mut self.lanes[warp as usize];
        if w.is_uniform() && w.live & !mask == 0 {
            Arc::make_mut(&mut w.know[0]).own.raise(row, of, time);
        } else {
            lanes(mask).for_each(|l| w.know_mut(l).own.raise(row, of, time));
        }
    }

    /// A lane learns that its agent has done everything up to a time.
    pub fn learn_agent(&mut self, warp: u32, lane: usize, agent: Agent, time: Clock) {
        let row = agent.row(self.warps, warp);
        let warps = self.warps;
        let w = &mut self.lanes[warp as usize];
        if w.know(lane).own.of(warps, row, lane) < time {
            w.know_mut(lane).own.raise(row, lane, time);
        }
    }
}
