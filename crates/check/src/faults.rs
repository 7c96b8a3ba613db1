//! Faults that end a launch, as findings.

use warpvm_machine::fault::{AccessKind, Arrived, BarrierFault, Fault, FaultKind};
use warpvm_machine::memory::{GlobalMemory, Lookup, Space};
use warpvm_machine::program::{BarrierOp, Kind, Pc, Program};

pub use crate::blocked::doing;

use crate::blocked::{self, Past};
use crate::collectives::History;
use crate::finding::{Finding, Related, Rule};
use crate::words::{owner, spelled, verb, who, window, within};

const WHY_BOUNDS: &str = "every byte of an access must lie in one live variable or allocation; PTX ISA, state spaces";
const WHY_ALIGN: &str = "the address must be a multiple of the access size; PTX ISA, addresses as operands";
const WHY_OWN: &str = "the executing thread must be in the membermask, else the result is undefined; PTX ISA, membermask \
of the `.sync` instructions";
const WHY_NUMBER: &str = "a CTA has 16 barriers, numbered 0 to 15; PTX ISA, bar and barrier";
const WHY_COUNT: &str = "the thread count of a barrier must be a multiple of the warp size and the same for all that \
take part; PTX ISA, bar and barrier";
const WHY_MIX: &str = "`red` must not meet `sync` or `arrive` at an active barrier; PTX ISA, bar and barrier";
const WHY_CLUSTER: &str =
    "each thread arrives once in a phase and waits before it arrives again; PTX ISA, barrier.cluster";
const WHY_MBARRIER: &str = "the count of an mbarrier is from 1 to 2^20-1, and its object lies in shared memory; PTX ISA, \
mbarrier";
const WHY_FREE: &str =
    "`free` takes what `malloc` gave, once; CUDA C++ Programming Guide, dynamic global memory allocation";

/// The finding that a fault stands for; none where the kernel ended itself (`trap`, a failed assertion) or a limit was
/// reached.
pub fn finding(program: &Program, global: &GlobalMemory, fault: &Fault) -> Option<Finding> {
    with_past(program, global, fault, Past { history: &History::default(), phases: &|_| 0 })
}

pub(crate) fn with_past(program: &Program, global: &GlobalMemory, fault: &Fault, past: Past<'_>) -> Option<Finding> {
    let start = |rule, why| Finding::new(rule, fault.pc, fault.cta, fault.warp, fault.lanes, why);
    let say = |mut f: Finding, message: String, here: String| {
        (f.message, f.here) = (message, here);
        f
    };
    Some(match &fault.kind {
        FaultKind::Address { space, address, size, access, lane } => {
            let rule = bounds_rule(global, *space, *address);
            let at = place(program, global, *space, *address);
            let message = match rule {
                Rule::UseAfterFree => "access to memory that was freed".to_owned(),
                _ => format!("access outside of {} memory", named(*space)),
            };
            let here = format!("lane {lane} {} {size} bytes at {at}{}", does(*access), others(fault, *lane));
            say(start(rule, WHY_BOUNDS), message, here)
        }
        FaultKind::Misaligned { space, address, align, lane } => {
            let at = place(program, global, *space, *address);
            let message = format!("misaligned access to {} memory", named(*space));
            let others = others(fault, *lane);
            let here = format!("lane {lane} uses address {address:#x}, {at}, which is no multiple of {align}{others}");
            say(start(Rule::Misaligned, WHY_ALIGN), message, here)
        }
        FaultKind::OwnLane { mask } => {
            let lanes = fault.lanes;
            let message = format!("{} is called with a mask that lacks the caller", spelled(program, fault.pc));
            let here = format!("{} {} mask {mask:#010x}", who(lanes), verb(lanes, "passes", "pass"));
            say(start(Rule::OwnLane, WHY_OWN), message, here)
        }
        FaultKind::Deadlock(list) | FaultKind::Livelock(list) => blocked::finding(program, past, fault, list),
        FaultKind::Barrier(what) => barrier(program, fault, what),
        FaultKind::Mbarrier(text) => say(start(Rule::MbarrierCount, WHY_MBARRIER), text.clone(), String::new()),
        FaultKind::BadFree(address) => {
            let rule = match global.lookup(*address) {
                Lookup::Freed(_) => Rule::UseAfterFree,
                _ => Rule::OobGlobal,
            };
            let at = place(program, global, Space::Global, *address);
            say(start(rule, WHY_FREE), "`free` of what `malloc` did not give".to_owned(), format!("it is {at}"))
        }
        FaultKind::StepLimit { .. }
        | FaultKind::Trap
        | FaultKind::Breakpoint
        | FaultKind::Assert { .. }
        | FaultKind::BadCallee(_)
        | FaultKind::BadCall(_)
        | FaultKind::BadIndex { .. }
        | FaultKind::StackOverflow
        | FaultKind::BadOperand(_) => return None,
    })
}

/// The other lanes of which the same is true.
fn others(fault: &Fault, than: u32) -> String {
    match fault.lanes & !(1 << than) {
        0 => String::new(),
        rest => format!("; so {} {}", verb(rest, "does", "do"), who(rest)),
    }
}

fn bounds_rule(global: &GlobalMemory, space: Space, address: u64) -> Rule {
    match space {
        Space::Global => match global.lookup(address) {
            Lookup::Freed(_) => Rule::UseAfterFree,
            _ => Rule::OobGlobal,
        },
        Space::Shared => Rule::OobShared,
        Space::Local | Space::Param => Rule::OobLocal,
    }
}

/// Whose address it is: variable or allocation plus offset rather than a bare number.
pub fn place(program: &Program, global: &GlobalMemory, space: Space, address: u64) -> String {
    if space != Space::Global {
        return window(program, space, address);
    }
    match global.lookup(address) {
        Lookup::Live(a) => within(&a, address),
        Lookup::Freed(a) => format!("{} (freed)", within(&a, address)),
        Lookup::Outside(Some(a)) if address - a.base < a.len + (1 << 20) => {
            format!("{}+{:#x}, past its end at {:#x}", owner(&a.origin), address - a.base, a.len)
        }
        Lookup::Outside(_) => format!("{address:#x}, which is in no allocation"),
    }
}

pub(crate) fn named(space: Space) -> &'static str {
    match space {
        Space::Global => "global",
        Space::Shared => "shared",
        Space::Local => "local",
        Space::Param => "parameter",
    }
}

pub(crate) fn does(access: AccessKind) -> &'static str {
    match access {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
        AccessKind::Atomic => "updates",
    }
}

fn barrier(program: &Program, fault: &Fault, what: &BarrierFault) -> Finding {
    let start = |rule, why| Finding::new(rule, fault.pc, fault.cta, fault.warp, fault.lanes, why);
    let lanes = fault.lanes;
    let subject = format!("{} of warp {}", who(lanes), fault.warp);
    match what {
        BarrierFault::Number(id) => {
            let mut f = start(Rule::BarrierCount, WHY_NUMBER);
            f.message = format!("barrier {id} does not exist");
            f.here = format!("{subject} {} it", verb(lanes, "names", "name"));
            f
        }
        BarrierFault::Count(count) => {
            let mut f = start(Rule::BarrierCount, WHY_COUNT);
            f.message = format!("a barrier for {count} threads, which is not a multiple of 32");
            f.here = format!("{subject} {} it", verb(lanes, "asks for", "ask for"));
            f
        }
        BarrierFault::Counts { id, first, now, arrived } => {
            let mut f = start(Rule::BarrierCount, WHY_COUNT);
            f.message = format!(
                "barrier {id} is used for {} and for {} threads at the same time",
                counted(*first),
                counted(*now)
            );
            f.here = format!("{subject} {} for {}", verb(lanes, "arrives", "arrive"), counted(*now));
            f.related = earlier(arrived, &format!("for {}", counted(*first)));
            f
        }
        BarrierFault::Mixed { id, first, now, arrived } => {
            let own = arrived.iter().find(|a| a.warp == fault.warp && is_aligned(program, a.pc));
            let mut f = match own {
                Some(_) => start(Rule::BarrierDivergence, crate::barriers::WHY_WARP),
                None => start(Rule::BarrierMix, WHY_MIX),
            };
            f.message = format!("barrier {id} is used for {} and for {} at the same time", op(*first), op(*now));
            f.here = format!("{subject} {} for {}", verb(lanes, "arrives", "arrive"), op(*now));
            f.related = earlier(arrived, &format!("for {}", op(*first)));
            f
        }
        BarrierFault::ClusterTwice => {
            let mut f = start(Rule::BarrierArrive, WHY_CLUSTER);
            f.message = "`barrier.cluster.arrive` twice without a `wait` between".into();
            f.here = format!("{subject} {} again", verb(lanes, "arrives", "arrive"));
            f
        }
    }
}

fn is_aligned(program: &Program, pc: Pc) -> bool {
    matches!(&program.code[pc as usize].kind, Kind::Barrier(b) if b.aligned)
}

/// Those who have arrived before, one place each.
fn earlier(arrived: &[Arrived], what: &str) -> Vec<Related> {
    let mut out: Vec<Related> = Vec::new();
    for a in arrived {
        if out.iter().all(|r| r.pc != a.pc) {
            let message = format!("{} of warp {} arrived here {what}", who(a.lanes), a.warp);
            out.push(Related::new(a.pc, message));
        }
    }
    out
}

fn counted(count: u32) -> String {
    if count == 0 { "all".to_owned() } else { count.to_string() }
}

fn op(op: BarrierOp) -> &'static str {
    match op {
        BarrierOp::Sync => "`sync`",
        BarrierOp::Arrive => "`arrive`",
        BarrierOp::RedPopc => "`red.popc`",
        BarrierOp::RedAnd => "`red.and`",
        BarrierOp::RedOr => "`red.or`",
        BarrierOp::ClusterArrive { .. } | BarrierOp::ClusterWait { .. } => "a cluster barrier",
    }
}
