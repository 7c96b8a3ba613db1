//! From two unordered accesses to a finding.

use std::collections::HashMap;

use warpvm_machine::memory::Space;
use warpvm_machine::observe::Access;
use warpvm_machine::program::Pc;
use warpvm_machine::slots::LaneMask;

use super::events::{Flags, Record};
use crate::place::{cta_text, describe, memory};
use crate::{Finding, Related, Rule, Scene, Severity, located};

/// The memory of a race: which, and for shared memory whose.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub space: Space,
    pub address: u64,
}

/// What the two accesses are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    pub rule: Rule,
    pub severity: Severity,
}

/// A line of the source, or an instruction where there is no `.loc`.
type Line = (u32, u32, Pc);

/// What was reported, so that one cause is one finding: rule and both places, lowest first. An unrolled loop has many
/// instructions of one line.
#[derive(Default)]
pub(super) struct Reported {
    known: HashMap<(Rule, Line, Line), (Pc, Pc)>,
}

fn line(s: &Scene<'_>, pc: Pc) -> Line {
    let loc = s.cx.program.meta[located(&s.cx.program, pc) as usize].loc.filter(|loc| loc.line > 0);
    loc.map_or((0, 0, pc), |loc| (loc.file, loc.line, 0))
}

fn verb(flags: Flags, past: bool) -> &'static str {
    let is_atomic = flags.has(Flags::READ) && flags.has(Flags::WRITE);
    match (flags.has(Flags::INIT), flags.has(Flags::MBARRIER), is_atomic, flags.has(Flags::WRITE), past) {
        (true, _, _, _, false) => "initialises",
        (true, _, _, _, true) => "initialised",
        (_, true, _, _, false) => "uses",
        (_, true, _, _, true) => "used",
        (_, _, true, _, false) => "updates",
        (_, _, true, _, true) => "updated",
        (_, _, _, true, false) => "writes",
        (_, _, _, true, true) => "wrote",
        (_, _, _, _, false) => "reads",
        (_, _, _, _, true) => "read",
    }
}

fn noun(flags: Flags) -> &'static str {
    match (flags.has(Flags::READ), flags.has(Flags::WRITE)) {
        (true, true) => "atomic access",
        (false, true) => "write",
        _ => "read",
    }
}

fn agent_of(r: &Record, warps: u32) -> &'static str {
    if u32::from(r.event.row) < warps { "" } else { "an asynchronous copy of " }
}

fn why(rule: Rule, severity: Severity) -> &'static str {
    match rule {
        Rule::RaceSameValue => {
            "plain writes of one value by several lanes, which nothing orders, leave that value, but are a data race \
             by the letter; PTX ISA, section 8.10 (memory consistency model, axioms)"
        }
        Rule::RaceScope => {
            "the fence or atomic that would order them is of a scope that does not include both threads; PTX ISA, \
             section 8.5 (scope)"
        }
        Rule::RaceWarp if severity == Severity::Warning => {
            "volatile accesses are not torn or cached, but nothing orders those of different lanes: since independent \
             thread scheduling, lanes of a warp do not run in lock-step; use `bar.warp.sync` (`__syncwarp`)"
        }
        Rule::RaceWarp => {
            "lanes of a warp do not run in lock-step: `bar.warp.sync` (`__syncwarp`), a barrier, or a release and an \
             acquire must order them; other collectives order no memory; PTX ISA, section 8.9"
        }
        Rule::RaceBlock => {
            "no barrier, and no release and acquire, orders the two; PTX ISA, section 8.9 (ordering of memory operations)"
        }
        Rule::AsyncWait => {
            "an asynchronous copy is done only when its group or mbarrier was waited for, and then for the waiting \
             thread: others need a barrier after that; PTX ISA, section 9.7.9.25 (`cp.async`)"
        }
        Rule::MbarrierInit => {
            "`mbarrier.init` must be ordered before every other use of the object, by a barrier for instance; PTX ISA, \
             section 9.7.13.15"
        }
        _ => "CTAs run at the same time unless a release and an acquire order them; PTX ISA, section 8.9",
    }
}

fn title(verdict: Verdict, r: &Record, x: &Record, space: Space) -> String {
    let place = memory(space);
    match verdict.rule {
        Rule::RaceSameValue => format!("unordered writes of the same value to {place}"),
        Rule::AsyncWait => {
            format!("{} of {place} that an asynchronous copy may still be busy with", noun(x.event.flags))
        }
        Rule::MbarrierInit => "use of an mbarrier that is not ordered with its initialisation".to_owned(),
        Rule::RaceScope => format!(
            "{} and {} of {place}, ordered by too narrow a scope only",
            noun(r.event.flags),
            noun(x.event.flags)
        ),
        _ => format!("unordered {} and {} of {place}", noun(r.event.flags), noun(x.event.flags)),
    }
}

impl Reported {
    /// Adds a race to the findings, or counts it where it is known.
    pub fn add(
        &mut self,
        s: &mut Scene<'_>,
        verdict: Verdict,
        r: &Record,
        x: &Record,
        spot: Spot,
        size: u32,
        warps: u32,
    ) {
        let (a, b) = (line(s, r.event.pc), line(s, x.event.pc));
        let key = (verdict.rule, a.min(b), a.max(b));
        let is_new = !self.known.contains_key(&key);
        let (pc, other) = *self.known.entry(key).or_insert((x.event.pc, r.event.pc));
        if !is_new && s.found.again(verdict.rule, pc, Some(other)) {
            return;
        }
        let grid = s.cx.grid;
        let lane = |r: &Record| {
            let warp = u32::from(r.event.row) % warps.max(1);
            let lane = r.lanes.trailing_zeros();
            format!("{}lane {lane} of warp {warp} in CTA {}", agent_of(r, warps), cta_text(grid, r.event.cta))
        };
        let place = describe(s.cx, s.warp, spot.space, spot.address);
        let (here, there) = if verdict.rule == Rule::MbarrierInit {
            (place, "it".to_owned())
        } else {
            (format!("{size} bytes at {place}"), "some of the same bytes".to_owned())
        };
        let here = format!("{} {} {here}", lane(x), verb(x.event.flags, false));
        let there = format!("{} {} {there} before", lane(r), verb(r.event.flags, true));
        s.found.add(Finding {
            rule: verdict.rule,
            severity: verdict.severity,
            message: title(verdict, r, x, spot.space),
            pc,
            here,
            cta: crate::place::coordinates(grid, x.event.cta),
            warp: u32::from(x.event.row) % warps.max(1),
            lanes: x.lanes,
            related: vec![Related::new(other, there)],
            why: why(verdict.rule, verdict.severity),
            callers: Vec::new(),
            count: 1,
        });
    }
}

/// Do both write, and the same bytes? `older` is the lane of the same instruction that wrote first, where it is one.
pub(super) fn is_same_value(s: &Scene<'_>, access: &Access<'_>, lane: usize, r: &Record, word: u64) -> bool {
    let Some(new) = stored(s, access.pc, lane) else { return false };
    let shared = access.flags_bytes(lane, word);
    let older = lanes_of(r).find(|&l| {
        r.event.pc == access.pc
            && r.event.cta == s.who.cta
            && u32::from(r.event.row) == s.who.warp
            && access.lanes >> l & 1 != 0
            && l < lane
            && touches(access, l, word)
    });
    let old = older.and_then(|l| stored(s, access.pc, l).map(|v| (v, access.addresses.at(l))));
    shared.into_iter().all(|address| {
        let mine = new.get((address - access.addresses.at(lane)) as usize).copied();
        let theirs = match &old {
            Some((bytes, base)) => address.checked_sub(*base).and_then(|i| bytes.get(i as usize).copied()),
            None => s.warp.peek(access.space, access.shared_cta, address),
        };
        mine.is_some() && mine == theirs
    })
}

fn lanes_of(r: &Record) -> impl Iterator<Item = usize> {
    warpvm_machine::slots::lanes(r.lanes as LaneMask)
}

fn touches(access: &Access<'_>, lane: usize, word: u64) -> bool {
    let start = access.addresses.at(lane);
    start < word + 4 && word < start + u64::from(access.size)
}

trait Bytes {
    /// Addresses of the bytes of a word that a lane touches.
    fn flags_bytes(&self, lane: usize, word: u64) -> Vec<u64>;
}

impl Bytes for Access<'_> {
    fn flags_bytes(&self, lane: usize, word: u64) -> Vec<u64> {
        let start = self.addresses.at(lane);
        (word.max(start)..(word + 4).min(start + u64::from(self.size))).collect()
    }
}

/// The bytes that a lane stores.
fn stored(s: &Scene<'_>, pc: Pc, lane: usize) -> Option<Vec<u8>> {
    use warpvm_machine::program::Kind;
    use warpvm_machine::slots::{Class, Slot};
    let Kind::Store(store) = &s.cx.program.code[pc as usize].kind else { return None };
    let mut bytes = Vec::new();
    for &(class, slot) in &store.sources {
        let low = s.warp.regs.get(class, slot, lane).to_le_bytes();
        bytes.extend_from_slice(&low[..store.size.min(8) as usize]);
        if store.size == 16 {
            bytes.extend_from_slice(&s.warp.regs.get(Class::R64, Slot(slot.0 + 256), lane).to_le_bytes());
        }
    }
    Some(bytes)
}

/// How two accesses that nothing orders are to be called.
pub(super) fn verdict(r: &Record, x: &Record, warps: u32, is_narrow: bool, is_copy_open: bool) -> Verdict {
    let error = |rule| Verdict { rule, severity: Severity::Error };
    let uses_mbarrier = |f: Flags| f.has(Flags::INIT) || f.has(Flags::MBARRIER);
    let is_copy = |r: &Record| u32::from(r.event.row) >= warps;
    if (r.event.flags.has(Flags::INIT) || x.event.flags.has(Flags::INIT))
        && uses_mbarrier(r.event.flags)
        && uses_mbarrier(x.event.flags)
    {
        return error(Rule::MbarrierInit);
    }
    if is_copy_open && (is_copy(r) || is_copy(x)) {
        return error(Rule::AsyncWait);
    }
    if r.event.cta != x.event.cta {
        return error(if is_narrow { Rule::RaceScope } else { Rule::RaceGlobal });
    }
    let warp = |r: &Record| u32::from(r.event.row) % warps.max(1);
    if warp(r) != warp(x) {
        return error(Rule::RaceBlock);
    }
    let both_volatile = r.event.flags.has(Flags::VOLATILE) && x.event.flags.has(Flags::VOLATILE);
    let severity = if both_volatile { Severity::Warning } else { Severity::Error };
    Verdict { rule: Rule::RaceWarp, severity }
}
