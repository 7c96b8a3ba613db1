//! A profile as text: the kernel's numbers, its lines by cost, its conditionals.

use std::collections::BTreeMap;
use std::fmt::Write;

use warpvm_profile::{Conditional, ConditionalKind, Counts, Profile};

use crate::names::readable;
use crate::places::{Places, short};

/// Lanes of a wave to tell the costs of besides a warp's 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaveSize {
    /// A warp's own.
    Lanes32,
    /// Two warps as one wave.
    Lanes64,
}

/// How much to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amount {
    /// Source lines, the most expensive first.
    pub lines: usize,
    /// Waves.
    pub wave: WaveSize,
}

/// Instructions that stand for one line of the source, or one instruction where there is no source.
pub(crate) struct Line {
    pub instructions: Vec<usize>,
    pub counts: Counts,
    pub wide: u64,
}

/// The lines of a profile that ran, in the order of their first instruction.
pub(crate) fn lines(profile: &Profile, places: &Places) -> Vec<Line> {
    let mut index: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    let mut all: Vec<Line> = Vec::new();
    for (i, counts) in profile.counts.iter().enumerate() {
        if counts.issued == 0 {
            continue;
        }
        let (file, line) = places.source[i].unwrap_or((usize::MAX, i as u32));
        let at = *index.entry((file, line)).or_insert_with(|| {
            all.push(Line { instructions: Vec::new(), counts: Counts::default(), wide: 0 });
            all.len() - 1
        });
        all[at].instructions.push(i);
        all[at].counts.add(counts);
        all[at].wide += profile.wide.issued[i];
    }
    all
}

/// The whole report.
pub fn render(profile: &Profile, places: &Places, amount: Amount) -> String {
    let mut out = String::new();
    let t = &profile.totals;
    let _ = writeln!(out, "kernel {}: {} warps, {} waits", readable(&profile.map.program.entry), t.warps, t.waits);
    for metric in profile.metrics() {
        let _ = writeln!(out, "  {:42} {:>12}  {}", metric.label, metric.text(), metric.name);
    }
    if amount.wave == WaveSize::Lanes64 {
        wide(&mut out, profile);
    }
    costs(&mut out, profile, places, amount);
    conditionals(&mut out, profile, places);
    out
}

fn wide(out: &mut String, profile: &Profile) {
    let w = &profile.wide;
    let share = |lanes: f64, of: f64| 100.0 * lanes / of;
    let narrow = profile.totals.counts.mean_lanes();
    let _ = writeln!(out, "\nwith waves of 64 lanes, two neighbouring warps each (counts only)");
    let _ = writeln!(out, "  {:42} {:>12}", "wave instructions issued, at least", w.total);
    let _ = writeln!(out, "  {:42} {:>12.2}", "active lanes of 64 per instruction", w.mean_lanes());
    let (a, b) = (share(w.mean_lanes(), 64.0), share(narrow, 32.0));
    let _ = writeln!(out, "  {:42} {:>10.1} %  {b:.1} % with 32", "wave execution efficiency", a);
}

fn costs(out: &mut String, profile: &Profile, places: &Places, amount: Amount) {
    let total = profile.totals.counts.issued.max(1);
    let mut all = lines(profile, places);
    all.sort_by_key(|line| std::cmp::Reverse(line.counts.issued));
    let dearest = all.first().map_or(1, |line| line.counts.issued).max(1);
    let has_wide = amount.wave == WaveSize::Lanes64;
    let extra = if has_wide { "  issued/64" } else { "" };
    let _ = writeln!(out, "\nlines by cost\n           share     issued{extra}  lanes  line");
    for line in all.iter().take(amount.lines) {
        let c = &line.counts;
        let share = 100.0 * c.issued as f64 / total as f64;
        let first = line.instructions[0];
        let text = match places.source[first] {
            Some((file, n)) => format!("{}  {}", places.name(first), places.source_text(file, n).trim()),
            None => format!("{}  {}", places.name(first), places.instruction_text(&profile.map, first)),
        };
        let column = |wide: u64| if has_wide { format!("  {wide:>9}") } else { String::new() };
        let (bar, w) = (bar(c.issued, dearest), column(line.wide));
        let _ = writeln!(out, "{bar} {share:5.1} % {:>10}{w}  {:5.1}  {text}{}", c.issued, c.mean_lanes(), notes(c));
        if places.source[first].is_none() {
            continue;
        }
        for &i in &line.instructions {
            let c = &profile.counts[i];
            let text = places.instruction_text(&profile.map, i);
            let (n, w) = (places.ptx_line[i], column(profile.wide.issued[i]));
            let _ =
                writeln!(out, "{:16} {:>10}{w}  {:5.1}    ptx {n:<4} {text}{}", "", c.issued, c.mean_lanes(), notes(c));
        }
    }
    if all.len() > amount.lines {
        let _ = writeln!(out, "{:16} and {} more lines", "", all.len() - amount.lines);
    }
}

/// Eight characters, fuller where it is hotter.
fn bar(value: u64, most: u64) -> String {
    let eighths = (value * 64).div_ceil(most).min(64) as usize;
    let partial = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let mut text = "█".repeat(eighths / 8);
    text.extend(eighths.checked_rem(8).filter(|r| *r > 0).map(|r| partial[r - 1]));
    format!("{text:8}")
}

/// What there is to say about counts besides issues and lanes.
pub(crate) fn notes(c: &Counts) -> String {
    let mut all = Vec::new();
    let mut add = |value: u64, words: &str| {
        if value > 0 {
            all.push(format!("{words} {value}"));
        }
    };
    add(c.parted, "parts lanes");
    add(c.off, "lanes off");
    add(c.collectives, "collectives");
    add(c.collective_waits, "waits");
    add(c.barriers, "barrier arrivals");
    if c.global.requests > 0 {
        all.push(format!("{:.1} sectors/request (ideal {:.1})", c.global.per_request(), ideal(&c.global)));
    }
    if c.shared.requests > 0 {
        all.push(format!("{:.1} wavefronts/request (ideal {:.1})", c.shared.per_request(), ideal(&c.shared)));
    }
    if all.is_empty() { String::new() } else { format!("   [{}]", all.join(", ")) }
}

fn ideal(memory: &warpvm_profile::MemoryCounts) -> f64 {
    memory.ideal as f64 / memory.requests.max(1) as f64
}

fn conditionals(out: &mut String, profile: &Profile, places: &Places) {
    let all = profile.conditionals();
    let ran: Vec<&Conditional> = all.iter().filter(|c| profile.counts[c.instruction].issued > 0).collect();
    if ran.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nconditionals");
    for conditional in ran {
        let i = conditional.instruction;
        let text = places.instruction_text(&profile.map, i);
        let (kind, words) = describe(profile, places, conditional);
        let place = format!("{} (ptx {})", places.name(i), places.ptx_line[i]);
        let _ = writeln!(out, "  {place:28} {kind:11} {text}\n  {:28} {:11} {words}", "", "");
    }
}

/// A conditional in words: what it is, what it did.
pub(crate) fn describe(profile: &Profile, places: &Places, conditional: &Conditional) -> (&'static str, String) {
    let c = &profile.counts[conditional.instruction];
    match conditional.kind {
        ConditionalKind::Select => ("select", "both values are computed; parts nobody".to_owned()),
        ConditionalKind::Predication => ("predication", format!("{} of {} lanes off; parts nobody", c.off, c.active)),
        ConditionalKind::Branch { meets_at, is_loop } => {
            let kind = if is_loop { "loop branch" } else { "branch" };
            let sides = format!("all took it {}, none {}, parted {}", c.all_taken, c.none_taken, c.parted);
            let meeting = match meets_at {
                Some(at) => {
                    let need = if conditional.needed(c) { "needed" } else { "not needed in this run" };
                    format!("lanes meet at {} (ptx {}): {need}", places.name(at), places.ptx_line[at])
                }
                None => "no convergence point".to_owned(),
            };
            (kind, format!("{sides}; {meeting}"))
        }
    }
}

/// The file that most of the work stands in, for a heading.
pub(crate) fn title(places: &Places) -> &str {
    places.files.first().map_or(short(&places.ptx_path), |file| short(&file.path))
}
