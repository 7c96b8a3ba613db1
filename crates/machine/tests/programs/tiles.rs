//! Programs that bring tiles of global memory to shared memory, meet at a barrier, and compute with what others brought; and
//! histograms of numbers in memory. Bases of shared accesses are computed before the loop; some are past the end.

use std::fmt::Write;

use warpvm_machine::Random;

const HEADER: &str = "\
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_in, .param .u64 p_out)
{
  .reg .b32 %r<4>, %f<12>, %u<64>, %x, %y, %nx, %ny, %g, %id, %c, %base, %own, %row, %col, %rounds, %t, %i, %n;
  .reg .b16 %h;
  .reg .b64 %in, %out, %ga, %gb, %step, %w;
  .reg .pred %p, %q;
  .shared .align 64 .b8 sm[4096];
  ld.param.u64 %in, [p_in];
  ld.param.u64 %out, [p_out];
  mov.u32 %x, %tid.x;
  mov.u32 %y, %tid.y;
  mov.u32 %nx, %ntid.x;
  mov.u32 %ny, %ntid.y;
  mov.u32 %c, %ctaid.x;
  mad.lo.s32 %id, %y, %nx, %x;
  mul.lo.s32 %n, %nx, %ny;
  mad.lo.s32 %g, %c, %n, %id;
  mul.wide.u32 %w, %g, 4;
  add.s64 %out, %out, %w;
  mov.u32 %base, sm;
  mad.lo.s32 %own, %id, 4, %base;
";

/// Shapes of blocks that the programs are for, up to 256 threads.
pub const BLOCKS: [[u32; 3]; 11] = [
    [16, 16, 1],
    [32, 4, 1],
    [16, 6, 1],
    [64, 1, 1],
    [16, 2, 2],
    [32, 8, 1],
    [100, 1, 1],
    [10, 10, 1],
    [12, 8, 1],
    [4, 8, 1],
    [8, 3, 3],
];
/// Bytes of the input and the output.
pub const INPUT: u32 = 16384;
pub const OUTPUT: u64 = 3 * 256 * 4;

pub struct Maker {
    random: Random,
    text: String,
    /// How many are alive over barriers.
    numbers: usize,
}

impl Maker {
    /// A generator that draws from a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let numbers = 1 + random.below(5);
        Maker { random, text: String::new(), numbers }
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn one<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len())]
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    /// The base of a row or a column of the tile.
    fn base(&mut self, name: &str) {
        let (number, scale) =
            self.one(&[("%y", 64), ("%y", 64), ("%x", 4), ("%x", 4), ("%x", 0), ("%y", 4), ("%id", 4), ("%x", 64)]);
        let far = self.one(&[0, 0, 0, 0, 0, 0, 1024, 1024, 64, 3072, 4032, 2]);
        self.line(&format!("mad.lo.s32 {name}, {number}, {scale}, {far};"));
        self.line(&format!("add.s32 {name}, {name}, %base;"));
        if self.below(8) == 0 {
            // It differs from warp to warp.
            self.line("shr.u32 %t, %id, 5;");
            self.line("shl.b32 %t, %t, 2;");
            self.line(&format!("add.s32 {name}, {name}, %t;"));
        }
    }

    fn number(&mut self) -> String {
        format!("%f{}", self.below(self.numbers))
    }

    /// One step of the computation between two barriers.
    fn compute(&mut self, k: usize) {
        let offset = self.one(&[4 * k, 64 * k, 0, 4]);
        match self.below(6) {
            0 | 1 => {
                // Loaded once, as compilers write it.
                let (x, y) = (format!("%u{}", 2 * k), format!("%u{}", 2 * k + 1));
                self.line(&format!("ld.shared.f32 {x}, [%col+{}];", 64 * (k % 16)));
                self.line(&format!("ld.shared.f32 {y}, [%row+{}];", 4 * (k % 16)));
                let (d, a) = (self.number(), self.number());
                let factors = if self.below(2) == 0 { format!("{x}, {y}") } else { format!("{y}, {x}") };
                self.line(&format!("fma.rn.f32 {d}, {factors}, {a};"));
            }
            2 => {
                let (d, base) = (self.number(), self.one(&["%row", "%col"]));
                self.line(&format!("ld.shared.b32 {d}, [{base}+{}];", offset % 1024));
            }
            3 => {
                let (op, d, a, b) = (
                    self.one(&["add.s32", "xor.b32", "mul.lo.s32", "min.u32", "and.b32"]),
                    self.number(),
                    self.number(),
                    self.number(),
                );
                self.line(&format!("{op} {d}, {a}, {b};"));
            }
            4 => {
                let (op, d, a) = (self.one(&["add.f32", "mul.f32", "sub.f32"]), self.number(), self.number());
                let b = self.one(&["0f3F800000", "0f7FC00001", "%f0"]);
                self.line(&format!("{op} {d}, {a}, {b};"));
            }
            _ => {
                let (d, a) = (self.number(), self.number());
                let b = self.one(&["%rounds", "%c", "%i", "%x"]);
                self.line(&format!("add.s32 {d}, {a}, {b};"));
            }
        }
    }

    fn tile_loop(&mut self) {
        self.base("%row");
        self.base("%col");
        self.line("mad.lo.s32 %t, %y, 16, %x;");
        self.line("mul.wide.u32 %w, %t, 4;");
        self.line("add.s64 %ga, %in, %w;");
        self.line("mov.u64 %step, 64;");
        for n in 0..self.numbers {
            let from = self.one(&["0", "0f3F800000", "0f3F800000", "%id", "%x", "0f7FC12345"]);
            self.line(&format!("mov.b32 %f{n}, {from};"));
        }
        if self.numbers >= 4 && self.below(2) == 0 {
            // Several of one instruction are alive over the barriers.
            self.line("shl.b32 %t, %id, 4;");
            self.line("cvt.u64.u32 %w, %t;");
            self.line("add.s64 %w, %in, %w;");
            self.line("ld.global.v4.b32 {%f0, %f1, %f2, %f3}, [%w];");
        }
        let rounds = self.below(4);
        self.line(&format!("mov.u32 %rounds, {};", rounds + 1));
        self.line("mov.u32 %i, 0;");
        self.line("TILE:");
        self.line("ld.global.b32 %f10, [%ga];");
        self.line("st.shared.b32 [%own], %f10;");
        if self.below(2) == 0 {
            self.line("ld.global.b32 %f11, [%ga+128];");
            self.line("st.shared.b32 [%own+1024], %f11;");
        }
        if self.below(4) == 0 {
            self.compute(1);
        }
        self.line("bar.sync 0;");
        for k in 0..8 + self.below(16) {
            self.compute(k);
        }
        self.line("bar.sync 0;");
        if self.below(2) == 0 {
            self.line("add.s64 %ga, %ga, %step;");
        } else {
            self.line("add.s64 %ga, %ga, 64;");
        }
        self.line("add.s32 %i, %i, 1;");
        self.line("setp.lt.s32 %p, %i, %rounds;");
        self.line("@%p bra TILE;");
        for n in 1..self.numbers {
            self.line(&format!("mad.lo.s32 %f0, %f0, 31, %f{n};"));
        }
        self.line("bar.sync 0;");
    }

    fn histogram(&mut self) {
        self.line("mov.u32 %t, 0;");
        for part in [0, 1024, 2048, 3072] {
            self.line(&format!("st.shared.u32 [%own+{part}], %t;"));
        }
        self.line("bar.sync 0;");
        let (ty, size, register) = self.one(&[("u8", 1, "%h"), ("u8", 1, "%r0"), ("u16", 2, "%h"), ("u32", 4, "%r0")]);
        self.line("mov.u32 %i, %id;");
        self.line("HIST:");
        self.line(&format!("mul.wide.u32 %w, %i, {size};"));
        self.line("add.s64 %ga, %in, %w;");
        self.line(&format!("ld.global.{ty} {register}, [%ga];"));
        if register == "%h" && self.below(2) == 0 {
            self.line("mul.wide.u16 %r1, %h, 4;");
        } else {
            if register == "%h" {
                self.line("cvt.u32.u16 %r0, %h;");
            }
            if size > 1 || self.below(3) == 0 {
                let mask = self.one(&["255", "1023", "0x3f0", "0xffc0"]);
                self.line(&format!("and.b32 %r0, %r0, {mask};"));
            }
            if self.below(3) == 0 {
                let by = self.one(&["1", "4", "31"]);
                self.line(&format!("shr.u32 %r0, %r0, {by};"));
            }
            let scale = self.one(&[
                "shl.b32 %r1, %r0, 2;",
                "mul.lo.s32 %r1, %r0, 4;",
                "shl.b32 %r1, %r0, 4;",
                "mov.u32 %r1, %r0;",
            ]);
            self.line(scale);
        }
        self.line("add.s32 %r1, %r1, %base;");
        let add = self.one(&["1", "3", "0x12345678", "%c", "-1"]);
        let offset = self.one(&["", "", "+4", "+3072", "+-4"]);
        self.line(&format!("red.shared.add.u32 [%r1{offset}], {add};"));
        self.line("add.s32 %i, %i, %n;");
        self.line("setp.lt.s32 %p, %i, 1000;");
        self.line("@%p bra HIST;");
        self.line("bar.sync 0;");
        self.line("mov.u32 %f0, 0;");
        for part in [0, 1024, 2048, 3072] {
            self.line(&format!("ld.shared.u32 %t, [%own+{part}];"));
            self.line("mad.lo.s32 %f0, %f0, 31, %t;");
        }
    }

    /// A whole program.
    pub fn program(mut self) -> String {
        if self.below(3) == 0 {
            self.histogram();
        } else {
            self.tile_loop();
        }
        format!("{HEADER}{}  st.global.b32 [%out], %f0;\n  ret;\n}}\n", self.text)
    }
}
