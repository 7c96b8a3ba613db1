//! Matrix instructions.

use warpvm_isa::Opcode;
use warpvm_ptx::tree::{Instruction, Operand};
use warpvm_sem::Form;
use warpvm_sem::tensor::{MatrixMove, Mma, Registers, is_movmatrix};

use super::body::Body;
use super::{LowerError, invalid};
use crate::exec::matrix::{Fragment, MmaOp, MovmatrixOp, fits};
use crate::program::{CollectiveOp, MatrixCopy};
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
            Opcode::Mma => {
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
            _ => Err(self.unsupported_form()),
        }
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
        for (fragment, shape) in [(&d, op.d()), (&a, op.a()), (&b, op.b()), (&c, op.c())] {
            if !fits(fragment, shape) {
                let text =
                    format!("an operand of `{}` is {} registers of {} bits", self.spelled(), shape.count, shape.bits);
                return Err(invalid(i.span, text));
            }
        }
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
