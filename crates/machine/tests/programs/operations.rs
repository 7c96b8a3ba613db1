//! Programs of all lane-wise forms and types, with odd numbers: in straight code, under guards, in branches and loops that
//! lanes leave one by one, with values that live over barriers.

use std::fmt::Write;

use warpvm_machine::Random;

/// Forms: `{a,b}` stands for one of a list, an empty one too; then the operands, the result first. `h`, `r`, `w` and `p` are
/// registers of 16, 32, 64 bits and predicates, in a source also a number; `n` is a shift amount or a length, `c` a number,
/// `v` a register only, `q` two predicates (`p|q`).
const FORMS: &[&str] = &[
    "{add,sub,min,max,mul.lo,mul.hi}.{u16,s16} h h h",
    "{add,sub,min,max,mul.lo,mul.hi,div,rem}.{u32,s32} r r r",
    "{add,sub,min,max,mul.lo,mul.hi}.{u64,s64} w w w",
    "{div,rem}.{u16,s16} h h h",
    "{div,rem}.{u64,s64} w w w",
    "{add,sub}.sat.s32 r r r",
    "mul.wide.{u16,s16} r h h",
    "mul.wide.{u32,s32} w r r",
    "mad.{lo,hi}.{u16,s16} h h h h",
    "mad.{lo,hi}.{u32,s32} r r r r",
    "mad.hi.sat.s32 r r r r",
    "mad.lo.{u64,s64} w w w w",
    "mad.wide.{u16,s16} r h h r",
    "mad.wide.{u32,s32} w r r w",
    "mul24.{lo,hi}.{u32,s32} r r r",
    "mad24.{lo,hi}.{u32,s32} r r r r",
    "sad.{u16,s16} h h h h",
    "sad.{u32,s32} r r r r",
    "sad.{u64,s64} w w w w",
    "{neg,abs}.s16 h h",
    "{neg,abs}.s32 r r",
    "{neg,abs}.s64 w w",
    "{min,max}.relu.s32 r r r",
    "{min,max}.{u16x2,s16x2} r r r",
    "add.{u16x2,s16x2} r r r",
    "{popc,clz,brev}.b32 r r",
    "{popc,clz}.b64 r w",
    "brev.b64 w w",
    "bfind{,.shiftamt}.{u32,s32} r r",
    "bfind{,.shiftamt}.{u64,s64} r w",
    "fns.b32 r r n n",
    "bfe.{u32,s32} r r n n",
    "bfe.{u64,s64} w w n n",
    "bfi.b32 r r r n n",
    "bfi.b64 w w w n n",
    "szext.{clamp,wrap}.{u32,s32} r r n",
    "bmsk.{clamp,wrap}.b32 r n n",
    "dp4a.{u32,s32}.{u32,s32} r r r r",
    "dp2a.{lo,hi}.{u32,s32}.{u32,s32} r r r r",
    "{and,or,xor}.b16 h h h",
    "{and,or,xor}.b32 r r r",
    "{and,or,xor}.b64 w w w",
    "{and,or,xor}.pred p v v",
    "{not,cnot}.b16 h h",
    "{not,cnot}.b32 r r",
    "{not,cnot}.b64 w w",
    "not.pred p v",
    "lop3.b32 r r r r c",
    "shf.{l,r}.{wrap,clamp}.b32 r r r n",
    "shf.{l,r}.{wrap,clamp}.b32 r v = n",
    "{shl.b16,shr.u16,shr.s16} h h n",
    "{shl.b32,shr.u32,shr.s32} r r n",
    "{shl.b64,shr.u64,shr.s64} w w n",
    "prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16} r r r c",
    "setp.{eq,ne,lt,le,gt,ge}.{u16,s16} p h h",
    "setp.{eq,ne,lt,le,gt,ge}.{u32,s32} p r r",
    "setp.{lo,ls,hi,hs}.u32 p r r",
    "setp.{eq,ne}.{b32} p r r",
    "setp.{eq,ne,lt,le,gt,ge}.{u64,s64} p w w",
    "setp.{eq,lt,ge}.{u32,s32} q r r",
    "setp.{eq,ne,lt,le,gt,ge}.{and,or,xor}.{u32,s32} p r r v",
    "setp.{lt,ge}.{and,or,xor}.{u16,s16} p h h v",
    "setp.{lt,ge}.{and,or,xor}.{u64,s64} p w w v",
    "setp.{lt,ge}.{and,or,xor}.{f32,ftz.f32} p f f v",
    "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{f32,ftz.f32} p f f",
    "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.f64 p d d",
    "setp.{lt,gtu}.f32 q f f",
    "setp.{lt,gtu}.{f16,bf16} p h h",
    "set.{eq,lt,gt}.{u32,s32,f32}.{u32,s32} r r r",
    "set.{eq,ltu,gt}.{u32,f32}.f32 r f f",
    "set.{lt,ge}.{and,or}.u32.s32 r r r v",
    "selp.{b16,u16} h h h v",
    "selp.{b32,f32,s32} r r r v",
    "selp.{b64,f64} w w w v",
    "slct.{b32,f32}.s32 r r r r",
    "slct.b64.s32 w w w r",
    "slct{,.ftz}.b32.f32 r r r f",
    "mov.{b32,u32} r r",
    "mov.b16 h h",
    "mov.b64 w w",
    "mov.pred p v",
    "mov.b64 w {r,r}",
    "cvt.{u8,s8,u16,s16}.{u16,s16} h h",
    "cvt.{u8,s8,u16,s16}.{u32,s32} r r",
    "cvt.{u32,s32}.{u8,s8,u16,s16} r r",
    "cvt.{u32,s32}.{u16,s16} r h",
    "cvt.{u16,s16}.{u32,s32} h r",
    "cvt.{u32,s32}.{u64,s64} r w",
    "cvt.{u64,s64}.{u32,s32} w r",
    "cvt.{u64,s64}.{u16,s16} w h",
    "cvt.{u16,s16}.{u64,s64} h w",
    "cvt.sat.{u8,s8}.{u32,s32} r r",
    "cvt.sat.{u32.s32,s32.u32} r r",
    "cvt.sat.{u16,s16}.{u32,s32} h r",
    "cvt.sat.{u32,s32}.s64 r w",
    "cvt.{rni,rzi,rmi,rpi}.{,ftz.}{u32,s32}.f32 r f",
    "cvt.{rni,rzi,rmi,rpi}.{u16,s16}.f32 h f",
    "cvt.{rni,rzi,rmi,rpi}.{u8,s8}.f32 r f",
    "cvt.{rni,rzi,rmi,rpi}.{u64,s64}.f32 w f",
    "cvt.{rni,rzi,rmi,rpi}.{u32,s32}.f64 r d",
    "cvt.{rni,rzi,rmi,rpi}.{u64,s64}.f64 w d",
    "cvt.{rni,rzi,rmi,rpi}.{f32,sat.f32,ftz.f32}.f32 r f",
    "cvt.{rni,rzi,rmi,rpi}.f64.f64 w d",
    "cvt.{rn,rz,rm,rp}.f32.{u32,s32} r r",
    "cvt.rn.f32.{u8,s8} r r",
    "cvt.rn.f32.{u16,s16} r h",
    "cvt.{rn,rz,rm,rp}.f32.{u64,s64} r w",
    "cvt.rn.f64.{u32,s32} w r",
    "cvt.{rn,rz,rm,rp}.f64.{u64,s64} w w",
    "cvt.rn.f64.{u16,s16} w h",
    "cvt.{rn,rz,rm,rp}.{,ftz.}f32.f64 r d",
    "cvt.{,ftz.}f64.f32 w f",
    "cvt.{sat.f32,ftz.f32,ftz.sat.f32,f32}.f32 r f",
    "cvt.f32.f16 r h",
    "cvt.f32.bf16 r h",
    "cvt.{rn,rz}.{f16,bf16}.f32 h f",
    "cvt.{rn,rz}.{f16x2,bf16x2}.f32 r f f",
    "{add,sub,mul}{,.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 r f f",
    "fma{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 r f f f",
    "{add,sub,mul}{,.rn,.rz,.rm,.rp}.f64 w d d",
    "fma{.rn,.rn,.rz,.rm,.rp}.f64 w d d d",
    "{add,sub,mul}.f64 w d d",
    "div.{rn,rz}.f64 w d d",
    "{sqrt,rcp}.{rn,rz}.f64 w d",
    "div.{rn,rz,approx,full}{,.ftz}.f32 r f f",
    "{sqrt,rcp}.{rn,rm,approx}{,.ftz}.f32 r f",
    "{rsqrt,lg2,ex2,sin,cos}.approx{,.ftz}.f32 r f",
    "tanh.approx.f32 r f",
    "{min,max}{,.ftz}{,.NaN}.f32 r f f",
    "{min,max}{,.ftz}{,.NaN}.xorsign.abs.f32 r f f",
    "{min,max}.f64 w d d",
    "{neg,abs}{,.ftz}.f32 r f",
    "{neg,abs}.f64 w d",
    "copysign.f32 r f f",
    "copysign.f64 w d d",
    "testp.{finite,infinite,number,notanumber,normal,subnormal}.f32 p f",
    "testp.{finite,number,subnormal}.f64 p d",
    "{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16 h h h",
    "{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16x2 r k k",
    "fma.rn{,.ftz}{,.sat,.relu}.f16x2 r k k k",
    "fma.rn{,.ftz}{,.sat,.relu}.f16 h h h h",
    "fma.rn{,.relu}.bf16x2 r k k k",
    "{add,sub,mul}{,.rn}.bf16x2 r k k",
    "{min,max}{,.NaN}.{f16x2,bf16x2} r k k",
    "{neg,abs}.{f16x2,bf16x2} r k",
    "{ex2,tanh}.approx.f16x2 r k",
    "vabsdiff4.u32.u32.u32{,.add} r v v v",
    "vadd4.u32.u32.u32 r v v v",
    "add.cc.u32 r r r; addc.u32 r r r",
    "sub.cc.u32 r r r; subc.u32 r r r",
];
const WORDS: &[&str] =
    &["0", "1", "7", "31", "-1", "0x80000000", "0x7fffffff", "0x00ff00ff", "0x12345678", "%g", "%tid.x", "%ctaid.x"];
const HALVES: &[&str] = &["0", "1", "-1", "0x7fff", "-32768", "255", "0x3c00"];
const LONGS: &[&str] =
    &["0", "1", "-1", "0x8000000000000000", "0x7fffffffffffffff", "0xff51afd7ed558ccd", "0xffffffff", "%out"];
const FLOATS: &[&str] = &[
    "0f00000000",
    "0f80000000",
    "0f3f800000",
    "0fbf800000",
    "0f7f800000",
    "0fff800000",
    "0f7fc00000",
    "0fff812345",
    "0f00000001",
    "0f807fffff",
    "0f00800000",
    "0f7f7fffff",
    "0f4f000000",
    "0fcf000000",
    "0f4f800000",
    "0f3f000000",
    "0f40200000",
    "0f33800000",
];
const DOUBLES: &[&str] = &[
    "0d0000000000000000",
    "0d8000000000000000",
    "0d3ff0000000000000",
    "0dbff8000000000000",
    "0d7ff0000000000000",
    "0dfff0000000000000",
    "0d7ff8000000001234",
    "0dfff4000000000001",
    "0d0000000000000001",
    "0d800fffffffffffff",
    "0d7fefffffffffffff",
    "0d41dfffffffc00000",
    "0dc1e0000000000000",
    "0d43e0000000000000",
    "0d3fe0000000000000",
];
const HALF_PAIRS: &[&str] = &["0x3c003c00", "0x7c00fc00", "0x7e01fe00", "0x00018001", "0x7bff0400", "0x38003555", "0"];
const AMOUNTS: &[&str] =
    &["0", "1", "5", "8", "16", "24", "31", "32", "33", "40", "63", "64", "65", "255", "256", "-1"];

/// Bytes of the input and the output.
pub const INPUT: u32 = 4096;
pub const OUTPUT: u64 = 4096 * 40;

const HEADER: &str = "\
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_in, .param .u64 p_out)
{
  .reg .b16 %h<5>;
  .reg .b32 %r<8>, %c<4>, %t<2>, %g;
  .reg .b64 %w<6>, %x, %in, %out;
  .reg .pred %p<4>, %q<4>, %e;
  ld.param.u64 %in, [p_in];
  ld.param.u64 %out, [p_out];
  mov.u32 %c0, %ntid.x;
  mov.u32 %c1, %ctaid.x;
  mov.u32 %c2, %tid.x;
  mad.lo.s32 %g, %c1, %c0, %c2;
  mul.wide.s32 %x, %g, 4;
  add.s64 %in, %in, %x;
  add.s64 %out, %out, %x;
";

pub struct Maker {
    random: Random,
    text: String,
    labels: u32,
}

impl Maker {
    /// A generator that draws from a seed.
    pub fn new(seed: u64) -> Self {
        Maker { random: Random::new(seed ^ 0x5eed), text: String::new(), labels: 0 }
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

    /// One of each list in braces.
    fn choose(&mut self, form: &str) -> String {
        let Some((before, rest)) = form.split_once('{') else { return form.to_owned() };
        let Some((list, after)) = rest.split_once('}') else { return form.to_owned() };
        let items: Vec<&str> = list.split(',').collect();
        let item = self.one(&items);
        format!("{before}{item}{}", self.choose(after))
    }

    fn register(&mut self, kind: char) -> String {
        match kind {
            'h' => format!("%h{}", self.below(5)),
            'w' | 'd' => format!("%w{}", self.below(6)),
            'p' => format!("%p{}", self.below(4)),
            _ => format!("%r{}", self.below(8)),
        }
    }

    fn source(&mut self, kind: char, result: char) -> String {
        let list = match kind {
            'h' => HALVES,
            'w' => LONGS,
            'd' => DOUBLES,
            'f' => FLOATS,
            'k' => HALF_PAIRS,
            'n' => AMOUNTS,
            'c' => return format!("{:#x}", self.random.below(1 << 16)),
            'v' if matches!(result, 'p' | 'q') => return self.register('p'),
            'v' => return self.register('r'),
            _ => WORDS,
        };
        let is_number = self.below(if kind == 'n' { 3 } else { 5 }) < if kind == 'n' { 2 } else { 1 };
        match self.one(list) {
            number if is_number && !number.starts_with("%tid") && !number.starts_with("%cta") => number.to_owned(),
            _ => self.register(if kind == 'n' { 'r' } else { kind }),
        }
    }

    /// An instruction (or two that belong together) of a form.
    fn operation(&mut self) {
        let form = self.one(FORMS);
        self.operation_of(form);
    }

    /// Operations with 64-bit results, one behind the other.
    fn long_operations(&mut self) {
        let is_long = |form: &&&str| form.split(' ').nth(1) == Some("w");
        let forms: Vec<&str> = FORMS.iter().filter(is_long).copied().collect();
        for _ in 0..2 + self.below(12) {
            let form = self.one(&forms);
            self.operation_of(form);
        }
    }

    fn operation_of(&mut self, form: &str) {
        // Braces of an operand that is a vector are no choice.
        let vector = form.ends_with("{r,r}");
        let guard = match self.below(8) {
            0 => format!("@%p{} ", self.below(4)),
            1 => format!("@!%p{} ", self.below(4)),
            _ => String::new(),
        };
        if vector {
            let text =
                format!("{guard}mov.b64 {}, {{{}, {}}};", self.register('w'), self.register('r'), self.register('r'));
            return self.line(&text);
        }
        let chosen = self.choose(form);
        for part in chosen.split("; ") {
            let mut words = part.split(' ');
            let opcode = words.next().unwrap_or_default();
            let kinds: Vec<char> = words.filter_map(|w| w.chars().next()).collect();
            let is_select = opcode.starts_with("selp") || opcode.starts_with("set.");
            let mut operands = Vec::new();
            for (i, &kind) in kinds.iter().enumerate() {
                let text = match (i, kind) {
                    (0, 'q') => {
                        let p = self.below(4);
                        format!("%p{p}|%p{}", (p + 1 + self.below(3)) % 4)
                    }
                    (0, kind) => self.register(kind),
                    (_, '=') => operands.last().cloned().unwrap_or_default(),
                    (i, 'v') if is_select && i + 1 == kinds.len() => self.register('p'),
                    (_, kind) => self.source(kind, kinds[0]),
                };
                operands.push(text);
            }
            let text = format!("{guard}{opcode} {};", operands.join(", "));
            self.line(&text);
        }
    }

    fn statements(&mut self, depth: u32, count: usize) {
        for _ in 0..count {
            match self.below(15) {
                0 if depth > 0 => self.branch(depth),
                1 if depth > 0 => self.repeat(depth),
                2 => {
                    let (r, n) = (self.below(8), self.below(30));
                    self.line(&format!("ld.global.b32 %r{r}, [%in+{}];", 4 * n));
                }
                3 => {
                    let r = self.below(8);
                    let from = self.one(WORDS);
                    self.line(&format!("mov.u32 %r{r}, {from};"));
                }
                4 => self.long_operations(),
                _ => self.operation(),
            }
        }
    }

    fn branch(&mut self, depth: u32) {
        self.labels += 2;
        let (other, end) = (self.labels - 1, self.labels);
        let (p, count) = (self.below(4), 1 + self.below(6));
        self.line(&format!("@%p{p} bra L{other};"));
        self.statements(depth - 1, count);
        self.line(&format!("bra L{end};"));
        let _ = writeln!(self.text, "L{other}:");
        self.statements(depth - 1, count);
        let _ = writeln!(self.text, "L{end}:");
    }

    /// A loop of 1 to 4 rounds: as many in every lane, or by the lane's number.
    fn repeat(&mut self, depth: u32) {
        self.labels += 1;
        let start = self.labels;
        let first = self.one(&["2", "%g", "%tid.x"]);
        self.line(&format!("mov.u32 %c{depth}, {first};"));
        self.line(&format!("and.b32 %c{depth}, %c{depth}, 3;"));
        let _ = writeln!(self.text, "L{start}:");
        let count = 1 + self.below(8);
        self.statements(depth - 1, count);
        self.line(&format!("add.s32 %c{depth}, %c{depth}, 1;"));
        self.line(&format!("setp.lt.u32 %q{depth}, %c{depth}, 4;"));
        self.line(&format!("@%q{depth} bra L{start};"));
    }

    pub fn program(mut self) -> String {
        self.text.push_str(HEADER);
        for i in 0..8 {
            self.line(&format!("ld.global.b32 %r{i}, [%in+{}];", 4 * i));
        }
        for i in 0..5 {
            self.line(&format!("ld.global.u16 %h{i}, [%in+{}];", 2 * i + 2));
        }
        for i in 0..6 {
            if self.below(3) == 0 {
                let number = self.one(DOUBLES);
                self.line(&format!("mov.b64 %w{i}, {number};"));
            } else {
                self.line(&format!("mov.b64 %w{i}, {{%r{}, %r{}}};", i, i + 2));
            }
        }
        for i in 0..4 {
            self.line(&format!("setp.lt.s32 %p{i}, %r{i}, %r{};", i + 1));
        }
        let depth = self.below(3) as u32;
        for part in 0..3 {
            let count = 3 + self.below(14);
            self.statements(depth, count);
            if part < 2 && self.below(3) == 0 {
                self.line("bar.sync 0;");
            }
        }
        self.results();
        self.text
    }

    fn results(&mut self) {
        let mut at = 0;
        let mut store = |maker: &mut Maker, text: &str| {
            maker.line(&format!("st.global.{text}").replace("AT", &(4096 * at).to_string()));
            at += 1;
        };
        for i in 0..8 {
            store(self, &format!("b32 [%out+AT], %r{i};"));
        }
        for i in 0..5 {
            self.line(&format!("cvt.u32.u16 %t0, %h{i};"));
            store(self, "b32 [%out+AT], %t0;");
        }
        for i in 0..6 {
            self.line(&format!("mov.b64 {{%t0, %t1}}, %w{i};"));
            store(self, "b32 [%out+AT], %t0;");
            store(self, "b32 [%out+AT], %t1;");
        }
        for i in 0..4 {
            self.line(&format!("selp.b32 %t0, 1, 0, %p{i};"));
            store(self, "b32 [%out+AT], %t0;");
        }
        self.line("ret;");
        self.text.push_str("}\n");
    }
}
