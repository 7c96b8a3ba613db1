//! The packed video instructions against the scalar ones: lane by lane they are the same operation.

use warpvm_isa::{Modifier, Opcode, Word};
use warpvm_sem::{EvalFn, Form, eval};

/// A deterministic source of numbers, edge values among them.
struct Numbers(u64);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 ^ (self.0 >> 31)) >> 16
    }

    fn word(&mut self) -> u64 {
        const BYTES: [u64; 8] = [0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff, 0x55];
        let random = self.bits() & 0xffff_ffff;
        let edges = (0..4).fold(0, |word, _| word << 8 | BYTES[self.bits() as usize % 8]);
        if self.bits().is_multiple_of(2) { random } else { edges }
    }
}

/// The meaning of an instruction written as in PTX, with the selector of each operand, if it has one.
fn find(text: &str, selectors: &[&str]) -> Option<EvalFn> {
    let mut words = text.split('.');
    let opcode = Opcode::from_text(words.next().unwrap_or_default()).expect("a known opcode");
    let modifiers: Vec<Modifier> = words.map(|w| Modifier::Word(Word::from_text(w).expect("a known word"))).collect();
    eval(&Form { opcode, modifiers: &modifiers, selectors, negated: &[], operands: selectors.len() })
}

/// The meaning of an instruction that has one.
fn meaning(text: &str, selectors: &[&str]) -> EvalFn {
    find(text, selectors).unwrap_or_else(|| panic!("no meaning for {text} {selectors:?}"))
}

/// Lanes of a packed register.
#[derive(Clone, Copy)]
struct Shape {
    lanes: usize,
    letter: char,
    bits: u32,
}

const SHAPES: [Shape; 2] = [Shape { lanes: 2, letter: 'h', bits: 16 }, Shape { lanes: 4, letter: 'b', bits: 8 }];

impl Shape {
    /// One lane of a register.
    fn lane(self, word: u64, n: usize) -> u64 {
        (word >> (n as u32 * self.bits)) & ((1 << self.bits) - 1)
    }

    /// A register of lanes.
    fn pack(self, lane: impl Fn(usize) -> u64) -> u64 {
        (0..self.lanes).fold(0, |word, n| word | self.lane(lane(n), 0) << (n as u32 * self.bits))
    }

    /// A selector with these digits, highest lane first.
    fn selector(self, digits: impl Iterator<Item = usize>) -> String {
        digits.fold(self.letter.to_string(), |text, digit| text + &digit.to_string())
    }
}

const ARITHMETIC: [&str; 5] = ["vadd", "vsub", "vabsdiff", "vmin", "vmax"];
const COMPARISONS: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];

/// Opcode and words of every operation that has a packed and a scalar form.
fn operations() -> Vec<(&'static str, String)> {
    const TYPES: [&str; 2] = ["u32", "s32"];
    let mut all = Vec::new();
    for (a, b) in TYPES.into_iter().flat_map(|a| TYPES.map(|b| (a, b))) {
        all.extend(COMPARISONS.map(|comparison| ("vset", format!("{a}.{b}.{comparison}"))));
        for d in TYPES {
            all.extend(ARITHMETIC.map(|operation| (operation, format!("{d}.{a}.{b}"))));
        }
    }
    all
}

/// Calls `check` with the meaning of each operation on each lane, sources and last operand.
fn for_each(check: impl Fn(Shape, &str, &str, &[EvalFn], [u64; 3])) {
    for shape in SHAPES {
        for (opcode, words) in operations() {
            let lanes: Vec<EvalFn> = (0..shape.lanes)
                .map(|n| format!("{}{n}", shape.letter))
                .map(|field| meaning(&format!("{opcode}.{words}"), &["", &field, &field]))
                .collect();
            let mut numbers = Numbers(words.len() as u64);
            for _ in 0..50 {
                let values = [numbers.word(), numbers.word(), numbers.word()];
                check(shape, &format!("{opcode}{}", shape.lanes), &words, &lanes, values);
            }
        }
    }
}

#[test]
fn packed_is_scalar_lane_by_lane() {
    for_each(|shape, opcode, words, lanes, [a, b, c]| {
        let text = format!("{opcode}.{words}");
        let expected = shape.pack(|n| lanes[n](&[a, b]).0);
        assert_eq!(meaning(&text, &[""; 4])(&[a, b, c]).0, expected, "{text} {a:#x} {b:#x}");
    });
}

#[test]
fn accumulation_sums_the_scalar_results() {
    for_each(|_, opcode, words, lanes, [a, b, c]| {
        let text = format!("{opcode}.{words}.add");
        let expected = lanes.iter().fold(c as u32, |sum, lane| sum.wrapping_add(lane(&[a, b]).0 as u32));
        assert_eq!(meaning(&text, &[""; 4])(&[a, b, c]).0, expected as u64, "{text} {a:#x} {b:#x} {c:#x}");
    });
}

#[test]
fn saturation_bounds_the_scalar_result() {
    for_each(|shape, opcode, words, lanes, [a, b, c]| {
        if opcode.starts_with("vset") {
            return;
        }
        let text = format!("{opcode}.{words}.sat");
        let (low, high) = if words.starts_with('s') {
            (-1 << (shape.bits - 1), (1 << (shape.bits - 1)) - 1)
        } else {
            (0, (1 << shape.bits) - 1)
        };
        let expected = shape.pack(|n| (lanes[n](&[a, b]).0 as u32 as i32).clamp(low, high) as u64);
        assert_eq!(meaning(&text, &[""; 4])(&[a, b, c]).0, expected, "{text} {a:#x} {b:#x}");
    });
}

#[test]
fn selectors_permute_and_the_mask_merges() {
    let mut numbers = Numbers(1);
    for shape in SHAPES {
        for (opcode, words) in operations() {
            let text = format!("{opcode}{}.{words}", shape.lanes);
            let mut fields =
                || -> Vec<usize> { (0..shape.lanes).map(|_| numbers.bits() as usize % (2 * shape.lanes)).collect() };
            let (a_fields, b_fields) = (fields(), fields());
            let mask = 1 + numbers.bits() as usize % ((1 << shape.lanes) - 1);
            let selectors = [
                shape.selector((0..shape.lanes).rev().filter(|n| mask >> n & 1 != 0)),
                shape.selector(a_fields.iter().rev().copied()),
                shape.selector(b_fields.iter().rev().copied()),
            ];
            let [a, b, c] = [numbers.word(), numbers.word(), numbers.word()];
            let pair = a | b << 32;
            let permuted = [&a_fields, &b_fields].map(|fields| shape.pack(|n| shape.lane(pair, fields[n])));
            let plain = meaning(&text, &[""; 4])(&[permuted[0], permuted[1], c]).0;
            let expected = shape.pack(|n| shape.lane(if mask >> n & 1 != 0 { plain } else { c }, n));
            let selected = meaning(&text, &[&selectors[0], &selectors[1], &selectors[2], ""])(&[a, b, c]).0;
            assert_eq!(selected, expected, "{text} {selectors:?} {a:#x} {b:#x} {c:#x}");
        }
    }
}

#[test]
fn the_hot_form_is_the_composition() {
    let text = "vabsdiff4.u32.u32.u32.add";
    let (hot, composed) = (meaning(text, &[""; 4]), meaning(text, &["b3210", "b3210", "b7654", ""]));
    let mut numbers = Numbers(4);
    for _ in 0..100_000 {
        let values = [numbers.word(), numbers.word(), numbers.word()];
        assert_eq!(hot(&values), composed(&values), "{values:#x?}");
    }
}

#[test]
fn malformed_forms_have_no_meaning() {
    let cases: [(&str, &[&str]); 8] = [
        ("vadd4.u32.u32.u32", &["", "b321", "", ""]),
        ("vadd4.u32.u32.u32", &["b01", "", "", ""]),
        ("vadd4.u32.u32.u32", &["", "", ""]),
        ("vadd2.u32.u32.u32", &["", "h40", "", ""]),
        ("vadd4.u32.u32.u32.sat.add", &["", "", "", ""]),
        ("vadd.u32.u32.u32.add", &["b0", "", "", ""]),
        ("vadd.u32.u32.u32", &["b0", "", ""]),
        ("vshl.u32.u32.s32.clamp", &["", "", ""]),
    ];
    for (text, selectors) in cases {
        assert!(find(text, selectors).is_none(), "{text} {selectors:?}");
    }
}
