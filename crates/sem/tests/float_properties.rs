//! Floating-point results of all roundings against an independent implementation of IEEE 754, on random operands.
//!
//! NaN results are compared as such only: their bits are the chip's, which `float_truth` tests.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use warpvm_isa::{Modifier, Opcode, Word};
use warpvm_sem::{EvalFn, Form, eval};

const ROUNDINGS: [(&str, Round); 4] = [
    ("rn", Round::NearestTiesToEven),
    ("rz", Round::TowardZero),
    ("rm", Round::TowardNegative),
    ("rp", Round::TowardPositive),
];

/// A generator of pseudo-random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A number of a format: any bits, or a significand of few bits and an exponent near `center`.
    fn float(&mut self, exponent: u32, fraction: u32, center: u64) -> u64 {
        let all = (1 << (exponent + fraction)) | ((1 << (exponent + fraction)) - 1);
        if self.below(3) == 0 {
            return self.next() & all;
        }
        let field = (center + self.below(8)).saturating_sub(4).min((1 << exponent) - 1);
        let kept = self.below(u64::from(fraction) + 1);
        let significand = (self.next() & ((1 << fraction) - 1)) >> kept << kept;
        let low = if self.below(4) == 0 { self.below(2) } else { 0 };
        self.below(2) << (exponent + fraction) | field << fraction | significand | low
    }
}

/// The widths of a format's fields.
trait Fields: Float {
    const NAME: &'static str;
    const EXPONENT: u32;
    const FRACTION: u32;
}
macro_rules! fields {
    ($($t:ty, $name:literal, $exponent:literal, $fraction:literal;)*) => { $(
        impl Fields for $t {
            const NAME: &'static str = $name;
            const EXPONENT: u32 = $exponent;
            const FRACTION: u32 = $fraction;
        }
    )* };
}
fields! { Half, "f16", 5, 10; BFloat, "bf16", 8, 7; Single, "f32", 8, 23; Double, "f64", 11, 52; }

fn meaning(name: &str, operands: usize) -> EvalFn {
    let mut words = name.split('.');
    let opcode = words.next().and_then(Opcode::from_text).expect("an opcode");
    let modifiers: Vec<Modifier> = words.map(|word| Modifier::Word(Word::from_text(word).expect("a word"))).collect();
    let form = Form { opcode, modifiers: &modifiers, selectors: &[], negated: &[], operands };
    eval(&form).unwrap_or_else(|| panic!("{name} has no meaning"))
}

/// Compares a result with the expected one.
fn same<F: Fields>(name: &str, operands: &[u64], got: u64, want: F) {
    let agrees = if want.is_nan() { F::from_bits(u128::from(got)).is_nan() } else { u128::from(got) == want.to_bits() };
    assert!(agrees, "{name} of {operands:#x?}: {got:#x}, not {:#x}", want.to_bits());
}

fn arithmetic<F: Fields>(roundings: &[(&str, Round)]) {
    let mut random = Random(u64::from(F::FRACTION));
    for (word, round) in roundings {
        let form = |op: &str| format!("{op}.{word}.{}", F::NAME);
        let forms = [form("add"), form("sub"), form("mul"), form("fma")];
        let [add, sub, mul, fma] = [(0, 3), (1, 3), (2, 3), (3, 4)].map(|(n, operands)| meaning(&forms[n], operands));
        let bias = (1 << (F::EXPONENT - 1)) - 1;
        for _ in 0..20_000 {
            // Exponents that cancel, that underflow in a product, and any.
            let (center, other) =
                [(bias, bias), (bias / 2, bias / 2), (5, bias), (2 * bias, bias)][random.below(4) as usize];
            let a = random.float(F::EXPONENT, F::FRACTION, center);
            let b = random.float(F::EXPONENT, F::FRACTION, other);
            let product = (center + other).saturating_sub(bias).min(2 * bias);
            let c = random.float(F::EXPONENT, F::FRACTION, product);
            let [x, y, z] = [a, b, c].map(|bits| F::from_bits(u128::from(bits)));
            same(&forms[0], &[a, c], add(&[a, c]).0, x.add_r(z, *round).value);
            same(&forms[1], &[a, b], sub(&[a, b]).0, x.sub_r(y, *round).value);
            same(&forms[2], &[a, b], mul(&[a, b]).0, x.mul_r(y, *round).value);
            same(&forms[3], &[a, b, c], fma(&[a, b, c]).0, x.mul_add_r(y, z, *round).value);
        }
    }
}

#[test]
fn sums_and_products_of_f32() {
    arithmetic::<Single>(&ROUNDINGS);
}

#[test]
fn sums_and_products_of_f64() {
    arithmetic::<Double>(&ROUNDINGS);
}

#[test]
fn sums_and_products_of_halves() {
    arithmetic::<Half>(&ROUNDINGS[..1]);
    arithmetic::<BFloat>(&ROUNDINGS[..1]);
}

fn quotients<F: Fields>() {
    let mut random = Random(3);
    for (word, round) in ROUNDINGS {
        let (divide, invert) = (format!("div.{word}.{}", F::NAME), format!("rcp.{word}.{}", F::NAME));
        let (div, rcp) = (meaning(&divide, 3), meaning(&invert, 2));
        let bias = (1 << (F::EXPONENT - 1)) - 1;
        for _ in 0..20_000 {
            let center = [bias, 4, 2 * bias][random.below(3) as usize];
            let a = random.float(F::EXPONENT, F::FRACTION, center);
            let b = random.float(F::EXPONENT, F::FRACTION, bias);
            let [x, y] = [a, b].map(|bits| F::from_bits(u128::from(bits)));
            let one = F::from_u128(1).value;
            same(&divide, &[a, b], div(&[a, b]).0, x.div_r(y, round).value);
            same(&invert, &[a], rcp(&[a]).0, one.div_r(x, round).value);
        }
    }
}

#[test]
fn quotients_of_f32_and_f64() {
    quotients::<Single>();
    quotients::<Double>();
}

/// A root is right if its square, and those of its neighbours, lie on the right sides of the operand.
#[test]
fn roots_of_f32() {
    let mut random = Random(4);
    let [down, up] = ["rm", "rp"].map(|word| meaning(&format!("sqrt.{word}.f32"), 2));
    let [near, zero] = ["rn", "rz"].map(|word| meaning(&format!("sqrt.{word}.f32"), 2));
    for _ in 0..50_000 {
        let a = random.next() & 0x7f7f_ffff;
        let value = f64::from(f32::from_bits(a as u32));
        let [low, high, middle, cut] = [&down, &up, &near, &zero].map(|f| f(&[a]).0);
        let square = |bits: u64| f64::from(f32::from_bits(bits as u32)).powi(2);
        assert!(square(low) <= value && square(high) >= value, "{a:#x}");
        assert!(high - low <= 1 && cut == low && (middle == low || middle == high), "{a:#x}");
        assert_eq!(middle, u64::from((value.sqrt() as f32).to_bits()), "{a:#x}");
    }
}

fn narrowing<A: Fields + FloatConvert<D>, D: Fields>(centers: &[u64]) {
    let mut random = Random(5);
    for (word, round) in ROUNDINGS {
        let name = format!("cvt.{word}.{}.{}", D::NAME, A::NAME);
        let cvt = meaning(&name, 2);
        for _ in 0..20_000 {
            let center = centers[random.below(centers.len() as u64) as usize];
            let a = random.float(A::EXPONENT, A::FRACTION, center);
            let want: D = A::from_bits(u128::from(a)).convert_r(round, &mut false).value;
            same(&name, &[a], cvt(&[a]).0, want);
        }
    }
}

#[test]
fn conversions_to_narrower_numbers() {
    narrowing::<Single, Half>(&[127, 127 - 14, 127 - 24, 127 + 15]);
    narrowing::<Single, BFloat>(&[127, 1, 254]);
    narrowing::<Double, Half>(&[1023, 1023 - 14, 1023 - 24, 1023 + 15]);
    narrowing::<Double, BFloat>(&[1023, 1023 - 126, 1023 - 133, 1023 + 127]);
    narrowing::<Double, Single>(&[1023, 1023 - 126, 1023 - 149, 1023 + 127]);
    narrowing::<BFloat, Half>(&[127, 127 - 14, 127 - 24, 127 + 15]);
    narrowing::<Half, BFloat>(&[1, 15, 29]);
}

fn from_integers<D: Fields>() {
    let mut random = Random(6);
    for (word, round) in ROUNDINGS {
        let signed = format!("cvt.{word}.{}.s64", D::NAME);
        let unsigned = format!("cvt.{word}.{}.u64", D::NAME);
        let (from_signed, from_unsigned) = (meaning(&signed, 2), meaning(&unsigned, 2));
        for _ in 0..20_000 {
            let a = random.next() >> random.below(64);
            let a = if random.below(2) == 0 { a } else { a.wrapping_neg() };
            same(&signed, &[a], from_signed(&[a]).0, D::from_i128_r(i128::from(a as i64), round).value);
            same(&unsigned, &[a], from_unsigned(&[a]).0, D::from_u128_r(u128::from(a), round).value);
        }
    }
}

#[test]
fn conversions_from_integers() {
    from_integers::<Half>();
    from_integers::<BFloat>();
    from_integers::<Single>();
    from_integers::<Double>();
}

/// Small formats: every number survives the way to `.f16` and back.
#[test]
fn small_formats_survive_a_round_trip() {
    for (packed, bits) in [("e4m3x2", 16), ("e5m2x2", 16), ("e2m1x2", 8)] {
        let widen = meaning(&format!("cvt.rn.f16x2.{packed}"), 2);
        let narrow = meaning(&format!("cvt.rn.satfinite.{packed}.f16x2"), 2);
        for a in 0..1u64 << bits {
            let back = narrow(&[widen(&[a]).0]).0;
            let special = |byte: u64| match packed {
                "e4m3x2" => byte & 0x7f == 0x7f,
                "e5m2x2" => byte & 0x7f >= 0x7c,
                _ => false,
            };
            if !special(a & 0xff) && !special(a >> 8) {
                assert_eq!(back, a, "{packed}");
            }
        }
    }
    for packed in ["e2m3x2", "e3m2x2"] {
        let widen = meaning(&format!("cvt.rn.f16x2.{packed}"), 2);
        let narrow = meaning(&format!("cvt.rn.satfinite.{packed}.f32"), 3);
        let half = meaning("cvt.f32.f16", 2);
        for a in 0..1u64 << 6 {
            let pair = widen(&[a | (63 - a) << 8]).0;
            let [low, high] = [pair & 0xffff, pair >> 16].map(|h| half(&[h]).0);
            assert_eq!(narrow(&[high, low]).0, a | (63 - a) << 8, "{packed}");
        }
    }
}

/// Stochastic rounding with no random bits cuts, with all of them rounds up whatever is not exact to that many bits.
#[test]
fn stochastic_rounding_lies_between_its_neighbours() {
    let mut random = Random(7);
    let round = meaning("cvt.rs.f16x2.f32", 4);
    let cut = meaning("cvt.rz.f16x2.f32", 3);
    for _ in 0..20_000 {
        let [a, b] = [0, 1].map(|_| random.float(8, 23, 120));
        if [a, b].iter().any(|x| x & 0x7fff_ffff > 0x477f_e000) {
            continue;
        }
        let low = cut(&[a, b]).0;
        assert_eq!(round(&[a, b, 0]).0, low);
        let high = round(&[a, b, 0xffff_ffff]).0;
        for shift in [0, 16] {
            let (low, high) = (low >> shift & 0xffff, high >> shift & 0xffff);
            assert!(high == low || high == low + 1, "{a:#x} {b:#x}");
        }
    }
}

/// Powers of two as scales.
#[test]
fn scales_are_powers_of_two() {
    let down = meaning("cvt.rz.ue8m0x2.f32", 3);
    let up = meaning("cvt.rp.satfinite.ue8m0x2.f32", 3);
    let back = meaning("cvt.rn.bf16x2.ue8m0x2", 2);
    let one = u64::from(1f32.to_bits());
    let three = u64::from(3f32.to_bits());
    assert_eq!(down(&[three, one]).0, 0x807f);
    assert_eq!(up(&[three, one]).0, 0x817f);
    assert_eq!(up(&[0x7f7f_ffff, 0x7fc0_0000]).0, 0xfeff);
    assert_eq!(back(&[0x817f]).0, 0x4080_3f80);
    assert_eq!(back(&[0xff00]).0, 0x7fff_0040);
}

/// Packed forms do to each element what the scalar form does.
#[test]
fn packed_forms_are_two_scalar_ones() {
    let mut random = Random(8);
    for (packed, scalar, bits) in [("f16x2", "f16", 16), ("bf16x2", "bf16", 16), ("f32x2", "f32", 32)] {
        for name in ["add.rn", "sub.rn", "mul.rn", "fma.rn", "min", "max.NaN", "abs", "neg"] {
            if bits == 32 && matches!(name, "min" | "max.NaN" | "abs" | "neg") {
                continue;
            }
            let operands = match name {
                "fma.rn" => 4,
                "abs" | "neg" => 2,
                _ => 3,
            };
            let pair = meaning(&format!("{name}.{packed}"), operands);
            let one = meaning(&format!("{name}.{scalar}"), operands);
            let mask = (1 << bits) - 1;
            for _ in 0..2_000 {
                let sources: Vec<u64> = (1..operands).map(|_| random.next() & (mask << bits | mask)).collect();
                let low: Vec<u64> = sources.iter().map(|x| x & mask).collect();
                let high: Vec<u64> = sources.iter().map(|x| x >> bits).collect();
                assert_eq!(pair(&sources).0, one(&high).0 << bits | one(&low).0, "{name}.{packed} {sources:#x?}");
            }
        }
    }
}

/// Mixed forms are `.f32` forms of operands that are converted exactly.
#[test]
fn mixed_forms_are_f32_forms() {
    let mut random = Random(9);
    for half in ["f16", "bf16"] {
        let widen = meaning(&format!("cvt.f32.{half}"), 2);
        for (word, _) in ROUNDINGS {
            let [mixed_add, add] = [half, ""].map(|ty| meaning(&dotted(&format!("add.{word}.sat.f32"), ty), 3));
            let [mixed_sub, sub] = [half, ""].map(|ty| meaning(&dotted(&format!("sub.{word}.f32"), ty), 3));
            let [mixed_fma, fma] = [half, ""].map(|ty| meaning(&dotted(&format!("fma.{word}.f32"), ty), 4));
            for _ in 0..5_000 {
                let [a, b] = [0, 1].map(|_| random.next() & 0xffff);
                let c = random.float(8, 23, 127);
                let [wide_a, wide_b] = [a, b].map(|x| widen(&[x]).0);
                assert_eq!(mixed_add(&[a, c]), add(&[wide_a, c]));
                assert_eq!(mixed_sub(&[a, c]), sub(&[wide_a, c]));
                assert_eq!(mixed_fma(&[a, b, c]), fma(&[wide_a, wide_b, c]));
            }
        }
    }
}

/// A form with one more type.
fn dotted(name: &str, ty: &str) -> String {
    if ty.is_empty() { name.to_string() } else { format!("{name}.{ty}") }
}

/// Three operands are two pairs; `.abs` compares and gives magnitudes.
#[test]
fn min_and_max_of_three() {
    let mut random = Random(10);
    let [min3, min, max3, abs] =
        [("min.f32", 4), ("min.f32", 3), ("max.NaN.abs.f32", 4), ("abs.f32", 2)].map(|(name, n)| meaning(name, n));
    let max = meaning("max.NaN.f32", 3);
    for _ in 0..5_000 {
        let [a, b, c] = [0; 3].map(|_| random.float(8, 23, 127));
        assert_eq!(min3(&[a, b, c]).0, min(&[min(&[a, b]).0, c]).0);
        let [x, y, z] = [a, b, c].map(|v| abs(&[v]).0);
        assert_eq!(max3(&[a, b, c]).0, max(&[max(&[x, y]).0, z]).0);
    }
}
