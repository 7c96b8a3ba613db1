//! Variable declarations (PTX ISA, section 5.4) and their initialisers.

use super::{Parsed, Parser};
use crate::error::Failure;
use crate::lexer::Kind;
use crate::tree::{Constant, Initializer, Linkage, Name, PtrAttribute, Variable};
use warpvm_isa::{ScalarType, StateSpace, Word};

/// The words between the space and the first name.
struct Prefix {
    align: Option<u32>,
    vector: u32,
    ty: ScalarType,
    ptr: Option<PtrAttribute>,
    attributes: Vec<String>,
}

pub(super) fn space_of(word: &str) -> Option<StateSpace> {
    Some(match word {
        "reg" => StateSpace::Reg,
        "sreg" => StateSpace::Sreg,
        "const" => StateSpace::Const,
        "global" => StateSpace::Global,
        "local" => StateSpace::Local,
        "param" => StateSpace::Param,
        "shared" => StateSpace::Shared,
        "tex" => StateSpace::Tex,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Does a variable declaration begin here?
    pub(super) fn at_variable(&self) -> bool {
        self.token.kind == Kind::Dot && space_of(self.word(self.token)).is_some()
    }

    /// `.space ... a, b = 1, c<4>;`
    pub(super) fn variables(&mut self, linkage: Linkage, start: u32, out: &mut Vec<Variable>) -> Parsed<()> {
        let space = self.space()?;
        let prefix = self.prefix()?;
        loop {
            let mut variable = self.declarator(linkage, space, &prefix, start)?;
            if self.eat(b'=')? {
                variable.init = Some(self.initializer()?);
                variable.span = self.span_from(start);
            }
            out.push(variable);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b';', "after a declaration")?;
        Ok(())
    }

    /// One parameter of a function; it has no initialiser and no semicolon.
    pub(super) fn parameter(&mut self) -> Parsed<Variable> {
        let start = self.token.start;
        if !self.at_word("param") && !self.at_word("reg") {
            return Err(self.expected("`.param` or `.reg`"));
        }
        let space = self.space()?;
        let prefix = self.prefix()?;
        self.declarator(Linkage::Internal, space, &prefix, start)
    }

    fn space(&mut self) -> Parsed<StateSpace> {
        let space = match self.token.kind {
            Kind::Dot => space_of(self.word(self.token)),
            _ => None,
        };
        let Some(space) = space else {
            return Err(self.expected("a state space"));
        };
        self.advance()?;
        if self.at(b'[') {
            return Err(Failure::unsupported(self.token.span(), "banks of constant memory are not supported"));
        }
        Ok(space)
    }

    fn prefix(&mut self) -> Parsed<Prefix> {
        let mut ty = None;
        let mut prefix = Prefix { align: None, vector: 1, ty: ScalarType::B8, ptr: None, attributes: Vec::new() };
        while self.token.kind == Kind::Dot {
            match self.word(self.token) {
                "align" => {
                    self.advance()?;
                    let align = Some(self.integer_u32("an alignment")?);
                    match &mut prefix.ptr {
                        Some(ptr) => ptr.align = align,
                        None => prefix.align = align,
                    }
                }
                "v2" => prefix.vector = self.vector(2)?,
                "v4" => prefix.vector = self.vector(4)?,
                "v8" => prefix.vector = self.vector(8)?,
                "ptr" => {
                    self.advance()?;
                    prefix.ptr = Some(PtrAttribute { space: None, align: None });
                }
                "attribute" => self.attribute(&mut prefix.attributes)?,
                word => self.prefix_word(word, &mut ty, &mut prefix.ptr)?,
            }
        }
        match ty {
            Some(ty) => Ok(Prefix { ty, ..prefix }),
            None => Err(self.expected("a type")),
        }
    }

    fn vector(&mut self, length: u32) -> Parsed<u32> {
        self.advance()?;
        Ok(length)
    }

    fn prefix_word(&mut self, word: &str, ty: &mut Option<ScalarType>, ptr: &mut Option<PtrAttribute>) -> Parsed<()> {
        if let (Some(ptr), Some(space)) = (ptr.as_mut(), space_of(word)) {
            ptr.space = Some(space);
        } else if let Some(found) = Word::from_text(word).and_then(ScalarType::from_word) {
            if ty.is_some() {
                return Err(self.expected("only one type in this declaration"));
            }
            *ty = Some(found);
        } else {
            return Err(self.expected("a type, `.align`, `.v2`, `.v4` or a name"));
        }
        self.advance()?;
        Ok(())
    }

    /// `.attribute(.managed, .unified(1, 2))`: each is kept as text without blanks.
    pub(super) fn attribute(&mut self, out: &mut Vec<String>) -> Parsed<()> {
        self.advance()?;
        self.expect(b'(', "after `.attribute`")?;
        loop {
            if self.token.kind != Kind::Dot {
                return Err(self.expected("an attribute such as `.managed`"));
            }
            let token = self.advance()?;
            let mut text = self.slice(token).to_owned();
            if self.eat(b'(')? {
                let first = self.integer("a number")?;
                self.expect(b',', "between the numbers of an attribute")?;
                let second = self.integer("a number")?;
                self.expect(b')', "after the numbers of an attribute")?;
                text = format!("{text}({first},{second})");
            }
            out.push(text);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')', "after the attributes")?;
        Ok(())
    }

    fn declarator(&mut self, linkage: Linkage, space: StateSpace, prefix: &Prefix, start: u32) -> Parsed<Variable> {
        let name = self.name("the name of a variable")?;
        let mut count = None;
        let mut dims = Vec::new();
        if self.eat(b'<')? {
            count = Some(self.integer_u32("a number of registers")?);
            self.expect(b'>', "after a number of registers")?;
        }
        while self.eat(b'[')? {
            if self.eat(b']')? {
                dims.push(None);
                continue;
            }
            let token = self.token;
            let size = self.constant_integer("an array size")?;
            let size = u64::try_from(size)
                .map_err(|_| Failure::invalid(token.span(), "expected an array size that is not negative"))?;
            dims.push(Some(size));
            self.expect(b']', "after an array size")?;
        }
        Ok(Variable {
            linkage,
            space,
            align: prefix.align,
            vector: prefix.vector,
            ty: prefix.ty,
            name,
            count,
            dims,
            init: None,
            ptr: prefix.ptr,
            attributes: prefix.attributes.clone(),
            span: self.span_from(start),
        })
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        if self.eat(b'{')? {
            return self.nested(Self::initializer_list);
        }
        if self.token.kind == Kind::Ident && self.peek()?.kind == Kind::Punct(b'=') {
            let key = self.name("an attribute")?;
            self.advance()?;
            return Ok(Initializer::Attribute(key, self.initial_value()?));
        }
        Ok(Initializer::Value(self.initial_value()?))
    }

    fn initializer_list(&mut self) -> Parsed<Initializer> {
        let mut list = Vec::new();
        while !self.eat(b'}')? {
            list.push(self.initializer()?);
            if !self.at(b'}') {
                self.expect(b',', "between initial values")?;
            }
        }
        Ok(Initializer::List(list))
    }

    fn initial_value(&mut self) -> Parsed<Constant> {
        if self.token.kind == Kind::Ident && self.slice(self.token) != "WARP_SZ" {
            return self.symbol_value(None);
        }
        // `0xFF(name)` and `0xFF00(name + 4)`: a byte of an address.
        if self.token.kind == Kind::Int && self.peek()?.kind == Kind::Punct(b'(') {
            let mask = self.integer("a mask")?;
            self.advance()?;
            let value = self.symbol_value(Some(mask))?;
            self.expect(b')', "after a masked address")?;
            return Ok(value);
        }
        self.constant()
    }

    fn symbol_value(&mut self, mask: Option<u64>) -> Parsed<Constant> {
        let (name, generic) = self.maybe_generic()?;
        let offset = if self.eat(b'+')? { self.constant_integer("an offset")? } else { 0 };
        Ok(Constant::Symbol { name, offset, generic, mask })
    }

    fn maybe_generic(&mut self) -> Parsed<(Name, bool)> {
        let is_generic = self.token.kind == Kind::Ident && self.slice(self.token) == "generic";
        if is_generic && self.peek()?.kind == Kind::Punct(b'(') {
            self.advance()?;
            self.advance()?;
            let name = self.name("the name of a variable")?;
            self.expect(b')', "after `generic(`")?;
            return Ok((name, true));
        }
        Ok((self.name("the name of a variable or function")?, false))
    }
}
