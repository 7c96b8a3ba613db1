//! Tensor maps as the driver of an H200 makes and refuses them (`tests/truth/tensor/maps.jsonl.gz`).

use std::io::Read;
use std::path::PathBuf;

use serde_json::Value;
use warpvm_sem::tensor_map::{Fill, Interleave, L2Promotion, MAP_BYTES, MapType, Swizzle, TensorMap};

fn rows() -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/truth/tensor/maps.jsonl.gz");
    let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("a gzip file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn number(v: &Value) -> i64 {
    // Strides and addresses reach beyond, and are refused there.
    v.as_i64().or_else(|| v.as_u64().map(|_| i64::MAX)).expect("a number")
}

fn list<T: TryFrom<i64>>(v: &Value, count: usize) -> Option<Vec<T>> {
    v.as_array().expect("a list").iter().take(count).map(|x| T::try_from(number(x)).ok()).collect()
}

/// The map of a row; `None` where one of its values is no value of the driver's types.
fn map(row: &Value) -> Option<TensorMap> {
    let rank = number(&row["rank"]) as usize;
    // The driver's order of types.
    const TYPES: [MapType; 13] = [
        MapType::U8,
        MapType::U16,
        MapType::U32,
        MapType::S32,
        MapType::U64,
        MapType::S64,
        MapType::F16,
        MapType::F32,
        MapType::F64,
        MapType::Bf16,
        MapType::F32Ftz,
        MapType::Tf32,
        MapType::Tf32Ftz,
    ];
    let ty = *TYPES.get(number(&row["type"]) as usize)?;
    let address = row["address"].as_u64().expect("an address");
    let dims: Vec<u64> = list(&row["dims"], rank)?;
    let strides: Vec<u64> = list(&row["strides"], rank.saturating_sub(1))?;
    let mut map = if row["mode"] == "tiled" {
        TensorMap::tiled(ty, address, &dims, &strides, &list::<u32>(&row["box"], rank)?)
    } else {
        let corner = |name: &str| list::<i32>(&row[name], rank.saturating_sub(2));
        let (lower, upper) = (corner("lower")?, corner("upper")?);
        let (channels, pixels) = (number(&row["channels"]) as u32, number(&row["pixels"]) as u32);
        TensorMap::im2col(ty, address, &dims, &strides, (&lower, &upper), channels, pixels)
    };
    map.element_strides = list(&row["element_strides"], rank)?;
    map.interleave = *Interleave::ALL.get(number(&row["interleave"]) as usize)?;
    map.swizzle = *Swizzle::ALL.get(number(&row["swizzle"]) as usize)?;
    map.l2_promotion = *L2Promotion::ALL.get(number(&row["l2"]) as usize)?;
    map.fill = *Fill::ALL.get(number(&row["oob"]) as usize)?;
    Some(map)
}

fn bytes(hex: &str) -> [u8; MAP_BYTES] {
    std::array::from_fn(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).expect("hex"))
}

#[test]
fn every_map_is_made_or_refused_as_by_the_driver() {
    let (mut good, mut refused, mut failures) = (0, 0, Vec::new());
    for row in rows() {
        let ours = map(&row).and_then(|map| Some((map.encode().ok()?, map)));
        match (ours, row["map"].as_str()) {
            (Some((encoded, map)), Some(hex)) if encoded == bytes(hex) => {
                assert_eq!(TensorMap::decode(&encoded), Some(map));
                good += 1;
            }
            (None, None) => refused += 1,
            (ours, _) => failures.push(format!("{row}: {:?}", ours.map(|(_, map)| map))),
        }
    }
    assert!(failures.is_empty(), "{} differ, e.g. {}", failures.len(), failures[0]);
    assert_eq!((good, refused), (2469, 1237));
}
