//! Instructions: guard, opcode, modifiers, operands (PTX ISA, sections 4.3.2 and 9.1).
//!
//! The run `opcode.word.word` is looked up as a whole in a table of runs seen before, so that the usual instruction
//! costs one look-up.

use super::{Parsed, Parser};
use crate::error::{Error, Failure};
use crate::lexer::{Kind, Token};
use crate::names::hash;
use crate::suggest;
use crate::tree::{Guard, Instruction, Span};
use std::sync::{Arc, LazyLock};
use warpvm_isa::{Modifier, Opcode, Word};

/// A table from text to value, with linear probing; never full.
struct Table<'a, V> {
    slots: Vec<Option<(&'a str, V)>>,
    len: usize,
}

impl<V> Default for Table<'_, V> {
    fn default() -> Self {
        Table { slots: (0..64).map(|_| None).collect(), len: 0 }
    }
}

impl<'a, V> Table<'a, V> {
    fn slot(slots: &[Option<(&'a str, V)>], text: &str) -> usize {
        let mask = slots.len() - 1;
        let mut slot = hash(text.as_bytes(), 0x51) as usize & mask;
        while slots[slot].as_ref().is_some_and(|(key, _)| *key != text) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn get(&self, text: &str) -> Option<&V> {
        self.slots[Self::slot(&self.slots, text)].as_ref().map(|(_, value)| value)
    }

    fn insert(&mut self, text: &'a str, value: V) {
        if (self.len + 1) * 2 > self.slots.len() {
            let bigger = (0..self.slots.len() * 4).map(|_| None).collect();
            for (key, value) in std::mem::replace(&mut self.slots, bigger).into_iter().flatten() {
                let slot = Self::slot(&self.slots, key);
                self.slots[slot] = Some((key, value));
            }
        }
        let slot = Self::slot(&self.slots, text);
        self.slots[slot] = Some((text, value));
        self.len += 1;
    }
}

static OPCODES: LazyLock<Table<'static, Opcode>> = LazyLock::new(|| {
    let mut table = Table::default();
    for &opcode in Opcode::ALL {
        table.insert(opcode.text(), opcode);
    }
    table
});

static WORDS: LazyLock<Table<'static, Word>> = LazyLock::new(|| {
    let mut table = Table::default();
    for &word in Word::ALL {
        table.insert(word.text(), word);
    }
    table
});

/// Heads of instructions seen in this module.
#[derive(Default)]
pub(super) struct Heads<'a>(Table<'a, (Opcode, Arc<[Modifier]>)>);

/// How many different heads are remembered; crafted text with more is read without the table.
const MAX_HEADS: usize = 1 << 14;

impl Parser<'_> {
    /// `@p ...` or `@!p ...`
    pub(super) fn guarded_instruction(&mut self) -> Parsed<Instruction> {
        let start = self.advance()?.start;
        let negated = self.eat(b'!')?;
        let predicate = self.name("a predicate register")?;
        let guard = Some(Guard { predicate, negated });
        let token = self.token;
        if token.kind != Kind::Ident {
            return Err(self.expected("an instruction after its guard"));
        }
        let end = self.lexer.take_dotted_run();
        self.instruction(guard, start, Token { end, ..token })
    }

    /// The instruction whose opcode and modifiers are `head`; the lexer stands right after it.
    pub(super) fn instruction(&mut self, guard: Option<Guard>, start: u32, head: Token) -> Parsed<Instruction> {
        self.last_end = head.end;
        let (opcode, mut modifiers) = self.head(head)?;
        self.token = self.lexer.next()?;
        if self.token.kind == Kind::Dot {
            // Modifiers with blanks between them.
            let mut more = modifiers.to_vec();
            while self.token.kind == Kind::Dot {
                let token = self.advance()?;
                more.push(modifier(self.word(token), token.span(), opcode)?);
            }
            modifiers = more.into();
        }
        let operands = self.operands(opcode)?;
        let span = self.span_from(start);
        Ok(Instruction { guard, opcode, modifiers, operands, span })
    }

    fn head(&mut self, head: Token) -> Parsed<(Opcode, Arc<[Modifier]>)> {
        let text = self.slice(head);
        if let Some(known) = self.heads.0.get(text) {
            return Ok(known.clone());
        }
        let parsed = parse_head(text, head.start)?;
        if self.heads.0.len < MAX_HEADS {
            self.heads.0.insert(text, parsed.clone());
        }
        Ok(parsed)
    }
}

fn parse_head(text: &str, start: u32) -> Parsed<(Opcode, Arc<[Modifier]>)> {
    let mut parts = text.split('.');
    let first = parts.next().unwrap_or_default();
    let mut at = start + first.len() as u32;
    let Some(&opcode) = OPCODES.get(first) else {
        return Err(unknown_opcode(first, Span { start, end: at }));
    };
    let mut modifiers = Vec::new();
    for part in parts {
        let span = Span { start: at, end: at + 1 + part.len() as u32 };
        at = span.end;
        modifiers.push(modifier(part, span, opcode)?);
    }
    Ok((opcode, modifiers.into()))
}

fn unknown_opcode(text: &str, span: Span) -> Failure {
    let error = Error::invalid(span, format!("unknown instruction `{text}`"));
    suggest::add(error, text, Opcode::ALL.iter().map(|opcode| opcode.text()), "").into()
}

/// The modifier with this spelling, without its dot.
pub(crate) fn modifier_of(text: &str) -> Option<Modifier> {
    WORDS.get(text).map(|&word| Modifier::Word(word)).or_else(|| shape(text))
}

fn modifier(text: &str, span: Span, opcode: Opcode) -> Parsed<Modifier> {
    if let Some(modifier) = modifier_of(text) {
        return Ok(modifier);
    }
    let error = Error::invalid(span, format!("unknown modifier `.{text}` of `{opcode}`"));
    Err(suggest::add(error, text, Word::ALL.iter().map(|word| word.text()), ".").into())
}

/// `m16n8` or `m16n8k16`
fn shape(text: &str) -> Option<Modifier> {
    let (m, rest) = number(text.strip_prefix('m')?)?;
    let (n, rest) = number(rest.strip_prefix('n')?)?;
    let (k, rest) = match rest.strip_prefix('k') {
        Some(rest) => number(rest)?,
        None => (0, rest),
    };
    rest.is_empty().then_some(Modifier::Shape { m, n, k })
}

/// Digits without a leading zero, and what follows.
fn number(text: &str) -> Option<(u16, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if text.starts_with('0') {
        return None;
    }
    Some((text[..digits].parse().ok()?, &text[digits..]))
}
