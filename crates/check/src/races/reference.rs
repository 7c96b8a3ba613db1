//! The shadow beside a plain one: random accesses of a few warps, with barriers in between, must give the same races.
//!
//! The plain one keeps every access of every byte and a full vector clock a thread. The shadow forgets what a race has
//! told of, so that words are compared up to their first race of a phase; that what it names has happened and is not
//! ordered must hold always.

use std::collections::{BTreeMap, HashSet};

use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::{Access, Addresses, Spread};
use warpvm_machine::program::{Ordering, Scope};
use warpvm_machine::slots::{LaneMask, lanes};

use super::access::{Job, Race};
use super::clock::Agent;
use super::events::{Events, Flags};
use super::shadow::Shadow;
use super::threads::Threads;

const WARPS: usize = 3;
const THREADS: usize = 32 * WARPS;
/// Bytes of the memory.
const BYTES: u64 = 1024;

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ x >> 31) % n
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// What was done to a byte.
#[derive(Clone, Copy, Debug)]
struct Past {
    thread: usize,
    time: u32,
    pc: u32,
    flags: Flags,
}

/// The plain shadow.
struct Plain {
    bytes: BTreeMap<u64, Vec<Past>>,
    /// What each thread knows of each.
    clocks: Vec<[u32; THREADS]>,
}

impl Plain {
    fn meet(&mut self, threads: &[usize]) {
        let mut all = [0; THREADS];
        for &t in threads {
            (0..THREADS).for_each(|i| all[i] = all[i].max(self.clocks[t][i]));
        }
        for &t in threads {
            self.clocks[t] = all;
            self.clocks[t][t] += 1;
        }
    }

    fn races_of(&self, byte: u64, thread: usize, flags: Flags) -> impl Iterator<Item = &Past> {
        self.bytes.get(&byte).into_iter().flatten().filter(move |p| {
            let is_pair = p.flags.is_read_only() && flags.is_read_only();
            let are_strong = p.flags.has(Flags::STRONG) && flags.has(Flags::STRONG);
            p.thread != thread && self.clocks[thread][p.thread] < p.time && !is_pair && !are_strong
        })
    }

    fn add(&mut self, byte: u64, thread: usize, pc: u32, flags: Flags) {
        let time = self.clocks[thread][thread];
        self.bytes.entry(byte).or_default().push(Past { thread, time, pc, flags });
    }
}

/// Addresses in one of the shapes that kernels have, or in none.
fn shape(dice: &mut Dice, size: u64, at: u64, within: u64) -> [u64; 32] {
    let step = dice.of(&[0, size, size, 2 * size]);
    let half = dice.of(&[0, 16 * size, 64, 68, 17 * size]);
    let spread: Vec<u64> = (0..32).map(|_| dice.below(within / size) * size).collect();
    let permuted = dice.below(32);
    let kind = dice.below(8);
    std::array::from_fn(|l| {
        let lane = l as u64;
        let offset = match kind {
            0 | 1 => lane * size,
            2..=4 => lane % 16 * step + lane / 16 * half,
            5 => (lane ^ permuted) * size,
            6 => lane % 8 * size + lane / 8 * half,
            _ => spread[l],
        };
        at + offset % within / size * size
    })
}

/// What the warps do between two barriers.
#[derive(Clone, Copy)]
enum Mood {
    Read,
    Update,
    /// Each warp writes to its own part.
    Own,
    Any,
}

struct Case {
    dice: Dice,
    space: Space,
    threads: Threads,
    shadow: Shadow,
    events: Events,
    plain: Plain,
    /// Words that have raced since the last barrier.
    spoilt: HashSet<u64>,
    only_phases: bool,
    can_die: bool,
    pc: u32,
    found: usize,
}

impl Case {
    fn new(seed: u64, space: Space) -> Self {
        let mut dice = Dice(seed);
        let most = if space == Space::Shared { 48 } else { 3 };
        let mut clocks = vec![[0; THREADS]; THREADS];
        (0..THREADS).for_each(|t| clocks[t][t] = 1);
        Case {
            only_phases: space == Space::Shared && dice.below(2) == 0,
            can_die: dice.below(4) != 0,
            dice,
            space,
            threads: Threads::new(0, THREADS as u32),
            shadow: Shadow::new(0, most),
            events: Events::new(),
            plain: Plain { bytes: BTreeMap::new(), clocks },
            spoilt: HashSet::new(),
            pc: 0,
            found: 0,
        }
    }

    fn barrier(&mut self) {
        let waiting: Vec<(u32, LaneMask)> = (0..WARPS as u32).map(|w| (w, !0)).collect();
        self.threads.barrier(0, &waiting);
        self.plain.meet(&(0..THREADS).collect::<Vec<_>>());
        self.spoilt.clear();
    }

    fn warp_barrier(&mut self) {
        let warp = self.dice.below(WARPS as u64) as usize;
        let mask = if self.dice.below(3) == 0 { self.dice.below(1 << 32) as u32 | 1 } else { !0 };
        self.threads.warp_barrier(warp as u32, mask, mask);
        self.plain.meet(&lanes(mask).map(|l| 32 * warp + l).collect::<Vec<_>>());
    }

    fn access(&mut self, mood: Mood) {
        let dice = &mut self.dice;
        let warp = dice.below(WARPS as u64) as usize;
        let (read, write) = (Flags::READ, Flags::WRITE);
        let atomic = read.with(write).with(Flags::STRONG);
        let flags = match mood {
            Mood::Read => dice.of(&[read, read, read, read, read.with(Flags::STRONG)]),
            Mood::Update => atomic,
            Mood::Own => dice.of(&[read, write, write]),
            Mood::Any => dice.of(&[read, read, write, atomic, write.with(Flags::STRONG)]),
        };
        let size = if flags == atomic { dice.of(&[4, 4, 8]) } else { dice.of(&[1, 2, 4, 4, 4, 4, 8, 16]) };
        let (start, within) = match mood {
            Mood::Own => (256 * warp as u64, 256),
            _ => (dice.of(&[0, 0, 64, 256, 20, 48]), 512),
        };
        let addresses = shape(dice, size, start / size * size, within);
        let mask = dice.of(&[!0, !0, !0, !0, 0xffff, 0xffff_0000, 0x00ff_ff00, 0x5555_5555]);
        // The same instruction comes again now and then.
        self.pc += u32::from(dice.below(4) != 0);
        let kind = if flags.is_read_only() { AccessKind::Read } else { AccessKind::Write };
        let access = Access {
            pc: self.pc,
            lanes: mask,
            space: self.space,
            addresses: Addresses::new(&addresses),
            spread: &Spread::of(&addresses, mask),
            shared_cta: 0,
            size: size as u32,
            kind,
            ordering: Ordering::Weak,
            scope: Scope::Cta,
            asynchronous: false,
        };
        let (can_die, only_phases) = (self.can_die, self.only_phases);
        let warp = warp as u32;
        let job = Job { access: &access, agent: Agent::Thread, flags, group: &[], warp, can_die, only_phases };
        let mut races = Vec::new();
        job.run(&mut self.threads, &mut self.shadow, &mut self.events, &mut races);
        self.found += races.len();
        self.compare(&access, warp as usize, flags, &races);
    }

    fn compare(&mut self, access: &Access<'_>, warp: usize, flags: Flags, races: &[Race]) {
        let touched = |lane: usize| access.addresses.at(lane)..access.addresses.at(lane) + u64::from(access.size);
        let last_writes: BTreeMap<u64, (usize, u32)> = lanes(access.lanes)
            .flat_map(touched)
            .filter_map(|byte| Some((byte, self.plain.bytes.get(&byte)?)))
            .filter_map(|(byte, list)| Some((byte, list.iter().rev().find(|p| p.flags == Flags::WRITE)?)))
            .map(|(byte, p)| (byte, (p.thread, p.time)))
            .collect();
        for lane in lanes(access.lanes) {
            touched(lane).for_each(|byte| self.plain.add(byte, 32 * warp + lane, access.pc, flags));
        }
        let (mut expected, mut all) = (HashSet::new(), HashSet::new());
        for lane in lanes(access.lanes) {
            for byte in touched(lane) {
                for past in self.plain.races_of(byte, 32 * warp + lane, flags) {
                    all.insert((lane, byte & !3, past.thread, past.pc));
                    // Of global memory the last write is remembered, and some others.
                    if self.space == Space::Shared || last_writes.get(&byte) == Some(&(past.thread, past.time)) {
                        expected.insert(byte & !3);
                    }
                }
            }
        }
        let text = |word: &u64| {
            let history: Vec<_> = (*word..word + 4).filter_map(|b| self.plain.bytes.get(&b)).collect();
            format!(
                "pc {} {flags:?} of {} bytes by warp {warp}: {:?}\n{history:#?}",
                access.pc, access.size, access.addresses
            )
        };
        let mut found = HashSet::new();
        for (lane, word, r, x) in races {
            let r = r.of_another(x);
            let thread = |l: usize| 32 * usize::from(r.event.row) + l;
            let is_true = lanes(r.lanes).any(|l| all.contains(&(*lane, *word, thread(l), r.event.pc)));
            assert!(is_true, "no such race: lane {lane} at {word} with {r:?}; {}", text(word));
            found.insert(*word);
        }
        for word in expected.iter().filter(|word| !self.spoilt.contains(*word)) {
            assert!(found.contains(word), "missing: {word}; {}", text(word));
        }
        self.spoilt.extend(expected.union(&found));
    }
}

fn run(seeds: std::ops::Range<u64>, space: Space) -> usize {
    let mut found = 0;
    for seed in seeds {
        let mut case = Case::new(seed, space);
        for _ in 0..6 {
            let mood = case.dice.of(&[Mood::Read, Mood::Read, Mood::Update, Mood::Own, Mood::Own, Mood::Any]);
            for _ in 0..case.dice.below(16) {
                case.access(mood);
                if case.dice.below(12) == 0 {
                    case.warp_barrier();
                }
            }
            // A phase without a barrier behind it goes on in the next.
            if case.dice.below(4) != 0 {
                case.barrier();
            }
        }
        found += case.found;
    }
    found
}

#[test]
fn shared_memory_is_exact() {
    assert!(run(0..400, Space::Shared) > 1000, "most cases should have races");
}

#[test]
fn global_memory_knows_the_last_write() {
    assert!(run(0..400, Space::Global) > 1000, "most cases should have races");
}

#[test]
fn addresses_stay_in_the_memory() {
    let mut dice = Dice(7);
    for _ in 0..1000 {
        let size = dice.of(&[1, 2, 4, 8, 16]);
        assert!(shape(&mut dice, size, 256, 512).iter().all(|at| at + size <= BYTES && at % size == 0));
    }
}
