//! A recorded case: one JSON object with the module, the launch, and what came back.
//!
//! | key | meaning |
//! |---|---|
//! | `id` | a name |
//! | `ptx` | a whole module, or the path of one, relative to the file of the row |
//! | `entry`, `grid`, `block`, `smem` | the launch |
//! | `args` | kernel parameters in order, see below |
//! | `expect` | parameter index -> base64 of what that buffer held afterwards |
//! | `clean` | false where the program is faulty |
//! | `why` | why the module must be refused, where it must |
//!
//! An argument is one of `{"in": NAME}` (a named input array), `{"out": BYTES}` (zeroed), `{"inout": BASE64}`,
//! `{"raw": BASE64}` (read only), `{"uninit": BYTES}`, `{"bytes": BASE64}` (a struct by value), `{"tensormap": {...}}`, or a
//! scalar such as `{"u32": 5}`. A buffer may also have `"type"`, the type of its elements, and any argument `"name"`. A text is an
//! argument as on the command line: `"in:u32=iota(1000)"`. Likewise an expected content may be a source, `"[1,2,3]"`.

use crate::Result;
use crate::args::tensor_map::{TensorMapArg, Values};
use crate::args::{self, Arg, ArgValue, Buffer, Direction};
use crate::element::ElementType;
use crate::launch::Launch;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use warpvm_report::Diagnostic;

/// One row, as stored.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// Its name.
    #[serde(default)]
    pub id: String,
    /// The module or its path.
    #[serde(default)]
    pub ptx: Option<String>,
    /// The kernel.
    #[serde(default)]
    pub entry: Option<String>,
    /// Blocks in the grid.
    #[serde(default = "one")]
    pub grid: Vec<u32>,
    /// Threads in a block.
    #[serde(default = "one")]
    pub block: Vec<u32>,
    /// Dynamic shared memory.
    #[serde(default)]
    pub smem: u32,
    /// Arguments.
    #[serde(default)]
    pub args: Vec<Value>,
    /// What came back.
    #[serde(default)]
    pub expect: Option<BTreeMap<usize, String>>,
    /// Is the program free of faults?
    #[serde(default = "yes")]
    pub clean: bool,
    /// Why the module must be refused.
    #[serde(default)]
    pub why: Option<String>,
}

fn one() -> Vec<u32> {
    vec![1, 1, 1]
}

fn yes() -> bool {
    true
}

/// Named input arrays.
pub type Inputs = BTreeMap<String, Vec<u8>>;

impl Row {
    /// The launch.
    ///
    /// # Errors
    /// A malformed size or argument.
    pub fn launch(&self, inputs: &Inputs) -> Result<Launch> {
        let args = self.args.iter().enumerate().map(|(index, arg)| {
            let name = format!("argument {index}");
            match arg {
                Value::String(text) => args::parse(text, &name),
                other => argument(other, inputs)
                    .map_err(|message| Box::new(Diagnostic::invalid(format!("{name}: {message}")))),
            }
        });
        Ok(Launch {
            entry: self.entry.clone(),
            grid: size(&self.grid, "grid")?,
            block: size(&self.block, "block")?,
            smem: self.smem,
            args: args.collect::<Result<_>>()?,
        })
    }

    /// The expected content of the buffers, by parameter index.
    ///
    /// # Errors
    /// Malformed base64 or a malformed source.
    pub fn expected(&self, launch: &Launch) -> Result<BTreeMap<usize, Vec<u8>>> {
        let rows = self.expect.iter().flatten().map(|(&index, text)| {
            let name = format!("expect {index}");
            // None of these is a letter of base64.
            if text.contains(['[', '(', '@']) {
                let ty = launch.args.get(index).and_then(Arg::buffer).map(|buffer| buffer.ty);
                return Ok((index, args::parse_source(text, &name, ty)?.1));
            }
            let data = decode(text).map_err(|message| Diagnostic::invalid(format!("{name}: {message}")))?;
            Ok((index, data))
        });
        rows.collect()
    }

    /// The name of the input array that an argument points to.
    pub fn input_name(&self, index: usize) -> Option<&str> {
        self.args.get(index)?.get("in")?.as_str()
    }
}

fn size(dims: &[u32], what: &str) -> Result<[u32; 3]> {
    let mut out = [1; 3];
    if dims.is_empty() || dims.len() > 3 || dims.contains(&0) {
        return Err(Box::new(Diagnostic::invalid(format!("`{what}` must be one to three numbers, each at least 1"))));
    }
    out[..dims.len()].copy_from_slice(dims);
    Ok(out)
}

fn argument(arg: &Value, inputs: &Inputs) -> std::result::Result<Arg, String> {
    let arg = arg.as_object().ok_or("expected an object, or a text as on the command line")?;
    let name = arg.get("name").and_then(Value::as_str).map(str::to_owned);
    let mut kinds = arg.iter().filter(|(key, _)| !matches!(key.as_str(), "name" | "type"));
    let (Some((kind, value)), None) = (kinds.next(), kinds.next()) else {
        return Err("expected one of in, out, inout, raw, uninit, bytes, or a scalar type".to_owned());
    };
    let ty = arg.get("type").map(element_type).transpose()?;
    let value = match kind.as_str() {
        "in" => named(value, ty, inputs)?,
        "raw" => filled(Direction::In, ty, decode_value(value)?),
        "inout" => filled(Direction::InOut, ty, decode_value(value)?),
        "out" => sized(Direction::Out, ty, value)?,
        "uninit" => sized(Direction::Uninit, ty, value)?,
        "bytes" => ArgValue::Bytes(decode_value(value)?),
        "tensormap" => ArgValue::TensorMap(tensor_map(value)?),
        other => scalar(other, value)?,
    };
    Ok(Arg { name, value })
}

/// `{"type": "f16", "buffer": 1, "dims": [192, 64], "box": [64, 64], ...}`, with the names of the command line; `element_strides` may be
/// said for `steps`.
fn tensor_map(value: &Value) -> std::result::Result<TensorMapArg, String> {
    let object = value.as_object().ok_or("`tensormap` must be an object")?;
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(ToString::to_string).collect::<Vec<_>>().join("x"),
        other => other.to_string(),
    };
    let mut values: BTreeMap<String, String> = object.iter().map(|(key, value)| (key.clone(), text(value))).collect();
    let mut take = |key: &str| values.remove(key).ok_or_else(|| format!("a tensor map needs `{key}`"));
    let (ty, buffer) = (take("type")?, take("buffer")?);
    if let Some(steps) = values.remove("element_strides") {
        values.insert("steps".to_owned(), steps);
    }
    Ok(TensorMapArg { buffer, map: Values(values).map(&ty)? })
}

fn element_type(value: &Value) -> std::result::Result<ElementType, String> {
    let name = value.as_str().unwrap_or_default();
    ElementType::from_name(name).ok_or_else(|| format!("`type` must be one of {}", ElementType::ALL))
}

fn named(value: &Value, ty: Option<ElementType>, inputs: &Inputs) -> std::result::Result<ArgValue, String> {
    let name = value.as_str().ok_or("`in` must be the name of an input array")?;
    let data =
        inputs.get(name).ok_or_else(|| format!("there is no input array `{name}`; give its file with --inputs"))?;
    // Arrays are named after their type: u16.a, f32.special.
    let ty = ty.or_else(|| ElementType::from_name(name.split('.').next().unwrap_or_default()));
    Ok(filled(Direction::In, ty, data.clone()))
}

fn filled(direction: Direction, ty: Option<ElementType>, data: Vec<u8>) -> ArgValue {
    let ty = fitting(ty, data.len());
    ArgValue::Buffer(Buffer { direction, ty, bytes: data.len(), data: Some(data) })
}

fn sized(direction: Direction, ty: Option<ElementType>, value: &Value) -> std::result::Result<ArgValue, String> {
    let bytes = value.as_u64().ok_or_else(|| format!("`{}` must be a number of bytes", direction.word()))?;
    let bytes = usize::try_from(bytes).map_err(|_| "the buffer is too large")?;
    Ok(ArgValue::Buffer(Buffer { direction, ty: fitting(ty, bytes), bytes, data: None }))
}

/// The type to show elements with where none, or one that does not divide the buffer, is given.
fn fitting(ty: Option<ElementType>, bytes: usize) -> ElementType {
    let default = if bytes.is_multiple_of(4) { ElementType::bits(4) } else { ElementType::bits(1) };
    ty.filter(|ty| bytes.is_multiple_of(ty.bytes)).unwrap_or(default)
}

fn scalar(kind: &str, value: &Value) -> std::result::Result<ArgValue, String> {
    let ty = ElementType::from_name(kind).ok_or_else(|| format!("`{kind}` is neither a buffer nor a scalar type"))?;
    let bits = match value {
        Value::Number(number) => ty.parse(&number.to_string()),
        Value::String(text) => ty.parse(text),
        _ => Err(format!("expected a number of type `{ty}`")),
    };
    Ok(ArgValue::Scalar { ty, bits: bits? })
}

fn decode_value(value: &Value) -> std::result::Result<Vec<u8>, String> {
    decode(value.as_str().ok_or("expected base64 text")?)
}

/// Bytes as base64 text.
pub fn encode(data: &[u8]) -> String {
    BASE64.encode(data)
}

/// The bytes of base64 text.
///
/// # Errors
/// Says what is wrong with it.
pub fn decode(text: &str) -> std::result::Result<Vec<u8>, String> {
    BASE64.decode(text).map_err(|error| format!("malformed base64: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Row {
        serde_json::from_str(text).expect("a row")
    }

    #[test]
    fn every_kind_of_argument() {
        let row = row(
            r#"{"id": "x/y", "ptx": ".version 8.0", "entry": "k", "grid": [2, 1, 1], "block": [32], "smem": 8, "args": [
                {"in": "u16.a"}, {"out": 8, "type": "f32", "name": "sum"}, {"inout": "AAEC"}, {"raw": "AQIDBA=="},
                {"uninit": 6}, {"bytes": "/w=="}, {"i32": -1}, {"f32": 1.5}, {"u64": 18446744073709551615}, {"f32": "nan"}]}"#,
        );
        let inputs = Inputs::from([("u16.a".to_owned(), vec![1, 2])]);
        let launch = row.launch(&inputs).expect("good");
        assert_eq!((launch.grid, launch.block, launch.smem), ([2, 1, 1], [32, 1, 1], 8));
        let shown: Vec<String> = launch
            .args
            .iter()
            .map(|arg| match &arg.value {
                ArgValue::Scalar { ty, bits } => format!("{ty} {}", ty.show(*bits)),
                ArgValue::Bytes(data) => format!("bytes {data:?}"),
                ArgValue::Buffer(b) => format!("{} {} {} {:?}", b.direction.word(), b.ty, b.bytes, b.data),
                ArgValue::TensorMap(map) => format!("tensormap {}", map.buffer),
            })
            .collect();
        let expected = [
            "in u16 2 Some([1, 2])",
            "out f32 8 None",
            "inout b8 3 Some([0, 1, 2])",
            "in b32 4 Some([1, 2, 3, 4])",
            "uninit b8 6 None",
            "bytes [255]",
            "i32 -1",
            "f32 1.5",
            "u64 18446744073709551615",
            "f32 NaN",
        ];
        assert_eq!(shown, expected);
        assert_eq!(launch.args[1].name.as_deref(), Some("sum"));
    }

    #[test]
    fn texts_are_as_on_the_command_line() {
        let row = row(r#"{"args": ["out:u32[2]", "x=in:i8=[1,2]"], "expect": {"0": "[7,8]", "1": "AQI="}}"#);
        let launch = row.launch(&Inputs::new()).expect("good");
        assert_eq!(launch.args[1].name.as_deref(), Some("x"));
        let expected = row.expected(&launch).expect("good");
        assert_eq!(expected[&0], [7, 0, 0, 0, 8, 0, 0, 0]);
        assert_eq!(expected[&1], [1, 2]);
    }

    #[test]
    fn errors_name_the_argument() {
        let case = |args: &str, expected: &str| {
            let row = row(&format!(r#"{{"args": [{args}]}}"#));
            let error = row.launch(&Inputs::new()).expect_err(args);
            assert!(error.message.contains(expected), "{}", error.message);
        };
        case(r#"{"u32": 1}, {"in": "none"}"#, "argument 1: there is no input array `none`");
        case(r#"{"out": "x"}"#, "argument 0: `out` must be a number of bytes");
        case(r#"{"u32": -1}"#, "`u32` holds 0 to");
        case(r#"{"raw": "?"}"#, "malformed base64");
        case(r#"{"u32": 1, "u64": 2}"#, "expected one of in");
        case(r#"{"thing": 1}"#, "`thing` is neither");
        case("5", "expected an object");
        case(r#""u33:5""#, "expected a type");
    }

    #[test]
    fn sizes_are_checked() {
        assert!(row(r#"{"grid": []}"#).launch(&Inputs::new()).is_err());
        assert!(row(r#"{"block": [32, 0]}"#).launch(&Inputs::new()).is_err());
    }
}
