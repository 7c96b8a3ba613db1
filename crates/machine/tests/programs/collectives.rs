//! Programs in which lanes meet: collectives of every kind where all lanes are together, where branches, loops and exits
//! have parted them, with masks that are right and now and then with some that are not.
//!
//! A shuffle that reads a lane that takes no part gives what nobody promises: such results are thrown away, except where all
//! lanes are there.

use std::fmt::Write;

use warpvm_machine::Random;

const HEADER: &str = "\
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_in, .param .u64 p_out)
{
  .reg .b32 %r<8>, %c<4>, %m<200>, %t<4>, %own, %base, %g, %lane, %all;
  .reg .b64 %rd<4>, %in, %out;
  .reg .pred %p<4>, %q<4>, %e, %s;
  .shared .align 4 .b8 sm[1024];
  ld.param.u64 %in, [p_in];
  ld.param.u64 %out, [p_out];
  mov.u32 %c0, %ntid.x;
  mov.u32 %c1, %ctaid.x;
  mov.u32 %c2, %tid.x;
  mov.u32 %lane, %laneid;
  mov.b32 %all, -1;
  mad.lo.s32 %g, %c1, %c0, %c2;
  mul.wide.s32 %rd0, %g, 4;
  add.s64 %in, %in, %rd0;
  add.s64 %out, %out, %rd0;
  mov.u32 %base, sm;
  mad.lo.s32 %own, %c2, 4, %base;
  st.shared.u32 [%own], %g;
  st.shared.u32 [%own+512], %g;
  setp.ge.u32 %s, %g, 0;
  mov.u64 %rd1, 0;
  bar.sync 0;
";

/// Which lanes are together.
#[derive(Clone)]
struct Together {
    /// The mask that they give.
    mask: String,
    /// Who of it is there.
    members: String,
    /// Are all lanes of the warp there, in every warp?
    is_whole: bool,
}

pub struct Maker {
    random: Random,
    text: String,
    labels: u32,
    masks: u32,
    /// Does the program ask for the active lanes?
    asks: bool,
    /// Is it a short one without loops?
    is_short: bool,
    /// May masks be wrong?
    errs: bool,
    fills: bool,
}

impl Maker {
    /// A generator that draws from a seed, for blocks that fill their warps or not.
    pub fn new(seed: u64, block: u32) -> Self {
        let mut random = Random::new(seed);
        let (asks, errs) = (random.below(6) == 0, random.below(8) == 0);
        let is_short = asks && random.below(3) > 0;
        Maker {
            random,
            text: String::new(),
            labels: 0,
            masks: 0,
            asks,
            is_short,
            errs,
            fills: block.is_multiple_of(32),
        }
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.below(list.len())]
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn register(&mut self) -> String {
        format!("%r{}", self.below(8))
    }

    fn predicate(&mut self) -> String {
        format!("%p{}", self.below(4))
    }

    fn source(&mut self) -> String {
        match self.below(4) {
            0 => self.one(&["0", "1", "17", "-1", "%lane", "%g", "%own", "%base"]).to_owned(),
            _ => self.register(),
        }
    }

    /// A register for a mask; after many, old ones again.
    fn mask(&mut self) -> String {
        self.masks += 1;
        format!("%m{}", self.masks % 200)
    }

    fn simple(&mut self) {
        let (d, a, b, p) = (self.register(), self.register(), self.source(), self.predicate());
        let text = match self.below(8) {
            0 => format!("add.s32 {d}, {a}, {b};"),
            1 => format!("xor.b32 {d}, {a}, {b};"),
            2 => format!("min.u32 {d}, {a}, {b};"),
            3 => format!("add.f32 {d}, {a}, {};", self.register()),
            4 => format!("and.b32 {d}, {a}, 15;"),
            5 => format!("setp.{} {p}, {a}, {b};", self.one(&["lt.s32", "gt.u32", "ne.s32"])),
            6 => format!("setp.{} {p}, %lane, {};", self.one(&["lt.u32", "ge.u32", "eq.u32"]), self.below(33)),
            _ => format!("selp.b32 {d}, {a}, {b}, {p};"),
        };
        let guard = match self.below(6) {
            0 => format!("@{} ", self.predicate()),
            _ => String::new(),
        };
        self.line(&format!("{guard}{text}"));
    }

    /// The mask operand: now and then one that is not that of the lanes that are there.
    fn operand(&mut self, at: &Together) -> String {
        if self.errs && self.below(10) == 0 {
            return self.one(&["-1", "0xffff", "0xfffffffe", "1", "0", "%r0", "%all"]).to_owned();
        }
        if at.is_whole && self.below(3) == 0 { "%all".to_owned() } else { at.mask.clone() }
    }

    fn collective(&mut self, at: &Together) {
        let mask = self.operand(at);
        let what = self.below(13);
        let may_part = at.is_whole && matches!(what, 5..=10 | 12);
        let mask = if may_part && self.below(4) == 0 { self.parties() } else { mask };
        let (d, a, p) = (self.register(), self.source(), self.predicate());
        let not = self.one(&["", "!"]);
        match what {
            0 | 1 if self.is_short => self.line(&format!("activemask.b32 {d};")),
            0..=4 => self.shuffle(at, &mask),
            5 => {
                let (op, q) = (self.one(&["all", "any", "uni"]), self.predicate());
                self.line(&format!("vote.sync.{op}.pred {p}, {not}{q}, {mask};"));
            }
            6 => self.line(&format!("vote.sync.ballot.b32 {d}, {not}{p}, {mask};")),
            7 => {
                let op = self.one(&["add.s32", "add.u32", "min.s32", "min.u32", "max.s32", "max.u32"]);
                self.line(&format!("redux.sync.{op} {d}, {a}, {mask};"));
            }
            8 => {
                let op = self.one(&["and", "or", "xor"]);
                self.line(&format!("redux.sync.{op}.b32 {d}, {a}, {mask};"));
            }
            9 => self.line(&format!("elect.sync {d}|{p}, {mask};")),
            10 => {
                let (a, bits) = (self.register(), self.below(8));
                self.line(&format!("and.b32 %t0, {a}, {bits};"));
                match self.below(6) {
                    0 => self.line(&format!("match.any.sync.b32 {d}, %t0, {mask};")),
                    1 => self.line(&format!("match.any.sync.b32 {d}, {a}, {mask};")),
                    2 => {
                        self.line("mov.b64 %rd2, {%t0, %t0};");
                        self.line(&format!("match.any.sync.b64 {d}, %rd2, {mask};"));
                    }
                    3 => {
                        self.line(&format!("mov.b64 %rd2, {{{a}, %t0}};"));
                        self.line(&format!("match.any.sync.b64 {d}, %rd2, {mask};"));
                    }
                    4 => {
                        self.line("mov.b64 %rd2, {%t0, %t0};");
                        self.line(&format!("match.all.sync.b64 {d}|{p}, %rd2, {mask};"));
                    }
                    _ => self.line(&format!("match.all.sync.b32 {d}|{p}, %t0, {mask};")),
                }
            }
            11 if self.asks => self.line(&format!("activemask.b32 {d};")),
            11 if at.is_whole => {
                let far = self.one(&["4", "8", "64"]);
                self.line(&format!("st.shared.u32 [%own], {d};"));
                self.line(&format!("bar.warp.sync {mask};"));
                self.line(&format!("xor.b32 %t0, %own, {far};"));
                self.line(&format!("ld.shared.u32 {d}, [%t0];"));
                self.line(&format!("bar.warp.sync {mask};"));
            }
            _ => self.line(&format!("bar.warp.sync {mask};")),
        }
    }

    /// A mask by lane: those with the same bits of the lane's number, or of a register's.
    fn parties(&mut self) -> String {
        let mask = self.mask();
        let (low, high) = self.pair();
        match self.below(3) {
            0 => {
                self.line(&format!("and.b32 %t0, %lane, {};", 31 & !(high - 1)));
                self.line(&format!("shl.b32 {mask}, {}, %t0;", ((1u64 << high) - 1) as u32));
            }
            1 => {
                self.line(&format!("and.b32 %t0, %lane, {low};"));
                self.line(&format!("match.any.sync.b32 {mask}, %t0, -1;"));
            }
            _ => {
                self.line(&format!("and.b32 %t0, %r{}, {low};", low % 8));
                self.line(&format!("match.any.sync.b32 {mask}, %t0, -1;"));
            }
        }
        mask
    }

    /// A small number, and a power of two up to 32.
    fn pair(&mut self) -> (usize, usize) {
        (self.below(32), 1 << self.below(6))
    }

    fn shuffle(&mut self, at: &Together, mask: &str) {
        let mode = self.one(&["up", "down", "bfly", "idx"]);
        let (d, a, b) = (self.register(), self.register(), self.source());
        let by = if self.below(2) == 0 { self.below(36).to_string() } else { b };
        let p = self.predicate();
        if at.is_whole {
            let clamp = match self.below(4) {
                0 => self.one(&["0x101f", "0x181f", "0x1c1f", "0x1e1f", "0x1000", "0x1800", "0x0705"]).to_owned(),
                1 if self.below(2) == 0 => self.register(),
                _ => if mode == "up" { "0" } else { "31" }.to_owned(),
            };
            let result = if self.below(2) == 0 { format!("{d}|{p}") } else { d };
            // In halves of the warp now and then.
            if self.below(8) == 0 {
                self.line("and.b32 %t0, %lane, 16;");
                self.line("shl.b32 %t0, 65535, %t0;");
                self.line(&format!("and.b32 %t1, {by}, 15;"));
                let clamp = if mode == "up" { "0x1000" } else { "0x101f" };
                return self.line(&format!("shfl.sync.{mode}.b32 {result}, {a}, %t1, {clamp}, %t0;"));
            }
            return self.line(&format!("shfl.sync.{mode}.b32 {result}, {a}, {by}, {clamp}, {mask};"));
        }
        let clamp = if mode == "up" { "0" } else { "31" };
        self.line(&format!("and.b32 %t1, {by}, 31;"));
        self.line(&format!("shfl.sync.{mode}.b32 %t0|{p}, {a}, %t1, {clamp}, {mask};"));
        match mode {
            "up" => self.line("sub.u32 %t1, %lane, %t1;"),
            "down" => self.line("add.u32 %t1, %lane, %t1;"),
            "bfly" => self.line("xor.b32 %t1, %lane, %t1;"),
            _ => {}
        }
        self.line(&format!("shr.u32 %t1, {}, %t1;", at.members));
        self.line("and.b32 %t1, %t1, 1;");
        self.line("setp.ne.u32 %e, %t1, 0;");
        self.line(&format!("selp.b32 {d}, %t0, {a}, %e;"));
    }

    fn statements(&mut self, at: &Together, depth: u32, count: usize) {
        for _ in 0..count {
            match self.below(14) {
                0 if depth > 0 => self.branch(at, depth),
                1 if depth > 0 && !self.is_short => self.repeat(at, depth),
                2 if depth > 0 && at.is_whole => self.first_lanes(depth),
                3 if self.below(30) == 0 => self.meet(at),
                4 => {
                    let a = self.register();
                    self.line(&format!("and.b32 %t0, {a}, 252;"));
                    self.line("add.s32 %t0, %t0, %base;");
                    self.line(&format!("red.shared.add.u32 [%t0+512], {a};"));
                }
                5..=9 => self.collective(at),
                _ => self.simple(),
            }
        }
    }

    /// Lanes part, each side with its own mask.
    fn branch(&mut self, at: &Together, depth: u32) {
        let (other, end) = (self.label(), self.label());
        let (p, count) = (self.predicate(), 1 + self.below(5));
        let (taken, left) = (self.mask(), self.mask());
        self.line(&format!("vote.sync.ballot.b32 {taken}, {p}, {};", at.mask));
        self.line(&format!("xor.b32 {left}, {taken}, {};", at.members));
        let side = |mask: String| Together { members: mask.clone(), mask, is_whole: false };
        self.line(&format!("@{p} bra L{other};"));
        self.statements(&side(left), depth - 1, count);
        self.line(&format!("bra L{end};"));
        let _ = writeln!(self.text, "L{other}:");
        if self.below(2) == 0 {
            self.statements(&side(taken), depth - 1, count);
        }
        let _ = writeln!(self.text, "L{end}:");
    }

    /// A constant mask of the first lanes.
    fn first_lanes(&mut self, depth: u32) {
        let (end, n, count) = (self.label(), 1 + self.below(31), 1 + self.below(5));
        let mask = ((1u32 << n) - 1).to_string();
        self.line(&format!("setp.ge.u32 %e, %lane, {n};"));
        self.line(&format!("@%e bra L{end};"));
        self.statements(&Together { members: mask.clone(), mask, is_whole: false }, depth - 1, count);
        let _ = writeln!(self.text, "L{end}:");
    }

    /// Two sides of a branch, each with the same collective of all.
    fn meet(&mut self, at: &Together) {
        let (other, end) = (self.label(), self.label());
        let (p, mask) = (self.predicate(), &at.mask);
        let _ = writeln!(self.text, "  @{p} bra L{other};");
        let _ = writeln!(self.text, "  redux.sync.add.u32 %r1, %r2, {mask};\n  bra L{end};");
        let _ = writeln!(self.text, "L{other}:\n  redux.sync.add.u32 %r3, %r4, {mask};\nL{end}:");
    }

    /// A loop of 1 to 8 rounds: as many in every lane, or by the lane's number.
    fn repeat(&mut self, at: &Together, depth: u32) {
        let start = self.label();
        let first = self.one(&["%lane", "3", "%g", "%base", "%r1"]);
        let (mask, count) = (self.mask(), 1 + self.below(5));
        self.line(&format!("mov.b32 %c{depth}, {first};"));
        self.line(&format!("and.b32 %c{depth}, %c{depth}, 7;"));
        self.line(&format!("mov.b32 {mask}, {};", at.members));
        let _ = writeln!(self.text, "L{start}:");
        let inside = Together { members: mask.clone(), mask: mask.clone(), is_whole: false };
        self.statements(&inside, depth - 1, count);
        self.line(&format!("add.s32 %c{depth}, %c{depth}, 1;"));
        self.line(&format!("setp.lt.u32 %q{depth}, %c{depth}, 8;"));
        self.line(&format!("vote.sync.ballot.b32 {mask}, %q{depth}, {mask};"));
        self.line(&format!("@%q{depth} bra L{start};"));
    }

    /// Some lanes exit.
    fn leave(&mut self, at: &Together) {
        if self.below(2) == 0 {
            let limit = self.below(90);
            self.line(&format!("setp.gt.u32 %e, %g, {limit};"));
            return self.line("@%e exit;");
        }
        let (stay, p, mask) = (self.label(), self.predicate(), self.mask());
        self.line(&format!("vote.sync.ballot.b32 {mask}, {p}, {};", at.mask));
        self.line(&format!("@!{p} bra L{stay};"));
        self.statements(&Together { members: mask.clone(), mask, is_whole: false }, 1, 3);
        self.line("exit;");
        let _ = writeln!(self.text, "L{stay}:");
    }

    pub fn program(mut self) -> String {
        self.text.push_str(HEADER);
        for i in 0..8 {
            self.line(&format!("ld.global.u32 %r{i}, [%in+{}];", 4 * i));
        }
        for i in 0..4 {
            self.line(&format!("setp.lt.u32 %p{i}, %r{i}, %r{};", i + 1));
        }
        let mut at = Together { mask: "-1".to_owned(), members: "-1".to_owned(), is_whole: self.fills };
        if !self.fills {
            at.members = self.mask();
            self.line(&format!("vote.sync.ballot.b32 {}, %s, -1;", at.members));
        }
        for _ in 0..3 {
            let (count, depth) = if self.is_short { (4, 2) } else { (4 + self.below(10), 3) };
            self.statements(&at, depth, count);
            if self.below(4) == 0 {
                self.leave(&at);
                at = Together { mask: "-1".to_owned(), members: self.mask(), is_whole: false };
                self.line(&format!("vote.sync.ballot.b32 {}, %s, -1;", at.members));
            }
            if self.below(2) == 0 {
                self.line("bar.sync 0;");
            }
        }
        for i in 0..8 {
            self.line(&format!("st.global.u32 [%out+{}], %r{i};", 4096 * i));
        }
        for i in 0..4 {
            self.line(&format!("selp.b32 %t0, 1, 0, %p{i};"));
            self.line(&format!("st.global.u32 [%out+{}], %t0;", 4096 * (8 + i)));
        }
        self.line("bar.sync 0;");
        self.line("ld.shared.u32 %t0, [%own+512];");
        self.line("st.global.u32 [%out+49152], %t0;");
        self.line("ret;");
        self.text.push_str("}\n");
        self.text
    }
}
