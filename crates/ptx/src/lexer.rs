//! Bytes to tokens (PTX ISA, section 4).
//!
//! A token is a kind and a range of bytes: nothing is copied and nothing is allocated. Blanks, comments and
//! preprocessor line markers are skipped.

use crate::error::Failure;
use crate::tree::Span;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// End of the text.
    End,
    /// A name: `%r1`, `$L_1`, `_`, `add`.
    Ident,
    /// A dot and a word: `.u32`, `.shared::cta`, `.2d`.
    Dot,
    /// An integer literal.
    Int,
    /// A decimal floating literal.
    Float,
    /// `0f` and eight hexadecimal digits.
    F32,
    /// `0d` and sixteen hexadecimal digits.
    F64,
    /// `"..."`
    Str,
    /// One character.
    Punct(u8),
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    AndAnd,
    /// `||`
    OrOr,
}

/// A token: its kind and its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    pub fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }
}

const BLANK: u8 = 1;
const WORD: u8 = 2; // letters, digits, `_`, `$`
const DIGIT: u8 = 4;
const LETTER: u8 = 8; // letters, `_`, `$`
const HEX: u8 = 16;

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c) {
            table[byte] |= BLANK;
        }
        if b.is_ascii_digit() {
            table[byte] |= WORD | DIGIT;
        }
        if b.is_ascii_alphabetic() || b == b'_' || b == b'$' {
            table[byte] |= WORD | LETTER;
        }
        if b.is_ascii_hexdigit() {
            table[byte] |= HEX;
        }
        byte += 1;
    }
    table
}

fn is(byte: u8, class: u8) -> bool {
    CLASS[byte as usize] & class != 0
}

/// Reads tokens from front to back; may be copied to look ahead.
#[derive(Clone, Copy)]
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer { bytes: text.as_bytes(), at: 0 }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn span(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.at.max(start + 1).min(self.bytes.len()) as u32 }
    }

    fn skip_while(&mut self, class: u8) {
        while self.at < self.bytes.len() && is(self.bytes[self.at], class) {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
            self.at += 1;
        }
    }

    fn skip_block_comment(&mut self) -> Result<(), Failure> {
        let start = self.at;
        self.at += 2;
        loop {
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (b'*', b'/') => {
                    self.at += 2;
                    return Ok(());
                }
                _ if self.at >= self.bytes.len() => {
                    let span = Span { start: start as u32, end: start as u32 + 2 };
                    return Err(Failure::invalid(span, "this comment has no end, expected `*/`"));
                }
                _ => self.at += 1,
            }
        }
    }

    fn skip_blanks(&mut self) -> Result<(), Failure> {
        loop {
            self.skip_while(BLANK);
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (b'/', b'/') => self.skip_line(),
                (b'/', b'*') => self.skip_block_comment()?,
                (b'#', _) if self.at_line_start() => self.skip_line(),
                _ => return Ok(()),
            }
        }
    }

    /// Is there nothing but blanks before this place on its line? Called only at `#`.
    fn at_line_start(&self) -> bool {
        let line = self.bytes[..self.at].iter().rev().take_while(|&&byte| byte != b'\n');
        line.take(64).all(|&byte| is(byte, BLANK))
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Token, Failure> {
        self.skip_blanks()?;
        let start = self.at;
        let Some(&byte) = self.bytes.get(start) else {
            return Ok(Token { kind: Kind::End, start: start as u32, end: start as u32 });
        };
        self.at += 1;
        let kind = match byte {
            _ if is(byte, LETTER) => self.ident(byte),
            b'%' if is(self.byte(self.at), WORD) => self.ident(byte),
            _ if is(byte, DIGIT) => self.number(start)?,
            b'.' if is(self.byte(self.at), WORD) => {
                self.dotted();
                Kind::Dot
            }
            b'"' => self.string(start)?,
            _ => self.punctuation(byte, start)?,
        };
        Ok(Token { kind, start: start as u32, end: self.at as u32 })
    }

    fn ident(&mut self, first: u8) -> Kind {
        self.skip_while(WORD);
        // A lone `$` is no name.
        if first == b'$' && self.byte(self.at - 1) == b'$' && self.at >= 2 && !is(self.byte(self.at - 2), WORD) {
            return Kind::Punct(b'$');
        }
        Kind::Ident
    }

    /// A word after a dot: word characters and `::`.
    fn dotted(&mut self) {
        loop {
            self.skip_while(WORD);
            if self.byte(self.at) == b':' && self.byte(self.at + 1) == b':' && is(self.byte(self.at + 2), WORD) {
                self.at += 2;
            } else {
                return;
            }
        }
    }

    /// The end of the contiguous run `.word.word` that begins where the last token ended.
    pub fn take_dotted_run(&mut self) -> u32 {
        while self.byte(self.at) == b'.' && is(self.byte(self.at + 1), WORD) {
            self.at += 1;
            self.dotted();
        }
        self.at as u32
    }

    fn number(&mut self, start: usize) -> Result<Kind, Failure> {
        let kind = match (self.bytes[start], self.byte(self.at)) {
            (b'0', b'x' | b'X') => self.hex_digits(start, Kind::Int, None)?,
            (b'0', b'f' | b'F') => return self.hex_digits(start, Kind::F32, Some(8)),
            (b'0', b'd' | b'D') => return self.hex_digits(start, Kind::F64, Some(16)),
            (b'0', b'b' | b'B') => {
                self.at += 1;
                self.skip_while(DIGIT);
                Kind::Int
            }
            _ => self.decimal(),
        };
        if kind == Kind::Int && self.byte(self.at) == b'U' {
            self.at += 1;
        }
        if is(self.byte(self.at), LETTER) {
            let mut rest = *self;
            rest.skip_while(WORD);
            return Err(Failure::invalid(rest.span(start), "malformed number"));
        }
        Ok(kind)
    }

    fn hex_digits(&mut self, start: usize, kind: Kind, count: Option<usize>) -> Result<Kind, Failure> {
        self.at += 1;
        let first = self.at;
        self.skip_while(HEX);
        let found = self.at - first;
        match count {
            Some(count) if found != count => {
                let message = format!("expected {count} hexadecimal digits in this floating literal, found {found}");
                Err(Failure::invalid(self.span(start), message))
            }
            None if found == 0 => Err(Failure::invalid(self.span(start), "expected a hexadecimal digit after `0x`")),
            _ => Ok(kind),
        }
    }

    fn decimal(&mut self) -> Kind {
        self.skip_while(DIGIT);
        let mut kind = Kind::Int;
        if self.byte(self.at) == b'.' && !is(self.byte(self.at + 1), LETTER) {
            kind = Kind::Float;
            self.at += 1;
            self.skip_while(DIGIT);
        }
        self.exponent(kind)
    }

    fn exponent(&mut self, kind: Kind) -> Kind {
        if !matches!(self.byte(self.at), b'e' | b'E') {
            return kind;
        }
        let sign = usize::from(matches!(self.byte(self.at + 1), b'+' | b'-'));
        if !is(self.byte(self.at + 1 + sign), DIGIT) {
            return kind;
        }
        self.at += 1 + sign;
        self.skip_while(DIGIT);
        Kind::Float
    }

    fn string(&mut self, start: usize) -> Result<Kind, Failure> {
        loop {
            match self.bytes.get(self.at) {
                None | Some(b'\n') => {
                    let span = Span { start: start as u32, end: self.at as u32 };
                    return Err(Failure::invalid(span, "this string has no end, expected `\"`"));
                }
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Kind::Str);
                }
                // A back-slash keeps the quote after it from ending the string.
                Some(b'\\') if self.byte(self.at + 1) == b'"' => self.at += 2,
                Some(_) => self.at += 1,
            }
        }
    }

    fn punctuation(&mut self, byte: u8, start: usize) -> Result<Kind, Failure> {
        let double = match (byte, self.byte(self.at)) {
            (b'<', b'<') => Some(Kind::Shl),
            (b'>', b'>') => Some(Kind::Shr),
            (b'<', b'=') => Some(Kind::Le),
            (b'>', b'=') => Some(Kind::Ge),
            (b'=', b'=') => Some(Kind::Eq),
            (b'!', b'=') => Some(Kind::Ne),
            (b'&', b'&') => Some(Kind::AndAnd),
            (b'|', b'|') => Some(Kind::OrOr),
            _ => None,
        };
        if let Some(kind) = double {
            self.at += 1;
            return Ok(kind);
        }
        if b",;:{}[]()<>|!@=+-*/%&^~?.".contains(&byte) {
            return Ok(Kind::Punct(byte));
        }
        // Step over the whole character, so that a span never cuts one.
        while self.at < self.bytes.len() && self.bytes[self.at] & 0xc0 == 0x80 {
            self.at += 1;
        }
        Err(Failure::invalid(self.span(start), "unexpected character"))
    }
}
