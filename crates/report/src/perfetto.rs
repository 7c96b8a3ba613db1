//! Traces in the JSON form that Perfetto and `chrome://tracing` read.
//!
//! A CTA is a process, a warp a thread; a run of instructions by the same lanes is a duration named by its place, one
//! microsecond an instruction. Collectives, barriers, meetings and exits are instants.

use std::fmt::Write;

use serde_json::json;
use warpvm_profile::{MarkKind, Profile, Trace};

use crate::Lanes;
use crate::places::Places;

/// The word for a mark.
pub(crate) fn mark_word(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Collective => "collective",
        MarkKind::Barrier => "barrier",
        MarkKind::Meet => "lanes meet",
        MarkKind::Exit => "exit",
    }
}

/// Most runs of all warps together: viewers load the whole file.
const RUNS: usize = 500_000;

/// The whole file. Warps that do not fit are cut where the limit is reached.
pub fn render(profile: &Profile, places: &Places) -> String {
    let mut out = String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    let kernel = crate::names::readable(&profile.map.program.entry);
    let mut left = RUNS;
    let mut is_cut = false;
    for trace in &profile.traces {
        let [x, y, z] = trace.cta_id;
        let process = json!({"name": format!("{kernel} CTA ({x},{y},{z})")});
        let thread = json!({"name": format!("warp {}", trace.warp)});
        meta(&mut out, trace, "process_name", &process);
        meta(&mut out, trace, "thread_name", &thread);
        is_cut |= trace.is_cut || trace.sequence.len() > left;
        warp(&mut out, profile, places, trace, left);
        left = left.saturating_sub(trace.sequence.len());
    }
    let end = json!({"steps": "one microsecond is one PTX instruction of the warp", "kernel": kernel, "cut": is_cut});
    // No comma may follow the last event.
    if out.ends_with(",\n") {
        out.truncate(out.len() - 2);
    }
    let _ = write!(out, "\n],\"otherData\":{end}}}\n");
    out
}

fn meta(out: &mut String, trace: &Trace, name: &str, args: &serde_json::Value) {
    let event = json!({"ph": "M", "pid": trace.cta, "tid": trace.warp, "name": name, "args": args});
    let _ = writeln!(out, "{event},");
}

fn warp(out: &mut String, profile: &Profile, places: &Places, trace: &Trace, limit: usize) {
    // The names of the distinct runs and marks are made once.
    let runs: Vec<String> = trace
        .runs
        .iter()
        .map(|run| {
            let text = places.instruction_text(&profile.map, run.first as usize);
            let args = json!({
                "lanes": Lanes(run.lanes).to_string(), "active": run.lanes.count_ones(),
                "ptx": places.ptx_line[run.first as usize], "first": text,
            });
            let name = json!(format!("{} ({} lanes)", places.name(run.first as usize), run.lanes.count_ones()));
            format!("\"ph\":\"X\",\"name\":{name},\"args\":{args}")
        })
        .collect();
    for (index, (at, run)) in trace.sequence.iter().zip(trace.steps()).take(limit) {
        let body = &runs[*index as usize];
        let (pid, tid) = (trace.cta, trace.warp);
        let _ = writeln!(out, "{{{body},\"pid\":{pid},\"tid\":{tid},\"ts\":{at},\"dur\":{}}},", run.len);
    }
    for &(at, index) in trace.mark_sequence.iter().take(limit) {
        let mark = &trace.marks[index as usize];
        let event = json!({
            "ph": "i", "s": "t", "pid": trace.cta, "tid": trace.warp, "ts": at, "name": mark_word(mark.kind),
            "args": {
                "lanes": Lanes(mark.lanes).to_string(),
                "at": places.instruction_text(&profile.map, mark.instruction as usize),
            },
        });
        let _ = writeln!(out, "{event},");
    }
}
