//! Where the content of a buffer comes from.

use crate::element::ElementType;
use crate::{npy, random};
use std::fs;
use std::path::{Path, PathBuf};

/// A source of elements.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// A file: `.npy`, or raw little-endian elements.
    File(PathBuf),
    /// Elements one by one.
    List(Vec<u64>),
    /// Elements by a rule.
    Generator(Generator),
}

/// A rule that gives elements; values are bits of the element type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generator {
    /// `start, start + step, ...`: integers wrap; floats are `start + i * step` in double precision, then rounded.
    Iota {
        /** How many. */
        count: usize,
        /** The first. */
        start: u64,
        /** The difference. */
        step: u64,
    },
    /// See module `random`.
    Random {
        /** How many. */
        count: usize,
        /** The seed. */
        seed: u64,
    },
    /// One value.
    Fill {
        /** How many. */
        count: usize,
        /** The value. */
        value: u64,
    },
}

impl Source {
    /// The type and the bytes of the elements.
    ///
    /// # Errors
    /// A file that cannot be read, or that does not hold elements of that type.
    pub fn load(&self, ty: Option<ElementType>) -> Result<(ElementType, Vec<u8>), String> {
        match self {
            Source::File(path) => load_file(path, ty),
            Source::List(items) => typed(ty, |ty, data| items.iter().for_each(|&bits| ty.push(data, bits))),
            Source::Generator(rule) => typed(ty, |ty, data| rule.elements(ty).for_each(|bits| ty.push(data, bits))),
        }
    }
}

fn typed(
    ty: Option<ElementType>,
    fill: impl FnOnce(ElementType, &mut Vec<u8>),
) -> Result<(ElementType, Vec<u8>), String> {
    let ty = ty.ok_or("expected a type")?;
    let mut data = Vec::new();
    fill(ty, &mut data);
    Ok((ty, data))
}

impl Generator {
    fn elements(self, ty: ElementType) -> impl Iterator<Item = u64> {
        let count = match self {
            Generator::Iota { count, .. } | Generator::Random { count, .. } | Generator::Fill { count, .. } => count,
        };
        (0..count as u64).map(move |index| match self {
            Generator::Iota { start, step, .. } if ty.is_float() => {
                ty.round(ty.value(start) + index as f64 * ty.value(step))
            }
            Generator::Iota { start, step, .. } => start.wrapping_add(index.wrapping_mul(step)),
            Generator::Random { seed, .. } => random::element(ty, seed, index),
            Generator::Fill { value, .. } => value,
        })
    }
}

fn load_file(path: &Path, ty: Option<ElementType>) -> Result<(ElementType, Vec<u8>), String> {
    let content = fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    if path.extension().is_some_and(|end| end == "npy") {
        let array = npy::read(&content).map_err(|error| format!("`{}`: {error}", path.display()))?;
        let ty = ty.unwrap_or(array.ty);
        if !array.fits(ty) {
            return Err(format!("`{}` holds {}, not {ty}", path.display(), array.ty));
        }
        return Ok((ty, array.data));
    }
    let ty = ty.ok_or_else(|| format!("`{}` is not a .npy file, so its type must be given", path.display()))?;
    if content.len() % ty.bytes != 0 {
        return Err(format!("`{}` has {} bytes, not a multiple of {}", path.display(), content.len(), ty.bytes));
    }
    Ok((ty, content))
}
