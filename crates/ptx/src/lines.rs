//! Byte offsets to lines and columns.

/// The beginnings of the lines of a text; made once, asked in logarithmic time.
#[derive(Clone, Debug)]
pub struct LineMap {
    starts: Vec<u32>,
    len: u32,
}

impl LineMap {
    /// Finds the lines of `text`.
    pub fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at as u32 + 1);
        LineMap { starts: std::iter::once(0).chain(breaks).collect(), len: text.len() as u32 }
    }

    /// Line and column of a byte, both from 1; the column counts bytes.
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line.saturating_sub(1)];
        (line as u32, offset - start + 1)
    }

    /// The bytes of a line (numbered from 1) with its line break; empty where there is no such line.
    pub fn range(&self, line: u32) -> std::ops::Range<usize> {
        let Some(&start) = (line as usize).checked_sub(1).and_then(|index| self.starts.get(index)) else {
            return 0..0;
        };
        let end = self.starts.get(line as usize).copied().unwrap_or(self.len);
        start as usize..end as usize
    }
}
