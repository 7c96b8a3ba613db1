//! What the front end says about text it does not accept, as plain data.

use crate::tree::Span;
use std::fmt;

/// Whether the text is wrong or this crate is incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The text is not legal PTX.
    Invalid,
    /// The text may be legal PTX, but is not understood here.
    Unsupported,
}

/// One complaint with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Wrong text or a gap of this crate.
    pub kind: ErrorKind,
    /// Where in the source.
    pub span: Span,
    /// What was expected and what was found; lower case, PTX names in back-ticks.
    pub message: String,
    /// How to mend it, where that is known.
    pub help: Option<String>,
}

impl Error {
    /// Makes an error about illegal text.
    pub fn invalid(span: Span, message: impl Into<String>) -> Self {
        Error { kind: ErrorKind::Invalid, span, message: message.into(), help: None }
    }

    /// Makes an error about text that this crate does not understand.
    pub fn unsupported(span: Span, message: impl Into<String>) -> Self {
        Error { kind: ErrorKind::Unsupported, span, message: message.into(), help: None }
    }

    /// Adds a hint.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// An error on its way out of the parser: one word, so that results of tokens and operands travel in registers.
#[derive(Debug)]
pub(crate) struct Failure(Box<Error>);

impl Failure {
    /// See [`Error::invalid`].
    #[cold]
    pub fn invalid(span: Span, message: impl Into<String>) -> Self {
        Failure(Box::new(Error::invalid(span, message)))
    }

    /// See [`Error::unsupported`].
    #[cold]
    pub fn unsupported(span: Span, message: impl Into<String>) -> Self {
        Failure(Box::new(Error::unsupported(span, message)))
    }

    /// See [`Error::with_help`].
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Failure(Box::new(self.0.with_help(help)))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure(Box::new(error))
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        *failure.0
    }
}
