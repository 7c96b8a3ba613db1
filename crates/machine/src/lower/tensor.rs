//! Matrix instructions.

use warpvm_isa::{Opcode, Word};
use warpvm_ptx::tree::{Instruction, Operand};
use warpvm_sem::Form;
use warpvm_sem::tensor::{
    Major, MatrixMove, Mma, Registers, Sign, SparseMma, SparseWgmma, Wgmma, WmmaMove, is_movmatrix,
};

use super::body::Body;
use super::{LowerError, invalid};
use crate::exec::matrix::{Fragment, MmaOp, MovmatrixOp, SparseMmaOp, WgmmaKind, WgmmaLeft, WgmmaOp, fits};
use crate::program::{AsyncGroup, CollectiveOp, FragmentCopy, Kind, MatrixCopy};
use crate::slots::{Class, Slot};

impl<'a> Body<'_, 'a> {
    pub fn tensor(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let form = Form {
            opcode: i.opcode,
            modifiers: &i.modifiers,
            selectors: &[],
            negated: &[],
            operands: i.operands.len(),
        };
        match i.opcode {
            Opcode::Mma if self.has(Word::Sp) || self.has(Word::SpOrderedMetadata) => {
                let op = SparseMma::from_form(&form).ok_or_else(|| self.unsupported_form())?;
                self.sparse_mma(i, op)
            }
            Opcode::Wmma if self.has(Word::Load) || self.has(Word::Store) => {
                let op = WmmaMove::from_form(&form).ok_or_else(|| self.unsupported_form())?;
                self.fragment_move(i, op)
            }
            Opcode::Mma | Opcode::Wmma => {
                let op = Mma::from_form(&form).ok_or_else(|| self.unsupported_form())?;
                self.mma(i, op)
            }
            Opcode::Ldmatrix | Opcode::Stmatrix => {
                let op = MatrixMove::from_form(&form).ok_or_else(|| self.unsupported_form())?;
                self.matrix_move(i, op)
            }
            Opcode::Movmatrix if is_movmatrix(&form) => {
                let [d, a] = &i.operands[..] else { return Err(self.operand_count(i)) };
                let a = self.source(a, 32)?;
                if let Some(d) = self.result(d)? {
                    self.warp_operation(CollectiveOp::Other(Box::new(MovmatrixOp { d: d.slot, a })));
                }
                Ok(())
            }
            Opcode::Wgmma => self.wgmma(i, &form),
            _ => Err(self.unsupported_form()),
        }
    }

    fn wgmma(&mut self, i: &'a Instruction, form: &Form<'_>) -> Result<(), LowerError> {
        if !self.has(Word::MmaAsync) {
            let group = match i.operands.first() {
                _ if self.has(Word::Fence) => AsyncGroup::WgmmaFence,
                _ if self.has(Word::CommitGroup) => AsyncGroup::WgmmaCommit,
                Some(Operand::Int(n)) if self.has(Word::WaitGroup) => AsyncGroup::WgmmaWait(*n as u32),
                _ => return Err(self.unsupported_form()),
            };
            self.emit(Kind::AsyncGroup(group));
            return Ok(());
        }
        let missing = || invalid(i.span, "an operand is missing");
        let mut rest = i.operands.iter();
        let d = rest.next().ok_or_else(missing)?;
        let a = rest.next().ok_or_else(missing)?;
        let b = self.source(rest.next().ok_or_else(missing)?, 64)?;
        let (op, d_shape, a_shape) = if self.has(Word::Sp) {
            let op = SparseWgmma::from_form(form).ok_or_else(|| self.unsupported_form())?;
            let metadata = self.source(rest.next().ok_or_else(missing)?, 32)?;
            let Some(Operand::Int(selector)) = rest.next() else {
                return Err(invalid(i.span, "the sparsity selector is a number"));
            };
            if *selector < 0 || *selector >= i64::from(op.selectors()) {
                let text = format!("the sparsity selector is below {}, not {selector}", op.selectors());
                return Err(invalid(i.span, text));
            }
            let selector = *selector as u32;
            (WgmmaKind::Sparse { op, metadata, selector }, op.d(), op.a())
        } else {
            let op = Wgmma::from_form(form).ok_or_else(|| self.unsupported_form())?;
            (WgmmaKind::Dense(op), op.d(), op.a())
        };
        let scale_d = match rest.next() {
            Some(o) => self.source(o, 1)?,
            None => self.shared.constant(Class::Pred, 1),
        };
        let mut number = |default: i64| match rest.next() {
            None => Ok(default),
            Some(Operand::Int(n)) => Ok(*n),
            Some(_) => Err(invalid(i.span, "a scale or transposition of `wgmma` is a number")),
        };
        let sign = |n: i64| if n < 0 { Sign::Minus } else { Sign::Plus };
        let signs = [sign(number(1)?), sign(number(1)?)];
        let major = |n: i64| if n == 1 { Major::Mn } else { Major::K };
        let in_registers = matches!(a, Operand::Vector(_));
        let a_major = if in_registers { Major::K } else { major(number(0)?) };
        let b_major = major(number(0)?);
        let d = self.written_fragment(d, d_shape)?;
        let a = if in_registers {
            WgmmaLeft::Registers(self.fragment(a, a_shape)?)
        } else {
            WgmmaLeft::Descriptor(self.source(a, 64)?, a_major)
        };
        let a_fits = !matches!(&a, WgmmaLeft::Registers(a) if !fits(a, a_shape));
        if !fits(&d, d_shape) || !a_fits {
            let text = format!("`{}` takes {} registers for the accumulator", self.spelled(), d_shape.count);
            return Err(invalid(i.span, text));
        }
        self.warp_operation(CollectiveOp::Other(Box::new(WgmmaOp {
            op,
            c: d.clone(),
            d,
            a,
            b,
            b_major,
            scale_d,
            signs,
        })));
        Ok(())
    }

    fn sparse_mma(&mut self, i: &'a Instruction, op: SparseMma) -> Result<(), LowerError> {
        let [d, a, b, c, e, f] = &i.operands[..] else { return Err(self.operand_count(i)) };
        let Operand::Int(selector) = f else { return Err(invalid(i.span, "the sparsity selector is a number")) };
        if *selector < 0 || *selector >= i64::from(op.selectors()) {
            return Err(invalid(i.span, format!("the sparsity selector is below {}, not {selector}", op.selectors())));
        }
        let d = self.written_fragment(d, op.d())?;
        let a = self.fragment(a, op.a())?;
        let b = self.fragment(b, op.b())?;
        let c = self.fragment(c, op.c())?;
        let metadata = self.source(e, 32)?;
        self.fit(i, &[(&d, op.d()), (&a, op.a()), (&b, op.b()), (&c, op.c())])?;
        let selector = *selector as u32;
        self.warp_operation(CollectiveOp::Other(Box::new(SparseMmaOp { op, d, a, b, c, metadata, selector })));
        Ok(())
    }

    /// `wmma.load d, [a]{, stride}` and `wmma.store [a], d{, stride}`
    fn fragment_move(&mut self, i: &'a Instruction, op: WmmaMove) -> Result<(), LowerError> {
        let is_store = self.has(Word::Store);
        let [first, second, rest @ ..] = &i.operands[..] else { return Err(self.operand_count(i)) };
        let (address, registers) = if is_store { (first, second) } else { (second, first) };
        let address = self.address(address, self.space())?;
        let stride = match rest.first() {
            Some(o) => self.source(o, 32)?,
            None => Slot::NONE,
        };
        let shape = op.registers();
        let registers =
            if is_store { self.fragment(registers, shape)? } else { self.written_fragment(registers, shape)? };
        self.fit(i, &[(&registers, shape)])?;
        self.warp_operation(CollectiveOp::Fragment(FragmentCopy { op, is_store, address, stride, registers }));
        Ok(())
    }

    fn fit(&self, i: &Instruction, operands: &[(&Fragment, Registers)]) -> Result<(), LowerError> {
        for (fragment, shape) in operands {
            if !fits(fragment, *shape) {
                let text =
                    format!("an operand of `{}` is {} registers of {} bits", self.spelled(), shape.count, shape.bits);
                return Err(invalid(i.span, text));
            }
        }
        Ok(())
    }

    fn operand_count(&self, i: &Instruction) -> LowerError {
        invalid(i.span, format!("`{}` does not take {} operands", self.spelled(), i.operands.len()))
    }

    fn mma(&mut self, i: &'a Instruction, op: Mma) -> Result<(), LowerError> {
        let [d, a, b, c] = &i.operands[..] else { return Err(self.operand_count(i)) };
        let d = self.written_fragment(d, op.d())?;
        let a = self.fragment(a, op.a())?;
        let b = self.fragment(b, op.b())?;
        let c = self.fragment(c, op.c())?;
        self.fit(i, &[(&d, op.d()), (&a, op.a()), (&b, op.b()), (&c, op.c())])?;
        self.warp_operation(CollectiveOp::Other(Box::new(MmaOp { op, d, a, b, c })));
        Ok(())
    }

    fn parts(operand: &Operand) -> &[Operand] {
        match operand {
            Operand::Vector(parts) => parts,
            o => std::slice::from_ref(o),
        }
    }

    fn fragment(&mut self, operand: &Operand, shape: Registers) -> Result<Fragment, LowerError> {
        let class = Class::of_bits(shape.bits);
        Self::parts(operand).iter().map(|o| Ok((class, self.source(o, shape.bits)?))).collect()
    }

    fn written_fragment(&mut self, operand: &Operand, shape: Registers) -> Result<Fragment, LowerError> {
        let class = Class::of_bits(shape.bits);
        let one = |reg: Option<super::scope::Reg>| reg.map_or((class, Slot::NONE), |r| (r.class(), r.slot));
        Self::parts(operand).iter().map(|o| Ok(one(self.result(o)?))).collect()
    }

    fn matrix_move(&mut self, i: &'a Instruction, op: MatrixMove) -> Result<(), LowerError> {
        let is_store = i.opcode == Opcode::Stmatrix;
        let [first, second] = &i.operands[..] else { return Err(self.operand_count(i)) };
        let (address, registers) = if is_store { (first, second) } else { (second, first) };
        let address = self.address(address, self.space())?;
        let shape = Registers { count: op.registers(), bits: 32 };
        let fragment =
            if is_store { self.fragment(registers, shape)? } else { self.written_fragment(registers, shape)? };
        if !fits(&fragment, shape) {
            let text = format!("`{}` takes {} registers of 32 bits", self.spelled(), shape.count);
            return Err(invalid(i.span, text));
        }
        let registers = fragment.into_iter().map(|(_, slot)| slot).collect();
        self.warp_operation(CollectiveOp::Matrix(MatrixCopy { op, is_store, address, registers }));
        Ok(())
    }
}
