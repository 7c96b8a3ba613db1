//! Branches, calls and returns.

use warpvm_ptx::tree::{Instruction, Name, Operand};

use super::body::Body;
use super::scope::Def;
use super::{LowerError, invalid, unsupported};
use crate::program::{Builtin, Call, Callee, Kind, Place};
use crate::slots::Class;

impl<'a> Body<'_, 'a> {
    pub fn branch(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let target = i.operands.first().ok_or_else(|| invalid(i.span, "`bra` needs a label"))?;
        let label = self.label_of(target)?;
        self.emit(Kind::Branch { target: label.0, reconverge: 0 });
        Ok(())
    }

    pub fn branch_indexed(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let [index, list] = &i.operands[..] else { return Err(invalid(i.span, "`brx.idx` takes an index and a list")) };
        let index = self.source(index, 32)?;
        let Operand::Name(name) = list else { return Err(invalid(i.span, "expected a list of branch targets")) };
        let targets = match self.branch_targets(*name) {
            Some(targets) => targets,
            None => {
                return Err(invalid(i.span, format!("`{}` is not a list of branch targets", self.module.name(*name))));
            }
        };
        let mut labels = Vec::new();
        for t in targets {
            labels.push(self.label_of(&Operand::Name(t))?.0);
        }
        self.emit_waiting(Kind::BranchIndexed { index, targets: labels, reconverge: 0 });
        Ok(())
    }

    fn branch_targets(&self, name: Name) -> Option<Vec<Name>> {
        match self.find(name) {
            Some(Def::Targets(list)) => Some(list),
            _ => None,
        }
    }

    pub fn ret(&mut self) -> Result<(), LowerError> {
        if self.is_kernel {
            self.emit(Kind::Exit);
            return Ok(());
        }
        let label = if let Some(label) = self.return_label {
            label
        } else {
            let label = self.label();
            self.return_label = Some(label);
            label
        };
        self.emit(Kind::Branch { target: label.0, reconverge: 0 });
        Ok(())
    }

    /// `call (ret), f, (args), prototype`
    pub fn call(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let mut operands = i.operands.iter().peekable();
        let empty = Vec::new();
        let results = match operands.peek() {
            Some(Operand::List(list)) => {
                operands.next();
                list
            }
            _ => &empty,
        };
        let Some(Operand::Name(callee)) = operands.next() else {
            return Err(invalid(i.span, "`call` needs a function or a register that holds one"));
        };
        let args = match operands.peek() {
            Some(Operand::List(list)) => list,
            _ => &empty,
        };
        let callee = self.callee(*callee, i)?;
        let mut call = Call { callee, args: Vec::new(), results: Vec::new() };
        let formals = match &call.callee {
            Callee::Function(index) => Some(self.shared.signatures[*index as usize].clone()),
            _ => None,
        };
        for (n, a) in args.iter().enumerate() {
            let formal = formals.as_ref().and_then(|s| s.formals.get(n).copied());
            call.args.push(self.place(a, formal)?);
        }
        for (n, r) in results.iter().enumerate() {
            let formal = formals.as_ref().and_then(|s| s.results.get(n).copied());
            call.results.push(self.place(r, formal)?);
        }
        if let Some(s) = formals
            && (s.formals.len() != call.args.len() || s.results.len() != call.results.len())
        {
            return Err(invalid(
                i.span,
                "the call's arguments or results are not as many as the function's parameters",
            ));
        }
        let is_indirect = matches!(call.callee, Callee::Indirect(_));
        self.emit_waiting(Kind::Call(call));
        if is_indirect {
            // Lanes may have called different functions: here they meet again.
            self.emit_synthetic(Kind::Converge);
        }
        Ok(())
    }

    fn callee(&mut self, name: Name, i: &Instruction) -> Result<Callee, LowerError> {
        if let Some(Def::Reg(reg)) = self.find(name) {
            if reg.class() != Class::R64 {
                return Err(invalid(i.span, "a function pointer has 64 bits"));
            }
            self.shared.has_indirect_call = true;
            return Ok(Callee::Indirect(reg.slot));
        }
        let text = self.module.name(name);
        let item = self.shared.image.function_index(name).ok_or_else(|| self.unknown(name, i.span))?;
        if self.shared.image.function(item).body.is_some() {
            return Ok(Callee::Function(self.shared.reach(item)?));
        }
        let builtin = match text {
            "vprintf" => Builtin::Vprintf,
            "malloc" => Builtin::Malloc,
            "free" => Builtin::Free,
            "__assertfail" => Builtin::AssertFail,
            _ => {
                let message = format!("`{text}` is declared but has no body here: linking modules is not supported");
                return Err(unsupported(i.span, message));
            }
        };
        Ok(Callee::Builtin(builtin))
    }

    /// Where an argument is or a result goes.
    fn place(&mut self, operand: &Operand, formal: Option<Place>) -> Result<Place, LowerError> {
        if let Operand::Name(name) = operand {
            match self.find(*name) {
                Some(Def::Frame { offset, len }) => return Ok(Place::Memory(offset, len)),
                Some(Def::Reg(reg)) => return Ok(Place::Register(reg.class(), reg.slot)),
                _ => {}
            }
        }
        let class = match formal {
            Some(Place::Register(class, _)) => class,
            Some(Place::Memory(_, 8)) => Class::R64,
            _ => Class::R32,
        };
        let bits = if class == Class::R64 { 64 } else { 32 };
        Ok(Place::Register(class, self.source(operand, bits)?))
    }
}
