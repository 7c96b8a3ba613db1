//! Programs with wild addresses: null, huge, past either end by a byte or a word, misaligned, wrapping. Some accesses are
//! guarded by a test that leaves just the lanes that are inside.

use std::fmt::Write;

use warpvm_machine::Random;

/// Bytes of the input, the output and shared memory.
pub const INPUT: u32 = 1024;
pub const OUTPUT: u64 = 65536;
const SHARED: u32 = 512;

const HEADER: &str = "\
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_in, .param .u64 p_out)
{
  .reg .b32 %r<8>, %s, %t, %id, %n, %base, %low, %high, %g, %c;
  .reg .b64 %rd<4>, %in, %out, %own, %a, %lo, %hi, %w, %own8;
  .reg .f32 %f;
  .reg .pred %p, %q, %e, %l;
  .shared .align 16 .b8 sm[512];
  ld.param.u64 %in, [p_in];
  ld.param.u64 %out, [p_out];
  mov.u32 %id, %tid.x;
  mov.u32 %n, %ntid.x;
  mov.u32 %t, %ctaid.x;
  mad.lo.s32 %g, %t, %n, %id;
  mov.u32 %base, sm;
  mul.wide.u32 %own, %g, 4;
  add.s64 %own, %own, %out;
  mul.wide.u32 %own8, %g, 8;
  add.s64 %own8, %own8, %out;
";

pub struct Maker {
    random: Random,
    text: String,
    labels: u32,
    /// May lanes part?
    parts: bool,
}

impl Maker {
    /// A generator that draws from a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let parts = random.below(2) == 0;
        Maker { random, text: String::new(), labels: 0, parts }
    }

    /// May lanes of the programs part?
    pub fn parts(&self) -> bool {
        self.parts
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

    /// A number of bytes near something that matters in a memory of `len` bytes.
    fn distance(&mut self, len: i64) -> i64 {
        let near = self.one(&[0, 0, 0, 0, len, len - 128, len - 256, -128, len / 2, (len / 2) & !127]);
        let by = self.one(&[0, 0, 0, 0, 0, 4, -4, 8, -8, 1, -1, 2, 64, -64, 124, 128]);
        near + by
    }

    /// Puts 64-bit addresses, one a lane, into `%a`.
    fn global(&mut self, write: bool) {
        let out = if self.parts { write } else { self.below(2) == 0 };
        let (base, len) = if out { ("%out", OUTPUT as i64) } else { ("%in", i64::from(INPUT)) };
        let far = self.distance(len);
        match self.below(12) {
            0 => {
                let huge = self.one(&[
                    "0",
                    "4",
                    "0xffffffffffffffff",
                    "0xfffffffffffffffc",
                    "0x8000000000000000",
                    "0x7fffffffffffff00",
                    "0x0fffffffff80",
                    "0x100000000",
                    "0x1fffffffffc",
                ]);
                self.line(&format!("mov.u64 %a, {huge};"));
                self.line("mul.wide.u32 %w, %id, 4;");
                self.line("add.s64 %a, %a, %w;");
            }
            1 => {
                // The last addition wraps.
                self.line(&format!("add.s64 %a, {base}, {far};"));
                self.line("sub.s64 %a, %a, 0x7fffffffffffff00;");
                self.line("mul.wide.u32 %w, %id, 4;");
                self.line("add.s64 %a, %a, %w;");
                self.line("add.s64 %a, %a, 0x7fffffffffffff00;");
            }
            2 => {
                let factor = self.one(&[0, 1, 2, 3, 8, 12, 16, 16, 32, -4, -8, -16, 65536, 0x0800_0000]);
                self.line(&format!("mul.wide.s32 %w, %id, {factor};"));
                self.line(&format!("add.s64 %a, {base}, %w;"));
                self.line(&format!("add.s64 %a, %a, {far};"));
            }
            3 => {
                // By a number out of memory.
                self.line("mul.wide.u32 %w, %id, 4;");
                self.line("add.s64 %w, %w, %in;");
                self.line("ld.global.u32 %t, [%w];");
                let mask = self.one(&["0x3fc", "0x3ff", "0x7fc", "0xffffffff", "0xfc", "0x3f8", "0x3f0", "0x30"]);
                self.line(&format!("and.b32 %t, %t, {mask};"));
                self.line("cvt.u64.u32 %w, %t;");
                self.line(&format!("add.s64 %a, {base}, %w;"));
            }
            4 => {
                // The thread's number wraps before it is extended.
                let start = self.one(&["0x7fffffff", "0x7ffffff0", "0xfffffff0", "0x3fffffff"]);
                self.line(&format!("add.s32 %t, %id, {start};"));
                let ty = self.one(&["s32", "u32"]);
                self.line(&format!("mul.wide.{ty} %w, %t, 4;"));
                self.line(&format!("add.s64 %a, {base}, %w;"));
            }
            5 => self.line(&format!("add.s64 %a, {base}, {far};")),
            _ => {
                let number = self.one(&["%id", "%g"]);
                self.line(&format!("mul.wide.u32 %w, {number}, 4;"));
                self.line(&format!("add.s64 %a, {base}, %w;"));
                self.line(&format!("add.s64 %a, %a, {far};"));
            }
        }
        self.line(&format!("mov.u64 %lo, {base};"));
        self.line(&format!("add.s64 %hi, {base}, {len};"));
    }

    /// Puts 32-bit addresses, one a lane, into `%s`.
    fn shared(&mut self) {
        let far = self.distance(i64::from(SHARED));
        match self.below(8) {
            0 => {
                let huge = self.one(&["0", "0xffffffff", "0xfffffffc", "0x80000000", "0x7ffffffc", "1020", "512"]);
                self.line(&format!("mad.lo.u32 %s, %id, 4, {huge};"));
            }
            1 => {
                let factor = self.one(&[0, 1, 2, 8, 16, 12, -4, 0x0800_0000]);
                self.line(&format!("mad.lo.s32 %s, %id, {factor}, %base;"));
                self.line(&format!("add.s32 %s, %s, {far};"));
            }
            2 => {
                self.line("mul.wide.u32 %w, %id, 4;");
                self.line("add.s64 %w, %w, %in;");
                self.line("ld.global.u32 %s, [%w];");
                let mask = self.one(&["0x1fc", "0x1ff", "0x3fc", "0xffffffff", "0x1f0", "0x1f8"]);
                self.line(&format!("and.b32 %s, %s, {mask};"));
                self.line("add.s32 %s, %s, %base;");
            }
            3 => self.line(&format!("add.s32 %s, %base, {far};")),
            _ => {
                self.line("mad.lo.s32 %s, %id, 4, %base;");
                self.line(&format!("add.s32 %s, %s, {far};"));
            }
        }
    }

    /// A guard that leaves the lanes whose access of `size` bytes is inside and aligned.
    fn guard(&mut self, size: u32, shared: bool) -> &'static str {
        let last = i64::from(size);
        if shared {
            self.line("sub.s32 %t, %s, %base;");
            self.line(&format!("setp.le.u32 %p, %t, {};", i64::from(SHARED) - last));
            self.line(&format!("and.b32 %t, %s, {};", size - 1));
        } else {
            self.line("setp.ge.u64 %p, %a, %lo;");
            self.line(&format!("sub.s64 %w, %hi, {last};"));
            self.line("setp.le.u64 %q, %a, %w;");
            self.line("and.pred %p, %p, %q;");
            self.line("cvt.u32.u64 %t, %a;");
            self.line(&format!("and.b32 %t, %t, {};", size - 1));
        }
        self.line("setp.eq.u32 %q, %t, 0;");
        self.line("and.pred %p, %p, %q;");
        "@%p "
    }

    fn any_type(&mut self) -> &'static str {
        self.one(&["u32", "u32", "u32", "u32", "f32", "u8", "s8", "u16", "s16", "u64", "v2", "v4", "v2.u64"])
    }

    fn access(&mut self) {
        let write = self.below(3) == 0;
        let shared = self.below(3) == 0 && !(write && self.parts);
        if shared {
            self.shared();
        } else {
            self.global(write);
        }
        let (space, base) = if shared { ("shared", "%s") } else { ("global", "%a") };
        // Lanes that part may come in any order: what they write must not depend on it, and is not read.
        let adds = write && (self.parts || self.below(3) == 0);
        let ty = if adds { "u32" } else { self.any_type() };
        let size = match ty {
            "u8" | "s8" => 1,
            "u16" | "s16" => 2,
            "u64" | "v2" => 8,
            "v4" | "v2.u64" => 16,
            _ => 4,
        };
        let offset = self.one(&["", "", "", "+4", "+1", "+64", "+-4", "+1073741824", "+-128"]);
        let inside = offset.is_empty() && self.below(3) != 0;
        let guard = if inside { self.guard(size, shared) } else { "" };
        let r = self.below(8);
        let text = match (ty, write) {
            _ if adds => format!("red.{space}.add.u32 [{base}{offset}], %r{r};"),
            ("u64", true) => format!("st.{space}.u64 [{base}{offset}], %rd1;"),
            ("u64", _) => format!("ld.{space}.u64 %rd1, [{base}{offset}];"),
            ("v2", true) => format!("st.{space}.v2.u32 [{base}{offset}], {{%r{r}, %r0}};"),
            ("v2", _) => format!("ld.{space}.v2.u32 {{%r{r}, %r1}}, [{base}{offset}];"),
            ("v4", true) => format!("st.{space}.v4.u32 [{base}{offset}], {{%r{r}, %r0, %r3, %r2}};"),
            ("v4", _) => format!("ld.{space}.v4.u32 {{%r{r}, %r1, _, %r0}}, [{base}{offset}];"),
            ("v2.u64", true) => format!("st.{space}.v2.u64 [{base}{offset}], {{%rd1, %rd0}};"),
            ("v2.u64", _) => format!("ld.{space}.v2.u64 {{%rd0, %rd1}}, [{base}{offset}];"),
            ("f32", true) => format!("st.{space}.f32 [{base}{offset}], %f;"),
            ("f32", _) => format!("ld.{space}.f32 %f, [{base}{offset}];"),
            ("s8" | "s16", true) => format!("st.{space}.u{} [{base}{offset}], %r{r};", size * 8),
            (_, true) => format!("st.{space}.{ty} [{base}{offset}], %r{r};"),
            _ => format!("ld.{space}.{ty} %r{r}, [{base}{offset}];"),
        };
        self.line(&format!("{guard}{text}"));
        if ty == "f32" {
            self.line(&format!("fma.rn.f32 %f, %f, %f, %f;\n  mov.b32 %r{r}, %f;"));
        }
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            match self.below(6) {
                0 if self.parts => self.branch(),
                1 if self.parts => self.repeat(),
                2 => {
                    let (a, b, c) = (self.below(8), self.below(8), self.below(8));
                    let op = self.one(&["add.s32", "xor.b32", "mul.lo.s32"]);
                    self.line(&format!("{op} %r{a}, %r{b}, %r{c};"));
                }
                _ => self.access(),
            }
        }
    }

    fn branch(&mut self) {
        self.labels += 1;
        let label = self.labels;
        let (r, bound) = (self.one(&["%id", "%r0", "%g"]), self.one(&[1, 7, 16, 31, 40, 70]));
        self.line(&format!("setp.lt.u32 %e, {r}, {bound};"));
        self.line(&format!("@%e bra L{label};"));
        let count = 1 + self.below(2);
        (0..count).for_each(|_| self.access());
        let _ = writeln!(self.text, "L{label}:");
    }

    fn repeat(&mut self) {
        self.labels += 1;
        let label = self.labels;
        self.line("and.b32 %c, %id, 3;");
        let _ = writeln!(self.text, "L{label}:");
        self.access();
        self.line("add.s32 %c, %c, 1;");
        self.line("setp.lt.u32 %l, %c, 5;");
        self.line(&format!("@%l bra L{label};"));
    }

    pub fn program(mut self) -> String {
        self.text.push_str(HEADER);
        if self.below(2) == 0 {
            // An early exit of the last threads, as most kernels have.
            let last = self.one(&[30, 64, 100, 1000]);
            self.line(&format!("setp.ge.s32 %e, %g, {last};"));
            self.line("@%e bra DONE;");
        }
        for i in 0..8 {
            self.line(&format!("mad.lo.s32 %r{i}, %g, {}, {i};", 2 * i + 1));
        }
        self.line("mov.f32 %f, 0f3f800000;");
        self.line("mov.u64 %rd1, 5;");
        self.line("mov.u64 %rd0, 7;");
        let count = 1 + self.below(5);
        self.statements(count);
        if self.below(3) == 0 && !self.text.contains("DONE") {
            self.line("bar.sync 0;");
            self.statements(2);
        }
        for i in 0..8 {
            self.line(&format!("st.global.u32 [%own+{}], %r{i};", 16384 + 1024 * i));
        }
        self.line("xor.b64 %rd1, %rd1, %rd0;");
        self.line("st.global.u64 [%own8+26624], %rd1;");
        self.text.push_str("DONE:\n  ret;\n}\n");
        self.text
    }
}
