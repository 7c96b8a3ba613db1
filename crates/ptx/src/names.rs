//! Interning of identifiers: equal texts get equal numbers, in order of first appearance.

use crate::tree::Name;
use std::hash::{BuildHasher, RandomState};
use warpvm_isa::SpecialRegister;

/// What is known of a name before any declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// An ordinary name.
    Plain,
    /// `_`
    Sink,
    /// `WARP_SZ`
    WarpSize,
    /// A special register without components: `%laneid`.
    Special(SpecialRegister),
    /// A special register with components: `%tid`.
    SpecialVector,
}

struct Entry {
    hash: u64,
    start: u32,
    len: u32,
    class: Class,
}

/// An open-addressed table from text to number. The texts stay in the source.
pub(crate) struct Names<'a> {
    text: &'a str,
    slots: Vec<u32>,
    entries: Vec<Entry>,
    seed: u64,
}

impl<'a> Names<'a> {
    pub fn new(text: &'a str) -> Self {
        // The seed keeps crafted names from colliding; numbers do not depend on it.
        let seed = RandomState::new().hash_one(0u64) | 1;
        Names { text, slots: vec![0; 256], entries: Vec::new(), seed }
    }

    /// The number of the name at these bytes of the source.
    pub fn intern(&mut self, start: u32, end: u32) -> Name {
        let bytes = &self.text.as_bytes()[start as usize..end as usize];
        let hash = hash(bytes, self.seed);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return self.insert(slot, hash, start, end),
                index if self.matches(index - 1, hash, bytes) => return Name(index - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn matches(&self, index: u32, hash: u64, bytes: &[u8]) -> bool {
        let entry = &self.entries[index as usize];
        entry.hash == hash && {
            let start = entry.start as usize;
            &self.text.as_bytes()[start..start + entry.len as usize] == bytes
        }
    }

    fn insert(&mut self, slot: usize, hash: u64, start: u32, end: u32) -> Name {
        let class = classify(&self.text[start as usize..end as usize]);
        self.entries.push(Entry { hash, start, len: end - start, class });
        let number = self.entries.len() as u32;
        self.slots[slot] = number;
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        }
        Name(number - 1)
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        let mut slots = vec![0; mask + 1];
        for (index, entry) in self.entries.iter().enumerate() {
            let mut slot = entry.hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = index as u32 + 1;
        }
        self.slots = slots;
    }

    /// What is known of this name.
    pub fn class(&self, name: Name) -> Class {
        self.entries[name.0 as usize].class
    }

    /// The text of this name.
    pub fn text(&self, name: Name) -> &'a str {
        let entry = &self.entries[name.0 as usize];
        &self.text[entry.start as usize..entry.start as usize + entry.len as usize]
    }

    /// All texts in order of their numbers.
    pub fn into_texts(self) -> Vec<String> {
        let text = self.text;
        let slice = |entry: &Entry| text[entry.start as usize..entry.start as usize + entry.len as usize].to_owned();
        self.entries.iter().map(slice).collect()
    }
}

fn classify(text: &str) -> Class {
    match text.as_bytes() {
        b"_" => Class::Sink,
        b"WARP_SZ" => Class::WarpSize,
        [b'%', ..] => match SpecialRegister::from_text(text) {
            Some(register) => Class::Special(register),
            None if is_vector_special(text) => Class::SpecialVector,
            None => Class::Plain,
        },
        _ => Class::Plain,
    }
}

fn is_vector_special(text: &str) -> bool {
    let name = text.strip_prefix('%').unwrap_or(text);
    matches!(
        name,
        "tid" | "ntid" | "ctaid" | "nctaid" | "clusterid" | "nclusterid" | "cluster_ctaid" | "cluster_nctaid"
    )
}

/// Folds eight bytes at a time into 64 bits.
pub(crate) fn hash(bytes: &[u8], seed: u64) -> u64 {
    let mut state = seed ^ bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
        state = fold(state ^ word);
    }
    let word = chunks.remainder().iter().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
    fold(state ^ word ^ seed.rotate_left(32))
}

fn fold(x: u64) -> u64 {
    let product = u128::from(x) * 0x9e37_79b9_7f4a_7c15;
    (product as u64) ^ ((product >> 64) as u64)
}
