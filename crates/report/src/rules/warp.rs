//! Rules about the lanes of a warp: participation masks, shuffles, votes.

use super::Rule;
use crate::diagnostic::Severity;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "own-lane",
        severity: Severity::Error,
        title: "a lane calls a collective with a mask that lacks its own bit",
        what: "A lane runs a `.sync` collective (vote, shfl, match, redux, elect, bar.warp) although the mask it passes does \
not name it.",
        why: "The manual makes the result undefined when the executing thread is not in its membermask (PTX ISA, vote.sync, \
shfl.sync, match.sync, redux.sync, bar.warp.sync).",
        example: "unsigned v = __ballot_sync(0xfffffffe, p);   // lane 0 comes here too",
        fix: "pass a mask that names every lane that reaches the call, or keep the unnamed lanes out of it with a branch",
        limits: "found on every schedule that reaches the call with such a mask; a call that no seed reaches is not seen",
    },
    Rule {
        name: "mask-mismatch",
        severity: Severity::Error,
        title: "lanes that name each other pass different masks",
        what: "Two lanes that wait at the same kind of collective name each other, but their masks are not equal.",
        why: "All named lanes must run the same operation with the same mask; otherwise they wait for different groups and the \
result is undefined (PTX ISA, membermask of the `.sync` instructions).",
        example: "unsigned m = (lane & 1) ? 0xffffffff : 0x55555555;\n__shfl_sync(m, x, 0);",
        fix: "compute the mask once, before the lanes part, for instance with `__ballot_sync` of the branch condition",
        limits: "lanes whose masks do not name each other are two groups, and silent",
    },
    Rule {
        name: "absent-lane",
        severity: Severity::Error,
        title: "a lane named in the mask cannot arrive",
        what: "A collective waits for a lane that is alive but has gone elsewhere: into another branch, to another collective \
with another mask, or to a block barrier.",
        why: "A `.sync` instruction waits until every non-exited lane of its mask has reached it; a lane that never does leaves \
the others waiting, and on a chip it may instead give an arbitrary answer (PTX ISA, membermask).",
        example: "if (x > 100)\n  hits = __ballot_sync(0xffffffff, 1);   // the others never come",
        fix: "move the collective out of the branch, or name only the lanes that take it: `m = __ballot_sync(0xffffffff, x > \
100)` before, `m` inside",
        limits: "the missing lane must be met waiting elsewhere, or the launch must stop; a lane that comes late by luck is found only where a seed delays it",
    },
    Rule {
        name: "two-sites",
        severity: Severity::Note,
        title: "one collective is reached at two instructions",
        what: "The lanes of one mask met although some came to one instruction and some to another with the same operation.",
        why: "PTX lets them meet. CUDA C++ does not promise it: a compiler may make two different instructions of the two calls, \
and the code stops working.",
        example: "if (lane < 16) s = __shfl_sync(~0u, x, 0);\nelse           s = __shfl_sync(~0u, y, 0);",
        fix: "choose the operand by the condition and call once: `__shfl_sync(~0u, lane < 16 ? x : y, 0)`",
        limits: "a note: PTX allows it, so it is never an error",
    },
    Rule {
        name: "exited-lane",
        severity: Severity::Note,
        title: "a mask names a lane that has exited",
        what: "A lane in the mask has returned from the kernel before the collective.",
        why: "PTX ISA 6.2 and later waits for non-exited lanes only, so this works; older rules, and shuffles that read the \
exited lane, do not.",
        example: "if (i >= n) return;\nsum += __shfl_down_sync(0xffffffff, sum, 16);",
        fix: "keep all lanes alive up to the last collective and give the surplus lanes a neutral value",
        limits: "a note: what the chip does is defined by PTX, older rules differ",
    },
    Rule {
        name: "source-lane",
        severity: Severity::Error,
        title: "a shuffle takes its value from a lane that does not take part",
        what: "A lane reads from a lane that is outside the mask or has exited, and the value reaches a result.",
        why: "The value is undefined, not zero (PTX ISA, shfl.sync; CUDA C++ Programming Guide, warp shuffle functions).",
        example: "unsigned m = __ballot_sync(~0u, lane != 3);\nif (lane != 3) x = __shfl_sync(m, x, 3);",
        fix: "read from a lane in the mask, e.g. `__ffs(m) - 1`, or throw the value away where the source is not in it",
        limits: "a note where the value is thrown away; the error comes where the value is used",
    },
    Rule {
        name: "shfl-width",
        severity: Severity::Warning,
        title: "a shuffle's width is not a power of two from 2 to 32",
        what: "The segment mask in operand c of shfl does not cut the warp into equal segments of 2, 4, 8, 16 or 32 lanes.",
        why: "`width` must be a power of two not above 32, otherwise the result is undefined (CUDA C++ Programming Guide, warp \
shuffle functions).",
        example: "x += __shfl_down_sync(~0u, x, 4, 12);",
        fix: "use the next power of two and guard the lanes that are too many",
        limits: "only widths that reach the machine code are seen: a compiler may fold a constant",
    },
    Rule {
        name: "activemask",
        severity: Severity::Warning,
        title: "the lanes that happen to be together are used as a decision of the program",
        what: "The result of `activemask` reaches a mask, a branch or an output as if it were known which lanes are together.",
        why: "Which lanes are converged at an instruction is not promised, not even right after a branch (PTX ISA, activemask; \
CUDA C++ Programming Guide, independent thread scheduling).",
        example: "if (p) {\n  unsigned m = __activemask();\n  x = __shfl_sync(m, x, __ffs(m) - 1);\n}",
        fix: "compute the mask from the program's own condition: `m = __ballot_sync(0xffffffff, p)` before the branch",
        limits: "only lanes that the seeds part can show that the mask varies; where the order of atomics reaches the results as well, only values that masks alone decide are compared, and what atomics have added up that masks alone let run; a use that hides the mask in memory is not followed through another kernel",
    },
    Rule {
        name: "race-warp",
        severity: Severity::Error,
        title: "two lanes of a warp touch the same bytes in no order",
        what: "Two lanes of one warp access the same bytes of memory, at least one writes, and nothing orders the two.",
        why: "Since Volta the lanes of a warp do not run in lockstep; only `bar.warp.sync`, a block barrier, or atomics with fences \
order them (PTX ISA, memory consistency model).",
        example: "s[lane] = x;\ny = s[lane ^ 1];   // no __syncwarp() between",
        fix: "put `__syncwarp()` between the write and the read, and again before the buffer is reused",
        limits: "only pairs of accesses of one launch are compared; inputs that are not run are not seen",
    },
];
