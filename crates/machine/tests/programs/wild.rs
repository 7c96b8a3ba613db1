//! Programs with wild addresses: null, huge, past either end by a byte or a word, misaligned, wrapping, of every state space.
//! Some accesses are guarded by a test that leaves just the lanes that are inside.

use std::fmt::Write;

use warpvm_machine::Random;

/// Bytes of the input, the output and shared memory.
pub const INPUT: u32 = 1024;
pub const OUTPUT: u64 = 65536;
const SHARED: u32 = 512;

/// Bytes of the constants, and of each thread's own array.
const CONSTANTS: u32 = 256;
const LOCAL: u32 = 128;

const HEADER: &str = "\
.version 9.0
.target sm_90
.address_size 64
.const .align 16 .b32 cm[64] = {1, 0x7fffffff, 3, 0x7fc00001, 5, 6, 0x80000000, 8, 9, 0xffffffff, 11, 12};
.global .align 16 .b32 gm[64] = {21, 22, 23, 24, 25};
.visible .entry k(.param .u64 p_in, .param .u64 p_out)
{
  .reg .b32 %r<8>, %s, %t, %id, %n, %base, %low, %high, %g, %c;
  .reg .b64 %rd<4>, %in, %out, %own, %a, %lo, %hi, %w, %own8;
  .reg .f32 %f;
  .reg .pred %p, %q, %e, %l, %u0, %u1, %u2;
  .shared .align 16 .b8 sm[512];
  .local .align 16 .b8 lm[128];
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

    /// Puts 64-bit addresses of an array, one a lane, into `%a`.
    fn array(&mut self, name: &str, len: u32) {
        let far = self.distance(i64::from(len));
        let factor = self.one(&[0, 0, 4, 4, 1, 8, 16, -4, 12]);
        self.line(&format!("mov.u64 %lo, {name};"));
        self.line(&format!("add.s64 %hi, %lo, {len};"));
        if self.below(3) == 0 {
            self.line("mul.wide.u32 %w, %id, 4;");
            self.line("add.s64 %w, %w, %in;");
            self.line("ld.global.u32 %t, [%w];");
            let mask = self.one(&["0x3c", "0x7c", "0x3f", "0xfc", "0x78", "0x70"]);
            self.line(&format!("and.b32 %t, %t, {mask};"));
            self.line("cvt.u64.u32 %w, %t;");
        } else {
            self.line(&format!("mul.wide.s32 %w, %id, {factor};"));
            self.line(&format!("add.s64 %w, %w, {far};"));
        }
        self.line("add.s64 %a, %lo, %w;");
    }

    /// Makes what is in `%a` (and its limits) generic addresses.
    fn generic(&mut self, space: &str) {
        for register in ["%a", "%lo", "%hi"] {
            self.line(&format!("cvta.{space}.u64 {register}, {register};"));
        }
    }

    /// Puts addresses into a register; gives the space of the instruction (with its dot), and the register.
    fn place(&mut self, write: bool) -> (&'static str, &'static str) {
        // Lanes that part may come in any order: others are not to see what they write.
        let may_be_shared = !(write && self.parts);
        match self.below(16) {
            0..5 if may_be_shared => {
                self.shared();
                (".shared", "%s")
            }
            5 if may_be_shared => {
                self.array("sm", SHARED);
                self.generic("shared");
                ("", "%a")
            }
            6 if !write => {
                self.array("cm", CONSTANTS);
                (".const", "%a")
            }
            7 => {
                self.array("lm", LOCAL);
                (".local", "%a")
            }
            8 => {
                self.array("lm", LOCAL);
                self.generic("local");
                ("", "%a")
            }
            9 if may_be_shared => {
                self.line("mov.u64 %lo, 0;\n  mov.u64 %hi, 0;");
                let list = [(".shared", "sm"), (".const", "cm"), (".global", "gm"), ("", "gm"), (".local", "lm")];
                let n = if write { self.one(&[0, 4]) } else { self.below(5) };
                list[n]
            }
            10 => {
                self.global(write);
                ("", "%a")
            }
            _ => {
                self.global(write);
                (".global", "%a")
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
        self.one(&[
            "u32", "u32", "u32", "u32", "f32", "u8", "s8", "u16", "s16", "u64", "v2.u32", "v4.u32", "v2.u64", "v2.u8",
            "v4.u8", "v4.s8", "v2.u16", "v2.s16", "v4.u16",
        ])
    }

    fn access(&mut self) {
        let write = self.below(3) == 0;
        let (space, base) = self.place(write);
        let shared = base == "%s";
        // What lanes that part write to places that others write too must not depend on their order, and is not read.
        let is_own = matches!(base, "lm") || matches!(space, ".local");
        let may_add = !is_own && !base.ends_with('m');
        let adds = write && may_add && (self.parts || self.below(3) == 0);
        let ty = if adds || write && self.parts && !is_own { "u32" } else { self.any_type() };
        let (count, element) = match ty.strip_prefix('v') {
            Some(rest) => (rest[..1].parse().unwrap_or(1), &rest[2..]),
            None => (1, ty),
        };
        let bytes = element[1..].parse().unwrap_or(32u32) / 8;
        let size = count * bytes;
        let offset = self.one(&["", "", "", "", "", "", "", "", "+4", "+1", "+64", "+-4", "+1073741824", "+-128"]);
        let inside = offset.is_empty() && self.below(8) != 0 && base.starts_with('%');
        let guard = if inside {
            self.guard(size, shared)
        } else {
            self.one(&["", "", "", "@%u0 ", "@!%u0 ", "@%u1 ", "@!%u1 ", "@%u2 ", "@!%u2 "])
        };
        let r = self.below(8);
        let (first, rest): (String, [&str; 3]) = match element {
            "u64" => ("%rd1".into(), ["%rd0", "%rd1", "%rd0"]),
            "f32" => ("%f".into(), ["%f"; 3]),
            _ if write => (format!("%r{r}"), ["%r0", "%r3", "%r2"]),
            _ => (format!("%r{r}"), ["%r1", "_", "%r0"]),
        };
        let list: Vec<&str> = [first.as_str()].into_iter().chain(rest).take(count as usize).collect();
        let is_twice = !write && (1..list.len()).any(|i| list[..i].contains(&list[i]));
        if is_twice || !write && list.len() == 4 && r < 2 {
            return;
        }
        let operand = if count == 1 { first.clone() } else { format!("{{{}}}", list.join(", ")) };
        let stored = ty.replace('s', "u");
        let text = match write {
            _ if adds => format!("red{space}.add.u32 [{base}{offset}], %r{r};"),
            true => format!("st{space}.{stored} [{base}{offset}], {operand};"),
            _ => format!("ld{space}.{ty} {operand}, [{base}{offset}];"),
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
        self.line("setp.lt.u32 %u0, %n, 50;");
        self.line("setp.ne.u64 %u1, %in, %out;");
        self.line("mov.pred %u2, -1;");
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
