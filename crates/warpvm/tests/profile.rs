//! Profiles of small kernels, counted by hand.

use std::path::PathBuf;

use warpvm::profiling::{Config, MarkKind, Profile};
use warpvm::{Arg, Device, Module, Options, Profiled, Schedule};
use warpvm_isa::Opcode;
use warpvm_report::{html, perfetto, profile_json, profile_text};

fn example(name: &str) -> Module {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    Module::from_file(&path.display().to_string()).expect("an example")
}

fn profile(module: &Module, grid: u32, block: u32, args: impl Fn(&mut Device) -> Vec<Arg>, config: Config) -> Profiled {
    let mut device = Device::new(module).expect("memory");
    let kernel = module.kernel(&module.kernels()[0]).expect("a kernel");
    let args = args(&mut device);
    device.profile(&kernel, [grid, 1, 1], [block, 1, 1], &args, &Options::default(), config).expect("a launch")
}

fn metric(profile: &Profile, name: &str) -> f64 {
    profile.metrics().iter().find(|m| m.name == name).unwrap_or_else(|| panic!("{name}")).value
}

/// The counts of the only instruction with this first word.
fn only(profile: &Profile, opcode: Opcode) -> warpvm::profiling::Counts {
    let mut all = (0..profile.counts.len()).filter(|&i| profile.map.instructions[i].opcode == opcode);
    let found = all.next().expect("one");
    assert_eq!(all.next(), None, "one only");
    profile.counts[found]
}

/// A kernel of one warp.
fn kernel(body: &str) -> Module {
    let text = format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{{\n\
         .reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n.shared .align 16 .b8 tile[16384];\n\
         ld.param.u64 %d0, [p];\nld.param.u32 %r0, [n];\nmov.u32 %r1, %tid.x;\n{body}\nret;\n}}\n"
    );
    Module::from_ptx("k.ptx", &text).expect("good PTX")
}

fn run(body: &str, n: u32, block: u32) -> Profiled {
    let args = |device: &mut Device| vec![Arg::Buffer(device.allocate("p", 1 << 16).expect("memory")), Arg::U32(n)];
    profile(&kernel(body), 1, block, args, Config::PICTURE)
}

fn collatz_steps(mut n: u64) -> u64 {
    let mut steps = 0;
    while n > 1 {
        n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
        steps += 1;
    }
    steps
}

#[test]
fn collatz_as_computed_apart() {
    // Up to 26 no number takes more than 23 steps: the fast schedule lets waiting lanes wait that long.
    let numbers: Vec<u32> = (0..1000).map(|i| 1 + i * 7 % 26).collect();
    let args = |device: &mut Device| {
        let out = device.allocate("out", 4000).expect("memory");
        vec![Arg::Buffer(out), Arg::Buffer(device.upload("in", &numbers).expect("memory")), Arg::U64(1000)]
    };
    let profiled = profile(&example("collatz.ptx"), 4, 128, args, Config::SUMS);
    let profile = &profiled.profile;
    // Thread t of 512 has elements t and t + 512; warp w those of 32 neighbouring threads.
    let steps: Vec<u64> = numbers.iter().map(|&n| collatz_steps(u64::from(n))).collect();
    let rounds =
        |warp: usize| [0, 512].map(|base| (base + 32 * warp..(base + 32 * warp + 32).min(1000)).map(|i| steps[i]));
    let of_warp = |warp: usize| rounds(warp).map(|lanes| lanes.max().unwrap_or(0)).iter().sum::<u64>();
    let issued: u64 = (0..16).map(of_warp).sum();
    // A round of the loop parts the lanes where some of those that are in it end and some do not.
    let ends = |lanes: &mut dyn Iterator<Item = u64>| {
        let mut ends: Vec<u64> = lanes.filter(|s| *s > 0).collect();
        ends.sort_unstable();
        ends.dedup();
        ends.len().saturating_sub(1) as u64
    };
    let skips = |lanes: &mut dyn Iterator<Item = u64>| {
        let zeros: Vec<bool> = lanes.map(|s| s == 0).collect();
        u64::from(zeros.contains(&true) && zeros.contains(&false))
    };
    let skipped: u64 = (0..16).map(|w| rounds(w).into_iter().map(|mut l| skips(&mut l)).sum::<u64>()).sum();
    let parted: u64 = (0..16).map(|w| rounds(w).into_iter().map(|mut l| ends(&mut l)).sum::<u64>()).sum();
    let select = only(profile, Opcode::Selp);
    assert!(skipped > 20 && parted > 100, "the test tests something");
    assert_eq!((select.issued, select.active), (issued, steps.iter().sum()));
    let by_parts: Vec<u64> = profile.conditionals().iter().map(|c| profile.counts[c.instruction].parted).collect();
    // The early exit; n = 1 skips the loop; the select; the loop; the loop around it.
    assert_eq!(by_parts, [0, skipped, 0, parted, 1]);
    // Two warps as one wave: the slower one counts.
    let wide: u64 = (0..8).map(|pair| of_warp(2 * pair).max(of_warp(2 * pair + 1))).sum();
    let at = profile.counts.iter().position(|c| *c == select).expect("there");
    assert_eq!(profile.wide.issued[at], wide);
    // 125 sectors of 32 bytes hold 1000 numbers.
    assert_eq!(metric(profile, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 125.0);
    assert_eq!(metric(profile, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 32.0);
    assert_eq!(profile.totals.warps, 16);
    assert!(profiled.error.is_none());
}

#[test]
fn absent_lane_up_to_the_fault() {
    let args = |device: &mut Device| {
        let numbers: Vec<u32> = (0..32).map(|i| 10 * i).collect();
        let out = device.allocate("out", 128).expect("memory");
        vec![Arg::Buffer(out), Arg::Buffer(device.upload("in", &numbers).expect("memory"))]
    };
    let profiled = profile(&example("bug_absent_lane.ptx"), 1, 32, args, Config::PICTURE);
    let profile = &profiled.profile;
    // 12 instructions by all lanes, 3 up to the ballot by 21 of them, 3 up to the shuffle by the other 11.
    assert_eq!(metric(profile, "smsp__inst_executed.sum"), 18.0);
    assert_eq!(metric(profile, "smsp__thread_inst_executed.sum"), f64::from(12 * 32 + 3 * 21 + 3 * 11));
    assert_eq!(profile.totals.waits, 2);
    let trace = &profile.traces[0];
    assert_eq!((trace.steps, trace.left), (18, !0));
    let lanes: Vec<u32> = trace.steps().map(|(_, run)| run.lanes).collect();
    assert_eq!(lanes, [!0, !0x7ff, 0x7ff]);
    // The page marks the lanes that the ballot waits for, at the ballot.
    let error = profiled.error.as_ref().expect("it hangs");
    let places = profiled.places(&|_| None);
    let page = profiled.html(&places, &error.diagnostics);
    assert!(page.contains(&format!("\"lanes\":{},", 0x7ff)), "the lanes 0-10");
    assert!(page.contains("\"step\":14"), "the step of the ballot");
}

#[test]
fn sectors_of_a_strided_access() {
    let body = "mul.lo.u32 %r2, %r1, %r0;\nmul.wide.u32 %d1, %r2, 4;\nadd.s64 %d1, %d0, %d1;\n\
                ld.global.u32 %r3, [%d1];\nst.global.u32 [%d1], %r3;";
    for (stride, sectors) in [(0, 1.0), (1, 4.0), (2, 8.0), (8, 32.0), (32, 32.0)] {
        let profiled = run(body, stride, 32);
        for op in ["ld", "st"] {
            let name = format!("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{op}.ratio");
            assert_eq!(metric(&profiled.profile, &name), sectors, "stride {stride}, {op}");
        }
    }
}

#[test]
fn bank_conflicts_of_strides() {
    let body = "mul.lo.u32 %r2, %r1, %r0;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r4, tile;\nadd.u32 %r2, %r2, %r4;\n\
                st.shared.u32 [%r2], %r1;\nld.shared.u32 %r3, [%r2];";
    for (stride, wavefronts) in [(1, 1.0), (2, 2.0), (3, 1.0), (32, 32.0)] {
        let profiled = run(body, stride, 32);
        let get = |name: &str| metric(&profiled.profile, name);
        assert_eq!(get("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), wavefronts, "stride {stride}");
        assert_eq!(get("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"), wavefronts - 1.0);
    }
}

#[test]
fn an_asynchronous_copy_is_one_request() {
    let body = "mul.wide.u32 %d1, %r1, 16;\nadd.s64 %d1, %d0, %d1;\nshl.b32 %r2, %r1, 4;\nmov.u32 %r4, tile;\n\
                add.u32 %r2, %r2, %r4;\ncp.async.ca.shared.global [%r2], [%d1], 16;\ncp.async.wait_all;";
    let profiled = run(body, 0, 32);
    assert_eq!(metric(&profiled.profile, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 1.0);
    assert_eq!(metric(&profiled.profile, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 16.0);
}

#[test]
fn guards_are_told_from_branches() {
    // Eight lanes take the branch; twenty-four of the guarded add are off; the ballot is guarded, not branched around.
    let body = "setp.lt.u32 %p1, %r1, 8;\n@%p1 add.u32 %r2, %r1, 1;\n@%p1 bra SIDE;\nmov.u32 %r3, 1;\nbra END;\n\
                SIDE: mov.u32 %r3, 2;\nEND: mov.u32 %r4, 0xff;\n@%p1 vote.sync.ballot.b32 %r5, %p1, %r4;\nbar.sync 0;";
    let profiled = run(body, 0, 64);
    let profile = &profiled.profile;
    let of = |opcode| only(profile, opcode);
    let (add, vote, bar) = (of(Opcode::Add), of(Opcode::Vote), of(Opcode::Bar));
    // Two warps; the second has no lane below 8.
    assert_eq!((add.issued, add.active, add.on, add.off), (2, 64, 8, 56));
    assert_eq!((vote.issued, vote.on, vote.collectives), (2, 8, 1));
    assert_eq!((bar.issued, bar.barriers), (2, 2));
    assert_eq!(metric(profile, "smsp__sass_branch_targets_threads_divergent.sum"), 1.0);
    let text = profile_text::render(
        profile,
        &profiled.places(&|_| None),
        profile_text::Amount { lines: 50, wave: profile_text::WaveSize::Lanes64 },
    );
    assert!(text.contains("predication @%p1 add.u32 %r2, %r1, 1;"), "{text}");
    assert!(text.contains("predication @%p1 vote.sync.ballot.b32 %r5, %p1, %r4;"), "{text}");
    assert!(text.contains("all took it 0, none 1, parted 1; lanes meet at ptx"), "{text}");
    let kinds: Vec<MarkKind> = profile.traces[0].marks.iter().map(|m| m.kind).collect();
    assert_eq!(kinds, [MarkKind::Meet, MarkKind::Collective, MarkKind::Barrier, MarkKind::Exit]);
}

#[test]
fn threads_and_seeds_change_nothing_that_they_should_not() {
    let module = example("collatz.ptx");
    let totals = |threads, schedule| {
        let mut device = Device::new(&module).expect("memory");
        let numbers: Vec<u32> = (1..=1000).collect();
        let out = device.allocate("out", 4000).expect("memory");
        let input = device.upload("in", &numbers).expect("memory");
        let args = [Arg::Buffer(out), Arg::Buffer(input), Arg::U64(1000)];
        let kernel = module.kernel("collatz").expect("a kernel");
        let options = Options { threads, schedule, ..Options::default() };
        let done = device.profile(&kernel, [4, 1, 1], [128, 1, 1], &args, &options, Config::SUMS).expect("a launch");
        done.profile.totals
    };
    assert_eq!(totals(1, Schedule::Fast), totals(4, Schedule::Fast));
    // Lanes part more often under a seed, but each does what it does.
    let (fast, seeded) = (totals(1, Schedule::Fast).counts, totals(1, Schedule::Seeded(3)).counts);
    assert_eq!((fast.active, fast.on), (seeded.active, seeded.on));
    assert!(seeded.issued >= fast.issued);
}

#[test]
fn the_other_forms_are_well_formed() {
    let profiled = run("setp.lt.u32 %p1, %r1, 8;\n@%p1 bra END;\nadd.u32 %r2, %r1, 1;\nEND: bar.warp.sync -1;", 0, 32);
    let places = profiled.places(&|_| None);
    let trace: serde_json::Value =
        serde_json::from_str(&perfetto::render(&profiled.profile, &places)).expect("a trace is JSON");
    let events = trace["traceEvents"].as_array().expect("a list");
    let lasting: u64 = events.iter().filter_map(|e| e["dur"].as_u64()).sum();
    assert_eq!(lasting, profiled.profile.traces[0].steps);
    assert!(events.iter().any(|e| e["ph"] == "i" && e["name"] == "collective"));
    let value = profile_json::value(&profiled.profile, &places);
    assert_eq!(value["warps"], 1);
    let page = html::render(&html::Page {
        profile: &profiled.profile,
        places: &places,
        grid: [1; 3],
        block: [32, 1, 1],
        schedule: "</script>".to_owned(),
        findings: Vec::new(),
    });
    assert_eq!(page.matches("</script>").count(), 2, "data cannot end the script");
}
