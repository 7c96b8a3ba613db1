//! mbarrier objects (PTX ISA, section 9.7.13.15).
//!
//! The 64 bits of an object in shared memory are opaque to a program. Here they hold, from the low end: the pending
//! count (20 bits), the expected count (20 bits), the phase (1 bit), the transaction count (22 bits, signed) and a bit
//! that says that the object is initialised. A state token is the object as it was before the arrival.

use super::{Engine, Group, Split};
use crate::fault::{AccessKind, Fault, FaultKind, MbarrierState};
use crate::observe::{Event, MbarrierEvent, Observer};
use crate::program::{Kind, Mbarrier, MbarrierOp, Pc};
use crate::slots::{Class, LaneMask, lanes};

/// An object, unpacked.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// Arrivals that the present phase still waits for.
    pub pending: u32,
    /// Arrivals of a phase.
    pub expected: u32,
    /// Parity of the present phase.
    pub phase: bool,
    /// Bytes that the present phase still waits for.
    pub transactions: i32,
    /// Has it been initialised?
    pub valid: bool,
}

const COUNT: u64 = (1 << 20) - 1;

impl Object {
    /// From the 64 bits in shared memory.
    pub fn unpack(bits: u64) -> Self {
        Object {
            pending: (bits & COUNT) as u32,
            expected: (bits >> 20 & COUNT) as u32,
            phase: bits >> 40 & 1 != 0,
            transactions: ((bits >> 41) as i32) << 10 >> 10,
            valid: bits >> 63 != 0,
        }
    }

    /// As the 64 bits in shared memory.
    pub fn pack(self) -> u64 {
        u64::from(self.pending)
            | u64::from(self.expected) << 20
            | u64::from(self.phase) << 40
            | (self.transactions as u64 & ((1 << 22) - 1)) << 41
            | u64::from(self.valid) << 63
    }

    /// Ends the phase where nothing is pending. Gives true where it did.
    pub fn settle(&mut self) -> bool {
        let done = self.pending == 0 && self.transactions == 0;
        if done {
            self.phase = !self.phase;
            self.pending = self.expected;
        }
        done
    }
}

impl<O: Observer> Engine<'_, O> {
    pub(super) fn mbarrier(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        m: &Mbarrier,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        if m.op == MbarrierOp::PendingCount {
            let regs = &mut group.warps[w].regs;
            for lane in lanes(mask) {
                let token = Object::unpack(regs.row64(m.operand)[lane]);
                regs.set(Class::R32, m.result, lane, u64::from(token.pending));
            }
            return Ok(());
        }
        self.for_spaces(group, w, &m.address, mask, |engine, group, part| {
            // Lanes that arrive with one instruction get one token, the state before all of them
            // (`async/mbarrier_phases`).
            let mut tokens: Vec<(u64, u64)> = Vec::new();
            let mut changed = false;
            for lane in lanes(part.lanes) {
                let p = engine.pointer(group, w, pc, part, lane, 8, AccessKind::Atomic)?;
                let shared_cta = group.ctas.get(part.cta).map_or(0, |c| c.index);
                // SAFETY: `pointer` gives 8 bytes.
                let mut object = Object::unpack(unsafe { p.cast::<u64>().read_unaligned() });
                let token = if let Some((_, token)) = tokens.iter().find(|(at, _)| *at == part.at(lane)) {
                    *token
                } else {
                    tokens.push((part.at(lane), object.pack()));
                    object.pack()
                };
                let what = engine.apply(group, w, pc, m, lane, &mut object, token)?;
                // SAFETY: as above.
                unsafe {
                    changed |= p.cast::<u64>().read_unaligned() != object.pack();
                    p.cast::<u64>().write_unaligned(object.pack());
                }
                if O::ACTIVE {
                    let (lane, address) = (lane as u32, part.at(lane));
                    let event = Event::Mbarrier { pc, lane, shared_cta, address, what };
                    engine.tell(group, w, &event);
                }
            }
            engine.changes += u64::from(changed);
            Ok(())
        })
    }

    /// The mbarrier that the first lane of a split is about to test.
    pub fn mbarrier_state(&mut self, group: &mut Group, w: usize, split: &Split) -> Option<MbarrierState> {
        let Kind::Mbarrier(m) = &self.cx.program.code[split.pc as usize].kind else { return None };
        let mut found = None;
        let first = split.mask & split.mask.wrapping_neg();
        let look = |_: &mut Self, group: &mut Group, part: &super::part::Part| {
            let at = part.at(first.trailing_zeros() as usize);
            let Some(cta) = group.ctas.get(part.cta) else { return Ok(()) };
            let bytes = cta.shared.get(at as usize..).and_then(|b| b.first_chunk());
            found = bytes.map(|b| ((cta.index, at), u64::from_le_bytes(*b)));
            Ok(())
        };
        self.for_spaces(group, w, &m.address, first, look).ok()?;
        let (place, word) = found?;
        let object = Object::unpack(word);
        Some(MbarrierState {
            place,
            is_valid: object.valid,
            pending: object.pending,
            expected: object.expected,
            parity: object.phase,
            transactions: object.transactions,
        })
    }

    fn apply(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        m: &Mbarrier,
        lane: usize,
        object: &mut Object,
        token: u64,
    ) -> Result<MbarrierEvent, Box<Fault>> {
        let regs = &mut group.warps[w].regs;
        let operand = |wide: bool| match (m.operand.is_some(), wide) {
            (false, _) => 0,
            (true, false) => u64::from(regs.row32(m.operand)[lane]),
            (true, true) => regs.row64(m.operand)[lane],
        };
        if m.op == MbarrierOp::Init {
            let count = operand(false) as u32;
            if count == 0 || u64::from(count) > COUNT {
                let kind = FaultKind::Mbarrier(format!("the count of an mbarrier is from 1 to {COUNT}, not {count}"));
                return Err(Self::fault(group, w, pc, 1 << lane, kind));
            }
            *object = Object { pending: count, expected: count, phase: false, transactions: 0, valid: true };
            return Ok(MbarrierEvent::Init(count));
        }
        if !object.valid {
            // What an object holds that was never initialised is anything: here it is never complete.
            return Ok(self.not_initialised(group, w, m, lane));
        }
        match m.op {
            MbarrierOp::Inval => {
                *object = Object::unpack(0);
                Ok(MbarrierEvent::Inval)
            }
            MbarrierOp::ExpectTx => {
                object.transactions += operand(false) as i32;
                Ok(MbarrierEvent::Transactions { completed: false })
            }
            MbarrierOp::CompleteTx => {
                object.transactions -= operand(false) as i32;
                let completed = object.settle();
                Ok(MbarrierEvent::Transactions { completed })
            }
            MbarrierOp::Arrive { drop, expect_tx, .. } => {
                let given = operand(false) as u32;
                let count = if expect_tx || !m.operand.is_some() { 1 } else { given };
                if expect_tx {
                    object.transactions += given as i32;
                }
                if drop {
                    object.expected = object.expected.saturating_sub(count);
                }
                let overflow = count > object.pending;
                object.pending = object.pending.saturating_sub(count);
                let completed = object.settle();
                if m.result.is_some() {
                    group.warps[w].regs.set(Class::R64, m.result, lane, token);
                }
                Ok(if overflow { MbarrierEvent::Overflow } else { MbarrierEvent::Arrive { completed } })
            }
            MbarrierOp::TestWait { parity, .. } => {
                let passed = if parity {
                    object.phase != (operand(false) & 1 != 0)
                } else {
                    object.phase != Object::unpack(operand(true)).phase
                };
                group.warps[w].regs.set(Class::Pred, m.result, lane, u64::from(passed));
                Ok(MbarrierEvent::Test { passed })
            }
            MbarrierOp::CpAsyncArrive { noinc } => {
                // The lane's copies are done here at the latest: they are written now.
                self.finish_copies(group, w, 1 << lane);
                if !noinc {
                    object.pending += 1;
                }
                object.pending = object.pending.saturating_sub(1);
                let completed = object.settle();
                Ok(MbarrierEvent::Arrive { completed })
            }
            MbarrierOp::Init | MbarrierOp::PendingCount => unreachable!("handled above"),
        }
    }

    fn not_initialised(&mut self, group: &mut Group, w: usize, m: &Mbarrier, lane: usize) -> MbarrierEvent {
        let class = if matches!(m.op, MbarrierOp::TestWait { .. }) { Class::Pred } else { Class::R64 };
        if m.result.is_some() {
            group.warps[w].regs.set(class, m.result, lane, 0);
        }
        MbarrierEvent::NotInitialised
    }

    /// The bytes of a bulk copy have arrived: counts them down.
    pub(super) fn complete_transactions(&mut self, group: &mut Group, cta: usize, offset: u64, bytes: u32) -> bool {
        let Some(cta) = group.ctas.get_mut(cta) else { return false };
        if !cta.covers(offset, 8) || !offset.is_multiple_of(8) {
            return false;
        }
        let at = offset as usize..offset as usize + 8;
        let mut object = Object::unpack(u64::from_le_bytes(cta.shared[at.clone()].try_into().expect("eight bytes")));
        object.transactions -= bytes as i32;
        object.settle();
        cta.shared[at].copy_from_slice(&object.pack().to_le_bytes());
        true
    }
}
