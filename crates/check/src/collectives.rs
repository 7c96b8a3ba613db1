//! Warp collectives: what can be said when lanes arrive at one or complete it.
//!
//! A mask that lacks its caller ends the launch, and lanes that never arrive end it too: [`crate::faults`] makes those
//! findings. Here is what needs no such end: segment widths, exited lanes in a mask, one collective at two places. And
//! the [`History`] of who came by which collective with which mask, which tells a wrong mask from a missing lane.

use std::collections::HashMap;

use warpvm_isa::Opcode;
use warpvm_machine::observe::{Event, Who};
use warpvm_machine::program::{CollectiveOp, Inst, Kind, Pc, Place, Preset, PresetValue, Program, Role, ShflMode};
use warpvm_machine::slots::{FULL, LaneMask, Slot, lanes};

use crate::finding::{Finding, Related, Rule, Sites};
use crate::states::States;
use crate::words::{spelled, verb, who};
use crate::{Context, Part, Scene};

pub(crate) const WHY_MASK: &str = "a collective waits for every lane of its mask that has not exited, and lanes meet \
only where operation and mask are the same; PTX ISA, membermask of the `.sync` instructions";
const WHY_WIDTH: &str = "the width of a shuffle's segments must be a power of two up to 32; CUDA C++ Programming Guide, \
warp shuffle functions; PTX ISA, shfl.sync";
const WHY_SITES: &str = "PTX lets lanes meet wherever operation and mask are the same; CUDA C++ asks for one and the \
same call";
const WHY_EXITED: &str = "PTX ISA 6.2 and later waits for the lanes of the mask that have not exited; before that, and in \
CUDA C++, every named lane has to arrive";

/// The visits of a warp's lanes to a collective: how many, and the mask of the last. Those of all lanes together are not
/// counted: they change nothing in who came more often.
#[derive(Clone, Default)]
struct Visits {
    count: [u32; 32],
    mask: [LaneMask; 32],
    /// Was the last one of all lanes, with the mask of all?
    is_whole: bool,
}

impl Visits {
    fn mask(&self, lane: usize) -> LaneMask {
        if self.is_whole { FULL } else { self.mask[lane] }
    }

    #[inline(never)]
    fn arrive(&mut self, who: LaneMask, mask: LaneMask) {
        if std::mem::replace(&mut self.is_whole, false) {
            self.mask = [FULL; 32];
        }
        // A lane's bit from a table: a loop of shifts by different distances is slow.
        const BITS: [LaneMask; 32] = {
            let mut bits = [1; 32];
            let mut lane = 1;
            while lane < 32 {
                bits[lane] = bits[lane - 1] << 1;
                lane += 1;
            }
            bits
        };
        for lane in 0..32 {
            let is_here = who & BITS[lane] != 0;
            self.count[lane] += u32::from(is_here);
            self.mask[lane] = if is_here { mask } else { self.mask[lane] };
        }
    }
}

/// Who came by which collective.
pub(crate) struct History {
    /// For each instruction, the number of its place among those of collectives: a compiler lays a loop's collective
    /// out several times.
    numbers: Vec<u32>,
    grid: [u32; 3],
    /// Visits to each collective, by its number.
    warps: States<Vec<Visits>>,
}

impl Default for History {
    fn default() -> Self {
        History { numbers: Vec::new(), grid: [0; 3], warps: States::new() }
    }
}

/// A warp among all.
fn key(who: Who) -> u64 {
    u64::from(who.cta) << 16 | u64::from(who.warp)
}

impl History {
    fn new(program: &Program, sites: &Sites, grid: [u32; 3]) -> Self {
        let mut known: HashMap<Pc, u32> = HashMap::new();
        let number = |(inst, pc): (&Inst, Pc)| match inst.kind {
            Kind::Collective(_) => {
                let next = known.len() as u32;
                *known.entry(sites.site(pc)).or_insert(next)
            }
            _ => 0,
        };
        let numbers = program.code.iter().zip(0..).map(number).collect();
        History { numbers, grid, warps: States::new() }
    }

    /// Those of some lanes that came by a place as often as `lane` did, the last time with another mask than `mask`;
    /// and that mask.
    pub fn passed(
        &self,
        cta: [u32; 3],
        warp: u32,
        pc: Pc,
        lane: usize,
        mask: LaneMask,
        of: LaneMask,
    ) -> Option<(LaneMask, LaneMask)> {
        let ([x, y, z], grid) = (cta, self.grid);
        let key = key(Who { cta: x + grid[0] * (y + grid[1] * z), warp });
        let list = self.warps.get(key)?;
        let visits = list.get(*self.numbers.get(pc as usize)? as usize)?;
        let came = |l: &usize| visits.count[*l] >= visits.count[lane];
        let other = lanes(of).filter(came).map(|l| visits.mask(l)).find(|m| *m != mask)?;
        let with_it = lanes(of).filter(came).filter(|&l| visits.mask(l) == other).fold(0, |m, l| m | 1 << l);
        Some((with_it, other))
    }

    /// The visits of a warp to a place.
    #[inline]
    fn visits(&mut self, who: Who, pc: Pc) -> &mut Visits {
        let number = self.numbers[pc as usize] as usize;
        let list = self.warps.get_or(key(who), Vec::new);
        if list.len() <= number {
            list.resize_with(number + 1, Visits::default);
        }
        &mut list[number]
    }

    /// All lanes come by, each with the mask of all.
    #[inline]
    pub fn whole(&mut self, who: Who, pc: Pc) {
        self.visits(who, pc).is_whole = true;
    }

    fn forget(&mut self, who: Who) {
        self.warps.remove(key(who));
    }
}

/// See the module.
pub(crate) struct Collectives {
    pub history: History,
}

impl Collectives {
    pub fn new(cx: &Context) -> Self {
        Collectives { history: History::new(&cx.program, &cx.sites, cx.grid) }
    }

    fn complete(&self, s: &mut Scene<'_>, pcs: &[(Pc, LaneMask)], mask: LaneMask, here: LaneMask) {
        two_sites(s, pcs, mask);
        let exited = mask & s.warp.exists & !s.warp.live;
        if exited == 0 {
            return;
        }
        let (pc, waited) = pcs[0];
        match self.history.passed(s.warp.cta, s.who.warp, pc, waited.trailing_zeros() as usize, mask, exited) {
            Some((other, theirs)) => other_mask(s, pc, mask, here, other, theirs),
            None => exited_lanes(s, pc, mask, here, exited),
        }
    }
}

impl Part for Collectives {
    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        match *event {
            Event::CollectiveArrive { pc, lanes, mask, .. } => {
                if lanes & mask == FULL {
                    self.history.whole(s.who, pc);
                } else {
                    self.history.visits(s.who, pc).arrive(lanes, mask);
                }
                width(s, pc, lanes);
            }
            Event::Collective { pcs, mask, lanes } => self.complete(s, pcs, mask, lanes),
            Event::Exit { lanes, .. } if s.warp.live & !lanes == 0 => {
                self.history.forget(s.who);
            }
            _ => {}
        }
    }
}

/// Does operand c of a shuffle stand for a `width` that CUDA C++ does not allow? Any c is defined in PTX, so only what a
/// compiler makes of a width is looked at, and only where all lanes have such.
fn width(s: &mut Scene<'_>, pc: Pc, arrived: LaneMask) {
    let Kind::Collective(c) = &s.cx.program.code[pc as usize].kind else { return };
    let CollectiveOp::Shfl(mode) = c.op else { return };
    let row = s.warp.regs.row32(c.sources[2]);
    let is_one = row.iter().fold(0, |x, c| x | (c ^ row[0])) == 0;
    if is_one && width_of(mode, row[0]).is_none_or(is_legal_width) {
        return;
    }
    let mut bad: LaneMask = 0;
    for lane in lanes(arrived) {
        match width_of(mode, row[lane]) {
            None => return,
            Some(width) if is_legal_width(width) => {}
            Some(_) => bad |= 1 << lane,
        }
    }
    let Some(width) = lanes(bad).find_map(|lane| width_of(mode, row[lane])) else { return };
    let mut f = Finding::new(Rule::ShflWidth, pc, s.warp.cta, s.who.warp, bad, WHY_WIDTH);
    f.message = format!("a shuffle's segments are {width} lanes wide, which is not a power of two up to 32");
    f.here = format!("{} {} width {width}", who(bad), verb(bad, "gives", "give"));
    s.found.add(f);
}

/// Does all that there is to say of a collective of a whole warp come from undefined values?
pub(crate) fn is_plain(inst: &Inst, constants: &Constants) -> bool {
    let Kind::Collective(c) = &inst.kind else { return false };
    match c.op {
        CollectiveOp::Shfl(mode) => {
            constants.of(c.sources[2]).is_some_and(|bits| width_of(mode, bits as u32).is_none_or(is_legal_width))
        }
        CollectiveOp::VoteAll { .. }
        | CollectiveOp::VoteAny { .. }
        | CollectiveOp::VoteUni { .. }
        | CollectiveOp::VoteBallot { .. }
        | CollectiveOp::MatchAny(_)
        | CollectiveOp::MatchAll(_)
        | CollectiveOp::Redux(_)
        | CollectiveOp::Elect => true,
        _ => false,
    }
}

/// Rows that hold one constant from when they are written, if they are.
pub(crate) struct Constants(HashMap<Slot, Option<u64>>);

impl Constants {
    /// Those of a program.
    pub fn new(program: &Program) -> Self {
        let of = |p: &Preset| match p.value {
            PresetValue::Constant(bits) => Some((p.slot, bits)),
            _ => None,
        };
        let preset: HashMap<Slot, u64> = program.presets.iter().filter_map(of).collect();
        let mut known: HashMap<Slot, Option<u64>> = preset.iter().map(|(slot, bits)| (*slot, Some(*bits))).collect();
        for meta in &program.meta {
            let value = match meta.operands[..] {
                [(Role::Write, ..), (Role::Read, _, from)] if meta.opcode == Opcode::Mov => preset.get(&from).copied(),
                _ => None,
            };
            for &(_, _, slot) in meta.operands.iter().filter(|o| o.0 == Role::Write) {
                known.entry(slot).and_modify(|old| *old = old.filter(|o| Some(*o) == value)).or_insert(value);
            }
        }
        let formals = program.functions.iter().flat_map(|f| &f.formals);
        for place in formals {
            if let Place::Register(_, slot) = *place {
                known.insert(slot, None);
            }
        }
        Constants(known)
    }

    fn of(&self, slot: Slot) -> Option<u64> {
        self.0.get(&slot).copied().flatten()
    }
}

fn is_legal_width(width: u32) -> bool {
    width.is_power_of_two() && width <= 32
}

/// The width that a compiler makes this operand c of: `(32 - width) << 8`, with the clamp in the low bits.
fn width_of(mode: ShflMode, c: u32) -> Option<u32> {
    let clamp = if mode == ShflMode::Up { 0 } else { 31 };
    let width = 32 - (c as i32 >> 8);
    (c & 0xff == clamp && (0..=1024).contains(&width)).then_some(width as u32)
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
    f.related.push(Related::new(pc, format!("{} {} here", who(others), verb(others, "is", "are"))));
    s.found.add(f);
}

/// Lanes that have exited since came by with another mask: they were not where these lanes expected them.
fn other_mask(s: &mut Scene<'_>, pc: Pc, mask: LaneMask, here: LaneMask, other: LaneMask, theirs: LaneMask) {
    let mut f = Finding::new(Rule::MaskMismatch, pc, s.warp.cta, s.who.warp, here, WHY_MASK);
    f.message = format!("{} waits for lanes that pass another mask", spelled(&s.cx.program, pc));
    f.here = format!(
        "{} {} mask {mask:#010x}, but {} passed {theirs:#010x} and exited",
        who(here),
        verb(here, "passes", "pass"),
        who(other)
    );
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
