//! The cluster barrier.

use std::sync::Arc;

use warpvm_machine::program::{BarrierOp, Kind, Pc, Scope};
use warpvm_machine::slots::{LaneMask, lanes};

use super::Races;
use super::clock::Know;
use super::sync::Release;
use crate::Scene;

impl Races {
    pub(super) fn cluster_arrive(&mut self, s: &Scene<'_>, pc: Pc, mask: LaneMask) {
        let is_release = !matches!(&s.cx.program.code[pc as usize].kind,
            Kind::Barrier(b) if b.op == BarrierOp::ClusterArrive { release: false });
        let first = s.warp.ctas.first().map_or(s.who.cta, |c| c.index);
        let (cta, warp) = (s.who.cta, s.who.warp);
        for lane in lanes(mask) {
            let own = self.cta(cta);
            let phase = own.phases[warp as usize][lane];
            own.phases[warp as usize][lane] += 1;
            let w = &own.threads.lanes[warp as usize];
            let (know, now) = (w.know(lane).clone(), w.now[lane]);
            if is_release {
                let sum = self.clusters.entry((first, phase)).or_default();
                sum.join(first, &know, cta);
                let mut only = Know::default();
                only.own.raise(warp as u16, lane, now);
                sum.join(first, &only, cta);
            }
        }
        self.threads(s).tick(warp, mask);
    }

    pub(super) fn cluster_wait(&mut self, s: &Scene<'_>, pc: Pc, mask: LaneMask) {
        let relaxed = matches!(&s.cx.program.code[pc as usize].kind,
            Kind::Barrier(b) if b.op == BarrierOp::ClusterWait { acquire: false });
        if relaxed {
            return;
        }
        let first = s.warp.ctas.first().map_or(s.who.cta, |c| c.index);
        for lane in lanes(mask) {
            let arrived = self.cta(s.who.cta).phases[s.who.warp as usize][lane];
            let Some(phase) = arrived.checked_sub(1) else { continue };
            let Some(know) = self.clusters.get(&(first, phase)) else { continue };
            let release = Release { scope: Scope::Cluster, cta: first, know: Arc::new(know.clone()), pc };
            self.threads(s).acquire(s.who.warp, lane, &release);
        }
    }
}
