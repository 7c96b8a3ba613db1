//! The program form: what PTX is lowered to and what the engines run.
//!
//! A kernel and every function that it can reach are one list of instructions; a program counter is an index into it.
//! Operands are slots, modifiers are resolved to an operation, and reconvergence is explicit: where lanes of a branch
//! may part, the branch names its immediate post-dominator, and a [`Kind::Converge`] stands there. Instructions that
//! make lanes wait have no guard: lowering puts a branch around them.

mod asynchronous;
mod memory;
mod warp;

use std::collections::HashMap;

pub use asynchronous::*;
pub use memory::*;
pub use warp::*;

use warpvm_isa::{Modifier, Opcode, SpecialRegister};
use warpvm_ptx::tree::{Loc, Span};

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
