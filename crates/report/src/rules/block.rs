//! Rules about the threads of a block: barriers and deadlock.

use super::Rule;
use crate::diagnostic::Severity;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "barrier-divergence",
        severity: Severity::Error,
        title: "a block barrier is reached by a part of a warp or block",
        what: "Some threads wait at `bar.sync` (`__syncthreads`) while others of the same warp or block, still alive, wait \
elsewhere.",
        why: "`bar` and `barrier.aligned` need all threads of the warp at the same instruction, and `__syncthreads` all threads \
of the block (PTX ISA, bar; CUDA C++ Programming Guide, synchronization functions).",
        example: "if (threadIdx.x % 2 == 0)\n  __syncthreads();",
        fix: "move the barrier out of the condition; let threads without work skip the work, not the barrier",
        limits: "only `.aligned` barriers (all of CUDA C++'s `__syncthreads`) are judged by warp; `barrier.sync` without it is free",
    },
    Rule {
        name: "barrier-sites",
        severity: Severity::Warning,
        title: "the warps of a block meet a barrier at different instructions",
        what: "All threads arrived at one barrier, but whole warps did so at different `bar` instructions.",
        why: "Chips count arrivals only, so it works; the manual wants the same instruction in all threads for the aligned \
forms (PTX ISA, bar).",
        example: "if (warp == 0) { load();  __syncthreads(); }\nelse           { other(); __syncthreads(); }",
        fix: "use one barrier after the branch, or named barriers with `barrier.sync` and explicit counts",
        limits: "a warning: it works on every chip that counts warps",
    },
    Rule {
        name: "barrier-count",
        severity: Severity::Error,
        title: "a barrier is given a wrong number of threads",
        what: "The thread count of a barrier is zero, no multiple of the warp size, larger than the block, not the same in all \
arriving warps, or not the number that arrives.",
        why: "The count must be a multiple of the warp size and equal for all who take part (PTX ISA, bar, operand b).",
        example: "asm volatile(\"bar.sync 1, 48;\");",
        fix: "count whole warps: 32 times the number of warps that arrive or wait",
        limits: "a count that is right by luck on this launch is silent",
    },
    Rule {
        name: "barrier-arrive",
        severity: Severity::Error,
        title: "a warp arrives twice at a barrier before it completes",
        what: "A warp runs `bar.arrive` (or arrives and then waits) on a barrier that still counts its earlier arrival.",
        why: "The second arrival is counted for a thread that is still missing; which one is undefined (PTX ISA, bar.arrive).",
        example: "asm(\"bar.arrive 1, 64;\");\nasm(\"bar.arrive 1, 64;\");   // before the consumer's bar.sync",
        fix: "let the producer wait for the consumer, with a second barrier, before it arrives again",
        limits: "judged by phase of one barrier; who was meant to arrive is not known",
    },
    Rule {
        name: "barrier-mix",
        severity: Severity::Error,
        title: "reduction and plain synchronisation are mixed on one barrier",
        what: "Some threads reach a barrier by `bar.red` and some by `bar.sync` or `bar.arrive`, or by different reductions.",
        why: "All threads of a barrier must run the same operation; only `bar.sync` and `bar.arrive` may meet (PTX ISA, bar).",
        example: "if (warp == 0) n = __syncthreads_count(p);\nelse           __syncthreads();",
        fix: "let every thread call the reduction, with a false predicate where it has nothing to add",
        limits: "judged by phase of one barrier",
    },
    Rule {
        name: "exited-barrier",
        severity: Severity::Note,
        title: "threads of the block have exited before a barrier",
        what: "A block barrier without a thread count completes although threads of the block have exited without coming to it.",
        why: "The barrier waits for the threads that have not exited, so this works; code that is meant to run everywhere keeps \
all threads alive up to the last barrier (CUDA C++ Programming Guide, synchronization functions).",
        example: "if (i >= n) return;\n__syncthreads();",
        fix: "guard the work and not the thread: let all threads reach the barrier",
        limits: "a thread that went by a barrier in a branch and did something else before it exited is a \
`barrier-divergence`",
    },
    Rule {
        name: "deadlock",
        severity: Severity::Error,
        title: "nothing can run and threads remain",
        what: "Every thread that has not exited waits for another, or spins on a value that nobody will write.",
        why: "The kernel never ends. Each waiting lane is listed with what it waits for and where that is instead.",
        example: "while (atomicExch(&lock, 1)) ;\n__syncthreads();   // the holder waits for the waiters\natomicExch(&lock, 0);",
        fix: "release before waiting, and take part in every barrier that others wait at",
        limits: "a loop that spins is a deadlock only where that is proved: nothing changes and every lane comes back to where \
it was, but for counts that decide nothing, and with all time limits passed; a loop that ends after so many rounds ends, \
or meets the step limit",
    },
    Rule {
        name: "race-block",
        severity: Severity::Error,
        title: "two warps of a block touch the same bytes in no order",
        what: "Two threads of different warps of one block access the same bytes, at least one writes, and nothing orders the \
two.",
        why: "Only a block barrier, or a release and an acquire that read each other, order threads of a block (PTX ISA, memory \
consistency model).",
        example: "tile[t] = in[t];\nout[t] = tile[255 - t];   // no __syncthreads() between",
        fix: "put `__syncthreads()` between the write and the read, and one before the buffer is written again",
        limits: "only pairs of accesses of one launch are compared; inputs that are not run are not seen",
    },
];
