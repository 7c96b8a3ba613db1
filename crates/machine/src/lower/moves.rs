//! `mov` in all its shapes: scalars, addresses, special registers, packing and unpacking of vectors.

use warpvm_isa::ScalarType;
use warpvm_ptx::tree::{Instruction, Operand};
use warpvm_sem::Sink;

use super::body::Body;
use super::scope::Reg;
use super::{LowerError, invalid};
use crate::lane_op::LaneOp;
use crate::row::{Built, RowBuilder};
use crate::slots::{Class, Slot};

/// The identity on a row of a class.
pub(super) fn copy(class: Class) -> Built {
    let built = match class {
        Class::Pred => RowBuilder.op1(|x: bool| x),
        Class::R32 => RowBuilder.op1(|x: u32| x),
        Class::R64 | Class::R128 => RowBuilder.op1(|x: u64| x),
    };
    built.named(Some(LaneOp::Copy))
}

impl<'a> Body<'_, 'a> {
    pub fn mov(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let [d, a] = &i.operands[..] else { return Err(invalid(i.span, "`mov` takes two operands")) };
        let bits = self.mov_bits()?;
        match (d, a) {
            (Operand::Vector(d), Operand::Vector(a)) if d.len() == a.len() => {
                // Read all before writing any: `mov.v2 {a,b}, {b,a}` swaps.
                let mut slots = Vec::new();
                for (d, a) in d.iter().zip(a) {
                    if let Some(reg) = self.result(d)? {
                        let from = self.source(a, reg.ty.bits())?;
                        slots.push((reg, self.temporary(copy(reg.class()), &[from])));
                    }
                }
                for (reg, slot) in slots {
                    self.copy_to(reg, slot);
                }
                Ok(())
            }
            (Operand::Vector(parts), a) if parts.len() > 1 => self.unpack(parts, a, bits),
            (d, Operand::Vector(parts)) if parts.len() > 1 => self.pack(d, parts, bits),
            _ => {
                let Some(reg) = self.result(d)? else { return Ok(()) };
                if bits == 128 {
                    return self.copy_wide(reg, a);
                }
                let from = self.source(a, reg.ty.bits())?;
                self.copy_to(reg, from);
                Ok(())
            }
        }
    }

    fn mov_bits(&self) -> Result<u32, LowerError> {
        let ty = self.current.modifiers.iter().find_map(|m| match m {
            warpvm_isa::Modifier::Word(w) => ScalarType::from_word(*w),
            _ => None,
        });
        ty.map(ScalarType::bits).ok_or_else(|| invalid(self.current.span, "`mov` needs a type"))
    }

    pub fn copy_to(&mut self, reg: Reg, from: Slot) {
        let op = copy(reg.class()).on(reg.slot, Slot::NONE, &[from]);
        self.emit_row(op);
    }

    fn copy_wide(&mut self, d: Reg, a: &Operand) -> Result<(), LowerError> {
        let a = self.register_operand(a)?;
        if (d.class(), a.class()) != (Class::R128, Class::R128) {
            return Err(invalid(self.current.span, "`mov.b128` copies 128-bit registers"));
        }
        self.copy_to_wide(d, [a.slot, Slot(a.slot.0 + 1)]);
        Ok(())
    }

    /// The halves are other rows than those of `d`.
    fn copy_to_wide(&mut self, d: Reg, halves: [Slot; 2]) {
        for (n, half) in [0, 1].into_iter().zip(halves) {
            self.emit_row(copy(Class::R64).on(Slot(d.slot.0 + n), Slot::NONE, &[half]));
        }
    }

    /// `mov.b64 d, {lo, hi}` and its like.
    fn pack(&mut self, d: &Operand, parts: &[Operand], bits: u32) -> Result<(), LowerError> {
        let Some(reg) = self.result(d)? else { return Ok(()) };
        let part = bits / parts.len() as u32;
        let mut slots = Vec::new();
        for o in parts {
            slots.push(self.source(o, part)?);
        }
        let built = match (part, slots.len()) {
            (8, 2) => RowBuilder.op2(|a: u8, b: u8| u16::from_le_bytes([a, b])),
            (8, 4) => RowBuilder.op4(|a: u8, b: u8, c: u8, d: u8| u32::from_le_bytes([a, b, c, d])),
            (16, 2) => RowBuilder.op2(|a: u16, b: u16| u32::from(a) | u32::from(b) << 16),
            (16, 4) => RowBuilder.op4(|a: u16, b: u16, c: u16, d: u16| {
                u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
            }),
            (32, 2) => RowBuilder.op2(|a: u32, b: u32| u64::from(a) | u64::from(b) << 32),
            (32, 4) if reg.class() == Class::R128 => {
                let halves = [0, 2].map(|n| {
                    let join = RowBuilder.op2(|a: u32, b: u32| u64::from(a) | u64::from(b) << 32);
                    self.temporary(join, &slots[n..n + 2])
                });
                self.copy_to_wide(reg, halves);
                return Ok(());
            }
            (64, 2) if reg.class() == Class::R128 => {
                // The sources are other registers than the result, or the two halves of nothing: no order matters.
                self.copy_to_wide(reg, [slots[0], slots[1]]);
                return Ok(());
            }
            _ => return Err(self.unsupported_form()),
        };
        if Class::of_bits(bits) != reg.class() {
            return Err(invalid(self.current.span, format!("a `{:?}` register cannot hold the vector", reg.ty)));
        }
        self.emit_row(built.on(reg.slot, Slot::NONE, &slots));
        Ok(())
    }

    /// `mov.b64 {lo, hi}, a` and its like.
    fn unpack(&mut self, parts: &[Operand], a: &Operand, bits: u32) -> Result<(), LowerError> {
        if bits == 128 {
            let a = self.register_operand(a)?;
            if a.class() != Class::R128 || !matches!(parts.len(), 2 | 4) {
                return Err(self.unsupported_form());
            }
            if parts.len() == 4 {
                for (half, parts) in [0, 1].into_iter().zip(parts.chunks(2)) {
                    self.unpack_from(parts, Slot(a.slot.0 + half), 64)?;
                }
                return Ok(());
            }
            for (half, o) in [0, 1].into_iter().zip(parts) {
                if let Some(reg) = self.result(o)? {
                    self.copy_to(reg, Slot(a.slot.0 + half));
                }
            }
            return Ok(());
        }
        let from = self.source(a, bits)?;
        let from = self.temporary(copy(Class::of_bits(bits)), &[from]);
        self.unpack_from(parts, from, bits)
    }

    /// The parts of a row that none of them is.
    fn unpack_from(&mut self, parts: &[Operand], from: Slot, bits: u32) -> Result<(), LowerError> {
        let part = bits / parts.len() as u32;
        for (n, o) in parts.iter().enumerate() {
            let Some(reg) = self.result(o)? else { continue };
            let shift = n as u32 * part;
            let built = match (bits, part, reg.class()) {
                (16, 8, Class::R32) => RowBuilder.op1(move |x: u16| (x >> shift) as u8),
                (32, 8, Class::R32) => RowBuilder.op1(move |x: u32| (x >> shift) as u8),
                (32, 16, Class::R32) => RowBuilder.op1(move |x: u32| (x >> shift) as u16),
                (64, 16, Class::R32) => RowBuilder.op1(move |x: u64| (x >> shift) as u16),
                (64, 32, Class::R32) => RowBuilder.op1(move |x: u64| (x >> shift) as u32),
                _ => return Err(self.unsupported_form()),
            };
            self.emit_row(built.on(reg.slot, Slot::NONE, &[from]));
        }
        Ok(())
    }
}
