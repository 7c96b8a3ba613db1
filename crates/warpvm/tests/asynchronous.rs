//! Recorded kernels with one instruction taken out: what the check says of the asynchronous proxy and of `wgmma`.

mod common;

use std::collections::BTreeMap;

use serde_json::Value;
use warpvm::{CheckOptions, CheckReport, Device, Module};

fn case(id: &str) -> Value {
    let cases = common::cases(id);
    cases.into_iter().find(|c| c.id == id).unwrap_or_else(|| panic!("no case `{id}`")).row
}

/// Checks a case with some lines of its PTX taken out: those that contain `without`, all but the first `kept` of them.
fn check(row: &Value, without: &str, kept: usize) -> CheckReport {
    let mut left = kept;
    let ptx = row["ptx"].as_str().expect("text");
    let mut is_kept = |line: &&str| {
        if without.is_empty() || !line.contains(without) {
            return true;
        }
        left = left.wrapping_sub(1);
        left < kept
    };
    let ptx: Vec<&str> = ptx.lines().filter(&mut is_kept).collect();
    let module = Module::from_ptx("case.ptx", &ptx.join("\n")).expect("a good module");
    let kernel = module.kernel(row["entry"].as_str().expect("a name")).expect("a kernel");
    let mut device = Device::new(&module).expect("memory");
    let (inputs, mut buffers, mut args) = (common::inputs(), BTreeMap::new(), Vec::new());
    for (n, a) in row["args"].as_array().expect("a list").iter().enumerate() {
        let (kind, v) = a.as_object().and_then(|o| o.iter().next()).expect("an argument");
        args.push(common::argument(&mut device, &mut buffers, n, kind, v, &inputs));
    }
    let shared_bytes = row["smem"].as_u64().unwrap_or(0) as u32;
    let options = CheckOptions { shared_bytes, seeds: 0..8, ..CheckOptions::default() };
    device
        .check(&kernel, common::triple(&row["grid"]), common::triple(&row["block"]), &args, &options)
        .expect("a check")
}

/// The rule and message of the first finding.
fn first(report: &CheckReport) -> (String, String) {
    report
        .findings
        .first()
        .map_or_else(Default::default, |f| (f.rule.unwrap_or_default().to_owned(), f.message.clone()))
}

fn must_find(id: &str, without: &str, kept: usize, message: &str) {
    let row = case(id);
    let whole = check(&row, "", 0);
    assert!(whole.is_clean(), "{id}:\n{whole}");
    let report = check(&row, without, kept);
    let (rule, found) = first(&report);
    assert_eq!(rule, "async-wait", "{id} without `{without}`:\n{report}");
    assert!(found.contains(message), "{id} without `{without}`: {found}");
}

#[test]
fn a_store_through_the_other_proxy_needs_a_fence() {
    must_find("tma/store.2d.u32", "fence.proxy.async", 0, "without `fence.proxy.async`");
    must_find("tma/reduce.f32.add", "fence.proxy.async", 0, "without `fence.proxy.async`");
    must_find("async/bulk_copy_out", "fence.proxy.async", 0, "without `fence.proxy.async`");
    must_find("kernel/tma_libcu", "fence.proxy.async", 1, "without `fence.proxy.async`");
    must_find("kernel/tma_wgmma_cute", "fence.proxy.async", 0, "without `fence.proxy.async`");
}

#[test]
fn a_tile_is_not_overwritten_while_wgmma_reads_it() {
    must_find("kernel/tma_wgmma_cute", "wgmma.wait_group", 0, "an asynchronous copy may still be busy with");
}

#[test]
fn a_tile_is_not_read_before_it_has_come() {
    must_find("tma/load.2d.u32", "mbarrier.test_wait", 0, "an asynchronous copy may still be busy with");
}
