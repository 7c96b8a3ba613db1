//! Which instructions the parts of the checker want to be told of.
//!
//! Most instructions interest nobody as long as nothing in the warp is undefined, and most accesses nobody who does not
//! look for races. What each part wants is written down once a program, a byte an instruction; some of it holds only
//! while there is something undefined, of which [`Wants::now`] knows.

use std::sync::Arc;

use warpvm_machine::observe::Who;
use warpvm_machine::program::{AddressSpace, Inst, Kind};

/// A step, in any case.
pub(crate) const STEP: u8 = 1;
/// A step while a register of the warp has undefined bits.
pub(crate) const STEP_OPEN: u8 = 1 << 1;
/// An access, in any case.
pub(crate) const ACCESS: u8 = 1 << 2;
/// An access while a register of the warp has undefined bits.
pub(crate) const ACCESS_OPEN: u8 = 1 << 3;
/// An access while global memory may have undefined bytes.
pub(crate) const ACCESS_GLOBAL: u8 = 1 << 4;
/// An access while the CTA's shared memory may have undefined bytes.
pub(crate) const ACCESS_SHARED: u8 = 1 << 5;

/// An access in any case, which may bring something undefined into a register.
pub(crate) const ACCESS_OPENS: u8 = 1 << 7;

/// A collective of a whole warp is of no interest while all registers of the warp are defined.
pub(crate) const PLAIN: u8 = 1 << 6;

const STEPS: u8 = STEP | STEP_OPEN;
/// Accesses by which a register may become undefined.
const OPENING: u8 = ACCESS_OPENS | ACCESS_OPEN | ACCESS_GLOBAL | ACCESS_SHARED;
const ACCESSES: u8 = ACCESS | OPENING;

/// See the module.
pub(crate) struct Wants {
    of: Arc<[u8]>,
    /// The warp that runs.
    pub turn: Who,
    /// What holds for it now.
    pub now: u8,
    /// What held for other warps at their last turn, each at a place of its own: warp, `age` at that time, `now`.
    known: Box<[(Who, u32, u8); KNOWN]>,
    /// Counts changes that may concern more warps than the one that runs.
    age: u32,
}

/// Places of [`Wants::known`].
const KNOWN: usize = 256;

impl Wants {
    /// What each instruction is wanted for.
    pub fn new(of: Arc<[u8]>) -> Self {
        let nobody = Who { cta: u32::MAX, warp: u32::MAX };
        let known = Box::new([(nobody, 0, 0); KNOWN]);
        Wants { of, turn: nobody, now: STEP | ACCESS | ACCESS_OPENS, known, age: 0 }
    }

    /// Another warp's turn: what holds for it is looked up where it may have changed since its last one.
    #[inline]
    pub fn begin(&mut self, who: Who, look: impl FnOnce() -> u8) {
        self.turn = who;
        let known = &mut self.known[(who.cta << 3 ^ who.cta >> 5 ^ who.warp) as usize % KNOWN];
        if known.0 != who || known.1 != self.age {
            *known = (who, self.age, look());
        }
        self.now = known.2;
    }

    /// Something happened to `who`, in a cluster of so many CTAs, after which this holds for the warp that runs.
    #[inline]
    pub fn update(&mut self, who: Who, ctas: usize, now: u8) {
        if now != self.now || who != self.turn || ctas > 1 {
            self.age = self.age.wrapping_add(1);
            self.now = now;
        }
    }

    #[inline(always)]
    pub fn step(&self, pc: u32) -> bool {
        self.of[pc as usize] & self.now & STEPS != 0
    }

    /// Is a step wanted of so many instructions, or may one be by then?
    #[inline]
    pub fn steps_among(&self, pc: u32, len: u32) -> bool {
        let all = self.of[pc as usize..(pc + len) as usize].iter().fold(0, |all, of| all | of);
        all & self.now & (STEPS | OPENING) != 0
    }

    /// Is there nothing to say of a collective of all lanes?
    #[inline(always)]
    pub fn is_plain(&self, pc: u32) -> bool {
        self.of[pc as usize] & PLAIN != 0 && self.now & STEP_OPEN == 0
    }

    /// What an instruction is wanted for.
    #[inline(always)]
    pub fn of(&self, pc: u32) -> u8 {
        self.of[pc as usize]
    }

    /// May a register become undefined by an access that is wanted for this?
    #[inline(always)]
    pub fn is_opening(&self, access: u8) -> bool {
        access & self.now & OPENING != 0
    }

    #[inline(always)]
    pub fn access(&self, pc: u32) -> bool {
        self.is_wanted(self.of[pc as usize])
    }

    /// Is an access wanted that is wanted for this?
    #[inline(always)]
    pub fn is_wanted(&self, access: u8) -> bool {
        access & self.now & ACCESSES != 0
    }
}

/// What an instruction accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// Nothing.
    Nothing,
    /// The memory of a load, store or atomic.
    One(AddressSpace),
    /// Some memories or other.
    Several,
}

impl Target {
    /// That of an instruction.
    pub fn of(inst: &Inst) -> Self {
        match &inst.kind {
            Kind::Load(load) => Target::One(load.address.space),
            Kind::Store(store) => Target::One(store.address.space),
            Kind::Atomic(atomic) => Target::One(atomic.address.space),
            Kind::Row(_) | Kind::Branch { .. } | Kind::BranchIndexed { .. } | Kind::Converge => Target::Nothing,
            _ => Target::Several,
        }
    }
}
