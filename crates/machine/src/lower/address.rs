//! `cvta`, `isspacep`, `mapa`, `getctarank`: address arithmetic that knows the windows.

use warpvm_isa::{Opcode, Word};
use warpvm_ptx::tree::Instruction;
use warpvm_sem::Sink;

use super::body::Body;
use super::{LowerError, invalid};
use crate::lane_op::LaneOp;
use crate::memory::{LOCAL_BASE, PARAM_BASE, SHARED_BASE};
use crate::program::{AddressKind, AddressOp, Kind};
use crate::row::RowBuilder;
use crate::slots::{Class, Slot};

impl<'a> Body<'_, 'a> {
    pub fn address_instruction(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let [d, a, rest @ ..] = &i.operands[..] else { return Err(invalid(i.span, "an operand is missing")) };
        let Some(reg) = self.result(d)? else { return Ok(()) };
        if i.opcode == Opcode::Cvta {
            let bits = reg.ty.bits().max(32);
            let source = self.source(a, bits)?;
            return self.cvta(reg.slot, reg.class(), source);
        }
        let wide = self.has(Word::U64) || i.opcode == Opcode::Isspacep && self.is_wide(a);
        let source_class = if wide { Class::R64 } else { Class::R32 };
        let source = self.source(a, if wide { 64 } else { 32 })?;
        let second = match rest.first() {
            Some(o) => self.source(o, 32)?,
            None => Slot::NONE,
        };
        let in_window = self.has(Word::SharedCluster) && i.opcode != Opcode::Isspacep;
        let op = match i.opcode {
            Opcode::Mapa if in_window => AddressKind::MapaShared,
            Opcode::Mapa => AddressKind::MapaGeneric,
            Opcode::Getctarank if in_window => AddressKind::RankShared,
            Opcode::Getctarank => AddressKind::RankGeneric,
            _ if self.has(Word::SharedCluster) => AddressKind::IsSharedCluster,
            _ if self.has(Word::Shared) || self.has(Word::SharedCta) => AddressKind::IsShared,
            _ if self.has(Word::Local) => AddressKind::IsLocal,
            _ if self.has(Word::Global) => AddressKind::IsGlobal,
            _ if self.has(Word::Const) => AddressKind::IsConst,
            _ if self.has(Word::Param) || self.has(Word::ParamEntry) => AddressKind::IsParam,
            _ => return Err(self.unsupported_form()),
        };
        let (result, result_class) = (reg.slot, reg.class());
        self.emit(Kind::Address(AddressOp { op, result, result_class, source, source_class, second }));
        Ok(())
    }

    fn is_wide(&self, a: &warpvm_ptx::tree::Operand) -> bool {
        self.register_operand(a).map_or(true, |r| r.class() == Class::R64)
    }

    fn cvta(&mut self, result: Slot, class: Class, source: Slot) -> Result<(), LowerError> {
        let base = if self.has(Word::Shared) || self.has(Word::SharedCta) || self.has(Word::SharedCluster) {
            SHARED_BASE
        } else if self.has(Word::Local) {
            LOCAL_BASE
        } else if self.has(Word::Param) {
            PARAM_BASE
        } else {
            0
        };
        let to = self.has(Word::To);
        if class != Class::R64 {
            return Err(self.unsupported_form());
        }
        if base == 0 {
            let copy = RowBuilder.op1(|x: u64| x).named(Some(LaneOp::Copy));
            self.emit_row(copy.on(result, Slot::NONE, &[source]));
            return Ok(());
        }
        // Address 0 of a window is not null: the offset is added whatever it is.
        let by = self.shared.constant(class, if to { base.wrapping_neg() } else { base });
        let sum = RowBuilder.op2(|x: u64, y: u64| x.wrapping_add(y)).named(Some(LaneOp::Add64));
        self.emit_row(sum.on(result, Slot::NONE, &[source, by]));
        Ok(())
    }
}
