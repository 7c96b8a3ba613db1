//! Which part of lowering an instruction belongs to, and the lane-wise ones.

use warpvm_isa::{Opcode, ScalarType, Word};
use warpvm_ptx::tree::{Instruction, Operand};
use warpvm_sem::{Form, Sink};

use super::body::Body;
use super::scope::{Def, Reg};
use super::{LowerError, invalid, unsupported};
use crate::lane_op::LaneOp;
use crate::program::{Kind, StackOp};
use crate::row::{Built, RowBuilder};
use crate::slots::{Class, Slot};

impl<'a> Body<'_, 'a> {
    pub fn lower(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        match i.opcode {
            Opcode::Mov => self.mov(i),
            Opcode::Cvta | Opcode::Isspacep | Opcode::Mapa | Opcode::Getctarank => self.address_instruction(i),
            Opcode::Ld | Opcode::Ldu => self.load(i),
            Opcode::St => self.store(i),
            Opcode::Atom | Opcode::Red => self.atomic(i),
            Opcode::Bra => self.branch(i),
            Opcode::Brx => self.branch_indexed(i),
            Opcode::Call => self.call(i),
            Opcode::Ret => self.ret(),
            Opcode::Exit => {
                self.emit(Kind::Exit);
                Ok(())
            }
            Opcode::Trap => {
                self.emit(Kind::Trap);
                Ok(())
            }
            Opcode::Brkpt => {
                self.emit(Kind::Breakpoint);
                Ok(())
            }
            Opcode::Nanosleep => {
                self.emit(Kind::Yield);
                Ok(())
            }
            Opcode::Prefetch
            | Opcode::Prefetchu
            | Opcode::Applypriority
            | Opcode::Discard
            | Opcode::Griddepcontrol
            | Opcode::Setmaxnreg => {
                self.emit(Kind::Nothing);
                Ok(())
            }
            Opcode::Createpolicy => self.create_policy(i),
            Opcode::Pmevent => self.pm_event(i),
            Opcode::Vote | Opcode::Shfl | Opcode::Match | Opcode::Redux | Opcode::Elect | Opcode::Activemask => {
                self.collective(i)
            }
            Opcode::Bar | Opcode::Barrier => self.barrier(i),
            Opcode::Fence | Opcode::Membar => self.fence(i),
            Opcode::Mbarrier => self.mbarrier(i),
            Opcode::Cp => self.cp(i),
            Opcode::Tensormap => self.tensormap(i),
            Opcode::Alloca | Opcode::Stacksave | Opcode::Stackrestore => self.stack(i),
            Opcode::Mma | Opcode::Wmma | Opcode::Ldmatrix | Opcode::Stmatrix | Opcode::Movmatrix | Opcode::Wgmma => {
                self.tensor(i)
            }
            _ => self.lane_wise(i),
        }
    }

    /// `add.rn.f32`, as written.
    pub fn spelled(&self) -> String {
        let mut text = self.current.opcode.text().to_owned();
        for m in self.current.modifiers.iter() {
            text.push('.');
            text.push_str(&m.to_string());
        }
        text
    }

    pub fn unsupported_form(&self) -> LowerError {
        unsupported(self.current.span, format!("`{}` is not supported yet", self.spelled()))
    }

    fn selectors(&self, i: &Instruction) -> Vec<&'a str> {
        let text = |o: &Operand| match o {
            Operand::Selected(name, part) if !matches!(self.find(*name), Some(Def::Vector(_))) => {
                self.module.name(*part)
            }
            _ => "",
        };
        i.operands
            .iter()
            .map(|o| match o {
                Operand::Negated(inner) => text(inner),
                o => text(o),
            })
            .collect()
    }

    fn lane_wise(&mut self, i: &Instruction) -> Result<(), LowerError> {
        if i.opcode == Opcode::Lop3 && matches!(i.operands.first(), Some(Operand::Pair(..))) {
            return self.lop3_with_predicate(i);
        }
        if i.opcode == Opcode::Cvt && matches!(i.operands.get(1), Some(Operand::Vector(parts)) if parts.len() == 4) {
            return self.cvt_of_four(i);
        }
        if i.opcode == Opcode::Div && self.divide_by_immediate(i)? {
            return Ok(());
        }
        let selectors = self.selectors(i);
        let negated: Vec<bool> = i.operands.iter().map(|o| matches!(o, Operand::Negated(_))).collect();
        let form = Form {
            opcode: i.opcode,
            modifiers: &i.modifiers,
            selectors: &selectors,
            negated: &negated,
            operands: i.operands.len(),
        };
        let Ok(built) = warpvm_sem::lane(&form, RowBuilder) else { return Err(self.unsupported_form()) };
        self.lane_operands(i, built.named(LaneOp::of(&form)))
    }

    fn lane_operands(&mut self, i: &Instruction, built: Built) -> Result<(), LowerError> {
        let signature = built.signature;
        let (first, rest) = i.operands.split_first().ok_or_else(|| invalid(i.span, "operands are missing"))?;
        let (d, p) = match first {
            Operand::Pair(d, p) => (&**d, Some(&**p)),
            d => (d, None),
        };
        let has_cc = self.current.modifiers.contains(&Word::Cc.into());
        let takes_carry = matches!(i.opcode, Opcode::Addc | Opcode::Subc | Opcode::Madc);
        let mut sources = Vec::with_capacity(4);
        let mut flat: Vec<&Operand> = Vec::with_capacity(4);
        for o in rest {
            match o {
                Operand::Vector(parts) => flat.extend(parts),
                o => flat.push(o),
            }
        }
        if flat.len() + usize::from(takes_carry) != signature.count {
            return Err(invalid(
                i.span,
                format!("`{}` takes {} source operands, not {}", self.spelled(), signature.count, flat.len()),
            ));
        }
        for (o, bits) in flat.into_iter().zip(signature.sources) {
            sources.push(self.source(o, bits)?);
        }
        if takes_carry {
            sources.push(self.carry());
        }
        let second = match p {
            Some(p) => self.result(p)?.map_or(Slot::NONE, |r| r.slot),
            None if has_cc => self.carry(),
            None => Slot::NONE,
        };
        if p.is_some() && !signature.second {
            return Err(invalid(i.span, format!("`{}` has one result", self.spelled())));
        }
        let Some(reg) = self.result(d)? else {
            self.emit_row(built.on(Slot::NONE, second, &sources));
            return Ok(());
        };
        let class = Class::of_bits(signature.result);
        let signed = self.result_type().is_some_and(ScalarType::is_signed);
        if reg.class() == class && !(signed && signature.result < reg.ty.bits()) {
            self.emit_row(built.on(reg.slot, second, &sources));
            return Ok(());
        }
        let narrow = self.temp(class);
        self.emit_row(built.on(narrow, second, &sources));
        self.widen(narrow, signature.result, signed, reg)
    }

    /// `div.approx.f32` and `div.full.f32` by an immediate are a product; false where it is no such division.
    fn divide_by_immediate(&mut self, i: &Instruction) -> Result<bool, LowerError> {
        let divisor = match i.operands.get(2) {
            Some(Operand::F32(c)) => *c,
            Some(Operand::F64(c)) => (f64::from_bits(*c) as f32).to_bits(),
            _ => return Ok(false),
        };
        let is_quick = (self.has(Word::Approx) || self.has(Word::Full)) && self.has(Word::F32);
        let Some(factor) = warpvm_sem::approx::constant_reciprocal(divisor).filter(|_| is_quick) else {
            return Ok(false);
        };
        let ftz = [Word::Ftz.into(), Word::F32.into()];
        let modifiers = &ftz[usize::from(!self.has(Word::Ftz))..];
        let form = Form { opcode: Opcode::Mul, modifiers, selectors: &[], negated: &[], operands: 3 };
        let Ok(built) = warpvm_sem::lane(&form, RowBuilder) else { return Err(self.unsupported_form()) };
        let [d, a, ..] = &i.operands[..] else { return Err(invalid(i.span, "operands are missing")) };
        let sources = [self.source(a, 32)?, self.shared.constant(Class::R32, u64::from(factor))];
        if let Some(reg) = self.result(d)? {
            self.emit_row(built.named(LaneOp::of(&form)).on(reg.slot, Slot::NONE, &sources));
        }
        Ok(true)
    }

    /// `lop3.BoolOp d|p, a, b, c, lut, q`: `p` is `(d != 0) BoolOp q` (PTX ISA, section 9.7.8.5).
    fn lop3_with_predicate(&mut self, i: &Instruction) -> Result<(), LowerError> {
        let [Operand::Pair(d, p), a, b, c, lut, q] = &i.operands[..] else {
            return Err(invalid(i.span, format!("`{}` takes `d|p` and five sources", self.spelled())));
        };
        let modifiers = [Word::B32.into()];
        let form = Form { opcode: i.opcode, modifiers: &modifiers, selectors: &[], negated: &[], operands: 5 };
        let Ok(built) = warpvm_sem::lane(&form, RowBuilder) else { return Err(self.unsupported_form()) };
        let mut sources = Vec::with_capacity(4);
        for (o, bits) in [a, b, c, lut].into_iter().zip(built.signature.sources) {
            sources.push(self.source(o, bits)?);
        }
        let q = self.source(q, 1)?;
        let value = self.temporary(built, &sources);
        let combined = if self.has(Word::And) {
            RowBuilder.op2(|d: u32, q: bool| (d != 0) & q)
        } else {
            RowBuilder.op2(|d: u32, q: bool| (d != 0) | q)
        };
        let combined = self.temporary(combined, &[value, q]);
        if let Some(reg) = self.result(d)? {
            self.copy_to(reg, value);
        }
        if let Some(reg) = self.result(p)? {
            self.copy_to(reg, combined);
        }
        Ok(())
    }

    /// `cvt.rs...x4.f32 d, {a, b, e, f}, rbits`: the sources go in as two pairs.
    fn cvt_of_four(&mut self, i: &Instruction) -> Result<(), LowerError> {
        let [d, Operand::Vector(parts), rbits] = &i.operands[..] else {
            return Err(invalid(i.span, format!("`{}` takes four values and random bits", self.spelled())));
        };
        let form = Form {
            opcode: i.opcode,
            modifiers: &i.modifiers,
            selectors: &[],
            negated: &[],
            operands: i.operands.len(),
        };
        let Ok(built) = warpvm_sem::lane(&form, RowBuilder) else { return Err(self.unsupported_form()) };
        let mut pairs = Vec::with_capacity(3);
        for pair in parts.chunks(2) {
            let (low, high) = (self.source(&pair[0], 32)?, self.source(&pair[1], 32)?);
            let pack = RowBuilder.op2(|a: u32, b: u32| u64::from(a) | u64::from(b) << 32);
            pairs.push(self.temporary(pack, &[low, high]));
        }
        pairs.push(self.source(rbits, 32)?);
        if pairs.len() != built.signature.count {
            return Err(self.unsupported_form());
        }
        let result = built.signature.result;
        let value = self.temporary(built, &pairs);
        match self.result(d)? {
            Some(reg) => self.widen(value, result, false, reg),
            None => Ok(()),
        }
    }

    /// The first type among the modifiers: that of the result.
    fn result_type(&self) -> Option<ScalarType> {
        self.current.modifiers.iter().find_map(|m| match m {
            warpvm_isa::Modifier::Word(w) => ScalarType::from_word(*w),
            _ => None,
        })
    }

    /// Brings a narrow result into a wider register, sign-extended or zero-extended.
    fn widen(&mut self, from: Slot, bits: u32, signed: bool, to: Reg) -> Result<(), LowerError> {
        let built = match (bits, to.class(), signed) {
            (8, Class::R32, true) if to.ty.bits() == 16 => RowBuilder.op1(|x: i8| x as i16),
            (8, Class::R32, true) => RowBuilder.op1(|x: i8| x as i32),
            (16, Class::R32, true) => RowBuilder.op1(|x: i16| x as i32),
            (8, Class::R64, true) => RowBuilder.op1(|x: i8| x as i64),
            (16, Class::R64, true) => RowBuilder.op1(|x: i16| x as i64),
            (32, Class::R64, true) => RowBuilder.op1(|x: i32| x as i64).named(Some(LaneOp::SignExtend)),
            (8 | 16 | 32, Class::R64, false) => RowBuilder.op1(|x: u32| u64::from(x)).named(Some(LaneOp::ZeroExtend)),
            (8 | 16 | 32, Class::R32, _) => RowBuilder.op1(|x: u32| x).named(Some(LaneOp::Copy)),
            _ => {
                let text = self.spelled();
                return Err(invalid(
                    self.current.span,
                    format!("the result of `{text}` does not fit a `{:?}` register", to.ty),
                ));
            }
        };
        self.emit_row(built.on(to.slot, Slot::NONE, &[from]));
        Ok(())
    }

    fn pm_event(&mut self, i: &Instruction) -> Result<(), LowerError> {
        let has_mask = self.current.modifiers.contains(&Word::Mask.into());
        let mask = match i.operands.first() {
            Some(Operand::Int(n)) if has_mask => *n as u16,
            Some(Operand::Int(n)) if (0..16).contains(n) => 1 << n,
            _ => return Err(invalid(i.span, "`pmevent` takes a number from 0 to 15")),
        };
        self.emit(Kind::PmEvent(mask));
        Ok(())
    }

    /// A cache policy is opaque, and the caches are not modelled. That of a fraction is what the chip makes of it: priorities
    /// in bits 56 to 59, sixteenths of the fraction, less one, in bits 52 to 55 (`sweep/policy`); of a range it is 0.
    fn create_policy(&mut self, i: &Instruction) -> Result<(), LowerError> {
        let reg = i.operands.first().map(|o| self.register_operand(o)).transpose()?;
        let Some(reg) = reg else { return Err(invalid(i.span, "`createpolicy` needs a result")) };
        let copy = RowBuilder.op1(|x: u64| x);
        match i.operands.get(1) {
            Some(source) if self.has(Word::Cvt) => {
                let source = self.source(source, 64)?;
                self.emit_row(copy.on(reg.slot, Slot::NONE, &[source]));
            }
            fraction if self.has(Word::Fractional) => {
                let priority = |w| match w {
                    Word::L2EvictUnchanged => Some(0),
                    Word::L2EvictFirst => Some(2),
                    Word::L2EvictLast => Some(4),
                    Word::L2EvictNormal => Some(6),
                    _ => None,
                };
                let given: Vec<u64> = self.words().filter_map(priority).collect();
                let priorities = 0x10 | given.first().unwrap_or(&0) | u64::from(given.get(1) == Some(&2));
                let fraction = match fraction {
                    Some(o) => self.source(o, 32)?,
                    None => self.shared.constant(Class::R32, u64::from(1f32.to_bits())),
                };
                let built = RowBuilder.op1(move |x: u32| {
                    let sixteenths = (f32::from_bits(x) * 16.0 - 1.0 - 1.0 / 1024.0).ceil().clamp(0.0, 15.0);
                    (priorities << 56) | (sixteenths as u64) << 52
                });
                self.emit_row(built.on(reg.slot, Slot::NONE, &[fraction]));
            }
            _ => {
                let zero = self.shared.constant(reg.class(), 0);
                self.emit_row(copy.on(reg.slot, Slot::NONE, &[zero]));
            }
        }
        Ok(())
    }

    fn stack(&mut self, i: &Instruction) -> Result<(), LowerError> {
        let reg = i.operands.first().map(|o| self.register_operand(o)).transpose()?;
        let Some(reg) = reg else { return Err(invalid(i.span, "an operand is missing")) };
        let place = (reg.class(), reg.slot);
        let op = match i.opcode {
            Opcode::Stacksave => StackOp::Save { result: place },
            Opcode::Stackrestore => StackOp::Restore { source: place },
            _ => {
                let size = i.operands.get(1).ok_or_else(|| invalid(i.span, "`alloca` needs a size"))?;
                let bits = if reg.class() == Class::R64 { 64 } else { 32 };
                let size = (reg.class(), self.source(size, bits)?);
                let align = match i.operands.get(2) {
                    Some(Operand::Int(n)) if (1..=1 << 16).contains(n) => *n as u32,
                    None => 8,
                    _ => return Err(invalid(i.span, "the alignment of `alloca` is a number")),
                };
                StackOp::Alloca { result: place, size, align }
            }
        };
        self.shared.has_indirect_call |= i.opcode == Opcode::Alloca;
        self.emit(Kind::Stack(op));
        Ok(())
    }
}
