//! Warp collectives and barriers.

use warpvm_isa::{Modifier, Opcode, ScalarType, Word};
use warpvm_ptx::tree::{Instruction, Operand};

use super::body::Body;
use super::{LowerError, invalid};
use crate::program::{Barrier, BarrierOp, Collective, CollectiveOp, Kind, ReduxOp, ShflMode};
use crate::slots::{Class, Slot};

/// A number that is the same for two collectives exactly where their opcode and qualifiers are.
fn key(opcode: Opcode, modifiers: &[Modifier]) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut text = opcode.text().to_owned();
    for m in modifiers {
        text.push('.');
        text.push_str(&m.to_string());
    }
    for b in text.bytes() {
        hash = (hash ^ u32::from(b)).wrapping_mul(0x0100_0193);
    }
    hash
}

impl<'a> Body<'_, 'a> {
    pub fn collective(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let missing = || invalid(i.span, format!("`{}`: an operand is missing", self.spelled()));
        let ops = &i.operands;
        let first = ops.first().ok_or_else(missing)?;
        if i.opcode == Opcode::Activemask {
            let result = self.result(first)?.map_or(Slot::NONE, |r| r.slot);
            self.emit(Kind::ActiveMask { result });
            return Ok(());
        }
        let (d, p) = match first {
            Operand::Pair(d, p) => (&**d, Some(&**p)),
            d => (d, None),
        };
        let result = self.result(d)?.map_or(Slot::NONE, |r| r.slot);
        let predicate = match p {
            Some(p) => self.result(p)?.map_or(Slot::NONE, |r| r.slot),
            None => Slot::NONE,
        };
        let op = self.collective_op(i)?;
        let sync = self.has(Word::Sync);
        let source_count = match i.opcode {
            Opcode::Shfl => 3,
            Opcode::Elect => 0,
            _ => 1,
        };
        let wanted = 1 + source_count + usize::from(sync);
        if ops.len() != wanted {
            return Err(invalid(i.span, format!("`{}` takes {wanted} operands, not {}", self.spelled(), ops.len())));
        }
        let bits = match &op {
            CollectiveOp::VoteAll { .. }
            | CollectiveOp::VoteAny { .. }
            | CollectiveOp::VoteUni { .. }
            | CollectiveOp::VoteBallot { .. } => 1,
            CollectiveOp::MatchAny(Class::R64) | CollectiveOp::MatchAll(Class::R64) => 64,
            _ => 32,
        };
        let mut sources = [Slot::NONE; 3];
        for n in 0..source_count {
            // The `!` of a vote's predicate is part of the operation.
            let o = match &ops[1 + n] {
                Operand::Not(inner) => inner,
                o => o,
            };
            sources[n] = self.source(o, if n == 0 { bits } else { 32 })?;
        }
        let mask = if sync { self.source(&ops[wanted - 1], 32)? } else { Slot::NONE };
        let key = key(i.opcode, &i.modifiers);
        self.emit_waiting(Kind::Collective(Collective { op, mask, result, predicate, sources, key }));
        Ok(())
    }

    fn collective_op(&self, i: &Instruction) -> Result<CollectiveOp, LowerError> {
        let negated = matches!(i.operands.get(1), Some(Operand::Not(_)));
        let has = |w| self.has(w);
        let ty = self.types().last().copied();
        Ok(match i.opcode {
            Opcode::Vote if has(Word::All) => CollectiveOp::VoteAll { negated },
            Opcode::Vote if has(Word::Any) => CollectiveOp::VoteAny { negated },
            Opcode::Vote if has(Word::Uni) => CollectiveOp::VoteUni { negated },
            Opcode::Vote if has(Word::Ballot) => CollectiveOp::VoteBallot { negated },
            Opcode::Shfl if has(Word::Up) => CollectiveOp::Shfl(ShflMode::Up),
            Opcode::Shfl if has(Word::Down) => CollectiveOp::Shfl(ShflMode::Down),
            Opcode::Shfl if has(Word::Bfly) => CollectiveOp::Shfl(ShflMode::Bfly),
            Opcode::Shfl if has(Word::Idx) => CollectiveOp::Shfl(ShflMode::Idx),
            Opcode::Match => {
                let class = if ty == Some(ScalarType::B64) { Class::R64 } else { Class::R32 };
                if has(Word::Any) { CollectiveOp::MatchAny(class) } else { CollectiveOp::MatchAll(class) }
            }
            Opcode::Redux => CollectiveOp::Redux(self.redux_op(ty)?),
            Opcode::Elect => CollectiveOp::Elect,
            _ => return Err(self.unsupported_form()),
        })
    }

    fn redux_op(&self, ty: Option<ScalarType>) -> Result<ReduxOp, LowerError> {
        let (abs, nan) = (self.has(Word::Abs), self.has(Word::NaN));
        let signed = ty == Some(ScalarType::S32);
        let float = ty == Some(ScalarType::F32);
        Ok(match () {
            () if self.has(Word::Add) => ReduxOp::Add,
            () if self.has(Word::Min) && float => ReduxOp::MinF { abs, nan },
            () if self.has(Word::Max) && float => ReduxOp::MaxF { abs, nan },
            () if self.has(Word::Min) => {
                if signed {
                    ReduxOp::MinS
                } else {
                    ReduxOp::MinU
                }
            }
            () if self.has(Word::Max) => {
                if signed {
                    ReduxOp::MaxS
                } else {
                    ReduxOp::MaxU
                }
            }
            () if self.has(Word::And) => ReduxOp::And,
            () if self.has(Word::Or) => ReduxOp::Or,
            () if self.has(Word::Xor) => ReduxOp::Xor,
            () => return Err(self.unsupported_form()),
        })
    }

    pub fn barrier(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let is_bar = i.opcode == Opcode::Bar;
        if is_bar && self.current.modifiers.first().is_some_and(|m| m.to_string() == "warp") {
            return self.bar_warp(i);
        }
        let aligned = is_bar || self.has(Word::Aligned);
        if self.has(Word::Cluster) {
            let op = if self.has(Word::Arrive) {
                BarrierOp::ClusterArrive { release: !self.has(Word::Relaxed) }
            } else {
                BarrierOp::ClusterWait { acquire: !self.has(Word::Relaxed) }
            };
            let none = Slot::NONE;
            let b = Barrier { id: none, count: none, op, aligned, predicate: none, negated: false, result: none };
            self.emit_waiting(Kind::Barrier(b));
            return Ok(());
        }
        let op = match () {
            () if self.has(Word::Arrive) => BarrierOp::Arrive,
            () if self.has(Word::Popc) => BarrierOp::RedPopc,
            () if self.has(Word::Red) && self.has(Word::And) => BarrierOp::RedAnd,
            () if self.has(Word::Red) && self.has(Word::Or) => BarrierOp::RedOr,
            () => BarrierOp::Sync,
        };
        let mut operands: Vec<&Operand> = i.operands.iter().collect();
        let is_red = matches!(op, BarrierOp::RedPopc | BarrierOp::RedAnd | BarrierOp::RedOr);
        let spelled = self.spelled();
        let missing = || invalid(i.span, format!("`{spelled}`: an operand is missing"));
        let (mut result, mut predicate, mut negated) = (Slot::NONE, Slot::NONE, false);
        if is_red {
            if operands.len() < 3 {
                return Err(missing());
            }
            result = self.result(operands.remove(0))?.map_or(Slot::NONE, |r| r.slot);
            let last = operands.pop().ok_or_else(missing)?;
            let (inner, not) = match last {
                Operand::Not(inner) => (&**inner, true),
                o => (o, false),
            };
            negated = not;
            predicate = self.source(inner, 1)?;
        }
        let id = self.source(operands.first().ok_or_else(missing)?, 32)?;
        let count = match operands.get(1) {
            Some(o) => self.source(o, 32)?,
            None => Slot::NONE,
        };
        self.emit_waiting(Kind::Barrier(Barrier { id, count, op, aligned, predicate, negated, result }));
        Ok(())
    }

    fn bar_warp(&mut self, i: &Instruction) -> Result<(), LowerError> {
        let o = i.operands.first().ok_or_else(|| invalid(i.span, "`bar.warp.sync` needs a mask"))?;
        let mask = self.source(o, 32)?;
        let key = key(i.opcode, &i.modifiers);
        let none = Slot::NONE;
        self.emit_waiting(Kind::Collective(Collective {
            op: CollectiveOp::BarWarp,
            mask,
            result: none,
            predicate: none,
            sources: [none; 3],
            key,
        }));
        Ok(())
    }

    /// The key and the full mask for an operation that the whole warp does together.
    pub fn warp_operation(&mut self, op: CollectiveOp) {
        let mask = self.shared.constant(Class::R32, 0xffff_ffff);
        let key = key(self.current.opcode, &self.current.modifiers);
        let none = Slot::NONE;
        self.emit_waiting(Kind::Collective(Collective {
            op,
            mask,
            result: none,
            predicate: none,
            sources: [none; 3],
            key,
        }));
    }
}
