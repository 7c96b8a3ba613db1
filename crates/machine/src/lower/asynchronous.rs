//! Asynchronous copies, tensor maps, stores into the cluster.

use warpvm_isa::{Opcode, ScalarType, Word};
use warpvm_ptx::tree::{Instruction, Operand};
use warpvm_sem::tensor_map::Field;

use super::body::Body;
use super::memory::atomic_type;
use super::{LowerError, invalid};
use crate::program::{
    Address, AddressSpace, AsyncCopy, AsyncGroup, AtomicType, CollectiveOp, Completion, Kind, Mbarrier, MbarrierOp,
    Ordering, RemoteStore, Scope, TensorMapCopy, TensorMapReplace, TensorPart,
};
use crate::slots::{Class, Slot};

impl<'a> Body<'_, 'a> {
    pub fn cp(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let bulk = self.has(Word::Bulk);
        if self.has(Word::Tensor) {
            return self.cp_tensor(i);
        }
        let count = |body: &Self| match i.operands.first() {
            Some(Operand::Int(n)) if (0..=i64::from(u16::MAX)).contains(n) => Ok(*n as u32),
            _ => Err(invalid(i.span, format!("`{}` takes the number of groups that may be pending", body.spelled()))),
        };
        let group = if self.has(Word::CommitGroup) {
            Some(if bulk { AsyncGroup::CommitBulk } else { AsyncGroup::CommitCp })
        } else if self.has(Word::WaitAll) {
            Some(AsyncGroup::WaitAllCp)
        } else if self.has(Word::WaitGroup) {
            let left = count(self)?;
            Some(if bulk {
                AsyncGroup::WaitBulk { left, read: self.has(Word::Read) }
            } else {
                AsyncGroup::WaitCp(left)
            })
        } else {
            None
        };
        if let Some(group) = group {
            self.emit(Kind::AsyncGroup(group));
            return Ok(());
        }
        if self.current.modifiers.iter().any(|m| m.to_string().starts_with("mbarrier")) && !bulk {
            return self.cp_arrive(i);
        }
        if bulk { self.cp_bulk(i) } else { self.cp_async(i) }
    }

    fn cp_arrive(&mut self, i: &Instruction) -> Result<(), LowerError> {
        let a = i.operands.first().ok_or_else(|| invalid(i.span, "an address is missing"))?;
        let address = self.address(a, self.space())?;
        self.emit(Kind::Mbarrier(Mbarrier {
            op: MbarrierOp::CpAsyncArrive { noinc: self.has(Word::Noinc) },
            address,
            result: Slot::NONE,
            operand: Slot::NONE,
            ordering: Ordering::Weak,
            scope: Scope::Cta,
        }));
        Ok(())
    }

    /// `cp.async.ca.shared.global [dst], [src], size{, src-size | ignore}{, policy}`
    fn cp_async(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let [d, s, size, rest @ ..] = &i.operands[..] else { return Err(invalid(i.span, "an operand is missing")) };
        let Operand::Int(n @ (4 | 8 | 16)) = size else {
            return Err(invalid(i.span, "`cp.async` copies 4, 8 or 16 bytes"));
        };
        let destination = self.address(d, AddressSpace::Shared)?;
        let source = self.address(s, AddressSpace::Global)?;
        let (mut size_slot, mut ignore) = (Slot::NONE, Slot::NONE);
        let has_policy = self.has(Word::L2CacheHint);
        if let Some(o) = rest.first().filter(|_| rest.len() > usize::from(has_policy)) {
            let plain = if let Operand::Not(inner) = o { inner } else { o };
            let is_predicate = self.register_operand(plain).is_ok_and(|r| r.ty == ScalarType::Pred);
            if is_predicate {
                ignore = self.source(o, 1)?;
            } else {
                size_slot = self.source(o, 32)?;
            }
        }
        self.emit(Kind::AsyncCopy(AsyncCopy {
            destination,
            source,
            size: Some(*n as u32),
            size_slot,
            ignore,
            completion: Completion::Group,
            mbarrier: None,
            reduce: None,
            multicast: Slot::NONE,
            tensor: None,
        }));
        Ok(())
    }

    /// `cp{.reduce}.async.bulk.dst.src.completion{.multicast}{.op.type} [dst], [src], size{, [mbar]}{, mask}`
    fn cp_bulk(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        if self.words().any(|w| w.text() == "prefetch") {
            self.emit(Kind::Nothing);
            return Ok(());
        }
        let [d, s, size, rest @ ..] = &i.operands[..] else { return Err(invalid(i.span, "an operand is missing")) };
        let spaces = self.spaces();
        let [to, from] = spaces[..] else { return Err(self.unsupported_form()) };
        let destination = self.address(d, to)?;
        let source = self.address(s, from)?;
        let size_slot = self.source(size, 32)?;
        let told = self.has(Word::MbarrierCompleteTxBytes);
        let mbarrier = match rest.first().filter(|_| told) {
            Some(o) => Some(self.address(o, AddressSpace::SharedCluster)?),
            None if told => return Err(invalid(i.span, "the mbarrier is missing")),
            None => None,
        };
        let multicast = match rest.get(1).filter(|_| self.has(Word::MulticastCluster)) {
            Some(o) => self.source(o, 32)?,
            None => Slot::NONE,
        };
        let reduce = match (self.has(Word::Reduce), self.atomic_op(), self.types().last()) {
            (true, Some(op), Some(ty)) => Some((op, atomic_type(*ty), ty.bytes())),
            (true, ..) => return Err(self.unsupported_form()),
            _ => None,
        };
        let completion = if told { Completion::Mbarrier } else { Completion::BulkGroup };
        let size = None;
        self.emit(Kind::AsyncCopy(AsyncCopy {
            destination,
            source,
            size,
            size_slot,
            ignore: Slot::NONE,
            completion,
            mbarrier,
            reduce,
            multicast,
            tensor: None,
        }));
        Ok(())
    }

    /// `cp{.reduce}.async.bulk{.prefetch}.tensor.dim...`: a load takes `[dst], [map, coordinates], [mbar]{, offsets}{, mask}`,
    /// a store `[map, coordinates], [src]`, a prefetch `[map, coordinates]{, offsets}`; a cache policy is not kept.
    fn cp_tensor(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let modes = [Word::Im2colW, Word::Im2colW128, Word::TileGather4, Word::TileScatter4];
        if modes.iter().any(|&word| self.has(word)) {
            return Err(self.unsupported_form());
        }
        let missing = || invalid(i.span, "an operand is missing");
        let place = i.operands.iter().position(|o| matches!(o, Operand::Indexed(..))).ok_or_else(missing)?;
        let Operand::Indexed(base, list) = &i.operands[place] else { return Err(missing()) };
        let map = self.address(base, AddressSpace::Generic)?;
        let coordinates = self.rows_of(list.last().ok_or_else(missing)?, 32)?;
        let mut rest = i.operands[place + 1..].iter();
        let is_load = self.has(Word::MbarrierCompleteTxBytes);
        let is_prefetch = self.words().any(|w| w.text() == "prefetch");
        let nowhere = Address { base: Slot::NONE, class: Class::R64, offset: 0, space: AddressSpace::Shared };
        let (mut tile, mut mbarrier) = (nowhere, None);
        if is_load {
            let space = self.spaces().first().copied().unwrap_or(AddressSpace::SharedCluster);
            tile = self.address(i.operands.first().filter(|_| place == 1).ok_or_else(missing)?, space)?;
            mbarrier = Some(self.address(rest.next().ok_or_else(missing)?, AddressSpace::SharedCluster)?);
        } else if !is_prefetch {
            tile = self.address(rest.next().ok_or_else(missing)?, AddressSpace::Shared)?;
        }
        let offsets = match (self.has(Word::Im2col), self.has(Word::Im2colNoOffs)) {
            (true, _) => Some(self.rows_of(rest.next().ok_or_else(missing)?, 16)?),
            (_, true) => Some(Vec::new()),
            _ => None,
        };
        let multicast = if self.has(Word::MulticastCluster) {
            self.source(rest.next().ok_or_else(missing)?, 32)?
        } else {
            Slot::NONE
        };
        let reduce = if self.has(Word::Reduce) {
            Some((self.atomic_op().ok_or_else(|| self.unsupported_form())?, AtomicType::Bits, 0))
        } else {
            None
        };
        let (destination, source) = if is_load { (tile, map) } else { (map, tile) };
        self.emit(Kind::AsyncCopy(AsyncCopy {
            destination,
            source,
            size: None,
            size_slot: Slot::NONE,
            ignore: Slot::NONE,
            completion: if is_load { Completion::Mbarrier } else { Completion::BulkGroup },
            mbarrier,
            reduce,
            multicast,
            tensor: Some(Box::new(TensorPart { coordinates, offsets, is_prefetch })),
        }));
        Ok(())
    }

    fn rows_of(&mut self, operand: &Operand, bits: u32) -> Result<Vec<Slot>, LowerError> {
        Self::elements(operand).into_iter().map(|o| self.source(o, bits)).collect()
    }

    /// `tensormap.replace.tile.field [map], {n, }value` and `tensormap.cp_fenceproxy [to], [from], 128`
    pub fn tensormap(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let missing = || invalid(i.span, "an operand is missing");
        if self.has(Word::CpFenceproxy) {
            let [to, from, ..] = &i.operands[..] else { return Err(missing()) };
            let destination = self.address(to, AddressSpace::Global)?;
            let source = self.address(from, AddressSpace::Shared)?;
            self.warp_operation(CollectiveOp::TensorMap(TensorMapCopy { destination, source }));
            return Ok(());
        }
        let [a, rest @ .., value] = &i.operands[..] else { return Err(missing()) };
        let ordinal = match rest {
            [] => 0,
            [Operand::Int(n @ 0..=4)] => *n as u8,
            _ => return Err(invalid(i.span, "the number of the dimension is from 0 to 4")),
        };
        let fields = [
            (Word::GlobalAddress, Field::GlobalAddress),
            (Word::Rank, Field::Rank),
            (Word::BoxDim, Field::BoxDim(ordinal)),
            (Word::GlobalDim, Field::GlobalDim(ordinal)),
            (Word::GlobalStride, Field::GlobalStride(ordinal)),
            (Word::ElementStride, Field::ElementStride(ordinal)),
            (Word::Elemtype, Field::Elemtype),
            (Word::InterleaveLayout, Field::InterleaveLayout),
            (Word::SwizzleMode, Field::SwizzleMode),
            (Word::FillMode, Field::FillMode),
        ];
        let field = fields.iter().find(|(word, _)| self.has(*word)).ok_or_else(|| self.unsupported_form())?.1;
        let bits = if self.has(Word::B64) { 64 } else { 32 };
        let value = (Class::of_bits(bits), self.source(value, bits)?);
        // A space of `.tensormap` names the map's, not that of the value.
        let address = self.address(a, self.space())?;
        self.emit(Kind::TensorMapReplace(TensorMapReplace { address, field, value }));
        Ok(())
    }

    /// `st.async.ty [a], b, [mbar]` and `red.async.op.ty [a], b, [mbar]`
    pub(super) fn remote_store(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let [a, b, mbarrier] = &i.operands[..] else { return Err(self.unsupported_form()) };
        if self.has(Word::Mmio) {
            return Err(self.unsupported_form());
        }
        let ty = self.element_type(i)?;
        let space = self.spaces().first().copied().unwrap_or(AddressSpace::SharedCluster);
        let address = self.address(a, space)?;
        let mbarrier = self.address(mbarrier, space)?;
        let mut sources = Vec::new();
        for part in Self::elements(b) {
            sources.push(self.element_source(part, ty)?);
        }
        self.check_element(i, ty, &sources)?;
        let reduce = match i.opcode {
            Opcode::Red => Some((self.atomic_op().ok_or_else(|| self.unsupported_form())?, atomic_type(ty))),
            _ => None,
        };
        self.emit(Kind::RemoteStore(RemoteStore { address, mbarrier, size: ty.bytes(), sources, reduce }));
        Ok(())
    }
}
