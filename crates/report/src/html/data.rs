//! The data of a page. Keys and the order of fields in lists are those that `app.js` reads.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use warpvm_profile::{MarkKind, Profile, Trace};

use super::{Page, PageFinding};
use crate::places::{Places, short};
use crate::profile_text::describe;

/// `12,16-17`: line numbers in order; those that differ by no more than two are one range.
fn ranges(lines: &[u32]) -> String {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match out.last_mut() {
            Some(last) if line <= last.1 + 2 => last.1 = last.1.max(line),
            _ => out.push((line, line)),
        }
    }
    let one = |&(a, b): &(u32, u32)| if a == b { a.to_string() } else { format!("{a}-{b}") };
    out.iter().map(one).collect::<Vec<_>>().join(",")
}

/// Most warps in the table of warps.
const WARPS: usize = 4096;
/// Most numbers of warps by instruction.
const DETAIL: usize = 300_000;
/// Most runs of all traces together.
const RUNS: usize = 6_000_000;

pub(super) fn json(page: &Page<'_>) -> Value {
    let (profile, places) = (page.profile, page.places);
    let metrics = profile.metrics();
    let metrics: Vec<Value> = metrics.iter().map(|m| json!([m.name, m.label, m.text()])).collect();
    let files: Vec<Value> = places.files.iter().map(|f| json!({"path": short(&f.path), "text": f.text})).collect();
    let warps = profile.warps.iter().take(WARPS);
    let warps: Vec<Value> =
        warps.map(|w| json!([w.cta, w.warp, w.issued, w.active, w.on, w.branches, w.parted, w.waits])).collect();
    json!({
        "kernel": crate::names::readable(&profile.map.program.entry),
        "version": env!("CARGO_PKG_VERSION"),
        "grid": page.grid,
        "block": page.block,
        "schedule": page.schedule,
        "metrics": metrics,
        "wide": {"issued": profile.wide.total, "lanes": profile.wide.mean_lanes()},
        "files": files,
        "ptx": {"path": short(&places.ptx_path), "text": ptx(places)},
        "ins": instructions(profile, places),
        "blocks": blocks(profile, places),
        "conditionals": conditionals(profile, places),
        "warpCount": profile.warps.len(),
        "warps": warps,
        "details": details(profile),
        "traces": traces(profile),
        "findings": page.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

/// The PTX up to the end of the last function that ran: debug sections are long and nobody's to read.
fn ptx(places: &Places) -> String {
    let last = places.ptx_line.iter().max().map_or(0, |&line| line as usize);
    let end = places.ptx.iter().skip(last).position(|line| line.trim_end() == "}").map_or(last, |n| last + n + 1);
    places.ptx[..end.min(places.ptx.len())].join("\n")
}

fn instructions(profile: &Profile, places: &Places) -> Vec<Value> {
    let one = |i: usize| {
        let (c, instruction) = (&profile.counts[i], &profile.map.instructions[i]);
        let (file, line) = places.source[i].map_or((-1, 0), |(f, l)| (f as i64, l));
        let flags = u32::from(instruction.waits) | u32::from(instruction.converges) << 1;
        json!([
            places.ptx_line[i],
            file,
            line,
            instruction.block,
            flags,
            c.issued,
            c.active,
            c.on,
            c.all_taken,
            c.none_taken,
            c.parted,
            c.collectives,
            c.collective_waits,
            c.barriers,
            c.global.requests,
            c.global.cost,
            c.shared.requests,
            c.shared.cost,
            profile.wide.issued[i]
        ])
    };
    (0..profile.map.instructions.len()).map(one).collect()
}

/// First and last instruction, and a name: the source lines, else those of the PTX.
fn blocks(profile: &Profile, places: &Places) -> Vec<Value> {
    let name = |first: usize, last: usize| {
        let mut lines: Vec<(usize, u32)> = (first..=last).filter_map(|i| places.source[i]).collect();
        lines.sort_unstable();
        lines.dedup();
        let Some(&(file, _)) = lines.first() else {
            let lines: Vec<u32> = (first..=last).map(|i| places.ptx_line[i]).collect();
            return format!("ptx {}", ranges(&lines));
        };
        let numbers: Vec<u32> = lines.iter().filter(|l| l.0 == file).map(|l| l.1).collect();
        format!("{}:{}", short(&places.files[file].path), ranges(&numbers))
    };
    let blocks = profile.map.blocks.iter();
    blocks.map(|b| json!([b.first, b.last, name(b.first as usize, b.last as usize)])).collect()
}

fn conditionals(profile: &Profile, places: &Places) -> Vec<Value> {
    let all = profile.conditionals().into_iter();
    let one = |c: warpvm_profile::Conditional| {
        let (kind, words) = describe(profile, places, &c);
        let needed = c.needed(&profile.counts[c.instruction]);
        json!([c.instruction, kind, words, needed, places.instruction_text(&profile.map, c.instruction)])
    };
    all.filter(|c| profile.counts[c.instruction].issued > 0).map(one).collect()
}

/// CTA, warp, and a flat list of instruction, issues, active lanes.
fn details(profile: &Profile) -> Vec<Value> {
    let mut left = DETAIL;
    let mut out = Vec::new();
    for d in &profile.details {
        if d.issues.len() > left {
            break;
        }
        left -= d.issues.len();
        let flat: Vec<u64> = d.issues.iter().flat_map(|&(i, issues, active)| [u64::from(i), issues, active]).collect();
        out.push(json!([d.cta, d.warp, flat]));
    }
    out
}

fn traces(profile: &Profile) -> Vec<Value> {
    let mut left = RUNS;
    let mut out = Vec::new();
    for t in &profile.traces {
        if t.sequence.len() > left && !out.is_empty() {
            break;
        }
        left = left.saturating_sub(t.sequence.len());
        out.push(trace(t));
    }
    out
}

fn trace(t: &Trace) -> Value {
    let runs: Vec<u32> = t.runs.iter().flat_map(|r| [r.first, r.len, r.lanes]).collect();
    let marks: Vec<u32> = t.marks.iter().flat_map(|m| [mark_number(m.kind), m.instruction, m.lanes, m.mask]).collect();
    let mut previous = 0;
    let events = t.mark_sequence.iter().flat_map(|&(step, index)| {
        let delta = step - previous;
        previous = step;
        [delta, u64::from(index)]
    });
    json!({
        "cta": t.cta, "id": t.cta_id, "warp": t.warp, "exists": t.exists, "left": t.left, "steps": t.steps,
        "cut": t.is_cut, "runs": runs, "seq": numbers(t.sequence.iter().map(|&i| u64::from(i))),
        "marks": marks, "mseq": numbers(events),
    })
}

fn mark_number(kind: MarkKind) -> u32 {
    match kind {
        MarkKind::Collective => 0,
        MarkKind::Barrier => 1,
        MarkKind::Meet => 2,
        MarkKind::Exit => 3,
    }
}

/// Numbers of variable length, seven bits a byte, the lowest first, in base64.
fn numbers(values: impl Iterator<Item = u64>) -> String {
    let mut bytes = Vec::new();
    for mut value in values {
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
    }
    STANDARD.encode(bytes)
}

fn finding(f: &PageFinding) -> Value {
    let related: Vec<Value> = f.related.iter().map(|(i, text)| json!([i, text])).collect();
    json!({
        "rule": f.rule, "severity": f.severity, "message": f.message, "here": f.here, "notes": f.notes,
        "cta": f.warp.map(|w| w.0), "warp": f.warp.map(|w| w.1), "lanes": f.lanes, "ins": f.instruction,
        "step": f.step, "related": related,
    })
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn numbers_of_variable_length() {
        assert_eq!(numbers([0, 1, 127, 128, 300].into_iter()), "AAF/gAGsAg==");
    }
}
