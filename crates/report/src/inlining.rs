//! Where inlined code was inlined, from the `.loc` directives of a module.
//!
//! `.loc` names the innermost place and `inlined_at` the call. If that call stands in code that was inlined itself,
//! another `.loc` for the call's place says where to (PTX ISA, debugging directives). Such a `.loc` often has no instruction
//! of its own, so the text is searched rather than the program.

use std::collections::HashMap;

/// A place of `.loc`: file index, line, column.
pub type Point = (u32, u32, u32);

/// How deep inlining is followed; a chain that bites its tail ends too.
const DEEPEST: usize = 64;

/// The places at which a place was inlined, innermost first. `first` is the `inlined_at` of the instruction itself.
pub fn chain(ptx: &str, first: Option<Point>) -> Vec<Point> {
    if first.is_none() { Vec::new() } else { Callers::new(ptx).chain(first) }
}

/// Where each inlined place was inlined; for many questions about one module.
pub(crate) struct Callers(HashMap<Point, Point>);

impl Callers {
    /// Reads a module's text.
    pub fn new(ptx: &str) -> Self {
        Callers(callers(ptx))
    }

    /// As [`chain`].
    pub fn chain(&self, first: Option<Point>) -> Vec<Point> {
        std::iter::successors(first, |point| self.0.get(point).copied()).take(DEEPEST).collect()
    }
}

fn callers(ptx: &str) -> HashMap<Point, Point> {
    ptx.lines().filter_map(|line| inlined_loc(line.trim_start().strip_prefix(".loc")?)).collect()
}

/// `1 22 3, function_name $L__info_string0, inlined_at 1 26 41`, what follows `.loc`.
fn inlined_loc(text: &str) -> Option<(Point, Point)> {
    let (head, caller) = text.split_once("inlined_at")?;
    Some((point(head.split(',').next()?)?, point(caller)?))
}

fn point(text: &str) -> Option<Point> {
    let mut numbers = text.split_whitespace().map_while(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?, numbers.next()?))
}

#[cfg(test)]
mod tests {
    use super::chain;

    const PTX: &str = "
	.loc	1 26 7
	.loc	2 402 9, function_name $L__info_string0, inlined_at 1 26 7
	.loc	3 397 9, function_name $L__info_string1, inlined_at 2 402 9  // a comment
	shfl.sync.down.b32 %r1, %r2, 1, 31, -1;
";

    #[test]
    fn the_chain_ends_where_nothing_was_inlined() {
        assert_eq!(chain(PTX, Some((2, 402, 9))), [(2, 402, 9), (1, 26, 7)]);
        assert_eq!(chain(PTX, Some((1, 26, 7))), [(1, 26, 7)]);
        assert_eq!(chain(PTX, None), []);
    }

    #[test]
    fn a_circle_ends() {
        let ptx = ".loc 1 1 1, function_name a, inlined_at 1 2 1\n.loc 1 2 1, function_name a, inlined_at 1 1 1\n";
        assert!(chain(ptx, Some((1, 1, 1))).len() < 100);
    }
}
