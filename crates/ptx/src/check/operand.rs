//! Operands of an instruction against those of a form (PTX ISA, sections 6 and 9.4).

use super::matcher::{Bound, Class, class, fits, spell};
use super::row::{Kind, Length, OperandSpec, Presence, Range, Special, TypeOf};
use super::scope::{Entity, Role, Scopes, space_name};
use crate::tree::{AddressBase, Instruction, Module, Name, Operand};
use warpvm_isa::{Modifier, Opcode, ScalarType, SpecialRegister, StateSpace, Word};

/// Why operands do not fit a form, and how far the check came.
pub(crate) struct Misfit {
    /// Index of the operand at fault; the number of operands where the count is wrong.
    pub at: usize,
    pub message: String,
    pub help: Option<String>,
}

type Checked = Result<(), (String, Option<String>)>;

fn wrong(message: impl Into<String>) -> Checked {
    Err((message.into(), None))
}

pub(crate) struct Operands<'a, 'b> {
    pub module: &'a Module,
    pub scopes: &'b mut Scopes<'a>,
    pub bound: &'b Bound<'a>,
    pub instruction: &'a Instruction,
}

impl Operands<'_, '_> {
    /// Checks all operands.
    pub fn check(&mut self) -> Result<(), Misfit> {
        let form = self.bound.form;
        let given = &self.instruction.operands;
        let specs: Vec<&OperandSpec> = form.operands.iter().filter(|spec| self.present(spec)).collect();
        let least = specs.iter().filter(|spec| spec.presence != Presence::Optional).count();
        let any = specs.iter().any(|spec| spec.kind == Kind::Special(Special::Rest));
        if !any && (given.len() < least || given.len() > specs.len()) {
            let name = spell(form.opcode, self.bound.modifiers);
            let wanted = match (least, specs.len()) {
                (least, most) if least == most => count(least),
                (least, most) => format!("{least} to {}", count(most)),
            };
            let message = format!("`{name}` takes {wanted}, found {}", given.len());
            return Err(Misfit { at: given.len(), message, help: None });
        }
        self.assign(&specs, 0)
    }

    fn present(&self, spec: &OperandSpec) -> bool {
        match spec.presence {
            Presence::With(word) => self.bound.modifiers.contains(&word),
            Presence::Always | Presence::Optional => true,
        }
    }

    /// Fits the operands from `at` on to the specs that are left; the few optional ones are tried both ways.
    fn assign(&mut self, specs: &[&OperandSpec], at: usize) -> Result<(), Misfit> {
        let instruction = self.instruction;
        let Some((spec, rest)) = specs.split_first() else {
            return match instruction.operands.get(at) {
                None => Ok(()),
                Some(operand) => {
                    let message = format!("unexpected operand `{}`", self.module.operand_text(operand));
                    Err(Misfit { at, message, help: None })
                }
            };
        };
        if spec.kind == Kind::Special(Special::Rest) {
            return Ok(());
        }
        let taken = match instruction.operands.get(at) {
            Some(operand) => match self.one(spec, operand) {
                Ok(()) => self.assign(rest, at + 1),
                Err((message, help)) => {
                    let name = spell(instruction.opcode, &instruction.modifiers);
                    Err(Misfit { at, message: format!("operand {} of `{name}`: {message}", at + 1), help })
                }
            },
            None => Err(Misfit { at, message: "an operand is missing".to_owned(), help: None }),
        };
        match taken {
            Err(misfit) if spec.presence == Presence::Optional => match self.assign(rest, at) {
                Err(other) if other.at > misfit.at => Err(other),
                Err(_) => Err(misfit),
                Ok(()) => Ok(()),
            },
            other => other,
        }
    }

    fn type_of(&self, spec: &OperandSpec) -> Word {
        let first = self.bound.types.first().copied().unwrap_or(Word::B32);
        match spec.ty {
            TypeOf::Nth(index) => self.bound.types.get(index).copied().unwrap_or(first),
            TypeOf::Wide => match first {
                Word::U16 => Word::U32,
                Word::S16 => Word::S32,
                Word::U32 => Word::U64,
                _ => Word::S64,
            },
            TypeOf::Fixed(word) => word,
        }
    }

    fn one(&mut self, spec: &OperandSpec, operand: &Operand) -> Checked {
        let ty = self.type_of(spec);
        match &spec.kind {
            Kind::Destination { sink } => self.destination(operand, ty, spec.relaxed, *sink),
            Kind::Source { special, range } => {
                self.source(operand, ty, spec.relaxed, *special)?;
                if let (Operand::Int(_), Some(range)) = (operand, range) {
                    immediate(operand, Some(*range))
                } else {
                    Ok(())
                }
            }
            Kind::Sink => match operand {
                Operand::Sink => Ok(()),
                other => wrong(format!("expected `_`, found `{}`", self.text(other))),
            },
            Kind::Register => self.register(operand, ty, spec.relaxed),
            Kind::Immediate(range) => immediate(operand, *range),
            Kind::PredicateOut { sink } => self.destination(operand, Word::Pred, false, *sink),
            Kind::PredicateIn => self.predicate_in(operand),
            Kind::Pair { predicate, sink, optional } => {
                let first = if *predicate { Word::Pred } else { ty };
                self.pair(operand, first, *sink, *optional)
            }
            Kind::Address => self.address(operand),
            Kind::Vectored { destination, bits } => {
                let length = self.bound.vector_length();
                vector_bits(ty, length, *bits)?;
                self.vectored(operand, ty, spec.relaxed, *destination, length)
            }
            Kind::Vector { destination, length } => {
                let length = match length {
                    Length::Fixed(length) => *length,
                    Length::Columns(divisor) => self.bound.columns() / divisor,
                };
                self.vector(operand, ty, *destination, length)
            }
            Kind::Special(special) => self.special(*special, operand, ty),
        }
    }

    fn text(&self, operand: &Operand) -> String {
        self.module.operand_text(operand)
    }

    fn entity(&mut self, name: Name) -> Result<Entity, (String, Option<String>)> {
        match self.scopes.find(name) {
            Some(entity) => Ok(entity),
            None => Err((format!("unknown name `{}`", self.module.name(name)), None)),
        }
    }

    /// A register of a fitting type.
    fn register(&mut self, operand: &Operand, ty: Word, relaxed: bool) -> Checked {
        match operand {
            Operand::Name(name) => match self.entity(*name)? {
                Entity::Register { ty: found, vector: 1 } => self.fitting(operand, found, ty, relaxed),
                entity => self.not_a_register(operand, ty, entity),
            },
            Operand::Selected(name, selector) => {
                let entity = self.entity(*name)?;
                let component = matches!(self.module.name(*selector), "x" | "y" | "z" | "w" | "r" | "g" | "b" | "a");
                match entity {
                    Entity::Register { ty: found, vector } if vector > 1 && component => {
                        self.fitting(operand, found, ty, relaxed)
                    }
                    _ => wrong(format!(
                        "`.{}` is no component of `{}`",
                        self.module.name(*selector),
                        self.module.name(*name)
                    )),
                }
            }
            other => wrong(format!("expected a register of type `.{ty}`, found `{}`", self.text(other))),
        }
    }

    fn fitting(&self, operand: &Operand, found: ScalarType, ty: Word, relaxed: bool) -> Checked {
        if fits(ty, found, relaxed) {
            return Ok(());
        }
        wrong(format!("`{}` is a `.{found}` register, expected {}", self.text(operand), acceptable(ty, relaxed)))
    }

    fn not_a_register(&self, operand: &Operand, ty: Word, entity: Entity) -> Checked {
        let message = format!("`{}` is {}, expected a register of type `.{ty}`", self.text(operand), entity.describe());
        let help = match entity {
            Entity::Variable { .. } => Some("move its address into a register with `mov`".to_owned()),
            _ => None,
        };
        Err((message, help))
    }

    fn destination(&mut self, operand: &Operand, ty: Word, relaxed: bool, sink: bool) -> Checked {
        match operand {
            Operand::Sink if sink => Ok(()),
            Operand::Name(_) | Operand::Selected(..) => self.register(operand, ty, relaxed),
            Operand::Special(register) => wrong(format!("`{}` is read-only", register.text())),
            other => wrong(format!("expected a register to write, found `{}`", self.text(other))),
        }
    }

    fn source(&mut self, operand: &Operand, ty: Word, relaxed: bool, special: bool) -> Checked {
        let (class, bits) = class(ty);
        match operand {
            Operand::Name(_) | Operand::Selected(..) => self.register(operand, ty, relaxed),
            Operand::Int(_) if matches!(class, Class::Bits | Class::Integer | Class::Predicate) => Ok(()),
            Operand::F32(_) if class == Class::Float || (class == Class::Bits && bits == 32) => Ok(()),
            Operand::F64(_) if class == Class::Float || (class == Class::Bits && bits == 64) => Ok(()),
            Operand::Offset(name, _) | Operand::Element(name, _) if matches!(class, Class::Bits | Class::Integer) => {
                match self.entity(*name)? {
                    Entity::Variable { .. } => Ok(()),
                    entity => {
                        wrong(format!("`{}` is {}, expected a variable", self.module.name(*name), entity.describe()))
                    }
                }
            }
            Operand::Not(inner) if class == Class::Predicate => self.register(inner, Word::Pred, false),
            Operand::Special(register) if special => special_register(*register, ty, relaxed),
            Operand::Special(register) => Err((
                format!("the special register `{}` cannot be an operand here", register.text()),
                Some("copy it into a register with `mov` first".to_owned()),
            )),
            Operand::Int(_) if class == Class::Float => Err((
                format!("`{}` is an integer, expected a value of type `.{ty}`", self.text(operand)),
                Some(format!("write `{}.0` or the bits of the value, as in `0f3F800000`", self.text(operand))),
            )),
            other => wrong(format!("expected a value of type `.{ty}`, found `{}`", self.text(other))),
        }
    }

    fn predicate_in(&mut self, operand: &Operand) -> Checked {
        match operand {
            Operand::Not(inner) => self.register(inner, Word::Pred, false),
            other => self.source(other, Word::Pred, false, false),
        }
    }

    fn pair(&mut self, operand: &Operand, first: Word, sink: bool, optional: bool) -> Checked {
        match operand {
            Operand::Pair(a, b) => {
                self.destination(a, first, false, sink)?;
                self.destination(b, Word::Pred, false, true)
            }
            other if optional => self.destination(other, first, false, sink),
            other => wrong(format!("expected two destinations as in `a|p`, found `{}`", self.text(other))),
        }
    }

    fn vectored(&mut self, operand: &Operand, ty: Word, relaxed: bool, destination: bool, length: usize) -> Checked {
        match (operand, length) {
            (Operand::Vector(elements), _) if elements.len() == length => {
                self.elements(elements, ty, relaxed, destination)
            }
            (Operand::Vector(elements), _) => {
                wrong(format!("expected {}, found {}", count_elements(length), elements.len()))
            }
            (Operand::Name(name), 2..) => match self.entity(*name)? {
                Entity::Register { ty: found, vector } if vector as usize == length => {
                    self.fitting(operand, found, ty, relaxed)
                }
                entity => wrong(format!(
                    "`{}` is {}, expected a vector of {length} elements",
                    self.text(operand),
                    entity.describe()
                )),
            },
            (Operand::SpecialVector(_), 4) if !destination => Ok(()),
            (_, 2..) => wrong(format!("expected a vector of {length} elements, found `{}`", self.text(operand))),
            _ if destination => self.destination(operand, ty, relaxed, false),
            _ => self.source(operand, ty, relaxed, false),
        }
    }

    fn elements(&mut self, elements: &[Operand], ty: Word, relaxed: bool, destination: bool) -> Checked {
        for element in elements {
            match element {
                Operand::Sink => {}
                // In a vector, registers of any type may hold floating values.
                Operand::Name(_) | Operand::Selected(..) => {
                    let ty = match class(ty) {
                        (Class::Float | Class::Half, 16) => Word::B16,
                        (Class::Float, 32) => Word::B32,
                        (Class::Float, 64) => Word::B64,
                        _ => ty,
                    };
                    self.register(element, ty, relaxed)?;
                }
                other if destination => {
                    return wrong(format!("expected a register to write, found `{}`", self.text(other)));
                }
                Operand::Special(_) => {}
                other => self.source(other, ty, relaxed, false)?,
            }
        }
        Ok(())
    }

    fn vector(&mut self, operand: &Operand, ty: Word, destination: bool, length: usize) -> Checked {
        match operand {
            // Fragments of matrices are not as free.
            Operand::Vector(elements)
                if elements.len() == length
                    && matches!(self.instruction.opcode, Opcode::Mma | Opcode::Wmma | Opcode::Wgmma) =>
            {
                elements.iter().try_for_each(|element| match element {
                    Operand::Name(_) | Operand::Selected(..) => self.register(element, ty, false),
                    other => self.elements(std::slice::from_ref(other), ty, false, destination),
                })
            }
            Operand::Vector(elements) if elements.len() == length => self.elements(elements, ty, false, destination),
            Operand::Vector(elements) => {
                wrong(format!("expected {}, found {}", count_elements(length), elements.len()))
            }
            Operand::Name(name) => match self.entity(*name)? {
                Entity::Register { ty: found, vector } if vector as usize == length => {
                    self.fitting(operand, found, ty, false)
                }
                entity => wrong(format!(
                    "`{}` is {}, expected a vector of {}",
                    self.text(operand),
                    entity.describe(),
                    count_elements(length)
                )),
            },
            other => wrong(format!("expected a vector of {}, found `{}`", count_elements(length), self.text(other))),
        }
    }

    /// The state space that the instruction names, where it names exactly one.
    fn space(&self) -> Option<StateSpace> {
        let mut spaces = self.bound.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Word(word) => space_of(*word),
            _ => None,
        });
        let first = spaces.next();
        if spaces.next().is_some() { None } else { first }
    }

    fn has_any_space(&self) -> bool {
        let is_space = |modifier: &Modifier| matches!(modifier, Modifier::Word(word) if space_of(*word).is_some());
        self.bound.modifiers.iter().any(is_space)
    }

    fn address(&mut self, operand: &Operand) -> Checked {
        match operand {
            Operand::Address(address) => match address.base {
                AddressBase::Name(name) => self.address_base(name),
                AddressBase::Absolute if self.space() == Some(StateSpace::Local) => Ok(()),
                AddressBase::Absolute => wrong("only `.local` addresses may be numbers"),
            },
            Operand::Element(name, _) => self.address_base(*name),
            other => wrong(format!("expected an address in brackets, found `{}`", self.text(other))),
        }
    }

    fn address_base(&mut self, name: Name) -> Checked {
        let entity = self.entity(name)?;
        let text = self.module.name(name);
        match entity {
            Entity::Register { ty, vector: 1 } if fits_address(ty) => Ok(()),
            Entity::Variable { role: Role::Input, .. } if self.instruction.opcode == Opcode::St => {
                wrong(format!("`{text}` is a parameter of this function and cannot be written"))
            }
            Entity::Variable { role: Role::Output, .. } if self.instruction.opcode == Opcode::Ld => {
                wrong(format!("`{text}` is what this function returns and cannot be read"))
            }
            Entity::Variable { space, .. } if self.reaches(space) => Ok(()),
            Entity::Variable { space, .. } => match self.space() {
                Some(_) => self.other_space(name, space),
                None => wrong(format!("`{text}` is in {}, which has no generic addresses here", space_name(space))),
            },
            entity => {
                wrong(format!("`{text}` is {}, expected a register or variable in an address", entity.describe()))
            }
        }
    }

    fn other_space(&self, name: Name, space: StateSpace) -> Checked {
        let named = self.space().map_or("another space", space_name);
        let name = self.module.name(name);
        wrong(format!("`{name}` is in {}, but the instruction names {named}", space_name(space)))
    }

    /// May a variable in `space` be addressed by this instruction?
    fn reaches(&self, space: StateSpace) -> bool {
        match self.space() {
            Some(named) => named == space,
            None if self.has_any_space() => true,
            None => !matches!(space, StateSpace::Const | StateSpace::Param),
        }
    }

    fn special(&mut self, special: Special, operand: &Operand, ty: Word) -> Checked {
        match special {
            Special::Label => self.named(operand, "a label", |entity| entity == Entity::Label),
            Special::Function => self.named(operand, "a function or a register with its address", |entity| {
                matches!(
                    entity,
                    Entity::Function(_)
                        | Entity::Register {
                            ty: ScalarType::B64
                                | ScalarType::U64
                                | ScalarType::S64
                                | ScalarType::B32
                                | ScalarType::U32
                                | ScalarType::S32,
                            ..
                        }
                )
            }),
            Special::Targets => {
                self.named(operand, "a label of `.branchtargets`", |entity| entity == Entity::BranchTargets)
            }
            Special::Prototype => self.named(operand, "a label of `.callprototype` or `.calltargets`", |entity| {
                matches!(entity, Entity::Prototype | Entity::Variable { .. })
            }),
            Special::List => match operand {
                Operand::List(_) => Ok(()),
                other => wrong(format!("expected a list in parentheses, found `{}`", self.text(other))),
            },
            Special::Pack => self.pack(operand, ty),
            Special::Value => self.value(operand, ty),
            Special::Coordinates => self.coordinates(operand),
            Special::Video => self.video(operand, ty),
            Special::VideoTarget => self.video_target(operand, ty),
            Special::Opaque => match operand {
                Operand::Name(name) => self.entity(*name).map(|_| ()),
                other => wrong(format!("expected a variable or register, found `{}`", self.text(other))),
            },
            Special::Vector | Special::Offsets => match operand {
                Operand::Vector(elements) if special == Special::Offsets => match self.offset_count() {
                    Some(wanted) if wanted != elements.len() => {
                        wrong(format!("expected {} of offsets, found {}", count_elements(wanted), elements.len()))
                    }
                    _ => self.names(operand),
                },
                Operand::Vector(_) => self.names(operand),
                Operand::Name(name) => match self.entity(*name)? {
                    Entity::Register { vector: 2.., .. } => Ok(()),
                    entity => wrong(format!("`{}` is {}, expected a vector", self.text(operand), entity.describe())),
                },
                other => wrong(format!("expected a vector, found `{}`", self.text(other))),
            },
            Special::Texels => match operand {
                Operand::Pair(texels, resident) => {
                    self.vectored(texels, ty, false, true, self.bound.vector_length())?;
                    self.destination(resident, Word::Pred, false, true)
                }
                other => self.vectored(other, ty, false, true, self.bound.vector_length()),
            },
            Special::Registers => match operand {
                Operand::Vector(elements) => self.elements(elements, ty, false, false),
                other => self.register(other, ty, false),
            },
            Special::Rest => Ok(()),
        }
    }

    fn named(&mut self, operand: &Operand, what: &str, accept: impl Fn(Entity) -> bool) -> Checked {
        let Operand::Name(name) = operand else {
            return wrong(format!("expected {what}, found `{}`", self.text(operand)));
        };
        match self.entity(*name)? {
            entity if accept(entity) => Ok(()),
            entity => wrong(format!("`{}` is {}, expected {what}", self.module.name(*name), entity.describe())),
        }
    }

    /// A source of `mov`: a register, a constant, a special register, or the address of something.
    fn value(&mut self, operand: &Operand, ty: Word) -> Checked {
        let integer = matches!(class(ty).0, Class::Bits | Class::Integer);
        match operand {
            Operand::Name(name) if integer => match self.entity(*name)? {
                Entity::Register { .. } => self.source(operand, ty, false, true),
                Entity::Variable { space, .. } if self.space().is_some_and(|named| named != space) => {
                    self.other_space(*name, space)
                }
                _ => Ok(()),
            },
            Operand::Vector(_) => wrong(format!("a vector is no value of type `.{ty}`")),
            Operand::Offset(name, _) if integer => match self.entity(*name)? {
                Entity::Variable { space, .. } if self.space().is_some_and(|named| named != space) => {
                    self.other_space(*name, space)
                }
                _ => self.source(operand, ty, false, true),
            },
            other => self.source(other, ty, false, true),
        }
    }

    /// Either side of a `mov` that packs or unpacks; exactly one of them is a vector.
    fn pack(&mut self, operand: &Operand, ty: Word) -> Checked {
        let vectors = self.instruction.operands.iter().filter(|operand| matches!(operand, Operand::Vector(_))).count();
        if vectors != 1 {
            return wrong("expected one vector, to pack or to unpack");
        }
        let first = std::ptr::eq(operand, &raw const self.instruction.operands[0]);
        let Operand::Vector(elements) = operand else {
            return if first {
                self.destination(operand, ty, false, false)
            } else {
                self.source(operand, ty, false, true)
            };
        };
        let total = class(ty).1;
        let width = total.checked_div(elements.len() as u32).unwrap_or(0);
        let element = match width {
            8 => Word::B8,
            16 => Word::B16,
            32 => Word::B32,
            64 => Word::B64,
            _ => return wrong(format!("a vector of {} does not make `.{ty}`", count_elements(elements.len()))),
        };
        for item in elements {
            match item {
                Operand::Sink if first => {}
                Operand::Name(_) | Operand::Selected(..) => self.register(item, element, false)?,
                _ if first => return wrong(format!("expected a register to write, found `{}`", self.text(item))),
                Operand::Int(_) | Operand::F32(_) | Operand::F64(_) | Operand::Special(_) => {}
                other => return wrong(format!("expected a value, found `{}`", self.text(other))),
            }
        }
        Ok(())
    }

    fn coordinates(&mut self, operand: &Operand) -> Checked {
        let Operand::Indexed(base, rest) = operand else {
            return wrong(format!("expected coordinates as in `[a, {{x, y}}]`, found `{}`", self.text(operand)));
        };
        if let Operand::Address(address) = &**base
            && let AddressBase::Name(name) = address.base
        {
            self.entity(name)?;
        }
        for item in rest {
            self.names(item)?;
        }
        match (rest.last(), self.coordinate_count()) {
            (Some(Operand::Vector(elements)), Some(wanted)) if elements.len() != wanted => {
                wrong(format!("expected {} of coordinates, found {}", count_elements(wanted), elements.len()))
            }
            _ => Ok(()),
        }
    }

    fn has(&self, word: Word) -> bool {
        self.bound.modifiers.contains(&Modifier::Word(word))
    }

    /// The dimensions of a tensor.
    fn dimensions(&self) -> Option<usize> {
        let words = [Word::N1d, Word::N2d, Word::N3d, Word::N4d, Word::N5d];
        words.iter().position(|&word| self.has(word)).map(|index| index + 1)
    }

    /// How many coordinates an asynchronous tensor copy takes.
    fn coordinate_count(&self) -> Option<usize> {
        match self.instruction.opcode {
            Opcode::Cp if self.has(Word::TileGather4) || self.has(Word::TileScatter4) => Some(5),
            Opcode::Cp => self.dimensions(),
            _ => None,
        }
    }

    /// How many offsets the `im2col` modes take.
    fn offset_count(&self) -> Option<usize> {
        match self.instruction.opcode {
            Opcode::Cp if self.has(Word::Im2col) => self.dimensions().map(|dimensions| dimensions.saturating_sub(2)),
            Opcode::Cp => Some(2),
            _ => None,
        }
    }

    /// Every name in an operand must be known.
    fn names(&mut self, operand: &Operand) -> Checked {
        match operand {
            Operand::Name(name) | Operand::Selected(name, _) | Operand::Offset(name, _) => {
                self.entity(*name).map(|_| ())
            }
            Operand::Vector(elements) | Operand::List(elements) => {
                elements.iter().try_for_each(|element| self.names(element))
            }
            _ => Ok(()),
        }
    }

    fn video(&mut self, operand: &Operand, ty: Word) -> Checked {
        match operand {
            Operand::Negated(inner) => self.video(inner, ty),
            Operand::Selected(name, selector) if is_selector(self.module.name(*selector)) => {
                self.register(&Operand::Name(*name), ty, false)
            }
            other => self.source(other, ty, false, false),
        }
    }

    fn video_target(&mut self, operand: &Operand, ty: Word) -> Checked {
        match operand {
            Operand::Selected(name, selector) if is_selector(self.module.name(*selector)) => {
                self.register(&Operand::Name(*name), ty, false)
            }
            other => self.destination(other, ty, false, false),
        }
    }
}

/// Vectors have at most 128 bits; those of 256 have forms of their own.
fn vector_bits(ty: Word, length: usize, limit: u32) -> Checked {
    let bits = class(ty).1 * length as u32;
    match limit {
        256 if bits != 256 => wrong(format!("a vector of {length} `.{ty}` has {bits} bits, expected 256")),
        _ if bits > limit => wrong(format!("a vector of {length} `.{ty}` has more than {limit} bits")),
        _ => Ok(()),
    }
}

/// A byte or half-word selector: `b0`, `h1`, `h10`, `b7531`.
fn is_selector(text: &str) -> bool {
    let digits = text.strip_prefix('b').map(|digits| (digits, b'7', 4));
    match digits.or_else(|| text.strip_prefix('h').map(|digits| (digits, b'3', 2))) {
        Some((digits, most, length)) => {
            (1..=length).contains(&digits.len()) && digits.bytes().all(|digit| (b'0'..=most).contains(&digit))
        }
        None => false,
    }
}

fn immediate(operand: &Operand, range: Option<Range>) -> Checked {
    let Operand::Int(value) = *operand else {
        return wrong("expected an integer constant");
    };
    match range {
        None => Ok(()),
        Some(range) if range.contains(value) => Ok(()),
        Some(Range::OneOf([a, b, c])) => wrong(format!("expected {a}, {b} or {c}, found {value}")),
        Some(Range::Steps { low, high, .. }) if low == high => wrong(format!("expected {low}, found {value}")),
        Some(Range::Steps { low, high, step: 1 }) => {
            wrong(format!("expected a number from {low} to {high}, found {value}"))
        }
        Some(Range::Steps { low, high, step }) => {
            wrong(format!("expected a multiple of {step} from {low} to {high}, found {value}"))
        }
    }
}

fn special_register(register: SpecialRegister, ty: Word, relaxed: bool) -> Checked {
    let (class, bits) = class(ty);
    let found = register.bits();
    let text = register.text();
    // Coordinates may be read as 16 bits, and `%gridid` as 32, as in early versions.
    let narrow = (bits == 16 && found == 32) || register == SpecialRegister::Gridid;
    match class {
        Class::Predicate if found == 1 => Ok(()),
        Class::Bits | Class::Integer if found == bits || narrow || (relaxed && found >= bits) => Ok(()),
        _ => wrong(format!("the special register `{text}` has {found} bits and is no value of type `.{ty}`")),
    }
}

fn fits_address(ty: ScalarType) -> bool {
    fits(Word::U8, ty, true) && ty != ScalarType::F16x2
}

/// The space that a modifier names.
fn space_of(word: Word) -> Option<StateSpace> {
    Some(match word {
        Word::Const => StateSpace::Const,
        Word::Global => StateSpace::Global,
        Word::Local => StateSpace::Local,
        Word::Param | Word::ParamEntry | Word::ParamFunc => StateSpace::Param,
        Word::Shared | Word::SharedCta | Word::SharedCluster => StateSpace::Shared,
        _ => return None,
    })
}

/// "`.f32` or `.b32`"
fn acceptable(ty: Word, relaxed: bool) -> String {
    let (class, bits) = class(ty);
    let wider = if relaxed { " or wider" } else { "" };
    match class {
        Class::Predicate | Class::Opaque => format!("`.{ty}`"),
        Class::Bits => format!("{bits} bits{wider}"),
        Class::Integer => format!("`.b{bits}`, `.u{bits}` or `.s{bits}`{wider}"),
        Class::Float | Class::Half => format!("`.{ty}` or `.b{bits}`{wider}"),
        Class::Packed | Class::Untyped => format!("`.b{bits}`{wider}"),
    }
}

fn count(number: usize) -> String {
    match number {
        0 => "no operands".to_owned(),
        1 => "1 operand".to_owned(),
        _ => format!("{number} operands"),
    }
}

fn count_elements(number: usize) -> String {
    if number == 1 { "1 element".to_owned() } else { format!("{number} elements") }
}
