//! Shapes of values: what is the same in all lanes of a chunk, or changes by a fixed step.

use std::collections::BTreeSet;

use warpvm_isa::SpecialRegister;

use super::{Plan, Shape, UNIFORM, ValueId};
use crate::exec::changes_with_cta;
use crate::lane_op::{Compared, LaneOp};
use crate::program::{Collective, CollectiveOp, Kind, Pc, PresetValue, Program, ReduxOp, Role, ShflMode};
use crate::slots::{Class, FULL, Slot};

impl Plan {
    pub(super) fn find_shapes(&mut self, program: &Program) {
        for v in self.blocks[0].live_in.union(&self.whole).copied().collect::<Vec<_>>() {
            self.values[v].shape = Shape::Varying;
        }
        loop {
            self.find_convoys();
            let mut changed = self.spread_shapes(program);
            changed |= self.spread_masks();
            if !changed {
                break;
            }
        }
        for v in &mut self.values {
            if v.shape == Shape::Unknown {
                v.shape = Shape::Varying;
            }
        }
    }

    /// The step of a value from lane to lane, and from chunk to chunk.
    pub fn steps(&self, v: ValueId) -> (i64, Option<i64>) {
        match self.values[v].shape {
            Shape::Scalar { step, far } => (step, far),
            _ => (0, None),
        }
    }

    fn spread_shapes(&mut self, program: &Program) -> bool {
        let mut any = false;
        for pc in 0..program.code.len() as Pc {
            let results: Vec<ValueId> = self.operands(program, pc, Role::Write).collect();
            for v in results {
                let mut shape = self.result_shape(program, pc, v);
                let b = self.block_of[pc as usize];
                if shape != Shape::Varying
                    && self.blocks[b].masked
                    && !self.is_confined(v)
                    && (self.values[v].defs.len() > 1 && !self.is_together(v) || self.escapes_masked_loop(v, b))
                {
                    shape = Shape::Varying;
                }
                let joined = join(self.values[v].shape, shape);
                if joined != self.values[v].shape {
                    self.values[v].shape = joined;
                    any = true;
                }
            }
        }
        any
    }

    /// Do all lanes that will read the value pass each of its definitions together? Those in masked blocks are in loops of
    /// one block that the value does not leave.
    fn is_together(&self, v: ValueId) -> bool {
        let blocks: BTreeSet<usize> = self.values[v].defs.iter().map(|&pc| self.block_of[pc as usize]).collect();
        blocks.into_iter().filter(|&b| self.blocks[b].masked).all(|b| {
            let successors = &self.blocks[b].successors;
            successors.contains(&b) && successors.iter().all(|&s| s == b || !self.blocks[s].live_in.contains(&v))
        })
    }

    fn result_shape(&self, program: &Program, pc: Pc, v: ValueId) -> Shape {
        let inst = &program.code[pc as usize];
        if let Kind::Collective(c) = &inst.kind {
            return self.collective_shape(c, pc, v);
        }
        let Kind::Row(op) = &inst.kind else { return Shape::Varying };
        if inst.guard.is_some() || op.slots[1].is_some() || op.slots[0] != self.values[v].slot {
            return Shape::Varying;
        }
        let Some(name) = op.name else { return Shape::Varying };
        let sources: Vec<ValueId> =
            (2..6).filter(|&i| op.classes[i].is_some()).map(|i| self.read(op.slots[i])).collect();
        self.named_shape(name, &sources)
    }

    /// What all 32 lanes get together is the same in them.
    fn collective_shape(&self, c: &Collective, pc: Pc, v: ValueId) -> Shape {
        let constant = |slot: Slot| self.constant(self.read(slot)).map(|c| c as u32);
        let is_result = c.result == self.values[v].slot;
        if self.blocks[self.block_of[pc as usize]].masked || !c.mask.is_some() || constant(c.mask) != Some(FULL) {
            return Shape::Varying;
        }
        match c.op {
            CollectiveOp::VoteAll { .. }
            | CollectiveOp::VoteAny { .. }
            | CollectiveOp::VoteUni { .. }
            | CollectiveOp::VoteBallot { .. }
            | CollectiveOp::MatchAll(_) => UNIFORM,
            CollectiveOp::Redux(ReduxOp::MinF { .. } | ReduxOp::MaxF { .. }) => Shape::Varying,
            CollectiveOp::Redux(_) => UNIFORM,
            CollectiveOp::Elect if is_result => UNIFORM,
            CollectiveOp::Shfl(ShflMode::Idx)
                if is_result && constant(c.sources[2]).is_some_and(|c| c & 0x1f1f == 31) =>
            {
                match self.values[self.read(c.sources[1])].shape {
                    Shape::Unknown => Shape::Unknown,
                    UNIFORM => UNIFORM,
                    _ => Shape::Varying,
                }
            }
            _ => Shape::Varying,
        }
    }

    fn named_shape(&self, name: LaneOp, sources: &[ValueId]) -> Shape {
        let shapes = || sources.iter().map(|&v| self.values[v].shape);
        if shapes().any(|s| s == Shape::Varying) {
            return Shape::Varying;
        }
        if shapes().any(|s| s == Shape::Unknown) {
            return Shape::Unknown;
        }
        let step = self.slope(name, sources, |v| Some(self.steps(v).0));
        let far = self.slope(name, sources, |v| self.steps(v).1);
        let is_pred = self.values[sources[0]].class == Class::Pred || matches!(name, LaneOp::Compare(..));
        match step {
            Some(0) if is_pred => {
                if far == Some(0) {
                    UNIFORM
                } else {
                    Shape::Varying
                }
            }
            Some(step) if !is_pred => Shape::Scalar { step, far },
            _ => Shape::Varying,
        }
    }

    /// How a result changes from lane to lane, where its sources change as `slope` says.
    fn slope(&self, name: LaneOp, sources: &[ValueId], slope: impl Fn(ValueId) -> Option<i64>) -> Option<i64> {
        let s = |i: usize| slope(sources[i]);
        let constant = |i: usize| self.constant(sources[i]);
        let is_flat = || sources.iter().all(|&v| slope(v) == Some(0));
        let product = || {
            let factor = |i: usize| constant(i).map(|c| i64::from(c as i32)).filter(|c| c.abs() < 1 << 20);
            match (s(0)?, s(1)?) {
                (0, 0) => Some(0),
                (a, 0) => a.checked_mul(factor(1)?),
                (0, b) => b.checked_mul(factor(0)?),
                _ => None,
            }
        };
        let is_pred = self.values[sources[0]].class == Class::Pred;
        let slope = match name {
            LaneOp::Copy | LaneOp::Low | LaneOp::SignExtend | LaneOp::ZeroExtend => s(0)?,
            LaneOp::Add32 | LaneOp::Add64 => s(0)? + s(1)?,
            LaneOp::Sub32 | LaneOp::Sub64 => s(0)? - s(1)?,
            LaneOp::Mul32 | LaneOp::MulWideS | LaneOp::MulWideU => product()?,
            LaneOp::Mad32 => product()? + s(2)?,
            LaneOp::Shl32 | LaneOp::Shl64 => match constant(1)? {
                k if k < 16 => s(0)? << k,
                k if k < 32 && is_flat() => 0,
                _ => return None,
            },
            LaneOp::ShrU32 | LaneOp::ShrS32 | LaneOp::ShrU64 if is_flat() && constant(1)? < 32 => 0,
            LaneOp::And | LaneOp::Or | LaneOp::Xor | LaneOp::Not if is_flat() && !is_pred => 0,
            LaneOp::Compare(_, Compared::S32 | Compared::U32) if is_flat() => 0,
            _ => return None,
        };
        (slope.abs() < 1 << 20).then_some(slope)
    }
}

fn join(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        (Shape::Unknown, x) | (x, Shape::Unknown) => x,
        (Shape::Scalar { step: s, far: f }, Shape::Scalar { step: t, far: g }) if s == t => {
            Shape::Scalar { step: s, far: if f == g { f } else { None } }
        }
        _ => Shape::Varying,
    }
}

/// Do all lanes of a CTA have the same, and may it differ from launch to launch?
pub fn is_of_cta(value: PresetValue) -> bool {
    use SpecialRegister as S;
    match value {
        PresetValue::Constant(_) => false,
        PresetValue::Param { .. } => true,
        PresetValue::Special(register) => {
            changes_with_cta(register)
                || matches!(register, S::NtidX | S::NtidY | S::NtidZ | S::NctaidX | S::NctaidY | S::NctaidZ)
        }
    }
}

/// The shape of a preset row in a block of the launch.
pub fn of_preset(value: PresetValue, block: [u32; 3], lanes: u32) -> Shape {
    use SpecialRegister as S;
    let PresetValue::Special(register) = value else { return UNIFORM };
    let chunk = Some(i64::from(lanes));
    let is_line = block[1] == 1 && block[2] == 1;
    // Chunks do not cross rows of the block where its length is a multiple of theirs.
    let crosses = !is_line && !block[0].is_multiple_of(lanes);
    let row_is_chunk = block[0] == lanes;
    match register {
        _ if is_of_cta(value) => UNIFORM,
        S::Warpid => UNIFORM,
        S::Laneid => Shape::Scalar { step: 1, far: chunk },
        S::TidX if is_line || block[0].is_multiple_of(32) => Shape::Scalar { step: 1, far: chunk },
        S::TidY | S::TidZ if is_line => UNIFORM,
        S::TidZ if (block[0] * block[1]).is_multiple_of(32) => UNIFORM,
        S::TidX | S::TidY | S::TidZ if crosses => Shape::Varying,
        S::TidX => Shape::Scalar { step: 1, far: row_is_chunk.then_some(0) },
        S::TidY if block[0].is_multiple_of(32) => UNIFORM,
        S::TidY => Shape::Scalar { step: 0, far: (row_is_chunk && block[2] == 1).then_some(1) },
        S::TidZ => Shape::Scalar { step: 0, far: None },
        _ => Shape::Varying,
    }
}
