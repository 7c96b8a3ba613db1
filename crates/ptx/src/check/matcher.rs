//! Modifiers of an instruction against the slots of a form.

use super::need::{Need, Offer};
use super::row::{Form, Slot};
use super::sets;
use warpvm_isa::{Modifier, Opcode, ScalarType, Word};

/// What the slots of a form were filled with.
#[derive(Clone, Debug)]
pub(crate) struct Bound<'a> {
    pub form: &'static Form,
    pub modifiers: &'a [Modifier],
    /// The types, in order.
    pub types: Vec<Word>,
    /// Needs of the modifiers that were used, with the modifier.
    needs: Vec<(Modifier, &'static Need)>,
}

/// How a form fails to match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mismatch {
    /// Modifiers that no slot took.
    pub left: Vec<Modifier>,
    /// Slots that had to be filled.
    pub missing: Vec<usize>,
    /// How many were placed.
    pub placed: usize,
}

/// A shape in the table with no columns stands for the shapes of `wgmma`: multiples of 8 up to 256; one with a single column for
/// those of integers, where above 24 only multiples of 16 are.
fn accepts(choice: Modifier, modifier: Modifier) -> bool {
    match (choice, modifier) {
        (Modifier::Shape { m, n: 0, k }, Modifier::Shape { m: m2, n, k: k2 }) => {
            m == m2 && k == k2 && n % 8 == 0 && (8..=256).contains(&n)
        }
        (Modifier::Shape { m, n: 1, k }, Modifier::Shape { m: m2, n, k: k2 }) => {
            m == m2 && k == k2 && (matches!(n, 8 | 24) || n % 16 == 0 && (16..=256).contains(&n))
        }
        _ => choice == modifier,
    }
}

fn find(slot: &Slot, modifier: Modifier) -> Option<usize> {
    slot.choices.iter().position(|choice| accepts(choice.modifier, modifier))
}

/// Fills the slots of a form with the modifiers.
pub(crate) fn bind<'a>(form: &'static Form, modifiers: &'a [Modifier]) -> Result<Bound<'a>, Mismatch> {
    let Some(rest) = modifiers.strip_prefix(form.head.as_slice()) else {
        return Err(Mismatch { left: modifiers.to_vec(), missing: Vec::new(), placed: 0 });
    };
    let mut filled = vec![false; form.slots.len()];
    let mut bound = Bound { form, modifiers, types: Vec::new(), needs: Vec::new() };
    let mut left = Vec::new();
    let mut next_ordered = 0;
    for &modifier in rest {
        let ordered = sets::is_ordered(modifier);
        let from = if ordered { next_ordered } else { 0 };
        let place = (from..form.slots.len())
            .filter(|&slot| !filled[slot])
            .find_map(|slot| find(&form.slots[slot], modifier).map(|choice| (slot, choice)));
        let Some((slot, choice)) = place else {
            left.push(modifier);
            continue;
        };
        filled[slot] = true;
        if ordered {
            next_ordered = slot + 1;
        }
        if let Modifier::Word(word) = modifier
            && sets::is_type(word)
        {
            bound.types.push(word);
        }
        let need = &form.slots[slot].choices[choice].need;
        if need.is_some() {
            bound.needs.push((modifier, need));
        }
    }
    let missing: Vec<usize> = (0..filled.len()).filter(|&slot| !filled[slot] && !form.slots[slot].optional).collect();
    if left.is_empty() && missing.is_empty() {
        return Ok(bound);
    }
    Err(Mismatch { placed: form.head.len() + rest.len() - left.len(), left, missing })
}

impl Bound<'_> {
    /// What version or target lacks, as a sentence.
    pub fn unmet(&self, offer: Offer) -> Option<String> {
        let opcode = self.form.opcode;
        if let Some(unmet) = self.form.need.unmet(offer) {
            return Some(format!("`{}` needs {unmet}", spell(opcode, self.modifiers)));
        }
        let (modifier, unmet) =
            self.needs.iter().find_map(|(modifier, need)| need.unmet(offer).map(|unmet| (modifier, unmet)))?;
        Some(format!("`.{modifier}` of `{opcode}` needs {unmet}"))
    }

    /// The columns of the shape, 0 where there is none.
    pub fn columns(&self) -> usize {
        let columns = |modifier: &Modifier| match modifier {
            Modifier::Shape { n, .. } => Some(*n as usize),
            _ => None,
        };
        self.modifiers.iter().find_map(columns).unwrap_or(0)
    }

    /// 1, or what `.v2` and the like say.
    pub fn vector_length(&self) -> usize {
        let length = |modifier: &Modifier| match modifier {
            Modifier::Word(Word::V2) => Some(2),
            Modifier::Word(Word::V4) => Some(4),
            Modifier::Word(Word::V8) => Some(8),
            _ => None,
        };
        self.modifiers.iter().find_map(length).unwrap_or(1)
    }
}

/// `cvt.rn.f16.f32`
pub(crate) fn spell(opcode: Opcode, modifiers: &[Modifier]) -> String {
    let mut text = opcode.text().to_owned();
    for modifier in modifiers {
        text.push('.');
        text.push_str(&modifier.to_string());
    }
    text
}

/// Says why no form matches: from the form that comes nearest.
pub(crate) fn explain(forms: &'static [Form], opcode: Opcode, modifiers: &[Modifier]) -> String {
    let name = spell(opcode, modifiers);
    let nearest = forms
        .iter()
        .filter_map(|form| bind(form, modifiers).err().map(|mismatch| (form, mismatch)))
        .min_by_key(|(_, mismatch)| (mismatch.left.len() + mismatch.missing.len(), mismatch.left.len()));
    let Some((form, mismatch)) = nearest else {
        return format!("`{name}` is not an instruction");
    };
    let types: Vec<Word> = types_of(modifiers);
    if let Some(&first) = mismatch.left.first() {
        let wrong = illegal(form, opcode, first, &types);
        return match mismatch.missing.first() {
            Some(&slot) if sets::is_ordered(first) || form.slots[slot].choices.len() > 1 => {
                format!("{wrong}, expected {}", choices(&form.slots[slot]))
            }
            _ => wrong,
        };
    }
    match mismatch.missing.first() {
        Some(&slot) => format!("`{name}` lacks a modifier, expected {}", choices(&form.slots[slot])),
        None => format!("`{name}` is not an instruction"),
    }
}

fn types_of(modifiers: &[Modifier]) -> Vec<Word> {
    let word = |modifier: &Modifier| match modifier {
        Modifier::Word(word) if sets::is_type(*word) => Some(*word),
        _ => None,
    };
    modifiers.iter().filter_map(word).collect()
}

/// "illegal modifier `.sat` of `cvt` with types `.u16`, `.u8`"
fn illegal(form: &Form, opcode: Opcode, modifier: Modifier, types: &[Word]) -> String {
    let what = match modifier {
        Modifier::Word(word) if sets::is_type(word) => "type",
        Modifier::Shape { .. } => "shape",
        _ => "modifier",
    };
    let name = spell(opcode, &form.head);
    let types: Vec<String> = types.iter().map(|word| format!("`.{word}`")).collect();
    match types.len() {
        0 => format!("illegal {what} `.{modifier}` of `{name}`"),
        1 => format!("illegal {what} `.{modifier}` of `{name}` with type {}", types[0]),
        _ => format!("illegal {what} `.{modifier}` of `{name}` with types {}", types.join(", ")),
    }
}

/// "`.rn`, `.rz` or `.rm`"
fn choices(slot: &Slot) -> String {
    const MOST: usize = 8;
    let names: Vec<String> = slot.choices.iter().take(MOST).map(|choice| format!("`.{}`", choice.modifier)).collect();
    match names.as_slice() {
        [one] => one.clone(),
        [first @ .., last] if slot.choices.len() <= MOST => format!("{} or {last}", first.join(", ")),
        _ => format!("one of {} and others", names.join(", ")),
    }
}

/// Class of a type for the rules of operands (PTX ISA, section 9.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Predicate,
    Bits,
    Integer,
    /// `.f32` and `.f64`
    Float,
    /// `.f16`
    Half,
    /// Two of 16 bits: `.f16x2`, `.u16x2`.
    Packed,
    /// `.bf16`, `.e4m3x2` and others that only untyped registers hold.
    Untyped,
    /// `.texref` and the like.
    Opaque,
}

/// Class and width in bits of a type.
pub(crate) fn class(word: Word) -> (Class, u32) {
    use Word as W;
    match word {
        W::Pred => (Class::Predicate, 1),
        W::B8 | W::B16 | W::B32 | W::B64 | W::B128 => (Class::Bits, bits(word)),
        W::F32 | W::F64 => (Class::Float, bits(word)),
        W::F16 => (Class::Half, 16),
        W::F16x2 | W::U16x2 | W::S16x2 => (Class::Packed, 32),
        W::Texref | W::Samplerref | W::Surfref => (Class::Opaque, 64),
        W::E2m1x2 => (Class::Untyped, 8),
        W::E2m3x2 | W::E3m2x2 | W::E2m1x4 | W::Ue8m0x2 | W::S2f6x2 => (Class::Untyped, 16),
        W::E4m3x4 | W::E5m2x4 | W::E2m3x4 | W::E3m2x4 | W::Ue8m0x4 | W::Tf32 => (Class::Untyped, 32),
        W::Bf16 | W::Bf16x2 | W::F32x2 | W::E4m3x2 | W::E5m2x2 | W::E4m3 | W::E5m2 => (Class::Untyped, bits(word)),
        W::U4 | W::S4 | W::U2 | W::S2 | W::B1 => (Class::Bits, 32),
        _ => (Class::Integer, bits(word)),
    }
}

fn bits(word: Word) -> u32 {
    ScalarType::from_word(word).map_or(32, ScalarType::bits)
}

/// May a register of type `register` stand where `wanted` is?
pub(crate) fn fits(wanted: Word, register: ScalarType, relaxed: bool) -> bool {
    let (wanted_class, width) = class(wanted);
    let found = register_class(register);
    let size = register.bits();
    let same = size == width;
    match wanted_class {
        Class::Predicate => found == Class::Predicate,
        Class::Opaque => found == Class::Opaque,
        _ if matches!(found, Class::Predicate | Class::Opaque) || size < width || !(same || relaxed) => false,
        Class::Bits => true,
        Class::Integer => found != Class::Float && found != Class::Half,
        Class::Float | Class::Half => found == Class::Bits || (same && found == wanted_class),
        Class::Packed => found == Class::Bits || found == Class::Packed,
        Class::Untyped => found == Class::Bits,
    }
}

fn register_class(ty: ScalarType) -> Class {
    use ScalarType as T;
    match ty {
        T::Pred => Class::Predicate,
        T::B8 | T::B16 | T::B32 | T::B64 | T::B128 => Class::Bits,
        T::F32 | T::F64 => Class::Float,
        T::F16 => Class::Half,
        T::F16x2 => Class::Packed,
        T::Texref | T::Samplerref | T::Surfref => Class::Opaque,
        _ => Class::Integer,
    }
}
