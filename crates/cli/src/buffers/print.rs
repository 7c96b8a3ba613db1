//! Buffers as text: one line each, or every element in columns.

use super::Held;
use std::fmt::Write;

/// How much of a buffer to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// One line with the first elements.
    Line,
    /// All elements.
    Full,
}

/// How wide a line may get, in characters.
const WIDTH: usize = 110;

/// The text of some buffers.
pub fn text(buffers: &[&Held], amount: Amount) -> String {
    let label =
        |buffer: &Held| (buffer.name.clone(), format!("{}[{}]", buffer.ty, buffer.data.len() / buffer.ty.bytes));
    let labels: Vec<_> = buffers.iter().map(|buffer| label(buffer)).collect();
    let name_width = labels.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let type_width = labels.iter().map(|(_, ty)| ty.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (buffer, (name, ty)) in buffers.iter().zip(&labels) {
        match amount {
            Amount::Line => {
                let head = format!("{:>2} {name:name_width$}  {ty:type_width$}  ", buffer.index);
                out.push_str(&line(buffer, head));
            }
            Amount::Full => {
                let _ = write!(out, "{:>2} {name}  {ty}\n{}", buffer.index, table(buffer));
            }
        }
    }
    out
}

/// The head and as many elements as fit.
fn line(buffer: &Held, head: String) -> String {
    let mut out = head;
    let mut width = out.chars().count();
    for (index, bits) in buffer.ty.elements(&buffer.data).enumerate() {
        let value = buffer.ty.show(bits);
        if width + value.len() + 2 > WIDTH && index > 0 {
            out.push('…');
            break;
        }
        width += value.len() + 1;
        out.push_str(&value);
        out.push(' ');
    }
    format!("{}\n", out.trim_end())
}

/// All elements in right-aligned columns, each row led by the index of its first. A row has a power of two of them.
fn table(buffer: &Held) -> String {
    let values: Vec<String> = buffer.ty.elements(&buffer.data).map(|bits| buffer.ty.show(bits)).collect();
    let width = values.iter().map(String::len).max().unwrap_or(0);
    let index_width = values.len().saturating_sub(1).to_string().len();
    let room = (WIDTH - index_width - 4) / (width + 1);
    let columns = if room == 0 { 1 } else { 1 << room.ilog2() };
    let mut out = String::new();
    for (row, chunk) in values.chunks(columns).enumerate() {
        let _ = write!(out, "  {:>index_width$}:", row * columns);
        for value in chunk {
            let _ = write!(out, " {value:>width$}");
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Direction;
    use crate::element::ElementType;

    fn buffer(index: usize, name: &str, values: impl Iterator<Item = u32>) -> Held {
        let data = values.flat_map(u32::to_le_bytes).collect();
        let ty = ElementType::from_name("u32").expect("a type");
        Held { index, name: name.to_owned(), direction: Direction::Out, ty, data }
    }

    #[test]
    fn a_line_each_in_columns() {
        let (a, b) = (buffer(0, "out", 0..1000), buffer(10, "longer", [7].into_iter()));
        let lines = text(&[&a, &b], Amount::Line);
        let lines: Vec<&str> = lines.lines().collect();
        assert!(lines[0].starts_with(" 0 out     u32[1000]  0 1 2 3"), "{}", lines[0]);
        assert!(lines[0].ends_with('…') && lines[0].chars().count() <= WIDTH, "{}", lines[0]);
        assert_eq!(lines[1], "10 longer  u32[1]     7");
    }

    #[test]
    fn a_full_table() {
        let a = buffer(0, "out", (0..20).map(|i| i * 1000));
        let expected = " 0 out  u32[20]
   0:     0  1000  2000  3000  4000  5000  6000  7000  8000  9000 10000 11000 12000 13000 14000 15000
  16: 16000 17000 18000 19000
";
        assert_eq!(text(&[&a], Amount::Full), expected);
        let empty = buffer(0, "out", std::iter::empty());
        assert_eq!(text(&[&empty], Amount::Full), " 0 out  u32[0]\n");
        assert_eq!(text(&[&empty], Amount::Line), " 0 out  u32[0]\n");
    }
}
