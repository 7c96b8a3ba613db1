//! Functions (PTX ISA, section 11.2) and the directives between their parameters and their body.

use super::{Parsed, Parser};
use crate::lexer::Kind;
use crate::tree::{Function, FunctionDirective, Linkage, Statement, Variable};

impl Parser<'_> {
    pub(super) fn function(&mut self, linkage: Linkage, start: u32) -> Parsed<Function> {
        let is_entry = self.at_word("entry");
        self.advance()?;
        let mut attributes = Vec::new();
        while self.at_word("attribute") {
            self.attribute(&mut attributes)?;
        }
        let returns = if self.at(b'(') { self.parameters()? } else { Vec::new() };
        let name = self.name("the name of a function")?;
        let params = if self.at(b'(') { self.parameters()? } else { Vec::new() };
        let span = self.span_from(start);
        let mut directives = Vec::new();
        while self.token.kind == Kind::Dot {
            self.function_directive(&mut directives)?;
        }
        let body = self.function_body()?;
        Ok(Function { is_entry, linkage, attributes, returns, name, params, directives, body, span })
    }

    fn function_body(&mut self) -> Parsed<Option<Vec<Statement>>> {
        if self.eat(b';')? {
            return Ok(None);
        }
        if !self.at(b'{') {
            return Err(self.expected("`{` or `;` after the head of a function"));
        }
        self.block().map(Some)
    }

    /// `(.param .b32 a, .param .b64 b)`
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Variable>> {
        self.expect(b'(', "before the parameters")?;
        let mut parameters = Vec::new();
        if self.eat(b')')? {
            return Ok(parameters);
        }
        loop {
            parameters.push(self.parameter()?);
            if self.eat(b')')? {
                return Ok(parameters);
            }
            self.expect(b',', "or `)` after a parameter")?;
        }
    }

    fn function_directive(&mut self, out: &mut Vec<FunctionDirective>) -> Parsed<()> {
        let word = self.word(self.token);
        match word {
            "maxntid"
            | "reqntid"
            | "minnctapersm"
            | "maxnctapersm"
            | "maxnreg"
            | "reqnctapercluster"
            | "maxclusterrank"
            | "abi_preserve"
            | "abi_preserve_control"
            | "local_maxnreg" => {
                self.advance()?;
                let mut values = vec![self.integer_u32("a number")?];
                while self.eat(b',')? {
                    values.push(self.integer_u32("a number")?);
                }
                out.push(FunctionDirective::Numbers { name: word.to_owned(), values });
            }
            "noreturn" | "explicitcluster" | "blocksareclusters" => {
                self.advance()?;
                out.push(FunctionDirective::Flag(word.to_owned()));
            }
            "pragma" => {
                self.advance()?;
                out.push(FunctionDirective::Pragma(self.strings()?));
                self.expect(b';', "after `.pragma`")?;
            }
            _ => return Err(self.expected("a directive of a function or its body")),
        }
        Ok(())
    }
}
