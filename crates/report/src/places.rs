//! Where the instructions of a program stand: in the PTX, and in the source behind it.

use std::collections::HashMap;

use warpvm_profile::Map;

use crate::inlining::Callers;
use crate::sources::SourceFile;

/// The places of all instructions of a [`Map`].
pub struct Places {
    /// Name of the PTX for the reader.
    pub ptx_path: String,
    /// The lines of the PTX.
    pub ptx: Vec<String>,
    /// Line of each instruction in the PTX, from 1; 0 for an instruction that is not in the text.
    pub ptx_line: Vec<u32>,
    /// The source files that were found.
    pub files: Vec<SourceFile>,
    /// File and line of each instruction in the source.
    pub source: Vec<Option<(usize, u32)>>,
}

impl Places {
    /// Looks the places up. `find` gives the text of a source file; it is asked once for each.
    pub fn new(map: &Map, ptx_path: &str, find: &dyn Fn(&str) -> Option<SourceFile>) -> Self {
        let text = &*map.program.source;
        let starts: Vec<usize> =
            std::iter::once(0).chain(text.bytes().enumerate().filter(|x| x.1 == b'\n').map(|x| x.0 + 1)).collect();
        let mut places = Places {
            ptx_path: ptx_path.to_owned(),
            ptx: text.lines().map(str::to_owned).collect(),
            ptx_line: Vec::new(),
            files: Vec::new(),
            source: Vec::new(),
        };
        let callers = Callers::new(text);
        let mut known: HashMap<u32, Option<usize>> = HashMap::new();
        for instruction in &map.instructions {
            let span = instruction.span;
            let line = if span.end == 0 { 0 } else { starts.partition_point(|&s| s <= span.start as usize) as u32 };
            places.ptx_line.push(line);
            let loc = map.program.meta[instruction.pc as usize].loc.filter(|loc| loc.line > 0);
            // The innermost place whose file is at hand: not in a toolkit's header that nobody here wrote.
            let mut all = loc.iter().flat_map(|loc| {
                let first = (loc.file, loc.line, loc.column);
                std::iter::once(first).chain(callers.chain(loc.inlined_at, span.start as usize))
            });
            let found = all.find_map(|(file, line, _)| {
                let index = *known.entry(file).or_insert_with(|| places.open(map.program.files.get(&file)?, find));
                index.map(|index| (index, line))
            });
            places.source.push(found);
        }
        places
    }

    fn open(&mut self, path: &str, find: &dyn Fn(&str) -> Option<SourceFile>) -> Option<usize> {
        let file = find(path)?;
        if let Some(known) = self.files.iter().position(|f| f.path == file.path) {
            return Some(known);
        }
        self.files.push(file);
        Some(self.files.len() - 1)
    }

    /// A line of a source file.
    pub fn source_text(&self, file: usize, line: u32) -> &str {
        self.files[file].text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default()
    }

    /// A line of the PTX.
    pub fn ptx_text(&self, line: u32) -> &str {
        (line as usize).checked_sub(1).and_then(|i| self.ptx.get(i)).map_or("", String::as_str)
    }

    /// The text of an instruction, on one line.
    pub fn instruction_text(&self, map: &Map, instruction: usize) -> String {
        let span = map.instructions[instruction].span;
        let text = map.program.source.get(span.start as usize..span.end as usize).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Where an instruction is, for the reader: `k.cu:12`, or `ptx 61` where there is no source.
    pub fn name(&self, instruction: usize) -> String {
        match self.source[instruction] {
            Some((file, line)) => format!("{}:{line}", short(&self.files[file].path)),
            None => format!("ptx {}", self.ptx_line[instruction]),
        }
    }
}

/// The last part of a path.
pub(crate) fn short(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
