//! Random numbers that anyone can make again: splitmix64.
//!
//! Element `i` of `random(n, seed)` comes from the `i`-th output `z` of splitmix64 (Steele, Lea, Flood: "Fast
//! splittable pseudorandom number generators", 2014) started with `seed`:
//!
//! ```text
//! state = seed + (i + 1) * 0x9e3779b97f4a7c15          (mod 2^64)
//! z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9
//! z = (z ^ z >> 27) * 0x94d049bb133111eb
//! z = z ^ z >> 31
//! ```
//!
//! Integers and bits of w bits are the top w bits of `z`. Floats are uniform in [0, 1): the top p bits of `z` times
//! 2^-p, where p is the precision of the type (`f64` 53, `f32` 24, `f16` 11, `bf16` 8), so that none is rounded.

use crate::element::{Class, ElementType};

/// Output `index` of splitmix64 started with `seed`.
fn splitmix64(seed: u64, index: u64) -> u64 {
    let state = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The bits of element `index` of `random(n, seed)`.
pub fn element(ty: ElementType, seed: u64, index: u64) -> u64 {
    let z = splitmix64(seed, index);
    let precision = match (ty.class, ty.bytes) {
        (Class::Brain, _) => 8,
        (Class::Float, 2) => 11,
        (Class::Float, 4) => 24,
        (Class::Float, _) => 53,
        (_, bytes) => return z >> (64 - 8 * bytes as u32),
    };
    ty.round((z >> (64 - precision)) as f64 * 2f64.powi(-precision))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        // The first outputs for seed 1234567, as in the reference implementation's published test.
        let expected = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431];
        for (index, value) in expected.into_iter().enumerate() {
            assert_eq!(splitmix64(1234567, index as u64), value);
        }
    }

    #[test]
    fn floats_lie_in_the_unit_interval() {
        for name in ["f16", "bf16", "f32", "f64"] {
            let ty = ElementType::from_name(name).expect("a type");
            let values: Vec<f64> = (0..1000).map(|i| ty.value(element(ty, 7, i))).collect();
            assert!(values.iter().all(|x| (0.0..1.0).contains(x)), "{name}");
            let mean = values.iter().sum::<f64>() / 1000.0;
            assert!((mean - 0.5).abs() < 0.05, "{name}: {mean}");
        }
    }
}
