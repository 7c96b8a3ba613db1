//! Warp collectives: what can be said when lanes arrive at one or complete it.
//!
//! A mask that lacks its caller ends the launch, and lanes that never arrive end it too: [`crate::faults`] makes those
//! findings. Here is what needs no such end: segment widths, exited lanes in a mask, one collective at two places. And
//! the [`History`] of who came by which collective with which mask, which tells a wrong mask from a missing lane.

use std::collections::HashMap;

use warpvm_machine::observe::Event;
use warpvm_machine::program::{CollectiveOp, Kind, Pc};
use warpvm_machine::slots::{LaneMask, lanes};

use crate::finding::{Finding, Related, Rule};
use crate::words::{spelled, verb, who};
use crate::{Context, Part, Scene};

const WHY_WIDTH: &str = "the width of a shuffle's segments must be a power of two up to 32; CUDA C++ Programming Guide, \
warp shuffle functions; PTX ISA, shfl.sync";
const WHY_SITES: &str = "PTX lets lanes meet wherever operation and mask are the same; CUDA C++ asks for one and the \
same call";
const WHY_EXITED: &str = "PTX ISA 6.2 and later waits for the lanes of the mask that have not exited; before that, and in \
CUDA C++, every named lane has to arrive";

/// A lane's visits to a collective.
#[derive(Clone, Copy, Default)]
pub(crate) struct Visit {
    /// How many.
    pub count: u32,
    /// The mask of the last.
    pub mask: LaneMask,
}

/// Who came by which collective.
#[derive(Default)]
pub(crate) struct History {
    warps: HashMap<([u32; 3], u32), HashMap<Pc, [Visit; 32]>>,
}

impl History {
    /// A lane's visits to the collective at a place, if anybody was there.
    pub fn visits(&self, cta: [u32; 3], warp: u32, pc: Pc, lane: usize) -> Option<Visit> {
        self.warps.get(&(cta, warp))?.get(&pc).map(|v| v[lane])
    }

    fn arrive(&mut self, cta: [u32; 3], warp: u32, pc: Pc, who: LaneMask, mask: LaneMask) {
        let visits = self.warps.entry((cta, warp)).or_default().entry(pc).or_default();
        for lane in lanes(who) {
            visits[lane].count += 1;
            visits[lane].mask = mask;
        }
    }
}

/// See the module.
pub(crate) struct Collectives {
    pub history: History,
}

impl Collectives {
    pub fn new(_cx: &Context) -> Self {
        Collectives { history: History::default() }
    }

    fn complete(s: &mut Scene<'_>, pcs: &[(Pc, LaneMask)], mask: LaneMask, here: LaneMask) {
        two_sites(s, pcs, mask);
        let exited = mask & s.warp.exists & !s.warp.live;
        if exited != 0 {
            exited_lanes(s, pcs[0].0, mask, here, exited);
        }
    }
}

impl Part for Collectives {
    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        match *event {
            Event::CollectiveArrive { pc, lanes, mask, .. } => {
                self.history.arrive(s.warp.cta, s.who.warp, pc, lanes, mask);
                width(s, pc, lanes);
            }
            Event::Collective { pcs, mask, lanes } => Self::complete(s, pcs, mask, lanes),
            Event::Exit { lanes, .. } if s.warp.live & !lanes == 0 => {
                self.history.warps.remove(&(s.warp.cta, s.who.warp));
            }
            _ => {}
        }
    }
}

/// Does operand c of a shuffle cut the warp into segments that `width` can stand for?
fn width(s: &mut Scene<'_>, pc: Pc, who_: LaneMask) {
    let Kind::Collective(c) = &s.cx.program.code[pc as usize].kind else { return };
    if !matches!(c.op, CollectiveOp::Shfl(_)) || !c.sources[2].is_some() {
        return;
    }
    let row = s.warp.regs.row32(c.sources[2]);
    let is_bad = |c: u32| width_of(c).is_none();
    let bad: LaneMask = lanes(who_).filter(|&l| is_bad(row[l])).fold(0, |m, l| m | 1 << l);
    if bad == 0 {
        return;
    }
    let c = row[bad.trailing_zeros() as usize];
    let width = 32 - (c as i32 >> 8);
    let mut f = Finding::new(Rule::ShflWidth, pc, s.warp.cta, s.who.warp, bad, WHY_WIDTH);
    f.message = format!("a shuffle's segments are {width} lanes wide, which is not a power of two up to 32");
    f.here = format!("{} {} segment mask {:#04x}", who(bad), verb(bad, "gives", "give"), c >> 8);
    s.found.add(f);
}

/// The width that a compiler makes this operand c of: `(32 - width) << 8`, with the clamp in the low bits.
fn width_of(c: u32) -> Option<u32> {
    let width = 32u32.checked_sub(c >> 8)?;
    width.is_power_of_two().then_some(width)
}

fn two_sites(s: &mut Scene<'_>, pcs: &[(Pc, LaneMask)], mask: LaneMask) {
    let (first, first_lanes) = pcs[0];
    let home = s.found.site(first);
    let Some(&(pc, others)) = pcs.iter().find(|(pc, _)| s.found.site(*pc) != home) else { return };
    let ((pc, others), (first, first_lanes)) =
        if pc < first { ((first, first_lanes), (pc, others)) } else { ((pc, others), (first, first_lanes)) };
    let mut f = Finding::new(Rule::TwoSites, first, s.warp.cta, s.who.warp, first_lanes, WHY_SITES);
    f.message = format!("lanes meet in {} at two places", spelled(&s.cx.program, first));
    f.here = format!("{} {} here with mask {mask:#010x}", who(first_lanes), verb(first_lanes, "is", "are"));
    f.related.push(Related { pc, message: format!("{} {} here", who(others), verb(others, "is", "are")) });
    s.found.add(f);
}

fn exited_lanes(s: &mut Scene<'_>, pc: Pc, mask: LaneMask, here: LaneMask, exited: LaneMask) {
    let mut f = Finding::new(Rule::ExitedLane, pc, s.warp.cta, s.who.warp, exited, WHY_EXITED);
    f.message = format!("the mask of {} names lanes that have exited", spelled(&s.cx.program, pc));
    f.here = format!(
        "{} {} mask {mask:#010x}, but {} {} exited",
        who(here),
        verb(here, "passes", "pass"),
        who(exited),
        verb(exited, "has", "have")
    );
    s.found.add(f);
}
