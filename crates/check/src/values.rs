//! Undefined values, by lane and bit.
//!
//! Registers, shared memory and local memory are undefined until written, global memory where neither the host nor the
//! kernel wrote it, and what a shuffle brings from a lane that takes no part. Undefined bits are followed through
//! registers and memory: to move them is legal, and an operation whose result does not depend on them is as well (the
//! other half of a packed register, bits that a mask clears, the side of `selp` that is not taken). They are found where
//! they matter: in an address, a branch or guard, an output, the operand of a collective, barrier or atomic comparison.
//!
//! An output is a buffer of the host that was written before the launch. In a buffer that nobody wrote, as in variables of the
//! module and `malloc` blocks, undefined values may be kept and are followed on; where the launch never reads the buffer, those
//! that are left in it at the end are found.
//! What looks like the padding of a structure that is copied to an output is let go.
//! Of a matrix product, the elements that an undefined one goes into are undefined; those of a sparse product, and what `wgmma`
//! reads in shared memory, are taken as defined. Registers of a block in braces are undefined again when it is entered again.
//!
//! A finding stands at the instruction that read the undefined bits first and names the use beside it.
//!
//! Integer division by zero is found here as well, since the operands are at hand.

mod blocks;
mod bytes;
mod calls;
mod fragments;
mod memory;
mod outputs;
mod plan;
mod propagate;
mod report;
mod rows;
mod start;
mod wants;
mod warp;

use std::sync::Arc;

use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::{Access, Event, MbarrierEvent};
use warpvm_machine::program::{
    Address, Atomic, AtomicOp, Barrier, Callee, Collective, CollectiveOp, Inst, Kind, MatrixCopy, Mbarrier, Pc, StackOp,
};
use warpvm_machine::slots::{Class, LaneMask, Slot, lanes};
use warpvm_machine::{RowOp, program::AddressOp};

use self::bytes::{Bytes, GlobalBytes};
use self::calls::{CallRecord, Passed};
use self::outputs::Outputs;
pub(crate) use self::plan::Plans;
use self::propagate::Operation;
use self::report::{Origins, Use};
use self::rows::{OriginId, Row, Rows, Shade, ones};
use crate::states::States;
use crate::{Context, Finding, Part, Rule, Scene, Severity};

/// The rules that are found here.
pub(crate) const RULES: &[Rule] =
    &[Rule::UninitReg, Rule::UninitGlobal, Rule::UninitShared, Rule::UninitLocal, Rule::SourceLane, Rule::DivZero];

/// See the module.
pub(crate) struct Values {
    threads: u32,
    plans: Arc<Plans>,
    ctas: States<CtaShade>,
    warps: States<WarpShade>,
    global: GlobalBytes,
    origins: Origins,
    outputs: Outputs,
    /// The bytes that an asynchronous copy has just read: undefined bits and their origin.
    copied: (Vec<u8>, OriginId),
    /// Lanes of the matrix operation that is going on.
    matrix_lanes: LaneMask,
    fragment: fragments::FragmentState,
}

/// A CTA's memory.
struct CtaShade {
    shared: Bytes,
    /// Threads that have not exited.
    left: u32,
}

/// A warp's registers and local memories.
struct WarpShade {
    rows: Rows,
    /// Local memory of each thread, where it was touched.
    local: Vec<Bytes>,
    /// Calls that each lane is in.
    calls: Vec<Vec<CallRecord>>,
    /// Arguments of the call that is being made.
    passed: Vec<Passed>,
}

/// A warp among all.
fn key(cta: u32, warp: u32) -> u64 {
    u64::from(cta) << 16 | u64::from(warp)
}

fn width(class: Class) -> u32 {
    match class {
        Class::Pred => 1,
        Class::R32 => 32,
        Class::R64 | Class::R128 => 64,
    }
}

/// The values of a row.
fn values(s: &Scene<'_>, class: Class, slot: Slot) -> [u64; 32] {
    match class {
        Class::Pred => {
            let bits = s.warp.regs.pred(slot);
            std::array::from_fn(|l| u64::from(bits >> l & 1))
        }
        Class::R32 => s.warp.regs.row32(slot).map(u64::from),
        Class::R64 | Class::R128 => *s.warp.regs.row64(slot),
    }
}

impl Values {
    pub fn new(cx: &Context, plans: Arc<Plans>) -> Self {
        let mut global = GlobalBytes::default();
        for a in cx.allocations.iter().filter(|a| !a.initialised && !a.freed) {
            global.add_undefined(a.base, a.len);
        }
        Values {
            threads: cx.threads,
            plans,
            ctas: States::new(),
            warps: States::new(),
            global,
            origins: Origins::new(),
            outputs: Outputs::new(cx),
            copied: (Vec::new(), 0),
            matrix_lanes: 0,
            fragment: fragments::FragmentState::default(),
        }
    }

    #[inline]
    fn cta(&mut self, s: &Scene<'_>, index: u32) -> &mut CtaShade {
        let left = self.threads;
        self.ctas.get_or(u64::from(index), || {
            let len = s.warp.ctas.iter().find(|c| c.index == index).map_or(0, |c| c.shared.len());
            CtaShade { shared: Bytes::of_cta(len as u64), left }
        })
    }

    #[inline]
    fn warp(&mut self, s: &Scene<'_>) -> &mut WarpShade {
        let starts = &self.plans.starts;
        self.warps.get_or(key(s.who.cta, s.who.warp), || WarpShade {
            rows: Rows::new(starts, s.warp.exists),
            local: Vec::new(),
            calls: vec![Vec::new(); 32],
            passed: Vec::new(),
        })
    }

    /// The undefined bits of a register as an instruction reads it, every lane of `mask` with an origin.
    fn read(&mut self, s: &Scene<'_>, pc: Pc, class: Class, slot: Slot, mask: LaneMask) -> Shade {
        let row = self.plans.row(slot);
        let rows = &self.warp(s).rows;
        if rows.any(&[row]) == 0 {
            return Shade::NONE;
        }
        let mut shade = rows.shade(row, width(class));
        for lane in lanes(mask) {
            if shade.bits[lane] != 0 && shade.origin[lane] == 0 {
                shade.origin[lane] = self.register_origin(s, pc, slot, lane);
            }
        }
        shade
    }

    fn register_origin(&mut self, s: &Scene<'_>, pc: Pc, slot: Slot, lane: usize) -> OriginId {
        self.origins.at(s, Rule::UninitReg, pc, lane, || {
            let function = s.cx.program.meta[pc as usize].function;
            let is_it = |r: &&warpvm_machine::program::Register| r.slot == slot && r.function == function;
            match s.cx.program.registers.iter().find(is_it) {
                Some(r) if s.cx.program.blocks.iter().any(|b| b.rows.iter().any(|row| row.1 == slot)) => {
                    format!("reads `{}`, which it has not written since it came to the block that declares it", r.name)
                }
                Some(r) => format!("reads `{}`, which it has not written", r.name),
                None => "reads a register that it has not written".to_owned(),
            }
        })
    }

    /// A value is used where it must be defined.
    fn must(&mut self, s: &mut Scene<'_>, pc: Pc, class: Class, slot: Slot, mask: LaneMask, what: Use) {
        if !slot.is_some() {
            return;
        }
        let row = self.plans.row(slot);
        if self.warp(s).rows.any(&[row]) == 0 {
            return;
        }
        let shade = self.read(s, pc, class, slot, mask);
        self.demand(s, pc, &shade, mask, what);
    }

    fn demand(&mut self, s: &mut Scene<'_>, pc: Pc, shade: &Shade, mask: LaneMask, what: Use) {
        let bad = shade.lanes() & mask;
        if bad != 0 {
            let origin = shade.origin[bad.trailing_zeros() as usize];
            self.origins.report(s, pc, bad, origin, what);
        }
    }

    fn must_address(&mut self, s: &mut Scene<'_>, pc: Pc, a: &Address, mask: LaneMask) {
        self.must(s, pc, a.class, a.base, mask, Use::Address);
    }

    fn define(&mut self, s: &Scene<'_>, slot: Slot, mask: LaneMask) {
        let row = self.plans.row(slot);
        self.warp(s).rows.define(row, mask);
    }

    /// A register gets these undefined bits.
    fn write(&mut self, s: &Scene<'_>, class: Class, slot: Slot, mask: LaneMask, shade: &Shade) {
        let row = self.plans.row(slot);
        self.warp(s).rows.set(row, width(class), mask, shade);
    }

    /// A lane-wise operation with an undefined source or guard.
    fn lane_wise(&mut self, s: &Scene<'_>, pc: Pc, op: &RowOp, split: LaneMask, mask: LaneMask) {
        let plan = self.plans.at(pc).clone();
        let cx = s.cx;
        let program = &*cx.program;
        let mut operation = Operation {
            op,
            meta: &program.meta[pc as usize],
            values: Vec::with_capacity(4),
            shades: Vec::with_capacity(4),
            lanes: mask,
        };
        for i in 2..6 {
            let Some(class) = op.classes[i] else { continue };
            let mut shade = self.read(s, pc, class, op.slots[i], mask);
            shade.bits.iter_mut().for_each(|b| *b &= ones(u32::from(op.bits[i])));
            operation.values.push(values(s, class, op.slots[i]));
            operation.shades.push(shade);
        }
        let (first, second) = operation.run(plan.how);
        let mut results = [Shade::NONE, Shade::NONE];
        for lane in lanes(mask) {
            let source = operation.shades.iter().find(|s| s.bits[lane] != 0);
            let origin = source.map_or(0, |s| s.origin[lane]);
            results[0].add(lane, first[lane], origin);
            results[1].add(lane, u64::from(second >> lane & 1), origin);
        }
        let mut written = mask;
        if self.warp(s).rows.any(&[plan.guard]) != 0
            && let Some(guard) = program.code[pc as usize].guard
        {
            // Written or not: nobody knows.
            let open = self.read(s, pc, Class::Pred, guard.slot, split);
            for lane in lanes(open.lanes() & split) {
                results[0].add(lane, ones(u32::from(op.bits[0])), open.origin[lane]);
                results[1].add(lane, 1, open.origin[lane]);
                written |= 1 << lane;
            }
        }
        let rows = &mut self.warp(s).rows;
        for (i, row) in plan.writes.into_iter().enumerate() {
            let class = op.classes[i].unwrap_or(Class::Pred);
            rows.set(row, width(class), written, &results[i]);
        }
    }

    fn divide(&mut self, s: &mut Scene<'_>, pc: Pc, op: &RowOp, mask: LaneMask) {
        let Some(class) = op.classes[3] else { return };
        let divisor = values(s, class, op.slots[3]);
        let bits = ones(u32::from(op.bits[3]));
        let zero = lanes(mask).filter(|&l| divisor[l] & bits == 0).fold(0, |m, l| m | 1 << l);
        let row = self.plans.row(op.slots[3]);
        let zero = zero & !self.warp(s).rows.shade(row, width(class)).lanes();
        if zero == 0 || s.found.again(Rule::DivZero, pc, None) {
            return;
        }
        s.found.add(Finding {
            rule: Rule::DivZero,
            severity: Severity::Error,
            message: "integer division by zero".to_owned(),
            pc,
            here: "the divisor is 0 in these lanes".to_owned(),
            cta: s.warp.cta,
            warp: s.who.warp,
            lanes: zero,
            related: Vec::new(),
            why: "division by zero gives an unspecified value; PTX ISA, sections 9.7.1.7 (`div`) and 9.7.1.8 (`rem`)",
            callers: Vec::new(),
            count: 1,
        });
    }

    /// Whether an instruction takes place depends on its guard.
    fn must_guard(&mut self, s: &mut Scene<'_>, pc: Pc, inst: &Inst, split: LaneMask, what: Use) {
        if let Some(guard) = inst.guard {
            self.must(s, pc, Class::Pred, guard.slot, split, what);
        }
    }

    /// An instruction that is not lane-wise.
    fn other(&mut self, s: &mut Scene<'_>, pc: Pc, inst: &Inst, split: LaneMask, mask: LaneMask) {
        match &inst.kind {
            Kind::Row(_) | Kind::Load(_) | Kind::AsyncGroup(_) | Kind::Fence(_) | Kind::Converge | Kind::Yield => {}
            Kind::Nothing | Kind::PmEvent(_) => return,
            Kind::Branch { .. } => return self.must_guard(s, pc, inst, split, Use::Branch),
            _ => self.must_guard(s, pc, inst, split, Use::Guard),
        }
        match &inst.kind {
            Kind::Load(load) => self.must_address(s, pc, &load.address, mask),
            Kind::Store(store) => self.must_address(s, pc, &store.address, mask),
            Kind::Atomic(a) => self.atomic_operands(s, pc, a, mask),
            Kind::BranchIndexed { index, .. } => self.must(s, pc, Class::R32, *index, split, Use::Branch),
            Kind::Call(call) => {
                if let Callee::Indirect(slot) = &call.callee {
                    self.must(s, pc, Class::R64, *slot, mask, Use::Branch);
                }
                self.pass(s, pc, call, mask);
            }
            Kind::Collective(c) => self.must(s, pc, Class::R32, c.mask, split, Use::Collective),
            Kind::Barrier(b) => self.barrier(s, pc, b, split),
            Kind::ReadSpecial { result, .. } | Kind::ActiveMask { result } => self.define(s, *result, mask),
            Kind::Address(op) => self.address(s, pc, op, mask),
            Kind::Mbarrier(m) => self.mbarrier(s, pc, m, mask),
            Kind::AsyncCopy(copy) => {
                self.copied = (Vec::new(), 0);
                self.must_address(s, pc, &copy.destination, mask);
                self.must_address(s, pc, &copy.source, mask);
                self.must(s, pc, Class::R32, copy.size_slot, mask, Use::Operand);
                self.must(s, pc, Class::Pred, copy.ignore, mask, Use::Guard);
                self.must(s, pc, Class::R32, copy.multicast, mask, Use::Operand);
                if let Some(mbarrier) = &copy.mbarrier {
                    self.must_address(s, pc, mbarrier, mask);
                }
                if let Some(part) = &copy.tensor {
                    for &slot in part.coordinates.iter().chain(part.offsets.iter().flatten()) {
                        self.must(s, pc, Class::R32, slot, mask, Use::Operand);
                    }
                }
            }
            Kind::TensorMapReplace(t) => {
                self.must_address(s, pc, &t.address, mask);
                self.must(s, pc, t.value.0, t.value.1, mask, Use::Operand);
            }
            Kind::RemoteStore(store) => {
                self.must_address(s, pc, &store.address, mask);
                self.must_address(s, pc, &store.mbarrier, mask);
            }
            Kind::Stack(op) => match op {
                StackOp::Alloca { result, size, .. } => {
                    self.must(s, pc, size.0, size.1, mask, Use::Operand);
                    self.define(s, result.1, mask);
                }
                StackOp::Save { result } => self.define(s, result.1, mask),
                StackOp::Restore { source } => self.must(s, pc, source.0, source.1, mask, Use::Operand),
            },
            _ => {}
        }
    }

    fn atomic_operands(&mut self, s: &mut Scene<'_>, pc: Pc, a: &Atomic, mask: LaneMask) {
        self.must_address(s, pc, &a.address, mask);
        if a.op == AtomicOp::Cas {
            for &(class, slot) in &a.b {
                self.must(s, pc, class, slot, mask, Use::Comparison);
            }
        }
    }

    fn barrier(&mut self, s: &mut Scene<'_>, pc: Pc, b: &Barrier, mask: LaneMask) {
        self.must(s, pc, Class::R32, b.id, mask, Use::Barrier);
        self.must(s, pc, Class::R32, b.count, mask, Use::Barrier);
        self.must(s, pc, Class::Pred, b.predicate, mask, Use::Barrier);
        self.define(s, b.result, mask);
    }

    fn address(&mut self, s: &Scene<'_>, pc: Pc, op: &AddressOp, mask: LaneMask) {
        let mut shade = self.read(s, pc, op.source_class, op.source, mask);
        let second = self.read(s, pc, Class::R32, op.second, mask);
        let full = ones(width(op.result_class));
        for lane in lanes(mask) {
            shade.add(lane, second.bits[lane], second.origin[lane]);
            shade.bits[lane] = if shade.bits[lane] != 0 { full } else { 0 };
        }
        self.write(s, op.result_class, op.result, mask, &shade);
    }

    fn mbarrier(&mut self, s: &mut Scene<'_>, pc: Pc, m: &Mbarrier, mask: LaneMask) {
        use warpvm_machine::program::MbarrierOp as Op;
        self.must_address(s, pc, &m.address, mask);
        let class = match m.op {
            Op::TestWait { parity: false, .. } | Op::PendingCount => Class::R64,
            _ => Class::R32,
        };
        self.must(s, pc, class, m.operand, mask, Use::Operand);
        self.define(s, m.result, mask);
    }

    /// The launch has ended as it should: what is left where the host will look?
    pub fn finish(&mut self, cx: &Context, found: &mut crate::Findings) {
        self.outputs.finish(cx, &self.global, &mut self.origins, found);
    }

    /// An instruction's results become defined, whatever it did.
    pub fn settle(&mut self, s: &Scene<'_>, pc: Pc, mask: LaneMask) {
        for &(role, _, slot) in &s.cx.program.meta[pc as usize].operands {
            if role == warpvm_machine::program::Role::Write {
                self.define(s, slot, mask);
            }
        }
    }

    /// Lanes come to a block in braces: its registers are new.
    #[cold]
    fn enter_block(&mut self, s: &Scene<'_>, pc: Pc, split: LaneMask) {
        for row in self.plans.entered(pc).to_vec() {
            self.warp(s).rows.forget(row, split);
        }
    }

    fn exit(&mut self, s: &Scene<'_>, mask: LaneMask) {
        let cta = self.cta(s, s.who.cta);
        cta.left = cta.left.saturating_sub(mask.count_ones());
        if cta.left == 0 && s.warp.ctas.len() == 1 {
            self.ctas.remove(u64::from(s.who.cta));
            (0..self.threads.div_ceil(32)).for_each(|w| drop(self.warps.remove(key(s.who.cta, w))));
        }
    }
}

impl Part for Values {
    fn step(&mut self, s: &mut Scene<'_>, pc: Pc, inst: &Inst, split: LaneMask, mask: LaneMask) {
        let plan = self.plans.at(pc);
        let (reads, writes, divides) = (plan.reads, plan.writes, plan.divides);
        if plan.enters {
            self.enter_block(s, pc, split);
        }
        let rows = &mut self.warp(s).rows;
        let is_defined = rows.any(&reads) == 0;
        match &inst.kind {
            Kind::Row(_) if is_defined && !divides => {
                rows.define(writes[0], mask);
                rows.define(writes[1], mask);
            }
            Kind::Row(op) => {
                if divides && mask != 0 {
                    self.divide(s, pc, op, mask);
                }
                self.lane_wise(s, pc, op, split, mask);
            }
            Kind::Load(_) | Kind::Store(_) | Kind::Branch { .. } | Kind::Converge | Kind::Exit if is_defined => {}
            _ => self.other(s, pc, inst, split, mask),
        }
    }

    fn access(&mut self, s: &mut Scene<'_>, access: &Access<'_>) {
        if self.outputs.is_needed() && access.kind != AccessKind::Write {
            self.outputs.read(access);
        }
        if access.space == Space::Shared {
            // Of a CTA that has not run yet nothing is known: from here on there is.
            self.cta(s, access.shared_cta);
        }
        let cx = s.cx;
        let program = &*cx.program;
        match &program.code[access.pc as usize].kind {
            Kind::Load(load) => self.load(s, access, load),
            Kind::Store(store) => self.store(s, access, store),
            Kind::Atomic(atomic) => self.atomic(s, access, atomic),
            Kind::AsyncCopy(copy) => self.copy(s, access, copy),
            Kind::RemoteStore(store) => self.remote_store(s, access, store),
            Kind::Collective(Collective { op: CollectiveOp::Matrix(m), .. }) => self.matrix(s, access, m),
            Kind::Collective(Collective { op: CollectiveOp::Fragment(m), .. }) => self.fragment(s, access, m),
            _ => {}
        }
    }

    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        match *event {
            Event::Collective { pcs, lanes, .. } => self.collective(s, pcs, lanes),
            Event::Mbarrier { shared_cta, address, what: MbarrierEvent::Init(_), .. } => {
                self.cta(s, shared_cta).shared.define(address, 8);
            }
            Event::Call { lanes, function, pc } => self.enter(s, pc, function, lanes),
            Event::Return { lanes, .. } => self.leave(s, lanes),
            Event::Malloc { address, len, .. } => self.global.add_undefined(address, len),
            Event::Exit { lanes, .. } => self.exit(s, lanes),
            _ => {}
        }
    }
}

/// Which memory an access is to, where undefined bits are kept.
fn keeps(space: Space) -> bool {
    space != Space::Param
}

/// A matrix copy's registers.
fn matrix_rows(plans: &Plans, m: &MatrixCopy) -> Vec<Row> {
    m.registers.iter().map(|&slot| plans.row(slot)).collect()
}
