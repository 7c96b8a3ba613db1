//! Warp collectives (PTX ISA, section 9.7.13 and 9.7.9.6).
//!
//! A lane that reaches one registers the operation with its qualifiers and its mask, and waits until every lane of
//! the mask that has not exited has registered the same. Then all complete together, wherever they are. Where lanes
//! of one split give several masks, each mask is a collective of its own.

use super::{Engine, Group, Split, Wait, WaitFor, Warp, WarpContext};
use crate::fault::{Fault, FaultKind};
use crate::observe::{Event, Observer};
use crate::program::{Collective, CollectiveOp, Kind, Pc, Program, ReduxOp, ShflMode};
use crate::slots::{Class, FULL, LaneMask, Registers, Slot, lanes};

impl<O: Observer> Engine<'_, O> {
    /// A split reaches a collective. Gives it back where it goes on whole.
    pub(super) fn collective(
        &mut self,
        group: &mut Group,
        w: usize,
        split: Split,
    ) -> Result<Option<Split>, Box<Fault>> {
        let pc = split.pc;
        let c = collective_at(self.cx.program, pc);
        if !c.mask.is_some() {
            self.tell_complete(group, w, &[(pc, split.mask)], split.mask, split.mask);
            self.complete(group, w, &[(pc, split.mask)], split.mask)?;
            return Ok(Some(Split { pc: pc + 1, ..split }));
        }
        let masks = group.warps[w].regs.row32(c.mask);
        if split.mask == FULL && masks.iter().fold(FULL, |all, m| all & m) == FULL {
            // Everybody is here and together.
            if O::ACTIVE && !self.observer.whole_collective(Self::who(group, w), pc) {
                let event = Event::CollectiveArrive { pc, lanes: FULL, mask: FULL, exited: 0 };
                self.tell(group, w, &event);
                self.tell(group, w, &Event::Collective { pcs: &[(pc, FULL)], mask: FULL, lanes: FULL });
            }
            self.complete(group, w, &[(pc, FULL)], FULL)?;
            return Ok(Some(Split { pc: pc + 1, ..split }));
        }
        let live = group.warps[w].live;
        let exited = group.warps[w].exists & !live;
        let (parts, count) = parts_of(masks, split.mask);
        let parts = &parts[..count];
        let mut whole = true;
        for &(mask, same) in parts {
            if O::ACTIVE {
                let event = Event::CollectiveArrive { pc, lanes: same, mask, exited };
                self.tell(group, w, &event);
            }
            if same & !mask != 0 {
                return Err(Self::fault(group, w, pc, same & !mask, FaultKind::OwnLane { mask }));
            }
            whole &= mask & live & !same == 0;
        }
        if whole {
            for &(mask, same) in parts {
                self.tell_complete(group, w, &[(pc, same)], mask, same);
                self.complete(group, w, &[(pc, same)], same)?;
            }
            return Ok(Some(Split { pc: pc + 1, ..split }));
        }
        let key = operation_key(c, pc);
        for &(mask, same) in parts {
            let part = Split { mask: same, ..split.clone() };
            group.warps[w].waits.push(Wait { split: part, what: WaitFor::Collective { key, mask } });
        }
        self.settle_collectives(group, w)?;
        Ok(None)
    }

    /// Does a collective for lanes of a warp that compiled code runs, where they are all that it waits for; `live` are those that
    /// have not exited. False where they have to wait, or where a lane is not in its own mask.
    ///
    /// # Errors
    /// What goes wrong in it.
    pub(crate) fn run_collective(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        here: LaneMask,
        live: LaneMask,
    ) -> Result<bool, Box<Fault>> {
        self.stretch += 1;
        let c = collective_at(self.cx.program, pc);
        let (parts, count) = parts_of(group.warps[w].regs.row32(c.mask), here);
        let parts = &parts[..count];
        if parts.iter().any(|&(mask, same)| same & !mask != 0 || mask & live & !same != 0) {
            return Ok(false);
        }
        for &(_, same) in parts {
            self.complete(group, w, &[(pc, same)], same)?;
        }
        Ok(true)
    }

    /// Completes every collective of a warp whose lanes are all there.
    pub(super) fn settle_collectives(&mut self, group: &mut Group, w: usize) -> Result<(), Box<Fault>> {
        loop {
            let warp = &group.warps[w];
            let found = warp.waits.iter().find_map(|wait| match wait.what {
                WaitFor::Collective { key, mask } => {
                    let here = arrived(warp, key, mask);
                    (mask & warp.live & !here == 0).then_some((key, mask, here))
                }
                _ => None,
            });
            let Some((key, mask, here)) = found else { return Ok(()) };
            let wanted = WaitFor::Collective { key, mask };
            // Each of those that wait has a lane at least.
            let mut pcs = [(0, 0); 32];
            let done = warp.waits.iter().filter(|wait| wait.what == wanted);
            let count = pcs.iter_mut().zip(done).map(|(to, d)| *to = (d.split.pc, d.split.mask)).count();
            self.tell_complete(group, w, &pcs[..count], mask, here);
            self.complete(group, w, &pcs[..count], here)?;
            let warp = &mut group.warps[w];
            for i in (0..warp.waits.len()).rev() {
                if warp.waits[i].what != wanted {
                    continue;
                }
                let wait = warp.waits.remove(i);
                let next = Split { pc: wait.split.pc + 1, ..wait.split };
                let twin = warp.ready.iter_mut().find(|r| {
                    r.pc == next.pc && r.join == next.join && super::warp::same_frame(&r.frames, &next.frames)
                });
                match twin {
                    Some(twin) => twin.mask |= next.mask,
                    None => warp.ready.push(next),
                }
            }
        }
    }

    fn warp_context<'g>(&self, group: &'g mut Group, w: usize) -> WarpContext<'g>
    where
        Self: 'g,
    {
        let Group { warps, ctas, .. } = group;
        let warp = &mut warps[w];
        WarpContext { cta: warp.cta, warp: warp.number, regs: &mut warp.regs, ctas, global: self.cx.global }
    }

    fn tell_complete(&mut self, group: &Group, w: usize, pcs: &[(Pc, LaneMask)], mask: LaneMask, here: LaneMask) {
        if O::ACTIVE {
            self.tell(group, w, &Event::Collective { pcs, mask, lanes: here });
        }
    }

    /// All lanes of a collective are there: computes and writes the results.
    fn complete(
        &mut self,
        group: &mut Group,
        w: usize,
        pcs: &[(Pc, LaneMask)],
        here: LaneMask,
    ) -> Result<(), Box<Fault>> {
        let program = self.cx.program;
        let first = collective_at(program, pcs[0].0);
        if let CollectiveOp::Other(op) = &first.op {
            if O::ACTIVE {
                let reads = op.shared_reads(&self.warp_context(group, w), here);
                self.observe_reads(group, w, pcs[0].0, here, &reads);
            }
            let done = op.run(&mut self.warp_context(group, w), here);
            return done.map_err(|kind| Self::fault(group, w, pcs[0].0, here, kind));
        }
        if let CollectiveOp::Matrix(m) = &first.op {
            return self.matrix_copy(group, w, pcs[0].0, m, here);
        }
        if let CollectiveOp::Fragment(m) = &first.op {
            return self.fragment_copy(group, w, pcs[0].0, m, here);
        }
        if let CollectiveOp::TensorMap(t) = &first.op {
            return self.tensor_map_copy(group, w, pcs[0].0, t, here);
        }
        let is_one_place = pcs.iter().all(|(pc, _)| *pc == pcs[0].0);
        if is_one_place && here == FULL && quick_shuffle(self.level, first, &mut group.warps[w].regs) {
            return Ok(());
        }
        let regs = &mut group.warps[w].regs;
        let values = Inputs::gather(program, regs, pcs);
        let mut out = Outputs { value: [0; 32], predicate: 0 };
        compute(&first.op, &values, here, &mut out);
        for &(pc, lanes_here) in pcs {
            let c = collective_at(program, pc);
            if c.predicate.is_some() {
                regs.set_pred(c.predicate, lanes_here, out.predicate);
            }
            if !c.result.is_some() {
                continue;
            }
            if matches!(
                c.op,
                CollectiveOp::VoteAll { .. } | CollectiveOp::VoteAny { .. } | CollectiveOp::VoteUni { .. }
            ) {
                regs.set_pred(c.result, lanes_here, out.predicate);
            } else {
                let row = regs.row32_mut(c.result);
                for i in 0..32 {
                    row[i] = if lanes_here >> i & 1 != 0 { out.value[i] } else { row[i] };
                }
            }
        }
        Ok(())
    }
}

/// Lanes by the mask that they give: each mask, and who gives it.
fn parts_of(masks: &[u32; 32], mut rest: LaneMask) -> ([(LaneMask, LaneMask); 32], usize) {
    let mut parts = [(0, 0); 32];
    let mut count = 0;
    while rest != 0 {
        let mask = masks[rest.trailing_zeros() as usize];
        let same = rest & (0..32).fold(0, |m, i| m | u32::from(masks[i] == mask) << i);
        rest &= !same;
        parts[count] = (mask, same);
        count += 1;
    }
    (parts, count)
}

/// A shuffle of all 32 lanes. False where it is something else.
fn quick_shuffle(level: u8, c: &Collective, regs: &mut Registers) -> bool {
    let CollectiveOp::Shfl(mode) = c.op else { return false };
    let slots = super::fast::ShuffleSlots { sources: c.sources, result: c.result, predicate: c.predicate };
    super::fast::shuffle(level, regs, mode, &slots)
}

/// The collective at a program counter.
pub(super) fn collective_at(program: &Program, pc: Pc) -> &Collective {
    match &program.code[pc as usize].kind {
        Kind::Collective(c) => c,
        _ => unreachable!("waits for a collective at one"),
    }
}

/// Lanes meet where this is the same: operations of the whole warp (`.aligned`) only at one instruction.
fn operation_key(c: &Collective, pc: Pc) -> u32 {
    match c.op {
        CollectiveOp::Other(_) | CollectiveOp::Matrix(_) | CollectiveOp::Fragment(_) | CollectiveOp::TensorMap(_) => {
            c.key ^ pc.wrapping_mul(0x9E37_79B9)
        }
        _ => c.key,
    }
}

/// Lanes that wait for this collective.
fn arrived(warp: &Warp, key: u32, mask: LaneMask) -> LaneMask {
    let wanted = WaitFor::Collective { key, mask };
    warp.waits.iter().filter(|w| w.what == wanted).fold(0, |m, w| m | w.split.mask)
}

/// The operands of all lanes.
struct Inputs {
    value: [u64; 32],
    second: [u32; 32],
    third: [u32; 32],
    predicate: LaneMask,
}

impl Inputs {
    fn gather(program: &Program, regs: &Registers, pcs: &[(Pc, LaneMask)]) -> Self {
        let mut all = Inputs { value: [0; 32], second: [0; 32], third: [0; 32], predicate: 0 };
        for &(pc, mask) in pcs {
            let c = collective_at(program, pc);
            match &c.op {
                CollectiveOp::VoteAll { negated }
                | CollectiveOp::VoteAny { negated }
                | CollectiveOp::VoteUni { negated }
                | CollectiveOp::VoteBallot { negated } => {
                    let bits = regs.pred(c.sources[0]);
                    all.predicate |= mask & if *negated { !bits } else { bits };
                }
                CollectiveOp::MatchAny(Class::R64) | CollectiveOp::MatchAll(Class::R64) => {
                    let row = regs.row64(c.sources[0]);
                    lanes(mask).for_each(|i| all.value[i] = row[i]);
                }
                _ => {
                    if c.sources[0].is_some() {
                        let row = regs.row32(c.sources[0]);
                        // A shuffle may read a lane that takes no part: what its register holds.
                        let wide = if pcs.len() == 1 { !0 } else { mask };
                        lanes(wide).for_each(|i| all.value[i] = u64::from(row[i]));
                    }
                    copy(regs, c.sources[1], mask, &mut all.second);
                    copy(regs, c.sources[2], mask, &mut all.third);
                }
            }
        }
        all
    }
}

fn copy(regs: &Registers, slot: Slot, mask: LaneMask, to: &mut [u32; 32]) {
    if slot.is_some() {
        let row = regs.row32(slot);
        lanes(mask).for_each(|i| to[i] = row[i]);
    }
}

struct Outputs {
    value: [u32; 32],
    predicate: LaneMask,
}

/// The source lane of a shuffle and whether it is in range (PTX ISA, section 9.7.9.6).
#[inline(always)]
pub fn shuffle_source(mode: ShflMode, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let segment = c >> 8 & 31;
    let clamp = c & 31;
    let max = (lane & segment) | (clamp & !segment);
    let min = lane & segment;
    let b = b & 31;
    let (from, valid) = match mode {
        ShflMode::Up => {
            let j = lane as i32 - b as i32;
            (j, j >= max as i32)
        }
        ShflMode::Down => ((lane + b) as i32, lane + b <= max),
        ShflMode::Bfly => ((lane ^ b) as i32, lane ^ b <= max),
        ShflMode::Idx => {
            let j = min | (b & !segment);
            (j as i32, j <= max)
        }
    };
    if valid { (from as u32 & 31, true) } else { (lane, false) }
}

fn compute(op: &CollectiveOp, x: &Inputs, here: LaneMask, out: &mut Outputs) {
    let spread = |bit: bool| if bit { !0 } else { 0 };
    match op {
        CollectiveOp::VoteAll { .. } => out.predicate = spread(x.predicate & here == here),
        CollectiveOp::VoteAny { .. } => out.predicate = spread(x.predicate & here != 0),
        CollectiveOp::VoteUni { .. } => {
            out.predicate = spread(x.predicate & here == here || x.predicate & here == 0);
        }
        CollectiveOp::VoteBallot { .. } => out.value = [x.predicate & here; 32],
        CollectiveOp::Shfl(mode) => {
            for i in 0..32 {
                let (from, valid) = shuffle_source(*mode, i as u32, x.second[i], x.third[i]);
                out.value[i] = x.value[from as usize] as u32;
                out.predicate |= u32::from(valid) << i;
            }
        }
        CollectiveOp::MatchAny(_) => {
            let mut rest = here;
            while rest != 0 {
                let value = x.value[rest.trailing_zeros() as usize & 31];
                let same = here & (0..32).fold(0, |m, i| m | u32::from(x.value[i] == value) << i);
                lanes(same).for_each(|i| out.value[i] = same);
                rest &= !same;
            }
        }
        CollectiveOp::MatchAll(_) => {
            let first = x.value[here.trailing_zeros() as usize & 31];
            let same = lanes(here).all(|i| x.value[i] == first);
            out.value = [if same { here } else { 0 }; 32];
            out.predicate = spread(same);
        }
        CollectiveOp::Redux(op) => out.value = [redux(*op, &x.value, here); 32],
        CollectiveOp::Elect => {
            let leader = here.trailing_zeros();
            out.value = [leader; 32];
            out.predicate = 1 << (leader & 31);
        }
        CollectiveOp::BarWarp
        | CollectiveOp::Matrix(_)
        | CollectiveOp::Fragment(_)
        | CollectiveOp::TensorMap(_)
        | CollectiveOp::Other(_) => {}
    }
}

fn redux(op: ReduxOp, x: &[u64; 32], here: LaneMask) -> u32 {
    let values = lanes(here).map(|i| x[i] as u32);
    let folded = match op {
        ReduxOp::Add => values.reduce(u32::wrapping_add),
        ReduxOp::MinU => values.min(),
        ReduxOp::MaxU => values.max(),
        ReduxOp::MinS => values.map(|v| v as i32).min().map(|v| v as u32),
        ReduxOp::MaxS => values.map(|v| v as i32).max().map(|v| v as u32),
        ReduxOp::And => values.reduce(|a, b| a & b),
        ReduxOp::Or => values.reduce(|a, b| a | b),
        ReduxOp::Xor => values.reduce(|a, b| a ^ b),
        ReduxOp::MinF { abs, nan } => values.reduce(|a, b| float_extreme(a, b, abs, nan, false)),
        ReduxOp::MaxF { abs, nan } => values.reduce(|a, b| float_extreme(a, b, abs, nan, true)),
    };
    // One lane alone went through no operation, but its sign and NaN are treated as the operation treats them.
    match (op, folded) {
        (ReduxOp::MinF { abs, nan } | ReduxOp::MaxF { abs, nan }, Some(v)) => float_extreme(v, v, abs, nan, true),
        (_, v) => v.unwrap_or(0),
    }
}

/// `redux.sync.min/max{.abs}{.NaN}.f32`: -0 is below +0; NaN loses, or wins with `.NaN`, and is then canonical.
fn float_extreme(a: u32, b: u32, abs: bool, nan: bool, max: bool) -> u32 {
    const CANONICAL: u32 = 0x7fff_ffff;
    let clear = |v: u32| if abs { v & 0x7fff_ffff } else { v };
    let (a, b) = (clear(a), clear(b));
    let is_nan = |v: u32| v & 0x7fff_ffff > 0x7f80_0000;
    match (is_nan(a), is_nan(b)) {
        (true, true) => return CANONICAL,
        (true, false) => return if nan { CANONICAL } else { b },
        (false, true) => return if nan { CANONICAL } else { a },
        (false, false) => {}
    }
    let order = |v: u32| if v >> 31 != 0 { !v } else { v | 0x8000_0000 };
    if (order(a) > order(b)) == max { a } else { b }
}
