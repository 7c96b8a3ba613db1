//! PTX text in, tree out: lexer, parser, checker, printer.

mod check;
mod error;
mod lexer;
mod lines;
mod names;
mod parser;
mod print;
mod spans;
mod suggest;
pub mod tree;

pub use check::{Row, check, known, rows};
pub use error::{Error, ErrorKind};
pub use lines::LineMap;
pub use parser::parse;
pub use print::print;
