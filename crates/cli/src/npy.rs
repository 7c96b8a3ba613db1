//! `NumPy`'s `.npy` files: one array of numbers.
//!
//! The format: the bytes `\x93NUMPY`, a version, the length of a header, the header (a Python dictionary with `descr`,
//! `fortran_order` and `shape`, padded with blanks and a line break), the elements. Versions 1 to 3 are read, version 1
//! is written.

use crate::element::{Class, ElementType};

const MAGIC: &[u8] = b"\x93NUMPY";

/// An array as stored.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    /// The type of its elements.
    pub ty: ElementType,
    /// Its dimensions.
    pub shape: Vec<usize>,
    /// Its elements, little-endian, last index fastest.
    pub data: Vec<u8>,
}

impl Array {
    /// May its elements be taken as this type? Signed and unsigned are the same bits; `b32` takes any 4 bytes; `NumPy`
    /// has no bf16, so two-byte integers stand for it.
    pub fn fits(&self, ty: ElementType) -> bool {
        let whole = |class| matches!(class, Class::Unsigned | Class::Signed | Class::Bits);
        let same = ty.class == self.ty.class || (whole(ty.class) && whole(self.ty.class));
        ty.bytes == self.ty.bytes
            && (same || ty.class == Class::Bits || (ty.class == Class::Brain && whole(self.ty.class)))
    }
}

/// Reads a file's content.
///
/// # Errors
/// Says what is wrong with it.
pub fn read(content: &[u8]) -> Result<Array, String> {
    let rest = content.strip_prefix(MAGIC).ok_or("not a .npy file")?;
    let (&[major, _minor], rest) = rest.split_first_chunk().ok_or("cut short")?;
    let (length, rest) = match major {
        1 => rest.split_first_chunk().map(|(n, rest)| (u16::from_le_bytes(*n) as usize, rest)),
        2 | 3 => rest.split_first_chunk().map(|(n, rest)| (u32::from_le_bytes(*n) as usize, rest)),
        _ => return Err(format!("version {major} of the format is not known")),
    }
    .ok_or("cut short")?;
    let (header, elements) = rest.split_at_checked(length).ok_or("cut short")?;
    let header = std::str::from_utf8(header).map_err(|_| "the header is not text")?;
    let (ty, order) = element_type(field(header, "descr")?)?;
    let shape = shape(field(header, "shape")?)?;
    if field(header, "fortran_order")?.starts_with("True") && shape.iter().filter(|&&n| n != 1).count() > 1 {
        return Err("the array is stored in Fortran order; save numpy.ascontiguousarray of it".to_owned());
    }
    let bytes = shape.iter().try_fold(ty.bytes, |all, &n| all.checked_mul(n)).ok_or("the shape is too large")?;
    let mut data = elements.get(..bytes).ok_or("it holds fewer elements than its shape says")?.to_vec();
    if order == Order::Big {
        data.chunks_exact_mut(ty.bytes).for_each(<[u8]>::reverse);
    }
    Ok(Array { ty, shape, data })
}

/// What follows `'key':` in the header.
fn field<'a>(header: &'a str, key: &str) -> Result<&'a str, String> {
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let found = quoted.iter().find_map(|quoted| header.split_once(quoted.as_str()));
    let value = found.and_then(|(_, rest)| rest.trim_start().strip_prefix(':'));
    value.map(str::trim_start).ok_or_else(|| format!("the header has no `{key}`"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

fn element_type(value: &str) -> Result<(ElementType, Order), String> {
    let unknown =
        || format!("the element type {} is not one of {}", value.split(',').next().unwrap_or(""), ElementType::ALL);
    let quote = value.chars().next().filter(|c| matches!(c, '\'' | '"')).ok_or_else(unknown)?;
    let descr = value[1..].split(quote).next().unwrap_or("");
    let order = if descr.starts_with('>') { Order::Big } else { Order::Little };
    let name = match descr.trim_start_matches(['<', '>', '|', '=']) {
        "u1" | "b1" => "u8",
        "u2" => "u16",
        "u4" => "u32",
        "u8" => "u64",
        "i1" => "i8",
        "i2" => "i16",
        "i4" => "i32",
        "i8" => "i64",
        "f2" => "f16",
        "f4" => "f32",
        "f8" => "f64",
        _ => return Err(unknown()),
    };
    ElementType::from_name(name).map(|ty| (ty, order)).ok_or_else(unknown)
}

fn shape(value: &str) -> Result<Vec<usize>, String> {
    let inner = value.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or("the shape is no tuple")?.0;
    let dimensions = inner.split(',').map(str::trim).filter(|part| !part.is_empty());
    dimensions.map(|part| part.parse().map_err(|_| format!("`{part}` in the shape is no number"))).collect()
}

/// A file's content for a one-dimensional array. Types that `NumPy` lacks (bf16, bits) are stored as unsigned integers.
pub fn write(ty: ElementType, data: &[u8]) -> Vec<u8> {
    let kind = match ty.class {
        Class::Signed => 'i',
        Class::Float => 'f',
        Class::Unsigned | Class::Bits | Class::Brain => 'u',
    };
    let order = if ty.bytes == 1 { '|' } else { '<' };
    let count = data.len() / ty.bytes;
    let mut header = format!("{{'descr': '{order}{kind}{}', 'fortran_order': False, 'shape': ({count},), }}", ty.bytes);
    // The elements start at a multiple of 64; before the header stand ten bytes, at its end a line break.
    let padding = (64 - (10 + header.len() + 1) % 64) % 64;
    header.push_str(&" ".repeat(padding));
    header.push('\n');
    let mut out = Vec::with_capacity(10 + header.len() + data.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[1, 0]);
    out.extend_from_slice(&(header.len() as u16).to_le_bytes());
    out.extend_from_slice(header.as_bytes());
    out.extend_from_slice(&data[..count * ty.bytes]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&[version, 0]);
        match version {
            1 => out.extend_from_slice(&(header.len() as u16).to_le_bytes()),
            _ => out.extend_from_slice(&(header.len() as u32).to_le_bytes()),
        }
        out.extend_from_slice(header.as_bytes());
        out.extend_from_slice(data);
        out
    }

    #[test]
    fn what_is_written_is_read() {
        for name in ["u8", "i16", "u32", "f64", "f16"] {
            let ty = ElementType::from_name(name).expect("a type");
            let data: Vec<u8> = (0..32).collect();
            let content = write(ty, &data);
            let array = read(&content).expect("good");
            assert_eq!((array.ty, array.shape, array.data), (ty, vec![32 / ty.bytes], data));
            assert_eq!((content.len() - 32) % 64, 0);
        }
    }

    #[test]
    fn bytes_that_numpy_wrote() {
        // numpy.save of numpy.array([[1, 2], [3, 4]], '>i2')
        let header = "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 2), }                                                     \n";
        let array = read(&file(1, header, &[0, 1, 0, 2, 0, 3, 0, 4])).expect("good");
        assert_eq!(array.shape, [2, 2]);
        assert_eq!(array.data, [1, 0, 2, 0, 3, 0, 4, 0]);
        let scalar = read(&file(2, "{'descr': '<f4', 'fortran_order': True, 'shape': ()}\n", &[0; 4])).expect("good");
        assert_eq!((scalar.ty.name(), scalar.data.len()), ("f32", 4));
    }

    #[test]
    fn bad_files_are_refused() {
        let good = "{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }\n";
        assert!(read(b"PK").is_err());
        assert!(read(&file(9, good, &[0; 8])).unwrap_err().contains("version 9"));
        assert!(read(&file(1, good, &[0; 7])).unwrap_err().contains("fewer elements"));
        assert!(read(&file(1, &good.replace("<u4", "<c8"), &[0; 16])).unwrap_err().contains("element type"));
        assert!(read(&file(1, &good.replace("(2,)", "(1e9,)"), &[0; 8])).is_err());
        assert!(read(&file(1, &good.replace("'<u4'", "[('a', '<u4')]"), &[0; 8])).is_err());
        let fortran = good.replace("False", "True").replace("(2,)", "(2, 1)");
        assert!(read(&file(1, &fortran, &[0; 8])).is_ok());
        let fortran = fortran.replace("(2, 1)", "(2, 3)");
        assert!(read(&file(1, &fortran, &[0; 24])).unwrap_err().contains("Fortran"));
        for end in 0..80 {
            let whole = file(1, good, &[0; 8]);
            let _ = read(&whole[..end.min(whole.len())]);
        }
    }

    #[test]
    fn types_fit_by_their_bits() {
        let array = |name| Array { ty: ElementType::from_name(name).expect("a type"), shape: vec![], data: vec![] };
        let fits = |stored, wanted| array(stored).fits(ElementType::from_name(wanted).expect("a type"));
        assert!(fits("i32", "u32") && fits("f32", "b32") && fits("u16", "bf16"));
        assert!(!fits("f32", "u32") && !fits("i64", "i32") && !fits("f16", "bf16") && !fits("u32", "f32"));
    }
}
