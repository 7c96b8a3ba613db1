//! A profile as JSON, for `--format json`.

use serde_json::{Map, Value, json};
use warpvm_profile::Profile;

use crate::places::Places;
use crate::profile_text::{describe, lines};

/// `{"metrics": {...}, "lines": [...], "conditionals": [...], "warps": n, "wide": {...}}`
pub fn value(profile: &Profile, places: &Places) -> Value {
    let metrics: Map<String, Value> = profile.metrics().iter().map(|m| (m.name.to_owned(), json!(m.value))).collect();
    let lines = lines(profile, places).into_iter().map(|line| {
        let c = &line.counts;
        let first = line.instructions[0];
        let ptx: Vec<u32> = line.instructions.iter().map(|&i| places.ptx_line[i]).collect();
        json!({
            "at": places.name(first), "ptx": ptx, "issued": c.issued, "active": c.active, "on": c.on, "off": c.off,
            "parted": c.parted, "collectives": c.collectives, "collective_waits": c.collective_waits,
            "barriers": c.barriers, "issued_64": line.wide,
            "global": {"requests": c.global.requests, "sectors": c.global.cost, "ideal": c.global.ideal},
            "shared": {"requests": c.shared.requests, "wavefronts": c.shared.cost, "ideal": c.shared.ideal},
        })
    });
    let conditionals = profile.conditionals().into_iter().map(|conditional| {
        let (kind, words) = describe(profile, places, &conditional);
        json!({
            "at": places.name(conditional.instruction), "ptx": places.ptx_line[conditional.instruction],
            "kind": kind, "text": words, "needed": conditional.needed(&profile.counts[conditional.instruction]),
        })
    });
    json!({
        "metrics": metrics,
        "warps": profile.totals.warps,
        "lines": lines.collect::<Vec<_>>(),
        "conditionals": conditionals.collect::<Vec<_>>(),
        "wide": {"issued": profile.wide.total, "mean_lanes": profile.wide.mean_lanes()},
    })
}
