//! `vprintf`: the format of C, arguments from a buffer (CUDA C++ Programming Guide, "Formatted output").

use super::{Engine, Group};
use crate::observe::Observer;

impl<O: Observer> Engine<'_, O> {
    /// The text that a lane prints. `arguments` is the address of its buffer.
    pub(super) fn format(&self, group: &Group, w: usize, lane: usize, format: u64, arguments: u64) -> Vec<u8> {
        let text = self.string(group, w, lane, format);
        let mut out = Vec::new();
        let mut next = arguments;
        let mut take = |size: u64| {
            let at = next.next_multiple_of(size);
            next = at + size;
            let byte = |i| u64::from(self.byte(group, w, lane, at + i).unwrap_or(0)) << (8 * i);
            (0..size).map(byte).fold(0, |a, b| a | b)
        };
        let mut i = 0;
        while i < text.len() {
            if text[i] != b'%' {
                out.push(text[i]);
                i += 1;
                continue;
            }
            let start = i;
            i += 1;
            let mut spec = Spec::default();
            while let Some(c) = text.get(i) {
                match c {
                    b'-' => spec.left = true,
                    b'0' => spec.zero = true,
                    b'+' => spec.plus = true,
                    b' ' => spec.space = true,
                    b'#' => spec.alternate = true,
                    _ => break,
                }
                i += 1;
            }
            let mut number = |i: &mut usize| {
                if text.get(*i) == Some(&b'*') {
                    *i += 1;
                    return take(4) as i32;
                }
                let mut n = 0i32;
                while let Some(d) = text.get(*i).filter(|c| c.is_ascii_digit()) {
                    n = n.saturating_mul(10).saturating_add(i32::from(d - b'0'));
                    *i += 1;
                }
                n
            };
            let width = number(&mut i);
            spec.left |= width < 0;
            spec.width = width.unsigned_abs().min(4096) as usize;
            if text.get(i) == Some(&b'.') {
                i += 1;
                spec.precision = usize::try_from(number(&mut i)).ok().map(|p| p.min(4096));
            }
            let mut long = 0;
            while let Some(c) = text.get(i) {
                match c {
                    b'l' => long += 1,
                    b'h' => long -= 1,
                    b'z' | b't' | b'j' => long = 1,
                    b'L' => {}
                    _ => break,
                }
                i += 1;
            }
            let size = if long > 0 { 8 } else { 4 };
            let narrow = |v: u64| match long {
                -1 => v as u16 as u64,
                i32::MIN..=-2 => v as u8 as u64,
                _ => v,
            };
            let signed = |v: u64| match long {
                1.. => v as i64,
                0 => v as i32 as i64,
                -1 => v as i16 as i64,
                _ => v as i8 as i64,
            };
            let Some(&kind) = text.get(i) else {
                out.extend_from_slice(&text[start..]);
                break;
            };
            i += 1;
            match kind {
                b'%' => out.push(b'%'),
                b'd' | b'i' => {
                    let value = signed(take(size));
                    spec.integer(&mut out, value.unsigned_abs().to_string(), spec.sign(value < 0));
                }
                b'u' => spec.integer(&mut out, narrow(take(size)).to_string(), ""),
                b'x' => {
                    spec.integer(&mut out, format!("{:x}", narrow(take(size))), if spec.alternate { "0x" } else { "" });
                }
                b'X' => {
                    spec.integer(&mut out, format!("{:X}", narrow(take(size))), if spec.alternate { "0X" } else { "" });
                }
                b'o' => {
                    spec.integer(&mut out, format!("{:o}", narrow(take(size))), if spec.alternate { "0" } else { "" });
                }
                b'p' => spec.pad(&mut out, format!("0x{:x}", take(8)).as_bytes()),
                b'c' => spec.pad(&mut out, &[take(4) as u8]),
                b's' => {
                    let mut s = self.string(group, w, lane, take(8));
                    s.truncate(spec.precision.unwrap_or(usize::MAX));
                    spec.pad(&mut out, &s);
                }
                b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                    let value = f64::from_bits(take(8));
                    spec.float(&mut out, value, kind);
                }
                _ => out.extend_from_slice(&text[start..i]),
            }
        }
        out
    }
}

/// A conversion between `%` and its letter.
#[derive(Default, Clone, Copy)]
struct Spec {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

impl Spec {
    fn sign(self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn pad(self, out: &mut Vec<u8>, text: &[u8]) {
        let fill = self.width.saturating_sub(text.len());
        if !self.left {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
        out.extend_from_slice(text);
        if self.left {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
    }

    fn integer(self, out: &mut Vec<u8>, digits: String, prefix: &str) {
        let mut digits = digits;
        if self.precision == Some(0) && digits == "0" {
            digits.clear();
        }
        let least = match self.precision {
            Some(p) => p,
            None if self.zero && !self.left => self.width.saturating_sub(prefix.len()),
            None => 0,
        };
        let zeros = least.saturating_sub(digits.len());
        self.pad(out, format!("{prefix}{}{digits}", "0".repeat(zeros)).as_bytes());
    }

    fn float(self, out: &mut Vec<u8>, value: f64, kind: u8) {
        let sign = self.sign(value.is_sign_negative() && !value.is_nan());
        let upper = kind.is_ascii_uppercase();
        let x = value.abs();
        let mut body = if x.is_nan() {
            "nan".to_owned()
        } else if x.is_infinite() {
            "inf".to_owned()
        } else {
            let precision = self.precision.unwrap_or(6);
            match kind.to_ascii_lowercase() {
                b'e' => exponential(x, precision),
                b'g' => general(x, precision.max(1), self.alternate),
                b'a' => hexadecimal(x),
                _ => format!("{x:.precision$}"),
            }
        };
        if upper {
            body = body.to_uppercase();
        }
        if self.zero && !self.left && x.is_finite() {
            let fill = self.width.saturating_sub(sign.len() + body.len());
            body = "0".repeat(fill) + &body;
        }
        self.pad(out, format!("{sign}{body}").as_bytes());
    }
}

fn exponential(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

fn general(x: f64, precision: usize, keep_zeros: bool) -> String {
    let text = exponential(x, precision - 1);
    let exponent: i32 = text.split_once('e').map_or(0, |(_, e)| e.parse().unwrap_or(0));
    let trim = |s: String| {
        if s.contains('.') && !keep_zeros { s.trim_end_matches('0').trim_end_matches('.').to_owned() } else { s }
    };
    if exponent < -4 || exponent >= precision as i32 {
        let (mantissa, e) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{e}", trim(mantissa.to_owned()));
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    trim(format!("{x:.decimals$}"))
}

fn hexadecimal(x: f64) -> String {
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if exponent == 0 && fraction == 0 {
        return "0x0p+0".to_owned();
    }
    let (lead, power) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{power:+}")
}
