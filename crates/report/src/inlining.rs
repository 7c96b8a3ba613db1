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

/// The places at which a place was inlined, innermost first. `first` is the `inlined_at` of the instruction itself, `at`
/// its offset in the text.
pub fn chain(ptx: &str, first: Option<Point>, at: usize) -> Vec<Point> {
    if first.is_none() { Vec::new() } else { Callers::new(ptx).chain(first, at) }
}

/// The statement that code of another file was inlined into, where its `.loc` does not say so (code that is compiled for a debugger
/// keeps that elsewhere): the last place above it in the file that its function begins in.
pub fn statement(ptx: &str, file: u32, at: usize) -> Option<Point> {
    let above = ptx.get(..at)?;
    let start = [".entry", ".func"].iter().filter_map(|word| above.rfind(word)).max()?;
    let locs = above[start..].lines().filter_map(|line| line.trim_start().strip_prefix(".loc"));
    let mut own = locs.filter(|text| !text.contains("inlined_at")).filter_map(point);
    let first = own.next().filter(|first| first.0 != file)?;
    own.rfind(|p| p.0 == first.0 && p.1 > 0)
}

/// Where each inlined place was inlined, with the offset of the directive that says so; for many questions about one
/// module. A helper that is inlined at several places, or into itself, has several: the nearest one above the
/// instruction, or above the directive that led there, is meant.
pub(crate) struct Callers(HashMap<Point, Vec<(usize, Point)>>);

impl Callers {
    /// Reads a module's text.
    pub fn new(ptx: &str) -> Self {
        let mut all: HashMap<Point, Vec<(usize, Point)>> = HashMap::new();
        let mut offset = 0;
        for line in ptx.split_inclusive('\n') {
            let inlined = line.trim_start().strip_prefix(".loc").and_then(inlined_loc);
            if let Some((point, caller)) = inlined {
                all.entry(point).or_default().push((offset, caller));
            }
            offset += line.len();
        }
        Callers(all)
    }

    /// As [`chain`].
    pub fn chain(&self, first: Option<Point>, at: usize) -> Vec<Point> {
        let next = |(point, at): &(Point, usize)| {
            let list = self.0.get(point)?;
            let above = list.partition_point(|entry| entry.0 < *at);
            let (offset, caller) = list.get(above.saturating_sub(1))?;
            // A place that says it was inlined at itself, with nothing above, ends here.
            (above > 0 || caller != point).then_some((*caller, *offset))
        };
        std::iter::successors(first.map(|point| (point, at)), next).take(DEEPEST).map(|(point, _)| point).collect()
    }
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
    use super::{chain, statement};

    const PTX: &str = "
	.loc	1 26 7
	.loc	2 402 9, function_name $L__info_string0, inlined_at 1 26 7
	.loc	3 397 9, function_name $L__info_string1, inlined_at 2 402 9  // a comment
	shfl.sync.down.b32 %r1, %r2, 1, 31, -1;
";

    #[test]
    fn the_chain_ends_where_nothing_was_inlined() {
        assert_eq!(chain(PTX, Some((2, 402, 9)), PTX.len()), [(2, 402, 9), (1, 26, 7)]);
        assert_eq!(chain(PTX, Some((1, 26, 7)), PTX.len()), [(1, 26, 7)]);
        assert_eq!(chain(PTX, None, 0), []);
    }

    #[test]
    fn a_circle_ends() {
        let ptx = ".loc 1 1 1, function_name a, inlined_at 1 2 1\n.loc 1 2 1, function_name a, inlined_at 1 1 1\n";
        assert!(chain(ptx, Some((1, 1, 1)), ptx.len()).len() < 100);
    }

    #[test]
    fn the_nearest_call_above_is_meant() {
        let ptx = "
	.loc	2 5 3, function_name h, inlined_at 1 20 7
	add.s32 %r1, %r1, 1;
	.loc	2 5 3, function_name h, inlined_at 1 21 7
	add.s32 %r2, %r2, 1;
";
        let at = |text: &str| ptx.find(text).expect("it is there");
        assert_eq!(chain(ptx, Some((2, 5, 3)), at("add.s32 %r1")), [(2, 5, 3), (1, 20, 7)]);
        assert_eq!(chain(ptx, Some((2, 5, 3)), at("add.s32 %r2")), [(2, 5, 3), (1, 21, 7)]);
    }

    #[test]
    fn code_for_a_debugger() {
        let ptx = "
.func f() { .loc 2 1 0
 }
.visible .entry k() {
	.loc	1 3 0
	.loc	1 4 3
	.loc	2 80 5
	add.s32 %r1, %r1, 1;
	.loc	1 5 3
	add.s32 %r2, %r2, 1;
";
        let at = |text: &str| ptx.find(text).expect("it is there");
        assert_eq!(statement(ptx, 2, at("add.s32 %r1")), Some((1, 4, 3)));
        assert_eq!(statement(ptx, 1, at("add.s32 %r2")), None);
    }

    #[test]
    fn a_helper_that_is_inlined_into_itself() {
        let ptx = "
	.loc	2 9 3, function_name h, inlined_at 1 20 7
	.loc	2 9 3, function_name h, inlined_at 2 9 3
	.loc	2 7 1, function_name h, inlined_at 2 9 3
";
        assert_eq!(chain(ptx, Some((2, 9, 3)), ptx.len()), [(2, 9, 3), (2, 9, 3), (1, 20, 7)]);
    }
}
