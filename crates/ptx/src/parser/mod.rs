//! Tokens to tree: the parser is purely syntactic. Names are not resolved and forms are not checked.
//!
//! It holds one token and looks at most one further. Nesting is limited by [`MAX_DEPTH`], so no input can exhaust
//! the stack, neither here nor when the tree is dropped.

mod expression;
mod function;
mod instruction;
mod module;
mod operand;
mod statement;
mod variable;

pub(crate) use instruction::modifier_of;

use crate::error::{Error, Failure};
use crate::lexer::{Kind, Lexer, Token};
use crate::names::Names;
use crate::tree::{Module, Name, Span};

/// How deep scopes, initialisers, operands and constant expressions may nest.
pub(crate) const MAX_DEPTH: u32 = 128;

/// Parses a PTX module.
///
/// # Errors
/// The first place where the text is not PTX.
///
/// # Examples
/// ```
/// let module = warpvm_ptx::parse(".version 8.6 .target sm_90 .entry k() { ret; }").unwrap();
/// assert_eq!(module.version, (8, 6));
/// ```
pub fn parse(text: &str) -> Result<Module, Error> {
    if u32::try_from(text.len()).is_err() {
        let message = "this text is longer than the 4 GiB that offsets can name";
        return Err(Error::unsupported(Span::default(), message));
    }
    Ok(Parser::new(text)?.module()?)
}

pub(crate) struct Parser<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    /// The current token; the lexer stands right after it.
    token: Token,
    /// End of the token before the current one.
    last_end: u32,
    names: Names<'a>,
    depth: u32,
    heads: instruction::Heads<'a>,
}

type Parsed<T> = Result<T, Failure>;

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parsed<Self> {
        let mut lexer = Lexer::new(text);
        let token = lexer.next()?;
        let names = Names::new(text);
        Ok(Parser { text, lexer, token, last_end: 0, names, depth: 0, heads: instruction::Heads::default() })
    }

    #[inline]
    fn advance(&mut self) -> Parsed<Token> {
        let token = self.token;
        self.last_end = token.end;
        self.token = self.lexer.next()?;
        Ok(token)
    }

    fn peek(&self) -> Parsed<Token> {
        let mut lexer = self.lexer;
        lexer.next()
    }

    #[inline]
    fn slice(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The text of a token after its dot.
    #[inline]
    fn word(&self, token: Token) -> &'a str {
        &self.text[token.start as usize + 1..token.end as usize]
    }

    #[inline]
    fn at(&self, byte: u8) -> bool {
        self.token.kind == Kind::Punct(byte)
    }

    fn at_word(&self, word: &str) -> bool {
        self.token.kind == Kind::Dot && self.word(self.token) == word
    }

    /// Takes the punctuation if it comes next.
    #[inline]
    fn eat(&mut self, byte: u8) -> Parsed<bool> {
        let found = self.at(byte);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn eat_word(&mut self, word: &str) -> Parsed<bool> {
        let found = self.at_word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, byte: u8, context: &str) -> Parsed<Token> {
        if self.at(byte) {
            return self.advance();
        }
        Err(self.expected(&format!("`{}` {context}", byte as char)))
    }

    fn span_from(&self, start: u32) -> Span {
        Span { start, end: self.last_end.max(start) }
    }

    /// "expected X, found Y" at the current token.
    fn expected(&self, what: &str) -> Failure {
        Failure::invalid(self.token.span(), format!("expected {what}, found {}", self.describe(self.token)))
    }

    fn describe(&self, token: Token) -> String {
        if token.kind == Kind::End {
            return "the end of the text".to_owned();
        }
        let text = self.slice(token);
        match text.char_indices().nth(40) {
            Some((at, _)) => format!("`{}...`", &text[..at]),
            None => format!("`{text}`"),
        }
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} deep");
            return Err(Failure::unsupported(self.token.span(), message));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// An identifier.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.token.kind != Kind::Ident {
            return Err(self.expected(what));
        }
        let token = self.advance()?;
        Ok(self.names.intern(token.start, token.end))
    }

    /// Names separated by commas.
    fn names_list(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(b',')? {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// An integer literal without sign.
    fn integer(&mut self, what: &str) -> Parsed<u64> {
        if self.token.kind != Kind::Int {
            return Err(self.expected(what));
        }
        let token = self.advance()?;
        self.integer_value(token).map(|(value, _)| value)
    }

    fn integer_u32(&mut self, what: &str) -> Parsed<u32> {
        let token = self.token;
        let value = self.integer(what)?;
        u32::try_from(value).map_err(|_| {
            Failure::invalid(token.span(), format!("expected {what} below 2^32, found {}", self.describe(token)))
        })
    }

    /// The value of an integer token, and whether its literal is unsigned.
    fn integer_value(&self, token: Token) -> Parsed<(u64, bool)> {
        let text = self.slice(token);
        let digits = text.strip_suffix('U').unwrap_or(text);
        let (digits, radix) = match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
            [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
            [b'0', _, ..] => (&digits[1..], 8),
            _ => (digits, 10),
        };
        match u64::from_str_radix(digits, radix) {
            Ok(value) => Ok((value, digits.len() < text.len() && text.ends_with('U') || value > i64::MAX as u64)),
            Err(error) => {
                let why = match error.kind() {
                    std::num::IntErrorKind::PosOverflow => "does not fit 64 bits",
                    _ => "is malformed",
                };
                Err(Failure::invalid(token.span(), format!("the integer {} {why}", self.describe(token))))
            }
        }
    }

    /// A string literal without its quotes.
    fn string(&mut self, what: &str) -> Parsed<String> {
        if self.token.kind != Kind::Str {
            return Err(self.expected(what));
        }
        let token = self.advance()?;
        let text = self.slice(token);
        Ok(text[1..text.len() - 1].to_owned())
    }

    /// `"a", "b"`
    fn strings(&mut self) -> Parsed<Vec<String>> {
        let mut strings = vec![self.string("a string")?];
        while self.eat(b',')? {
            strings.push(self.string("a string")?);
        }
        Ok(strings)
    }
}
