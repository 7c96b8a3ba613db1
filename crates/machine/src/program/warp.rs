//! What lanes of a warp, and the warps of a CTA or cluster, do together.

use warpvm_sem::tensor::{MatrixMove, WmmaMove};

use super::{Address, Role, TensorMapCopy};
use crate::slots::{Class, LaneMask, Slot};

/// A warp collective.
pub struct Collective {
    /// What.
    pub op: CollectiveOp,
    /// Participants; `NONE` for forms without `.sync`, where the active lanes take part.
    pub mask: Slot,
    /// Result.
    pub result: Slot,
    /// Second result: a predicate.
    pub predicate: Slot,
    /// Sources: value, lane or mask, clamp.
    pub sources: [Slot; 3],
    /// Identifies the operation with its qualifiers: lanes meet where it and the mask agree.
    pub key: u32,
}

/// What a collective does.
pub enum CollectiveOp {
    /// `vote.all`
    VoteAll {
        /** `!p` */
        negated: bool,
    },
    /// `vote.any`
    VoteAny {
        /** `!p` */
        negated: bool,
    },
    /// `vote.uni`
    VoteUni {
        /** `!p` */
        negated: bool,
    },
    /// `vote.ballot`
    VoteBallot {
        /** `!p` */
        negated: bool,
    },
    /// `shfl`
    Shfl(ShflMode),
    /// `match.any`
    MatchAny(Class),
    /// `match.all`
    MatchAll(Class),
    /// `redux`
    Redux(ReduxOp),
    /// `elect`
    Elect,
    /// `bar.warp`
    BarWarp,
    /// `ldmatrix`, `stmatrix`
    Matrix(MatrixCopy),
    /// `wmma.load`, `wmma.store`
    Fragment(FragmentCopy),
    /// `tensormap.cp_fenceproxy`
    TensorMap(TensorMapCopy),
    /// Everything else that a warp does together, as a boxed operation.
    Other(Box<dyn WarpOp>),
}

/// `ldmatrix` and `stmatrix`: rows in shared memory to and from registers.
pub struct MatrixCopy {
    /// How.
    pub op: MatrixMove,
    /// Into memory, or out of it?
    pub is_store: bool,
    /// The address of a row a lane.
    pub address: Address,
    /// One 32-bit row a matrix.
    pub registers: Vec<Slot>,
}

/// `wmma.load` and `wmma.store`: a matrix in memory to and from registers.
pub struct FragmentCopy {
    /// How.
    pub op: WmmaMove,
    /// Into memory, or out of it?
    pub is_store: bool,
    /// The first element.
    pub address: Address,
    /// Elements from line to line; a row, or `NONE` where the lines follow one another.
    pub stride: Slot,
    /// Registers of the fragment.
    pub registers: Vec<(Class, Slot)>,
}

/// An operation of a whole warp that is rare enough to be called through a table.
pub trait WarpOp: Send + Sync {
    /// Shows every slot that it reads or writes, each place that holds one once: the visitor may change it.
    fn visit(&mut self, f: &mut dyn FnMut(Role, Class, &mut Slot));
    /// Runs it for the lanes of `mask`.
    ///
    /// # Errors
    /// What is wrong with an address it uses.
    fn run(&self, warp: &mut crate::exec::WarpContext<'_>, mask: LaneMask) -> Result<(), crate::fault::FaultKind>;
    /// Offsets and lengths in the CTA's shared memory that it reads, for observers.
    fn shared_reads(&self, _warp: &crate::exec::WarpContext<'_>, _mask: LaneMask) -> Vec<(u64, u32)> {
        Vec::new()
    }
    /// Which bits of its results are undefined, where `undefined` gives those of its sources: a row for each slot. `None` where
    /// all are taken as defined.
    fn undefined(
        &self,
        _regs: &crate::slots::Registers,
        _undefined: &mut dyn FnMut(Class, Slot) -> [u64; 32],
    ) -> Option<Vec<(Class, Slot, [u64; 32])>> {
        None
    }
}

/// How `shfl` chooses its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum ShflMode {
    Up,
    Down,
    Bfly,
    Idx,
}

/// What `redux` computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum ReduxOp {
    Add,
    MinU,
    MaxU,
    MinS,
    MaxS,
    And,
    Or,
    Xor,
    MinF { abs: bool, nan: bool },
    MaxF { abs: bool, nan: bool },
}

/// A block or cluster barrier.
pub struct Barrier {
    /// Which of the 16; a row. `NONE` for the cluster barrier.
    pub id: Slot,
    /// Number of threads; a row or `NONE` for all.
    pub count: Slot,
    /// What.
    pub op: BarrierOp,
    /// `.aligned`, which `bar` implies: all threads of the warp execute it together.
    pub aligned: bool,
    /// Source predicate of `red`.
    pub predicate: Slot,
    /// `!p`
    pub negated: bool,
    /// Result of `red`: a row for `popc`, a predicate otherwise.
    pub result: Slot,
}

/// What a barrier does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum BarrierOp {
    Sync,
    Arrive,
    RedPopc,
    RedAnd,
    RedOr,
    ClusterArrive { release: bool },
    ClusterWait { acquire: bool },
}
