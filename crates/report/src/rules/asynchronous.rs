//! Rules about asynchronous copies and mbarriers.

use super::Rule;
use crate::diagnostic::Severity;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "async-wait",
        severity: Severity::Error,
        title: "bytes of an asynchronous copy are used before it is known to be complete",
        what: "Memory that `cp.async`, a bulk or tensor copy or `wgmma` reads or writes is accessed before a wait on its group or \
mbarrier. Or a bulk copy, tensor copy or `wgmma` reads shared memory that threads wrote, and nobody passed \
`fence.proxy.async` in between. Or registers of `wgmma.mma_async` are used before `wgmma.wait_group`, or handed to it without \
`wgmma.fence`. Or a tensor map that the kernel has changed is used without `fence.proxy.tensormap`.",
        why: "The copy may run at any time up to the wait, and its writes are seen only after it (PTX ISA, data movement, \
asynchronous copy). Stores go through the generic proxy, these reads through the asynchronous one, and only a proxy fence orders \
the two: a barrier alone does not (PTX ISA, proxies).",
        example: "__pipeline_memcpy_async(&s[t], &g[t], 4);\n__pipeline_commit();\nx = s[t];   // no __pipeline_wait_prior(0)",
        fix: "commit, wait (`cp.async.wait_group`, `mbarrier.try_wait`, `wgmma.wait_group`), then a barrier if other threads read it; \
before a bulk store or `wgmma` of what threads wrote, `fence.proxy.async` in the writers, then a barrier",
        limits: "a proxy fence of any thread of the cluster counts, whoever had to pass it; writes of an asynchronous copy over \
what threads wrote, and tensor maps that are changed by plain stores, are not looked at. `mov` of a register of `wgmma` is no use: \
a compiler moves copies about",
    },
    Rule {
        name: "mbarrier-count",
        severity: Severity::Error,
        title: "an mbarrier's count cannot be met, or is exceeded",
        what: "The arrivals or the transaction bytes of a phase do not fit the count the mbarrier was initialised with.",
        why: "With too few the phase never completes; with too many the pending count leaves its range, which is undefined \
(PTX ISA, mbarrier).",
        example: "init(&bar, 64);   // 32 threads arrive\nbar.arrive_and_wait();",
        fix: "initialise with the number of arrivals of one phase, and `expect_tx` the exact bytes",
        limits: "a count that is right by luck on this launch is silent",
    },
    Rule {
        name: "mbarrier-init",
        severity: Severity::Error,
        title: "an mbarrier is used before its initialisation is seen",
        what: "A thread or an asynchronous copy uses an mbarrier that is not initialised, or whose initialisation is not \
ordered before the use; or it is initialised a second time without being invalidated.",
        why: "The object must be initialised first, and the initialisation made visible to the other threads and to the async \
proxy (PTX ISA, mbarrier.init, proxy fences).",
        example: "if (t == 0) init(&bar, 32);\nbar.arrive();   // no __syncthreads() between",
        fix: "put `__syncthreads()` after the initialisation, and `fence.mbarrier_init` or `fence.proxy.async` for copies",
        limits: "one finding an object, whatever happens to it later; what a thread stores into an mbarrier by plain stores is not looked at",
    },
    Rule {
        name: "mbarrier-phase",
        severity: Severity::Error,
        title: "a wait names the wrong phase of an mbarrier",
        what: "A wait uses a phase parity or a state token that is not of the current or the immediately preceding phase.",
        why: "Only these two phases can be tested; a stale parity lets the wait pass at once or for ever (PTX ISA, \
mbarrier.test_wait).",
        example: "for (int k = 0; k < n; ++k)\n  wait_parity(&bar, 0);   // must be k & 1",
        fix: "flip the parity after every completed phase, one bit for each mbarrier",
        limits: "only a wait that can be seen to test the wrong phase is reported",
    },
];
