//! A row of the table of instruction forms, and how its text is read.
//!
//! A row is written like a syntax line of the manual:
//!
//! ```text
//! atom{.$sem}{.$scope}{.$space}.add{.L2::cache_hint}.(u32|s32|u64) d_, [a], b{, c:b64 ? L2::cache_hint}
//! ```
//!
//! **Modifiers.** `.word` must be there, `{.word}` may be, `.(x|y)` is one of several, `.$set` one of a named set of
//! [`super::sets`]. `word@7.8+sm_90` needs that version and target. Types and layouts come in the order written;
//! the leading words that make up the name of an instruction ([`HEADS`]) come first; anything else in any order,
//! as `ptxas` has it.
//!
//! **Operands.** A letter is a source: a register, an immediate value or the address of a variable; `d` is a
//! destination. Further: `d_` destination or `_`; `%a` a register; `$a` a source that may be a special register;
//! `#n` an immediate, `#n(0..15)` in a range, `#n(24..256/8)` of multiples of 8, `#n(4|8|16)` one of three;
//! `a(0..15)` a source that is in the range if it is immediate; `_` nothing but that; `p` a predicate to write, `p_` or `_`; `!c` a predicate to read; `d|p`
//! and `d{|p}` a pair; `[a]` an address; `<a>` a scalar, or a vector of the length that `.v2` and the like give,
//! of at most 128 bits; `<<a>>` a vector of 256 bits;
//! `a*4` a vector of four and `a*n2` one of half the columns of the shape; `@kind` what [`Special`] lists. `{, c}` may be absent; `{, c ? word}` is there exactly
//! where the modifier is.
//!
//! **Types of operands.** The first type of the instruction; or after a colon `1` for its second type and so on,
//! `wide` for twice the width, or a type. `~` before it allows wider registers.

use super::need::Need;
use super::sets;
use crate::parser::modifier_of;
use warpvm_isa::{Modifier, Opcode, Word};

/// One form of an instruction, as the table has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its syntax in the notation of the table.
    pub syntax: &'static str,
    /// First `.version` and lowest `.target`, e.g. `7.8 sm_90`; empty where every module may use it.
    pub needs: &'static str,
    /// Section of the PTX ISA manual.
    pub section: &'static str,
}

/// Declares rows by section.
macro_rules! rows {
    ($($section:literal { $($syntax:literal $(=> $needs:literal)?;)* })*) => {
        &[$($($crate::check::row::Row {
            syntax: $syntax,
            needs: concat!($($needs)?),
            section: $section,
        },)*)*]
    };
}
pub(crate) use rows;

/// Names of instructions that have more than one word, beyond which the order of modifiers is free.
pub(crate) const HEADS: &[&str] = &[
    "bar.warp",
    "barrier.cluster",
    "barrier.cta",
    "bar.cta",
    "cp.async",
    "cp.async.bulk",
    "cp.reduce",
    "div.full",
    "mad.hi",
    "mad.lo",
    "mad.wide",
    "madc.hi",
    "madc.lo",
    "mul.hi",
    "mul.lo",
    "mul.wide",
    "mul24.hi",
    "mul24.lo",
    "mad24.hi",
    "mad24.lo",
    "wmma.load",
    "wmma.mma",
    "wmma.store",
];

/// A modifier that a slot takes, and what it needs.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub modifier: Modifier,
    pub need: Need,
}

/// A place for one modifier.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub choices: Vec<Choice>,
    pub optional: bool,
}

/// The type an operand must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeOf {
    /// The n-th type of the instruction.
    Nth(usize),
    /// Twice the width of the first type.
    Wide,
    /// A fixed type.
    Fixed(Word),
}

/// Operands that follow rules of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Special {
    /// A label of this function.
    Label,
    /// A function, or a register that holds the address of one.
    Function,
    /// A list of labels.
    Targets,
    /// A list in parentheses.
    List,
    /// A prototype or list of functions.
    Prototype,
    /// Either side of `mov`: what a vector is packed from or unpacked to.
    Pack,
    /// A source of `mov`: anything with a value.
    Value,
    /// `[map, {x, y}]`, `[tex, sampler, {x}]`.
    Coordinates,
    /// A register of a video instruction with a selector or a minus.
    Video,
    /// The destination of a video instruction, maybe with a selector.
    VideoTarget,
    /// A variable, register or `.texref` and the like.
    Opaque,
    /// A vector of any length.
    Vector,
    /// Texels: a vector, perhaps with the predicate that says whether they are resident.
    Texels,
    /// A vector of texel or `im2col` offsets.
    Offsets,
    /// Registers of `tcgen05.ld`: a vector of any length or one register.
    Registers,
    /// Any operands from here on.
    Rest,
}

/// The length of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    Fixed(usize),
    /// The columns of the shape, divided.
    Columns(usize),
}

/// Values an immediate may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Range {
    /// Multiples of `step` from `low` to `high`.
    Steps { low: i64, high: i64, step: i64 },
    /// One of three.
    OneOf([i64; 3]),
}

impl Range {
    pub fn contains(self, value: i64) -> bool {
        match self {
            Range::Steps { low, high, step } => (low..=high).contains(&value) && value % step == 0,
            Range::OneOf(values) => values.contains(&value),
        }
    }
}

/// What may stand in the place of an operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Destination {
        sink: bool,
    },
    Source {
        special: bool,
        range: Option<Range>,
    },
    Register,
    Immediate(Option<Range>),
    PredicateOut {
        sink: bool,
    },
    PredicateIn,
    /// Nothing but `_`.
    Sink,
    /// `d|p`: what the first is, and whether the second may be absent.
    Pair {
        predicate: bool,
        sink: bool,
        optional: bool,
    },
    Address,
    /// A scalar or a vector, as `.v2` and the like say, of at most 128 bits or exactly 256.
    Vectored {
        destination: bool,
        bits: u32,
    },
    /// A vector of fixed length.
    Vector {
        destination: bool,
        length: Length,
    },
    Special(Special),
}

/// When an operand is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Presence {
    Always,
    Optional,
    With(Modifier),
}

/// An operand of a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OperandSpec {
    pub kind: Kind,
    pub ty: TypeOf,
    /// Registers may be wider than the type.
    pub relaxed: bool,
    pub presence: Presence,
}

/// A row, read.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub row: &'static Row,
    pub opcode: Opcode,
    pub head: Vec<Modifier>,
    pub slots: Vec<Slot>,
    pub operands: Vec<OperandSpec>,
    pub need: Need,
}

impl Form {
    /// Reads a row; `Err` names what is wrong with its text.
    pub fn compile(row: &'static Row) -> Result<Form, String> {
        let (name, operands) = row.syntax.split_once(' ').unwrap_or((row.syntax, ""));
        let mut text = Text { rest: name };
        let opcode = Opcode::from_text(text.take_word()).ok_or("unknown opcode")?;
        let mut slots = Vec::new();
        while !text.rest.is_empty() {
            slots.push(text.slot()?);
        }
        let head = take_head(opcode, &mut slots);
        let mut text = Text { rest: operands };
        let mut specs = Vec::new();
        while !text.skip_blanks().is_empty() {
            specs.push(text.operand()?);
        }
        let need = Need::parse(row.needs).ok_or("malformed needs")?;
        Ok(Form { row, opcode, head, slots, operands: specs, need })
    }
}

/// Splits the words of the longest name in [`HEADS`] off the slots.
fn take_head(opcode: Opcode, slots: &mut Vec<Slot>) -> Vec<Modifier> {
    let words = |head: &str| -> Option<usize> {
        let mut parts = head.split('.');
        if parts.next() != Some(opcode.text()) {
            return None;
        }
        let matches = |(index, word): (usize, &str)| {
            slots.get(index).is_some_and(|slot: &Slot| {
                !slot.optional && slot.choices.len() == 1 && modifier_of(word) == Some(slot.choices[0].modifier)
            })
        };
        parts.clone().enumerate().all(matches).then(|| parts.count())
    };
    let length = HEADS.iter().filter_map(|head| words(head)).max().unwrap_or(0);
    slots.drain(..length).map(|slot| slot.choices[0].modifier).collect()
}

struct Text<'a> {
    rest: &'a str,
}

impl<'a> Text<'a> {
    fn eat(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, prefix: &str) -> Result<(), String> {
        if self.eat(prefix) { Ok(()) } else { Err(format!("expected `{prefix}` at `{}`", self.rest)) }
    }

    fn skip_blanks(&mut self) -> &'a str {
        self.rest = self.rest.trim_start_matches([' ', ',']);
        self.rest
    }

    /// Letters, digits, `_`, `::`, and what a need is written with.
    fn take_word(&mut self) -> &'a str {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// `{.word}`, `.word`, `.(a|b)`, `.$set`
    fn slot(&mut self) -> Result<Slot, String> {
        let optional = self.eat("{");
        self.expect(".")?;
        let mut choices = Vec::new();
        if self.eat("(") {
            let (list, rest) = self.rest.split_once(')').ok_or("expected `)`")?;
            self.rest = rest;
            for item in split_choices(list) {
                add_choice(item, &mut choices)?;
            }
        } else {
            let end = self.rest.find(['.', '{', '}']).unwrap_or(self.rest.len());
            // A version has a dot: `.word@7.8`.
            let end = match self.rest.find('@') {
                Some(at) if at < end => {
                    self.rest[end + 1..].find(['.', '{', '}']).map_or(self.rest.len(), |n| end + 1 + n)
                }
                _ => end,
            };
            let (item, rest) = self.rest.split_at(end);
            self.rest = rest;
            add_choice(item, &mut choices)?;
        }
        if optional {
            self.expect("}")?;
        }
        Ok(Slot { choices, optional })
    }

    fn operand(&mut self) -> Result<OperandSpec, String> {
        let optional = self.eat("{");
        self.skip_blanks();
        let (kind, default) = self.kind()?;
        let (ty, relaxed) = self.type_of(default)?;
        let mut presence = if optional { Presence::Optional } else { Presence::Always };
        if self.eat(" ? ") {
            let word = self.take_word();
            presence = Presence::With(modifier_of(word).ok_or_else(|| format!("unknown word `{word}`"))?);
        }
        if optional {
            self.expect("}")?;
        }
        Ok(OperandSpec { kind, ty, relaxed, presence })
    }

    /// A letter or a few.
    fn take_name(&mut self) -> &'a str {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn kind(&mut self) -> Result<(Kind, TypeOf), String> {
        let first = TypeOf::Nth(0);
        if self.eat("[") {
            self.take_name();
            self.expect("]")?;
            return Ok((Kind::Address, TypeOf::Fixed(Word::B64)));
        }
        if self.eat("<<") {
            let destination = self.take_name() == "d";
            self.expect(">>")?;
            return Ok((Kind::Vectored { destination, bits: 256 }, first));
        }
        if self.eat("<") {
            let destination = self.take_name() == "d";
            self.expect(">")?;
            return Ok((Kind::Vectored { destination, bits: 128 }, first));
        }
        if self.eat("#") {
            self.take_name();
            return Ok((Kind::Immediate(self.range()?), first));
        }
        if self.eat("!") {
            self.take_name();
            return Ok((Kind::PredicateIn, TypeOf::Fixed(Word::Pred)));
        }
        if self.eat("@") {
            let name = self.take_name();
            return Ok((Kind::Special(special(name)?), first));
        }
        if self.eat("%") {
            self.take_name();
            return Ok((Kind::Register, first));
        }
        if self.eat("$") {
            self.take_name();
            return Ok((Kind::Source { special: true, range: None }, first));
        }
        if self.eat("_") {
            return Ok((Kind::Sink, first));
        }
        let name = self.take_name();
        if name.is_empty() {
            return Err(format!("expected an operand at `{}`", self.rest));
        }
        if self.eat("*") {
            let text = self.take_name();
            let parsed = match text.strip_prefix('n') {
                Some(divisor) => divisor.parse().map(Length::Columns),
                None => text.parse().map(Length::Fixed),
            };
            let length = parsed.map_err(|_| format!("bad length `{text}`"))?;
            return Ok((Kind::Vector { destination: name == "d", length }, first));
        }
        Ok(match name {
            "d" | "p" => self.destination(name),
            _ => (Kind::Source { special: false, range: self.range()? }, first),
        })
    }

    /// What follows `d` or `p`.
    fn destination(&mut self, name: &str) -> (Kind, TypeOf) {
        let predicate = name == "p";
        let first = if predicate { TypeOf::Fixed(Word::Pred) } else { TypeOf::Nth(0) };
        let sink = self.eat("_");
        let kind = if self.eat("{|p}") || self.eat("{|q}") {
            Kind::Pair { predicate, sink, optional: true }
        } else if self.eat("|p") || self.eat("|q") {
            Kind::Pair { predicate, sink, optional: false }
        } else if predicate {
            Kind::PredicateOut { sink }
        } else {
            Kind::Destination { sink }
        };
        (kind, first)
    }

    /// `(0..15)` or `(24..256/8)`: multiples of 8.
    fn range(&mut self) -> Result<Option<Range>, String> {
        if !self.eat("(") {
            return Ok(None);
        }
        let (text, rest) = self.rest.split_once(')').ok_or("expected `)`")?;
        self.rest = rest;
        if text.contains('|') {
            let values: Vec<i64> = text.split('|').filter_map(|value| value.parse().ok()).collect();
            let values = values.try_into().map_err(|_| format!("expected three numbers, found `{text}`"))?;
            return Ok(Some(Range::OneOf(values)));
        }
        let (range, step) = text.split_once('/').unwrap_or((text, "1"));
        let (low, high) = range.split_once("..").ok_or("expected `..`")?;
        match (low.parse(), high.parse(), step.parse()) {
            (Ok(low), Ok(high), Ok(step)) if step > 0 => Ok(Some(Range::Steps { low, high, step })),
            _ => Err(format!("bad range `{text}`")),
        }
    }

    fn type_of(&mut self, default: TypeOf) -> Result<(TypeOf, bool), String> {
        if !self.eat(":") {
            return Ok((default, false));
        }
        let relaxed = self.eat("~");
        let word = self.take_name();
        let ty = match word {
            "wide" => TypeOf::Wide,
            _ => match (word.parse(), Word::from_text(word)) {
                (Ok(index), _) => TypeOf::Nth(index),
                (_, Some(word)) => TypeOf::Fixed(word),
                _ => return Err(format!("unknown type `{word}`")),
            },
        };
        Ok((ty, relaxed))
    }
}

/// Splits at `|`, except inside needs, where alternatives are not written in choices.
fn split_choices(list: &str) -> impl Iterator<Item = &str> {
    list.split('|')
}

fn add_choice(item: &str, choices: &mut Vec<Choice>) -> Result<(), String> {
    let (word, need) = item.split_once('@').unwrap_or((item, ""));
    if let Some(name) = word.strip_prefix('$') {
        let set = sets::find(name).ok_or_else(|| format!("unknown set `{name}`"))?;
        for item in split_choices(set) {
            let before = choices.len();
            add_choice(item, choices)?;
            if !need.is_empty() {
                let need = Need::parse(need).ok_or("malformed need")?;
                choices[before..].iter_mut().for_each(|choice| choice.need = need.clone());
            }
        }
        return Ok(());
    }
    // `m64n*k16`: any number of columns, which the matcher takes 0 for; `m64n+k32`: those of integers, 1.
    let columns = word.find("n*k").map(|_| 0).or(word.find("n+k").map(|_| 1));
    let spelled = word.replace("n*k", "n8k").replace("n+k", "n8k");
    let mut modifier = modifier_of(&spelled).ok_or_else(|| format!("unknown word `{word}`"))?;
    if let (Some(columns), Modifier::Shape { n, .. }) = (columns, &mut modifier) {
        *n = columns;
    }
    let need = Need::parse(need).ok_or_else(|| format!("malformed need `{need}`"))?;
    choices.push(Choice { modifier, need });
    Ok(())
}

fn special(name: &str) -> Result<Special, String> {
    Ok(match name {
        "label" => Special::Label,
        "function" => Special::Function,
        "targets" => Special::Targets,
        "list" => Special::List,
        "prototype" => Special::Prototype,
        "pack" => Special::Pack,
        "value" => Special::Value,
        "coordinates" => Special::Coordinates,
        "video" => Special::Video,
        "videotarget" => Special::VideoTarget,
        "opaque" => Special::Opaque,
        "vector" => Special::Vector,
        "texels" => Special::Texels,
        "offsets" => Special::Offsets,
        "registers" => Special::Registers,
        "rest" => Special::Rest,
        _ => return Err(format!("unknown kind `@{name}`")),
    })
}
