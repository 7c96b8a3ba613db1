//! Statements of a function body: declarations, labels, scopes, directives. Instructions are in `instruction`.

use super::{Parsed, Parser};
use crate::lexer::{Kind, Token};
use crate::tree::{Linkage, Loc, Name, Statement};

impl Parser<'_> {
    /// `{ ... }`
    pub(super) fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.nested(|parser| {
            parser.expect(b'{', "at the beginning of a block")?;
            let mut statements = Vec::new();
            while !parser.at(b'}') {
                parser.statement(&mut statements)?;
            }
            parser.advance()?;
            Ok(statements)
        })
    }

    fn statement(&mut self, out: &mut Vec<Statement>) -> Parsed<()> {
        match self.token.kind {
            Kind::Ident => self.label_or_instruction(out),
            Kind::Punct(b'@') => {
                let instruction = self.guarded_instruction()?;
                out.push(Statement::Instruction(instruction));
                Ok(())
            }
            Kind::Punct(b'{') => {
                let block = self.block()?;
                out.push(Statement::Block(block));
                Ok(())
            }
            Kind::Dot => self.directive(out),
            _ => Err(self.expected("an instruction, label, directive or `}`")),
        }
    }

    fn label_or_instruction(&mut self, out: &mut Vec<Statement>) -> Parsed<()> {
        let token = self.token;
        let end = self.lexer.take_dotted_run();
        if end > token.end {
            let instruction = self.instruction(None, token.start, Token { end, ..token })?;
            out.push(Statement::Instruction(instruction));
            return Ok(());
        }
        if self.peek()?.kind != Kind::Punct(b':') {
            let instruction = self.instruction(None, token.start, token)?;
            out.push(Statement::Instruction(instruction));
            return Ok(());
        }
        let name = self.name("a label")?;
        self.advance()?;
        let statement = match self.token.kind {
            Kind::Dot => self.label_directive(name, token.start)?,
            _ => None,
        };
        out.push(statement.unwrap_or_else(|| Statement::Label(name, token.span())));
        Ok(())
    }

    /// What a label may name besides a place: lists of targets and prototypes.
    fn label_directive(&mut self, label: Name, start: u32) -> Parsed<Option<Statement>> {
        match self.word(self.token) {
            "branchtargets" => {
                self.advance()?;
                let targets = self.names_list("a label")?;
                self.expect(b';', "after `.branchtargets`")?;
                Ok(Some(Statement::BranchTargets { label, targets, span: self.span_from(start) }))
            }
            "calltargets" => {
                self.advance()?;
                let targets = self.names_list("a function")?;
                self.expect(b';', "after `.calltargets`")?;
                Ok(Some(Statement::CallTargets { label, targets, span: self.span_from(start) }))
            }
            "callprototype" => self.call_prototype(label, start).map(Some),
            _ => Ok(None),
        }
    }

    fn call_prototype(&mut self, label: Name, start: u32) -> Parsed<Statement> {
        self.advance()?;
        let returns = if self.at(b'(') { self.parameters()? } else { Vec::new() };
        self.name("`_` in a prototype")?;
        let params = if self.at(b'(') { self.parameters()? } else { Vec::new() };
        let mut flags = Vec::new();
        while self.token.kind == Kind::Dot {
            let token = self.advance()?;
            let mut flag = self.word(token).to_owned();
            if self.token.kind == Kind::Int {
                flag = format!("{flag} {}", self.integer("a number")?);
            }
            flags.push(flag);
        }
        self.expect(b';', "after `.callprototype`")?;
        Ok(Statement::CallPrototype { label, returns, params, flags, span: self.span_from(start) })
    }

    fn directive(&mut self, out: &mut Vec<Statement>) -> Parsed<()> {
        let start = self.token.start;
        match self.word(self.token) {
            "loc" => {
                let loc = self.loc()?;
                out.push(Statement::Loc(loc));
            }
            "pragma" => {
                self.advance()?;
                let texts = self.strings()?;
                self.expect(b';', "after `.pragma`")?;
                out.push(Statement::Pragma(texts, self.span_from(start)));
            }
            _ if self.at_variable() => {
                let mut variables = Vec::new();
                self.variables(Linkage::Internal, start, &mut variables)?;
                out.extend(variables.into_iter().map(Statement::Variable));
            }
            _ => return Err(self.expected("a declaration, `.loc` or `.pragma` in a function body")),
        }
        Ok(())
    }

    fn loc(&mut self) -> Parsed<Loc> {
        let start = self.advance()?.start;
        let (file, line, column) = self.position()?;
        let mut loc = Loc { file, line, column, function: None, inlined_at: None, span: self.span_from(start) };
        while self.eat(b',')? {
            match self.slice(self.token) {
                "function_name" => {
                    self.advance()?;
                    let label = self.name("a label")?;
                    let offset = if self.eat(b'+')? { self.signed_integer("an offset")? } else { 0 };
                    loc.function = Some((label, offset));
                }
                "inlined_at" => {
                    self.advance()?;
                    loc.inlined_at = Some(self.position()?);
                }
                _ => return Err(self.expected("`function_name` or `inlined_at`")),
            }
            loc.span = self.span_from(start);
        }
        Ok(loc)
    }

    /// File, line and column.
    fn position(&mut self) -> Parsed<(u32, u32, u32)> {
        let file = self.integer_u32("a file number")?;
        let line = self.integer_u32("a line")?;
        Ok((file, line, self.integer_u32("a column")?))
    }
}
