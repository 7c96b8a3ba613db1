//! Accesses to memory, fences and addresses.

use crate::slots::{Class, Slot};

/// An address: a row (or nothing) plus an offset.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// Row of bases.
    pub base: Slot,
    /// Its class; `R32` for 32-bit addresses of shared, local, parameter or constant memory.
    pub class: Class,
    /// Bytes added.
    pub offset: i64,
    /// Space of the instruction.
    pub space: AddressSpace,
}

/// What the address of an instruction is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressSpace {
    /// No space given: a generic address.
    Generic,
    /// Global or constant memory.
    Global,
    /// Constant memory.
    Const,
    /// Shared memory of the CTA.
    Shared,
    /// Shared memory of the cluster.
    SharedCluster,
    /// The thread's local memory.
    Local,
    /// The function's own frame in local memory: a variable or `.param` area at a fixed offset.
    Frame,
    /// The kernel's parameters.
    Param,
}

/// How an access takes part in the memory model (PTX ISA, chapter 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ordering {
    /// A plain access.
    #[default]
    Weak,
    /// `.volatile`, `.mmio`: strong, relaxed.
    Volatile,
    /// `.relaxed`
    Relaxed,
    /// `.acquire`
    Acquire,
    /// `.release`
    Release,
    /// `.acq_rel`
    AcqRel,
    /// `.sc`
    SeqCst,
}

/// The threads that a strong access or fence is for (PTX ISA, section 8.5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Scope {
    /// The CTA.
    Cta,
    /// The cluster.
    Cluster,
    /// The device.
    #[default]
    Gpu,
    /// Everything.
    Sys,
}

/// Does an access use the base row of an earlier one of its basic block, which nothing has written to since?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Again {
    /// No, and none uses it after this one.
    #[default]
    Never,
    /// It is the first of such accesses.
    First {
        /// The number of the row among those that are kept in mind.
        id: u8,
        /// Bytes to the lowest of the others, or 0.
        low: i32,
        /// Bytes to the highest of the others, or 0.
        high: i32,
    },
    /// One of the others.
    Same {
        /// The number of the row.
        id: u8,
        /// Bytes from the first one, a multiple of four.
        by: i32,
    },
}

/// `ld`
pub struct Load {
    /// From where.
    pub address: Address,
    /// Bytes of an element: 1, 2, 4, 8 or 16.
    pub size: u32,
    /// Is an element sign-extended to its register?
    pub signed: bool,
    /// Results: class and slot of each element of the vector; a slot may be `NONE`.
    pub results: Vec<(Class, Slot)>,
    /// Memory order.
    pub ordering: Ordering,
    /// Scope of the order.
    pub scope: Scope,
    /// `.nc`: through the read-only path.
    pub non_coherent: bool,
    /// What is known of the base row.
    pub again: Again,
}

/// `st`
pub struct Store {
    /// To where.
    pub address: Address,
    /// Bytes of an element.
    pub size: u32,
    /// Sources: class and slot of each element of the vector.
    pub sources: Vec<(Class, Slot)>,
    /// Memory order.
    pub ordering: Ordering,
    /// Scope of the order.
    pub scope: Scope,
    /// What is known of the base row.
    pub again: Again,
}

/// The operation of `atom` and `red`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum AtomicOp {
    And,
    Or,
    Xor,
    Exch,
    Cas,
    Add,
    Inc,
    Dec,
    Min,
    Max,
}

/// How the elements of an atomic are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum AtomicType {
    Bits,
    Unsigned,
    Signed,
    F32,
    F64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
}

/// `atom` and `red`
pub struct Atomic {
    /// Where.
    pub address: Address,
    /// What.
    pub op: AtomicOp,
    /// How the bytes are taken.
    pub ty: AtomicType,
    /// Bytes of an element: 2, 4, 8 or 16.
    pub size: u32,
    /// Old values; empty for `red`.
    pub results: Vec<(Class, Slot)>,
    /// Operand `b`, an element each.
    pub b: Vec<(Class, Slot)>,
    /// Operand `c` of `cas`.
    pub c: Option<(Class, Slot)>,
    /// Memory order.
    pub ordering: Ordering,
    /// Scope of the order.
    pub scope: Scope,
}

/// `fence`, `membar`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fence {
    /// Its strength.
    pub ordering: Ordering,
    /// Its scope.
    pub scope: Scope,
    /// `fence.proxy.*`
    pub proxy: bool,
}

/// Address arithmetic that knows the windows.
pub struct AddressOp {
    /// What.
    pub op: AddressKind,
    /// Result: a row, or a predicate for `isspacep`.
    pub result: Slot,
    /// Its class.
    pub result_class: Class,
    /// Source address.
    pub source: Slot,
    /// Its class.
    pub source_class: Class,
    /// Second source: the rank of `mapa`.
    pub second: Slot,
}

/// What an [`AddressOp`] does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressKind {
    /// `isspacep.shared::cta`, also plain `.shared`
    IsShared,
    /// `isspacep.shared::cluster`
    IsSharedCluster,
    /// `isspacep.local`
    IsLocal,
    /// `isspacep.global`
    IsGlobal,
    /// `isspacep.const`
    IsConst,
    /// `isspacep.param`
    IsParam,
    /// `mapa` of a shared-window offset
    MapaShared,
    /// `mapa` of a generic address
    MapaGeneric,
    /// `getctarank` of a shared-window offset
    RankShared,
    /// `getctarank` of a generic address
    RankGeneric,
    /// The address of a variable in the function's local memory: adds the thread's stack.
    LocalVariable,
}
