//! The recorded sums: all of them, and a small sample for the default tests.

use super::CHUNKS;
use std::fs;
use std::io::BufReader;
use std::path::PathBuf;

/// Sums by function and chunk.
pub struct Truth {
    names: Vec<String>,
    chunks: Vec<u32>,
    sums: Vec<u64>,
}

impl Truth {
    /// The recorded functions, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The recorded sum of a chunk, if there is one.
    pub fn sum(&self, name: &str, chunk: u32) -> Option<u64> {
        let function = self.names.iter().position(|n| n == name)?;
        let at = self.chunks.binary_search(&chunk).ok()?;
        self.sums.get(function * self.chunks.len() + at).copied()
    }
}

/// All sums.
///
/// # Errors
/// A message, where a file is missing or broken.
pub fn full() -> Result<Truth, String> {
    let path = folder().join("sums.bin.xz");
    let file = fs::File::open(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut bytes = Vec::new();
    lzma_rs::xz_decompress(&mut BufReader::new(file), &mut bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    truth((0..CHUNKS).collect(), &bytes)
}

/// The sums of [`sampled_chunks`].
///
/// # Errors
/// A message, where a file is missing or broken.
pub fn sample() -> Result<Truth, String> {
    let path = folder().join("sample.bin");
    let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    truth(sampled_chunks(), &bytes)
}

/// Writes the sample from the full sums.
///
/// # Errors
/// A message, where a file cannot be read or written.
pub fn write_sample() -> Result<(), String> {
    let full = full()?;
    let sums = full.names().flat_map(|name| sampled_chunks().into_iter().filter_map(|c| full.sum(name, c)));
    let bytes: Vec<u8> = sums.flat_map(u64::to_le_bytes).collect();
    let path = folder().join("sample.bin");
    fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

/// The chunks of the sample: the ends of both signs, the binades around one, and others spread over all.
pub fn sampled_chunks() -> Vec<u32> {
    let mut chunks = vec![0, 1, 0x7f, 0x80, 0x7eff, 0x7f7f, 0x7f80, 0x8000, 0x8080, 0xff7f, 0xff80, 0xffff];
    chunks.extend([0x3b80, 0x3e00, 0x3f00, 0x3f7f, 0x3f80, 0x4000, 0x4080, 0x42fc, 0xbf7f, 0xbf80, 0xc000, 0xc2fc]);
    chunks.extend((0..40).map(|i| i * 1638 + 813));
    chunks.sort_unstable();
    chunks
}

fn truth(chunks: Vec<u32>, bytes: &[u8]) -> Result<Truth, String> {
    let path = folder().join("names.txt");
    let names = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let names: Vec<String> = names.lines().map(str::to_owned).collect();
    let sums: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|b| u64::from_le_bytes(*b)).collect();
    if sums.len() != names.len() * chunks.len() {
        return Err(format!("{} sums for {} functions of {} chunks", sums.len(), names.len(), chunks.len()));
    }
    Ok(Truth { names, chunks, sums })
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/truth/special")
}
