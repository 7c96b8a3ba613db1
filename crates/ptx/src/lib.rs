//! PTX text in, tree out: lexer, parser, checker, printer.

pub mod tree;
