//! Constant expressions (PTX ISA, section 4.5): folded while they are read.

use super::{Parsed, Parser};
use crate::error::Failure;
use crate::lexer::{Kind, Token};
use crate::tree::{Constant, Span};

/// A value of a constant expression; the three types of section 4.5.5.
#[derive(Clone, Copy)]
enum Value {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

impl Value {
    /// The bits of an integer.
    fn bits(self) -> Option<u64> {
        match self {
            Value::Signed(value) => Some(value as u64),
            Value::Unsigned(value) => Some(value),
            Value::Float(_) => None,
        }
    }

    fn is_true(self) -> bool {
        match self {
            Value::Float(value) => value != 0.0,
            other => other.bits() != Some(0),
        }
    }
}

fn truth(value: bool) -> Value {
    Value::Signed(i64::from(value))
}

/// How tightly a binary operator binds; 0 for anything else.
fn binding(kind: Kind) -> u8 {
    match kind {
        Kind::Punct(b'*' | b'/' | b'%') => 10,
        Kind::Punct(b'+' | b'-') => 9,
        Kind::Shl | Kind::Shr => 8,
        Kind::Punct(b'<' | b'>') | Kind::Le | Kind::Ge => 7,
        Kind::Eq | Kind::Ne => 6,
        Kind::Punct(b'&') => 5,
        Kind::Punct(b'^') => 4,
        Kind::Punct(b'|') => 3,
        Kind::AndAnd => 2,
        Kind::OrOr => 1,
        _ => 0,
    }
}

impl Parser<'_> {
    /// A constant: an integer or floating expression, or a literal of bits.
    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        let token = self.token;
        if token.kind == Kind::F32 {
            self.advance()?;
            let bits = u32::from_str_radix(&self.slice(token)[2..], 16);
            return bits.map(Constant::F32).map_err(|_| Failure::invalid(token.span(), "malformed literal"));
        }
        // The usual operand is one literal.
        if token.kind == Kind::Int && matches!(self.peek()?.kind, Kind::Punct(b',' | b';' | b']' | b'}')) {
            self.advance()?;
            return Ok(Constant::Int(self.integer_value(token)?.0 as i64));
        }
        Ok(match self.conditional()? {
            Value::Signed(value) => Constant::Int(value),
            Value::Unsigned(value) => Constant::Int(value as i64),
            Value::Float(value) => Constant::F64(value.to_bits()),
        })
    }

    /// An integer constant expression.
    pub(super) fn constant_integer(&mut self, what: &str) -> Parsed<i64> {
        let start = self.token;
        if !starts_expression(start.kind) && !self.at_warp_size() {
            return Err(self.expected(what));
        }
        if let Constant::Int(value) = self.constant()? {
            return Ok(value);
        }
        let span = self.span_from(start.start);
        Err(Failure::invalid(span, format!("expected {what}, found a floating value")))
    }

    fn at_warp_size(&self) -> bool {
        self.token.kind == Kind::Ident && self.slice(self.token) == "WARP_SZ"
    }

    fn conditional(&mut self) -> Parsed<Value> {
        self.nested(|parser| {
            let condition = parser.binary(1)?;
            if !parser.eat(b'?')? {
                return Ok(condition);
            }
            let yes = parser.conditional()?;
            parser.expect(b':', "in a conditional expression")?;
            let no = parser.conditional()?;
            Ok(if condition.is_true() { yes } else { no })
        })
    }

    fn binary(&mut self, least: u8) -> Parsed<Value> {
        let mut left = self.unary()?;
        loop {
            let operator = self.token;
            let strength = binding(operator.kind);
            if strength < least || strength == 0 {
                return Ok(left);
            }
            self.advance()?;
            let right = self.nested(|parser| parser.binary(strength + 1))?;
            left = apply(operator, left, right)?;
        }
    }

    fn unary(&mut self) -> Parsed<Value> {
        let token = self.token;
        match token.kind {
            Kind::Punct(sign @ (b'+' | b'-' | b'!' | b'~')) => {
                self.advance()?;
                let value = self.nested(Self::unary)?;
                apply_unary(sign, value, token.span())
            }
            Kind::Punct(b'(') => self.parenthesis(),
            _ => self.primary(),
        }
    }

    /// `(expression)` or a cast.
    fn parenthesis(&mut self) -> Parsed<Value> {
        self.advance()?;
        let cast = self.at_word("s64") || self.at_word("u64");
        if !cast {
            let value = self.conditional()?;
            self.expect(b')', "after a constant expression")?;
            return Ok(value);
        }
        let token = self.advance()?;
        self.expect(b')', "after a cast")?;
        let value = self.nested(Self::unary)?;
        let Some(bits) = value.bits() else {
            return Err(Failure::invalid(token.span(), "a floating constant cannot be cast"));
        };
        Ok(if self.word(token) == "s64" { Value::Signed(bits as i64) } else { Value::Unsigned(bits) })
    }

    fn primary(&mut self) -> Parsed<Value> {
        let token = self.token;
        match token.kind {
            Kind::Int => {
                self.advance()?;
                let (value, unsigned) = self.integer_value(token)?;
                Ok(if unsigned { Value::Unsigned(value) } else { Value::Signed(value as i64) })
            }
            Kind::Float => self.decimal(token),
            Kind::Dot if self.word(token).bytes().all(|byte| byte.is_ascii_digit()) => self.decimal(token),
            Kind::F64 => {
                self.advance()?;
                let bits = u64::from_str_radix(&self.slice(token)[2..], 16);
                bits.map(|bits| Value::Float(f64::from_bits(bits)))
                    .map_err(|_| Failure::invalid(token.span(), "malformed literal"))
            }
            _ if self.at_warp_size() => {
                self.advance()?;
                Ok(Value::Signed(32))
            }
            _ => Err(self.expected("an operand or a constant")),
        }
    }

    fn decimal(&mut self, token: Token) -> Parsed<Value> {
        self.advance()?;
        match self.slice(token).parse() {
            Ok(value) => Ok(Value::Float(value)),
            Err(_) => Err(Failure::invalid(token.span(), "malformed floating literal")),
        }
    }
}

fn starts_expression(kind: Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Float | Kind::F64 | Kind::Dot | Kind::Punct(b'(' | b'-' | b'+' | b'!' | b'~'))
}

fn apply_unary(sign: u8, value: Value, span: Span) -> Parsed<Value> {
    Ok(match (sign, value) {
        (b'+', value) => value,
        (b'-', Value::Signed(value)) => Value::Signed(value.wrapping_neg()),
        (b'-', Value::Unsigned(value)) => Value::Unsigned(value.wrapping_neg()),
        (b'-', Value::Float(value)) => Value::Float(-value),
        (b'!', value) => truth(!value.is_true()),
        (_, Value::Signed(value)) => Value::Signed(!value),
        (_, Value::Unsigned(value)) => Value::Unsigned(!value),
        (_, Value::Float(_)) => return Err(Failure::invalid(span, "`~` of a floating constant")),
    })
}

fn apply(operator: Token, left: Value, right: Value) -> Parsed<Value> {
    match operator.kind {
        Kind::AndAnd => return Ok(truth(left.is_true() && right.is_true())),
        Kind::OrOr => return Ok(truth(left.is_true() || right.is_true())),
        _ => {}
    }
    let span = operator.span();
    let result = match (left, right) {
        (Value::Float(a), Value::Float(b)) => float(operator.kind, a, b),
        (Value::Float(_), _) | (_, Value::Float(_)) => {
            return Err(Failure::invalid(span, "a constant expression mixes integer and floating values"));
        }
        (Value::Signed(a), Value::Signed(b)) => signed(operator.kind, a, b, span)?,
        (Value::Signed(a), Value::Unsigned(b)) if matches!(operator.kind, Kind::Shl | Kind::Shr) => {
            signed(operator.kind, a, b as i64, span)?
        }
        (a, b) => unsigned(operator.kind, a.bits().unwrap_or(0), b.bits().unwrap_or(0), span)?,
    };
    result.ok_or_else(|| Failure::invalid(span, "this operator does not apply to floating constants"))
}

fn float(kind: Kind, a: f64, b: f64) -> Option<Value> {
    Some(match kind {
        Kind::Punct(b'+') => Value::Float(a + b),
        Kind::Punct(b'-') => Value::Float(a - b),
        Kind::Punct(b'*') => Value::Float(a * b),
        Kind::Punct(b'/') => Value::Float(a / b),
        Kind::Punct(b'<') => truth(a < b),
        Kind::Punct(b'>') => truth(a > b),
        Kind::Le => truth(a <= b),
        Kind::Ge => truth(a >= b),
        Kind::Eq => truth(a == b),
        Kind::Ne => truth(a != b),
        _ => return None,
    })
}

fn division_by_zero(span: Span) -> Failure {
    Failure::invalid(span, "a constant expression divides by zero")
}

fn signed(kind: Kind, a: i64, b: i64, span: Span) -> Parsed<Option<Value>> {
    let value = match kind {
        Kind::Punct(b'/' | b'%') if b == 0 => return Err(division_by_zero(span)),
        Kind::Punct(b'/') => a.wrapping_div(b),
        Kind::Punct(b'%') => a.wrapping_rem(b),
        Kind::Shr => a >> b.clamp(0, 63),
        Kind::Punct(b'<') => return Ok(Some(truth(a < b))),
        Kind::Punct(b'>') => return Ok(Some(truth(a > b))),
        Kind::Le => return Ok(Some(truth(a <= b))),
        Kind::Ge => return Ok(Some(truth(a >= b))),
        _ => {
            return Ok(wrapping(kind, a as u64, b as u64).map(|value| match value {
                Value::Unsigned(bits) => Value::Signed(bits as i64),
                other => other,
            }));
        }
    };
    Ok(Some(Value::Signed(value)))
}

fn unsigned(kind: Kind, a: u64, b: u64, span: Span) -> Parsed<Option<Value>> {
    let value = match kind {
        Kind::Punct(b'/') => a.checked_div(b).ok_or_else(|| division_by_zero(span))?,
        Kind::Punct(b'%') => a.checked_rem(b).ok_or_else(|| division_by_zero(span))?,
        Kind::Shr => {
            if b < 64 {
                a >> b
            } else {
                0
            }
        }
        Kind::Punct(b'<') => return Ok(Some(truth(a < b))),
        Kind::Punct(b'>') => return Ok(Some(truth(a > b))),
        Kind::Le => return Ok(Some(truth(a <= b))),
        Kind::Ge => return Ok(Some(truth(a >= b))),
        _ => return Ok(wrapping(kind, a, b)),
    };
    Ok(Some(Value::Unsigned(value)))
}

/// Operators that do not depend on the sign.
fn wrapping(kind: Kind, a: u64, b: u64) -> Option<Value> {
    Some(Value::Unsigned(match kind {
        Kind::Punct(b'*') => a.wrapping_mul(b),
        Kind::Punct(b'+') => a.wrapping_add(b),
        Kind::Punct(b'-') => a.wrapping_sub(b),
        Kind::Shl => {
            if b < 64 {
                a << b
            } else {
                0
            }
        }
        Kind::Punct(b'&') => a & b,
        Kind::Punct(b'^') => a ^ b,
        Kind::Punct(b'|') => a | b,
        Kind::Eq => return Some(truth(a == b)),
        Kind::Ne => return Some(truth(a != b)),
        _ => return None,
    }))
}
