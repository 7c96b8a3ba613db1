//! Tensor maps that a kernel changes and then uses without the fences of their proxy.
//!
//! Tensor copies read a map through a proxy of its own. What a kernel writes to a map in global memory has to be released to it, by
//! `fence.proxy.tensormap::generic.release` or by `tensormap.cp_fenceproxy`, and acquired before the map is used, by
//! `fence.proxy.tensormap::generic.acquire` (PTX ISA, section 9.7.13.4). As with other proxies only what is wrong in any case is
//! found: nobody has released the map, or nobody of the CTA that uses it has acquired it since.

use std::collections::HashMap;

use warpvm_isa::{Modifier, Word};
use warpvm_machine::memory::Space;
use warpvm_machine::observe::Event;
use warpvm_machine::program::{Address, AsyncCopy, Collective, CollectiveOp, Inst, Kind, Pc, Program};
use warpvm_machine::slots::{LaneMask, lanes};

use crate::place::{describe, resolve};
use crate::{Context, Finding, Part, Related, Rule, Scene, wants};

const WHY: &str = "a tensor map that was changed in global memory must be released to its proxy and acquired from it before a tensor \
copy uses it; PTX ISA, section 9.7.13.4 (`fence.proxy.tensormap`)";

/// The last change of a map.
struct Change {
    time: u64,
    pc: Pc,
    warp: u32,
    lane: u32,
    cta: u32,
    is_released: bool,
}

/// See the module.
pub(crate) struct TensorMaps {
    /// Does the kernel change maps and use them, and is the rule wanted?
    is_needed: bool,
    now: u64,
    changes: HashMap<u64, Change>,
    /// When somebody of a CTA acquired last.
    acquired: HashMap<u32, u64>,
}

/// `fence.proxy.tensormap`, with a word.
fn is_fence(program: &Program, pc: Pc, word: Word) -> bool {
    let has = |word: Word| program.meta[pc as usize].modifiers.contains(&Modifier::Word(word));
    has(Word::TensormapGeneric) && has(word)
}

/// The map's address in a tensor copy.
fn map(copy: &AsyncCopy) -> [&Address; 2] {
    [&copy.source, &copy.destination]
}

impl TensorMaps {
    pub fn new(cx: &Context) -> Self {
        let is_change = |inst: &Inst| match &inst.kind {
            Kind::TensorMapReplace(_) => true,
            Kind::Collective(c) => matches!(c.op, CollectiveOp::TensorMap(_)),
            _ => false,
        };
        let is_use = |inst: &Inst| matches!(&inst.kind, Kind::AsyncCopy(copy) if copy.tensor.is_some());
        let code = &cx.program.code;
        let is_wanted = !cx.levels.drop_all(&[Rule::AsyncWait]);
        let is_needed = is_wanted && code.iter().any(is_change) && code.iter().any(is_use);
        TensorMaps { is_needed, now: 0, changes: HashMap::new(), acquired: HashMap::new() }
    }

    /// What an instruction is wanted for.
    pub fn wants(&self, inst: &Inst) -> u8 {
        let is_wanted = self.is_needed && matches!(inst.kind, Kind::TensorMapReplace(_) | Kind::AsyncCopy(_));
        if is_wanted { wants::STEP } else { 0 }
    }

    fn change(&mut self, s: &Scene<'_>, pc: Pc, address: &Address, mask: LaneMask, is_released: bool) {
        self.now += 1;
        for lane in lanes(mask) {
            let (space, _, at) = resolve(s, address, lane);
            if space == Space::Global {
                let (time, cta, warp) = (self.now, s.who.cta, s.who.warp);
                self.changes.insert(at, Change { time, pc, warp, lane: lane as u32, cta, is_released });
            }
        }
    }

    fn used(&mut self, s: &mut Scene<'_>, pc: Pc, copy: &AsyncCopy, mask: LaneMask) {
        let acquired = self.acquired.get(&s.who.cta).copied().unwrap_or(0);
        for lane in lanes(mask) {
            for address in map(copy) {
                let (space, _, at) = resolve(s, address, lane);
                let change = self.changes.get(&at).filter(|_| space == Space::Global);
                let Some(change) = change.filter(|c| !c.is_released || c.time > acquired) else { continue };
                if s.found.again(Rule::AsyncWait, pc, Some(change.pc)) {
                    return;
                }
                let missing = if change.is_released { "acquire" } else { "release" };
                let mut f = Finding::new(Rule::AsyncWait, pc, s.warp.cta, s.who.warp, mask, WHY);
                f.message = format!(
                    "a tensor map that the kernel changed is used without `fence.proxy.tensormap::generic.{missing}` in between"
                );
                let place = describe(s.cx, s.warp, Space::Global, at);
                f.here = format!("lane {lane} of warp {} uses the map at {place}", s.who.warp);
                let text = format!("lane {} of warp {} changed it", change.lane, change.warp);
                f.related.push(Related::new(change.pc, text));
                s.found.add(f);
                return;
            }
        }
    }
}

impl Part for TensorMaps {
    fn step(&mut self, s: &mut Scene<'_>, pc: Pc, inst: &Inst, _split: LaneMask, lanes: LaneMask) {
        if !self.is_needed {
            return;
        }
        match &inst.kind {
            Kind::TensorMapReplace(t) => self.change(s, pc, &t.address, lanes, false),
            Kind::AsyncCopy(copy) if copy.tensor.is_some() => self.used(s, pc, copy, lanes),
            _ => {}
        }
    }

    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        if !self.is_needed {
            return;
        }
        let cx = s.cx;
        let program = &*cx.program;
        match *event {
            Event::Collective { pcs: &[(pc, mask), ..], .. } => {
                if let Kind::Collective(Collective { op: CollectiveOp::TensorMap(t), .. }) =
                    &program.code[pc as usize].kind
                {
                    self.change(s, pc, &t.destination, mask & mask.wrapping_neg(), true);
                }
            }
            Event::Fence { pc, .. } if is_fence(program, pc, Word::Acquire) => {
                self.now += 1;
                self.acquired.insert(s.who.cta, self.now);
            }
            Event::Fence { pc, .. } if is_fence(program, pc, Word::Release) => {
                let own = self.changes.values_mut().filter(|c| c.cta == s.who.cta);
                own.for_each(|c| c.is_released = true);
            }
            _ => {}
        }
    }
}
