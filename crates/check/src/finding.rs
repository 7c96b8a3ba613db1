//! Findings as plain data. One cause is one finding, however many lanes, warps, CTAs and seeds show it.

use std::collections::HashMap;
use std::sync::Arc;

use warpvm_machine::program::{Meta, Pc, Program, Role};
use warpvm_machine::slots::LaneMask;

macro_rules! rules {
    ($($variant:ident = $text:literal, $severity:ident;)*) => {
        /// A rule of the checker, by its name in reports.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)] // each rule has a page: `warpvm explain RULE`
        pub enum Rule { $($variant,)* }
        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant,)*];
            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(Rule::$variant => $text,)* }
            }
            /// How serious it is, where nothing else is said.
            pub const fn severity(self) -> Severity {
                match self { $(Rule::$variant => Severity::$severity,)* }
            }
            /// The rule with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Rule::$variant),)* _ => None }
            }
        }
    };
}

rules! {
    OwnLane = "own-lane", Error;
    MaskMismatch = "mask-mismatch", Error;
    AbsentLane = "absent-lane", Error;
    TwoSites = "two-sites", Note;
    ExitedLane = "exited-lane", Note;
    SourceLane = "source-lane", Error;
    ShflWidth = "shfl-width", Warning;
    Activemask = "activemask", Warning;
    BarrierDivergence = "barrier-divergence", Error;
    BarrierSites = "barrier-sites", Warning;
    BarrierCount = "barrier-count", Error;
    BarrierArrive = "barrier-arrive", Error;
    BarrierMix = "barrier-mix", Error;
    ExitedBarrier = "exited-barrier", Note;
    Deadlock = "deadlock", Error;
    RaceWarp = "race-warp", Error;
    RaceBlock = "race-block", Error;
    RaceGlobal = "race-global", Error;
    RaceScope = "race-scope", Error;
    RaceSameValue = "race-same-value", Note;
    OobGlobal = "oob-global", Error;
    OobShared = "oob-shared", Error;
    OobLocal = "oob-local", Error;
    Misaligned = "misaligned", Error;
    UseAfterFree = "use-after-free", Error;
    UninitReg = "uninit-reg", Error;
    UninitGlobal = "uninit-global", Error;
    UninitShared = "uninit-shared", Error;
    UninitLocal = "uninit-local", Error;
    DivZero = "div-zero", Error;
    AsyncWait = "async-wait", Error;
    MbarrierCount = "mbarrier-count", Error;
    MbarrierInit = "mbarrier-init", Error;
    MbarrierPhase = "mbarrier-phase", Error;
}

/// How serious a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Legal but worth a word.
    Note,
    /// Works by luck or against a stated assumption.
    Warning,
    /// Undefined by the manual.
    Error,
}

/// Another place that has to do with a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// The instruction.
    pub pc: Pc,
    /// What is to be said there.
    pub message: String,
    /// The calls that led there, innermost first, where they are known.
    pub callers: Vec<Pc>,
}

impl Related {
    /// A place with a word about it.
    pub fn new(pc: Pc, message: impl Into<String>) -> Self {
        Related { pc, message: message.into(), callers: Vec::new() }
    }
}

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which.
    pub rule: Rule,
    /// How serious; the rule's own where nothing else is said.
    pub severity: Severity,
    /// One line; lower case, no final period.
    pub message: String,
    /// The instruction.
    pub pc: Pc,
    /// What is to be said there: who does what.
    pub here: String,
    /// The calls that led there, innermost first.
    pub callers: Vec<Pc>,
    /// The CTA.
    pub cta: [u32; 3],
    /// The warp in it.
    pub warp: u32,
    /// Lanes at fault.
    pub lanes: LaneMask,
    /// Other places.
    pub related: Vec<Related>,
    /// Why it is a rule, with the manual's section.
    pub why: &'static str,
    /// How often it was seen.
    pub count: u64,
}

impl Finding {
    /// A finding at a place, by lanes of a warp, as serious as its rule, with the words still to be said.
    pub fn new(rule: Rule, pc: Pc, cta: [u32; 3], warp: u32, lanes: LaneMask, why: &'static str) -> Self {
        Finding {
            rule,
            severity: rule.severity(),
            message: String::new(),
            pc,
            here: String::new(),
            callers: Vec::new(),
            cta,
            warp,
            lanes,
            related: Vec::new(),
            why,
            count: 1,
        }
    }
}

/// What two findings of one cause have in common: rule, place, and first related place.
type Cause = (Rule, Pc, Option<Pc>);

/// The findings of a run, one a cause.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    index: HashMap<Cause, usize>,
    sites: Arc<Sites>,
}

/// Instructions that stand for one place of the source: copies that a compiler made when it unrolled a loop or laid a
/// piece of code out twice.
#[derive(Debug, Default)]
pub struct Sites {
    first: Vec<Pc>,
}

/// The instruction whose `.loc` says where an instruction comes from. A compiler gives code that it has moved line 0: of a load
/// the first instruction that reads what it gives is meant, of any other the next one with a line, or the last one before.
pub fn located(program: &Program, pc: Pc) -> Pc {
    const FAR: u32 = 256;
    let has_line = |at: &Pc| program.meta[*at as usize].loc.is_some_and(|loc| loc.line > 0);
    let is_lost = |m: &&Meta| m.loc.is_none_or(|loc| loc.line == 0) && !program.files.is_empty();
    let Some(meta) = program.meta.get(pc as usize).filter(is_lost) else { return pc };
    let Some(function) = program.functions.get(meta.function as usize) else { return pc };
    let written = |slot| meta.operands.iter().any(|o| o.0 == Role::Write && o.2 == slot);
    let reads = |at: &Pc| program.meta[*at as usize].operands.iter().any(|o| o.0 == Role::Read && written(o.2));
    let mut behind = (pc + 1..function.end.min(pc.saturating_add(FAR))).filter(has_line);
    let reader = behind.clone().find(reads);
    let before = || (function.start.max(pc.saturating_sub(FAR))..pc).rev().find(has_line);
    reader.or_else(|| behind.next()).or_else(before).unwrap_or(pc)
}

impl Sites {
    /// Those of a program, by its `.loc` directives. Without them every instruction stands for itself.
    pub fn of(program: &Program) -> Self {
        let mut known = HashMap::new();
        let loc = |pc: Pc| program.meta[located(program, pc) as usize].loc;
        let first = program.meta.iter().zip(0..).map(|(meta, pc)| match loc(pc) {
            Some(loc) if loc.line > 0 => {
                let place = (loc.file, loc.line, loc.column, loc.inlined_at, meta.opcode);
                *known.entry(place).or_insert(pc)
            }
            _ => pc,
        });
        Sites { first: first.collect() }
    }

    /// The first instruction that stands for the same place.
    pub fn site(&self, pc: Pc) -> Pc {
        self.first.get(pc as usize).copied().unwrap_or(pc)
    }
}

impl Findings {
    /// No findings yet.
    pub fn new(sites: Arc<Sites>) -> Self {
        Findings { sites, ..Findings::default() }
    }

    /// Adds a finding, or counts it where its cause is known: the same rule at the same place (and the same first
    /// related place).
    pub fn add(&mut self, finding: Finding) {
        let related = finding.related.first().map(|r| self.sites.site(r.pc));
        let key = (finding.rule, self.sites.site(finding.pc), related);
        if let Some(&i) = self.index.get(&key) {
            let known = &mut self.list[i];
            known.count += finding.count;
            if (known.cta, known.warp) == (finding.cta, finding.warp) {
                known.lanes |= finding.lanes;
            }
        } else {
            self.index.insert(key, self.list.len());
            self.list.push(finding);
        }
    }

    /// The first instruction that stands for the same place of the source.
    pub fn site(&self, pc: Pc) -> Pc {
        self.sites.site(pc)
    }

    /// Is the rule known to be broken at this place?
    pub fn has(&self, rule: Rule, pc: Pc) -> bool {
        let site = self.sites.site(pc);
        self.index.keys().any(|&(r, at, _)| r == rule && at == site)
    }

    /// Is there a finding of such a rule that names this place?
    pub fn is_about(&self, pc: Pc, rules: impl Fn(Rule) -> bool) -> bool {
        let site = self.sites.site(pc);
        self.list
            .iter()
            .filter(|f| rules(f.rule))
            .any(|f| std::iter::once(f.pc).chain(f.related.iter().map(|r| r.pc)).any(|at| self.sites.site(at) == site))
    }

    /// Counts a finding once more. False where there is none with this cause.
    pub fn again(&mut self, rule: Rule, pc: Pc, related: Option<Pc>) -> bool {
        let key = (rule, self.sites.site(pc), related.map(|pc| self.sites.site(pc)));
        let known = self.index.get(&key);
        if let Some(&i) = known {
            self.list[i].count += 1;
        }
        known.is_some()
    }

    /// Counts a finding of a rule once more, wherever it is, that has this place as its first related one. False where there is
    /// none.
    pub fn again_with(&mut self, rule: Rule, related: Pc) -> bool {
        let site = self.sites.site(related);
        let is_it =
            |f: &&mut Finding| f.rule == rule && f.related.first().is_some_and(|r| self.sites.site(r.pc) == site);
        let known = self.list.iter_mut().find(is_it);
        known.map(|f| f.count += 1).is_some()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Says of the findings from the `n`th on which calls led there.
    pub(crate) fn tell_callers(&mut self, n: usize, callers: impl Fn(&Finding) -> Vec<Pc>) {
        for f in self.list[n..].iter_mut().filter(|f| f.callers.is_empty()) {
            f.callers = callers(f);
        }
    }

    /// The findings, in the order in which they were met.
    pub fn list(&self) -> &[Finding] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use warpvm_machine::lower::Image;

    use super::*;

    #[test]
    fn code_that_was_moved_is_where_its_value_is_read() {
        let text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_out)\n{\n\
                    .reg .b32 %r<8>;\n.reg .b64 %d<4>;\n\
                    .loc 1 3 1\nld.param.u64 %d1, [k_out];\nmov.u32 %r3, %tid.x;\n\
                    .loc 1 0 1\nld.global.u32 %r1, [%d1];\n\
                    .loc 1 4 1\nadd.u32 %r2, %r3, 1;\n\
                    .loc 1 5 1\nadd.u32 %r2, %r1, %r2;\n\
                    .loc 1 0 1\nst.global.u32 [%d1], %r2;\n\
                    .loc 1 6 1\nret;\n}\n.file 1 \"k.cu\"\n";
        let tree = warpvm_ptx::parse(text).expect("legal PTX");
        let image = Image::new(Arc::new(tree), text.into()).expect("a module");
        let program = image.lower("k").expect("a kernel");
        let line = |pc: Pc| program.meta[located(&program, pc) as usize].loc.map(|loc| loc.line);
        let lines: Vec<_> =
            (0..program.code.len() as Pc).filter(|pc| !program.meta[*pc as usize].synthetic).map(line).collect();
        let end = &lines[lines.len() - 5..];
        assert_eq!(end, [Some(5), Some(4), Some(5), Some(6), Some(6)]);
    }
}
