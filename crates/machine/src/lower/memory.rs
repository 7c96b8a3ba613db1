//! Loads, stores, atomics, fences and mbarriers.

use warpvm_isa::{Modifier, ScalarType, Word};
use warpvm_ptx::tree::{AddressBase, Instruction, Operand};

use super::body::Body;
use super::scope::Def;
use super::{LowerError, invalid};
use crate::program::{
    AddressSpace, Again, Atomic, AtomicOp, AtomicType, Fence, Kind, Load, Mbarrier, MbarrierOp, Ordering, PresetValue,
    Scope, Store,
};
use crate::slots::{Class, Slot};

impl<'a> Body<'_, 'a> {
    pub fn has(&self, word: Word) -> bool {
        self.current.modifiers.contains(&Modifier::Word(word))
    }

    pub(super) fn words(&self) -> impl Iterator<Item = Word> + '_ {
        self.current.modifiers.iter().filter_map(|m| match m {
            Modifier::Word(w) => Some(*w),
            _ => None,
        })
    }

    pub fn types(&self) -> Vec<ScalarType> {
        self.words().filter_map(ScalarType::from_word).collect()
    }

    /// The state space that the modifiers name; the first, since copies name two.
    pub fn space(&self) -> AddressSpace {
        self.spaces().first().copied().unwrap_or(AddressSpace::Generic)
    }

    pub(super) fn spaces(&self) -> Vec<AddressSpace> {
        self.words()
            .filter_map(|w| match w {
                Word::Global => Some(AddressSpace::Global),
                Word::Const => Some(AddressSpace::Const),
                Word::Shared | Word::SharedCta => Some(AddressSpace::Shared),
                Word::SharedCluster => Some(AddressSpace::SharedCluster),
                Word::Local => Some(AddressSpace::Local),
                Word::Param if self.is_kernel => Some(AddressSpace::Param),
                Word::Param => Some(AddressSpace::Frame),
                _ => None,
            })
            .collect()
    }

    pub(super) fn ordering(&self) -> Ordering {
        self.words()
            .find_map(|w| match w {
                Word::Volatile | Word::Mmio => Some(Ordering::Volatile),
                Word::Relaxed => Some(Ordering::Relaxed),
                Word::Acquire => Some(Ordering::Acquire),
                Word::Release => Some(Ordering::Release),
                Word::AcqRel => Some(Ordering::AcqRel),
                Word::Sc => Some(Ordering::SeqCst),
                _ => None,
            })
            .unwrap_or_default()
    }

    pub(super) fn scope(&self) -> Option<Scope> {
        self.words().find_map(|w| match w {
            Word::Cta => Some(Scope::Cta),
            Word::Cluster => Some(Scope::Cluster),
            Word::Gpu | Word::Gl => Some(Scope::Gpu),
            Word::Sys => Some(Scope::Sys),
            _ => None,
        })
    }

    fn strong_scope(&self, ordering: Ordering) -> Scope {
        self.scope().unwrap_or(if ordering == Ordering::Volatile { Scope::Sys } else { Scope::Gpu })
    }

    pub(super) fn element_type(&self, i: &Instruction) -> Result<ScalarType, LowerError> {
        self.types().last().copied().ok_or_else(|| invalid(i.span, format!("`{}` needs a type", self.spelled())))
    }

    pub(super) fn elements(operand: &Operand) -> Vec<&Operand> {
        match operand {
            Operand::Vector(parts) => parts.iter().collect(),
            o => vec![o],
        }
    }

    pub fn load(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let [d, a, ..] = &i.operands[..] else { return Err(invalid(i.span, "`ld` takes a result and an address")) };
        let ty = self.element_type(i)?;
        self.no_eight_small(ty)?;
        let parts = Self::elements(d);
        if self.load_param(&parts, a, ty)? {
            return Ok(());
        }
        let address = self.address(a, self.space())?;
        let mut results = Vec::new();
        for part in parts {
            results.push(match self.result(part)? {
                Some(reg) => (reg.class(), reg.slot),
                None => (Class::of_bits(ty.bits()), Slot::NONE),
            });
        }
        self.check_element(i, ty, &results)?;
        let ordering = self.ordering();
        self.emit(Kind::Load(Load {
            address,
            size: ty.bytes(),
            signed: ty.is_signed(),
            results,
            ordering,
            scope: self.strong_scope(ordering),
            non_coherent: self.has(Word::Nc),
            again: Again::Never,
        }));
        Ok(())
    }

    /// `.v8` of 8 and 16 bits: the manual has it not, ptxas 13.0 takes it, but stores the first element alone, and loads end
    /// it, or its code, in one way or another.
    fn no_eight_small(&self, ty: ScalarType) -> Result<(), LowerError> {
        if self.has(Word::V8) && ty.bytes() < 4 { Err(self.unsupported_form()) } else { Ok(()) }
    }

    /// A register of an element must hold it.
    pub(super) fn check_element(
        &self,
        i: &Instruction,
        ty: ScalarType,
        slots: &[(Class, Slot)],
    ) -> Result<(), LowerError> {
        for (class, _) in slots {
            if ty.bytes() == 0 || class.bytes() / 32 < ty.bytes() {
                return Err(invalid(i.span, format!("`{}` does not fit its register", self.spelled())));
            }
        }
        Ok(())
    }

    /// `ld.param` of a kernel at a fixed offset is a copy of a row that is filled at the start.
    fn load_param(&mut self, parts: &[&Operand], a: &Operand, ty: ScalarType) -> Result<bool, LowerError> {
        let Operand::Address(address) = a else { return Ok(false) };
        let AddressBase::Name(name) = address.base else { return Ok(false) };
        let Some(Def::KernelParam { offset, len }) = self.find(name) else { return Ok(false) };
        let size = ty.bytes();
        let end = address.offset + i64::from(size) * parts.len() as i64;
        if address.offset < 0 || end > i64::from(len) || size > 8 || size == 0 {
            return Ok(false);
        }
        let start = offset + address.offset as u32;
        if !start.is_multiple_of(size) {
            return Ok(false);
        }
        for (n, part) in parts.iter().enumerate() {
            let Some(reg) = self.result(part)? else { continue };
            if reg.class() == Class::Pred || reg.class() == Class::R128 {
                return Err(invalid(self.current.span, format!("`{}` does not fit its register", self.spelled())));
            }
            let value = PresetValue::Param { offset: start + n as u32 * size, len: size, signed: ty.is_signed() };
            let slot = self.shared.preset(reg.class(), value);
            self.copy_to(reg, slot);
        }
        Ok(true)
    }

    pub fn store(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        if self.has(Word::Async) {
            return self.remote_store(i);
        }
        if self.has(Word::Bulk) {
            return Err(self.unsupported_form());
        }
        let [a, b, ..] = &i.operands[..] else { return Err(invalid(i.span, "`st` takes an address and a source")) };
        let ty = self.element_type(i)?;
        self.no_eight_small(ty)?;
        let space = self.space();
        let space = if space == AddressSpace::Param { AddressSpace::Frame } else { space };
        let address = self.address(a, space)?;
        let mut sources = Vec::new();
        for part in Self::elements(b) {
            sources.push(self.element_source(part, ty)?);
        }
        self.check_element(i, ty, &sources)?;
        let ordering = self.ordering();
        self.emit(Kind::Store(Store {
            address,
            size: ty.bytes(),
            sources,
            ordering,
            scope: self.strong_scope(ordering),
            again: Again::Never,
        }));
        Ok(())
    }

    pub(super) fn element_source(&mut self, part: &Operand, ty: ScalarType) -> Result<(Class, Slot), LowerError> {
        if let Ok(reg) = self.register_operand(part) {
            return Ok((reg.class(), reg.slot));
        }
        let class = Class::of_bits(ty.bits());
        Ok((class, self.source(part, ty.bits())?))
    }

    pub fn atomic(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        if self.has(Word::Async) {
            return self.remote_store(i);
        }
        let ty = self.element_type(i)?;
        let op = self.atomic_op().ok_or_else(|| self.unsupported_form())?;
        let is_red = i.opcode == warpvm_isa::Opcode::Red;
        let mut operands = i.operands.iter();
        let missing = || invalid(i.span, "an operand is missing");
        let d = if is_red { None } else { Some(operands.next().ok_or_else(missing)?) };
        let a = operands.next().ok_or_else(missing)?;
        let b = operands.next().ok_or_else(missing)?;
        let c = if op == AtomicOp::Cas { Some(operands.next().ok_or_else(missing)?) } else { None };
        let address = self.address(a, self.space())?;
        let mut results = Vec::new();
        for part in d.map(Self::elements).unwrap_or_default() {
            results.push(match self.result(part)? {
                Some(reg) => (reg.class(), reg.slot),
                None => (Class::of_bits(ty.bits()), Slot::NONE),
            });
        }
        let mut sources = Vec::new();
        for part in Self::elements(b) {
            sources.push(self.element_source(part, ty)?);
        }
        let c = c.map(|c| self.element_source(c, ty)).transpose()?;
        self.check_element(i, ty, &results)?;
        self.check_element(i, ty, &sources)?;
        let (ordering, scope) = (self.ordering(), self.scope().unwrap_or(Scope::Gpu));
        let ordering = if ordering == Ordering::Weak { Ordering::Relaxed } else { ordering };
        let ty_kind = atomic_type(ty);
        let size = ty.bytes();
        self.emit(Kind::Atomic(Atomic { address, op, ty: ty_kind, size, results, b: sources, c, ordering, scope }));
        Ok(())
    }

    pub(super) fn atomic_op(&self) -> Option<AtomicOp> {
        self.words().find_map(|w| {
            Some(match w {
                Word::And => AtomicOp::And,
                Word::Or => AtomicOp::Or,
                Word::Xor => AtomicOp::Xor,
                Word::Exch => AtomicOp::Exch,
                Word::Cas => AtomicOp::Cas,
                Word::Add => AtomicOp::Add,
                Word::Inc => AtomicOp::Inc,
                Word::Dec => AtomicOp::Dec,
                Word::Min => AtomicOp::Min,
                Word::Max => AtomicOp::Max,
                _ => return None,
            })
        })
    }

    pub fn fence(&mut self, i: &Instruction) -> Result<(), LowerError> {
        let ordering = match self.ordering() {
            Ordering::Weak if i.opcode == warpvm_isa::Opcode::Membar => Ordering::SeqCst,
            Ordering::Weak => Ordering::AcqRel,
            o => o,
        };
        let scope = self.scope().unwrap_or(Scope::Sys);
        let proxy = self.has(Word::Proxy);
        self.emit(Kind::Fence(Fence { ordering, scope, proxy }));
        Ok(())
    }

    pub fn mbarrier(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let missing = || invalid(i.span, "an operand is missing");
        let ops = &i.operands;
        let space = self.space();
        let (ordering, scope) = (self.ordering(), self.scope().unwrap_or(Scope::Cta));
        let parity = self.has(Word::Parity);
        let op = if self.has(Word::Init) {
            MbarrierOp::Init
        } else if self.has(Word::Inval) {
            MbarrierOp::Inval
        } else if self.has(Word::Arrive) || self.has(Word::ArriveDrop) {
            MbarrierOp::Arrive {
                drop: self.has(Word::ArriveDrop),
                expect_tx: self.has(Word::ExpectTx),
                no_complete: self.has(Word::NoComplete),
            }
        } else if self.has(Word::ExpectTx) {
            MbarrierOp::ExpectTx
        } else if self.has(Word::CompleteTx) {
            MbarrierOp::CompleteTx
        } else if self.has(Word::TestWait) {
            MbarrierOp::TestWait { parity, blocking: false }
        } else if self.has(Word::TryWait) {
            MbarrierOp::TestWait { parity, blocking: true }
        } else if self.has(Word::PendingCount) {
            MbarrierOp::PendingCount
        } else {
            return Err(self.unsupported_form());
        };
        let nowhere = crate::program::Address { base: Slot::NONE, class: Class::R64, offset: 0, space };
        let (mut result, mut operand, mut address) = (Slot::NONE, Slot::NONE, nowhere);
        match op {
            MbarrierOp::PendingCount => {
                result = self.result(ops.first().ok_or_else(missing)?)?.map_or(Slot::NONE, |r| r.slot);
                operand = self.source(ops.get(1).ok_or_else(missing)?, 64)?;
            }
            MbarrierOp::TestWait { parity, .. } => {
                result = self.result(ops.first().ok_or_else(missing)?)?.map_or(Slot::NONE, |r| r.slot);
                address = self.address(ops.get(1).ok_or_else(missing)?, space)?;
                operand = self.source(ops.get(2).ok_or_else(missing)?, if parity { 32 } else { 64 })?;
            }
            _ => {
                let mut rest = ops.iter().peekable();
                if !matches!(rest.peek(), Some(Operand::Address(_))) {
                    result = self.result(rest.next().ok_or_else(missing)?)?.map_or(Slot::NONE, |r| r.slot);
                }
                address = self.address(rest.next().ok_or_else(missing)?, space)?;
                if let Some(o) = rest.next() {
                    operand = self.source(o, 32)?;
                }
            }
        }
        self.emit(Kind::Mbarrier(Mbarrier { op, address, result, operand, ordering, scope }));
        Ok(())
    }
}

pub(super) fn atomic_type(ty: ScalarType) -> AtomicType {
    match ty {
        ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64 => AtomicType::Unsigned,
        ScalarType::S8 | ScalarType::S16 | ScalarType::S32 | ScalarType::S64 => AtomicType::Signed,
        ScalarType::F32 => AtomicType::F32,
        ScalarType::F64 => AtomicType::F64,
        ScalarType::F16 => AtomicType::F16,
        ScalarType::F16x2 => AtomicType::F16x2,
        ScalarType::Bf16 => AtomicType::Bf16,
        ScalarType::Bf16x2 => AtomicType::Bf16x2,
        _ => AtomicType::Bits,
    }
}
