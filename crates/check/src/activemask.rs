//! What becomes of the value of `activemask`.
//!
//! Which lanes are together at an instruction is not promised, so a seeded schedule parts them before each
//! `activemask`. A program that treats the value as a group which may be any (a warp's lanes share the work of an
//! atomic, each group by itself) comes to the same result whatever the groups are; that is legal. One that takes it for
//! "the lanes that took this branch" does not: its output differs between schedules, and that is the finding.
//! [`crate::explore`] compares the outputs; here is noted what it needs to know: which `activemask` a stored value
//! came from.
//!
//! Where the order of atomics reaches the results, a difference says nothing by itself. What masks alone decide is judged there
//! all the same: values computed with nothing but masks, and what atomics have added up that only masks let run.
//!
//! Two things are not held against a program. It may store the mask itself: that reports which lanes were together and
//! decides nothing. And a coalesced group of cooperative groups is known to be any size; without line information it
//! cannot be told from other uses, and a rank in the mask is taken for one, so that there is only a note.

use std::collections::{HashMap, HashSet};

use warpvm_isa::{Opcode, SpecialRegister};
use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::{Allocation, GlobalMemory, Space};
use warpvm_machine::observe::{Access, Event, Who};
use warpvm_machine::program::{AtomicOp, AtomicType, Inst, Kind, Ordering, Pc, Program, Role};
use warpvm_machine::slots::{LaneMask, Slot, lanes};

use crate::finding::{Finding, Related, Rule, Severity};
use crate::words::{owner, verb, who};
use crate::{Context, Part, Scene, flow, wants};

const WHY: &str = "which lanes are together is not promised, not even right after a branch; PTX ISA, activemask";

/// Does the outcome of a program depend on the schedule for reasons that are nobody's fault?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Freedom {
    /// No.
    Determined,
    /// It looks at memory while others write: what it does not derive from a mask may depend on the order.
    Watches,
    /// The order of its atomics, or the time, reaches the results.
    Ordered,
}

fn freedom(program: &Program) -> Freedom {
    let read: HashSet<Slot> =
        program.meta.iter().flat_map(|m| &m.operands).filter(|o| o.0 == Role::Read).map(|o| o.2).collect();
    program.code.iter().map(|inst| freedom_of(&inst.kind, &read)).max().unwrap_or(Freedom::Determined)
}

/// Is what is left the same in whatever order such atomics come?
fn commutes(op: AtomicOp, ty: AtomicType) -> bool {
    !matches!(op, AtomicOp::Exch | AtomicOp::Cas | AtomicOp::Inc | AtomicOp::Dec)
        && matches!(ty, AtomicType::Bits | AtomicType::Unsigned | AtomicType::Signed)
}

/// `read` has the registers that anybody reads: compilers ask for results of atomics that nobody does.
fn freedom_of(kind: &Kind, read: &HashSet<Slot>) -> Freedom {
    match kind {
        Kind::Atomic(a) => {
            let is_used = a.results.iter().any(|r| read.contains(&r.1));
            if !is_used && commutes(a.op, a.ty) { Freedom::Determined } else { Freedom::Ordered }
        }
        Kind::ReadSpecial { register, .. } => match register {
            SpecialRegister::Laneid | SpecialRegister::Warpid => Freedom::Determined,
            _ => Freedom::Ordered,
        },
        Kind::Load(load) if load.ordering != Ordering::Weak => Freedom::Watches,
        _ => Freedom::Determined,
    }
}

/// What a row holds of masks.
#[derive(Clone, Copy, Default)]
struct Taint {
    /// Lanes that hold the mask itself.
    raw: LaneMask,
    /// Lanes that hold something computed with it.
    derived: LaneMask,
    /// Lanes that hold something that came from memory, an atomic or a clock, or was computed with such.
    mixed: LaneMask,
    /// The `activemask`.
    origin: Pc,
}

/// Where a value that goes back to a mask was stored.
#[derive(Clone, Copy, Debug)]
struct Stored {
    /// The `activemask`.
    origin: Pc,
    /// The store.
    pc: Pc,
    /// Does nothing but masks, constants and the thread's place decide value and address?
    is_pure: bool,
}

/// Where, in which CTA and warp, by which lanes, and the calls that led there.
type Ran = (Pc, [u32; 3], u32, LaneMask, Vec<Pc>);

/// What is known after a run.
#[derive(Default)]
pub(crate) struct Trace {
    /// Each `activemask` that ran, with its CTA, warp and lanes, and the calls that led there.
    ran: Vec<Ran>,
    /// Bytes of global memory that hold masks, by address.
    masks: HashSet<u64>,
    /// Bytes of global memory that hold values computed with masks.
    values: HashMap<u64, Stored>,
    /// The same of words that atomics have added something up in, in whatever order: what is left there depends on a mask alone
    /// if all of these were made for a mask's sake.
    totals: HashMap<u64, Stored>,
    /// Masks in which lanes look for their rank.
    ranked: HashSet<Pc>,
}

/// See the module.
pub(crate) struct Activemask {
    /// Does the program have an `activemask` at all?
    is_used: bool,
    /// The branches that decide about each atomic.
    deciders: HashMap<Pc, Vec<Slot>>,
    rows: HashMap<Who, HashMap<Slot, Taint>>,
    pub trace: Trace,
}

impl Activemask {
    pub fn new(cx: &Context) -> Self {
        let is_used = cx.program.code.iter().any(|inst| matches!(inst.kind, Kind::ActiveMask { .. }));
        let mut deciders = HashMap::new();
        for pc in (0..cx.program.code.len() as Pc).filter(|_| is_used) {
            if matches!(cx.program.code[pc as usize].kind, Kind::Atomic(_)) {
                let guards = flow::deciders(&cx.program, pc).into_iter().chain([pc]);
                let slots = guards.filter_map(|b| cx.program.code[b as usize].guard).map(|g| g.slot);
                deciders.insert(pc, slots.collect());
            }
        }
        Activemask { is_used, deciders, rows: HashMap::new(), trace: Trace::default() }
    }

    /// What an instruction is wanted for.
    pub fn wants(&self, inst: &Inst) -> u8 {
        match &inst.kind {
            _ if !self.is_used => 0,
            Kind::Branch { .. } | Kind::Converge => 0,
            Kind::Store(_) => wants::ACCESS,
            Kind::Atomic(_) => wants::ACCESS | wants::STEP,
            _ => wants::STEP,
        }
    }

    fn ran(&mut self, s: &Scene<'_>, pc: Pc, lanes: LaneMask) {
        if self.trace.ran.iter().all(|r| r.0 != pc) {
            let callers = s.calls.of(&s.cx.program, s.who, lanes, pc);
            self.trace.ran.push((pc, s.warp.cta, s.who.warp, lanes, callers));
        }
    }

    /// The rank of a lane in a mask is a count of `mask & lanemask_lt`.
    fn look_for_rank(&mut self, s: &Scene<'_>, pc: Pc, here: LaneMask) {
        let meta = &s.cx.program.meta[pc as usize];
        let Some(rows) = self.rows.get(&s.who) else { return };
        let reads = || meta.operands.iter().filter(|o| o.0 == Role::Read);
        let Some(origin) = reads().find_map(|o| rows.get(&o.2).filter(|t| t.raw & here != 0)).map(|t| t.origin) else {
            return;
        };
        let below = |class, slot| lanes(here).all(|l| s.warp.regs.get(class, slot, l) == (1 << l) - 1);
        if reads().any(|o| below(o.1, o.2)) {
            self.trace.ranked.insert(origin);
        }
    }

    /// What the sources hold goes to the results.
    fn flow(&mut self, s: &Scene<'_>, pc: Pc, here: LaneMask) {
        let meta = &s.cx.program.meta[pc as usize];
        let rows = self.rows.entry(s.who).or_default();
        let mut sum = Taint::default();
        for (_, _, slot) in meta.operands.iter().filter(|o| o.0 == Role::Read) {
            let Some(t) = rows.get(slot) else { continue };
            sum.mixed |= t.mixed & here;
            if (t.raw | t.derived) & here != 0 {
                sum.raw |= t.raw & here;
                sum.derived |= t.derived & here;
                sum.origin = t.origin;
            }
        }
        match &s.cx.program.code[pc as usize].kind {
            Kind::Collective(_) => {
                sum.derived = if sum.raw | sum.derived != 0 { here } else { 0 };
                sum.mixed = if sum.mixed != 0 { here } else { 0 };
            }
            Kind::Row(_) => {}
            _ => sum.mixed = here,
        }
        if meta.opcode != Opcode::Mov {
            sum.derived |= std::mem::take(&mut sum.raw);
        }
        for (_, _, slot) in meta.operands.iter().filter(|o| o.0 == Role::Write) {
            let t = rows.entry(*slot).or_default();
            t.raw = t.raw & !here | sum.raw;
            t.derived = t.derived & !here | sum.derived;
            t.mixed = t.mixed & !here | sum.mixed;
            if sum.raw | sum.derived != 0 {
                t.origin = sum.origin;
            } else if t.raw | t.derived | t.mixed == 0 {
                rows.remove(slot);
            }
        }
    }

    fn store(&mut self, s: &Scene<'_>, access: &Access<'_>) {
        let Kind::Store(store) = &s.cx.program.code[access.pc as usize].kind else { return };
        let rows = self.rows.get(&s.who);
        let place = rows.and_then(|rows| rows.get(&store.address.base)).map_or(0, |t| t.mixed);
        for (n, (_, slot)) in store.sources.iter().enumerate() {
            let taint = rows.and_then(|rows| rows.get(slot)).copied().unwrap_or_default();
            for lane in lanes(access.lanes) {
                let at = access.addresses.at(lane) + n as u64 * u64::from(store.size);
                let bit = 1 << lane;
                for byte in at..at + u64::from(store.size) {
                    self.trace.masks.remove(&byte);
                    self.trace.values.remove(&byte);
                    if let Some(total) = self.trace.totals.get_mut(&byte) {
                        total.is_pure = false;
                    }
                    if taint.raw & bit != 0 {
                        self.trace.masks.insert(byte);
                    } else if taint.derived & bit != 0 {
                        let is_pure = (taint.mixed | place) & bit == 0;
                        self.trace.values.insert(byte, Stored { origin: taint.origin, pc: access.pc, is_pure });
                    }
                }
            }
        }
    }

    /// An atomic: is it made, and is what it adds, as a mask and nothing else decides?
    fn add_up(&mut self, s: &Scene<'_>, access: &Access<'_>) {
        let Kind::Atomic(atomic) = &s.cx.program.code[access.pc as usize].kind else { return };
        let none = HashMap::new();
        let rows = self.rows.get(&s.who).unwrap_or(&none);
        let taint = |slot: &Slot| rows.get(slot).copied().unwrap_or_default();
        let (mut decided, mut mixed, mut origin) = (0, taint(&atomic.address.base).mixed, 0);
        for slot in self.deciders.get(&access.pc).into_iter().flatten() {
            let t = taint(slot);
            mixed |= t.mixed;
            if t.derived != 0 {
                (decided, origin) = (decided | t.derived, t.origin);
            }
        }
        mixed |= atomic.b.iter().fold(0, |all, b| all | taint(&b.1).mixed);
        let pure = if commutes(atomic.op, atomic.ty) { decided & !mixed } else { 0 };
        for lane in lanes(access.lanes) {
            for byte in access.addresses.at(lane)..access.addresses.at(lane) + u64::from(access.size) {
                let is_pure = pure >> lane & 1 != 0;
                let total = self.trace.totals.entry(byte).or_insert(Stored { origin, pc: access.pc, is_pure });
                total.is_pure &= is_pure;
            }
        }
    }
}

impl Part for Activemask {
    fn step(&mut self, s: &mut Scene<'_>, pc: Pc, inst: &Inst, _split: LaneMask, here: LaneMask) {
        if !self.is_used || matches!(inst.kind, Kind::Store(_) | Kind::Branch { .. } | Kind::Converge) {
            return;
        }
        if s.cx.program.meta[pc as usize].opcode == Opcode::And {
            self.look_for_rank(s, pc, here);
        }
        self.flow(s, pc, here);
    }

    #[inline]
    fn access(&mut self, s: &mut Scene<'_>, access: &Access<'_>) {
        if !self.is_used || access.space != Space::Global {
            return;
        }
        match access.kind {
            AccessKind::Write => self.store(s, access),
            AccessKind::Atomic => self.add_up(s, access),
            AccessKind::Read => {}
        }
    }

    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        match *event {
            Event::ActiveMask { pc, lanes } => {
                self.ran(s, pc, lanes);
                let Kind::ActiveMask { result } = s.cx.program.code[pc as usize].kind else { return };
                let t = self.rows.entry(s.who).or_default().entry(result).or_default();
                t.raw |= lanes;
                t.derived &= !lanes;
                t.mixed &= !lanes;
                t.origin = pc;
            }
            Event::Exit { lanes, .. } if s.warp.live & !lanes == 0 => {
                self.rows.remove(&s.who);
            }
            _ => {}
        }
    }
}

/// Compares what two seeds left in global memory. Gives a finding where a mask must be the cause of a difference.
pub(crate) fn compare(
    program: &Program,
    (first, first_trace): (&GlobalMemory, &Trace),
    (second, second_trace): (&GlobalMemory, &Trace),
) -> Option<Finding> {
    if first_trace.ran.is_empty() && second_trace.ran.is_empty() {
        return None;
    }
    let freedom = freedom(program);
    let is_total = |trace: &Trace, at: &u64| trace.totals.get(at).is_some_and(|t| t.is_pure);
    let is_total = |at: &u64| is_total(first_trace, at) && is_total(second_trace, at);
    let stored = |at: &u64| {
        let value = second_trace.values.get(at).or_else(|| first_trace.values.get(at));
        value.or_else(|| second_trace.totals.get(at).filter(|_| is_total(at))).copied()
    };
    let counts = |at: &u64| {
        let is_mask = first_trace.masks.contains(at) || second_trace.masks.contains(at);
        let is_pure = |trace: &Trace| trace.values.get(at).is_some_and(|s| s.is_pure);
        !is_mask
            && match freedom {
                Freedom::Determined => true,
                Freedom::Watches => stored(at).is_some(),
                // The order may decide everything but what masks alone decide.
                Freedom::Ordered => is_total(at) || is_pure(first_trace) && is_pure(second_trace),
            }
    };
    let (at, allocation) = first.allocations().iter().find_map(|a| {
        let bytes = different(first, second, a).filter(counts);
        // A value that was computed with a mask explains itself.
        let all: Vec<u64> = bytes.take(1 << 16).collect();
        let best = all.iter().find(|at| stored(at).is_some()).or(all.first());
        best.map(|at| (*at, a))
    })?;
    let stored = stored(&at);
    let ran = || second_trace.ran.iter().chain(&first_trace.ran);
    let (pc, cta, warp, lanes, callers) =
        ran().find(|r| stored.is_some_and(|s| s.origin == r.0)).or_else(|| ran().next())?;
    let (pc, lanes) = (*pc, *lanes);
    let mut f = Finding::new(Rule::Activemask, pc, *cta, *warp, lanes, WHY);
    f.callers.clone_from(callers);
    f.message = "the result depends on which lanes happen to be together".into();
    f.here = format!("{} {} the mask of the lanes that are together here", who(lanes), verb(lanes, "reads", "read"));
    if let Some(Stored { pc, .. }) = stored {
        let what = format!("{}+{:#x}", owner(&allocation.origin), at - allocation.base);
        f.related.push(Related::new(pc, format!("{what} differs between two schedules")));
    }
    let is_ranked = first_trace.ranked.contains(&pc) || second_trace.ranked.contains(&pc);
    if is_ranked && program.meta[pc as usize].loc.is_none() {
        f.severity = Severity::Note;
    }
    Some(f)
}

/// Addresses of the bytes of an allocation that differ.
fn different<'a>(a: &'a GlobalMemory, b: &'a GlobalMemory, of: &'a Allocation) -> impl Iterator<Item = u64> + 'a {
    let read = |m: &'a GlobalMemory| m.read(of.base, of.len).unwrap_or(&[]);
    let (x, y) = (read(a), read(b));
    let is_equal = x == y;
    x.iter().zip(y).zip(of.base..).filter(move |((p, q), _)| !is_equal && p != q).map(|(_, at)| at)
}
