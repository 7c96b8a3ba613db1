//! Copies that run beside the threads, and the barriers that count them.

use super::{Address, AtomicOp, AtomicType, Ordering, Scope};
use crate::slots::{Class, Slot};

/// `mbarrier.*` (PTX ISA, section 9.7.13.15)
pub struct Mbarrier {
    /// What.
    pub op: MbarrierOp,
    /// Where, for all but `pending_count`.
    pub address: Address,
    /// State token or predicate.
    pub result: Slot,
    /// Count, token or parity.
    pub operand: Slot,
    /// Second operand: the time limit of `try_wait` is not kept.
    pub ordering: Ordering,
    /// Scope.
    pub scope: Scope,
}

/// What an [`Mbarrier`] does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum MbarrierOp {
    Init,
    Inval,
    /// `expect_tx` without arrival
    ExpectTx,
    /// `complete_tx`
    CompleteTx,
    Arrive {
        drop: bool,
        expect_tx: bool,
        no_complete: bool,
    },
    TestWait {
        parity: bool,
        blocking: bool,
    },
    PendingCount,
    /// `cp.async.mbarrier.arrive`
    CpAsyncArrive {
        noinc: bool,
    },
}

/// `cp.async` and `cp.async.bulk`
pub struct AsyncCopy {
    /// To where.
    pub destination: Address,
    /// From where.
    pub source: Address,
    /// Bytes, fixed; or `None` and a row in `size_slot`.
    pub size: Option<u32>,
    /// Row of sizes (`cp.async.bulk`), or of source sizes (`cp.async` with `src-size`), or `NONE`.
    pub size_slot: Slot,
    /// A predicate: true lanes copy nothing and write zeros.
    pub ignore: Slot,
    /// Who is told.
    pub completion: Completion,
    /// The mbarrier, for `Completion::Mbarrier`.
    pub mbarrier: Option<Address>,
    /// `cp.reduce.async.bulk`: what is done with the destination.
    pub reduce: Option<(AtomicOp, AtomicType, u32)>,
    /// Row of CTA masks for `.multicast::cluster`, or `NONE`.
    pub multicast: Slot,
    /// `cp{.reduce}.async.bulk.tensor`: the part of the tensor. The address that is not in shared memory is that of the
    /// tensor map.
    pub tensor: Option<Box<TensorPart>>,
}

/// Where in a tensor an asynchronous copy starts (PTX ISA, section 9.7.9.27.1.2).
pub struct TensorPart {
    /// Rows of coordinates, innermost dimension first.
    pub coordinates: Vec<Slot>,
    /// im2col: rows of offsets; none for stores.
    pub offsets: Option<Vec<Slot>>,
    /// Is it only fetched to L2?
    pub is_prefetch: bool,
}

/// `st.async` and `red.async`: a value into the shared memory of the cluster, counted at an mbarrier there.
pub struct RemoteStore {
    /// To where.
    pub address: Address,
    /// The mbarrier.
    pub mbarrier: Address,
    /// Bytes of an element.
    pub size: u32,
    /// Sources: class and slot of each element of the vector.
    pub sources: Vec<(Class, Slot)>,
    /// `red.async`: what is done with the destination.
    pub reduce: Option<(AtomicOp, AtomicType)>,
}

/// `tensormap.replace`
pub struct TensorMapReplace {
    /// The tensor map.
    pub address: Address,
    /// What is replaced.
    pub field: warpvm_sem::tensor_map::Field,
    /// Row of new values.
    pub value: (Class, Slot),
}

/// `tensormap.cp_fenceproxy`: a tensor map from shared to global memory.
pub struct TensorMapCopy {
    /// To where.
    pub destination: Address,
    /// From where.
    pub source: Address,
}

/// How the end of an asynchronous copy is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// `cp.async.commit_group`, `wait_group`
    Group,
    /// `cp.async.bulk.commit_group`, `wait_group`
    BulkGroup,
    /// `mbarrier::complete_tx::bytes`
    Mbarrier,
}

/// Commits and waits of asynchronous groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum AsyncGroup {
    CommitCp,
    WaitCp(u32),
    WaitAllCp,
    CommitBulk,
    WaitBulk { left: u32, read: bool },
    WgmmaFence,
    WgmmaCommit,
    WgmmaWait(u32),
}
