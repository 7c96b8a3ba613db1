//! Every slot of an instruction, shown once: for layout, liveness and observers.

use crate::program::{Address, Callee, CollectiveOp, Inst, Kind, Place, Role, StackOp};
use crate::slots::{Class, Slot};

type Visitor<'a> = dyn FnMut(Role, Class, &mut Slot) + 'a;

fn show(f: &mut Visitor<'_>, role: Role, class: Class, slot: &mut Slot) {
    if slot.is_some() {
        f(role, class, slot);
    }
}

fn address(f: &mut Visitor<'_>, address: &mut Address) {
    show(f, Role::Read, address.class, &mut address.base);
}

fn list(f: &mut Visitor<'_>, role: Role, slots: &mut [(Class, Slot)]) {
    for (class, slot) in slots {
        show(f, role, *class, slot);
    }
}

fn places(f: &mut Visitor<'_>, role: Role, places: &mut [Place]) {
    for place in places {
        if let Place::Register(class, slot) = place {
            show(f, role, *class, slot);
        }
    }
}

impl Inst {
    /// Shows every slot of the instruction to `f`, results before sources.
    pub fn visit(&mut self, f: &mut Visitor<'_>) {
        self.kind.visit(f);
        if let Some(guard) = &mut self.guard {
            show(f, Role::Read, Class::Pred, &mut guard.slot);
        }
    }
}

impl Kind {
    fn visit(&mut self, f: &mut Visitor<'_>) {
        use Role::{Read, Write};
        match self {
            Kind::Row(op) => {
                for i in 0..op.slots.len() {
                    if let Some(class) = op.classes[i] {
                        show(f, if i < 2 { Write } else { Read }, class, &mut op.slots[i]);
                    }
                }
            }
            Kind::Load(load) => {
                list(f, Write, &mut load.results);
                address(f, &mut load.address);
            }
            Kind::Store(store) => {
                list(f, Read, &mut store.sources);
                address(f, &mut store.address);
            }
            Kind::Atomic(atomic) => {
                list(f, Write, &mut atomic.results);
                list(f, Read, &mut atomic.b);
                if let Some((class, slot)) = &mut atomic.c {
                    show(f, Read, *class, slot);
                }
                address(f, &mut atomic.address);
            }
            Kind::BranchIndexed { index, .. } => show(f, Read, Class::R32, index),
            Kind::Call(call) => {
                places(f, Write, &mut call.results);
                places(f, Read, &mut call.args);
                if let Callee::Indirect(slot) = &mut call.callee {
                    show(f, Read, Class::R64, slot);
                }
            }
            Kind::Collective(c) => {
                let (result, source) = match &c.op {
                    CollectiveOp::VoteAll { .. } | CollectiveOp::VoteAny { .. } | CollectiveOp::VoteUni { .. } => {
                        (Class::Pred, Class::Pred)
                    }
                    CollectiveOp::VoteBallot { .. } => (Class::R32, Class::Pred),
                    CollectiveOp::MatchAny(class) | CollectiveOp::MatchAll(class) => (Class::R32, *class),
                    _ => (Class::R32, Class::R32),
                };
                show(f, Write, result, &mut c.result);
                show(f, Write, Class::Pred, &mut c.predicate);
                show(f, Read, source, &mut c.sources[0]);
                show(f, Read, Class::R32, &mut c.sources[1]);
                show(f, Read, Class::R32, &mut c.sources[2]);
                show(f, Read, Class::R32, &mut c.mask);
                match &mut c.op {
                    CollectiveOp::Other(op) => op.visit(f),
                    CollectiveOp::Matrix(m) => {
                        let role = if m.is_store { Read } else { Write };
                        m.registers.iter_mut().for_each(|slot| show(f, role, Class::R32, slot));
                        address(f, &mut m.address);
                    }
                    CollectiveOp::Fragment(m) => {
                        list(f, if m.is_store { Read } else { Write }, &mut m.registers);
                        show(f, Read, Class::R32, &mut m.stride);
                        address(f, &mut m.address);
                    }
                    CollectiveOp::TensorMap(t) => {
                        address(f, &mut t.destination);
                        address(f, &mut t.source);
                    }
                    _ => {}
                }
            }
            Kind::Barrier(b) => {
                let class = if b.op == crate::program::BarrierOp::RedPopc { Class::R32 } else { Class::Pred };
                show(f, Write, class, &mut b.result);
                show(f, Read, Class::R32, &mut b.id);
                show(f, Read, Class::R32, &mut b.count);
                show(f, Read, Class::Pred, &mut b.predicate);
            }
            Kind::ReadSpecial { result, class, .. } => show(f, Write, *class, result),
            Kind::ActiveMask { result } => show(f, Write, Class::R32, result),
            Kind::Address(op) => {
                show(f, Write, op.result_class, &mut op.result);
                show(f, Read, op.source_class, &mut op.source);
                show(f, Read, Class::R32, &mut op.second);
            }
            Kind::Mbarrier(m) => {
                use crate::program::MbarrierOp as Op;
                let (result, operand) = match m.op {
                    Op::TestWait { parity, .. } => (Class::Pred, if parity { Class::R32 } else { Class::R64 }),
                    Op::PendingCount => (Class::R32, Class::R64),
                    _ => (Class::R64, Class::R32),
                };
                show(f, Write, result, &mut m.result);
                show(f, Read, operand, &mut m.operand);
                address(f, &mut m.address);
            }
            Kind::AsyncCopy(copy) => {
                address(f, &mut copy.destination);
                address(f, &mut copy.source);
                show(f, Read, Class::R32, &mut copy.size_slot);
                show(f, Read, Class::Pred, &mut copy.ignore);
                show(f, Read, Class::R32, &mut copy.multicast);
                if let Some(mbarrier) = &mut copy.mbarrier {
                    address(f, mbarrier);
                }
                if let Some(part) = &mut copy.tensor {
                    let slots = part.coordinates.iter_mut().chain(part.offsets.iter_mut().flatten());
                    slots.for_each(|slot| show(f, Read, Class::R32, slot));
                }
            }
            Kind::TensorMapReplace(t) => {
                show(f, Read, t.value.0, &mut t.value.1);
                address(f, &mut t.address);
            }
            Kind::RemoteStore(store) => {
                list(f, Read, &mut store.sources);
                address(f, &mut store.address);
                address(f, &mut store.mbarrier);
            }
            Kind::Stack(op) => match op {
                StackOp::Alloca { result, size, .. } => {
                    show(f, Write, result.0, &mut result.1);
                    show(f, Read, size.0, &mut size.1);
                }
                StackOp::Save { result } => show(f, Write, result.0, &mut result.1),
                StackOp::Restore { source } => show(f, Read, source.0, &mut source.1),
            },
            Kind::Branch { .. }
            | Kind::Converge
            | Kind::Return
            | Kind::Exit
            | Kind::Trap
            | Kind::Breakpoint
            | Kind::Fence(_)
            | Kind::Yield
            | Kind::Nothing
            | Kind::PmEvent(_)
            | Kind::AsyncGroup(_) => {}
        }
    }
}
