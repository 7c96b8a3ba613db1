//! Strong accesses and fences: what lanes observe, acquire and release.

use std::sync::Arc;

use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::Access;
use warpvm_machine::program::{Ordering, Scope};
use warpvm_machine::slots::{LaneMask, lanes};

use super::Races;
use super::clock::Agent;
use super::events::Record;
use super::sync::{Pending, Release, Stamp};
use crate::Scene;

impl Races {
    /// Strong accesses: what they observe and what they let out.
    pub(super) fn synchronise(&mut self, s: &Scene<'_>, access: &Access<'_>) {
        let is_strong = access.ordering != Ordering::Weak || access.kind == AccessKind::Atomic;
        let base = match access.space {
            Space::Global => 0,
            Space::Shared => 1 << 63 | u64::from(access.shared_cta) << 32,
            Space::Local | Space::Param => return,
        };
        let is_release = matches!(access.ordering, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst);
        if self.words.is_empty() && !is_release && !self.threads(s).has_fences(s.who.warp) {
            // Nothing to observe, nothing to let out.
            return;
        }
        // Lanes mostly look at one word.
        let mut seen: (u64, Vec<Release>) = (u64::MAX, Vec::new());
        for lane in lanes(access.lanes) {
            let key = base | access.addresses.at(lane);
            if !is_strong {
                if access.kind == AccessKind::Write {
                    self.words.clear(key & !3);
                }
                continue;
            }
            let key = key & !3;
            if access.kind != AccessKind::Write && self.words.may_hold(key) {
                if seen.0 != key {
                    seen = (key, self.words.at(key).to_vec());
                }
                self.observe(s, access, lane, key, &seen.1);
            }
            if access.kind != AccessKind::Read {
                seen.0 = u64::MAX;
                self.let_out(s, access, lane, key);
            }
        }
    }

    /// Notes who comes to a word by a strong access.
    pub(super) fn take_turn(&mut self, s: &Scene<'_>, access: &Access<'_>) {
        if self.turns.is_turn(access.pc) {
            let threads = self.threads(s);
            let (row, times) = (Agent::Thread.row(threads.warps, s.who.warp), threads.lanes[s.who.warp as usize].now);
            self.turns.add(access, s.who.cta, row, &times);
        }
    }

    /// Has the lane seen, though not acquired, that what a record tells of is done?
    pub(super) fn has_heard(&mut self, s: &Scene<'_>, lane: usize, r: &Record) -> bool {
        let threads = self.threads(s);
        let warps = threads.warps;
        threads.pending(s.who.warp, lane).any(|p| {
            let known = p.release.know.of(p.release.cta, r.event.cta);
            reaches(s, p, p.scope) && known.is_some_and(|k| k.covers(warps, r.event.row, r.lanes, r.event.clock))
        })
    }

    /// A strong read of a word that may hold releases.
    fn observe(&mut self, s: &Scene<'_>, access: &Access<'_>, lane: usize, key: u64, releases: &[Release]) {
        let is_acquire = matches!(access.ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst);
        for release in releases {
            let pending =
                Pending { release: release.clone(), scope: access.scope, by_atomic: access.kind == AccessKind::Atomic };
            if is_acquire {
                self.acquire(s, lane, &pending);
            } else {
                self.threads(s).await_fence(s.who.warp, lane, key, pending);
            }
        }
    }

    /// Lanes acquire where the scopes allow.
    pub(super) fn acquire(&mut self, s: &Scene<'_>, lane: usize, pending: &Pending) {
        if reaches(s, pending, pending.scope) {
            self.threads(s).acquire(s.who.warp, lane, &pending.release);
        } else {
            self.refuse(s.who.cta, pending.release.clone());
        }
    }

    fn refuse(&mut self, cta: u32, release: Release) {
        let same = |(c, r): &(u32, Release)| *c == cta && Arc::ptr_eq(&r.know, &release.know);
        if self.narrow.len() < 256 && !self.narrow.iter().any(same) {
            self.narrow.push((cta, release));
        }
    }

    /// A strong write: what the lane releases with it.
    fn let_out(&mut self, s: &Scene<'_>, access: &Access<'_>, lane: usize, key: u64) {
        let warp = s.who.warp;
        let is_release = matches!(access.ordering, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst);
        let is_update = access.kind == AccessKind::Atomic;
        let threads = self.threads(s);
        if !is_release && !threads.has_fences(warp) {
            if !is_update {
                self.words.clear(key);
            }
            return;
        }
        let (warps, row) = (threads.warps, Agent::Thread.row(threads.warps, warp));
        let mut list = threads.released(warp, lane);
        if is_release {
            let w = &threads.lanes[warp as usize];
            list.push((access.scope, w.know(lane).clone(), w.now[lane]));
            threads.tick(warp, 1 << lane);
        }
        if !is_update {
            self.words.clear(key);
        }
        let mut set = Vec::new();
        for (scope, know, clock) in &list {
            let scope = (*scope).min(access.scope);
            let stamp = Stamp { scope, cta: s.who.cta, warps, row, lane, clock: *clock, know, pc: access.pc };
            if is_update {
                self.words.add(key, &stamp);
            } else {
                set.push(stamp.release());
            }
        }
        if !is_update {
            self.words.set(key, set);
        }
    }

    pub(super) fn fence(&mut self, s: &Scene<'_>, mask: LaneMask, ordering: Ordering, scope: Scope) {
        let warp = s.who.warp;
        let acquires = !matches!(ordering, Ordering::Release);
        let releases = !matches!(ordering, Ordering::Acquire);
        if acquires {
            let cta = s.who.cta;
            let refused = self.threads(s).acquire_pending(warp, mask, |p| reaches(s, p, scope.min(p.scope)));
            refused.into_iter().for_each(|r| self.refuse(cta, r));
        }
        if releases {
            self.threads(s).fence(warp, mask, scope);
        }
    }

    /// A block barrier stands in for the fence after an atomic read, as in the sample code of CUDA: what such a reader
    /// hands on to its CTA it has not cached before.
    pub(super) fn acquire_atomics(&mut self, s: &Scene<'_>, mask: LaneMask) {
        let (cta, warp) = (s.who.cta, s.who.warp);
        let mut narrow = Vec::new();
        self.threads(s).acquire_pending(warp, mask, |p| {
            let reached = reaches(s, p, p.scope);
            if p.by_atomic && !reached {
                narrow.push(p.release.clone());
            }
            p.by_atomic && reached
        });
        narrow.into_iter().for_each(|r| self.refuse(cta, r));
    }
}

/// Does a release reach the lane of the scene, where the acquiring side has this scope?
fn reaches(s: &Scene<'_>, p: &Pending, scope: Scope) -> bool {
    let scope = scope.min(p.release.scope);
    if scope >= Scope::Gpu || p.release.cta == s.who.cta {
        return true;
    }
    scope == Scope::Cluster && s.warp.ctas.iter().any(|c| c.index == p.release.cta)
}
