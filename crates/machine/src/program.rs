//! The program form: what PTX is lowered to and what the engines run.
//!
//! A kernel and every function that it can reach are one list of instructions; a program counter is an index into it.
//! Operands are slots, modifiers are resolved to an operation, and reconvergence is explicit: where lanes of a branch
//! may part, the branch names its immediate post-dominator, and a [`Kind::Converge`] stands there. Instructions that
//! make lanes wait have no guard: lowering puts a branch around them.

use std::collections::HashMap;

use warpvm_isa::{Modifier, Opcode, SpecialRegister};
use warpvm_ptx::tree::{Loc, Span};
use warpvm_sem::tensor::{MatrixMove, WmmaMove};

use crate::lower::strand::Strands;
use crate::row::RowOp;
use crate::slots::{Class, LaneMask, Slot};

/// A program counter: an index into [`Program::code`].
pub type Pc = u32;

/// No program counter: a branch without a post-dominator.
pub const NOWHERE: Pc = u32::MAX;

/// A kernel ready to run.
pub struct Program {
    /// Name of the kernel.
    pub entry: String,
    /// The instructions of the kernel and of every function that it can reach.
    pub code: Vec<Inst>,
    /// For each instruction, where it came from.
    pub meta: Vec<Meta>,
    /// The functions in `code`, the kernel first.
    pub functions: Vec<FunctionInfo>,
    /// Kernel parameters in order.
    pub params: Vec<Param>,
    /// Bytes of all parameters.
    pub param_bytes: u32,
    /// Bytes of a warp's register block.
    pub register_bytes: u32,
    /// Rows that hold the same in every lane or by lane number, filled when a warp starts.
    pub presets: Vec<Preset>,
    /// Bytes of static shared memory (after [`crate::memory::SHARED_START`]).
    pub shared_bytes: u32,
    /// Shared variables: name, offset in the window, length.
    pub shared_vars: Vec<Variable>,
    /// Alignment of dynamic shared memory, and so where it starts.
    pub dynamic_shared_start: u32,
    /// Bytes of local memory a thread, without recursion.
    pub local_bytes: u32,
    /// Local variables and `.param` areas: name, offset, length.
    pub local_vars: Vec<Variable>,
    /// Does the call graph have a cycle or an indirect call?
    pub may_recurse: bool,
    /// Addresses of `.const` variables.
    pub constants: Vec<std::ops::Range<u64>>,
    /// `.reqntid`, where given.
    pub required_block: Option<[u32; 3]>,
    /// `.maxntid` as a number of threads, where given.
    pub max_threads: Option<u32>,
    /// `.reqnctapercluster`, where given.
    pub cluster: Option<[u32; 3]>,
    /// Codes of functions (what a function pointer holds) to their index.
    pub codes: HashMap<u64, u32>,
    /// Registers by name with their slots, for debuggers and findings.
    pub registers: Vec<Register>,
    /// Blocks that declare registers.
    pub blocks: Vec<Block>,
    /// `.file` index to path.
    pub files: HashMap<u32, String>,
    /// The PTX text.
    pub source: std::sync::Arc<str>,
    /// Its machine code, made at the first launch that uses it.
    pub(crate) compiled: crate::jit::Cache,
    /// Its strands, made when it is first interpreted without an observer.
    pub(crate) strands: std::sync::OnceLock<Strands>,
}

impl Program {
    /// Its straight code, for runs that nobody observes.
    pub(crate) fn strands(&self) -> &Strands {
        self.strands.get_or_init(|| Strands::new(&self.code))
    }
}

/// A variable in shared or local memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the PTX.
    pub name: String,
    /// Offset in its memory.
    pub offset: u32,
    /// Length in bytes; 0 for a dynamic one.
    pub len: u32,
}

/// A named register.
#[derive(Clone, Debug)]
pub struct Register {
    /// Its name in the PTX.
    pub name: String,
    /// What it holds.
    pub class: Class,
    /// Where.
    pub slot: Slot,
    /// Index of its function.
    pub function: u32,
}

/// A function in the program.
#[derive(Clone, Debug)]
pub struct FunctionInfo {
    /// Its name.
    pub name: String,
    /// Its first instruction.
    pub start: Pc,
    /// One past its last instruction.
    pub end: Pc,
    /// The slots of its registers, `first..last`, to save over a recursive call.
    pub slots: (Slot, Slot),
    /// Each of its rows.
    pub rows: Vec<(Class, Slot)>,
    /// Is it in a cycle of the call graph?
    pub recursive: bool,
    /// Where calls put its arguments and find its results.
    pub formals: Vec<Place>,
    /// Where calls find its results.
    pub results: Vec<Place>,
}

/// A kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Offset in the parameter memory.
    pub offset: u32,
    /// Length in bytes.
    pub len: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Its type as written, e.g. `u64` or `b8[16]`.
    pub ty: String,
}

/// A row that is filled when a warp starts.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its class.
    pub class: Class,
    /// Where.
    pub slot: Slot,
    /// What.
    pub value: PresetValue,
}

/// What a preset row holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PresetValue {
    /// The same bits in every lane.
    Constant(u64),
    /// Bytes of the kernel's parameters: offset, length in bytes, sign-extended or not.
    Param {
        /// Offset in the parameter memory.
        offset: u32,
        /// 1, 2, 4 or 8.
        len: u32,
        /// Is it sign-extended to the row?
        signed: bool,
    },
    /// A special register that does not change while a thread runs.
    Special(SpecialRegister),
}

/// Does an instruction read or write a slot?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A result.
    Write,
    /// A source.
    Read,
}

/// Where an instruction came from and what it reads and writes.
#[derive(Clone, Debug)]
pub struct Meta {
    /// First word.
    pub opcode: Opcode,
    /// Words after dots.
    pub modifiers: std::sync::Arc<[Modifier]>,
    /// Its text.
    pub span: Span,
    /// The `.loc` in force.
    pub loc: Option<Loc>,
    /// Index of its function.
    pub function: u32,
    /// Its slots, results first.
    pub operands: Vec<(Role, Class, Slot)>,
    /// Was it made by lowering (a branch around a guarded collective, a [`Kind::Converge`])?
    pub synthetic: bool,
    /// Variables of shared and local memory whose addresses its text names.
    pub symbol: Symbol,
}

/// A variable whose address an instruction names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symbol {
    /// None.
    #[default]
    None,
    /// A variable of shared memory, by its offset in the window.
    Shared(u32),
    /// Dynamic shared memory.
    DynamicShared,
    /// A variable in the function's frame in local memory, by its offset.
    Local(u32),
    /// More than one.
    Several,
}

impl Symbol {
    /// What two mentions together are.
    #[must_use]
    pub fn and(self, other: Symbol) -> Symbol {
        match (self, other) {
            (one, Symbol::None) | (Symbol::None, one) => one,
            _ => Symbol::Several,
        }
    }
}

/// Registers that a block `{ ... }` declares: they are new, and hold anything, each time control enters the block (PTX ISA,
/// section 4.4.2 and 5.4).
#[derive(Clone, Debug)]
pub struct Block {
    /// Its function.
    pub function: u32,
    /// Where control enters it.
    pub start: Pc,
    /// One past its last instruction.
    pub end: Pc,
    /// The registers.
    pub rows: Vec<(Class, Slot)>,
}

/// `@p` or `@!p`
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// The predicate row.
    pub slot: Slot,
    /// `@!p`
    pub negated: bool,
}

impl Guard {
    /// The lanes that it lets through, given its predicate row.
    #[inline(always)]
    pub fn of(self, bits: LaneMask) -> LaneMask {
        if self.negated { !bits } else { bits }
    }
}

/// One instruction.
pub struct Inst {
    /// Lanes where it is false skip the instruction.
    pub guard: Option<Guard>,
    /// What to do.
    pub kind: Kind,
}

/// An instruction without its guard.
pub enum Kind {
    /// A lane-wise operation.
    Row(RowOp),
    /// `ld`, also of a vector.
    Load(Load),
    /// `st`, also of a vector.
    Store(Store),
    /// `atom` and `red`.
    Atomic(Atomic),
    /// `bra`
    Branch {
        /// Where lanes go that take it.
        target: Pc,
        /// The immediate post-dominator, a [`Kind::Converge`]; [`NOWHERE`] where there is none.
        reconverge: Pc,
    },
    /// `brx.idx`
    BranchIndexed {
        /// Row of indices.
        index: Slot,
        /// Targets.
        targets: Vec<Pc>,
        /// As for `Branch`.
        reconverge: Pc,
    },
    /// Where lanes that parted meet again.
    Converge,
    /// `call`
    Call(Call),
    /// `ret` of a function.
    Return,
    /// `exit`, and `ret` of a kernel.
    Exit,
    /// `trap`
    Trap,
    /// `brkpt`
    Breakpoint,
    /// A warp collective.
    Collective(Collective),
    /// `bar`, `barrier.cta`, `barrier.cluster`
    Barrier(Barrier),
    /// `fence`, `membar`
    Fence(Fence),
    /// A special register that changes while a thread runs.
    ReadSpecial {
        /// Result.
        result: Slot,
        /// Its class.
        class: Class,
        /// Which.
        register: SpecialRegister,
    },
    /// `activemask`
    ActiveMask {
        /// Result.
        result: Slot,
    },
    /// `cvta`, `isspacep`, `mapa`, `getctarank`: see [`AddressOp`].
    Address(AddressOp),
    /// `nanosleep`: nothing but a hint to run others.
    Yield,
    /// `prefetch`, `discard`, `applypriority`, `griddepcontrol`, `setmaxnreg`, ...: no effect here.
    Nothing,
    /// `pmevent`: a mask of counters.
    PmEvent(u16),
    /// `mbarrier.*`
    Mbarrier(Mbarrier),
    /// `cp.async`, `cp.async.bulk`
    AsyncCopy(AsyncCopy),
    /// `tensormap.replace`
    TensorMapReplace(TensorMapReplace),
    /// `st.async`, `red.async`
    RemoteStore(RemoteStore),
    /// `cp.async.wait_group`, `cp.async.bulk.wait_group`, `wgmma.wait_group` and the commits.
    AsyncGroup(AsyncGroup),
    /// `alloca`, `stacksave`, `stackrestore`
    Stack(StackOp),
}

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

/// A value's place in a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A register.
    Register(Class, Slot),
    /// Bytes of the caller's or callee's local memory: offset and length.
    Memory(u32, u32),
}

/// Who is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function of the program, by index.
    Function(u32),
    /// Whose code a register holds; the results and arguments are those of a prototype.
    Indirect(Slot),
    /// A function that the machine brings.
    Builtin(Builtin),
}

/// Functions that the machine brings (the device runtime).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `vprintf(format, arguments)`
    Vprintf,
    /// `malloc(size)`
    Malloc,
    /// `free(pointer)`
    Free,
    /// `__assertfail(message, file, line, function, charSize)`
    AssertFail,
}

/// `call`
pub struct Call {
    /// Who.
    pub callee: Callee,
    /// Where the arguments are.
    pub args: Vec<Place>,
    /// Where the results go.
    pub results: Vec<Place>,
}

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

/// `alloca`, `stacksave`, `stackrestore`
#[derive(Clone, Copy, Debug)]
pub enum StackOp {
    /// Takes `size` bytes: result, size, alignment.
    Alloca {
        /** Result. */
        result: (Class, Slot),
        /** Bytes. */
        size: (Class, Slot),
        /** Alignment. */
        align: u32,
    },
    /// Reads the stack pointer.
    Save {
        /** Result. */
        result: (Class, Slot),
    },
    /// Sets the stack pointer.
    Restore {
        /** Value. */
        source: (Class, Slot),
    },
}
