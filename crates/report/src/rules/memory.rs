//! Rules about memory: races between blocks, bad addresses, undefined values, and division by zero.

use super::Rule;
use crate::diagnostic::Severity;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "race-global",
        severity: Severity::Error,
        title: "two blocks touch the same bytes in no order",
        what: "Threads of two blocks access the same bytes of global memory (or of the shared memory of a cluster), at least one \
writes, and nothing orders the two. Or a thread accesses the shared memory of another block of its cluster that may not have \
started yet, or may have exited already.",
        why: "Blocks run in any order and side by side; only atomics, and releases and acquires of gpu scope, order them (PTX \
ISA, memory consistency model).",
        example: "counter[0] = counter[0] + 1;",
        fix: "use an atomic (`atomicAdd`), give each block its own element, or split the kernel in two launches",
        limits: "launches are ordered one after the other: streams are not modelled; a plain store that only comes to pass because its \
thread (or block, at the same word) has seen the other access done, by a strong read without a fence, counts as ordered: no chip \
shows it too early",
    },
    Rule {
        name: "race-scope",
        severity: Severity::Error,
        title: "two accesses are ordered only by a fence or atomic of too narrow a scope",
        what: "A release and acquire chain connects the two accesses, but one of its links has a scope (`.cta`) that does not \
include both threads.",
        why: "Strong operations synchronise only when each names a scope that includes the other thread: morally strong (PTX \
ISA, memory consistency model).",
        example: "data = x; __threadfence_block(); atomicExch(&flag, 1);   // read in another block",
        fix: "use the wider form: `__threadfence()`, `.gpu`, `cuda::thread_scope_device`",
        limits: "system scope is taken as device scope: there is one device",
    },
    Rule {
        name: "race-same-value",
        severity: Severity::Note,
        title: "unordered plain stores write the same value",
        what: "Two threads store one and the same value to the same bytes in no order.",
        why: "It is a race by the letter; the bytes hold that value all the same on every chip.",
        example: "if (found) done[0] = 1;   // by many threads",
        fix: "nothing to mend, or let one thread store",
        limits: "a note: the outcome is the same, the manual still calls it a race",
    },
    Rule {
        name: "oob-global",
        severity: Severity::Error,
        title: "a global access outside every allocation",
        what: "An address lies outside the allocation it was made from, or in no allocation at all. The allocation and the \
offset are named.",
        why: "A chip may fault, or read and write what lies beside it: allocations are padded, so it often goes unseen.",
        example: "out[i] = in[i + 1];   // i = n - 1",
        fix: "compare the index with the element count before the access",
        limits: "an access that lands inside another live allocation is not seen; allocations are kept apart by gaps, so that needs a large offset",
    },
    Rule {
        name: "oob-shared",
        severity: Severity::Error,
        title: "a shared access outside the block's shared memory",
        what: "An address in the shared window lies past the static and dynamic shared memory of the launch, or outside the \
variable it was made from.",
        why: "A chip faults only past the whole allocation, rounded up; inside it another variable is overwritten.",
        example: "__shared__ int s[32];\ns[threadIdx.x + 1] = x;",
        fix: "size the array for the largest index, or give the launch the dynamic bytes it needs (`--smem`)",
        limits: "an index past one array into the next is seen where the address is certainly made from one variable: not through \
pointers that were stored in memory, passed through a function pointer, or chosen among several arrays, and not inside \
one dynamic array or structure",
    },
    Rule {
        name: "oob-local",
        severity: Severity::Error,
        title: "a local access outside the thread's variable",
        what: "An index into an array of the thread (local memory) lies outside it, or the address of an access is in no variable of \
the thread at all.",
        why: "The neighbouring variable or spilled register is read or overwritten.",
        example: "int a[8];\na[n] = 1;   // n = 8",
        fix: "bound the index",
        limits: "an index past one array into the next is seen only where PTX has two variables: a compiler puts all arrays of a \
function in one; how an address came about does not matter where it leads to no variable",
    },
    Rule {
        name: "misaligned",
        severity: Severity::Error,
        title: "an address is not a multiple of the access size",
        what: "A load, store or atomic uses an address that is not a multiple of the bytes it moves.",
        why: "Vector and scalar accesses must be naturally aligned; chips fault (PTX ISA, addresses as operands).",
        example: "float4 v = *(float4 *)(p + 1);",
        fix: "align the pointer to the vector size, or load the elements one by one",
        limits: "judged by address: a pointer that happens to be aligned is silent",
    },
    Rule {
        name: "use-after-free",
        severity: Severity::Error,
        title: "an access to memory that was freed",
        what: "The address lies in an allocation that has been freed: by the host, by `free` in the kernel, or with the frame of \
a function that returned.",
        why: "The memory may belong to something else by now.",
        example: "int *p = local_array();   // address of a variable of the callee\nx = *p;",
        fix: "let the memory outlive its last use",
        limits: "addresses are not given out again within a launch, so reuse cannot hide it",
    },
    Rule {
        name: "uninit-reg",
        severity: Severity::Error,
        title: "an undefined register value is used",
        what: "A register that this lane never wrote reaches an address, a branch, an output or the result of a collective. A \
register that is declared in a block `{ ... }` (of inline assembly, for instance) is new each time control enters the block.",
        why: "Its content is undefined; copying it around is legal and is not reported.",
        example: "int x;\nif (lane < 16) x = 1;\nout[lane] = x;",
        fix: "give the variable a value on every path",
        limits: "copying is silent; the report comes where the value reaches an address, a branch or an output. An output is a \
buffer that the host has written, or one that nobody wrote and the launch does not read: there it is a warning at the end",
    },
    Rule {
        name: "uninit-global",
        severity: Severity::Error,
        title: "an undefined value from global memory is used",
        what: "Bytes of an allocation that nobody wrote reach an address, a branch or an output.",
        why: "`cudaMalloc` does not clear memory; that it often is zero is luck.",
        example: "sum[0] += x;   // sum was allocated and never cleared",
        fix: "clear the buffer before the launch, or write before reading",
        limits: "buffers that the host filled, or that a launch zeroed, count as written. In a buffer that nobody wrote before the launch \
undefined values may be kept; those that are left in it at the end are a warning, unless the launch reads the buffer for another use \
(then it is scratch). What looks like the padding of a structure is let go",
    },
    Rule {
        name: "uninit-shared",
        severity: Severity::Error,
        title: "an undefined value from shared memory is used",
        what: "Shared bytes that no thread of the block wrote reach an address, a branch, an output or a collective.",
        why: "Shared memory holds what the last block left there.",
        example: "__shared__ int hist[256];\natomicAdd(&hist[b], 1);   // never cleared",
        fix: "clear it by all threads, then `__syncthreads()`",
        limits: "copying is silent; the report comes where the value reaches an address, a branch or an output. An output is a \
buffer that the host has written, or one that nobody wrote and the launch does not read: there it is a warning at the end",
    },
    Rule {
        name: "uninit-local",
        severity: Severity::Error,
        title: "an undefined value from a thread's own array is used",
        what: "Local bytes that the thread never wrote reach an address, a branch or an output.",
        why: "Local memory is not cleared.",
        example: "int a[4];\na[0] = 1;\nout[t] = a[t & 3];",
        fix: "initialise the whole array",
        limits: "copying is silent; the report comes where the value reaches an address, a branch or an output. An output is a \
buffer that the host has written, or one that nobody wrote and the launch does not read: there it is a warning at the end",
    },
    Rule {
        name: "div-zero",
        severity: Severity::Error,
        title: "integer division by zero",
        what: "`div` or `rem` on integers has a zero divisor.",
        why: "The result is unspecified (PTX ISA, integer arithmetic instructions, div and rem); no trap is taken.",
        example: "q = a / b;   // b = 0 in lane 5",
        fix: "test the divisor first",
        limits: "integers only: floating-point division by zero is defined",
    },
];
