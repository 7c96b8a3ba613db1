//! Shared memory that the asynchronous proxy reads although no proxy fence came after it was written.
//!
//! Stores of threads go through the generic proxy, bulk and tensor copies and `wgmma` through the asynchronous one, and only
//! `fence.proxy.async` orders the two (PTX ISA, sections 8.6 and 9.7.15.3). Which thread has to fence depends on the order of all
//! their accesses: the writer, the issuer, or somebody between them. So only what is wrong in any case is found: no thread of the
//! CTA has passed such a fence between the write and the read. Seeds bring out a fence that may come too early.

use std::collections::HashMap;

use warpvm_isa::{Modifier, Word};
use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::{Access, Event};
use warpvm_machine::program::{AddressSpace, CollectiveOp, Completion, Inst, Kind, Pc, Program};
use warpvm_machine::slots::lanes;

use crate::place::describe;
use crate::states::States;
use crate::wants::{self, Target};
use crate::{Context, Finding, Part, Related, Rule, Scene, Severity};

/// Words of a page of marks.
const PAGE: u64 = 256;

/// The last write of a word through the generic proxy.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// When; 0 where there was none since the word was last written otherwise.
    time: u64,
    pc: Pc,
    warp: u16,
    lane: u8,
}

/// What is kept of a CTA.
struct Cta {
    /// The last proxy fence of any of its threads.
    fenced: u64,
    pages: HashMap<u64, Box<[Mark; PAGE as usize]>>,
    /// Threads that have not exited.
    left: u32,
}

/// See the module.
pub(crate) struct Proxies {
    /// Does the kernel read shared memory through the asynchronous proxy at all, and is the rule wanted?
    is_needed: bool,
    /// Events so far.
    now: u64,
    threads: u32,
    ctas: States<Cta>,
}

/// How an instruction goes to shared memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proxy {
    Generic,
    Asynchronous,
}

fn proxy(program: &Program, pc: Pc) -> Proxy {
    match &program.code[pc as usize].kind {
        Kind::AsyncCopy(copy) if copy.completion != Completion::Group => Proxy::Asynchronous,
        Kind::Collective(c) if matches!(c.op, CollectiveOp::Other(_)) => Proxy::Asynchronous,
        _ => Proxy::Generic,
    }
}

/// `fence.proxy.async`, for shared memory among others.
fn is_fence(program: &Program, pc: Pc) -> bool {
    let has = |word: Word| program.meta[pc as usize].modifiers.contains(&Modifier::Word(word));
    has(Word::Proxy) && (has(Word::Async) || has(Word::AsyncGeneric)) && !has(Word::Global)
}

impl Proxies {
    pub fn new(cx: &Context) -> Self {
        let program = &cx.program;
        let is_wanted = !cx.levels.drop_all(&[Rule::AsyncWait]);
        let is_needed = is_wanted && (0..program.code.len() as Pc).any(|pc| proxy(program, pc) == Proxy::Asynchronous);
        Proxies { is_needed, now: 0, threads: cx.threads, ctas: States::new() }
    }

    /// What an instruction is wanted for.
    pub fn wants(&self, inst: &Inst) -> u8 {
        let target = Target::of(inst);
        let may_be_shared =
            !matches!(target, Target::Nothing | Target::One(AddressSpace::Global | AddressSpace::Const));
        if self.is_needed && may_be_shared { wants::ACCESS } else { 0 }
    }

    fn cta(&mut self, index: u32) -> &mut Cta {
        let left = self.threads;
        self.ctas.get_or(u64::from(index), || Cta { fenced: 0, pages: HashMap::new(), left })
    }

    fn write(&mut self, access: &Access<'_>, warp: u32, proxy: Proxy) {
        self.now += 1;
        let now = self.now;
        let cta = self.cta(access.shared_cta);
        for lane in lanes(access.lanes) {
            let time = if proxy == Proxy::Generic { now } else { 0 };
            let mark = Mark { time, pc: access.pc, warp: warp as u16, lane: lane as u8 };
            for word in words(access, lane) {
                if let Some(page) = cta.pages.get_mut(&(word / PAGE)) {
                    page[(word % PAGE) as usize] = mark;
                } else if time != 0 {
                    let mut page = Box::new([Mark::default(); PAGE as usize]);
                    page[(word % PAGE) as usize] = mark;
                    cta.pages.insert(word / PAGE, page);
                }
            }
        }
    }

    fn read(&mut self, s: &mut Scene<'_>, access: &Access<'_>) {
        let cta = self.cta(access.shared_cta);
        for lane in lanes(access.lanes) {
            for word in words(access, lane) {
                let Some(page) = cta.pages.get(&(word / PAGE)) else { continue };
                let mark = page[(word % PAGE) as usize];
                if mark.time > cta.fenced {
                    report(s, access, lane, word, mark);
                    return;
                }
            }
        }
    }
}

/// Words of shared memory that a lane touches.
fn words(access: &Access<'_>, lane: usize) -> std::ops::Range<u64> {
    let start = access.addresses.at(lane);
    start / 4..start.saturating_add(u64::from(access.size)).div_ceil(4)
}

#[cold]
fn report(s: &mut Scene<'_>, access: &Access<'_>, lane: usize, word: u64, mark: Mark) {
    if s.found.again(Rule::AsyncWait, access.pc, Some(mark.pc)) {
        return;
    }
    let place = describe(s.cx, s.warp, Space::Shared, word * 4);
    let who = if is_matrix(&s.cx.program, access.pc) { "`wgmma`" } else { "an asynchronous copy" };
    s.found.add(Finding {
        rule: Rule::AsyncWait,
        severity: Severity::Error,
        message: format!("{who} reads shared memory that was written without `fence.proxy.async` in between"),
        pc: access.pc,
        here: format!("lane {lane} of warp {} has {place} read through the asynchronous proxy", s.who.warp),
        cta: s.warp.cta,
        warp: s.who.warp,
        lanes: access.lanes,
        related: vec![Related::new(
            mark.pc,
            format!("lane {} of warp {} wrote it through the generic proxy", mark.lane, mark.warp),
        )],
        why: "a store and a read of the asynchronous proxy are ordered only by a proxy fence between them, a barrier does \
              not do it; PTX ISA, sections 8.6 (proxies) and 9.7.13.4 (`fence.proxy`)",
        callers: Vec::new(),
        count: 1,
    });
}

/// Is it a matrix operation?
fn is_matrix(program: &Program, pc: Pc) -> bool {
    matches!(program.code[pc as usize].kind, Kind::Collective(_))
}

impl Part for Proxies {
    #[inline]
    fn access(&mut self, s: &mut Scene<'_>, access: &Access<'_>) {
        if !self.is_needed || access.space != Space::Shared {
            return;
        }
        let proxy = proxy(&s.cx.program, access.pc);
        match (access.kind, proxy) {
            (AccessKind::Read, Proxy::Generic) => {}
            (AccessKind::Read, Proxy::Asynchronous) => self.read(s, access),
            (AccessKind::Write | AccessKind::Atomic, proxy) => self.write(access, s.who.warp, proxy),
        }
    }

    fn event(&mut self, s: &mut Scene<'_>, event: &Event<'_>) {
        if !self.is_needed {
            return;
        }
        match *event {
            Event::Fence { pc, .. } if is_fence(&s.cx.program, pc) => {
                self.now += 1;
                let now = self.now;
                // Somebody of the cluster may fence for what he wrote elsewhere.
                for cta in s.warp.ctas {
                    let index = cta.index;
                    self.cta(index).fenced = now;
                }
            }
            Event::Exit { lanes, .. } => {
                let cta = self.cta(s.who.cta);
                cta.left = cta.left.saturating_sub(lanes.count_ones());
                if cta.left == 0 && s.warp.ctas.len() == 1 {
                    self.ctas.remove(u64::from(s.who.cta));
                }
            }
            _ => {}
        }
    }
}
