//! Module scope (PTX ISA, sections 11.1, 11.5, 11.6): header, debugging directives, definitions.

use super::{Parsed, Parser};
use crate::error::Failure;
use crate::lexer::Kind;
use crate::tree::{Item, Linkage, Module, Name, Section, SectionItem, SectionValue};

impl Parser<'_> {
    pub(super) fn module(&mut self) -> Parsed<Module> {
        let version = self.version()?;
        let target = self.target()?;
        let mut address_size = 64;
        if self.eat_word("address_size")? {
            address_size = self.integer_u32("32 or 64")?;
        }
        let mut items = Vec::new();
        while self.token.kind != Kind::End {
            self.item(&mut items)?;
        }
        let names = std::mem::replace(&mut self.names, crate::names::Names::new("")).into_texts();
        Ok(Module { version, target, address_size, items, names })
    }

    fn version(&mut self) -> Parsed<(u16, u16)> {
        if !self.eat_word("version")? {
            return Err(self.expected("`.version` at the beginning of the module"));
        }
        let token = self.token;
        let number = |text: &str| text.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        match number(self.slice(token)) {
            Some(version) if token.kind == Kind::Float => {
                self.advance()?;
                Ok(version)
            }
            _ => Err(self.expected("a version such as `8.6`")),
        }
    }

    fn target(&mut self) -> Parsed<Vec<Name>> {
        if !self.eat_word("target")? {
            return Err(self.expected("`.target` after `.version`"));
        }
        self.names_list("a target such as `sm_90`")
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        if self.token.kind != Kind::Dot {
            return Err(self.expected("a directive or definition at module scope"));
        }
        let start = self.token.start;
        match self.word(self.token) {
            "file" => items.push(self.file()?),
            "section" => items.push(self.section()?),
            "alias" => items.push(self.alias()?),
            "pragma" => {
                self.advance()?;
                let texts = self.strings()?;
                self.expect(b';', "after `.pragma`")?;
                items.push(Item::Pragma(texts, self.span_from(start)));
            }
            _ => self.definition(items)?,
        }
        Ok(())
    }

    /// A variable or function with its linkage.
    fn definition(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.token.start;
        let linkage = match self.word(self.token) {
            "visible" => Linkage::Visible,
            "extern" => Linkage::Extern,
            "weak" => Linkage::Weak,
            "common" => Linkage::Common,
            _ => Linkage::Internal,
        };
        if linkage != Linkage::Internal {
            self.advance()?;
        }
        if self.at_word("entry") || self.at_word("func") {
            items.push(Item::Function(self.function(linkage, start)?));
            return Ok(());
        }
        if !self.at_variable() {
            return Err(self.expected("a variable or function at module scope"));
        }
        let mut variables = Vec::new();
        self.variables(linkage, start, &mut variables)?;
        items.extend(variables.into_iter().map(Item::Variable));
        Ok(())
    }

    fn alias(&mut self) -> Parsed<Item> {
        let start = self.advance()?.start;
        let alias = self.name("the name of an alias")?;
        self.expect(b',', "between the names of `.alias`")?;
        let aliasee = self.name("the name of a function")?;
        self.expect(b';', "after `.alias`")?;
        Ok(Item::Alias { alias, aliasee, span: self.span_from(start) })
    }

    fn file(&mut self) -> Parsed<Item> {
        let start = self.advance()?.start;
        let index = self.integer_u32("a file number")?;
        let path = self.string("the path of a file")?;
        let mut extra = None;
        if self.eat(b',')? {
            let time = self.integer("a timestamp")?;
            self.expect(b',', "between timestamp and size")?;
            extra = Some((time, self.integer("a size")?));
        }
        Ok(Item::File { index, path, extra, span: self.span_from(start) })
    }

    fn section(&mut self) -> Parsed<Item> {
        let start = self.advance()?.start;
        let name = self.symbol("the name of a section")?;
        self.expect(b'{', "at the beginning of a section")?;
        let mut items = Vec::new();
        while !self.eat(b'}')? {
            items.push(self.section_item()?);
        }
        Ok(Item::Section(Section { name, items, span: self.span_from(start) }))
    }

    /// A name that may begin with a dot, as sections have.
    fn symbol(&mut self, what: &str) -> Parsed<Name> {
        if self.token.kind != Kind::Dot {
            return self.name(what);
        }
        let token = self.advance()?;
        Ok(self.names.intern(token.start, token.end))
    }

    fn section_item(&mut self) -> Parsed<SectionItem> {
        if self.token.kind == Kind::Ident {
            let label = self.name("a label")?;
            self.expect(b':', "after a label")?;
            return Ok(SectionItem::Label(label));
        }
        let bits = match self.token.kind {
            Kind::Dot => match self.word(self.token) {
                "b8" => 8,
                "b16" => 16,
                "b32" => 32,
                "b64" => 64,
                _ => 0,
            },
            _ => 0,
        };
        if bits == 0 {
            return Err(self.expected("a label, `.b8`, `.b16`, `.b32` or `.b64` in a section"));
        }
        self.advance()?;
        let mut values = vec![self.section_value()?];
        while self.eat(b',')? {
            values.push(self.section_value()?);
        }
        Ok(SectionItem::Data { bits, values })
    }

    fn section_value(&mut self) -> Parsed<SectionValue> {
        if matches!(self.token.kind, Kind::Int | Kind::Punct(b'-')) {
            return Ok(SectionValue::Int(self.signed_integer("a number")?));
        }
        let symbol = self.symbol("a number, label or section")?;
        if self.eat(b'+')? {
            return Ok(SectionValue::Symbol(symbol, self.signed_integer("an offset")?));
        }
        if self.eat(b'-')? {
            return Ok(SectionValue::Difference(symbol, self.name("a label")?));
        }
        Ok(SectionValue::Symbol(symbol, 0))
    }

    /// An integer literal with an optional minus, wrapped to 64 bits.
    pub(super) fn signed_integer(&mut self, what: &str) -> Parsed<i64> {
        let start = self.token.start;
        let negative = self.eat(b'-')?;
        let value = self.integer(what)?;
        match (negative, value) {
            (false, value) => Ok(value as i64),
            (true, value) if value <= 1 << 63 => Ok((value as i64).wrapping_neg()),
            (true, _) => Err(Failure::invalid(self.span_from(start), "this integer does not fit 64 bits")),
        }
    }
}
