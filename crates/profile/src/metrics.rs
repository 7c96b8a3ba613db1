//! The kernel's numbers under the names that Nsight Compute uses.

use crate::memory::MemoryCounts;
use crate::result::Profile;

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// A whole number.
    Count,
    /// A mean.
    Ratio,
    /// Of a hundred.
    Percent,
}

/// A number of the kernel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Metric {
    /// Nsight Compute's name.
    pub name: &'static str,
    /// The same in words.
    pub label: &'static str,
    /// The value.
    pub value: f64,
    /// How it is written.
    pub unit: Unit,
}

impl Metric {
    /// The value as text.
    pub fn text(&self) -> String {
        match self.unit {
            Unit::Count => format!("{:.0}", self.value),
            Unit::Ratio => format!("{:.2}", self.value),
            Unit::Percent => format!("{:.1} %", self.value),
        }
    }
}

fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

const GLOBAL: [[(&str, &str); 3]; 4] = [
    [
        ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global load requests"),
        ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global load sectors"),
        ("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "sectors per global load"),
    ],
    [
        ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global store requests"),
        ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global store sectors"),
        ("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "sectors per global store"),
    ],
    [
        ("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global atomic requests"),
        ("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global atomic sectors"),
        ("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_atom.ratio", "sectors per global atomic"),
    ],
    [
        ("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "global reduction requests"),
        ("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "global reduction sectors"),
        ("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_red.ratio", "sectors per global reduction"),
    ],
];

const SHARED: [[(&str, &str); 2]; 3] = [
    [
        ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared load wavefronts"),
        ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "shared load bank conflicts"),
    ],
    [
        ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared store wavefronts"),
        ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "shared store bank conflicts"),
    ],
    [
        ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "shared atomic wavefronts"),
        ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", "shared atomic bank conflicts"),
    ],
];

impl Profile {
    /// The kernel's numbers. Those of memory that the kernel does not use are left out.
    pub fn metrics(&self) -> Vec<Metric> {
        let t = &self.totals;
        let c = &t.counts;
        let metric = |name, label, value, unit| Metric { name, label, value, unit };
        let count = |name, label, value: u64| metric(name, label, value as f64, Unit::Count);
        let mut all = vec![
            count("smsp__inst_executed.sum", "warp instructions issued", c.issued),
            count("smsp__thread_inst_executed.sum", "thread instructions", c.active),
            count("smsp__thread_inst_executed_pred_on.sum", "thread instructions not predicated off", c.on),
            metric(
                "smsp__thread_inst_executed_per_inst_executed.ratio",
                "active lanes per instruction",
                ratio(c.active, c.issued),
                Unit::Ratio,
            ),
            metric(
                "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
                "lanes not predicated off per instruction",
                ratio(c.on, c.issued),
                Unit::Ratio,
            ),
            metric(
                "smsp__thread_inst_executed_per_inst_executed.pct",
                "warp execution efficiency",
                100.0 * ratio(c.active, 32 * c.issued),
                Unit::Percent,
            ),
            count("smsp__sass_branch_targets.sum", "branches", t.branches),
            count("smsp__sass_branch_targets_threads_divergent.sum", "branches that part lanes", c.parted),
        ];
        if t.branches > 0 {
            let uniform = 100.0 * ratio(t.branches - c.parted, t.branches);
            let name = "smsp__sass_average_branch_targets_threads_uniform.pct";
            all.push(metric(name, "branch efficiency", uniform, Unit::Percent));
        }
        for (names, memory) in GLOBAL.iter().zip(&t.global) {
            if memory.requests > 0 {
                all.push(count(names[0].0, names[0].1, memory.requests));
                all.push(count(names[1].0, names[1].1, memory.cost));
                all.push(metric(names[2].0, names[2].1, memory.per_request(), Unit::Ratio));
            }
        }
        let mut shared = t.shared;
        // The chip has one kind of atomic on shared memory.
        let reductions = shared[3];
        shared[2].add(&reductions);
        for (names, memory) in SHARED.iter().zip(&shared) {
            if memory.requests > 0 {
                all.push(count(names[0].0, names[0].1, memory.cost));
                all.push(count(names[1].0, names[1].1, conflicts(memory)));
            }
        }
        all
    }
}

/// Wavefronts beyond those that the bytes need.
fn conflicts(memory: &MemoryCounts) -> u64 {
    memory.cost - memory.ideal
}
