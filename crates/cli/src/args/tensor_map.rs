//! Tensor maps (`const __grid_constant__ CUtensorMap`) as arguments.

use super::{Arg, ArgValue};
use std::collections::BTreeMap;
use std::str::FromStr;
use warpvm::tensor_map::{Fill, Interleave, L2Promotion, MapType, Swizzle, TensorMap};

/// A tensor map over a buffer of the launch.
#[derive(Clone, PartialEq, Debug)]
pub struct TensorMapArg {
    /// The buffer: the number or name of another argument.
    pub buffer: String,
    /// The map, with an address that counts from the start of the buffer.
    pub map: TensorMap,
}

impl TensorMapArg {
    /// The number of the argument that is the buffer.
    pub fn target(&self, args: &[Arg]) -> Option<usize> {
        let index = match self.buffer.parse() {
            Ok(index) => index,
            Err(_) => args.iter().position(|arg| arg.name.as_deref() == Some(&self.buffer))?,
        };
        matches!(args.get(index)?.value, ArgValue::Buffer(_)).then_some(index)
    }

    /// The map where the buffer is.
    pub fn placed(&self, address: u64) -> TensorMap {
        TensorMap { address: self.map.address.wrapping_add(address), ..self.map.clone() }
    }
}

/// The names of a map's values.
const KEYS: &str =
    "dims, strides, box, steps, swizzle, interleave, l2, fill, offset; for im2col lower, upper, channels, pixels";

/// The values of a map by name, taken one by one.
pub struct Values(pub BTreeMap<String, String>);

impl Values {
    fn take(&mut self, key: &str) -> Option<String> {
        self.0.remove(key)
    }

    /// `192x64`
    fn list<T: FromStr>(&mut self, key: &str) -> Result<Option<Vec<T>>, String> {
        let Some(text) = self.take(key) else { return Ok(None) };
        if text.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let numbers: Option<Vec<T>> = text.split('x').map(|part| part.trim().parse().ok()).collect();
        numbers.map(Some).ok_or_else(|| format!("`{key}` must be numbers as in 192x64, not `{text}`"))
    }

    fn needed<T: FromStr>(&mut self, key: &str) -> Result<Vec<T>, String> {
        self.list(key)?.ok_or_else(|| format!("a tensor map needs `{key}`"))
    }

    fn number(&mut self, key: &str) -> Result<u32, String> {
        match self.needed(key)?[..] {
            [one] => Ok(one),
            _ => Err(format!("`{key}` must be one number")),
        }
    }

    fn word<T: Copy>(&mut self, key: &str, of: fn(&str) -> Option<T>, all: &[&str]) -> Result<Option<T>, String> {
        let Some(text) = self.take(key) else { return Ok(None) };
        of(&text).map(Some).ok_or_else(|| format!("`{key}` must be one of {}, not `{text}`", all.join(", ")))
    }

    /// The map of a type.
    ///
    /// # Errors
    /// What is missing or not understood, or why the driver would refuse the map.
    pub fn map(mut self, ty: &str) -> Result<TensorMap, String> {
        let ty = MapType::from_name(ty).ok_or_else(|| {
            let all: Vec<&str> = MapType::ALL.iter().map(|ty| ty.name()).collect();
            format!("the type of a tensor map is one of {}", all.join(", "))
        })?;
        let dims: Vec<u64> = self.needed("dims")?;
        let strides = self.list("strides")?.unwrap_or_else(|| packed(ty, &dims));
        let offset = self.list("offset")?.and_then(|list| list.first().copied()).unwrap_or(0);
        let mut map = if self.0.contains_key("pixels") {
            let (lower, upper): (Vec<i32>, Vec<i32>) = (self.needed("lower")?, self.needed("upper")?);
            let (channels, pixels) = (self.number("channels")?, self.number("pixels")?);
            TensorMap::im2col(ty, offset, &dims, &strides, (&lower, &upper), channels, pixels)
        } else {
            TensorMap::tiled(ty, offset, &dims, &strides, &self.needed::<u32>("box")?)
        };
        if let Some(steps) = self.list("steps")? {
            map.element_strides = steps;
        }
        let swizzles: Vec<&str> = Swizzle::ALL.iter().map(|x| x.name()).collect();
        map.swizzle = self.word("swizzle", Swizzle::from_name, &swizzles)?.unwrap_or_default();
        let interleaves: Vec<&str> = Interleave::ALL.iter().map(|x| x.name()).collect();
        map.interleave = self.word("interleave", Interleave::from_name, &interleaves)?.unwrap_or_default();
        let promotions: Vec<&str> = L2Promotion::ALL.iter().map(|x| x.name()).collect();
        map.l2_promotion = self.word("l2", L2Promotion::from_name, &promotions)?.unwrap_or_default();
        map.fill = self.word("fill", Fill::from_name, &["zero", "nan"])?.unwrap_or_default();
        if let Some(key) = self.0.keys().next() {
            return Err(format!("a tensor map has no `{key}`; it has {KEYS}"));
        }
        map.check().map_err(|error| error.to_string())?;
        Ok(map)
    }
}

/// Strides of a tensor without gaps.
fn packed(ty: MapType, dims: &[u64]) -> Vec<u64> {
    let mut bytes = u64::from(ty.bytes());
    let mut next = |&size: &u64| {
        bytes = bytes.saturating_mul(size);
        bytes
    };
    dims.iter().take(dims.len().saturating_sub(1)).map(&mut next).collect()
}
