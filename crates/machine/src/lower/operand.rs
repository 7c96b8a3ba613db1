//! Operands: from what is written to the slot that holds it.

use warpvm_isa::{ScalarType, SpecialRegister};
use warpvm_ptx::tree::{AddressBase, Name, Operand, Span};
use warpvm_sem::Sink;

use super::body::Body;
use super::scope::{Def, Label, Reg};
use super::{LowerError, invalid, unsupported};
use crate::lane_op::LaneOp;
use crate::memory::{GLOBAL_BASE, SHARED_BASE};
use crate::program::{Address, AddressKind, AddressOp, AddressSpace, Kind, PresetValue, Symbol};
use crate::row::{Built, RowBuilder};
use crate::slots::{Class, Slot};

/// Special registers that may differ between two reads by one thread.
pub fn is_volatile(register: SpecialRegister) -> bool {
    use SpecialRegister as S;
    matches!(
        register,
        S::Clock
            | S::ClockHi
            | S::Clock64
            | S::Globaltimer
            | S::GlobaltimerLo
            | S::GlobaltimerHi
            | S::Pm0
            | S::Pm1
            | S::Pm2
            | S::Pm3
            | S::Pm4
            | S::Pm5
            | S::Pm6
            | S::Pm7
            | S::Pm0X64
            | S::Pm1X64
            | S::Pm2X64
            | S::Pm3X64
            | S::Pm4X64
            | S::Pm5X64
            | S::Pm6X64
            | S::Pm7X64
    )
}

impl Body<'_, '_> {
    pub fn find(&self, name: Name) -> Option<Def> {
        self.scopes.find(self.module, name)
    }

    /// A register by name.
    pub fn register_of(&self, name: Name, span: Span) -> Result<Reg, LowerError> {
        match self.find(name) {
            Some(Def::Reg(reg)) => Ok(reg),
            Some(_) => Err(invalid(span, format!("`{}` is not a register", self.module.name(name)))),
            None => Err(self.unknown(name, span)),
        }
    }

    /// A predicate register by name.
    pub fn predicate(&self, name: Name, span: Span) -> Result<Slot, LowerError> {
        let reg = self.register_of(name, span)?;
        if reg.ty != ScalarType::Pred {
            return Err(invalid(span, format!("`{}` is not a predicate", self.module.name(name))));
        }
        Ok(reg.slot)
    }

    pub fn label_of(&self, operand: &Operand) -> Result<Label, LowerError> {
        let span = self.current.span;
        match operand {
            Operand::Name(name) => match self.find(*name) {
                Some(Def::Label(label)) => Ok(label),
                _ => Err(invalid(span, format!("`{}` is not a label of this function", self.module.name(*name)))),
            },
            _ => Err(invalid(span, "expected a label")),
        }
    }

    /// The register that an operand names: plain, a component, or one with a selector.
    pub fn register_operand(&self, operand: &Operand) -> Result<Reg, LowerError> {
        let span = self.current.span;
        match operand {
            Operand::Name(name) => self.register_of(*name, span),
            Operand::Selected(name, part) => match self.find(*name) {
                Some(Def::Vector(parts)) => {
                    let index = match self.module.name(*part) {
                        "x" | "r" => 0,
                        "y" | "g" => 1,
                        "z" | "b" => 2,
                        "w" | "a" => 3,
                        _ => usize::MAX,
                    };
                    parts.get(index).copied().ok_or_else(|| invalid(span, "no such component of a vector register"))
                }
                Some(Def::Reg(reg)) => Ok(reg),
                _ => Err(self.unknown(*name, span)),
            },
            _ => Err(invalid(span, "expected a register")),
        }
    }

    /// The slot of a source operand as a row of `bits`, with what it takes to bring it there.
    pub fn source(&mut self, operand: &Operand, bits: u32) -> Result<Slot, LowerError> {
        let class = Class::of_bits(bits);
        let span = self.current.span;
        match operand {
            Operand::Int(value) => {
                let masked = if bits < 64 { *value as u64 & ((1 << bits) - 1) } else { *value as u64 };
                Ok(self.shared.constant(class, masked))
            }
            Operand::F32(value) if bits == 64 => {
                let wide = f64::from(f32::from_bits(*value)).to_bits();
                Ok(self.shared.constant(class, wide))
            }
            Operand::F32(value) => Ok(self.shared.constant(class, u64::from(*value))),
            Operand::F64(value) if bits <= 32 => {
                let narrow = (f64::from_bits(*value) as f32).to_bits();
                Ok(self.shared.constant(class, u64::from(narrow)))
            }
            Operand::F64(value) => Ok(self.shared.constant(class, *value)),
            Operand::Special(register) => self.special(*register, class),
            Operand::Not(inner) => {
                let slot = self.source(inner, 1)?;
                let built = RowBuilder.op1(|p: bool| !p).named(Some(LaneOp::Not));
                Ok(self.temporary(built, &[slot]))
            }
            Operand::Negated(inner) => self.source(inner, bits),
            Operand::Name(name) | Operand::Offset(name, _) => {
                let offset = if let Operand::Offset(_, o) = operand { *o } else { 0 };
                match self.find(*name) {
                    Some(Def::Reg(reg)) if offset == 0 => self.as_class(reg, class, span),
                    Some(Def::Reg(_)) => Err(invalid(span, "a register with an offset stands only between brackets")),
                    _ => self.address_value(*name, offset, class),
                }
            }
            Operand::Selected(..) => {
                let reg = self.register_operand(operand)?;
                self.as_class(reg, class, span)
            }
            Operand::Vector(parts) if parts.len() == 1 => self.source(&parts[0], bits),
            _ => Err(invalid(span, "expected a register or a number")),
        }
    }

    fn as_class(&mut self, reg: Reg, class: Class, span: Span) -> Result<Slot, LowerError> {
        match (reg.class(), class) {
            (a, b) if a == b => Ok(reg.slot),
            (Class::R64, Class::R32) => {
                let built = RowBuilder.op1(|x: u64| x as u32).named(Some(LaneOp::Low));
                Ok(self.temporary(built, &[reg.slot]))
            }
            (Class::R32, Class::R64) => {
                let built = RowBuilder.op1(|x: u32| u64::from(x)).named(Some(LaneOp::ZeroExtend));
                Ok(self.temporary(built, &[reg.slot]))
            }
            _ => Err(invalid(span, format!("a `{:?}` register does not fit this operand", reg.ty))),
        }
    }

    /// Runs an operation for every lane into a fresh slot.
    pub fn temporary(&mut self, built: Built, sources: &[Slot]) -> Slot {
        let slot = self.temp(Class::of_bits(built.signature.result));
        self.emit_always(Kind::Row(built.on(slot, Slot::NONE, sources)));
        slot
    }

    fn special(&mut self, register: SpecialRegister, class: Class) -> Result<Slot, LowerError> {
        let own = Class::of_bits(register.bits());
        let slot = if is_volatile(register) {
            let result = self.temp(own);
            self.emit_always(Kind::ReadSpecial { result, class: own, register });
            result
        } else {
            self.shared.preset(own, PresetValue::Special(register))
        };
        let ty = match own {
            Class::Pred => ScalarType::Pred,
            Class::R32 => ScalarType::B32,
            _ => ScalarType::B64,
        };
        self.as_class(Reg { ty, slot }, class, self.current.span)
    }

    /// The address of a variable, label-free: what `mov` gives.
    fn address_value(&mut self, name: Name, offset: i64, class: Class) -> Result<Slot, LowerError> {
        let span = self.current.span;
        match self.find(name) {
            Some(Def::Shared { offset: at }) => {
                self.names(Symbol::Shared(at));
                Ok(self.shared.constant(class, u64::from(at).wrapping_add(offset as u64)))
            }
            Some(Def::SharedDynamic) => Ok(self.dynamic_shared(class, offset)),
            Some(Def::KernelParam { offset: at, .. }) => {
                Ok(self.shared.constant(class, u64::from(at).wrapping_add(offset as u64)))
            }
            Some(Def::Frame { offset: at, .. }) => {
                self.names(Symbol::Local(at));
                let source = self.shared.constant(class, u64::from(at).wrapping_add(offset as u64));
                let result = self.temp(class);
                self.emit_always(Kind::Address(AddressOp {
                    op: AddressKind::LocalVariable,
                    result,
                    result_class: class,
                    source,
                    source_class: class,
                    second: Slot::NONE,
                }));
                Ok(result)
            }
            Some(_) => Err(invalid(span, format!("`{}` is not a value", self.module.name(name)))),
            None => {
                let is_dynamic = self.shared.image.variables.get(&name).is_some_and(|v| v.address == u64::MAX);
                if is_dynamic {
                    return Ok(self.dynamic_shared(class, offset));
                }
                if let Some(item) = self.shared.image.function_index(name) {
                    self.shared.reach_code(item)?;
                }
                if let Some(v) = self.shared.image.variables.get(&name).filter(|v| v.address < GLOBAL_BASE) {
                    self.names(Symbol::Shared(v.address as u32));
                }
                match self.shared.image.symbol_address(name, false) {
                    Some(address) => Ok(self.shared.constant(class, address.wrapping_add(offset as u64))),
                    None => Err(self.unknown(name, span)),
                }
            }
        }
    }

    fn names(&mut self, symbol: Symbol) {
        self.current.symbol = self.current.symbol.and(symbol);
    }

    fn dynamic_shared(&mut self, class: Class, offset: i64) -> Slot {
        self.names(Symbol::DynamicShared);
        let slot = self.shared.slot(class);
        self.shared.dynamic_shared.push((slot, offset));
        slot
    }

    /// The first result: its slot for a closure result of `bits`, and the register where it must be widened.
    pub fn result(&mut self, operand: &Operand) -> Result<Option<Reg>, LowerError> {
        match operand {
            Operand::Sink => Ok(None),
            Operand::Vector(parts) if parts.len() == 1 => self.result(&parts[0]),
            _ => self.register_operand(operand).map(Some),
        }
    }

    /// The address of a memory instruction.
    pub fn address(&mut self, operand: &Operand, space: AddressSpace) -> Result<Address, LowerError> {
        let span = self.current.span;
        let absolute = |offset: i64, space| Address { base: Slot::NONE, class: Class::R64, offset, space };
        let Operand::Address(a) = operand else {
            return match operand {
                // `[reg]` may be written without brackets nowhere; a bare variable is its address in old PTX.
                Operand::Name(name) => self.named_address(*name, 0, space),
                _ => Err(invalid(span, "expected an address in brackets")),
            };
        };
        match a.base {
            AddressBase::Absolute => Ok(absolute(a.offset, space)),
            AddressBase::Name(name) => match self.find(name) {
                Some(Def::Reg(reg)) => {
                    if !matches!(reg.class(), Class::R32 | Class::R64) {
                        return Err(invalid(span, format!("`{}` cannot hold an address", self.module.name(name))));
                    }
                    Ok(Address { base: reg.slot, class: reg.class(), offset: a.offset, space })
                }
                _ => self.named_address(name, a.offset, space),
            },
        }
    }

    fn named_address(&mut self, name: Name, offset: i64, space: AddressSpace) -> Result<Address, LowerError> {
        use AddressSpace as A;
        let span = self.current.span;
        let text = self.module.name(name);
        let absolute = |offset: i64, space| Address { base: Slot::NONE, class: Class::R64, offset, space };
        let mismatch = || Err(invalid(span, format!("`{text}` is not in the state space of this instruction")));
        match self.find(name) {
            Some(Def::Frame { offset, .. }) => self.names(Symbol::Local(offset)),
            Some(Def::Shared { offset }) => self.names(Symbol::Shared(offset)),
            None => {
                if let Some(v) = self.shared.image.variables.get(&name).filter(|v| v.address < GLOBAL_BASE) {
                    self.names(Symbol::Shared(v.address as u32));
                }
            }
            _ => {}
        }
        match self.find(name) {
            Some(Def::Frame { offset: at, .. }) => match space {
                A::Generic | A::Local | A::Param | A::Frame => Ok(absolute(i64::from(at) + offset, A::Frame)),
                _ => mismatch(),
            },
            Some(Def::KernelParam { offset: at, .. }) => match space {
                A::Param | A::Generic => Ok(absolute(i64::from(at) + offset, A::Param)),
                _ => mismatch(),
            },
            Some(Def::Shared { offset: at }) => match space {
                A::Shared | A::SharedCluster => Ok(absolute(i64::from(at) + offset, space)),
                A::Generic => Ok(absolute(SHARED_BASE as i64 + i64::from(at) + offset, A::Generic)),
                _ => mismatch(),
            },
            Some(Def::SharedDynamic) => self.dynamic_address(offset, space),
            Some(Def::Vector(_) | Def::Reg(_) | Def::Label(_) | Def::Targets(_) | Def::Prototype) => {
                Err(invalid(span, format!("`{text}` is not a variable")))
            }
            None => match self.shared.image.variables.get(&name) {
                Some(v) if v.address == u64::MAX => self.dynamic_address(offset, space),
                Some(v) if v.address < GLOBAL_BASE => match space {
                    A::Shared | A::SharedCluster => Ok(absolute(v.address as i64 + offset, space)),
                    A::Generic => Ok(absolute((SHARED_BASE + v.address) as i64 + offset, A::Generic)),
                    _ => mismatch(),
                },
                Some(v) => match space {
                    A::Global | A::Const | A::Generic => Ok(absolute(v.address as i64 + offset, A::Global)),
                    _ => mismatch(),
                },
                None => Err(self.unknown(name, span)),
            },
        }
    }

    fn dynamic_address(&mut self, offset: i64, space: AddressSpace) -> Result<Address, LowerError> {
        let base = self.dynamic_shared(Class::R64, 0);
        match space {
            AddressSpace::Shared | AddressSpace::SharedCluster => {
                Ok(Address { base, class: Class::R64, offset, space })
            }
            AddressSpace::Generic => {
                Ok(Address { base, class: Class::R64, offset: offset + SHARED_BASE as i64, space })
            }
            _ => Err(unsupported(self.current.span, "a dynamic shared array in another state space")),
        }
    }
}
