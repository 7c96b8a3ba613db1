//! What buffers hold after a launch: named, printed, saved, compared.

pub mod compare;
pub mod print;
pub mod save;

use crate::Result;
use crate::args::{Arg, Direction};
use crate::element::ElementType;
use warpvm_report::Diagnostic;

/// A buffer after the launch.
#[derive(Clone, PartialEq, Debug)]
pub struct Held {
    /// The kernel parameter.
    pub index: usize,
    /// What the user calls it, else the parameter's name in the PTX.
    pub name: String,
    /// How it was used.
    pub direction: Direction,
    /// Its element type.
    pub ty: ElementType,
    /// Its content.
    pub data: Vec<u8>,
}

/// The buffers of a launch with what came back for them (by parameter index).
pub fn held(args: &[Arg], parameters: &[String], mut contents: Vec<Option<Vec<u8>>>) -> Vec<Held> {
    let buffers = args.iter().enumerate().filter_map(|(index, arg)| {
        let buffer = arg.buffer()?;
        let data = contents.get_mut(index)?.take()?;
        let name = arg.name.clone().or_else(|| parameters.get(index).cloned());
        let name = name.unwrap_or_else(|| format!("arg{index}"));
        Some(Held { index, name, direction: buffer.direction, ty: buffer.ty, data })
    });
    buffers.collect()
}

/// The buffer that a name means: the user's name or the parameter's name, its index, or `out`, `in`, `inout` where
/// there is one such buffer; `out0`, `out1` are the first and second of them.
///
/// # Errors
/// None or several fit; the message lists what there is.
pub fn find<'a>(buffers: &'a [Held], wanted: &str) -> Result<&'a Held> {
    if let Some(buffer) = buffers.iter().find(|buffer| buffer.name == wanted) {
        return Ok(buffer);
    }
    let index = wanted.parse::<usize>().ok();
    if let Some(buffer) = buffers.iter().find(|buffer| Some(buffer.index) == index) {
        return Ok(buffer);
    }
    let word = wanted.trim_end_matches(|c: char| c.is_ascii_digit());
    let alike: Vec<&Held> = buffers.iter().filter(|buffer| buffer.direction.word() == word).collect();
    match (wanted[word.len()..].parse::<usize>(), alike.as_slice()) {
        (Err(_), [only]) => Ok(only),
        (Err(_), [_, _, ..]) => Err(error(buffers, format!("several buffers are `{word}`"))),
        (Ok(number), _) if number < alike.len() => Ok(alike[number]),
        _ => Err(error(buffers, format!("there is no buffer `{wanted}`"))),
    }
}

fn error(buffers: &[Held], message: String) -> Box<Diagnostic> {
    let list: Vec<String> = buffers.iter().map(|b| format!("{} `{}`", b.index, b.name)).collect();
    Box::new(Diagnostic::invalid(message).help(format!("buffers, by index and name: {}", list.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffers() -> Vec<Held> {
        let args: Vec<Arg> = ["sum=out:u32[1]", "in:u32=[7]", "u32:1", "out:u32[1]"]
            .iter()
            .map(|text| crate::args::parse(text, "argument").expect("good"))
            .collect();
        let parameters: Vec<String> = (0..4).map(|i| format!("k_param_{i}")).collect();
        let contents = vec![Some(vec![1, 0, 0, 0]), Some(vec![7, 0, 0, 0]), None, Some(vec![2, 0, 0, 0])];
        held(&args, &parameters, contents)
    }

    #[test]
    fn buffers_have_many_names() {
        let all = buffers();
        let index = |name| find(&all, name).map(|buffer| buffer.index).map_err(|error| error.message);
        assert_eq!(index("sum"), Ok(0));
        assert_eq!(index("k_param_3"), Ok(3));
        assert_eq!(index("3"), Ok(3));
        assert_eq!(index("in"), Ok(1));
        assert_eq!(index("out1"), Ok(3));
        assert_eq!(index("out"), Err("several buffers are `out`".to_owned()));
        assert_eq!(index("2"), Err("there is no buffer `2`".to_owned()));
        assert_eq!(index("out2"), Err("there is no buffer `out2`".to_owned()));
        assert_eq!(index("nothing"), Err("there is no buffer `nothing`".to_owned()));
    }
}
