//! Programs that stay inside their memory: the instructions that the compiler knows and some that it does not, with
//! branches that part lanes, loops that lanes leave one by one, guards, shared memory and barriers.

use std::fmt::Write;

use warpvm_machine::Random;

const INTEGER: &[&str] = &[
    "add.s32",
    "sub.s32",
    "mul.lo.s32",
    "and.b32",
    "or.b32",
    "xor.b32",
    "min.s32",
    "min.u32",
    "max.s32",
    "max.u32",
    "mul.hi.u32",
];
const FLOAT: &[&str] = &["add.f32", "sub.f32", "mul.f32", "add.rn.f32", "mul.rn.f32", "min.f32", "add.rz.f32"];
const COMPARE: &[&str] = &[
    "eq.s32", "ne.s32", "lt.s32", "le.u32", "gt.u32", "ge.s32", "lt.u32", "eq.f32", "ne.f32", "lt.f32", "ge.f32",
    "gtu.f32",
];
const HEADER: &str = "\
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_in, .param .u64 p_out)
{
  .reg .b32 %r<10>, %c<4>, %k<999>, %a<999>, %t0, %own, %base, %g;
  .reg .b64 %rd<10>, %in, %out, %all;
  .reg .pred %p<3>, %q<4>, %u<3>, %e;
  .shared .align 4 .b8 sm[1024];
  ld.param.u64 %all, [p_in];
  ld.param.u64 %out, [p_out];
  mov.u32 %c0, %ntid.x;
  mov.u32 %c1, %ctaid.x;
  mov.u32 %c2, %tid.x;
  mad.lo.s32 %g, %c1, %c0, %c2;
  mul.wide.s32 %rd0, %g, 4;
  add.s64 %in, %all, %rd0;
  add.s64 %out, %out, %rd0;
  mov.u32 %base, sm;
  mad.lo.s32 %own, %c2, 4, %base;
  st.shared.u32 [%own], %g;
  st.shared.u32 [%own+512], %g;
  and.b32 %t0, %c2, 31;
  mad.lo.s32 %k0, %t0, 4, %base;
  mul.lo.u32 %t0, %t0, 0x9e3779b9;
  st.shared.u32 [%k0+384], %t0;
  mov.u64 %rd1, 0;
  mov.u64 %rd2, 0;
  setp.ne.u32 %u0, %c1, 1;
  setp.lt.u32 %u1, %c0, 70;
  mov.pred %u2, -1;
  bar.sync 0;
";

pub struct Maker {
    random: Random,
    text: String,
    labels: u32,
    /// Of the loops around.
    counters: Vec<String>,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.below(list.len())]
    }

    fn register(&mut self) -> String {
        format!("%r{}", self.below(10))
    }

    fn source(&mut self) -> String {
        match self.below(6) {
            1 if !self.counters.is_empty() => self.counters[self.random.below(self.counters.len())].clone(),
            0 => self.one(&["0", "1", "7", "-1", "0x7fffffff", "0x7fc00001", "%own", "%g", "%base"]).to_owned(),
            _ => self.register(),
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    /// Nothing, a predicate that varies, or one that all lanes have.
    fn guard(&mut self) -> String {
        match self.below(12) {
            0 | 1 => format!("@%p{} ", self.below(3)),
            2 | 3 => format!("@!%p{} ", self.below(3)),
            4 => format!("@%u{} ", self.below(3)),
            5 => format!("@!%u{} ", self.below(3)),
            _ => String::new(),
        }
    }

    fn simple(&mut self) {
        let (d, a, b, c) = (self.register(), self.register(), self.source(), self.register());
        let p = self.below(3);
        let guard = self.guard();
        let text = match self.below(17) {
            0..=3 => format!("{} {d}, {a}, {b};", self.one(INTEGER)),
            4..=5 => format!("{} {d}, {a}, {c};", self.one(FLOAT)),
            6 => format!("fma.rn.f32 {d}, {a}, {c}, {};", self.register()),
            7 => format!("mad.lo.s32 {d}, {a}, {b}, {c};"),
            8 => format!("shl.b32 {d}, {a}, {};", self.below(40)),
            9 => format!("{} {d}, {a}, {c};", self.one(&["shr.u32", "shr.s32", "shl.b32"])),
            10 => format!("selp.b32 {d}, {a}, {b}, %p{p};"),
            11 => {
                let test = self.one(COMPARE);
                let b = if test.ends_with("f32") { c } else { b };
                format!("setp.{test} %p{p}, {a}, {b};")
            }
            12 => format!("vabsdiff4.u32.u32.u32.add {d}, {a}, {c}, {};", self.register()),
            13 => format!("mov.b32 {d}, {};", self.source()),
            14 => format!("{}.pred %p{p}, %p{}, %p0;", self.one(&["and", "or", "xor"]), (p + 1) % 3),
            15 => format!("popc.b32 {d}, {a};"),
            _ => format!("mul.wide.{} %rd{}, {a}, {c};", self.one(&["s32", "u32"]), self.below(3)),
        };
        self.line(&format!("{guard}{text}"));
    }

    /// An access that stays inside: by the thread's number, or by the low bits of a register.
    fn memory(&mut self) {
        let (d, a, g) = (self.register(), self.register(), self.guard());
        match self.below(7) {
            0 => {
                let offset = 4 * self.below(8);
                self.line(&format!("{g}ld.global.u32 {d}, [%in+{offset}];"));
            }
            1 => {
                let ty = self.one(&["u8", "s8"]);
                self.line(&format!("{g}ld.global.{ty} {d}, [%in];"));
            }
            2 => {
                self.line(&format!("and.b32 %t0, {a}, 252;"));
                self.line("cvt.u64.u32 %rd9, %t0;");
                self.line("add.s64 %rd9, %rd9, %all;");
                self.line(&format!("{g}ld.global.u32 {d}, [%rd9];"));
            }
            3 => self.line(&format!("{g}st.shared.u32 [%own], {a};")),
            4 => self.line(&format!("{g}ld.shared.u32 {d}, [%own];")),
            5 => {
                self.line(&format!("and.b32 %t0, {a}, 252;"));
                self.line("add.s32 %t0, %t0, %base;");
                self.line(&format!("{g}red.shared.add.u32 [%t0+512], {d};"));
            }
            _ => {
                let offset = 4096 * (22 + self.below(8));
                self.line(&format!("{g}st.global.u32 [%out+{offset}], {a};"));
            }
        }
    }

    fn statements(&mut self, depth: u32, count: usize) {
        for _ in 0..count {
            match self.below(12) {
                0 if depth > 0 => self.branch(depth),
                1 if depth > 0 => self.repeat(depth),
                2 | 3 => self.memory(),
                _ => self.simple(),
            }
        }
    }

    fn branch(&mut self, depth: u32) {
        let (other, end) = (self.label(), self.label());
        let p = self.below(3);
        let count = 1 + self.below(6);
        self.line(&format!("@%p{p} bra L{other};"));
        self.statements(depth - 1, count);
        self.line(&format!("bra L{end};"));
        let _ = writeln!(self.text, "L{other}:");
        self.statements(depth - 1, count);
        let _ = writeln!(self.text, "L{end}:");
    }

    /// A loop of 1 to 8 rounds: as many in every lane, or by the lane's number.
    fn repeat(&mut self, depth: u32) {
        let start = self.label();
        let first = self.one(&["%own", "3", "%g", "%base", "5", "4"]);
        // Its own counter, or one that other loops have too.
        let c = if self.below(3) == 0 { format!("%c{depth}") } else { format!("%k{start}") };
        self.line(&format!("mov.u32 {c}, {first};"));
        self.line(&format!("and.b32 {c}, {c}, 7;"));
        let at = format!("%a{start}");
        self.line(&format!("mov.u32 {at}, %base;"));
        let _ = writeln!(self.text, "L{start}:");
        self.counters.push(c.clone());
        let count = 1 + self.below(6);
        self.statements(depth - 1, count);
        self.counters.pop();
        if self.below(2) == 0 {
            let (d, offset) = (self.register(), 384 + 4 * self.below(3));
            self.line(&format!("ld.shared.u32 {d}, [{at}+{offset}];"));
            self.line(&format!("add.s32 {at}, {at}, 8;"));
        }
        self.line(&format!("add.s32 {c}, {c}, 1;"));
        self.line(&format!("setp.lt.u32 %q{depth}, {c}, 8;"));
        self.line(&format!("@%q{depth} bra L{start};"));
    }

    /// A generator that draws from a seed.
    pub fn new(seed: u64) -> Self {
        Maker { random: Random::new(seed), text: String::new(), labels: 0, counters: Vec::new() }
    }

    pub fn program(mut self) -> String {
        self.text.push_str(HEADER);
        for i in 0..10 {
            self.line(&format!("ld.global.u32 %r{i}, [%in+{}];", 4 * i));
        }
        for i in 0..3 {
            self.line(&format!("setp.lt.u32 %p{i}, %r{i}, %r{};", i + 1));
        }
        let mut all_there = true;
        for part in 0..3 {
            let count = 4 + self.below(12);
            self.statements(3, count);
            if part == 1 && self.below(2) == 0 {
                // Some lanes go early: what a shuffle reads of them is undefined.
                all_there = false;
                self.line("setp.gt.u32 %e, %g, 50;");
                self.line("@%e exit;");
            }
            if part == 0 || self.below(2) == 0 {
                self.line("bar.sync 0;");
            }
            if self.below(3) == 0 && all_there {
                self.line("shfl.sync.bfly.b32 %r1, %r2, 5, 31, -1;");
            }
        }
        for i in 0..10 {
            self.line(&format!("st.global.u32 [%out+{}], %r{i};", 4096 * i));
        }
        for i in 0..3 {
            self.line(&format!("selp.b32 %t0, 1, 0, %p{i};"));
            self.line(&format!("st.global.u32 [%out+{}], %t0;", 4096 * (10 + i)));
            self.line(&format!("cvt.u32.u64 %t0, %rd{i};"));
            self.line(&format!("st.global.u32 [%out+{}], %t0;", 4096 * (13 + 2 * i)));
            self.line(&format!("shr.u64 %rd{i}, %rd{i}, 32;"));
            self.line(&format!("cvt.u32.u64 %t0, %rd{i};"));
            self.line(&format!("st.global.u32 [%out+{}], %t0;", 4096 * (14 + 2 * i)));
        }
        self.line("bar.sync 0;");
        self.line("ld.shared.u32 %t0, [%own+512];");
        self.line("st.global.u32 [%out+81920], %t0;");
        self.line("ret;");
        self.text.push_str("}\n");
        self.text
    }
}
