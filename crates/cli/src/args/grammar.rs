//! The grammar of a kernel argument.
//!
//! ```text
//! ARG    = [NAME "="] VALUE
//! VALUE  = TYPE ":" NUMBER                               u32:5  i32:-1  f32:1.5  b64:0xff
//!        | "in:" TYPE "=" SOURCE | "inout:" TYPE "=" SOURCE
//!        | "out:" TYPE "[" COUNT "]" | "uninit:" TYPE "[" COUNT "]"
//!        | "bytes:" HEX                                  a struct by value
//!        | "tensormap:" MAPTYPE "@" BUFFER {"," KEY "=" VALUES}   a `CUtensorMap` by value; BUFFER is the number or
//!                                                        the name of another argument
//! SOURCE = "@" PATH                                      .npy; anything else holds raw little-endian elements
//!        | "[" NUMBER {"," NUMBER} "]"
//!        | "iota(" COUNT ["," START ["," STEP]] ")"
//!        | "random(" COUNT ["," SEED] ")"                see module `random`
//!        | "fill(" COUNT "," NUMBER ")"
//! COUNT  = INTEGER {"*" INTEGER}
//! ```
//!
//! A tensor map has `dims` and `box` (`dims=192x64,box=64x64`, innermost first), and may have `strides` in bytes of all
//! dimensions but the first (as without gaps), `steps` (1), `swizzle` (`none`, `32B`, `64B`, `128B`), `interleave` (`none`, `16B`,
//! `32B`), `l2` (`none`, `64B`, `128B`, `256B`), `fill` (`zero`, `nan`) and `offset` (bytes from the start of the buffer). An im2col
//! map has `lower`, `upper`, `channels` and `pixels` in place of `box`. MAPTYPE is `u8 u16 u32 s32 u64 s64 f16 f32 f32.ftz f64
//! bf16 tf32 tf32.ftz`.
//!
//! For a `.npy` file the type may be left out: `in:@x.npy`.

use super::source::{Generator, Source};
use super::tensor_map::{TensorMapArg, Values};
use super::{Arg, ArgValue, Buffer, Direction};
use crate::Result;
use crate::element::{ElementType, parse_magnitude};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use warpvm_report::{Diagnostic, Origin, Place};

/// The largest buffer that is made, in bytes; more is a slip of the keyboard.
const LARGEST: u128 = 1 << 40;

/// Reads one argument and the files it names. `name` is what to call the argument in messages.
///
/// # Errors
/// A located diagnostic that says what was expected, or what is wrong with a file.
pub fn parse(text: &str, name: &str) -> Result<Arg> {
    Parser { text, name }.arg()
}

/// Reads a SOURCE alone, as for `--expect`. `ty` is the type that it must have, `None` to take a `.npy` file's own.
///
/// # Errors
/// As [`parse`].
pub fn parse_source(text: &str, name: &str, ty: Option<ElementType>) -> Result<(ElementType, Vec<u8>)> {
    let parser = Parser { text, name };
    parser.load(ty, 0..text.len())
}

struct Parser<'a> {
    text: &'a str,
    name: &'a str,
}

/// A part of the argument, as a range of bytes.
type Span = Range<usize>;

impl Parser<'_> {
    fn part(&self, span: &Span) -> &str {
        &self.text[span.clone()]
    }

    fn error(&self, span: &Span, message: impl Into<String>, label: &str) -> Box<Diagnostic> {
        let place = Place {
            origin: Origin::Argument { name: self.name.to_owned() },
            column: self.text[..span.start].chars().count() as u32 + 1,
            length: self.part(span).chars().count() as u32,
            text: Some(self.text.to_owned()),
        };
        Box::new(Diagnostic::invalid(message).at(place, label))
    }

    fn arg(&self) -> Result<Arg> {
        let end = self.text.len();
        let Some(colon) = self.text.find(':') else {
            let error = self.error(&(0..end), "a kernel argument needs a type", "no `:` here");
            return Err(Box::new(
                error.help("e.g. u32:5, f32:1.5, in:u32=[1,2,3], in:f32=@x.npy, in:u32=iota(1000), out:u32[1000]"),
            ));
        };
        let (name, head) = match self.text[..colon].find('=') {
            Some(equals) => (Some(0..equals), equals + 1..colon),
            None => (None, 0..colon),
        };
        let rest = colon + 1..end;
        let value = match self.part(&head) {
            "in" => self.filled(Direction::In, rest)?,
            "inout" => self.filled(Direction::InOut, rest)?,
            "out" => self.sized(Direction::Out, &rest)?,
            "uninit" => self.sized(Direction::Uninit, &rest)?,
            "bytes" => ArgValue::Bytes(self.hex(&rest)?),
            "tensormap" => ArgValue::TensorMap(self.tensor_map(&rest)?),
            _ => {
                let ty = self.ty(&head, " or one of `in`, `out`, `inout`, `uninit`, `bytes`, `tensormap`")?;
                ArgValue::Scalar { ty, bits: self.number(ty, &rest)? }
            }
        };
        Ok(Arg { name: name.map(|span| self.identifier(&span)).transpose()?, value })
    }

    fn identifier(&self, span: &Span) -> Result<String> {
        let name = self.part(span);
        let good = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if good { Ok(name.to_owned()) } else { Err(self.error(span, "expected a name before `=`", "not a name")) }
    }

    fn ty(&self, span: &Span, others: &str) -> Result<ElementType> {
        ElementType::from_name(self.part(span)).ok_or_else(|| {
            let message = format!("expected a type{others}");
            let error = self.error(span, message, "not a type");
            Box::new(error.help(format!("types: {}", ElementType::ALL)))
        })
    }

    fn number(&self, ty: ElementType, span: &Span) -> Result<u64> {
        ty.parse(self.part(span)).map_err(|message| self.error(span, message, ""))
    }

    fn hex(&self, span: &Span) -> Result<Vec<u8>> {
        let digits = self.part(span).strip_prefix("0x").unwrap_or(self.part(span));
        let pairs = digits.as_bytes().chunks(2).map(|pair| {
            let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2 && !pair.starts_with('+'))?;
            u8::from_str_radix(pair, 16).ok()
        });
        let bytes: Option<Vec<u8>> = pairs.collect();
        bytes
            .filter(|bytes| !bytes.is_empty())
            .ok_or_else(|| self.error(span, "expected the bytes of the struct in hex, two digits each", ""))
    }

    /// `TYPE@BUFFER,KEY=VALUES,...`
    fn tensor_map(&self, span: &Span) -> Result<TensorMapArg> {
        const EXPECTED: &str =
            "expected `tensormap:TYPE@BUFFER,dims=...,box=...`, e.g. tensormap:f16@1,dims=192x64,box=64x64";
        let parts = self.split(span);
        let (head, rest) = parts.split_first().ok_or_else(|| self.error(span, EXPECTED, ""))?;
        let (ty, buffer) = self.part(head).split_once('@').ok_or_else(|| self.error(head, EXPECTED, "no `@` here"))?;
        let mut values = BTreeMap::new();
        for part in rest {
            let (key, value) = self.part(part).split_once('=').ok_or_else(|| self.error(part, EXPECTED, "no `=`"))?;
            values.insert(key.to_owned(), value.to_owned());
        }
        let map = Values(values).map(ty).map_err(|message| self.error(span, message, ""))?;
        Ok(TensorMapArg { buffer: buffer.to_owned(), map })
    }

    /// `TYPE[COUNT]`
    fn sized(&self, direction: Direction, span: &Span) -> Result<ArgValue> {
        let word = direction.word();
        let expected = format!("expected `{word}:TYPE[COUNT]`, e.g. {word}:u32[1000]");
        let text = self.part(span);
        let open = text.find('[').filter(|_| text.ends_with(']')).ok_or_else(|| self.error(span, expected, ""))?;
        let ty = self.ty(&(span.start..span.start + open), "")?;
        let bytes = self.bytes(ty, &(span.start + open + 1..span.end - 1))?;
        Ok(ArgValue::Buffer(Buffer { direction, ty, bytes, data: None }))
    }

    /// The size of a buffer of COUNT elements.
    fn bytes(&self, ty: ElementType, span: &Span) -> Result<usize> {
        let factors = self.part(span).split('*').map(|factor| parse_magnitude(factor.trim()));
        let count = factors.collect::<Option<Vec<_>>>();
        let count = count.ok_or_else(|| self.error(span, "expected a number of elements, e.g. 1000 or 32*64", ""))?;
        let bytes = count.into_iter().try_fold(ty.bytes as u128, u128::checked_mul).filter(|&bytes| bytes <= LARGEST);
        let bytes = bytes.ok_or_else(|| self.error(span, "the buffer would be larger than 1 TiB", ""))?;
        Ok(bytes as usize)
    }

    /// `TYPE=SOURCE`, or `@FILE.npy`
    fn filled(&self, direction: Direction, span: Span) -> Result<ArgValue> {
        let text = self.part(&span);
        let (ty, source) = if text.starts_with('@') {
            (None, span)
        } else {
            let Some(equals) = text.find('=') else {
                let word = direction.word();
                let expected = format!("expected `{word}:TYPE=SOURCE`, e.g. {word}:u32=[1,2,3] or {word}:f32=@x.npy");
                return Err(self.error(&span, expected, "no `=` here"));
            };
            let ty = self.ty(&(span.start..span.start + equals), "")?;
            (Some(ty), span.start + equals + 1..span.end)
        };
        let (ty, data) = self.load(ty, source)?;
        Ok(ArgValue::Buffer(Buffer { direction, ty, bytes: data.len(), data: Some(data) }))
    }

    fn load(&self, ty: Option<ElementType>, span: Span) -> Result<(ElementType, Vec<u8>)> {
        let source = self.source(ty, &span)?;
        source.load(ty).map_err(|message| self.error(&span, message, ""))
    }

    fn source(&self, ty: Option<ElementType>, span: &Span) -> Result<Source> {
        let text = self.part(span);
        if let Some(path) = text.strip_prefix('@') {
            return Ok(Source::File(PathBuf::from(path)));
        }
        let Some(ty) = ty else {
            return Err(self.error(span, "expected `@FILE.npy`, which knows its type", ""));
        };
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let inner = span.start + 1..span.start + 1 + inner.len();
            return self.list(ty, &inner).map(Source::List);
        }
        self.generator(ty, span).map(Source::Generator)
    }

    fn list(&self, ty: ElementType, span: &Span) -> Result<Vec<u64>> {
        if self.part(span).trim().is_empty() {
            return Ok(Vec::new());
        }
        self.split(span).iter().map(|item| self.number(ty, item)).collect()
    }

    /// The parts between commas, without blanks.
    fn split(&self, span: &Span) -> Vec<Span> {
        let mut start = span.start;
        let parts = self.part(span).split(',').map(|part| {
            let from = start + part.len() - part.trim_start().len();
            let to = (start + part.trim_end().len()).max(from);
            start += part.len() + 1;
            from..to
        });
        parts.collect()
    }

    fn generator(&self, ty: ElementType, span: &Span) -> Result<Generator> {
        const EXPECTED: &str =
            "expected a source: @FILE, [1,2,3], iota(COUNT,START,STEP), random(COUNT,SEED) or fill(COUNT,VALUE)";
        let text = self.part(span);
        let open = text.find('(').filter(|_| text.ends_with(')'));
        let open = span.start + open.ok_or_else(|| self.error(span, EXPECTED, ""))?;
        let inside = open + 1..span.end - 1;
        let items = self.split(&inside);
        let count = |item: &Span| self.bytes(ty, item).map(|bytes| bytes / ty.bytes);
        let number = |item: Option<&Span>, default: u64| item.map_or(Ok(default), |item| self.number(ty, item));
        match (self.part(&(span.start..open)), items.as_slice()) {
            ("iota", [n] | [n, _] | [n, _, _]) => {
                let one = if ty.is_float() { ty.round(1.0) } else { 1 };
                let (start, step) = (number(items.get(1), 0)?, number(items.get(2), one)?);
                Ok(Generator::Iota { count: count(n)?, start, step })
            }
            ("random", [n] | [n, _]) => {
                let u64_type = ElementType { class: crate::element::Class::Unsigned, bytes: 8 };
                let seed = items.get(1).map_or(Ok(0), |item| self.number(u64_type, item))?;
                Ok(Generator::Random { count: count(n)?, seed })
            }
            ("fill", [n, value]) => Ok(Generator::Fill { count: count(n)?, value: self.number(ty, value)? }),
            ("iota" | "random" | "fill", _) => Err(self.error(&inside, EXPECTED, "wrong number of values")),
            _ => Err(self.error(&(span.start..open), EXPECTED, "not known")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(name: &str) -> ElementType {
        ElementType::from_name(name).expect("a type")
    }

    fn value(text: &str) -> ArgValue {
        parse(text, "argument 0").expect("a good argument").value
    }

    fn elements(text: &str) -> Vec<String> {
        let ArgValue::Buffer(Buffer { ty, data: Some(data), .. }) = value(text) else { panic!("{text}") };
        ty.elements(&data).map(|bits| ty.show(bits)).collect()
    }

    /// The message and the marked text of an error.
    fn error(text: &str) -> (String, String) {
        let error = parse(text, "argument 0").expect_err(text);
        let place = error.primary.expect("located").at;
        let marked = text.chars().skip(place.column as usize - 1).take(place.length as usize).collect();
        (error.message, marked)
    }

    #[test]
    fn scalars() {
        assert_eq!(value("u32:5"), ArgValue::Scalar { ty: ty("u32"), bits: 5 });
        assert_eq!(value("i32:-1"), ArgValue::Scalar { ty: ty("i32"), bits: 0xffff_ffff });
        assert_eq!(value("f32:1.5"), ArgValue::Scalar { ty: ty("f32"), bits: 0x3fc0_0000 });
        assert_eq!(value("bytes:0102ff"), ArgValue::Bytes(vec![1, 2, 255]));
    }

    #[test]
    fn tensor_maps() {
        let ArgValue::TensorMap(arg) =
            value("tensormap:f16@data,dims=192x64,box=64x32,swizzle=128B,fill=nan,offset=32")
        else {
            panic!("no tensor map")
        };
        assert_eq!(arg.buffer, "data");
        assert_eq!((&arg.map.dims[..], &arg.map.strides[..]), (&[192, 64][..], &[384][..]));
        assert_eq!(arg.placed(0x1000).address, 0x1020);
        assert!(arg.map.encode().is_ok());
        let bad = [
            ("tensormap:f16,dims=8", "expected `tensormap:"),
            ("tensormap:f16@0,dims=8", "needs `box`"),
            ("tensormap:f16@0,dims=8,box=4", "not a multiple of 16"),
            ("tensormap:f16@0,dims=8,box=8,size=3", "no `size`"),
            ("tensormap:u33@0,dims=8,box=8", "the type of a tensor map"),
            ("tensormap:u32@0,dims=8,box=8,swizzle=16B", "`swizzle` must be one of none, 32B"),
        ];
        for (text, message) in bad {
            let (found, _) = error(text);
            assert!(found.contains(message), "{text}: {found}");
        }
    }

    #[test]
    fn buffers_by_size() {
        let out = Buffer { direction: Direction::Out, ty: ty("u32"), bytes: 4096, data: None };
        assert_eq!(value("out:u32[32*32]"), ArgValue::Buffer(out.clone()));
        let uninit = Buffer { direction: Direction::Uninit, ty: ty("u8"), bytes: 16, data: None };
        assert_eq!(value("uninit:u8[0x10]"), ArgValue::Buffer(uninit));
        let named = parse("steps=out:u32[1024]", "argument 0").expect("a good argument");
        assert_eq!((named.name.as_deref(), named.value), (Some("steps"), ArgValue::Buffer(out)));
    }

    #[test]
    fn buffers_by_content() {
        assert_eq!(elements("in:i8=[1, -2 ,3]"), ["1", "-2", "3"]);
        assert_eq!(elements("inout:u32=iota(3)"), ["0", "1", "2"]);
        assert_eq!(elements("in:u32=iota(4,10,5)"), ["10", "15", "20", "25"]);
        assert_eq!(elements("in:i32=iota(3,1,-1)"), ["1", "0", "-1"]);
        assert_eq!(elements("in:f32=iota(3,0.5)"), ["0.5", "1.5", "2.5"]);
        assert_eq!(elements("in:u16=fill(2,0xffff)"), ["65535", "65535"]);
        assert_eq!(elements("x=in:u32=random(2,7)"), elements("in:u32=random(2,7)"));
        assert_eq!(elements("in:u32=[]").len(), 0);
    }

    #[test]
    fn errors_point_at_the_fault() {
        let case = |text, message: &str, marked: &str| {
            let (found, place) = error(text);
            assert!(found.contains(message), "{text}: {found}");
            assert_eq!(place, marked, "{text}");
        };
        case("5", "needs a type", "5");
        case("u33:5", "expected a type or one of `in`", "u33");
        case("u32:five", "expected an integer of type `u32`", "five");
        case("u8:300", "`u8` holds 0 to 255", "300");
        case("in:u32=[1,2,x3]", "expected an integer", "x3");
        case("in:u32=[1,,3]", "expected an integer", "");
        case("in:u32", "expected `in:TYPE=SOURCE`", "u32");
        case("in:q=iota(3)", "expected a type", "q");
        case("in:u32=iota(n)", "expected a number of elements", "n");
        case("in:u32=iota(3,1,1,1)", "expected a source", "3,1,1,1");
        case("in:u32=ones(3)", "expected a source", "ones");
        case("in:u32=three", "expected a source", "three");
        case("in:u32=@/no/such/file.npy", "cannot read", "@/no/such/file.npy");
        case("out:u32", "expected `out:TYPE[COUNT]`", "u32");
        case("out:u32[]", "expected a number of elements", "");
        case("out:f64[999999999999*999999999999]", "larger than 1 TiB", "999999999999*999999999999");
        case("in:[1,2]", "expected `in:TYPE=SOURCE`", "[1,2]");
        case("bytes:012", "in hex", "012");
        case("1x=u32:5", "expected a name", "1x");
        case("größe=u32:ö", "expected an integer", "ö");
    }
}
