//! A kernel under many schedules.
//!
//! Each seed is a launch of its own on a copy of the memory, watched by a [`Checker`]. The first seed runs alone: most
//! faults show under any schedule. The others share the host's threads. The report is the same for any number of
//! threads: where a failing seed ends the search, the lowest one counts, and what higher ones found is dropped.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use warpvm_machine::fault::{Fault, FaultKind};
use warpvm_machine::launch::{self, Config, Convergence, Launch, LaunchError, Schedule, Tier};
use warpvm_machine::memory::{AllocError, GlobalMemory};
use warpvm_machine::program::{Pc, Program};

use crate::activemask::{self, Trace};
use crate::finding::{Finding, Rule, Severity, Sites};
use crate::{Checker, Context, Levels, Prepared};

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Until {
    /// At the first seed with an error.
    #[default]
    FirstError,
    /// When all seeds have run.
    AllSeeds,
}

/// How to look.
pub struct Options<'a> {
    /// The seeds.
    pub seeds: Range<u64>,
    /// When to stop.
    pub until: Until,
    /// How lanes that parted meet again.
    pub convergence: Convergence,
    /// Most warp instructions of a seed.
    pub max_steps: u64,
    /// Host threads; 0 for one a core.
    pub threads: usize,
    /// What the user says about rules.
    pub levels: &'a Levels,
    /// Is a finding allowed where it stands?
    pub is_allowed: &'a (dyn Fn(&Finding) -> bool + Sync),
    /// Told how many seeds have run.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Set by somebody who wants the report of what was found so far.
    pub cancel: &'a AtomicBool,
}

/// A finding over all seeds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// As it showed first; its count is over all seeds.
    pub finding: Finding,
    /// The lowest seed that shows it.
    pub seed: u64,
    /// How many seeds show it.
    pub seeds: u64,
}

/// What came of it.
pub struct Report {
    /// The findings, worst first, then in the order in which they showed.
    pub findings: Vec<Found>,
    /// Seeds that were run.
    pub run: u64,
    /// Seeds with an error or a warning.
    pub failed: u64,
    /// A fault that is no finding, with its seed: `trap`, a failed assertion, a limit.
    pub fault: Option<(u64, Box<Fault>)>,
    /// Was it ended early from outside?
    pub is_cancelled: bool,
    /// Memory as the first seed left it.
    pub memory: GlobalMemory,
    /// What the kernel printed under the first seed.
    pub output: Vec<u8>,
    /// Warp instructions of all seeds.
    pub steps: u64,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The launch does not fit the kernel.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// There is no room for a copy of the memory.
    #[error(transparent)]
    Memory(#[from] AllocError),
}

/// One seed's run.
struct Run {
    findings: Vec<Finding>,
    fault: Option<Box<Fault>>,
    output: Vec<u8>,
    steps: u64,
    is_cancelled: bool,
    trace: Trace,
}

impl Run {
    fn has(&self, at_least: Severity) -> bool {
        self.findings.iter().any(|f| f.severity >= at_least)
    }

    fn is_limit(&self) -> bool {
        matches!(self.fault.as_ref().map(|f| &f.kind), Some(FaultKind::StepLimit { .. }))
    }

    fn is_failed(&self) -> bool {
        self.has(Severity::Warning) || self.fault.is_some() && !self.is_limit()
    }
}

/// Runs a kernel under each seed and gathers what is found. The memory itself is not touched.
///
/// # Errors
/// Where the launch does not fit the kernel or memory cannot be copied.
pub fn check(
    program: &Arc<Program>,
    memory: &GlobalMemory,
    launch: &Launch<'_>,
    options: &Options<'_>,
) -> Result<Report, Error> {
    let cx = Context {
        program: program.clone(),
        threads: launch.dimensions.threads() as u32,
        grid: launch.dimensions.grid,
        allocations: memory.allocations().into(),
        sites: Arc::new(Sites::of(program)),
        levels: options.levels.clone(),
    };
    let prepared = Prepared::new(&cx);
    let explorer = Explorer { cx, prepared, memory, launch, options, stop_after: AtomicU64::new(u64::MAX) };
    let first_seed = options.seeds.start;
    let (first, left) = explorer.run(first_seed)?;
    (options.progress)(1);
    explorer.note(first_seed, &first);
    let others = explorer.others(&first, &left)?;
    Ok(explorer.merge(first, others, left))
}

struct Explorer<'a> {
    cx: Context,
    prepared: Prepared,
    memory: &'a GlobalMemory,
    launch: &'a Launch<'a>,
    options: &'a Options<'a>,
    /// The lowest seed that ends the search.
    stop_after: AtomicU64,
}

impl Explorer<'_> {
    /// One seed, and the memory that it left.
    fn run(&self, seed: u64) -> Result<(Run, GlobalMemory), Error> {
        let memory = self.memory.duplicate()?;
        let config = Config {
            tier: Tier::Interpreted,
            schedule: Schedule::Seeded(seed),
            convergence: self.options.convergence,
            max_steps: self.options.max_steps,
            threads: 1,
        };
        let make = || Checker::with(self.cx.clone(), &self.prepared);
        let launch = Launch { cancel: Some(self.options.cancel), ..*self.launch };
        let (outcome, mut checkers) = launch::run(&self.cx.program, &memory, &launch, &config, make)?;
        let mut findings = Vec::new();
        let mut left = outcome.fault.as_deref();
        for checker in &mut checkers {
            left = checker.finish(&memory, left);
            findings.extend(checker.found.list().iter().filter_map(|f| self.judged(f)));
        }
        let run = Run {
            findings,
            fault: left.cloned().map(Box::new),
            output: outcome.output,
            steps: outcome.steps,
            is_cancelled: outcome.is_cancelled,
            trace: checkers.pop().map(|c| c.activemask.trace).unwrap_or_default(),
        };
        Ok((run, memory))
    }

    fn judged(&self, finding: &Finding) -> Option<Finding> {
        let severity = self.options.levels.judge(finding)?;
        (!(self.options.is_allowed)(finding)).then(|| Finding { severity, ..finding.clone() })
    }

    /// Remembers a seed after which no other needs to be run.
    fn note(&self, seed: u64, run: &Run) {
        let stops = match self.options.until {
            Until::FirstError => run.has(Severity::Error) || run.fault.is_some(),
            Until::AllSeeds => false,
        };
        if stops {
            self.stop_after.fetch_min(seed, Ordering::Relaxed);
        }
    }

    fn is_wanted(&self, seed: u64) -> bool {
        seed <= self.stop_after.load(Ordering::Relaxed) && !self.options.cancel.load(Ordering::Relaxed)
    }

    /// Looks whether a seed came to another result than the first, where both did nothing else wrong.
    fn compared(&self, (first, left): (&Run, &GlobalMemory), (mut run, memory): (Run, GlobalMemory)) -> Run {
        let is_whole = |run: &Run| !run.has(Severity::Error) && run.fault.is_none() && !run.is_cancelled;
        if is_whole(first) && is_whole(&run) {
            let found = activemask::compare(&self.cx.program, (left, &first.trace), (&memory, &run.trace));
            run.findings.extend(found.and_then(|f| self.judged(&f)));
        }
        run.trace = Trace::default();
        run
    }

    /// All seeds but the first, on all threads, lowest first.
    fn others(&self, first: &Run, left: &GlobalMemory) -> Result<Vec<(u64, Run)>, Error> {
        let seeds = self.options.seeds.start + 1..self.options.seeds.end;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.options.threads == 0 { cores } else { self.options.threads };
        let next = AtomicU64::new(seeds.start);
        let done = AtomicU64::new(1);
        let runs = Mutex::new((Vec::new(), None));
        let work = || loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end || !self.is_wanted(seed) {
                return;
            }
            let run = self.run(seed).map(|(run, memory)| self.compared((first, left), (run, memory)));
            let mut runs = runs.lock().expect("runs lock");
            match run {
                Ok(run) => {
                    self.note(seed, &run);
                    runs.0.push((seed, run));
                }
                Err(e) => {
                    runs.1.get_or_insert(e);
                    return;
                }
            }
            (self.options.progress)(done.fetch_add(1, Ordering::Relaxed) + 1);
        };
        if self.is_wanted(seeds.start) && !seeds.is_empty() {
            std::thread::scope(|scope| {
                for _ in 0..threads.min((seeds.end - seeds.start) as usize) {
                    scope.spawn(work);
                }
            });
        }
        let (mut list, error) = runs.into_inner().expect("runs lock");
        if let Some(e) = error {
            return Err(e);
        }
        list.sort_by_key(|(seed, _)| *seed);
        list.retain(|(seed, _)| *seed <= self.stop_after.load(Ordering::Relaxed));
        Ok(list)
    }

    fn merge(&self, mut first: Run, others: Vec<(u64, Run)>, memory: GlobalMemory) -> Report {
        let mut merged = Merged { sites: self.cx.sites.clone(), index: HashMap::new(), list: Vec::new() };
        let (mut run, mut failed, mut steps, mut fault) = (0, 0, 0, None);
        let mut take = |seed: u64, of: &mut Run| {
            run += 1;
            steps += of.steps;
            failed += u64::from(of.is_failed());
            merged.add(seed, std::mem::take(&mut of.findings));
            if let (None, Some(f)) = (&fault, of.fault.take()) {
                fault = Some((seed, f));
            }
        };
        let mut is_cancelled = first.is_cancelled;
        take(self.options.seeds.start, &mut first);
        for (seed, mut other) in others {
            is_cancelled |= other.is_cancelled;
            take(seed, &mut other);
        }
        let output = first.output;
        let is_cancelled = is_cancelled || self.options.cancel.load(Ordering::Relaxed);
        Report { findings: merged.sorted(), run, failed, fault, is_cancelled, memory, output, steps }
    }
}

/// Rule, place and first related place: what findings of one cause have in common.
type Cause = (Rule, Pc, Option<Pc>);

/// Findings of several seeds, one a cause.
struct Merged {
    sites: Arc<Sites>,
    index: HashMap<Cause, usize>,
    list: Vec<Found>,
}

impl Merged {
    fn add(&mut self, seed: u64, findings: Vec<Finding>) {
        for finding in findings {
            let site = |pc| self.sites.site(pc);
            let cause = (finding.rule, site(finding.pc), finding.related.first().map(|r| site(r.pc)));
            if let Some(&i) = self.index.get(&cause) {
                let known = &mut self.list[i];
                known.finding.count += finding.count;
                known.finding.severity = known.finding.severity.max(finding.severity);
                known.seeds += 1;
            } else {
                self.index.insert(cause, self.list.len());
                self.list.push(Found { finding, seed, seeds: 1 });
            }
        }
    }

    /// Findings, by index, that another one explains: an undefined value that is read too early, by a lane that nothing holds
    /// up or that has waited in the wrong way, and arrivals at mbarriers that come too early for that.
    fn consequences(&self) -> HashSet<usize> {
        let mut early = HashSet::new();
        let mut waits = HashSet::new();
        for f in self.list.iter().map(|f| &f.finding).filter(|f| f.severity != Severity::Note) {
            match f.rule {
                Rule::RaceWarp | Rule::RaceBlock | Rule::RaceGlobal | Rule::RaceScope | Rule::AsyncWait => {
                    early.extend(
                        std::iter::once(f.pc).chain(f.related.iter().map(|r| r.pc)).map(|pc| self.sites.site(pc)),
                    );
                }
                Rule::BarrierDivergence | Rule::MbarrierPhase => {
                    waits.insert(f.rule);
                }
                _ => {}
            }
        }
        let is_one = |f: &Finding| match f.rule {
            Rule::UninitShared | Rule::UninitGlobal => !waits.is_empty() || early.contains(&self.sites.site(f.pc)),
            Rule::MbarrierCount => waits.contains(&Rule::MbarrierPhase),
            _ => false,
        };
        (0..self.list.len()).filter(|i| is_one(&self.list[*i].finding)).collect()
    }

    fn sorted(mut self) -> Vec<Found> {
        // What is an error needs no note beside it.
        let errors: HashSet<(Rule, Pc)> = self
            .list
            .iter()
            .filter(|f| f.finding.severity == Severity::Error)
            .map(|f| (f.finding.rule, self.sites.site(f.finding.pc)))
            .collect();
        // Whom a barrier goes by without is said where the barrier is reached by a part of the block.
        let is_parted = errors.iter().any(|(rule, _)| *rule == Rule::BarrierDivergence);
        let consequences = self.consequences();
        let mut index = 0;
        self.list.retain(|f| {
            index += 1;
            match f.finding.severity {
                Severity::Note if f.finding.rule == Rule::ExitedBarrier && is_parted => false,
                Severity::Note => !errors.contains(&(f.finding.rule, self.sites.site(f.finding.pc))),
                _ => !consequences.contains(&(index - 1)),
            }
        });
        self.list.sort_by_key(|f| std::cmp::Reverse(f.finding.severity));
        self.list
    }
}
