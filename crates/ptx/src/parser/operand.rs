//! Operands of instructions (PTX ISA, section 6).

use super::{Parsed, Parser};
use crate::error::Failure;
use crate::lexer::Kind;
use crate::names::Class;
use crate::tree::{Address, AddressBase, Constant, Name, Operand};
use warpvm_isa::{Opcode, SpecialRegister};

impl Parser<'_> {
    /// Operands up to and including the semicolon.
    pub(super) fn operands(&mut self, opcode: Opcode) -> Parsed<Vec<Operand>> {
        if self.eat(b';')? {
            return Ok(Vec::new());
        }
        let mut operands = Vec::with_capacity(4);
        loop {
            let operand = match self.token.kind {
                // Elsewhere a parenthesis begins a constant expression.
                Kind::Punct(b'(') if opcode == Opcode::Call => self.call_list()?,
                _ => self.operand()?,
            };
            operands.push(operand);
            if self.eat(b';')? {
                return Ok(operands);
            }
            self.expect(b',', "or `;` after an operand")?;
        }
    }

    fn call_list(&mut self) -> Parsed<Operand> {
        self.advance()?;
        let mut list = Vec::new();
        if self.eat(b')')? {
            return Ok(Operand::List(list));
        }
        loop {
            list.push(self.operand()?);
            if self.eat(b')')? {
                return Ok(Operand::List(list));
            }
            self.expect(b',', "or `)` in the list of a call")?;
        }
    }

    fn operand(&mut self) -> Parsed<Operand> {
        match self.token.kind {
            Kind::Ident => self.named_operand(),
            Kind::Punct(b'[') => self.address_operand(),
            Kind::Punct(b'{') => self.nested(Self::vector_operand),
            Kind::Punct(b'!' | b'-') if self.peek_is_register()? => {
                let sign = self.advance()?;
                let inner = Box::new(self.register_operand()?);
                Ok(if sign.kind == Kind::Punct(b'!') { Operand::Not(inner) } else { Operand::Negated(inner) })
            }
            _ => self.constant_operand(),
        }
    }

    fn peek_is_register(&self) -> Parsed<bool> {
        let token = self.peek()?;
        Ok(token.kind == Kind::Ident && self.slice(token) != "WARP_SZ")
    }

    /// A name with what may follow it, up to the second half of a pair.
    fn named_operand(&mut self) -> Parsed<Operand> {
        if self.slice(self.token) == "WARP_SZ" {
            return self.constant_operand();
        }
        let first = self.register_operand()?;
        if !self.eat(b'|')? {
            return Ok(first);
        }
        let second = self.register_operand()?;
        Ok(Operand::Pair(Box::new(first), Box::new(second)))
    }

    fn register_operand(&mut self) -> Parsed<Operand> {
        let name = self.name("a register or variable")?;
        match self.names.class(name) {
            Class::Sink => return Ok(Operand::Sink),
            Class::Special(register) => return Ok(Operand::Special(register)),
            Class::SpecialVector => return self.special_component(name),
            Class::Plain | Class::WarpSize => {}
        }
        match self.token.kind {
            Kind::Dot => {
                let token = self.advance()?;
                Ok(Operand::Selected(name, self.names.intern(token.start + 1, token.end)))
            }
            Kind::Punct(b'+') => {
                self.advance()?;
                Ok(Operand::Offset(name, self.constant_integer("an offset")?))
            }
            Kind::Punct(b'[') => self.element(name),
            _ => Ok(Operand::Name(name)),
        }
    }

    /// `%tid.x`, where `%tid` has been taken.
    fn special_component(&mut self, name: Name) -> Parsed<Operand> {
        if self.token.kind != Kind::Dot {
            return Ok(Operand::SpecialVector(name));
        }
        let component = match self.word(self.token) {
            // Components have a second set of names, as colours.
            "r" => "x",
            "g" => "y",
            "b" => "z",
            other => other,
        };
        let spelling = format!("{}.{component}", self.names.text(name));
        match SpecialRegister::from_text(&spelling) {
            Some(register) => {
                self.advance()?;
                Ok(Operand::Special(register))
            }
            None => Err(self.expected("`.x`, `.y` or `.z`")),
        }
    }

    fn element(&mut self, name: Name) -> Parsed<Operand> {
        self.advance()?;
        let index = if self.token.kind == Kind::Ident && self.slice(self.token) != "WARP_SZ" {
            Operand::Name(self.name("an index")?)
        } else {
            Operand::Int(self.constant_integer("an index")?)
        };
        self.expect(b']', "after an index")?;
        Ok(Operand::Element(name, Box::new(index)))
    }

    fn constant_operand(&mut self) -> Parsed<Operand> {
        Ok(match self.constant()? {
            Constant::Int(value) => Operand::Int(value),
            Constant::F32(bits) => Operand::F32(bits),
            Constant::F64(bits) => Operand::F64(bits),
            Constant::Symbol { name, offset, .. } => Operand::Offset(name, offset),
        })
    }

    fn vector_operand(&mut self) -> Parsed<Operand> {
        self.advance()?;
        let mut elements = Vec::with_capacity(4);
        loop {
            elements.push(self.operand()?);
            if self.eat(b'}')? {
                return Ok(Operand::Vector(elements));
            }
            self.expect(b',', "or `}` in a vector")?;
        }
    }

    /// `[a+4]` or `[map, {x, y}]`
    fn address_operand(&mut self) -> Parsed<Operand> {
        self.nested(|parser| {
            parser.advance()?;
            let base = Operand::Address(parser.address()?);
            if parser.eat(b']')? {
                return Ok(base);
            }
            let mut rest = Vec::new();
            while parser.eat(b',')? {
                rest.push(parser.operand()?);
            }
            parser.expect(b']', "after an address")?;
            Ok(Operand::Indexed(Box::new(base), rest))
        })
    }

    fn address(&mut self) -> Parsed<Address> {
        if self.token.kind != Kind::Ident || self.slice(self.token) == "WARP_SZ" {
            let offset = self.constant_integer("a register, variable or number in an address")?;
            return Ok(Address { base: AddressBase::Absolute, offset });
        }
        let name = self.name("a register or variable")?;
        let offset = match self.token.kind {
            Kind::Punct(b'+') => {
                self.advance()?;
                self.constant_integer("an offset")?
            }
            Kind::Punct(b'-') => {
                return Err(self
                    .expected("`+`, `,` or `]` after the base of an address")
                    .with_help("write a negative offset as `+-4`"));
            }
            Kind::Dot => {
                let message = "a component of a vector as an address is not supported";
                return Err(Failure::unsupported(self.token.span(), message));
            }
            _ => 0,
        };
        Ok(Address { base: AddressBase::Name(name), offset })
    }
}
